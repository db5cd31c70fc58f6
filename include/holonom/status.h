/* status.h: what a call returns, and the context that keeps the messages.
 *
 * A status is 0 for success, > 0 when an integrator may try again with a smaller step, and < 0
 * when the caller has to act. The words are in the messages of the context: which element, which
 * file, line and column, what was expected, what to try. The library never prints.
 */
#ifndef HOLONOM_STATUS_H
#define HOLONOM_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hol_status {
    HOL_OK = 0,

    /* recoverable: a smaller step may help */
    HOL_RETRY = 1,         /* the step cannot be evaluated as it stands */
    HOL_NONFINITE = 2,     /* a value became NaN or infinite */
    HOL_SINGULAR = 3,      /* a matrix could not be factored */
    HOL_NOT_CONVERGED = 4, /* an iteration did not converge */

    /* fatal */
    HOL_ERR_MEMORY = -1,      /* out of memory */
    HOL_ERR_INPUT = -2,       /* the model or an option is wrong: see the messages */
    HOL_ERR_ARGUMENT = -3,    /* a call was made with arguments it does not take */
    HOL_ERR_IO = -4,          /* a file could not be read or written */
    HOL_ERR_ASSEMBLY = -5,    /* the mechanism cannot be assembled */
    HOL_ERR_TOLERANCE = -6,   /* the run cannot meet its tolerances */
    HOL_ERR_SINGULAR = -7,    /* the equations cannot be solved at this state */
    HOL_ERR_FEATURE = -8,     /* not built with the part that this needs */
    HOL_ERR_INTERRUPTED = -9, /* the caller asked to stop */
} hol_status;

/* A short name such as "HOL_ERR_INPUT", and one sentence that says what it means. */
const char *hol_status_name(hol_status status);
const char *hol_status_text(hol_status status);

typedef enum hol_severity { HOL_NOTE, HOL_WARNING, HOL_ERROR } hol_severity;

/* A place in a file; file is NULL where there is none, line and column count from 1. */
typedef struct hol_location {
    const char *file;
    int line;
    int column;
} hol_location;

/* One message. element may be NULL ("joint 'B'"); text says what is wrong and what to try. */
typedef struct hol_message {
    hol_severity severity;
    hol_status status;
    const char *element;
    const char *text;
    hol_location where;
} hol_message;

/* Memory comes from here: alloc(user, size) may return NULL, release(user, NULL) must be
 * allowed. */
typedef struct hol_allocator {
    void *(*alloc)(void *user, size_t size);
    void (*release)(void *user, void *block);
    void *user;
} hol_allocator;

/* A context holds the allocator and the messages. Every object but a model reports to the one it
 * was made with, which must outlive it. A context and what belongs to it serve one thread at a
 * time; models are shared by threads. */
typedef struct hol_context hol_context;

/* A new context over malloc, or over the given allocator; NULL when there is no memory. */
hol_context *hol_context_new(void);
hol_context *hol_context_new_with(const hol_allocator *allocator);
void hol_context_free(hol_context *ctx);

/* Called for each message as it arises, beside being kept. */
typedef void hol_message_fn(void *user, const hol_message *message);
void hol_context_on_message(hol_context *ctx, hol_message_fn *fn, void *user);

/* The messages so far, oldest first. They live until they are cleared or the context is freed. */
int hol_message_count(const hol_context *ctx);
const hol_message *hol_message_get(const hol_context *ctx, int i);
void hol_message_clear(hol_context *ctx);

/* How many messages of this severity there are. */
int hol_message_count_of(const hol_context *ctx, hol_severity severity);

/* "file:line:column: error: joint 'B': text" into buf; returns the length it needs, as snprintf. */
int hol_message_format(const hol_message *message, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
