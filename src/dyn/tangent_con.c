/* tangent_con.c: derivatives of the constraints in body space, record by record.
 *
 * G' is linear in the velocities of the bodies, G'(V) = G_t + sum_j V_j G_j with G_j = dG/dx_j. So
 * what elements supply for G' at unit velocities V = e_j and at rest gives all second derivatives
 * of Phi exactly, and with c = b' - G'V also those of b:
 *
 *     G_j = G'(e_j) - G'(0)       b_j = c(e_j) + G'(e_j) e_j - c(0)       G_t = G'(0)       b_t =
 * c(0)
 *     d(G^T lambda)/dx_j = G_j^T lambda     d(G x)/dx_j = G_j x      dpsi/dx_j = G_j V - b_j
 *     dc/dV_j = b_j - G_j V - G'(V) e_j
 *
 * Third derivatives, dc/dx and dc/dt, come from the type or by differences (probe.h). Where b is a
 * state z of the element, c(0) is z' and b_t is taken by differences with z fixed. Records that are
 * spared (spare.c) have no derivatives: nobody reads those of their rows.
 */
#include "dyn/tangent_work.h"

#include <string.h>

/* One record under evaluation. */
typedef struct subject {
    hol__tangent *tangent;
    hol__probe *p;
    const hol__con_type *type;
    const hol__con *con;
    const double *lambda;
    int n, bw, entries; /* bodies times bw; numbers of its rows in G */
    double *x, *V;      /* accelerations and velocities of its bodies, n */
    double *Gt, *G1;    /* G_t and G'(V), entries */
    double *c0;         /* n_rows */
} subject;

static void fill(const subject *s, int want) {
    const hol__con_args args = hol__probe_con_args(s->p, want);
    s->type->fill(s->con, 1, &args);
}

/* The first number of the record in arrays with the layout of G. */
static int first_entry(const subject *s) {
    return s->tangent->model->G.ptr[s->con->row];
}

/* Velocities and accelerations of the bodies. */
static void gather(const subject *s) {
    const double *acc = s->tangent->work->acc;
    for (int b = 0; b < s->con->n_bodies; b++)
        for (int k = 0; k < s->bw; k++) {
            s->x[s->bw * b + k] = acc[s->bw * s->con->body[b] + k];
            s->V[s->bw * b + k] = *hol__probe_velocity(s->p, s->con->body[b], k);
        }
}

/* sum over the moving bodies of row k of M (entries like G) times y */
static double row_times(const subject *s, const double *M, int k, const double *y) {
    double sum = 0;
    const int first = first_entry(s);
    for (int b = 0; b < s->con->n_bodies; b++)
        for (int i = 0; s->con->at[b] >= 0 && i < s->bw; i++)
            sum += M[s->con->at[b] - first + k * s->con->stride + i] * y[s->bw * b + i];
    return sum;
}

/* G^T lambda with M for G: on body b of the record, direction i. */
static double column_times(const subject *s, const double *M, int b, int i) {
    double sum = 0;
    const int at = s->con->at[b] - first_entry(s) + i;
    for (int k = 0; k < s->con->n_rows; k++) sum += s->lambda[k] * M[at + k * s->con->stride];
    return sum;
}

/* Everything by velocity k of body b = slot: G_j is in G1 + entries. */
static void put_direction(const subject *s, int slot, int k, const double *Gj, const double *bj) {
    hol__tangent_work *w = s->tangent->work;
    const hol__con *con = s->con;
    for (int r = 0; r < con->n_rows; r++) {
        const int at = con->at[slot] + r * con->stride + k;
        const double Gv = row_times(s, Gj, r, s->V);
        w->x_pose[at] = row_times(s, Gj, r, s->x);
        w->v_pose[at] = Gv - bj[r];
        w->c_twist[at] = bj[r] - Gv - s->G1[at - first_entry(s)];
    }
    for (int b = 0; b < con->n_bodies; b++) {
        if (con->at[b] < 0) continue;
        double *block =
            w->rows_pose + s->bw * s->bw * hol__block_find(w, con->body[b], con->body[slot]);
        for (int i = 0; i < s->bw; i++) block[s->bw * i + k] += column_times(s, Gj, b, i);
    }
}

