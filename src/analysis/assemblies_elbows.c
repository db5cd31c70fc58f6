/* assemblies_elbows.c: how each loop of a mechanism is folded.
 *
 * The loops are those that the joints close which a spanning tree of the bodies leaves out. The
 * points of the joints of a loop are a polygon; at each joint it turns to one side or to the other:
 *
 *     sign of n . ((P - P_before) x (P_after - P))     n: the normal of the plane, or the axis of
 *                                                      the joint
 *
 * These signs tell assemblies apart, as elbow up and elbow down do; a branch keeps them until two
 * neighbouring links of a loop are in line.
 */
#include "analysis/assemblies.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

static const double straight = 1e-9; /* sine of an angle that is none */

typedef struct loops {
    const hol_model *m;
    int *from, *by; /* by body, ground last: the body before it in the tree, and the joint */
    int *depth;
    int *joint, n; /* the joints of one loop, in their order */
} loops;

/* Whether a joint holds two bodies at a place. */
static int counts(const hol__element *e) {
    return e->body[0] != e->body[1] && e->lock && !e->off;
}

/* The bodies that are reached from one, joint by joint. */
static void reach(loops *l) {
    const hol_model *m = l->m;
    int grown = 1;
    for (int b = 0; b <= m->nb; b++) l->from[b] = -1, l->by[b] = -1, l->depth[b] = -1;
    l->depth[m->nb] = 0;
    while (grown) {
        grown = 0;
        for (int j = 0; j < m->n_joints; j++) {
            const hol__element *e = &m->joints[j];
            if (!counts(e)) continue;
            for (int k = 0; k < 2; k++) {
                const int a = e->body[k], b = e->body[1 - k];
                if (l->depth[a] < 0 || l->depth[b] >= 0) continue;
                l->from[b] = a, l->by[b] = j, l->depth[b] = l->depth[a] + 1;
                grown = 1;
            }
        }
    }
}

/* The joints of the loop that joint j closes, from it around; 0: it closes none. */
static int close_loop(loops *l, int j) {
    const hol__element *e = &l->m->joints[j];
    int a = e->body[0], b = e->body[1], back = l->m->n_joints;
    if (!counts(e) || l->depth[a] < 0 || l->depth[b] < 0 || l->by[a] == j || l->by[b] == j)
        return 0;
    l->n = 0;
    l->joint[l->n++] = j;
    while (a != b) /* b's way goes to the front, a's to the end of the list and comes in reverse */
        if (l->depth[b] >= l->depth[a])
            l->joint[l->n++] = l->by[b], b = l->from[b];
        else
            l->joint[--back] = l->by[a], a = l->from[a];
    while (back < l->m->n_joints) l->joint[l->n++] = l->joint[back++];
    return l->n >= 3;
}

/* The place of a joint, and its axis, at a position. */
static void place(const hol_data *data, int joint, double P[3], double n[3]) {
    const hol_model *m = data->model;
    hol_element_info info = {.size = sizeof info};
    hol_pose at = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    hol_model_joint_describe(m, joint, &info);
    hol_data_body_pose((hol_data *)data, info.body[0], &at);
    hol__mul3(at.R, info.point[0], P);
    for (int k = 0; k < 3; k++) P[k] += at.r[k];
    hol__mul3(at.R, info.axis[0], n);
    if (m->dim == 2) n[0] = n[1] = 0, n[2] = 1;
}

/* The side to which a loop turns at its joint i. */
static int side_of(const loops *l, const hol_data *data, int i) {
    double P[3][3], n[3][3], a[3], b[3], c[3];
    for (int k = 0; k < 3; k++) place(data, l->joint[(i + l->n + k - 1) % l->n], P[k], n[k]);
    hol__sub3(P[1], P[0], a);
    hol__sub3(P[2], P[1], b);
    hol__cross3(a, b, c);
    const double size = hol__norm3(a) * hol__norm3(b) * hol__norm3(n[1]), turn = hol__dot3(c, n[1]);
    return fabs(turn) > straight * size ? (turn > 0 ? 1 : -1) : 0;
}

/* The rows of one loop: a joint each, with its side in every assembly. */
static void tell_loop(hol__assemblies *a, const loops *l, int number, hol__sheet *sheet) {
    char name[NAME];
    for (int i = 0; i < l->n; i++) {
        snprintf(name, sizeof name, "loop %d: %.200s", number, l->m->joints[l->joint[i]].name);
        double *row = hol__sheet_add(sheet, name);
        for (int k = 0; row && k < a->n; k++) {
            hol__data_set_q(a->data, a->data->t, a->branch[k].q);
            row[k] = side_of(l, a->data, i);
        }
    }
}

void hol__assemblies_tell_elbows(hol__assemblies *a, hol_answer *answer) {
    const hol_model *m = a->from;
    const size_t nb = (size_t)m->nb + 1;
    loops l = {.m = m,
               .from = HOL__NEW_N(&a->arena, int, nb),
               .by = HOL__NEW_N(&a->arena, int, nb),
               .depth = HOL__NEW_N(&a->arena, int, nb),
               .joint = HOL__NEW_N(&a->arena, int, m->n_joints + 1)};
    hol__sheet *sheet = NULL;
    char name[NAME];
    if (a->arena.failed || !a->n) return;
    reach(&l);
    for (int j = 0, number = 0; j < m->n_joints; j++) {
        if (!close_loop(&l, j)) continue;
        if (!sheet) {
            sheet = hol__answer_sheet(
                answer, "elbows",
                "how loops are folded: at each joint 1 to the left, -1 to the right, 0 in line",
                a->n);
            for (int k = 0; k < a->n; k++) {
                snprintf(name, sizeof name, "%d", k + 1);
                hol__sheet_column(sheet, k, name, "");
            }
        }
        tell_loop(a, &l, ++number, sheet);
    }
}
