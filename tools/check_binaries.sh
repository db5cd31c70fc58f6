#!/bin/sh
# Check what was built, in every program and shared library below the folders: no search path for libraries that a
# stranger's folder could be (an empty or relative entry is the current folder); with --hardened also that addresses are
# free to move, symbols are bound at start and sealed, neither the stack nor anything that can be written can be executed; and
# that what holds the library was compiled with guards on the stack and checked functions of the C library.
#
#   check_binaries.sh [--hardened] FOLDER...
#   check_binaries.sh --self-test CC
set -eu

hardened=no found=0 checked=0

complain() {
    echo "$1: $2"
    found=1
}

# Entries of a search path: absolute, or from the place of the binary itself.
check_path() {
    path=$(readelf -dW "$1" 2>/dev/null | sed -n 's/.*(\(RPATH\|RUNPATH\)).*\[\(.*\)\]$/\2/p')
    [ -n "$path" ] || {
        ! readelf -dW "$1" 2>/dev/null | grep -q '(\(RPATH\|RUNPATH\))' || complain "$1" "an empty search path"
        return 0
    }
    rest=$path:
    while [ -n "$rest" ]; do
        entry=${rest%%:*} rest=${rest#*:}
        case $entry in
        /* | '$ORIGIN' | '$ORIGIN/'*) ;;
        *) complain "$1" "libraries are searched in '$entry', below the current folder ($path)" ;;
        esac
    done
}

check_hardening() {
    readelf -hW "$1" | grep -q 'Type: *DYN' || complain "$1" "is not position-independent"
    readelf -lW "$1" | grep -q 'GNU_RELRO' || complain "$1" "relocations are not sealed (relro)"
    readelf -dW "$1" | grep -q 'BIND_NOW\|Flags:.* NOW' || complain "$1" "symbols are not bound at start (now)"
    readelf -lW "$1" | awk '/GNU_STACK/ && $7 ~ /E/ { bad = 1 } END { exit bad }' || complain "$1" "its stack can be executed"
    readelf -lW "$1" | awk '$1 == "LOAD" && /RWE/ { bad = 1 } END { exit bad }' || complain "$1" "what it can write it can execute"
    ! readelf -dW "$1" | grep -q 'TEXTREL' || complain "$1" "its code is written to when it is loaded (textrel)"
    case ${1##*/} in holonom | libholonom.so* | holonom_fmu.so | _core*.so) check_guards "$1" ;; esac
}

# The library is large enough that both leave their calls in whatever holds it.
check_guards() {
    readelf -sW "$1" | grep -q '__stack_chk_fail' || complain "$1" "has no guards on its stack (-fstack-protector-strong)"
    readelf -sW "$1" | grep -q '__snprintf_chk' || complain "$1" "calls no checked functions (_FORTIFY_SOURCE)"
}

check() {
    for file in $(find "$@" -type d \( -name CMakeFiles -o -name node_modules -o -name scratch \) -prune -o \
        -type f \( -perm -u+x -o -name '*.so*' \) -print | LC_ALL=C sort); do
        [ "$(head -c 4 "$file" | tail -c 3)" = ELF ] || continue
        checked=$((checked + 1))
        check_path "$file"
        [ $hardened = no ] || check_hardening "$file"
    done
    [ "$checked" -gt 0 ] || { echo "there is nothing built below $*"; exit 1; }
    [ "$found" -eq 0 ] || exit 1
    echo "$checked binaries: no search path below the current folder$([ $hardened = no ] || echo ', hardened')"
}

# Each fault is made and must be found.
self_test() {
    cc=$1 work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    echo 'int main(void) { return 0; }' >"$work/m.c"
    expect() {
        want=$1 name=$2
        shift 2
        mkdir "$work/$name"
        "$cc" "$work/${source-m}.c" -o "$work/$name/${binary-m}" "$@" || { echo "self-test: '$name' cannot be built"; exit 1; }
        if sh "$0" --hardened "$work/$name" >/dev/null 2>&1; then got=good; else got=bad; fi
        [ $got = "$want" ] || { echo "self-test: '$name' was found $got"; exit 1; }
    }
    cat >"$work/g.c" <<'END'
#include <stdio.h>
int put(char *to, int n);
int put(char *to, int n) {
    char text[40];
    const int length = snprintf(text, sizeof text, "%d", n);
    to[0] = text[n & 31];
    return length;
}
int main(int n, char **words) { return put(words[0], n); }
END
    guards='-O2 -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2'
    good='-fPIE -pie -Wl,-z,relro,-z,now,-z,noexecstack'
    # shellcheck disable=SC2086 # one word per flag
    {
        expect good plain $good
        expect good absolute $good '-Wl,-rpath,/opt/lib:$ORIGIN/../lib'
        expect bad empty_entry $good '-Wl,-rpath,/opt/lib:'
        expect bad leading_entry $good '-Wl,-rpath,:/opt/lib'
        expect bad relative $good '-Wl,-rpath,lib'
        expect bad fixed -no-pie -Wl,-z,relro,-z,now
        expect bad lazy -fPIE -pie -Wl,-z,relro,-z,lazy
        expect bad unsealed -fPIE -pie -Wl,-z,norelro,-z,now
        expect bad stack $good -Wl,-z,execstack
        source=g binary=holonom
        expect good guarded $good $guards
        expect bad unguarded $good $guards -fno-stack-protector
        expect bad unchecked $good $guards -U_FORTIFY_SOURCE
    }
    echo "self-test passed"
}

case ${1-} in
--self-test) self_test "${2:-cc}" && exit 0 ;;
--hardened) hardened=yes && shift ;;
esac
[ $# -gt 0 ] || { echo "usage: check_binaries.sh [--hardened] FOLDER..." >&2; exit 2; }
check "$@"
