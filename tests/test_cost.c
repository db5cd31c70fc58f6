/* The count behind the coordinates `cheapest`, against an elimination of the compiled systems,
 * entry by entry; what it decides; and that a run takes its word. */
#include "mechanism_fixture.h"

#include "coords/tree.h"

/* A description that may be long. */
static char text[1 << 16];
static size_t used;

static void write(const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
    assert_true(n >= 0 && used + (size_t)n < sizeof text);
    used += (size_t)n;
}

/* n links of 0.11 m in an arc from ground, to ground again where it is closed. */
static void write_links(int n, int spatial, const char *joint, int closed, const char *set) {
    const double turn = acos(-1.0) / n, radius = 0.055 / sin(turn / 2);
    used = 0;
    write("holonom: 1\nspace: %s\ngravity: %s\npoints:\n", spatial ? "spatial" : "planar",
          spatial ? "[0, -9.81, 0]" : "[0, -9.81]");
    for (int i = 0; i <= n; i++)
        write("  p%d: [%.15g, %.15g%s]\n", i, -radius * cos(i * turn), -radius * sin(i * turn),
              spatial ? ", 0" : "");
    write("bodies:\n");
    for (int i = 0; i < n; i++)
        write("  b%d: {mass: 0.23, inertia: %s, along: [p%d, p%d]}\n", i,
              spatial ? "[2e-4, 3e-4, 4e-4]" : "2e-4", i, i + 1);
    write("joints:\n");
    write("  j0: {type: %s, bodies: [ground, b0], at: p0}\n", joint);
    for (int i = 1; i < n; i++)
        write("  j%d: {type: %s, bodies: [b%d, b%d], at: p%d}\n", i, joint, i - 1, i, i);
    if (closed) write("  end: {type: %s, bodies: [b%d, ground], at: p%d}\n", joint, n - 1, n);
    write("simulation: {end: 0.01, coordinates: %s}\n", set);
}

/* ---- elimination, entry by entry ---- */

/* Multiplications to factor and solve, by the pattern K (n x n, destroyed): next comes the unknown
 * with the fewest couples, those from `late` on after all that they are coupled with before. */
static double eliminate(unsigned char *K, int n, int late) {
    double sum = 0;
    char *gone = calloc((size_t)n + 1, 1);
    for (int step = 0; step < n; step++) {
        int best = -1, fewest = n + 1;
        for (int i = 0; i < n; i++) {
            int couples = 0, waits = 0;
            for (int j = 0; j < n && !gone[i]; j++)
                if (j != i && !gone[j] && K[i * n + j]) couples++, waits |= i >= late && j < late;
            if (!gone[i] && !waits && couples < fewest) best = i, fewest = couples;
        }
        assert_true(best >= 0);
        gone[best] = 1;
        sum += 0.5 * fewest * (fewest + 1) + 2.0 * fewest;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (!gone[i] && !gone[j] && K[best * n + i] && K[best * n + j]) K[i * n + j] = 1;
    }
    free(gone);
    return sum;
}

/* Whether velocities i and j are of one path to the root. */
static int on_one_path(const hol__tree *tree, int i, int j) {
    int a = 0, b = 0;
    while (i >= tree->links[a].v + tree->links[a].nv) a++;
    while (j >= tree->links[b].v + tree->links[b].nv) b++;
    return hol__tree_carries(tree, a < b ? a : b, a < b ? b : a);
}

/* The same for a compiled model, and the entries of M below its diagonal and of A. */
static double eliminate_model(const hol_model *m, double *entries) {
    const int n = m->nv + m->m;
    unsigned char *K = calloc((size_t)(n * n) + 1, 1);
    *entries = 0;
    for (int i = 0; i < m->nv; i++)
        for (int j = 0; j <= i; j++) {
            const int couple =
                m->tree ? on_one_path(m->tree, i, j)
                        : i == j || (m->dim == 3 && i / 6 == j / 6 && i % 6 >= 3 && j % 6 >= 3);
            K[i * n + j] = K[j * n + i] = (unsigned char)couple;
            *entries += couple;
        }
    for (int i = 0; i < m->m; i++)
        for (int p = m->A.ptr[i]; p < m->A.ptr[i + 1]; p++) {
            if (m->A.live && !m->A.live[p]) continue;
            K[(m->nv + i) * n + m->A.idx[p]] = K[m->A.idx[p] * n + m->nv + i] = 1;
            ++*entries;
        }
    const double sum = eliminate(K, n, m->nv);
    free(K);
    return sum;
}

