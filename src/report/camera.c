/* camera.c: how points of space come to a picture. */
#include "report/drawing.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void normalize(double a[3]) {
    const double length = sqrt(dot(a, a));
    for (int i = 0; i < 3 && length > 0; i++) a[i] /= length;
}

/* Axes of the picture: the plane itself, or a look from the front, the side and above, with gravity
 * downwards. */
static void choose_axes(hol__camera *c, const hol__geometry *g) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(c->right, axes[0], sizeof c->right);
    memcpy(c->up, axes[1], sizeof c->up);
    memcpy(c->back, axes[2], sizeof c->back);
    if (g->planar) return;
    double up[3] = {-g->gravity[0], -g->gravity[1], -g->gravity[2]}, front[3];
    if (!(dot(up, up) > 0)) up[2] = 1;
    normalize(up);
    int side = -1;
    for (int k = 0; k < 3; k++)
        if (fabs(up[k]) < 0.9 &&
            (side < 0 || g->high[k] - g->low[k] > g->high[side] - g->low[side]))
            side = k;
    cross(axes[side], up, front);
    normalize(front);
    for (int i = 0; i < 3; i++) c->back[i] = front[i] + 0.62 * axes[side][i] + 0.5 * up[i];
    normalize(c->back);
    cross(up, c->back, c->right);
    normalize(c->right);
    cross(c->back, c->right, c->up);
}

void hol__camera_init(hol__camera *c, const hol__geometry *g, int width, int height) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    *c = (hol__camera){.x = 0.5 * width, .y = 0.5 * height, .scale = 1};
    choose_axes(c, g);
    for (int k = 0; k < 8; k++) {
        double corner[3], p[3];
        for (int i = 0; i < 3; i++) corner[i] = k >> i & 1 ? g->high[i] : g->low[i];
        hol__camera_project(c, corner, p);
        for (int i = 0; i < 2; i++) low[i] = fmin(low[i], p[i]), high[i] = fmax(high[i], p[i]);
    }
    const double room = 0.12 * g->size;
    c->scale = fmin(width / (high[0] - low[0] + room), height / (high[1] - low[1] + room)) * 0.92;
    for (int i = 0; i < 3; i++) c->centre[i] = 0.5 * (g->low[i] + g->high[i]);
}

void hol__camera_project(const hol__camera *c, const double point[3], double out[3]) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = point[i] - c->centre[i];
    out[0] = c->x + c->scale * dot(d, c->right);
    out[1] = c->y - c->scale * dot(d, c->up);
    out[2] = dot(d, c->back);
}
