#!/bin/sh
# What generated code costs, in instructions a step (callgrind), beside the library and code by hand.
#
#   generated_cost.sh PROGRAM [STEPS]
#
# Prints a line for each mechanism: its name, instructions a step of generated code, of the other, and the ratio. The other
# is the loop of bench/limit for `by-hand`, and for `by-hand-second`, where both take the steps with which the angle of the crank is off
# by 1e-6 rad after 4 s, by errors with steps of 5 ms; else `holonom run` with the same coordinates, method, formula and step. Then
# the same for a second of `holonom run --compiled`, whose steps are chosen for the tolerance, and without it. Needs
# valgrind and cc; the files go to a folder of their own.
set -eu

program=$1
steps=${2-200}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Instructions of a command.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}

# Generate the model $1 into the folder $2, with a program that makes as many steps as it is told to.
generate() {
    "$program" generate "$1" -o "$work/$2" --name made --step 1e-3 --quiet
    cat >"$work/$2/loop.c" <<'END'
#include "made.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    made_state s;
    made_inputs in;
    long i, n = argc > 1 ? atol(argv[1]) : 0;
    double h = argc > 2 ? atof(argv[2]) : 1e-3;
    made_start(&s);
    made_defaults(&in);
    for (i = 0; i < n; i++)
        if (made_step(&s, &in, h)) return 1;
    printf("%.15g\n", s.q[0]);
    return 0;
}
END
    cc -O2 -std=c99 "$work/$2/loop.c" "$work/$2/made.c" -lm -o "$work/$2/loop"
    all=$(count "$work/$2/loop" "$steps")
    none=$(count "$work/$2/loop" 0)
    made=$(((all - none) / steps))
}

# Instructions a step of the library, from two runs.
library() {
    rest='--coordinates relative --method direct-correction --integrator rk4 --step 1e-3 --set extremes=off --quiet'
    for factor in 1 2; do
        end=$(awk "BEGIN { printf \"%.17g\", $factor*$steps*1e-3 }")
        # shellcheck disable=SC2086
        eval "run$factor=\$(count '$program' run '$1' $rest --end $end --set output=$end --output '$work/run.csv')"
    done
    other=$(((run2 - run1) / steps))
}

# Instructions of a second of a run with the options after $1, from two runs.
second() {
    model=$1
    shift
    for end in 1 3; do
        eval "run$end=\$(count '$program' run '$model' $* --set extremes=off --end $end --set output=$end --quiet -o none)"
    done
    echo $(((run3 - run1) / 2))
}

# A second of the model $2 with compiled code, which is made before it is counted, and without.
compiled() {
    XDG_CACHE_HOME=$work/cache
    export XDG_CACHE_HOME
    "$program" run "$2" --compiled --end 0.1 --quiet -o none
    made=$(second "$2" --compiled)
    other=$(second "$2" --coordinates relative --method direct-correction)
    tell "$1"
}

# Instructions of a second of a program that takes STEPS LENGTH and so many a step, with steps of the length at which the first number that
# it prints is off by 1e-6 after 4 s: of order 4, by its error with steps of 5 ms: INSTRUCTIONS PROGRAM.
second_at_error() {
    awk -v count="$1" -v coarse="$("$2" 800 5e-3)" -v fine="$("$2" 25600 1.5625e-4)" 'BEGIN {
        off = coarse + 0 - (fine + 0)
        printf "%d", count / 5e-3 * ((off < 0 ? -off : off) / 1e-6) ^ 0.25
    }'
}

tell() {
    awk -v name="$1" -v made="$made" -v other="$other" 'BEGIN { printf "%-16s %8d %8d %6.2f\n", name, made, other, other/made }'
}

generate "$here/models/four_bar.yaml" four_bar
cc -O2 -std=c99 "$here/bench/limit/four_bar_by_hand.c" -lm -o "$work/hand"
other=$((($(count "$work/hand" "$steps") - $(count "$work/hand" 0)) / steps))
tell by-hand
per_step=$made
made=$(second_at_error $per_step "$work/four_bar/loop") other=$(second_at_error $other "$work/hand")
tell by-hand-second
made=$per_step
library "$here/models/four_bar.yaml"
tell four-bar
generate "$here/bench/limit/six_link_arm.yaml" arm
library "$here/bench/limit/six_link_arm.yaml"
tell six-link-arm
generate "$here/models/iltis_corner.yaml" iltis
library "$here/models/iltis_corner.yaml"
tell iltis-corner
compiled run-four-bar "$here/models/four_bar.yaml"
compiled run-spatial "$here/models/slider_crank_spatial.yaml"
compiled run-iltis "$here/models/iltis_corner.yaml"
