/* test_study_crew.c: the pieces in which cases are taken cover all of them once, whoever takes
 * them, and end as single cases; processes that are killed at any instant are replaced and lose
 * nothing; a case that kills its processes, or that never comes back, is recorded, and the others
 * are there. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/agenda.h"
#include "study/random.h"

#include <holonom/study.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- pieces ---- */

/* Of n cases for P takers: each place once and in order; no piece above a quarter of a fair share
 * of what is left, none longer than the one before; single cases when fewer than 8 P are left; and
 * so many fetches as the page says. */
static void pieces(void **unused) {
    static const long long sizes[] = {1, 2, 7, 100, 4096, 99991, 10000000};
    static const int takers[] = {1, 2, 3, 7, 64, 10000};
    (void)unused;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof takers / sizeof *takers; j++) {
            const long long n = sizes[i], P = takers[j];
            const hol__agenda a = {.n = n, .takers = P};
            long long at = 0, k = 0, before = n;
            for (;; k++) {
                const hol__piece_of p = hol__agenda_piece(&a, k);
                if (p.begin == p.end) break;
                const long long length = p.end - p.begin;
                assert_true(p.begin == at);
                assert_true(length == 1 || 4 * P * length <= n - at + P * length);
                assert_true(length <= before && (n - at > 6 * P || length == 1));
                before = length;
                at = p.end;
            }
            assert_true(at == n);
            const double most = n > 8 * P ? log((double)n / (8.0 * (double)P)) / log(4.0 / 3) : 0;
            assert_true((double)k <= (double)P * (most + 10));
            /* far behind the last there is nothing */
            assert_true(hol__agenda_piece(&a, k + 12345).begin == n);
        }
}

/* Rates that differ by up to four, cases whose times are spread over a decade: takers that fetch
 * these pieces end within one of the slowest cases of each other, whatever their rates. */
static void ends_together(void **unused) {
    enum { P = 16, N = 40000 };
    const hol__agenda a = {.n = N, .takers = P};
    (void)unused;
    for (uint64_t seed = 1; seed < 20; seed++) {
        double clock[P] = {0}, rate[P], slowest = 0, first = INFINITY, last = 0;
        for (int t = 0; t < P; t++)
            rate[t] = 1 + 3 * hol__unit_number(hol__bits_at(seed, 1, (uint64_t)t));
        for (long long i = 0;; i++) {
            int t = 0;
            for (int k = 1; k < P; k++)
                if (clock[k] < clock[t]) t = k;
            const hol__piece_of p = hol__agenda_piece(&a, i);
            if (p.begin == p.end) break;
            for (long long k = p.begin; k < p.end; k++) {
                const double time =
                    pow(10, hol__unit_number(hol__bits_at(seed, 2, (uint64_t)k))) / rate[t];
                clock[t] += time;
                slowest = fmax(slowest, time);
            }
        }
        for (int t = 0; t < P; t++) {
            first = fmin(first, clock[t]);
            last = fmax(last, clock[t]);
        }
        assert_true(last - first <= slowest);
    }
}

/* ---- memory ---- */

static const char pendulum[] =
    "holonom: 1\nname: pendulum\nspace: planar\ngravity: [0, -9.81]\nparameters: {L: 0.9, a0: "
    "0.6}\n"
    "bodies:\n  bob: {mass: 1.3, inertia: 1e-9, position: [L*sin(a0), -L*cos(a0)]}\n"
    "joints:\n  rod: {type: distance, bodies: [ground, bob], from: [0, 0], to: [L*sin(a0), "
    "-L*cos(a0)], length: L}\n"
    "measures: {v: {type: velocity, body: bob, component: x}}\n"
    "simulation: {end: 0.7, tolerance: 1e-6}\n";

static void *count(void *user, size_t size) {
    ++*(long *)user;
    return malloc(size);
}

