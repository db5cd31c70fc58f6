/* switch_sets.c: sets of elements that act, each a model of its own.
 *
 * A set is compiled when it is first met and kept. Where a joint holds what it met, its model is of
 * that place alone and belongs to the set in use.
 */
#include "compile/compile.h"
#include "sim/sim.h"

#include <string.h>

/* Whether some joint that acts holds what it met: its model is of this place alone. */
static int has_places(const hol__switching *s) {
    for (int k = 0; k < s->n_joints; k++)
        if (s->place[k]) return 1;
    return 0;
}

/* Keep the set in use among those that were met; NULL without memory. */
static hol__set *keep_set(hol_sim *sim, hol_model *model) {
    hol__switching *s = &sim->switching;
    if (s->n_sets == s->room_sets) {
        const int room = 2 * s->room_sets + 4;
        hol__set *larger = hol__grown(sim->ctx, s->sets, sizeof *larger, s->n_sets, room);
        if (!larger) return NULL;
        s->sets = larger;
        s->room_sets = room;
    }
    unsigned char *off = hol__alloc(sim->ctx, (size_t)s->n_elements, 1);
    hol__touch_bits *touch = hol__alloc(sim->ctx, (size_t)s->n_slots + 1, sizeof *touch);
    if (!off || !touch) {
        hol__release(sim->ctx, off);
        hol__release(sim->ctx, touch);
        return NULL;
    }
    memcpy(off, s->off, (size_t)s->n_elements);
    memcpy(touch, s->touch, sizeof *touch * (size_t)s->n_slots);
    s->sets[s->n_sets] = (hol__set){off, touch, model, 1};
    return &s->sets[s->n_sets++];
}

/* The set in use among those that were met; NULL: a new one. */
static hol__set *known_set(const hol__switching *s) {
    for (int i = 0; i < s->n_sets; i++)
        if (memcmp(s->sets[i].off, s->off, (size_t)s->n_elements) == 0 &&
            memcmp(s->sets[i].touch, s->touch, sizeof *s->touch * (size_t)s->n_slots) == 0)
            return &s->sets[i];
    return NULL;
}

const hol_model *hol__switching_model(hol_sim *sim, int *is_new) {
    hol__switching *s = &sim->switching;
    const hol__variant variant = {.n_joints = s->n_joints,
                                  .off = s->off,
                                  .place = s->place,
                                  .touch = s->touch,
                                  .anchored = !s->loose,
                                  .n_values = sim->whole->n_assigned,
                                  .names = sim->whole->assigned,
                                  .values = sim->events.values};
    const int own = has_places(s);
    hol__set *known = known_set(s);
    if (is_new) *is_new = !known || !known->met;
    if (known) known->met = 1;
    if (known && !own && known->model) return known->model;
    hol_model *made = hol__model_variant(sim->ctx, sim->whole, &variant);
    if (!made || (!known && !keep_set(sim, own ? NULL : made))) {
        hol_model_free(made);
        return NULL;
    }
    if (own) s->own = made;
    if (known && !own) known->model = made;
    return made;
}

const hol_model *hol__switching_with(hol_sim *sim, int joint) {
    hol__switching *s = &sim->switching;
    const hol_model *const own = s->own;
    s->own = NULL;
    s->off[joint] = 0;
    const hol_model *model = hol__switching_model(sim, NULL);
    if (model && !s->own) hol__model_keep(model);
    s->off[joint] = 1;
    s->own = own;
    return model;
}

const hol_model *hol__switching_touched(hol_sim *sim, hol__touch_bits *touch, int *own) {
    hol__switching *s = &sim->switching;
    const hol_model *const acting = s->own;
    hol__touch_bits *const now = s->touch;
    s->touch = touch;
    *own = has_places(s);
    const hol_model *model = hol__switching_model(sim, NULL);
    s->own = acting;
    s->touch = now;
    return model;
}

void hol__sim_hold_loosely(hol_sim *sim) {
    hol__switching *s = sim ? &sim->switching : NULL;
    if (!s || s->loose) return;
    s->loose = 1;
    for (int i = 0; i < s->n_sets; i++) {
        hol__set *set = &s->sets[i];
        if (!set->model || !hol__rigid_holds_places(set->model)) continue;
        hol_model_free(set->model);
        set->model = NULL;
    }
}

/* One that was met; s->off and s->touch are lent to it. */
static hol_status walk_met(hol_sim *sim, hol__set *set, hol__archive *archive) {
    hol__switching *s = &sim->switching;
    HOL__ARCHIVE_N(archive, set ? set->off : s->off, s->n_elements);
    HOL__ARCHIVE_N(archive, set ? set->touch : s->touch, s->n_slots);
    if (!hol__archive_reads(archive) || archive->mismatch) return HOL_OK;
    hol__set *known = known_set(s);
    if (!known) known = keep_set(sim, NULL);
    if (!known) return HOL_ERR_MEMORY;
    known->met = 1;
    return HOL_OK;
}

