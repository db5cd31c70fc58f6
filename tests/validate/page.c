/* page.c: README.md and index.html of docs/validation, with the same contents: a summary, the
 * benchmarks of the IFToMM library with their times, and a part for each mechanism. */
#include "validate.h"

#include "format.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const char *const moods[] = {"pass", "gap", "fail"};

static void put_summary(page *p, const table *t) {
    static const char *const heads[] = {"mechanism",       "verdict",  "rows",        "passed",
                                        "errors of these", "instants", "reference by"};
    page_table(p, 7, heads, 1, 1);
    for (int i = 0; i < t->n; i++) {
        const subject *s = &t->subjects[i];
        if (!s->n_rows) continue;
        const tally c = tally_subject(s);
        double worst = 0, best = INFINITY;
        for (int k = 0; k < s->n_rows; k++) {
            if (s->rows[k].verdict != VERDICT_PASS) continue;
            worst = fmax(worst, s->rows[k].worst);
            best = fmin(best, s->rows[k].worst);
        }
        char link[TEXT_SIZE], instants[32], rows[32], passed[32], error[32], said[64];
        const verdict v = c.rows[VERDICT_FAIL] || c.listed[VERDICT_FAIL] ? VERDICT_FAIL
                          : c.rows[VERDICT_GAP]                          ? VERDICT_GAP
                                                                         : VERDICT_PASS;
        page_link(s->title, link, sizeof link);
        snprintf(instants, sizeof instants, "%d", s->reference.n_t);
        snprintf(rows, sizeof rows, "%d", s->n_rows);
        snprintf(passed, sizeof passed, "%d", c.rows[VERDICT_PASS]);
        snprintf(error, sizeof error, best < worst ? "%.0e to %.0e" : "%.0e", best, worst);
        snprintf(said, sizeof said, "%s", moods[v]);
        if (v == VERDICT_GAP)
            snprintf(said, sizeof said, "%d gap%s", c.rows[v], c.rows[v] > 1 ? "s" : "");
        const char *const cells[] = {link, said, rows, passed, error, instants, s->by};
        page_row(p, cells, moods[v]);
    }
    page_table_end(p);
}

/* The rows marked `benchmark`: accuracy and time beside the published times. */
static void put_benchmarks(page *p, const table *t) {
    static const char *const heads[] = {"problem",         "run",   "error",
                                        "energy error, J", "steps", "processor time, s",
                                        "published times"};
    int any = 0;
    for (int i = 0; i < t->n; i++) {
        const subject *s = &t->subjects[i];
        for (int k = 0; k < s->n_rows; k++) {
            const row *r = &s->rows[k];
            char run[TEXT_SIZE], options[TEXT_SIZE / 2], error[32], energy[32], steps[32],
                seconds[32];
            if (!r->benchmark) continue;
            if (!any++) {
                page_heading(p, 2, "The benchmark library of IFToMM");
                page_text(
                    p, "Problems A01 to A05, with the accuracy and the time of runs of different "
                       "effort. Times are those of one core of the machine that wrote this page, "
                       "without reading and assembling; published times are those of their "
                       "authors' machines and accuracies, so that only powers of ten compare.");
                page_table(p, 7, heads, -1, 1);
            }
            row_options(r, options, sizeof options);
            snprintf(run, sizeof run, "%s, %s, %s", r->coordinates, r->integrator, options);
            snprintf(error, sizeof error, "%.1e", r->worst);
            snprintf(energy, sizeof energy, "%.1e", r->energy);
            snprintf(steps, sizeof steps, "%ld", r->steps);
            snprintf(seconds, sizeof seconds, "%.2g", r->seconds);
            const char *const cells[] = {
                s->title, run, error, energy, steps, seconds, s->published ? s->published : ""};
            page_row(p, cells, NULL);
        }
    }
    if (any) page_table_end(p);
}

static void put_listed(page *p, const subject *s) {
    static const char *const heads[] = {"quantity", "t, s", "in print", "independent program",
                                        "verdict"};
    if (!s->n_listed) return;
    page_table(p, 5, heads, 4, 0);
    for (int i = 0; i < s->n_listed; i++) {
        const listed *l = &s->listed[i];
        char time[32], value[40];
        snprintf(time, sizeof time, "%g", l->t);
        snprintf(value, sizeof value, "%.12g", l->computed);
        const char *const cells[] = {l->quantity, time, l->text, value,
                                     l->verdict == VERDICT_PASS  ? "agrees"
                                     : l->verdict == VERDICT_GAP ? "the print is wrong"
                                                                 : "differs"};
        page_row(p, cells, moods[l->verdict]);
    }
    page_table_end(p);
    int any = 0;
    for (int i = 0; i < s->n_listed; i++) {
        const listed *l = &s->listed[i];
        char text[2 * TEXT_SIZE];
        if (!l->wrong) continue;
        if (!any++) page_list(p, 1);
        snprintf(text, sizeof text, "%s at %g s: %s", l->quantity, l->t, l->wrong);
        page_item(p, text);
    }
    if (any) page_list(p, 0);
}

static void put_row(page *p, const row *r) {
    char options[TEXT_SIZE], error[32], allowed[32], at[2 * NAME_SIZE], steps[32];
    row_options(r, options, sizeof options);
    snprintf(error, sizeof error, "%.1e", r->worst);
    snprintf(allowed, sizeof allowed, "%.0e", r->allowed);
    snprintf(at, sizeof at, "%s, %g s", r->of->reference.names[r->worst_quantity], r->worst_t);
    snprintf(steps, sizeof steps, "%ld", r->steps);
    const char *const cells[] = {moods[r->verdict], r->method, r->coordinates,
                                 r->integrator,     options,   error,
                                 allowed,           at,        steps};
    page_row(p, cells, moods[r->verdict]);
}

