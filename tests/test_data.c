/* test_data.c: a data is complete in itself.
 *
 * Over every model, as it is and with its first joint twice, and every set of coordinates: a copy
 * gives the answers of the original, bit for bit, when the simulation is gone; a data without a
 * simulation solves the equations of motion; a state that was saved and loaded goes on with the
 * same bits.
 */
#define _POSIX_C_SOURCE 200809L
#include "model_list.h"

/* ---- everything that can be asked ---- */

typedef struct answers {
    double *x;
    size_t n, room;
} answers;

static void note(answers *to, const double *x, int n) {
    if (to->n + (size_t)n > to->room) {
        to->room = 2 * to->room + (size_t)n;
        to->x = realloc(to->x, to->room * sizeof *to->x);
        assert_non_null(to->x);
    }
    if (n) memcpy(to->x + to->n, x, sizeof *x * (size_t)n);
    to->n += (size_t)n;
}

static void note_reactions(answers *to, hol_data *data) {
    for (int i = 0; i < data->model->n_joints; i++) {
        const hol_reaction r = reaction_of(data, i);
        const double unique = r.unique;
        note(to, r.point, 3);
        note(to, r.force, 3);
        note(to, r.moment, 3);
        note(to, r.force_joint, 3);
        note(to, r.moment_joint, 3);
        note(to, &unique, 1);
    }
}

static void note_bodies(answers *to, hol_data *data) {
    for (int i = 0; i < data->model->nb; i++) {
        const hol_pose pose = pose_at(data, i);
        const hol_twist twist = twist_at(data, i);
        note(to, pose.r, 3);
        note(to, pose.R, 9);
        note(to, twist.v, 3);
        note(to, twist.omega, 3);
    }
}

static void note_measures(answers *to, hol_data *data) {
    for (int i = 0; i < data->model->n_columns; i++) {
        const double value = measure_of(data, i);
        note(to, &value, 1);
    }
}

/* All answers of a data. */
static answers ask(hol_data *data) {
    const hol_model *m = data->model;
    answers all = {0};
    assert_int_equal(hol_data_update(data, HOL_STAGE_ACC), HOL_OK);
    note(&all, hol_data_q(data), m->nq);
    note(&all, hol_data_v(data), m->nv);
    note(&all, hol_data_acceleration(data), m->nv);
    note(&all, hol_data_multipliers(data), m->m);
    note(&all, hol_data_position_residual(data), m->mh);
    note(&all, hol_data_velocity_residual(data), m->m);
    note_reactions(&all, data);
    note_bodies(&all, data);
    note_measures(&all, data);
    for (int i = 0; i < m->n_forces; i++) {
        const hol_load load = load_of(data, i);
        note(&all, load.point, 3);
        note(&all, load.force, 3);
        note(&all, load.moment, 3);
    }
    const hol_energy e = energy_of(data);
    note(&all, (const double[]){e.kinetic, e.potential, e.work, e.balance}, 4);
    return all;
}

/* Fail unless the data gives these answers, bit for bit. */
static void check_answers(const char *what, hol_data *data, const answers *wanted) {
    answers got = ask(data);
    assert_int_equal(got.n, wanted->n);
    for (size_t i = 0; i < got.n; i++)
        if (memcmp(&got.x[i], &wanted->x[i], sizeof *got.x) != 0)
            fail_msg("%s in %s coordinates: answer %zu of %zu is %.17g, wanted %.17g", what,
                     set_now, i, got.n, got.x[i], wanted->x[i]);
    free(got.x);
}

static void in_every_set(void (*check)(const subject *s, uint64_t seed)) {
    for (int i = 0; i < N_SETS; i++) {
        set_now = sets[i];
        each_model(check);
    }
}

/* ---- copies ---- */

/* Close the simulation; the model stays. */
static void end_simulation(run *r) {
    hol_sim_free(r->sim);
    r->sim = NULL;
}

/* A copy made before anything was asked, and one made after, both asked when the simulation is
 * gone. */
