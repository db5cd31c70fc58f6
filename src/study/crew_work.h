/* crew_work.h: a study at work: what the files of the crew share. */
#ifndef HOL_STUDY_CREW_WORK_H
#define HOL_STUDY_CREW_WORK_H

#include "study/agenda.h"
#include "study/case_log.h"
#include "study/ranks.h"

typedef struct hol__crew {
    hol_study *study;
    const hol_study_options *options;
    hol__cases *cases;
    hol__case_log *log;
    hol__ranks *ranks;
    hol__agenda agenda;
    double begin;             /* the clock */
    double next_answer, told; /* when the next answer so far is due; and when a rank spoke last */
    long long found_failed;   /* of the cases that were found done */
    long long read, read_failed; /* cases of others that were read meanwhile */
    atomic_int stop;             /* of threads */
    hol_status status;           /* the first that ended it */
} hol__crew;

/* The work ends, for all. */
void hol__crew_end(hol__crew *all, hol_status status);

/* A case is done: into memory and the log. */
hol_status hol__crew_keep(hol__crew *all, const hol__outcome *outcome);

/* Say how far it is; the status is that of the caller, who may end it. */
hol_status hol__crew_report(hol__crew *all);

/* The cases that other ranks have written into their logs by now. */
hol_status hol__crew_read_others(hol__crew *all);

/* ---- threads.c, workers.c ---- */

/* The pieces of the agenda, by so many threads of this process, or by so many processes that this
 * one starts. */
hol_status hol__crew_threads(hol__crew *all, int threads);
hol_status hol__crew_processes(hol__crew *all, int processes);

#endif
