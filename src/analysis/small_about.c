/* small_about.c: small motions about the state of a simulation, or about the equilibrium that a
 * damped motion from there would end in, resting on what it touches. See small.h. */
#include "analysis/small.h"
#include "analysis/static_contact.h"

#include "sim/sim.h"

/* The equilibrium with contacts from the state of the simulation. */
static hol_status rest_on(hol_sim *sim, hol__small **out) {
    hol__static_case c = {.ctx = sim->ctx, .model = (hol_model *)sim->whole, .sim = sim};
    hol__equilibrium e = {.method = HOL__STATICS_AUTO, .tolerance = 1e-11};
    hol_status status = hol__static_case_gaps(&c);
    if (!status) status = hol__static_case_touch(&c);
    if (!status) status = hol__static_case_settle(&c, &e);
    if (!status) status = hol__small_at_rest(c.data, out);
    hol__static_free(c.system);
    hol_data_free(c.data);
    hol__release(c.ctx, c.gaps);
    return status;
}

hol_status hol__small_about(hol_sim *sim, int settle, hol__small **out) {
    *out = NULL;
    if (settle != HOL__SETTLE_REST || !sim->whole->n_slots)
        return hol__small_new(hol_sim_data(sim), settle, out);
    const size_t size = hol_sim_state_size(sim);
    void *state = hol__alloc(sim->ctx, size, 1);
    hol_status status = state ? hol_sim_state_save(sim, state, size) : HOL_ERR_MEMORY;
    if (!status) {
        status = rest_on(sim, out);
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
