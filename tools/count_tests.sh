#!/bin/sh
# Count test cases in what CTest writes with --output-junit: count_tests.sh file [extra passed] [extra failed]
#
# A program that reports its cases in TAP ("ok 3 - name", "not ok 4 - name") counts case by case; any other test
# counts as one. A program that was not run, or that ended badly without a failed case of its own, or that left out
# cases of its plan "1..n" (a crash, a time-out) counts one failed more. Skipped cases are named, not counted. The
# last line is "N passed, N failed"; the exit status is 1 when any failed or when nothing passed.
# --self-test checks this script on made-up files.
set -eu

count() {
    awk -v passed="${2-0}" -v failed="${3-0}" '
        # Add up the test that ends here.
        function close_test(why) {
            why = ""
            if (seen < planned) why = seen " of " planned " cases ran"
            else if (status == "notrun") why = "not run"
            else if (status != "run" && bad == 0) why = "ended badly"
            if (why != "") {
                bad++
                print "failed: " name ": " why
            }
            if (good + bad + skipped == 0) good = 1
            passed += good; failed += bad; left_out += skipped
        }
        function attribute(line, key) {
            sub(".* " key "=\"", "", line)
            sub("\".*", "", line)
            return line
        }
        function case_line(line) {
            # cmocka of some versions writes a skipped case as "not ok 3 # SKIP name".
            if (line ~ /^[ \t]*(not )?ok [0-9]+.*# *SKIP/) {
                skipped++; seen++
                print "skipped: " name ": " line
            } else if (line ~ /^[ \t]*ok [0-9]+/) {
                good++; seen++
            } else if (line ~ /^[ \t]*not ok [0-9]+/) {
                bad++; seen++
                print "failed: " name ": " line
                # Case 0 stands for the whole group, none of whose cases ran.
                if (line ~ /^[ \t]*not ok 0+ /) seen = planned
            } else if (line ~ /^[ \t]*1\.\.[0-9]+[ \t]*$/) {
                sub(/^[ \t]*1\.\./, "", line)
                planned += line
            }
        }
        /^[ \t]*<testcase / {
            name = attribute($0, "name"); status = attribute($0, "status")
            good = bad = skipped = seen = planned = 0
            next
        }
        /^[ \t]*<\/testcase>/ { close_test(); next }
        { sub(/^[ \t]*<system-out>/, ""); sub(/<\/system-out>$/, ""); case_line($0) }
        END {
            if (left_out) print left_out " skipped"
            print passed " passed, " failed " failed"
            exit (failed > 0 || passed == 0)
        }
    ' "$1"
}

# One test of a made-up file: name, status; its output on standard input.
entry() {
    printf '\t<testcase name="%s" classname="x" time="0" status="%s">\n\t\t<system-out>' "$1" "$2"
    cat
    printf '</system-out>\n\t</testcase>\n'
}

# Count the file on standard input: the last line must be $1 and the exit status $2.
expect() {
    cat >"$scratch/junit.xml"
    status=0
    out=$(count "$scratch/junit.xml") || status=$?
    last=$(printf '%s\n' "$out" | tail -n 1)
    [ "$last" != "$1" ] || [ $status -ne "$2" ] || return 0
    echo "expected '$1' and status $2, found '$last' and status $status"
    : >"$scratch/wrong"
}

self_test() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    printf '1..2\nok 1 - a\nok 2 - b\n# ok - x\n' | entry good run | expect '2 passed, 0 failed' 0
    printf '1..2\nok 1 - a\nnot ok 2 - b\n# 1 != 2\n' | entry bad fail | expect '1 passed, 1 failed' 1
    printf '1..1\nnot ok 1 - a\n' | entry bad_but_exits_0 run | expect '0 passed, 1 failed' 1
    printf '1..3\nok 1 - a\n' | entry crash fail | expect '1 passed, 1 failed' 1
    printf '1..3\nnot ok 1 - a\n' | entry crash_later fail | expect '0 passed, 2 failed' 1
    printf '1..1\nok 1 - a\n' | entry crash_at_the_end fail | expect '1 passed, 1 failed' 1
    printf '1..3\nok 1 - a\n' | entry left_early run | expect '1 passed, 1 failed' 1
    printf '1..2\nok 1 - a\nnot ok 2 # SKIP b\n' | entry skip run | expect '1 passed, 0 failed' 0
    printf '1..1\nok 1 - a\n1..2\nok 1 - a\nok 2 - b\n' | entry groups run | expect '3 passed, 0 failed' 0
    printf '1..5\nnot ok 0 - x GROUP SETUP\n' | entry group_setup fail | expect '0 passed, 1 failed' 1
    printf 'all is well\nok then\n' | entry script run | expect '1 passed, 0 failed' 0
    printf 'oh no\n' | entry script fail | expect '0 passed, 1 failed' 1
    printf 'Unable to find executable' | entry absent notrun | expect '0 passed, 1 failed' 1
    printf '<testsuite>\n' | expect '0 passed, 0 failed' 1
    [ ! -e "$scratch/wrong" ] || return 1
    echo "the counts are right"
}

case ${1-} in
--self-test) self_test ;;
*) count "$@" ;;
esac
