/* simulation.c: the section `simulation` of a description, read into an object of options.
 *
 * Values may be expressions of the parameters. Errors of the parameters themselves are those of the
 * model and reported when it is compiled; here an option that needs such a parameter is an error.
 */
#include "compile/compile.h"

#include <string.h>

/* What reading needs of a model: where expressions are kept. */
typedef struct reader {
    hol__build build;
    hol_model model;
    hol_options *options;
} reader;

/* A list at a node: a list of texts, or one text with commas between them. */
static void read_list(reader *r, hol__node *node, int i) {
    hol__build *build = &r->build;
    const hol_option *row = hol__options_row(r->options, i);
    if (node->kind == HOL__SCALAR) {
        build->errors += hol__options_put_texts(r->options, i, node->text, &node->where) != HOL_OK;
        return;
    }
    hol__option_text *texts = HOL__NEW_N(build->arena, hol__option_text, node->count + 1);
    const int errors = build->errors;
    int n = 0;
    /* units are named quantities; the others are names alone */
    const int is_map = node->kind == HOL__MAP && strcmp(row->name, "units") == 0;
    if (node->kind != HOL__LIST && !is_map)
        hol__build_error(build, node, "'%s' takes a list such as [crank.angle], found %s",
                         row->name, hol__node_kind_name(node));
    for (hol__node *child = node->first; texts && child; child = child->next) {
        child->used = 1;
        if (child->kind != HOL__SCALAR)
            hol__build_error(build, child, "'%s' takes texts, found %s", row->name,
                             hol__node_kind_name(child));
        else /* of a map the names with what they are given */
            texts[n++] = (hol__option_text){
                is_map ? hol__arena_format(build->arena, "%s=%s", child->key, child->text)
                       : child->text,
                is_map ? child->key_at : child->where};
    }
    if (texts && build->errors == errors)
        build->errors += hol__options_put_list(r->options, i, n, texts, &node->where) != HOL_OK;
}

/* The value of option i at a node. */
static void read_value(reader *r, hol__node *node, int i) {
    hol__build *build = &r->build;
    const hol_option *row = hol__options_row(r->options, i);
    const int errors = build->errors, messages = hol_message_count(build->ctx);
    node->used = 1;
    if (row->kind == HOL_OPTION_LIST)
        read_list(r, node, i);
    else if (node->kind != HOL__SCALAR)
        hol__build_error(build, node, "'%s' takes a single value, found %s", row->name,
                         hol__node_kind_name(node));
    else if (row->kind == HOL_OPTION_CHOICE || row->kind == HOL_OPTION_BOOL)
        build->errors += hol__options_put_word(r->options, i, node->text, &node->where) != HOL_OK;
    else {
        double value;
        if (!hol__option_word(row, node->text, &value))
            value = hol__read_constant(build, node, row->unit, 0);
        if (build->errors == errors)
            build->errors += hol__options_put(r->options, i, value, &node->where) != HOL_OK;
        else if (hol_message_count(build->ctx) == messages)
            hol__build_error(build, node, "'%s' needs a parameter that cannot be evaluated",
                             row->name);
    }
}

/* The section `units` of the file is the option of that name, which wins where both are given. */
static void read_root_units(reader *r) {
    hol__node *units = hol__node_get(r->build.spec->root, "units");
    r->build.element = "units";
    if (units && units->kind != HOL__NULL)
        read_value(r, units, hol__options_find(r->options, "units"));
}

/* All keys of the section. */
static void read_section(reader *r, hol__node *section) {
    char hint[128];
    r->build.element = "simulation";
    for (hol__node *node = section ? section->first : NULL; node; node = node->next) {
        const int i = hol__options_find(r->options, node->key);
        if (i >= 0) {
            read_value(r, node, i);
            continue;
        }
        r->build.errors++;
        hol__error(r->build.ctx, &node->key_at, r->build.element, "unknown option '%s'%s",
                   node->key, hol__options_suggest(r->options, node->key, hint, sizeof hint));
    }
}

/* Parameters, silently, then the section, with messages to ctx. Both arenas last until the end. */
static hol_status read_all(reader *r, hol_context *ctx, hol_context *quiet) {
    hol__arena arena, silent;
    hol__arena_init(&arena, ctx);
    hol__arena_init(&silent, quiet);
    r->build.ctx = quiet;
    r->build.arena = &silent;
    hol__compile_parameters(&r->build);
    r->build.ctx = ctx;
    r->build.arena = &arena;
    r->build.errors = 0;
    read_root_units(r);
    read_section(r, hol__section(&r->build, "simulation"));
    const int failed = arena.failed || silent.failed;
    if (silent.failed) hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL, "out of memory");
    hol__arena_free(&silent);
    hol__arena_free(&arena);
    return failed ? HOL_ERR_MEMORY : r->build.errors ? HOL_ERR_INPUT : HOL_OK;
}

hol_status hol__read_simulation(const hol_spec *spec, hol_options *options) {
    hol_context *ctx = hol__options_context(options), *quiet = hol__context_like(ctx);
    reader *r = hol__alloc(ctx, 1, sizeof *r);
    hol_status status = spec->failed ? HOL_ERR_INPUT : HOL_ERR_MEMORY;
    if (quiet && r && !spec->failed) {
        r->options = options;
        r->build.spec = spec;
        r->build.model = &r->model;
        status = read_all(r, ctx, quiet);
    }
    hol__release(ctx, r);
    hol_context_free(quiet);
    return status;
}
