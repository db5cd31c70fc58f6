/* field_laws.c: the laws among the parameters of an element. */
#include "model/fields.h"

static int visit_some(const hol__key *key, const hol__law *laws, int n, hol__law_visit *visit,
                      void *user) {
    for (int i = 0; i < n; i++)
        if (laws[i].e && visit(user, key, &laws[i])) return 1;
    return 0;
}

/* Parameters within parameters. */
static int visit_list(const hol__param_list *list, hol__law_visit *visit, void *user) {
    for (int i = 0; i < list->n; i++)
        if (hol__params_laws(list->items[i], visit, user)) return 1;
    return 0;
}

static int visit_field(const hol__key *key, const void *value, hol__law_visit *visit, void *user) {
    if (key->flags & HOL__AS_TEXT) return 0; /* the element compiles it itself */
    switch (key->kind) {
    case HOL__KEY_LAW:
    case HOL__KEY_TIME_LAW: return visit_some(key, value, 1, visit, user);
    case HOL__KEY_LAWS:
    case HOL__KEY_TURN: return visit_some(key, value, 3, visit, user);
    case HOL__KEY_DRIVES: return visit_some(key, ((const hol__drives *)value)->law, 6, visit, user);
    default: return key->group ? visit_list(value, visit, user) : 0;
    }
}

int hol__params_laws(const hol__params *params, hol__law_visit *visit, void *user) {
    for (const hol__key *key = params ? params->keys : NULL; key && key->name; key++)
        if (key->size && visit_field(key, (const char *)params + key->offset, visit, user))
            return 1;
    return 0;
}
