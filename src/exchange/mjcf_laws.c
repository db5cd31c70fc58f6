/* mjcf_laws.c: equality constraints and actuators.
 *
 * Constraints are rigid here, and soft in MuJoCo (solref, solimp). An actuator's force is
 *
 *     F = clamp(gain u + b0 + b1 l + b2 l'),  l = gear q,    gear F acts along q
 *
 * with the control u as the parameter ctrl_NAME, 0 unless it is set.
 */
#include "exchange/mjcf.h"

#include <string.h>

/* ---- constraints between bodies ---- */

/* The body that an attribute names; HOL__GROUND for none and for the world; -2 after an error. */
static int read_body(hol__mjcf *m, const hol__xml *e, const char *attribute) {
    const char *name = hol__xml_value(e, attribute);
    const int body = hol__robot_body_named(&m->im->robot, name);
    if (!name || strcmp(name, "world") == 0) return HOL__GROUND;
    if (body >= 0) return body;
    hol__import_error(m->im, e, attribute, "there is no body '%s'", name);
    return -2;
}

static int is_active(hol__mjcf *m, hol__xml *e) {
    if (hol__xml_flag(m->im, e, "active", 1)) return 1;
    hol__note(m->im, HOL_IMPORT_LEFT_OUT, e, NULL, "it is not active");
    hol__xml_cover(e);
    return 0;
}

/* connect and weld: joints that close loops. */
static void read_closing(hol__mjcf *m, hol__xml *e, hol__joint_kind kind) {
    hol_import *im = m->im;
    const char *name = hol__xml_value(e, "name");
    if (hol__xml_find(e, "site1")) {
        hol__note(im, HOL_IMPORT_LEFT_OUT, e, NULL, "constraints between sites are left out");
        hol__xml_cover(e);
        return;
    }
    const int a = read_body(m, e, "body1"), b = read_body(m, e, "body2");
    double anchor[3] = {0, 0, 0}, pose[7];
    if (a == -2 || b == -2 || !is_active(m, e)) return;
    if (a == b) {
        hol__import_error(im, e, NULL, "it holds a body by itself");
        return;
    }
    hol__xml_vector(im, e, "anchor", 3, anchor);
    if (kind == HOL__JOINT_FIXED && hol__xml_vector(im, e, "relpose", 7, pose) &&
        !hol__all_zero(pose + 3, 4))
        hol__note(im, HOL_IMPORT_CHANGED, e, "relpose", "the bodies are held as they are drawn");
    if (!name) name = hol__arena_format(&im->arena, "%s_%d", e->name, im->robot.n_joints + 1);
    const int j = hol__robot_add_joint(im, name, e, kind, a, b);
    if (j < 0) return;
    hol__robot_joint *joint = &im->robot.joints[j];
    joint->closes = 1;
    if (a >= 0)
        hol__placement_point(&im->robot.bodies[a].at, anchor, joint->at);
    else
        memcpy(joint->at, anchor, sizeof anchor);
    hol__note(im, HOL_IMPORT_CHANGED, e, NULL, "it is rigid here, and soft in MuJoCo");
}

void hol__mjcf_equality_joints(hol__mjcf *m) {
    for (hol__xml *s = hol__xml_child(m->im->root, "equality"); s; s = hol__xml_next(s))
        for (hol__xml *e = s->first; e; e = e->next) {
            const int weld = strcmp(e->name, "weld") == 0;
            if (!weld && strcmp(e->name, "connect") != 0) continue;
            e->used = 1;
            const char *kind = e->name; /* defaults of all kinds are called equality */
            e->name = "equality";
            hol__mjcf_default(m, e, NULL);
            e->name = kind;
            read_closing(m, e, weld ? HOL__JOINT_FIXED : HOL__JOINT_BALL);
        }
}

/* ---- constraints between coordinates ---- */

