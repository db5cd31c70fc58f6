/* context.c: memory by the importer's functions or the system's; messages told and not kept. */
#include "fmu/sources/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hol_context {
    hol_allocator allocator; /* alloc NULL: malloc */
    hol_message_fn *fn;
    void *user;
};

static void *take(const hol_allocator *from, size_t size) {
    return from->alloc ? from->alloc(from->user, size) : malloc(size);
}

static void give_back(const hol_allocator *to, void *block) {
    if (to->alloc)
        to->release(to->user, block);
    else
        free(block);
}

static hol_context *make(hol_allocator allocator) {
    hol_context *ctx = take(&allocator, sizeof *ctx);
    if (!ctx) return NULL;
    ctx->allocator = allocator;
    ctx->fn = NULL;
    ctx->user = NULL;
    return ctx;
}

hol_context *hol_context_new(void) {
    const hol_allocator system = {NULL, NULL, NULL};
    return make(system);
}

hol_context *hol_context_new_with(const hol_allocator *allocator) {
    return make(*allocator);
}

void hol_context_free(hol_context *ctx) {
    if (!ctx) return;
    const hol_allocator allocator = ctx->allocator;
    give_back(&allocator, ctx);
}

void hol_context_on_message(hol_context *ctx, hol_message_fn *fn, void *user) {
    ctx->fn = fn;
    ctx->user = user;
}

void hol_message_clear(hol_context *ctx) {
    (void)ctx; /* none is kept */
}

int hol_message_format(const hol_message *message, char *buf, size_t size) {
    static const char *const words[] = {"note", "warning", "error"};
    return snprintf(buf, size, "%s: %s%s%s", words[message->severity],
                    message->element ? message->element : "", message->element ? ": " : "",
                    message->text);
}

void *hol__alloc(hol_context *ctx, size_t count, size_t size) {
    void *block = count <= (size_t)-1 / size ? take(&ctx->allocator, count * size) : NULL;
    if (block)
        memset(block, 0, count * size);
    else
        hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, "FMU", "out of memory");
    return block;
}

void hol__release(hol_context *ctx, void *block) {
    if (block) give_back(&ctx->allocator, block);
}

hol_status hol__report(hol_context *ctx, hol_severity severity, hol_status status,
                       const hol_location *where, const char *element, const char *format, ...) {
    char text[512];
    hol_message message;
    va_list args;
    (void)where;
    if (!ctx->fn) return status;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memset(&message, 0, sizeof message);
    message.severity = severity;
    message.status = status;
    message.element = element;
    message.text = text;
    ctx->fn(ctx->user, &message);
    return status;
}
