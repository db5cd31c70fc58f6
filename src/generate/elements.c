/* elements.c: constraints and forces from the formulas of the elements, over symbols for the poses
 * and velocities of bodies:
 *
 *     r' = v   v' = a0   R' = [omega]x R   p' = p (0, R^T omega)/2   omega' = alpha0
 *
 * psi = Phi' is linear in these v and omega: its derivatives by them are a row in body space, which
 * the tree carries to its coordinates, as it does the wrenches of forces; c = -psi' at v' = 0 needs
 * nothing else, since a0 and alpha0 are the accelerations there. Directions u = R s of bodies are
 * symbols of their own, u' = omega x u.
 *
 * A law is a symbol with its node, and with symbols for its derivatives by its inputs, so that rows
 * may have it too.
 */
#include "generate/program.h"

#include <stdio.h>
#include <string.h>

/* ---- symbols of the bodies ---- */

static hol__sym symbol(hol__program *p, hol__sym_class what, hol__ref x, hol__sym rate) {
    const hol__sym s = hol__symbolic_symbol(
        &p->to, "x", "x", what, (hol__symbolic_source){.kind = HOL__SYMBOLIC_NONE}, rate);
    hol__program_bind(p, s, x);
    return s;
}

/* v and omega (global) with their rates; out[j] gets those that are velocities of the body. */
static void velocity_symbols(hol__program *p, int body, hol__sym omega[3], hol__sym *out) {
    hol__symbolic_body *s = &p->to.bodies[body];
    const hol__gbody *b = &p->bodies[body];
    const int plane = p->model->dim == 2;
    for (int k = 0; k < 6; k++) {
        const int turn = k >= 3, i = k % 3;
        hol__sym *x = turn ? &omega[i] : &s->v[i];
        *x = p->a->zero;
        if (plane && (turn ? i < 2 : i == 2)) continue;
        const hol__sym rate =
            symbol(p, HOL__SYM_ACCELERATION, turn ? b->alpha0[i] : b->a0[i], NULL);
        *x = *out++ = symbol(p, HOL__SYM_VELOCITY, turn ? b->omega[i] : b->v[i], rate);
    }
}

/* c and s of the angle, and the angle itself. */
static void planar_symbols(hol__program *p, int body, const hol__sym omega[3]) {
    hol__algebra *a = p->a;
    hol__symbolic_body *s = &p->to.bodies[body];
    memcpy(s->w, omega, sizeof s->w);
    const hol__gbody *b = &p->bodies[body];
    const hol__sym co = symbol(p, HOL__SYM_COORDINATE, b->R[0], NULL),
                   si = symbol(p, HOL__SYM_COORDINATE, b->R[3], NULL);
    if (!co || !si) return;
    p->to.rate[co->symbol] = hol__sym_neg(a, hol__sym_mul(a, si, s->w[2]));
    p->to.rate[si->symbol] = hol__sym_mul(a, co, s->w[2]);
    const hol__sym R[9] = {co,    hol__sym_neg(a, si), a->zero, si, co, a->zero, a->zero, a->zero,
                           a->one};
    memcpy(s->R, R, sizeof R);
    s->theta = symbol(p, HOL__SYM_COORDINATE, b->theta, s->w[2]);
    for (int k = 0; k < 4; k++) s->p[k] = k ? a->zero : a->one;
}

/* R' = [omega]x R, w = R^T omega, p' = p (0, w)/2 */
static void spatial_symbols(hol__program *p, int body, const hol__sym omega[3]) {
    hol__algebra *a = p->a;
    hol__symbolic_body *s = &p->to.bodies[body];
    const hol__gbody *b = &p->bodies[body];
    hol__sym rate[4];
    for (int k = 0; k < 9; k++) s->R[k] = symbol(p, HOL__SYM_COORDINATE, b->R[k], NULL);
    for (int k = 0; k < 4; k++) s->p[k] = symbol(p, HOL__SYM_COORDINATE, b->p[k], NULL);
    s->theta = a->zero;
    if (a->status || p->dag.status) return;
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        const hol__sym column[3] = {s->R[i], s->R[3 + i], s->R[6 + i]};
        s->w[i] = hol__symbolic_dot(&p->to, column, omega);
        for (int j = 0; j < 3; j++)
            p->to.rate[s->R[3 * i + j]->symbol] =
                hol__sym_sub(a, hol__sym_mul(a, omega[k], s->R[3 * l + j]),
                             hol__sym_mul(a, omega[l], s->R[3 * k + j]));
    }
    const hol__sym w[4] = {a->zero, s->w[0], s->w[1], s->w[2]};
    hol__symbolic_quat_mul(&p->to, s->p, w, rate);
    for (int k = 0; k < 4; k++) p->to.rate[s->p[k]->symbol] = hol__sym_mul(a, a->half, rate[k]);
}

