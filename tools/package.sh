#!/bin/sh
# Make packages for Debian and a tarball of the sources.
#
#   package.sh FOLDER    FOLDER/holonom_0.2.0-1_amd64.deb and its kin, FOLDER/holonom-0.2.0.tar.gz
#
# Packages are made from what is committed, in a copy of it, so that nothing of the working tree gets into them or is changed.
# The exit status is 1 where a package cannot be made, or lintian has an error or a warning.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
version=$(sed -n 's/^#define HOL_VERSION "\(.*\)"/\1/p' "$root/include/holonom/version.h")
name=holonom-$version
[ "$(sed -n '1s/.*(\(.*\)-.*/\1/p' "$root/debian/changelog")" = "$version" ] || {
    printf 'package.sh: debian/changelog has another version than include/holonom/version.h: %s\n' "$version" >&2
    exit 1
}

rm -rf "${folder:?}/$name" "$folder"/*.deb "$folder"/*.tar.gz "$folder"/*.changes "$folder"/*.buildinfo "$folder"/*.log
git -C "$root" archive --prefix="$name/" -o "$folder/$name.tar.gz" HEAD
tar -xzf "$folder/$name.tar.gz" -C "$folder"
printf 'package.sh: building in %s\n' "$folder/$name"
(cd "$folder/$name" && dpkg-buildpackage -us -uc -b -j2) </dev/null >"$folder/build.log" 2>&1 || {
    tail -n 30 "$folder/build.log" >&2
    printf 'package.sh: the packages could not be made: see %s\n' "$folder/build.log" >&2
    exit 1
}
# The packages are not meant for the archive of Debian, so that there is no report of a wish for them to close.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$folder"/*.changes
rm -rf "${folder:?}/$name"
ls -l "$folder"/*.deb "$folder"/*.tar.gz
