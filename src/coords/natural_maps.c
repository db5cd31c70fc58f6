/* natural_maps.c: rows and forces of the bodies over to the items of natural coordinates.
 *
 *     A = G J     A' = G' J + G J'     c = c_G - G J' v     Q = J^T load
 *     J by hol__pulls, body by body
 */
#include "coords/natural.h"

#include <string.h>

static const hol__pulls *pulls_of(const hol_model *model) {
    return model->dim == 2 ? &hol__pulls_planar : &hol__pulls_spatial;
}

/* Add a pull to the places of a slot. */
static void scatter(const hol_model *model, const hol__item_slot *slot, double x[3][3],
                    double *row) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; slot->place[k] >= 0 && i < model->dim; i++)
            row[slot->place[k] + i] += x[k][i];
}

void hol__items_rows(const hol_model *model, const hol__bodies *bodies, const double *work,
                     const double *G, const unsigned char *spared, double *A) {
    const hol__items *nat = model->items;
    const hol__pulls *pulls = pulls_of(model);
    for (int i = 0; i < nat->n_maps; i++) {
        const hol__item_map *map = &nat->maps[i];
        if (hol__is_spared(spared, map->row, map->n_rows)) continue;
        memset(A + map->A, 0, sizeof(double) * (size_t)(map->n_rows * map->width));
        for (int s = map->slot; s < map->slot + map->n_slots; s++)
            for (int k = 0; k < map->n_rows; k++) {
                const hol__item_slot *slot = &nat->slots[s];
                double x[3][3];
                pulls->pull(model, slot->body, bodies, work,
                            G + map->G + k * map->stride + slot->at, x);
                scatter(model, slot, x, A + map->A + k * map->width);
            }
    }
}

void hol__items_rows_rate(const hol_model *model, const hol__bodies *bodies, const double *work,
                          const double *G, const double *Gdot, const unsigned char *spared,
                          double *Adot) {
    const hol__items *nat = model->items;
    const hol__pulls *pulls = pulls_of(model);
    for (int i = 0; i < nat->n_maps; i++) {
        const hol__item_map *map = &nat->maps[i];
        if (hol__is_spared(spared, map->row, map->n_rows)) continue;
        memset(Adot + map->A, 0, sizeof(double) * (size_t)(map->n_rows * map->width));
        for (int s = map->slot; s < map->slot + map->n_slots; s++)
            for (int k = 0; k < map->n_rows; k++) {
                const hol__item_slot *slot = &nat->slots[s];
                const int at = map->G + k * map->stride + slot->at;
                double x[3][3];
                pulls->pull_rate(model, slot->body, bodies, work, G + at, Gdot + at, x);
                scatter(model, slot, x, Adot + map->A + k * map->width);
            }
    }
}

void hol__items_bias(const hol_model *model, const hol__bodies *bodies, const double *work,
                     const double *G, const unsigned char *spared, double *c) {
    (void)bodies;
    const hol__items *nat = model->items;
    const hol__pulls *pulls = pulls_of(model);
    for (int i = 0; i < nat->n_maps; i++) {
        const hol__item_map *map = &nat->maps[i];
        if (hol__is_spared(spared, map->row, map->n_rows)) continue;
        for (int s = map->slot; s < map->slot + map->n_slots; s++) {
            const double *beta = pulls->bias_of(model, nat->slots[s].body, work);
            for (int k = 0; k < map->n_rows; k++) {
                const double *g = G + map->G + k * map->stride + nat->slots[s].at;
                for (int j = 0; j < model->bw; j++) c[map->row + k] -= g[j] * beta[j];
            }
        }
    }
}

void hol__items_forces(const hol_model *model, const hol__bodies *bodies, double *work,
                       const double *load, double *Q) {
    const hol__items *nat = model->items;
    const hol__pulls *pulls = pulls_of(model);
    const int most = model->dim == 2 ? 2 : 3;
    memset(Q, 0, sizeof(double) * (size_t)model->nv);
    for (int i = 0; i < model->nb; i++) {
        const hol__carried *b = &nat->carried[i];
        double x[3][3];
        pulls->pull(model, i, bodies, work, load + model->bw * i, x);
        for (int k = 0; k < b->n && k < most; k++)
            for (int j = 0; b->item[k] < nat->n_free && j < model->dim; j++)
                Q[model->dim * b->item[k] + j] += x[k][j];
    }
}
