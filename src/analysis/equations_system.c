/* equations_system.c: the linear system that a method solves, by its kernel.
 *
 * All of them solve M v' + A^T lambda = Q, A v' = cbar, with cbar = c or what the stabiliser makes
 * of it; the table has a row a kernel. Matrices are dense: they are for reading.
 */
#include "analysis/equations.h"

#include "form/stabilize.h"
#include "kernel/basis.h"
#include "la/dense.h"

#include <holonom/matrix.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The terms, row after row, and the system that is made of them. */
typedef struct terms {
    hol_sim *sim;
    hol__arena arena;
    int n, m;
    double *M, *A, *Q, *cbar;
    int rows, columns;
    double *matrix, *right; /* rows x columns; rows */
} terms;

/* A matrix of zeros for the system. */
static hol_status make_system(terms *t, int rows, int columns) {
    t->rows = rows;
    t->columns = columns;
    t->matrix = HOL__NEW_N(&t->arena, double, (size_t)rows *(size_t)columns + 1);
    t->right = HOL__NEW_N(&t->arena, double, rows + 1);
    return t->matrix && t->right ? HOL_OK : HOL_ERR_MEMORY;
}

static double *at(const terms *t, int i, int j) {
    return &t->matrix[(size_t)i * (size_t)t->columns + (size_t)j];
}

/* ---- the systems ---- */

/* [M A^T; A 0] [v'; lambda] = [Q; cbar] */
static hol_status make_kkt(terms *t) {
    const int n = t->n, m = t->m;
    const hol_status status = make_system(t, n + m, n + m);
    if (status) return status;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) *at(t, i, j) = t->M[i * n + j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) *at(t, n + i, j) = *at(t, j, n + i) = t->A[i * n + j];
    memcpy(t->right, t->Q, sizeof *t->Q * (size_t)n);
    if (m) memcpy(t->right + n, t->cbar, sizeof *t->cbar * (size_t)m);
    return HOL_OK;
}

/* A M^-1 A^T lambda = A M^-1 Q - cbar */
static hol_status make_schur(terms *t) {
    const int n = t->n, m = t->m;
    double *L = HOL__NEW_N(&t->arena, double, n *n + 1),
           *X = HOL__NEW_N(&t->arena, double, n *(m + 1) + 1);
    hol_status status = L && X ? make_system(t, m, m) : HOL_ERR_MEMORY;
    if (status) return status;
    memcpy(L, t->M, sizeof *L * (size_t)n * (size_t)n);
    memcpy(X, t->A, sizeof *X * (size_t)n * (size_t)m); /* columns of A^T, and Q */
    memcpy(X + n * m, t->Q, sizeof *X * (size_t)n);
    if (hol__chol_factor(n, L)) return HOL_OK; /* no inverse: not by this formula */
    hol__chol_solve(n, m + 1, L, X);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j <= m; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += t->A[i * n + k] * X[j * n + k];
            *(j < m ? at(t, i, j) : &t->right[i]) = j < m ? sum : sum - t->cbar[i];
        }
    }
    return HOL_OK;
}

/* (M + A^T alpha A) v' = Q + A^T alpha cbar */
static hol_status make_penalty(terms *t) {
    const int n = t->n, m = t->m;
    const double *own = t->sim->data->model->gains[HOL__GAIN_PENALTY];
    double mass = 0;
    const hol_status status = make_system(t, n, n);
    if (status) return status;
    for (int i = 0; i < n * n; i++) mass = fmax(mass, fabs(t->M[i]));
    memcpy(t->matrix, t->M, sizeof *t->M * (size_t)n * (size_t)n);
    memcpy(t->right, t->Q, sizeof *t->Q * (size_t)n);
    for (int r = 0; r < m; r++) {
        const double alpha =
            mass * (own && !isnan(own[r]) ? own[r] : t->sim->options[HOL__OPT_PENALTY]);
        for (int i = 0; i < n; i++) {
            t->right[i] += t->A[r * n + i] * alpha * t->cbar[r];
            for (int j = 0; j < n; j++) *at(t, i, j) += t->A[r * n + i] * alpha * t->A[r * n + j];
        }
    }
    return HOL_OK;
}

