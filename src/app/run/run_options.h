/**
 * @file run_options.h
 * The options of a run of a scene, with or without images: the options that `brume render` and `brume sim` share.
 */
#ifndef BRUME_APP_RUN_RUN_OPTIONS_H
#define BRUME_APP_RUN_RUN_OPTIONS_H

#include "app/checkpoint/checkpoint_options.h"
#include "app/cli/args.h"
#include "app/render/picture_output.h"
#include "app/volumes/drawn_volume.h"
#include "brume/scene.h"

#include <stddef.h>

/** The value of --noise. */
typedef struct BrumeNoiseOption {
    bool given;
    double value;
} BrumeNoiseOption;

/** How the planes of the box are divided among the processes of a run. */
typedef enum BrumeSlabs {
    BRUME_SLABS_AUTO,     ///< not given: measured where they run on several machines
    BRUME_SLABS_EQUAL,    ///< equal numbers of planes
    BRUME_SLABS_MEASURED, ///< in proportion to their speeds
} BrumeSlabs;

/** The options of a run; options that a command lacks are zero. */
typedef struct BrumeRunSettings {
    BrumeCommonOptions common; ///< size: the scene's if it is not given
    BrumeFrameRange frames;
    BrumeChunk chunk;
    int turntable; ///< pictures around one frame; 0: each frame has one
    bool skip_existing;
    double lock_timeout; ///< [s]; 0: BRUME_DEFAULT_LOCK_TIMEOUT
    const char *output;
    const char *look;                       ///< scene whose look a cache is drawn with; NULL: the cache's
    char density_grid[BRUME_MAX_GRID_NAME]; ///< of volumes; empty: found by names
    bool watch;                             ///< waits for volumes that do not exist yet
    int samples;                            ///< 0: the scene's
    const char *integrator;                 ///< word of image.integrator; NULL: the scene's
    BrumeNoiseOption noise;
    bool denoise;     ///< image.denoise is true
    const char *bits; ///< word of image.bits; NULL: the scene's
    bool transparent; ///< image.background is transparent
    BrumePictureOptions pictures;
    unsigned fields; ///< bits of BrumeVolumeFields that a volume has; 0: not given
    bool half;       ///< volumes in half precision
    bool overwrite, quiet, dry_run;
    int verbosity;
    const char *log, *stats;
    const char *measures;   ///< path of the CSV file; NULL: none
    const char *probes_dir; ///< folder of the files of the probes; NULL: the images', or the working folder
    size_t max_memory;      ///< maximum memory of the run [bytes]; 0: the machine's
    double until_steady;    ///< tolerance [1/s]; 0: all frames are simulated
    BrumeSlabs slabs;
    double rank_timeout; ///< silence of another process after which the run ends [s]; 0: not given
    BrumeCheckpointOptions checkpoints;
} BrumeRunSettings;

/** The overrides of the scene by all options. */
typedef struct BrumeRunOverrides {
    BrumeTextList list; ///< refers to `texts` and the command line
    char texts[6][48];
} BrumeRunOverrides;

/**
 * Lists the overrides of --define, --size, --samples, --integrator, --bits and --transparent, so that all are checked
 * as the values of the scene are. BRUME_BAD_INPUT where they are too many.
 */
BrumeStatus brume_run_overrides(BrumeRunOverrides *overrides, const BrumeRunSettings *settings, BrumeError *error);

/** Applies --noise and --denoise to a scene that was read with these overrides. BRUME_BAD_INPUT where it does not use
 * it.
 */
BrumeStatus brume_run_set_noise(const BrumeRunSettings *settings, BrumeScene *scene, BrumeError *error);

/** Parses the value of --integrator, a const char *. */
BrumeStatus brume_parse_integrator(void *member, const char *option, const char *value, BrumeError *error);

/** Parses the value of --bits, a const char *. */
BrumeStatus brume_parse_bits(void *member, const char *option, const char *value, BrumeError *error);

/** Parses the value of --layers, an unsigned with bits of BrumePictureLayer. */
BrumeStatus brume_parse_layers(void *member, const char *option, const char *value, BrumeError *error);

/** Parses the value of --crop, a BrumePictureCrop: "x0,y0,x1,y1". */
BrumeStatus brume_parse_crop(void *member, const char *option, const char *value, BrumeError *error);

/** Parses the value of --noise, a BrumeNoiseOption. */
BrumeStatus brume_parse_noise(void *member, const char *option, const char *value, BrumeError *error);

/*
 * The options that all commands with a run have: entries of BrumeCommand.options.
 */
#define BRUME_RUN_MEMBER(kind_, member_) .kind = BRUME_OPTION_##kind_, .offset = offsetof(BrumeRunSettings, member_)

#define BRUME_RUN_FARM_OPTIONS                                                                                         \
    {.name = "chunk",                                                                                                  \
     .value = "I/N",                                                                                                   \
     BRUME_RUN_MEMBER(CUSTOM, chunk),                                                                                  \
     .parse = brume_parse_chunk,                                                                                       \
     .complete = {BRUME_COMPLETE_NOTHING, NULL},                                                                       \
     .help = "draw the I-th of N contiguous parts of the range of frames"},                                            \
        {.name = "skip-existing",                                                                                      \
         BRUME_RUN_MEMBER(FLAG, skip_existing),                                                                        \
         .help =                                                                                                       \
             "draw the frames whose images are missing; several workers share\nthem, and each draws other frames"},    \
    {                                                                                                                  \
        .name = "lock-timeout", .value = "TIME", BRUME_RUN_MEMBER(CUSTOM, lock_timeout),                               \
        .parse = brume_parse_duration, .complete = {BRUME_COMPLETE_NOTHING, NULL},                                     \
        .help = "take over the frame of a worker on another machine whose lock\nfile is older (default: 1h)"           \
    }

