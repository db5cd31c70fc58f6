/* unit_set.c: the units that results are shown in, by kinds of quantities.
 *
 * A quantity is shown in the unit chosen for its kind: a speed in km/h where `speed` is km/h. Where
 * its kind has none, the unit is made of those chosen for the factors of its SI unit: with length
 * mm and time ms a speed in m/s is in mm/ms, a torque in N*m in N*mm. A kind is known by the text
 * of its SI unit, so that a torque (N*m) is no energy (J).
 *
 * shown = SI value * over / times; times and over are products of exact numbers where they can be.
 */
#include "base/unit_set.h"
#include "base/expr_internal.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* The first N_FACTORS are also factors of the units of others. */
enum { N_FACTORS = 8 };

static const hol__unit_kind kinds[HOL__UNIT_KINDS] = {
    {"length", "m"},
    {"mass", "kg"},
    {"time", "s"},
    {"angle", "rad"},
    {"force", "N"},
    {"energy", "J"},
    {"power", "W"},
    {"pressure", "Pa"},
    {"torque", "N*m"},
    {"speed", "m/s"},
    {"acceleration", "m/s^2"},
    {"angular_speed", "rad/s"},
    {"angular_acceleration", "rad/s^2"},
    {"stiffness", "N/m"},
    {"impulse", "N*s"},
    {"momentum", "kg*m/s"},
    {"angular_momentum", "kg*m^2/s"},
};

hol__unit_kind hol__unit_kind_get(int i) {
    return i >= 0 && i < HOL__UNIT_KINDS ? kinds[i] : (hol__unit_kind){NULL, NULL};
}

/* ---- texts of units ---- */

/* The kind that a unit is one of, by its dimension; N*m and Nm are a torque and no energy. */
static int kind_of_unit(const char *unit) {
    const hol__dim dim = hol__dim_of(unit);
    for (int i = 0; i < HOL__UNIT_KINDS; i++)
        if (hol__dim_equal(hol__dim_of(kinds[i].si), dim) &&
            !(strcmp(kinds[i].si, "J") == 0 && hol__unit_is_torque(unit)))
            return i;
    return -1;
}

int hol__unit_try(const char *text, hol_unit *out) {
    hol__unit_product product;
    const char *bad;
    int length;
    if (strlen(text) >= sizeof out->name || !hol__unit_read(text, &product, &bad, &length))
        return 0;
    *out = (hol_unit){.times = product.times, .over = product.over};
    snprintf(out->name, sizeof out->name, "%s", text);
    return 1;
}

hol_status hol__unit_named(hol_context *ctx, const char *text, const hol_location *where,
                           const char *element, hol_unit *out) {
    hol__unit_product product;
    const char *bad;
    int length;
    char word[48], hint[96] = "";
    if (hol__unit_try(text, out)) return HOL_OK;
    if (hol__unit_read(text, &product, &bad, &length))
        return hol__error(ctx, where, element, "the unit '%.80s' is too long", text);
    snprintf(word, sizeof word, "%.*s", length < 40 ? length : 40, bad);
    if (*word) hol__did_you_mean(hol__nearest(word, hol__unit_name, NULL), hint, sizeof hint);
    return *word ? hol__error(ctx, where, element, "unknown unit '%s'%s", word, hint)
                 : hol__error(ctx, where, element,
                              "'%.80s' is not a unit; write it like mm, deg/s or N*m", text);
}

int hol__units_agree(const char *a, const char *b) {
    const hol__dim x = hol__dim_of(a), y = hol__dim_of(b);
    return x.known && y.known && hol__dim_fits(x, y);
}

/* Whether all units of a product are SI ones: those of kN*mm are not, although it is as large as
 * N*m. */
static int is_si(const char *text) {
    for (const char *at = text; *at;) {
        char word[HOL_UNIT_SIZE];
        hol_unit unit;
        const size_t n = strcspn(at, "*/^");
        const int power = at > text && at[-1] == '^';
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        if (!power && hol__unit_try(word, &unit) && unit.times != unit.over) return 0;
        at += n + (at[n] != '\0');
    }
    return 1;
}

