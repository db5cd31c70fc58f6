/* optima.c: which ends of searches are one optimum: single linkage, in shares of the ranges. */
#include "study/searches.h"

#include <math.h>
#include <stdlib.h>

/* The first of those that a search is one with. */
static int root_of(int *up, int k) {
    while (up[k] != k) k = up[k] = up[up[k]];
    return k;
}

static int are_near(int n, const double *a, const double *b, const double *width, double near) {
    for (int j = 0; j < n; j++)
        if (!(fabs(a[j] - b[j]) <= near * width[j])) return 0;
    return 1;
}

/* An optimum: its least value, and the first of its searches. */
typedef struct group {
    double value;
    int root;
} group;

static int rising(const void *a, const void *b) {
    const group *p = a, *q = b;
    return p->value != q->value ? (p->value > q->value) - (p->value < q->value) : p->root - q->root;
}

int hol__optima_sort(hol__arena *room, int searches, int n, const double *ends,
                     const double *values, const unsigned char *kept, const double *width,
                     double near, int *optimum) {
    int *up = HOL__NEW_N(room, int, searches + 1), *place = HOL__NEW_N(room, int, searches + 1),
        count = 0;
    group *groups = HOL__NEW_N(room, group, searches + 1);
    if (!up || !place || !groups) return -1;
    for (int k = 0; k < searches; k++) up[k] = k;
    for (int k = 0; k < searches; k++)
        for (int l = 0; l < k && kept[k]; l++) {
            if (!kept[l] || !are_near(n, ends + k * n, ends + l * n, width, near)) continue;
            const int a = root_of(up, k), b = root_of(up, l);
            up[a > b ? a : b] = a > b ? b : a;
        }
    for (int k = 0; k < searches; k++) {
        const int root = root_of(up, k);
        if (!kept[k]) continue;
        if (root == k) {
            place[k] = count;
            groups[count++] = (group){values[k], k};
        } else
            groups[place[root]].value = fmin(groups[place[root]].value, values[k]);
    }
    qsort(groups, (size_t)count, sizeof *groups, rising);
    for (int i = 0; i < count; i++) place[groups[i].root] = i;
    for (int k = 0; k < searches; k++) optimum[k] = kept[k] ? place[root_of(up, k)] : -1;
    return count;
}
