/* compile.c: from a description to a model: the passes in order, and the life of a model. */
#include "compile/compile.h"

#include "base/text.h"
#include "coords/cost.h"
#include "coords/natural.h"
#include "coords/tree.h"

#include <stdio.h>
#include <string.h>

/* Whether an item of a list is one that has its name as a key: "- crank: {mass: 1}", or a number
 * ("- L: 1") where bodies and elements would have several keys. */
static int is_named(const hol__node *item) {
    const hol__node *first = item && item->kind == HOL__MAP ? item->first : NULL;
    if (!first) return 0;
    return first->kind == HOL__MAP || first->kind == HOL__NULL ||
           (item->count == 1 && !hol__key_find(hol__body_keys, first->key) &&
            strcmp(first->key, "type") != 0);
}

const char *hol__unlist(const hol__node *list, char *buf, size_t size) {
    const hol__node *item = list->kind == HOL__LIST ? list->first : NULL;
    const hol__node *name = item ? hol__node_get(item, "name") : NULL;
    *buf = '\0';
    if (name && name->kind == HOL__SCALAR)
        snprintf(buf, size, "; write '%.40s:' and its keys below it instead of '- name: %.40s'",
                 name->text, name->text);
    else if (is_named(item))
        snprintf(buf, size, "; write '%.40s:' without the dash", item->first->key);
    else if (item)
        snprintf(buf, size, "; write each as 'name: ...' on a line of its own, without a dash");
    return buf;
}

hol__node *hol__section(hol__build *build, const char *name) {
    hol__node *node = hol__node_get(build->spec->root, name);
    char hint[160];
    unsigned long long bit = 1;
    if (!node || node->kind == HOL__NULL) return NULL;
    if (node->kind == HOL__MAP) return node;
    for (const hol__key *key = hol__root_keys; key->name && strcmp(key->name, name) != 0; key++)
        bit <<= 1;
    build->element = NULL;
    if (!(build->no_maps & bit)) /* several passes ask for a section */
        hol__build_error(build, node, "the section '%s' is a map of names, found %s%s", name,
                         hol__node_kind_name(node), hol__unlist(node, hint, sizeof hint));
    build->no_maps |= bit;
    return NULL;
}

/* Whether the file is planar (0) or spatial (1); -1 after an error, as nothing else can be read
 * without knowing. */
static int read_space(hol__build *build) {
    hol__node *root = build->spec->root;
    const int errors = build->errors;
    build->model->dim = 3;
    if (!hol__node_get(root, "space"))
        hol__build_error(build, root, "a model file needs the key 'space': planar or spatial");
    const int space =
        build->errors > errors ? 0 : hol__read_choice(build, root, hol__root_keys, "space");
    return build->errors > errors ? -1 : space;
}

/* The version of the format, the name and the space; 0 where the space is not known. */
static int compile_root(hol__build *build) {
    hol_model *model = build->model;
    hol__node *root = build->spec->root;
    hol__node *version = hol__node_get(root, "holonom");
    const int space = read_space(build);
    if (space < 0) return 0;
    model->space = space ? HOL_SPATIAL : HOL_PLANAR;
    model->dim = space ? 3 : 2;
    model->bw = space ? 6 : 3;
    model->coords = space ? &hol__coords_spatial : &hol__coords_planar;
    hol__check_keys(build, root, hol__root_keys, NULL, "a model file");
    if (version && hol__read_constant(build, version, "", 1) != 1)
        hol__build_error(build, version,
                         "format version %s is not known; this program reads version 1",
                         version->text);
    model->name = hol__keep(build, hol__read_text(build, root, hol__root_keys, "name"));
    if (!model->name[0]) model->name = model->source[0] ? model->source : "model";
    return 1;
}

/* The condition `stop_when`. */
static void compile_stop(hol__build *build) {
    hol__node *node = hol__node_get(build->spec->root, "stop_when");
    build->element = "stop_when";
    if (!node) return;
    build->model->stop_when = hol__read_expr(build, node, HOL__NAMES_ALL, NULL, NULL);
    build->model->stop_where = hol__keep_location(build, node->where);
}

