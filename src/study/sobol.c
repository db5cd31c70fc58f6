/* sobol.c: Sobol's sequences, scrambled. See sobol.h.
 *
 * Coordinate j of point i is the sum, bit by bit and without carries, of direction numbers v_k over
 * the bits k of i. With the primitive polynomial x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1 and
 * v_k = m_k / 2^k
 *
 *     m_k = 2 a_1 m_(k-1) + 4 a_2 m_(k-2) + ... + 2^s m_(k-s) + m_(k-s)        (+ is exclusive or)
 *
 * The polynomials and the first s numbers m are those of Joe and Kuo, "Constructing Sobol sequences
 * with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), of degree 8 and less.
 *
 * Scrambling [Owen 1995] turns each bit by a random bit that depends on the bits above it. Points
 * keep their even spread; each of them is distributed evenly over the unit cube, and scramblings of
 * different seeds are independent: so their means differ as the errors of each do.
 */
#include "study/sobol.h"

#include "study/random.h"

/* Of coordinates 1, 2, ...: the degree, a_1 ... a_(s-1) as bits, and m_1 ... m_s. Coordinate 0 has
 * m = 1 throughout. */
static const struct row {
    unsigned char s, a, m[8];
} rows[] = {
    /* clang-format off */
    {1, 0, {1}}, {2, 1, {1, 3}}, {3, 1, {1, 3, 1}}, {3, 2, {1, 1, 1}}, {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}}, {5, 2, {1, 1, 5, 5, 17}}, {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}}, {5, 11, {1, 1, 5, 1, 1}}, {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}}, {6, 1, {1, 3, 3, 9, 7, 49}}, {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}}, {6, 19, {1, 1, 1, 15, 7, 5}}, {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}}, {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}}, {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}}, {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}}, {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}}, {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}}, {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}}, {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}}, {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}}, {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}}, {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
    {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}}, {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
    {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}}, {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
    {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}}, {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
    {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}}, {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
    {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}}, {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
    {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}}, {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}},
    {8, 103, {1, 3, 7, 7, 17, 17, 37, 71}}, {8, 115, {1, 3, 1, 5, 27, 63, 123, 213}},
    {8, 122, {1, 1, 3, 5, 11, 43, 53, 133}},
    /* clang-format on */
};

/* Direction number k (from 1) of coordinate j, as a fraction of 2^32. */
static uint32_t direction(int j, int k, uint32_t m[HOL__SOBOL_BITS + 1]) {
    if (!j)
        m[k] = 1;
    else if (k <= rows[j - 1].s)
        m[k] = rows[j - 1].m[k - 1];
    else {
        const int s = rows[j - 1].s;
        m[k] = m[k - s] ^ m[k - s] << s;
        for (int i = 1; i < s; i++)
            if (rows[j - 1].a >> (s - 1 - i) & 1) m[k] ^= m[k - i] << i;
    }
    return m[k] << (HOL__SOBOL_BITS - k);
}

uint32_t hol__sobol_bits(uint64_t i, int j) {
    uint32_t m[HOL__SOBOL_BITS + 1], x = 0;
    for (int k = 1; k <= HOL__SOBOL_BITS && i; k++, i >>= 1) {
        const uint32_t v = direction(j, k, m);
        if (i & 1) x ^= v;
    }
    return x;
}

double hol__sobol(uint64_t i, int j, uint64_t seed) {
    const uint64_t key = hol__bits_at(seed, 1, (uint64_t)j);
    const uint32_t x = hol__sobol_bits(i, j);
    uint32_t y = 0;
    for (int k = 0; k < HOL__SOBOL_BITS; k++) {
        /* the bits above, with a one before them that says how many there are */
        const uint64_t above = (1ull << k) | (k ? x >> (HOL__SOBOL_BITS - k) : 0);
        const uint32_t turn = (uint32_t)(hol__mix(key ^ above) >> 63);
        y = y << 1 | ((x >> (HOL__SOBOL_BITS - 1 - k) & 1) ^ turn);
    }
    /* the bits below those of the sequence are random too */
    return hol__unit_number((uint64_t)y << 32 | hol__mix(key ^ ((1ull << 32) | x)) >> 32);
}
