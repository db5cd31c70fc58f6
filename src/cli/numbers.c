/* numbers.c: numbers that options give: one within limits, or several with commas between them. */
#include "cli/cli.h"

#include "common/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double cli_number(cli_session *cli, const cli_args *args, const char *name, double otherwise,
                  double low, double high, int *good) {
    const char *text = cli_args_value(args, name);
    const char *end;
    if (!text) return otherwise;
    const double value = hol__number_read(text, &end);
    if (end != text && !*end && value >= low && value <= high) return value;
    cli_usage(cli, args->command, "'--%s %s': give a number from %g to %g", name, text, low, high);
    *good = 0;
    return otherwise;
}

/* Numbers with commas between them; 0 when the text is something else. */
static int read_numbers(const char *text, double *numbers, int *n) {
    for (*n = 0;; text++) {
        const char *end;
        numbers[*n] = hol__number_read(text, &end);
        if (end == text || !isfinite(numbers[*n]) || (*end && *end != ',')) return 0;
        ++*n;
        text = end;
        if (!*end) return 1;
    }
}

double *cli_numbers(cli_session *cli, const cli_args *args, const char *name, const char *wanted,
                    int *n) {
    const char *text = cli_args_value(args, name);
    double *numbers = calloc(strlen(text) + 1, sizeof *numbers);
    if (!numbers) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return NULL;
    }
    if (read_numbers(text, numbers, n)) return numbers;
    cli_usage(cli, args->command, "'--%s %s': give %s", name, text, wanted);
    free(numbers);
    return NULL;
}

const char **cli_words(cli_session *cli, const cli_args *args, const char *name, int *n) {
    const char *list = cli_args_value(args, name) ? cli_args_value(args, name) : "";
    const size_t size = strlen(list) + 1;
    const char **words = calloc(1, size * (sizeof *words + 1));
    *n = 0;
    if (!words) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return NULL;
    }
    char *text = memcpy(words + size, list, size); /* behind the words */
    for (int more = *text != 0; more; (*n)++) {
        while (*text == ' ') text++;
        words[*n] = text;
        text += strcspn(text, ",");
        more = *text != 0;
        *text = '\0';
        text += more;
        if (*words[*n]) continue;
        cli_usage(cli, args->command, "'--%s %s': write names with commas between them", name,
                  list);
        free(words);
        return NULL;
    }
    return words;
}
