#!/bin/sh
# Write docs/reproduce.md and docs/reproduce/*.md: the claims of the source documents (claims/*.yaml), run by `holonom reproduce`.
#
#   reproduce.sh [--into FOLDER] [--fast] PROGRAM [NAME...]   run claims, all if none is named, write their pages and the index
#   reproduce.sh [--into FOLDER] --index PROGRAM              write the index again, from the pages that are there
#
# --fast leaves the slow claims out. The index joins the pages with the lists tools/reproduce/documents.txt and claims.txt.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
library=$root/tools/reproduce
folder=$root/docs
only=--all
usage() {
    echo "usage: reproduce.sh [--into FOLDER] [--fast] PROGRAM [NAME...] | [--into FOLDER] --index PROGRAM" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
    --into) [ $# -ge 2 ] || usage; folder=$2; shift ;;
    --fast) only=--fast ;;
    --index) only=none ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
[ $# -ge 1 ] || usage
program=$1
shift
[ -x "$program" ] || { echo "reproduce: there is no program '$program'" >&2; exit 1; }
export LC_ALL=C OPENBLAS_NUM_THREADS=1

# A line for each claim, with tabs: name, fast or slow, the rows of claims.txt that it answers.
list() {
    "$program" reproduce --json | awk '
        /^      "name": / { name = $2; gsub(/[",]/, "", name) }
        /^      "speed": / { speed = $2; gsub(/[",]/, "", speed) }
        /^      "answers": / { rows = $0; gsub(/.*: |[][",]/, "", rows) }
        /^    \}/ { print name "\t" speed "\t" rows }'
}

# The index, from the pages of all claims, in the order of tools/reproduce/documents.txt.
write_index() {
    list >"$scratch/list"
    while IFS='	' read -r name speed rows; do
        page=$folder/reproduce/$name.md
        [ -f "$page" ] || { echo "reproduce: there is no page $page yet: run its claim" >&2; return 1; }
        printf '@ %s\t%s\t%s\n' "$name" "$speed" "$rows"
        cat "$page"
    done <"$scratch/list" >"$scratch/pages"
    awk -f "$library/index.awk" "$library/documents.txt" "$library/claims.txt" "$scratch/pages" >"$folder/reproduce.md.new"
    mv "$folder/reproduce.md.new" "$folder/reproduce.md"
    echo "$folder/reproduce.md"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
status=0
case $only,$# in
none,0) ;;
none,*) usage ;;
*,0) "$program" reproduce --write "$folder" $only || status=1 ;;
*) "$program" reproduce --write "$folder" "$@" || status=1 ;;
esac
write_index || status=1
exit $status
