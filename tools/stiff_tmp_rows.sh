#!/bin/sh
# stiff.sh PROGRAM [MECHANISMS]: the tables of docs/theory/stiff.md, as Markdown: what integrators need on stiff mechanisms until the end of the run
# is right to 1e-6. Tolerances go down by a quarter of a decade from 0.01; the first one that reaches 1e-6 counts. Instructions are counted by
# valgrind where it is there. Some minutes.
set -eu
program=${1-build/release/holonom}
models=${HOLONOM_MODELS-models}
wanted=${2-}
[ -x "$program" ] || { echo "stiff.sh: $program is not there; build it first" >&2; exit 1; }

# shellcheck source=tools/stiff_rows.sh
. "$(dirname "$0")/stiff_rows.sh"

explicit='bs32'
implicit='bdf ida'

# The loosest tolerance that reaches 1e-6, with steps, evaluations, derivatives and error: NAME INTEGRATOR; nothing where there is none.
loosest() {
    for quarter in $(seq 8 44); do
        tolerance=$(awk -v q="$quarter" 'BEGIN { printf "%.2g", 10 ^ (-q / 4) }')
        row=$(against "$1" "$2" "$tolerance" "$reference")
        if [ -n "$row" ] && echo "$row" | awk '{ exit !($4 < 1e-6) }'; then
            echo "$tolerance $row"
            return
        fi
    done
}

# All instructions of a run; further words go to it: NAME INTEGRATOR TOLERANCE.
count() {
    name=$1 integrator=$2 tolerance=$3
    shift 3
    # shellcheck disable=SC2046 # one word per setting
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$program" run "$models/$(field "$name" 2).yaml" --no-output --quiet \
        --integrator "$integrator" --tol "$tolerance" $(field "$name" 3 | tr ',' '\n' | sed 's/^/--set /') "$@" 2>&1 </dev/null |
        sed -n 's/.*I *refs: *//p' | tr -d ,
}

# Those without reading the model and starting, in millions; a dash without valgrind: NAME INTEGRATOR TOLERANCE.
instructions() {
    command -v valgrind >/dev/null 2>&1 || { echo -; return; }
    whole=$(count "$@") start=$(count "$@" --set max_steps=1)
    echo $(((whole - start) / 1000000))
}

# What order 2 takes: the error of fixed steps of average acceleration, of all A-stable formulas of order 2 with a fixed combination of steps the one
# with the least constant, at two lengths; and the steps that 1e-6 takes by it: NAME.
second_order() {
    end=$(field "$1" 3 | sed 's/.*end=//; s/,.*//')
    for n in 8000 16000; do
        # shellcheck disable=SC2046 # one word per setting
        "$program" run "$models/$(field "$1" 2).yaml" --no-output --json --integrator newmark --step "$(awk -v e="$end" -v n=$n 'BEGIN { printf "%.17g", e / n }')" \
            $(field "$1" 3 | tr ',' '\n' | sed 's/^/--set /') 2>/dev/null </dev/null | numbers "$1" | compare_with "$reference"
    done | awk -v name="$1" '
        { e[NR] = $4 }
        END {
            if (NR != 2) exit
            printf "\nOrder 2: fixed steps of `newmark` are off by %s in 8000 and %s in 16000 (order %.2f), so that 1e-6 takes %d steps.\n",
                e[1], e[2], log(e[1] / e[2]) / log(2), 16000 * sqrt(e[2] / 1e-6)
        }'
}

# The table of a mechanism.
table() {
    name=$1
    reference=$(run_stiff "$name" radau9 1e-11 | numbers "$name")
    check=$(against "$name" dop853 1e-11 "$reference" | awk '{ print $4 }')
    echo
    echo "### $name"
    echo
    echo "\`models/$(field "$name" 2).yaml\` with $(field "$name" 3 | tr ',' ' '); measures $(field "$name" 4 | tr ',' ' '). The reference,"
    echo "\`radau9\` at 1e-11, and \`dop853\` at 1e-11 differ by $check."
    echo
    echo '| | tolerance | steps | evaluations | derivatives | error | million instructions | times fewer evaluations | than `dopri5` | times fewer instructions |'
    echo '|---|---|---|---|---|---|---|---|---|---|'
    rows= best= best_instructions= usual=
    for integrator in $explicit; do
        row=$(loosest "$name" "$integrator")
        [ -n "$row" ] || continue
        count=$(instructions "$name" "$integrator" "${row%% *}")
        evaluations=$(echo "$row" | awk '{ print $3 }')
        [ "$integrator" != dopri5 ] || usual=$evaluations
        [ -n "$best" ] && [ "$best" -le "$evaluations" ] || best=$evaluations
        [ "$count" = - ] || { [ -n "$best_instructions" ] && [ "$best_instructions" -le "$count" ]; } || best_instructions=$count
        echo "$row" | awk -v name="$integrator" -v count="$count" '{ printf "| `%s` | %s | %d | %d | | %s | %s | | | |\n", name, $1, $2, $3, $5, count }'
    done
    for integrator in $implicit; do
        row=$(loosest "$name" "$integrator")
        [ -n "$row" ] || { echo "| \`$integrator\` | does not reach 1e-6 | | | | | | | | |"; continue; }
        count=$(instructions "$name" "$integrator" "${row%% *}")
        echo "$row" | awk -v name="$integrator" -v count="$count" -v best="$best" -v usual="$usual" -v bi="$best_instructions" '
            { printf "| `%s` | %s | %d | %d | %d | %s | %s | %.1f | %.1f | %s |\n", name, $1, $2, $3, $4, $5, count, best / $3, usual / $3,
                (count == "-" ? "-" : sprintf("%.1f", bi / count)) }'
    done
    :
}

printf '%s\n' "$mechanisms" | while read -r name _; do
    case " ${wanted:-$name} " in *" $name "*) table "$name" ;; esac
done
