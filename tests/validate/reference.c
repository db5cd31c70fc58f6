/* reference.c: run the independent program of a mechanism, tests/independent/<name>.c, where the
 * name is that of the model or the key up to a colon, and read its lines. */
#include "validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The name of the program: the key without what follows a colon. */
static int name_length(const char *key) {
    return (int)strcspn(key, ":");
}

/* Numbers behind commas; how many. */
static int read_numbers(const char *text, int most, double *out) {
    int n = 0;
    while (n < most && *text == ',') {
        char *end;
        out[n++] = strtod(text + 1, &end);
        text = end;
    }
    return n;
}

static void read_names(char *line, reference *r) {
    char *rest = NULL;
    for (char *name = strtok_r(line, ",\n", &rest); name; name = strtok_r(NULL, ",\n", &rest))
        if (strcmp(name, "t") != 0 && r->n < QUANTITIES)
            snprintf(r->names[r->n++], NAME_SIZE, "%s", name);
}

/* One line behind the head. */
static void read_line(const char *line, int room, reference *r) {
    const char *numbers = strchr(line, ',');
    if (!numbers) return;
    if (strncmp(line, "error,", 6) == 0)
        read_numbers(numbers, r->n, r->error);
    else if (strncmp(line, "growth,", 7) == 0)
        read_numbers(numbers, r->n, r->growth);
    else if (r->n_t < room) {
        r->t[r->n_t] = strtod(line, NULL);
        if (read_numbers(numbers, r->n, r->values + r->n_t * r->n) == r->n) r->n_t++;
    }
}

static void find_scales(reference *r) {
    for (int k = 0; k < r->n; k++) {
        r->scale[k] = 0;
        for (int i = 0; i < r->n_t; i++)
            r->scale[k] = fmax(r->scale[k], fabs(r->values[i * r->n + k]));
        /* what moves by rounding alone is as good as 0 */
        if (r->scale[k] < 1e-12) r->scale[k] = 1;
    }
}

static void command_of(const setting *set, const subject *s, char *out, size_t size) {
    int used = snprintf(out, size, "'%s/independent_%.*s' %.12g %.12g", set->programs,
                        name_length(s->key), s->key, s->end, s->every);
    for (const hol_item *a = hol_item_first(s->arguments); a && used < (int)size;
         a = hol_item_next(a))
        used += snprintf(out + used, size - (size_t)used, " '%s'", hol_item_value(a));
}

void reference_make(const setting *set, subject *s) {
    char command[2048], line[1024];
    const int room = 1 + (int)lround(s->end / s->every);
    reference *r = &s->reference;
    command_of(set, s, command, sizeof command);
    FILE *pipe = popen(command, "r");
    if (pipe && fgets(line, sizeof line, pipe)) {
        read_names(line, r);
        r->t = taken((size_t)room, sizeof *r->t);
        r->values = taken((size_t)room * QUANTITIES, sizeof *r->values);
        while (fgets(line, sizeof line, pipe)) read_line(line, room, r);
    }
    const int status = pipe ? pclose(pipe) : -1;
    if (status || r->n_t != room || !r->n)
        snprintf(s->failure, sizeof s->failure, "the independent program failed: %.400s", command);
    else
        find_scales(r);
}

/* The column of a quantity; -1 where there is none. */
static int quantity_of(const reference *r, const char *name) {
    for (int k = 0; k < r->n; k++)
        if (strcmp(r->names[k], name) == 0) return k;
    return -1;
}

/* A listed value is right within half a unit of its last digit and what the program may be off by;
 * one that is said to be wrong has to be wrong. */
void listed_judge(subject *s) {
    const reference *r = &s->reference;
    for (int i = 0; i < s->n_listed; i++) {
        listed *l = &s->listed[i];
        const int k = quantity_of(r, l->quantity), line = (int)lround(l->t / s->every);
        l->computed = NAN;
        l->verdict = VERDICT_FAIL;
        if (s->failure[0] || k < 0 || line >= r->n_t || fabs(r->t[line] - l->t) > 1e-9 * s->end)
            continue;
        l->computed = r->values[line * r->n + k];
        const double off = fabs(l->computed - strtod(l->text, NULL));
        const int right = off <= 0.501 * l->unit + r->error[k];
        if (right != !!l->wrong) l->verdict = right ? VERDICT_PASS : VERDICT_GAP;
    }
}
