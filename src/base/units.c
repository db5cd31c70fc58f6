/* units.c: the units of measure as a table, their products, and dimensions as text.
 *
 * One unit is times/over SI units, with the exponents of metre, kilogram, second, radian:
 * 1 mm = 1/1000 m, 1 rpm = 2 pi / 60 rad/s. Keeping numerator and denominator apart makes
 * "5 mm" the same number as "0.005".
 */
#include "base/expr_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct unit_row {
    const char *name;
    double times, over;
    signed char m, kg, s, rad;
    const char *si;
    signed char cycle;
} unit_row;

/* clang-format off */
static const unit_row table[] = {
    {"m",     1.0,              1.0,      1, 0,  0, 0, "m", 0},
    {"mm",    1.0,              1e3,      1, 0,  0, 0, "m", 0},
    {"cm",    1.0,              1e2,      1, 0,  0, 0, "m", 0},
    {"dm",    1.0,              10.0,     1, 0,  0, 0, "m", 0},
    {"km",    1e3,              1.0,      1, 0,  0, 0, "m", 0},
    {"um",    1.0,              1e6,      1, 0,  0, 0, "m", 0},
    {"in",    254.0,            1e4,      1, 0,  0, 0, "m", 0},
    {"ft",    3048.0,           1e4,      1, 0,  0, 0, "m", 0},
    {"yd",    9144.0,           1e4,      1, 0,  0, 0, "m", 0},
    {"mi",    1609344.0,        1e3,      1, 0,  0, 0, "m", 0},
    {"thou",  254.0,            1e7,      1, 0,  0, 0, "m", 0},
    {"kg",    1.0,              1.0,      0, 1,  0, 0, "kg", 0},
    {"g",     1.0,              1e3,      0, 1,  0, 0, "kg", 0},
    {"mg",    1.0,              1e6,      0, 1,  0, 0, "kg", 0},
    {"t",     1e3,              1.0,      0, 1,  0, 0, "kg", 0},
    {"lb",    45359237.0,       1e8,      0, 1,  0, 0, "kg", 0},
    {"oz",    28349523125.0,    1e12,     0, 1,  0, 0, "kg", 0},
    {"slug",  44482216152605.0, 3048e9,   0, 1,  0, 0, "kg", 0},
    {"s",     1.0,              1.0,      0, 0,  1, 0, "s", 0},
    {"ms",    1.0,              1e3,      0, 0,  1, 0, "s", 0},
    {"us",    1.0,              1e6,      0, 0,  1, 0, "s", 0},
    {"min",   60.0,             1.0,      0, 0,  1, 0, "s", 0},
    {"h",     3600.0,           1.0,      0, 0,  1, 0, "s", 0},
    {"rad",   1.0,              1.0,      0, 0,  0, 1, "rad", 0},
    {"mrad",  1.0,              1e3,      0, 0,  0, 1, "rad", 0},
    {"deg",   PI,               180.0,    0, 0,  0, 1, "rad", 0},
    {"arcmin", PI,              10800.0,  0, 0,  0, 1, "rad", 0},
    {"arcsec", PI,              648000.0, 0, 0,  0, 1, "rad", 0},
    {"rev",   2 * PI,           1.0,      0, 0,  0, 1, "rad", 0},
    {"Hz",    1.0,              1.0,      0, 0, -1, 0, "1/s", 1},
    {"kHz",   1e3,              1.0,      0, 0, -1, 0, "1/s", 1},
    {"MHz",   1e6,              1.0,      0, 0, -1, 0, "1/s", 1},
    {"rpm",   PI,               30.0,     0, 0, -1, 1, "rad/s", 0},
    {"kph",   1e3,              3600.0,   1, 0, -1, 0, "m/s", 0},
    {"mph",   1609344.0,        36e5,     1, 0, -1, 0, "m/s", 0},
    {"knot",  1852.0,           3600.0,   1, 0, -1, 0, "m/s", 0},
    {"N",     1.0,              1.0,      1, 1, -2, 0, "kg*m/s^2", 0},
    {"daN",   10.0,             1.0,      1, 1, -2, 0, "kg*m/s^2", 0},
    {"kN",    1e3,              1.0,      1, 1, -2, 0, "kg*m/s^2", 0},
    {"MN",    1e6,              1.0,      1, 1, -2, 0, "kg*m/s^2", 0},
    {"mN",    1.0,              1e3,      1, 1, -2, 0, "kg*m/s^2", 0},
    {"kgf",   980665.0,         1e5,      1, 1, -2, 0, "kg*m/s^2", 0},
    {"lbf",   44482216152605.0, 1e13,     1, 1, -2, 0, "kg*m/s^2", 0},
    {"ozf",   44482216152605.0, 16e13,    1, 1, -2, 0, "kg*m/s^2", 0},
    {"kip",   44482216152605.0, 1e10,     1, 1, -2, 0, "kg*m/s^2", 0},
    {"J",     1.0,              1.0,      2, 1, -2, 0, "kg*m^2/s^2", 0},
    {"mJ",    1.0,              1e3,      2, 1, -2, 0, "kg*m^2/s^2", 0},
    {"kJ",    1e3,              1.0,      2, 1, -2, 0, "kg*m^2/s^2", 0},
    {"MJ",    1e6,              1.0,      2, 1, -2, 0, "kg*m^2/s^2", 0},
    {"Wh",    3600.0,           1.0,      2, 1, -2, 0, "kg*m^2/s^2", 0},
    {"kWh",   36e5,             1.0,      2, 1, -2, 0, "kg*m^2/s^2", 0},
    {"Nm",    1.0,              1.0,      2, 1, -2, 0, "N*m", 0},
    {"Nmm",   1.0,              1e3,      2, 1, -2, 0, "N*m", 0},
    {"kNm",   1e3,              1.0,      2, 1, -2, 0, "N*m", 0},
    {"W",     1.0,              1.0,      2, 1, -3, 0, "kg*m^2/s^3", 0},
    {"mW",    1.0,              1e3,      2, 1, -3, 0, "kg*m^2/s^3", 0},
    {"kW",    1e3,              1.0,      2, 1, -3, 0, "kg*m^2/s^3", 0},
    {"MW",    1e6,              1.0,      2, 1, -3, 0, "kg*m^2/s^3", 0},
    {"hp",    745.69987158227022, 1.0,    2, 1, -3, 0, "kg*m^2/s^3", 0},
    {"PS",    73549875.0,       1e5,      2, 1, -3, 0, "kg*m^2/s^3", 0},
    {"Pa",    1.0,              1.0,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"hPa",   1e2,              1.0,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"kPa",   1e3,              1.0,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"MPa",   1e6,              1.0,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"GPa",   1e9,              1.0,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"bar",   1e5,              1.0,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"mbar",  1e2,              1.0,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"atm",   101325.0,         1.0,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"mmHg",  133322387415.0,   1e9,     -1, 1, -2, 0, "kg/m/s^2", 0},
    {"psi",   44482216152605.0, 64516e5, -1, 1, -2, 0, "kg/m/s^2", 0},
    {"ksi",   44482216152605.0, 64516e2, -1, 1, -2, 0, "kg/m/s^2", 0},
};
/* clang-format on */

