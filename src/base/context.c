/* context.c: the allocator and the message list of a context, and the names of the statuses. */
#include "base/context.h"

#include <holonom/spec.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct message_node {
    hol_message message; /* its texts live behind the node, in the same block */
    struct message_node *next;
} message_node;

/* A file that was read; its name lives behind it, in the same block. */
typedef struct input_node {
    unsigned long long device, inode;
    int grows; /* it is written, too */
    struct input_node *next;
} input_node;

/* The room of a message that is kept when there is no memory for it. */
enum { RESERVE_TEXT = 320, RESERVE_ELEMENT = 96, RESERVE_FILE = 256 };

/* One message that needs no memory: without it a failure for want of memory would be one without a
 * word. Longer texts are cut. */
typedef struct reserve {
    message_node node;
    int used;
    char text[RESERVE_TEXT], element[RESERVE_ELEMENT], file[RESERVE_FILE];
} reserve;

struct hol_context {
    hol_allocator allocator;
    message_node *first, *last;
    int count;
    message_node *held; /* those that are held back, in order */
    int holds;          /* messages are held back */
    input_node *inputs;
    hol_message_fn *on_message;
    void *user;
    hol_context *parent; /* hears every message too; may be NULL */
    hol_context *files;  /* knows the files that were read; NULL: this one */
    reserve reserve;     /* for the first message that finds no memory */
};

static void *heap_alloc(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void heap_release(void *user, void *block) {
    (void)user;
    free(block);
}

hol_context *hol_context_new(void) {
    const hol_allocator heap = {heap_alloc, heap_release, NULL};
    return hol_context_new_with(&heap);
}

hol_context *hol_context_new_with(const hol_allocator *allocator) {
    if (!allocator || !allocator->alloc || !allocator->release) return NULL;
    hol_context *ctx = allocator->alloc(allocator->user, sizeof *ctx);
    if (!ctx) return NULL;
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = *allocator;
    return ctx;
}

hol_context *hol__context_like(hol_context *ctx) {
    hol_context *made = hol_context_new_with(&ctx->allocator);
    if (!made) hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL, "out of memory");
    return made;
}

hol_context *hol__context_child(hol_context *ctx) {
    hol_context *child = hol__context_like(ctx);
    if (child) child->parent = child->files = ctx;
    return child;
}

void hol__context_detach(hol_context *child) {
    child->parent = child->files = NULL;
}

void hol__context_share_files(hol_context *apart, hol_context *ctx) {
    apart->files = ctx;
}

/* The messages that are held back are gone. */
static void release_held(hol_context *ctx) {
    for (message_node *node = ctx->held, *next; node; node = next) {
        next = node->next;
        ctx->allocator.release(ctx->allocator.user, node);
    }
    ctx->held = NULL;
}

void hol_context_free(hol_context *ctx) {
    if (!ctx) return;
    release_held(ctx);
    hol_message_clear(ctx);
    for (input_node *node = ctx->inputs, *next; node; node = next) {
        next = node->next;
        hol__release(ctx, node);
    }
    ctx->allocator.release(ctx->allocator.user, ctx);
}

void hol_context_on_message(hol_context *ctx, hol_message_fn *fn, void *user) {
    if (!ctx) return;
    ctx->on_message = fn;
    ctx->user = user;
}

int hol_message_count(const hol_context *ctx) {
    return ctx ? ctx->count : 0;
}

int hol_message_count_of(const hol_context *ctx, hol_severity severity) {
    int n = 0;
    for (const message_node *node = ctx ? ctx->first : NULL; node; node = node->next)
        n += node->message.severity == severity;
    return n;
}

const hol_message *hol_message_get(const hol_context *ctx, int i) {
    const message_node *node = ctx && i >= 0 ? ctx->first : NULL;
    while (node && i-- > 0) node = node->next;
    return node ? &node->message : NULL;
}

void hol_message_clear(hol_context *ctx) {
    if (!ctx) return;
    for (message_node *node = ctx->first, *next; node; node = next) {
        next = node->next;
        if (node != &ctx->reserve.node) ctx->allocator.release(ctx->allocator.user, node);
    }
    ctx->reserve.used = 0;
    ctx->first = ctx->last = NULL;
    ctx->count = 0;
}

int hol_message_format(const hol_message *message, char *buf, size_t size) {
    static const char *const words[] = {"note", "warning", "error"};
    char where[512] = "";
    if (!buf) size = 0;
    if (size) buf[0] = '\0';
    if (!message || (size_t)message->severity >= sizeof words / sizeof *words) return 0;
    const hol_location *at = &message->where;
    if (at->file && at->line > 0 && at->column > 0)
        snprintf(where, sizeof where, "%s:%d:%d: ", at->file, at->line, at->column);
    else if (at->file && at->line > 0)
        snprintf(where, sizeof where, "%s:%d: ", at->file, at->line);
    else if (at->file)
        snprintf(where, sizeof where, "%s: ", at->file);
    return snprintf(buf, size, "%s%s: %s%s%s", where, words[message->severity],
                    message->element ? message->element : "", message->element ? ": " : "",
                    message->text ? message->text : "");
}