static void check_copy(const subject *s, uint64_t seed) {
    (void)seed;
    run r = start_method(s, "auto", usual_rule.state_settings);
    hol_data *data = hol_sim_data(r.sim), *before = hol_data_new(r.ctx, r.model),
             *after = hol_data_new(r.ctx, r.model);
    run_to(&r, hol_data_time(data) + 0.0173);
    assert_int_equal(hol_data_copy(before, data), HOL_OK);
    answers wanted = ask(data);
    assert_int_equal(hol_data_copy(after, data), HOL_OK);
    end_simulation(&r);
    check_answers(s->name, before, &wanted);
    check_answers(s->name, after, &wanted);
    free(wanted.x);
    hol_data_free(before);
    hol_data_free(after);
    run_close(&r);
}

static void test_copies(void **unused) {
    (void)unused;
    in_every_set(check_copy);
}

/* At the start nobody has solved: both solve by themselves, and so does a copy that moves on to
 * another state. */
static void check_unsolved_copy(const subject *s, uint64_t seed) {
    (void)seed;
    run r = start_method(s, "auto", usual_rule.state_settings);
    hol_data *data = hol_sim_data(r.sim), *copy = hol_data_new(r.ctx, r.model);
    assert_int_equal(hol_data_copy(copy, data), HOL_OK);
    answers wanted = ask(data);
    check_answers(s->name, copy, &wanted);
    free(wanted.x);
    assert_int_equal(hol_data_copy(copy, data), HOL_OK);
    hol_data_set(data, hol_data_time(data) + 0.0071, NULL, NULL);
    hol_data_set(copy, hol_data_time(copy) + 0.0071, NULL, NULL);
    wanted = ask(data);
    end_simulation(&r);
    check_answers(s->name, copy, &wanted);
    free(wanted.x);
    hol_data_free(copy);
    run_close(&r);
}

static void test_unsolved_copies(void **unused) {
    (void)unused;
    in_every_set(check_unsolved_copy);
}

/* The four-bar in natural coordinates: a copied snapshot has the reactions of the run. */
static void test_natural_four_bar(void **unused) {
    (void)unused;
    run r = run_open("four_bar", "coordinates=natural end=10");
    hol_data *copy = hol_data_new(r.ctx, r.model);
    run_to(&r, 0.31);
    const hol_reaction wanted = reaction_of(hol_sim_data(r.sim), 0);
    assert_int_equal(hol_data_copy(copy, hol_sim_data(r.sim)), HOL_OK);
    end_simulation(&r);
    const hol_reaction got = reaction_of(copy, 0);
    assert_true(hypot(wanted.force[0], wanted.force[1]) > 0.1);
    assert_memory_equal(&got, &wanted, sizeof got);
    hol_data_free(copy);
    run_close(&r);
}

/* Which reactions are not unique is known to a copy when the simulation is gone, and to one that
 * was never in a simulation. */
static void test_uniqueness(void **unused) {
    (void)unused;
    for (int i = 0; i < N_SETS; i++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s end=10", sets[i]);
        run r = run_with(
            "four_bar", "joints:\n  again: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n",
            settings);
        hol_data *copy = hol_data_new(r.ctx, r.model), *alone = hol_data_new(r.ctx, r.model);
        const int first = hol_model_joint(r.model, "again");
        run_to(&r, 0.1);
        assert_int_equal(hol_data_copy(copy, hol_sim_data(r.sim)), HOL_OK);
        hol_data_set(alone, hol_data_time(copy), hol_data_q(copy), hol_data_v(copy));
        end_simulation(&r);
        assert_int_equal(reaction_of(copy, first).unique, 0);
        assert_int_equal(reaction_of(alone, first).unique, 0);
        hol_data_free(copy);
        hol_data_free(alone);
        run_close(&r);
    }
}

/* ---- without a simulation ---- */

/* A data of its own at the start of a run gives accelerations and reactions of the method
 * `lagrange` there. */
