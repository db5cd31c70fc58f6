/* format.h: printf into a buffer, the same under every locale of the host program. */
#ifndef HOL_COMMON_FORMAT_H
#define HOL_COMMON_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

#if defined(__GNUC__)
#define HOL__PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define HOL__PRINTF(a, b)
#endif

/* As snprintf and vsnprintf, with a point in every number: at most size bytes with the terminator
 * into buf, the length of the whole returned. */
int hol__print(char *buf, size_t size, const char *format, ...) HOL__PRINTF(3, 4);
int hol__vprint(char *buf, size_t size, const char *format, va_list args) HOL__PRINTF(3, 0);

#endif
