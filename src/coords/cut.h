/* cut.h: where the loops of a mechanism are opened [GJB 5.3.2].
 *
 * The spanning tree of relative coordinates (tree.h) is the open chain in every set of coordinates.
 * What it leaves out closes the loops:
 *
 *     relative    the rows of the joints that are not in the tree: there are no others
 *     reference   the same rows; those of the joints in the tree are the open chain's
 *     natural     of the body that hangs deeper in the tree, the rigid-body constraints between the
 *                 items it shares at the closing joint and its others; where the joint has rows of
 *                 its own, these too. A body that is cut (key `cut`) loses all of its rigid-body
 *                 constraints and stays in the tree with one item; a joint that is cut keeps its
 *                 rows, and the items of its bodies stay apart there.
 *
 * A distance (a massless rod) is part of the chain where it leads on to what nothing else connects,
 * but in relative coordinates. Rows of other joints that are no links of a tree (drivers, gears,
 * couplers) and rows on velocities close it too.
 */
#ifndef HOL_COORDS_CUT_H
#define HOL_COORDS_CUT_H

#include "coords/coords.h"

typedef struct hol__cuts {
    hol__arena arena;
    unsigned char *row; /* by row of A: 1 where it closes a loop */
    int n;
    hol_cut *cut; /* by element, in the order of the joints and then of the bodies */
} hol__cuts;

/* NULL without memory. */
hol__cuts *hol__cuts_new(hol_context *ctx, const hol_model *model);
void hol__cuts_free(hol__cuts *cuts);

#endif
