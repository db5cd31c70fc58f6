#!/bin/sh
# Print the public interface as it is compiled: every function with its types, every enumeration with its values, every struct
# with its size and the place and size of its members.
#
#   abi.sh [CC]         print it (CC: the compiler, cc by default)
#
# The headers are preprocessed, cut into declarations, and turned into a C program that prints sizes and offsets; it needs
# nothing but a compiler, sh and awk. docs/abi.txt is the result on a 64-bit machine (LP64); tests/test_abi.sh compares.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
cc=${1:-${CC:-cc}}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The declarations of our own headers, one a line, without comments.
printf '#include <holonom/holonom.h>\n' >"$scratch/all.c"
$cc -std=c17 -I"$here/include" -E "$scratch/all.c" | awk '
    /^# [0-9]+ "/ { own = $3 ~ /\/holonom\/[a-z_]+\.h"$/; next }
    /^#/ { next }
    own { printf "%s ", $0 }
' | awk '
    {
        n = length($0)
        for (i = 1; i <= n; i++) {
            c = substr($0, i, 1)
            if (c == "{") depth++
            if (c == "}") depth--
            line = line c
            if (c == ";" && depth == 0) {
                gsub(/[ \t]+/, " ", line)
                sub(/^ /, "", line)
                print line
                line = ""
            }
        }
    }
' >"$scratch/declarations"

# A program that prints them.
awk '
    function trim(s) { sub(/^ +/, "", s); sub(/ +$/, "", s); return s }
    function quoted(s) { gsub(/"/, "\\\"", s); return "\"" s "\"" }
    # The words of an enumeration between the braces.
    function put_enum(name, body,   list, k, m, word) {
        print "    puts(" quoted("enum " name) ");"
        m = split(body, list, ",")
        for (k = 1; k <= m; k++) {
            word = trim(list[k])
            sub(/ *=.*/, "", word)
            if (word != "") print "    printf(\"    %s = %lld\\n\", \"" word "\", (long long)" word ");"
        }
    }
    # The members of a struct between the braces.
    function put_struct(name, body,   list, k, m, word, parts, j, p, first) {
        print "    printf(\"struct " name ": %zu bytes\\n\", sizeof(" name "));"
        m = split(body, list, ";")
        for (k = 1; k <= m; k++) {
            word = trim(list[k])
            if (word == "") continue
            if (match(word, /\(\*[a-z_A-Z0-9]+\)/)) {
                put_member(name, substr(word, RSTART + 2, RLENGTH - 3), word)
                continue
            }
            p = split(word, parts, ",")
            first = parts[1]
            sub(/[ *]*[A-Za-z_0-9]+(\[[^]]*\])*$/, "", first)
            for (j = 1; j <= p; j++) {
                match(parts[j], /[A-Za-z_0-9]+(\[[^]]*\])*$/)
                own = substr(parts[j], RSTART)
                sub(/\[.*/, "", own)
                put_member(name, own, word)
            }
        }
    }
    function put_member(name, member, text) {
        print "    printf(\"    %-4zu %-4zu %s: %s\\n\", offsetof(" name ", " member "), sizeof(((" name " *)0)->" member "), \"" \
            member "\", " quoted(text) ");"
    }
    BEGIN {
        print "#include <holonom/holonom.h>\n#include <stddef.h>\n#include <stdio.h>\n\nint main(void) {"
        print "    if (sizeof(void *) != 8 || sizeof(long) != 8 || sizeof(int) != 4) return 77;"
    }
    {
        line = $0
        body = ""
        if (match(line, /\{.*\}/)) {
            body = substr(line, RSTART + 1, RLENGTH - 2)
            after = trim(substr(line, RSTART + RLENGTH))
            sub(/;$/, "", after)
        }
        if (line ~ /^typedef enum/) put_enum(trim(after), body)
        else if (line ~ /^enum/) put_enum("(constants)", body)
        else if (line ~ /^typedef struct/ && body != "") put_struct(trim(after), body)
        else print "    puts(" quoted(line) ");"
    }
    END { print "    return 0;\n}" }
' "$scratch/declarations" >"$scratch/print.c"

$cc -std=c17 -w -I"$here/include" "$scratch/print.c" -o "$scratch/print"
"$scratch/print"
