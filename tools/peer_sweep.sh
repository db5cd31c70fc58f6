#!/bin/sh
# peer_sweep.sh BUILD [PROBLEM...]: what other programs need for a run whose mass centres are off by no more than 1e-3 m at its end, and its
# energy by no more than 1e-5 of the largest kinetic energy: tools/bench_target.sh counts the cheapest settings that this finds.
#
# For each problem (four_bar one forty chain slider) and setting a line: program, integrator, step or accuracy, stiffness, error in m, of
# energy, and seconds; * where both are in the target. Seconds depend on the load of the machine; the cheapest is to be taken among those in
# the target.
set -eu
build=$(cd "${1:?the folder of the build}" && pwd)
shift
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OPENBLAS_NUM_THREADS=1
# shellcheck source=tools/bench_models.sh
. "$source/tools/bench_models.sh"
# shellcheck source=tools/bench_problems.sh
. "$source/tools/bench_problems.sh"

# A line of the table: WORDS...; the run's words are in out, its seconds in time.
tell() {
    awk -v words="$*" -v seconds="$(cat "$work/time")" -v error="$(error_of "$work/exact" "$work/out")" '
        $1 == "energy" { energy = $2 }
        END { printf "%-44s %9.1e m %9.1e %8.2f s%s\n", words, error, energy, seconds, error <= 1e-3 && energy <= 1e-5 ? " *" : "" }' "$work/out"
}
timed() {
    from=$(date +%s.%N)
    timeout 120 "$@" >"$work/out" 2>/dev/null || echo 'energy inf' >"$work/out"
    awk -v a="$from" -v b="$(date +%s.%N)" 'BEGIN { print b - a }' >"$work/time"
}
[ $# -gt 0 ] || set -- $problems
for problem in "$@"; do
    prepare "$problem"
    echo "$problem"
    "$build/bench/bench_count" run "$model" end="$end" tolerance=1e-13 output="$end" >"$work/exact" 2>/dev/null
    timed "$build/bench/bench_count" run "$model" end="$end" output="$(awk -v e="$end" 'BEGIN { print e / 1000 }')"
    tell ours
    for step in 1.25e-2 1e-2 8e-3 6.25e-3 5e-3 4e-3 2.5e-3 2e-3 1e-3 5e-4 2.5e-4 2e-4 1e-4; do
        for integrator in RK4 implicit Euler; do
            for stiffness in $stiffnesses; do
                timed "$build/bench/peer_mujoco" run "$xml" "$(awk -v e="$end" -v h=$step 'BEGIN { printf "%.0f", e / h }')" $step $integrator "$stiffness"
                tell mujoco $integrator $step "$stiffness"
            done
        done
    done
    for integrator in Merson Feldberg RungeKutta3 Verlet; do
        for accuracy in 1e-2 1e-3 1e-4 1e-5 1e-6 1e-7; do
            timed "$build/bench/peer_simbody" run $simbody "$end" $integrator $accuracy
            tell simbody $integrator $accuracy
        done
    done
done
