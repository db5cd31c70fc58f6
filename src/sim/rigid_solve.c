/* rigid_solve.c: impacts, and what contacts do between them, by the complementarity problem of the
 * slots that touch (kernel/cone.h).
 *
 * Impact (Newton's law). The slots that approach take part, all at once:
 *
 *     u+ = u- + G z,   u_N+ + e u_N- >= 0,  z_N >= 0,  one of them 0;   |z_T| <= mu z_N
 *
 * Slots that only touch do not: they are as good as a hair apart. Where the impulses make them
 * approach they are hit next, and so on, so that the last ball of a cradle leaves. What goes on for
 * ever, because each hit of one makes another approach, ends when the speeds are rounding beside
 * the first ones: then all slots meet once without a rebound. With the option impacts: together
 * slots that only touch take part at once.
 *
 * What parts so slowly that it rises no higher than contact_tolerance before it is back does not
 * part: a ball that bounces, or a block that rocks from edge to edge, comes to rest after finitely
 * many impacts.
 *
 * Between impacts. Slots that are closed and stay so at the level of velocities have accelerations
 *
 *     w = gamma + G z,   w_N >= 0,  z_N >= 0,  one of them 0;   |z_T| <= mu z_N
 *
 * with z_T = -mu z_N d for those that slide along d; those that do not stick or begin to slide
 * against z_T. Where what slides has no accelerations (Painleve: friction presses it into what it
 * slides on without end) an impact without collision ends the sliding: the limit of impacts whose
 * approach goes to zero. Redundant slots share as rigid_share.c has it. Of the rows of closed slots
 * only independent ones become constraints, so chosen that the pushes of the rows that are left are
 * not negative where some choice has that.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- velocities and accelerations along the rows ---- */

/* Velocities, and what of them is none: rounding, what corrections leave, and what the instant is
 * not known to. */
static void read_velocities(hol__contacts *c) {
    const hol__csr *W = &c->p.W;
    const double instant = hol__sim_same_instant(c->data->t);
    hol__pushes_read(&c->p);
    for (int i = 0; i < c->p.m; i++) {
        double size = 0;
        for (int k = W->ptr[i]; k < W->ptr[i + 1]; k++)
            size += fabs(W->x[k] * c->data->v[W->idx[k]]);
        c->noise[i] = c->left + 256 * DBL_EPSILON * size + 16 * instant * fabs(c->free[i]);
    }
}

/* Accelerations along the rows without any push, at the velocities of the data. */
static hol_status accelerate_freely(hol__contacts *c) {
    hol_data *d = c->data;
    const double *Q = hol__data_forces(d);
    if (!Q) return HOL_NONFINITE;
    for (int i = 0; i < c->p.A.rows; i++) c->p.f[i] = d->c[c->p.other[i]];
    const hol_status status = hol__kernel_solve(c->p.kernel, Q, c->p.f, c->p.x, NULL);
    for (int i = 0; i < c->p.m && !status; i++) {
        if (c->row[i] < 0) continue; /* of an impact alone */
        double size = fabs(d->c[c->row[i]]);
        for (int k = c->p.W.ptr[i]; k < c->p.W.ptr[i + 1]; k++)
            size += fabs(c->p.W.x[k] * c->p.x[c->p.W.idx[k]]);
        c->free[i] = hol__pushes_along(&c->p, i, c->p.x) - d->c[c->row[i]];
        c->free_noise[i] = 256 * DBL_EPSILON * size;
    }
    return status;
}

/* The direction across of slot i in x, by row; 0: there is none. */
static int direction_in(const hol__contacts *c, int i, const double *x, double d[2]) {
    const int first = c->at[i].first + 1, n = c->at[i].rigid->across;
    double size = 0;
    for (int k = 0; k < n; k++) size = hypot(size, x[first + k]);
    for (int k = 0; k < n && size > 0; k++) d[k] = x[first + k] / size;
    return size > 0;
}

/* Where slot i begins to slide in the last solution: against its friction, which is known also
 * while its acceleration is still nothing but rounding. */
static int direction_of_slip(const hol__contacts *c, int i, double d[2]) {
    if (!direction_in(c, i, c->z, d)) return direction_in(c, i, c->w, d);
    for (int k = 0; k < c->at[i].rigid->across; k++) d[k] = -d[k];
    return 1;
}

