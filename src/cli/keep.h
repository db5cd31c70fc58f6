/* keep.h: texts and arrays that are released together. */
#ifndef HOL_CLI_KEEP_H
#define HOL_CLI_KEEP_H

#include <stddef.h>

typedef struct cli_keep {
    void **blocks;
    int n, capacity;
} cli_keep;

/* Memory set to zero, and a formatted text; NULL without memory. */
void *cli_keep_new(cli_keep *keep, size_t size);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
cli_keep_text(cli_keep *keep, const char *format, ...);

/* A text that grows; data is NULL before anything was appended. */
typedef struct cli_grown {
    char *data;
    size_t n, capacity;
} cli_grown;

/* Append n bytes; 0 without memory. */
int cli_keep_append(cli_keep *keep, cli_grown *text, const char *from, size_t n);

/* Room for one more of n things: the array, grown where it was full; NULL without memory. */
void *cli_keep_room(cli_keep *keep, void *array, size_t size, int n, int *capacity);

void cli_keep_free(cli_keep *keep);

#endif
