/* load.c: from a model file and the command line to a compiled model. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Apply --set KEY=VALUE; 0 after an error. */
static int apply_set(cli_session *cli, const cli_args *args, hol_spec *spec, const char *pair) {
    const char *equals = strchr(pair, '=');
    if (!equals || equals == pair) {
        cli_usage(cli, args->command, "'--set %s': write --set KEY=VALUE", pair);
        return 0;
    }
    const size_t n = (size_t)(equals - pair);
    char *key = malloc(n + 1);
    if (!key) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return 0;
    }
    memcpy(key, pair, n);
    key[n] = '\0';
    const hol_status status = hol_spec_set(spec, key, equals + 1, "--set");
    free(key);
    return status == HOL_OK;
}

/* Apply what the command line sets, in its order; 0 after errors, all of which are shown. */
static int apply_options(cli_session *cli, const cli_args *args, hol_spec *spec) {
    int ok = 1;
    for (int i = 0; i < args->n_given; i++) {
        const cli_given *given = &args->given[i];
        char origin[64];
        snprintf(origin, sizeof origin, "--%s", given->option->name);
        if (given->option->key)
            ok &= hol_spec_set(spec, given->option->key, given->value, origin) == HOL_OK;
        else if (strcmp(given->option->name, "set") == 0)
            ok &= apply_set(cli, args, spec, given->value);
    }
    return ok;
}

hol_spec *cli_load_spec(cli_session *cli, const cli_args *args, const char *path) {
    hol_spec *spec = hol_spec_new(cli->ctx);
    const char *below = cli_args_value(args, "include-root");
    if (spec && (!below || hol_spec_set_include_root(spec, below) == HOL_OK) &&
        hol_spec_read_file(spec, path) == HOL_OK && apply_options(cli, args, spec))
        return spec;
    hol_spec_free(spec);
    return NULL;
}

hol_model *cli_load(cli_session *cli, const cli_args *args, const char *path,
                    hol_options **options) {
    hol_model *model = NULL;
    *options = NULL;
    hol_spec *spec = cli_load_spec(cli, args, path);
    if (spec) model = hol_model_from_spec(cli->ctx, spec, options);
    hol_spec_free(spec);
    return model;
}

hol_model *cli_model_to_run(cli_session *cli, const hol_spec *spec, hol_options **options) {
    hol_options *read = hol_options_from_spec(cli->ctx, spec);
    /* errors of the description show beside those of its options */
    hol_model *model =
        hol_model_compile(cli->ctx, spec, read ? hol_options_run_coordinates(read) : NULL);
    if (!read) hol_model_free(model), model = NULL;
    if (!model) hol_options_free(read), read = NULL;
    *options = read;
    return model;
}

hol_model *cli_load_to_run(cli_session *cli, const cli_args *args, const char *path,
                           hol_options **options) {
    hol_spec *spec = cli_load_spec(cli, args, path);
    *options = NULL;
    hol_model *model = spec ? cli_model_to_run(cli, spec, options) : NULL;
    hol_spec_free(spec);
    return model;
}

/* The option that gives these coordinates: "planar reference point", "natural", "relative …". */
static const char *word_of(const char *coordinates) {
    return strstr(coordinates, "natural")    ? "natural"
           : strstr(coordinates, "relative") ? "relative"
                                             : "reference";
}

hol_spec *cli_stored_spec(cli_session *cli, const char *path) {
    hol_result *result = hol_result_read(cli->ctx, path);
    const char *text = result ? hol_result_text(result, "model") : NULL;
    const char *coordinates = result ? hol_result_text(result, "coordinates") : NULL;
    hol_spec *spec = text ? hol_spec_new(cli->ctx) : NULL;
    /* it holds all that it needs and names no files */
    const int good = spec && hol_spec_set_include_root(spec, "") == HOL_OK &&
                     hol_spec_read_text(spec, text, path) == HOL_OK &&
                     (!coordinates || hol_spec_set(spec, "simulation.coordinates",
                                                   word_of(coordinates), path) == HOL_OK);
    hol_result_free(result);
    if (good) return spec;
    hol_spec_free(spec);
    return NULL;
}

hol_model *cli_load_stored(cli_session *cli, const char *path, hol_options **options) {
    hol_spec *spec = cli_stored_spec(cli, path);
    *options = NULL;
    hol_model *model = spec ? hol_model_from_spec(cli->ctx, spec, options) : NULL;
    hol_spec_free(spec);
    return model;
}

hol_model_info cli_about(const hol_model *model) {
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(model, &info);
    return info;
}

hol_sim_info cli_figures(const hol_sim *sim) {
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    return info;
}
