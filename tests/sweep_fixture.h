/* sweep_fixture.h: models that are changed in one place, what comes of them, and the counts.
 *
 * A subject is one thing of a model that runs: a body, or an element of the table in its example.
 * A variant is a copy of the description with one change, written as a file and read again, so
 * that messages have places. */
#ifndef HOLONOM_TEST_SWEEP_FIXTURE_H
#define HOLONOM_TEST_SWEEP_FIXTURE_H

#include "model/element.h"
#include "model_fixture.h"

/* ---- subjects ---- */

typedef struct subject {
    const char *section, *type; /* "joints", "revolute"; type NULL: a body */
    const hol__key *keys;
    hol_context *ctx;
    hol_spec *spec;   /* the whole model, as it runs */
    const char *name; /* of the thing in it */
    int dim;
} subject;

static inline subject subject_open(const char *section, const char *type, const hol__key *keys) {
    subject s = {.section = section, .type = type, .keys = keys, .ctx = hol_context_new()};
    const int body = strcmp(section, "bodies") == 0;
    char *text = body ? hol_element_example(s.ctx, "joints", type)
                      : hol_element_example(s.ctx, section, type);
    assert_non_null(text);
    s.spec = hol_spec_new(s.ctx);
    assert_int_equal(hol_spec_read_text(s.spec, text, "example.yaml"), HOL_OK);
    hol_free(s.ctx, text);
    const hol__node *item = hol__node_get(s.spec->root, section)->first;
    for (; item && !body; item = item->next)
        if (strcmp(hol__node_get(item, "type")->text, type) == 0) break;
    assert_non_null(item);
    s.name = item->key;
    s.dim = strcmp(hol__node_get(s.spec->root, "space")->text, "spatial") == 0 ? 3 : 2;
    return s;
}

static inline void subject_close(subject *s) {
    hol_spec_free(s->spec);
    hol_context_free(s->ctx);
}

/* The thing itself in a copy of the description. */
static inline hol__node *subject_item(const subject *s, const hol_spec *spec) {
    return hol__node_get(hol__node_get(spec->root, s->section), s->name);
}

/* Whether a key exists in the space of the subject's model. */
static inline int subject_has_key(const subject *s, const hol__key *key) {
    const unsigned only = key->flags & (HOL__IN_PLANE | HOL__IN_SPACE);
    return !only || (only & (s->dim == 2 ? HOL__IN_PLANE : HOL__IN_SPACE));
}

/* ---- runs ---- */

/* A variant that was read, compiled and run to its end, as far as that goes. */
typedef struct outcome {
    run r;
    char *text;
    hol_spec *spec; /* as it was read: where everything stands in the text */
    hol_status status;
} outcome;

/* A run that creeps ends with an error after so many. */
#define MOST_STEPS "8000"

/* Write the description as a file, read it and run it. */
static inline outcome outcome_of(const hol_spec *changed) {
    outcome o = {.r.ctx = hol_context_new(), .status = HOL_ERR_INPUT};
    const hol__node *own = hol__node_get(hol__node_get(changed->root, "simulation"), "max_steps");
    o.text = hol_spec_text(changed);
    o.spec = hol_spec_new(o.r.ctx);
    assert_non_null(o.text);
    if (hol_spec_read_text(o.spec, o.text, "sweep.yaml") == HOL_OK &&
        (own || hol_spec_set(o.spec, "max_steps", MOST_STEPS, "sweep") == HOL_OK))
        o.r.model = hol_model_from_spec(o.r.ctx, o.spec, &o.r.options);
    if (o.r.model) o.r.sim = hol_sim_new(o.r.ctx, o.r.model, o.r.options);
    if (o.r.sim) o.status = hol_sim_run(o.r.sim, NULL);
    return o;
}

static inline void outcome_close(outcome *o, const hol_spec *changed) {
    hol_free(changed->ctx, o->text);
    hol_spec_free(o->spec);
    run_close(&o->r);
}

/* Whether it ran to its end within its tolerances. */
static inline int outcome_met(const outcome *o) {
    if (o->status || !o->r.sim) return 0;
    const hol_sim_info info = sim_info(o->r.sim);
    return info.end == HOL_END_TIME && strcmp(info.verdict, "met") == 0;
}

/* Line and column in one number. */
static inline long place_of(hol_location where) {
    return 10000L * where.line + where.column;
}

