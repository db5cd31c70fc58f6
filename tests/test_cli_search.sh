#!/bin/sh
# holonom optimize and identify: what they print and write, what Ctrl-C leaves, and what they say of a wrong command line.

# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
examples=${HOLONOM_SOURCE:?}/examples/optimize

# A block on a spring: x = 0.31 cos(sqrt(k/2) t).
spring() {
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, 0]' 'parameters:' '  k: 30 N/m  # of the spring' '  wanted: -130 mm' 'bodies:' \
        '  block: {mass: 2, inertia: 1, position: [0.31, 0]}' 'joints:' \
        '  rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}' 'forces:' \
        '  spring: {type: spring, bodies: [ground, block], from: [-5, 0], to: [0.31, 0], stiffness: k, free_length: 5}' 'measures:' \
        '  x: {type: position, body: block, component: x}' '  off: {type: expression, value: (x - wanted)^2}' \
        'simulation: {end: 0.71, tolerance: 1e-9}' >spring.yaml
}

optimize() {
    need fyaml
    need nlopt
    spring
    run 0 optimize spring.yaml --vary 'k=5:60 N/m' --minimize 'end off' --tolerance 1e-8 -o best.yaml -o best.html -o best.csv
    has out '^verdict  *the first-order conditions hold$'
    has out '^  k \[N/m\] '
    is_file best.html
    is_file best.progress.csv
    # k = 2 (acos(-0.13/0.31)/0.71)^2 = 15.9259508480, in its unit and with its comment; nothing else changes
    near "$(sed -n 's/^  k: \([0-9.]*\) N\/m  # of the spring$/\1/p' best.yaml)" 15.925950848 1e-6
    sed 's/^  k: .*/  k: 30 N\/m  # of the spring/' best.yaml >back.yaml
    cmp -s back.yaml spring.yaml || wrong "more than a number changed: $(diff back.yaml spring.yaml | head -n 4)"
    run 0 run best.yaml -o none
    run 0 optimize spring.yaml --vary k=5:60 --minimize 'mean x' --subject 'end x = -13 cm' --json
    is_json out
    has out '"end x = -13 cm"'
    # x never gets beyond its start, 0.31 m
    run 8 optimize spring.yaml --vary k=5:60 --minimize 'mean-square x' --subject 'end x = 2.5 m'
    has out '^verdict  *not a solution: a constraint is violated by '
    has err 'begin elsewhere (--set), or search by another algorithm'
    has out '^  mean-square x \[m^2\] '
    # from where slsqp ends infeasible: k/m = 72.094..., of 0.71 sqrt(k/m) = 2 pi - acos(0.3/0.31)
    sed -e 's/^  k: .*/&\n  weight: 2/' -e 's/mass: 2,/mass: weight,/' -e 's/^measures:/&\n  v: {type: velocity, body: block, component: x}/' spring.yaml >two.yaml
    run 0 optimize two.yaml --set k=19 --vary k=1:200 --vary weight=0.5:9 --minimize 'mean-square x' --subject 'end x >= 0.3' --subject 'end v >= 0.2'
    has out '^verdict  *the first-order conditions hold$'
    has out '^feasibility  *slsqp ended with a violated constraint'
    near "$(awk '$1 == "k" { k = $(NF - 2) } $1 == "weight" { print k / $(NF - 2) }' out)" 72.0945 1e-4
    # goals of different units are added only with factors of their own
    run 0 optimize spring.yaml --vary k=5:60 --minimize 'mean x' --minimize '2*end off'
    has err "the objective adds 'mean x' in m and '2\*end off' in m^2 as if they were alike; give each a factor"
    run 0 optimize spring.yaml --vary k=5:60 --minimize '1*mean x' --minimize '2*end off'
    lacks err 'as if they were alike'
    # a number without a name, by its path: sqrt(30/m) 0.71 = acos(-0.13/0.31)
    run 0 optimize spring.yaml --vary 'bodies.block.mass=0.5:9 kg' --minimize 'end off' --tolerance 1e-8 -o light.yaml
    near "$(sed -n 's/^  block: {mass: \([0-9.]*\), .*/\1/p' light.yaml)" 3.76743595 1e-6
    run 2 optimize spring.yaml --vary bodies.blok.mass=1:2 --minimize 'end off'
    has err "did you mean 'block'"
    # an input is never overwritten, and that is told before the work
    run 2 optimize spring.yaml --vary k=5:60 --minimize 'end off' -o spring.yaml
    lacks out .
    run 2 optimize spring.yaml --vary k=5:6 --minimize 'end off'
    has err 'outside its bounds'
    run 2 optimize
    has err 'MODEL is missing'
    run 2 optimize spring.yaml --vary k=5:60 --minimize 'end off' --evaluations none
    run 0 optimize --algorithms
    has out '^ *cobyla '
}
try optimize 'the stiffness for a position at the end, and the model file with it'

