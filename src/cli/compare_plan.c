/* compare_plan.c: which runs a comparison consists of.
 *
 *     --methods lagrange,nullspace+basis=svd+correction=direct    entries
 *     --integrators dopri5,dop853 --coordinates natural,relative  each entry with each of them
 *     --vary step=1e-2,1e-3 --vary penalty=1e5,1e7                axes; a case is a value of each
 *     --sweep tolerance=1e-3..1e-12                               the only axis of a sweep
 *
 * Lists are cut at commas outside brackets. A plus sign begins a further option when a key and '='
 * follow it, so that 1e+7 and a+b stay whole.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/compare.h"
#include "common/number.h"
#include "common/ascii.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory of the plan ---- */

void *cli_compare_keep(cli_comparison *c, void *block) {
    if (block && c->n_blocks == c->block_capacity) {
        const int capacity = 2 * c->block_capacity + 32;
        void **grown = realloc(c->blocks, (size_t)capacity * sizeof *grown);
        if (!grown) {
            free(block);
            block = NULL;
        } else {
            c->blocks = grown;
            c->block_capacity = capacity;
        }
    }
    if (block)
        c->blocks[c->n_blocks++] = block;
    else
        cli_report(c->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    return block;
}

void *cli_compare_keep_array(cli_comparison *c, int n, size_t size) {
    return cli_compare_keep(c, calloc(n > 0 ? (size_t)n : 1, size));
}

char *cli_compare_keep_text(cli_comparison *c, const char *text, size_t n) {
    return cli_compare_keep(c, strndup(text, n));
}

void cli_compare_plan_free(cli_comparison *c) {
    for (int i = 0; i < c->n_trials; i++) {
        free(c->trials[i].message);
        free(c->trials[i].samples);
        free(c->trials[i].differences);
    }
    for (int i = 0; i < c->n_blocks; i++) free(c->blocks[i]);
    free(c->blocks);
    hol_result_free(c->file);
}

/* ---- lists ---- */

/* The length of the text up to a comma outside brackets. */
static size_t item_length(const char *text) {
    int depth = 0;
    size_t n = 0;
    for (; text[n]; n++) {
        depth += strchr("([{", text[n]) != NULL;
        depth -= strchr(")]}", text[n]) != NULL;
        if (text[n] == ',' && depth <= 0) break;
    }
    return n;
}

int cli_compare_count_items(const char *text) {
    int n = 1;
    for (text += item_length(text); *text; text += item_length(text)) {
        n++;
        text++;
    }
    return n;
}

/* Without the blanks around it. */
char *cli_compare_next_item(cli_comparison *c, const char **text) {
    const size_t n = item_length(*text);
    size_t from = 0, to = n;
    while (from < to && hol__is_space((*text)[from])) from++;
    while (to > from && hol__is_space((*text)[to - 1])) to--;
    char *item = cli_compare_keep_text(c, *text + from, to - from);
    *text += n + ((*text)[n] == ',');
    return item;
}

/* ---- entries ---- */

/* Whether "key=" begins here. */
static int is_key(const char *text) {
    size_t n = 0;
    while (hol__is_letter(text[n]) || hol__is_digit(text[n]) ||
           (n && strchr("_.-", text[n]) && text[n]))
        n++;
    return n > 0 && hol__is_letter(text[0]) && text[n] == '=';
}

/* The plus sign that begins the next option, or NULL. */
static char *next_plus(char *text) {
    char *plus = strchr(text, '+');
    while (plus && !is_key(plus + 1)) plus = strchr(plus + 1, '+');
    return plus;
}

/* "method+key=value+key=value" as settings; 0 after a mistake. */
static int read_entry(cli_comparison *c, char *label, cli_entry *entry) {
    char *text = cli_compare_keep_text(c, label, strlen(label));
    int n = 1;
    if (!text) return 0;
    for (char *p = text; (p = next_plus(p)); p++) n++;
    *entry = (cli_entry){label, n, cli_compare_keep_array(c, n, sizeof *entry->settings)};
    if (!entry->settings) return 0;
    for (int i = 0; i < n; i++) {
        char *plus = next_plus(text), *equals = i ? strchr(text, '=') : NULL;
        if (plus) *plus = '\0';
        if (equals) *equals = '\0';
        entry->settings[i] = (cli_setting){equals ? text : "simulation.method",
                                           equals ? equals + 1 : text, "methods"};
        text = plus ? plus + 1 : text;
    }
    const char *method = entry->settings[0].value;
    if (!*method || strchr(method, '=')) {
        cli_usage(c->cli, c->args->command,
                  "'%s' in --methods begins with no method: write METHOD+KEY=VALUE", label);
        return 0;
    }
    return 1;
}

/* The entries of the list, or one for each method there is. */
static int read_entries(cli_comparison *c) {
    const char *list = cli_args_value(c->args, "methods");
    int n = list ? cli_compare_count_items(list) : 0;
    while (!list && hol_method_get(n)) n++;
    c->entries = cli_compare_keep_array(c, n, sizeof *c->entries);
    if (!c->entries) return 0;
    for (; c->n_entries < n; c->n_entries++) {
        const char *name = list ? NULL : hol_method_get(c->n_entries)->name;
        char *label =
            list ? cli_compare_next_item(c, &list) : cli_compare_keep_text(c, name, strlen(name));
        if (!label || !read_entry(c, label, &c->entries[c->n_entries])) return 0;
    }
    char *base = cli_compare_keep_text(c, "lagrange", strlen("lagrange"));
    return base && read_entry(c, base, &c->base) && cli_compare_multiply(c);
}

/* ---- cases ---- */

/* "key=v1,v2" as an axis; 0 after a mistake. */
static int read_axis(cli_comparison *c, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        cli_usage(c->cli, c->args->command, "'--vary %s': write --vary KEY=VALUE,VALUE", text);
        return 0;
    }
    cli_axis *axis = &c->axes[c->n_axes++];
    axis->key = cli_compare_keep_text(c, text, (size_t)(equals - text));
    const int n = cli_compare_count_items(equals + 1);
    axis->values = cli_compare_keep_array(c, n, sizeof *axis->values);
    const char *rest = equals + 1;
    while (axis->key && axis->values && axis->n_values < n) {
        const char *value = cli_compare_next_item(c, &rest);
        if (!value) return 0;
        if (!*value) {
            cli_usage(c->cli, c->args->command, "'--vary %s': a value of the list is empty", text);
            return 0;
        }
        axis->values[axis->n_values++] = value;
    }
    c->n_cases *= n;
    return axis->key && axis->values;
}

