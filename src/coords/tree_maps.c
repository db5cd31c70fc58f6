/* tree_maps.c: patterns of relative coordinates: rows of A over the paths of their bodies to the
 * root, and the branch-induced M. */
#include "coords/tree.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

static int path_length(const hol__tree *tree, int link) {
    int n = 0;
    for (; link < tree->n; link = tree->links[link].parent) n++;
    return n;
}

/* Count maps, slots and steps of all records. */
static void count_maps(const hol_model *model, const hol__tree *tree, int *maps, int *slots,
                       int *steps) {
    *maps = *slots = *steps = 0;
    for (int i = 0; i < model->n_con_batches; i++)
        for (int k = 0; k < model->con_batches[i].count; k++) {
            const hol__con *con = hol__con_record(&model->con_batches[i], k);
            ++*maps;
            for (int b = 0; b < con->n_bodies; b++)
                if (con->body[b] < model->nb)
                    ++*slots, *steps += path_length(tree, tree->of_body[con->body[b]]);
        }
}

/* The columns that the paths of a record touch get places 0, 1, … in the rows; at: by link, -1
 * where none yet. */
static void map_record(const hol_model *model, hol__tree *tree, const hol__con *con, int *at,
                       int *n_slots, int *n_steps) {
    hol__map *map = &tree->maps[tree->n_maps++];
    *map = (hol__map){.row = con->row,
                      .n_rows = con->n_rows,
                      .stride = con->stride,
                      .slot = *n_slots,
                      .n_bodies = con->n_bodies,
                      .turning = 1};
    map->G = model->G.ptr[con->row];
    for (int b = 0; b < con->n_bodies; b++) {
        if (con->body[b] >= model->nb) continue;
        hol__slot *slot = &tree->slots[(*n_slots)++];
        *slot = (hol__slot){.body = con->body[b],
                            .link = tree->of_body[con->body[b]],
                            .at = con->at[b] - map->G,
                            .path = *n_steps};
        map->n_slots++;
        for (int link = tree->of_body[con->body[b]]; link < tree->n;
             link = tree->links[link].parent) {
            if (!tree->links[link].nv) continue;
            const int first = at[link] < 0;
            if (first) at[link] = map->width, map->width += tree->links[link].nv;
            tree->steps[(*n_steps)++] = (hol__tree_step){link, at[link], first};
            map->turning &= tree->links[link].kind == HOL__LINK_REVOLUTE;
            slot->n_path++;
        }
    }
    for (int s = map->slot; s < *n_slots; s++)
        for (int k = 0; k < tree->slots[s].n_path; k++)
            at[tree->steps[tree->slots[s].path + k].link] = -1;
}

/* Row pointers and columns of A from the maps. */
static hol_status lay_pattern(hol_model *model, hol__tree *tree) {
    hol__csr *A = &model->A;
    int nnz = 0;
    for (int i = 0; i < tree->n_maps; i++) nnz += tree->maps[i].n_rows * tree->maps[i].width;
    *A = (hol__csr){.rows = model->m,
                    .cols = model->nv,
                    .ptr = HOL__NEW_N(&model->arena, int, model->m + 1),
                    .idx = HOL__NEW_N(&model->arena, int, nnz)};
    if (model->arena.failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < tree->n_maps; i++)
        for (int k = 0; k < tree->maps[i].n_rows; k++)
            A->ptr[tree->maps[i].row + k + 1] = tree->maps[i].width;
    for (int i = 0; i < model->m; i++) A->ptr[i + 1] += A->ptr[i];
    for (int i = 0; i < tree->n_maps; i++) {
        hol__map *map = &tree->maps[i];
        map->A = A->ptr[map->row];
        for (int s = map->slot; s < map->slot + map->n_slots; s++)
            for (int p = tree->slots[s].path; p < tree->slots[s].path + tree->slots[s].n_path;
                 p++) {
                const hol__link *link = &tree->links[tree->steps[p].link];
                for (int k = 0; k < map->n_rows; k++)
                    for (int j = 0; j < link->nv; j++)
                        A->idx[map->A + k * map->width + tree->steps[p].at + j] = link->v + j;
            }
    }
    return HOL_OK;
}

