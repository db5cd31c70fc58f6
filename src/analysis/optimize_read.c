/* optimize_read.c: what is to be optimized, from the texts of the caller. */
#include "analysis/optimize.h"

#include "base/text.h"
#include "common/nearest.h"
#include "common/number.h"

#include <math.h>
#include <string.h>

/* ---- aims ---- */

/* One more aim for each goal of the text. */
static hol_status add_aims(hol__optimization *q, const char *text, const char *written,
                           hol__aim like) {
    hol_goal *goals;
    int n;
    const hol_status status = hol__goals_read(q->ctx, text, &q->arena, &n, &goals);
    if (status) return status;
    hol__aim *aims = hol__arena_append(&q->arena, q->aims, sizeof *aims, q->n_aims, n);
    if (!aims) return HOL_ERR_MEMORY;
    q->aims = aims;
    for (int i = 0; i < n; i++) {
        aims[q->n_aims] = like;
        aims[q->n_aims].goal = goals[i];
        aims[q->n_aims++].text = written;
    }
    return HOL_OK;
}

/* "2.5*GOAL" or "GOAL", times a sign. */
static hol_status read_objective(hol__optimization *q, const char *text, double sign) {
    const char *end, *goal = text + strspn(text, " \t"), *const text_begin = goal;
    double weight = hol__number_read(goal, &end);
    const char *star = end + strspn(end, " \t");
    if (end == goal)
        weight = 1;
    else if (*star == '*' && isfinite(weight) && weight != 0)
        goal = star + 1;
    else
        return hol__report(
            q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
            "'%s': write GOAL or FACTOR*GOAL with a factor other than 0, for example "
            "'0.5*mean-square error'",
            text);
    return add_aims(q, goal, text,
                    (hol__aim){.weight = sign * weight, .has_factor = end != text_begin});
}

/* "GOAL <= LIMIT", with <=, >= or =. */
static hol_status read_limit(hol__optimization *q, const char *text) {
    static const struct {
        const char *sign;
        int value;
    } signs[] = {{"<=", 1}, {">=", -1}, {"==", 0}, {"=", 0}};
    for (int i = 0; i < 4; i++) {
        const char *at = strstr(text, signs[i].sign);
        if (!at) continue;
        char *goal = hol__arena_text_n(&q->arena, text, (size_t)(at - text)),
             *limit = hol__arena_text(&q->arena, at + strlen(signs[i].sign));
        if (!goal || !limit) return HOL_ERR_MEMORY;
        return add_aims(q, goal, text, (hol__aim){.sign = signs[i].value, .limit_text = limit});
    }
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "'%s': write GOAL <= LIMIT, GOAL >= LIMIT or GOAL = LIMIT, for example 'max "
                       "torque <= 20 N*m'",
                       text);
}

static hol_status read_aims(hol__optimization *q) {
    hol_status status = HOL_OK;
    for (int i = 0; i < q->o.n_minimize && !status; i++)
        status = read_objective(q, q->o.minimize[i], 1);
    for (int i = 0; i < q->o.n_maximize && !status; i++)
        status = read_objective(q, q->o.maximize[i], -1);
    if (!status && !q->n_aims)
        status = hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                             "there is nothing to minimize; name a goal such as 'mean-square "
                             "error', 'max torque' or 'end height'");
    const int before = q->n_aims;
    for (int i = 0; i < q->o.n_subject && !status; i++) status = read_limit(q, q->o.subject[i]);
    q->n_limits = q->n_aims - before;
    return status;
}

/* ---- algorithms ---- */

static const char *algorithm_name(const void *self, int i) {
    (void)self;
    return hol__algorithm_get(i) ? hol__algorithm_get(i)->name : NULL;
}

