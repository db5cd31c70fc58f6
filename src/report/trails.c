/* trails.c: the ways of points: of measured positions, which are columns name.x, name.y (and
 * name.z); where there are none, of the mass centres of bodies that no joint holds to ground, at
 * most the last three, or of the last body. */
#include "report/trails.h"

#include "base/unit_set.h"

#include <math.h>
#include <string.h>

enum { FREE = 3 };

/* Whether a column is the first of its name: a measure may be one of the columns that every result
 * has. */
int hol__trail_keeps(const hol_result *result, int column) {
    return hol_result_find(result, hol_result_column(result, column)->name) == column;
}

/* The title of measures of positions, which is the description of their columns. */
static const char *position_title(void) {
    hol_element_doc e = {.size = sizeof e};
    for (int i = 0; hol_element_get(i, &e) == HOL_OK; i++)
        if (strcmp(e.name, "position") == 0) return e.title;
    return "";
}

int hol__trail_next(const hol_result *result, int planar, int after) {
    const char *title = position_title();
    for (int i = after + 1; i + (planar ? 1 : 2) < hol_result_columns(result); i++) {
        const hol_column *column = hol_result_column(result, i);
        const size_t n = strlen(column->name);
        if (n > 2 && strcmp(column->name + n - 2, ".x") == 0 && strcmp(column->doc, title) == 0 &&
            hol__trail_keeps(result, i))
            return i;
    }
    return -1;
}

int hol__trail_bodies(const hol__geometry *g, int bodies[3]) {
    int n = 0;
    for (int i = g->n_bodies - 1; i >= 0 && n < FREE; i--) {
        int held = 0;
        for (int k = 0; k < g->n_joints; k++)
            held |= (g->joints[k].body[0] == i && g->joints[k].body[1] == g->n_bodies) ||
                    (g->joints[k].body[1] == i && g->joints[k].body[0] == g->n_bodies);
        if (!held) bodies[n++] = i;
    }
    if (!n && g->n_bodies) bodies[n++] = g->n_bodies - 1;
    return n;
}

void hol__trail_measured(const hol__movie *movie, int planar, int column, int row, double out[3]) {
    out[2] = 0;
    for (int k = 0; k < (planar ? 2 : 3); k++) {
        hol_unit unit;
        const char *name = hol_result_column(movie->result, column + k)->unit;
        const double si = hol__unit_try(name, &unit) ? unit.times / unit.over : 1;
        out[k] = hol_result_values(movie->result, column + k)[row] * si;
    }
}

void hol__trail_centre(const hol__movie *movie, int body, int row, double out[3]) {
    hol_body_info info = {.size = sizeof info};
    const hol_pose pose = hol__movie_pose(movie, row, body);
    hol_model_body_describe(movie->model, body, &info);
    hol__pose_point(&pose, info.com, out);
}

unsigned hol__trail_color(int index) {
    static const unsigned colors[] = {0xC8415F, 0x8A63D2, 0x169CB5, 0xB58A1B};
    return colors[(size_t)index % (sizeof colors / sizeof *colors)];
}
