/* yaml_with_fyaml.c: the text of a model file as a tree, by libfyaml's events.
 *
 * The events of the parser arrive in the order of the file; a stack holds the maps and lists that
 * are open. In a map the first scalar is kept as the key and the next node is its value. Places are
 * those of the first character of a text, inside its quotes, so that a column within an expression
 * can be added to it.
 *
 * Invariants, whatever the input:
 * - no more than HOL__YAML_NODES nodes and HOL__YAML_DEPTH levels, also through aliases, which are
 *   written out;
 * - an anchor is known only when its node is complete, so that no tree contains itself;
 * - libfyaml prints nothing: its errors are collected and become messages.
 */
#include "common/utf8.h"
#include "io/yaml.h"
#include "model/plain.h"

#include <libfyaml.h>

#include <string.h>

typedef struct anchor {
    const char *name;
    hol__node *node;
} anchor;

typedef struct reader {
    hol_spec *spec;
    const char *text, *file;
    const hol__yaml_kind *kind;
    size_t length;
    int *n_nodes;
    hol__node *root;
    hol__node *open[HOL__YAML_DEPTH];
    int depth;
    const char *key; /* of the next value in a map; NULL while a key is due */
    hol_location key_at;
    anchor anchors[HOL__YAML_ANCHORS];
    int n_anchors;
    int documents;
    int ended;    /* the whole stream was read */
    int messages; /* errors reported so far */
    int stop;     /* reading on makes no sense */
} reader;

/* ---- messages ---- */

/* Whether one more error may be shown; counts it. */
static int may_report(reader *r, const hol_location *where) {
    if (r->messages++ < HOL__YAML_MESSAGES) return 1;
    if (r->messages == HOL__YAML_MESSAGES + 1)
        hol__error(r->spec->ctx, where, NULL, "further errors of this file are not shown");
    return 0;
}

/* Report an error at a place and stop reading. */
#define STOP(r, where, ...)                                                                        \
    do {                                                                                           \
        if (may_report((r), (where))) hol__error((r)->spec->ctx, (where), NULL, __VA_ARGS__);      \
        (r)->stop = 1;                                                                             \
    } while (0)

/* The place of an event; line 0 where it has none. */
static hol_location event_place(const reader *r, struct fy_event *event) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    hol_location where = {r->file, 0, 0};
    if (!mark) return where;
    where.line = mark->line + 1;
    where.column = mark->column + 1;
    struct fy_token *token = fy_event_get_token(event);
    if (event->type == FYET_ALIAS && where.column > 1) where.column--;
    const enum fy_scalar_style style =
        event->type == FYET_SCALAR && token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    /* a block text starts behind its indentation */
    if (style == FYSS_LITERAL || style == FYSS_FOLDED)
        for (size_t at = mark->input_pos; at < r->length && r->text[at] == ' '; at++)
            where.column++;
    return where;
}

/* The first line up to `last` that is indented with a tab; 0 when there is none. */
static int tab_line(const reader *r, int last) {
    int line = 1, indent = 1;
    for (size_t i = 0; i < r->length && line <= last; i++) {
        const char ch = r->text[i];
        if (ch == '\t' && indent) return line;
        if (ch == '\n') line++;
        indent = ch == '\n' || (indent && ch == ' ');
    }
    return 0;
}

/* What is known of an error at a line: the text ends there, or something was opened and not closed
 * before it. */
static const char *guess(const reader *r, int line, const char *words) {
    int lines = 1;
    for (size_t i = 0; i < r->length; i++) lines += r->text[i] == '\n' && i + 1 < r->length;
    if (line >= lines) return "; the file ends here: is the rest of it missing, or a bracket open?";
    return strstr(words, "flow") ? "; is a { or [ in a line before not closed?" : "";
}

