/* symbolic_system.c: what a method solves, as formulas: a row of the table a kernel, as for numbers
 * (equations_system.c).
 *
 *     kkt          [M A^T; A 0] [v'; lambda] = [Q; cbar]
 *     schur        A M^-1 A^T lambda = A M^-1 Q - cbar
 *     nullspace    R^T M R z = R^T (Q - M S cbar)     R, S: the rows solved for as many velocities
 *     penalty      (M + A^T alpha A) v' = Q + A^T alpha cbar
 *
 * R and S come from elimination on [A cbar] (symbolic_basis.c). cbar is c with the terms of the
 * stabiliser.
 */
#include "analysis/symbolic_system.h"

#include "form/method.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

/* Operations of a table beyond which it is told in words alone. */
enum { MOST_OPERATIONS = 20000 };

static hol__sym shorten(system_work *s, hol__sym x) {
    return hol__sym_shorten(s->e->a, x);
}

static hol__sym *new_entries(system_work *s, int n) {
    hol__sym *out = HOL__NEW_N(&s->e->a->arena, hol__sym, n + 1);
    if (!out) s->e->a->status = HOL_ERR_MEMORY;
    for (int i = 0; out && i < n; i++) out[i] = s->e->a->zero;
    return out;
}

/* ---- cbar ---- */

/* c with Baumgarte's terms or those of the penalty formulation; other stabilisers are told in
 * words, and cbar is a symbol. */
static void make_cbar(system_work *s, const hol_sim *sim) {
    hol__equations *e = s->e;
    hol__algebra *a = e->a;
    const int id = sim->stabilizer->id;
    hol__sym first = NULL, second = NULL;
    s->cbar = new_entries(s, e->m);
    if (!s->cbar) return;
    if (id == HOL__STABILIZER_BAUMGARTE) {
        first = hol__sym_mul(a, a->two, hol__sym_new(a, "alpha", NULL, HOL__SYM_PARAMETER));
        second = hol__sym_square(a, hol__sym_new(a, "beta", NULL, HOL__SYM_PARAMETER));
    } else if (id == HOL__STABILIZER_PENALTY) {
        const hol__sym Omega = hol__sym_new(a, "Omega", NULL, HOL__SYM_PARAMETER),
                       mu = hol__sym_new(a, "mu", NULL, HOL__SYM_PARAMETER);
        first = hol__sym_mul(a, a->two, hol__sym_mul(a, Omega, mu));
        second = hol__sym_square(a, Omega);
    }
    for (int i = 0; i < e->m; i++) {
        char name[40];
        snprintf(name, sizeof name, "cbar_%d", i + 1);
        s->cbar[i] = e->c[i];
        if (first) {
            const hol__sym terms[3] = {
                e->c[i], hol__sym_neg(a, hol__sym_mul(a, first, e->to.psi[i])),
                i < e->mh ? hol__sym_neg(a, hol__sym_mul(a, second, e->Phi[i])) : a->zero};
            s->cbar[i] = hol__sym_sum(a, 3, terms);
        } else if (id != HOL__STABILIZER_NONE)
            s->cbar[i] = hol__sym_new(a, name, "", HOL__SYM_OTHER);
    }
}

/* ---- M^-1 ---- */

static int is_diagonal(const hol__equations *e) {
    for (int i = 0; i < e->nv; i++)
        for (int j = 0; j < e->nv; j++)
            if (i != j && !hol__sym_is(e->M[i * e->nv + j], 0)) return 0;
    return 1;
}

/* The determinant of M without row i and column j (-1: with all), n <= 3. */
static hol__sym minor_of(system_work *s, int i, int j) {
    hol__algebra *a = s->e->a;
    const int n = s->e->nv;
    hol__sym x[9];
    int k = 0;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (r != i && c != j) x[k++] = s->e->M[r * n + c];
    if (k == 0) return a->one;
    if (k == 1) return x[0];
    if (k == 4) return hol__sym_sub(a, hol__sym_mul(a, x[0], x[3]), hol__sym_mul(a, x[1], x[2]));
    hol__sym sum = a->zero;
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        const hol__sym two = hol__sym_sub(a, hol__sym_mul(a, x[3 + p], x[6 + q]),
                                          hol__sym_mul(a, x[3 + q], x[6 + p]));
        sum = hol__sym_add(a, sum, hol__sym_mul(a, x[c], two));
    }
    return sum;
}

