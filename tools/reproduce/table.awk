# table.awk FILE 'HEADING=COLUMN[:FORMAT]'...: a table in Markdown with a line per run. 'HEADING=!a;b;c' gives the cells themselves.
BEGIN {
    read_rows(ARGV[1])
    for (i = 2; i < ARGC; i++) {
        heading[i] = spec[i] = ARGV[i]
        sub(/=.*/, "", heading[i])
        spec[i] = substr(ARGV[i], length(heading[i]) + 2)
    }
    for (i = 2; i < ARGC; i++) printf "| %s ", heading[i]
    print "|"
    for (i = 2; i < ARGC; i++) printf "|---"
    print "|"
    for (line = 1; line <= lines; line++) {
        for (i = 2; i < ARGC; i++) {
            if (substr(spec[i], 1, 1) == "!") {
                if (split(substr(spec[i], 2), own, ";") != lines) exit 1
                printf "| %s ", own[line]
            } else {
                printf "| %s ", show(line, spec[i])
            }
        }
        print "|"
    }
}