# Searches from many starts, killed again and again: the same answer as in one go; and what is said of a wrong command line.
starts() {
    need fyaml
    need nlopt
    command -v timeout >/dev/null 2>&1 || exit 77
    spring
    set -- optimize spring.yaml --vary k=5:900 --vary bodies.block.mass=0.5:9 --minimize 'end off' --minimize '0.01*mean-square x' -j 2 -q
    run 0 "$@" --starts 6 -o whole.json
    for _ in 1 2 3 4; do timeout -s KILL 0.4 "$program" "$@" --starts 6 --log s.log >/dev/null 2>&1 </dev/null || :; done
    run 0 "$@" --starts 6 --log s.log -o again.json
    cmp -s whole.json again.json || wrong 'after four kills the answer is another one'
    run 0 optimize spring.yaml --vary k=5:60 --minimize 'end off' --algorithm evolution --evaluations 200
    has out '^members of the population  *20$'
    run 0 optimize spring.yaml --vary k=5:900 --minimize 'end off' --starts 5
    has out '^different optima'
    has out '^optima at which searches ended$'
    run 2 optimize spring.yaml --vary k=5: --minimize 'end off' --starts 5
    has err "give 'k' both of them"
    run 2 optimize spring.yaml --vary k=5:60 --minimize 'end off' --starts 0
    run 2 optimize spring.yaml --vary k=5:60 --minimize 'end off' --algorithm crs2 --population 30
    has err 'one of the algorithm evolution'
    run 3 optimize spring.yaml --vary k=5:80 --minimize 'end off' --starts 5 --log s.log
    has err 'another'
}
try starts 'searches from many starts go on after a kill'

interrupt() {
    need fyaml
    need nlopt
    command -v timeout >/dev/null 2>&1 || exit 77
    spring
    got=0
    timeout -s INT 2 "$program" optimize spring.yaml --set end=20 --vary k=5:60 --minimize 'mean off' --algorithm mlsl --evaluations 1000000 \
        -o best.yaml >out 2>err </dev/null || got=$?
    case $got in 130 | 124) ;; *) wrong "exit code $got" ;; esac
    has err 'interrupted: the answer is the best point so far'
    has out '^ended because  *interrupted$'
    is_file best.yaml
}
try interrupt 'Ctrl-C leaves the best point'

identify() {
    need fyaml
    need cminpack
    run 0 identify "$examples/rig.yaml" --data "$examples/rig_data.csv" --fit x=position --vary k=50:2000 --vary c=0:20 -o fitted.yaml -o fit.html
    has out '^  k \[N/m\]  *300  *412\.96134[0-9]*  *0\.30662[0-9]*  *412\.3529[0-9]*  *413\.5697'
    has fitted.yaml '^  k: 412.96134[0-9]* N/m          # of the spring, to be found$'
    is_file fit.html
    run 0 identify "$examples/rig.yaml" --data "$examples/rig_data.csv" --fit x=position --vary k=50:2000 --vary c=0:20 --vary mass=1:5
    has err 'k +1 %, c +1 %, mass +1 % leave all measures as they are'
    run 4 identify "$examples/rig.yaml" --data nothing.csv --fit x --vary k=50:2000
    printf 'time,x\n0.1,2\n0.2,oops\n' >bad.csv
    run 3 identify "$examples/rig.yaml" --data bad.csv --fit x --vary k=50:2000
    has err '^bad.csv:3:'
    printf 'time,x\n0.1,2\n0.2,nan\n' >bad.csv
    run 3 identify "$examples/rig.yaml" --data bad.csv --fit x --vary k=50:2000
    has err "^bad.csv:3: error: row 2: column 'x' has no finite number"
    printf 'time [kg],x\n0.1,2\n0.2,1\n' >bad.csv
    run 3 identify "$examples/rig.yaml" --data bad.csv --fit x --vary k=50:2000
    has err '^bad.csv:1:1: error: the unit of the time must be one of time'
    printf 'time,x [foo]\n0.1,2\n0.2,1\n' >bad.csv
    run 3 identify "$examples/rig.yaml" --data bad.csv --fit x --vary k=50:2000
    has err "'foo' is not a unit"
    # rows after --end are left out: there the block is somewhere else
    awk 'BEGIN { print "time,x"; for (i = 1; i <= 20; i++) { t = i * 0.05; print t "," (i <= 10 ? 0.31 * cos(4.3 * t) : 9) } }' >late.csv
    spring
    run 0 identify spring.yaml --data late.csv --fit x --vary k=5:60 --end 0.5 -o first.yaml
    has err '10 of 20 rows lie after the end of 0.5 s and are left out'
    near "$(sed -n 's/^  k: \([0-9.]*\) N\/m .*/\1/p' first.yaml)" 36.98 1e-4
    run 3 identify spring.yaml --data late.csv --fit x --vary k=5:60 --end 0.01
    has err '^late.csv: error: all 20 rows lie after the end of 0.01 s that is asked for'
    run 2 identify spring.yaml --data late.csv --fit x --vary k=5:60 --end=-1
    # one datum for one parameter: nothing is left for a deviation
    sed -n -e 1p -e 40p "$examples/rig_data.csv" >one.csv
    run 0 identify "$examples/rig.yaml" --data one.csv --fit x=position --vary k=50:2000
    lacks out 'nan'
    lacks err 'nan'
    has out '^deviation of a weighted residual  *not known'
    run 2 identify "$examples/rig.yaml" --data one.csv --fit x=position --fit x=position --vary k=50:2000
    has err "'x' follows the column 'position' twice"
    run 3 identify "$examples/rig.yaml" --data one.csv --fit x=position --vary k=50:2000 --vary c=0:20
    has err '1 number cannot determine 2 parameters; give more data'
}
try identify 'the test rig of the page'

without() {
    need fyaml
    if built nlopt; then exit 77; fi
    spring
    run 6 optimize spring.yaml --vary k=5:60 --minimize 'end off'
    has err 'libnlopt-dev'
}
try without 'a program without NLopt says what to install'

finish
