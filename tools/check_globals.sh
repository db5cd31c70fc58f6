#!/bin/sh
# Check that the library keeps nothing outside its objects: no object file of src/ has data that can be written; and that no two
# of them define the same name, of which a static library would silently take one.
#
#   check_globals.sh BUILD
#
# Exceptions: the mutex of src/la/blas_turn.c guards what a sequential BLAS keeps, that of src/base/late.c what the loader of shared
# libraries keeps, with the tables of addresses that the build makes. src/cli is the program, not the library.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=${1:?give the build folder}
checked=0 found=0

for object in $(find "$build" -type f -name '*.c.o' | LC_ALL=C sort); do
    source=$(printf '%s\n' "$object" | sed -n 's|.*/\(src/[a-z]*/[^/]*\.c\)\.o$|\1|p')
    [ -n "$source" ] && [ -f "$here/../$source" ] || continue
    case $source in src/cli/* | src/la/blas_turn.c | src/base/late.c) continue ;; esac
    checked=$((checked + 1))
    # writable sections that take room, but for relocated constants (.data.rel.ro)
    names=$(readelf -SW "$object" | sed -n 's/^ *\[ *[0-9]*\] *//p' |
        awk '$5 != "000000" && $7 ~ /W/ && $7 ~ /A/ && $1 !~ /^\.data\.rel\.ro/ { print $1 }')
    for name in $names; do
        echo "$source: writable data in $name"
        found=1
    done
done
twice=$(find "$build" -type f -path '*/holonom_objects.dir/src/*' -name '*.c.o' -exec nm -g --defined-only {} + |
    sed -n 's/^[0-9a-f]* [A-Z] //p' | LC_ALL=C sort | uniq -d)
for name in $twice; do
    echo "$name: defined in two files"
    found=1
done
[ "$checked" -gt 0 ] || { echo "there are no object files of src/ under $build"; exit 1; }
[ "$found" -eq 0 ] || exit 1
echo "no writable data and no name twice in $checked object files"
