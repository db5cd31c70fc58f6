# PV table 2: seven orthogonalisation methods on a pendulum.
# speed: fast
# rows: 91
section 'Seven orthogonalisation methods on a pendulum'
source_of 'PV, section 8, table 2'
claim 'All seven give the same motion.'
typed 'ns=nullspace+basis
holonom compare models/pendulum.yaml --integrator rk4 --step 1e-3 \
    --methods $ns=partition,$ns=qr,$ns=putd,$ns=svd,$ns=eigen,$ns=schur,udwadia-kalaba'
table 'method=method' '‖Φ‖=max_position_violation:%.2e' 'energy=relative_energy_error:%.2e' 'error=error:%.2e'
low=$(least out error) high=$(most out error)
verdict "$high - $low < 1e-11" holds "All errors lie between $(fig "$low" %.2e) and $(fig "$high" %.2e): they are that of the formula, and the
rest is rounding."
