/* compare_sweep.c: the values of --sweep.
 *
 *     tolerance=1e-3..1e-12        one value a decade, from the loosest to the tightest
 *     tolerance=1e-3..1e-12:28     so many values, at equal ratios
 *     step=8e-3..1e-3              FROM/m with whole numbers m, ratios near 2
 *     step=4e-3,2e-3,1e-3          these
 *
 * Every step of a range is a whole fraction of the longest, so that all runs share its instants; m
 * is 2^a 5^b, so that a step has few digits where the longest has, or FROM/TO where that is whole.
 */
#include "cli/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 200 };

/* What goes wrong while it is read, with the option as it was given. */
static int refuse(const cli_comparison *c, const char *text, const char *why) {
    cli_usage(c->cli, c->args->command, "'--sweep %s': %s", text, why);
    return 0;
}

/* The number that n bytes are; 0 where they are none. */
static int read_number(const char *text, size_t n, double *value) {
    char copy[HOL__NUMBER_SIZE];
    const char *end;
    if (!n || n >= sizeof copy) return 0;
    memcpy(copy, text, n);
    copy[n] = '\0';
    *value = hol__number_read(copy, &end);
    return end == copy + n && isfinite(*value);
}

/* A tolerance as one writes it: 1e-5, 3.16e-7. */
static void power_text(double value, char text[HOL__NUMBER_SIZE]) {
    snprintf(text, HOL__NUMBER_SIZE, "%.2e", value);
    char *e = strchr(text, 'e'), *end = e;
    const int power = atoi(e + 1);
    while (end[-1] == '0') end--;
    if (end[-1] == '.') end--;
    snprintf(end, (size_t)(HOL__NUMBER_SIZE - (end - text)), "e%d", power);
}

/* Append a value; 0 without memory. */
static int add_value(cli_comparison *c, cli_axis *axis, double value, int is_step) {
    char text[HOL__NUMBER_SIZE];
    if (is_step)
        hol__number_text(value, text);
    else
        power_text(value, text);
    const char *kept = cli_compare_keep_text(c, text, strlen(text));
    if (kept) axis->values[axis->n_values++] = kept;
    return kept != NULL;
}

/* The 2^a 5^b nearest to a number. */
static double nearest_whole(double x) {
    double best = 1;
    for (double five = 1; five <= 2 * x; five *= 5)
        for (double m = five; m <= 2 * x; m *= 2)
            if (fabs(log(m / x)) < fabs(log(best / x))) best = m;
    return best;
}

/* n values from the largest to the smallest. */
static int fill_range(cli_comparison *c, cli_axis *axis, double large, double small, int n) {
    const int is_step = strcmp(axis->key, "step") == 0;
    const double ratio = large / small;
    double last = 0;
    for (int k = 0; k < n; k++) {
        const double part = pow(ratio, (double)k / (n - 1));
        const int is_last = k == n - 1 && fabs(ratio - floor(ratio + 0.5)) < 1e-9 * ratio;
        const double whole = is_last ? floor(ratio + 0.5) : nearest_whole(part);
        if (is_step && whole <= last) continue;
        last = whole;
        if (!add_value(c, axis, large / (is_step ? whole : part), is_step)) return 0;
    }
    return 1;
}

/* "FROM..TO" or "FROM..TO:N"; 0 after a mistake. */
static int read_range(cli_comparison *c, const char *text, const char *range, cli_axis *axis) {
    const int is_step = strcmp(axis->key, "step") == 0;
    const char *dots = strstr(range, ".."), *last = dots + 2, *colon = strchr(last, ':');
    const size_t n = colon ? (size_t)(colon - last) : strlen(last);
    double from, to, count = 0;
    if (!read_number(range, (size_t)(dots - range), &from) || !read_number(last, n, &to))
        return refuse(c, text,
                      "write a range of plain numbers, such as tolerance=1e-3..1e-12 or "
                      "step=8e-3..1e-3 (in seconds)");
    if (colon && !read_number(colon + 1, strlen(colon + 1), &count))
        return refuse(c, text, "write the number of values behind ':', such as 1e-3..1e-12:19");
    if (!(from > 0 && to > 0))
        return refuse(c, text, "both ends must be above zero, since values have equal ratios");
    if (from == to) return refuse(c, text, "both ends are the same; a sweep needs two values");
    const double large = fmax(from, to), small = fmin(from, to);
    const double apart = is_step ? log2(large / small) : log10(large / small);
    if (!colon) count = fmax(2, 1 + floor(apart + 0.5));
    if (count < 2 || count > MOST_VALUES || count != floor(count))
        return refuse(c, text, "there are 2 to 200 values");
    if (is_step && large / small < 1.5)
        return refuse(c, text, "the shortest step is to be half of the longest at most");
    axis->values = cli_compare_keep_array(c, (int)count, sizeof *axis->values);
    return axis->values && fill_range(c, axis, large, small, (int)count);
}

