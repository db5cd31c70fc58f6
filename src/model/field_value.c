/* field_value.c: the fields of parameters given back, as numbers and as the text of a model file.
 *
 * Numbers are in SI units; a point is global at the drawn position, a direction has length 1. An
 * expression that is not constant is given back as it was written, with the names of parameters in
 * it.
 */
#include "model/emit.h"
#include "model/fields.h"
#include "common/number.h"

#include <string.h>

/* The value of a field. */
static const void *value_of(const hol__params *params, const hol__key *key) {
    return (const char *)params + key->offset;
}

static int is_given(const hol__params *params, const hol__key *key) {
    for (int i = 0; i < params->n_given; i++)
        if (params->given[i].key == key) return 1;
    return 0;
}

/* ---- numbers ---- */

/* Copy what fits. */
static int put_numbers(const double *x, int count, double *out, int n) {
    if (n > 0) memcpy(out, x, sizeof(double) * (size_t)(count < n ? count : n));
    return count;
}

/* Laws that are all constant. */
static int put_laws(const hol__law *law, int count, double *out, int n) {
    for (int i = 0; i < count; i++)
        if (law[i].e) return -1;
    for (int i = 0; i < count && i < n; i++) out[i] = law[i].value;
    return count;
}

/* x and y of each point in turn. */
static int put_polygon(const hol__polygon *p, double *out, int n) {
    for (int i = 0; i < 2 * p->n && i < n; i++) out[i] = i % 2 ? p->y[i / 2] : p->x[i / 2];
    return 2 * p->n;
}

/* The components of each in turn. */
static int put_corners(const hol__corner_list *list, int dim, double *out, int n) {
    for (int i = 0; i < dim * list->n && i < n; i++) out[i] = list->x[i / dim][i % dim];
    return dim * list->n;
}

int hol__field_numbers(const hol_model *model, const hol__params *params, const hol__key *key,
                       double *out, int n) {
    const void *value = value_of(params, key);
    const int rows = model->dim == 2 ? 3 : 6;
    const hol__numbers *list = value;
    if (!is_given(params, key) && key->initial && !key->initial[0]) return 0;
    if (key->flags & HOL__AS_TEXT) return -1;
    switch (key->kind) {
    case HOL__KEY_NUMBER: return put_numbers(value, 1, out, n);
    case HOL__KEY_POINT:
    case HOL__KEY_VECTOR:
    case HOL__KEY_DIRECTION: return put_numbers(value, model->dim, out, n);
    case HOL__KEY_LAW:
    case HOL__KEY_TIME_LAW: return put_laws(value, 1, out, n);
    case HOL__KEY_LAWS: return put_laws(value, model->dim, out, n);
    case HOL__KEY_TURN:
        return model->dim == 2 ? put_laws((const hol__law *)value + 2, 1, out, n)
                               : put_laws(value, 3, out, n);
    case HOL__KEY_MATRIX: return put_numbers(value, rows * rows, out, n);
    case HOL__KEY_BY_ROW:
    case HOL__KEY_NUMBERS: return put_numbers(list->x, list->n, out, n);
    case HOL__KEY_CURVE: return put_polygon(value, out, n);
    case HOL__KEY_CORNERS: return put_corners(value, model->dim, out, n);
    default: return -1;
    }
}

/* ---- text ---- */

static void write_number(hol__text *out, double value) {
    char text[HOL__NUMBER_SIZE];
    hol__number_write(value, 0, text);
    hol__text_add(out, "%s", text);
}

static void write_law(hol__text *out, const hol__law *law) {
    if (law->e)
        hol__emit_text(out, hol__expr_text(law->e), 1);
    else
        write_number(out, law->value);
}

/* What stands before item i of a list. */
static void write_comma(hol__text *out, int i) {
    hol__text_add(out, i ? ", " : "");
}

static void write_numbers(hol__text *out, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        hol__text_add(out, i ? ", " : "[");
        write_number(out, x[i]);
    }
    hol__text_add(out, "]");
}

static void write_laws(hol__text *out, const hol__law *law, int n) {
    for (int i = 0; i < n; i++) {
        hol__text_add(out, i ? ", " : "[");
        write_law(out, &law[i]);
    }
    hol__text_add(out, "]");
}

static void write_rows(hol__text *out, const double *x, int rows, int columns) {
    for (int i = 0; i < rows; i++) {
        hol__text_add(out, i ? ", " : "[");
        write_numbers(out, x + columns * i, columns);
    }
    hol__text_add(out, "]");
}

static void write_polygon(hol__text *out, const hol__polygon *p) {
    for (int i = 0; i < p->n; i++) {
        const double point[2] = {p->x[i], p->y[i]};
        hol__text_add(out, i ? ", " : "[");
        write_numbers(out, point, 2);
    }
    hol__text_add(out, "]");
}

static void write_corners(hol__text *out, const hol__corner_list *list, int dim) {
    for (int i = 0; i < list->n; i++) {
        hol__text_add(out, i ? ", " : "[");
        write_numbers(out, list->x[i], dim);
    }
    hol__text_add(out, "]");
}

static void write_body(hol__text *out, const hol_model *model, int body) {
    hol__emit_text(out, body < model->nb ? model->bodies[body].name : "ground", 1);
}

static void write_bodies(hol__text *out, const hol_model *model, const int body[2]) {
    hol__text_add(out, "[");
    write_body(out, model, body[0]);
    hol__text_add(out, ", ");
    write_body(out, model, body[1]);
    hol__text_add(out, "]");
}

