/* frames.c: vectors of the fixed frame, turned with the bodies. See frames.h. */
#include "form/frames.h"

#include "coords/coords.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

/* What has come nearer by this factor (squared) has. */
static const double CLEAR = 4;

/* Whether the rows of a record are along the axes of the fixed frame. */
static int is_point(const hol__con_batch *batch, const hol__con *con) {
    double first[3], second[3];
    return batch->type->common && batch->type->common(con, first, second) == HOL__COMMON_POINT;
}

int hol__frames_init(hol__frames *frames, hol__arena *arena, const hol_model *model) {
    const hol__coords *coords = model->coords;
    *frames = (hol__frames){.model = model};
    if (coords != &hol__coords_planar && coords != &hol__coords_spatial) return 1;
    frames->all = HOL__NEW_N(arena, hol__framed, 2 * (model->nb + model->m));
    frames->kept = HOL__NEW_N(arena, double, 9 * model->nb);
    frames->S = HOL__NEW_N(arena, double, 9 * model->nb);
    frames->held = HOL__NEW_N(arena, double, 9 * model->nb);
    frames->follows = HOL__NEW_N(arena, unsigned char, model->nb);
    frames->turns = HOL__NEW_N(arena, unsigned char, model->nb);
    if (arena->failed) return 0;
    for (int i = 0; i < 2 * model->nb; i++)
        frames->all[frames->n++] = (hol__framed){coords->nv_body * i, i % model->nb, i % model->nb};
    return 1;
}

/* Where row `first` of the model and those after it stand together; -1: not all of them. */
static int find(const int *row, int n, int first, int count) {
    for (int i = 0; i + count <= n; i++)
        if (row[i] == first) return row[i + count - 1] == first + count - 1 ? i : -1;
    return -1;
}

void hol__frames_add_rows(hol__frames *frames, const int *row, int n, int at) {
    const hol_model *m = frames->model;
    for (int k = 0; frames->n && k < m->n_con_batches; k++) {
        const hol__con_batch *batch = &m->con_batches[k];
        for (int i = 0; i < batch->count; i++) {
            const hol__con *con = hol__con_record(batch, i);
            const int place = is_point(batch, con) ? find(row, n, con->row, m->dim) : -1,
                      body = con->body[con->body[1] < m->nb],
                      other = con->body[0] < m->nb ? con->body[0] : body;
            if (place >= 0 && body < m->nb)
                frames->all[frames->n++] = (hol__framed){at + place, body, other};
        }
    }
}

/* R of body b at base (+) d. */
static void orient(const hol__frames *frames, const double *base, const double *d, int b,
                   double *R) {
    if (frames->model->dim == 3) {
        double p[4];
        hol__quat_plus(base + 7 * b + 3, d + 6 * b + 3, p);
        hol__quat_matrix(p, R);
        return;
    }
    const double angle = base[3 * b + 2] + d[3 * b + 2], c = cos(angle), s = sin(angle);
    const double plane[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++) R[i] = plane[i];
}

/* The translations of body b in B + K / sigma. */
static void take_block(const hol__frames *frames, const hol__tangent *tangent, double per_sigma,
                       int b, double *block) {
    const hol_model *m = frames->model;
    const int at = m->coords->nv_body * b, dim = m->dim;
    memset(block, 0, 9 * sizeof *block);
    for (int i = 0; i < dim; i++)
        for (int k = tangent->K.ptr[at + i]; k < tangent->K.ptr[at + i + 1]; k++) {
            const int j = tangent->K.idx[k] - at;
            if (j >= 0 && j < dim) block[3 * i + j] = tangent->B.x[k] + per_sigma * tangent->K.x[k];
        }
}

/* The size of a block. */
static double size_of(const double *block) {
    double sum = 0;
    for (int i = 0; i < 9; i++) sum += block[i] * block[i];
    return sqrt(sum);
}

/* S = to from^T. */
static void turn_between(const double *from, const double *to, double *S) {
    for (int i = 0; i < 9; i++) S[i] = hol__dot3(to + 3 * (i / 3), from + 3 * (i % 3));
}

/* Whether what is stiff on a body turns with it: its block is nearer to S old S^T than to the old
 * one, clearly; where nothing is clear as before. */
static int does_follow(const double *S, const double *old, const double *new, int before) {
    double half[9], turned[9], stays = 0, turns = 0;
    hol__mat3_mul(S, old, half);
    turn_between(S, half, turned);
    for (int i = 0; i < 9; i++) {
        stays += (old[i] - new[i]) * (old[i] - new[i]);
        turns += (turned[i] - new[i]) * (turned[i] - new[i]);
    }
    return fmax(stays, turns) < CLEAR * fmin(stays, turns) ? before : turns < stays;
}

/* Those that are joined to what turns do so too. */
static void spread(hol__frames *frames) {
    int more = 1;
    while (more) {
        more = 0;
        for (int i = 0; i < frames->n; i++) {
            unsigned char *a = &frames->turns[frames->all[i].body],
                          *b = &frames->turns[frames->all[i].other];
            if (*a == *b) continue;
            *a = *b = 1;
            more = 1;
        }
    }
}

void hol__frames_keep(hol__frames *frames, const hol__tangent *tangent, double per_sigma,
                      const double *base, const double *d) {
    const hol_model *m = frames->model;
    if (!frames->n) return;
    for (int b = 0; b < m->nb; b++) {
        double R[9], S[9], block[9], *kept = frames->kept + 9 * b, *held = frames->held + 9 * b;
        orient(frames, base, d, b, R);
        take_block(frames, tangent, per_sigma, b, block);
        turn_between(kept, R, S);
        frames->follows[b] = (unsigned char)does_follow(S, held, block, frames->follows[b]);
        frames->turns[b] = frames->follows[b] && per_sigma * size_of(block) > m->bodies[b].mass;
        memcpy(kept, R, sizeof R);
        memcpy(held, block, sizeof block);
    }
    spread(frames);
}

void hol__frames_walk(hol__frames *frames, hol__archive *archive) {
    const int nb = frames->n ? frames->model->nb : 0;
    hol__archive_numbers(archive, frames->kept, 9 * nb);
    hol__archive_numbers(archive, frames->held, 9 * nb);
    HOL__ARCHIVE_N(archive, frames->follows, nb);
    HOL__ARCHIVE_N(archive, frames->turns, nb);
}

/* S of all bodies at base (+) d. */
static void find_turns(hol__frames *frames, const double *base, const double *d) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int b = 0; b < frames->model->nb; b++) {
        double R[9];
        memcpy(frames->S + 9 * b, one, sizeof one);
        if (!frames->turns[b]) continue;
        orient(frames, base, d, b, R);
        turn_between(frames->kept + 9 * b, R, frames->S + 9 * b);
    }
}

void hol__frames_turn(hol__frames *frames, const double *base, const double *d, int back,
                      double *r) {
    const int dim = frames->model->dim;
    if (!frames->n) return;
    find_turns(frames, base, d);
    for (int i = 0; i < frames->n; i++) {
        const hol__framed *f = &frames->all[i];
        const double *S = frames->S + 9 * f->body;
        if (!frames->turns[f->body]) continue;
        double *x = r + f->at, in[3] = {x[0], x[1], dim == 3 ? x[2] : 0}, out[3];
        if (back)
            hol__mul3(S, in, out);
        else
            hol__mul3_t(S, in, out);
        for (int k = 0; k < dim; k++) x[k] = out[k];
    }
}
