/* cone_residual.c: how well z and w satisfy the conditions of contact, and the states they are in.
 *
 *     rho |z_N - max(0, z_N - w_N/rho)|,   rho |z_T - P(z_T - w_T/rho)|,   P on |z_T| <= mu z_N
 *
 * over the terms of w: the sum of |G_ij z_j| and |b_i|, the largest row of the contact. rho is the
 * diagonal of G.
 */
#include "kernel/cone_path.h"

#include <float.h>
#include <math.h>

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

double hol__cone_length(int across, const double *v) {
    return across == 2 ? hypot(v[0], v[1]) : across == 1 ? fabs(v[0]) : 0;
}

double hol__cone_diagonal(const double *G, int m, int first, int count) {
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
    const double length = hol__cone_length(contact->across, v),
                 factor = !contact->slides && length > limit ? limit / length : 1;
    for (int k = 0; k < contact->across; k++) v[k] = z[1 + k] - factor * v[k];
    return rho * hol__cone_length(contact->across, v);
}

double hol__cone_residual(int n, const hol__cone_contact *contacts, int m, const double *G,
                          const double *b, const double *z, const double *w) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        const hol__cone_contact *contact = &contacts[i];
        const int first = contact->first;
        const double terms = terms_of(contact, m, G, b, z) + contact->noise;
        double normal = hol__cone_diagonal(G, m, first, 1),
               across = hol__cone_diagonal(G, m, first + 1, contact->across);
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

/* ---- states ---- */

/* |z_T| |w_T| + z_T . w_T: the power that friction does not take because it is not against w_T, of
 * which each component is known to `rounding`. */
static double power_left(const double *z_T, const double *w_T, double rounding) {
    const double force = hol__cone_length(2, z_T), speed = hol__cone_length(2, w_T),
                 along = z_T[0] * w_T[0] + z_T[1] * w_T[1],
                 across = fabs(z_T[0] * w_T[1] - z_T[1] * w_T[0]) + rounding * force;
    if (!(force * speed > 0)) return 0;
    return along < 0 ? across * across / (force * speed - along) : force * speed + along;
}

/* Whether G has something between the tangential rows from i and those from j. */
static int are_coupled(int m, const double *G, int i, int j) {
    const double *g = G + (size_t)i * (size_t)m, *h = g + m;
    return g[j] != 0 || g[j + 1] != 0 || h[j] != 0 || h[j + 1] != 0;
}

/* Whether contact i slides for certain; v is w_T of the contacts that would begin to slide in
 * space, 0 in all other rows. Were there a z* with the same pushes and w_T = 0 in place of v,
 *
 *     |v|^4/(v^T G v) <= (z - z*)^T G (z - z*) = v . (z - z*) <= sum of mu z_N |v_T| + z_T . v_T
 *
 * by Cauchy's inequality and |z*_T| <= mu z_N. So there is none where the first is above the last.
 * Where it is not, v is what friction lacks for not being against it: rounding leaves an angle d
 * there of which |v| d is rounding, and d^2/2 of the friction is a |v| that is more than rounding.
 * Sums are over the contacts that move i. */
static int is_certain(int n, const hol__cone_contact *contacts, int i, int m, const double *G,
                      const double *b, const double *z, const double *v) {
    const int row = contacts[i].first + 1;
    double power = 0, square = 0, product = 0;
    for (int j = 0; j < n; j++) {
        const int at = contacts[j].first + 1;
        if (contacts[j].across < 2 || !are_coupled(m, G, row, at)) continue;
        power += power_left(z + at, v + at,
                            HOL__CONE_EXACT * DBL_EPSILON * terms_of(&contacts[j], m, G, b, z));
        for (int k = at; k < at + 2; k++) {
            square += v[k] * v[k];
            for (int l = 0; l < m && v[k] != 0; l++)
                product += v[k] * G[(size_t)k * (size_t)m + (size_t)l] * v[l];
        }
    }
    return power * product < square * square;
}

void hol__cone_states(int n, const hol__cone_contact *contacts, int m, const double *G,
                      const double *b, const double *z, const double *w, double share, double *v,
                      hol__cone_state *state) {
    for (int i = 0; i < m; i++) v[i] = 0;
    for (int i = 0; i < n; i++) {
        const hol__cone_contact *contact = &contacts[i];
        const int first = contact->first;
        const double zero = contact->noise + share * terms_of(contact, m, G, b, z);
        if (w[first] > zero)
            state[i] = HOL__CONE_OPEN;
        else if (contact->slides || hol__cone_length(contact->across, w + first + 1) > zero)
            state[i] = HOL__CONE_SLIDES;
        else
            state[i] = HOL__CONE_STICKS;
        if (state[i] != HOL__CONE_SLIDES || contact->slides || contact->across < 2) continue;
        v[first + 1] = w[first + 1], v[first + 2] = w[first + 2];
    }
    for (int i = 0; i < n; i++) {
        const double *own = v + contacts[i].first;
        if (contacts[i].across < 2 || (own[1] == 0 && own[2] == 0)) continue;
        if (!is_certain(n, contacts, i, m, G, b, z, v)) state[i] = HOL__CONE_STICKS;
    }
}
