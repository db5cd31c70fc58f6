/* compare_work.c: what a sweep tells beyond its table: the check of the reference, the orders, the
 * front of each cost; as text and as members of the JSON object. */
#include "cli/compare.h"

#include <math.h>
#include <string.h>

enum { LINE = 512 };

/* The text of a setting. */
static const char *value_of(const cli_comparison *c, int k) {
    return cli_compare_value(c, 0, k);
}

/* The statistic of a trial that is a text; "" where it has none. */
static const char *part_of(const cli_trial *trial, const char *key) {
    for (int i = 0; hol_statistic_get(i) && i < CLI_STATISTICS; i++)
        if (strcmp(hol_statistic_get(i)->key, key) == 0) return trial->record.texts[i];
    return "";
}

void cli_compare_check_text(const cli_comparison *c, char *buf, size_t size) {
    const cli_trial *check = c->check;
    if (!check)
        snprintf(buf, size, "not checked: it was given");
    else if (check->record.status)
        snprintf(buf, size, "not checked: no run by other equations came to its end (%s)",
                 check->message && *check->message ? check->message
                                                   : hol_status_text(check->record.status));
    else if (!isfinite(check->error))
        snprintf(buf, size, "not checked: the runs have no number in common");
    else
        snprintf(buf, size,
                 "%s in %.*s coordinates with %s differs from it by %.1e, at the end %.1e",
                 part_of(check, "method"), (int)strcspn(part_of(check, "coordinates"), ":"),
                 part_of(check, "coordinates"), part_of(check, "integrator"), check->error,
                 check->error_end);
}

/* ---- text ---- */

/* "1e-3..1e-11 (8 of 10)". */
static void range_text(const cli_comparison *c, const cli_fit *fit, char *buf, size_t size) {
    if (fit->used)
        snprintf(buf, size, "%s..%s (%d of %d)", value_of(c, fit->first), value_of(c, fit->last),
                 fit->used, c->n_cases);
    else
        snprintf(buf, size, "none of %d", c->n_cases);
}

/* Why settings of a method are left out, "" where none is. */
static void left_text(const cli_comparison *c, const cli_figure *error, int entry,
                      const cli_fit *fit, char *buf, size_t size) {
    const double own = cli_compare_reference_error(c, 0);
    int low = 0, high = 0, failed = 0;
    for (int k = 0; k < c->n_cases; k++) {
        const double e = cli_compare_figure(c, error, entry, k);
        if (!isfinite(e))
            failed++;
        else if (cli_compare_is_left_out(fit, e))
            *(e > 0.1 ? &high : &low) += 1;
    }
    size_t used = 0;
    *buf = '\0';
    if (failed) used += (size_t)snprintf(buf, size, "%d without an error", failed);
    if (high && used < size)
        used += (size_t)snprintf(buf + used, size - used, "%s%d above 0.1", used ? ", " : "", high);
    if (low && used < size)
        snprintf(buf + used, size - used, "%s%d below ten times %.1e (%s)", used ? ", " : "", low,
                 fit->level, fit->level > own ? "its errors fall no further" : "the reference");
}

/* A number of an order, or "-". */
static void put_order(FILE *out, double order) {
    if (isfinite(order))
        fprintf(out, "  %6.2f", order);
    else
        cli_printf(out, "  %6s", "-");
}

static void write_fits(const cli_comparison *c, int width, FILE *out) {
    cli_figure error, end;
    char text[LINE];
    cli_figure_find(c, "error", &error);
    cli_figure_find(c, "error_end", &end);
    cli_printf(out, "\norders: error ~ %s^p, error ~ evaluations^-r, by least squares\n",
               c->axes[0].key);
    cli_print_padded(out, "method", width);
    fputs("       p  p(end)       r  fitted over\n", out);
    for (int i = 0; i < c->n_entries; i++) {
        const cli_fit fit = cli_compare_fit(c, &error, i), last = cli_compare_fit(c, &end, i);
        cli_print_padded(out, c->entries[i].label, width);
        put_order(out, fit.order);
        put_order(out, last.order);
        put_order(out, fit.by_cost);
        range_text(c, &fit, text, sizeof text);
        cli_printf(out, "  %s", text);
        if (isfinite(fit.deviation) && fit.used > 2)
            fprintf(out, ", within %.2f decades", fit.deviation);
        left_text(c, &error, i, &fit, text, sizeof text);
        if (*text) cli_printf(out, "; left out: %s", text);
        fputc('\n', out);
    }
}