static void write_joints(hol__text *out, const hol_model *model, const hol__joint_pair *pair) {
    for (int i = 0; i < 2; i++) {
        hol__text_add(out, i ? ", " : "[");
        hol__emit_text(out, model->joints[pair->joint[i]].name, 1);
    }
    hol__text_add(out, "]");
}

static void write_words(hol__text *out, unsigned bits, const char *const *words) {
    int n = 0;
    hol__text_add(out, "[");
    for (int i = 0; words[i]; i++)
        if (bits & (1u << i)) {
            write_comma(out, n++);
            hol__emit_text(out, words[i], 1);
        }
    hol__text_add(out, "]");
}

static void write_drives(hol__text *out, const hol_model *model, const hol__drives *drives) {
    int n = 0;
    const char *use;
    hol__text_add(out, "{");
    for (int word = 0; hol__directions[word]; word++) {
        const int bit = hol__direction_bit(word);
        if (!hol__has_direction(model, word, &use) || !(drives->bits & (1u << bit))) continue;
        write_comma(out, n++);
        hol__text_add(out, "%s: ", hol__directions[word]);
        write_law(out, &drives->law[bit]);
    }
    hol__text_add(out, "}");
}

static void write_formulas(hol__text *out, const hol__formulas *list) {
    hol__text_add(out, "[");
    for (int i = 0; i < list->n; i++) {
        write_comma(out, i);
        hol__emit_text(out, list->f[i].text, 1);
    }
    hol__text_add(out, "]");
}

static void write_items(hol__text *out, const hol_model *model, const hol__param_list *items) {
    hol__text_add(out, items->names ? "{" : "[");
    for (int i = 0; i < items->n; i++) {
        write_comma(out, i);
        if (items->names) hol__emit_key(out, items->names[i]), hol__text_add(out, " ");
        hol__params_write(model, items->items[i], NULL, out);
    }
    hol__text_add(out, items->names ? "}" : "]");
}

/* Values that stand alone. */
static void write_scalar(hol__text *out, const hol_model *model, const hol__key *key,
                         const void *value) {
    const int index = key->size == sizeof(int) ? *(const int *)value : 0;
    if (key->kind == HOL__KEY_FORMULA || key->flags & HOL__AS_TEXT)
        hol__emit_text(out, ((const hol__formula *)value)->text, 1);
    else if (key->kind == HOL__KEY_NUMBER)
        write_number(out, *(const double *)value);
    else if (key->kind == HOL__KEY_TEXT)
        hol__emit_text(out, *(const char *const *)value, 1);
    else if (key->kind == HOL__KEY_BOOL)
        hol__text_add(out, index ? "true" : "false");
    else if (key->kind == HOL__KEY_CHOICE)
        hol__emit_text(out, key->choices[index], 1);
    else if (key->kind == HOL__KEY_BODY)
        write_body(out, model, index);
    else if (key->kind == HOL__KEY_JOINT)
        hol__emit_text(out, model->joints[index].name, 1);
    else if (key->kind == HOL__KEY_FORCE)
        hol__emit_text(out, model->forces[((const hol__force_ref *)value)->index].name, 1);
    else
        write_law(out, value);
}

void hol__field_write(const hol_model *model, const hol__params *params, const hol__key *key,
                      hol__text *out) {
    const void *value = value_of(params, key);
    const int rows = model->dim == 2 ? 3 : 6, turn = model->dim == 2 ? 2 : 0;
    const hol__numbers *list = value;
    switch (key->kind) {
    case HOL__KEY_POINT:
    case HOL__KEY_VECTOR:
    case HOL__KEY_DIRECTION: write_numbers(out, value, model->dim); break;
    case HOL__KEY_LAWS: write_laws(out, value, model->dim); break;
    case HOL__KEY_TURN:
        if (turn)
            write_law(out, (const hol__law *)value + turn);
        else
            write_laws(out, value, 3);
        break;
    case HOL__KEY_MATRIX: write_rows(out, value, rows, rows); break;
    case HOL__KEY_BY_ROW:
    case HOL__KEY_NUMBERS: write_numbers(out, list->x, list->n); break;
    case HOL__KEY_CURVE: write_polygon(out, value); break;
    case HOL__KEY_CORNERS: write_corners(out, value, model->dim); break;
    case HOL__KEY_BODIES: write_bodies(out, model, value); break;
    case HOL__KEY_JOINTS: write_joints(out, model, value); break;
    case HOL__KEY_WORDS: write_words(out, *(const unsigned *)value, key->choices); break;
    case HOL__KEY_DRIVES: write_drives(out, model, value); break;
    case HOL__KEY_FORMULAS: write_formulas(out, value); break;
    case HOL__KEY_COORDINATES:
    case HOL__KEY_TERMS:
    case HOL__KEY_SOLIDS: write_items(out, model, value); break;
    default: write_scalar(out, model, key, value);
    }
}

void hol__params_write(const hol_model *model, const hol__params *params, const char *type,
                       hol__text *out) {
    int n = 0;
    hol__text_add(out, "{");
    if (type) hol__text_add(out, "type: %s", type), n++;
    for (int i = 0; i < params->n_given; i++) {
        write_comma(out, n++);
        hol__emit_key(out, params->given[i].key->name);
        hol__text_add(out, " ");
        hol__field_write(model, params, params->given[i].key, out);
    }
    hol__text_add(out, "}");
}
