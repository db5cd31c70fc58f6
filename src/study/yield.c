/* yield.c: the share of cases that are accepted, and how it follows the limits.
 *
 * A condition that compares two formulas, `left < right`, is moved by m: `left < right + m`. The
 * cases that it accepts then are those with a margin d = left - right below m, so that the yield is
 * the share of margins below m; for `left > right` those of right - left below -m. Where the right
 * side is the same for all cases the moved limit is told, else by how much it is moved.
 */
#include "study/columns.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* Wilson's interval: shares p from which a share of `share` in n cases is not 1.96 deviations
 * away, |share - p| = z sqrt(p (1 - p)/n). */
static void wilson(double share, double n, double *low, double *high) {
    const double z = hol__normal_value(0.975), zz = z * z / n, middle = (share + zz / 2) / (1 + zz),
                 half = z * sqrt(share * (1 - share) / n + zz / (4 * n)) / (1 + zz);
    *low = fmax(middle - half, 0);
    *high = fmin(middle + half, 1);
}

/* A row of a table of yields from column k on: share, interval, accepted, cases. */
static void put_share(double *row, double accepted, double cases) {
    row[0] = accepted / cases;
    wilson(row[0], cases, &row[1], &row[2]);
    row[3] = accepted;
    row[4] = cases;
}

static const char *const names[] = {"share", "low", "high", "accepted", "cases"};

/* The yield of each condition, and of all together where there are several. */
static void put_yield(const hol_study *s, const hol__columns *c, hol_answer *answer) {
    hol__sheet *sheet = NULL;
    int conditions = 0;
    for (int i = 0; i < s->n_responses; i++) {
        double *row, accepted = 0;
        if (!s->responses[i].yields) continue;
        if (!conditions++) {
            sheet = hol__answer_sheet(answer, "yield",
                                      "yield: share of cases that are accepted, and its 95 % "
                                      "interval for independent cases",
                                      5);
            for (int k = 0; k < 5; k++) hol__sheet_column(sheet, k, names[k], "");
        }
        for (int k = 0; k < c->rows; k++) accepted += c->responses[i][k] > 0;
        if (!(row = hol__sheet_add(sheet, s->responses[i].about.name))) return;
        put_share(row, accepted, c->rows);
    }
    double all = 0, *row = conditions > 1 ? hol__sheet_add(sheet, "all of them") : NULL;
    for (int k = 0; k < c->rows && row; k++) {
        int good = 1;
        for (int i = 0; i < s->n_responses; i++)
            good &= !s->responses[i].yields || c->responses[i][k] > 0;
        all += good;
    }
    if (row) put_share(row, all, c->rows);
}

/* ---- limits ---- */

/* A condition taken apart. */
typedef struct comparison {
    char *left, *right;
    int above;  /* > or >= */
    int equals; /* what lies on the limit is accepted */
} comparison;

/* Whether a word of logic begins here, behind what is no part of a name. */
static int is_logic(const char *text, const char *at) {
    static const char *const words[] = {"and", "or", "not", "if"};
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    if (at > text && strchr(letters, at[-1])) return 0;
    for (int i = 0; i < 4; i++) {
        const size_t n = strlen(words[i]);
        if (strncmp(at, words[i], n) == 0 && (!at[n] || !strchr(letters, at[n]))) return 1;
    }
    return 0;
}

/* Take a condition apart; 0 where it is anything but one comparison by < or >, outside of
 * brackets. */
static int take_apart(const char *text, hol__arena *room, comparison *out) {
    const char *sign = NULL;
    int depth = 0;
    for (const char *at = text; *at; at++) {
        depth += strchr("([", *at) != NULL;
        depth -= strchr(")]", *at) != NULL;
        if (depth) continue;
        if (strchr("?:&|!", *at) || is_logic(text, at) || (*at == '=' && at != sign + 1)) return 0;
        if (*at != '<' && *at != '>') continue;
        if (sign) return 0;
        sign = at;
    }
    if (!sign) return 0;
    *out = (comparison){hol__arena_text_n(room, text, (size_t)(sign - text)),
                        hol__arena_text(room, sign + 1 + (sign[1] == '=')), *sign == '>',
                        sign[1] == '='};
    return out->left && out->right;
}

