/* in_file.c: files opened for reading, so that no name makes the program wait or act.
 *
 * Opening a FIFO waits for a writer, and opening or reading a device may do anything. A file is
 * therefore opened without waiting, then asked what it is, and closed again unless it is regular. A
 * pipe is read where the caller allows it (a model named on the command line): then each read waits
 * until there is something, or until the last writer is gone.
 */
#define _POSIX_C_SOURCE 200809L
#include "common/in_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *hol__in_open(const char *path, int pipes, hol__in_file *file) {
    struct stat about;
    *file = (hol__in_file){.fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
    if (file->fd < 0) return errno == ENXIO ? "it is not a regular file" : strerror(errno);
    const char *reason = NULL;
    if (fstat(file->fd, &about) != 0)
        reason = strerror(errno);
    else if (S_ISDIR(about.st_mode))
        reason = "it is a directory";
    else if (S_ISFIFO(about.st_mode) && !pipes)
        reason = "it is a pipe, and only regular files are read here";
    else if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode))
        reason = "it is not a regular file";
    if (reason) {
        hol__in_close(file);
        return reason;
    }
    file->is_pipe = S_ISFIFO(about.st_mode);
    file->device = (unsigned long long)about.st_dev;
    file->inode = (unsigned long long)about.st_ino;
    file->size = about.st_size;
    return NULL;
}

void hol__in_close(hol__in_file *file) {
    if (file->fd >= 0) close(file->fd);
    file->fd = -1;
}

long hol__in_read(const hol__in_file *file, char *to, unsigned long n) {
    for (;;) {
        struct pollfd ready = {file->fd, POLLIN, 0};
        if (file->is_pipe && poll(&ready, 1, -1) < 0 && errno != EINTR) return -1;
        const ssize_t got = read(file->fd, to, n);
        if (got >= 0) return (long)got;
        if (errno != EINTR && errno != EAGAIN) return -1;
    }
}
