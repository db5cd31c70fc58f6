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
 *
 * Slots closed without a row of their own (beside) share the load of those that have one, as equal
 * stiff springs would: of all pushes with the same effect the least. A unit push of such a slot r
 * takes alpha_rj off the multipliers p_j of the rows, so that the pushes are p - alpha^T s_R and
 * s_R with s_R = alpha (p - alpha^T s_R):
 *
 *     s_R = B p,  B = (1 + alpha alpha^T)^-1 alpha      s = C p,  C = (1 - alpha^T B; B)
 *
 * and p = N_0 + H C p. Slots that are idle (beside, and carry nothing) are left out of B; such a
 * slot would carry a part where alpha_r s > 0.
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

/* How many pushes are unknown: those that slide, or with some beside all that have a row. */
static int n_pushes(const hol_model *m) {
    return m->n_beside ? m->n_gaps : m->n_slides;
}

int hol__slide_size(const hol_model *m) {
    const int n = m->n_slides, p = n_pushes(m), r = m->n_beside, width = (int)body_size(m);
    /* rubbing, unit; s, speed; p, pivot; H, T; f, f0; x; mu; beside: load, alpha, B, K, s */
    return n ? width * (1 + n) + 2 * n + 2 * p + p * (n + p) + 2 * (m->nv + m->bw) + m->nv + m->m +
                   (r ? width : 0) + r * (2 * p + r + 1)
             : 0;
}

/* The arrays within data->slide. */
typedef struct slides {
    double *rubbing;   /* what friction does to the bodies, ground last */
    double *s;         /* the pushes */
    double *unit;      /* by slot: what the friction of a unit push does to the bodies */
    double *speed;     /* by slot: mu times the speed of sliding */
    double *p, *H, *T; /* multipliers of the rows; by row what a unit push of each slide adds to
                        * that; 1 - H C */
    double *f, *f0, *x, *mu;
    double *load, *alpha, *B, *K, *carried; /* of those beside; carried: s_R */
    int *pivot;
} slides;

