# A text with its marks {{ }} of figures taken off, in lines of at most 140 characters. Fails where a decimal figure stands outside of
# marks and backquotes; references such as (5.37), 5.1.4 or table 5.1 are none.
{
    bare = $0
    gsub(/\{\{[^}]*\}\}/, "", bare)
    gsub(/`[^`]*`/, "", bare)
    gsub(/\]\([^)]*\)/, "]", bare)
    gsub(/\([0-9]+\.[0-9]+[^)]*\)/, "", bare)
    gsub(/(table|section|example) [0-9]+\.[0-9]+/, "", bare)
    gsub(/[0-9]+\.[0-9]+\.[0-9.]+/, "", bare)
    if (bare ~ /[0-9]\.[0-9]|[0-9][eE][-+]?[0-9]/) exit 1
    gsub(/\{\{|\}\}/, "")
    line = ""
    count = split($0, words, / +/)
    for (i = 1; i <= count; i++) {
        if (words[i] == "") continue
        # a sign at the start of a line would make a list of it
        if (line != "" && letters(line) + 1 + letters(words[i]) > 140 && words[i] !~ /^([-+*#|>]|[0-9]+[.)]$)/) {
            print line
            line = words[i]
        } else {
            line = line (line == "" ? "" : " ") words[i]
        }
    }
    print line
}

# The characters of a text in UTF-8: bytes that do not continue one.
function letters(word) {
    gsub(/[\200-\277]/, "", word)
    return length(word)
}
