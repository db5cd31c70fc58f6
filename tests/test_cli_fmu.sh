#!/bin/sh
# holonom fmu: what it prints, and what it refuses with the reason; archives are looked into by test_fmu_*.c.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

cat >"$scratch/spring.yaml" <<'TEXT'
holonom: 1
space: planar
gravity: [0, -9.81]
parameters: {k: 12.5 N*m/rad, load: 1.35 kg}
bodies:
  rod: {mass: load, inertia: 0.1, along: [[0, 0], [0.7, 0]]}
joints:
  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}
forces:
  hold: {type: torsion, joint: A, stiffness: k}
measures:
  angle: {type: angle, body: rod}
  pin: {type: reaction, joint: A}
stop_when: angle < -2
simulation: {end: 1}
TEXT
: >"$scratch/runtime"
spring=$scratch/spring.yaml
runtime=$scratch/runtime

of_sources() {
    need zip fyaml
    run 0 fmu "$spring" --sources --tunable load --inputs A --step 2e-3 -o s.fmu
    has out 'FMI 2.0, C99 sources: model exchange and co-simulation'
    has out '1 parameters, 1 inputs, 1 outputs, 2 states, 0 event indicators'
    has out '1 parameters are numbers of the code'
    has out 'in steps of 0.002 s at most'
    has err 'are left out: pin.fx, pin.fy, pin.mz'
    has err 'stop_when is left out'
    run 0 fmu "$spring" --sources --fmi 3 -q -o s3.fmu
    [ ! -s out ] || wrong "--quiet prints: $(cat out)"
    # the same bytes for the same model
    run 0 fmu "$spring" --sources --fmi 3 -q -o again.fmu
    run 0 fmu "$spring" --sources --fmi 3 -q --name s3 -o again.fmu
    cmp -s s3.fmu again.fmu || wrong 'the same FMU has other bytes the second time'
}
try of_sources 'FMUs of sources say what they hold and what is left out'

with_the_library() {
    need zip fyaml
    run 0 fmu "$spring" --tunable k --module "$runtime" -o b.fmu
    has out 'FMI 2.0: model exchange and co-simulation'
    has out '2 parameters, 0 inputs, 4 outputs, 3 states'
}
try with_the_library 'a stiffness may change during a run'

refusals() {
    need zip fyaml
    run 2 fmu "$spring" --tunable lod --sources -o x.fmu
    has err "there is no parameter 'lod' in the model; did you mean 'load'?"
    run 3 fmu "$spring" --tunable load --module "$runtime" -o x.fmu
    has err "body 'rod': 'load' is a measure, but a constant is wanted here"
    has err 'masses, places and other parameters may not'
    run 2 fmu "$HOLONOM_MODELS/bouncing_ball.yaml" --sources -o x.fmu
    has err "bouncing_ball.yaml:21:3: error: event 'bounce': no code can be generated for it"
    run 2 fmu "$spring" --sources --integrator radau5 -o x.fmu
    has err "integrator 'radau5': no code can be generated for it"
    run 2 fmu "$spring" --fmi 1
    has err "'--fmi 1': take 2 or 3"
    run 2 fmu "$spring" --tunable , -o x.fmu
    has err "'--tunable ,': write names with commas between them"
    is_absent x.fmu
}
try refusals 'what is refused says why'

finish
