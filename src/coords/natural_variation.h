/* natural_variation.h: the maps of tangents in natural coordinates (coords.h), in the plane and in
 * space. */
#ifndef HOL_COORDS_NATURAL_VARIATION_H
#define HOL_COORDS_NATURAL_VARIATION_H

#include "coords/natural.h"
#include "math/dual3.h"

int hol__items_movers(const hol_model *model, int body, int *list);
int hol__items_variation_size(const hol_model *model);
void hol__items_vary(const hol_model *model, const hol__bodies *bodies, const double *work,
                     const double *q, const double *v, const double *a, hol__variation *out);
void hol__items_hold(const hol_model *model, const hol__bodies *bodies, const double *w,
                     hol__variation *variation);
void hol__items_bend(const hol_model *model, const hol__variation *variation, int j,
                     double *column);
void hol__items_own_bend(const hol_model *model, const double *lambda, hol__csr *K);

/* The entries of a table of maps. */
#define HOL__ITEMS_VARIATION                                                                       \
    .movers = hol__items_movers, .variation_size = hol__items_variation_size,                      \
    .vary = hol__items_vary, .hold = hol__items_hold, .bend = hol__items_bend,                     \
    .own_bend = hol__items_own_bend

/* A body by its base and legs with their variation along one direction, and what follows from them.
 * */
typedef struct hol__carried_dual {
    const hol__carried *carried;
    hol__dual3 d[2];   /* legs */
    hol__dual3 v[3];   /* rates of base and legs */
    hol__dual3 a[3];   /* second rates */
    double f[3], n[3]; /* a wrench: force global, torque in the body frame (in the plane n[2]) */
    double arm[3];     /* in the plane: R s */
    /* results */
    double turn[3];        /* rotation by the variation of the legs, in the body frame */
    hol__dual3 reach;      /* R s */
    hol__dual3 V, W, A, B; /* velocity, angular velocity, accelerations of the mass centre */
    hol__dual3 pull[2];    /* on the legs */
} hol__carried_dual;

/* Motion and pulls of a body with legs in the plane (natural_variation.c) and in space
 * (natural_dual.c). */
void hol__carried_dual3(hol__carried_dual *x);

#endif
