#!/bin/sh
# The numbers of short runs of all models are those of docs/hashes.txt, bit for bit: also in another folder, under a locale with a
# decimal comma, and when several threads run one model at once. A change of numbers is meant or a fault: where it is meant,
# ./dev hashes writes the page anew and the CHANGELOG says what changed and by how much. Debug builds run this too (./dev asan).
set -u

source=${HOLONOM_SOURCE:?} program=${HOLONOM_PROGRAM:?} same_runs=${HOLONOM_SAME_RUNS:?}
echo 1..4
kept=$source/docs/hashes.txt
if [ "$(head -1 "$kept")" != "$(sh "$source/tools/hashes.sh" "$program" "$source/models" four_bar | head -1)" ]; then
    echo "ok 1 - the bits of all runs are those that are kept # SKIP other libraries than those of docs/hashes.txt"
    echo "ok 2 - folder and locale change no bit # SKIP the same"
    echo "ok 3 - threads change no bit # SKIP the same"
    echo "ok 4 - threads under a locale with a comma change no bit # SKIP the same"
    exit 0
fi

# Report test $1 with the words $3, from the exit status $2.
failed=0
result() {
    if [ "$2" -eq 0 ]; then echo "ok $1 - $3"; else echo "not ok $1 - $3" && failed=1; fi
}

sh "$source/tools/hashes.sh" "$program" "$source/models" >now.txt
diff "$kept" now.txt >differences.txt
same=$?
if [ $same -ne 0 ]; then
    sed 's/^/# /' differences.txt
    echo "# a change of numbers that is meant: ./dev hashes, and a line in the CHANGELOG with its size"
fi
result 1 $same "the bits of all runs are those that are kept"

# A locale with a decimal comma, named `comma`, where localedef is there.
mkdir -p elsewhere locale
printf 'comment_char %%\nescape_char /\nLC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n' >comma.src
localedef -c -i comma.src ./locale/comma >localedef.log 2>&1 || true # it warns of what is missing in it

names='four_bar a05_flyball_governor'
# shellcheck disable=SC2086 # one word per name
here=$(sh "$source/tools/hashes.sh" "$program" "$source/models" $names)
# shellcheck disable=SC2086
there=$(cd elsewhere && LOCPATH=$OLDPWD/locale LC_NUMERIC=comma LANG=de_DE.UTF-8 HOME=/nonexistent \
    sh "$source/tools/hashes.sh" "$program" "$source/models" $names)
test "$here" = "$there"
result 2 $? "folder and locale change no bit"

# Four threads with one model, as tools/hashes.sh holds the machine to what all have; each thread's hash is the one that is kept.
threads_agree() {
    for name in four_bar a05_flyball_governor slider_crank_spatial lift_off engine; do
        rm -f "$name".[0-9].csv
        OPENBLAS_CORETYPE=Prescott OPENBLAS_NUM_THREADS=1 \
            GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F_Usable,-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX2,-FMA \
            "$same_runs" "$source/models/$name.yaml" "$name" || { echo "# $name: exit status $?"; return 1; }
        for file in "$name".[0-3].csv; do
            hash=$(grep -v '^#' "$file" | sha256sum | cut -c 1-16)
            grep -q "^$name $hash " "$kept" || { echo "# $file has the hash $hash, which is not the one that is kept"; return 1; }
        done
    done
}
threads_agree
result 3 $? "threads change no bit"
if [ -f locale/comma/LC_NUMERIC ]; then
    (LOCPATH=$PWD/locale LC_NUMERIC=comma && export LOCPATH LC_NUMERIC && threads_agree)
    result 4 $? "threads under a locale with a comma change no bit"
else
    echo "ok 4 - threads under a locale with a comma change no bit # SKIP there is no localedef"
fi
exit $failed
