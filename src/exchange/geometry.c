/* geometry.c: what URDF and SDFormat share of shapes and colours: both have a <geometry> with one
 * shape in it, the one with attributes, the other with elements. */
#include "exchange/import.h"
#include "exchange/geometry.h"

#include <math.h>
#include <string.h>

void hol__color(const double rgba[4], char out[8]) {
    static const char digits[] = "0123456789abcdef";
    out[0] = '#';
    for (int i = 0; i < 3; i++) {
        const int level = (int)lround(255 * fmin(fmax(rgba[i], 0), 1));
        out[1 + 2 * i] = digits[level / 16], out[2 + 2 * i] = digits[level % 16];
    }
    out[7] = '\0';
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
    const int n = strcmp(type, "box") == 0 ? 3 : strcmp(type, "cylinder") == 0 ? 2 : 1;
    if (!are_positive(im, shape, size, n)) return;
    hol__drawn *drawn = hol__robot_draw(im, body, type, at);
    if (!drawn) return;
    memcpy(drawn->size, size, sizeof drawn->size);
    strcpy(drawn->color, color);
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
