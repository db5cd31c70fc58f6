/* static_starts.c: many starts, and which equilibria are the same. See static_starts.h. */
#include "analysis/static_contact.h"
#include "analysis/static_starts.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { POSE = 12, MAX_WALK = 400 };

static const double stride = 0.15; /* of a walk, in lengths of the mechanism or radians */
static const double same = 1e-6;   /* of poses, energies and eigenvalues */

/* The next number of a fixed sequence, in [-1, 1). */
static double next_number(uint64_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* Walk from the state in s in a direction, by steps that the joints allow, as far as it goes. */
static hol_status walk(hol__static *s, const double *u, double far, double *x) {
    const double length = s->model->length;
    for (int k = 0; k < MAX_WALK && far > 0; k++, far -= stride) {
        hol_status status = hol__static_evaluate(s);
        if (status) return status;
        hol__static_seen(s, u, x);
        const double size = s->n ? hol__static_farthest(s, x) : 0;
        if (!(size > 1e-6 * length)) return HOL_OK;
        for (int i = 0; i < s->n; i++) x[i] *= fmin(stride, far) * length / size;
        double share;
        status = hol__static_step(s, x, NULL, &share);
        if (status < 0) return status;
        if (status) {
            hol__static_back(s);
            return HOL_OK;
        }
        hol__static_accept(s);
        if (share < 1) return HOL_OK; /* a gap has closed */
    }
    return HOL_OK;
}

hol_status hol__static_walk(hol__static *s, double reach, uint64_t *seed) {
    const int nv = s->model->nv;
    double *u = hol__alloc(s->data->ctx, 2 * (size_t)nv + 2, sizeof *u);
    if (!u) return HOL_ERR_MEMORY;
    for (int i = 0; i < nv; i++) u[i] = next_number(seed) / s->scale[i];
    const double far = reach * 0.5 * (1 + next_number(seed));
    const hol_status status = walk(s, u, far, u + nv + 1);
    hol__release(s->data->ctx, u);
    return status;
}

/* The poses of all bodies. */
static void take_poses(hol__static *s, double *pose) {
    for (int i = 0; i < s->model->nb; i++, pose += POSE) {
        hol_pose at;
        hol_data_body_pose(s->data, i, &at);
        for (int k = 0; k < 3; k++) pose[k] = at.r[k] / s->model->length;
        memcpy(pose + 3, at.R, sizeof at.R);
    }
}

/* Whether two numbers are the same against a size. */
static int is_same(double a, double b, double size) {
    return fabs(a - b) <= same * fmax(size, fmax(fabs(a), fabs(b)));
}

static int are_same(const hol__static *s, const hol__static_found *a, const hol__static_found *b) {
    const double energy = s->force * s->model->length;
    if (a->n != b->n || a->verdict != b->verdict || !is_same(a->energy, b->energy, energy))
        return 0;
    if (a->zero) { /* members of one family have the same stiffness */
        int alike = 1;
        for (int k = 0; k < a->n; k++)
            alike &= is_same(a->value[k], b->value[k], s->force / s->model->length);
        return alike;
    }
    for (int k = 0; k < POSE * s->model->nb; k++)
        if (!is_same(a->pose[k], b->pose[k], 1)) return 0;
    return 1;
}

hol_status hol__static_note(hol__static *s, struct hol__static_case *own, hol__static_list *list) {
    hol__static_found now = {.count = 1, .n = s->n, .own = own};
    hol__rest *rest;
    hol_status status = hol__rest_new(s, &rest);
    if (status) return status;
    now.verdict = rest->verdict;
    now.negative = rest->n_negative;
    now.zero = rest->n_zero;
    now.least = rest->n ? rest->value[0] : 0;
    now.energy = s->data->potential;
    now.value = HOL__NEW_N(&list->arena, double, s->n + 1);
    now.pose = HOL__NEW_N(&list->arena, double, POSE * s->model->nb + 1);
    if (now.value) memcpy(now.value, rest->value, sizeof(double) * (size_t)s->n);
    hol__rest_free(rest);
    if (list->arena.failed) return HOL_ERR_MEMORY;
    take_poses(s, now.pose);
    for (int i = 0; i < list->n; i++)
        if (are_same(s, &list->found[i], &now)) {
            list->found[i].count++;
            return HOL_OK;
        }
    void *grown =
        hol__arena_grow(&list->arena, list->found, sizeof now, list->n, &list->room, list->n + 1);
    if (!grown || !hol__static_place_keep(&list->arena, s->data, &now.place)) return HOL_ERR_MEMORY;
    list->found = grown;
    int at = list->n++; /* by energy */
    for (; at > 0 && list->found[at - 1].energy > now.energy; at--)
        list->found[at] = list->found[at - 1];
    list->found[at] = now;
    return HOL_OK;
}

/* Both searches from a place. */
static hol_status search_from(hol__static *s, const hol__static_place *place,
                              hol__static_list *list) {
    static const hol__statics_method methods[] = {HOL__STATICS_DESCENT, HOL__STATICS_NEWTON};
    for (int k = 0; k < 2; k++) {
        hol__equilibrium e = {.method = methods[k]};
        hol__static_place_put(s->data, place);
        const hol_status found = hol__equilibrium_find(s, &e);
        list->searches++;
        if (found < 0) return found;
        if (found) list->failed++;
        const hol_status status = found ? HOL_OK : hol__static_note(s, NULL, list);
        if (status) return status;
    }
    return HOL_OK;
}

hol_status hol__static_starts(hol__static *s, int starts, double reach, hol__static_list *list) {
    hol__static_place first, here;
    uint64_t seed = 0x9e3779b97f4a7c15u;
    *list = (hol__static_list){.n = 0};
    hol__arena_init(&list->arena, s->data->ctx);
    if (!hol__static_place_keep(&list->arena, s->data, &first)) return HOL_ERR_MEMORY;
    hol_status status = hol__static_evaluate(s);
    for (int k = 0; k < starts && !status; k++) {
        hol__static_place_put(s->data, &first);
        hol__data_keep_angles(s->data);
        if (k) status = hol__static_evaluate(s);
        if (!status) status = hol__static_walk(s, k ? reach : 0, &seed);
        if (status > 0) {
            list->failed++;
            status = HOL_OK;
            continue;
        }
        if (!hol__static_place_keep(&list->arena, s->data, &here)) return HOL_ERR_MEMORY;
        if (!status) status = search_from(s, &here, list);
    }
    return status;
}

void hol__static_list_free(hol__static_list *list) {
    for (int i = 0; i < list->n; i++) {
        struct hol__static_case *own = list->found[i].own;
        hol_context *ctx = own ? own->ctx : NULL;
        if (own) hol__static_case_close(own);
        hol_context_free(ctx);
    }
    hol__arena_free(&list->arena);
}
