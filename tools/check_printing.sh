#!/bin/sh
# Check that the program prints what is not a literal through cli_put, cli_puts or cli_printf, so that no name in a model,
# a result or on the command line drives a terminal.
#
#   check_printing.sh [root]       check the tree at root (the repository by default)
#   check_printing.sh --self-test  check the check, on a scratch tree
#
# print.c holds these functions, print_json.c writes JSON, which has escapes of its own; message.c and progress.c print
# colours. Each violation is printed as file:line: message; the exit status is 1 when there is one.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# Print the violations under $1; succeed when there are none.
check() {
    found=$(
        cd "$1"
        find src/cli -type f -name '*.c' | LC_ALL=C sort | while IFS= read -r file; do
            case $file in */print.c | */print_json.c | */message.c | */progress.c) continue ;; esac
            # a statement at a time: up to the next semicolon
            awk -v RS=';' -v file="$file" '
                {
                    text = $0
                    before = lines
                    lines += gsub(/\n/, "\n", text)
                    gsub(/"([^"\\\n]|\\.)*%[-0-9.*]*s([^"\\\n]|\\.)*"/, "\"%s\"", text)
                    if (text ~ /(^|[^a-z_])f?printf\(/ && text ~ /"%s"/ || text ~ /(^|[^a-z_])f?puts\([^"]*[,)]/)
                        print file ":" lines + 1 ": a text that is not a literal: print it by cli_printf or cli_puts"
                }
            ' "$file"
        done
    )
    [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}

# A scratch tree whose file src/cli/$2 has the line $3 is $1: good or bad.
try() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/src/cli"
    printf 'first;\n%s\n' "$3" >"$scratch/tree/src/cli/$2"
    if out=$(check "$scratch/tree"); then got=good; else got=bad; fi
    [ "$got" = "$1" ] || { failed=$((failed + 1)) && echo "expected $1 but found $got: $2 with '$3'${out:+, said: $out}"; }
    tests=$((tests + 1))
}

self_test() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    tests=0 failed=0
    try good a.c '    printf("%d rows\n", n);'
    try good a.c '    puts("\ncolumns");'
    try good a.c '    fputs("\n", out);'
    try good a.c '    cli_printf(stdout, "%s\n", name);'
    try good a.c '    snprintf(text, sizeof text, "%s", name);'
    try good print.c '    fputs(text, out);'
    try bad a.c '    printf("%s\n", name);'
    try bad a.c '    fprintf(out, "  %-12s", name);'
    try bad a.c '    fputs(text, stdout);'
    try bad a.c '    puts(text);'
    try bad a.c "$(printf '    printf("%%d: "\n           "%%s", n, name);')"
    echo "$tests cases, $failed failed"
    [ "$failed" -eq 0 ]
}

case ${1-} in
--self-test) self_test ;;
*) check "${1:-$here/..}" ;;
esac