static void check_alone(const subject *s, uint64_t seed) {
    (void)seed;
    run r = start_method(s, "lagrange", usual_rule.state_settings);
    run_to(&r, hol_data_time(hol_sim_data(r.sim))); /* what touches at the start is closed then */
    hol_data *data = hol_sim_data(r.sim), *alone = hol_data_new(r.ctx, hol_data_model(data));
    hol_data_set(alone, hol_data_time(data), hol_data_q(data), hol_data_v(data));
    assert_int_equal(hol_data_solve(alone), HOL_OK);
    const solution got = solution_of_data(alone), wanted = solution_of(&r);
    check_solution(s->name, &got, &wanted, 1e-9);
    hol_data_free(alone);
    run_close(&r);
}

static void test_alone(void **unused) {
    (void)unused;
    in_every_set(check_alone);
}

/* A solution that somebody looks at does not change the run: the method solves for itself. */
static void check_looking(const subject *s, uint64_t seed) {
    (void)seed;
    run seen = start_method(s, "baumgarte", usual_rule.state_settings),
        unseen = start_method(s, "baumgarte", usual_rule.state_settings);
    hol_data *a = hol_sim_data(seen.sim), *b = hol_sim_data(unseen.sim);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(hol_data_solve(a), HOL_OK);
        run_to(&seen, hol_data_time(a) + 0.0031);
        run_to(&unseen, hol_data_time(b) + 0.0031);
    }
    answers wanted = ask(b);
    check_answers(s->name, a, &wanted);
    free(wanted.x);
    run_close(&seen);
    run_close(&unseen);
}

static void test_looking(void **unused) {
    (void)unused;
    in_every_set(check_looking);
}

/* M a + A^T lambda = Q and A a = c hold to rounding where hol_data_solve has solved. */
static void test_residual(void **unused) {
    (void)unused;
    run r = run_open("four_bar", "coordinates=reference method=baumgarte alpha=7 beta=9 end=10");
    hol_data *copy = hol_data_new(r.ctx, r.model);
    run_to(&r, 0.23);
    /* off the constraints by 1e-5 the stabiliser adds beta^2 1e-5 = 8e-4 to c, the plain equations
     * nothing */
    double q[MOST];
    memcpy(q, hol_data_q(hol_sim_data(r.sim)), sizeof(double) * (size_t)r.model->nq);
    q[0] += 1e-5;
    assert_int_equal(hol_sim_restart(r.sim, hol_data_time(hol_sim_data(r.sim)), q,
                                     hol_data_v(hol_sim_data(r.sim))),
                     HOL_OK);
    assert_int_equal(hol_data_copy(copy, hol_sim_data(r.sim)), HOL_OK);
    double by_method[MOST];
    memcpy(by_method, hol_data_acceleration(copy), sizeof(double) * (size_t)r.model->nv);
    assert_int_equal(hol_data_solve(copy), HOL_OK);
    double Aa[MOST];
    hol__csr_mul(&copy->A, copy->a, Aa);
    assert_true(largest_difference(Aa, copy->c, r.model->m) <
                1e-12 * (1 + largest(copy->c, r.model->m)));
    assert_true(largest_difference(by_method, copy->a, r.model->nv) > 1e-4);
    hol_data_free(copy);
    run_close(&r);
}

/* b depends on time and positions alone, and is zero where no constraint depends on time: psi is
 * the same to the last bit whether the rest of stage VEL is evaluated for it or not, with
 * velocities and states of elements of any kind. */
static void test_velocity_residual(void **unused) {
    static char names[MOST_MODELS][NAME];
    const int count = list_models("elements/", names, list_models("", names, 0));
    int driven = 0;
    (void)unused;
    for (int i = 0; i < count; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "%.*s", NAME - 1, names[i]);
        run r = run_open(name, "");
        hol_data *whole = hol_sim_data(r.sim), *alone = hol_data_new(r.ctx, whole->model);
        const hol_model *m = whole->model;
        double v[MOST], aux[MOST];
        assert_true(m->nv <= MOST && m->n_aux <= MOST);
        hol_data_set(alone, whole->t, whole->q, whole->v);
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < m->nv; j++) v[j] = 2.385 * sin(1.7 * j + k);
            for (int j = 0; j < m->n_aux; j++) aux[j] = whole->aux[j] + 0.13 * k;
            for (int d = 0; d < 2; d++) hol__data_set_v(d ? alone : whole, v);
            for (int d = 0; d < 2; d++) hol__data_set_aux(d ? alone : whole, aux);
            hol__data_psi(whole);
            hol__data_psi_alone(alone);
            assert_memory_equal(whole->psi, alone->psi, sizeof(double) * (size_t)m->m);
            if (k == 1) hol_data_set(alone, whole->t, whole->q, v);
            if (k == 1) hol_data_set(whole, whole->t, whole->q, v);
        }
        driven += m->rheonomic;
        hol_data_free(alone);
        run_close(&r);
    }
    assert_true(driven > 5 && driven < count - 5);
}

