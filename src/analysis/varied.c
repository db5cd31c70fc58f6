/* varied.c: one mechanism with many values. See holonom/varied.h.
 *
 * The values stand as numbers in the tree of the description, which is compiled anew for each set:
 * so everything that follows from them is what a fresh compilation gives. All objects live in a
 * pool, and what one set gives back the next one takes.
 */
#include <holonom/varied.h>

#include "analysis/vary.h"
#include "base/argument.h"
#include "base/pool.h"
#include "base/text.h"
#include "common/number.h"
#include "compile/compile.h"
#include "coords/coords.h"
#include "model/model.h"
#include "model/path.h"

#include <string.h>

/* A number of the description. */
typedef struct number {
    hol__node *node;
    const char *unit;
    char *text; /* in the tree: the number, a blank and the unit */
} number;

struct hol_varied {
    hol_context *ctx; /* of the caller */
    hol__pool *pool;
    hol_context *home, *own; /* over the pool: of the description, and of the last set */
    hol_spec *spec;
    int n, changed;
    number *numbers;
    unsigned long long structure; /* of the last model; 0: there was none */
    hol_model *model;
    hol_options *options;
    hol_sim *sim;
};

/* Tell the caller the errors of a context of our own. */
static void pass_on(const hol_varied *v, const hol_context *from) {
    for (int i = 0; from && i < hol_message_count(from); i++) {
        const hol_message *m = hol_message_get(from, i);
        if (m->severity == HOL_ERROR)
            hol__report(v->ctx, HOL_ERROR, m->status, &m->where, m->element, "%s", m->text);
    }
}

/* The status of the first error that a context of our own was told. */
static hol_status first_error(const hol_context *from) {
    for (int i = 0; from && i < hol_message_count(from); i++)
        if (hol_message_get(from, i)->severity == HOL_ERROR)
            return hol_message_get(from, i)->status;
    return HOL_ERR_MEMORY;
}

/* ---- the numbers ---- */

/* Whether a text is a word, such as the name of a body or a method, and not the one parameter or
 * the constant that an expression may be. */
static int is_word(const hol_spec *spec, const hol__node *node) {
    return hol__is_identifier(node->text) && strcmp(node->text, "pi") != 0 &&
           !hol__node_get(hol__node_get(spec->root, "parameters"), node->text);
}

/* Find number i by its name; its text becomes one of our own. */
static hol_status find(hol_varied *v, const char *name, int i) {
    number *x = &v->numbers[i];
    hol__arena *arena = &v->spec->arena;
    x->node = hol__path_value(v->ctx, v->spec, name);
    if (!x->node) return HOL_ERR_ARGUMENT;
    if (x->node->kind != HOL__SCALAR)
        return hol__report(v->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &x->node->where, NULL,
                           "'%s' is %s and no number; name one of its numbers", name,
                           hol__node_kind_name(x->node));
    if (is_word(v->spec, x->node))
        return hol__report(v->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &x->node->where, NULL,
                           "'%s' is '%s' and no number", name, x->node->text);
    for (int k = 0; k < i; k++)
        if (v->numbers[k].node == x->node)
            return hol__report(v->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "'%s' is varied twice", name);
    x->unit = hol__parameter_unit(v->ctx, v->spec, arena, name);
    if (!x->unit) return HOL_ERR_MEMORY;
    x->text = hol__arena_alloc(arena, HOL__NUMBER_SIZE + strlen(x->unit) + 2, 1);
    return x->text ? HOL_OK : HOL_ERR_MEMORY;
}

/* A value as the tree has it. */
static void write_number(number *x, double value) {
    int n = hol__number_write(value, 0, x->text);
    if (*x->unit) x->text[n++] = ' ';
    memcpy(x->text + n, x->unit, strlen(x->unit) + 1);
    x->node->text = x->text;
    x->node->quoted = 0;
}

/* The description of our own, and its numbers. */
static hol_status prepare(hol_varied *v, const hol_spec *spec, int n, const char *const *names) {
    v->pool = hol__pool_new(v->ctx);
    v->home = v->pool ? hol__pool_context(v->pool) : NULL;
    v->spec = v->home ? hol_spec_copy(v->home, spec) : NULL;
    if (!v->spec) return HOL_ERR_MEMORY;
    v->spec->text = NULL; /* the file no longer says what the model is */
    v->numbers = HOL__NEW_N(&v->spec->arena, number, n);
    if (!v->numbers) return HOL_ERR_MEMORY;
    hol_status status = HOL_OK;
    for (int i = 0; i < n && !status; i++) status = find(v, names[i], i);
    v->n = n;
    return status;
}

