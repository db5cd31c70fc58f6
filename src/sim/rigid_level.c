/* rigid_level.c: the contact problem at a state: who touches, and what pushes along the rows of
 * these slots do to the mechanism of all other joints (pushes.h). */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

double hol__rigid_tolerance(const hol_sim *sim) {
    return sim->options[HOL__OPT_CONTACT_TOLERANCE] * sim->whole->length;
}

/* What moves a tolerance of the size in the time in which the motion, or weight from rest, moves
 * the size itself: a small body, which falls through its size in less than a second, begins to
 * slide in as many steps as a large one. */
double hol__rigid_slowest(const hol_sim *sim) {
    const hol_model *m = sim->whole;
    const double falls = sqrt(hol__norm3(m->gravity) / m->length);
    return sim->options[HOL__OPT_TOLERANCE] * (hol__sim_frequency(sim) + falls) * m->length;
}

/* ---- who touches ---- */

/* What a gap reads, of a data. */
static hol__con_args gap_args(hol_data *data) {
    const hol__force_args force = hol__data_force_args(data);
    return hol__rigid_args(&force);
}

/* Refuse shapes that are inside each other. */
static hol_status refuse_overlap(hol_sim *sim, const hol_data *data, const hol__element *joint,
                                 double depth) {
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &joint->where, joint->label,
                       isfinite(sim->switching.resolved_at)
                           ? "is passed by %.3g at t = %.9g, more than a step shows: give "
                             "a smaller step (max_step, or step where it is fixed), or a "
                             "smaller tolerance"
                           : "is passed by %.3g at the start, t = %.9g: draw the bodies "
                             "so that they do not overlap",
                       depth, data->t);
}

/* Whether an earlier slot of the joint that touches is at the same place, with the same normal: a
 * corner on an edge, and the edges that meet in it. */
static int is_held(hol__rigid_view *view, const hol__touch_bits *touch, int slot,
                   const hol__rigid_point *at) {
    const hol__rigid *r = view->rigid;
    for (int i = 0; i < slot && r->slots > r->corners; i++) {
        hol__rigid_point other;
        double d[3];
        if (!touch[r->first + i]) continue;
        hol__rigid_see(view, i, &other);
        hol__sub3(other.P.f, at->P.f, d);
        if (hol__norm3(d) <= 1e-9 * r->size && hol__dot3(other.n.f, at->n.f) > 1 - 1e-9) return 1;
    }
    return 0;
}

/* The deepest overlap that steps explain: what is found on the way between them is as good as their
 * errors. At the start there are none. */
static double explained(const hol_sim *sim) {
    const double errors = 16 * sim->options[HOL__OPT_TOLERANCE] * sim->whole->length;
    return isfinite(sim->switching.resolved_at) ? fmax(hol__rigid_tolerance(sim), errors)
                                                : hol__rigid_tolerance(sim);
}

int hol__rigid_too_deep(const hol_sim *sim, const double *corners) {
    const hol_model *m = sim->model;
    double deepest = explained(sim);
    int at = -1;
    for (int k = 0; k < m->n_joints; k++) {
        const hol__rigid *r = sim->switching.off[k] ? NULL : m->joints[k].rigid;
        for (int i = 0; r && i < r->slots; i++)
            if (corners[r->corner + i] > deepest) deepest = corners[at = r->corner + i];
    }
    return at;
}

/* Whether a slot may close. The two of a joint whose impacts are an event's do not by themselves:
 * one of them, where rebounds have come to rest, and whatever its gap is: what a joint that takes
 * hold may close is another matter (jump.c). */
static int may_close(const hol_sim *sim, int joint, const hol__rigid *r, int slot) {
    return !r->line || sim->events.rests[joint] == 1 + slot;
}

