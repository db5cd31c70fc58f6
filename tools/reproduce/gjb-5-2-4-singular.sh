# GJB 5.1.3.2, 5.1.4 and 5.2.4: what the formulations do in singular positions.
# speed: fast
# rows: 15 24
section 'Singular positions: which methods stop, which pass'
source_of 'GJB, sections 5.1.3.2, 5.1.4 (after (5.37)) and 5.2.4'
claim 'Where the Jacobian loses rank, Lagrange multipliers and Baumgarte’s terms crash or make sudden large errors, and so do independent coordinates
unless special provisions are made. The penalty formulation (5.37) and the augmented Lagrangian do not fail there: their matrix is never singular,
and they go through without problems.'
say 'The mechanisms are the double four-bar, in the natural coordinates of the book and in reference-point coordinates, and the slider-crank of equal
links. With steps of 10 ms they pass some thirty singular positions in 30 s. `crossing=off` runs every method as its source prints it, whatever
comes out; `auto` is how it runs for users: methods with a correction and independent coordinates have their steps laid around the positions, and the
others stop where they are thrown off. The reference of the double four-bar is the pendulum that it reduces to, which has no singular position.'
typed 'rk="--integrator rk4 --step 1e-2 --end 30 --set output=0.1"
holonom run models/two_four_bar_reduced.yaml --end 30 --set output=0.1 -o exact.csv'

say '**Double four-bar in natural coordinates** (largest difference in radians; from a tenth on the motion is lost, and its size is chance):'
typed 'holonom compare models/double_four_bar_natural.yaml --coordinates natural $rk --vary crossing=off,auto --reference exact.csv'
across out method crossing outcome
mv out natural
say '**Double four-bar in reference-point coordinates:**'
typed 'holonom compare models/a02_two_four_bar.yaml $rk --vary crossing=off,auto --reference exact.csv'
across out method crossing outcome
mv out reference
say '**Slider-crank of equal links:**'
typed 'holonom compare models/slider_crank.yaml $rk --vary crossing=off,auto'
across out method crossing outcome
mv out slider

# 1 where the method $2 as printed fails in the file $1: it stops, or is off by a tenth.
fails() {
    awk -v ok="$(cell "$1" status "method=$2" crossing=off)" -v e="$(cell "$1" error "method=$2" crossing=off)" \
        'BEGIN { print (ok != "HOL_OK" || e >= 0.1) ? 1 : 0 }'
}
verdict "$(fails natural lagrange) && $(fails natural baumgarte) && $(fails reference lagrange) && $(fails reference baumgarte) &&
    $(fails slider lagrange)" \
    holds "Lagrange multipliers fail on all three and Baumgarte’s terms on both double four-bars, at
$(fig "$(cell natural t method=lagrange crossing=auto)" %.1f) and $(fig "$(cell natural t method=baumgarte crossing=auto)" %.1f) s in natural coordinates; so do all methods
that solve the same equations in another way (\`projection\`, \`nullspace\`, \`udwadia-kalaba\`)."
verdict "$(fails slider baumgarte)" holds "Baumgarte’s terms fail on the slider-crank too." \
    differs "On the slider-crank Baumgarte’s terms pass, $(fig "$(cell slider error method=baumgarte crossing=off)"): it is chance how near a stage of a step
comes to a position, and with other steps they fail."
verdict "$(fails reference partitioning) || $(fails reference independent)" holds "Independent coordinates fail without provisions." \
    differs "Independent coordinates pass: the special provision is part of the method here, since they are chosen anew when their pivots fall, and
with fixed steps no stage lies in the position itself. In natural coordinates, where a step of 10 ms is coarse for a partition of points, partitioning
is off by $(fig "$(cell natural error method=partitioning crossing=off)" %.0e) rad and \`independent\` by $(fig "$(cell natural error method=independent crossing=off)" %.0e)."
a=$(cell natural error method=augmented-lagrangian crossing=off)
verdict "!$(fails natural augmented-lagrangian) && !$(fails reference augmented-lagrangian) && !$(fails slider augmented-lagrangian)" \
    holds "The augmented Lagrangian passes on all three, within $(fig "$a") in natural coordinates."
verdict "!$(fails natural penalty)" holds "The penalty method passes." \
    wrong "The penalty method (5.37) does not pass with the parameters of the book (α of 10 million times the largest mass, Ω = 10, μ = 1). Its matrix
is regular, but its constraints are not satisfied: Φ̈ + 2ΩμΦ̇ + Ω²Φ = λ/α leaves Φ near C = λ/(αΩ²), and at the distance x from a singular position
that is an acceleration of 2 C v²/x³ across the branch. The augmented Lagrangian takes λ/α away by its iterations, and passes. An independent
computation of (5.37) in the test \`test_letter_singular\` is thrown off at the same position."
say 'With a larger penalty C falls, and the claim becomes true:'
typed 'holonom compare models/double_four_bar_natural.yaml --coordinates natural $rk --set crossing=off --reference exact.csv \
    --vary penalty=1e7,1e9,1e11 --methods penalty,augmented-lagrangian'
across out method penalty outcome
p=$(cell out error method=penalty penalty=1e11) q=$(cell out error method=augmented-lagrangian penalty=1e11)
verdict "$p < 0.01" holds "With the largest of these the penalty method passes within $(fig "$p"), as the augmented Lagrangian does ($(fig "$q")). What it costs
is the accuracy of everything else ([table 5.1](gjb-table-5.1-penalty.md))."
