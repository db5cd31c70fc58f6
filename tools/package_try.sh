#!/bin/sh
# Install the packages in a clean Debian system and use them there, as root.
#
#   package_try.sh FOLDER    with the packages of tools/package.sh; the system is FOLDER/system, made by debootstrap, and is
#                            removed where everything works
set -eu

folder=$(cd "$1" && pwd)
system=$folder/system
tests=0 failed=0

# A field of where apt gets its packages from on this machine, for a release of Debian itself.
source_field() {
    apt-get indextargets --format "\$($1)" 'Created-By: Packages' 'Component: main' | grep -v -- '-security' | head -n 1
}

# The words after $1 succeed in the clean system.
there() {
    what=$1
    shift
    tests=$((tests + 1))
    # nothing of this machine's environment: a compiler launcher would not be there
    if chroot "$system" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive "$@" >"$folder/try.log" 2>&1 </dev/null; then
        printf 'ok %d - %s\n' "$tests" "$what"
    else
        failed=$((failed + 1))
        printf 'not ok %d - %s\n' "$tests" "$what"
        sed 's/^/# /' "$folder/try.log" | tail -n 10
    fi
}

# A script that the clean system runs.
shell() {
    what=$1
    shift
    there "$what" bash -c "set -eu; cd /root; $*"
}

leave() {
    umount "$system/proc" 2>/dev/null || true
}
trap leave EXIT

rm -rf "${system:?}"
debootstrap --variant=minbase --include=ca-certificates "$(source_field CODENAME)" "$system" "$(source_field SITE)" >"$folder/debootstrap.log" 2>&1 || {
    tail -n 5 "$folder/debootstrap.log" >&2
    exit 1
}
# where this machine gets its packages, that one does
cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d "$system/etc/apt/" 2>/dev/null || true
cp /etc/resolv.conf /etc/hosts "$system/etc/" 2>/dev/null || true
mount -t proc proc "$system/proc"
mkdir "$system/packages"
cp "$folder"/*.deb "$system/packages/"
rm -f "$system"/packages/*-dbgsym_*
# pages of the manual are left out in the smallest systems
rm -f "$system/etc/dpkg/dpkg.cfg.d/docker"

there "the list of packages" apt-get update -q
there "install" env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get install -q -y --no-install-recommends /packages/*.deb man-db bash-completion gcc libc6-dev pkg-config cmake make'
shell "run and report" 'holonom run /usr/share/holonom/models/four_bar.yaml -q -o a.h5; holonom report a.h5 -o a.html -q; test -s a.html'
shell "a picture" 'holonom view /usr/share/holonom/models/four_bar.yaml -o a.png -q; test -s a.png'
shell "every optional part is there" '! holonom version --features | grep -w no'
shell "a claim of the literature" 'holonom reproduce pv-table-2-pendulum | grep "pv-table-2-pendulum: holds"'
shell "man" 'man holonom | grep -i "constrained"; man holonom-run | grep -e "--tol"'
shell "Tab" 'source /usr/share/bash-completion/bash_completion; _completion_loader holonom || test $? = 124
    COMP_WORDS=(holonom lin); COMP_CWORD=1; _holonom; test "${COMPREPLY[0]}" = linearize'
cat >"$system/root/user.c" <<'C'
#include <holonom/holonom.h>
#include <stdio.h>
int main(void) {
    return puts(hol_version()) < 0;
}
C
cat >"$system/root/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(holonom REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE holonom::holonom)
C
shell "pkg-config" 'gcc user.c -o user $(pkg-config --cflags --libs holonom); ./user | grep "^[0-9]"; ldd user | grep libholonom.so.0'
shell "find_package" 'cmake -S . -B b; cmake --build b; b/user'
cat >"$system/root/user.py" <<'PY'
import importlib.metadata
import holonom
result = holonom.load("/usr/share/holonom/models/four_bar.yaml").run(end=1)
assert result.time[-1] == 1 and result["crank_angle"].shape == result.time.shape, result
assert importlib.metadata.version("holonom") == holonom.__version__
print(holonom.__version__, holonom.__file__)
PY
shell "Python" "python3 user.py | grep /usr/lib/python3/dist-packages/holonom"
shell "compiled runs" 'holonom run /usr/share/holonom/models/four_bar.yaml -q --compiled --no-output'
shell "remove" 'apt-get purge -q -y holonom libholonom0.2 libholonom-dev python3-holonom holonom-doc; test ! -e /usr/bin/holonom; test ! -e /usr/share/holonom'
printf '1..%d\n' "$tests"
[ "$failed" -ne 0 ] || {
    leave
    rm -rf "${system:?}"
}
exit $((failed > 0))
