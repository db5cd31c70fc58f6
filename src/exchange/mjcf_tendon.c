/* mjcf_tendon.c: tendons: sums of joint coordinates, or paths over sites.
 *
 *     fixed     L = sum c_i q_i          a force F in it is the torque c_i F in each joint
 *     spatial   L = sum |P_k+1 - P_k|    a force F in it acts along each stretch
 *     F = -k (L - l0) - b L'             positive where it lengthens
 */
#include "exchange/mjcf.h"

#include "math/vec3.h"
#include "model/node.h"

#include <string.h>

int hol__mjcf_tendon_named(const hol__mjcf *m, const char *name) {
    const uintptr_t *found = name ? hol__name_tree_find(&m->tendon_names, name) : NULL;
    return found ? (int)*found : -1;
}

static int site_named(const hol__mjcf *m, const char *name) {
    const uintptr_t *found = name ? hol__name_tree_find(&m->site_names, name) : NULL;
    return found ? (int)*found : -1;
}

/* ---- reading ---- */

/* Room for one more joint or site; 0 without memory. */
static int grow(hol_import *im, hol__mjcf_tendon *t, int fixed) {
    int room = t->room;
    int *index = hol__arena_grow(&im->arena, t->index, sizeof *index, t->n, &t->room, t->n + 1);
    if (!index) return 0;
    t->index = index;
    if (!fixed) return 1;
    double *factors =
        hol__arena_grow(&im->arena, t->factors, sizeof *factors, t->n, &room, t->n + 1);
    if (factors) t->factors = factors;
    return factors != NULL;
}

static void read_fixed(hol__mjcf *m, hol__mjcf_tendon *t) {
    hol_import *im = m->im;
    for (hol__xml *e = hol__xml_child(t->element, "joint"); e; e = hol__xml_next(e)) {
        const char *name = hol__xml_value(e, "joint");
        const int joint = hol__robot_joint_named(&im->robot, name);
        const double factor = hol__xml_number(im, e, "coef", 1);
        if (joint < 0) {
            hol__import_error(im, e, "joint", "there is no joint '%s'", name ? name : "");
            continue;
        }
        if (!grow(im, t, 1)) return;
        t->index[t->n] = joint;
        t->factors[t->n++] = factor;
        t->rest += factor * im->robot.joints[joint].ref;
    }
}

static void read_spatial(hol__mjcf *m, hol__mjcf_tendon *t) {
    hol_import *im = m->im;
    for (hol__xml *e = t->element->first; e; e = e->next) {
        if (strcmp(e->name, "site") != 0) {
            t->out = 1;
            hol__note(im, HOL_IMPORT_LEFT_OUT, t->element, NULL,
                      "it winds about geoms or pulleys, which do not exist here: it is left out");
            hol__xml_cover(t->element);
            return;
        }
        e->used = 1;
        const char *name = hol__xml_value(e, "site");
        const int site = site_named(m, name);
        if (site < 0) {
            hol__import_error(im, e, "site", "there is no site '%s'", name ? name : "");
            continue;
        }
        if (!grow(im, t, 0)) return;
        t->index[t->n++] = site;
        if (t->n < 2) continue;
        double d[3];
        hol__sub3(m->sites[t->index[t->n - 1]].at, m->sites[t->index[t->n - 2]].at, d);
        t->rest += hol__norm3(d);
    }
}

void hol__mjcf_tendons(hol__mjcf *m) {
    hol_import *im = m->im;
    for (hol__xml *s = hol__xml_child(im->root, "tendon"); s; s = hol__xml_next(s))
        for (hol__xml *e = s->first; e; e = e->next) {
            const int fixed = strcmp(e->name, "fixed") == 0;
            if (!fixed && strcmp(e->name, "spatial") != 0) continue;
            e->used = 1;
            const char *class_name = e->name; /* defaults of both kinds are called tendon */
            e->name = "tendon";
            hol__mjcf_default(m, e, NULL);
            e->name = class_name;
            hol__mjcf_tendon *grown =
                hol__arena_grow(&im->arena, m->tendons, sizeof *grown, m->n_tendons,
                                &m->room_tendons, m->n_tendons + 1);
            if (!grown) return;
            m->tendons = grown;
            hol__mjcf_tendon *t = &grown[m->n_tendons++];
            *t = (hol__mjcf_tendon){.name = hol__xml_value(e, "name"), .element = e};
            if (t->name)
                hol__name_tree_add(&m->tendon_names, &im->arena, t->name,
                                   (uintptr_t)(m->n_tendons - 1));
            if (fixed)
                read_fixed(m, t);
            else
                read_spatial(m, t);
            if (t->n >= (fixed ? 1 : 2) || t->out) continue;
            hol__import_error(im, e, NULL, "a tendon of this kind has too few %s",
                              fixed ? "joints" : "sites");
            t->out = 1; /* what is written later counts on them */
        }
}

