/* schema_keys.c: the keys of the top level and of bodies, and the names of the kinds of keys. */
#include "model/schema.h"

#include <string.h>

const char *hol__key_kind_name(hol__key_kind kind) {
    static const char *const names[] = {
        [HOL__KEY_NUMBER] = "number",
        [HOL__KEY_TEXT] = "text",
        [HOL__KEY_FILES] = "file, or list of files",
        [HOL__KEY_BOOL] = "true or false",
        [HOL__KEY_CHOICE] = "choice",
        [HOL__KEY_LAW] = "number or expression of time and measures",
        [HOL__KEY_TIME_LAW] = "number or expression of time",
        [HOL__KEY_POINT] = "point",
        [HOL__KEY_POINTS] = "two points",
        [HOL__KEY_VECTOR] = "vector",
        [HOL__KEY_DIRECTION] = "direction",
        [HOL__KEY_LAWS] = "vector of numbers or expressions of time and measures",
        [HOL__KEY_ORIENTATION] = "orientation",
        [HOL__KEY_INERTIA] = "inertia",
        [HOL__KEY_SPIN] = "angular velocity",
        [HOL__KEY_TURN] = "number or expression in the plane, vector of them in space",
        [HOL__KEY_BODY] = "body",
        [HOL__KEY_BODIES] = "two bodies",
        [HOL__KEY_JOINT] = "joint",
        [HOL__KEY_FORCE] = "force",
        [HOL__KEY_WORDS] = "list of words",
        [HOL__KEY_DRIVES] = "map of functions of time",
        [HOL__KEY_MATRIX] = "diagonal or matrix",
        [HOL__KEY_SHAPES] = "shape, or list of shapes",
        [HOL__KEY_GRAVITY] = "vector of numbers or expressions of time, or map",
        [HOL__KEY_NUMBERS] = "list of numbers",
        [HOL__KEY_BY_ROW] = "number, or list of numbers",
        [HOL__KEY_FORMULA] = "number or expression of time and coordinates",
        [HOL__KEY_FORMULAS] = "list of numbers or expressions of time and coordinates",
        [HOL__KEY_JOINTS] = "two joints",
        [HOL__KEY_NAMES] = "list of names",
        [HOL__KEY_COORDINATES] = "map of coordinates",
        [HOL__KEY_TERMS] = "list of terms",
        [HOL__KEY_CURVE] = "list of points of a curve",
        [HOL__KEY_SOLIDS] = "list of two shapes",
        [HOL__KEY_CORNERS] = "list of vectors",
        [HOL__KEY_ACTIVE] = "condition, or map of conditions",
        [HOL__KEY_ELEMENTS] = "joint or force, or list of them",
        [HOL__KEY_SETTINGS] = "variables with values",
        [HOL__KEY_IMPACT] = "joint, restitution, friction",
        [HOL__KEY_ACTIONS] = "action, or list of actions",
        [HOL__KEY_MAP] = "map",
    };
    return names[kind];
}

const hol__key *hol__key_find(const hol__key *keys, const char *name) {
    for (; keys && keys->name; keys++)
        if (strcmp(keys->name, name) == 0) return keys;
    return NULL;
}

static const char *const spaces[] = {"planar", "spatial", NULL};

