/* compile.h: the passes that turn a description into a model, in their order. Each reports its
 * errors and goes on. */
#ifndef HOL_COMPILE_COMPILE_H
#define HOL_COMPILE_COMPILE_H

#include "base/option.h"
#include "coords/coords.h"
#include "model/read.h"

/* Names and values of the parameters. */
void hol__compile_parameters(hol__build *build);
void hol__keep_parameters(hol__build *build);

/* Named tables, and whether expressions can use a name. */
void hol__compile_tables(hol__build *build);
int hol__is_identifier(const char *name);

/* The section `natural` as bodies and joints of the description that the later passes read; 0 after
 * an error. */
int hol__compile_natural_section(hol__build *build);

/* The points and vectors of that section that the bodies have. */
void hol__compile_natural_marks(hol__build *build);

/* Bodies: mass, inertia, drawn pose, start velocities. */
void hol__compile_bodies(hol__build *build);

/* Gravity: constant into the model, anything else as a force. */
void hol__compile_gravity(hol__build *build);

/* Mass, mass centre and inertia of a body; com: where the mass centre is unless shapes say
 * otherwise. */
void hol__compile_inertia(hol__build *build, hol__body *body, hol__node *item);

/* The key `inertia` of an item as a tensor (in the plane J[8]); 0 after an error. */
int hol__read_inertia(hol__build *build, hol__node *item, double J[9]);

/* The unit quaternion of a frame with its x axis along the unit vector x and, in space, z as near
 * to the global z as can be. */
void hol__frame_level(const double x[3], int dim, double p[4]);

/* Mass m, mass centre com and inertia J about it (body frame) of a shape or a list of shapes;
 * share: the mass that shapes without their own have together (0: none). at: where shapes without a
 * place are. 0 after an error. */
int hol__compile_shapes(hol__build *build, hol__node *node, double share, const double at[3],
                        double *m, double com[3], double J[9]);

/* What a body is drawn with: the shapes under `draw`, else those under `shape`. at: where shapes
 * without a place are. */
void hol__compile_drawing(hol__build *build, hol__body *body, hol__node *item, const double at[3]);

/* The corners and faces of a mesh. */
void hol__read_mesh(hol__build *build, hol__node *node, hol_shape *shape);

/* Whether the text is #rrggbb. */
int hol__is_color(const char *text);

/* {axis:, angle:}, {euler: [..]} or {quaternion: [..]} */
void hol__read_orientation(hol__build *build, hol__node *node, double p[4]);

/* Joints that bodies bring with them (prescribed motions, point masses): how many, and adding them
 * after the others. */
int hol__count_body_joints(const hol__build *build);
void hol__compile_body_joints(hol__build *build);

/* An element without anything in it yet. */
hol__element hol__new_element(hol__build *build, int index, const char *word, const char *name,
                              hol_location where);

/* Joints; measures (columns, order of evaluation, levels); forces. */
void hol__compile_joints(hol__build *build);
void hol__compile_measures(hol__build *build);

/* What measures can know only when the forces are there. */
void hol__finish_measures(hol__build *build);
void hol__compile_forces(hol__build *build);

/* The section `events`; the elements that it switches are marked. */
void hol__compile_events(hol__build *build);

/* When joints and forces act; those that do not in this model are left out of its records. */
void hol__compile_active(hol__build *build);

/* The keys of `active` where it has memory. */
extern const hol__key hol__active_keys[];

/* The section `simulation` of a description into options; reports to their context. */
hol_status hol__read_simulation(const hol_spec *spec, hol_options *options);

/* Rows and columns: pattern of A, mass matrix, start of q and v, scale of length. */
hol_status hol__compile_layout(hol__build *build);

/* Natural coordinates get the names of the points of the file that they are. */
void hol__compile_item_names(hol__build *build);

/* Warnings of what is seldom meant: no gravity, loose bodies, joints far away, millimetres. */
void hol__compile_doubts(hol__build *build);

/* A law of a force reads these measures: they are evaluated every time, and may not follow from
 * forces. */
void hol__use_measures(hol__build *build, const hol__expr *e, const hol__node *node);

/* For hol__build: a measure by the name of a column, and its parameters, before measures are
 * compiled. */
int hol__find_measure(hol__build *build, const char *column, hol__measure_found *found);
const hol__params *hol__read_measure(hol__build *build, const hol__measure_found *found);

/* The type of an item of a section, by its key `type`; NULL after an error. */
const hol__element_type *hol__item_type(hol__build *build, hol__node *item, const char *section);

/* "a spring force", "an angle measure"; a force of the type force is "a force". */
void hol__item_words(const char *type, const char *word, char *buf, size_t size);

/* The keys that every typed item has besides its own: `type`, and those that all items of a section
 * share. */
extern const hol__key hol__type_key[];
const hol__key *hol__common_keys(const char *section);

/* Gains of joints and bodies by their key `gains`: the keys of that map, what the file gives, and
 * then by row of the model. first_own: the first row that the coordinates need among
 * themselves. */
extern const hol__key hol__gain_keys[];
void hol__compile_joint_gains(hol__build *build);
void hol__compile_body_gains(hol__build *build, hol__body *body, hol__node *item);
hol_status hol__lay_gains(hol_model *model, int first_own);

/* A section of the description as a map; NULL when it is absent or (reported) something else. */
hol__node *hol__section(hol__build *build, const char *name);

/* What to write where a list stands in place of a map of names, into buf; "" where it is none. */
const char *hol__unlist(const hol__node *list, char *buf, size_t size);

/* hol_model_compile with the value of one parameter changed. */
hol_model *hol__model_compile_shifted(hol_context *ctx, const hol_spec *spec,
                                      const char *coordinates, hol__shift *shift);

/* The model again in the same coordinates, with the elements of the variant left out; it belongs to
 * those who keep it. NULL without memory. */
hol_model *hol__model_variant(hol_context *ctx, const hol_model *model,
                              const hol__variant *variant);

/* model_like.c: the same of a whole model, with the elements that act in `from`, a model of the
 * same elements, the gaps that are closed there and the places that joints have caught. NULL
 * without memory. */
hol_model *hol__model_like(hol_context *ctx, const hol_model *whole, const hol_model *from);

/* A model with what sticks held by its velocities alone, with the values of parameters as they are:
 * what neighbouring states have in common, whose bodies stick at other places. It belongs to those
 * who keep it. NULL without memory. */
hol_model *hol__model_loosened(hol_context *ctx, const hol_model *from);

/* Whether a joint of a model holds what it has met (`catch: here`): its second marker says where.
 * */
static inline int hol__joint_has_caught(const hol__element *joint) {
    return joint->active && joint->active->here && !joint->off;
}

#endif
