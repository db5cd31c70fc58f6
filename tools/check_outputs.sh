#!/bin/sh
# Check that every file is written through src/io/out_file.c: no other source opens, creates, renames or removes one.
#
#   check_outputs.sh [root]       check the tree at root (the repository by default)
#   check_outputs.sh --self-test  check the check, on a scratch tree
#
# Files that are opened for reading are none of its business, nor are those for what other programs print
# (src/common/program.c), those in a folder that is taken away (src/common/scratch.c), settings of the own process below
# /proc/self, and the answer so far of a study, x.so-far.h5, which gives way to the whole one (src/cli/study_so_far.c).
# H5Fcreate stands in src/io/hdf5_with_hdf5.c, on a file that out_file.c has opened, and in
# src/io/answer_hdf5_with_hdf5.c, on one in memory. Each violation is printed as file:line: message; the exit status is 1
# when there is one.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# Print the violations under $1; succeed when there are none.
check() {
    found=$(
        cd "$1"
        find src -type f \( -name '*.c' -o -name '*.h' \) | LC_ALL=C sort | while IFS= read -r file; do
            case $file in
            src/io/out_file.c | src/common/scratch.c | src/common/program.c | src/cli/study_so_far.c) continue ;;
            esac
            awk -v file="$file" '
                function says(what) { print file ":" FNR ": " what ": write files through io/out_file.h" }
                { line = $0; sub(/^ *\*.*|\/\*.*/, "", line) }
                line ~ /(^|[^a-z_])(fopen|fdopen|freopen)\(.*"[^"]*[wa+][^"]*"\)/ { says("a stream for writing") }
                line ~ /O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)/ && line !~ /open\("\/proc\/self\// { says("a file for writing") }
                line ~ /(^|[^a-z_])(creat|mkstemp|mkstemps|mkostemp|tmpfile|tmpnam|mknod|mkfifo|symlink|link)\(/ { says("a new file") }
                line ~ /(^|[^a-z_])(remove|unlink|unlinkat|rename|renameat)\(/ { says("a file replaced or removed") }
                line ~ /H5Fcreate/ && file !~ /^src\/io\/(answer_)?hdf5_with_hdf5.c$/ { says("a new HDF5 file") }
            ' "$file"
        done
    )
    [ -z "$found" ] || { printf '%s\n' "$found"; return 1; }
}

# A scratch tree whose file $2 has the line $3 is $1: good or bad.
try() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$2")"
    printf 'first\n%s\n' "$3" >"$scratch/tree/$2"
    if out=$(check "$scratch/tree"); then got=good; else got=bad; fi
    tests=$((tests + 1))
    case $got:$1:$out in
    good:good: | bad:bad:"$2:2: "*) ;;
    *)
        failed=$((failed + 1))
        echo "expected $1 but found $got: $2 with '$3'${out:+, said: $out}"
        ;;
    esac
}

self_test() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    tests=0 failed=0
    try good src/io/a.c '    FILE *file = fopen(path, "rb");'
    try good src/io/a.c '    const int fd = open(path, O_RDONLY | O_CLOEXEC);'
    try good src/io/a.c ' * fopen(path, "w") in a comment'
    try good src/io/a.c '    hol__node_remove(child);'
    try good src/io/out_file.c '    fd = open(part, O_RDWR | O_CREAT, 0666);'
    try good src/io/hdf5_with_hdf5.c '    f->file = H5Fcreate(part, H5F_ACC_TRUNC, create, access);'
    try bad src/io/a.c '    FILE *file = fopen(path, "wb");'
    try bad src/cli/a.c '    FILE *file = fopen(path, "a");'
    try bad src/cli/a.c '    FILE *file = path ? fopen(path, "r+") : stdout;'
    try bad src/io/a.c '    fd = open(path, O_WRONLY | O_CLOEXEC);'
    try bad src/io/a.c '    fd = open(path, O_RDONLY | O_CREAT, 0666);'
    try bad src/io/a.c '    fd = open("/proc/1/oom_score_adj", O_WRONLY);'
    try good src/io/a.c '    fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);'
    try bad src/cli/a.c '    unlink(path);'
    try bad src/report/a.c '    if (file) remove(path);'
    try bad src/io/a.c '    if (rename(from, to) != 0) return 0;'
    try bad src/io/a.c '    const int fd = mkstemp(name);'
    try bad src/io/a.c '    file = H5Fcreate(path, H5F_ACC_TRUNC, create, access);'
    echo "$tests cases, $failed failed"
    [ "$failed" -eq 0 ]
}

case ${1-} in
--self-test) self_test ;;
*) check "${1:-$here/..}" ;;
esac
