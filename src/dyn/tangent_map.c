/* tangent_map.c: the tangent from body space to the coordinates.
 *
 * With the variation of the bodies (coords/variation.h: J, and dV, dacc, dbias by the coordinates)
 * and what is left over on them,
 *
 *     w = load - M_b acc - G^T lambda,  acc = J a + J' v        Q - M a - A^T lambda = J^T w
 *
 *     K e_j  = d(J^T) w/dq_j + J^T (load_x J_j + load_V dV_j - M_b dacc_j - d(G^T lambda)/dx J_j)
 *     B e_j  = J^T (load_V J_j - M_b dbias_j)
 *     Cq e_j = c_x J_j + c_V dV_j - d(G acc)/dx J_j - G dacc_j         Cv e_j = c_V J_j - G dbias_j
 *     Pq e_j = d(G V - b)/dx J_j + G dV_j
 *
 * In reference-point coordinates J = 1 and all variations are zero. In natural coordinates M is
 * constant: M_b acc is not in w.
 */
#include "dyn/tangent_work.h"

#include "math/vec3.h"

#include <string.h>

static void clear(double *x, int n) {
    if (n) memset(x, 0, sizeof(double) * (size_t)n);
}

/* ---- patterns ---- */

/* The velocities that column j of K can touch, into rows unless NULL; mark: by velocity, the last
 * column that had it. */
static int touched_rows(const hol__tangent *tangent, int j, int *mark, int *seen, int *rows) {
    const hol__tangent_work *w = tangent->work;
    const hol__variation *x = &w->variation;
    const int tree = tangent->model->tree != NULL;
    int n = 0;
    for (int k = x->ptr[j]; k < x->ptr[j + 1]; k++)
        for (int b = w->block_ptr[x->body[k]]; b < w->block_ptr[x->body[k] + 1]; b++) {
            const int body = w->block_body[b];
            if (seen[body] == j) continue;
            seen[body] = j;
            for (int i = x->of_ptr[body]; i < x->of_ptr[body + 1]; i++) {
                if (mark[x->of_v[i]] == j) {
                    if (tree) break; /* all that is nearer to the root is there too */
                    continue;
                }
                mark[x->of_v[i]] = j;
                if (rows) rows[n] = x->of_v[i];
                n++;
            }
        }
    return n;
}

/* The columns of own rows are coupled too. */
static int own_rows(const hol__tangent *tangent, const int *row_ptr, const int *row_of, int j,
                    int *mark, int *rows) {
    const hol__csr *A = &tangent->model->A;
    int n = 0;
    for (int k = row_ptr[j]; k < row_ptr[j + 1]; k++)
        for (int p = A->ptr[row_of[k]]; p < A->ptr[row_of[k] + 1]; p++) {
            if (mark[A->idx[p]] == j) continue;
            mark[A->idx[p]] = j;
            if (rows) rows[n] = A->idx[p];
            n++;
        }
    return n;
}

/* The own rows of the coordinates (row_joint < 0) by column. */
static int list_own(hol__tangent *tangent, int **ptr, int **row) {
    const hol_model *m = tangent->model;
    *ptr = HOL__NEW_N(&tangent->arena, int, m->nv + 2);
    *row = HOL__NEW_N(&tangent->arena, int, m->A.ptr[m->m]);
    if (tangent->arena.failed) return 0;
    for (int i = 0; i < m->m; i++)
        for (int p = m->A.ptr[i]; m->row_joint[i] < 0 && p < m->A.ptr[i + 1]; p++)
            (*ptr)[m->A.idx[p] + 1]++;
    for (int j = 0; j < m->nv; j++) (*ptr)[j + 1] += (*ptr)[j];
    for (int i = 0; i < m->m; i++)
        for (int p = m->A.ptr[i]; m->row_joint[i] < 0 && p < m->A.ptr[i + 1]; p++)
            (*row)[(*ptr)[m->A.idx[p]]++] = i;
    memmove(*ptr + 1, *ptr, sizeof(int) * (size_t)m->nv);
    **ptr = 0;
    return 1;
}