/* The basis of the method at this state; NULL where it has none, or R does not follow from A. */
static hol_status find_basis(terms *t, hol__basis **basis) {
    const hol_sim *sim = t->sim;
    *basis = NULL;
    if (!sim->basis || (sim->basis->flags & HOL__BASIS_KEPT) || t->m == 0) return HOL_OK;
    hol__basis *b = hol__basis_new(&t->arena, sim->basis, t->n, t->m, 0, 0);
    if (!b) return HOL_ERR_MEMORY;
    if (hol__basis_factor(b, &sim->data->A) == HOL_OK) *basis = b;
    return HOL_OK;
}

/* r = Q - M S cbar */
static hol_status find_rest(terms *t, hol__basis *basis, double **r) {
    const int n = t->n;
    double *c = HOL__NEW_N(&t->arena, double, t->m + 1), *x = HOL__NEW_N(&t->arena, double, n + 1);
    *r = HOL__NEW_N(&t->arena, double, n + 1);
    if (!c || !x || !*r) return HOL_ERR_MEMORY;
    hol__basis_project(basis, t->cbar, c);
    hol__basis_particular(basis, c, x);
    for (int i = 0; i < n; i++) {
        (*r)[i] = t->Q[i];
        for (int j = 0; j < n; j++) (*r)[i] -= t->M[i * n + j] * x[j];
    }
    return HOL_OK;
}

/* R^T M R z = R^T (Q - M S cbar) */
static hol_status make_reduced(terms *t) {
    const int n = t->n;
    hol__basis *basis;
    double *r;
    hol_status status = find_basis(t, &basis);
    const int k = basis ? n - basis->rank : 0;
    if (status || k <= 0) return status;
    status = make_system(t, k, k);
    if (!status) status = find_rest(t, basis, &r);
    for (int i = 0; i < k && !status; i++)
        for (int a = 0; a < n; a++) {
            t->right[i] += basis->R[i * n + a] * r[a];
            for (int j = 0; j < k; j++)
                for (int b = 0; b < n; b++)
                    *at(t, i, j) += basis->R[i * n + a] * t->M[a * n + b] * basis->R[j * n + b];
        }
    return status;
}

static const struct {
    const char *kernel, *text, *title;
    hol_status (*make)(terms *);
} systems[] = {
    {"kkt", "[M A^T; A 0] [v'; lambda] = [Q; cbar]", "[M A^T; A 0]", make_kkt},
    {"schur", "A M^-1 A^T lambda = A M^-1 Q - cbar, v' = M^-1 (Q - A^T lambda)", "A M^-1 A^T",
     make_schur},
    {"nullspace", "R^T M R z = R^T (Q - M S cbar), v' = S cbar + R z", "R^T M R", make_reduced},
    {"frame", "R^T M R z = R^T (Q - M S cbar), v' = S cbar + R z, R kept for many steps", "R^T M R",
     NULL},
    {"udwadia-kalaba", "v' = M^-1 Q + M^-1/2 (A M^-1/2)^+ (cbar - A M^-1 Q)", "", NULL},
    {"penalty", "(M + A^T alpha A) v' = Q + A^T alpha cbar", "M + A^T alpha A", make_penalty},
    {"augmented-lagrangian",
     "(M + A^T alpha A) v'_(i+1) = Q - A^T lambda_i + A^T alpha cbar, lambda_(i+1) = lambda_i + "
     "alpha (A v'_(i+1) - cbar)",
     "M + A^T alpha A", make_penalty},
    {"open-chain",
     "V^T M V z' = V^T (Q - M V' z) over the tree, with multipliers of the rows that "
     "close it",
     "", NULL},
};

/* ---- the answer ---- */

