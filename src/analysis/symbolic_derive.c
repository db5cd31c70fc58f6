/* symbolic_derive.c: the equations of motion by differentiation. See symbolic.h. */
#include "analysis/symbolic.h"

#include <stdio.h>
#include <string.h>

static hol__sym shorten(hol__equations *e, hol__sym x) {
    return hol__sym_shorten(e->a, x);
}

/* The algebra stops where the equations take more operations than they may. */
static void stop_if_long(hol__equations *e) {
    if (!e->a->status && hol__symbolic_operations(e) > e->most) e->a->status = HOL_ERR_ARGUMENT;
}

/* ---- constraints ---- */

static hol_status no_formula(hol__equations *e, const hol__element *joint, const char *why) {
    const char *label = joint->label ? joint->label : joint->name;
    return hol__report(e->ctx, HOL_ERROR, HOL_ERR_INPUT, &joint->where, label,
                       "has no formula: %s; 'holonom equations' without --symbolic shows its "
                       "numbers",
                       why);
}

/* The rows of one record. */
static hol_status write_record(hol__equations *e, int batch, int i) {
    hol__symbolic *to = &e->to;
    const hol__con_type *type = to->model->con_batches[batch].type;
    const hol__con *con = hol__con_record(&to->model->con_batches[batch], i);
    for (int k = 0; k < e->n_models; k++)
        to->record[k] = hol__con_record(&to->models[k]->con_batches[batch], i);
    to->element = &to->model->joints[con->element];
    to->row = con->row;
    to->why = NULL;
    if (!type->formula || !type->formula(con, to)) {
        if (e->a->status) return e->a->status;
        char why[200];
        snprintf(why, sizeof why, "its equations (%s) are not written as formulas", type->name);
        return no_formula(e, to->element, to->why ? to->why : why);
    }
    return e->a->status;
}

static hol_status write_rows(hol__equations *e) {
    const hol_model *m = e->to.model;
    hol_status status = HOL_OK;
    for (int b = 0; b < m->n_con_batches; b++)
        for (int i = 0; i < m->con_batches[b].count && !status; i++) status = write_record(e, b, i);
    if (!status && m->items) hol__symbolic_natural_rows(&e->to);
    return status ? status : e->a->status;
}

/* A, b, c from psi. */
static void derive_rows(hol__equations *e) {
    hol__algebra *a = e->a;
    hol__symbolic *to = &e->to;
    hol__sym *rest = hol__alloc(e->ctx, (size_t)a->n_symbols + 1, sizeof *rest);
    if (!rest) {
        a->status = HOL_ERR_MEMORY;
        return;
    }
    for (int j = 0; j < e->nv; j++) rest[to->v[j]->symbol] = a->zero;
    for (int i = 0; i < e->m && !a->status; i++) {
        for (int j = 0; j < e->nv; j++)
            e->A[i * e->nv + j] = shorten(e, hol__sym_derivative(a, to->psi[i], to->v[j]));
        e->b[i] = shorten(e, hol__sym_neg(a, hol__sym_replace(a, to->psi[i], rest)));
        e->c[i] = shorten(e, hol__sym_neg(a, hol__symbolic_rate(to, to->psi[i])));
        if (i < e->mh) e->Phi[i] = to->Phi[i];
        stop_if_long(e);
    }
    hol__release(e->ctx, rest);
}

/* ---- forces ---- */

/* What a force without a formula does to one body: symbols for force and torque. */
static void name_wrench(hol__equations *e, int force, int body) {
    static const char *const planar[] = {"F_%s_%s_x", "F_%s_%s_y", "T_%s_%s"};
    static const char *const spatial[] = {"F_%s_%s_x", "F_%s_%s_y", "F_%s_%s_z",
                                          "T_%s_%s_x", "T_%s_%s_y", "T_%s_%s_z"};
    hol__symbolic *to = &e->to;
    hol__algebra *a = e->a;
    const hol_model *m = to->model;
    const hol__symbolic_body *b = &to->bodies[body];
    for (int k = 0; k < m->bw; k++) {
        char name[300];
        const int turn = k >= m->dim, axis = m->dim == 2 && turn ? 2 : k % 3;
        snprintf(name, sizeof name, (m->dim == 2 ? planar : spatial)[k], m->forces[force].name,
                 m->bodies[body].name);
        const hol__sym F = hol__symbolic_symbol(
            to, name, NULL, HOL__SYM_OTHER,
            (hol__symbolic_source){.kind = HOL__SYMBOLIC_WRENCH,
                                   .i = force,
                                   .j = m->bw * body + k,
                                   .note = turn ? "torque of a force without a formula"
                                                : "component of a force without a formula"},
            NULL);
        for (int j = 0; j < e->nv; j++) {
            const hol__sym along = hol__sym_derivative(a, turn ? b->w[axis] : b->v[axis], to->v[j]);
            to->Q[j] = hol__sym_add(a, to->Q[j], hol__sym_mul(a, F, along));
        }
    }
}

