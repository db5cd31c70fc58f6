/* notes.c: the list of what an import changed or left out. Every element and attribute that no
 * reader has used gets a row here, whatever it is. */
#include "exchange/import.h"

#include "common/format.h"
#include "common/utf8.h"

#include <stdarg.h>
#include <string.h>

/* A copy in which what could end a line or drive a terminal is a question mark. */
static const char *plain(hol_import *im, const char *text) {
    char *copy = text ? hol__arena_text(&im->arena, text) : NULL;
    for (char *s = copy, *end = copy ? copy + strlen(copy) : NULL; s < end;) {
        unsigned code = 0;
        const int n = hol__utf8_decode(s, end, &code);
        if (n > 0 && code >= 0x20 && hol__utf8_printable(code) && code != 0x2028 &&
            code != 0x2029 && code != 0xFEFF)
            s += n;
        else
            *s++ = '?';
    }
    return copy;
}

/* Add a row. */
static void add(hol_import *im, hol_import_kind kind, hol_location where, const char *element,
                const char *text) {
    hol_import_note *grown = hol__arena_grow(&im->arena, im->notes, sizeof *grown, im->n_notes,
                                             &im->room, im->n_notes + 1);
    text = plain(im, text), element = plain(im, element);
    if (!grown || !text || !element) return;
    im->notes = grown;
    grown[im->n_notes++] = (hol_import_note){sizeof *grown, kind, where, element, text};
}

/* A formatted text in the arena. */
static const char *formatted(hol_import *im, const char *format, va_list args) {
    char buf[1024];
    hol__vprint(buf, sizeof buf, format, args);
    return hol__arena_text(&im->arena, buf);
}

void hol__note_at(hol_import *im, hol_import_kind kind, hol_location where, const char *element,
                  const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = formatted(im, format, args);
    va_end(args);
    add(im, kind, where, element, text);
}

void hol__note(hol_import *im, hol_import_kind kind, const hol__xml *element, const char *attribute,
               const char *format, ...) {
    const hol__xml_attribute *a = attribute ? hol__xml_find(element, attribute) : NULL;
    const char *title = hol__xml_title(&im->arena, element);
    va_list args;
    va_start(args, format);
    const char *text = formatted(im, format, args);
    va_end(args);
    if (attribute) title = hol__arena_format(&im->arena, "%s: %s", title, attribute);
    add(im, kind, a ? a->where : element->where, title, text);
}

/* ---- what nobody used ---- */

/* The row of the table for an element or its attribute. */
static const hol__known *find_known(const hol__known *table, const char *element,
                                    const char *attribute) {
    for (const hol__known *row = table; row->element; row++) {
        if (!row->attribute != !attribute) continue;
        if (attribute && strcmp(row->attribute, attribute) != 0) continue;
        if (strcmp(row->element, "*") == 0 || strcmp(row->element, element) == 0) return row;
    }
    return NULL;
}

/* The elements and attributes below an element. */
static void count_inside(const hol__xml *element, int *elements, int *attributes) {
    for (const hol__xml_attribute *a = element->attributes; a; a = a->next) ++*attributes;
    for (const hol__xml *child = element->first; child; child = child->next) {
        ++*elements;
        count_inside(child, elements, attributes);
    }
}

/* The row of an element with all that is in it. */
static void note_element(hol_import *im, const hol__xml *element, const hol__known *table) {
    const hol__known *known = find_known(table, element->name, NULL);
    int elements = 0, attributes = 0;
    count_inside(element, &elements, &attributes);
    const char *words = known ? known->text
                        : strncmp(element->name, "xacro:", 6) == 0
                            ? "a macro that xacro did not expand"
                            : "not known to this program";
    hol__note(im, known ? known->kind : HOL_IMPORT_UNKNOWN, element, NULL,
              elements ? "%s (with %d element%s and %d attribute%s inside)" : "%s", words, elements,
              elements == 1 ? "" : "s", attributes, attributes == 1 ? "" : "s");
}

void hol__note_unused(hol_import *im, hol__xml *element, const hol__known *table) {
    if (!element->used) {
        note_element(im, element, table);
        return;
    }
    for (const hol__xml_attribute *a = element->attributes; a; a = a->next) {
        if (a->used) continue;
        const hol__known *known = find_known(table, element->name, a->name);
        hol__note(im, known ? known->kind : HOL_IMPORT_UNKNOWN, element, a->name, "%s%s%s%s",
                  known ? known->text : "not known to this program", " (it is '",
                  strlen(a->value) < 40 ? a->value : "…", "')");
    }
    for (hol__xml *child = element->first; child; child = child->next)
        hol__note_unused(im, child, table);
}

/* ---- public ---- */

const char *hol_import_kind_name(hol_import_kind kind) {
    static const char *const names[] = {"changed", "left out", "no effect", "unknown"};
    return kind >= HOL_IMPORT_CHANGED && kind <= HOL_IMPORT_UNKNOWN ? names[kind] : "";
}

int hol_import_note_count(const hol_import *import) {
    return import ? import->n_notes : 0;
}

const hol_import_note *hol_import_note_get(const hol_import *import, int i) {
    return import && i >= 0 && i < import->n_notes ? &import->notes[i] : NULL;
}
