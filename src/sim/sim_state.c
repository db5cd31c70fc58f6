/* sim_state.c: the exact state of a simulation between steps, as bytes: data, formulation,
 * corrections, integrator, and what the run keeps an eye on. A simulation that loads it goes on
 * with the same bits. The last bytes are a checksum: damage is refused before anything is read.
 */
#include "base/argument.h"
#include "base/text.h"
#include "sim/sim.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Which simulation it is the state of: the model and how many bytes; the setting that repeated runs
 * have found, which decides on the parts; coordinates, method with its parts, integrator. */
static hol_status mark(hol_sim *sim, size_t bytes, hol__archive *archive) {
    char text[512] = "";
    snprintf(text, sizeof text, "hol_sim %016llx %zu", sim->whole->hash, bytes);
    hol__archive_mark(archive, text, 64);
    const hol_status status = hol__converge_walk(sim, archive);
    if (status) return status;
    memset(text, 0, sizeof text);
    snprintf(text, sizeof text, "%s %s %s %s %s %s %s %s %s", sim->model->coords->name,
             sim->method->name, sim->dae_form->name, sim->form.state->name, sim->kernel_type->name,
             sim->basis->name, sim->stabilizer->name, sim->correction_asked->name,
             sim->stiff.watches ? "auto" : sim->stepper->name);
    hol__archive_mark(archive, text, sizeof text);
    return HOL_OK;
}

/* The rank of the constraints at the last analysis. */
static void walk_rank(hol_sim *sim, hol__archive *archive) {
    HOL__ARCHIVE(archive, sim->rank.rank);
    HOL__ARCHIVE(archive, sim->rank.n_redundant);
    HOL__ARCHIVE(archive, sim->rank.dof);
    HOL__ARCHIVE(archive, sim->rank.smallest);
    HOL__ARCHIVE_N(archive, sim->redundant, sim->model->m);
    HOL__ARCHIVE_N(archive, sim->undetermined, sim->model->m);
}

/* How far the run has come, and its extremes. */
static void walk_course(hol_sim *sim, hol__archive *archive) {
    HOL__ARCHIVE(archive, sim->started);
    HOL__ARCHIVE(archive, sim->again.count);
    HOL__ARCHIVE(archive, sim->again.step);
    HOL__ARCHIVE(archive, sim->end);
    HOL__ARCHIVE(archive, sim->output_index);
    HOL__ARCHIVE(archive, sim->moved);
    HOL__ARCHIVE(archive, sim->start_position);
    HOL__ARCHIVE(archive, sim->start_velocity);
    HOL__ARCHIVE(archive, sim->max_position);
    HOL__ARCHIVE(archive, sim->max_velocity);
    HOL__ARCHIVE(archive, sim->balance0);
    HOL__ARCHIVE(archive, sim->balance);
    HOL__ARCHIVE(archive, sim->max_balance);
    HOL__ARCHIVE(archive, sim->max_kinetic);
    HOL__ARCHIVE(archive, sim->potential_low);
    HOL__ARCHIVE(archive, sim->potential_high);
    HOL__ARCHIVE(archive, sim->max_work);
    hol__verdict_walk(sim, archive);
    HOL__ARCHIVE(archive, sim->contradiction.looked);
    HOL__ARCHIVE(archive, sim->wall_time);
    HOL__ARCHIVE(archive, sim->between);
}

/* The integrator, which counts, writes and reads by itself. */
static hol_status walk_integrator(hol_sim *sim, hol__archive *archive) {
    const size_t size = hol__integrator_size(sim->integ);
    unsigned char *at = archive->bytes ? archive->bytes + archive->size : NULL;
    hol_status status = HOL_OK;
    if (archive->limit && archive->size + size > archive->limit) archive->mismatch = 1;
    if (archive->mismatch) return HOL_OK;
    if (archive->mode == HOL__ARCHIVE_WRITE) hol__integrator_save(sim->integ, at);
    if (hol__archive_reads(archive)) status = hol__integrator_load(sim->integ, at, size);
    archive->size += size;
    return status;
}

