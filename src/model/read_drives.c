/* read_drives.c: directions of a frame by their words, and maps from them to functions of time. */
#include "model/read.h"

#include <string.h>

const char *const hol__directions[] = {"x", "y", "z", "rx", "ry", "rz", "angle", NULL};

int hol__direction_bit(int word) {
    return word == 6 ? 5 : word;
}

int hol__has_direction(const hol_model *model, int word, const char **use) {
    *use = model->dim == 2 ? "x, y, angle" : "x, y, z, rx, ry, rz";
    return model->dim == 2 ? word == 0 || word == 1 || word == 6 : word < 6;
}

/* The index of the direction that the key of a node names; -1 after an error. */
static int direction_of(hol__build *build, const hol__node *node) {
    int word = 0;
    const char *use;
    while (hol__directions[word] && strcmp(hol__directions[word], node->key) != 0) word++;
    if (!hol__directions[word])
        hol__build_error(
            build, node,
            "'%s' is not a direction; use x, y, z, rx, ry, rz (in the plane x, y, angle)",
            node->key);
    else if (!hol__has_direction(build->model, word, &use))
        hol__build_error(build, node, "'%s' is not a direction of a %s joint; use %s",
                         hol__directions[word], build->model->dim == 2 ? "planar" : "spatial", use);
    else
        return word;
    return -1;
}

unsigned hol__drives_at(hol__build *build, hol__node *node, const char *name, hol__law drive[6]) {
    unsigned bits = 0;
    if (node->kind != HOL__MAP) {
        hol__build_error(build, node, "'%s' is a map such as {%s: 2*pi*t}", name,
                         build->model->dim == 2 ? "angle" : "rz");
        return 0;
    }
    for (hol__node *child = node->first; child; child = child->next) {
        const int word = direction_of(build, child);
        if (word < 0) continue;
        const int bit = hol__direction_bit(word);
        const hol__expr *e =
            hol__read_expr(build, child, HOL__NAMES_TIME, NULL, bit < 3 ? "m" : "rad");
        if (!e) continue;
        drive[bit] =
            hol__expr_is_constant(e) ? (hol__law){hol__expr_constant(e), NULL} : (hol__law){0, e};
        bits |= 1u << bit;
    }
    return bits;
}
