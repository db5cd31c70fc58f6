/* test_coordinates.c: every model of models/ in every set of coordinates against reference-point
 * coordinates.
 *
 * Both runs go from instant to instant. At each they must have the same poses, velocities and
 * energies to the tolerance of the integration; then the run in the other coordinates is put to the
 * bodies' state of the reference, and must give the same accelerations and the same unique
 * reactions to 1e-8 of the largest; from there both go on. A set may refuse a model, with a reason.
 *
 * A new set of coordinates is a word in `sets`, a new model file is found by itself.
 */
#define _POSIX_C_SOURCE 200809L
#include "model_fixture.h"

#include "dyn/data.h"

#include <dirent.h>

static const char *const sets[] = {"relative", "natural"};
enum { N_SETS = sizeof sets / sizeof *sets, INSTANTS = 3, MOST_FILES = 200, MOST_NUMBERS = 8192 };

/* Most models show their motion within half a second; these are faster, or start to spread errors,
 * or cost more. rough: a factor on the bounds of motions. A ball on a floor: impacts of
 * milliseconds, with friction that changes over within 5 mm/s, spread errors by two digits more. */
static const struct span {
    const char *file;
    double end, rough;
} spans[] = {
    {"a03_andrews", 0.012, 1}, {"a02_forty_four_bar", 0.06, 1},
    {"iltis_corner", 0.12, 1}, {"iltis_corner_links", 0.12, 1},
    {"heavy_top", 0.1, 1},     {"elements/contact_plane", 0.5, 100},
};

static struct span span_of(const char *file) {
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (strcmp(spans[i].file, file) == 0) return spans[i];
    return (struct span){file, 0.5, 1};
}

/* ---- files ---- */

typedef struct files {
    char name[MOST_FILES][128];
    int count;
} files;

/* The model files of a folder under models/, by name without ".yaml". */
static void find_files(const char *folder, files *out) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, folder);
    DIR *dir = opendir(path);
    if (!dir) return;
    for (struct dirent *e; (e = readdir(dir));) {
        const char *end = strstr(e->d_name, ".yaml");
        if (!end || end[5]) continue;
        assert_true(out->count < MOST_FILES);
        snprintf(out->name[out->count++], sizeof out->name[0], "%s%.*s", folder,
                 (int)(end - e->d_name), e->d_name);
    }
    closedir(dir);
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* A model in a set of coordinates; sim is NULL where that is refused, and then a message says
 * why. */
static run open_in(const char *file, const char *set) {
    char path[1024];
    run r = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(r.ctx);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    hol_status status = hol_spec_read_file(spec, path);
    if (!status) status = hol_spec_set(spec, "coordinates", set, "test");
    if (!status) status = hol_spec_set(spec, "tolerance", "1e-10", "test");
    if (!status) status = hol_spec_set(spec, "method", "auto", "test");
    if (!status) r.model = hol_model_from_spec(r.ctx, spec, &r.options);
    if (r.model) r.sim = hol_sim_new(r.ctx, r.model, r.options);
    hol_spec_free(spec);
    return r;
}

/* ---- what is compared ---- */

typedef struct numbers {
    double x[MOST_NUMBERS];
    int n;
} numbers;

static void add(numbers *to, const double *x, int n) {
    assert_true(to->n + n <= MOST_NUMBERS);
    memcpy(to->x + to->n, x, sizeof(double) * (size_t)n);
    to->n += n;
}

static void poses_of(run *r, numbers *out) {
    out->n = 0;
    for (int i = 0; i < r->model->nb; i++) {
        const hol_pose p = pose_at(hol_sim_data(r->sim), i);
        add(out, p.r, 3);
        add(out, p.R, 9);
    }
}

static void twists_of(run *r, numbers *out) {
    out->n = 0;
    for (int i = 0; i < r->model->nb; i++) {
        const hol_twist v = twist_at(hol_sim_data(r->sim), i);
        add(out, v.v, 3);
        add(out, v.omega, 3);
    }
}

/* Energies, with the work since it was `before`. */
static void energies_of(run *r, double before, numbers *out) {
    const hol_energy e = energy_of(hol_sim_data(r->sim));
    out->n = 0;
    add(out, (const double[]){e.kinetic, e.potential, e.work - before}, 3);
}

static void accelerations_of(run *r, numbers *out) {
    out->n = 0;
    hol_data *data = hol_sim_data(r->sim);
    hol__data_accelerations(data);
    add(out, data->acc, r->model->bw * r->model->nb);
}

/* Reactions of the joints, where both runs say that they are unique; in the others 0. */
static void reactions_of(run *r, run *other, numbers *out) {
    out->n = 0;
    for (int j = 0; j < r->model->n_joints; j++) {
        hol_reaction f = reaction_of(hol_sim_data(r->sim), j);
        const hol_reaction g = reaction_of(hol_sim_data(other->sim), j);
        if (!f.unique || !g.unique) f = (hol_reaction){0};
        add(out, f.force, 3);
        add(out, f.moment, 3);
        add(out, f.point, 3);
    }
}

/* The largest difference over the largest number, or over least. */
static double apart(const numbers *a, const numbers *b, double least) {
    double most = 0, size = least;
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < a->n; i++) {
        const double d = fabs(a->x[i] - b->x[i]);
        most = isnan(d) ? INFINITY : fmax(most, d);
        size = fmax(size, fabs(a->x[i]));
    }
    return most / size;
}

static int failures;

