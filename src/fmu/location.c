/* location.c: where the resources of an FMU are: a URI or a path. */
#include "fmu/component.h"

#include "base/context.h"

#include <string.h>

/* The value of a hexadecimal digit, or -1. */
static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* %20 and the like, in place. */
static void decode(char *text) {
    char *out = text;
    for (const char *at = text; *at; at++) {
        const int high = *at == '%' ? digit(at[1]) : -1, low = high < 0 ? -1 : digit(at[2]);
        if (low >= 0) {
            *out++ = (char)(16 * high + low);
            at += 2;
        } else
            *out++ = *at;
    }
    *out = '\0';
}

char *hol__fmu_path(hol_context *ctx, const char *uri) {
    if (!uri || !*uri) return NULL;
    if (strncmp(uri, "file:", 5) != 0) {
        if (strstr(uri, "://")) return NULL;
        char *path = hol__copy_text(ctx, uri);
        for (size_t n = path ? strlen(path) : 0; n > 1 && path[n - 1] == '/'; n--)
            path[n - 1] = '\0';
        return path;
    }
    const char *at = uri + 5;
    if (strncmp(at, "//", 2) == 0) {
        at += 2; /* the host, which is this one */
        if (strncmp(at, "localhost/", 10) == 0) at += 9;
        if (*at != '/') return NULL;
    }
    char *path = hol__copy_text(ctx, at);
    if (!path) return NULL;
    decode(path);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--) path[n - 1] = '\0';
    return path;
}
