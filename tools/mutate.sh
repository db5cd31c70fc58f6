#!/bin/sh
# Read mutated model files and mutated result files.
#
#   mutate.sh BUILD MODELS RESULTS PAGE    until so many of each are read, with the fuzzers and the program of the build
#
# Models are made of those in models/; results are those of some models in several forms. They are read in pieces, and each
# piece is added to PAGE (docs/fuzzing.md, tools/fuzz_ledger.sh), which says how many of this version are read: the next run, or
# the one after an interruption, goes on behind them. With no PAGE ("") all of them are read. The exit status is 1 where one
# of them crashed the reader, took more than 10 s or more than 1 GB; its bytes are then in BUILD/mutate/found-*.
set -eu

build=$(cd "$1" && pwd)
models=$2
results=$3
page=${4-}
[ -z "$page" ] || page=$(cd "$(dirname "$page")" && pwd)/${page##*/}
root=$(cd "$(dirname "$0")/.." && pwd)
status=0
mkdir -p "$build/mutate/results"
cd "$build/mutate"

# How many the row $1 has of this version.
read_before() {
    version=$(sed -n 's/^#define HOL_VERSION "\(.*\)"/\1/p' "$root/include/holonom/version.h")
    { awk -F ' *[|] *' -v name="$1" -v version="$version" '$2 == name && $3 == version { print $5; exit }' "$page" 2>/dev/null
      echo 0; } | head -n 1
}

# Processor time of all that ran so far, in whole seconds.
look_at_clock() {
    times >times.txt
    worked=$(awk -F '[ms ]+' 'NR == 2 { printf "%d\n", 60 * ($1 + $3) + $2 + $4 }' times.txt)
}

# Read files for the row $1 until there are $2 of them, $3 a piece; the other words are the reader and its folders.
read_pieces() {
    row=$1 wanted=$2 most=$3 reader=$4 from=0
    shift 4
    [ -z "$page" ] || from=$(read_before "$row")
    echo "$row: $from of $wanted are read"
    while [ "$from" -lt "$wanted" ]; do
        n=$((wanted - from < most ? wanted - from : most)) bad=0
        look_at_clock
        before=$worked
        "$reader" --mutate "$n" --from "$from" "$@" >said.txt || bad=1
        cat said.txt
        look_at_clock
        [ $bad -eq 0 ] || bad=$(sed -n 's/.* \([0-9]*\) findings.*/\1/p' said.txt) status=1
        from=$((from + n))
        [ -z "$page" ] || {
            printf '%s %d %d 0 %d\n' "$row" "$n" $((worked - before)) "${bad:-1}" >row.txt
            sh "$root/tools/fuzz_ledger.sh" "$page" row.txt
        }
    done
}

read_pieces fuzz_mutated_models "$models" 20000 "$build/tests/fuzz_file" "$root/models" "$root/tests/corpus/fuzz_file"

if grep -q 'holonom_WITH_HDF5 1' "$build/holonomConfig.cmake"; then
    for model in four_bar slider_crank pendulum; do
        [ -f "$root/models/$model.yaml" ] || continue
        "$build/holonom" run "$root/models/$model.yaml" --end 0.05 --set output=0.01 -q -o "results/$model.h5"
    done
    # in the older format of HDF5: compressed, and without the room that files have for what a longer run would add, so that
    # changes hit something
    if command -v h5repack >/dev/null; then
        h5repack -f GZIP=6 results/pendulum.h5 results/pendulum_gzip.h5
        for model in four_bar slider_crank pendulum; do
            [ ! -f "results/$model.h5" ] || h5repack -l CONTI "results/$model.h5" "results/${model}_dense.h5"
        done
    fi
    read_pieces fuzz_mutated_results "$results" 500 "$build/tests/fuzz_hdf5" results
fi
exit $status
