/* record_sample.h: made-up records with high-entropy numbers, for the tests of the result files. */
#ifndef HOL_TESTS_RECORD_SAMPLE_H
#define HOL_TESTS_RECORD_SAMPLE_H

#include "common.h"
#include "io/format.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { SAMPLE_MEASURES = 7, SAMPLE_BODIES = 3, SAMPLE_JOINTS = 2 };

/* Names that try every rule: units, commas, quotes, slashes, dots, letters beyond ASCII, two that
 * differ in a slash. */
static const hol_column sample_measures[SAMPLE_MEASURES] = {
    {"tip.x", "m", "global", "position of the tip along x"},
    {"speed, of \"B\"", "m/s", "", ""},
    {"a/b", "N*m", "joint", "a name with a slash"},
    {"a_b", "", "", "what the slash becomes"},
    {"φ [deg]", "rad", "", "brackets in a name"},
    {" spaces ", "kg*m^2", "", ""},
    {"..", "", "", "only dots"},
};
static const char *const sample_bodies[SAMPLE_BODIES] = {"crank", "coupler/2", "rocker.é"};
static const char *const sample_joints[SAMPLE_JOINTS] = {"A", "B"};
static const hol__pair sample_texts[] = {
    {"holonom_version", "9.8.7"},
    {"model_name", "four bar"},
    {"model_hash", "0123456789abcdef"},
    {"method", "made up"},
    {"kernel", ""},
};
static const hol__pair sample_options[] = {{"tolerance", "1e-09"}, {"output_step", "0.01"}};

static inline hol__shape sample_shape(void) {
    const hol__shape shape = {
        .n_measures = SAMPLE_MEASURES,
        .n_q = 9,
        .n_v = 9,
        .n_bodies = SAMPLE_BODIES,
        .n_joints = SAMPLE_JOINTS,
        .measures = sample_measures,
        .bodies = sample_bodies,
        .joints = sample_joints,
        .model = "holonom: 1\nname: \"four bar\" # ünïcode\n",
        .n_texts = (int)(sizeof sample_texts / sizeof *sample_texts),
        .texts = sample_texts,
        .n_options = (int)(sizeof sample_options / sizeof *sample_options),
        .options = sample_options,
    };
    return shape;
}

/* Any finite double: random bits of sign, mantissa and a wide range of exponents, subnormal ones
 * among them. */
static inline double sample_double(uint64_t *state) {
    double x;
    do {
        const uint64_t bits = next_word(state);
        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x));
    return x;
}

/* Row i of the made-up run, the same at each call; a few values are special. */
static inline void sample_fill(const hol__record *record, int i) {
    uint64_t state = 0x9E3779B97F4A7C15u * (uint64_t)(i + 1);
    for (int k = 0; k < record->size; k++) record->values[k] = sample_double(&state);
    record->values[0] = 0.0173 * i;
    if (i == 3) record->values[1] = -0.0;
    if (i == 4) record->values[2] = NAN;
    if (i == 5) record->values[3] = -INFINITY;
}

