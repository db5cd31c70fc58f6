/* oscillator.h: a model whose goals have closed forms, for tests of goals and their derivatives. */
#ifndef HOL_TESTS_OSCILLATOR_H
#define HOL_TESTS_OSCILLATOR_H

/* A mass m on a spring k in a guide: x = x0 cos(w t) + v0/w sin(w t), w^2 = k/m, x from the free
 * length of 1 m; with more measures. */
#define OSCILLATOR(more)                                                                           \
    "holonom: 1\n"                                                                                 \
    "space: planar\n"                                                                              \
    "gravity: [0, 0]\n"                                                                            \
    "parameters: {m: 2.385, k: 71.3, x0: 0.137, v0: 0.61, T: 1.7}\n"                               \
    "bodies:\n"                                                                                    \
    "  block: {mass: m, inertia: 1, position: [1 + x0, 0], velocity: [v0, 0]}\n"                   \
    "joints:\n"                                                                                    \
    "  guide: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}\n"              \
    "forces:\n"                                                                                    \
    "  spring: {type: spring, bodies: [ground, block], from: [0, 0], to: [1 + x0, 0], "            \
    "stiffness: k, free_length: 1}\n"                                                              \
    "measures:\n"                                                                                  \
    "  place: {type: position, body: block}\n"                                                     \
    "  x: {type: expression, value: place.x - 1}\n" more                                           \
    "simulation: {end: T, tolerance: 1e-12}\n"

#endif
