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

closing() {
    need fyaml
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, 0]' 'bodies:' \
        '  crank: {mass: 1, inertia: 0.1, along: [[0, 0], [0, 0.1]]}' \
        '  rod: {mass: 1, inertia: 0.1, along: [[0, 0.1], [0.4, 0.25]]}' \
        '  rocker: {mass: 1, inertia: 0.1, along: [[0.4, 0], [0.4, 0.25]]}' 'joints:' \
        '  a: {type: revolute, bodies: [ground, crank], at: [0, 0], start: {angle: 20 deg}}' \
        '  b: {type: revolute, bodies: [crank, rod], at: [0, 0.1]}' \
        '  c: {type: revolute, bodies: [rod, rocker], at: [0.4, 0.25]}' \
        '  d: {type: revolute, bodies: [ground, rocker], at: [0.4, 0], start: {angle: -20 deg}}' \
        'simulation: {end: 1}' >bar.yaml
    run 5 check bar.yaml
    has err 'cannot be closed: .*or change or leave out a `start`'
    lacks err 'fix'
}
try closing 'values at the start that contradict each other are what is advised to change'

video() {
    need fyaml
    need hdf5
    need cairo
    rod 2.5 0.1 '[0, 0]' ''
    run 0 run rod.yaml
    run 2 animate rod.h5 -o x.mp4
    has err 'names a folder for the frames'
    is_absent x.mp4
}
try video 'a video by name is refused: the folder is'

settings() {
    need fyaml
    rod 2.5 0.1 '[0, 0]' ''
    run 0 run --help
    has out 'items of a list'
    run 0 check rod.yaml --set gravity.1=-1.6
}
try settings 'items of lists are set by their number, from 0'

finish
