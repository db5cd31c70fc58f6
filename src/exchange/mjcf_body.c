/* mjcf_body.c: the tree of bodies: frames, inertias, joints, sites.
 *
 * Several joints of one body act one after another, the first nearest to the parent; between them
 * are links of next to no mass. As drawn all of them are at the frame of the body. A coordinate
 * here is that of MuJoCo less `ref`.
 */
#include "exchange/mjcf.h"

#include "math/vec3.h"

#include <string.h>

/* ---- inertia ---- */

/* The <inertial> of a body. */
static void read_inertial(hol__mjcf *m, const hol__xml *inertial, int body) {
    static const int place[6] = {0, 4, 8, 1, 2, 5};
    hol_import *im = m->im;
    hol__robot_body *b = &im->robot.bodies[body];
    const hol__placement at = hol__mjcf_frame(m, inertial);
    double x[6], J[9] = {0};
    if (!hol__xml_find(inertial, "mass")) hol__import_error(im, inertial, NULL, "it has no mass");
    b->mass = hol__xml_number(im, inertial, "mass", 0);
    if (b->mass < 0)
        hol__import_error(im, inertial, "mass", "the mass is %g; no body has that", b->mass);
    if (hol__xml_vector(im, inertial, "fullinertia", 6, x)) {
        for (int i = 0; i < 6; i++) J[place[i]] = x[i];
        J[3] = J[1], J[6] = J[2], J[7] = J[5];
    } else if (hol__xml_vector(im, inertial, "diaginertia", 3, x))
        for (int i = 0; i < 3; i++) J[4 * i] = x[i];
    else
        hol__import_error(im, inertial, NULL, "it has neither diaginertia nor fullinertia");
    memcpy(b->com, at.r, sizeof at.r);
    hol__turn_inertia(at.q, J, b->J);
}

/* Geoms, inertia and least values of a body. */
static void read_inertia(hol__mjcf *m, const hol__xml *element, int body, const char *childclass) {
    hol_import *im = m->im;
    hol__xml *inertial = hol__xml_child(element, "inertial");
    const int by_geoms =
        m->inertia_from == HOL__MJCF_GEOMS || (m->inertia_from == HOL__MJCF_AUTO && !inertial);
    for (hol__xml *g = hol__xml_child(element, "geom"); g; g = hol__xml_next(g)) {
        hol__mjcf_default(m, g, childclass);
        hol__mjcf_geom(m, g, body, by_geoms);
    }
    if (inertial && !by_geoms) read_inertial(m, inertial, body);
    if (inertial && by_geoms) {
        hol__note(im, HOL_IMPORT_CHANGED, inertial, NULL,
                  "the geoms say what the inertia is (inertiafromgeom)");
        hol__xml_cover(inertial);
    }
    hol__robot_body *b = &im->robot.bodies[body];
    if (b->mass < m->least_mass) {
        hol__note(im, HOL_IMPORT_CHANGED, element, NULL, "its mass %g becomes %g (boundmass)",
                  b->mass, m->least_mass);
        b->mass = m->least_mass;
    }
    for (int i = 0; i < 3; i++) b->J[4 * i] = fmax(b->J[4 * i], m->least_inertia);
}

/* ---- joints ---- */

/* Attributes that act on the motion of a free or ball joint and have no place here. */
static void note_open(hol__mjcf *m, const hol__xml *e, const char *attribute) {
    if (hol__xml_number(m->im, e, attribute, 0) != 0)
        hol__note(m->im, HOL_IMPORT_LEFT_OUT, e, attribute,
                  "a joint of this type has none here: it is left out");
}

