/* static_system.c: virtual displacements, reduced forces and stiffness. See static_system.h. */
#include "analysis/static_system.h"

#include "la/tolerances.h"

#include <math.h>
#include <string.h>

enum { MAX_CLOSE = 40 };

static const double closed = 1e-13;    /* |Phi| over the length of the mechanism */
static const double accepted = 1e-10;  /* the same, where rounding leaves no less */
static const double slow_swing = 0.01; /* 1/s^2: the square of one radian in ten seconds */
static const double slow = 0.3;        /* a residual that falls by less wants new factors */

static double *numbers(hol__static *s, int rows, int columns) {
    return hol__arena_alloc(&s->arena, (size_t)rows * (size_t)columns + 1, sizeof(double));
}

/* All arrays; 0 without memory. */
static int allocate(hol__static *s) {
    const hol_model *m = s->model;
    const int nv = m->nv, rows = m->m, body = s->n_body;
    s->B = numbers(s, body, nv);
    s->scale = numbers(s, nv, 1);
    s->row = numbers(s, rows, 1);
    s->Z = numbers(s, nv, nv);
    s->f = numbers(s, nv, 1);
    s->H = numbers(s, nv, nv);
    s->Qz = numbers(s, nv, m->n_aux);
    s->Rq = numbers(s, m->n_aux, nv);
    s->Rz = numbers(s, m->n_aux, m->n_aux);
    s->rate = numbers(s, m->n_aux, 1);
    s->held = HOL__NEW_N(&s->arena, unsigned char, m->n_aux + 1);
    s->lambda = numbers(s, rows, 1);
    s->q = numbers(s, m->nq, 1);
    s->z = numbers(s, m->n_aux, 1);
    s->KZ = numbers(s, nv, nv);
    s->C = numbers(s, body, nv);
    s->gram = numbers(s, nv, nv);
    s->step = numbers(s, nv, 1);
    s->right = numbers(s, nv > rows ? nv : rows, 1);
    s->part = numbers(s, body > nv ? body : nv, 1);
    s->lift = numbers(s, nv, 1);
    s->load = numbers(s, nv, 1);
    s->eigh = hol__eigh_new(&s->arena, nv > 0 ? nv : 1);
    if (rows && nv) s->qr = hol__qrp_new(&s->arena, nv, rows);
    return !s->arena.failed && s->eigh && (s->qr || !rows || !nv);
}

/* Which states belong to joints: the positions of drivers that are given by their velocities. */
static void find_held(hol__static *s) {
    const hol_model *m = s->model;
    for (int i = 0; i < m->n_joints; i++)
        if (m->joints[i].n_aux) memset(s->held + m->joints[i].aux, 1, (size_t)m->joints[i].n_aux);
    for (int i = 0; i < m->nb; i++) s->mass += m->bodies[i].mass;
}

hol_status hol__static_new(hol_data *data, hol__static **out) {
    hol__static *s = hol__alloc(data->ctx, 1, sizeof *s);
    *out = NULL;
    if (!s) return HOL_ERR_MEMORY;
    hol__arena_init(&s->arena, data->ctx);
    s->data = data;
    s->model = data->model;
    s->n_body = data->model->bw * data->model->nb;
    hol_status status = allocate(s) ? hol__tangent_new(data, &s->tangent) : HOL_ERR_MEMORY;
    if (!status) find_held(s);
    if (status)
        hol__static_free(s);
    else
        *out = s;
    return status;
}

void hol__static_free(hol__static *s) {
    if (!s) return;
    hol_context *ctx = s->arena.ctx;
    hol__tangent_free(s->tangent);
    hol__arena_free(&s->arena);
    hol__release(ctx, s);
}

/* The displacements of the bodies for unit velocity j: the twists that it gives them. */
static void body_column(hol__static *s, int j) {
    const hol_model *m = s->model;
    const hol__bodies *b = &s->data->bodies;
    double *out = s->B + (size_t)j * (size_t)s->n_body;
    memset(s->step, 0, sizeof(double) * (size_t)m->nv);
    s->step[j] = 1;
    m->coords->twists(m, s->step, &s->data->bodies, s->data->recursion);
    for (int i = 0; i < m->nb; i++, out += m->bw) {
        for (int k = 0; k < m->dim; k++) out[k] = b->b2 ? b->b2[i].v[k] : b->b3[i].v[k];
        if (b->b2) out[2] = m->length * b->b2[i].w;
        for (int k = 0; b->b3 && k < 3; k++) out[3 + k] = m->length * b->b3[i].w[k];
    }
}

