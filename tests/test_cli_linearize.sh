#!/bin/sh
# holonom linearize: what it prints and writes, and what it says of a wrong command line.

# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
models=${HOLONOM_MODELS:?}

bicycle() {
    need fyaml
    run 0 linearize "$models/bicycle.yaml" --set roll_rate=0
    has out '^about  *steady motion$'
    has out '^carried on with the velocity x  *5 m/s$'
    has out '^eigenvalues that are zero  *6: 4 directions'
    has out '^  mode 2  *-0.775341882  *4.46486771 '
    run 0 linearize "$models/bicycle.yaml" --set roll_rate=0 --vary v=4:7 --points 4
    has out '^ *4.29238254  *3.43503385 '
    has out '^ *6.0242620[12]  *0 '
    # in the plane, and those that stay zero without curves
    run 0 linearize "$models/bicycle.yaml" --set roll_rate=0 --vary v=4:7 --points 4 -q -o locus.html
    grep -q 'imaginary part \[1/s\]' locus.html || wrong "the locus is not drawn in the plane"
    grep -q '<p>Zero throughout: real [0-9]*, ' locus.html || wrong "what is zero is not named"
    run 0 linearize "$models/bicycle.yaml" --set roll_rate=0 --json
    is_json out
    has out '"text": "steady motion"'
}
try bicycle 'eigenvalues and the root locus of the bicycle'

# A pendulum that is drawn to the side.
swing() {
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, -9.81]' 'parameters: {T: 0}' 'bodies:' \
        '  rod: {mass: 2.3, inertia: 0.31, position: [0.7, 0], omega: 2}' 'joints:' \
        '  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}' 'forces:' \
        '  damper: {type: torsion, joint: hinge, damping: 0.9, torque: T}' 'measures:' \
        '  angle: {type: angle, body: rod}' 'simulation: {end: 1}' >swing.yaml
}

files() {
    need fyaml
    need hdf5
    swing
    # sqrt(m g l/J) = 3.3155, -d/2J = -0.3132 with J = 1.437
    run 0 linearize swing.yaml --about equilibrium --input T --input rod.m --points 3 -o s.html -o s.h5 -o s.mat -o s.csv -o s.tex -o s.json
    has out '^about  *equilibrium$'
    has out '^stability  *stable$'
    has out '^  mode 1  *-0.31315240'
    for file in s.html s.h5 s.mat s.gain.csv s.A.csv s.tex; do is_file $file; done
    is_json s.json
    has s.gain.csv 'angle / T'
    run 0 linearize swing.yaml --about equilibrium --modes mode.h5
    has out '^mode 1: mode-1.h5$'
    run 0 results mode-1.h5
    is_empty err
    has out '^mode-1.h5: 49 rows'
    run 0 report mode-1.h5
    run 0 linearize swing.yaml
    has out '^about  *state in motion$'
    has out '^stability  *not said'
}
# Records of these say positions and velocities, not the rest of the state: the run is made again up to the record.
records() {
    need fyaml
    need hdf5
    for name in elements/pid elements/friction_lugre catch stick_slip elements/contact; do
        run 0 run "$models/$name.yaml" --set end=0.8 --coordinates reference --output r.h5 -q
        for question in linearize equations; do
            run 0 $question "$models/$name.yaml" --at 0.4 --coordinates reference
            mv out whole
            run 0 $question r.h5 --at 0.4
            cmp -s out whole || wrong "$question of the record of $name differs from that of a run"
        done
    done
}
try records 'records of models with states, contacts and elements that switch'

degrees() {
    need fyaml
    swing
    printf 'units: {angle: deg}\n' >>swing.yaml
    run 0 linearize swing.yaml --about equilibrium
    has out '^ *\[1/s\]  *\[1/s\]  *\[Hz\]'
    has out '^  mode 1  *-0.313152401  *3.30044823 '
}
try degrees 'eigenvalues are 1/s in both parts, whatever the unit of angles'

try files 'an equilibrium, its modes and its response in all kinds of files'

# The numbers of two tables, name by name, to 1e-6: a result at a time of a run is as near to it as the run's tolerance.
alike() {
    paste -d, "$1" "$2" | awk -F, 'NR > 1 { n = NF / 2; for (i = 2; i <= n; i++) { d = $i - $(i + n); if (d < 0) d = -d; if (d > 1e-6) bad = 1; seen++ } } END { exit bad || !seen }' ||
        wrong "$1 and $2 differ: $(head -n 3 "$1") $(head -n 3 "$2")"
}

# At a time of a result as at that time of the run, and with the model of the run: what would change it is refused.
stored() {
    need fyaml
    need hdf5
    swing
    run 0 run swing.yaml --set T=0.3 --output run.h5 --set output=0.25 --quiet
    run 0 linearize run.h5 --at 0.5 --input T --points 2 -o stored.csv --quiet
    run 0 linearize swing.yaml --set T=0.3 --at 0.5 --input T --points 2 -o run.csv --quiet
    for table in A B C eigenvalues; do alike stored.$table.csv run.$table.csv; done
    run 0 linearize run.h5 --at 0.5 --about equilibrium --modes still.h5
    has out '^about  *equilibrium$'
    is_file still-1.h5
    run 2 linearize run.h5 --set T=1
    has err 'a result holds that of its run: give the model file'
    run 2 linearize run.h5 --vary T=0:1
    has err 'starts the model anew'
    run 0 linearize run.h5 --units angle=deg --at 0.5
    has out 'deg'
}
try stored 'a time of a result'

cycle() {
    need fyaml
    swing
    run 0 linearize swing.yaml --set 'forces.damper.torque=3*sin(5*t)' --floquet 1.2566370614359172 --about steady
    has out '^about  *cycle$'
    has out '^stability  *stable$'
    has out '^multipliers'
    run 2 linearize swing.yaml --floquet -1
    run 1 linearize swing.yaml --floquet 1
    has err 'does not repeat itself after 1 s'
}
try cycle 'a cycle that is sought'

mistakes() {
    need fyaml
    swing
    run 2 linearize swing.yaml --about here
    has err "takes state, equilibrium or steady, not 'here'"
    run 2 linearize swing.yaml --vary T
    has err "takes NAME=FROM:TO, not 'T'"
    run 2 linearize swing.yaml --vary T=3:1
    has err "takes two rising numbers such as 0.1:100, not '3:1'"
    run 2 linearize swing.yaml --input T --frequencies 1,5
    has err "takes two rising numbers"
    run 2 linearize swing.yaml --input rod.mz
    has err "there is no input 'rod.mz'; an input is a parameter of the model, a driver or motor, a joint"
    run 2 linearize swing.yaml --input TT
    has err "there is no input 'TT'"
    run 2 linearize swing.yaml --input T --measure angel
    has err "there is no output 'angel'; an output is a measure of the model, such as 'angle'"
    run 4 linearize missing.yaml
}
try mistakes 'mistakes are told'

finish