/* The one axis of a sweep; 0 after a mistake. */
static int read_sweep(cli_comparison *c, const char *text) {
    int given = 0;
    for (int i = 0; i < c->args->n_given; i++)
        given += strcmp(c->args->given[i].option->name, "sweep") == 0;
    if (given > 1 || cli_args_has(c->args, "vary")) {
        cli_usage(c->cli, c->args->command,
                  given > 1 ? "there can be only one --sweep"
                            : "--sweep and --vary exclude each other; methods, integrators and "
                              "coordinates are lists");
        return 0;
    }
    c->is_sweep = 1;
    if (!cli_compare_read_sweep(c, text, &c->axes[0])) return 0;
    c->n_axes = 1;
    c->n_cases = c->axes[0].n_values;
    return 1;
}

static int read_axes(cli_comparison *c) {
    enum { MAX_CASES = 10000 };
    const char *sweep = cli_args_value(c->args, "sweep");
    c->axes = cli_compare_keep_array(c, c->args->n_given + 1, sizeof *c->axes);
    c->n_cases = 1;
    if (!c->axes) return 0;
    if (sweep) return read_sweep(c, sweep);
    for (int i = 0; i < c->args->n_given; i++) {
        const cli_given *given = &c->args->given[i];
        if (strcmp(given->option->name, "vary") != 0) continue;
        if (!read_axis(c, given->value)) return 0;
        if (c->n_cases > MAX_CASES) {
            cli_usage(c->cli, c->args->command, "--vary asks for more than %d combinations",
                      (int)MAX_CASES);
            return 0;
        }
    }
    return 1;
}

/* The place of a case on axis a; the last axis moves fastest. */
static int place(const cli_comparison *c, int a, int case_index) {
    for (int k = c->n_axes - 1; k > a; k--) case_index /= c->axes[k].n_values;
    return case_index % c->axes[a].n_values;
}

const char *cli_compare_value(const cli_comparison *c, int a, int case_index) {
    return c->axes[a].values[place(c, a, case_index)];
}

/* Whether the key changes how a motion is computed, and neither the motion nor the times at which
 * it is recorded. */
static int is_numerical(const char *key) {
    static const char *const others[] = {"start", "end", "output", "step"};
    static const char section[] = "simulation.";
    const size_t skip = strncmp(key, section, strlen(section)) == 0 ? strlen(section) : 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], key + skip) == 0) return 0;
    return hol_option_find(key + skip) != NULL;
}

/* The first case with the same exact motion at the same times. */
static int first_alike(const cli_comparison *c, int case_index) {
    int first = 0;
    /* steps of a sweep are parts of the longest, whose instants all runs share */
    if (c->is_sweep) return 0;
    for (int a = 0; a < c->n_axes; a++)
        first = first * c->axes[a].n_values +
                (is_numerical(c->axes[a].key) ? 0 : place(c, a, case_index));
    return first;
}

