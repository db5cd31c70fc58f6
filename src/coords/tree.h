/* tree.h: relative coordinates: a spanning tree of the joint graph, its joint coordinates, and what
 * maps between them and the bodies.
 *
 * Every body hangs on its parent (ground or a body before it) by one link: a joint of the model, or
 * a free motion. A link lets the child's marker translate along axes of the parent's marker (move)
 * and turn (turn) about the parent's z axis, about both z axes (universal), or freely (ball: unit
 * quaternion, angular velocity in the child's marker):
 *
 *     R_c = R_p F1 R(turn) F2^T        P = r_p + R_p (s1 + F1 d),  r_c = P - R_c s2
 *
 * q and v of a link: d, then the turn. All other joints stay constraint rows: A = G J, c = c_G - G
 * J' v, with J the body velocities by v.
 *
 * Each velocity moves its body either along a vector s or about it through P, so that a wrench (f,
 * n about P) has the generalised force s . f or s . n: rows, forces and the composite-body mass
 * matrix are loops over these. [GJB 5.3; recursions as usual]
 *
 * Invariants:
 *   1. links are in topological order: parent < own index; ground is index n.
 *   2. work (one per hol_data) begins with n + 1 records of the recursion, ground last and zero.
 */
#ifndef HOL_COORDS_TREE_H
#define HOL_COORDS_TREE_H

#include "coords/coords.h"

typedef enum hol__turn_kind {
    HOL__TURN_NONE,
    HOL__TURN_AXIS,
    HOL__TURN_UNIVERSAL,
    HOL__TURN_BALL
} hol__turn_kind;
typedef enum hol__link_kind {
    HOL__LINK_REVOLUTE,
    HOL__LINK_PRISMATIC,
    HOL__LINK_GENERAL
} hol__link_kind;

typedef struct hol__link {
    int parent;            /* index of a link, or n */
    int body, parent_body; /* nb: ground */
    int q, v, nv;          /* first coordinate and velocity, how many velocities */
    unsigned char kind, move, turn, n_move;
    int joint;    /* of the model, -1: free */
    int reversed; /* the joint's first body is the child */
    double pitch; /* a screw: displacement along the axis per radian; else 0 */
} hol__link;

/* Numbers of a link in the plane and in space. */
typedef struct hol__link2 {
    double s1[2], s2[2], offset; /* theta_c = theta_p + offset (+ q) */
    double e[2];                 /* x axis of the marker on the parent */
    double mass, inertia;
} hol__link2;

typedef struct hol__link3 {
    double s1[3], s2[3], f1[4], f2c[4]; /* f2c: conjugate of f2 */
    double F1[9], F2[9];
    double mass, JP[6]; /* inertia about P in the body frame: xx xy xz yy yz zz */
} hol__link3;

/* A body slot of a record, and the links from it to the root. */
typedef struct hol__slot {
    int body, link, at; /* at: block within a row of G */
    int path, n_path;
} hol__slot;

typedef struct hol__tree_step {
    int link, at; /* column place within a row of A of the link's first velocity */
    int first;    /* no other path of the record came here before */
} hol__tree_step;

/* A record of constraints. */
typedef struct hol__map {
    int row, n_rows;
    int G, stride;     /* values in G */
    int A, width;      /* values in A */
    int slot, n_slots; /* moving bodies */
    int n_bodies;      /* ground included */
    int turning;       /* all links on its paths are revolute */
} hol__map;

typedef struct hol__tree {
    int n;
    hol__link *links;
    hol__link2 *links2;
    hol__link3 *links3;
    int *of_body;  /* link by body */
    int *of_joint; /* link by joint, -1 where the joint is not in the tree */
    int plain;     /* no quaternions: increments are plain sums */
    int turning;   /* all links are revolute */
    int work;      /* doubles */
    int n_maps;
    hol__map *maps;
    hol__slot *slots;
    hol__tree_step *steps;
    int places; /* where in work the places of M begin (hol__tree_places) */
} hol__tree;

/* Directions, as bits of what a joint locks or leaves. */
enum { HOL__X = 1, HOL__Y = 2, HOL__Z = 4, HOL__RX = 8, HOL__RY = 16, HOL__RZ = 32 };

int hol__count_bits(unsigned bits);

/* Whether the model can use a joint as a link, and how it moves. */
int hol__link_motion(const hol_model *model, const hol__element *joint, unsigned *move,
                     hol__turn_kind *turn);

/* Whether every joint can be a link and no loop is closed: then relative coordinates have no
 * constraints at all. */
int hol__tree_is_open(hol_model *model);

/* Choose the tree alone: links, of_body and of_joint; counts coordinates. */
hol_status hol__tree_span(hol_model *model, const unsigned char *cut);

/* Choose the tree (cut: joints that must stay constraints, by index, may be NULL), take its joints
 * out of the constraint records, count coordinates. */
hol_status hol__tree_new(hol_model *model, const unsigned char *cut);

/* After the rows have been placed in G: the pattern of A and the maps; how many entries the rows of
 * M have; and in which columns. */
