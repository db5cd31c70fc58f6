#!/bin/sh
# bench.sh BUILD [--check] [--only PATTERN]: what runs cost, as ratios of instructions, which do not depend on the load of the machine.
#
#   without words   measure all rows and write docs/performance.md
#   --check         measure all rows, write nothing, fail where one is beyond bench/thresholds.txt
#   --only PATTERN  rows whose name matches the pattern of the shell alone (writes nothing)
#
# A row is a name, what is measured, the two counts and their ratio. bench/thresholds.txt has for every row the ratio that it may reach
# and the one that is wanted. Counts are those of valgrind inside bench_counted() of the programs in bench/, or of a whole program.
set -eu
build=$(cd "${1:?the folder of the build}" && pwd)
shift
check=no only='*'
while [ $# -gt 0 ]; do
    case $1 in
    --check) check=yes ;;
    --only) only=${2:?a pattern} && shift ;;
    *) echo "bench.sh: there is no '$1'" >&2 && exit 2 ;;
    esac
    shift
done
source=$(cd "$(dirname "$0")/.." && pwd)
bench=$build/bench program=$build/holonom models=$source/models thresholds=${HOLONOM_THRESHOLDS-$source/bench/thresholds.txt}
command -v valgrind >/dev/null 2>&1 || { echo "bench.sh: instructions are counted by valgrind, which is not there" >&2; exit 1; }
[ -x "$bench/bench_count" ] || { echo "bench.sh: $bench/bench_count is not there; build the benches first" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OPENBLAS_NUM_THREADS=1
# shellcheck source=tools/count_env.sh
. "$source/tools/count_env.sh"
# shellcheck source=tools/bench_models.sh
. "$source/tools/bench_models.sh"

# ---- counting ----

# Instructions inside bench_counted(): PROGRAM WORDS...
inside() {
    valgrind --tool=callgrind --toggle-collect='bench_counted*' --callgrind-out-file=/dev/null "$@" 2>"$work/log" >"$work/out" </dev/null ||
        { echo "bench.sh: $* fails" >&2; cat "$work/log" >&2; exit 1; }
    sed -n 's/.*Collected *: *//p' "$work/log"
}

# Instructions of a whole program: PROGRAM WORDS...
whole() {
    (cd "$work" && valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>log >out </dev/null) ||
        { echo "bench.sh: $* fails" >&2; cat "$work/log" >&2; exit 1; }
    sed -n 's/.*Collected *: *//p' "$work/log"
}

# A run and steps of a model: MODEL SETTINGS... and STEPS MODEL SETTINGS..., instructions a step.
run() { inside "$bench/bench_count" run "$@"; }
step() {
    count=$(inside "$bench/bench_count" step "$@")
    echo $((count / $1))
}

# ---- rows ----

failed=0
# The numbers of a row of the thresholds: NAME COLUMN.
threshold() { awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$thresholds"; }

wanted_row() {
    # shellcheck disable=SC2254 # a pattern
    case $1 in $only) return 0 ;; *) return 1 ;; esac
}

# Put a row into the table: NAME FIGURE OF WHAT IT IS
row() {
    ratio=$(awk -v a="$2" -v b="$3" 'BEGIN { printf "%.3g", a / b }')
    most=$(threshold "$1" 2) wish=$(threshold "$1" 3) name=$1 above=$2 below=$3
    shift 3
    verdict=holds
    if [ -z "$most" ]; then
        verdict='has no threshold'
    elif awk -v r="$ratio" 'BEGIN { exit !(r <= 0) }'; then
        verdict='could not be counted'
    elif awk -v r="$ratio" -v m="$most" 'BEGIN { exit !(r > m) }'; then
        verdict="is beyond its threshold $most"
    fi
    [ "$verdict" = holds ] || failed=$((failed + 1))
    printf '%-34s %8s  %s (%s over %s): %s\n' "$name" "$ratio" "$*" "$above" "$below" "$verdict"
    printf '| %s | `%s` | %s | %s | **%s** | %s |\n' "$*" "$name" "$(thousands "$above")" "$(thousands "$below")" "$ratio" "${wish:--}" \
        >>"$work/table"
}

# A count as people read it.
thousands() { awk -v n="$1" 'BEGIN { if (n >= 1e6) printf "%.3g M", n / 1e6; else if (n >= 1e3) printf "%.3g k", n / 1e3; else printf "%g", n }'; }

heading() { printf '%s\n' "$1" >>"$work/table"; }
rk4='integrator=rk4 step=1e-3 end=1e9'

# A thousand outputs against one, at the end: NAME FILE END COORDINATES WHAT
outputs() {
    wanted_row "$1" || return 0
    row "$1" "$(run "$2" end="$3" tolerance=1e-8 coordinates="$4" output="$(awk -v e="$3" 'BEGIN { print e / 1000 }')")" \
        "$(run "$2" end="$3" tolerance=1e-8 coordinates="$4" output="$3")" "$5"
}

