#!/bin/sh
# Questions about models for which they have no answer: what is read then names the element and its place, and what to do.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
models=${HOLONOM_MODELS:?names the folder of the models}
# what who runs the tests has open would count among the few files of some tests
exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-

# The program with the words after $2 ends with code $1 and says $2.
says() {
    code=$1 words=$2
    shift 2
    run "$code" "$@"
    has err "$words"
}

# The file $1: the pendulum, with the lines of standard input put in; "joints:", "forces:", ... at the beginning of a line
# choose the section for the lines behind them.
model() {
    pendulum >plain.yaml
    awk 'NR == FNR { if ($0 ~ /^[a-z]+:$/) at = $0; else more[at] = more[at] $0 "\n"; next }
        /^[a-z]+:/ && last in more { printf "%s", more[last]; delete more[last] }
        /^simulation:/ { for (at in more) if (at != "simulation:") { printf "%s\n%s", at, more[at]; delete more[at] } }
        /^[a-z]+:/ { last = $1 }
        last == "simulation:" && last in more { printf "%s", more[last]; next }
        { print }' - plain.yaml >"$1"
}

actuators() {
    need fyaml
    need hdf5
    pendulum >p.yaml
    run 0 run p.yaml -q -o p.h5 --set end=0.2
    model push.yaml <<'YAML'
forces:
  gust: {type: force, body: rod, at: [0.3, 0.2], force: [3.1, 0.7]}
YAML
    says 3 "push.yaml:.*'gust': a force of the type .force. has no coordinate that it pushes along" inverse push.yaml --actuators gust
    model pid.yaml <<'YAML'
forces:
  control: {type: pid, joint: pivot, target: 0.3, proportional: 60, integral: 90, derivative: 12}
YAML
    says 3 "'control': has a state of its own, which the motion of another model does not tell" \
        inverse pid.yaml --actuators pivot --motion p.h5
    model hold.yaml <<'YAML'
joints:
  hook: {type: motor, joint: pivot, angle: 0.2*t, active: t > 0.3}
YAML
    says 3 "'hook': takes hold and lets go, which the motion of another model does not tell" \
        inverse hold.yaml --actuators pivot --motion p.h5
    model events.yaml <<'YAML'
parameters:
  gust: 1.5
events:
  more: {when: t - 0.2, do: {set: {gust: 2}}}
YAML
    says 3 "events of the model change parameters; inverse dynamics needs the same values throughout" \
        inverse events.yaml --actuators pivot
    sed 's/along:.*}/position: [0.4, 0.3]}/' p.yaml >moved.yaml
    says 3 "moved.yaml:.*'rod': its mass centre is elsewhere in the body of the motion" \
        inverse moved.yaml --actuators pivot --motion p.h5
    cat >space.yaml <<'YAML'
holonom: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 1.27, inertia: [0.07, 0.08, 0.09], position: [0.4, 0, 0]}
joints:
  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]}
YAML
    says 3 "the motion and the model are not both planar or both spatial" inverse space.yaml --actuators pivot --motion p.h5
}
try actuators "actuators without a coordinate, and motions of other models"

