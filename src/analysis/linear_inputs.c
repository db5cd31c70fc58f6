/* linear_inputs.c: B, C, D and the frequency response in the answer of hol_linearize. */
#include "analysis/linearize.h"

#include "analysis/excite.h"
#include "analysis/observe.h"
#include "analysis/respond.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FREQUENCIES = 400 };

/* The system with its inputs and outputs. */
typedef struct ports {
    hol__small *s;
    int n_inputs, n_outputs;
    hol__excite *input;
    int *column;       /* of the outputs among those of the model */
    double *C;         /* of all columns */
    double **D0, **D1; /* by input, of all columns */
    hol__side in, out; /* names and units */
    int moves;         /* some input moves joints */
} ports;

/* ---- outputs ---- */

/* Mark the columns of one name: a measure or a column. */
static int mark(const hol_model *m, const char *name, unsigned char *wanted) {
    const size_t n = strlen(name);
    int found = 0;
    for (int i = 0; i < m->n_columns; i++) {
        const char *column = hol_model_measure(m, i)->name;
        if (strncmp(column, name, n) != 0 || (column[n] && column[n] != '.')) continue;
        wanted[i] = 1;
        found = 1;
    }
    return found;
}

static hol_status no_output(ports *x, const char *name) {
    const hol_model *m = x->s->model;
    return hol__report(x->s->arena.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       m->n_columns ? "there is no output '%s'; an output is a measure of the "
                                      "model, such as '%s'"
                                    : "there is no output '%s': the model has no measures; add a "
                                      "section 'measures'%s",
                       name, m->n_columns ? hol_model_measure(m, 0)->name : "");
}

static hol_status choose_outputs(ports *x, const hol_linearize_options *how) {
    const hol_model *m = x->s->model;
    hol__arena *arena = &x->s->matrices;
    unsigned char *wanted = HOL__NEW_N(arena, unsigned char, m->n_columns + 1);
    x->column = HOL__NEW_N(arena, int, m->n_columns + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    if (!how->n_outputs) memset(wanted, 1, (size_t)m->n_columns);
    for (int i = 0; i < how->n_outputs; i++)
        if (!mark(m, how->outputs[i], wanted)) return no_output(x, how->outputs[i]);
    for (int i = 0; i < m->n_columns; i++)
        if (wanted[i]) x->column[x->n_outputs++] = i;
    const hol_status status = hol__side_new(arena, x->n_outputs, &x->out);
    for (int i = 0; i < x->n_outputs && !status; i++) {
        x->out.name[i] = hol_model_measure(m, x->column[i])->name;
        x->out.unit[i] = hol_model_measure(m, x->column[i])->unit;
    }
    return status;
}

/* An output without a derivative that is asked for by name is an error; otherwise it is left out.
 * */
static hol_status drop_unknown(ports *x, const hol_linearize_options *how) {
    int kept = 0;
    for (int i = 0; i < x->n_outputs; i++) {
        const int column = x->column[i];
        double sum = 0;
        for (int k = 0; k < x->s->p.n; k++)
            sum += x->C[hol__area(k, x->s->model->n_columns) + (size_t)column];
        for (int j = 0; j < x->n_inputs; j++) sum += x->D0[j][column] + x->D1[j][column];
        if (isfinite(sum)) {
            x->column[kept] = column;
            x->out.name[kept] = x->out.name[i];
            x->out.unit[kept++] = x->out.unit[i];
        } else if (how->n_outputs)
            return hol__report(x->s->arena.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "output '%s' cannot be told: %s", x->out.name[i],
                               x->moves ? "accelerations and reactions follow the second "
                                          "derivative of an input that moves joints"
                                        : "it has no derivative here");
    }
    x->n_outputs = x->out.n = kept;
    return HOL_OK;
}

/* ---- matrices ---- */

/* The word for the coordinates of a model. */
static const char *coordinates_of(const hol_model *m) {
    return m->tree ? "relative" : m->items ? "natural" : "reference";
}

static hol_status make(ports *x, const hol_spec *spec, const hol_linearize_options *how) {
    hol__small *s = x->s;
    const hol_model *m = s->model;
    hol__arena *arena = &s->matrices;
    x->input = HOL__NEW_N(arena, hol__excite, how->n_inputs + 1);
    x->C = HOL__NEW_N(arena, double, hol__area(m->n_columns, s->p.n) + 1);
    x->D0 = HOL__NEW_N(arena, double *, how->n_inputs + 1);
    x->D1 = HOL__NEW_N(arena, double *, how->n_inputs + 1);
    hol_status status = hol__side_new(arena, how->n_inputs, &x->in);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < how->n_inputs && !status; i++) {
        x->D0[i] = HOL__NEW_N(arena, double, m->n_columns + 1);
        x->D1[i] = HOL__NEW_N(arena, double, m->n_columns + 1);
        if (arena->failed) return HOL_ERR_MEMORY;
        status = hol__excite_new(s, spec, coordinates_of(m), how->inputs[i], &x->input[i]);
        if (status) return status;
        x->n_inputs++;
        x->moves |= x->input[i].moves;
        x->in.name[i] = x->input[i].name;
        x->in.unit[i] = x->input[i].unit;
        status = hol__observe_input(s, &x->input[i], x->D0[i], x->D1[i]);
    }
    if (!status) status = hol__observe_states(s, x->C);
    return status;
}

