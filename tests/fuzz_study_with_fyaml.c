/* fuzz_study_with_fyaml.c: files of studies, and the logs of their cases.
 *
 * The first byte chooses: the rest is the text of a file, or choices by which the trees of whole
 * studies are changed: formulas alone, or a pendulum that runs. Studies of few cases with a limit
 * of steps are run; then their log is cut, or bytes of it change, and they are run again. Checked:
 * no crash; a failure has a message; values of cases are numbers; after any damage the same cases
 * with the same bits, or an error.
 */
#define _POSIX_C_SOURCE 200809L
#include "fuzz_tree.h"

#include <holonom/study.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { FUZZ_LENGTH = 1024 }; /* for a file as text; choices take less */
enum { MOST_EDITS = 5, MOST_CASES = 24, MOST_STEPS = 200 };

static const char model_file[] = "fuzz-study-model.yaml", table_file[] = "fuzz-study.csv",
                  log_file[] = "fuzz-study.cases";

static const char model[] =
    "holonom: 1\nname: fuzzed\nspace: planar\ngravity: [0, -9.81]\n"
    "parameters: {L: 0.7 m, k: 12 N/m, lift: 20 deg}\n"
    "bodies:\n  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [L*sin(lift), -L*cos(lift)]]}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
    "forces:\n  push: {type: torsion, joint: A, stiffness: 1.2}\n"
    "measures:\n  angle: {type: angle, body: rod}\n  energy: {type: energy}\n"
    "simulation: {end: 0.05, output: 0.01}\n";

static const char table[] = "a [m],b,L [m]\n0.5,2,0.7\n0.25,-1,0.6\n1.5,3,0.8\n";

static const char *const wholes[] = {
    "title: Formulas\n"
    "factors:\n"
    "  a: {values: [0.5, 1.5, 2.5]}\n"
    "  b: {from: 1, to: 8, steps: 4, spacing: logarithmic}\n"
    "  c: {from: 0, to: 1, mode: 0.25, doc: three corners}\n"
    "  d: {mean: 4, deviation: 0.5, within: [3, 4.5]}\n"
    "  e: {median: 20, factor: 1.3}\n"
    "design: random\n"
    "cases: 9\n"
    "seed: 77\n"
    "responses: {s: a + b*c, r: sqrt(s - d)/e, more: r*s}\n"
    "accept: {good: s > 2.25}\n"
    "limits: {steps: 50, time: 5 s, memory: 1e8}\n",
    "model: fuzz-study-model.yaml\n"
    "set: {tolerance: 1e-6, end: 0.05, bodies.rod.mass: 1.5 kg}\n"
    "factors:\n"
    "  L: {from: 0.6 m, to: 0.8 m}\n"
    "  heavy: {path: bodies.rod.mass, values: [1 kg, 2 kg]}\n"
    "  method: {words: [lagrange, nullspace]}\n"
    "design: sobol\n"
    "cases: 3\n"
    "responses:\n"
    "  swing: max angle\n"
    "  rest: end energy\n"
    "  at: at 0.02 angle\n"
    "  share: rest/swing\n"
    "accept: {slow: swing < 20.5 deg}\n"
    "limits: {steps: 60}\n"
    "keep: {cases: [0, 1], extremes: [swing], failures: 2}\n",
    "factors: {a: {}, b: {}}\n"
    "design: table\n"
    "table: fuzz-study.csv\n"
    "responses: {s: a*b}\n"
    "limits: {steps: 60}\n",
    "factors: {x: {from: -3.14, to: 3.14}, y: {from: -3.14, to: 3.14}}\n"
    "design: indices\n"
    "points: 4\n"
    "responses: {f: sin(x) + 7*sin(y)^2}\n"
    "limits: {steps: 60}\n",
};
enum { N_WHOLES = sizeof wholes / sizeof *wholes };

