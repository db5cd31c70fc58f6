/* independent.c: the option `independent`: coordinates, or sums of coordinates with factors, that
 * the user wants as independent ones. [GJB 5.54, 5.60]
 *
 *     sum     term { (+|-) term }
 *     term    [number [*]] name
 *
 * Names are those of the velocities in the coordinates of the run (hol_model_velocity_name); where
 * several fit, the longest one counts, so that names may hold signs and dots. Each sum is a row of
 * B, which the completion checks and keeps (dyn/completion_given.c).
 */
#include "sim/sim.h"

#include "base/text.h"
#include "common/number.h"

#include <holonom/matrix.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 256 };

/* ---- names ---- */

/* The names of all velocities, with NULL behind the last; NULL without memory. */
static const char **names_of(hol_sim *sim) {
    const int n = sim->model->nv;
    const char **names = HOL__NEW_N(&sim->arena, const char *, n + 1);
    for (int i = 0; names && i < n; i++) {
        char name[NAME_SIZE];
        hol_model_velocity_name(sim->model, i, name, sizeof name);
        names[i] = hol__arena_text(&sim->arena, name);
    }
    return sim->arena.failed ? NULL : names;
}

static const char *name_at(const void *names, int i) {
    return ((const char *const *)names)[i];
}

/* The velocity whose name is the longest at the front of text, and its length; -1: none. */
static int match(const char *const *names, const char *text, size_t *length) {
    int found = -1;
    *length = 0;
    for (int i = 0; names[i]; i++) {
        const size_t n = strlen(names[i]);
        if (n > *length && strncmp(text, names[i], n) == 0) found = i, *length = n;
    }
    return found;
}

/* ---- reading ---- */

static const char list_of_names[] = "; run 'holonom check' for a list of names";

/* One text of the list that is read. */
typedef struct sum_reader {
    hol_sim *sim;
    const char *const *names;
    const hol__option_text *item;
    const char *rest;
} sum_reader;

/* Refuse the text: why, a word of it (may be NULL), and a hint. */
static hol_status refuse(const sum_reader *r, const char *why, const char *word, const char *hint) {
    return hol__report(r->sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &r->item->where, "simulation",
                       "independent: '%s': %s%s%s%s%s", r->item->text, why, word ? " '" : "",
                       word ? word : "", word ? "'" : "", hint);
}

static void skip_blanks(sum_reader *r) {
    while (*r->rest == ' ' || *r->rest == '\t') r->rest++;
}

/* A word that is no name, up to where the next term could begin. */
static hol_status unknown(const sum_reader *r) {
    char word[NAME_SIZE], hint[NAME_SIZE + 32];
    const size_t n = strcspn(r->rest, " \t+*");
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), r->rest);
    if (!word[0]) return refuse(r, "a name is missing", NULL, list_of_names);
    const char *near = hol__nearest(word, name_at, r->names);
    return refuse(r, "these coordinates have no", word,
                  near ? hol__did_you_mean(near, hint, sizeof hint) : list_of_names);
}

/* [number [*]] name, with the sign that stood before it, into the row. */
static hol_status read_term(sum_reader *r, double sign, double *row) {
    double factor = sign;
    size_t length;
    skip_blanks(r);
    int i = match(r->names, r->rest, &length);
    if (i < 0) {
        const char *end;
        const double number = hol__number_read(r->rest, &end);
        if (end != r->rest) {
            if (!isfinite(number)) return refuse(r, "a factor is not a finite number", NULL, "");
            factor *= number;
            r->rest = end;
            skip_blanks(r);
            if (*r->rest == '*') r->rest++;
            skip_blanks(r);
        }
        i = match(r->names, r->rest, &length);
    }
    if (i < 0) return unknown(r);
    r->rest += length;
    row[i] += factor;
    return HOL_OK;
}

/* A sum into a row of B. */
static hol_status read_sum(hol_sim *sim, const char *const *names, const hol__option_text *item,
                           double *row) {
    sum_reader r = {sim, names, item, item->text};
    double sign = 1, size = 0;
    skip_blanks(&r);
    if (*r.rest == '-') sign = -1;
    if (*r.rest == '-' || *r.rest == '+') r.rest++;
    for (;;) {
        const hol_status status = read_term(&r, sign, row);
        if (status) return status;
        skip_blanks(&r);
        if (!*r.rest) break;
        if (*r.rest != '+' && *r.rest != '-')
            return refuse(&r, "after a name stands + or -, not", r.rest, "");
        sign = *r.rest++ == '-' ? -1 : 1;
    }
    for (int i = 0; i < sim->model->nv; i++) size = fmax(size, fabs(row[i]));
    return size > 0 ? HOL_OK : refuse(&r, "its terms cancel", NULL, "");
}

/* ---- giving them to the completion ---- */

