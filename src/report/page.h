/* page.h: the pages around the data, of results and of studies: markup, style and script, in three
 * pieces with the data between them.
 *
 *     hol__page.head | JSON | hol__page.middle | base64 | hol__page.tail
 */
#ifndef HOL_REPORT_PAGE_H
#define HOL_REPORT_PAGE_H

#include "base/context.h"

typedef struct hol__page {
    const unsigned char *head, *middle, *tail;
    size_t head_size, middle_size, tail_size;
} hol__page;

/* The page that was built in; reports an error and returns 0 when there is none. */
int hol__page_get(hol_context *ctx, hol__page *page);

/* The same of studies; 0, without an error, where there is none: the page of answers serves too. */
int hol__page_of_studies(hol__page *page);

#endif