/* a = poly(b), by names of measured coordinates; linear ones by factors. */
static void couple_joints(hol__mjcf *m, hol__xml *e, const char *name) {
    hol_import *im = m->im;
    const char *first = hol__xml_value(e, "joint1"), *second = hol__xml_value(e, "joint2");
    const int a = hol__robot_joint_named(&im->robot, first),
              b = hol__robot_joint_named(&im->robot, second);
    double p[5] = {0, 1, 0, 0, 0};
    hol__xml_some(im, e, "polycoef", 1, 5, p);
    if (a < 0 || (second && b < 0)) {
        hol__import_error(im, e, a < 0 ? "joint1" : "joint2", "there is no joint '%s'",
                          a < 0 ? (first ? first : "") : second);
        return;
    }
    if (!is_active(m, e)) return;
    hol__note(im, HOL_IMPORT_CHANGED, e, NULL, "it is rigid here, and soft in MuJoCo");
    if (!second || hol__all_zero(p + 2, 3)) {
        hol__robot_couple(im, e, name, second ? 2 : 1, (const int[2]){a, b},
                          (const double[2]){1, -p[1]}, p[0]);
        return;
    }
    if (im->robot.joints[a].out || im->robot.joints[b].out) return;
    hol_item *item = hol__robot_item(im, "joints", name, "coupler", e);
    hol_item *coordinates = item ? hol_item_map(item, "coordinates") : NULL;
    if (!coordinates) return;
    hol_item_text(hol_item_map(coordinates, "a"), "joint", im->robot.joints[a].called);
    hol_item_text(hol_item_map(coordinates, "b"), "joint", im->robot.joints[b].called);
    hol_item_text(item, "equation",
                  hol__arena_format(&im->arena, "a - poly(b, %s, %s, %s, %s, %s)",
                                    hol__mjcf_number(im, p[0]), hol__mjcf_number(im, p[1]),
                                    hol__mjcf_number(im, p[2]), hol__mjcf_number(im, p[3]),
                                    hol__mjcf_number(im, p[4])));
}

/* A fixed tendon that keeps its length, or follows another. */
static void couple_tendons(hol__mjcf *m, hol__xml *e, const char *name) {
    hol_import *im = m->im;
    const char *names[2] = {hol__xml_value(e, "tendon1"), hol__xml_value(e, "tendon2")};
    double p[5] = {0, 1, 0, 0, 0}, factors[4];
    int joints[4], n = 0;
    hol__xml_some(im, e, "polycoef", 1, 5, p);
    if (!is_active(m, e)) return;
    for (int k = 0; k < 2; k++) {
        const int i = hol__mjcf_tendon_named(m, names[k]);
        if (k && !names[1]) break;
        const hol__mjcf_tendon *t = i >= 0 ? &m->tendons[i] : NULL;
        if (!t) {
            hol__import_error(im, e, k ? "tendon2" : "tendon1", "there is no tendon '%s'",
                              names[k] ? names[k] : "");
            return;
        }
        if (t->out || !t->factors || n + t->n > 4 || !hol__all_zero(p + 2, 3)) {
            hol__note(im, HOL_IMPORT_LEFT_OUT, e, NULL,
                      "tendons over sites, of more than four joints or by a polynomial are not "
                      "held");
            hol__xml_cover(e);
            return;
        }
        for (int j = 0; j < t->n; j++, n++)
            joints[n] = t->index[j], factors[n] = (k ? -p[1] : 1) * t->factors[j];
    }
    hol__robot_couple(im, e, name, n, joints, factors, p[0]);
    hol__note(im, HOL_IMPORT_CHANGED, e, NULL, "it is rigid here, and soft in MuJoCo");
}

void hol__mjcf_equalities(hol__mjcf *m) {
    hol_import *im = m->im;
    int count = 0;
    for (hol__xml *s = hol__xml_child(im->root, "equality"); s; s = hol__xml_next(s))
        for (hol__xml *e = s->first; e; e = e->next) {
            const int joint = strcmp(e->name, "joint") == 0,
                      tendon = strcmp(e->name, "tendon") == 0;
            if (!joint && !tendon) continue;
            e->used = 1;
            const char *kind = e->name;
            e->name = "equality";
            hol__mjcf_default(m, e, NULL);
            e->name = kind;
            const char *name = hol__xml_value(e, "name");
            if (!name) name = hol__arena_format(&im->arena, "coupling_%d", ++count);
            if (joint)
                couple_joints(m, e, name);
            else
                couple_tendons(m, e, name);
        }
}

