/* symbolic_models.c: parameters as symbols, and models that were compiled with other values of
 * them: the samples by which numbers of a model get their formulas (symbolic/recognise.h). */
#include "analysis/symbolic.h"

#include "analysis/parameter_tangent.h"
#include "dyn/data.h"
#include "model/node.h"
#include "symbolic/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Samples beyond the number of parameters; how many there are at most, and candidates. */
enum { MORE_SAMPLES = 5, MOST_SAMPLES = 40, MOST_CANDIDATES = 100, MOST_POINTS = 12 };

/* Numbers in (-1, 1) that are the same in every run. */
static double draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* ---- names ---- */

static int is_independent(const hol__equations *e, int i) {
    return e->values[i] && e->values[i]->kind == HOL__SYM_SYMBOL && !e->definition[i];
}

/* Symbols for all parameters, and what they are by others. Those whose text has no formula are no
 * symbols. */
static void read_parameters(hol__equations *e, const hol__node *section) {
    hol__algebra *a = e->a;
    const int n = section ? section->count : 0;
    e->names = HOL__NEW_N(&a->arena, const char *, n + 1);
    e->values = HOL__NEW_N(&a->arena, hol__sym, n + 1);
    e->definition = HOL__NEW_N(&a->arena, hol__sym, n + 1);
    if (a->arena.failed) return;
    for (const hol__node *p = section ? section->first : NULL; p; p = p->next) {
        e->names[e->n_names] = hol__arena_text(&a->arena, p->key);
        e->values[e->n_names++] =
            hol__symbolic_symbol(&e->to, p->key, NULL, HOL__SYM_PARAMETER,
                                 (hol__symbolic_source){.kind = HOL__SYMBOLIC_NONE}, NULL);
    }
    int i = 0;
    for (const hol__node *p = section ? section->first : NULL; p; p = p->next, i++) {
        const hol__sym is = p->kind == HOL__SCALAR
                                ? hol__sym_read(a, p->text, e->n_names, e->names, e->values)
                                : NULL;
        e->definition[i] = is;
    }
}

/* ---- samples ---- */

/* The values of all symbols of parameters in a sample from those that are independent: parameters
 * that follow from others come last. */
static int complete(hol__equations *e, double *sample) {
    double *work = hol__alloc(e->ctx, (size_t)e->a->n_nodes, sizeof *work);
    if (!work) return 0;
    for (int round = 0; round < e->n_names; round++)
        for (int i = 0; i < e->n_names; i++)
            if (e->definition[i] && e->values[i])
                sample[e->values[i]->symbol] = hol__sym_value(e->a, e->definition[i], sample, work);
    hol__release(e->ctx, work);
    return 1;
}

/* The model with the independent parameters as in the sample; NULL: it cannot be made, or is
 * another one. */
static hol_model *make_model(hol__equations *e, const hol_spec *spec, const hol_model *like,
                             const double *sample) {
    hol_spec *copy = hol_spec_copy(e->quiet, spec);
    hol_model *model = NULL;
    hol_options *options = NULL;
    int good = copy != NULL;
    hol_message_clear(e->quiet);
    for (int i = 0; good && i < e->n_names; i++) {
        char path[300], text[40];
        if (!is_independent(e, i)) continue;
        snprintf(path, sizeof path, "parameters.%s", e->names[i]);
        hol__print(text, sizeof text, "%.17g", sample[e->values[i]->symbol]);
        good = hol_spec_set(copy, path, text, "symbolic") == HOL_OK;
    }
    if (good) model = hol_model_from_spec(e->quiet, copy, &options);
    /* without memory it is not another model but none */
    if (!copy || (!model && hol__why_not_made(e->quiet) == HOL_ERR_MEMORY))
        e->a->status = HOL_ERR_MEMORY;
    hol_options_free(options);
    hol_spec_free(copy);
    if (model &&
        (!hol__models_are_alike(model, like) || model->n_con_batches != like->n_con_batches ||
         model->n_force_batches != like->n_force_batches)) {
        hol_model_free(model);
        model = NULL;
    }
    return model;
}

/* A sample near the first one: every independent parameter is off by up to `share`, or one of them
 * alone. */
