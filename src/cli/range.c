/* range.c: which part of a model file a message is about, for editors.
 *
 * The library names the place where a value or a key begins; its end follows from the line: the
 * quote or bracket that closes what opens there, or the end of a plain word of YAML, which in a
 * list or map in brackets ends before , ] and }.
 */
#include "cli/range.h"

#include <string.h>

/* The byte behind a quoted text that begins at i, or the end of the line. */
static size_t behind_quotes(const char *line, size_t i) {
    const char quote = line[i++];
    while (line[i] && line[i] != quote) i += line[i] == '\\' && quote == '"' && line[i + 1] ? 2 : 1;
    return line[i] ? i + 1 : i;
}

/* The quote within which byte n of the line stands; 0 where it stands in none. */
static char quote_around(const char *line, size_t n) {
    for (size_t i = 0; i < n && line[i];) {
        const char c = line[i];
        if (c == '#' && (i == 0 || line[i - 1] == ' ')) return 0;
        /* a quote opens a text where a value or a key may begin */
        const int opens = (c == '"' || c == '\'') && (i == 0 || strchr(" [{,", line[i - 1]));
        const size_t end = opens ? behind_quotes(line, i) : i + 1;
        if (opens && end > n) return c;
        i = end;
    }
    return 0;
}

/* Walk over the line from i to n, quoted texts as a whole; the brackets that are open there, or
 * with `first` the byte behind the bracket that closes the first one. */
static size_t walk(const char *line, size_t i, size_t n, int first) {
    size_t open = 0;
    while (i < n && line[i]) {
        if (line[i] == '"' || line[i] == '\'') {
            i = behind_quotes(line, i);
            continue;
        }
        if (strchr("[{", line[i])) open++;
        if (strchr("]}", line[i]) && open) open--;
        i++;
        if (first && open == 0) return i;
    }
    return first ? i : open;
}

/* The byte behind what begins at i within quotes: a name in an expression, or all of it. */
static size_t behind_part(const char *line, size_t i, char quote) {
    const size_t name =
        strspn(line + i, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    if (name && i > 0 && line[i - 1] != quote) return i + name;
    while (line[i] && line[i] != quote) i++;
    return i;
}

/* The byte behind a plain word that begins at i. */
static size_t behind_word(const char *line, size_t i) {
    const char quote = quote_around(line, i);
    if (quote) return behind_part(line, i, quote);
    const int in_brackets = walk(line, 0, i, 0) > 0;
    const size_t start = i;
    for (; line[i]; i++) {
        if (line[i] == ':' && (line[i + 1] == ' ' || !line[i + 1])) break;
        if (line[i] == '#' && i > start && line[i - 1] == ' ') break;
        if (in_brackets && strchr(",]}", line[i])) break;
    }
    while (i > start && line[i - 1] == ' ') i--;
    return i;
}

int cli_range_end(const char *line, int column) {
    const size_t start = hol__utf8_byte_of(line, column - 1);
    const size_t end = line[start] == '"' || line[start] == '\'' ? behind_quotes(line, start)
                       : line[start] == '[' || line[start] == '{'
                           ? walk(line, start, strlen(line), 1)
                           : behind_word(line, start);
    int characters = 0;
    for (size_t i = start; i < end; i++) characters += hol__utf8_begins(line[i]);
    return column + (characters ? characters : 1);
}
