/* coords.h: a set of coordinates: how q and v describe the bodies.
 *
 *     q (+) d      adds an increment from the space of v (plain addition,
 *                  or the exponential map for unit quaternions)
 *     d'           = rate(d, v): of an increment along a motion that started at q (equal to v where
 *                  d = 0)
 *     M(q) v' + A^T lambda = Q, with the inertia terms that depend on velocity in Q
 *
 * Elements work in body space: rows G over the velocities of the bodies, wrenches (load) on the
 * bodies. In reference-point coordinates these are A and Q themselves. Relative coordinates map
 * them, with the body velocities J v:
 *
 *     A = G J     c = c_G - G J' v     Q = J^T (load - M_b J' v)     M = J^T M_b J
 *     M_b: masses and inertias of the bodies
 *
 * work: numbers of the set's own, made by poses and twists and read by the maps.
 */
#ifndef HOL_COORDS_COORDS_H
#define HOL_COORDS_COORDS_H

#include "base/option.h"
#include "model/model.h"

typedef struct hol__variation hol__variation; /* coords/variation.h */

/* Whether n rows from the first on are spared altogether. */
static inline int hol__is_spared(const unsigned char *spared, int first, int n) {
    for (int k = 0; spared && k < n; k++)
        if (!spared[first + k]) return 0;
    return spared != NULL;
}

/* The maps of coordinates that are not those of the bodies. bodies: their poses and velocities.
 * What a set cannot or need not do is NULL. */
typedef struct hol__maps {
    /* Choose the unknowns: nq, nv and turn of the model; joints that the unknowns hold by
     * themselves leave the constraint records. cut: joints that must stay constraints, by index,
     * may be NULL. */
    hol_status (*choose)(hol_model *model, const unsigned char *cut);
    /* How many holonomic rows the unknowns need among themselves (they follow those of the joints),
     * and their names. */
    int (*count_own)(const hol_model *model);
    hol_row (*own_row)(const hol_model *model, int i);
    /* The body that such a row belongs to. */
    int (*own_body)(const hol_model *model, int i);
    /* The pattern of A, after the rows have been placed in G. */
    hol_status (*lay_rows)(hol_model *model);
    /* How many doubles work takes. */
    int (*work_size)(const hol_model *model);
    /* q and v of bodies in these poses with these velocities, where the joints of the tree are
     * closed (else near to it). */
    void (*from_bodies)(const hol_model *model, const hol__bodies *bodies, double *q, double *v);
    /* A = G J. Here and below rows that are spared (NULL: none) may be left as they are, those of
     * records that are spared altogether are. */
    void (*rows)(const hol_model *model, const hol__bodies *bodies, const double *work,
                 const double *G, const unsigned char *spared, double *A);
    /* A' = G' J + G J'. */
    void (*rows_rate)(const hol_model *model, const hol__bodies *bodies, const double *work,
                      const double *G, const double *Gdot, const unsigned char *spared,
                      double *Adot);
    /* c <- c - G J' v. */
    void (*bias)(const hol_model *model, const hol__bodies *bodies, const double *work,
                 const double *G, const unsigned char *spared, double *c);
    /* Own rows: Phi and A from q, b and c from v, A' from v. */
    void (*own_position)(const hol_model *model, const double *q, double *Phi, double *A);
    void (*own_bias)(const hol_model *model, const double *v, double *b, double *c);
    void (*own_rate)(const hol_model *model, const double *v, double *Adot);
    /* Q = J^T (load - M_b J' v). */
    void (*forces)(const hol_model *model, const hol__bodies *bodies, double *work,
                   const double *load, double *Q);
    /* The columns of M by rows, as many as M.ptr of the model says; NULL where M is constant. */
    void (*mass_pattern)(const hol_model *model, double *work, int *idx);
    /* The values of M; NULL where they are constant. */
    void (*mass_at)(const hol_model *model, const hol__bodies *bodies, double *work, double *M);
    /* out += M' v; NULL where M is constant. */
    void (*momentum_rate)(const hol_model *model, const hol__bodies *bodies, double *work,
                          double *out);
    /* M a = Q in time proportional to the number of bodies; > 0 where M is singular. NULL: by the
     * kernels. */
    hol_status (*solve)(const hol_model *model, const hol__bodies *bodies, double *work,
                        const double *load, double *a);
    /* M = L L^T by what L does (la/root.h): how many doubles it takes; made, > 0 where M is
     * singular; x <- L^-1 x, x <- L^-T x, y = M x; and the diagonal of M. NULL: by its entries. */
    int (*root_size)(const hol_model *model);
    hol_status (*root)(const hol_model *model, const hol__bodies *bodies, double *work,
                       double *root);
    void (*root_lower)(const hol_model *model, double *root, double *x);
    void (*root_upper)(const hol_model *model, double *root, double *x);
    void (*root_times)(const hol_model *model, double *root, const double *x, double *y);
    void (*mass_diagonal)(const hol_model *model, const hol__bodies *bodies, double *work,
                          double *out);
    /* acc = J a + J' v, for all bodies and ground. */
    void (*accelerations)(const hol_model *model, const hol__bodies *bodies, double *work,
                          const double *a, double *acc);
    /* What the child of each link receives from its joint when the bodies move with acc under load:
     * force and moment (global) about the point P of the link, six numbers a link. NULL: reactions
     * are those in reference-point coordinates at the same state. */
    void (*reactions)(const hol_model *model, const hol__bodies *bodies, double *work,
                      const double *acc, const double *load, double *out);
    /* Tangents. The velocities that move a body into list (NULL: only counted); returns how
     * many. */
    int (*movers)(const hol_model *model, int body, int *list);
    /* How many doubles the work of a variation takes; and the variation at q, v, a, where work is
     * that of twists. */
    int (*variation_size)(const hol_model *model);
    void (*vary)(const hol_model *model, const hol__bodies *bodies, const double *work,
                 const double *q, const double *v, const double *a, hol__variation *out);
    /* Wrenches w on the bodies for bend: column += d(J^T w)/dq_j at fixed w, after vary. */
    void (*hold)(const hol_model *model, const hol__bodies *bodies, const double *w,
                 hol__variation *variation);
    void (*bend)(const hol_model *model, const hol__variation *variation, int j, double *column);
    /* out = J^T w for all bodies at once; NULL: pair by pair. */
    void (*pull)(const hol_model *model, const hol__bodies *bodies, const double *w,
                 hol__variation *variation, double *out);
    /* K -= d(A^T lambda)/dq of the own rows. */
    void (*own_bend)(const hol_model *model, const double *lambda, hol__csr *K);
} hol__maps;

