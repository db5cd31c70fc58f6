/* fuzz_model.c: models made from the tables of elements and keys, compiled and run for some steps.
 *
 * The bytes choose an example of an element and changes of its tree: values, keys of the tables,
 * parts of other examples. So nearly every input is read and gets deep into the compiler, where
 * bytes alone do not come. Checked: no crash, a failure has a message, and every number that a run
 * without an error hands out is finite.
 */
#include "fuzz_tree.h"

#include <holonom/holonom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 256, MOST_EDITS = 8, STEPS = 12 };
enum { FUZZ_LENGTH = 80 }; /* an edit takes up to nine */

/* ---- examples ---- */

static hol_spec *examples[MOST_ELEMENTS];
static hol_element_doc elements[MOST_ELEMENTS];
static int n_examples;

/* Read the example of every element once. */
static void open_examples(void) {
    hol_context *ctx = hol_context_new();
    for (int i = 0; i < MOST_ELEMENTS; i++) {
        hol_element_doc doc = {.size = sizeof doc};
        if (hol_element_get(i, &doc)) break;
        char *text = hol_element_example(ctx, doc.section, doc.name);
        hol_spec *spec = hol_spec_new(ctx);
        if (!text || !spec || hol_spec_read_text(spec, text, "example")) abort();
        hol_free(ctx, text);
        elements[n_examples] = doc;
        examples[n_examples++] = spec;
    }
}

/* ---- changes of a tree ---- */

static const char *const values[] = {
    "0",     "-1",     "1e-308",    "1e308",    "-2.385", "t",          "sin(t)", "1/t",
    "1/0",   "2 m",    "3 kg",      "90 deg",   "ground", "nonsense",   "[]",     "true",
    "a/b",   "[0, 0]", "[1, 0, 0]", "sqrt(-1)", "1e400",  "9999999999", "-1e-12", "abs(t-0.01)",
    "t < 1", "x",      "",          "0.5",      "7",      "1000000"};
enum { N_VALUES = sizeof values / sizeof *values };

/* Give the node a key of the tables. */
static void rename_key(tape *t, hol_spec *spec, hol__node *node) {
    const hol_element_doc *doc = &elements[tape_below(t, n_examples)];
    hol_key_doc key = {.size = sizeof key};
    const int i = tape_below(t, 24);
    if (!node->key || hol_element_key(doc->section, i % 3 ? doc->name : NULL, i, &key)) return;
    node->key = hol__arena_text(&spec->arena, key.name);
}

static void edit(tape *t, hol_spec *spec) {
    hol__node *node = any_node(t, spec);
    const hol_spec *other = examples[tape_below(t, n_examples)];
    if (!node) return;
    const int kind = tape_below(t, 8);
    switch (kind) {
    case 2: rename_key(t, spec, node); break;
    case 6: { /* a section of another example */
        const hol__node *from = hol__node_at(other->root, tape_below(t, other->root->count));
        if (from) graft(spec, spec->root, from->key, from, 0);
        break;
    }
    case 7: { /* an option */
        const hol_option *option = hol_option_get(tape_below(t, 64));
        hol__node *section = hol__node_get(spec->root, "simulation");
        if (!option || !section || section->kind != HOL__MAP) break;
        int n = 0;
        while (option->choice && option->choice(n)) n++;
        const char *word = n ? option->choice(tape_below(t, n)) : NULL;
        hol__node_add_scalar(spec, section, option->name,
                             word ? word : values[tape_below(t, N_VALUES)]);
        break;
    }
    default: tree_edit(t, spec, node, other, kind < 2 ? kind : kind - 1, N_VALUES, values);
    }
}

/* ---- one input ---- */

/* Run for some steps; whatever is handed out after a success is finite. */
static hol_status run(hol_context *ctx, const hol_model *model, const hol_options *options) {
    hol_sim *sim = hol_sim_new(ctx, model, options);
    hol_status status = sim ? HOL_OK : HOL_ERR_INPUT;
    hol_model_info info = {.size = sizeof info};
    if (sim) hol_model_describe(model, &info);
    for (int i = 0; i < STEPS && !status; i++) {
        status = hol_sim_step(sim);
        if (status == HOL_ERR_ARGUMENT) break; /* the run has ended */
        for (int k = 0; k < info.n_measures && !status; k++) {
            double value;
            if (hol_data_measure(hol_sim_data(sim), k, &value) == HOL_OK && !isfinite(value))
                fuzz_fail("a measure is not finite after a step without an error");
        }
    }
    hol_sim_free(sim);
    return status == HOL_ERR_ARGUMENT ? HOL_OK : status;
}

void fuzz_one(const uint8_t *data, size_t size) {
    tape t = {data, size};
    if (!strstr(HOLONOM_TEST_FEATURES, " fyaml ")) return; /* the examples are YAML */
    if (!n_examples) open_examples();
    hol_context *ctx = hol_context_new();
    hol_spec *changed = hol_spec_copy(ctx, examples[tape_below(&t, n_examples)]);
    hol_spec *spec = hol_spec_new(ctx);
    if (!changed || !spec) abort();
    for (int i = tape_below(&t, MOST_EDITS); i >= 0; i--) edit(&t, changed);
    char *text = hol_spec_text(changed);
    hol_options *options = NULL;
    hol_model *model = NULL;
    hol_status status = text ? hol_spec_set_include_root(spec, "") : HOL_ERR_MEMORY;
    if (!status) status = hol_spec_read_text(spec, text, "fuzz.yaml");
    if (!status) status = hol_spec_set(spec, "max_time", "3", "fuzz");
    if (!status) model = hol_model_from_spec(ctx, spec, &options);
    if (!status) status = model ? run(ctx, model, options) : HOL_ERR_INPUT;
    if (status < 0 && hol_message_count_of(ctx, HOL_ERROR) == 0)
        fuzz_fail("a failure without a message");
    hol_model_free(model);
    hol_options_free(options);
    hol_free(ctx, text);
    hol_spec_free(spec);
    hol_spec_free(changed);
    hol_context_free(ctx);
}
