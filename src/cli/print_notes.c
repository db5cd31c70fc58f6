/* print_notes.c: the list of what became of a robot description, or of a model as one. */
#include "cli/cli.h"

void cli_print_notes(const cli_args *args, int n, cli_note_get *get, const void *of,
                     const char *path) {
    int count[4] = {0};
    if (cli_args_has(args, "quiet")) return;
    for (int i = 0; i < n; i++) {
        const hol_import_note *note = get(of, i);
        count[note->kind]++;
        cli_printf(stdout, "%s:%d:%d: %s: %s: %s\n", note->where.file, note->where.line,
                   note->where.column, hol_import_kind_name(note->kind), note->element, note->text);
    }
    printf("%d changed, %d left out, %d unknown, %d without effect on the motion\n", count[0],
           count[1], count[3], count[2]);
    cli_printf(stdout, "%s\n", path);
}
