#!/bin/sh
# Units of results from end to end: the key `unit` of measures, `units` of the file, --units, and files read back.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# A pendulum with measures of several kinds; $1: further lines.
machine() {
    pendulum | sed 's/^measures:/measures:\n  tip: {type: position, body: rod, at: [L*cos(lift), L*sin(lift)]}/'
    printf '%s\n' "${1-}"
}

# The last value of column $2 of the CSV file $1, by the name that stands before its unit.
last() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { split($i, part, " "); if (part[1] == name) k = i } }
        END { print $k }' "$1"
}

# Each number of the first file is that of the second times its factor, to the rounding of both.
converted() {
    for pair in "$@"; do
        name=${pair%%=*}
        near "$(last units.csv "$name")" "$(awk -v a="$(last si.csv "$name")" -v f="${pair#*=}" 'BEGIN { printf "%.17g", a * f }')" 1e-14
    done
}

in_file() {
    need fyaml
    machine >si.yaml
    machine 'units: {angle: deg, length: mm, time: ms, angular_speed: rpm}' >units.yaml
    run 0 run si.yaml -o si.csv -q
    run 0 run units.yaml -o units.csv
    has out 'end  *t = 1500 ms, '
    has out '^at t = 1500 ms;'
    has out '^  swing .* deg  '
    has out '^  tip.x .* mm  '
    same "$(head -n 1 units.csv)" 'time [ms],tip.x [mm],tip.y [mm],swing [deg],spin [rpm]' "the header"
    converted time=1e3 tip.x=1e3 tip.y=1e3 swing=57.295779513082323 spin=9.5492965855137211
    run 0 run si.yaml --units angle=deg,length=mm,time=ms,angular_speed=rpm -o flag.csv -q
    cmp -s flag.csv units.csv || wrong "--units and units differ"
    run 0 run units.yaml --units '' -o none.csv -q
    cmp -s none.csv si.csv || wrong "--units '' does not bring SI units back"
    run 0 run si.yaml --set 'units=length=mm' -o set.csv -q
    has set.csv 'tip.x \[mm\],tip.y \[mm\],swing \[rad\]'
}
try in_file "units of the file and of the command line, in the summary and in CSV files"

in_json() {
    need fyaml
    machine 'units: [deg, mm]' >u.yaml
    machine >si.yaml
    run 0 run si.yaml -o none --json
    si=$(sed -n 's/^    "swing": \([^,]*\),*$/\1/p' out)
    run 0 run u.yaml -o none --json
    is_json out
    near "$(sed -n 's/^    "swing": \([^,]*\),*$/\1/p' out)" "$(awk -v a="$si" 'BEGIN { printf "%.17g", a * 57.295779513082323 }')" 1e-14
    list out final_units >units
    same "$(tr '\n' ' ' <units)" 'mm mm deg deg/s ' "the units"
}
try in_json "units in JSON"

of_measures() {
    need fyaml
    pendulum | sed -e 's/{type: angle, body: rod}/{type: angle, body: rod, unit: deg}/' \
        -e '/^simulation/i \  twice: {type: expression, value: swing + swing, unit: deg}\n  plain: {type: expression, value: swing}' >u.yaml
    pendulum >si.yaml
    run 0 run si.yaml -o si.csv -q
    run 0 run u.yaml --units length=mm -o units.csv
    has out '^  swing .* deg  '
    same "$(head -n 1 units.csv)" 'time [s],swing [deg],spin [rad/s],twice [deg],plain [rad]' "the header"
    converted swing=57.295779513082323 spin=1
    # in expressions of the model the measure is in radians
    near "$(last units.csv twice)" "$(awk -v a="$(last si.csv swing)" 'BEGIN { printf "%.17g", 2 * a * 57.295779513082323 }')" 1e-14
    near "$(last units.csv plain)" "$(last si.csv swing)" 1e-15
    for unit in 'degs=unknown unit .degs.; did you mean .deg.' "mm='mm' is not a unit of 'swing', which is in rad"; do
        pendulum | sed "s/{type: angle, body: rod}/{type: angle, body: rod, unit: ${unit%%=*}}/" >bad.yaml
        run 3 check bad.yaml
        has err "bad.yaml:13:41: error: measure 'swing': ${unit#*=}"
    done
    pendulum | sed '/^simulation/i \  d: {type: expression, value: swing, unit: mm}' >bad.yaml
    run 3 check bad.yaml
    has err "measure 'd': 'mm' is not a unit of 'swing', which is in rad"
}
try of_measures "the key unit of measures converts; wrong ones are errors"

refused() {
    need fyaml
    machine 'units: {angle: mm}' >bad.yaml
    run 3 run bad.yaml -o none
    has err "bad.yaml:17:9: error: units: 'mm' is not a unit of angle; expected one like rad"
    machine 'units: {angel: deg}' >bad.yaml
    run 3 check bad.yaml
    has err "'angel' is not a kind of quantity; did you mean 'angle'?"
    machine >si.yaml
    run 3 run si.yaml --units angle=degg -o none
    has err "unknown unit 'degg'"
}
try refused "units that cannot be are errors with their place"

read_back() {
    need fyaml
    need hdf5
    machine >si.yaml
    machine 'units: {angle: deg, length: mm, time: ms, energy: kJ}' >u.yaml
    run 0 run si.yaml -o si.h5 -q
    run 0 run u.yaml -o u.h5 -o u.csv -q
    run 0 results u.h5
    has out 't = 0 to 1500 ms$'
    has out '^  swing \[deg\]'
    has out '^  energy.kinetic \[kJ\]'
    for file in u.h5 u.csv; do
        run 0 results --units '' $file time tip.x swing
        cp out units.csv
        run 0 results si.h5 time tip.x swing
        cp out si.csv
        same "$(head -n 1 units.csv)" "$(head -n 1 si.csv)" "the header"
        converted time=1 tip.x=1 swing=1
    done
    # the reference is brought to SI units before anything is compared
    run 0 compare si.yaml --methods lagrange --integrator rk4 --step 0.03 --reference si.h5 --json
    cp out a
    for file in u.h5 u.csv; do
        run 0 compare si.yaml --methods lagrange --integrator rk4 --step 0.03 --reference $file --json
        near "$(sed -n 's/.*"error": \([^,]*\),*$/\1/p' out | head -n 1)" "$(sed -n 's/.*"error": \([^,]*\),*$/\1/p' a | head -n 1)" 1e-3
    done
    # a column of another quantity is not compared
    sed '1s/swing \[deg\]/swing [s]/' u.csv >other.csv
    run 0 compare si.yaml --methods lagrange --integrator rk4 --step 0.03 --reference other.csv
    has err "the column 'swing' of the reference is in s, but the measure is in rad; it is left out"
    # two files in one chart are drawn over each other
    run 0 plot si.h5 u.h5 swing -o a.svg
    has a.svg 'swing \[rad\]'
    has a.svg 'time \[s\]'
    same "$(sed -n 's/.*points="\([^"]*\)".*/\1/p' a.svg | awk 'length > 500' | sort -u | wc -l | tr -d ' ')" 1 "the curves"
    run 0 plot u.h5 swing --units angle=rev -o b.svg
    has b.svg 'swing \[rev\]'
    # expressions of columns are in SI units, whatever the file shows
    run 0 plot si.h5 u.h5 'swing - 10 deg' -o c.svg
    same "$(sed -n 's/.*points="\([^"]*\)".*/\1/p' c.svg | awk 'length > 500' | sort -u | wc -l | tr -d ' ')" 1 "the curves"
}
try read_back "results in other units are read back, compared and drawn in one chart"

shown() {
    need web
    need fyaml
    need hdf5
    machine 'units: {angle: deg, length: mm, time: ms}' >u.yaml
    machine >si.yaml
    run 0 run si.yaml -o si.h5 -q
    run 0 run u.yaml -o u.h5 -q
    run 0 report u.h5 -o u.html -q
    has u.html '"timeUnit":{"name":"ms","factor":1000}'
    has u.html '"name":"tip.x","unit":"mm",.*"si":0.001'
    run 0 report si.h5 u.h5 -o both.html -q
    lacks both.html '"unit":"mm"'
    run 0 animate u.h5 -o there --svg --rate 4 -q
    has there/frame_00000.svg 't = 0.000 ms'
    run 0 animate u.h5 --strobe 0.5 -o poses.svg -q
    has poses.svg 't = 0 ms to 1500 ms'
}
# Questions show a measure in the unit that it asks for, in every table of theirs.
asked() {
    need fyaml
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, -9.81]' 'parameters: {m: 1.2}' 'bodies:' \
        '  rod: {mass: m, inertia: 0.1, along: [[0, 0], [1, 0]]}' 'joints:' \
        '  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}' '  drive: {type: motor, joint: A, speed: -2}' 'forces:' \
        '  load: {type: force, body: rod, at: [1, 0], force: [0, -m]}' 'measures:' \
        '  turn: {type: joint_coordinate, joint: A, unit: deg}' '  tip: {type: position, body: rod, at: [1, 0], unit: cm}' \
        'simulation: {end: 1, output: 0.5}' >asked.yaml
    run 0 kinematics asked.yaml -o k.csv -q
    has k.motion.csv 'turn \[deg\],tip.x \[cm\],tip.y \[cm\]'
    has k.motion.csv '^1,-114.591559'
    sed '/drive:/d' asked.yaml >free.yaml
    run 0 sensitivity free.yaml --points 2 -o s.csv -q
    has s.history.csv 'turn \[deg\]'
    has s.history.csv 'd(tip.x)/d(m) \[cm\]'
    run 0 statics free.yaml --vary m=1:2 -o v.csv -q
    has v.curve.csv 'turn \[deg\],tip.x \[cm\]'
}
try asked "tables of questions show measures in the unit that they ask for"

try shown "pages and pictures show the units of the result"

finish
