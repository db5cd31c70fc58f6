/* sobol.h: Sobol's sequences in base 2, scrambled; see sobol.c. */
#ifndef HOL_STUDY_SOBOL_H
#define HOL_STUDY_SOBOL_H

#include <stdint.h>

/* As many coordinates as there are rows of direction numbers, and bits of the number of a point. */
enum { HOL__SOBOL_MOST = 53, HOL__SOBOL_BITS = 32 };

/* Coordinate j of point i (below 2^32), a number above 0 and below 1, in the scrambling of a
 * seed. */
double hol__sobol(uint64_t i, int j, uint64_t seed);

/* The same before it is scrambled, as a fraction of 2^32. */
uint32_t hol__sobol_bits(uint64_t i, int j);

#endif
