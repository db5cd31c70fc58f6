/* cone.c: contacts with Coulomb friction: scaling, the attempts, what is accepted, the states.
 *
 * Rows are scaled by D with D_i^2 G_ii = 1, both tangential rows of a contact alike so that its
 * cone stays round: G <- D G D, b <- D b, z = D z', w' = D w, mu <- mu D_N/D_T. b is brought to
 * size 1. A diagonal entry that is rounding beside those of the same contact counts as 0.
 *
 * A solution is followed along a path (cone_path.h) in a direction c with c_N > mu |c_T|; where
 * one ends on a ray the next c is tried. What is found is judged in the units of the caller by
 *
 *     rho |z_N - max(0, z_N - w_N/rho)|,   rho |z_T - P(z_T - w_T/rho)|,   P on |z_T| <= mu z_N
 *
 * over the terms of w (the sum of |G_ij z_j| and |b_i|, the largest row of the contact), rho the
 * diagonal of G. w is a sum of m + 1 rounded products from a system that was solved with an error
 * of the same kind, some m eps of these terms each; EPS_TERMS eps (m + 8) is accepted and counts
 * as 0.
 */
#include "kernel/cone_path.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double EPS_TERMS = 32;
static const double EXACT = 4; /* eps: a residual that cannot become smaller */
enum { ATTEMPTS = 16 };

hol__cone *hol__cone_new(hol__arena *arena, int contacts, int rows) {
    const size_t n = (size_t)contacts, m = (size_t)rows;
    hol__cone *cone = HOL__NEW(arena, hol__cone);
    if (!cone) return NULL;
    hol__cone_path *path = &cone->path;
    cone->most_n = contacts;
    cone->most_m = rows;
    cone->cod = hol__cod_new(arena, rows, rows);
    cone->G = HOL__NEW_N(arena, double, m *m);
    path->part = HOL__NEW_N(arena, hol__cone_part, n);
    path->lu = hol__lu_new(arena, rows + 1);
    double *v = HOL__NEW_N(arena, double, 16 * (m + 1));
    if (!cone->cod || !cone->G || !path->part || !path->lu || !v) return NULL;
    double **const vectors[] = {&path->b,      &path->c,     &path->z,    &path->w,      &path->y,
                                &path->dy,     &path->dz,    &path->dw,   &path->before, &path->rhs,
                                &path->border, &cone->scale, &cone->best, &path->kept};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = v + i * (m + 1);
    return cone;
}

/* ---- what is accepted ---- */

/* The largest of the sums |G_ij z_j| + |b_i| over the rows of a contact. */
static double terms_of(const hol__cone_contact *contact, int m, const double *G, const double *b,
                       const double *z) {
    double most = 0;
    for (int k = 0; k <= contact->across; k++) {
        const double *g = G + (size_t)(contact->first + k) * (size_t)m;
        double sum = fabs(b[contact->first + k]);
        for (int j = 0; j < m; j++) sum += fabs(g[j] * z[j]);
        most = fmax(most, sum);
    }
    return most;
}

/* |v| of the tangential rows. */
static double length_of(int across, const double *v) {
    return across == 2 ? hypot(v[0], v[1]) : across == 1 ? fabs(v[0]) : 0;
}

/* The largest diagonal entry of G among the rows from first. */
static double largest_diagonal(const double *G, int m, int first, int count) {
    double most = 0;
    for (int k = first; k < first + count; k++)
        most = fmax(most, G[(size_t)k * (size_t)m + (size_t)k]);
    return most;
}

/* rho |z_T - P(z_T - w_T/rho)|, or the distance of z_T from the given direction. */
static double friction_residual(const hol__cone_contact *contact, double rho, const double *z,
                                const double *w) {
    const double limit = contact->mu * fmax(0, z[0]);
    double v[2] = {0, 0};
    for (int k = 0; k < contact->across; k++)
        v[k] = contact->slides ? -limit * contact->slide[k] : z[1 + k] - w[1 + k] / rho;
    const double length = length_of(contact->across, v),
                 factor = !contact->slides && length > limit ? limit / length : 1;
    for (int k = 0; k < contact->across; k++) v[k] = z[1 + k] - factor * v[k];
    return rho * length_of(contact->across, v);
}

