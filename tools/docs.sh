#!/bin/sh
# Write the generated pages of docs/ through the program, which makes them of its tables.
#
#   docs.sh PROGRAM [FOLDER]   FOLDER is docs/ of the repository unless it is given
#
# model-file.md           the reference page: keys, elements, options, methods, functions, units
# model-file.schema.json  the same as a JSON Schema, for editors
# holonom.code-snippets  its elements as snippets, for editors
# local-coordinates.md    local coordinates of every joint type, with their matrices in symbols
set -eu

[ $# -ge 1 ] && [ $# -le 2 ] || { echo "usage: docs.sh PROGRAM [FOLDER]" >&2; exit 2; }
program=$1
folder=${2-$(cd "$(dirname "$0")/.." && pwd)/docs}
[ -x "$program" ] || { echo "docs.sh: there is no program '$program'" >&2; exit 1; }
mkdir -p "$folder"

# A page replaces the old one only when it was made whole.
page() {
    name=$1
    shift
    if ! "$program" "$@" >"$folder/$name.new" || [ ! -s "$folder/$name.new" ]; then
        rm -f "$folder/$name.new"
        echo "docs.sh: '$program $*' failed; $folder/$name is as it was" >&2
        exit 1
    fi
    mv "$folder/$name.new" "$folder/$name"
    echo "$folder/$name"
}

page model-file.md schema --markdown
page model-file.schema.json schema
page holonom.code-snippets schema --snippets
page local-coordinates.md schema --local
