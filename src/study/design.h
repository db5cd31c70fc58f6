/* design.h: how the cases of a study are chosen: the table of designs. */
#ifndef HOL_STUDY_DESIGN_H
#define HOL_STUDY_DESIGN_H

#include "study/study.h"

/* A design finds the place of case k in the unit cube of the factors. */
struct hol__design {
    const char *name, *title;
    int counted; /* the file says how many cases (points) there are; else it follows from levels */
    int grows;   /* case k is the same however many there are */
    hol_status (*check)(hol_study *study, const hol_item *item);
    void (*place)(const hol_study *study, long long k, double *u);
};

/* Row i; NULL past the end. */
const hol__design *hol__design_get(int i);

/* The design of Sobol's indices: independent scramblings, points of each, and cases of a point. */
enum { HOL__REPLICATES = 16 };
int hol__design_is_indices(const hol__design *design);

/* The values of the factors in case k. */
void hol__study_values(const hol_study *study, long long k, double *values);

#endif
