# cell.awk FILE COLUMN KEY=VALUE...: the value of COLUMN in the first line of FILE that has these values.
BEGIN {
    FS = "\t"
    if ((getline <ARGV[1]) <= 0) exit 1
    for (i = 1; i <= NF; i++) at[$i] = i
    if (!(ARGV[2] in at)) exit 1
    while ((getline <ARGV[1]) > 0) {
        for (i = 3; i < ARGC; i++) {
            key = value = ARGV[i]
            # the last sign of equality: names of methods hold some
            sub(/=[^=]*$/, "", key)
            if (!(key in at)) { sub(/=.*/, "", key) }
            if (!(key in at)) exit 1
            value = substr(value, length(key) + 2)
            if ($at[key] != value && !($at[key] + 0 == value + 0 && value ~ /^[-+0-9.]/)) break
        }
        if (i == ARGC) {
            print $at[ARGV[2]]
            exit 0
        }
    }
    exit 1
}
