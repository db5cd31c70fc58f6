/* rolling_formula.c: contact with, and rolling on, a plane as formulas. See rolling.c for the
 * equations.
 *
 * With d = n - (n . a) a and l = |d| a disk touches at X = C - r d/l, and n . d/l = l, so that its
 * contact is n . (C - O) - r l = 0.
 */
#include "element/formula.h"
#include "element/rolling.h"

/* The geometry of a contact in the global frame. */
typedef struct touch {
    hol__sym n[3], a[3], C[3], X[3];
    hol__sym height; /* n . (C - X) */
} touch;

/* out = x + factor y */
static void add(hol__symbolic *to, const hol__sym x[3], hol__sym factor, const hol__sym y[3],
                hol__sym out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = hol__sym_add(to->a, x[k], hol__sym_mul(to->a, factor, y[k]));
}

/* A direction of a body, as it is turned. */
static void direction(hol__symbolic *to, int body, const double *e, const char *hint,
                      hol__sym out[3]) {
    hol__sym s[3];
    hol__symbolic_vector(to, e, hint, s);
    hol__symbolic_turned(to, body, s, out);
}

/* x over its length, a symbol of its own, which is returned. */
static hol__sym unit(hol__symbolic *to, hol__sym x[3], const char *hint) {
    const hol__sym length = hol__symbolic_length(to, x, hint);
    for (int k = 0; k < 3; k++) x[k] = hol__sym_div(to->a, x[k], length);
    return length;
}

static void find_touch(hol__symbolic *to, const int body[2], const hol__rolling *at, touch *out) {
    hol__algebra *a = to->a;
    hol__sym s[3], u[3];
    direction(to, body[0], at->n, "n", out->n);
    direction(to, body[1], at->a, "a", out->a);
    hol__symbolic_vector(to, at->c, "c", s);
    hol__symbolic_point(to, body[1], s, out->C);
    out->height = a->zero;
    for (int k = 0; k < 3; k++) u[k] = out->n[k], out->X[k] = out->C[k];
    if (at->shape == HOL__ROLLING_BLADE) return;
    const hol__sym r = hol__symbolic_number(to, &at->radius, "r");
    out->height = r;
    if (at->shape != HOL__ROLLING_SPHERE) {
        const hol__sym cosine = hol__symbolic_dot(to, out->n, out->a);
        add(to, out->n, hol__sym_neg(a, cosine), out->a, u);
        out->height = hol__sym_mul(a, r, unit(to, u, "d"));
    }
    add(to, out->C, hol__sym_neg(a, r), u, out->X);
}

int hol__rolling_contact_formula(const hol__con *con, const hol__rolling *at, hol__symbolic *to) {
    hol__sym s[3], O[3], d[3];
    touch found;
    find_touch(to, con->body, at, &found);
    hol__symbolic_vector(to, at->o, "o", s);
    hol__symbolic_point(to, con->body[0], s, O);
    add(to, found.C, to->a->minus_one, O, d);
    hol__symbolic_row(to, 0, hol__sym_sub(to->a, hol__symbolic_dot(to, found.n, d), found.height));
    return 1;
}

/* The velocity of the point of a body that is at X. */
static void velocity_at(hol__symbolic *to, int body, const hol__sym X[3], hol__sym out[3]) {
    const hol__symbolic_body *b = &to->bodies[body];
    const hol__sym minus = to->a->minus_one;
    hol__sym w[3], arm[3], across[3];
    hol__symbolic_turned(to, body, b->w, w);
    add(to, X, minus, b->r, arm);
    hol__symbolic_cross(to, w, arm, across);
    add(to, b->v, to->a->one, across, out);
}

/* The direction across a wheel or a blade. */
static void across_of(hol__symbolic *to, const hol__rolling *at, const touch *found,
                      hol__sym out[3]) {
    if (at->shape == HOL__ROLLING_BLADE)
        hol__symbolic_cross(to, found->n, found->a, out);
    else
        add(to, found->a, hol__sym_neg(to->a, hol__symbolic_dot(to, found->n, found->a)), found->n,
            out);
    unit(to, out, "e");
}

int hol__rolling_formula(const hol__con *con, const hol__rolling *at, hol__symbolic *to) {
    const hol__sym minus = to->a->minus_one;
    hol__sym V[2][3], slip[3], e[3];
    touch found;
    find_touch(to, con->body, at, &found);
    for (int i = 0; i < 2; i++) velocity_at(to, con->body[i], found.X, V[i]);
    add(to, V[1], minus, V[0], slip);
    if (at->shape == HOL__ROLLING_WHEEL || at->shape == HOL__ROLLING_BLADE) {
        across_of(to, at, &found, e);
        hol__symbolic_rate_row(to, 0, hol__symbolic_dot(to, e, slip));
        return 1;
    }
    for (int k = 0; k < 2; k++) {
        direction(to, con->body[0], at->t[k], "t", e);
        hol__symbolic_rate_row(to, k, hol__symbolic_dot(to, e, slip));
    }
    if (con->n_rows < 3) return 1;
    for (int i = 0; i < 2; i++) /* no spin */
        hol__symbolic_turned(to, con->body[i], to->bodies[con->body[i]].w, V[i]);
    add(to, V[1], minus, V[0], slip);
    hol__symbolic_rate_row(to, 2, hol__symbolic_dot(to, found.n, slip));
    return 1;
}