static void body_symbols(hol__program *p, int body) {
    hol__symbolic_body *s = &p->to.bodies[body];
    hol__sym *omega = p->omega[body];
    velocity_symbols(p, body, omega, p->to.v + body * p->model->bw);
    for (int k = 0; k < 3; k++)
        s->r[k] = k < p->model->dim ? symbol(p, HOL__SYM_COORDINATE, p->bodies[body].r[k], s->v[k])
                                    : p->a->zero;
    if (p->model->dim == 2)
        planar_symbols(p, body, omega);
    else
        spatial_symbols(p, body, omega);
}

static void ground_symbols(hol__program *p) {
    hol__algebra *a = p->a;
    hol__symbolic_body *s = &p->to.bodies[p->model->nb];
    for (int i = 0; i < 3; i++) s->r[i] = s->v[i] = s->w[i] = a->zero;
    for (int i = 0; i < 9; i++) s->R[i] = i % 4 == 0 ? a->one : a->zero;
    for (int i = 0; i < 4; i++) s->p[i] = i ? a->zero : a->one;
    s->theta = a->zero;
}

static hol_status make_symbols(hol__program *p) {
    hol__symbolic *to = &p->to;
    hol__arena *arena = &p->a->arena;
    const hol_model *m = p->model;
    to->bodies = HOL__NEW_N(arena, hol__symbolic_body, m->nb + 1);
    to->nv = m->nb * m->bw;
    p->omega = hol__arena_alloc(arena, (size_t)m->nb + 1, sizeof *p->omega);
    to->v = HOL__NEW_N(arena, hol__sym, to->nv + 1);
    to->Q = HOL__NEW_N(arena, hol__sym, to->nv + 1);
    to->Phi = HOL__NEW_N(arena, hol__sym, m->m + 1);
    to->psi = HOL__NEW_N(arena, hol__sym, m->m + 1);
    to->record = HOL__NEW_N(arena, const char *, p->n_models);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < to->nv; i++) to->Q[i] = p->a->zero;
    to->power = p->a->zero;
    to->t = hol__symbolic_symbol(to, "t", "t", HOL__SYM_TIME,
                                 (hol__symbolic_source){.kind = HOL__SYMBOLIC_TIME}, p->a->one);
    ground_symbols(p);
    for (int b = 0; b < m->nb && !p->a->status && !p->dag.status; b++) body_symbols(p, b);
    return p->a->status;
}

/* ---- laws and choices ---- */

enum { MOST_INPUTS = 8 };

typedef struct law {
    hol__program *p;
    int n;
    hol__ref input[MOST_INPUTS], seen[MOST_INPUTS]; /* nodes; the seeds among them */
    hol__sym rate[MOST_INPUTS];                     /* rates of the inputs */
} law;

/* The derivative of f by input i. */
static hol__ref partial(law *l, hol__ref f, int i) {
    hol__dag *d = &l->p->dag;
    hol__ref rates[MOST_INPUTS];
    for (int k = 0; k < l->n; k++) rates[k] = l->input[k] == l->input[i] ? d->one : d->zero;
    return hol__dag_rate(d, f, l->n, l->input, rates);
}

/* A symbol for f, whose rate is the sum of its derivatives times the rates of the inputs, `order`
 * of them deep. */
static hol__sym with_rates(law *l, hol__ref f, int order) {
    hol__algebra *a = l->p->a;
    hol__sym rate = a->zero;
    for (int i = 0; i < l->n && order > 0 && !l->p->dag.status; i++) {
        const hol__ref by = partial(l, f, i);
        if (hol__dag_is(&l->p->dag, by, 0)) continue;
        rate = hol__sym_add(a, rate, hol__sym_mul(a, with_rates(l, by, order - 1), l->rate[i]));
    }
    return symbol(l->p, HOL__SYM_OTHER, f, rate);
}

/* An input that changes, unless it is the same as one before. */
static void add_input(law *l, hol__ref x, hol__sym rate) {
    for (int k = 0; k < l->n; k++)
        if (l->input[k] == x) return;
    if (l->n >= MOST_INPUTS || hol__dag_is_number(&l->p->dag, x)) return;
    l->input[l->n] = x;
    l->rate[l->n++] = rate;
}

