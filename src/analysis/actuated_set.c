/* actuated_set.c: elements that come and go along a motion: our model with those that act at a
 * state of it. See actuated.h. */
#include "analysis/actuated.h"

#include "compile/compile.h"
#include "element/rigid.h"

/* Say that what an element does cannot be known from the motion of another model. */
static hol_status refuse_element(const hol__actuated *x, const hol__element *e, const char *why) {
    return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
                       "%s, which the motion of another model does not tell; let the motion be a "
                       "run of this model, or leave it out",
                       why);
}

/* Refuse what a motion of bodies alone does not tell. */
static hol_status refuse_unknown(const hol__actuated *x) {
    const hol_model *m = x->whole;
    for (int i = 0; i < m->n_joints + m->n_forces; i++) {
        const hol__element *e = i < m->n_joints ? &m->joints[i] : &m->forces[i - m->n_joints];
        if (e->n_aux) return refuse_element(x, e, "has a state of its own");
        if (e->active || e->rigid) return refuse_element(x, e, "takes hold and lets go");
    }
    return HOL_OK;
}

/* What cannot be followed also in a run of this model: parameters that events change. */
static hol_status refuse_set(const hol__actuated *x) {
    if (x->whole->n_assigned)
        return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "inverse",
                           "events of the model change parameters; inverse dynamics needs the same "
                           "values throughout");
    return HOL_OK;
}

/* Whether a joint has caught the same place in both models, or none. */
static int is_same_place(const hol__element *a, const hol__element *b) {
    if (!hol__joint_has_caught(a) || !hol__joint_has_caught(b)) return 1;
    for (int k = 0; k < 3; k++)
        if (a->marker[1].s[k] != b->marker[1].s[k]) return 0;
    for (int k = 0; k < 4; k++)
        if (a->marker[1].f[k] != b->marker[1].f[k]) return 0;
    return 1;
}

/* Whether the same elements act, where they have caught, and the same gaps are closed, in both
 * models. */
static int is_same_set(const hol_model *a, const hol_model *b) {
    for (int i = 0; i < a->n_forces; i++)
        if (a->forces[i].off != b->forces[i].off) return 0;
    for (int i = 0; i < a->n_joints; i++) {
        const hol__rigid *r = a->joints[i].rigid, *s = b->joints[i].rigid;
        if (a->joints[i].off != b->joints[i].off || !r != !s) return 0;
        if (!is_same_place(&a->joints[i], &b->joints[i])) return 0;
        for (int k = 0; r && k < r->slots; k++)
            if ((r->touch ? r->touch[k] : 0) != (s->touch ? s->touch[k] : 0)) return 0;
    }
    return 1;
}

hol_status hol__actuated_set(hol__actuated *x, const hol_model *from) {
    const hol_model *m = x->whole;
    if (from->hash != x->hash) return refuse_unknown(x);
    if (!hol__model_varies(m)) return HOL_OK;
    hol_status status = refuse_set(x);
    if (status || is_same_set(x->model, from)) return status;
    hol_model *model = hol__model_like(x->ctx, m, from);
    if (!model) return HOL_ERR_MEMORY;
    hol_data *data = hol_data_new(x->ctx, model);
    if (x->model != x->whole) hol__model_release(x->model);
    x->model = model;
    if (!data) return HOL_ERR_MEMORY;
    hol_data_free(x->data);
    x->data = data;
    x->sets++;
    hol__actuated_resolve(x);
    return HOL_OK;
}

hol_status hol__actuated_no_slides(const hol__actuated *x) {
    const hol_model *m = x->model;
    if (!m->n_slides) return HOL_OK;
    const hol__element *e = &m->joints[m->slides[0].joint];
    return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, &e->where, e->label,
                       "slides: its friction follows from the loads that are asked for; take a "
                       "contact with a stiffness, or no friction");
}