const hol__key hol__root_keys[] = {
    {"holonom", HOL__KEY_NUMBER, "", NULL, 0, "The version of the format: 1.", NULL, HOL__NO_FIELD},
    {"name", HOL__KEY_TEXT, NULL, "", 0, "Name of the mechanism.", NULL, HOL__NO_FIELD},
    {"description", HOL__KEY_TEXT, NULL, "", 0,
     "Notes for the reader, for example the source of the data.", NULL, HOL__NO_FIELD},
    {"space", HOL__KEY_CHOICE, NULL, NULL, 0, "In the plane (x, y) or in space (x, y, z).", spaces,
     HOL__NO_FIELD},
    {"gravity", HOL__KEY_GRAVITY, "m/s^2", "", 0,
     "The acceleration of gravity; default: none. A list of components, each a number or an "
     "expression of time; or a map with "
     "`uniform` (such a list) and, for the field of a centre, `center` (a point) and `mu` (its "
     "strength, m^3/s^2), which pulls at the mass centre of a body, without turning it.",
     NULL, HOL__NO_FIELD},
    {"include", HOL__KEY_FILES, NULL, "", 0,
     "A file, or a list of files, whose sections are added to this one; parameters here win over "
     "those there.",
     NULL, HOL__NO_FIELD},
    {"parameters", HOL__KEY_MAP, NULL, "", 0,
     "Named numbers and expressions, usable wherever a number may stand; `--set` changes them.",
     NULL, HOL__NO_FIELD},
    {"tables", HOL__KEY_MAP, NULL, "", 0,
     "Named curves through points, from a CSV file or given here, which expressions call like "
     "functions: `pressure(angle)`.",
     NULL, HOL__NO_FIELD},
    {"points", HOL__KEY_MAP, NULL, "", 0,
     "Named points at the drawn position, usable wherever a point may stand.", NULL, HOL__NO_FIELD},
    {"bodies", HOL__KEY_MAP, NULL, "", 0,
     "The moving bodies by name. `ground` is always there. Needed unless `natural` makes them.",
     NULL, HOL__NO_FIELD},
    {"natural", HOL__KEY_MAP, NULL, "", 0,
     "A mechanism by its points, rods and distances, from which bodies and joints are made.", NULL,
     HOL__NO_FIELD},
    {"joints", HOL__KEY_MAP, NULL, "", 0, "The joints by name, each with a `type`.", NULL,
     HOL__NO_FIELD},
    {"forces", HOL__KEY_MAP, NULL, "", 0, "The forces by name, each with a `type`.", NULL,
     HOL__NO_FIELD},
    {"measures", HOL__KEY_MAP, NULL, "", 0,
     "Quantities that are written to the results and may be used in expressions, by name, each "
     "with a `type`. Default: the "
     "motion of every "
     "body.",
     NULL, HOL__NO_FIELD},
    {"stop_when", HOL__KEY_LAW, "", "", 0,
     "The run stops at the instant at which this becomes true (or positive).", NULL, HOL__NO_FIELD},
    {"events", HOL__KEY_MAP, NULL, "", 0, "Actions taken when conditions become true, by name.",
     NULL, HOL__NO_FIELD},
    {"units", HOL__KEY_MAP, NULL, "", 0,
     "Units of the results by kind of quantity, such as {angle: deg, length: mm}; "
     "the same as the option `units`.",
     NULL, HOL__NO_FIELD},
    {"simulation", HOL__KEY_MAP, NULL, "", 0, "Options of the run.", NULL, HOL__NO_FIELD},
    HOL__KEY_END,
};

static const char *const interpolations[] = {"spline", "linear", NULL};
static const char *const outsides[] = {"error", "clamp", "straight", "periodic", NULL};

const hol__key hol__table_keys[] = {
    {"file", HOL__KEY_TEXT, NULL, "", 0,
     "A CSV file, sought beside the model file; or give `points`. Its first line may name the "
     "columns, with units such as `angle [deg]`. The data are kept with results.",
     NULL, HOL__NO_FIELD},
    {"x", HOL__KEY_TEXT, NULL, "1", 0,
     "The column of the abscissae, by name or number, counted from 1.", NULL, HOL__NO_FIELD},
    {"y", HOL__KEY_TEXT, NULL, "2", 0, "The column of the ordinates.", NULL, HOL__NO_FIELD},
    {"points", HOL__KEY_CURVE, NULL, "", 0, "The points, instead of a file.", NULL, HOL__NO_FIELD},
    {"data", HOL__KEY_TEXT, NULL, "", 0,
     "The data read from the file, x and y in turn. Written by the program.", NULL, HOL__NO_FIELD},
    {"source", HOL__KEY_TEXT, NULL, "", 0, "The name of that file. Written by the program.", NULL,
     HOL__NO_FIELD},
    {"x_unit", HOL__KEY_TEXT, NULL, "", 0,
     "The unit of the abscissae, such as deg; default: that in the first line of the file, else "
     "SI.",
     NULL, HOL__NO_FIELD},
    {"y_unit", HOL__KEY_TEXT, NULL, "", 0, "The unit of the ordinates.", NULL, HOL__NO_FIELD},
    {"interpolation", HOL__KEY_CHOICE, NULL, "spline", 0,
     "A cubic spline (natural, or periodic where `outside` is), or straight lines between the "
     "points.",
     interpolations, HOL__NO_FIELD},
    {"outside", HOL__KEY_CHOICE, NULL, "error", 0,
     "Beyond the ends: the run stops (error), the value of the end (clamp), the straight line "
     "along its slope (straight), or the same again (periodic; the first and the last ordinate "
     "are equal then).",
     outsides, HOL__NO_FIELD},
    HOL__KEY_END,
};

static const char *const fixable[] = {"x", "y", "z", "angle", "rx", "ry", "rz", NULL};
static const char *const fixable_velocities[] = {"vx", "vy", "vz", "omega", "wx", "wy", "wz", NULL};
static const char *const frames[] = {"global", "body", NULL};

static const char *const motions[] = {"x", "y", "z", "rx", "ry", "rz", "angle", NULL};

