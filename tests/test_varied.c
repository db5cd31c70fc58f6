/* test_varied.c: a mechanism with other values is what is compiled with these values, bit for bit,
 * over all models (a sample unless HOLONOM_WHOLE is set); it takes no memory once it has it; and
 * what cannot be varied is named. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_list.h"

#include "analysis/vary.h"
#include "model/path.h"

#include <holonom/varied.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { STEPS = 3, MOST_NAMES = 64, SAMPLE = 5 };

static void read_model(hol_spec *spec, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%.*s.yaml", HOLONOM_TEST_MODELS, NAME, name);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
}

/* ---- what can be varied in a model ---- */

typedef struct choice {
    int n;
    char names[MOST_NAMES][2 * NAME];
    double values[MOST_NAMES]; /* as the file has them */
} choice;

/* Take a number in, unless it is an expression of names. */
static void offer(hol_context *ctx, const hol_spec *spec, choice *c, const char *name) {
    hol_context *quiet = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, quiet);
    const hol__node *node = hol__path_value(ctx, spec, name);
    double value;
    if (node && node->kind == HOL__SCALAR && c->n < MOST_NAMES &&
        !hol__quantity_read(quiet, &arena, "test", node->text, NULL, &value)) {
        snprintf(c->names[c->n], sizeof c->names[0], "%s", name);
        c->values[c->n++] = value;
    }
    hol__arena_free(&arena);
    hol_context_free(quiet);
}

/* Parameters, and the numbers of bodies, joints and forces. */
static void list_numbers(hol_context *ctx, const hol_spec *spec, choice *c) {
    static const char *const sections[] = {"bodies", "joints", "forces"};
    char path[2 * NAME];
    const hol__node *section = hol__node_get(spec->root, "parameters");
    c->n = 0;
    for (const hol__node *p = section ? section->first : NULL; p; p = p->next)
        offer(ctx, spec, c, p->key);
    for (int s = 0; s < 3; s++) {
        section = hol__node_get(spec->root, sections[s]);
        if (!section || section->kind != HOL__MAP) continue;
        for (const hol__node *item = section->first; item; item = item->next)
            for (const hol__node *key = item->kind == HOL__MAP ? item->first : NULL; key;
                 key = key->next) {
                if (key->kind != HOL__SCALAR || strchr(item->key, '.')) continue;
                snprintf(path, sizeof path, "%s.%s.%s", sections[s], item->key, key->key);
                offer(ctx, spec, c, path);
            }
    }
}

/* ---- the same bits ---- */

/* Where a run has come to after a few steps. */
typedef struct outcome {
    hol_status status;
    int n;
    double x[4096];
} outcome;

static void keep(outcome *o, const double *x, int n) {
    for (int i = 0; i < n && o->n < 4096; i++) o->x[o->n++] = x[i];
}

/* A few steps; a simulation that could not be made says so by its status. */
static void go(hol_sim *sim, const hol_model *model, outcome *o) {
    hol_model_info info = {.size = sizeof info};
    *o = (outcome){.status = sim ? HOL_OK : HOL_ERR_INPUT};
    for (int k = 0; k < STEPS && !o->status; k++) {
        o->status = hol_sim_step(sim);
        const hol_data *data = hol_sim_data(sim);
        const double t = hol_data_time(data);
        assert_int_equal(hol_model_describe(hol_data_model(data), &info), HOL_OK);
        keep(o, &t, 1);
        keep(o, hol_data_q(data), info.n_q);
        keep(o, hol_data_v(data), info.n_v);
    }
    assert_int_equal(hol_model_describe(model, &info), HOL_OK);
    for (int i = 0; sim && !o->status && i < info.n_measures; i++) {
        double value;
        if (!hol_data_measure(hol_sim_data(sim), i, &value)) keep(o, &value, 1);
    }
}