const char *hol__unit_si(const char *text, char *buf, size_t size) {
    hol_unit unit;
    const hol__dim dim = hol__dim_of(text);
    snprintf(buf, size, "%s", text);
    if (!hol__unit_try(text, &unit) || is_si(text)) return buf;
    if (kind_of_unit(text) >= 0) {
        snprintf(buf, size, "%s", kinds[kind_of_unit(text)].si);
        return buf;
    }
    return hol__unit_of_dim(dim, buf, size);
}

const char *hol__unit_of_dim(hol__dim dim, char *buf, size_t size) {
    /* stiffness about an axis and damping, as engineers write them */
    static const char *const others[] = {"N*m/rad", "N*s/m", "N*m*s/rad"};
    buf[0] = '\0';
    if (!dim.known || hol__dim_equal(dim, hol__dim_of(""))) return buf;
    /* from the last: a product is called N*m, whether it is a torque or an energy */
    for (int i = HOL__UNIT_KINDS - 1; i >= 0; i--)
        if (hol__dim_equal(hol__dim_of(kinds[i].si), dim)) {
            snprintf(buf, size, "%s", kinds[i].si);
            return buf;
        }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (hol__dim_equal(hol__dim_of(others[i]), dim)) {
            snprintf(buf, size, "%s", others[i]);
            return buf;
        }
    return hol__dim_text(dim, buf, size);
}

/* ---- choosing ---- */

static const char *kind_name(const void *list, int i) {
    (void)list;
    return hol__unit_kind_get(i).name;
}

/* The kind of that name; -1 and an error when there is none. */
static int find_kind(hol_context *ctx, const char *name, const hol_location *where) {
    char hint[96], list[256] = "";
    for (int i = 0; i < HOL__UNIT_KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0) return i;
    for (int i = 0; i < HOL__UNIT_KINDS; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                 kinds[i].name);
    hol__error(ctx, where, "units", "'%.40s' is not a kind of quantity%s; there are: %s", name,
               hol__did_you_mean(hol__nearest(name, kind_name, NULL), hint, sizeof hint), list);
    return -1;
}

/* Copy the part of a text from start to end into buf, without blanks around it. */
static void copy_part(const char *start, const char *end, char *buf, size_t size) {
    while (start < end && (*start == ' ' || *start == '\t')) start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) end--;
    snprintf(buf, size, "%.*s", (int)(end - start), start);
}

hol_status hol__unit_set_add(hol_context *ctx, hol__unit_set *set, const char *text,
                             const hol_location *where) {
    const char *mark = strpbrk(text, "=:");
    char name[64] = "", word[96];
    hol_unit unit;
    if (mark) copy_part(text, mark, name, sizeof name);
    copy_part(mark ? mark + 1 : text, text + strlen(text), word, sizeof word);
    if (hol__unit_named(ctx, word, where, "units", &unit)) return HOL_ERR_INPUT;
    const int kind = mark ? find_kind(ctx, name, where) : kind_of_unit(word);
    if (kind < 0)
        return mark ? HOL_ERR_INPUT
                    : hol__error(ctx, where, "units",
                                 "'%s' does not say what it is a unit of; write kind=%s", word,
                                 word);
    if (!hol__dim_equal(hol__dim_of(word), hol__dim_of(kinds[kind].si)))
        return hol__error(ctx, where, "units", "'%s' is not a unit of %s; expected one like %s",
                          word, kinds[kind].name, kinds[kind].si);
    if (kind < N_FACTORS && strpbrk(word, "*/^"))
        return hol__error(ctx, where, "units",
                          "the unit of %s is a single one like %s, for others are made of it; "
                          "found '%s'",
                          kinds[kind].name, kinds[kind].si, word);
    set->unit[kind] = unit;
    return HOL_OK;
}

/* ---- showing ---- */

