/* stretches.c: what is stretched between two points of bodies: springs, massless rods, ropes (a
 * slack one too is drawn straight), and driven distances, which are drawn as hydraulic cylinders.
 * The barrel of a cylinder stands at the first point and is as long as the rod leaves it room: 0.9
 * of the shortest length, at most 0.62 of the longest one. */
#include "report/geometry.h"

#include <math.h>
#include <string.h>

enum { STRETCH_ROWS = 400 };

static const char *const names[] = {"spring", "link", "cylinder", "rope"};

const char *hol__stretch_name(hol__stretch_kind kind) {
    return names[kind];
}

void hol__stretch_ends(const hol__stretch *stretch, const hol__movie *movie, int row,
                       double ends[2][3]) {
    for (int k = 0; k < 2; k++) {
        const hol_pose pose = hol__movie_pose(movie, row, stretch->element->body[k]);
        hol__pose_point(&pose, stretch->element->point[k], ends[k]);
    }
}

double hol__stretch_length(const double ends[2][3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (ends[1][i] - ends[0][i]) * (ends[1][i] - ends[0][i]);
    return sqrt(sum);
}

/* The shortest and the longest length over the motion, and the barrel. */
static void measure(hol__stretch *s, const hol__movie *movie) {
    const int step = movie->rows > STRETCH_ROWS ? movie->rows / STRETCH_ROWS : 1;
    s->shortest = INFINITY, s->longest = 0;
    for (int row = 0; row < movie->rows; row += step) {
        double ends[2][3];
        hol__stretch_ends(s, movie, row, ends);
        const double length = hol__stretch_length((const double(*)[3])ends);
        if (!isfinite(length)) continue;
        s->shortest = fmin(s->shortest, length), s->longest = fmax(s->longest, length);
    }
    if (!(s->shortest <= s->longest)) s->shortest = s->longest = 0;
    if (s->kind == HOL__STRETCH_CYLINDER) s->barrel = fmin(0.9 * s->shortest, 0.62 * s->longest);
}

static void add(hol__geometry *g, const hol__movie *movie, hol__stretch_kind kind,
                const hol_element_info *element, int is_joint, int index) {
    hol__stretch *s = &g->stretches[g->n_stretches++];
    *s = (hol__stretch){.kind = kind, .element = element, .is_joint = is_joint, .index = index};
    measure(s, movie);
}

int hol__geometry_stretches(hol__geometry *g, hol__movie *movie) {
    g->stretches = HOL__NEW_N(&movie->arena, hol__stretch, g->n_joints + g->n_forces + 1);
    if (!g->stretches) return 0;
    for (int i = 0; i < g->n_forces; i++)
        if (strcmp(g->forces[i].type, "spring") == 0)
            add(g, movie, HOL__STRETCH_SPRING, &g->forces[i], 0, i);
    for (int i = 0; i < g->n_joints; i++)
        if (g->marks[i].symbol == HOL__SYMBOL_LINK)
            add(g, movie,
                strcmp(g->joints[i].type, "rope") == 0 ? HOL__STRETCH_ROPE : HOL__STRETCH_LINK,
                &g->joints[i], 1, i);
        else if (g->marks[i].symbol == HOL__SYMBOL_CYLINDER)
            add(g, movie, HOL__STRETCH_CYLINDER, &g->joints[i], 1, i);
    return 1;
}
