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
