/* certify.c: holonom certify: how many digits of a run, or of a result, are certain. */
#include "cli/cli.h"

#include "common/extension.h"

#include <stdlib.h>
#include <string.h>

/* What the command hands to its question, and what comes back. */
typedef struct request {
    hol_certify_options o;
    const char *result; /* a file that is judged in place of a run; NULL: none */
    int certified;
} request;

/* A result as samples: columns by name, in SI units. */
typedef struct loaded {
    hol_result *result;
    hol_certify_samples samples;
    const char **names;
    const double **values;
} loaded;

static void unload(loaded *l) {
    hol_result_free(l->result);
    free(l->names);
    free(l->values);
}

static int load(cli_session *cli, const char *path, loaded *l) {
    l->result = hol_result_read(cli->ctx, path);
    if (!l->result || hol_result_set_units(l->result, "") != HOL_OK) return 0;
    const int n = hol_result_columns(l->result);
    l->names = calloc((size_t)n + 1, sizeof *l->names);
    l->values = calloc((size_t)n + 1, sizeof *l->values);
    if (!l->names || !l->values) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return 0;
    }
    for (int i = 0; i < n; i++) {
        l->names[i] = hol_result_column(l->result, i)->name;
        l->values[i] = hol_result_values(l->result, i);
    }
    l->samples = (hol_certify_samples){hol_result_rows(l->result), n, l->names,
                                       hol_result_values(l->result, 0), l->values};
    return 1;
}

/* Where the section `simulation` of a description begins and ends: how it is run, not what. */
static const char *simulation_of(const char *text, const char **end) {
    const char *start = strstr(text, "\nsimulation:");
    if (!start) return *end = text + strlen(text);
    const char *p = start + 1;
    do p += strcspn(p, "\n"), p += *p == '\n';
    while (*p == ' ' || *p == '}' || *p == ']');
    *end = p;
    return start + 1;
}

/* The first line of two descriptions that differs, beside how they are run; NULL: none. Both are
 * written by the library, so that equal ones have equal lines. */
static const char *first_difference(const char *a, const char *b, int *of_b) {
    const char *skip_a, *skip_b, *begin_a = simulation_of(a, &skip_a),
                                 *begin_b = simulation_of(b, &skip_b);
    const char *line = a, *other = b;
    for (;; a++, b++) {
        if (a == begin_a) a = skip_a, line = a;
        if (b == begin_b) b = skip_b, other = b;
        if (*a != *b) break;
        if (!*a) return NULL;
        if (*a == '\n') line = a + 1, other = b + 1;
    }
    *of_b = !*line;
    return *line ? line : other;
}

/* Whether a result is one of the model; says what differs if not. */
static int is_of_model(cli_question *q, const loaded *l, const char *path) {
    const char *stored = hol_result_text(l->result, "model");
    char *text = hol_spec_text(q->spec);
    hol_spec *spec = stored ? hol_spec_new(q->cli->ctx) : NULL;
    char *again = NULL;
    int of_result = 0;
    if (spec && hol_spec_set_include_root(spec, "") == HOL_OK &&
        hol_spec_read_text(spec, stored, path) == HOL_OK)
        again = hol_spec_text(spec);
    const char *differs = text && again ? first_difference(text, again, &of_result) : NULL;
    if (differs)
        cli_report(q->cli, HOL_ERROR, HOL_ERR_INPUT,
                   "%s is a result of another model: the %s has '%.*s' where the other has not; "
                   "certify it with the model that it holds: holonom certify %s",
                   path, of_result ? "result" : "model", (int)strcspn(differs, "\n"), differs,
                   path);
    hol_free(q->cli->ctx, text);
    hol_free(q->cli->ctx, again);
    hol_spec_free(spec);
    return !differs;
}

static hol_status ask(cli_question *q, hol_answer **answer) {
    request *r = q->user;
    loaded l = {0};
    hol_status status = HOL_OK;
    if (r->result) {
        if (!load(q->cli, r->result, &l)) status = q->cli->status ? q->cli->status : HOL_ERR_INPUT;
        if (!status && r->result != q->args->words[0] && !is_of_model(q, &l, r->result))
            status = HOL_ERR_INPUT;
        r->o.samples = &l.samples;
    }
    if (!status) status = hol_certify(q->cli->ctx, q->spec, &r->o, answer);
    r->certified = !status && hol_answer_value(*answer, "certified") > 0;
    unload(&l);
    return status;
}

static int run(cli_session *cli, const cli_args *args) {
    request r = {.o = {.size = sizeof r.o}};
    int good = 1;
    r.o.digits = cli_number(cli, args, "digits", 0, 0.1, 14, &good);
    r.o.points = (int)cli_number(cli, args, "points", 0, 10, 1e5, &good);
    r.o.refine = cli_args_has(args, "refine");
    r.o.conserved = cli_args_value(args, "conserved");
    if (!good) return CLI_USAGE;
    if (args->n_words > 1)
        r.result = args->words[1];
    else if (hol__has_extension(args->words[0], ".h5"))
        r.result = args->words[0];
    if (r.result && r.o.refine)
        return cli_usage(cli, args->command, "--refine judges no result: leave one of them out");
    const int code = cli_answer(cli, args, CLI_WANTS_ANY_SPEC, ask, &r);
    return code == CLI_OK && !r.certified ? CLI_UNCERTIFIED : code;
}

static const cli_option options[] = {
    {"digits", 'd', "N", NULL,
     "Required digits of every measure throughout the run, relative to its largest value (default: "
     "3)."},
    {"refine", 0, NULL, NULL,
     "Judge the best achievable answer instead of the run as the model specifies it."},
    {"conserved", 0, "LIST", NULL,
     "Measures that stay constant, with commas between them, such as an energy by your own "
     "formula: refused if one does not."},
    {"points", 0, "N", NULL, "Compare at this many instants at most (default: 200)."},
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_certify = {
    "certify",
    "MODEL [RESULT]",
    "Run a model with independent equations, coordinates and integrators, and find how many digits "
    "are certain.",
    "With a result (.h5, .csv) this result is judged instead of a run; a result (.h5) alone is "
    "judged by the model stored in it. Exit code 9: not certified.\n\n"
    "holonom certify four_bar.yaml --digits 6\n"
    "holonom certify four_bar.yaml --digits 12 --refine -o four_bar.html\n"
    "holonom certify four_bar.yaml four_bar.h5",
    options,
    1,
    2,
    run,
};
