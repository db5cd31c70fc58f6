/* aside.c: redundant constraints set aside for as long as they depend on the others.
 *
 * With K the rows that are kept and D those set aside, both in the metric of lengths and with rows
 * of unit length (crossing_ahead.c), it takes at an accepted state
 *
 *     1. that K keeps its rank within reach, also if it is lost as fast as can be: the shares of
 *        its rows, as everywhere for singular positions. So no position in which A loses rank lies
 *        there either, and no step has anything to do with which rows were chosen;
 *     2. that D depends on K. For a unit vector z without pattern in the null space of K, of f
 *        dimensions, |D_j z| is on average (root of the mean square) the share s_j of D_j that is
 *        new over the root of f. Rows are redundant while s_j is below HOL__RELEASE_TOLERANCE,
 *        which is what holds for them in the kernels.
 *
 * Otherwise all rows count, until both hold again; and where a share of K is below
 * HOL__REFINE_SHARE and below a quarter of what it was where K was chosen, so that no step becomes
 * short because K, and not A, is about to lose its rank: K was chosen nearly as well conditioned as
 * A (la/rank.c), and in a long loop the shares of both are small. Then 1 and 2 still say that
 * nothing lies within reach. What is decided depends on the state
 * alone, and on the reading before it. In the steps between, D_j depends on K up to what the state
 * is off the constraints, and what holds for K holds for D: its rows are not even evaluated. At the
 * end of the step they are, for residuals, contradictions, output and the next look.
 */
#include "sim/sim.h"

#include "form/constrained.h"
#include "kernel/aside.h"

#include <math.h>
#include <string.h>

/* Below this share of K the free direction z, which is off by eps / share^2, proves nothing of D:
 * aside_rest.c asks for 1e-6. */
static const double weakest = 1.5e-5;

/* The part of the share of K where it was chosen that it may fall to, if that is small. */
static const double part_left = 0.25;

/* ---- setting up ---- */

/* Whether the parts of the run can do with the kept rows. */
static int is_served(const hol_sim *sim, const hol__kernel_options *options) {
    return !sim->data->by_root && sim->state->by_kept &&
           hol__aside_serves(sim->kernel_type, options);
}

/* Whether the integrator solves the constrained equations with rows that are set aside here: it has
 * chosen at another position. */
static int takes_others(const hol_sim *sim) {
    const hol__constrained *c = sim->constrained;
    int others = 0;
    for (int i = 0; c && i < c->m; i++) others |= sim->aside.rows[c->row[i]];
    for (int i = 0; c && i < c->mh; i++) others |= sim->aside.rows[c->place[i]];
    return others;
}

/* Whether somebody needs the values of all rows within a step: the caller, who sees the data in
 * between, or the integrator. */
static int needs_values(const hol_sim *sim) {
    return hol__data_is_pushed(sim->data) || takes_others(sim);
}

/* Whether the kept rows have the rank of all up to row mh too, for what takes position constraints
 * alone. */
static hol_status check_positions(hol_sim *sim, int *right) {
    const hol_model *m = sim->model;
    hol__csr D = sim->data->A;
    hol__rank_result found = {0};
    int kept = 0;
    *right = 1;
    if (m->mh == m->m) return HOL_OK;
    D.rows = m->mh;
    for (int i = 0; i < m->mh; i++) kept += !sim->aside.rows[i];
    const hol_status status = hol__rank_analyse(sim->ctx, &D, 0, &found);
    *right = found.rank == kept;
    return status;
}

/* Flags of the records whose rows are all set aside, and of these rows. */
static void find_records(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__sim_aside *a = &sim->aside;
    unsigned char *flag = a->records;
    for (int b = 0; b < m->n_con_batches; b++)
        for (int i = 0; i < m->con_batches[b].count; i++, flag++) {
            const hol__con *con = hol__con_record(&m->con_batches[b], i);
            *flag = 1;
            for (int k = 0; k < con->n_rows; k++) *flag &= a->rows[con->row + k];
            memset(a->zero + con->row, *flag, (size_t)con->n_rows);
        }
}

/* The rows as the last analysis chose them, and room. */
static hol_status make_room(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__sim_aside *a = &sim->aside;
    hol__arena *arena = &sim->arena;
    int records = 0;
    for (int b = 0; b < m->n_con_batches; b++) records += m->con_batches[b].count;
    a->records = HOL__NEW_N(arena, unsigned char, records + 1);
    a->zero = HOL__NEW_N(arena, unsigned char, m->m);
    a->row = HOL__NEW_N(arena, int, m->m);
    a->lengths = HOL__NEW_N(arena, double, m->m);
    a->scratch = HOL__NEW_N(arena, double, m->m);
    a->shares = HOL__NEW_N(arena, double, m->m);
    a->z = HOL__NEW_N(arena, double, m->nv);
    if (arena->failed || hol__csr_keep_rows(arena, &sim->data->A, a->rows, &a->A, a->row))
        return HOL_ERR_MEMORY;
    find_records(sim);
    a->every = hol__aside_every(m, m->m - a->A.rows);
    sim->data->blank = 0;
    a->spared = (hol__spared){.records = a->records, .zero = a->zero, .rows = a->rows};
    a->spared.all = 1;
    for (int i = 0; i < m->m; i++) a->spared.all &= a->zero[i];
    a->gauge = hol__crossing_gauge(sim, &a->A, a->A.rows);
    return a->gauge ? HOL_OK : HOL_ERR_MEMORY;
}

