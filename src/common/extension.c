/* extension.c: how names of files end. */
#include "common/extension.h"

#include <ctype.h>
#include <string.h>

int hol__has_extension(const char *path, const char *extension) {
    const size_t n = strlen(path), m = strlen(extension);
    if (n <= m) return 0;
    for (size_t i = 0; i < m; i++)
        if (tolower((unsigned char)path[n - m + i]) != extension[i]) return 0;
    return 1;
}
