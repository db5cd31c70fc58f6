# across.awk FILE ROWS COLUMNS COLUMN:FORMAT: a table in Markdown, a line per value of the column ROWS, a column per value of COLUMNS.
BEGIN {
    read_rows(ARGV[1])
    if (!(ARGV[2] in known) || !(ARGV[3] in known)) exit 1
    for (line = 1; line <= lines; line++) {
        row = value[line, ARGV[2]]
        column = value[line, ARGV[3]]
        if (!(row in rows)) { rows[row] = ++row_count; row_names[row_count] = row }
        if (!(column in places)) { places[column] = ++place_count; place_names[place_count] = column }
        cells[rows[row], places[column]] = show(line, ARGV[4])
    }
    printf "| %s ", ARGV[2]
    for (i = 1; i <= place_count; i++) printf "| %s = %s ", ARGV[3], place_names[i]
    print "|"
    for (i = 0; i <= place_count; i++) printf "|---"
    print "|"
    for (line = 1; line <= row_count; line++) {
        printf((ARGV[2] == "method" ? "| `%s` " : "| %s "), row_names[line])
        for (i = 1; i <= place_count; i++) printf "| %s ", cells[line, i]
        print "|"
    }
}
