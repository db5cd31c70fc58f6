/* cone.c: contacts with Coulomb friction: scaling, the attempts, the end.
 *
 * Rows are scaled by D with D_i^2 G_ii = 1 to a power of 2, both tangential rows of a contact alike
 * so that its cone stays round: G <- D G D, b <- D b, z = D z', w' = D w, mu <- mu D_N/D_T. b is
 * brought to size 1. A diagonal entry that is rounding beside those of the same contact counts
 * as 0.
 *
 * A solution is followed along a path (cone_path.h) in a direction c with c_N > mu |c_T|; where
 * one ends on a ray the next c is tried. What is found is judged in the units of the caller by its
 * residual (cone_residual.c). w is a sum of m + 1 rounded products from a system that was solved
 * with an error of the same kind, some m eps of its terms each; EPS_TERMS eps (m + 8) is accepted
 * and counts as 0. What was found is made more exact for its states, and its z moved to the least
 * norm.
 */
#include "kernel/cone_path.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double EPS_TERMS = 64, MOST_SHARE = 1e-12;
enum { ATTEMPTS = 16 };

double hol__cone_accepts(int m) {
    return fmin(MOST_SHARE, EPS_TERMS * DBL_EPSILON * (m + 8));
}

hol__cone *hol__cone_new(hol__arena *arena, int contacts, int rows) {
    const size_t n = (size_t)contacts, m = (size_t)rows;
    hol__cone *cone = HOL__NEW(arena, hol__cone);
    if (!cone) return NULL;
    hol__cone_path *path = &cone->path;
    cone->most_n = contacts;
    cone->most_m = rows;
    cone->cod = hol__cod_new(arena, rows, rows);
    cone->G = HOL__NEW_N(arena, double, m *m);
    cone->Z = HOL__NEW_N(arena, double, m *m);
    cone->V = HOL__NEW_N(arena, double, m *m);
    cone->free = HOL__NEW_N(arena, int, n);
    path->part = HOL__NEW_N(arena, hol__cone_part, n);
    path->lu = hol__lu_new(arena, rows + 1);
    double *v = HOL__NEW_N(arena, double, 16 * (m + 1));
    if (!cone->cod || !cone->G || !cone->Z || !cone->V || !cone->free || !path->part || !path->lu ||
        !v)
        return NULL;
    double **const vectors[] = {&path->b,      &path->c,    &path->z,      &path->w,
                                &path->y,      &path->dy,   &path->dz,     &path->dw,
                                &path->before, &path->rhs,  &path->border, &cone->scale,
                                &cone->best,   &path->kept, &path->terms};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = v + i * (m + 1);
    return cone;
}

/* ---- scaling ---- */

/* 1/sqrt(x) to a power of 2, so that scaling is exact. */
static double inverse_root(double x) {
    int power;
    (void)frexp(x, &power);
    return ldexp(1, -(int)floor(0.5 * power));
}

/* D of the rows. */
static void set_scale(hol__cone *cone, int n, const hol__cone_contact *contacts, int m,
                      const double *G) {
    for (int i = 0; i < n; i++) {
        const int first = contacts[i].first, across = contacts[i].across;
        const double normal = hol__cone_diagonal(G, m, first, 1),
                     beside = hol__cone_diagonal(G, m, first + 1, across),
                     least = 64 * DBL_EPSILON * fmax(normal, beside);
        cone->scale[first] = normal > least ? inverse_root(normal) : 0;
        for (int k = 1; k <= across; k++)
            cone->scale[first + k] = beside > least ? inverse_root(beside) : 0;
    }
}

/* A row that cannot move has G = 0 and keeps its b, in the units of the contact's other rows. */
static double unit_of(const hol__cone *cone, const hol__cone_contact *contact, int row) {
    if (cone->scale[row] > 0) return cone->scale[row];
    for (int k = 0; k <= contact->across; k++)
        if (cone->scale[contact->first + k] > 0) return cone->scale[contact->first + k];
    return 1;
}

