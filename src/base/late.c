/* late.c: shared libraries at their first use. They stay loaded until the process ends. What they
 * call in each other is looked up when it is called: a quarter of the price. Names are looked up
 * among those libraries first and then in the program with all of its own, which saves four tenths
 * of the rest, and keeps what the program has under the same name, another zlib, out of them.
 */
#define _GNU_SOURCE
#include "base/late.h"

#include "base/context.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* Where the names are looked up: in the library, or, where the program is linked with it by itself,
 * in the program, which may have the objects of the library as copies of its own. */
static void *scope_of(void *library, const char *name) {
    void *program = dlopen(NULL, RTLD_NOW);
    return program && dlsym(program, name) == dlsym(library, name) ? program : library;
}

/* RTLD_DEEPBIND, but not where something stands before the C library (a sanitizer, another malloc):
 * memory would then be taken from one and given back to the other. */
static int names_first(void) {
    void *system = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!system) return 0;
    const void *own = dlsym(system, "malloc");
    const int plain = own && own == dlsym(RTLD_DEFAULT, "malloc");
    dlclose(system);
    return plain ? RTLD_DEEPBIND : 0;
}

/* Fill the table from the library; 0 where a name is missing. */
static int fill(void *library, const hol__late_name *names, int n, char *table) {
    for (int i = 0; i < n; i++) {
        void *address = dlsym(library, names[i].name);
        if (!address) return 0;
        memcpy(table + names[i].at, &address, sizeof address);
    }
    return 1;
}

const char *hol__late_load(const char *file, const hol__late_name *names, int n, void *table) {
    void *last = NULL;
    const char *wrong = NULL;
    pthread_mutex_lock(&loading);
    memcpy(&last, (char *)table + names[n - 1].at, sizeof last);
    if (!last) {
        void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL | names_first());
        if (!library || !fill(scope_of(library, names[0].name), names, n, table)) wrong = dlerror();
    }
    pthread_mutex_unlock(&loading);
    return wrong;
}

/* The status of what was missed, 0 for nothing, and why; set once, under the mutex. */
static atomic_int missed;
static char miss[300];

void hol__late_miss(const char *what, const char *wrong, hol_status status) {
    pthread_mutex_lock(&loading);
    if (!atomic_load(&missed)) {
        snprintf(miss, sizeof miss, "%s cannot be loaded: %s", what, wrong);
        atomic_store_explicit(&missed, status, memory_order_release);
    }
    pthread_mutex_unlock(&loading);
}

hol_status hol__late_check(hol_context *ctx) {
    const hol_status status = (hol_status)atomic_load_explicit(&missed, memory_order_acquire);
    return status ? hol__report(ctx, HOL_ERROR, status, NULL, NULL, "%s", miss) : HOL_OK;
}
