/* static_rest.c: eigenvalues of the reduced stiffness. See static_rest.h. */
#include "analysis/static_rest.h"

#include <math.h>
#include <string.h>

static const double symmetric = 1e-7; /* of the largest entry */
static const double complex_share =
    1e-7; /* of an eigenvalue: rounding splits equal ones by so much */

const char *hol__rest_word(hol__rest_verdict verdict) {
    static const char *const words[] = {"stable", "neutral", "unstable", "undecided"};
    return words[verdict];
}

/* Whether H is symmetric, but for rounding of its terms; unit: room for n numbers. */
static int is_symmetric(const hol__static *s, const double *H, double *unit) {
    const int n = s->n;
    double off = 0, most = 0, terms = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            off = fmax(off, fabs(H[j * n + i] - H[i * n + j]));
            most = fmax(most, fabs(H[j * n + i]));
            unit[j] = i == j;
        }
        terms = fmax(terms, hol__static_terms(s, unit));
    }
    return off <= fmax(symmetric * most, HOL__STATIC_NEUTRAL * terms);
}

/* Eigenvalues and vectors of a symmetric H. */
static int solve_symmetric(hol__static *s, const double *H, hol__rest *out) {
    const int n = s->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s->eigh->a[j * n + i] = 0.5 * (H[j * n + i] + H[i * n + j]);
    if (hol__eigh_factor(s->eigh, n)) return 0;
    memcpy(out->value, s->eigh->values, sizeof(double) * (size_t)n);
    memcpy(out->motion, s->eigh->a, sizeof(double) * (size_t)n * (size_t)n);
    return 1;
}

/* The direction in which H x is nearest to value x. */
static int nearest_motion(hol__svd *svd, const double *H, int n, double value, double *x) {
    memcpy(svd->a, H, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) svd->a[i * (n + 1)] -= value;
    if (hol__svd_factor(svd)) return 0;
    for (int i = 0; i < n; i++) x[i] = svd->vt[i * n + n - 1];
    return 1;
}

/* The same of one that is not, in rising order of the real parts. */
static int solve_general(const double *H, hol__rest *out) {
    const int n = out->n;
    hol__schur *schur = hol__schur_new(&out->arena, n);
    hol__svd *svd = hol__svd_new(&out->arena, n, n);
    if (!schur || !svd) return 0;
    memcpy(schur->a, H, sizeof(double) * (size_t)n * (size_t)n);
    if (hol__schur_factor(schur, n)) return 0;
    for (int i = 0; i < n; i++) { /* by insertion */
        int k = i;
        for (; k > 0 && out->value[k - 1] > schur->re[i]; k--) {
            out->value[k] = out->value[k - 1];
            out->imaginary[k] = out->imaginary[k - 1];
        }
        out->value[k] = schur->re[i];
        out->imaginary[k] = schur->im[i];
    }
    for (int k = 0; k < n; k++)
        if (!nearest_motion(svd, H, n, out->value[k], out->motion + (size_t)k * (size_t)n))
            return 0;
    return 1;
}

/* Read the squares of the frequencies. */
static void read_frequencies(const hol__schur *schur, int n, hol__rest *out) {
    double most = 0;
    out->flutters = 0;
    for (int i = 0; i < n; i++) most = fmax(most, hypot(schur->re[i], schur->im[i]));
    for (int i = 0; i < n; i++)
        if (fabs(schur->im[i]) > complex_share * hypot(schur->re[i], schur->im[i]))
            out->flutters = 1;
        else if (schur->re[i] < -complex_share * most)
            out->departs = 1;
}

