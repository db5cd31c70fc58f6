#!/bin/sh
# Libraries that are loaded when they are first used: nothing else needs them, and one that cannot be loaded is named.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}

# The file that the part $1 loads; leaves the case where it is linked.
late() {
    file=$("$program" version --features | sed -n "s/^ *$1 .*; loaded when used: //p")
    [ -n "$file" ] || exit 77
    case $file in /*) exit 77 ;; esac
}

not_linked() {
    for part in lapack hdf5 cairo; do
        late $part
        ! readelf -dW "$program" | grep -qF "[$file]" || wrong "the program is linked with $file"
    done
}
try not_linked "the program is linked with none of them"

# A library that is damaged, found before the real one.
without() {
    late "$1"
    mkdir -p broken
    : >"broken/$file"
    LD_LIBRARY_PATH=$PWD/broken
    export LD_LIBRARY_PATH
}

hdf5() {
    need fyaml hdf5
    run 0 run "$models/pendulum.yaml" -o good.h5 --end 0.1
    without hdf5
    run 0 run "$models/pendulum.yaml" -o out.csv --end 0.1
    run 4 run "$models/pendulum.yaml" -o out.h5 --end 0.1
    has err "HDF5 cannot be loaded: .*$file"
    run 4 report good.h5 -o page.html
    has err "$file"
    run 4 equations "$models/pendulum.yaml" -o answer.h5
    has err "HDF5 cannot be loaded: .*$file"
}
try hdf5 "without HDF5 all but its files works, and the file is named"

# Whether the names of HDF5 come before those of the program; $1: what is loaded before the C library.
names_first() {
    LD_DEBUG=scopes LD_PRELOAD=$1 "$program" run "$models/pendulum.yaml" -o out.h5 --end 0.1 --quiet >scopes 2>&1 </dev/null ||
        wrong "holonom run fails: $(tail -n 1 scopes)"
    scope=$(grep -A 1 "object=.*$file" scopes | sed -n 's/.*scope 0: *//p' | head -n 1)
    [ -n "$scope" ] || exit 77 # another loader
    case ${scope%% *} in *"$file") return 0 ;; *) return 1 ;; esac
}

names() {
    need fyaml hdf5
    late hdf5
    # a sanitizer has a malloc of its own, and is not to be asked
    ! readelf -sW "$program" | grep -q '__[atm]san_init' || exit 77
    names_first '' || wrong "the program's names come before those of HDF5"
    # beside the tests of a build; it is not told to fail here
    other=$(dirname "$program")/tests/libfailing_malloc.so
    [ -f "$other" ] || exit 77
    ! names_first "$other" || wrong "HDF5 passes by the malloc of the program"
}
try names "its names come first, but not where the program has another malloc"

# Runs that need no dense matrices do without; whoever needs them is told, and no number leaves that was not computed.
lapack() {
    need fyaml
    run 0 run "$models/four_bar.yaml" -o good.csv --end 0.1
    without lapack
    run 0 run "$models/four_bar.yaml" -o out.csv --end 0.1
    cmp -s good.csv out.csv || wrong "the run is another without LAPACK"
    for question in "run $models/a04_bricard.yaml -o b.csv --end 0.1" "linearize $models/pendulum.yaml" "statics $models/pendulum.yaml"; do
        # shellcheck disable=SC2086 # words
        run 6 $question
        has err "LAPACK cannot be loaded: .*$file"
    done
}
try lapack "without LAPACK small mechanisms run, and the file is named where it is needed"

# OpenBLAS tries for ever to have its work buffer: where the memory is limited below it, that is said, and nobody waits.
no_room() {
    need fyaml
    late lapack
    # a sanitizer reserves more addresses than any limit
    ! readelf -sW "$program" | grep -q '__[atm]san_init' || exit 77
    for question in "linearize $models/pendulum.yaml" "statics $models/pendulum.yaml" "run $models/a04_bricard.yaml --no-output --end 0.1"; do
        got=0
        # shellcheck disable=SC2086 # words
        (ulimit -v 120000 && exec timeout -k 1 20 "$program" $question) >out 2>err </dev/null || got=$?
        [ "$got" -eq 7 ] || wrong "holonom $question: exit code $got, expected 7, said: $(head -n 2 err)"
        has err "LAPACK cannot be loaded: there are no 128 MB of memory for its work$"
    done
}
try no_room "without memory for LAPACK questions end"

cairo() {
    need fyaml
    run 0 run "$models/pendulum.yaml" -o out.csv --end 0.1
    without cairo
    run 0 plot out.csv theta -o chart.svg
    run 6 plot out.csv theta -o chart.png
    has err "pictures as .png cannot be drawn: .*$file"
}
try cairo "without cairo all but its pictures works, and the file is named"

# The runtime of FMUs goes to machines that have nothing: it needs the C library alone, and names nothing that it would load.
runtime() {
    late lapack
    module=$(dirname "$program")/holonom_fmu.so
    [ -f "$module" ] || exit 77
    for needed in $(readelf -dW "$module" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p'); do
        case $needed in libc.so* | libm.so* | ld-linux*) ;; *) wrong "it needs $needed" ;; esac
    done
    ! grep -qaF "$file" "$module" || wrong "it loads $file"
}
try runtime "the runtime of FMUs has LAPACK inside"

finish
