/* movie.c: a result read for showing it: columns and texts, the motion of bodies, reactions and
 * forces, the model.
 *
 * The geometry is not stored in a result: the model text is, and compiling it again gives points,
 * axes and shapes. Where that fails (a newer format, a build without YAML) bodies and joints are
 * shown by their positions alone, and the page says so.
 */
#include "report/movie.h"

#include "base/unit_set.h"
#include "common/extension.h"
#include "common/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last part of a path. */
static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The text of the first error of the quiet context, in the arena of the movie. */
static const char *first_error(hol__movie *movie) {
    char line[512];
    for (int i = 0; i < hol_message_count(movie->quiet); i++) {
        const hol_message *message = hol_message_get(movie->quiet, i);
        if (message->severity != HOL_ERROR) continue;
        hol_message_format(message, line, sizeof line);
        return hol__arena_text(&movie->arena, line);
    }
    return "no memory";
}

/* Compile the model text of the result, which holds all that it needs: it may name no files. */
static void compile_model(hol__movie *movie) {
    const char *text = hol_result_text(movie->result, "model");
    hol_spec *spec = text ? hol_spec_new(movie->quiet) : NULL;
    if (spec && hol_spec_set_include_root(spec, "") == HOL_OK &&
        hol_spec_read_text(spec, text, "model") == HOL_OK)
        movie->own_model = hol_model_compile(movie->quiet, spec, "reference");
    hol_spec_free(spec);
    movie->model = movie->own_model;
    if (movie->model) return;
    movie->trouble = text ? first_error(movie) : "the result does not hold the model";
}

/* A block of the file with the given width (0: a number each); NULL when it is absent. *n is set to
 * its rows, *rows reduced to its records. */
static double *block(hol__movie *movie, const char *path, const char *name, int width, int *n,
                     int *rows) {
    int dims[3];
    double *values = hol__hdf5_block(movie->quiet, path, name, dims);
    if (!values) return NULL;
    if (dims[2] != width || (*n >= 0 && dims[1] != *n)) {
        hol__release(movie->quiet, values);
        return NULL;
    }
    *n = dims[1];
    if (dims[0] < *rows) *rows = dims[0];
    return values;
}

/* The motion of the bodies, and what joints and forces do. */
static void read_motion(hol__movie *movie, const char *path) {
    int rows = hol_result_rows(movie->result), joints = -1, forces = -1, bodies = -1;
    if (movie->model) {
        hol_model_info info = {.size = sizeof info};
        hol_model_describe(movie->model, &info);
        bodies = info.n_bodies, joints = info.n_joints, forces = info.n_forces;
    }
    movie->position = block(movie, path, "bodies/position", 3, &bodies, &rows);
    movie->quaternion = block(movie, path, "bodies/quaternion", 4, &bodies, &rows);
    if (!movie->position || !movie->quaternion) return;
    if (joints != 0) {
        movie->joint_point = block(movie, path, "joints/point", 3, &joints, &rows);
        movie->joint_force = block(movie, path, "joints/force", 3, &joints, &rows);
        movie->joint_moment = block(movie, path, "joints/moment", 3, &joints, &rows);
        movie->joint_unique = block(movie, path, "joints/unique", 1, &joints, &rows);
    }
    if (forces != 0) {
        movie->force_point = block(movie, path, "forces/point", 3, &forces, &rows);
        movie->force_force = block(movie, path, "forces/force", 3, &forces, &rows);
        movie->force_moment = block(movie, path, "forces/moment", 3, &forces, &rows);
    }
    movie->n_bodies = bodies;
    movie->n_joints = joints > 0 ? joints : 0;
    movie->n_forces = forces > 0 ? forces : 0;
    movie->rows = rows;
}

/* The time in seconds, with a note of the unit that it is shown in. */
static void take_seconds(hol__movie *movie) {
    hol_result *result = movie->result;
    hol_unit *unit = &movie->time_unit;
    if (!hol__unit_try(result->columns[0].unit, unit) || !hol__units_agree(unit->name, "s"))
        *unit = (hol_unit){.name = "s", .times = 1, .over = 1};
    for (int i = 0; unit->times != unit->over && i < result->rows; i++)
        result->values[0][i] = result->values[0][i] * unit->times / unit->over;
    result->columns[0].unit = "s";
}

/* Say where the motion is not finite: a run stops before it writes that, so the file is damaged. */
static void note_gaps(const hol__movie *movie, hol_context *ctx, const char *path) {
    const hol_location where = {path, 0, 0};
    int first = -1, body = 0, n = 0;
    for (int i = 0; i < movie->rows; i++) {
        int good = 1;
        for (int k = 0; k < movie->n_bodies && good; k++) {
            const size_t at = (size_t)i * (size_t)movie->n_bodies + (size_t)k;
            const double *p = &movie->position[3 * at], *e = &movie->quaternion[4 * at];
            for (int c = 0; c < 3; c++) good &= isfinite(p[c]) != 0;
            for (int c = 0; c < 4; c++) good &= isfinite(e[c]) != 0;
            if (!good && first < 0) first = i, body = k;
        }
        n += !good;
    }
    const char *name = n && movie->model ? hol_model_body_name(movie->model, body) : NULL;
    if (n)
        hol__warn(ctx, &where, NULL,
                  "the motion is NaN or infinite in %d of %d records, first that of body %d%s%s%s "
                  "in record %d; it is not drawn there",
                  n, movie->rows, body + 1, name ? " '" : "", name ? name : "", name ? "'" : "",
                  first + 1);
}

