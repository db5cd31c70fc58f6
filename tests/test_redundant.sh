#!/bin/sh
# What redundant constraints cost, in instructions: ten hinges at most twice one, and for N hinges, or N mechanisms with redundant
# rows, no more than in proportion to N. Counted by valgrind on steps 3 to 14 of bench_redundant; counts are the same on every run.
set -u

bench=$(dirname "${HOLONOM_PROGRAM-/}")/bench/bench_redundant
if [ ! -x "$bench" ]; then
    echo "1..0 # SKIP built without the benches"
    exit 0
fi
if ! command -v valgrind >/dev/null 2>&1; then
    echo "1..0 # SKIP instructions are counted by valgrind, which is not there"
    exit 0
fi
# shellcheck source=tools/redundant_count.sh
. "${HOLONOM_SOURCE:?}/tools/redundant_count.sh"

steps=12
number=0
# check TITLE CONDITION FIGURES...: an awk condition over the figures a, b, c.
check() {
    number=$((number + 1))
    if awk -v a="$3" -v b="$4" -v c="${5-0}" "BEGIN { exit !($2) }"; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1: $3, $4 ${5-}"
    fi
}

for setting in method=auto method=canonical method=partitioning 'method=auto coordinates=relative' \
    'method=canonical-augmented coordinates=relative'; do
    # shellcheck disable=SC2086 # words of settings
    one=$(each space 1 $setting) ten=$(each space 10 $setting)
    check "ten hinges cost at most twice one ($setting)" 'b < 2 * a' "$one" "$ten"
done
# it begins every step with the terms of all rows: 1.98, of which what one hinge costs decides as well
one=$(each space 1 method=braun-goldfarb coordinates=relative) ten=$(each space 10 method=braun-goldfarb coordinates=relative)
check "ten hinges cost about twice one (method=braun-goldfarb coordinates=relative)" 'b < 2.1 * a' "$one" "$ten"
for method in canonical partitioning; do
    # a straight line through the first two lies above the third
    few=$(each space 4 method=$method) some=$(each space 8 method=$method) many=$(each space 16 method=$method)
    check "hinges add in proportion to their number ($method)" 'c - b < 1.25 * 2 * (b - a)' "$few" "$some" "$many"
    # in proportion to N^2 it would be eight times; an order of elimination may be better for few
    few=$(each four-bars 2 method=$method) many=$(each four-bars 16 method=$method)
    check "four-bars cost in proportion to their number ($method)" 'b / 16 < 1.5 * a / 2' "$few" "$many"
done
echo "1..$number"