/* One matrix over outputs or states and inputs. */
static void tell_B(hol_answer *answer, ports *x, const hol__side *rates, int order) {
    static const char *const names[] = {"B", "B1", "B2"},
                             *const titles[] = {"B, s' = A s + B u",
                                                "B1, of the rate of the inputs",
                                                "B2, of the second derivative of the inputs"};
    double *values = HOL__NEW_N(&x->s->matrices, double, hol__area(x->s->p.n, x->n_inputs) + 1);
    if (!values) return;
    for (int i = 0; i < x->n_inputs; i++)
        memcpy(values + hol__area(i, x->s->p.n), x->input[i].B[order],
               sizeof(double) * (size_t)x->s->p.n);
    hol__tell_matrix(answer, names[order], titles[order], rates, &x->in, values);
}

static void tell_D(hol_answer *answer, ports *x, int order) {
    double *values = HOL__NEW_N(&x->s->matrices, double, hol__area(x->n_outputs, x->n_inputs) + 1);
    if (!values) return;
    for (int i = 0; i < x->n_inputs; i++)
        for (int k = 0; k < x->n_outputs; k++)
            values[hol__area(i, x->n_outputs) + (size_t)k] =
                (order ? x->D1 : x->D0)[i][x->column[k]];
    hol__tell_matrix(answer, order ? "D1" : "D",
                     order ? "D1, of the rate of the inputs" : "D, outputs = C s + D u", &x->out,
                     &x->in, values);
}

static void tell_matrices(hol_answer *answer, ports *x, const hol__side *rates,
                          const hol__side *states) {
    const int n = x->s->p.n;
    double *C = HOL__NEW_N(&x->s->matrices, double, hol__area(x->n_outputs, n) + 1);
    for (int order = 0; order < (x->moves ? 3 : 1); order++) tell_B(answer, x, rates, order);
    for (int j = 0; C && j < n; j++)
        for (int k = 0; k < x->n_outputs; k++)
            C[hol__area(j, x->n_outputs) + (size_t)k] =
                x->C[hol__area(j, x->s->model->n_columns) + (size_t)x->column[k]];
    if (C) hol__tell_matrix(answer, "C", "C, outputs = C s + D u", &x->out, states, C);
    for (int order = 0; order < (x->moves ? 2 : 1); order++) tell_D(answer, x, order);
}

/* ---- response ---- */

/* The range of frequencies, in Hz: a decade beyond the eigenvalues. */
static void range(const hol__spectrum *spectrum, const hol_linearize_options *how, double *from,
                  double *to) {
    double low = INFINITY, high = 0;
    for (int k = 0; k < spectrum->n - spectrum->n_zero; k++) {
        const double f = hypot(spectrum->re[k], spectrum->im[k]) / (2 * acos(-1.0));
        low = fmin(low, f), high = fmax(high, f);
    }
    *from = how->frequency_from > 0 ? how->frequency_from : high > 0 ? low / 10 : 0.01;
    *to = how->frequency_to > 0 ? how->frequency_to : high > 0 ? high * 10 : 100;
}

