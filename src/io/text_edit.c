/* text_edit.c: changes within a text. See text_edit.h. */
#include "io/text_edit.h"

#include "common/utf8.h"

#include <stdlib.h>
#include <string.h>

size_t hol__text_offset(const char *text, int line, int column) {
    const char *at = text, *end = text + strlen(text);
    for (int i = 1; i < line && at < end; i++) {
        at += strcspn(at, "\r\n");
        at += at[0] == '\r' && at[1] == '\n' ? 2 : *at != '\0';
    }
    for (int i = 1; i < column && at < end && *at != '\n'; i++) {
        unsigned code;
        const int n = hol__utf8_decode(at, end, &code);
        at += n > 0 ? n : 1;
    }
    return (size_t)(at - text);
}

int hol__edits_add(hol__edits *edits, size_t at, size_t length, const char *text) {
    hol__edit *list = hol__arena_grow(edits->arena, edits->list, sizeof *list, edits->n,
                                      &edits->capacity, edits->n + 1);
    if (!list) return 0;
    edits->list = list;
    list[edits->n] = (hol__edit){at, length, text, edits->n};
    edits->n++;
    return text != NULL;
}

static int by_place(const void *a, const void *b) {
    const hol__edit *p = a, *q = b;
    if (p->at != q->at) return p->at < q->at ? -1 : 1;
    return p->order - q->order;
}

void hol__edits_apply(hol__edits *edits, hol__text *out) {
    size_t at = 0;
    if (edits->n) qsort(edits->list, (size_t)edits->n, sizeof *edits->list, by_place);
    for (int i = 0; i < edits->n; i++) {
        const hol__edit *edit = &edits->list[i];
        hol__text_add_n(out, edits->text + at, edit->at - at);
        hol__text_add_n(out, edit->text, strlen(edit->text));
        at = edit->at + edit->length;
    }
    hol__text_add_n(out, edits->text + at, strlen(edits->text + at));
}