/* Measures of accelerations and reactions solve by themselves. */
static void test_measures(void **unused) {
    (void)unused;
    for (int i = 0; i < N_SETS; i++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s end=10", sets[i]);
        run r = run_with("four_bar",
                         "measures:\n  R: {type: reaction, joint: A}\n"
                         "  a: {type: acceleration, body: coupler}\n",
                         settings);
        hol_data *data = hol_sim_data(r.sim), *copy = hol_data_new(r.ctx, r.model);
        assert_int_equal(hol_data_copy(copy, data), HOL_OK);
        const double force = run_measure(&r, "R.fx"), a = run_measure(&r, "a.y");
        run_to(&r, hol_data_time(data));
        check_near("reaction at the start", force, run_measure(&r, "R.fx"), 1e-9 * fabs(force));
        check_near("acceleration at the start", a, run_measure(&r, "a.y"), 1e-9 * fabs(a));
        assert_true(fabs(force) > 1e-3 && fabs(a) > 1e-3);
        assert_true(measure_of(copy, hol_model_measure_index(r.model, "R.fx")) == force);
        hol_data_free(copy);
        run_close(&r);
    }
}

/* ---- forces of the caller ---- */

typedef struct caller {
    hol_data *seen; /* the data it was asked with, NULL when there were several */
    int asks;       /* ask for what follows from the force */
    hol_status got;
} caller;

static hol_status push(void *user, hol_data *data) {
    caller *c = user;
    const double force[3] = {3.1, -4.7, 0}, point[3] = {0.13, 0.02, 0};
    c->seen = data;
    if (c->asks) c->got = hol_data_solve(data);
    hol_data_add_force(data, 1, point, force);
    return HOL_OK;
}

/* The reactions are the same in all sets, and the caller is asked in the coordinates of the run
 * only. */
static void test_caller(void **unused) {
    (void)unused;
    hol_reaction first = {0};
    for (int i = 0; i < N_SETS; i++) {
        char settings[64];
        caller c = {0};
        snprintf(settings, sizeof settings, "coordinates=%s end=10", sets[i]);
        run r = run_open("four_bar", settings);
        hol_sim_on_force(r.sim, push, &c);
        run_to(&r, hol_data_time(hol_sim_data(r.sim)));
        const hol_reaction f = reaction_of(hol_sim_data(r.sim), 1);
        assert_ptr_equal(c.seen, hol_sim_data(r.sim));
        if (i == 0) first = f;
        for (int k = 0; k < 2; k++)
            check_near("reaction", f.force[k], first.force[k], 1e-9 * (1 + fabs(first.force[k])));
        run_close(&r);
    }
}

/* A caller that asks for accelerations while they are being found gets an error instead of no
 * end. */
static void test_caller_asks(void **unused) {
    (void)unused;
    caller c = {.asks = 1};
    run r = run_open("four_bar", "end=10");
    hol_sim_on_force(r.sim, push, &c);
    run_to(&r, 0.01);
    assert_int_equal(c.got, HOL_ERR_ARGUMENT);
    assert_true(said(r.ctx, "use positions and velocities"));
    run_close(&r);
}

/* ---- forces ---- */

/* What the forces do to their bodies one by one, with gravity and inertia, is the load of all: a
 * force acts on its own bodies only. */
