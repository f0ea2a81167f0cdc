/**
 * @file volume_writer.h
 * Writes states of a simulation as volume files, in the background (core/parallel/job_queue.h) while the next frame is
 * simulated. Formats that can compose a file in memory do so before that, with the team of the simulation: a second
 * team at the same time would displace its threads, and a team that waits for a displaced thread loses more time than
 * compression takes (docs/volumes.md, Costs).
 */
#ifndef BRUME_APP_VOLUMES_VOLUME_WRITER_H
#define BRUME_APP_VOLUMES_VOLUME_WRITER_H

#include "app/render/run_stats.h"
#include "brume/sim.h"
#include "core/error.h"
#include "exchange/volume_format.h"

typedef struct BrumeVolumeWriter BrumeVolumeWriter;

/** The content that a writer writes; `format` and `scene_text` must outlive it. */
typedef struct BrumeVolumeWriterDef {
    const BrumeVolumeFormat *format;
    BrumeVolumeWriteDef write;
    unsigned fields;        ///< bits of BrumeVolumeFields
    int first_frame;        ///< number of frame 1 in the files
    const char *scene_text; ///< the scene with its overrides
    int threads;            ///< of the team of a format that does not compose files in memory
    BrumeRunStats *stats;   ///< gets the time of each file; a frame whose file is complete counts as written
} BrumeVolumeWriterDef;

/** Creates a writer. BRUME_FAILED without memory; `*writer` is NULL then. */
BrumeStatus brume_volume_writer_create(BrumeVolumeWriter **writer, const BrumeVolumeWriterDef *def, BrumeError *error);

/**
 * Takes the present state as frame `frame`, to be written to `path`, and its particles to brume_particles_path where
 * the format has them alone, with the team of the calling thread. Waits until
 * the file before it is written. Fails without memory, and with the error of an earlier file that could not be written.
 */
BrumeStatus brume_volume_writer_submit(BrumeVolumeWriter *writer, const BrumeSim *sim, int frame, const char *path,
                                       BrumeError *error);

/** Waits until all files are written. Fails with the error of the first one that could not be written. */
BrumeStatus brume_volume_writer_finish(BrumeVolumeWriter *writer, BrumeError *error);

/** Writes all submitted states, ends the thread and frees the writer. NULL is allowed. */
void brume_volume_writer_destroy(BrumeVolumeWriter *writer);

#endif
