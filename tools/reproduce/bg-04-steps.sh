# BG figure 4: errors of the slider-crank over the step.
# speed: fast
# rows: 152 159 160
section 'Slider-crank: errors over the step'
source_of 'BG, section 4.1, figure 4 (a) to (d)'
claim 'Over 100 s the largest errors of constraints, energy and solution fall with the step. With small steps the solution is as good as that of the
minimal equation by the same formula, or better; with large steps, thanks to the energy correction, it is considerably better.'
typed 'steps=5e-2,2e-2,1e-2,5e-3,2e-3
holonom run models/slider_crank_reduced.yaml --output exact.csv
holonom compare models/slider_crank.yaml --integrator rk4 --end 100 --set output=1 --reference exact.csv --vary step=$steps \
    --methods braun-goldfarb,braun-goldfarb+energy_limit=0 --plot errors.svg'
table 'method=method' 'step=step' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
say 'The reference is the motion of the angle alone, equation (24), with error-controlled steps. The chart has a panel for each error; the order in the
legend is the slope of the straight line through the points. With the smallest step the violation of the velocities is down at rounding, which the
singular positions magnify, and no longer falls; the table leaves it out.'
picture errors.svg errors 'Errors of positions, velocities, energy and solution over the step, on logarithmic axes'
cp out steps
awk '/"orders"/ { on = 1 } on && /"method"/ { gsub(/[",]/, ""); m = $2 } on && /"error"/ { gsub(/,/, ""); e[m] = $2 }
    END { print "method\torder"; for (m in e) print m "\t" e[m] }' json >orders
o=$(cell orders order method=braun-goldfarb)
verdict "$o > 3.8 && $o < 4.3" holds "The error of the solution falls with the order of the formula, 4: fitted $(fig "$o" %.2f)."
typed 'holonom compare models/slider_crank_reduced.yaml --integrator rk4 --end 100 --reference exact.csv --vary step=$steps --methods lagrange'
cp out minimal
{
    echo 'time [s],step [s],with energy correction,without,minimal equation'
    n=0
    for h in 5e-2 2e-2 1e-2 5e-3 2e-3; do
        n=$((n + 1))
        echo "$n,$h,$(cell steps error method=braun-goldfarb step=$h),$(cell steps error method=braun-goldfarb+energy_limit=0 step=$h),$(cell minimal error step=$h)"
    done
} >solution.csv
say 'Figure 4 (d), the error of the solution, with that of the minimal equation by RK4 (the errors of the two commands above, by step, in a file):'
typed 'holonom plot solution.csv "with energy correction" without "minimal equation" -x step --log --log-x --points --name "largest error" \
    --size 640x360 -o 4d.svg'
picture 4d.svg d 'The error with energy correction lies below the two others over the whole range of steps'
with=$(cell steps error method=braun-goldfarb step=5e-2) ode=$(cell minimal error step=5e-2)
fine=$(cell steps error method=braun-goldfarb step=2e-3) ode_fine=$(cell minimal error step=2e-3)
verdict "$with < $ode / 100 && $fine < $ode_fine" holds "With the largest step the error is $(fig "$with"), that of the minimal equation $(fig "$ode"); with the
smallest $(fig "$fine") and $(fig "$ode_fine")."
