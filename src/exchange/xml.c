/* xml.c: the tree of an XML file. */
#include "exchange/xml.h"

#include <string.h>

hol__xml *hol__xml_add(hol__arena *arena, hol__xml *parent, const char *name, hol_location where) {
    hol__xml *element = HOL__NEW(arena, hol__xml);
    if (!element) return NULL;
    element->name = hol__arena_text(arena, name);
    element->text = "";
    element->where = where;
    if (parent) hol__xml_append(parent, element);
    return element->name ? element : NULL;
}

void hol__xml_append(hol__xml *parent, hol__xml *element) {
    element->parent = parent;
    if (parent->last)
        parent->last->next = element;
    else
        parent->first = element;
    parent->last = element;
}

/* The first of that name from an element on, which becomes used. */
static hol__xml *from(hol__xml *element, const char *name) {
    while (element && strcmp(element->name, name) != 0) element = element->next;
    if (element) element->used = 1;
    return element;
}

hol__xml *hol__xml_child(const hol__xml *element, const char *name) {
    return element ? from(element->first, name) : NULL;
}

hol__xml *hol__xml_next(const hol__xml *element) {
    return from(element->next, element->name);
}

hol__xml_attribute *hol__xml_find(const hol__xml *element, const char *name) {
    for (; element; element = element->given)
        for (hol__xml_attribute *a = element->attributes; a; a = a->next)
            if (strcmp(a->name, name) == 0) return a;
    return NULL;
}

const char *hol__xml_value(const hol__xml *element, const char *name) {
    hol__xml_attribute *a = hol__xml_find(element, name);
    if (a) a->used = 1;
    return a ? a->value : NULL;
}

/* The attribute that names an element: of itself alone. */
static const char *name_of(const hol__xml *element) {
    for (const hol__xml_attribute *a = element->attributes; a; a = a->next)
        if (strcmp(a->name, "name") == 0) return a->value;
    return NULL;
}

const char *hol__xml_title(hol__arena *arena, const hol__xml *element) {
    const char *name = name_of(element);
    const hol__xml *holder = element->parent;
    while (!name && holder && !name_of(holder)) holder = holder->parent;
    const char *title = name ? hol__arena_format(arena, "%s '%s'", element->name, name)
                        : holder && holder->parent
                            ? hol__arena_format(arena, "%s of %s '%s'", element->name, holder->name,
                                                name_of(holder))
                            : element->name;
    return title ? title : element->name;
}

void hol__xml_cover(hol__xml *element) {
    element->used = 1;
    for (hol__xml_attribute *a = element->attributes; a; a = a->next) a->used = 1;
    for (hol__xml *child = element->first; child; child = child->next) hol__xml_cover(child);
}
