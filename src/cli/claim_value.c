/* claim_value.c: numbers drawn from what the commands of a claim computed.
 *
 *     values:
 *       ratio: with / without                                        # of values before it
 *       with: {of: out, figure: error, where: {method: lagrange}}     # of a run
 *       order: {of: out, figure: error, over: step, take: order}      # of several
 *       top: {of: run.csv, column: y - 0.3*sin(t), take: largest}     # of a result file
 *       apart: {of: run.csv, column: y, minus: other.csv, take: largest}
 *       price: {of: out, figure: evaluations, where: {method: a}, against: {method: b}}
 *
 * A figure is a key of the JSON object of a run (members of members as a.b, items of lists as a.0),
 * or a formula of such; a column is one of the result, in SI units, or a formula of them and of the
 * time t. Several numbers become one by what `take` says.
 */
#include "cli/claim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers in turn, each with its place (a time, or the number that varies). */
typedef struct sequence {
    int n;
    double *x, *at;
} sequence;

/* ---- from several to one ---- */

static double first_of(const sequence *s) {
    return s->x[0];
}

static double last_of(const sequence *s) {
    return s->x[s->n - 1];
}

static double least_of(const sequence *s) {
    double best = s->x[0];
    for (int i = 1; i < s->n; i++) best = s->x[i] < best ? s->x[i] : best;
    return best;
}

static double most_of(const sequence *s) {
    double best = s->x[0];
    for (int i = 1; i < s->n; i++) best = s->x[i] > best ? s->x[i] : best;
    return best;
}

/* The largest |x|. */
static double largest_of(const sequence *s) {
    return fmax(most_of(s), -least_of(s));
}

/* The largest |x - x0|. */
static double change_of(const sequence *s) {
    return fmax(most_of(s) - s->x[0], s->x[0] - least_of(s));
}

static double range_of(const sequence *s) {
    return most_of(s) - least_of(s);
}

static double sum_of(const sequence *s) {
    double sum = 0;
    for (int i = 0; i < s->n; i++) sum += s->x[i];
    return sum;
}

static double mean_of(const sequence *s) {
    return sum_of(s) / s->n;
}

/* How many are not 0: of how many a condition is true. */
static double count_of(const sequence *s) {
    int n = 0;
    for (int i = 0; i < s->n; i++) n += s->x[i] != 0 && !isnan(s->x[i]);
    return n;
}

/* Changes of sign. */
static double crossings_of(const sequence *s) {
    int n = 0;
    for (int i = 1; i < s->n; i++) n += s->x[i - 1] * s->x[i] < 0;
    return n;
}

/* Where the sign changes first, on the straight line between two rows; NAN where it does not. */
static double crossing_of(const sequence *s) {
    for (int i = 1; i < s->n; i++)
        if (s->x[i - 1] * s->x[i] <= 0 && s->x[i - 1] != s->x[i])
            return s->at[i - 1] + (s->at[i] - s->at[i - 1]) * s->x[i - 1] / (s->x[i - 1] - s->x[i]);
    return NAN;
}

/* The slope of the straight line through log x over log at, by least squares. */
static double order_of(const sequence *s) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        if (!(s->x[i] > 0) || !(s->at[i] > 0)) continue;
        const double x = log(s->at[i]), y = log(s->x[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y, n++;
    }
    return n > 1 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : NAN;
}

static const struct take_row {
    const char *name;
    double (*of)(const sequence *s);
} takes[] = {{"first", first_of},         {"last", last_of},
             {"least", least_of},         {"most", most_of},
             {"largest", largest_of},     {"change", change_of},
             {"range", range_of},         {"sum", sum_of},
             {"mean", mean_of},           {"count", count_of},
             {"crossings", crossings_of}, {"crossing", crossing_of},
             {"order", order_of}};

/* The row of a name; NULL after an error. */
static const struct take_row *find_take(cli_trying *t, const hol_item *item) {
    const char *name = hol_item_value(item);
    hol__near near = hol__near_start(name ? name : "");
    char hint[160];
    for (size_t i = 0; name && i < sizeof takes / sizeof *takes; i++) {
        if (strcmp(takes[i].name, name) == 0) return &takes[i];
        hol__near_try(&near, takes[i].name);
    }
    cli_claim_error(t->cli, item, 0,
                    "take wants first, last, least, most, largest, change, range, sum, mean, "
                    "count, crossings, crossing or order%s",
                    hol__did_you_mean(near.best, hint, sizeof hint));
    return NULL;
}

/* ---- figures of runs ---- */

