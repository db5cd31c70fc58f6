/* switching.c: joints and forces that take hold and let go during a run.
 *
 * A set of elements that act is a model of its own. At a switch
 *
 *     1. the state goes over to the model of the new set by the poses and velocities of the bodies;
 *     2. where rows appear, positions are closed and velocities jump (jump.c); where rows disappear
 *        nothing changes;
 *     3. the work of the impulses, and what forces that switch hold in their potentials, enters the
 *        work W of the energy balance;
 *     4. rank, freedoms and all parts of the run are made anew (sim.c), and the integrator starts
 *        again, on its grid of fixed steps.
 *
 * A jump may change conditions at once: they are read again until none asks for a switch. An
 * element that would take hold, or let go, twice at one instant stops the run. /
 */
#include "compile/compile.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- setting up ---- */

/* An element by its number: joints first, then forces. */
static const hol__element *element_of(const hol_sim *sim, int i) {
    const hol_model *m = sim->whole;
    return i < m->n_joints ? &m->joints[i] : &m->forces[i - m->n_joints];
}

static void add_watch(hol__switching *s, const hol__expr *e, hol__role role, int element) {
    if (!e) return;
    hol__watch *w = &s->watches[s->n_watches++]; /* its signs stay */
    w->e = e;
    w->role = role;
    w->element = element;
}

/* Everything that is watched: the stop, the conditions of the elements, and the events. */
void hol__switching_aim(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    const hol_model *laws = sim->laws;
    s->n_watches = 0;
    add_watch(s, laws->stop_when, HOL__WATCH_STOP, -1);
    for (int i = 0; i < s->n_elements; i++) {
        const hol__active *active =
            i < s->n_joints ? laws->joints[i].active : laws->forces[i - s->n_joints].active;
        if (!active) continue;
        add_watch(s, active->when, HOL__WATCH_WHEN, i);
        add_watch(s, active->until, HOL__WATCH_UNTIL, i);
        add_watch(s, active->from, HOL__WATCH_FROM, i);
    }
    for (int i = 0; i < laws->n_events; i++)
        add_watch(s, laws->events[i].when, HOL__WATCH_EVENT, i);
}

/* Whether an expression follows from forces or accelerations. */
static int follows_from_forces(const hol_model *model, const hol__expr *e) {
    for (int k = 0; k < model->n_measures; k++)
        for (int c = 0; c < model->measures[k].count; c++)
            if (model->measures[k].level > HOL__LEVEL_VEL &&
                hol__expr_reads(e, 1 + model->measures[k].first + c))
                return 1;
    return 0;
}

/* Which elements act as drawn; what follows from forces is asked when the mechanism is assembled,
 * and acts until then. */
static void set_drawn(hol_sim *sim, hol_data *drawn) {
    hol__switching *s = &sim->switching;
    for (int i = 0; i < s->n_elements; i++) {
        const hol__active *active = element_of(sim, i)->active;
        int acts = !active || active->initially != 0;
        if (active && active->when && !follows_from_forces(sim->whole, active->when)) {
            hol__measure_all(drawn, NULL);
            acts = hol__expr_value(active->when, drawn->inputs, drawn->scratch) > 0;
        }
        s->off[i] = s->next[i] = !acts;
    }
}

/* The model of the elements that act, from those that were met or compiled; *is_new: for the first
 * time. NULL without memory. */
static const hol_model *model_of_set(hol_sim *sim, int *is_new);

/* Columns of single constraints have no place where these come and go. */
static hol_status check_options(hol_sim *sim) {
    const char *word = "off";
    hol_options_get_choice(sim->given, "constraint_reactions", &word);
    if (!hol__model_varies(sim->whole) || strcmp(word, "off") == 0) return HOL_OK;
    const hol_location where = hol_options_where(sim->given, "constraint_reactions");
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_INPUT, &where, "simulation",
        "constraint_reactions needs the same constraints at all times, and the model "
        "has some that act at some times only; use measures of reactions");
}

