/* surface.c: responses over two factors: `surfaces_RESPONSE`, `surface_RESPONSE`.
 *
 * The surface is the mean of a response at given values of two factors, over all others: the
 * polynomial of polynomial.h, with the error of leaving cases out, and the share of the variance
 * that it explains, 1 - (that error / the error of the mean alone)^2. What remains is the work of
 * the other factors, or of a shape that the polynomial does not have. The pairs are those of the
 * MOST_FACTORS factors with the largest main effects on the response.
 *
 * Of the design `indices` the cases A and B of each point are taken, which are independent: the
 * others repeat one of their factors.
 *
 * A place of the grid is told where there are cases around it. Were they spread evenly, a circle of
 * the radius r with pi r^2 n = 3 would have three of them in the mean and none with a chance of
 * exp(-3) = 5 %: where it has none, there is nothing to say. Places are measured in shares of the
 * ranges; of a factor with levels there are cases at its levels alone, so that the circle is an
 * interval, or a point.
 */
#include "study/columns.h"
#include "study/design.h"
#include "study/polynomial.h"

#include <math.h>
#include <string.h>

/* Factors whose pairs are looked at (15 pairs), and places of the grid along each. */
enum { MOST_FACTORS = 6, GRID = 24 };

static const double INSIDE = 3; /* cases in the mean around a place */

/* The cases of one response that are taken, as columns. */
typedef struct sample {
    int n;
    double *z, *x[MOST_FACTORS];
} sample;

/* One factor of a pair: where its places lie. */
typedef struct side {
    const double *x; /* of the sample */
    int levels, places;
    double place[GRID], least, most;
} side;

/* ---- which factors ---- */

/* The factors with the largest main effects, in the order of the file; how many. */
static int choose_factors(const hol_study *s, const hol__columns *c, int i, hol__arena *room,
                          int chosen[MOST_FACTORS]) {
    double *share = HOL__NEW_N(room, double, s->n_factors + 1);
    int n = 0;
    for (int j = 0; share && j < s->n_factors; j++) share[j] = hol__main_share(s, c, j, i, room);
    for (int j = 0; share && j < s->n_factors; j++) {
        int before = 0; /* factors with a larger share, or the same and an earlier place */
        for (int k = 0; k < s->n_factors; k++)
            before += share[k] > share[j] || (share[k] == share[j] && k < j);
        if (before < MOST_FACTORS) chosen[n++] = j;
    }
    return n;
}

/* The cases that are taken. */
static hol_status take_sample(const hol_study *s, const hol__columns *c, int i, int factors,
                              const int *chosen, hol__arena *room, sample *out) {
    const int stride = hol__design_is_indices(s->design) ? s->n_factors + 2 : 1;
    out->n = 0;
    out->z = HOL__NEW_N(room, double, c->rows + 1);
    for (int k = 0; k < factors; k++) out->x[k] = HOL__NEW_N(room, double, c->rows + 1);
    if (room->failed) return HOL_ERR_MEMORY;
    for (int row = 0; row < c->rows; row++) {
        int whole = isfinite(c->responses[i][row]) && (stride == 1 || c->number[row] % stride < 2);
        for (int k = 0; k < factors; k++) whole &= isfinite(c->factors[chosen[k]][row]);
        if (!whole) continue;
        for (int k = 0; k < factors; k++) out->x[k][out->n] = c->factors[chosen[k]][row];
        out->z[out->n++] = c->responses[i][row];
    }
    return HOL_OK;
}

/* ---- where there are cases ---- */

static side side_of(const hol__factor *f, const double *x, int n) {
    side a = {.x = x, .least = INFINITY, .most = -INFINITY};
    for (int i = 0; i < n; i++) {
        a.least = fmin(a.least, x[i]);
        a.most = fmax(a.most, x[i]);
    }
    a.levels = f->spread == HOL__SPREAD_LEVELS && f->n_levels <= GRID ? f->n_levels : 0;
    a.places = a.levels ? a.levels : GRID;
    for (int k = 0; k < a.places; k++)
        a.place[k] = a.levels ? f->levels[k] : a.least + (k + 0.5) / GRID * (a.most - a.least);
    return a;
}

/* The place of a case along a side, in places: whole numbers are their middles. */
static double along(const side *a, double x) {
    if (!a->levels) return (x - a->least) / (a->most - a->least) * GRID - 0.5;
    for (int k = 0; k < a->levels; k++)
        if (a->place[k] == x) return k;
    return -1;
}

/* How far around a case it speaks for, in places of the two sides. */
static void reach_of(const side *a, const side *b, int n, double *across, double *up) {
    const double each = (double)n / (a->levels ? a->levels : 1) / (b->levels ? b->levels : 1);
    const double r = a->levels || b->levels ? INSIDE / (2 * each)
                                            : sqrt(INSIDE / (3.14159265358979323846 * each));
    /* at least as far as the corners of the places, so that each case is in one */
    const double least = a->levels || b->levels ? 0.5 : sqrt(0.5);
    *across = a->levels ? 0 : fmax(GRID * r, least);
    *up = b->levels ? 0 : fmax(GRID * r, least);
}

/* Mark the places that have a case around them. */
static void mark_places(const side *a, const side *b, int n, unsigned char has[GRID][GRID]) {
    double across, up;
    memset(has, 0, GRID * GRID);
    reach_of(a, b, n, &across, &up);
    for (int i = 0; i < n; i++) {
        const double x = along(a, a->x[i]), y = along(b, b->x[i]);
        for (int k = (int)fmax(0, ceil(x - across)); k < a->places && k <= x + across; k++)
            for (int l = (int)fmax(0, ceil(y - up)); l < b->places && l <= y + up; l++) {
                const double dx = across > 0 ? (k - x) / across : 0, dy = up > 0 ? (l - y) / up : 0;
                has[k][l] |= dx * dx + dy * dy <= 1;
            }
    }
}

