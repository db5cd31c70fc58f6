/* reaction.c: what the first body of a joint receives, from the multipliers.
 *
 * Rows of the joint over the velocities of body 1 are G1; the generalised force is -G1^T lambda: a
 * force (global) and a torque about the mass centre (body frame). Moved to the joint: M_joint = R
 * tau - (P - r) x F.
 */
#include "base/argument.h"
#include "base/give.h"
#include "coords/tree.h"
#include "dyn/data.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* A component of a row below this share of its largest one is rounding. */
static const double ROUNDING = 1e-9;

/* w = -G^T lambda over the velocities of that body, summed over the parts of the joint. */
static void body_wrench(const hol_data *d, const hol__element *joint, int body, double w[6]) {
    const hol_model *m = d->model;
    memset(w, 0, 6 * sizeof *w);
    for (int i = 0; i < joint->n_parts; i++) {
        const hol__con *con =
            hol__con_record(&m->con_batches[joint->part[i].batch], joint->part[i].record);
        for (int slot = 0; slot < con->n_bodies; slot++) {
            if (con->body[slot] != body || con->at[slot] < 0) continue;
            for (int k = 0; k < con->n_rows; k++)
                for (int j = 0; j < m->bw; j++)
                    w[j] -= d->G[con->at[slot] + k * con->stride + j] * d->lambda[con->row + k];
        }
    }
}

/* w += what friction does to that body where the joint is a contact that slides. */
static void add_friction(const hol_data *d, const hol__element *joint, int body, double w[6]) {
    const hol_model *m = d->model;
    for (int k = 0; joint->rigid && k < m->n_slides; k++) {
        const double *unit;
        if (m->slides[k].joint != joint->index) continue;
        const double push = hol__data_slide_push(d, k, &unit);
        for (int j = 0; j < m->bw; j++) w[j] += push * unit[m->bw * body + j];
    }
}

static int is_unique(const hol_data *d, const hol__element *joint) {
    if (!d->analysed || !d->redundant) return 1;
    for (int i = 0; i < joint->n_parts; i++) {
        const hol__con *con =
            hol__con_record(&d->model->con_batches[joint->part[i].batch], joint->part[i].record);
        for (int k = 0; k < con->n_rows; k++)
            if (d->undetermined[con->row + k]) return 0;
    }
    return 1;
}

int hol__reaction_unique(const hol_data *data, int index) {
    const hol_data *d = data->twin && hol__data_needs_twin(data) ? data->twin : data;
    const hol__tree *tree = d->model->tree;
    if (tree && tree->of_joint[index] >= 0)
        return !d->analysed || !d->redundant ||
               hol__tree_unique(d->model, tree->of_joint[index], d->undetermined);
    return is_unique(d, &d->model->joints[index]);
}

/* Pose of a body as position and rotation in space. */
static void body_pose(const hol_data *d, int body, double r[3], double R[9]) {
    if (d->bodies.b3) {
        memcpy(r, d->bodies.b3[body].r, 3 * sizeof *r);
        memcpy(R, d->bodies.b3[body].R, 9 * sizeof *R);
        return;
    }
    const hol__body2 *b = &d->bodies.b2[body];
    const double M[9] = {b->c, -b->s, 0, b->s, b->c, 0, 0, 0, 1};
    r[0] = b->r[0], r[1] = b->r[1], r[2] = 0;
    memcpy(R, M, sizeof M);
}

/* A generalised force on a body as a force and a moment about the point P, global. */
static void carry(const hol_data *d, int body, const double w[6], const double P[3],
                  double force[3], double moment[3]) {
    double r[3], R[9], tau[3] = {0, 0, 0}, arm[3], shift[3];
    body_pose(d, body, r, R);
    if (d->bodies.b2) {
        force[0] = w[0], force[1] = w[1], force[2] = 0;
        tau[2] = w[2];
    } else {
        memcpy(force, w, 3 * sizeof *force);
        hol__mul3(R, w + 3, tau);
    }
    hol__sub3(P, r, arm);
    hol__cross3(arm, force, shift);
    hol__sub3(tau, shift, moment);
}

/* Force and moment about the point P that the body receives, global. */
static void wrench_at(const hol_data *d, const hol__element *joint, int body, const double P[3],
                      double force[3], double moment[3]) {
    double w[6];
    body_wrench(d, joint, body, w);
    add_friction(d, joint, body, w);
    carry(d, body, w, P, force, moment);
}