double hol__cone_residual(int n, const hol__cone_contact *contacts, int m, const double *G,
                          const double *b, const double *z, const double *w) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        const hol__cone_contact *contact = &contacts[i];
        const int first = contact->first;
        const double terms = terms_of(contact, m, G, b, z) + contact->noise;
        double normal = largest_diagonal(G, m, first, 1),
               across = largest_diagonal(G, m, first + 1, contact->across);
        if (!(normal > 0)) normal = across > 0 ? across : 1;
        if (!(across > 0)) across = normal;
        const double push = z[first], gap = w[first];
        double miss = normal * fabs(push - fmax(0, push - gap / normal));
        miss = fmax(miss, friction_residual(contact, across, z + first, w + first));
        if (miss > 0) miss = fmax(0, miss - contact->noise) / terms;
        if (!(miss <= most)) most = miss;
    }
    return most;
}

/* ---- scaling ---- */

/* D of the rows. */
static void set_scale(hol__cone *cone, int n, const hol__cone_contact *contacts, int m,
                      const double *G) {
    for (int i = 0; i < n; i++) {
        const int first = contacts[i].first, across = contacts[i].across;
        const double normal = largest_diagonal(G, m, first, 1),
                     beside = largest_diagonal(G, m, first + 1, across),
                     least = 64 * DBL_EPSILON * fmax(normal, beside);
        cone->scale[first] = normal > least ? 1 / sqrt(normal) : 0;
        for (int k = 1; k <= across; k++)
            cone->scale[first + k] = beside > least ? 1 / sqrt(beside) : 0;
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
    if (size > 0)
        for (size_t i = 0; i < rows; i++) path->b[i] /= size;
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
        own[0] = fmax(0, own[0]);
        const double limit = contacts[i].mu * own[0], length = length_of(across, own + 1);
        if (part->state == HOL__CONE_SLIDES)
            for (int k = 0; k < across; k++) own[1 + k] = part->mu > 0 ? -limit * part->u[k] : 0;
        else if (length > limit)
            for (int k = 0; k < across; k++) own[1 + k] *= limit / length;
    }
    multiply(m, G, b, z, w);
}

/* The states, from w and what counts as 0 of it. */
static void set_states(int n, const hol__cone_contact *contacts, int m, const double *G,
                       const double *b, const double *z, const double *w, double share,
                       hol__cone_state *state) {
    for (int i = 0; i < n; i++) {
        const hol__cone_contact *contact = &contacts[i];
        const int first = contact->first;
        const double zero = contact->noise + share * terms_of(contact, m, G, b, z);
        if (w[first] > zero)
            state[i] = HOL__CONE_OPEN;
        else if (contact->slides || length_of(contact->across, w + first + 1) > zero)
            state[i] = HOL__CONE_SLIDES;
        else
            state[i] = HOL__CONE_STICKS;
    }
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
    for (int k = 0; k < 4 && job->least > EXACT * DBL_EPSILON; k++) {
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

hol_status hol__cone_solve(hol__cone *cone, int n, const hol__cone_contact *contacts, int m,
                           const double *G, const double *b, double *z, double *w,
                           hol__cone_state *state) {
    const size_t rows = (size_t)m;
    if (!are_finite(rows * rows, G) || !are_finite(rows, b)) return HOL_NONFINITE;
    task job = {n, m, contacts, G, b, z, w, .least = INFINITY};
    job.size = set_problem(cone, n, contacts, m, G, b);
    job.share = EPS_TERMS * DBL_EPSILON * (m + 8);
    int found = 0;
    for (int k = 0; k < ATTEMPTS && !found; k++) found = try_path(cone, &job, k);
    memcpy(z, cone->best, rows * sizeof *z);
    multiply(m, G, b, z, w);
    set_states(n, contacts, m, G, b, z, w, job.share, state);
    return found ? HOL_OK : HOL_NOT_CONVERGED;
}