hol_status hol__switching_walk_sets(hol_sim *sim, hol__archive *archive) {
    hol__switching *s = &sim->switching;
    const int reads = hol__archive_reads(archive);
    const size_t size = sizeof *s->touch * (size_t)s->n_slots + (size_t)s->n_elements;
    unsigned char *kept = reads ? hol__alloc(sim->ctx, size + 1, 1) : NULL;
    hol_status status = reads && !kept ? HOL_ERR_MEMORY : HOL_OK;
    int n = 0;
    for (int i = 0; i < s->n_sets; i++) n += s->sets[i].met;
    HOL__ARCHIVE(archive, n);
    if (reads && kept) {
        memcpy(kept, s->off, (size_t)s->n_elements);
        memcpy(kept + s->n_elements, s->touch, size - (size_t)s->n_elements);
        for (int i = 0; i < s->n_sets; i++) s->sets[i].met = 0;
    }
    for (int i = 0, k = 0; k < n && !status && !archive->mismatch; i++) {
        if (!reads && !s->sets[i].met) continue;
        status = walk_met(sim, reads ? NULL : &s->sets[i], archive);
        k++;
    }
    if (kept) {
        memcpy(s->off, kept, (size_t)s->n_elements);
        memcpy(s->touch, kept + s->n_elements, size - (size_t)s->n_elements);
    }
    hol__release(sim->ctx, kept);
    return status;
}

void hol__switching_forget_sets(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    for (int i = 0; i < s->n_sets; i++) {
        hol__release(sim->ctx, s->sets[i].off);
        hol__release(sim->ctx, s->sets[i].touch);
        hol_model_free(s->sets[i].model);
    }
    s->n_sets = 0;
}

hol_status hol__switching_part(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    hol__touch_bits closed = 0;
    for (int i = 0; i < s->n_slots; i++) closed |= s->touch[i];
    if (!closed) return HOL_OK;
    const hol_model *const before = s->own;
    memset(s->touch, 0, sizeof *s->touch * (size_t)s->n_slots);
    s->own = NULL;
    const hol_model *model = hol__switching_model(sim, NULL);
    hol_data *next = model ? hol_data_new(sim->ctx, model) : NULL;
    if (!next) return HOL_ERR_MEMORY;
    next->on_force = sim->data->on_force, next->user = sim->data->user;
    hol__data_carry(next, sim->data);
    const hol_status status = hol__sim_change_model(sim, model, next);
    hol_data_free(next);
    if (before) hol__model_release(before);
    return status;
}

hol_status hol__switching_load_set(hol_sim *sim, const hol__archive *archive) {
    hol__switching *s = &sim->switching;
    hol__archive ahead = *archive; /* the data is read again with all others */
    const hol_model *const before = s->own;
    const hol__counts counts = s->past; /* as they were read */
    s->own = NULL;
    const hol_model *model = hol__switching_model(sim, NULL);
    hol_data *next = model ? hol_data_new(sim->ctx, model) : NULL;
    if (next) next->on_force = sim->data->on_force, next->user = sim->data->user;
    hol_status status = next ? hol__data_walk(next, &ahead) : HOL_ERR_MEMORY;
    const hol_model *unused = before;
    if (!status && !ahead.mismatch)
        status = hol__sim_change_model(sim, model, next);
    else {
        unused = s->own;
        s->own = before;
    }
    s->past = counts;
    hol_data_free(next);
    if (unused) hol__model_release(unused);
    return status;
}

hol_status hol__switching_adopt(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    const hol_model *model = sim->data->model, *before = s->own;
    hol_data *spare = hol_data_new(sim->ctx, sim->model);
    if (!spare) return HOL_ERR_MEMORY;
    const hol_status values = hol__sim_adopt_values(sim, model);
    if (values) {
        hol_data_free(spare);
        return values;
    }
    hol__model_keep(model);
    s->own = model;
    for (int i = 0; i < s->n_elements; i++) {
        const hol__element *e =
            i < s->n_joints ? &model->joints[i] : &model->forces[i - s->n_joints];
        s->off[i] = s->next[i] = (unsigned char)e->off;
        if (i >= s->n_joints) continue;
        if (e->rigid && e->rigid->touch)
            memcpy(s->touch + e->rigid->first, e->rigid->touch,
                   sizeof *s->touch * (size_t)e->rigid->slots);
        s->place[i] = e->active && e->active->here && !e->off ? &s->met[i] : NULL;
        s->met[i] = e->marker[1];
    }
    hol__data_exchange(sim->data, spare);
    const hol_status status = hol__sim_change_model(sim, model, spare);
    hol_data_free(spare);
    if (before) hol__model_release(before);
    return status;
}
