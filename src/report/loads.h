/* loads.h: reactions and forces that are drawn as arrows, moments as turning arrows, in pictures
 * and scenes, in the sizes of the page: the longest vector of an ordinary instant is 0.15 of the
 * mechanism long, short peaks stop at 1.4 of that, and what is only rounding has no arrow. */
#ifndef HOL_REPORT_LOADS_H
#define HOL_REPORT_LOADS_H

#include "report/geometry.h"

enum { HOL__REACTIONS, HOL__REACTION_MOMENTS, HOL__FORCES, HOL__MOMENTS, HOL__LOAD_SETS };

/* Vectors of all records by element, and how they are drawn. */
typedef struct hol__load_set {
    const double *values;
    int n;
    const hol_element_info *elements;
    const double *points; /* where they act, like values; NULL: at the points of the elements */
    unsigned color;
    int turns;    /* moments */
    double unit;  /* length of 1 N, or radius of 1 N m; 0: no arrows */
    double width; /* of an arrow */
    double most;  /* the longest */
} hol__load_set;

typedef struct hol__loads {
    hol__load_set sets[HOL__LOAD_SETS];
} hol__loads;

/* The sets for these records (NULL: the first n_rows); without a model there are no arrows. Memory
 * that is missing is noted in the arena of the movie. */
void hol__loads_init(hol__loads *loads, hol__movie *movie, const hol__geometry *geometry,
                     int n_rows, const int *rows);

/* The vector of an element at a record, and how long one is; 0 where it is not finite. */
const double *hol__load_vector(const hol__load_set *set, int row, int index);
double hol__load_length(const double *vector);

/* Where it acts, of a set with points. */
const double *hol__load_point(const hol__load_set *set, int row, int index);

/* How long it is drawn; 0: not at all. */
double hol__load_drawn(const hol__load_set *set, double length);

#endif