/* The errors that libfyaml collected, as messages. */
static void report_syntax(reader *r, struct fy_diag *diag) {
    void *at = NULL;
    for (const struct fy_diag_error *error; (error = fy_diag_errors_iterate(diag, &at));) {
        const hol_location where = {r->file, error->line > 0 ? error->line : 0,
                                    error->column > 0 ? error->column : 1};
        const int tab = tab_line(r, where.line + 1);
        if (!may_report(r, &where)) continue;
        if (tab)
            hol__error(r->spec->ctx, &where, NULL,
                       "%s (line %d is indented with a tab; YAML wants spaces)", error->msg, tab);
        else
            hol__error(r->spec->ctx, &where, NULL, "%s%s", error->msg,
                       guess(r, where.line, error->msg));
    }
    const hol_location where = {r->file, 0, 0};
    if (!r->messages && may_report(r, &where))
        hol__error(r->spec->ctx, &where, NULL, "this cannot be read as YAML");
}

/* ---- the tree ---- */

/* A new node under what is open, with the key that is waiting; NULL after an error. */
static hol__node *new_node(reader *r, hol__node_kind kind, const char *text, hol_location where) {
    hol__node *parent = r->depth ? r->open[r->depth - 1] : NULL;
    if (++*r->n_nodes > HOL__YAML_NODES) {
        STOP(r, &where, "the description has more than %d values", HOL__YAML_NODES);
        return NULL;
    }
    const char *key = parent && parent->kind == HOL__MAP ? r->key : NULL;
    hol__node *node = text ? hol__node_add_scalar(r->spec, parent, key, text)
                           : hol__node_add(r->spec, parent, key, kind);
    if (!node) {
        r->stop = 1;
        return NULL;
    }
    node->kind = kind;
    if (key) node->key_at = r->key_at;
    node->where = where.line ? where : key ? r->key_at : parent ? parent->where : where;
    r->key = NULL;
    if (!parent) r->root = node;
    return node;
}

/* Open a map or list. */
static void push(reader *r, hol__node *node) {
    if (!node) return;
    if (r->depth == HOL__YAML_DEPTH)
        STOP(r, &node->where, "maps and lists lie more than %d deep in each other",
             HOL__YAML_DEPTH);
    else
        r->open[r->depth++] = node;
}

/* Every key of a map that was there before is an error which names both places. */
static void check_duplicates(reader *r, const hol__node *map) {
    hol__node **sorted = map->count > 1 ? hol__node_sorted(map) : NULL;
    if (map->count > 1 && !sorted) r->stop = 1;
    for (int i = 1, first = 0; sorted && i < map->count; i++) {
        if (strcmp(sorted[first]->key, sorted[i]->key) != 0) {
            first = i;
            continue;
        }
        const hol_location *at = &sorted[first]->key_at;
        if (may_report(r, &sorted[i]->key_at))
            hol__error(r->spec->ctx, &sorted[i]->key_at, NULL,
                       "the key '%s' is given twice in the same map; first at %s:%d:%d",
                       sorted[i]->key, at->file, at->line, at->column);
    }
    hol__release(r->spec->ctx, sorted);
}

/* Close the innermost map or list. */
static void pop(reader *r) {
    const hol__node *node = r->open[--r->depth];
    if (node->kind == HOL__MAP) check_duplicates(r, node);
}

/* A copy of the tree at node under parent; 0 after an error. */
static int copy_children(reader *r, const hol__node *node, hol__node *copy, int depth,
                         const hol_location *alias) {
    if (node->first && depth >= HOL__YAML_DEPTH)
        STOP(r, alias, "maps and lists lie more than %d deep in each other", HOL__YAML_DEPTH);
    for (const hol__node *child = node->first; child && !r->stop; child = child->next) {
        if (++*r->n_nodes > HOL__YAML_NODES) {
            STOP(r, alias, "with its aliases written out the description has more than %d values",
                 HOL__YAML_NODES);
            break;
        }
        hol__node *twin = hol__node_add(r->spec, copy, child->key, child->kind);
        if (!twin) {
            r->stop = 1;
            break;
        }
        twin->text = child->text;
        twin->quoted = child->quoted;
        twin->where = child->where;
        twin->key_at = child->key_at;
        if (!copy_children(r, child, twin, depth + 1, alias)) break;
    }
    return !r->stop;
}

/* ---- events ---- */

