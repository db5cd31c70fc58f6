/* view.c: holonom view: a model as a page or a picture, assembled and not run: the quickest look at
 * a new file; or a result at some of its times. */
#include "cli/cli.h"

#include "common/extension.h"

#include <stdlib.h>

/* Whether the file is a picture rather than a page. */
static int is_picture(const char *path) {
    static const char *const endings[] = {".svg", ".png", ".pdf"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (hol__has_extension(path, endings[i])) return 1;
    return 0;
}

/* Whether the file is a scene of solids. */
static int is_scene(const char *path) {
    return hol__has_extension(path, ".glb") || hol__has_extension(path, ".gltf");
}

/* How pictures are drawn; *good is cleared after a mistake. */
static hol_strobe read_picture(cli_session *cli, const cli_args *args, int *good) {
    unsigned show;
    *good &= cli_read_show(cli, args, &show);
    return (hol_strobe){.show = show,
                        .width = (int)cli_number(cli, args, "width", 800, 50, 16000, good),
                        .height = (int)cli_number(cli, args, "height", 600, 50, 16000, good),
                        .dark = cli_args_has(args, "dark"),
                        .names = cli_args_has(args, "names"),
                        .trails = cli_args_has(args, "trails")};
}

/* ---- a model ---- */

/* Assemble the model, solve its equations once and draw it. */
static hol_status draw(cli_session *cli, const hol_model *model, const hol_options *options,
                       const hol_strobe *picture, const char *path) {
    hol_sim *sim = hol_sim_new(cli->ctx, model, options);
    if (!sim) return cli->status;
    hol_sim_advance(sim, hol_data_time(hol_sim_data(sim))); /* without reactions where that fails */
    hol_status status = is_scene(path) ? hol_motion_view(sim, path)
                        : picture      ? hol_strobe_view(sim, picture, path)
                                       : hol_report_view(sim, path);
    hol_sim_free(sim);
    return status;
}

/* Load a model, draw it, name the page or the picture. */
static int view_model(cli_session *cli, const cli_args *args, const hol_strobe *picture,
                      const char *path) {
    hol_options *run_options = NULL;
    hol_model *model = cli_load(cli, args, args->words[0], &run_options);
    const hol_status status = model ? draw(cli, model, run_options, picture, path) : cli->status;
    const int code = cli_written(cli, args, status,
                                 is_scene(path) ? "the scene"
                                 : picture      ? "the picture"
                                                : "the page",
                                 path);
    hol_model_free(model);
    hol_options_free(run_options);
    return code;
}

/* ---- a result ---- */

/* Draw a result at the times of --at. */
static int view_result(cli_session *cli, const cli_args *args, hol_strobe *picture,
                       const char *path) {
    int poses;
    double *times =
        cli_numbers(cli, args, "at", "times of the result with commas (0,0.2,0.5), in seconds",
                    &picture->n_times);
    if (!times) return cli_exit_code(cli->status);
    picture->times = times;
    const hol_status status = hol_strobe_write(cli->ctx, args->words[0], picture, path, &poses);
    free(times);
    return cli_written(cli, args, status, "the picture", path);
}

/* ---- the command ---- */

/* holonom view: a page, or a picture where the name of the file says so or times are given. */
static int run_view(cli_session *cli, const cli_args *args) {
    const int at = cli_args_has(args, "at");
    const char *named = cli_args_value(args, "output");
    int good = 1;
    hol_strobe picture = read_picture(cli, args, &good);
    if (!good) return CLI_USAGE;
    if (!at &&
        (hol__has_extension(args->words[0], ".h5") || hol__has_extension(args->words[0], ".csv")))
        return cli_usage(cli, args->command,
                         "'%s' is a result: say at which times with --at 0,0.5, or write its page "
                         "with 'holonom report'",
                         args->words[0]);
    char *own = named ? NULL : cli_path_from(args->words[0], at ? ".svg" : ".html", 1);
    const char *path = named ? named : own;
    if (!path) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return CLI_MEMORY;
    }
    if (picture.show && !at && !is_picture(path)) {
        free(own);
        return cli_usage(cli, args->command,
                         "--show is for pictures (-o FILE.svg, .png, .pdf); a page has it in its "
                         "menu, a scene of a result with 'holonom animate'");
    }
    const int code = at ? view_result(cli, args, &picture, path)
                        : view_model(cli, args, is_picture(path) ? &picture : NULL, path);
    free(own);
    return code;
}

/* clang-format off */
static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "Write to this file: a picture where its name ends with .svg, .png or .pdf, solids for "
     "other programs where it ends with .glb or .gltf, else a page. "
     "Default: the name of the model and .html (with --at .svg), in the current folder."},
    {"at", 0, "TIMES", NULL, "Of a result: a picture at this time, or poses at several times "
     "(0,0.2,0.5) over each other, the older ones paler, in seconds."},
    {"set", 's', "KEY=VALUE", NULL, "Set a parameter or any key of the model. May be given several "
     "times."},
    CLI_INCLUDE_ROOT,
    {"width", 0, "PIXELS", NULL, "Width of a picture (default: 800)."},
    {"height", 0, "PIXELS", NULL, "Height of a picture (default: 600)."},
    {"names", 0, NULL, NULL, "Write the names of bodies and joints into a picture."},
    {"trails", 0, NULL, NULL, "The same as --show trails."},
    CLI_SHOW("nothing"),
    {"dark", 0, NULL, NULL, "A picture with light lines on a dark ground."},
    {"quiet", 'q', NULL, NULL, "Do not print the name of the file."},
    {0},
};
/* clang-format on */

const cli_command cli_command_view = {
    .name = "view",
    .arguments = "MODEL",
    .title = "Draw the assembled model as a page or a picture, without running it.",
    .text = "holonom view four_bar.yaml                        # the page four_bar.html\n"
            "holonom view four_bar.yaml --names -o start.pdf   # a picture\n"
            "holonom view four_bar.h5 --at 0,0.4,0.8 -o poses.svg\n"
            "holonom view four_bar.h5 --at 0.4 --show trails,reactions -o loads.svg",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_view,
};
