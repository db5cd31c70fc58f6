/* cost.h: what an evaluation costs in reference-point and in relative coordinates, by counting. */
#ifndef HOL_COORDS_COST_H
#define HOL_COORDS_COST_H

#include "model/model.h"

/* Count the multiplications of an evaluation in both sets, of a model whose joints are known and
 * whose coordinates are not chosen yet. cut: as for hol__tree_new. Nothing is counted (zeros)
 * without memory, which the arena of the model then remembers. */
hol__cost hol__coords_cost(hol_model *model, const unsigned char *cut);

/* ---- parts; all return 0 without memory, which the arena remembers ---- */

/* Entries of a symmetric matrix off its diagonal, each couple once. Without lists they are counted
 * alone; then hol__cost_room makes lists for as many, empty. */
typedef struct hol__couples {
    int n;
    int *row, *col;
} hol__couples;

void hol__cost_add(hol__couples *to, int row, int col);
int hol__cost_room(hol__couples *couples, hol__arena *arena);

/* Multiplications to factor such a matrix and to solve with it; unknowns from first_late on come
 * after those that they are coupled with. */
double hol__cost_pattern(const hol__couples *couples, int size, int first_late, hol__arena *arena);

/* Those of [M A^T; A 0] in reference-point coordinates. */
double hol__cost_bodies(const hol_model *model, hol__arena *arena);

/* Closing rows that reach ground: n pairs of a row, rising, and a link on ground that it comes
 * over; and the multiplications for what couples these rows. */
typedef struct hol__grounded {
    int rows, links, n;
    int *row, *link;
} hol__grounded;

double hol__cost_ground(const hol__grounded *grounded, hol__arena *arena);

#endif
