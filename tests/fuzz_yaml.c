/* fuzz_yaml.c: any bytes through the reader of model files; what it accepts must survive writing
 * and reading.
 *
 * Run it with -detect_leaks=0: libfyaml 0.7.12 leaks on some syntax errors. Checked for
 * each input: no crash, a failure has a message, and read(write(tree)) == tree in kinds, keys and
 * texts.
 */
#include "fuzz_tape.h"
#include "model/node.h"

#include <stdlib.h>
#include <string.h>

/* Whether two trees have the same kinds, keys and texts. */
static int same(const hol__node *a, const hol__node *b) {
    if (a->kind != b->kind || a->count != b->count || !a->key != !b->key) return 0;
    if (a->key && strcmp(a->key, b->key) != 0) return 0;
    if (a->kind == HOL__SCALAR && strcmp(a->text, b->text) != 0) return 0;
    const hol__node *p = a->first, *q = b->first;
    for (; p && q; p = p->next, q = q->next)
        if (!same(p, q)) return 0;
    return !p && !q;
}

/* Write the tree, read it again and compare. */
static void check_round_trip(hol_context *ctx, const hol_spec *spec) {
    char *text = hol_spec_text(spec);
    hol_spec *twin = hol_spec_new(ctx);
    if (!text || !twin || hol_spec_read_text(twin, text, "twin") || !same(spec->root, twin->root))
        abort();
    hol_spec_free(twin);
    hol_free(ctx, text);
}

void fuzz_one(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = ctx ? hol_spec_new(ctx) : NULL;
    if (!text || !spec) abort();
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    const hol_status status = hol_spec_read_text(spec, text, "/nonexistent/fuzz");
    if (status && hol_message_count_of(ctx, HOL_ERROR) == 0) abort();
    if (!status) check_round_trip(ctx, spec);
    hol_spec_free(spec);
    hol_context_free(ctx);
    free(text);
}
