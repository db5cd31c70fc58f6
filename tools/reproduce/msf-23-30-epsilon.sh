# MSF (23) to (30): epsilon, and the matrix that is kept.
# speed: fast
# rows: 100 102
section 'Augmented Lagrangian until ε, and a projection with a kept matrix'
source_of 'MSF, (23) to (25), (26) to (30) with the text after (29), (50) and (51)'
claim 'The iteration for the accelerations goes on until |v̇ᵢ₊₁ − v̇ᵢ| = ε, a specified tolerance; that for the positions until |Δq| = ε. Where the predicted
positions are close to the corrected ones the modified Newton–Raphson method can be employed to make it more efficient.'
say 'ε is the option `iteration_tolerance`. MSF give no value. With a small penalty the iterations have something to do:'
typed 'holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --end 2 --set penalty=100 --vary iteration_tolerance=10,1e-1,1e-3,1e-5 \
    --methods augmented-lagrangian'
table 'ε=iteration_tolerance' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.1e' 'error=error:%.1e'
a=$(cell out error iteration_tolerance=10) b=$(cell out error iteration_tolerance=1e-5)
verdict "$b < $a / 10" holds "The error falls from $(fig "$a") to $(fig "$b") as ε does."
say 'At the penalty of the paper the second solution is within the default ε, and a smaller one changes nothing:'
typed 'holonom compare models/four_bar.yaml --integrator rk4 --step 1e-3 --end 2 --vary iteration_tolerance=1e-2,1e-4,1e-8,0 \
    --methods augmented-lagrangian'
table 'ε=iteration_tolerance' '‖Φ‖=max_position_violation:%.3e' 'energy=relative_energy_error:%.3e' 'error=error:%.2e'
low=$(least out error) high=$(most out error)
verdict "$high - $low < 0.01 * $high" holds "All errors lie between $(fig "$low" %.2e) and $(fig "$high" %.2e)."
say 'The matrix of the projection: `newton: full` factors M + DᵀαD at each iterate, `modified` keeps that of the start. In steps of 10 ms the projection
takes several iterations:'
typed 'index1=index1-projection
holonom compare models/slider_crank_spatial.yaml --integrator rk4 --step 1e-2 --methods $index1+newton=full,$index1+newton=modified'
table 'method=method' '‖Φ‖=max_position_violation:%.1e' 'energy=relative_energy_error:%.2e' 'error=error:%.2e' 'factorisations=factorizations'
f=$(cell out factorizations method=index1-projection+newton=full) m=$(cell out factorizations method=index1-projection+newton=modified)
verdict "$m < $f" holds "The same motion with fewer factorisations." differs "In these steps the matrix has to be factored as often: what is kept moves the
mechanism along its constraints."
verdict 1 wrong "In (26) the term αΦᵢ is missing beside λᵢ. As printed, with λᵢ the sum of all αΦⱼ by (28), D Δq = −(Φ₀ + … + Φᵢ) where α is large, and
Φ goes Φ₀, 0, −Φ₀, −Φ₀, 0, Φ₀ and so on without end. The program has Dᵀ(λᵢ + αΦᵢ); \`test_letter_print\` runs both."
verdict 1 wrong "In (50) and (51), the corrections with masses, M stands where M⁻¹ is meant, and is missing between D and Dᵀ: D times the printed correction of the
velocities is not −Φ̇. The program has M⁻¹Dᵀ(D M⁻¹Dᵀ)⁻¹ (correction \`direct-mass\`); \`test_letter_print\` runs both."
