/* extension.h: how names of files end. */
#ifndef HOL_COMMON_EXTENSION_H
#define HOL_COMMON_EXTENSION_H

/* Whether a path ends with the extension, such as ".h5", in any case of letters. */
int hol__has_extension(const char *path, const char *extension);

#endif
