#!/bin/sh
# Read mutated model files and mutated result files.
#
#   mutate.sh BUILD MODELS RESULTS    so many of each, with the fuzzers and the program of the build
#
# Models are made of those in models/; results are those of some models in several forms. The exit status is 1 where one
# of them crashed the reader, took more than 10 s or more than 1 GB; its bytes are then in BUILD/mutate/found-*.
set -eu

build=$(cd "$1" && pwd)
models=$2
results=$3
root=$(cd "$(dirname "$0")/.." && pwd)
status=0
mkdir -p "$build/mutate/results"
cd "$build/mutate"

"$build/tests/fuzz_file" --mutate "$models" "$root/models" "$root/tests/corpus/fuzz_file" || status=1

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
    "$build/tests/fuzz_hdf5" --mutate "$results" results || status=1
fi
exit $status
