/* test_methods_contract.c: at one and the same consistent state all methods give the same accelerations and reactions.
 *
 * Every file of models/ and models/elements, as it is and with its first joint there twice; every set of coordinates; every row of
 * hol_method_get; at the start and at random states that `auto` brings onto the constraints. A new model or a new row is tested without new code. What a method cannot
 * take it refuses with a reason that the model bears out.
 */
#define _POSIX_C_SOURCE 200809L
#include "method_fixture.h"

#include "dyn/data.h"

#include <dirent.h>

enum { MOST_MODELS = 256, NAME = 128, RANDOM_STATES = 5 };

/* The time from one random state to the next; all together short enough that no joint makes half a turn, because a method that is put
 * at a state counts turns from there. */
#define SPAN 0.0173

/* ---- the models ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* The names of the model files under a folder of models/, sorted; prefix is the folder with a slash, or "". */
static int list_models(const char *prefix, char names[][NAME], int count) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, prefix);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0) continue;
        assert_true(count < MOST_MODELS && strlen(entry->d_name) < 100);
        snprintf(names[count++], NAME, "%s%.*s", prefix, (int)(dot - entry->d_name), entry->d_name);
    }
    closedir(folder);
    return count;
}

/* The description of the first joint of a model, from the brace on; 0 when there is none on a line of its own. */
static int first_joint(const char *name, char *out, size_t size) {
    char path[1024], line[1024];
    int inside = 0, found = 0;
    snprintf(path, sizeof path, "%s/%.*s.yaml", HOLONOM_TEST_MODELS, NAME, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (!found && fgets(line, sizeof line, file)) {
        const char *open = strchr(line, '{'), *close = strrchr(line, '}');
        if (inside && line[0] != ' ' && line[0] != '#' && line[0] != '\n') break;
        if (inside && open && close) {
            snprintf(out, size, "%.*s", (int)(close - open + 1), open);
            found = 1;
        }
        inside |= strncmp(line, "joints:", 7) == 0;
    }
    fclose(file);
    return found;
}

/* ---- states ---- */

/* A number in (-1, 1). */
static double noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* A consistent state: from the one that `auto` is at with other velocities, brought onto the constraints, and then moved on for a while. */
static state random_state(const subject *s, run *r, uint64_t *seed) {
    hol_data *data = hol_sim_data(r->sim);
    const hol_model *m = data->model;
    double q[MOST], v[MOST];
    const double t = hol_data_time(data);
    memcpy(q, hol_data_q(data), sizeof(double) * (size_t)m->nq);
    for (int i = 0; i < m->nv; i++)
        v[i] = hol_data_v(data)[i] + noise(seed) * (hol__is_turn(m, i) ? 1 : m->length);
    if (hol_sim_restart(r->sim, t, q, v) || hol_sim_advance(r->sim, t + SPAN)) {
        run_print_messages(r->ctx);
        fail_msg("%s: no consistent state behind t = %g", s->name, t);
    }
    return state_of(r);
}

/* ---- refusals ---- */

/* Whether a model with this message bears it out. */
static int may_refuse(const run *r, const hol_method_doc *method) {
    const hol_model_info info = hol_model_describe(r->model);
    int massless = 0;
    for (int i = 0; i < r->model->nb; i++) massless |= r->model->bodies[i].singular;
    if (strstr(method->state, "independent") && info.n_holonomic < info.n_constraints)
        return said_why(r->ctx, "constraints on velocities alone") && said_why(r->ctx, "extended");
    return massless && said_why(r->ctx, "no inertia") && said_why(r->ctx, "kkt");
}

/* ---- the contract ---- */

static void check_method(const subject *s, const hol_method_doc *method, const state *states,
                         const solution *wanted) {
    const rule own = rule_of(method->name);
    char what[256];
    run r = open_method(s, method->name, own.state_settings);
    if (!r.sim && !may_refuse(&r, method)) {
        run_print_messages(r.ctx);
        fail_msg("%s refuses %s in %s coordinates", method->name, s->name, set_now);
    }
    for (int k = 0; r.sim && k <= RANDOM_STATES; k++) {
        snprintf(what, sizeof what, "%s under %s in %s coordinates, state %d", s->name,
                 method->name, set_now, k);
        const solution got = solution_at(&r, &states[k]);
        check_solution(what, &got, &wanted[k], own.same);
    }
    run_close(&r);
}

/* At the start, in the coordinates of now, the reactions are those in reference-point coordinates: what the accelerations of all bodies demand, and
 * the smallest ones where that leaves a choice. (test_relative.c and test_elements_models.c compare motions.) */
static void check_against_reference(const subject *s, const solution *first) {
    char what[256], settings[256];
    snprintf(settings, sizeof settings, "coordinates=reference method=lagrange end=10 %s",
             usual_rule.state_settings);
    run r = open_subject(s, settings);
    assert_non_null(r.sim);
    run_to(&r, hol_data_time(hol_sim_data(r.sim)));
    solution got = *first, wanted = solution_of(&r);
    snprintf(what, sizeof what, "reactions of %s in %s coordinates", s->name, set_now);
    got.n_v = wanted.n_v;
    memcpy(got.a, wanted.a, sizeof got.a);
    for (int i = 0; i < wanted.n_reactions; i++) {
        assert_int_equal(got.unique[i], wanted.unique[i]);
        got.unique[i] = wanted.unique[i] = 1;
    }
    check_solution(what, &got, &wanted, 1e-9);
    run_close(&r);
}

static void check_model(const subject *s, uint64_t seed) {
    static state states[RANDOM_STATES + 1];
    static solution wanted[RANDOM_STATES + 1];
    run reference = start_method(s, "lagrange", usual_rule.state_settings),
        moved = start_method(s, "auto", usual_rule.state_settings);
    run_to(&reference, hol_data_time(hol_sim_data(reference.sim)));
    const solution first = solution_of(&reference);
    check_against_reference(s, &first);
    /* the start, brought onto the constraints to rounding as after a step */
    states[0] = state_of(&moved);
    assert_int_equal(hol_sim_restart(moved.sim, states[0].t, states[0].q, states[0].v), HOL_OK);
    states[0] = state_of(&moved);
    for (int k = 1; k <= RANDOM_STATES; k++) states[k] = random_state(s, &moved, &seed);
    for (int k = 0; k <= RANDOM_STATES; k++) wanted[k] = solution_at(&reference, &states[k]);
    for (int i = 0; hol_method_get(i).name; i++) {
        const hol_method_doc method = hol_method_get(i);
        if (!belongs(method.name)) continue;
        check_method(s, &method, states, wanted);
    }
    run_close(&reference);
    run_close(&moved);
}

static void check_every_model(void) {
    static char names[MOST_MODELS][NAME];
    char joint[1024], text[2048], name[2 * NAME];
    int count = list_models("", names, 0);
    count = list_models("elements/", names, count);
    assert_true(count > 40);
    qsort(names, (size_t)count, sizeof *names, by_name);
    for (int i = 0; i < count; i++) {
        const uint64_t seed = 20260413u + 977u * (uint64_t)i;
        check_model(&(subject){.name = names[i]}, seed);
        if (!first_joint(names[i], joint, sizeof joint)) continue;
        snprintf(text, sizeof text, "holonom: 1\ninclude: %.127s.yaml\njoints:\n  doubled: %s\n",
                 names[i], joint);
        snprintf(name, sizeof name, "%.*s with a joint twice", NAME, names[i]);
        check_model(&(subject){.name = name, .text = text}, seed + 1);
    }
}

static void test_reference(void **unused) {
    (void)unused;
    set_now = "reference";
    check_every_model();
}

static void test_natural(void **unused) {
    (void)unused;
    set_now = "natural";
    check_every_model();
}

static void test_relative(void **unused) {
    (void)unused;
    set_now = "relative";
    check_every_model();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference),
                                       cmocka_unit_test(test_natural),
                                       cmocka_unit_test(test_relative)};
    return run_tests_of_models("methods contract", tests);
}
