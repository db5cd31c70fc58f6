#!/bin/sh
# Runs that have no derivative by a parameter, or one that is known to few digits: what is said names the element, its place and the time.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
models=${HOLONOM_MODELS:?names the folder of the models}

# The program with the words after $2 ends with code $1 and says $2.
says() {
    code=$1 words=$2
    shift 2
    run "$code" "$@"
    has err "$words"
}

# A block that falls on a rail, in the file $1: with the lines of standard input behind it.
falls() {
    {
        printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, -9.81]' 'parameters: {m: 1.3, k: 40, v0: 2}' 'bodies:' \
            '  a: {mass: m, inertia: 0.1, position: [0, 0], velocity: [0, v0]}' \
            '  b: {mass: 2*m, inertia: 0.1, position: [1, 0], velocity: [0, v0]}' 'joints:' \
            '  ga: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [0, 1]}' \
            '  gb: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [0, 1]}' 'measures:' \
            '  n: {type: variable, value: 0}' '  y: {type: position, body: a, component: y}' \
            '  z: {type: position, body: b, component: y}' '  v: {type: velocity, body: a, component: y}'
        cat
    } >"$1"
}

events() {
    need fyaml
    # what an event keeps of the state is followed along the run, and not backwards
    falls set.yaml <<'YAML'
forces:
  f: {type: force, body: a, force: [0, -3*n]}
events:
  low: {when: y < -0.2, do: {set: {n: v}}}
simulation: {end: 0.8, tolerance: 1e-10}
YAML
    run 0 sensitivity set.yaml --parameters m,v0
    says 1 "at t = 0.4908.* a change of the run keeps a number that depends on the state (.set., .*take --by direct" \
        sensitivity set.yaml --parameters m,v0 --by adjoint
    # two conditions that are met together, of bodies that a spring of one of them parts when k changes
    falls two.yaml <<'YAML'
forces:
  f: {type: force, body: a, force: [0, 40 - k]}
events:
  first: {when: y < -0.2, do: {set: {n: n + 1}}}
  second: {when: z < -0.2, do: {set: {n: 2*n}}}
simulation: {end: 0.8, tolerance: 1e-10}
YAML
    says 1 "two.yaml:20:3: error: event 'second': at t = 0.4908.* its condition meets another one, and their order changes" \
        sensitivity two.yaml --parameters k
    # the top of a throw, v0^2/(2 g), is met to the last digits, or just not
    grazed=0
    for off in 5e-15 8e-15 1e-14 1.2e-14 1.5e-14; do
        falls graze.yaml <<YAML
events:
  top: {when: y > 4/(2*9.81) - $off, do: {set: {n: 1}}}
simulation: {end: 0.6, tolerance: 1e-10}
YAML
        sed '/  b: /d;/  gb: /d;/  z: /d' graze.yaml >one.yaml
        "$program" sensitivity one.yaml --coordinates reference --parameters v0 >out 2>err ||
            { has err "event 'top': at t = 0.20387.* what decides it is only grazed, so that the run has no derivative" && grazed=1; }
    done
    [ "$grazed" = 1 ] || wrong "no offset from the top is grazed"
}
try events "conditions that have no derivative are named with the instant"

digits() {
    need fyaml
    # neighbouring motions of a double pendulum part: at 1e-8 they are known to six digits, later to none
    says 0 "derivatives still change by [0-9.]*e-0[4-8] of the largest of their column when the steps .* are halved; a smaller tolerance" \
        sensitivity "$models/double_pendulum_natural.yaml" --end 15 --tol 1e-8
    says 1 "a run with ten times the tolerance .* is [0-9.]* radians or lengths of the mechanism away from this one" \
        sensitivity "$models/double_pendulum_natural.yaml" --end 40 --tol 1e-8
}
try digits "derivatives of which few digits are known are warned of, those of which none is are refused"

finish