static const char *const values[] = {"",
                                     "0",
                                     "-1",
                                     "1",
                                     "2",
                                     "0.5",
                                     "7 m",
                                     "7 kg",
                                     "1e308",
                                     "1e-320",
                                     "nan",
                                     "inf",
                                     "2^53",
                                     "9007199254740993",
                                     "1e18",
                                     "random",
                                     "sobol",
                                     "full",
                                     "latin-hypercube",
                                     "indices",
                                     "table",
                                     "logarithmic",
                                     "even",
                                     "end angle",
                                     "max angle",
                                     "at 0.02 angle",
                                     "at -1 angle",
                                     "at 1e9 energy",
                                     "integral energy",
                                     "mean-square angle",
                                     "when max angle",
                                     "when angle > 30 deg",
                                     "when angle < -1e9",
                                     "when angle >",
                                     "when > 3",
                                     "[0, 1e9, swing]",
                                     "end nothing",
                                     "a/0",
                                     "sqrt(-a)",
                                     "a > b",
                                     "swing",
                                     "s",
                                     "method",
                                     "lagrange",
                                     "dae",
                                     "relative",
                                     "simulation.method",
                                     "bodies.rod.mass",
                                     "bodies.rod",
                                     "parameters.L",
                                     "fuzz-study.csv",
                                     "fuzz-study-model.yaml",
                                     "/etc/passwd",
                                     "\xC3\xA9\xE2\x80\x96"};
enum { N_VALUES = sizeof values / sizeof *values };

static const char *const keys[] = {
    "title",    "model",  "set",    "factors",   "design",     "cases",       "points",
    "seed",     "table",  "limits", "responses", "accept",     "values",      "words",
    "from",     "to",     "steps",  "spacing",   "mode",       "mean",        "deviation",
    "within",   "median", "factor", "path",      "doc",        "time",        "memory",
    "L",        "k",      "lift",   "method",    "tolerance",  "coordinates", "step",
    "a",        "b",      "x y",    "end",       "integrator", "keep",        "extremes",
    "failures", ""};

static void put_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

static void check_said(hol_context *ctx) {
    if (hol_message_count_of(ctx, HOL_ERROR) == 0) fuzz_fail("a failure without a message");
}

/* ---- texts ---- */

/* One change of the tree. */
static void edit(tape *t, hol_spec *spec, const hol_spec *other) {
    hol__node *node = any_node(t, spec);
    const int kind = tape_below(t, 6);
    if (!node) return;
    if (kind < 5)
        tree_edit(t, spec, node, other, kind, N_VALUES, values);
    else if (node->key)
        node->key = keys[tape_below(t, sizeof keys / sizeof *keys)];
}

/* The text of a study that the bytes make; NULL where the tree cannot be written. */
static char *make_text(hol_context *ctx, tape *t) {
    static hol_context *own;
    static hol_spec *originals[N_WHOLES];
    for (int i = 0; !originals[N_WHOLES - 1] && i < N_WHOLES; i++) {
        if (!own) own = hol_context_new();
        originals[i] = hol_spec_new(own);
        if (!originals[i] || hol_spec_read_text(originals[i], wholes[i], "whole")) abort();
    }
    const hol_spec *of = originals[tape_below(t, N_WHOLES)];
    hol_spec *changed = hol_spec_copy(ctx, of);
    if (!changed) abort();
    for (int i = tape_below(t, MOST_EDITS); i > 0; i--)
        edit(t, changed, originals[tape_below(t, N_WHOLES)]);
    char *text = hol_spec_text(changed);
    hol_spec_free(changed);
    return text;
}

/* ---- runs ---- */

/* The table of cases of one run with the log; NULL, with messages, after an error. */
static hol_answer *run(hol_study *study, int threads, hol_table *cases) {
    const hol_study_options options = {.size = sizeof options, .threads = threads, .log = log_file};
    hol_answer *answer = NULL;
    const hol_status status = hol_study_run(study, &options, &answer);
    if (status || !answer) {
        hol_answer_free(answer);
        return NULL;
    }
    *cases = (hol_table){.size = sizeof *cases};
    if (hol_answer_table(answer, hol_answer_find(answer, "cases"), cases))
        fuzz_fail("an answer without cases");
    long long kept[3];
    if (hol_study_kept(study, answer, 3, kept) > 3) fuzz_fail("more cases than there is room for");
    return answer;
}