/* The figures of the rows that fit `where`; *n: how many. */
static double *fitting(cli_trying *t, const cli_rows *rows, const hol_item *where,
                       const hol_item *figure, int *n) {
    double *x = cli_keep_new(&t->keep, (size_t)(rows->n + 1) * sizeof *x);
    *n = 0;
    for (int i = 0; x && i < rows->n; i++)
        if (cli_row_fits(&rows->rows[i], where) &&
            !cli_row_figure(t, &rows->rows[i], figure, hol_item_value(figure), &x[(*n)++]))
            return NULL;
    return x;
}

/* Divide by the figures of the rows that `against` names, in their order. */
static int divide(cli_trying *t, const cli_rows *rows, const hol_item *against,
                  const hol_item *figure, sequence *s) {
    int n;
    const double *by = fitting(t, rows, against, figure, &n);
    if (!by) return 0;
    if (n != s->n)
        return cli_claim_error(t->cli, against, 0,
                               "there are %d runs of 'where' and %d of 'against'", s->n, n);
    for (int i = 0; i < n; i++) s->x[i] /= by[i];
    return 1;
}

/* The figures of all rows that fit. */
static int figures_of(cli_trying *t, const hol_item *map, const hol_item *figure, sequence *s) {
    const cli_rows *rows = cli_claim_rows(t, hol_item_find(map, "of"));
    const hol_item *where = hol_item_find(map, "where"), *over = hol_item_find(map, "over");
    const hol_item *against = hol_item_find(map, "against");
    if (!rows) return 0;
    s->x = fitting(t, rows, where, figure, &s->n);
    s->at = over ? fitting(t, rows, where, over, &s->n) : s->x;
    if (!s->x || !s->at) return 0;
    if (s->n == 0)
        return cli_claim_error(t->cli, map, 0, "no run of '%s' is as this says", rows->name);
    if (s->n > 1 && !hol_item_find(map, "take"))
        return cli_claim_error(t->cli, map, 0,
                               "%d runs of '%s' are as this says: tell them apart by 'where', or "
                               "say what to 'take' of them",
                               s->n, rows->name);
    return !against || divide(t, rows, against, figure, s);
}

/* ---- columns of results ---- */

/* A time that the map names, otherwise the other. */
static int time_of(cli_trying *t, const hol_item *map, const char *key, double *value) {
    const hol_item *item = hol_item_find(map, key);
    return !item || cli_claim_formula(t, item, value);
}

/* The formula at all rows of the result. */
static double *evaluate(cli_trying *t, const hol_result *result, const hol_item *column) {
    const char *text = cli_claim_insert(t, column, hol_item_value(column), 0, 0);
    const int n = hol_result_columns(result), rows = hol_result_rows(result);
    const char **names = calloc((size_t)n + 2, sizeof *names);
    const double **columns = calloc((size_t)n + 2, sizeof *columns);
    double *out = cli_keep_new(&t->keep, (size_t)(rows + 1) * sizeof *out);
    const hol_location where = hol_item_place(column);
    hol_status status = HOL_ERR_MEMORY;
    for (int i = 0; names && columns && i <= n; i++) {
        names[i] = i < n ? hol_result_column(result, i)->name : "t";
        columns[i] = hol_result_values(result, i < n ? i : 0);
    }
    const int found = text ? hol_result_find(result, text) : -1;
    if (out && found >= 0) {
        memcpy(out, hol_result_values(result, found), (size_t)rows * sizeof *out);
        status = HOL_OK;
    } else if (names && columns && out && text)
        status = hol_formula(t->cli->ctx, text, &where, n + (hol_result_find(result, "t") < 0),
                             names, rows, columns, out);
    free(names);
    free(columns);
    return status ? NULL : out;
}

/* The rows of a result between two times, or the one nearest to a time. */
static int choose_rows(cli_trying *t, const hol_item *map, const hol_result *result, double *x,
                       sequence *s) {
    const double *time = hol_result_values(result, 0);
    const int rows = hol_result_rows(result);
    double from = -INFINITY, to = INFINITY, at = NAN;
    if (!time_of(t, map, "from", &from) || !time_of(t, map, "to", &to) ||
        !time_of(t, map, "at", &at))
        return 0;
    s->x = x;
    s->at = cli_keep_new(&t->keep, (size_t)(rows + 1) * sizeof *s->at);
    if (!s->at) return 0;
    int nearest = 0;
    for (int i = 0; i < rows; i++)
        if (fabs(time[i] - at) < fabs(time[nearest] - at)) nearest = i;
    for (int i = 0; i < rows; i++) {
        if (!isnan(at) ? i != nearest : time[i] < from || time[i] > to) continue;
        s->x[s->n] = x[i];
        s->at[s->n++] = time[i];
    }
    if (s->n) return 1;
    return cli_claim_error(t->cli, map, 0, "the result has no row there");
}