/* Who has independent coordinates in this run: its state, or its correction; NULL: nobody. */
static hol__completion *completion_of(const hol_sim *sim) {
    if (sim->form.completion) return sim->form.completion;
    return sim->correction && sim->correction->own ? sim->correction->completion : NULL;
}

static const hol__option_text *given_texts(const hol_sim *sim) {
    return hol__options_texts(sim->given, hol__options_find(sim->given, "independent"));
}

/* The names of the coordinates that the program chose, with commas. */
static const char *would_do(const hol_sim *sim, const hol__completion *c, char *buf, size_t size) {
    size_t used = 0;
    buf[0] = '\0';
    for (int k = 0; k < c->f && used < size; k++) {
        char name[NAME_SIZE];
        hol_model_velocity_name(sim->model, c->picked[k], name, sizeof name);
        used += (size_t)snprintf(buf + used, size - used, "%s%s", k ? ", " : "", name);
    }
    return buf;
}

/* As many as there are degrees of freedom. */
static hol_status check_count(hol_sim *sim, const hol__completion *c, int n) {
    char names[512];
    const hol_location where = hol__sim_option_where(sim, HOL__OPT_INDEPENDENT);
    if (n == c->f) return HOL_OK;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
                       "independent: %d given, and the mechanism has %d degree%s of freedom; these "
                       "would do: %s",
                       n, c->f, c->f == 1 ? "" : "s", would_do(sim, c, names, sizeof names));
}

/* Why a row cannot be an independent coordinate at the start. */
static hol_status report_row(hol_sim *sim, const hol__completion *c, int row, int alone) {
    char names[512];
    const hol__option_text *texts = given_texts(sim);
    int twice = 0;
    for (int k = 0; k < row; k++) twice |= strcmp(texts[k].text, texts[row].text) == 0;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &texts[row].where, "simulation",
                       "independent: '%s' %s at the start, t = %.6g; the mechanism has %d degree%s "
                       "of freedom, and these would do: %s",
                       texts[row].text,
                       alone   ? "cannot move"
                       : twice ? "is given twice, so that it adds nothing"
                               : "depends on those before it",
                       sim->data->t, c->f, c->f == 1 ? "" : "s",
                       would_do(sim, c, names, sizeof names));
}

/* R^ at which z, known to the tolerance of the steps or to rounding, does not tell one branch from
 * the other (completion_given.c). */
static double bound_of(const hol_sim *sim) {
    const double *o = sim->options;
    return 1 / sqrt(o[HOL__OPT_STEP] > 0 ? DBL_EPSILON : o[HOL__OPT_TOLERANCE]);
}

hol_status hol__independent_give(hol_sim *sim) {
    hol__completion *c = completion_of(sim);
    const int n = (int)sim->options[HOL__OPT_INDEPENDENT], nv = sim->model->nv;
    int row = 0, alone = 0;
    if (!n || !c) return HOL_OK;
    double *B = HOL__NEW_N(&sim->arena, double, (size_t)n *(size_t)nv);
    const char **names = names_of(sim);
    if (!B || !names) return HOL_ERR_MEMORY;
    hol_status status = HOL_OK;
    for (int k = 0; k < n && !status; k++)
        status = read_sum(sim, names, &given_texts(sim)[k], B + k * nv);
    if (!status) status = check_count(sim, c, n);
    if (status) return status;
    const int exchanges = (int)sim->options[HOL__OPT_INDEPENDENT_CHANGE];
    status = hol__completion_give(c, B, exchanges, bound_of(sim), &row, &alone);
    return status == HOL_SINGULAR ? report_row(sim, c, row, alone) : status;
}

/* ---- when they fail ---- */

void hol__independent_restart(hol_sim *sim) {
    hol__completion *c = completion_of(sim);
    if (c) c->last = 0;
}

hol_status hol__independent_explain(hol_sim *sim, hol_status status) {
    hol__completion *c = completion_of(sim);
    char names[512], moves[NAME_SIZE];
    int changed;
    if (!c || c->basis != HOL__COMPLETION_GIVEN || c->exchanges) return status;
    c->last = 0;
    if (hol__completion_renew(c, &changed) || c->worst > c->watch * c->first) {
        const hol__option_text *text = &given_texts(sim)[c->worst_column];
        const double worst = c->worst;
        hol_model_velocity_name(sim->model, c->worst_row, moves, sizeof moves);
        c->exchanges = 1; /* the run is over: what the program would choose here */
        if (hol__completion_select(c) == HOL_OK) c->changes--;
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_SINGULAR, &text->where, "simulation",
                           "independent: at t = %.6g '%s' no longer tells the motion: %s moves "
                           "%.3g times as far, in radians and sizes of the mechanism; these would "
                           "do here: %s; give others, or set independent_change: exchange",
                           sim->data->t, text->text, moves, worst,
                           would_do(sim, c, names, sizeof names));
    }
    return status;
}
