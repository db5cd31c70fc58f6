/* claim_read.c: claims from files: where the files are, and what each claim says of itself.
 *
 * The claims of the program lie in `share/holonom/claims` of its installation, or in `claims` of
 * the repository that it was built in; they are sought from its own path upwards. Files that a
 * claim names are sought in the folder that its file names (default: that of the file itself).
 */
#define _XOPEN_SOURCE 700
#include "cli/claim.h"
#include "common/ascii.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

int cli_claim_error(cli_session *cli, const hol_item *item, int of_key, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hol_place_error(cli->ctx, of_key ? hol_item_key_place(item) : hol_item_place(item), text);
    return 0;
}

const char *cli_claim_text(cli_session *cli, const hol_item *map, const char *key, int wanted,
                           int *good) {
    const hol_item *item = hol_item_find(map, key);
    const char *text = hol_item_value(item);
    if (item && !text)
        *good = cli_claim_error(cli, item, 0, "%s wants a text", key);
    else if (!item && wanted)
        *good = cli_claim_error(cli, map, 1, "%s is missing in '%s'", key, hol_item_key(map));
    return text;
}

/* What tells runs apart is a map of figures wherever it stands. */
static int is_choice(cli_session *cli, const hol_item *item) {
    const char *key = hol_item_key(item);
    if (strcmp(key, "where") != 0 && strcmp(key, "against") != 0) return 1;
    return hol_item_kind_of(item) == HOL_ITEM_MAP ||
           cli_claim_error(cli, item, 0, "%s wants figures with their values, e.g. {step: 0.01}",
                           key);
}

int cli_claim_keys(cli_session *cli, const hol_item *map, const char *const *words) {
    for (const hol_item *item = hol_item_first(map); item; item = hol_item_next(item)) {
        const char *key = hol_item_key(item);
        hol__near near = hol__near_start(key);
        int known = 0;
        for (int i = 0; words[i] && !known; i++) {
            known = strcmp(words[i], key) == 0;
            hol__near_try(&near, words[i]);
        }
        if (known && !is_choice(cli, item)) return 0;
        if (known) continue;
        char hint[160];
        return cli_claim_error(cli, item, 1, "there is no key '%s' here%s", key,
                               hol__did_you_mean(near.best, hint, sizeof hint));
    }
    return 1;
}

/* ---- one claim ---- */

/* A list of texts, or NULL where there is none; clears *good where it is something else. */
static const hol_item *texts_of(cli_claims *all, const hol_item *map, const char *key, int *good) {
    const hol_item *list = hol_item_find(map, key);
    int fine = !list || hol_item_kind_of(list) == HOL_ITEM_LIST;
    for (const hol_item *i = hol_item_first(list); i; i = hol_item_next(i))
        fine &= hol_item_value(i) != NULL;
    if (!fine) *good = cli_claim_error(all->cli, list, 0, "%s wants a list, e.g. [a, b]", key);
    return list;
}

/* What a claim says of itself; 0 after errors. */
static int read_claim(cli_claims *all, const hol_item *item, const char *folder) {
    static const char *const keys[] = {"title", "source", "claim",   "also",
                                       "speed", "steps",  "answers", NULL};
    cli_session *cli = all->cli;
    int good = 1;
    if (hol_item_kind_of(item) != HOL_ITEM_MAP)
        return cli_claim_error(cli, item, 0, "a claim is a map with title, source, claim, steps");
    if (!cli_claim_keys(cli, item, keys)) return 0;
    if (cli_claims_find(all, hol_item_key(item)))
        return cli_claim_error(cli, item, 1, "there is a claim '%s' already", hol_item_key(item));
    cli_claim c = {.name = hol_item_key(item), .item = item, .folder = folder, .fast = 1};
    c.title = cli_claim_text(cli, item, "title", 1, &good);
    c.source = cli_claim_text(cli, item, "source", 1, &good);
    c.claim = cli_claim_text(cli, item, "claim", 0, &good);
    c.also = texts_of(all, item, "also", &good);
    c.answers = texts_of(all, item, "answers", &good);
    c.steps = hol_item_find(item, "steps");
    const char *speed = cli_claim_text(cli, item, "speed", 0, &good);
    if (speed && strcmp(speed, "slow") != 0 && strcmp(speed, "fast") != 0)
        good = cli_claim_error(cli, hol_item_find(item, "speed"), 0, "speed is fast or slow");
    c.fast = !speed || strcmp(speed, "fast") == 0;
    if (good && hol_item_kind_of(c.steps) != HOL_ITEM_LIST)
        good = cli_claim_error(cli, c.steps ? c.steps : item, !c.steps,
                               "steps wants a list: what is run, shown and concluded");
    cli_claim *room = cli_keep_room(&all->keep, all->items, sizeof c, all->n, &all->capacity);
    if (!room) return cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory"), 0;
    all->items = room;
    if (good) all->items[all->n++] = c;
    return good;
}

