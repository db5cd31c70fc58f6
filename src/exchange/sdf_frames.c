/* sdf_frames.c: names of SDFormat and the frames that belong to them.
 *
 * With X_s_e for the frame of an entry e in that of its scope s, P for its <pose>, given in the
 * frame f (relative_to):
 *
 *     link     X = X_f P, f the scope        frame    X = X_f P, f what it is attached to
 *     joint    X = X_f P, f the child        model    X = X_f P X_placement^-1, f the scope
 *
 * where the placement frame of a model is one of its own. A name "a::b" is b in the model a; the
 * names of a merged model are those of the model around it too, and the other way round.
 */
#include "exchange/sdf.h"

#include "math/quat.h"

#include <string.h>

enum { MOST_STEPS = 1000 }; /* from frame to frame: more are a circle */

/* ---- scopes ---- */

static hol__sdf_entry *entry_named(const hol__sdf_scope *scope, const char *name) {
    const uintptr_t *found = hol__name_tree_find(&scope->names, name);
    return found ? (hol__sdf_entry *)*found : NULL;
}

/* One more use of a name in the file. */
static void count_name(hol__sdf *s, hol__name_tree *names, const char *name) {
    uintptr_t *found = hol__name_tree_find(names, name);
    if (found)
        ++*found;
    else
        hol__name_tree_add(names, &s->im->arena, name, 1);
}

/* Put an entry into its scope; NULL after an error. */
static hol__sdf_entry *add_entry(hol__sdf *s, hol__sdf_scope *scope, hol__sdf_kind kind,
                                 hol__xml *element, const char *name, hol__xml *asked) {
    hol_import *im = s->im;
    hol__xml *at = asked ? asked : element;
    if (!name || !*name) {
        hol__import_error(im, at, NULL, "it has no name");
        return NULL;
    }
    const hol__sdf_entry *before = entry_named(scope, name);
    if (before) {
        const hol_location *w = &before->element->where;
        hol__import_error(im, at, asked ? NULL : "name",
                          "there is a %s called '%s' at %s:%d:%d already", before->element->name,
                          name, w->file, w->line, w->column);
        return NULL;
    }
    hol__sdf_entry *entry = HOL__NEW(&im->arena, hol__sdf_entry);
    if (!entry) return NULL;
    *entry = (hol__sdf_entry){.kind = kind,
                              .name = name,
                              .scope = scope,
                              .element = element,
                              .asked = asked,
                              .body = -1,
                              .joint = {-1, -1}};
    hol__name_tree_add(&scope->names, &im->arena, name, (uintptr_t)entry);
    if (kind == HOL__SDF_LINK) count_name(s, &s->links, name);
    if (kind == HOL__SDF_JOINT) count_name(s, &s->joints, name);
    if (scope->last)
        scope->last->next = entry;
    else
        scope->first = entry;
    scope->last = entry;
    return entry;
}

hol__sdf_scope *hol__sdf_scope_new(hol__sdf *s, hol__sdf_scope *around, hol__xml *element) {
    hol__sdf_scope *scope = HOL__NEW(&s->im->arena, hol__sdf_scope);
    if (!scope) return NULL;
    *scope = (hol__sdf_scope){.around = around, .element = element, .is_world = !around};
    return scope;
}

/* A model, by itself or asked for by an <include>. */
static int add_model(hol__sdf *s, hol__sdf_scope *scope, hol__xml *model, hol__xml *asked) {
    hol_import *im = s->im;
    const char *own = hol__xml_value(model, "name"),
               *name = asked ? hol__sdf_text(im, asked, "name") : NULL;
    hol__sdf_entry *entry =
        add_entry(s, scope, HOL__SDF_MODEL, model, name && *name ? name : own, asked);
    hol__sdf_scope *inside = entry ? hol__sdf_scope_new(s, scope, model) : NULL;
    if (!inside) return 0;
    entry->inside = inside;
    inside->model = entry;
    hol__xml_value(model, "canonical_link");
    inside->merged = asked && hol__xml_flag(im, asked, "merge", 0);
    inside->is_static = hol__sdf_flag(im, model, "static", 0);
    if (asked) inside->is_static = hol__sdf_flag(im, asked, "static", inside->is_static);
    inside->is_static |= scope->is_static;
    return hol__sdf_fill(s, inside, model);
}

/* The model that was put into an <include>. */
static int add_included(hol__sdf *s, hol__sdf_scope *scope, hol__xml *include) {
    hol__xml *root = hol__xml_child(include, "sdf"), *model = hol__xml_child(root, "model");
    if (model) return add_model(s, scope, model, include);
    if (root)
        hol__note(s->im, HOL_IMPORT_LEFT_OUT, include, NULL,
                  "its file '%s' holds no model: a light or an actor", root->where.file);
    if (root) hol__xml_cover(include);
    return 1;
}