static hol__sym write_law(hol__symbolic *to, const hol__expr *e, int first, int n,
                          const hol__sym *values) {
    hol__program *p = to->self;
    law l = {.p = p};
    if (hol__program_mentions(p, hol__expr_text(e))) return NULL; /* its numbers are not folded */
    hol__ref *inputs =
        HOL__NEW_N(&p->dag.arena, hol__ref, p->model->n_inputs + first + MOST_INPUTS);
    if (!inputs) p->dag.status = HOL_ERR_MEMORY;
    if (!inputs || p->dag.status) return NULL;
    if (first > 1 && !hol__program_inputs(p, e, inputs)) {
        to->why = "its law reads a measure that generated code does not compute";
        return NULL;
    }
    inputs[0] = p->t;
    add_input(&l, p->t, p->a->one);
    for (int i = 0; i < n; i++) {
        inputs[first + i] = hol__program_formula(p, values[i]);
        if (p->dag.status) return NULL;
        add_input(&l, inputs[first + i], hol__symbolic_rate(to, values[i]));
    }
    const hol__ref f = hol__program_law(p, e, inputs);
    return p->dag.status ? NULL : with_rates(&l, f, 2);
}

static hol__sym choose(hol__symbolic *to, hol__sym x, hol__sym a, hol__sym b) {
    hol__program *p = to->self;
    hol__dag *d = &p->dag;
    const hol__ref yes = hol__dag_2(d, HOL__OP_LT, d->zero, hol__program_formula(p, x));
    return symbol(p, HOL__SYM_OTHER,
                  hol__dag_select(d, yes, hol__program_formula(p, a), hol__program_formula(p, b)),
                  NULL);
}

/* ---- directions ---- */

struct hol__gturned {
    int body;
    hol__sym s[3], u[3];
};

/* u = R s as symbols, u' = omega x u: what is made of them stays short. In the plane u_z is s_z. */
static void new_turned(hol__program *p, struct hol__gturned *x) {
    hol__algebra *a = p->a;
    const hol__glink *link = &p->links[p->model->tree->of_body[x->body]];
    const hol__sym *omega = p->omega[x->body];
    hol__ref s[3];
    for (int k = 0; k < 3; k++) s[k] = hol__program_formula(p, x->s[k]);
    if (p->dag.status) return;
    hol__gmul_t(&p->dag, link->frame.B, s, s);
    hol__gmul(&p->dag, link->global, s, s);
    for (int k = 0; k < 3; k++)
        x->u[k] =
            hol__dag_is(&p->dag, s[k], 0) ? a->zero : symbol(p, HOL__SYM_COORDINATE, s[k], NULL);
    for (int k = 0; k < 3 && !a->status && !p->dag.status; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        if (x->u[k]->kind == HOL__SYM_SYMBOL)
            p->to.rate[x->u[k]->symbol] = hol__sym_sub(a, hol__sym_mul(a, omega[i], x->u[j]),
                                                       hol__sym_mul(a, omega[j], x->u[i]));
    }
}

static void turned(hol__symbolic *to, int body, const hol__sym s[3], hol__sym u[3]) {
    hol__program *p = to->self;
    for (int i = 0; i < p->n_turned; i++) {
        const struct hol__gturned *x = &p->turned[i];
        if (x->body != body || memcmp(x->s, s, sizeof x->s) != 0) continue;
        memcpy(u, x->u, sizeof x->u);
        return;
    }
    struct hol__gturned *grown = hol__arena_grow(&p->dag.arena, p->turned, sizeof *grown,
                                                 p->n_turned, &p->turned_capacity, p->n_turned + 1);
    if (!grown) {
        p->dag.status = HOL_ERR_MEMORY;
        return;
    }
    p->turned = grown;
    struct hol__gturned *x = &grown[p->n_turned++];
    *x = (struct hol__gturned){.body = body, .s = {s[0], s[1], s[2]}};
    new_turned(p, x);
    memcpy(u, x->u, sizeof x->u);
}

/* ---- refusals ---- */

static hol_status refuse(hol__program *p, const hol__element *e, const char *why) {
    if (p->a->status == HOL_ERR_MEMORY || p->dag.status == HOL_ERR_MEMORY) return HOL_ERR_MEMORY;
    if (p->dag.status && p->dag.why) why = p->dag.why;
    return hol__report(p->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &e->where, e->label,
                       "no code can be generated for it: %s", why);
}

/* ---- constraints ---- */

/* The formulas of one record. */
static hol_status write_record(hol__program *p, int batch, int i) {
    hol__symbolic *to = &p->to;
    const hol__con_type *type = p->model->con_batches[batch].type;
    const hol__con *con = hol__con_record(&p->model->con_batches[batch], i);
    for (int k = 0; k < p->n_models; k++)
        to->record[k] = hol__con_record(&p->models[k]->con_batches[batch], i);
    to->place = (hol__symbolic_place){.batch = batch, .item = i};
    to->element = &p->model->joints[con->element];
    to->row = con->row;
    to->why = NULL;
    to->local = 1;
    const int written = type->formula && type->formula(con, to);
    if (written && !p->a->status && !p->dag.status) return HOL_OK;
    char why[200];
    snprintf(why, sizeof why, "its equations (%s) are not written as formulas", type->name);
    return refuse(p, to->element, to->why ? to->why : why);
}