nothing() {
    need fyaml
    pendulum | sed '/^  swing:/d; /^  spin:/d; s/^measures:/& {}/' >none.yaml
    words="the model has no measures.* add a section .measures., for example .energy: {type: energy}."
    says 3 "$words" certify none.yaml
    says 3 "$words" sensitivity none.yaml
    says 2 "$words" optimize none.yaml --vary L=0.5:0.9 --minimize 'end swing'
    pendulum >p.yaml
    printf 'time [s],other\n0,1.7\n0.5,2.3\n' >other.csv
    says 3 "no column of the result is a measure of the model, such as 'swing'" certify p.yaml other.csv
    says 2 "refine judges no result: leave one of them out" certify p.yaml other.csv --refine
    says 2 "there are no derivatives by 'guessing'; take direct, adjoint or cheaper" \
        optimize p.yaml --vary L=0.5:0.9 --minimize 'end swing' --by guessing
    says 2 "'gravity' is a list and no number; name one of its elements, such as 'gravity.0'" \
        optimize p.yaml --vary gravity=1:2 --minimize 'end swing'
    says 2 "'bodies.rod' is a map and no number; name one of its keys, such as 'bodies.rod.mass'" \
        sensitivity p.yaml --parameters bodies.rod
    says 2 "there is no option '--zzzz'" version --zzzz
    says 2 "the keys of the section simulation are options: holonom options" elements simulation
    says 2 "an item of '--integrators' is empty" compare p.yaml --integrators rk4,,dopri5
    says 2 "'--vary L=0.7,,0.8': a value of the list is empty" compare p.yaml --vary L=0.7,,0.8
    for range in L L=1:x L=:2 =1:2; do
        says 2 "'--vary $range': write --vary NAME=FROM:TO, with numbers in SI units" statics p.yaml --vary "$range"
    done
    says 2 "'--turns' are those of '--cycle DRIVER'; give it too" kinematics p.yaml --turns 2
}
try nothing "models and results that have nothing of what is asked for"

searches() {
    need fyaml
    need nlopt
    pendulum >p.yaml
    run 0 run p.yaml -q -o data.csv --set end=0.2 --set output=0.05
    says 1 "none of [0-9]* trial points could be evaluated; try narrower bounds" \
        optimize p.yaml --vary L=0.5:0.9 --minimize 'end swing' --set max_steps=3 --algorithm crs2 --evaluations 20
    says 1 "the model does not run with the values that it starts from; see 'holonom run'" \
        identify p.yaml --data data.csv --fit swing --vary L=0.5:0.9 --set max_steps=2
    model halted.yaml <<'YAML'
events:
  done: {when: t - 0.2, do: stop}
YAML
    says 1 "goal 'at 0.4 swing' has no value: the run ended at t = 0.2" sensitivity halted.yaml --goals 'at 0.4 swing'
}
try searches "searches that no run of the model serves"

linear() {
    need fyaml
    pendulum >p.yaml
    model switching.yaml <<'YAML'
forces:
  grip: {type: torsion, joint: pivot, stiffness: 20, active: swing < 0.6}
YAML
    says 2 "within the period 0.5 s joints or forces take hold or let go" linearize switching.yaml --floquet 0.5
    model control.yaml <<'YAML'
parameters:
  k: 3
forces:
  control: {type: pid, joint: pivot, target: 0.3, proportional: 60, integral: k, derivative: 12}
YAML
    says 2 "with k = 0.05 the mechanism has another number of states than with 0" linearize control.yaml --vary k=0:5
    says 3 "this was with L = 0" linearize p.yaml --vary L=0:0.9
    model driven.yaml <<'YAML'
parameters:
  u: 0.1
joints:
  turn: {type: motor, joint: pivot, angle: u}
measures:
  r: {type: reaction, joint: pivot}
YAML
    says 2 "output 'r.fx' cannot be told: accelerations and reactions follow the second derivative" \
        linearize driven.yaml --input u --measure r.fx
    cat >loop.yaml <<'YAML'
holonom: 1
space: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1.2, inertia: 0.1, along: [[0, 0], [0, 1]]}
  b: {mass: 1.2, inertia: 0.1, along: [[0, 1], [2, 1.3]]}
  c: {mass: 1.2, inertia: 0.1, along: [[2, 1.3], [2, 0]]}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  B: {type: revolute, bodies: [a, b], at: [0, 1]}
  C: {type: revolute, bodies: [b, c], at: [2, 1.3]}
  D: {type: revolute, bodies: [ground, c], at: [2, 0]}
simulation: {end: 0.5}
YAML
    need hdf5
    says 5 "mode 2: the joints do not close at the amplitude 500; take a smaller one" \
        linearize loop.yaml --modes m.h5 --amplitude 500
}
try linear "linear equations that do not exist, and modes that are too large"

