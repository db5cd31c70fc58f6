#!/bin/sh
# choices.sh BUILD [MODEL...]: what a run takes whose coordinates are left open, against the cheapest coordinates, for every model of models/
# that runs (or those named): half a second at the tolerance 1e-8, instructions by valgrind. Prints a line for each, the worst last: ratio,
# model, coordinates of the choice and the cheapest ones; models that more than the ratio 1.3 are marked. Models that no set can run so are
# named at the end.
set -eu
build=$(cd "${1:?the folder of the build}" && pwd)
shift
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OPENBLAS_NUM_THREADS=1
# shellcheck source=tools/count_env.sh
. "$source/tools/count_env.sh"

# Instructions of a run, nothing where it fails: MODEL COORDINATES.
count() {
    timeout 300 valgrind --tool=callgrind --toggle-collect=bench_counted --callgrind-out-file=/dev/null "$build/bench/bench_count" run "$1" \
        end=0.5 output=0.5 tolerance=1e-8 coordinates="$2" 2>"$work/log" >/dev/null </dev/null && sed -n 's/.*Collected *: *//p' "$work/log" || :
}

[ $# -gt 0 ] || set -- $(cd "$source/models" && find . -name '*.yaml' | sed 's|^\./||; s|\.yaml$||' | LC_ALL=C sort)
for name in "$@"; do
    model=$source/models/$name.yaml least= best=
    chosen=$(count "$model" cheapest)
    for set in reference natural relative; do
        other=$(count "$model" $set)
        [ -n "$other" ] || continue
        [ -n "$least" ] && [ "$other" -ge "$least" ] || least=$other best=$set
    done
    if [ -z "$chosen" ] || [ -z "$least" ]; then
        echo "$name" >>"$work/none"
    else
        awk -v a="$chosen" -v b="$least" -v name="$name" -v best=$best \
            'BEGIN { printf "%.3f %s (cheapest: %s)%s\n", a / b, name, best, (a > 1.3 * b ? ", beyond 1.3" : "") }' >>"$work/rows"
    fi
done
sort -n "$work/rows"
[ ! -f "$work/none" ] || echo "not run: $(tr '\n' ' ' <"$work/none")"
