#!/bin/sh
# Messages of the program that its other tests do not bring about.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# A result of the pendulum in p.h5 and p.csv.
result() {
    need fyaml
    need hdf5
    pendulum >p.yaml
    run 0 run p.yaml -o p.h5 -o p.csv -q --set end=0.5 --set output=0.05
}

animations() {
    result
    run 2 animate p.h5 -o motion.glb --strobe 0.1
    has err "error: --strobe makes a picture: name a file .svg, .png or .pdf"
    run 2 animate p.h5 -o frames --rate 240 --speed 1e-6
    has err "frames are too many (at most 99999); ask for fewer per second"
    run 2 animate p.h5 -o m.glb --rate 240 --speed 1e-6
    has err "key frames are too many (at most [0-9]*); ask for fewer per second"
    run 2 animate p.h5 -o none --from -5 --to -1
    has err "error: there is nothing from t = -5 to t = -1; the result runs from 0 to 0.5"
}
try animations "pictures that are not possible are refused"

folder_for_ffmpeg() {
    built cairo || exit 77
    result
    run 0 animate p.h5 -o 'a%b' --width 100 --height 100 --rate 2
    has err "note: no video was made: the name of the folder does not suit ffmpeg"
}
try folder_for_ffmpeg "a folder that ffmpeg cannot take has frames and no video"

no_column() {
    result
    run 2 plot p.csv
    has err "error: name at least one column; 'holonom results p.csv' lists them"
}
try no_column "a plot needs a column"

comparisons() {
    need fyaml
    pendulum >p.yaml
    run 2 compare p.yaml --reference-tol x
    has err "error: '--reference-tol x': write a number such as 1e-12"
    many=$(awk 'BEGIN { for (i = 1; i <= 101; i++) printf "%s%d", (i > 1 ? "," : ""), i }')
    run 2 compare p.yaml --vary "alpha=$many" --vary "beta=$many"
    has err "error: --vary asks for more than 10000 combinations"
    figures=$(awk 'BEGIN { for (i = 1; i <= 17; i++) printf "%s%s", (i > 1 ? "," : ""), "error" }')
    run 2 compare p.yaml --figures "$figures" --plot x.svg
    has err "error: '--figures': at most 16"
}
try comparisons "what a comparison is asked for has limits"

# Settings of a simulation and values of the model that are written like options.
settings_as_options() {
    need fyaml
    pendulum >p.yaml
    run 2 run p.yaml --tolerance 1e-6
    has err "there is no option '--tolerance'; write --tol 1e-6"
    run 2 run p.yaml --max-step=0.1
    has err "there is no option '--max-step'; write --set max_step=0.1"
    run 2 check p.yaml --start
    has err "there is no option '--start'; write --set start=..."
    run 2 run p.yaml --bodies.rod.mass 3
    has err "there is no option '--bodies.rod.mass'; write --set bodies.rod.mass=3"
    run 2 run p.yaml --gravity 0
    has err "there is no option '--gravity'; a value of the model is --set gravity=0"
    run 2 run p.yaml --dt 0.1
    has err "there is no option '--dt'; did you mean '--step'?"
}
try settings_as_options "settings that are written like options are told with --set"

# After two seconds of a long run without a terminal it says how long it will take.
long_run() {
    need fyaml
    pendulum >p.yaml
    got=0
    timeout -s INT 4 "$program" run p.yaml --set end=1e6 --set output=1e5 --step 0.0001 >out 2>err </dev/null || got=$?
    has err "note: t = .* of 1e+06 s after [0-9]* s: about .* to go"
    has err "interrupted at t = "
}
if command -v timeout >/dev/null 2>&1; then try long_run "a long run says how long it will take"; fi

finish