/* What is missing of the motion, for the page, and as a warning: an HDF5 result should hold it. */
static void note_trouble(hol__movie *movie, hol_context *ctx, const char *path, int from) {
    const hol_location where = {path, 0, 0};
    if (!movie->position) {
        movie->trouble = hol_message_count(movie->quiet) > from
                             ? hol_message_get(movie->quiet, from)->text
                             : "the result does not hold the motion of the bodies";
        hol_model_free(movie->own_model);
        movie->own_model = NULL;
        movie->model = NULL;
    }
    if (movie->trouble && hol__has_extension(path, ".h5"))
        hol__warn(ctx, &where, NULL, "the mechanism is drawn without its %s: %s",
                  movie->position ? "geometry" : "motion", movie->trouble);
}

/* Common start. */
static hol_status start(hol__movie *movie, hol_context *ctx) {
    *movie = (hol__movie){.ctx = ctx};
    hol__arena_init(&movie->arena, ctx);
    movie->quiet = hol__context_like(ctx);
    return movie->quiet ? HOL_OK
                        : hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL, "out of memory");
}

hol_status hol__movie_read(hol__movie *movie, hol_context *ctx, const char *path) {
    const hol_status status = start(movie, ctx);
    if (status) return status;
    movie->file = hol__arena_text(&movie->arena, base_name(path));
    movie->result = hol_result_read(ctx, path);
    if (!movie->result || !movie->file) {
        const int n = hol_message_count(ctx);
        const hol_message *last = n ? hol_message_get(ctx, n - 1) : NULL;
        return last && last->status < 0 ? last->status : HOL_ERR_IO;
    }
    take_seconds(movie);
    compile_model(movie);
    const int said = hol_message_count(movie->quiet);
    if (hol__has_extension(path, ".h5")) read_motion(movie, path);
    note_trouble(movie, ctx, path, said);
    note_gaps(movie, ctx, path);
    return HOL_OK;
}

hol_status hol__movie_open(hol__movie *movie, hol_context *ctx, const char *path) {
    const hol_location where = {path, 0, 0};
    const hol_status status = hol__movie_read(movie, ctx, path);
    if (status || movie->rows) return status;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, &where, NULL,
                       "there is no motion to draw: %s",
                       movie->trouble ? movie->trouble : "the result holds no records");
}

void hol__movie_free(hol__movie *movie) {
    double *const blocks[] = {movie->position,    movie->quaternion,   movie->joint_point,
                              movie->joint_force, movie->joint_moment, movie->joint_unique,
                              movie->force_point, movie->force_force,  movie->force_moment};
    if (!movie->ctx) return;
    for (size_t i = 0; movie->quiet && i < sizeof blocks / sizeof *blocks; i++)
        hol__release(movie->quiet, blocks[i]);
    hol_model_free(movie->own_model);
    hol_result_free(movie->result);
    hol__arena_free(&movie->arena);
    hol_context_free(movie->quiet);
    *movie = (hol__movie){.ctx = NULL};
}

/* ---- a simulation as it stands ---- */

/* A copy of a field of the record, to be released like a block. */
static double *field(hol__movie *movie, const hol__record *record, const char *group,
                     const char *name, int n) {
    double *copy = hol__alloc(movie->quiet, (size_t)n, sizeof *copy);
    if (copy) memcpy(copy, hol__record_at(record, group, name), (size_t)n * sizeof *copy);
    return copy;
}

/* Measures, energies and texts of the record as a result of one row; 0 without memory. */
static int fill_result(hol__movie *movie, const hol__record *record) {
    const hol__shape *shape = &record->shape;
    hol_result *result = hol__alloc(movie->ctx, 1, sizeof *result);
    if (!result) return 0;
    *result = (hol_result){.ctx = movie->ctx, .rows = 1};
    hol__arena_init(&result->arena, movie->ctx);
    movie->result = result;
    int good = 1;
    for (int i = 0; good && i < record->n_fields; i++) {
        const hol__field *f = &record->fields[i];
        if (f->size != 1 || f->rank != 0) continue;
        const int named = i <= shape->n_measures;
        const char *name =
            named ? f->name : hol__arena_format(&result->arena, "%s.%s", f->group, f->name);
        const hol_column column = {name, f->unit, f->frame, f->doc};
        double *value = name ? hol__result_add(result, &column) : NULL;
        if (value) *value = record->values[f->offset];
        good = value != NULL;
    }
    for (int i = 0; good && i < shape->n_texts; i++)
        good = hol__result_add_text(result, shape->texts[i].key, shape->texts[i].value);
    return good && hol__result_add_text(result, "model", shape->model) &&
           hol__result_add_text(result, "view", "1");
}

