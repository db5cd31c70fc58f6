/* compile.h: the passes that turn a description into a model, in their order. Each reports its errors and goes on. */
#ifndef HOL_COMPILE_COMPILE_H
#define HOL_COMPILE_COMPILE_H

#include "coords/coords.h"
#include "model/build.h"

/* Names and values of the parameters. */
void hol__compile_parameters(hol__build *build);

/* Bodies: mass, inertia, drawn pose, start velocities. */
void hol__compile_bodies(hol__build *build);

/* Joints; measures (columns, order of evaluation, levels); forces. */
void hol__compile_joints(hol__build *build);
void hol__compile_measures(hol__build *build);
void hol__compile_forces(hol__build *build);

/* The options under `simulation`, by the table of options. */
void hol__compile_options(hol__build *build);

/* Rows and columns: pattern of A, mass matrix, start of q and v, scale of length. */
hol_status hol__compile_layout(hol__build *build);

/* A law of a force reads these measures: they are evaluated every time, and may not follow from forces. */
void hol__use_measures(hol__build *build, const hol__expr *e, const hol__node *node);

/* The type of an item of a section, by its key `type`; NULL after an error. */
const hol__element_type *hol__item_type(hol__build *build, hol__node *item, const char *section);

/* The one key that every typed item has besides its own. */
extern const hol__key hol__type_key[];

/* A section of the description as a map; NULL when it is absent or (reported) something else. */
hol__node *hol__section(hol__build *build, const char *name);

/* The place of a node with a file name that lives as long as the model. */
hol_location hol__keep_location(hol__build *build, hol_location where);

/* A copy of text in the model. */
const char *hol__keep(hol__build *build, const char *text);

#endif
