/* emit.h: texts and keys as YAML writes them. */
#ifndef HOL_MODEL_EMIT_H
#define HOL_MODEL_EMIT_H

#include "base/text.h"

/* A value, in quotes where YAML needs them (flow: within brackets). */
void hol__emit_text(hol__text *out, const char *text, int flow);

/* A key with its colon. */
void hol__emit_key(hol__text *out, const char *key);

#endif