static void give_back(void *user, void *block) {
    (void)user;
    free(block);
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* One case after the other: what the first two have taken serves all others. */
static void no_allocation(void **unused) {
    static const char text[] =
        "model: pendulum.yaml\nfactors: {L: {mean: 1.1, deviation: 0.1}, a0: {from: 0.1, to: 1}}\n"
        "design: sobol\ncases: 40\nresponses: {a: end v, b: max v, c: integral v, d: at 0.3 v, "
        "e: when v < 0}\n";
    long taken = 0;
    double goals[5];
    hol__outcome out = {.goals = goals};
    const hol_allocator counter = {count, give_back, &taken};
    hol_context *ctx = hol_context_new(), *counted = hol_context_new_with(&counter);
    (void)unused;
    write_file("pendulum.yaml", pendulum);
    hol_study *study = hol_study_read_text(ctx, text, "test.yaml");
    assert_non_null(study);
    hol__bench *bench = hol__bench_new(counted, study);
    for (int k = 0; k < 40; k++) {
        const long before = taken;
        assert_int_equal(hol__bench_run(bench, k, NULL, &out), HOL_OK);
        assert_int_equal(out.state, HOL__CASE_DONE);
        assert_true(k < 2 || taken == before);
    }
    assert_true(taken > 50);
    hol__bench_free(bench);
    hol_study_free(study);
    hol_context_free(counted);
    hol_context_free(ctx);
}

/* ---- processes ---- */

/* A process that this one has started, by the system's list; 0: none, or not at most so many. */
static pid_t child(unsigned which, unsigned most) {
    char path[64];
    long found[64];
    unsigned n = 0;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)gettid());
    FILE *file = fopen(path, "r");
    while (file && n < 64 && fscanf(file, "%ld", &found[n]) == 1) n++;
    if (file) fclose(file);
    return n && n <= most ? (pid_t)found[which % n] : 0;
}

/* Whether the system lists processes so. */
static int lists_children(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)gettid());
    return access(path, R_OK) == 0;
}

/* Signals for whichever process is there, when so many cases are done or have been looked at. */
typedef struct killer {
    int signal, left;
    long long from; /* cases that are done before the first */
    unsigned most;  /* processes that are there */
    unsigned state;
    pid_t last, seen; /* the process that was killed last, and the one that was there at this … */
    double since;     /* … time and since; it is killed when it has had so many seconds */
    double patience;
} killer;

