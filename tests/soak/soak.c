/* soak.c: long runs in ten parts: residuals, energy, memory and the cost of a step must not grow
 * from part to part, and angles must be right after as many turns.
 *
 *   soak [--keep DIR] SECONDS MODEL...
 *
 * SECONDS are those of the mechanism; a model is a file, or FILE:INTEGRATOR:STEP with a formula for
 * conservative runs, whose energy must stay within 1e-10; with :mean behind it the energy
 * oscillates, and its mean over a part must stay within 1e-10 of the mean over the first one; with
 * :natural or another name of coordinates behind it the run is made in these. With
 * --keep there is a checkpoint of each model in the directory, written after every part: started
 * again with the same words, models go on behind the last part that was finished, and those that
 * have ended are only judged.
 *
 * Means are weighted by exp(-1/(s (1 - s))), s from 0 to 1 over a part: what oscillates leaves less
 * in them than any power of the number of periods, so that they show a drift far below it.
 *
 * A line for each part; the last line of a model says what it was judged by. Exit status 1 when a
 * run failed or went beyond its limits.
 */
#include <holonom/holonom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PARTS = 10 };

/* A crank that a motor turns once a second: after n seconds its angle is 2 pi n. */
static const char crank[] = "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                            "bodies:\n  crank: {mass: 1, inertia: 0.1, position: [0.2, 0]}\n"
                            "joints:\n  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
                            "  motor: {type: driver, joint: A, position: 2*pi*t}\n"
                            "measures:\n  angle: {type: joint_coordinate, joint: A}\n"
                            "simulation: {coordinates: reference}\n";

static void print_message(void *user, const hol_message *message) {
    char line[512];
    (void)user;
    hol_message_format(message, line, sizeof line);
    fprintf(stderr, "%s\n", line);
}

/* Pages of memory that the process has, 0 where that cannot be known. */
static long resident(void) {
    long total = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
    fclose(file);
    return pages;
}

/* How a model is judged. */
typedef enum judgement { BY_LIMITS, BY_ENERGY, BY_MEAN_ENERGY } judgement;

/* What is seen of a run, and how far it has come. */
typedef struct sight {
    int part;            /* the last one that was finished */
    double angle_error;  /* the largest of the measure `angle` against 2 pi t, where there is one */
    double first, drift; /* the mean energy of the first part, and how far later ones are off it */
    long growth;         /* of memory, in pages */
} sight;

/* Advance to t1, one step after another; the mean energy on the way. */
static hol_status advance_mean(hol_sim *sim, double t0, double t1, double *mean) {
    hol_energy energy = {.size = sizeof energy};
    double sum = 0, weights = 0;
    hol_status status = HOL_OK;
    while (!status && hol_data_time(hol_sim_data(sim)) < t1 - 1e-9 * (t1 - t0)) {
        status = hol_sim_step(sim);
        if (!status) status = hol_data_energy(hol_sim_data(sim), &energy);
        const double s = (hol_data_time(hol_sim_data(sim)) - t0) / (t1 - t0);
        const double w = s > 0 && s < 1 ? exp(-1 / (s * (1 - s))) : 0;
        sum += w * energy.balance;
        weights += w;
    }
    *mean = sum / weights;
    return status;
}

/* A part of the run. */
static hol_status run_part(hol_sim *sim, double t0, double t1, judgement by, sight *seen) {
    double mean = 0;
    if (by != BY_MEAN_ENERGY) return hol_sim_advance(sim, t1);
    const hol_status status = advance_mean(sim, t0, t1, &mean);
    if (t0 == 0) seen->first = mean;
    seen->drift = fmax(seen->drift, fabs(mean - seen->first));
    return status;
}

/* ---- checkpoints ---- */

/* The numbers that are seen, as the notes of a checkpoint. */
enum { N_SEEN = 5 };

static const char *const seen_names[N_SEEN] = {"part", "angle_error", "first", "drift", "growth"};

