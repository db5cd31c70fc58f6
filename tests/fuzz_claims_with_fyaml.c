/* fuzz_claims_with_fyaml.c: claims of `holonom reproduce`, and YAML read as a document.
 *
 * The first byte chooses: the rest is the text of a document, or the rest are choices by which the
 * tree of a claims file with every kind of step is changed: values, keys, parts of it in other
 * places. Commands are not run: what they would have printed and written is chosen, too, whole,
 * damaged or not at all. Checked: no crash; a failure has a message; the items of a document are as
 * many as it says, with places; nothing is left in the folder for files that are not kept.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/claim.h"
#include "common/program.h"
#include "fuzz_tree.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { FUZZ_LENGTH = 1024 }; /* for a document as text; choices take less */
enum { MOST_EDITS = 6, MOST_CLAIMS = 3 };

static const char whole[] =
    "claims:\n"
    "  try:\n"
    "    title: A try\n"
    "    source: nowhere, (5.37)\n"
    "    claim: It swings.\n"
    "    speed: fast\n"
    "    also: [other, name]\n"
    "    answers: [one]\n"
    "    steps:\n"
    "    - say: 'Beside `x 1.5`, table 5.1 and {=2.385} it runs:'\n"
    "    - compare: pendulum.yaml\n"
    "      as: two\n"
    "      integrator: rk4\n"
    "      vary: {step: [0.02, 0.01]}\n"
    "      methods: [lagrange, baumgarte]\n"
    "      plot: two.svg\n"
    "    - run: pendulum.yaml\n"
    "      as: one\n"
    "      set: {lift: 21 deg, output: 0.05}\n"
    "      output: swing.csv\n"
    "    - run: pendulum.yaml\n"
    "      each: {m: [lagrange, dae]}\n"
    "      method: '{m}'\n"
    "      as: each\n"
    "    - instructions: pendulum.yaml\n"
    "      as: costs\n"
    "      from: 1\n"
    "      to: 1.2\n"
    "      step: 1e-3\n"
    "    - values:\n"
    "        error: {of: two, figure: error, where: {method: baumgarte, step: 1e-2}}\n"
    "        order: {of: two, figure: error, where: {method: lagrange}, over: step, take: order}\n"
    "        ratio: {of: two, figure: steps, where: {step: 0.01}, against: {step: 0.02}, take: "
    "sum}\n"
    "        last: {of: swing.csv, column: swing - 0.1*t, take: last}\n"
    "        at: {of: swing.csv, column: swing, at: 0.05}\n"
    "        zero: {of: swing.csv, column: swing, minus: swing.csv, take: largest}\n"
    "        cost: {of: costs, figure: per_step}\n"
    "        next: order + 2*ratio\n"
    "    - table: two\n"
    "      columns: {method: method, error: 'error:.1e', how: outcome}\n"
    "      where: {step: 0.01}\n"
    "    - table:\n"
    "      - {a: '{error}', b: '{order:.2f}'}\n"
    "    - across: two\n"
    "      rows: method\n"
    "      columns: step\n"
    "      cell: error:.0e\n"
    "    - data: chart.csv\n"
    "      over: step\n"
    "      columns: {l: {of: two, figure: error, where: {method: lagrange}}}\n"
    "    - picture: two.svg\n"
    "      text: Errors\n"
    "    - source: elsewhere\n"
    "    - claim: It swings more.\n"
    "    - verdict: error > 0 and order < 9\n"
    "      holds: Yes, {error} and {order:.1f}, {zero:d}.\n"
    "      differs: No.\n";

static const char *const values[] = {"",
                                     "0",
                                     "-1",
                                     "1e308",
                                     "nan",
                                     "{error}",
                                     "{",
                                     "{}",
                                     "{x:.99f",
                                     "{=}",
                                     "{error:d}",
                                     "{m}",
                                     "two",
                                     "each",
                                     "one",
                                     "costs",
                                     "error",
                                     "status",
                                     "final.swing",
                                     "ok",
                                     "swing",
                                     "t",
                                     "sin(t)/0",
                                     "1 > 0",
                                     "order",
                                     "crossing",
                                     "mean",
                                     "first",
                                     "method",
                                     "step",
                                     "ending",
                                     "error:.0e",
                                     "/etc/x",
                                     "../out",
                                     "a/../b",
                                     "two.svg",
                                     "swing.csv",
                                     "none",
                                     "1.5e",
                                     "`1e-",
                                     "](2.5",
                                     "- | # >",
                                     "1) 2. *",
                                     "lagrange",
                                     "0.01",
                                     "x x x x",
                                     "\xC3\xA9\xE2\x80\x96"};
