/* range.h: which part of a model file a message is about. */
#ifndef HOL_CLI_RANGE_H
#define HOL_CLI_RANGE_H

#include "common/utf8.h"

/* The column behind the value or key that begins in the given column of a line; columns are
 * characters from 1. */
int cli_range_end(const char *line, int column);

#endif
