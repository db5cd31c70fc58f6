# What tables share, read with -f before table.awk or across.awk.

# Read the file into value[line, name]; lines and columns are counted.
function read_rows(file,   i) {
    FS = "\t"
    if ((getline <file) <= 0) exit 1
    columns = NF
    for (i = 1; i <= NF; i++) names[i] = $i
    while ((getline <file) > 0) {
        lines++
        for (i = 1; i <= NF; i++) value[lines, names[i]] = $i
    }
    for (i = 1; i <= columns; i++) known[names[i]] = 1
    known["outcome"] = 1
}

# The cell of a column, which may be NAME:FORMAT; `outcome` says whether and when a run stopped. Figures are not there after a stop at
# the very start.
function show(line, spec,   name, format) {
    name = format = spec
    sub(/:%.*/, "", name)
    format = index(spec, ":%") ? substr(spec, length(name) + 2) : "%s"
    if (!(name in known)) exit 1
    if (name == "outcome") {
        if (value[line, "status"] == "HOL_OK") return "reaches the end"
        return sprintf("stops at %.3g s", value[line, "t"])
    }
    if (name == "method") return "`" value[line, name] "`"
    if (value[line, name] == "" || value[line, name] == "null") return ""
    return sprintf(format, value[line, name])
}