/* Whether two numbers are the same bits, or both NaN. */
static inline int same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* What a run may have been and cost: no two members are the same. */
static inline hol_sim_info sample_info(void) {
    static const double times[] = {0.313, 0.871}, losses[] = {1.7e-3, -0.29},
                        happened[] = {0.37, 0.41},
                        impulses[] = {0.11, 0.12, 0.13, 0.14, 0.15, 0.16}, low[] = {-2.1, 0.3},
                        t_low[] = {0.17, 0.19}, high[] = {5.3, 7.7}, t_high[] = {0.23, 0.29};
    const hol_sim_info info = {.method = "one",
                               .kernel = "two",
                               .stabilizer = "three",
                               .correction = "four",
                               .integrator = "five",
                               .coordinates = "six",
                               .choice = "seven",
                               .t_start = 2.385,
                               .t_end = 3.517,
                               .t = 2.911,
                               .step = 0.0137,
                               .steps = 1009,
                               .rejected = 1013,
                               .evaluations = 1019,
                               .factorizations = 1021,
                               .corrections = 1031,
                               .refinements = 1033,
                               .max_position_violation = 1.7e-9,
                               .max_velocity_violation = 2.3e-8,
                               .relative_energy_error = 3.1e-11,
                               .energy_scale = 47.11,
                               .switches = 1091,
                               .switch_times = {times, 2},
                               .switch_losses = {losses, 2},
                               .switch_impulses = {impulses, 6},
                               .switch_names = "eight",
                               .coordinate_changes = 1039,
                               .dof = 1049,
                               .n_redundant = 1051,
                               .local_coordinates = 1103,
                               .n_constraints = 1061,
                               .wall_time = 0.619,
                               .end = HOL_END_STOP,
                               .assembly_correction = 0.0211,
                               .equilibrium = "thirteen",
                               .equilibrium_moved = 0.0523,
                               .hybrid_switches = 1063,
                               .term_steps = 1069,
                               .partition_steps = 1087,
                               .start_position_violation = 0.0317,
                               .start_velocity_violation = 0.0443,
                               .verdict = "nine",
                               .relative_position_violation = 5.3e-7,
                               .relative_velocity_violation = 6.1e-7,
                               .violation_limit = 7.3e-7,
                               .energy_error_limit = 8.9e-7,
                               .instants = 1109,
                               .corners = 1117,
                               .minima = {low, 2},
                               .minimum_times = {t_low, 2},
                               .maxima = {high, 2},
                               .maximum_times = {t_high, 2},
                               .repeats = 1123,
                               .estimated_error = 9.7e-7,
                               .largest_loads = "ten",
                               .certificate = "eleven digits",
                               .events = 1129,
                               .event_times = {happened, 2},
                               .event_names = "eleven",
                               .dae_form = "twelve",
                               .derivatives = 1151,
                               .beside_code = 1163};
    return info;
}

/* ---- a file of made-up records ---- */

typedef struct fixture {
    hol_context *ctx;
    hol__arena arena;
    hol__record record;
    char path[128], part[128]; /* of the file, and until it is whole */
} fixture;

/* A record and the path of its file in a folder, for the setup of a test. */
static inline int sample_setup(void **state, const char *dir, const char *name) {
    fixture *f = calloc(1, sizeof *f);
    const hol__shape shape = sample_shape();
    f->ctx = hol_context_new();
    hol__arena_init(&f->arena, f->ctx);
    assert_true(hol__record_init(&f->record, &f->arena, &shape));
    snprintf(f->path, sizeof f->path, "%s/%s", dir, name);
    const char *dot = strrchr(f->path, '.');
    snprintf(f->part, sizeof f->part, "%.*s.part%s", (int)(dot - f->path), f->path, dot);
    *state = f;
    return 0;
}

static inline int teardown(void **state) {
    fixture *f = *state;
    unlink(f->path);
    unlink(f->part);
    hol__arena_free(&f->arena);
    hol_context_free(f->ctx);
    free(f);
    return 0;
}

/* A file of n records at path, closed with the info. */
static inline void sample_write(fixture *f, const hol__format *format, const char *path, int n,
                                const hol_sim_info *info) {
    hol__sink sink;
    assert_int_equal(hol__sink_open(f->ctx, format, &f->record, path, &sink), HOL_OK);
    for (int i = 0; i < n; i++) {
        sample_fill(&f->record, i);
        assert_int_equal(hol__sink_append(&sink), HOL_OK);
    }
    assert_int_equal(hol__sink_close(&sink, info), HOL_OK);
}

/* A process that writes n records and is killed before it closes the file; whether a signal ended
 * it. */
static inline int sample_kill(fixture *f, const hol__format *format, int n) {
    int pipes[2], status;
    char ready;
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        hol__sink sink;
        if (hol__sink_open(f->ctx, format, &f->record, f->path, &sink)) _exit(1);
        for (int i = 0; i < n; i++) {
            sample_fill(&f->record, i);
            if (hol__sink_append(&sink)) _exit(1);
        }
        if (write(pipes[1], "x", 1) != 1) _exit(1);
        for (;;) pause();
    }
    close(pipes[1]);
    assert_int_equal(read(pipes[0], &ready, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    close(pipes[0]);
    return WIFSIGNALED(status);
}

/* The result has so many columns, and its rows are the first of the made-up run. */
static inline void sample_check(fixture *f, const hol_result *result, int columns) {
    assert_int_equal(hol_result_columns(result), columns);
    for (int i = 0; i < hol_result_rows(result); i++) {
        sample_fill(&f->record, i);
        for (int k = 0; k < columns; k++)
            assert_true(same_bits(hol_result_values(result, k)[i], f->record.values[k]));
    }
}

#endif