void cli_compare_front_text(const cli_comparison *c, const cli_figure *cost, char *buf,
                            size_t size) {
    const cli_trial *last = NULL;
    size_t used = 0;
    *buf = '\0';
    for (const cli_trial *trial = NULL; (trial = cli_compare_next_front(c, cost, trial));
         last = trial) {
        const int same = last && last->entry == trial->entry;
        if (used >= size) return;
        used += (size_t)snprintf(buf + used, size - used, "%s%s%s%s",
                                 same   ? ""
                                 : last ? "; "
                                        : "",
                                 same ? ", " : trial->entry->label, same ? "" : " ",
                                 value_of(c, trial->case_index));
    }
}

static void write_fronts(const cli_comparison *c, FILE *out) {
    cli_figure cost;
    char text[4096];
    fputs("\nfront: what no other setting beats in both error and cost, from loose to tight\n",
          out);
    for (int i = 0; cli_figure_cost(c, i, &cost); i++) {
        cli_compare_front_text(c, &cost, text, sizeof text);
        if (*text)
            cli_print_row(out, 0, 16, cost.key, text);
        else if (strcmp(cost.key, "instructions") == 0 && *c->no_instructions) {
            snprintf(text, sizeof text, "not available: %s", c->no_instructions);
            cli_print_row(out, 0, 16, cost.key, text);
        }
    }
}

void cli_compare_write_work(const cli_comparison *c, int width, FILE *out) {
    char text[3 * LINE], reference[LINE], check[LINE];
    write_fits(c, width, out);
    write_fronts(c, out);
    cli_compare_reference_text(c, reference, sizeof reference);
    cli_compare_check_text(c, check, sizeof check);
    snprintf(
        text, sizeof text,
        "reference: %s; %s. Errors: the largest of measured lengths and angles, at the end and "
        "along the run; energy: relative; time: of the processor, in seconds",
        reference, check);
    fputc('\n', out);
    cli_print_wrapped(out, 0, text);
}

/* ---- JSON ---- */

static void json_fit(const cli_comparison *c, hol__json *json, int entry, const char *key) {
    cli_figure error;
    char text[LINE];
    cli_figure_find(c, key, &error);
    const cli_fit fit = cli_compare_fit(c, &error, entry);
    left_text(c, &error, entry, &fit, text, sizeof text);
    hol__json_open(json, key, '{');
    hol__json_number(json, "order", fit.order, 0);
    hol__json_number(json, "order_in_evaluations", fit.by_cost, 0);
    hol__json_integer(json, "used", fit.used);
    hol__json_text(json, "from", fit.used ? value_of(c, fit.first) : NULL);
    hol__json_text(json, "to", fit.used ? value_of(c, fit.last) : NULL);
    hol__json_number(json, "deviation_decades", fit.deviation, 0);
    hol__json_number(json, "level", fit.level, 0);
    hol__json_text(json, "left_out", text);
    hol__json_close(json, '}');
}

static void json_front(const cli_comparison *c, hol__json *json, const cli_figure *cost) {
    hol__json_open(json, cost->key, '[');
    for (const cli_trial *trial = NULL; (trial = cli_compare_next_front(c, cost, trial));) {
        hol__json_open_line(json, NULL, '{');
        hol__json_text(json, "method", trial->entry->label);
        hol__json_text(json, c->axes[0].key, value_of(c, trial->case_index));
        hol__json_number(json, "error", trial->error, 0);
        hol__json_number(json, "cost", cli_figure_value(cost, trial), 0);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

void cli_compare_json_work(const cli_comparison *c, hol__json *json) {
    cli_figure cost;
    char check[LINE];
    cli_compare_check_text(c, check, sizeof check);
    hol__json_open(json, "sweep", '{');
    hol__json_text(json, "over", c->axes[0].key);
    hol__json_text(json, "reference_check", check);
    hol__json_number(json, "reference_error", cli_compare_reference_error(c, 0), 0);
    hol__json_number(json, "reference_error_end", cli_compare_reference_error(c, 1), 0);
    hol__json_text(json, "instructions", *c->no_instructions ? c->no_instructions : "counted");
    hol__json_open(json, "orders", '[');
    for (int i = 0; i < c->n_entries; i++) {
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "method", c->entries[i].label);
        json_fit(c, json, i, "error");
        json_fit(c, json, i, "error_end");
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
    hol__json_open(json, "front", '{');
    for (int i = 0; cli_figure_cost(c, i, &cost); i++) json_front(c, json, &cost);
    hol__json_close(json, '}');
    hol__json_close(json, '}');
}
