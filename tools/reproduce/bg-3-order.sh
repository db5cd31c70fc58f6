# BG section 3: the terms 1/dt do not make the equations stiff, and the order of the formula is kept.
# speed: fast
# rows: 152 160
section 'Order and stiffness'
source_of 'BG, section 3; figure 4 (d)'
claim 'The terms with 1/dt cancel once an explicit formula is applied, so that the equation is not stiff and can be integrated like an ordinary
differential equation.'
say 'The violations of the start of a step are kept through its stages: the weights of the formula add up to one and the step takes back what it began
with. Errors against the method auto at a tolerance of 10⁻¹³; a step half as long should have a sixteenth of the error.'
typed 'holonom compare models/four_bar.yaml --integrator rk4 --vary step=8e-3,4e-3,2e-3 --reference-tol 1e-13 --methods braun-goldfarb'
cp out four
typed 'holonom compare models/slider_crank.yaml --integrator rk4 --end 30 --vary step=1e-2,5e-3,2.5e-3 --reference-tol 1e-13 --methods braun-goldfarb'
cp out crank
typed 'holonom compare models/a02_two_four_bar.yaml --integrator rk4 --end 50 --vary step=2e-2,1e-2,5e-3 --reference-tol 1e-13 --methods braun-goldfarb'
cp out double
# The three runs of a file as one table with orders between the first and the last step.
orders() {
    awk -F'\t' -v name="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { h[++n] = $at["step"]; e[n] = $at["error"]; p[n] = $at["max_position_violation"]; v[n] = $at["max_velocity_violation"]; b[n] = $at["relative_energy_error"] }
        function order(x) { return log(x[1] / x[n]) / log(h[1] / h[n]) }
        END { printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, h[1], e[1], e[2], e[3], order(e), order(p), order(v), order(b) }' "$1"
}
{
    printf 'model\tstep\terror\thalf\tquarter\torder\tphi\tpsi\tenergy\n'
    orders four four-bar
    orders crank slider-crank
    orders double 'double four-bar'
} >all
table all 'model=model' 'h=step' 'error with h=error:%.1e' 'h/2=half:%.1e' 'h/4=quarter:%.1e' 'order=order:%.2f' 'of ‖Φ‖=phi:%.2f' 'of ‖Φ̇‖=psi:%.2f' 'of energy=energy:%.2f'
verdict "$(least all order) > 3.7 && $(most all order) < 4.5" holds "The error falls with the order of the formula, 4; the least fitted order is
$(fig "$(least all order)" %.2f)."
verdict "$(least all phi) > 4.5 && $(least all psi) > 4.5 && $(least all energy) > 4.5" holds "Violations and energy are those of a single step, which
the next one takes back: they fall with the fifth power, the order of its local error."
crank=$(cell crank error step=5e-3)
say 'RK4 on the minimal equation of the slider-crank, (24), with the same step:'
typed 'holonom run models/slider_crank_reduced.yaml --end 30 --set output=0.1 --output exact.csv
holonom compare models/slider_crank_reduced.yaml --integrator rk4 --end 30 --step 5e-3 --set output=0.1 --reference exact.csv --methods lagrange'
table 'step=!5e-3' 'error=error:%.1e'
ode=$(cell out error method=lagrange)
verdict "$crank < $ode" holds "With 5·10⁻³ s over 30 s the constrained equation is off by $(fig "$crank"), the minimal one by $(fig "$ode")."
say 'Under error control the order shows in the number of steps: a tolerance of 10⁻⁴ times takes 10⁴ to the power of one over the order of the error
estimate plus one as many, 5 for `dopri5`.'
typed 'holonom compare models/four_bar.yaml --set output=1 --vary tolerance=1e-6,1e-8,1e-10 --step 0 --integrator dopri5 \
    --methods braun-goldfarb,direct-correction'
across out method tolerance 'steps:%d'
order=$(awk "BEGIN { print log(1e4) / log($(cell out steps method=braun-goldfarb tolerance=1e-10) / $(cell out steps method=braun-goldfarb tolerance=1e-6)) }")
verdict "$order > 4.7" holds "From 10⁻⁶ to 10⁻¹⁰ the steps of \`braun-goldfarb\` grow as those of a formula with $(fig "$order" %.1f)."
