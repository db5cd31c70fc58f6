/* synonyms.c: words that other programs and textbooks use for what a model file calls otherwise.
 *
 * A row begins with the name in a model file; the words that are taken for it follow, the nearest
 * first. A word may stand in several rows: of those that exist where it was written, the one in
 * which it stands first is suggested. */
#include "common/synonyms.h"
#include "common/ascii.h"

#include <stddef.h>

/* The name, then one string of words, each with a blank behind it. */
typedef struct row {
    const char *name, *words;
} row;

/* clang-format off */
static const row rows[] = {
    /* the file and its sections */
    {"planar", "2d plane two-dimensional xy planar_joint plane_joint "},
    {"spatial", "3d space three-dimensional xyz "},
    {"bodies", "body links parts "},
    {"joints", "joint constraints connections "},
    {"forces", "force loads actuators springs "},
    {"measures", "measure outputs sensors probes results "},
    {"simulation", "options settings run solver analysis "},
    {"parameters", "params variables constants "},
    /* joints */
    {"revolute", "hinge pin pivot rotary rotational turning pin_joint bearing swivel trunnion "
                 "crank "},
    {"prismatic", "slider guide sliding slide translational translation linear rail telescope "
                  "telescopic telescoping "},
    {"spherical_spherical", "tie_rod track_rod push_rod toe_link "},
    {"spherical", "ball ball_joint ball_socket ball_and_socket socket rod_end "},
    {"universal", "cardan hooke u_joint ujoint gimbal cross "},
    {"constant_velocity", "cv homokinetic cv_joint tripod rzeppa "},
    {"fixed", "weld rigid lock clamp clamped welded bolt bolted glue glued "},
    {"distance", "length rod link massless_rod tie_rod gap clearance "},
    {"screw", "helical nut lead_screw leadscrew ball_screw spindle "},
    {"point_on_line", "slot pin_in_slot inline pin_slot roller "},
    {"point_in_plane", "inplane point_on_plane "},
    {"point_on_curve", "curve track spline guide "},
    {"parallel_axes", "parallel "},
    {"perpendicular_axes", "perpendicular "},
    {"same_orientation", "orientation "},
    {"rack_pinion", "rack rack_and_pinion "},
    {"belt", "chain pulley timing_belt "},
    {"gear", "gears gear_pair gearset spur_gear bevel_gear bevel worm_gear worm planetary planet "
             "planetary_gear epicyclic "},
    {"driver", "motion actuator rheonomic prescribed cylinder hydraulic_cylinder linear_actuator "},
    {"coupler", "coupling differential transmission "},
    {"rope", "cable tether string wire winch "},
    {"rigid_stop", "stop end_stop hard_stop "},
    {"motor", "servo actuator engine drive rotary_actuator rotational_actuator speed_motor "
              "velocity_motor "},
    {"rolling_disk", "disk disc rolling roll "},
    {"rolling_sphere", "rolling roll "},
    {"knife_edge", "skate blade sleigh "},
    /* forces */
    {"spring", "tsda damper dashpot spring_damper shock coil strut gas_spring air_spring cable "},
    {"torsion", "rsda torsional torsion_spring rotational_spring spiral rotational_damper "
                "torsional_damper rotary_damper "},
    {"torque", "moment couple value tx ty tz mx my mz "},
    {"force", "of pressure gas thrust load preload pretension point_load constant_force buoyancy "
              "lift magnet muscle hydraulic pneumatic cylinder value fx fy fz components "},
    {"bump_stop", "bumper stop rope tether "},
    {"limit", "stop end_stop limits joint_limit "},
    {"tyre", "tire "},
    {"drag", "air aero viscous wind aerodynamic aerodynamics "},
    {"friction", "coulomb stiction brake dry_friction mu coefficient friction_coefficient "},
    {"bushing", "mount rubber_mount engine_mount elastic_joint "},
    {"contact", "collision collide collision_pair box_contact "},
    {"contact_plane", "ground_contact floor "},
    {"contact_spheres", "collision sphere_contact "},
    {"pid", "controller control pd pi "},
    {"rotor", "flywheel gyro gyroscope gyrostat "},
    /* keys */
    {"stiffness", "k kp spring_constant rate "},
    {"damping", "c d kd b viscosity damping_coefficient "},
    {"level", "mu coefficient friction_coefficient torque force "},
    {"upper", "max maximum upper_limit "},
    {"lower", "min minimum lower_limit "},
    {"teeth", "ratio gear_ratio z n_teeth "},
    {"free_length", "l0 rest_length natural_length unstretched_length length "},
    {"mass", "m weight "},
    {"inertia", "i j moi izz jzz ixx moment_of_inertia "},
    {"at", "position pos location point origin where from "},
    {"position", "pos r xyz location place at origin com displacement angle length "},
    {"velocity", "vel v speed rate "},
    {"acceleration", "acc accel a accelerometer imu "},
    {"speed", "rpm omega w rate angular_velocity angular_speed velocity "},
    {"angular_velocity", "omega w spin rate rpm gyro "},
    {"angle", "theta phi rotation rot encoder position displacement travel "},
    {"orientation", "quaternion rotation attitude euler "},
    {"along", "from_to ends points "},
    {"com", "cog cg mass_center mass_centre center_of_mass centre_of_mass centroid "},
    {"to", "ends end end_point second_point "},
    {"axis", "direction dir "},
    {"axis_second", "axis2 axis_2 second_axis axis_b "},
    {"bodies", "between connects parent child "},
    {"body", "link part on "},
    {"expression", "formula function law expr value ratio magnitude "},
    {"radius", "r "},
    {"proportional", "p kp gain "},
    {"integral", "i ki "},
    {"derivative", "d kd "},
    {"target", "setpoint reference desired set_point "},
    /* measures */
    {"load", "torque force power tension motor_torque spring_force contact_force "},
    {"reaction", "joint_force joint_reaction bearing_force constraint_force "},
    {"energy", "kinetic potential work kinetic_energy potential_energy total_energy "},
    {"magnitude", "norm abs absolute length total resultant modulus mag force f "},
    {"moment_magnitude", "moment m torque "},
    {"joint_coordinate", "coordinate joint_angle joint_position joint_displacement "},
    {"angle_rate", "rate velocity speed omega angular_velocity "},
    {"displacement_rate", "rate velocity speed "},
    /* options */
    {"end", "tend t_end duration tmax t_max stop_time end_time time final_time stop t_stop "},
    {"start", "t0 t_start tstart start_time begin "},
    {"step", "dt h timestep time_step stepsize step_size "},
    {"max_step", "hmax dtmax max_dt dt_max "},
    {"tolerance", "tol eps rtol atol reltol abstol accuracy precision "},
    {"integrator", "solver scheme ode "},
    {"method", "formulation algorithm "},
    {"output",
     "save_interval output_interval dt_out output_step sampling_time dtout samples rows frames "},
    {"coordinates", "coords "},
    /* units */
    {"deg", "degree degrees \302\260 "},
    {"rad", "radian radians "},
    {"rev", "turn turns revolution revolutions "},
    {"rpm", "rev/min 1/min upm "},
    {"m", "meter meters metre metres "},
    {"mm", "millimeter millimeters millimetre millimetres "},
    {"cm", "centimeter centimeters centimetre centimetres "},
    {"km", "kilometer kilometers kilometre kilometres "},
    {"in", "inch inches "},
    {"ft", "foot feet "},
    {"s", "sec secs second seconds "},
    {"ms", "msec millisecond milliseconds "},
    {"min", "mins minute minutes "},
    {"h", "hr hrs hour hours "},
    {"kg", "kgs kilo kilogram kilograms "},
    {"g", "gram grams gr "},
    {"t", "ton tons tonne tonnes "},
    {"lb", "lbs pound pounds "},
    {"mi", "mile miles "},
    {"yd", "yard yards "},
    {"thou", "mil mils "},
    {"oz", "ounce ounces "},
    {"slug", "slugs "},
    {"kgf", "kilopond kp kg_f "},
    {"lbf", "lb_f poundforce pounds_force "},
    {"kph", "kmh kmph km/hr "},
    {"hp", "bhp horsepower "},
    {"PS", "cv pferdestaerke "},
    {"bar", "bars "},
    {"psi", "psig psia lbf/in2 "},
    {"mmHg", "torr "},
    {"knot", "knots kt kts "},
    {"kW", "kilowatt kilowatts "},
    {"N", "newton newtons "},
    {"kN", "kilonewton kilonewtons "},
    {"N*m", "nm newton_metre newton_meter newtonmetre newtonmeter "},
    {"kg*m^2", "kgm2 kg_m2 "},
    {"J", "joule joules "},
    {"W", "watt watts "},
    {"Pa", "pascal pascals "},
    {"Hz", "hertz "},
};
/* clang-format on */

