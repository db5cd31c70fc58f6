/* record_extremes.c: the extremes of all values of a record over the accepted steps while its file
 * is open, beside those of what was written (sim/extremes.c has those of the measures).
 *
 * Positions, velocities and energies are known after every step. Forces count where they were
 * evaluated at its end, and reactions where the equations were solved there: for the formula, for a
 * measure, or for a record.
 */
#include "io/record.h"
#include "sim/extremes.h"

#include <math.h>
#include <string.h>

/* Columns that a warning names. */
enum { NAMED = 3 };

int hol__record_keep_extremes(hol__record *record, hol__arena *arena) {
    hol__record_extremes *x = &record->extremes;
    const size_t n = (size_t)record->size;
    double **const vectors[] = {&x->low,    &x->t_low,      &x->high,
                                &x->t_high, &x->sample_low, &x->sample_high};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = HOL__NEW_N(arena, double, n);
        if (!*vectors[i]) return 0;
    }
    x->turns = HOL__NEW_N(arena, double, 4 * (size_t)record->shape.n_bodies);
    if (!x->turns || !hol__record_keep_peaks(record, arena)) return 0;
    for (size_t i = 0; i < n; i++) {
        x->low[i] = x->sample_low[i] = INFINITY;
        x->high[i] = x->sample_high[i] = -INFINITY;
        x->t_low[i] = x->t_high[i] = NAN;
    }
    x->n = record->size;
    return 1;
}

/* The values from first to before end. */
static void take(hol__record *record, int first, int end) {
    const hol__record_extremes *x = &record->extremes;
    const double *values = record->values, t = values[0];
    for (int i = first; i < end; i++) {
        if (values[i] < x->low[i]) x->low[i] = values[i], x->t_low[i] = t;
        if (values[i] > x->high[i]) x->high[i] = values[i], x->t_high[i] = t;
    }
}

void hol__record_take(hol__record *record, unsigned what) {
    const hol__field *fields = record->fields + 1 + record->shape.n_measures;
    const int motion = fields[HOL__FIELD_KINETIC].offset,
              joints = fields[HOL__FIELD_JOINT_POINT].offset,
              forces = fields[HOL__FIELD_FORCE_POINT].offset;
    if (!record->extremes.n) return;
    if (what & HOL__KNOWS_CONSTRAINTS) take(record, motion - record->constraints.n, motion);
    if (what & HOL__KNOWS_MOTION) take(record, motion, joints);
    if (what & HOL__KNOWS_JOINTS) take(record, joints, forces);
    if (what & HOL__KNOWS_FORCES) take(record, forces, record->size);
    hol__record_take_peaks(record, what);
}

void hol__record_take_written(hol__record *record, unsigned what) {
    hol__record_extremes *x = &record->extremes;
    if (!x->n) return;
    x->samples++;
    hol__record_take(record, what);
    memcpy(x->turns, hol__record_place(record, HOL__FIELD_BODY_QUATERNION, record->values),
           4 * sizeof(double) * (size_t)record->shape.n_bodies);
    for (int i = 0; i < x->n; i++) {
        const double value = record->values[i];
        if (value < x->sample_low[i]) x->sample_low[i] = value;
        if (value > x->sample_high[i]) x->sample_high[i] = value;
    }
}

void hol__record_walk(hol__record *record, hol__archive *archive) {
    hol__record_extremes *x = &record->extremes;
    double *const vectors[] = {x->low, x->t_low, x->high, x->t_high, x->sample_low, x->sample_high};
    hol__archive_mark(archive, &x->n, sizeof x->n);
    hol__archive_mark(archive, &record->size, sizeof record->size);
    hol__archive_numbers(archive, record->values, record->size);
    HOL__ARCHIVE(archive, x->samples);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        hol__archive_numbers(archive, vectors[i], x->n);
    hol__archive_numbers(archive, x->turns, x->n ? 4 * record->shape.n_bodies : 0);
    if (x->n) hol__record_walk_peaks(record, archive);
    if (hol__archive_reads(archive)) record->known = 0;
}

/* What the records miss of value i, as a share of its range; none where that is rounding of `size`,
 * the largest value of its kind. */