static hol_status attack(void *user, const hol_study_state *state) {
    killer *k = user;
    const pid_t process = state->done >= k->from ? child(k->state++, k->most) : 0;
    if (process != k->seen) k->since = state->elapsed;
    k->seen = process;
    if (!process || process == k->last || !k->left || state->elapsed < k->since + k->patience)
        return HOL_OK;
    k->last = process;
    k->left--;
    return kill(process, k->signal) ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* The answer of a study with so many processes. */
static hol_answer *answer_of(hol_context *ctx, const char *text, hol_study_options *o,
                             hol_study **study) {
    hol_answer *answer = NULL;
    o->size = sizeof *o;
    *study = hol_study_read_text(ctx, text, "test.yaml");
    for (int i = 0; !*study && i < hol_message_count(ctx); i++)
        print_message("%s\n", hol_message_get(ctx, i)->text);
    assert_non_null(*study);
    const hol_status status = hol_study_run(*study, o, &answer);
    for (int i = 0; status && i < hol_message_count(ctx); i++)
        print_message("%s\n", hol_message_get(ctx, i)->text);
    assert_int_equal(status, HOL_OK);
    assert_non_null(answer);
    return answer;
}

static hol_table table_of(const hol_answer *answer, const char *name) {
    hol_table t = {.size = sizeof t};
    assert_int_equal(hol_answer_table(answer, hol_answer_find(answer, name), &t), HOL_OK);
    return t;
}

static const char many[] = "model: pendulum.yaml\nfactors:\n  L: {mean: 1.1, deviation: 0.1}\n"
                           "  a0: {from: 0.1, to: 1}\ndesign: latin-hypercube\ncases: 3000\n"
                           "responses: {last: end v, top: max v}\n";

/* The bits of threads, by 1, 2, 3 and 7 processes that are killed ten times. */
static void killed(void **unused) {
    hol_context *ctx = hol_context_new();
    hol_study *study, *other;
    hol_study_options o = {.threads = 2};
    (void)unused;
    if (!lists_children()) skip();
    write_file("pendulum.yaml", pendulum);
    hol_answer *whole = answer_of(ctx, many, &o, &study);
    const hol_table wanted = table_of(whole, "cases");
    assert_true(wanted.rows == 3000 && hol_answer_value(whole, "failed") == 0);
    for (int n = 1; n < 8; n += n == 3 ? 4 : 1) {
        killer k = {.signal = SIGKILL, .left = 10, .from = 1, .most = 64, .state = (unsigned)n};
        o = (hol_study_options){.processes = n, .on_progress = attack, .user = &k};
        hol_answer *answer = answer_of(ctx, many, &o, &other);
        const hol_table t = table_of(answer, "cases");
        assert_true(k.left == 0);
        assert_true(t.rows == wanted.rows && t.columns == wanted.columns);
        assert_memory_equal(t.values, wanted.values,
                            sizeof *t.values * (size_t)t.rows * (size_t)t.columns);
        hol_answer_free(answer);
        hol_study_free(other);
    }
    hol_answer_free(whole);
    hol_study_free(study);
    hol_context_free(ctx);
}

/* What one case does to the processes that run it, by hand; the others end long before. */
static void one_case(const char *limits, killer k, const char *says) {
    char text[400];
    hol_context *ctx = hol_context_new();
    hol_study *study;
    hol_study_options o = {.processes = 2, .on_progress = attack, .user = &k};
    snprintf(text, sizeof text,
             "model: pendulum.yaml\nfactors: {end: [0.1, 0.2, 1e7, 0.3]}\n"
             "responses: {last: end v}\nlimits: {%s}\n",
             limits);
    hol_answer *answer = answer_of(ctx, text, &o, &study);
    const hol_table failures = table_of(answer, "failures"), cases = table_of(answer, "cases");
    assert_true(hol_answer_value(answer, "failed") == 1 && cases.rows == 3);
    assert_true(failures.rows == 1 && failures.values[1] == 2);
    if (!strstr(failures.row_names[0], says)) fail_msg("%s", failures.row_names[0]);
    hol_answer_free(answer);
    hol_study_free(study);
    hol_context_free(ctx);
}

static void bad_cases(void **unused) {
    (void)unused;
    if (!lists_children()) skip();
    write_file("pendulum.yaml", pendulum);
    one_case("steps: 1e9",
             (killer){.patience = 0.03, .most = 1, .from = 3, .signal = SIGSEGV, .left = 3},
             "3 processes died with this case; the last one crashed");
    one_case("steps: 1e9",
             (killer){.patience = 0.03, .most = 1, .from = 3, .signal = SIGKILL, .left = 3},
             "was killed (Killed), by hand or for want of memory");
    one_case("time: 0.1 s",
             (killer){.patience = 0.03, .most = 1, .from = 3, .signal = SIGSTOP, .left = 1},
             "within twice as long no step of it ended");
    one_case("time: 0.1 s",
             (killer){.patience = 0.03, .most = 1, .from = 3, .signal = 0, .left = 0},
             "the case took more than 0.1 s, up to t");
}

/* ---- machine code ---- */

/* Whether a compiler is there. */
static int has_compiler(void) {
    return system("cc --version >cc.txt 2>&1") == 0;
}

/* A study of a model of the collection, with machine code or without. */
static hol_answer *run_model(hol_context *ctx, const char *model, const char *factors,
                             const char *goal, int compiled, hol_study_options *o,
                             hol_study **study) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "model: %s/%s\nset: {tolerance: 1e-9, end: 0.6, method: direct-correction, coordinates: "
        "relative}\nfactors: {%s}\ndesign: random\ncases: 24\nresponses: {a: end %s, b: max "
        "%s}\ncompiled: %s\n",
        getenv("HOLONOM_MODELS"), model, factors, goal, goal, compiled ? "true" : "false");
    return answer_of(ctx, text, o, study);
}

/* Lengths, masses and a stiffness that vary, in the plane with a loop and in space with loops: the
 * results of the library to the tolerance of the runs; the same bits by threads and by processes
 * that are killed. Code for one set of values would be off by the spread, 1e-2. */
