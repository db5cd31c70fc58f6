/* calls.h: one instance of an FMU, whichever version of the standard it is called through and
 * whatever computes it.
 *
 *     instantiated → initialization → event ⇄ continuous       model exchange
 *                                   → step (⇄ event, FMI 3)    co-simulation
 *                                   → terminated               and `failed` after an error
 *
 * fmi2.c and fmi3.c check what may be called when against one table each (fmu_may) and hand
 * numbers over; what is computed is computed behind these calls: by the library (component.c), or
 * in an FMU of sources by generated code (sources/component.c). There is nothing global, so that
 * any number of instances serve any number of threads, one at a time each.
 */
#ifndef HOL_FMU_CALLS_H
#define HOL_FMU_CALLS_H

#include "base/context.h"

typedef enum hol__fmu_state {
    HOL__FMU_INSTANTIATED = 1,
    HOL__FMU_INITIALIZATION = 2,
    HOL__FMU_EVENT = 4,
    HOL__FMU_CONTINUOUS = 8,
    HOL__FMU_STEP = 16,
    HOL__FMU_INTERMEDIATE = 32, /* within a callback of a step */
    HOL__FMU_TERMINATED = 64,
    HOL__FMU_FAILED = 128
} hol__fmu_state;

/* How a doStep ended. */
typedef struct hol__fmu_step {
    int event;     /* something happened at t, which event mode tells of */
    int terminate; /* the model ended its run */
    int early;     /* it returned before the time that was asked for */
    double t;
} hol__fmu_step;

/* Defined by component.h. */
typedef struct hol__fmu hol__fmu;

/* An instance of the model in a folder of resources; messages go to ctx, which it then owns. NULL
 * after errors, with ctx left to the caller. token: that of the description (NULL: any). */
hol__fmu *hol__fmu_new(hol_context *ctx, const char *resources, const char *token, int exchange);
void hol__fmu_free(hol__fmu *c);

/* As it was when it was made. */
hol_status hol__fmu_reset(hol__fmu *c);

/* The span and the tolerance of the run (0: that of the model), before it is initialised. */
hol_status hol__fmu_setup(hol__fmu *c, double start, double stop, double tolerance);

/* The simulation of the parameters that were set; and the end of initialisation. */
hol_status hol__fmu_prepare(hol__fmu *c);
hol_status hol__fmu_initialized(hol__fmu *c);

/* Values by value reference; setting says whether the variable may be set in the present state. */
hol_status hol__fmu_get(hol__fmu *c, unsigned reference, double *value);
hol_status hol__fmu_set(hol__fmu *c, unsigned reference, double value);

/* Model exchange: time, states, rates, conditions, sizes against which errors count. */
hol_status hol__fmu_set_time(hol__fmu *c, double t);
hol_status hol__fmu_set_states(hol__fmu *c, const double *x);
hol_status hol__fmu_get_states(hol__fmu *c, double *x);
hol_status hol__fmu_get_rates(hol__fmu *c, double *rates);
hol_status hol__fmu_get_conditions(hol__fmu *c, double *out);
void hol__fmu_get_nominals(const hol__fmu *c, double *out);

/* A step of the importer's integrator has ended at the state: whether that is so far off the
 * constraints that it should be brought back. */
hol_status hol__fmu_accept(hol__fmu *c, int *drifted);

/* What is due at the state happens: *changed, the states are others now; *terminate; *next, the
 * next time at which a law jumps, INFINITY where none is known. */
hol_status hol__fmu_handle_events(hol__fmu *c, int *changed, int *terminate, double *next);

/* Co-simulation: from t over h. */
hol_status hol__fmu_do_step(hol__fmu *c, double t, double h, hol__fmu_step *out);

/* d(unknown)/d(known) seed, forward; and backward. */
hol_status hol__fmu_derivative(hol__fmu *c, size_t n_unknown, const unsigned *unknown,
                               size_t n_known, const unsigned *known, const double *seed,
                               double *out);
hol_status hol__fmu_adjoint(hol__fmu *c, size_t n_unknown, const unsigned *unknown, size_t n_known,
                            const unsigned *known, const double *seed, double *out);

/* The exact state as bytes: how many; out; in. */
size_t hol__fmu_state_size(hol__fmu *c);
hol_status hol__fmu_state_save(hol__fmu *c, void *block, size_t size);
hol_status hol__fmu_state_load(hol__fmu *c, const void *block, size_t size);

/* A path from a URI or a path: file:///a/b%20c, file:/a, or a path as it stands. NULL where it is
 * none of a local file. To be released. */
char *hol__fmu_path(hol_context *ctx, const char *uri);

/* Whether a run may be set up so, and whether a step from t over h
 * can be made by an instance that is at `now` and ends at `stop`; errors are reported. */
hol_status hol__fmu_check_span(hol_context *ctx, double start, double stop, double tolerance);
hol_status hol__fmu_check_step(hol_context *ctx, double now, double stop, double t, double h);
hol_status hol__fmu_check_number(hol_context *ctx, const char *what, double value);

#endif
