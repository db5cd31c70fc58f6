/* export.h: between the files that write models as robot descriptions.
 *
 * A compiled model becomes a robot (robot.h) at its assembled start, with what robots do not have
 * beside it; the writers of the formats make a text of both. The list is that of an import.
 */
#ifndef HOL_EXCHANGE_EXPORT_H
#define HOL_EXCHANGE_EXPORT_H

#include "exchange/import.h"

#include "base/text.h"
#include "model/model.h"

#include <holonom/sim.h>

/* sum factors_i (q_i - q_i at the start) = value, or q_0 - q_0s = poly(q_1 - q_1s). */
typedef struct hol__coupling {
    struct hol__coupling *next;
    const char *name;
    int n, joints[4];
    double factors[4], value;
    int is_poly;
    double poly[5];
} hol__coupling;

/* A spring or a rope between points of two bodies, in their frames. */
typedef struct hol__strand {
    struct hol__strand *next;
    const char *name;
    int body[2];
    double at[2][3];
    double stiffness, damping, length;
    int is_rope;
} hol__strand;

/* F = b[0] + b[1] q + b[2] q' along a coordinate. */
typedef struct hol__effort {
    struct hol__effort *next;
    const char *name;
    int joint;
    double b[3];
} hol__effort;

struct hol_export {
    hol_import *im; /* the robot, the list, memory */
    const hol_model *model;
    hol_context *quiet; /* for questions that may have no answer */
    hol_export_options how;
    int to_mjcf;
    hol_sim *sim;     /* at its start */
    int (*of)[2];     /* of each joint of the model: the robot's joints of its angle (or
                      * displacement), of its displacement where it has both; -1: none */
    char *done;       /* of each joint of the model: it is said by something else */
    char *rotor;      /* of each body: it is the armature of a joint */
    double *armature; /* of each joint of the model */
    hol__coupling *couplings, *last_coupling;
    hol__strand *strands, *last_strand;
    hol__effort *efforts, *last_effort;
    hol__text out;
    const char *element;         /* the last that has a name */
    const char *beyond, *holder; /* the first attribute with a number that is not read, and whose */
    double excess;               /* that number */
};

/* The numbers of a field of an element, where they are constant: how many, 0 otherwise. */
int hol__export_field(hol_export *ex, const char *section, const char *element, const char *field,
                      int most, double *out);

/* Its text in the arena; "" where it was left out. */
const char *hol__export_text(hol_export *ex, const char *section, const char *element,
                             const char *field);

/* Bodies and the joints that form the tree, or close its loops; 0 after errors. */
int hol__export_tree(hol_export *ex);

/* Limits, couplings, forces. */
void hol__export_couplings(hol_export *ex);
void hol__export_armatures(hol_export *ex);
void hol__export_forces(hol_export *ex);

/* Add a spring or a rope between the points of an element. */
void hol__export_strand(hol_export *ex, const hol__strand *s, const hol_element_info *info);

/* The robot's joint of a coordinate of a joint, with its component ("": the usual one); -1: it has
 * none in the tree. */
int hol__export_coordinate(hol_export *ex, const char *joint, const char *component);

/* The law of a force as b[0] + b[1] x + b[2] x'; 0 where it is not that. */
int hol__export_law(hol_export *ex, const char *law, const char *joint, double b[3]);

/* XML: an attribute with a text or numbers. */
void hol__export_word(hol_export *ex, const char *name, const char *value);
void hol__export_numbers(hol_export *ex, const char *name, int n, const double *x);

/* The texts of the formats. */
void hol__export_mjcf(hol_export *ex);
void hol__export_urdf(hol_export *ex);

#endif
