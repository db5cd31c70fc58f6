# MSF figures 14 and 15 as pictures: violations of the spatial slider-crank over time.
# speed: fast
section 'Spatial slider-crank: figures 14 and 15'
source_of 'MSF, example 3, figures 14 and 15'
claim 'ΦᵀΦ and Φ̇ᵀΦ̇ over 5 s: they grow with the standard method; the other methods are seen on a finer scale.'
typed 'files=
for method in lagrange baumgarte augmented-lagrangian index1-projection direct-correction; do
    holonom run models/slider_crank_spatial.yaml --integrator rk4 --step 1e-3 --method $method --set output=0.02 --output $method.h5
    files="$files $method.h5"
done
holonom plot $files "constraints.position_violation^2" --name "|Φ|²" --log --range 1e-36:1e-8 --size 640x360 -o 14.svg
holonom plot $files "constraints.velocity_violation^2" --name "|dΦ/dt|²" --log --range 1e-36:1e-8 --size 640x360 -o 15.svg'
picture 14.svg 14 'Violation of the positions: lagrange grows, two methods stay level, two at rounding'
picture 15.svg 15 'Violation of the velocities on a logarithmic axis, in the same order'
say 'The axis is logarithmic here, so that all five can be told apart.'
last() { "$program" results "$1.h5" constraints.position_violation | awk 'NR > 1 { x = $1 } END { print x * x }'; }
l=$(last lagrange) b=$(last baumgarte) d=$(last direct-correction)
verdict "$l > 100 * $b && $d < 1e-6 * $b" holds "At the end ΦᵀΦ is $(fig "$l") with the standard method, $(fig "$b") with Baumgarte’s terms and
$(fig "$d") with direct correction."
