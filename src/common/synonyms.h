/* synonyms.h: words that other programs and textbooks use for what a model file calls otherwise. */
#ifndef HOL_COMMON_SYNONYMS_H
#define HOL_COMMON_SYNONYMS_H

/* Whether a user who writes the word may mean the name, whatever the case of the letters: 0, or how
 * near it is, 1 the nearest. */
int hol__is_synonym(const char *word, const char *name);

/* The type that one of space is in the plane; NULL: none. */
const char *hol__in_plane(const char *type);

/* What to do instead of an element of this kind, which there is none of; NULL: nothing is known. */
const char *hol__advice(const char *word);

/* The i-th name that other words are known for; NULL past the last. */
const char *hol__synonym_name(int i);

#endif
