/* test_bad_elements.c: what elements, bodies, tables and options refuse, one file for each message
 * of theirs that needs a file of its own: its place, its text, and no other error.
 */
#include "bad_files.h"

#define HINGE3                                                                                     \
    "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}\n"
#define PAIR                                                                                       \
    "bodies:\n  rod: {mass: 1.2, inertia: 0.1}\n  arm: {mass: 0.7, inertia: 0.3, position: "       \
    "[0.4, 0.2]}\n"
#define PAIR3                                                                                      \
    "bodies:\n  rod: {mass: 1.2, inertia: 0.1}\n  arm: {mass: 0.7, inertia: 0.3, position: "       \
    "[0.4, 0.2, 0.1]}\n"
#define FORCES "forces:\n"
#define MEASURES "measures:\n"
#define BODIES "bodies:\n"

/* clang-format off */
static const bad_file files[] = {
    /* coordinates of couplers and drivers */
    {"position as another body sees it",
     PLANE PAIR HINGE "  B: {type: coupler, coordinates: {x: {measure: p.x}}, factors: "
     "[1]}\nmeasures:\n  p: {type: position, body: rod, in: arm}\n",
     {{8, 49, "joint 'B': 'p' is the position as another body sees it; constraints take global "
       "components"}}},
    {"position of ground",
     PLANE ROD HINGE "  B: {type: coupler, coordinates: {x: {measure: p.x}}, factors: "
     "[1]}\nmeasures:\n  p: {type: position, body: ground, at: [1, 2]}\n",
     {{7, 49, "joint 'B': 'p' is a point of ground, which does not move"}}},
    {"coordinate of ground",
     PLANE ROD HINGE "  B: {type: driver, body: ground, component: x, position: 0.1*t}\n",
     {{7, 27, "joint 'B': ground has no coordinates"}}},
    {"distance with one end",
     PLANE ROD HINGE "  B: {type: driver, bodies: [ground, rod], from: [0, 1], position: 1}\n",
     {{7, 6, "joint 'B': a distance has both `from` and `to`"}}},
    {"distance 0",
     PLANE ROD HINGE "  B: {type: driver, bodies: [ground, rod], from: [0.3, 1], to: [0.3, 1], "
     "position: 1}\n",
     {{7, 6, "joint 'B': the points are drawn at the same place; a distance that may be 0 has "
       "no direction"}}},
    {"angle in space without axis",
     SPACE ROD3 HINGE3 "  B: {type: driver, bodies: [ground, rod], position: t}\n",
     {{7, 6, "joint 'B': an angle between two bodies in space has an `axis`"}}},
    {"value beside an equation",
     PLANE ROD HINGE "  B: {type: coupler, coordinates: {a: {joint: A}}, equation: \"a - 0.3\", "
     "value: 2}\n",
     {{7, 80, "joint 'B': 'value' has no meaning beside 'equation'"}}},
    {"factors that are 0",
     PLANE ROD HINGE "  B: {type: coupler, coordinates: {a: {joint: A}}, factors: [0]}\n",
     {{7, 61, "joint 'B': all factors are 0"}}},
    {"equation and factors",
     PLANE ROD HINGE "  B: {type: coupler, coordinates: {a: {joint: A}}, factors: [1], equation: "
     "\"a\"}\n",
     {{7, 6, "joint 'B': a coupler has either an `equation` or `factors`"}}},
    {"factors that are no list",
     PLANE ROD HINGE "  B: {type: coupler, coordinates: {a: {joint: A}}, factors: 3}\n",
     {{7, 61, "joint 'B': 'factors' is a list of numbers or expressions, found a number or text"}}},
    {"velocity of a body against itself",
     PLANE ROD HINGE "  B: {type: velocity_constraint, terms: [{body: rod, against: rod, "
     "component: vx, factor: 1}]}\n",
     {{7, 42, "joint 'B': measures the velocity of a body against itself"}}},

    /* curves and links */
    {"closed curve that ends where it began",
     PLANE ROD HINGE "  B: {type: point_on_curve, bodies: [ground, rod], point: [0, 0], points: "
     "[[0, 0], [1, 0], [1, 1], [0, 0]], closed: true}\n",
     {{7, 100, "joint 'B': repeats the first point; a closed curve goes back to it by itself"}}},
    {"closed without points",
     PLANE ROD HINGE "  B: {type: point_on_curve, bodies: [ground, rod], point: [0, 0], x: s, y: "
     "0.1*s, s_from: -2, s_to: 2, closed: true}\n",
     {{7, 112, "joint 'B': 'closed' has a meaning only beside 'points'"}}},
    {"curve of no length",
     PLANE ROD HINGE "  B: {type: point_on_curve, bodies: [ground, rod], point: [0, 0], x: s, y: "
     "0.1*s, s_from: 2, s_to: 2}\n",
     {{7, 6, "joint 'B': s_to must be larger than s_from"}}},
    {"curve of two points",
     PLANE ROD HINGE "  B: {type: point_on_curve, bodies: [ground, rod], point: [0, 0], points: "
     "[[0, 0], [1, 0]]}\n",
     {{7, 75, "joint 'B': 'points' is a list of at least three points such as [[0.3, 0], [0, "
       "0.4], [-0.3, 0]]"}}},
    {"flat follower with a radius",
     PLANE ROD HINGE "  B: {type: cam, bodies: [ground, rod], points: [[0.3, 0], [0, 0.4], [-0.3, "
     "0], [0, -0.3]], closed: true, point: [0.3, 0], face: [0, 1], radius: 0.1}\n",
     {{7, 6, "joint 'B': a flat follower has no radius; give `face` or `radius`"}}},
    {"link of length 0",
     PLANE ROD HINGE "  B: {type: revolute_revolute, bodies: [ground, rod], from: [0.2, 1], to: "
     "[0.2, 1]}\n",
     {{7, 6, "joint 'B': the link has length 0 as drawn; join the bodies directly"}}},
    {"shafts folded back",
     SPACE ROD3 HINGE3 "  B: {type: constant_velocity, bodies: [ground, rod], at: [0, 0, 0], "
     "axis: [0, 0, 1], axis_second: [0, 0.01, -1]}\n",
     {{7, 100, "joint 'B': the shafts are drawn folded back; let both axes point along the "
       "drive"}}},

    /* gears and rolling */
    {"bevel gears with parallel axes",
     SPACE PAIR3 "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, "
     "0, 1]}\n  B: {type: revolute, bodies: [ground, arm], at: [0.4, 0, 0], axis: [0, 0, 1]}\n  "
     "G: {type: gear, joints: [A, B], kind: bevel, teeth: [20, 31]}\n",
     {{9, 6, "joint 'G': the axes of bevel gears meet; these are parallel, use kind: external "
       "or internal"}}},
    {"bevel gears whose axes pass each other",
     SPACE PAIR3 "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, "
     "0, 1]}\n  B: {type: revolute, bodies: [ground, arm], at: [0.4, 0.3, 0], axis: [1, 0, 0]}\n  "
     "G: {type: gear, joints: [A, B], kind: bevel, teeth: [20, 31]}\n",
     {{9, 6, "joint 'G': the axes of bevel gears meet in one point; these pass each other at a "
       "distance of 0.3"}}},
    {"rack at an angle",
     SPACE PAIR3 "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, "
     "0, 1]}\n  B: {type: prismatic, bodies: [ground, arm], at: [0.4, 0.3, 0], axis: [1, 0, "
     "0.5]}\n  G: {type: rack_pinion, pinion: A, rack: B}\n",
     {{9, 6, "joint 'G': the rack slides at an angle to the wheel; its axis and that of the "
       "pinion are perpendicular"}}},
    {"rack through the pinion",
     SPACE PAIR3 "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, "
     "0, 1]}\n  B: {type: prismatic, bodies: [ground, arm], at: [0.4, 0, 0], axis: [1, 0, 0]}\n  "
     "G: {type: rack_pinion, pinion: A, rack: B}\n",
     {{9, 6, "joint 'G': the line of the rack passes through the axis of the pinion; draw its "
       "joint on the side of the teeth"}}},
    {"disk that neither touches nor rolls",
     SPACE ROD3 HINGE3 "  B: {type: rolling_disk, bodies: [ground, rod], radius: 0.3, center: [0, "
     "0, 0.3], axis: [0, 1, 0], plane: [0, 0, 0], normal: [0, 0, 1], slip: true, contact: false}\n",
     {{7, 6, "joint 'B': neither touches nor rolls; nothing is left"}}},
    {"sphere that slips without spin",
     SPACE ROD3 HINGE3 "  B: {type: rolling_sphere, bodies: [ground, rod], radius: 0.3, center: "
     "[0, 0, 0.3], plane: [0, 0, 0], normal: [0, 0, 1], slip: true, spin: false}\n",
     {{7, 6, "joint 'B': a sphere that slips spins freely; leave out `spin: false`"}}},

    /* forces */
    {"bushing with negative stiffness",
     PLANE ROD HINGE FORCES "  f: {type: bushing, bodies: [ground, rod], at: [0, 0], stiffness: "
     "[1, -2, 3], damping: [1, 1, -0.5]}\n",
     {{8, 68, "force 'f': the stiffness in direction 2 is -2; it must not be negative"},
      {8, 89, "force 'f': the damping in direction 3 is -0.5; it must not be negative"}}},
    {"bristles of Coulomb",
     PLANE ROD HINGE FORCES "  f: {type: friction, joint: A, level: 0.4, bristle_stiffness: 100, "
     "bristle_damping: 2}\n",
     {{8, 64, "force 'f': 'bristle_stiffness' belongs to model: lugre"},
      {8, 86, "force 'f': 'bristle_damping' belongs to model: lugre"}}},
    {"slip speed of LuGre",
     PLANE ROD HINGE FORCES "  f: {type: friction, joint: A, level: 0.4, model: lugre, "
     "bristle_stiffness: 100, slip_speed: 0.1}\n",
     {{8, 95, "force 'f': 'slip_speed' belongs to model: coulomb"}}},
    {"D part without a rate",
     PLANE ROD HINGE FORCES "  f: {type: pid, joint: A, measured: w, target: 0.2, proportional: "
     "3, derivative: 2}\nmeasures:\n  w: {type: angle, body: rod}\n",
     {{8, 83, "force 'f': the D part needs `measured_rate`, the rate of what is `measured`, "
       "from a measure of velocity"}}},
    {"controller without gains",
     PLANE ROD HINGE FORCES "  f: {type: pid, joint: A, target: 0.2, proportional: 0}\n",
     {{8, 6, "force 'f': all gains are 0; give `proportional`, `integral` or `derivative`"}}},
    {"limit without ends",
     PLANE ROD HINGE FORCES "  f: {type: limit, joint: A, stiffness: 300}\n",
     {{8, 6, "force 'f': a limit needs `lower`, `upper` or both"}}},
    {"contact with two stiffnesses",
     PLANE ROD HINGE FORCES "  f: {type: contact_plane, bodies: [ground, rod], plane: [0, -1], "
     "normal: [0, 1], point: [0, 0], radius: 0.1, stiffness: 100, modulus: 200}\n",
     {{8, 136, "force 'f': give either `stiffness` or `modulus`"}}},
    {"exponent of Hertz",
     PLANE ROD HINGE FORCES "  f: {type: contact_plane, bodies: [ground, rod], plane: [0, -1], "
     "normal: [0, 1], point: [0, 0], radius: 0.1, modulus: 200, exponent: 1.4}\n",
     {{8, 135, "force 'f': the exponent of Hertz is 1.5; leave it out with `modulus`"}}},
    {"restitution of linear dissipation",
     PLANE ROD HINGE FORCES "  f: {type: contact_plane, bodies: [ground, rod], plane: [0, -1], "
     "normal: [0, 1], point: [0, 0], stiffness: 100, dissipation: linear, restitution: 0.5}\n",
     {{8, 148, "force 'f': linear dissipation takes `damping`, not `restitution`"}}},
    {"damping of Hunt and Crossley",
     PLANE ROD HINGE FORCES "  f: {type: contact_plane, bodies: [ground, rod], plane: [0, -1], "
     "normal: [0, 1], point: [0, 0], stiffness: 100, dissipation: hunt_crossley, restitution: "
     "0.5, damping: 3}\n",
     {{8, 169, "force 'f': `damping` belongs to dissipation: linear; the others take "
       "`restitution`"}}},
    {"no restitution",
     PLANE ROD HINGE FORCES "  f: {type: contact_plane, bodies: [ground, rod], plane: [0, -1], "
     "normal: [0, 1], point: [0, 0], stiffness: 100, dissipation: flores, restitution: 0}\n",
     {{8, 148, "force 'f': the dissipation 'flores' grows without bound as restitution goes to "
       "0; give one above 0"}}},
    {"infinite stiffness",
     PLANE ROD HINGE FORCES "  f: {type: spring, bodies: [ground, rod], from: [0, 1], to: [1, 0], "
     "stiffness: 1e200*1e200}\n",
     {{8, 86, "force 'f': the value is not a finite number: this gives infinity"}}},

    /* measures */
    {"coordinate of a joint without an axis",
     SPACE ROD3 "joints:\n  B: {type: spherical, bodies: [ground, rod], at: [0, 0, 0]}\n" MEASURES
     "  m: {type: joint_coordinate, joint: B}\n",
     {{8, 38, "measure 'm': joint 'B' is a spherical joint, which has no axis to measure along"}}},
    {"reaction across the plane",
     PLANE ROD HINGE MEASURES "  m: {type: reaction, joint: A, component: fz}\n",
     {{8, 44, "measure 'm': there is no component 'fz' in the plane; use fx, fy, mz or "
              "magnitude"}}},
    {"equation that a joint lacks",
     PLANE ROD HINGE MEASURES "  m: {type: multiplier, joint: A, row: 3}\n",
     {{8, 40, "measure 'm': joint 'A' has no equation 3; it has: 1 translation x, 2 "
       "translation y"}}},
    {"equation before the first",
     PLANE ROD HINGE MEASURES "  m: {type: multiplier, joint: A, row: 0.5}\n",
     {{8, 40, "measure 'm': joint 'A' has no equation 0.5; it has: 1 translation x, 2 "
       "translation y"}}},
    {"equation beyond all numbers",
     PLANE ROD HINGE MEASURES "  m: {type: multiplier, joint: A, row: 1e308}\n",
     {{8, 40, "measure 'm': joint 'A' has no equation 1e+308; it has: 1 translation x, 2 "
       "translation y"}}},
    {"body of a weight",
     PLANE ROD HINGE MEASURES "  m: {type: load, gravity: rod, on: rod}\n",
     {{8, 37, "measure 'm': only forces have bodies to choose from"}}},
    {"momentum of ground",
     PLANE ROD HINGE MEASURES "  m: {type: momentum, body: ground}\n",
     {{8, 29, "measure 'm': ground does not move; name a body"}}},
    {"momentum across the plane",
     PLANE ROD HINGE MEASURES "  m: {type: momentum, body: rod, component: z}\n",
     {{8, 45, "measure 'm': there is no component 'z' in the plane"}}},
    {"position across the plane",
     PLANE ROD HINGE MEASURES "  m: {type: position, body: rod, component: z}\n",
     {{8, 45, "measure 'm': there is no component 'z' in the plane"}}},
    {"position relative to itself",
     PLANE ROD HINGE MEASURES "  m: {type: position, body: rod, relative_to: rod}\n",
     {{8, 47, "measure 'm': a body does not move relative to itself"}}},
    {"angular velocity in two frames",
     SPACE ROD3 HINGE3 MEASURES "  m: {type: angular_velocity, body: rod, frame: body, in: "
     "ground}\n",
     {{8, 59, "measure 'm': give `in` or `frame`, not both"}}},
    {"angular velocity relative to itself",
     SPACE ROD3 HINGE3 MEASURES "  m: {type: angular_velocity, body: rod, relative_to: rod}\n",
     {{8, 55, "measure 'm': a body does not turn relative to itself"}}},
    {"unit of another quantity",
     PLANE ROD HINGE MEASURES "  m: {type: angle, body: rod, unit: mm}\n",
     {{8, 37, "measure 'm': 'mm' is not a unit of 'm', which is in rad"}}},
    {"unit of a plain number",
     PLANE ROD "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n  B: {type: "
     "coupler, coordinates: {a: {joint: A}}, factors: [1]}\n" MEASURES "  m: {type: multiplier, "
     "joint: B, row: 1, unit: mm}\n",
     {{9, 49, "measure 'm': 'mm' is not a unit of 'm', which is in plain numbers"}}},
    {"unit that is none",
     PLANE ROD HINGE MEASURES "  m: {type: angle, body: rod, unit: \"m*?\"}\n",
     {{8, 38, "measure 'm': 'm*?' is not a unit; write it like mm, deg/s or N*m"}}},
    {"unit that is too long",
     PLANE ROD HINGE MEASURES "  m: {type: angle, body: rod, unit: "
     "m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m}\n",
     {{8, 37, "measure 'm': the unit "
       "'m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m*m' is too long"}}},

    /* bodies */
    {"mass centre beside a shape",
     PLANE BODIES "  rod: {mass: 1, com: [0.1, 0], shape: {type: cylinder, radius: 0.2}}\n",
     {{4, 23, "body 'rod': the shapes say where the mass centre is; leave out `com`"}}},
    {"place of no inertia",
     PLANE BODIES "  rod: {mass: 1, inertia_at: [0.1, 0], point: true}\n",
     {{4, 30, "body 'rod': `inertia_at` says about which point `inertia` is given, which is "
       "not there"}}},
    {"hole that outweighs",
     PLANE BODIES "  rod: {shape: [{type: cylinder, radius: 0.1, mass: 3}, {type: cylinder, "
     "radius: 0.9, mass: -2}]}\n",
     {{4, 16, "body 'rod': the shapes together have the inertia -0.795; no body has that"}}},
    {"quaternion of three",
     SPACE BODIES "  rod: {mass: 1, inertia: [1, 1, 1], orientation: {quaternion: [1, 0, 0]}}\n",
     {{4, 64, "body 'rod': a quaternion is a list of four numbers, scalar first"}}},
    {"fixed across the plane",
     PLANE BODIES "  rod: {mass: 1, inertia: 1, fix: [z]}\n",
     {{4, 35, "body 'rod': a planar body has only x, y, angle (vx, vy, omega)"}}},
    {"fixed by an angle in space",
     SPACE BODIES "  rod: {mass: 1, inertia: 1, fix: [angle]}\n",
     {{4, 35, "body 'rod': a spatial body has x, y, z, rx, ry, rz (vx, vy, vz, wx, wy, wz)"}}},
    {"shape turned twice",
     SPACE BODIES "  rod: {mass: 1, shape: {type: rod, length: 0.5, axis: [1, 0, 0], orientation: "
     "{axis: [0, 0, 1], angle: 1}}}\n",
     {{4, 80, "body 'rod': give either `axis` or `orientation`"}}},
    {"mass and density",
     SPACE BODIES "  rod: {shape: {type: sphere, radius: 0.5, mass: 1, density: 7800}}\n",
     {{4, 62, "body 'rod': give either `mass` or `density`"}}},
    {"shape of no mass",
     SPACE BODIES "  rod: {shape: [{type: sphere, radius: 0.5, mass: 0}, {type: sphere, radius: "
     "0.5, mass: 1}]}\n",
     {{4, 51, "body 'rod': it is 0; leave the shape out"}}},
    {"tube thicker than its ring",
     SPACE BODIES "  rod: {mass: 1, shape: {type: torus, radius: 0.2, tube: 0.3}}\n",
     {{4, 58, "body 'rod': the radius of the tube 0.3 exceeds that of its centre line 0.2"}}},
    {"thin shapes that share a mass",
     SPACE BODIES "  rod: {mass: 1, shape: [{type: rod, length: 0.2}, {type: sphere, radius: "
     "0.2}]}\n",
     {{4, 25, "body 'rod': shapes that share a mass do so by volume, and one of these has "
       "none; give each its own `mass`"}}},
    {"no shapes",
     PLANE BODIES "  rod: {mass: 1, shape: []}\n",
     {{4, 25, "body 'rod': the list of shapes is empty"}}},
    {"shapes lighter than nothing",
     PLANE BODIES "  rod: {shape: [{type: cylinder, radius: 0.3, mass: 1}, {type: cylinder, "
     "radius: 0.1, mass: -2}]}\n",
     {{4, 16, "body 'rod': the shapes together have the mass -1; it must be positive"}}},
    {"infinite mass",
     PLANE BODIES "  rod: {mass: 1e200*1e200, inertia: 1}\n",
     {{4, 20, "body 'rod': the value is not a finite number: this gives infinity"}}},
    {"mesh of no corners",
     PLANE BODIES "  rod: {mass: 1, inertia: 1, draw: {type: mesh, vertices: 3, faces: [[0, 1, "
     "2]]}}\n",
     {{4, 59, "body 'rod': 'vertices' is a list of points, found a number or text"}}},
    {"mesh of no faces",
     PLANE BODIES "  rod: {mass: 1, inertia: 1, draw: {type: mesh, vertices: [[0, 0], [1, 0], [0, "
     "1]], faces: 7}}\n",
     {{4, 92, "body 'rod': 'faces' is a list of lists of corners, found a number or text"}}},
    {"mesh data without a number",
     PLANE BODIES "  rod: {mass: 1, inertia: 1, draw: {type: mesh, data: \"x\"}}\n",
     {{4, 56, "body 'rod': 'data' begins with the number of corners"}}},
    {"mesh data that end early",
     PLANE BODIES "  rod: {mass: 1, inertia: 1, draw: {type: mesh, data: \"3 0 0 0 1 0 0 0 1\"}}\n",
     {{4, 56, "body 'rod': 'data' has 8 of 9 coordinates"}}},
    {"mesh data with a wrong corner",
     PLANE BODIES "  rod: {mass: 1, inertia: 1, draw: {type: mesh, data: \"3 0 0 0 1 0 0 0 1 0 0 "
     "1 3 -1\"}}\n",
     {{4, 56, "body 'rod': a face of 'data' names corner 3 of 3"}}},
    {"mesh data without an end",
     PLANE BODIES "  rod: {mass: 1, inertia: 1, draw: {type: mesh, data: \"3 0 0 0 1 0 0 0 1 0 0 "
     "1 2\"}}\n",
     {{4, 56, "body 'rod': 'data' ends within a face"}}},
    {"mesh in two ways",
     PLANE BODIES "  rod: {mass: 1, inertia: 1, draw: {type: mesh, data: \"3 0 0 0 1 0 0 0 1 0 0 "
     "1 2 -1\", vertices: [[0, 0], [1, 0], [0, 1]]}}\n",
     {{4, 36, "body 'rod': a mesh has vertices and faces, or a file, not both"}}},

    /* natural coordinates, tables, options */
    {"table that is a number",
     PLANE ROD "tables: {g: 3}\n",
     {{5, 13, "table 'g': a table is a map such as {file: gas.csv, x: angle, y: p}"}}},
    {"infinite option",
     PLANE ROD "simulation: {end: 1e200*1e200}\n",
     {{5, 24, "simulation: the value is not a finite number: this gives infinity"}}},
    {"kind of unit that is none",
     PLANE ROD "simulation: {units: [colour=mm]}\n",
     {{5, 22, "units: 'colour' is not a kind of quantity"}}},
    {"unit of nothing",
     PLANE ROD "simulation: {units: [kg^2]}\n",
     {{5, 22, "units: 'kg^2' does not say what it is a unit of; write kind=kg^2"}}},
    {"unit of another kind",
     PLANE ROD "simulation: {units: [length=s]}\n",
     {{5, 22, "units: 's' is not a unit of length; expected one like m"}}},
    {"unit made of units",
     PLANE ROD "simulation: {units: [length=mm^2/mm]}\n",
     {{5, 22, "units: the unit of length is a single one like m, for others are made of it; "
       "found 'mm^2/mm'"}}},
    {"rod whose mass centre lies elsewhere",
     SPACE "points: {O: [0, 0, 0], A: [1, 0, 0], B: [2, 0.5, 0]}\nnatural:\n  fixed: [O]\n  "
     "rods:\n    a: {points: [O, A], mass: 1, mass_centre: 0.3}\n",
     {{7, 47, "rod 'a': a uniform rod has its mass centre half-way; give the `inertia` too"}}},
    {"mass of a vector",
     SPACE "points: {O: [0, 0, 0], A: [1, 0, 0], B: [2, 0.5, 0]}\nnatural:\n  fixed: [O]\n  "
     "vectors: {u: [0, 0, 1]}\n  masses: {u: 2}\n  elements:\n    e: {points: [O, A], vectors: "
     "[u], mass: 1, mass_centre: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3]}\n",
     {{7, 15, "mass of 'u': it is a vector; masses are at points"}}},
    {"point named twice in an element",
     SPACE "points: {O: [0, 0, 0], A: [1, 0, 0], B: [2, 0.5, 0]}\nnatural:\n  fixed: [O]\n  "
     "elements:\n    e: {points: [O, A, A], mass: 1, inertia: [0.1, 0.2, 0.3]}\n",
     {{7, 24, "element 'e': 'A' is named twice"}}},
};
/* clang-format on */

/* After a hundred errors the rest is not looked at, and that is said. */
static void test_many_errors(void **state) {
    static char text[16384];
    (void)state;
    size_t used = (size_t)snprintf(text, sizeof text, PLANE BODIES);
    for (int i = 0; i < 120; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  b%d: {mass: -%d.5, inertia: 0.2}\n", i, i + 1);
    hol_context *ctx = hol_context_new();
    try_text(ctx, text);
    const int n = hol_message_count(ctx);
    assert_int_equal(hol_message_count_of(ctx, HOL_ERROR), 101);
    assert_string_equal(hol_message_get(ctx, n - 1)->text,
                        "these are 100 errors; what follows was not looked at");
    hol_context_free(ctx);
}

int main(void) {
    enum { N = sizeof files / sizeof *files };
    static struct CMUnitTest tests[N + 1];
    if (!run_reads_files()) return skip_models();
    bad_tests(files, N, tests);
    tests[N] = (struct CMUnitTest)cmocka_unit_test(test_many_errors);
    return _cmocka_run_group_tests("bad elements", tests, N + 1, NULL, NULL);
}
