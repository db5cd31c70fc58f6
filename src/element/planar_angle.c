/* planar_angle.c: the relative angle of two bodies in the plane is f(t).
 *
 *     Phi = theta2 - theta1 - offset - f(t)
 *     A = [0 0 -1 | 0 0 1]      A' = 0      b = f'      c = f''
 */
#include "element/formula.h"
#include "element/primitives.h"

static void fill(const void *records, int n, const hol__con_args *args) {
    const hol__angle2 *rec = records;
    for (int i = 0; i < n; i++, rec++) {
        const hol__con *con = &rec->con;
        const hol__jet f = hol__law_jet(&rec->f, args->inputs[0], args->scratch);
        if (args->want & HOL__WANT_POS) {
            double *A1 = hol__con_block(con, 0, args->A, args->trash),
                   *A2 = hol__con_block(con, 1, args->A, args->trash);
            args->Phi[con->row] = args->bodies.b2[con->body[1]].theta -
                                  args->bodies.b2[con->body[0]].theta - rec->offset - f.f;
            A1[0] = A1[1] = A2[0] = A2[1] = 0;
            A1[2] = -1;
            A2[2] = 1;
        }
        if (args->want & HOL__WANT_VEL) args->b[con->row] = f.d1, args->c[con->row] = f.d2;
        if (args->want & HOL__WANT_ADOT) {
            double *D1 = hol__con_block(con, 0, args->Adot, args->trash);
            double *D2 = hol__con_block(con, 1, args->Adot, args->trash);
            for (int k = 0; k < 3; k++) D1[k] = D2[k] = 0;
        }
    }
}

/* c = f''(t) does not depend on the poses. */
static void bias(const void *record, const hol__pose_direction *at, double *rows) {
    (void)record, (void)at, (void)rows;
}

static unsigned live(const void *record, int k, int slot) {
    (void)record, (void)k, (void)slot;
    return 4;
}

static const char *label(const void *record, int k) {
    (void)record, (void)k;
    return "rotation";
}

/* Phi = theta2 - theta1 - offset - f(t) */
static int formula(const void *record, hol__symbolic *to) {
    const hol__angle2 *rec = record;
    const hol__sym terms[4] = {
        to->bodies[rec->con.body[1]].theta, hol__sym_neg(to->a, to->bodies[rec->con.body[0]].theta),
        hol__sym_neg(to->a, hol__symbolic_angle_number(to, &rec->offset, "alpha")),
        hol__sym_neg(to->a, hol__symbolic_drive(to, &rec->f, "f"))};
    hol__symbolic_row(to, 0, hol__sym_sum(to->a, 4, terms));
    return 1;
}

static const hol__local_type local = {.space = HOL__LOCAL_ROW, .x = "theta2 - theta1", .C = "1"};

const hol__con_type hol__con_angle2 = {
    .name = "given angle",
    .size = sizeof(hol__angle2),
    .holonomic = 1,
    HOL__CON_OWN,
    .tangent = bias,
    .local = &local,
    .formula = formula,
};
