#!/bin/sh
# docs/reproduce.md and docs/reproduce/: the fast claims still give the figures and verdicts of the committed pages, the index is that of the
# pages, and every claim has its page.
set -u

source=${HOLONOM_SOURCE:?}
echo 1..6
if [ -z "${HOLONOM_PROGRAM-}" ] || ! "$HOLONOM_PROGRAM" version --features | grep -q '^ *fyaml *yes'; then
    for i in 1 2 3 4 5 6; do echo "ok $i # SKIP built without the program or model files"; done
    exit 0
fi

# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"
tool=$source/tools/reproduce.sh
same=$source/tools/reproduce/same.awk

# 1: the comparison lets through what rounding may change, and nothing else
cat >"$scratch/old" <<'MD'
**Holds.** `a` has 2.2e-07 in 10 s, 30 steps, algorithm 5-3.
| 4.0e-15 | 0.0e+00 | 0.89 |
MD
sed -e 's/2\.2e-07/2.3e-07/' -e 's/4\.0e-15/9.9e-15/' -e 's/0\.0e+00/1.1e-16/' -e 's/0\.89/0.88/' "$scratch/old" >"$scratch/new"
awk -f "$same" "$scratch/old" "$scratch/new" >"$scratch/wrong" || echo "these should be the same" >>"$scratch/wrong"
for change in 's/2\.2e-07/2.4e-07/' 's/30 steps/31 steps/' 's/Holds/Differs/' 's/4\.0e-15/5.0e-11/' 's/0\.89/0.91/' 's/5-3/5-4/' \
    's/4\.0e-15/1.0e-09/' 's/0\.0e+00/2.0e-13/' '2d'; do
    sed "$change" "$scratch/old" >"$scratch/new"
    ! awk -f "$same" "$scratch/old" "$scratch/new" >/dev/null || echo "$change should be seen" >>"$scratch/wrong"
done
result 1 "the comparison sees what moved, and nothing else"

# 2, 3: the pages and the index are those of the claims
"$HOLONOM_PROGRAM" reproduce --json | sed -n 's/^      "name": "\(.*\)",$/\1/p' | LC_ALL=C sort >"$scratch/claims"
ls "$source"/docs/reproduce/*.md | sed -e 's|.*/||' -e 's/\.md$//' | LC_ALL=C sort | diff "$scratch/claims" - >"$scratch/wrong"
[ -s "$scratch/claims" ] || echo "there are no claims" >>"$scratch/wrong"
result 2 "every claim has its page, and every page its claim"
mkdir "$scratch/docs"
cp -r "$source/docs/reproduce" "$scratch/docs/"
sh "$tool" --into "$scratch/docs" --index "$HOLONOM_PROGRAM" >"$scratch/said" 2>&1 || cat "$scratch/said" >"$scratch/wrong"
diff "$source/docs/reproduce.md" "$scratch/docs/reproduce.md" >>"$scratch/wrong" || echo "run tools/reproduce.sh --index PROGRAM" >>"$scratch/wrong"
result 3 "the index is that of the pages"

# 4, 5: the fast claims, run now
rm -rf "$scratch/docs/reproduce"
"$HOLONOM_PROGRAM" reproduce --fast --write "$scratch/docs" >"$scratch/said" 2>&1 || cat "$scratch/said" >"$scratch/wrong"
result 4 "the fast claims run"
for page in "$scratch/docs/reproduce"/*.md; do
    name=$(basename "$page")
    awk -f "$same" "$source/docs/reproduce/$name" "$page" >"$scratch/differs" || {
        echo "$name:"
        head -n 20 "$scratch/differs"
        echo "run tools/reproduce.sh PROGRAM ${name%.md} if that is meant"
    } >>"$scratch/wrong"
done
result 5 "no figure and no verdict of the fast claims has moved"

# 6: pictures
LC_ALL=C ls "$source/docs/reproduce/images" >"$scratch/pictures"
sed -n 's/^!\[.*\](images\/\(.*\))$/\1/p' "$source"/docs/reproduce/*.md | LC_ALL=C sort | diff "$scratch/pictures" - >"$scratch/wrong"
for picture in "$scratch/docs/reproduce/images"/*; do
    [ ! -e "$picture" ] || [ -s "$picture" ] || echo "$(basename "$picture") is empty" >>"$scratch/wrong"
done
result 6 "every picture is shown by a page, and every one that is shown is there"
exit $failed