/* Second derivatives by unit velocities. */
static void by_velocities(const subject *s, double *Gj, double *bj) {
    const hol__con *con = s->con;
    const int first = first_entry(s);
    hol__probe *p = s->p;
    fill(s, HOL__WANT_ADOT);
    memcpy(s->G1, p->Gdot + first, sizeof(double) * (size_t)s->entries);
    for (int b = 0; b < con->n_bodies; b++) hol__probe_stop(p, con->body[b]);
    fill(s, HOL__WANT_VEL | HOL__WANT_ADOT);
    memcpy(s->Gt, p->Gdot + first, sizeof(double) * (size_t)s->entries);
    memcpy(s->c0, p->c + con->row, sizeof(double) * (size_t)con->n_rows);
    for (int b = 0; b < con->n_bodies; b++)
        for (int k = 0; con->at[b] >= 0 && k < s->bw; k++) {
            double *v = hol__probe_velocity(p, con->body[b], k);
            *v = 1;
            fill(s, HOL__WANT_VEL | HOL__WANT_ADOT);
            *v = 0;
            for (int i = 0; i < s->entries; i++) Gj[i] = p->Gdot[first + i] - s->Gt[i];
            for (int r = 0; r < con->n_rows; r++)
                bj[r] = p->c[con->row + r] - s->c0[r] + p->Gdot[con->at[b] + r * con->stride + k];
            put_direction(s, b, k, Gj, bj);
        }
    for (int b = 0; b < con->n_bodies; b++) hol__probe_put_back(p, con->body[b]);
}

/* dc/dx by differences. */
static void bias_by_poses(const subject *s) {
    const hol__con *con = s->con;
    double *out = s->tangent->work->c_pose;
    for (int b = 0; b < con->n_bodies; b++)
        for (int k = 0; con->at[b] >= 0 && k < s->bw; k++) {
            const double h = hol__probe_pose_step(s->p, k);
            for (int r = 0; r < con->n_rows; r++) out[con->at[b] + r * con->stride + k] = 0;
            for (int i = 0; i < HOL__STENCIL; i++) {
                hol__probe_move(s->p, con->body[b], k, hol__stencil[i].at * h);
                fill(s, HOL__WANT_VEL);
                for (int r = 0; r < con->n_rows; r++)
                    out[con->at[b] + r * con->stride + k] +=
                        hol__stencil[i].weight / h * s->p->c[con->row + r];
            }
            hol__probe_put_back(s->p, con->body[b]);
        }
}

/* dc/dx from the type. */
static void bias_by_type(const subject *s, double *rows) {
    const hol__con *con = s->con;
    const hol__con_args args = hol__probe_con_args(s->p, 0);
    for (int b = 0; b < con->n_bodies; b++)
        for (int k = 0; con->at[b] >= 0 && k < s->bw; k++) {
            const hol__pose_direction at = {con, &args, b, k};
            memset(rows, 0, sizeof(double) * (size_t)con->n_rows);
            s->type->tangent(con, &at, rows);
            for (int r = 0; r < con->n_rows; r++)
                s->tangent->work->c_pose[con->at[b] + r * con->stride + k] = rows[r];
        }
}

/* b and c by a number x that the record reads, by the difference of one side; rows of the given
 * width, column k of each. */
static void by_side(const subject *s, double *x, double h, const struct hol__stencil_point *side,
                    double *b, double *c, int width) {
    const double here = *x;
    for (int r = 0; r < s->con->n_rows; r++) b[r * width] = c[r * width] = 0;
    for (int i = 0; i < HOL__SIDE_POINTS && side[i].weight != 0; i++) {
        *x = here + side[i].at * h;
        fill(s, HOL__WANT_VEL);
        for (int r = 0; r < s->con->n_rows; r++) {
            b[r * width] += side[i].weight / h * s->p->b[s->con->row + r];
            c[r * width] += side[i].weight / h * s->p->c[s->con->row + r];
        }
    }
    *x = here;
}

