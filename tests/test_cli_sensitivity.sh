#!/bin/sh
# holonom sensitivity: which parameters it takes by itself, and what it says once.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}

teeth() {
    need fyaml
    run 0 sensitivity "$models/rotary_drive.yaml" --json
    has err "parameter 'N2' is left out, since it has no neighbouring values: teeth are whole numbers"
    lacks out parameter_N2
    has out parameter_kd1
    run 1 sensitivity "$models/rotary_drive.yaml" --parameters N2
    has err "teeth are whole numbers"
}
try teeth "of all parameters those are left out that have no neighbouring values; by name they are refused"

once() {
    need fyaml
    run 1 sensitivity "$models/woodpecker.yaml" --set end=0.36
    has err "it touches when another contact is hit, and no longer when a parameter changes"
    [ "$(grep -c 'error:' err)" -eq 1 ] || wrong "it says more than one thing"
}
try once "what every run says is said once"

finish