/* One record of a force, or of none (gravity); 0: it has no formula. */
static int write_force_record(hol__equations *e, int batch, int i, const hol__element *owner) {
    static const hol__element gravity = {.name = "gravity"};
    hol__symbolic *to = &e->to;
    const hol__force_type *type = to->model->force_batches[batch].type;
    for (int k = 0; k < e->n_models; k++)
        to->record[k] = hol__force_record(&to->models[k]->force_batches[batch], i);
    to->element = owner ? owner : &gravity;
    return type->formula && type->formula(to->record[0], to);
}

static void write_force(hol__equations *e, int force) {
    hol__symbolic *to = &e->to;
    const hol__element *f = &to->model->forces[force];
    hol__sym *before = hol__alloc(e->ctx, (size_t)e->nv + 1, sizeof *before);
    if (!before) {
        e->a->status = HOL_ERR_MEMORY;
        return;
    }
    memcpy(before, to->Q, sizeof *before * (size_t)e->nv);
    int whole = 1;
    for (int i = 0; i < f->n_parts && whole; i++)
        whole = write_force_record(e, f->part[i].batch, f->part[i].record, f);
    if (!whole && !e->a->status) {
        memcpy(to->Q, before, sizeof *before * (size_t)e->nv);
        for (int k = 0; k < 2; k++)
            if (f->body[k] < to->model->nb && (k == 0 || f->body[1] != f->body[0]))
                name_wrench(e, force, f->body[k]);
    }
    hol__release(e->ctx, before);
}

static void write_forces(hol__equations *e) {
    const hol_model *m = e->to.model;
    for (int i = 0; i < m->n_forces && !e->a->status; i++)
        if (m->forces[i].n_parts && !m->forces[i].off) write_force(e, i);
    for (int b = 0; b < m->n_force_batches; b++)
        for (int i = 0; i < m->force_batches[b].count && !e->a->status; i++)
            if (!m->force_batches[b].owner || !m->force_batches[b].owner[i])
                write_force_record(e, b, i, NULL);
}

/* ---- bodies ---- */

/* A number of the bodies, or of the model, in all models. */
static hol__sym number_of(hol__equations *e, int body, const double *field, const char *hint) {
    double values[64];
    const hol_model *m = e->to.model;
    const char *base = body < 0 ? (const char *)m : (const char *)&m->bodies[body];
    const ptrdiff_t at = (const char *)field - base;
    for (int k = 0; k < e->n_models; k++) {
        const hol_model *other = e->to.models[k];
        const char *from = body < 0 ? (const char *)other : (const char *)&other->bodies[body];
        memcpy(&values[k], from + at, sizeof *values);
    }
    return hol__symbolic_of_values(&e->to, values, hint, body < 0 ? "" : m->bodies[body].name, 0);
}

typedef struct inertia {
    hol__sym mass, J[9], g[3];
} inertia;

static inertia inertia_of(hol__equations *e, int body) {
    static const char *const names[] = {"J_xx", "J_xy", "J_xz", "J_xy", "J_yy",
                                        "J_yz", "J_xz", "J_yz", "J_zz"};
    static const char *const axes[] = {"g_x", "g_y", "g_z"};
    const hol_model *m = e->to.model;
    const hol__body *b = &m->bodies[body];
    inertia out = {.mass = number_of(e, body, &b->mass, "m")};
    for (int i = 0; i < 9; i++)
        out.J[i] = m->dim == 3 ? number_of(e, body, &b->J[i], names[i])
                   : i == 8    ? number_of(e, body, &b->inertia, "J")
                               : e->a->zero;
    for (int i = 0; i < 3; i++) out.g[i] = number_of(e, -1, &m->gravity[i], axes[i]);
    return out;
}

static void times(hol__equations *e, const hol__sym J[9], const hol__sym x[3], hol__sym out[3]) {
    hol__sym y[3];
    for (int i = 0; i < 3; i++) y[i] = hol__symbolic_dot(&e->to, J + 3 * i, x);
    memcpy(out, y, sizeof y);
}

/* dr'/dv_i and dw/dv_i of a body; 0 where both are zero. */
static int directions(hol__equations *e, const hol__symbolic_body *b, int i, hol__sym x[6]) {
    int any = 0;
    for (int k = 0; k < 6; k++) {
        const hol__sym from = k < 3 ? b->v[k] : b->w[k - 3];
        x[k] = hol__sym_has(e->a, from, e->to.v[i]->symbol)
                   ? hol__sym_derivative(e->a, from, e->to.v[i])
                   : e->a->zero;
        any |= !hol__sym_is(x[k], 0);
    }
    return any;
}

