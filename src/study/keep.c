/* keep.c: the section `keep`: cases whose whole motions are kept.
 *
 *     keep:
 *       cases: [0, 17]         by their numbers
 *       extremes: [peak]       those with the least and the largest of these responses
 *       failures: 3            the first case of each of the three reasons that are told first
 *
 * A case is the same whenever it is run, so that nothing is kept while the study runs: whoever
 * wants the motion runs the case again. */
#include "study/study.h"

#include "common/nearest.h"
#include "common/number.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The numbers of a list; *n of them. */
static hol_status read_cases(hol_study *s, const hol_item *list) {
    if (list && hol_item_kind_of(list) != HOL_ITEM_LIST)
        return hol__study_error(s, list, "cases wants a list of their numbers, e.g. [0, 17]");
    s->kept = HOL__NEW_N(&s->arena, long long, hol_item_count(list) + 1);
    if (!s->kept) return HOL_ERR_MEMORY;
    for (const hol_item *i = hol_item_first(list); i; i = hol_item_next(i)) {
        const char *text = hol_item_value(i);
        const char *end = text;
        const double k = text ? hol__number_read(text, &end) : (double)NAN;
        if (!text || end == text || *end || !(k >= 0 && k < (double)s->cases) || k != floor(k))
            return hol__study_error(s, list,
                                    "'%s' is the number of no case; there are %lld, from 0",
                                    text ? text : "", s->cases);
        s->kept[s->n_kept++] = (long long)k;
    }
    return HOL_OK;
}

/* The responses of a list. */
static hol_status read_extremes(hol_study *s, const hol_item *list) {
    if (list && hol_item_kind_of(list) != HOL_ITEM_LIST)
        return hol__study_error(s, list, "extremes wants a list of responses, e.g. [%s]",
                                s->responses[0].about.name);
    s->kept_extremes = HOL__NEW_N(&s->arena, int, hol_item_count(list) + 1);
    if (!s->kept_extremes) return HOL_ERR_MEMORY;
    for (const hol_item *i = hol_item_first(list); i; i = hol_item_next(i)) {
        const char *name = hol_item_value(i);
        hol__near near = hol__near_start(name ? name : "");
        char hint[128];
        int found = -1;
        for (int k = 0; k < s->n_responses && name; k++) {
            if (strcmp(s->responses[k].about.name, name) == 0) found = k;
            hol__near_try(&near, s->responses[k].about.name);
        }
        if (found < 0)
            return hol__study_error(s, list, "there is no response '%s'%s", name ? name : "",
                                    hol__did_you_mean(near.best, hint, sizeof hint));
        s->kept_extremes[s->n_kept_extremes++] = found;
    }
    return HOL_OK;
}

hol_status hol__study_read_keep(hol_study *s, const hol_item *root) {
    static const char *const keys[] = {"cases", "extremes", "failures", NULL};
    const hol_item *keep = hol_item_find(root, "keep");
    double failures = 0;
    if (!keep) return HOL_OK;
    if (hol_item_kind_of(keep) != HOL_ITEM_MAP)
        return hol__study_error(s, keep, "keep wants a map, e.g. {cases: [0, 17], extremes: [%s]}",
                                s->responses[0].about.name);
    if (!s->spec)
        return hol__study_error(s, keep, "a study without a model has no motions to keep");
    hol_status status = hol__study_keys(s, keep, keys);
    if (!status) status = read_cases(s, hol_item_find(keep, "cases"));
    if (!status) status = read_extremes(s, hol_item_find(keep, "extremes"));
    if (!status) status = hol__study_number(s, keep, "failures", "", &failures);
    s->kept_failures = failures < INT_MAX ? (int)failures : INT_MAX;
    return status;
}

/* ---- of an answer ---- */

typedef struct kept {
    int n, most;
    long long *cases;
} kept;

/* One more, unless it is there. */
static void add(kept *k, double number) {
    for (int i = 0; i < k->n; i++)
        if ((double)k->cases[i] == number) return;
    if (number >= 0 && k->n < k->most) k->cases[k->n++] = (long long)number;
}

/* Whether the answer has the table, with numbers of cases in its second column. */
static int has_table(const hol_answer *answer, const char *name, hol_table *t) {
    const int i = hol_answer_find(answer, name);
    return i >= 0 && hol_answer_table(answer, i, t) == HOL_OK && t->columns >= 2;
}

int hol_study_kept(const hol_study *s, const hol_answer *answer, int most, long long *cases) {
    hol_table t = {.size = sizeof t};
    kept k = {.most = most, .cases = cases};
    if (!s || !answer || !cases) return 0;
    for (int i = 0; i < s->n_kept; i++) add(&k, (double)s->kept[i]);
    if (has_table(answer, "extremes", &t))
        for (int i = 0; i < s->n_kept_extremes; i++)
            for (int row = 0; row < t.rows; row++) {
                const char *name = s->responses[s->kept_extremes[i]].about.name;
                if (strcmp(t.row_names[row], name) != 0) continue;
                add(&k, t.values[row * t.columns]);
                add(&k, t.values[row * t.columns + 1]);
            }
    if (s->kept_failures && has_table(answer, "failures", &t))
        for (int row = 0; row < t.rows && row < s->kept_failures; row++)
            add(&k, t.values[row * t.columns + 1]);
    return k.n;
}
