/* test_sweep.c: a sweep of wrong and doubtful models, made from the tables of elements and keys.
 *
 * Every element in its example, and a body of the plane and of space, with every key in turn given
 * a wrong unit, an unknown unit, a value that is not finite or has the wrong sign, a value of
 * another kind, a misspelt name; left out; with unknown and equal bodies; given twice; against
 * drivers that contradict each other; with masses and lengths far from those of machines. Each has
 * the right motion, or an error that names the culprit and points at it. Nothing else is accepted.
 */
#include "sweep_fixture.h"

#include "compile/compile.h"

enum family_index {
    UNIT,
    NOT_FINITE,
    SIGN,
    KIND,
    SPELLING,
    MISSING,
    UNKNOWN,
    SAME,
    TWICE,
    COPY,
    FIGHT,
    MASS,
    LENGTH,
    HEAVY,
    OPTION,
    N_FAMILIES
};

static family families[N_FAMILIES] = {
    [UNIT] = {.name = "wrong or unknown unit"},
    [NOT_FINITE] = {.name = "value that is not finite"},
    [SIGN] = {.name = "wrong sign"},
    [KIND] = {.name = "value of another kind"},
    [SPELLING] = {.name = "misspelt key"},
    [MISSING] = {.name = "missing key"},
    [UNKNOWN] = {.name = "unknown body, joint or force"},
    [SAME] = {.name = "one body twice"},
    [TWICE] = {.name = "one name twice"},
    [COPY] = {.name = "joint with a copy of itself"},
    [FIGHT] = {.name = "drivers that contradict each other"},
    [MASS] = {.name = "masses off scale"},
    [LENGTH] = {.name = "lengths off scale"},
    [HEAVY] = {.name = "masses beside forces off scale"},
    [OPTION] = {.name = "gravity and options of the run"},
};

/* Copies of equations change a run by rounding and by where its corrections stop, 1e-13. Other
 * units change the steps too, each of them by the tolerance of 1e-8; impacts amplify that. */
#define COPY_BOUND 1e-12
#define SCALED_BOUND 1e-5

/* ---- one value ---- */

/* Whether values of the kind are numbers or lists of numbers that can stand alone. */
static int is_numeric(hol__key_kind kind) {
    static const hol__key_kind kinds[] = {
        HOL__KEY_NUMBER,  HOL__KEY_LAW,     HOL__KEY_TIME_LAW, HOL__KEY_POINT,  HOL__KEY_VECTOR,
        HOL__KEY_LAWS,    HOL__KEY_INERTIA, HOL__KEY_SPIN,     HOL__KEY_TURN,   HOL__KEY_DIRECTION,
        HOL__KEY_NUMBERS, HOL__KEY_MATRIX,  HOL__KEY_POINTS,   HOL__KEY_FORMULA};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == kind) return 1;
    return 0;
}

/* Whether the kind is a list with as many numbers as the space has. */
static int is_vector(hol__key_kind kind, int dim) {
    return kind == HOL__KEY_POINT || kind == HOL__KEY_VECTOR || kind == HOL__KEY_LAWS ||
           kind == HOL__KEY_DIRECTION ||
           (dim == 3 &&
            (kind == HOL__KEY_SPIN || kind == HOL__KEY_TURN || kind == HOL__KEY_INERTIA));
}

/* Make a node a scalar. */
static void set_scalar(hol__node *node, const char *text) {
    hol_spec *spec = node->spec;
    hol__node *holder = hol__node_add(spec, NULL, NULL, HOL__LIST);
    hol__node_replace(node, hol__node_add_scalar(spec, holder, NULL, text));
}

/* Put the text in place of the first number of a key; 0 when the key cannot be made up. */
static int put_value(const subject *s, hol_spec *spec, const hol__key *key, const char *text) {
    hol__node *item = subject_item(s, spec), *node = hol__node_get(item, key->name);
    if (node && node->kind == HOL__MAP) return 0;
    if (!node && (key->kind == HOL__KEY_NUMBERS || key->kind == HOL__KEY_MATRIX ||
                  key->kind == HOL__KEY_POINTS))
        return 0;
    if (!node && is_vector(key->kind, s->dim)) {
        node = hol__node_add(spec, item, key->name, HOL__LIST);
        for (int i = 0; i < s->dim; i++) hol__node_add_scalar(spec, node, NULL, "0.3");
    }
    if (!node) node = hol__node_add_scalar(spec, item, key->name, "0.3");
    while (node->kind == HOL__LIST) node = node->first;
    if (node->kind != HOL__SCALAR) return 0;
    set_scalar(node, text);
    return 1;
}

