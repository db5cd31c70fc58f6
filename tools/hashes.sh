#!/bin/sh
# A hash of the numbers of a short run of every model, one line each, behind a line that says with which libraries.
#
#   hashes.sh PROGRAM MODELS [NAME...]
#
# The same sources give the same bits from gcc and clang, debug and release, in any folder and locale. What differs between
# machines is left out: BLAS and the C library choose instructions by the processor, so both are held to those that all have.
set -eu

program=${1:?give the program} models=${2:?give the folder of models}
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OPENBLAS_CORETYPE=Prescott OPENBLAS_NUM_THREADS=1
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F_Usable,-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX2,-FMA

version_of() {
    # shellcheck disable=SC2016 # dpkg's own variable
    dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo unknown
}

echo "# $(uname -m), libc6 $(version_of libc6), libopenblas0-serial $(version_of libopenblas0-serial), libklu1 $(version_of libklu1)"
[ $# -gt 0 ] || set -- $(cd "$models" && ls ./*.yaml | sed 's|^\./||; s|\.yaml$||' | LC_ALL=C sort)
for name in "$@"; do
    status=0
    rm -f "$work/r.csv"
    "$program" run "$models/$name.yaml" --set output=0.05 --set end=0.25 --quiet --output "$work/r.csv" >/dev/null 2>&1 || status=$?
    # without the comments, which tell of the version and the time that it took
    printf '%s %s %s\n' "$name" "$(grep -v '^#' "$work/r.csv" 2>/dev/null | sha256sum | cut -c 1-16)" "$status"
done
