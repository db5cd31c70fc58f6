/* export_laws.c: what couples the joints of a model: stops, couplings, ropes, armatures.
 *
 * An armature is what an import made of one: the body `<joint>_rotor` on a hinge to ground, its
 * mass centre on the axis, whose angle a coupler ties to the joint's coordinate:
 *
 *     f_r q_r + f q = constant,   1/2 I q_r'^2 = 1/2 (I f^2/f_r^2) q'^2
 */
#include "exchange/export.h"

#include "common/number.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

/* ---- couplers ---- */

/* The words behind each "key: " of a text such as {a: {joint: A}, b: {joint: 'B 2'}}; how many. */
static int words_behind(hol_export *ex, const char *text, const char *key, int most,
                        const char **words) {
    const size_t length = strlen(key);
    int n = 0;
    for (const char *s = strstr(text, key); s && n < most; s = strstr(s, key)) {
        s += length;
        const char quote = *s == '\'' || *s == '"' ? *s++ : '\0';
        const char ends[3] = {quote ? quote : ',', quote ? '\0' : '}', '\0'};
        words[n++] = hol__arena_text_n(&ex->im->arena, s, strcspn(s, ends));
    }
    return n;
}

/* The names of the joints of a coupler, and their components; 0 where it has other coordinates. */
static int joints_of(hol_export *ex, const char *coupler, const char **joints,
                     const char *components[4]) {
    const char *text = hol__export_text(ex, "joints", coupler, "coordinates");
    static const char *const others[] = {"body: ", "bodies: ", "measure: "};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(text, others[i])) return 0;
    const int n = words_behind(ex, text, "joint: ", 5, joints);
    const int m = words_behind(ex, text, "component: ", 4, components);
    for (int i = m; i < 4; i++) components[i] = "";
    return n > 4 || (m && m != n) ? 0 : n;
}

/* A constant in a text, which may be in quotes; 0 where it is not one. */
static int read_constant(hol_export *ex, const char *text, size_t n, double *out) {
    double b[3];
    while (n && strchr(" '\"", *text)) text++, n--;
    while (n && strchr(" '\"", text[n - 1])) n--;
    const char *law = hol__arena_text_n(&ex->im->arena, text, n);
    if (!law || !hol__export_law(ex, law, "", b) || b[1] != 0 || b[2] != 0) return 0;
    *out = b[0];
    return 1;
}

/* The constants of a list such as [1, -2*r]: how many, 0 where one of them is not constant. */
static int read_factors(hol_export *ex, const char *coupler, double f[4]) {
    const char *text = hol__export_text(ex, "joints", coupler, "factors");
    int n = 0, depth = 0;
    if (*text++ != '[') return 0;
    for (const char *start = text; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        const int ends = depth == 0 && (*text == ',' || *text == ']');
        if (!ends) continue;
        if (n == 4 || !read_constant(ex, start, (size_t)(text - start), &f[n++])) return 0;
        start = text + 1;
    }
    return n;
}

/* "a - poly(b, …)" with up to five numbers; 0: it is something else. */
static int read_poly(hol_export *ex, const char *coupler, double p[5]) {
    static const char start[] = "a - poly(b, ";
    const char *text = hol__export_text(ex, "joints", coupler, "equation"), *end;
    if (*text == '\'' || *text == '"') text++;
    if (strncmp(text, start, sizeof start - 1) != 0) return 0;
    text += sizeof start - 1;
    for (int i = 0; i < 5; i++) {
        text += strspn(text, " (");
        p[i] = hol__number_read(text, &end);
        if (end == text) return 0;
        text = end + strspn(end, " )");
        if (i < 4 && *text != ',') return *text == '\0' || *text == '\'' || *text == '"';
        text++;
    }
    return 1;
}

