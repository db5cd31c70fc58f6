# GJB 5.2.4, PV 5, BL 5: constraints that appear and disappear during a run.
# speed: fast
# rows: 40 76 134
section 'Constraints that appear and disappear'
source_of 'GJB, section 5.2.4; PV, section 5; BL, section 5'
claim 'GJB: the penalty formulation takes constraints that appear or disappear without a change of coordinates, and the integrator need not start again;
formulations in independent coordinates need both. PV: with the constraints orthogonalised, systems whose degrees of freedom change, or with redundant
constraints, can be analysed. BL: constraints can be added and deleted, because the integration goes on in q.'
# The events of the last run as a table, a line each.
events() {
    awk -F'[:,]' '
        BEGIN { OFS = "\t"; OFMT = CONVFMT = "%.17g"; print "event", "t", "dof", "redundant", "lost", "impulse" }
        /^  "events": \[/ { inside = 1 }
        /^  \]/ { inside = 0 }
        !inside { next }
        /^      "t":/ { t = $2 + 0 }
        /^      "dof":/ { dof = $2 + 0 }
        /^      "redundant":/ { redundant = $2 + 0 }
        /^      "energy_lost":/ { lost = $2 + 0 }
        /^        "clutch": \{/ { wanted = 1 }
        wanted && /"angular":/ { gsub(/[^-+0-9.e]/, "", $4); impulse = $4 + 0; wanted = 0 }
        /^    \}/ { print ++n, t, dof, redundant, lost, impulse + 0; impulse = 0 }' json >events
}
say 'The elbow of a double pendulum is locked where it is, and released ([how](../theory/active.md)).'
typed 'holonom run models/elbow_lock.yaml'
events
table events 'instant, s=t:%.3f' 'freedoms from there=dof' 'redundant=redundant' 'energy lost, J=lost:%.6f'
energy=$(cell out relative_energy_error status=HOL_OK) lost=$(cell events lost event=1)
verdict "$(cell events dof event=1) == 1 && $(cell events dof event=2) == 2 && $energy < 1e-12" holds "Two freedoms, one, two. The lock takes
$(fig "$lost" %.3f) J; the work of its impulses enters the energy balance, which closes to $(fig "$energy")." differs 'The freedoms or the balance are
not what they should be.'
say 'Under every method, against a run of `auto` with a far smaller tolerance:'
typed 'holonom compare models/elbow_lock.yaml --tol 1e-8 --set output=0.1'
table 'method=method' 'error=error:%.0e' 'energy=relative_energy_error:%.0e'
error=$(most out error)
verdict "$error < 1e-6" holds "PV and BL: all methods take constraints that appear and disappear, within $(fig "$error") of each other." differs "The
methods differ by up to $(fig "$error")."
verdict "$lost > 0.1" differs "GJB: coordinates stay the same in all methods that integrate q, not with penalties alone; but no integrator can go on. The
velocities jump when a constraint appears: here $(fig "$lost" %.3f) J are lost at one instant. Without a new start the penalty terms would have to be
integrated through the impact, and would store this energy instead. So every method starts again, on its coordinates or on others." holds 'No energy is
lost.'
say 'Two discs that turn at different speeds are locked to each other. Angular momentum stays; what is lost is J₁J₂/(J₁ + J₂) Δω²/2.'
typed 'holonom run models/clutch.yaml'
events
closed=$(awk 'BEGIN { printf "%.17g", 0.31 * 0.12 / 0.43 * 22.5 ^ 2 / 2 }') angular=$(awk 'BEGIN { printf "%.17g", -0.31 * 0.12 / 0.43 * 22.5 }')
lost=$(cell events lost event=1) impulse=$(cell events impulse event=1)
verdict "($lost - $closed) ^ 2 < 1e-20 && ($impulse - $angular) ^ 2 < 1e-20" holds "Lost: $(fig "$lost" %.6f) J, closed form $(fig "$closed" %.6f) J;
angular impulse on the first disc $(fig "$impulse" %.6f) N m s, closed form $(fig "$angular" %.6f) N m s." differs "Lost: $(fig "$lost" %.6f) J,
closed form $(fig "$closed" %.6f) J."
say 'A block on a shaking table, which cannot pull: the support lets go when its reaction changes sign, a ω² sin ωt = g, and takes hold where the block
comes down.'
typed 'holonom run models/lift_off.yaml --tol 1e-10'
events
table events 'instant, s=t:%.6f' 'freedoms from there=dof' 'energy lost, J=lost:%.6f'
t1=$(awk 'BEGIN { s = 9.81 / (0.4 * 36); printf "%.17g", atan2(s, sqrt(1 - s * s)) / 6 }')
t2=$(awk -v t1="$t1" 'BEGIN {
    low = t1 + 0.1; high = 1
    for (i = 0; i < 60; i++) {
        t = (low + high) / 2; d = t - t1
        if (0.4 * sin(6 * t1) + 2.4 * cos(6 * t1) * d - 9.81 * d * d / 2 > 0.4 * sin(6 * t)) low = t
        else high = t
    }
    printf "%.17g", low }')
off=$(awk -v a="$(cell events t event=1)" -v b="$t1" -v c="$(cell events t event=2)" -v d="$t2" 'BEGIN { print (a - b) ^ 2 + (c - d) ^ 2 }')
verdict "$off < 1e-18" holds "In closed form $(fig "$t1" %.6f) s and $(fig "$t2" %.6f) s." differs "In closed form $(fig "$t1" %.6f) s and
$(fig "$t2" %.6f) s."
say 'A third link is coupled to a parallelogram in motion, where it is redundant.'
typed 'holonom run models/parallelogram_link.yaml --tol 1e-10'
events
redundant=$(cell events redundant event=1) with=$(cell out final.angle status=HOL_OK)
typed 'holonom run models/parallelogram_link.yaml --tol 1e-10 --set t_link=1'
without=$(cell out final.angle status=HOL_OK) off=$(awk -v a="$with" -v b="$without" 'BEGIN { print (a > b ? a - b : b - a) }')
verdict "$redundant == 1 && $off < 1e-9" holds "PV: one of nine constraints is redundant from there on, and the motion is that without the link, but
for $(fig "$off") rad." differs "$redundant constraints are redundant, and the motion differs by $(fig "$off") rad."
