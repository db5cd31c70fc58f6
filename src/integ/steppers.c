/* steppers.c: the integrators that there are, and what all of them use.
 *
 * A new one is declared and listed here; the option `integrator`, the lists of the program and the
 * contract tests follow from the list.
 */
#include "integ/stepper.h"

#include <stdio.h>
#include <string.h>

extern const hol__stepper_type hol__stepper_euler, hol__stepper_heun, hol__stepper_rk4,
    hol__stepper_bs32, hol__stepper_dopri5, hol__stepper_dop853, hol__stepper_rodas3,
    hol__stepper_rodas4, hol__stepper_rodasp, hol__stepper_esdirk3, hol__stepper_esdirk4,
    hol__stepper_radau3, hol__stepper_radau5, hol__stepper_radau9, hol__stepper_generalized_alpha,
    hol__stepper_hht, hol__stepper_newmark, hol__stepper_newmark_extrapolated,
    hol__stepper_real_time, hol__stepper_energy_momentum, hol__stepper_rattle, hol__stepper_rattle6,
    hol__stepper_rattle8, hol__stepper_adams, hol__stepper_bdf, hol__stepper_ida;

static const hol__stepper_type *const types[] = {
    &hol__stepper_euler,
    &hol__stepper_heun,
    &hol__stepper_rk4,
    &hol__stepper_bs32,
    &hol__stepper_dopri5,
    &hol__stepper_dop853,
    &hol__stepper_rodas3,
    &hol__stepper_rodas4,
    &hol__stepper_rodasp,
    &hol__stepper_esdirk3,
    &hol__stepper_esdirk4,
    &hol__stepper_radau3,
    &hol__stepper_radau5,
    &hol__stepper_radau9,
    &hol__stepper_generalized_alpha,
    &hol__stepper_hht,
    &hol__stepper_newmark,
    &hol__stepper_newmark_extrapolated,
    &hol__stepper_real_time,
    &hol__stepper_energy_momentum,
    &hol__stepper_rattle,
    &hol__stepper_rattle6,
    &hol__stepper_rattle8,
    &hol__stepper_adams,
    &hol__stepper_bdf,
    &hol__stepper_ida,
};

enum { N_TYPES = sizeof types / sizeof *types };

const hol__stepper_type *hol__stepper_get(int i) {
    return i >= 0 && i < N_TYPES ? types[i] : NULL;
}

const hol__stepper_type *hol__stepper_find(const char *name) {
    for (int i = 0; i < N_TYPES; i++)
        if (strcmp(types[i]->name, name) == 0) return types[i];
    return NULL;
}

const char *hol__stepper_controlled(char *buf, size_t size) {
    int left = 0;
    for (int i = 0; i < N_TYPES; i++) left += types[i]->error_order > 0 && !types[i]->missing;
    buf[0] = 0;
    for (int i = 0; i < N_TYPES; i++) {
        if (!types[i]->error_order || types[i]->missing) continue;
        const size_t used = strlen(buf);
        left--;
        snprintf(buf + used, size - used, "%s%s", types[i]->name,
                 left > 1    ? ", "
                 : left == 1 ? " or "
                             : "");
    }
    return buf;
}
