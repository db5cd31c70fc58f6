/* random.h: numbers that look random and are functions of their place: of a seed, a case and a
 * factor. Nothing is drawn in an order, so that every thread finds the same.
 */
#ifndef HOL_STUDY_RANDOM_H
#define HOL_STUDY_RANDOM_H

#include <stdint.h>

/* A one-to-one map of 64 bits in which each bit of the result depends on all of x: the finalizer of
 * splitmix64 [Steele, Lea, Flood 2014]. */
static inline uint64_t hol__mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Bits of a place in a stream of a seed. */
static inline uint64_t hol__bits_at(uint64_t seed, uint64_t stream, uint64_t place) {
    return hol__mix(hol__mix(hol__mix(seed) ^ stream) ^ place);
}

/* A number above 0 and below 1 of 52 bits: the middle of its interval, so that neither end is
 * met. */
static inline double hol__unit_number(uint64_t bits) {
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

/* Where i goes in an order of n things, 0 <= i < n, that the key decides: a one-to-one map. */
uint64_t hol__shuffled(uint64_t i, uint64_t n, uint64_t key);

#endif
