/* assemblies.h: the ways in which a mechanism can be put together.
 *
 * From the drawn position and from many others the joints are closed by Newton's method; positions
 * that differ are the assemblies (branches). Where the mechanism has freedoms, as many coordinates
 * are held: those that drivers, joints' values at the start and the key `fix` give, then those that
 * are named, then others.
 *
 *     hol_assemblies_options how = {.size = sizeof how, .starts = 500};
 *     hol_answer *answer;
 *     hol_status status = hol_assemblies(ctx, model, options, &how, &answer);
 */
#ifndef HOLONOM_ASSEMBLIES_H
#define HOLONOM_ASSEMBLIES_H

#include "answer.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_assemblies_options {
    size_t size; /* sizeof(hol_assemblies_options), set by the caller */
    int starts;  /* positions to start from beside the drawn one; 0: 300 */
    /* what to hold, "crank.angle, slider.x, hinge": coordinates of bodies, and revolute and
     * prismatic joints; NULL: chosen */
    const char *hold;
    /* called once for each assembly with a simulation whose data is there, at a time that is its
     * number, from 1; after the last call, that with number == count, the simulation is gone. Not
     * called where an error ends the search. May be NULL */
    hol_status (*on_assembly)(void *user, hol_sim *sim, int number, int count);
    void *user;
    int pick; /* the assembly whose settings are told, from 1; 0: none */
    /* called for each value at the start that lets a model start there: key of the map `start` of a
     * joint ("angle", "displacement") and value */
    hol_status (*on_setting)(void *user, const char *joint, const char *key, double value);
} hol_assemblies_options;

/* *out: how many starts closed, what is held; the tables `assemblies` (how often each was found,
 * the freedoms that are left, the sign of its determinant, how far bodies are from where they are
 * drawn), `poses` (of every body in each), `joints` (the coordinates of revolute and prismatic
 * joints in each, 0 as drawn), `moved` (by how much the first differs from the drawing). Assemblies
 * that can still move, and move to each other, are one. The first is the one that a run starts
 * from, where the drawn position can be closed.
 *
 * HOL_ERR_ASSEMBLY, with messages that name the joints, where none is found. */
hol_status hol_assemblies(hol_context *ctx, const hol_model *model, const hol_options *options,
                          const hol_assemblies_options *how, hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
