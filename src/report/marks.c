/* marks.c: how joints are drawn, at which points they hold their bodies, and how long their rails
 * are. */
#include "report/geometry.h"

#include <math.h>
#include <string.h>

enum { RAIL_ROWS = 400 };

/* Every type of joint that is drawn; the others act between coordinates or where bodies touch. */
static const struct {
    const char *type;
    hol__joint_symbol symbol;
} types[] = {
    {"revolute", HOL__SYMBOL_PIN},
    {"spherical", HOL__SYMBOL_BALL},
    {"universal", HOL__SYMBOL_CROSS},
    {"constant_velocity", HOL__SYMBOL_CROSS},
    {"prismatic", HOL__SYMBOL_SLIDE},
    {"cylindrical", HOL__SYMBOL_SLEEVE},
    {"screw", HOL__SYMBOL_SLEEVE},
    {"point_on_line", HOL__SYMBOL_TRACK},
    {"fixed", HOL__SYMBOL_WELD},
    {"distance", HOL__SYMBOL_LINK},
    {"rope", HOL__SYMBOL_LINK},
    {"spherical_spherical", HOL__SYMBOL_LINK},
    {"revolute_spherical", HOL__SYMBOL_LINK},
    {"revolute_revolute", HOL__SYMBOL_LINK},
    {"universal_spherical", HOL__SYMBOL_LINK},
    {"generic", HOL__SYMBOL_POINT},
    {"planar", HOL__SYMBOL_POINT},
    {"point_in_plane", HOL__SYMBOL_POINT},
    {"driver", HOL__SYMBOL_CYLINDER},
    {"cam", HOL__SYMBOL_CURVE},
    {"point_on_curve", HOL__SYMBOL_CURVE},
};

static const char *const names[] = {"none",  "pin",  "ball", "cross",    "slide", "sleeve",
                                    "track", "weld", "link", "cylinder", "curve", "point"};

const char *hol__symbol_name(hol__joint_symbol symbol) {
    return names[symbol];
}

/* Whether a joint came with a body (its prescribed motion, the frame of a point mass), by the name
 * that the compiler gives it. */
static int is_of_body(const hol__movie *movie, const hol_element_info *joint) {
    for (int k = 0; k < 2; k++) {
        const char *name = hol_model_body_name(movie->model, joint->body[k]);
        const size_t n = name ? strlen(name) : 0;
        if (n && strncmp(joint->name, name, n) == 0 &&
            (strcmp(joint->name + n, ".motion") == 0 ||
             strcmp(joint->name + n, ".orientation") == 0))
            return 1;
    }
    return 0;
}

static int slides(hol__joint_symbol symbol) {
    return symbol == HOL__SYMBOL_SLIDE || symbol == HOL__SYMBOL_SLEEVE ||
           symbol == HOL__SYMBOL_TRACK;
}

/* Whether a driver drives the distance of two points. */
static int drives_distance(hol__movie *movie, const hol_element_info *joint) {
    int count = 0;
    double at[3];
    char *path = hol__arena_format(&movie->arena, "joints.%s.from", joint->name);
    return path && hol_model_field(movie->quiet, movie->model, path, 3, at, &count) == HOL_OK &&
           count > 0;
}

void hol__geometry_marks(hol__geometry *g, hol__movie *movie) {
    for (int i = 0; i < g->n_joints; i++) {
        hol__joint_symbol *symbol = &g->marks[i].symbol;
        if (is_of_body(movie, &g->joints[i])) continue;
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            if (strcmp(g->joints[i].type, types[k].type) == 0) *symbol = types[k].symbol;
        if (*symbol == HOL__SYMBOL_CYLINDER && !drives_distance(movie, &g->joints[i]))
            *symbol = HOL__SYMBOL_NONE;
    }
}

/* ---- points ---- */

