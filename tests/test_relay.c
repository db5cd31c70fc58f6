/* test_relay.c: a run that is handed from one simulation to the next, as bytes, between steps,
 * after every step or after every few. It goes on with the same bits, counts the same work and says
 * the same as the run that was never stopped, whatever happens in it: events with all their
 * actions, impacts, elements that take hold and let go, rigid contacts, ropes and stops, corners of
 * laws, singular positions, stiffness that is noticed.
 *
 * The clock of this program goes on by a microsecond whenever it is asked: what a run says of its
 * slowness depends on the load of the machine.
 */
#define _POSIX_C_SOURCE 200809L
#include "model_list.h"

#include "base/text.h"
#include "integ/stepper.h"

#include <time.h>

/* Stands before that of the C library. */
int clock_gettime(clockid_t clock, struct timespec *now) {
    static long asked;
    (void)clock;
    asked++;
    *now = (struct timespec){.tv_sec = asked / 1000000, .tv_nsec = asked % 1000000 * 1000};
    return 0;
}

enum { MOST_ROWS = 6000 };

/* One hand or several, as far as they have come. */
typedef struct relay {
    run r;
    const subject *s;
    const char *settings;
    long hands, pauses, stride; /* steps until the next hand; 0: one hand for all */
    unsigned char *state;       /* what is handed over */
    size_t size;
    int n; /* rows: of steps and of outputs */
    unsigned long long rows[MOST_ROWS];
    int messages; /* there are when it is; -1: all */
    int n_said;   /* messages of the run */
    unsigned long long said;
} relay;

/* ---- rows ---- */

/* Everything of the state that the user can ask for, as one number. */
static hol_status take(void *user, hol_sim *sim) {
    relay *c = user;
    const hol_data *data = hol_sim_data(sim);
    const hol_model *m = data->model;
    unsigned long long hash = hol__hash(HOL__HASH_START, &data->t, sizeof data->t);
    hash = hol__hash(hash, data->q, sizeof(double) * (size_t)m->nq);
    hash = hol__hash(hash, data->v, sizeof(double) * (size_t)m->nv);
    hash = hol__hash(hash, data->aux, sizeof(double) * (size_t)m->n_aux);
    if (c->n < MOST_ROWS) c->rows[c->n++] = hash;
    return HOL_OK;
}

/* At an output also what follows from the state. */
static hol_status take_output(void *user, hol_sim *sim) {
    relay *c = user;
    hol_data *data = hol_sim_data(sim);
    const hol_model *m = data->model;
    unsigned long long hash =
        hol__hash(HOL__HASH_START, hol_data_acceleration(data), sizeof(double) * (size_t)m->nv);
    hash = hol__hash(hash, data->lambda, sizeof(double) * (size_t)m->m);
    hash = hol__hash(hash, &data->work, sizeof data->work);
    if (c->n < MOST_ROWS) c->rows[c->n++] = hash;
    return take(user, sim);
}

/* ---- hands ---- */

static hol_status pause_at(void *user, hol_sim *sim) {
    relay *c = user;
    if (!c->stride || c->pauses++ < c->stride) return HOL_OK;
    c->size = hol_sim_state_size(sim);
    c->state = realloc(c->state, c->size);
    assert_non_null(c->state);
    assert_int_equal(hol_sim_state_save(sim, c->state, c->size), HOL_OK);
    c->messages = hol_message_count(hol_sim_context(sim));
    return HOL_ERR_INTERRUPTED;
}

/* What was said of the run since there were `before` messages; not that it was stopped. */
static void hear(relay *c, int before) {
    char line[1024];
    const hol_context *ctx = hol_sim_context(c->r.sim);
    const int n = c->messages < 0 ? hol_message_count(ctx) : c->messages;
    for (int i = before; i < n; i++) {
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        c->said = hol__hash(c->said, line, strlen(line));
        c->n_said++;
    }
}

/* The next hand: a simulation of its own, with what was handed over; 0 where it is refused. */
static int next_hand(relay *c) {
    if (c->r.sim) run_close(&c->r);
    c->r = open_subject(c->s, c->settings);
    if (!c->r.sim) return 0;
    if (c->hands++ == 0) return 1;
    if (hol_sim_state_load(c->r.sim, c->state, c->size)) {
        run_print_messages(hol_sim_context(c->r.sim));
        fail_msg("%s with %s: hand %ld is not taken", c->s->name, c->settings, c->hands);
    }
    return 1;
}

/* To the end of the run, with as many hands as it takes. */
static hol_status run_relay(relay *c) {
    const hol_observer observer = {.on_output = take_output, .on_step = take, .user = c};
    hol_status status = HOL_ERR_INTERRUPTED;
    while (status == HOL_ERR_INTERRUPTED) {
        if (c->n && !next_hand(c)) return HOL_ERR_INPUT;
        const int before = hol_message_count(hol_sim_context(c->r.sim));
        c->pauses = 0;
        c->messages = -1;
        hol_sim_on_checkpoint(c->r.sim, pause_at, c);
        status = hol_sim_run(c->r.sim, &observer);
        hear(c, before);
    }
    return status;
}

