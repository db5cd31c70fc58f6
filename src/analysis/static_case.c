/* static_case.c: from a description to the equations of equilibrium. See static_case.h. */
#include "analysis/static_contact.h"
#include "analysis/static_search.h"
#include "analysis/steady.h"
#include "compile/compile.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

enum { MAX_DRIVES = 20000 };

static const double longest_drive = 0.3; /* lengths or radians in a step of the drivers */
static const double still = 1e-6;        /* of gravity: accelerations at rest */
static const double slow_swing = 0.01;   /* 1/s^2: the square of one radian in ten seconds */

/* Why an object could not be made: the status of the last error that was reported. */
static hol_status last_error(const hol_context *ctx, hol_status otherwise) {
    for (int i = hol_message_count(ctx) - 1; i >= 0; i--)
        if (hol_message_get(ctx, i)->severity == HOL_ERROR)
            return hol_message_get(ctx, i)->status < 0 ? hol_message_get(ctx, i)->status
                                                       : otherwise;
    return otherwise;
}

/* Say which elements do not act at the start. */
static void note_switched(const hol__static_case *c) {
    const hol_model *m = c->data->model;
    for (int i = 0; i < m->n_joints + m->n_forces; i++) {
        const hol__element *e = i < m->n_joints ? &m->joints[i] : &m->forces[i - m->n_joints];
        if (e->off && !e->rigid)
            hol__report(c->ctx, HOL_NOTE, HOL_OK, &e->where, e->label,
                        "does not act at the start, and not here");
    }
}

/* The data of the system: at rest, or with the velocities of the start. */
static hol_status take_start(hol__static_case *c) {
    hol_data *start = hol_sim_data(c->sim);
    const double t = hol_data_time(start);
    if (c->model->n_slots) return hol__static_case_touch(c);
    c->data = hol_data_new(c->ctx, hol_data_model(start));
    hol_status status = c->data ? hol_data_copy(c->data, start) : HOL_ERR_MEMORY;
    if (status) return status;
    if (!c->steady) memset(c->data->v, 0, sizeof(double) * (size_t)c->data->model->nv);
    hol_data_set(c->data, t, NULL, NULL);
    return hol__static_new(c->data, &c->system);
}

/* Say that drivers cannot be followed to a time. */
static hol_status lost_on_the_way(const hol__static_case *c, double time) {
    const hol_data *data = c->data;
    const hol_model *m = data->model;
    int row = 0;
    for (int i = 1; i < m->mh; i++)
        if (fabs(data->Phi[i]) > fabs(data->Phi[row])) row = i;
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, m->mh ? &m->rows[row].where : NULL,
                       m->mh ? m->rows[row].element : "statics",
                       "cannot be closed on the way to t = %.6g, at t = %.6g; ask for a time that "
                       "the drivers reach",
                       time, data->t);
}

/* One step of the drivers: all else follows by the smallest displacement; > 0 where it is too
 * long. */
static hol_status drive_to(hol__static_case *c, double t, const double *none, double *q) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    const double before = data->t;
    memcpy(q, data->q, sizeof(double) * (size_t)m->nq);
    hol__data_set_q(data, t, NULL);
    hol_status status = hol__static_shift(c->system, none);
    if (!status) {
        m->coords->minus(m, data->q, q, c->system->step);
        double most = 0;
        for (int i = 0; i < m->nv; i++)
            most = fmax(most, fabs(c->system->step[i]) * c->system->scale[i]);
        if (most > longest_drive * m->length) status = HOL_RETRY;
    }
    if (!status)
        hol__static_accept(c->system);
    else
        hol__data_set_q(data, before, q);
    return status;
}

/* From the start to another time: drivers move there by short steps. */
static hol_status go_to(hol__static_case *c, double time) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    for (int i = 0; i < m->n_joints; i++)
        if (m->joints[i].n_aux)
            return hol__report(c->ctx, HOL_ERROR, HOL_ERR_INPUT, &m->joints[i].where,
                               m->joints[i].label,
                               "is given by its velocity, so that its position at t = %.6g follows "
                               "from a run alone; give its position as a function of time",
                               time);
    double *none = hol__alloc(c->ctx, (size_t)(m->nv + m->nq) + 1, sizeof *none);
    if (!none) return HOL_ERR_MEMORY;
    double step = (time - data->t) / 16;
    hol_status status = HOL_OK;
    for (int k = 0; k < MAX_DRIVES && !status && data->t != time; k++) {
        const int last = fabs(step) >= fabs(time - data->t);
        status = drive_to(c, last ? time : data->t + step, none, none + m->nv);
        step *= status ? 0.25 : 1.5;
        if (status > 0 && fabs(step) > 1e-9 * fabs(time - data->t)) status = HOL_OK;
    }
    hol__release(c->ctx, none);
    return status < 0 ? status : data->t == time ? HOL_OK : lost_on_the_way(c, time);
}

/* The simulation of the model in c, whose start is the drawn one whatever its options ask for: it
 * is what the search goes from. */
static hol_status begin(hol__static_case *c) {
    hol_status status = hol_options_set_choice(c->options, "start_at", "drawn");
    if (!status) status = hol_options_set_choice(c->options, "tolerance_kind", "local");
    if (status) return status;
    c->sim = hol_sim_new(c->ctx, c->model, c->options);
    if (!c->sim) return last_error(c->ctx, HOL_ERR_ASSEMBLY);
    hol__sim_hold_loosely(c->sim);
    status = hol__static_case_gaps(c);
    if (!status) status = take_start(c);
    if (!status) note_switched(c);
    return status;
}

