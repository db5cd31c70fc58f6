/* page_with_web.c: the pages, made from web/ when the library was built. */
#include "report/page.h"

#include "report/holonom_page.h" /* head, middle and tail as arrays; written by web/build.mjs */

int hol__page_get(hol_context *ctx, hol__page *page) {
    (void)ctx;
    *page = (hol__page){.head = page_head,
                        .middle = page_middle,
                        .tail = page_tail,
                        .head_size = sizeof page_head,
                        .middle_size = sizeof page_middle,
                        .tail_size = sizeof page_tail};
    return 1;
}

int hol__page_of_studies(hol__page *page) {
    *page = (hol__page){.head = study_head,
                        .middle = study_middle,
                        .tail = study_tail,
                        .head_size = sizeof study_head,
                        .middle_size = sizeof study_middle,
                        .tail_size = sizeof study_tail};
    return 1;
}