/* The unit that is shown for a factor of length bytes; NULL where none was chosen. */
static const hol_unit *chosen_factor(const hol__unit_set *set, const char *factor, size_t length) {
    for (int i = 0; i < N_FACTORS; i++)
        if (set->unit[i].name[0] && strlen(kinds[i].si) == length &&
            memcmp(kinds[i].si, factor, length) == 0)
            return &set->unit[i];
    return NULL;
}

/* Multiply *out by unit^power. */
static void multiply(hol_unit *out, const hol_unit *unit, int power) {
    for (int i = 0; i < (power < 0 ? -power : power); i++) {
        out->times *= power > 0 ? unit->times : unit->over;
        out->over *= power > 0 ? unit->over : unit->times;
    }
}

/* The power that stands at text behind a factor: "^2" and "^-1", 1 without. */
static int power_at(const char *text) {
    if (*text != '^') return 1;
    const int sign = text[1] == '-' ? -1 : 1;
    return sign * (text[1 + (sign < 0)] - '0');
}

/* What stands behind the bracket that closes the one at text; the end where none does. */
static const char *behind_bracket(const char *text) {
    int depth = 0;
    do {
        depth += (*text == '(') - (*text == ')');
    } while (*text++ && depth);
    return depth ? text - 1 : text;
}

enum { BRACKETS = 4 };

/* Where a factor stands in N/(m*s)^2: 1 above and -1 below the line, in brackets with powers. */
typedef struct place {
    int sign, power; /* power: of all brackets around it, with their signs */
    int depth, outer[BRACKETS];
} place;

/* Past a sign of the unit; 0 where brackets lie too deep. */
static int pass(place *p, const char *at) {
    if (*at == '/') p->sign = -1;
    if (*at == '*') p->sign = 1;
    if (*at == '(') {
        if (p->depth == BRACKETS) return 0;
        p->outer[p->depth++] = p->power;
        p->power *= p->sign * power_at(behind_bracket(at));
        p->sign = 1;
    }
    if (*at == ')' && p->depth) p->power = p->outer[--p->depth];
    return 1;
}

/* The unit factor by factor. */
static void show_factors(const hol__unit_set *set, const char *si, hol_unit *out) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t n = 0;
    place p = {.sign = 1, .power = 1};
    for (const char *at = si; *at;) {
        const size_t length = strspn(at, letters);
        const hol_unit *unit = length ? chosen_factor(set, at, length) : NULL;
        if (unit) multiply(out, unit, p.power * p.sign * power_at(at + length));
        const size_t take = length ? length : 1;
        n += (size_t)snprintf(out->name + n, sizeof out->name - n, "%.*s",
                              unit ? (int)sizeof out->name : (int)take, unit ? unit->name : at);
        if (n >= sizeof out->name || !pass(&p, at)) { /* no room: as it is */
            *out = (hol_unit){.times = 1, .over = 1};
            snprintf(out->name, sizeof out->name, "%s", si);
            return;
        }
        at += take;
    }
}

void hol__unit_set_show(const hol__unit_set *set, const char *si, hol_unit *out) {
    for (int i = 0; i < HOL__UNIT_KINDS; i++)
        if (set->unit[i].name[0] && strcmp(kinds[i].si, si) == 0) {
            *out = set->unit[i];
            return;
        }
    *out = (hol_unit){.times = 1, .over = 1};
    show_factors(set, si, out);
}

hol_status hol__unit_set_read(hol_context *ctx, hol__unit_set *set, const char *list) {
    const hol_location where = {"units", 0, 0};
    char word[128];
    for (const char *at = list ? list : ""; *at; at += strcspn(at, ",") + (strchr(at, ',') != 0)) {
        const size_t n = strcspn(at, ",");
        if (n >= sizeof word)
            return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
                               "'%.40s…' is too long for a unit", at);
        memcpy(word, at, n);
        word[n] = '\0';
        if (hol__unit_set_add(ctx, set, word, &where)) return HOL_ERR_ARGUMENT;
    }
    return HOL_OK;
}