/* The model compiled with these values. */
static void fresh(const char *name, const hol_varied *varied, int n, const char *const *names,
                  const double *values, outcome *o) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_options *options = NULL;
    char text[128], path[2 * NAME + 16];
    read_model(spec, name);
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%.17g %s", values[i], hol_varied_unit(varied, i));
        snprintf(path, sizeof path, "%s%s", strchr(names[i], '.') ? "" : "parameters.", names[i]);
        assert_int_equal(hol_spec_set(spec, path, text, "test"), HOL_OK);
    }
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    *o = (outcome){.status = HOL_ERR_INPUT};
    if (model) {
        hol_sim *sim = hol_sim_new(ctx, model, options);
        go(sim, model, o);
        hol_sim_free(sim);
    }
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Values near those of the file, of which some are refused; the number of sets that ran. */
static int compare(const char *name, const choice *c, hol_spec *spec, uint64_t *seed) {
    static outcome a, b;
    hol_context *ctx = hol_context_new();
    const char *names[2];
    double start[2], values[2];
    hol_varied *varied;
    int ran = 0;
    const int n = c->n < 2 ? c->n : 2, first = (int)(next_word(seed) % (uint64_t)c->n);
    for (int i = 0; i < n; i++) {
        names[i] = c->names[(first + i) % c->n];
        start[i] = c->values[(first + i) % c->n];
    }
    assert_int_equal(hol_varied_new(ctx, spec, n, names, &varied), HOL_OK);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++)
            values[i] = start[i] * (1 + (k ? 0.1 : 0) * (2 * random_unit(seed) - 1));
        const hol_status status = hol_varied_set(varied, values);
        b = (outcome){.status = HOL_ERR_INPUT};
        if (!status) go(hol_varied_sim(varied), hol_varied_model(varied), &b);
        fresh(name, varied, n, names, values, &a);
        if (a.status != b.status || a.n != b.n || memcmp(a.x, b.x, sizeof *a.x * (size_t)a.n) != 0)
            fail_msg("%s: %s = %.17g … are not the same (%d and %d, %d and %d numbers)", name,
                     names[0], values[0], (int)a.status, (int)b.status, a.n, b.n);
        ran += !a.status && a.n;
    }
    hol_varied_free(varied);
    hol_context_free(ctx);
    return ran;
}

