/* cone_spread.c: the least z that gives the same w.
 *
 * Redundant contacts leave z free by the null space of G within the cones: three directions for a
 * contact that sticks, the one along its ray for a contact that slides. With V an orthonormal
 * basis of these,
 *
 *     z <- z - V V^T z
 *
 * is the least. Where that is outside of the cones, the least z within cones that are narrower by
 * NARROWER is sought by Dykstra's projections; being inside, it needs no more digits. Where there
 * is none, z goes as far as the cones allow; a contact that reaches the surface of its cone keeps
 * to its ray from then on, one that is on its ray and reaches 0 stays there, and the rest goes on.
 */
#include "kernel/cone_path.h"

#include "kernel/saddle.h"
#include "la/tolerances.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 8, PROJECTIONS = 500 };
static const double NARROWER = 1e-3;

/* How a contact may change. */
typedef enum freedom { HELD, RAY, WHOLE } freedom;

/* What its state allows. */
static freedom freedom_of(const hol__cone_part *part, hol__cone_state state) {
    if (state == HOL__CONE_OPEN) return HELD;
    return state == HOL__CONE_STICKS && part->coulomb ? WHOLE : RAY;
}

/* The k-th direction of a contact over its rows, in the units of the caller. */
static void direction(const hol__cone_part *part, freedom free, int k, const double *ray,
                      double *d) {
    for (int l = 0; l <= part->across; l++) d[l] = free == WHOLE ? l == k : ray[l];
}

/* The directions of all contacts, as columns of Z (m x q); q. Both Z and A = D G Z have columns
 * for which A would be 1 if its contact were alone. */
static int set_columns(hol__cone *cone, const freedom *free, const double *rays, double *Z) {
    const hol__cone_path *path = &cone->path;
    const size_t m = (size_t)path->m;
    double *A = cone->cod->qr->a;
    int q = 0;
    for (int i = 0; i < path->n; i++) {
        const hol__cone_part *part = &path->part[i];
        const int first = part->first, count = free[i] == HELD  ? 0
                                               : free[i] == RAY ? 1
                                                                : 1 + part->across;
        for (int k = 0; k < count; k++, q++) {
            double d[3], *column = Z + (size_t)q * m, *a = A + (size_t)q * m;
            direction(part, free[i], k, rays + first, d);
            /* d = D d', A = G' d' with G' = D G D */
            for (size_t l = 0; l < m; l++) column[l] = a[l] = 0;
            for (int l = 0; l <= part->across; l++) {
                const double scale = cone->scale[first + l];
                column[first + l] = d[l] * scale;
                if (free[i] == RAY) column[first + l] = d[l] * cone->scale[first];
                if (!(scale > 0)) continue;
                const double *g = path->G + (size_t)(first + l) * m;
                for (size_t j = 0; j < m; j++) a[j] += g[j] * column[first + l] / scale;
            }
        }
    }
    return q;
}

/* V <- an orthonormal basis of the directions that leave w as it is; how many. Z is overwritten. */
static int free_directions(hol__cone *cone, int q, const double *Z, double *V) {
    const size_t m = (size_t)cone->path.m;
    hol__cod *cod = cone->cod;
    cod->qr->m = cone->path.m;
    cod->qr->n = q;
    if (q == 0 || hol__cod_factor(cod) != 0) return 0;
    hol__cod_truncate(cod, hol__cod_rank(cod, HOL__PIVOT_ROUNDING));
    const int count = q - cod->rank;
    for (int k = 0; k < count; k++) {
        double *v = V + (size_t)k * m, *share = cone->path.rhs;
        hol__cod_null_vector(cod, k, share);
        for (size_t i = 0; i < m; i++) v[i] = 0;
        for (int j = 0; j < q; j++)
            for (size_t i = 0; i < m; i++) v[i] += share[j] * Z[(size_t)j * m + i];
    }
    hol__orthonormalise(cone->path.m, count, V);
    return count;
}

/* k <- the point nearest to v of the cone mu z_N >= |z_T| with its tip at N = floor. */
static void project_whole(int across, double mu, double floor, const double *v, double *k) {
    const double height = v[0] - floor, length = hol__cone_length(across, v + 1);
    double up = height, out = length;
    if (length > mu * height) {
        up = fmax(0, (height + mu * length) / (1 + mu * mu));
        out = mu * up;
    }
    k[0] = floor + up;
    for (int l = 1; l <= across; l++) k[l] = length > 0 ? v[l] * out / length : 0;
}

/* k <- the point nearest to v of its ray, at least `floor` along it. */
static void project_ray(int across, const double *ray, double floor, const double *v, double *k) {
    double along = 0, length = 0;
    for (int l = 0; l <= across; l++) {
        along += ray[l] * v[l];
        length += ray[l] * ray[l];
    }
    for (int l = 0; l <= across; l++) k[l] = fmax(floor, along / length) * ray[l];
}
/* How much of the way dz can be gone, and which contact stops it there (-1 for none). */
static double allowed(const hol__cone_path *path, const hol__cone_contact *contacts,
                      const freedom *free, const double *z, const double *dz, int *stops) {
    double least = 1;
    *stops = -1;
    for (int i = 0; i < path->n; i++) {
        const int first = path->part[i].first;
        double h = 1;
        if (free[i] == RAY && z[first] + dz[first] < 0) h = fmax(0, z[first] / -dz[first]);
        if (free[i] == WHOLE)
            h = hol__cone_step(path->part[i].across, contacts[i].mu, z + first, dz + first);
        if (h < least) {
            least = h;
            *stops = i;
        }
    }
    return least;
}