/* Whether an expression is that of a measure which no law needs: it is evaluated for output
 * alone. */
static int is_for_output(const hol_model *model, const hol__expr *e) {
    for (int k = 0; k < model->n_measures; k++)
        if (model->measures[k].e == e) return !model->measures[k].live;
    return 0;
}

/* Where the laws of the model are not smooth: those of time alone are found by whoever runs it, all
 * others are recorded. */
static void compile_corners(hol__build *build) {
    hol_model *model = build->model;
    int n = 0;
    for (int i = 0; i < model->n_choosing; i++) {
        const hol__choosing law = model->choosing[i];
        if (is_for_output(model, law.e)) continue;
        const int first = model->n_corners;
        for (int k = 0; k < hol__expr_recorded(law.e); k++)
            hol__add_corner(build, hol__expr_recorded_cells(law.e, k), law.label);
        hol__expr_record(law.e, first);
        model->choosing[n++] = law;
    }
    model->n_choosing = n;
}

/* From this many bodies on an open tree is run in relative coordinates unless something else is
 * asked for. */
enum { LONG_CHAIN = 10 };

/* Whether relative coordinates are to be taken. Long open chains cost a tenth in them; beside that
 * `auto` keeps to those of reference points, so that q of a small mechanism is what programs expect
 * of it; `cheapest` decides by counting. */
static int wants_relative(hol__build *build, const char *wanted) {
    hol_model *model = build->model;
    if (strcmp(wanted, "cheapest") == 0) {
        model->cost = hol__coords_cost(model, build->cut);
        return model->cost.relative < model->cost.reference;
    }
    if (strcmp(wanted, "auto") == 0) return model->nb >= LONG_CHAIN && hol__tree_is_open(model);
    return strcmp(wanted, "relative") == 0;
}

/* The set of coordinates. */
static void choose_coordinates(hol__build *build) {
    hol_model *model = build->model;
    if (build->errors || build->only_reference) return;
    if (strcmp(build->coordinates, "natural") == 0)
        model->coords =
            model->dim == 3 ? &hol__coords_natural_spatial : &hol__coords_natural_planar;
    else if (wants_relative(build, build->coordinates))
        model->coords =
            model->dim == 3 ? &hol__coords_relative_spatial : &hol__coords_relative_planar;
}

