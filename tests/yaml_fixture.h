/* yaml_fixture.h: shared by the tests of model files: reading texts, and files in a folder of their
 * own. */
#ifndef HOL_TESTS_YAML_FIXTURE_H
#define HOL_TESTS_YAML_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tree.h"
#include "io/yaml.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "holonom-yaml-XXXXXX";

/* Start again with an empty description and no messages. */
static inline void again(fixture *f) {
    hol_spec_free(f->spec);
    hol_message_clear(f->ctx);
    f->spec = hol_spec_new(f->ctx);
}

/* Read text that must be right. */
static inline void read_good(fixture *f, const char *text) {
    again(f);
    const hol_status status = hol_spec_read_text(f->spec, text, "model.yaml");
    if (status) print_error("%s\n", hol_message_get(f->ctx, 0)->text);
    assert_int_equal(status, HOL_OK);
    assert_int_equal(hol_message_count(f->ctx), 0);
    assert_int_equal(f->spec->failed, 0);
}

/* A file of that name in the folder of the tests. */
static inline char *put_file(const char *name, const char *text, size_t n) {
    static char path[4][256];
    static int at;
    char *p = path[at++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", dir, name);
    FILE *file = fopen(p, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n, file), n);
    fclose(file);
    return p;
}

static inline char *put_text(const char *name, const char *text) {
    return put_file(name, text, strlen(text));
}

/* Remove the folder of the tests with all its files. */
static inline void remove_all(void) {
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    if (system(command)) print_error("cannot remove %s\n", dir);
}

#endif
