#!/bin/sh
# Check that nothing in src/ depends on the locale of the host program: numbers are read by hol__number_read and
# written by hol__number_write or hol__print (src/common), characters are those of src/common/ascii.h.
#
#   check_locale.sh [root]       check the tree at root (the repository by default)
#   check_locale.sh --self-test  check the check, on a scratch tree
#
# The program (src/cli) may print numbers, because nobody sets a locale there. Each violation is printed as
# file:line: message; the exit status is 1 when there is one.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# Files that may call what others may not, with the reason.
#   src/common/number.c, src/common/format.c: replace the decimal mark
#   src/base/expr_lex.c: hands strtod digits without a mark
#   src/generate/comparison.c: writes the text of a program, which prints; it prints nothing itself
#   src/fmu/sources/context.c: is no part of the library, but compiled with the sources of an FMU, beside which it does
#   not stand; it prints messages for people
exceptions=' src/fmu/sources/context.c src/common/number.c src/common/format.c src/base/expr_lex.c src/generate/comparison.c '

# Print the violations in the file $1.
find_calls() {
    LC_ALL=C awk -v file="$1" -v program="$2" '
        # what a call is, up to the end of its statement
        function statement(from,    text, i) {
            text = line[from]
            for (i = from + 1; text !~ /;/ && i <= from + 12 && i <= NR; i++) text = text " " line[i]
            return text
        }
        { line[NR] = $0 }
        END {
            for (i = 1; i <= NR; i++) {
                text = line[i]
                if (text ~ /^[ \t]*(\/?\*|\/\/)/) continue
                if (match(text, /(^|[^A-Za-z0-9_])(v?f?s?scanf|strto(d|f|ld)|atof|setlocale|localeconv|uselocale|strcoll|strn?casecmp|strftime)\(/))
                    print file ":" i ": depends on the locale: " substr(text, RSTART, RLENGTH) ")"
                if (match(text, /(^|[^A-Za-z0-9_])(is(alpha|alnum|digit|space|print|punct|upper|lower|xdigit|graph|cntrl|blank)|to(lower|upper))\(/))
                    print file ":" i ": depends on the locale, see src/common/ascii.h: " substr(text, RSTART, RLENGTH) ")"
                if (program) continue
                if (text ~ /(^|[^A-Za-z0-9_])v(s|sn|f)?printf\(/)
                    print file ":" i ": prints numbers as the locale does: take hol__vprint"
                if (text ~ /(^|[^A-Za-z0-9_v])(s|sn|f)?printf\(/ && statement(i) ~ /%[-+ #0]*[0-9*]*(\.[0-9*]*)?[aAeEfFgG]/)
                    print file ":" i ": prints a number as the locale does: take hol__print"
            }
        }' "$1"
}

# Print the violations under $1; succeed when there are none.
check() {
    found=$(
        cd "$1"
        find src -type f \( -name '*.c' -o -name '*.h' \) | LC_ALL=C sort | while IFS= read -r file; do
            case $exceptions in *" $file "*) continue ;; esac
            case $file in src/cli/*) find_calls "$file" 1 ;; *) find_calls "$file" 0 ;; esac
        done
    )
    [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}

# A tree with one violation of each kind has to be refused, and one without any accepted.
self_test() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/src/base" "$tree/src/cli" "$tree/src/common"
    printf 'x = strtod(text, &end);\n' >"$tree/src/common/number.c"
    printf '/* sscanf("%%lf") */\nsnprintf(b, n, "%%s %%d", s, i);\nhol__format(b, n, "%%g", x);\n' >"$tree/src/base/good.c"
    printf 'printf("%%g", x);\n' >"$tree/src/cli/good.c"
    check "$tree" || { echo "a good tree is refused"; exit 1; }
    n=0
    while IFS= read -r text; do
        n=$((n + 1))
        printf '%b\n' "$text" >"$tree/src/base/bad.c"
        if check "$tree" >/dev/null; then echo "accepted: $text"; exit 1; fi
    done <<'LINES'
sscanf(text, "%%lf", &x);
x = strtod(text, &end);
x = atof(text);
if (isspace((unsigned char)c)) return;
c = tolower(c);
snprintf(b, n, "%.3g", x);
snprintf(b, n, "%s %s",\n    a ? "%d %8.2f" : "x", x);
vsnprintf(b, n, format, args);
fprintf(out, "%-12.4e", x);
strcasecmp(a, b);
LINES
    echo "all $n mistakes are found"
}

case ${1-} in
--self-test) self_test ;;
*) check "${1-$here/..}" && echo "nothing in src/ depends on the locale" ;;
esac
