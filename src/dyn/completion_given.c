/* completion_given.c: independent coordinates that the caller gives: z = B v with any constant rows
 * B that are independent of each other and of the rows of A [GJB 5.54, 5.60].
 *
 * With any basis R of the null space of A, [A; B] is regular where B R is: if [A; B] x = 0, then x
 * = R y and B R y = 0. So the rows of B R are eliminated one after the other; one of which nothing
 * is left depends on those before it and on A.
 *
 * The watch. An entry of R^ says how much further a coordinate moves than a given one, each in its
 * size. It grows like 1/x towards a position at the distance x in which [A; B] is singular, where z
 * turns back while the mechanism goes on (a slider at the end of its travel). There z - z* falls
 * with x^2/2, so that with z known to tau of its size the two branches on either side of the
 * position cannot be told apart below x = sqrt(tau), that is R^ = 1/sqrt(tau): the bound, with tau
 * the tolerance of the steps, or rounding where they are fixed. A step that is long against x could
 * pass by the bound: 1/R^ falls as a straight line towards the position, and where the next step of
 * the same length would bring it to zero, the rows have failed too.
 */
#include "dyn/completion.h"

#include "la/tolerances.h"

#include <math.h>
#include <string.h>

/* G = B R by rows, with rows of B of size 1 and columns of R of size 1 in sizes of the
 * coordinates, into T. */
static void project_rows(hol__completion *completion, const double *B) {
    const int n = completion->n, f = completion->f;
    for (int l = 0; l < f; l++) {
        double most = 0;
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(completion->R[l * n + j]) / completion->size[j]);
        for (int k = 0; k < f; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += B[k * n + j] * completion->R[l * n + j];
            completion->T[k * f + l] = sum / (most * completion->own[k]);
        }
    }
}

/* The largest of row k of G and its column. */
static double largest_of_row(const hol__completion *completion, int k, int *column) {
    const double *row = completion->T + k * completion->f;
    *column = 0;
    for (int l = 1; l < completion->f; l++)
        if (fabs(row[l]) > fabs(row[*column])) *column = l;
    return fabs(row[*column]);
}

/* Eliminate the pivot of row k from the rows below. */
static void eliminate(hol__completion *completion, int k, int column) {
    const int f = completion->f;
    const double *pivot = completion->T + k * f;
    for (int i = k + 1; i < f; i++) {
        double *row = completion->T + i * f;
        const double share = row[column] / pivot[column];
        for (int l = 0; l < f; l++) row[l] -= share * pivot[l];
        row[column] = 0;
    }
}

/* HOL_SINGULAR where a row of G vanishes: *alone as it is, else by those before it. */
static hol_status check_rows(hol__completion *completion, int *row, int *alone) {
    int column;
    for (int k = 0; k < completion->f; k++)
        if (!(largest_of_row(completion, k, &column) > HOL__RANK_TOLERANCE)) {
            *row = k;
            *alone = 1;
            return HOL_SINGULAR;
        }
    for (int k = 0; k < completion->f; k++) {
        *row = k;
        *alone = 0;
        if (!(largest_of_row(completion, k, &column) > HOL__RANK_TOLERANCE)) return HOL_SINGULAR;
        eliminate(completion, k, column);
    }
    return HOL_OK;
}

hol_status hol__completion_give(hol__completion *completion, const double *B, int exchanges,
                                double bound, int *row, int *alone) {
    const int n = completion->n, f = completion->f;
    hol_status status = hol__completion_factor(completion);
    if (status) return status;
    for (int k = 0; k < f; k++) {
        completion->own[k] = 0;
        for (int j = 0; j < n; j++)
            completion->own[k] = fmax(completion->own[k], fabs(B[k * n + j]) * completion->size[j]);
    }
    hol__completion_form_basis(completion);
    project_rows(completion, B);
    status = check_rows(completion, row, alone);
    if (status) return status;
    completion->basis = HOL__COMPLETION_GIVEN;
    completion->exchanges = exchanges;
    completion->bound = bound;
    if (f) memcpy(completion->B, B, sizeof(double) * (size_t)(f * n));
    hol__completion_set_rows(completion);
    int changed;
    completion->first = completion->last = 0;
    status = hol__completion_renew(completion, &changed);
    completion->first = fmax(1, completion->worst);
    return status;
}

hol_status hol__completion_watch_given(hol__completion *completion, int *exchange) {
    const double last = completion->last, first = completion->first,
                 worst = hol__completion_largest(completion, &completion->worst_row,
                                                 &completion->worst_column);
    completion->worst = completion->last = worst;
    const int strained = first > 0 && worst > completion->watch * first;
    *exchange = strained && completion->exchanges;
    if (!completion->exchanges && strained &&
        (worst >= completion->bound || (last > 0 && 2 / worst <= 1 / last)))
        return HOL_SINGULAR;
    return HOL_OK;
}