hol_status hol__tree_rows(hol_model *model) {
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    hol__arena *arena = &model->arena;
    int maps, slots, steps, n_slots = 0, n_steps = 0;
    count_maps(model, tree, &maps, &slots, &steps);
    tree->maps = HOL__NEW_N(arena, hol__map, maps);
    tree->slots = HOL__NEW_N(arena, hol__slot, slots);
    tree->steps = HOL__NEW_N(arena, hol__tree_step, steps);
    int *at = HOL__NEW_N(arena, int, tree->n + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < tree->n; i++) at[i] = -1;
    for (int i = 0; i < model->n_con_batches; i++)
        for (int k = 0; k < model->con_batches[i].count; k++)
            map_record(model, tree, hol__con_record(&model->con_batches[i], k), at, &n_slots,
                       &n_steps);
    return lay_pattern(model, tree);
}

int hol__tree_carries(const hol__tree *tree, int i, int j) {
    while (j > i && j < tree->n) j = tree->links[j].parent;
    return i == j;
}

int hol__tree_work(const hol_model *model) {
    return model->tree->work;
}

int hol__tree_unique(const hol_model *model, int link, const unsigned char *undetermined) {
    const hol__tree *tree = model->tree;
    for (int i = 0; undetermined && i < tree->n_maps; i++) {
        const hol__map *map = &tree->maps[i];
        int open = 0, passes = 0;
        for (int k = 0; k < map->n_rows; k++) open |= undetermined[map->row + k];
        for (int s = map->slot; open && s < map->slot + map->n_slots; s++) {
            passes += hol__tree_carries(tree, link, tree->slots[s].link);
        }
        /* what loads all bodies of a record beyond the link is in balance there */
        if (passes && passes < map->n_bodies) return 0;
    }
    return 1;
}

int *hol__tree_places(const hol_model *model, double *work) {
    int *next = (int *)(void *)(work + model->tree->places);
    return memcpy(next, model->M.ptr, sizeof(int) * (size_t)model->nv);
}

/* In the order of hol__put_pair. */
void hol__tree_mass_pattern(const hol_model *model, double *work, int *idx) {
    const hol__tree *tree = model->tree;
    int *next = hol__tree_places(model, work);
    for (int link = 0; link < tree->n; link++)
        for (int i = tree->links[link].v, k = 0; k < tree->links[link].nv; i++, k++)
            for (int up = link; up < tree->n; up = tree->links[up].parent) {
                const int first = tree->links[up].v;
                for (int j = first; j < (up == link ? i + 1 : first + tree->links[up].nv); j++) {
                    idx[next[i]++] = j;
                    if (i != j) idx[next[j]++] = i;
                }
            }
}

/* How many velocities each link meets: its own, those nearer to the root, and those beyond it. */
static void count_meetings(const hol__tree *tree, double *met) {
    double *beyond = met + tree->n;
    for (int i = 0; i < tree->n; i++) {
        const int up = tree->links[i].parent;
        met[i] = tree->links[i].nv + (up < tree->n ? met[up] : 0);
        beyond[i] = 0;
    }
    for (int i = tree->n - 1; i >= 0; i--) {
        const int up = tree->links[i].parent;
        if (up < tree->n) beyond[up] += tree->links[i].nv + beyond[i];
    }
    for (int i = 0; i < tree->n; i++) met[i] += beyond[i];
}

hol_status hol__tree_mass(hol_model *model) {
    hol__tree *tree = (hol__tree *)(uintptr_t)model->tree;
    hol__arena *arena = &model->arena;
    const int n = model->nv;
    double *met = HOL__NEW_N(arena, double, 2 * tree->n + 1), entries = 0;
    int *ptr = HOL__NEW_N(arena, int, n + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    count_meetings(tree, met);
    for (int i = 0; i < tree->n; i++) {
        const hol__link *link = &tree->links[i];
        for (int k = 0; k < link->nv; k++) ptr[link->v + k + 1] = (int)met[i];
        entries += link->nv * met[i];
    }
    for (int i = 0; i < n && entries <= INT_MAX; i++) ptr[i + 1] += ptr[i];
    model->M = (hol__csr){.rows = n, .cols = n, .ptr = entries <= INT_MAX ? ptr : NULL};
    tree->places = tree->work;
    tree->work += n / 2 + 1;
    return HOL_OK;
}