/* All passes. */
static hol_status compile_passes(hol__build *build) {
    if (!compile_root(build)) return HOL_ERR_INPUT;
    hol__compile_parameters(build);
    hol__compile_tables(build);
    build->points = hol__section(build, "points");
    if (!hol__compile_natural_section(build))
        return build->errors && !build->arena->failed ? HOL_ERR_INPUT : HOL_ERR_MEMORY;
    hol__compile_bodies(build);
    hol__compile_natural_marks(build);
    hol__compile_gravity(build);
    hol__compile_joints(build);
    hol__compile_measures(build);
    hol__compile_forces(build);
    hol__finish_measures(build);
    hol__compile_events(build);
    hol__compile_active(build);
    compile_stop(build);
    compile_corners(build);
    if (build->arena->failed) return HOL_ERR_MEMORY;
    choose_coordinates(build);
    /* points that nothing uses are still checked */
    build->element = NULL;
    for (hol__node *point = build->points ? build->points->first : NULL; point;
         point = point->next) {
        double ignore[3];
        if (!point->used) hol__read_point_at(build, point, ignore);
    }
    if (build->arena->failed) return HOL_ERR_MEMORY;
    if (build->errors) return HOL_ERR_INPUT;
    hol__compile_doubts(build); /* of all joints: the layout takes some out of the constraints */
    const hol_status status = hol__compile_layout(build);
    if (status) return status;
    hol__compile_item_names(build);
    hol__keep_parameters(build);
    return build->arena->failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* What a model is for. */
typedef enum purpose {
    TO_RUN,
    AS_REFERENCE, /* in reference-point coordinates whatever is asked for */
    TO_ASSEMBLE   /* the same, with the values of joints at the start */
} purpose;

/* What is compiled otherwise than it is described. */
typedef struct change {
    hol__shift *shift;
    const hol__variant *variant;
    const char *text; /* of the description, where it was made for another purpose already */
} change;

/* All passes into an empty model; *starts receives how many joints have values at the start. */
static hol_status compile_into(hol_model *model, const hol_spec *spec, const char *coordinates,
                               purpose what, change other, int *starts) {
    hol_context *ctx = model->own;
    hol__build *build = hol__alloc(ctx, 1, sizeof *build);
    const char *text = other.text;
    hol_status status = HOL_ERR_MEMORY;
    if (build) {
        *build = (hol__build){.ctx = ctx,
                              .arena = &model->arena,
                              .model = model,
                              .spec = spec,
                              .coordinates = coordinates,
                              .shift = other.shift,
                              .variant = other.variant,
                              .only_reference = what != TO_RUN,
                              .find_type = hol__element_type_find,
                              .find_measure = hol__find_measure,
                              .read_measure = hol__read_measure,
                              .assembly = what == TO_ASSEMBLE};
        model->source = hol__keep(build, spec->source ? spec->source : "");
        model->text = hol__keep(build, spec->text ? spec->text : text);
        model->hash = hol__hash(HOL__HASH_START, text, strlen(text));
        status = compile_passes(build);
    }
    *starts = build && what == TO_RUN ? build->n_starts : 0;
    if (build) hol_spec_free(build->expanded);
    hol__release(ctx, build);
    return status;
}

/* An empty model that takes memory as ctx does and reports to it until it is finished; NULL without
 * memory. */
static hol_model *new_model(hol_context *ctx) {
    hol_context *own = hol__context_child(ctx);
    hol_model *model = own ? hol__alloc(own, 1, sizeof *model) : NULL;
    if (!model) {
        hol_context_free(own);
        return NULL;
    }
    model->own = own;
    hol__arena_init(&model->arena, own);
    return model;
}

static hol_model *compile(hol_context *ctx, const hol_spec *spec, const char *coordinates,
                          change other, purpose what);

/* A model of the same description for another purpose. What there is to say of it was said of the
 * first; only why there is none is passed on. */
static hol_model *compile_twin(hol_context *ctx, const hol_spec *spec, const char *coordinates,
                               change other, purpose what) {
    hol_context *quiet = hol__context_like(ctx);
    hol_model *twin = quiet ? compile(quiet, spec, coordinates, other, what) : NULL;
    for (int i = 0; quiet && !twin && i < hol_message_count(quiet); i++) {
        const hol_message *m = hol_message_get(quiet, i);
        if (m->severity == HOL_ERROR)
            hol__report(ctx, HOL_ERROR, m->status, &m->where, m->element, "%s", m->text);
    }
    hol_context_free(quiet);
    return twin;
}

/* All passes over a description, whose text is known; NULL after errors. */
static hol_model *compile_with_text(hol_context *ctx, const hol_spec *spec, const char *coordinates,
                                    change other, purpose what) {
    hol_model *model = new_model(ctx);
    int starts;
    if (!model) return NULL;
    hol_status status = compile_into(model, spec, coordinates, what, other, &starts);
    if (status == HOL_OK && model->coords->maps) {
        model->reference = compile_twin(ctx, spec, coordinates, other, AS_REFERENCE);
        if (!model->reference) status = HOL_ERR_MEMORY;
    }
    if (status == HOL_OK && starts) {
        model->assembly = compile_twin(ctx, spec, coordinates, other, TO_ASSEMBLE);
        if (!model->assembly) status = HOL_ERR_MEMORY;
    }
    if (status == HOL_OK && hol__model_varies(model) && what == TO_RUN && !other.variant) {
        model->spec = hol_spec_copy(model->own, spec);
        if (!model->spec) status = HOL_ERR_MEMORY;
    }
    hol__context_detach(model->own);
    if (status == HOL_OK) return model;
    hol_model_free(model);
    return NULL;
}

/* All passes over a description; NULL after errors. */
static hol_model *compile(hol_context *ctx, const hol_spec *spec, const char *coordinates,
                          change other, purpose what) {
    char *text = spec->failed || other.text ? NULL : hol_spec_text(spec);
    hol_model *model = NULL;
    if (text) other.text = text;
    if (!spec->failed && !other.text) /* the description told its own context, perhaps another */
        hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                    "out of memory for the description");
    else if (!spec->failed)
        model = compile_with_text(ctx, spec, coordinates, other, what);
    hol__release(spec->ctx, text);
    return model;
}

