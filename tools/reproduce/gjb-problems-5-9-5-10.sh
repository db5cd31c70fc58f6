# GJB problems 5/9 and 5/10: a rotor as equivalent forces, and two rods held by an actuator between them.
# speed: fast
# rows: 67 68
section 'Problems 5/9 and 5/10'
source_of 'GJB, problem 5/9'
claim 'A satellite modelled with two points and two unit vectors carries a high-speed rotor, whose effect is a set of equivalent forces.'
typed 'holonom compare models/gjb/problem_5_9.yaml --tol 1e-12 --methods lagrange,lagrange+coordinates=reference'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
say 'The first line runs in the twelve coordinates of the problem, the second in the position and orientation of the body, where the rotor is a
couple. The forces are derived on the page of the [problem](../problems/5-9.md); the tests integrate them and a gyrostat beside the model.'
error=$(most out error)
verdict "$error < 1e-9" holds "Both are within $(fig "$error") of the reference."
source_of 'GJB, problem 5/10'
claim 'An actuator in joint 2 applies opposite torques on two rods and keeps them upright; joint A is torque free.'
typed 'holonom run models/gjb/problem_5_10.yaml --output rods.csv'
last() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ "^" name " ") at = i } { x = $at } END { print x + 0 }' rods.csv; }
largest() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ "^" name " ") at = i; next }
    { x = $at < 0 ? -$at : $at; if (x > most) most = x } END { print most + 0 }' rods.csv; }
free=$(largest at_A.mz) folded=$(largest psi2) left=$(last psi2)
verdict "($left)^2 < 1e-10" holds "From 3° to opposite sides the rods fold to Ψ₂ = $(fig "$folded" %.2f) rad and come upright: after 6 s
Ψ₂ = $(fig "$left") rad is left."
verdict "$free < 1e-12" holds "The torque that joint A transmits stays at rounding, $(fig "$free") N m."
