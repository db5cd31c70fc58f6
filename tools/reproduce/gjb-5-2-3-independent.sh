# GJB 5.2.1 and 5.2.3: independent coordinates that the user gives.
# speed: fast
# rows: 36
section 'Independent coordinates by choice'
source_of 'GJB, (5.54), (5.60) to (5.67) and sections 5.2.1, 5.2.3; problems 5/2 and 5/3, which take z = x₂'
claim 'The equations in independent coordinates are valid for any constant matrix B whose rows are independent of each other and of the Jacobian.'
say 'The slider-crank of the problems by its points P₁ and P₂, before x₂ reaches the end of its travel: single coordinates, and a row of B with
all of them.'
typed 'independent() { echo "independent+independent=$1"; }
holonom compare models/gjb/problem_5_2.yaml --step 0.005 --end 0.6 --methods \
    independent,$(independent P2.x),$(independent P1.x),$(independent P1.y),$(independent P2.x-0.7*P1.y-0.3*P1.x)'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e' 'changes=coordinate_changes'
worst=$(most out error)
verdict "$worst < 1e-6 && $(most out coordinate_changes) == 0" holds "Every B gives the motion; the largest error is $(fig "$worst"), that of the
formula with this step. The tests compare single steps with (5.60) to (5.67), and with the book’s R for z = x₂, to $(printed 1e-12)."
claim 'No system of independent coordinates is adequate for the entire motion.'
typed 'x2="independent=P2.x"
holonom compare models/gjb/problem_5_2.yaml --tol 1e-9 --end 5 --methods \
    independent,independent+$x2,canonical-independent+$x2,independent+$x2+independent_change=exchange'
table 'method=method' 'ends at=t:%.3f' 'changes=coordinate_changes'
stops=$(cell out t "method=independent+independent=P2.x")
goes=$(cell out error "method=independent+independent=P2.x+independent_change=exchange")
verdict "$stops > 0.7893 && $stops < 0.7894 && $goes < 1e-8" holds "x₂ alone stops at $(fig "$stops" %.3f) s, where it turns back with both links in line, and
the message names it. Where it may be exchanged the run goes on, with an error of $(fig "$goes" %.0e) at the end."
say 'The angles of the crank and of the follower of the four-bar: the crank turns round and serves for ever, the follower turns back.'
typed 'holonom compare models/four_bar.yaml --step 1e-3 --methods \
    partitioning,partitioning+independent=crank.angle,partitioning+independent=follower.angle'
table 'method=method' 'ends at=t:%.3f' 'energy=relative_energy_error:%.1e' 'changes=coordinate_changes'
verdict "$(cell out t method=partitioning+independent=crank.angle) == 10 && $(cell out t method=partitioning+independent=follower.angle) < 1" holds \
    "A coordinate may be adequate at one position and not at another (GJB, section $(printed 5.2.1))."
