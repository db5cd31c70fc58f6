#!/bin/sh
# Every kernel, basis, state, stabilizer and correction that `holonom methods` lists, and every set of coordinates that a run can be
# asked for, has its theory page, named as the part is; the page says when to use it and when not; its commands run.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

source=${HOLONOM_SOURCE:?names the folder of the repository}
theory=$source/docs/theory

# The names of the parts of kind $1, but `none`, one a line.
names_of() {
    "$program" methods --json | awk -v kind="$1" -F'"' '
        $2 == "part" { wanted = $4 == kind }
        $2 == "name" && wanted && $4 != "none" { print $4; wanted = 0 }'
}

# Every part of kind $1 has a page in the folder $2 of docs/theory, every page there is that of a part, and the overview $3 (if any)
# leads to each of them.
check_kind() {
    names_of "$1" >names
    [ "$(wc -l <names)" -ge 4 ] || wrong "there are only $(wc -l <names) of the kind $1"
    while read -r name; do
        page=$theory/$2$name.md
        if [ ! -s "$page" ]; then
            wrong "the $1 '$name' has no page docs/theory/$2$name.md"
            continue
        fi
        grep -q '\*\*When\.\*\*' "$page" || wrong "$2$name.md does not say when to use it"
        grep -q '\*\*When not\.\*\*' "$page" || wrong "$2$name.md does not say when not to use it"
        grep -q '`src/' "$page" || wrong "$2$name.md does not name its source file"
        grep -q '^    ' "$page" || wrong "$2$name.md has no equations"
        [ -n "${3-}" ] || continue
        head -n 1 "$page" | grep -qF "\`$name\`" || wrong "$2$name.md opens with: $(head -n 1 "$page")"
        grep -qF "($2$name.md)" "$theory/$3" || wrong "$3 does not lead to $2$name.md"
    done <names
    [ -n "${3-}" ] || return 0
    for page in "$theory/$2"*.md; do
        grep -qxF "$(basename "$page" .md)" names || wrong "docs/theory/$2$(basename "$page") belongs to no $1"
    done
}

kernels() { check_kind kernel ""; }
bases() { check_kind basis bases/ bases.md; }
states() { check_kind state states/ states.md; }
stabilizers() { check_kind stabilizer stabilizers/ stabilizers.md; }
corrections() { check_kind correction corrections/ corrections.md; }
try kernels "every kernel has a page"
try bases "every basis has a page, and the overview leads to it"
try states "every state has a page, and the overview leads to it"
try stabilizers "every stabilizer has a page, and the overview leads to it"
try corrections "every correction has a page, and the overview leads to it"

# The values of the option `coordinates`, but `auto` and `cheapest`, which choose: reference, natural, relative. The names in the list of methods are these, or
# those of the reference-point coordinates, with the space they are for.
coordinates() {
    "$program" options --json | awk -F'"' '
        $2 == "name" { wanted = $4 == "coordinates"; inside = 0 }
        wanted && $2 == "choices" { inside = 1; next }
        wanted && inside && /\]/ { exit }
        wanted && inside && $2 != "auto" && $2 != "cheapest" { print $2 }' >families
    [ "$(wc -l <families)" -ge 3 ] || wrong "the option coordinates has only: $(tr '\n' ' ' <families)"
    while read -r name; do
        [ -s "$theory/$name.md" ] || wrong "$name coordinates have no page docs/theory/$name.md"
        grep -q "coordinates: $name" "$theory/$name.md" || wrong "$name.md does not say how to choose them"
    done <families
    names_of coordinates | while read -r name; do
        grep -qxF "${name%-*}" families || grep -qF "\`$name\`" "$theory/reference.md" || wrong "no page is for the coordinates '$name'"
    done
}
try coordinates "every set of coordinates has a page"

# The commands of the pages of parts: indented lines that begin with the name of the program, some of them continued on the
# next line; shell variables are set above them.
commands() {
    need fyaml
    ln -s "$source/models" models
    # integrators that the build has not
    unbuilt=
    built sundials || unbuilt='/--integrator \(adams\|bdf\|ida\) /d'
    for page in "$theory"/bases.md "$theory"/*/*.md "$theory"/reference.md; do
        grep -q '^    holonom ' "$page" || wrong "$(basename "$page") has no command"
        {
            # pages show methods that end beyond their tolerances: exit code 8
            # shellcheck disable=SC2016 # for the shell that runs the script
            echo 'holonom() { "$program" "$@" --quiet >>said 2>&1 || [ $? -eq 8 ] || echo "$*: $(tail -n 3 said)" >>failed; }'
            sed -e ':join' -e '/\\$/{N; s/\\\n */ /; b join' -e '}' "$page" |
                sed -n -e 's/^    \([a-z]*=[^ ]*\)$/\1/p' -e 's/^    \(holonom .*\)$/\1/p' | sed '/^holonom run/s/$/ --output out.csv/' |
                sed "$unbuilt"
        } >script
        program=$program sh ./script
        [ ! -s failed ] || wrong "$(basename "$page"): $(cat failed)"
        rm -f failed said
    done
}
try commands "the commands of the pages run"

finish