struct hol__coords {
    const char *name;
    const char *title;
    hol_space space;
    int nq_body,
        nv_body; /* 0 where the number of coordinates does not follow from that of the bodies */
    /* q and v of the bodies as drawn. */
    void (*start)(const hol_model *model, double *q, double *v);
    /* Positions of the bodies from q; velocities from v. */
    void (*poses)(const hol_model *model, const double *q, hol__bodies *bodies, double *work);
    void (*twists)(const hol_model *model, const double *v, hol__bodies *bodies, double *work);
    /* out = q (+) d, and d = a (-) b. */
    void (*plus)(const hol_model *model, const double *q, const double *d, double *out);
    void (*minus)(const hol_model *model, const double *a, const double *b, double *d);
    void (*rate)(const hol_model *model, const double *d, const double *v, double *ddot);
    /* Each rotation has three velocities in a row, whose rates depend on the increments of the two
     * others: the first of each (room for nv / 3 of them; NULL: count), ascending; how many. NULL
     * where all rates are v. */
    int (*rotations)(const hol_model *model, int *first);
    /* Take full turns out of the angles in q and keep them in the bodies, so that rounding does not
     * grow with the turns made; NULL where q has no such angles. */
    void (*wrap)(const hol_model *model, double *q, hol__bodies *bodies);
    /* The pattern and (where they are constant) values of M, into the arena of the model. */
    hol_status (*mass)(hol_model *model);
    /* load = gravity and velocity-dependent inertia terms of the bodies (overwrites, ground
     * included); returns the potential of gravity. */
    double (*inertia)(const hol_model *model, const hol__bodies *bodies, double *load);
    const hol__maps *maps; /* NULL: v are the velocities of the bodies */
};

/* The sets of reference-point coordinates, one file each. */
/* The members that every set has, as functions of their file under these names. */
#define HOL__COORDS_OWN                                                                            \
    .start = start, .poses = poses, .twists = twists, .plus = plus, .minus = minus, .rate = rate,  \
    .mass = mass, .inertia = inertia

extern const hol__coords hol__coords_planar, hol__coords_spatial;

/* Rows of the records in the model and of the coordinates among themselves: their number, places,
 * names, and the patterns of G and A. first_own: the first row of the latter. */
hol_status hol__lay_rows(hol_model *model, int *first_own);

/* The i-th set, NULL past the end. */
const hol__coords *hol__coords_get(int i);

/* The largest |M_ij| in reference-point coordinates: what penalties count against, in all
 * coordinates. */
double hol__largest_mass(const hol_model *model);

/* The drawn poses and velocities of the bodies as they stand in the model. */
void hol__drawn_bodies(const hol_model *model, hol__bodies *bodies);

/* q and v of the bodies as drawn, by from_bodies. */
void hol__start_drawn(const hol_model *model, double *q, double *v);

/* T = 1/2 v^T M v where M is constant. */
double hol__kinetic(const hol_model *model, const double *v);

/* Tracked angle i at these poses, and all of them: 0 as drawn and counted over full turns; in space
 * each is the one nearest to its value in last. */
double hol__angle_at(const hol_model *model, int i, const hol__bodies *bodies, double last,
                     double *scratch);
void hol__angles_update(const hol_model *model, const hol__bodies *bodies, const double *last,
                        double *scratch, double *angles);

/* The option that chooses a set. */
extern const hol__option_rows hol__coords_options;

#endif
