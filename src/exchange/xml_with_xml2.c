/* xml_with_xml2.c: XML files into a tree, by libxml2's events.
 *
 * Invariants:
 * - a document type is refused where it begins, so that there are no entities but the five of XML
 *   itself: nothing grows, and nothing is fetched;
 * - the text is UTF-8 whatever its head says, and was given whole: a byte that the parser has
 *   reached is a byte of it, from which lines and columns follow (libxml2 counts lines alone);
 * - depth and number of elements are bounded here.
 */
#include "exchange/xml.h"

#include "base/text.h"

#include "exchange/xml2_calls.h"

#include <string.h>

enum { MOST_TEXT = 1 << 20, MOST_ERRORS = 20 };

typedef struct reading {
    hol_context *ctx;
    hol__arena *arena;
    const char *text, *file;
    size_t length;
    xmlParserCtxtPtr parser;
    hol__xml *root, *open;
    hol__text characters; /* since the last tag */
    size_t at;            /* the place of this byte is … */
    hol_location here;
    size_t tag; /* the byte and the place of the last tag: attributes may come in another order */
    hol_location tag_at;
    int depth, errors, *n_elements;
} reading;

/* ---- places ---- */

/* The line and column of a byte, which mostly lies behind that of the call before. */
static hol_location place_of(reading *r, size_t byte) {
    if (byte > r->length) byte = r->length;
    if (byte < r->at && byte >= r->tag)
        r->at = r->tag, r->here = r->tag_at;
    else if (byte < r->at)
        r->at = 0, r->here = (hol_location){r->file, 1, 1};
    for (; r->at < byte; r->at++) {
        const unsigned char c = (unsigned char)r->text[r->at];
        if (c == '\n')
            r->here.line++, r->here.column = 1;
        else if ((c & 0xC0) != 0x80)
            r->here.column++;
    }
    return r->here;
}

/* The byte that the parser has reached. */
static size_t reached(const reading *r) {
    const long n = xmlByteConsumed(r->parser);
    return n < 0 ? 0 : (size_t)n < r->length ? (size_t)n : r->length;
}

/* The byte at which the tag begins that the parser is in: no attribute holds a plain '<'. */
static size_t tag_start(const reading *r) {
    size_t byte = reached(r);
    while (byte > 0 && r->text[byte < r->length ? byte : byte - 1] != '<') byte--;
    return byte;
}

/* ---- errors ---- */

/* Report an error at a byte and stop. */
static void stop(reading *r, size_t byte, const char *words) {
    const hol_location where = place_of(r, byte);
    if (r->errors++ == 0) hol__error(r->ctx, &where, NULL, "%s", words);
    xmlStopParser(r->parser);
}

/* An error of the parser; prefixes that nobody declared are common and harmless. */
static void on_error(void *user, xmlErrorPtr error) {
    reading *r = user;
    char words[400];
    if (error->domain == XML_FROM_NAMESPACE || error->level < XML_ERR_ERROR) return;
    if (r->errors++ >= MOST_ERRORS) return;
    const hol_location where = place_of(r, reached(r));
    const char *message = error->message ? error->message : "it cannot be read";
    size_t n = strcspn(message, "\n");
    if (n >= sizeof words) n = sizeof words - 1;
    memcpy(words, message, n);
    words[n] = '\0';
    hol__error(r->ctx, &where, NULL, "this is not XML as it should be: %s", words);
}

/* A document type, with which entities of one's own begin. */
static void on_doctype(void *user, const xmlChar *name, const xmlChar *id, const xmlChar *system) {
    reading *r = user;
    (void)name, (void)id, (void)system;
    stop(r, reached(r),
         "a document type (<!DOCTYPE …>) is refused: with it a file can define entities that grow "
         "without bound or read other files; take it out");
}

/* ---- content ---- */

