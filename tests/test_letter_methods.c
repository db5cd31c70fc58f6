/* test_letter_methods.c: `holonom methods` describes what runs, to the bit: two combinations of
 * parts that are described alike give the same bits on every model, and two that are described
 * otherwise give other bits on all models but one at most, where an order of operations happens to
 * round alike; parts that wait for a threshold, on one model at least. So no name runs the code of
 * another, in any set of coordinates.
 */
#include "model_fixture.h"

enum { MOST = 160, WORDS = 256, SAYS = 512, STEPS = 12, STATE = 256 };

/* Subjects in the plane, in space with quaternions, with nonholonomic rows and with redundant ones,
 * by set of coordinates. The steps are long, so that drift passes the usual thresholds; some are
 * below rounding, so that it passes them in spite of a correction. */
static const char *const models[][2] = {
    {"four_bar", ""},
    {"slider_crank_spatial", ""},
    {"bicycle", " threshold=1e-15"},
    {"a04_bricard", " threshold=1e-15"},
    {"four_bar", " coordinates=relative"},
    {"slider_crank_spatial", " coordinates=relative"},
    {"bicycle", " threshold=1e-15 coordinates=relative"},
    {"a04_bricard", " threshold=1e-15 coordinates=relative"},
    {"four_bar", " coordinates=natural"},
    {"slider_crank_spatial", " threshold=0 coordinates=natural"},
};
enum { MODELS = sizeof models / sizeof *models };

/* Where a set of coordinates begins among the models. */
static const int set_starts[] = {0, 4, 8, MODELS};
enum { SETS = sizeof set_starts / sizeof *set_starts - 1, RELATIVE = 1 };

/* A combination: its settings, what it is said to be in each set of coordinates, and the state
 * after STEPS steps by model. */
typedef struct combination {
    char settings[WORDS], says[SETS][SAYS];
    int size[MODELS]; /* 0: it does not apply */
    double state[MODELS][STATE];
} combination;

/* The value of key in "key=value key=value", or what it is otherwise. */
static const char *value_of(const char *settings, const char *key, const char *otherwise,
                            char *buf) {
    const size_t length = strlen(key);
    for (const char *at = settings; (at = strstr(at, key)); at += length)
        if ((at == settings || at[-1] == ' ') && at[length] == '=') {
            sscanf(at + length + 1, "%63s", buf);
            return buf;
        }
    return otherwise ? otherwise : "";
}

static const hol_method_doc *row_of(const char *name) {
    const hol_method_doc *m = NULL;
    for (int i = 0; (m = hol_method_get(i)) && strcmp(m->name, name) != 0; i++) continue;
    assert_non_null(m);
    return m;
}

/* The parts of the method's row, exchanged as the settings say; a basis and a form only where
 * something uses them. In relative coordinates the kernel open-chain is kkt, as its title says. */
static void describe(combination *c, int set) {
    char b[6][64];
    const hol_method_doc *m = row_of(value_of(c->settings, "method", "", b[0]));
    const char *kernel = value_of(c->settings, "kernel", m->kernel, b[1]),
               *basis = value_of(c->settings, "basis", m->basis, b[2]),
               *stabilizer = value_of(c->settings, "stabilizer", m->stabilizer, b[3]),
               *correction = value_of(c->settings, "correction", m->correction, b[4]);
    if (set == RELATIVE && strcmp(kernel, "open-chain") == 0) kernel = "kkt";
    const int completed = strstr(m->state, "independent") || strcmp(m->state, "extended") == 0,
              null_space = strcmp(kernel, "nullspace") == 0;
    const char *form = m->form ? m->form : "reduced";
    snprintf(c->says[set], SAYS, "%s, %s, %s, %s, %s, %s, %s", m->state, kernel,
             completed || null_space ? (*basis ? basis : "qr") : "", null_space ? form : "",
             stabilizer, correction, m->coordinates && set == 0 ? m->coordinates : "");
}

/* The state after some steps, or nothing where the parts refuse the model. */
static int run_combination(const char *const *model, const char *settings, double *state) {
    char path[1024], all[2 * WORDS];
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, model[0]);
    snprintf(all, sizeof all, "%s integrator=rk4 step=2e-2 end=10 output=10%s", settings, model[1]);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    assert_int_equal(run_settings(spec, all), HOL_OK);
    run r = {.ctx = ctx};
    r.model = hol_model_from_spec(ctx, spec, &r.options);
    hol_spec_free(spec);
    assert_non_null(r.model);
    r.sim = hol_sim_new(ctx, r.model, r.options);
    int size = 0;
    for (int i = 0; r.sim && i < STEPS; i++)
        if (hol_sim_step(r.sim)) break;
    if (r.sim && sim_info(r.sim).steps == STEPS) {
        const hol_model_info info = model_info(r.model);
        size = info.n_q + info.n_v;
        assert_true(size <= STATE);
        memcpy(state, hol_data_q(hol_sim_data(r.sim)), sizeof *state * (size_t)info.n_q);
        memcpy(state + info.n_q, hol_data_v(hol_sim_data(r.sim)), sizeof *state * (size_t)info.n_v);
    }
    run_close(&r);
    return size;
}

