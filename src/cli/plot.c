/* plot.c: holonom plot: columns of results as a chart, or numbers as bars, SVG or PNG. */
#include "cli/cli.h"
#include "common/number.h"

#include <math.h>
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

/* "0:2e-7" into low and high; 0 when it is something else. */
static int read_range(const char *text, double *low, double *high) {
    const char *end;
    *low = hol__number_read(text, &end);
    if (end == text || *end != ':') return 0;
    const char *second = end + 1;
    *high = hol__number_read(second, &end);
    return end != second && !*end && *low < *high && isfinite(*low) && isfinite(*high);
}

/* The size and the range that charts and bars have in common; 0 after a mistake. */
static int read_frame(cli_session *cli, const cli_args *args, int *width, int *height, double *low,
                      double *high) {
    const char *size = cli_args_value(args, "size"), *range = cli_args_value(args, "range");
    if (size && !read_size(size, width, height)) {
        cli_usage(cli, args->command, "'--size %s': write it as 800x500, from 100 to %d", size,
                  MAX_SIDE);
        return 0;
    }
    if (range && !read_range(range, low, high)) {
        cli_usage(cli, args->command, "'--range %s': write it as 0:2e-7, the lower end first",
                  range);
        return 0;
    }
    if (range && cli_args_has(args, "log") && !(*low > 0)) {
        cli_usage(cli, args->command, "'--range %s': a logarithmic axis begins above 0", range);
        return 0;
    }
    return 1;
}

/* ---- columns of results ---- */

/* The names of the files in the legend, cut out of a copy of --labels; 0 after a mistake. */
static int split_labels(cli_session *cli, const cli_args *args, char *text, int n,
                        const char **labels) {
    int found = 0;
    for (char *p = text;; p++) {
        char *comma = p + strcspn(p, ",");
        if (found < n) labels[found] = p;
        found++;
        p = comma;
        if (!*comma) break;
        *comma = '\0';
    }
    if (found == n) return 1;
    cli_usage(cli, args->command, "'--labels' has %d names for %d results", found, n);
    return 0;
}

/* Write the chart under its name. */
static int write_chart(cli_session *cli, const cli_args *args, const hol_chart *chart) {
    const char *named = cli_args_value(args, "output");
    char *own = named ? NULL : default_path(chart->columns[0]);
    const char *path = named ? named : own;
    const hol_status status = path ? hol_chart_write(cli->ctx, chart, path) : HOL_ERR_MEMORY;
    const int code = cli_written(cli, args, status, "the chart", path);
    free(own);
    return code;
}

/* Sort the words into files and columns and write the chart. */
static int draw(cli_session *cli, const cli_args *args, const char **words, char *labels) {
    const char **results = words, **columns = words + args->n_words,
               **names = words + 2 * args->n_words;
    hol_chart chart = {.results = results, .columns = columns};
    for (int i = 0; i < args->n_words; i++) {
        if (chart.n_columns == 0 && is_result(args->words[i]))
            results[chart.n_results++] = args->words[i];
        else
            columns[chart.n_columns++] = args->words[i];
    }
    chart.x = cli_args_value(args, "against");
    chart.title = cli_args_value(args, "title");
    chart.name = cli_args_value(args, "name");
    chart.units = cli_args_value(args, "units");
    chart.change = cli_args_has(args, "change");
    chart.points = cli_args_has(args, "points");
    chart.log_y = cli_args_has(args, "log");
    chart.log_x = cli_args_has(args, "log-x");
    if (!read_frame(cli, args, &chart.width, &chart.height, &chart.low, &chart.high))
        return CLI_USAGE;
    if (!chart.n_results)
        return cli_usage(cli, args->command, "name a result file (.h5 or .csv) first");
    if (!chart.n_columns)
        return cli_usage(cli, args->command,
                         "name at least one column; 'holonom results %s' lists them", results[0]);
    if (labels) {
        if (!split_labels(cli, args, labels, chart.n_results, names)) return CLI_USAGE;
        chart.labels = names;
    }
    return write_chart(cli, args, &chart);
}

