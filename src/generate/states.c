/* states.c: a short run of the library, step by step. See states.h. */
#include "generate/states.h"

#include "analysis/parameter_tangent.h"
#include "base/argument.h"
#include "dyn/data.h"

#include <math.h>
#include <string.h>

/* States are kept after so many steps. */
static const int kept_at[] = {0, 1, 2, 5, 10, 20, 50};
enum { KEPT = sizeof kept_at / sizeof *kept_at };

/* Steps that are tried where nobody asks for one, in seconds. */
static const double FIRST_STEP = 1e-3, LEAST_STEP = 1e-6;

const char *const hol__gstates_options[] = {
    "start",          "start_at", "assemble", "position_tolerance", "velocity_tolerance",
    "rank_tolerance", NULL};

static double *copy(hol__arena *arena, const double *x, int n) {
    double *out = HOL__NEW_N(arena, double, n + 1);
    if (out && n) memcpy(out, x, sizeof *out * (size_t)n);
    return out;
}

/* The state of the simulation, with accelerations of the plain equations. */
static hol_status keep(hol_sim *sim, hol_data *data, int step, hol__gstates *out) {
    const hol_model *m = hol_sim_model(sim);
    hol__gstate *s = &out->list[out->n];
    hol_status status = hol_data_copy(data, hol_sim_data(sim));
    if (!status) status = hol_data_update(data, HOL_STAGE_DYN);
    if (!status) status = hol_data_solve(data);
    if (status) return status;
    s->t = data->t;
    s->q = copy(&out->arena, data->q, m->nq);
    s->v = copy(&out->arena, data->v, m->nv);
    s->a = copy(&out->arena, data->a, m->nv);
    s->angles = copy(&out->arena, data->angles, m->n_angles);
    if (out->arena.failed) return HOL_ERR_MEMORY;
    out->step[out->n++] = step;
    return HOL_OK;
}

/* Full turns that the library took out of joint angles in the last step are put back. */
static void count_turns(const hol_model *m, const double *q, const double *v, double h,
                        double *last, double *turns) {
    static const double turn = 6.283185307179586476925286766559;
    for (int i = 0; i < m->tree->n; i++) {
        const hol__link *link = &m->tree->links[i];
        if (link->turn == HOL__TURN_BALL || link->pitch != 0) continue;
        for (int k = link->n_move; k < link->nv; k++) {
            const double moved = q[link->q + k] - last[link->q + k] - h * v[link->v + k];
            turns[link->q + k] -= turn * round(moved / turn);
        }
    }
    memcpy(last, q, sizeof *last * (size_t)m->nq);
}

/* Steps on the grid t0 + k h. */
static hol_status follow(hol_sim *sim, hol_data *data, hol__gstates *out) {
    const hol_data *now = hol_sim_data(sim);
    const double t0 = now->t;
    const int nq = now->model->nq;
    double *turns = HOL__NEW_N(&out->arena, double, nq + 1), *last = copy(&out->arena, now->q, nq);
    hol_status status = turns && last ? keep(sim, data, 0, out) : HOL_ERR_MEMORY;
    for (int k = 1; k <= kept_at[KEPT - 1] && !status; k++) {
        if (hol_sim_step(sim)) break;
        if (!(fabs(now->t - (t0 + k * out->h)) <= 1e-9 * out->h)) break;
        count_turns(now->model, now->q, now->v, out->h, last, turns);
        for (int i = 0; i < KEPT && !status; i++) {
            if (kept_at[i] != k) continue;
            status = keep(sim, data, k, out);
            for (int j = 0; !status && j < nq; j++) out->list[out->n - 1].q[j] += turns[j];
        }
    }
    return status;
}

hol_options *hol__gstates_new_options(hol_context *ctx, const hol_options *given) {
    const char *const *same = hol__gstates_options;
    hol_options *o = hol_options_new(ctx);
    char text[64];
    hol_status bad = o ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; !bad && same[i]; i++)
        bad =
            hol_options_set(o, same[i], hol_options_text(given, same[i], text, sizeof text), NULL);
    if (!bad) bad = hol_options_set_choice(o, "coordinates", "relative");
    if (!bad) bad = hol_options_set_choice(o, "method", "direct-correction");
    if (!bad) return o;
    hol_options_free(o);
    return NULL;
}

/* The options of the run: what assembles the mechanism as given, the rest as generated code. */
static hol_options *options_of(hol_context *ctx, const hol_options *given, const char *integrator,
                               double h) {
    hol_options *o = hol__gstates_new_options(ctx, given);
    double start = 0;
    hol_status bad = o ? hol_options_get_real(o, "start", &start) : HOL_ERR_MEMORY;
    if (!bad) bad = hol_options_set_real(o, "end", start + 1e6 * h);
    if (!bad) bad = hol_options_set_real(o, "step", h);
    if (!bad) bad = hol_options_set_choice(o, "integrator", integrator);
    if (!bad) return o;
    hol_options_free(o);
    return NULL;
}

/* The run with steps of length h; its messages go to ctx. */
static hol_status run(hol_context *ctx, const hol_model *model, const hol_options *given,
                      const char *integrator, double h, hol__gstates *out) {
    out->h = h;
    out->n = 0;
    hol_options *options = options_of(ctx, given, integrator, h);
    hol_sim *sim = options ? hol_sim_new(ctx, model, options) : NULL;
    hol_data *data = sim ? hol_data_new(hol_sim_context(sim), model) : NULL;
    const hol_status status = data ? follow(sim, data, out) : hol__why_not_made(ctx);
    out->size = fmax(1, model->length);
    if (options) hol_options_get_real(options, "position_tolerance", &out->position_tolerance);
    hol_data_free(data);
    hol_sim_free(sim);
    hol_options_free(options);
    return status;
}

hol_status hol__gstates_make(hol_context *ctx, const hol_model *model, const hol_options *given,
                             const char *integrator, double h, hol__gstates *out) {
    const double least = h > 0 ? h : LEAST_STEP;
    hol_context *quiet = hol__context_like(ctx);
    *out = (hol__gstates){.h = h};
    hol__arena_init(&out->arena, ctx);
    out->list = HOL__NEW_N(&out->arena, hol__gstate, KEPT);
    out->step = HOL__NEW_N(&out->arena, int, KEPT);
    hol_status status = quiet && !out->arena.failed ? HOL_OK : HOL_ERR_MEMORY;
    /* a run that fails is made again with shorter steps, unless they were asked for */
    for (h = h > 0 ? h : FIRST_STEP; !status; h *= 0.1) {
        hol_message_clear(quiet);
        status = run(quiet, model, given, integrator, h, out);
        if (status || out->n == KEPT || h * 0.1 < 0.99 * least) break;
    }
    hol_context_free(quiet);
    /* what keeps the mechanism from starting is said once more, for the reader */
    if (status && status != HOL_ERR_MEMORY) status = run(ctx, model, given, integrator, h, out);
    return status;
}

void hol__gstates_free(hol__gstates *s) {
    hol__arena_free(&s->arena);
}
