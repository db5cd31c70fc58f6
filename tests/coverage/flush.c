/* flush.c: part of the coverage build alone (HOLONOM_COVERAGE), linked to every program.
 *
 * A process that ends with _exit writes no counters, and one that has given up its files
 * (src/io/apart.c) could not. So _exit is wrapped: it writes them first; and setrlimit is: limits
 * on files are lowered in a way that can be taken back. At the end of a process limits are raised
 * and memory is there again (tests/preload/failing_malloc.c) before the counters are written.
 */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <unistd.h>

void __gcov_dump(void);
void failing_malloc_end(void) __attribute__((weak));
void __real__exit(int code);
void __wrap__exit(int code);
int __real_setrlimit(__rlimit_resource_t what, const struct rlimit *limit);
int __wrap_setrlimit(__rlimit_resource_t what, const struct rlimit *limit);

/* Whether writing the counters needs this limit. */
static int is_needed(__rlimit_resource_t what) {
    return what == RLIMIT_FSIZE || what == RLIMIT_NOFILE;
}

/* Lower a limit; of those that the counters need only the half that can be raised again. */
int __wrap_setrlimit(__rlimit_resource_t what, const struct rlimit *limit) {
    struct rlimit now;
    if (!is_needed(what) || getrlimit(what, &now) != 0) return __real_setrlimit(what, limit);
    now.rlim_cur = limit->rlim_cur;
    return __real_setrlimit(what, &now);
}

/* Raise the limits that the counters need as far as they go. */
static void raise_limit(__rlimit_resource_t what) {
    struct rlimit now;
    if (getrlimit(what, &now) != 0) return;
    now.rlim_cur = now.rlim_max;
    __real_setrlimit(what, &now);
}

/* Everything that writing the counters needs; at the end of a process after all that it has
 * registered, and before gcov, whose priority is lower. */
__attribute__((destructor)) static void make_ready(void) {
    raise_limit(RLIMIT_FSIZE);
    raise_limit(RLIMIT_NOFILE);
    if (failing_malloc_end) failing_malloc_end();
}

/* Write the counters and end. */
void __wrap__exit(int code) {
    make_ready();
    __gcov_dump();
    __real__exit(code);
}