/* Phi, psi, A and c of the rows of a record. */
static void carry_record(hol__program *p, const hol__con *con, hol__ref *wrench) {
    const hol_model *m = p->model;
    hol__dag *d = &p->dag;
    for (int k = con->row; k < con->row + con->n_rows && !d->status && !p->a->status; k++) {
        for (int j = 0; j < 6 * m->nb; j++) wrench[j] = d->zero;
        for (int b = 0; b < con->n_bodies; b++) {
            const int body = con->body[b];
            for (int j = 0; body < m->nb && j < m->bw; j++)
                wrench[6 * body + (m->dim == 2 && j == 2 ? 5 : j)] = hol__program_formula(
                    p, hol__sym_derivative(p->a, p->to.psi[k], p->to.v[body * m->bw + j]));
        }
        hol__program_row(p, wrench, p->A + k * m->nv);
        if (k < m->mh) p->Phi[k] = hol__program_formula(p, p->to.Phi[k]);
        p->psi[k] = hol__program_formula(p, p->to.psi[k]);
        p->c[k] =
            hol__dag_neg(d, hol__program_formula(p, hol__symbolic_rate(&p->to, p->to.psi[k])));
    }
}

static hol_status write_rows(hol__program *p, hol__ref *wrench) {
    const hol_model *m = p->model;
    for (int b = 0; b < m->n_con_batches; b++)
        for (int i = 0; i < m->con_batches[b].count; i++) {
            const hol__con *con = hol__con_record(&m->con_batches[b], i);
            const hol_status status = write_record(p, b, i);
            if (status) return status;
            carry_record(p, con, wrench);
            if (p->dag.status || p->a->status)
                return refuse(p, &m->joints[con->element], "its formulas are too long");
        }
    return HOL_OK;
}

/* ---- forces ---- */

static hol_status write_force(hol__program *p, int batch, int i, const hol__element *owner) {
    static const hol__element gravity = {.name = "gravity", .label = "gravity"};
    hol__symbolic *to = &p->to;
    const hol__force_type *type = p->model->force_batches[batch].type;
    for (int k = 0; k < p->n_models; k++)
        to->record[k] = hol__force_record(&p->models[k]->force_batches[batch], i);
    to->place = (hol__symbolic_place){.force = 1, .batch = batch, .item = i};
    to->element = owner ? owner : &gravity;
    to->why = NULL;
    to->local = p->model->local;
    const int written = type->formula && type->formula(to->record[0], to);
    if (written && !p->a->status && !p->dag.status) return HOL_OK;
    char why[200];
    snprintf(why, sizeof why, "what it does (%s) is not written as a formula", type->name);
    return refuse(p, to->element, to->why ? to->why : why);
}

static hol_status write_forces(hol__program *p, hol__ref *wrench) {
    const hol_model *m = p->model;
    for (int b = 0; b < m->n_force_batches; b++)
        for (int i = 0; i < m->force_batches[b].count; i++) {
            const hol__element *owner =
                m->force_batches[b].owner ? m->force_batches[b].owner[i] : NULL;
            if (owner && owner->off) continue;
            const hol_status status = write_force(p, b, i, owner);
            if (status) return status;
        }
    for (int body = 0; body < m->nb; body++) {
        for (int j = 0; j < 6; j++) wrench[6 * body + j] = p->dag.zero;
        for (int j = 0; j < m->bw; j++)
            wrench[6 * body + (m->dim == 2 && j == 2 ? 5 : j)] =
                hol__program_formula(p, p->to.Q[body * m->bw + j]);
    }
    p->power = hol__program_formula(p, p->to.power);
    if (p->dag.status || p->a->status) return p->dag.status ? p->dag.status : p->a->status;
    hol__program_forces(p, wrench);
    return p->dag.status;
}

hol_status hol__program_elements(hol__program *p) {
    hol__ref *wrench = HOL__NEW_N(&p->dag.arena, hol__ref, 6 * (p->model->nb + 1));
    p->to.self = p;
    p->to.law = write_law;
    p->to.choose = choose;
    p->to.turned = turned;
    hol_status status = wrench ? make_symbols(p) : HOL_ERR_MEMORY;
    if (!status) status = write_rows(p, wrench);
    if (!status) status = write_forces(p, wrench);
    return status ? status : p->dag.status;
}
