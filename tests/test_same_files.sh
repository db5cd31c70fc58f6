#!/bin/sh
# The same files, bit for bit, from another folder, under another clock, locale, time zone, umask and number of threads: results,
# answers of every kind, studies, pages, pictures, generated code, robot descriptions, FMUs.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}
source=${HOLONOM_SOURCE:?names the folder of the sources}

# One file after the other, in the current folder; $1: threads.
make_all() {
    pendulum | sed 's/^simulation:.*/simulation: {end: 0.05, output: 0.01}/' >m.yaml
    printf 'model: m.yaml\nfactors: {L: {from: 0.7 m, to: 0.8 m}}\ndesign: sobol\ncases: 8\nresponses: {e: end swing}\n' >s.yaml
    cp "$source/tests/import/delta_leg.urdf" .
    while read -r words; do
        # shellcheck disable=SC2086 # the words of the command
        run 0 $words -q
    done <<END
run m.yaml -o r.csv
run $models/five_bar.yaml --end 0.1 -o five.csv
study s.yaml -j $1 -o s.json
study s.yaml -j $1 -o s.csv
linearize m.yaml -o l.json
linearize m.yaml -o l.html
statics m.yaml -o s.txt
equations m.yaml --symbolic -o e.tex
equations m.yaml --symbolic -o e.mat
sensitivity m.yaml -p L -o d.json
generate m.yaml -o generated
import delta_leg.urdf -o imported.yaml
view m.yaml -o v.svg
plot r.csv swing -o p.svg
view m.yaml -o v.glb
END
    run 0 export m.yaml --partial -o x.xml -q
    if "$program" version --features | grep -q '^ *hdf5 *yes'; then
        run 0 run m.yaml -o r.h5 -q
        run 0 equations m.yaml --symbolic -o e.h5 -q
        run 0 results r.h5 --to r.mat
    fi
    if [ -f "$(dirname "$program")/holonom_fmu.so" ]; then
        run 0 fmu m.yaml -o m.fmu -q
        run 0 fmu m.yaml --fmi 3 -o m3.fmu -q
    fi
    # the log has the cases in the order in which they were done; the answer of a study says how long it took
    rm -f out err s.cases
    sed -i '/^ *"seconds": /d' s.json
}

same_files() {
    need fyaml
    mkdir -p here and/deeper/there
    (cd here && make_all 1)
    sleep 1
    (
        cd and/deeper/there || exit 1
        umask 077
        LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=Asia/Tokyo HOME=/nonexistent COLUMNS=40 OPENBLAS_NUM_THREADS=3
        export LC_ALL LANG TZ HOME COLUMNS OPENBLAS_NUM_THREADS
        make_all 3
    )
    for folder in here and/deeper/there; do
        [ ! -s $folder/wrong ] || cat $folder/wrong >>wrong
    done
    diff -rq here and/deeper/there >differ || wrong "$(cat differ)"
    [ "$(find here -type f | wc -l)" -gt 30 ] || wrong "only these were written: $(ls here)"
}
try same_files "the same files from another folder, locale, time zone, umask and number of threads"

finish