/* Whether two texts of n characters are the same but for the case of their letters. */
static int same(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (hol__lower(a[i]) != hol__lower(b[i])) return 0;
    return 1;
}

/* The length of a text up to a blank or its end. */
static size_t word_length(const char *text) {
    size_t n = 0;
    while (text[n] && text[n] != ' ') n++;
    return n;
}

/* The place of the word in a list, from 1; 0: not in it. */
static int place_among(const char *words, const char *word, size_t n) {
    for (int place = 1; *words; place++) {
        const size_t m = word_length(words);
        if (m == n && same(words, word, n)) return place;
        words += m + 1;
    }
    return 0;
}

int hol__is_synonym(const char *word, const char *name) {
    const size_t n = word_length(word), m = word_length(name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int place = word_length(rows[i].name) == m && same(rows[i].name, name, m)
                              ? place_among(rows[i].words, word, n)
                              : 0;
        if (place) return place;
    }
    return 0;
}

/* Types of the plane, and the types of space that are the same there. */
static const row flat[] = {
    {"revolute", "spherical universal constant_velocity "},
    {"prismatic", "cylindrical "},
};

/* The row of a table that has the word; NULL: none. */
static const char *row_with(const row *table, size_t n, const char *word) {
    for (size_t i = 0; i < n; i++)
        if (place_among(table[i].words, word, word_length(word))) return table[i].name;
    return NULL;
}

const char *hol__in_plane(const char *type) {
    return row_with(flat, sizeof flat / sizeof *flat, type);
}

/* What to do instead where nothing of the kind is needed, or there is. */
static const row advices[] = {
    {"a body moves freely where no joint holds it: leave this out",
     "free floating 6dof six_dof free_joint unconstrained "},
    {"give `gravity` at the top of the file; every mass then has its weight", "gravity weight "},
    {"use friction, or a joint with `active`", "clutch freewheel ratchet "},
    {"bodies are rigid; a `bushing` between two of them bends",
     "beam flexible flexure leaf_spring "},
    {"bodies are rigid; parts are designed by measures of type `reaction` and `load`",
     "stress strain deflection bending_moment "},
};

const char *hol__advice(const char *word) {
    return row_with(advices, sizeof advices / sizeof *advices, word);
}

const char *hol__synonym_name(int i) {
    return (size_t)i < sizeof rows / sizeof rows[0] ? rows[i].name : NULL;
}
