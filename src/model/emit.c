/* emit.c: a description as a model file.
 *
 * Reading the text gives the same tree: the same keys in the same order, the same texts, and quotes
 * where there were quotes. A text without quotes gets them only where YAML would read it as
 * something else (an indicator at its start, ": " or " #" inside, the words for nothing, control
 * characters).
 */
#include "model/emit.h"
#include "model/node.h"
#include "model/plain.h"
#include "common/utf8.h"

#include <string.h>

enum { INDENT = 2, LINE = 100 };

/* s in double quotes, with every character escaped that YAML does not take as it is. */
static void put_quoted(hol__text *out, const char *s) {
    const char *end = s + strlen(s);
    hol__text_add_n(out, "\"", 1);
    for (int n; s < end; s += n) {
        unsigned code = (unsigned char)*s;
        n = hol__utf8_decode(s, end, &code);
        const int special = code == '"' || code == '\\';
        if (n == 0) n = 1;
        if (special)
            hol__text_add(out, "\\%c", (char)code);
        else if (code == '\n')
            hol__text_add_n(out, "\\n", 2);
        else if (code == '\t')
            hol__text_add_n(out, "\\t", 2);
        else if (code < 0x20 || (code >= 0x7F && code < 0xA0))
            hol__text_add(out, "\\x%02X", code);
        else if (code == 0x2028 || code == 0x2029 || code == 0xFEFF || !hol__utf8_printable(code))
            hol__text_add(out, "\\u%04X", code);
        else
            hol__text_add_n(out, s, (size_t)n);
    }
    hol__text_add_n(out, "\"", 1);
}

void hol__emit_text(hol__text *out, const char *text, int flow) {
    if (hol__plain_text(text, flow))
        hol__text_add_n(out, text, strlen(text));
    else
        put_quoted(out, text);
}

/* A scalar or nothing, in a flow list or not. */
static void put_scalar(hol__text *out, const hol__node *node, int flow) {
    if (node->kind == HOL__NULL)
        hol__text_add(out, "null");
    else if (node->quoted)
        put_quoted(out, node->text);
    else
        hol__emit_text(out, node->text, flow);
}

void hol__emit_key(hol__text *out, const char *key) {
    if (hol__plain_key(key))
        hol__text_add_n(out, key, strlen(key));
    else
        put_quoted(out, key);
    hol__text_add_n(out, ":", 1);
}

/* Whether a list fits on one line without quotes that a list of lines would not need. */
static int fits_flow(const hol__node *list) {
    size_t length = 0;
    for (const hol__node *child = list->first; child; child = child->next) {
        if (child->kind == HOL__LIST && child->count > 0 && !fits_flow(child)) return 0;
        if (child->kind == HOL__MAP && child->count > 0) return 0;
        if (child->kind != HOL__SCALAR) continue;
        length += strlen(child->text) + 2;
        if (length > LINE ||
            (!child->quoted && hol__plain_text(child->text, 0) && !hol__plain_text(child->text, 1)))
            return 0;
    }
    return 1;
}

/* A list on one line. */
static void put_flow(hol__text *out, const hol__node *node) {
    if (node->kind == HOL__MAP) {
        hol__text_add_n(out, "{}", 2);
        return;
    }
    if (node->kind != HOL__LIST) {
        put_scalar(out, node, 1);
        return;
    }
    hol__text_add_n(out, "[", 1);
    for (const hol__node *child = node->first; child; child = child->next) {
        put_flow(out, child);
        if (child->next) hol__text_add_n(out, ", ", 2);
    }
    hol__text_add_n(out, "]", 1);
}

/* The spaces before a line. */
static void put_indent(hol__text *out, int depth) {
    for (int i = 0; i < depth * INDENT; i++) hol__text_add_n(out, " ", 1);
}

static void put_children(hol__text *out, const hol__node *node, int depth);

/* The value after "key:" or "-": on the same line where it is short, else on lines of its own. */
static void put_value(hol__text *out, const hol__node *node, int depth) {
    const int is_list = node->kind == HOL__LIST, is_map = node->kind == HOL__MAP;
    if ((is_list && !fits_flow(node)) || (is_map && node->count > 0)) {
        hol__text_add_n(out, "\n", 1);
        put_children(out, node, depth);
        return;
    }
    hol__text_add_n(out, " ", 1);
    if (is_list || is_map)
        put_flow(out, node);
    else
        put_scalar(out, node, 0);
    hol__text_add_n(out, "\n", 1);
}

/* The entries of a map or list, one a line. */
static void put_children(hol__text *out, const hol__node *node, int depth) {
    for (const hol__node *child = node->first; child; child = child->next) {
        put_indent(out, depth);
        if (node->kind == HOL__MAP)
            hol__emit_key(out, child->key);
        else
            hol__text_add_n(out, "-", 1);
        put_value(out, child, depth + 1);
    }
}

char *hol_spec_text(const hol_spec *spec) {
    hol__text out;
    if (!spec) return NULL;
    hol__text_init(&out, spec->ctx);
    if (spec->root->count)
        put_children(&out, spec->root, 0);
    else
        hol__text_add(&out, "{}\n");
    return hol__text_take(&out);
}
