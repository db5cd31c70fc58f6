/* certify.c: hol_certify: how many digits of a run are certain. docs/theory/certify.md. */
#include "analysis/certify.h"

#include "analysis/parameter_tangent.h"
#include "base/argument.h"
#include "model/node.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

static const char call[] = "hol_certify";

/* What is asked: within what can be told. */
static hol_status read_options(hol__certify *c) {
    c->digits = c->o.digits > 0 ? c->o.digits : 3;
    if (!(c->digits <= 14))
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "%g digits are more than a number of the machine holds with something "
                           "to spare; ask for 14 at most",
                           c->digits);
    c->share = pow(10, 0 - c->digits);
    return hol__need_finite(c->ctx, call, "digits", c->o.digits);
}

/* The names of measures that are said to stay constant. */
static hol_status check_conserved(hol__certify *c) {
    if (!c->o.conserved) return HOL_OK;
    for (const char *p = c->o.conserved; *p;) {
        p += strspn(p, ", ");
        const size_t n = strcspn(p, ", ");
        int found = 0;
        for (int j = 0; j < c->model->n_columns; j++) {
            const char *name = c->model->columns[j].name;
            found |= strncmp(name, p, n) == 0 && (name[n] == '\0' || name[n] == '.');
        }
        if (n && !found)
            return hol__report(c->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "certify",
                               "there is no measure '%.*s' that could stay constant", (int)n, p);
        p += n;
    }
    return HOL_OK;
}

/* The model as it is run, its options, and room. */
static hol_status open_model(hol__certify *c) {
    hol_context *quiet = c->quiet = hol__context_like(c->ctx);
    if (!quiet) return HOL_ERR_MEMORY;
    c->options = hol_options_from_spec(c->ctx, c->spec);
    if (c->options)
        c->models[HOL__COORDINATES - 1] =
            hol_model_compile(c->ctx, c->spec, hol_options_run_coordinates(c->options));
    c->model = c->models[HOL__COORDINATES - 1];
    if (!c->model) return hol__why_not_made(c->ctx);
    const int n = c->model->n_columns;
    c->grid.n = n;
    c->grid.joints = c->model->n_joints;
    c->grid.width = n + 3 * c->grid.joints;
    c->size = HOL__NEW_N(&c->arena, double, n + 1);
    c->open = HOL__NEW_N(&c->arena, unsigned char, n + 1);
    c->zero = HOL__NEW_N(&c->arena, unsigned char, n + 1);
    if (c->arena.failed) return HOL_ERR_MEMORY;
    if (n) return check_conserved(c);
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "certify",
                       "the model has no measures, so there is nothing to certify; add a section "
                       "`measures`, for example `energy: {type: energy}`");
}

hol_status hol__certify_open(hol_context *ctx, const hol_spec *spec,
                             const hol_certify_options *options, hol__certify **out) {
    hol__certify *c = *out = hol__alloc(ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->ctx = ctx;
    c->spec = spec;
    c->answer = -1;
    hol__arena_init(&c->arena, ctx);
    if (options) memcpy(&c->o, options, options->size < sizeof c->o ? options->size : sizeof c->o);
    hol_status status = read_options(c);
    if (!status) status = open_model(c);
    if (status) hol__certify_close(c), *out = NULL;
    return status;
}

hol_status hol__certify_carry_out(hol__certify *c) {
    hol_status status = hol__certify_judged(c);
    if (!status) status = hol__certify_panel(c);
    if (!status) status = hol__certify_bound(c);
    if (!status && !c->o.quick) status = hol__certify_growth(c);
    if (!status) hol__certify_judge(c);
    return !status && c->arena.failed ? HOL_ERR_MEMORY : status;
}

void hol__certify_close(hol__certify *c) {
    for (int i = 0; i < HOL__COORDINATES; i++) {
        hol_model_free(c->models[i]);
        hol_context_free(c->compiled[i]);
    }
    hol_options_free(c->options);
    hol_context_free(c->quiet);
    hol__arena_free(&c->arena);
    hol__release(c->ctx, c);
}

hol_status hol_certify(hol_context *ctx, const hol_spec *spec, const hol_certify_options *options,
                       hol_answer **out) {
    hol__certify *c;
    if (out) *out = NULL;
    if (!ctx || hol__need(ctx, call, "the answer", out) || !hol__spec_is_whole(ctx, call, spec))
        return HOL_ERR_ARGUMENT;
    hol_status status = hol__certify_open(ctx, spec, options, &c);
    if (status) return status;
    status = hol__certify_carry_out(c);
    hol_answer *answer = status ? NULL : hol__certify_tell(c);
    if (!status) status = answer ? hol__answer_finish(answer, HOL_OK, out) : HOL_ERR_MEMORY;
    hol__certify_close(c);
    return status;
}

/* The run of the simulation must be one that can be made again. */
static hol_status check_run(hol_context *ctx, const hol_sim *sim) {
    static const char name[] = "hol_certify_run";
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    if (info.end != HOL_END_TIME && info.end != HOL_END_STOP)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, name,
                           "the run has not come to its end");
    if (sim->data->on_force)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, name,
                           "forces of the caller cannot be repeated in other runs");
    return HOL_OK;
}

hol_status hol_certify_run(hol_context *ctx, const hol_spec *spec, hol_sim *sim, int *certified) {
    static const hol_certify_options quick = {.size = sizeof quick, .quick = 1};
    hol__certify *c;
    if (certified) *certified = 0;
    if (!ctx) return HOL_ERR_ARGUMENT;
    hol_status status = hol__need(ctx, "hol_certify_run", "the simulation", sim);
    if (!status) status = hol__need(ctx, "hol_certify_run", "the verdict", certified);
    if (!status && !hol__spec_is_whole(ctx, "hol_certify_run", spec)) status = HOL_ERR_ARGUMENT;
    if (!status) status = check_run(ctx, sim);
    if (status || (status = hol__certify_open(ctx, spec, &quick, &c)) != HOL_OK) return status;
    status = hol__certify_carry_out(c);
    if (!status) {
        *certified = c->certified;
        hol__print(sim->certificate, sizeof sim->certificate, "%s%s%s", c->verdict,
                   *c->cause ? "; " : "", c->cause);
    }
    hol__certify_close(c);
    return status;
}
