/* table_file.h: CSV files of the section `tables`. */
#ifndef HOL_IO_TABLE_FILE_H
#define HOL_IO_TABLE_FILE_H

#include "base/text.h"
#include "model/node.h"

/* A file as text for whoever asked for it at that place; 0 after an error. */
typedef int hol__read_whole(hol_spec *spec, const char *path, const hol_location *asked,
                            hol__text *text);

/* Put the data of the file that a table names, sought at path, in place of the name; 0 after an
 * error. */
int hol__table_file(hol_spec *spec, hol__node *table, const char *path, hol__read_whole *read);

#endif
