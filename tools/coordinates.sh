#!/bin/sh
# coordinates.sh BUILD MODEL END [SETTING...]: what the sets of coordinates cost at equal error, as Markdown.
#
# Each set runs to END at the tolerances 1e-8 and 1e-9. The error is the largest difference of the poses at the end (metres, entries of rotations)
# from a run at 1e-12 in reference-point coordinates; instructions at 1e-8 are valgrind's. With N evaluations for an error e, N goes like e^-p between
# the two runs (p within 1/20 to 1/2); so the instructions that a set would take for the error of the first one are its own times (e / e_1)^p.
# The last row is the set that a run takes whose coordinates are left open.
set -eu
build=${1:?the folder of the build} model=${2:?a model file} end=${3:?the end of the run}
shift 3
count=$build/bench/bench_count
[ -x "$count" ] || { echo "coordinates.sh: $count is not there; build the benches first" >&2; exit 1; }
command -v valgrind >/dev/null 2>&1 || { echo "coordinates.sh: instructions are counted by valgrind, which is not there" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OPENBLAS_NUM_THREADS=1

# A run: SET TOLERANCE; further words are settings.
run() {
    set=$1 tolerance=$2
    shift 2
    "$count" run "$model" end="$end" output="$end" coordinates="$set" tolerance="$tolerance" "$@"
}

run reference 1e-12 "$@" >"$work/exact"

# Evaluations and error of what a run printed.
figures() {
    awk 'FNR == NR { if ($1 == "pose") { n++; for (i = 2; i <= NF; i++) exact[n, i] = $i }; next }
        $1 == "evaluations" { evaluations = $2 }
        $1 == "pose" { k++; for (i = 2; i <= NF; i++) { d = $i - exact[k, i]; if (d < 0) d = -d; if (d > error) error = d } }
        END { printf "%d %.3g\n", evaluations, error + 1e-16 }' "$work/exact" "$1"
}

echo "| coordinates | instructions at 1e-8 | evaluations | error | at 1e-9 | at the error of the first | of the first |"
echo "|---|---|---|---|---|---|---|"
for set in reference natural relative cheapest; do
    valgrind --tool=callgrind --toggle-collect=bench_counted --callgrind-out-file=/dev/null "$count" run "$model" end="$end" output="$end" \
        coordinates=$set tolerance=1e-8 "$@" >"$work/loose" 2>"$work/log" </dev/null || { echo "| $set | fails | | | | | |"; continue; }
    run $set 1e-9 "$@" >"$work/tight" 2>/dev/null
    instructions=$(sed -n 's/.*Collected *: *//p' "$work/log")
    echo "$set $instructions $(figures "$work/loose") $(figures "$work/tight")"
done | awk '/^\|/ { print; next }
    {
        p = $4 != $6 && $3 != $5 ? log($5 / $3) / log($4 / $6) : 0.125
        if (p < 0.05) p = 0.05
        if (p > 0.5) p = 0.5
        if (!first) { first = $2; wanted = $4 }
        equal = $2 * exp(p * log($4 / wanted))
        printf "| %s | %.3g M | %d | %.1e | %.1e | %.3g M | %.2f |\n", $1, $2 / 1e6, $3, $4, $6, equal / 1e6, equal / first
    }'