static double missed(const hol__record_extremes *x, int i, double size) {
    const double range = x->high[i] - x->low[i];
    if (!(range > 1e-9 * size)) return 0;
    return fmax(x->high[i] - x->sample_high[i], x->sample_low[i] - x->low[i]) / range;
}

/* The largest of a field. */
static double size_of(const hol__record_extremes *x, const hol__field *field) {
    double size = 0;
    for (int i = field->offset; i < field->offset + field->size; i++)
        if (x->low[i] <= x->high[i]) size = fmax(size, fmax(fabs(x->high[i]), fabs(x->low[i])));
    return size;
}

/* What rounding in a field of the table is counted against: its largest value; of a position also
 * the size of the mechanism, of a moment the largest force times the largest arm, since it is
 * summed from such. */
static double scale_of(const hol__record *record, int row) {
    const hol__record_extremes *x = &record->extremes;
    const hol__field *field = &record->fields[1 + record->shape.n_measures + row];
    const double size = size_of(x, field);
    if (row == HOL__FIELD_BODY_POSITION) return fmax(size, record->shape.length);
    if (row != HOL__FIELD_JOINT_MOMENT && row != HOL__FIELD_FORCE_MOMENT) return size;
    const hol__field *body = field - row + HOL__FIELD_BODY_POSITION; /* force and point before it */
    return fmax(size, size_of(x, field - 1) * fmax(size_of(x, field - 2), size_of(x, body)));
}

/* Add what value i of a field reaches to a list of such. */
static void name_missed(const hol__record *record, const hol__field *field,
                        const char *const *names, int i, char *list, size_t size) {
    const hol__record_extremes *x = &record->extremes;
    const int width = field->rank == 2 ? field->dims[1] : 1, k = i - field->offset;
    const int up = x->high[i] - x->sample_high[i] >= x->sample_low[i] - x->low[i];
    const size_t used = strlen(list);
    const char *component = width == 4 ? "wxyz" : "xyz";
    hol__print(list + used, size - used,
               "%s%s/%s of '%.60s' (%c) reaches %.4g at t = %.6g, written "
               "%.4g %s",
               used ? "; " : "", field->group, field->name, names[k / width], component[k % width],
               up ? x->high[i] : x->low[i], up ? x->t_high[i] : x->t_low[i],
               up ? x->sample_high[i] : x->sample_low[i], field->unit);
}

/* Fields by body, joint and force, whose samples a reader takes for the motion. */
static const char *const *names_of(const hol__record *record, int row) {
    const hol__shape *shape = &record->shape;
    switch (row) {
    case HOL__FIELD_BODY_POSITION:
    case HOL__FIELD_BODY_QUATERNION: return shape->bodies;
    case HOL__FIELD_JOINT_FORCE:
    case HOL__FIELD_JOINT_MOMENT: return shape->joints;
    case HOL__FIELD_FORCE_FORCE:
    case HOL__FIELD_FORCE_MOMENT: return shape->forces;
    default: return NULL;
    }
}

void hol__record_warn(hol_context *ctx, const hol__record *record) {
    const hol__record_extremes *x = &record->extremes;
    char list[640] = "";
    int n = 0;
    if (!x->n || x->samples < 2) return;
    for (int row = 0; row < HOL__FIELD_COUNT; row++) {
        const hol__field *field = &record->fields[1 + record->shape.n_measures + row];
        const char *const *names = names_of(record, row);
        const double size = names ? scale_of(record, row) : 0;
        for (int i = field->offset; names && i < field->offset + field->size; i++)
            if (missed(x, i, size) > HOL__EXTREMES_MISSED && n++ < NAMED)
                name_missed(record, field, names, i, list, sizeof list);
    }
    if (n)
        hol__warn(ctx, NULL, "output",
                  "the records miss extremes of %d column%s of bodies, joints and forces by more "
                  "than %g %% of the range: %s%s; the extremes over all steps are attributes "
                  "of their datasets; write more often (`output`), or every step (`output: "
                  "steps`)",
                  n, n == 1 ? "" : "s", 100 * HOL__EXTREMES_MISSED, list, n > NAMED ? "; ..." : "");
}
