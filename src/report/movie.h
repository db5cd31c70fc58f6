/* movie.h: one result as the report sees it: the model that it was made with, the motion, and the
 * columns. */
#ifndef HOL_REPORT_MOVIE_H
#define HOL_REPORT_MOVIE_H

#include "io/format.h"

/* Arrays over records; NULL where the result has none. The motion may have fewer records than the
 * columns. */
typedef struct hol__movie {
    hol_context *ctx;   /* of the caller */
    hol_context *quiet; /* of what is read here, so that its messages stay here */
    hol_result *result;
    hol_model *own_model;   /* compiled from the text in the result */
    const hol_model *model; /* NULL when there is none */
    const char *file;       /* without its folder */
    const char *trouble;    /* why the mechanism cannot be drawn in full, or NULL */
    int rows;               /* records of the motion */
    hol_unit time_unit;     /* in which the result shows the time; it is in seconds here */
    int n_bodies, n_joints, n_forces;
    double *position, *quaternion;                    /* bodies: 3 and 4 numbers each */
    double *joint_point, *joint_force, *joint_moment; /* joints: 3 numbers each */
    double *joint_unique;                             /* joints: 1 number each */
    double *force_point, *force_force, *force_moment; /* forces: 3 numbers each */
    hol__arena arena;
} hol__movie;

/* Read a result file; reports errors. A movie that was not read can be freed too. */
hol_status hol__movie_read(hol__movie *movie, hol_context *ctx, const char *path);

/* The same, and an error where there is no motion to draw. */
hol_status hol__movie_open(hol__movie *movie, hol_context *ctx, const char *path);

/* One record: the simulation as it stands, with its equations solved. */
hol_status hol__movie_of_sim(hol__movie *movie, hol_sim *sim);

void hol__movie_free(hol__movie *movie);

/* The time of a record, in seconds; the last record that is not later than t. */
double hol__movie_time(const hol__movie *movie, int row);
int hol__movie_row(const hol__movie *movie, double t);

/* "0.35 s" as the result shows it, into buf: so many decimals of its unit, or (negative) so many
 * digits. Returns buf. */
const char *hol__movie_clock(const hol__movie *movie, double t, int decimals, char *buf,
                             size_t size);

/* The record nearest to a time. */
int hol__movie_nearest(const hol__movie *movie, double t);

/* Cut from … to (both 0: everything) to what the movie has; an error where nothing is left. */
hol_status hol__movie_span(const hol__movie *movie, double *from, double *to);

/* Whether the run came to its end: by time, or by its own stop. */
int hol__movie_is_complete(const hol__movie *movie);

/* The pose of a body (n_bodies: ground) at a record. */
hol_pose hol__movie_pose(const hol__movie *movie, int row, int body);

/* out = r + R s */
void hol__pose_point(const hol_pose *pose, const double s[3], double out[3]);

#endif
