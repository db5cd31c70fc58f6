#!/bin/sh
# docs/certificates.md: it has a row for every model, and rows that take little time come out again.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}
source=${HOLONOM_SOURCE:?names the sources}
page=$source/docs/certificates.md

# Column $2 of the row of model $1 of a page $3.
entry() {
    awk -F' *[|] *' -v model="$1" -v column="$2" '$2 == model { print $(column + 1) }' "$3"
}

complete() {
    for model in "$models"/*.yaml "$models"/gjb/*.yaml; do
        name=$(echo "$model" | sed "s,^$models/,,; s,\.yaml$,,")
        [ "$(grep -c "^| $name |" "$page")" = 1 ] || wrong "the page has no row of $name, or several"
    done
    lacks "$page" 'exit code'
    # nothing that runs as its file asks for it is refused without a reason
    lacks "$page" 'refused:  *|'
}
try complete "every model has a row"

# Digits hang on rounding, and that on the machine: half a digit is a factor of three in the bound. More of them than on the page
# is no failure.
again() {
    need fyaml
    LIMIT=300 sh "$source/tools/certify_models.sh" "$program" "$models/pendulum.yaml" "$models/engine.yaml" "$models/clutch.yaml" >got
    for model in pendulum engine clutch; do
        same "$(entry $model 2 got)" "$(entry $model 2 "$page")" "as asked, $model"
        for column in 3 4 5; do
            awk -v a="$(entry $model $column got)" -v b="$(entry $model $column "$page")" \
                'BEGIN { exit !(a != "" && b != "" && a - b > -0.6) }' ||
                wrong "$model: column $column is $(entry $model $column got), on the page $(entry $model $column "$page")"
        done
    done
}
try again "rows of the page come out again"

finish
