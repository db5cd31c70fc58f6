/* checkpoint.h: the form of a checkpoint file, for its writer (checkpoint.c) and its reader
 * (checkpoint_read.c).
 *
 *     "holonom checkpoint 1\n"        what it is, and the version of this form
 *     length                          of the whole file in bytes
 *     version, build, model name      texts
 *     hash of the model, t, steps
 *     n options: name, value          as they are used
 *     n files: path, rows, checksum   of the records; what the writer keeps, length and bytes
 *     n notes: key, value
 *     n messages: severity, status, line, column, file, element, text
 *     the state                       length and bytes (hol_sim_state_save)
 *     checksum                        of all before (FNV-1a)
 *
 * Numbers are words of eight bytes, the lowest first (t: the bits of a double), a text is its
 * length and its bytes.
 */
#ifndef HOL_IO_CHECKPOINT_H
#define HOL_IO_CHECKPOINT_H

#include <holonom/checkpoint.h>

#define HOL__CHECKPOINT_MARK "holonom checkpoint "
#define HOL__CHECKPOINT_FORM "1\n"

enum { HOL__CHECKPOINT_HEAD = sizeof HOL__CHECKPOINT_MARK HOL__CHECKPOINT_FORM - 1 };

enum { HOL__OPTION_TEXT = 4096 };

/* checkpoint_read.c: the bytes of a file of that name as a checkpoint; NULL with a message. */
hol_checkpoint *hol__checkpoint_parse(hol_context *ctx, const char *path, const char *bytes,
                                      size_t n);

#endif
