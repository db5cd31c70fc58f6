#!/bin/sh
# Run fuzzers for a while and print what they did.
#
#   fuzz.sh FOLDER SECONDS PAGE [NAME...]    the fuzzers are FOLDER/fuzz_*, linked with libFuzzer; NAME: only fuzz_NAME
#
# SECONDS are of processor time, so that a machine with other work gives the same search. Those that have searched least, as
# PAGE says (docs/fuzzing.md), come first, and each is added to it as soon as it has ended (tools/fuzz_ledger.sh): many short
# runs, and interrupted ones, add up to a long one that is even. A fuzzer that finds something is
# started again until its time is over. Findings are files in FOLDER/found-<fuzzer>/; what is new stays in
# FOLDER/corpus-<fuzzer>/ for the next time. One input has 10 s of processor time
# (tests/replay/entry.c) and may wait for two minutes. The exit status is 1 where something was found. The table of the run
# stays in FOLDER/fuzz.txt. Inputs are chosen without weights by rare
# features (-entropic=0): keeping those took 40 % of the time of fuzzers with many edges.
set -eu

folder=$(cd "$1" && pwd)
seconds=$2
page=$3
shift 3
root=$(cd "$(dirname "$0")/.." && pwd)
table=$folder/fuzz.txt
status=0
# libfyaml 0.7.12 leaks on some syntax errors, which the leak checker would find at the end of the process; freed memory
# that is kept for long makes every fork slow; where memory came from is told when a finding is run by itself
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16:malloc_context_size=2
: >"$table"

# A number behind the last occurrence of the word $1 in the log.
last() {
    sed -n "s/.*$1 *\([0-9][0-9]*\).*/\1/p" "$folder/fuzz.log" | tail -n 1
}

# Set worked to the processor time of all fuzzers so far, in whole seconds; a subshell would not know it.
look_at_clock() {
    times >"$folder/times.txt"
    worked=$(awk -F '[ms ]+' 'NR == 2 { printf "%d\n", 60 * ($1 + $3) + $2 + $4 }' "$folder/times.txt")
}

# The fuzzers named in the arguments, or all. That of the bytes of HDF5 files reads them in a process apart, of which a
# search learns nothing: it is for tools/mutate.sh, which has whole files for it.
chosen() {
    for fuzzer in "$folder"/fuzz_*; do
        [ -x "$fuzzer" ] && [ -f "$fuzzer" ] || continue
        name=${fuzzer##*/fuzz_}
        [ "$name" != hdf5 ] || continue
        case " $* " in '  ' | *" $name "* | *" ${name%%_with_*} "*) printf '%s %s\n' "$(searched "fuzz_$name")" "$fuzzer" ;; esac
    done | sort -n | cut -d ' ' -f 2
}

# The seconds of processor time of a fuzzer so far.
searched() {
    { awk -F ' *[|] *' -v name="$1" '$2 == name { print $6; exit }' "$page" 2>/dev/null; echo 0; } | head -n 1
}

# How long inputs may become: what the fuzzer says, or libFuzzer's own 4096.
length_of() {
    sed -n 's/^enum { FUZZ_LENGTH = \([0-9]*\) };.*/-max_len=\1/p' "$root/tests/$1.c"
}

fuzzers=$(chosen "$@")
[ -n "$fuzzers" ] || {
    printf 'fuzz.sh: no fuzzer of these names: %s\n' "$*" >&2
    exit 2
}
for fuzzer in $fuzzers; do
    name=${fuzzer##*/}
    new=$folder/corpus-$name
    found=$folder/found-$name
    work=$folder/work-$name
    mkdir -p "$new" "$found" "$work"
    seeds=
    [ ! -d "$root/tests/corpus/$name" ] || seeds=$root/tests/corpus/$name
    [ "$name" != fuzz_yaml ] || seeds="$seeds $root/models"
    printf '\n== %s\n' "$name"
    executions=0 edges=0
    look_at_clock
    before=$worked
    while left=$((seconds + before - worked)) && [ "$left" -gt 0 ]; do
        # shellcheck disable=SC2046,SC2086 # one word per folder, and none where there is no length
        (cd "$work" && HOLONOM_FUZZ_SECONDS=$left "$fuzzer" -entropic=0 $(length_of "$name") -timeout=120 -report_slow_units=120 -rss_limit_mb=2048 -detect_leaks=0 \
            -print_final_stats=1 -artifact_prefix="$found/" "$new" $seeds) </dev/null >"$folder/fuzz.log" 2>&1 || true
        tail -n 3 "$folder/fuzz.log"
        n=$(last 'stat::number_of_executed_units:')
        e=$(last 'cov:')
        executions=$((executions + ${n:-0}))
        [ "${e:-0}" -le "$edges" ] || edges=$e
        # one that cannot even start is not started again and again
        [ "${n:-0}" -gt 0 ] || break
        look_at_clock
    done
    look_at_clock
    findings=$(find "$found" -type f | wc -l)
    [ "$findings" -eq 0 ] || status=1
    printf '%-24s %12d %12d %8d %10d\n' "$name" "$executions" $((worked - before)) "$edges" "$findings" >"$folder/row.txt"
    cat "$folder/row.txt" >>"$table"
    sh "$root/tools/fuzz_ledger.sh" "$page" "$folder/row.txt"
done

printf '\n%-24s %12s %12s %8s %10s\n' fuzzer executions 'processor s' edges findings
cat "$table"
exit $status