heading 'outputs'
outputs outputs.four_bar.reference "$models/four_bar.yaml" 10 reference 'four-bar, 1000 outputs against 1'
outputs outputs.four_bar.natural "$models/four_bar.yaml" 10 natural 'the same in natural coordinates'
outputs outputs.four_bar.relative "$models/four_bar.yaml" 10 relative 'the same in relative coordinates'
for n in 1 40; do
    wanted_row outputs.four_bars.$n || continue
    sh "$source/tools/make_n_four_bar.sh" $n >"$work/four_bars_$n.yaml"
    outputs outputs.four_bars.$n "$work/four_bars_$n.yaml" 10 auto "N = $n four-bars, the coordinates of \`auto\`"
done
outputs outputs.pendulum.reference "$models/pendulum.yaml" 10 reference 'pendulum with its reaction'
outputs outputs.slider_crank_spatial.relative "$models/slider_crank_spatial.yaml" 5 relative 'spatial slider-crank, relative coordinates'
outputs outputs.bricard.reference "$models/a04_bricard.yaml" 10 reference 'Bricard mechanism, redundant, 81 steps'
outputs outputs.chain.relative "$source/bench/models/five_links.yaml" 5 relative 'chain of five links, relative coordinates: no constraints'

heading 'loops'
if wanted_row loop.four_bar.lagrange || wanted_row loop.four_bar.relative; then
    hand=$(($(inside "$bench/limit_four_bar" 1000) / 1000))
    # shellcheck disable=SC2086 # words of settings
    {
        row loop.four_bar.lagrange "$(step 1000 "$models/four_bar.yaml" method=lagrange $rk4)" $hand 'four-bar, RK4 step, `lagrange`, against one coordinate by hand'
        row loop.four_bar.relative "$(step 1000 "$models/four_bar.yaml" method=lagrange coordinates=relative $rk4)" $hand 'the same in relative coordinates'
    }
fi
if wanted_row loop.four_bar.rattle8; then
    # shellcheck disable=SC2086
    row loop.four_bar.rattle8 $(($(step 100 "$models/four_bar.yaml" coordinates=reference integrator=rattle8 step=0.0075 end=1e9) / 17)) \
        "$(step 1000 "$models/four_bar.yaml" method=lagrange coordinates=reference $rk4)" 'four-bar, one of the 17 substeps of `rattle8`, against an RK4 step'
fi
# shellcheck source=tools/bench_peers.sh
. "$source/tools/bench_peers.sh"
# shellcheck source=tools/bench_target.sh
. "$source/tools/bench_target.sh"
# shellcheck source=tools/bench_growth.sh
. "$source/tools/bench_growth.sh"

heading 'generated'
# Rows of tools/generated_cost.sh, which compiles and counts: NAME LINE TEXT, generated code against the other.
generated() {
    wanted_row "$1" || return 0
    [ -s "$work/generated" ] || sh "$source/tools/generated_cost.sh" "$program" >"$work/generated"
    # shellcheck disable=SC2046 # two numbers
    row "$1" $(awk -v name="$2" '$1 == name { print $2, $3 }' "$work/generated") "$3"
}
generated generated.four_bar by-hand 'four-bar, RK4 step with projection, against one coordinate by hand'
generated generated.four_bar.second by-hand-second 'the same for a second, with the steps of each that leave an error of 1e-6 rad after 4 s'
generated generated.arm six-link-arm 'an arm with six links, RK4 step, against the library'
generated generated.iltis iltis-corner 'a corner of the Iltis, RK4 step, against the library'
generated generated.run.four_bar run-four-bar 'a second of `run --compiled`, against one without: four-bar'
generated generated.run.slider run-spatial 'the same for the spatial slider-crank'
generated generated.run.iltis run-iltis 'the same for a corner of the Iltis'

heading 'program'
if wanted_row program.start; then
    row program.start "$(whole "$program" check "$models/four_bar.yaml")" "$(run "$models/four_bar.yaml" end=10 tolerance=1e-8 output=10)" \
        '`holonom check` of the four-bar, start and all, against its run of 10 s without outputs'
fi
if wanted_row program.setup; then
    row program.setup "$(inside "$bench/bench_count" setup "$models/four_bar.yaml" end=10 tolerance=1e-8)" \
        "$(run "$models/four_bar.yaml" end=10 tolerance=1e-8 output=10)" \
        'from the description of the four-bar to its simulation, against its run of 10 s without outputs'
fi
if wanted_row program.runs || wanted_row program.sets; then
    bare=$(run "$models/four_bar.yaml" end=10 tolerance=1e-8 output=10)
    row program.runs $(($(inside "$bench/bench_count" varied 4 "$models/four_bar.yaml" end=10 tolerance=1e-8 output=0.01) / 4)) "$bare" \
        'a run of the four-bar by calls with another mass (`hol_varied`), with 1000 results, against its 10 s without them'
    row program.sets $(($(inside "$bench/bench_count" sets 16 "$models/four_bar.yaml" end=10 tolerance=1e-8) / 16)) "$bare" \
        'of that the set of values, up to the simulation at its start'