/* A value in a key that has to be refused. */
static void refuse_value(family *f, const subject *s, const hol__key *key, const char *text) {
    char what[256];
    hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
    assert_non_null(spec);
    if (!put_value(s, spec, key, text)) {
        hol_spec_free(spec);
        return;
    }
    snprintf(what, sizeof what, "%s: %s", key->name, text);
    expect_refused(f, s, what, key->name, spec);
}

/* Keys in which a unit cannot be wrong. The parameter of a curve is what its expressions make of
 * it. What a sum of factors times rates is depends on the factors, and plain ones may stand for
 * any unit. A measure has the unit of its expression, and a controller may measure anything. */
static int has_any_unit(const char *type, const char *key) {
    static const char *const keys[][2] = {{"point_on_curve", "s_from"},
                                          {"point_on_curve", "s_to"},
                                          {"cam", "s_from"},
                                          {"cam", "s_to"},
                                          {"velocity_coupler", "value"},
                                          {"velocity_constraint", "value"},
                                          {"expression", "value"},
                                          {"variable", "value"},
                                          {"pid", "measured"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (type && strcmp(type, keys[i][0]) == 0 && strcmp(key, keys[i][1]) == 0) return 1;
    return 0;
}

/* Seconds where no key has seconds, and so on. */
static void sweep_units(const subject *s, const hol__key *key) {
    refuse_value(&families[UNIT], s, key, "2.7 furlong");
    if (has_any_unit(s->type, key->name)) return;
    const char *unit = key->unit ? key->unit : "";
    refuse_value(&families[UNIT], s, key, strcmp(unit, "s") == 0 ? "2.7 m" : "2.7 s");
    refuse_value(&families[UNIT], s, key, strcmp(unit, "kg") == 0 ? "2.7 m" : "2.7 kg");
}

static void sweep_values(const subject *s, const hol__key *key) {
    static const char *const bad[] = {"0/0", "1e400", ".nan", "-.inf", "log(-1.3)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse_value(&families[NOT_FINITE], s, key, bad[i]);
    if (key->flags & HOL__POSITIVE) refuse_value(&families[SIGN], s, key, "0");
    if (key->flags & (HOL__POSITIVE | HOL__NOT_NEGATIVE))
        refuse_value(&families[SIGN], s, key, "-1.3");
}

/* ---- one key ---- */

/* A map with one strange key in place of any value. */
static void sweep_kinds(const subject *s, const hol__key *key) {
    static const char *const words[] = {"{nonsense: 3}", "[]", "[[3, 4, 5, 6], {nonsense: 3}]"};
    for (int i = 0; i < 3; i++) {
        char what[256];
        /* no words and no shapes at all are a meaning */
        if (i == 1 && (key->kind == HOL__KEY_WORDS || key->kind == HOL__KEY_SHAPES)) continue;
        hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
        hol__node *item = subject_item(s, spec), *node = hol__node_get(item, key->name);
        if (node) hol__node_remove(node);
        node = hol__node_add(spec, item, key->name, i == 0 ? HOL__MAP : HOL__LIST);
        if (i == 0) hol__node_add_scalar(spec, node, "nonsense", "3");
        if (i == 2) {
            hol__node *inner = hol__node_add(spec, node, NULL, HOL__LIST);
            hol__node_add_scalar(spec, inner, NULL, "3");
            hol__node_add_scalar(spec, hol__node_add(spec, node, NULL, HOL__MAP), "nonsense", "3");
        }
        snprintf(what, sizeof what, "%s: %s", key->name, words[i]);
        expect_refused(&families[KIND], s, what, key->name, spec);
    }
}

/* Two letters of the key change places. */
static void sweep_spelling(const subject *s, const hol__key *key) {
    char wrong[128];
    hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
    hol__node *node = hol__node_get(subject_item(s, spec), key->name);
    const size_t n = strlen(key->name);
    if (!node || n < 2) {
        hol_spec_free(spec);
        return;
    }
    snprintf(wrong, sizeof wrong, "%s", key->name);
    wrong[n - 1] = key->name[n - 2];
    wrong[n - 2] = key->name[n - 1];
    if (wrong[n - 1] == wrong[n - 2]) wrong[0] = 'q';
    node->key = wrong;
    expect_refused(&families[SPELLING], s, wrong, wrong, spec);
}

/* A required key is left out. */
static void sweep_missing(const subject *s, const hol__key *key) {
    if (key->initial) return;
    hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
    hol__node *node = hol__node_get(subject_item(s, spec), key->name);
    assert_non_null(node);
    hol__node_remove(node);
    expect_refused(&families[MISSING], s, key->name, key->name, spec);
}

/* Names that there are not, and a body with itself. */
static void sweep_names(const subject *s, const hol__key *key) {
    const int list = key->kind == HOL__KEY_BODIES || key->kind == HOL__KEY_JOINTS;
    if (!list && key->kind != HOL__KEY_BODY && key->kind != HOL__KEY_JOINT &&
        key->kind != HOL__KEY_FORCE)
        return;
    hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
    hol__node *item = subject_item(s, spec), *node = hol__node_get(item, key->name);
    if (!node) {
        node = list ? hol__node_add(spec, item, key->name, HOL__LIST)
                    : hol__node_add_scalar(spec, item, key->name, "x");
        for (int i = 0; i < 2 * list; i++)
            hol__node_add_scalar(spec, node, NULL, i ? "nobody" : "ground");
    }
    set_scalar(list ? node->last : node, "nobody");
    expect_refused(&families[UNKNOWN], s, key->name, key->name, spec);
    if (!list || !hol__node_get(subject_item(s, s->spec), key->name)) return;
    for (int i = 0; i < 2; i++) { /* the second twice, and the first */
        spec = hol_spec_copy(s->ctx, s->spec);
        node = hol__node_get(subject_item(s, spec), key->name);
        set_scalar(i ? node->last : node->first, i ? node->first->text : node->last->text);
        expect_refused(&families[SAME], s, key->name, key->name, spec);
    }
}

/* ---- whole models ---- */

/* The name of the thing is used for another one. */
static void sweep_twice(const subject *s) {
    hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
    hol__node *item = subject_item(s, spec);
    hol__node_replace(hol__node_add(spec, item->parent, s->name, HOL__MAP),
                      subject_item(s, s->spec));
    outcome o = outcome_of(spec);
    count_variant(&families[TWICE],
                  o.status && culprit(&o, HOL_ERROR, s->name, NULL) ? NAMED : WRONG, s, "twice",
                  &o);
    outcome_close(&o, spec);
    hol_spec_free(spec);
}

/* The largest difference of the poses of the bodies, lengths of b over scale, over the size. */
static double poses_differ(const outcome *a, const outcome *b, double scale) {
    double worst = 0, size = 1, turned = 0;
    for (int i = 0; i < model_info(a->r.model).n_bodies; i++) {
        const hol_pose x = pose_at(hol_sim_data(a->r.sim), i),
                       y = pose_at(hol_sim_data(b->r.sim), i);
        for (int k = 0; k < 3; k++) {
            size = fmax(size, fabs(x.r[k]));
            worst = fmax(worst, fabs(x.r[k] - y.r[k] / scale));
        }
        for (int k = 0; k < 9; k++) turned = fmax(turned, fabs(x.R[k] - y.R[k]));
    }
    return fmax(worst / size, turned);
}

/* A variant with a known motion: that motion within the bound, or an error or a warning with a
 * place. */
static void expect_motion(family *f, const subject *s, const char *what, const outcome *reference,
                          hol_spec *changed, double scale, double bound) {
    char text[256];
    outcome o = outcome_of(changed);
    const int met = outcome_met(&o);
    const double off = met ? poses_differ(reference, &o, scale) : NAN;
    verdict v = met && off <= bound ? RIGHT : WRONG;
    if (f == &families[COPY] && !said(o.r.ctx, "redundant")) v = WRONG;
    if (v == RIGHT) f->off = fmax(f->off, off);
    if (v == WRONG && o.status && culprit(&o, HOL_ERROR, NULL, NULL)) v = NAMED;
    snprintf(text, sizeof text, "%s: off by %g", what, off);
    count_variant(f, v, s, text, &o);
    outcome_close(&o, changed);
    hol_spec_free(changed);
}

/* Whether a joint pushes and does not pull: a copy of it takes what it leaves, and none of them is
 * redundant. */
static int pushes(const char *type) {
    static const char *const types[] = {"rigid_contact", "rope", "rigid_stop"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0) return 1;
    return 0;
}

/* A joint and a copy of it: the same motion. */
static void sweep_copy(const subject *s, const outcome *reference) {
    if (strcmp(s->section, "joints") != 0 || pushes(s->type)) return;
    hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
    hol__node_replace(hol__node_add(spec, subject_item(s, spec)->parent, "again", HOL__MAP),
                      subject_item(s, s->spec));
    expect_motion(&families[COPY], s, "copy", reference, spec, 1, COPY_BOUND);
}

/* Two drivers of one coordinate of the first body with other laws. */
static void sweep_fight(const subject *s) {
    static const char *const laws[][3] = {{"velocity", "0.3", "0.4"},
                                          {"velocity", "0.3 + 0.2*t", "0.3 + 0.7*t"},
                                          {"position", "0.31", "0.42"}};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
        const char *body = hol__node_get(spec->root, "bodies")->first->key;
        hol__node *joints = hol__node_get(spec->root, "joints");
        if (!joints) joints = hol__node_add(spec, spec->root, "joints", HOL__MAP);
        for (int i = 0; i < 2; i++) {
            hol__node *driver = hol__node_add(spec, joints, i ? "second" : "first", HOL__MAP);
            hol__node_add_scalar(spec, driver, "type", "driver");
            hol__node_add_scalar(spec, driver, "body", body);
            hol__node_add_scalar(spec, driver, "component", "x");
            hol__node_add_scalar(spec, driver, laws[k][0], laws[k][1 + i]);
        }
        outcome o = outcome_of(spec);
        int seen = 0;
        for (int i = 0; i < hol_message_count(o.r.ctx); i++) {
            const hol_message *m = hol_message_get(o.r.ctx, i);
            if (m->severity != HOL_ERROR || !m->where.line) continue;
            seen |= (names(m, "first") ? 1 : 0) | (names(m, "second") ? 2 : 0);
        }
        count_variant(&families[FIGHT], o.status && seen == 3 ? NAMED : WRONG, s, laws[k][0], &o);
        outcome_close(&o, spec);
        hol_spec_free(spec);
    }
}

/* Multiply all numbers of a node by factor. */
static void multiply(hol__node *node, double factor) {
    if (node->kind == HOL__SCALAR) {
        char text[512];
        snprintf(text, sizeof text, "%.17g*(%s)", factor, node->text);
        set_scalar(node, text);
    }
    for (hol__node *child = node->first; child; child = child->next) multiply(child, factor);
}

/* The unit of a key as the program takes it there, where the table leaves it open: the first one
 * that is accepted. The stiffness of a contact has a power of the length that has no unit; lengths
 * of contacts are not scaled. */
static const char *found_unit(const hol_spec *spec, const char *section, const char *name,
                              const char *key) {
    static const char *const units[] = {
        "m",   "rad",     "m/s",   "rad/s",     "m/s^2", "rad/s^2", "N",         "N*m",
        "N/m", "N*m/rad", "N*s/m", "N*m*s/rad", "N*s",   "N/m/s",   "N*m/rad/s", "N*m*s"};
    const char *type =
        hol__node_get(hol__node_get(hol__node_get(spec->root, section), name), "type")->text;
    if (has_any_unit(type, key)) return "";
    if (strncmp(type, "contact", 7) == 0 && strcmp(key, "stiffness") == 0) return "N";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *copy = hol_spec_copy(ctx, spec);
        hol__node *item = hol__node_get(hol__node_get(copy->root, section), name);
        char text[64];
        snprintf(text, sizeof text, "0.2 %s", units[i]);
        hol__node *node = hol__node_get(item, key);
        while (node->kind == HOL__LIST) node = node->first;
        if (node->kind == HOL__SCALAR) set_scalar(node, text);
        hol_model *model = hol_model_from_spec(ctx, copy, NULL);
        const int taken = model != NULL;
        hol_model_free(model);
        hol_spec_free(copy);
        hol_context_free(ctx);
        if (taken) return units[i];
    }
    return "";
}

/* Whether a value uses a name that the element offers: its scale is not that of a factor before
 * it. */
static int uses_names(const hol__node *node, const hol__key *key) {
    for (int i = 0; key->locals && key->locals[i]; i++)
        if (node->kind == HOL__SCALAR && strstr(node->text, key->locals[i])) return 1;
    for (const hol__node *child = node->first; child; child = child->next)
        if (uses_names(child, key)) return 1;
    return 0;
}

static const hol__key *keys_of(const char *section, const hol__node *item) {
    const hol__element_type *type;
    if (strcmp(section, "bodies") == 0) return hol__body_keys;
    for (int i = 0; (type = hol__element_type_get(i)); i++)
        if (strcmp(type->section, section) == 0 &&
            strcmp(type->name, hol__node_get(item, "type")->text) == 0)
            return type->keys;
    return NULL;
}

/* Scale the values of a thing by what their units say; 0 when that is not the whole of it. */
static int scale_item(const hol_spec *from, const char *section, hol__node *item, double length,
                      double mass) {
    const hol__key *keys = keys_of(section, item);
    for (hol__node *node = item->first; node; node = node->next) {
        const hol__key *key = hol__key_find(keys, node->key);
        if (key && key->kind == HOL__KEY_SOLIDS && length != 1) return 0; /* has values within */
        if (!key || !is_numeric(key->kind) || key->kind == HOL__KEY_DIRECTION) continue;
        if (length != 1 && uses_names(node, key)) return 0;
        const char *unit =
            key->unit && *key->unit ? key->unit : found_unit(from, section, item->key, node->key);
        const hol__dim dim = hol__dim_of(unit);
        const double factor = pow(length, dim.m) * pow(mass, dim.kg);
        if (factor != 1) multiply(node, factor);
    }
    return 1;
}

/* The whole model in other units of length and mass; NULL when its laws do not say how. */
static hol_spec *scaled(const subject *s, double length, double mass) {
    static const char *const sections[] = {"bodies", "joints", "forces", "measures"};
    hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
    int whole = 1;
    hol__node *gravity = hol__node_get(spec->root, "gravity");
    if (gravity && length != 1) multiply(gravity, length);
    for (int i = 0; i < 4 && whole; i++) {
        hol__node *map = hol__node_get(spec->root, sections[i]);
        for (hol__node *item = map ? map->first : NULL; item && whole; item = item->next)
            whole = scale_item(s->spec, sections[i], item, length, mass);
    }
    if (whole) return spec;
    hol_spec_free(spec);
    return NULL;
}

/* The motion does not depend on the unit of mass; on that of length only by its size. */
static void sweep_scales(const subject *s, const outcome *reference) {
    static const double scales[][2] = {{1, 1e-12}, {1, 1e-6}, {1, 1e6},
                                       {1, 1e12},  {1e-3, 1}, {1e3, 1}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        char what[64];
        const double length = scales[i][0], mass = scales[i][1];
        if (length != 1 && strcmp(s->section, "forces") == 0) continue;
        hol_spec *spec = scaled(s, length, mass);
        if (!spec) continue;
        snprintf(what, sizeof what, "lengths x %g, masses x %g", length, mass);
        expect_motion(&families[length == 1 ? MASS : LENGTH], s, what, reference, spec, length,
                      SCALED_BOUND);
    }
}

/* Light and heavy bodies with forces as they are: within the tolerances, or stopped with a word.
 * Light bodies on stiff forces need more steps than are allowed here: the force is named. */
static void sweep_heavy(const subject *s) {
    static const double scales[] = {1e-12, 1e-6, 1e6, 1e12};
    if (strcmp(s->section, "forces") != 0) return;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        char what[64];
        hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
        for (hol__node *body = hol__node_get(spec->root, "bodies")->first; body; body = body->next)
            scale_item(s->spec, "bodies", body, 1, scales[i]);
        outcome o = outcome_of(spec);
        verdict v = outcome_met(&o) ? RIGHT : WRONG;
        if (v == WRONG && o.status && culprit(&o, HOL_ERROR, NULL, NULL)) v = NAMED;
        if (v == WRONG && o.status == HOL_ERR_TOLERANCE && said(o.r.ctx, "as max_steps allows") &&
            said(o.r.ctx, "the run creeps"))
            v = culprit(&o, HOL_WARNING, s->name, NULL) ? NAMED : STOPPED;
        snprintf(what, sizeof what, "masses x %g", scales[i]);
        count_variant(&families[HEAVY], v, s, what, &o);
        outcome_close(&o, spec);
        hol_spec_free(spec);
    }
}