/* The slots that touch at the state of a data, their bits into touch, and how many. */
static hol_status find_touching(hol_sim *sim, hol_data *data, hol__touch_bits *touch, int *n) {
    const hol_model *m = data->model; /* closed slots are on their faces there */
    const hol__con_args args = gap_args(data);
    const double tolerance = hol__rigid_tolerance(sim);
    *n = 0;
    for (int k = 0; k < m->n_joints; k++) {
        const hol__rigid *r = sim->switching.off[k] ? NULL : m->joints[k].rigid;
        hol__rigid_view view;
        if (r) hol__rigid_look(r, &args, &view);
        for (int i = 0; r && i < r->slots; i++) {
            hol__rigid_point at;
            if (!may_close(sim, k, r, i)) continue;
            hol__rigid_see(&view, i, &at);
            if (!r->line && (!(at.gap <= tolerance) || at.beside)) continue;
            if (!r->line && at.gap < -explained(sim) &&
                !(sim->switching.touch[r->first + i] & HOL__TOUCH_CLOSED))
                return refuse_overlap(sim, data, &m->joints[k], -at.gap);
            if (is_held(&view, touch, i, &at)) continue;
            touch[r->first + i] = (hol__touch_bits)(HOL__TOUCH_CLOSED | HOL__TOUCH_GAP |
                                                    (r->across > 0 ? HOL__TOUCH_ACROSS : 0) |
                                                    (r->across > 1 ? 2 * HOL__TOUCH_ACROSS : 0) |
                                                    (at.face + 1) * HOL__TOUCH_FACE);
            ++*n;
        }
    }
    return HOL_OK;
}

/* The list of them, with their rows, in the model that has these. */
static void list_touching(const hol_sim *sim, hol__contacts *c, const hol__touch_bits *touch) {
    const hol_model *model = c->model;
    const hol__con_args args = gap_args(c->data);
    c->n = 0;
    for (int k = 0; k < model->n_joints; k++) {
        const hol__rigid *r = model->joints[k].rigid;
        for (int i = 0; r && i < r->slots; i++) {
            hol__rigid_point at;
            if (!touch[r->first + i]) continue;
            hol__rigid_at(r, &args, i, &at);
            const int open = !(sim->switching.touch[r->first + i] & HOL__TOUCH_CLOSED);
            c->at[c->n++] = (hol__touching){
                .joint = &model->joints[k],
                .rigid = r,
                .slot = i,
                .index = r->first + i,
                .face = touch[r->first + i] & ~(HOL__TOUCH_FACE - 1),
                .first = c->p.m,
                .passed = open && hol__rigid_passed(r, i, c->data->memory, &at) >= 0};
            for (int j = 0; j <= r->across; j++) {
                const int row = hol__rigid_row(model, &model->joints[k], i, j);
                c->row[c->p.m] = row;
                hol__pushes_add_row(&c->p, row);
            }
        }
    }
}

/* ---- what pushes do ---- */

/* Room for all arrays. */
static hol_status make_room(hol__contacts *c, int n) {
    const int most = 3 * n;
    hol__arena *arena = &c->arena;
    c->at = HOL__NEW_N(arena, hol__touching, n);
    c->row = HOL__NEW_N(arena, int, most);
    double **const rows[] = {&c->free, &c->noise, &c->free_noise, &c->z, &c->w};
    for (int i = 0; i < 5; i++) *rows[i] = HOL__NEW_N(arena, double, most);
    c->part = HOL__NEW_N(arena, double, most *(most + 3));
    c->part_row = HOL__NEW_N(arena, int, most);
    c->cones = HOL__NEW_N(arena, hol__cone_contact, 2 * n);
    c->state = HOL__NEW_N(arena, hol__cone_state, 2 * n);
    c->flag = HOL__NEW_N(arena, unsigned char, n);
    c->idle = HOL__NEW_N(arena, unsigned char, n);
    c->cone = hol__cone_new(arena, n, most);
    const hol_status status = hol__pushes_new(arena, c->data, most, &c->p);
    return c->cone && !arena->failed ? status : HOL_ERR_MEMORY;
}