fi
if wanted_row program.hdf5 || wanted_row program.csv; then
    bare=$(whole "$program" run "$models/four_bar.yaml" --quiet --no-output)
    row program.hdf5 "$(whole "$program" run "$models/four_bar.yaml" --quiet -o x.h5)" "$bare" '`holonom run` of the four-bar with an HDF5 file, against without a file'
    row program.csv "$(whole "$program" run "$models/four_bar.yaml" --quiet -o x.csv)" "$bare" 'the same with a CSV file'
fi

heading 'auto'
# What a run takes whose coordinates are left open, against the cheapest of the coordinate sets: NAME MODEL END [TOLERANCE]
# The tolerance is that of reference-point coordinates, where their error is larger at an equal one.
choice() {
    wanted_row "$1" || return 0
    least=
    for set in reference natural relative; do
        tolerance=1e-8
        [ $set = reference ] && tolerance=${4-1e-8}
        other=$(run "$models/$2.yaml" end="$3" tolerance=$tolerance output="$3" coordinates=$set)
        [ -n "$least" ] && [ "$other" -ge "$least" ] || least=$other
    done
    row "$1" "$(run "$models/$2.yaml" end="$3" tolerance=1e-8 output="$3" coordinates=cheapest)" "$least" \
        "$2: coordinates that are left open against the cheapest at the same ${4+error, reference-point ones at }${4-tolerance}"
}
choice auto.four_bar four_bar 10
choice auto.two_four_bar a02_two_four_bar 10
choice auto.forty_four_bar a02_forty_four_bar 1
choice auto.andrews a03_andrews 0.05
choice auto.bricard a04_bricard 10
choice auto.governor a05_flyball_governor 1
choice auto.bicycle bicycle 1
choice auto.car_axis car_axis 1
choice auto.five_bar five_bar 1
# at 1e-8 its position is off by 1.4e-7 m in reference-point coordinates (steps of a radian), by 6e-9 m in relative ones
choice auto.heavy_top heavy_top 0.5 3e-9
choice auto.iltis iltis_corner 0.2
choice auto.pendulum pendulum 10
choice auto.rotary_drive rotary_drive 0.2
choice auto.slider_crank slider_crank 4
choice auto.slider_crank_spatial slider_crank_spatial 1

# ---- the page ----

titles() {
    case $1 in
    outputs) echo 'Outputs: a run that writes a thousand states, against the same run without them (tolerance 1e-8)' ;;
    loops) echo 'Tight loops: a step of the library, against the least that a step can cost' ;;
    peers) echo 'Peers: a step of the library, against theirs' ;;
    target) echo 'Whole runs: plain `auto` with a thousand outputs, against the cheapest runs of peers in a target' ;;
    growth) echo 'Growth: what one of many costs, against one of few' ;;
    setup) echo 'Set-up of large mechanisms' ;;
    methods) echo 'Methods on long chains' ;;
    generated) echo 'Generated code: `holonom generate` and `run --compiled`' ;;
    program) echo 'The program' ;;
    auto) echo 'Coordinates that are left open: the choice by cost of `holonom run`, against the best of all sets' ;;
    esac
}

# shellcheck source=tools/bench_remarks.sh
. "$source/tools/bench_remarks.sh"

page() {
    cat <<'TEXT'
# What runs cost

Written by `./dev bench`; `./dev bench --check` measures the same and fails where a ratio is beyond `bench/thresholds.txt`. All figures are counts of
instructions (valgrind), which do not depend on the machine's load and hardly on the machine; each ratio stands for two counts of one session.
*Wanted* is where the work aims; the thresholds lie a few percent above what is reached and keep it. The loops by hand are in `bench/limit/`; MuJoCo
and Simbody are counted where Debian's `libmujoco-dev` and `libsimbody-dev` are installed (`bench/peer/`). Counts of whole programs include start,
reading and writing.
TEXT
    while read -r line; do
        case $line in
        '|'*) echo "$line" ;;
        *)
            printf '\n## %s\n\n' "$(titles "$line")"
            remarks "$line"
            printf '| what | row | this | against | ratio | wanted |\n|---|---|---|---|---|---|\n'
            ;;
        esac
    done <"$work/table"
}

# shellcheck source=tools/bench_plots.sh
. "$source/tools/bench_plots.sh"
if [ $check = no ] && [ "$only" = '*' ]; then
    plot_growth
    plot_peers
    page >"$source/docs/performance.md"
    echo "written: docs/performance.md"
fi
if [ $failed -gt 0 ]; then
    echo "bench: $failed rows are beyond their thresholds or have none"
    [ $check = no ] || exit 1
fi
