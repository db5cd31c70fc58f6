/* excite.c: inputs of the linear equations. See excite.h. */
#include "analysis/excite.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* ---- loads ---- */

/* The parts of a load, plane and space. */
static const char *const planar[] = {"fx", "fy", "m", NULL};
static const char *const spatial[] = {"fx", "fy", "fz", "mx", "my", "mz", NULL};

/* The wrench of a unit of component k of body i: global frame, torques in space of the body's. */
static void load_body(const hol_data *data, int i, int k, double *w) {
    double *of = w + data->model->bw * i;
    if (data->model->dim == 2 || k < 3) {
        of[k] = 1;
        return;
    }
    const double axis[3] = {k == 3, k == 4, k == 5};
    hol__mul3_t(data->bodies.b3[i].R, axis, of + 3);
}

static int find_load(const hol_data *data, const char *name, hol__excite *input) {
    const hol_model *m = data->model;
    const char *dot = strrchr(name, '.');
    const char *const *parts = m->dim == 2 ? planar : spatial;
    for (int i = 0; dot && i < m->nb; i++) {
        const size_t n = (size_t)(dot - name);
        if (strncmp(m->bodies[i].name, name, n) != 0 || m->bodies[i].name[n]) continue;
        for (int k = 0; parts[k]; k++)
            if (strcmp(parts[k], dot + 1) == 0) {
                load_body(data, i, k, input->w);
                input->unit = k < m->dim ? "N" : "N*m";
                return 1;
            }
    }
    return 0;
}

/* ---- the effect ---- */

/* da of one order from its right-hand sides. */
static hol_status solve(hol__small *s, const double *f, const double *c, double *da) {
    double *mu = HOL__NEW_N(&s->matrices, double, s->model->m + 1);
    return mu ? hol__accelerator_solve(s->accelerator, f, c, da, mu) : HOL_ERR_MEMORY;
}

/* Vectors that all orders share. */
typedef struct effect {
    hol__small *s;
    hol__excite *input;
    double *f, *c, *da[3], *e, *e0, *e1, *rate, *room, *none;
} effect;

static int make_room(effect *x) {
    const hol_model *m = x->s->model;
    hol__arena *arena = &x->s->matrices;
    double **const over_v[] = {&x->f,    &x->da[0],     &x->da[1],       &x->da[2],
                               &x->none, &x->input->n0, &x->input->S[0], &x->input->S[1]};
    double **const over_bodies[] = {&x->e, &x->e0, &x->e1, &x->rate, &x->room};
    for (int i = 0; i < 8; i++) *over_v[i] = HOL__NEW_N(arena, double, m->nv + 1);
    for (int i = 0; i < 5; i++)
        *over_bodies[i] = HOL__NEW_N(arena, double, x->s->rows + m->bw * (m->nb + 1));
    for (int i = 0; i < 3; i++) x->input->B[i] = HOL__NEW_N(arena, double, x->s->p.n + 1);
    x->c = HOL__NEW_N(arena, double, m->m + 1);
    x->input->w = HOL__NEW_N(arena, double, hol__area(m->bw, m->nb + 1));
    return !arena->failed;
}

/* Whether a change of the coordinates is more than what differences leave of nothing. */
static int is_something(const hol_model *m, const double *x, double step, double scale) {
    double most = 0;
    for (int j = 0; j < m->nv; j++) most = fmax(most, fabs(x[j]) / hol__coordinate_size(m, j));
    return most * step > 1e-11 * scale;
}

/* n0, S0, S1 of what is no load; what is nothing becomes zero. */
static hol_status follow(effect *x) {
    hol__small *s = x->s;
    hol__excite *input = x->input;
    const hol__parameter_terms *t = input->by;
    const hol_model *m = s->model;
    const size_t bytes = sizeof(double) * (size_t)m->nv;
    const double step = input->parameter ? hol__parameter_step(input->parameter) : 1;
    for (int i = 0; i < m->mh; i++) x->c[i] = -t->Phi[i];
    hol_status status = hol__perturb_follow(&s->p, s->data, 1, x->c, &s->matrices, input->n0);
    if (!is_something(m, input->n0, step, 1)) memset(input->n0, 0, bytes);
    for (int i = m->mh; i < m->m; i++) x->c[i] = 0;
    if (!status) status = hol__perturb_follow(&s->p, s->data, 0, x->c, &s->matrices, input->S[1]);
    if (!is_something(m, input->S[1], step, 1)) memset(input->S[1], 0, bytes);
    for (int i = 0; i < m->m; i++) x->c[i] = -t->P[i];
    hol__csr_mul_add(&s->tangent->Pq, -1, input->n0, x->c);
    if (!status) status = hol__perturb_follow(&s->p, s->data, 0, x->c, &s->matrices, input->S[0]);
    if (!is_something(m, input->S[0], step, s->rate)) memset(input->S[0], 0, bytes);
    for (int j = 0; j < m->nv; j++)
        if (input->n0[j] != 0 || input->S[0][j] != 0 || input->S[1][j] != 0) input->moves = 1;
    return status;
}

