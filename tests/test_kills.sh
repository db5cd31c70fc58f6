#!/bin/sh
# Runs that are killed at random moments: what was written stays readable, what was there before stays.
#
# HOLONOM_KILLS in the environment says how many (default: 8; 100 take two minutes).
. "$(dirname "$0")/cli_harness.sh"

kills=${HOLONOM_KILLS:-8}

model() {
    cat <<'END'
holonom: 1
space: planar
gravity: [0, -9.81]
bodies:
  rod: {mass: 2.385, inertia: 0.173, position: [0.5, 0]}
joints:
  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}
measures:
  swing: {type: angle, body: rod}
simulation: {end: 400, output: 0.02, tolerance: 1e-9}
END
}

# The rows that the program reads from the file $1, checked against the whole run.
rows_of() {
    "$program" results "$1" time swing >read 2>said </dev/null || wrong "$1 of kill $i is refused: $(head -n 2 said)"
    head -n "$(wc -l <read)" whole.csv | cmp -s - read || wrong "$1 of kill $i holds other numbers"
    wc -l <read
}

# One kill, after a share of the time that a whole run takes, with older files in place.
kill_one() {
    cp old.csv p.csv
    cp old.h5 p.h5
    rm -f p.part.csv p.part.h5
    pause=$(awk -v i="$i" -v all="$seconds" 'BEGIN { srand(i + 11); printf "%.3f", rand() * all * 1.1 }')
    kill_after "$pause" "$program" run m.yaml -q -o p.csv -o p.h5
    for file in p.csv p.h5; do
        part=p.part.${file#p.}
        if cmp -s "$file" "old.${file#p.}"; then
            # the run had not ended: its records are beside the older file
            [ ! -e "$part" ] || case $("$program" results "$part" 2>&1 </dev/null) in
            *"no record yet"*) ;;
            *) [ "$(rows_of "$part")" -ge 1 ] || wrong "$part of kill $i holds nothing" ;;
            esac
        else
            same "$(rows_of "$file")" "$(wc -l <whole.csv)" "the rows of $file, which has its name"
        fi
    done
}

killed() {
    need fyaml hdf5 timeout
    model >m.yaml
    run 0 run m.yaml --end 1 -q -o old.csv -o old.h5
    start=$(date +%s.%N)
    run 0 run m.yaml -q -o whole.csv -o whole.h5
    seconds=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
    i=0
    while [ $i -lt "$kills" ]; do
        i=$((i + 1))
        kill_one
    done
    # and nothing stands in the way of the next run
    run 0 run m.yaml -q -o p.csv -o p.h5
    cmp -s p.csv whole.csv || wrong "the run after the kills differs"
    cmp -s p.h5 whole.h5 || wrong "the file after the kills differs"
    is_absent p.part.h5
    is_absent p.part.csv
}
try killed "$kills runs killed at random moments: what is written stays, what was there stays"

finish
