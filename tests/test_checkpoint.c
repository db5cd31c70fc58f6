/* test_checkpoint.c: a run that goes on from a checkpoint is the run that was never stopped: the
 * same bytes in its result files, the same statistics, events and messages.
 *
 * Each case makes three runs: the whole one; one that writes a checkpoint before some step, makes
 * more steps and records, and is stopped; and one in other objects that reads the checkpoint and
 * goes on to the end.
 */
#define _GNU_SOURCE
#include "model_list.h"

#include "base/text.h"
#include "integ/stepper.h"
#include "scratch.h"

#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TEXT = 8192 };

/* ---- runs with result files ---- */

/* A run with its files, which writes a checkpoint before step `at` and stops before step `stop`. */
typedef struct course {
    run r;
    hol_writer *writers[2];
    int n;
    const char *stem;
    long pauses, at, stop;
} course;

/* The files that this build writes. */
static const char *file_of(int i, const char *stem, char *buf, size_t size) {
    snprintf(buf, size, "%s%s", stem, i ? ".h5" : ".csv");
    return buf;
}

static int n_files(void) {
    return built_with("hdf5") ? 2 : 1;
}

/* The files are opened with the first record, as the program does. */
static hol_status record(void *user, hol_sim *sim) {
    course *c = user;
    char path[64];
    hol_status status = HOL_OK;
    for (int i = 0; i < c->n && !c->writers[i]; i++) {
        c->writers[i] = hol_writer_open(sim, file_of(i, c->stem, path, sizeof path));
        assert_non_null(c->writers[i]);
    }
    for (int i = 0; i < c->n && !status; i++) status = hol_writer_record(c->writers[i]);
    return status;
}

static hol_status between(void *user, hol_sim *sim) {
    course *c = user;
    const long k = c->pauses++;
    static const hol_note notes[] = {{"first", "2.385"}, {"second", ""}};
    const hol_checkpoint_parts parts = {.size = sizeof parts,
                                        .n_writers = c->n,
                                        .writers = c->writers,
                                        .n_notes = 2,
                                        .notes = notes};
    const hol_status status =
        k == c->at ? hol_checkpoint_write(sim, "x.checkpoint", &parts) : HOL_OK;
    return k == c->stop && !status ? HOL_ERR_INTERRUPTED : status;
}

/* A run from its start; 0 where the model does not run with the settings. */
static int begin(course *c, const subject *s, const char *settings, const char *stem) {
    *c = (course){.r = open_subject(s, settings), .n = n_files(), .at = -1, .stop = -1};
    c->stem = stem;
    return c->r.sim != NULL;
}

/* To its end; the status. */
static hol_status go(course *c) {
    const hol_observer observer = {.on_output = record, .user = c};
    hol_sim_on_checkpoint(c->r.sim, between, c);
    const hol_status status = hol_sim_run(c->r.sim, &observer);
    for (int i = 0; i < c->n; i++) assert_int_equal(hol_writer_close(c->writers[i]), HOL_OK);
    return status;
}

/* The messages of a run in one text. */
static void said_by(const run *r, char *text) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < hol_message_count(hol_sim_context(r->sim)); i++) {
        char line[1024];
        hol_message_format(hol_message_get(hol_sim_context(r->sim), i), line, sizeof line);
        used += (size_t)snprintf(text + used, MOST_TEXT - used, "%s\n", line);
        if (used >= MOST_TEXT) return;
    }
}

/* ---- what must agree ---- */

static void check_file(const char *what, const char *a, const char *b) {
    char x[4096], y[4096];
    FILE *first = fopen(a, "rb"), *second = fopen(b, "rb");
    assert_non_null(first);
    if (!second) fail_msg("%s: there is no %s", what, b);
    size_t n, at = 0;
    do {
        n = fread(x, 1, sizeof x, first);
        const size_t m = fread(y, 1, sizeof y, second);
        if (n != m || memcmp(x, y, n) != 0) fail_msg("%s: %s differs near byte %zu", what, b, at);
        at += n;
    } while (n > 0);
    fclose(first);
    fclose(second);
}

