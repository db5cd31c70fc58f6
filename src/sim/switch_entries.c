/* switch_entries.c: the list of what happened at the switches of a run. */
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

const hol__element *hol__switching_element(const hol_sim *sim, int i) {
    const hol_model *m = sim->whole;
    return i < m->n_joints ? &m->joints[i] : &m->forces[i - m->n_joints];
}

void hol__switching_drop_entry(hol_sim *sim, hol__switch *entry) {
    hol__release(sim->ctx, entry->change);
}

/* The same array with room for that many of n; 0 without memory. */
static int make_room(hol_sim *sim, double **array, int width, int room) {
    const size_t size = sizeof **array * (size_t)width;
    double *larger = width ? hol__grown(sim->ctx, *array, size, sim->switching.n, room) : *array;
    if (larger) *array = larger;
    return larger || !width;
}

/* Room for one more entry; 0 without memory. */
static int have_room(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    if (s->n < s->room) return 1;
    const int room = 2 * s->room + 16;
    hol__switch *list = hol__grown(sim->ctx, s->list, sizeof *list, s->n, room);
    if (list) s->list = list;
    if (!list || !make_room(sim, &s->times, 1, room) || !make_room(sim, &s->lost, 1, room) ||
        !make_room(sim, &s->impulses, HOL__IMPULSE * s->n_joints, room) ||
        !make_room(sim, &s->points, 4 * s->n_joints, room))
        return 0;
    s->room = room;
    return 1;
}

hol__switch *hol__switching_new_entry(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    if (!have_room(sim)) return NULL;
    hol__switch *entry = &s->list[s->n];
    *entry = (hol__switch){.change = hol__alloc(sim->ctx, (size_t)s->n_elements, 1)};
    s->times[s->n] = sim->data->t;
    s->lost[s->n] = 0;
    for (int k = 0; k < s->n_joints; k++) {
        memset(hol__switching_impulse(s, s->n, k), 0, sizeof(double) * HOL__IMPULSE);
        memset(hol__switching_point(s, s->n, k), 0, sizeof(double) * 4);
    }
    return entry->change ? entry : NULL;
}

void hol__switching_shorten(hol_sim *sim, int n) {
    hol__switching *s = &sim->switching;
    while (s->n > n) hol__switching_drop_entry(sim, &s->list[--s->n]);
    if (s->text) s->text[0] = '\0';
}

void hol__switching_name(const hol_sim *sim, const signed char *change, char *out, size_t size) {
    out[0] = '\0';
    for (int i = 0; i < sim->switching.n_elements; i++) {
        const size_t used = strlen(out);
        if (change[i])
            snprintf(out + used, size - used, "%s%.100s %s", used ? ", " : "",
                     hol__switching_element(sim, i)->label, hol_change_name((hol_change)change[i]));
    }
}

hol_status hol__switching_close_entry(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    char names[512];
    const hol__switch *entry = &s->list[s->n++];
    hol__switching_name(sim, entry->change, names, sizeof names);
    if (!names[0]) snprintf(names, sizeof names, "velocities jump");
    if (entry->rebounds)
        snprintf(names, sizeof names, "%.100s rebounds",
                 sim->whole->joints[entry->rebounds - 1].label);
    const size_t used = s->text ? strlen(s->text) : 0, needed = used + strlen(names) + 3;
    if (needed > s->text_room) {
        char *larger =
            hol__grown(sim->ctx, s->text, 1, (int)(used ? used + 1 : 0), (int)(2 * needed));
        if (!larger) return HOL_ERR_MEMORY;
        s->text = larger;
        s->text_room = 2 * needed;
    }
    snprintf(s->text + used, s->text_room - used, "%s%s", used ? "; " : "", names);
    return HOL_OK;
}

void hol__switching_keep_impulses(hol_sim *sim, hol_data *data) {
    hol__switching *s = &sim->switching;
    hol__data_set_solved(data, HOL__SOLVED_PLAIN);
    for (int k = 0; k < s->n_joints; k++) {
        hol_reaction r = {.size = sizeof r};
        double *impulse = hol__switching_impulse(s, s->n, k),
               *point = hol__switching_point(s, s->n, k);
        hol_data_reaction(data, k, &r);
        for (int i = 0; i < 3; i++) impulse[i] += r.force[i], impulse[3 + i] += r.moment[i];
        memcpy(point, r.point, sizeof r.point);
        point[3] = r.unique;
    }
    hol__data_stale(data);
}
