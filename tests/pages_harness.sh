# What the tests of pages and pictures in docs/ share, sourced by their scripts (POSIX sh): a scratch folder, results in TAP, and the
# contract of the scripts that make pages.
# shellcheck shell=sh
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

# Number and name of a test and, unless it is 0, its status; what is wrong may also stand in the file `wrong`, one a line.
result() {
    if [ "${3-0}" -ne 0 ] || [ -s "$scratch/wrong" ]; then
        [ ! -s "$scratch/wrong" ] || sed 's/^/# /' "$scratch/wrong"
        echo "not ok $1 - $2"
        failed=1
    else
        echo "ok $1 - $2"
    fi
    : >"$scratch/wrong"
}

# Say that the page $1 is not up to date, with the first of what differs, and what to run ($2).
say_stale() {
    stale=1
    sed 's/^/# /' "$scratch/diff" | head -n 20
    echo "# docs/$1 is not up to date: run $2"
}

# Test number $1: the script $2 with a program that fails half-way and the target $3 leaves the page $4 that was there.
survives() {
    printf '#!/bin/sh\necho half\nexit 3\n' >"$scratch/broken"
    chmod +x "$scratch/broken"
    cp "$4" "$scratch/before"
    kept=1
    if ! sh "$2" "$scratch/broken" "$3" >/dev/null 2>&1 && cmp -s "$scratch/before" "$4" && [ ! -e "$4.new" ]; then
        kept=0
    fi
    result "$1" "a page survives a program that fails" $kept
}