/* A block of zeros. The heap has pages that are zero until someone writes on them, so that large
 * matrices that nobody asks for cost nothing. */
static void *cleared(const hol_allocator *allocator, size_t size) {
    if (allocator->alloc == heap_alloc) return calloc(1, size);
    void *block = allocator->alloc(allocator->user, size);
    return block ? memset(block, 0, size) : NULL;
}

void *hol__alloc(hol_context *ctx, size_t count, size_t size) {
    void *block = NULL;
    const size_t total = count ? count * size : 1;
    if (size == 0 || count <= SIZE_MAX / size) block = cleared(&ctx->allocator, total ? total : 1);
    if (!block)
        hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                    "out of memory (%zu items of %zu bytes)", count, size);
    return block;
}

void hol__release(hol_context *ctx, void *block) {
    if (ctx && block) ctx->allocator.release(ctx->allocator.user, block);
}

void *hol__grown(hol_context *ctx, void *array, size_t size, int n, int room) {
    void *larger = hol__alloc(ctx, (size_t)room, size);
    if (!larger) return NULL;
    if (n) memcpy(larger, array, (size_t)n * size);
    hol__release(ctx, array);
    return larger;
}

void hol_free(hol_context *ctx, void *block) {
    hol__release(ctx, block);
}

char *hol__copy_text(hol_context *ctx, const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = hol__alloc(ctx, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* The context that knows the files which were read through this one. */
static hol_context *reader(hol_context *ctx) {
    while (ctx->files) ctx = ctx->files;
    return ctx;
}

const char *hol__context_find_input(const hol_context *ctx, unsigned long long device,
                                    unsigned long long inode, int grows) {
    while (ctx->files) ctx = ctx->files;
    for (const input_node *node = ctx->inputs; node; node = node->next)
        if (node->device == device && node->inode == inode && !(grows && node->grows))
            return (const char *)(node + 1);
    return NULL;
}

int hol__context_add_input(hol_context *ctx, unsigned long long device, unsigned long long inode,
                           int grows, const char *path) {
    if (hol__context_find_input(ctx, device, inode, 0)) return 1;
    ctx = reader(ctx);
    input_node *node = hol__alloc(ctx, sizeof *node + strlen(path) + 1, 1);
    if (!node) return 0;
    *node = (input_node){device, inode, grows, ctx->inputs};
    memcpy(node + 1, path, strlen(path) + 1);
    ctx->inputs = node;
    return 1;
}

/* Append text with its terminator at *end and return where it stands. */
static const char *put_text(char **end, const char *text) {
    char *at = *end;
    if (!text) return NULL;
    const size_t size = strlen(text) + 1;
    memcpy(at, text, size);
    *end = at + size;
    return at;
}

static size_t text_size(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

/* A node with copies of all texts of m; NULL without memory. */
static message_node *new_node(hol_context *ctx, const hol_message *m) {
    const size_t size = sizeof(message_node) + text_size(m->text) + text_size(m->element) +
                        text_size(m->where.file);
    message_node *node = ctx->allocator.alloc(ctx->allocator.user, size);
    if (!node) return NULL;
    char *end = (char *)(node + 1);
    node->message = *m;
    node->message.text = put_text(&end, m->text);
    node->message.element = put_text(&end, m->element);
    node->message.where.file = put_text(&end, m->where.file);
    return node;
}

/* What fits of a text. */
static const char *put_short(char *buf, size_t size, const char *text) {
    if (!text) return NULL;
    snprintf(buf, size, "%s", text);
    return buf;
}

/* The node that is always there, with what fits of m; NULL where it is taken, or for notes. */
static message_node *reserve_node(hol_context *ctx, const hol_message *m) {
    reserve *r = &ctx->reserve;
    if (r->used || m->severity != HOL_ERROR) return NULL;
    r->used = 1;
    r->node.message = *m;
    r->node.message.text = put_short(r->text, sizeof r->text, m->text);
    r->node.message.element = put_short(r->element, sizeof r->element, m->element);
    r->node.message.where.file = put_short(r->file, sizeof r->file, m->where.file);
    return &r->node;
}

/* Add a node with m to the end of the list. */
static void keep_message(hol_context *ctx, const hol_message *m) {
    message_node *node = new_node(ctx, m);
    if (!node) node = reserve_node(ctx, m);
    if (!node) return;
    node->next = NULL;
    if (ctx->last)
        ctx->last->next = node;
    else
        ctx->first = node;
    ctx->last = node;
    ctx->count++;
}

void hol__context_take_messages(hol_context *ctx, const hol_context *from) {
    for (const message_node *node = from->first; node; node = node->next)
        keep_message(ctx, &node->message);
}

hol_status hol__report(hol_context *ctx, hol_severity severity, hol_status status,
                       const hol_location *where, const char *element, const char *format, ...) {
    va_list args;
    va_start(args, format);
    hol__vreport(ctx, severity, status, where, element, format, args);
    va_end(args);
    return status;
}

/* Tell it: the own context first, then those above it. */
static void deliver(hol_context *ctx, const hol_message *m) {
    for (; ctx; ctx = ctx->parent) {
        keep_message(ctx, m);
        if (ctx->on_message) ctx->on_message(ctx->user, m);
    }
}

void hol__context_attach(hol_context *apart, hol_context *ctx) {
    while (apart->parent) apart = apart->parent;
    if (apart == ctx) return;
    for (message_node *node = apart->first; node; node = node->next) deliver(ctx, &node->message);
    apart->parent = ctx;
}

/* Keep it for later; 0 without memory. */
static int hold_back(hol_context *ctx, const hol_message *m) {
    message_node *node = new_node(ctx, m), **end = &ctx->held;
    if (!node) return 0;
    while (*end) end = &(*end)->next;
    node->next = NULL;
    *end = node;
    return 1;
}

void hol__context_hold(hol_context *ctx) {
    ctx->holds = 1;
}

int hol__context_held(const hol_context *ctx) {
    int n = 0;
    for (const message_node *node = ctx->held; node; node = node->next) n++;
    return n;
}

void hol__context_forget_errors(hol_context *ctx, int from, int to) {
    message_node **at = &ctx->held;
    for (int i = 0; *at && i < to; i++) {
        message_node *node = *at;
        if (i < from || node->message.severity != HOL_ERROR) {
            at = &node->next;
            continue;
        }
        *at = node->next;
        ctx->allocator.release(ctx->allocator.user, node);
    }
}

void hol__context_tell(hol_context *ctx) {
    ctx->holds = 0;
    for (const message_node *node = ctx->held; node; node = node->next)
        deliver(ctx, &node->message);
    release_held(ctx);
}

hol_status hol__vreport(hol_context *ctx, hol_severity severity, hol_status status,
                        const hol_location *where, const char *element, const char *format,
                        va_list args) {
    char text[2048];
    hol__vprint(text, sizeof text, format, args);
    hol_message m = {severity, status, element, text, {NULL, 0, 0}};
    if (where) m.where = *where;
    if (!ctx || !ctx->holds || !hold_back(ctx, &m)) deliver(ctx, &m);
    return status;
}

static const struct status_row {
    hol_status status;
    const char *name, *text;
} status_rows[] = {
    {HOL_OK, "HOL_OK", "success"},
    {HOL_RETRY, "HOL_RETRY", "the step cannot be evaluated as it stands; a smaller one may"},
    {HOL_NONFINITE, "HOL_NONFINITE", "a value became NaN or infinite"},
    {HOL_SINGULAR, "HOL_SINGULAR", "a matrix could not be factored"},
    {HOL_NOT_CONVERGED, "HOL_NOT_CONVERGED", "an iteration did not converge"},
    {HOL_ERR_MEMORY, "HOL_ERR_MEMORY", "out of memory"},
    {HOL_ERR_INPUT, "HOL_ERR_INPUT", "the model or an option is wrong"},
    {HOL_ERR_ARGUMENT, "HOL_ERR_ARGUMENT", "a call was made with arguments it does not take"},
    {HOL_ERR_IO, "HOL_ERR_IO", "a file could not be read or written"},
    {HOL_ERR_ASSEMBLY, "HOL_ERR_ASSEMBLY", "the mechanism cannot be assembled"},
    {HOL_ERR_TOLERANCE, "HOL_ERR_TOLERANCE", "the run cannot meet its tolerances"},
    {HOL_ERR_SINGULAR, "HOL_ERR_SINGULAR", "the equations cannot be solved at this state"},
    {HOL_ERR_FEATURE, "HOL_ERR_FEATURE", "not built with the part that this needs"},
    {HOL_ERR_INTERRUPTED, "HOL_ERR_INTERRUPTED", "the caller asked to stop"},
};

static const struct status_row *status_find(hol_status status) {
    for (size_t i = 0; i < sizeof status_rows / sizeof *status_rows; i++)
        if (status_rows[i].status == status) return &status_rows[i];
    return NULL;
}

const char *hol_status_name(hol_status status) {
    const struct status_row *row = status_find(status);
    return row ? row->name : "unknown status";
}

const char *hol_status_text(hol_status status) {
    const struct status_row *row = status_find(status);
    return row ? row->text : "unknown status";
}
