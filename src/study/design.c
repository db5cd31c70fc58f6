/* design.c: where the cases of a study lie. See design.h.
 *
 *     full              every level of each factor with all of the others; the last factor goes
 *                       fastest
 *     latin-hypercube   in n cases each factor is once in each n-th of its range
 *     sobol             points of Sobol's sequence, scrambled
 *     random            independent points
 *     indices           for Sobol's indices [Saltelli 2010]: with points A and B of a sequence of
 *                       twice as many coordinates, the cases A, B, and A with coordinate j of B,
 *                       for each j. Points belong to 16 independent scramblings in turn, so that
 *                       the spread of their estimates says how certain their mean is.
 *     table             the rows of a file
 */
#include "study/design.h"

#include "study/random.h"
#include "study/sobol.h"

#include <string.h>

/* ---- full ---- */

static hol_status check_full(hol_study *s, const hol_item *item) {
    double cases = 1;
    for (int j = 0; j < s->n_factors; j++) {
        if (s->factors[j].spread != HOL__SPREAD_LEVELS)
            return hol__error(s->ctx, &s->factors[j].where, NULL,
                              "factor '%s': a full factorial needs levels; give `values: [...]` or "
                              "`from`, `to` and `steps`, or choose another design",
                              s->factors[j].about.name);
        cases *= s->factors[j].n_levels;
    }
    if (cases > 1e15)
        return hol__study_error(s, item,
                                "the full factorial has %.3g cases; take fewer levels, or "
                                "the design sobol or latin-hypercube with some cases",
                                cases);
    s->cases = (long long)cases;
    return HOL_OK;
}

static void place_full(const hol_study *s, long long k, double *u) {
    for (int j = s->n_factors - 1; j >= 0; j--) {
        const int n = s->factors[j].n_levels;
        u[j] = ((double)(k % n) + 0.5) / n;
        k /= n;
    }
}

/* ---- points ---- */

static hol_status check_points(hol_study *s, const hol_item *item) {
    (void)item;
    s->cases = s->asked;
    return HOL_OK;
}

static void place_latin(const hol_study *s, long long k, double *u) {
    const uint64_t n = (uint64_t)s->cases;
    for (int j = 0; j < s->n_factors; j++) {
        const uint64_t key = hol__bits_at(s->seed, 2, (uint64_t)j);
        const double inside = hol__unit_number(hol__bits_at(key, 3, (uint64_t)k));
        u[j] = ((double)hol__shuffled((uint64_t)k, n, key) + inside) / (double)n;
    }
}

static void place_random(const hol_study *s, long long k, double *u) {
    for (int j = 0; j < s->n_factors; j++)
        u[j] = hol__unit_number(hol__bits_at(s->seed, 4 + (uint64_t)j, (uint64_t)k));
}

/* Whether Sobol's sequence has as many coordinates and points. */
static hol_status check_sobol(hol_study *s, const hol_item *item, int coordinates,
                              const char *instead) {
    if (coordinates > HOL__SOBOL_MOST)
        return hol__study_error(s, item,
                                "the sequence has %d coordinates, and %d are needed for "
                                "%d factors; %s",
                                HOL__SOBOL_MOST, coordinates, s->n_factors, instead);
    if (s->asked > 1ll << HOL__SOBOL_BITS)
        return hol__study_error(s, item, "the sequence has 2^32 points, and %lld are asked for",
                                s->asked);
    return HOL_OK;
}

static hol_status check_sequence(hol_study *s, const hol_item *item) {
    s->cases = s->asked;
    return check_sobol(s, item, s->n_factors, "take latin-hypercube or random");
}

static void place_sequence(const hol_study *s, long long k, double *u) {
    for (int j = 0; j < s->n_factors; j++) u[j] = hol__sobol((uint64_t)k, j, s->seed);
}

/* ---- indices ---- */

static hol_status check_indices(hol_study *s, const hol_item *item) {
    s->cases = s->asked * (s->n_factors + 2);
    if (s->asked % HOL__REPLICATES || s->asked < 4 * HOL__REPLICATES)
        return hol__study_error(s, item,
                                "the points of the design indices belong to %d independent "
                                "sequences, at least four to each: give `points` as a "
                                "multiple of %d from %d on, best a power of 2",
                                HOL__REPLICATES, HOL__REPLICATES, 4 * HOL__REPLICATES);
    return check_sobol(s, item, 2 * s->n_factors, "vary fewer at a time");
}

static void place_indices(const hol_study *s, long long k, double *u) {
    const int n = s->n_factors, part = (int)(k % (n + 2));
    const uint64_t point = (uint64_t)(k / (n + 2));
    const uint64_t seed = hol__bits_at(s->seed, 5, point % HOL__REPLICATES);
    for (int j = 0; j < n; j++)
        u[j] = hol__sobol(point / HOL__REPLICATES, part == 1 || part == 2 + j ? n + j : j, seed);
}

/* ---- table ---- */

/* The rows are there when the factors were read. */
static hol_status check_table(hol_study *s, const hol_item *item) {
    if (!s->table)
        return hol__study_error(s, item,
                                "the design table needs the key `table` with the name of its file");
    return HOL_OK;
}

/* ---- all ---- */

static const hol__design designs[] = {
    {"full", "every level of each factor with all levels of the others", 0, 0, check_full,
     place_full},
    {"sobol", "points of Sobol's sequence, evenly spread; more can be added", 1, 1, check_sequence,
     place_sequence},
    {"latin-hypercube", "in n cases each factor is once in each n-th of its range", 1, 0,
     check_points, place_latin},
    {"random", "independent points; more can be added", 1, 1, check_points, place_random},
    {"indices", "for Sobol's indices: which factors cause how much of the variance", 1, 1,
     check_indices, place_indices},
    {"table", "the rows of a CSV file", 0, 1, check_table, NULL},
};

const hol__design *hol__design_get(int i) {
    return i >= 0 && i < (int)(sizeof designs / sizeof *designs) ? &designs[i] : NULL;
}

int hol__design_is_indices(const hol__design *design) {
    return design->check == check_indices;
}

void hol__study_values(const hol_study *s, long long k, double *values) {
    if (!s->design->place) {
        memcpy(values, s->table + k * s->n_factors, sizeof *values * (size_t)s->n_factors);
        return;
    }
    s->design->place(s, k, values);
    for (int j = 0; j < s->n_factors; j++) values[j] = hol__factor_value(&s->factors[j], values[j]);
}