/* Sort values from the largest to the smallest. */
static int is_smaller(const void *a, const void *b) {
    const char *end;
    const double x = hol__number_read(*(const char *const *)a, &end),
                 y = hol__number_read(*(const char *const *)b, &end);
    return (x < y) - (x > y);
}

/* "v1,v2,…"; 0 after a mistake. */
static int read_list(cli_comparison *c, const char *text, const char *list, cli_axis *axis) {
    const int n = cli_compare_count_items(list);
    if (n < 2) return refuse(c, text, "a sweep needs two values; write 1e-3..1e-12 or 1e-3,1e-6");
    if (n > MOST_VALUES) return refuse(c, text, "there are 2 to 200 values");
    axis->values = cli_compare_keep_array(c, n, sizeof *axis->values);
    while (axis->values && axis->n_values < n) {
        const char *item = cli_compare_next_item(c, &list);
        double value;
        if (!item) return 0;
        if (!read_number(item, strlen(item), &value) || !(value > 0))
            return refuse(c, text, "write numbers above zero, without units; steps are in seconds");
        axis->values[axis->n_values++] = item;
    }
    if (!axis->values) return 0;
    qsort(axis->values, (size_t)n, sizeof *axis->values, is_smaller);
    for (int i = 1; i < n; i++)
        if (!is_smaller(&axis->values[i - 1], &axis->values[i]) &&
            !is_smaller(&axis->values[i], &axis->values[i - 1]))
            return refuse(c, text, "a value stands there twice");
    return 1;
}

int cli_compare_read_sweep(cli_comparison *c, const char *text, cli_axis *axis) {
    static const char section[] = "simulation.";
    const char *equals = strchr(text, '=');
    const char *key = strncmp(text, section, strlen(section)) == 0 ? text + strlen(section) : text;
    if (!equals || equals <= key || !equals[1])
        return refuse(c, text, "write --sweep tolerance=1e-3..1e-12 or --sweep step=8e-3..1e-3");
    axis->key = cli_compare_keep_text(c, key, (size_t)(equals - key));
    if (!axis->key) return 0;
    const int is_step = strcmp(axis->key, "step") == 0;
    if (!is_step && strcmp(axis->key, "tolerance") != 0)
        return refuse(c, text,
                      "a sweep is over 'tolerance' or 'step'; for any other key write "
                      "--vary KEY=VALUE,VALUE");
    if (cli_args_has(c->args, is_step ? "step" : "tol"))
        return refuse(c, text,
                      is_step ? "--step would set what the sweep varies"
                              : "--tol would set what the sweep varies");
    return strstr(equals + 1, "..") ? read_range(c, text, equals + 1, axis)
                                    : read_list(c, text, equals + 1, axis);
}

int cli_compare_can_sweep(const cli_comparison *c, const hol_options *options) {
    double step = 0;
    if (!c->is_sweep || strcmp(c->axes[0].key, "tolerance") != 0) return 1;
    hol_options_get_real(options, "step", &step);
    if (step > 0)
        cli_usage(c->cli, c->args->command,
                  "the tolerance has no effect under the fixed step of %g s that is set; add "
                  "--step 0 (steps by error), or write --sweep step=FROM..TO",
                  step);
    return !(step > 0);
}