/* A contact slides along d, with the friction of what slides. */
static void begin_sliding(hol__contacts *c, int i, const double d[2]) {
    c->cones[i].slides = 1;
    c->cones[i].mu = c->at[i].rigid->friction;
    memcpy(c->cones[i].slide, d, 2 * sizeof *d);
}

/* The contacts as the solver sees them: on the level of accelerations those that slide have their
 * direction. What is slower than the tolerance of the run shows has none. */
static void set_cones(hol__contacts *c, int slides) {
    for (int i = 0; i < c->n; i++) {
        const hol__touching *at = &c->at[i];
        hol__cone_contact *cone = &c->cones[i];
        *cone = (hol__cone_contact){.across = at->rigid->across,
                                    .mu = slides ? at->rigid->grip : at->rigid->friction};
        double speed = 0, noise = 0;
        for (int k = 0; slides && k <= at->rigid->across; k++)
            cone->noise = fmax(cone->noise, c->free_noise[at->first + k]);
        for (int k = 0; k < at->rigid->across; k++) {
            speed = hypot(speed, c->p.u[at->first + 1 + k]);
            noise = hypot(noise, c->noise[at->first + 1 + k]);
        }
        if (!slides || !(speed > noise + c->slowest)) continue;
        double d[2] = {0, 0};
        if (direction_in(c, i, c->p.u, d)) begin_sliding(c, i, d);
    }
}

/* z and w = b + G z of all rows, with pushes of the slots that are flagged; their states. */
hol_status hol__contacts_solve(hol__contacts *c, const unsigned char *flag, const double *b) {
    double *G = c->part, *right = G + (size_t)c->p.m * (size_t)c->p.m, *z = right + c->p.m,
           *w = z + c->p.m;
    hol__cone_contact *cones = c->cones + c->n;
    hol__cone_state *state = c->state + c->n;
    int n = 0, m = 0;
    for (int i = 0; i < c->n; i++) {
        if (!flag[i]) continue;
        cones[n] = c->cones[i];
        cones[n++].first = m;
        for (int k = 0; k <= c->at[i].rigid->across; k++) c->part_row[m++] = c->at[i].first + k;
    }
    for (int i = 0; i < m; i++) {
        right[i] = b[c->part_row[i]];
        for (int k = 0; k < m; k++) G[i * m + k] = c->p.G[c->part_row[i] * c->p.m + c->part_row[k]];
    }
    const hol_status status =
        n ? hol__cone_solve(c->cone, n, cones, m, G, right, z, w, state) : HOL_OK;
    memset(c->z, 0, sizeof(double) * (size_t)c->p.m);
    for (int i = 0; i < m; i++) c->z[c->part_row[i]] = z[i];
    for (int i = 0, k = 0; i < c->n; i++) c->state[i] = flag[i] ? state[k++] : HOL__CONE_OPEN;
    for (int i = 0; i < c->p.m; i++) {
        c->w[i] = b[i];
        for (int k = 0; k < c->p.m; k++) c->w[i] += c->p.G[i * c->p.m + k] * c->z[k];
    }
    return status;
}

/* Accelerations, with pushes of the slots that are flagged. Where one gives way, less friction is
 * left of it. */
static hol_status solve_accelerations(hol__contacts *c, const unsigned char *flag) {
    set_cones(c, 1);
    hol_status status = hol__contacts_share(c, flag);
    for (int again = 1, round = 0; again && !status && round <= c->n; round++) {
        again = 0;
        for (int i = 0; i < c->n; i++) {
            const hol__rigid *r = c->at[i].rigid;
            if (c->state[i] != HOL__CONE_SLIDES || c->cones[i].slides || r->grip == r->friction)
                continue;
            double d[2] = {0, 0};
            if (direction_of_slip(c, i, d)) begin_sliding(c, i, d);
            again |= c->cones[i].slides;
        }
        if (again) status = hol__contacts_share(c, flag);
    }
    return status;
}

/* A joint that drives the mechanism at the state of the contacts: the row with the largest rate;
 * NULL: none does. */
