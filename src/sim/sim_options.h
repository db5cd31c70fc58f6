/* sim_options.h: the options that the simulation reads, by index. */
#ifndef HOL_SIM_SIM_OPTIONS_H
#define HOL_SIM_SIM_OPTIONS_H

#include "base/option.h"

enum {
    HOL__OPT_START,
    HOL__OPT_END,
    HOL__OPT_COORDINATES,
    HOL__OPT_METHOD,
    HOL__OPT_KERNEL,
    HOL__OPT_BASIS,
    HOL__OPT_NULLSPACE_FORM,
    HOL__OPT_UK_FORM,
    HOL__OPT_REACTIONS,
    HOL__OPT_LOCAL_COORDINATES,
    HOL__OPT_WATCH,
    HOL__OPT_WATCH_BY,
    HOL__OPT_INDEPENDENT,
    HOL__OPT_INDEPENDENT_CHANGE,
    HOL__OPT_STORAGE,
    HOL__OPT_DAE_FORM,
    HOL__OPT_STABILIZER,
    HOL__OPT_ALPHA,
    HOL__OPT_BETA,
    HOL__OPT_STEP_GAIN,
    HOL__OPT_GAINS,
    HOL__OPT_SAMPLING,
    HOL__OPT_POLE,
    HOL__OPT_PENALTY,
    HOL__OPT_ITERATIONS,
    HOL__OPT_ITERATION_TOLERANCE,
    HOL__OPT_OMEGA,
    HOL__OPT_MU,
    HOL__OPT_ENERGY_LIMIT,
    HOL__OPT_THRESHOLD,
    HOL__OPT_CORRECTION,
    HOL__OPT_NEWTON,
    HOL__OPT_CROSSING,
    HOL__OPT_INTEGRATOR,
    HOL__OPT_STEP,
    HOL__OPT_TOLERANCE,
    HOL__OPT_TOLERANCE_KIND,
    HOL__OPT_FIRST_STEP,
    HOL__OPT_MAX_STEP,
    HOL__OPT_MAX_STEPS,
    HOL__OPT_SPECTRAL_RADIUS,
    HOL__OPT_OUTPUT,
    HOL__OPT_OUTPUT_MODE,
    HOL__OPT_EXTREMES,
    HOL__OPT_POSITION_TOLERANCE,
    HOL__OPT_VELOCITY_TOLERANCE,
    HOL__OPT_IMPACTS,
    HOL__OPT_CONTACT_TOLERANCE,
    HOL__OPT_CATCH_TOLERANCE,
    HOL__OPT_MAX_TIME,
    HOL__OPT_MAX_ROWS,
    HOL__OPT_MAX_CREEP,
    HOL__OPT_EXPECTED_VIOLATION,
    HOL__OPT_EXPECTED_ENERGY_ERROR,
    HOL__OPT_MAX_VIOLATION,
    HOL__OPT_MAX_ENERGY_ERROR,
    HOL__OPT_RANK_TOLERANCE,
    HOL__OPT_ASSEMBLE,
    HOL__OPT_START_AT,
    HOL__OPT_COUNT
};

/* Of the option `start_at`. */
enum { HOL__START_DRAWN, HOL__START_EQUILIBRIUM };

/* The last is `output: steps`. */
enum { HOL__OUTPUT_AUTO, HOL__OUTPUT_LAND, HOL__OUTPUT_DENSE, HOL__OUTPUT_STEPS };

/* The values of the options by these indices. */
hol_status hol__sim_read_options(const hol_options *options, double values[HOL__OPT_COUNT]);

/* The name of an option by its index. */
const char *hol__sim_option_name(int option);

#endif
