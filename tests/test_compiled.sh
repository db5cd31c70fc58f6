#!/bin/sh
# run --compiled: machine code for one mechanism gives the run of the library, is kept, and is refused where it does not fit.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

models=${HOLONOM_MODELS:?names the folder of the models}
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
unset CC

# The largest difference of two CSV files over the size of its column, columns that are rounding left out.
difference() {
    awk -F, '/^#/ || NR == FNR && FNR == 1 { next }
        NR == FNR { if ($1 + 0 == $1) { n++; for (i = 1; i <= NF; i++) one[n, i] = $i } next }
        $1 + 0 == $1 { m++; for (i = 1; i <= NF; i++) {
            d = $i - one[m, i]; if (d < 0) d = -d; a = $i < 0 ? -$i : $i
            if (a > size[i]) size[i] = a
            if (d > off[i]) off[i] = d } }
        END { for (i in size) if (size[i] > 1e-6 && off[i] / size[i] > worst) worst = off[i] / size[i]
            if (n != m || n < 2) worst = 1
            printf "%.3e\n", worst }' "$1" "$2"
}

# The same steps are taken, so that the difference is rounding, magnified as far as the motion does that.
runs() {
    need fyaml cc
    while read -r name most; do
        run 0 run "$models/$name.yaml" --compiled -o compiled.csv
        has out 'kernel compiled'
        lacks out 'beside the code'
        run 0 run "$models/$name.yaml" --coordinates relative --method direct-correction -o plain.csv
        lacks out 'kernel compiled'
        d=$(difference plain.csv compiled.csv)
        awk -v d="$d" -v most="$most" 'BEGIN { exit !(d <= most) }' || wrong "$name differs by $d, more than $most"
    done <<'END'
four_bar 1e-10
slider_crank_spatial 1e-9
engine 1e-10
heavy_top 1e-10
iltis_corner_links 1e-9
rotary_drive 1e-10
elements/spring_table 1e-9
elements/drag 1e-9
END
}
try runs "loops, space, drivers, springs, drag: the run of the library, energy and work included"