static double *new_sample(hol__equations *e, const double *first, int only, double share,
                          unsigned *seed) {
    double *sample = HOL__NEW_N(&e->a->arena, double, e->to.capacity + 1);
    if (!sample) return NULL;
    memcpy(sample, first, sizeof *sample * (size_t)e->to.capacity);
    for (int i = 0; i < e->n_names; i++) {
        if (!is_independent(e, i) || (only >= 0 && i != only)) continue;
        const double u = draw(seed), by = share * (u < 0 ? u - 0.5 : u + 0.5) / 1.5;
        double *x = &sample[e->values[i]->symbol];
        *x = *x == 0 ? by : *x * (1 + by);
    }
    return complete(e, sample) ? sample : NULL;
}

/* A parameter that is a number. */
static void fix(hol__equations *e, int i, double value) {
    hol__symbolic_source *source = &e->to.source[e->values[i]->symbol];
    e->values[i] = hol__recognise_number(e->a, value, 0, 1);
    *source = (hol__symbolic_source){.kind = HOL__SYMBOLIC_DEFINED, .is = e->values[i]};
    e->definition[i] = NULL;
}

/* A parameter whose text has no formula, which no expression can use. */
static void drop(hol__equations *e, int i) {
    e->a->symbols[e->values[i]->symbol].what = HOL__SYM_OTHER;
    e->values[i] = NULL;
    e->definition[i] = NULL;
}

/* Whether a parameter is to be a symbol. */
static int is_wanted(const hol__equations *e, int i) {
    for (int k = 0; k < e->n_wanted; k++)
        if (strcmp(e->wanted[k], e->names[i]) == 0) return 1;
    return e->n_wanted == 0;
}

/* Parameters that are not wanted, and those with another value of which the model is another one,
 * become numbers. */
static hol_status fix_parameters(hol__equations *e, const hol_spec *spec, const hol_model *model,
                                 double *first) {
    unsigned seed = 7;
    for (int i = 0; i < e->n_names; i++) {
        if (!is_independent(e, i)) continue;
        if (!is_wanted(e, i)) {
            fix(e, i, first[e->values[i]->symbol]);
            continue;
        }
        const double *sample = new_sample(e, first, i, 0.01, &seed);
        if (!sample) return HOL_ERR_MEMORY;
        hol_model *other = make_model(e, spec, model, sample);
        if (e->a->status) return e->a->status;
        if (!other) fix(e, i, first[e->values[i]->symbol]);
        hol_model_free(other);
    }
    return HOL_OK;
}

/* The first sample: the values of the model. */
static double *first_sample(hol__equations *e) {
    double *first = HOL__NEW_N(&e->a->arena, double, e->to.capacity + 1);
    if (!first) return NULL;
    for (int i = 0; i < e->to.capacity; i++) first[i] = NAN;
    first[e->a->pi->symbol] = acos(-1.0);
    if (!complete(e, first)) return NULL;
    for (int i = 0; i < e->n_names; i++) {
        const int symbol = e->values[i]->symbol;
        e->a->symbols[symbol].positive = first[symbol] > 0;
        if (!e->definition[i] || !isfinite(first[symbol])) /* cannot be read */
            drop(e, i);
        else if (hol__sym_is_number(e->definition[i]) ||
                 e->definition[i] == e->a->pi) /* independent */
            e->definition[i] = NULL;
        else if (e->definition[i]->kind == HOL__SYM_PRODUCT && e->definition[i]->rest == e->a->pi)
            e->definition[i] = NULL;
    }
    return first;
}

/* Every parameter is a number: with others together the model is another one. */
static void give_up(hol__equations *e, const double *first) {
    for (int k = 1; k < e->n_models; k++) {
        hol_model_free(e->models[k]);
        e->models[k] = NULL;
    }
    for (int i = 0; i < e->n_names; i++)
        if (e->values[i] && e->values[i]->kind == HOL__SYM_SYMBOL)
            fix(e, i, first[e->values[i]->symbol]);
    e->n_models = 1;
    e->numbers.n_parameters = 0;
    e->fixed = 1;
}

