/* pictures.c: pictures of a result, evenly spaced in time. */
#include <holonom/report.h>

#include "io/out_file.h"
#include "base/argument.h"
#include "report/drawing.h"
#include "report/picture.h"

#include <math.h>
#include <stdio.h>

enum { MAX_FRAMES = 99999, MAX_SIDE = 8000 };

/* The kind of the pictures. */
static const hol__canvas_type *type_of(const hol_frames *about) {
    return hol__canvas_type_find(about->png ? "png" : "svg");
}

/* Decimals of the clock: three, or as many as tell a tenth of the whole time. */
static int clock_decimals(const hol__movie *movie) {
    const double first = hol__movie_time(movie, 0), last = hol__movie_time(movie, movie->rows - 1);
    const double span = hol_unit_show(&movie->time_unit, last - first);
    const int needed = span > 0 ? (int)ceil(1 - log10(span)) : 3;
    return needed < 3 ? 3 : needed > 12 ? 12 : needed;
}

/* One picture into a file. */
static hol_status write_frame(const hol__drawing *drawing, const hol_frames *about, int row,
                              const char *path) {
    hol_context *ctx = drawing->movie->ctx;
    hol__canvas *canvas = hol__canvas_new(ctx, type_of(about), about->width, about->height,
                                          hol__drawing_paper(about->dark));
    char clock[96], t[80];
    const double time = hol__movie_time(drawing->movie, row);
    snprintf(clock, sizeof clock, "t = %s",
             hol__movie_clock(drawing->movie, time, clock_decimals(drawing->movie), t, sizeof t));
    if (canvas && !hol__drawing_draw(drawing, row, canvas)) {
        hol__canvas_free(canvas);
        canvas = NULL;
    }
    if (canvas) hol__drawing_caption(drawing, canvas, about->height, clock);
    return hol__picture_write(ctx, canvas, path);
}

/* All pictures from one time to another. */
static hol_status write_frames(hol__movie *movie, const char *result, const hol_frames *about,
                               const char *folder, int *n) {
    hol__geometry geometry;
    hol__loads loads;
    if (!hol__geometry_init(&geometry, movie)) return HOL_ERR_MEMORY;
    hol__drawing drawing = {.movie = movie, .geometry = &geometry, .dark = about->dark};
    hol__camera_init(&drawing.camera, &geometry, about->width, about->height);
    hol__drawing_show(&drawing, movie, &loads, about->show);
    double from = about->from, to = about->to;
    const hol_status span = hol__movie_span(movie, &from, &to);
    if (span) return span;
    const double count = floor((to - from) * about->rate + 1e-9) + 1;
    if (!(count <= MAX_FRAMES))
        return hol__report(movie->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "%.0f frames are too many (at most %d); ask for fewer per second", count,
                           MAX_FRAMES);
    for (int i = 0; i < (int)count; i++) {
        char *path = hol__arena_format(&movie->arena, "%s/frame_%05d.%s", folder, i,
                                       hol__canvas_ending(type_of(about)));
        hol_status status = path ? hol__out_none_of(movie->ctx, path, 1, &result) : HOL_ERR_MEMORY;
        if (!status)
            status = write_frame(&drawing, about, hol__movie_nearest(movie, from + i / about->rate),
                                 path);
        if (status) return status;
        *n = i + 1;
    }
    return HOL_OK;
}

hol_status hol_frames_write(hol_context *ctx, const char *result, const hol_frames *frames,
                            const char *folder, int *n) {
    static const char call[] = "hol_frames_write";
    if (!ctx || hol__need(ctx, call, "the count to fill", n)) return HOL_ERR_ARGUMENT;
    *n = 0;
    if (hol__need(ctx, call, "the result", result) ||
        hol__need(ctx, call, "what to write", frames) || hol__need(ctx, call, "the folder", folder))
        return HOL_ERR_ARGUMENT;
    hol_frames about = *frames;
    hol__movie movie;
    if (!(about.rate > 0)) about.rate = 25;
    if (!about.width) about.width = 800;
    if (!about.height) about.height = 600;
    if (about.width < 50 || about.height < 50 || about.width > MAX_SIDE || about.height > MAX_SIDE)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a picture is 50 to %d pixels wide and high", MAX_SIDE);
    hol_status status = hol__canvas_check(ctx, type_of(&about), folder);
    if (status) return status;
    status = hol__movie_open(&movie, ctx, result);
    if (!status) status = write_frames(&movie, result, &about, folder, n);
    hol__movie_free(&movie);
    return status;
}