/* Write one; nothing without a path. */
static hol_status keep(hol_sim *sim, const char *path, const sight *seen) {
    const double values[N_SEEN] = {seen->part, seen->angle_error, seen->first, seen->drift,
                                   (double)seen->growth};
    char texts[N_SEEN][32];
    hol_note notes[N_SEEN];
    if (!*path) return HOL_OK;
    for (int i = 0; i < N_SEEN; i++) {
        snprintf(texts[i], sizeof texts[i], "%.17g", values[i]);
        notes[i] = (hol_note){seen_names[i], texts[i]};
    }
    const hol_checkpoint_parts parts = {.size = sizeof parts, .n_notes = N_SEEN, .notes = notes};
    return hol_checkpoint_write(sim, path, &parts);
}

/* Go on from the one that is there. */
static hol_status go_on(hol_context *ctx, hol_sim *sim, const char *path, sight *seen) {
    double values[N_SEEN] = {0};
    FILE *file = *path ? fopen(path, "rb") : NULL;
    if (!file) return HOL_OK;
    fclose(file);
    hol_checkpoint *from = hol_checkpoint_read(ctx, path);
    for (int i = 0; from && i < N_SEEN; i++) {
        const hol_note *note = hol_checkpoint_note(from, i);
        if (note) values[i] = strtod(note->value, NULL);
    }
    const hol_status status = from ? hol_checkpoint_load(from, sim) : HOL_ERR_INPUT;
    hol_checkpoint_free(from);
    if (status) {
        fprintf(stderr, "soak: remove %s to begin anew\n", path);
        return status;
    }
    *seen = (sight){(int)values[0], values[1], values[2], values[3], (long)values[4]};
    printf("goes on behind part %d\n", seen->part);
    return HOL_OK;
}

/* "models/four_bar.yaml:rattle8:0.0075" as the name of a file in the directory; "" without one. */
static void name_checkpoint(const char *directory, const char *model, char *out, size_t size) {
    out[0] = 0;
    if (!directory) return;
    snprintf(out, size, "%s/%s.checkpoint", directory, model ? model : "crank");
    for (char *c = out + strlen(directory) + 1; *c; c++)
        if (*c == '/' || *c == ':' || *c == '\\') *c = '_';
}

/* ---- parts ---- */

/* A line about the part that has just been finished, which made so many steps in that time. */
static void print_part(const hol_sim_info *info, const sight *seen, long steps, clock_t time,
                       long pages) {
    printf("%12.6g %12ld %12.3f %12.3e %12.3e %10.2e %10.2e %12ld\n", info->t, info->steps,
           1e6 * (double)time / CLOCKS_PER_SEC / fmax(1, (double)steps),
           info->max_position_violation, info->max_velocity_violation, info->relative_energy_error,
           seen->drift / info->energy_scale, 4 * pages);
    fflush(stdout);
}

/* Make the parts that are left, a line for each. */
static hol_status run_parts(hol_sim *sim, double seconds, int has_angle, judgement by,
                            const char *kept, sight *seen) {
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    long steps = info.steps, first_pages = 0;
    clock_t before = clock();
    hol_status status = HOL_OK;
    printf("%12s %12s %12s %12s %12s %10s %10s %12s\n", "t [s]", "steps", "us a step", "|Phi|",
           "|psi|", "energy", "its mean", "memory [kB]");
    while (!status && seen->part < PARTS) {
        const int part = seen->part + 1;
        status = run_part(sim, seconds * (part - 1) / PARTS, seconds * part / PARTS, by, seen);
        hol_sim_describe(sim, &info);
        const clock_t now = clock();
        const long pages = resident();
        print_part(&info, seen, info.steps - steps, now - before, pages);
        if (first_pages && pages - first_pages > seen->growth) seen->growth = pages - first_pages;
        if (has_angle) {
            double angle = 0;
            status = hol_data_measure(hol_sim_data(sim), 0, &angle);
            seen->angle_error =
                fmax(seen->angle_error, fabs(angle / (2 * acos(-1.0) * info.t) - 1));
        }
        steps = info.steps;
        before = now;
        seen->part = part;
        if (!status) status = keep(sim, kept, seen);
        if (!first_pages) first_pages = resident();
    }
    return status;
}

/* Read "file", "file:integrator:step" or the same with ":mean" or ":coordinates" into the
 * description. */
