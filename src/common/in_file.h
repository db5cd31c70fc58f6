/* in_file.h: the one way in which files are opened for reading; see in_file.c. */
#ifndef HOL_COMMON_IN_FILE_H
#define HOL_COMMON_IN_FILE_H

/* A file that is open for reading. Device and inode say which file it is, whatever its name. */
typedef struct hol__in_file {
    int fd;
    int is_pipe;
    unsigned long long device, inode;
    long long size; /* of a regular file */
} hol__in_file;

/* Open a regular file, or with `pipes` also a pipe, whose bytes come as somebody writes them.
 * Everything else (folders, devices, sockets) is refused. NULL, or the reason why not. */
const char *hol__in_open(const char *path, int pipes, hol__in_file *file);
void hol__in_close(hol__in_file *file);

/* Up to n of the next bytes; 0 at the end, -1 with errno after a failure. */
long hol__in_read(const hol__in_file *file, char *to, unsigned long n);

#endif
