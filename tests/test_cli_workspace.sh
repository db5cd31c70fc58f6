#!/bin/sh
# holonom kinematics --workspace of joints that nothing drives.

# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# Two links of 0.6 and 0.5: the area is the integral of l1 l2 |sin(elbow)| over both ranges, 2 * 0.3 (cos 0.4 - cos 1.5).
joints() {
    need fyaml
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, 0]' 'bodies:' '  upper: {along: [[0, 0], [0.6, 0]]}' \
        '  fore: {along: [[0.6, 0], [1.1, 0]]}' 'joints:' '  shoulder: {type: revolute, bodies: [ground, upper], at: [0, 0]}' \
        '  elbow: {type: revolute, bodies: [upper, fore], at: [0.6, 0]}' 'measures:' '  tip: {type: position, body: fore, at: [1.1, 0]}' >arm.yaml
    run 0 kinematics arm.yaml --workspace shoulder=-1:1,elbow=0.4:1.5 --point tip --points 101
    has out '^reached  *10201$'
    near "$(sed -n 's/^area  *\([0-9.]*\) .*/\1/p' out)" 0.5101943 1e-4
    # a joint that has its driver is moved by that
    sed 's/^measures:/  drive: {type: motor, joint: elbow, angle: 0.4 + t}\n&/' arm.yaml >driven.yaml
    run 0 kinematics driven.yaml --workspace shoulder=-1:1,elbow=0.4:1.5 --point tip --points 101
    has out '^reached  *10201$'
    lacks err redundant
    run 3 kinematics arm.yaml --workspace shoulder=-1:1,wrist=0:1 --point tip
    has err 'wrist'
    run 2 kinematics arm.yaml --workspace shoulder=-1:1 --point tip
    has err 'write --workspace A=FROM:TO,B=FROM:TO'
}
try joints 'two joints of an arm without drivers'

finish
