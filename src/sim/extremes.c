/* extremes.c: the extremes of every measure over all accepted steps.
 *
 * Outputs are samples: two a turn of an engine say little about its bearings. The steps that the
 * integrator accepts follow the motion, as many a turn as its accuracy needs, so that the extremes
 * among them are near those of the motion: between two steps a measure that turns smoothly rises
 * above both by at most h^2 max|x''|/8.
 *
 * Measures of accelerations and reactions need the equations solved at the end of a step, which is
 * done where some measure asks for it. In outputs that steps end at it is done anyway. Where the
 * forces jump at an instant of time both sides count.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns that a warning names. */
enum { NAMED = 3 };

hol_status hol__extremes_init(hol_sim *sim) {
    hol__extremes *x = &sim->extremes;
    const hol_model *m = sim->whole;
    if (!(int)sim->options[HOL__OPT_EXTREMES]) return HOL_OK;
    const size_t n = (size_t)m->n_columns;
    double **const vectors[] = {&x->low,    &x->t_low,      &x->high,
                                &x->t_high, &x->sample_low, &x->sample_high};
    const size_t count = sizeof vectors / sizeof *vectors;
    x->block = hol__alloc(sim->ctx, count * n + 1, sizeof *x->block);
    if (!x->block) return HOL_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) *vectors[i] = x->block + i * n;
    x->n = m->n_columns;
    const char *word = "off";
    hol_options_get_choice(sim->given, "constraint_reactions", &word);
    x->solves = strcmp(word, "on") == 0;
    for (int k = 0; k < m->n_measures; k++) x->solves |= m->measures[k].level == HOL__LEVEL_ACC;
    hol__extremes_start(sim);
    return HOL_OK;
}

void hol__extremes_free(hol_sim *sim) {
    hol__release(sim->ctx, sim->extremes.block);
}

void hol__extremes_start(hol_sim *sim) {
    hol__extremes *x = &sim->extremes;
    x->samples = 0;
    hol__extremes_tell(sim, NULL);
    for (int i = 0; i < x->n; i++) {
        x->low[i] = x->sample_low[i] = INFINITY;
        x->high[i] = x->sample_high[i] = -INFINITY;
        x->t_low[i] = x->t_high[i] = NAN;
    }
}

void hol__extremes_add(hol_sim *sim, hol__onlooker *onlooker) {
    if (!(int)sim->options[HOL__OPT_EXTREMES]) return;
    onlooker->next = sim->extremes.onlookers;
    sim->extremes.onlookers = onlooker;
}

void hol__extremes_tell(hol_sim *sim, const char *loads) {
    hol__print(sim->extremes.loads, sizeof sim->extremes.loads, "%s", loads ? loads : "");
}

hol__sight hol__extremes_sight(const hol_sim *sim) {
    const hol_data *data = sim->data;
    return (hol__sight){data->stamp, data->stage >= HOL_STAGE_DYN,
                        data->solved == HOL__SOLVED_METHOD};
}

void hol__extremes_drop(hol_sim *sim, hol__onlooker *onlooker) {
    hol__onlooker **at = &sim->extremes.onlookers;
    while (*at && *at != onlooker) at = &(*at)->next;
    if (*at) *at = onlooker->next;
}

/* One column at the time t; a value that is not a number counts nowhere. */
static void take(hol__extremes *x, int i, double value, double t) {
    if (value < x->low[i]) x->low[i] = value, x->t_low[i] = t;
    if (value > x->high[i]) x->high[i] = value, x->t_high[i] = t;
}

void hol__extremes_take(hol_sim *sim, int sample) {
    hol__extremes *x = &sim->extremes;
    hol_data *data = sim->data;
    if (x->solves && hol__form_solve(&sim->form)) return;
    for (const hol__onlooker *o = x->onlookers; o && !sample; o = o->next) o->look(o->self, sim);
    if (!x->n) return;
    hol__measure_all(data, NULL);
    for (int i = 0; i < x->n; i++) take(x, i, data->inputs[1 + i], data->t);
    if (!sample) return;
    x->samples++;
    for (int i = 0; i < x->n; i++) {
        x->sample_low[i] = fmin(x->sample_low[i], data->inputs[1 + i]);
        x->sample_high[i] = fmax(x->sample_high[i], data->inputs[1 + i]);
    }
}

