/* fit_statistics.c: standard errors, correlations and what data cannot tell. See
 * fit_statistics.h. */
#include "analysis/fit_statistics.h"

#include "la/dense.h"
#include "math/student.h"

#include <math.h>

/* Derivatives of runs have errors of about 1e-8 of their size. */
static const double rank_tolerance = 1e-6, share_of_part = 0.03;

static double *numbers(hol__arena *arena, int n) {
    return HOL__NEW_N(arena, double, n + 1);
}

/* J over the lengths of its columns as Q R; R with its columns in the order of the parameters. */
static int factor(int m, int n, const double *J, hol__qrp *qr, hol__svd *svd,
                  hol__fit_statistics *s) {
    for (int j = 0; j < n; j++) {
        const double *from = J + hol__area(j, m);
        double *to = qr->a + hol__area(j, m), sum = 0;
        for (int i = 0; i < m; i++) sum = hypot(sum, from[i]);
        s->length[j] = sum;
        for (int i = 0; i < m; i++) to[i] = sum > 0 ? from[i] / sum : 0;
    }
    if (hol__qrp_factor(qr)) return 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            svd->a[hol__area(qr->column[k], n) + (size_t)i] =
                i <= k && i < m ? qr->a[hol__area(k, m) + (size_t)i] : 0;
    return hol__svd_factor(svd) == 0;
}

int hol__fit_takes_part(const hol__fit_statistics *s, int k, int j) {
    return fabs(s->direction[k * s->n + j]) > share_of_part;
}

/* Whether no direction that the data do not tell moves parameter j. */
static int is_told(const hol__fit_statistics *s, int j) {
    for (int k = s->rank; k < s->n; k++)
        if (hol__fit_takes_part(s, k, j)) return 0;
    return 1;
}

/* sum_k v_ik v_jk / s_k^2 over what the data tell. */
static double covariance(const hol__fit_statistics *s, int i, int j) {
    double sum = 0;
    for (int k = 0; k < s->rank; k++)
        sum += s->direction[k * s->n + i] * s->direction[k * s->n + j] /
               (s->singular[k] * s->singular[k]);
    return sum;
}

hol_status hol__fit_statistics_of(int m, int n, const double *r, const double *J, hol__arena *arena,
                                  hol__fit_statistics *s) {
    *s = (hol__fit_statistics){.n = n,
                               .error = numbers(arena, n),
                               .correlation = numbers(arena, n * n),
                               .singular = numbers(arena, n),
                               .direction = numbers(arena, n * n),
                               .length = numbers(arena, n)};
    hol__qrp *qr = n ? hol__qrp_new(arena, m, n) : NULL;
    hol__svd *svd = n ? hol__svd_new(arena, n, n) : NULL;
    if (arena->failed || (n && (!qr || !svd))) return HOL_ERR_MEMORY;
    double squares = 0;
    for (int i = 0; i < m; i++) squares += r[i] * r[i];
    s->deviation = m > n ? sqrt(squares / (m - n)) : NAN;
    s->quantile = m > n ? hol__student_quantile(m - n, 0.95) : NAN;
    if (!n) return HOL_OK;
    if (!factor(m, n, J, qr, svd, s)) return HOL_ERR_SINGULAR;
    for (int k = 0; k < n; k++) {
        s->singular[k] = svd->s[k];
        s->rank += svd->s[k] > rank_tolerance * svd->s[0];
        for (int j = 0; j < n; j++) s->direction[k * n + j] = svd->vt[hol__area(j, n) + (size_t)k];
    }
    for (int i = 0; i < n; i++) {
        const int told = is_told(s, i);
        s->error[i] = told ? s->deviation * sqrt(covariance(s, i, i)) / s->length[i] : NAN;
        for (int j = 0; j < n; j++)
            s->correlation[i * n + j] =
                told && is_told(s, j)
                    ? covariance(s, i, j) / sqrt(covariance(s, i, i) * covariance(s, j, j))
                    : NAN;
    }
    return HOL_OK;
}
