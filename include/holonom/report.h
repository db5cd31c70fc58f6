/* report.h: results to look at: a page with the mechanism in motion, charts for papers, pictures of
 * the mechanism, glTF files of its motion.
 *
 * A page is one file that needs nothing else: no server and no network. What a model or a result
 * says in its texts is data in it and never script. Pictures are SVG or PNG by the end of their
 * name.
 */
#ifndef HOLONOM_REPORT_H
#define HOLONOM_REPORT_H

#include "answer.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A page of n result files, compared where there are several. A file of a run that was killed gives
 * a page that says so. */
hol_status hol_report_write(hol_context *ctx, int n, const char *const *results, const char *path);

/* A page of the mechanism as it stands, without a run. */
hol_status hol_report_view(hol_sim *sim, const char *path);

/* A page of the answer of an analysis: facts, tables and charts; of a study with charts that are
 * linked, where the library was built with the report page. */
hol_status hol_report_answer(hol_context *ctx, const hol_answer *answer, const char *path);

/* Numbers that are drawn as one curve, or as bars of one colour. */
typedef struct hol_series {
    const char *name; /* in the legend; NULL: none */
    const char *unit; /* of y */
    int n;
    const double *x, *y; /* bars do not read x */
    int color, dash;     /* counted from 0 */
} hol_series;

typedef enum hol_figure_kind {
    HOL_FIGURE_LINES,
    HOL_FIGURE_POINTS, /* lines with their points */
    HOL_FIGURE_BARS,   /* from zero; bar i of each series beside the others */
    HOL_FIGURE_DOTS    /* points without lines */
} hol_figure_kind;

/* A figure for a paper, with at most two units: that of the left and that of the right axis. */
typedef struct hol_figure {
    int n_series;
    const hol_series *series;
    hol_figure_kind kind;
    const char *x_name, *x_unit, *y_name, *right_name; /* of the axes; NULL: none */
    const char *title;                                 /* NULL: none */
    const char *const *labels;                         /* of the bars; NULL: none */
    int log_x, log_y;                                  /* logarithms of |x| and |y| */
    int widen_x;      /* begin and end the horizontal axis at round numbers */
    double low, high; /* of the vertical axis; both 0: as the values need */
    int equal;        /* lengths along both axes have one scale; for one unit, without logarithms */
} hol_figure;

/* Write n figures one below the other; width and height of each in pixels, 0: 800 by 500. */
hol_status hol_figures_write(hol_context *ctx, int n, const hol_figure *figures, int width,
                             int height, const char *path);

/* A chart of columns of result files: each named column of each file, against time or against
 * another column. A name may be an expression of columns: constraints.position_violation^2. */
typedef struct hol_chart {
    int n_results;
    const char *const *results; /* file names */
    const char *const *labels;  /* of the files in the legend; NULL: their names */
    int n_columns;
    const char *const *columns;
    const char *x;     /* the column along the horizontal axis; NULL: time */
    const char *title; /* NULL: none */
    int change;        /* differences from the first value */
    int points;        /* a disc at every record */
    int log_x, log_y;  /* logarithms of |x| and |y| */
    double low, high;  /* of the vertical axis; both 0: as the values need */
    int width, height; /* in pixels; 0: 800 by 500 */
    const char *name;  /* beside the vertical axis; NULL: that of the column */
    const char *units; /* see hol_result_set_units; NULL: those of the first result */
} hol_chart;

hol_status hol_chart_write(hol_context *ctx, const hol_chart *chart, const char *path);

/* What is shown beside the mechanism: trails of measured points (of mass centres where none is
 * measured), reactions and forces as arrows, the axes of the bodies' frames. */
enum {
    HOL_MOTION_TRAILS = 1,
    HOL_MOTION_REACTIONS = 2,
    HOL_MOTION_FORCES = 4,
    HOL_MOTION_BARE = 8, /* none of these */
    HOL_MOTION_AXES = 16
};

/* Pictures of the mechanism, evenly spaced in time. */
typedef struct hol_frames {
    double from, to;   /* in seconds; both 0: the whole result */
    double rate;       /* pictures a second of the result's time; 0: 25 */
    int width, height; /* in pixels; 0: 800 by 600 */
    int png;           /* PNG instead of SVG */
    int dark;          /* light lines on a dark ground */
    unsigned show;     /* HOL_MOTION_... bits; 0: the mechanism alone */
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
    int names;         /* write the names of bodies and joints, at the last pose */
    int trails;        /* as HOL_MOTION_TRAILS in show */
    unsigned show;     /* HOL_MOTION_... bits, at the last pose; 0: the mechanism alone */
} hol_strobe;

/* Write it; each pose is the record nearest to its time, and *n receives how many there are. */
hol_status hol_strobe_write(hol_context *ctx, const char *result, const hol_strobe *strobe,
                            const char *path, int *n);

/* A picture of the mechanism as it stands, without a run; the times of the strobe are not read. */
hol_status hol_strobe_view(hol_sim *sim, const hol_strobe *strobe, const char *path);

/* The mechanism in motion as a glTF file. */
typedef struct hol_motion {
    double from, to; /* in seconds; both 0: the whole result */
    double rate;     /* key frames a second of the result's time; 0: every record, at most 20000 */
    double speed;    /* how much faster than the result it plays; 0: 1 */
    unsigned show;   /* HOL_MOTION_... bits; 0: trails */
} hol_motion;

/* Write it, binary where the name ends with .glb, as text where it ends with .gltf: a node for each
 * body, under its name, with solids that are those of pages and pictures; joints, springs and
 * roads; one animation. Metres and seconds; +y is up, as glTF has it. *n receives how many key
 * frames there are. */
hol_status hol_motion_write(hol_context *ctx, const char *result, const hol_motion *motion,
                            const char *path, int *n);

/* The mechanism as it stands, without a run, as such a file. */
hol_status hol_motion_view(hol_sim *sim, const char *path);

#ifdef __cplusplus
}
#endif
#endif