static void compiled(void **unused) {
    static const struct {
        const char *model, *factors, *goal;
        int n;
    } rows[] = {
        {"four_bar.yaml",
         "L1: {mean: 2.5, deviation: 0.02}, L3: {mean: 4, deviation: 0.03}, L2: {from: 1.97, "
         "to: 2.03}, m: {path: bodies.coupler.mass, from: 2, to: 2.5}",
         "crank_angle", 4},
        {"a05_flyball_governor.yaml",
         "k: {mean: 8e5, deviation: 1e5}, mt: {mean: 5, deviation: 0.7}", "s", 2}};
    (void)unused;
    if (!has_compiler()) skip();
    for (int r = 0; r < 2; r++) {
        hol_context *ctx = hol_context_new();
        hol_study *studies[4];
        hol_answer *answers[4];
        killer k = {.signal = SIGKILL, .left = 3, .from = 1, .most = 64};
        for (int i = 0; i < 4; i++) {
            hol_study_options o = {.threads = i == 1 ? 3 : 1};
            if (i == 2) o = (hol_study_options){.processes = 3, .on_progress = attack, .user = &k};
            answers[i] = run_model(ctx, rows[r].model, rows[r].factors, rows[r].goal, i < 3, &o,
                                   &studies[i]);
            assert_true(hol_answer_value(answers[i], "failed") == 0);
        }
        const hol_table t = table_of(answers[0], "cases"), library = table_of(answers[3], "cases");
        assert_true(t.rows == 24 && library.rows == 24);
        for (int i = 1; i < 3; i++)
            assert_memory_equal(table_of(answers[i], "cases").values, t.values,
                                sizeof *t.values * (size_t)t.rows * (size_t)t.columns);
        double spread = 0;
        for (int i = 0; i < t.rows; i++)
            for (int j = 1 + rows[r].n; j < 3 + rows[r].n; j++) {
                const double x = t.values[i * t.columns + j], y = library.values[i * t.columns + j];
                if (!(fabs(x - y) <= 2e-6)) fail_msg("%s: %.17g and %.17g", rows[r].model, x, y);
                spread = fmax(spread, fabs(y - library.values[j]));
            }
        if (!(spread > 1e-3)) fail_msg("%s: spread %g", rows[r].model, spread);
        for (int i = 0; i < 4; i++) {
            hol_answer_free(answers[i]);
            hol_study_free(studies[i]);
        }
        hol_context_free(ctx);
    }
}

/* What no code can be made for, and laws that are others from case to case, are named. */
static void not_compiled(void **unused) {
    static const struct {
        const char *model, *factor, *says;
    } rows[] = {
        {"bouncing_ball.yaml", "tolerance: [1e-4, 1e-5]", "events are found by a run"},
        {"iltis_corner.yaml", "k_leaf: {mean: 35900, deviation: 100}", "from case to case"}};
    (void)unused;
    if (!has_compiler()) skip();
    for (int r = 0; r < 2; r++) {
        char text[400];
        hol_context *ctx = hol_context_new();
        hol_answer *answer = NULL;
        snprintf(text, sizeof text,
                 "model: %s/%s\nfactors: {%s}\ndesign: %s\nresponses: {a: 1}\ncompiled: true\n",
                 getenv("HOLONOM_MODELS"), rows[r].model, rows[r].factor,
                 r ? "random\ncases: 3" : "full");
        hol_study *study = hol_study_read_text(ctx, text, "test.yaml");
        for (int i = 0; !study && i < hol_message_count(ctx); i++)
            print_message("%s\n", hol_message_get(ctx, i)->text);
        assert_non_null(study);
        assert_true(hol_study_run(study, NULL, &answer) < 0);
        assert_null(answer);
        int told = 0;
        for (int i = 0; i < hol_message_count(ctx); i++)
            told |= strstr(hol_message_get(ctx, i)->text, rows[r].says) != NULL;
        assert_true(told);
        hol_study_free(study);
        hol_context_free(ctx);
    }
}

/* ---- answers so far ---- */

/* Answers while it runs, which grow, and whose cases are those of the end. */
typedef struct looker {
    int times;
    double done;
} looker;

static hol_status look(void *user, const hol_answer *answer) {
    looker *l = user;
    const double done = hol_answer_value(answer, "done");
    assert_true(done >= l->done && done > 0);
    assert_true(table_of(answer, "cases").rows == (int)done);
    l->done = done;
    return ++l->times == 2 ? HOL_ERR_INTERRUPTED : HOL_OK;
}

static void so_far(void **unused) {
    static const char text[] =
        "model: pendulum.yaml\nset: {end: 3}\nfactors: {a0: {from: 0.1, to: 1}}\n"
        "design: sobol\ncases: 1000000\nresponses: {last: end v}\n";
    hol_context *ctx = hol_context_new();
    looker l = {0, 0};
    hol_answer *answer;
    (void)unused;
    write_file("pendulum.yaml", pendulum);
    hol_study *study = hol_study_read_text(ctx, text, "test.yaml");
    assert_non_null(study);
    const hol_study_options o = {.size = sizeof o, .processes = 2, .on_answer = look, .user = &l};
    assert_int_equal(hol_study_run(study, &o, &answer), HOL_ERR_INTERRUPTED);
    assert_true(l.times == 2 && hol_answer_value(answer, "done") >= l.done);
    hol_answer_free(answer);
    hol_study_free(study);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces),        cmocka_unit_test(ends_together),
        cmocka_unit_test(no_allocation), cmocka_unit_test(killed),
        cmocka_unit_test(bad_cases),     cmocka_unit_test(compiled),
        cmocka_unit_test(not_compiled),  cmocka_unit_test(so_far)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