/* da by u, u' and u'' of what is no load. */
static hol_status accelerate(effect *x) {
    hol__small *s = x->s;
    const hol__excite *input = x->input;
    const hol__parameter_terms *t = input->by;
    const hol__tangent *T = s->tangent;
    const hol_model *m = s->model;
    memcpy(x->f, t->F, sizeof(double) * (size_t)m->nv);
    memcpy(x->c, t->C, sizeof(double) * (size_t)m->m);
    hol__csr_mul_add(&T->K, 1, input->n0, x->f);
    hol__csr_mul_add(&T->B, 1, input->S[0], x->f);
    hol__csr_mul_add(&T->Cq, 1, input->n0, x->c);
    hol__csr_mul_add(&T->Cv, 1, input->S[0], x->c);
    hol_status status = solve(s, x->f, x->c, x->da[0]);
    if (status || !input->moves) return status;
    hol__csr_mul(&T->B, input->S[1], x->f);
    hol__csr_mul(&T->Cv, input->S[1], x->c);
    for (int i = 0; i < m->m; i++) x->c[i] -= (i < m->mh ? 2 : 1) * t->P[i];
    status = solve(s, x->f, x->c, x->da[1]);
    if (status) return status;
    memset(x->f, 0, sizeof(double) * (size_t)m->nv);
    for (int i = 0; i < m->m; i++) x->c[i] = i < m->mh ? -t->Phi[i] : 0;
    return solve(s, x->f, x->c, x->da[2]);
}

/* B of all orders: E s' = f0 u + (f1 - e0) u' + (f2 - e1) u''. */
static hol_status reduce(effect *x) {
    hol__small *s = x->s;
    hol__excite *input = x->input;
    const int rows = s->rows, z = rows - s->model->n_aux;
    hol__small_column(s, input->n0, input->S[0], x->da[0], NULL, x->e0, x->rate, x->room);
    for (int i = z; input->by && i < rows; i++) x->rate[i] += input->by->R[i - z];
    hol__small_states(s, x->rate, input->B[0]);
    if (!input->moves) return HOL_OK;
    hol__small_column(s, x->none, input->S[1], x->da[1], NULL, x->e1, x->rate, x->room);
    for (int i = 0; i < rows; i++) x->rate[i] -= x->e0[i];
    hol__small_states(s, x->rate, input->B[1]);
    hol__small_column(s, x->none, x->none, x->da[2], NULL, x->e, x->rate, x->room);
    for (int i = 0; i < rows; i++) x->rate[i] -= x->e1[i];
    hol__small_states(s, x->rate, input->B[2]);
    return HOL_OK;
}

/* The same about a state that is not steady: nothing of n0, S0 and S1 is at the independent
 * coordinates, so that their rates are those of x and y. */
static hol_status reduce_instant(effect *x) {
    hol__small *s = x->s;
    hol__excite *input = x->input;
    const double *const dq[] = {input->n0, x->none, x->none}, *const dv[] = {input->S[0],
                                                                             input->S[1], x->none};
    hol_status status = HOL_OK;
    for (int k = 0; k < (input->moves ? 3 : 1) && !status; k++) {
        status = hol__small_instant(s, dq[k], dv[k], x->da[k], input->B[k]);
        hol__small_column(s, dq[k], dv[k], x->da[k], NULL, x->e, x->rate, x->room);
        for (int i = 0; i < s->p.n_aux; i++)
            input->B[k][s->p.n_q + s->p.n_v + i] =
                x->rate[s->rows - s->p.n_aux + i] + (k == 0 && input->by ? input->by->R[i] : 0);
    }
    return status;
}

/* ---- names ---- */

/* Say that there is no such input. */
static hol_status unknown(hol__small *s, const char *name) {
    const hol_model *m = s->model;
    return hol__report(s->arena.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "there is no input '%s'; an input is a parameter of the model, a driver or "
                       "motor, a joint, spring or damper for a load along it, or a load on a body "
                       "such as '%s.%s'",
                       name, m->nb ? m->bodies[0].name : "body", m->dim == 2 ? "m" : "mz");
}

/* What the input is; by or w say so. */
static hol_status find(hol__small *s, const hol_spec *spec, const char *coordinates,
                       const char *name, hol__excite *input) {
    if (hol__excite_is_parameter(spec, name)) {
        hol_status status = hol__parameter_tangent_new(s->arena.ctx, spec, coordinates, name,
                                                       s->data, &input->parameter);
        if (!status) status = hol__parameter_tangent_update(input->parameter, s->data);
        if (input->parameter) input->by = &input->parameter->by;
        return status;
    }
    if (hol__excite_find_driver(s, name, input))
        return s->matrices.failed ? HOL_ERR_MEMORY : HOL_OK;
    if (hol__excite_is_coordinate(s->model, name)) return hol__excite_coordinate(s, name, input);
    return find_load(s->data, name, input) ? HOL_OK : unknown(s, name);
}

hol_status hol__excite_new(hol__small *s, const hol_spec *spec, const char *coordinates,
                           const char *name, hol__excite *input) {
    *input = (hol__excite){.name = hol__arena_text(&s->matrices, name), .unit = ""};
    effect x = {.s = s, .input = input};
    if (!input->name || !make_room(&x)) return HOL_ERR_MEMORY;
    hol_status status = find(s, spec, coordinates, name, input);
    if (!status && input->by) {
        status = follow(&x);
        if (!status) status = accelerate(&x);
    } else if (!status) {
        hol__tangent_pull(s->tangent, input->w, x.f);
        status = solve(s, x.f, x.c, x.da[0]);
    }
    if (!status) status = s->motion == HOL__MOTION_STATE ? reduce_instant(&x) : reduce(&x);
    if (status) hol__excite_free(input);
    return status;
}

void hol__excite_free(hol__excite *input) {
    hol__parameter_tangent_free(input->parameter);
    input->parameter = NULL;
    input->by = NULL;
}