/* M^-1; NULL where it is not written out: M is neither diagonal nor of three velocities at most. */
static hol__sym *inverse_of(system_work *s) {
    hol__equations *e = s->e;
    hol__algebra *a = e->a;
    const int n = e->nv, diagonal = is_diagonal(e);
    if (!diagonal && n > 3) return NULL;
    hol__sym *out = new_entries(s, n * n);
    const hol__sym det = diagonal ? NULL : shorten(s, minor_of(s, -1, -1));
    for (int i = 0; out && i < n; i++)
        for (int j = 0; j < n; j++) {
            if (diagonal && i != j) continue;
            if (diagonal && hol__sym_is(e->M[i * n + i], 0)) return NULL;
            const hol__sym minor = diagonal ? NULL : minor_of(s, j, i);
            out[i * n + j] =
                diagonal ? hol__sym_power(a, e->M[i * n + i], a->minus_one)
                         : shorten(s, hol__sym_div(a, (i + j) % 2 ? hol__sym_neg(a, minor) : minor,
                                                   det));
        }
    return out;
}

/* rows x columns: X Y, or X^T Y. */
static hol__sym *product(system_work *s, int rows, int inner, int columns, const hol__sym *X,
                         int transposed, const hol__sym *Y) {
    hol__algebra *a = s->e->a;
    hol__sym *out = new_entries(s, rows * columns);
    for (int i = 0; out && i < rows; i++)
        for (int j = 0; j < columns; j++) {
            hol__sym sum = a->zero;
            for (int k = 0; k < inner; k++)
                sum = hol__sym_add(a, sum,
                                   hol__sym_mul(a, transposed ? X[k * rows + i] : X[i * inner + k],
                                                Y[k * columns + j]));
            out[i * columns + j] = shorten(s, sum);
        }
    return out;
}

static hol__sym *transpose(system_work *s, int rows, int columns, const hol__sym *X) {
    hol__sym *out = new_entries(s, rows * columns);
    for (int i = 0; out && i < rows; i++)
        for (int j = 0; j < columns; j++) out[j * rows + i] = X[i * columns + j];
    return out;
}

/* x - y, entry by entry. */
static hol__sym *difference(system_work *s, int n, const hol__sym *x, const hol__sym *y) {
    hol__sym *out = new_entries(s, n);
    for (int i = 0; out && i < n; i++) out[i] = shorten(s, hol__sym_sub(s->e->a, x[i], y[i]));
    return out;
}

/* ---- tables ---- */

static long operations(int n, const hol__sym *x) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] ? x[i]->operations : 0;
    return sum;
}

/* A table, unless it is too long. */
static void tell(system_work *s, const char *name, const char *title, int rows, int columns,
                 const hol__sym *entries, const char *const *row_names,
                 const char *const *column_names) {
    if (!entries || s->e->a->status) return;
    const long n = operations(rows * columns, entries);
    if (n > MOST_OPERATIONS)
        hol__answer_text(s->answer, name, name, "%s: %ld operations, too long to be written out",
                         title, n);
    else
        hol__symbolic_table(s->e, s->answer, name, title, rows, columns, entries, row_names,
                            column_names);
}

/* ---- the systems ---- */

static void tell_kkt(system_work *s) {
    hol__equations *e = s->e;
    const int n = e->nv, m = e->m, size = n + m;
    hol__sym *K = new_entries(s, size * size), *right = new_entries(s, size);
    if (!K || !right) return;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) K[i * size + j] = e->M[i * n + j];
        for (int k = 0; k < m; k++) K[i * size + n + k] = K[(n + k) * size + i] = e->A[k * n + i];
        right[i] = e->Q[i];
    }
    for (int k = 0; k < m; k++) right[n + k] = s->cbar[k];
    tell(s, "system", "[M A^T; A 0], the matrix", size, size, K, NULL, NULL);
    tell(s, "right", "[Q; cbar], the right-hand side", size, 1, right, NULL, NULL);
}

/* A M^-1 A^T, A M^-1 Q and M^-1 Q. */
static void tell_schur(system_work *s) {
    hol__equations *e = s->e;
    const int n = e->nv, m = e->m;
    hol__sym *inverse = inverse_of(s);
    if (!inverse) {
        hol__answer_text(s->answer, "inverse", "M^-1",
                         "not written out: M is neither diagonal nor of three velocities at most");
        return;
    }
    const hol__sym *At = transpose(s, m, n, e->A);
    const hol__sym *MAt = At ? product(s, n, n, m, inverse, 0, At) : NULL;
    const hol__sym *free = product(s, n, n, 1, inverse, 0, e->Q);
    tell(s, "free", "M^-1 Q, the accelerations without constraints", n, 1, free, NULL, NULL);
    if (!MAt || !free || !m) return;
    const hol__sym *along = product(s, m, n, 1, e->A, 0, free);
    tell(s, "system", "A M^-1 A^T, the matrix", m, m, product(s, m, n, m, e->A, 0, MAt), NULL,
         NULL);
    tell(s, "right", "A M^-1 Q - cbar, the right-hand side", m, 1,
         along ? difference(s, m, along, s->cbar) : NULL, NULL, NULL);
}