static void check_forces(const subject *s, uint64_t seed) {
    (void)seed;
    run r = start_method(s, "auto", usual_rule.state_settings);
    run_to(&r, hol_data_time(hol_sim_data(r.sim)) + 0.0173);
    hol_data *data = hol_sim_data(r.sim);
    const hol_model *m = data->model;
    const int n = m->bw * m->nb;
    double *sum = calloc((size_t)(n + m->bw), sizeof *sum), most = 1;
    m->coords->inertia(m, &data->bodies, sum);
    for (int i = 0; i < m->n_forces; i++) {
        hol__data_force_wrench(data, i);
        const int *body = m->forces[i].body;
        for (int k = 0; k < (body[0] == body[1] ? 1 : 2); k++)
            for (int j = 0; j < m->bw; j++)
                sum[m->bw * body[k] + j] += data->wrench[m->bw * body[k] + j];
    }
    const double *rubbing = hol__data_rubbing(data); /* friction of rigid contacts is in no force */
    for (int i = 0; rubbing && i < n; i++) sum[i] += rubbing[i];
    for (int i = 0; i < n; i++) most = fmax(most, fabs(data->load[i]));
    /* gravity that is no uniform constant is a record of its own, which belongs to no force */
    int field = 0;
    for (int i = 0; i < m->n_force_batches; i++)
        field |= strstr(m->force_batches[i].type->name, "gravity") != NULL;
    if (!field) check_near(s->name, largest_difference(sum, data->load, n) / most, 0, 1e-13);
    free(sum);
    run_close(&r);
}

static void test_forces(void **unused) {
    (void)unused;
    in_every_set(check_forces);
}

/* ---- the exact state ---- */

/* Save, load into a fresh data, move both on by the same states: the same bits. */
static void check_state(const subject *s, uint64_t seed) {
    (void)seed;
    run r = start_method(s, "auto", usual_rule.state_settings);
    hol_data *data = hol_sim_data(r.sim);
    run_to(&r, hol_data_time(data) + 0.0173);
    hol_data *fresh = hol_data_new(r.ctx, hol_data_model(data));
    for (int k = 0; k < 3; k++) {
        const size_t size = hol__data_state_size(data);
        unsigned char *bytes = malloc(size);
        assert_non_null(bytes);
        hol__data_state_save(data, bytes);
        assert_int_equal(hol__data_state_load(fresh, bytes, size), HOL_OK);
        /* saved again it is the same bytes */
        unsigned char *again = malloc(size);
        assert_int_equal(hol__data_state_size(fresh), size);
        hol__data_state_save(fresh, again);
        assert_memory_equal(again, bytes, size);
        assert_int_equal(hol__data_state_load(fresh, bytes, size - 1), HOL_ERR_ARGUMENT);
        answers wanted = ask(data);
        check_answers(s->name, fresh, &wanted);
        free(wanted.x);
        free(bytes);
        free(again);
        hol_data_set(data, hol_data_time(data) + 0.0071, NULL, NULL);
        hol_data_set(fresh, hol_data_time(fresh) + 0.0071, NULL, NULL);
        wanted = ask(data);
        check_answers(s->name, fresh, &wanted);
        free(wanted.x);
    }
    hol_data_free(fresh);
    run_close(&r);
}

static void test_state(void **unused) {
    (void)unused;
    in_every_set(check_state);
}

/* ---- statuses ---- */

/* A data without a simulation. */
typedef struct alone_data {
    hol_context *ctx;
    hol_model *model;
    hol_data *data;
} alone_data;