/* K by columns: all rows where the caller has forces. */
static int lay_columns(hol__tangent *tangent) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    hol__arena *arena = &tangent->arena;
    int *mark = HOL__NEW_N(arena, int, m->nv), *seen = HOL__NEW_N(arena, int, m->nb);
    int *own_ptr, *own;
    w->K_by_column = HOL__NEW_N(arena, int, m->nv + 1);
    if (!list_own(tangent, &own_ptr, &own) || arena->failed) return 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->nv; i++) mark[i] = -1;
        for (int i = 0; i < m->nb; i++) seen[i] = -1;
        for (int j = 0; j < m->nv; j++) {
            int *rows = pass ? w->K_row + w->K_by_column[j] : NULL;
            int n = touched_rows(tangent, j, mark, seen, rows);
            n += own_rows(tangent, own_ptr, own, j, mark, rows ? rows + n : NULL);
            for (int i = 0; w->user && i < m->nv; i++)
                if (mark[i] != j) {
                    if (rows) rows[n] = i;
                    n++;
                }
            w->K_by_column[j + 1] = w->K_by_column[j] + n;
        }
        if (!pass) w->K_row = HOL__NEW_N(arena, int, w->K_by_column[m->nv]);
        if (arena->failed) return 0;
    }
    return 1;
}

/* K by rows from K by columns, and where each entry went. */
static int turn_columns(hol__tangent *tangent) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    hol__csr *K = &tangent->K;
    const int entries = w->K_by_column[m->nv];
    K->ptr = HOL__NEW_N(&tangent->arena, int, m->nv + 2);
    K->idx = HOL__NEW_N(&tangent->arena, int, entries);
    w->K_at = HOL__NEW_N(&tangent->arena, int, entries);
    if (tangent->arena.failed) return 0;
    for (int k = 0; k < entries; k++) K->ptr[w->K_row[k] + 1]++;
    for (int i = 0; i < m->nv; i++) K->ptr[i + 1] += K->ptr[i];
    for (int j = 0; j < m->nv; j++)
        for (int k = w->K_by_column[j]; k < w->K_by_column[j + 1]; k++) {
            w->K_at[k] = K->ptr[w->K_row[k]]++;
            K->idx[w->K_at[k]] = j;
        }
    memmove(K->ptr + 1, K->ptr, sizeof(int) * (size_t)m->nv);
    K->ptr[0] = 0;
    return 1;
}

/* Reference-point coordinates: each velocity moves its own body, by one. */
static int own_pairs(hol__tangent *tangent) {
    const hol_model *m = tangent->model;
    hol__variation *x = &tangent->work->variation;
    x->ptr = HOL__NEW_N(&tangent->arena, int, m->nv + 1);
    x->body = HOL__NEW_N(&tangent->arena, int, m->nv);
    x->of_ptr = HOL__NEW_N(&tangent->arena, int, m->nb + 1);
    x->of_v = HOL__NEW_N(&tangent->arena, int, m->nv);
    x->of = HOL__NEW_N(&tangent->arena, int, m->nv);
    if (tangent->arena.failed) return 0;
    for (int j = 0; j < m->nv; j++)
        x->ptr[j + 1] = j + 1, x->body[j] = j / m->bw, x->of_v[j] = x->of[j] = j;
    for (int i = 0; i < m->nb; i++) x->of_ptr[i + 1] = (i + 1) * m->bw;
    return 1;
}

int hol__tangent_lay_columns(hol__tangent *tangent) {
    const hol_model *m = tangent->model;
    const int paired = m->coords->maps
                           ? hol__variation_init(&tangent->work->variation, &tangent->arena, m)
                           : own_pairs(tangent);
    if (!paired || !lay_columns(tangent)) return 0;
    tangent->K.rows = tangent->K.cols = m->nv;
    return turn_columns(tangent);
}

/* ---- columns of K and B ---- */

/* What the columns are made of. */
typedef struct mapping {
    hol__tangent *tangent;
    hol_data *data;
    int forces, reactions; /* 1 where they take part */
    int moving_mass;       /* M_b acc is in w: relative coordinates */
} mapping;

/* y += k M x for a block M. */
static void add_product(const double *M, double k, const double *x, int bw, double *y) {
    for (int i = 0; i < bw; i++) {
        double sum = 0;
        for (int j = 0; j < bw; j++) sum += M[bw * i + j] * x[j];
        y[i] += k * sum;
    }
}

/* y -= M_b x of one body. */
static void take_inertia(const hol_model *m, int body, const double *x, double *y) {
    const hol__body *b = &m->bodies[body];
    for (int i = 0; i < m->dim; i++) y[i] -= b->mass * x[i];
    if (m->dim == 2)
        y[2] -= b->inertia * x[2];
    else
        for (int i = 0; i < 3; i++) y[3 + i] -= hol__dot3(b->J + 3 * i, x + 3);
}

/* z += what body b, whose pose moves by x and velocities by y (NULL: none), does to all bodies that
 * it is coupled with. */