/* Which components of force and moment about P row k of a constraint has, as bits. */
static unsigned row_components(const hol_data *d, const hol__con *con, int k, const double P[3]) {
    const int bw = d->model->bw;
    unsigned mask = 0;
    for (int slot = 0; slot < con->n_bodies; slot++) {
        double w[6] = {0, 0, 0, 0, 0, 0}, part[6], most = 0;
        if (con->at[slot] < 0) continue;
        memcpy(w, d->G + con->at[slot] + k * con->stride, (size_t)bw * sizeof *w);
        carry(d, con->body[slot], w, P, part, part + 3);
        for (int i = 0; i < 6; i++) most = fmax(most, fabs(part[i]));
        for (int i = 0; i < 6; i++)
            if (fabs(part[i]) > ROUNDING * most) mask |= 1u << i;
    }
    return mask;
}

unsigned hol__reaction_open(const hol_data *data, int index) {
    const hol_data *d = data->twin && hol__data_needs_twin(data) ? data->twin : data;
    const hol__element *joint = &d->model->joints[index];
    double r[3], R[9], P[3];
    unsigned mask = 0;
    if (hol__reaction_unique(data, index)) return 0;
    if (d->model->tree && d->model->tree->of_joint[index] >= 0) return HOL__OPEN_ALL;
    body_pose(d, joint->body[0], r, R);
    hol__mul3(R, joint->marker[0].s, P);
    hol__add3(r, P, P);
    for (int i = 0; i < joint->n_parts; i++) {
        const hol__con *con =
            hol__con_record(&d->model->con_batches[joint->part[i].batch], joint->part[i].record);
        for (int k = 0; k < con->n_rows; k++)
            if (d->undetermined[con->row + k]) mask |= row_components(d, con, k, P);
    }
    return mask;
}

/* The moving bodies of a joint, each once, at most HOL__MAX_BODIES. */
static int moving_bodies(const hol_data *d, const hol__element *joint, int *list) {
    int n = 0;
    for (int i = 0; i < joint->n_parts; i++) {
        const hol__con *con =
            hol__con_record(&d->model->con_batches[joint->part[i].batch], joint->part[i].record);
        for (int slot = 0; slot < con->n_bodies; slot++) {
            int known = con->at[slot] < 0;
            for (int k = 0; k < n; k++) known |= list[k] == con->body[slot];
            if (!known && n < HOL__MAX_BODIES) list[n++] = con->body[slot];
        }
    }
    return n;
}

/* Ground has no rows of its own: it receives the opposite of what the moving bodies receive
 * together, about the same point. */
static void ground_wrench(const hol_data *d, const hol__element *joint, hol_reaction *out) {
    int list[HOL__MAX_BODIES];
    const int n = moving_bodies(d, joint, list);
    for (int k = 0; k < n; k++) {
        double force[3], moment[3];
        wrench_at(d, joint, list[k], out->point, force, moment);
        hol__sub3(out->force, force, out->force);
        hol__sub3(out->moment, moment, out->moment);
    }
}

/* A joint transmits no force along its free translations, which lie in the parent's marker: what
 * rounding left there would count with the whole displacement as its arm. */
static void clear_free(const hol_data *d, const hol__link *l, double f[3]) {
    const hol__marker *marker = &d->model->joints[l->joint].marker[l->reversed];
    double r[3], R[9], F[9];
    if (!l->n_move || l->pitch != 0) return;
    body_pose(d, l->parent_body, r, R);
    hol__mat3_mul(R, marker->F, F);
    for (int k = 0; k < 3; k++) {
        if (!(l->move & (1u << k))) continue;
        const double along = F[k] * f[0] + F[3 + k] * f[1] + F[6 + k] * f[2];
        for (int i = 0; i < 3; i++) f[i] -= along * F[3 * i + k];
    }
}

/* The reactions of all joints of the tree, once for a solution, from the accelerations of the
 * bodies (recursive Newton-Euler): the bodies' loads are forces and what the other constraints do
 * to them. */
static void solve_tree(hol_data *d) {
    const hol_model *m = d->model;
    double *load = d->wrench;
    if (d->known & HOL__KNOWN_TREE) return;
    hol__data_accelerations(d);
    memcpy(load, d->load, sizeof(double) * (size_t)(m->bw * (m->nb + 1)));
    for (int i = 0; i < m->m; i++)
        for (int k = m->G.ptr[i]; k < m->G.ptr[i + 1]; k++)
            load[m->G.idx[k]] -= d->G[k] * d->lambda[i];
    m->coords->maps->reactions(m, &d->bodies, d->recursion, d->acc, load, d->reactions);
    for (int i = 0; i < m->tree->n; i++)
        if (m->tree->links[i].joint >= 0) clear_free(d, &m->tree->links[i], d->reactions + 6 * i);
    d->known |= HOL__KNOWN_TREE;
}

