/* assemblies.c: the assemblies of a mechanism from many starts.
 *
 * Starts: the drawn position, then bodies anywhere within the size of the mechanism around where
 * they are drawn, turned by any angle; a fixed sequence, so that the same model has the same
 * answer. What is held stays where it is drawn.
 */
#include "analysis/assemblies.h"

#include "base/argument.h"
#include "common/nearest.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { STARTS = 300 };

static const double pi = 3.141592653589793238463;
static const double same = 1e-6; /* radians and sizes by which two assemblies may differ */

/* ---- positions ---- */

/* The next number of the sequence, in [-1, 1). */
static double scatter(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* A position to start from; what is held stays. */
static void next_start(hol__assemblies *a, uint64_t *state) {
    const hol_model *m = a->from;
    double *d = a->closing.delta;
    for (int i = 0; i < m->nv; i++) {
        const double x = scatter(state);
        d[i] = hol__is_turn(m, i) ? pi * x : m->length * x;
    }
    for (int i = 0; i < a->closing.n_held; i++)
        if (a->closing.held[i].joint < 0) d[a->closing.held[i].velocity] = 0;
    m->coords->plus(m, a->closing.reference, d, a->start);
}

void hol__assemblies_apart(const hol__assemblies *a, const double *q, const double *other,
                           double apart[2]) {
    const hol_model *m = a->from;
    double *d = a->closing.away;
    m->coords->minus(m, q, other, d);
    apart[0] = apart[1] = 0;
    for (int b = 0; b < m->nb; b++) {
        double shift = 0, turn = 0;
        for (int k = 0; k < m->bw; k++) {
            const int i = b * m->bw + k;
            if (!hol__is_turn(m, i))
                shift += d[i] * d[i];
            else if (m->dim == 2)
                turn = pow(remainder(d[i], 2 * pi), 2);
            else
                turn += d[i] * d[i];
        }
        turn = fmin(sqrt(turn), m->dim == 3 ? fabs(2 * pi - sqrt(turn)) : INFINITY);
        apart[0] = fmax(apart[0], sqrt(shift));
        apart[1] = fmax(apart[1], turn);
    }
}

/* ---- the search ---- */

/* The positions in data are one more branch, or one that is known. */
static hol_status take(hol__assemblies *a) {
    const hol_model *m = a->from;
    double apart[2];
    a->closed++;
    for (int i = 0; i < a->n; i++) {
        hol__assemblies_apart(a, a->data->q, a->branch[i].q, apart);
        if (apart[0] > same * m->length || apart[1] > same) continue;
        a->branch[i].count++;
        return HOL_OK;
    }
    if (a->n == HOL__MOST_ASSEMBLIES) {
        a->more = 1;
        return HOL_OK;
    }
    hol__branch *b = &a->branch[a->n];
    b->q = HOL__NEW_N(&a->arena, double, m->nq);
    b->coordinates = HOL__NEW_N(&a->arena, double, m->n_joints + 1);
    if (!b->q || !b->coordinates) return HOL_ERR_MEMORY;
    a->n++;
    b->count = 1;
    memcpy(b->q, a->data->q, sizeof(double) * (size_t)m->nq);
    for (int j = 0; j < m->n_joints; j++)
        if (hol__joint_place_kind(&m->joints[j]))
            b->coordinates[j] = hol__joint_place(a->data, &m->joints[j]);
    hol_status status = hol__closing_freedoms(&a->closing, &b->freedoms);
    if (!status && a->lu) b->sign = hol__closing_sign(&a->closing, a->lu, a->rows);
    if (!status && b->freedoms) status = hol__assemblies_merge(a);
    return status;
}

/* Hold the coordinates that the key `fix` gives. */
static hol_status hold_fixed(hol__assemblies *a) {
    const hol_model *m = a->from;
    hol_status status = HOL_OK;
    for (int i = 0; i < m->nv && !status; i++)
        if (m->bodies[i / m->bw].fix[i % m->bw])
            status = hol__closing_hold(&a->closing, (hol__hold){.velocity = i, .joint = -1});
    return status;
}

/* Say that nothing of that name can be held, and what can. */
static hol_status no_coordinate(hol__assemblies *a, const char *name) {
    const hol_model *m = a->from;
    hol__near near = hol__near_start(name);
    char known[256], meant[320];
    for (int j = 0; j < m->n_joints; j++)
        if (hol__joint_place_kind(&m->joints[j])) hol__near_try(&near, m->joints[j].name);
    hol_model_velocity_name(m, m->nv - 1, known, sizeof known);
    hol__did_you_mean(near.best, meant, sizeof meant);
    return hol__report(
        a->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "assemblies",
        "there is no coordinate '%s' to hold; name a revolute or prismatic joint, or "
        "a coordinate of a body such as '%s'%s",
        name, known, meant);
}

/* Hold a coordinate of a body or a joint by its name; reports one that there is not. */
static hol_status hold_named(hol__assemblies *a, const char *from, size_t length) {
    const hol_model *m = a->from;
    char name[256], buf[256];
    hol__hold hold = {.velocity = -1, .joint = -1};
    hol__print(name, sizeof name, "%.*s", (int)length, from);
    for (int i = 0; i < m->nv && hold.velocity < 0; i++) {
        hol_model_velocity_name(m, i, buf, sizeof buf);
        if (strcmp(buf, name) == 0) hold.velocity = i;
    }
    if (hold.velocity < 0) hold.joint = hol_model_joint(m, name);
    if (hold.joint >= 0 && !hol__joint_place_kind(&m->joints[hold.joint])) hold.joint = -1;
    if (hold.velocity < 0 && hold.joint < 0) return no_coordinate(a, name);
    const hol_status status = hol__closing_hold(&a->closing, hold);
    if (status == HOL_ERR_INPUT)
        hol__report(a->ctx, HOL_ERROR, status, NULL, "assemblies",
                    "'%s' cannot be held too: as many are held as there are coordinates", name);
    return status;
}

/* Hold all that the caller names. */
static hol_status hold_given(hol__assemblies *a) {
    hol_status status = HOL_OK;
    for (const char *at = a->how.hold; at && *at && !status;) {
        at += strspn(at, ", ");
        const size_t length = strcspn(at, ", ");
        if (length) status = hold_named(a, at, length);
        at += length;
    }
    return status;
}

/* The position in which a run starts into a->start, where nothing more is held than it holds; the
 * drawn one where a run cannot start. What the run would say is not of interest here. */
static hol_status start_of_run(hol__assemblies *a) {
    const hol_model *m = a->from;
    const hol__kernel_options options = {0};
    double moved;
    memcpy(a->start, a->drawn, sizeof(double) * (size_t)m->nq);
    if (a->how.hold && *a->how.hold) return HOL_OK;
    hol_context *quiet = hol_context_new();
    hol_data *data = quiet ? hol_data_new(quiet, m) : NULL;
    hol_status status = data ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) {
        hol__data_set_q(data, a->data->t, NULL);
        a->runs = !hol__assemble(data, &options, 1e-10 * fmax(1, m->length), &moved);
        if (a->runs) memcpy(a->start, data->q, sizeof(double) * (size_t)m->nq);
    }
    hol_data_free(data);
    hol_context_free(quiet);
    return status;
}

