/* validate.h: the table of validations, what its rows gave, and who does what:
 *
 *     table.c      reads tests/validation.yaml: mechanisms, listed values, rows
 *     reference.c  runs the independent program of a mechanism and reads what it prints
 *     run.c        makes the run of a row with the library and compares it
 *     work.c       shares the rows among threads
 *     page.c       writes the pages, Markdown and HTML; plot.c their pictures
 *     format.c     headings, tables and pictures in either format
 *     main.c       the program
 */
#ifndef VALIDATE_H
#define VALIDATE_H

#include <holonom/holonom.h>

#include <stdio.h>

enum { NAME_SIZE = 64, QUANTITIES = 8, TEXT_SIZE = 512 };

/* What the independent program printed: values[i * n + k] is quantity k at t[i]; how far it may
 * be off, by how much it magnifies errors of the start, and the largest |value| (1 where all are
 * 0). */
typedef struct reference {
    int n, n_t;
    char names[QUANTITIES][NAME_SIZE];
    double *t, *values;
    double error[QUANTITIES], growth[QUANTITIES], scale[QUANTITIES];
} reference;

typedef enum verdict { VERDICT_PASS, VERDICT_GAP, VERDICT_FAIL } verdict;

/* A value that a document or benchmark prints, compared with the independent program. */
typedef struct listed {
    double t;
    const char *quantity, *text; /* as it is written */
    const char *wrong;           /* why it is not right; NULL: it is expected to be right */
    double computed, unit;       /* a unit of its last digit */
    verdict verdict;
} listed;

struct subject;

/* One run: options of the simulation by name, what is demanded of it, and what it gave. */
typedef struct row {
    const struct subject *of;
    int n_options;
    const char *names[12], *options[12];
    double within;        /* largest error allowed; 0: what the error control leaves */
    double energy_within; /* of the energy balance, in J; 0: not asked */
    const char *gap;      /* why it is not met; NULL: it is expected to be met */
    int quick, benchmark; /* among the quick sample; in the table of benchmarks */
    /* results */
    verdict verdict;
    double *errors; /* by instant, over the scales; NaN where the run did not get */
    double worst, worst_t, allowed, energy; /* energy in J */
    int worst_quantity;
    long steps, evaluations;
    double seconds;                                                        /* of the processor */
    char method[NAME_SIZE], coordinates[NAME_SIZE], integrator[NAME_SIZE]; /* as they were chosen */
    char message[TEXT_SIZE]; /* of a run that failed */
} row;

/* A mechanism. */
typedef struct subject {
    const char *key, *title, *model, *made_by, *source, *by, *published, *about;
    double end, every;
    const hol_item *measures, *set, *arguments;
    reference reference;
    char failure[TEXT_SIZE]; /* of its independent program; "" */
    int n_listed, n_rows;
    listed *listed;
    row *rows;
} subject;

typedef struct table {
    hol_document *document; /* texts point into it */
    int n;
    subject *subjects;
} table;

/* Where things are, and what is asked. */
typedef struct setting {
    const char *root, *programs; /* the repository; the folder of the independent programs */
    const char *only;            /* the key of one mechanism; NULL: all */
    int quick, jobs;
} setting;

void *taken(size_t count, size_t size); /* memory, or the end of the program */
void table_read(hol_context *ctx, const char *path, table *out); /* or the end of the program */
void table_free(table *t);
void reference_make(const setting *set, subject *s); /* failure says what went wrong */
void listed_judge(subject *s);
void row_run(const setting *set, row *r);
void work(const setting *set, table *t);
void row_options(const row *r, char *out, size_t size); /* "tolerance 1e-10, correction direct" */
hol_status plot_subject(hol_context *ctx, const subject *s, const char *path);
/* Write README.md, index.html and images/ below the folder; 0 where that failed. */
int pages_write(hol_context *ctx, const table *t, const char *folder);
/* How many mechanisms, and by verdict how many rows and listed values. */
typedef struct tally {
    int mechanisms, rows[3], listed[3];
} tally;
tally tally_subject(const subject *s);
tally tally_all(const table *t);

#endif
