/* slide.c: Coulomb friction of rigid contacts that slide, on the constrained solve.
 *
 * The friction mu N against the sliding follows from the push N of the contact, which is the
 * multiplier of its gap (N = -lambda) and follows from the friction in turn. Both are linear: with
 * the loads s of all sliding slots and the friction B_k that a unit push of slot k makes,
 *
 *     M a + A^T lambda = Q + B s,  A a = c        N(s) = N_0 + H s,   s = N(s)
 *
 * so that s = (1 - H)^-1 N_0 takes a solution for each slot with the factors of one matrix. What
 * comes out is a force like any other, so that every method, state and integrator has it. The
 * solver is the data's own (solve.c).
 */
#include "dyn/data.h"
#include "element/acting.h"
#include "element/rigid.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

/* Numbers that a body velocity field has, ground included. */
static size_t body_size(const hol_model *m) {
    return (size_t)(m->bw * (m->nb + 1));
}

int hol__slide_size(const hol_model *m) {
    const int n = m->n_slides, width = (int)body_size(m);
    /* rubbing, unit; s, speed, pivot; H; f, f0; x; mu */
    return n ? width * (1 + n) + 3 * n + n * n + 2 * (m->nv + m->bw) + m->nv + m->m : 0;
}

/* The arrays within data->slide. */
typedef struct slides {
    double *rubbing; /* what friction does to the bodies, ground last */
    double *s;       /* the pushes */
    double *unit;    /* by slot: what the friction of a unit push does to the bodies */
    double *speed;   /* by slot: mu times the speed of sliding */
    double *H, *f, *f0, *x, *mu;
    int *pivot;
} slides;

static slides lay_out(const hol_data *d) {
    const hol_model *m = d->model;
    const size_t width = body_size(m), n = (size_t)m->n_slides, nf = (size_t)(m->nv + m->bw);
    slides a = {.rubbing = d->slide};
    a.s = a.rubbing + width;
    a.unit = a.s + n;
    a.speed = a.unit + n * width;
    a.H = a.speed + n;
    a.f = a.H + n * n;
    a.f0 = a.f + nf;
    a.x = a.f0 + nf;
    a.mu = a.x + m->nv;
    a.pivot = (int *)(void *)(a.mu + m->m);
    return a;
}

/* Where slide k slides, how fast and in which direction; returns the speed over which that
 * turns. */
static double look_at(hol_data *d, int k, hol__rigid_point *at, double u[3], double dir[3]) {
    const hol__slide *slide = &d->model->slides[k];
    const hol__rigid *r = d->model->joints[slide->joint].rigid;
    const hol__force_args args = hol__data_force_args(d);
    const hol__con_args con = hol__rigid_args(&args);
    hol__rigid_at(r, &con, slide->slot, at);
    hol__rigid_slip(r, &con, at, u);
    return hol__rigid_direction(at, u, d->memory + r->memory + HOL__SLIDE * slide->slot, dir);
}

double hol__data_slide_range(hol_data *d) {
    double least = INFINITY, u[3], dir[3];
    hol__rigid_point at;
    for (int k = 0; d->model->dim == 3 && k < d->model->n_slides; k++)
        least = fmin(least, look_at(d, k, &at, u, dir));
    return least;
}

/* What the friction of a unit push of slide k does to the bodies, and mu times its speed. */
static void set_unit(hol_data *d, int k, double *wrench, double *speed) {
    const hol_model *m = d->model;
    const hol__rigid *r = m->joints[m->slides[k].joint].rigid;
    hol__force_args args = hol__data_force_args(d);
    hol__rigid_point at;
    double u[3], dir[3], F[3];
    look_at(d, k, &at, u, dir);
    for (int i = 0; i < 3; i++) F[i] = -r->friction * dir[i];
    memset(wrench, 0, sizeof(double) * body_size(m));
    args.wrench = wrench;
    hol__push_body(&args, r->body[0], at.P.f, F, -1);
    hol__push_body(&args, r->body[1], at.P.f, F, 1);
    *speed = -hol__dot3(F, u);
}

/* Generalised forces of loads on the bodies. */
static void map_loads(hol_data *d, double *load, double *f) {
    const hol_model *m = d->model;
    if (m->coords->maps)
        m->coords->maps->forces(m, &d->bodies, d->recursion, load, f);
    else
        memcpy(f, load, sizeof(double) * (size_t)m->nv);
}

/* N of every slide in the solution mu. */
static void read_pushes(const hol_data *d, const double *mu, double *N, int stride) {
    const hol_model *m = d->model;
    for (int i = 0; i < m->n_slides; i++) {
        const hol__element *joint = &m->joints[m->slides[i].joint];
        N[i * stride] = -mu[hol__rigid_row(m, joint, m->slides[i].slot, 0)];
    }
}

/* H and N_0 by solutions with the factors of the data's own kernel. */
static hol_status find_response(hol_data *d, const slides *a) {
    const hol_model *m = d->model;
    const int n = m->n_slides;
    hol_status status = hol__data_factor(d);
    if (!status) status = hol__kernel_solve(d->kernel, d->Q, d->c, a->x, a->mu);
    if (status) return status;
    read_pushes(d, a->mu, a->s, 1);
    for (int k = 0; k < n && !status; k++) {
        double *unit = a->unit + (size_t)k * body_size(m);
        map_loads(d, unit, a->f);
        for (int i = 0; m->coords->maps && i < m->nv; i++) a->f[i] -= a->f0[i];
        status = hol__kernel_solve(d->kernel, a->f, NULL, a->x, a->mu);
        read_pushes(d, a->mu, a->H + k, n);
    }
    return status;
}

/* s = (1 - H)^-1 s in place; H by rows, so that its factors are those of the transposed matrix. */
static hol_status solve_pushes(int n, const slides *a) {
    hol__lu lu = {.n = n, .a = a->H, .pivot = a->pivot};
    for (int i = 0; i < n * n; i++) a->H[i] = (i % (n + 1) == 0) - a->H[i];
    if (hol__lu_factor(&lu)) return HOL_SINGULAR;
    hol__lu_solve(&lu, 1, a->s);
    return HOL_OK;
}

hol_status hol__data_slide(hol_data *d) {
    const hol_model *m = d->model;
    const int n = m->n_slides;
    if (!n) return HOL_OK;
    const slides a = lay_out(d);
    const size_t width = body_size(m);
    for (int k = 0; k < n; k++) set_unit(d, k, a.unit + (size_t)k * width, &a.speed[k]);
    memset(a.rubbing, 0, sizeof(double) * width);
    if (m->coords->maps) map_loads(d, a.rubbing, a.f0);
    hol_status status = find_response(d, &a);
    if (!status) status = solve_pushes(n, &a);
    for (int k = 0; k < n && !status; k++) {
        for (size_t i = 0; i < width; i++) a.rubbing[i] += a.s[k] * a.unit[(size_t)k * width + i];
        d->power -= a.s[k] * a.speed[k];
    }
    for (size_t i = 0; i < width; i++) d->load[i] += a.rubbing[i];
    return status;
}

const double *hol__data_rubbing(const hol_data *d) {
    return d->model->n_slides ? lay_out(d).rubbing : NULL;
}

double hol__data_slide_push(const hol_data *d, int k, const double **wrench) {
    const slides a = lay_out(d);
    *wrench = a.unit + (size_t)k * body_size(d->model);
    return a.s[k];
}
