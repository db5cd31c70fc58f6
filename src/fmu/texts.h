/* texts.h: the files that FMUs of sources share, as texts (cmake/HolonomFmuSources.cmake). */
#ifndef HOL_FMU_TEXTS_H
#define HOL_FMU_TEXTS_H

typedef struct hol__fmu_text {
    const char *name, *text;
} hol__fmu_text;

extern const hol__fmu_text hol__fmu_texts[]; /* name NULL at the end */

#endif
