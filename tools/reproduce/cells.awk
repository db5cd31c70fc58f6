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
    known["outcome"] = known["ending"] = 1
}

# How a run ended, and its error: from 0.1 on (radians, or of the longest length) the motion is lost, and the size of the error is chance, as
# it is whether the run then crashes; with `closely` that is told apart.
function outcome_of(line, closely,   error) {
    error = value[line, "error"]
    if (value[line, "status"] == "HOL_ERR_INPUT") return "does not apply"
    if (value[line, "status"] == "HOL_ERR_SINGULAR") return "stops"
    if (value[line, "status"] != "HOL_OK") return closely ? "crashes" : "is lost"
    return error < 0.1 ? sprintf("passes, %.0e", error) : closely ? "goes wrong" : "is lost"
}

# The cell of a column, which may be NAME:FORMAT; `outcome` and, in more detail, `ending` say how the run ended.
function show(line, spec,   name, format) {
    name = format = spec
    sub(/:%.*/, "", name)
    format = index(spec, ":%") ? substr(spec, length(name) + 2) : "%s"
    if (!(name in known)) exit 1
    if (name == "outcome" || name == "ending") return outcome_of(line, name == "ending")
    if (name == "method") return "`" value[line, name] "`"
    if (value[line, name] == "" || value[line, name] == "null") return ""
    return sprintf(format, value[line, name])
}