static const hol__element *driver_of(const hol__contacts *c) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    int at = -1;
    if (hol_data_update(data, HOL_STAGE_VEL)) return NULL;
    for (int i = 0; i < m->m; i++)
        if (m->row_joint[i] >= 0 && data->b[i] != 0 &&
            (at < 0 || fabs(data->b[i]) > fabs(data->b[at])))
            at = i;
    return at < 0 ? NULL : &m->joints[m->row_joint[at]];
}

/* Why there may be no solution: friction, or a driver that goes on into what does not give way. */
static hol_status explain(hol_sim *sim, const hol__contacts *c, const unsigned char *flag,
                          const hol_location *where, const char *names, const char *what) {
    const hol__element *driver = driver_of(c);
    int rubs = 0;
    for (int i = 0; i < c->n; i++) rubs |= flag[i] && c->at[i].rigid->grip > 0;
    if (driver && !rubs)
        return hol__report(
            sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &driver->where, driver->label,
            "drives the mechanism into %s at t = %.9g, which does not give way; let "
            "it stop before, drive by a force that gives way (`motor` or `pid` under "
            "forces), or make the stop elastic (`limit`, `contact`)",
            names, c->data->t);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, where, "contact",
                       "no %s fit the contacts at t = %.9g (%s): rigid bodies with Coulomb "
                       "friction may jam so that none exist (Painleve)%s%s%s; a smaller friction, "
                       "or the force `contact` with its stiffness, has a solution",
                       what, c->data->t, names, driver ? ", or " : "", driver ? driver->label : "",
                       driver ? " drives into them" : "");
}

/* Say that there is no solution, with the joints whose slots are flagged. */
static hol_status refuse(hol_sim *sim, const hol__contacts *c, const unsigned char *flag,
                         hol_status status, const char *what) {
    char names[512] = "";
    const hol_location *where = NULL;
    if (status <= 0) return status;
    for (int i = 0; i < c->n; i++) {
        const size_t used = strlen(names);
        if (flag[i] && !where) where = &c->at[i].joint->where;
        if (flag[i] && (!i || c->at[i].joint != c->at[i - 1].joint || !used))
            snprintf(names + used, sizeof names - used, "%s%.100s", used ? ", " : "",
                     c->at[i].joint->label);
    }
    return explain(sim, c, flag, where, names, what);
}

/* ---- impact ---- */

/* The slots that approach, and the fastest. */
static double find_approaching(hol__contacts *c) {
    double fastest = 0;
    for (int i = 0; i < c->n; i++) {
        const double u = c->p.u[c->at[i].first];
        c->flag[i] = u < (c->at[i].passed ? 0 : -c->noise[c->at[i].first]);
        if (c->flag[i]) fastest = fmax(fastest, -u);
    }
    return fastest;
}

/* With those that approach, all that only touch. */
static void join_closed(hol__contacts *c) {
    for (int i = 0; i < c->n; i++)
        c->flag[i] |= !(c->p.u[c->at[i].first] > c->noise[c->at[i].first]);
}

/* The velocities after the impulses z. */
static void push(hol__contacts *c) {
    hol__pushes_apply(&c->p, c->z);
    read_velocities(c);
}

/* b of one round: what approaches parts again. plastic: nothing does. */
static void set_right(const hol__contacts *c, int plastic, double *b) {
    memcpy(b, c->p.u, sizeof(double) * (size_t)c->p.m);
    for (int i = 0; i < c->n && !plastic; i++)
        if (c->flag[i] && !c->at[i].plastic) b[c->at[i].first] *= 1 + c->at[i].rigid->restitution;
}

/* Say that the sequence of impacts was cut off. */
static void warn_of_rounds(hol_sim *sim, const hol__contacts *c, int rounds) {
    hol__warn(sim->ctx, &c->at[0].joint->where, "contact",
              "at t = %.9g bodies have hit each other %d times without coming to an end; the last "
              "impact is without a rebound",
              c->data->t, rounds);
}

