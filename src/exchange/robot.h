/* robot.h: what robot descriptions have in common: bodies with frames, joints between them, and
 * what acts in these. The readers fill it; robot_settle.c decides on names, merges and masses, and
 * robot_write.c makes a description of it.
 *
 * Everything is at the drawn position: joints at 0, frames global. A joint's coordinate here is
 * that of the source less `ref`.
 */
#ifndef HOL_EXCHANGE_ROBOT_H
#define HOL_EXCHANGE_ROBOT_H

#include "base/name_tree.h"

#include <holonom/spec.h>

typedef struct hol_import hol_import;
typedef struct hol__xml hol__xml;

/* A frame in another: its point x is at r + R(q) x. */
typedef struct hol__placement {
    double r[3], q[4];
} hol__placement;

#define HOL__PLACEMENT_ZERO ((hol__placement){{0, 0, 0}, {1, 0, 0, 0}})

/* What is drawn of a body. */
typedef struct hol__drawn {
    struct hol__drawn *next;
    const char *type;  /* "box", "cylinder", "sphere", "rod", "mesh" */
    hol__placement at; /* in the frame of the body */
    double size[3];    /* box: edges; cylinder: radius, length; sphere: radius */
    const char *file;  /* of a mesh, as it stands in the model file */
    double scale;
    char color[8]; /* "#rrggbb", or "" */
} hol__drawn;

enum { HOL__GROUND = -1 };

typedef struct hol__robot_body {
    const char *name;   /* in the source; NULL: none */
    const char *called; /* here */
    const hol__xml *element;
    hol__placement at;           /* global */
    double mass, com[3], J[9];   /* about the mass centre, in its frame */
    double carried;              /* the share of its weight that a force carries */
    double own_mass, own_com[3]; /* before others became parts of it */
    hol__drawn *drawn, *last_drawn;
    int into; /* the body that it was merged into, HOL__GROUND, or itself: none */
    int out;  /* left out: nothing of it moves */
    int link; /* made between two joints of one body, or massless: has next to no mass */
} hol__robot_body;

typedef enum hol__joint_kind {
    HOL__JOINT_FIXED,
    HOL__JOINT_HINGE,
    HOL__JOINT_SLIDE,
    HOL__JOINT_BALL,
    HOL__JOINT_PLANAR,
    HOL__JOINT_UNIVERSAL,
    HOL__JOINT_SCREW,
    HOL__JOINT_FREE /* none: its child moves freely */
} hol__joint_kind;

typedef struct hol__robot_joint {
    const char *name, *called;
    const hol__xml *element;
    hol__joint_kind kind;
    int parent, child;     /* bodies, or HOL__GROUND */
    double at[3], axis[3]; /* global; the axis has length 1 */
    double axis_second[3]; /* of a universal joint */
    double pitch;          /* of a screw */
    int closes;            /* it closes a loop */
    double lower, upper;   /* of the coordinate here; infinite: none */
    double stiff, lossy;   /* of the stops; stiff 0: rigid */
    double damping, friction, stiffness, spring_at, armature;
    double ref;   /* the coordinate in the source, as drawn */
    double start; /* the coordinate here at the start */
    int out;
} hol__robot_joint;

/* A joint whose coordinate follows that of another: q = factor q_master + offset. */
typedef struct hol__follower {
    const hol__xml *element;
    int own, master;
    double factor, offset;
} hol__follower;

typedef struct hol__robot {
    int n_bodies, room_bodies, n_joints, room_joints;
    hol__robot_body *bodies;
    hol__robot_joint *joints;
    int n_followers, room_followers;
    hol__follower *followers;
    double gravity[3];
    hol__name_tree body_names, joint_names; /* of the source */
    hol__name_tree numbers; /* the last number behind a name of a section that occurs again */
    int starts;             /* some joint does not start at 0: all say where they do */
    double size;            /* what lengths are measured by when noise is taken off */
} hol__robot;

/* ---- frames ---- */

/* out = a b: b, which is given in a, in what a is given in. */
hol__placement hol__placement_mul(const hol__placement *a, const hol__placement *b);
hol__placement hol__placement_inverse(const hol__placement *a);
void hol__placement_point(const hol__placement *a, const double x[3], double out[3]);
void hol__placement_turn(const hol__placement *a, const double x[3], double out[3]);

/* Roll, pitch and yaw about fixed axes. */
void hol__quat_rpy(const double rpy[3], double q[4]);