static void same_bits(void **unused) {
    static char names[MOST_MODELS][NAME];
    static choice c;
    const int whole = getenv("HOLONOM_WHOLE") != NULL;
    int count = list_models("", names, 0), ran = 0, models = 0;
    count = list_models("elements/", names, count);
    qsort(names, (size_t)count, sizeof *names, by_name);
    (void)unused;
    for (int i = whole ? 0 : 2; i < count; i += whole ? 1 : SAMPLE) {
        uint64_t seed = seed_of(names[i], 20260611u);
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        read_model(spec, names[i]);
        list_numbers(ctx, spec, &c);
        for (int k = 0; c.n && k < (whole ? 4 : 1); k++) ran += compare(names[i], &c, spec, &seed);
        models += c.n > 0;
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
    assert_true(models > (whole ? 90 : 15));
    assert_true(ran > models); /* a set out of three that runs, on average, at least */
}

/* ---- memory ---- */

typedef struct counter {
    long taken, held;
} counter;

static void *take(void *user, size_t size) {
    counter *c = user;
    void *block = malloc(size);
    c->taken++;
    c->held += block != NULL;
    return block;
}

static void give_back(void *user, void *block) {
    counter *c = user;
    c->held -= block != NULL;
    free(block);
}

static void no_memory_twice(void **unused) {
    const char *const names[] = {"bodies.crank.mass"};
    counter c = {0, 0};
    (void)unused;
    hol_context *ctx = hol_context_new_with(&(hol_allocator){take, give_back, &c});
    hol_spec *spec = hol_spec_new(ctx);
    hol_varied *varied;
    read_model(spec, "four_bar");
    assert_int_equal(hol_varied_new(ctx, spec, 1, names, &varied), HOL_OK);
    hol_spec_free(spec);
    long before = 0;
    for (int k = 0; k < 60; k++) {
        const double mass = 1 + k / 128.0;
        if (k == 30) before = c.taken;
        assert_int_equal(hol_varied_set(varied, &mass), HOL_OK);
        assert_int_equal(hol_varied_changed(varied), 0);
        assert_int_equal(hol_sim_advance(hol_varied_sim(varied), 0.05), HOL_OK);
    }
    assert_int_equal(c.taken, before);
    hol_varied_free(varied);
    hol_context_free(ctx);
    assert_int_equal(c.held, 0);
}

/* ---- what is refused, and what changes the structure ---- */

static const char pendulum[] = "holonom: 1\nspace: planar\nparameters: {long: 2 m, on: 1}\n"
                               "bodies:\n  rod: {mass: 3 kg, inertia: 1, com: [long/2, 0]}\n"
                               "joints:\n  O: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
                               "measures:\n  turn: {type: angle, body: rod}\n"
                               "simulation: {end: 1 s}\n";

static void refused(void **unused) {
    static const struct {
        const char *name, *word;
    } rows[] = {{"lang", "lang"},
                {"bodies.rod.com", "no number"},
                {"bodies.rad.mass", "rad"},
                {"space", "no number"}};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_varied *varied;
    (void)unused;
    assert_int_equal(hol_spec_read_text(spec, pendulum, "pendulum"), HOL_OK);
    for (int i = 0; i < 4; i++) {
        hol_message_clear(ctx);
        assert_int_equal(hol_varied_new(ctx, spec, 1, &rows[i].name, &varied), HOL_ERR_ARGUMENT);
        assert_null(varied);
        assert_true(said_why(ctx, rows[i].word));
    }
    const char *const twice[] = {"long", "parameters.long"};
    assert_int_equal(hol_varied_new(ctx, spec, 2, twice, &varied), HOL_ERR_ARGUMENT);
    assert_true(said_why(ctx, "varied twice"));
    assert_int_equal(hol_varied_new(ctx, spec, 0, twice, &varied), HOL_ERR_ARGUMENT);
    const char *const mass[] = {"bodies.rod.mass"};
    assert_int_equal(hol_varied_new(ctx, spec, 1, mass, &varied), HOL_OK);
    assert_string_equal(hol_varied_unit(varied, 0), "kg");
    assert_null(hol_varied_unit(varied, 1));
    assert_null(hol_varied_sim(varied));
    assert_true(said_why(ctx, "hol_varied_set first"));
    hol_message_clear(ctx);
    /* a value that the model refuses is told with its place, and the next one is taken */
    assert_int_equal(hol_varied_set(varied, (double[]){-1}), HOL_ERR_INPUT);
    assert_null(hol_varied_model(varied));
    assert_string_equal(hol_message_get(ctx, 0)->where.file, "pendulum");
    assert_int_equal(hol_message_get(ctx, 0)->where.line, 5);
    assert_int_equal(hol_varied_set(varied, (double[]){NAN}), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_varied_set(varied, NULL), HOL_ERR_ARGUMENT);
    assert_int_equal(hol_varied_set(varied, (double[]){2}), HOL_OK);
    hol_body_info body = {.size = sizeof body};
    assert_int_equal(hol_model_body_describe(hol_varied_model(varied), 0, &body), HOL_OK);
    assert_true(body.mass == 2);
    assert_ptr_equal(hol_varied_sim(varied), hol_varied_sim(varied));
    hol_varied_free(varied);
    hol_varied_free(NULL);
    assert_int_equal(hol_varied_set(NULL, NULL), HOL_ERR_ARGUMENT);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* The options follow; a body that has no inertia left is another structure. */
static void structure(void **unused) {
    static const char *const names[] = {"simulation.end", "bodies.rod.inertia"};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_varied *varied;
    (void)unused;
    assert_int_equal(hol_spec_read_text(spec, pendulum, "pendulum"), HOL_OK);
    assert_int_equal(hol_spec_allow_massless(spec), HOL_OK);
    assert_int_equal(hol_varied_new(ctx, spec, 2, names, &varied), HOL_OK);
    for (int k = 1; k < 4; k++) {
        assert_int_equal(hol_varied_set(varied, (double[]){0.25 * k, 1 + k}), HOL_OK);
        assert_int_equal(hol_varied_changed(varied), 0);
        assert_int_equal(hol_sim_run(hol_varied_sim(varied), NULL), HOL_OK);
        assert_true(hol_data_time(hol_sim_data(hol_varied_sim(varied))) == 0.25 * k);
    }
    assert_int_equal(hol_varied_set(varied, (double[]){1, 0}), HOL_OK);
    assert_int_equal(hol_varied_changed(varied), 1);
    assert_int_equal(hol_varied_set(varied, (double[]){1, 0}), HOL_OK);
    assert_int_equal(hol_varied_changed(varied), 0);
    hol_varied_free(varied);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Two threads share the description, each with a mechanism of its own. */
typedef struct job {
    const hol_spec *spec;
    double ends[8];
} job;

static void *vary_apart(void *user) {
    static const char *const names[] = {"long"};
    job *j = user;
    hol_context *ctx = hol_context_new();
    hol_varied *varied;
    if (hol_varied_new(ctx, j->spec, 1, names, &varied) == HOL_OK)
        for (int k = 0; k < 8; k++) {
            const double length = 1.3 + k / 7.0;
            hol_sim *sim = hol_varied_set(varied, &length) ? NULL : hol_varied_sim(varied);
            if (sim && hol_sim_run(sim, NULL) == HOL_OK)
                hol_data_measure(hol_sim_data(sim), 0, &j->ends[k]);
        }
    hol_varied_free(varied);
    hol_context_free(ctx);
    return NULL;
}

static void threads(void **unused) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    pthread_t thread;
    (void)unused;
    assert_int_equal(hol_spec_read_text(spec, pendulum, "pendulum"), HOL_OK);
    assert_int_equal(hol_spec_set(spec, "gravity", "[0.3, -9.7]", "test"), HOL_OK);
    job a = {spec, {0}}, b = {spec, {0}};
    assert_int_equal(pthread_create(&thread, NULL, vary_apart, &a), 0);
    vary_apart(&b);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_memory_equal(a.ends, b.ends, sizeof a.ends);
    for (int k = 0; k < 8; k++) assert_true(fabs(a.ends[k]) > 0.1);
    for (int k = 1; k < 8; k++) assert_true(a.ends[k] != a.ends[k - 1]);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Derived expressions, counts and options: a count that is no whole number is refused at its place,
 * the parameters that follow from a value follow. */
static void kinds(void **unused) {
    static const char *const names[] = {"simulation.iterations", "a"};
    static const char text[] =
        "holonom: 1\nspace: planar\nparameters: {a: 30 deg, b: 2*a, k: 5 N}\n"
        "bodies:\n  rod: {mass: 3 kg, inertia: 1, com: [0.7, 0]}\n"
        "joints:\n  O: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
        "forces:\n  s: {type: torque, body: rod, torque: k*1 m*sin(b)}\n"
        "measures:\n  turn: {type: angle, body: rod}\n  b2: {type: expression, value: b}\n"
        "simulation: {end: 1 s, iterations: 2}\n";
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_varied *varied;
    double value;
    (void)unused;
    assert_int_equal(hol_spec_read_text(spec, text, "kinds"), HOL_OK);
    assert_int_equal(hol_varied_new(ctx, spec, 2, names, &varied), HOL_OK);
    assert_string_equal(hol_varied_unit(varied, 0), "");
    assert_string_equal(hol_varied_unit(varied, 1), "rad");
    assert_int_equal(hol_varied_set(varied, (double[]){2.5, 0.4}), HOL_ERR_INPUT);
    assert_int_equal(hol_message_get(ctx, 0)->where.line, 13);
    assert_null(hol_varied_model(varied));
    assert_int_equal(hol_varied_set(varied, (double[]){3, 0.4}), HOL_OK);
    assert_int_equal(hol_sim_advance(hol_varied_sim(varied), 0.1), HOL_OK);
    assert_int_equal(hol_data_measure(hol_sim_data(hol_varied_sim(varied)), 1, &value), HOL_OK);
    assert_true(value == 0.8);
    /* what a model says of its parameters is what was set, and what follows from it */
    const hol_parameter *a = hol_model_parameter(hol_varied_model(varied), 0),
                        *b = hol_model_parameter(hol_varied_model(varied), 1);
    assert_string_equal(a->name, "a");
    assert_string_equal(a->unit, hol_varied_unit(varied, 1));
    assert_true(a->value == 0.4 && b->value == 0.8);
    hol_varied_free(varied);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused), cmocka_unit_test(structure),       cmocka_unit_test(kinds),
        cmocka_unit_test(threads), cmocka_unit_test(no_memory_twice), cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
