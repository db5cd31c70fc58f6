#!/bin/sh
# The documentation site: it builds without a warning, every link and anchor in it leads somewhere, no page asks the network for anything, and
# formulas are set. Skipped where mkdocs with its theme or KaTeX is not installed.
set -u

source=${HOLONOM_SOURCE:?}
program=${HOLONOM_PROGRAM:?}
# shellcheck source=tests/pages_harness.sh
. "$(dirname "$0")/pages_harness.sh"

missing=
/usr/bin/python3 -c 'import mkdocs, yaml' 2>/dev/null || missing="$missing mkdocs"
[ -d /usr/share/mkdocs/themes/material ] || missing="$missing mkdocs-material"
/usr/bin/python3 -c 'import pymdownx' 2>/dev/null || missing="$missing python3-pymdownx"
[ -f /usr/share/javascript/katex/katex.js ] || missing="$missing libjs-katex"
command -v node >/dev/null 2>&1 || missing="$missing nodejs"
for part in hdf5 fyaml web; do
    "$program" version --features | grep -q "^ *$part *yes" || missing="$missing $part (in this build)"
done
if [ -n "$missing" ]; then
    echo "1..0 # SKIP not installed:$missing (./dev site installs them)"
    exit 0
fi
echo 1..6

# 1: formulas as text and as TeX
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/tools/site" /usr/bin/python3 "$source/tests/site/check_formulas.py" >"$scratch/wrong"
result 1 "formulas in plain text become TeX" $?

# 2: a motion of one machine, not of all, which takes minutes; a link that leads nowhere ends the build
sh "$source/tools/site.sh" "$program" "$scratch/site" four_bar >"$scratch/build.log" 2>&1
status=$?
[ $status -eq 0 ] || tail -n 20 "$scratch/build.log" >"$scratch/wrong"
result 2 "the site builds without a warning" $status

# 3, 4, 5: what the check finds in pages with every mistake, and in the site
mkdir -p "$scratch/tree/a"
cat >"$scratch/tree/one.html" <<'HTML'
<p id="here"><a href="a/two.html#there">good</a><a href="a/two.html#nowhere">bad</a><a href="three.html">bad</a><a href="#here">good</a>
<img src="https://host/x.png"><script src="//host/x.js"></script><a href="https://semver.org/">good</a><img src="none.png">
HTML
echo '<h1 id="there">x</h1><link href="http://host/x.css"><a href="../one.html">good</a><style>a{background:url(https://host/y.png)}</style>' \
    >"$scratch/tree/a/two.html"
/usr/bin/python3 "$source/tests/site/links.py" "$scratch/tree" >"$scratch/found" 2>/dev/null
cat >"$scratch/expected" <<'TEXT'
a/two.html: asks the network for http://host/x.css
a/two.html: asks the network for https://host/y.png
one.html: a/two.html has no #nowhere
one.html: there is no three.html
one.html: asks the network for https://host/x.png
one.html: asks the network for //host/x.js
one.html: there is no none.png
TEXT
diff "$scratch/expected" "$scratch/found" >"$scratch/wrong"
result 3 "the check finds broken links and hosts, and no others"
/usr/bin/python3 "$source/tests/site/links.py" "$scratch/site/html" >"$scratch/wrong" 2>"$scratch/count"
result 4 "every link of the site leads to a page and a place on it, and nothing comes from a network"
[ "$(cat "$scratch/count")" -gt 10000 ] || echo "only $(cat "$scratch/count") links were looked at" >"$scratch/wrong"
result 5 "the links of all pages were looked at"

# 6: a formula, a header, the motion and a machine are there
pages=$scratch/site/html
for want in 'docs/theory/kkt.html:class="katex"' 'api/sim.html:id="hol_sim_run"' 'index.html:models/four_bar-report.html' \
    'models/index.html:bicycle-still.svg' 'commands.html:id="certify"' 'search/search_index.js:Udwadia'; do
    grep -qF "${want#*:}" "$pages/${want%%:*}" || echo "${want%%:*} has no ${want#*:}" >>"$scratch/wrong"
done
grep -qF four-bar "$pages/models/four_bar-report.html" || echo "no report of the four-bar" >>"$scratch/wrong"
result 6 "formulas, headers, machines, motion and search are in the site"
exit $failed
