/* fuzz_import_with_xml2.c: any bytes as a robot description. What is read compiles, its text is a
 * model file that reads back, and every row of its list has a place and words; what is not read
 * has an error. */
#include "base/text.h"
#include "fuzz_tape.h"

#include <holonom/exchange.h>

#include <string.h>

/* The model file reads back. */
static void check_text(hol_context *ctx, const hol_import *import) {
    char *text = hol_import_text(import);
    hol_spec *spec = hol_spec_new(ctx);
    if (!text || !spec) fuzz_fail("no memory");
    hol_spec_set_include_root(spec, "");
    if (hol_spec_read_text(spec, text, "fuzz.yaml")) {
        fputs(text, stderr);
        fuzz_fail("the model file that was made cannot be read");
    }
    hol_spec_free(spec);
    hol_free(ctx, text);
}

void fuzz_one(const uint8_t *data, size_t size) {
    hol_context *ctx = hol_context_new();
    const unsigned flags = size ? data[0] : 0;
    const hol_import_options how = {.size = sizeof how,
                                    .include_root = "",
                                    .floating = flags & 1,
                                    .merge_fixed = flags >> 1 & 1,
                                    .repair_inertia = flags >> 2 & 1,
                                    .no_limits = flags >> 3 & 1};
    char *text = calloc(1, size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    hol_import *import = hol_import_read_text(ctx, text, "fuzz.xml", &how);
    if (!import && hol_message_count_of(ctx, HOL_ERROR) == 0) fuzz_fail("no import and no error");
    for (int i = 0; i < hol_import_note_count(import); i++) {
        const hol_import_note *n = hol_import_note_get(import, i);
        if (!n->where.file || n->where.line < 1 || n->where.column < 1 || !*n->text || !*n->element)
            fuzz_fail("a row without a place or words");
    }
    if (import) check_text(ctx, import);
    hol_import_free(import);
    hol_context_free(ctx);
    free(text);
}