static void put_gaps(page *p, const subject *s) {
    int any = 0;
    for (int i = 0; i < s->n_rows; i++) {
        const row *r = &s->rows[i];
        char text[4 * TEXT_SIZE], options[TEXT_SIZE];
        /* a cause that the rows before have too is said once */
        if (r->verdict == VERDICT_PASS || (i && r->gap && s->rows[i - 1].gap == r->gap)) continue;
        if (!any++) page_list(p, 1);
        row_options(r, options, sizeof options);
        snprintf(text, sizeof text, "%s, %s, %s, %s: %s%s%s", r->method, r->coordinates,
                 r->integrator, options, r->gap ? r->gap : "",
                 r->gap && r->message[0] ? " Message: " : "", r->message);
        page_item(p, text);
    }
    if (any) page_list(p, 0);
}

/* "four_bar" of "four_bar:fast". */
static int stem(const char *key) {
    return (int)strcspn(key, ":");
}

static void put_subject(page *p, const subject *s) {
    static const char *const heads[] = {"verdict",    "method",     "coordinates",
                                        "integrator", "settings",   "error",
                                        "allowed",    "largest at", "steps"};
    char text[6 * TEXT_SIZE], image[TEXT_SIZE], model[TEXT_SIZE];
    const reference *r = &s->reference;
    page_heading(p, 2, s->title);
    if (s->model)
        snprintf(model, sizeof model, "[`models/%s.yaml`](../../models/%s.yaml)", s->model,
                 s->model);
    else
        snprintf(model, sizeof model, "the output of `%s`", s->made_by);
    snprintf(text, sizeof text,
             "%s. Model: %s. Reference: %s, by "
             "[`tests/independent/%.*s.c`](../../tests/independent/%.*s.c). "
             "%d instants up to %g s.%s%s",
             s->source, model, s->by, stem(s->key), s->key, stem(s->key), s->key, r->n_t, s->end,
             s->about ? " " : "", s->about ? s->about : "");
    page_text(p, text);
    if (s->failure[0]) page_text(p, s->failure);
    int used = snprintf(text, sizeof text,
                        "Quantities, with what the reference may be off by and how "
                        "much the motion magnifies errors:");
    for (int k = 0; k < r->n && used < (int)sizeof text; k++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "%s `%s` (%.0e, %.0f)", k ? "," : "",
                     r->names[k], r->error[k], fmax(1, r->growth[k] / r->scale[k]));
    snprintf(text + used, sizeof text - (size_t)used, ".");
    page_text(p, text);
    put_listed(p, s);
    page_table(p, 9, heads, 0, 0);
    for (int k = 0; k < s->n_rows; k++) put_row(p, &s->rows[k]);
    page_table_end(p);
    put_gaps(p, s);
    snprintf(image, sizeof image, "images/%s.svg", s->key);
    for (char *c = image; *c; c++)
        if (*c == ':') *c = '-';
    snprintf(text, sizeof text, "%s: errors of the rows over time", s->title);
    page_picture(p, image, text);
}

static void put_head(page *p, const table *t) {
    char text[2 * TEXT_SIZE];
    const tally c = tally_all(t);
    page_begin(p, "Validation");
    snprintf(
        text, sizeof text,
        "%d mechanisms, %d rows: %d pass, %d are gaps with a stated cause%s. Of %d values in print "
        "%d agree with the independent programs, %d are wrong. `./dev validate` runs all of it and "
        "writes this page%s.",
        c.mechanisms, c.rows[0] + c.rows[1] + c.rows[2], c.rows[0], c.rows[1],
        c.rows[2] ? ", some FAIL" : "", c.listed[0] + c.listed[1] + c.listed[2], c.listed[0],
        c.listed[1], p->html ? "" : " and [the same as HTML](index.html)");
    page_text(p, text);
    page_text(
        p, "A reference is a closed form or a program of its own in `tests/independent/`: the "
           "mechanism in as "
           "few coordinates as it has freedoms, from its energies or from Euler's equations, "
           "integrated by "
           "an extrapolated formula of order 14 with steps of two lengths. These programs share no "
           "line with "
           "the library and run anew every time. Rows are runs of the library; their error is the "
           "largest "
           "difference to the reference over all instants and quantities, as a share of the "
           "largest value "
           "of the quantity. What is allowed is the accuracy that the row states, or what its "
           "error control "
           "leaves: the number of steps, times the tolerance, times the factor by which the motion "
           "magnifies errors of the start, as the independent program finds it.");
}

static int write_page(const table *t, const char *path, int html) {
    page p = {.file = fopen(path, "w"), .html = html};
    if (!p.file) return 0;
    put_head(&p, t);
    put_summary(&p, t);
    put_benchmarks(&p, t);
    for (int i = 0; i < t->n; i++)
        if (t->subjects[i].n_rows) put_subject(&p, &t->subjects[i]);
    page_end(&p);
    return fclose(p.file) == 0;
}

int pages_write(hol_context *ctx, const table *t, const char *folder) {
    char path[1024];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/images", folder);
    mkdir(path, 0777);
    for (int i = 0; i < t->n; i++) {
        if (!t->subjects[i].n_rows) continue;
        const int used = snprintf(path, sizeof path, "%s/images/", folder);
        snprintf(path + used, sizeof path - (size_t)used, "%s.svg", t->subjects[i].key);
        for (char *c = path + used; *c; c++)
            if (*c == ':') *c = '-';
        if (plot_subject(ctx, &t->subjects[i], path)) return 0;
    }
    snprintf(path, sizeof path, "%s/README.md", folder);
    if (!write_page(t, path, 0)) return 0;
    snprintf(path, sizeof path, "%s/index.html", folder);
    return write_page(t, path, 1);
}