static void spread(const mapping *p, int body, const double *x, const double *y, double *z) {
    const hol__tangent_work *w = p->tangent->work;
    const int bw = p->tangent->model->bw;
    for (int k = w->block_ptr[body]; k < w->block_ptr[body + 1]; k++) {
        const int at = bw * bw * w->mirror[k];
        double *to = z + bw * w->block_body[k];
        if (x && p->forces) add_product(w->load_pose + at, 1, x, bw, to);
        if (x && p->reactions) add_product(w->rows_pose + at, -1, x, bw, to);
        if (y && p->forces) add_product(w->load_twist + at, 1, y, bw, to);
    }
}

/* out = J^T z, as far as column j of K is concerned. */
static void pull(const mapping *p, int j, const double *z, double *out) {
    const hol_model *m = p->tangent->model;
    hol__tangent_work *w = p->tangent->work;
    const hol__variation *x = &w->variation;
    if (m->coords->maps && (m->coords->maps->pull || w->user)) {
        hol__variation_pull(m, &p->data->bodies, z, &w->variation, out);
        return;
    }
    for (int k = w->K_by_column[j]; k < w->K_by_column[j + 1]; k++) {
        const int v = w->K_row[k];
        out[v] = 0;
        for (int i = x->ptr[v]; i < x->ptr[v + 1]; i++)
            for (int d = 0; m->coords->maps && d < m->bw; d++)
                out[v] += x->pose[m->bw * i + d] * z[m->bw * x->body[i] + d];
        if (!m->coords->maps) out[v] = z[v];
    }
}

/* Put a column into place. */
static void store(const mapping *p, int j, const double *column, hol__csr *to) {
    const hol__tangent_work *w = p->tangent->work;
    for (int k = w->K_by_column[j]; k < w->K_by_column[j + 1]; k++)
        to->x[w->K_at[k]] = column[w->K_row[k]];
}

/* Zero z where spread may have written for column j. */
static void wipe(const mapping *p, int j) {
    const hol_model *m = p->tangent->model;
    hol__tangent_work *w = p->tangent->work;
    const hol__variation *x = &w->variation;
    for (int k = x->ptr[j]; k < x->ptr[j + 1]; k++)
        for (int b = w->block_ptr[x->body[k]]; b < w->block_ptr[x->body[k] + 1]; b++)
            clear(w->body_column + m->bw * w->block_body[b], m->bw);
    if (w->user) clear(w->body_column, m->bw * m->nb);
}

/* Unit direction of velocity j in reference-point coordinates, else its pair. */
static const double *pair_pose(const mapping *p, int j, int k, double *unit) {
    const hol_model *m = p->tangent->model;
    if (m->coords->maps) return p->tangent->work->variation.pose + m->bw * k;
    clear(unit, m->bw);
    unit[j % m->bw] = 1;
    return unit;
}

/* z += forces of the caller by column j of q or v (part 0, 1). */
static void add_user(const mapping *p, int part, int j, double *z) {
    const hol_model *m = p->tangent->model;
    const int width = m->bw * m->nb;
    const double *from = p->tangent->work->user + (part * m->nv + j) * width;
    for (int i = 0; i < width; i++) z[i] += from[i];
}

static void column_of_K(const mapping *p, int j) {
    const hol_model *m = p->tangent->model;
    hol__tangent_work *w = p->tangent->work;
    const hol__variation *x = &w->variation;
    double *z = w->body_column, *column = w->column, unit[6];
    for (int k = x->ptr[j]; k < x->ptr[j + 1]; k++) {
        const double *twist = m->coords->maps ? x->twist + m->bw * k : NULL;
        spread(p, x->body[k], pair_pose(p, j, k, unit), twist, z);
        if (p->moving_mass) take_inertia(m, x->body[k], x->acc + m->bw * k, z + m->bw * x->body[k]);
    }
    if (w->user && p->forces) add_user(p, 0, j, z);
    pull(p, j, z, column);
    if (m->coords->maps) m->coords->maps->bend(m, x, j, column);
    store(p, j, column, &p->tangent->K);
    wipe(p, j);
}