/* J in a frame that is turned by q against the one that it is given in: R J R^T. */
void hol__turn_inertia(const double q[4], const double J[9], double out[9]);

/* Add a mass m with centre c and inertia J (about c) to a body's; all in its frame. */
void hol__add_inertia(hol__robot_body *body, double m, const double c[3], const double J[9]);

/* ---- filling ---- */

/* A new body or joint; its index, -1 without memory. */
int hol__robot_add_body(hol_import *im, const char *name, const hol__xml *element,
                        const hol__placement *at);
int hol__robot_add_joint(hol_import *im, const char *name, const hol__xml *element,
                         hol__joint_kind kind, int parent, int child);

/* A body without mass between two joints; its index, -1 without memory. */
int hol__robot_add_link(hol_import *im, const char *name, const hol__xml *element,
                        const hol__placement *at);

/* After `lower` and `upper` of a joint were set from an element: listed, left out where that was
 * asked for, checked; the joint starts at the end that is nearest to 0. */
void hol__robot_limit(hol_import *im, int joint, const hol__xml *limit);

/* After damping and friction were set: checked and listed. */
void hol__robot_losses(hol_import *im, int joint, const hol__xml *dynamics);

/* Let a joint follow another (master -1: be held at the offset); its own limits are left out when
 * the robot is settled. */
void hol__robot_follow(hol_import *im, const hol__xml *element, int own, int master, double factor,
                       double offset);

/* The body or joint of that name in the source; -1: none. Another one of the name before it is an
 * error. */
int hol__robot_body_named(const hol__robot *robot, const char *name);
int hol__robot_joint_named(const hol__robot *robot, const char *name);

/* A shape that is drawn with a body; NULL without memory. */
hol__drawn *hol__robot_draw(hol_import *im, int body, const char *type, const hol__placement *at);

/* ---- settling and writing ---- */

/* The largest coordinate of anything: what noise is judged by. */
void hol__robot_measure_size(hol__robot *robot);

/* The names of bodies and joints: keys, each of its own. */
void hol__robot_give_names(hol_import *im);

/* Names, masses, what is merged and left out; 0 after errors. */
int hol__robot_settle(hol_import *im);

/* Where joints start that follow others, which are not to follow each other in a circle; and their
 * couplings. */
void hol__robot_start_followers(hol_import *im);
void hol__robot_write_followers(hol_import *im);

/* Forces that carry the weight of bodies. */
void hol__robot_write_weights(hol_import *im);

/* A named point at the drawn position; its name here. */
const char *hol__robot_point(hol_import *im, const char *wanted, const double x[3]);

/* Bodies, joints, and what acts in them, into the description. */
void hol__robot_write(hol_import *im);

/* The name here of the body that a body became a part of, "ground" for HOL__GROUND. */
const char *hol__robot_called(const hol__robot *robot, int body);

/* A name as a key: of printable characters, not empty, not too long, without blanks. */
const char *hol__robot_key(hol_import *im, const char *name, const char *otherwise);

/* A key that the section does not have yet, made of this name. */
const char *hol__robot_name(hol_import *im, const char *section, const char *wanted);

/* An item of a section at the place of an element; further keys by hol_item_…. */
hol_item *hol__robot_item(hol_import *im, const char *section, const char *name, const char *type,
                          const hol__xml *element);

/* The same, named after a joint: "elbow_damping". */
hol_item *hol__robot_joint_item(hol_import *im, const char *section, const hol__robot_joint *joint,
                                const char *suffix, const char *type);

/* x without the noise of products of rotations, in lengths of the robot (of 1 for a direction);
 * and as a key. */
double hol__clean(double x, double size);
void hol__item_clean(hol_item *item, const char *key, int n, const double *x, double size);

/* A coupling sum of factor * coordinate = value, by the coordinates of n joints (at most four). */
void hol__robot_couple(hol_import *im, const hol__xml *element, const char *name, int n,
                       const int *joints, const double *factors, double value);

/* The measure of a joint's coordinate (rate: of its rate), made where it is not there; its name,
 * or NULL. */
const char *hol__robot_measure(hol_import *im, int joint, int rate);

/* A force or torque in a joint along its coordinate by a law of measures and its `speed`. */
void hol__robot_push(hol_import *im, int joint, const char *name, const hol__xml *element,
                     const char *law);

#endif
