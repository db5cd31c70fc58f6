#!/bin/sh
# Build the documentation site.
#
#   site.sh PROGRAM FOLDER [NAME...]    FOLDER/html/index.html; with names, only these machines move
#
# It needs mkdocs with the theme material, KaTeX and Node.js (Debian: mkdocs, mkdocs-material, libjs-katex, nodejs) and no network.
# The exit status is 1 where mkdocs has a warning.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
program=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
[ $# -eq 0 ] || set -- --motions "$@"
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$here/site/stage.py" "$program" "$folder" "$@"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here/site" /usr/bin/python3 -m mkdocs build --quiet --strict --config-file "$folder/mkdocs.yml"
# for pages that are read from a disk, where a script may not fetch
{
    printf 'var __search_index = '
    cat "$folder/html/search/search_index.json"
} >"$folder/html/search/search_index.js"