rest() {
    need fyaml
    model two.yaml <<'YAML'
forces:
  a: {type: pid, joint: pivot, target: 0.3, proportional: 60, integral: 90, derivative: 12}
  b: {type: pid, joint: pivot, target: 0.5, proportional: 60, integral: 90, derivative: 12}
YAML
    says 1 "two.yaml:.*'a': does not come to rest: its state changes by -0.1 in a second" statics two.yaml
    says 1 "no equilibrium found from 2 starts; run without --starts to see" statics two.yaml --starts 2
    cat >arm.yaml <<'YAML'
holonom: 1
space: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1.2, inertia: 0.1, along: [[0, 0], [0, 1]]}
  b: {mass: 1.2, inertia: 0.1, along: [[0, 1], [1, 1]]}
  c: {mass: 1.2, inertia: 0.1, along: [[1, 1], [2, 1]]}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  B: {type: revolute, bodies: [a, b], at: [0, 1]}
  C: {type: revolute, bodies: [b, c], at: [1, 1]}
measures:
  tip: {type: position, body: c, at: [2, 1]}
YAML
    says 3 "1 freedom is left where all drivers of positions stand still: drive or lock them" \
        kinematics arm.yaml --workspace A=0:1,B=0:1 --point tip
    model sprung.yaml <<'YAML'
forces:
  gust: {type: force, body: rod, at: [0.3, 0.2], force: [3.1, 0.7]}
  sling: {type: spring, bodies: [ground, rod], from: [0, 2], to: [0.3, 0.2], stiffness: 300}
YAML
    says 2 "sprung.yaml:.*'gust': is of type force, which has no free length for --preload to find" \
        statics sprung.yaml --preload gust
    sed '/^joints:/d; /^  pivot:/d' sprung.yaml >free.yaml
    says 1 "free.yaml:.*'rod': --preload: these springs cannot hold it as drawn: a force of .* N is left" \
        statics free.yaml --preload sling
    cat >reach.yaml <<'YAML'
holonom: 1
space: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1.2, inertia: 0.1, along: [[0, 0], [0, 1]]}
  b: {mass: 1.2, inertia: 0.1, along: [[0, 1], [1, 1]]}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  B: {type: revolute, bodies: [a, b], at: [0, 1]}
  pull: {type: driver, body: b, component: x, at: [1, 1], position: 1 + t}
YAML
    says 5 "reach.yaml:.*cannot be closed on the way to t = 4, at t = 1; ask for a time that the drivers reach" \
        statics reach.yaml --at 4
    model loaded.yaml <<'YAML'
joints:
  turn: {type: motor, joint: pivot, angle: 0.4*t}
forces:
  control: {type: pid, joint: pivot, target: 0.3, proportional: 60, integral: 90, derivative: 12}
YAML
    says 3 "'control': has a state that changes with time, on which its load depends: use holonom run" \
        kinematics loaded.yaml --loads
    # a weight beyond all numbers, which no element of the file has brought in
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, -9.81]' 'bodies: {a: {mass: 1e308, inertia: 1, position: [0, 1]}}' \
        'joints: {g: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [0, 1]}}' \
        'forces: {s: {type: force, body: a, force: [0, -3]}}' 'simulation: {end: 1}' >heavy.yaml
    says 1 "statics: forces or constraints are NaN or infinite where the search ended; check masses, stiffnesses and loads for numbers that are too large" statics heavy.yaml
}
try rest "equilibria that are not there, and loads with a history"