/* ---- one file ---- */

/* The folder of a path, with what the file says of it. */
static const char *folder_of(cli_claims *all, const char *path, const char *named) {
    const char *slash = strrchr(path, '/');
    const int n = slash ? (int)(slash + 1 - path) : 0;
    if (named && named[0] == '/') return named;
    return cli_keep_text(&all->keep, "%.*s%s", n ? n : 2, n ? path : "./", named ? named : "");
}

/* The claims of one file; 0 after errors. */
static int read_file(cli_claims *all, const char *path) {
    static const char *const keys[] = {"claims", "folder", NULL};
    cli_session *cli = all->cli;
    hol_document *document = hol_document_read(cli->ctx, path);
    if (!document) return 0;
    hol_document **grown = realloc(all->documents, (size_t)(all->n_documents + 1) * sizeof *grown);
    if (!grown) {
        hol_document_free(document);
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return 0;
    }
    all->documents = grown;
    all->documents[all->n_documents++] = document;
    const hol_item *root = hol_document_root(document), *list = hol_item_find(root, "claims");
    int good = cli_claim_keys(cli, root, keys);
    if (good && hol_item_kind_of(list) != HOL_ITEM_MAP)
        good = cli_claim_error(cli, list ? list : root, 0,
                               "claims wants a map of claims by their names: 'claims:', then "
                               "'  my-claim:' and its keys");
    const char *named = good ? cli_claim_text(cli, root, "folder", 0, &good) : NULL;
    const char *folder = folder_of(all, path, named);
    for (const hol_item *i = good ? hol_item_first(list) : NULL; i; i = hol_item_next(i))
        good &= read_claim(all, i, folder);
    return good && folder;
}

/* ---- the files of the program ---- */

/* Names of .yaml files. */
static int is_claims_file(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && strcmp(dot, ".yaml") == 0;
}

/* The .yaml files of a folder in the order of their names; 0 where there are none. */
static int read_folder(cli_claims *all, const char *folder, int *good) {
    struct dirent **files;
    const int n = scandir(folder, &files, is_claims_file, alphasort);
    for (int i = 0; i < n; i++) {
        const char *path = cli_keep_text(&all->keep, "%s/%s", folder, files[i]->d_name);
        *good &= path && read_file(all, path);
        free(files[i]);
    }
    if (n >= 0) free(files);
    return n > 0;
}

/* All claims of the program. */
static int read_own(cli_claims *all) {
    char path[PATH_SIZE], folder[PATH_SIZE + 32];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    int good = 1;
    path[n > 0 ? n : 0] = '\0';
    for (char *slash; (slash = strrchr(path, '/'));) {
        *slash = '\0';
        snprintf(folder, sizeof folder, "%s/share/holonom/claims", path);
        if (read_folder(all, folder, &good)) return good;
        snprintf(folder, sizeof folder, "%s/claims", path);
        if (read_folder(all, folder, &good)) return good;
    }
    cli_report(all->cli, HOL_ERROR, HOL_ERR_IO,
               "the claims that come with the program (share/holonom/claims) are not there; name a "
               "file of claims: holonom reproduce FILE.yaml");
    return 0;
}

int cli_claims_read(cli_claims *all, const char *path) {
    return path ? read_file(all, path) : read_own(all);
}

void cli_claims_free(cli_claims *all) {
    for (int i = 0; i < all->n_documents; i++) hol_document_free(all->documents[i]);
    free(all->documents);
    cli_keep_free(&all->keep);
}

const cli_claim *cli_claims_find(const cli_claims *all, const char *name) {
    for (int i = 0; i < all->n; i++) {
        const cli_claim *c = &all->items[i];
        if (hol__same_letters(c->name, name)) return c;
        for (const hol_item *a = hol_item_first(c->also); a; a = hol_item_next(a))
            if (hol__same_letters(hol_item_value(a), name)) return c;
    }
    return NULL;
}
