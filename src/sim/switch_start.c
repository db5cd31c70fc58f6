/* switch_start.c: what a run watches, and which elements act when it begins. */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

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
        const hol__active *active = hol__switching_element(sim, i)->active;
        int acts = !active || active->initially != 0;
        if (active && active->when && !follows_from_forces(sim->whole, active->when)) {
            hol__measure_all(drawn, NULL);
            acts = hol__expr_value(active->when, drawn->inputs, drawn->scratch) > 0;
        }
        s->off[i] = s->next[i] = !acts;
    }
}

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
    hol_status status = HOL_ERR_MEMORY;
    if (drawn && s->off && s->touch && s->next && s->last && s->met && s->place) {
        hol__data_set_q(drawn, sim->options[HOL__OPT_START], NULL);
        set_drawn(sim, drawn);
        sim->model = hol__switching_model(sim, NULL);
        status = sim->model ? HOL_OK : HOL_ERR_MEMORY;
    }
    hol_data_free(drawn);
    return status;
}

void hol__switching_free(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    for (int i = 0; i < s->n; i++) hol__switching_drop_entry(sim, &s->list[i]);
    hol__switching_forget_sets(sim);
    if (s->own) hol__model_release(s->own);
    if (sim->laws != sim->whole) hol__model_release(sim->laws);
    void *const all[] = {s->block, s->watches, s->off,      s->touch,  s->next,
                         s->last,  s->met,     s->place,    s->sets,   s->list,
                         s->times, s->lost,    s->impulses, s->points, s->text};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) hol__release(sim->ctx, all[i]);
}