/* The other models, at most so far from the first that they can all be made. */
static hol_status make_models(hol__equations *e, const hol_spec *spec, const hol_model *model,
                              double *first) {
    hol__algebra *a = e->a;
    int n = 0;
    for (int i = 0; i < e->n_names; i++) n += is_independent(e, i);
    const int want = n == 0                                ? 1
                     : 1 + n + MORE_SAMPLES < MOST_SAMPLES ? 1 + n + MORE_SAMPLES
                                                           : MOST_SAMPLES;
    e->numbers = (hol__candidates){.a = a, .scale = model->length};
    e->numbers.sample = HOL__NEW_N(&a->arena, double *, want);
    e->numbers.parameter = HOL__NEW_N(&a->arena, hol__sym, n + 1);
    e->models = HOL__NEW_N(&a->arena, hol_model *, want);
    if (a->arena.failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < e->n_names; i++)
        if (is_independent(e, i)) e->numbers.parameter[e->numbers.n_parameters++] = e->values[i];
    e->numbers.sample[0] = first;
    unsigned seed = 20;
    double share = 0.02;
    for (e->n_models = 1; e->n_models < want;) {
        double *sample = new_sample(e, first, -1, share, &seed);
        if (!sample) return HOL_ERR_MEMORY;
        e->models[e->n_models] = make_model(e, spec, model, sample);
        if (e->a->status) return e->a->status;
        if (e->models[e->n_models])
            e->numbers.sample[e->n_models++] = sample;
        else if ((share *= 0.3) < 1e-5) {
            give_up(e, first);
            break;
        }
    }
    e->numbers.n_samples = e->n_models;
    return HOL_OK;
}

/* ---- candidates ---- */

static void add_candidate(hol__equations *e, hol__sym x) {
    if (e->numbers.n < MOST_CANDIDATES) hol__candidates_add(&e->numbers, x);
}

/* Every expression of the file that has a parameter in it. */
static void add_texts(hol__equations *e, const hol__node *node) {
    if (node->kind == HOL__SCALAR && node->text) {
        const hol__sym x = hol__sym_read(e->a, node->text, e->n_names, e->names, e->values);
        if (x && !hol__sym_is_number(x)) add_candidate(e, x);
    }
    for (const hol__node *child = node->first; child; child = child->next) add_texts(e, child);
}

/* The distances of named points. */
static void add_distances(hol__equations *e, const hol__node *points) {
    hol__algebra *a = e->a;
    hol__sym place[MOST_POINTS][3];
    int n = 0;
    for (const hol__node *p = points ? points->first : NULL; p && n < MOST_POINTS; p = p->next) {
        int k = 0, good = p->kind == HOL__LIST;
        for (const hol__node *x = p->first; good && x && k < 3; x = x->next, k++) {
            place[n][k] = x->kind == HOL__SCALAR
                              ? hol__sym_read(a, x->text, e->n_names, e->names, e->values)
                              : NULL;
            good = place[n][k] != NULL;
        }
        while (k < 3) place[n][k++] = a->zero;
        n += good;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            hol__sym square = a->zero;
            for (int k = 0; k < 3; k++)
                square = hol__sym_add(
                    a, square, hol__sym_square(a, hol__sym_sub(a, place[i][k], place[j][k])));
            add_candidate(e, hol__sym_shorten(a, hol__sym_sqrt(a, hol__sym_shorten(a, square))));
        }
}

static void add_candidates(hol__equations *e, const hol_spec *spec) {
    static const char *const sections[] = {"bodies", "points",  "joints",
                                           "forces", "gravity", "natural"};
    hol__algebra *a = e->a;
    for (int i = 0; i < e->n_names; i++)
        if (e->values[i]) add_candidate(e, e->values[i]);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const hol__node *node = hol__node_get(spec->root, sections[i]);
        if (node) add_texts(e, node);
    }
    add_distances(e, hol__node_get(spec->root, "points"));
    const int n = e->numbers.n;
    for (int i = 0; i < n; i++) {
        const hol__sym x = e->numbers.list[i].e;
        if (x->operations > 2 || !(fabs(e->numbers.list[i].value[0]) < 7)) continue;
        add_candidate(e, hol__sym_cos(a, x));
        add_candidate(e, hol__sym_sin(a, x));
    }
}

hol_status hol__symbolic_models(hol__equations *e, const hol_spec *spec, const hol_model *model) {
    hol__algebra *a = e->a;
    read_parameters(e, hol__node_get(spec->root, "parameters"));
    double *first = a->status ? NULL : first_sample(e);
    if (!first) return a->status ? a->status : HOL_ERR_MEMORY;
    hol_status status = fix_parameters(e, spec, model, first);
    if (!status) status = make_models(e, spec, model, first);
    if (status) return status;
    add_candidates(e, spec);
    return a->status;
}