/* Followers start where their equation has them. */
void hol__mjcf_starts(hol__mjcf *m) {
    hol_import *im = m->im;
    for (hol__xml *s = hol__xml_child(im->root, "equality"); s; s = hol__xml_next(s))
        for (hol__xml *e = hol__xml_child(s, "joint"); e; e = hol__xml_next(e)) {
            const int a = hol__robot_joint_named(&im->robot, hol__xml_value(e, "joint1")),
                      b = hol__robot_joint_named(&im->robot, hol__xml_value(e, "joint2"));
            double p[5] = {0, 1, 0, 0, 0}, sum = 0, power = 1;
            hol__xml_some(im, e, "polycoef", 1, 5, p);
            if (a < 0 || !hol__xml_flag(im, e, "active", 1)) continue;
            const double x = b >= 0 ? im->robot.joints[b].start : 0;
            for (int k = 0; k < (b >= 0 ? 5 : 1); k++, power *= x) sum += p[k] * power;
            im->robot.joints[a].start = sum;
        }
}

/* ---- actuators ---- */

typedef struct actuator {
    double gain, g1, g2, b[3]; /* (gain + g1 l + g2 l') u + b0 + b1 l + b2 l' */
    double gear[6];
} actuator;

/* The law of a kind of actuator; 0 where it does not exist here, which is listed. */
static int read_law(hol__mjcf *m, hol__xml *e, actuator *a) {
    hol_import *im = m->im;
    *a = (actuator){.gain = 1, .gear = {1}};
    hol__xml_some(im, e, "gear", 1, 6, a->gear);
    if (strcmp(e->name, "motor") == 0) return 1;
    if (strcmp(e->name, "position") == 0) {
        a->gain = hol__xml_number(im, e, "kp", 1);
        a->b[1] = -a->gain;
        a->b[2] = -hol__xml_number(im, e, "kv", 0);
        return 1;
    }
    if (strcmp(e->name, "velocity") == 0) {
        a->gain = hol__xml_number(im, e, "kv", 1);
        a->b[2] = -a->gain;
        return 1;
    }
    if (strcmp(e->name, "damper") == 0) {
        a->gain = 0;
        a->g2 = -hol__xml_number(im, e, "kv", 1);
        return 1;
    }
    const char *dynamics = hol__xml_value(e, "dyntype"), *gain = hol__xml_value(e, "gaintype"),
               *bias = hol__xml_value(e, "biastype");
    double g[10] = {1}, b[10] = {0};
    const int plain = strcmp(e->name, "general") == 0 &&
                      (!dynamics || strcmp(dynamics, "none") == 0) &&
                      (!gain || strcmp(gain, "fixed") == 0 || strcmp(gain, "affine") == 0) &&
                      (!bias || strcmp(bias, "none") == 0 || strcmp(bias, "affine") == 0);
    if (!plain) {
        hol__note(im, HOL_IMPORT_LEFT_OUT, e, NULL,
                  "actuators with a state of their own and muscles do not exist here");
        hol__xml_cover(e);
        return 0;
    }
    hol__xml_some(im, e, "gainprm", 1, 10, g);
    hol__xml_some(im, e, "biasprm", 1, 10, b);
    a->gain = g[0];
    if (gain && strcmp(gain, "affine") == 0) a->g1 = g[1], a->g2 = g[2];
    if (bias && strcmp(bias, "affine") == 0) memcpy(a->b, b, sizeof a->b);
    return 1;
}

/* x clamped to a range where the element is limited. */
static const char *clamped(hol__mjcf *m, const hol__xml *e, const char *limited, const char *range,
                           const char *x) {
    double r[2];
    if (!hol__mjcf_limited(m, e, limited, range, r)) return x;
    return hol__arena_format(&m->im->arena, "clamp(%s, %s, %s)", x, hol__mjcf_number(m->im, r[0]),
                             hol__mjcf_number(m->im, r[1]));
}

/* The force of an actuator as an expression, with length and rate in the words given. */
static const char *force_of(hol__mjcf *m, const hol__xml *e, const actuator *a, const char *control,
                            const char *length, const char *rate) {
    hol_import *im = m->im;
    hol__arena *arena = &im->arena;
    const char *u = clamped(m, e, "ctrllimited", "ctrlrange", control);
    const char *sum = hol__arena_format(arena, "%s*%s", hol__mjcf_number(im, a->gain), u);
    if (a->g1 != 0)
        sum =
            hol__arena_format(arena, "%s + %s*%s*%s", sum, hol__mjcf_number(im, a->g1), length, u);
    if (a->g2 != 0)
        sum = hol__arena_format(arena, "%s + %s*%s*%s", sum, hol__mjcf_number(im, a->g2), rate, u);
    if (a->b[0] != 0) sum = hol__arena_format(arena, "%s + %s", sum, hol__mjcf_number(im, a->b[0]));
    if (a->b[1] != 0)
        sum = hol__arena_format(arena, "%s + %s*%s", sum, hol__mjcf_number(im, a->b[1]), length);
    if (a->b[2] != 0)
        sum = hol__arena_format(arena, "%s + %s*%s", sum, hol__mjcf_number(im, a->b[2]), rate);
    const char *force = clamped(m, e, "forcelimited", "forcerange", sum ? sum : "0");
    return a->gear[0] == 1
               ? force
               : hol__arena_format(arena, "%s*(%s)", hol__mjcf_number(im, a->gear[0]), force);
}

