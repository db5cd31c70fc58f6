/* tree.c: joints as links, their numbers, and increments of joint coordinates. The tree is chosen
 * in tree_span.c. */
#include "coords/tree.h"
#include "math/quat.h"
#include "model/build.h"

#include <stdint.h>
#include <string.h>

/* Short, for the tables. */
enum { X = HOL__X, Y = HOL__Y, Z = HOL__Z, RX = HOL__RX, RY = HOL__RY, RZ = HOL__RZ };

typedef struct pattern {
    unsigned lock;
    unsigned char move;
    hol__turn_kind turn;
} pattern;

static const pattern planar_links[] = {
    {X | Y, 0, HOL__TURN_AXIS},      {Y | RZ, X, HOL__TURN_NONE}, {X | RZ, Y, HOL__TURN_NONE},
    {X | Y | RZ, 0, HOL__TURN_NONE}, {Y, X, HOL__TURN_AXIS},      {RZ, X | Y, HOL__TURN_NONE},
    {0, 0, HOL__TURN_NONE},
};

/* A translation that goes with a turn is along the axes of the parent, so a joint whose axes belong
 * to its first body cannot be reversed there unless the axis is that of the turn. */
static const pattern spatial_links[] = {
    {X | Y | Z | RX | RY, 0, HOL__TURN_AXIS},      {X | Y | RX | RY | RZ, Z, HOL__TURN_NONE},
    {X | Y | RX | RY, Z, HOL__TURN_AXIS},          {X | Y | Z, 0, HOL__TURN_BALL},
    {X | Y | Z | RX | RY | RZ, 0, HOL__TURN_NONE}, {Z | RX | RY, X | Y, HOL__TURN_AXIS},
    {RX | RY | RZ, X | Y | Z, HOL__TURN_NONE},     {0, 0, HOL__TURN_NONE},
};

int hol__count_bits(unsigned bits) {
    int n = 0;
    for (; bits; bits &= bits - 1) n++;
    return n;
}

int hol__link_motion(const hol_model *model, const hol__element *joint, unsigned *move,
                     hol__turn_kind *turn) {
    const pattern *p = model->dim == 2 ? planar_links : spatial_links;
    if (joint->body[0] == joint->body[1] || !joint->lock || (joint->lock & HOL__LOCK_DRIVEN))
        return 0;
    if (strcmp(joint->type->name, "universal") == 0) {
        *move = 0;
        *turn = HOL__TURN_UNIVERSAL;
        return 1;
    }
    if (joint->pitch != 0) {
        *move = 0;
        *turn = HOL__TURN_AXIS;
        return 1;
    }
    if (hol__joint_rows(model, joint) != hol__count_bits(joint->lock)) return 0;
    for (; p->lock; p++)
        if (p->lock == joint->lock) {
            *move = p->move;
            *turn = p->turn;
            return 1;
        }
    return 0;
}

/* The body that stands for the part of the mechanism that a body belongs to. */
static int part_of(int *root, int body) {
    while (root[body] != body) body = root[body] = root[root[body]];
    return body;
}

int hol__tree_is_open(hol_model *model) {
    int *root = HOL__NEW_N(&model->arena, int, model->nb + 1);
    unsigned move;
    hol__turn_kind turn;
    if (!root) return 0;
    for (int i = 0; i <= model->nb; i++) root[i] = i;
    for (int k = 0; k < model->n_joints; k++) {
        const hol__element *joint = &model->joints[k];
        const int a = part_of(root, joint->body[0]), b = part_of(root, joint->body[1]);
        if (a == b || !hol__link_motion(model, joint, &move, &turn)) return 0;
        root[a] = b;
    }
    return 1;
}

/* ---- numbers of the links ---- */

static void set_link2(const hol_model *model, const hol__link *link, hol__link2 *g) {
    const hol__body *b = &model->bodies[link->body];
    *g = (hol__link2){.e = {1, 0}, .mass = b->mass, .inertia = b->inertia};
    if (link->joint < 0) return;
    const hol__marker *m = model->joints[link->joint].marker;
    const hol__marker *m1 = &m[link->reversed], *m2 = &m[!link->reversed];
    for (int i = 0; i < 2; i++) g->s1[i] = m1->s[i], g->s2[i] = m2->s[i];
    g->e[0] = m1->F[0], g->e[1] = m1->F[3];
    g->offset = m1->angle - m2->angle;
    /* where nothing turns, full turns are those of the drawn position */
    if (link->turn == HOL__TURN_NONE) {
        const double theta =
            link->parent_body < model->nb ? model->bodies[link->parent_body].theta : 0;
        const double turn = 2 * acos(-1.0), drawn = b->theta - theta;
        g->offset += turn * round((drawn - g->offset) / turn);
    }
}

/* The frame of a joint on a body with z along the axis that the link turns about. */
static hol__marker marker_of(const hol__element *joint, const hol__link *link, int slot) {
    hol__marker m = joint->marker[slot];
    if (link->turn == HOL__TURN_UNIVERSAL && slot == 1) {
        hol__frame_along(joint->second_axis, NULL, m.f);
        hol__quat_matrix(m.f, m.F);
    }
    return m;
}

