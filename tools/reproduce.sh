#!/bin/sh
# Write docs/reproduce.md and docs/reproduce/*.md: the claims of the source documents, run by the program.
#
#   reproduce.sh [--into FOLDER] [--fast] PROGRAM [SECTION...]   run sections, all if none is named, and write their pages and the index
#   reproduce.sh [--into FOLDER] --index                         write the index again, from the pages that are there
#
# A section is a script tools/reproduce/<document>-<name>.sh; tools/reproduce/lib.sh is what it is written with. Two lines of its head
# are read here: `# speed: fast` (the tests run it) or `slow`, and `# rows: 15 24`, the lines of tools/reproduce/claims.txt it answers.
# --fast leaves the slow sections out. A page replaces the old one only when its section ran to the end.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
folder=$root/docs
only=all
usage() {
    echo "usage: reproduce.sh [--into FOLDER] [--fast] PROGRAM [SECTION...] | [--into FOLDER] --index" >&2
    exit 2
}
while [ $# -gt 0 ]; do
    case $1 in
    --into) [ $# -ge 2 ] || usage; folder=$2; shift ;;
    --fast) only=fast ;;
    --index) only=none ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done

library=$root/tools/reproduce
export library root
export LC_ALL=C OPENBLAS_NUM_THREADS=1

# The word behind `# $2:` in the head of the section $1.
head_of() {
    sed -n "s/^# $2: *//p" "$library/$1.sh" | head -n 1
}

# Run the section $1 in a folder of its own; its page replaces the old one.
write_section() {
    work=$scratch/$1
    mkdir "$work"
    cp -R "$root/models" "$work/models" # a model reads files below its own folder only
    rm -rf "$work.images"
    mkdir "$work.images"
    (
        cd "$work"
        section=$1 images=$work.images failures=$work.failures
        # shellcheck source=tools/reproduce/lib.sh
        . "$library/lib.sh"
        # shellcheck disable=SC1090 # the section
        . "$library/$1.sh"
    ) >"$work.md" || echo "reproduce: $1 stopped" >>"$work.failures"
    if [ -s "$work.failures" ]; then
        cat "$work.failures" >&2
        echo "reproduce: $folder/reproduce/$1.md is as it was" >&2
        return 1
    fi
    mkdir -p "$folder/reproduce/images"
    for picture in "$work.images"/*; do
        [ ! -e "$picture" ] || cp "$picture" "$folder/reproduce/images/"
    done
    cp "$work.md" "$folder/reproduce/$1.md.new"
    mv "$folder/reproduce/$1.md.new" "$folder/reproduce/$1.md"
    echo "$folder/reproduce/$1.md"
}

# The index, from the pages of all sections, in the order of tools/reproduce/documents.txt.
write_index() {
    mkdir -p "$folder"
    for section in "$library"/*-*.sh; do
        name=$(basename "$section" .sh)
        page=$folder/reproduce/$name.md
        [ -f "$page" ] || { echo "reproduce: there is no page $page yet: run its section" >&2; return 1; }
        printf '@ %s\t%s\t%s\n' "$name" "$(head_of "$name" speed)" "$(head_of "$name" rows)"
        cat "$page"
    done >"$scratch/pages"
    awk -f "$library/index.awk" "$library/documents.txt" "$library/claims.txt" "$scratch/pages" >"$folder/reproduce.md.new"
    mv "$folder/reproduce.md.new" "$folder/reproduce.md"
    echo "$folder/reproduce.md"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
if [ $only = none ]; then
    [ $# -eq 0 ] || usage
    write_index
    exit
fi

[ $# -ge 1 ] || usage
program=$1
shift
[ -x "$program" ] || { echo "reproduce: there is no program '$program'" >&2; exit 1; }
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
export program

if [ $# -eq 0 ]; then
    for section in "$library"/*-*.sh; do
        name=$(basename "$section" .sh)
        case $only,$(head_of "$name" speed) in
        fast,slow) ;;
        *,fast | *,slow) set -- "$@" "$name" ;;
        *) echo "reproduce: the head of $section lacks '# speed: fast' or '# speed: slow'" >&2; exit 1 ;;
        esac
    done
fi
status=0
for name in "$@"; do
    name=$(basename "$name" .sh)
    [ -f "$library/$name.sh" ] || { echo "reproduce: there is no section '$name' in $library" >&2; exit 1; }
    write_section "$name" || status=1
done
write_index || status=1
exit $status
