/* export_forces.c: forces of a model: springs and dampers, friction, motors whose law is a straight
 * line, weights that are carried.
 *
 *     torsion, axial_spring   k (q0 - q) - c q' of a joint      spring   a tendon of two sites
 *     motor                   b0 + b1 q + b2 q'                 friction a level
 */
#include "exchange/export.h"

#include "base/expr.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* ---- laws ---- */

typedef struct names {
    hol_export *ex;
    const char *joint;
} names;

/* The coordinate of the joint is the input 0, its rate 1; parameters are numbers. */
static hol__symbol find_name(void *self, const char *name, const hol_location *where) {
    static const char *const words[] = {"angle", "displacement", "coordinate", "rate", "speed"};
    names *n = self;
    (void)where;
    for (int i = 0; i < 5; i++)
        if (strcmp(name, words[i]) == 0)
            return (hol__symbol){.kind = HOL__SYMBOL_INPUT, .input = i >= 3};
    for (int i = 0; hol_model_parameter(n->ex->model, i); i++) {
        const hol_parameter *p = hol_model_parameter(n->ex->model, i);
        if (strcmp(p->name, name) == 0)
            return (hol__symbol){.kind = HOL__SYMBOL_CONSTANT, .value = p->value};
    }
    const char *joint = hol__export_text(n->ex, "measures", name, "joint"),
               *component = hol__export_text(n->ex, "measures", name, "component");
    if (*joint && strcmp(joint, n->joint) == 0)
        return (hol__symbol){.kind = HOL__SYMBOL_INPUT,
                             .input = strstr(component, "_rate") != NULL};
    return (hol__symbol){.kind = HOL__SYMBOL_UNKNOWN};
}

/* No suggestions. */
static const char *no_name(const void *self, int i) {
    (void)self, (void)i;
    return NULL;
}

int hol__export_law(hol_export *ex, const char *law, const char *joint, double b[3]) {
    static const double at[][2] = {{0, 0},         {1, 0},       {0, 1},
                                   {2.385, -1.71}, {-31.4, 7.3}, {0.13, 97}};
    names self = {ex, joint};
    const hol__scope scope = {.self = &self, .find = find_name, .name = no_name};
    const hol_location where = {"", 1, 1};
    double f[6];
    hol__arena arena;
    hol__arena_init(&arena, ex->quiet);
    hol__expr *e = hol__expr_compile(&arena, law, &scope, 2, &where, NULL);
    double *scratch = e ? HOL__NEW_N(&arena, double, hol__expr_scratch(e) + 1) : NULL;
    int good = scratch != NULL;
    for (int i = 0; i < 6 && good; i++) f[i] = hol__expr_value(e, at[i], scratch);
    if (good) {
        b[0] = f[0], b[1] = f[1] - f[0], b[2] = f[2] - f[0];
        for (int i = 3; i < 6; i++) {
            const double line = b[0] + b[1] * at[i][0] + b[2] * at[i][1];
            const double size =
                fabs(b[0]) + fabs(b[1] * at[i][0]) + fabs(b[2] * at[i][1]) + fabs(f[i]);
            good &= fabs(f[i] - line) <= 1e-12 * size;
        }
    }
    hol__arena_free(&arena);
    return good;
}

/* A field that is a constant number, or left out; 0 where it is a law. */
static int constant(hol_export *ex, const hol__element *e, const char *field, double otherwise,
                    double *out) {
    *out = otherwise;
    if (hol__export_field(ex, "forces", e->name, field, 1, out)) return 1;
    return *hol__export_text(ex, "forces", e->name, field) == '\0';
}

/* ---- along coordinates ---- */

/* The robot's joint that a force acts in; NULL: it is none of the tree. */
static hol__robot_joint *joint_of(hol_export *ex, const hol__element *e, const char **name) {
    *name = hol__export_text(ex, "forces", e->name, "joint");
    const int j =
        hol__export_coordinate(ex, *name, hol__export_text(ex, "forces", e->name, "component"));
    return j < 0 ? NULL : &ex->im->robot.joints[j];
}