static void check_statistics(const char *what, const run *whole, const run *resumed) {
    const hol_sim_info a = sim_info(whole->sim), b = sim_info(resumed->sim);
    const hol_statistic *row;
    for (int i = 0; (row = hol_statistic_get(i)); i++) {
        const hol_statistic_value x = hol_statistic_of(&a, i), y = hol_statistic_of(&b, i);
        if (strcmp(row->key, "wall_time") == 0) continue;
        const int same = x.count == y.count && x.list.n == y.list.n &&
                         memcmp(&x.real, &y.real, sizeof x.real) == 0 && (!x.text) == (!y.text) &&
                         (!x.text || strcmp(x.text, y.text) == 0) &&
                         (!x.list.n || memcmp(x.list.values, y.list.values,
                                              sizeof(double) * (size_t)x.list.n) == 0);
        if (!same)
            fail_msg("%s: %s is %.17g (%ld) instead of %.17g (%ld)", what, row->key, y.real,
                     y.count, x.real, x.count);
    }
}

/* Whether the model runs with the settings; where it does, it goes on as it should from the
 * checkpoint before step `at`, `more` steps before it was stopped. */
static int check(const subject *s, const char *settings, long at, long more) {
    static char wanted[MOST_TEXT], got[MOST_TEXT];
    char what[512], a[64], b[64];
    course whole, part;
    snprintf(what, sizeof what, "%s with %s, checkpoint before step %ld", s->name, settings, at);
    if (!begin(&whole, s, settings, "whole")) {
        run_close(&whole.r);
        return 0;
    }
    const hol_status ended = go(&whole);
    if (whole.pauses <= at + more) at = whole.pauses / 2, more = whole.pauses / 3;
    for (int i = 0; i < n_files(); i++) remove(file_of(i, "x", a, sizeof a));
    assert_true(begin(&part, s, settings, "x"));
    part.at = at, part.stop = at + more;
    assert_int_equal(go(&part), HOL_ERR_INTERRUPTED);
    run_close(&part.r);

    course resumed = {.r = open_subject(s, settings), .n = n_files(), .at = -1, .stop = -1};
    hol_checkpoint *from = hol_checkpoint_read(resumed.r.ctx, "x.checkpoint");
    assert_non_null(from);
    if (hol_checkpoint_load(from, resumed.r.sim)) {
        run_print_messages(resumed.r.ctx);
        fail_msg("%s: it is not loaded", what);
    }
    for (int i = 0; i < resumed.n; i++) {
        resumed.writers[i] = hol_checkpoint_writer(from, resumed.r.sim, i, NULL);
        if (!resumed.writers[i]) run_print_messages(resumed.r.ctx);
        assert_non_null(resumed.writers[i]);
    }
    hol_checkpoint_free(from);
    if (go(&resumed) != ended) fail_msg("%s: it ends otherwise", what);
    check_statistics(what, &whole.r, &resumed.r);
    for (int i = 0; i < resumed.n; i++)
        check_file(what, file_of(i, "whole", a, sizeof a), file_of(i, "x", b, sizeof b));
    said_by(&whole.r, wanted);
    said_by(&resumed.r, got);
    if (strcmp(wanted, got) != 0) fail_msg("%s: it said\n%sinstead of\n%s", what, got, wanted);
    run_close(&whole.r);
    run_close(&resumed.r);
    return 1;
}

/* ---- over all ---- */

static void test_methods(void **unused) {
    static const subject models[] = {{.name = "four_bar"}, {.name = "slider_crank_spatial"}};
    (void)unused;
    int ran = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < N_SETS; i++)
            for (int j = 0; hol_method_get(j); j++) {
                char settings[256];
                const int fixed = (i + j) % 2;
                set_now = sets[i];
                if (!belongs(hol_method_get(j)->name)) continue;
                snprintf(settings, sizeof settings,
                         "coordinates=%s method=%s end=0.05 output=0.004 %s%s", set_now,
                         hol_method_get(j)->name, fixed ? "step=1e-3" : "tolerance=1e-6",
                         (i + j) % 3 ? "" : " output_mode=dense");
                ran += check(&models[k], settings, 5 + j % 3, 4);
            }
    assert_true(ran > 60);
}