/* B, and the size of each direction. The velocities in the bodies are those of the state again. */
static void make_bodies(hol__static *s) {
    hol_data_update(s->data, HOL_STAGE_POS);
    for (int j = 0; j < s->model->nv; j++) {
        body_column(s, j);
        s->scale[j] = fmax(hol__norm(s->B + (size_t)j * (size_t)s->n_body, s->n_body),
                           hol__is_turn(s->model, j) ? s->model->length : 1);
    }
    hol__data_set_v(s->data, NULL);
}

/* Factor A^T over scaled directions with rows of unit length, and find its rank. */
static void factor_rows(hol__static *s) {
    const hol_model *m = s->model;
    const hol__csr *A = &s->data->A;
    s->rank = 0;
    s->n = m->nv;
    if (!s->qr) return;
    memset(s->qr->a, 0, sizeof(double) * (size_t)m->nv * (size_t)m->m);
    for (int i = 0; i < m->m; i++) {
        double *column = s->qr->a + (size_t)i * (size_t)m->nv;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            column[A->idx[k]] = A->x[k] / s->scale[A->idx[k]];
        s->row[i] = hol__norm(column, m->nv);
        for (int j = 0; s->row[i] > 0 && j < m->nv; j++) column[j] /= s->row[i];
    }
    hol__qrp_factor(s->qr);
    const int most = m->nv < m->m ? m->nv : m->m;
    while (s->rank < most &&
           fabs(s->qr->a[(size_t)s->rank * (size_t)(m->nv + 1)]) > HOL__RANK_TOLERANCE)
        s->rank++;
    s->n = m->nv - s->rank;
}

/* Whether the displacements of the bodies make a metric of Z: (B Z)^T B Z = L L^T into gram. */
static int make_metric(hol__static *s) {
    const int n = s->n, nv = s->model->nv;
    hol__dense_product(0, 0, s->n_body, n, nv, s->B, s->Z, s->C);
    hol__dense_gram(s->n_body, n, s->C, s->gram);
    return hol__chol_factor(n, s->gram) == 0;
}

/* Z: what A leaves, with displacements of the bodies of unit length. Where some directions move no
 * body (points of natural coordinates alone), lengths are those of the scaled directions. */
static void make_motions(hol__static *s) {
    const int n = s->n, nv = s->model->nv;
    if (!n) return;
    if (s->rank)
        hol__qrp_complement(s->qr, s->rank, s->Z);
    else {
        memset(s->Z, 0, sizeof(double) * (size_t)nv * (size_t)nv);
        for (int j = 0; j < nv; j++) s->Z[(size_t)j * (size_t)(nv + 1)] = 1;
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < nv; j++) s->Z[(size_t)k * (size_t)nv + (size_t)j] /= s->scale[j];
    if (!s->n_body || !make_metric(s)) return;
    for (int j = 0; j < nv; j++) { /* row j of Z times L^-T */
        for (int k = 0; k < n; k++) s->lift[k] = s->Z[(size_t)k * (size_t)nv + (size_t)j];
        hol__lower_solve(n, 1, s->gram, s->lift);
        for (int k = 0; k < n; k++) s->Z[(size_t)k * (size_t)nv + (size_t)j] = s->lift[k];
    }
}

/* lambda: what the independent rows carry of Q. */
static void make_multipliers(hol__static *s, const double *Q) {
    const hol_model *m = s->model;
    if (m->m) memset(s->lambda, 0, sizeof(double) * (size_t)m->m);
    if (!s->rank) return;
    for (int j = 0; j < m->nv; j++) s->right[j] = Q[j] / s->scale[j];
    hol__qrp_apply(s->qr, s->rank, 1, s->right);
    hol__upper_solve(s->rank, s->qr->a, m->nv, s->right);
    for (int k = 0; k < s->rank; k++) {
        const int i = s->qr->column[k];
        s->lambda[i] = s->right[k] / s->row[i];
    }
}

/* The largest load of one force, or of gravity, on a body. */
static double largest_force(hol__static *s) {
    const hol_model *m = s->model;
    double most = 0;
    for (int i = 0; i < m->nb; i++)
        most = fmax(most, m->bodies[i].mass * hol__norm(m->gravity, m->dim));
    for (int i = 0; i < m->n_forces; i++) {
        hol__data_force_wrench(s->data, i);
        for (int k = 0; k < 2; k++) {
            const double *w = s->data->wrench + m->bw * m->forces[i].body[k];
            if (m->forces[i].body[k] >= m->nb) continue;
            for (int j = 0; j < m->bw; j++)
                most = fmax(most, fabs(w[j]) / (j < m->dim ? 1 : m->length));
        }
    }
    for (int j = 0; j < m->nv; j++)
        most = fmax(most, fmax(fabs(s->data->Q[j]), fabs(s->load[j])) / s->scale[j]);
    return most;
}

