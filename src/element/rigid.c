/* rigid.c: the rows of joints that push and do not pull, and what is watched of their gaps
 * (rigid_gap.c).
 *
 * Of the number that is watched, -g, the sign counts while the gap closes; while it opens again it
 * does not.
 */
#include "element/rigid.h"

#include "element/acting.h"
#include "math/polytope.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- rows ---- */

/* Rows of one joint: those of gaps (0), or those across. */
typedef struct rows {
    hol__con con;
    const hol__rigid *rigid;
    const unsigned short *slot, *kind; /* by row: the slot, and 0 the gap, 1 and 2 across */
} rows;

static void fill(const void *records, int n, const hol__con_args *args) {
    const rows *rec = records;
    for (int i = 0; i < n; i++, rec++) {
        hol__mover movers[HOL__MAX_BODIES];
        hol__rigid_point at;
        hol__movers(&rec->con, args, movers);
        for (int k = 0; k < rec->con.n_rows; k++) {
            const int kind = rec->kind[k];
            hol__row row = {.Phi = 0};
            if (!k || rec->slot[k] != rec->slot[k - 1])
                hol__rigid_at(rec->rigid, args, rec->slot[k], &at);
            row.Phi = !kind ? at.gap
                      : hol__rigid_has_anchor(rec->rigid)
                          ? hol__rigid_strayed(rec->rigid, args, rec->slot[k], &at, kind)
                          : 0;
            memcpy(row.lin, at.lin[kind], sizeof at.lin[kind]);
            memcpy(row.turn, at.turn[kind], sizeof at.turn[kind]);
            hol__row_put(&rec->con, k, movers, &row, args);
        }
    }
}

static unsigned live(const void *record, int k, int slot) {
    const rows *rec = record;
    (void)k, (void)slot;
    return rec->rigid->pair.plane ? 7 : 63;
}

static const char *label(const void *record, int k) {
    static const char *const names[] = {"gap", "stick 1", "stick 2"};
    return names[((const rows *)record)->kind[k]];
}

static const hol__con_type gap_type = {.name = "closed gap",
                                       .size = sizeof(rows),
                                       .holonomic = 1,
                                       .live = live,
                                       .label = label,
                                       .fill = fill};
static const hol__con_type stick_type = {.name = "sticking",
                                         .size = sizeof(rows),
                                         .holonomic = 0,
                                         .live = live,
                                         .label = label,
                                         .fill = fill};

static const hol__con_type anchor_type = {.name = "sticking at a place",
                                          .size = sizeof(rows),
                                          .holonomic = 1,
                                          .live = live,
                                          .label = label,
                                          .fill = fill};

int hol__rigid_has_rows(const hol__con_type *type) {
    return type == &gap_type || type == &stick_type || type == &anchor_type;
}

int hol__rigid_holds_places(const hol_model *model) {
    for (int i = 0; i < model->n_con_batches; i++)
        if (model->con_batches[i].type == &anchor_type) return 1;
    return 0;
}

/* The type of the rows k of slots. */
static const hol__con_type *type_of(const hol__rigid *r, int k) {
    return !k ? &gap_type : hol__rigid_has_anchor(r) ? &anchor_type : &stick_type;
}

/* The record of one type, where it has rows. */
static void add_rows(hol__build *build, hol__element *joint, const hol__rigid *r,
                     const hol__con_type *type) {
    int n = 0;
    for (int i = 0; i < r->slots && r->touch; i++)
        for (int k = 0; k <= r->across; k++) n += (r->touch[i] >> k & 1) && type_of(r, k) == type;
    unsigned short *slot = n ? HOL__NEW_N(build->arena, unsigned short, 2 * n) : NULL,
                   *kind = slot ? slot + n : NULL;
    rows *rec = slot ? hol__add_con(build, joint, type, n) : NULL;
    if (!rec) return;
    rec->rigid = r;
    rec->slot = slot;
    rec->kind = kind;
    for (int i = 0; i < r->slots; i++)
        for (int k = 0; k <= r->across; k++)
            if (r->touch[i] >> k & 1 && type_of(r, k) == type)
                *slot++ = (unsigned short)i, *kind++ = (unsigned short)k;
}

int hol__rigid_row(const hol_model *model, const hol__element *joint, int slot, int k) {
    for (int i = 0; i < joint->n_parts; i++) {
        const hol__con_batch *batch = &model->con_batches[joint->part[i].batch];
        if (!hol__rigid_has_rows(batch->type)) continue;
        const rows *rec = hol__con_record(batch, joint->part[i].record);
        for (int row = 0; row < rec->con.n_rows; row++)
            if (rec->slot[row] == slot && rec->kind[row] == k) return rec->con.row + row;
    }
    return -1;
}

/* ---- what is watched, and remembered ---- */

typedef struct watch {
    int element;
    const hol__rigid *rigid;
} watch;

hol__con_args hol__rigid_args(const hol__force_args *args) {
    return (hol__con_args){.bodies = args->bodies,
                           .inputs = args->inputs,
                           .scratch = args->scratch,
                           .angles = args->angles,
                           .memory = args->memory};
}

double hol__rigid_passed(const hol__rigid *rigid, int slot, const double *memory,
                         const hol__rigid_point *at) {
    const double p = -at->gap - rigid->slack,
                 still = memory[rigid->memory + HOL__SLIDE * slot + HOL__STILL];
    return at->rate > -fmax(rigid->slack, still) ? -fabs(p) - rigid->slack : p;
}