hol_status hol__contacts_impact(hol_sim *sim, hol__contacts *c) {
    enum { MOST = 100000 };
    double *b = HOL__NEW_N(&c->arena, double, c->p.m + 1);
    if (!b) return HOL_ERR_MEMORY;
    hol_status status = accelerate_freely(c);
    if (status) return status;
    read_velocities(c);
    const double first = find_approaching(c);
    if (!(first > 0)) return HOL_OK;
    c->hit = 1;
    for (int round = 0; !status; round++) {
        const double fastest = find_approaching(c);
        const int last = fastest <= 64 * DBL_EPSILON * first || round == MOST;
        if (!(fastest > 0)) break;
        for (int i = 0; i < c->n; i++) c->at[i].passed = 0;
        for (int i = 0; i < c->n; i++) c->at[i].hit |= c->flag[i];
        if (sim->options[HOL__OPT_IMPACTS] > 0) join_closed(c);
        set_right(c, last, b);
        for (int i = 0; last && i < c->n; i++) c->flag[i] = 1;
        if (round == MOST) warn_of_rounds(sim, c, round);
        set_cones(c, 0);
        status = hol__contacts_solve(c, c->flag, b);
        if (status) return refuse(sim, c, c->flag, status, "impulses");
        push(c);
        if (last) break;
    }
    return status;
}

/* ---- what follows ---- */

/* Independent rows, in the order in which they are offered. */
typedef struct chosen {
    int n, *row, *kept; /* kept: room for them while they are chosen anew */
    double *L;          /* of G over them, as Cholesky has it, m numbers a row */
} chosen;

/* The part of a row that is new beside those chosen, over its own size; l: its row of L. */
static double share_of(const hol__contacts *c, const chosen *k, int row, double *l) {
    double rest = c->p.G[row * c->p.m + row];
    for (int i = 0; i < k->n; i++) {
        double g = c->p.G[row * c->p.m + k->row[i]];
        for (int j = 0; j < i; j++) g -= l[j] * k->L[i * c->p.m + j];
        l[i] = g / k->L[i * c->p.m + i];
        rest -= l[i] * l[i];
    }
    l[k->n] = rest;
    return rest / c->p.G[row * c->p.m + row];
}

/* Take a row where it is independent. */
static int offer(const hol__contacts *c, chosen *k, int row) {
    double *l = k->L + (size_t)k->n * (size_t)c->p.m;
    if (!(share_of(c, k, row, l) > HOL__DEPENDENT)) return 0;
    l[k->n] = sqrt(l[k->n]);
    k->row[k->n++] = row;
    return 1;
}

/* A row that depends on those chosen by alpha has the push z: it goes over to them as far as they
 * stay positive; where one of them gives out first, the row takes its place. Returns the place
 * among the chosen, -1: the row is not needed. */
static int exchange(const hol__contacts *c, const chosen *k, int row, double *z, double *alpha) {
    share_of(c, k, row, alpha);
    for (int i = k->n - 1; i >= 0; i--) {
        for (int j = i + 1; j < k->n; j++) alpha[i] -= k->L[j * c->p.m + i] * alpha[j];
        alpha[i] /= k->L[i * c->p.m + i];
    }
    double most = z[row];
    int out = -1;
    for (int i = 0; i < k->n; i++)
        if (alpha[i] < 0 && -z[k->row[i]] / alpha[i] < most)
            most = -z[k->row[i]] / alpha[i], out = i;
    for (int i = 0; i < k->n; i++) z[k->row[i]] += alpha[i] * most;
    z[row] -= most;
    return out;
}

/* Rows of gaps that are independent and whose pushes are not negative: those that push, then those
 * that are idle. */
static void choose_gaps(hol__contacts *c, chosen *k, double *alpha) {
    for (int turn = 0; turn < 2 * c->n; turn++) {
        const int i = turn % c->n, row = c->at[i].first;
        if (!c->flag[i] || c->idle[i] != turn / c->n || offer(c, k, row) || c->idle[i]) continue;
        const int out = exchange(c, k, row, c->z, alpha);
        if (out < 0) continue;
        const int n = k->n;
        memcpy(k->kept, k->row, sizeof(int) * (size_t)n);
        k->kept[out] = row;
        k->n = 0;
        for (int j = 0; j < n; j++) offer(c, k, k->kept[j]);
    }
}

/* The bits of the rows that were chosen, and of those that push without one. */
static void set_bits(const hol__contacts *c, const chosen *k, hol__touch_bits *touch) {
    for (int i = 0; i < c->n; i++) {
        hol__touch_bits *bits = &touch[c->at[i].index];
        for (int j = 0; j < k->n; j++) {
            const int kind = k->row[j] - c->at[i].first;
            if (kind >= 0 && kind <= c->at[i].rigid->across) *bits |= (hol__touch_bits)(1u << kind);
        }
        if (c->flag[i] && !c->idle[i] && !(*bits & HOL__TOUCH_GAP)) *bits |= HOL__TOUCH_SHARES;
    }
}

