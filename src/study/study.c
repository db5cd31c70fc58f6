/* study.c: the public calls. See holonom/study.h. */
#include "study/study.h"

#include "base/argument.h"
#include "base/give.h"
#include "common/clock.h"
#include "study/answer.h"
#include "study/case_log.h"
#include "study/design.h"

#include <string.h>

/* A study of a document, which it takes over; NULL after errors. */
static hol_study *make(hol_context *ctx, hol_document *document, const char *name) {
    hol_study *study = document ? hol__alloc(ctx, 1, sizeof *study) : NULL;
    if (!study) {
        hol_document_free(document);
        return NULL;
    }
    study->ctx = ctx;
    study->document = document;
    study->n_variants = 1;
    hol__arena_init(&study->arena, ctx);
    const hol_status status = hol__study_read(study, name);
    if (!status) return study;
    if (status == HOL_ERR_MEMORY && hol_message_count_of(ctx, HOL_ERROR) == 0)
        hol__report(ctx, HOL_ERROR, status, NULL, NULL, "out of memory");
    hol_study_free(study);
    return NULL;
}

hol_study *hol_study_read(hol_context *ctx, const char *path) {
    if (!ctx || hol__need(ctx, "hol_study_read", "the path", path)) return NULL;
    return make(ctx, hol_document_read(ctx, path), path);
}

hol_study *hol_study_read_text(hol_context *ctx, const char *text, const char *name) {
    if (!ctx || hol__need(ctx, "hol_study_read_text", "the text", text)) return NULL;
    if (!name || !*name) name = "study";
    return make(ctx, hol_document_read_text(ctx, text, name), name);
}

void hol_study_free(hol_study *study) {
    if (!study) return;
    hol__bench_free(study->shown);
    hol_spec_free(study->spec);
    hol_document_free(study->document);
    hol__arena_free(&study->arena);
    hol__release(study->ctx, study);
}

/* ---- questions ---- */

hol_status hol_study_describe(const hol_study *s, hol_study_info *info) {
    if (!s) return HOL_ERR_ARGUMENT;
    const hol_status status = hol__need(s->ctx, "hol_study_describe", "where it goes", info);
    if (status) return status;
    const hol_study_info all = {.size = sizeof all,
                                .title = s->title,
                                .model = s->model_path,
                                .design = s->design->name,
                                .cases = s->cases,
                                .n_factors = s->n_factors,
                                .n_responses = s->n_responses,
                                .log_bytes = (double)hol__case_log_size(s) * (double)s->cases,
                                .max_steps = s->max_steps,
                                .max_seconds = s->max_seconds};
    return hol__give(s->ctx, "hol_study_describe", &all, sizeof all, info);
}

const hol_column *hol_study_factor(const hol_study *s, int i) {
    return s && i >= 0 && i < s->n_factors ? &s->factors[i].about : NULL;
}

const hol_column *hol_study_response(const hol_study *s, int i) {
    return s && i >= 0 && i < s->n_responses ? &s->responses[i].about : NULL;
}

const char *hol_study_design(int i, const char **title) {
    const hol__design *design = hol__design_get(i);
    if (title) *title = design ? design->title : NULL;
    return design ? design->name : NULL;
}

/* Whether there is a case of that number. */
static hol_status need_case(const hol_study *s, const char *call, long long k) {
    if (k >= 0 && k < s->cases) return HOL_OK;
    return hol__report(s->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "there is no case %lld; the study has %lld, from 0", k, s->cases);
}

hol_status hol_study_values(const hol_study *s, long long k, double *values) {
    if (!s) return HOL_ERR_ARGUMENT;
    hol_status status = need_case(s, "hol_study_values", k);
    if (!status) status = hol__need(s->ctx, "hol_study_values", "where they go", values);
    if (!status) hol__study_values(s, k, values);
    return status;
}

hol_sim *hol_study_sim(hol_study *s, long long k) {
    if (!s || need_case(s, "hol_study_sim", k)) return NULL;
    if (!s->spec) {
        hol__report(s->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_study_sim",
                    "this study has no model: its responses are formulas of the factors");
        return NULL;
    }
    if (!s->shown) s->shown = hol__bench_new(s->ctx, s);
    return s->shown ? hol__bench_sim(s->shown, k) : NULL;
}

/* ---- runs ---- */

hol_status hol_study_run(hol_study *s, const hol_study_options *options, hol_answer **out) {
    hol_study_options how = {.size = sizeof how};
    hol__cases cases;
    int leads = 1;
    if (out) *out = NULL;
    if (!s) return HOL_ERR_ARGUMENT;
    hol_status status = hol__need(s->ctx, "hol_study_run", "where the answer goes", out);
    if (status) return status;
    if (options) memcpy(&how, options, options->size < sizeof how ? options->size : sizeof how);
    const int few = how.threads < 0 || how.processes < 0;
    if (few || (how.so_far && (!how.log || how.fresh)))
        return hol__report(s->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_study_run",
                           few ? "threads and processes must be 0 or more"
                               : "what was done so far is read from a log, which is "
                                 "needed, and not begun anew");
    const double begin = hol__clock_wall();
    status = hol__cases_init(&cases, s);
    if (!status) status = hol__crew_run(s, &how, &cases, &leads);
    /* what is done is told in any case */
    if (leads && (!status || status == HOL_ERR_INTERRUPTED || cases.done)) {
        const hol_status told = hol__study_answer(s, &cases, hol__clock_wall() - begin, out);
        if (!status) status = told;
    }
    hol__cases_free(&cases);
    return status;
}