/* The first assembly, that of a run, or from another position; then hold what it leaves free. */
static hol_status find_first(hol__assemblies *a, uint64_t *state) {
    const hol_model *m = a->from;
    hol_status status = start_of_run(a);
    if (!status) status = hol__closing_run(&a->closing, a->start);
    for (int i = 0; i < a->starts && status > 0; i++) {
        next_start(a, state);
        status = hol__closing_run(&a->closing, a->start);
    }
    int freedoms = 0;
    hol__hold next;
    memcpy(a->closing.reference, a->data->q, sizeof(double) * (size_t)m->nq);
    while (!status) {
        status = hol__closing_choose(&a->closing, &freedoms, &next);
        if (status || !freedoms || (next.velocity < 0 && next.joint < 0)) break;
        status = hol__closing_hold(&a->closing, next);
    }
    if (!status) status = hol__closing_independent(&a->closing, a->rows, &a->n_rows);
    if (!status && a->n_rows == m->nv && m->nv) {
        a->lu = hol__lu_new(&a->arena, m->nv);
        if (!a->lu) status = HOL_ERR_MEMORY;
    }
    return status ? status : take(a);
}

/* Say what cannot be closed, by the assembly of a run. */
static hol_status report_open(hol__assemblies *a) {
    const hol__kernel_options options = {0};
    double moved;
    hol_data *data = hol_data_new(a->ctx, a->from);
    if (!data) return HOL_ERR_MEMORY;
    hol__data_set_q(data, a->data->t, NULL);
    hol_status status = hol__assemble(data, &options, 1e-10 * fmax(1, a->from->length), &moved);
    hol_data_free(data);
    hol__report(a->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, NULL, "assemblies",
                "none of %d starts closes the joints; those that are off most from the drawn "
                "position are named above",
                a->starts + 1);
    return status < 0 ? status : HOL_ERR_ASSEMBLY;
}

static hol_status search(hol__assemblies *a) {
    uint64_t state = 0x9e3779b97f4a7c15u;
    hol_status status = hold_fixed(a);
    if (!status) status = hold_given(a);
    if (!status) status = find_first(a, &state);
    if (status > 0) return report_open(a);
    for (int i = 0; i < a->starts && !status; i++) {
        next_start(a, &state);
        status = hol__closing_run(&a->closing, a->start);
        if (!status)
            status = take(a);
        else if (status > 0)
            status = HOL_OK;
    }
    return status;
}

/* ---- what the caller gets ---- */

