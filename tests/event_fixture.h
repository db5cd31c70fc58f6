/* event_fixture.h: what happened in a run, and its balance. */
#ifndef EVENT_FIXTURE_H
#define EVENT_FIXTURE_H

#include "method_fixture.h"

static inline hol_event event_of(run *r, int i) {
    hol_event event = {.size = sizeof event};
    assert_int_equal(hol_sim_event(r->sim, i, &event), HOL_OK);
    return event;
}

/* Settings of a set of coordinates, with a tolerance of 1e-10. */
static inline const char *coordinates(int set) {
    static char settings[64];
    snprintf(settings, sizeof settings, "coordinates=%s tolerance=1e-10", sets[set]);
    return settings;
}

static inline void check_balance(run *r, double tolerance) {
    check_near("energy balance", sim_info(r->sim).relative_energy_error, 0, tolerance);
}

#endif
