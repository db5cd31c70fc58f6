#!/bin/sh
# The program without memory at each of the places where it asks for it: it does not crash, and where it fails it says so, with the
# exit code for it. HOLONOM_FAILING_MALLOC is what makes it fail (tests/preload/failing_malloc.c); a build without it skips this.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

preload=${HOLONOM_FAILING_MALLOC-}
PLACES=0

# The words with memory failing at each place in turn.
sweep() {
    place=0
    while [ $place -lt 120 ]; do
        rm -f seen
        got=0
        FAIL_PLACE=$place FAIL_SEEN=$PWD/seen LD_PRELOAD=$preload "$program" "$@" >out 2>err </dev/null || got=$?
        [ -f seen ] || break
        cat err >>all
        # a comparison goes on with what it can, and fails in the end (1), as a run does that is resumed to fail again
        case $got in
        0 | 8) ;;
        1 | 7) has err "out of memory\|as many as max_steps allows" ;;
        4) has err "open failed (HDF5)" ;; # HDF5 does not say what its driver lacked
        6) has err "not built with" ;;
        *) wrong "holonom $*, place $place: exit code $got; it said: $(head -n 3 err)" ;;
        esac
        place=$((place + 1))
    done
    PLACES=$((PLACES + place))
}

places() {
    need fyaml
    need hdf5
    [ -n "$preload" ] && [ -f "$preload" ] || exit 77
    pendulum >p.yaml
    run 0 run p.yaml -o p.csv -q --set end=0.1 --set output=0.05
    sweep check p.yaml
    sweep run p.yaml -o r.csv -o s.h5 --set end=0.1 --set output=0.05 --json
    sweep results p.csv time swing
    sweep plot p.csv swing -o p.svg
    sweep view p.yaml -o v.svg
    sweep view p.yaml
    run 0 run p.yaml -o k.h5 -q --set end=0.1 --set output=0.05
    sweep view k.h5 --at 0,0.1
    sweep report k.h5
    sweep compare p.yaml --set end=0.05 --set output=0.05 --methods lagrange,nullspace --vary tolerance=1e-4,1e-5 --plot c.svg -o c.csv
    sweep compare p.yaml --set end=0.05 --set output=0.05 --methods lagrange --plot c.html
    has all "the page could not be written: out of memory"
    [ $PLACES -gt 40 ] || wrong "only $PLACES places were visited"
}
try places "without memory the program says so at every place"

# Questions, and claims.
questions() {
    need fyaml
    need hdf5
    [ -n "$preload" ] && [ -f "$preload" ] || exit 77
    pendulum >p.yaml
    sed 's/^measures:/  turn: {type: motor, joint: pivot, angle: 0.4*t}\n&/' p.yaml >driven.yaml
    run 0 run p.yaml -o p.csv -q --set end=0.1 --set output=0.05
    run 1 run p.yaml -o r.csv -q --checkpoint-simulated 0.02s --set max_steps=5
    sweep certify p.yaml p.csv --points 10
    sweep inverse driven.yaml --limit turn=-50:50 --set end=0.1
    sweep statics p.yaml --vary L=0.81:0.83 --points 3
    sweep sensitivity p.yaml --set end=0.05
    sweep optimize p.yaml --vary L=0.8:0.9 --minimize 'end swing' --evaluations 1 --set end=0.05
    sweep gears p.yaml --shafts pivot
    sweep generate p.yaml -o code --parameters L --step 0.05
    sweep linearize p.yaml --modes m.h5
    has all "the mode could not be written: out of memory"
    cat >c.yaml <<'YAML'
claims:
  try:
    title: A try
    source: nowhere
    steps:
      - {run: p.yaml, as: out, set: {end: 0.1}, output: s.csv}
      - values: {e: {of: s.csv, column: swing}, f: {of: out, figure: steps}}
      - {table: out, columns: {steps: steps}}
      - {verdict: f > e, holds: 'It is {e:.2f}.'}
YAML
    run 0 reproduce c.yaml --all
    sweep reproduce c.yaml --all
    sweep resume r.csv
    [ $PLACES -gt 40 ] || wrong "only $PLACES places were visited"
}
try questions "and so do questions, claims and runs that go on"

finish
