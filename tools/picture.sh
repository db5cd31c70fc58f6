#!/bin/sh
# Make the pictures of the pages in docs/images through Chromium (see tests/web/picture.mjs).
#
#   picture.sh PROGRAM [NAME…]   four_bar: the report of a run; study: that of a study; both unless some are named
set -eu

[ $# -ge 1 ] || { echo "usage: picture.sh PROGRAM [four_bar] [study]" >&2; exit 2; }
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
[ $# -gt 0 ] || set -- four_bar study
source=$(cd "$(dirname "$0")/.." && pwd)
title="the pictures of the pages"
browser=${HOLONOM_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$browser" ] || { echo "picture.sh: Chromium is not installed (Debian: chromium)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck source=tests/npm_harness.sh
. "$source/tests/npm_harness.sh"
fetch_packages web
for name in "$@"; do
    node web/picture.mjs "$program" "$source" "$browser" "$work" "$name" "$source/docs/images/$name.png"
done
