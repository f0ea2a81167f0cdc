/**
 * @file run_state.h
 * The state of a run of `brume render` or `brume sim`, which the parts of this folder share, and questions about it.
 */
#ifndef BRUME_APP_RUN_RUN_STATE_H
#define BRUME_APP_RUN_RUN_STATE_H

#include "app/checkpoint/checkpoint_writer.h"
#include "app/cli/format.h"
#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/cli/sequence.h"
#include "app/render/frame_claim.h"
#include "app/render/frame_pipeline.h"
#include "app/render/measure_log.h"
#include "app/render/picture_output.h"
#include "app/render/probe_files.h"
#include "app/render/run_stats.h"
#include "app/render/steadiness.h"
#include "app/run/run_options.h"
#include "app/video/image_output.h"
#include "app/volumes/volume_look.h"
#include "app/volumes/volume_writer.h"
#include "core/parallel/job_queue.h"
#include "mpi/mpi_functions.h"

/** The volume files that a run draws (volume_source.h). The pattern counts frames from 1, as the run does. */
typedef struct BrumeVolumeSource {
    BrumeOutputPattern pattern;
    char first[BRUME_MAX_PATH]; ///< path of the first file, whose look all workers have
    BrumeSequence sequence;     ///< that exist
    BrumeDrawnVolumes drawn;    ///< how the files are read
    BrumeMadeLook made;         ///< of volumes without a scene
    BrumeText notes;            ///< on the first file
    BrumeFrameGrids present;    ///< grids of the present frame, which is drawn
    BrumeJobQueue files;        ///< that are read in the background, one at a time
    char next_path[BRUME_MAX_PATH];
    BrumeFrameGrids next;     ///< that is being read
    BrumeSimDef def;          ///< settings of the scene, with the bodies at their positions in the present frame
    bool told_of_temperature; ///< that is missing
    bool told_of_texture;
} BrumeVolumeSource;

/** A claimed frame with its number. */
typedef struct BrumeClaimedFrame {
    int frame;
    BrumeFrameClaim claim;
} BrumeClaimedFrame;

/** The frames that a worker has claimed and whose images are not written yet (run_farm.h); all zero for none. */
typedef struct BrumeFrameClaims {
    int count, capacity;
    BrumeClaimedFrame *frames;
    int busy; ///< frames that were left to other workers
} BrumeFrameClaims;

/** The sizes of the files of the frames, an image or a volume each or one video (run_disk.h). */
typedef struct BrumeFrameSpace {
    double least, most; ///< bounds of the size of a file, or of the share of a frame in a video [bytes]
    int submitted;      ///< frames so far
    double largest;     ///< file so far [bytes]
} BrumeFrameSpace;

/** The processes that share the simulation (run_ranks.h); all zero for a run of one process. */
typedef struct BrumeRunRanks {
    const BrumeMpiFunctions *mpi; ///< NULL: there is one process
    BrumeTeam team;
    int64_t *values;    ///< one of each rank
    double *speeds;     ///< one of each rank
    BrumeTraffic frame; ///< of all ranks in the latest frame: messages and bytes alone
    bool interrupted;   ///< a signal has asked any rank to stop
} BrumeRunRanks;

