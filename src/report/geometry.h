/* geometry.h: what there is to draw of a mechanism, for pages and pictures alike: shapes of bodies,
 * symbols of joints, what is stretched between bodies, roads, and how large it all is. */
#ifndef HOL_REPORT_GEOMETRY_H
#define HOL_REPORT_GEOMETRY_H

#include "report/movie.h"

/* How a joint is drawn. */
typedef enum hol__joint_symbol {
    HOL__SYMBOL_NONE, /* it has no place of its own, or is none that the user made */
    HOL__SYMBOL_PIN,
    HOL__SYMBOL_BALL,
    HOL__SYMBOL_CROSS,
    HOL__SYMBOL_SLIDE,  /* a rail, and a block on it */
    HOL__SYMBOL_SLEEVE, /* the same, round */
    HOL__SYMBOL_TRACK,  /* a point on a rail */
    HOL__SYMBOL_WELD,
    HOL__SYMBOL_LINK,     /* a massless rod between the two points */
    HOL__SYMBOL_CYLINDER, /* a hydraulic cylinder between them: a driven distance */
    HOL__SYMBOL_CURVE,    /* a point or a follower on a curve */
    HOL__SYMBOL_POINT     /* anything else that holds at a point */
} hol__joint_symbol;

/* The word that the page knows it by. */
const char *hol__symbol_name(hol__joint_symbol symbol);

/* A joint as it is drawn. Rails: on which of the two bodies the rail is, where the block stands on
 * the other one, and how far it goes along the axis, from the point of the rail. */
typedef struct hol__mark {
    hol__joint_symbol symbol;
    int rail; /* 0 or 1 */
    double block[3];
    double low, high;
} hol__mark;

/* A body: what it is drawn as, in its frame. */
typedef struct hol__outline {
    int n_points; /* where it is held, and which its description names */
    double *points;
    int n_plate; /* planar: corners of an area, below the bars */
    double *plate;
    int given; /* the shapes are those of the model */
    int n_shapes, capacity;
    hol_shape *shapes; /* all that is drawn; lengths that a model leaves open are filled in */
    int behind;        /* planar: drawn below what is made of bars */
    double label[3];   /* where its name belongs: the middle of a shape, near the mass centre */
} hol__outline;

/* The curve of a joint, in the frame of its first body. A closed one is an edge (its first point
 * does not come again), an open one a track. */
typedef struct hol__curve_mark {
    int joint, body, closed, n;
    double *points;
    double extent;  /* the diagonal of the box around it */
    double towards; /* > 0: it lies where the normal of a flat face points to */
    hol_curve_info about;
} hol__curve_mark;

/* What is stretched between the two points of a force or a joint. */
typedef enum hol__stretch_kind {
    HOL__STRETCH_SPRING,
    HOL__STRETCH_LINK,
    HOL__STRETCH_CYLINDER,
    HOL__STRETCH_ROPE
} hol__stretch_kind;

typedef struct hol__stretch {
    hol__stretch_kind kind;
    const hol_element_info *element;
    int is_joint, index;      /* of the joint, else of the force */
    double shortest, longest; /* over the motion */
    double barrel;            /* of a cylinder, from its first point: how long */
} hol__stretch;

/* The word that the page knows it by. */
const char *hol__stretch_name(hol__stretch_kind kind);

/* Where its ends are at a record, and how far apart. */
void hol__stretch_ends(const hol__stretch *stretch, const hol__movie *movie, int row,
                       double ends[2][3]);
double hol__stretch_length(const double ends[2][3]);

/* The road below a tyre: heights over x, or, where it moves, below the wheel at each record. */
typedef struct hol__road {
    int force, body;
    double center[3], radius;
    int moves, n;
    double *x, *height;
} hol__road;

/* A solid that contacts touch with, in the frame of its body. */
typedef struct hol__solid {
    int body;
    const hol_shape *shape;
} hol__solid;

