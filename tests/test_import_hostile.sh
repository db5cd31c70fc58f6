#!/bin/sh
# holonom import of descriptions that are made to take long or much memory: many elements of a kind, many attributes, one mesh
# for many shapes. Each has 10 s of processor time and a gigabyte.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

# A sanitizer reserves more addresses than any limit.
plain() {
    ! readelf -sW "$program" | grep -q '__[atm]san_init' || exit 77
}

# Import $2 within the limits and expect the exit code $1.
bounded() {
    want=$1 got=0
    (
        ulimit -v 1048576
        ulimit -t 10
        exec "$program" import "$2" -o o.yaml -q
    ) >out 2>err </dev/null || got=$?
    [ $got -eq "$want" ] || wrong "import $2: exit code $got instead of $want; it said: $(head -n 3 err)"
}

body='<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'

# The line $2 for i below $1, in which i stands for # and i + 1 for @.
repeat() {
    awk -v n="$1" -v form="$2" 'BEGIN {
        parts = split(form, part, /[#@]/)
        for (k = 1; k < parts; k++) { at += length(part[k]) + 1; more[k] = substr(form, at, 1) == "@" }
        for (i = 0; i < n; i++) {
            line = part[1]
            for (k = 2; k <= parts; k++) line = line (i + more[k - 1]) part[k]
            print line
        }
    }'
}

# 4000 hinges with limits took 3.9 GB: each limit copied the list of all before it.
limits() {
    need xml2 fyaml
    plain
    {
        echo '<robot name="r">'
        repeat 4001 "<link name='l#'>$body</link>"
        repeat 4000 "<joint name='j#' type='revolute'><origin xyz='1 0 0'/><parent link='l#'/><child link='l@'/><axis xyz='0 1 0'/>
            <limit lower='-1' upper='1' effort='3' velocity='3'/></joint>"
        echo '</robot>'
    } >chain.urdf
    bounded 0 chain.urdf
}
try limits "a chain of thousands of limited joints"

# What took a time that grows with the square of the number: shapes of a body, classes, actuators and bodies of one name,
# materials, chains of fixed joints, bodies without mass.
many() {
    need xml2 fyaml
    plain
    {
        echo '<mujoco><default>'
        repeat 16000 '<default class="c#"><geom size="1"/></default>'
        echo '</default><worldbody><body><joint name="j"/><geom size="1"/>'
        repeat 40000 '<geom size="1"/>'
        repeat 16000 '<geom class="c#" type="sphere"/><site name="s#"/>'
        echo '</body>'
        repeat 8000 '<body><freejoint/><geom size="1"/></body>'
        echo '</worldbody><actuator>'
        repeat 8000 '<motor name="a" joint="j"/>'
        echo '</actuator><tendon>'
        repeat 16000 '<spatial name="t#"><site site="s#"/><site site="s0"/></spatial>'
        echo '</tendon></mujoco>'
    } >many.xml
    bounded 0 many.xml
    {
        echo '<robot name="r"><link name="m0"/>'
        repeat 16000 '<link name="m@"/><link name="w#"/><material name="c#"><color rgba="1 0 0 1"/></material>'
        repeat 16000 '<joint name="f#" type="fixed"><parent link="m#"/><child link="m@"/></joint>
            <joint name="w#" type="continuous"><parent link="e"/><child link="w#"/></joint>'
        echo "<link name='e'>$body"
        repeat 16000 '<visual><geometry><box size="1 1 1"/></geometry><material name="c#"/></visual>'
        echo '</link><joint name="e" type="continuous"><parent link="m16000"/><child link="e"/></joint></robot>'
    } >many.urdf
    bounded 0 many.urdf
    # namespaces behind other attributes: places of attributes are not looked for from the beginning of the file
    {
        echo '<robot name="r"><link name="l"/>'
        repeat 50000 '<x b="1" xmlns:y="z" c="2"/>'
        echo "<link name='m'>$body</link><joint name='j' type='continuous'><parent link='l'/><child link='m'/></joint></robot>"
    } >spaces.urdf
    bounded 0 spaces.urdf
}
try many "many elements of a kind take a time that grows with their number"

# libxml2 compares each attribute of an element with all others.
attributes() {
    need xml2 fyaml
    plain
    {
        echo '<!-- <x '
        repeat 300 'a#="1"'
        printf '%s' '--><robot name="r"><link name="a" '
        repeat 100000 'a#="1"'
        echo '/></robot>'
    } >wide.urdf
    bounded 3 wide.urdf
    has err 'wide.urdf:302:20: error: an element has more than 200 attributes'
}
try attributes "an element with a hundred thousand attributes is refused with its place"

# Names of actuators that are no keys: they were refused without a place, and as a wrong command line.
names() {
    need xml2 fyaml
    long=$(printf '%300s' '' | tr ' ' x)
    cat >names.xml <<XML
<mujoco><worldbody><body name="b"><joint name="j"/><geom type="sphere" size="1"/></body></worldbody>
<actuator><motor name="" joint="j"/><motor name="$long" joint="j"/><motor name="a: [b" joint="j"/></actuator></mujoco>
XML
    run 0 import names.xml -o names.yaml
    run 0 check names.yaml
}
try names "actuators with names that are no keys"

# One mesh for a thousand shapes is weighed and looked at once; all of them together are refused before they fill the memory.
meshes() {
    need xml2 fyaml
    plain
    {
        echo 'solid s'
        repeat 4000 'facet normal 0 0 1 outer loop vertex 0 0 # vertex 1 0 # vertex 0 1 @ endloop endfacet'
        echo 'endsolid s'
    } >m.stl
    {
        echo '<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody><body><joint/>'
        repeat 1000 '<geom type="mesh" mesh="m"/>'
        echo '</body></worldbody></mujoco>'
    } >meshes.xml
    bounded 3 meshes.xml
    has err 'the files that the model names hold more than 128 MB together'
}
try meshes "one mesh for a thousand shapes"

finish