static const char *const shapes[] = {"box",  "cylinder", "sphere", "cone", "rod",
                                     "ring", "torus",    "point",  "mesh", NULL};

const hol__key hol__shape_keys[] = {
    {"type", HOL__KEY_CHOICE, NULL, NULL, 0,
     "The kind of shape; `rod` and `ring` are thin, `point` has no size, a `mesh` is for drawing "
     "only.",
     shapes, HOL__NO_FIELD},
    {"size", HOL__KEY_VECTOR, "m", "", 0,
     "The lengths of a box along its x, y and z axes (in the plane two will do).", NULL,
     HOL__NO_FIELD},
    {"radius", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,
     "Radius of a cylinder, a sphere, a ring, the base of a cone or the centre line of a torus.",
     NULL, HOL__NO_FIELD},
    {"inner", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,
     "Inner radius of a hollow cylinder (a tube) or a hollow sphere.", NULL, HOL__NO_FIELD},
    {"tube", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE, "The radius of the tube of a torus.", NULL,
     HOL__NO_FIELD},
    {"length", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,
     "Length of a cylinder or a rod; height of a cone.", NULL, HOL__NO_FIELD},
    {"mass", HOL__KEY_NUMBER, "kg", "", 0,
     "Its mass; negative for something cut out of the others.", NULL, HOL__NO_FIELD},
    {"density", HOL__KEY_NUMBER, "kg/m^3", "", 0,
     "Its density, instead of a mass; negative for something cut out of the others.", NULL,
     HOL__NO_FIELD},
    {"at", HOL__KEY_VECTOR, "m", "", 0,
     "Its mass centre in the body frame; default: the origin, half-way for a body given by "
     "`along`. (That of a cone is a quarter of its "
     "height above the base.)",
     NULL, HOL__NO_FIELD},
    {"axis", HOL__KEY_VECTOR, NULL, "", HOL__IN_SPACE,
     "Its z axis in the body frame, a vector of any length: the axis of a cylinder, a cone "
     "(towards its tip), a ring, a "
     "torus; default: z. A rod lies along "
     "it; default: along x.",
     NULL, HOL__NO_FIELD},
    {"orientation", HOL__KEY_ORIENTATION, NULL, "", HOL__IN_SPACE,
     "Its orientation in the body frame, instead of `axis`.", NULL, HOL__NO_FIELD},
    {"color", HOL__KEY_TEXT, NULL, "", 0, "Its colour: \"#rrggbb\", in quotes.", NULL,
     HOL__NO_FIELD},
    {"vertices", HOL__KEY_MATRIX, "m", "", 0, "The corners of a mesh, as a list of points.", NULL,
     HOL__NO_FIELD},
    {"faces", HOL__KEY_MATRIX, NULL, "", 0,
     "The faces of a mesh, each a list of corners, counted from 0.", NULL, HOL__NO_FIELD},
    {"file", HOL__KEY_TEXT, NULL, "", 0,
     "A file with the mesh, instead of `vertices` and `faces`: .stl, .obj, .glb or .gltf, beside "
     "the model file. Its numbers are metres unless `scale` says otherwise.",
     NULL, HOL__NO_FIELD},
    {"scale", HOL__KEY_NUMBER, NULL, "1", HOL__POSITIVE,
     "Scale factor for the numbers of a mesh file: 0.001 for millimetres.", NULL, HOL__NO_FIELD},
    {"data", HOL__KEY_TEXT, NULL, "", 0,
     "A mesh as a text, which reading puts in the place of `file`: the number of corners, their "
     "coordinates, the corners of each face with -1 behind them.",
     NULL, HOL__NO_FIELD},
    HOL__KEY_END,
};

