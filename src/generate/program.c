/* program.c: the computation of a mechanism: what is refused, its inputs, and its parts in their
 * order. See program.h. */
#include "generate/program.h"

#include <holonom/matrix.h>

/* Operations of the whole: some hundred bodies. */
enum { OPERATIONS = 400000 };

/* ---- what no code is generated for ---- */

static hol_status refuse(hol__program *p, const hol_location *where, const char *label,
                         const char *why) {
    return hol__report(p->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, where, label,
                       "no code can be generated for it: %s", why);
}

static hol_status look_at_elements(hol__program *p, const hol__element *list, int n) {
    for (int i = 0; i < n; i++) {
        const hol__element *e = &list[i];
        const char *why = e->active || e->by_event ? "it takes hold and lets go during a run"
                          : e->rigid               ? "it pushes and does not pull"
                          : e->n_aux               ? "it has states of its own"
                                                   : NULL;
        if (why) return refuse(p, &e->where, e->label, why);
    }
    return HOL_OK;
}

/* Elements and events that change the equations during a run, or add states to them. */
static hol_status look(hol__program *p) {
    const hol_model *m = p->model;
    if (m->n_events)
        return refuse(p, &m->events[0].where, m->events[0].label,
                      "events are found by a run, not by a step of fixed length");
    hol_status status = look_at_elements(p, m->joints, m->n_joints);
    if (!status) status = look_at_elements(p, m->forces, m->n_forces);
    return status;
}

/* ---- inputs and results ---- */

static hol__ref *new_refs(hol__program *p, int n, hol__ref x) {
    hol__ref *out = HOL__NEW_N(&p->dag.arena, hol__ref, n + 1);
    for (int i = 0; out && i < n; i++) out[i] = x;
    return out;
}

static hol__ref *new_inputs(hol__program *p, int n) {
    hol__ref *out = new_refs(p, n, -1);
    for (int i = 0; out && i < n; i++) out[i] = hol__dag_input(&p->dag);
    return out;
}

static hol_status make_inputs(hol__program *p) {
    const hol_model *m = p->model;
    const int n = m->nv, rows = m->m, zero = p->dag.zero;
    p->t = hol__dag_input(&p->dag);
    p->q = new_inputs(p, m->nq);
    p->v = new_inputs(p, n);
    p->parameter_ref = new_inputs(p, p->n_parameters);
    p->near = new_refs(p, m->n_angles, -1);
    p->angle = new_refs(p, m->n_angles, -1);
    p->column = new_refs(p, m->n_columns, HOL__COLUMN_OPEN);
    p->bodies = HOL__NEW_N(&p->dag.arena, hol__gbody, m->nb + 1);
    p->links = HOL__NEW_N(&p->dag.arena, hol__glink, m->tree->n + 1);
    p->M = new_refs(p, n * n, zero);
    p->A = new_refs(p, rows * n, zero);
    p->Q = new_refs(p, n, zero);
    p->Phi = new_refs(p, rows, zero);
    p->psi = new_refs(p, rows, zero);
    p->c = new_refs(p, rows, zero);
    p->safe.vdot = new_refs(p, n, zero);
    p->safe.dq = new_refs(p, n, zero);
    p->safe.dv = new_refs(p, n, zero);
    p->kept = HOL__NEW_N(&p->dag.arena, int, rows + 1);
    return p->dag.arena.failed ? HOL_ERR_MEMORY : p->dag.status;
}

hol_status hol__program_open(hol__program *p) {
    hol_status status = look(p);
    if (status) return status;
    if (!p->a) p->a = hol__algebra_new(p->ctx, HOL__PROGRAM_FORMULAS);
    if (!p->a || !hol__dag_init(&p->dag, p->ctx, OPERATIONS)) return HOL_ERR_MEMORY;
    p->to.a = p->numbers.a = p->a;
    p->to.model = p->model;
    p->to.n_models = p->n_models;
    p->to.models = p->models;
    p->to.numbers = &p->numbers;
    p->to.open = p->open;
    p->numbers.scale = p->model->length;
    if (!p->numbers.n_samples) p->numbers.n_samples = p->n_models;
    status = make_inputs(p);
    if (status) return status;
    hol__program_parameters(p);
    hol__program_chain(p);
    if (!p->dag.status) status = hol__program_elements(p);
    if (!status && !p->dag.status) hol__program_mass(p);
    return status ? status : p->dag.status;
}

void hol__program_close(hol__program *p) {
    if (p->dag.arena.ctx) hol__dag_free(&p->dag);
    hol__algebra_free(p->a);
}

/* ---- values ---- */

void hol__program_values(const hol__program *p, const hol__gstate *s, double *inputs,
                         double *values) {
    const hol_model *m = p->model;
    const hol__dag_node *nodes = p->dag.nodes;
    inputs[nodes[p->t].index] = s->t;
    for (int i = 0; i < m->nq; i++) inputs[nodes[p->q[i]].index] = s->q[i];
    for (int i = 0; i < m->nv; i++) inputs[nodes[p->v[i]].index] = s->v[i];
    for (int i = 0; i < p->n_parameters; i++)
        inputs[nodes[p->parameter_ref[i]].index] = p->parameter_value[i];
    for (int i = 0; i < p->n_opened; i++)
        inputs[nodes[p->opened[i].ref].index] = p->opened[i].values[p->now];
    for (int i = 0; i < m->n_angles; i++)
        if (p->near[i] >= 0) inputs[nodes[p->near[i]].index] = s->angles[i];
    hol__dag_values(&p->dag, inputs, values);
}
