/* shuffle.c: the place of one thing in a random order, without the order.
 *
 * A Feistel network of four rounds is one-to-one on pairs of halves (L, R) -> (R, L xor f(R)),
 * whatever f is. On the least square number of halves that holds n numbers it is walked until the
 * result lies below n [Black, Rogaway 2002]; fewer than four in the mean, since 2^(2b) < 4 n.
 */
#include "study/random.h"

enum { ROUNDS = 4 };

uint64_t hol__shuffled(uint64_t i, uint64_t n, uint64_t key) {
    int half = 1;
    while (half < 32 && (1ull << (2 * half)) < n) half++;
    const uint64_t mask = (1ull << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (int r = 0; r < ROUNDS; r++) {
            const uint64_t next = left ^ (hol__bits_at(key, (uint64_t)r, right) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}
