#!/bin/sh
# Generated code: every model of models/ is generated (which compares it with the library) or refused with the place and
# the reason; a handful is compiled without a warning and its own test passes, all of them with HOLONOM_WHOLE=1
# (./dev generated).
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}
flags='-std=c99 -Wall -Wextra -Wpedantic -Werror'

# Generate the model $1 into folder $2, compile it as C99 and run its test; further words are options.
compile() {
    model=$1 folder=$2
    shift 2
    run 0 generate "$model" -o "$folder" --quiet "$@"
    [ -f "$folder/Makefile" ] || return
    make -s -C "$folder" CFLAGS="-O1 $flags" test >made 2>&1 || wrong "$model does not compile: $(head -n 5 made)"
    "$folder/test" >"$folder/said" 2>&1 || wrong "$model: $(tail -n 3 "$folder/said")"
}

handful() {
    need fyaml cc make
    for name in pendulum four_bar a04_bricard heavy_top iltis_corner_links engine elements/spring_table elements/universal \
        elements/knife_edge; do
        compile "$models/$name.yaml" "$(basename "$name")"
    done
    # planar loops agree to rounding over fifty steps: positions are some meters, so that 1e-14 is fifty roundings
    has four_bar/said '^  50 steps: q differs by [0-9.]*e-1[5-9]'
}
try handful "trees, loops, space, laws and tables are compiled and agree with the library"

formulas() {
    need fyaml cc make
    for name in euler heun bs32 dopri5 dop853; do compile "$models/four_bar.yaml" "$name" --integrator "$name" --step 0.002; done
    run 2 generate "$models/four_bar.yaml" -o radau --integrator radau5
    has err 'use euler, heun, rk4, bs32, dopri5 or dop853'
    [ ! -e radau ] || wrong "a folder was made"
}
try formulas "every explicit formula of the library agrees with it step by step"

# A pendulum on a spring, one of whose numbers stays an input, J phi'' = -k (phi + 0.31) - c phi' - m g a cos(phi) with k = 41.7: the code has
# the angle of the joint among its outputs and in a law, and its acceleration is that of the equation. The energy is left out, by name; the joint
# is named from the rod to ground, so that its coordinate is counted the other way, and the header says so.
angles() {
    need fyaml cc make
    printf '%s\n' 'holonom: 1' 'name: angles' 'space: planar' 'gravity: [0, -9.743]' 'parameters: {k: 83.7}' 'bodies:' \
        '  rod: {mass: 1.317, inertia: 0.0231, position: [0.213, 0], omega: 1.37}' 'joints:' \
        '  O: {type: revolute, bodies: [rod, ground], at: [0, 0]}' 'forces:' \
        '  spring: {type: torque, body: rod, torque: -k*(0.31 - phi) + 0.217*rate}' 'measures:' \
        '  phi: {type: joint_coordinate, joint: O}' '  rate: {type: joint_coordinate, joint: O, component: angle_rate}' \
        '  E: {type: energy}' >angles.yaml
    run 0 generate angles.yaml -o angles --parameters k
    has out '^outputs  *2$'
    has out '^measures left out  *E'
    has angles/angles.h 'O: rad, rad/s, counted from the second body of the joint to the first'
    cat >angles/own.c <<'END'
#include "angles.h"
#include <stdio.h>
int main(void) {
    angles_state s;
    angles_inputs in = {41.7};
    angles_outputs out;
    double a;
    angles_start(&s);
    s.q[0] = 0.417;
    if (angles_derivative(&s, &in, &a)) return 1;
    angles_measure(&s, &in, &out);
    printf("%.12f %.12f %.12f\n", a, out.phi, out.rate);
    return 0;
}
END
    cc -std=c99 -O1 -o angles/own angles/own.c angles/angles.c -lm >made 2>&1 || wrong "$(head -n 5 made)"
    # by awk, from the equation
    wanted=$(awk 'BEGIN { m = 1.317; a = 0.213; x = 0.417; w = 1.37
        printf "%.12f %.12f %.12f", (-41.7*(0.31 + x) - 0.217*w - m*9.743*a*cos(x))/(0.0231 + m*a*a), -x, -w }')
    near "$(angles/own | cut -d ' ' -f 1)" "${wanted%% *}" 1e-10
    [ "$(angles/own | cut -d ' ' -f 2-)" = "${wanted#* }" ] || wrong "outputs $(angles/own), wanted $wanted"
}
try angles "the angle of a joint is there beside parameters that stay inputs"

