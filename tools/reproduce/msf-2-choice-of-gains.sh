# MSF 1, 2 and GJB 5.1.3.2: how alpha and beta are chosen.
# speed: fast
# rows: 13 97
section 'The choice of α and β'
source_of 'MSF, sections 1 and 2, after equation (13); GJB, section 5.1.3.2'
claim 'The gains of Baumgarte’s terms are found by trial; adaptive, optimal and digital-control methods, the stability of the integration formula and
Taylor series have been proposed for them. Improper gains lead to unacceptable results; values between 1 and 20 hardly differ.'
say 'The rules of [gains](../theory/gains.md) on the four-bar of MSF, first with the terms evaluated at every stage, as they are printed:'
typed 'holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --methods baumgarte,baumgarte+alpha=1+beta=1,\
baumgarte+alpha=20+beta=20,baumgarte+gains=step,baumgarte+gains=taylor,baumgarte+gains=pole-placement,baumgarte+gains=pole-placement+pole=0.9'
mv out stage
columns() { table "$1" 'method=method' '‖Φ‖=max_position_violation:%.1e' '‖Φ̇‖=max_velocity_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'; }
columns stage
phi() { cell "$1" max_position_violation "method=$2" ${3+"$3"}; }
f=$(phi stage baumgarte) one=$(phi stage baumgarte+alpha=1+beta=1) twenty=$(phi stage baumgarte+alpha=20+beta=20)
t=$(phi stage baumgarte+gains=taylor)
verdict "$one < 3 * $twenty" holds "Gains of 1, 5 and 20 hold $(fig "$one"), $(fig "$f") and $(fig "$twenty")." differs "Gains of 1, 5 and 20 hold
$(fig "$one"), $(fig "$f") and $(fig "$twenty"): bounded in all cases, but by figures that differ by a factor of
$(fig "$(awk "BEGIN { print $one / $twenty }")" %.0f)."
verdict "$t > 1000 * $f" holds "Gains of the order of 1/h are improper: they take a violation away within a few steps, and let through $(fig "$t")
where 5 lets through $(fig "$f"). The stages of a Runge–Kutta step lie off the constraints by h², also where both ends lie on them, and gains of 1/h
turn that into accelerations. Multistep formulas, for which Bae and Yang choose such gains, have no such stages."
say 'The same terms evaluated at the start of a step and held through it, as a digital controller does:'
typed 'b=baumgarte
holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --methods $b+sampling=step,$b+gains=taylor+sampling=step,\
$b+gains=pole-placement+sampling=step,$b+gains=pole-placement+pole=0.5+sampling=step,$b+gains=optimal,\
$b+gains=adaptive+threshold=1e-10,$b+gains=adaptive+threshold=1e-12'
columns out
o=$(phi out baumgarte+gains=optimal) d=$(phi out baumgarte+gains=pole-placement+sampling=step)
a=$(phi out baumgarte+gains=adaptive+threshold=1e-12) a10=$(phi out baumgarte+gains=adaptive+threshold=1e-10)
eo=$(cell out error method=baumgarte+gains=optimal) ef=$(cell stage error method=baumgarte)
verdict "$o < $f / 10 && $d < $f / 10 && $a < $f / 10 && $eo < $ef / 5" holds "Optimal gains hold $(fig "$o") and the motion within $(fig "$eo"), gains
of 5 $(fig "$f") and $(fig "$ef"); poles at 0 and adaptive gains are as good. All cost what fixed gains cost."
verdict "$a10 < 2e-10 && $a10 > 5e-11" holds "Adaptive gains keep the threshold that they are given: $(fig "$a10") for $(printed 1e-10)."
say 'Halving the step shows the order of what is left:'
typed 'holonom compare models/four_bar.yaml --integrator rk4 --vary step=4e-3,2e-3,1e-3 --end 5 --methods $b,$b+gains=taylor,$b+gains=optimal'
across out method step max_position_violation:%.1e
order() { awk -v a="$(phi out "$1" step=2e-3)" -v b="$(phi out "$1" step=1e-3)" 'BEGIN { print log(a / b) / log(2) }'; }
ot=$(order baumgarte+gains=taylor) oo=$(order baumgarte+gains=optimal) of=$(order baumgarte)
verdict "$ot < 2.5 && $oo > 4.5" holds "The violation falls with h to the power $(fig "$of" %.1f) with fixed gains, $(fig "$ot" %.1f) with gains of 1/h at
every stage, and $(fig "$oo" %.1f) where such gains are held: what one step of a formula of order 4 adds."
