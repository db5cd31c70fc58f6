/* payload.h: the data of a page: a JSON text, and the numbers as bytes. */
#ifndef HOL_REPORT_PAYLOAD_H
#define HOL_REPORT_PAYLOAD_H

#include "base/text.h"
#include "report/geometry.h"

/* Numbers in little-endian order, each block at a multiple of 8. */
typedef struct hol__payload {
    hol__text json;
    hol__text bytes;
    size_t budget; /* how many bytes a result may take, about */
} hol__payload;

void hol__payload_init(hol__payload *payload, hol_context *ctx, int n_results);
void hol__payload_free(hol__payload *payload);

/* Append a result as an object. Without memory the texts are marked as failed. */
void hol__payload_add(hol__payload *payload, hol__movie *movie, const hol__geometry *geometry);

/* A number as JSON has it, with the given digits, in every locale; null when it is not finite. */
void hol__json_number(hol__text *out, double value, int digits);

/* A text as JSON that can stand inside an HTML script element: no < occurs in it. */
void hol__json_text(hol__text *out, const char *text);

/* Base64 [RFC 4648] of n bytes. */
void hol__base64(hol__text *out, const void *data, size_t n);

#endif