/* Everything; the data first, because the others ask it for its matrices. */
static hol_status walk(hol_sim *sim, hol__archive *archive) {
    hol_status status = hol__stiff_walk(sim, archive);
    if (!status) status = hol__switching_walk(sim, archive);
    const hol__archive data = *archive;
    if (!status) status = hol__data_walk(sim->data, archive);
    if (!status) status = hol__aside_walk(sim, archive, &data);
    if (!status) status = hol__events_walk(sim, archive);
    if (!status) status = hol__form_walk(&sim->form, archive);
    if (!status) status = hol__correction_walk(sim->correction, archive);
    if (!status) status = hol__crossing_walk(sim, archive);
    if (!status) hol__hybrid_walk(sim, archive);
    if (!status) hol__pace_walk(sim, archive);
    if (!status) hol__instants_walk(sim, archive);
    if (!status) hol__corners_walk(sim, archive);
    if (!status) hol__extremes_walk(sim, archive);
    if (!status) hol__sim_walk_derivatives(sim, archive);
    if (!status) status = walk_integrator(sim, archive);
    if (status) return status;
    walk_rank(sim, archive);
    walk_course(sim, archive);
    return HOL_OK;
}

typedef unsigned long long checksum;

size_t hol_sim_state_size(hol_sim *sim) {
    hol__archive archive = {.mode = HOL__ARCHIVE_COUNT};
    if (hol__sim_check(sim, "hol_sim_state_size")) return 0;
    mark(sim, 0, &archive);
    walk(sim, &archive);
    return archive.size + sizeof(checksum);
}

hol_status hol_sim_state_save(hol_sim *sim, void *block, size_t size) {
    static const char call[] = "hol_sim_state_save";
    hol__archive archive = {.mode = HOL__ARCHIVE_WRITE, .bytes = block};
    if (hol__sim_check(sim, call) || hol__need(sim->ctx, call, "the block", block))
        return HOL_ERR_ARGUMENT;
    const size_t needed = hol_sim_state_size(sim);
    if (size < needed)
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the state takes %zu bytes and there is room for %zu; ask "
                           "hol_sim_state_size right before",
                           needed, size);
    mark(sim, needed, &archive);
    const hol_status status = walk(sim, &archive);
    const checksum sum = hol__hash(HOL__HASH_START, block, needed - sizeof sum);
    memcpy((unsigned char *)block + needed - sizeof sum, &sum, sizeof sum);
    return status;
}

/* Say that the bytes are not a state of this simulation. */
static hol_status refuse(const hol_sim *sim) {
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_sim_state_load",
        "the bytes are not a state of this model with this method and integrator, "
        "or not whole; make the simulation from the same file with the same options");
}

/* Whether the last bytes are the checksum of the others. */
static int is_whole(const unsigned char *block, size_t size) {
    checksum sum;
    if (size < sizeof sum) return 0;
    memcpy(&sum, block + size - sizeof sum, sizeof sum);
    return sum == hol__hash(HOL__HASH_START, block, size - sizeof sum);
}

hol_status hol_sim_state_load(hol_sim *sim, const void *block, size_t size) {
    static const char call[] = "hol_sim_state_load";
    hol__archive archive = {.mode = HOL__ARCHIVE_READ,
                            .bytes = (unsigned char *)(uintptr_t)block,
                            .limit = size - sizeof(checksum)};
    if (hol__sim_check(sim, call) || hol__need(sim->ctx, call, "the block", block))
        return HOL_ERR_ARGUMENT;
    if (!is_whole(block, size)) return refuse(sim);
    hol_status status = mark(sim, size, &archive);
    if (status) return status;
    if (archive.mismatch) return refuse(sim);
    status = walk(sim, &archive);
    sim->described = 0;
    if (!status && !archive.mismatch) return HOL_OK;
    sim->end = HOL_END_FAILED; /* what has been read so far is no state to go on from */
    return status < 0 ? status : refuse(sim);
}