/* ---- trials ---- */

/* Add one trial. */
static void add_trial(cli_comparison *c, cli_trial_kind kind, const cli_entry *entry, int index) {
    c->trials[c->n_trials++] = (cli_trial){.kind = kind, .entry = entry, .case_index = index};
}

/* References first, for they take longest; then case by case. */
static int make_trials(cli_comparison *c, int with_reference) {
    int has_base = c->is_sweep; /* times of a sweep are told in seconds */
    for (int i = 0; i < c->n_entries; i++)
        has_base |= strcmp(c->entries[i].label, c->base.label) == 0;
    c->trials = cli_compare_keep_array(c, c->n_cases * (c->n_entries + 2) + 1, sizeof *c->trials);
    c->reference_of = cli_compare_keep_array(c, c->n_cases, sizeof *c->reference_of);
    if (!c->trials || !c->reference_of) return 0;
    for (int k = 0; k < c->n_cases; k++) {
        const int first = first_alike(c, k);
        c->reference_of[k] = !with_reference ? -1
                             : first < k     ? c->reference_of[first]
                                             : c->n_trials;
        if (with_reference && first == k) add_trial(c, CLI_TRIAL_REFERENCE, NULL, k);
    }
    if (with_reference && c->is_sweep) {
        c->check = &c->trials[c->n_trials];
        add_trial(c, CLI_TRIAL_CHECK, NULL, 0);
    }
    for (int k = 0; k < c->n_cases; k++) {
        if (!has_base) add_trial(c, CLI_TRIAL_BASE, &c->base, k);
        for (int i = 0; i < c->n_entries; i++) add_trial(c, CLI_TRIAL_SHOWN, &c->entries[i], k);
    }
    return 1;
}

/* The tolerance of the reference that is to be computed; 0 after a mistake. */
static int read_tolerance(cli_comparison *c, const char *text) {
    const char *end;
    c->reference_tol = hol__number_read(text, &end);
    if (end != text && !*end && c->reference_tol > 0 && c->reference_tol < 1) return 1;
    cli_usage(c->cli, c->args->command, "'--reference-tol %s': write a number such as 1e-12", text);
    return 0;
}

int cli_compare_plan(cli_comparison *c) {
    const char *file = cli_args_value(c->args, "reference");
    const char *tolerance = cli_args_value(c->args, "reference-tol");
    if (file && tolerance) {
        cli_usage(c->cli, c->args->command, "--reference and --reference-tol exclude each other");
        return 0;
    }
    if (!read_tolerance(c, tolerance                        ? tolerance
                           : cli_args_has(c->args, "sweep") ? "1e-14"
                                                            : "1e-12"))
        return 0;
    if (!read_entries(c) || !read_axes(c) || !make_trials(c, !file)) return 0;
    if (file && strcmp(file, "none") != 0) {
        c->file = hol_result_read(c->cli->ctx, file);
        /* the samples of runs are in SI units */
        return c->file != NULL && hol_result_set_units(c->file, "") == HOL_OK;
    }
    return 1;
}

/* ---- models ---- */

hol_model *cli_compare_load(const cli_comparison *c, cli_session *cli, int case_index,
                            const cli_setting *settings, int n_settings,
                            hol_options **run_options) {
    const int n_extra = c->n_axes + n_settings;
    cli_args args = *c->args;
    cli_option *options = calloc((size_t)n_extra + 1, sizeof *options);
    hol_model *model = NULL;
    *run_options = NULL;
    args.given = calloc((size_t)(args.n_given + n_extra) + 1, sizeof *args.given);
    if (options && args.given) {
        args.n_given = 0;
        for (int i = 0; i < c->args->n_given; i++)
            if (!cli_compare_is_list(&c->args->given[i]))
                args.given[args.n_given++] = c->args->given[i];
        for (int i = 0; i < n_extra; i++) {
            const int is_axis = i < c->n_axes;
            const cli_setting *s = is_axis ? NULL : &settings[i - c->n_axes];
            options[i] =
                (cli_option){.name = is_axis ? (c->is_sweep ? "sweep" : "vary") : s->origin,
                             .key = is_axis ? c->axes[i].key : s->key};
            args.given[args.n_given++] =
                (cli_given){&options[i], is_axis ? cli_compare_value(c, i, case_index) : s->value};
        }
        model = cli_load(cli, &args, c->path, run_options);
    } else {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    }
    free(options);
    free(args.given);
    return model;
}