static void test_integrators(void **unused) {
    static const subject model = {.name = "four_bar"};
    (void)unused;
    int ran = 0;
    set_now = "reference";
    for (int i = 0; part_doc(i).name; i++)
        for (int fixed = 0; fixed < 2; fixed++) {
            char settings[256];
            if (strcmp(part_doc(i).part, "integrator") != 0) continue;
            /* a history of steps is not saved, and that is said */
            if (hol__stepper_find(part_doc(i).name)->paces) continue;
            snprintf(settings, sizeof settings,
                     "coordinates=reference integrator=%s end=0.06 output=%s %s", part_doc(i).name,
                     fixed ? "steps" : "0.005", fixed ? "step=1e-3" : "tolerance=1e-6");
            ran += check(&model, settings, 4, 7);
        }
    print_message("%d runs\n", ran);
    assert_true(ran >= 16);
}

/* Joints and forces that take hold and let go, contacts, corners, singular positions, a stop, dead
 * points, and the runs of tolerance_kind: end. */
static void test_events(void **unused) {
    static const struct {
        const char *model, *settings;
        long at, more;
    } cases[] = {
        {"lift_off", "end=1 output=0.01 tolerance=1e-6", 40, 9},
        {"clutch", "end=2 output=0.02 tolerance=1e-7", 12, 30},
        {"elements/contact_plane", "end=0.6 output=0.01 tolerance=1e-6", 30, 20},
        {"a02_two_four_bar", "end=3 tolerance=1e-6 output=0.02", 60, 40},
        {"a02_two_four_bar", "end=3 tolerance=1e-6 output=0.02", 100, 1},
        {"a01_simple_pendulum", "end=0.5 output=0.01 tolerance_kind=end tolerance=1e-6", 10, 5},
        {"bicycle", "end=0.2 output=0.01 tolerance=1e-6", 5, 5},
        {"heavy_top", "end=0.05 output=0.001 tolerance=1e-6", 7, 5},
    };
    (void)unused;
    set_now = "auto";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const subject s = {.name = cases[i].model};
        assert_true(check(&s, cases[i].settings, cases[i].at, cases[i].more));
    }
}

static void test_stop(void **unused) {
    static const char text[] = "holonom: 1\ninclude: four_bar.yaml\nmeasures:\n"
                               "  turn: {type: angle, body: crank}\nstop_when: turn > 1.2\n";
    static const subject s = {.name = "four_bar that stops", .text = text};
    (void)unused;
    set_now = "auto";
    assert_true(check(&s, "end=9 output=0.01 tolerance=1e-6", 10, 5));
}

/* Every row of a thousand, stopped at every checkpoint of a short run. */
static void test_every_step(void **unused) {
    static const subject s = {.name = "four_bar"};
    (void)unused;
    set_now = "auto";
    for (long at = 0; at < 24; at++)
        assert_true(check(&s, "end=0.03 output=0.001 tolerance=1e-7", at, at % 5));
}

/* ---- what is refused ---- */

/* A run with a checkpoint, stopped. */
static void make_checkpoint(const char *model, const char *settings) {
    course c;
    char path[64];
    const subject s = {.name = model};
    for (int i = 0; i < n_files(); i++) remove(file_of(i, "x", path, sizeof path));
    assert_true(begin(&c, &s, settings, "x"));
    c.at = 12, c.stop = 15;
    assert_int_equal(go(&c), HOL_ERR_INTERRUPTED);
    run_close(&c.r);
}

/* The checkpoint is refused by a run of the model, with these words. */
static void refused(const char *model, const char *settings, const char *words) {
    const subject s = {.name = model};
    run r = open_subject(&s, settings);
    assert_non_null(r.sim);
    const double t = hol_data_time(hol_sim_data(r.sim));
    hol_checkpoint *from = hol_checkpoint_read(r.ctx, "x.checkpoint");
    assert_non_null(from);
    assert_int_equal(hol_checkpoint_load(from, r.sim), HOL_ERR_INPUT);
    if (!said(r.ctx, words)) run_print_messages(r.ctx);
    assert_true(said(r.ctx, words));
    assert_true(hol_data_time(hol_sim_data(r.sim)) == t);
    hol_checkpoint_free(from);
    run_close(&r);
}

