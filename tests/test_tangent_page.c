/* test_tangent_page.c: the table of docs/theory/tangents.md says of every primitive in the models
 * whether it has derivatives of its own, and of nothing else. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "model/model.h"

enum { MOST = 100 };

/* A type of constraint or force: what it has in the plane (0) and in space (1): 0 not met, 1
 * differences, 2 own. */
typedef struct row {
    char name[64], kind[16];
    int has[2];
    int on_page;
} row;

static row rows[MOST];
static int n_rows;

static void meet(const char *name, const char *kind, int spatial, int own) {
    int i = 0;
    while (i < n_rows && (strcmp(rows[i].name, name) != 0 || strcmp(rows[i].kind, kind) != 0)) i++;
    assert_true(i < MOST);
    if (i == n_rows) {
        snprintf(rows[n_rows].name, sizeof rows->name, "%s", name);
        snprintf(rows[n_rows++].kind, sizeof rows->kind, "%s", kind);
    }
    rows[i].has[spatial] = own ? 2 : 1;
}

static void gather(const char *file, const char *set, uint64_t *seed) {
    (void)seed;
    if (strcmp(set, "reference") != 0) return;
    hol_context *ctx = hol_context_new();
    hol_model *m = tangent_model(ctx, file, set);
    assert_non_null(m);
    for (int i = 0; i < m->n_con_batches; i++)
        if (m->con_batches[i].count)
            meet(m->con_batches[i].type->name, "constraint", m->dim == 3,
                 m->con_batches[i].type->tangent != NULL);
    for (int i = 0; i < m->n_force_batches; i++)
        meet(m->force_batches[i].type->name, "force", m->dim == 3,
             m->force_batches[i].type->tangent != NULL);
    hol_model_free(m);
    hol_context_free(ctx);
}

/* A cell of a line "| a | b | c |" without the blanks around it. */
static void cell_of(const char *line, int k, char *out, size_t size) {
    for (int i = 0; i <= k && line; i++) line = strchr(line + (i > 0), '|');
    out[0] = '\0';
    if (!line) return;
    line += 1 + strspn(line + 1, " ");
    size_t n = strcspn(line, "|\n");
    while (n && line[n - 1] == ' ') n--;
    snprintf(out, size, "%.*s", (int)n, line);
}

static void check_line(const char *line) {
    static const char *const words[] = {"-", "differences", "own"};
    char name[64], kind[64], cell[64];
    cell_of(line, 0, name, sizeof name);
    cell_of(line, 1, kind, sizeof kind);
    if (strcmp(kind, "constraint") != 0 && strcmp(kind, "force") != 0) return;
    for (int i = 0; i < n_rows; i++) {
        if (strcmp(rows[i].name, name) != 0 || strcmp(rows[i].kind, kind) != 0) continue;
        rows[i].on_page++;
        for (int k = 0; k < 2; k++) {
            cell_of(line, 2 + k, cell, sizeof cell);
            /* what no model has in one of the spaces may be said of the type all the same */
            if (rows[i].has[k] && strcmp(cell, words[rows[i].has[k]]) != 0)
                fail_msg("%s '%s' %s: the page says '%s', the type has '%s'", kind, name,
                         k ? "in space" : "in the plane", cell, words[rows[i].has[k]]);
        }
        return;
    }
    fail_msg("the page has a %s '%s', which no model has", kind, name);
}

static void test_table(void **state) {
    char line[4096];
    (void)state;
    if (!run_reads_files()) skip();
    if (!each_model(gather, 1)) skip();
    FILE *page = fopen(HOLONOM_TEST_SOURCE "/docs/theory/tangents.md", "r");
    assert_non_null(page);
    while (fgets(line, sizeof line, page))
        if (line[0] == '|') check_line(line);
    fclose(page);
    assert_true(n_rows > 20);
    for (int i = 0; i < n_rows; i++)
        if (rows[i].on_page != 1)
            fail_msg("%s '%s' stands %d times in the table", rows[i].kind, rows[i].name,
                     rows[i].on_page);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
