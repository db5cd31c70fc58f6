#!/bin/sh
# The machines of examples/machines as their pages show them: the commands of a page run in their order in one shell and print, to the
# last digit, what stands below them; lines of the model on the page are lines of the model; the figures that the text quotes in bold
# were printed; the commands make the pictures. Reports in TAP.
#
# HOLONOM_PROGRAM is the program, HOLONOM_SOURCE the repository.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
source=${HOLONOM_SOURCE:?}
machines=$source/examples/machines
export LC_ALL=C

# The blocks of a page as files: the commands N.sh, what is printed below them N.text, and all lines of models in yaml.
blocks() {
    awk '
        /^```sh/ { n++; file = "blocks/" n ".sh"; next }
        /^```text/ { file = "blocks/" n ".text"; next }
        /^```yaml/ { file = "blocks/yaml"; next }
        /^```/ { file = ""; next }
        file != "" { print > file }' "$1"
}

# Every line of a model on the page stands in the model, apart from its indentation.
has_lines() {
    sed 's/^ *//' "$1" >model_lines
    sed 's/^ *//' blocks/yaml | while IFS= read -r line; do
        grep -qxF -e "$line" model_lines || wrong "not in the model: $line"
    done
}

# What the commands print is what stands below them.
same_answers() {
    for answer in blocks/*.text; do
        cmp -s "$answer" "${answer%.text}.out" ||
            wrong "the page prints: $(cat "$answer")" "the program: $(cat "${answer%.text}.out")"
    done
}

# The numbers in bold are among those printed, rounded to their decimals and without signs.
quotes_answers() {
    cat blocks/*.text | tr ' ,:' '[\n*]' | sed -n 's/^-\{0,1\}\([0-9.][0-9.]*\)$/\1/p' >printed
    sed 's/\*\*/\n/g' "$1" | grep -xE '[0-9.]+' | while IFS= read -r figure; do
        awk -v figure="$figure" 'BEGIN { decimals = index(figure, ".") ? length(figure) - index(figure, ".") : 0 }
            sprintf("%.*f", decimals, $1) == figure { found = 1 } END { exit !found }' printed ||
            wrong "$figure is not among the answers"
    done
}

# The pictures on the page are in the repository, are small, and are made by the commands.
has_pictures() {
    sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$1" >pictures
    [ -s pictures ] || wrong "the page has no picture"
    while IFS= read -r picture; do
        [ -s "$picture" ] || wrong "no command makes $picture"
        [ -s "$machines/$picture" ] || wrong "$picture is not in the repository"
        [ "$(wc -c <"$machines/$picture")" -lt 150000 ] || wrong "$picture is larger than 150 kB"
    done <pictures
}

# The page of a machine.
machine() {
    need fyaml hdf5 awk sed
    cp "$machines"/*.yaml "$machines"/*.csv .
    mkdir blocks images
    blocks "$machines/$name.md"
    [ -s blocks/2.sh ] || wrong "there are no commands"
    [ -s blocks/1.text ] || [ -s blocks/2.text ] || wrong "there are no answers"
    {
        echo 'set -e'
        # shellcheck disable=SC2016 # for the shell that runs the script
        echo 'holonom() { "$program" "$@"; }'
        n=1
        while [ -s blocks/$n.sh ]; do
            echo "{"
            cat blocks/$n.sh
            echo "} >blocks/$n.out"
            n=$((n + 1))
        done
    } >steps
    program=$program sh ./steps 2>err || wrong "a command fails: $(tail -n 5 err)"
    is_empty err
    has_lines "$name.yaml"
    same_answers
    quotes_answers "$machines/$name.md"
    has_pictures "$machines/$name.md"
    return 0
}

for page in "$machines"/[a-z]*.md; do
    name=$(basename "$page" .md)
    try machine "the page of $name"
    grep -qF "($name.md)" "$machines/README.md" || { failed=$((failed + 1)) && echo "# README.md has no link to $name.md"; }
done
finish
