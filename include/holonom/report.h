/* report.h: results to look at: a page with the mechanism in motion, charts for papers, pictures of
 * the mechanism.
 *
 * A page is one file that needs nothing else: no server and no network. What a model or a result
 * says in its texts is data in it and never script. Pictures are SVG or PNG by the end of their
 * name.
 */
#ifndef HOLONOM_REPORT_H
#define HOLONOM_REPORT_H

#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A page of n result files, compared where there are several. A file of a run that was killed gives
 * a page that says so. */
hol_status hol_report_write(hol_context *ctx, int n, const char *const *results, const char *path);

/* A page of the mechanism as it stands, without a run. */
hol_status hol_report_view(hol_sim *sim, const char *path);

/* A chart of columns of result files: each named column of each file, against time or against
 * another column. */
typedef struct hol_chart {
    int n_results;
    const char *const *results; /* file names */
    int n_columns;
    const char *const *columns;
    const char *x;     /* the column along the horizontal axis; NULL: time */
    const char *title; /* NULL: none */
    int log_y;         /* logarithms of |y| */
    int width, height; /* in pixels; 0: 800 by 500 */
} hol_chart;

hol_status hol_chart_write(hol_context *ctx, const hol_chart *chart, const char *path);

/* Pictures of the mechanism, evenly spaced in time. */
typedef struct hol_frames {
    double from, to;   /* in seconds; both 0: the whole result */
    double rate;       /* pictures a second of the result's time; 0: 25 */
    int width, height; /* in pixels; 0: 800 by 600 */
    int png;           /* PNG instead of SVG */
    int dark;          /* light lines on a dark ground */
} hol_frames;

/* Write frame_00000.svg, … into an existing folder; *n receives how many. */
hol_status hol_frames_write(hol_context *ctx, const char *result, const hol_frames *frames,
                            const char *folder, int *n);

/* A stroboscopic picture: poses of the mechanism over each other, the older ones paler. */
typedef struct hol_strobe {
    double from, to; /* in seconds; both 0: the whole result */
    double every;    /* the time between two poses */
    int n_times;     /* instead of these: */
    const double *times;
    int width, height; /* in pixels; 0: 800 by 600 */
    int dark;          /* light lines on a dark ground */
} hol_strobe;

/* Write it; each pose is the record nearest to its time, and *n receives how many there are. */
hol_status hol_strobe_write(hol_context *ctx, const char *result, const hol_strobe *strobe,
                            const char *path, int *n);

#ifdef __cplusplus
}
#endif
#endif