/* All failures are shown, then the test fails. */
static void check(const char *file, const char *set, const char *what, double t, const numbers *a,
                  const numbers *b, double least, double bound) {
    const double off = apart(a, b, least);
    if (!(off <= bound))
        print_error(
            "%s in %s coordinates at t = %g: %s differ by %.3g of the largest, allowed %.3g\n",
            file, set, t, what, off, bound),
            failures++;
}

/* ---- the runs ---- */

/* Put the bodies of a run to where those of the reference are; full turns that the run has taken
 * out of its angles stay out. */
static void follow(const char *file, run *r, run *reference) {
    const hol_model *m = hol_data_model(hol_sim_data(r->sim)); /* of the joints that act now */
    hol_data *from = hol_sim_data(reference->sim);
    double *q = calloc((size_t)(m->nq + m->nv) + 1, sizeof *q), *v = q + m->nq;
    hol__body2 *b2 = calloc((size_t)m->nb + 1, sizeof *b2);
    hol_data_update(from, HOL_STAGE_VEL);
    for (int i = 0; from->bodies.b2 && i <= m->nb; i++) {
        b2[i] = from->bodies.b2[i];
        b2[i].theta -= hol_sim_data(r->sim)->bodies.b2[i].turn;
    }
    m->coords->maps->from_bodies(m, &(hol__bodies){from->bodies.b2 ? b2 : NULL, from->bodies.b3}, q,
                                 v);
    free(b2);
    /* states and memories of elements do not depend on the coordinates */
    hol_data *data = hol_sim_data(r->sim);
    if (m->n_aux) hol__data_set_aux(data, from->aux);
    memcpy(data->memory, from->memory, sizeof(double) * (size_t)m->n_memory);
    if (hol_sim_restart(r->sim, hol_data_time(from), q, v)) {
        run_print_messages(r->ctx);
        fail_msg("%s cannot start at t = %g", file, hol_data_time(from));
    }
    run_to(r, hol_data_time(from));
    free(q);
}

/* Errors of 1e-10 a step spread along a motion by two or three decimal digits; accelerations and
 * reactions at one and the same state differ by rounding times the condition of the equations. */
static void compare(const char *file, const char *set, run *a, run *b, double t, double *work) {
    static numbers x, y;
    const double rough = span_of(file).rough;
    poses_of(a, &x), poses_of(b, &y);
    check(file, set, "poses", t, &x, &y, 1, 1e-7 * rough);
    twists_of(a, &x), twists_of(b, &y);
    check(file, set, "velocities", t, &x, &y, 1, 1e-6 * rough);
    energies_of(a, *work, &x), energies_of(b, 0, &y);
    check(file, set, "energies", t, &x, &y, 1, 1e-6);
    /* a run that starts anew counts work anew */
    follow(file, b, a);
    *work = energy_of(hol_sim_data(a->sim)).work;
    energies_of(a, *work, &x), energies_of(b, 0, &y);
    check(file, set, "energies at one state", t, &x, &y, 1, 1e-8);
    accelerations_of(a, &x), accelerations_of(b, &y);
    check(file, set, "accelerations", t, &x, &y, 1, 1e-8);
    reactions_of(a, b, &x), reactions_of(b, a, &y);
    check(file, set, "reactions", t, &x, &y, 1, 1e-8);
}

/* Whether it ran; a refusal must say why. */
static int compare_model(const char *file, const char *set) {
    run a = open_in(file, "reference"), b = open_in(file, set);
    if (!a.sim) {
        run_print_messages(a.ctx);
        fail_msg("%s does not run", file);
    }
    const int runs = b.sim != NULL;
    if (!runs) {
        assert_true(hol_message_count_of(b.ctx, HOL_ERROR) > 0);
        print_message("%s in %s coordinates: refused\n", file, set);
    }
    double work = 0;
    for (int k = 0; runs && k <= INSTANTS; k++) {
        const double t = k * span_of(file).end / INSTANTS;
        run_to(&a, t);
        run_to(&b, t);
        compare(file, set, &a, &b, t, &work);
    }
    run_close(&a);
    run_close(&b);
    return runs;
}

static void compare_folder(const char *folder, int least) {
    static files found;
    found.count = failures = 0;
    find_files(folder, &found);
    assert_true(found.count >= least);
    qsort(found.name, (size_t)found.count, sizeof found.name[0], by_name);
    for (int k = 0; k < N_SETS; k++) {
        int ran = 0;
        for (int i = 0; i < found.count; i++) ran += compare_model(found.name[i], sets[k]);
        assert_true(ran >= least);
    }
    assert_int_equal(failures, 0);
}

static void test_models(void **state) {
    (void)state;
    compare_folder("", 16);
}

static void test_elements(void **state) {
    (void)state;
    compare_folder("elements/", 40);
}

/* One constraint of Bricard's mechanism is redundant and no reaction unique; the warning says so by
 * the joints in every set. */
static void test_warning_of_open_reactions(void **state) {
    static const char *const all[] = {"reference", "natural", "relative"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        run r = open_in("a04_bricard", all[i]);
        int found = 0;
        for (int k = 0; k < hol_message_count(r.ctx); k++)
            found |= strstr(hol_message_get(r.ctx, k)->text,
                            "(joints 'J1', 'J2', 'J3', 'J4', 'J5', 'J6')") != NULL;
        if (!found) fail_msg("%s: the joints are not named", all[i]);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_warning_of_open_reactions),
    };
    return run_tests_of_models("coordinates", tests);
}
