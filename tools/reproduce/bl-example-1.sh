# BL equations (2) to (18) and (35) to (37) on example 1, the four-bar of three links.
# speed: fast
# rows: 124 126 127 128 135 138
section 'Local constraint frames: four-bar of three links'
source_of 'BL, sections 2 and 3, example 1, section 5 (35) to (37)'
claim 'Constraints are written in local coordinates of the joints, as few as possible; their orthogonal complement follows from small local matrices and
from the inverse of one block of the Jacobian. Either way of cutting the loop serves; any two links that become parallel ask for another choice of the
coordinate that completes the Jacobian.'
say 'The loop is cut at its end A (case a) or in the middle, at C (case b). In both cases there are two local coordinates and no local complement; the
accelerations are those of the multipliers. Printed matrices (20), (23), (25) are compared with those of the program by `tests/test_letter_local.c`. The
scan of (25) shows no signs; with both fractions negative the product of constraint matrix and complement vanishes.'
typed 'methods=lagrange,nullspace+basis=local
holonom compare models/three_links.yaml --coordinates relative --set joints.A.cut=true --step 1e-3 --end 3 --methods $methods'
cp out a
table 'method=method' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e' 'changes=coordinate_changes'
typed 'holonom compare models/three_links.yaml --coordinates relative --set joints.C.cut=true --step 1e-3 --end 3 --methods $methods'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e' 'changes=coordinate_changes'
changes=$(cell a coordinate_changes method=nullspace+basis=local)
l=$(cell a error method=lagrange) n=$(cell a error method=nullspace+basis=local)
verdict "$changes >= 1 && $n < 1.01 * $l && $l < 1.01 * $n" holds "The complement from local frames gives the motion of the multipliers (errors
$(fig "$l") and $(fig "$n")), and the coordinate that completes the Jacobian changes $(fig "$changes" %d) times in 3 s."
say 'What each single constraint does to each joint angle, (36), with its multiplier, (35), and the force at A for comparison. The joint holds ground and
the third link: the multipliers are the components of the force that the link receives, with the opposite sign.'
typed "printf 'holonom: 1\\ninclude: models/three_links.yaml\\nmeasures:\\n  F: {type: reaction, joint: A}\\n' >held.yaml
holonom run held.yaml --coordinates relative --set joints.A.cut=true --set constraint_reactions=on --end 1 -o reactions.csv"
awk -F, 'NR == 1 { split($0, name, ","); next } END { print "column\tvalue"
    for (i = 1; i <= NF; i++) if (name[i] ~ /translation|^F.f/) { sub(/ \[.*/, "", name[i]); print name[i] "\t" $i } }' reactions.csv >single
table single 'column=column' 'at 1 s=value:%.6g'
value() { cell single value "column=$1"; }
off=$(awk "BEGIN { x = $(value 'F.fx') - $(value 'A.translation x.multiplier'); y = $(value 'F.fy') - $(value 'A.translation y.multiplier'); print sqrt(x * x + y * y) }")
verdict "$off < 1e-9 && $(value 'A.translation x.C') != 0" holds "The force that ground receives at A is the pair of multipliers to $(fig "$off"); each of the two rows
has its own generalised force on each of the three joint angles."
