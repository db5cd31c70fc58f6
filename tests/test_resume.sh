#!/bin/sh
# `holonom run --checkpoint` and `holonom resume`: runs that are killed at random or interrupted end in the same bits as
# one that was never stopped; another model, another program and damaged files are refused.
#
# HOLONOM_RESUME_END in the environment makes the killed run longer (./dev soak: a million steps).
. "$(dirname "$0")/cli_harness.sh"

kills=${HOLONOM_KILLS:-10}
end=${HOLONOM_RESUME_END:-600}

# A double pendulum with a spring, whose motion magnifies every bit; the step is fixed, 1 ms for a million steps in 1000 s.
model() {
    cat <<'END'
holonom: 1
space: planar
gravity: [0, -9.81]
bodies:
  upper: {mass: 2.385, inertia: 0.173, along: [[0, 0], [0.83, 0.1]]}
  lower: {mass: 1.27, inertia: 0.0715, along: [[0.83, 0.1], [1.5, 0.4]]}
joints:
  pivot: {type: revolute, bodies: [ground, upper], at: [0, 0]}
  elbow: {type: revolute, bodies: [upper, lower], at: [0.83, 0.1]}
forces:
  spring: {type: spring, bodies: [ground, lower], from: [1.9, 0.3], to: [1.5, 0.4], stiffness: 31.7, damping: 0.02}
measures:
  swing: {type: angle, body: upper}
  bend: {type: angle, body: lower}
  pin: {type: reaction, joint: pivot}
END
    printf 'simulation: {end: %s, output: %s, step: 1e-2}\n' "$end" 0.2
}

# The summary without what the clock and the names of files say; notes and diagnostics have how long a run of more than two seconds will take.
figures() {
    awk '/"(notes|diagnostics)": \[/ { skip = 1 } !skip { print } /^  \],?$/ { skip = 0 }' "$1" | grep -v -e '"wall_time"' -e '\.csv"' -e '\.h5"' -e '"file"'
}

# The two results, and what was said of the run, are those of the whole run.
check_ended() {
    cmp -s "$1.csv" whole.csv || wrong "$1.csv is not that of the whole run"
    cmp -s "$1.h5" whole.h5 || wrong "$1.h5 is not that of the whole run"
    cmp -s "$1.extremes.csv" whole.extremes.csv || wrong "the extremes of $1 are not those of the whole run"
    figures whole.json >wanted
    figures out >got
    cmp -s wanted got || wrong "the summary differs: $(diff wanted got | head -n 5)"
    is_absent "$1.checkpoint"
    is_absent "$1.part.h5"
    is_absent "$1.part.csv"
    is_absent "$1.resumed.part.h5"
}

whole() {
    model >m.yaml
    start=$(date +%s.%N)
    run 0 run m.yaml --json -o whole.csv -o whole.h5
    seconds=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
    mv out whole.json
}

# A share of the time of a whole run, other for each number.
moment() {
    awk -v i="$1" -v all="$seconds" -v n="$kills" 'BEGIN { srand(i + 17); printf "%.3f", 0.05 + rand() * all * 1.6 / n }'
}

killed() {
    need fyaml hdf5 timeout
    whole
    kill_after "$(moment 0)" "$program" run m.yaml -q -o p.csv -o p.h5 --checkpoint 0.05s
    i=0
    while [ $i -lt "$kills" ]; do
        i=$((i + 1))
        [ -e p.checkpoint ] || break
        kill_after "$(moment $i)" "$program" resume p.h5 -q
        lacks err 'error'
    done
    [ -e p.checkpoint ] || [ -e p.h5 ] || run 0 run m.yaml -q -o p.csv -o p.h5 --checkpoint 0.05s
    if [ -e p.checkpoint ]; then
        run 0 resume p.h5 --json
        check_ended p
    else
        cmp -s p.csv whole.csv || wrong "p.csv is not that of the whole run"
        cmp -s p.h5 whole.h5 || wrong "p.h5 is not that of the whole run"
    fi
    echo "# killed $i times"
}
try killed "killed up to $kills times at random moments and resumed: the same bits"

# Interrupted by the signal $1: a checkpoint is written, and the words to go on with are said.
interrupted() {
    need fyaml hdf5 timeout
    end=12000
    model >m.yaml
    got=0
    timeout --preserve-status -k 20 -s TERM 0.4 "$program" run m.yaml -q -o 'p q.h5' -o p.csv >out 2>err </dev/null || got=$?
    same $got 143 "the exit code"
    has err "^warning: interrupted at t = .*; go on with: holonom resume 'p q.h5'\$"
    is_file 'p q.checkpoint'
    # twice: the results are now in files that are not whole, beside older ones
    timeout --preserve-status -k 20 -s TERM 0.4 "$program" resume 'p q.h5' -q >out 2>err </dev/null || got=$?
    same $got 143 "the exit code"
    has err 'go on with: holonom resume'
    is_file 'p q.part.h5'
    run 0 resume 'p q.part.h5' --json
    mv out got.json
    run 0 run m.yaml --json -o whole.h5 -o whole.csv
    cmp -s 'p q.h5' whole.h5 || wrong "the result is not that of the whole run"
    cmp -s p.csv whole.csv || wrong "the samples are not those of the whole run"
    mv out whole.json
    figures whole.json >wanted
    figures got.json >got
    cmp -s wanted got || wrong "the summary differs: $(diff wanted got | head -n 5)"
    is_absent 'p q.checkpoint'
    is_absent 'p q.part.h5'
}
try interrupted "interrupted twice by SIGTERM and resumed: the same bits"