hol_status hol__static_evaluate(hol__static *s) {
    const hol_model *m = s->model;
    make_bodies(s);
    if (!hol__csr_is_finite(&s->data->A)) return HOL_NONFINITE;
    factor_rows(s);
    make_motions(s);
    hol_status status = s->carrier ? hol__static_carry(s) : HOL_OK;
    if (!status) status = hol_data_update(s->data, HOL_STAGE_DYN);
    if (status) return status;
    const double *Q = hol__data_forces(s->data);
    if (!Q || !isfinite(hol__norm(Q, m->nv))) return HOL_NONFINITE;
    memcpy(s->load, Q, sizeof(double) * (size_t)m->nv);
    if (s->carrier) hol__csr_mul_add(hol__data_mass(s->data), -1, s->a, s->load);
    make_multipliers(s, s->load);
    if (s->n) hol__dense_mul_t(m->nv, s->n, 1, s->Z, s->load, 0, s->f);
    s->force = fmax(s->force, largest_force(s));
    for (int i = 0; i < m->n_aux; i++) s->rate[i] = s->held[i] ? 0 : s->data->aux_rate[i];
    return HOL_OK;
}

/* The parts of the states that elements added: Z^T Qz and Rz; without those that are held, of which
 * Rq Z, which is there, has rows too. */
static void reduce_states(hol__static *s) {
    const hol_model *m = s->model;
    const int n = s->n, nv = m->nv, na = m->n_aux;
    const hol__tangent *t = s->tangent;
    for (int a = 0; a < na; a++)
        for (int k = 0; k < n; k++) {
            double force = 0;
            for (int j = 0; j < nv; j++)
                force += s->Z[(size_t)k * (size_t)nv + (size_t)j] * t->Qz[j * na + a];
            s->Qz[a * n + k] = s->held[a] ? 0 : force;
            if (s->held[a]) s->Rq[k * na + a] = 0;
        }
    for (int i = 0; i < na; i++)
        for (int j = 0; j < na; j++)
            s->Rz[j * na + i] = s->held[i] || s->held[j] ? 0 : t->Rz[i * na + j];
}

hol_status hol__static_stiffness(hol__static *s) {
    const hol_model *m = s->model;
    hol_data *data = s->data;
    const size_t nv = (size_t)m->nv;
    memset(data->a, 0, sizeof(double) * nv);
    if (s->carrier) memcpy(data->a, s->a, sizeof(double) * nv);
    if (m->m) memcpy(data->lambda, s->lambda, sizeof(double) * (size_t)m->m);
    const hol_status status = hol__tangent_update(
        s->tangent, data, s->carrier ? HOL__PART_ALL : HOL__PART_FORCES | HOL__PART_REACTIONS);
    if (status) return status;
    for (int k = 0; k < s->n; k++)
        hol__static_change(s, s->Z + (size_t)k * nv, s->KZ + (size_t)k * nv,
                           s->Rq + (size_t)k * (size_t)m->n_aux);
    if (s->n) hol__dense_product(1, 0, s->n, s->n, m->nv, s->Z, s->KZ, s->H);
    for (int i = 0; i < s->n * s->n; i++) s->H[i] = -s->H[i];
    reduce_states(s);
    return HOL_OK;
}

/* u with A u = r in the first `rows` rows and 0 in the others. */
static void solve_rows(hol__static *s, const double *r, double by, int rows, double *u) {
    const hol_model *m = s->model;
    memset(s->right, 0, sizeof(double) * (size_t)m->nv);
    for (int k = 0; k < s->rank; k++) {
        const int i = s->qr->column[k];
        s->right[k] = i < rows ? by * r[i] / s->row[i] : 0;
    }
    if (s->rank) {
        hol__upper_solve_t(s->rank, s->qr->a, m->nv, s->right);
        hol__qrp_apply(s->qr, s->rank, 0, s->right);
    }
    for (int j = 0; j < m->nv; j++) u[j] = s->right[j] / s->scale[j];
}

void hol__static_solve_rows(hol__static *s, const double *r, double *u) {
    solve_rows(s, r, 1, s->model->m, u);
}

void hol__static_lift(hol__static *s, const double *Phi, double *u) {
    solve_rows(s, Phi, -1, s->model->mh, u);
}

/* One step of Newton towards Phi = 0, as short as it can be, with the factors at hand. */
static void close_step(hol__static *s) {
    const hol_model *m = s->model;
    hol__static_lift(s, s->data->Phi, s->step);
    m->coords->plus(m, s->data->q, s->step, s->data->q);
    hol__data_set_q(s->data, s->data->t, NULL);
}