/* The same about x, or on the side of it where a law has values. */
static void by_number(const subject *s, double *x, double h, double *b, double *c, int width,
                      int k) {
    const int first = s->con->row * width + k, n = s->con->n_rows;
    int side = 0;
    do by_side(s, x, h, hol__sides[side], b + first, c + first, width);
    while (!(hol__finite_column(n, b + first, width) && hol__finite_column(n, c + first, width)) &&
           ++side < HOL__SIDES);
}

/* By time and by the states of the element. */
static void by_time(const subject *s) {
    const hol_model *m = s->tangent->model;
    hol__tangent_work *w = s->tangent->work;
    const hol__con *con = s->con;
    const hol__element *joint = &m->joints[con->element];
    by_number(s, &s->p->inputs[0], s->p->step_time, w->psi_time, w->c_time, 1, 0);
    for (int r = 0; r < con->n_rows; r++) {
        const double b_t = joint->n_aux ? w->psi_time[con->row + r] : s->c0[r];
        w->x_time[con->row + r] = row_times(s, s->Gt, r, s->x);
        w->psi_time[con->row + r] = row_times(s, s->Gt, r, s->V) - b_t;
    }
    for (int b = 0; b < con->n_bodies; b++)
        for (int i = 0; con->at[b] >= 0 && i < s->bw; i++)
            w->rows_time[s->bw * con->body[b] + i] += column_times(s, s->Gt, b, i);
    for (int k = 0; k < joint->n_aux; k++) {
        const int z = joint->aux + k;
        by_number(s, &s->p->aux[z], hol__probe_number_step(s->p->aux[z]), s->tangent->Pz,
                  s->tangent->Cz, m->n_aux, z);
        for (int r = con->row; r < con->row + con->n_rows; r++)
            s->tangent->Pz[r * m->n_aux + z] *= -1;
    }
}

static void add_record(hol__tangent *tangent, const hol_data *data, const hol__con_type *type,
                       const hol__con *con) {
    const hol_model *m = tangent->model;
    const int n = con->n_bodies * m->bw, entries = con->n_rows * con->stride;
    double *block = tangent->work->block;
    subject s = {.tangent = tangent,
                 .p = &tangent->work->probe,
                 .type = type,
                 .con = con,
                 .lambda = data->lambda + con->row,
                 .n = n,
                 .bw = m->bw,
                 .entries = entries,
                 .x = block,
                 .V = block + n,
                 .c0 = block + 2 * n,
                 .Gt = block + 2 * n + con->n_rows,
                 .G1 = block + 2 * n + con->n_rows + entries};
    double *Gj = s.G1 + entries, *bj = Gj + entries;
    gather(&s);
    by_velocities(&s, Gj, bj);
    if (type->tangent)
        bias_by_type(&s, bj);
    else
        bias_by_poses(&s);
    by_time(&s);
}

static void clear(double *x, int n) {
    if (n) memset(x, 0, sizeof(double) * (size_t)n);
}

void hol__tangent_constraints(hol__tangent *tangent, const hol_data *data) {
    const hol_model *m = tangent->model;
    hol__tangent_work *w = tangent->work;
    clear(w->rows_pose, w->block_ptr[m->nb] * m->bw * m->bw);
    clear(w->rows_time, m->bw * m->nb);
    clear(w->c_time, m->m);
    clear(w->x_time, m->m);
    clear(w->psi_time, m->m);
    clear(tangent->Cz, m->m * m->n_aux);
    clear(tangent->Pz, m->m * m->n_aux);
    const unsigned char *spared = data->spared ? data->spared->records : NULL;
    for (int i = 0; i < m->n_con_batches; i++)
        for (int k = 0; k < m->con_batches[i].count; k++) {
            if (spared && *spared++) continue;
            add_record(tangent, data, m->con_batches[i].type,
                       hol__con_record(&m->con_batches[i], k));
        }
}
