/* touch.h: where two convex shapes on two bodies touch: depth, places, normal and their rates.
 *
 * Knows nothing of force laws. A touch is a pair of features, a corner, an edge or a face of each
 * shape, that face each other. From the features follow, in dual numbers,
 *
 *     n        the direction from the first shape to the second
 *     p        how deep they overlap along n; negative while they are apart
 *     S[0, 1]  the places on the surfaces of both, S1 - S0 = -p n
 *     P        the place of contact: on the face where one is a face, else half-way
 *     weight   how much it counts beside the other touches of the pair
 *
 * With bodies that vary along their own motion (hol__touch_move) the rates are those in time: p' is
 * the speed of approach, and n', P' give the change of the row of the gap. With bodies that vary
 * along a direction (dual_forces.h) they are derivatives.
 */
#ifndef HOL_ELEMENT_TOUCH_H
#define HOL_ELEMENT_TOUCH_H

#include "element/dual_forces.h"
#include "math/convex.h"

/* A shape in the frame of its body, from the mass centre: a convex one, or all that lies behind the
 * plane of its only point and normal. */
typedef struct hol__touch_shape {
    int half_space;
    hol__convex core;
    double center[3], reach; /* a ball around it (hol__touch_bound); reach 0: none is known */
} hol__touch_shape;

/* Two of them, in space or in the plane; at most one is a half-space. */
typedef struct hol__touch_pair {
    int plane;
    hol__touch_shape shape[2];
} hol__touch_pair;

typedef enum hol__feature_kind { HOL__CORNER, HOL__EDGE, HOL__FACE, HOL__RIM } hol__feature_kind;

/* The corner at[0] of a shape, the edge from there to the corner at[1] (of a cylinder: its side),
 * or the face at[0]. The rim of a cylinder about its end at[0]: as a whole, or over a plane its
 * point at[1] of HOL__RIM_POINTS. */
typedef struct hol__feature {
    hol__feature_kind kind;
    int at[2];
} hol__feature;

/* Two features, of which one is a corner or both are edges. */
typedef struct hol__touch {
    hol__feature of[2];
    double sign; /* of e0 x e1 along n for edges; of the gap for a corner and no face */
    double weight;
    /* Edges that cross where two faces lie on each other: the faces, and those beyond the edges;
     * face[0] -1: they do not. */
    int face[2], beyond[2];
    /* It counts as far as these touches before it leave something over: times 1 - (p_k/p)^2. */
    int first, count;
    int slot; /* the same for the same corner, 0 for edges */
} hol__touch;

typedef struct hol__touch_point {
    hol__dual3 n, S[2], P;
    hol__dual p, weight;
    int bent; /* p' is more than the speed of approach at P: the place moves on slopes */
} hol__touch_point;

enum { HOL__TOUCHES = 160 };

/* Points of a rim over a plane: a square whose first corner is the lowest point of the rim, and an
 * octagon that is fixed to the body and takes over where no point is lowest. */
enum { HOL__RIM_SQUARE = 4, HOL__RIM_POINTS = 12 };

/* The touches of a pair where its bodies are: the nearest features, or all where they overlap.
 * Returns how many, 1 … HOL__TOUCHES. */
int hol__touch_find(const hol__touch_pair *pair, const hol__body_dual bodies[2], hol__touch *out);

/* The places of n touches. */
void hol__touch_points(const hol__touch_pair *pair, const hol__body_dual bodies[2],
                       const hol__touch *touches, int n, hol__touch_point *out);

/* Put balls around the shapes; and a lower bound of the gap from these, which costs a few products:
 * where it is positive nothing touches, and -INFINITY where there is none. */
void hol__touch_bound(hol__touch_pair *pair);
double hol__touch_apart(const hol__touch_pair *pair, const hol__body_dual bodies[2]);

/* How many slots a pair has. */
int hol__touch_slots(const hol__touch_pair *pair);

/* A body with its variation along its own motion; accelerations count as zero. */
void hol__touch_move(const hol__force_args *args, int body, hol__body_dual *out);

/* The row of the gap: force and moment about the mass centre (global) on both bodies for a unit
 * push, with their rates. The gap -p changes by row v, where bent is 0. */
void hol__touch_row(const hol__touch_point *at, const hol__body_dual bodies[2],
                    hol__dual3 row[2][2]);

/* touch_draw.c: tell an element whose bodies are set what its shapes look like. */
void hol__touch_draw(hol__build *build, hol__element *element, const hol__touch_pair *pair);

/* ---- between the files of touch ---- */

/* touch_clip.c: the touches of two shapes that overlap, appended to n others: `nearest` are their
 * nearest features and normal the direction from the first to the second. Returns their number. */
int hol__touch_manifold(const hol__touch_pair *pair, const hol__placed at[2],
                        const hol__touch *nearest, const double normal[3], hol__touch *out);

/* touch_rim.c: the touches of a cylinder with a half-space or a point; where a point of its rim
 * over the plane with the normal f is, how much it counts, and the point of the rim nearest to C.
 * */
int hol__touch_cylinder(const hol__touch_pair *pair, const hol__body_dual bodies[2],
                        hol__touch *out);
hol__dual3 hol__touch_rim_point(const hol__convex *core, const hol__body_dual *body,
                                const hol__feature *rim, hol__dual3 f, hol__dual *weight);
hol__dual3 hol__touch_rim_near(const hol__convex *core, const hol__body_dual *body, int end,
                               hol__dual3 C);

/* touch_near.c: the feature of a shape that is nearest to a point, and the nearest features of a
 * pair. */
hol__feature hol__touch_near(const hol__placed *at, const double x[3]);
hol__touch hol__touch_nearest(const hol__touch_pair *pair, const hol__placed at[2]);

/* Corner i as a global place; whether a face has a corner. */
void hol__touch_corner(const hol__placed *at, int i, double out[3]);
int hol__touch_face_has(const hol__convex *shape, int face, int corner);

#endif
