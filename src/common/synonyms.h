/* synonyms.h: words that other programs and textbooks use for what a model file calls otherwise. */
#ifndef HOL_COMMON_SYNONYMS_H
#define HOL_COMMON_SYNONYMS_H

/* Whether a user who writes the word may mean the name, whatever the case of the letters. */
int hol__is_synonym(const char *word, const char *name);

/* The i-th name that other words are known for; NULL past the last. */
const char *hol__synonym_name(int i);

#endif
