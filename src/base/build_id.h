/* build_id.h: which build this is. */
#ifndef HOL_BASE_BUILD_ID_H
#define HOL_BASE_BUILD_ID_H

enum { HOL__BUILD_ID_SIZE = 129 };

/* The number that the linker gave the program or the library that this code is part of, in
 * hexadecimal digits; "" where there is none. Returns buf. */
const char *hol__build_id(char buf[HOL__BUILD_ID_SIZE]);

#endif
