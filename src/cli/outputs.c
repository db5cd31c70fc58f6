/* outputs.c: the result files of a run: which, opened together, recorded together, closed together.
 *
 * All are opened before the first record, and none of them gets its name when one cannot be: what
 * was there before stays.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY_ROWS = 1000000, MANY_BYTES = 100000000 };

/* ---- which files ---- */

/* Whether the library writes HDF5. */
static int has_hdf5(void) {
    const hol_feature *part;
    for (int i = 0; (part = hol_feature_get(i)); i++)
        if (strcmp(part->name, "hdf5") == 0) return part->built;
    return 0;
}

/* The folder that a path leads into; 0 where there is none. */
static int folder_of(const char *path, struct stat *about) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    const int n = slash ? snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path) : 0;
    return n < (int)sizeof folder && stat(slash ? folder : ".", about) == 0;
}

/* Whether two paths to nothing have the same name in the same folder. */
static int is_same_name(const char *a, const char *b) {
    const char *x = strrchr(a, '/'), *y = strrchr(b, '/');
    struct stat of_a, of_b;
    return strcmp(x ? x + 1 : a, y ? y + 1 : b) == 0 && folder_of(a, &of_a) &&
           folder_of(b, &of_b) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

int cli_is_same_file(const char *a, const char *b) {
    struct stat x, y;
    if (strcmp(a, b) == 0) return 1;
    const int there = stat(a, &x) == 0;
    if (there != (stat(b, &y) == 0)) return 0;
    return there ? S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino
                 : is_same_name(a, b);
}

/* Add a file that the options name; 0 when it cannot be one. */
static int add_path(cli_session *cli, const cli_args *args, const char *path,
                    const char *model_path, cli_outputs *outputs) {
    for (int i = 0; i < outputs->n; i++)
        if (cli_is_same_file(outputs->items[i].path, path)) {
            cli_usage(cli, args->command, "the result file '%s' is named twice", path);
            return 0;
        }
    if (cli_is_same_file(path, model_path)) {
        cli_usage(cli, args->command, "the result file '%s' would overwrite the model", path);
        return 0;
    }
    outputs->items[outputs->n++].path = path;
    return 1;
}

int cli_outputs_choose(cli_session *cli, const cli_args *args, const char *model_path,
                       cli_outputs *outputs) {
    int none = cli_args_has(args, "no-output"), ok = 1;
    *outputs = (cli_outputs){.items = calloc((size_t)args->n_given + 1, sizeof *outputs->items)};
    outputs->own_path = cli_path_from(model_path, has_hdf5() ? ".h5" : ".csv", 1);
    if (!outputs->items || !outputs->own_path) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return 0;
    }
    for (int i = 0; ok && i < args->n_given; i++) {
        if (strcmp(args->given[i].option->name, "output") != 0) continue;
        if (strcmp(args->given[i].value, "none") == 0)
            none = 1;
        else
            ok = add_path(cli, args, args->given[i].value, model_path, outputs);
    }
    if (ok && none && outputs->n) {
        cli_usage(cli, args->command, "result files are named, and none are asked for");
        return 0;
    }
    if (ok && !none && !outputs->n && cli_is_same_file(outputs->own_path, model_path)) {
        cli_usage(cli, args->command,
                  "'%s' is named like a result file; give the model file (.yaml), or name the "
                  "results with --output",
                  model_path);
        return 0;
    }
    if (ok && !none && !outputs->n)
        ok = add_path(cli, args, outputs->own_path, model_path, outputs);
    return ok;
}

/* ---- opening, recording, closing ---- */

/* Close what is open and take it away. */
static void take_back(cli_outputs *outputs) {
    for (int i = 0; i < outputs->n; i++) {
        hol_writer_discard(outputs->items[i].writer);
        outputs->items[i].writer = NULL;
    }
}

/* Say how large a file becomes, where that matters. */
static void announce(cli_session *cli, const char *path, hol_sim *sim) {
    char size[HOL__NUMBER_SIZE];
    const double rows = hol_sim_rows(sim), bytes = hol_writer_estimate(sim, path);
    if (rows > MANY_ROWS || bytes > MANY_BYTES)
        cli_report(cli, HOL_NOTE, HOL_OK, "'%s' will have %.9g rows, about %s", path, rows,
                   hol__size_text(bytes, size));
}

hol_status cli_outputs_open(cli_session *cli, cli_outputs *outputs, hol_sim *sim) {
    for (int i = 0; i < outputs->n; i++) {
        outputs->items[i].writer = hol_writer_open(sim, outputs->items[i].path);
        if (outputs->items[i].writer) continue;
        take_back(outputs);
        return cli->status ? cli->status : HOL_ERR_IO;
    }
    outputs->is_open = 1;
    for (int i = 0; i < outputs->n; i++) announce(cli, outputs->items[i].path, sim);
    return HOL_OK;
}

hol_status cli_outputs_resume(cli_session *cli, cli_outputs *outputs, hol_sim *sim,
                              const hol_checkpoint *from) {
    for (int i = 0; i < outputs->n; i++) {
        outputs->items[i].writer = hol_checkpoint_writer(from, sim, i, outputs->items[i].path);
        if (outputs->items[i].writer) continue;
        take_back(outputs);
        return cli->status ? cli->status : HOL_ERR_IO;
    }
    outputs->is_open = 1;
    return HOL_OK;
}

hol_status cli_outputs_record(cli_outputs *outputs) {
    hol_status status = HOL_OK;
    for (int i = 0; i < outputs->n && !status; i++)
        status = hol_writer_record(outputs->items[i].writer);
    return status;
}

/* Close one file. Where it keeps the name that it had, that is its path from now on. */
static hol_status close_one(cli_output *output) {
    char *name = strdup(hol_writer_file(output->writer));
    const hol_status status = hol_writer_close(output->writer);
    output->writer = NULL;
    output->written = status == HOL_OK;
    if (name && strcmp(name, output->path) != 0 && access(name, F_OK) == 0)
        output->path = output->part = name;
    else
        free(name);
    return status;
}

hol_status cli_outputs_close(cli_outputs *outputs) {
    hol_status first = HOL_OK;
    for (int i = 0; i < outputs->n && outputs->is_open; i++) {
        const hol_status status = close_one(&outputs->items[i]);
        if (status && !first) first = status;
    }
    outputs->is_open = 0;
    return first;
}

void cli_outputs_free(cli_outputs *outputs) {
    cli_outputs_close(outputs);
    for (int i = 0; i < outputs->n; i++) free(outputs->items[i].part);
    free(outputs->items);
    free(outputs->own_path);
}
