/* ticks.h: marks of an axis, and numbers beside them. */
#ifndef HOL_REPORT_TICKS_H
#define HOL_REPORT_TICKS_H

enum { HOL__MAX_TICKS = 40, HOL__LABEL_SIZE = 40 };

/* A scale from low to high (of logarithms to base 10 where log is set) with marks at round
 * numbers. */
typedef struct hol__scale {
    double low, high;
    int log;
    int n;
    double at[HOL__MAX_TICKS];
    char label[HOL__MAX_TICKS][HOL__LABEL_SIZE];
} hol__scale;

/* Choose about `wanted` marks for values from low to high. widen: let the scale begin and end at
 * marks; else it is exact. */
void hol__scale_init(hol__scale *scale, double low, double high, int log, int wanted, int widen);

/* A value for reading: two decimals, or four digits where that is more; none of those before the
 * point is left out. */
void hol__value_label(double value, char label[HOL__LABEL_SIZE]);

/* The place of a value on the scale, from 0 to 1; not finite where it has none. */
double hol__scale_place(const hol__scale *scale, double value);

#endif