# A four-bar in a tilted plane of space: what closes it across the plane is rounding, not zero, and does not count.
tilted() {
    need fyaml
    awk 'function at(x, y) { return sprintf("[%.17g, %.17g, %.17g]", 0.8*x + 0.48*y + 0.1, -0.6*x + 0.64*y - 0.2, -0.6*y + 0.3) }
    function body(name, x, y) { printf "  %s: {mass: 1.3, inertia: [0.021, 0.032, 0.043], position: %s}\n", name, at(x, y) }
    function hinge(name, a, b, x, y) {
        printf "  %s: {type: revolute, bodies: [%s, %s], at: %s, axis: [0.36, 0.48, 0.8]}\n", name, a, b, at(x, y) }
    BEGIN { print "holonom: 1\nspace: spatial\ngravity: [0.7, -0.4, -9.61]\nbodies:"
        body("a", 0.065, 0.165); body("b", 0.42, 0.39); body("c", 0.665, 0.22); print "joints:"
        hinge("O", "ground", "a", 0, 0.02); hinge("A", "a", "b", 0.13, 0.31); hinge("B", "b", "c", 0.71, 0.47)
        hinge("C", "ground", "c", 0.62, -0.03) }' >tilted.yaml
    run 0 generate tilted.yaml -o tilted
    has out '^independent constraints  *2$'
}
try tilted "a loop in a tilted plane has two independent constraints"

# Ten seconds of the four-bar, in which the crank turns over and back and the choice of velocities is left: the end is that
# of the library, whose own errors of rk4 with 1 ms are the same. Two more roundings a step, 40000 of 1e-16.
long_run() {
    need fyaml cc make
    run 0 generate "$models/four_bar.yaml" -o four_bar --quiet
    cat >four_bar/long.c <<'END'
#include "four_bar.h"
#include <stdio.h>
int main(void) {
    four_bar_state s;
    four_bar_inputs in;
    four_bar_outputs out;
    int i;
    four_bar_start(&s);
    four_bar_defaults(&in);
    for (i = 0; i < 10000; i++)
        if (four_bar_step(&s, &in, 1e-3)) return 1;
    four_bar_measure(&s, &in, &out);
    printf("%.9f\n", out.crank_angle);
    return 0;
}
END
    # shellcheck disable=SC2086
    cc -O2 $flags four_bar/long.c four_bar/four_bar.c -lm -o long || wrong "it does not compile"
    ./long >made || wrong "a step failed"
    run 0 run "$models/four_bar.yaml" --coordinates relative --method direct-correction --integrator rk4 --step 1e-3 --json
    has out "\"crank_angle\": *$(sed 's/\.\(.......\).*/\\.\1/' made)"
}
try long_run "ten seconds end as in the library"

# Names of a stranger's model stand in comments, identifiers and file names, and nowhere do they become code.
strange_names() {
    need fyaml cc make
    pendulum | sed 's|^name: .*|name: "x */ #error broken out\\n#error and again\\n /*"|; s|swing:|int:|; s|spin:|int_:|' >strange.yaml
    compile strange.yaml strange
    has strange/strange.c "generated by holonom from 'x \* / #error broken out #error and again  / \*'"
    has strange/strange.h '^    double int_; '
    has strange/strange.h '^    double int__2; '
    # files of the folder itself
    for name in test TEST Makefile GNUmakefile ../up 'a;b' 1a; do
        rm -rf named
        compile strange.yaml named --name "$name"
    done
    is_absent up.c
    is_file named/x_1a.c
}
try strange_names "names that would end a comment, are words of C or names of the folder's own files do no harm"

# What somebody has written stays; what was generated is generated again.
foreign() {
    need fyaml cc make
    pendulum >p.yaml
    for name in README.md Makefile test.c p.c p.h; do
        rm -rf own
        mkdir own
        echo "all of this is mine" >"own/$name"
        run 4 generate p.yaml -o own
        has err "'own/$name' is there already and was not generated"
        same "$(cat own/* | wc -l)" 1 "the number of lines in the folder"
    done
    compile p.yaml again
    echo '# edited' >>again/Makefile
    compile p.yaml again
    lacks again/Makefile edited
    rm again/README.md
    run 4 generate p.yaml -o again
}
try foreign "files that were not generated are never overwritten"

# A slider-crank whose numbers are parameters.
driven() {
    cat >driven.yaml <<'END'
holonom: 1
name: driven slider-crank
space: planar
gravity: [0, -9.81]
parameters: {L: 0.6, m: 2.5, torque: 3, k: 120, amp: 2*torque}
points:
  pivot: [0, 0]
  tip: [L*cos(-30 deg), L*sin(-30 deg)]
  far: [L*cos(-30 deg) + 0.9, 0]
bodies:
  rod: {mass: m, inertia: m*L^2/12, along: [pivot, tip]}
  coupler: {mass: 1.2, inertia: 0.1, along: [tip, far]}
  block: {mass: 0.8, inertia: 0.01, position: far}
joints:
  hinge: {type: revolute, bodies: [ground, rod], at: pivot}
  pin: {type: revolute, bodies: [rod, coupler], at: tip}
  wrist: {type: revolute, bodies: [coupler, block], at: far}
  rail: {type: prismatic, bodies: [ground, block], at: far, axis: [1, 0]}
forces:
  spring: {type: spring, bodies: [ground, block], from: [2.5, 0], to: far, stiffness: k, damping: 1.5}
  motor: {type: torque, body: rod, torque: amp*sin(3*t) + torque}
measures:
  x: {type: position, body: block, component: x}
simulation: {end: 0.5}
END
}