/* The shares of the kept rows at the positions in data. */
static hol_status read_kept(hol_sim *sim) {
    hol__sim_aside *a = &sim->aside;
    hol__crossing_lengths(sim);
    hol__csr_copy_rows(&sim->data->A, a->row, &a->A);
    for (int i = 0; i < a->A.rows; i++) a->lengths[i] = sim->crossing.lengths[a->row[i]];
    return hol__gauge_read(a->gauge, &a->A, a->lengths, &a->share);
}

hol_status hol__aside_init(hol_sim *sim, hol__kernel_options *options) {
    hol__sim_aside *a = &sim->aside;
    const int m = sim->model->m;
    const unsigned char *given = a->given;
    int right;
    *a = (hol__sim_aside){.t_share = INFINITY};
    if (!sim->rank.n_redundant || sim->data->local || sim->data->recursive) return HOL_OK;
    a->only_read = !is_served(sim, options);
    a->rows = HOL__NEW_N(&sim->arena, unsigned char, m);
    if (!a->rows) return HOL_ERR_MEMORY;
    memcpy(a->rows, given ? given : sim->data->aside, (size_t)m);
    hol_status status = check_positions(sim, &right);
    if (!status && right) status = make_room(sim);
    if (status || !right || !hol__gauge_is_factored(a->gauge)) return status;
    a->set = (hol__set_aside){.rows = m, .row = a->rows};
    a->recurses = !a->only_read && !a->A.rows && hol__sim_may_recurse(sim);
    if (!a->only_read) options->aside = &a->set;
    return HOL_OK;
}

void hol__aside_gauge(hol_sim *sim) {
    hol__sim_aside *a = &sim->aside;
    a->least = HOL__REFINE_SHARE;
    if (!a->set.rows || read_kept(sim)) return;
    a->least = fmin(a->least, fmax(part_left * a->share, weakest));
}

/* ---- which rows count ---- */

/* Every kernel once with all rows, so that it knows them for dependent where they are. */
static void factor_all(hol_sim *sim) {
    hol__correction *c = sim->correction;
    hol__form_factor(&sim->form);
    if (!c->type->run || c->type->partitioned || c->completion) return;
    hol__correction_factor(c, c->velocities);
    hol__correction_factor(c, c->positions);
}

/* With all rows of an open tree set aside its accelerations come from the recursion, and no load is
 * carried by them. */
static void choose_solver(hol_sim *sim) {
    hol_data *data = sim->data;
    const int recursive = sim->aside.set.on;
    if (!sim->aside.recurses || data->recursive == recursive) return;
    data->recursive = recursive;
    if (recursive)
        memset(data->lambda, 0, sizeof *data->lambda * (size_t)sim->model->m);
    else if (data->stage > HOL_STAGE_VEL)
        data->stage = HOL_STAGE_VEL; /* Q was not made */
}

static void turn(hol_sim *sim, int on) {
    hol__sim_aside *a = &sim->aside;
    if (a->set.on == on) return;
    a->set.on = on;
    if (a->only_read) return;
    a->turned = 1;
    choose_solver(sim);
    hol__data_forget_factors(sim->data);
    if (!on) factor_all(sim);
}

int hol__aside_turned(hol_sim *sim) {
    const int turned = sim->aside.turned;
    sim->aside.turned = 0;
    return turned && sim->form.state->gauged;
}

void hol__aside_reset(hol_sim *sim) {
    hol__sim_aside *a = &sim->aside;
    a->t_share = INFINITY;
    a->rest = (hol__aside_rest){0};
    if (!a->set.on) return;
    a->set.on = 0;
    choose_solver(sim);
    hol__data_forget_factors(sim->data);
}

/* The largest share of a row set aside that is new beside the kept ones. */
static double newest(hol_sim *sim) {
    hol__sim_aside *a = &sim->aside;
    const hol__csr *A = &sim->data->A;
    double most = 0;
    if (!hol__gauge_free(a->gauge, &a->A, a->lengths, a->scratch, a->z)) return 0;
    for (int i = 0; i < a->set.rows; i++)
        if (a->rows[i])
            most = fmax(most, hol__gauge_along(a->gauge, A, i, sim->crossing.lengths[i], a->z));
    return most * sqrt(A->cols - a->A.rows);
}

