/* test_bad_input.c: every mistake in a model file gives an error that says where it is (line and
 * column), what is wrong and what to try; all mistakes of a file are reported in one run, and
 * nothing that can be written in a file crashes the library.
 */
#include "bad_files.h"

/* ---- the table ---- */

/* Points of the plane: A2 lies on A, G is on a body. */
#define POINTS                                                                                     \
    "points: {O: [0, 0], A: [1, 0], B: [2, 0], A2: [1, 0], G: {body: a, at: [0, 0]}, C: [2, 3]}\n"

/* clang-format off */
static const bad_file files[] = {
    /* keys */
    {"unknown key at the top", PLANE ROD "gravitiy: [0, -9.81]\n",
     {{5, 1, "unknown key 'gravitiy' in a model file; did you mean 'gravity'?"}}},
    {"unknown key of a body", PLANE "bodies:\n  rod: {mass: 1, inertia: 0.1, positoin: [0, 0]}\n",
     {{4, 32, "body 'rod': unknown key 'positoin' in a body; did you mean 'position'?"}}},
    {"unknown key instead of a needed one", PLANE "bodies:\n  rod: {mas: 1.2, inertia: 0.1}\n",
     {{4, 9, "body 'rod': unknown key 'mas' in a body; did you mean 'mass'?"},
      {4, 8, "body 'rod': a body needs the key 'mass'"}}},
    {"unknown key of a joint", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], "
     "at: [0, 0], att_second: [0, 0]}\n",
     {{6, 58,
      "joint 'A': unknown key 'att_second' in a revolute joint; did you mean 'at_second'?"}}},
    {"a comma in a list, in a point that three use", PLANE ROD "points: {P: [hypot(3, 4), 0]}\n"
     "joints:\n  A: {type: revolute, bodies: [ground, rod], at: P}\n"
     "  B: {type: revolute, bodies: [ground, rod], at: P}\n",
     {{5, 14, "'hypot(3, 4)' is cut by its comma, which separates items of a list: quote the"}}},
    {"missing key of a body", PLANE "bodies:\n  rod: {mass: 1.2}\n",
     {{4, 8, "body 'rod': a body needs the key 'inertia'"}}},
    {"missing key of a joint", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod]}\n",
     {{6, 6, "joint 'A': a revolute joint needs the key 'at' (point)"}}},
    {"missing type", PLANE ROD "joints:\n  A: {bodies: [ground, rod], at: [0, 0]}\n",
     {{6, 6, "joint 'A': needs a 'type', one of: revolute, "}}},
    {"unknown type", PLANE ROD "joints:\n  A: {type: revolut, bodies: [ground, rod], at: [0, 0]}\n",
     {{6, 13,
       "joint 'A': there is no type 'revolut' in joints; did you mean 'revolute'? The types are"}}},
    {"type by another name", PLANE ROD "joints:\n  A: {type: hinge, bodies: [ground, rod], at: [0, "
     "0]}\n", {{6, 13, "there is no type 'hinge' in joints; did you mean 'revolute'?"}}},
    {"option by another name", PLANE ROD "simulation: {tol: 1e-6, dt: 0.1}\n",
     {{5, 14, "unknown option 'tol'; did you mean 'tolerance'?"},
      {5, 25, "unknown option 'dt'; did you mean 'step'?"}}},
    {"key by another name", PLANE ROD "forces:\n  s: {type: spring, bodies: [ground, rod], from: "
     "[1, 0], to: [0, 0], kp: 3}\n",
     {{6, 70, "unknown key 'kp' in a spring force; did you mean 'stiffness'?"}}},
    {"type of another section", PLANE ROD "joints:\n  s: {type: spring, bodies: [ground, rod], "
     "from: [1, 0], to: [0, 0]}\n",
     {{6, 13, "there is no type 'spring' in joints; there is 'spring' in forces. The types are: "
       "revolute"}}},
    {"what is measured, by its unit", PLANE ROD "measures:\n  m: {type: torque, body: rod}\n",
     {{6, 13, "there is no type 'torque' in measures; did you mean 'load'?"}}},
    {"length as a measure", PLANE ROD "measures:\n  m: {type: length, body: rod}\n",
     {{6, 13, "there is no type 'length' in measures; did you mean 'distance'?"}}},
    {"a choice as a key", PLANE ROD HINGE
     "  B: {type: revolute, bodies: [ground, rod], at: [1, 0]}\n"
     "  g: {type: gear, joints: [A, B], teeth: [20, 40], internal: true}\n",
     {{8, 52, "unknown key 'internal' in a gear joint; did you mean 'kind: internal'?"}}},
    {"ratio of gears", PLANE ROD HINGE "  B: {type: revolute, bodies: [ground, rod], at: [1, 0]}\n"
     "  g: {type: gear, joints: [A, B], ratio: 2}\n",
     {{8, 35, "unknown key 'ratio' in a gear joint; did you mean 'teeth'?"}}},
    {"displacement of a motor", PLANE ROD HINGE
     "  m: {type: motor, joint: A, displacement: 0.1*t}\n",
     {{7, 30, "unknown key 'displacement' in a motor joint; did you mean 'angle'?"}}},
    {"components of a force", PLANE ROD "forces:\n  f: {type: force, body: rod, fx: 3}\n",
     {{6, 31, "force 'f': unknown key 'fx' in a force; did you mean 'force'?"},
      {6, 6, "force 'f': a force needs the key 'force'"}}},
    {"an article", PLANE ROD "measures:\n  m: {type: angle, body: rod, at: [0, 0]}\n",
     {{6, 31, "unknown key 'at' in an angle measure"}}},
    {"brake", PLANE ROD HINGE "forces:\n  f: {type: brake, joint: A, level: 3}\n",
     {{8, 13, "there is no type 'brake' in forces; did you mean 'friction'?"}}},
    {"coefficient of friction", PLANE ROD HINGE
     "forces:\n  f: {type: friction, joint: A, mu: 0.3}\n",
     {{8, 33, "unknown key 'mu' in a friction force; did you mean 'level'?"},
      {8, 6, "a friction force needs the key 'level'"}}},
    {"maximum", PLANE ROD HINGE "forces:\n  f: {type: limit, joint: A, max: 1, stiffness: 3}\n",
     {{8, 30, "unknown key 'max' in a limit force; did you mean 'upper'?"}}},
    {"rate of a joint", PLANE ROD HINGE "measures:\n  m: {type: joint_coordinate, joint: A, "
     "component: rate}\n",
     {{8, 52, "'rate' is not a value of 'component'; it is one of: angle, displacement, "
       "angle_rate, displacement_rate; did you mean 'angle_rate'?"}}},
    {"end by another name", PLANE ROD "simulation: {stop: 5}\n",
     {{5, 14, "unknown option 'stop'; did you mean 'end'?"}}},
    {"unit by another name", PLANE "bodies:\n  rod: {mass: 1, inertia: 0.1, angle: 30 degrees}\n",
     {{4, 42, "unknown unit 'degrees'; did you mean 'deg'?"}}},
    {"sign for degrees", PLANE "bodies:\n  rod: {mass: 1, inertia: 0.1, angle: 30\302\260}\n",
     {{4, 41, "unexpected '\302\260'; degrees are written deg"}}},
    {"space in other words", "holonom: 1\nspace: 3D\ngravity: [0, 0, -9.81]\n" ROD3 "joints:\n  "
     "A: {type: spherical, bodies: [ground, rod], at: [0, 0, 0]}\n",
     {{2, 8, "'3D' is not a value of 'space'; it is one of: planar, spatial; did you mean "
       "'spatial'?"}}},
    {"no space", "holonom: 1\n" ROD3, {{1, 1, "a model file needs the key 'space'"}}},
    {"comma without quotes", PLANE "bodies:\n  rod: {mass: 1, inertia: max(1, 2)}\n",
     {{4, 34, "'2)' reads as a key: a comma inside { } ends a value; quote the whole expression"},
      {4, 32, "inside { } or [ ] an expression with a comma must be quoted"}}},
    {"axes of a universal joint", SPACE ROD3 "joints:\n  A: {type: universal, bodies: [ground, "
     "rod], at: [0, 0, 0], axis: [0, 1, 0], axis_second: [0, 1, 1]}\n",
     {{6, 92, "the axes of a universal joint are perpendicular; these are drawn at 45 deg"}}},
    {"direction in seconds", PLANE ROD "joints:\n  A: {type: prismatic, bodies: [ground, rod], "
     "at: [0, 0], axis: [2 s, 1 m]}\n",
     {{6, 66, "joint 'A': '2 s' has the wrong unit; expected m, found s"}}},
    {"negative inertia about one axis", SPACE "bodies:\n  rod: {mass: 1, inertia: [-1.3, 0.1, "
     "0.1]}\n",
     {{4, 27, "body 'rod': the inertia tensor has the negative principal value -1.3"}}},
    {"frame of no angular velocity", SPACE "bodies:\n  rod: {mass: 1, inertia: 1, omega_frame: "
     "bodies}\n",
     {{4, 43, "body 'rod': 'bodies' is not a value of 'omega_frame'"}}},
    {"units of a bushing", PLANE ROD HINGE "forces:\n  b: {type: bushing, bodies: [ground, rod], "
     "at: [0, 0], stiffness: [1 N/m, 2 N*m, 3 N/m], damping: [[1 N*s/m, 0, 1 N*s], [0, 2 N, 0], "
     "[1 N*s, 0, 1 N*m*s/rad]]}\n",
     {{8, 76, "force 'b': '2 N*m' has the wrong unit; expected N/m, found J"},
      {8, 83, "force 'b': '3 N/m' has the wrong unit; expected N*m/rad, found kg/s^2"},
      {8, 126, "force 'b': '2 N' has the wrong unit; expected N*s/m, found N"}}},
    {"units of a controller", PLANE ROD HINGE "forces:\n  p: {type: pid, joint: A, target: 3 s, "
     "proportional: 2 N/m, integral: 3 N*m/rad/s}\n  q: {type: pid, joint: A, measured: w, "
     "target: 3 m, proportional: 2}\nmeasures:\n  w: {type: angle, body: rod}\n",
     {{8, 36, "force 'p': '3 s' has the wrong unit; expected rad, found s"},
      {8, 55, "force 'p': '2 N/m' has the wrong unit; expected N*m/rad, found kg/s^2"},
      {9, 49, "force 'q': '3 m' has the wrong unit; expected rad, found m"}}},
    {"key given twice", PLANE "bodies:\n  rod: {mass: 1, inertia: 1}\n  rod: {mass: 2, inertia: "
     "1}\n", {{5, 3, "the key 'rod' is given twice"}}},

    /* gains */
    {"gains that are none", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], "
     "at: [0, 0], gains: 7}\n",
     {{6, 65, "joint 'A': 'gains' is a map such as {alpha: 20, beta: 15}"}}},
    {"unknown gain", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], "
     "at: [0, 0], gains: {alhpa: 3}}\n",
     {{6, 66, "joint 'A': unknown key 'alhpa' in the gains of a joint; did you mean 'alpha'?"}}},
    {"gains of zero and below", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], "
     "at: [0, 0], gains: {alpha: 0, mu: [1, -2]}}\n",
     {{6, 73, "joint 'A': alpha is 0; it must be positive"},
      {6, 84, "joint 'A': mu is -2; it must be positive"}}},
    {"gains that are no numbers", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], "
     "at: [0, 0], gains: {beta: .nan, omega: 3 kg}}\n",
     {{6, 72, "joint 'A': '.nan' is not a finite number"},
      {6, 85, "joint 'A': '3 kg' has the wrong unit; expected rad/s"}}},
    {"too many gains", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], "
     "at: [0, 0], gains: {beta: [1, 2, 3]}}\n",
     {{6, 72, "joint 'A': 'beta' has 3 numbers and the joint 2 equations (translation x, "
       "translation y); give one number for all or one for each"}}},
    {"no gains", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], "
     "at: [0, 0], gains: {penalty: []}}\n",
     {{6, 75, "joint 'A': 'penalty' is an empty list; give a number"}}},
    {"list of gains of a body", PLANE "bodies:\n  rod: {mass: 1.2, inertia: 0.1, gains: {mu: [1, "
     "2]}}\n", {{4, 46, "body 'rod': 'mu' of a body is one number for all rows"}}},

    /* kinds of values */
    {"list and map instead of numbers", PLANE "bodies:\n  rod: {mass: [1, 2], inertia: {a: 1}}\n",
     {{4, 15, "body 'rod': expected a number or an expression, found a list"},
      {4, 32, "expected a number or an expression, found a map"}}},
    {"condition without quotes", PLANE ROD "forces:\n  F: {type: force, body: rod, force: [t < 1 ? "
     "2 : 3, 0]}\n", {{6, 49, "found a map; an expression that contains ': ' needs quotes"}}},
    {"number instead of a vector", PLANE "gravity: 9.81\n" ROD,
     {{3, 10, "gravity: must be a list, e.g. [0, -9.81]; found a number or text"}}},
    {"point instead of a direction", PLANE "points: {P: [0.4, 0.3]}\n" ROD
     "joints:\n  S: {type: prismatic, bodies: [ground, rod], at: P, axis: P}\n",
     {{7, 60, "axis must be a list, e.g. [1, 0]; 'P' is a point: a direction goes from one "
              "point to another, as in [P, Q]"}}},
    {"direction between one point", PLANE "points: {P: [0.4, 0.3], Q: P}\n" ROD
     "joints:\n  S: {type: prismatic, bodies: [ground, rod], at: P, axis: [P, Q]}\n",
     {{7, 60, "the two points of 'axis' coincide"}}},
    {"direction between a point and a typo", "holonom: 1\nspace: spatial\n"
     "points: {P: [0.4, 0.3, 0], Qx: [1, 0, 0.2]}\nbodies:\n  rod: {mass: 1, inertia: 1}\n"
     "joints:\n  S: {type: prismatic, bodies: [ground, rod], at: P, axis: [P, Q]}\n",
     {{7, 64, "there is no point 'Q' in the section points; did you mean 'Qx'?"}}},
    {"direction with two meanings", PLANE "parameters: {Q: 0.3}\n"
     "points: {P: [0.4, 0.3], Q: [1, 0]}\n" ROD
     "joints:\n  S: {type: prismatic, bodies: [ground, rod], at: P, axis: [P, Q]}\n",
     {{8, 64, "'Q' is a point and a parameter: axis would be the direction between two points or "
              "a list of components"}}},
    {"list instead of a section", PLANE "bodies:\n  - {mass: 1}\n",
     {{4, 3, "the section 'bodies' is a map of names, found a list"}}},
    {"list of named bodies",
     PLANE "bodies:\n  - crank: {mass: 1, inertia: 1}\n  - rod:\n      mass: 1\n",
     {{4, 3, "found a list; write 'crank:' without the dash"}}},
    {"list with names that lost their keys", PLANE "bodies:\n  - crank:\n    mass: 1\n",
     {{4, 3, "found a list; write 'crank:' without the dash"}}},
    {"list of joints with names", PLANE ROD "joints:\n  - name: A\n    type: revolute\n",
     {{6, 3, "write 'A:' and its keys below it instead of '- name: A'"}}},
    {"list of parameters", PLANE ROD "parameters:\n  - L: 1\n",
     {{6, 3, "write 'L:' without the dash"}}},
    {"list of bodies without names", PLANE "bodies:\n  - {mass: 1}\n",
     {{4, 3, "found a list; write each as 'name: ...' on a line of its own, without a dash"}}},
    {"number instead of a body", PLANE "bodies:\n  rod: 7\n",
     {{4, 8, "body 'rod': a body is a map of keys"}}},
    {"word instead of a list of words", PLANE "bodies:\n  rod: {mass: 1, inertia: 1, fix: x}\n",
     {{4, 35, "body 'rod': 'fix' is a list of words"}}},
    {"three components in the plane", PLANE "gravity: [0, 0, -9.81]\n" ROD,
     {{3, 10, "gravity: has 2 components in a planar model, found 3"}}},
    {"two components in space", SPACE "gravity: [0, -9.81]\n" ROD3,
     {{3, 10, "gravity: has 3 components in a spatial model, found 2"}}},
    {"one end instead of two", PLANE "bodies:\n  rod: {mass: 1, inertia: 1, along: [[0, 0]]}\n",
     {{4, 37, "body 'rod': 'along' is a list of two points"}}},

    /* numbers */
    {"no number", PLANE "bodies:\n  rod: {mass: .nan, inertia: nan}\n",
     {{4, 15, "body 'rod': '.nan' is not a finite number"},
      {4, 30, "body 'rod': 'nan' is not a finite number"}}},
    {"infinity", PLANE "bodies:\n  rod: {mass: .inf, inertia: -Infinity}\n",
     {{4, 15, "'.inf' is not a finite number"}, {4, 30, "'-Infinity' is not a finite number"}}},
    {"division by zero", PLANE "bodies:\n  rod: {mass: 1/0, inertia: 0/0}\n",
     {{4, 16, "body 'rod': the value is not a finite number: this gives infinity"},
      {4, 30, "no number (NaN)"}}},
    {"too large", PLANE "bodies:\n  rod: {mass: 1e999, inertia: exp(1000)}\n",
     {{4, 15, "body 'rod': "}, {4, 31, "this gives infinity"}}},
    {"division by zero in a driver", PLANE ROD "joints:\n  A: {type: generic, bodies: [ground, "
     "rod], at: [0, 0], drive: {angle: 1/0}}\n",
     {{6, 73, "joint 'A': the value is not a finite number: this gives infinity"}}},
    {"mass zero", PLANE "bodies:\n  rod: {mass: 0, inertia: 0.1}\n",
     {{4, 15, "body 'rod': mass is 0; it must be positive"}}},
    {"mass negative", PLANE "bodies:\n  rod: {mass: 2 - 4.5, inertia: 0.1}\n",
     {{4, 15, "body 'rod': mass is -2.5; it must be positive"}}},
    {"inertia negative", PLANE "bodies:\n  rod: {mass: 1, inertia: -0.1}\n",
     {{4, 27, "body 'rod': inertia is -0.1; it must not be negative"}}},
    {"inertia negative for all axes", SPACE "bodies:\n  rod: {mass: 1, inertia: -0.3}\n",
     {{4, 27, "body 'rod': inertia is -0.3; it must not be negative"}}},
    {"principal inertia negative", SPACE "bodies:\n  rod: {mass: 1, inertia: [0.1, -0.2, 0.3]}\n",
     {{4, 27, "the negative principal value -0.2"}}},
    {"triangle inequality", SPACE "bodies:\n  rod: {mass: 1, inertia: [0.1, 0.2, 0.31]}\n",
     {{4, 27,
      "body 'rod': principal inertias 0.1, 0.2, 0.31: the largest exceeds the sum of the others"}}},
    {"tensor not symmetric", SPACE "bodies:\n  rod: {mass: 1, inertia: [[1, 0.1, 0], [0.2, 1, 0], "
     "[0, 0, 1]]}\n", {{4, 27, "the inertia tensor is not symmetric"}}},
    {"axis of length zero", SPACE ROD3 "joints:\n  A: {type: revolute, bodies: [ground, rod], at: "
     "[0, 0, 0], axis: [0, 1 - 1, 0]}\n",
     {{6, 67, "joint 'A': axis has length 0; give a direction such as [0, 0, 1]"}}},
    {"quaternion of length zero", SPACE "bodies:\n  rod: {mass: 1, inertia: 0.1, orientation: "
     "{quaternion: [0, 0, 0, 0]}}\n", {{4, 58, "the quaternion has length 0"}}},
    {"ends that coincide", PLANE "bodies:\n  rod: {mass: 1, inertia: 0.1, along: [[1, 1], [1, "
     "1]]}\n", {{4, 39, "the two points of 'along' coincide"}}},
    {"placed twice", PLANE "bodies:\n  rod: {mass: 1, inertia: 0.1, along: [[1, 1], [1, 2]], "
     "position: [0, 0]}\n", {{4, 67, "leave out 'position'"}}},
    {"distance of zero", PLANE ROD
     "joints:\n  A: {type: distance, bodies: [ground, rod], from: [0, 0], to: [0, 0]}\n",
     {{6, 6, "joint 'A': the distance is 0 at the start; it must be positive (use a revolute joint "
      "for 0)"}}},

    /* plane and space */
    {"spherical joint in the plane",
     PLANE ROD "joints:\n  A: {type: spherical, bodies: [ground, rod], at: [0, 0]}\n",
     {{6, 13, "joint 'A': 'spherical' does not exist in the plane; use 'revolute'"}}},
    {"spatial key in the plane",
     PLANE "bodies:\n  rod: {mass: 1, inertia: 1, orientation: {axis: [0, 0, 1], angle: 1}}\n",
     {{4, 30, "body 'rod': the key 'orientation' has no meaning in a planar model"}}},
    {"axis in the plane", PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, "
     "0], axis: [0, 0, 1]}\n",
     {{6, 58, "joint 'A': the key 'axis' has no meaning in a planar model"}}},
    {"planar key in space", SPACE "bodies:\n  rod: {mass: 1, inertia: 1, angle: 1}\n",
     {{4, 30, "body 'rod': the key 'angle' has no meaning in a spatial model"}}},
    {"direction of space in the plane",
     PLANE ROD "joints:\n  A: {type: generic, bodies: [ground, rod], at: [0, 0], lock: [x, rz]}\n",
     {{6, 63, "joint 'A': 'rz' is not a direction of a planar joint; use x, y, angle"}}},
    {"generic joint that does nothing",
     PLANE ROD "joints:\n  A: {type: generic, bodies: [ground, rod], at: [0, 0]}\n",
     {{6, 6, "joint 'A': a generic joint locks or drives at least one direction"}}},
    {"unknown space", "holonom: 1\nspace: planer\n" ROD,
     {{2, 8,
     "'planer' is not a value of 'space'; it is one of: planar, spatial; did you mean 'planar'?"}}},
    {"no space", "holonom: 1\n" ROD, {{1, 1, "a model file needs the key 'space'"}}},

    /* names */
    {"missing body", PLANE ROD
     "joints:\n  A: {type: revolute, bodies: [ground, rodd], at: [0, 0]}\n",
     {{6, 40, "joint 'A': there is no body 'rodd'; did you mean 'rod'?"}}},
    {"joint of a body with itself",
     PLANE ROD "joints:\n  A: {type: revolute, bodies: [rod, rod], at: [0, 0]}\n",
     {{6, 31,
      "joint 'A': 'bodies' names 'rod' twice; an element acts between two different bodies"}}},
    {"joint of one body", PLANE ROD "joints:\n  A: {type: revolute, bodies: [rod], at: [0, 0]}\n",
     {{6, 31, "joint 'A': 'bodies' is a list of two bodies"}}},
    {"body called ground", PLANE "bodies:\n  ground: {mass: 1, inertia: 1}\n",
     {{4, 3, "body 'ground': the name 'ground' is taken"}}},
    {"force on ground", PLANE ROD "forces:\n  f: {type: force, body: ground, force: [1, 0]}\n",
     {{6, 26, "force 'f': a force on ground has no effect"}}},
    {"unknown point", PLANE "points: {Pivot: [0, 0]}\n" ROD
     "joints:\n  A: {type: revolute, bodies: [ground, rod], at: Pivott}\n",
     {{7, 50,
      "joint 'A': there is no point 'Pivott' in the section points; did you mean 'Pivot'?"}}},
    {"point defined by itself", PLANE "points:\n  P: Q\n  Q: P\n" ROD,
     {{5, 6, "point 'Q' is defined by itself"}}},
    {"unknown joint", PLANE ROD "joints: {Pivot: {type: revolute, bodies: [ground, rod], at: [0, "
     "0]}}\nforces:\n  f: {type: torsion, joint: pivot, damping: 1}\n",
     {{7, 29, "force 'f': there is no joint 'pivot'; did you mean 'Pivot'?"}}},
    {"joint without axis", SPACE ROD3 "joints: {A: {type: spherical, bodies: [ground, rod], at: "
     "[0, 0, 0]}}\nforces:\n  f: {type: torsion, joint: A, damping: 1}\n",
     {{7, 29,
      "force 'f': joint 'A' is a spherical joint, which has no axis to act about or along"}}},
    {"parameters in a circle", PLANE "parameters:\n  a: 2*b\n  b: c + 1\n  c: a/3\n" ROD,
     {{6, 6, "parameter 'c': parameter 'a' depends on itself"}}},
    {"parameter of itself", PLANE "parameters: {a: a + 1}\n" ROD,
     {{3, 17, "parameter 'a': parameter 'a' depends on itself"}}},
    {"names of parameters", PLANE "parameters: {\"a-b\": 1, t: 3, pi: 3}\n" ROD,
     {{3, 15, "'a-b' cannot be used in expressions"}, {3, 24, "the name 't' is taken"},
      {3, 30, "the name 'pi' is taken"}}},
    {"measures in a circle", PLANE ROD "measures:\n  a: {type: expression, value: b + 1}\n  b: "
     "{type: expression, value: 2*a}\n", {{6, 3, "measure 'a': depends on itself"}}},

    /* units */
    {"unknown unit", PLANE "bodies:\n  rod: {mass: 5 kgg, inertia: 0.1}\n",
     {{4, 17, "body 'rod': unknown unit 'kgg'; did you mean 'kg'?"}}},
    {"a number without its unit",
     PLANE "parameters: {L: 600 mm}\nbodies:\n  rod: {mass: 1, inertia: 2.5*L^2/12}\n",
     {{5, 27,
       "body 'rod': '2.5*L^2/12' has the wrong unit; expected kg*m^2, found m^2; a number that is "
       "in kg needs its unit, as in 2.5 kg*L^2"}}},
    {"wrong unit", PLANE "bodies:\n  rod: {mass: 5 mm, inertia: 0.1}\n",
     {{4, 15, "body 'rod': '5 mm' has the wrong unit; expected kg"}}},
    {"angle as a length", PLANE "bodies:\n  rod: {mass: 5, inertia: 0.1, position: [30 deg, 0]}\n",
     {{4, 43, "body 'rod': '30 deg' has the wrong unit; expected m"}}},
    {"a parameter with the name of a unit",
     PLANE "parameters: {m: 4}\n" ROD "forces:\n  s: {type: spring, bodies: [ground, rod], "
     "from: [0, 0], "
     "to: [1, 0], stiffness: 100 N/m, free_length: 3 m}\n",
     {{7, 87, "force 's': 'm' is a unit and also the parameter 'm': for the parameter write "
     "(100 N)/m, "
              "for the unit rename the parameter"}}},
    {"a parameter of another unit", PLANE "parameters: {m: 3 s, k: m*2 N/m^2}\n"
     "bodies:\n  rod: {mass: m, inertia: 0.1}\n",
     {{3, 31, "parameter 'k': 'm' is a unit and also the parameter 'm'"},
      {5, 15, "body 'rod': 'm' has the wrong unit; expected kg, found s"}}},
    {"units through parameters", PLANE "parameters: {a: 3 mm, b: 2*a, T: 3 s, c: b/T, d: a + T}\n"
     "bodies:\n  rod: {mass: c*2 kg*T/b, inertia: 0.1, position: [b, c]}\n",
     {{3, 52, "parameter 'd': cannot add m and s"},
      {5, 55, "body 'rod': 'c' has the wrong unit; expected m, found m/s"}}},
    {"units of points", PLANE "points: {P: [0, 3 s]}\n" ROD "joints:\n  A: {type: revolute, "
    "bodies: "
     "[ground, rod], at: P}\n", {{3, 17, "joint 'A': '3 s' has the wrong unit; expected m, "
     "found s"}}},
    {"units of laws in time", PLANE "parameters: {f: 2 Hz}\n" ROD "forces:\n  a: {type: "
    "torque, body: rod, torque: 60 deg*t}\n"
     "  b: {type: torque, body: rod, torque: sin(f*t)}\n  c: {type: torque, body: rod, "
     "torque: \"step(t, 0 s, 0, 1 m, 5)\"}\n"
     "  d: {type: torque, body: rod, torque: 2 t}\n",
     {{7, 40, "force 'a': '60 deg*t' has the wrong unit; expected N*m, found s*rad"},
      {8, 44, "force 'b': sin needs an angle or a plain number, not cycles; Hz counts "
      "cycles: 2*pi times Hz is rad/s, a plain rate is written in 1/s"},
      {9, 57, "force 'c': cannot compare s and m"},
      {10, 40, "expected N*m, found kg; 't' behind a number is a unit, to multiply write *t"}}},
    {"a frequency as an angular velocity", PLANE ROD "joints:\n  A: {type: revolute, bodies: "
    "[ground, rod], at: [0, 0]}\n"
     "  M: {type: motor, joint: A, speed: 2 Hz}\n",
     {{7, 37, "joint 'M': '2 Hz' has the wrong unit; expected rad/s, found Hz; Hz counts "
      "cycles: 2*pi times Hz is rad/s, a plain rate is written in 1/s"}}},
    {"units of measures", PLANE ROD "forces:\n  a: {type: torque, body: rod, torque: tip.x + "
    "turn}\n"
     "  b: {type: torque, body: rod, torque: 3 N*turn}\n"
     "measures:\n  tip: {type: position, body: rod}\n  turn: {type: angle, body: rod}\n",
     {{6, 46, "force 'a': cannot add m and rad"},
      {7, 40, "force 'b': '3 N*turn' has the wrong unit; expected N*m, found kg*m*rad/s^2"}}},
    {"wrong unit of an option", PLANE ROD "simulation: {end: 3 kg}\n",
     {{5, 19, "simulation: '3 kg' has the wrong unit; expected s"}}},
    {"turns as a plain number",
     PLANE "parameters: {w: 6 rad/s}\n" ROD "simulation: {end: 4*pi/w}\n",
     {{6, 19, "expected s, found s/rad; give angles their unit: 1 rev or 360 deg"}}},

    /* expressions */
    {"expression that ends early", PLANE "bodies:\n  rod: {mass: 1.2*(3 +, inertia: 0.1}\n",
     {{4, 23, "body 'rod': the expression ends where a value is expected"}}},
    {"expression in a block", PLANE "bodies:\n  rod:\n    mass: 1.2*(3 + 4\n    inertia: 0.1 $ 3\n",
     {{5, 21, "')' is missing for the '(' in column 15"}, {6, 18, "body 'rod': unexpected '$'"}}},
    {"expression in double quotes", PLANE "bodies:\n  rod: {mass: \"1.2 * (3 ++ / 4)\", inertia: "
     "0.1}\n", {{4, 28, "a value is expected before '/'"}}},
    {"expression in single quotes",
     PLANE "bodies:\n  rod: {mass: '1.2 ? 4', inertia: 'hypot(1)'}\n",
     {{4, 23, "':' is missing for the '?' in column 20"},
      {4, 36, "hypot takes at least 2 arguments, not 1; write hypot(x, y, ...)"}}},
    {"unknown function and name",
     PLANE "parameters: {Len: 1}\n" "bodies:\n  rod: {mass: sinn(1), inertia: 2*Lne}\n",
     {{5, 15, "unknown function 'sinn'; did you mean 'sin'?"},
      {5, 35, "unknown name 'Lne'; did you mean 'Len'?"}}},
    {"time in a constant", PLANE "bodies:\n  rod: {mass: 2*t, inertia: 1}\n",
     {{4, 17, "body 'rod': 't' is the time, but a constant is wanted here"}}},
    {"measure in a constant", PLANE "bodies:\n  rod: {mass: 2 + tip.x, inertia: 1}\nmeasures:\n  "
     "tip: {type: position, body: rod}\n",
     {{4, 19, "body 'rod': 'tip.x' is a measure, but a constant is wanted here"}}},
    {"measure in a driver", PLANE ROD "joints:\n  A: {type: generic, bodies: [ground, rod], at: "
     "[0, 0], drive: {angle: a}}\nmeasures: {a: {type: angle, body: rod}}\n",
     {{6, 72, "joint 'A': 'a' is a measure, but only time may be used here"}}},
    {"unknown measure in a law", PLANE ROD "forces:\n  f: {type: force, body: rod, force: [3*tp.x, "
     "0]}\nmeasures:\n  tip: {type: position, body: rod}\n",
     {{6, 41, "force 'f': unknown name 'tp.x'; did you mean 'tip.x'?"}}},
    {"reaction in a force", PLANE ROD HINGE "forces:\n  f: {type: torque, body: rod, torque: "
     "0.1*pin.fx}\nmeasures:\n  pin: {type: reaction, joint: A}\n",
     {{8, 40, "force 'f': 'pin.fx' follows from the forces and cannot drive one"}}},
    {"reaction in a force by an expression",
     PLANE ROD HINGE "forces:\n  f: {type: torque, body: rod, torque: 0.1*twice}\nmeasures:\n  "
         "pin: {type: reaction, joint: A}\n  twice: {type: expression, value: 2*pin.fx}\n",
     {{8, 40, "force 'f': 'twice' follows from the forces and cannot drive one"}}},
    {"stop that is no expression", PLANE ROD "stop_when: rod.y >\n",
     {{5, 19, "stop_when: the expression ends where a value is expected"}}},

    /* options */
    {"unknown option", PLANE ROD "simulation: {tolerence: 1e-9}\n",
     {{5, 14, "simulation: unknown option 'tolerence'; did you mean 'tolerance'?"}}},
    {"options out of range", PLANE ROD "simulation: {tolerance: 3, step: -1}\n",
     {{5, 25, "simulation: 'tolerance' is 3; it must lie between 1e-15 and 0.1"},
      {5, 34, "simulation: 'step' is -1; it must lie between 0 and "}}},
    {"options of the wrong kind",
     PLANE ROD "simulation: {end: [1, 2], max_steps: 2.5, method: {a: 1}}\n",
     {{5, 19, "'end' takes a single value, found a list"},
      {5, 38, "'max_steps' is a whole number, found 2.5"},
      {5, 51, "'method' takes a single value, found a map"}}},
    {"unknown method", PLANE ROD "simulation: {method: lagrang}\n",
     {{5, 22, "simulation: 'lagrang' is not a value of 'method'; one of: auto, lagrange, "}}},
    {"unknown integrator", PLANE ROD "simulation: {integrator: dopri4}\n",
     {{5, 26, "; did you mean 'dopri5'?"}}},
    {"end before start", PLANE ROD "simulation: {start: 2, end: 1}\n",
     {{5, 29, "simulation: the end 1 lies before the start 2"}}},
    {"integrator without a step", PLANE ROD "simulation: {integrator: rk4}\n",
     {{5, 26, "simulation: the integrator 'rk4' has no error estimate and needs a fixed step"}}},

    /* the file */
    {"no version", "space: planar\n" ROD, {{1, 1, "a model file needs the key 'holonom'"}}},
    {"version of the future", "holonom: 2\nspace: planar\n" ROD,
     {{1, 10, "format version 2 is not known; this program reads version 1"}}},
    {"empty file", "", {{0, 0, "the file is empty"}}},
    {"nothing but a comment", "# nothing\n", {{0, 0, "the file is empty"}}},
    {"list instead of a map", "- 1\n- 2\n",
     {{1, 1, "a model file is a map with keys such as 'bodies:', but this is a list"}}},
    {"text instead of a map", "hello\n",
     {{1, 1, "a model file is a map with keys such as 'bodies:', but this is a number or text"}}},
    /* the section natural */
    {"names in natural", PLANE POINTS "natural:\n  fixed: [O, O, X]\n  masses: {B: -1, O: 2, Q: "
     "1}\n  velocities: {A: [1, 0, 0], O: [0, 0]}\n  rods:\n    a: {points: [O, A], mas: 1}\n",
     {{5, 14, "natural: 'O' is named twice"},
      {5, 17, "natural: there is no point 'X' in the section points"},
      {6, 15, "mass of 'B': B is -1; it must be positive"},
      {6, 22, "mass of 'O': it is fixed; leave out its mass"},
       {6, 25, "mass of 'Q': there is no point 'Q'"},
      {7, 19, "velocity of 'A': A has 2 components in a planar model, found 3"},
       {7, 33, "velocity of 'O': it is fixed"},
      {9, 25, "rod 'a': unknown key 'mas' in a rod; did you mean 'mass'?"}}},
    {"rods in natural", PLANE POINTS "natural:\n  rods:\n    a: {points: [A, A2], mass: 1}\n    b: "
     "{points: [A]}\n    c: {points: [A, B], inertia: 1}\n    d: {mass: 2}\n    e: 7\n    f: "
     "{points: [A, G]}\n",
     {{6, 21, "rod 'a': the points 'A' and 'A2' coincide as drawn: length 0"},
      {7, 17, "rod 'b': 'points' is a list of two points"},
      {8, 34, "rod 'c': a rod without `mass` has no 'inertia'"},
       {9, 8, "rod 'd': a rod needs the key 'points' (list of names)"},
      {10, 8, "rod 'e': expected a map of keys"},
       {3, 58, "rod 'f': the point 'G' is given on a body"}}},
    {"marks without use in natural", SPACE "points: {O: [0, 0, 0], A: [1, 0, 0]}\nnatural:\n  "
     "fixed: [O, w]\n  vectors: {u: [1, 0, 0], w: [0, 0, 1]}\n  velocities: {A: [1, 0, 0]}\n",
     {{5, 11, "natural: no rod, distance or element has 'O'; leave it out here"},
      {5, 14, "no rod, distance or element has 'w'"},
      {6, 13, "natural: no element has the vector 'u'; name it there, or leave it out"},
       {7, 19, "no rod or element has the point 'A', and there is no mass at it"}}},
    {"no mass at a point of natural", PLANE POINTS "natural:\n  fixed: [O]\n  rods:\n    a: "
     "{points: [O, A]}\n    b: {points: [A, B]}\n  masses: {B: 1}\n",
     {{7, 21, "rod 'a': the point 'A' has no mass: give it one under `masses`"},
      {8, 18, "rod 'b': the point 'A' has no mass"}}},
    {"rigid parts of natural", PLANE POINTS "natural:\n  fixed: [O, A]\n  rods:\n    a: {points: "
     "[O, A], mass: 1}\n    b: {points: [A, B], mass: 1}\n    c: {points: [B, A]}\n    d: {points: "
     "[O, A]}\n",
     {{7, 8, "rod 'a': it cannot move, for what it has in common with ground holds it"},
      {9, 8, "rod 'c': both of its points belong to rod 'b'"},
      {10, 8, "rod 'd': both of its points belong to ground"}}},
    {"names that natural makes", PLANE POINTS "natural:\n  fixed: [O]\n  rods:\n    rod: {points: "
     "[O, A], mass: 1}\n    b: {points: [A, B], mass: 1}\nbodies: {rod: {mass: 1, inertia: "
     "1}}\njoints:\n  A: {type: revolute, bodies: [ground, rod], at: A}\n",
     {{7, 5, "rod 'rod': there is another body 'rod'; choose a different name"},
      {8, 18, "rod 'b': it makes a joint 'A', and there is another one of this name"}}},
    {"further keys of a joint that natural makes",
     PLANE POINTS "natural:\n  fixed: [O]\n  rods: {a: {points: [O, A], mass: 1}}\njoints:\n  O: "
     "{cut: true, at: A, axis: 3}\n  B: {cut: true}\n",
     {{8, 18, "rod 'a': 'at' of the joint 'O' follows from `natural`; leave it out"}}},
    {"velocities of natural", PLANE POINTS "natural:\n  fixed: [O]\n  velocities: {A: [1, 0], B: "
     "[0, 1]}\n  rods:\n    a: {points: [O, A], mass: 1}\n    b: {points: [C, B], mass: 1}\n",
     {{6, 19, "rod 'a': the velocities of its points do not belong to a rigid motion: the nearest "
      "one differs by 0.5 m/s"},
      {6, 30, "natural: the velocity of 'B' alone does not say how its rod or element moves"}}},
    {"rods in space", SPACE "points: {O: [0, 0, 0], A: [1, 0, 0], B: [1, 1, 0]}\nnatural:\n  "
     "fixed: [O]\n  vectors: {u: [0, 0, 0], A: [1, 0, 0]}\n  rods:\n    a: {points: [O, A], mass: "
     "1}\n    b: {points: [A, B], mass: 1, radius: 0.1, inertia: 2}\n"
     "  elements:\n    c: {points: [B, u], mass: 1, inertia: 1}\n    d: {points: [B], mass: 1, "
     "inertia: 1}\n    e: {points: [A, B], vectors: [O], mass: 1, inertia: 1}\n",
     {{6, 16, "natural: u has length 0; give a direction such as [0, 0, 1]"},
      {6, 27, "natural: 'A' is a point already; choose another name for the vector"},
      {6, 27, "no element has the vector 'A'"},
      {8, 8, "rod 'a': a rod in space also turns about itself; give its `radius` or its `inertia`"},
       {9, 42, "rod 'b': give either `radius` or `inertia`"},
      {12, 8, "element 'd': an element has at least one point, and a second point or a vector"},
       {13, 35, "element 'e': 'O' is a point, and a vector is wanted here"}}},
    {"laws and tensors of natural", SPACE "points: {O: [0, 0, 0], A: [1, 0, 0], B: [1, 1, "
     "0]}\nnatural:\n  fixed: [O]\n  rods: {a: {points: [O, A], mass: 1, inertia: [0.1, 0.1, "
     "0.3]}}\n  masses: {B: 2}\n"
     "  distances:\n    f: {points: [A, B], length: 0*t - 1}\n    g: {points: [O, B], length: x}\n",
     {{6, 48, "body 'a': principal inertias 0.1, 0.1, 0.3: the largest exceeds the sum"},
      {9, 8, "joint 'f': the distance is -1 at the start"},
      {10, 33, "joint 'g': unknown name 'x'"}}},
    {"list instead of a map in natural",
     PLANE POINTS "natural:\n  rods:\n    - {points: [O, A]}\n  masses: 3\n  fixed: O\n",
     {{6, 5, "natural: 'rods' is a map of names, found a list"},
      {7, 11, "natural: 'masses' is a map of names"},
      {8, 10, "natural: 'fixed' is a list of names"}}},
    {"vectors in the plane", PLANE POINTS "natural:\n  vectors: {u: [1, 0]}\n",
     {{5, 3, "natural: the key 'vectors' has no meaning in a planar model"}}},
    {"no bodies", PLANE, {{1, 1, "a model file needs the key 'bodies'"}}},
    {"an empty map of bodies", PLANE "bodies: {}\n",
     {{3, 9, "the section 'bodies' is empty; a model has at least one body"}}},
    {"nothing under bodies", PLANE "bodies:\n",
     {{3, 1, "the section 'bodies' is empty; a model has at least one body"}}},
    {"tab", PLANE "bodies:\n\trod: {mass: 1}\n", {{4, 1, "tab"}}},
    {"included file that is not there", PLANE "include: nowhere.yaml\n" ROD,
     {{3, 10, "cannot read 'nowhere.yaml'"}}},

    {"coordinate of a motor",
     PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
               "  M: {type: motor, joint: A, speed: 2}\n"
               "measures:\n  a: {type: joint_coordinate, joint: M}\n",
     {{9, 38, "joint 'M' is a motor, which has no coordinate of its own"}}},

    /* assembly */
    {"links too short",
     PLANE "bodies:\n"
           "  a: {mass: 1, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
           "  b: {mass: 1, inertia: 0.1, along: [[3.5, 0], [2.5, 0]]}\n"
           "joints:\n"
           "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
           "  B: {type: revolute, bodies: [ground, b], at: [3.5, 0]}\n"
           "  C: {type: revolute, bodies: [a, b], at: {body: a, at: [1, 0]}, at_second: {body: b, "
           "at: [1, 0]}}\n",
     {{7, 3, "joint 'A': cannot be closed: off by 0.5 at best (translation x"},
      {8, 3, "joint 'B': cannot be closed: off by 0.5"},
      {9, 3, "joint 'C': cannot be closed: off by 0.5"}}},
    {"fixed coordinate in the way",
     PLANE "bodies:\n  a: {mass: 1, inertia: 0.1, position: [1, 0], fix: [x, y]}\n"
           "joints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0], at_second: {body: a, "
           "at: [-1.2, 0]}}\n",
     {{4, 3, "body 'a': a fixed coordinate had to move by 0.2"}}},
    {"contradictory velocities",
     PLANE "bodies:\n  a: {mass: 1, inertia: 0.1, position: [1, 0], velocity: [1, 2], omega: 2, "
         "fix_velocity: [vx, omega]}\n"
           "joints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n",
     {{4, 3, "body 'a': the joints do not allow vx = 1 (nearest: 0); leave out `fix_velocity` or "
      "change it"}}},
    {"body without inertia that turns freely", PLANE "bodies:\n  rod: {mass: 1, inertia: 0}\n",
     {{4, 3, "body 'rod': has no inertia, and no joint determines its motion"}}},

    /* all at once */
    {"many mistakes",
     PLANE "gravity: [0]\n"
           "bodies:\n  rod: {mass: -1, inertia: x, fix: [q]}\n"
           "joints:\n  A: {type: revolut, bodies: [ground, rod], at: [0, 0]}\n  B: {type: fixed, "
           "bodies: [ground], at: P}\n"
           "forces:\n  f: {type: force, body: ground, force: [1, 0]}\n"
           "measures:\n  m: {type: angle, body: rods}\n"
           "simulation: {end: abc}\n",
     {{3, 10, "gravity: has 2 components"}, {5, 15, "mass is -1"}, {5, 28, "unknown name 'x'"},
      {5, 37, "'q' is not a value of 'fix'"},
      {7, 13, "there is no type 'revolut'"}, {8, 28, "'bodies' is a list of two bodies"},
       {8, 42, "there is no point 'P'"},
      {10, 26, "a force on ground"}, {12, 26, "there is no body 'rods'; did you mean 'rod'?"},
       {13, 19, "unknown name 'abc'"}}},
};
/* clang-format on */