/* ---- tables ---- */

/* What the tables of a response have in common. */
typedef struct surfaces {
    const hol_study *study;
    int response, factors, chosen[MOST_FACTORS];
    sample cases;
    hol__sheet *list, *grid;
} surfaces;

/* The places of a pair that have cases. */
static void put_places(const surfaces *q, const hol__polynomial *fit, int j, int k) {
    const hol__factor *f = q->study->factors;
    const side a = side_of(&f[q->chosen[j]], q->cases.x[j], q->cases.n),
               b = side_of(&f[q->chosen[k]], q->cases.x[k], q->cases.n);
    unsigned char has[GRID][GRID];
    if ((!a.levels && !(a.most > a.least)) || (!b.levels && !(b.most > b.least))) return;
    mark_places(&a, &b, q->cases.n, has);
    for (int m = 0; m < a.places; m++)
        for (int l = 0; l < b.places; l++) {
            double *row = has[m][l] ? hol__sheet_add(q->grid, NULL) : NULL;
            if (!row) continue;
            row[0] = q->list->about.rows - 1;
            for (int i = 0; i < q->factors; i++) row[1 + i] = NAN;
            row[1 + j] = a.place[m];
            row[1 + k] = b.place[l];
            row[1 + q->factors] =
                hol__polynomial_at(fit, a.place[m], b.place[l], &row[2 + q->factors]);
        }
}

/* A pair: its row, and its places where the surface is better than the mean. */
static hol_status put_pair(const surfaces *q, int j, int k, hol__arena *room) {
    hol__polynomial *fit = HOL__NEW(room, hol__polynomial);
    const hol__factor *f = q->study->factors;
    const char *name =
        hol__arena_format(room, "%s, %s", f[q->chosen[j]].about.name, f[q->chosen[k]].about.name);
    if (!fit || !name) return HOL_ERR_MEMORY;
    const hol_status status =
        hol__polynomial_fit(room, q->cases.n, q->cases.x[j], q->cases.x[k], q->cases.z, fit);
    double *row = status ? NULL : hol__sheet_add(q->list, name);
    if (!row) return status;
    row[0] = q->chosen[j];
    row[1] = q->chosen[k];
    row[2] = q->cases.n;
    row[3] = fit->degree;
    row[4] = fit->left_out;
    row[5] = fit->constant;
    row[6] = 1 - pow(fit->left_out / fit->constant, 2);
    if (fit->degree) put_places(q, fit, j, k);
    return HOL_OK;
}

/* The list of the surfaces. */
static void begin_list(surfaces *q, hol__arena *room, hol_answer *answer) {
    static const char *const names[] = {"factor",   "other factor",   "cases",
                                        "degree",   "left-out error", "error of their mean",
                                        "explained"};
    const hol__response *r = &q->study->responses[q->response];
    const char *name = hol__arena_format(room, "surfaces_%s", r->about.name),
               *title = hol__arena_format(room,
                                          "%s over two factors: polynomials, their error in cases "
                                          "that are left out, and the share of the variance that "
                                          "they explain",
                                          r->about.name);
    if (name && title) q->list = hol__answer_sheet(answer, name, title, 7);
    for (int i = 0; i < 7; i++)
        hol__sheet_column(q->list, i, names[i], i == 4 || i == 5 ? r->about.unit : "");
}

/* Their places. */
static void begin_grid(surfaces *q, hol__arena *room, hol_answer *answer) {
    const hol__response *r = &q->study->responses[q->response];
    const char *name = hol__arena_format(room, "surface_%s", r->about.name),
               *title = hol__arena_format(room,
                                          "%s over two factors, averaged over the others, where "
                                          "there are cases",
                                          r->about.name);
    if (name && title) q->grid = hol__answer_sheet(answer, name, title, 3 + q->factors);
    hol__sheet_detail(q->grid);
    hol__sheet_column(q->grid, 0, "pair", "");
    for (int k = 0; k < q->factors; k++)
        hol__sheet_column(q->grid, 1 + k, q->study->factors[q->chosen[k]].about.name,
                          q->study->factors[q->chosen[k]].about.unit);
    hol__sheet_column(q->grid, 1 + q->factors, r->about.name, r->about.unit);
    hol__sheet_column(q->grid, 2 + q->factors, "standard error", r->about.unit);
}

static hol_status put_surfaces(const hol_study *s, const hol__columns *c, int i, hol__arena *room,
                               hol_answer *answer) {
    surfaces q = {.study = s, .response = i};
    q.factors = choose_factors(s, c, i, room, q.chosen);
    hol_status status = take_sample(s, c, i, q.factors, q.chosen, room, &q.cases);
    if (status || q.factors < 2 || q.cases.n < 2) return status;
    begin_list(&q, room, answer);
    begin_grid(&q, room, answer);
    if (!q.list || !q.grid) return HOL_ERR_MEMORY;
    for (int j = 0; j < q.factors && !status; j++)
        for (int k = j + 1; k < q.factors && !status; k++) {
            hol__arena own;
            hol__arena_init(&own, s->ctx);
            status = put_pair(&q, j, k, &own);
            hol__arena_free(&own);
        }
    return status;
}

hol_status hol__study_surfaces(const hol_study *s, const hol__columns *c, hol_answer *answer) {
    hol_status status = HOL_OK;
    for (int i = 0; i < s->n_responses && !status; i++) {
        hol__arena room;
        if (s->responses[i].yields) continue;
        hol__arena_init(&room, s->ctx);
        status = put_surfaces(s, c, i, &room, answer);
        if (!status && room.failed) status = HOL_ERR_MEMORY;
        hol__arena_free(&room);
    }
    return status;
}
