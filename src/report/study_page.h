/* study_page.h: the page of a study; see study_page.c. */
#ifndef HOL_REPORT_STUDY_PAGE_H
#define HOL_REPORT_STUDY_PAGE_H

#include "report/page.h"

#include <holonom/answer.h>

/* Write it around the answer. */
hol_status hol__study_page_write(hol_context *ctx, const hol_answer *answer, const hol__page *page,
                                 const char *path);

#endif
