/* compare_lists.c: --integrators and --coordinates: each method with each of them.
 *
 * A list of one value sets it for all runs, as --integrator does. Of several, each makes an entry
 * of every method, "lagrange+integrator=dop853+coordinates=natural", as --methods can have it too;
 * of a single method without its name.
 */
#include "cli/compare.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *option, *key;
} lists[] = {{"integrators", "integrator"}, {"coordinates", "coordinates"}};

enum { N_LISTS = sizeof lists / sizeof *lists };

int cli_compare_is_list(const cli_given *given) {
    for (int i = 0; i < N_LISTS; i++)
        if (strcmp(given->option->name, lists[i].option) == 0)
            return cli_compare_count_items(given->value) > 1;
    return 0;
}

/* An entry with one setting more, called by that alone where the method need not be told. */
static int extend(cli_comparison *c, const cli_entry *entry, const char *key, const char *value,
                  const char *origin, int alone, cli_entry *out) {
    const int n = entry->n_settings;
    const size_t size = strlen(entry->label) + strlen(key) + strlen(value) + sizeof "+=";
    char *label = cli_compare_keep_array(c, (int)size, 1);
    *out = (cli_entry){label, n + 1, cli_compare_keep_array(c, n + 1, sizeof *out->settings)};
    if (!label || !out->settings) return 0;
    snprintf(label, size, "%s%s%s=%s", alone ? "" : entry->label, alone ? "" : "+", key, value);
    memcpy(out->settings, entry->settings, (size_t)n * sizeof *out->settings);
    out->settings[n] = (cli_setting){key, value, origin};
    return 1;
}

/* Each entry once for each item of a list. */
static int multiply_by(cli_comparison *c, const char *option, const char *key, const char *list) {
    const int n = cli_compare_count_items(list), old = c->n_entries;
    const int alone = old == 1 && c->entries[0].n_settings == 1;
    cli_entry *entries = cli_compare_keep_array(c, n * old, sizeof *entries);
    if (!entries) return 0;
    for (int k = 0; k < n; k++) {
        const char *item = cli_compare_next_item(c, &list);
        if (!item) return 0;
        if (!*item) {
            cli_usage(c->cli, c->args->command, "an item of '--%s' is empty", option);
            return 0;
        }
        for (int i = 0; i < old; i++)
            if (!extend(c, &c->entries[i], key, item, option, alone, &entries[i * n + k])) return 0;
    }
    c->entries = entries;
    c->n_entries = n * old;
    return 1;
}

int cli_compare_multiply(cli_comparison *c) {
    enum { MOST = 1000 };
    if (cli_args_has(c->args, "integrator") && cli_args_has(c->args, "integrators")) {
        cli_usage(c->cli, c->args->command, "--integrator and --integrators exclude each other");
        return 0;
    }
    for (int i = 0; i < N_LISTS; i++) {
        const char *list = cli_args_value(c->args, lists[i].option);
        if (!list || cli_compare_count_items(list) < 2) continue;
        if (cli_compare_count_items(list) * c->n_entries > MOST) {
            cli_usage(c->cli, c->args->command, "the lists make more than %d combinations",
                      (int)MOST);
            return 0;
        }
        if (!multiply_by(c, lists[i].option, lists[i].key, list)) return 0;
    }
    return 1;
}