enum { N_UNITS = sizeof table / sizeof *table, MAX_EXPONENT = 99 };

static int is_letter(char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

/* The row of the unit whose name is the first length bytes of name; NULL when there is none. */
static const unit_row *find_unit(const char *name, int length) {
    for (int i = 0; i < N_UNITS; i++)
        if (strlen(table[i].name) == (size_t)length &&
            memcmp(table[i].name, name, (size_t)length) == 0)
            return &table[i];
    return NULL;
}

int hol__unit_is(const char *name, int length) {
    return find_unit(name, length) != NULL;
}

const char *hol__unit_name(const void *list, int i) {
    static const char *const products[] = {"N*m", "kg*m^2", "km/h", NULL};
    (void)list;
    return i < N_UNITS ? table[i].name : products[i - N_UNITS];
}

int hol__unit_is_torque(const char *text) {
    int length = 0;
    while (is_letter(text[length])) length++;
    const unit_row *u = find_unit(text, length);
    return strchr(text, '*') != NULL || (u && strcmp(u->si, "N*m") == 0);
}

hol__unit_doc hol__unit_get(int i) {
    if (i < 0 || i >= N_UNITS) return (hol__unit_doc){NULL, 0, NULL};
    return (hol__unit_doc){table[i].name, table[i].times / table[i].over, table[i].si};
}

/* *exponent += power * of, unless that leaves the range. */
static int add_exponent(signed char *exponent, int power, int of) {
    const int sum = *exponent + power * of;
    if (abs(sum) > MAX_EXPONENT) return 0;
    *exponent = (signed char)sum;
    return 1;
}

int hol__unit_multiply(hol__unit_product *product, const char *name, int length, int power) {
    const unit_row *u = find_unit(name, length);
    hol__dim *dim = &product->dim;
    if (!u || abs(power) > HOL__UNIT_MAX_POWER) return 0;
    for (int i = 0; i < abs(power); i++) {
        product->times *= power > 0 ? u->times : u->over;
        product->over *= power > 0 ? u->over : u->times;
    }
    return add_exponent(&dim->m, power, u->m) && add_exponent(&dim->kg, power, u->kg) &&
           add_exponent(&dim->s, power, u->s) && add_exponent(&dim->rad, power, u->rad) &&
           add_exponent(&dim->cycle, power, u->cycle);
}

int hol__dim_equal(hol__dim a, hol__dim b) {
    return a.m == b.m && a.kg == b.kg && a.s == b.s && a.rad == b.rad;
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

/* Read "^2" or "^-1" at *at, if it stands there, into *power; 0 when a "^" is not followed by a
 * small number. */
static int read_power(const char **at, int *power) {
    *power = 1;
    const char *p = skip_blanks(*at);
    if (*p != '^') return 1;
    p = skip_blanks(p + 1);
    const int sign = *p == '-' ? -1 : 1;
    p += *p == '-';
    if (*p < '0' || *p > '9' || (p[1] >= '0' && p[1] <= '9')) return 0;
    *power = sign * (*p - '0');
    *at = p + 1;
    return 1;
}

/* Read one unit with its power at *at and multiply the product by unit^(sign power); *bad and
 * *length are the word that is no unit. */
static int read_unit(const char **at, int sign, hol__unit_product *product, const char **bad,
                     int *length) {
    const char *name = *bad = *at = skip_blanks(*at);
    int power;
    while (is_letter(**at)) (*at)++;
    *length = (int)(*at - name);
    if (!find_unit(name, *length)) return 0;
    const int n = *length;
    *length = 0;
    return read_power(at, &power) && hol__unit_multiply(product, name, n, sign * power);
}

enum { BRACKETS = 4 };

static int read_product(const char **at, int depth, hol__unit_product *product, const char **bad,
                        int *length);

/* Multiply the product by (factor)^power. */
static int raise(hol__unit_product *product, const hol__unit_product *factor, int power) {
    hol__dim *dim = &product->dim;
    const hol__dim *of = &factor->dim;
    for (int i = 0; i < abs(power); i++) {
        product->times *= power > 0 ? factor->times : factor->over;
        product->over *= power > 0 ? factor->over : factor->times;
    }
    return add_exponent(&dim->m, power, of->m) && add_exponent(&dim->kg, power, of->kg) &&
           add_exponent(&dim->s, power, of->s) && add_exponent(&dim->rad, power, of->rad) &&
           add_exponent(&dim->cycle, power, of->cycle);
}

/* Read one unit, or units in brackets, with its power. */
static int read_factor(const char **at, int sign, int depth, hol__unit_product *product,
                       const char **bad, int *length) {
    hol__unit_product inner = {1, 1, {.known = 1}};
    int power;
    *at = skip_blanks(*at);
    if (**at != '(' || depth == BRACKETS) return read_unit(at, sign, product, bad, length);
    ++*at;
    if (!read_product(at, depth + 1, &inner, bad, length) || **at != ')') return 0;
    ++*at;
    return read_power(at, &power) && raise(product, &inner, sign * power);
}

/* Read units between * and /, up to what is neither. */
static int read_product(const char **at, int depth, hol__unit_product *product, const char **bad,
                        int *length) {
    *bad = *at = skip_blanks(*at);
    if (**at == '1')
        *at = skip_blanks(*at + 1);
    else if (!read_factor(at, 1, depth, product, bad, length))
        return 0;
    for (*at = skip_blanks(*at); **at == '*' || **at == '/'; *at = skip_blanks(*at)) {
        const int sign = *(*at)++ == '*' ? 1 : -1;
        if (!read_factor(at, sign, depth, product, bad, length)) return 0;
    }
    *length = 0;
    return 1;
}

int hol__unit_read(const char *text, hol__unit_product *product, const char **bad, int *length) {
    const char *at = skip_blanks(text);
    *product = (hol__unit_product){1, 1, {.known = 1}};
    *bad = at;
    *length = 0;
    return *at == '\0' || (read_product(&at, 0, product, bad, length) && *at == '\0');
}

hol__dim hol__dim_of(const char *units) {
    hol__unit_product product;
    const char *bad;
    int length;
    return hol__unit_read(units, &product, &bad, &length) ? product.dim : (hol__dim){.known = 0};
}

/* The name of a unit that is the product of others (N, J, W, Pa, Hz) and has that dimension; NULL
 * when there is none. */
static const char *derived_name(hol__dim dim) {
    for (int i = 0; i < N_UNITS; i++) {
        const unit_row *u = &table[i];
        const int derived = u->times == 1 && u->over == 1 && strcmp(u->name, u->si) != 0;
        if (derived && u->m == dim.m && u->kg == dim.kg && u->s == dim.s && u->rad == dim.rad &&
            u->cycle == dim.cycle)
            return u->name;
    }
    return NULL;
}

const char *hol__dim_text(hol__dim dim, char *buf, size_t size) {
    const char *derived = derived_name(dim);
    if (derived) {
        snprintf(buf, size, "%s", derived);
        return buf;
    }
    static const char *const names[] = {"kg", "m", "s", "rad", "cycle"};
    const int exponents[] = {dim.kg, dim.m, dim.s, dim.rad, dim.cycle};
    size_t n = 0;
    buf[0] = '\0';
    /* the positive exponents, then the negative ones behind a "/" each */
    for (int sign = 1; sign >= -1; sign -= 2) {
        if (sign < 0 && n == 0) n += (size_t)snprintf(buf, size, "1");
        for (int i = 0; i < 5 && n < size; i++) {
            const int e = sign * exponents[i];
            const char *joint = sign < 0 ? "/" : n ? "*" : "";
            if (e == 1)
                n += (size_t)snprintf(buf + n, size - n, "%s%s", joint, names[i]);
            else if (e > 1)
                n += (size_t)snprintf(buf + n, size - n, "%s%s^%d", joint, names[i], e);
        }
    }
    if (strcmp(buf, "1") == 0) snprintf(buf, size, "a plain number");
    return buf;
}
