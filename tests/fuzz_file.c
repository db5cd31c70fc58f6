/* fuzz_file.c: any bytes as a model file: read, compiled and assembled, as `holonom check` does.
 *
 * Checked: no crash, and a failure has a message. Files that it names are not read. Run it with
 * -detect_leaks=0: libfyaml 0.7.12 leaks on some syntax errors.
 */
#include "fuzz_tape.h"

#include <holonom/holonom.h>

#include <stdlib.h>
#include <string.h>

void fuzz_one(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = ctx ? hol_spec_new(ctx) : NULL;
    hol_options *options = NULL;
    hol_model *model = NULL;
    hol_sim *sim = NULL;
    if (!text || !spec) abort();
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    int good = hol_spec_set_include_root(spec, "") == HOL_OK &&
               hol_spec_read_text(spec, text, "fuzz.yaml") == HOL_OK;
    if (good) good = (model = hol_model_from_spec(ctx, spec, &options)) != NULL;
    if (good) good = (sim = hol_sim_new(ctx, model, options)) != NULL;
    if (!good && hol_message_count_of(ctx, HOL_ERROR) == 0) abort();
    hol_sim_free(sim);
    hol_model_free(model);
    hol_options_free(options);
    hol_spec_free(spec);
    hol_context_free(ctx);
    free(text);
}