/* The scaled problem; the size of the scaled b. */
static double set_problem(hol__cone *cone, int n, const hol__cone_contact *contacts, int m,
                          const double *G, const double *b) {
    hol__cone_path *path = &cone->path;
    const size_t rows = (size_t)m;
    double size = 0;
    set_scale(cone, n, contacts, m, G);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++)
            cone->G[i * rows + j] = cone->scale[i] * G[i * rows + j] * cone->scale[j];
    for (int i = 0; i < n; i++) {
        const hol__cone_contact *contact = &contacts[i];
        hol__cone_part *part = &path->part[i];
        const int first = contact->first, across = contact->across;
        for (int k = first; k <= first + across; k++) {
            path->b[k] = unit_of(cone, contact, k) * b[k];
            size = fmax(size, fabs(path->b[k]));
        }
        const double normal = unit_of(cone, contact, first),
                     beside = across > 0 ? unit_of(cone, contact, first + 1) : normal;
        *part = (hol__cone_part){.first = first, .across = across, .u = {1, 0}};
        part->mu = across > 0 ? contact->mu * normal / beside : 0;
        part->coulomb = part->mu > 0 && !contact->slides;
        if (contact->slides) memcpy(part->u, contact->slide, sizeof part->u);
    }
    if (size > 0) {
        int power;
        (void)frexp(size, &power);
        size = ldexp(1, power);
        for (size_t i = 0; i < rows; i++) path->b[i] /= size;
    }
    path->n = n;
    path->m = m;
    path->G = cone->G;
    return size;
}

/* The k-th direction: c_N between 1 and 2, c_T at any angle and within the dual cone. Multiples of
 * the golden section leave no two contacts alike. */
static void set_direction(hol__cone_path *path, int attempt) {
    static const double golden = 0.6180339887498949, silver = 0.4142135623730951, turn = 6.28;
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        double whole;
        const double x = modf(golden * (1 + i) + silver * attempt, &whole),
                     angle = turn * modf(silver * (1 + i) + golden * attempt, &whole),
                     share = part->across > 0 ? 0.7 / (1 + part->mu) : 0;
        path->c[part->first] = 1 + x;
        if (part->across > 0) path->c[part->first + 1] = share * cos(angle);
        if (part->across > 1) path->c[part->first + 2] = share * sin(angle);
    }
}

/* ---- the solution ---- */

/* w = G z + b. */
static void multiply(int m, const double *G, const double *b, const double *z, double *w) {
    for (int i = 0; i < m; i++) {
        const double *g = G + (size_t)i * (size_t)m;
        w[i] = b[i];
        for (int j = 0; j < m; j++) w[i] += g[j] * z[j];
    }
}

/* z <- exactly within the cone. */
static void confine(const hol__cone_contact *contact, double *z) {
    z[0] = fmax(0, z[0]);
    const double limit = contact->mu * z[0], length = hol__cone_length(contact->across, z + 1);
    if (contact->slides)
        for (int k = 0; k < contact->across; k++) z[1 + k] = -limit * contact->slide[k];
    else if (length > limit)
        for (int k = 0; k < contact->across; k++) z[1 + k] *= limit / length;
}

/* z in the units of the caller, exactly within the cones; w = G z + b. */
static void unscale(const hol__cone *cone, int n, const hol__cone_contact *contacts, int m,
                    const double *G, const double *b, double size, double *z, double *w) {
    const hol__cone_path *path = &cone->path;
    for (int i = 0; i < n; i++) {
        const hol__cone_part *part = &path->part[i];
        const int first = part->first, across = part->across;
        double *own = z + first;
        for (int k = 0; k <= across; k++)
            own[k] = size * unit_of(cone, &contacts[i], first + k) * path->z[first + k];
        if (part->state == HOL__CONE_SLIDES)
            for (int k = 0; k < across; k++) own[1 + k] = -contacts[i].mu * own[0] * part->u[k];
        confine(&contacts[i], own);
    }
    multiply(m, G, b, z, w);
}

/* Whether all numbers are finite. */
static int are_finite(size_t n, const double *x) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

/* What a solve asks and gives. */
typedef struct task {
    int n, m;
    const hol__cone_contact *contacts;
    const double *G, *b;
    double *z, *w;
    double size;  /* of the scaled b */
    double share; /* of the terms of w that is rounding */
    double least; /* the smallest residual so far, that of cone->best */
} task;

/* Keep z if it is the best so far. */
static void judge(hol__cone *cone, task *job) {
    unscale(cone, job->n, job->contacts, job->m, job->G, job->b, job->size, job->z, job->w);
    const double miss =
        hol__cone_residual(job->n, job->contacts, job->m, job->G, job->b, job->z, job->w);
    if (miss < job->least) {
        job->least = miss;
        memcpy(cone->best, job->z, (size_t)job->m * sizeof *job->z);
    }
}

/* Whether the pieces where the path stands hold a solution near by. The path stays where it is. */
static int try_end(hol__cone *cone, task *job) {
    static const double tolerances[] = {1e-13, 1e-10, 1e-7, 1e-4};
    hol__cone_path *path = &cone->path;
    const size_t bytes = (size_t)(path->p + 1) * sizeof *path->y;
    memcpy(path->kept, path->y, bytes);
    for (int k = 0; k < 4 && job->least > HOL__CONE_EXACT * DBL_EPSILON; k++) {
        hol__cone_settle(path, cone->cod, tolerances[k]);
        judge(cone, job);
        memcpy(path->y, path->kept, bytes);
        hol__cone_place(path);
    }
    return job->least <= job->share;
}