/* ---- what must agree ---- */

static int same_value(const hol_statistic_value *x, const hol_statistic_value *y) {
    return x->count == y->count && x->list.n == y->list.n &&
           memcmp(&x->real, &y->real, sizeof x->real) == 0 && (!x->text) == (!y->text) &&
           (!x->text || strcmp(x->text, y->text) == 0) &&
           (!x->list.n ||
            memcmp(x->list.values, y->list.values, sizeof(double) * (size_t)x->list.n) == 0);
}

static int wrong; /* so far */

/* The statistics of the two, but for the clock. */
static void check_statistics(const relay *whole, const relay *parts) {
    const hol_sim_info a = sim_info(whole->r.sim), b = sim_info(parts->r.sim);
    const hol_statistic *row;
    for (int i = 0; (row = hol_statistic_get(i)); i++) {
        const hol_statistic_value x = hol_statistic_of(&a, i), y = hol_statistic_of(&b, i);
        if (strcmp(row->key, "wall_time") == 0 || same_value(&x, &y)) continue;
        print_error(
            "%s with %s, a hand every %ld: %s is %.17g (%ld) '%s' instead of %.17g (%ld) '%s'\n",
            whole->s->name, whole->settings, parts->stride, row->key, y.real, y.count,
            y.text ? y.text : "", x.real, x.count, x.text ? x.text : "");
        wrong++;
    }
}

static void check_rows(const relay *whole, const relay *parts) {
    int i = 0;
    while (i < whole->n && i < parts->n && whole->rows[i] == parts->rows[i]) i++;
    if (i == whole->n && i == parts->n) return;
    print_error("%s with %s, a hand every %ld: row %d of %d (%d) differs\n", whole->s->name,
                whole->settings, parts->stride, i, whole->n, parts->n);
    wrong++;
}

/* A whole run and a relay with a hand every `stride` steps; 0 where the settings are refused. */
static int check(const subject *s, const char *settings, long stride) {
    static relay whole, parts;
    whole = (relay){.s = s, .settings = settings, .said = HOL__HASH_START};
    parts = (relay){.s = s, .settings = settings, .stride = stride, .said = HOL__HASH_START};
    const int runs = next_hand(&whole);
    if (runs) {
        const hol_status ended = run_relay(&whole);
        assert_true(next_hand(&parts));
        const hol_status other = run_relay(&parts);
        if (ended != other) {
            print_error("%s with %s: ends with %d instead of %d\n", s->name, settings, other,
                        ended);
            wrong++;
        }
        check_rows(&whole, &parts);
        if (whole.n_said != parts.n_said || whole.said != parts.said) {
            print_error("%s with %s, a hand every %ld: says something else (%d, %d)\n", s->name,
                        settings, stride, whole.n_said, parts.n_said);
            wrong++;
        }
        check_statistics(&whole, &parts);
    }
    run_close(&whole.r);
    run_close(&parts.r);
    free(parts.state);
    return runs;
}

/* ---- models ---- */

