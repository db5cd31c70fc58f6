/* late.h: shared libraries that are loaded when they are first used.
 *
 * HDF5, cairo, libxml2, libzip and MPI bring some fifty libraries with them, and a program that
 * uses none of them would spend more time on loading them than on a short run. So they are not
 * linked: the header <part>_calls.h, which the build makes from src/<folder>/<part>_calls.txt, has
 * a table with the address of each function that the list names, and lets calls go through it. What
 * is called and not listed is not found when the library is linked.
 */
#ifndef HOL_BASE_LATE_H
#define HOL_BASE_LATE_H

#include <holonom/status.h>

#include <stddef.h>

/* A name of the library, and where its address goes, in bytes from the start of the table. */
typedef struct hol__late_name {
    const char *name;
    size_t at;
} hol__late_name;

/* Load a library and fill the table: its file, by soname where the system finds it by itself, and n
 * names. NULL, or what is wrong in the words of the system. Again costs little, and is safe from
 * several threads: each writes the same addresses. */
const char *hol__late_load(const char *file, const hol__late_name *names, int n, void *table);

/* A library that computations go through, which report no such thing themselves, could not be
 * loaded when it was wanted: what it is for, what is wrong, and the status of that. What it should
 * have computed is not a number, or a factorisation that has broken down. */
void hol__late_miss(const char *what, const char *wrong, hol_status status);

/* Report that one was missed, before results leave the library; HOL_OK where none was. */
hol_status hol__late_check(hol_context *ctx);

#endif
