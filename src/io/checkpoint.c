/* checkpoint.c: a checkpoint written: the records of the results to the disk, then the state with
 * what it belongs to, whole or not at all (out_file.c). The form of the file stands in
 * checkpoint.h. */
#include "io/checkpoint.h"

#include "base/argument.h"
#include "base/build_id.h"
#include "base/text.h"
#include "io/format.h"

#include <holonom/version.h>

#include <string.h>

/* ---- the parts of the form ---- */

static void put_word(hol__text *out, unsigned long long value) {
    char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (char)(value >> 8 * i & 0xFF);
    hol__text_add_n(out, bytes, sizeof bytes);
}

static void put_text(hol__text *out, const char *text) {
    const size_t n = text ? strlen(text) : 0;
    put_word(out, n);
    hol__text_add_n(out, text, n);
}

/* Which library, which model, how far. */
static void put_head(hol__text *out, const hol_sim *sim) {
    char build[HOL__BUILD_ID_SIZE];
    hol_model_info model = {.size = sizeof model};
    hol_sim_info info = {.size = sizeof info};
    unsigned long long t;
    hol_model_describe(hol_sim_model(sim), &model);
    hol_sim_describe(sim, &info);
    memcpy(&t, &info.t, sizeof t);
    put_text(out, hol_version());
    put_text(out, hol__build_id(build));
    put_text(out, model.name);
    put_word(out, model.hash);
    put_word(out, t);
    put_word(out, (unsigned long long)info.steps);
}

static void put_options(hol__text *out, const hol_sim *sim) {
    char buf[HOL__OPTION_TEXT];
    unsigned n = 0;
    while (hol_option_get((int)n)) n++;
    put_word(out, n);
    for (unsigned i = 0; i < n; i++) {
        const char *name = hol_option_get((int)i)->name;
        put_text(out, name);
        put_text(out, hol_options_text(hol_sim_options(sim), name, buf, sizeof buf));
    }
}

/* The result files, with their records on the disk. */
static hol_status put_files(hol__text *out, const hol_checkpoint_parts *parts) {
    hol_status status = HOL_OK;
    hol__arena arena;
    hol__arena_init(&arena, out->ctx);
    put_word(out, (unsigned long long)parts->n_writers);
    for (int i = 0; i < parts->n_writers && !status; i++) {
        hol__sink_start so_far = {0};
        const char *path = NULL;
        status = hol__writer_pause(parts->writers[i], &arena, &so_far, &path);
        put_text(out, path);
        put_word(out, (unsigned long long)so_far.rows);
        put_word(out, so_far.sum);
        put_word(out, so_far.n_kept);
        hol__text_add_n(out, so_far.kept, so_far.n_kept);
    }
    hol__arena_free(&arena);
    return status;
}

/* What the run has said. */
static void put_messages(hol__text *out, const hol_context *ctx) {
    const int n = hol_message_count(ctx);
    put_word(out, (unsigned long long)n);
    for (int i = 0; i < n; i++) {
        const hol_message *m = hol_message_get(ctx, i);
        put_word(out, (unsigned long long)m->severity);
        put_word(out, (unsigned long long)(long long)m->status);
        put_word(out, (unsigned long long)m->where.line);
        put_word(out, (unsigned long long)m->where.column);
        put_text(out, m->where.file);
        put_text(out, m->element);
        put_text(out, m->text);
    }
}

static hol_status put_state(hol__text *out, hol_sim *sim) {
    hol_context *ctx = hol_sim_context(sim);
    const size_t size = hol_sim_state_size(sim);
    char *block = hol__alloc(ctx, size, 1);
    const hol_status status = block ? hol_sim_state_save(sim, block, size) : HOL_ERR_MEMORY;
    put_word(out, size);
    if (!status) hol__text_add_n(out, block, size);
    hol__release(ctx, block);
    return status;
}

/* ---- the whole ---- */

/* Everything but the length and the checksum, which come last. */
static hol_status put_all(hol__text *out, hol_sim *sim, const hol_checkpoint_parts *parts) {
    static const char head[] = HOL__CHECKPOINT_MARK HOL__CHECKPOINT_FORM;
    hol__text_add_n(out, head, HOL__CHECKPOINT_HEAD);
    put_word(out, 0);
    put_head(out, sim);
    put_options(out, sim);
    const hol_status status = put_files(out, parts);
    if (status) return status;
    put_word(out, (unsigned long long)parts->n_notes);
    for (int i = 0; i < parts->n_notes; i++) {
        put_text(out, parts->notes[i].key);
        put_text(out, parts->notes[i].value);
    }
    put_messages(out, hol_sim_context(sim));
    return put_state(out, sim);
}

/* The length into its place, and the checksum behind all. */
static void seal(hol__text *out) {
    if (out->failed) return;
    const unsigned long long length = out->length + 8;
    for (int i = 0; i < 8; i++)
        out->data[HOL__CHECKPOINT_HEAD + i] = (char)(length >> 8 * i & 0xFF);
    put_word(out, hol__hash(HOL__HASH_START, out->data, out->length));
}

/* The parts as this library knows them; HOL_ERR_ARGUMENT, with a message, where they are none. */
static hol_status take_parts(hol_context *ctx, const hol_checkpoint_parts *given,
                             hol_checkpoint_parts *parts) {
    static const char call[] = "hol_checkpoint_write";
    *parts = (hol_checkpoint_parts){.size = sizeof *parts};
    if (!given) return HOL_OK;
    memcpy(parts, given, given->size < sizeof *parts ? given->size : sizeof *parts);
    hol_status status = hol__need_array(ctx, call, "writers", parts->n_writers, 0, parts->writers);
    if (!status) status = hol__need_array(ctx, call, "notes", parts->n_notes, 0, parts->notes);
    for (int i = 0; i < parts->n_writers && !status; i++)
        status = hol__need(ctx, call, "a writer", parts->writers[i]);
    for (int i = 0; i < parts->n_notes && !status; i++)
        status = hol__need(ctx, call, "a note", parts->notes[i].key);
    return status;
}

hol_status hol_checkpoint_write(hol_sim *sim, const char *path, const hol_checkpoint_parts *given) {
    hol_context *ctx = hol_sim_context(sim);
    hol_checkpoint_parts parts;
    if (!ctx || hol__need(ctx, "hol_checkpoint_write", "the path", path)) return HOL_ERR_ARGUMENT;
    hol_status status = take_parts(ctx, given, &parts);
    if (status) return status;
    hol__text out;
    hol__text_init(&out, ctx);
    status = put_all(&out, sim, &parts);
    seal(&out);
    if (!status && out.failed) status = HOL_ERR_MEMORY;
    if (!status) {
        const hol__piece whole = {out.data, out.length};
        status = hol__out_write(ctx, path, &whole, 1);
    }
    hol__text_free(&out);
    return status;
}

void hol_checkpoint_remove(hol_context *ctx, const char *path) {
    if (ctx && path) hol__out_remove(ctx, path);
}
