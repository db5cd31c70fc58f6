/* strobe.c: a stroboscopic picture: poses of a mechanism at several instants over each other, the
 * older ones paler, the last one in full colour on top.
 */
#include <holonom/report.h>

#include "io/out_file.h"
#include "base/argument.h"
#include "report/drawing.h"
#include "report/picture.h"

#include <math.h>
#include <stdio.h>

enum { MAX_POSES = 1000 };

/* How strong the oldest pose is; the others lie between it and 1, evenly. */
static const double palest = 0.15;

/* Instants t_0 < t_1 < …: given, or from, from + every, … up to `to`. */
typedef struct instants {
    int n;
    const double *given;
    double from, every;
} instants;

static double instant(const instants *when, int i) {
    return when->given ? when->given[i] : when->from + i * when->every;
}

/* The given times have to rise and to lie within the result. */
static hol_status check_times(const hol__movie *movie, const hol_strobe *about) {
    const double start = hol__movie_time(movie, 0), end = hol__movie_time(movie, movie->rows - 1);
    for (int i = 0; i < about->n_times; i++) {
        const double t = about->times[i], slack = 1e-9 * (end - start);
        if (!(t >= start - slack && t <= end + slack))
            return hol__report(movie->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "there is nothing at t = %g; the result runs from %g to %g", t,
                               start, end);
        if (i && !(t > about->times[i - 1]))
            return hol__report(movie->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "the times of the poses must rise, and %g follows %g", t,
                               about->times[i - 1]);
    }
    return HOL_OK;
}

/* The instants that are asked for, within the result. */
static hol_status choose(const hol__movie *movie, const hol_strobe *about, instants *when) {
    double from = about->from, to = about->to;
    *when = (instants){.n = about->n_times, .given = about->times};
    if (about->n_times) return check_times(movie, about);
    const hol_status status = hol__movie_span(movie, &from, &to);
    if (status) return status;
    *when = (instants){.from = from, .every = about->every};
    if (!(about->every > 0))
        return hol__report(movie->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a stroboscopic picture needs times, or the time between two poses");
    const double count = floor((to - from) / about->every + 1e-9) + 1;
    when->n = count <= MAX_POSES ? (int)count : MAX_POSES + 1;
    return HOL_OK;
}

/* "t = 96.9 s to 99 s, 22 poses", in every locale; nothing for a mechanism that was not run. */
static void caption(const hol__movie *movie, const instants *when, char *buf, size_t size) {
    char from[64], to[64];
    *buf = '\0';
    if (hol_result_text(movie->result, "view")) return;
    if (when->n == 1) {
        snprintf(buf, size, "t = %s",
                 hol__movie_clock(movie, instant(when, 0), -6, from, sizeof from));
        return;
    }
    snprintf(buf, size, "t = %s to %s, %d poses",
             hol__movie_clock(movie, instant(when, 0), -6, from, sizeof from),
             hol__movie_clock(movie, instant(when, when->n - 1), -6, to, sizeof to), when->n);
}

/* All poses on the canvas; 0 without memory. */
static int draw_poses(hol__drawing *drawing, const instants *when, unsigned paper,
                      const hol_strobe *about, hol__canvas *canvas) {
    const unsigned show = drawing->show;
    for (int i = 0; i < when->n; i++) {
        drawing->names = about->names && i == when->n - 1;
        drawing->show = i == when->n - 1 ? show : 0;
        const double age = when->n > 1 ? (double)(when->n - 1 - i) / (when->n - 1) : 0;
        hol__canvas_pale(canvas, paper, 1 - (1 - palest) * age);
        if (!hol__drawing_draw(drawing, hol__movie_nearest(drawing->movie, instant(when, i)),
                               canvas))
            return 0;
    }
    hol__canvas_pale(canvas, paper, 1);
    return 1;
}

/* The picture of a movie that has records. */
static hol_status draw(hol__movie *movie, const hol_strobe *about, const hol__picture *picture,
                       const char *path, int *n) {
    hol__geometry geometry;
    hol__loads loads;
    instants when;
    char words[96];
    hol_status status = choose(movie, about, &when);
    if (status) return status;
    if (when.n > MAX_POSES)
        return hol__report(movie->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "these are too many poses (at most %d); take a longer time between them",
                           MAX_POSES);
    if (!hol__geometry_init(&geometry, movie)) return HOL_ERR_MEMORY;
    hol__drawing drawing = {.movie = movie, .geometry = &geometry, .dark = about->dark};
    hol__camera_init(&drawing.camera, &geometry, picture->width, picture->height);
    hol__drawing_show(&drawing, movie, &loads,
                      about->show | (about->trails ? HOL_MOTION_TRAILS : 0));
    const unsigned paper = hol__drawing_paper(about->dark);
    hol__canvas *canvas =
        hol__canvas_new(movie->ctx, picture->type, picture->width, picture->height, paper);
    if (canvas && !draw_poses(&drawing, &when, paper, about, canvas)) {
        hol__canvas_free(canvas);
        canvas = NULL;
    }
    caption(drawing.movie, &when, words, sizeof words);
    if (canvas) hol__drawing_caption(&drawing, canvas, picture->height, words);
    *n = when.n;
    return hol__picture_write(movie->ctx, canvas, path);
}

hol_status hol_strobe_write(hol_context *ctx, const char *result, const hol_strobe *strobe,
                            const char *path, int *n) {
    static const char call[] = "hol_strobe_write";
    hol__movie movie;
    hol__picture picture;
    if (!ctx || hol__need(ctx, call, "the count to fill", n)) return HOL_ERR_ARGUMENT;
    *n = 0;
    if (hol__need(ctx, call, "the result", result) ||
        hol__need(ctx, call, "what to draw", strobe) || hol__need(ctx, call, "the path", path) ||
        hol__need_array(ctx, call, "times", strobe->n_times, 0, strobe->times))
        return HOL_ERR_ARGUMENT;
    hol_status status =
        hol__picture_init(&picture, ctx, path, strobe->width, strobe->height, 800, 600);
    if (!status) status = hol__out_none_of(ctx, path, 1, &result);
    if (status) return status;
    status = hol__movie_open(&movie, ctx, result);
    if (!status) status = draw(&movie, strobe, &picture, path, n);
    hol__movie_free(&movie);
    return status;
}

hol_status hol_strobe_view(hol_sim *sim, const hol_strobe *strobe, const char *path) {
    static const char call[] = "hol_strobe_view";
    hol_context *ctx = hol_sim_context(sim);
    if (!ctx || hol__need(ctx, call, "what to draw", strobe) ||
        hol__need(ctx, call, "the path", path))
        return HOL_ERR_ARGUMENT;
    hol__movie movie;
    hol__picture picture;
    hol_strobe about = *strobe;
    const double now = hol_data_time(hol_sim_data(sim));
    int n;
    hol_status status = hol__picture_init(&picture, ctx, path, about.width, about.height, 800, 600);
    if (status) return status;
    about.n_times = 1, about.times = &now;
    status = hol__movie_of_sim(&movie, sim);
    if (!status) status = draw(&movie, &about, &picture, path, &n);
    hol__movie_free(&movie);
    return status;
}
