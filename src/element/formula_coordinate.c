/* formula_coordinate.c: scalar coordinates (coordinate.h) and the equations between them
 * (coupler.h) as formulas. */
#include "element/coupler.h"
#include "element/formula.h"

/* x of a coordinate of the record; NULL where it has a rate only, or no formula. */
static hol__sym value_of(hol__symbolic *to, const hol__coordinate *x) {
    hol__algebra *a = to->a;
    hol__sym s1[3], s2[3], e1[3], e2[3], d[3], out = NULL;
    if (x->kind == HOL__COORDINATE_ANGLE) {
        out = hol__symbolic_angle(to, x->angle);
    } else {
        hol__symbolic_vector(to, x->marker[0].s, "a", s1);
        hol__symbolic_vector(to, x->marker[1].s, "b", s2);
        hol__symbolic_vector(to, x->e[0], "e", e1);
        hol__symbolic_vector(to, x->e[1], "u", e2);
        if (!x->plane) e1[2] = hol__symbolic_number(to, &x->e[0][2], "e_z");
        hol__symbolic_turned(to, x->body[0], e1, e1);
        hol__symbolic_turned(to, x->body[1], e2, e2);
        hol__symbolic_gap(to, x->body, s1, s2, d);
        if (x->kind == HOL__COORDINATE_SLIDE)
            out = hol__symbolic_dot(to, e1, d);
        else if (x->kind == HOL__COORDINATE_DISTANCE)
            out = hol__symbolic_length(to, d, "l");
        else if (x->kind == HOL__COORDINATE_COSINE)
            out = hol__symbolic_dot(to, e1, e2);
        else if (x->kind == HOL__COORDINATE_VOLUME) {
            hol__symbolic_cross(to, e1, e2, e1);
            out = hol__symbolic_dot(to, e1, d);
        }
    }
    return out ? hol__sym_add(a, out, hol__symbolic_number(to, &x->offset, "x_0")) : NULL;
}

/* The direction of a quasi-velocity, global. */
static void direction_of(hol__symbolic *to, const hol__coordinate *x, hol__sym e[3]) {
    const int second = x->frame == 1;
    for (int k = 0; k < 3; k++) e[k] = hol__symbolic_number(to, &x->e[second][k], "e");
    if (x->frame != 2) hol__symbolic_turned(to, x->body[second], e, e);
}

/* The rate of a coordinate: x', or that of a quasi-velocity,
 * e . (velocity of P2 against body 1) or e . (omega2 - omega1). */
static hol__sym rate_of(hol__symbolic *to, const hol__coordinate *x) {
    hol__algebra *a = to->a;
    const hol__symbolic_body *b1 = &to->bodies[x->body[0]];
    hol__sym e[3], w[2][3], s[3], P[3], arm[3], own[3];
    if (x->kind != HOL__COORDINATE_VELOCITY && x->kind != HOL__COORDINATE_SPIN) {
        const hol__sym value = value_of(to, x);
        return value ? hol__symbolic_rate(to, value) : NULL;
    }
    direction_of(to, x, e);
    for (int k = 0; k < 2; k++)
        hol__symbolic_turned(to, x->body[k], to->bodies[x->body[k]].w, w[k]);
    if (x->kind == HOL__COORDINATE_SPIN) {
        for (int k = 0; k < 3; k++) w[0][k] = hol__sym_sub(a, w[1][k], w[0][k]);
        return hol__symbolic_dot(to, e, w[0]);
    }
    hol__symbolic_vector(to, x->marker[1].s, "b", s);
    hol__symbolic_point(to, x->body[1], s, P);
    for (int k = 0; k < 3; k++) arm[k] = hol__sym_sub(a, P[k], b1->r[k]);
    hol__symbolic_cross(to, w[0], arm, own);
    for (int k = 0; k < 3; k++)
        P[k] = hol__sym_sub(a, hol__symbolic_rate(to, P[k]), hol__sym_add(a, b1->v[k], own[k]));
    return hol__symbolic_dot(to, e, P);
}

/* Values of coordinates of the record; 0 where one has no formula. */
static int values_of(hol__symbolic *to, const hol__coordinate *x, int n, hol__sym *out) {
    for (int i = 0; i < n; i++) {
        out[i] = value_of(to, &x[i]);
        if (!out[i]) return 0;
    }
    return 1;
}

/* F(t, x) = 0 */
static int equation_formula(const hol__coupler *rec, hol__symbolic *to) {
    hol__sym x[HOL__COUPLED];
    const hol__law law = {0, rec->F};
    if (!values_of(to, rec->x, rec->n, x)) return 0;
    const hol__sym F = hol__symbolic_law(to, &law, rec->names, x, "F");
    if (F) hol__symbolic_row(to, 0, F);
    return F != NULL;
}

int hol__coupler_formula(const void *record, hol__symbolic *to) {
    const hol__coupler *rec = record;
    hol__algebra *a = to->a;
    if (rec->F) return equation_formula(rec, to);
    hol__sym Phi = hol__sym_neg(a, hol__symbolic_drive(to, &rec->f, "f"));
    for (int i = 0; i < rec->n; i++) {
        const hol__sym x = value_of(to, &rec->x[i]);
        if (!x) return 0;
        Phi = hol__sym_add(a, Phi,
                           hol__sym_mul(a, hol__symbolic_number(to, &rec->factor[i], "k"), x));
    }
    hol__symbolic_row(to, 0, Phi);
    return 1;
}

int hol__rate_formula(const void *record, hol__symbolic *to) {
    const hol__rate *rec = record;
    hol__algebra *a = to->a;
    hol__sym x[HOL__COUPLED];
    if (!values_of(to, rec->x, rec->n_x, x)) return 0;
    hol__sym right = hol__symbolic_law(to, &rec->f, rec->names, x, "f");
    if (rec->state >= 0 && right)
        right =
            hol__symbolic_symbol(to, "z", NULL, HOL__SYM_OTHER,
                                 (hol__symbolic_source){.kind = HOL__SYMBOLIC_STATE,
                                                        .i = rec->state,
                                                        .note = "a velocity that is integrated"},
                                 right);
    if (!right) return 0;
    hol__sym psi = hol__sym_neg(a, right);
    for (int i = 0; i < rec->n; i++) {
        const hol__sym u = rate_of(to, &rec->term[i]),
                       factor = hol__symbolic_law(to, &rec->factor[i], rec->names, x, "k");
        if (!u || !factor) return 0;
        psi = hol__sym_add(a, psi, hol__sym_mul(a, factor, u));
    }
    hol__symbolic_rate_row(to, 0, psi);
    return 1;
}
