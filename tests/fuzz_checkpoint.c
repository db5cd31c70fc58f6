/* fuzz_checkpoint.c: any bytes as a checkpoint, as they are and with the length and the checksum
 * that belong to them, so that the parts behind are read too. What is read can be asked for; all
 * else is refused with a message. */
#include "fuzz_tape.h"

#include "base/text.h"
#include "io/checkpoint.h"

#include <string.h>

enum { MOST = 1 << 20 };

/* A word of eight bytes, the lowest first. */
static void put_word(uint8_t *to, unsigned long long value) {
    for (int i = 0; i < 8; i++) to[i] = (uint8_t)(value >> 8 * i);
}

/* Read the bytes and ask everything. */
static void read_bytes(const uint8_t *bytes, size_t n) {
    hol_context *ctx = hol_context_new();
    hol_checkpoint *c = hol__checkpoint_parse(ctx, "fuzz.checkpoint", (const char *)bytes, n);
    hol_checkpoint_info info = {.size = sizeof info};
    const hol_note *note;
    size_t sum = 0;
    if (!c && hol_message_count_of(ctx, HOL_ERROR) == 0) fuzz_fail("refused without a message");
    if (c && hol_checkpoint_describe(c, &info)) fuzz_fail("no description");
    for (int i = 0; c && (note = hol_checkpoint_note(c, i)); i++)
        sum += strlen(note->key) + strlen(note->value);
    for (int i = 0; c && hol_checkpoint_file(c, i); i++) sum += strlen(hol_checkpoint_file(c, i));
    if (c) sum += strlen(info.version) + strlen(info.build) + strlen(info.model);
    if (sum > n) fuzz_fail("more text than bytes");
    hol_checkpoint_free(c);
    hol_context_free(ctx);
}

void fuzz_one(const uint8_t *data, size_t size) {
    static uint8_t sealed[MOST];
    read_bytes(data, size);
    if (size < HOL__CHECKPOINT_HEAD + 16 || size > MOST) return;
    memcpy(sealed, data, size);
    memcpy(sealed, HOL__CHECKPOINT_MARK HOL__CHECKPOINT_FORM, HOL__CHECKPOINT_HEAD);
    put_word(sealed + HOL__CHECKPOINT_HEAD, size);
    put_word(sealed + size - 8, hol__hash(HOL__HASH_START, sealed, size - 8));
    read_bytes(sealed, size);
}