/* ---- options ---- */

static const char *const no_values[] = {"0/0",         "1e400",  "-.inf", "2.7 kg",
                                        "2.7 furlong", "[1, 2]", "abc"};
enum { NO_VALUES = sizeof no_values / sizeof *no_values };

/* Run a description with a key (of a section, or NULL) that has to be refused. */
static void refuse_key(const subject *s, hol_spec *spec, const char *section, const char *key,
                       const char *value) {
    char what[256];
    outcome o = outcome_of(spec);
    const hol__node *map = section ? hol__node_get(o.spec->root, section) : o.spec->root,
                    *node = hol__node_get(map, key);
    const int named = o.status && node && culprit(&o, HOL_ERROR, NULL, node);
    snprintf(what, sizeof what, "%s: %s", key, value);
    count_variant(&families[OPTION], named ? NAMED : WRONG, s, what, &o);
    outcome_close(&o, spec);
    hol_spec_free(spec);
}

/* Gravity with a component that it cannot have. */
static void sweep_gravity(const subject *s) {
    for (int k = 0; k < NO_VALUES; k++) {
        hol_spec *spec = hol_spec_copy(s->ctx, s->spec);
        set_scalar(hol__node_get(spec->root, "gravity")->last, no_values[k]);
        refuse_key(s, spec, NULL, "gravity", no_values[k]);
    }
}

