#!/bin/sh
# The program from end to end: report, view, plot, animate: what they write, say and return.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# A result of the pendulum in p.h5.
result() {
    need fyaml
    need hdf5
    pendulum >p.yaml
    run 0 run p.yaml -o p.h5 -q
}

pages() {
    need web
    result
    mkdir there
    cp p.h5 there/q.h5
    run 0 report there/q.h5
    same "$(cat out)" there/q.html "what it says"
    is_file there/q.html
    run 0 report p.h5 there/q.h5 -o both.html -q
    is_empty out
    is_file both.html
    run 0 view p.yaml
    same "$(cat out)" p.html "what it says"
    is_file p.html
    run 0 view p.yaml -o other.html --set lift=0.3
    is_file other.html
}
try pages "report and view write pages and say where"

no_pages() {
    need web
    result
    run 2 report
    run 4 report missing.h5
    has err "missing.h5"
    is_absent missing.html
    run 2 report p.h5 -o p.h5
    has err "would overwrite"
    run 4 report p.h5 -o nowhere/x.html
    has err "cannot write 'nowhere/x.html'"
    echo "bodies: [" >bad.yaml
    run 3 view bad.yaml
    is_absent bad.html
}
try no_pages "what cannot be shown leaves no page"

# A rod that hangs at rest, with a position that is measured as $1 says.
hanging() {
    printf '%s\n' 'holonom: 1' 'space: planar' 'gravity: [0, -9.81]' 'bodies:' \
        '  rod: {mass: 2.385, inertia: 0.1, along: [[0, 0], [0, -0.8]]}' \
        '  top: {mass: 1, inertia: 0.1, position: [0.5, 0], velocity: [1, 0]}' 'joints:' \
        '  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}' \
        '  rail: {type: prismatic, bodies: [ground, top], at: [0.5, 0], axis: [1, 0]}' 'measures:' \
        "  p: {type: position, body: top$1}" 'units: {force: kN}' 'simulation: {end: 0.5}' >hang.yaml
}

loads() {
    need fyaml
    need hdf5
    hanging ''
    run 0 run hang.yaml -o h.h5 -q
    run 0 view h.h5 --at 0.25 --show reactions -o r.svg
    has r.svg '>A 0.0234 kN</text>' # m g = 23.397 N, on ground, in the units of the result
    has r.svg '>rail 0.00981 kN</text>'
    lacks r.svg 'opacity="0.35"'
    # down: from the pivot to below it
    line=$(sed -n 's/.*<polyline.*stroke="#d3455b".*points="\([0-9., -]*\)".*/\1/p' r.svg | head -n 1)
    echo "$line" | awk -F'[ ,]' '{ exit !($1 == $3 && $4 > $2 + 20) }'
    same $? 0 "whether the reaction of ground points down ($line)"
    run 0 animate h.h5 --show trails,reactions -o frames --svg -q
    has frames/frame_00000.svg '>A 0.0234 kN</text>'
    has frames/frame_00000.svg 'opacity="0.35"'
    run 0 animate h.h5 --strobe 0.1 --show forces,trails -o s.svg -q
    lacks s.svg '>A 0.0234 kN</text>' # there are no forces, and reactions were not asked for
    run 2 view h.h5 --at 0.1 --show arrows -o r.svg
    has err "not 'arrows'"
}
try loads "reactions as arrows with their values, and trails, in pictures and frames"

# In space z of a body along two points is as near to the global z as can be: of a rod along (1, 1, 0) y is (-1, 1, 0)/sqrt 2; of an
# upright one z is the global y. The picture's axes follow from the first body, whose frame is the global one.
axes() {
    need fyaml
    printf '%s\n' 'holonom: 1' 'space: spatial' 'bodies:' '  a: {mass: 1, inertia: [1, 1, 1]}' \
        '  b: {mass: 1, inertia: [1, 1, 1], along: [[0, 0, 0], [1, 1, 0]]}' \
        '  c: {mass: 1, inertia: [1, 1, 1], along: [[0, 0, 0], [0, 0, 1]]}' >f.yaml
    run 0 view f.yaml --show axes -o f.svg
    for color in c22f45 1d7d46 2767d2; do
        sed -n 's/.*<polyline.*stroke="#'$color'".*points="\([0-9., -]*\)".*/\1/p' f.svg
    done | awk -F'[ ,]' '{ dx[NR] = $3 - $1; dy[NR] = $4 - $2 }
        END { ok = NR == 9; s = sqrt(0.5)
            # rows: x of a, b, c, then y, then z
            ok = ok && near(dx[2], s * (dx[1] + dx[4])) && near(dy[2], s * (dy[1] + dy[4]))
            ok = ok && near(dx[5], s * (dx[4] - dx[1])) && near(dy[5], s * (dy[4] - dy[1]))
            ok = ok && near(dx[8], dx[7]) && near(dy[8], dy[7])
            ok = ok && near(dx[3], dx[7]) && near(dy[3], dy[7]) && near(dx[6], dx[1]) && near(dx[9], dx[4])
            exit !ok }
        function near(a, b) { return a - b < 0.05 && b - a < 0.05 }'
    same $? 0 "whether the axes point where they should"
    run 2 view f.yaml --show axes -o f.gltf
    has err '.--show is for pictures'
    need hdf5
    run 0 run f.yaml --end 0.1 -o f.h5 -q
    run 0 animate f.h5 --show axes -o f.gltf -q
    has f.gltf '"axis z"'
    run 0 animate f.h5 -o f.gltf -q
    lacks f.gltf '"axis z"'
}
try axes "the axes of bodies that are given along two points"