/* Cut the log, or change bytes of it. */
static void damage(tape *t) {
    static char bytes[1 << 16];
    FILE *file = fopen(log_file, "rb");
    size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    for (int i = tape_below(t, 4); i > 0 && n; i--)
        bytes[(size_t)tape_below(t, 1 << 16) % n] ^= (char)(1 + tape_below(t, 255));
    if (tape_below(t, 2) && n) n = (size_t)tape_below(t, 1 << 16) % n;
    file = fopen(log_file, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file)) abort();
}

/* Whether two tables have the same bits. */
static int same(const hol_table *a, const hol_table *b) {
    return a->rows == b->rows && a->columns == b->columns &&
           memcmp(a->values, b->values, sizeof(double) * (size_t)a->rows * (size_t)a->columns) == 0;
}

/* Whole, damaged, whole again. */
static void run_twice(tape *t, hol_context *ctx, hol_study *study) {
    hol_table first, second;
    remove(log_file);
    hol_answer *a = run(study, 1, &first);
    if (!a) {
        check_said(ctx);
        return;
    }
    damage(t);
    hol_message_clear(ctx);
    hol_answer *b = run(study, 1 + tape_below(t, 2), &second);
    if (!b) check_said(ctx);
    if (b && !same(&first, &second)) fuzz_fail("other cases after the log was damaged");
    hol_answer_free(b);
    hol_answer_free(a);
}

/* ---- one input ---- */

/* What the study says of itself, and some of its cases. */
static hol_study_info look(hol_study *study) {
    hol_study_info info = {.size = sizeof info};
    if (hol_study_describe(study, &info)) fuzz_fail("a study that cannot be described");
    if (info.cases < 1 || !(info.log_bytes > 0)) fuzz_fail("a study without cases");
    double *x = malloc(sizeof *x * (size_t)(info.n_factors + 1));
    if (!x) abort();
    const long long places[] = {0, info.cases / 3, info.cases - 1};
    for (int i = 0; i < 3; i++) {
        if (hol_study_values(study, places[i], x)) fuzz_fail("a case without values");
        for (int j = 0; j < info.n_factors; j++)
            if (!isfinite(x[j])) fuzz_fail("a value that is no number");
    }
    if (!hol_study_values(study, info.cases, x) || !hol_study_values(study, -1, x))
        fuzz_fail("values of no case");
    for (int i = 0; i < info.n_factors; i++)
        if (!hol_study_factor(study, i)) fuzz_fail("a factor without a name");
    for (int i = 0; i < info.n_responses; i++)
        if (!hol_study_response(study, i)) fuzz_fail("a response without a name");
    free(x);
    return info;
}

static void read_study(tape *t, hol_context *ctx, const char *text) {
    hol_study *study = hol_study_read_text(ctx, text, "fuzz-study.yaml");
    if (!study) {
        check_said(ctx);
        return;
    }
    const hol_study_info info = look(study);
    const int limited = info.max_steps > 0 && info.max_steps <= MOST_STEPS;
    if (info.cases <= MOST_CASES && (limited || !*info.model)) run_twice(t, ctx, study);
    hol_study_free(study);
}

void fuzz_one(const uint8_t *data, size_t size) {
    tape t = {data, size};
    static int prepared;
    if (!prepared) {
        put_file(model_file, model);
        put_file(table_file, table);
        prepared = 1;
    }
    hol_context *ctx = hol_context_new();
    if (!ctx) abort();
    if (tape_below(&t, 4) == 3) {
        char *text = malloc(t.left + 1);
        if (!text) abort();
        if (t.left) memcpy(text, t.at, t.left);
        text[t.left] = '\0';
        t.left = 0;
        read_study(&t, ctx, text);
        free(text);
    } else {
        char *text = make_text(ctx, &t);
        if (text) read_study(&t, ctx, text);
        hol_free(ctx, text);
    }
    hol_context_free(ctx);
}