int hol__sdf_fill(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *element) {
    static const char *const words[] = {"link", "joint", "frame"};
    int good = 1;
    for (hol__xml *e = element->first; e; e = e->next) {
        for (int kind = 0; kind < 3; kind++) {
            if (strcmp(e->name, words[kind]) != 0) continue;
            if (kind == HOL__SDF_LINK && scope->is_world) continue;
            e->used = 1;
            good &= add_entry(s, scope, (hol__sdf_kind)kind, e, hol__xml_value(e, "name"), NULL) !=
                    NULL;
        }
        if (strcmp(e->name, "model") == 0) {
            e->used = 1;
            good &= add_model(s, scope, e, NULL);
        } else if (strcmp(e->name, "include") == 0)
            good &= add_included(s, scope, e);
    }
    return good;
}

const char *hol__sdf_called(hol__sdf *s, const hol__sdf_entry *entry) {
    const hol__name_tree *names = entry->kind == HOL__SDF_LINK ? &s->links : &s->joints;
    const uintptr_t *count = hol__name_tree_find(names, entry->name);
    const char *name = entry->name;
    if (!count || *count == 1) return name;
    for (const hol__sdf_scope *scope = entry->scope; name && scope->model; scope = scope->around)
        if (!scope->merged)
            name = hol__arena_format(&s->im->arena, "%s::%s", scope->model->name, name);
    return name;
}

void hol__sdf_each(hol__sdf *s, hol__sdf_scope *scope, hol__sdf_kind kind,
                   void (*call)(hol__sdf *s, hol__sdf_entry *entry, void *user), void *user) {
    for (hol__sdf_entry *e = scope->first; e; e = e->next) {
        if (e->kind == kind) call(s, e, user);
        if (e->inside) hol__sdf_each(s, e->inside, kind, call, user);
    }
}

/* ---- names ---- */

static int place_entry(hol__sdf *s, hol__sdf_entry *entry);

/* Down from a scope: its own names, those of models in it by "::", those of merged models. */
static hol__sdf_entry *look_down(hol__sdf *s, hol__sdf_scope *scope, const char *name,
                                 hol__placement *at) {
    hol__sdf_entry *found = entry_named(scope, name);
    if (found) {
        if (!place_entry(s, found)) return NULL;
        *at = found->at;
        return found;
    }
    for (hol__sdf_entry *e = scope->first; e; e = e->next) {
        const size_t n = strlen(e->name);
        const char *rest = NULL;
        if (!e->inside) continue;
        if (strncmp(name, e->name, n) == 0 && strncmp(name + n, "::", 2) == 0) rest = name + n + 2;
        if (!rest && e->inside->merged) rest = name;
        hol__placement inner;
        found = rest ? look_down(s, e->inside, rest, &inner) : NULL;
        if (!found || !place_entry(s, e)) continue;
        *at = hol__placement_mul(&e->at, &inner);
        return found;
    }
    return NULL;
}

hol__sdf_entry *hol__sdf_find(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *asks,
                              const char *name, hol__placement *at) {
    const int errors = hol_message_count_of(s->im->ctx, HOL_ERROR);
    hol__sdf_entry *found = look_down(s, scope, name, at);
    hol__placement out = HOL__PLACEMENT_ZERO; /* the scope in the one where it is found */
    for (; !found && scope->merged; scope = scope->around) {
        if (!place_entry(s, scope->model)) return NULL;
        out = hol__placement_mul(&scope->model->at, &out);
        found = look_down(s, scope->around, name, at);
        const hol__placement back = hol__placement_inverse(&out);
        if (found) *at = hol__placement_mul(&back, at);
    }
    if (!found && hol_message_count_of(s->im->ctx, HOL_ERROR) == errors)
        hol__import_error(
            s->im, asks, NULL, "there is no link, joint, frame or model '%s' in %s '%s'", name,
            scope->element->name, scope->model ? scope->model->name : scope->element->name);
    return found;
}

/* ---- frames ---- */

/* The frame of a name in a scope; that of the scope for none and for its own names. */
static int frame_of(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *asks, const char *name,
                    hol__placement *at) {
    *at = HOL__PLACEMENT_ZERO;
    if (!name || !*name || strcmp(name, scope->is_world ? "world" : "__model__") == 0) return 1;
    return hol__sdf_find(s, scope, asks, name, at) != NULL;
}