static combination all[MOST];
static int count;

static void add(const char *method, const char *key, const char *value) {
    combination *c = &all[count++];
    assert_true(count < MOST);
    snprintf(c->settings, sizeof c->settings, *key ? "method=%s %s=%s" : "method=%s", method, key,
             value);
    for (int set = 0; set < SETS; set++) describe(c, set);
    for (int k = 0; k < MODELS; k++)
        c->size[k] = run_combination(models[k], c->settings, c->state[k]);
}

/* A method with every part of a kind in turn. */
static void add_parts(const char *method, const char *kind) {
    hol_part_doc p = {.size = sizeof p};
    for (int i = 0; hol_part_get(i, &p) == HOL_OK; i++)
        if (strcmp(p.part, kind) == 0) add(method, kind, p.name);
}

/* On how many models of a set both run, and on how many of these with the same bits. */
static int alike(const combination *a, const combination *b, int set, int *both) {
    int same = 0;
    *both = 0;
    for (int k = set_starts[set]; k < set_starts[set + 1]; k++) {
        if (!a->size[k] || !b->size[k]) continue;
        ++*both;
        same += a->size[k] == b->size[k] &&
                memcmp(a->state[k], b->state[k], sizeof(double) * (size_t)a->size[k]) == 0;
    }
    return same;
}

/* Whether a part of the combination waits for a threshold. */
static int waits(const combination *c) {
    return strstr(c->says[0], "drift") || strstr(c->says[0], "hybrid");
}

/* Whether the bits of two combinations are those that their descriptions promise. */
static int is_as_said(const combination *a, const combination *b, int set, int both, int same) {
    if (strcmp(a->says[set], b->says[set]) == 0) return same == both;
    if (waits(a) || waits(b)) return same < both || both == 0;
    return same == 0 || (same == 1 && both > 1);
}

/* All pairs in a set of coordinates: how many of them run, and how many have the same bits; those
 * that are not as said are printed and counted. */
static int compare_pairs(int set, int *pairs, int *equal) {
    int wrong = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            const combination *a = &all[i], *b = &all[k];
            int both;
            const int same = alike(a, b, set, &both);
            *pairs += both > 0;
            *equal += both > 0 && same == both;
            if (is_as_said(a, b, set, both, same)) continue;
            print_error("'%s' (%s) and '%s' (%s) have the same bits on %d of %d models\n",
                        a->settings, a->says[set], b->settings, b->says[set], same, both);
            wrong++;
        }
    return wrong;
}

static void test_pairs(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; hol_method_get(i); i++) add(hol_method_get(i)->name, "", "");
    static const char *const dependent[] = {"lagrange", "nullspace", "direct-correction"};
    for (int i = 0; i < 3; i++) {
        add_parts(dependent[i], "kernel");
        add_parts(dependent[i], "correction");
        add_parts(dependent[i], "stabilizer");
    }
    add_parts("nullspace", "basis");
    add_parts("projection", "basis");
    add_parts("partitioning", "basis");
    add_parts("independent", "basis");
    add_parts("independent", "kernel");
    add_parts("canonical", "kernel");
    for (int set = 0; set < SETS; set++) {
        int pairs = 0, equal = 0;
        wrong += compare_pairs(set, &pairs, &equal);
        print_message("%d combinations, %d pairs, %d of them equal\n", count, pairs, equal);
        assert_true(pairs > 1000 && equal > 10);
    }
    assert_int_equal(wrong, 0);
}

/* Whether the list of parts has one of that kind and name. */
static int is_listed(const char *part, const char *name) {
    hol_part_doc p = {.size = sizeof p};
    for (int i = 0; hol_part_get(i, &p) == HOL_OK; i++)
        if (strcmp(p.part, part) == 0 && strcmp(p.name, name) == 0) return 1;
    return 0;
}

/* The summary of a run names what gave its accelerations, and the list of parts has it; so has it
 * what the rows of methods name. */
static void test_kernel_names(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"four_bar", "method=lagrange", "kkt"},
        {"four_bar", "method=independent", "frame"},
        {"four_bar", "method=independent kernel=schur", "schur"},
        {"four_bar", "method=canonical-independent", "frame"},
        {"five_bar", "method=lagrange coordinates=relative", "recursive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r = run_open(cases[i][0], cases[i][1]);
        assert_string_equal(sim_info(r.sim).kernel, cases[i][2]);
        assert_true(is_listed("kernel", cases[i][2]) || is_listed("solver", cases[i][2]));
        run_close(&r);
    }
    for (int i = 0; hol_method_get(i); i++) {
        const char *kernel = hol_method_get(i)->kernel;
        assert_true(is_listed("kernel", kernel) || is_listed("solver", kernel));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_kernel_names),
    };
    return run_tests_of_models("tests", tests);
}