/* Whether the name stands in the words, in quotes of either kind. */
static inline int quotes(const char *words, const char *name) {
    char one[128], other[128];
    snprintf(one, sizeof one, "'%s'", name);
    snprintf(other, sizeof other, "`%s`", name);
    return words && (strstr(words, one) || strstr(words, other));
}

/* Whether a message is about the item: its name stands in it. */
static inline int names(const hol_message *m, const char *name) {
    return quotes(m->element, name) || quotes(m->text, name);
}

/* Whether the message points into the node: from its key (or its value) to what comes next. */
static inline int points_into(const hol_message *m, const hol__node *node) {
    const hol__node *after = node; /* what comes next in the text */
    while (after && !(after->next && after->next->where.line)) after = after->parent;
    const long here = place_of(m->where), from = place_of(node->key ? node->key_at : node->where),
               to = after ? place_of(after->next->key ? after->next->key_at : after->next->where)
                          : 1L << 60;
    return m->where.file && strcmp(m->where.file, "sweep.yaml") == 0 && here >= from && here < to;
}

/* An error or a warning that names the item and points into the node (NULL: has a place). */
static inline const hol_message *culprit(const outcome *o, hol_severity severity, const char *name,
                                         const hol__node *node) {
    for (int i = 0; i < hol_message_count(o->r.ctx); i++) {
        const hol_message *m = hol_message_get(o->r.ctx, i);
        if (m->severity == severity && (!name || names(m, name)) &&
            (node ? points_into(m, node) : m->where.line > 0))
            return m;
    }
    return NULL;
}

/* ---- counts ---- */

/* STOPPED: an error says how far the steps came, and a warning which velocity holds them back. */
typedef enum verdict { RIGHT, NAMED, STOPPED, WRONG, N_VERDICTS } verdict;

typedef struct family {
    const char *name;
    int count[N_VERDICTS];
    double off; /* the largest difference of motions that are right */
} family;

/* Count a variant, and show one that is wrong. */
static inline void count_variant(family *f, verdict v, const subject *s, const char *what,
                                 const outcome *o) {
    f->count[v]++;
    if (v != WRONG) return;
    print_error("---- %s: %s %s: %s\n%s", f->name, s->section, s->type, what, o->text);
    print_error("status %s, %s\n", hol_status_name(o->status),
                o->r.sim ? sim_info(o->r.sim).verdict : "no run");
    run_print_messages(o->r.ctx);
}

/* Whether an error is about the key of the subject: it points at it, or its words have it. */
typedef enum refusal { ACCEPTED, ANOTHER, MENTIONED, POINTED } refusal;

static inline refusal refusal_of(const outcome *o, const subject *s, const char *key) {
    const hol__node *item = subject_item(s, o->spec), *node = hol__node_get(item, key);
    if (!o->status) return ACCEPTED;
    if (node && culprit(o, HOL_ERROR, s->name, node)) return POINTED;
    for (int i = 0; item && i < hol_message_count(o->r.ctx); i++) {
        const hol_message *m = hol_message_get(o->r.ctx, i);
        if (m->severity == HOL_ERROR && names(m, s->name) && points_into(m, item) &&
            quotes(m->text, key))
            return MENTIONED;
    }
    return ANOTHER;
}

/* A variant that has to be refused because of a key. Where an error only mentions it ("give
 * exactly one of ..."), each of the other keys is left out in turn: then it must not pass. */
static inline void expect_refused(family *f, const subject *s, const char *what, const char *key,
                                  hol_spec *changed) {
    outcome o = outcome_of(changed);
    refusal r = refusal_of(&o, s, key);
    const int keys = r == MENTIONED && hol__node_get(subject_item(s, changed), key)
                         ? subject_item(s, changed)->count
                         : 0;
    for (int i = 0; i < keys && r >= MENTIONED; i++) {
        hol_spec *less = hol_spec_copy(s->ctx, changed);
        hol__node *other = hol__node_at(subject_item(s, less), i);
        if (strcmp(other->key, key) != 0 && strcmp(other->key, "type") != 0) {
            hol__node_remove(other);
            outcome_close(&o, changed);
            o = outcome_of(less);
            if (!o.status) r = ACCEPTED;
        }
        hol_spec_free(less);
    }
    count_variant(f, r >= MENTIONED ? NAMED : WRONG, s, what, &o);
    outcome_close(&o, changed);
    hol_spec_free(changed);
}

#endif
