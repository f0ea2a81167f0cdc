/**
 * @file convert_target.h
 * The outputs of `brume convert`: one BrumeConvertTarget for each kind of output, selected by the extension of OUTPUT.
 */
#ifndef BRUME_APP_CONVERT_CONVERT_TARGET_H
#define BRUME_APP_CONVERT_CONVERT_TARGET_H

#include "app/cli/messages.h"
#include "app/cli/values.h"
#include "core/error.h"
#include "core/text.h"
#include "exchange/frame_grids.h"

#include <stdbool.h>

/** Bits of options that only some outputs use; --frames, --overwrite and --quiet apply to all. */
typedef enum BrumeConvertOption {
    BRUME_CONVERT_GRIDS = 1,    ///< --grids
    BRUME_CONVERT_HALF = 2,     ///< --half
    BRUME_CONVERT_ISO = 4,      ///< --iso, --iso-grid, --bodies
    BRUME_CONVERT_VDB = 8,      ///< --vdb-names, --vdb-staggered
    BRUME_CONVERT_FPS = 16,     ///< --fps
    BRUME_CONVERT_DENSITY = 32, ///< --density-grid
    BRUME_CONVERT_UP = 64,      ///< --vdb-up
    BRUME_CONVERT_RETIME = 128, ///< --retime
} BrumeConvertOption;

/** The command line of `convert`. */
typedef struct BrumeConvertDef {
    const char *input, *output;             ///< paths or patterns
    BrumeFrameRange frames;                 ///< all zero: not given
    const char *grids;                      ///< names separated by commas; NULL: all
    char density_grid[BRUME_MAX_GRID_NAME]; ///< grid that becomes the density; empty: found by names
    bool half;
    double iso; ///< 0: not given
    const char *iso_grid;
    bool bodies;           ///< the surface of the bodies instead of that of a grid
    const char *vdb_names; ///< "blender", "houdini" or "embergen"
    const char *vdb_up;    ///< "y" or "z"; NULL: y
    bool vdb_staggered;
    double retime; ///< frames of the output for each of the input; 0: not given
    double fps;    ///< of a video, or of the input of --retime [1/s]; 0: not given
    bool overwrite, quiet;
} BrumeConvertDef;

typedef struct BrumeConvertTarget {
    /** Appends the extensions that it writes, separated by ", ". */
    void (*list_extensions)(BrumeText *list);
    /** Whether the extension of `output` is one of them. */
    bool (*accepts)(const char *output);
    /** Bits of BrumeConvertOption that apply to this output, which it accepts. */
    unsigned (*options)(const char *output);
    /**
     * Converts all frames. BRUME_BAD_INPUT before anything is written if the command line or the files do not fit, and
     * where an input is damaged; BRUME_INTERRUPTED after the file during which a signal arrived.
     */
    BrumeStatus (*convert)(const BrumeConvertDef *def, BrumeMessages *messages, BrumeError *error);
} BrumeConvertTarget;

extern const BrumeConvertTarget brume_volume_target;
extern const BrumeConvertTarget brume_video_target;

#endif