/* Gains and phases at one frequency, by input and output. */
static void respond_at(ports *x, hol__respond *r, double f, double *gain, double *phase) {
    const double w = 2 * acos(-1.0) * f;
    gain[0] = phase[0] = f;
    for (int i = 0; i < x->n_inputs; i++) {
        const hol__excite *in = &x->input[i];
        hol__respond_states(r, w, in->B[0], in->moves ? in->B[1] : NULL,
                            in->moves ? in->B[2] : NULL);
        for (int k = 0; k < x->n_outputs; k++) {
            const int column = x->column[k], at = 1 + i * x->n_outputs + k;
            double re = x->D0[i][column], im = w * x->D1[i][column];
            for (int j = 0; j < r->n; j++) {
                const double c = x->C[hol__area(j, x->s->model->n_columns) + (size_t)column];
                re += c * r->x[j];
                im += c * r->y[j];
            }
            gain[at] = hypot(re, im);
            phase[at] = gain[at] > 0 ? atan2(im, re) : NAN;
        }
    }
}

/* Phases without jumps of a turn from row to row. */
static void unwrap(hol__sheet *sheet, int rows, int columns) {
    const double turn = 2 * acos(-1.0);
    for (int i = 1; i < rows; i++) {
        double *row = hol__sheet_row(sheet, i);
        const double *last = hol__sheet_row(sheet, i - 1);
        for (int j = 1; row && last && j < columns; j++)
            if (isfinite(last[j]) && isfinite(row[j]))
                row[j] -= turn * round((row[j] - last[j]) / turn);
    }
}

/* The unit of an output over that of an input. */
static const char *ratio(hol__arena *arena, const char *out, const char *in) {
    if (!*in) return out;
    return hol__arena_format(arena, strpbrk(in, "*/") ? "%s/(%s)" : "%s/%s", *out ? out : "1", in);
}

static hol_status tell_response(hol_answer *answer, ports *x, const hol__spectrum *spectrum,
                                const hol_linearize_options *how) {
    const int columns = 1 + x->n_inputs * x->n_outputs,
              n = how->n_frequencies > 1 ? how->n_frequencies : FREQUENCIES;
    hol__arena *arena = &x->s->matrices;
    hol__respond r;
    double from, to;
    range(spectrum, how, &from, &to);
    if (!(to > from))
        return hol__report(x->s->arena.ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "frequencies must rise: %.10g Hz … %.10g Hz", from, to);
    const hol_status status = hol__respond_new(x->s->A, x->s->p.n, arena, &r);
    if (status) return status;
    hol__sheet *gain = hol__answer_sheet(answer, "gain", "frequency response: gain", columns),
               *phase = hol__answer_sheet(answer, "phase", "frequency response: phase", columns);
    hol__sheet_column(gain, 0, "frequency", "Hz");
    hol__sheet_column(phase, 0, "frequency", "Hz");
    for (int i = 0; i < columns - 1; i++) {
        const int in = i / x->n_outputs, out = i % x->n_outputs;
        const char *name = hol__arena_format(arena, "%s / %s", x->out.name[out], x->in.name[in]),
                   *unit = ratio(arena, x->out.unit[out], x->in.unit[in]);
        if (!name || !unit) return HOL_ERR_MEMORY;
        hol__sheet_column(gain, 1 + i, name, unit);
        hol__sheet_column(phase, 1 + i, name, "rad");
    }
    for (int i = 0; i < n; i++) {
        double *g = hol__sheet_add(gain, NULL), *p = hol__sheet_add(phase, NULL);
        if (!g || !p) return HOL_ERR_MEMORY;
        respond_at(x, &r, from * pow(to / from, (double)i / (n - 1)), g, p);
    }
    unwrap(phase, n, columns);
    hol__sheet_plot(gain, 0, 1, 1);
    hol__sheet_plot(phase, 0, 1, 0);
    return HOL_OK;
}

hol_status hol__tell_inputs(hol_answer *answer, hol__small *s, const hol__spectrum *spectrum,
                            const hol_spec *spec, const hol_linearize_options *how) {
    ports x = {.s = s};
    hol__side rates, states;
    hol_status status = choose_outputs(&x, how);
    if (!status) status = make(&x, spec, how);
    if (!status) status = drop_unknown(&x, how);
    if (!status) status = hol__states_side(s, 1, &rates);
    if (!status) status = hol__states_side(s, 0, &states);
    if (!status) tell_matrices(answer, &x, &rates, &states);
    if (!status && x.n_outputs) status = tell_response(answer, &x, spectrum, how);
    for (int i = 0; i < x.n_inputs; i++) hol__excite_free(&x.input[i]);
    return status;
}
