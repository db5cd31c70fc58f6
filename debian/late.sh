#!/bin/sh
# The packages of the libraries that a program loads when it first uses them, as a variable for debian/control.
#
#   late.sh PROGRAM
set -eu

packages=
for library in $("$1" version --features | sed -n 's/.*loaded when used: //p'); do
    package=$(dpkg -S "*/${library##*/}" | sed -n '1s/:.*//p')
    [ -n "$package" ] || {
        printf 'late.sh: no package has %s\n' "$library" >&2
        exit 1
    }
    packages="$packages${packages:+, }$package"
done
printf 'late:Depends=%s\n' "$packages"