/* Whether the path in the k-th direction leads to a solution. */
static int try_path(hol__cone *cone, task *job, int k) {
    hol__cone_path *path = &cone->path;
    set_direction(path, k);
    hol__cone_start(path);
    const double least = 1e-14 * path->t;
    double until = 1e-4 * path->t;
    for (;;) {
        const hol__cone_way way = hol__cone_follow(path, until);
        const int found = try_end(cone, job);
        /* what is good may become better nearer to t = 0 */
        if (way != HOL__WAY_PAUSED || until < least || job->least <= 100 * DBL_EPSILON)
            return found;
        until = 0.1 * fmin(until, path->t);
    }
}

/* z <- the best, w and the states that belong to it. */
static void take_best(const hol__cone *cone, task *job, hol__cone_state *state) {
    memcpy(job->z, cone->best, (size_t)job->m * sizeof *job->z);
    multiply(job->m, job->G, job->b, job->z, job->w);
    hol__cone_states(job->n, job->contacts, job->m, job->G, job->b, job->z, job->w, job->share,
                     cone->path.rhs, state);
}

/* The pieces of the path that belong to the states, u along w_T. */
static void set_pieces(hol__cone *cone, const task *job, const hol__cone_state *state) {
    for (int i = 0; i < job->n; i++) {
        hol__cone_part *part = &cone->path.part[i];
        const double *w_T = job->w + part->first + 1, speed = hol__cone_length(part->across, w_T);
        part->state = state[i];
        if (state[i] == HOL__CONE_STICKS && !part->coulomb) part->state = HOL__CONE_SLIDES;
        if (part->state == HOL__CONE_SLIDES && part->coulomb)
            for (int k = 0; k < part->across; k++) part->u[k] = w_T[k] / speed;
    }
}

/* Solve once more for the states that were found, with contacts of the path that slid on their way
 * to rest as sticking ones. */
static void refine(hol__cone *cone, task *job, const hol__cone_state *state) {
    static const double tolerances[] = {1e-14, 1e-12, 1e-10};
    hol__cone_path *path = &cone->path;
    path->t = 0;
    set_pieces(cone, job, state);
    for (int k = 0; k < 3 && job->least > HOL__CONE_EXACT * DBL_EPSILON; k++) {
        for (int i = 0; i < job->n; i++)
            for (int l = 0; l <= job->contacts[i].across; l++) {
                const int row = job->contacts[i].first + l;
                path->z[row] =
                    cone->best[row] / (job->size * unit_of(cone, &job->contacts[i], row));
            }
        hol__cone_lay(path);
        hol__cone_settle(path, cone->cod, tolerances[k]);
        judge(cone, job);
    }
}

/* z <- the least one with the same w, unless that is less exact. */
static void spread(hol__cone *cone, task *job, const hol__cone_state *state) {
    const size_t bytes = (size_t)job->m * sizeof *job->z;
    double *z = job->z;
    set_pieces(cone, job, state);
    hol__cone_spread(cone, job->contacts, state, z);
    for (int i = 0; i < job->n; i++) confine(&job->contacts[i], z + job->contacts[i].first);
    multiply(job->m, job->G, job->b, z, job->w);
    const double before = job->least;
    memcpy(cone->path.kept, cone->best, bytes);
    memcpy(cone->best, z, bytes);
    job->least = hol__cone_residual(job->n, job->contacts, job->m, job->G, job->b, z, job->w);
    refine(cone, job, state);
    if (!(job->least <= fmax(before, 100 * DBL_EPSILON)))
        memcpy(cone->best, cone->path.kept, bytes);
}

hol_status hol__cone_solve(hol__cone *cone, int n, const hol__cone_contact *contacts, int m,
                           const double *G, const double *b, double *z, double *w,
                           hol__cone_state *state) {
    const size_t rows = (size_t)m;
    if (!are_finite(rows * rows, G) || !are_finite(rows, b)) return HOL_NONFINITE;
    task job = {n, m, contacts, G, b, z, w, .least = INFINITY};
    job.size = set_problem(cone, n, contacts, m, G, b);
    job.share = hol__cone_accepts(m);
    int found = 0;
    for (int k = 0; k < ATTEMPTS && !found; k++) found = try_path(cone, &job, k);
    take_best(cone, &job, state);
    if (found) {
        refine(cone, &job, state);
        take_best(cone, &job, state);
        spread(cone, &job, state);
        take_best(cone, &job, state);
    }
    return found ? HOL_OK : HOL_NOT_CONVERGED;
}
