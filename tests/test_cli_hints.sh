#!/bin/sh
# What is said of mistakes that are made often: the cause, not its consequences, and what to write.

# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# A driven rod; the arguments are its mass, its inertia and further lines of joints and forces.
rod() {
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, -9.81]' 'bodies:' \
        "  rod: {mass: $1, inertia: $2, along: [[0, 0], [0.7, 0]]}" 'joints:' \
        "  A: {type: revolute, bodies: [ground, rod], at: $3}" \
        '  turn: {type: motor, joint: A, speed: 3}' "$4" \
        'measures:' '  M: {type: load, joint: turn}' 'simulation: {end: 0.1}' >rod.yaml
}

text() {
    need fyaml
    rod 2,5 0.1 '[0, 0]' ''
    run 3 check rod.yaml
    has err "rod.yaml:5:17: error: a comma ends the value; a decimal number has a point: 'mass: 2.5'"
    rod 2.5 0.1 '[0, 0]' '' && head -c 200 rod.yaml >cut.yaml
    run 3 check cut.yaml
    has err 'cut.yaml:.*the file ends here: is the rest of it missing, or a bracket open?'
    rod 2.5 0.1 nowhere ''
    run 3 check rod.yaml
    has err "joint 'A': there is no point 'nowhere'"
    lacks err 'no axis to act'
}
try text 'decimal commas, files that are cut off, and no errors that follow from others'

doubts() {
    need fyaml
    rod 2.5 20000 '[0, 0]' 'forces: {s: {type: spring, bodies: [ground, rod], from: [0, 1], to: [0.7, 0], stiffness: -50, damping: -2}}'
    run 0 check rod.yaml
    has err "body 'rod': its inertia and its mass have a radius of gyration of 89.4 m"
    has err "force 's': its stiffness is negative"
    has err "force 's': its damping is negative"
    rod 2.5 0.1 '[0, 0]' '  other: {type: motor, joint: A, speed: 4}'
    run 5 check rod.yaml
    has err "error: joint 'turn': contradicts other constraints"
}
try doubts 'inertias that cannot be right, negative stiffnesses, and two drivers by name'

columns() {
    need fyaml
    need hdf5
    rod 2.5 0.1 '[0, 0]' 'tables: {p: {file: p.csv, x: "crank angle", y: pressure}}'
    printf '%s\n' '"crank angle"," p"' '0,1' '1,2' >p.csv
    run 3 check rod.yaml
    has err "'p.csv' has no column 'pressure'; its columns are 'crank angle', 'p'"
    rod 2.5 0.1 '[0, 0]' ''
    run 0 run rod.yaml
    run 2 plot rod.h5 M
    has err "there is no column 'M'; it has 'M.load', 'M.power'"
}
try columns 'columns of tables and of measures are listed'

finish
