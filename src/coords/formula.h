/* formula.h: the coordinates of a model as symbols, and the poses of its bodies as formulas of
 * them. */
#ifndef HOL_COORDS_FORMULA_H
#define HOL_COORDS_FORMULA_H

#include "element/formula.h"

/* Symbols for q and v, the rates of q, and the poses and velocities of all bodies; every set of
 * coordinates has them. Returns the status of to->a. */
hol_status hol__symbolic_coordinates(hol__symbolic *to);

/* Natural coordinates: symbols and poses; the rows of rigid bodies; what bodies add to M (nv x nv),
 * which is constant, so that velocities add nothing to Q. */
void hol__symbolic_natural(hol__symbolic *to);
void hol__symbolic_natural_rows(hol__symbolic *to);
void hol__symbolic_natural_mass(hol__symbolic *to, hol__sym *M);

#endif