/* Copies of the terms. */
static hol_status read_terms(terms *t) {
    hol_data *data = t->sim->data;
    const int n = t->n = data->model->nv, m = t->m = data->model->m;
    t->M = HOL__NEW_N(&t->arena, double, n *n + 1);
    t->A = HOL__NEW_N(&t->arena, double, n *m + 1);
    t->Q = HOL__NEW_N(&t->arena, double, n + 1);
    t->cbar = HOL__NEW_N(&t->arena, double, m + 1);
    if (t->arena.failed) return HOL_ERR_MEMORY;
    hol_status status = hol_data_term(data, HOL_TERM_M, t->M, n * n);
    if (!status && m) status = hol_data_term(data, HOL_TERM_A, t->A, m * n);
    if (!status) status = hol_data_term(data, HOL_TERM_Q, t->Q, n);
    if (!status && m) memcpy(t->cbar, hol__stabilized(&t->sim->form), sizeof(double) * (size_t)m);
    return status;
}

/* The system as a table with its right-hand side as the last column. */
static void tell_table(hol_answer *answer, const terms *t, const char *title) {
    hol__sheet *sheet = hol__answer_sheet(answer, "system", title, t->columns + 1);
    char name[32];
    for (int j = 0; j < t->columns; j++) {
        snprintf(name, sizeof name, "%d", j + 1);
        hol__sheet_column(sheet, j, name, "");
    }
    hol__sheet_column(sheet, t->columns, "right", "");
    for (int i = 0; i < t->rows; i++) {
        double *row = hol__sheet_add(sheet, NULL);
        if (!row) return;
        memcpy(row, at(t, i, 0), sizeof *row * (size_t)t->columns);
        row[t->columns] = t->right[i];
    }
}

static void tell_words(hol_answer *answer, const hol_sim *sim) {
    hol_part_doc part = {.size = sizeof part};
    for (int i = 0; hol_part_get(i, &part) == HOL_OK; i++)
        if (strcmp(part.part, "stabilizer") == 0 && strcmp(part.name, sim->stabilizer->name) == 0)
            hol__answer_text(answer, "cbar", "cbar", "%s",
                             sim->stabilizer->id == HOL__STABILIZER_NONE ? "c" : part.title);
    hol__answer_text(answer, "source", "source", "%s", sim->method->source);
}

static int is_canonical(const hol_sim *sim) {
    return strncmp(sim->method->state, "canonical", 9) == 0;
}

/* The row of the kernel of the simulation; -1: none. */
static int system_of(const hol_sim *sim) {
    const char *kernel = sim->kernel_type ? sim->kernel_type->name : sim->method->kernel;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (strcmp(systems[i].kernel, kernel) == 0) return (int)i;
    return -1;
}

void hol__tell_solved(hol_answer *answer, const hol_sim *sim) {
    const int i = system_of(sim);
    hol__answer_text(answer, "kernel", "kernel", "%s",
                     sim->kernel_type ? sim->kernel_type->name : sim->method->kernel);
    hol__answer_text(answer, "state", "state", "%s", sim->method->state);
    if (is_canonical(sim))
        hol__answer_text(
            answer, "solved", "solved",
            "for the velocities M v + A^T sigma = p, A v = b with this kernel; then p' "
            "follows from the forces (lambda below is found apart)");
    else if (i >= 0)
        hol__answer_text(answer, "solved", "solved", "%s", systems[i].text);
    tell_words(answer, sim);
}

hol_status hol__tell_system(hol_answer *answer, hol_sim *sim) {
    terms t = {.sim = sim};
    const int i = system_of(sim);
    hol__tell_solved(answer, sim);
    if (is_canonical(sim) || i < 0 || !systems[i].make) return HOL_OK;
    hol__arena_init(&t.arena, answer->ctx);
    hol_status status = read_terms(&t);
    if (!status) status = systems[i].make(&t);
    if (!status && t.matrix && t.rows) tell_table(answer, &t, systems[i].title);
    hol__arena_free(&t.arena);
    return status;
}