/* In space a slot that is slower than so many times the slowest keeps the direction that it has the
 * more the slower it is: friction mu N u/|u| is stiff with mu N/(m |u|), and a body that begins to
 * slide passes through all of it. What the direction lags behind stays below the tolerance. */
static const double LAG = 100;

/* Where a slot begins to slide, or slides: the direction, global, with the speed below which it is
 * kept as its length. */
static void set_direction(hol__contacts *c, int i) {
    const hol__touching *at = &c->at[i];
    const hol__force_args force = hol__data_force_args(c->data);
    const hol__con_args args = hol__rigid_args(&force);
    double *d = c->data->memory + at->rigid->memory + HOL__SLIDE * at->slot, size,
           slide[2] = {0, 0};
    hol__rigid_point point;
    hol__rigid_at(at->rigid, &args, at->slot, &point);
    memset(d, 0, HOL__SLIDE * sizeof *d);
    if (c->cones[i].slides)
        memcpy(slide, c->cones[i].slide, sizeof slide);
    else
        direction_of_slip(c, i, slide);
    for (int k = 0; k < at->rigid->across; k++)
        for (int j = 0; j < 3; j++) d[j] += slide[k] * point.lin[1 + k][1].f[j];
    size = hol__norm3(d);
    for (int j = 0; j < 3 && size > 0; j++) d[j] *= LAG * c->slowest / size;
    for (int k = 0; k < at->rigid->across; k++) d[3] -= 2 * slide[k] * c->p.u[at->first + 1 + k];
    d[3] = fmax(d[3], 0);
}

/* What sticks from here on has its anchor here, what has stuck before keeps its own. */
static void drop_anchor(const hol_sim *sim, hol__contacts *c, int i) {
    const hol__touching *at = &c->at[i];
    const hol__rigid *r = at->rigid, *now = sim->model->joints[at->joint->index].rigid;
    const unsigned touch = sim->switching.touch[at->index];
    const hol__force_args force = hol__data_force_args(c->data);
    const hol__con_args args = hol__rigid_args(&force);
    if (!hol__rigid_can_anchor(r)) return;
    if (hol__rigid_has_anchor(now) && touch & HOL__TOUCH_CLOSED && !(touch & HOL__TOUCH_SLIDES))
        return;
    hol__rigid_drop_anchor(r, &args, at->slot, c->data->memory);
}

/* Rows across slots that stick, as long as some are independent: the first, unless another is much
 * more so, because a row that all but depends on others makes a mechanism that is all but
 * singular. */
static void choose_sticking(hol__contacts *c, chosen *k, double *l) {
    for (int best = 0; best >= 0;) {
        double most = 0;
        best = -1;
        for (int i = 0; i < c->n; i++)
            for (int j = 1;
                 c->state[i] == HOL__CONE_STICKS && !c->idle[i] && j <= c->at[i].rigid->across;
                 j++) {
                const double share = share_of(c, k, c->at[i].first + j, l);
                if (best < 0 ? share > HOL__DEPENDENT : share > 16 * most)
                    most = share, best = c->at[i].first + j;
            }
        if (best >= 0) offer(c, k, best);
    }
}

/* The rows of closed slots, gaps first. */
static hol_status choose_rows(hol__contacts *c, hol__touch_bits *touch) {
    chosen k = {.row = HOL__NEW_N(&c->arena, int, c->p.m + 1),
                .kept = HOL__NEW_N(&c->arena, int, c->p.m + 1),
                .L = HOL__NEW_N(&c->arena, double, (c->p.m + 1) * (c->p.m + 1))};
    double *alpha = HOL__NEW_N(&c->arena, double, c->p.m + 1);
    if (!k.row || !k.kept || !k.L || !alpha) return HOL_ERR_MEMORY;
    for (int i = 0; i < c->n; i++) c->flag[i] = c->state[i] != HOL__CONE_OPEN;
    choose_gaps(c, &k, alpha);
    choose_sticking(c, &k, alpha);
    set_bits(c, &k, touch);
    return HOL_OK;
}

