/* numbers.c: statistics of columns. See columns.h. */
#include "study/columns.h"

#include <math.h>
#include <stdlib.h>

static int rising(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double *hol__sorted(hol__arena *arena, const double *x, int n, int *found) {
    double *y = HOL__NEW_N(arena, double, n + 1);
    *found = 0;
    for (int i = 0; y && i < n; i++)
        if (isfinite(x[i])) y[(*found)++] = x[i];
    if (y) qsort(y, (size_t)*found, sizeof *y, rising);
    return y;
}

/* A number and where it was. */
typedef struct placed {
    double x;
    int at;
} placed;

static int rising_places(const void *a, const void *b) {
    const placed *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->at > q->at) - (p->at < q->at);
}

int *hol__ranked(hol__arena *arena, const double *x, int n, int *found) {
    placed *list = HOL__NEW_N(arena, placed, n + 1);
    int *order = HOL__NEW_N(arena, int, n + 1);
    *found = 0;
    if (!list || !order) return NULL;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i])) list[(*found)++] = (placed){x[i], i};
    qsort(list, (size_t)*found, sizeof *list, rising_places);
    for (int i = 0; i < *found; i++) order[i] = list[i].at;
    return order;
}

double hol__quantile(const double *sorted, int n, double p) {
    if (n < 1) return NAN;
    const double place = p * (n - 1);
    const int i = (int)place;
    return i + 1 < n ? sorted[i] + (place - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

hol__moments hol__moments_of(const double *x, int n) {
    hol__moments m = {0, 0, 0};
    double squares = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i])) m.mean += x[i], m.n++;
    m.mean = m.n ? m.mean / m.n : NAN;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i])) squares += (x[i] - m.mean) * (x[i] - m.mean);
    m.deviation = m.n > 1 ? sqrt(squares / (m.n - 1)) : NAN;
    return m;
}
