#!/bin/sh
# What the program says of joints and forces that take hold and let go: summary, JSON, notes, check, results, and where they fail.

# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
models=${HOLONOM_MODELS:?}

summary() {
    need fyaml
    run 0 run "$models/elbow_lock.yaml" --no-output
    has out '^switches  *2$'
    has out '^  t = 0.5 s  *joint lock takes hold; freedoms 1, redundant 0; lost 0.91675 J; impulse:'
    has out '^  t = 1.1 s  *joint lock lets go; freedoms 2, redundant 0$'
    has out '^degrees of freedom  2 (2 velocities, 0 constraints, 0 redundant)'
    has err "note: switch: at t = 0.5 joint 'lock' takes hold: 1 degree of freedom, 0 of 1 constraints redundant"
    run 0 run "$models/elbow_lock.yaml" --no-output --set step=0.01 --set output=0.1
    lacks err 'cut short'
}
try summary 'the summary lists what took hold and what let go, with impulses'

# A pin enters the slot of a Geneva wheel at right angles, without an impact: what is left of it is rounding. A cam that is driven gives energy to its
# follower.
rounding() {
    need fyaml
    cat > geneva.yaml << 'END'
holonom: 1
space: planar
gravity: [0, 0]
parameters: {c: 100 mm, a: c*sin(45 deg)}
points: {O: [0, 0], W: [c, 0], P: [-a, 0]}
bodies:
  driver: {mass: 1, inertia: 1e-3, along: [O, P], com: [0, 0]}
  wheel: {mass: 1, inertia: 1e-3, position: W}
joints:
  shaft: {type: revolute, bodies: [ground, driver], at: O}
  axle: {type: revolute, bodies: [ground, wheel], at: W}
  motor: {type: motor, joint: shaft, speed: 60 rpm}
  slot: {type: point_on_line, bodies: [wheel, driver], at: W, at_second: P, axis: [-1, -1], active: {from: in, until: not in, initially: false}}
  lock: {type: generic, bodies: [ground, wheel], at: W, lock: [angle], active: {initially: true, until: in, from: not in, catch: here}}
measures:
  phi: {type: joint_coordinate, joint: shaft}
  in: {type: expression, value: cos(phi + 180 deg) > cos(45 deg)}
simulation: {end: 1}
END
    run 0 run geneva.yaml --no-output
    has out '^  t = 0.375 s  *joint slot takes hold, joint lock lets go; freedoms 0, redundant 0$'
    has out '^  t = 0.625 s  *joint slot lets go, joint lock takes hold; freedoms 0, redundant 0$'
    cat > cam.yaml << 'END'
holonom: 1
space: planar
gravity: [0, -9.81]
bodies:
  cam: {mass: 0.4, inertia: 5e-5, position: [0, 0]}
  valve: {mass: 120 g, inertia: 1e-5, position: [0, 50 mm]}
joints:
  camshaft: {type: revolute, bodies: [ground, cam], at: [0, 0]}
  guide: {type: prismatic, bodies: [ground, valve], at: [0, 50 mm], axis: [0, 1]}
  tappet: {type: rigid_contact, bodies: [cam, valve], shapes: [{type: sphere, at: [0, 5 mm], radius: 15 mm},
    {type: plane, at: [0, 20 mm], normal: [0, -1]}]}
  motor: {type: motor, joint: camshaft, speed: 2000 rpm}
forces:
  coil: {type: spring, bodies: [ground, valve], from: [0, 80 mm], to: [0, 50 mm], stiffness: 20 N/mm, free_length: 32 mm}
simulation: {end: 0.025}
END
    run 0 run cam.yaml --no-output
    has out 'joint tappet is hit; freedoms 1, redundant 0; gained 0.0623[0-9]* J; impulse:'
}
try rounding 'rounding is no loss and no impulse, and what is gained is called so'

json() {
    need fyaml
    run 0 run "$models/lift_off.yaml" --no-output --json
    is_json out
    has out '^  "events": \['
    has out '"let_go": \['
    has out '^        "support": {'
    has out '^  "switches": 6,'
    run 0 run "$models/four_bar.yaml" --no-output --json --set end=0.1
    lacks out '"events"'
}
try json 'JSON has the events where there can be some'

stored() {
    need fyaml hdf5
    run 0 run "$models/clutch.yaml" --output clutch.h5
    run 0 results clutch.h5
    has out 'statistics.switch_times  *2.5'
    has out "statistics.switch_names  *joint 'clutch' takes hold"
    has out 'statistics.switch_losses  *21.898'
    for set in reference natural relative; do
        run 0 run "$models/elbow_lock.yaml" --coordinates $set --output $set.h5
        run 0 results $set.h5 tip.x
        [ "$(wc -l <out)" -gt 1000 ] || wrong "$set: $(wc -l <out) lines"
    done
}
try stored 'result files hold the events'

checked() {
    need fyaml
    run 0 check "$models/elbow_lock.yaml"
    has out '^elements that switch  *1$'
    has out '^degrees of freedom  *2$'
    run 0 check "$models/parallelogram_link.yaml" --set t_link=-1 --json
    has out '"switched": 1'
    has out '"element": "joint '
    run 0 check "$models/rocking_block.yaml"
    has out '^constraints  *2, of which 2 independent$'
    has out '^degrees of freedom  *1$'
    has out '^closed at the start  *counted with floor$'
    run 0 check "$models/rocking_block.yaml" --json
    has out '^  "dof": 1,$'
    has out '^    "floor"$'
    run 0 check "$models/rebounding_ball.yaml"
    has out '^degrees of freedom  *3$'
    lacks out 'closed at the start'
}
try checked 'check analyses what acts at the start'

refused() {
    need fyaml
    run 3 run "$models/four_bar.yaml" --no-output --set 'joints.C.active=crnk.x > 1'
    has err "unknown name 'crnk.x'"
    run 3 run "$models/elbow_lock.yaml" --no-output --set joints.lock.active.catch=there
    has err 'here'
    run 1 run "$models/elbow_lock.yaml" --no-output --set joints.lock.active.catch=drawn
    has err "joint 'lock': cannot take hold at t = 0.5"
    has err 'catch_tolerance'
}
try refused 'what is wrong is named with its place'

finish
