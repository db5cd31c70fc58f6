/* goal.c: goals as text and as numbers of a model. See goal.h. */
#include "analysis/goal.h"

#include "analysis/vary.h"
#include "base/text.h"
#include "common/nearest.h"
#include "common/number.h"

#include <math.h>
#include <string.h>

/* The kinds: by name, and by the word of the text where that is another. */
static const struct kind {
    const char *name, *word;
    hol__goal_rule rule;
} kinds[] = {
    {"end", "end", HOL__GOAL_END},
    {"at", "at", HOL__GOAL_AT},
    {"integral", "integral", HOL__GOAL_INTEGRAL},
    {"mean", "mean", HOL__GOAL_MEAN},
    {"mean-square", "mean-square", HOL__GOAL_SQUARE},
    {"maximum", "max", HOL__GOAL_HIGHEST},
    {"minimum", "min", HOL__GOAL_LOWEST},
    {"when-maximum", "when max", HOL__GOAL_WHEN_HIGHEST},
    {"when-minimum", "when min", HOL__GOAL_WHEN_LOWEST},
    {"when-above", "", HOL__GOAL_WHEN_ABOVE},
    {"when-below", "", HOL__GOAL_WHEN_BELOW},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const char wanted[] =
    "end NAME, at T NAME, integral NAME, mean NAME, mean-square NAME, max NAME, min NAME, when max "
    "NAME, when min NAME, when NAME > LEVEL or when NAME < LEVEL";

/* The kind of a word of n characters; NULL: none. */
static const struct kind *find_kind(const char *word, size_t n) {
    for (int i = 0; i < KINDS; i++) {
        const char *const names[] = {kinds[i].name, kinds[i].word};
        for (int k = 0; k < 2; k++)
            if (strlen(names[k]) == n && memcmp(names[k], word, n) == 0) return &kinds[i];
    }
    return NULL;
}

/* ---- text ---- */

/* Where blanks end. */
static const char *skip(const char *at) {
    return at + strspn(at, " \t");
}

/* The word at a place, up to a blank or a comma: its length. */
static size_t word_size(const char *at) {
    return strcspn(at, " \t,");
}

/* The rest of a goal that begins with `when`: "max NAME", "min NAME", "NAME > 30 deg"; where it
 * ends, NULL where it is none. */
static const char *read_when(const char *here, hol__arena *arena, hol_goal *goal) {
    const size_t n = word_size(here);
    const char *const behind = skip(here + n);
    const char sign = *behind;
    if (n == 3 && (memcmp(here, "max", 3) == 0 || memcmp(here, "min", 3) == 0) && sign != '<' &&
        sign != '>') {
        goal->kind = here[1] == 'a' ? "when-maximum" : "when-minimum";
        goal->measure = hol__arena_text_n(arena, behind, word_size(behind));
        return word_size(behind) ? skip(behind + word_size(behind)) : NULL;
    }
    const char *const level = skip(behind + 1);
    const size_t length = strcspn(level, ",");
    if (!n || (sign != '<' && sign != '>') || !length) return NULL;
    goal->kind = sign == '>' ? "when-above" : "when-below";
    goal->measure = hol__arena_text_n(arena, here, n);
    goal->level = hol__arena_text_n(arena, level, length);
    return level + length;
}

/* The rest of any other goal: the time of `at`, and the measure. */
static const char *read_measure(const char *here, int timed, hol__arena *arena, hol_goal *goal) {
    if (timed) {
        const char *end;
        goal->time = hol__number_read(here, &end);
        here = end == here || !isfinite(goal->time) ? "" : skip(end);
    }
    const size_t n = word_size(here);
    goal->measure = hol__arena_text_n(arena, here, n);
    return n ? skip(here + n) : NULL;
}

/* One goal of the text; *at goes behind it. */
static hol_status read_one(hol_context *ctx, const char **at, hol__arena *arena, hol_goal *goal) {
    const char *const begin = skip(*at);
    const size_t n = word_size(begin);
    const char *const behind = skip(begin + n);
    const int when = n == 4 && memcmp(begin, "when", 4) == 0 && *behind && *behind != ',';
    const struct kind *kind = find_kind(begin, n);
    *goal = (hol_goal){.size = sizeof *goal, .kind = "end"};
    if (!*behind || *behind == ',') kind = NULL; /* a measure of that name */
    if (kind) goal->kind = kind->name;
    const char *const rest =
        when ? read_when(behind, arena, goal)
             : read_measure(kind ? behind : begin, kind && kind->rule == HOL__GOAL_AT, arena, goal);
    if (!rest || (*rest && *rest != ','))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "'%.*s' is not a goal; write %s, with commas between goals",
                           (int)strcspn(begin, ","), begin, wanted);
    *at = *rest ? rest + 1 : rest;
    return goal->measure ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol__goals_read(hol_context *ctx, const char *text, hol__arena *arena, int *n,
                           hol_goal **goals) {
    int most = 1;
    for (const char *c = text; *c; c++) most += *c == ',';
    *n = 0;
    *goals = HOL__NEW_N(arena, hol_goal, most);
    hol_status status = *goals ? HOL_OK : HOL_ERR_MEMORY;
    const char *at = text;
    do {
        if (!status) status = read_one(ctx, &at, arena, &(*goals)[*n]);
        if (!status) ++*n;
    } while (!status && *at);
    return status;
}

/* ---- against a model ---- */

static const char *column_name(const void *self, int i) {
    const hol_model *m = self;
    return i < m->n_columns ? m->columns[i].name : NULL;
}

static hol_status unknown(hol_context *ctx, const hol_model *m, const hol_goal *goal) {
    char buf[128];
    if (!m->n_columns)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the model has no measures; add a section 'measures', for example "
                           "`energy: {type: energy}`");
    return hol__report(
        ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL, "the model has no measure '%s'%s",
        goal->measure ? goal->measure : "",
        hol__did_you_mean(hol__nearest(goal->measure ? goal->measure : "", column_name, m), buf,
                          sizeof buf));
}

