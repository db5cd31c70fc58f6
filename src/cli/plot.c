/* plot.c: holonom plot: columns of results as a chart, SVG or PNG. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 16000 };

/* Whether a word is the name of a result file rather than of a column. */
static int is_result(const char *word) {
    const char *dot = strrchr(word, '.');
    return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".csv") == 0);
}

/* "800x500" into width and height; 0 when it is something else. */
static int read_size(const char *text, int *width, int *height) {
    char *end;
    const long w = strtol(text, &end, 10);
    if (*end != 'x' && *end != 'X') return 0;
    const long h = strtol(end + 1, &end, 10);
    if (*end || w < 100 || h < 100 || w > MAX_SIDE || h > MAX_SIDE) return 0;
    *width = (int)w, *height = (int)h;
    return 1;
}

/* The first column name as a file name: letters that files do not like become underscores. NULL
 * without memory. */
static char *default_path(const char *name) {
    const size_t n = strlen(name) < 80 ? strlen(name) : 80;
    char *path = malloc(n + sizeof ".svg");
    if (!path) return NULL;
    for (size_t i = 0; i < n; i++)
        path[i] = strchr("/\\:*?\"<>| ", name[i]) || (unsigned char)name[i] < 0x20 ? '_' : name[i];
    memcpy(path + n, ".svg", sizeof ".svg");
    return path;
}

/* Sort the words into files and columns and write the chart. */
static int draw(cli_session *cli, const cli_args *args, const char **results,
                const char **columns) {
    hol_chart chart = {.results = results, .columns = columns};
    const char *size = cli_args_value(args, "size"), *named = cli_args_value(args, "output");
    for (int i = 0; i < args->n_words; i++) {
        if (chart.n_columns == 0 && is_result(args->words[i]))
            results[chart.n_results++] = args->words[i];
        else
            columns[chart.n_columns++] = args->words[i];
    }
    chart.x = cli_args_value(args, "against");
    chart.title = cli_args_value(args, "title");
    chart.log_y = cli_args_has(args, "log");
    if (size && !read_size(size, &chart.width, &chart.height))
        return cli_usage(cli, args->command, "'--size %s': write it as 800x500, from 100 to %d",
                         size, MAX_SIDE);
    if (!chart.n_results)
        return cli_usage(cli, args->command, "name a result file (.h5 or .csv) first");
    if (!chart.n_columns)
        return cli_usage(cli, args->command,
                         "name at least one column; 'holonom results %s' lists them", results[0]);
    char *own = named ? NULL : default_path(columns[0]);
    const char *path = named ? named : own;
    const hol_status status = path ? hol_chart_write(cli->ctx, &chart, path) : HOL_ERR_MEMORY;
    const int code = cli_written(cli, args, status, "the chart", path);
    free(own);
    return code;
}

/* holonom plot: room for the words as files and as columns, then the chart. */
static int run_plot(cli_session *cli, const cli_args *args) {
    const char **words = calloc(2 * (size_t)args->n_words, sizeof *words);
    if (!words) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return CLI_MEMORY;
    }
    const int code = draw(cli, args, words, words + args->n_words);
    free(words);
    return code;
}

/* clang-format off */
static const cli_option options[] = {
    {"output", 'o', "FILE", NULL, "The file, .svg or .png; without it the name of the first column "
     "and .svg."},
    {"against", 'x', "NAME", NULL, "The column along the horizontal axis (default: time)."},
    {"log", 'l', NULL, NULL, "Logarithmic vertical axis, of absolute values."},
    {"title", 't', "TEXT", NULL, "A title above the chart."},
    {"size", 0, "WxH", NULL, "Width and height in pixels (default: 800x500)."},
    {"quiet", 'q', NULL, NULL, "Do not print the name of the file."},
    {0},
};
/* clang-format on */

const cli_command cli_command_plot = {
    .name = "plot",
    .arguments = "RESULT... NAME...",
    .title = "Draw columns of results as a chart for a paper, SVG or PNG.",
    .text = "holonom plot four_bar.h5 crank_angle -o angle.svg\n"
            "holonom plot a.h5 b.h5 constraints.position_violation --log -o drift.png",
    .options = options,
    .min_words = 2,
    .max_words = -1,
    .run = run_plot,
};
