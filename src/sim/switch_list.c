/* switch_list.c: what happened at the switches of a run, for the caller; and the exact state of it
 * all. */
#include "base/argument.h"
#include "base/give.h"
#include "sim/sim.h"

#include <string.h>

const char *hol_change_name(hol_change change) {
    static const char *const words[] = {"lets go", "", "takes hold", "is hit", "sticks", "slides"};
    return change < HOL_LETS_GO || change > HOL_SLIDES ? "unknown" : words[change - HOL_LETS_GO];
}

/* How many things have happened. */
static int count(const hol_sim *sim) {
    return sim->events.n ? sim->events.n_list : sim->switching.n;
}

/* The i-th of them. */
static hol__happened happened(const hol_sim *sim, int i) {
    if (sim->events.n) return sim->events.list[i];
    return (hol__happened){.t = sim->switching.times[i], .event = -1, .entry = i};
}

/* The name of its event. */
static const char *name_of(const hol_sim *sim, const hol__happened *what) {
    return what->event < 0 ? "" : sim->whole->events[what->event].name;
}

/* An event at which nothing switched. */
static hol_event bare_event(const hol_sim *sim, const hol__happened *what) {
    return (hol_event){.t = what->t,
                       .joints = sim->events.none,
                       .forces = sim->events.none + sim->whole->n_joints,
                       .dof = what->dof,
                       .n_redundant = what->n_redundant,
                       .name = name_of(sim, what),
                       .rebounds = -1};
}

/* A switch. */
static hol_event switch_event(const hol_sim *sim, const hol__happened *what) {
    const hol__switch *s = &sim->switching.list[what->entry];
    return (hol_event){.t = what->t,
                       .joints = s->change,
                       .forces = s->change + sim->switching.n_joints,
                       .energy_lost = sim->switching.lost[what->entry],
                       .gap = s->gap,
                       .dof = s->dof,
                       .n_redundant = s->n_redundant,
                       .name = name_of(sim, what),
                       .rebounds = s->rebounds - 1};
}

hol_status hol_sim_event(const hol_sim *sim, int i, hol_event *event) {
    static const char call[] = "hol_sim_event";
    if (!sim || i == count(sim)) return HOL_ERR_ARGUMENT; /* past the last: a list ends */
    const hol_status bad = hol__need_index(sim->ctx, call, "event", i, count(sim));
    if (bad) return bad;
    const hol__happened what = happened(sim, i);
    const hol_event found = what.entry < 0 ? bare_event(sim, &what) : switch_event(sim, &what);
    return hol__give(sim->ctx, call, &found, sizeof found, event);
}

hol_status hol_sim_event_impulse(const hol_sim *sim, int i, int joint, hol_impulse *impulse) {
    static const char call[] = "hol_sim_event_impulse";
    static const hol_impulse none = {.unique = 1};
    if (!sim) return HOL_ERR_ARGUMENT;
    hol_status bad = hol__need_index(sim->ctx, call, "event", i, count(sim));
    if (!bad) bad = hol__need_index(sim->ctx, call, "joint", joint, sim->whole->n_joints);
    if (bad) return bad;
    const int entry = happened(sim, i).entry;
    if (entry < 0) return hol__give(sim->ctx, call, &none, sizeof none, impulse);
    const double *x = hol__switching_impulse(&sim->switching, entry, joint),
                 *point = hol__switching_point(&sim->switching, entry, joint);
    hol_impulse found = {.unique = point[3] != 0};
    memcpy(found.point, point, sizeof found.point);
    memcpy(found.impulse, x, sizeof found.impulse);
    memcpy(found.angular, x + 3, sizeof found.angular);
    return hol__give(sim->ctx, call, &found, sizeof found, impulse);
}

void hol__sim_bodies_state(hol_sim *sim, double *q, double *v) {
    hol_data_update(sim->data, HOL_STAGE_VEL);
    hol__data_bodies_state(sim->data, q, v);
}

/* ---- the exact state ---- */

/* Entry i; its arrays are there. */
static void walk_entry(hol__switching *s, int i, hol__archive *archive) {
    hol__switch *entry = &s->list[i];
    HOL__ARCHIVE(archive, s->times[i]);
    HOL__ARCHIVE(archive, s->lost[i]);
    HOL__ARCHIVE(archive, entry->gap);
    HOL__ARCHIVE(archive, entry->dof);
    HOL__ARCHIVE(archive, entry->n_redundant);
    HOL__ARCHIVE(archive, entry->rebounds);
    HOL__ARCHIVE_N(archive, entry->change, s->n_elements);
    for (int k = 0; k < s->n_joints; k++) {
        HOL__ARCHIVE_N(archive, hol__switching_impulse(s, i, k), HOL__IMPULSE);
        HOL__ARCHIVE_N(archive, hol__switching_point(s, i, k), 4);
    }
}

/* The list; reading makes it anew. */
static hol_status walk_list(hol_sim *sim, hol__archive *archive) {
    hol__switching *s = &sim->switching;
    const int reads = hol__archive_reads(archive);
    int n = s->n;
    hol_status status = HOL_OK;
    HOL__ARCHIVE(archive, n);
    if (reads) hol__switching_shorten(sim, 0);
    for (int i = 0; i < n && !status && !archive->mismatch; i++) {
        if (reads && !hol__switching_new_entry(sim)) return HOL_ERR_MEMORY;
        walk_entry(s, i, archive);
        if (reads) status = hol__switching_close_entry(sim);
    }
    return status;
}

/* The conditions, and when elements switched last. */
static void walk_watches(hol__switching *s, hol__archive *archive) {
    for (int i = 0; i < s->n_watches; i++) HOL__ARCHIVE(archive, s->watches[i].positive);
    HOL__ARCHIVE_N(archive, s->last, 2 * s->n_elements);
    HOL__ARCHIVE(archive, s->past);
    HOL__ARCHIVE(archive, s->resolved);
    HOL__ARCHIVE(archive, s->resolved_at);
    HOL__ARCHIVE(archive, s->gained);
}

/* The set, and where joints hold what they met; whether that is another one than before. */
static int walk_set(hol__switching *s, hol__archive *archive) {
    int other = 0;
    for (int i = 0; i < s->n_elements; i++) {
        const unsigned char off = s->off[i];
        HOL__ARCHIVE(archive, s->off[i]);
        s->next[i] = s->off[i];
        other |= off != s->off[i];
    }
    for (int i = 0; i < s->n_slots; i++) {
        const hol__touch_bits was = s->touch[i];
        HOL__ARCHIVE(archive, s->touch[i]);
        other |= was != s->touch[i];
    }
    for (int k = 0; s->n_elements && k < s->n_joints; k++) {
        const hol__marker was = s->met[k];
        int placed = s->place[k] != NULL;
        HOL__ARCHIVE(archive, placed);
        HOL__ARCHIVE(archive, s->met[k]);
        other |=
            placed != (s->place[k] != NULL) || (placed && memcmp(&was, &s->met[k], sizeof was));
        s->place[k] = placed ? &s->met[k] : NULL;
    }
    return other;
}

hol_status hol__switching_walk(hol_sim *sim, hol__archive *archive) {
    hol__switching *s = &sim->switching;
    walk_watches(s, archive);
    if (!s->n_elements) return HOL_OK;
    int other_values = 0;
    hol_status status = hol__sim_walk_values(sim, archive, &other_values);
    if (status) return status;
    const int other = walk_set(s, archive) | other_values;
    status = hol__switching_walk_sets(sim, archive);
    if (!status) status = walk_list(sim, archive);
    if (status || !other || archive->mismatch) return status;
    return hol__switching_load_set(sim, archive);
}