/* How far the slots that are open are passed. */
static void record(const void *records, int n, hol__force_args *args) {
    const watch *rec = records;
    const hol__con_args con = hol__rigid_args(args);
    for (int i = 0; i < n; i++, rec++) {
        const hol__rigid *r = rec->rigid;
        hol__rigid_view view;
        hol__rigid_look(r, &con, &view);
        for (int k = 0; k < r->slots; k++) {
            hol__rigid_point at;
            double *out = hol__recorded(args->scratch, r->corner + k);
            *out = -1;
            if (r->line || (r->touch && r->touch[k] & HOL__TOUCH_CLOSED)) continue;
            hol__rigid_see(&view, k, &at);
            *out = hol__rigid_passed(r, k, args->memory, &at);
        }
    }
}

/* The directions in which slots slide. */
static void keep(const void *records, int n, const hol__force_args *args, double *memory) {
    const watch *rec = records;
    const hol__con_args con = hol__rigid_args(args);
    for (int i = 0; i < n; i++, rec++)
        for (int k = 0; k < rec->rigid->slots; k++) {
            const hol__rigid *r = rec->rigid;
            hol__rigid_point at;
            double u[3], *last = memory + r->memory + HOL__SLIDE * k;
            if (!r->across || !r->touch || !(r->touch[k] & HOL__TOUCH_SLIDES)) continue;
            hol__rigid_at(r, &con, k, &at);
            hol__rigid_slip(r, &con, &at, u);
            if (!(hol__dot3(u, last) > 0)) continue;
            const double slowest = hol__norm3(last);
            hol__rigid_direction(&at, u, last, last);
            for (int j = 0; j < 3; j++) last[j] *= slowest;
            last[3] = 0;
        }
}

/* It does nothing to the bodies. */
static void tangent(const void *record_, hol__force_args *args, hol__force_tangent *out) {
    (void)record_, (void)args, (void)out;
}

static const hol__force_type watch_type = {.name = "gaps of rigid joints",
                                           .size = sizeof(watch),
                                           .fill = record,
                                           .keep = keep,
                                           .tangent = tangent};

/* ---- adding ---- */

/* The face that a corner is on is one of a hull, which has at most 2 N - 4 with N corners. */
_Static_assert(2 * HOL__POLYTOPE_POINTS - 4 < (hol__touch_bits)-1 / HOL__TOUCH_FACE,
               "hol__touch_bits holds every face of the largest hull");

/* A slot more in a list of them. */
static void note(hol__build *build, hol__slide slide, hol__slide **list, int *n) {
    hol__slide *grown = hol__arena_append(build->arena, *list, sizeof *grown, *n, 1);
    if (!grown) return;
    *list = grown;
    grown[(*n)++] = slide;
}

/* The slots that are closed: with a row, without one, and those on which friction acts. */
static void note_closed(hol__build *build, hol__element *joint, const hol__rigid *r) {
    hol_model *m = build->model;
    for (int i = 0; i < r->slots && r->touch; i++) {
        const unsigned touch = r->touch[i], carries = touch & (HOL__TOUCH_GAP | HOL__TOUCH_SHARES);
        const hol__slide slide = {joint->index, i, (touch & HOL__TOUCH_SHARES) != 0};
        if (!(touch & HOL__TOUCH_CLOSED)) continue;
        if (touch & HOL__TOUCH_GAP)
            note(build, slide, &m->gaps, &m->n_gaps);
        else
            note(build, slide, &m->beside, &m->n_beside);
        if (carries && touch & HOL__TOUCH_SLIDES) note(build, slide, &m->slides, &m->n_slides);
    }
}

void hol__rigid_add(hol__build *build, hol__element *joint, const hol__rigid *rigid) {
    hol_model *model = build->model;
    hol__rigid *r = HOL__NEW(build->arena, hol__rigid);
    watch *rec = hol__add_force(build, joint, &watch_type);
    if (!r || !rec) return;
    *r = *rigid;
    for (int k = 0; k < 2; k++) r->size = fmax(r->size, hol__convex_reach(&r->pair.shape[k].core));
    if (r->slots > r->corners) hol__rigid_add_edges(build->arena, r);
    memcpy(r->body, joint->body, sizeof r->body);
    double reach = 1;
    for (int k = 0; k < 2; k++) {
        double at[3];
        hol__drawn_point(model, r->body[k], joint->marker[k].s, at);
        reach = fmax(reach, hol__norm3(at));
    }
    r->slack = 32 * DBL_EPSILON * reach;
    r->first = model->n_slots;
    model->n_slots += r->slots;
    r->memory = hol__add_memory(build, HOL__SLIDE * r->slots);
    for (int i = 0; i < r->slots; i++) {
        const int corner = hol__add_corner(build, &hol__cells_of_sign, joint->label);
        if (!i) r->corner = corner;
    }
    r->touch = build->variant && build->variant->touch ? build->variant->touch + r->first : NULL;
    r->anchored = build->variant && build->variant->anchored;
    if (r->touch) {
        hol__touch_bits *kept = HOL__NEW_N(build->arena, hol__touch_bits, r->slots);
        if (!kept) return;
        memcpy(kept, r->touch, sizeof *kept * (size_t)r->slots);
        r->touch = kept;
    }
    r->level = hol__rigid_is_level(r);
    rec->rigid = joint->rigid = r;
    add_rows(build, joint, r, &gap_type);
    add_rows(build, joint, r, &anchor_type);
    add_rows(build, joint, r, &stick_type);
    note_closed(build, joint, r);
    model->n_switched++;
}