hol_status hol__switching_init(hol_sim *sim) {
    const hol_model *m = sim->whole;
    hol__switching *s = &sim->switching;
    if (check_options(sim)) return HOL_ERR_INPUT;
    s->n_joints = m->n_joints;
    s->n_elements = hol__model_varies(m) ? m->n_joints + m->n_forces : 0;
    const int n = s->n_elements;
    s->n_slots = m->n_slots;
    s->resolved_at = -INFINITY;
    s->watches =
        hol__alloc(sim->ctx, (size_t)(1 + 3 * m->n_switched + m->n_events), sizeof *s->watches);
    s->block = hol__alloc(sim->ctx, (size_t)(m->n_corners + m->scratch + 1), sizeof *s->block);
    if (!s->watches || !s->block) return HOL_ERR_MEMORY;
    s->scratch = s->block + m->n_corners;
    hol__switching_aim(sim);
    if (!n) return HOL_OK;
    s->off = hol__alloc(sim->ctx, (size_t)n, 1);
    s->touch = hol__alloc(sim->ctx, (size_t)s->n_slots + 1, sizeof *s->touch);
    s->next = hol__alloc(sim->ctx, (size_t)n, 1);
    s->last = hol__alloc(sim->ctx, 2 * (size_t)n, sizeof *s->last);
    s->met = hol__alloc(sim->ctx, (size_t)m->n_joints + 1, sizeof *s->met);
    s->place = hol__alloc(sim->ctx, (size_t)m->n_joints + 1, sizeof *s->place);
    hol_data *drawn = hol_data_new(sim->ctx, m);
    int ignore;
    hol_status status = HOL_ERR_MEMORY;
    if (drawn && s->off && s->touch && s->next && s->last && s->met && s->place) {
        hol__data_set_q(drawn, sim->options[HOL__OPT_START], NULL);
        set_drawn(sim, drawn);
        sim->model = model_of_set(sim, &ignore);
        status = sim->model ? HOL_OK : HOL_ERR_MEMORY;
    }
    hol_data_free(drawn);
    return status;
}

/* What an entry of the list holds. */
static void free_entry(hol_sim *sim, hol__switch *entry) {
    hol__release(sim->ctx, entry->change);
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

void hol__switching_free(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    for (int i = 0; i < s->n; i++) free_entry(sim, &s->list[i]);
    hol__switching_forget_sets(sim);
    if (s->own) hol__model_release(s->own);
    if (sim->laws != sim->whole) hol__model_release(sim->laws);
    void *const all[] = {s->block, s->watches, s->off,      s->touch,  s->next,
                         s->last,  s->met,     s->place,    s->sets,   s->list,
                         s->times, s->lost,    s->impulses, s->points, s->text};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) hol__release(sim->ctx, all[i]);
}

/* ---- sets ---- */

/* An array with room for one more; NULL without memory (the old one stays). */
static void *grow(hol_context *ctx, void *array, size_t size, int n, int room) {
    void *larger = hol__alloc(ctx, (size_t)room, size);
    if (!larger) return NULL;
    if (n) memcpy(larger, array, (size_t)n * size);
    hol__release(ctx, array);
    return larger;
}

/* Whether some joint that acts holds what it met: its model is of this place alone. */
static int has_places(const hol__switching *s) {
    for (int k = 0; k < s->n_joints; k++)
        if (s->place[k]) return 1;
    return 0;
}

/* Keep a new set among those that were met; 0 without memory. */
static int keep_set(hol_sim *sim, hol_model *model) {
    hol__switching *s = &sim->switching;
    if (s->n_sets == s->room_sets) {
        const int room = 2 * s->room_sets + 4;
        hol__set *larger = grow(sim->ctx, s->sets, sizeof *larger, s->n_sets, room);
        if (!larger) return 0;
        s->sets = larger;
        s->room_sets = room;
    }
    unsigned char *off = hol__alloc(sim->ctx, (size_t)s->n_elements, 1);
    hol__touch_bits *touch = hol__alloc(sim->ctx, (size_t)s->n_slots + 1, sizeof *touch);
    if (!off || !touch) {
        hol__release(sim->ctx, off);
        hol__release(sim->ctx, touch);
        return 0;
    }
    memcpy(off, s->off, (size_t)s->n_elements);
    memcpy(touch, s->touch, sizeof *touch * (size_t)s->n_slots);
    s->sets[s->n_sets++] = (hol__set){off, touch, model};
    return 1;
}

