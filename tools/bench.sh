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

# ---- counting ----

# Instructions inside bench_counted(): PROGRAM WORDS...
inside() {
    valgrind --tool=callgrind --toggle-collect=bench_counted --callgrind-out-file=/dev/null "$@" 2>"$work/log" >"$work/out" </dev/null ||
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
rk4='integrator=rk4 step=1e-3 end=1e9'
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
if wanted_row loop.chain.relative || wanted_row loop.chain.mujoco; then
    # shellcheck disable=SC2086
    ours=$(step 1000 "$source/bench/models/five_links.yaml" method=lagrange coordinates=relative $rk4)
    row loop.chain.relative "$ours" $(($(inside "$bench/limit_chain" 1000) / 1000)) 'five links, RK4 step, relative coordinates, against Cholesky by hand'
    if [ -x "$bench/peer_mujoco" ]; then
        row loop.chain.mujoco "$ours" $(($(inside "$bench/peer_mujoco" "$source/bench/models/five_links.xml" 1000) / 1000)) \
            'five links, RK4 step, against MuJoCo'
    fi
fi

heading 'growth'
if wanted_row growth.four_bars; then
    for n in 40 1000; do sh "$source/tools/make_n_four_bar.sh" $n >"$work/four_bars_$n.yaml"; done
    # shellcheck disable=SC2086
    row growth.four_bars $(($(step 5 "$work/four_bars_1000.yaml" $rk4) / 25)) "$(step 20 "$work/four_bars_40.yaml" $rk4)" \
        'N four-bars in the plane, RK4 step per four-bar, N = 1000 against 40'
fi
if wanted_row growth.redundant; then
    # instructions of a step of N of them
    redundant() (
        bench=$bench/bench_redundant
        # shellcheck source=tools/redundant_count.sh
        . "$source/tools/redundant_count.sh"
        steps=40
        # an end that 42 steps nearly reach: a run that creeps by the clock, which valgrind slows, would be looked into
        each four-bars "$1" end=2
    )
    row growth.redundant $(($(redundant 16) / 16)) "$(redundant 1)" \
        'N four-bars in space with three redundant rows each, step per four-bar, N = 16 against 1'
fi

# A chain of N links in relative coordinates.
chain() {
    awk -v n="$1" 'BEGIN {
        print "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nsimulation: {coordinates: relative}\nbodies:"
        for (i = 0; i < n; i++) printf "  b%d: {mass: 1, inertia: 0.08, along: [[%d, 0], [%d, 0]]}\n", i, i, i + 1
        print "joints:"
        for (i = 0; i < n; i++)
            printf "  j%d: {type: revolute, bodies: [%s, b%d], at: [%d, 0]}\n", i, i ? "b" i - 1 : "ground", i, i
    }'
}
if wanted_row growth.reactions; then
    chain 1000 >"$work/chain.yaml"
    # shellcheck disable=SC2086
    row growth.reactions $(($(inside "$bench/bench_count" output 3 "$work/chain.yaml" $rk4) / 3)) "$(step 3 "$work/chain.yaml" $rk4)" \
        'the reactions of all joints of a chain of 1000 links, relative coordinates, against an RK4 step'
fi

for method in canonical partitioning; do
    wanted_row growth.$method || continue
    chain 1000 >"$work/chain.yaml"
    # shellcheck disable=SC2086
    row growth.$method "$(step 3 "$work/chain.yaml" method=$method $rk4)" "$(step 3 "$work/chain.yaml" method=lagrange $rk4)" \
        "a chain of 1000 links, relative coordinates, RK4 step under \`$method\`, against \`lagrange\`"
done

# One loop of N links in the plane, hung between two points of ground.
loop() {
    awk -v n="$1" 'BEGIN {
        turn = 2.8 / n; r = 0.055 / sin(turn / 2)
        print "holonom: 1\nspace: planar\ngravity: [0, -9.81]\npoints:"
        for (i = 0; i <= n; i++) printf "  p%d: [%.15g, %.15g]\n", i, -r * cos(i * turn), -r * sin(i * turn)
        print "bodies:"
        for (i = 0; i < n; i++) printf "  b%d: {mass: 0.23, inertia: 2e-4, along: [p%d, p%d]}\n", i, i, i + 1
        print "joints:"
        for (i = 0; i <= n; i++)
            printf "  j%d: {type: revolute, bodies: [%s, %s], at: p%d}\n", i, i ? "b" i - 1 : "ground", i < n ? "b" i : "ground", i
    }'
}
if wanted_row growth.loop || wanted_row growth.loop_links; then
    for n in 100 1000; do loop $n >"$work/loop_$n.yaml"; done
    # shellcheck disable=SC2086
    {
        ours=$(step 3 "$work/loop_1000.yaml" coordinates=relative $rk4)
        row growth.loop "$ours" "$(step 3 "$work/loop_1000.yaml" coordinates=reference $rk4)" \
            'one loop of 1000 links in the plane, RK4 step in relative coordinates, against reference-point ones'
        row growth.loop_links $((ours / 10)) "$(step 3 "$work/loop_100.yaml" coordinates=relative $rk4)" \
            'the same in relative coordinates, per link, 1000 links against 100'
    }
