/* tangent_blocks.c: which bodies are coupled: the parts of the tangent and the pattern of its
 * blocks in body space. */
#include "dyn/tangent_work.h"

#include <stdlib.h>
#include <string.h>

/* ---- measures that laws read ---- */

/* Add a moving body to a list unless it is there. */
static void note(const hol_model *m, int body, int *list, int *n) {
    if (body >= m->nb) return;
    for (int i = 0; i < *n; i++)
        if (list[i] == body) return;
    list[(*n)++] = body;
}

/* The bodies of a measure; those of an expression are those of the measures that it reads, which
 * come before it. */
static int measure_bodies(const hol__tangent *tangent, const hol__measure *x, int *list) {
    const hol_model *m = tangent->model;
    int n = 0;
    for (int i = 0; i < 3; i++) note(m, x->body[i], list, &n);
    for (int i = 0; x->angle >= 0 && i < 2; i++) note(m, m->angles[x->angle].body[i], list, &n);
    for (int i = 0; x->e && i < m->n_measures; i++) {
        const hol__measure_part *part = &tangent->work->measures[i];
        for (int c = 0; part->used && c < m->measures[i].count; c++)
            for (int k = 0; hol__expr_reads(x->e, 1 + m->measures[i].first + c) && k < part->n; k++)
                note(m, part->body[k], list, &n);
    }
    return n;
}

static int measure_parts(hol__tangent *tangent) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    int *list = HOL__NEW_N(&tangent->arena, int, m->nb);
    w->measures = HOL__NEW_N(&tangent->arena, hol__measure_part, m->n_measures);
    if (tangent->arena.failed) return 0;
    for (int i = 0; i < m->n_measures; i++) {
        const hol__measure *x = &m->measures[m->measure_order[i]];
        hol__measure_part *part = &w->measures[m->measure_order[i]];
        if (!x->live) continue;
        part->n = measure_bodies(tangent, x, list);
        const size_t numbers = (size_t)x->count * (size_t)(part->n * m->bw);
        part->body = HOL__NEW_N(&tangent->arena, int, part->n);
        part->pose = HOL__NEW_N(&tangent->arena, double, numbers);
        part->twist = HOL__NEW_N(&tangent->arena, double, numbers);
        part->time = HOL__NEW_N(&tangent->arena, double, x->count);
        if (tangent->arena.failed) return 0;
        if (part->n) memcpy(part->body, list, sizeof(int) * (size_t)part->n);
        part->used = 1;
    }
    return 1;
}

/* ---- forces ---- */

/* What a record reads and where it acts; its own matrices. */
static int force_part(hol__tangent *tangent, const hol__force_batch *batch, int k,
                      hol__force_part *part) {
    const hol_model *m = tangent->model;
    hol__arena *arena = &tangent->arena;
    const hol__element *owner = batch->owner[k];
    hol__force_tangent *out = &part->out;
    *part = (hol__force_part){batch->type, hol__force_record(batch, k), owner, {0}};
    out->n = 2 * m->bw;
    out->n_reads = 1 + (owner ? owner->n_reads : 0);
    out->aux = owner ? owner->aux : 0;
    out->n_aux = owner ? owner->n_aux : 0;
    for (int i = 0; i < 2; i++) out->body[i] = owner ? owner->body[i] : m->nb;
    int *reads = HOL__NEW_N(arena, int, out->n_reads);
    const size_t n = (size_t)out->n, n_aux = (size_t)out->n_aux, inputs = (size_t)out->n_reads;
    out->input = HOL__NEW_N(arena, double, n *inputs);
    out->state = HOL__NEW_N(arena, double, n *n_aux);
    out->rate_pose = HOL__NEW_N(arena, double, n *n_aux);
    out->rate_twist = HOL__NEW_N(arena, double, n *n_aux);
    out->rate_input = HOL__NEW_N(arena, double, n_aux *inputs);
    out->rate_state = HOL__NEW_N(arena, double, n_aux *n_aux);
    out->along = tangent->work->along;
    out->none = tangent->work->none;
    if (arena->failed) return 0;
    for (int i = 1; i < out->n_reads; i++) reads[i] = 1 + owner->reads[i - 1];
    out->reads = reads;
    return 1;
}

int hol__tangent_parts(hol__tangent *tangent) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    int n = 0;
    for (int i = 0; i < m->n_force_batches; i++) n += m->force_batches[i].count;
    w->forces = HOL__NEW_N(&tangent->arena, hol__force_part, n);
    w->along = HOL__NEW_N(&tangent->arena, double, m->n_inputs);
    w->none = HOL__NEW_N(&tangent->arena, double, m->n_inputs);
    if (!measure_parts(tangent)) return 0;
    for (int i = 0; i < m->n_force_batches; i++)
        for (int k = 0; k < m->force_batches[i].count; k++)
            if (!force_part(tangent, &m->force_batches[i], k, &w->forces[w->n_forces++])) return 0;
    return 1;
}

