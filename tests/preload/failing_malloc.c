/* failing_malloc.c: loaded before the C library (LD_PRELOAD), lets the program run out of memory at
 * one of the places from which it asks for it.
 *
 * A place is the address of a call in the program itself. FAIL_PLACE says which, in the order in
 * which they are first reached; there it fails for good. FAIL_SEEN names a file that is written
 * when it does: where it is missing there are fewer places.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 256 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *block, size_t size);

static uintptr_t low, high, places[MOST];
static int n_places, wanted = -1;

/* The first object is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size;
    (void)user;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        low = info->dlpi_addr + part->p_vaddr;
        high = low + part->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void start(void) {
    const char *word = getenv("FAIL_PLACE");
    dl_iterate_phdr(find_program, NULL);
    wanted = word ? atoi(word) : -1;
}

/* From here on nothing fails: the program is at its end, and a build that counts writes what it has
 * counted (tests/coverage/flush.c). */
void failing_malloc_end(void);
void failing_malloc_end(void) {
    wanted = -1;
}

/* Whether this call fails. */
static int fails(const void *from) {
    const uintptr_t at = (uintptr_t)from;
    if (wanted < 0 || at < low || at >= high) return 0;
    int i = 0;
    while (i < n_places && places[i] != at) i++;
    if (i == n_places && n_places < MOST) places[n_places++] = at;
    if (i != wanted) return 0;
    const char *seen = getenv("FAIL_SEEN");
    const int fd = seen ? open(seen, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) close(fd);
    return 1;
}

void *malloc(size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

/* A stream into memory asks for it inside the C library. */
FILE *open_memstream(char **text, size_t *n) {
    FILE *(*real)(char **, size_t *) =
        (FILE * (*)(char **, size_t *))(uintptr_t)dlsym(RTLD_NEXT, "open_memstream");
    return fails(__builtin_return_address(0)) ? NULL : real(text, n);
}
