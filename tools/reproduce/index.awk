# The index docs/reproduce.md from documents.txt, claims.txt and the pages, each behind a line "@ name, speed, rows" with tabs.
FNR == 1 { file++ }
file < 3 && /^#/ { next }
file == 1 { split($0, part, "|"); keys[++documents] = part[1]; titles[part[1]] = part[2]; next }
file == 2 {
    split($0, part, "|")
    claims[++claim_count] = part[1]
    document[part[1]] = part[2]
    place[part[1]] = part[3]
    asks[part[1]] = part[4]
    reason[part[1]] = part[5]
    next
}

/^@ / {
    split(substr($0, 3), part, "\t")
    name = part[1]
    names[++sections] = name
    speed[name] = part[2]
    count = split(part[3], rows, / +/)
    for (i = 1; i <= count; i++) {
        if (!(rows[i] in document)) {
            printf "reproduce: the claim %s names the row %s, which is not in claims.txt\n", name, rows[i] >"/dev/stderr"
            wrong = 1
        }
        answers[rows[i]] = answers[rows[i]] (answers[rows[i]] == "" ? "" : ", ") "[" name "](reproduce/" name ".md)"
        if (reason[rows[i]] != "") reason[rows[i]] = ""
    }
    inside = ""
    next
}
/^# / { title[name] = substr($0, 3) }
/^Source: / { inside = "source" }
/^\*\*(Holds|Differs|The print is wrong)\.\*\*/ {
    kind = $0
    sub(/\.\*\*.*/, "", kind)
    sub(/^\*\*/, "", kind)
    verdicts[name, kind]++
}
/^$/ { inside = "" }
inside == "source" {
    line = $0
    sub(/^Source: /, "", line)
    origin[name] = origin[name] (origin[name] == "" ? "" : " ") line
}

# "3 hold, 1 differs, the print is wrong in 1"
function verdict_of(name,   text, n) {
    n = verdicts[name, "Holds"]
    if (n) text = n == 1 ? "holds" : n " hold"
    n = verdicts[name, "Differs"]
    if (n) text = text (text == "" ? "" : ", ") (n == 1 ? (text == "" ? "differs" : "1 differs") : n " differ")
    n = verdicts[name, "The print is wrong"]
    if (n) text = text (text == "" ? "" : ", ") (n == 1 ? "the print is wrong" : "the print is wrong in " n)
    return text
}

END {
    print "# The claims of the source documents, by command"
    print ""
    print "<!-- Written by tools/reproduce.sh; change claims/ and tools/reproduce/, not this. -->"
    print ""
    print "Each page below takes a claim, figure or table of a source document (keys as in [references.md](references.md)), gives the command that"
    print "shows it, the table or picture that the command makes, and a verdict that is computed from the figures: the claim holds, it differs and"
    print "why, or the print is wrong. [`holonom reproduce NAME`](questions/reproduce.md) runs one of them and prints what its page says. The claims are"
    print "`claims/*.yaml`; no figure on these pages is written by hand: `./dev reproduce` runs the claims and writes them, and the tests run those marked"
    print "*tested* again and fail when a figure moves. Run the commands in the folder of the repository."
    print ""
    print "Columns: ‖Φ‖ and ‖Φ̇‖ are the largest norms of the position and velocity residuals over all steps, *energy* the largest relative error"
    print "of the energy balance, *error* the largest difference from a reference (angles in radians, lengths relative to the longest of the"
    print "reference, at least 1 m). `holonom help compare` has the definitions; `--format csv` and `--json` show all digits. Prices are counts of"
    print "instructions, never seconds."
    for (d = 1; d <= documents; d++) {
        key = keys[d]
        printf "\n## %s: %s\n\n", key, titles[key]
        print "| page | source | verdict | |"
        print "|---|---|---|---|"
        for (s = 1; s <= sections; s++) {
            name = names[s]
            prefix = toupper(name)
            sub(/-.*/, "", prefix)
            if (prefix != key) continue
            printf "| [%s](reproduce/%s.md) | %s | %s | %s |\n", title[name], name, origin[name], verdict_of(name), speed[name] == "fast" ? "tested" : ""
        }
        listed = 0
        for (c = 1; c <= claim_count; c++) {
            number = claims[c]
            if (document[number] != key) continue
            if (!listed++) print "\n| no. | place | what it asks for | answered in |\n|---|---|---|---|"
            answer = answers[number]
            if (answer == "") answer = reason[number] == "" ? "open" : "not built: " reason[number]
            printf "| %s | %s | %s | %s |\n", number, place[number], asks[number], answer
        }
    }
    exit wrong
}