/* ---- bars ---- */

/* Words "NAME=VALUE" as bars. */
static int draw_bars(cli_session *cli, const cli_args *args, const char **names, double *values,
                     char *text) {
    const char *path = cli_args_value(args, "output");
    int width = 0, height = 0;
    hol_figure figure = {.n_series = 1, .kind = HOL_FIGURE_BARS, .labels = names};
    if (!read_frame(cli, args, &width, &height, &figure.low, &figure.high)) return CLI_USAGE;
    for (int i = 0; i < args->n_words; i++) {
        const char *equals = strrchr(args->words[i], '=');
        const char *end = NULL;
        values[i] = equals ? hol__number_read(equals + 1, &end) : 0;
        if (!equals || end == equals + 1 || *end || !isfinite(values[i]))
            return cli_usage(cli, args->command, "'%s': with --bars write NAME=VALUE",
                             args->words[i]);
        names[i] = text;
        memcpy(text, args->words[i], (size_t)(equals - args->words[i]));
        text[equals - args->words[i]] = '\0';
        text += equals - args->words[i] + 1;
    }
    const hol_series series = {.unit = "", .n = args->n_words, .y = values};
    figure.series = &series;
    figure.title = cli_args_value(args, "title");
    figure.y_name = cli_args_value(args, "name");
    if (!path) path = "bars.svg";
    return cli_written(cli, args, hol_figures_write(cli->ctx, 1, &figure, width, height, path),
                       "the chart", path);
}

/* holonom plot: room for the words as files, columns and labels, then the chart. */
static int run_plot(cli_session *cli, const cli_args *args) {
    const char *given = cli_args_value(args, "labels");
    size_t letters = given ? strlen(given) + 1 : 1;
    for (int i = 0; i < args->n_words; i++) letters += strlen(args->words[i]) + 1;
    const char **words = calloc(3 * (size_t)args->n_words, sizeof *words);
    double *values = calloc((size_t)args->n_words, sizeof *values);
    char *text = calloc(letters, 1);
    int code = CLI_MEMORY;
    if (!words || !values || !text)
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    else if (cli_args_has(args, "bars"))
        code = draw_bars(cli, args, words, values, text);
    else
        code = draw(cli, args, words, given ? strcpy(text, given) : NULL);
    free(words);
    free(values);
    free(text);
    return code;
}

/* clang-format off */
static const cli_option options[] = {
    {"output", 'o', "FILE", NULL, 
     "The file, .svg, .png or .pdf; default: the name of the first column with .svg."},
    {"against", 'x', "NAME", NULL, "The column along the horizontal axis (default: time)."},
    {"log", 'l', NULL, NULL, "Logarithmic vertical axis, of absolute values."},
    {"log-x", 0, NULL, NULL, "Logarithmic horizontal axis."},
    {"range", 0, "LOW:HIGH", NULL, "Ends of the vertical axis (default: what the values need)."},
    {"change", 0, NULL, NULL, "Draw differences from the first value."},
    {"points", 0, NULL, NULL, "A point at every record."},
    {"labels", 0, "LIST", NULL, "Names of the results in the legend, with commas between them "
     "(default: those of the files)."},
    {"bars", 0, NULL, NULL, "Draw bars: the words are NAME=VALUE, and no results are read."},
    {"name", 0, "TEXT", NULL,
     "What the vertical axis shows, without its unit (default: the column)."},
    {"title", 't', "TEXT", NULL, "A title above the chart."},
    {"units", 'u', "LIST", NULL, "Show the columns in these units, such as angle=deg,length=mm; '' "
     "for SI units (default: those of the first result)."},
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
            "holonom plot a.h5 b.h5 constraints.position_violation --log -o drift.png\n"
            "holonom plot a.h5 b.h5 'constraints.position_violation^2' --range 0:1e-12\n"
            "holonom plot --bars lagrange=1 baumgarte=1.12 --name 'time ratio' -o times.svg\n\n"
            "A NAME is a column, or an expression of columns.",
    .options = options,
    .min_words = 1,
    .max_words = -1,
    .run = run_plot,
};
