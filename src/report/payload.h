/* payload.h: the data of a page: a JSON text, and the numbers as bytes. */
#ifndef HOL_REPORT_PAYLOAD_H
#define HOL_REPORT_PAYLOAD_H

#include "base/text.h"
#include "common/json.h"
#include "report/geometry.h"

/* Numbers in little-endian order, each block at a multiple of 8. */
typedef struct hol__payload {
    hol__text text;
    hol__json json; /* writes to the text */
    hol__text bytes;
    size_t budget; /* how many bytes a result may take, about */
} hol__payload;

void hol__payload_init(hol__payload *payload, hol_context *ctx, int n_results);
void hol__payload_free(hol__payload *payload);

/* Append a result as an object. Without memory the texts are marked as failed. */
void hol__payload_add(hol__payload *payload, hol__movie *movie, const hol__geometry *geometry);

#endif