/* What f = factors of coordinates here is for those that count from the start. */
static void from_start(const hol__robot *robot, hol__coupling *c) {
    double p[5] = {0};
    for (int i = 0; i < c->n && !c->is_poly; i++)
        c->value -= c->factors[i] * robot->joints[c->joints[i]].ref;
    if (!c->is_poly) return;
    /* a0 + y = sum p_k (b0 + x)^k: binomial coefficients */
    const double a0 = robot->joints[c->joints[0]].ref, b0 = robot->joints[c->joints[1]].ref;
    for (int k = 0; k < 5; k++) {
        double power = 1, choose = 1;
        for (int j = k; j >= 0; j--) {
            p[j] += c->poly[k] * choose * power;
            power *= b0;
            choose = choose * j / (k - j + 1);
        }
    }
    p[0] -= a0;
    memcpy(c->poly, p, sizeof p);
}

static void add_coupling(hol_export *ex, const hol__coupling *c) {
    hol__coupling *kept = HOL__NEW(&ex->im->arena, hol__coupling);
    if (!kept) return;
    *kept = *c;
    if (ex->to_mjcf) from_start(&ex->im->robot, kept);
    if (ex->last_coupling)
        ex->last_coupling->next = kept;
    else
        ex->couplings = kept;
    ex->last_coupling = kept;
}

static void read_coupler(hol_export *ex, const hol__element *e) {
    const char *names[5], *components[4];
    hol__coupling c = {.name = e->name, .n = joints_of(ex, e->name, names, components)};
    const char *equation = hol__export_text(ex, "joints", e->name, "equation");
    int good = c.n > 0;
    for (int i = 0; i < c.n && good; i++) {
        c.joints[i] = hol__export_coordinate(ex, names[i], components[i]);
        good = c.joints[i] >= 0;
        for (int k = 0; k < i; k++) good &= c.joints[k] != c.joints[i];
    }
    if (good && *equation)
        good = c.is_poly = c.n == 2 && read_poly(ex, e->name, c.poly);
    else if (good)
        good = read_factors(ex, e->name, c.factors) == c.n && c.factors[0] != 0;
    const char *value = hol__export_text(ex, "joints", e->name, "value");
    if (good && *value) good = read_constant(ex, value, strlen(value), &c.value);
    if (good && !ex->to_mjcf) good = !c.is_poly && c.n <= 2;
    if (good) {
        add_coupling(ex, &c);
        if (ex->to_mjcf)
            hol__note_at(ex->im, HOL_IMPORT_CHANGED, e->where, e->label,
                         "an equality constraint, which is soft in MuJoCo");
        return;
    }
    hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, e->where, e->label,
                 ex->to_mjcf
                     ? "couplings of up to four coordinates of joints by factors, or of two "
                       "by a polynomial, are carried over"
                     : "couplings of two coordinates of joints by factors are carried over");
}

/* ---- armatures ---- */

/* How many joints there are at a body, but for one. */
static int held_by(const hol_export *ex, int body, int but) {
    int n = 0;
    for (int i = 0; i < ex->model->n_joints; i++) {
        const hol__element *e = &ex->model->joints[i];
        n += i != but && (e->body[0] == body || e->body[1] == body) &&
             strcmp(e->type->name, "coupler") != 0;
    }
    return n;
}

/* The inertia of a rotor about its bearing; -1: the body is none. */
static double rotor_inertia(const hol_export *ex, int bearing) {
    const hol__element *e = &ex->model->joints[bearing];
    const int nb = ex->model->nb, body = e->body[1];
    if (strcmp(e->type->name, "revolute") != 0 || e->body[0] != nb || body == nb) return -1;
    const hol__body *b = &ex->model->bodies[body];
    const char *end = strrchr(b->name, '_');
    if (!end || strcmp(end, "_rotor") != 0 || held_by(ex, body, bearing)) return -1;
    const double *F = e->marker[1].F, axis[3] = {F[2], F[5], F[8]};
    double off[3];
    hol__cross3(e->marker[1].s, axis, off);
    if (hol__norm3(off) > 1e-12 * fmax(1, hol__norm3(b->r))) return -1;
    double Ja[3];
    hol__mul3(b->J, axis, Ja);
    return ex->model->dim == 2 ? b->inertia : hol__dot3(axis, Ja);
}