/* Flag what parts so slowly that it rises no higher than the tolerance before it is back. */
static int some_come_back(const hol_sim *sim, hol__contacts *c) {
    const double tolerance = hol__sim_least_rise(sim, hol__rigid_tolerance(sim));
    int any = 0;
    for (int i = 0; i < c->n; i++) {
        const double u = c->p.u[c->at[i].first], w = c->w[c->at[i].first];
        if (c->flag[i] || !(w < 0) || !(u * u <= -2 * w * tolerance)) continue;
        c->flag[i] = 1;
        c->at[i].back = any = 1;
    }
    return any;
}

/* Accelerations at the velocities of the data, with pushes of all that does not part. */
static hol_status find_accelerations(hol_sim *sim, hol__contacts *c) {
    hol_status status = accelerate_freely(c);
    if (status) return status;
    read_velocities(c);
    for (int i = 0; i < c->n; i++)
        c->flag[i] = !(c->p.u[c->at[i].first] > c->noise[c->at[i].first]);
    do status = solve_accelerations(c, c->flag);
    while (!status && some_come_back(sim, c));
    return status;
}

/* The speed of slot i across its normal, where it slides and takes part; 0: it does not. */
static double sliding_speed(const hol__contacts *c, int i) {
    double speed = 0;
    for (int k = 1; k <= c->at[i].rigid->across; k++)
        speed = hypot(speed, c->p.u[c->at[i].first + k]);
    return c->flag[i] && c->cones[i].slides ? speed : 0;
}

/* An impact without collision: what slides approaches with so little of its speed that rounding in
 * G just does not hide it. *helps: impulses were found that do not go to zero with the approach,
 * and the velocities are others: changes are of the size of the approach or of the speed, and the
 * middle between the two parts them. */
static hol_status jam(hol__contacts *c, int *helps) {
    static const double hair = HOL__DEPENDENT;
    const double much = sqrt(hair);
    double *b = HOL__NEW_N(&c->arena, double, c->p.m + 1), fastest = 0, change = 0;
    *helps = 0;
    if (!b) return HOL_ERR_MEMORY;
    memcpy(b, c->p.u, sizeof *b * (size_t)c->p.m);
    for (int i = 0; i < c->n; i++) {
        const double speed = sliding_speed(c, i);
        if (speed > 0) b[c->at[i].first] = -hair * speed;
        fastest = fmax(fastest, speed);
    }
    set_cones(c, 0);
    const hol_status status = fastest > 0 ? hol__contacts_solve(c, c->flag, b) : HOL_NOT_CONVERGED;
    for (int i = 0; i < c->p.m; i++) change = fmax(change, fabs(c->w[i] - b[i]));
    if (status || !(change > much * fastest)) return status < 0 ? status : HOL_OK;
    for (int i = 0; i < c->n; i++) c->at[i].hit |= c->z[c->at[i].first] > 0;
    c->hit = *helps = 1;
    push(c);
    return HOL_OK;
}

hol_status hol__contacts_plan(hol_sim *sim, hol__contacts *c, hol__touch_bits *touch) {
    memset(touch, 0, sizeof *touch * (size_t)sim->whole->n_slots);
    if (!c->n) return HOL_OK;
    hol_status status = find_accelerations(sim, c);
    for (int round = 0, helps = 1; status == HOL_NOT_CONVERGED && helps && round < c->n; round++) {
        const hol_status jammed = jam(c, &helps);
        if (jammed || helps) status = jammed ? jammed : find_accelerations(sim, c);
    }
    if (status) return refuse(sim, c, c->flag, status, "accelerations");
    for (int i = 0; i < c->n; i++) {
        const int across = c->at[i].rigid->across;
        if (c->state[i] == HOL__CONE_OPEN) continue;
        touch[c->at[i].index] |= (hol__touch_bits)(HOL__TOUCH_CLOSED | c->at[i].face);
        if (!across) continue;
        if (c->state[i] == HOL__CONE_SLIDES) {
            touch[c->at[i].index] |= HOL__TOUCH_SLIDES;
            set_direction(c, i);
        } else
            drop_anchor(sim, c, i);
    }
    return choose_rows(c, touch);
}