enum { N_VALUES = sizeof values / sizeof *values };

static const char *const keys[] = {
    "claims",  "folder",  "steps",     "title",        "source",      "also",  "answers", "speed",
    "run",     "compare", "plot",      "resume",       "values",      "table", "across",  "data",
    "picture", "say",     "claim",     "verdict",      "holds",       "wrong", "differs", "as",
    "each",    "of",      "figure",    "where",        "take",        "over",  "against", "column",
    "minus",   "at",      "columns",   "rows",         "cell",        "text",  "set",     "vary",
    "methods", "output",  "reproduce", "instructions", "from",        "to",    "certify", "statics",
    "json",    "quiet",   "motion",    "model",        "include-root"};

/* ---- commands ---- */

static tape *answers; /* what the commands of this input answer */

/* What is printed: a run, a comparison, messages of valgrind, and damaged ones. */
static const char *const printed[] = {
    "{\"status\": \"HOL_OK\", \"steps\": 10, \"t\": 1.5, \"final\": {\"swing\": 0.25}, \"list\": "
    "[1, null, \"a\"]}",
    "{\"rows\": [{\"method\": \"lagrange\", \"status\": \"HOL_OK\", \"vary\": {\"step\": 0.02}, "
    "\"error\": 1.5e-6, \"steps\": 50},\n"
    "{\"method\": \"lagrange\", \"status\": \"HOL_OK\", \"vary\": {\"step\": 0.01}, \"error\": "
    "9.375e-8, \"steps\": 100},\n"
    "{\"method\": \"baumgarte\", \"status\": \"HOL_ERR_SINGULAR\", \"vary\": {\"step\": 0.01}, "
    "\"error\": null, \"steps\": 3}]}",
    "==1== Collected : 123456\n",
    "{\"rows\": []}",
    "{\"rows\": {\"a\": [[[]]]}}",
    "[1, 2, {\"status\": []}]",
    "",
    "{\"error\": 1",
    "\xff\xfe",
};

static void put_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file) return; /* the folder of the claim may lack a folder of it */
    if (fputs(text, file) < 0 || fclose(file) != 0) abort();
}

int __wrap_hol__run_program(char *const *words, const char *out, const char *log,
                            hol__asked_to_end *asked);

/* In the place of the command: its output, its messages, the file that it is told to write. */
int __wrap_hol__run_program(char *const *words, const char *out, const char *log,
                            hol__asked_to_end *asked) {
    static const int codes[] = {0, 0, 0, 0, 1, 8, 3, 126, -1};
    static const char *const results[] = {"time [s],swing [rad]\n0,0.5\n0.05,0.25\n0.1,-0.125\n",
                                          "time [s],swing [rad]\n", "", "time,\"\n1,,\n\n0"};
    (void)asked;
    const int counts = strcmp(words[0], "valgrind") == 0;
    const int compares = words[1] && strcmp(words[1], "compare") == 0;
    const int odd = tape_below(answers, 8) == 7;
    const int n = odd      ? tape_below(answers, sizeof printed / sizeof *printed)
                  : counts ? 2
                           : compares;
    put_file(counts ? log : out, printed[n]);
    for (int i = 0; words[i] && words[i + 1]; i++)
        if (strcmp(words[i], "--output") == 0 || strcmp(words[i], "--plot") == 0)
            put_file(words[i + 1], results[odd ? tape_below(answers, 4) : 0]);
    return odd ? codes[tape_below(answers, sizeof codes / sizeof *codes)] : 0;
}

/* ---- one input ---- */

