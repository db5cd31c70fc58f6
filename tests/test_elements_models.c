/* test_elements_models.c: the small models of models/elements: every element of the table, every
 * key and shape of bodies and every kind of gravity stands in one of them; each runs to its end
 * with its constraints and its energy kept; and each moves alike in reference and in relative
 * coordinates, with the same reactions.
 */
#include "model/element.h"
#include "model/model.h"
#include "model_fixture.h"

#include <dirent.h>

enum { MOST = 256 };

typedef struct folder {
    int n;
    char name[MOST][64]; /* "elements/screw" */
    hol_context *ctx[MOST];
    hol_spec *spec[MOST];
} folder;

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* The models of the folder, in the order of their names. */
static int open_folder(void **state) {
    folder *f = calloc(1, sizeof *f);
    DIR *dir = opendir(HOLONOM_TEST_MODELS "/elements");
    if (!f || !dir) return -1;
    for (struct dirent *e; (e = readdir(dir)) && f->n < MOST;) {
        const char *dot = strstr(e->d_name, ".yaml");
        if (!dot || dot[5]) continue;
        snprintf(f->name[f->n++], sizeof *f->name, "elements/%.*s", (int)(dot - e->d_name),
                 e->d_name);
    }
    closedir(dir);
    qsort(f->name, (size_t)f->n, sizeof *f->name, by_name);
    for (int i = 0; i < f->n; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, f->name[i]);
        f->ctx[i] = hol_context_new();
        f->spec[i] = hol_spec_new(f->ctx[i]);
        if (hol_spec_read_file(f->spec[i], path)) return -1;
    }
    *state = f;
    return 0;
}

static int close_folder(void **state) {
    folder *f = *state;
    for (int i = 0; i < f->n; i++) {
        hol_spec_free(f->spec[i]);
        hol_context_free(f->ctx[i]);
    }
    free(f);
    return 0;
}

/* ---- what they show ---- */

/* Whether the node is a map in which the key has that text (NULL: any value). */
static int has(const hol__node *node, const char *key, const char *text) {
    if (!node || node->kind != HOL__MAP) return 0;
    for (const hol__node *child = node->first; child; child = child->next)
        if (strcmp(child->key, key) == 0)
            return !text || (child->kind == HOL__SCALAR && strcmp(child->text, text) == 0);
    return 0;
}

/* Whether an item of the section has the key with that text in some model of the folder. */
static int shown(const folder *f, const char *section, const char *key, const char *text) {
    for (int i = 0; i < f->n; i++) {
        const hol__node *map = hol__node_get(f->spec[i]->root, section);
        for (const hol__node *item = map ? map->first : NULL; item; item = item->next)
            if (has(item, key, text)) return 1;
    }
    return 0;
}

static void test_every_element_is_shown(void **state) {
    const folder *f = *state;
    int missing = 0;
    for (int i = 0; element_doc(i).name; i++) {
        const hol_element_doc e = element_doc(i);
        if (shown(f, e.section, "type", e.name)) continue;
        print_error("%s: '%s' stands in no model of models/elements\n", e.section, e.name);
        missing++;
    }
    assert_int_equal(missing, 0);
}

/* Whether a body is made of that shape, alone or among others. */
static int shape_shown(const folder *f, const char *type) {
    for (int i = 0; i < f->n; i++) {
        hol__node *map = hol__node_get(f->spec[i]->root, "bodies");
        for (hol__node *body = map ? map->first : NULL; body; body = body->next) {
            const hol__node *shape = hol__node_get(body, "shape");
            if (has(shape, "type", type)) return 1;
            for (shape = shape && shape->kind == HOL__LIST ? shape->first : NULL; shape;
                 shape = shape->next)
                if (has(shape, "type", type)) return 1;
        }
    }
    return 0;
}

/* What a body can be; how it is drawn and how it is assembled belong to other tests. */
static void test_every_body_is_shown(void **state) {
    static const char *const keys[] = {"mass",     "inertia",    "inertia_at", "shape",
                                       "point",    "motion",     "com",        "along",
                                       "position", "orientation"};
    const folder *f = *state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!shown(f, "bodies", keys[i], NULL)) fail_msg("no body has '%s'", keys[i]);
    const char *const *shapes = hol__key_find(hol__shape_keys, "type")->choices;
    for (int i = 0; shapes[i]; i++) {
        const int body = strcmp(shapes[i], "mesh") != 0 && strcmp(shapes[i], "point") != 0;
        if (body && !shape_shown(f, shapes[i])) fail_msg("no body is a %s", shapes[i]);
    }
}

/* Uniform, changing in time, and of a centre. */
static void test_every_gravity_is_shown(void **state) {
    const folder *f = *state;
    int uniform = 0, time = 0, central = 0;
    for (int i = 0; i < f->n; i++) {
        const hol__node *g = hol__node_get(f->spec[i]->root, "gravity");
        if (!g) continue;
        central |= has(g, "mu", NULL);
        for (const hol__node *x = g->kind == HOL__LIST ? g->first : NULL; x; x = x->next)
            *(x->kind == HOL__SCALAR && strchr(x->text, '(') ? &time : &uniform) = 1;
    }
    assert_true(uniform && time && central);
}

/* ---- how they run ---- */

/* Corrections stop at 1e-13 m or below and 1e-12 m/s; rounding adds some 1e-15 of the largest
 * length and speed, which is 7e6 m and 9e3 m/s for the satellite (which has no constraint but its
 * orientation). The energy balance closes to what a tolerance of 1e-7 at the worst lets through in
 * some hundred steps. */