/* The whole checkpoint in memory. */
static unsigned char *load_file(const char *path, size_t *n) {
    struct stat about;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &about), 0);
    *n = (size_t)about.st_size;
    unsigned char *bytes = malloc(*n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    fclose(file);
    return bytes;
}

static void save_file(const char *path, const unsigned char *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

/* The checksum of changed bytes, as the library has it. */
static void seal(unsigned char *bytes, size_t n) {
    const unsigned long long sum = hol__hash(HOL__HASH_START, bytes, n - 8);
    for (int i = 0; i < 8; i++) bytes[n - 8 + (size_t)i] = (unsigned char)(sum >> 8 * i);
}

static void test_refused(void **unused) {
    (void)unused;
    set_now = "auto";
    make_checkpoint("four_bar", "end=1 output=0.01");
    refused("four_bar", "end=1 output=0.01 bodies.crank.mass=1.00001", "has changed since");
    refused("four_bar", "end=1 output=0.01 method=lagrange", "a run with method: auto");
    refused("four_bar", "end=1 output=0.01 tolerance=1e-7", "tolerance");
    size_t n;
    unsigned char *bytes = load_file("x.checkpoint", &n);
    /* another version, by the text of the version behind the mark and the length */
    unsigned char *version = memmem(bytes, n, hol_version(), strlen(hol_version()));
    assert_non_null(version);
    version[0] ^= 1;
    seal(bytes, n);
    save_file("x.checkpoint", bytes, n);
    refused("four_bar", "end=1 output=0.01", "written by holonom");
    version[0] ^= 1;
    /* another build of the same version */
    version[strlen(hol_version()) + 8] ^= 1;
    seal(bytes, n);
    save_file("x.checkpoint", bytes, n);
    refused("four_bar", "end=1 output=0.01", "of another build");
    free(bytes);
}

/* A byte that is wrong, anywhere, and a file that is cut, anywhere: refused. */
static void test_damage(void **unused) {
    (void)unused;
    set_now = "auto";
    make_checkpoint("four_bar", "end=1 output=0.01");
    size_t n;
    unsigned char *bytes = load_file("x.checkpoint", &n);
    hol_context *ctx = hol_context_new();
    for (size_t i = 0; i < n; i += 1 + n / 211) {
        bytes[i] ^= (unsigned char)(1u << i % 8);
        save_file("y.checkpoint", bytes, n);
        hol_message_clear(ctx);
        assert_null(hol_checkpoint_read(ctx, "y.checkpoint"));
        assert_int_equal(hol_message_count_of(ctx, HOL_ERROR), 1);
        bytes[i] ^= (unsigned char)(1u << i % 8);
        save_file("y.checkpoint", bytes, i);
        assert_null(hol_checkpoint_read(ctx, "y.checkpoint"));
    }
    save_file("y.checkpoint", bytes, n);
    hol_checkpoint *whole = hol_checkpoint_read(ctx, "y.checkpoint");
    assert_non_null(whole);
    hol_checkpoint_info info = {.size = sizeof info};
    assert_int_equal(hol_checkpoint_describe(whole, &info), HOL_OK);
    assert_int_equal(info.n_files, n_files());
    assert_int_equal(info.n_notes, 2);
    assert_int_equal(info.steps, 12);
    assert_true(info.t > 0 && info.t < 1);
    assert_string_equal(hol_checkpoint_file(whole, 0), "x.csv");
    assert_string_equal(hol_checkpoint_note(whole, 0)->value, "2.385");
    assert_string_equal(hol_checkpoint_note(whole, 1)->key, "second");
    hol_checkpoint_free(whole);
    hol_context_free(ctx);
    free(bytes);
}

/* Files that do not hold the rows: changed, cut, gone, or being written. */
static void test_files(void **unused) {
    (void)unused;
    const subject s = {.name = "four_bar"};
    const char *settings = "end=1 output=0.01";
    set_now = "auto";
    make_checkpoint("four_bar", settings);
    run r = open_subject(&s, settings);
    hol_checkpoint *from = hol_checkpoint_read(r.ctx, "x.checkpoint");
    assert_int_equal(hol_checkpoint_load(from, r.sim), HOL_OK);
    size_t n;
    unsigned char *bytes = load_file("x.csv", &n);
    unsigned char *digit = memchr(memchr(bytes, '\n', n), '5', n / 2);
    assert_non_null(digit);
    *digit = '6';
    save_file("x.csv", bytes, n);
    assert_null(hol_checkpoint_writer(from, r.sim, 0, NULL));
    assert_true(said(r.ctx, "does not hold the"));
    *digit = '5';
    save_file("x.csv", bytes, n / 3);
    assert_null(hol_checkpoint_writer(from, r.sim, 0, NULL));
    remove("x.csv");
    assert_null(hol_checkpoint_writer(from, r.sim, 0, NULL));
    assert_true(said(r.ctx, "No such file"));
    save_file("x.csv", bytes, n);
    /* two that go on with one file */
    hol_writer *first = hol_checkpoint_writer(from, r.sim, 0, NULL);
    assert_non_null(first);
    assert_null(hol_checkpoint_writer(from, r.sim, 0, NULL));
    assert_true(said(r.ctx, "is writing it"));
    /* given up, the records are there, and it goes on with them */
    hol_writer_discard(first);
    first = hol_checkpoint_writer(from, r.sim, 0, NULL);
    assert_non_null(first);
    assert_int_equal(access("x.resumed.part.csv", F_OK), -1);
    hol_writer_discard(first);
    remove("x.part.csv");
    if (built_with("hdf5")) {
        unsigned char *h5 = load_file("x.h5", &n);
        save_file("x.h5", h5, n / 2);
        assert_null(hol_checkpoint_writer(from, r.sim, 1, NULL));
        assert_true(said(r.ctx, "cannot read"));
        save_file("x.h5", h5, n);
        free(h5);
        /* by a simulation that was not loaded from it: of another model, or without extremes */
        const subject swinging = {.name = "pendulum"};
        run wrong = open_subject(&swinging, settings);
        assert_null(hol_checkpoint_writer(from, wrong.sim, 1, NULL));
        assert_true(said(wrong.ctx, "is damaged or missing"));
        run_close(&wrong);
        wrong = open_subject(&s, "end=1 output=0.01 extremes=off");
        assert_null(hol_checkpoint_writer(from, wrong.sim, 1, NULL));
        assert_true(said(wrong.ctx, "the checkpoint has other columns of"));
        run_close(&wrong);
        /* a result of another run */
        course other;
        assert_true(begin(&other, &s, "end=1 output=0.01 bodies.crank.mass=1.01", "x"));
        assert_int_equal(go(&other), HOL_OK);
        run_close(&other.r);
        assert_null(hol_checkpoint_writer(from, r.sim, 1, NULL));
        assert_true(said(r.ctx, "does not hold the"));
    }
    free(bytes);
    hol_checkpoint_free(from);
    run_close(&r);
}

/* A checkpoint that cannot be written leaves the older one, and the run goes on. */
static void test_unwritable(void **unused) {
    (void)unused;
    const subject s = {.name = "four_bar"};
    set_now = "auto";
    make_checkpoint("four_bar", "end=1 output=0.01");
    size_t n, m;
    unsigned char *before = load_file("x.checkpoint", &n);
    assert_int_equal(mkdir("x.part.checkpoint", 0777), 0);
    run r = open_subject(&s, "end=1 output=0.01");
    assert_int_equal(hol_checkpoint_write(r.sim, "x.checkpoint", NULL), HOL_ERR_IO);
    assert_true(said(r.ctx, "cannot write 'x.checkpoint'"));
    unsigned char *after = load_file("x.checkpoint", &m);
    assert_int_equal(n, m);
    assert_memory_equal(before, after, n);
    assert_int_equal(rmdir("x.part.checkpoint"), 0);
    assert_int_equal(hol_checkpoint_write(r.sim, "x.checkpoint", NULL), HOL_OK);
    free(before);
    free(after);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_step),  cmocka_unit_test(test_methods),
        cmocka_unit_test(test_integrators), cmocka_unit_test(test_events),
        cmocka_unit_test(test_stop),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_damage),      cmocka_unit_test(test_files),
        cmocka_unit_test(test_unwritable),
    };
    if (!run_reads_files()) return skip_models();
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