/* The numbers of a hinge or slide. */
static void read_axis(hol__mjcf *m, const hol__xml *e, int joint, const hol__placement *at) {
    hol_import *im = m->im;
    hol__robot_joint *j = &im->robot.joints[joint];
    const int turns = j->kind == HOL__JOINT_HINGE;
    const double unit = turns ? hol__mjcf_angle(m, 1) : 1;
    double axis[3] = {0, 0, 1}, range[2];
    hol__xml_vector(im, e, "axis", 3, axis);
    const double length = hol__norm3(axis);
    if (!(length > 0)) {
        hol__import_error(im, e, "axis", "the axis has length 0; give a direction such as 0 0 1");
        return;
    }
    for (int i = 0; i < 3; i++) axis[i] /= length;
    hol__placement_turn(at, axis, j->axis);
    j->ref = unit * hol__xml_number(im, e, "ref", 0);
    j->damping = hol__xml_number(im, e, "damping", 0);
    j->stiffness = hol__xml_number(im, e, "stiffness", 0);
    j->spring_at = unit * hol__xml_number(im, e, "springref", 0) - j->ref;
    j->armature = hol__xml_number(im, e, "armature", 0);
    j->friction = hol__xml_number(im, e, "frictionloss", 0);
    if (j->armature > 0)
        hol__note(im, HOL_IMPORT_CHANGED, e, "armature",
                  "a rotor on ground that turns with the joint has this inertia");
    if (j->friction > 0)
        hol__note(im, HOL_IMPORT_CHANGED, e, "frictionloss",
                  "dry friction rises smoothly with the speed up to 0.001 (slip_speed)");
    if (j->ref != 0)
        hol__note(im, HOL_IMPORT_CHANGED, e, "ref", "coordinates are 0 as drawn here: less %g",
                  j->ref);
    if (!hol__mjcf_limited(m, e, "limited", "range", range)) return;
    if (range[0] == range[1] || im->how.no_limits) {
        hol__note(im, HOL_IMPORT_LEFT_OUT, e, "range", "it moves without limits");
        return;
    }
    j->lower = unit * range[0] - j->ref, j->upper = unit * range[1] - j->ref;
    hol__note(im, HOL_IMPORT_CHANGED, e, "range", "its limits are rigid stops without rebound");
    j->start = j->lower > 0 ? j->lower : j->upper < 0 ? j->upper : 0;
    if (j->start != 0)
        hol__note(im, HOL_IMPORT_CHANGED, e, "range",
                  "the drawn position is outside of it: it starts at %g, the nearest", j->start);
}

/* One joint between two bodies. */
static void read_joint(hol__mjcf *m, hol__xml *e, int parent, int child) {
    static const char *const types[] = {"hinge", "slide", "ball", "free"};
    static const hol__joint_kind kinds[] = {HOL__JOINT_HINGE, HOL__JOINT_SLIDE, HOL__JOINT_BALL,
                                            HOL__JOINT_FREE};
    static const char *const open[] = {"damping", "stiffness", "armature", "frictionloss"};
    hol_import *im = m->im;
    const int freejoint = strcmp(e->name, "freejoint") == 0;
    const char *type = freejoint ? "free" : hol__xml_value(e, "type");
    const char *name = hol__xml_value(e, "name");
    int k = type ? -1 : 0;
    for (int i = 0; type && i < 4; i++)
        if (strcmp(type, types[i]) == 0) k = i;
    if (k < 0) {
        hol__import_error(im, e, "type", "'%s' is not one of hinge, slide, ball, free", type);
        return;
    }
    if (name && hol__robot_joint_named(&im->robot, name) >= 0)
        hol__import_error(im, e, "name", "there is a joint of this name already");
    const int joint = hol__robot_add_joint(im, name, e, kinds[k], parent, child);
    if (joint < 0) return;
    const hol__placement *at = &im->robot.bodies[child].at;
    double pos[3] = {0}, range[2];
    if (!freejoint) hol__xml_vector(im, e, "pos", 3, pos);
    hol__placement_point(at, pos, im->robot.joints[joint].at);
    if (k < 2)
        read_axis(m, e, joint, at);
    else if (!freejoint) {
        for (int i = k == 2 ? 1 : 0; i < 4; i++) note_open(m, e, open[i]);
        if (k == 2) im->robot.joints[joint].damping = hol__xml_number(im, e, "damping", 0);
        if (k == 2 && hol__mjcf_limited(m, e, "limited", "range", range))
            hol__note(im, HOL_IMPORT_LEFT_OUT, e, "range", "balls have no limits here");
    }
}

