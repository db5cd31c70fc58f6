#!/bin/sh
# Results in Octave: MAT, HDF5 and CSV of a run have the same numbers, an answer as MAT is what it is as JSON, and the example runs.
# Skipped where Octave is not installed, which is large: ./dev octave installs it.
set -u

source=${HOLONOM_SOURCE:?}
program=${HOLONOM_PROGRAM:?}
command -v octave-cli >/dev/null 2>&1 || {
    echo "1..0 # SKIP octave-cli is not installed (./dev octave installs it)"
    exit 0
}
"$program" version --features | grep -q '^ *hdf5 *yes' || {
    echo "1..0 # SKIP not built with HDF5"
    exit 0
}
# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"
echo 1..10

octave() {
    octave-cli --no-gui --no-history --no-init-file "$@" </dev/null 2>"$scratch/octave.log" || {
        sed 's/^/# /' "$scratch/octave.log"
        return 1
    }
}

# 1 to 8: a mechanism in space with springs, measures with dots in their names and a text that is not ASCII
"$program" run "$source/models/iltis_corner.yaml" --set 'name=Äste, λ ≤ 3' --end 0.35 -q -o "$scratch/run.h5" -o "$scratch/run.csv"
"$program" results "$scratch/run.h5" --to mat
version=$("$program" results "$scratch/run.h5" --text version)
HOLONOM_FOLDER=$scratch HOLONOM_VERSION=$version octave "$source/tests/octave/compare.m" || failed=1

# 9: matrices of an answer
"$program" equations "$source/models/four_bar.yaml" -q -o "$scratch/a.mat" -o "$scratch/a.json" >/dev/null
said=$(octave --eval "a = load('$scratch/a.mat'); j = jsondecode(fileread('$scratch/a.json')); t = j.tables;
    printf('%d %d %d', isequal(a.M, t.M.values), isequal(cellstr(a.M_rows), t.M.rows(:)), isequal(a.Q, t.Q.values))")
[ "$said" = "1 1 1" ] || echo "M and its names: $said" >"$scratch/wrong"
result 9 "an answer as MAT has its matrices with their names"

# 10: the example
HOLONOM_MODEL=$source/models/four_bar.yaml octave "$source/examples/octave/four_bar.m" >"$scratch/said" || failed=1
grep -q '^planar four-bar by direct-correction, Holonom' "$scratch/said" && grep -q '^crank from -3.7396 to 1.0472 rad' "$scratch/said" &&
    grep -q '^largest force in B: [0-9.]* N at' "$scratch/said" || cp "$scratch/said" "$scratch/wrong"
result 10 "the example script runs"
exit $failed
