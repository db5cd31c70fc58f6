/* static_system.h: the equations of equilibrium at a state, over the motions that the constraints
 * leave.
 *
 *     Q(q, v) - A^T lambda = 0      Phi(q, t) = 0      r(q, v, z) = 0       v = 0
 *
 * A u = 0 for all u = Z x: virtual displacements. With the displacements of the bodies
 * B u = (r, length times rotation) of all of them, Z is chosen so that (B Z)^T B Z = 1:
 *
 *     f = Z^T Q     H = -Z^T K Z,  K = d(Q - A^T lambda)/dq        f in N, H in N/m
 *
 * f and the eigenvalues of H do then not depend on the coordinates that are used. All rows of A
 * count, those of rolling too: they carry forces at rest. Positions stay on Phi = 0: a step moves
 * along Z x and is closed again by the smallest displacement.
 *
 * In a steady motion the frame that carries the bodies (carrier.h) gives each position its
 * velocities and accelerations, v(q) and a(q), and the forces of inertia count (static_carried.c):
 *
 *     f = Z^T (Q - M a)      H = -Z^T d(Q - M a - A^T lambda)/dq Z,  v(q) and a(q) following q
 *
 * Dense: a state costs some nv m^2 operations.
 */
#ifndef HOL_ANALYSIS_STATIC_SYSTEM_H
#define HOL_ANALYSIS_STATIC_SYSTEM_H

#include "analysis/carrier.h"
#include "dyn/tangent.h"
#include "la/cod.h"

typedef struct hol__static {
    hol_data *data; /* whose state moves */
    const hol_model *model;
    hol__arena arena;
    hol__tangent *tangent;
    int n;         /* freedoms: columns of Z */
    int rank;      /* of A */
    int n_body;    /* rows of B: bw a body */
    double force;  /* N: the largest force or torque over length that a body has met */
    double *B;     /* n_body x nv, by columns as all matrices here */
    double *scale; /* nv: the norm of each column of B, at least that of a unit of its own */
    double *row;   /* m: the norm of each row of A over scaled directions */
    double *Z;     /* nv x n */
    double *load;  /* nv: Q, less M a in a steady motion */
    double *f;     /* n */
    double *H;     /* n x n */
    double *Qz;    /* n x n_aux: Z^T dQ/dz */
    double *Rq;    /* n_aux x n: dr/dq Z */
    double *Rz;    /* n_aux x n_aux: dr/dz */
    double *rate;  /* n_aux: r */
    double mass;   /* kg: of all bodies */
    /* n_aux: 1 for a state of a driver, whose position it is: it stays, and has no rate here */
    unsigned char *held;
    double *lambda; /* m: of A^T lambda nearest to Q, zero in dependent rows */
    double *q, *z;  /* the state before the last step */
    hol__qrp *qr;   /* of A^T with directions and rows scaled; NULL without constraints */
    hol__eigh *eigh;
    const struct hol__static_gaps *gaps; /* that steps must not pass (static_contact.h), or NULL */
    int met;                             /* a step ended where one of them closed */
    const hol__carrier *carrier;         /* of a steady motion, or NULL: all rests */
    hol__cod *motion;                    /* with a carrier: of B Z */
    double *a, *ride, *rows;             /* with a carrier: nv, the accelerations there; room */
    double astray; /* how far the mechanism is from its velocities, over the fastest */
    double *KZ, *C, *gram, *step, *right, *part, *lift; /* scratch */
} hol__static;

/* For states of this data; frees with NULL too. */
hol_status hol__static_new(hol_data *data, hol__static **out);
void hol__static_free(hol__static *s);

/* Z, f and lambda at the state in data; > 0 where something is not finite. */
hol_status hol__static_evaluate(hol__static *s);

/* H, Qz and Rq there. */
hol_status hol__static_stiffness(hol__static *s);

/* The state in data belongs to a steady motion that this frame carries from here on; NULL: all
 * rests. The carrier stays the caller's. */
hol_status hol__static_ride(hol__static *s, const hol__carrier *carrier);

/* v and a of the carrier at the position in data, with B and Z of it; evaluate does it. */
hol_status hol__static_carry(hol__static *s);

/* The fastest rate of the carrier, in radians and lengths of the mechanism a second. */
double hol__static_turning(const hol__static *s);

/* out (nv) = d(Q - M a - A^T lambda) for a change dq of the position, and the rates of the states
 * (n_aux, NULL: not made) with what v does to them, after the tangent at the state is up to date.
 * */
void hol__static_change(hol__static *s, const double *dq, double *out, double *rate);

/* Move by Z x (and states by dz, NULL: none) and close the joints; > 0 where that fails. The state
 * before is kept, and goes back into data. */
hol_status hol__static_move(hol__static *s, const double *x, const double *dz);
void hol__static_back(hol__static *s);

/* Move by a displacement u of all coordinates, wherever it leads, and close the joints. */
hol_status hol__static_shift(hol__static *s, const double *u);

/* u with A u = r (m numbers) in the independent rows: the smallest one. */
void hol__static_solve_rows(hol__static *s, const double *r, double *u);

/* u with A u = -Phi in holonomic rows (mh numbers), 0 in the others: the smallest one. */
void hol__static_lift(hol__static *s, const double *Phi, double *u);

/* The state is one to go on from: full turns are counted from there. */
void hol__static_accept(hol__static *s);

/* The displacements of the bodies B u of a virtual displacement x, into out (n_body); the largest
 * of a body. */
void hol__static_displace(const hol__static *s, const double *x, double *out);
double hol__static_farthest(const hol__static *s, const double *x);

/* The coordinates x of the displacement from the state before to this one, as it is seen here. */
void hol__static_last_step(hol__static *s, double *x);

/* The coordinates x of the virtual displacement nearest to u. */
void hol__static_seen(hol__static *s, const double *u, double *x);

/* "body 'rod' turns about z, body 'slider' moves along [1, 0, 0]": the bodies that move most. */
void hol__static_tell(const hol__static *s, const double *x, char *text, size_t size);

/* The body that moves most, by its index. */
int hol__static_most(const hol__static *s, const double *x);

/* What H, and so an eigenvalue, is made of along x: sum |Z x|_i |K_ij| |Z x|_j, and at least the
 * largest force over the length of the mechanism, as turning it does, and what makes the whole mass
 * swing once in a minute. */
double hol__static_terms(const hol__static *s, const double *x);

#endif
