#!/bin/sh
# Commands that are asked for something they cannot do: each answers with its exit code and with words that say what to
# write instead.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# The program with the words after $2 ends with code $1 and says $2.
says() {
    code=$1 words=$2
    shift 2
    run "$code" "$@"
    has err "$words"
}

# The word $2 so many times, with commas between them.
repeat() {
    awk -v n="$1" -v word="$2" 'BEGIN { for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? "," : ""), word }'
}

# A pendulum and a short result of it.
prepare() {
    need fyaml
    pendulum >p.yaml
    run 0 run p.yaml -o p.csv -q --set end=0.5 --set output=0.05
}

words() {
    prepare
    says 2 "MODEL is missing: holonom run MODEL" run
    says 2 "MODEL is missing: holonom optimize MODEL" optimize
    says 2 "the option '--set' needs a value: --set KEY=VALUE" run p.yaml --set
    says 2 "'--set L': write --set KEY=VALUE" run p.yaml --set L
    says 2 "'--starts x': give a number from 1 to 100000" statics p.yaml --starts x
    says 2 "'--points -3': give a number from 1 to 100000" sensitivity p.yaml --points -3
    says 2 "'--parameters ,': write names with commas between them" sensitivity p.yaml --parameters ,
}
try words "words that are missing, are no numbers or no names"

questions() {
    prepare
    says 2 "starts, vary and preload are three questions; ask one at a time" statics p.yaml --starts 3 --vary L=0.5:0.9
    says 2 "frequencies takes two rising numbers such as 0.1:100, not '5:2'" linearize p.yaml --input lift --frequencies 5:2
    # shellcheck disable=SC2046 # one word for each
    says 2 "more than 64 times --measure" linearize p.yaml $(repeat 65 '--measure=swing' | tr ',' ' ')
    says 2 "'--symbols some': use parameters or all" equations p.yaml --symbolic --symbols some
    says 2 "formulas hold at all times: use --symbolic without --at" equations p.yaml --symbolic --at 0.3
    says 2 "write --pick K --model FILE.yaml, both or none" assemble p.yaml --pick 1
    says 2 "'--lanes 3': use 4 or 8" generate p.yaml -o g --lanes 3
    is_absent g
    says 2 "'--limit pivot': write NAME=LOW:HIGH" inverse p.yaml --actuators pivot --limit pivot
    for limit in pivot=1 pivot=2:1 pivot=1:2kN pivot=nan:2 pivot=; do
        says 2 "write NAME=LOW:HIGH in N or N[*]m" inverse p.yaml --actuators pivot --limit "$limit"
    done
    says 2 "an actuator that may do nothing is left out" inverse p.yaml --actuators pivot --limit pivot=0:0
    says 2 "'pivit' is not one of the actuators" inverse p.yaml --actuators pivot --limit pivit=1:2
    says 2 "write NAME=WEIGHT" inverse p.yaml --actuators pivot --weight pivot=2kg
    says 2 "a weight is above 0" inverse p.yaml --actuators pivot --weight pivot=-1
    run 0 inverse p.yaml --actuators pivot --limit pivot=-1:
    sed 's/^measures:/  turn: {type: driver, joint: pivot, position: lift + 0.4*t}\n&/' p.yaml >driven.yaml
    says 3 "5e+11 output times are too many; set a larger .output." kinematics driven.yaml --set end=0.5 --set output=1e-12
}
try questions "questions that contradict themselves or ask for too much"

# What a command reads it does not overwrite, by whatever name: results that are judged, data, motions, models.
inputs() {
    prepare
    need hdf5
    run 0 run p.yaml -o p.h5 -q --set end=0.5 --set output=0.05
    ln -s p.h5 link.h5
    cp p.h5 kept.h5
    for words in 'certify p.yaml p.h5 -o p.h5' 'certify p.h5 -o link.h5' 'linearize p.h5 -o p.h5' 'equations p.h5 -o ./p.h5'; do
        # shellcheck disable=SC2086
        says 2 "the answer would overwrite 'p.h5'; name another file" $words
    done
    cmp -s p.h5 kept.h5 || wrong "an input was changed"
    # an answer of the model's own name is another file
    run 0 certify p.yaml p.csv -q -o p.json
}
try inputs "answers never overwrite what they are computed from"

searches() {
    prepare
    built nlopt || exit 77
    says 2 "'max swing 3': write GOAL <= LIMIT, GOAL >= LIMIT or GOAL = LIMIT" \
        optimize p.yaml --vary L=0.5:0.9 --minimize 'end swing' --subject 'max swing 3'
    says 2 "at most 8 algorithms follow each other" \
        optimize p.yaml --vary L=0.5:0.9 --minimize 'end swing' --algorithm "$(repeat 9 slsqp)"
    says 2 "'L=0.5': write NAME=LOW:HIGH, for example 'k=10:1000'" optimize p.yaml --vary L=0.5 --minimize 'end swing'
    built cminpack || exit 77
    says 2 "'=swing': write MEASURE, MEASURE=COLUMN or MEASURE=COLUMN:WEIGHT" \
        identify p.yaml --data p.csv --vary L=0.5:0.9 --fit =swing
}
try searches "what a search cannot read"

charts() {
    prepare
    says 2 "'--size 3x3': write it as 800x500, from 100 to 16000" plot p.csv swing --size 3x3
    says 2 "'--labels' has 2 names for 1 results" plot p.csv swing --labels a,b
    says 2 "'swing': with --bars write NAME=VALUE" plot --bars swing -o b.svg
    says 2 "show takes some of trails, reactions, forces, axes, with commas, or none, each once; not 'all'" view p.yaml --show all
    is_absent b.svg
}
try charts "charts and pictures that cannot be drawn so"

comparisons() {
    prepare
    says 2 "'+tolerance=1e-3' in --methods begins with no method: write METHOD+KEY=VALUE" compare p.yaml --methods +tolerance=1e-3
    says 2 "'--vary L': write --vary KEY=VALUE,VALUE" compare p.yaml --vary L
    says 2 "--reference and --output name the same file, 'p.csv'; name another one" compare p.yaml --reference p.csv -o p.csv
    says 2 "the lists make more than 1000 combinations" \
        compare p.yaml --integrators "$(repeat 40 dopri5)" --methods "$(repeat 40 lagrange)"
    sweep='compare p.yaml --methods lagrange --sweep'
    # shellcheck disable=SC2086
    {
        says 2 "a sweep needs two values; write 1e-3..1e-12 or 1e-3,1e-6" $sweep tolerance=1e-3
        says 2 "there are 2 to 200 values" $sweep tolerance=1e-3..1e-6:1
        says 2 "there are 2 to 200 values" $sweep "tolerance=$(repeat 201 1e-3)"
        says 2 "write the number of values behind ':'" $sweep tolerance=1e-3..1e-6:x
        says 2 "both ends must be above zero, since values have equal ratios" $sweep tolerance=-1..1e-6
        says 2 "write numbers above zero, without units; steps are in seconds" $sweep 'step=1 ms,2 ms'
        says 2 "a sweep is over 'tolerance' or 'step'; for any other key write --vary" $sweep mass=1..2
        says 2 "write --sweep tolerance=1e-3..1e-12 or --sweep step=8e-3..1e-3" $sweep tolerance
    }
}
try comparisons "comparisons and sweeps that cannot be made"

finish
