/* plain.h: which texts YAML takes without quotes, and what it makes of them [YAML 1.2.2, 7.3.3 and
 * 10.3.2]. */
#ifndef HOL_MODEL_PLAIN_H
#define HOL_MODEL_PLAIN_H

/* Bytes that a key may have (YAML itself stops at 1024 characters). */
enum { HOL__KEY_LENGTH = 255 };

/* What a text without quotes stands for in YAML 1.2's core schema. */
typedef enum hol__plain_kind {
    HOL__PLAIN_TEXT,
    HOL__PLAIN_NULL,
    HOL__PLAIN_BOOL,
    HOL__PLAIN_NUMBER
} hol__plain_kind;

hol__plain_kind hol__plain_kind_of(const char *text);

/* Whether the text can stand without quotes as a value (in a flow list: flow = 1) and reads back as
 * it is. */
int hol__plain_text(const char *text, int flow);

/* Whether the text can stand without quotes as a key, and is a text then. */
int hol__plain_key(const char *text);

#endif
