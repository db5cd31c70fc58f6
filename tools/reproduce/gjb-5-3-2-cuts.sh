# GJB 5.3.2: closed loops opened at joints or at rigid-body constraints, (5.90) to (5.92).
# speed: fast
# rows: 47
section 'Closed chains: where loops are opened'
source_of 'GJB 5.3.2, (5.89) to (5.92), figure 5.9; for the choice BL, examples 1 and 2'
claim 'Loops are opened by removing rigid-body constraints (natural coordinates) or joints (reference-point coordinates); the constraints of the open chain
leave its own coordinates, and those that were removed are kept with multipliers.'
say 'The method `velocity-transformation` takes all coordinates. `holonom check` says where loops are cut, and why. The spatial slider-crank in natural
coordinates, where three rigid-body constraints of the rod close the loop at the ball T:'
show() { sed -n '/^coordinates/p; /^constraints/p; /^loops/,/^redundant/p' out | sed '/^redundant/d; s/^/    /'; }
typed 'holonom check models/slider_crank_spatial.yaml --method velocity-transformation --coordinates natural'
printf '\n'
show
natural=$(grep -c "body 'rod', 3 constraints" out) || natural=0
say 'The same in joint coordinates, where only the removed joint is left, and with a cut that is given:'
typed 'holonom check models/slider_crank_spatial.yaml --method velocity-transformation --coordinates relative'
printf '\n'
show
relative=$(grep -c "joint 'T', 3 constraints" out) || relative=0
typed 'holonom check models/four_bar.yaml --method velocity-transformation --coordinates natural --set bodies.follower.cut=true'
printf '\n'
show
given=$(grep -c "body 'follower', 1 constraint: given" out) || given=0
verdict "$natural == 1 && $relative == 1 && $given == 1" holds 'Joints and rigid-body constraints can be removed, by the rule or as given. The rule: of the joints
of a loop the one with the fewest constraints is cut, which BL asks for (the fewest local coordinates), of equal ones the farthest from ground, so that
loops are cut in the middle, which BL recommends.'
say 'Motion without any correction, in all coordinates, against the multipliers of all constraints:'
typed 'v=velocity-transformation+correction=none+coordinates
holonom compare models/slider_crank_spatial.yaml --step 1e-3 --end 1 --methods lagrange,$v=relative,$v=natural,$v=reference'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
l=$(cell out error method=lagrange) r=$(cell out error method=velocity-transformation+correction=none+coordinates=reference)
verdict "$r < 1.01 * $l && $l < 1.01 * $r" holds "In reference-point coordinates the transformation gives the drift of the multipliers themselves (errors
$(fig "$l") and $(fig "$r")); in the other coordinates the same mechanism drifts in its own way."
