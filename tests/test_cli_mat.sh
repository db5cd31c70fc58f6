#!/bin/sh
# holonom results --to: a result as a MAT file, read by a parser of its own (tests/mat/read.mjs), beside the columns that are printed.
set -u

source=${HOLONOM_SOURCE:?}
program=${HOLONOM_PROGRAM:?}
for part in hdf5 fyaml; do
    "$program" version --features | grep -q "^ *$part *yes" || {
        echo "1..0 # SKIP not built with $part"
        exit 0
    }
done
command -v node >/dev/null 2>&1 || {
    echo "1..0 # SKIP no node"
    exit 0
}
# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"
echo 1..3

sed '/^measures:/a\  pull: {type: reaction, joint: tie}' "$source/models/iltis_corner_links.yaml" >"$scratch/corner.yaml"
"$program" run "$scratch/corner.yaml" --set 'name=Äste, λ ≤ 3' --end 0.137 -q -o "$scratch/run.h5" 2>"$scratch/wrong"
"$program" results "$scratch/run.h5" --to mat 2>>"$scratch/wrong"
"$program" results "$scratch/run.h5" time wheel.x energy.kinetic pull.fx >"$scratch/run.csv" 2>>"$scratch/wrong"
node "$source/tests/mat/compare.mjs" "$scratch/run.mat" "$scratch/run.csv" >>"$scratch/wrong" 2>&1
result 1 "columns, reactions, names and units of a result" $?

# a name of one's own, the same bytes; and an answer, whose matrices are variables
"$program" results "$scratch/run.h5" --to "$scratch/other.mat"
cmp "$scratch/run.mat" "$scratch/other.mat" >"$scratch/wrong" 2>&1
"$program" equations "$source/models/four_bar.yaml" -q -o "$scratch/answer.mat" -o "$scratch/answer.json" >/dev/null 2>>"$scratch/wrong"
cat >"$scratch/answer.mjs" <<JS
import { readFileSync } from 'node:fs'
import { read } from '$source/tests/mat/read.mjs'
const a = read('$scratch/answer.mat'), M = JSON.parse(readFileSync('$scratch/answer.json', 'utf8')).tables.M
const n = M.rows.length
if (a.M.dims.join() !== [n, n].join()) console.log('sizes', a.M.dims)
M.values.forEach((row, i) => row.forEach((x, j) => x === a.M.values[i + n * j] || console.log('M', i, j)))
if (M.values[3][3] < 2) console.log('M is not that of the four-bar')
JS
node "$scratch/answer.mjs" >>"$scratch/wrong" 2>&1
result 2 "a file name of one's own; an answer" $?

# what it does not take
for words in "--to $scratch/run.xyz" "--to mat -u angle=deg" "--to mat time"; do
    # shellcheck disable=SC2086 # the words are words
    "$program" results "$scratch/run.h5" $words >/dev/null 2>"$scratch/said" && echo "$words: taken" >>"$scratch/wrong"
    grep -q 'error: ' "$scratch/said" || echo "$words: no message" >>"$scratch/wrong"
done
result 3 "what cannot be written is said"
exit $failed