/* Every option that is a number, with values that it cannot have. */
static void sweep_options(void) {
    subject s = subject_open("bodies", "revolute", hol__body_keys);
    const hol_option *option;
    for (int i = 0; (option = hol_option_get(i)); i++)
        for (int k = 0; k < NO_VALUES; k++) {
            if (option->kind != HOL_OPTION_REAL && option->kind != HOL_OPTION_INTEGER) continue;
            hol_spec *spec = hol_spec_copy(s.ctx, s.spec);
            hol__node *map = hol__node_get(spec->root, "simulation"),
                      *node = hol__node_get(map, option->name);
            if (node) hol__node_remove(node);
            hol__node_add_scalar(spec, map, option->name, no_values[k]);
            refuse_key(&s, spec, "simulation", option->name, no_values[k]);
        }
    sweep_gravity(&s);
    subject_close(&s);
}

/* ---- the sweep ---- */

static void sweep_subject(const char *section, const char *type, const hol__key *keys) {
    subject s = subject_open(section, type, keys);
    outcome reference = outcome_of(s.spec);
    if (!outcome_met(&reference)) fail_msg("the example of %s does not run", type);
    for (const hol__key *key = keys; key->name; key++) {
        if (!subject_has_key(&s, key)) continue;
        if (is_numeric(key->kind)) {
            sweep_units(&s, key);
            sweep_values(&s, key);
        }
        sweep_kinds(&s, key);
        sweep_spelling(&s, key);
        sweep_missing(&s, key);
        sweep_names(&s, key);
    }
    const hol__key *shared = strcmp(section, "bodies") == 0 ? NULL : hol__common_keys(section);
    for (const hol__key *key = shared; key && key->name; key++) sweep_kinds(&s, key);
    sweep_twice(&s);
    sweep_copy(&s, &reference);
    sweep_fight(&s);
    sweep_scales(&s, &reference);
    sweep_heavy(&s);
    outcome_close(&reference, s.spec);
    subject_close(&s);
}

static void print_counts(const char *name, const int n[N_VERDICTS]) {
    print_message("%-36s %5d right %5d named %5d stopped %5d wrong\n", name, n[RIGHT], n[NAMED],
                  n[STOPPED], n[WRONG]);
}

static void test_sweep(void **state) {
    const hol__element_type *type;
    int total[N_VERDICTS] = {0};
    (void)state;
    sweep_subject("bodies", "revolute", hol__body_keys);
    sweep_subject("bodies", "spherical", hol__body_keys);
    for (int i = 0; (type = hol__element_type_get(i)); i++)
        sweep_subject(type->section, type->name, type->keys);
    sweep_options();
    for (int i = 0; i < N_FAMILIES; i++) {
        const int *n = families[i].count;
        print_counts(families[i].name, n);
        if (families[i].off > 0) print_message("%-36s off by %.2g at most\n", "", families[i].off);
        for (int k = 0; k < N_VERDICTS; k++) total[k] += n[k];
        assert_true(n[RIGHT] + n[NAMED] > 0);
    }
    print_counts("in all", total);
    assert_int_equal(total[WRONG], 0);
    assert_true(total[RIGHT] + total[NAMED] >= 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sweep)};
    return run_tests_of_models("sweep", tests);
}