/* Add a spring k (q0 - q) and a damper to a joint: two springs are one. */
static void add_spring(hol__robot_joint *j, double k, double q0, double c) {
    const double sum = j->stiffness + k;
    if (sum != 0) j->spring_at = (j->stiffness * j->spring_at + k * q0) / sum;
    j->stiffness = sum;
    j->damping += c;
}

static int read_torsion(hol_export *ex, const hol__element *e) {
    const char *name;
    hol__robot_joint *j = joint_of(ex, e, &name);
    double k, q0, c, f;
    if (!j || !constant(ex, e, "stiffness", 0, &k) || !constant(ex, e, "free_angle", 0, &q0) ||
        !constant(ex, e, "damping", 0, &c) || !constant(ex, e, "torque", 0, &f) || f != 0)
        return 0;
    if (!ex->to_mjcf && (k != 0 || c < 0)) return 0;
    add_spring(j, k, q0, c);
    return 1;
}

/* The slide between the bodies of a spring; *sign: of its axis. */
static hol__robot_joint *slide_of(hol_export *ex, const hol__element *e, const double axis[3],
                                  double *sign) {
    for (int i = 0; i < ex->model->n_joints; i++) {
        const hol__element *s = &ex->model->joints[i];
        double along[3];
        if (ex->of[i][0] < 0 || strcmp(s->type->name, "prismatic") != 0) continue;
        if (s->body[0] != e->body[0] || s->body[1] != e->body[1]) continue;
        if (hol__export_field(ex, "joints", s->name, "axis", 3, along) < 2) continue;
        const double d = hol__dot3(along, axis);
        if (fabs(fabs(d) - 1) > 1e-12) continue;
        *sign = d < 0 ? -1 : 1;
        return &ex->im->robot.joints[ex->of[i][0]];
    }
    return NULL;
}

static int read_axial(hol_export *ex, const hol__element *e) {
    double axis[3] = {0}, from[3] = {0}, to[3] = {0}, d[3], k, x0, c, f, sign;
    if (hol__export_field(ex, "forces", e->name, "axis", 3, axis) < 2) return 0;
    hol__export_field(ex, "forces", e->name, "from", 3, from);
    hol__export_field(ex, "forces", e->name, "to", 3, to);
    hol__sub3(to, from, d);
    const double drawn = hol__dot3(axis, d);
    hol__robot_joint *j = slide_of(ex, e, axis, &sign);
    if (!j || j->closes || !constant(ex, e, "stiffness", 0, &k) ||
        !constant(ex, e, "free_length", drawn, &x0) || !constant(ex, e, "damping", 0, &c) ||
        !constant(ex, e, "force", 0, &f) || f != 0 || (!ex->to_mjcf && (k != 0 || c < 0)))
        return 0;
    add_spring(j, k, sign * (x0 - drawn), c);
    return 1;
}

static int read_friction(hol_export *ex, const hol__element *e) {
    const char *name;
    double level;
    hol__robot_joint *j = joint_of(ex, e, &name);
    if (!j || !constant(ex, e, "level", 0, &level)) return 0;
    j->friction += level;
    hol__note_at(ex->im, HOL_IMPORT_CHANGED, e->where, e->label,
                 "dry friction of joint '%s' of one level, soft in MuJoCo", name);
    return 1;
}

static int read_motor(hol_export *ex, const hol__element *e) {
    const char *name, *law = hol__export_text(ex, "forces", e->name, "curve");
    hol__robot_joint *j = joint_of(ex, e, &name);
    hol__effort f = {.name = e->name};
    double command;
    if (*law == '\'' || *law == '"') {
        const size_t n = strlen(law);
        law = hol__arena_text_n(&ex->im->arena, law + 1, n > 1 ? n - 2 : 0);
    }
    if (!j || !constant(ex, e, "command", 1, &command)) return 0;
    if (!law || !hol__export_law(ex, law, name, f.b)) return 0;
    for (int i = 0; i < 3; i++) f.b[i] *= command;
    if (!ex->to_mjcf && (f.b[0] != 0 || f.b[1] != 0 || f.b[2] != 0)) return 0;
    f.joint = (int)(j - ex->im->robot.joints);
    hol__effort *kept = HOL__NEW(&ex->im->arena, hol__effort);
    if (!kept) return 1;
    *kept = f;
    if (ex->last_effort)
        ex->last_effort->next = kept;
    else
        ex->efforts = kept;
    ex->last_effort = kept;
    hol__note_at(ex->im, HOL_IMPORT_CHANGED, e->where, e->label,
                 "its law as a number: %g, %g times the coordinate, %g times its rate%s", f.b[0],
                 f.b[1], f.b[2], ex->to_mjcf ? "" : " (nothing)");
    return 1;
}