static void set_link3(const hol_model *model, const hol__link *link, hol__link3 *g) {
    const hol__body *b = &model->bodies[link->body];
    *g = (hol__link3){.f1 = {1},
                      .f2c = {1},
                      .F1 = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                      .F2 = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                      .mass = b->mass};
    if (link->joint >= 0) {
        const hol__element *joint = &model->joints[link->joint];
        const hol__marker a = marker_of(joint, link, link->reversed),
                          b2 = marker_of(joint, link, !link->reversed);
        const hol__marker *m1 = &a, *m2 = &b2;
        memcpy(g->s1, m1->s, sizeof g->s1);
        memcpy(g->s2, m2->s, sizeof g->s2);
        memcpy(g->f1, m1->f, sizeof g->f1);
        memcpy(g->F1, m1->F, sizeof g->F1);
        memcpy(g->F2, m2->F, sizeof g->F2);
        g->f2c[0] = m2->f[0];
        for (int i = 1; i < 4; i++) g->f2c[i] = -m2->f[i];
    }
    /* J + m (s.s 1 - s s^T) */
    const double *s = g->s2, s2 = hol__dot3(s, s);
    for (int i = 0, k = 0; i < 3; i++)
        for (int j = i; j < 3; j++, k++)
            g->JP[k] = b->J[3 * i + j] + b->mass * ((i == j ? s2 : 0) - s[i] * s[j]);
}

/* ---- taking the joints of the tree out of the records ---- */

/* Whether a record belongs to a joint of the tree. */
static int is_held(const void *self, int batch, int record) {
    const hol_model *model = self;
    const hol__con *con = hol__con_record(&model->con_batches[batch], record);
    return model->tree->of_joint[con->element] >= 0;
}

hol_status hol__tree_new(hol_model *model, const unsigned char *cut) {
    hol__arena *arena = &model->arena;
    const hol_status status = hol__tree_span(model, cut);
    if (status) return status;
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    tree->links2 = model->dim == 2 ? HOL__NEW_N(arena, hol__link2, model->nb) : NULL;
    tree->links3 = model->dim == 3 ? HOL__NEW_N(arena, hol__link3, model->nb) : NULL;
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < tree->n; i++) {
        if (model->dim == 2)
            set_link2(model, &tree->links[i], &tree->links2[i]);
        else
            set_link3(model, &tree->links[i], &tree->links3[i]);
    }
    model->turn = HOL__NEW_N(arena, unsigned char, model->nv);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < tree->n; i++)
        for (int k = tree->links[i].n_move; k < tree->links[i].nv; k++)
            model->turn[tree->links[i].v + k] = 1;
    hol__drop_records(model, is_held, model);
    return HOL_OK;
}

/* ---- increments ---- */

static int has_quaternion(const hol__link *link) {
    return link->turn == HOL__TURN_BALL;
}

void hol__tree_plus(const hol_model *model, const double *q, const double *d, double *out) {
    const hol__tree *tree = model->tree;
    if (tree->plain) {
        for (int i = 0; i < model->nv; i++) out[i] = q[i] + d[i];
        return;
    }
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const int n = has_quaternion(link) ? link->n_move : link->nv;
        for (int k = 0; k < n; k++) out[link->q + k] = q[link->q + k] + d[link->v + k];
        if (!has_quaternion(link)) continue;
        double p[4];
        hol__quat_plus(q + link->q + n, d + link->v + n, p);
        memcpy(out + link->q + n, p, sizeof p);
    }
}

void hol__tree_minus(const hol_model *model, const double *a, const double *b, double *d) {
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const int n = has_quaternion(link) ? link->n_move : link->nv;
        for (int k = 0; k < n; k++) d[link->v + k] = a[link->q + k] - b[link->q + k];
        if (!has_quaternion(link)) continue;
        double p[4];
        hol__quat_mul_c(b + link->q + n, a + link->q + n, p);
        hol__quat_log(p, d + link->v + n);
    }
}

void hol__tree_rate(const hol_model *model, const double *d, const double *v, double *ddot) {
    const hol__tree *tree = model->tree;
    memcpy(ddot, v, sizeof(double) * (size_t)model->nv);
    if (tree->plain) return;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        const int at = link->v + link->n_move;
        if (has_quaternion(link)) hol__quat_dexpinv(d + at, v + at, ddot + at);
    }
}

int hol__tree_rotations(const hol_model *model, int *first) {
    const hol__tree *tree = model->tree;
    int n = 0;
    for (int i = 0; i < tree->n; i++)
        if (has_quaternion(&tree->links[i])) {
            if (first) first[n] = tree->links[i].v + tree->links[i].n_move;
            n++;
        }
    return n;
}

/* The bodies beyond link i have made turns that the coordinates no longer hold. */
static void keep_turns(const hol__tree *tree, int i, double turns, hol__body2 *b2) {
    for (int j = i; j < tree->n; j++)
        if (hol__tree_carries(tree, i, j)) b2[tree->links[j].body].turn += turns;
}

/* Angles lose their full turns when they pass `most`, a little over four turns: rounding stays
 * within 26 eps, and a change of the coordinates does not fall on half and full turns, where
 * linkages have their singular positions. */
void hol__tree_wrap(const hol_model *model, double *q, hol__bodies *bodies) {
    static const double turn = 6.283185307179586476925286766559, most = 26;
    const hol__tree *tree = model->tree;
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        if (has_quaternion(link) || link->pitch != 0) continue;
        for (int k = link->n_move; k < link->nv; k++) {
            const double turns = turn * round(q[link->q + k] / turn);
            if (!(fabs(q[link->q + k]) > most) || !isfinite(turns)) continue;
            q[link->q + k] -= turns;
            if (bodies->b2) keep_turns(tree, i, turns, bodies->b2);
        }
    }
}

double hol__tree_inertia(const hol_model *model, const hol__bodies *bodies, double *load) {
    return (bodies->b2 ? hol__coords_planar : hol__coords_spatial).inertia(model, bodies, load);
}
