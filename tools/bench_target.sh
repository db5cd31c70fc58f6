# bench_target.sh: rows of tools/bench.sh: plain runs with a thousand outputs, as a user gets them, beside the cheapest run of another program
# whose mass centres are off by no more than 1e-3 m at its end, and its energy by no more than 1e-5 (settings: tools/peer_sweep.sh).
# shellcheck shell=sh
# shellcheck disable=SC2086,SC2154,SC2016 # words of settings; variables of tools/bench.sh; names in backquotes

# shellcheck source=tools/bench_problems.sh
. "$source/tools/bench_problems.sh"

# The cheapest settings of a program for a problem that were found in the target; nothing: none was.
cheapest_of() {
    case $1.$2 in
    mujoco.four_bar) echo 2e-4 RK4 1e-2 ;;
    mujoco.one) echo 1.25e-2 RK4 1e-4 ;;
    mujoco.forty) echo 8e-3 RK4 1e-4 ;;
    mujoco.chain) echo 5e-3 RK4 1e-4 ;;
    mujoco.slider) echo 2.5e-5 RK4 1e-2 ;;
    simbody.four_bar | simbody.chain) echo Feldberg 1e-7 ;;
    simbody.slider) echo Merson 1e-6 ;;
    esac
}

# Whether a file of results is in the target.
in_target() {
    awk -v e="$(error_of "$work/exact" "$1")" '$1 == "energy" { energy = $2 } END { exit !(e <= 1e-3 && energy <= 1e-5) }' "$1"
}

# Instructions of the whole run by a program with these settings, from a part of it: PROGRAM SETTINGS... Nothing where it misses the target.
whole_of() {
    peer_name=$1 peer=$bench/peer_$1
    shift
    if [ "$peer_name" = mujoco ]; then
        all=$(awk -v e="$end" -v h="$1" 'BEGIN { printf "%.0f", e / h }')
        "$peer" run "$xml" "$all" "$@" >"$work/peer" 2>/dev/null
        some=$(inside "$peer" run "$xml" 200 "$@")
        part=200
    else
        "$peer" run $simbody "$end" "$@" >"$work/peer" 2>/dev/null
        all=$(awk '$1 == "steps" { print $2 }' "$work/peer")
        early=$(awk -v e="$end" 'BEGIN { print e / 10 }')
        part=$("$peer" run $simbody "$early" "$@" 2>/dev/null | awk '$1 == "steps" { print $2 }')
        some=$(inside "$peer" run $simbody "$early" "$@")
    fi
    in_target "$work/peer" && awk -v c="$some" -v a="$all" -v p="$part" 'BEGIN { printf "%.0f", c / p * a }'
}

heading 'target'
# A problem with the programs that are there: PROBLEM WHAT.
target() {
    wanted_row "target.$1" || return 0
    prepare "$1"
    "$bench/bench_count" run "$model" end="$end" tolerance=1e-13 output="$end" >"$work/exact" 2>/dev/null
    thousandth=$(awk -v e="$end" 'BEGIN { print e / 1000 }')
    "$bench/bench_count" run "$model" end="$end" tolerance=1e-8 coordinates=cheapest output="$thousandth" >"$work/ours" 2>/dev/null
    ours=$(run "$model" end="$end" tolerance=1e-8 coordinates=cheapest output="$thousandth")
    row "target.$1.error" "$(error_of "$work/exact" "$work/ours")" 1e-3 "$2, plain run with 1000 outputs: how far mass centres are off in m, against the target"
    for program_name in mujoco simbody; do
        settings=$(cheapest_of $program_name "$1")
        [ -x "$bench/peer_$program_name" ] && [ -n "$settings" ] || continue
        theirs=$(whole_of $program_name $settings)
        row "target.$1.$program_name" "$ours" "${theirs:-0}" "the same against the cheapest run of ${program_name} in the target ($settings)"
    done
}
target four_bar 'four-bar, 10 s'
target one 'N = 1 four-bar, 10 s'
target forty 'N = 40 four-bars, 10 s'
target chain 'chain of five links, 5 s'
target slider 'spatial slider-crank, 5 s'
