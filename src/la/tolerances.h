/* tolerances.h: what counts as zero where a rank or a mass is judged: one set for all
 * factorisations.
 *
 * All are shares, free of units: of a row of unit length, or of the terms that a number is made of.
 * Rounding of one operation is eps = 2.2e-16 of its terms. The pivot of a constraint in a symmetric
 * factorisation is about the square of its share, the part of its row that the others do not span.
 */
#ifndef HOL_LA_TOLERANCES_H
#define HOL_LA_TOLERANCES_H

/* A row is dependent when less than this share of it is new. Rounding leaves some 1e-15; a
 * mechanism assembled to 1e-10 has rows that depend on each other up to about as much. A run takes
 * the option rank_tolerance instead, smaller because its positions are assembled to rounding. */
#define HOL__RANK_TOLERANCE 1e-9

/* A dependent direction counts as independent again above this share: the stages of an integrator
 * lie off the constraints, and redundant rows are then independent by as much. */
#define HOL__RELEASE_TOLERANCE 1e-4

/* A multiplier is not unique where a unit vector of the null space of A^T exceeds this in its row:
 * ten times what a row may be off that counts as dependent. */
#define HOL__UNDETERMINED_TOLERANCE 1e-8

/* A pivot that is smaller than this share of its terms is made of rounding: a sum of 500 terms. */
#define HOL__PIVOT_ROUNDING 1e-13

/* W is singular where one of its pivots is made of rounding. */
#define HOL__MASS_TOLERANCE HOL__PIVOT_ROUNDING

/* The same where the terms are few: a static factorisation that keeps weak rows as long as it
 * can. */
#define HOL__PIVOT_NOISE 1e-14

/* A pivot of W + A^T alpha A below this share of its terms is rounding. */
#define HOL__NORMAL_PIVOT 2e-15

/* Terms that should cancel leave less than this of themselves: a chain of some thousand
 * operations. */
#define HOL__CANCELLED 1e-12

/* An inertia that is smaller than this share of the largest one is none, for scaling. */
#define HOL__MASSLESS 1e-12

/* The smallest principal inertia of a body below this share of their sum is rounding. */
#define HOL__INERTIA_ROUNDING 1e-14

/* An entry of a row of unit length that elimination has brought down to this is zero. */
#define HOL__NOTHING 1e-15

/* Pivots of constraints below this, shares below 1e-5, are left out of a static factorisation and
 * treated beside it: with them it would lose half of the digits. */
#define HOL__DEFLATE_PIVOT 1e-10

/* Below this share of a constraint solutions are refined: an error of eps / share^2 is then 2e-11.
 * For a pivot it is the square. */
#define HOL__REFINE_SHARE 3e-3
#define HOL__REFINE_PIVOT 1e-5

#endif
