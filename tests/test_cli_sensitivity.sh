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

doubts() {
    need fyaml
    # the double pendulum of theory: 3 s at a tolerance of 1e-4
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, -9.81]' 'parameters: {l: 1}' 'bodies:' \
        '  a: {mass: 1, inertia: 0.01, along: [[0, 0], [l, 0.1]]}' '  b: {mass: 1, inertia: 0.01, along: [[l, 0.1], [2*l, 0.3]]}' \
        'joints:' '  A: {type: revolute, bodies: [ground, a], at: [0, 0]}' '  B: {type: revolute, bodies: [a, b], at: [l, 0.1]}' \
        'measures: {x: {type: angle, body: b}}' 'simulation: {end: 3, tolerance: 1e-8, coordinates: reference}' >double.yaml
    run 0 sensitivity double.yaml
    lacks err "ten times the tolerance"
    has out '^run with ten times the tolerance is away by  *[0-9.]*e-06$'
    run 0 sensitivity double.yaml --tol 1e-4
    has err "a run with ten times the tolerance (or twice the fixed step) is 0.22 radians or lengths"
    # states of a run to 1e-6 are too rough for derivatives to 1e-9
    run 0 sensitivity "$models/pendulum.yaml" --points 200 --coordinates reference
    has err "when the steps of the formula are halved; a smaller tolerance of the run gives it smoother states"
    # the adjoint does not carry what an impact keeps
    run 1 sensitivity "$models/elements/rigid_contact.yaml" --by adjoint --parameters bodies.weight.mass
    has err "the adjoint does not carry these: take --by direct"
}
try doubts "what derivatives are worth is said"

finish
