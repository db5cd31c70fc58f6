#!/bin/sh
# The README as a newcomer does it: its model is saved as printed, its commands run in their order, and the mistake that it shows is answered as
# it says. Every whole model of any page can run. Reports in TAP.
#
# HOLONOM_PROGRAM is the program, HOLONOM_SOURCE the repository.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
source=${HOLONOM_SOURCE:?}

# The first yaml block of a page.
first_model() {
    awk '/^```yaml/ { on = 1; next } on && /^```/ { exit } on' "$1"
}

commands() {
    need fyaml
    need hdf5
    need web
    first_model "$source/README.md" >pendulum.yaml
    sed -n 's/^    \(holonom .*\)$/\1/p' "$source/README.md" | sed 's/ *#.*//' | grep pendulum >lines
    [ "$(wc -l <lines)" -ge 4 ] || wrong "there are only $(wc -l <lines) commands"
    {
        echo 'set -e'
        # shellcheck disable=SC2016 # for the shell that runs the script
        echo 'holonom() { "$program" "$@"; }'
        cat lines
    } >steps
    program=$program sh ./steps >out 2>err || wrong "a command fails: $(tail -n 5 err)"
    [ -s pendulum.html ] || wrong "there is no report"
    ! grep -E 'warning|error' err || wrong "there are warnings"
}
try commands "the model and the commands of the README work as they are printed"

mistake() {
    need fyaml
    first_model "$source/README.md" | sed 's/bodies: \[ground, rod\], at/bodies: [ground, rood], at/' >pendulum.yaml
    "$program" check pendulum.yaml >out 2>err && wrong "the mistake is not seen"
    sed -n '/^    pendulum.yaml:/,/^$/s/^    //p' "$source/README.md" >printed
    [ -s printed ] || wrong "the README shows no mistake"
    diff printed err >difference || wrong "it is answered otherwise: $(cat difference)"
}
try mistake "the mistake of the README is answered as it says"

# Blocks that are whole models, each to a file of its own.
models() {
    need fyaml
    find "$source/README.md" "$source/docs" "$source/examples" -name '*.md' | LC_ALL=C sort >pages
    while read -r page; do
        awk -v stem="$(basename "$page" .md)" '
            /^```yaml/ { on = 1; text = ""; next }
            on && /^```/ { on = 0; if (text ~ /(^|\n)holonom: 1/) print text >(stem "-" ++n ".yaml"); next }
            on { text = text $0 "\n" }' "$page"
    done <pages
    number=0
    for model in ./*-[0-9]*.yaml; do
        number=$((number + 1))
        "$program" check --include-root "$source" "$model" >out 2>err || wrong "$model: $(head -n 3 err)"
    done
    [ $number -ge 8 ] || wrong "only $number models were found"
}
try models "every whole model of a page can run"
finish
