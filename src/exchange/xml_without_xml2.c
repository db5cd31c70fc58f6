/* xml_without_xml2.c: stands in for XML where the library was built without libxml2. */
#include "exchange/xml.h"

hol__xml *hol__xml_parse(hol_context *ctx, hol__arena *arena, const char *text, size_t length,
                         const char *file, int *n_elements) {
    const hol_location where = {file, 0, 0};
    (void)arena, (void)text, (void)length, (void)n_elements;
    hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, &where, NULL,
                "robot descriptions are XML, and this build has no libxml2 (libxml2-dev)");
    return NULL;
}