/* Remember the node under the anchor of the event, if it has one. */
static void take_anchor(reader *r, struct fy_event *event, hol__node *node) {
    struct fy_token *token = fy_event_get_anchor_token(event);
    size_t n = 0;
    const char *name = token && node ? fy_token_get_text(token, &n) : NULL;
    if (!name) return;
    if (r->n_anchors == HOL__YAML_ANCHORS) {
        STOP(r, &node->where, "the file has more than %d anchors", HOL__YAML_ANCHORS);
        return;
    }
    const char *own = hol__arena_text_n(&r->spec->arena, name, n);
    if (!own) r->stop = 1;
    r->anchors[r->n_anchors++] = (anchor){own, node};
}

/* Tags have no meaning in a model file. */
static void refuse_tag(reader *r, struct fy_event *event, const hol_location *where) {
    struct fy_token *token = fy_event_get_tag_token(event);
    if (!token) return;
    const struct fy_mark *mark = fy_token_start_mark(token);
    const hol_location at =
        mark ? (hol_location){r->file, mark->line + 1, mark->column + 1} : *where;
    size_t n = 0;
    const char *text = fy_token_get_text(token, &n);
    if (may_report(r, &at))
        hol__error(r->spec->ctx, &at, NULL, "tags are not used in a %s; leave '%.*s' out",
                   r->kind->name, text ? (int)(n < 64 ? n : 64) : 1, text ? text : "!");
}

/* Whether the next node is a key. */
static int key_is_due(const reader *r) {
    return r->depth && r->open[r->depth - 1]->kind == HOL__MAP && !r->key;
}

/* The column of the first character of a block text that is no space or line end; 0 when it has
 * none. */
static int block_column(const reader *r, struct fy_token *token) {
    const struct fy_mark *start = fy_token_start_mark(token), *end = fy_token_end_mark(token);
    int column = 1;
    for (size_t at = start->input_pos; at < end->input_pos && at < r->length; at++) {
        const char ch = r->text[at];
        if (ch != ' ' && ch != '\n' && ch != '\r') return column;
        column = ch == ' ' ? column + 1 : 1;
    }
    return 0;
}

/* Whether a text by lines (| or >) is indented more than what holds it. libfyaml 0.7.12 takes the
 * lines that follow an empty one for its text, and then tells a wrong length; so both are checked
 * here. */
static int check_block(reader *r, struct fy_token *token, const hol_location *where) {
    if (fy_token_scalar_style(token) != FYSS_LITERAL && fy_token_scalar_style(token) != FYSS_FOLDED)
        return 1;
    const int column = block_column(r, token),
              least = r->depth ? r->open[r->depth - 1]->where.column : 0;
    size_t n = 0;
    struct fy_token_iter *iter = fy_token_iter_create(token);
    while (iter && fy_token_iter_getc(iter) >= 0) n++;
    fy_token_iter_destroy(iter);
    if (iter && n == fy_token_get_text_length(token) && (column == 0 || column > least)) return 1;
    STOP(r, where,
         "the lines of a text (| or >) must be indented more than its key, and there must be some");
    return 0;
}

/* The text of a scalar as a C string in the arena; "" for none, NULL after an error. */
static const char *scalar_text(reader *r, struct fy_token *token, const hol_location *where) {
    size_t n = 0;
    if (token && !check_block(r, token, where)) return NULL;
    const char *text = token ? fy_token_get_text(token, &n) : "";
    if (!text || memchr(text, '\0', n)) {
        STOP(r, where, text ? "this text holds the character \\0" : "this text cannot be read");
        return NULL;
    }
    const char *own = hol__arena_text_n(&r->spec->arena, text, n);
    if (!own) r->stop = 1;
    return own;
}

/* Whether a node is a number that was written without quotes and a point. */
static int is_number(const hol__node *node) {
    return node && node->key && node->kind == HOL__SCALAR && !node->quoted &&
           hol__plain_kind_of(node->text) == HOL__PLAIN_NUMBER && !strchr(node->text, '.');
}