/* Whether the items are as many as they say, and have places. */
static void walk(const hol_item *item) {
    int n = 0;
    for (const hol_item *i = hol_item_first(item); i; i = hol_item_next(i), n++) {
        if (hol_item_place(i).line < 1 || !hol_item_key(i)) fuzz_fail("an item without a place");
        if (hol_item_kind_of(item) == HOL_ITEM_MAP && !hol_item_find(item, hol_item_key(i)))
            fuzz_fail("a key is not found");
        walk(i);
    }
    if (n != hol_item_count(item)) fuzz_fail("items are not as many as they say");
    if ((hol_item_kind_of(item) == HOL_ITEM_TEXT) != (hol_item_value(item) != NULL))
        fuzz_fail("a text without a value");
}

static void read_document(const char *text) {
    hol_context *ctx = hol_context_new();
    hol_document *document = hol_document_read_text(ctx, text, "fuzz.yaml");
    if (document)
        walk(hol_document_root(document));
    else if (hol_message_count_of(ctx, HOL_ERROR) == 0)
        fuzz_fail("a failure without a message");
    hol_document_free(document);
    hol_context_free(ctx);
}

/* One change of the tree. */
static void edit(tape *t, hol_spec *spec, const hol_spec *other) {
    hol__node *node = any_node(t, spec);
    const int kind = tape_below(t, 6);
    if (!node) return;
    if (kind < 5)
        tree_edit(t, spec, node, other, kind, N_VALUES, values);
    else if (node->key)
        node->key = keys[tape_below(t, sizeof keys / sizeof *keys)];
}

/* The text of a claims file that the bytes make; NULL where the tree cannot be written. */
static char *make_text(hol_context *ctx, tape *t) {
    static hol_context *own;
    static hol_spec *original;
    if (!original) {
        own = hol_context_new();
        original = hol_spec_new(own);
        if (!original || hol_spec_read_text(original, whole, "whole")) abort();
    }
    hol_spec *changed = hol_spec_copy(ctx, original);
    if (!changed) abort();
    for (int i = tape_below(t, MOST_EDITS); i > 0; i--) edit(t, changed, original);
    char *text = hol_spec_text(changed);
    hol_spec_free(changed);
    return text;
}

/* Carry the claim out. */
static void try_claim(cli_session *cli, const cli_claim *claim) {
    char *page = NULL;
    size_t n;
    cli_trying trying = {.cli = cli, .claim = claim, .command = "reproduce", .width = CLI_WIDTH};
    trying.page = open_memstream(&page, &n);
    if (!trying.page) abort();
    if (!cli_claim_try(&trying) && !cli->status) fuzz_fail("a failure without a message");
    fclose(trying.page);
    free(page);
    cli_keep_free(&trying.keep);
}

/* Whether the folder is empty. */
static void check_empty(const char *path) {
    DIR *folder = opendir(path);
    for (const struct dirent *e; folder && (e = readdir(folder));)
        if (e->d_name[0] != '.') fuzz_fail("files that are not kept are left");
    if (folder) closedir(folder);
}

static void read_claims(tape *t) {
    static const char scratch[] = "fuzz-claims";
    cli_session cli;
    cli_claims all = {.cli = &cli};
    if (!cli_init(&cli)) abort();
    char *text = make_text(cli.ctx, t);
    mkdir(scratch, 0700);
    setenv("TMPDIR", scratch, 1);
    if (text) put_file("fuzz.yaml", text);
    hol_free(cli.ctx, text);
    answers = t;
    const int good = cli_claims_read(&all, "fuzz.yaml");
    if (!good && !cli.status) fuzz_fail("a failure without a message");
    for (int i = 0; good && i < all.n && i < MOST_CLAIMS; i++) {
        cli.status = HOL_OK;
        try_claim(&cli, &all.items[i]);
    }
    cli_claims_free(&all);
    cli_free(&cli);
    check_empty(scratch);
}

void fuzz_one(const uint8_t *data, size_t size) {
    tape t = {data, size};
    static FILE *nowhere;
    FILE *said = stderr;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    if (!nowhere) abort();
    const int as_text = tape_below(&t, 4) == 3;
    char *text = malloc(t.left + 1);
    if (!text) abort();
    if (t.left) memcpy(text, t.at, t.left);
    text[t.left] = '\0';
    stderr = nowhere; /* messages of the program */
    if (as_text)
        read_document(text);
    else
        read_claims(&t);
    stderr = said;
    free(text);
}
