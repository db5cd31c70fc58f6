#!/bin/sh
# The public interface is the one of docs/abi.txt: a change of a signature, of a value or of the layout of a struct shows here
# and belongs in CHANGELOG.md; ./dev docs then writes the page anew. And what the headers declare is what the library has.
set -u

source=${HOLONOM_SOURCE:?}
failed=0
number=0

report() {
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; failed=1; fi
}

sh "$source/tools/abi.sh" >abi.txt
case $? in
0) ;;
77)
    echo "1..0 # SKIP the page is that of machines with 64-bit pointers and longs"
    exit 0
    ;;
*)
    echo "not ok 1 - the headers can be listed"
    echo "1..1"
    exit 1
    ;;
esac

diff "$source/docs/abi.txt" abi.txt >differences
same=$?
sed 's/^/# /' differences | head -40
report $same "the interface is that of docs/abi.txt (./dev docs writes it anew; CHANGELOG.md says what changed)"

# A planted change is seen: another type of a member, another value, another argument.
mkdir -p copy/tools copy/include
cp "$source/tools/abi.sh" copy/tools/
cp -r "$source/include/holonom" copy/include/
sed 's/^    double r\[3\];/    double r[4];/' "$source/include/holonom/data.h" >copy/include/holonom/data.h
sh copy/tools/abi.sh >changed.txt
! cmp -s abi.txt changed.txt
report $? "another layout of hol_pose is seen"
cp "$source/include/holonom/data.h" copy/include/holonom/data.h
sed 's/HOL_SINGULAR = 3,/HOL_SINGULAR = 30,/' "$source/include/holonom/status.h" >copy/include/holonom/status.h
sh copy/tools/abi.sh >changed.txt
! cmp -s abi.txt changed.txt
report $? "another value of a status is seen"
rm -rf copy

# The program of docs/api.md is the example that is compiled and run.
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$source/docs/api.md" >program.c
cmp -s program.c "$source/examples/whole_way.c"
report $? "the program of docs/api.md is examples/whole_way.c"

echo "1..$number"
exit $failed
