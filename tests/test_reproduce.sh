#!/bin/sh
# docs/reproduce.md and docs/reproduce/: the fast sections still give the figures and verdicts of the committed pages, the index is that of
# the pages, and every section has its page.
set -u

source=${HOLONOM_SOURCE:?}
echo 1..7
if [ -z "${HOLONOM_PROGRAM-}" ] || ! "$HOLONOM_PROGRAM" version --features | grep -q '^ *fyaml *yes'; then
    for i in 1 2 3 4 5 6 7; do echo "ok $i # SKIP built without the program or model files"; done
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

# 2: figures in texts that no run gave are refused, and a section that fails leaves the page as it was
mkdir -p "$scratch/tree/tools" "$scratch/tree/docs/reproduce"
cp -r "$source/tools/reproduce.sh" "$source/tools/reproduce" "$scratch/tree/tools/"
ln -s "$source/models" "$scratch/tree/models"
rm -f "$scratch/tree/tools/reproduce"/*-*.sh
attempt() {
    printf '# speed: fast\nsection Try\n%s\n' "$1" >"$scratch/tree/tools/reproduce/gjb-try.sh"
    echo before >"$scratch/tree/docs/reproduce/gjb-try.md"
    sh "$scratch/tree/tools/reproduce.sh" "$HOLONOM_PROGRAM" >"$scratch/said" 2>&1
}
refused() {
    if attempt "$1"; then echo "this section should fail: $1" >>"$scratch/wrong"; fi
    [ "$(cat "$scratch/tree/docs/reproduce/gjb-try.md")" = before ] || echo "its page was written: $1" >>"$scratch/wrong"
}
refused 'say "The error is 1.2e-3."'
refused 'verdict 1 holds "The error is 0.12."'
refused 'verdict "1 > 2" holds "Never."'
refused 'say "The error is $(fig nothing)."'
refused 'typed "holonom run models/pendulum.yaml --method no-such-method"'
refused 'typed "holonom run models/pendulum.yaml"; table "a=no_such_column"'
attempt 'say "$(fig 0.00123) and (5.37), $(printed 0.7e-1)."; verdict "1 > 2" holds "No." differs "Yes."' || cat "$scratch/said" >>"$scratch/wrong"
tail -n 3 "$scratch/tree/docs/reproduce/gjb-try.md" >"$scratch/new"
printf '%s\n\n%s\n' '1.2e-03 and (5.37), 0.7e-1.' '**Differs.** Yes.' | diff - "$scratch/new" >>"$scratch/wrong"
result 2 "a figure that no run gave cannot stand in a page"

# 3: the pages and the index are those of the sections
ls "$source"/tools/reproduce/*-*.sh | sed -e 's|.*/||' -e 's/\.sh$//' >"$scratch/sections"
ls "$source"/docs/reproduce/*.md | sed -e 's|.*/||' -e 's/\.md$//' | diff "$scratch/sections" - >"$scratch/wrong"
result 3 "every section has its page, and every page its section"
mkdir "$scratch/docs"
cp -r "$source/docs/reproduce" "$scratch/docs/"
sh "$tool" --into "$scratch/docs" --index >"$scratch/said" 2>&1 || cat "$scratch/said" >"$scratch/wrong"
diff "$source/docs/reproduce.md" "$scratch/docs/reproduce.md" >>"$scratch/wrong" || echo "run tools/reproduce.sh --index" >>"$scratch/wrong"
result 4 "the index is that of the pages"

# 5, 6: the fast sections, run now
rm -rf "$scratch/docs/reproduce"/*.md
sh "$tool" --into "$scratch/docs" --fast "$HOLONOM_PROGRAM" >"$scratch/said" 2>&1
grep '^reproduce: ' "$scratch/said" | grep -v 'there is no page' >"$scratch/wrong"
result 5 "the fast sections run"
for page in "$scratch/docs/reproduce"/*.md; do
    name=$(basename "$page")
    awk -f "$same" "$source/docs/reproduce/$name" "$page" >"$scratch/differs" || {
        echo "$name:"
        head -n 20 "$scratch/differs"
        echo "run tools/reproduce.sh PROGRAM ${name%.md} if that is meant"
    } >>"$scratch/wrong"
done
result 6 "no figure and no verdict of the fast sections has moved"

# 7: pictures
LC_ALL=C ls "$source/docs/reproduce/images" >"$scratch/pictures"
sed -n 's/^!\[.*\](images\/\(.*\))$/\1/p' "$source"/docs/reproduce/*.md | LC_ALL=C sort | diff "$scratch/pictures" - >"$scratch/wrong"
for picture in "$scratch/docs/reproduce/images"/*; do
    [ ! -e "$picture" ] || [ -s "$picture" ] || echo "$(basename "$picture") is empty" >>"$scratch/wrong"
done
result 7 "every picture is shown by a page, and every one that is shown is there"
exit $failed
