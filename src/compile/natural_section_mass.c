/* natural_section_mass.c: mass, mass centre and inertia of rods and elements of the section
 * `natural`, with the point masses at their points.
 *
 *     uniform rod, length L, radius r     I = m L^2/12 in the plane;
 *                                         m r^2/2,  m (3 r^2 + L^2)/12 in space
 *     with a point mass n at s            m' = m + n,  com' = (m com + n s)/m',
 *                                         J' = J + mu (|d|^2 1 - d d^T),  mu = m n/m',  d = s - com
 *
 * A point mass thus costs no coordinates where something with mass is at its point; it goes to the
 * first such part. One at a point that has none becomes a body of its own.
 */
#include "compile/natural_section.h"

#include "math/quat.h"

#include <string.h>

/* ---- frames ---- */

/* The direction of mark i of the part from its origin, as drawn. */
static void direction(const hol__natural_section *all, const hol__part *part, int i,
                      double out[3]) {
    const hol__mark *mark = &all->marks[part->mark[i]];
    if (mark->is_vector)
        memcpy(out, mark->x, sizeof mark->x);
    else
        hol__sub3(mark->x, all->marks[part->mark[0]].x, out);
}

/* x towards mark 1; in space y to the side of the first mark off this line, or z as near to the
 * global z as can be. */
static void set_frame(const hol__natural_section *all, hol__part *part) {
    double x[3], d[3];
    direction(all, part, 1, x);
    const double length = hol__norm3(x);
    for (int k = 0; k < 3; k++) x[k] /= length;
    hol__frame_level(x, all->build->model->dim, part->p);
    hol__quat_matrix(part->p, part->R);
    if (part->kind == HOL__PART_ROD || all->build->model->dim == 2) return;
    for (int i = 2; i < part->n; i++) {
        double y[3], z[3];
        direction(all, part, i, d);
        const double along = hol__dot3(d, x), size = hol__norm3(d);
        for (int k = 0; k < 3; k++) y[k] = d[k] - along * x[k];
        const double side = hol__norm3(y);
        if (!(side > 1e-6 * size)) continue;
        for (int k = 0; k < 3; k++) y[k] /= side;
        hol__cross3(x, y, z);
        for (int k = 0; k < 3; k++)
            part->R[3 * k] = x[k], part->R[3 * k + 1] = y[k], part->R[3 * k + 2] = z[k];
        hol__quat_from_matrix(part->R, part->p);
        return;
    }
}

/* ---- masses ---- */

/* Inertia of a uniform rod of length L. */
static void uniform_rod(hol__natural_section *all, hol__part *part, double L) {
    hol__build *build = all->build;
    if (build->model->dim == 2) {
        part->J[8] = part->mass * L * L / 12;
        return;
    }
    const double r = hol__read_number(build, part->item, hol__rod_keys, "radius");
    if (!hol__node_get(part->item, "radius"))
        hol__build_error(build, part->item,
                         "a rod in space also turns about itself; give its `radius` or its "
                         "`inertia`, or leave out `mass` for a massless rod");
    part->J[0] = 0.5 * part->mass * r * r;
    part->J[4] = part->J[8] = part->mass * (3 * r * r + L * L) / 12;
}

/* Mass centre and inertia of a rod. */
static void rod_mass(hol__natural_section *all, hol__part *part, double L) {
    hol__build *build = all->build;
    hol__node *inertia = hol__node_get(part->item, "inertia"),
              *centre = hol__node_get(part->item, "mass_centre"),
              *radius = hol__node_get(part->item, "radius");
    part->com[0] =
        centre ? hol__read_number(build, part->item, hol__rod_keys, "mass_centre") : 0.5 * L;
    if (inertia && radius)
        hol__build_error(build, radius, "give either `radius` or `inertia`");
    else if (inertia)
        hol__read_inertia(build, part->item, part->J);
    else if (centre)
        hol__build_error(build, centre,
                         "a uniform rod has its mass centre half-way; give the `inertia` too");
    else
        uniform_rod(all, part, L);
}

/* Mass centre and inertia of an element. */
static void element_mass(hol__natural_section *all, hol__part *part) {
    hol__build *build = all->build;
    double d[3], mean[3] = {0, 0, 0};
    if (!hol__read_vector(build, part->item, hol__natural_element_keys, "mass_centre", part->com)) {
        for (int i = 0; i < part->n_points; i++) {
            direction(all, part, i, d);
            for (int k = 0; k < 3; k++) mean[k] += d[k] / part->n_points;
        }
        hol__mul3_t(part->R, mean, part->com);
    }
    if (hol__node_get(part->item, "inertia")) hol__read_inertia(build, part->item, part->J);
}

void hol__natural_mass(hol__natural_section *all, hol__part *part) {
    double d[3];
    direction(all, part, 1, d);
    set_frame(all, part);
    part->mass = hol__read_number(all->build, part->item, hol__rod_keys, "mass");
    part->scale = 1;
    if (part->kind == HOL__PART_ROD && hol__node_get(part->item, "length"))
        part->scale =
            hol__read_number(all->build, part->item, hol__rod_keys, "length") / hol__norm3(d);
    if (part->kind == HOL__PART_ROD)
        rod_mass(all, part, part->scale * hol__norm3(d));
    else
        element_mass(all, part);
}

/* Add the mass n at the mark to the part. */
static void add_mass(const hol__natural_section *all, hol__part *part, const hol__mark *mark) {
    double d[3], s[3];
    const double n = mark->mass, m = part->mass, mu = m * n / (m + n);
    hol__sub3(mark->x, all->marks[part->mark[0]].x, d);
    hol__mul3_t(part->R, d, s);
    for (int k = 0; k < 3; k++) d[k] = part->scale * s[k] - part->com[k];
    const double d2 = hol__dot3(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) part->J[3 * i + j] += mu * ((i == j ? d2 : 0) - d[i] * d[j]);
    for (int k = 0; k < 3; k++) part->com[k] += n / (m + n) * d[k];
    part->mass = m + n;
}

/* A point mass as a part. */
static void make_point(hol__natural_section *all, int i) {
    hol__mark *mark = &all->marks[i];
    hol__part *part = &all->parts[all->n_parts];
    *part = (hol__part){.kind = HOL__PART_POINT, .name = mark->name, .item = mark->mass_at};
    part->label = hol__arena_format(&all->spec->arena, "point mass '%s'", mark->name);
    part->mark = HOL__NEW_N(&all->spec->arena, int, 1);
    part->at = HOL__NEW_N(&all->spec->arena, hol__node *, 1);
    part->joined = HOL__NEW_N(&all->spec->arena, unsigned char, 1);
    if (!part->mark || !part->at || !part->joined || !part->label) return;
    part->mark[0] = i;
    part->at[0] = mark->mass_at;
    part->n = part->n_points = 1;
    part->mass = mark->mass;
    part->scale = 1;
    all->n_parts++;
}

void hol__natural_add_masses(hol__natural_section *all) {
    for (int i = 0; i < all->n_marks; i++) {
        const hol__mark *mark = &all->marks[i];
        if (!mark->mass_at) continue;
        const int owner = hol__natural_owner(all, i);
        if (owner > 0)
            add_mass(all, &all->parts[owner], mark);
        else
            make_point(all, i);
    }
}
