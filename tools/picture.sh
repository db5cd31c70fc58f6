#!/bin/sh
# Make the picture of the README, docs/images/four_bar.png, through the report page in Chromium (see tests/web/picture.mjs).
#
#   picture.sh PROGRAM [FILE]   FILE is docs/images/four_bar.png of the repository unless it is given
set -eu

[ $# -ge 1 ] && [ $# -le 2 ] || { echo "usage: picture.sh PROGRAM [FILE]" >&2; exit 2; }
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$(dirname "$0")/.." && pwd)
file=${2-$source/docs/images/four_bar.png}
title="the picture of the README"
browser=${HOLONOM_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$browser" ] || { echo "picture.sh: Chromium is not installed (Debian: chromium)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/npm_harness.sh
. "$source/tests/npm_harness.sh"
fetch_packages web
node web/picture.mjs "$program" "$source" "$browser" "$work" "$file"