# Inputs set to other values than those of the file give the run of a file with these values: rk4 with 1 ms on both sides,
# 500 steps, so that x of half a meter agrees to 1e-12.
inputs() {
    need fyaml cc make
    driven
    compile driven.yaml driven --parameters torque,k,m
    cat >driven/other.c <<'END'
#include "driven.h"
#include <stdio.h>
int main(void) {
    driven_state s;
    driven_inputs in;
    driven_outputs out;
    int i;
    driven_start(&s);
    driven_defaults(&in);
    in.torque = 3.7, in.k = 91.0, in.m = 1.9;
    for (i = 0; i < 500; i++)
        if (driven_step(&s, &in, 1e-3)) return 1;
    driven_measure(&s, &in, &out);
    printf("%.11f\n", out.x);
    return 0;
}
END
    # shellcheck disable=SC2086
    cc -O1 $flags driven/other.c driven/driven.c -lm -o other || wrong "it does not compile"
    ./other >made || wrong "a step failed"
    run 0 run driven.yaml --coordinates relative --method direct-correction --integrator rk4 --step 1e-3 --json \
        --set torque=3.7 --set k=91 --set m=1.9
    has out "\"x\": *$(sed 's/\./\\./; s/..$//' made)"
    run 2 generate driven.yaml -o none --parameters amp
    has err "parameter 'amp' follows from others: name those"
    run 2 generate driven.yaml -o none --parameters nix
    has err "there is no parameter 'nix' in the model"
    run 2 generate driven.yaml -o none --parameters L
    has err 'depends on the parameters in a way that has no short formula'
    [ ! -e none ] || wrong "a folder was made"
}
try inputs "parameters that stay inputs give the runs of files with their values"

# Four states at once are four single ones, to the last bit: the test program of the code compares them from different
# starts. With inputs, each lane has its own. Without vectors of the compiler, and with balls, lanes follow one another.
lanes() {
    need fyaml cc make
    driven
    for name in four_bar a04_bricard engine iltis_corner_links; do
        compile "$models/$name.yaml" "$name" --lanes 4
        has "$name/said" '^lanes differ from single steps by 0.0e+00'
    done
    compile driven.yaml driven --lanes 8 --parameters k,m
    has driven/said '^lanes differ from single steps by 0.0e+00'
    # shellcheck disable=SC2086
    (cd driven && cc -O1 $flags -DDRIVEN_NO_VECTORS -c driven_lanes.c -o driven_lanes.o && make -s test && ./test >said) || wrong "without vectors"
    has driven/said '^lanes differ from single steps by 0.0e+00'
    cat >driven/lanes.c <<'END'
#include "driven_lanes.h"
int main(void) {
    driven_lanes l;
    driven_state s[8], got;
    driven_inputs in[8];
    int status[8], i, k;
    for (k = 0; k < 8; k++) {
        driven_start(&s[k]);
        driven_defaults(&in[k]);
        in[k].k = 60.0 + 17.0 * k, in[k].m = 2.0 + 0.1 * k;
        driven_lanes_put(&l, k, &s[k], &in[k]);
    }
    l.v[0][3] = 0.0 / 0.0; /* one that fails leaves the others alone */
    for (i = 0; i < 9; i++) {
        if (driven_lanes_step(&l, 1e-3, status) == 0 || status[3] == 0) return 1;
        for (k = 0; k < 8; k++)
            if (k != 3 && (status[k] || driven_step(&s[k], &in[k], 1e-3))) return 2;
    }
    for (k = 0; k < 8; k++) {
        driven_lanes_get(&l, k, &got);
        for (i = 0; i < (k == 3 ? 0 : 3); i++)
            if (got.q[i] != s[k].q[i] || got.v[i] != s[k].v[i]) return 3;
    }
    return 0;
}
END
    # shellcheck disable=SC2086
    cc -O1 $flags -Wno-psabi driven/lanes.c driven/driven_lanes.c driven/driven.c -lm -o several || wrong "it does not compile"
    ./several || wrong "lanes with inputs of their own: $?"
    run 2 generate driven.yaml -o none --lanes 3
    has err "'--lanes 3': use 4 or 8"
}
try lanes "several states at once are as many single ones, to the bit"