/* The share of a body in M and Q. */
static void add_body(hol__equations *e, int body) {
    hol__algebra *a = e->a;
    hol__symbolic *to = &e->to;
    const hol__symbolic_body *b = &to->bodies[body];
    const inertia own = inertia_of(e, body);
    hol__sym force[3], torque[3], Jw[3], gyro[3], alpha[3];
    times(e, own.J, b->w, Jw);
    hol__symbolic_cross(to, b->w, Jw, gyro);
    for (int i = 0; i < 3; i++) alpha[i] = hol__symbolic_rate(to, b->w[i]);
    times(e, own.J, alpha, torque);
    const int constant = to->model->items != NULL; /* M: velocities add nothing */
    for (int i = 0; i < 3; i++) {
        const hol__sym a0 = constant ? a->zero : hol__symbolic_rate(to, b->v[i]);
        force[i] = shorten(e, hol__sym_mul(a, own.mass, hol__sym_sub(a, own.g[i], a0)));
        torque[i] =
            constant ? a->zero : shorten(e, hol__sym_neg(a, hol__sym_add(a, torque[i], gyro[i])));
    }
    for (int i = 0; i < e->nv && !a->status; i++) {
        hol__sym x[6], Jw_i[3];
        if (!directions(e, b, i, x)) continue;
        times(e, own.J, x + 3, Jw_i);
        const hol__sym loads[3] = {to->Q[i], hol__symbolic_dot(to, x, force),
                                   hol__symbolic_dot(to, x + 3, torque)};
        to->Q[i] = hol__sym_sum(a, 3, loads);
        for (int j = 0; j <= i && !constant; j++) {
            hol__sym y[6];
            if (!directions(e, b, j, y)) continue;
            const hol__sym terms[3] = {e->M[i * e->nv + j],
                                       hol__sym_mul(a, own.mass, hol__symbolic_dot(to, x, y)),
                                       hol__symbolic_dot(to, Jw_i, y + 3)};
            e->M[i * e->nv + j] = hol__sym_sum(a, 3, terms);
        }
    }
}

static void add_bodies(hol__equations *e) {
    for (int b = 0; b < e->to.model->nb && !e->a->status; b++) add_body(e, b);
    if (e->to.model->items) hol__symbolic_natural_mass(&e->to, e->M);
    for (int i = 0; i < e->nv && !e->a->status; i++) {
        e->Q[i] = shorten(e, e->to.Q[i]);
        for (int j = 0; j <= i; j++)
            e->M[i * e->nv + j] = e->M[j * e->nv + i] = shorten(e, e->M[i * e->nv + j]);
        stop_if_long(e);
    }
}

/* ---- all ---- */

static hol__sym *new_row(hol__equations *e, int n) {
    hol__sym *out = HOL__NEW_N(&e->a->arena, hol__sym, n + 1);
    for (int i = 0; out && i < n; i++) out[i] = e->a->zero;
    return out;
}

static hol_status prepare(hol__equations *e) {
    hol__symbolic *to = &e->to;
    hol__arena *arena = &e->a->arena;
    const hol_model *m = to->model;
    e->nv = to->nv = m->nv, e->m = m->m, e->mh = m->mh;
    to->bodies = HOL__NEW_N(arena, hol__symbolic_body, m->nb + 1);
    to->record = HOL__NEW_N(arena, const char *, e->n_models);
    to->q = new_row(e, m->nq), to->v = new_row(e, m->nv);
    to->Phi = new_row(e, m->m), to->psi = new_row(e, m->m), to->Q = new_row(e, m->nv);
    e->M = new_row(e, e->nv * e->nv), e->A = new_row(e, e->m * e->nv), e->Q = new_row(e, e->nv);
    e->Phi = new_row(e, e->m), e->b = new_row(e, e->m), e->c = new_row(e, e->m);
    if (arena->failed) return HOL_ERR_MEMORY;
    to->t = hol__symbolic_symbol(to, "t", "t", HOL__SYM_TIME,
                                 (hol__symbolic_source){.kind = HOL__SYMBOLIC_TIME}, e->a->one);
    return e->a->status;
}

/* Operations of the poses and velocities of all bodies: M is made of products of these. */
static long pose_operations(const hol__equations *e) {
    long n = 0;
    for (int i = 0; i < e->to.model->nb; i++) {
        const hol__symbolic_body *b = &e->to.bodies[i];
        for (int k = 0; k < 3; k++)
            n += b->r[k]->operations + b->v[k]->operations + b->w[k]->operations;
    }
    return n;
}

hol_status hol__symbolic_derive(hol__equations *e) {
    hol_status status = prepare(e);
    if (!status) status = hol__symbolic_coordinates(&e->to);
    if (!status && pose_operations(e) > e->most / 4) e->a->status = HOL_ERR_ARGUMENT;
    if (!status) status = e->a->status;
    if (!status) status = write_rows(e);
    if (!status) derive_rows(e);
    if (!status) write_forces(e);
    if (!status) add_bodies(e);
    e->n_derived = e->a->n_symbols;
    return status ? status : e->a->status;
}

long hol__symbolic_operations(const hol__equations *e) {
    const struct {
        const hol__sym *x;
        int n;
    } all[] = {{e->M, e->nv * e->nv}, {e->Q, e->nv}, {e->A, e->m * e->nv},
               {e->Phi, e->mh},       {e->b, e->m},  {e->c, e->m}};
    long n = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int i = 0; i < all[k].n; i++) n += all[k].x[i] ? all[k].x[i]->operations : 0;
    return n;
}