/* Keep the scalar as the key of the next value; it must be a text. */
static void take_key(reader *r, struct fy_event *event, const char *text, int quoted,
                     hol_location where) {
    static const char *const kinds[] = {"a text", "nothing", "true or false", "a number"};
    const hol__plain_kind kind = quoted ? HOL__PLAIN_TEXT : hol__plain_kind_of(text);
    const hol__node *map = r->open[r->depth - 1];
    if (!where.line) where = map->last ? map->last->where : map->where;
    if (fy_event_get_anchor_token(event))
        STOP(r, &where, "an anchor on a key is not supported; put it before the value");
    else if (strlen(text) > HOL__KEY_LENGTH)
        STOP(r, &where, "a key has more than %d bytes: '%.40s…'", HOL__KEY_LENGTH, text);
    else if (!*text)
        STOP(r, &where, "a key is missing here");
    else if (kind == HOL__PLAIN_NUMBER && is_number(map->last) &&
             map->last->where.line == where.line && may_report(r, &where))
        hol__error(r->spec->ctx, &where, NULL,
                   "a comma ends the value; a decimal number has a point: '%s: %s.%s'",
                   map->last->key, map->last->text, text);
    else if (kind != HOL__PLAIN_TEXT && may_report(r, &where))
        hol__error(r->spec->ctx, &where, NULL,
                   "the key %s is %s, but keys are names; write \"%s\" if it is a name", text,
                   kinds[kind], text);
    else if (!quoted && strcmp(text, "<<") == 0 && may_report(r, &where))
        hol__error(
            r->spec->ctx, &where, NULL,
            "merge keys (<<) are not part of YAML 1.2; write the keys out, or use `include`");
    r->key = text;
    r->key_at = where;
}

/* A scalar: a key where one is due, else a value. */
static void take_scalar(reader *r, struct fy_event *event, hol_location where) {
    struct fy_token *token = event->scalar.value;
    const char *text = scalar_text(r, token, &where);
    const int quoted = token && fy_token_scalar_style(token) != FYSS_PLAIN;
    if (!text) return;
    if (key_is_due(r)) {
        take_key(r, event, text, quoted, where);
        return;
    }
    const int nothing = !quoted && hol__plain_kind_of(text) == HOL__PLAIN_NULL;
    hol__node *node = new_node(r, nothing ? HOL__NULL : HOL__SCALAR, NULL, where);
    if (!node) return;
    if (!nothing) node->text = text;
    node->quoted = quoted;
    take_anchor(r, event, node);
}

/* An alias: a copy of what its anchor stands for, with the places of the original. */
static void take_alias(reader *r, struct fy_event *event, hol_location where) {
    size_t n = 0;
    const char *name = event->alias.anchor ? fy_token_get_text(event->alias.anchor, &n) : NULL;
    const anchor *found = NULL;
    for (int i = r->n_anchors - 1; name && i >= 0 && !found; i--)
        if (strlen(r->anchors[i].name) == n && memcmp(r->anchors[i].name, name, n) == 0)
            found = &r->anchors[i];
    if (key_is_due(r))
        STOP(r, &where, "an alias cannot be a key");
    else if (!found)
        STOP(r, &where, "there is no anchor '&%.*s' before this alias", (int)(n < 64 ? n : 64),
             name ? name : "");
    if (r->stop) return;
    for (int i = 0; i < r->depth; i++)
        if (r->open[i] == found->node)
            STOP(r, &where, "the alias '*%s' lies inside of what it stands for", found->name);
    hol__node *node = r->stop ? NULL : new_node(r, found->node->kind, NULL, found->node->where);
    if (!node) return;
    node->text = found->node->text;
    node->quoted = found->node->quoted;
    copy_children(r, found->node, node, r->depth, &where);
}

/* The start of a map or list. */
static void take_start(reader *r, struct fy_event *event, hol__node_kind kind, hol_location where) {
    if (key_is_due(r)) {
        STOP(r, &where, "%s cannot be a key; keys are names",
             kind == HOL__MAP ? "a map" : "a list");
        return;
    }
    if (!r->depth && kind == HOL__LIST) {
        STOP(r, &where, "a %s is a map with keys such as '%s:', but this is a list", r->kind->name,
             r->kind->key);
        return;
    }
    hol__node *node = new_node(r, kind, NULL, where);
    push(r, node);
    take_anchor(r, event, node);
}