int hol__same_point(const double a[3], const double b[3]) {
    double d = 0, s = 0;
    for (int i = 0; i < 3; i++) d += fabs(a[i] - b[i]), s += fabs(a[i]) + fabs(b[i]);
    return d <= 1e-9 * (1 + s);
}

/* Add a point of a body unless it is there. */
static void add_point(hol__outline *body, const double point[3]) {
    for (int i = 0; i < body->n_points; i++)
        if (hol__same_point(body->points + 3 * i, point)) return;
    memcpy(body->points + 3 * body->n_points++, point, 3 * sizeof *point);
}

/* On how many of its bodies, from the first, a force has a point. */
static int force_ends(const char *type) {
    static const struct {
        const char *type;
        int ends;
    } ends[] = {{"spring", 2}, {"bushing", 2}, {"force", 1}, {"tyre", 1}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(type, ends[i].type) == 0) return ends[i].ends;
    return 0;
}

/* Whether a body does not move by itself: ground, or one with a prescribed motion. */
static int is_frame(const hol__geometry *g, const hol__movie *movie, int body) {
    hol_body_info info = {.size = sizeof info};
    if (body == g->n_bodies) return 1;
    hol_model_body_describe(movie->model, body, &info);
    return !(info.mass > 0);
}

/* Points of joints. What slides along ground may be named anywhere on its line: that says where a
 * body is only when nothing else does (last). */
static void joint_points(hol__geometry *g, const hol__movie *movie, int last) {
    for (int i = 0; i < g->n_joints; i++) {
        const hol_element_info *joint = &g->joints[i];
        const hol__joint_symbol symbol = g->marks[i].symbol;
        for (int k = 0; k < 2 && symbol; k++) {
            hol__outline *body = &g->bodies[joint->body[k]];
            const int vague = slides(symbol) && symbol != HOL__SYMBOL_TRACK &&
                              is_frame(g, movie, joint->body[!k]);
            /* a rail or a curve has no end that its body would reach to */
            if ((symbol == HOL__SYMBOL_TRACK || symbol == HOL__SYMBOL_CURVE) && k == 0) continue;
            if (last ? vague && !body->n_points : !vague) add_point(body, joint->point[k]);
        }
    }
}

/* How many points the bodies may have at most; 0 without memory. */
static int make_room(hol__geometry *g, hol__movie *movie, int *count) {
    for (int i = 0; i < g->n_joints; i++)
        for (int k = 0; k < 2; k++) count[g->joints[i].body[k]]++;
    for (int i = 0; i < g->n_forces; i++)
        for (int k = 0; k < 2; k++) count[g->forces[i].body[k]]++;
    for (int i = 0; i <= g->n_bodies; i++) {
        hol_body_info info = {.size = sizeof info};
        if (i < g->n_bodies) hol_model_body_describe(movie->model, i, &info);
        g->bodies[i].points = HOL__NEW_N(&movie->arena, double, 3 * (count[i] + info.n_points) + 6);
        if (!g->bodies[i].points) return 0;
    }
    return 1;
}

int hol__geometry_points(hol__geometry *g, hol__movie *movie) {
    int *count = HOL__NEW_N(&movie->arena, int, g->n_bodies + 1);
    if (!count || !make_room(g, movie, count)) return 0;
    for (int i = 0; i < g->n_bodies; i++) {
        hol_body_info info = {.size = sizeof info};
        hol_model_body_describe(movie->model, i, &info);
        for (int k = 0; k < info.n_points; k++) add_point(&g->bodies[i], info.points + 3 * k);
    }
    joint_points(g, movie, 0);
    for (int i = 0; i < g->n_forces; i++)
        for (int k = 0; k < force_ends(g->forces[i].type); k++)
            add_point(&g->bodies[g->forces[i].body[k]], g->forces[i].point[k]);
    joint_points(g, movie, 1);
    return 1;
}

/* ---- rails ---- */