/* The column of a goal; -1 after a report. */
static int find_column(hol_context *ctx, const hol_model *m, const hol_goal *goal) {
    const int column = goal->measure ? hol_model_measure_index(m, goal->measure) : -1;
    if (column >= 0) return column;
    for (int i = 0; goal->measure && i < m->n_measures; i++) {
        const hol__measure *measure = &m->measures[i];
        if (strcmp(measure->name, goal->measure) != 0) continue;
        if (goal->component >= 0 && goal->component < measure->count)
            return measure->first + goal->component;
        hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &measure->where, measure->label,
                    "has no component %d; it has %d, such as '%s'", goal->component, measure->count,
                    m->columns[measure->first].name);
        return -1;
    }
    unknown(ctx, m, goal);
    return -1;
}

/* The unit of the number that a rule makes of a column with this unit. */
static const char *unit_of(hol__goal_rule rule, const char *unit, hol__arena *arena) {
    if (rule >= HOL__GOAL_WHEN_HIGHEST) return "s";
    if (rule == HOL__GOAL_SQUARE && *unit)
        return hol__arena_format(arena, strpbrk(unit, "*/^") ? "(%s)^2" : "%s^2", unit);
    if (rule != HOL__GOAL_INTEGRAL) return unit;
    return *unit ? hol__arena_format(arena, "%s*s", unit) : "s";
}

hol_status hol__goal_resolve(hol_context *ctx, const hol_model *m, const hol_goal *given,
                             hol__arena *arena, hol__goal *out) {
    hol_goal goal = {.size = sizeof goal};
    memcpy(&goal, given, given->size < sizeof goal ? given->size : sizeof goal);
    const struct kind *kind = goal.kind ? find_kind(goal.kind, strlen(goal.kind)) : &kinds[0];
    if (!kind)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "there is no kind of goal '%s'; take end, at, integral, mean, "
                           "mean-square, maximum, minimum, when-maximum, when-minimum, when-above "
                           "or when-below",
                           goal.kind);
    const int column = find_column(ctx, m, &goal);
    if (column < 0) return HOL_ERR_ARGUMENT;
    if (kind->rule == HOL__GOAL_AT && !isfinite(goal.time))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the time of a goal must be a finite number");
    char number[HOL__NUMBER_SIZE];
    const char *name = m->columns[column].name;
    *out = (hol__goal){.rule = kind->rule, .column = column, .time = goal.time};
    const int crosses = hol__goal_crosses(out);
    if (crosses && !goal.level)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a goal of the kind '%s' needs a level, e.g. \"30 deg\"", kind->name);
    const hol_status status = crosses ? hol__quantity_at(ctx, arena, NULL, goal.level,
                                                         m->columns[column].unit, &out->level)
                                      : HOL_OK;
    if (status) return status;
    out->text =
        kind->rule == HOL__GOAL_AT
            ? hol__arena_format(arena, "at %s %s", hol__number_text(goal.time, number), name)
        : crosses
            ? hol__arena_format(arena, "when %s %c %s", name, crosses > 0 ? '>' : '<', goal.level)
            : hol__arena_format(arena, "%s %s", kind->word, name);
    out->unit = unit_of(kind->rule, hol__arena_text(arena, m->columns[column].unit), arena);
    return out->text && out->unit ? HOL_OK : HOL_ERR_MEMORY;
}
