# bench_problems.sh: the five problems on which runs are set beside those of other programs, for tools/bench_target.sh and
# tools/peer_sweep.sh; models come from tools/bench_models.sh and go to the folder of work.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # variables of those

problems='four_bar one forty chain slider'

# Of a problem: end, model (ours), xml (MuJoCo's), simbody (its words), stiffnesses of its loops worth a try.
prepare() {
    xml=$work/$1.xml stiffnesses='1e-1 1e-2 1e-3 1e-4 1e-6'
    case $1 in
    four_bar) end=10 model=$source/models/four_bar.yaml simbody='four_bar 1' && four_bar_xml >"$xml" ;;
    one) end=10 model=$work/one.yaml simbody='four_bars 1' && four_bars_xml 1 >"$xml" && sh "$source/tools/make_n_four_bar.sh" 1 >"$model" ;;
    forty) end=10 model=$work/forty.yaml simbody='four_bars 40' && four_bars_xml 40 >"$xml" && sh "$source/tools/make_n_four_bar.sh" 40 >"$model" ;;
    chain) end=5 model=$source/bench/models/five_links.yaml xml=$source/bench/models/five_links.xml simbody='chain 5' stiffnesses=1e-4 ;;
    slider) end=5 model=$source/models/slider_crank_spatial.yaml xml=$source/bench/models/slider_crank.xml simbody='slider 1' ;;
    esac
}

# How far the mass centres of the second file are from those of the first at most; inf where one is not there.
error_of() {
    awk 'FNR == NR { if ($1 == "centre") { x[$2] = $3; y[$2] = $4; z[$2] = $5; n++ }; next }
        $1 == "centre" {
            d = sqrt(($3 - x[$2]) ^ 2 + ($4 - y[$2]) ^ 2 + ($5 - z[$2]) ^ 2)
            if (d > most || d != d) most = d
            m++
        }
        END { if (n && m == n && most == most) printf "%.3g\n", most; else print 1e9 }' "$1" "$2"
}
