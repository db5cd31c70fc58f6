#!/bin/sh
# The formulas that docs/questions/equations.md shows are those that its commands print: every block that begins with "$ holonom" is
# run, and each line below it has to be a line of the output.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

source=${HOLONOM_SOURCE:?names the folder of the repository}
page=$source/docs/questions/equations.md

# Print the output of the command line $1, with models of the repository.
run_line() {
    # shellcheck disable=SC2086
    (cd "$source" && "$program" ${1#holonom })
}

check_page() {
    need fyaml
    blocks=0 lines=0
    : >printed
    while IFS= read -r line; do
        case $line in
        '    $ holonom'*)
            run_line "${line#????\$ }" >printed 2>&1 || wrong "$line fails: $(cat printed)"
            blocks=$((blocks + 1))
            inside=1
            ;;
        '    '*)
            [ "${inside-0}" = 1 ] || continue
            lines=$((lines + 1))
            grep -qxF "  ${line#    }" printed || wrong "not printed: $line"
            ;;
        *) inside=0 ;;
        esac
    done <"$page"
    [ "$blocks" -ge 3 ] && [ "$lines" -ge 7 ] || wrong "the page has $blocks blocks with $lines lines"
}
try check_page "the formulas of the page are what its commands print"
finish