/* A formula over all rows; NULL without memory or a value. */
static double *evaluate(hol_study *s, const hol__columns *c, int i, const char *text,
                        hol__arena *room) {
    double *x = HOL__NEW_N(room, double, c->rows + 1);
    hol_context *quiet = hol__context_like(s->ctx);
    const hol_status status =
        x && quiet ? hol__response_formula(s, quiet, i, text, c->rows, c->factors, c->responses, x)
                   : HOL_ERR_MEMORY;
    hol_context_free(quiet);
    return status ? NULL : x;
}

static int is_constant(const double *x, int n) {
    for (int k = 1; k < n; k++)
        if (x[k] != x[0]) return 0;
    return n > 0 && isfinite(x[0]);
}

/* The unit of a side that is the name of a factor or response. */
static const char *unit_of(const hol_study *s, const char *side) {
    const size_t at = strspn(side, " "), n = strcspn(side + at, " ");
    if (side[at + n + strspn(side + at + n, " ")]) return "";
    for (int j = 0; j < s->n_factors + s->n_responses; j++) {
        const hol_column *about =
            j < s->n_factors ? &s->factors[j].about : &s->responses[j - s->n_factors].about;
        if (strlen(about->name) == n && strncmp(side + at, about->name, n) == 0) return about->unit;
    }
    return "";
}

/* How many of n sorted margins lie below m (or at it). */
static int count_below(const double *sorted, int n, double m, int equals) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (sorted[middle] < m || (equals && sorted[middle] == m))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rows of a curve. */
typedef struct curve {
    const double *sorted; /* margins */
    int n, rows;          /* of them, and of all cases */
    double limit, last;   /* last: the largest margin that has a row */
    const comparison *q;
    hol__sheet *sheet;
} curve;

/* A row for the limit moved by m, where it is behind all others. */
static void put_moved(curve *u, double m) {
    double *row = m > u->last ? hol__sheet_add(u->sheet, NULL) : NULL;
    if (!row) return;
    u->last = m;
    row[0] = u->limit + (u->q->above ? -m : m);
    put_share(row + 1, count_below(u->sorted, u->n, m, u->q->equals), u->rows);
}

/* The limit at the hundredths of the margins, and where it is. */
static void put_curve(curve *u) {
    enum { PARTS = 100 };
    for (int k = 0; k <= PARTS; k++) {
        const double m = hol__quantile(u->sorted, u->n, (double)k / PARTS);
        if (m >= 0 && u->last < 0) put_moved(u, 0);
        put_moved(u, m);
    }
    if (u->last < 0) put_moved(u, 0);
}

/* The yield of a condition against its limit. */
static void put_limits(hol_study *s, const hol__columns *c, int i, hol__arena *room,
                       hol_answer *answer) {
    const hol__response *r = &s->responses[i];
    comparison q;
    int n;
    if (!take_apart(r->about.doc, room, &q)) return;
    double *left = evaluate(s, c, i, q.left, room), *right = evaluate(s, c, i, q.right, room);
    if (!left || !right) return;
    const int fixed = is_constant(right, c->rows);
    const double limit = fixed ? right[0] : 0;
    for (int k = 0; k < c->rows; k++) left[k] = q.above ? right[k] - left[k] : left[k] - right[k];
    const double *sorted = hol__sorted(room, left, c->rows, &n);
    const char *name = hol__arena_format(room, "yield_%s", r->about.name),
               *key = hol__arena_format(room, "limit_%s", r->about.name),
               *label = hol__arena_format(room, "limit of %s", r->about.name),
               *title = hol__arena_format(room, "yield of '%s' against its limit", r->about.doc);
    if (!sorted || !n || !name || !title || !key || !label) return;
    if (fixed) hol__answer_number(answer, key, label, limit, unit_of(s, q.left));
    hol__sheet *sheet = hol__answer_sheet(answer, name, title, 6);
    hol__sheet_detail(sheet);
    hol__sheet_column(sheet, 0, fixed ? "limit" : "limit moved by", unit_of(s, q.left));
    for (int k = 0; k < 5; k++) hol__sheet_column(sheet, 1 + k, names[k], "");
    put_curve(&(curve){sorted, n, c->rows, limit, -INFINITY, &q, sheet});
}

void hol__study_yield(hol_study *s, const hol__columns *c, hol_answer *answer) {
    put_yield(s, c, answer);
    for (int i = 0; i < s->n_responses; i++) {
        hol__arena room;
        if (!s->responses[i].yields || !c->rows) continue;
        hol__arena_init(&room, s->ctx);
        put_limits(s, c, i, &room, answer);
        hol__arena_free(&room);
    }
}
