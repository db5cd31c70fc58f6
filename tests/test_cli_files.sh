#!/bin/sh
# What commands write beside each other and beside what they read: no file of one command line takes the place of another, what
# a run within a study says is heard, and names from a stranger's model stay words in every kind of file.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# A pendulum and a study of it.
prepare() {
    need fyaml
    pendulum | sed 's/^simulation:.*/simulation: {end: 0.05, output: 0.01}/' >m.yaml
    cat >s.yaml <<'END'
model: m.yaml
factors: {L: {from: 0.7 m, to: 0.8 m}}
design: random
cases: 4
responses: {last: end swing}
END
}

# Every pair of options of a command that name files.
pairs() {
    prepare
    run 0 run m.yaml -q -o r.csv
    while read -r one two words; do
        rm -f both.csv
        # shellcheck disable=SC2086 # the words of the command
        run 2 $words --$one both.csv --$two ./both.csv
        has err "error: --$one and --$two name the same file, './both.csv'; name another one\$"
        is_absent both.csv
        : >both.csv
        # shellcheck disable=SC2086
        run 2 $words --$one both.csv --$two "$PWD/both.csv"
        has err "error: --$one and --$two name the same file"
        [ ! -s both.csv ] || wrong "holonom $words wrote into a file that it names twice"
    done <<'END'
log output study s.yaml
output plot compare m.yaml -m lagrange
reference output compare m.yaml -m lagrange
reference plot compare m.yaml -m lagrange
motion output kinematics m.yaml
modes output linearize m.yaml
motion output assemble m.yaml
data output identify m.yaml --fit swing --vary L=0.6:0.9
module output fmu m.yaml
END
    # both.csv is a name, and so is both.csv in another folder
    mkdir sub
    run 0 compare m.yaml -m lagrange --output both.csv --plot sub/both.svg -q
}
try pairs "no two options of a command name one file"

# Files whose names a command makes of others.
derived() {
    prepare
    run 0 study s.yaml --log kept.cases.csv -q
    cp kept.cases.csv before
    run 2 study s.yaml --log kept.cases.csv -o kept.csv -q
    has err "'kept.cases.csv' would overwrite 'kept.cases.csv', which is read here; name another file\$"
    run 2 study s.yaml --log kept.cases.csv --so-far -o kept.csv -q
    has err "would overwrite 'kept.cases.csv'"
    cmp -s kept.cases.csv before || wrong "an answer took the place of the log"
    run 0 study s.yaml --log kept.cases.csv -q
    run 2 linearize m.yaml --modes v.csv -o v-1.csv
    has err "a mode would overwrite 'v-1.csv'; give --modes another name\$"
    need hdf5
    run 0 linearize m.yaml --modes v.h5 -q
    cp v-1.h5 before
    run 2 linearize v-1.h5 --modes v.h5
    has err "a mode would overwrite 'v-1.h5'"
    cmp -s v-1.h5 before || wrong "a mode took the place of the result that it is of"
}
try derived "names that are made of others meet no input"

# A case that is run by itself: what it has to say, and what it reads.
said() {
    prepare
    printf 'x,y\n0,1\n1,2\n' >data.csv
    printf 'tables:\n  f: {file: data.csv}\n' >>m.yaml
    cp data.csv before
    run 2 study s.yaml --case 1 -o data.csv -q
    has err "'data.csv' would overwrite 'data.csv', which is read here"
    cmp -s data.csv before || wrong "the results of a case took the place of a table"
    sed -i 's/end: 0.05/end: 5, max_steps: 2/' m.yaml
    run 1 study s.yaml --case 1 -o c.csv -q
    has err 'error: .*2 steps made, as many as max_steps allows'
    run 1 study s.yaml --case 1 -o c.csv --json
    has out 'as many as max_steps allows'
    sed -i 's/, max_steps: 2//' m.yaml
    run 4 study s.yaml --case 1 -o nowhere/c.csv -q
    has err "cannot write 'nowhere/c.csv': No such file or directory"
    sed -i '/^gravity/d' m.yaml
    run 0 study s.yaml --case 1 -o c.csv -q
    has err 'warning: there is no gravity'
}
try said "a case that is run by itself says what a run says"

escape=$(printf '\033')

# Names with everything that files have signs for: ends of lines, quotes, markup, commands of TeX and of terminals.
names() {
    need fyaml
    cat >m.yaml <<'END'
holonom: 1
name: "</script><b>\e[31m\u202Ex\n\\input{secret}\r&<"
space: planar
gravity: [0, 0, -9.81]
parameters: {L: 0.7 m}
bodies:
  "rod</b>\e[31m=1\\x{}_^%$#&<\"'\x07": {mass: 1.2, inertia: 0.1, along: [[0, 0], [L, 0]]}
joints:
  "A\n\\input{secret}\e]0;x\x07": {type: revolute, bodies: [ground, "rod</b>\e[31m=1\\x{}_^%$#&<\"'\x07"], at: [0, 0]}
measures:
  "m\n\\input{secret}\e": {type: angle, body: "rod</b>\e[31m=1\\x{}_^%$#&<\"'\x07"}
simulation: {end: 0.05}
END
    sed -i 's/^gravity.*/gravity: [0, -9.81]/' m.yaml
    for question in linearize statics equations 'equations --symbolic' "sensitivity -p L"; do
        set -- $question
        command=$1
        shift
        for kind in txt tex html; do
            run 0 "$command" m.yaml "$@" -o "a.$kind" -q
            ! grep -q "$escape" "a.$kind" || wrong "$question -o a.$kind holds a raw escape"
        done
        ! grep -q '^\\input' a.tex || wrong "$question -o a.tex: a line that is a command: $(grep '^\\input' a.tex)"
        has a.tex '\\input{secret}'
        has a.txt '\\x1b\[31m'
        ! grep -q '</b>\|<b>' a.html || wrong "$question -o a.html holds markup from a name"
    done
    for file in m.svg m.urdf m.xml; do
        case $file in
        *.svg) run 0 view m.yaml --names -o $file -q ;;
        *) run 0 export m.yaml --partial -o $file -q ;;
        esac
        xml_is_whole $file
    done
}

# Whether a file is XML, for a reader that is not ours; nothing where there is none.
xml_is_whole() {
    ! grep -q "$escape" "$1" || wrong "$1 holds a raw escape"
    command -v /usr/bin/python3 >/dev/null || return 0
    /usr/bin/python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" 2>said ||
        wrong "$1 is no XML: $(tail -n 1 said)"
}
try names "names stay words in text, TeX, pages, pictures and robot descriptions"

# A folder that was made for frames that could not be written goes again.
frames() {
    prepare
    need hdf5
    run 0 run m.yaml -q -o r.h5
    (
        ulimit -f 0
        trap '' XFSZ
        "$program" animate r.h5 -o frames --svg >/dev/null 2>&1 </dev/null
    )
    is_absent frames
    mkdir own
    (
        ulimit -f 0
        trap '' XFSZ
        "$program" animate r.h5 -o own --svg >/dev/null 2>&1 </dev/null
    )
    [ -d own ] || wrong "a folder of the user was taken away"
}
try frames "no empty folder is left behind"

finish
