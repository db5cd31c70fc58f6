/* start.c: a simulation, whose run may start at a static equilibrium (option `start_at`).
 *
 * The search is that of `holonom statics`: from the assembled position, at rest, with drivers where
 * they are at the start. It works on a simulation of its own of the same model, so that contacts
 * may close and open on the way, and leaves positions and states of elements; velocities are the
 * business of the start (sim/sim_start.c).
 */
#include "analysis/static_contact.h"
#include "analysis/static_rest.h"

#include "base/argument.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>

static const char what[] = "start_at";

/* The body that two states have farthest apart; its way in metres and its turn in radians. */
typedef struct way {
    int body;
    double shift, turn;
} way;

static way way_between(hol_data *a, hol_data *b) {
    const hol_model *m = a->model;
    way most = {.body = -1};
    double farthest = -1;
    for (int i = 0; i < m->nb; i++) {
        hol_pose p, q;
        double shift = 0, trace = 0;
        hol_data_body_pose(a, i, &p), hol_data_body_pose(b, i, &q);
        for (int k = 0; k < 3; k++) shift = hypot(shift, q.r[k] - p.r[k]);
        for (int k = 0; k < 9; k++) trace += p.R[k] * q.R[k];
        const double turn = acos(fmax(-1, fmin(1, 0.5 * (trace - 1))));
        if (!(shift + m->length * turn > farthest)) continue;
        farthest = shift + m->length * turn;
        most = (way){i, shift, turn};
    }
    return most;
}

/* "0.21 m and 31 deg", of which a part that is rounding is left out. */
static void write_way(const way *w, double length, char *text, size_t size) {
    static const double degrees = 57.295779513082320876798154814105;
    const int shifts = w->shift > 1e-9 * length, turns = w->turn > 1e-9;
    if (shifts && turns)
        hol__print(text, size, "%.4g m and %.4g deg", w->shift, degrees * w->turn);
    else
        hol__print(text, size, "%.4g %s", shifts ? w->shift : degrees * w->turn,
                   shifts ? "m" : "deg");
}

/* The first direction that nothing holds; NULL where there is none. */
static const double *free_direction(const hol__rest *rest) {
    for (int k = 0; k < rest->n && rest->n_zero; k++)
        if (rest->value[k] == 0 && rest->imaginary[k] == 0)
            return rest->motion + (size_t)k * (size_t)rest->n;
    return NULL;
}

/* What the search came to: how far the bodies went, and whether they stay there. */
static void tell(hol_sim *sim, hol__static_case *c, const hol__rest *rest, hol_data *before) {
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_START_AT);
    const way most = way_between(before, c->data);
    const int same = sim->settled_by <= 1e-9 * sim->model->length;
    char motion[512], text[768], by[64];
    write_way(&most, sim->model->length, by, sizeof by);
    if (most.body < 0 || same)
        snprintf(text, sizeof text, "the drawn position is the equilibrium");
    else
        snprintf(text, sizeof text,
                 "the run starts at its static equilibrium; %s is farthest from where it was "
                 "drawn, by %s",
                 sim->model->bodies[most.body].label, by);
    const double *open = free_direction(rest);
    if (open && rest->verdict != HOL__REST_UNSTABLE) {
        hol__static_tell(c->system, open, motion, sizeof motion);
        hol__report(sim->ctx, HOL_NOTE, HOL_OK, &where, what,
                    "%s (%s, since no force resists it: %s)", text, sim->equilibrium, motion);
        return;
    }
    if (rest->verdict != HOL__REST_UNSTABLE) {
        hol__report(sim->ctx, HOL_NOTE, HOL_OK, &where, what, "%s (%s)", text, sim->equilibrium);
        return;
    }
    hol__static_tell(c->system, rest->motion, motion, sizeof motion);
    hol__warn(sim->ctx, &where, what,
              "%s; it is unstable in the direction %s: the least disturbance leads away from it; "
              "draw the mechanism off it to start at one that is stable",
              text, motion);
}

/* The first error of the search becomes that of the start. */
static hol_status pass_on(hol_sim *sim, const hol_context *quiet, hol_status status) {
    for (int i = 0; i < hol_message_count(quiet); i++) {
        const hol_message *m = hol_message_get(quiet, i);
        if (m->severity == HOL_ERROR)
            return hol__report(sim->ctx, HOL_ERROR, status, &m->where, m->element,
                               "`start_at: equilibrium`: %s", m->text);
    }
    return status;
}

/* The equilibrium of the case becomes the state of the simulation. */
static hol_status take(hol_sim *sim, hol__static_case *c, const hol__equilibrium *e) {
    hol__rest *rest = NULL;
    hol_status status = hol__rest_new(c->system, &rest);
    hol_data *before = status ? NULL : hol_data_new(sim->ctx, sim->model);
    if (!status) status = before ? hol_data_copy(before, sim->data) : HOL_ERR_MEMORY;
    if (!status) {
        sim->equilibrium = hol__rest_word(rest->verdict);
        sim->settled_by = e->moved;
        hol__data_carry(sim->data, c->data);
        tell(sim, c, rest, before);
    }
    hol_data_free(before);
    if (rest) hol__rest_free(rest);
    return status;
}

/* The state in the data of the simulation moves to an equilibrium (hol__settle_fn). */
static hol_status settle(hol_sim *sim) {
    hol__static_case c = {0};
    hol__equilibrium e = {.method = HOL__STATICS_AUTO};
    hol_context *quiet = hol__context_like(sim->ctx);
    if (!quiet) return HOL_ERR_MEMORY;
    hol_status status = hol__static_case_of(quiet, sim->whole, sim->given, &c);
    if (!status) status = hol__static_case_settle(&c, &e);
    if (!status) status = hol__static_case_check(&c);
    status =
        status ? pass_on(sim, quiet, status < 0 ? status : HOL_ERR_SINGULAR) : take(sim, &c, &e);
    hol__static_case_close(&c);
    hol_context_free(quiet);
    return status;
}

hol_sim *hol_sim_new(hol_context *ctx, const hol_model *model, const hol_options *options) {
    return hol__sim_new(ctx, model, options, settle);
}
