/* cone_residual.c: how well z and w satisfy the conditions of contact, and the states they are in.
 *
 *     rho |z_N - max(0, z_N - w_N/rho)|,   rho |z_T - P(z_T - w_T/rho)|,   P on |z_T| <= mu z_N
 *
 * over the terms of w: the sum of |G_ij z_j| and |b_i|, the largest row of the contact. rho is the
 * diagonal of G.
 */
#include "kernel/cone_path.h"

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

void hol__cone_states(int n, const hol__cone_contact *contacts, int m, const double *G,
                      const double *b, const double *z, const double *w, double share,
                      hol__cone_state *state) {
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
    }
}
