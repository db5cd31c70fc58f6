/* small_about.c: small motions about the state of a simulation, about the equilibrium that a damped
 * motion from there would end in, or about the nearest steady motion, resting on what it touches.
 * See small.h. */
#include "analysis/small.h"
#include "analysis/static_contact.h"
#include "analysis/steady.h"

#include "sim/sim.h"

/* The equilibrium, or the steady motion, with contacts from the state of the simulation. */
static hol_status rest_on(hol_sim *sim, int steady, hol__small **out) {
    hol__static_case c = {
        .ctx = sim->ctx, .model = (hol_model *)sim->whole, .sim = sim, .steady = steady};
    hol__equilibrium e = {.method = steady ? HOL__STATICS_NEWTON : HOL__STATICS_AUTO,
                          .tolerance = 1e-11};
    hol_status status = hol__static_case_gaps(&c);
    if (!status) status = hol__static_case_touch(&c);
    if (!status) status = steady ? hol__steady_find(&c, &e, out) : hol__static_case_settle(&c, &e);
    if (!status && !steady) status = hol__small_at_rest(c.data, out);
    hol__static_case_forget(&c);
    return status;
}

hol_status hol__small_about(hol_sim *sim, int settle, hol__small **out) {
    const hol_data *data = hol_sim_data(sim);
    *out = NULL;
    if (settle == HOL__SETTLE_NOT || !sim->whole->n_slots) return hol__small_new(data, settle, out);
    const int moves = settle == HOL__SETTLE_STEADY && hol__norm(data->v, data->model->nv) > 0;
    const size_t size = hol_sim_state_size(sim);
    void *state = hol__alloc(sim->ctx, size, 1);
    hol_status status = state ? hol_sim_state_save(sim, state, size) : HOL_ERR_MEMORY;
    if (!status) {
        status = rest_on(sim, moves, out);
        const hol_status back = hol_sim_state_load(sim, state, size);
        if (!status) status = back;
    }
    hol__release(sim->ctx, state);
    if (status && *out) {
        hol__small_free(*out);
        *out = NULL;
    }
    return status;
}
