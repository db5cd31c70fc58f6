/* folder.h: several files into one folder, all or none of them. */
#ifndef HOL_GENERATE_FOLDER_H
#define HOL_GENERATE_FOLDER_H

#include "base/text.h"

typedef struct hol__gfile {
    const char *name;
    hol__text text;
} hol__gfile;

/* Write the files; the folder is made where there is none. Files that are there and were not
 * generated are an error. After one, which is reported, those that were written and were not there
 * before are taken away again. */
hol_status hol__gfolder_write(hol_context *ctx, const char *folder, int n, const hol__gfile *files);

#endif
