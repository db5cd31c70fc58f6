/* ask.h: the structs that the library fills, by value: shorter to write in tests. What does not
 * exist has NULL as its name. */
#ifndef HOL_TESTS_ASK_H
#define HOL_TESTS_ASK_H

#include <holonom/holonom.h>

static inline hol_sim_info sim_info(const hol_sim *sim) {
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    return info;
}

static inline hol_model_info model_info(const hol_model *model) {
    hol_model_info info = {.size = sizeof info};
    hol_model_describe(model, &info);
    return info;
}

static inline hol_body_info body_info(const hol_model *model, int body) {
    hol_body_info info = {.size = sizeof info};
    hol_model_body_describe(model, body, &info);
    return info;
}

static inline hol_element_info joint_info(const hol_model *model, int joint) {
    hol_element_info info = {.size = sizeof info};
    hol_model_joint_describe(model, joint, &info);
    return info;
}

static inline hol_element_info force_info(const hol_model *model, int force) {
    hol_element_info info = {.size = sizeof info};
    hol_model_force_describe(model, force, &info);
    return info;
}

static inline hol_element_doc element_doc(int i) {
    hol_element_doc doc = {.size = sizeof doc};
    hol_element_get(i, &doc);
    return doc;
}

static inline hol_key_doc key_doc(const char *section, const char *element, int i) {
    hol_key_doc doc = {.size = sizeof doc};
    hol_element_key(section, element, i, &doc);
    return doc;
}

static inline hol_part_doc part_doc(int i) {
    hol_part_doc doc = {.size = sizeof doc};
    hol_part_get(i, &doc);
    return doc;
}

static inline hol_table answer_table(const hol_answer *answer, const char *name) {
    hol_table table = {.size = sizeof table};
    const int i = hol_answer_find(answer, name);
    if (i >= 0) hol_answer_table(answer, i, &table);
    return table;
}

static inline double answer_entry(const hol_table *t, int i, int j) {
    return t->values[i * t->columns + j];
}

#endif
