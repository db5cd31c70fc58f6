/* natural_section.h: the section `natural` of a description while it is turned into bodies and
 * joints.
 *
 * Marks are the named points and unit vectors. Parts are what is rigid: ground (part 0, which has
 * the fixed marks), rods with mass, elements, and point masses that belong to nothing else. Links
 * are massless rods and distances between two points.
 */
#ifndef HOL_COMPILE_NATURAL_SECTION_H
#define HOL_COMPILE_NATURAL_SECTION_H

#include "compile/compile.h"
#include "math/vec3.h"

/* A point or a unit vector. */
typedef struct hol__mark {
    const char *name;
    hol__node *node; /* its definition */
    int is_vector;
    int state;   /* 0: not read yet, 1: x is valid, -1: wrong, and reported */
    double x[3]; /* drawn, global */
    double mass, v[3];
    hol__node *fixed_at, *mass_at, *velocity_at; /* where the file says so, or NULL */
    int uses;                                    /* by parts and links */
    int n_joints;                                /* that are named after it */
} hol__mark;

typedef enum hol__part_kind {
    HOL__PART_GROUND,
    HOL__PART_ROD,
    HOL__PART_ELEMENT,
    HOL__PART_POINT
} hol__part_kind;

/* Something rigid. */
typedef struct hol__part {
    hol__part_kind kind;
    const char *name, *label;
    hol__node *item;       /* its description; of a point mass the mass */
    int n, n_points;       /* marks: points first, then vectors */
    int *mark;             /* indices of marks */
    hol__node **at;        /* where the file names them */
    unsigned char *joined; /* whether a joint to an earlier part holds this mark already */
    double p[4], R[9];     /* drawn orientation; the origin is the first point */
    double scale;          /* of a rod whose length is given, against its drawing; else 1 */
    double mass, com[3];   /* mass centre in the frame of the part */
    double J[9];           /* about the mass centre (in the plane J[8]) */
    double v[3], w[3];     /* start velocity of the mass centre and angular velocity, global */
    int moves;             /* v and w are known */
} hol__part;

/* A massless rod or a distance. */
typedef struct hol__link {
    const char *name, *label;
    hol__node *item, *length; /* length: its law, or NULL */
    int mark[2];
    hol__node *at[2];
} hol__link;

typedef struct hol__natural_section {
    hol__build *build;
    hol_spec *spec; /* which receives the bodies and joints */
    hol__node *section, *bodies, *joints;
    int n_marks, n_parts, n_links;
    hol__mark *marks;
    hol__part *parts;
    hol__link *links;
} hol__natural_section;

/* Read the section: marks, parts (with mass, centre and inertia), links. Reports errors. */
void hol__natural_read(hol__natural_section *all);

/* Mass, mass centre, inertia and drawn frame of a rod or an element. */
void hol__natural_mass(hol__natural_section *all, hol__part *part);

/* Add the point masses to the parts that have their points; make parts of the others. */
void hol__natural_add_masses(hol__natural_section *all);

/* Start velocities of the parts from those of their marks. */
void hol__natural_velocities(hol__natural_section *all);

/* The joints between parts, and those of links. */
void hol__natural_joints(hol__natural_section *all);

/* The first part that has the mark; -1 when none has. */
int hol__natural_owner(const hol__natural_section *all, int mark);

/* Whether a part has the mark. */
int hol__part_has(const hol__natural_section *all, int part, int mark);

/* A map, a text, a number or a list of numbers in the tree that is made, at a place of the file. */
hol__node *hol__put_map(hol__natural_section *all, hol__node *parent, const char *key,
                        const hol__node *at);
void hol__put_text(hol__natural_section *all, hol__node *parent, const char *key, const char *text,
                   const hol__node *at);
void hol__put_number(hol__natural_section *all, hol__node *parent, const char *key, double value,
                     const hol__node *at);
void hol__put_numbers(hol__natural_section *all, hol__node *parent, const char *key, int n,
                      const double *values, const hol__node *at);
void hol__put_names(hol__natural_section *all, hol__node *parent, const char *key,
                    const char *first, const char *second, const hol__node *at);

/* The key `cut` of an item, where it has one. */
void hol__put_cut(hol__natural_section *all, hol__node *parent, const hol__node *item);

/* A node like another one under a new parent; its children are shared. */
hol__node *hol__put_copy(hol__natural_section *all, hol__node *parent, const hol__node *from);

#endif