/* The characters since the last tag belong to the open element. */
static void end_characters(reading *r) {
    hol__text *c = &r->characters;
    const char *start = c->data ? c->data : "";
    const size_t blank = strspn(start, " \t\r\n");
    if (r->open && blank < c->length) {
        hol__xml *e = r->open;
        const char *all = *e->text ? hol__arena_format(r->arena, "%s %s", e->text, start + blank)
                                   : hol__arena_text(r->arena, start + blank);
        if (*e->text && strlen(e->text) > 4096)
            stop(r, reached(r), "an element has text in too many pieces between its children");
        if (all) e->text = all;
    }
    c->length = 0;
    if (c->data) c->data[0] = '\0';
}

static void on_characters(void *user, const xmlChar *data, int n) {
    reading *r = user;
    hol__text_add_n(&r->characters, (const char *)data, n > 0 ? (size_t)n : 0);
    if (r->characters.length > MOST_TEXT)
        stop(r, reached(r), "an element holds more than a megabyte of text");
}

/* A name with its prefix. */
static const char *full_name(reading *r, const xmlChar *prefix, const xmlChar *name) {
    return prefix ? hol__arena_format(r->arena, "%s:%s", (const char *)prefix, (const char *)name)
                  : hol__arena_text(r->arena, (const char *)name);
}

/* The byte behind the name of the tag that begins at a byte. */
static size_t behind_name(const reading *r, size_t byte) {
    while (byte < r->length && !strchr(" \t\r\n>/", r->text[byte])) byte++;
    return byte;
}

/* Where the attribute stands, from the beginning of another one, or of white space, in its tag on:
 * names and values in quotes follow each other there, as the parser has seen. */
static size_t find_attribute(const reading *r, size_t byte, const char *name) {
    const char *s = r->text + byte, *end = r->text + r->length;
    const size_t n = strlen(name);
    while (s < end && *s != '>' && *s != '/') {
        s += strspn(s, " \t\r\n");
        const size_t length = strcspn(s, "= \t\r\n>/");
        if (length == n && strncmp(s, name, n) == 0) return (size_t)(s - r->text);
        s += length;
        s += strcspn(s, "\"'>");
        if (s >= end || *s == '>') break;
        const char *close = memchr(s + 1, *s, (size_t)(end - s - 1));
        if (!close) break;
        s = close + 1;
    }
    return byte;
}

/* A value with & in the place of &#38;, which is what libxml2 hands over for it. */
static char *plain_value(reading *r, const char *value, size_t n) {
    char *copy = hol__arena_text_n(r->arena, value, n), *to = copy;
    for (const char *s = copy; s && *s; s++) {
        *to++ = *s;
        if (strncmp(s, "&#38;", 5) == 0) s += 4;
    }
    if (copy) *to = '\0';
    return copy;
}

/* An attribute, which stands at or behind *cursor. */
static void add_attribute(reading *r, hol__xml *e, size_t *cursor, const char *name,
                          const char *value, size_t n) {
    hol__xml_attribute *a = HOL__NEW(r->arena, hol__xml_attribute);
    if (!a || !name) return;
    a->name = name;
    a->value = plain_value(r, value, n);
    *cursor = find_attribute(r, *cursor, name);
    a->where = place_of(r, *cursor);
    if (!a->value) return;
    if (e->last_attribute)
        e->last_attribute->next = a;
    else
        e->attributes = a;
    e->last_attribute = a;
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int n_spaces, const xmlChar **spaces, int n, int n_defaulted,
                     const xmlChar **attributes) {
    reading *r = user;
    (void)uri, (void)n_defaulted;
    end_characters(r);
    const size_t start = tag_start(r);
    if (++r->depth > HOL__XML_DEPTH) {
        stop(r, start, "elements are inside each other more than 200 deep");
        return;
    }
    if (++*r->n_elements > HOL__XML_ELEMENTS) {
        stop(r, start, "the description has more than a million elements");
        return;
    }
    const char *called = full_name(r, prefix, name);
    r->tag_at = place_of(r, start), r->tag = start;
    hol__xml *e = called ? hol__xml_add(r->arena, r->open, called, r->tag_at) : NULL;
    if (!e) {
        xmlStopParser(r->parser);
        return;
    }
    if (!r->root) r->root = e;
    r->open = e;
    size_t cursor = behind_name(r, start);
    for (int i = 0; i < n_spaces; i++)
        if (spaces[2 * i])
            add_attribute(r, e, &cursor, full_name(r, (const xmlChar *)"xmlns", spaces[2 * i]),
                          spaces[2 * i + 1] ? (const char *)spaces[2 * i + 1] : "",
                          spaces[2 * i + 1] ? strlen((const char *)spaces[2 * i + 1]) : 0);
    cursor = behind_name(r, start);
    for (int i = 0; i < n; i++) {
        const xmlChar **a = attributes + 5 * i;
        add_attribute(r, e, &cursor, full_name(r, a[1], a[0]), (const char *)a[3],
                      (size_t)(a[4] - a[3]));
    }
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    reading *r = user;
    (void)name, (void)prefix, (void)uri;
    end_characters(r);
    r->depth--;
    if (r->open) r->open = r->open->parent;
}

