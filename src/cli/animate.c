/* animate.c: holonom animate: pictures of the mechanism in motion, and a video where ffmpeg is at
 * hand; or its solids in motion as one file; or one stroboscopic picture. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "common/number.h"
#include "common/program.h"

#include "common/extension.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RATE = 25, SECONDS = 8, PATH_SIZE = 4096 };

/* What the command line asks for. */
typedef struct request {
    const char *result, *folder;
    double speed, rate;
    hol_frames frames;
} request;

/* How long the result is, in seconds; negative after an error. */
static double duration(cli_session *cli, const char *path) {
    hol_result *result = hol_result_read(cli->ctx, path);
    if (!result) return -1;
    hol_result_set_units(result, "");
    const int rows = hol_result_rows(result);
    const double *t = hol_result_values(result, 0);
    const double span = rows > 1 ? t[rows - 1] - t[0] : 0;
    hol_result_free(result);
    return span;
}

/* Real time where that is bearable, else so that the whole takes some seconds. */
static double suitable_speed(double span) {
    return (span >= 2 && span <= 120) || !(span > 0) ? 1 : span / SECONDS;
}

/* The folder is there, made when it was not. */
static int make_folder(cli_session *cli, const char *path, int *made) {
    struct stat about;
    *made = mkdir(path, 0777) == 0;
    const int reason = errno;
    if (*made) return 1;
    if (reason == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return 1;
    cli_report(cli, HOL_ERROR, HOL_ERR_IO, "cannot make the folder '%s': %s", path,
               strerror(reason));
    return 0;
}

/* ---- video ---- */

/* The frames as a video, where ffmpeg is installed. */
static void make_video(cli_session *cli, const request *r, int quiet) {
    char rate[32], from[PATH_SIZE], to[PATH_SIZE];
    snprintf(rate, sizeof rate, "%ld", lround(r->rate));
    const int n = snprintf(from, sizeof from, "%s/frame_%%05d.png", r->folder);
    const int m = snprintf(to, sizeof to, "%s/animation.mp4", r->folder);
    if (n < 0 || m < 0 || n >= (int)sizeof from || m >= (int)sizeof to || strchr(r->folder, '%')) {
        cli_report(cli, HOL_NOTE, HOL_OK,
                   "no video was made: the name of the folder does not suit ffmpeg");
        return;
    }
    char *const words[] = {
        "ffmpeg",   "-y",      "-loglevel", "error", "-framerate",
        rate,       "-i",      from,        "-vf",   "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-pix_fmt", "yuv420p", to,          NULL};
    if (hol_output_check(cli->ctx, to) != HOL_OK) return; /* ffmpeg would not ask */
    const int code = hol__run_program(words, "/dev/null", "/dev/null", NULL);
    if (code == 0) {
        if (!quiet) cli_printf(stdout, "%s\n", to);
    } else if (code < 0 || code == 127)
        cli_report(cli, HOL_NOTE, HOL_OK, "ffmpeg not found: frames written, no video");
    else
        cli_report(cli, HOL_WARNING, HOL_OK, "ffmpeg returned %d; no video was made", code);
}

/* ---- solids in motion ---- */

/* holonom animate -o motion.glb: a glTF file. */
static int run_scene(cli_session *cli, const cli_args *args, const request *r) {
    const int paced = cli_args_has(args, "rate");
    const hol_motion motion = {.from = r->frames.from,
                               .to = r->frames.to,
                               .speed = r->speed > 0 ? r->speed : 1,
                               .rate = paced ? r->rate / (r->speed > 0 ? r->speed : 1) : 0,
                               .show = r->frames.show};
    int n;
    if (cli_args_has(args, "strobe"))
        return cli_usage(cli, args->command,
                         "--strobe makes a picture: name a file .svg, .png or .pdf");
    const hol_status status = hol_motion_write(cli->ctx, r->result, &motion, r->folder, &n);
    return cli_written(cli, args, status, "the scene", r->folder);
}

/* ---- a stroboscopic picture ---- */

/* The picture at these times; a single number is the time between poses. */
static int write_strobe(cli_session *cli, const cli_args *args, const request *r, int n,
                        const double *times) {
    int poses;
    hol_strobe strobe = {.from = r->frames.from,
                         .to = r->frames.to,
                         .width = r->frames.width,
                         .height = r->frames.height,
                         .dark = r->frames.dark,
                         .names = cli_args_has(args, "names"),
                         .show = r->frames.show};
    if (n > 1)
        strobe.n_times = n, strobe.times = times;
    else
        strobe.every = times[0];
    const hol_status status = hol_strobe_write(cli->ctx, r->result, &strobe, r->folder, &poses);
    return cli_written(cli, args, status, "the picture", r->folder);
}

/* holonom animate --strobe: one picture. */
static int run_strobe(cli_session *cli, const cli_args *args, const request *r) {
    int n;
    double *times = cli_numbers(cli, args, "strobe",
                                "the time between two poses (0.1), or times with commas "
                                "(0,0.2,0.5), in seconds",
                                &n);
    if (!times) return cli_exit_code(cli->status);
    const int code = write_strobe(cli, args, r, n, times);
    free(times);
    return code;
}

/* ---- the command ---- */

/* Whether a name is that of a video, which is made beside the frames and not by itself. */
static int is_video(const char *name) {
    static const char *const ends[] = {".mp4", ".mov", ".avi", ".webm", ".mkv", ".gif"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (hol__has_extension(name, ends[i])) return 1;
    return 0;
}

/* Read the options; 0 after wrong use. */
static int read_request(cli_session *cli, const cli_args *args, request *r) {
    int good = 1;
    r->result = args->words[0];
    r->folder = cli_args_value(args, "output");
    r->rate = cli_number(cli, args, "rate", RATE, 1, 240, &good);
    r->speed = cli_number(cli, args, "speed", 0, 1e-6, 1e6, &good);
    r->frames.from = cli_number(cli, args, "from", 0, -1e300, 1e300, &good);
    r->frames.to = cli_number(cli, args, "to", 0, -1e300, 1e300, &good);
    r->frames.width = (int)cli_number(cli, args, "width", 800, 50, 8000, &good);
    r->frames.height = (int)cli_number(cli, args, "height", 600, 50, 8000, &good);
    r->frames.png = !cli_args_has(args, "svg");
    r->frames.dark = cli_args_has(args, "dark");
    good &= cli_read_show(cli, args, &r->frames.show);
    if (good && !r->folder)
        cli_usage(cli, args->command,
                  cli_args_has(args, "strobe") ? "name a file for the picture: -o poses.svg"
                                               : "name a folder for the frames: -o frames");
    return good && r->folder;
}

/* What was written: "50 frames in out, real time, 25 frames per second". */
static void print_frames(const request *r, int n) {
    char speed[64] = "real time";
    if (r->speed != 1) snprintf(speed, sizeof speed, "%g times real time", r->speed);
    cli_printf(stdout, "%d frame%s in %s, %s, %g frames per second\n", n, n == 1 ? "" : "s",
               r->folder, speed, r->rate);
}

/* holonom animate: the frames, then the video. */
static int run_animate(cli_session *cli, const cli_args *args) {
    request r = {0};
    const int quiet = cli_args_has(args, "quiet");
    int n = 0, made;
    cli->quiet = quiet;
    if (!read_request(cli, args, &r)) return CLI_USAGE;
    if (!cli_args_has(args, "to")) r.frames.to = cli_args_has(args, "from") ? 1e300 : 0;
    if (hol__has_extension(r.folder, ".glb") || hol__has_extension(r.folder, ".gltf"))
        return run_scene(cli, args, &r);
    if (cli_args_has(args, "strobe")) return run_strobe(cli, args, &r);
    if (is_video(r.folder))
        return cli_usage(cli, args->command,
                         "-o names a folder for the frames, e.g. -o frames; where ffmpeg is "
                         "installed the video is frames/animation.mp4");
    const double span = duration(cli, r.result);
    if (span < 0) return cli_exit_code(cli->status ? cli->status : HOL_ERR_IO);
    if (!(r.speed > 0)) r.speed = suitable_speed(span);
    r.frames.rate = r.rate / r.speed;
    if (!make_folder(cli, r.folder, &made)) return CLI_IO;
    const hol_status status = hol_frames_write(cli->ctx, r.result, &r.frames, r.folder, &n);
    if (status) {
        if (made) rmdir(r.folder); /* unless there are frames in it */
        cli_not_written(cli, status, "the frames");
        return cli_exit_code(status);
    }
    if (!quiet) print_frames(&r, n);
    if (r.frames.png && !cli_args_has(args, "no-video")) make_video(cli, &r, quiet);
    return CLI_OK;
}

/* clang-format off */
static const cli_option options[] = {
    {"output", 'o', "FOLDER", NULL, "The folder for the frames; it is made if it does not exist. "
     "A name that ends with .glb or .gltf is a file instead: the mechanism as solids in motion "
     "(glTF). With --strobe it is the picture, .svg, .png or .pdf."},
    {"strobe", 0, "TIMES", NULL, "One stroboscopic picture instead of frames: poses over each "
     "other, the older ones paler. TIMES is the time between two poses (0.1), or a list "
     "(0,0.2,0.5), in seconds."},
    {"rate", 'r', "N", NULL, "Frames per second of the video (default: 25); key frames per second "
     "of a glTF file (default: every record)."},
    {"speed", 0, "X", NULL,
     "Speed as a multiple of real time (default: 1, or what makes a video of "
     "a few seconds; of a glTF file always 1)."},
    CLI_SHOW("trails in .glb and .gltf, nothing in frames and pictures"),
    {"from", 0, "T", NULL, "Begin at this time of the result, in seconds."},
    {"to", 0, "T", NULL, "End at this time."},
    {"width", 0, "PIXELS", NULL, "Width of the frames (default: 800)."},
    {"height", 0, "PIXELS", NULL, "Height of the frames (default: 600)."},
    {"svg", 0, NULL, NULL, "SVG frames instead of PNG, and no video."},
    {"names", 0, NULL, NULL, "With --strobe: write the names of bodies and joints at the last "
     "pose."},
    {"dark", 0, NULL, NULL, "Light lines on a dark ground."},
    {"no-video", 0, NULL, NULL, "Frames only."},
    {"quiet", 'q', NULL, NULL, "Print nothing but warnings and errors."},
    {0},
};
/* clang-format on */

const cli_command cli_command_animate = {
    .name = "animate",
    .arguments = "RESULT",
    .title = "Write frames of the mechanism in motion, and a video if ffmpeg is installed.",
    .text = "holonom animate four_bar.h5 -o frames --speed 0.5\n"
            "holonom animate four_bar.h5 -o four_bar.glb\n"
            "holonom animate four_bar.h5 --strobe 0.1 --from 2 --to 3 -o poses.svg",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_animate,
};