/* ---- the same through the calls ---- */

/* Descriptions made by calls are checked in the same place; messages name the element and, for
 * hol_spec_set, the origin. */
static void test_bad_calls(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_item_number(hol_spec_root(spec), "holonom", 1);
    hol_item_text(hol_spec_root(spec), "space", "planar");
    hol_item *rod = hol_spec_add(spec, "bodies", "rod", NULL);
    hol_item_number(rod, "mass", -1.5);
    hol_item_text(rod, "inertia", "2*(3");
    assert_null(hol_model_from_spec(ctx, spec, NULL));
    assert_int_equal(hol_message_count_of(ctx, HOL_ERROR), 2);
    for (int i = 0; i < 2; i++) assert_string_equal(hol_message_get(ctx, i)->element, "body 'rod'");
    hol_message_clear(ctx);
    assert_null(hol_spec_add(spec, "bodies", "rod", NULL));
    assert_int_equal(hol_message_count_of(ctx, HOL_ERROR), 1);
    hol_message_clear(ctx);
    assert_int_equal(hol_spec_set(spec, "tolerence", "1e-9", "--set"), HOL_ERR_INPUT);
    assert_int_equal(hol_message_count_of(ctx, HOL_ERROR), 1);
    assert_string_equal(hol_message_get(ctx, 0)->where.file, "--set");
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* ---- damaged and hostile files ---- */

/* The four-bar cut at every place: an error, or a smaller model that is valid; never anything
 * else. */
static void test_cut_file(void **state) {
    (void)state;
    static char text[8192];
    FILE *file = fopen(HOLONOM_TEST_MODELS "/four_bar.yaml", "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(size > 500 && size < sizeof text - 1);
    int valid = 0;
    for (size_t cut = 0; cut < size; cut += 40) {
        static char part[8192];
        memcpy(part, text, cut);
        part[cut] = '\0';
        hol_context *ctx = hol_context_new();
        try_text(ctx, part);
        valid += hol_message_count_of(ctx, HOL_ERROR) == 0;
        for (int i = 0; i < hol_message_count(ctx); i++)
            assert_true(hol_message_get(ctx, i)->text[0]);
        hol_context_free(ctx);
    }
    /* cuts between the last bodies, joints and measures leave mechanisms */
    assert_true(valid > 0 && valid < (int)(size / 40) / 2);
}

/* Bytes of the four-bar replaced by what a keyboard can produce. */
static void test_spoiled_file(void **state) {
    (void)state;
    static char text[8192];
    static const char spoil[] = "{}[]:,\"'#&*!|>%@-?\t\n x9.e\\\x01\xff";
    FILE *file = fopen(HOLONOM_TEST_MODELS "/four_bar.yaml", "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    unsigned seed = 20477;
    for (int k = 0; k < 400; k++) {
        seed = seed * 1103515245u + 12345u;
        const size_t at = (seed >> 8) % size;
        const char was = text[at];
        text[at] = spoil[(seed >> 4) % (sizeof spoil - 1)];
        hol_context *ctx = hol_context_new();
        try_text(ctx, text);
        hol_context_free(ctx);
        text[at] = was;
    }
}

/* A long text out of a head and n copies of a line with a number in it. */
static char *many_lines(const char *head, const char *line, int n, const char *tail) {
    const size_t room = strlen(head) + strlen(tail) + (size_t)n * (strlen(line) + 24) + 1;
    char *text = malloc(room);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, room, "%s", head);
    for (int i = 0; i < n; i++) {
        char number[16], next[16];
        snprintf(number, sizeof number, "%d", i);
        snprintf(next, sizeof next, "%d", i + 1);
        for (const char *c = line; *c; c++) {
            const char *put = *c == '@' ? number : *c == '~' ? next : NULL;
            if (put)
                used += (size_t)snprintf(text + used, room - used, "%s", put);
            else
                text[used++] = *c;
        }
    }
    snprintf(text + used, room - used, "%s", tail);
    return text;
}

/* Chains and nests that would exhaust the stack of a careless reader. */
static void test_deep_files(void **state) {
    (void)state;
    char *texts[] = {
        many_lines(PLANE "parameters:\n", "  a@: a~ + 1\n", 5000, "  a5000: 1\n" ROD),
        many_lines(PLANE "points:\n", "  P@: P~\n", 5000, "  P5000: [0, 0]\n" ROD),
        many_lines(PLANE "bodies: {rod: {inertia: 1, mass: ", "(", 20000, "}}\n"),
        many_lines(PLANE "bodies: {rod: {inertia: 1, mass: ", "[", 20000, "}}\n"),
        many_lines(PLANE "bodies: {rod: {inertia: 1, mass: ", "-", 20000, "1}}\n"),
        many_lines(PLANE "bodies: {rod: {inertia: 1, mass: 1", "^2", 20000, "}}\n"),
        many_lines(PLANE ROD "measures:\n", "  m@: {type: expression, value: m~}\n", 2000,
                   "  m2000: {type: expression, value: t}\n"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hol_context *ctx = hol_context_new();
        try_text(ctx, texts[i]);
        hol_context_free(ctx);
        free(texts[i]);
    }
}

/* A chain in the order of use has no limit. */
static void test_long_chain_of_parameters(void **state) {
    (void)state;
    char *text = many_lines(PLANE "parameters:\n  a0: 0.5\n", "  a~: a@ + 1\n", 2000,
                            "bodies: {rod: {mass: a2000, inertia: 1}}\n");
    hol_context *ctx = hol_context_new();
    try_text(ctx, text);
    assert_int_equal(hol_message_count_of(ctx, HOL_ERROR), 0);
    hol_context_free(ctx);
    free(text);
}

int main(void) {
    enum { N = sizeof files / sizeof *files };
    static struct CMUnitTest tests[N + 8];
    size_t n = N;
    if (!run_reads_files()) return skip_models();
    bad_tests(files, N, tests);
    const struct CMUnitTest others[] = {
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_cut_file),
        cmocka_unit_test(test_spoiled_file),
        cmocka_unit_test(test_deep_files),
        cmocka_unit_test(test_long_chain_of_parameters),
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) tests[n++] = others[i];
    return _cmocka_run_group_tests("bad input", tests, n, NULL, NULL);
}
