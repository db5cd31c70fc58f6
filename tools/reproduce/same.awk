# same.awk OLD NEW: whether two pages say the same, with other figures only within the margins; what differs is printed, and the exit
# status is 1 then.
#
# Words, verdicts and whole numbers: exactly. A decimal figure: 1 in its last printed digit, which is what another compiler may move a
# figure that stands near the middle between two; so a section prints the digits that can be counted on. Below 1e-11 in both pages a
# figure is rounding, and a factor of ten is free; a zero is as good as 1e-14.
function number_of(text) { return text + 0 }
function absolute(x) { return x < 0 ? -x : x }

# 1 in the last digit of the text of a figure.
function last_digit(text,   mantissa, exponent) {
    mantissa = text
    exponent = 0
    if (match(text, /[eE]/)) {
        mantissa = substr(text, 1, RSTART - 1)
        exponent = substr(text, RSTART + 1) + 0
    }
    if (index(mantissa, ".")) exponent -= length(mantissa) - index(mantissa, ".")
    return 10 ^ exponent
}

function rounding_size(x) { return absolute(x) < 1e-11 }

function close_enough(a, b,   x, y) {
    if (a == b) return 1
    if (a !~ /[.eE]/ || b !~ /[.eE]/) return 0
    x = absolute(number_of(a))
    y = absolute(number_of(b))
    if (rounding_size(x) && rounding_size(y)) {
        if (x < 1e-14) x = 1e-14
        if (y < 1e-14) y = 1e-14
        return x <= 10 * y && y <= 10 * x
    }
    return absolute(number_of(a) - number_of(b)) <= 1.001 * (last_digit(a) > last_digit(b) ? last_digit(a) : last_digit(b))
}

# Split a line into its figures, found[1..], and the words between them, which are returned; names such as 5-3 or x1 stay words.
function figures_of(line, found,   words, before) {
    words = ""
    split("", found)
    while (match(line, /[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/)) {
        before = substr(line, 1, RSTART - 1)
        words = words before "#"
        found[++found_count] = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
    }
    return words line
}

function differ(old, new) {
    printf "page: %s\nnow:  %s\n", old, new
    bad = 1
}

BEGIN {
    while ((getline line <ARGV[1]) > 0) old[++old_lines] = line
    while ((getline line <ARGV[2]) > 0) new[++new_lines] = line
    if (!old_lines || old_lines != new_lines) {
        printf "%s has %d lines, %s %d\n", ARGV[1], old_lines, ARGV[2], new_lines
        bad = 1
    }
    for (i = 1; i <= old_lines && i <= new_lines; i++) {
        if (old[i] == new[i]) continue
        found_count = 0
        a = figures_of(old[i], first)
        n = found_count
        found_count = 0
        b = figures_of(new[i], second)
        if (a != b || n != found_count) { differ(old[i], new[i]); continue }
        for (k = 1; k <= n; k++) {
            if (!close_enough(first[k], second[k])) { differ(old[i], new[i]); break }
        }
    }
    exit bad
}