/* ---- pairs of bodies ---- */

typedef void pair_fn(void *self, int row, int column);

/* The measure of a column. */
static const hol__measure_part *part_of_column(const hol__tangent *tangent, int column) {
    const hol_model *m = tangent->model;
    for (int i = 0; i < m->n_measures; i++)
        if (column < m->measures[i].first + m->measures[i].count)
            return &tangent->work->measures[i];
    return NULL;
}

/* Every pair that a force couples: the bodies on which it acts with those and with what its laws
 * read. */
static void force_pairs(const hol__tangent *tangent, const hol__force_part *part, pair_fn *fn,
                        void *self) {
    const hol__force_tangent *out = &part->out;
    const int nb = tangent->model->nb;
    for (int i = 0; i < 2; i++) {
        if (out->body[i] >= nb) continue;
        for (int j = 0; j < 2; j++)
            if (out->body[j] < nb) fn(self, out->body[i], out->body[j]);
        for (int r = 1; r < out->n_reads; r++) {
            const hol__measure_part *x = part_of_column(tangent, out->reads[r] - 1);
            for (int k = 0; k < x->n; k++) {
                fn(self, out->body[i], x->body[k]);
                fn(self, x->body[k], out->body[i]);
            }
        }
    }
}

/* Every pair of bodies that something couples, in both orders, some of them more than once. */
static void each_pair(const hol__tangent *tangent, pair_fn *fn, void *self) {
    const hol_model *m = tangent->model;
    for (int i = 0; i < m->nb; i++) fn(self, i, i);
    for (int i = 0; i < tangent->work->n_forces; i++)
        force_pairs(tangent, &tangent->work->forces[i], fn, self);
    for (int i = 0; i < m->n_con_batches; i++)
        for (int k = 0; k < m->con_batches[i].count; k++) {
            const hol__con *con = hol__con_record(&m->con_batches[i], k);
            for (int a = 0; a < con->n_bodies; a++)
                for (int b = 0; b < con->n_bodies; b++)
                    if (con->body[a] < m->nb && con->body[b] < m->nb)
                        fn(self, con->body[a], con->body[b]);
        }
}

typedef struct pairs {
    int *ptr, *next, *column;
} pairs;

static void count_pair(void *self, int row, int column) {
    (void)column;
    ((pairs *)self)->ptr[row + 1]++;
}

static void place_pair(void *self, int row, int column) {
    pairs *p = self;
    p->column[p->next[row]++] = column;
}

static int by_number(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Sort the columns of each row and keep each once. */
static void tidy_rows(int rows, int *ptr, int *column) {
    int n = 0;
    for (int i = 0; i < rows; i++) {
        const int first = ptr[i], last = ptr[i + 1];
        qsort(column + first, (size_t)(last - first), sizeof *column, by_number);
        ptr[i] = n;
        for (int k = first; k < last; k++)
            if (n == ptr[i] || column[n - 1] != column[k]) column[n++] = column[k];
    }
    ptr[rows] = n;
}

int hol__block_find(const hol__tangent_work *work, int row, int column) {
    int low = work->block_ptr[row], high = work->block_ptr[row + 1];
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (work->block_body[middle] > column)
            high = middle;
        else
            low = middle;
    }
    return low;
}

int hol__tangent_blocks(hol__tangent *tangent) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    hol__arena *arena = &tangent->arena;
    pairs p = {HOL__NEW_N(arena, int, m->nb + 1), HOL__NEW_N(arena, int, m->nb + 1), NULL};
    if (arena->failed) return 0;
    each_pair(tangent, count_pair, &p);
    for (int i = 0; i < m->nb; i++) p.ptr[i + 1] += p.ptr[i];
    memcpy(p.next, p.ptr, sizeof(int) * (size_t)(m->nb + 1));
    p.column = HOL__NEW_N(arena, int, p.ptr[m->nb]);
    if (arena->failed) return 0;
    each_pair(tangent, place_pair, &p);
    tidy_rows(m->nb, p.ptr, p.column);
    w->block_ptr = p.ptr;
    w->block_body = p.column;
    const size_t blocks = (size_t)p.ptr[m->nb], numbers = blocks * (size_t)(m->bw * m->bw);
    w->mirror = HOL__NEW_N(arena, int, blocks);
    w->load_pose = HOL__NEW_N(arena, double, numbers);
    w->load_twist = HOL__NEW_N(arena, double, numbers);
    w->rows_pose = HOL__NEW_N(arena, double, numbers);
    if (arena->failed) return 0;
    for (int i = 0; i < m->nb; i++)
        for (int k = p.ptr[i]; k < p.ptr[i + 1]; k++)
            w->mirror[k] = hol__block_find(w, p.column[k], i);
    return 1;
}