kept() {
    need fyaml cc
    model=$models/pendulum.yaml
    run 0 run "$model" --compiled -o first.csv
    CC=/bin/false run 4 run "$model" --compiled -o none
    has err "the compiler '/bin/false' failed with code 1"
    CC=/nonexistent/cc run 4 run "$model" --compiled -o none
    has err "cannot run the compiler '/nonexistent/cc': No such file"
    # by the same compiler it is known again, and needs none
    PATH=/nonexistent run 0 run "$model" --compiled -o second.csv
    cmp -s first.csv second.csv || wrong "the kept code gives other numbers"
    PATH=/nonexistent run 0 run "$model" --compiled --end 2 --integrator dopri5 -o none
    PATH=/nonexistent run 4 run "$model" --compiled --set gravity=[0,-5] -o none
    # a home folder that is not there is not made
    XDG_CACHE_HOME='' HOME=$PWD/nowhere run 0 run "$model" --compiled -o homeless.csv
    cmp -s first.csv homeless.csv || wrong "code that is not kept gives other numbers"
    [ ! -e nowhere ] || wrong "a home folder was made"
    for file in "$XDG_CACHE_HOME"/holonom/*.so; do echo damaged >"$file"; done
    run 0 run "$model" --compiled -o third.csv
    cmp -s first.csv third.csv || wrong "code that was damaged was not made again"
    # a file that was cut is mapped by the loader as if it were whole, and touching what is not there is a signal
    for cut in 1 200 2000 9000 15000; do
        for file in "$XDG_CACHE_HOME"/holonom/*.so; do
            head -c $cut "$file" >cut
            cat cut >"$file"
        done
        run 0 run "$model" --compiled -o third.csv
        cmp -s first.csv third.csv || wrong "code that was cut to $cut bytes was not made again"
    done
    [ "$(find "$XDG_CACHE_HOME"/holonom -type f ! -name '*.so' | wc -l)" = 0 ] || wrong "files were left behind"
}
try kept "code is kept, made again where it is damaged, and a compiler that fails is named"

guarded() {
    need fyaml cc
    mkdir -p open/holonom
    chmod 755 open/holonom
    XDG_CACHE_HOME=$PWD/open run 4 run "$models/pendulum.yaml" --compiled -o none
    has err 'cannot keep code in .*: others may enter it'
    mkdir -p linked/holonom
    chmod 700 linked/holonom
    XDG_CACHE_HOME=$PWD/linked run 0 run "$models/pendulum.yaml" --compiled -o none
    for file in linked/holonom/*.so; do mv "$file" elsewhere.so && ln -s "$PWD/elsewhere.so" "$file"; done
    XDG_CACHE_HOME=$PWD/linked run 4 run "$models/pendulum.yaml" --compiled -o none
    has err 'cannot take code from .*: it is not a file of this user'
    rm -r linked
    # whoever may rename a folder above puts their own in its place
    mkdir -p public/mine
    chmod 777 public
    XDG_CACHE_HOME=$PWD/public/mine run 4 run "$models/pendulum.yaml" --compiled -o none
    has err 'cannot keep code in .*: a folder above it belongs to somebody else, or anybody may write in it$'
    chmod 1777 public
    XDG_CACHE_HOME=$PWD/public/mine run 0 run "$models/pendulum.yaml" --compiled -o none
    XDG_CACHE_HOME='' HOME='' run 0 run "$models/pendulum.yaml" --compiled -o none
}
try guarded "code that others could have written is not run"

refused() {
    need fyaml cc
    run 2 run "$models/bouncing_ball.yaml" --compiled -o none
    has err "bouncing_ball.yaml:[0-9]*:[0-9]*: error: event 'bounce': no code can be generated for it"
    run 2 run "$models/four_bar.yaml" --compiled --method lagrange -o none
    has err 'take the method direct-correction'
    run 2 run "$models/four_bar.yaml" --compiled --kernel schur -o none
    has err 'it stands for a kernel: name none'
    run 2 run "$models/four_bar.yaml" --compiled --coordinates reference -o none
    has err 'it has the equations in relative coordinates'
}
try refused "what the code cannot do is an error with its place"

# Interrupted and resumed, the run ends in the same bits.
resumed() {
    need fyaml cc
    model=$models/four_bar.yaml
    run 0 run "$model" --compiled --end 3000 -o whole.csv
    "$program" run "$model" --compiled --end 3000 -o parts.csv --checkpoint-simulated 10s --quiet >out 2>err &
    sleep 0.4
    kill -TERM $! || wrong "the run had ended before it was stopped"
    wait $!
    run 0 resume parts.csv
    has out 'kernel compiled'
    cmp -s whole.csv parts.csv || wrong "it ends in other bits"
}
try resumed "a run that is stopped goes on with the code"

# A signal while the compiler runs leaves no file; what SIGKILL leaves is taken away by the next run, and the compiler ends.
ended() {
    need fyaml cc
    mkdir tmp
    printf '#!/bin/sh\nsleep 2\nexec cc "$@"\n' >slow
    chmod +x slow
    for signal in TERM KILL; do
        XDG_CACHE_HOME=$PWD/$signal TMPDIR=$PWD/tmp CC=$PWD/slow \
            "$program" run "$models/elements/drag.yaml" --compiled --set end=0.5 --no-output >out 2>err </dev/null &
        pid=$!
        n=0
        while [ -z "$(ls -A tmp)" ] && [ $n -lt 200 ]; do
            sleep 0.05
            n=$((n + 1))
        done
        kill -$signal $pid
        wait $pid 2>/dev/null
        code=$?
        [ $signal = KILL ] || same $code 143 "the exit code"
        [ $signal = KILL ] || has err 'interrupted while the code was compiled'
        [ $signal = KILL ] || same "$(ls -A tmp)" '' "what SIGTERM left"
    done
    same "$(find tmp -mindepth 1 -maxdepth 1 | wc -l | tr -d ' ')" 1 "the number of folders that SIGKILL left"
    TMPDIR=$PWD/tmp run 0 run "$models/elements/drag.yaml" --compiled --set end=0.25 --no-output
    same "$(ls -A tmp)" '' "what is left after the next run"
}
try ended "a signal while the code is compiled leaves nothing behind"

finish
