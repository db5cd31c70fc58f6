/* facts.c: what was studied, as facts: the file and its model, the design, what varies and how, what
 * is kept of each case and what is accepted; how many cases there are, and what they cost. */
#include "study/columns.h"
#include "study/design.h"

#include <holonom/version.h>

#include <math.h>

/* Text behind other text. */
typedef struct line {
    char text[1000];
    size_t n;
} line;

static void add(line *l, const char *format, double x, const char *unit) {
    if (l->n + 1 >= sizeof l->text) return;
    const size_t left = sizeof l->text - l->n;
    const int n = hol__print(l->text + l->n, left, format, x, *unit ? " " : "", unit);
    l->n += n < 0 ? 0 : (size_t)n < left ? (size_t)n : left - 1;
}

/* The levels of a factor, words with their numbers; of many numbers the ends alone. */
static void add_levels(line *l, const hol__factor *f) {
    enum { MOST = 6 };
    const char *unit = f->about.unit;
    if (!f->words && f->n_levels > MOST) {
        add(l, "%.0f levels%s%s", f->n_levels, "");
        add(l, " from %.9g%s%s", f->levels[0], unit);
        add(l, " to %.9g%s%s", f->levels[f->n_levels - 1], unit);
        return;
    }
    if (f->words) add(l, "words: ", 0, "");
    for (int k = 0; k < f->n_levels; k++) {
        if (k) add(l, ", ", 0, "");
        if (f->words)
            add(l, "%.0f%s%s", k, f->words[k]);
        else
            add(l, "%.9g%s%s", f->levels[k], unit);
    }
}

/* How the values of a factor are spread. */
static void describe(const hol__factor *f, line *l) {
    const char *unit = f->about.unit;
    switch (f->spread) {
    case HOL__SPREAD_LEVELS: add_levels(l, f); return;
    case HOL__SPREAD_TABLE: add(l, "a column of the table", 0, ""); return;
    case HOL__SPREAD_UNIFORM: add(l, "evenly", 0, ""); break;
    case HOL__SPREAD_LOGARITHMIC: add(l, "evenly in its logarithm", 0, ""); break;
    case HOL__SPREAD_NORMAL:
        add(l, "normal, mean %.9g%s%s", f->centre, unit);
        add(l, ", deviation %.9g%s%s", f->width, unit);
        break;
    case HOL__SPREAD_LOGNORMAL:
        add(l, "lognormal, median %.9g%s%s", exp(f->centre), unit);
        add(l, ", factor %.9g%s%s", exp(f->width), "");
        break;
    case HOL__SPREAD_TRIANGULAR: add(l, "triangular, mode %.9g%s%s", f->centre, unit); break;
    }
    if (isfinite(f->low)) add(l, ", from %.9g%s%s", f->low, unit);
    if (isfinite(f->high)) add(l, ", to %.9g%s%s", f->high, unit);
}

static void put_factors(const hol_study *s, hol_answer *answer) {
    for (int j = 0; j < s->n_factors; j++) {
        const hol__factor *f = &s->factors[j];
        line l = {.n = 0};
        char key[200], title[200];
        describe(f, &l);
        hol__print(key, sizeof key, "factor_%s", f->about.name);
        hol__print(title, sizeof title, "factor %s", f->about.name);
        hol__answer_text(answer, key, title, "%s", l.text);
    }
}

static void put_responses(const hol_study *s, hol_answer *answer) {
    for (int i = 0; i < s->n_responses; i++) {
        const hol__response *r = &s->responses[i];
        const char *kind = r->yields ? "accept" : "response";
        char key[200], title[200];
        hol__print(key, sizeof key, "%s_%s", kind, r->about.name);
        hol__print(title, sizeof title, "%s %s", kind, r->about.name);
        hol__answer_text(answer, key, title, "%s", r->about.doc);
    }
}

/* What all cases took together. */
static void put_cost(const hol_study *s, const hol__cases *c, double seconds, hol_answer *answer) {
    double steps = 0, evaluations = 0;
    for (long long k = 0; k < s->cases; k++) {
        steps += c->steps[k];
        evaluations += c->evaluations[k];
    }
    if (s->spec) hol__answer_number(answer, "steps", "steps of all cases", steps, "");
    if (s->spec) hol__answer_number(answer, "evaluations", "evaluations", evaluations, "");
    hol__answer_number(answer, "seconds", "time of this start", seconds, "s");
}

void hol__study_facts(const hol_study *s, const hol__cases *c, double seconds, hol_answer *answer) {
    hol__answer_text(answer, "file", "file", "%s", s->responses[0].where.file);
    if (s->model_path[0]) hol__answer_text(answer, "model", "model", "%s", s->model_path);
    hol__answer_text(answer, "design", "design", "%s", s->design->name);
    hol__answer_number(answer, "seed", "seed", (double)s->seed, "");
    hol__answer_number(answer, "cases", "cases", (double)s->cases, "");
    hol__answer_number(answer, "done", "done", (double)c->done, "");
    hol__answer_number(answer, "failed", "of them failed", (double)c->failed, "");
    hol__answer_number(answer, "beyond", "of them beyond their tolerances", (double)c->beyond, "");
    hol__answer_number(answer, "found", "of them from the log", (double)c->found, "");
    put_cost(s, c, seconds, answer);
    put_factors(s, answer);
    put_responses(s, answer);
    hol__answer_text(answer, "version", "version", "%s", hol_version());
}