/* Velocities jump for joints that have taken hold. */
static hol_status take_hold(hol__pushes *p) {
    hol_data *d = p->data;
    const hol_model *m = d->model;
    double *right = p->f, *lambda = p->impulse + p->m;
    hol__csr_mul(&p->A, d->v, right);
    for (int i = 0; i < p->A.rows; i++) right[i] = d->b[p->other[i]] - right[i];
    const hol_status status = hol__kernel_solve(p->kernel, NULL, right, p->x, lambda);
    if (status) return status;
    for (int i = 0; i < m->nv; i++) d->v[i] += p->x[i];
    /* -Lambda^T (A v- + b)/2 with A v- = b - right */
    for (int i = 0; i < p->A.rows; i++)
        p->work -= 0.5 * lambda[i] * (2 * d->b[p->other[i]] - right[i]);
    hol__data_set_v(d, NULL);
    hol_data_update(d, HOL_STAGE_VEL);
    return HOL_OK;
}

/* The model with rows of those that touch, and of the joint of an impact. */
static const hol_model *model_with(hol_sim *sim, const hol__action *strikes, hol__touch_bits *touch,
                                   int *own) {
    unsigned char *off = sim->switching.off;
    if (strikes) off[strikes->joint] = 0;
    const hol_model *model = hol__switching_touched(sim, touch, own);
    if (strikes) off[strikes->joint] = 1;
    return model;
}

/* Speeds along the rows of contacts that hold which are none: what corrections leave of them. Under
 * methods without one, whose constraints give way or drift, what there is; what is more than a run
 * that meets its tolerances may have (verdict.h) is a motion all the same. */
static double left_over(const hol_sim *sim, hol_data *from) {
    const hol_model *m = from->model;
    const double corrected =
                     64 * sim->options[HOL__OPT_VELOCITY_TOLERANCE] * fmax(1, sim->whole->length),
                 most = hol__verdict_violation_limit(sim) * hol__sim_frequency(sim) *
                        sim->whole->length;
    double drift = 0;
    if (sim->correction_type->run) return corrected;
    hol__data_psi(from);
    for (int i = 0; i < m->m; i++) {
        const int k = m->row_joint[i];
        if (k >= 0 && m->joints[k].rigid) drift = fmax(drift, 4 * fabs(from->psi[i]));
    }
    return drift < most ? fmax(corrected, drift) : corrected;
}

hol_status hol__contacts_open(hol_sim *sim, hol_data *from, int joints, const hol__action *strikes,
                              hol__contacts *c) {
    hol__touch_bits *touch = NULL;
    int n = 0, own = 0;
    memset(c, 0, sizeof *c);
    hol__arena_init(&c->arena, sim->ctx);
    touch = HOL__NEW_N(&c->arena, hol__touch_bits, sim->whole->n_slots + 1);
    if (!touch) return HOL_ERR_MEMORY;
    hol_status status = hol_data_update(from, HOL_STAGE_VEL);
    if (!status) status = find_touching(sim, from, touch, &n);
    if (status) return status;
    c->model = model_with(sim, strikes, touch, &own);
    if (own) c->own = c->model;
    if (!c->model) return HOL_ERR_MEMORY;
    if (c->model->reference) c->model = c->model->reference;
    c->data = hol_data_new(sim->ctx, c->model);
    if (!c->data) return HOL_ERR_MEMORY;
    c->data->on_force = sim->data->on_force, c->data->user = sim->data->user;
    hol__data_carry(c->data, from);
    c->left = left_over(sim, from);
    c->slowest = hol__rigid_slowest(sim);
    status = hol_data_update(c->data, HOL_STAGE_VEL);
    if (!status) status = make_room(c, n + (strikes != NULL));
    if (status) return status;
    list_touching(sim, c, touch);
    if (strikes) status = hol__contacts_add_strike(sim, c, strikes);
    if (!status) status = hol__pushes_factor(sim, &c->arena, &c->p);
    if (!status && joints) status = take_hold(&c->p);
    return status ? status : hol__pushes_respond(&c->p);
}

void hol__contacts_close(hol__contacts *c) {
    hol__pushes_free(&c->p);
    hol_data_free(c->data);
    if (c->own) hol__model_release(c->own);
    hol__arena_free(&c->arena);
}
