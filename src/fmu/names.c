/* names.c: names of their own for the functions of an FMU of sources, so that several FMUs can be
 * linked into one program: the standard gives those of the interface the identifier of the FMU as
 * prefix. The functions are found in the texts of the shared files: an identifier of one of the
 * prefixes with a parenthesis behind it, but in a typedef. */
#include "common/ascii.h"
#include "fmu/making.h"
#include "fmu/texts.h"

#include <stdlib.h>
#include <string.h>

static int is_word(char c) {
    return hol__is_letter(c) || hol__is_digit(c) || c == '_';
}

int hol__fmu_is_of(const char *file, int version) {
    const char other[] = {'f', 'm', 'i', version == 2 ? '3' : '2', '\0'};
    return strncmp(file, other, 4) != 0;
}

/* The list of names found, in the order in which they occur. */
typedef struct names {
    hol__text list; /* each with a line feed behind it */
} names;

static void note(names *found, const char *name, int length) {
    for (const char *at = found->list.data; at && *at; at += strcspn(at, "\n") + 1)
        if ((int)strcspn(at, "\n") == length && strncmp(at, name, (size_t)length) == 0) return;
    hol__text_add(&found->list, "%.*s\n", length, name);
}

/* Whether the identifier is one of the interface: fmi2X, fmi3X. */
static int is_of_interface(const char *name) {
    return strncmp(name, "fmi", 3) == 0;
}

static int is_ours(const char *name, size_t length) {
    static const char *const prefixes[] = {"fmi2", "fmi3", "fmu_", "hol_"};
    for (int i = 0; i < 4; i++)
        if (length > 4 && strncmp(name, prefixes[i], 4) == 0) return 1;
    return 0;
}

/* The functions of one line of C. */
static void read_line(names *found, const char *line, size_t length) {
    if (length >= 7 && strncmp(line, "typedef", 7) == 0) return;
    for (size_t i = 0; i < length;) {
        size_t n = 0;
        while (i + n < length && is_word(line[i + n])) n++;
        const int first = i == 0 || line[i - 1] != '"';
        if (n && first && i + n < length && line[i + n] == '(' && is_ours(line + i, n))
            note(found, line + i, (int)n);
        i += n ? n : 1;
    }
}

/* Those that a macro makes of X(Type, …): fmi3GetType and fmi3SetType. */
static void read_types(names *found, const char *text) {
    for (const char *at = strstr(text, "    X("); at; at = strstr(at + 1, "    X(")) {
        char name[64] = "fmi3Get";
        const int n = (int)strcspn(at + 6, ",");
        if (n >= 40) continue;
        strncat(name, at + 6, (size_t)n);
        note(found, name, (int)strlen(name));
        name[4] = 'S';
        note(found, name, (int)strlen(name));
    }
}

/* Definitions for the names of the interface, or for all others. */
static void define(const names *found, const char *name, int interface, hol__text *out) {
    for (const char *at = found->list.data; at && *at; at += strcspn(at, "\n") + 1) {
        const int n = (int)strcspn(at, "\n");
        if (is_of_interface(at) == interface)
            hol__text_add(out, "#define %.*s %s_%.*s\n", n, at, name, n, at);
    }
}

void hol__fmu_exports(const char *name, int version, hol__text *out) {
    static const char *const data[] = {"fmu_variables",          "fmu_token",
                                       "fmu_start_time",         "fmu_longest_step",
                                       "fmu_position_tolerance", "fmu_velocity_tolerance"};
    names found;
    hol__text_init(&found.list, out->ctx);
    for (const hol__fmu_text *file = hol__fmu_texts; file->name; file++) {
        if (!hol__fmu_is_of(file->name, version)) continue;
        for (const char *at = file->text; *at; at += strcspn(at, "\n"), at += *at == '\n')
            read_line(&found, at, strcspn(at, "\n"));
        if (strcmp(file->name, "fmi3.h") == 0) read_types(&found, file->text);
    }
    hol__text_add(out,
                  "/* exports.h: functions of this FMU, with names of their own. */\n"
                  "#ifndef FMU_EXPORTS_H\n#define FMU_EXPORTS_H\n\n"
                  "#if defined(_WIN32) || defined(__CYGWIN__)\n"
                  "#define FMU_EXPORT __declspec(dllexport)\n"
                  "#elif defined(__GNUC__)\n"
                  "#define FMU_EXPORT __attribute__((visibility(\"default\")))\n"
                  "#else\n#define FMU_EXPORT\n#endif\n\n"
                  "/* The standard's prefix, but in a shared library. */\n"
                  "#if !defined(FMI%d_OVERRIDE_FUNCTION_PREFIX)\n",
                  version);
    define(&found, name, 1, out);
    hol__text_add(out, "#endif\n\n");
    define(&found, name, 0, out);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        hol__text_add(out, "#define %s %s_%s\n", data[i], name, data[i]);
    hol__text_add(out, "\n#endif\n");
    if (found.list.failed) out->failed = 1;
    hol__text_free(&found.list);
}