fi

if wanted_row growth.loop_space; then
    for n in 50 200; do
        loop $n | sed -e 's/space: planar/space: spatial/' -e 's/, -9.81\]/, 0, -9.81]/' -e 's/^\(  p[0-9]*: \[[^,]*\),/\1, 0,/' \
            -e 's/inertia: 2e-4/inertia: [1e-5, 2e-4, 2e-4]/' -e 's/, at: /, axis: [0, 1, 0], at: /' >"$work/space_$n.yaml"
    done
    # shellcheck disable=SC2086
    row growth.loop_space $(($(step 3 "$work/space_200.yaml" coordinates=reference $rk4) / 4)) \
        "$(step 3 "$work/space_50.yaml" coordinates=reference $rk4)" \
        'one planar loop in space with three redundant rows, reference-point coordinates, RK4 step per link, 200 links against 50'
fi

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
    growth) echo 'Growth: what one of many costs, against one of few' ;;
    program) echo 'The program' ;;
    auto) echo 'Coordinates that are left open: the choice by cost of `holonom run`, against the best of all sets' ;;
    esac
}

# Why rows of a section stay above what is wanted, with the parts of what they count.
why() {
    case $1 in
    outputs) cat <<'TEXT' ;;
What keeps outputs above 1.15, for the four-bar in reference-point coordinates (11.3 M beside a run of 27.7 M, 4.6 outputs in each step): bringing
positions onto the constraints to rounding takes 5.4 M (Φ and A 1.1, a factorisation 2.2, a solve 1.2), the three extra stages of the interpolant
where the free one does not do 2.7 M, its polynomials 1.9 M, the measures and the positions that they need 1.3 M. Both sides of the ratio are made
of the same evaluations and factorisations, so that making these cheaper does not lower it. Without the constraints it would be 1.21, without the
extra stages too 1.12 (`docs/decisions.md`, "Outputs are interpolated").
TEXT
    loops) cat <<'TEXT' ;;
The loop by hand knows that the four-bar has one coordinate and solves its position in closed form. The library's RK4 step has four evaluations of
6.7 k: factorising 17 rows along their pattern 1.8 k, solving 1.3 k, moving the matrix to its places and back 0.3 k, joints 0.6 k, sines and cosines
0.3 k, and 2.4 k for states, forces, stages and the checks of the step. `run --compiled` and `holonom generate` unroll all of it (2.1 to 10.6 times
fewer).
TEXT
    program) cat <<'TEXT' ;;
An HDF5 file adds 44 M to the run: 13 M to load Debian's HDF5 with its 30 libraries, 9 M to create and close 190 attributes and 18 datasets, 5 M for
five flushes, 16 M for what the records hold, of which the solution of the equations at a thousand instants inside the steps alone is more than 1.05
allows. `program.runs` is the run with a thousand outputs (above) and 1.3 M for the set of values.
TEXT
    esac
}

page() {
    cat <<'TEXT'
# What runs cost

Written by `./dev bench`; `./dev bench --check` measures the same and fails where a ratio is beyond `bench/thresholds.txt`. All figures are counts of
instructions (valgrind), which do not depend on the machine's load and hardly on the machine; each ratio stands for two counts of one session.
*Wanted* is where the work aims; the thresholds lie a few percent above what is reached and keep it. The loops by hand are in `bench/limit/`; MuJoCo
is counted where Debian's `libmujoco-dev` is installed (`bench/peer/`). Counts of whole programs include start, reading and writing.
TEXT
    while read -r line; do
        case $line in
        '|'*) echo "$line" ;;
        *)
            printf '\n## %s\n\n' "$(titles "$line")"
            text=$(why "$line")
            [ -z "$text" ] || printf '%s\n\n' "$text"
            printf '| what | row | this | against | ratio | wanted |\n|---|---|---|---|---|---|\n'
            ;;
        esac
    done <"$work/table"
}

if [ $check = no ] && [ "$only" = '*' ]; then
    page >"$source/docs/performance.md"
    echo "written: docs/performance.md"
fi
if [ $failed -gt 0 ]; then
    echo "bench: $failed rows are beyond their thresholds or have none"
    [ $check = no ] || exit 1
fi
