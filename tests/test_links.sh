#!/bin/sh
# Every relative link in README, CONTRIBUTING, CHANGELOG and docs/ leads to a file that is there and, where it has an anchor, to a
# heading of it; files of src/ that the theory pages name are there; the works that they cite by key stand in docs/references.md.
set -u

source=${HOLONOM_SOURCE:?}
# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"
echo 1..5

# Prints, for the pages given: "heading PAGE#ANCHOR" and "link PAGE:LINE TARGET ANCHOR", targets from the root. Anchors are made as the
# usual renderers do: small letters, no punctuation, hyphens for spaces, -1 behind the second of the same name.
cat >"$scratch/links.awk" <<'AWK'
function slug(text) {
    while (match(text, /\]\([^)]*\)/)) text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    gsub(/–|—|…|’|“|”|·|×|′/, "", text)
    text = tolower(text)
    gsub(/[!-,.\/:-@\[-^`{-~]/, "", text)
    gsub(/ /, "-", text)
    return text
}
function resolve(page, target, part, n, i, kept, path) {
    sub(/[^\/]*$/, "", page)
    n = split(page target, part, "/")
    kept = 0
    for (i = 1; i <= n; i++) {
        if (part[i] == "" || part[i] == ".") continue
        if (part[i] == ".." && kept > 0 && part[kept] != "..") kept--
        else part[++kept] = part[i]
    }
    for (i = 1; i <= kept; i++) path = path (i > 1 ? "/" : "") part[i]
    return path
}
function found(target, at) {
    sub(/^</, "", target)
    sub(/[> ].*$/, "", target)
    if (target == "" || target ~ /^[a-z]+:/) return
    at = index(target, "#")
    anchor = at ? substr(target, at + 1) : ""
    if (at) target = substr(target, 1, at - 1)
    print "link", FILENAME ":" FNR, target == "" ? FILENAME : resolve(FILENAME, target), anchor
}
FNR == 1 { fence = 0; code = 0; blank = 1; split("", seen) }
/^ *(```|~~~)/ { fence = !fence; next }
fence { next }
# a block of code: indented, behind an empty line
{ code = /^    / && (blank || code); blank = /^ *$/ }
code { next }
/^#+ / {
    name = $0
    sub(/^#+ +/, "", name)
    name = slug(name)
    print "heading", FILENAME "#" name (seen[name] ? "-" seen[name] : "")
    seen[name]++
}
{
    gsub(/`[^`]*`/, "")
    line = $0
    while (match(line, /\]\([^)]+\)/)) {
        found(substr(line, RSTART + 2, RLENGTH - 3))
        line = substr(line, RSTART + RLENGTH)
    }
    line = $0
    while (match(line, /(src|href)="[^"]+"/)) {
        word = substr(line, RSTART, RLENGTH - 1)
        sub(/^[a-z]+="/, "", word)
        found(word)
        line = substr(line, RSTART + RLENGTH)
    }
    if (match($0, /^\[[^]]+\]: +/)) found(substr($0, RSTART + RLENGTH))
}
AWK

# What is wrong with the links of the pages of the folder $1, one a line; the number of links goes to the file `count`.
check_links() {
    (
        cd "$1" || exit 1
        find . -name '*.md' \( -path './docs/*' -o -path './*' ! -path './*/*' \) | sed 's|^\./||' | sort >"$scratch/pages"
        # shellcheck disable=SC2046 # no page has a space in its name
        LC_ALL=C awk -f "$scratch/links.awk" $(cat "$scratch/pages") >"$scratch/all"
        grep -c '^link ' "$scratch/all" >"$scratch/count"
        sed -n 's/^heading //p' "$scratch/all" >"$scratch/headings"
        sed -n 's/^link //p' "$scratch/all" | while read -r where target anchor; do
            if [ ! -e "$target" ]; then
                echo "$where: there is no $target"
            elif [ -n "$anchor" ] && [ "${target%.md}" != "$target" ] && ! grep -qxF "$target#$anchor" "$scratch/headings"; then
                echo "$where: $target has no heading for #$anchor"
            fi
        done
    )
}

# The keys of the works in the tables of the page $1.
keys_of() {
    sed -n 's/^| \([A-Z][A-Za-z0-9]*\) |.*/\1/p' "$1"
}

# 1: what the check finds in pages that have every mistake it is to find, and no other
mkdir -p "$scratch/tree/docs/theory"
cat >"$scratch/tree/README.md" <<'MD'
# A name

[good](docs/one.md), [good](docs/one.md#the-frame-why-it-is-kept-1), [bad](docs/two.md), ![bad](docs/none.png), [far](https://a.b/c.md),
[good](#a-name), [bad](#no-name), `[code](no.md)`, [over two
lines](docs/three.md)

    [code](no.md)

```
[code](no.md)
```
MD
# shellcheck disable=SC2016 # the backquotes are those of a page
printf '## The `frame`: why it is kept\n\n## The frame: why it is kept\n\n[up](../README.md) [out](theory/x.md)\n\n[r]: four.md\n' \
    >"$scratch/tree/docs/one.md"
check_links "$scratch/tree" >"$scratch/found"
cat >"$scratch/expected" <<'TEXT'
README.md:3: there is no docs/two.md
README.md:3: there is no docs/none.png
README.md:4: README.md has no heading for #no-name
README.md:5: there is no docs/three.md
docs/one.md:5: there is no docs/theory/x.md
docs/one.md:7: there is no docs/four.md
TEXT
diff "$scratch/expected" "$scratch/found" >"$scratch/wrong"
result 1 "the check finds broken links and anchors, and no others"

# 2, 3: the pages of the repository
check_links "$source" >"$scratch/wrong"
result 2 "all relative links lead to files and headings"
[ "$(cat "$scratch/count")" -gt 100 ] || echo "only $(cat "$scratch/count") links were found" >"$scratch/wrong"
result 3 "the links of all pages were looked at"

# 4: paths below src, bench, models, tests, tools or include; patterns and placeholders are left out
find "$source/docs/theory" -name '*.md' | sort | while read -r page; do
    # shellcheck disable=SC2016 # the backquotes are those of the page
    grep -o '`\(src\|bench\|models\|tests\|tools\|include\)/[^` *<…]*`' "$page" | tr -d '`' | while read -r path; do
        [ -e "$source/$path" ] || echo "${page#"$source"/}: there is no $path"
    done
done >"$scratch/wrong"
result 4 "files that the theory pages name are there"

# 5: [GJB 5.37], [PV] and the like
keys_of "$source/docs/references.md" >"$scratch/keys"
find "$source/docs/theory" -name '*.md' | sort | while read -r page; do
    grep -o '\[[A-Z][A-Z][A-Z]*\( [0-9IVac][^]]*\)\{0,1\}\]' "$page" | sed 's/^\[\([A-Z]*\).*/\1/' | sort -u | while read -r key; do
        grep -qxF "$key" "$scratch/keys" || echo "${page#"$source"/}: $key is not in docs/references.md"
    done
done >"$scratch/wrong"
[ -s "$scratch/keys" ] || echo "docs/references.md has no keys" >"$scratch/wrong"
result 5 "works that the theory pages cite are listed"
exit $failed
