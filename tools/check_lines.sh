#!/bin/sh
# Check that lines are not too long: 100 characters in C, 150 in pages of docs.
#
#   check_lines.sh [root]       check the tree at root (the repository by default)
#   check_lines.sh --self-test  check the check, on a scratch tree
#
# Rows of tables in pages cannot be broken and may be longer. Each violation is printed as file:line: message; the exit
# status is 1 when there is one.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# Files that may have longer lines, one a line, with the reason behind it.
exceptions='
'

# Print the lines of the files on standard input that have more than $1 characters; $2: rows of tables are left out.
# Characters are the bytes that do not continue one in UTF-8.
find_long() {
    while IFS= read -r file; do
        case $exceptions in *"
$file "*) continue ;; esac
        LC_ALL=C tr -d '\200-\277' <"$file" | LC_ALL=C awk -v most="$1" -v tables="$2" -v file="$file" '
            length($0) > most && !(tables && /^[ \t]*\|/) {
                print file ":" NR ": " length($0) " characters, at most " most
            }'
    done
}

# Print the violations under $1; succeed when there are none.
check() {
    found=$(
        cd "$1"
        for folder in src include tests bench examples python/src; do
            [ ! -d "$folder" ] || find "$folder" -type f \( -name '*.c' -o -name '*.h' \)
        done | LC_ALL=C sort | find_long 100 0
        { ls ./*.md 2>/dev/null | sed 's|^\./||'; [ ! -d docs ] || find docs -type f -name '*.md'; } | LC_ALL=C sort | find_long 150 1
    )
    [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}

# n times the letter x.
letters() {
    awk -v n="$1" 'BEGIN { while (n-- > 0) printf "x" }'
}

# The file $2 with the line $3 in a scratch tree is $1: good or bad.
try() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$2")"
    printf 'first\n%s\n' "$3" >"$scratch/tree/$2"
    if out=$(check "$scratch/tree"); then got=good; else got=bad; fi
    tests=$((tests + 1))
    case $got:$1:$out in
    good:good:) ;;
    bad:bad:"$2:2: "*) ;;
    *)
        failed=$((failed + 1))
        echo "expected $1 but found $got: $2 with ${#3} bytes${out:+, said: $out}"
        ;;
    esac
}

self_test() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    tests=0 failed=0
    try good src/base/a.c "$(letters 100)"
    try bad src/base/a.c "$(letters 101)"
    try good src/base/a.h "$(letters 98)…–"
    try bad include/holonom/a.h "$(letters 100)…"
    try bad tests/a.c "/* $(letters 98)"
    try good docs/a.md "$(letters 150)"
    try bad docs/theory/a.md "$(letters 151)"
    try bad README.md "$(letters 151)"
    try good docs/a.md "| $(letters 300) |"
    try bad docs/a.md "a | $(letters 300) |"
    try good src/base/a.txt "$(letters 300)"
    echo "$((tests - failed)) of $tests files judged as they should be"
    [ "$failed" -eq 0 ]
}

case ${1-} in
--self-test) self_test ;;
*)
    check "${1-$here/..}" || exit 1
    echo "no line is too long"
    ;;
esac