/* The model of the text in that set. */
static mech open_in(const char *set) {
    mech m = mech_open(text);
    hol_data_free(m.data);
    hol_model_free(m.model);
    m.data = NULL;
    hol_spec *spec = hol_spec_new(m.ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    m.model = hol_model_compile(m.ctx, spec, set);
    assert_non_null(m.model);
    hol_spec_free(spec);
    return m;
}

/* Both counts of a mechanism with loops. Orderings of equal quality differ by a few percent; every
 * entry of M and A in relative coordinates is a product of two vectors of at most bw numbers, and a
 * link moves an inertia, 40 multiplications in space. */
static void check_counts(int n, int spatial, const char *joint) {
    double entries;
    write_links(n, spatial, joint, 1, "cheapest");
    mech chosen = open_in("cheapest"), reference = open_in("reference"),
         relative = open_in("relative");
    const hol__cost cost = chosen.model->cost;
    const double of_bodies = eliminate_model(reference.model, &entries) +
                             25.0 * (reference.model->nv + reference.model->m);
    if (fabs(cost.reference / of_bodies - 1) > 0.1)
        fail_msg("%d links: %g multiplications, and %g by elimination", n, cost.reference,
                 of_bodies);
    const double of_joints =
        eliminate_model(relative.model, &entries) + 25.0 * (relative.model->nv + relative.model->m);
    const double bw = relative.model->bw;
    if (hol__tree_prefers_root(relative.model)) /* neither entries nor elimination */
        assert_true(cost.relative < of_joints + entries);
    else if (cost.relative < of_joints + entries ||
             cost.relative > 1.1 * of_joints + 2 * bw * entries + 40.0 * n)
        fail_msg("%d links, relative: %g multiplications, and %g for %g entries by elimination", n,
                 cost.relative, of_joints, entries);
    assert_int_equal(chosen.model->tree != NULL, cost.relative < cost.reference);
    mech_close(&chosen);
    mech_close(&reference);
    mech_close(&relative);
}

static void test_counts(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    for (int n = 2; n <= 23; n += 7) {
        check_counts(n, 0, "revolute");
        check_counts(n, 1, "spherical");
    }
}

/* ---- what it decides ---- */

static int takes_relative(void) {
    mech m = mech_open(text);
    const int relative = m.model->tree != NULL;
    assert_true(m.model->cost.reference > 0 && m.model->cost.relative > 0);
    mech_close(&m);
    return relative;
}

/* Loops in the plane are cheaper by joints (measured from twelve to a thousand links, the long ones
 * by the root of M), loops of balls are not; open chains always are; a body that nothing holds is
 * not. */
static void test_choice(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    write_links(12, 0, "revolute", 1, "cheapest");
    assert_true(takes_relative());
    write_links(70, 0, "revolute", 1, "cheapest");
    assert_true(takes_relative());
    write_links(12, 1, "spherical", 1, "cheapest");
    assert_false(takes_relative());
    for (int n = 1; n <= 40; n += 13) {
        write_links(n, 0, "revolute", 0, "cheapest");
        assert_true(takes_relative());
        write_links(n, 1, "spherical", 0, "cheapest");
        assert_true(takes_relative());
    }
    used = 0;
    write("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  stone: {mass: 1.7, "
          "inertia: "
          "[0.3, 0.2, 0.4], velocity: [1, 2, 3]}\nsimulation: {coordinates: cheapest}\n");
    assert_false(takes_relative());
}

/* A simulation takes models that were chosen so, says what they cost, and refuses others. */
static void test_simulation(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    write_links(12, 0, "revolute", 1, "cheapest");
    mech m = mech_open(text);
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    hol_sim_info info = {.size = sizeof info};
    assert_non_null(sim);
    assert_int_equal(hol_sim_describe(sim, &info), HOL_OK);
    assert_true(strncmp(info.choice, "relative coordinates (an evaluation costs some ", 47) == 0);
    hol_sim_free(sim);
    mech_close(&m);
    m = open_in("natural");
    assert_null(hol_sim_new(m.ctx, m.model, m.options));
    assert_non_null(strstr(hol_message_get(m.ctx, hol_message_count(m.ctx) - 1)->text,
                           "the option coordinates 'cheapest' and a model in natural coordinates"));
    mech_close(&m);
}

/* Whether a simulation of the text says these words. */
static int says(const char *words) {
    mech m = mech_open(text);
    hol_sim *sim = hol_sim_new(m.ctx, m.model, m.options);
    int said = 0;
    assert_non_null(sim);
    for (int i = 0; i < hol_message_count(m.ctx); i++)
        said |= strstr(hol_message_get(m.ctx, i)->text, words) != NULL;
    hol_sim_free(sim);
    mech_close(&m);
    return said;
}

static int warns(void) {
    return says("works with full matrices: with 322 constraints in 480 velocities");
}

/* The kernel over multipliers is warned of where A W^-1 A^T fills up: over points that the links of
 * a chain share, and not over bodies of their own. */
static void test_filling(void **state) {
    static const char words[] = "the kernel 'schur' fills up: with 400 constraints in 800 "
                                "velocities";
    (void)state;
    if (!reads_yaml()) skip();
    write_links(400, 0, "revolute", 0, "natural, kernel: schur");
    assert_true(says(words));
    write_links(400, 0, "revolute", 0, "reference, kernel: schur");
    assert_false(says("fills up"));
    write_links(40, 0, "revolute", 0, "natural, kernel: schur");
    assert_false(says("fills up"));
}

/* Methods with full matrices are warned of where these are large, sparse ones are not. */
static void test_full_matrices(void **state) {
    static const struct {
        const char *method;
        int dense;
    } rows[] = {
        {"nullspace", 1}, {"projection", 1}, {"independent", 1}, {"canonical-independent", 1},
        {"lagrange", 0},  {"baumgarte", 0},  {"canonical", 0},   {"direct-correction", 0}};
    char set[64];
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(set, sizeof set, "reference, method: %s", rows[i].method);
        write_links(160, 0, "revolute", 1, set);
        if (warns() != rows[i].dense) fail_msg("%s", rows[i].method);
        write_links(30, 0, "revolute", 1, set);
        assert_false(warns());
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),     cmocka_unit_test(test_choice),
        cmocka_unit_test(test_simulation), cmocka_unit_test(test_full_matrices),
        cmocka_unit_test(test_filling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
