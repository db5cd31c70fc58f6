/* space.h: vectors and rotations of spatial mechanisms, for complex angles too. */
#ifndef SPACE_H
#define SPACE_H

#include "independent.h"

static inline number dot(const number *a, const number *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out += a x b. */
static inline void add_cross(const number *a, const number *b, number *out) {
    out[0] += a[1] * b[2] - a[2] * b[1];
    out[1] += a[2] * b[0] - a[0] * b[2];
    out[2] += a[0] * b[1] - a[1] * b[0];
}

/* R, a matrix by rows, times the rotation by theta about its own axis 0, 1 or 2. */
static inline void turn(number *R, int axis, number theta) {
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const number c = ccos(theta), s = csin(theta);
    for (int i = 0; i < 3; i++) {
        const number a = R[3 * i + j], b = R[3 * i + k];
        R[3 * i + j] = c * a + s * b;
        R[3 * i + k] = c * b - s * a;
    }
}

/* A chain of bars of 1 m hinged end to end: where the next one begins, and how it turns. */
typedef struct chain {
    number R[9], at[3], v[3], omega[3];
    number kinetic, height; /* summed up; the height of mass centres along `up`, times their mass */
    int up;
} chain;

static inline chain chain_from_ground(int up) {
    return (chain){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .up = up};
}

/* Hang on a bar of 1 kg and a section of 0.1 x 0.1 m, which points along `sign` times axis `bar`
 * of its frame, with a hinge about axis `hinge` that has turned by q and turns at the rate v. */
static inline void chain_add(chain *c, int hinge, number q, number v, int bar, int sign) {
    const double I1 = 0.02 / 12, I2 = 1.01 / 12;
    for (int i = 0; i < 3; i++) c->omega[i] += c->R[3 * i + hinge] * v;
    turn(c->R, hinge, q);
    number half[3], vc[3] = {c->v[0], c->v[1], c->v[2]};
    for (int i = 0; i < 3; i++) half[i] = 0.5 * sign * c->R[3 * i + bar];
    add_cross(c->omega, half, vc);
    const number along = 2 * dot(c->omega, half);
    c->kinetic += 0.5 * (dot(vc, vc) + I2 * dot(c->omega, c->omega) + (I1 - I2) * along * along);
    c->height += c->at[c->up] + half[c->up];
    for (int i = 0; i < 3; i++) {
        c->at[i] += 2 * half[i];
        c->v[i] += 2 * (vc[i] - c->v[i]);
    }
}

/* ---- orientation of free bodies by four parameters p, omega in the body's frame ---- */

static inline void parameter_rates(const double *p, const double *w, double *pdot) {
    pdot[0] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
    pdot[1] = 0.5 * (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]);
    pdot[2] = 0.5 * (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]);
    pdot[3] = 0.5 * (p[0] * w[2] + p[1] * w[1] - p[2] * w[0]);
}

/* R(p) by rows, for p of any length near 1. */
static inline void matrix_of(const double *p, double *R) {
    const double n = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[3 * i + i] = 1 - 2 * (p[1 + j] * p[1 + j] + p[1 + k] * p[1 + k]) / n;
        R[3 * i + j] = 2 * (p[1 + i] * p[1 + j] - p[0] * p[1 + k]) / n;
        R[3 * i + k] = 2 * (p[1 + i] * p[1 + k] + p[0] * p[1 + j]) / n;
    }
}

/* out = R a, out = R^T a. */
static inline void to_world(const double *R, const double *a, double *out) {
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

static inline void to_body(const double *R, const double *a, double *out) {
    for (int i = 0; i < 3; i++) out[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

static inline void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
