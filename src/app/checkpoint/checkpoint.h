/**
 * @file checkpoint.h
 * A checkpoint: the complete state of a run at the end of a frame, as one file from which another run continues with
 * the same bits. It has the state of the simulation (brume_sim_save), the scene, the statistics and measures of the
 * frames so far, and the sizes of the files of the probes.
 *
 * The file starts with a header of four numbers of 64 bits: a magic number, the version of the format, the size of the
 * content and its hash (XXH3). The hash is checked before anything else is read.
 */
#ifndef BRUME_APP_CHECKPOINT_CHECKPOINT_H
#define BRUME_APP_CHECKPOINT_CHECKPOINT_H

#include "app/render/measure_log.h"
#include "app/render/probe_files.h"
#include "app/render/run_stats.h"
#include "brume/scene.h"
#include "brume/sim.h"
#include "core/archive.h"
#include "core/error.h"

/** The data of a run other than its simulation. */
typedef struct BrumeRunRecord {
    const char *scene_text; ///< the scene of the run with its overrides (brume_scene_write)
    BrumeRunStats *stats;
    BrumeMeasureLog *measures; ///< column_count 0: none
    BrumeProbeFiles *probes;
} BrumeRunRecord;

enum {
    BRUME_CHECKPOINT_FORMAT = 4, ///< the version of the format, and the seed of the hash
    BRUME_MAX_VERSION = 32,
};

/** A checkpoint in memory. */
typedef struct BrumeCheckpoint {
    uint8_t *bytes;
    size_t size;                     ///< of `bytes`
    BrumeArchive archive;            ///< reads the content after the scene
    char version[BRUME_MAX_VERSION]; ///< version of the program that wrote it
    int frame;                       ///< frame at whose end the state was saved, from 1
    const char *scene_text;          ///< within `bytes`
} BrumeCheckpoint;

/**
 * Writes a checkpoint of the present state to memory; `*bytes` is freed with brume_free. BRUME_FAILED without memory.
 * The threads that draw and write may report to record->stats meanwhile.
 */
BrumeStatus brume_checkpoint_encode(const BrumeRunRecord *record, const BrumeSim *sim, uint8_t **bytes, size_t *size,
                                    BrumeError *error);

/**
 * Takes over the bytes of a checkpoint, which brume_checkpoint_free frees, and checks header and hash. BRUME_BAD_INPUT
 * where they are no checkpoint, are damaged or have another format; the text calls them `name`.
 */
BrumeStatus brume_checkpoint_open(BrumeCheckpoint *checkpoint, uint8_t *bytes, size_t size, const char *name,
                                  BrumeError *error);

/** As brume_checkpoint_open, for a file. Also BRUME_FAILED where it cannot be read. */
BrumeStatus brume_checkpoint_read(BrumeCheckpoint *checkpoint, const char *path, BrumeError *error);

/** The size of the file of each probe [bytes]; 0 without a file. */
typedef struct BrumeProbeEnds {
    int count;
    long long bytes[BRUME_MAX_PROBES];
} BrumeProbeEnds;

/**
 * Restores the data of brume_checkpoint_encode: a new simulation, and the statistics and measures of `record`, which
 * are empty; `team` is that of the simulation, or NULL. BRUME_BAD_INPUT where the columns differ from the saved ones,
 * where measures are required and none are saved, and where the state is not the state after checkpoint->frame;
 * BRUME_FAILED without memory; `*sim` is NULL then.
 */
BrumeStatus brume_checkpoint_restore(BrumeCheckpoint *checkpoint, BrumeRunRecord *record, BrumeProbeEnds *ends,
                                     struct BrumeTeam *team, BrumeSim **sim, BrumeError *error);

/** Frees the memory. A zeroed checkpoint is allowed. */
void brume_checkpoint_free(BrumeCheckpoint *checkpoint);

#endif