# A model that is written anew says what of it is not there.
written() {
    need fyaml
    need nlopt
    mkdir sub
    printf 'bodies:\n  rod: {mass: 1.27, inertia: 0.0715, along: [[0, 0], [L, 0.3]]}\n' >part.yaml
    pendulum | sed '/^bodies:/d; /^  rod:/d; s/^space:/include: part.yaml\n&/' >whole.yaml
    set -- optimize whole.yaml --vary L=0.5:0.9 --minimize 'end swing' --evaluations 2 --set end=0.1
    says 0 "sub/best.yaml: warning: the file cannot be read where it is (cannot read 'sub/part.yaml'" "$@" -o sub/best.yaml
    says 0 "'bodies.rod.along.1.1' was set to '0.2' by --set, which is not in the new file; write it there by hand" \
        "$@" --set bodies.rod.along.1.1=0.2 -o best.yaml
}
try written "models that are written anew, with parts in other files"

elements() {
    need fyaml
    cat >drum.yaml <<'YAML'
holonom: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  drum: {mass: 1.27, inertia: [0.07, 0.08, 0.09], position: [0, 0, 0.6]}
joints:
  floor: {type: rigid_contact, bodies: [ground, drum], shapes: [{type: plane, normal: [0, 0, 1]},
    {type: cylinder, at: [0, 0, 0.3], to: [0, 0, 0.9], radius: 0.2}]}
  sling: {type: rope, bodies: [ground, drum], from: [0, 0, 0.6], to: [0, 0, 0.6]}
YAML
    says 3 "drum.yaml:7:64: error: joint 'floor': a cylinder has no corners to hold on to; use a capsule or a hull" check drum.yaml
    has err "drum.yaml:9:70: error: joint 'sling': both ends of the rope are at the same place; draw them apart"
    model halt.yaml <<'YAML'
joints:
  halt: {type: rigid_stop, joint: pivot}
YAML
    says 3 "halt.yaml:.*'halt': give .lower., .upper. or both" check halt.yaml
    sed 's/{impact: {joint: floor, restitution: e}}/{impact: {joint: floor, friction: 0.2}}, {impact: {joint: floor, friction: 0.3}}/' \
        "$HOLONOM_SOURCE/models/bouncing_ball.yaml" >ball.yaml
    says 3 "ball.yaml:.*joint 'floor' has another impact, with friction 0.2 and radius 0; .* give both the same" check ball.yaml
    cat >teeth.yaml <<'YAML'
holonom: 1
space: planar
gravity: [0, 0]
parameters: {N: 23}
bodies:
  a: {mass: 1.2, inertia: 0.1, position: [0, 0]}
  b: {mass: 1.2, inertia: 0.1, position: [3, 0]}
joints:
  A: {type: revolute, bodies: [ground, a], at: [0, 0]}
  B: {type: revolute, bodies: [ground, b], at: [3, 0]}
  g: {type: gear, joints: [A, B], teeth: [N, 40]}
YAML
    says 3 "no parameter of the model has neighbouring values" sensitivity teeth.yaml
    has err "note: sensitivity: parameter 'N' is left out, since it has no neighbouring values: teeth are whole numbers"
}
try elements "elements and parameters that cannot be as they are"

folders() {
    need fyaml
    pendulum >p.yaml
    echo mine >file
    says 4 "cannot make the folder 'file': there is a file of that name" generate p.yaml -o file
    same "$(cat file)" mine "what was in the file"
    says 4 "cannot make the folder 'none/code': No such file or directory" generate p.yaml -o none/code
    need cc
    XDG_CACHE_HOME=$PWD/file/x says 4 "cannot make the folder '.*/file/x/holonom': Not a directory" run p.yaml --compiled --no-output
    TMPDIR=$PWD/none XDG_CACHE_HOME=$PWD/cache says 4 "cannot make a folder in '.*/none': No such file" run p.yaml --compiled --no-output
}
try folders "folders of generated code that cannot be made"

# A compiler that is none, and one that makes another program of the code: neither is believed.
compilers() {
    need fyaml
    need cc
    pendulum >p.yaml
    cat >junk <<'SH'
#!/bin/sh
for word; do
    [ "${last-}" != -o ] || echo junk >"$word"
    last=$word
done
SH
    cat >altered <<'SH'
#!/bin/sh
for word; do
    case $word in *.c) sed -i 's/vdot\[0\] = /&1.0001 * /' "$word" ;; esac