relative_trails() {
    need fyaml
    need hdf5
    for how in ', relative_to: rod' ', in: rod' ', from: [0.3, 0]' ', relative_to: rod, in: ground'; do
        hanging "$how"
        run 0 run hang.yaml -o h.h5 -q
        run 0 view h.h5 --at 0.25 --show trails -o t.svg
        lacks t.svg 'stroke="#c8415f"' # the colour of measured points
    done
    hanging ''
    run 0 run hang.yaml -o h.h5 -q
    run 0 view h.h5 --at 0.25 --trails -o t.svg
    has t.svg 'stroke="#c8415f"'
}
try relative_trails "positions as another body sees them are no trails"

stills() {
    result
    run 0 view p.yaml --names -o p.svg
    same "$(cat out)" p.svg "what it says"
    has p.svg '^</svg>$'
    has p.svg '>rod</text>'
    run 0 view p.yaml -o plain.SVG --dark --width 320 --height 200
    has plain.SVG 'width="320" height="200"'
    lacks plain.SVG '>rod</text>'
    run 0 view p.h5 --at 0,0.1,0.2 -o poses.svg
    has poses.svg 't = 0 s to 0.2 s, 3 poses'
    run 0 view p.h5 --at 0.1
    same "$(cat out)" p.svg "a picture beside the page"
    has p.svg '>t = 0.1 s</text>'
    run 2 view p.h5 -o no.svg
    has err "is a result: say at which times"
    run 2 view p.h5 --at 0,x -o no.svg
    has err "'--at 0,x': give times"
    run 2 view p.h5 --at 0,700 -o no.svg
    has err "there is nothing at t = 700"
    run 2 view p.yaml --width 7 -o no.svg
    is_absent no.svg
    if built cairo; then
        run 0 view p.yaml -o p.png
        same "$(od -An -tx1 -N8 p.png | tr -d ' \n')" 89504e470d0a1a0a "the first bytes"
        run 0 view p.yaml -o p.pdf
        same "$(head -c 5 p.pdf)" %PDF- "the first bytes"
    fi
}
try stills "a model, and a result at some of its times, as a picture"

charts() {
    result
    run 0 plot p.h5 swing
    same "$(cat out)" swing.svg "what it says"
    has swing.svg '^<svg xmlns='
    has swing.svg '^</svg>$'
    run 0 plot p.h5 swing -o a.png --size 300x200 -t "A title" --log
    same "$(od -An -tx1 -N8 a.png | tr -d ' \n')" 89504e470d0a1a0a "the first bytes"
    same "$(od -An -tx1 -j16 -N8 a.png | tr -d ' \n')" 0000012c000000c8 "the size"
    cp p.h5 q.h5
    run 0 plot p.h5 q.h5 energy.kinetic energy.potential -x swing -o b.svg
    has b.svg 'energy.kinetic · q.h5'
    run 2 plot p.h5 swnig
    has err "did you mean 'swing'"
    run 2 plot p.h5 swing -o a.gif
    has err '.svg, .png or .pdf'
    run 2 plot p.h5 swing --size 3x4
    run 2 plot swing p.h5
    has err 'name a result file'
    run 4 plot p.h5 swing -o nowhere/a.svg
}
try charts "plot writes SVG and PNG, and suggests names"

