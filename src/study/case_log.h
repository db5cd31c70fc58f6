/* case_log.h: the cases that are done, on disk, one record after the other; see case_log.c. */
#ifndef HOL_STUDY_CASE_LOG_H
#define HOL_STUDY_CASE_LOG_H

#include "study/bench.h"

typedef struct hol__case_log hol__case_log;

/* Told of each record, in the order in which cases were done. */
typedef hol_status hol__case_log_fn(void *user, const hol__outcome *outcome);

/* How a log is opened: to go on with it, or to begin anew where it is a log; or to read what is in
 * it, which another process may be writing. */
typedef enum hol__case_log_mode {
    HOL__LOG_GO_ON,
    HOL__LOG_FRESH,
    HOL__LOG_READ
} hol__case_log_mode;

/* Open the log of a study, tell its records, and stay the one who writes it. *log is NULL after an
 * error, which is reported, and with HOL__LOG_READ. */
hol_status hol__case_log_open(const hol_study *study, const char *path, hol__case_log_mode mode,
                              hol__case_log_fn *fn, void *user, hol__case_log **log);

/* One more case, which is on disk after a quarter of a second or when the log is closed. */
hol_status hol__case_log_add(hol__case_log *log, const hol__outcome *outcome);

hol_status hol__case_log_close(hol__case_log *log);

/* Bytes of a record without a reason. */
size_t hol__case_log_size(const hol_study *study);

#endif