done
exec cc "$@"
SH
    chmod +x junk altered
    export XDG_CACHE_HOME="$PWD/cache"
    CC=$PWD/junk says 4 "the compiled code cannot be loaded: .*\.so: " run p.yaml --compiled --no-output
    has err "try another compiler, named by the environment variable CC, or run without --compiled"
    CC=$PWD/altered says 2 "its accelerations at the start differ from those of the library; try another compiler" \
        run p.yaml --compiled --no-output
}
try compilers "compilers whose code cannot be used"

# Nothing of a claim's step comes to be without files.
crowded() {
    need fyaml
    pendulum >p.yaml
    printf 'claims:\n  try: {title: A try, source: nowhere, claim: It swings., steps: [{run: p.yaml}]}\n' >c.yaml
    got=0
    (
        ulimit -n 6
        exec "$program" reproduce c.yaml --all
    ) >out 2>err </dev/null || got=$?
    [ $got -ne 0 ] || wrong "a claim whose step cannot run holds"
    has err "c.yaml:2:.*cannot be run: Too many open files"
}
try crowded "claims where no program can be started"

unwritten() {
    need fyaml
    [ -c /dev/full ] || exit 77
    says 4 "cannot write 'stream:/dev/full': No space left on device" \
        assemble "$HOLONOM_SOURCE/models/four_bar.yaml" --hold crank.angle -n 5 --pick 1 --model stream:/dev/full -q
}
try unwritten "a model of an assembly on a full disk"

masses() {
    need fyaml
    cat >flat.yaml <<'YAML'
holonom: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  plate: {mass: 1, inertia: [0.1, 0.1, 0.2], position: [0.5, 0, 0]}
joints:
  pivot: {type: spherical, bodies: [ground, plate], at: [0, 0, 0]}
simulation: {end: 0.1, coordinates: natural, method: dae, dae_form: index-2-canonical}
YAML
    says 3 "flat.yaml:8:69: error: simulation: momenta p = M v do not tell the velocities: the mass matrix is singular" \
        run flat.yaml --no-output
}
try masses "momenta of a flat body in natural coordinates"

instants() {
    need fyaml
    model laws.yaml <<'YAML'
parameters:
  T: 0.3
  U: 0.3
forces:
  a: {type: torque, body: rod, torque: 'if(t < T, 1.3, 2.1)'}
  b: {type: torque, body: rod, torque: 'if(t < U, 0.7, 3.2)'}
YAML
    says 1 "at t = 0.3 two instants of laws coincide, and their order changes with the parameters" \
        sensitivity laws.yaml --parameters T,U
    # a second one so soon after it that it lies between the run and every model beside it
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, 0]' 'parameters: {t1: 0.3}' \
        'bodies: {block: {mass: 1, inertia: 1, position: [0, 0], velocity: [0.5, 0]}}' \
        'joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}' 'forces:' \
        "  one: {type: force, body: block, force: ['if(t < t1, 2, 0)', 0]}" \
        "  two: {type: force, body: block, force: ['if(t < 0.30000000001, 2, 1)', 0]}" \
        'measures: {p: {type: position, body: block}}' 'simulation: {end: 0.6, tolerance: 1e-10}' >near.yaml
    says 1 "corners of laws so close to each other, that differences over neighbouring models do not reach them" sensitivity near.yaml
}
try instants "laws that change at the same instant"

