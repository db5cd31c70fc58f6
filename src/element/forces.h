/* forces.h: the force elements beside those of joints.h. */
#ifndef HOL_ELEMENT_FORCES_H
#define HOL_ELEMENT_FORCES_H

#include "element/joints.h"

extern const hol__element_type hol__force_bushing, hol__force_bump_stop, hol__force_limit,
    hol__force_friction, hol__force_drag, hol__force_tyre, hol__force_contact,
    hol__force_contact_plane, hol__force_contact_spheres, hol__force_motor, hol__force_pid,
    hol__force_rotor, hol__force_rolling_resistance, hol__force_axial_spring;

/* Gravity that is not uniform and constant: a record of the model, made of the root key
 * `gravity`. */
typedef struct hol__gravity_field {
    int element;
    int nb;
    const hol__body *bodies;
    hol__law uniform[3]; /* of time */
    double center[3], mu;
} hol__gravity_field;

extern const hol__force_type hol__force_gravity_field;

/* What the field does to one body, added as a force adds. */
void hol__gravity_on(const hol__gravity_field *field, int body, hol__force_args *args);

/* The height of the road below a tyre at {t, x}, and whether it depends on time; 0 where the force
 * is no tyre, -1 without memory. */
int hol__tyre_road(const hol_model *model, int force, const double at[2], hol_context *ctx,
                   double *height, int *moves);

/* Whether a force can act on the body of that field: ground is refused. */
int hol__can_be_moved(hol__build *build, const void *params, const char *field, int body);

#endif
