/* spatial_turn.c: the angular velocity of body 2 against body 1 in a frame F2 of body 2: rows of
 * quasi-coordinates, not of a constraint; positions of a Jacobian alone are asked for.
 *
 *     x' = F2^T (w2 - R2^T R1 w1)
 *     A  = [0, -F2^T R2^T R1 | 0, F2^T]
 */
#include "element/primitives.h"
#include "math/vec3.h"

static void fill_one(const hol__turn3 *rec, const hol__con_args *args) {
    const hol__con *con = &rec->con;
    const hol__body3 *b1 = &args->bodies.b3[con->body[0]], *b2 = &args->bodies.b3[con->body[1]];
    double *A1 = hol__con_block(con, 0, args->A, args->trash),
           *A2 = hol__con_block(con, 1, args->A, args->trash);
    for (int k = 0; k < 3; k++, A1 += con->stride, A2 += con->stride) {
        const double f[3] = {rec->F2[k], rec->F2[3 + k], rec->F2[6 + k]};
        double seen[3], own[3];
        hol__mul3(b2->R, f, seen);
        hol__mul3_t(b1->R, seen, own);
        for (int j = 0; j < 3; j++) {
            A1[j] = A2[j] = 0;
            A1[3 + j] = -own[j], A2[3 + j] = f[j];
        }
        args->Phi[con->row + k] = 0;
    }
}

static void fill(const void *records, int n, const hol__con_args *args) {
    for (int i = 0; i < n && (args->want & HOL__WANT_POS); i++)
        fill_one((const hol__turn3 *)records + i, args);
}

static unsigned live(const void *record, int k, int slot) {
    (void)record, (void)k, (void)slot;
    return 56;
}

static const char *label(const void *record, int k) {
    static const char *const names[] = {"turn x", "turn y", "turn z"};
    (void)record;
    return names[k];
}

const hol__con_type hol__con_turn3 = {
    .name = "relative angular velocity",
    .size = sizeof(hol__turn3),
    .holonomic = 0,
    HOL__CON_OWN,
};
