/* mjcf.h: between the files that read MuJoCo's MJCF. */
#ifndef HOL_EXCHANGE_MJCF_H
#define HOL_EXCHANGE_MJCF_H

#include "exchange/import.h"

typedef enum hol__mjcf_source {
    HOL__MJCF_INERTIAL,
    HOL__MJCF_GEOMS,
    HOL__MJCF_AUTO
} hol__mjcf_source;

typedef struct hol__mjcf_site {
    const char *name;
    int body;
    double at[3]; /* global */
} hol__mjcf_site;

/* A tendon: sum of factors times coordinates, or a path over sites. */
typedef struct hol__mjcf_tendon {
    const char *name;
    hol__xml *element;
    int n, room;     /* joints or sites */
    int *index;      /* of them */
    double *factors; /* of joints; NULL: sites */
    double rest;     /* its length as drawn */
    int out;         /* left out */
} hol__mjcf_tendon;

typedef struct hol__mjcf {
    hol_import *im;
    /* compiler */
    int degrees, autolimits, balance, strip;
    char euler[4];
    hol__mjcf_source inertia_from;
    double least_mass, least_inertia, total_mass;
    double groups[2];
    const char *meshdir;
    hol__name_tree classes, meshes, materials; /* elements by name */
    hol__name_tree weighed;                    /* what meshes weigh, by name */
    hol__name_tree site_names, tendon_names;   /* indices */
    hol__xml *main_class;
    double gravity[3];
    int n_sites, room_sites, n_tendons, room_tendons;
    hol__mjcf_site *sites;
    hol__mjcf_tendon *tendons;
    int n_touching; /* geoms that could touch others */
} hol__mjcf;

extern const hol__known hol__mjcf_known[];

/* Put included files in the place of their elements; 0 after errors. */
int hol__mjcf_include(hol_import *im, hol__xml *element, int depth);

/* Compiler settings, classes of defaults, assets, options. */
void hol__mjcf_settings(hol__mjcf *m);

/* Give an element the attributes of its class: its own, or that of the bodies around it. */
void hol__mjcf_default(hol__mjcf *m, hol__xml *element, const char *childclass);

/* An angle in radians. */
double hol__mjcf_angle(const hol__mjcf *m, double angle);

/* Where an element is in its body: pos, and quat, axisangle, xyaxes, zaxis or euler. */
hol__placement hol__mjcf_frame(hol__mjcf *m, const hol__xml *element);

/* Whether a range holds: what `limited` says, or with autolimits whether there is a range. */
int hol__mjcf_limited(hol__mjcf *m, const hol__xml *element, const char *limited, const char *range,
                      double out[2]);

/* A geom: its mass, drawn; mass and inertia are added to the body where geoms count. */
void hol__mjcf_geom(hol__mjcf *m, hol__xml *geom, int body, int counts);

/* The rigid bodies below an element. */
void hol__mjcf_bodies(hol__mjcf *m, hol__xml *element, int parent, const hol__placement *at,
                      const char *childclass);

/* Tendons; what holds and pulls; all after the robot was settled and written. */
void hol__mjcf_tendons(hol__mjcf *m);
void hol__mjcf_tendon_forces(hol__mjcf *m);
void hol__mjcf_starts(hol__mjcf *m);
void hol__mjcf_equalities(hol__mjcf *m);
void hol__mjcf_equality_joints(hol__mjcf *m);
void hol__mjcf_actuators(hol__mjcf *m);

int hol__mjcf_tendon_named(const hol__mjcf *m, const char *name);

/* The length of a fixed tendon here, less `rest`, as an expression of measures; rate: its rate. */
const char *hol__mjcf_length(hol__mjcf *m, const hol__mjcf_tendon *t, int rate);

/* Let a force, an expression that is positive where it lengthens, act in a tendon. */
void hol__mjcf_pull(hol__mjcf *m, const hol__mjcf_tendon *t, const char *name,
                    const hol__xml *element, const char *force);

/* A number as a text in the arena, with a sign in parentheses where it is negative. */
const char *hol__mjcf_number(hol_import *im, double x);

#endif