hol_status hol__movie_of_sim(hol__movie *movie, hol_sim *sim) {
    hol_context *ctx = hol_sim_context(sim);
    hol__record record;
    hol_status status = start(movie, ctx);
    if (status) return status;
    if (!hol__record_of_sim(&record, &movie->arena, sim)) return HOL_ERR_MEMORY;
    status = hol__record_fill(&record, sim, 1);
    if (status) return status;
    movie->model = hol_sim_model(sim);
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(movie->model, &info);
    movie->file = base_name(info.source);
    movie->rows = 1;
    movie->n_bodies = info.n_bodies, movie->n_joints = info.n_joints;
    movie->n_forces = info.n_forces;
    const int nb = info.n_bodies, nj = info.n_joints, nf = info.n_forces;
    movie->position = field(movie, &record, "bodies", "position", 3 * nb);
    movie->quaternion = field(movie, &record, "bodies", "quaternion", 4 * nb);
    movie->joint_point = field(movie, &record, "joints", "point", 3 * nj);
    movie->joint_force = field(movie, &record, "joints", "force", 3 * nj);
    movie->joint_moment = field(movie, &record, "joints", "moment", 3 * nj);
    movie->joint_unique = field(movie, &record, "joints", "unique", nj);
    movie->force_point = field(movie, &record, "forces", "point", 3 * nf);
    movie->force_force = field(movie, &record, "forces", "force", 3 * nf);
    movie->force_moment = field(movie, &record, "forces", "moment", 3 * nf);
    if (!movie->position || !movie->quaternion || !fill_result(movie, &record))
        return HOL_ERR_MEMORY;
    take_seconds(movie);
    return HOL_OK;
}

/* ---- questions ---- */

const char *hol__movie_clock(const hol__movie *movie, double t, int decimals, char *buf,
                             size_t size) {
    const double shown = hol_unit_show(&movie->time_unit, t);
    hol__print(buf, size, decimals < 0 ? "%.*g %s" : "%.*f %s", abs(decimals), shown,
               movie->time_unit.name);
    /* a decimal comma stands between digits */
    for (char *p = buf; *p; p++)
        if (*p == ',') *p = '.';
    return buf;
}

double hol__movie_time(const hol__movie *movie, int row) {
    return hol_result_values(movie->result, 0)[row];
}

int hol__movie_row(const hol__movie *movie, double t) {
    int low = 0, high = movie->rows - 1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (hol__movie_time(movie, middle) <= t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int hol__movie_nearest(const hol__movie *movie, double t) {
    const int row = hol__movie_row(movie, t);
    if (row + 1 >= movie->rows) return row;
    return t - hol__movie_time(movie, row) <= hol__movie_time(movie, row + 1) - t ? row : row + 1;
}

hol_status hol__movie_span(const hol__movie *movie, double *from, double *to) {
    const double start = hol__movie_time(movie, 0), end = hol__movie_time(movie, movie->rows - 1);
    const int whole = *from == 0 && *to == 0;
    const double low = whole ? start : fmax(start, *from), high = whole ? end : fmin(end, *to);
    if (*from > end)
        return hol__report(movie->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "there is nothing from t = %g on; the result runs from %g to %g", *from,
                           start, end);
    if (!(low <= high))
        return hol__report(movie->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "there is nothing from t = %g to t = %g; the result runs from %g to %g",
                           *from, *to, start, end);
    *from = low, *to = high;
    return HOL_OK;
}

int hol__movie_is_complete(const hol__movie *movie) {
    const char *end = hol_result_text(movie->result, "end");
    if (!end) return 1; /* a table, or a view: nothing is known */
    return strcmp(end, "time") == 0 || strcmp(end, "stop") == 0;
}

hol_pose hol__movie_pose(const hol__movie *movie, int row, int body) {
    hol_pose pose = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (body >= movie->n_bodies) return pose;
    const size_t at = (size_t)row * (size_t)movie->n_bodies + (size_t)body;
    const double *p = movie->quaternion + 4 * at;
    const double s = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    memcpy(pose.r, movie->position + 3 * at, sizeof pose.r);
    pose.R[0] = 1 - s * (p[2] * p[2] + p[3] * p[3]);
    pose.R[1] = s * (p[1] * p[2] - p[0] * p[3]);
    pose.R[2] = s * (p[1] * p[3] + p[0] * p[2]);
    pose.R[3] = s * (p[1] * p[2] + p[0] * p[3]);
    pose.R[4] = 1 - s * (p[1] * p[1] + p[3] * p[3]);
    pose.R[5] = s * (p[2] * p[3] - p[0] * p[1]);
    pose.R[6] = s * (p[1] * p[3] - p[0] * p[2]);
    pose.R[7] = s * (p[2] * p[3] + p[0] * p[1]);
    pose.R[8] = 1 - s * (p[1] * p[1] + p[2] * p[2]);
    return pose;
}

void hol__pose_point(const hol_pose *pose, const double s[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = pose->r[i] + pose->R[3 * i] * s[0] + pose->R[3 * i + 1] * s[1] +
                 pose->R[3 * i + 2] * s[2];
}
