/* write_page.c: a page of one or several results: the page that was built in, with their data
 * inside. */
#include <holonom/report.h>

#include "io/out_file.h"
#include "base/argument.h"
#include "base/bytes.h"
#include "report/page.h"
#include "report/payload.h"

#include <holonom/version.h>

#include <stdio.h>

/* Add one result to the payload. */
static hol_status add(hol__payload *payload, hol__movie *movie) {
    hol__geometry geometry;
    if (!hol__geometry_init(&geometry, movie)) return HOL_ERR_MEMORY;
    hol__payload_add(payload, movie, &geometry);
    return HOL_OK;
}

/* [key of the text in a result, title, whether it belongs to the head] of each statistic to
 * show. */
static void put_statistics(hol__json *json) {
    const hol_statistic *row;
    hol__json_open(json, "statistics", '[');
    for (int i = 0; (row = hol_statistic_get(i)); i++) {
        const int in_head = (row->show & HOL_SHOW_HEAD) != 0;
        char key[128];
        if (!(row->show & HOL_SHOW_REPORT)) continue;
        snprintf(key, sizeof key, "%s%s", in_head ? "" : "statistics.",
                 row->stored ? row->stored : row->key);
        hol__json_open(json, NULL, '[');
        hol__json_text(json, NULL, key);
        hol__json_text(json, NULL, row->title);
        hol__json_bool(json, NULL, in_head);
        hol__json_close(json, ']');
    }
    hol__json_close(json, ']');
}

/* Begin and end the JSON text. */
static void open_json(hol__json *json) {
    hol__json_open(json, NULL, '{');
    hol__json_text(json, "version", hol_version());
    put_statistics(json);
    hol__json_open(json, "results", '[');
}

static void close_json(hol__json *json) {
    hol__json_close(json, ']');
    hol__json_close(json, '}');
}

/* Write the page around the payload. */
static hol_status write_page(hol_context *ctx, hol__payload *payload, const char *path) {
    hol__page page;
    hol__text coded;
    if (!hol__page_get(ctx, &page)) return HOL_ERR_FEATURE;
    close_json(&payload->json);
    hol__text_init(&coded, ctx);
    hol__base64(&coded, payload->bytes.data, payload->bytes.length);
    hol_status status = HOL_ERR_MEMORY;
    if (!payload->text.failed && !payload->bytes.failed && !coded.failed) {
        const hol__piece pieces[] = {{page.head, page.head_size},
                                     {payload->text.data, payload->text.length},
                                     {page.middle, page.middle_size},
                                     {coded.data, coded.length},
                                     {page.tail, page.tail_size}};
        status = hol__out_write(ctx, path, pieces, (int)(sizeof pieces / sizeof *pieces));
    }
    hol__text_free(&coded);
    return status;
}

hol_status hol_report_write(hol_context *ctx, int n, const char *const *results, const char *path) {
    static const char call[] = "hol_report_write";
    hol__payload payload;
    hol__page page;
    if (!ctx || hol__need_texts(ctx, call, "results", n, results) ||
        hol__need(ctx, call, "the path", path))
        return HOL_ERR_ARGUMENT;
    if (!hol__page_get(ctx, &page)) return HOL_ERR_FEATURE;
    hol_status status = hol__out_none_of(ctx, path, n, results);
    if (status) return status;
    hol__payload_init(&payload, ctx, n);
    open_json(&payload.json);
    hol__movie first = {.ctx = NULL};
    for (int i = 0; i < n && !status; i++) {
        hol__movie movie;
        status = hol__movie_read(&movie, ctx, results[i]);
        /* columns of one name are drawn in one plot: in the units of the first result */
        if (!status && i) status = hol__result_follow(movie.result, first.result, results[i]);
        if (!status) status = add(&payload, &movie);
        if (i == 0)
            first = movie;
        else
            hol__movie_free(&movie);
    }
    hol__movie_free(&first);
    if (!status) status = write_page(ctx, &payload, path);
    hol__payload_free(&payload);
    return status;
}

hol_status hol_report_view(hol_sim *sim, const char *path) {
    hol_context *ctx = hol_sim_context(sim);
    if (!ctx || hol__need(ctx, "hol_report_view", "the path", path)) return HOL_ERR_ARGUMENT;
    hol__payload payload;
    hol__movie movie;
    hol__payload_init(&payload, ctx, 1);
    open_json(&payload.json);
    hol_status status = hol__movie_of_sim(&movie, sim);
    if (!status) status = add(&payload, &movie);
    if (!status) status = write_page(ctx, &payload, path);
    hol__movie_free(&movie);
    hol__payload_free(&payload);
    return status;
}
