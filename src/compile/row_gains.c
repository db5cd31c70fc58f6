/* row_gains.c: gains that a joint or a body has of its own, from its key `gains`.
 *
 * Stabilisers and penalties have diagonal matrices of gains [GJB 5.29-5.31; BL 34]: alpha and beta
 * of Baumgarte's terms, Omega and mu of the penalty terms, and the penalty factor. A joint gives
 * one number for all of its equations, or a list with one for each, in the order in which its
 * records were made; those of a body serve the rows that the body brings with it: rigid-body
 * constraints of natural coordinates, a prescribed motion, the frame of a point mass. What is not
 * given is NaN and comes from the options of the run.
 */
#include "compile/compile.h"

#include "base/text.h"
#include "coords/coords.h"
#include "model/fields.h"
#include "model/read.h"

#include <math.h>
#include <string.h>

typedef struct gain_params {
    hol__params head;
    hol__numbers gain[HOL__N_GAINS];
} gain_params;

const hol__key hol__gain_keys[] = {
    {"alpha", HOL__KEY_BY_ROW, "1/s", "", HOL__POSITIVE,
     "Baumgarte's gain on velocities; default: the option `alpha`, or what `gains` chooses.", NULL,
     HOL__AT(gain_params, gain[HOL__GAIN_ALPHA])},
    {"beta", HOL__KEY_BY_ROW, "1/s", "", HOL__POSITIVE,
     "Baumgarte's gain on positions; default: the option `beta`, or what `gains` chooses.", NULL,
     HOL__AT(gain_params, gain[HOL__GAIN_BETA])},
    {"omega", HOL__KEY_BY_ROW, "rad/s", "", HOL__POSITIVE,
     "Natural frequency Omega of the penalty terms; default: the option `omega`.", NULL,
     HOL__AT(gain_params, gain[HOL__GAIN_OMEGA])},
    {"mu", HOL__KEY_BY_ROW, "", "", HOL__POSITIVE,
     "Damping ratio mu of the penalty terms; default: the option `mu`.", NULL,
     HOL__AT(gain_params, gain[HOL__GAIN_MU])},
    {"penalty", HOL__KEY_BY_ROW, "", "", HOL__POSITIVE,
     "Penalty factor, times the largest term of the mass matrix; default: the option `penalty`.",
     NULL, HOL__AT(gain_params, gain[HOL__GAIN_PENALTY])},
    HOL__KEY_END,
};

/* The key `gains` of an item; NULL where it is absent or wrong. */
static const gain_params *read_gains(hol__build *build, hol__node *item, const char *what) {
    hol__node *node = item->kind == HOL__MAP ? hol__node_get(item, "gains") : NULL;
    const int errors = build->errors;
    if (!node) return NULL;
    if (node->kind != HOL__MAP) {
        hol__build_error(build, node, "'gains' is a map such as {alpha: 20, beta: 15}");
        return NULL;
    }
    const void *params =
        hol__params_read(build, node, hol__gain_keys, NULL, sizeof(gain_params), what);
    return build->errors > errors ? NULL : params;
}

/* Gain g of equation k. */
static double gain_of(const gain_params *p, int g, int k) {
    const hol__numbers *list = &p->gain[g];
    return !list->n ? NAN : list->x[list->single ? 0 : k];
}

/* The record of a part of a joint. */
static hol__con *record_of(const hol_model *model, const hol__element *joint, int part) {
    const hol__con_batch *batch = &model->con_batches[joint->part[part].batch];
    return (hol__con *)(void *)(batch->records +
                                (size_t)joint->part[part].record * batch->type->size);
}

/* Report a list that is not as long as the joint has equations, with what they hold. */
static void report_length(hol__build *build, const hol__element *joint, const gain_params *p, int g,
                          int n) {
    hol__text names;
    hol__text_init(&names, build->ctx);
    for (int part = 0; part < joint->n_parts; part++) {
        const hol__con *con = record_of(build->model, joint, part);
        const hol__con_type *type = build->model->con_batches[joint->part[part].batch].type;
        for (int k = 0; k < con->n_rows; k++)
            hol__text_add(&names, "%s%s", names.length ? ", " : "", type->label(con, k));
    }
    hol__field_error(build, p, hol__gain_keys[g].name,
                     "'%s' has %d numbers and the joint %d equation%s (%s); give one number for "
                     "all or one for each",
                     hol__gain_keys[g].name, p->gain[g].n, n, n == 1 ? "" : "s",
                     names.data ? names.data : "");
    hol__text_free(&names);
}

