#!/bin/sh
# The tutorial as a newcomer does it: its files are written as printed, its commands run in their order in one shell; all succeed, and the
# files and answers that it promises are there. Reports in TAP.
#
# HOLONOM_PROGRAM is the program, HOLONOM_SOURCE the repository. Installing is tested elsewhere (the test `install`), so that its lines are
# left out here.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
source=${HOLONOM_SOURCE:?}
page=$source/docs/tutorial.md

# The blocks of one language, each with a line before it: yaml blocks become the file that the text before them names last.
script() {
    awk '
        /^```sh/ { in_sh = 1; next }
        /^```yaml/ { in_yaml = 1; print "cat >" file " <<\047END\047"; next }
        /^```/ { if (in_yaml) print "END"; in_sh = in_yaml = 0; next }
        in_yaml { print; next }
        in_sh && /^(\.\/dev|export|mkdir|cd) / { next }
        in_sh { print; next }
        match($0, /`[a-z]+\.yaml`/) { file = substr($0, RSTART + 1, RLENGTH - 2) }' "$page"
}

tutorial() {
    need fyaml
    need hdf5
    need web
    {
        echo 'set -e'
        # shellcheck disable=SC2016 # for the shell that runs the script
        echo 'holonom() { "$program" "$@"; }'
        script
    } >steps
    [ "$(grep -c '^holonom ' steps)" -ge 12 ] || wrong "there are only $(grep -c '^holonom ' steps) commands"
    program=$program sh ./steps >out 2>err || wrong "a command fails: $(tail -n 5 err)"
    for file in pendulum.h5 pendulum.html wiper.h5 wiper.html wiper.csv torque.svg fast.h5 torques.svg; do
        [ -s $file ] || wrong "$file is not there"
    done
    grep -qF "$(sed -n 's/^    \(mistake.yaml:.*\)$/\1/p' "$page")" err || wrong "the error reads: $(grep mistake err)"
    grep -v '^mistake.yaml' err | grep -E 'warning|error' && wrong "there are warnings"
    grep -q 'degrees of freedom *0' out || wrong "the wiper has not 0 degrees of freedom"
    return 0
}
try tutorial "the tutorial works as it is printed"
finish