chart_options() {
    result
    cp p.h5 q.h5
    run 0 plot p.h5 q.h5 'swing^2' --labels 'one,the other' --range 0:0.5 -o a.svg
    has a.svg '>one<'
    has a.svg '>the other<'
    has a.svg '>swing^2 \[rad^2\]<'
    run 0 plot p.h5 'swing^2' --name 'square of the swing' --range 0:1.5e-15 -o named.svg
    has named.svg '>square of the swing \[rad^2\]<'
    # numbers of letters that are 0.6 of their height wide begin to the right of the name of the axis
    awk -F'[("=,]' '/>1.5e.*15</ { for (i = 1; i < NF; i++) if ($i == " x") number = $(i + 2) }
        />square of the swing \[/ { for (i = 1; i < NF; i++) if ($i == "translate") name = $(i + 1) }
        END { exit !(name > 0 && number - 7 * 0.6 * 14.71 > name + 0.3 * 14.71) }' named.svg ||
        wrong "numbers and name of the axis overlap"
    run 0 plot p.h5 q.h5 swing --change --log -o b.svg
    has b.svg '>p<'
    run 0 plot p.h5 q.h5 swing --change --log -o c.svg -q
    is_empty out
    cmp b.svg c.svg || wrong "two charts of the same curves differ"
    run 0 plot p.h5 energy.kinetic -x time --log --log-x --range 1e-6:10 -o d.svg
    printf 'time [s],step [s],coarse,fine\n0,1e-3,1e-9,1e-10\n1,1e-2,1e-5,1e-6\n' >errors.csv
    run 0 plot errors.csv coarse fine -x step --log --log-x --points -o e.svg
    same "$(grep -c '<circle' e.svg)" 4 "the points"
    run 0 plot --bars lagrange=1 'a=b=1.25' --name 'time ratio' -t Bars -o bars.svg
    has bars.svg '>1.25<'
    has bars.svg '>a=b<'
    has bars.svg '>time ratio<'
    run 2 plot p.h5 q.h5 swing --labels one
    has err "has 1 names for 2 results"
    for range in 1 2:1 a:b 1:1 :: nan:1; do
        run 2 plot p.h5 swing --range "$range"
        has err 'the lower end first'
    done
    run 2 plot p.h5 swing --log --range 0:1
    has err 'begins above 0'
    for bar in lagrange lagrange= lagrange=x lagrange=nan; do
        run 2 plot --bars "$bar"
        has err 'write NAME=VALUE'
    done
    run 2 plot p.h5 'swing^2 + swnig'
    has err "did you mean 'swing'"
    run 2 plot p.h5 'swing^'
}
try chart_options "plot draws expressions, changes, ranges and bars"

pictures() {
    result
    run 0 animate p.h5 -o frames -r 4 --no-video --speed 1
    # 1.5 s, from 0 in quarters
    has out '^7 frames in frames, real time, 4 frames per second$'
    is_file frames/frame_00006.png
    is_absent frames/frame_00007.png
    run 0 animate p.h5 -o vectors --svg --from 0.5 --to 1 -r 4 --speed 1 -q
    is_empty out
    is_file vectors/frame_00002.svg
    is_absent vectors/frame_00003.svg
    has vectors/frame_00002.svg 't = 1.000 s'
    run 2 animate p.h5
    has err 'name a folder'
    run 2 animate p.h5 -o frames --rate many
    run 2 animate p.h5 -o frames --from 7 --to 9
    run 4 animate p.h5 -o p.yaml
}
try pictures "animate writes pictures at their times"

# Poses at intervals and at times; the same call writes the same bytes.
strobes() {
    result
    run 0 animate p.h5 --strobe 0.25 --from 0.5 -o poses.svg
    same "$(cat out)" poses.svg "what it says"
    has poses.svg 't = 0.5 s to 1.5 s, 5 poses'
    run 0 animate p.h5 --strobe 0.25 --from 0.5 -o again.svg -q
    is_empty out
    cmp poses.svg again.svg || wrong "two pictures of the same poses differ"
    run 0 animate p.h5 --strobe 0.1,0.4,1.5 -o poses.png --width 300 --height 200 --dark
    same "$(od -An -tx1 -j16 -N8 poses.png | tr -d ' \n')" 0000012c000000c8 "the size"
    for times in x nan 0.1, ,1 '0.1 0.2'; do
        run 2 animate p.h5 --strobe "$times" -o bad.svg
        has err 'the time between two poses'
    done
    run 2 animate p.h5 --strobe -1 -o bad.svg
    run 2 animate p.h5 --strobe 0.4,0.1 -o bad.svg
    has err 'must rise'
    run 2 animate p.h5 --strobe 0.1,9 -o bad.svg
    has err 'there is nothing at t = 9'
    run 2 animate p.h5 --strobe 0.1 -o bad.gif
    has err '.svg, .png or .pdf'
    run 2 animate p.h5 --strobe 0.1
    has err 'name a file'
    is_absent bad.svg
    run 4 animate p.h5 --strobe 0.1 -o nowhere/a.svg
}
try strobes "animate --strobe writes one picture of several poses"

video() {
    result
    mkdir bin
    # shellcheck disable=SC2016 # for the stand-in
    printf '%s\n' '#!/bin/sh' 'printf "%s\n" "$@" >words' 'for last; do :; done' 'echo video >"$last"' >bin/ffmpeg
    chmod +x bin/ffmpeg
    (
        PATH=$PWD/bin:$PATH
        run 0 animate p.h5 -o frames -r 5 --speed 1
    )
    has out '^frames/animation.mp4$'
    is_file frames/animation.mp4
    has words '^frames/frame_%05d.png$'
    has words '^5$'
    printf '%s\n' '#!/bin/sh' 'exit 3' >bin/ffmpeg
    (
        PATH=$PWD/bin:$PATH
        run 0 animate p.h5 -o frames -r 5 --speed 1
    )
    has err 'ffmpeg returned 3'
    rm bin/ffmpeg
    (
        PATH=$PWD/bin
        run 0 animate p.h5 -o frames -r 5 --speed 1
    )
    has err 'ffmpeg not found: frames written, no video'
}
try video "ffmpeg makes the video, where it is present"

finish
