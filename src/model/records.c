/* records.c: adding records of primitives to the batches of a model that is being built. */
#include "model/build.h"

#include <string.h>

/* The batch of that type, made when it is not there; -1 without memory. */
static int con_batch(hol__build *build, const hol__con_type *type) {
    hol_model *model = build->model;
    for (int i = 0; i < model->n_con_batches; i++)
        if (model->con_batches[i].type == type) return i;
    hol__con_batch *grown =
        hol__arena_append(build->arena, model->con_batches, sizeof *grown, model->n_con_batches, 1);
    if (!grown) return -1;
    model->con_batches = grown;
    grown[model->n_con_batches] = (hol__con_batch){.type = type};
    return model->n_con_batches++;
}

void *hol__add_con(hol__build *build, hol__element *element, const hol__con_type *type,
                   int n_rows) {
    const int at = con_batch(build, type);
    if (at < 0 || element->n_parts == HOL__MAX_PARTS) return NULL;
    hol__con_batch *batch = &build->model->con_batches[at];
    char *records = hol__arena_grow(build->arena, batch->records, type->size, batch->count,
                                    &batch->capacity, batch->count + 1);
    if (!records) return NULL;
    batch->records = records;
    hol__con *con = (hol__con *)(void *)(records + (size_t)batch->count * type->size);
    con->element = element->index;
    con->n_bodies = 2;
    con->body[0] = element->body[0];
    con->body[1] = element->body[1];
    con->n_rows = n_rows;
    element->part[element->n_parts].batch = at;
    element->part[element->n_parts++].record = batch->count++;
    return con;
}

/* Give the part of an element that is record `from` of a batch its new place; to < 0: take the part
 * out. */
static void move_part(hol__element *e, int batch, int from, int to) {
    for (int p = 0; p < e->n_parts; p++) {
        if (e->part[p].batch != batch || e->part[p].record != from) continue;
        e->part[p].record = to;
        if (to < 0) e->part[p] = e->part[--e->n_parts];
        return;
    }
}

void hol__drop_records(hol_model *model, int (*is_dropped)(const void *self, int batch, int record),
                       const void *self) {
    for (int i = 0; i < model->n_con_batches; i++) {
        hol__con_batch *batch = &model->con_batches[i];
        const size_t size = batch->type->size;
        int kept = 0;
        for (int k = 0; k < batch->count; k++) {
            /* places up to k - 1 may have been overwritten, that of k not yet */
            const hol__con *con = hol__con_record(batch, k);
            const int drop = is_dropped(self, i, k);
            move_part(&model->joints[con->element], i, k, drop ? -1 : kept);
            if (drop) continue;
            if (kept != k) memmove(batch->records + (size_t)kept * size, con, size);
            kept++;
        }
        batch->count = kept;
    }
}

/* A force that does not act keeps its record, for those who ask what it would see. */
static void keep_idle(hol__build *build, hol__element *e, const hol__force_type *type,
                      const void *record) {
    void *copy = hol__arena_alloc(build->arena, 1, type->size);
    if (!copy) return;
    memcpy(copy, record, type->size);
    e->idle = copy;
    e->idle_type = type;
}

void hol__drop_forces(hol__build *build) {
    hol_model *model = build->model;
    for (int i = 0; i < model->n_force_batches; i++) {
        hol__force_batch *batch = &model->force_batches[i];
        const size_t size = batch->type->size;
        int kept = 0;
        for (int k = 0; k < batch->count; k++) {
            const hol__element *owner = batch->owner[k];
            const int drop = owner && owner->off;
            for (int f = 0; f < model->n_forces; f++) {
                if (owner != &model->forces[f]) continue;
                move_part(&model->forces[f], i, k, drop ? -1 : kept);
                if (drop)
                    keep_idle(build, &model->forces[f], batch->type, hol__force_record(batch, k));
            }
            if (drop) continue;
            memmove(batch->records + (size_t)kept * size, hol__force_record(batch, k), size);
            batch->owner[kept++] = owner;
        }
        batch->count = kept;
    }
}

static int force_batch(hol__build *build, const hol__force_type *type) {
    hol_model *model = build->model;
    for (int i = 0; i < model->n_force_batches; i++)
        if (model->force_batches[i].type == type) return i;
    hol__force_batch *grown = hol__arena_append(build->arena, model->force_batches, sizeof *grown,
                                                model->n_force_batches, 1);
    if (!grown) return -1;
    model->force_batches = grown;
    grown[model->n_force_batches] = (hol__force_batch){.type = type};
    return model->n_force_batches++;
}

