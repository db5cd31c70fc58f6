/* study.h: a study as it was read: what varies, how cases are chosen, what is kept of each. */
#ifndef HOL_STUDY_STUDY_H
#define HOL_STUDY_STUDY_H

#include "analysis/goal.h"
#include "base/answer.h"
#include "study/factor.h"

#include <holonom/document.h>
#include <holonom/study.h>
#include <holonom/varied.h>

#include <stdint.h>

typedef struct hol__design hol__design;

/* A number of each case: a goal of its run, or a formula over factors and responses before it. */
typedef struct hol__response {
    hol_column about; /* name, unit, text */
    hol_location where;
    int goal;   /* its number among the goals; -1: a formula */
    int yields; /* a condition of the section `accept` */
} hol__response;

struct hol_study {
    hol_context *ctx;
    hol__arena arena;
    hol_document *document;
    const char *title, *model_path;
    uint64_t mark;  /* a hash of all that decides the cases and their runs */
    hol_spec *spec; /* NULL: formulas alone */

    int n_factors;
    hol__factor *factors;
    int n_numbers;  /* factors that are numbers of the model … */
    int *numbers;   /* … and which */
    int n_words;    /* those that are words … */
    int *words;     /* … and which */
    int n_variants; /* combinations of the words, each with a description of its own; 1 without */
    const double *table; /* design `table`: the factors, row after row */

    const hol__design *design;
    long long asked; /* cases, or points, that the file asks for; 0: the design knows */
    long long cases;
    uint64_t seed;

    int n_goals;
    hol_goal *goals;
    int n_responses;
    hol__response *responses;

    int n_kept, n_kept_extremes, kept_failures; /* the section `keep`: cases, responses */
    long long *kept;
    int *kept_extremes;

    double max_steps, max_seconds, max_bytes;
    struct hol__bench *shown; /* of hol_study_sim */

    const struct hol__runner *runner; /* what runs cases; NULL: the mechanism */
    void *runs;                       /* its self */
};

/* ---- read.c ---- */

/* An error at an item of the file. */
hol_status hol__study_error(hol_study *study, const hol_item *item, const char *format, ...)
    HOL__PRINTF(3, 4);

/* HOL_ERR_INPUT where the map has a key that is not among the words (NULL at the end). */
hol_status hol__study_keys(hol_study *study, const hol_item *map, const char *const *words);

/* A positive number of a key, without a unit or in seconds; 0 where it is not there. */
hol_status hol__study_number(hol_study *study, const hol_item *map, const char *key,
                             const char *unit, double *value);

/* A file that is sought in the folder of the study of that name; text of the arena. */
char *hol__study_beside(hol_study *study, const char *name, const char *path);

hol_status hol__study_read(hol_study *study, const char *name);

/* The sections of the file, each in a file of its own. */
hol_status hol__study_read_factors(hol_study *study, const hol_item *root);
hol_status hol__study_read_design(hol_study *study, const hol_item *root);
hol_status hol__study_read_responses(hol_study *study, const hol_item *root);
hol_status hol__study_read_keep(hol_study *study, const hol_item *root);

/* ---- responses.c ---- */

/* The names that formulas may use where the first `responses` are known; how many. */
int hol__formula_names(const hol_study *study, int responses, const char **names);

/* A formula over what response i may use, of cases whose columns these are; messages go to ctx. */
hol_status hol__response_formula(const hol_study *study, hol_context *ctx, int i, const char *text,
                                 int rows, double *const *factors, double *const *responses,
                                 double *out);

/* The responses that are formulas, of cases whose factors and goals are columns: factors[j][row],
 * responses[i][row]. */
hol_status hol__responses_evaluate(hol_study *study, int rows, double *const *factors,
                                   double *const *responses);

/* ---- variant.c ---- */

/* The description of the combination `variant` of the words, for a context; its values of numbers
 * may be anything. NULL after errors. */
hol_spec *hol__study_variant(const hol_study *study, hol_context *ctx, int variant);

/* Which combination the values of a case are. */
int hol__study_variant_of(const hol_study *study, const double *values);

#endif
