#!/bin/sh
# What the program says of the section `events`: summary, JSON, rows, results, reports, check, and where it is wrong.

# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
models=${HOLONOM_MODELS:?}

summary() {
    need fyaml
    run 0 run "$models/catch.yaml" --output catch.csv
    has out '^events  *5$'
    has out '^switches  *2$'
    has out '^  t = 0.374158033 s catch: joint latch takes hold; freedoms 1, redundant 0; lost 2.29869 J'
    has out '^  t = 0.464924095 s lowest$'
    has out '^  t = 1.2 s  *let_go: joint latch lets go; freedoms 2, redundant 0$'
    # the rows before and after the catch: w = -5.8795…, -3.7234…
    grep '^0.374158' catch.csv | cut -d, -f3 | cut -c1-6 >rows
    [ "$(tr '\n' ' ' <rows)" = "-5.879 -3.723 " ] || wrong "rows: $(cat rows)"
}
try summary 'the summary lists events by name, and records are rows'

json() {
    need fyaml
    run 0 run "$models/catch.yaml" --no-output --json
    is_json out
    has out '"event_count": 5'
    has out '"event_names": "catch; turned; lowest; turned; let_go"'
    has out '"name": "lowest"'
    run 0 check "$models/catch.yaml" --json
    has out '"events": 4'
    run 0 check "$models/catch.yaml"
    has out '^events  *4$'
}
try json 'JSON has the events with their names'

stored() {
    need fyaml hdf5
    run 0 run "$models/catch.yaml" --output catch.h5
    run 0 results catch.h5
    has out 'statistics.event_names  *catch; turned; lowest; turned; let_go'
    has out 'statistics.event_times  *0.3741580'
    has out '1005 rows'
}
try stored 'result files hold the events'

refused() {
    need fyaml
    printf 'holonom: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1}}\nevents:\n  e: {when: t > 1, do: {activate: lock}}\n' >wrong.yaml
    run 3 check wrong.yaml
    has err "wrong.yaml:5:35: error: event 'e': there is no joint or force 'lock'"
}
try refused 'what does not exist is refused with its place'

finish
