#!/bin/sh
# The packages of the libraries that a program loads when it first uses them, as variables for debian/control: MPI, which is for clusters and brings
# a hundred packages with it, is suggested, all others are needed.
#
#   late.sh PROGRAM
set -eu

needed='' suggested=''
for library in $("$1" version --features | sed -n 's/.*loaded when used: //p'); do
    package=$(dpkg -S "*/${library##*/}" | sed -n '1s/:.*//p')
    [ -n "$package" ] || {
        printf 'late.sh: no package has %s\n' "$library" >&2
        exit 1
    }
    case $library in
    *libmpi*) suggested="$suggested${suggested:+, }$package" ;;
    *) needed="$needed${needed:+, }$package" ;;
    esac
done
printf 'late:Depends=%s\nlate:Suggests=%s\n' "$needed" "$suggested"
