/* positions.c: all positions of independent ones: d with Phi(base (+) d) = 0 and B d = z, for
 * states whose positions are the independent ones [GJB 5.56; algorithm 5-5].
 *
 * Newton's iteration. A motion w moves d by rate(d, w) = P w, which differs from w where rotations
 * have turned since the base point (turns.h). With the completion's S and R, [A; B] w = [a; r] for
 * w = S a + R r,
 *
 *     A w = -Phi,   B P w = z - B d:    w = S (-Phi) + R g,   (B P R) g = z - B d - B P S (-Phi)
 *
 * a system of as many equations as there are degrees of freedom. Where nothing has turned far P is
 * nearly 1, and g = z - B d makes an iteration whose error falls by |u|/2 each time, u the largest
 * turn: near enough below NEARLY.
 */
#include "form/positions.h"

#include "dyn/completion.h"

#include <math.h>
#include <string.h>

enum { MAX_NEWTON = 20, MAX_PARTS = 64 };

/* Radians. */
static const double NEARLY = 0.3;

/* The largest share of a half radian or half the size of the mechanism that a coordinate moves by
 * x: a step as large as the mechanism could end in another assembly. */
static double reach(const hol__form *form, const double *x) {
    const hol_model *m = form->model;
    double most = 0;
    for (int k = 0; k < m->nv; k++)
        most = fmax(most, fabs(x[k]) / (hol__is_turn(m, k) ? 1 : m->length));
    return 2 * most;
}

double hol__form_turned(const hol__form *form, const double *d) {
    double most = 0;
    for (int k = 0; k < form->turns.n; k++) {
        const int *at = form->turns.turn[k].at;
        most = fmax(most, d[at[0]] * d[at[0]] + d[at[1]] * d[at[1]] + d[at[2]] * d[at[2]]);
    }
    return sqrt(most);
}

/* out = B P x; scratch: form->f. */
static void rate_of(hol__form *form, const double *x, double *out) {
    const hol_model *m = form->model;
    m->coords->rate(m, form->d, x, form->f);
    hol__completion_project(form->completion, form->f, out);
}

/* x, solved for with P = 1, becomes P w; r = z - B d. */
static hol_status turn(hol__form *form, double *r, double *x) {
    const hol_model *m = form->model;
    hol__completion *completion = form->completion;
    const int n = m->nv, f = completion->f;
    hol__lu *lu = form->turned;
    hol__completion_form_basis(completion);
    rate_of(form, x, lu->a);
    for (int k = 0; k < f; k++) r[k] -= lu->a[k];
    for (int k = 0; k < f; k++) rate_of(form, completion->R + k * n, lu->a + k * f);
    if (hol__lu_factor(lu)) return HOL_SINGULAR;
    hol__lu_solve(lu, 0, r);
    for (int k = 0; k < f; k++)
        for (int j = 0; j < n; j++) x[j] += r[k] * completion->R[k * n + j];
    m->coords->rate(m, form->d, x, form->f);
    memcpy(x, form->f, sizeof *x * (size_t)n);
    return HOL_OK;
}

/* x moves d so that A w = top and B d grows by r, which is used up. */
static hol_status move(hol__form *form, const double *top, double *r, double *x) {
    hol__completion_solve(form->completion, top, r, x);
    if (!form->completion->f || hol__form_turned(form, form->d) < NEARLY) return HOL_OK;
    return turn(form, r, x);
}

/* d moved with the factor of the last state, along the velocity there and its curvature: [A; B] x =
 * [b dt + 1/2 c s^2; z - B d]. s is the time in which that velocity covers z - B d. */
static void predict(hol__form *form, double t, const double *z) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    const hol__completion *completion = form->completion;
    if (completion->tag != data->stamp || data->stage < HOL_STAGE_VEL) return;
    double along = 0, square = 0;
    hol__completion_project(completion, form->d, form->w);
    hol__completion_project(completion, data->v, form->x);
    for (int k = 0; k < completion->f; k++) {
        form->w[k] = z[k] - form->w[k];
        along += form->w[k] * form->x[k];
        square += form->x[k] * form->x[k];
    }
    const double s = square > 0 && data->stage >= HOL_STAGE_DYN ? along / square : 0;
    for (int k = 0; k < m->m; k++)
        form->rhs[k] = data->b[k] * (t - data->t) + (s != 0 ? 0.5 * s * s * data->c[k] : 0);
    if (move(form, form->rhs, form->w, form->x) || !(reach(form, form->x) < 1)) return;
    for (int k = 0; k < m->nv; k++) form->d[k] += form->x[k];
}

/* The iteration for [Phi; B d - share z] = 0, from the d at hand. Steps square the error: after one
 * below 1e-9 only rounding is left. HOL_RETRY: z is too far away. */
static hol_status solve(hol__form *form, double t, const double *z, double share) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    hol__completion *completion = form->completion;
    const double rounding = 1e-15 * m->length, bound = 1e-11 * fmax(1, m->length);
    double step = INFINITY;
    for (int i = 0; i < MAX_NEWTON; i++) {
        hol__form_place(form, t, form->d);
        hol_data_update(data, HOL_STAGE_POS);
        hol__completion_project(completion, form->d, form->w);
        for (int k = 0; k < completion->f; k++) form->w[k] = share * z[k] - form->w[k];
        for (int k = 0; k < m->m; k++) form->rhs[k] = k < m->mh ? -data->Phi[k] : 0;
        const double norm = hol__norm(form->rhs, m->m) + hol__norm(form->w, completion->f);
        if (!isfinite(norm)) return HOL_NONFINITE;
        if (norm <= rounding ||
            (step < 1e-9 && (norm < bound || norm < 100 * hol__data_rounding(data))))
            return HOL_OK;
        hol_status status = hol__completion_factor(completion);
        if (!status) status = move(form, form->rhs, form->w, form->x);
        if (status) return status;
        step = reach(form, form->x);
        if (!(step < 1)) return HOL_RETRY;
        for (int k = 0; k < m->nv; k++) form->d[k] += form->x[k];
    }
    return HOL_NOT_CONVERGED;
}

/* From a prediction, or where that is too far, from the base in 2, 4, ... equal parts. An
 * interpolant is asked for in any order, and its times may be further apart than the stages of a
 * step. */
hol_status hol__form_reach(hol__form *form, double t, const double *z) {
    predict(form, t, z);
    hol_status status = solve(form, t, z, 1);
    for (int parts = 2; status == HOL_RETRY && parts <= MAX_PARTS; parts *= 2) {
        memset(form->d, 0, sizeof(double) * (size_t)form->model->nv);
        status = HOL_OK;
        for (int i = 1; i <= parts && !status; i++) status = solve(form, t, z, (double)i / parts);
    }
    return status;
}
