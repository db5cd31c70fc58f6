# MSF figures 5 to 7 as pictures: violations and energy of the planar four-bar over time.
# speed: fast
section 'Planar four-bar: figures 5 to 7'
source_of 'MSF, example 1, figures 5 to 7'
claim 'ΦᵀΦ, Φ̇ᵀΦ̇ and the change of the energy over time for six methods in one diagram; figures (a) show the growth of the standard method, figures
(b) the others on a finer scale.'
typed 'files=
for method in lagrange baumgarte augmented-lagrangian index1-projection partitioning direct-correction; do
    holonom run models/four_bar.yaml --integrator rk4 --step 1e-3 --method $method --set output=0.02 --output $method.h5
    files="$files $method.h5"
done'
draw() { # NAME TEXT EXPRESSION OPTIONS...
    name=$1 words=$2
    shift 2
    typed "holonom plot \$files $* --size 640x320 -o $name.svg"
    picture "$name.svg" "$name" "$words"
}
say 'Figure 5, violation of the positions:'
draw 5a 'The violation under lagrange grows like a power of time; the others lie on the axis' "'constraints.position_violation^2' --name '|Φ|²'"
draw 5b 'On a finer scale Baumgarte oscillates, the augmented Lagrangian less, the others are zero' "'constraints.position_violation^2' --name '|Φ|²' --range 0:1e-18"
say 'Figure 6, violation of the velocities:'
draw 6a 'The violation of the velocities under lagrange grows' "'constraints.velocity_violation^2' --name '|dΦ/dt|²'"
draw 6b 'On a finer scale Baumgarte and the augmented Lagrangian oscillate, the others are zero' \
    "'constraints.velocity_violation^2' --name '|dΦ/dt|²' --range 0:1e-16"
say 'Figure 7, change of the energy:'
draw 7 'The energy drifts under lagrange, Baumgarte and the augmented Lagrangian' "energy.balance --change --name 'E − E₀'"
"$program" results lagrange.h5 time constraints.position_violation >lagrange.csv
at() { awk -F, -v t="$1" 'NR > 1 && $1 > t - 1e-6 && $1 < t + 1e-6 { print $2 * $2 }' lagrange.csv; }
a=$(at 5) b=$(at 10)
verdict "$b > 4 * $a && $a > 1e-16" holds "ΦᵀΦ of the standard method grows from $(fig "$a") at 5 s to $(fig "$b") at 10 s, and only its curve can be seen in
figures (a); the scale of figures (b) is smaller by orders of magnitude, as in print."
