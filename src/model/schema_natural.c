/* schema_natural.c: the keys of the section `natural`, which describes a mechanism by its points
 * and unit vectors. */
#include "model/schema.h"

const hol__key hol__natural_keys[] = {
    {"fixed", HOL__KEY_NAMES, NULL, "", 0,
     "The points (in space also vectors) that belong to ground.", NULL, HOL__NO_FIELD},
    {"masses", HOL__KEY_MAP, "kg", "", HOL__POSITIVE,
     "Point masses, by the names of points. At a point of a rod or element with mass it becomes "
     "part of the first of these.",
     NULL, HOL__NO_FIELD},
    {"velocities", HOL__KEY_MAP, "m/s", "", 0,
     "Velocities at the start, by the names of points (in space also of vectors, in 1/s). A rod or "
     "element starts as its points do, "
     "once those that are given or fixed say how it moves; what is left open follows as for "
     "bodies.",
     NULL, HOL__NO_FIELD},
    {"vectors", HOL__KEY_MAP, NULL, "", HOL__IN_SPACE,
     "Unit vectors by name, at the drawn position; of any length but 0 here.", NULL, HOL__NO_FIELD},
    {"rods", HOL__KEY_MAP, NULL, "", 0, "Rods between two points, by name.", NULL, HOL__NO_FIELD},
    {"distances", HOL__KEY_MAP, NULL, "", 0,
     "Distances between two points that are kept or driven, by name.", NULL, HOL__NO_FIELD},
    {"elements", HOL__KEY_MAP, NULL, "", 0, "Rigid elements of points and vectors, by name.", NULL,
     HOL__NO_FIELD},
    HOL__KEY_END,
};

const hol__key hol__rod_keys[] = {
    {"points", HOL__KEY_NAMES, NULL, NULL, 0, "Its two points.", NULL, HOL__NO_FIELD},
    {"length", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,
     "Its length; default: as drawn. Where it is given the points may be a rough sketch: the parts "
     "are moved until they fit, to the nearest such position.",
     NULL, HOL__NO_FIELD},
    {"mass", HOL__KEY_NUMBER, "kg", "", HOL__POSITIVE,
     "Its mass. Default: a massless rod, which keeps the distance of its points.", NULL,
     HOL__NO_FIELD},
    {"mass_centre", HOL__KEY_NUMBER, "m", "", 0,
     "Distance of the mass centre from the first point, along the rod; default: half-way.", NULL,
     HOL__NO_FIELD},
    {"inertia", HOL__KEY_INERTIA, "kg*m^2", "", HOL__NOT_NEGATIVE,
     "About the mass centre; default: that of a uniform rod. In space in a frame with its x "
     "axis along the rod and its z axis as "
     "near to the global one as can be.",
     NULL, HOL__NO_FIELD},
    {"radius", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE | HOL__IN_SPACE,
     "Radius of a uniform round rod, instead of `inertia`: a rod in space also turns about itself.",
     NULL, HOL__NO_FIELD},
    {"gains", HOL__KEY_MAP, NULL, "", 0,
     "Gains of its constraints, such as {alpha: 20, beta: 15}, instead of those of the run.", NULL,
     HOL__NO_FIELD},
    {"cut", HOL__KEY_BOOL, NULL, "false", 0,
     "A loop is opened here: natural coordinates keep its length as the condition that closes it "
     "(method `velocity-transformation`).",
     NULL, HOL__NO_FIELD},
    HOL__KEY_END,
};

const hol__key hol__rod_distance_keys[] = {
    {"points", HOL__KEY_NAMES, NULL, NULL, 0, "The two points.", NULL, HOL__NO_FIELD},
    {"length", HOL__KEY_TIME_LAW, "m", "", HOL__POSITIVE, "Their distance; default: as drawn.",
     NULL, HOL__NO_FIELD},
    {"gains", HOL__KEY_MAP, NULL, "", 0,
     "Gains of the constraint, such as {alpha: 20, beta: 15}, instead of those of the run.", NULL,
     HOL__NO_FIELD},
    {"cut", HOL__KEY_BOOL, NULL, "false", 0,
     "A loop is opened here: natural coordinates keep it as the condition that closes it "
     "(method `velocity-transformation`).",
     NULL, HOL__NO_FIELD},
    HOL__KEY_END,
};

const hol__key hol__natural_element_keys[] = {
    {"points", HOL__KEY_NAMES, NULL, NULL, 0,
     "Its points: two or more in the plane, one or more in space.", NULL, HOL__NO_FIELD},
    {"vectors", HOL__KEY_NAMES, NULL, "", HOL__IN_SPACE, "Its vectors.", NULL, HOL__NO_FIELD},
    {"mass", HOL__KEY_NUMBER, "kg", NULL, HOL__POSITIVE, "Its mass.", NULL, HOL__NO_FIELD},
    {"inertia", HOL__KEY_INERTIA, "kg*m^2", NULL, HOL__NOT_NEGATIVE,
     "About the mass centre, in the frame of the element: origin at the first point, x axis "
     "towards the second (along the first vector "
     "where there is one point), y axis to the side of the next point or vector off this line "
     "(else z as near to the global z axis as "
     "can be).",
     NULL, HOL__NO_FIELD},
    {"mass_centre", HOL__KEY_VECTOR, "m", "", 0,
     "The mass centre in the frame of the element; default: the mean of its points.", NULL,
     HOL__NO_FIELD},
    {"gains", HOL__KEY_MAP, NULL, "", 0,
     "Gains of its rigid-body constraints, such as {alpha: 20, beta: 15}, instead of those of the "
     "run.",
     NULL, HOL__NO_FIELD},
    {"cut", HOL__KEY_BOOL, NULL, "false", 0,
     "A loop is opened here: natural coordinates keep its rigid-body constraints as the condition "
     "that closes it "
     "(method `velocity-transformation`).",
     NULL, HOL__NO_FIELD},
    HOL__KEY_END,
};
