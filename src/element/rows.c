/* rows.c: the bodies of a record, and rows put into the places of A, A', b and c. */
#include "element/rows.h"

#include <string.h>

static void from_plane(const hol__body2 *b, hol__mover *m) {
    *m = (hol__mover){.r = {b->r[0], b->r[1], 0},
                      .v = {b->v[0], b->v[1], 0},
                      .R = {b->c, -b->s, 0, b->s, b->c, 0, 0, 0, 1},
                      .w = {0, 0, b->w}};
}

static void from_space(const hol__body3 *b, hol__mover *m) {
    memcpy(m->r, b->r, sizeof m->r);
    memcpy(m->v, b->v, sizeof m->v);
    memcpy(m->R, b->R, sizeof m->R);
    memcpy(m->w, b->w, sizeof m->w);
    m->p = b->p;
}

void hol__movers(const hol__con *con, const hol__con_args *args, hol__mover *movers) {
    for (int i = 0; i < con->n_bodies; i++)
        if (args->bodies.b2)
            from_plane(&args->bodies.b2[con->body[i]], &movers[i]);
        else
            from_space(&args->bodies.b3[con->body[i]], &movers[i]);
}

double hol__row_rate(const hol__mover *m, const hol__dual3 *lin, const hol__dual3 *turn) {
    double omega[3];
    hol__mul3(m->R, m->w, omega);
    return hol__dot3(lin->f, m->v) + hol__dot3(turn->f, omega);
}

/* The block of one body: values to A and rates to A' where they are wanted; returns A' v. */
static double put_block(const hol__mover *m, hol__dual3 lin, hol__dual3 turn, int plane, double *A,
                        double *Adot) {
    if (plane) {
        if (A) A[0] = lin.f[0], A[1] = lin.f[1], A[2] = turn.f[2];
        if (Adot) Adot[0] = lin.d[0], Adot[1] = lin.d[1], Adot[2] = turn.d[2];
        return lin.d[0] * m->v[0] + lin.d[1] * m->v[1] + turn.d[2] * m->w[2];
    }
    const hol__dual3 own = hol__dual3_in(m->R, m->w, turn);
    if (A) memcpy(A, lin.f, sizeof lin.f), memcpy(A + 3, own.f, sizeof own.f);
    if (Adot) memcpy(Adot, lin.d, sizeof lin.d), memcpy(Adot + 3, own.d, sizeof own.d);
    return hol__dot3(lin.d, m->v) + hol__dot3(own.d, m->w);
}

void hol__row_put(const hol__con *con, int k, const hol__mover *movers, const hol__row *row,
                  const hol__con_args *args) {
    double Adot_v = 0;
    for (int i = 0; i < con->n_bodies; i++) {
        double *A = NULL, *Adot = NULL;
        if (con->at[i] < 0) continue;
        if (args->want & HOL__WANT_POS) A = args->A + con->at[i] + k * con->stride;
        if (args->want & HOL__WANT_ADOT) Adot = args->Adot + con->at[i] + k * con->stride;
        Adot_v +=
            put_block(&movers[i], row->lin[i], row->turn[i], args->bodies.b2 != NULL, A, Adot);
    }
    if (args->want & HOL__WANT_POS) args->Phi[con->row + k] = row->Phi;
    if (!(args->want & HOL__WANT_VEL)) return;
    args->b[con->row + k] = row->b.f;
    args->c[con->row + k] = row->b.d - Adot_v;
}

int hol__con_slot(hol__build *build, hol__con *con, int body) {
    for (int i = 0; i < con->n_bodies; i++)
        if (con->body[i] == body) return i;
    if (con->n_bodies == HOL__MAX_BODIES) {
        hol__place_error(build, NULL, "acts on more than %d bodies", HOL__MAX_BODIES);
        return -1;
    }
    con->body[con->n_bodies] = body;
    return con->n_bodies++;
}
