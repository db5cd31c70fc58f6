# The JSON of `holonom compare` or `holonom run` as lines with tabs: the names, then a line per run. Members of `vary` keep their names,
# those of other objects are named object.member; lists are left out.
function add(key, value) {
    sub(/,$/, "", value)
    gsub(/^"|"$/, "", value)
    if (!(key in known)) {
        known[key] = ++columns
        names[columns] = key
    }
    values[runs, key] = value
}

BEGIN { FS = "\n"; indent = 2; runs = 1 }

/^  "rows": \[/ { indent = 6; runs = 0; next }
indent == 6 && /^    \{/ { runs++; next }
indent == 6 && /^  \]/ { exit }

{
    match($0, /^ */)
    depth = RLENGTH
    if (depth == 2 && indent == 6) next
    if (!match($0, /^ *"[^"]*": /)) {
        if (depth == indent) object = ""
        next
    }
    key = $0
    sub(/^ *"/, "", key)
    sub(/": .*/, "", key)
    value = substr($0, RLENGTH + 1)
    if (value == "{") object = key
    else if (value ~ /^[[{]/) next
    else if (depth == indent) add(key, value)
    else if (depth == indent + 2 && object != "") add((object == "vary" ? "" : object ".") key, value)
}

END {
    for (i = 1; i <= columns; i++) printf "%s%s", (i > 1 ? "\t" : ""), names[i]
    print ""
    for (run = 1; run <= runs; run++) {
        for (i = 1; i <= columns; i++) printf "%s%s", (i > 1 ? "\t" : ""), values[run, names[i]]
        print ""
    }
}