/* The squares of the frequencies, H x = omega^2 Z^T M Z x, of an H that is not symmetric. */
static void find_frequencies(hol__static *s, const double *H, hol__rest *out) {
    const int n = s->n, nv = s->model->nv;
    const hol__csr *M = hol__data_mass(s->data);
    const size_t size = (size_t)n * (size_t)n;
    double *L = HOL__NEW_N(&out->arena, double, size), *T = HOL__NEW_N(&out->arena, double, size);
    hol__schur *schur = hol__schur_new(&out->arena, n);
    out->flutters = 1; /* while nothing is known, as where the mass is singular */
    if (!L || !T || !schur) return;
    for (int k = 0; k < n; k++)
        hol__csr_mul(M, s->Z + (size_t)k * (size_t)nv, s->KZ + (size_t)k * (size_t)nv);
    hol__dense_product(1, 0, n, n, nv, s->Z, s->KZ, L);
    if (hol__chol_factor(n, L)) return;
    memcpy(schur->a, H, sizeof(double) * size); /* L^-1 H L^-T, by transposing between */
    hol__lower_solve(n, n, L, schur->a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) T[j * n + i] = schur->a[i * n + j];
    hol__lower_solve(n, n, L, T);
    memcpy(schur->a, T, sizeof(double) * size); /* its transpose has the same eigenvalues */
    if (hol__schur_factor(schur, n) == 0) read_frequencies(schur, n, out);
}

/* Zero what is rounding, count, and decide. */
static void judge(const hol__static *s, hol__rest *out) {
    for (int k = 0; k < out->n; k++) {
        const double *x = out->motion + (size_t)k * (size_t)out->n;
        const double nothing = HOL__STATIC_NEUTRAL * hol__static_terms(s, x);
        if (hypot(out->value[k], out->imaginary[k]) <= nothing) {
            out->value[k] = out->imaginary[k] = 0;
            out->n_zero++;
        } else if (out->value[k] < -nothing && out->imaginary[k] == 0)
            out->n_negative++;
    }
    out->verdict = out->n_negative || out->departs ? HOL__REST_UNSTABLE
                   : out->flutters                 ? HOL__REST_OPEN
                   : out->n_zero                   ? HOL__REST_NEUTRAL
                                                   : HOL__REST_STABLE;
}

/* Everything, with room for H and a vector. */
static hol_status solve(hol__static *s, hol__rest *out) {
    const int n = s->n;
    hol__static_states states;
    double *H = HOL__NEW_N(&out->arena, double, (size_t)n *(size_t)n + 1),
           *unit = HOL__NEW_N(&out->arena, double, n + 1);
    out->value = HOL__NEW_N(&out->arena, double, n + 1);
    out->imaginary = HOL__NEW_N(&out->arena, double, n + 1);
    out->motion = HOL__NEW_N(&out->arena, double, (size_t)n *(size_t)n + 1);
    if (!hol__static_states_new(s, &out->arena, &states) || out->arena.failed)
        return HOL_ERR_MEMORY;
    hol__static_condense(s, &states, unit, H);
    for (int i = 0; i < states.n; i++)
        out->integrators += !(states.svd->s[i] > 1e-12 * states.svd->s[0]);
    out->symmetric = is_symmetric(s, H, unit);
    if (n && !(out->symmetric ? solve_symmetric(s, H, out) : solve_general(H, out)))
        return out->arena.failed ? HOL_ERR_MEMORY : HOL_ERR_SINGULAR;
    if (n && !out->symmetric) find_frequencies(s, H, out);
    if (out->arena.failed) return HOL_ERR_MEMORY;
    judge(s, out);
    return HOL_OK;
}

hol_status hol__rest_new(hol__static *s, hol__rest **out) {
    hol__rest *stability = hol__alloc(s->data->ctx, 1, sizeof *stability);
    *out = NULL;
    if (!stability) return HOL_ERR_MEMORY;
    hol__arena_init(&stability->arena, s->data->ctx);
    stability->n = s->n;
    const hol_status status = solve(s, stability);
    if (status)
        hol__rest_free(stability);
    else
        *out = stability;
    return status;
}

void hol__rest_free(hol__rest *stability) {
    if (!stability) return;
    hol_context *ctx = stability->arena.ctx;
    hol__arena_free(&stability->arena);
    hol__release(ctx, stability);
}
