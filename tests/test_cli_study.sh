#!/bin/sh
# holonom study: what it prints and writes, one case by itself, studies that are killed again and again, that run out of disk, that
# several processes of an MPI job share, and that go on while somebody reads them.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# A study of the pendulum with N cases.
swings() {
    pendulum >p.yaml
    cat <<YAML
title: Swings
model: p.yaml
set: {tolerance: 1e-6}
factors:
  L: {mean: 0.8 m, deviation: 10 mm}
  lift: {from: 20 deg, to: 50 deg}
design: sobol
cases: $1
responses:
  last: end swing
  fastest: max spin
accept:
  slow: "fastest < 5.2"
YAML
}

answers() {
    need fyaml
    swings 40 >s.yaml
    run 0 study s.yaml -j 2 -o a.csv -o a.json
    has out "^design  *sobol"
    has out "^done  *40"
    has out "^ *slow  *0\.[0-9]"
    is_json a.json
    is_file s.cases
    same "$(wc -l <a.cases.csv)" 41 "lines of the cases"
    # a case by itself ends with the same digits
    run 0 study s.yaml --case 23 -q -o c.csv
    near "$(tail -n 1 c.csv | cut -d, -f2)" "$(sed -n 25p a.cases.csv | cut -d, -f4)" 0
    # and a run with its values by hand
    L=$(sed -n 25p a.cases.csv | cut -d, -f2) lift=$(sed -n 25p a.cases.csv | cut -d, -f3)
    run 0 run p.yaml --set "L=$L" --set "lift=$lift rad" --tol 1e-6 -q -o r.csv
    same "$(tail -n 1 r.csv | cut -d, -f2)" "$(tail -n 1 c.csv | cut -d, -f2)" "the end of a run"
    run 0 study s.yaml --dry-run
    has out "^40 cases, design sobol"
    has out "a case takes about"
    run 0 study --designs
    has out "latin-hypercube"
    run 2 study
    run 2 study s.yaml --case 40
    run 2 study s.yaml --case 1.5
    run 4 study nowhere.yaml
}
try answers "tables, files, one case by itself, a dry run"

# What a log holds is not run again, and is there for whoever looks; another study has a log of its own.
logs() {
    need fyaml
    swings 30 >s.yaml
    run 0 study s.yaml -j 1 -q -o a.csv
    before=$(cksum <s.cases)
    run 0 study s.yaml -q -o b.csv
    same "$(cksum <s.cases)" "$before" "the log"
    swings 50 >s.yaml
    run 0 study s.yaml -q -o more.csv
    same "$(head -n 31 more.cases.csv | cksum)" "$(cksum <a.cases.csv)" "the first cases of more"
    run 0 study s.yaml --so-far
    has out "^done  *50"
    sed 's/10 mm/20 mm/' s.yaml >other.yaml
    run 3 study other.yaml --log s.cases
    has err "another study"
    run 0 study other.yaml --log s.cases --fresh -q
    run 3 study other.yaml --log s.yaml --fresh
    has err "left as it is"
    run 3 study s.yaml --so-far --log other.yaml
    run 4 study s.yaml --so-far --log nowhere.cases
}
try logs "a log is gone on with, added to, read, and never mistaken"

# Killed ten times and more, the same bits.
kills() {
    need fyaml timeout
    swings 300 >s.yaml
    run 0 study s.yaml -j 2 -q -o a.csv --log whole.cases
    n=0
    while [ $n -lt 12 ]; do
        kill_after 0.1 "$program" study s.yaml -j 2 -q
        n=$((n + 1))
    done
    run 0 study s.yaml -j 2 -q -o b.csv
    cmp -s a.cases.csv b.cases.csv || wrong "the cases differ after kills"
}
try kills "a study that is killed twelve times has the same cases"

