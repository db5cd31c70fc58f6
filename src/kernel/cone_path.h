/* cone_path.h: the path along which a contact problem is solved. Shared by the files cone*.c.
 *
 * The pairs (z, w) that a contact allows form a surface without holes or edges, made of pieces:
 *
 *     open      z = 0, w_N >= 0, w_T free
 *     sliding   w_N = 0, w_T = s u, z = z_N (1, -mu u),  z_N >= 0, s >= 0, |u| = 1
 *     sticking  w = 0, |z_T| <= mu z_N
 *
 * Across each edge of a piece (w_N = 0, z_N = 0, s = 0, |z_T| = mu z_N) lies one other. The
 * solutions of w = G z + b + t c on this surface are curves. One begins with all contacts open at
 * large t and is followed to t = 0.
 *
 * Unknowns y: z_N of a sliding contact, with the angle of u where that turns; z of a sticking
 * one; t last. Equations H(y) = 0: w_N = 0, with w_T u_perp = 0 where u turns; w = 0.
 */
#ifndef HOL_KERNEL_CONE_PATH_H
#define HOL_KERNEL_CONE_PATH_H

#include "kernel/cone.h"
#include "la/cod.h"
#include "la/dense.h"

typedef struct hol__cone_part {
    int first, across;
    int coulomb; /* sticks or slides; otherwise z_T = -mu z_N u with a given u */
    double mu;
    hol__cone_state state;
    double u[2], angle;
    double s; /* where u turns: the speed along it */
    double s_before, ds;
    int at; /* its first unknown */
} hol__cone_part;

/* An edge of a piece, by the number that is 0 there. */
typedef enum hol__cone_edge {
    HOL__EDGE_GAP,   /* w_N */
    HOL__EDGE_PUSH,  /* z_N */
    HOL__EDGE_SPEED, /* s = w_T u */
    HOL__EDGE_CONE,  /* mu z_N - |z_T| */
    HOL__EDGE_END,   /* t */
} hol__cone_edge;

typedef struct hol__cone_mark {
    hol__cone_edge edge;
    int part;
} hol__cone_mark;

typedef struct hol__cone_path {
    int n, m, p;      /* contacts, rows, unknowns besides t */
    const double *G;  /* m x m */
    double *b, *c;    /* m */
    double *z, *w, t; /* where the path is */
    double *y, *dy;   /* p + 1: the unknowns and the direction of the path */
    double *dz, *dw;  /* the direction, in z and w */
    double *before, *rhs, *border, *kept;
    double *terms, size; /* the sums of the terms of w, and the largest */
    hol__cone_mark mark; /* the edge it stands on */
    int lands;           /* whether it stands on one */
    hol__cone_part *part;
    hol__lu *lu;
} hol__cone_path;

struct hol__cone {
    int most_n, most_m;
    hol__cone_path path;
    hol__cod *cod;
    double *G, *scale; /* scaled; D */
    double *best;      /* z with the smallest residual so far */
    double *Z, *V;     /* directions in which z may change, and those that leave w as it is */
    int *free;         /* how a contact may change */
};

/* ---- cone_residual.c ---- */

enum { HOL__CONE_EXACT = 4 }; /* eps: a residual that cannot become smaller */

/* |v| of tangential rows. */
double hol__cone_length(int across, const double *v);

/* The largest diagonal entry of G among `count` rows from first. */
double hol__cone_diagonal(const double *G, int m, int first, int count);

/* The states, where `share` of the terms of w counts as 0; v: room for m numbers. What would begin
 * to slide in space no faster than rounding in the direction of its friction explains sticks. */
void hol__cone_states(int n, const hol__cone_contact *contacts, int m, const double *G,
                      const double *b, const double *z, const double *w, double share, double *v,
                      hol__cone_state *state);

/* ---- cone_chart.c ---- */

/* Whether u is sought in a plane. */
int hol__cone_turns(const hol__cone_part *part);

/* Number the unknowns of the pieces, and take their values from z and t. */
void hol__cone_lay(hol__cone_path *path);

/* z, w, t, u and the size of the terms from the unknowns. */
void hol__cone_place(hol__cone_path *path);

/* The number of an edge. */
double hol__cone_edge_value(const hol__cone_path *path, hol__cone_mark mark);

/* border <- the derivative of that number by the unknowns. */
void hol__cone_edge_row(const hol__cone_path *path, hol__cone_mark mark, double *border);

/* r (p) <- H. */
void hol__cone_equations(const hol__cone_path *path, double *r);

/* The terms of the w of contact i: those of its largest row. */
double hol__cone_terms(const hol__cone_path *path, int i);

/* The largest |r| as a share of the terms of its contact. */
double hol__cone_error(const hol__cone_path *path, const double *r);

/* lu->a <- [dH/dy; border], or dH/dy without t where border is NULL. */
void hol__cone_matrix(hol__cone_path *path, const double *border);

/* dz, dw <- the changes of z and w along dy. */
void hol__cone_rates(hol__cone_path *path, const double *dy);

/* s <- u w_T where u turns. */
void hol__cone_speeds(hol__cone_path *path);

/* Whether u w_T = s to this size, where u turns. */
int hol__cone_speeds_agree(const hol__cone_path *path, double size);

/* s <- u (w_T + dw_T) where u turns, before y takes the step dy. Overwrites dz and dw. */
void hol__cone_foresee(hol__cone_path *path, const double *dy);

/* ---- cone_path.c ---- */

typedef enum hol__cone_way {
    HOL__WAY_ENDED,  /* at t = 0 */
    HOL__WAY_PAUSED, /* at or below the t that was asked for */
    HOL__WAY_LOST,   /* on a ray, or where no step succeeds */
} hol__cone_way;

/* Go to where the path of c begins. */
void hol__cone_start(hol__cone_path *path);

/* Follow the path until t is at most this. */
hol__cone_way hol__cone_follow(hol__cone_path *path, double until);

/* The share of dz at which z leaves the cone mu z_N >= |z_T|, at most 1. */
double hol__cone_step(int across, double mu, const double *z, const double *dz);

/* ---- cone_settle.c ---- */

/* Newton's iteration for H = 0 at t = 0 within the present pieces, each step the shortest one
 * with singular directions below the tolerance left out. */
void hol__cone_settle(hol__cone_path *path, hol__cod *cod, double tolerance);

/* ---- cone_spread.c ---- */

/* z (in the units of the caller) <- nearer to the z of least norm that has the same w, within the
 * cones. The directions u of sliding contacts are those of the path. */
void hol__cone_spread(hol__cone *cone, const hol__cone_contact *contacts,
                      const hol__cone_state *state, double *z);

#endif
