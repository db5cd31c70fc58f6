# MSF figures 10 and 11 as pictures: violations of the five-bar pendulum over time.
# speed: fast
section 'Spatial five-bar pendulum: figures 10 and 11'
source_of 'MSF, example 2, figures 10 and 11'
claim 'ΦᵀΦ and Φ̇ᵀΦ̇ over 10 s with Baumgarte’s terms, the augmented Lagrangian, index-1 projection and direct correction.'
typed 'files=
for method in baumgarte augmented-lagrangian index1-projection direct-correction; do
    holonom run models/five_bar.yaml --integrator rk4 --step 1e-3 --method $method --set output=0.02 --output $method.h5
    files="$files $method.h5"
done
holonom plot $files "constraints.position_violation^2" --name "|Φ|²" --size 640x320 -o 10.svg
holonom plot $files "constraints.velocity_violation^2" --name "|dΦ/dt|²" --size 640x320 -o 11.svg'
picture 10.svg 10 'Violation of the positions: peaks with Baumgarte and the augmented Lagrangian, zero with the others'
picture 11.svg 11 'Violation of the velocities: peaks with Baumgarte and the augmented Lagrangian, zero with the others'
peak() { "$program" results "$1.h5" constraints.position_violation | awk 'NR > 1 && $1 + 0 > most { most = $1 + 0 } END { print most * most }'; }
b=$(peak baumgarte) a=$(peak augmented-lagrangian) d=$(peak direct-correction)
verdict "$a < $b && $d < 1e-6 * $a" holds "The highest peak of ΦᵀΦ at the instants that are drawn is $(fig "$b") with Baumgarte’s terms and
$(fig "$a") with the augmented Lagrangian; direct correction stays at rounding, $(fig "$d")."