# Its processes killed one after another, and by threads: the same bits, and no process is left when the first one is killed.
processes() {
    need fyaml pgrep
    swings 3000 >s.yaml
    run 0 study s.yaml -j 2 --threads -q -o a.csv --log whole.cases
    "$program" study s.yaml -j 3 -q -o b.csv >out 2>err </dev/null &
    first=$!
    n=0
    while [ $n -lt 10 ] && kill -0 $first 2>/dev/null; do
        # shellcheck disable=SC2046 # numbers
        set -- $(pgrep -P $first)
        [ $# -eq 0 ] || { kill -KILL "$1" 2>/dev/null && n=$((n + 1)); }
        sleep 0.05
    done
    wait $first || wrong "exit code $? after $n kills: $(head -n 3 err)"
    [ $n -ge 3 ] || wrong "only $n processes were killed"
    cmp -s a.cases.csv b.cases.csv || wrong "the cases differ after processes were killed"
    "$program" study s.yaml -j 3 -q --fresh >out 2>err </dev/null &
    first=$!
    while [ ! -s s.cases ]; do sleep 0.02; done
    others=$(pgrep -P $first)
    kill -KILL $first
    wait $first 2>/dev/null
    n=0
    for other in $others; do
        while [ $n -lt 100 ] && grep -q "State:[[:space:]]*[RSD]" "/proc/$other/status" 2>/dev/null; do
            sleep 0.02
            n=$((n + 1))
        done
    done
    [ $n -lt 100 ] || wrong "a process outlives the first one"
    run 0 study s.yaml -q -o c.csv
    cmp -s a.cases.csv c.cases.csv || wrong "the cases differ after the first process was killed"
}
try processes "processes that are killed are replaced"

# While a study runs x.so-far.h5 is whole at any moment; at the end it is x.h5.
growing() {
    need fyaml hdf5 timeout
    swings 1000000 >s.yaml
    kill_after 3 "$program" study s.yaml -j 2 -q -o a.h5
    is_file a.so-far.h5
    [ ! -e a.h5 ] || wrong "a.h5 is there before the end"
    swings 300 >s.yaml
    run 0 study s.yaml -q -o a.h5
    is_file a.h5
    [ ! -e a.so-far.h5 ] || wrong "a.so-far.h5 is there after the end"
}
try growing "a file that can be read while the study runs"

# Motions of cases by number, of extremes and of failures, as results beside the table.
motions() {
    need fyaml hdf5
    swings 60 >s.yaml
    echo 'keep: {cases: [7, 7], extremes: [last], failures: 2}' >>s.yaml
    run 0 study s.yaml -q -o t.h5 -o t.csv
    # shellcheck disable=SC2046 # numbers
    set -- $(sed -n 's/^last,//p' t.extremes.csv | tr ',' ' ')
    same "$(ls t.case-*.h5 | wc -l)" 3 "motions"
    for k in 7 "$1" "$2"; do
        run 0 study s.yaml --case "$k" -q -o m.h5
        cmp -s m.h5 "t.case-$k.h5" || wrong "case $k by itself has another motion"
    done
    sed 's/lift: {from/end: [0.1, 0.2, 1e9]\n  lift: {from/; s/^design.*/design: random/; s/^cases:.*/cases: 3/; s/^keep.*/keep: {failures: 2}/' s.yaml >f.yaml
    echo 'limits: {steps: 1000}' >>f.yaml
    run 0 study f.yaml -q -o f.csv
    k=$(sed -n 2p f.failures.csv | sed 's/.*,//')
    is_file "f.case-$k.h5"
}
try motions "motions of chosen cases are kept"

# A disk that is full keeps what was written, says so, and the study goes on when there is room.
full() {
    need fyaml
    swings 400 >s.yaml
    got=0
    (ulimit -f 8 && trap '' XFSZ && exec "$program" study s.yaml -j 1 -q) >out 2>err </dev/null || got=$?
    [ $got -eq 4 ] || wrong "exit code $got with a full disk: $(head -n 2 err)"
    has err "s.cases: error: cannot write the log"
    run 0 study s.yaml --so-far
    lacks out "^done  *400$"
    run 0 study s.yaml -q -o b.csv
    run 0 study s.yaml -j 1 -q -o a.csv --log other.cases
    cmp -s a.cases.csv b.cases.csv || wrong "the cases differ after a full disk"
}
try full "a full disk ends a study with what it has"

# The ranks of an MPI job share the cases; one that is killed ends the job, and the next goes on.
ranks() {
    need fyaml mpi mpirun timeout
    swings 150 >s.yaml
    job() {
        count=$1
        shift
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 100 \
            mpirun --oversubscribe -n "$count" "$program" study s.yaml -j 1 -q "$@" >out 2>err </dev/null
    }
    job 1 -o probe.csv --log probe.cases || { echo "# mpirun does not run here: $(head -n 3 err)"; exit 77; }
    run 0 study s.yaml -j 1 -q -o a.csv --log whole.cases
    for n in 2 3 7; do
        job $n -o b.csv --fresh || wrong "$n ranks: $(head -n 3 err)"
        cmp -s a.cases.csv b.cases.csv || wrong "the cases of $n ranks differ"
    done
    # begun anew, and one rank killed by the first case that it finds done
    rm -f s.cases*
    job 3 -o b.csv &
    starter=$!
    tries=0
    while [ $tries -lt 100 ] && [ ! -s s.cases.2 ]; do sleep 0.05; tries=$((tries + 1)); done
    pkill -KILL -f "study s.yaml -j 1 -q -o b.csv" -P "$(pgrep -P $starter -n 2>/dev/null || echo 0)" 2>/dev/null
    wait $starter
    job 2 -o b.csv || wrong "after a kill: $(head -n 3 err)"
    cmp -s a.cases.csv b.cases.csv || wrong "the cases differ after a rank was killed"
}
try ranks "processes of an MPI job share a study"

# The page shows what its example gives.
page() {
    need fyaml
    run 0 study "$HOLONOM_SOURCE/examples/study/tolerances.yaml" --log e.cases
    for factor in L1 L2 L3 L4 mass; do
        # shellcheck disable=SC2046 # numbers
        set -- $(grep -m 1 "^ *$factor  " out) $(grep -m 1 "^      *$factor  " "$HOLONOM_SOURCE/docs/study.md")
        near "$2" "$7" 1e-6
        near "$4" "$9" 1e-6
    done
}
try page "the page of studies has the figures of its example"

finish
