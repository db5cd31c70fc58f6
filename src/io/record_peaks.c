/* record_peaks.c: the largest loads over the accepted steps while a file is open: by joint and by
 * force the greatest length of its force and of its moment, and when. The greatest of each kind is
 * what the summary of a run tells (largest_loads). */
#include "common/format.h"
#include "io/record.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* The fields whose vectors are loads, and what they are called. */
static const struct load_kind {
    int row;
    unsigned known; /* with what */
    const char *name;
} kinds[] = {
    {HOL__FIELD_JOINT_FORCE, HOL__KNOWS_JOINTS, "reaction"},
    {HOL__FIELD_JOINT_MOMENT, HOL__KNOWS_JOINTS, "reaction moment"},
    {HOL__FIELD_FORCE_FORCE, HOL__KNOWS_FORCES, "force"},
    {HOL__FIELD_FORCE_MOMENT, HOL__KNOWS_FORCES, "moment of a force"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Loads below this share of the largest are rounding. */
static const double ROUNDING = 1e-9;

static const hol__field *field_of(const hol__record *record, int kind) {
    return &record->fields[1 + record->shape.n_measures + kinds[kind].row];
}

static int n_peaks(const hol__record *record) {
    return 2 * (record->shape.n_joints + record->shape.n_forces);
}

int hol__record_keep_peaks(hol__record *record, hol__arena *arena) {
    hol__record_extremes *x = &record->extremes;
    x->peak = HOL__NEW_N(arena, double, 2 * (size_t)n_peaks(record) + 1);
    return x->peak != NULL;
}

void hol__record_take_peaks(hol__record *record, unsigned what) {
    double *peak = record->extremes.peak;
    for (int k = 0; k < KINDS; k++) {
        const hol__field *field = field_of(record, k);
        const double *v = record->values + field->offset;
        for (int i = 0; i < field->dims[0]; i++, peak += 2, v += 3) {
            const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            if (kinds[k].known & what && size > peak[0])
                peak[0] = size, peak[1] = record->values[0];
        }
    }
}

void hol__record_walk_peaks(hol__record *record, hol__archive *archive) {
    hol__archive_numbers(archive, record->extremes.peak, 2 * n_peaks(record));
}

/* Whether the reactions of a joint were not unique at some step. */
static int is_open(const hol__record *record, int kind, int i) {
    const int first = 1 + record->shape.n_measures + HOL__FIELD_JOINT_UNIQUE;
    return kinds[kind].known == HOL__KNOWS_JOINTS &&
           record->extremes.low[record->fields[first].offset + i] < 0.5;
}

/* What is said behind a load that is not unique: " (not unique)", or which of its components are
 * not, as the mechanism stands now; nothing where those of this kind are. */
static const char *remark(const hol__record *record, const hol_sim *sim, int kind, int i,
                          char *text, size_t size) {
    static const char axes[] = "xyz";
    const int turns = kinds[kind].row == HOL__FIELD_JOINT_MOMENT, plane = sim->model->dim == 2;
    const unsigned all = plane ? (turns ? 4 : 3) : 7;
    *text = '\0';
    if (!is_open(record, kind, i)) return text;
    const unsigned found = hol__sim_reaction_open(sim, i),
                   mask = found ? (turns ? found >> 3 : found) & all : all;
    if (!mask) return text;
    for (int k = 0; k < 3 && mask != all; k++) {
        const size_t used = strlen(text);
        if (mask >> k & 1)
            hol__print(text + used, size - used, "%s%c", used ? ", " : " (", axes[k]);
    }
    const size_t used = strlen(text);
    hol__print(text + used, size - used, "%s", used ? " not unique)" : " (not unique)");
    return text;
}

/* Add the largest load of a kind to the text; peak: of its elements. */
static void add_largest(const hol__record *record, const hol_sim *sim, int kind, const double *peak,
                        double least, char *text, size_t size) {
    const hol__field *field = field_of(record, kind);
    hol_unit load, time;
    const char *const *names =
        kinds[kind].known == HOL__KNOWS_JOINTS ? record->shape.joints : record->shape.forces;
    const size_t used = strlen(text);
    char words[64];
    int most = 0;
    for (int i = 1; i < field->dims[0]; i++)
        if (peak[2 * i] > peak[2 * most]) most = i;
    if (!field->dims[0] || !(peak[2 * most] > least)) return;
    hol_sim_unit(sim, field->unit, &load);
    hol_sim_unit(sim, "s", &time);
    hol__print(text + used, size - used, "%s%s %.5g %s of '%.60s' at t = %.6g %s%s",
               used ? "; " : "", kinds[kind].name, hol_unit_show(&load, peak[2 * most]), load.name,
               names[most], hol_unit_show(&time, peak[2 * most + 1]), time.name,
               remark(record, sim, kind, most, words, sizeof words));
}

void hol__record_tell_loads(const hol__record *record, const hol_sim *sim, char *text,
                            size_t size) {
    const double *peak = record->extremes.peak;
    double most = 0;
    *text = '\0';
    if (!record->extremes.n) return;
    for (int i = 0; i < n_peaks(record); i++) most = fmax(most, peak[2 * i]);
    for (int k = 0; k < KINDS; peak += 2 * field_of(record, k)->dims[0], k++)
        add_largest(record, sim, k, peak, ROUNDING * most, text, size);
}
