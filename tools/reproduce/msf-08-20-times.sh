# MSF figures 8, 12, 16 and 20 as pictures: what the methods cost, in instructions.
# speed: slow
# rows: 111 114 116
section 'Cost of the methods: figures 8, 12, 16 and 20'
source_of 'MSF, figures 8, 12, 16 and 20'
claim 'The times of the methods as multiples of that of the standard method.'
say 'Times of a processor vary from run to run; here the instructions of a step are counted (callgrind) and divided by those of `lagrange`.'
# bars NAME TITLE MODEL SHORT LONG METHODS...: counts, their table, and the picture.
bars() {
    name=$1 title=$2 model=$3 short=$4 long=$5
    shift 5
    unit='' words=''
    printf 'method\tcount\tratio\n' >"counts$name"
    for method in "$@"; do
        n=$(instructions "$model" 1e-3 "$short" "$long" --integrator rk4 --method "$method")
        unit=${unit:-$n}
        ratio=$(awk -v a="$n" -v b="$unit" 'BEGIN { printf "%.3f", a / b }')
        printf '%s\t%s\t%s\n' "$method" "$n" "$ratio" >>"counts$name"
        words="$words $method=$ratio"
    done
    say "$title"
    table "counts$name" 'method=method' 'instructions a step=count' 'ratio=ratio:%.2f'
    # shellcheck disable=SC2086 # words
    ratios=$words
    typed "holonom plot --bars \$ratios --name 'instructions, ratio' --size 640x320 -o bars$name.svg"
    picture "bars$name.svg" "$name" "The ratios as bars"
}
six='lagrange baumgarte augmented-lagrangian index1-projection partitioning direct-correction'
five='lagrange baumgarte augmented-lagrangian index1-projection direct-correction'
# shellcheck disable=SC2086 # lists
bars 08 'Figure 8, the planar four-bar:' models/four_bar.yaml 0.2 0.7 $six
# shellcheck disable=SC2086
bars 12 'Figure 12, the five-bar pendulum:' models/five_bar.yaml 0.2 0.7 $five
# shellcheck disable=SC2086
bars 16 'Figure 16, the spatial slider-crank:' models/slider_crank_spatial.yaml 0.2 0.7 $five
# shellcheck disable=SC2086
bars 20 'Figure 20, the suspension of the Iltis while it passes over the bump, with leaf link and tie rod as bodies of a tenth of a gram:' \
    models/iltis_corner.yaml 0.9 1.9 $five
# shellcheck disable=SC2086
bars 20-links 'Figure 20 again, with leaf link and tie rod as links, since the paper has their masses neglected:' \
    models/iltis_corner_links.yaml 0.9 1.9 $five
ratio() { cell "counts$1" ratio "method=$2"; }
b=$(ratio 16 baumgarte) a=$(ratio 16 augmented-lagrangian) i=$(ratio 16 index1-projection) d=$(ratio 16 direct-correction)
verdict "$b < $a && $a < $d && $d < $i" holds "In figure 16 MSF has $(printed 1.16), $(printed 1.30), $(printed 1.39) and $(printed 1.49) for Baumgarte’s
terms, the augmented Lagrangian, direct correction and index-1 projection; here $(fig "$b" %.2f), $(fig "$a" %.2f), $(fig "$d" %.2f) and
$(fig "$i" %.2f), in the same order." differs "In figure 16 MSF has $(printed 1.16), $(printed 1.30), $(printed 1.39) and $(printed 1.49) for
Baumgarte’s terms, the augmented Lagrangian, direct correction and index-1 projection; here these take $(fig "$b" %.2f), $(fig "$a" %.2f),
$(fig "$d" %.2f) and $(fig "$i" %.2f)."
b=$(ratio 20-links baumgarte) a=$(ratio 20-links augmented-lagrangian) i=$(ratio 20-links index1-projection) d=$(ratio 20-links direct-correction)
order="In figure 20 index-1 projection costs most, direct correction somewhat less, and Baumgarte’s terms and the augmented Lagrangian are cheaper still"
work="The augmented Lagrangian has no multipliers of its own, and has to find them for the work of the drive that moves the chassis; in a program that
does not balance energies they would not be asked for."
verdict "$b < $d && $a < $d && $d < $i" holds "$order; so it is here with links: $(fig "$i" %.2f), $(fig "$d" %.2f), $(fig "$b" %.2f) and
$(fig "$a" %.2f)." differs "$order; here with links these take $(fig "$i" %.2f), $(fig "$d" %.2f), $(fig "$b" %.2f) and $(fig "$a" %.2f). $work"
b=$(ratio 20 baumgarte) a=$(ratio 20 augmented-lagrangian) i=$(ratio 20 index1-projection) d=$(ratio 20 direct-correction)
verdict "$b < $d && $a < $d && $d < $i" holds "With bodies of a tenth of a gram the order is the same: $(fig "$i" %.2f), $(fig "$d" %.2f), $(fig "$b" %.2f) and
$(fig "$a" %.2f)." differs "With bodies of a tenth of a gram they take $(fig "$i" %.2f), $(fig "$d" %.2f), $(fig "$b" %.2f) and $(fig "$a" %.2f). Beside a wheel
of half a million times that mass the accelerations and multipliers of the standard method, of Baumgarte’s terms and of direct correction are
refined at every solution, which costs more than all else; the augmented Lagrangian and index-1 projection solve for the accelerations alone."
b=$(ratio 08 baumgarte) a=$(ratio 08 augmented-lagrangian) i=$(ratio 08 index1-projection) d=$(ratio 08 direct-correction) p=$(ratio 08 partitioning)
verdict "$b > 1 && $a > 1 && $i > 1 && $d > 1 && $p > 1 && $i / $a < 1.25" holds "The text to figure 8 has the standard method fastest, and the augmented Lagrangian
and index-1 projection alike; here $(fig "$a" %.2f) and $(fig "$i" %.2f) times the standard method." differs "The text to figure 8 has the standard
method fastest, and the augmented Lagrangian and index-1 projection alike; here $(fig "$a" %.2f) and $(fig "$i" %.2f) times the standard method."
verdict "$a < $b && $i < $b" holds "These two are better than Baumgarte’s method, $(fig "$b" %.2f)." differs "The text has these two better than Baumgarte’s method;
here that takes $(fig "$b" %.2f). It solves the system of the standard method, with two terms more in each of the m right-hand sides, so that little
room is left between the two: a method with a matrix of its own, factored once and solved with twice at each evaluation, would have to fit in there.
Figure 16 of the same paper has it the other way round."
verdict "$d < $b && $d < $p && $d < $a && $d < $i" holds "Direct correction is the cheapest of those that deal with violations, $(fig "$d" %.2f)." \
    differs "The text has direct correction as the cheapest of those that deal with violations, and partitioning next. Here direct correction, $(fig "$d" %.2f), is
the cheapest of those that eliminate them (index-1 projection $(fig "$i" %.2f), partitioning $(fig "$p" %.2f)); Baumgarte’s terms, which only bound
them, cost less."
