# BG figure 1: the slider-crank in a stroboscopic view.
# speed: fast
# rows: 156
section 'Slider-crank: stroboscopic view'
source_of 'BG, section 4.1, figure 1'
claim 'The slider-crank of two equal links over 100 s with steps of 5·10⁻² s, its poses for t from 96.9 s to 99 s drawn over each other. The step is
large, and the motion goes through the singular positions, with both links vertical, all the time.'
typed 'holonom run models/slider_crank.yaml --method braun-goldfarb --integrator rk4 --step 0.05 --end 100 --set output=0.05 --output crank.h5
holonom animate crank.h5 --strobe 0.1 --from 96.9 --to 99 --width 640 --height 420 -o poses.svg'
picture poses.svg poses 'The two links at 22 instants, the older ones paler'
"$program" results crank.h5 time theta1 theta2 x >angles.csv
# In the window: how far the links are from mirroring each other, and how often the slider passes the bearing of the crank.
awk -F, 'NR > 1 && $1 > 96.899 && $1 < 99.001 {
    off = cos($2) - cos($3); if (off < 0) off = -off; if (off > most) most = off
    if (n++ && last * $4 < 0) passes++
    last = $4 } END { print "apart\tpasses"; print most "\t" passes + 0 }' angles.csv >window
apart=$(cell window apart) passes=$(cell window passes)
verdict "$passes >= 1 && $apart < 0.02" holds "In the window the slider passes the bearing of the crank, where both links are vertical, and the links go on
mirroring each other (θ₂ = −θ₁), as they do in the figure."
