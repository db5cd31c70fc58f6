#!/bin/sh
# Format the C sources with clang-format: format.sh [--check] [program]
set -eu

cd "$(dirname "$0")/.."
check=no
[ "${1-}" != --check ] || { check=yes; shift; }
program=${1-$(command -v clang-format-14 || command -v clang-format || true)}
[ -n "$program" ] || { echo "clang-format was not found (Debian: clang-format)"; exit 1; }

files=$(find include src tests examples bench python/src -type f \( -name '*.c' -o -name '*.h' \) | LC_ALL=C sort)
[ -n "$files" ] || exit 0
# shellcheck disable=SC2086 # the names hold no spaces
if [ $check = no ]; then
    exec "$program" -i $files
fi

# The formatter names each place that it would change; of these the files.
# shellcheck disable=SC2086
out=$("$program" --dry-run --ferror-limit=1 -Werror $files 2>&1) && exit 0
bad=$(printf '%s\n' "$out" | sed -n 's/^\([^: ]*\):[0-9]*:[0-9]*: error: .*/\1/p' | LC_ALL=C sort -u)
[ -n "$bad" ] || { printf '%s\n' "$out"; exit 1; }
printf '%s\n' "$bad" | sed 's/$/: not formatted/'
echo "$(printf '%s\n' "$bad" | wc -l) files are not formatted; ./dev format does it"
exit 1