/* The set among those that were met; NULL: a new one. */
static const hol__set *known_set(const hol__switching *s) {
    for (int i = 0; i < s->n_sets; i++)
        if (memcmp(s->sets[i].off, s->off, (size_t)s->n_elements) == 0 &&
            memcmp(s->sets[i].touch, s->touch, sizeof *s->touch * (size_t)s->n_slots) == 0)
            return &s->sets[i];
    return NULL;
}

static const hol_model *model_of_set(hol_sim *sim, int *is_new) {
    hol__switching *s = &sim->switching;
    const hol__variant variant = {.n_joints = s->n_joints,
                                  .off = s->off,
                                  .place = s->place,
                                  .touch = s->touch,
                                  .n_values = sim->whole->n_assigned,
                                  .names = sim->whole->assigned,
                                  .values = sim->events.values};
    const int own = has_places(s);
    const hol__set *known = known_set(s);
    *is_new = !known;
    if (known && !own) return known->model;
    hol_model *made = hol__model_variant(sim->ctx, sim->whole, &variant);
    if (!made || (!known && !keep_set(sim, own ? NULL : made))) {
        hol_model_free(made);
        return NULL;
    }
    if (own) s->own = made;
    return made;
}

const hol_model *hol__switching_model(hol_sim *sim) {
    int ignore;
    return model_of_set(sim, &ignore);
}

const hol_model *hol__switching_with(hol_sim *sim, int joint) {
    hol__switching *s = &sim->switching;
    const hol_model *const own = s->own;
    int ignore;
    s->own = NULL;
    s->off[joint] = 0;
    const hol_model *model = model_of_set(sim, &ignore);
    if (model && !s->own) hol__model_keep(model);
    s->off[joint] = 1;
    s->own = own;
    return model;
}

const hol_model *hol__switching_touched(hol_sim *sim, hol__touch_bits *touch, int *own) {
    hol__switching *s = &sim->switching;
    const hol_model *const acting = s->own;
    hol__touch_bits *const now = s->touch;
    int ignore;
    s->touch = touch;
    *own = has_places(s);
    const hol_model *model = model_of_set(sim, &ignore);
    s->own = acting;
    s->touch = now;
    return model;
}

/* ---- what happened ---- */

/* The same array with room for that many of n; 0 without memory. */
static int make_room(hol_sim *sim, double **array, int width, int room) {
    const size_t size = sizeof **array * (size_t)width;
    double *larger = width ? grow(sim->ctx, *array, size, sim->switching.n, room) : *array;
    if (larger) *array = larger;
    return larger || !width;
}

/* Room for one more entry; 0 without memory. */
static int have_room(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    if (s->n < s->room) return 1;
    const int room = 2 * s->room + 16;
    hol__switch *list = grow(sim->ctx, s->list, sizeof *list, s->n, room);
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
    while (s->n > n) free_entry(sim, &s->list[--s->n]);
    if (s->text) s->text[0] = '\0';
}

/* "joint 'A' takes hold, force 'F' lets go" */
static void name_changes(const hol_sim *sim, const signed char *change, char *out, size_t size) {
    out[0] = '\0';
    for (int i = 0; i < sim->switching.n_elements; i++) {
        const size_t used = strlen(out);
        if (change[i])
            snprintf(out + used, size - used, "%s%.100s %s", used ? ", " : "",
                     element_of(sim, i)->label, hol_change_name((hol_change)change[i]));
    }
}