/* What a <pose> of the entry is given in where it does not say it. */
static const char *usual_frame(hol__sdf *s, const hol__sdf_entry *entry) {
    const char *name = NULL;
    if (entry->kind == HOL__SDF_JOINT) name = hol__sdf_text(s->im, entry->element, "child");
    if (entry->kind == HOL__SDF_FRAME) name = hol__xml_value(entry->element, "attached_to");
    return name;
}

/* The frame of a model that its pose places: one of its own; identity where it has none. */
static int placement_of(hol__sdf *s, const hol__sdf_entry *entry, hol__placement *at) {
    const char *name = entry->asked ? hol__sdf_text(s->im, entry->asked, "placement_frame") : NULL;
    if (!name) name = hol__xml_value(entry->element, "placement_frame");
    return frame_of(s, entry->inside, entry->asked ? entry->asked : entry->element, name, at);
}

/* Find X of an entry; 0 after an error. */
static int place_entry(hol__sdf *s, hol__sdf_entry *entry) {
    hol_import *im = s->im;
    const hol__xml *asked = entry->asked;
    const hol__xml *holder = asked && hol__xml_child(asked, "pose") ? asked : entry->element;
    const char *relative;
    hol__placement frame, placed = HOL__PLACEMENT_ZERO;
    if (entry->state == 2) return 1;
    if (entry->state == 1) {
        hol__import_error(im, entry->element, NULL,
                          "its pose is given in a frame that is given in its own: a circle");
        return 0;
    }
    if (s->depth > MOST_STEPS) {
        hol__import_error(im, entry->element, NULL, "its frame depends on more than %d others",
                          MOST_STEPS);
        return 0;
    }
    entry->state = 1;
    s->depth++;
    const hol__placement pose = hol__sdf_pose(im, holder, &relative);
    int good =
        frame_of(s, entry->scope, holder, relative ? relative : usual_frame(s, entry), &frame);
    if (good && entry->inside) good = placement_of(s, entry, &placed);
    entry->at = hol__placement_mul(&frame, &pose);
    if (entry->inside) {
        const hol__placement back = hol__placement_inverse(&placed);
        entry->at = hol__placement_mul(&entry->at, &back);
    }
    entry->state = 2; /* an error is reported once */
    s->depth--;
    return good;
}

hol__placement hol__sdf_scope_at(hol__sdf *s, hol__sdf_scope *scope) {
    return scope->model ? hol__sdf_at(s, scope->model) : HOL__PLACEMENT_ZERO;
}

hol__placement hol__sdf_at(hol__sdf *s, hol__sdf_entry *entry) {
    const hol__placement scope = hol__sdf_scope_at(s, entry->scope);
    if (!place_entry(s, entry)) return scope;
    return hol__placement_mul(&scope, &entry->at);
}

int hol__sdf_turn(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *asks, const char *name,
                  double q[4]) {
    const hol__placement around = hol__sdf_scope_at(s, scope);
    hol__placement at;
    if (!frame_of(s, scope, asks, name, &at)) return 0;
    hol__quat_mul(around.q, at.q, q);
    return 1;
}

/* ---- bodies ---- */

/* The link that the frame of a model is attached to: canonical_link, or its first one. */
static hol__sdf_entry *canonical(hol__sdf *s, hol__sdf_scope *scope) {
    const char *name = hol__xml_value(scope->element, "canonical_link");
    hol__placement at;
    if (name && *name) return hol__sdf_find(s, scope, scope->element, name, &at);
    for (hol__sdf_entry *e = scope->first; e; e = e->next)
        if (e->kind == HOL__SDF_LINK) return e;
    for (hol__sdf_entry *e = scope->first; e; e = e->next) {
        hol__sdf_entry *found = e->inside ? canonical(s, e->inside) : NULL;
        if (found) return found;
    }
    return NULL;
}

int hol__sdf_body(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *asks, const char *name) {
    hol__placement at;
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        if (name && strcmp(name, "world") == 0) return HOL__GROUND;
        const int own = !name || !*name || strcmp(name, "__model__") == 0;
        if (own && scope->is_world) return HOL__GROUND;
        hol__sdf_entry *e = own ? canonical(s, scope) : hol__sdf_find(s, scope, asks, name, &at);
        if (!e) return -2;
        if (e->kind == HOL__SDF_LINK) return e->body;
        asks = e->element;
        name = e->kind == HOL__SDF_MODEL ? NULL : usual_frame(s, e);
        scope = e->kind == HOL__SDF_MODEL ? e->inside : e->scope;
    }
    hol__import_error(s->im, asks, NULL, "what it is attached to is attached to it: a circle");
    return -2;
}
