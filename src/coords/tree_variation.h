/* tree_variation.h: the maps of tangents in relative coordinates (coords.h), the same in the plane
 * and in space. */
#ifndef HOL_COORDS_TREE_VARIATION_H
#define HOL_COORDS_TREE_VARIATION_H

#include "coords/tree.h"

int hol__tree_movers(const hol_model *model, int body, int *list);
int hol__tree_variation_size(const hol_model *model);
void hol__tree_vary(const hol_model *model, const hol__bodies *bodies, const double *work,
                    const double *q, const double *v, const double *a, hol__variation *out);
void hol__tree_hold(const hol_model *model, const hol__bodies *bodies, const double *w,
                    hol__variation *variation);
void hol__tree_bend(const hol_model *model, const hol__variation *variation, int j, double *column);
void hol__tree_pull(const hol_model *model, const hol__bodies *bodies, const double *w,
                    hol__variation *variation, double *out);

/* The entries of a table of maps. */
#define HOL__TREE_VARIATION                                                                        \
    .movers = hol__tree_movers, .variation_size = hol__tree_variation_size,                        \
    .vary = hol__tree_vary, .hold = hol__tree_hold, .bend = hol__tree_bend, .pull = hol__tree_pull

#endif
