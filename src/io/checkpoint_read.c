/* checkpoint_read.c: a checkpoint read, compared with a simulation, and gone on from. The form of
 * the file stands in checkpoint.h.
 *
 * Nothing of the file is believed before its checksum: lengths and counts are then still compared
 * with the bytes that are left, because a checksum finds damage and not malice.
 */
#include "io/checkpoint.h"

#include "base/argument.h"
#include "base/build_id.h"
#include "base/give.h"
#include "io/format.h"
#include "io/input.h"
#include "sim/sim.h"

#include <holonom/version.h>

#include <limits.h>
#include <string.h>

/* A result file of the run. */
typedef struct result_file {
    const char *path;
    hol__sink_start so_far;
} result_file;

struct hol_checkpoint {
    hol_context *ctx;
    hol__arena arena;
    const char *path;
    hol_checkpoint_info info;
    int n_options, n_messages;
    hol_note *options, *notes;
    result_file *files;
    hol_message *messages;
    const unsigned char *state; /* in the arena, with the alignment of any object */
    size_t state_size;
};

/* ---- the parts of the form ---- */

typedef struct reader {
    hol__arena *arena;
    const unsigned char *at;
    size_t left;
    int wrong;
} reader;

static unsigned long long get_word(reader *r) {
    unsigned long long value = 0;
    if (r->left < 8) {
        r->wrong = 1;
        return 0;
    }
    for (int i = 8; i-- > 0;) value = value << 8 | r->at[i];
    r->at += 8;
    r->left -= 8;
    return value;
}

/* n bytes in the arena, ended by a 0; "" after a failure. */
static const char *get_bytes(reader *r, unsigned long long n) {
    if (n > r->left) r->wrong = 1;
    char *bytes = r->wrong ? NULL : hol__arena_alloc(r->arena, (size_t)n + 1, 1);
    if (!bytes) return "";
    memcpy(bytes, r->at, (size_t)n);
    r->at += n;
    r->left -= (size_t)n;
    return bytes;
}

static const char *get_text(reader *r) {
    return get_bytes(r, get_word(r));
}

/* A count of things of at least `least` bytes each. */
static int get_count(reader *r, size_t least) {
    const unsigned long long n = get_word(r);
    if (n > r->left / least || n > INT_MAX / 2) r->wrong = 1;
    return r->wrong ? 0 : (int)n;
}

static hol_note *get_notes(reader *r, int *n) {
    *n = get_count(r, 16);
    hol_note *notes = HOL__NEW_N(r->arena, hol_note, *n);
    for (int i = 0; notes && i < *n; i++) {
        notes[i].key = get_text(r);
        notes[i].value = get_text(r);
    }
    return notes;
}

static void get_files(reader *r, hol_checkpoint *c) {
    c->info.n_files = get_count(r, 32);
    c->files = HOL__NEW_N(r->arena, result_file, c->info.n_files);
    for (int i = 0; c->files && i < c->info.n_files; i++) {
        c->files[i].path = get_text(r);
        const unsigned long long rows = get_word(r);
        if (rows > LONG_MAX) r->wrong = 1;
        c->files[i].so_far.rows = (long)rows;
        c->files[i].so_far.sum = get_word(r);
        c->files[i].so_far.n_kept = (size_t)get_word(r);
        c->files[i].so_far.kept = get_bytes(r, c->files[i].so_far.n_kept);
    }
}

/* A text that may be missing. */
static const char *get_some(reader *r) {
    const char *text = get_text(r);
    return *text ? text : NULL;
}

static void get_messages(reader *r, hol_checkpoint *c) {
    c->n_messages = get_count(r, 56);
    c->messages = HOL__NEW_N(r->arena, hol_message, c->n_messages);
    for (int i = 0; c->messages && i < c->n_messages; i++) {
        hol_message *m = &c->messages[i];
        const unsigned long long severity = get_word(r);
        if (severity > HOL_ERROR) r->wrong = 1;
        m->severity = (hol_severity)(severity <= HOL_ERROR ? severity : HOL_ERROR);
        m->status = (hol_status)(int)get_word(r);
        m->where.line = (int)get_word(r);
        m->where.column = (int)get_word(r);
        m->where.file = get_some(r);
        m->element = get_some(r);
        m->text = get_text(r);
    }
}

