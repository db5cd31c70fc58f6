/* extension.c: how names of files end. */
#include "common/extension.h"

#include "common/ascii.h"

#include <string.h>

int hol__has_extension(const char *path, const char *extension) {
    const size_t n = strlen(path), m = strlen(extension);
    return n > m && hol__same_letters(path + n - m, extension);
}
