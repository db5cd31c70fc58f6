/* table.c: all element types, in the order of the reference page. A new element is a line here and
 * a file beside it. */
#include "element/forces.h"
#include "element/joints.h"

#include <string.h>

static const hol__element_type *const types[] = {
    &hol__joint_revolute,
    &hol__joint_prismatic,
    &hol__joint_cylindrical,
    &hol__joint_spherical,
    &hol__joint_universal,
    &hol__joint_fixed,
    &hol__joint_distance,
    &hol__joint_generic,
    &hol__joint_planar,
    &hol__joint_screw,
    &hol__joint_constant_velocity,
    &hol__joint_point_on_line,
    &hol__joint_point_in_plane,
    &hol__joint_line_in_plane,
    &hol__joint_parallel_axes,
    &hol__joint_perpendicular_axes,
    &hol__joint_constant_angle,
    &hol__joint_same_orientation,
    &hol__joint_spherical_spherical,
    &hol__joint_revolute_spherical,
    &hol__joint_revolute_revolute,
    &hol__joint_universal_spherical,
    &hol__joint_gear,
    &hol__joint_rack_pinion,
    &hol__joint_belt,
    &hol__joint_coupler,
    &hol__joint_driver,
    &hol__joint_motor,
    &hol__joint_point_on_curve,
    &hol__joint_cam,
    &hol__joint_rolling_disk,
    &hol__joint_rolling_sphere,
    &hol__joint_wheel,
    &hol__joint_knife_edge,
    &hol__joint_velocity_coupler,
    &hol__joint_velocity_constraint,
    &hol__joint_rigid_contact,
    &hol__joint_rope,
    &hol__joint_rigid_stop,
    &hol__force_force,
    &hol__force_torque,
    &hol__force_spring,
    &hol__force_axial_spring,
    &hol__force_torsion,
    &hol__force_bushing,
    &hol__force_bump_stop,
    &hol__force_limit,
    &hol__force_friction,
    &hol__force_rolling_resistance,
    &hol__force_drag,
    &hol__force_tyre,
    &hol__force_contact,
    &hol__force_contact_plane,
    &hol__force_contact_spheres,
    &hol__force_motor,
    &hol__force_pid,
    &hol__force_rotor,
    &hol__measure_position,
    &hol__measure_velocity,
    &hol__measure_acceleration,
    &hol__measure_angle,
    &hol__measure_omega,
    &hol__measure_alpha,
    &hol__measure_orientation,
    &hol__measure_momentum,
    &hol__measure_spin,
    &hol__measure_distance,
    &hol__measure_joint,
    &hol__measure_reaction,
    &hol__measure_load,
    &hol__measure_multiplier,
    &hol__measure_energy,
    &hol__measure_expression,
    &hol__measure_variable,
    NULL,
};

const hol__element_type *hol__element_type_get(int i) {
    return i >= 0 && i < (int)(sizeof types / sizeof *types) ? types[i] : NULL;
}

const hol__element_type *hol__element_type_find(const char *section, const char *name) {
    for (int i = 0; types[i]; i++)
        if (strcmp(types[i]->section, section) == 0 && strcmp(types[i]->name, name) == 0)
            return types[i];
    return NULL;
}