void hol__extremes_take_motion(hol_sim *sim) {
    hol__extremes *x = &sim->extremes;
    const hol_model *m = sim->whole;
    if (!x->n) return;
    hol__measure_all(sim->data, NULL);
    for (int k = 0; k < m->n_measures; k++)
        for (int i = 0; i < m->measures[k].count && m->measures[k].level < HOL__LEVEL_ACC; i++)
            take(x, m->measures[k].first + i, sim->data->inputs[1 + m->measures[k].first + i],
                 sim->data->t);
}

/* The largest number in n columns of that unit. */
static double largest_of(const hol_sim *sim, int first, int n, const char *unit) {
    const hol__extremes *x = &sim->extremes;
    double size = 0;
    for (int k = first; k < first + n; k++)
        if (strcmp(sim->whole->columns[k].unit, unit) == 0)
            size = fmax(size, fmax(fabs(x->high[k]), fabs(x->low[k])));
    return size;
}

/* What rounding of column i of a measure is counted against: the largest number in the columns of
 * the measure that have its unit; of a length also that of the mechanism, of an angle a radian; of
 * a moment also all forces that are measured, times the length of the mechanism, since it is summed
 * from such. */
static double size_of(const hol_sim *sim, const hol__measure *m, int i) {
    const char *unit = sim->whole->columns[i].unit;
    const double size = largest_of(sim, m->first, m->count, unit), length = sim->whole->length;
    if (strcmp(unit, "m") == 0) return fmax(size, length);
    if (strcmp(unit, "rad") == 0) return fmax(size, 1);
    if (strcmp(unit, "N*m") != 0) return size;
    return fmax(size, length * largest_of(sim, 0, sim->whole->n_columns, "N"));
}

/* What the samples of a column of a measure miss, as a share of its range. */
static double missed(const hol_sim *sim, const hol__measure *m, int i) {
    const hol__extremes *x = &sim->extremes;
    const double range = x->high[i] - x->low[i];
    const double most = fmax(x->high[i] - x->sample_high[i], x->sample_low[i] - x->low[i]) / range;
    /* a range of rounding is none: of a component against the whole, of a balance against energy */
    return range > 1e-9 * size_of(sim, m, i) ? most : 0;
}

/* As many digits as tell one number from the other, four at least. */
static int digits_of(double a, double b) {
    char text[2][32] = {"", ""};
    int n = 3;
    while (n < 15 && strcmp(text[0], text[1]) == 0) {
        n++;
        hol__print(text[0], sizeof text[0], "%.*g", n, a);
        hol__print(text[1], sizeof text[1], "%.*g", n, b);
    }
    return n;
}

/* Add what column i reaches to a list of such. */
static void name_missed(const hol_sim *sim, int i, char *list, size_t size) {
    const hol__extremes *x = &sim->extremes;
    const int up = x->high[i] - x->sample_high[i] >= x->sample_low[i] - x->low[i];
    const size_t used = strlen(list);
    hol_unit unit = {.times = 1, .over = 1};
    hol_sim_measure_unit(sim, i, &unit);
    const double reached = hol_unit_show(&unit, up ? x->high[i] : x->low[i]),
                 sample = hol_unit_show(&unit, up ? x->sample_high[i] : x->sample_low[i]);
    const int digits = digits_of(reached, sample);
    hol__print(list + used, size - used, "%s'%.60s' reaches %.*g at t = %.6g, written %.*g %s",
               used ? "; " : "", sim->whole->columns[i].name, digits, reached,
               up ? x->t_high[i] : x->t_low[i], digits, sample, unit.name);
}

void hol__extremes_warn(hol_sim *sim) {
    const hol__extremes *x = &sim->extremes;
    char list[512] = "";
    int n = 0;
    if (!x->n || x->samples < 2) return;
    for (int k = 0; k < sim->whole->n_measures; k++) {
        const hol__measure *m = &sim->whole->measures[k];
        for (int i = m->first; i < m->first + m->count; i++)
            if (missed(sim, m, i) > HOL__EXTREMES_MISSED && n++ < NAMED)
                name_missed(sim, i, list, sizeof list);
    }
    if (n)
        hol__warn(sim->ctx, NULL, "output",
                  "the output times miss extremes of %d measure%s by more than %g %% of the range: "
                  "%s%s; the extremes over all steps are kept beside the results; write more often "
                  "(`output`), or every step (`output: steps`)",
                  n, n == 1 ? "" : "s", 100 * HOL__EXTREMES_MISSED, list, n > NAMED ? "; ..." : "");
}

void hol__extremes_walk(hol_sim *sim, hol__archive *archive) {
    hol__extremes *x = &sim->extremes;
    HOL__ARCHIVE(archive, x->samples);
    HOL__ARCHIVE_N(archive, x->block, 6 * x->n);
}
