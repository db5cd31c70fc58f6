/* model_list.h: every file of models/ and models/elements, as it is and with its first joint there
 * twice: for contracts that hold for all models. A new model is tested without new code. Define
 * _POSIX_C_SOURCE before. */
#ifndef HOLONOM_TEST_MODEL_LIST_H
#define HOLONOM_TEST_MODEL_LIST_H

#include "method_fixture.h"

#include <dirent.h>

enum { MOST_MODELS = 256, NAME = 128 };

static inline int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

/* The names of the model files under a folder of models/, sorted; prefix is the folder with a
 * slash, or "". */
static inline int list_models(const char *prefix, char names[][NAME], int count) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", HOLONOM_TEST_MODELS, prefix);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0) continue;
        assert_true(count < MOST_MODELS && strlen(entry->d_name) < 100);
        snprintf(names[count++], NAME, "%s%.*s", prefix, (int)(dot - entry->d_name), entry->d_name);
    }
    closedir(folder);
    return count;
}

/* The description of the first joint of a model, from the brace on; 0 when there is none on a line
 * of its own. */
static inline int first_joint(const char *name, char *out, size_t size) {
    char path[1024], line[1024];
    int inside = 0, found = 0;
    snprintf(path, sizeof path, "%s/%.*s.yaml", HOLONOM_TEST_MODELS, NAME, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (!found && fgets(line, sizeof line, file)) {
        const char *open = strchr(line, '{'), *close = strrchr(line, '}');
        if (inside && line[0] != ' ' && line[0] != '#' && line[0] != '\n') break;
        if (inside && open && close) {
            snprintf(out, size, "%.*s", (int)(close - open + 1), open);
            found = 1;
        }
        inside |= strncmp(line, "joints:", 7) == 0;
    }
    fclose(file);
    return found;
}

/* Call check for every model, with a seed of its own. */
static inline void each_model(void (*check)(const subject *s, uint64_t seed)) {
    static char names[MOST_MODELS][NAME];
    char joint[1024], text[2048], name[2 * NAME];
    int count = list_models("", names, 0);
    count = list_models("elements/", names, count);
    assert_true(count > 40);
    qsort(names, (size_t)count, sizeof *names, by_name);
    for (int i = 0; i < count; i++) {
        const uint64_t seed = seed_of(names[i], 20260413u);
        check(&(subject){.name = names[i]}, seed);
        if (!first_joint(names[i], joint, sizeof joint)) continue;
        snprintf(text, sizeof text, "holonom: 1\ninclude: %.127s.yaml\njoints:\n  doubled: %s\n",
                 names[i], joint);
        snprintf(name, sizeof name, "%.*s with a joint twice", NAME, names[i]);
        check(&(subject){.name = name, .text = text}, seed + 1);
    }
}

#endif