/* The block stands on the body that is less of a bar; never on ground. */
static int rail_side(const hol__geometry *g, const hol_element_info *joint,
                     hol__joint_symbol symbol) {
    if (symbol == HOL__SYMBOL_TRACK || joint->body[0] == g->n_bodies) return 0;
    if (joint->body[1] == g->n_bodies) return 1;
    return g->bodies[joint->body[1]].n_points > g->bodies[joint->body[0]].n_points;
}

/* The point of the line that is nearest to a point of the body; returns how far it is. */
static double foot_on_line(const hol_element_info *joint, int k, const double *point,
                           double foot[3]) {
    double along = 0, off = 0;
    for (int i = 0; i < 3; i++) along += (point[i] - joint->point[k][i]) * joint->axis[k][i];
    for (int i = 0; i < 3; i++) {
        foot[i] = joint->point[k][i] + along * joint->axis[k][i];
        off += (point[i] - foot[i]) * (point[i] - foot[i]);
    }
    return sqrt(off);
}

/* Where the block is: at the point of the joint where that is one of its body, else at the first
 * point of the body on the line; where there is none, where the line passes the mass centre, which
 * becomes a point of the body, so that what it is drawn as reaches the block. */
static void place_block(const hol__geometry *g, const hol__movie *movie,
                        const hol_element_info *joint, hol__mark *mark) {
    const int k = !mark->rail, b = joint->body[k];
    hol__outline *body = &g->bodies[b];
    hol_body_info info = {.size = sizeof info};
    memcpy(mark->block, joint->point[k], sizeof mark->block);
    for (int i = 0; i < body->n_points; i++)
        if (hol__same_point(body->points + 3 * i, joint->point[k])) return;
    for (int i = 0; i < body->n_points; i++)
        if (foot_on_line(joint, k, body->points + 3 * i, mark->block) < 1e-6 * g->link) return;
    if (movie->model && b < g->n_bodies) hol_model_body_describe(movie->model, b, &info);
    foot_on_line(joint, k, info.com, mark->block);
    if (body->n_points) add_point(body, mark->block);
}

void hol__mark_place(const hol__geometry *g, int joint, int *body, double point[3]) {
    const hol__mark *mark = &g->marks[joint];
    const hol_element_info *info = &g->joints[joint];
    const int on_rail = mark->symbol == HOL__SYMBOL_SLIDE || mark->symbol == HOL__SYMBOL_SLEEVE,
              k = on_rail ? !mark->rail
                          : mark->symbol == HOL__SYMBOL_TRACK || mark->symbol == HOL__SYMBOL_CURVE;
    *body = info->body[k];
    memcpy(point, on_rail ? mark->block : info->point[k], 3 * sizeof *point);
}

void hol__geometry_rails(hol__geometry *g, const hol__movie *movie) {
    const int step = movie->rows > RAIL_ROWS ? movie->rows / RAIL_ROWS : 1;
    for (int i = 0; i < g->n_joints; i++) {
        hol__mark *mark = &g->marks[i];
        const hol_element_info *joint = &g->joints[i];
        if (!slides(mark->symbol)) continue;
        mark->rail = rail_side(g, joint, mark->symbol);
        place_block(g, movie, joint, mark);
        mark->low = INFINITY, mark->high = -INFINITY;
        for (int row = 0; row < movie->rows; row += step) {
            const int a = mark->rail, b = !a;
            const hol_pose rail = hol__movie_pose(movie, row, joint->body[a]),
                           other = hol__movie_pose(movie, row, joint->body[b]);
            double p[3], q[3], s = 0;
            hol__pose_point(&rail, joint->point[a], p);
            hol__pose_point(&other, mark->block, q);
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    s += (q[r] - p[r]) * rail.R[3 * r + c] * joint->axis[a][c];
            if (!isfinite(s)) continue;
            mark->low = fmin(mark->low, s), mark->high = fmax(mark->high, s);
        }
        if (!(mark->low <= mark->high)) mark->low = mark->high = 0;
        mark->low -= 5 * g->radius, mark->high += 5 * g->radius;
    }
}
