#!/bin/sh
# Numbers of the program read back: over magnitudes from 1e-12 to 1e12 and both signs, summary, JSON, CSV files, HDF5 files and `results` show the
# number, to the digits that each of them has; in other units the same.

# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# Measures m1 … m18 with the values of the file `values`, in a unit.
model() {
    awk -v unit="$1" 'BEGIN {
        print "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n  b: {mass: 1, inertia: 1, position: [0, 0]}\nmeasures:"
        for (power = -12; power <= 12; power += 3)
            for (sign = 1; sign >= -1; sign -= 2) {
                value = sprintf("%s9.8765432101234e%d", sign < 0 ? "-" : "", power)
                printf "  m%d: {type: expression, value: %s %s}\n", ++n, value, unit
                print value > "values"
            }
        print "simulation: {end: 0.01, output: 0.01}"
    }'
}

# shown FACTOR DIGITS <FILE: lines "number value", each within half a unit of the last of so many digits of the number in `values` times a factor.
shown() {
    awk -v factor="$1" -v digits="$2" '
        FILENAME == "values" { value[++n] = $1; next }
        { error = $2 - factor * value[$1]; size = factor * value[$1]; seen++
          if (error < 0) error = -error
          if (size < 0) size = -size
          if (error > 5.01 * 10 ^ -digits * size) { print "measure " $1 " is shown as " $2 " instead of " factor * value[$1]; bad = 1 } }
        END { if (seen != n) { print seen " of " n " are shown"; bad = 1 } exit bad }' values - || wrong "they differ"
}

# Lines "number value" of the summary: the value at the end ($1 = 2), the least (the field in front of "(t") or the largest.
summary_values() {
    sed -n 's/^  m\([0-9]*\) .*/&/p' out | awk -v what="$1" '{
        sub(/^m/, "", $1)
        for (i = 2; i <= NF; i++) if ($i == "(t") { if (!first) first = $(i - 1); last = $(i - 1) }
        print $1, what == "end" ? $2 : what == "least" ? first : last
        first = "" }'
}

everywhere() {
    need fyaml hdf5
    model N >x.yaml
    run 0 run x.yaml -o x.h5 -o x.csv
    for what in end least largest; do
        summary_values $what | shown 1 6
    done
    summary_values end | shown 1 12
    awk -F, 'NR == 2 { for (i = 2; i <= NF; i++) print i - 1, $i }' x.csv | shown 1 16
    # shellcheck disable=SC2046 # words
    run 0 results x.h5 $(awk '{ print "m" NR }' values)
    awk -F, 'NR == 2 { for (i = 1; i <= NF; i++) print i, $i }' out | shown 1 16
    run 0 run x.yaml --no-output --json
    sed -n '/^  "final": {/,/}/s/^ *"m\([0-9]*\)": \([^,]*\),*$/\1 \2/p' out | shown 1 16
}
try everywhere "numbers of all sizes are what they show"

converted() {
    need fyaml hdf5
    model N >x.yaml
    run 0 run x.yaml -o x.csv --units force=kN
    summary_values end | shown 0.001 12
    summary_values largest | shown 0.001 6
    awk -F, 'NR == 2 { for (i = 2; i <= NF; i++) print i - 1, $i }' x.csv | shown 0.001 15
    has out '^  m1 .* kN '
}
try converted "in other units too"
finish
