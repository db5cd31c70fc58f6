/* static_names.c: a virtual displacement in words: which bodies move most, and how.
 *
 * The displacements of the bodies are relative to the largest of them. A body is named where it
 * moves by at least a third of that, at most three of them.
 */
#include "analysis/static_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAMED = 3 };

static const double least = 1.0 / 3;
static const double straight = 1e-6; /* components below this share of the others are not told */

int hol__static_most(const hol__static *s, const double *x) {
    const hol_model *m = s->model;
    int most = 0;
    hol__static_displace(s, x, s->part);
    for (int i = 1; i < m->nb; i++)
        if (hol__norm(s->part + i * m->bw, m->bw) > hol__norm(s->part + most * m->bw, m->bw))
            most = i;
    return most;
}

/* "x", "-y" or "[0.6, 0.8, 0]" of a direction with n components. */
static void tell_direction(const double *d, int n, char *text, size_t size) {
    static const char *const axes = "xyz";
    const double length = hol__norm(d, n);
    size_t used = 0;
    for (int k = 0; k < n; k++)
        if (fabs(d[k]) > (1 - straight * straight) * length) {
            snprintf(text, size, "%s%c", d[k] < 0 ? "-" : "", axes[k]);
            return;
        }
    for (int k = 0; k < n && used < size; k++)
        used += (size_t)hol__print(text + used, size - used, "%s%.3g", k ? ", " : "[",
                                   fabs(d[k]) > straight * length ? d[k] / length : 0.0);
    if (used < size) snprintf(text + used, size - used, "]");
}

/* How one body moves: by the larger of displacement and rotation, or by both. */
static void tell_body(const hol_model *m, int body, const double *d, char *text, size_t size) {
    const double move = hol__norm(d, m->dim), turn = hol__norm(d + m->dim, m->bw - m->dim);
    char direction[96];
    size_t used = (size_t)snprintf(text, size, "body '%s'", m->bodies[body].name);
    if (turn > least * move && used < size) {
        tell_direction(d + m->dim, m->dim == 2 ? 1 : 3, direction, sizeof direction);
        used += m->dim == 2
                    ? (size_t)snprintf(text + used, size - used, " turns")
                    : (size_t)snprintf(text + used, size - used, " turns about its %s", direction);
    }
    if (move > least * turn && used < size) {
        tell_direction(d, m->dim, direction, sizeof direction);
        snprintf(text + used, size - used, "%s moves along %s", turn > least * move ? " and" : "",
                 direction);
    }
}

void hol__static_tell(const hol__static *s, const double *x, char *text, size_t size) {
    const hol_model *m = s->model;
    const int first = m->nb ? hol__static_most(s, x) : 0;
    const double most = m->nb ? hol__norm(s->part + first * m->bw, m->bw) : 0;
    size_t used = 0;
    int named = 0;
    *text = '\0';
    for (int i = 0; i < m->nb && named < MAX_NAMED; i++) {
        const int body = i == 0 ? first : i <= first ? i - 1 : i;
        const double *d = s->part + body * m->bw;
        char one[256];
        if (hol__norm(d, m->bw) < least * most || most == 0) continue;
        tell_body(m, body, d, one, sizeof one);
        used += (size_t)snprintf(text + used, size - used, "%s%s", named++ ? ", " : "", one);
        if (used >= size) return;
    }
}