#define BRUME_RUN_MEASURE_OPTIONS                                                                                      \
    {.name = "measures",                                                                                               \
     .value = "FILE",                                                                                                  \
     BRUME_RUN_MEMBER(TEXT, measures),                                                                                 \
     .complete = {BRUME_COMPLETE_FILES, "csv"},                                                                        \
     .help =                                                                                                           \
         "write totals, energies, fluxes, forces and budgets as CSV, one\nline for each frame; - is standard output"}, \
        {.name = "probes-dir",                                                                                         \
         .value = "DIR",                                                                                               \
         BRUME_RUN_MEMBER(TEXT, probes_dir),                                                                           \
         .complete = {BRUME_COMPLETE_FOLDERS, NULL},                                                                   \
         .help = "folder of the CSV files of the scene's probes (default: that of\nthe images, or the working "        \
                 "folder)"},                                                                                           \
    {                                                                                                                  \
        .name = "until-steady", .value = "TOL", BRUME_RUN_MEMBER(CUSTOM, until_steady), .parse = brume_parse_positive, \
        .complete = {BRUME_COMPLETE_NOTHING, NULL},                                                                    \
        .help = "end when velocity and temperature change by less than TOL of their\nlargest values in a second"       \
    }

#define BRUME_RUN_CHECKPOINT_OPTIONS                                                                                   \
    {.name = "resume",                                                                                                 \
     .value = "force",                                                                                                 \
     .value_optional = true,                                                                                           \
     BRUME_RUN_MEMBER(CUSTOM, checkpoints.resume),                                                                     \
     .parse = brume_parse_resume,                                                                                      \
     .complete = {BRUME_COMPLETE_WORDS, "force"},                                                                      \
     .help = "go on from the latest checkpoint; what is done is kept. With 'force'\nalso if the scene has changed"},   \
        {.name = "checkpoint-every",                                                                                   \
         .value = "N|TIME",                                                                                            \
         BRUME_RUN_MEMBER(CUSTOM, checkpoints.interval),                                                               \
         .parse = brume_parse_interval,                                                                                \
         .complete = {BRUME_COMPLETE_NOTHING, NULL},                                                                   \
         .help =                                                                                                       \
             "write a checkpoint after every N frames, or after a time such as\n90s, 10m, 2h (default: 5m; 0: only "   \
             "when the run is stopped)"},                                                                              \
        {.name = "keep-checkpoints",                                                                                   \
         .value = "N|all",                                                                                             \
         BRUME_RUN_MEMBER(CUSTOM, checkpoints.keep),                                                                   \
         .parse = brume_parse_keep,                                                                                    \
         .complete = {BRUME_COMPLETE_WORDS, "all"},                                                                    \
         .help = "checkpoints that stay when the run is complete (default: 0; two\nduring the run)"},                  \
    {                                                                                                                  \
        .name = "checkpoints", .value = "DIR", BRUME_RUN_MEMBER(TEXT, checkpoints.folder),                             \
        .complete = {BRUME_COMPLETE_FOLDERS, NULL},                                                                    \
        .help = "folder of the checkpoints (default: out/plume.checkpoints for\nthe output out/plume.####.png)"        \
    }

#define BRUME_RUN_MEMORY_OPTION                                                                                        \
    {                                                                                                                  \
        .name = "max-memory", .value = "SIZE", BRUME_RUN_MEMBER(CUSTOM, max_memory), .parse = brume_parse_bytes,       \
        .complete = {BRUME_COMPLETE_NOTHING, NULL},                                                                    \
        .help = "refuse a scene that needs more memory, as 8G or 500M (default: that\nof the machine)"                 \
    }

#define BRUME_RUN_REPORT_OPTIONS                                                                                       \
    {.name = "stats",                                                                                                  \
     .value = "FILE",                                                                                                  \
     BRUME_RUN_MEMBER(TEXT, stats),                                                                                    \
     .complete = {BRUME_COMPLETE_FILES, "json"},                                                                       \
     .help = "write the statistics of each frame as JSON: steps, iterations,\nresidual, ms of each stage, hash of "    \
             "the state, measures;\n- is standard output"},                                                            \
        {.name = "log",                                                                                                \
         .value = "FILE",                                                                                              \
         BRUME_RUN_MEMBER(TEXT, log),                                                                                  \
         .help = "write all messages to a file, with times"},                                                          \
        {.name = "quiet", .letter = 'q', BRUME_RUN_MEMBER(FLAG, quiet), .help = "print errors and warnings only"},     \
    {                                                                                                                  \
        .name = "verbose", .letter = 'v', BRUME_RUN_MEMBER(COUNT, verbosity),                                          \
        .help = "print the statistics of each frame; twice: the machine too"                                           \
    }

#endif
