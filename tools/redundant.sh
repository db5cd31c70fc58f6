#!/bin/sh
# redundant.sh BENCH: the figures of docs/theory/redundant.md: instructions of a step with redundant constraints, counted by
# valgrind on runs of bench_redundant, as Markdown. Instructions do not depend on the load of the machine; a few minutes.
set -eu
bench=${1-build/release/bench/bench_redundant}
[ -x "$bench" ] || { echo "redundant.sh: $bench is not there; build the benches first" >&2; exit 1; }
command -v valgrind >/dev/null 2>&1 || { echo "redundant.sh: instructions are counted by valgrind, which is not there" >&2; exit 1; }

# shellcheck source=tools/redundant_count.sh
. "$(dirname "$0")/redundant_count.sh"

# Ten hinges against one: MODEL SETTINGS...
ratio() {
    model=$1
    shift
    ten=$(each "$model" 10 "$@") one=$(each "$model" 1 "$@")
    awk -v a="$ten" -v b="$one" 'BEGIN { printf "%.2f", a / b }'
}

# A row of the table of hinges: NAME SETTINGS...
hinges() {
    name=$1
    shift
    row="| $name |"
    for place in 'plane reference' 'space reference' 'plane relative' 'space relative' 'space natural'; do
        row="$row $(ratio "${place% *}" "coordinates=${place#* }" "$@") |"
    done
    echo "$row"
}

# A row of the table of growth: NAME MODEL SETTINGS..., in thousands of instructions for each of N.
growth() {
    name=$1 model=$2
    shift 2
    row="| $name |"
    for n in 1 2 4 8 16 32; do
        row="$row $(each "$model" $n "$@" | awk -v n="$([ "$model" = four-bars ] && echo $n || echo 1)" '{ printf "%.3g", $1 / n / 1000 }') |"
    done
    echo "$row"
}

echo '| method | reference, plane | reference, space | relative, plane | relative, space | natural, space |'
echo '|---|---|---|---|---|---|'
for method in auto lagrange augmented-lagrangian projection nullspace udwadia-kalaba partitioning partitioning-hybrid \
    partitioning-extended independent independent-extended canonical canonical-independent canonical-augmented \
    canonical-augmented-basic braun-goldfarb penalty; do
    hinges "\`$method\`" method=$method
done
hinges '`auto`, `rk4`, step 0.01' integrator=rk4 step=0.01
hinges '`lagrange`, `rk4`, step 0.01' method=lagrange integrator=rk4 step=0.01
hinges '`auto`, `rodas4`' integrator=rodas4
hinges '`auto`, `esdirk4`' integrator=esdirk4

echo
echo '| | N = 1 | 2 | 4 | 8 | 16 | 32 |'
echo '|---|---|---|---|---|---|---|'
for method in auto canonical partitioning; do growth "N hinges in space, \`$method\`" space method=$method; done
for method in auto canonical partitioning; do growth "per four-bar, \`$method\`" four-bars method=$method; done