static void column_of_B(const mapping *p, int j) {
    const hol_model *m = p->tangent->model;
    hol__tangent_work *w = p->tangent->work;
    const hol__variation *x = &w->variation;
    double *z = w->body_column, unit[6];
    for (int k = x->ptr[j]; k < x->ptr[j + 1]; k++) {
        spread(p, x->body[k], NULL, pair_pose(p, j, k, unit), z);
        if (p->moving_mass)
            take_inertia(m, x->body[k], x->bias + m->bw * k, z + m->bw * x->body[k]);
    }
    if (w->user) add_user(p, 1, j, z);
    pull(p, j, z, w->column);
    store(p, j, w->column, &p->tangent->B);
    wipe(p, j);
}

/* ---- rows ---- */

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Row `row` of a record over the velocities that move one of its bodies, with the entries from `at`
 * on in arrays like G. */
static void add_row(const mapping *p, int at, int body, int row, const int *place, int second) {
    hol__tangent *t = p->tangent;
    const hol_model *m = t->model;
    const hol__tangent_work *w = t->work;
    const hol__variation *x = &w->variation;
    const int bw = m->bw;
    for (int k = x->of_ptr[body]; k < x->of_ptr[body + 1]; k++) {
        const int to = m->A.ptr[row] + place[x->of_v[k]], pair = bw * x->of[k];
        const double *J = x->pose + pair, *twist = x->twist + pair, *G = p->data->G + at;
        if (second) {
            t->Cv.x[to] += dot(w->c_twist + at, J, bw) - dot(G, x->bias + pair, bw);
            t->Pq.x[to] += dot(w->v_pose + at, J, bw) + dot(G, twist, bw);
            continue;
        }
        t->Cq.x[to] -= dot(w->x_pose + at, J, bw) + dot(G, x->acc + pair, bw);
        if (p->forces) t->Cq.x[to] += dot(w->c_pose + at, J, bw) + dot(w->c_twist + at, twist, bw);
    }
}

/* All rows of the joints: Cq (second = 0), or Cv and Pq. */
static void map_rows(const mapping *p, int second) {
    const hol_model *m = p->tangent->model;
    int *place = p->tangent->work->place;
    const unsigned char *spared = p->data->spared ? p->data->spared->records : NULL;
    for (int i = 0; i < m->n_con_batches; i++)
        for (int k = 0; k < m->con_batches[i].count; k++) {
            const hol__con *con = hol__con_record(&m->con_batches[i], k);
            if (spared && *spared++) continue;
            const int first = m->A.ptr[con->row];
            for (int e = first; e < m->A.ptr[con->row + 1]; e++) place[m->A.idx[e]] = e - first;
            for (int r = 0; r < con->n_rows; r++)
                for (int b = 0; b < con->n_bodies; b++)
                    if (con->at[b] >= 0)
                        add_row(p, con->at[b] + r * con->stride, con->body[b], con->row + r, place,
                                second);
        }
}

/* In reference-point coordinates the rows are those of the bodies. */
static void copy_rows(const mapping *p) {
    hol__tangent *t = p->tangent;
    const hol__tangent_work *w = t->work;
    for (int k = 0; k < t->model->A.ptr[t->model->m]; k++) {
        t->Cq.x[k] = (p->forces ? w->c_pose[k] : 0) - w->x_pose[k];
        t->Cv.x[k] = w->c_twist[k];
        t->Pq.x[k] = w->v_pose[k];
    }
}

/* The own rows of the coordinates: Phi is a quadratic form of q, so that A'(u) = A with u for q is
 * linear in u. */
static void map_own_rows(const mapping *p, const double *a) {
    hol__tangent *t = p->tangent;
    const hol_model *m = t->model;
    const hol__maps *maps = m->coords->maps;
    if (!maps->own_row) return;
    maps->own_rate(m, a, t->Cq.x);
    maps->own_rate(m, p->data->v, t->Pq.x);
    for (int i = 0; i < m->m; i++)
        for (int k = m->A.ptr[i]; m->row_joint[i] < 0 && k < m->A.ptr[i + 1]; k++) {
            t->Cq.x[k] *= -1;
            t->Cv.x[k] = -2 * t->Pq.x[k];
        }
    if (p->reactions) maps->own_bend(m, p->data->lambda, &t->K);
}

/* ---- all ---- */

/* w for bend. */
static void left_over(const mapping *p) {
    const hol_model *m = p->tangent->model;
    hol__tangent_work *w = p->tangent->work;
    const hol_data *d = p->data;
    const int width = m->bw * m->nb;
    for (int i = 0; i < width; i++) w->wrench[i] = p->forces ? d->load[i] : 0;
    for (int i = 0; p->reactions && i < m->m; i++)
        for (int k = m->G.ptr[i]; k < m->G.ptr[i + 1]; k++)
            w->wrench[m->G.idx[k]] -= d->G[k] * d->lambda[i];
    for (int b = 0; p->moving_mass && b < m->nb; b++)
        take_inertia(m, b, w->acc + m->bw * b, w->wrench + m->bw * b);
}

