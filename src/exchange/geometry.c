/* geometry.c: shapes and colours, for the readers of all formats.
 *
 * For a uniform body of mass m, with half-lengths:
 *
 *     sphere     2/5 m r^2
 *     box        m (b^2 + c^2)/3, … by half-edges     ellipsoid  m (b^2 + c^2)/5, … by half-axes
 *     cylinder   m (3 r^2 + H^2)/12 across, m r^2/2 along, H its length
 *     capsule    its cylinder, and its half-spheres of mass s: across 2/5 s r^2 + s H (2 H + 3 r)/8
 */
#include "exchange/import.h"
#include "exchange/geometry.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

void hol__color(const double rgba[4], char out[8]) {
    static const char digits[] = "0123456789abcdef";
    out[0] = '#';
    for (int i = 0; i < 3; i++) {
        const int level = (int)lround(255 * fmin(fmax(rgba[i], 0), 1));
        out[1 + 2 * i] = digits[level / 16], out[2 + 2 * i] = digits[level % 16];
    }
    out[7] = '\0';
}

int hol__color_numbers(const char color[8], double rgba[4]) {
    static const char digits[] = "0123456789abcdef";
    if (color[0] != '#' || strlen(color) != 7) return 0;
    for (int i = 0; i < 3; i++) {
        const char *high = strchr(digits, color[1 + 2 * i] | 32),
                   *low = strchr(digits, color[2 + 2 * i] | 32);
        if (!high || !low) return 0;
        rgba[i] = (double)(16 * (high - digits) + (low - digits)) / 255;
    }
    rgba[3] = 1;
    return 1;
}

/* Whether sizes are positive; says so otherwise. */
static int are_positive(hol_import *im, const hol__xml *shape, const double *size, int n) {
    for (int i = 0; i < n; i++)
        if (!(size[i] > 0)) {
            hol__note(im, HOL_IMPORT_NO_EFFECT, shape, NULL,
                      "is not drawn: a size of it is missing or not positive");
            return 0;
        }
    return 1;
}

void hol__draw_shape(hol_import *im, int body, const hol__xml *shape, const char *type,
                     const double size[3], const hol__placement *at, const char *color) {
    const int capsule = strcmp(type, "capsule") == 0, cone = strcmp(type, "cone") == 0;
    const int n = strcmp(type, "box") == 0 ? 3 : strcmp(type, "sphere") == 0 ? 1 : 2;
    hol__placement place = *at;
    if (!are_positive(im, shape, size, n)) return;
    for (int end = -1; capsule && end < 2; end += 2) {
        const double z[3] = {0, 0, 0.5 * end * size[1]};
        hol__placement_point(at, z, place.r);
        hol__draw_shape(im, body, shape, "sphere", size, &place, color);
    }
    if (cone) hol__placement_point(at, (const double[3]){0, 0, -size[1] / 4}, place.r);
    hol__drawn *drawn = hol__robot_draw(im, body, capsule ? "cylinder" : type, cone ? &place : at);
    if (!drawn) return;
    memcpy(drawn->size, size, sizeof drawn->size);
    strcpy(drawn->color, color);
}

double hol__solid(const char *type, const double s[3], double I[3]) {
    const double r = s[0], H = 2 * s[1];
    if (strcmp(type, "sphere") == 0) {
        I[0] = I[1] = I[2] = 0.4 * r * r;
        return 4 * pi / 3 * r * r * r;
    }
    if (strcmp(type, "capsule") == 0) {
        const double balls = 4 * r / (4 * r + 3 * H), tube = 1 - balls;
        I[0] = I[1] =
            tube * (3 * r * r + H * H) / 12 + balls * (0.4 * r * r + H * (3 * r + 2 * H) / 8);
        I[2] = tube * r * r / 2 + balls * 0.4 * r * r;
        return pi * r * r * H + 4 * pi / 3 * r * r * r;
    }
    if (strcmp(type, "cylinder") == 0) {
        I[0] = I[1] = (3 * r * r + H * H) / 12;
        I[2] = r * r / 2;
        return pi * r * r * H;
    }
    const int box = strcmp(type, "box") == 0;
    for (int i = 0; i < 3; i++) {
        const double b = s[(i + 1) % 3], c = s[(i + 2) % 3];
        I[i] = (box ? 1.0 / 3 : 0.2) * (b * b + c * c);
    }
    return (box ? 8 : 4 * pi / 3) * s[0] * s[1] * s[2];
}

void hol__draw_mesh(hol_import *im, int body, const hol__xml *mesh, const char *attribute,
                    const char *uri, const double scale[3], const hol__placement *at,
                    const char *color) {
    if (!(scale[0] > 0) || scale[1] != scale[0] || scale[2] != scale[0]) {
        hol__note(im, HOL_IMPORT_NO_EFFECT, mesh, attribute,
                  "'%s' is not drawn: its scale is not the same positive number for all axes", uri);
        return;
    }
    const char *file = hol__import_mesh(im, mesh, attribute, uri);
    hol__drawn *drawn = file ? hol__robot_draw(im, body, "mesh", at) : NULL;
    if (!drawn) return;
    drawn->file = file;
    drawn->scale = scale[0];
    strcpy(drawn->color, color);
}
