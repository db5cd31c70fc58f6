/* static_starts.h: the equilibria that are found from many starts.
 *
 * The first start is the position as it is; the others lie in scattered directions of the motions
 * that the joints leave, at distances up to a reach. Their directions follow from a fixed sequence,
 * so that the same question has the same answer. From each, one search goes downhill and one is by
 * Newton's method. Two equilibria are the same where all bodies are in the same pose and the energy
 * is the same; where a direction is neutral, also where energy and stiffnesses are.
 */
#ifndef HOL_ANALYSIS_STATIC_STARTS_H
#define HOL_ANALYSIS_STATIC_STARTS_H

#include "analysis/static_place.h"
#include "analysis/static_rest.h"

#include <stdint.h>

typedef struct hol__static_found {
    hol__static_place place;
    hol__rest_verdict verdict;
    int negative, zero, count; /* eigenvalues; searches that ended here */
    double energy, least;
    double *value; /* n: eigenvalues */
    double *pose;  /* of all bodies: position over length, and rotation, 12 numbers each */
    int n;
    struct hol__static_case *own; /* that it is an equilibrium of; NULL: that of the question */
} hol__static_found;

typedef struct hol__static_list {
    hol__arena arena;
    int n, room;
    hol__static_found *found;
    int searches, failed;
} hol__static_list;

/* Search from the state in s (in a steady motion on the frame that it rides); reach in lengths of
 * the mechanism or radians. Sorted by energy. The state in s is left anywhere. The list is freed
 * also after a failure. */
hol_status hol__static_starts(hol__static *s, int starts, double reach, hol__static_list *list);
void hol__static_list_free(hol__static_list *list);

/* static_scatter.c: the same with joints that push and do not pull: each equilibrium has a case of
 * its own. */
typedef struct hol__scatter {
    const hol_spec *spec;
    double time;
    int steady;
} hol__scatter;

hol_status hol__static_scatter(hol_context *ctx, const hol__scatter *from, int starts, double reach,
                               hol__static_list *list);

/* The equilibrium in s, whose case it may keep, among those that were found. */
hol_status hol__static_note(hol__static *s, struct hol__static_case *own, hol__static_list *list);

/* From the state in s in a direction of a fixed sequence, up to a reach, as far as joints, and gaps
 * that are open, let it. */
hol_status hol__static_walk(hol__static *s, double reach, uint64_t *seed);

#endif