void hol__export_armatures(hol_export *ex) {
    for (int i = 0; i < ex->model->n_joints; i++) {
        const hol__element *e = &ex->model->joints[i];
        const char *names[5], *components[4];
        double f[4];
        if (!ex->to_mjcf || strcmp(e->type->name, "coupler") != 0) continue;
        if (joints_of(ex, e->name, names, components) != 2 || read_factors(ex, e->name, f) != 2)
            continue;
        for (int k = 0; k < 2; k++) {
            const int bearing = hol_model_joint(ex->model, names[k]),
                      driven = hol_model_joint(ex->model, names[1 - k]);
            const double I = bearing >= 0 && driven >= 0 ? rotor_inertia(ex, bearing) : -1;
            if (I < 0 || f[k] == 0) continue;
            const double ratio = f[1 - k] / f[k];
            ex->armature[driven] += I * ratio * ratio;
            ex->done[i] = ex->done[bearing] = 1;
            ex->rotor[ex->model->joints[bearing].body[1]] = 1;
            break;
        }
    }
}

/* ---- stops and ropes ---- */

static void read_stop(hol_export *ex, const hol__element *e) {
    const char *joint = hol__export_text(ex, "joints", e->name, "joint"),
               *component = hol__export_text(ex, "joints", e->name, "component");
    const int at = hol__export_coordinate(ex, joint, component);
    if (at < 0) {
        hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, e->where, e->label,
                     "stops of hinges and slides of the tree are carried over");
        return;
    }
    hol__robot_joint *j = &ex->im->robot.joints[at];
    hol__export_field(ex, "joints", e->name, "lower", 1, &j->lower);
    hol__export_field(ex, "joints", e->name, "upper", 1, &j->upper);
    hol__note_at(ex->im, HOL_IMPORT_CHANGED, e->where, e->label, "the limits of joint '%s'%s",
                 joint, ex->to_mjcf ? ", soft in MuJoCo" : "");
}

static void read_rope(hol_export *ex, int joint) {
    const hol__element *e = &ex->model->joints[joint];
    hol__strand s = {.name = e->name, .is_rope = 1};
    hol_element_info info = {.size = sizeof info};
    if (!ex->to_mjcf || hol_model_joint_describe(ex->model, joint, &info) ||
        !hol__export_field(ex, "joints", e->name, "length", 1, &s.length)) {
        hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, e->where, e->label, "ropes are not carried over");
        return;
    }
    hol__export_strand(ex, &s, &info);
    hol__note_at(ex->im, HOL_IMPORT_CHANGED, e->where, e->label,
                 "the limit of a tendon, soft in MuJoCo");
}

/* Whether the tree has said all of a joint. */
static int is_in_tree(const char *type) {
    static const char *const types[] = {"revolute",    "prismatic", "spherical", "fixed",
                                        "cylindrical", "universal", "screw",     "planar"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0) return 1;
    return 0;
}

void hol__export_couplings(hol_export *ex) {
    for (int i = 0; i < ex->model->n_joints; i++) {
        const hol__element *e = &ex->model->joints[i];
        const char *type = e->type->name;
        const int at = ex->of[i][0];
        if (at >= 0) ex->im->robot.joints[at].armature = ex->armature[i];
        if (ex->armature[i] > 0 && at < 0)
            hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, e->where, e->label, "its armature");
        if (ex->done[i] || is_in_tree(type)) continue;
        if (strcmp(type, "coupler") == 0)
            read_coupler(ex, e);
        else if (strcmp(type, "rigid_stop") == 0)
            read_stop(ex, e);
        else if (strcmp(type, "rope") == 0)
            read_rope(ex, i);
        else
            hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, e->where, e->label,
                         "joints of type %s do not exist in it", type);
    }
}