# A run with a checkpoint that was stopped by a limit of the clock.
stop_run() {
    end=60000
    model >m.yaml
    kill_after 0.7 "$program" run m.yaml -q -o p.csv --checkpoint 0.1s
    is_file p.checkpoint
}

refused() {
    need fyaml timeout
    stop_run
    cp p.part.csv part.csv
    cp p.checkpoint kept
    sed -i 's/stiffness: 31.7/stiffness: 31.8/' m.yaml
    run 3 resume p.csv
    has err "p.checkpoint: error: the checkpoint is of the model .* has changed since.*run it again from the start"
    model >m.yaml
    sed -i 's/step: 1e-2/step: 2e-2/' m.yaml
    run 3 resume p.csv --json
    has err 'a run with step: 0.01, and this one has 0.02'
    is_json out
    model >m.yaml
    # damaged, of another program, cut
    printf 'x' | dd of=p.checkpoint bs=1 seek=300 conv=notrunc 2>/dev/null
    run 4 resume p.csv
    has err "cannot read 'p.checkpoint': it is damaged"
    head -c 200 kept >p.checkpoint
    run 4 resume p.csv
    has err "it is damaged: it is not as long as it says"
    sed 's/^holonom checkpoint 1/holonom checkpoint 7/' kept >p.checkpoint
    run 4 resume p.csv
    has err 'written by another version of holonom'
    rm p.checkpoint
    run 4 resume p.csv
    has err "there is no checkpoint 'p.checkpoint'"
    # nothing of all that has changed the records; elsewhere, and with the model moved, it goes on
    cp kept p.checkpoint
    cmp -s p.part.csv part.csv || wrong "a refusal has changed the records"
    mkdir away
    mv m.yaml away/model.yaml
    run 4 resume p.csv
    (cd away && run 0 resume ../p.csv --model model.yaml -q && is_empty err)
    run 0 run away/model.yaml -q -o whole.csv
    cmp -s p.csv whole.csv || wrong "p.csv is not that of the whole run"
}
try refused "another model, another program and damage are refused, and change nothing"

# While the run is still there, nobody goes on with it.
running() {
    need fyaml
    end=200000
    model >m.yaml
    "$program" run m.yaml -q -o p.csv --checkpoint 0.05s >out1 2>err1 </dev/null &
    pid=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -e p.checkpoint ] || sleep 0.2
    done
    run 4 resume p.csv
    has err "process $pid is writing it"
    kill -TERM $pid
    wait $pid || same $? 143 "the exit code of the run"
}
try running "a run that goes on is not resumed"

# A disk that is full: the older checkpoint stays, the run goes on, and the exit code says it.
full() {
    need fyaml timeout
    stop_run
    cp p.checkpoint kept
    rm -f p.part.checkpoint
    mkdir p.part.checkpoint
    run 4 resume p.csv --checkpoint-simulated 100
    has err "cannot write 'p.checkpoint'"
    rmdir p.part.checkpoint
    (
        ulimit -f 8
        run 4 run m.yaml -q -o f.csv --checkpoint-simulated 10
    )
    has err 'cannot write'
}
try full "a checkpoint that cannot be written: exit code 4"

# A run that fails says where its last checkpoint is, and how to go on from it.
failed() {
    need fyaml
    model >m.yaml
    run 1 run m.yaml -o p.csv --method lagrange --step 0.4 --checkpoint-simulated 0.4
    has err '^note: the last good state: t = .*after [0-9]* steps, the last of .*positions are off by'
    has err "^note: the last checkpoint holds t = .* s, in 'p.checkpoint'; go on from there with: holonom resume p.csv"
    is_file p.checkpoint
    cp p.csv first.csv
    run 1 resume p.csv
    cmp -s p.csv first.csv || wrong "the same run fails with other numbers"
}
try failed "a run that fails says where its last checkpoint is"

usage() {
    need fyaml
    model >m.yaml
    run 2 run m.yaml --checkpoint 0 -q
    has err 'give a time above 0'
    run 2 run m.yaml --checkpoint 5parsec -q
    run 2 run m.yaml --checkpoint 1s -o stream:/dev/null -q
    has err 'into a stream'
    run 2 resume
    run 0 help resume
    has out 'holonom resume engine.h5'
    # without results: the checkpoint has the name of the model
    run 0 run m.yaml --no-output --end 1 --checkpoint-simulated 0.1 -q
    is_absent m.checkpoint
}
try usage "what the options take"

finish
