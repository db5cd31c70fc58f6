/* decimal.h: numbers of everyday size as text, by whole numbers alone. */
#ifndef HOL_COMMON_DECIMAL_H
#define HOL_COMMON_DECIMAL_H

#include "common/number.h"

/* value with 1 to 17 significant digits, as printf's %.*g writes it under the locale "C"; returns
 * the length, or 0 where it is not of the kind that decimal.c takes: buf is as it was. */
int hol__decimal_write(double value, int digits, char buf[HOL__NUMBER_SIZE]);

#endif