hol_status hol__static_case_of(hol_context *ctx, const hol_model *model, const hol_options *options,
                               hol__static_case *c) {
    *c = (hol__static_case){.ctx = ctx, .model = model};
    c->options = hol_options_copy(ctx, options);
    const hol_status status = c->options ? begin(c) : HOL_ERR_MEMORY;
    return status > 0 ? HOL_ERR_SINGULAR : status;
}

hol_status hol__static_case_open(hol_context *ctx, const hol_spec *spec, double time, int steady,
                                 hol__static_case *c) {
    *c = (hol__static_case){.ctx = ctx, .steady = steady};
    c->model = c->own = hol_model_from_spec(ctx, spec, &c->options);
    if (!c->model) return last_error(ctx, HOL_ERR_INPUT);
    hol_status status = begin(c);
    if (!status && !isnan(time) && time != c->data->t) status = go_to(c, time);
    if (!status && steady) status = hol__steady_begin(c);
    return status < 0 ? status : status ? HOL_ERR_SINGULAR : HOL_OK;
}

void hol__static_case_forget(hol__static_case *c) {
    hol__static_free(c->system);
    hol_data_free(c->data);
    hol__release(c->ctx, c->gaps);
    hol__frame_free(c->ctx, c->frame);
    c->system = NULL, c->data = NULL, c->gaps = NULL, c->frame = NULL;
}

void hol__static_case_close(hol__static_case *c) {
    hol__static_case_forget(c);
    hol_sim_free(c->sim);
    hol_model_free(c->own);
    hol_options_free(c->options);
    *c = (hol__static_case){.ctx = c->ctx};
}

hol_status hol__static_case_like(const hol__static_case *from, hol_context *ctx,
                                 const hol_spec *spec, hol__static_case *c) {
    *c = (hol__static_case){.ctx = ctx, .steady = from->steady};
    if (from->steady) { /* velocities are those of its own start */
        const hol_status status = hol__static_case_open(ctx, spec, NAN, 1, c);
        if (status) return status;
        if (!hol__models_are_alike(c->data->model, from->data->model)) return HOL_ERR_ARGUMENT;
        const hol_status framed = hol__steady_frame(c, from->frame->which);
        if (framed) return framed;
        hol__data_take_elements(c->data, from->data);
        hol__data_set_q(c->data, from->data->t, from->data->q);
        return HOL_OK;
    }
    const char *set = from->model->tree ? "relative" : from->model->items ? "natural" : "reference";
    c->model = c->own = hol_model_compile(ctx, spec, set);
    if (!c->model) return last_error(ctx, HOL_ERR_INPUT);
    const hol_model *m = from->data->model;
    if (c->model->n_joints != m->n_joints || c->model->n_forces != m->n_forces)
        return HOL_ERR_ARGUMENT;
    if (hol__model_varies(c->model)) {
        hol_model *like = hol__model_like(ctx, c->model, m);
        if (!like) return HOL_ERR_MEMORY;
        hol_model_free(c->own);
        c->model = c->own = like;
    }
    if (!hol__models_are_alike(c->model, m)) return HOL_ERR_ARGUMENT;
    c->data = hol_data_new(ctx, c->model);
    if (!c->data) return HOL_ERR_MEMORY;
    hol__data_take_numbers(c->data, from->data);
    return hol__static_new(c->data, &c->system);
}

/* The largest acceleration of a run that starts at the state of the case, over that of gravity or
 * of the largest force, or of a slow swing; > 0 where it cannot. Nothing is said. */
static hol_status accelerations(const hol__static_case *c, double *share) {
    const hol_data *data = c->data;
    const hol_model *m = data->model;
    hol_context *quiet = hol__context_like(c->ctx);
    hol_sim *sim = quiet ? hol_sim_new(quiet, c->model, c->options) : NULL;
    hol_status status = sim ? hol_sim_restart(sim, data->t, data->q, data->v) : HOL_ERR_MEMORY;
    if (!status) status = hol_data_update(hol_sim_data(sim), HOL_STAGE_ACC);
    *share = 0;
    for (int i = 0; !status && i < hol_data_model(hol_sim_data(sim))->nv; i++)
        *share = fmax(*share, fabs(hol_sim_data(sim)->a[i]));
    *share /=
        fmax(fmax(hol__norm(m->gravity, m->dim), 1e-3 * c->system->force), slow_swing * m->length);
    hol_sim_free(sim);
    hol_context_free(quiet);
    return status == HOL_ERR_MEMORY ? status : status ? HOL_RETRY : HOL_OK;
}

/* With contacts the run that starts here must not move. */
static hol_status check_contacts(hol__static_case *c) {
    const hol_model *m = c->data->model;
    double share;
    int i = 0;
    const hol_status status = accelerations(c, &share);
    if (status < 0 || (!status && share < still)) return status;
    while (!m->joints[i].rigid) i++;
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &m->joints[i].where,
                       m->joints[i].label,
                       "no equilibrium with the contacts that are closed: at the position found, a "
                       "run that starts there moves; draw the bodies where they rest");
}

hol_status hol__static_case_check(hol__static_case *c) {
    return c->model->n_slots && !c->steady ? check_contacts(c) : HOL_OK;
}