/* out = J^T of a load on the bodies. */
static void pull_load(const mapping *p, const double *load, double *out) {
    const hol_model *m = p->tangent->model;
    if (m->coords->maps)
        hol__variation_pull(m, &p->data->bodies, load, &p->tangent->work->variation, out);
    else
        memcpy(out, load, sizeof(double) * (size_t)m->nv);
}

/* What depends on time and on states. */
static void map_vectors(const mapping *p) {
    hol__tangent *t = p->tangent;
    const hol_model *m = t->model;
    hol__tangent_work *w = t->work;
    const hol__variation *x = &w->variation;
    const int width = m->bw * m->nb;
    for (int i = 0; i < width; i++)
        w->wrench[i] = (p->forces ? w->load_time[i] : 0) - (p->reactions ? w->rows_time[i] : 0);
    pull_load(p, w->wrench, t->F_t);
    for (int i = 0; i < m->m; i++) {
        t->C_t[i] = (p->forces ? w->c_time[i] : 0) - w->x_time[i];
        t->P_t[i] = w->psi_time[i];
        if (i < m->mh) t->Phi_t[i] = -p->data->b[i];
    }
    for (int z = 0; z < m->n_aux; z++) {
        pull_load(p, w->load_state + z * width, w->column);
        for (int i = 0; i < m->nv; i++) t->Qz[i * m->n_aux + z] = w->column[i];
        const double *pose = w->rate_pose + z * width, *twist = w->rate_twist + z * width;
        for (int j = 0; j < m->nv; j++) {
            double *q = &t->Rq[z * m->nv + j], *v = &t->Rv[z * m->nv + j], unit[6];
            *q = *v = 0;
            for (int k = x->ptr[j]; k < x->ptr[j + 1]; k++) {
                const int at = m->bw * x->body[k];
                const double *J = pair_pose(p, j, k, unit);
                *q += dot(pose + at, J, m->bw);
                *v += dot(twist + at, J, m->bw);
                if (m->coords->maps) *q += dot(twist + at, x->twist + m->bw * k, m->bw);
            }
        }
    }
}

void hol__tangent_map(hol__tangent *tangent, hol_data *data, int parts) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const hol__maps *maps = m->coords->maps;
    mapping p = {tangent, data, (parts & HOL__PART_FORCES) != 0, (parts & HOL__PART_REACTIONS) != 0,
                 maps && maps->mass_at};
    const double *a = parts & HOL__PART_INERTIA ? data->a : w->zero;
    const double *v = p.forces ? data->v : w->zero;
    const int entries = m->A.ptr[m->m];
    clear(w->body_column, m->bw * (m->nb + 1));
    clear(tangent->Cq.x, entries);
    clear(tangent->Cv.x, entries);
    clear(tangent->Pq.x, entries);
    if (maps) {
        maps->vary(m, &data->bodies, data->recursion, data->q, v, a, &w->variation);
        left_over(&p);
        maps->hold(m, &data->bodies, w->wrench, &w->variation);
    }
    for (int j = 0; j < m->nv; j++) column_of_K(&p, j);
    if (maps) map_rows(&p, 0);
    if (maps && !p.forces)
        maps->vary(m, &data->bodies, data->recursion, data->q, data->v, a, &w->variation);
    const int forces = p.forces;
    p.forces = 1;
    for (int j = 0; j < m->nv; j++) column_of_B(&p, j);
    p.forces = forces;
    if (maps) {
        map_rows(&p, 1);
        map_own_rows(&p, a);
    } else
        copy_rows(&p);
    map_vectors(&p);
}

void hol__tangent_by_column(hol__tangent *tangent, int column, double *out) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    const int bw = m->bw;
    const mapping p = {.tangent = tangent, .data = w->last};
    clear(w->wrench, bw * (m->nb + 1));
    for (int i = 0; i < w->n_forces; i++) {
        const hol__force_tangent *f = &w->forces[i].out;
        for (int k = 1; k < f->n_reads; k++)
            for (int d = 0; f->reads[k] == 1 + column && d < f->n; d++)
                if (!(d >= bw && f->body[0] == f->body[1]))
                    w->wrench[bw * f->body[d / bw] + d % bw] += f->input[d * f->n_reads + k];
    }
    pull_load(&p, w->wrench, out);
}