typedef struct hol__geometry {
    int planar;
    int n_bodies, n_joints, n_forces, n_roads;
    hol__outline *bodies; /* ground last */
    hol_element_info *joints, *forces;
    hol__mark *marks; /* of the joints */
    hol__road *roads;
    int n_curves, n_stretches;
    hol__curve_mark *curves;
    hol__stretch *stretches;
    int n_solids;
    hol__solid *solids;     /* of contacts, without planes */
    double low[3], high[3]; /* a box around the whole motion */
    double size;   /* its diagonal, or a measure of the mechanism itself where it travels */
    int travels;   /* the way it goes is much longer than it is large */
    double link;   /* how long a typical body is */
    double radius; /* half the thickness of a typical bar */
    double gravity[3];
} hol__geometry;

/* Collect it in the arena of the movie; 0 without memory. */
int hol__geometry_init(hol__geometry *geometry, hol__movie *movie);

/* ---- its passes ---- */

/* Whether two points are one. */
int hol__same_point(const double a[3], const double b[3]);

/* Symbols of the joints; the points of the bodies; how far what slides goes. 0 without memory. */
void hol__geometry_marks(hol__geometry *geometry, hol__movie *movie);
int hol__geometry_points(hol__geometry *geometry, hol__movie *movie);
void hol__geometry_rails(hol__geometry *geometry, const hol__movie *movie);

/* Where a joint is: at the block of a rail, at the point that runs on a track or a curve, else at
 * its point of the first body. */
void hol__mark_place(const hol__geometry *geometry, int joint, int *body, double point[3]);

/* The shapes of the bodies, and wheels and roads of tyres. 0 without memory. */
int hol__geometry_shapes(hol__geometry *geometry, hol__movie *movie);
int hol__geometry_roads(hol__geometry *geometry, hol__movie *movie);

/* The solids of contacts; as shapes of a body, how many (-1 without memory); the planes of contacts
 * as shapes of the bodies, when these and the size are known. 0 without memory. */
int hol__geometry_contacts(hol__geometry *geometry, hol__movie *movie);
int hol__outline_solids(const hol__geometry *geometry, int body, hol__arena *arena);

/* wheels.c: discs and rings of a body that is a wheel of gears or belts; how many, -1 without
 * memory. */
int hol__outline_wheels(hol__geometry *geometry, hol__movie *movie, int body);
int hol__geometry_planes(hol__geometry *geometry, hol__movie *movie);

/* How far a shape reaches from its middle. */
double hol__shape_reach(const hol_shape *shape);

/* Where the names of the bodies belong. */
void hol__geometry_labels(hol__geometry *geometry, const hol__movie *movie);

/* The curves of joints, what follows them as shapes of the bodies, and what is stretched between
 * points. 0 without memory. */
int hol__geometry_curves(hol__geometry *geometry, hol__movie *movie);
int hol__geometry_followers(hol__geometry *geometry, hol__movie *movie);
int hol__geometry_stretches(hol__geometry *geometry, hol__movie *movie);

/* Whether the edge of a body is given by a closed curve. */
int hol__has_edge(const hol__geometry *geometry, int body);

/* A new shape of a body at a place, with the axes of the body; NULL without memory. */
hol_shape *hol__outline_add(hol__outline *body, hol__arena *arena, hol_shape_kind kind,
                            const double at[3]);

/* Turn z of the shape to a direction of the body. */
void hol__shape_turn(hol_shape *shape, const double axis[3]);

/* The convex hull, counter-clockwise, of n points of `width` numbers that begin with x and y; they
 * are sorted in place, and out has room for 2 n. Points that are not finite are left out. Returns
 * how many corners there are. */
int hol__hull_around(double *points, int n, int width, double *out);

/* The solid with the mass and inertia of a body, about its mass centre. */
hol_shape hol__equivalent_solid(const hol__geometry *geometry, const hol_body_info *body);

#endif