static const char puck[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  puck: {mass: 1.3, inertia: 0.02, position: [0, 0.35], velocity: [3.1, 0]}\njoints:\n"
    "  level: {type: generic, bodies: [ground, puck], at: [0, 0.35], lock: [angle]}\n"
    "  floor: {type: generic, bodies: [ground, puck], at: [0, 0], at_second: [0, 0.35],\n"
    "    lock: [y], active: {initially: false, until: N.fy > 0}}\n"
    "measures:\n  p: {type: position, body: puck}\n  v: {type: velocity, body: puck}\n"
    "  N: {type: reaction, joint: floor}\n"
    "events:\n  bounce: {when: p.y < 0, do: {impact: {joint: floor, restitution: 0.4}}}\n"
    "simulation: {end: 1.2, tolerance: 1e-7}\n";

/* A rope that is pulled taut, a brake that bites and lets go, and a force that events change by a
 * parameter and a variable. */
static const char gadget[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {pull: 3.7 N}\nbodies:\n"
    "  disc: {mass: 1.4, inertia: 0.037, position: [0, 0], omega: 9.3}\n"
    "  bob: {mass: 0.63, inertia: 0.004, position: [0.31, -0.12]}\njoints:\n"
    "  pin: {type: revolute, bodies: [ground, disc], at: [0, 0]}\n"
    "  string: {type: rope, bodies: [disc, bob], from: [0.11, 0.02], to: [0.31, -0.12], length: "
    "0.43,\n"
    "    restitution: 0.3}\n"
    "  brake: {type: generic, bodies: [ground, disc], at: [0, 0], lock: [angle],\n"
    "    active: {initially: false, catch: here}}\n"
    "forces:\n  tug: {type: force, body: disc, at: [0.05, 0], force: [0, pull*(1 + level)]}\n"
    "measures:\n  turn: {type: angle, body: disc}\n  low: {type: position, body: bob}\n"
    "  spin: {type: angular_velocity, body: disc}\n  level: {type: variable, value: 0}\n"
    "events:\n  harder: {measure: turn, crosses: 90 deg, do: [{set: {level: level + 0.5}}, "
    "record]}\n"
    "  softer: {when: turn > 2, times: 1, do: {set: {pull: 1.9 N}}}\n"
    "  bite: {when: t > 0.33, do: {activate: brake}}\n"
    "  free: {when: t > 0.41, do: [record, {release: brake}]}\n"
    "simulation: {end: 0.7}\n";

/* Models with what happens in them, and how long it takes to happen. */
static const struct {
    subject s;
    double end;
} models[] = {
    {{.name = "puck", .text = puck}, 0.63},
    {{.name = "gadget", .text = gadget}, 0.6},
    {{.name = "bouncing_ball"}, 1.6},
    {{.name = "rebounding_ball"}, 1.2},
    {{.name = "catch"}, 1.3},
    {{.name = "clutch"}, 2.7},
    {{.name = "stick_slip"}, 2.1},
    {{.name = "elbow_lock"}, 1.2},
    {{.name = "lift_off"}, 0.3},
    {{.name = "rocking_block"}, 0.8},
    {{.name = "newtons_cradle"}, 0.7},
    {{.name = "woodpecker"}, 0.05},
    {{.name = "cam_follower"}, 0.03},
    {{.name = "stiff_suspension"}, 0.05},
    {{.name = "a02_two_four_bar"}, 0.9},
    {{.name = "elements/contact"}, 0.04},
    {{.name = "elements/contact_plane"}, 0.4},
    {{.name = "elements/limit"}, 0.5},
    {{.name = "elements/bump_stop"}, 0.5},
    {{.name = "elements/rigid_contact"}, 0.4},
    {{.name = "elements/friction"}, 0.4},
    {{.name = "elements/friction_lugre"}, 0.1},
    {{.name = "elements/pid"}, 0.4},
};
enum { N_MODELS = sizeof models / sizeof *models };

/* Every model under every way of stepping, from hand to hand after each step or after three. */
static void test_models(void **unused) {
    static const char *const ways[] = {"tolerance=1e-5",
                                       "integrator=rk4 tolerance=1e-4",
                                       "integrator=rk4 step=0.01",
                                       "integrator=radau5 tolerance=1e-4",
                                       "integrator=generalized-alpha tolerance=1e-3",
                                       "integrator=newmark-extrapolated tolerance=1e-4"};
    enum { N_WAYS = sizeof ways / sizeof *ways };
    (void)unused;
    for (int i = 0; i < N_MODELS; i++) {
        for (int k = 0; k < N_WAYS; k++) {
            char settings[256];
            snprintf(settings, sizeof settings, "end=%g output=%g %s", models[i].end,
                     models[i].end / (k % 2 ? 17 : 3), ways[k]);
            check(&models[i].s, settings, (i + k) % 2 ? 3 : 1);
        }
    }
    assert_int_equal(wrong, 0);
}

/* Rebounds, and elements that are caught and let go, under every method in every set of
 * coordinates, and under every integrator that has a state. */
static void test_methods(void **unused) {
    int ran = 0;
    (void)unused;
    for (int i = 0; i < N_SETS; i++)
        for (int j = 0; hol_method_get(j); j++) {
            char settings[256];
            set_now = sets[i];
            if (!belongs(hol_method_get(j)->name)) continue;
            snprintf(settings, sizeof settings,
                     "coordinates=%s method=%s end=0.62 output=0.1 tolerance=1e-4", set_now,
                     hol_method_get(j)->name);
            ran += check(&models[(i + j) % 2].s, settings, 1 + j % 2);
        }
    assert_true(ran > 40);
    assert_int_equal(wrong, 0);
}

static void test_integrators(void **unused) {
    int ran = 0;
    (void)unused;
    for (int i = 0; part_doc(i).name; i++)
        for (int fixed = 0; fixed < 2; fixed++) {
            char settings[256];
            if (strcmp(part_doc(i).part, "integrator") != 0) continue;
            if (hol__stepper_find(part_doc(i).name)->paces) continue;
            snprintf(settings, sizeof settings, "integrator=%s end=0.55 output=0.1 %s",
                     part_doc(i).name, fixed ? "step=0.005" : "tolerance=1e-4");
            ran += check(&models[(i + fixed) % 2].s, settings, 1 + i % 2);
        }
    print_message("%d runs\n", ran);
    assert_true(ran > 30);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_integrators),
    };
    if (!run_reads_files()) return skip_models();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