/* |Phi| at the state in data. */
static double open_by(hol__static *s) {
    hol_data_update(s->data, HOL_STAGE_POS);
    return hol__norm(s->data->Phi, s->model->mh);
}

/* Close the joints from the positions in data. */
static hol_status close_joints(hol__static *s) {
    const double length = fmax(1, s->model->length);
    double last = open_by(s);
    for (int k = 0; s->model->mh && s->rank && k < MAX_CLOSE; k++) {
        if (!isfinite(last)) return HOL_NONFINITE;
        if (last <= closed * length) return HOL_OK;
        close_step(s);
        const double now = open_by(s);
        if (now > slow * last) {
            if (now <= accepted * length) return HOL_OK;
            make_bodies(s);
            hol_data_update(s->data, HOL_STAGE_POS);
            factor_rows(s);
        }
        last = now;
    }
    return last <= accepted * length ? HOL_OK : HOL_NOT_CONVERGED;
}

hol_status hol__static_move(hol__static *s, const double *x, const double *dz) {
    const hol_model *m = s->model;
    hol_data *data = s->data;
    memcpy(s->q, data->q, sizeof(double) * (size_t)m->nq);
    if (m->n_aux) memcpy(s->z, data->aux, sizeof(double) * (size_t)m->n_aux);
    if (s->n) hol__dense_mul(m->nv, s->n, 1, s->Z, x, 0, s->step);
    if (s->n) m->coords->plus(m, s->q, s->step, data->q);
    for (int i = 0; dz && i < m->n_aux; i++) data->aux[i] += dz[i];
    hol__data_set_q(data, data->t, NULL);
    return close_joints(s);
}

hol_status hol__static_shift(hol__static *s, const double *u) {
    const hol_model *m = s->model;
    m->coords->plus(m, s->data->q, u, s->data->q);
    hol__data_set_q(s->data, s->data->t, NULL);
    make_bodies(s);
    hol_data_update(s->data, HOL_STAGE_POS);
    if (!hol__csr_is_finite(&s->data->A)) return HOL_NONFINITE;
    factor_rows(s);
    return close_joints(s);
}

void hol__static_back(hol__static *s) {
    if (s->model->n_aux) hol__data_set_aux(s->data, s->z);
    hol__data_set_q(s->data, s->data->t, s->q);
}

void hol__static_accept(hol__static *s) {
    const hol_model *m = s->model;
    if (m->items && m->coords->wrap) m->coords->wrap(m, s->data->q, &s->data->bodies);
    hol__data_keep_angles(s->data);
    hol__data_set_q(s->data, s->data->t, NULL);
}

void hol__static_displace(const hol__static *s, const double *x, double *out) {
    if (!s->n) return;
    hol__dense_mul(s->model->nv, s->n, 1, s->Z, x, 0, s->lift);
    hol__dense_mul(s->n_body, s->model->nv, 1, s->B, s->lift, 0, out);
}

double hol__static_farthest(const hol__static *s, const double *x) {
    double most = 0;
    if (!s->n_body) return s->n ? hol__norm(x, s->n) : 0;
    hol__static_displace(s, x, s->part);
    for (int i = 0; i < s->model->nb; i++)
        most = fmax(most, hol__norm(s->part + i * s->model->bw, s->model->bw));
    return most;
}

void hol__static_last_step(hol__static *s, double *x) {
    s->model->coords->minus(s->model, s->data->q, s->q, s->step);
    hol__static_seen(s, s->step, x);
}

void hol__static_seen(hol__static *s, const double *u, double *x) {
    const int nv = s->model->nv;
    if (!s->n) return;
    hol__dense_mul(s->n_body, nv, 1, s->B, u, 0, s->part);
    hol__dense_mul_t(s->n_body, nv, 1, s->B, s->part, 0, s->lift);
    hol__dense_mul_t(nv, s->n, 1, s->Z, s->lift, 0, x);
}

double hol__static_terms(const hol__static *s, const double *x) {
    const hol__csr *K = &s->tangent->K;
    const double size = hol__norm(x, s->n);
    const double turns = s->carrier ? hol__static_turning(s) : 0;
    double sum =
        (s->force / s->model->length + (slow_swing + turns * turns) * s->mass) * size * size;
    hol__dense_mul(s->model->nv, s->n, 1, s->Z, x, 0, s->lift);
    for (int i = 0; i < K->rows; i++)
        for (int k = K->ptr[i]; k < K->ptr[i + 1]; k++)
            sum += fabs(s->lift[i]) * fabs(K->x[k]) * fabs(s->lift[K->idx[k]]);
    return sum;
}
