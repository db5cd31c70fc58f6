/* integ_options.c: the options of integrators and of their control. */
#include "integ/stepper.h"

static const char *integrator_choice(int i) {
    const hol__stepper_type *row = i > 0 ? hol__stepper_get(i - 1) : NULL;
    return i == 0 ? "auto" : row ? row->name : NULL;
}

/* In the order of the documentation. */
static const hol_option rows[] = {
    HOL__CHOICE("integrator", integrator_choice, "auto",
                "The integration formula; auto: rk4 for a fixed step, otherwise "
                "dop853 or dopri5 by tolerance, and radau9 or radau5 from where the run turns out "
                "to be stiff."),
    HOL__REAL("step", 0, 1e300, "0", "s",
              "Fixed step; 0: steps are chosen so that the local error meets the tolerance."),
    HOL__REAL("tolerance", 1e-15, 0.1, "1e-8", "",
              "Local error allowed per step, relative to the size of the "
              "mechanism, to one radian, and to their rates. It does not bound the error at the "
              "end: `tolerance_kind: end` does."),
    HOL__REAL("first_step", 0, 1e300, "0", "s",
              "First step for error-controlled steps; 0: estimated."),
    HOL__REAL("max_step", 0, 1e300, "0", "s",
              "Largest step for error-controlled steps; 0: no limit."),
    HOL__REAL("spectral_radius", 0, 1, "0.8", "",
              "generalized-alpha, hht: the factor by which a step damps oscillations that are much "
              "faster than it; 1: no damping; hht takes 0.5 to 1."),
    HOL__INTEGER("max_steps", 0, 9e15, "0",
                 "The run stops with an error after this many steps; 0: no limit."),
};

const hol__option_rows hol__integrator_options = HOL__ROWS(rows);
