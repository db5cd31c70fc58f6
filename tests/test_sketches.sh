#!/bin/sh
# Every element has a sketch in docs/images/elements, every sketch is shown on the reference page, is well-formed and alone
# (no scripts, nothing from elsewhere), and is what tools/sketches.mjs draws now.
set -u

source=${HOLONOM_SOURCE:?}
folder=$source/docs/images/elements
# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"
echo 1..6

# What is not well-formed in an SVG, one a line: tags that do not match, attributes without quotes or given twice, a bare & or <.
cat >"$scratch/well_formed.awk" <<'AWK'
function wrong(what) { print FILENAME ": " what; bad = 1 }
function check_text(text) {
    gsub(/&(amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);/, "", text)
    if (text ~ /[&<>]/) wrong("a bare &, < or > in '" substr(text, 1, 40) "'")
    if (!depth && text ~ /[^ \t\n]/) wrong("text outside the root")
}
function check_attributes(list, name, value, seen, n) {
    n = split("", seen)
    while (match(list, /^[ \t\n]+[A-Za-z_][-A-Za-z0-9_:.]*="[^"<]*"/)) {
        value = substr(list, 1, RLENGTH)
        list = substr(list, RLENGTH + 1)
        name = value
        sub(/^[ \t\n]+/, "", name)
        sub(/=.*/, "", name)
        if (name in seen) wrong("attribute " name " twice")
        seen[name] = 1
        gsub(/&(amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);/, "", value)
        if (value ~ /&/) wrong("a bare & in attribute " name)
    }
    if (list ~ /[^ \t\n]/) wrong("attributes '" substr(list, 1, 40) "'")
}
{ all = all $0 "\n" }
END {
    while ((at = index(all, "<")) > 0) {
        check_text(substr(all, 1, at - 1))
        all = substr(all, at + 1)
        if ((at = index(all, ">")) == 0) { wrong("a tag without an end"); break }
        tag = substr(all, 1, at - 1)
        all = substr(all, at + 1)
        if (tag ~ /^\//) {
            if (depth < 1 || stack[depth] != substr(tag, 2)) wrong("</" substr(tag, 2) "> closes " (depth ? stack[depth] : "nothing"))
            depth--
            continue
        }
        empty = sub(/\/$/, "", tag)
        if (!match(tag, /^[A-Za-z_][-A-Za-z0-9_:.]*/)) { wrong("<" substr(tag, 1, 20) "> has no name"); continue }
        name = substr(tag, 1, RLENGTH)
        if (!depth && roots++) wrong("a second root " name)
        if (depth == 0 && name != "svg") wrong("the root is " name)
        check_attributes(substr(tag, RLENGTH + 1))
        if (!empty) stack[++depth] = name
    }
    check_text(all)
    if (depth) wrong(stack[depth] " is not closed")
    if (!roots) wrong("there is no element")
    exit bad
}
AWK
well_formed() {
    awk -f "$scratch/well_formed.awk" "$1"
}

: >"$scratch/wrong"
(cd "$folder" && ls) | sort >"$scratch/files"

if [ -n "${HOLONOM_PROGRAM-}" ]; then
    # The table of elements, and what the page shows.
    "$HOLONOM_PROGRAM" elements | awk '/^[a-z]/ { section = $1 } section !~ /,/ && /^  [a-z]/ { print section "-" $1 ".svg" }' | sort >"$scratch/elements"
    "$HOLONOM_PROGRAM" schema --markdown | sed -n 's/^!\[.*\](images\/elements\/\(.*\))$/\1/p' | sort >"$scratch/shown"

    [ -s "$scratch/elements" ] || echo "the program lists no elements" >"$scratch/wrong"
    comm -23 "$scratch/elements" "$scratch/files" | sed 's/$/ is missing: write an entry in tools\/sketches and run .\/dev docs/' >>"$scratch/wrong"
    comm -23 "$scratch/elements" "$scratch/shown" | sed 's/$/ is not shown on the reference page/' >>"$scratch/wrong"
    result 1 "every element has a sketch on its section of the page"
    comm -13 "$scratch/shown" "$scratch/files" | sed 's/$/ belongs to nothing on the reference page/' >"$scratch/wrong"
    comm -23 "$scratch/shown" "$scratch/files" | sed 's/$/ is shown but does not exist/' >>"$scratch/wrong"
    result 2 "every sketch belongs to something, once"
else
    for i in 1 2; do echo "ok $i # SKIP built without the program"; done
fi

for file in "$folder"/*.svg; do well_formed "$file"; done >"$scratch/wrong"
result 3 "the sketches are well-formed"

# What the check of the form is worth: each of these is wrong.
n=0
while IFS= read -r line; do
    n=$((n + 1))
    printf '%s\n' "$line" >"$scratch/broken"
    ! well_formed "$scratch/broken" >/dev/null || echo "passes as well-formed: $line" >>"$scratch/wrong"
done <<'SVG'
<svg><g></svg>
<svg><g/></svg></g>
<svg><text>a & b</text></svg>
<svg><text>a < b</text></svg>
<svg x=1/>
<svg x="1" x="2"/>
<svg x="a&b"/>
<svg/><svg/>
<svg/>text
<html></html>
<svg><path d="M0 0"</svg>
plain text
SVG
[ $n -eq 12 ] || echo "$n broken files instead of 12" >>"$scratch/wrong"
printf '<svg a="&#945;"\n b="1"><text x="1">&amp;&lt; φ</text><g/></svg>\n' >"$scratch/whole"
well_formed "$scratch/whole" >>"$scratch/wrong"
result 4 "files that are not well-formed are found"

for file in "$folder"/*.svg; do
    name=$(basename "$file")
    grep -q '<title>[^<]' "$file" && grep -q '<desc>[^<]' "$file" || echo "$name has no title or no description"
    if sed 's/ xmlns="[^"]*"//' "$file" | grep -q -i -e '<script' -e 'href' -e 'url(' -e '://' -e ' on[a-z]*='; then
        echo "$name has a script or something from elsewhere"
    fi
    [ "$(wc -c <"$file")" -lt 16000 ] || echo "$name is larger than 16 kB"
done >"$scratch/wrong"
result 5 "the sketches describe themselves and need nothing else"

if command -v node >/dev/null 2>&1; then
    mkdir "$scratch/new"
    echo old >"$scratch/new/joints-of_old.svg"
    node "$source/tools/sketches.mjs" "$scratch/new" >"$scratch/out" 2>&1 || cat "$scratch/out" >>"$scratch/wrong"
    diff -r "$folder" "$scratch/new" >"$scratch/diff" 2>&1 || {
        head -n 20 "$scratch/diff"
        echo "docs/images/elements is not up to date: run ./dev docs"
    } >>"$scratch/wrong"
    result 6 "the sketches are what the generator draws"
else
    echo "ok 6 # SKIP there is no node to draw the sketches with"
fi
exit $failed