/* ---- laws ---- */

const char *hol__mjcf_length(hol__mjcf *m, const hol__mjcf_tendon *t, int rate) {
    hol_import *im = m->im;
    const char *sum = NULL;
    for (int i = 0; i < t->n; i++) {
        const char *name = hol__robot_measure(im, t->index[i], rate);
        sum = hol__arena_format(&im->arena, "%s%s%s*%s", sum ? sum : "", sum ? " + " : "",
                                hol__mjcf_number(im, t->factors[i]), name ? name : "0");
    }
    return hol__arena_format(&im->arena, "(%s)", sum ? sum : "0");
}

/* A point for a site; its name. */
static const char *site_point(hol__mjcf *m, int site) {
    hol_import *im = m->im;
    const hol__mjcf_site *s = &m->sites[site];
    hol_item *points = hol_spec_section(im->spec, "points");
    const char *name = hol__arena_format(&im->arena, "site_%s", s->name ? s->name : "");
    if (name && !hol__node_get(points, name))
        hol__item_clean(points, name, 3, s->at, im->robot.size);
    return name;
}

/* Whether the stretch from site k to the next is between two bodies. */
static int is_stretch(const hol__mjcf *m, const hol__mjcf_tendon *t, int k) {
    const hol__robot *robot = &m->im->robot;
    return strcmp(hol__robot_called(robot, m->sites[t->index[k]].body),
                  hol__robot_called(robot, m->sites[t->index[k + 1]].body)) != 0;
}

/* A spring, a rope or a measure between two sites: its bodies and points. */
static hol_item *stretch(hol__mjcf *m, const hol__mjcf_tendon *t, int k, const char *section,
                         const char *name, const char *type) {
    const hol__robot *robot = &m->im->robot;
    const int a = t->index[k], b = t->index[k + 1];
    const char *bodies[2] = {hol__robot_called(robot, m->sites[a].body),
                             hol__robot_called(robot, m->sites[b].body)};
    hol_item *item = hol__robot_item(m->im, section, name, type, t->element);
    hol_item_texts(item, "bodies", 2, bodies);
    hol_item_text(item, "from", site_point(m, a));
    hol_item_text(item, "to", site_point(m, b));
    return item;
}

void hol__mjcf_pull(hol__mjcf *m, const hol__mjcf_tendon *t, const char *name,
                    const hol__xml *element, const char *force) {
    hol_import *im = m->im;
    for (int i = 0; i < t->n && t->factors; i++)
        hol__robot_push(
            im, t->index[i],
            hol__arena_format(&im->arena, "%s_%s", name, im->robot.joints[t->index[i]].called),
            element,
            hol__arena_format(&im->arena, "%s*(%s)", hol__mjcf_number(im, t->factors[i]), force));
    for (int k = 0; k + 1 < t->n && !t->factors; k++)
        if (is_stretch(m, t, k))
            hol_item_text(stretch(m, t, k, "forces",
                                  hol__arena_format(&im->arena, "%s_%d", name, k + 1), "spring"),
                          "force", hol__arena_format(&im->arena, "-(%s)", force));
}