/* Whether K keeps its rank within reach. */
static int keeps_rank(hol_sim *sim, double speed, double reach) {
    hol__sim_aside *a = &sim->aside;
    const double t = sim->data->t, t_old = hol__integrator_old_time(sim->integ),
                 since = a->t_share == t_old ? t - t_old : 0;
    sim->crossing.readings++;
    const int regular = !read_kept(sim);
    a->t_share = t;
    const int stays = hol__crossing_stays(a->gauge, since, reach, a->shares, &a->n_shares);
    return regular && a->share >= weakest && (stays || a->share > HOL__STEEPEST * speed * reach);
}

/* That K keeps its rank within reach is said however small its shares are, and in a long loop they
 * are small everywhere. What else a small share decides, that a method is lent a correction or must
 * be seen to continue the motion, is for methods without a correction of their own. */
int hol__aside_suffices(const hol_sim *sim) {
    return sim->aside.share >= HOL__SMOOTH || (sim->crossing.lays && sim->correction_type->run);
}

int hol__aside_look(hol_sim *sim, double speed, double reach) {
    hol__sim_aside *a = &sim->aside;
    if (!a->set.rows) return 0;
    hol__aside_moves(sim, speed * (sim->data->t - hol__integrator_old_time(sim->integ)));
    const int regular = keeps_rank(sim, speed, reach), strong = regular && a->share >= a->least;
    if (a->rest.resting && strong && hol__aside_suffices(sim)) return 1;
    if (a->rest.resting) {
        hol__aside_rest_end(sim);
        hol__crossing_lengths(sim);
    }
    const double new = regular ? newest(sim) : INFINITY;
    const int depends = new <= HOL__RELEASE_TOLERANCE;
    hol__aside_proves(sim, depends && strong, new);
    turn(sim, depends && strong);
    return depends;
}

/* ---- steps ---- */

/* The multipliers of the solution are no longer those that are wanted: those of the kept rows in a
 * step, the smallest of all rows between steps. */
static void want_multipliers(hol_sim *sim, int of_kept) {
    hol_data *data = sim->data;
    sim->aside.set.unvalued = of_kept;
    if (data->solved != HOL__SOLVED_METHOD) return;
    hol__data_stale(data);
    data->moving = 1;
}

void hol__aside_begin(hol_sim *sim) {
    hol__sim_aside *a = &sim->aside;
    if (!a->set.on || a->only_read) return;
    want_multipliers(sim, 1);
    if (!needs_values(sim)) hol__data_spare(sim->data, &a->spared);
}

void hol__aside_end(hol_sim *sim) {
    hol__sim_aside *a = &sim->aside;
    hol_data *data = sim->data;
    if (!a->set.unvalued) return;
    want_multipliers(sim, 0);
    if (!data->spared) return;
    hol__data_complete(data);
}

/* ---- exact state ---- */

/* Make the parts anew for these rows; the data is read once more, because they look at it. */
static hol_status take_rows(hol_sim *sim, const unsigned char *rows, hol__archive data) {
    sim->aside.given = rows;
    const hol_status status = hol__sim_remake_parts(sim);
    sim->aside.given = NULL;
    return status ? status : hol__data_walk(sim->data, &data);
}

/* The rows; those that are read must be those of the parts. */
static hol_status walk_rows(hol_sim *sim, hol__archive *archive, const hol__archive *data) {
    const size_t m = (size_t)sim->model->m;
    if (!hol__archive_reads(archive)) {
        hol__archive_item(archive, sim->aside.rows, m);
        return HOL_OK;
    }
    unsigned char *rows = hol__alloc(sim->ctx, m, 1);
    if (!rows) return HOL_ERR_MEMORY;
    hol__archive_item(archive, rows, m);
    const int same = archive->mismatch || memcmp(rows, sim->aside.rows, m) == 0;
    const hol_status status = same ? HOL_OK : take_rows(sim, rows, *data);
    hol__release(sim->ctx, rows);
    return status;
}

hol_status hol__aside_walk(hol_sim *sim, hol__archive *archive, const hol__archive *data) {
    hol__sim_aside *a = &sim->aside;
    if (!a->rows) return HOL_OK;
    const hol_status status = walk_rows(sim, archive, data);
    if (status || !a->set.rows) return status;
    hol__aside_rest_walk(sim, archive);
    HOL__ARCHIVE(archive, a->set.on);
    if (hol__archive_reads(archive)) choose_solver(sim);
    HOL__ARCHIVE(archive, a->least);
    HOL__ARCHIVE(archive, a->share);
    HOL__ARCHIVE(archive, a->t_share);
    HOL__ARCHIVE(archive, a->n_shares);
    HOL__ARCHIVE_N(archive, a->shares, sim->model->m);
    return HOL_OK;
}
