/* inertia.c: mass, mass centre and inertia of a body, by numbers or by shapes.
 *
 *     about another point P:  J = J_P - m (|d|^2 1 - d d^T),  d = P - com
 */
#include "compile/compile.h"

#include "la/tolerances.h"
#include "math/eig3.h"

#include <string.h>

/* 3, 6 or 3x3 numbers into J; 0 after an error. */
static int read_tensor(hol__build *build, hol__node *node, double J[9]) {
    static const int place6[6] = {0, 4, 8, 1, 2, 5};
    const int nested =
        node->kind == HOL__LIST && node->count == 3 && node->first->kind == HOL__LIST;
    if (node->kind != HOL__LIST || (node->count != 3 && node->count != 6)) {
        hol__build_error(build, node,
                         "inertia in space is [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or "
                         "three rows of three");
        return 0;
    }
    const int errors = build->errors;
    int i = 0;
    for (hol__node *child = node->first; child; child = child->next, i++) {
        if (!nested) {
            J[place6[i]] = hol__read_constant(build, child, "kg*m^2", 1);
        } else if (child->kind != HOL__LIST || child->count != 3) {
            hol__build_error(build, child, "a row of the inertia tensor has three numbers");
            return 0;
        } else
            for (int j = 0; j < 3; j++)
                J[3 * i + j] = hol__read_constant(build, hol__node_at(child, j), "kg*m^2", 1);
    }
    if (nested) {
        for (int k = 0; k < 3; k++) {
            const int a = k == 2 ? 5 : k + 1, b = k == 0 ? 3 : k == 1 ? 6 : 7;
            if (fabs(J[a] - J[b]) > 1e-12 * (fabs(J[0]) + fabs(J[4]) + fabs(J[8]))) {
                hol__build_error(build, node, "the inertia tensor is not symmetric");
                return 0;
            }
        }
    } else
        J[3] = J[1], J[6] = J[2], J[7] = J[5];
    return build->errors == errors;
}

/* Principal values must be >= 0 and none larger than the sum of the others. */
static void check_tensor(hol__build *build, const hol__node *node, hol__body *body) {
    double e[3];
    hol__eigenvalues3(body->J, e);
    const double scale = fabs(e[0]) + fabs(e[1]) + fabs(e[2]);
    body->singular = !(e[0] > HOL__INERTIA_ROUNDING * scale);
    if (e[0] < -1e-12 * scale)
        hol__build_error(build, node,
                         "the inertia tensor has the negative principal value %g; no body has that",
                         e[0]);
    else if (e[0] + e[1] < e[2] * (1 - 1e-9))
        hol__build_error(build, node,
                         "principal inertias %g, %g, %g: the largest exceeds the sum of the "
                         "others, which no body has (for a body, "
                         "I1 + I2 >= I3)",
                         e[0], e[1], e[2]);
}

int hol__read_inertia(hol__build *build, hol__node *item, double J[9]) {
    hol__node *node = hol__node_get(item, "inertia");
    const int errors = build->errors;
    if (build->model->dim == 2)
        J[8] = hol__read_number(build, item, hol__body_keys, "inertia");
    else if (node->kind == HOL__SCALAR) {
        const double I = hol__read_constant(build, node, "kg*m^2", 1);
        if (I < 0) hol__build_error(build, node, "inertia is %g; it must not be negative", I);
        J[0] = J[4] = J[8] = I;
    } else
        read_tensor(build, node, J);
    return build->errors == errors;
}

/* From the point inertia_at to the mass centre. */
static void to_centre(hol__build *build, hol__node *item, double m, const double com[3],
                      double J[9]) {
    double at[3], d[3];
    if (!hol__read_vector(build, item, hol__body_keys, "inertia_at", at)) return;
    hol__sub3(at, com, d);
    const double d2 = hol__dot3(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) J[3 * i + j] -= m * ((i == j ? d2 : 0) - d[i] * d[j]);
    for (int i = build->model->dim == 2 ? 2 : 0; i < 3; i++)
        if (J[4 * i] < 0) {
            hol__build_error(build, hol__node_get(item, "inertia"),
                             "about a point that is %g away from the mass centre the inertia is at "
                             "least mass times distance squared; this "
                             "leaves %g",
                             sqrt(d2), J[4 * i]);
            return;
        }
}

/* Keys that contradict each other, or are missing; 0 after an error. */
static int check_keys(hol__build *build, hol__node *item, int point, int moves) {
    const int errors = build->errors;
    hol__node *shape = hol__node_get(item, "shape"), *inertia = hol__node_get(item, "inertia"),
              *mass = hol__node_get(item, "mass");
    hol__node *at = hol__node_get(item, "inertia_at"), *com = hol__node_get(item, "com");
    if (shape && inertia)
        hol__build_error(build, inertia,
                         "the shape says what the inertia is; leave out `inertia` or `shape`");
    if (shape && com)
        hol__build_error(build, com, "the shapes say where the mass centre is; leave out `com`");
    if (at && !inertia)
        hol__build_error(
            build, at,
            "`inertia_at` says about which point `inertia` is given, which is not there");
    if (point && (shape || inertia))
        hol__build_error(build, shape ? shape : inertia,
                         "a point mass has no inertia; leave out `point` or '%s'",
                         (shape ? shape : inertia)->key);
    if (!mass && !shape && !moves)
        hol__build_error(build, item,
                         "a body needs the key 'mass', or a 'shape' with a mass or a density");
    if (!inertia && !shape && !point && !moves)
        hol__build_error(
            build, item,
            "a body needs the key 'inertia', a 'shape', or 'point: true' for a point mass");
    return build->errors == errors;
}

void hol__compile_inertia(hol__build *build, hol__body *body, hol__node *item) {
    const int errors = build->errors;
    hol__node *shape = hol__node_get(item, "shape"), *inertia = hol__node_get(item, "inertia");
    double J[9] = {0};
    body->point = hol__read_bool(build, item, hol__body_keys, "point");
    body->mass =
        hol__node_get(item, "mass") ? hol__read_number(build, item, hol__body_keys, "mass") : 0;
    body->massless = build->spec->massless && !body->motion &&
                     (!hol__node_get(item, "mass") || (!inertia && !body->point)) && !shape;
    if (!check_keys(build, item, body->point, body->massless || body->motion != NULL)) return;
    const double at[3] = {body->com[0], body->com[1], body->com[2]};
    if (shape)
        hol__compile_shapes(build, shape, body->mass, at, &body->mass, body->com, J);
    else if (inertia && hol__read_inertia(build, item, J) && build->errors == errors)
        to_centre(build, item, body->mass, body->com, J);
    if (build->errors == errors) hol__compile_drawing(build, body, item, at);
    if (build->errors > errors) return;
    if (build->model->dim == 2) {
        if (J[8] < 0)
            hol__build_error(build, shape,
                             "the shapes together have the inertia %g; no body has that", J[8]);
        body->inertia = J[8];
        body->singular = !(J[8] > 0) || !(body->mass > 0);
        return;
    }
    memcpy(body->J, J, sizeof J);
    if (hol__norm3(J) + hol__norm3(J + 3) + hol__norm3(J + 6) > 0)
        check_tensor(build, inertia ? inertia : shape, body);
    else
        body->singular = 1;
    if (!(body->mass > 0)) body->singular = 1;
}