/* Whether z is within the cones. */
static int is_within(const hol__cone_path *path, const hol__cone_contact *contacts,
                     const freedom *free, const double *z) {
    for (int i = 0; i < path->n; i++) {
        const double *own = z + path->part[i].first;
        if (free[i] != HELD && !(own[0] >= 0)) return 0;
        if (free[i] == WHOLE &&
            hol__cone_length(path->part[i].across, own + 1) > contacts[i].mu * own[0])
            return 0;
    }
    return 1;
}

/* k <- the projection of v on the narrower cones of all contacts, with their tips at floor. */
static void project(const hol__cone_path *path, const hol__cone_contact *contacts,
                    const freedom *free, const double *rays, double floor, const double *v,
                    double *k) {
    for (int i = 0; i < path->n; i++) {
        const int first = path->part[i].first, across = path->part[i].across;
        if (free[i] == WHOLE)
            project_whole(across, (1 - NARROWER) * contacts[i].mu, floor, v + first, k + first);
        else if (free[i] == RAY)
            project_ray(across, rays + first, floor, v + first, k + first);
        else
            for (int l = first; l <= first + across; l++) k[l] = v[l];
    }
}

/* One round of Dykstra's projections of y: k on the cones, with what they took before (q) added,
 * then y on the z with the same w, y = z + V V^T (k - z). The change of y over its size. */
static double turn(hol__cone *cone, const hol__cone_contact *contacts, const freedom *free,
                   const double *rays, double floor, int count, const double *z, double *y) {
    const hol__cone_path *path = &cone->path;
    const int m = path->m;
    double *q = path->kept, *k = path->border, *rest = path->rhs, change = 0, size = 0;
    for (int i = 0; i < m; i++) q[i] += y[i];
    project(path, contacts, free, rays, floor, q, k);
    for (int i = 0; i < m; i++) {
        q[i] -= k[i];
        k[i] = rest[i] = k[i] - z[i];
    }
    hol__project_out(m, count, cone->V, rest);
    for (int i = 0; i < m; i++) {
        const double next = z[i] + (k[i] - rest[i]);
        change += (next - y[i]) * (next - y[i]);
        size += next * next;
        y[i] = next;
    }
    return sqrt(change / size);
}

/* z <- the least z within narrower cones, to about as much as they are narrower. Whether there is
 * one, within the cones, with a smaller norm. */
static int narrow(hol__cone *cone, const hol__cone_contact *contacts, const freedom *free,
                  const double *rays, int count, double *z) {
    hol__cone_path *path = &cone->path;
    const int m = path->m;
    double *y = path->before, before = 0, after = 0;
    for (int i = 0; i < m; i++) {
        y[i] = z[i];
        path->kept[i] = 0;
        before += z[i] * z[i];
    }
    const double floor = NARROWER * NARROWER * sqrt(before);
    hol__project_out(m, count, cone->V, y);
    int round = 0;
    while (round < PROJECTIONS &&
           turn(cone, contacts, free, rays, floor, count, z, y) > NARROWER * NARROWER)
        round++;
    for (int i = 0; i < m; i++) after += y[i] * y[i];
    if (!is_within(path, contacts, free, y) || after >= before) return 0;
    for (int i = 0; i < m; i++) z[i] = y[i];
    return 1;
}

void hol__cone_spread(hol__cone *cone, const hol__cone_contact *contacts,
                      const hol__cone_state *state, double *z) {
    const hol__cone_path *path = &cone->path;
    const int n = path->n, m = path->m;
    freedom *free = (freedom *)cone->free;
    double *dz = path->dz, *rays = path->dw;
    int closed = 0;
    for (int i = 0; i < n; i++) {
        const hol__cone_part *part = &path->part[i];
        free[i] = freedom_of(part, state[i]);
        closed += free[i] != HELD;
        rays[part->first] = 1;
        for (int k = 0; k < part->across; k++)
            rays[part->first + 1 + k] = -contacts[i].mu * part->u[k];
    }
    if (closed < 2) return;
    for (int round = 0; round < ROUNDS; round++) {
        const int q = set_columns(cone, free, rays, cone->Z),
                  count = free_directions(cone, q, cone->Z, cone->V);
        if (count == 0) return;
        for (int i = 0; i < m; i++) dz[i] = z[i];
        hol__project_out(m, count, cone->V, dz);
        for (int i = 0; i < m; i++) dz[i] -= z[i];
        int stops;
        const double share = allowed(path, contacts, free, z, dz, &stops);
        if (round == 0 && stops >= 0 && narrow(cone, contacts, free, rays, count, z)) return;
        for (int i = 0; i < m; i++) z[i] += share * dz[i];
        if (stops < 0) return;
        /* on to its ray, or off it */
        const hol__cone_part *part = &path->part[stops];
        const double push = z[part->first];
        free[stops] = free[stops] == WHOLE && push > 0 ? RAY : HELD;
        for (int k = 1; k <= part->across && push > 0; k++)
            rays[part->first + k] = z[part->first + k] / push;
    }
}