/* ---- between points ---- */

void hol__export_strand(hol_export *ex, const hol__strand *s, const hol_element_info *info) {
    hol__strand *kept = HOL__NEW(&ex->im->arena, hol__strand);
    if (!kept) return;
    *kept = *s;
    for (int k = 0; k < 2; k++) {
        kept->body[k] = info->body[k] == ex->model->nb ? HOL__GROUND : info->body[k];
        memcpy(kept->at[k], info->point[k], sizeof kept->at[k]);
    }
    if (ex->last_strand)
        ex->last_strand->next = kept;
    else
        ex->strands = kept;
    ex->last_strand = kept;
}

static int read_spring(hol_export *ex, int force) {
    const hol__element *e = &ex->model->forces[force];
    hol__strand s = {.name = e->name};
    hol_element_info info = {.size = sizeof info};
    double f;
    if (!ex->to_mjcf || hol_model_force_describe(ex->model, force, &info)) return 0;
    if (!constant(ex, e, "stiffness", 0, &s.stiffness) ||
        !constant(ex, e, "damping", 0, &s.damping) ||
        !constant(ex, e, "free_length", 0, &s.length) || !constant(ex, e, "force", 0, &f) || f != 0)
        return 0;
    if (s.stiffness != 0 && !hol__export_field(ex, "forces", e->name, "free_length", 1, &s.length))
        return 0;
    hol__export_strand(ex, &s, &info);
    return 1;
}

/* A force at the mass centre against gravity carries a share of the weight. */
static int read_carried(hol_export *ex, const hol__element *e) {
    double f[3] = {0}, at[3];
    const int body = hol_model_body(ex->model, hol__export_text(ex, "forces", e->name, "body"));
    const double *g = ex->model->gravity, g2 = hol__dot3(g, g);
    const char *frame = hol__export_text(ex, "forces", e->name, "frame");
    if (!ex->to_mjcf || body < 0 || !(g2 > 0) || strcmp(frame, "body") == 0) return 0;
    if (hol__export_field(ex, "forces", e->name, "at", 3, at)) return 0;
    if (!hol__export_field(ex, "forces", e->name, "force", 3, f)) return 0;
    const double mass = ex->model->bodies[body].mass, share = -hol__dot3(f, g) / (mass * g2);
    for (int i = 0; i < 3; i++)
        if (fabs(f[i] + share * mass * g[i]) > 1e-12 * mass * sqrt(g2)) return 0;
    ex->im->robot.bodies[body].carried += share;
    hol__note_at(ex->im, HOL_IMPORT_CHANGED, e->where, e->label,
                 "gravcomp of its body, which MuJoCo has since version 2.3");
    return 1;
}

/* ---- all ---- */

void hol__export_forces(hol_export *ex) {
    for (int i = 0; i < ex->model->n_forces; i++) {
        const hol__element *e = &ex->model->forces[i];
        const char *type = e->type->name;
        int good = 0;
        if (e->active || e->by_event || e->off)
            good = 0;
        else if (strcmp(type, "torsion") == 0)
            good = read_torsion(ex, e);
        else if (strcmp(type, "axial_spring") == 0)
            good = read_axial(ex, e);
        else if (strcmp(type, "friction") == 0)
            good = read_friction(ex, e);
        else if (strcmp(type, "motor") == 0)
            good = read_motor(ex, e);
        else if (strcmp(type, "spring") == 0)
            good = read_spring(ex, i);
        else if (strcmp(type, "force") == 0)
            good = read_carried(ex, e);
        if (!good)
            hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, e->where, e->label,
                         "a force of type %s, or its law, does not exist in it", type);
    }
}
