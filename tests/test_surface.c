/* test_surface.c: surfaces of triangles: what they enclose, that they are closed and look outwards,
 * and polygons cut into triangles. */
#include "report_fixture.h"

#include "report/surface.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
enum { SEGMENTS = 32 };

/* A place that is turned and moved: nothing of what follows may depend on it. */
static hol__placement somewhere(void) {
    const double c = cos(0.7), d = sin(0.7);
    return (hol__placement){{2.385, -1.17, 0.43}, {c, -d, 0, 0, 0, -1, d, c, 0}};
}

static hol__surface new_surface(hol__arena *arena, fixture *f) {
    hol__arena_init(arena, f->ctx);
    return (hol__surface){.arena = arena};
}

/* The enclosed volume: the sum of a . (b x c)/6, positive where triangles look outwards. */
static double volume(const hol__surface *s) {
    double sum = 0;
    for (int i = 0; i < s->n_indices; i += 3) {
        const double *a = s->positions + 3 * s->indices[i],
                     *b = s->positions + 3 * s->indices[i + 1],
                     *c = s->positions + 3 * s->indices[i + 2];
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            sum += a[k] * (b[l] * c[m] - b[m] * c[l]) / 6;
        }
    }
    return sum;
}

/* The vector sum of the areas is zero where a surface is closed; normals have length 1 and lie on
 * the outer side of their triangles. */
static void assert_sound(const hol__surface *s) {
    double area[3] = {0, 0, 0}, all = 0;
    assert_true(s->n_indices > 0 && s->n_indices % 3 == 0);
    for (int i = 0; i < s->n_indices; i += 3) {
        const double *p[3], *n[3];
        double cross[3], size = 0;
        for (int c = 0; c < 3; c++) {
            assert_true(s->indices[i + c] < (unsigned)s->n_vertices);
            p[c] = s->positions + 3 * s->indices[i + c];
            n[c] = s->normals + 3 * s->indices[i + c];
            assert_true(fabs(n[c][0] * n[c][0] + n[c][1] * n[c][1] + n[c][2] * n[c][2] - 1) <
                        1e-12);
        }
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            cross[k] = (p[1][l] - p[0][l]) * (p[2][m] - p[0][m]) -
                       (p[1][m] - p[0][m]) * (p[2][l] - p[0][l]);
            area[k] += cross[k];
            size += cross[k] * cross[k];
        }
        all += sqrt(size);
        for (int c = 0; c < 3; c++)
            assert_true(cross[0] * n[c][0] + cross[1] * n[c][1] + cross[2] * n[c][2] >= 0);
    }
    for (int k = 0; k < 3; k++) assert_true(fabs(area[k]) < 1e-12 * all);
}

/* Volumes against those of the polygons that stand for circles: the area of a circle of n corners
 * is n/2 sin(2 pi/n) r^2. */
static void test_solids_enclose_their_volume(void **state) {
    const double r = 0.31, L = 0.83, size[3] = {0.4, 0.27, 1.1},
                 circle = SEGMENTS / 2.0 * sin(2 * pi / SEGMENTS);
    const hol__placement place = somewhere();
    for (int kind = 0; kind < 7; kind++) {
        hol__arena arena;
        hol__surface s = new_surface(&arena, *state);
        double exact = 0, slack = 1e-12;
        if (kind == 0) hol__surface_box(&s, &place, size), exact = size[0] * size[1] * size[2];
        if (kind == 1) hol__surface_cylinder(&s, &place, r, 0, L), exact = circle * r * r * L;
        if (kind == 2)
            hol__surface_cone(&s, &place, r, -0.1, L - 0.1), exact = circle * r * r * L / 3;
        if (kind == 3)
            hol__surface_washer(&s, &place, 0.2, r, 0, L), exact = circle * (r * r - 0.04) * L;
        /* round ones by 8 pieces a quarter or 12 around: within 1 and 5 per cent below */
        if (kind == 4)
            hol__surface_rod(&s, &place, r, 0), exact = 4 * pi / 3 * r * r * r, slack = 0.02;
        if (kind == 5)
            hol__surface_rod(&s, &place, r, L), exact = pi * r * r * (L + 4 * r / 3), slack = 0.02;
        if (kind == 6)
            hol__surface_ring(&s, &place, L, r), exact = 2 * pi * pi * L * r * r, slack = 0.06;
        assert_sound(&s);
        const double v = volume(&s);
        assert_true(v <= exact * (1 + 1e-12) && v >= exact * (1 - slack));
        hol__arena_free(&arena);
    }
}

/* Polygons that are not convex, either way round: their triangles are counter-clockwise and have
 * the area of the polygon. */
static void test_prisms_of_any_polygon(void **state) {
    for (int kind = 0; kind < 3; kind++) {
        const int n = kind == 0 ? 6 : 180;
        double xy[2 * 180], area = 0;
        const double corner[12] = {0, 0, 2, 0, 2, 1, 1.1, 0.3, 0.3, 1.7, 0, 1.6};
        for (int i = 0; i < n; i++) {
            const double a = 2 * pi * i / n, rho = 1 + 0.45 * cos(5 * a) + 0.1 * sin(3 * a);
            if (kind == 0)
                memcpy(xy + 2 * i, corner + 2 * i, 2 * sizeof *xy);
            else
                xy[2 * i] = rho * cos(a), xy[2 * i + 1] = (kind == 1 ? 1 : -1) * rho * sin(a);
        }
        for (int i = 0; i < n; i++)
            area += 0.5 *
                    (xy[2 * i] * xy[2 * ((i + 1) % n) + 1] - xy[2 * i + 1] * xy[2 * ((i + 1) % n)]);
        hol__arena arena;
        hol__surface s = new_surface(&arena, *state);
        const hol__placement place = somewhere();
        hol__surface_prism(&s, &place, n, xy, -0.2, 0.5);
        assert_sound(&s);
        assert_true(fabs(volume(&s) - 0.7 * fabs(area)) < 1e-12);
        /* n - 2 triangles in each lid, 2 a side */
        assert_int_equal(s.n_indices, 3 * (2 * (n - 2) + 2 * n));
        hol__arena_free(&arena);
    }
}

/* A coil lies between its ends and within its width; its wire has the volume of a tube along it,
 * which is open at both ends. */
static void test_coils_reach_from_end_to_end(void **state) {
    const double L = 0.6, w = 0.05, wire = 0.004;
    hol__arena arena;
    hol__surface s = new_surface(&arena, *state);
    hol__surface_coil(&s, L, w, wire, 7);
    double low = INFINITY, high = -INFINITY, out = 0;
    for (int i = 0; i < s.n_vertices; i++) {
        const double *p = s.positions + 3 * i;
        low = fmin(low, p[2]), high = fmax(high, p[2]), out = fmax(out, hypot(p[0], p[1]));
    }
    assert_true(low > -wire - 1e-12 && low < 1e-12 && high < L + wire + 1e-12 && high > L - 1e-12);
    assert_true(out > w && out < w + wire + 1e-9);
    /* 7 turns of 2 pi w, more for the rise, less at the ends; an octagon instead of a circle */
    const double length = 7 * hypot(2 * pi * w, 0.84 * L / 7), tube = 4 * sin(pi / 4) * wire * wire;
    assert_true(volume(&s) > 0.85 * length * tube && volume(&s) < 1.1 * length * tube);
    hol__arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_solids_enclose_their_volume, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_prisms_of_any_polygon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_coils_reach_from_end_to_end, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
