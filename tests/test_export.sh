#!/bin/sh
# holonom export: models as MJCF and URDF. What is exported and imported again moves as before; what a format does not have is an
# error that names the element, or is listed with --partial.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
source=$(cd "$(dirname "$0")" && pwd)/import

# Import $1, export it as $2, import that, run both, and compare the coordinates of joints, counted from the start, to 1e-9: the
# runs have a tolerance of 1e-11, and coordinates are counted anew from the exported position.
again() {
    need xml2 fyaml
    cp -R "$source"/. .
    run 0 import "$1" -o a.yaml -q --no-limits
    run 0 export a.yaml -o "b.$2"
    run 0 import "b.$2" -o b.yaml -q --no-limits
    for run in a b; do run 0 run "$run.yaml" -o "$run.csv" -q --set end=0.3 --tol 1e-11; done
    awk -F, '
        function abs(x) { return x < 0 ? -x : x }
        /^#/ { next }
        FNR == NR && !n { n = NF; for (i = 1; i <= NF; i++) name[i] = $i; next }
        FNR == NR { for (i = 1; i <= n; i++) { if (!rows) first[name[i]] = $i; last[name[i]] = $i } rows++; next }
        !m { m = NF; for (i = 1; i <= m; i++) other[i] = $i; next }
        { for (i = 1; i <= m; i++) { if (!lines) start[i] = $i; end[i] = $i } lines++ }
        END {
            for (i = 1; i <= m; i++) {
                if (other[i] !~ /^"?q_/ || !(other[i] in last)) continue
                count++
                moved += abs(last[other[i]] - first[other[i]])
                d = (last[other[i]] - first[other[i]]) - (end[i] - start[i])
                if (!(abs(d) < 1e-9)) print "coordinate " other[i] " differs by " d
            }
            if (!count) print "no coordinates to compare"
            if (!(moved > 1e-3)) print "nothing moved"
        }' a.csv b.csv >>wrong
}
for file in arm_gripper.urdf delta_leg.urdf gantry.urdf rover.urdf walker.xml linkage.xml free_bodies.xml gripper_arm.sdf carts.world drive.sdf \
    quadruped.xml stewart.xml humanoid.urdf old_mower.sdf; do
    one() { again "$file" xml; }
    try one "$file as MJCF and back"
done
for file in arm_gripper.urdf delta_leg.urdf rover.urdf humanoid.urdf; do
    one() { again "$file" urdf; }
    try one "$file as URDF and back"
done

# What does not exist in a format is an error at its place; --partial lists it.
refused() {
    need xml2 fyaml
    cat >m.yaml <<'YAML'
holonom: 1
name: cart & "pole"
space: spatial
gravity: [0, 0, -9.7]
bodies:
  cart: {mass: 2.1, inertia: 0.3, position: [0.2, 0, 0], draw: [{type: box, size: [0.4, 0.2, 0.1], color: "#ff8000"}]}
  pole: {mass: 0.7, inertia: [0.03, 0.03, 0.002], position: [0.2, 0, 0.3], omega: [0, 0.5, 0]}
joints:
  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: [1, 0, 0]}
  pin: {type: revolute, bodies: [cart, pole], at: [0.2, 0, 0], axis: [0, 1, 0]}
  track: {type: motor, joint: rail, angle: 0.1*sin(t)}
forces:
  twist: {type: torsion, joint: pin, stiffness: 2.3, free_angle: 0.2, damping: 0.04}
  push: {type: motor, joint: rail, curve: 1.5 - 2*speed}
  gust: {type: force, body: pole, force: [sin(t), 0, 0]}
simulation: {end: 1}
YAML
    run 3 export m.yaml -o m.xml
    has err "m.yaml:11:3: error: joint 'track': joints of type motor do not exist in it; --partial leaves it out"
    has err "m.yaml:15:3: error: force 'gust'"
    is_absent m.xml
    run 0 export m.yaml -o m.xml --partial
    has out "m.yaml:11:3: left out: joint 'track'"
    has out "m.yaml:1:1: left out: model: it moves at the start"
    has m.xml '<mujoco model="cart &amp; &quot;pole&quot;">'
    has m.xml 'name="pin" type="hinge" pos="0 0 -0.3" axis="0 1 0" stiffness="2.3" springref="0.2" damping="0.04"'
    has m.xml '<general name="push" joint="rail" gainprm="0" biastype="affine" biasprm="1.5 0 -2"/>'
    has m.xml '<geom type="box" size="0.2 0.1 0.05" rgba="1 0.50196'
    run 0 import m.xml -o back.yaml -q
    run 3 export m.yaml -o m.urdf
    has err "force 'twist'"
    has err 'gravity: it is 0, 0, -9.7'
    run 0 export m.yaml -o m.urdf --partial
    has m.urdf '<joint name="pin" type="continuous">'
    run 0 import m.urdf -o back.yaml -q
    run 2 export m.yaml
    run 2 export m.yaml -o m.sdf
    run 2 export m.yaml -o m.xml --format sdf
}
try refused "what a format does not have"

# Numbers that no reader takes.
huge() {
    need xml2 fyaml
    cat >m.yaml <<'YAML'
holonom: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  planet: {mass: 2.4e16 kg, inertia: [1e31, 2e31, 2.5e31]}
YAML
    for file in m.urdf m.xml; do
        run 3 export m.yaml -o $file
        has err "planet: its '.*' would be .*e+31, and descriptions with numbers beyond 1e+30 are not read"
    done
}
try huge "numbers beyond what is read"

finish