static void test_each_runs(void **state) {
    const folder *f = *state;
    for (int i = 0; i < f->n; i++) {
        run r = run_open(f->name[i], NULL);
        const hol_sim_info info = run_whole(&r);
        if (hol_message_count(r.ctx)) {
            run_print_messages(r.ctx);
            fail_msg("%s has something to say", f->name[i]);
        }
        if (info.end != HOL_END_TIME) fail_msg("%s ends at %g s", f->name[i], info.t);
        if (!(info.max_position_violation < 1e-11 && info.max_velocity_violation < 1e-10))
            fail_msg("%s: violations %g m, %g m/s", f->name[i], info.max_position_violation,
                     info.max_velocity_violation);
        if (!(info.relative_energy_error < 1e-5))
            fail_msg("%s: energy error %g", f->name[i], info.relative_energy_error);
        if (!model_info(r.model).n_measures) fail_msg("%s measures nothing", f->name[i]);
        run_close(&r);
    }
}

/* ---- coordinates ---- */

/* The largest difference of the reactions that are unique, over the size of the largest. */
static double reactions_differ(run *a, run *b) {
    double worst = 0, size = 1;
    for (int j = 0; j < model_info(a->model).n_joints; j++) {
        const hol_reaction x = reaction_of(hol_sim_data(a->sim), j),
                           y = reaction_of(hol_sim_data(b->sim), j);
        if (!x.unique || !y.unique) continue;
        for (int k = 0; k < 3; k++) {
            size = fmax(size, fmax(fabs(x.force[k]), fabs(x.moment[k])));
            worst =
                fmax(worst, fmax(fabs(x.force[k] - y.force[k]), fabs(x.moment[k] - y.moment[k])));
        }
    }
    return worst / size;
}

/* The largest difference of the poses, lengths over the size of the largest. */
static double poses_differ(run *a, run *b) {
    double worst = 0, size = 1, turned = 0;
    for (int i = 0; i < a->model->nb; i++) {
        const hol_pose x = pose_at(hol_sim_data(a->sim), i), y = pose_at(hol_sim_data(b->sim), i);
        for (int k = 0; k < 3; k++) {
            size = fmax(size, fabs(x.r[k]));
            worst = fmax(worst, fabs(x.r[k] - y.r[k]));
        }
        for (int k = 0; k < 9; k++) turned = fmax(turned, fabs(x.R[k] - y.R[k]));
    }
    return fmax(worst / size, turned);
}

/* The model in a coordinate set; without a simulation where the set refuses it, which it has to
 * say. */
static run open_in(const char *file, const char *coordinates) {
    char path[1024];
    run r = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(r.ctx);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    assert_int_equal(hol_spec_read_file(spec, path), HOL_OK);
    assert_int_equal(hol_spec_set(spec, "coordinates", coordinates, "test"), HOL_OK);
    assert_int_equal(hol_spec_set(spec, "tolerance", "1e-9", "test"), HOL_OK);
    r.model = hol_model_from_spec(r.ctx, spec, &r.options);
    if (r.model) r.sim = hol_sim_new(r.ctx, r.model, r.options);
    hol_spec_free(spec);
    if (!r.sim && !hol_message_count_of(r.ctx, HOL_ERROR))
        fail_msg("%s is refused in %s coordinates without a word", file, coordinates);
    return r;
}

/* At the start both have the same poses and, to 1e-8, the same reactions; after the run the poses
 * agree to 1e-6, a thousand times the local error. 0 when the set refuses the model. */
static int check_agreement(const char *file, const char *coordinates) {
    char what[128];
    snprintf(what, sizeof what, "%s in %s coordinates", file, coordinates);
    run a = open_in(file, "reference"), b = open_in(file, coordinates);
    const int fits = b.sim != NULL;
    assert_non_null(a.sim);
    if (fits) {
        assert_int_equal(model_info(a.model).n_joints, model_info(b.model).n_joints);
        run_to(&a, 0);
        run_to(&b, 0);
        check_near(what, poses_differ(&a, &b), 0, 1e-12);
        check_near(what, reactions_differ(&a, &b), 0, 1e-8);
        run_whole(&a);
        run_whole(&b);
        check_near(what, poses_differ(&a, &b), 0, 1e-6);
    }
    run_close(&a);
    run_close(&b);
    return fits;
}

/* Every coordinate set of the options, against reference-point coordinates. Relative coordinates
 * take all of the models. */
static void test_coordinates_agree(void **state) {
    const folder *f = *state;
    const hol_option *sets = hol_option_find("coordinates");
    assert_non_null(sets);
    for (int k = 0; sets->choice(k); k++) {
        const char *set = sets->choice(k);
        int taken = 0;
        if (strcmp(set, "auto") == 0 || strcmp(set, "reference") == 0) continue;
        for (int i = 0; i < f->n; i++) taken += check_agreement(f->name[i], set);
        if (strcmp(set, "relative") == 0) assert_int_equal(taken, f->n);
        assert_true(taken > 0);
    }
}

int main(void) {
    if (!run_reads_files()) return skip_models();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_element_is_shown), cmocka_unit_test(test_every_body_is_shown),
        cmocka_unit_test(test_every_gravity_is_shown), cmocka_unit_test(test_each_runs),
        cmocka_unit_test(test_coordinates_agree),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
