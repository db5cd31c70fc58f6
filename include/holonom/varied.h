/* varied.h: one mechanism with many values: parameters change from run to run, and what follows
 * from them is evaluated again.
 *
 *     const char *names[] = {"L2", "bodies.rod.mass"};
 *     hol_varied *varied;
 *     hol_varied_new(ctx, spec, 2, names, &varied);
 *     for (...) {
 *         hol_varied_set(varied, (double[]){0.4, 1.5});
 *         hol_sim_run(hol_varied_sim(varied), &observer);
 *     }
 *     hol_varied_free(varied);
 *
 * The description is read once. Each set of values goes through the same passes as
 * hol_model_compile and hol_sim_new, over the tree that is there and in memory that is there: once
 * sets of the same sizes have been made, nothing more is asked of the allocator. So the results of
 * a set are those of a model that is compiled with these values, bit for bit, whatever the values
 * decide.
 *
 * What the parameters have become, those that follow from others included, says hol_model_parameter
 * of the model.
 *
 * A varied mechanism serves one thread at a time; for several threads make one in each. Models that
 * threads share stay what they are.
 */
#ifndef HOLONOM_VARIED_H
#define HOLONOM_VARIED_H

#include "sim.h"
#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_varied hol_varied;

/* Parameters of the description, or numbers by their paths ("bodies.rod.mass", "gravity.1",
 * "simulation.end"), that may have other values, an expression among them. The description is
 * copied, which several threads may do at a time; ctx must outlive *varied. Names that are not
 * there, that stand for no single number or that come twice are errors: HOL_ERR_ARGUMENT, with
 * NULL in *varied. There are no values, and so no model, before the first hol_varied_set. */
hol_status hol_varied_new(hol_context *ctx, const hol_spec *spec, int n, const char *const *names,
                          hol_varied **varied);
void hol_varied_free(hol_varied *varied);

/* The unit of value i: that of SI for what the file gives with a unit, the same as in
 * hol_model_parameter; "" where it gives a plain number or an expression of other parameters; NULL
 * where there is no such value. */
const char *hol_varied_unit(const hol_varied *varied, int i);

/* Give the n values, in SI units. Model, options and simulation of the values before are gone.
 * Where the description is wrong with these values the errors are told to the context of
 * hol_varied_new; there is no model then, and other values may be set. */
hol_status hol_varied_set(hol_varied *varied, const double *values);

/* The model with the values that were set last, in the coordinates that the description asks for,
 * and the options of its section `simulation`, which may be changed until hol_varied_sim is called,
 * for these values alone; NULL where there are none. They belong to the varied mechanism. */
const hol_model *hol_varied_model(const hol_varied *varied);
hol_options *hol_varied_options(hol_varied *varied);

/* The simulation of these values, at its start: made when it is first asked for, the same until
 * other values are set. NULL, with messages, where there is none. */
hol_sim *hol_varied_sim(hol_varied *varied);

/* Whether the values decided the structure otherwise than those of the last model before: the
 * number of coordinates, constraints, elements that act, columns of output, or which coordinates a
 * constraint binds. Arrays that a program has laid out by them no longer fit. 0 for the first. */
int hol_varied_changed(const hol_varied *varied);

/* What was said of the values that were set last, warnings included; NULL before the first. */
const hol_context *hol_varied_context(const hol_varied *varied);

#ifdef __cplusplus
}
#endif
#endif