/* The length of a path over sites, less what it is as drawn, by measures of its stretches. */
static const char *path_length(hol__mjcf *m, const hol__mjcf_tendon *t, const char *name,
                               int rate) {
    hol_import *im = m->im;
    const char *sum = NULL;
    double drawn = 0;
    for (int k = 0; k + 1 < t->n; k++) {
        double d[3];
        if (!is_stretch(m, t, k)) continue;
        hol__sub3(m->sites[t->index[k + 1]].at, m->sites[t->index[k]].at, d);
        drawn += hol__norm3(d);
        hol_item *item = stretch(
            m, t, k, "measures",
            hol__arena_format(&im->arena, "%s_%s%d", name, rate ? "rate" : "l", k + 1), "distance");
        if (!item) return "0";
        if (rate) hol_item_text(item, "component", "rate");
        sum = hol__arena_format(&im->arena, "%s%s%s", sum ? sum : "", sum ? " + " : "", item->key);
    }
    return rate ? hol__arena_format(&im->arena, "(%s)", sum ? sum : "0")
                : hol__arena_format(&im->arena, "(%s - %s)", sum ? sum : "0",
                                    hol__mjcf_number(im, drawn));
}

/* Spring and damper of a tendon. */
static void write_spring(hol__mjcf *m, const hol__mjcf_tendon *t, const char *name) {
    hol_import *im = m->im;
    const double k = hol__xml_number(im, t->element, "stiffness", 0),
                 b = hol__xml_number(im, t->element, "damping", 0);
    double rest[2] = {-1, -1};
    const int n = hol__xml_some(im, t->element, "springlength", 1, 2, rest);
    if (n == 2 && rest[1] != rest[0])
        hol__note(im, HOL_IMPORT_CHANGED, t->element, "springlength",
                  "a spring without force between two lengths is not known: the first counts");
    const double l0 = rest[0] < 0 ? t->rest : rest[0];
    if (k == 0 && b == 0) return;
    if (!t->factors && t->n == 2) {
        hol_item *item = stretch(m, t, 0, "forces", name, "spring");
        if (k != 0) hol_item_number(item, "stiffness", k);
        if (k != 0) hol_item_number(item, "free_length", hol__clean(l0, 0));
        if (b != 0) hol_item_number(item, "damping", b);
        return;
    }
    const char *L = t->factors ? hol__mjcf_length(m, t, 0) : path_length(m, t, name, 0),
               *rate = t->factors ? hol__mjcf_length(m, t, 1) : path_length(m, t, name, 1);
    hol__mjcf_pull(m, t, name, t->element,
                   hol__arena_format(&im->arena, "-%s*(%s - %s) - %s*%s", hol__mjcf_number(im, k),
                                     L, hol__mjcf_number(im, l0 - t->rest), hol__mjcf_number(im, b),
                                     rate));
}

/* The longest length of a path between two sites is a rope; other limits are left out. */
static void write_limit(hol__mjcf *m, const hol__mjcf_tendon *t, const char *name) {
    hol_import *im = m->im;
    double range[2];
    if (!hol__mjcf_limited(m, t->element, "limited", "range", range)) return;
    if (t->factors || t->n > 2 || !is_stretch(m, t, 0) || range[1] < t->rest || im->how.no_limits) {
        hol__note(im, HOL_IMPORT_LEFT_OUT, t->element, "range",
                  "limits of tendons exist between two sites only, as ropes that are not taut yet");
        return;
    }
    hol_item_number(stretch(m, t, 0, "joints", name, "rope"), "length", range[1]);
    hol__note(im, range[0] > 0 ? HOL_IMPORT_LEFT_OUT : HOL_IMPORT_CHANGED, t->element, "range",
              range[0] > 0 ? "its upper end is a rope, its lower one is left out"
                           : "its upper end is a rope");
}

void hol__mjcf_tendon_forces(hol__mjcf *m) {
    hol_import *im = m->im;
    for (int i = 0; i < m->n_tendons; i++) {
        hol__mjcf_tendon *t = &m->tendons[i];
        int gone = t->out;
        for (int k = 0; k < t->n && t->factors; k++) gone |= im->robot.joints[t->index[k]].out;
        if (gone && !t->out)
            hol__note(im, HOL_IMPORT_LEFT_OUT, t->element, NULL,
                      "a joint of it was left out, and so is the tendon");
        t->out = gone;
        if (gone) continue;
        const char *name = t->name ? t->name : hol__arena_format(&im->arena, "tendon_%d", i + 1);
        write_spring(m, t, name);
        write_limit(m, t, name);
        if (hol__xml_number(im, t->element, "frictionloss", 0) != 0)
            hol__note(im, HOL_IMPORT_LEFT_OUT, t->element, "frictionloss",
                      "dry friction of tendons is not carried over");
    }
}
