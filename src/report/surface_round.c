/* surface_round.c: surfaces of revolution, and coils. */
#include "report/surface.h"

#include <math.h>

enum { SEGMENTS = 32, QUARTER = 8, TUBE = 12, WIRE = 8, TURN = 24 };

static double pi(void) {
    return acos(-1.0);
}

void hol__surface_turned(hol__surface *s, const hol__placement *place, int n,
                         const double (*profile)[4]) {
    const int start = s->n_vertices;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= SEGMENTS; k++) {
            const double angle = 2 * pi() * (k % SEGMENTS) / SEGMENTS, c = cos(angle),
                         d = sin(angle);
            const double *row = profile[i];
            const double p[3] = {row[0] * c, row[0] * d, row[1]},
                         normal[3] = {row[2] * c, row[2] * d, row[3]};
            if (hol__surface_vertex(s, place, p, normal) < 0) return;
        }
    for (int i = 0; i + 1 < n; i++) {
        const double *a = profile[i], *b = profile[i + 1];
        if (a[0] == b[0] && a[1] == b[1]) continue;
        for (int k = 0; k < SEGMENTS; k++) {
            const int low = start + i * (SEGMENTS + 1) + k, high = low + SEGMENTS + 1;
            if (a[0] > 0) hol__surface_triangle(s, low, low + 1, high + 1);
            if (b[0] > 0) hol__surface_triangle(s, low, high + 1, high);
        }
    }
}

void hol__surface_cylinder(hol__surface *s, const hol__placement *place, double radius, double low,
                           double high) {
    const double profile[6][4] = {{0, low, 0, -1},      {radius, low, 0, -1}, {radius, low, 1, 0},
                                  {radius, high, 1, 0}, {radius, high, 0, 1}, {0, high, 0, 1}};
    hol__surface_turned(s, place, 6, profile);
}

void hol__surface_cone(hol__surface *s, const hol__placement *place, double radius, double low,
                       double high) {
    const double h = high - low;
    const double profile[4][4] = {
        {0, low, 0, -1}, {radius, low, 0, -1}, {radius, low, h, radius}, {0, high, h, radius}};
    hol__surface_turned(s, place, 4, profile);
}

void hol__surface_rod(hol__surface *s, const hol__placement *place, double radius, double length) {
    double profile[2 * QUARTER + 2][4];
    int n = 0;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i <= QUARTER; i++) {
            const double angle = 0.5 * pi() * (end ? i : i - QUARTER) / QUARTER;
            const int pole = end ? i == QUARTER : i == 0;
            double *row = profile[n++];
            row[2] = pole ? 0 : cos(angle), row[3] = pole ? (end ? 1 : -1) : sin(angle);
            row[0] = radius * row[2];
            row[1] = (end ? 0.5 : -0.5) * length + radius * row[3];
        }
    hol__surface_turned(s, place, n, (const double(*)[4])profile);
}

void hol__surface_ring(hol__surface *s, const hol__placement *place, double radius, double tube) {
    double profile[TUBE + 1][4];
    for (int i = 0; i <= TUBE; i++) {
        const double angle = 2 * pi() * (i % TUBE) / TUBE - 0.5 * pi();
        profile[i][2] = cos(angle), profile[i][3] = sin(angle);
        profile[i][0] = fmax(radius + tube * profile[i][2], 0);
        profile[i][1] = tube * profile[i][3];
    }
    hol__surface_turned(s, place, TUBE + 1, (const double(*)[4])profile);
}

void hol__surface_washer(hol__surface *s, const hol__placement *place, double inner, double outer,
                         double low, double high) {
    const double profile[8][4] = {{inner, low, 0, -1},  {outer, low, 0, -1}, {outer, low, 1, 0},
                                  {outer, high, 1, 0},  {outer, high, 0, 1}, {inner, high, 0, 1},
                                  {inner, high, -1, 0}, {inner, low, -1, 0}};
    hol__surface_turned(s, place, 8, profile);
}

/* c(u) = (w cos a, w sin a, u L), a = 2 pi n (u - 0.08)/0.84 within the coils; w fades at the
 * ends */
void hol__surface_coil(hol__surface *s, double length, double radius, double wire, int coils) {
    static const hol__placement here = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const int steps = TURN * coils + 12, start = s->n_vertices;
    const double turn = 2 * pi() * coils;
    for (int i = 0; i <= steps; i++) {
        const double u = (double)i / steps, inner = fmin(1, fmax(0, (u - 0.08) / 0.84));
        const double a = turn * inner, c = cos(a), d = sin(a),
                     w = radius * fmin(1, 12 * fmin(u, 1 - u));
        /* the tangent t (along the axis at the ends), e outwards, b across both */
        const double speed = inner > 0 && inner < 1 ? w * turn / 0.84 : 0,
                     size = hypot(speed, length);
        const double t[3] = {-d * speed / size, c * speed / size, length / size};
        const double b[3] = {-t[2] * d, t[2] * c, t[0] * d - t[1] * c};
        for (int k = 0; k < WIRE; k++) {
            const double phi = 2 * pi() * k / WIRE, x = cos(phi), y = sin(phi);
            const double normal[3] = {x * c + y * b[0], x * d + y * b[1], y * b[2]};
            const double p[3] = {w * c + wire * normal[0], w * d + wire * normal[1],
                                 u * length + wire * normal[2]};
            if (hol__surface_vertex(s, &here, p, normal) < 0) return;
        }
    }
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < WIRE; k++) {
            const int p = start + i * WIRE + k, q = start + i * WIRE + (k + 1) % WIRE;
            hol__surface_triangle(s, p, q, q + WIRE);
            hol__surface_triangle(s, p, q + WIRE, p + WIRE);
        }
}

void hol__surface_tube(hol__surface *s, const hol__placement *place, int n, const double *points,
                       int closed, const double side[3], double radius) {
    const int start = s->n_vertices, pieces = closed ? n : n - 1;
    for (int i = 0; i < n; i++) {
        const double *before = points + 3 * (i        ? i - 1
                                             : closed ? n - 1
                                                      : 0),
                     *after = points + 3 * (i + 1 < n ? i + 1
                                            : closed  ? 0
                                                      : n - 1);
        double t[3], e[3], size = 0;
        for (int k = 0; k < 3; k++) t[k] = after[k] - before[k];
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            e[k] = side[a] * t[b] - side[b] * t[a];
            size += e[k] * e[k];
        }
        for (int w = 0; w < WIRE; w++) {
            const double phi = 2 * pi() * w / WIRE, x = cos(phi), y = sin(phi);
            double normal[3], p[3];
            for (int k = 0; k < 3; k++) {
                normal[k] = x * side[k] + y * (size > 0 ? e[k] / sqrt(size) : 0);
                p[k] = points[3 * i + k] + radius * normal[k];
            }
            if (hol__surface_vertex(s, place, p, normal) < 0) return;
        }
    }
    for (int i = 0; i < pieces; i++)
        for (int w = 0; w < WIRE; w++) {
            const int here = start + i * WIRE, next = start + (i + 1) % n * WIRE,
                      v = (w + 1) % WIRE;
            hol__surface_triangle(s, here + w, here + v, next + v);
            hol__surface_triangle(s, here + w, next + v, next + w);
        }
}