hol_status hol_varied_new(hol_context *ctx, const hol_spec *spec, int n, const char *const *names,
                          hol_varied **varied) {
    if (varied) *varied = NULL;
    if (!ctx) return HOL_ERR_ARGUMENT;
    hol_status status = hol__need(ctx, "hol_varied_new", "where it goes", varied);
    if (!status) status = hol__need_texts(ctx, "hol_varied_new", "names", n, names);
    if (status) return status;
    if (!hol__spec_is_whole(ctx, "hol_varied_new", spec)) return HOL_ERR_ARGUMENT;
    hol_varied *v = hol__alloc(ctx, 1, sizeof *v);
    if (!v) return HOL_ERR_MEMORY;
    v->ctx = ctx;
    status = prepare(v, spec, n, names);
    if (!status) {
        *varied = v;
        return HOL_OK;
    }
    if (status == HOL_ERR_MEMORY && hol_message_count_of(ctx, HOL_ERROR) == 0)
        hol__report(ctx, HOL_ERROR, status, NULL, NULL, "out of memory");
    hol_varied_free(v);
    return status;
}

/* ---- a set of values ---- */

/* What was made for the values before. */
static void drop(hol_varied *v) {
    hol_sim_free(v->sim);
    hol_options_free(v->options);
    hol_model_free(v->model);
    hol_context_free(v->own);
    v->sim = NULL;
    v->options = NULL;
    v->model = NULL;
    v->own = NULL;
}

void hol_varied_free(hol_varied *v) {
    if (!v) return;
    drop(v);
    hol_spec_free(v->spec);
    hol_context_free(v->home);
    hol__pool_free(v->pool);
    hol__release(v->ctx, v);
}

/* A pattern into a hash. */
static unsigned long long hash_pattern(unsigned long long h, const hol__csr *A) {
    const int rows = A->ptr ? A->rows : 0;
    if (rows) h = hol__hash(h, A->ptr, sizeof *A->ptr * (size_t)(rows + 1));
    if (rows && A->ptr[rows]) h = hol__hash(h, A->idx, sizeof *A->idx * (size_t)A->ptr[rows]);
    return h;
}

/* What does not change while the structure of a model is the same. */
static unsigned long long structure_of(const hol_model *m) {
    const int sizes[] = {m->nq,
                         m->nv,
                         m->m,
                         m->mh,
                         m->nb,
                         m->n_joints,
                         m->n_forces,
                         m->n_columns,
                         m->n_aux,
                         m->n_memory,
                         m->n_slots,
                         m->n_angles,
                         m->n_corners,
                         m->n_events,
                         m->n_switched,
                         m->n_con_batches,
                         m->n_force_batches};
    unsigned long long h = hol__hash(HOL__HASH_START, sizes, sizeof sizes);
    h = hol__hash(h, m->coords->name, strlen(m->coords->name));
    for (int i = 0; i < m->n_con_batches; i++)
        h = hol__hash(h, &m->con_batches[i].count, sizeof m->con_batches[i].count);
    for (int i = 0; i < m->n_force_batches; i++)
        h = hol__hash(h, &m->force_batches[i].count, sizeof m->force_batches[i].count);
    for (int i = 0; i < m->nb; i++) {
        const int kind[] = {m->bodies[i].singular, m->bodies[i].massless, m->bodies[i].point};
        h = hol__hash(h, kind, sizeof kind);
    }
    h = hash_pattern(h, &m->A);
    return h ? h : 1;
}

/* The model and the options of the values in the tree. */
static hol_status evaluate(hol_varied *v) {
    v->own = hol__pool_context(v->pool);
    if (v->own) hol__context_share_files(v->own, v->ctx);
    if (v->own) v->model = hol_model_from_spec(v->own, v->spec, &v->options);
    if (!v->model) {
        const hol_status status = first_error(v->own);
        pass_on(v, v->own);
        return status;
    }
    const unsigned long long structure = structure_of(v->model);
    v->changed = v->structure && structure != v->structure;
    v->structure = structure;
    return HOL_OK;
}

hol_status hol_varied_set(hol_varied *v, const double *values) {
    if (!v) return HOL_ERR_ARGUMENT;
    hol_status status = hol__need(v->ctx, "hol_varied_set", "the values", values);
    for (int i = 0; i < v->n && !status; i++)
        status = hol__need_finite(v->ctx, "hol_varied_set", "a value", values[i]);
    if (status) return status;
    drop(v);
    v->changed = 0;
    for (int i = 0; i < v->n; i++) write_number(&v->numbers[i], values[i]);
    return evaluate(v);
}

hol_sim *hol_varied_sim(hol_varied *v) {
    if (!v) return NULL;
    if (!v->model) {
        hol__report(v->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_varied_sim",
                    "there is no model yet; give values by hol_varied_set first");
        return NULL;
    }
    if (v->sim) return v->sim;
    const int before = hol_message_count_of(v->own, HOL_ERROR);
    v->sim = hol_sim_new(v->own, v->model, v->options);
    if (!v->sim && !before) pass_on(v, v->own); /* once */
    return v->sim;
}

/* ---- questions ---- */

const char *hol_varied_unit(const hol_varied *v, int i) {
    return v && i >= 0 && i < v->n ? v->numbers[i].unit : NULL;
}

const hol_model *hol_varied_model(const hol_varied *v) {
    return v ? v->model : NULL;
}

hol_options *hol_varied_options(hol_varied *v) {
    return v ? v->options : NULL;
}

int hol_varied_changed(const hol_varied *v) {
    return v && v->changed;
}

const hol_context *hol_varied_context(const hol_varied *v) {
    return v ? v->own : NULL;
}