/* Everything behind the length. */
static void get_all(reader *r, hol_checkpoint *c) {
    c->info.version = get_text(r);
    c->info.build = get_text(r);
    c->info.model = get_text(r);
    c->info.hash = get_word(r);
    const unsigned long long t = get_word(r);
    memcpy(&c->info.t, &t, sizeof t);
    c->info.steps = (long)get_word(r);
    c->options = get_notes(r, &c->n_options);
    get_files(r, c);
    c->notes = get_notes(r, &c->info.n_notes);
    get_messages(r, c);
    c->state_size = (size_t)get_word(r);
    c->state = (const unsigned char *)get_bytes(r, c->state_size);
    if (r->left) r->wrong = 1;
}

/* ---- reading ---- */

/* Why the bytes are no checkpoint that is whole; NULL when they are one. */
static const char *speaks_against(const char *bytes, size_t n) {
    enum { MARK = sizeof HOL__CHECKPOINT_MARK - 1, HEAD = HOL__CHECKPOINT_HEAD };
    if (n < HEAD || memcmp(bytes, HOL__CHECKPOINT_MARK, MARK) != 0)
        return "it is not a checkpoint of holonom";
    if (memcmp(bytes + MARK, HOL__CHECKPOINT_FORM, HEAD - MARK) != 0)
        return "it was written by another version of holonom; go on with that one, or run the "
               "model "
               "again";
    reader length = {.at = (const unsigned char *)bytes + HEAD, .left = n - HEAD};
    if (get_word(&length) != n || n < HEAD + 16)
        return "it is damaged: it is not as long as it says; run the model again, or take an older "
               "copy";
    reader sum = {.at = (const unsigned char *)bytes + n - 8, .left = 8};
    return get_word(&sum) == hol__hash(HOL__HASH_START, bytes, n - 8)
               ? NULL
               : "it is damaged: its checksum is another; run the model again, or take an older "
                 "copy";
}

/* The bytes of a file as a checkpoint. */
static hol_status take(hol_checkpoint *c, const char *bytes, size_t n) {
    const hol__input input = {.path = c->path};
    const char *reason = speaks_against(bytes, n);
    if (reason) return hol__input_fail(c->ctx, &input, reason);
    reader r = {.arena = &c->arena,
                .at = (const unsigned char *)bytes + HOL__CHECKPOINT_HEAD + 8,
                .left = n - HOL__CHECKPOINT_HEAD - 16};
    get_all(&r, c);
    if (c->arena.failed) return HOL_ERR_MEMORY;
    return r.wrong ? hol__input_fail(c->ctx, &input, "it is damaged: its parts do not fit together")
                   : HOL_OK;
}

hol_checkpoint *hol__checkpoint_parse(hol_context *ctx, const char *path, const char *bytes,
                                      size_t n) {
    hol_checkpoint *c = hol__alloc(ctx, 1, sizeof *c);
    if (!c) return NULL;
    c->ctx = ctx;
    hol__arena_init(&c->arena, ctx);
    c->path = hol__arena_text(&c->arena, path);
    if (c->path && take(c, bytes, n) == HOL_OK) return c;
    hol_checkpoint_free(c);
    return NULL;
}

hol_checkpoint *hol_checkpoint_read(hol_context *ctx, const char *path) {
    if (!ctx || hol__need(ctx, "hol_checkpoint_read", "the path", path)) return NULL;
    const hol__input input = {
        .path = path, .passing = 1, .most = (size_t)1 << 40, .what = "checkpoint"};
    hol__text text;
    hol__text_init(&text, ctx);
    hol_checkpoint *c = NULL;
    if (hol__input_read(ctx, &input, &text) == HOL_OK)
        c = hol__checkpoint_parse(ctx, path, text.data ? text.data : "", text.length);
    hol__text_free(&text);
    return c;
}

void hol_checkpoint_free(hol_checkpoint *checkpoint) {
    if (!checkpoint) return;
    hol__arena_free(&checkpoint->arena);
    hol__release(checkpoint->ctx, checkpoint);
}

hol_status hol_checkpoint_describe(const hol_checkpoint *checkpoint, hol_checkpoint_info *info) {
    if (!checkpoint) return HOL_ERR_ARGUMENT;
    return hol__give(checkpoint->ctx, "hol_checkpoint_describe", &checkpoint->info,
                     sizeof checkpoint->info, info);
}

