/* study.h: many runs of one mechanism: factors that vary, responses that are kept, and what the
 * ones say about the others.
 *
 *     hol_study *study = hol_study_read(ctx, "tolerances.yaml");
 *     hol_study_options options = {
 *         .size = sizeof options, .threads = 4, .log = "tolerances.cases"};
 *     hol_answer *answer;
 *     hol_status status = hol_study_run(study, &options, &answer);
 *
 * A case is a set of values of the factors and the run with them. Its values follow from the study
 * and the number of the case alone, and its run from its values, so that the bits of all cases are
 * the same for any number of threads, in any order, and after any number of interruptions. Cases
 * that are done stand in a log on disk: a study that is started again goes on where it was.
 */
#ifndef HOLONOM_STUDY_H
#define HOLONOM_STUDY_H

#include "answer.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_study hol_study;

/* Read the file of a study, and the model that it names. NULL after errors, which name line and
 * column. */
hol_study *hol_study_read(hol_context *ctx, const char *path);

/* The same from memory; name stands for the file in messages, and the model is sought beside it. */
hol_study *hol_study_read_text(hol_context *ctx, const char *text, const char *name);
void hol_study_free(hol_study *study);

typedef struct hol_study_info {
    size_t size;        /* sizeof(hol_study_info), set by the caller */
    const char *title;  /* what the file says, or its name */
    const char *model;  /* the model file; "" where responses are formulas of the factors alone */
    const char *design; /* "full", "sobol" … */
    long long cases;
    int n_factors, n_responses;
    double log_bytes; /* of the log when all cases are done, without messages of failures */
    double max_steps, max_seconds; /* that a case may take; 0: any number */
} hol_study_info;

hol_status hol_study_describe(const hol_study *study, hol_study_info *info);

/* Factor i and response i: name, unit, and what it is in words; NULL past the end. */
const hol_column *hol_study_factor(const hol_study *study, int i);
const hol_column *hol_study_response(const hol_study *study, int i);

/* The values of the factors in case k (from 0), in SI units; of words, their number in the list of
 * the file. */
hol_status hol_study_values(const hol_study *study, long long k, double *values);

/* The simulation of case k, at its start, to be run and recorded as any other. It belongs to the
 * study, until the next call. NULL, with messages, where there is none. */
hol_sim *hol_study_sim(hol_study *study, long long k);

/* The cases whose whole motions the study asks to keep (its section `keep`), as its answer decides:
 * run them with hol_study_sim. How many of them stand in `cases`, `most` at the most. */
int hol_study_kept(const hol_study *study, const hol_answer *answer, int most, long long *cases);

/* How far a study is. */
typedef struct hol_study_state {
    size_t size; /* sizeof(hol_study_state), set by the library */
    long long cases, done, failed;
    long long found;  /* of those that are done, before this start */
    double elapsed;   /* seconds since then */
    double remaining; /* as many more, about; NaN while nothing is known */
    int rank, ranks; /* of the processes of an MPI job; 0 and 1 without one. The first of them knows
                       * of all cases, the others of their own */
} hol_study_state;

/* Called by the thread that runs the study, after each case of its own, or several times a second
 * where other processes run them, and at the end. Anything but HOL_OK ends the study: cases that
 * are being run are given up, those that are done stay in the log. */
typedef hol_status hol_study_fn(void *user, const hol_study_state *state);

/* Called by the same thread while the study runs, about once a second, less often where that would
 * take more than 1 % of the time: the answer of the cases so far, which lasts until the call ends.
 * Anything but HOL_OK ends the study. */
typedef hol_status hol_study_answer_fn(void *user, const hol_answer *so_far);

/* How it is run; zeros are the defaults. */
typedef struct hol_study_options {
    size_t size;     /* sizeof(hol_study_options), set by the caller */
    int threads;     /* 0: one */
    const char *log; /* the file of the cases that are done; NULL: none is kept */
    int fresh;       /* begin anew where there is a log */
    int so_far;      /* run nothing: the answer of what is in the log, which may be being written */
    hol_study_fn *on_progress;
    void *user;
    /* So many processes that run the cases, copies of this one (fork): where a case crashes, or
     * somebody kills a process, another one takes its place, and nothing is lost but the case that
     * it was at, which is run again; after three deaths it is recorded as failed. 0: threads of
     * this process run them, and so in an MPI job, whose processes cannot be copied. */
    int processes;
    hol_study_answer_fn *on_answer;
} hol_study_options;

/* Run the cases that the log does not hold. *out: an answer with the tables cases, summary, … of
 * those that are done, also when it was ended early. Messages go to the context of the study, which
 * the answer keeps. Cases that fail are no failure of the study: the table `failures` tells them.
 *
 * Processes that mpirun has started share the cases of the study, by one log each, "x.cases",
 * "x.cases.1" …, on a disk that all of them see; the first of them makes the answer, and the others
 * receive HOL_OK and NULL. */
hol_status hol_study_run(hol_study *study, const hol_study_options *options, hol_answer **out);

/* Design i: its name and one line; NULL past the end. */
const char *hol_study_design(int i, const char **title);

#ifdef __cplusplus
}
#endif
#endif
