/* page_without_web.c: stands in for the page where the library was built without it. */
#include "report/page.h"

int hol__page_get(hol_context *ctx, hol__page *page) {
    (void)page;
    hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                "not built with the report page; build it with Node.js and npm at hand, or use "
                "`holonom plot` and `holonom animate`");
    return 0;
}

int hol__page_of_studies(hol__page *page) {
    (void)page;
    return 0;
}