static alone_data alone_open(const char *text) {
    alone_data m = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(m.ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    m.model = hol_model_compile(m.ctx, spec, "reference");
    assert_non_null(m.model);
    m.data = hol_data_new(m.ctx, m.model);
    assert_non_null(m.data);
    hol_spec_free(spec);
    return m;
}

/* Indices that do not exist are refused with a message, and nothing is written. */
static void test_indices(void **unused) {
    (void)unused;
    run r = run_open("four_bar", "end=10");
    hol_data *data = hol_sim_data(r.sim);
    const hol_model_info info = model_info(r.model);
    const double zero[3] = {0, 0, 0};
    hol_reaction reaction = {.size = sizeof reaction, .unique = 7};
    hol_load load = {.size = sizeof load};
    hol_pose pose;
    hol_twist twist;
    double value = 2.385;
    for (int k = 0; k < 2; k++) {
        hol_message_clear(r.ctx);
        assert_int_equal(hol_data_reaction(data, k ? info.n_joints : -1, &reaction),
                         HOL_ERR_ARGUMENT);
        assert_true(said(r.ctx, k ? "there is no joint 4; there are 4" : "there is no joint -1"));
        assert_int_equal(hol_data_force(data, k ? info.n_forces : -1, &load), HOL_ERR_ARGUMENT);
        assert_int_equal(hol_data_measure(data, k ? info.n_measures : -1, &value),
                         HOL_ERR_ARGUMENT);
        const int body = k ? info.n_bodies + 1 : -1; /* n_bodies itself is ground */
        assert_int_equal(hol_data_body_pose(data, body, &pose), HOL_ERR_ARGUMENT);
        assert_int_equal(hol_data_body_twist(data, body, &twist), HOL_ERR_ARGUMENT);
        assert_int_equal(hol_data_add_force(data, body, zero, zero), HOL_ERR_ARGUMENT);
        assert_int_equal(hol_data_add_torque(data, body, zero), HOL_ERR_ARGUMENT);
        assert_int_equal(hol_message_count(r.ctx), 7);
    }
    assert_int_equal(reaction.unique, 7);
    assert_true(value == 2.385);
    assert_int_equal(hol_data_body_pose(data, info.n_bodies, &pose), HOL_OK);
    run_close(&r);
}

/* A caller that knows fewer members gets those; one that says no size is told so; one that knows
 * more keeps his. */
static void test_sizes(void **unused) {
    (void)unused;
    run r = run_open("four_bar", "end=10");
    hol_data *data = hol_sim_data(r.sim);
    struct {
        hol_energy energy;
        double later;
    } newer = {{.size = sizeof newer}, 4.71};
    hol_energy older = {.size = offsetof(hol_energy, work), .work = 3.17};
    assert_int_equal(hol_data_energy(data, &newer.energy), HOL_OK);
    assert_int_equal(hol_data_energy(data, &older), HOL_OK);
    assert_true(older.potential == newer.energy.potential && older.potential != 0);
    assert_true(older.work == 3.17 && newer.later == 4.71);
    assert_int_equal(newer.energy.size, sizeof newer);
    assert_int_equal(older.size, offsetof(hol_energy, work));
    assert_int_equal(hol_data_energy(data, &(hol_energy){0}), HOL_ERR_ARGUMENT);
    assert_true(said(r.ctx, "set out->size = sizeof *out"));
    run_close(&r);
}

/* Before anybody has solved there are no accelerations. */
static void test_unsolved(void **unused) {
    (void)unused;
    run r = run_open("four_bar", "end=10");
    hol_data *data = hol_data_new(r.ctx, r.model);
    assert_null(hol_data_acceleration(data));
    assert_null(hol_data_multipliers(data));
    assert_int_equal(hol_data_update(data, HOL_STAGE_ACC), HOL_OK);
    assert_non_null(hol_data_acceleration(data));
    hol_data_set(data, 0.1, NULL, NULL);
    assert_null(hol_data_multipliers(data));
    hol_data_free(data);
    run_close(&r);
}

/* Equations without a solution: a status that names the body, and numbers that are none. */
static void test_unsolvable(void **unused) {
    (void)unused;
    alone_data m = alone_open(
        "holonom: 1\nspace: planar\nbodies:\n"
        "  dot: {mass: 0.3, inertia: 0, position: [0.2, 0.7]}\n"
        "  rod: {mass: 1.3, inertia: 0.21, position: [0.4, 0.1]}\n"
        "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
        "measures:\n  a: {type: acceleration, body: rod}\n  x: {type: position, body: rod}\n");
    hol_reaction reaction = {.size = sizeof reaction};
    double value;
    assert_int_equal(hol_data_solve(m.data), HOL_ERR_SINGULAR);
    assert_true(said(m.ctx, "has no inertia"));
    assert_int_equal(hol_data_reaction(m.data, 0, &reaction), HOL_ERR_SINGULAR);
    assert_true(isnan(reaction.force[0]) && !reaction.unique);
    assert_int_equal(hol_data_measure(m.data, hol_model_measure_index(m.model, "a.x"), &value),
                     HOL_ERR_SINGULAR);
    assert_true(isnan(value));
    assert_int_equal(hol_data_measure(m.data, hol_model_measure_index(m.model, "x.x"), &value),
                     HOL_OK);
    check_near("position", value, 0.4, 1e-15);
    hol_data_free(m.data);
    hol_model_free(m.model);
    hol_context_free(m.ctx);
}

/* ---- memory ---- */

/* A model whose context counts. */
static hol_model *counted_model(hol_context *ctx, const char *coordinates) {
    char path[1024], text[256];
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(path, sizeof path, "%s/test.yaml", HOLONOM_TEST_MODELS);
    snprintf(text, sizeof text,
             "holonom: 1\ninclude: four_bar.yaml\nsimulation: {coordinates: %s}\n"
             "joints:\n  again: {type: revolute, bodies: [ground, crank], at: A}\n",
             coordinates);
    assert_int_equal(hol_spec_read_text(spec, text, path), HOL_OK);
    hol_model *model = hol_model_compile(ctx, spec, coordinates);
    assert_non_null(model);
    hol_spec_free(spec);
    return model;
}

/* Solve, react, copy at one more state. */
static hol_status use(hol_data *data, hol_data *copy, double t) {
    hol_data_set(data, t, NULL, NULL);
    hol_status status = hol_data_solve(data);
    for (int i = 0; !status && i < data->model->n_joints; i++)
        status = hol_data_reaction(data, i, &(hol_reaction){.size = sizeof(hol_reaction)});
    return status ? status : hol_data_copy(copy, data);
}

/* What the data needs is made at the first solution and at the first copy; later ones allocate
 * nothing. */
static void test_allocates_once(void **unused) {
    (void)unused;
    for (int i = 0; i < N_SETS; i++) {
        counting memory;
        hol_context *ctx = counting_context(&memory);
        hol_model *model = counted_model(ctx, sets[i]);
        hol_data *data = hol_data_new(ctx, model), *copy = hol_data_new(ctx, model);
        assert_int_equal(use(data, copy, 0.1), HOL_OK);
        const long made = memory.made;
        for (int k = 0; k < 5; k++) {
            assert_int_equal(use(data, copy, 0.2 + k), HOL_OK);
            assert_int_equal(use(copy, data, 0.3 + k), HOL_OK);
        }
        assert_int_equal(memory.made, made);
        hol_data_free(data);
        hol_data_free(copy);
        hol_model_free(model);
        hol_context_free(ctx);
        assert_int_equal(memory.live, 0);
    }
}

/* Whichever allocation fails, there is a status, nothing is left behind, and the same data can do
 * it later. */
static void test_allocation_fails(void **unused) {
    (void)unused;
    for (int i = 0; i < N_SETS; i++) {
        int failed = 0, done = 0;
        for (long k = 1; !done; k++) {
            counting memory;
            hol_context *ctx = counting_context(&memory);
            hol_model *model = counted_model(ctx, sets[i]);
            hol_data *data = hol_data_new(ctx, model), *copy = hol_data_new(ctx, model);
            memory.fail_at = memory.made + k;
            done = use(data, copy, 0.1) == HOL_OK && memory.made < memory.fail_at;
            failed += !done;
            memory.fail_at = 0;
            assert_int_equal(use(data, copy, 0.2), HOL_OK);
            hol_data_free(data);
            hol_data_free(copy);
            hol_model_free(model);
            hol_context_free(ctx);
            assert_int_equal(memory.live, 0);
        }
        assert_true(failed > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_natural_four_bar),
        cmocka_unit_test(test_uniqueness),
        cmocka_unit_test(test_residual),
        cmocka_unit_test(test_velocity_residual),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_caller),
        cmocka_unit_test(test_caller_asks),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_unsolved_copies),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_looking),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_unsolved),
        cmocka_unit_test(test_unsolvable),
        cmocka_unit_test(test_allocates_once),
        cmocka_unit_test(test_allocation_fails),
    };
    return run_tests_of_models("data", tests);
}