/* Whether an element is a force of the model: joints and gravity add records of forces too, which
 * are parts of none. */
static int is_force(const hol__element *element) {
    return element->type && strcmp(element->type->section, "forces") == 0;
}

void *hol__add_force(hol__build *build, hol__element *element, const hol__force_type *type) {
    const int at = force_batch(build, type);
    if (at < 0 || (is_force(element) && element->n_parts == HOL__MAX_PARTS)) return NULL;
    hol__force_batch *batch = &build->model->force_batches[at];
    char *records = hol__arena_grow(build->arena, batch->records, type->size, batch->count,
                                    &batch->capacity, batch->count + 1);
    const hol__element **owner = hol__arena_grow(build->arena, batch->owner, sizeof *owner,
                                                 batch->count, &batch->owners, batch->count + 1);
    if (!records || !owner) return NULL;
    batch->records = records;
    batch->owner = owner;
    owner[batch->count] = element->index < 0 ? NULL : element;
    int *head = (int *)(void *)(records + (size_t)batch->count * type->size);
    *head = element->index;
    if (is_force(element)) {
        element->part[element->n_parts].batch = at;
        element->part[element->n_parts++].record = batch->count;
    }
    batch->count++;
    return head;
}

int hol__add_state(hol__build *build, double start) {
    hol_model *model = build->model;
    double *grown = hol__arena_append(build->arena, model->aux0, sizeof *grown, model->n_aux, 1);
    if (!grown) return -1;
    model->aux0 = grown;
    grown[model->n_aux] = start;
    if (build->owner && !build->owner->n_aux++) build->owner->aux = model->n_aux;
    return model->n_aux++;
}

int hol__add_memory(hol__build *build, int n) {
    const int first = build->model->n_memory;
    build->model->n_memory += n;
    return first;
}

int hol__add_corner(hol__build *build, const hol__cells *cells, const char *label) {
    hol_model *model = build->model;
    hol__corner *grown =
        hol__arena_append(build->arena, model->corners, sizeof *grown, model->n_corners, 1);
    if (!grown) return 0;
    model->corners = grown;
    grown[model->n_corners] = (hol__corner){.cells = *cells, .label = label};
    return model->n_corners++;
}

int hol__add_fast_corner(hol__build *build, const hol__cells *cells, const char *label,
                         double thick) {
    const int first = hol__add_corner(build, cells, label),
              second = hol__add_corner(build, cells, label);
    if (second == first) return first;
    build->model->corners[first].thick = thick;
    build->model->corners[second].thick = -1;
    return first;
}

void hol__note_choosing(hol__build *build, hol__expr *e) {
    hol_model *model = build->model;
    if (!hol__expr_timed(e) && !hol__expr_recorded(e)) return;
    hol__choosing *grown =
        hol__arena_append(build->arena, model->choosing, sizeof *grown, model->n_choosing, 1);
    if (!grown) return;
    model->choosing = grown;
    grown[model->n_choosing++] =
        (hol__choosing){e, hol__keep(build, build->element ? build->element : "")};
}

int hol__track_angle(hol__build *build, const int body[2], const hol__marker marker[2]) {
    hol_model *model = build->model;
    hol__angle *grown =
        hol__arena_append(build->arena, model->angles, sizeof *grown, model->n_angles, 1);
    if (!grown) return -1;
    model->angles = grown;
    grown[model->n_angles] =
        (hol__angle){.body = {body[0], body[1]}, .marker = {marker[0], marker[1]}};
    return model->n_angles++;
}

int hol__track_number(hol__build *build, const int body[2],
                      double (*follow)(const void *self, const hol__bodies *bodies, double last,
                                       double *scratch),
                      const void *self) {
    const hol__marker none[2] = {0};
    const int at = hol__track_angle(build, body, none);
    if (at < 0) return -1;
    build->model->angles[at].follow = follow;
    build->model->angles[at].self = self;
    return at;
}

int hol__track_joint_angle(hol__build *build, int joint) {
    hol__element *element = &build->model->joints[joint];
    if (element->angle < 0)
        element->angle = hol__track_angle(build, element->body, element->marker);
    return element->angle;
}
