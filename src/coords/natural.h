/* natural.h: natural coordinates: points and unit vectors that the bodies share at their joints.
 * [GJB ch. 4; FORMULATIONS 8b]
 *
 * An item is a point or a unit vector. Free items are the unknowns, dim numbers each, v = q'; fixed
 * ones belong to ground. A body is carried by items: a base point and legs (item - base for a
 * point, the item itself for a vector):
 *
 *     point mass   base
 *     plane        base, one leg
 *     space        base, three legs
 *
 * Every point of the body is a linear combination of its items, hence M is constant and there are
 * no velocity-dependent forces. Rigid bodies need own constraint rows among their items:
 *
 *     Phi = sigma (d_a . d_b - kappa) = 0,     d: legs of one body,  sigma: makes the row a length
 *
 * A joint whose points and directions are items of both its bodies holds by itself and has no rows;
 * all others keep their rows over the bodies (coords.h), with poses from the base and the first leg
 * (plane) or two legs (space) made orthonormal, which are exact functions of q on and off the
 * constraints.
 *
 * Invariants:
 *   1. items are in the order free, fixed; free item i has coordinates dim i … in q.
 *   2. legs of a body in the body frame are linearly independent, lengths of vectors are 1.
 */
#ifndef HOL_COORDS_NATURAL_H
#define HOL_COORDS_NATURAL_H

#include "coords/coords.h"

enum { HOL__MAX_ITEMS = 4 };

typedef struct hol__item {
    int vector;
    int body;        /* one that carries it (nb: ground) … */
    double local[3]; /* … and where: from its mass centre, or the direction, in the body frame */
} hol__item;

/* A body by its items. */
typedef struct hol__carried {
    int n, item[HOL__MAX_ITEMS];   /* base first */
    int by_point[HOL__MAX_ITEMS];  /* leg k is item - base */
    double leg[HOL__MAX_ITEMS][3]; /* in the body frame, 1 … n - 1 */
    double s[3];                   /* mass centre from the base, body frame */
    double E[9]; /* columns: legs 1 and 2 made orthonormal, and their cross product */
} hol__carried;

/* An own row: legs a and b of a body. */
typedef struct hol__rigid {
    int body, a, b;
    double sigma, kappa;
    int at[3]; /* places in the row of A: base, item a, item b; -1: fixed (b also where a == b) */
} hol__rigid;

/* A body slot of a record: its block within a row of G, and the places in a row of A of base, leg
 * 1, leg 2 (-1: fixed). */
typedef struct hol__item_slot {
    int body, at, place[3];
} hol__item_slot;

/* A record of constraints. */
typedef struct hol__item_map {
    int row, n_rows;
    int G, stride, A, width;
    int slot, n_slots;
} hol__item_map;

typedef struct hol__items {
    int n_free, n_items;
    hol__item *items;
    double *fixed;            /* values of the fixed items, three each */
    hol__carried *carried;    /* by body */
    int n_rigid, first_rigid; /* own rows; the first in the system */
    hol__rigid *rigid;
    int n_maps;
    hol__item_map *maps;
    hol__item_slot *slots;
} hol__items;

/* The items and what carries each body; joints that hold by themselves leave the records; counts of
 * coordinates. */
hol_status hol__items_choose(hol_model *model, const unsigned char *cut);

/* Own rows, and the pattern of A. */
int hol__items_count_own(const hol_model *model);
hol_row hol__items_own_row(const hol_model *model, int i);
int hol__items_own_body(const hol_model *model, int i);
hol_status hol__items_lay_rows(hol_model *model);
void hol__items_own_position(const hol_model *model, const double *q, double *Phi, double *A);
void hol__items_own_bias(const hol_model *model, const double *v, double *b, double *c);
void hol__items_own_rate(const hol_model *model, const double *v, double *Adot);

/* How the items feel what acts on a body; one for the plane and one for space. */
typedef struct hol__pulls {
    /* A row or wrench g of a body over its base, leg 1 and leg 2: J^T g. */
    void (*pull)(const hol_model *model, int body, const hol__bodies *bodies, const double *work,
                 const double *g, double out[3][3]);
    /* The rate of it, with the rate gdot of g. */
    void (*pull_rate)(const hol_model *model, int body, const hol__bodies *bodies,
                      const double *work, const double *g, const double *gdot, double out[3][3]);
    /* J' v of the body. */
    const double *(*bias_of)(const hol_model *model, int body, const double *work);
} hol__pulls;

extern const hol__pulls hol__pulls_planar, hol__pulls_spatial;

/* The maps of rows and forces, by these. */
void hol__items_rows(const hol_model *model, const hol__bodies *bodies, const double *work,
                     const double *G, const unsigned char *spared, double *A);
void hol__items_rows_rate(const hol_model *model, const hol__bodies *bodies, const double *work,
                          const double *G, const double *Gdot, const unsigned char *spared,
                          double *Adot);
void hol__items_bias(const hol_model *model, const hol__bodies *bodies, const double *work,
                     const double *G, const unsigned char *spared, double *c);
void hol__items_forces(const hol_model *model, const hol__bodies *bodies, double *work,
                       const double *load, double *Q);

/* Pattern and values of M. */
hol_status hol__items_mass(hol_model *model);

/* Increments are plain sums. */
void hol__items_plus(const hol_model *model, const double *q, const double *d, double *out);
void hol__items_minus(const hol_model *model, const double *a, const double *b, double *d);
void hol__items_rate(const hol_model *model, const double *d, const double *v, double *ddot);

/* Where item i stands among q; and among velocities or accelerations, where fixed items have
 * zeros. */
static inline const double *hol__item_place(const hol_model *model, const double *q, int i) {
    const hol__items *nat = model->items;
    return i < nat->n_free ? q + model->dim * i : nat->fixed + 3 * (i - nat->n_free);
}

static inline const double *hol__item_rate(const hol_model *model, const double *v, int i) {
    static const double zero[3] = {0, 0, 0};
    return i < model->items->n_free ? v + model->dim * i : zero;
}

extern const hol__coords hol__coords_natural_planar, hol__coords_natural_spatial;

#endif
