/* fuzz_import_with_xml2.c: any bytes as a robot description, or as the choices that make one. What
 * is read compiles, its text is a model file that reads back, and every row of its list has a
 * place and words; what is not read has an error. What is exported of it is read again. */
#include "fuzz_robot.h"

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

/* Every row of a list has a place and words. */
static void check_note(const hol_import_note *n) {
    if (!n->where.file || n->where.line < 1 || n->where.column < 1 || !*n->text || !*n->element)
        fuzz_fail("a row without a place or words");
}

/* What the model is exported as reads again. */
static void check_export(hol_context *ctx, const hol_import *import, const char *format) {
    const hol_export_options how = {.size = sizeof how, .format = format, .partial = 1};
    hol_model *model = hol_model_compile(ctx, hol_import_spec(import), NULL);
    const int errors = hol_message_count_of(ctx, HOL_ERROR);
    hol_export *ex = model ? hol_export_new(ctx, model, &how) : NULL;
    if (!ex && hol_message_count_of(ctx, HOL_ERROR) == 0) fuzz_fail("no export and no error");
    for (int i = 0; i < hol_export_note_count(ex); i++) check_note(hol_export_note_get(ex, i));
    if (ex && hol_message_count_of(ctx, HOL_ERROR) == errors) {
        const hol_import_options again = {
            .size = sizeof again, .include_root = "", .repair_inertia = 1, .no_limits = 1};
        hol_import *back = hol_import_read_text(ctx, hol_export_text(ex), "back.xml", &again);
        if (!back) {
            fputs(hol_export_text(ex), stderr);
            for (int i = 0; i < hol_message_count(ctx); i++)
                fprintf(stderr, "%s\n", hol_message_get(ctx, i)->text);
            fuzz_fail("what was exported cannot be read");
        }
        hol_import_free(back);
    }
    hol_export_free(ex);
    hol_model_free(model);
}

/* The text that the bytes stand for: made of them, or themselves. */
static char *text_of(hol_context *ctx, const uint8_t *data, size_t size) {
    hol__text out;
    hol__text_init(&out, ctx);
    tape t = {data + 1, size ? size - 1 : 0};
    if (size && data[0] < 32) /* no text of XML begins so */
        robot_any(&t, &out);
    else
        hol__text_add_n(&out, (const char *)data, size);
    hol__text_add_n(&out, "", 0);
    return hol__text_take(&out);
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
    char *text = text_of(ctx, data, size);
    if (!text) text = hol__alloc(ctx, 1, 1);
    if (!text) abort();
    hol_import *import = hol_import_read_text(ctx, text, "fuzz.xml", &how);
    if (!import && hol_message_count_of(ctx, HOL_ERROR) == 0) fuzz_fail("no import and no error");
    for (int i = 0; i < hol_import_note_count(import); i++)
        check_note(hol_import_note_get(import, i));
    if (import) check_text(ctx, import);
    if (import) check_export(ctx, import, flags & 16 ? "urdf" : "mjcf");
    hol_import_free(import);
    hol_free(ctx, text);
    hol_context_free(ctx);
}
