/* natural_section_velocity.c: start velocities of rods and elements from those of their points and
 * vectors.
 *
 * Of a rigid part with the first point P0, velocity v0 and angular velocity w,
 *     point P    P' = v0 + w x (P - P0)          vector u    u' = w x u
 * are linear equations for (v0, w), one set for each mark that is given or fixed. They are solved
 * in the least-squares sense with minimum norm; what they leave open (the spin of a rod about
 * itself) is then 0. A part is taken as moving so when the equations determine it or all its marks
 * are known; velocities that would deform it are refused.
 */
#include "compile/natural_section.h"

#include "la/cod.h"
#include "la/tolerances.h"

#include <string.h>

enum { N_V = 6 };

static int is_known(const hol__mark *mark) {
    return mark->fixed_at || mark->velocity_at;
}

/* The equations of mark i of the part: three rows from `row` on, of (v0, w L). */
static void fill_rows(const hol__natural_section *all, const hol__part *part, int i, double L,
                      int rows, int row, double *a, double *b) {
    const hol__mark *mark = &all->marks[part->mark[i]];
    double d[3], S[9];
    if (mark->is_vector)
        memcpy(d, mark->x, sizeof d);
    else
        hol__sub3(mark->x, all->marks[part->mark[0]].x, d);
    for (int k = 0; !mark->is_vector && k < 3; k++) d[k] *= part->scale;
    hol__skew3(d, S);
    for (int k = 0; k < 3; k++) {
        a[row + k + k * rows] = mark->is_vector ? 0 : 1;
        for (int c = 0; c < 3; c++) a[row + k + (3 + c) * rows] = -S[3 * k + c] / L;
        b[row + k] = mark->fixed_at ? 0 : mark->v[k];
    }
}

/* v and w of a part from its known marks. */
static void find_velocity(hol__natural_section *all, hol__part *part, hol__arena *arena) {
    hol__build *build = all->build;
    int known = 0, given = 0;
    double L = 0, d[3];
    hol__node *where = NULL;
    for (int i = 0; i < part->n; i++) {
        const hol__mark *mark = &all->marks[part->mark[i]];
        known += is_known(mark);
        given += mark->velocity_at != NULL;
        if (mark->velocity_at) where = mark->velocity_at;
        hol__sub3(mark->x, all->marks[part->mark[0]].x, d);
        L = fmax(L, mark->is_vector ? 1 : hol__norm3(d));
    }
    if (!given) return;
    /* in the plane the rows v_z = w_x = w_y = 0 come on top */
    const int plane = build->model->dim == 2, rows = 3 * known + 3;
    hol__cod *cod = hol__cod_new(arena, rows, N_V);
    double *b = HOL__NEW_N(arena, double, rows), *x = HOL__NEW_N(arena, double, rows + N_V);
    if (!cod || !b || !x) return;
    double *a = cod->qr->a;
    memset(a, 0, sizeof(double) * (size_t)(rows * N_V));
    for (int i = 0, row = 3; i < part->n; i++)
        if (is_known(&all->marks[part->mark[i]])) {
            fill_rows(all, part, i, L, rows, row, a, b);
            row += 3;
        }
    if (plane)
        for (int k = 0; k < 3; k++) a[k + (2 + k) * rows] = 1;
    if (hol__cod_factor(cod)) return;
    const int rank = hol__cod_rank(cod, HOL__RANK_TOLERANCE);
    if (rank < N_V && known < part->n) return;
    hol__cod_truncate(cod, rank);
    hol__cod_solve(cod, b, x);
    double speed = 0, off = 0;
    for (int i = 0; i < rows; i++) speed = fmax(speed, fabs(b[i]));
    hol__cod_outside_range(cod, b);
    for (int i = 0; i < rows; i++) off = fmax(off, fabs(b[i]));
    build->element = part->label;
    if (off > 1e-9 * speed)
        hol__build_error(
            build, where,
            "the velocities of its points do not belong to a rigid motion: the nearest "
            "one differs by %.3g m/s",
            off);
    double r[3], turn[3];
    for (int k = 0; k < 3; k++) part->w[k] = x[3 + k] / L;
    hol__mul3(part->R, part->com, r);
    hol__cross3(part->w, r, turn);
    hol__add3(x, turn, part->v);
    part->moves = 1;
}

/* A velocity that determines nothing is refused rather than ignored. */
static void check_used(hol__natural_section *all, int i) {
    const hol__mark *mark = &all->marks[i];
    int moves = 0;
    for (int p = 1; p < all->n_parts; p++) moves |= all->parts[p].moves && hol__part_has(all, p, i);
    if (!mark->velocity_at || moves) return;
    all->build->element = "natural";
    hol__build_error(all->build, mark->velocity_at,
                     "the velocity of '%s' alone does not say how its rod or element moves; give "
                     "those of its other points too",
                     mark->name);
}

void hol__natural_velocities(hol__natural_section *all) {
    for (int i = 1; i < all->n_parts; i++) {
        hol__part *part = &all->parts[i];
        const hol__mark *mark = &all->marks[part->mark[0]];
        if (part->kind != HOL__PART_POINT) {
            hol__arena arena;
            hol__arena_init(&arena, all->build->ctx);
            find_velocity(all, part, &arena);
            if (arena.failed) all->spec->arena.failed = all->build->arena->failed = 1;
            hol__arena_free(&arena);
        } else if (mark->velocity_at) {
            memcpy(part->v, mark->v, sizeof part->v);
            part->moves = 1;
        }
    }
    for (int i = 0; i < all->n_marks; i++) check_used(all, i);
}