/* The parameter of the control, made here; its name. */
static const char *control_of(hol_import *im, const char *name) {
    char *word = hol__arena_format(&im->arena, "ctrl_%s", name);
    for (char *s = word; s && *s; s++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *s))
            *s = '_';
    const char *called = word ? hol__robot_name(im, "parameters", word) : NULL;
    if (called) hol_item_number(hol_spec_section(im->spec, "parameters"), called, 0);
    return called ? called : "0";
}

static void read_actuator(hol__mjcf *m, hol__xml *e, int number) {
    hol_import *im = m->im;
    const char *name = hol__xml_value(e, "name"), *joint_name = hol__xml_value(e, "joint"),
               *tendon_name = hol__xml_value(e, "tendon");
    actuator a;
    if (!name) name = hol__arena_format(&im->arena, "actuator_%d", number);
    if (!read_law(m, e, &a) || !name) return;
    const int joint = hol__robot_joint_named(&im->robot, joint_name),
              tendon = hol__mjcf_tendon_named(m, tendon_name);
    if ((joint_name && joint < 0) || (tendon_name && tendon < 0)) {
        hol__import_error(im, e, joint_name ? "joint" : "tendon", "there is no %s '%s'",
                          joint_name ? "joint" : "tendon", joint_name ? joint_name : tendon_name);
        return;
    }
    const hol__robot_joint *j = joint >= 0 ? &im->robot.joints[joint] : NULL;
    const hol__mjcf_tendon *t = tendon >= 0 ? &m->tendons[tendon] : NULL;
    if ((!j && !t) || (t && (t->out || (!t->factors && t->n > 2))) ||
        (j && (j->out || (j->kind != HOL__JOINT_HINGE && j->kind != HOL__JOINT_SLIDE)))) {
        hol__note(im, HOL_IMPORT_LEFT_OUT, e, NULL,
                  "actuators act in hinges, slides and tendons of joints or two sites here");
        hol__xml_cover(e);
        return;
    }
    const char *gear = hol__mjcf_number(im, a.gear[0]), *control = control_of(im, name);
    hol__note(im, HOL_IMPORT_CHANGED, e, NULL,
              "its control is the parameter '%s', 0 unless it is set", control);
    if (j) {
        const char *q = hol__robot_measure(im, joint, 0);
        const char *l = hol__arena_format(&im->arena, "%s*(%s + %s)", gear, q ? q : "0",
                                          hol__mjcf_number(im, j->ref)),
                   *rate = hol__arena_format(&im->arena, "%s*speed", gear);
        hol__robot_push(im, joint, name, e, force_of(m, e, &a, control, l, rate));
        return;
    }
    const char *L = t->factors ? hol__mjcf_length(m, t, 0) : "length",
               *Ldot = t->factors ? hol__mjcf_length(m, t, 1) : "rate";
    const char *l = t->factors ? hol__arena_format(&im->arena, "%s*(%s + %s)", gear, L,
                                                   hol__mjcf_number(im, t->rest))
                               : hol__arena_format(&im->arena, "%s*%s", gear, L);
    hol__mjcf_pull(
        m, t, name, e,
        force_of(m, e, &a, control, l, hol__arena_format(&im->arena, "%s*%s", gear, Ldot)));
}

void hol__mjcf_actuators(hol__mjcf *m) {
    int number = 0;
    for (hol__xml *s = hol__xml_child(m->im->root, "actuator"); s; s = hol__xml_next(s))
        for (hol__xml *e = s->first; e; e = e->next) {
            if (strcmp(e->name, "plugin") == 0) continue;
            e->used = 1;
            hol__mjcf_default(m, e, NULL);
            read_actuator(m, e, ++number);
        }
}
