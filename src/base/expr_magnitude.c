/* expr_magnitude.c: the length of a vector by the name of its components.
 *
 * "tip.magnitude" is hypot(tip.x, tip.y, tip.z) where the scope has tip.x and tip.y (and tip.z);
 * "pin.magnitude" that of pin.fx …; "pin.moment_magnitude" that of pin.mx …, or |pin.mz| in the
 * plane. A scope that knows the whole name itself is asked first; a quaternion (with .w) is no
 * vector.
 */
#include "base/expr_internal.h"

#include <string.h>

/* Endings, and the components that they mean; in the plane some are not there. */
static const struct ending {
    const char *name, *parts[3];
    int least; /* so many must be there */
} endings[] = {
    {".magnitude", {".x", ".y", ".z"}, 2},
    {".magnitude", {".fx", ".fy", ".fz"}, 2},
    {".moment_magnitude", {".mx", ".my", ".mz"}, 1},
};

/* The term of a component, or one without a node where the scope does not have it. */
static hol__expr_term part(hol__expr_parser *p, hol__expr_token name, size_t stem,
                           const char *suffix) {
    hol__expr_term out = {.node = -1, .offset = name.offset};
    const char *text = hol__arena_format(&p->scratch, "%.*s%s", (int)stem, name.text, suffix);
    if (!text) p->failed = 1;
    if (p->failed) return out;
    const hol__expr_token token = {
        .kind = name.kind, .text = text, .length = (int)strlen(text), .offset = name.offset};
    const hol__symbol s = hol__expr_look_up(p, token);
    if (p->failed || s.kind != HOL__SYMBOL_INPUT || s.input < 0 || s.input >= p->n_inputs)
        return out;
    out.node = hol__expr_input_node(&p->graph, s.input);
    out.dim = s.dim;
    return out;
}

/* The components of a row that are there, in terms; how many. */
static int parts_of(hol__expr_parser *p, hol__expr_token name, const struct ending *row,
                    hol__expr_term terms[3]) {
    const size_t stem = (size_t)name.length - strlen(row->name);
    int n = 0;
    for (int k = 0; k < 3 && !p->failed; k++) {
        terms[n] = part(p, name, stem, row->parts[k]);
        n += terms[n].node >= 0;
    }
    if (!p->failed && part(p, name, stem, ".w").node >= 0) return 0;
    return n;
}

int hol__expr_magnitude(hol__expr_parser *p, hol__expr_token name, hol__expr_term *out) {
    hol__expr_term terms[3];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t length = strlen(endings[i].name);
        if ((size_t)name.length <= length ||
            memcmp(name.text + name.length - length, endings[i].name, length) != 0)
            continue;
        const int n = parts_of(p, name, &endings[i], terms);
        if (p->failed || n < endings[i].least) continue;
        *out = terms[0];
        if (n == 1) out->node = hol__expr_node1(&p->graph, HOL__OP_ABS, terms[0].node);
        for (int k = 1; k < n; k++)
            out->node = hol__expr_node2(&p->graph, HOL__OP_HYPOT, out->node, terms[k].node);
        return 1;
    }
    return 0;
}