/* Whether there are coordinates of that name; reports when there are none. */
static int check_coordinates(hol_context *ctx, const char *name) {
    const hol_option *row = &hol__coords_options.rows[0];
    const char *word;
    for (int i = 0; (word = row->choice(i)); i++)
        if (strcmp(word, name) == 0) return 1;
    hol__report(
        ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
        "there are no coordinates '%s'; take auto, cheapest, reference, natural or relative", name);
    return 0;
}

hol_model *hol_model_compile(hol_context *ctx, const hol_spec *spec, const char *coordinates) {
    const char *wanted = coordinates ? coordinates : "auto";
    if (!ctx || !hol__spec_is_whole(ctx, "hol_model_compile", spec)) return NULL;
    return check_coordinates(ctx, wanted) ? compile(ctx, spec, wanted, (change){0}, TO_RUN) : NULL;
}

hol_model *hol__model_compile_shifted(hol_context *ctx, const hol_spec *spec,
                                      const char *coordinates, hol__shift *shift) {
    return compile(ctx, spec, coordinates, (change){.shift = shift}, TO_RUN);
}

/* The same size of the mechanism for a variant, and whoever uses it frees it. */
static hol_model *share(hol_model *variant, const hol_model *model) {
    variant->users = HOL__NEW(&variant->arena, atomic_int);
    if (!variant->users) {
        hol_model_free(variant);
        return NULL;
    }
    atomic_init(variant->users, 1);
    variant->whole = model->whole ? model->whole : model;
    hol_model *const all[] = {variant, variant->reference, variant->assembly};
    for (int i = 0; i < 3; i++)
        if (all[i]) all[i]->length = model->length;
    return variant;
}

/* Say what is wrong with a description in which parameters have other values; 0: nothing is, or
 * memory was short, which makes other errors too. */
static int report_refused(hol_context *ctx, const hol_context *quiet) {
    for (int i = 0; quiet && i < hol_message_count(quiet); i++)
        if (hol_message_get(quiet, i)->status == HOL_ERR_MEMORY) return 0;
    for (int i = 0; quiet && i < hol_message_count(quiet); i++) {
        const hol_message *m = hol_message_get(quiet, i);
        if (m->severity != HOL_ERROR) continue;
        hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, &m->where, m->element,
                    "%s (with the values that events have given to parameters)", m->text);
        return 1;
    }
    return 0;
}

hol_model *hol__model_variant(hol_context *ctx, const hol_model *model,
                              const hol__variant *variant) {
    const char *word = model->tree ? "relative" : model->items ? "natural" : "reference";
    const hol_spec *spec = model->whole ? model->whole->spec : model->spec;
    hol_context *quiet = hol__context_like(ctx); /* what there is to say was said of the model */
    hol_model *made =
        quiet ? compile(quiet, spec, word, (change){.variant = variant}, TO_RUN) : NULL;
    const int refused = !made && report_refused(ctx, quiet);
    hol_context_free(quiet);
    if (made) made = share(made, model);
    if (!made && !refused) hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL, "out of memory");
    return made;
}
