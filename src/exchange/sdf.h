/* sdf.h: between the files that read SDFormat.
 *
 * A scope is a world or a model. What has a name in it (a link, a joint, a frame, a model) is an
 * entry, and a frame that others are given in.
 */
#ifndef HOL_EXCHANGE_SDF_H
#define HOL_EXCHANGE_SDF_H

#include "exchange/import.h"

typedef struct hol__sdf_scope hol__sdf_scope;

typedef enum hol__sdf_kind {
    HOL__SDF_LINK,
    HOL__SDF_JOINT,
    HOL__SDF_FRAME,
    HOL__SDF_MODEL
} hol__sdf_kind;

typedef struct hol__sdf_entry {
    struct hol__sdf_entry *next;
    hol__sdf_kind kind;
    const char *name;
    hol__sdf_scope *scope;     /* that it stands in */
    hol__xml *element, *asked; /* asked: the <include> that brought it, or NULL */
    hol__sdf_scope *inside;    /* of a model */
    int body;                  /* of a link */
    int joint[2];              /* of a joint: of its axis and of axis2; -1: none */
    int state;                 /* of `at`: 0 not known yet, 1 being sought, 2 known */
    hol__placement at;         /* in the frame of its scope */
} hol__sdf_entry;

struct hol__sdf_scope {
    hol__sdf_scope *around; /* NULL: the world, or the root of the file */
    hol__sdf_entry *model;  /* the entry of this scope in the one around it */
    hol__xml *element;
    int is_world;
    int is_static, merged;
    hol__sdf_entry *first, *last;
    hol__name_tree names; /* of entries */
};

typedef struct hol__sdf {
    hol_import *im;
    hol__sdf_scope *world;
    hol__name_tree links, joints; /* how often a name occurs anywhere, plus 1 */
    int depth;                    /* frames that wait for others */
} hol__sdf;

extern const hol__known hol__sdf_known[];

/* ---- values ---- */

/* The text of a child, without white space at its ends; "" where it is empty, NULL: none. */
const char *hol__sdf_text(hol_import *im, const hol__xml *element, const char *child);
double hol__sdf_number(hol_import *im, const hol__xml *element, const char *child,
                       double otherwise);
int hol__sdf_flag(hol_import *im, const hol__xml *element, const char *child, int otherwise);

/* The n numbers of a child; 0 where it is not there, empty or wrong. */
int hol__sdf_vector(hol_import *im, const hol__xml *element, const char *child, int n, double *out);

/* The numbers of the <pose> of an element, zero where there is none; *relative is the frame that
 * it is given in, NULL: the usual one. */
hol__placement hol__sdf_pose(hol_import *im, const hol__xml *element, const char **relative);

/* The version of the file that an element stands in, 1.7 as 107; of files without one 110. */
int hol__sdf_version(const hol__xml *element);

/* ---- reading ---- */

/* Put the models of files in their <include>; 0 after errors. */
int hol__sdf_include(hol_import *im, hol__xml *element, int depth);

/* The scope of a world or a model with all entries in it; NULL after errors. */
hol__sdf_scope *hol__sdf_scope_new(hol__sdf *s, hol__sdf_scope *around, hol__xml *element);
int hol__sdf_fill(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *element);

/* What a name means in a scope ("wheel", "arm::wheel"), NULL after an error at an element; *at:
 * its frame in that of the scope. */
hol__sdf_entry *hol__sdf_find(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *asks,
                              const char *name, hol__placement *at);

/* Where an entry, and a scope, is in the world. */
hol__placement hol__sdf_at(hol__sdf *s, hol__sdf_entry *entry);
hol__placement hol__sdf_scope_at(hol__sdf *s, hol__sdf_scope *scope);

/* The body that a name (of a link, a frame, a joint, a model; "world") is attached to; -2 after an
 * error. */
int hol__sdf_body(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *asks, const char *name);

/* The frame in which a name's frame turns, in the world: its orientation. 0 after an error. */
int hol__sdf_turn(hol__sdf *s, hol__sdf_scope *scope, const hol__xml *asks, const char *name,
                  double q[4]);

/* The name of an entry in the whole file: its own where no other has it, else with that of its
 * models. */
const char *hol__sdf_called(hol__sdf *s, const hol__sdf_entry *entry);

/* A link: its body, placed, with inertia and shapes. */
void hol__sdf_link(hol__sdf *s, hol__sdf_entry *entry);

/* What an entry of a joint is between, and the numbers of one of its axes (0, 1) for its joint. */
typedef struct hol__sdf_edge {
    hol__sdf_entry *entry;
    hol__joint_kind kind;
    int which; /* axis */
    int parent, child, done;
    int next[2]; /* of the edges at the parent, at the child */
} hol__sdf_edge;

/* All joints, as a tree from the ground outwards and the joints that close loops. */
void hol__sdf_joints(hol__sdf *s);

/* Axis, limits, losses of the joint of an edge. */
void hol__sdf_axis(hol__sdf *s, const hol__sdf_edge *edge, int joint);

/* Joints that follow others; after the robot was written (write) the gearboxes. */
void hol__sdf_couple(hol__sdf *s, int write);

/* Call a function for the entries of a kind, in all scopes. */
void hol__sdf_each(hol__sdf *s, hol__sdf_scope *scope, hol__sdf_kind kind,
                   void (*call)(hol__sdf *s, hol__sdf_entry *entry, void *user), void *user);

#endif
