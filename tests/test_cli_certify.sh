#!/bin/sh
# holonom certify: exit codes, results of this and of another model, constants, the worked machine of docs/questions/certify.md.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}

worked() {
    need fyaml
    run 9 certify "$models/five_bar.yaml" --end 6 --digits 12 --refine
    has out "refused: of 'q3'"
    has out "neighbouring motions part exponentially"
    run 0 certify "$models/five_bar.yaml" --end 6 --digits 6 --refine
    run 9 certify "$models/five_bar.yaml" --end 6 --tol 1e-3
    has out "tolerance too loose for this measure"
    tol=$(sed -n 's/^try  *--tol \([0-9.e-]*\)$/\1/p' out)
    run 0 certify "$models/five_bar.yaml" --end 6 --tol "${tol:?the tolerance that would do}"
}
try worked "the worked machine: chaos is called chaos, a loose tolerance is told with the one that does"

results() {
    need fyaml
    need hdf5
    run 0 run "$models/pendulum.yaml" -o p.h5 -o p.csv --quiet
    run 0 run "$models/pendulum.yaml" -o other.h5 --quiet --set bodies.rod.mass=1.37
    run 0 certify p.h5 --digits 5
    has out "digits of the result"
    run 0 certify "$models/pendulum.yaml" p.h5
    run 0 certify "$models/pendulum.yaml" p.csv
    run 3 certify "$models/pendulum.yaml" other.h5
    has err "other.h5 is a result of another model"
    has err "mass"
    run 0 certify "$models/pendulum.yaml" p.h5 --tol 1e-9
    sed 's/^\(5[.]*[0-9]*\),[^,]*,/\1,0.1,/' p.csv >bent.csv
    run 9 certify "$models/pendulum.yaml" bent.csv
    has out "the numbers are not those of this model"
}
try results "results of the model pass, of another are refused with what differs, and bent ones with when"

# Rows that cannot be compared, or that are no numbers, are no evidence; those of a part of the run are said to be that.
judged_rows() {
    need fyaml
    pendulum >p.yaml
    run 0 run p.yaml --set output=0.05 -o p.csv --quiet
    sed '2,$s/,[^,]*/,/' p.csv >none.csv
    run 3 certify p.yaml none.csv
    has err "row 1 of the result: 'swing' is not a finite number"
    awk -F, 'NR == 1 { print; next } { print $1 + 0.0033 "," $2 "," $3 }' p.csv >late.csv
    run 3 certify p.yaml late.csv
    has err "no row of the result can be compared: the run goes from t = 0 to 1.5"
    printf 'time [s],swing [rad]\n1e308,1\n-1e308,2\n' >back.csv
    run 3 certify p.yaml back.csv
    has err "row 2 of the result: times are finite and do not decrease"
    printf 'time [s],swing [rad]\n' >head.csv
    run 3 certify p.yaml head.csv
    has err "no row of the result can be compared"
    run 3 certify p.yaml --end 0
    has err "the run ends where it starts, at t = 0, so that there is nothing to certify"
    head -n 9 p.csv >short.csv
    run 0 certify p.yaml short.csv
    has out "up to t = 0.35"
    run 0 certify p.yaml p.csv
    lacks out "where it ends"
}
try judged_rows "rows that are no numbers, or lie elsewhere, are refused; a result that ends early is certified up to there"

constants() {
    need fyaml
    cat >law.yaml <<'Y'
holonom: 1
space: planar
gravity: [0, 0]
parameters: {k: 85.3, h: 240}
bodies:
  cart: {mass: 2.385, inertia: 0.1, position: [0.31, 0]}
joints:
  rail: {type: prismatic, bodies: [ground, cart], at: [0.31, 0], axis: [1, 0]}
forces:
  spring: {type: spring, bodies: [ground, cart], from: [-1, 0], to: [0.31, 0], free_length: 1, force: "k*(length-1) + h*(length-1)^3"}
measures:
  x: {type: position, body: cart, component: x}
  v: {type: velocity, body: cart, component: x}
  wrong: {type: expression, value: "0.5*2.385*v^2 + 0.5*k*x^2", unit: J}
  right: {type: expression, value: "0.5*2.385*v^2 + 0.5*k*x^2 + h*x^4/4", unit: J}
simulation: {end: 3.3}
Y
    run 9 certify law.yaml --conserved wrong
    has out "'wrong' is said to stay constant and changes by 0.554"
    has out "a force law that is not what this energy says"
    run 0 certify law.yaml --conserved right --digits 6
    run 3 certify law.yaml --conserved energy
    has err "there is no measure 'energy'"
}
try constants "an energy that does not belong to its force law is refused"

quick() {
    need fyaml
    need hdf5
    run 0 run "$models/four_bar.yaml" --certify -o f.h5
    has out "certificate"
    has out "certified: all measures of the run have"
    run 0 results f.h5
    has out "certified: all measures of the run have"
    run 9 run "$models/five_bar.yaml" --certify --tol 1e-5 --json -o none
    has out '"certify": "refused:'
    has out "tolerance too loose"
}
try quick "run --certify keeps the cheap half of a certificate with the result"

# A signal before the answer: the program ends by it and says that there is none; an older page stays.
interrupted() {
    need fyaml timeout
    echo older >a.html
    for sign in INT:130 TERM:143; do
        got=0
        timeout --preserve-status -s "${sign%:*}" 0.2 "$program" certify "$models/five_bar.yaml" --end 2000 -o a.html >out 2>err </dev/null || got=$?
        same $got "${sign#*:}" "the exit code"
        has err '^warning: interrupted before there was an answer'
        has a.html '^older$'
    done
}
try interrupted "interrupted: the program says that there is no answer"

usage() {
    need fyaml
    run 2 certify "$models/pendulum.yaml" --digits 20
    run 0 certify "$models/pendulum.yaml" --json --end 1
    has out '"certified"'
    run 0 certify "$models/pendulum.yaml" --end 1 -q -o a.html -o a.json -o a.csv
    [ -s a.html ] && [ -s a.digits.csv ] || wrong "no page, or no tables"
}
try usage "options, JSON, page, tables"

finish