/* Each assembly to the caller as the state of a simulation. */
static hol_status hand_over(hol__assemblies *a) {
    if (!a->how.on_assembly) return HOL_OK;
    hol_options *own = a->options ? hol_options_copy(a->ctx, a->options) : hol_options_new(a->ctx);
    hol_status status = own ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) status = hol_options_set_choice(own, "method", "lagrange");
    if (!status && !a->model->assembly && !a->runs)
        status = hol_options_set_choice(own, "assemble", "off");
    hol_sim *sim = status ? NULL : hol_sim_new(a->ctx, a->model, own);
    if (!sim && !status) status = HOL_ERR_ASSEMBLY;
    if (sim) sim->records = "assembly";
    for (int i = 0; i < a->n && !status; i++) {
        hol_data *data = sim->data;
        hol__data_set_q(a->data, a->data->t, a->branch[i].q);
        hol__data_take_bodies(data, a->data);
        status = hol_data_update(data, HOL_STAGE_DYN);
        if (status) break;
        hol__data_accelerate(data);
        if (!i) hol__extremes_start(sim);
        hol__extremes_take(sim, 1);
        const double t = data->t;
        data->t = i + 1; /* the number of the record; nothing is evaluated there */
        if (i + 1 == a->n) sim->end = HOL_END_TIME;
        status = a->how.on_assembly(a->how.user, sim, i + 1, a->n);
        data->t = t;
    }
    hol_sim_free(sim);
    hol_options_free(own);
    return status;
}

/* Whether a joint connects two bodies that the ones before it do not; it does from now on. Around a
 * loop angles are known up to full turns only, so that the last joint of a loop is left out. */
static int connects(int *group, int nb, const hol__element *e) {
    const int to = group[e->body[0]], from = group[e->body[1]];
    for (int b = 0; b <= nb && to != from; b++)
        if (group[b] == from) group[b] = to;
    return to != from;
}

/* The values at the start that let a model start in an assembly. */
static hol_status give_settings(hol__assemblies *a) {
    const hol_model *m = a->from;
    int *group = HOL__NEW_N(&a->arena, int, m->nb + 1);
    hol_status status = group ? HOL_OK : HOL_ERR_MEMORY;
    if (!a->how.pick || status) return status;
    if (a->how.pick < 0 || a->how.pick > a->n)
        return hol__report(a->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "assemblies",
                           "there is no assembly %d to pick; %d were found", a->how.pick, a->n);
    for (int b = 0; b <= m->nb; b++) group[b] = b;
    for (int j = 0; j < m->n_joints && !status && a->how.on_setting; j++) {
        const hol__element *e = &m->joints[j];
        const int kind = hol__joint_place_kind(e);
        if (kind && connects(group, m->nb, e))
            status = a->how.on_setting(a->how.user, e->name, kind == 1 ? "angle" : "displacement",
                                       a->branch[a->how.pick - 1].coordinates[j]);
    }
    return status;
}

/* ---- life ---- */

static hol_status set_up(hol__assemblies *a) {
    const hol_model *m = a->from;
    double t = 0;
    if (a->options) hol_options_get_real(a->options, "start", &t);
    a->starts = a->how.starts > 0 ? a->how.starts : STARTS;
    a->data = hol_data_new(a->ctx, m);
    a->drawn = HOL__NEW_N(&a->arena, double, m->nq + 1);
    a->start = HOL__NEW_N(&a->arena, double, m->nq + 1);
    a->rows = HOL__NEW_N(&a->arena, int, m->mh + m->nv + 1);
    if (!a->data || a->arena.failed) return HOL_ERR_MEMORY;
    hol__data_set_q(a->data, t, NULL);
    memcpy(a->drawn, a->data->q, sizeof(double) * (size_t)m->nq);
    return hol__closing_init(&a->closing, &a->arena, a->data);
}

hol_status hol_assemblies(hol_context *ctx, const hol_model *model, const hol_options *options,
                          const hol_assemblies_options *how, hol_answer **out) {
    static const char call[] = "hol_assemblies";
    if (!ctx || hol__need(ctx, call, "the model", model) || hol__need(ctx, call, "the answer", out))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    hol__assemblies *a = hol__alloc(ctx, 1, sizeof *a);
    hol_answer *answer = hol__answer_of(ctx, "assemble", "assemblies", model->name);
    hol_status status = a && answer ? HOL_OK : HOL_ERR_MEMORY;
    if (a) {
        a->ctx = ctx;
        a->model = model;
        a->from = model->assembly ? model->assembly : model->reference ? model->reference : model;
        a->options = options;
        if (how) memcpy(&a->how, how, how->size < sizeof *how ? how->size : sizeof *how);
        hol__arena_init(&a->arena, ctx);
    }
    if (!status) status = set_up(a);
    if (!status) status = search(a);
    if (!status) hol__assemblies_tell(a, answer);
    if (!status) status = give_settings(a);
    if (!status) status = hand_over(a);
    if (a) {
        hol__closing_end(&a->closing);
        hol_data_free(a->data);
        hol__arena_free(&a->arena);
    }
    hol__release(ctx, a);
    return answer ? hol__answer_finish(answer, status, out) : status;
}
