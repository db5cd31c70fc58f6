/* build_id.c: which build this is: the note NT_GNU_BUILD_ID that linkers leave in programs and
 * shared libraries, a hash of their contents. Two builds with the same version may differ in how
 * they lay out a state and in the last bit of a number; they do not have the same note.
 */
#define _GNU_SOURCE
#include "base/build_id.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What is looked for and found. */
typedef struct search {
    uintptr_t here; /* an address in this code */
    char *buf;
} search;

/* Lengths in notes are rounded up to words. */
static size_t padded(size_t n) {
    return (n + 3) & ~(size_t)3;
}

/* The build's number among the notes of a segment, into buf. */
static void read_notes(const unsigned char *at, size_t size, char *buf) {
    ElfW(Nhdr) head;
    for (size_t i = 0; i + sizeof head <= size;) {
        memcpy(&head, at + i, sizeof head);
        const size_t name = i + sizeof head, data = name + padded(head.n_namesz);
        const size_t next = data + padded(head.n_descsz);
        if (next > size) return;
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
            memcmp(at + name, "GNU", 4) == 0 && 2 * head.n_descsz < HOL__BUILD_ID_SIZE)
            for (size_t k = 0; k < head.n_descsz; k++)
                snprintf(buf + 2 * k, 3, "%02x", at[data + k]);
        i = next;
    }
}

/* One loaded object: when this code is part of it, its notes. */
static int look(struct dl_phdr_info *object, size_t size, void *user) {
    search *s = user;
    int ours = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        ours |=
            segment->p_type == PT_LOAD && s->here >= start && s->here - start < segment->p_memsz;
    }
    for (int i = 0; ours && i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE)
            read_notes((const unsigned char *)(object->dlpi_addr + segment->p_vaddr),
                       segment->p_memsz, s->buf);
    }
    return ours;
}

const char *hol__build_id(char buf[HOL__BUILD_ID_SIZE]) {
    search s = {(uintptr_t)&hol__build_id, buf};
    buf[0] = '\0';
    dl_iterate_phdr(look, &s);
    return buf;
}
