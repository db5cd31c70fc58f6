/* event_list.c: what happened in a run, in order: events of the section `events`, and switches of
 * elements by their own conditions; and the exact state of it all. */
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

/* A copy of an array of n with room for more; NULL without memory (the old one stays). */
static void *larger(hol_context *ctx, void *array, size_t size, int n, int room) {
    void *made = hol__alloc(ctx, (size_t)room, size);
    if (!made) return NULL;
    if (n) memcpy(made, array, (size_t)n * size);
    hol__release(ctx, array);
    return made;
}

/* Room for one more; 0 without memory. */
static int have_room(hol_sim *sim) {
    hol__events *e = &sim->events;
    if (e->n_list < e->room) return 1;
    const int room = 2 * e->room + 16;
    hol__happened *list = larger(sim->ctx, e->list, sizeof *list, e->n_list, room);
    if (list) e->list = list;
    double *times = list ? larger(sim->ctx, e->times, sizeof *times, e->n_named, room) : NULL;
    if (!times) return 0;
    e->times = times;
    e->room = room;
    return 1;
}

/* "latch; mark; latch" */
static hol_status add_name(hol_sim *sim, const char *name) {
    hol__events *e = &sim->events;
    const size_t used = e->text ? strlen(e->text) : 0, needed = used + strlen(name) + 3;
    if (needed > e->text_room) {
        char *text = larger(sim->ctx, e->text, 1, (int)(used ? used + 1 : 0), (int)(2 * needed));
        if (!text) return HOL_ERR_MEMORY;
        e->text = text;
        e->text_room = 2 * needed;
    }
    snprintf(e->text + used, e->text_room - used, "%s%s", used ? "; " : "", name);
    return HOL_OK;
}

/* Append to the list. Of an event that makes several entries the first counts. */
static hol_status append(hol_sim *sim, const hol__happened *what) {
    hol__events *e = &sim->events;
    if (!have_room(sim)) return HOL_ERR_MEMORY;
    const hol__happened *before = e->n_list ? &e->list[e->n_list - 1] : NULL;
    const int again = before && before->event == what->event && before->t == what->t;
    e->list[e->n_list++] = *what;
    if (what->event < 0 || again) return HOL_OK;
    e->times[e->n_named++] = what->t;
    return add_name(sim, sim->whole->events[what->event].name);
}

hol_status hol__events_note(hol_sim *sim, int entry) {
    if (!sim->events.n) return HOL_OK;
    return append(sim, &(hol__happened){.t = sim->data->t,
                                        .event = sim->events.by,
                                        .entry = entry,
                                        .dof = sim->rank.dof,
                                        .n_redundant = sim->rank.n_redundant});
}

/* ---- the exact state ---- */

/* The list; reading makes it anew. */
static hol_status walk_list(hol_sim *sim, hol__archive *archive) {
    hol__events *e = &sim->events;
    const int reads = hol__archive_reads(archive);
    int n = e->n_list;
    hol_status status = HOL_OK;
    HOL__ARCHIVE(archive, n);
    if (reads) e->n_list = e->n_named = 0;
    if (reads && e->text) e->text[0] = '\0';
    for (int i = 0; i < n && !status && !archive->mismatch; i++) {
        hol__happened what = reads ? (hol__happened){0} : e->list[i];
        HOL__ARCHIVE(archive, what.t);
        HOL__ARCHIVE(archive, what.event);
        HOL__ARCHIVE(archive, what.entry);
        HOL__ARCHIVE(archive, what.dof);
        HOL__ARCHIVE(archive, what.n_redundant);
        const int sound = what.event >= -1 && what.event < e->n && what.entry >= -1 &&
                          what.entry < sim->switching.n;
        if (reads && sound) status = append(sim, &what);
        if (!sound) archive->mismatch = 1;
    }
    return status;
}

hol_status hol__events_walk(hol_sim *sim, hol__archive *archive) {
    hol__events *e = &sim->events;
    if (!e->n) return HOL_OK;
    HOL__ARCHIVE_N(archive, e->count, e->n);
    HOL__ARCHIVE_N(archive, e->last, e->n);
    HOL__ARCHIVE_N(archive, e->rests, 2 * sim->whole->n_joints); /* and holds */
    HOL__ARCHIVE(archive, e->rows);
    HOL__ARCHIVE(archive, e->fresh);
    return walk_list(sim, archive);
}