/* Whether all lists are as long as the joint has equations. */
static int lengths_fit(hol__build *build, const hol__element *joint, const gain_params *p, int n) {
    int fit = 1;
    for (int g = 0; g < HOL__N_GAINS; g++) {
        if (!p->gain[g].n || p->gain[g].single || p->gain[g].n == n) continue;
        report_length(build, joint, p, g, n);
        fit = 0;
    }
    return fit;
}

/* Room for the gains of n equations: the place of the first, from 1; 0 without memory. */
static int add_rows(hol__build *build, int n, double **rows) {
    hol_model *model = build->model;
    double(*grown)[HOL__N_GAINS] =
        hol__arena_append(build->arena, model->given_gains, sizeof *grown, model->n_given_gains, n);
    if (!grown) return 0;
    model->given_gains = grown;
    *rows = grown[model->n_given_gains];
    model->n_given_gains += n;
    return model->n_given_gains - n + 1;
}

/* The gains of all equations of a joint. */
static void give_joint(hol__build *build, hol__element *joint, const gain_params *p) {
    int n = 0;
    double *rows = NULL;
    for (int part = 0; part < joint->n_parts; part++)
        n += record_of(build->model, joint, part)->n_rows;
    if (!lengths_fit(build, joint, p, n)) return;
    int first = add_rows(build, n, &rows);
    if (!first) return;
    for (int k = 0; k < n; k++)
        for (int g = 0; g < HOL__N_GAINS; g++) rows[k * HOL__N_GAINS + g] = gain_of(p, g, k);
    for (int part = 0; part < joint->n_parts; part++) {
        hol__con *con = record_of(build->model, joint, part);
        con->gains = first;
        first += con->n_rows;
    }
}

void hol__compile_joint_gains(hol__build *build) {
    hol__node *map = hol__section(build, "joints");
    hol_model *model = build->model;
    int k = 0;
    for (hol__node *item = map ? map->first : NULL; item; item = item->next, k++) {
        if (!model->joints[k].type) continue;
        build->element = model->joints[k].label;
        const gain_params *p = read_gains(build, item, "the gains of a joint");
        if (p) give_joint(build, &model->joints[k], p);
    }
}

void hol__compile_body_gains(hol__build *build, hol__body *body, hol__node *item) {
    const gain_params *p = read_gains(build, item, "the gains of a body");
    if (!p) return;
    for (int g = 0; g < HOL__N_GAINS; g++)
        if (p->gain[g].n && !p->gain[g].single) {
            hol__field_error(build, p, hol__gain_keys[g].name,
                             "'%s' of a body is one number for all rows that it brings with it",
                             hol__gain_keys[g].name);
            return;
        }
    double *rows = NULL;
    body->gains = add_rows(build, 1, &rows);
    for (int g = 0; body->gains && g < HOL__N_GAINS; g++) rows[g] = gain_of(p, g, 0);
}

/* Gains that were given, from row on; first: the place of those of row, step: 0 where all rows have
 * the same. */
static int lay(hol_model *model, int first, int step, int row, int n) {
    for (int k = 0; first && k < n; k++)
        for (int g = 0; g < HOL__N_GAINS; g++) {
            const double gain = model->given_gains[first - 1 + step * k][g];
            if (isnan(gain)) continue;
            if (!model->gains[g]) {
                model->gains[g] = HOL__NEW_N(&model->arena, double, model->m);
                if (!model->gains[g]) return 0;
                for (int i = 0; i < model->m; i++) model->gains[g][i] = NAN;
            }
            model->gains[g][row + k] = gain;
        }
    return 1;
}

/* The body that brought a joint with it, or NULL. */
static const hol__body *owner_of(const hol_model *model, const hol__element *joint) {
    return !joint->params && joint->body[1] < model->nb ? &model->bodies[joint->body[1]] : NULL;
}

hol_status hol__lay_gains(hol_model *model, int first_own) {
    const hol__maps *maps = model->coords->maps;
    if (!model->n_given_gains) return HOL_OK;
    for (int i = 0; i < model->n_con_batches; i++)
        for (int k = 0; k < model->con_batches[i].count; k++) {
            const hol__con *con = hol__con_record(&model->con_batches[i], k);
            const hol__body *body = owner_of(model, &model->joints[con->element]);
            lay(model, body ? body->gains : con->gains, !body, con->row, con->n_rows);
        }
    for (int i = first_own; maps && maps->own_body && i < model->m && model->row_joint[i] < 0; i++)
        lay(model, model->bodies[maps->own_body(model, i - first_own)].gains, 0, i, 1);
    return model->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
}