/* The reaction of a joint of the tree on its first body: the child receives (f, n about P). */
static void tree_reaction(hol_data *d, int link, hol_reaction *out) {
    const hol_model *m = d->model;
    const hol__link *l = &m->tree->links[link];
    const hol__element *joint = &m->joints[l->joint];
    const double *f = d->reactions + 6 * link;
    const double sign = l->reversed ? 1 : -1;
    double r[3], R[9], P[3], arm[3], shift[3];
    body_pose(d, l->body, r, R);
    hol__mul3(R, joint->marker[!l->reversed].s, P);
    hol__add3(r, P, P);
    hol__sub3(P, out->point, arm);
    hol__cross3(arm, f, shift);
    for (int i = 0; i < 3; i++)
        out->force[i] = sign * f[i], out->moment[i] = sign * (f[3 + i] + shift[i]);
}

/* Solve for reactions where that has not been done: which of them are unique, and the equations of
 * motion in the coordinates in which the joints have their multipliers. */
static hol_status solve_reactions(hol_data *data) {
    const hol_status status = data->analysed ? HOL_OK : hol__data_analyse(data);
    if (status) return status;
    return hol__data_needs_twin(data) ? hol__data_twin(data) : hol__data_accelerate(data);
}

/* The reaction of a joint of a data that is solved. */
static void find_reaction(hol_data *d, int index, hol_reaction *out) {
    const hol__element *joint = &d->model->joints[index];
    const hol__tree *tree = d->model->tree;
    double r[3], R[9], u[3], F[9];
    out->unique = hol__reaction_unique(d, index);
    body_pose(d, joint->body[0], r, R);
    hol__mul3(R, joint->marker[0].s, u);
    hol__add3(r, u, out->point);
    if (tree && tree->of_joint[index] >= 0) {
        solve_tree(d);
        tree_reaction(d, tree->of_joint[index], out);
    } else if (joint->body[0] < d->model->nb)
        wrench_at(d, joint, joint->body[0], out->point, out->force, out->moment);
    else
        ground_wrench(d, joint, out);
    hol__mat3_mul(R, joint->marker[0].F, F);
    hol__mul3_t(F, out->force, out->force_joint);
    hol__mul3_t(F, out->moment, out->moment_joint);
}

/* The row of equation k of a joint in the model of d; -1 where the coordinates hold it by
 * themselves. */
static int row_of(const hol_data *d, int joint, int k) {
    const hol__element *e = &d->model->joints[joint];
    for (int i = 0; i < e->n_parts; i++) {
        const hol__con *con =
            hol__con_record(&d->model->con_batches[e->part[i].batch], e->part[i].record);
        if (k < con->n_rows) return con->row + k;
        k -= con->n_rows;
    }
    return -1;
}

double hol__data_multiplier(hol_data *data, int joint, int k) {
    if (data->model->joints[joint].off) return 0;
    if (solve_reactions(data)) return NAN;
    const hol_data *d = hol__data_needs_twin(data) ? data->twin : data;
    const int row = row_of(d, joint, k);
    return row < 0 ? NAN : d->lambda[row];
}

double hol__data_joint_power(hol_data *data, int joint) {
    double power = 0;
    int row;
    if (hol__data_accelerate(data)) return NAN;
    for (int k = 0; (row = row_of(data, joint, k)) >= 0; k++)
        power -= data->lambda[row] * data->b[row];
    return power;
}

hol_status hol_data_reaction(hol_data *data, int joint, hol_reaction *out) {
    static const char call[] = "hol_data_reaction";
    hol_reaction r = {.unique = 0};
    if (!data) return HOL_ERR_ARGUMENT;
    hol_status bad = hol__need_index(data->ctx, call, "joint", joint, data->model->n_joints);
    if (bad) return bad;
    const hol_status status = solve_reactions(data);
    if (!status) find_reaction(hol__data_needs_twin(data) ? data->twin : data, joint, &r);
    for (int i = 0; status && i < 3; i++)
        r.point[i] = r.force[i] = r.moment[i] = r.force_joint[i] = r.moment_joint[i] = NAN;
    bad = hol__give(data->ctx, call, &r, sizeof r, out);
    return bad ? bad : hol__data_answer(data, status);
}
