/* checkpoint.h: a run that was stopped, by whatever means, goes on where it was.
 *
 * A checkpoint is a file with the exact state of a simulation (hol_sim_state_save), what it was
 * made of, and how many records its result files held. A simulation of the same model with the same
 * options that loads it goes on with the same bits, and so do its result files: records that were
 * written after the checkpoint are cut off and written again. Another model, other options, another
 * build of the library and a damaged file are refused with the reason.
 *
 *     static hol_status on_checkpoint(void *user, hol_sim *sim) {
 *         return is_time(user) ? hol_checkpoint_write(sim, "x.checkpoint", &parts) : HOL_OK;
 *     }
 *     hol_sim_on_checkpoint(sim, on_checkpoint, user);
 *     hol_sim_run(sim, &observer);
 *
 * and later, in another process:
 *
 *     hol_checkpoint *from = hol_checkpoint_read(ctx, "x.checkpoint");
 *     hol_checkpoint_load(from, sim);
 *     hol_writer *writer = hol_checkpoint_writer(from, sim, 0, NULL);
 *     hol_sim_run(sim, &observer);
 */
#ifndef HOLONOM_CHECKPOINT_H
#define HOLONOM_CHECKPOINT_H

#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A word of the caller's own that is kept with a checkpoint. */
typedef struct hol_note {
    const char *key, *value;
} hol_note;

/* What belongs to a checkpoint beside the simulation. */
typedef struct hol_checkpoint_parts {
    size_t size; /* sizeof(hol_checkpoint_parts), set by the caller */
    int n_writers;
    hol_writer *const *writers; /* open writers of the simulation */
    int n_notes;
    const hol_note *notes;
} hol_checkpoint_parts;

/* Write a checkpoint; parts may be NULL. The records so far are brought to the disk first; then the
 * file takes the place of an older one at once, which stays when it cannot be written. HOL_RETRY,
 * without a message and with nothing changed, while a reader keeps a result file as it is: try
 * again after the next step. Call it within hol_checkpoint_fn (sim.h), so that hol_sim_run goes on
 * at the same place. HOL_ERR_ARGUMENT, with a message, for a writer into a stream. */
hol_status hol_checkpoint_write(hol_sim *sim, const char *path, const hol_checkpoint_parts *parts);

/* Take away a checkpoint that is not needed any more; nothing where there is none. */
void hol_checkpoint_remove(hol_context *ctx, const char *path);

/* Read a checkpoint; NULL, with a message, when the file cannot be read, is damaged, or of a form
 * that this library does not know. The file itself is not needed afterwards. */
typedef struct hol_checkpoint hol_checkpoint;
hol_checkpoint *hol_checkpoint_read(hol_context *ctx, const char *path);
void hol_checkpoint_free(hol_checkpoint *checkpoint);

/* What a checkpoint is of. */
typedef struct hol_checkpoint_info {
    size_t size;                 /* sizeof(hol_checkpoint_info), set by the caller */
    const char *version, *build; /* of the library that wrote it; build: "" where it is not known */
    const char *model;           /* its name */
    unsigned long long hash;     /* and that of its description (hol_model_info) */
    double t;
    long steps;
    int n_files, n_notes;
} hol_checkpoint_info;

hol_status hol_checkpoint_describe(const hol_checkpoint *checkpoint, hol_checkpoint_info *info);

/* Result file i and note i, as they were called; NULL past the end. */
const char *hol_checkpoint_file(const hol_checkpoint *checkpoint, int i);
const hol_note *hol_checkpoint_note(const hol_checkpoint *checkpoint, int i);

/* Bring the simulation to the state of the checkpoint: of the same model, with the same options, by
 * the same build of the library; otherwise an error that says what differs. What the run had said
 * until then is said again. Set forces of the caller before. */
hol_status hol_checkpoint_load(const hol_checkpoint *checkpoint, hol_sim *sim);

/* A writer that goes on with result file i, of a simulation that has loaded the checkpoint; path is
 * where it is (NULL: as it was called). Its records are taken from the file that the earlier run
 * left, "x.part.h5" or "x.h5", which stays until the new one holds them; that file must hold them
 * unchanged, and nobody may be writing it. NULL on failure, with a message. */
hol_writer *hol_checkpoint_writer(const hol_checkpoint *checkpoint, hol_sim *sim, int i,
                                  const char *path);

#ifdef __cplusplus
}
#endif
#endif