/* One event of the parser. */
static void take_event(reader *r, struct fy_event *event) {
    const hol_location where = event_place(r, event);
    if (r->documents > 1 && where.line) {
        STOP(r, &where, "a second document starts here; a %s holds one", r->kind->name);
        return;
    }
    refuse_tag(r, event, &where);
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++r->documents > 1 && where.line)
            STOP(r, &where, "a second document starts here; a %s holds one", r->kind->name);
        break;
    case FYET_SCALAR: take_scalar(r, event, where); break;
    case FYET_ALIAS: take_alias(r, event, where); break;
    case FYET_MAPPING_START: take_start(r, event, HOL__MAP, where); break;
    case FYET_SEQUENCE_START: take_start(r, event, HOL__LIST, where); break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: pop(r); break;
    case FYET_STREAM_END: r->ended = 1; break;
    default: break;
    }
}

/* The root must be a map. */
static void check_root(reader *r) {
    hol_location where = {r->file, 0, 0};
    if (r->messages || r->stop || (r->root && r->root->kind == HOL__MAP)) return;
    if (!r->root || r->root->kind == HOL__NULL)
        STOP(r, &where, "the file is empty; a %s is a map with keys such as '%s:'", r->kind->name,
             r->kind->key);
    else
        STOP(r, &r->root->where, "a %s is a map with keys such as '%s:', but this is %s",
             r->kind->name, r->kind->key, hol__node_kind_name(r->root));
}

/* Whether no line has an explicit key ("? key") with a tab behind it, on which libfyaml 0.7.12
 * crashes. */
static int check_explicit_keys(reader *r) {
    hol_location where = {r->file, 1, 1}, mark = where;
    int found = 0;
    char before = ' ';
    for (size_t i = 0; i < r->length; i++) {
        const char ch = r->text[i], after = i + 1 < r->length ? r->text[i + 1] : ' ';
        if (ch == '\t' && found) {
            STOP(r, &mark,
                 "keys with a question mark are not read where tabs follow; write 'key: value'");
            return 0;
        }
        if (ch == '?' && strchr(" \t[{,", before) && strchr(" \t\r\n", after) && !found)
            found = 1, mark = where;
        before = ch;
        where.column += hol__utf8_begins(ch); /* characters, not bytes */
        if (ch == '\n') where = (hol_location){r->file, where.line + 1, 1}, found = 0, before = ' ';
    }
    return 1;
}

/* Run the parser over the text. */
static void read_events(reader *r, struct fy_parser *parser, struct fy_diag *diag) {
    if (!check_explicit_keys(r)) return;
    if (fy_parser_set_string(parser, r->text, r->length)) {
        report_syntax(r, diag);
        return;
    }
    for (struct fy_event *event; !r->stop && (event = fy_parser_parse(parser));) {
        take_event(r, event);
        fy_parser_event_free(parser, event);
    }
    if (!r->stop && (!r->ended || fy_parser_get_stream_error(parser))) report_syntax(r, diag);
    check_root(r);
}

hol__node *hol__yaml_parse(hol_spec *spec, const char *text, size_t length, const char *file,
                           const hol__yaml_kind *kind, int *n_nodes) {
    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL;
    diag_cfg.output_fn = NULL;
    diag_cfg.colorize = false;
    diag_cfg.level = FYET_ERROR;
    reader *r = hol__alloc(spec->ctx, 1, sizeof *r);
    struct fy_diag *diag = r ? fy_diag_create(&diag_cfg) : NULL;
    if (diag) fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                              FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE,
                                     .diag = diag};
    struct fy_parser *parser = diag ? fy_parser_create(&cfg) : NULL;
    hol__node *root = NULL;
    if (parser) {
        *r = (reader){.spec = spec,
                      .text = text,
                      .file = file,
                      .kind = kind,
                      .length = length,
                      .n_nodes = n_nodes};
        read_events(r, parser, diag);
        if (!r->messages && !r->stop) root = r->root;
    } else if (r)
        hol__report(spec->ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                    "out of memory in the YAML parser");
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    hol__release(spec->ctx, r);
    return root;
}
