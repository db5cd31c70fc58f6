/* pulled.h: two carts on a track with a spring between them, as one model and as two parts: the
 * first pulled by an input, the second on the spring whose other end follows two inputs. */
#ifndef FMU_PULLED_H
#define FMU_PULLED_H

#define FMU_HEAD                                                                                   \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"                                             \
    "parameters: {k: 37.5 N/m, c: 1.3 N*s/m, gap: 0.7 m}\n"

/* Both. */
static const char fmu_whole[] =
    FMU_HEAD "bodies:\n"
             "  one: {mass: 1.35, inertia: 0.1, position: [0, 0], velocity: [0.4, 0]}\n"
             "  two: {mass: 2.15, inertia: 0.1, position: [0.9, 0], velocity: [-0.3, 0]}\n"
             "joints:\n"
             "  t1: {type: prismatic, bodies: [ground, one], at: [0, 0], axis: [1, 0]}\n"
             "  t2: {type: prismatic, bodies: [ground, two], at: [0.9, 0], axis: [1, 0]}\n"
             "forces:\n"
             "  s1: {type: force, body: one, force: [k*(x2 - x1 - gap) + c*(v2 - v1), 0]}\n"
             "  s2: {type: force, body: two, force: [-k*(x2 - x1 - gap) - c*(v2 - v1), 0]}\n"
             "measures:\n"
             "  x1: {type: position, body: one, component: x}\n"
             "  v1: {type: velocity, body: one, component: x}\n"
             "  x2: {type: position, body: two, component: x}\n"
             "  v2: {type: velocity, body: two, component: x}\n"
             "simulation: {end: 2, tolerance: 1e-11}\n";

/* The first, with the input f. */
static const char fmu_first[] =
    FMU_HEAD "bodies:\n"
             "  one: {mass: 1.35, inertia: 0.1, position: [0, 0], velocity: [0.4, 0]}\n"
             "joints:\n"
             "  t1: {type: prismatic, bodies: [ground, one], at: [0, 0], axis: [1, 0]}\n"
             "forces:\n"
             "  s1: {type: force, body: one, force: [f, 0]}\n"
             "measures:\n"
             "  f: {type: variable, value: 0, unit: N}\n"
             "  x1: {type: position, body: one, component: x}\n"
             "  v1: {type: velocity, body: one, component: x}\n"
             "simulation: {end: 2, tolerance: 1e-11}\n";

/* The second with the spring: x1 and v1 are its inputs, the force on the first its output. */
static const char fmu_second[] =
    FMU_HEAD "bodies:\n"
             "  two: {mass: 2.15, inertia: 0.1, position: [0.9, 0], velocity: [-0.3, 0]}\n"
             "joints:\n"
             "  t2: {type: prismatic, bodies: [ground, two], at: [0.9, 0], axis: [1, 0]}\n"
             "forces:\n"
             "  s2: {type: force, body: two, force: [-f, 0]}\n"
             "measures:\n"
             "  x1: {type: variable, value: 0, unit: m}\n"
             "  v1: {type: variable, value: 0.4, unit: m/s}\n"
             "  x2: {type: position, body: two, component: x}\n"
             "  v2: {type: velocity, body: two, component: x}\n"
             "  f: {type: expression, value: k*(x2 - x1 - gap) + c*(v2 - v1)}\n"
             "simulation: {end: 2, tolerance: 1e-11}\n";

#endif