static slides lay_out(const hol_data *d) {
    const hol_model *m = d->model;
    const size_t width = body_size(m), n = (size_t)m->n_slides, nf = (size_t)(m->nv + m->bw),
                 p = (size_t)n_pushes(m), r = (size_t)m->n_beside;
    slides a = {.rubbing = d->slide};
    a.s = a.rubbing + width;
    a.unit = a.s + n;
    a.speed = a.unit + n * width;
    a.p = a.speed + n;
    a.H = a.p + p;
    a.T = a.H + p * n;
    a.f = a.T + p * p;
    a.f0 = a.f + nf;
    a.x = a.f0 + nf;
    a.mu = a.x + m->nv;
    a.load = a.mu + m->m;
    a.alpha = a.load + (r ? width : 0);
    a.B = a.alpha + r * p;
    a.K = a.B + r * p;
    a.carried = a.K + r * r;
    a.pivot = (int *)(void *)(a.carried + r);
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

/* The multipliers of the rows in the solution mu. */
static void read_pushes(const hol_data *d, const double *mu, double *N, int stride) {
    const hol_model *m = d->model;
    const hol__slide *at = m->n_beside ? m->gaps : m->slides;
    for (int i = 0; i < n_pushes(m); i++)
        N[i * stride] = -mu[hol__rigid_row(m, &m->joints[at[i].joint], at[i].slot, 0)];
}

/* N of the rows for loads on the bodies alone. */
static hol_status respond(hol_data *d, const slides *a, double *load, double *N, int stride) {
    const hol_model *m = d->model;
    map_loads(d, load, a->f);
    for (int i = 0; m->coords->maps && i < m->nv; i++) a->f[i] -= a->f0[i];
    const hol_status status = hol__kernel_solve(d->kernel, a->f, NULL, a->x, a->mu);
    read_pushes(d, a->mu, N, stride);
    return status;
}

/* H and N_0 by solutions with the factors of the data's own kernel. */
static hol_status find_response(hol_data *d, const slides *a) {
    const hol_model *m = d->model;
    const int n = m->n_slides;
    hol_status status = hol__data_factor(d);
    if (!status) status = hol__kernel_solve(d->kernel, d->Q, d->c, a->x, a->mu);
    if (status) return status;
    read_pushes(d, a->mu, a->p, 1);
    for (int k = 0; k < n && !status; k++)
        status = respond(d, a, a->unit + (size_t)k * body_size(m), a->H + k, n);
    return status;
}

/* ---- slots beside ---- */

/* alpha: what unit pushes of the slots beside take off the rows. */
static hol_status find_alpha(hol_data *d, const slides *a) {
    const hol_model *m = d->model;
    hol__force_args args = hol__data_force_args(d);
    const hol__con_args con = hol__rigid_args(&args);
    hol_status status = HOL_OK;
    args.wrench = a->load;
    for (int r = 0; r < m->n_beside && !status; r++) {
        const hol__rigid *rigid = m->joints[m->beside[r].joint].rigid;
        double *alpha = a->alpha + (size_t)r * (size_t)m->n_gaps;
        hol__rigid_point at;
        hol__rigid_at(rigid, &con, m->beside[r].slot, &at);
        memset(a->load, 0, sizeof(double) * body_size(m));
        hol__rigid_push(rigid, &args, &at);
        status = respond(d, a, a->load, alpha, 1);
        for (int j = 0; j < m->n_gaps; j++) alpha[j] = -alpha[j];
    }
    return status;
}

/* B, with 1 and 0 for slots that are idle. */
static hol_status find_shares(const hol_model *m, const slides *a) {
    const int n = m->n_beside, p = m->n_gaps;
    for (int r = 0; r < n; r++) {
        for (int j = 0; j < p; j++) /* by columns, for the solver */
            a->B[(size_t)j * (size_t)n + (size_t)r] =
                m->beside[r].shares ? a->alpha[(size_t)r * (size_t)p + (size_t)j] : 0;
        for (int k = 0; k < n; k++) {
            double sum = r == k;
            for (int j = 0; j < p && m->beside[r].shares && m->beside[k].shares; j++)
                sum += a->alpha[(size_t)r * (size_t)p + (size_t)j] *
                       a->alpha[(size_t)k * (size_t)p + (size_t)j];
            a->K[r * n + k] = sum;
        }
    }
    if (hol__chol_factor(n, a->K)) return HOL_SINGULAR;
    hol__chol_solve(n, p, a->K, a->B);
    return HOL_OK;
}

/* Whether two entries are the same slot. */
static int is_same(hol__slide a, hol__slide b) {
    return a.joint == b.joint && a.slot == b.slot;
}

/* C of slide k and row j: the part of what the row holds that the slide carries. */
static double share_of(const hol_model *m, const slides *a, int k, int j) {
    const int n = m->n_beside;
    const double *B = a->B + (size_t)j * (size_t)n;
    if (!n) return k == j;
    for (int r = 0; r < n; r++)
        if (is_same(m->slides[k], m->beside[r])) return B[r];
    int own = 0;
    while (!is_same(m->slides[k], m->gaps[own])) own++;
    double share = own == j;
    for (int r = 0; r < n; r++)
        share -= a->alpha[(size_t)r * (size_t)m->n_gaps + (size_t)own] * B[r];
    return share;
}

/* ---- all pushes ---- */

/* p = (1 - H C)^-1 N_0 in place, and s = C p; T by rows, so that its factors are those of the
 * transposed matrix. */
static hol_status solve_pushes(const hol_model *m, const slides *a) {
    const int n = m->n_slides, p = n_pushes(m);
    hol__lu lu = {.n = p, .a = a->T, .pivot = a->pivot};
    for (int i = 0; i < p; i++)
        for (int j = 0; j < p; j++) {
            double sum = i == j;
            for (int k = 0; k < n; k++) sum -= a->H[i * n + k] * share_of(m, a, k, j);
            a->T[i * p + j] = sum;
        }
    if (hol__lu_factor(&lu)) return HOL_SINGULAR;
    hol__lu_solve(&lu, 1, a->p);
    for (int k = 0; k < n; k++) {
        a->s[k] = 0;
        for (int j = 0; j < p; j++) a->s[k] += share_of(m, a, k, j) * a->p[j];
    }
    for (int r = 0; r < m->n_beside; r++) {
        a->carried[r] = 0;
        for (int j = 0; j < p; j++)
            a->carried[r] += a->B[(size_t)j * (size_t)m->n_beside + (size_t)r] * a->p[j];
    }
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
    if (!status && m->n_beside) status = find_alpha(d, &a);
    if (!status && m->n_beside) status = find_shares(m, &a);
    if (!status) status = solve_pushes(m, &a);
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

double hol__data_slide_part(const hol_data *d, int k, int row) {
    const hol_model *m = d->model;
    const slides a = lay_out(d);
    const hol__slide *at = m->n_beside ? m->gaps : m->slides;
    for (int j = 0; j < n_pushes(m); j++)
        if (hol__rigid_row(m, &m->joints[at[j].joint], at[j].slot, 0) == row)
            return share_of(m, &a, k, j);
    return 0;
}

/* What a slot with the row j carries of that. */
static double left_of(const hol_model *m, const slides *a, int j) {
    double s = a->p[j];
    for (int r = 0; r < m->n_beside; r++)
        s -= a->alpha[(size_t)r * (size_t)m->n_gaps + (size_t)j] * a->carried[r];
    return s;
}

double hol__data_carries(const hol_data *d, int joint, int slot) {
    const hol_model *m = d->model;
    const slides a = lay_out(d);
    const hol__slide wanted = {joint, slot, 0};
    for (int j = 0; j < m->n_gaps; j++)
        if (is_same(m->gaps[j], wanted)) return left_of(m, &a, j);
    for (int r = 0; r < m->n_beside; r++) {
        double would = 0;
        if (!is_same(m->beside[r], wanted)) continue;
        if (m->beside[r].shares) return a.carried[r];
        for (int j = 0; j < m->n_gaps; j++)
            would += a.alpha[(size_t)r * (size_t)m->n_gaps + (size_t)j] * left_of(m, &a, j);
        return -would;
    }
    return 0;
}
