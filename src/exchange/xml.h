/* xml.h: an XML file as a tree of elements with places, and reading of attributes that marks what
 * was used, so that everything else can be listed. */
#ifndef HOL_EXCHANGE_XML_H
#define HOL_EXCHANGE_XML_H

#include "base/name_tree.h"

enum {
    HOL__XML_SIZE = 64 << 20,    /* bytes of one file */
    HOL__XML_ELEMENTS = 1000000, /* of one description, includes counted */
    HOL__XML_DEPTH = 200,        /* elements inside each other */
    HOL__XML_ATTRIBUTES = 200,   /* of one element: parsers compare each with all */
    HOL__XML_INCLUDES = 16       /* files that include each other in a row */
};

typedef struct hol__xml_attribute {
    struct hol__xml_attribute *next;
    const char *name, *value;
    hol_location where;
    int used;
} hol__xml_attribute;

typedef struct hol__xml {
    const char *name;
    const char *text; /* the characters inside, "" where there are none */
    hol_location where;
    hol__xml_attribute *attributes, *last_attribute;
    struct hol__xml *parent, *first, *last, *next;
    int used;
    hol__name_tree entries;       /* children by name, where a reader has made it */
    const struct hol__xml *given; /* what stands in for missing attributes: MJCF defaults */
} hol__xml;

/* Parse the text of a file into a tree in the arena; file lives as long as that. *n_elements counts
 * those of the whole description. NULL after errors, which are reported. DTDs, and with them
 * entities of one's own and external ones, are refused. */
hol__xml *hol__xml_parse(hol_context *ctx, hol__arena *arena, const char *text, size_t length,
                         const char *file, int *n_elements);

/* The byte of the first tag with more than HOL__XML_ATTRIBUTES attributes; length: none. */
size_t hol__xml_wide_tag(const char *text, size_t length);

/* A child below a parent, made by hand; NULL without memory. */
hol__xml *hol__xml_add(hol__arena *arena, hol__xml *parent, const char *name, hol_location where);

/* Put an element behind the children of another one. */
void hol__xml_append(hol__xml *parent, hol__xml *element);

/* The first child of that name, and the next sibling of the same name; both become used. NULL:
 * none. */
hol__xml *hol__xml_child(const hol__xml *element, const char *name);
hol__xml *hol__xml_next(const hol__xml *element);

/* The attribute of that name, or NULL, without marking it; and its value, marked as used. */
hol__xml_attribute *hol__xml_find(const hol__xml *element, const char *name);
const char *hol__xml_value(const hol__xml *element, const char *name);

/* Mark an element with all in it as used: one row of the list speaks for all of it. */
void hol__xml_cover(hol__xml *element);

/* "link 'arm'", or "origin of link 'arm'": what an element is called in messages. */
const char *hol__xml_title(hol__arena *arena, const hol__xml *element);

#endif