questions() {
    need fyaml
    # a crank with its rod repeats itself, and is no steady motion
    says 1 "what only repeats itself, as a crank with its rod does, is no steady motion and has linearize --floquet" \
        linearize "$models/engine.yaml" --about steady
    # found with other speeds than those of the start
    says 1 "the steady motion that was found at kr = 0.05 turns otherwise than the start" \
        statics "$models/rotary_drive.yaml" --steady --vary kr=0.05:0.1
    says 3 "the mechanism has no freedom: drivers and motors move all of it" gears "$models/engine.yaml"
    says 1 "try --starts or --search descent" statics "$models/a05_flyball_governor.yaml" --search newton
    # an instant of the model that the data have too: there the run has no derivative
    need cminpack
    run 0 run "$models/elbow_lock.yaml" -o lock.csv -q
    says 1 "the model runs with the values that were tried and has no derivatives there" \
        identify "$models/elbow_lock.yaml" --vary t_lock=0.485:0.515 --data lock.csv --fit tip.x
    model log.yaml <<'YAML'
forces:
  f: {type: torque, body: rod, torque: 'log(t - 5)'}
YAML
    says 1 "the equations cannot be evaluated near the start of the model, so that formulas cannot be checked" \
        equations log.yaml --symbolic
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, 0]' 'bodies:' '  a: {mass: 1, inertia: 0.1, along: [[0, 0], [1, 0]]}' \
        '  b: {mass: 1, inertia: 0.1, along: [[1, 0], [3, 0]]}' '  c: {mass: 1, inertia: 0.1, along: [[2, 0], [3, 0]]}' 'joints:' \
        '  A: {type: revolute, bodies: [ground, a], at: [0, 0]}' '  B: {type: revolute, bodies: [a, b], at: [1, 0]}' \
        '  C: {type: revolute, bodies: [b, c], at: [3, 0]}' '  D: {type: revolute, bodies: [ground, c], at: [2, 0]}' \
        '  m: {type: motor, joint: A, speed: 1}' 'simulation: {end: 1}' >flat.yaml
    says 1 "are singular and do not tell how the motion goes on; start from another position" kinematics flat.yaml
    says 1 "'ball': no steady motion was found near this state: where the search ended, its accelerations still miss one by 0.9[0-9]* of" \
        linearize "$models/bouncing_ball.yaml" --about steady
}
try questions "questions that have no answer"

# Few files may be open, fewer than each command wants: it says so and ends, and with enough of them it works.
descriptors() {
    need fyaml
    # a sanitizer opens files of its own
    ! readelf -sW "$program" 2>/dev/null | grep -q '__[atm]san_init' || exit 77
    pendulum | sed 's/^simulation:.*/simulation: {end: 0.02, output: 0.01}/' >m.yaml
    printf 'model: m.yaml\nfactors: {L: {from: 0.7 m, to: 0.8 m}}\ndesign: random\ncases: 3\nresponses: {e: end swing}\n' >s.yaml
    cat >c.yaml <<'END'
claims:
  try:
    title: A try
    source: nowhere
    claim: It swings.
    steps: [{run: m.yaml, as: one}, {values: {n: {of: one, figure: steps}}}, {verdict: n > 0, holds: 'Yes.', differs: 'No.'}]
END
    run 0 run m.yaml -o r.csv -q
    : >all
    while read -r words; do
        for most in 4 5 6 7 8 32; do
            got=0
            # shellcheck disable=SC2086 # the words of the command
            (ulimit -n $most && exec "$program" $words) >out 2>err </dev/null || got=$?
            case $got in [0-8]) ;; *) wrong "holonom $words with $most files: exit code $got" ;; esac
            [ $got -eq 0 ] || [ -s err ] || wrong "holonom $words with $most files: exit code $got without a word"
            [ $got -eq 0 ] || [ $most -lt 32 ] || wrong "holonom $words with $most files: $(head -n 1 err)"
            cat err >>all
        done
    done <<'END'
run m.yaml -o x.csv -q
results r.csv
report r.csv -o x.html -q
view m.yaml -o x.svg -q
study s.yaml --fresh -q -o x.json
compare m.yaml -m lagrange -q
linearize m.yaml -q -o x.tex
generate m.yaml -o code -q
reproduce c.yaml --all -q
END
    has all "cannot write '.*/.out0': Too many open files"
    has all "cannot be run: Too many open files"
}
try descriptors "with few open files commands work or say why not"

finish