const char *hol_checkpoint_file(const hol_checkpoint *checkpoint, int i) {
    const int there = checkpoint && i >= 0 && i < checkpoint->info.n_files;
    return there ? checkpoint->files[i].path : NULL;
}

const hol_note *hol_checkpoint_note(const hol_checkpoint *checkpoint, int i) {
    const int there = checkpoint && i >= 0 && i < checkpoint->info.n_notes;
    return there ? &checkpoint->notes[i] : NULL;
}

/* ---- going on ---- */

/* Another build of the library is refused. */
static hol_status check_build(const hol_checkpoint *c, hol_context *ctx) {
    const hol_location where = {c->path, 0, 0};
    char build[HOL__BUILD_ID_SIZE];
    const int version = strcmp(c->info.version, hol_version()) != 0;
    if (!version && strcmp(c->info.build, hol__build_id(build)) == 0) return HOL_OK;
    return hol__report(
        ctx, HOL_ERROR, HOL_ERR_INPUT, &where, NULL,
        "the checkpoint was written by holonom %s%s, and this is %s%s: the bits of a run belong to "
        "one build; go on with the program that wrote it, or run the model again from the start",
        c->info.version, version ? "" : " of another build", hol_version(),
        version ? "" : " as well");
}

/* Another model is refused. */
static hol_status check_model(const hol_checkpoint *c, hol_context *ctx, const hol_sim *sim) {
    const hol_location where = {c->path, 0, 0};
    hol_model_info model = {.size = sizeof model};
    hol_model_describe(hol_sim_model(sim), &model);
    if (model.hash == c->info.hash) return HOL_OK;
    return hol__report(
        ctx, HOL_ERROR, HOL_ERR_INPUT, &where, NULL,
        "the checkpoint is of the model '%s' as it was then, and '%s' is another one "
        "or has changed since: bring it back to what it was, or run it again from "
        "the start",
        c->info.model, model.name);
}

/* Other options are refused; the first is named. */
static hol_status check_options(const hol_checkpoint *c, hol_context *ctx, const hol_sim *sim) {
    const hol_location where = {c->path, 0, 0};
    for (int i = 0; i < c->n_options; i++) {
        char buf[HOL__OPTION_TEXT];
        const hol_note *was = &c->options[i];
        const char *is = hol_options_text(hol_sim_options(sim), was->key, buf, sizeof buf);
        if (is && strcmp(is, was->value) == 0) continue;
        return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, &where, NULL,
                           "the checkpoint is of a run with %s: %s, and this one has %s; take the "
                           "same options, or run the model again from the start",
                           was->key, *was->value ? was->value : "(nothing)",
                           is && *is ? is : "(nothing)");
    }
    return HOL_OK;
}

/* What the run has said since it was set up is said again. */
static void say_again(const hol_checkpoint *c, hol_context *ctx) {
    for (int i = hol_message_count(ctx); i < c->n_messages; i++) {
        const hol_message *m = &c->messages[i];
        if (m->severity != HOL_ERROR)
            hol__report(ctx, m->severity, m->status, &m->where, m->element, "%s", m->text);
    }
}

hol_status hol_checkpoint_load(const hol_checkpoint *checkpoint, hol_sim *sim) {
    if (!checkpoint) return HOL_ERR_ARGUMENT;
    if (hol__need(checkpoint->ctx, "hol_checkpoint_load", "the simulation", sim))
        return HOL_ERR_ARGUMENT;
    hol_context *ctx = hol_sim_context(sim);
    hol_status status = check_build(checkpoint, ctx);
    if (!status) status = check_options(checkpoint, ctx, sim);
    if (!status) status = check_model(checkpoint, ctx, sim);
    sim->made.size = sizeof sim->made;
    if (!status) status = hol_sim_describe(sim, &sim->made);
    if (!status) status = hol_sim_state_load(sim, checkpoint->state, checkpoint->state_size);
    if (!status) say_again(checkpoint, ctx);
    return status;
}

hol_writer *hol_checkpoint_writer(const hol_checkpoint *checkpoint, hol_sim *sim, int i,
                                  const char *path) {
    static const char call[] = "hol_checkpoint_writer";
    if (!checkpoint || hol__need(checkpoint->ctx, call, "the simulation", sim) ||
        hol__need_index(checkpoint->ctx, call, "result file", i, checkpoint->info.n_files))
        return NULL;
    const result_file *file = &checkpoint->files[i];
    return hol__writer_open(sim, path ? path : file->path, &file->so_far);
}