/* Subtract the same column of another result at the times that both have; the other rows go. */
static int subtract(cli_trying *t, const hol_item *name, const hol_item *column, sequence *s) {
    hol_result *other = cli_claim_result(t, name);
    const double *y = other ? evaluate(t, other, column) : NULL;
    const int rows = y ? hol_result_rows(other) : 0;
    const double *time = y ? hol_result_values(other, 0) : NULL;
    const double slack = s->n ? 1e-9 * fabs(s->at[s->n - 1] - s->at[0]) : 0;
    int n = 0, k = 0;
    for (int i = 0; i < s->n; i++) {
        while (k < rows && time[k] < s->at[i] - slack) k++;
        if (k == rows || time[k] > s->at[i] + slack) continue;
        s->x[n] = s->x[i] - y[k];
        s->at[n++] = s->at[i];
    }
    hol_result_free(other);
    if (y && !n) cli_claim_error(t->cli, name, 0, "the two results have no instant in common");
    s->n = n;
    return n > 0;
}

/* The values of a column of a result file. */
static int columns_of(cli_trying *t, const hol_item *map, const hol_item *column, sequence *s) {
    const hol_item *minus = hol_item_find(map, "minus");
    hol_result *result = cli_claim_result(t, hol_item_find(map, "of"));
    double *x = result ? evaluate(t, result, column) : NULL;
    const int good = x && choose_rows(t, map, result, x, s);
    hol_result_free(result);
    return good && (!minus || subtract(t, minus, column, s));
}

/* ---- values ---- */

/* The number of a map. */
static int draw(cli_trying *t, const hol_item *map, double *value) {
    static const char *const keys[] = {"of",   "figure", "column", "where",   "take",  "over",
                                       "from", "to",     "at",     "against", "minus", NULL};
    const hol_item *figure = hol_item_find(map, "figure"), *column = hol_item_find(map, "column");
    const hol_item *how = hol_item_find(map, "take"), *what = figure ? figure : column;
    sequence s = {0};
    if (!cli_claim_keys(t->cli, map, keys)) return 0;
    if (!figure == !column || !hol_item_value(what) || !hol_item_find(map, "of"))
        return cli_claim_error(t->cli, map, 0,
                               "a value has 'of' and either 'figure' (of a run) or 'column' (of a "
                               "result file)");
    const struct take_row *take = how ? find_take(t, how) : NULL;
    if (how && !take) return 0;
    if (take && take->of == order_of && !hol_item_find(map, "over"))
        return cli_claim_error(t->cli, how, 0, "an order is over something: add 'over: step'");
    if (!(figure ? figures_of(t, map, what, &s) : columns_of(t, map, what, &s))) return 0;
    *value = take ? take->of(&s) : last_of(&s);
    return 1;
}

int cli_claim_formula(cli_trying *t, const hol_item *item, double *value) {
    const char **names = calloc((size_t)t->n_values + 1, sizeof *names);
    const double **columns = calloc((size_t)t->n_values + 1, sizeof *columns);
    const hol_location where = hol_item_place(item);
    hol_status status = HOL_ERR_MEMORY;
    for (int i = 0; names && columns && i < t->n_values; i++) {
        names[i] = t->values[i].name;
        columns[i] = &t->values[i].number;
    }
    if (!hol_item_value(item))
        cli_claim_error(t->cli, item, 0, "a formula of values is expected here");
    else if (names && columns)
        status = hol_formula(t->cli->ctx, hol_item_value(item), &where, t->n_values, names, 1,
                             columns, value);
    free(names);
    free(columns);
    return status == HOL_OK;
}

int cli_claim_values(cli_trying *t, const hol_item *step) {
    const hol_item *list = hol_item_first(step);
    if (hol_item_kind_of(list) != HOL_ITEM_MAP)
        return cli_claim_error(t->cli, list, 0, "values wants names with what they are");
    for (const hol_item *i = hol_item_first(list); i; i = hol_item_next(i)) {
        double number;
        const int is_map = hol_item_kind_of(i) == HOL_ITEM_MAP;
        if (!(is_map ? draw(t, i, &number) : cli_claim_formula(t, i, &number))) return 0;
        cli_value *room =
            cli_keep_room(&t->keep, t->values, sizeof *room, t->n_values, &t->values_capacity);
        if (!room) return 0;
        t->values = room;
        int k = 0; /* a name may be given a new value */
        while (k < t->n_values && strcmp(t->values[k].name, hol_item_key(i)) != 0) k++;
        t->values[k] = (cli_value){hol_item_key(i), number};
        t->n_values += k == t->n_values;
    }
    return 1;
}