const hol__key hol__body_keys[] = {
    {"mass", HOL__KEY_NUMBER, "kg", "", HOL__POSITIVE,
     "Mass. Needed unless a shape with a density or a `motion` is given.", NULL, HOL__NO_FIELD},
    {"inertia", HOL__KEY_INERTIA, "kg*m^2", "", HOL__NOT_NEGATIVE,
     "About the mass centre, in the body frame. In the plane one number; in space [Ixx, Iyy, Izz], "
     "[Ixx, Iyy, Izz, Ixy, Ixz, Iyz] "
     "(the entries of the tensor), three rows of three, or one number where it is the same about "
     "every axis. 0 for a point mass that joints keep from turning freely.",
     NULL, HOL__NO_FIELD},
    {"inertia_at", HOL__KEY_VECTOR, "m", "", 0,
     "The point of the body frame about which `inertia` is given, when it is not the mass centre "
     "(parallel axes).",
     NULL, HOL__NO_FIELD},
    {"shape", HOL__KEY_SHAPES, NULL, "", 0,
     "Mass centre and inertia from a shape, or from a list of shapes that are joined rigidly, each "
     "with a mass or a density, or all sharing "
     "`mass` by volume.",
     NULL, HOL__NO_FIELD},
    {"draw", HOL__KEY_SHAPES, NULL, "", 0,
     "A shape or a list of shapes for drawing only. Default: "
     "its `shape`, or rods between its joints.",
     NULL, HOL__NO_FIELD},
    {"point", HOL__KEY_BOOL, NULL, "false", 0,
     "A point mass, which has no inertia and no orientation: joints and forces act at its place, "
     "and its frame is kept from turning (joint `<name>.orientation`).",
     NULL, HOL__NO_FIELD},
    {"motion", HOL__KEY_DRIVES, NULL, "", 0,
     "A body with a prescribed motion, for example a shaking foundation: displacements x, y, z of "
     "the "
     "origin of its frame from the drawn "
     "position along the global axes, and rotations rx, ry, rz in this order (in the plane angle), "
     "as functions of time; directions left out do not move. The compiler adds the joint "
     "`<name>.motion` to ground, whose reaction is the load that drives the motion.",
     motions, HOL__NO_FIELD},
    {"position", HOL__KEY_POINT, "m", "", 0, "The origin of the body frame at the drawn position.",
     NULL, HOL__NO_FIELD},
    {"angle", HOL__KEY_NUMBER, "rad", "", HOL__IN_PLANE,
     "The angle of the body frame at the drawn position.", NULL, HOL__NO_FIELD},
    {"orientation", HOL__KEY_ORIENTATION, NULL, "", HOL__IN_SPACE,
     "The orientation of the body frame at the drawn position: {axis:, angle:}, {euler: [x, y, z]} "
     "(turns about x, then the new y, "
     "then the new z), or {quaternion: [w, x, y, z]} (brought to unit length).",
     NULL, HOL__NO_FIELD},
    {"along", HOL__KEY_POINTS, "m", "", 0,
     "Two points [P, Q] instead of a position: the body frame has its origin at P and its x axis "
     "towards Q, and the mass centre is half-way unless `com` says otherwise. In space its z axis "
     "is as near to the global z axis as can be, to the global y axis where PQ stands within 8 "
     "degrees of the vertical; `holonom view --show axes` draws the frames.",
     NULL, HOL__NO_FIELD},
    {"length", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,
     "With `along`: the length from the first to the second point. The points are then a sketch: "
     "all that is drawn on this body is to its scale, and the bodies are moved until the joints "
     "close, from the drawn position to the nearest.",
     NULL, HOL__NO_FIELD},
    {"com", HOL__KEY_VECTOR, "m", "", 0, "The mass centre in the body frame; default: the origin.",
     NULL, HOL__NO_FIELD},
    {"velocity", HOL__KEY_VECTOR, "m/s", "", 0,
     "Velocity of the mass centre at the start. What is not given follows from the joints and the "
     "velocities that are given.",
     NULL, HOL__NO_FIELD},
    {"omega", HOL__KEY_SPIN, "rad/s", "", 0,
     "Angular velocity at the start; in space in the frame `omega_frame`.", NULL, HOL__NO_FIELD},
    {"omega_frame", HOL__KEY_CHOICE, NULL, "global", HOL__IN_SPACE, "The frame of `omega`.", frames,
     HOL__NO_FIELD},
    {"cut", HOL__KEY_BOOL, NULL, "false", 0,
     "Natural coordinates: a loop is opened here; the rigid-body constraints of this body close it "
     "(method `velocity-transformation`).",
     NULL, HOL__NO_FIELD},
    {"fix", HOL__KEY_WORDS, NULL, "", 0,
     "Coordinates that assembly may not move: x, y, z of the mass centre, angle (in the plane), "
     "rx, ry, rz (in space, about the "
     "body axes).",
     fixable, HOL__NO_FIELD},
    {"fix_velocity", HOL__KEY_WORDS, NULL, "", 0,
     "Velocities that must be met exactly: vx, vy, vz, omega (in the plane), wx, wy, wz (in space, "
     "body frame).",
     fixable_velocities, HOL__NO_FIELD},
    {"weight", HOL__KEY_NUMBER, "", "1", HOL__POSITIVE,
     "How strongly assembly holds the body at its drawn position, relative to the others.", NULL,
     HOL__NO_FIELD},
    {"gains", HOL__KEY_MAP, NULL, "", 0,
     "Gains of the equations that the body brings with it (rigid-body constraints of natural "
     "coordinates, a `motion`, the frame of a point mass), such as {alpha: 20, beta: 15}, instead "
     "of those of the run.",
     NULL, HOL__NO_FIELD},
    HOL__KEY_END,
};
