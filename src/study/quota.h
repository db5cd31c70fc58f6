/* quota.h: a context whose memory has a limit. */
#ifndef HOL_STUDY_QUOTA_H
#define HOL_STUDY_QUOTA_H

#include "base/context.h"

typedef struct hol__quota hol__quota;

/* A context over malloc that hands out at most so many bytes (0: any number); NULL without memory.
 * Free it with hol__quota_free, which frees its context too. */
hol__quota *hol__quota_new(double bytes);
void hol__quota_free(hol__quota *quota);
hol_context *hol__quota_context(hol__quota *quota);

#endif
