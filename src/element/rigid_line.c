/* rigid_line.c: a joint with one equation n . (P2 - P1) = 0, n fixed in the first body, as one that
 * pushes and rubs: what holds bodies where the rebounds of an event's impact with friction end.
 *
 * Slot 0 pushes the second body along n, slot 1 against it,
 *
 *     g = +- n . (P2 - P1),   place of contact P = P2 -+ radius n
 *
 * and whoever decides says which of the two may close, and when (sim/impact.c). While one is closed
 * its rows stand for the equation of the joint, which is left out.
 */
#include "element/acting.h"
#include "element/primitives.h"
#include "element/rigid.h"

#include <string.h>

/* n, P1 and P2 of the one part of a joint; 0 where it is no such equation. */
static int read_line(const hol_model *model, const hol__element *joint, hol__rigid *r) {
    if (joint->n_parts != 1) return 0;
    const hol__con_batch *batch = &model->con_batches[joint->part[0].batch];
    const void *record = hol__con_record(batch, joint->part[0].record);
    const int plane = batch->type == &hol__con_slide2;
    const hol__slide2 *two = record;
    const hol__slide3 *three = record;
    if (!plane && batch->type != &hol__con_slide3) return 0;
    const hol__law *law = plane ? &two->f : &three->f;
    if (law->e || law->value != 0) return 0;
    const size_t size = sizeof(double) * (plane ? 2 : 3);
    memcpy(r->axis, plane ? two->e : three->e, size);
    memcpy(r->end[0], plane ? two->s1 : three->s1, size);
    memcpy(r->end[1], plane ? two->s2 : three->s2, size);
    return 1;
}

int hol__rigid_add_line(hol__build *build, hol__element *joint, double friction, double radius) {
    const int plane = build->model->dim == 2;
    hol__rigid r = {.line = 1,
                    .slots = 2,
                    .corners = 2,
                    .across = plane ? 1 : 2,
                    .friction = friction,
                    .grip = friction,
                    .radius = radius};
    r.pair.plane = plane;
    if (!read_line(build->model, joint, &r)) return 0;
    hol__rigid_add(build, joint, &r);
    return 1;
}

int hol__rigid_stands_in(const hol__element *joint) {
    const hol__rigid *r = joint->rigid;
    int closed = 0;
    for (int i = 0; r && r->line && r->touch && i < r->slots; i++) closed |= r->touch[i];
    return (closed & HOL__TOUCH_CLOSED) != 0;
}

void hol__rigid_on_line(const hol__rigid *r, const hol__body_dual bodies[2], int slot,
                        hol__dual *gap, hol__dual3 *n, hol__dual3 *P) {
    static const hol__dual3 zero = {{0, 0, 0}, {0, 0, 0}};
    const hol__dual3 P1 = hol__dual_place(&bodies[0], r->end[0]),
                     P2 = hol__dual_place(&bodies[1], r->end[1]);
    *n = hol__dual3_add(zero, slot ? -1 : 1, hol__dual_turned(&bodies[0], r->axis));
    *gap = hol__dual3_dot(*n, hol__dual3_add(P2, -1, P1));
    *P = hol__dual3_add(P2, -r->radius, *n);
}
