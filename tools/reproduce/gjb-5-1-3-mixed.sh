# GJB 5.1.3: the equations without stabilisation, with Baumgarte's terms, and the mixed differential-algebraic system.
# speed: slow
# rows: 11 14
section 'No stabilisation, Baumgarte, and the mixed system'
source_of 'GJB 5.1.3.1 and 5.1.3.2, after Nikravesh (1984)'
claim 'The direct integration of the equations gives unacceptable results; with Baumgarte terms it is twice as efficient as the integration of the
mixed differential-algebraic system, though not all problems are solved satisfactorily with them.'
say "The planar four-bar over a minute, all three by backward differences of variable order with the same rough tolerance: the first two as ordinary
differential equations (CVODE), the third in the stabilised form of index 2 with its multipliers (IDA)."
typed 'holonom compare models/four_bar.yaml --set tolerance=1e-4 --end 60 \
    --methods lagrange+integrator=bdf,baumgarte+integrator=bdf,dae+integrator=ida'
table 'method=method' '‖Φ‖=max_position_violation:%.0e' 'error=error:%.0e' 'evaluations=evaluations:%.0f' 'steps=steps:%.0f'
l='method=lagrange+integrator=bdf' b='method=baumgarte+integrator=bdf' d='method=dae+integrator=ida'
phi=$(cell out max_position_violation "$l") off=$(cell out error "$l")
verdict "$phi > 0.01 && $off > 1" holds "Without stabilisation the constraints are violated by $(fig "$phi" %.1f) m in a mechanism of some metres, and the
crank is $(fig "$off" %.0f) rad off." \
    differs "Without stabilisation the constraints are violated by $(fig "$phi") m, and the crank is $(fig "$off") rad off."
eb=$(cell out evaluations "$b") ed=$(cell out evaluations "$d")
ratio=$(awk "BEGIN { print $ed / $eb }")
verdict "$ratio > 1.5 && $ratio < 2.5" holds "The mixed system takes $(fig "$ratio" %.1f) times the evaluations of Baumgarte's terms." \
    differs "The mixed system takes $(fig "$ratio" %.1f) times the evaluations of Baumgarte's terms."
pb=$(cell out max_position_violation "$b") pd=$(cell out max_position_violation "$d")
xb=$(cell out error "$b") xd=$(cell out error "$d")
verdict "$pb > 3 * $pd && $xb > $xd" holds "What it pays for: the constraints are violated by $(fig "$pd" %.0e) m instead of $(fig "$pb" %.0e), and the motion is
$(fig "$xd" %.0e) rad off instead of $(fig "$xb" %.0e). The
sentence compares at equal tolerances, not at equal accuracy." \
    differs "It is no more accurate: $(fig "$pd" %.0e) m against $(fig "$pb" %.0e), $(fig "$xd" %.0e) rad against $(fig "$xb" %.0e)."