hol_status hol__switching_close_entry(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    char names[512];
    const hol__switch *entry = &s->list[s->n++];
    name_changes(sim, entry->change, names, sizeof names);
    if (!names[0]) snprintf(names, sizeof names, "velocities jump");
    if (entry->rebounds)
        snprintf(names, sizeof names, "%.100s rebounds",
                 sim->whole->joints[entry->rebounds - 1].label);
    const size_t used = s->text ? strlen(s->text) : 0, needed = used + strlen(names) + 3;
    if (needed > s->text_room) {
        char *larger = grow(sim->ctx, s->text, 1, (int)(used ? used + 1 : 0), (int)(2 * needed));
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

/* ---- the switch ---- */

/* Stop where an element would do the same again without time advancing: taking hold, letting go and
 * taking hold are two intervals, each found to the resolution of instants, and rounding. */
static hol_status check_chatter(hol_sim *sim, const signed char *change) {
    hol__switching *s = &sim->switching;
    const double t = sim->data->t;
    char names[512];
    for (int i = 0; i < s->n_elements; i++) {
        double *last = &s->last[2 * i + (change[i] < 0)];
        if (!change[i] || !element_of(sim, i)->active) continue;
        if (t - *last > 3 * hol__sim_same_instant(t)) {
            *last = t;
            continue;
        }
        name_changes(sim, change, names, sizeof names);
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE,
                           &element_of(sim, i)->active->where, element_of(sim, i)->label,
                           "switches back and forth without time advancing, at t = %.12g (%s; %d "
                           "switches so far); make its conditions leave room between taking hold "
                           "and letting go",
                           t, names, s->n);
    }
    return HOL_OK;
}

/* The frame of the first body as a place on the second, where they are now. */
static void meet(const hol_data *data, const hol__element *joint, hol__marker *out) {
    const hol__marker *m1 = &joint->marker[0];
    *out = *m1;
    if (data->bodies.b2) {
        const hol__body2 *a = &data->bodies.b2[joint->body[0]],
                         *b = &data->bodies.b2[joint->body[1]];
        const double x = a->r[0] + a->c * m1->s[0] - a->s * m1->s[1] - b->r[0],
                     y = a->r[1] + a->s * m1->s[0] + a->c * m1->s[1] - b->r[1];
        out->s[0] = b->c * x + b->s * y;
        out->s[1] = -b->s * x + b->c * y;
        out->angle = a->theta + m1->angle - b->theta;
        const double c = cos(out->angle), sn = sin(out->angle),
                     F[9] = {c, -sn, 0, sn, c, 0, 0, 0, 1};
        memcpy(out->F, F, sizeof F);
        out->f[0] = cos(0.5 * out->angle), out->f[3] = sin(0.5 * out->angle);
        return;
    }
    const hol__body3 *a = &data->bodies.b3[joint->body[0]], *b = &data->bodies.b3[joint->body[1]];
    double u[3], p[4], back[4] = {b->p[0], -b->p[1], -b->p[2], -b->p[3]};
    hol__mul3(a->R, m1->s, u);
    for (int i = 0; i < 3; i++) u[i] += a->r[i] - b->r[i];
    hol__mul3_t(b->R, u, out->s);
    hol__quat_mul(a->p, m1->f, p);
    hol__quat_mul(back, p, out->f);
    hol__quat_matrix(out->f, out->F);
}

/* The places of joints that hold what they meet, from now on or no longer, at the state in data. */
static void place_joints(hol_sim *sim, hol_data *data, const signed char *change) {
    hol__switching *s = &sim->switching;
    hol_data_update(data, HOL_STAGE_POS);
    for (int k = 0; k < s->n_joints; k++) {
        const hol__element *joint = &sim->whole->joints[k];
        if (!change[k] || !joint->active->here) continue;
        s->place[k] = change[k] > 0 ? &s->met[k] : NULL;
        if (s->place[k]) meet(data, joint, &s->met[k]);
        /* frames that coincide have turned by nothing */
        if (s->place[k] && joint->angle >= 0) data->angles_base[joint->angle] = 0;
    }
}

/* Whether some joint takes hold of what it meets. */
static int some_meet(const hol_sim *sim, const signed char *change) {
    for (int k = 0; k < sim->switching.n_joints; k++)
        if (change[k] > 0 && sim->whole->joints[k].active->here) return 1;
    return 0;
}

/* The state in data without the drift of the joints that act, which a joint that holds what it
 * meets would hold too, against them; NULL after a failure. */
static hol_data *without_drift(hol_sim *sim, hol_status *status) {
    const hol_model *m = sim->model;
    hol_data *rows = hol_data_new(sim->ctx, m->reference ? m->reference : m);
    *status = HOL_ERR_MEMORY;
    if (!rows) return NULL;
    hol__data_carry(rows, sim->data);
    *status = hol__sim_close_positions(sim, rows);
    if (!*status) return rows;
    hol_data_free(rows);
    return NULL;
}

/* Whether anything does; whether some joint takes hold; whether some force switches. */
static int some_change(const hol__switching *s, const signed char *change) {
    for (int i = 0; i < s->n_elements; i++)
        if (change[i]) return 1;
    return 0;
}

static int some_take_hold(const hol__switching *s, const signed char *change) {
    for (int k = 0; k < s->n_joints; k++)
        if (change[k] > 0) return 1;
    return 0;
}

static int some_force(const hol__switching *s, const signed char *change) {
    for (int k = s->n_joints; k < s->n_elements; k++)
        if (change[k]) return 1;
    return 0;
}

/* The largest gap that is closed. */
static double catch_tolerance(const hol_sim *sim) {
    return sim->options[HOL__OPT_CATCH_TOLERANCE] * fmax(1, sim->whole->length);
}

/* The potential of the state in a data; *status of its forces. */
static double potential(hol_data *data, hol_status *status) {
    if (!*status) *status = hol_data_update(data, HOL_STAGE_DYN);
    return data->potential;
}

/* A state over to `next`, with the jump in a model with rows for all joints. */
static hol_status carry_with_jump(hol_sim *sim, hol_data *from, hol_data *next, hol__switch *entry,
                                  double *work) {
    const hol_model *m = next->model;
    hol_data *rows = hol_data_new(sim->ctx, m->reference ? m->reference : m);
    hol__jump jump = {.change = entry->change, .tolerance = catch_tolerance(sim)};
    if (!rows) return HOL_ERR_MEMORY;
    hol__data_carry(rows, from);
    const hol_status status = hol__sim_jump(sim, rows, &jump);
    if (!status) {
        hol__switching_keep_impulses(sim, rows);
        hol__data_carry(next, rows);
        entry->gap = jump.gap;
        *work += jump.work;
    }
    hol_data_free(rows);
    return status;
}

/* A state over to `next`, a data of the model of the new set. */
static hol_status carry(hol_sim *sim, hol_data *from, hol_data *next, hol__switch *entry) {
    const int forces = some_force(&sim->switching, entry->change);
    hol_status status = HOL_OK;
    double work = entry->work;
    next->on_force = sim->data->on_force, next->user = sim->data->user;
    hol__data_carry(next, from);
    if (forces) work += potential(next, &status) - potential(sim->data, &status);
    if (!status && (some_take_hold(&sim->switching, entry->change) || sim->switching.n_slots))
        status = carry_with_jump(sim, from, next, entry, &work);
    next->work = sim->data->work + work;
    sim->switching.lost[sim->switching.n] = 0 - work;
    return status;
}

/* Say once what a set of elements makes of the mechanism. */
static void report_set(hol_sim *sim, const hol__switch *entry) {
    char names[512];
    name_changes(sim, entry->change, names, sizeof names);
    hol__report(sim->ctx, HOL_NOTE, HOL_OK, NULL, "switch",
                "at t = %.9g %s: %d degree%s of freedom, %d of %d constraints redundant",
                sim->data->t, names, entry->dof, entry->dof == 1 ? "" : "s", entry->n_redundant,
                sim->model->m);
    if (entry->n_redundant) hol__sim_report_redundant(sim);
}

/* A state over to the model of the set in off, with its parts. On failure before these the run
 * keeps its set. */
static hol_status enter_set(hol_sim *sim, hol_data *from, hol__switch *entry, int *is_new) {
    hol__switching *s = &sim->switching;
    const hol_model *const before = s->own;
    s->own = NULL;
    const hol_model *model = model_of_set(sim, is_new);
    hol_data *next = model ? hol_data_new(sim->ctx, model) : NULL;
    hol_status status = next ? carry(sim, from, next, entry) : HOL_ERR_MEMORY;
    const hol_model *unused = before;
    if (status) {
        for (int i = 0; i < s->n_elements; i++) s->off[i] ^= entry->change[i] != 0;
        unused = s->own;
        s->own = before;
    } else
        status = hol__sim_change_model(sim, model, next); /* next is the old one now */
    hol_data_free(next);
    if (unused) hol__model_release(unused);
    return status;
}

/* The set in off, with its contacts, at a state; *changed: it is another one, or velocities are. */
static hol_status settle(hol_sim *sim, hol_data *from, hol__switch *entry, int *is_new,
                         int *changed) {
    hol__switching *s = &sim->switching;
    hol__contacts c;
    if (!s->n_slots) return enter_set(sim, from, entry, is_new);
    const int joints = some_take_hold(s, entry->change), elements = *changed;
    const size_t size = sizeof *s->touch * (size_t)s->n_slots;
    hol__touch_bits *before = hol__alloc(sim->ctx, 2, size),
                    *touch = before ? before + s->n_slots : NULL;
    if (!before) return HOL_ERR_MEMORY;
    memcpy(before, s->touch, size);
    hol_status status = hol__rigid_resolve(sim, from, joints, &c, touch, changed);
    if (!status) entry->work += c.p.work;
    *changed |= elements;
    if (!status && *changed) {
        memcpy(s->touch, touch, size);
        status = enter_set(sim, c.data, entry, is_new);
        if (status)
            memcpy(s->touch, before, size);
        else
            hol__rigid_note(sim, &c, before, entry->change);
    }
    hol__contacts_close(&c);
    hol__release(sim->ctx, before);
    return status;
}

hol_status hol__switching_take(hol_sim *sim, hol_data *from, hol__switch *entry) {
    int is_new, changed = 1;
    return settle(sim, from, entry, &is_new, &changed);
}

/* From the set in off to that in next, at the state in data; an entry of nothing is not counted. */
static hol_status change_set(hol_sim *sim, hol__switch *entry) {
    hol__switching *s = &sim->switching;
    int is_new = 0, changed = !s->n_slots, elements = 0;
    for (int i = 0; i < s->n_elements; i++) {
        entry->change[i] = (signed char)(s->off[i] - s->next[i]);
        elements |= entry->change[i] != 0;
    }
    hol_status status = check_chatter(sim, entry->change);
    if (status) return status;
    changed |= elements;
    hol_data *settled = some_meet(sim, entry->change) ? without_drift(sim, &status) : NULL;
    hol_data *from = settled ? settled : sim->data;
    if (!status) {
        memcpy(s->off, s->next, (size_t)s->n_elements);
        place_joints(sim, from, entry->change);
        status = settle(sim, from, entry, &is_new, &changed);
    }
    hol_data_free(settled);
    if (status || !changed || !some_change(s, entry->change)) return status;
    entry->dof = sim->rank.dof;
    entry->n_redundant = sim->rank.n_redundant;
    if (is_new && elements) report_set(sim, entry);
    status = hol__switching_close_entry(sim);
    return status ? status : hol__events_note(sim, s->n - 1);
}

hol_status hol__switching_change(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    const int n = s->n;
    if (!s->n_elements || (!s->resolve && memcmp(s->off, s->next, (size_t)s->n_elements) == 0))
        return HOL_OK;
    s->resolve = 0;
    hol__switch *entry = hol__switching_new_entry(sim);
    const hol_status status = entry ? change_set(sim, entry) : HOL_ERR_MEMORY;
    if (entry && s->n == n) free_entry(sim, entry);
    return status;
}

hol_status hol__switching_run(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    hol_status status = HOL_OK;
    while (!status && s->fired) {
        s->fired = 0;
        status = hol__switching_change(sim);
        if (!status) status = hol__events_run(sim);
        /* what events did to velocities concerns contacts too */
        s->resolve = s->n_slots && sim->events.n;
        if (!status && s->resolve) status = hol__switching_change(sim);
        if (!status && sim->end == HOL_END_RUNNING) status = hol__sim_read_again(sim);
    }
    hol__sim_next_instant(sim);
    return status;
}

hol_status hol__switching_part(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    hol__touch_bits closed = 0;
    for (int i = 0; i < s->n_slots; i++) closed |= s->touch[i];
    if (!closed) return HOL_OK;
    const hol_model *const before = s->own;
    int ignore;
    memset(s->touch, 0, sizeof *s->touch * (size_t)s->n_slots);
    s->own = NULL;
    const hol_model *model = model_of_set(sim, &ignore);
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
    int ignore;
    s->own = NULL;
    const hol_model *model = model_of_set(sim, &ignore);
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