# The state that the caller moved is not the one whose sines and cosines the last step kept; a state that is off the
# constraints is brought onto them; numbers that are none leave the state as it was.
own_states() {
    need fyaml cc
    run 0 generate "$models/four_bar.yaml" -o four_bar --quiet
    cat >four_bar/own.c <<'END'
#include "four_bar.h"
#include <math.h>
#include <stdio.h>
int main(void) {
    four_bar_state a, b;
    four_bar_inputs in;
    int i;
    four_bar_defaults(&in);
    four_bar_start(&a);
    four_bar_start(&b);
    for (i = 0; i < 7; i++)
        if (four_bar_step(&a, &in, 1e-3)) return 1;
    for (i = 0; i < 3; i++) a.q[i] = b.q[i], a.v[i] = b.v[i]; /* back to the start, known of later */
    a.t = b.t;
    if (four_bar_step(&a, &in, 1e-3) || four_bar_step(&b, &in, 1e-3)) return 2;
    for (i = 0; i < 3; i++)
        if (a.q[i] != b.q[i] || a.v[i] != b.v[i]) return 3;
    a.q[0] += 1e-3;
    if (four_bar_project(&a, &in)) return 4;
    if (!(fabs(a.q[0] - b.q[0]) > 1e-5 && fabs(a.q[0] - b.q[0]) < 1e-3)) return 5;
    b = a;
    a.q[1] = 0.0 / 0.0;
    if (four_bar_step(&a, &in, 1e-3) == 0 || a.t != b.t || a.q[0] != b.q[0]) return 6;
    return 0;
}
END
    # shellcheck disable=SC2086
    cc -O2 -std=c99 four_bar/own.c four_bar/four_bar.c -lm -o own || wrong "it does not compile"
    status=0
    ./own || status=$?
    [ $status = 0 ] || wrong "own states: $status"
}
try own_states "states of the caller are taken as they are"

# Instructions, which do not depend on the load of the machine: at most 2.5 times those of the loop by hand, for a step and for a second, at least five
# times fewer than the library, whole runs with the code 1.8 and 2.5 times fewer than without (tools/generated_cost.sh;
# some 80 steps so that the count is quick).
cost() {
    need fyaml cc valgrind
    sh "${HOLONOM_SOURCE:?}/tools/generated_cost.sh" "$program" 80 >costs 2>err || wrong "not counted: $(head -n 3 err)"
    [ "$(wc -l <costs)" = 8 ] || wrong "not all were counted: $(cat costs)"
    awk '{ least = /^by-hand/ ? 0.4 : $1 == "run-four-bar" ? 1.8 : /^run-/ ? 2.5 : 5 }
        $4 < least { print "too slow: " $0 }' costs >slow
    is_empty slow
}
try cost "generated code costs what it may"

# The code must not depend on when it is made, and a model without a name of its own gets an identifier.
same_bytes() {
    need fyaml
    run 0 generate "$models/four_bar.yaml" -o first --name '2 bars!' --quiet
    run 0 generate "$models/four_bar.yaml" -o second --name '2 bars!' --quiet
    diff -r first second >differences || wrong "two folders differ: $(head -n 3 differences)"
    has first/x_2_bars_.h 'int x_2_bars__step(x_2_bars__state \*s'
}
try same_bytes "generated twice, the files are the same"

all_models() {
    need fyaml
    made=0 refused=0
    for model in "$models"/*.yaml "$models"/elements/*.yaml "$models"/gjb/*.yaml; do
        name=$(basename "$model" .yaml)
        got=0
        "$program" generate "$model" -o "$name" --quiet >out 2>err </dev/null || got=$?
        case $got in
        0) made=$((made + 1)) ;;
        2)
            refused=$((refused + 1))
            has err "^$model:[0-9]*:[0-9]*: error: .*: no code can be generated for it: "
            [ ! -e "$name" ] || wrong "$name: a folder was made"
            ;;
        *) wrong "$name: exit code $got: $(head -n 2 err)" ;;
        esac
        if [ $got = 0 ] && [ "${HOLONOM_WHOLE-0}" = 1 ]; then compile "$model" "$name"; fi
        rm -rf "$name"
    done
    echo "# $made models generated, $refused refused"
    # what is refused: contacts, curves, friction, bushings, stops, events, switching elements, states of their own
    [ $made -ge 79 ] || wrong "only $made models were generated, $refused refused"
}
try all_models "every model is generated, or refused with its place and the reason"

unwritable() {
    need fyaml
    echo text >taken
    run 4 generate "$models/four_bar.yaml" -o taken
    has err "cannot make the folder 'taken': there is a file of that name"
    mkdir folder && mkdir folder/test.c
    run 4 generate "$models/four_bar.yaml" -o folder
    [ "$(ls folder)" = test.c ] || wrong "files stayed behind: $(ls folder)"
    run 2 generate "$models/four_bar.yaml"
    has err 'give -o FOLDER'
}
try unwritable "a folder that cannot be written stays as it was"
finish
