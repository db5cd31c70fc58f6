/* kinematics_lost.c: what is lost in a singular position: with y^T A = 0 the rows of y depend on
 * each other, and with A x = 0 the velocities x are not determined. */
#include "analysis/kinematics.h"

#include <holonom/matrix.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1024, MOST = 6 };

static const double counts = 0.05; /* of the largest, in y */

/* How much the rows of a joint have in y. */
static double share_of(const hol_model *m, const double *y, int joint) {
    double sum = 0;
    for (int i = 0; i < m->m; i++)
        if (m->row_joint[i] == joint) sum = hypot(sum, y[i]);
    return sum;
}

/* "joints 'B', 'C'" into text; how long it is. */
static size_t name_joints(const hol_model *m, const double *y, char *text) {
    double most = 0;
    size_t used = 0;
    int n = 0, left = 0;
    for (int j = 0; j < m->n_joints; j++) most = fmax(most, share_of(m, y, j));
    for (int j = 0; j < m->n_joints; j++) {
        if (!(share_of(m, y, j) > counts * most)) continue;
        if (n == MOST && ++left) continue;
        used += (size_t)snprintf(text + used, TEXT - used, "%s'%.80s'", n++ ? ", " : "",
                                 m->joints[j].name);
    }
    if (left) used += (size_t)snprintf(text + used, TEXT - used, " and %d more", left);
    return used;
}

/* The velocity that has most of x, lengths against the size of the mechanism. */
static int largest(const hol_model *m, const double *x) {
    int best = 0;
    double most = -1;
    for (int i = 0; i < m->nv; i++) {
        const double size = fabs(x[i]) / (hol__is_turn(m, i) ? 1 : m->length);
        if (size > 1.001 * most) most = size, best = i;
    }
    return best;
}

hol_status hol__kinematics_lost(hol__kinematics *k, const char **text) {
    const hol_model *m = k->follow->data->model;
    char words[TEXT + 320], name[256];
    double *y = HOL__NEW_N(&k->arena, double, m->m + 1),
           *x = HOL__NEW_N(&k->arena, double, m->nv + 1);
    if (!y || !x) return HOL_ERR_MEMORY;
    const hol_status status = hol__follow_lost(k->follow, y, x);
    if (status) return status;
    const size_t used = name_joints(m, y, words);
    hol_model_velocity_name(m, largest(m, x), name, sizeof name);
    snprintf(words + used, sizeof words - used, ": %s is not driven", name);
    *text = hol__arena_text(&k->arena, words);
    return *text ? HOL_OK : HOL_ERR_MEMORY;
}