hol_status hol__tree_rows(hol_model *model);
hol_status hol__tree_mass(hol_model *model);
void hol__tree_mass_pattern(const hol_model *model, double *work, int *idx);

/* Whether link i is on the path of link j to the root, j itself included. */
int hol__tree_carries(const hol__tree *tree, int i, int j);

/* Gravity and velocity-dependent inertia terms of the bodies (coords.h). */
double hol__tree_inertia(const hol_model *model, const hol__bodies *bodies, double *load);

/* M is filled row by row from the left, in pairs of velocities: each with those of its own link up
 * to itself, then with those of the links up to the root. next: the place of the next entry of each
 * row, at the start that of its first. */
int *hol__tree_places(const hol_model *model, double *work);

static inline void hol__put_pair(int *next, int i, int j, double x, double *M) {
    M[next[i]++] = x;
    if (i != j) M[next[j]++] = x;
}

/* Doubles of work, as the set of coordinates said with the mass matrix. */
int hol__tree_work(const hol_model *model);

/* Whether rows whose multipliers are not unique (undetermined, by row) load the link. */
int hol__tree_unique(const hol_model *model, int link, const unsigned char *undetermined);

/* Whether M by its root is cheaper than by its entries where m rows close the tree. */
int hol__tree_prefers_root(const hol_model *model);

/* Increments of joint coordinates. */
void hol__tree_plus(const hol_model *model, const double *q, const double *d, double *out);
void hol__tree_minus(const hol_model *model, const double *a, const double *b, double *d);
void hol__tree_rate(const hol_model *model, const double *d, const double *v, double *ddot);
int hol__tree_rotations(const hol_model *model, int *first);

/* Take full turns out of joint angles that made several (not of screws); in the plane the bodies
 * keep them. */
void hol__tree_wrap(const hol_model *model, double *q, hol__bodies *bodies);

/* The maps of dynamics (coords.h) in the plane or in space, and the pattern of M with the size of
 * work. */
#define HOL__TREE_DYNAMICS(space)                                                                  \
    void hol__##space##_forces(const hol_model *model, const hol__bodies *bodies, double *work,    \
                               const double *load, double *Q);                                     \
    void hol__##space##_mass_at(const hol_model *model, const hol__bodies *bodies, double *work,   \
                                double *M);                                                        \
    void hol__##space##_momentum_rate(const hol_model *model, const hol__bodies *bodies,           \
                                      double *work, double *out);                                  \
    hol_status hol__##space##_solve(const hol_model *model, const hol__bodies *bodies,             \
                                    double *work, const double *load, double *a);                  \
    int hol__##space##_root_size(const hol_model *model);                                          \
    hol_status hol__##space##_root(const hol_model *model, const hol__bodies *bodies,              \
                                   double *work, double *root);                                    \
    void hol__##space##_root_lower(const hol_model *model, double *root, double *x);               \
    void hol__##space##_root_upper(const hol_model *model, double *root, double *x);               \
    void hol__##space##_root_times(const hol_model *model, double *root, const double *x,          \
                                   double *y);                                                     \
    void hol__##space##_mass_diagonal(const hol_model *model, const hol__bodies *bodies,           \
                                      double *work, double *out);                                  \
    void hol__##space##_accelerations(const hol_model *model, const hol__bodies *bodies,           \
                                      double *work, const double *a, double *acc);                 \
    void hol__##space##_reactions(const hol_model *model, const hol__bodies *bodies, double *work, \
                                  const double *acc, const double *load, double *out);             \
    hol_status hol__##space##_mass(hol_model *model)

/* The entries of their tables: own functions under their usual names, and those above. */
#define HOL__TREE_MAPS(space)                                                                      \
    .choose = hol__tree_new, .lay_rows = hol__tree_rows, .work_size = hol__tree_work,              \
    .from_bodies = from_bodies, .rows = rows, .rows_rate = rows_rate, .bias = bias,                \
    .forces = hol__##space##_forces, .mass_pattern = hol__tree_mass_pattern,                       \
    .mass_at = hol__##space##_mass_at, .momentum_rate = hol__##space##_momentum_rate,              \
    .solve = hol__##space##_solve, .accelerations = hol__##space##_accelerations,                  \
    .reactions = hol__##space##_reactions, .mass_diagonal = hol__##space##_mass_diagonal,          \
    .root_size = hol__##space##_root_size, .root = hol__##space##_root,                            \
    .root_lower = hol__##space##_root_lower, .root_upper = hol__##space##_root_upper,              \
    .root_times = hol__##space##_root_times
#define HOL__TREE_COORDS(space)                                                                    \
    .start = hol__start_drawn, .poses = poses, .twists = twists, .plus = hol__tree_plus,           \
    .minus = hol__tree_minus, .rate = hol__tree_rate, .rotations = hol__tree_rotations,            \
    .wrap = hol__tree_wrap, .mass = hol__##space##_mass, .inertia = hol__tree_inertia

extern const hol__coords hol__coords_relative_planar, hol__coords_relative_spatial;

#endif