static void tell_penalty(system_work *s) {
    hol__equations *e = s->e;
    hol__algebra *a = e->a;
    const int n = e->nv;
    const hol__sym alpha = hol__sym_new(a, "alpha_p", "\\alpha", HOL__SYM_PARAMETER);
    hol__sym *K = new_entries(s, n * n), *right = new_entries(s, n);
    if (!K || !right) return;
    for (int i = 0; i < n; i++) {
        hol__sym sum = a->zero;
        for (int k = 0; k < e->m; k++)
            sum = hol__sym_add(a, sum, hol__sym_mul(a, e->A[k * n + i], s->cbar[k]));
        right[i] = shorten(s, hol__sym_add(a, e->Q[i], hol__sym_mul(a, alpha, sum)));
        for (int j = 0; j < n; j++) {
            hol__sym both = a->zero;
            for (int k = 0; k < e->m; k++)
                both = hol__sym_add(a, both, hol__sym_mul(a, e->A[k * n + i], e->A[k * n + j]));
            K[i * n + j] =
                shorten(s, hol__sym_add(a, e->M[i * n + j], hol__sym_mul(a, alpha, both)));
        }
    }
    tell(s, "system", "M + A^T alpha A, the matrix", n, n, K, NULL, NULL);
    tell(s, "right", "Q + A^T alpha cbar, the right-hand side", n, 1, right, NULL, NULL);
}

static void tell_reduced(system_work *s) {
    hol__equations *e = s->e;
    const int n = e->nv;
    if (e->m == 0) return;
    if (!hol__symbolic_basis(s)) {
        hol__answer_text(s->answer, "R", "R",
                         "not written out: solving the rows of A for as many velocities takes too "
                         "many operations");
        return;
    }
    const int k = s->k;
    tell(s, "R", "R, the velocities by the independent ones, A R = 0", n, k, s->R, s->velocity,
         s->independent);
    tell(s, "Sc", "S cbar, accelerations where the independent ones are zero", n, 1, s->Sc,
         s->velocity, NULL);
    const hol__sym *MR = product(s, n, n, k, e->M, 0, s->R),
                   *MSc = product(s, n, n, 1, e->M, 0, s->Sc);
    if (!MR || !MSc) return;
    tell(s, "system", "R^T M R, the matrix", k, k, product(s, k, n, k, s->R, 1, MR), s->independent,
         s->independent);
    const hol__sym *rest = difference(s, n, e->Q, MSc);
    tell(s, "right", "R^T (Q - M S cbar), the right-hand side", k, 1,
         rest ? product(s, k, n, 1, s->R, 1, rest) : NULL, s->independent, NULL);
}

/* p = M v */
static void tell_momenta(system_work *s) {
    tell(s, "momenta", "p = dT/dv = M v, the momenta", s->e->nv, 1,
         product(s, s->e->nv, s->e->nv, 1, s->e->M, 0, s->e->to.v), s->velocity, NULL);
}

static const struct {
    const char *kernel;
    void (*tell)(system_work *);
} systems[] = {
    {"kkt", tell_kkt},
    {"schur", tell_schur},
    {"udwadia-kalaba", tell_schur},
    {"nullspace", tell_reduced},
    {"frame", tell_reduced},
    {"penalty", tell_penalty},
    {"augmented-lagrangian", tell_penalty},
};

void hol__symbolic_system(hol__equations *e, const hol_sim *sim, hol_answer *answer) {
    system_work s = {.e = e, .answer = answer};
    const char *kernel = sim->kernel_type ? sim->kernel_type->name : sim->method->kernel;
    make_cbar(&s, sim);
    s.velocity = HOL__NEW_N(&e->a->arena, const char *, e->nv + 1);
    if (!s.velocity || e->a->status) return;
    for (int i = 0; i < e->nv; i++) s.velocity[i] = e->a->symbols[e->to.v[i]->symbol].name;
    if (strncmp(sim->method->state, "canonical", 9) == 0) {
        tell_momenta(&s);
        return;
    }
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (strcmp(systems[i].kernel, kernel) == 0) systems[i].tell(&s);
}