static hol_status read_model(hol_spec *spec, const char *argument, judgement *by) {
    char path[1024];
    snprintf(path, sizeof path, "%s", argument);
    char *integrator = strchr(path, ':'), *step = integrator ? strchr(integrator + 1, ':') : NULL,
         *more = step ? strchr(step + 1, ':') : NULL;
    const int mean = more && strcmp(more, ":mean") == 0;
    *by = mean ? BY_MEAN_ENERGY : step ? BY_ENERGY : BY_LIMITS;
    if (!step) return hol_spec_read_file(spec, argument);
    *integrator++ = 0;
    *step++ = 0;
    if (more) *more++ = 0;
    hol_status status = hol_spec_read_file(spec, path);
    if (!status) status = hol_spec_set(spec, "simulation.integrator", integrator, "soak");
    if (!status && mean)
        status = hol_spec_set(spec, "simulation.expected_energy_error", "1", "soak");
    if (!status && more && !mean)
        status = hol_spec_set(spec, "simulation.coordinates", more, "soak");
    return status ? status : hol_spec_set(spec, "simulation.step", step, "soak");
}

/* Whether a run that has ended was good. */
static int is_good(const hol_sim_info *info, judgement by, const sight *seen) {
    const double energy = by == BY_ENERGY        ? info->relative_energy_error
                          : by == BY_MEAN_ENERGY ? seen->drift / info->energy_scale
                                                 : 0;
    return !info->beyond && energy <= 1e-10 && seen->growth <= 64 && seen->angle_error <= 1e-12;
}

/* One model: 1 when all is well. */
static int soak(const char *path, double seconds, const char *directory) {
    judgement by = BY_LIMITS;
    hol_context *ctx = hol_context_new();
    hol_context_on_message(ctx, print_message, NULL);
    hol_spec *spec = hol_spec_new(ctx);
    char end[32];
    snprintf(end, sizeof end, "%.17g", seconds);
    hol_status status =
        path ? read_model(spec, path, &by) : hol_spec_read_text(spec, crank, "crank");
    if (!status) status = hol_spec_set(spec, "simulation.end", end, "soak");
    if (!status) status = hol_spec_set(spec, "simulation.max_steps", "1e12", "soak");
    hol_options *options = status ? NULL : hol_options_from_spec(ctx, spec);
    hol_model *model =
        options ? hol_model_compile(ctx, spec, hol_options_coordinates(options)) : NULL;
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    hol_sim_info info = {.size = sizeof info};
    sight seen = {0};
    char kept[1200];
    name_checkpoint(directory, path, kept, sizeof kept);
    printf("== %s, %g s\n", path ? path : "a crank that a motor turns once a second", seconds);
    status = sim ? go_on(ctx, sim, kept, &seen) : HOL_ERR_INPUT;
    if (!status) status = run_parts(sim, seconds, !path, by, kept, &seen);
    if (sim) hol_sim_describe(sim, &info);
    const int good = !status && is_good(&info, by, &seen);
    printf("%s: status %d, |Phi| %.1e and |psi| %.1e of the size (limit %.1e), energy %.1e (limit "
           "%.1e), memory %+ld kB",
           good ? "good" : "NOT GOOD", (int)status, info.relative_position_violation,
           info.relative_velocity_violation, info.violation_limit, info.relative_energy_error,
           by == BY_ENERGY ? 1e-10 : info.energy_error_limit, 4 * seen.growth);
    if (by == BY_MEAN_ENERGY)
        printf(", its mean %.1e (limit 1e-10)", seen.drift / info.energy_scale);
    if (!path) printf(", angle %.1e", seen.angle_error);
    printf("\n\n");
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return good;
}

int main(int argc, char **argv) {
    const int keeps = argc > 2 && strcmp(argv[1], "--keep") == 0, first = keeps ? 3 : 1;
    const char *directory = keeps ? argv[2] : NULL;
    const double seconds = argc > first ? strtod(argv[first], NULL) : 0;
    int good = seconds > 0;
    if (!good) {
        fprintf(stderr, "soak [--keep DIR] SECONDS MODEL...\n");
        return 2;
    }
    good &= soak(NULL, seconds, directory);
    for (int i = first + 1; i < argc; i++) good &= soak(argv[i], seconds, directory);
    return !good;
}