/* All joints of a body, with links between them. */
static void read_joints(hol__mjcf *m, const hol__xml *element, int parent, int body,
                        const char *childclass) {
    hol_import *im = m->im;
    int n = 0, left;
    for (const hol__xml *e = element->first; e; e = e->next)
        n += strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0;
    left = n;
    for (hol__xml *e = element->first; e; e = e->next) {
        if (strcmp(e->name, "joint") != 0 && strcmp(e->name, "freejoint") != 0) continue;
        e->used = 1;
        if (strcmp(e->name, "joint") == 0) hol__mjcf_default(m, e, childclass);
        int child = body;
        if (--left > 0) {
            const hol__placement at = im->robot.bodies[body].at;
            const char *name = im->robot.bodies[body].name;
            child = hol__robot_add_link(
                im, hol__arena_format(&im->arena, "%s_link%d", name ? name : "body", n - left),
                element, &at);
            if (child < 0) return;
        }
        read_joint(m, e, parent, child);
        parent = child;
    }
    if (n > 1)
        hol__note(
            im, HOL_IMPORT_CHANGED, element, NULL,
            "it has %d joints: between them are bodies with 1e-14 of its mass, which does not "
            "show in the motion",
            n);
    if (n == 0) {
        const hol__robot_body *b = &im->robot.bodies[body];
        const int j = hol__robot_add_joint(
            im, hol__arena_format(&im->arena, "%s_fixed", b->name ? b->name : "body"), NULL,
            HOL__JOINT_FIXED, parent, body);
        if (j >= 0) memcpy(im->robot.joints[j].at, b->at.r, sizeof b->at.r);
    }
}

/* ---- sites ---- */

static void read_sites(hol__mjcf *m, const hol__xml *element, int body, const hol__placement *at,
                       const char *childclass) {
    hol_import *im = m->im;
    for (hol__xml *s = hol__xml_child(element, "site"); s; s = hol__xml_next(s)) {
        double pos[3] = {0}, ends[6];
        hol__mjcf_default(m, s, childclass);
        hol__mjcf_site *grown = hol__arena_grow(&im->arena, m->sites, sizeof *grown, m->n_sites,
                                                &m->room_sites, m->n_sites + 1);
        if (!grown) return;
        m->sites = grown;
        hol__mjcf_site *site = &grown[m->n_sites++];
        *site = (hol__mjcf_site){hol__xml_value(s, "name"), body, {0}};
        if (site->name)
            hol__name_tree_add(&m->site_names, &im->arena, site->name, (uintptr_t)(m->n_sites - 1));
        hol__xml_vector(im, s, "pos", 3, pos);
        if (hol__xml_vector(im, s, "fromto", 6, ends))
            for (int i = 0; i < 3; i++) pos[i] = 0.5 * (ends[i] + ends[3 + i]);
        hol__placement_point(at, pos, site->at);
    }
}

/* ---- bodies ---- */

/* Whether the name is taken; reports it. */
static int is_taken(hol__mjcf *m, const hol__xml *e, const char *name) {
    if (!name || hol__robot_body_named(&m->im->robot, name) < 0) return 0;
    hol__import_error(m->im, e, "name", "there is a body of this name already");
    return 1;
}

/* One body with what hangs on it. */
static void read_body(hol__mjcf *m, hol__xml *e, int parent, const hol__placement *around,
                      const char *childclass) {
    hol_import *im = m->im;
    const char *name = hol__xml_value(e, "name"), *own = hol__xml_value(e, "childclass");
    if (own) childclass = own;
    const hol__placement local = hol__mjcf_frame(m, e);
    const hol__placement at = hol__placement_mul(around, &local);
    is_taken(m, e, name);
    const int body = hol__robot_add_body(im, name, e, &at);
    if (body < 0) return;
    read_inertia(m, e, body, childclass);
    im->robot.bodies[body].carried = hol__xml_number(im, e, "gravcomp", 0);
    if (hol__xml_flag(im, e, "mocap", 0))
        hol__note(im, HOL_IMPORT_CHANGED, e, "mocap", "it stays where it is drawn");
    read_joints(m, e, parent, body, childclass);
    hol__mjcf_bodies(m, e, body, &at, childclass);
    read_sites(m, e, body, &at, childclass);
}

void hol__mjcf_bodies(hol__mjcf *m, hol__xml *element, int parent, const hol__placement *at,
                      const char *childclass) {
    for (hol__xml *e = element->first; e; e = e->next) {
        if (strcmp(e->name, "body") == 0) {
            e->used = 1;
            read_body(m, e, parent, at, childclass);
        } else if (strcmp(e->name, "frame") == 0) {
            const char *own = hol__xml_value(e, "childclass");
            const hol__placement local = hol__mjcf_frame(m, e);
            const hol__placement inner = hol__placement_mul(at, &local);
            e->used = 1;
            hol__mjcf_bodies(m, e, parent, &inner, own ? own : childclass);
        }
    }
    if (parent != HOL__GROUND) return;
    for (hol__xml *g = hol__xml_child(element, "geom"); g; g = hol__xml_next(g)) {
        hol__mjcf_default(m, g, childclass);
        hol__mjcf_geom(m, g, HOL__GROUND, 0);
    }
    read_sites(m, element, HOL__GROUND, at, childclass);
}