/** The state of a run of the command. */
typedef struct BrumeSceneRun {
    const BrumeRunSettings *settings;
    bool draws;                  ///< whether images are drawn
    BrumeVolumeSource *source;   ///< of the states that are drawn; NULL: they are simulated
    bool has_frame_files;        ///< whether `frames` are written: each to an image or a volume, or all to a video
    BrumeResumeMode resume;      ///< mode of the settings; SAME with --skip-existing
    BrumeFrameRange frames;      ///< simulated frames, to the last one; with files: the frames of this run
    BrumeFrameRange turns;       ///< with --turntable: the pictures of the last frame, from 1 on, of this run
    BrumeFrameRange whole_range; ///< of which the files are a part with --chunk
    int offset;                  ///< added to a frame for its number in files and messages
    bool frames_in_chunk;        ///< false: the part has none
    bool repeats_frames;         ///< an earlier run, whose checkpoints were kept, has simulated all frames of this one
    BrumeFrameClaims claims;     ///< with --skip-existing
    BrumeOutputPattern pattern;
    BrumeRunInfo info;
    BrumeScene *scene;
    BrumeText notes; ///< on the files of the scene
    BrumeRunRanks ranks;
    BrumeSim *sim;
    BrumeFrameStats frame;        ///< of the latest frame
    uint64_t frame_hash;          ///< of its state; 0 without --stats
    BrumePictureOutput pictures;  ///< with images, or a video
    BrumeImageOutput images;      ///< with images, or a video
    BrumeFramePipeline *pipeline; ///< as `images`
    BrumeVolumeWriter *volumes;   ///< with volumes
    BrumeRunStats stats;
    BrumeRunStats turn_stats; ///< with --turntable: of its pictures
    BrumeMeasureLog measures; ///< with --measures or --stats
    BrumeProbeFiles probes;
    BrumeSteadiness steadiness; ///< with --until-steady
    bool sealed;                ///< an inflow into an enclosed region is told
    bool steady;                ///< the run has ended before its last frame
    char *scene_text;           ///< for the checkpoints
    BrumeCheckpointFolder checkpoints;
    BrumeCheckpointWriter checkpoint_writer;
    BrumeCheckpoint checkpoint; ///< from which the simulation is restored; all zero before and afterwards
    BrumeProbeEnds probe_ends;  ///< of the files of probes in this checkpoint
    int resumed;                ///< frame after which the run goes on; 0: it starts at the first one
    BrumeMessages messages;
    bool messages_open;
    BrumeProgress progress;
    double told;                    ///< time at which the progress within a frame was last printed [s]
    BrumeFrameSpace frame_space;    ///< with files of frames
    bool checkpoint_fits;           ///< on the disk, when the free space was last examined
    double sim_seconds, cell_steps; ///< totals of the frames so far
    double stats_written;           ///< when the statistics were last written [s]
} BrumeSceneRun;

/** The numbers of the files of this run: of its frames, or of the pictures of a turntable. */
const BrumeFrameRange *brume_run_files(const BrumeSceneRun *run);

/** The statistics of these files. */
BrumeRunStats *brume_run_file_stats(BrumeSceneRun *run);

/** The first of them that this run may write. */
int brume_run_first_file(const BrumeSceneRun *run);

/** The number of a frame in files and messages. */
int brume_run_number(const BrumeSceneRun *run, int frame);

/** Whether the states are measured: with --measures or --stats. */
bool brume_run_measures(const BrumeSceneRun *run);

/** Whether tables of all frames are written: with --measures, --stats or the probes of the scene. */
bool brume_run_has_tables(const BrumeSceneRun *run);

/** Whether the run continues from a checkpoint, if there is one. */
bool brume_run_resumes(const BrumeSceneRun *run);

/** Whether existing files are no error. */
bool brume_run_accepts_files(const BrumeSceneRun *run);

/** Whether an earlier run has written the file of a frame and it stays; these files are never incomplete. */
bool brume_run_has_frame_file(const BrumeSceneRun *run, int frame);

/** The first frame whose file is missing; a number after the last one if there is none. */
int brume_run_first_missing_file(const BrumeSceneRun *run);

/** The folder of the files of the probes; may use `folder`. */
const char *brume_run_probes_folder(const BrumeSceneRun *run, char folder[BRUME_MAX_PATH]);

/** Returns the cells for which a renderer needs memory: of the scene, or of the first drawn volume. */
BrumeGrid brume_run_largest_grid(const BrumeSceneRun *run);

/** The bits of BrumeVolumeFields that the volumes have. */
unsigned brume_run_volume_fields(const BrumeSceneRun *run);

/** Returns the data of a checkpoint other than the simulation. */
BrumeRunRecord brume_run_record(BrumeSceneRun *run);

/**
 * Opens the messages unless they are open. Where a table goes to standard output, they go to standard error. Fails as
 * brume_messages_open does.
 */
BrumeStatus brume_run_open_messages(BrumeSceneRun *run, BrumeError *error);

/**
 * Writes the statistics of the frames so far; to standard output only with `last`. Fails as brume_run_stats_write does.
 */
BrumeStatus brume_run_write_stats(BrumeSceneRun *run, bool last, BrumeError *error);

#endif