/* Whether an algorithm takes the problem; says which would, otherwise. */
static hol_status check_algorithm(hol__optimization *q, const hol__algorithm *a) {
    unsigned needed = 0;
    for (int i = 0; i < q->n_aims; i++)
        if (q->aims[i].weight == 0)
            needed |= (unsigned)(q->aims[i].sign ? HOL__BELOW_LIMITS : HOL__ON_LIMITS);
    if (needed & ~a->able) {
        char able[200] = "";
        for (int i = 0; hol__algorithm_get(i); i++)
            if (!(needed & ~hol__algorithm_get(i)->able))
                strncat(strncat(able, *able ? ", " : "", 3), hol__algorithm_get(i)->name, 16);
        return hol__report(
            q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
            "the algorithm %s takes no %s; take one of %s", a->name,
            needed & ~a->able & HOL__ON_LIMITS ? "equations as constraints" : "constraints", able);
    }
    for (int j = 0; j < q->vary.n && (a->able & HOL__SEARCHES_ALL); j++)
        if (!isfinite(q->vary.low[j]) || !isfinite(q->vary.high[j]))
            return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "the algorithm %s searches a whole range: give '%s' both bounds",
                               a->name, q->vary.names[j]);
    return HOL_OK;
}

/* Names with commas between them. */
static hol_status read_algorithms(hol__optimization *q) {
    const char *at = q->o.algorithm ? q->o.algorithm : "slsqp";
    char name[32], hint[128];
    for (int more = 1; more;) {
        const size_t n = strcspn(at, ",");
        hol__print(name, sizeof name, "%.*s", (int)(n < 30 ? n : 30), at);
        const hol__algorithm *a = hol__algorithm_find(name);
        if (!a)
            return hol__report(
                q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                "there is no algorithm '%s'%s (run 'holonom optimize --algorithms' for a list)",
                name,
                hol__did_you_mean(hol__nearest(name, algorithm_name, NULL), hint, sizeof hint));
        if (q->n_algorithms == HOL__MOST_ALGORITHMS)
            return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "at most %d algorithms follow each other", HOL__MOST_ALGORITHMS);
        if (q->n_algorithms && a->able & HOL__EVOLVES)
            return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "the algorithm %s comes first; others go on from where it ended",
                               a->name);
        const hol_status status = check_algorithm(q, a);
        if (status) return status;
        q->algorithms[q->n_algorithms++] = a;
        more = at[n] == ',';
        at += n + (size_t)more;
    }
    return HOL_OK;
}

/* ---- the rest ---- */

static hol_status read_by(hol__optimization *q) {
    static const struct {
        const char *word;
        int by;
    } words[] = {
        {"cheaper", HOL__BY_CHEAPER}, {"direct", HOL__BY_DIRECT}, {"adjoint", HOL__BY_ADJOINT}};
    for (int i = 0; i < 3; i++)
        if (!q->o.by || strcmp(q->o.by, words[i].word) == 0) {
            q->by = words[i].by;
            return HOL_OK;
        }
    return hol__report(q->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "there are no derivatives by '%s'; take direct, adjoint or cheaper",
                       q->o.by);
}

hol_status hol__optimization_read(hol__optimization *q) {
    hol_status status =
        hol__vary_read(q->ctx, q->spec, &q->arena, q->o.n_vary, q->o.vary, &q->vary);
    if (!status) status = read_aims(q);
    if (!status) status = read_algorithms(q);
    if (!status) status = read_by(q);
    return status;
}

/* The unit of the objective, "" where goals of several are added. A sum of these depends on their
 * units unless every one has a factor. */
static void add_unit(hol__optimization *q, int i) {
    const char *unit = hol__goals_get(q->goals, i)->unit;
    if (!q->unit) q->unit = unit;
    if (q->mixed || strcmp(q->unit, unit) == 0) return;
    for (int k = 0; k < q->n_aims; k++)
        if (q->aims[k].weight != 0 && !q->aims[k].has_factor) {
            hol__warn(q->ctx, NULL, NULL,
                      "the objective adds '%s' in %s and '%s' in %s as if they were alike; give "
                      "each a factor, 1 over what counts as much of it (such as '0.5*%s')",
                      q->aims[0].text, *q->unit ? q->unit : "plain numbers", q->aims[i].text,
                      *unit ? unit : "plain numbers", q->aims[k].text);
            break;
        }
    q->mixed = 1;
    q->unit = "";
}

hol_status hol__optimization_limits(hol__optimization *q) {
    hol_status status = HOL_OK;
    for (int i = 0; i < q->n_aims && !status; i++) {
        const hol__goal *goal = hol__goals_get(q->goals, i);
        hol__aim *aim = &q->aims[i];
        if (aim->weight == 0)
            status = hol__quantity_read(q->ctx, &q->arena, aim->text, aim->limit_text, goal->unit,
                                        &aim->limit);
        else
            add_unit(q, i);
    }
    return status;
}
