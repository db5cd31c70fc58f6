#!/bin/sh
# holonom import: every description of tests/import becomes a model that runs, with the list of what was changed that is kept
# beside it (HOLONOM_RENEW=1 writes these lists anew, to be looked at before they are committed); and what descriptions of the
# wild have wrong gets a message with its place.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"
source=$(cd "$(dirname "$0")" && pwd)/import

# Import $1, compare its list with the one that is kept, check and run the model.
whole() {
    need xml2 fyaml
    cp -R "$source"/. .
    stem=${1%.*}
    run 0 import "$1" -o "$stem.yaml"
    [ -z "${HOLONOM_RENEW-}" ] || cp out "$source/$stem.list"
    diff "$source/$stem.list" out >difference || wrong "the list of $1 differs: $(head -n 8 difference)"
    run 0 check "$stem.yaml"
    run 0 run "$stem.yaml" -o out.csv -q --set end=0.1 --tol 1e-6
    lacks err 'error'
    run 0 import "$1" -o again.yaml
    # the same bytes again, but for the name of the file
    cmp -s "$stem.yaml" again.yaml || wrong "the model file is another one the second time"
}
for file in "$source"/*.urdf "$source"/*.xml "$source"/*.sdf "$source"/*.world; do
    [ -f "$file" ] || continue
    case ${file##*/} in part_*) continue ;; esac
    name=${file##*/}
    one() { whole "$name"; }
    try one "$name imports with its list"
done

# The description on stdin is refused with words that match $1.
refused() {
    cat >d.xml
    run 3 import d.xml -o d.yaml
    has err "$1"
    is_absent d.yaml
}
body='<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'

urdf_faults() {
    need xml2
    echo '<robot name="r"><link name="a"/><link name="b">' | refused 'd.xml:2:1: error: this is not XML'
    echo '<robot name="r"/>' | refused "d.xml:1:1: error: robot 'r': this robot has no links"
    echo '<html/>' | refused 'd.xml:1:1: error: html: the root element is <html>'
    echo '<robot name="r" xmlns:xacro="x"><xacro:arm/></robot>' | refused 'this is a xacro file'
    echo '<!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><robot name="&c;"/>' | refused 'a document type .* is refused'
    echo '<!DOCTYPE r SYSTEM "file:///etc/passwd"><robot/>' | refused 'a document type .* is refused'
    printf '<robot name="r">\n <link name="a">\n  <inertial><mass value="nan"/></inertial></link></robot>' |
        refused "d.xml:3:19: error: mass of link 'a': 'value' has a number that is not a number"
    echo '<robot name="r"><link name="a"><inertial><mass value="1e40"/></inertial></link></robot>' | refused 'beyond 1e30'
    echo '<robot name="r"><link name="a"><inertial><mass value="-1"/></inertial></link></robot>' | refused 'the mass is -1; no body has that'
    echo "<robot name='r'><link name='a'>$body</link><joint name='j' type='floating'><parent link='world'/><child link='a'/></joint></robot>" >w.urdf
    run 0 import w.urdf -o w.yaml
    has out "w.urdf:1:[0-9]*: changed: parent of joint 'j': link: there is no link of this name: it is the ground"
    run 0 check w.yaml
    hinge="<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/>"
    for name in dynamics joint_properties; do
        echo "<robot name='r'><link name='a'/><link name='b'>$body</link>$hinge<$name damping='0.37' friction='0.21'/></joint></robot>" >j.urdf
        run 0 import j.urdf -o "$name.yaml"
        grep -v '^#' "$name.yaml" >"$name.plain" # the list of changes stands at the head
    done
    has out "j.urdf:1:[0-9]*: changed: joint_properties of joint 'j': the old name of <dynamics>"
    has dynamics.yaml 'damping: 0.37'
    cmp -s dynamics.plain joint_properties.plain || wrong "joint_properties is another thing than dynamics"
    echo "<robot name='r'><link name='a'/><link name='b'>$body</link>$hinge<dynamics damping='0.37'/><joint_properties damping='9'/></joint></robot>" >j.urdf
    run 0 import j.urdf -o both.yaml
    has out "left out: joint_properties of joint 'j': the old name"
    has both.yaml 'damping: 0.37'
    echo '<robot name="r"><link name="a"><inertial/></link></robot>' | refused 'it has no <mass value'
    echo '<robot name="r"><link name="a"><inertial><mass value="1 kg"/></inertial></link></robot>' | refused "and 'kg' is none"
    echo '<robot name="r"><link name="a"><inertial><origin xyz="1 2"/><mass value="1"/></inertial></link></robot>' |
        refused "'xyz' wants 3 numbers and has 2"
    echo "<robot name='r'><link name='a'>$body</link><link name='a'/></robot>" | refused 'there is a link of this name at d.xml:1:17 already'
    echo "<robot name='r'><link name='a'>$body</link><link name='b'/></robot>" | refused 'a URDF has one root'
    echo "<robot name='r'><link name='a'/><joint name='j' type='hinge'><parent link='a'/><child link='q'/></joint></robot>" >d.xml
    run 3 import d.xml
    has err "the type 'hinge' is not one of"
    has err "there is no link 'q'"
    link() { echo "<link name='$1'>$body</link>"; }
    joint() { echo "<joint name='$1' type='continuous'><parent link='$2'/><child link='$3'/>${4-}</joint>"; }
    echo "<robot name='r'>$(link a)$(link b)$(joint j a b)$(joint k b a)</robot>" | refused 'the joints form a cycle'
    echo "<robot name='r'>$(link a)$(link b)$(link c)$(joint j b c)$(joint k c b)</robot>" | refused 'they are in a cycle'
    echo "<robot name='r'>$(link a)$(link b)$(joint j a b)$(joint k a b)</robot>" | refused 'has a parent already'
    echo "<robot name='r'>$(link a)$(link b)$(joint j a b '<axis xyz="0 0 0"/>')</robot>" | refused 'the axis has length 0'
    echo "<robot name='r'>$(link a)$(link b)$(joint j a b '<mimic joint="q"/>')</robot>" | refused "there is no joint 'q'"
    echo "<robot name='r'>$(link a)$(link b)$(joint j a b '<mimic joint="j"/>')</robot>" | refused 'cannot follow itself'
    echo "<robot name='r'>$(link a)$(link b)$(joint j a b '<dynamics damping="-1"/>')</robot>" | refused 'it is negative'
    wrong_body='<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial>'
    echo "<robot name='r'>$(link a)<link name='b'>$wrong_body</link>$(joint j a b)</robot>" | refused 'principal values 1, 1, 9, which no body has'
    run 0 import d.xml -o d.yaml --repair-inertia
    has out 'all are 3.66667 here, their mean'
    rm d.yaml
    echo "<robot name='r'>$(link a)$(link b)$(link c)$(joint j a b '<mimic joint="k"/>')$(joint k b c '<mimic joint="j"/>')</robot>" |
        refused "joints follow each other in a circle"
    echo "<robot name='r'><link name='a'/><link name='b'/>$(joint j a b)</robot>" | refused 'nothing in it has mass and moves'
    printf '<?xml ?>\n<robot name="r &amp; s">\n%s</robot>' "$(link 'a')" >d.xml
    run 0 import d.xml -o d.yaml
    has out "d.xml:2:1: changed: robot 'r & s'"
    echo "<robot name='r'>$(link a)<xacro:arm side='left'/></robot>" >d.xml
    run 0 import d.xml -o d.yaml
    has out 'unknown: xacro:arm: a macro that xacro did not expand'
}
mjcf_faults() {
    need xml2
    echo '<mujoco><worldbody/></mujoco>' | refused 'this model has no bodies'
    b='<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    world() { echo "<mujoco>${2-}<worldbody>$1</worldbody>${3-}</mujoco>"; }
    world "<body name='a'>$b<joint type='screw'/></body>" | refused "'screw' is not one of hinge, slide, ball, free"
    world "<body name='a'>$b<joint class='q'/></body>" | refused "there is no class of defaults 'q'"
    world "<body name='a'>$b<joint axis='0 0 0'/></body>" | refused 'the axis has length 0'
    world "<body name='a'>$b</body><body name='a'>$b</body>" | refused 'there is a body of this name already'
    world "<body name='a'><joint/><geom type='capsule' size='1'/></body>" | refused 'a capsule wants 2 numbers as its size'
    world "<body name='a'><joint/><geom type='mesh' mesh='m'/></body>" | refused "there is no mesh 'm'"
    world "<body name='a'><joint/><geom type='mesh' mesh='m'/></body>" "<asset><mesh name='m' file='m.stl'/></asset>" |
        refused 'the inertia of a body follows from this mesh'
    world "<body name='a'>$b<joint/></body>" '<compiler coordinate="global"/>' | refused "'global' is not known here"
    echo '<mujoco/>' >../outside.xml
    world "<body name='a'>$b<joint/></body>" '<include file="../outside.xml"/>' | refused 'lies outside of'
    world "<body name='a'>$b<joint/></body>" '<include file="d.xml"/>' | refused 'a second time, or in a circle'
    world "<body name='a'>$b<joint range='1 -1'/></body>" | refused 'its lower end 1 is above the upper one, -1'
    world "<body name='a'>$b<joint/></body>" '' '<equality><connect body1="q" anchor="0 0 0"/></equality>' | refused "there is no body 'q'"
    world "<body name='a'>$b<joint/></body>" '' '<actuator><motor joint="q"/></actuator>' | refused "there is no joint 'q'"
    world "<body name='a'>$b<joint/></body>" '' '<tendon><fixed><joint joint="q"/></fixed></tendon>' | refused "there is no joint 'q'"
    world "<body name='a'>$b<joint name='j' secret='1'/><widget/></body>" >d.xml
    run 0 import d.xml -o d.yaml
    has out "unknown: joint 'j': secret: not known to this program (it is '1')"
    has out "unknown: widget of body 'a': not known to this program"
}
try mjcf_faults "MJCF with faults is refused with its place, and what is unknown is listed"

small_motions() {
    need xml2 fyaml
    cp -R "$source"/. .
    run 0 import walker.xml -o walker.yaml -q --no-limits
    run 0 linearize walker.yaml
}
try small_motions "laws that read coordinates of joints have tangents"

sdf_faults() {
    need xml2
    sdf() { echo "<sdf version='${2-1.9}'><model name='m'>$1</model></sdf>"; }
    link() { echo "<link name='$1'><inertial><mass>1.2</mass></inertial>${2-}</link>"; }
    joint() { echo "<joint name='$1' type='${4-revolute}'><parent>$2</parent><child>$3</child>${5-<axis/>}</joint>"; }
    echo '<sdf version="1.9"><world name="w"/></sdf>' | refused 'there are no models with links'
    sdf "$(link a)" 1.2 | refused 'versions 1.4 and later are read'
    sdf "$(link a)$(link a)" | refused "there is a link called 'a' at d.xml:1:36 already"
    sdf "$(link a)$(joint j a q)" | refused "there is no link, joint, frame or model 'q' in model 'm'"
    sdf "$(link a)$(joint j a a)" | refused 'it joins a link with itself'
    sdf "$(link a)$(joint j world a hinge)" | refused "the type 'hinge' is not one of"
    sdf "$(link a)$(joint j world a revolute '')" | refused "joint 'j': it has no <axis>"
    sdf "$(link a)$(joint j world a revolute '<axis><xyz>0 0 0</xyz></axis>')" | refused 'the axis has length 0'
    sdf "$(link a)$(joint j world a revolute '<axis><limit><lower>2</lower><upper>1</upper></limit></axis>')" |
        refused 'the lower limit 2 is above the upper one, 1'
    sdf "$(link a)$(joint j world a revolute '<axis><dynamics><damping>-1</damping></dynamics></axis>')" | refused 'it is negative'
    sdf "$(link a '<pose relative_to="b"/>')$(link b '<pose relative_to="a"/>')" | refused 'a circle'
    sdf "<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>$(link a)$(joint j f a)" | refused 'a circle'
    sdf "$(link a '<pose>0 0 0 0 0</pose>')" | refused "'pose' wants 6 numbers and has 5"
    sdf "$(link a '<pose degrees="maybe">0 0 0 0 0 0</pose>')" | refused "'degrees' is 'maybe'; it must be true or false"
    sdf "<link name='a'><inertial><mass>-2</mass></inertial></link>" | refused 'the mass is -2; no body has that'
    sdf "<link name='a'><inertial auto='true'/><collision name='c'><geometry><mesh/></geometry></collision></link>" |
        refused 'give the link a mass and an inertia'
    sdf "$(link a)$(link b)$(joint j world a revolute '<axis><mimic joint="k"/></axis>')$(joint k a b revolute '<axis><mimic joint="j"/></axis>')" |
        refused 'follow each other in a circle'
    sdf "$(link a)<include><uri>model://nowhere</uri></include>" | refused "'model://nowhere' is not found"
    sdf "$(link a)<include/>" | refused 'it names no file'
    sdf "$(link a)<include><uri>d.xml.sdf</uri></include>" >d.xml.sdf
    run 3 import d.xml.sdf
    has err 'in a circle'
    sdf "$(link a)<widget/>" >d.xml
    run 0 import d.xml -o d.yaml
    has out "unknown: widget of model 'm': not known to this program"
}
try sdf_faults "SDFormat with faults is refused with its place"

# Positions, axes and inertias of gripper_arm.sdf by the matrices of its frames, computed by another program.
frames() {
    need xml2
    cp -R "$source"/. .
    run 0 import gripper_arm.sdf -o g.yaml -q
    has g.yaml 'position: \[0.31703304095389., -0.19358962579587., 0.25502004795191.\]'
    has g.yaml 'com: \[-0.025923388316272., 0.041230617262303., 0.15306212509426.\]'
    has g.yaml 'axis: \[-0.19874823898331., 0.97879007029013., 0.04969039949999.*\]'
    has g.yaml 'position: \[0.51603388633631., -0.33767094779499., 0.76810262701986.\]'
    has g.yaml 'axis: \[0.88362003933686., -0.04670760503929.*, -0.46586910791961.*\]'
}
try frames "frames of SDFormat"

try urdf_faults "URDF with faults is refused with its place"

settings() {
    need xml2 fyaml
    cp -R "$source"/. .
    run 0 import delta_leg.urdf -o d.yaml --floating --merge-fixed --no-limits -q
    is_empty out
    lacks d.yaml 'foot:$'
    lacks d.yaml rigid_stop
    run 0 check d.yaml
    has out '^degrees of freedom *9$'
    run 0 import delta_leg.urdf -o d.yaml
    run 0 check d.yaml
    has out '^degrees of freedom *3$'
    run 4 import nowhere.urdf
    run 3 import delta_leg.urdf --format mjcf
    run 2 import
}
try settings "options of import"

half() {
    need xml2 fyaml
    for file in "$source"/*.urdf "$source"/*.xml "$source"/*.sdf "$source"/*.world; do
        [ -f "$file" ] || continue
        head -c "$(($(wc -c <"$file") / 2))" "$file" >half.xml
        run 3 import half.xml
        has err 'half.xml:[0-9]*:[0-9]*: error: this is not XML'
    done
}
try half "half a file is refused"

tendons() {
    need xml2 fyaml
    cat >few.xml <<'XML'
<mujoco><worldbody><body name="b"><joint name="j"/><geom type="sphere" size="0.1"/><site name="s"/></body></worldbody>
<tendon><spatial name="guy" limited="true" range="0 1.4"><site site="s"/><site site="eye"/></spatial>
<spatial name="bare" limited="true" range="0 1.4"/></tendon>
<actuator><motor name="haul" tendon="guy"/><motor name="pull" tendon="bare"/></actuator></mujoco>
XML
    run 3 import few.xml -o few.yaml
    has err "few.xml:2:80: error: site of spatial 'guy': there is no site 'eye'"
    has err "few.xml:3:1: error: spatial 'bare': a tendon of this kind has too few sites"
    is_absent few.yaml
}
try tendons "tendons that lack their sites"

finish