/* ---- a file ---- */

/* Let the parser run over the text. */
static void parse(reading *r) {
    const xmlSAXHandler events = {.initialized = XML_SAX2_MAGIC,
                                  .internalSubset = on_doctype,
                                  .startElementNs = on_start,
                                  .endElementNs = on_end,
                                  .characters = on_characters,
                                  .cdataBlock = on_characters,
                                  .serror = on_error};
    r->parser = xmlCreateMemoryParserCtxt(r->text, (int)r->length);
    if (!r->parser || !r->parser->sax) {
        hol__report(r->ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL, "no memory to read %s", r->file);
        r->errors++;
    } else {
        *r->parser->sax = events;
        r->parser->userData = r;
        xmlCtxtUseOptions(r->parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
        xmlParseDocument(r->parser);
    }
    if (r->parser) xmlFreeParserCtxt(r->parser);
}

/* The text without the declaration at its head, where that lacks the version which XML wants; NULL
 * where it has one. */
static char *without_declaration(hol_context *ctx, const char *text, size_t length) {
    const char *end = length > 6 && memcmp(text, "<?xml ", 6) == 0 ? strstr(text, "?>") : NULL;
    const char *version = end ? strstr(text, "version") : NULL;
    if (!end || (version && version < end)) return NULL;
    char *copy = hol__alloc(ctx, length + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    for (char *s = copy; s < copy + (end + 2 - text); s++)
        if (*s != '\n') *s = ' ';
    return copy;
}

hol__xml *hol__xml_parse(hol_context *ctx, hol__arena *arena, const char *text, size_t length,
                         const char *file, int *n_elements) {
    hol_location where = {file, 1, 1};
    const char *wrong = hol__xml2_load();
    if (wrong) {
        hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, &where, NULL, "libxml2 cannot be loaded: %s",
                    wrong);
        return NULL;
    }
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, length -= 3;
    if (length < 4 || length > HOL__XML_SIZE || memchr(text, 0, length)) {
        hol__error(ctx, &where, NULL,
                   length < 4               ? "the file is empty"
                   : length > HOL__XML_SIZE ? "it is larger than 64 MB, the most that is read"
                                            : "it holds bytes that are 0: save it as UTF-8 text");
        return NULL;
    }
    reading r = {.ctx = ctx,
                 .arena = arena,
                 .text = text,
                 .file = file,
                 .length = length,
                 .here = where,
                 .tag_at = where,
                 .n_elements = n_elements};
    const size_t wide = hol__xml_wide_tag(text, length);
    if (wide < length) {
        where = place_of(&r, wide);
        hol__error(ctx, &where, NULL, "an element has more than %d attributes",
                   HOL__XML_ATTRIBUTES);
        return NULL;
    }
    char *mended = without_declaration(ctx, text, length);
    if (mended) r.text = mended;
    hol__text_init(&r.characters, ctx);
    xmlInitParser();
    parse(&r);
    const int failed = r.errors || r.characters.failed || arena->failed;
    hol__text_free(&r.characters);
    hol__release(ctx, mended);
    if (!failed && !r.root) hol__error(ctx, &where, NULL, "there is no XML element in this file");
    return failed ? NULL : r.root;
}
