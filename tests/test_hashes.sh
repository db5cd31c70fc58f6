#!/bin/sh
# The numbers of short runs of all models are those of docs/hashes.txt, bit for bit, also in another folder and locale. A change of
# numbers is meant or a fault: where it is meant, ./dev hashes writes the page anew and the CHANGELOG says what changed and by how much.
set -u

source=${HOLONOM_SOURCE:?} program=${HOLONOM_PROGRAM:?}
echo 1..2
kept=$source/docs/hashes.txt
if [ "$(head -1 "$kept")" != "$(sh "$source/tools/hashes.sh" "$program" "$source/models" four_bar | head -1)" ]; then
    echo "ok 1 - the bits of all runs are those that are kept # SKIP other libraries than those of docs/hashes.txt"
    echo "ok 2 - folder and locale change no bit # SKIP the same"
    exit 0
fi
sh "$source/tools/hashes.sh" "$program" "$source/models" >now.txt
if diff "$kept" now.txt >differences.txt; then
    echo "ok 1 - the bits of all runs are those that are kept"
else
    sed 's/^/# /' differences.txt
    echo "# a change of numbers that is meant: ./dev hashes, and a line in the CHANGELOG with its size"
    echo "not ok 1 - the bits of all runs are those that are kept"
fi

mkdir -p elsewhere
names='four_bar a05_flyball_governor'
# shellcheck disable=SC2086 # one word per name
here=$(sh "$source/tools/hashes.sh" "$program" "$source/models" $names)
# shellcheck disable=SC2086
there=$(cd elsewhere && LC_ALL=C.UTF-8 LANG=de_DE.UTF-8 HOME=/nonexistent sh "$source/tools/hashes.sh" "$program" "$source/models" $names)
if [ "$here" = "$there" ]; then
    echo "ok 2 - folder and locale change no bit"
else
    echo "not ok 2 - folder and locale change no bit"
fi
