/**
 * @file drawn_volume.h
 * Reads volume files for drawing: finds the density grid, converts flames of other programs, and moves distant volumes.
 */
#ifndef BRUME_APP_VOLUMES_DRAWN_VOLUME_H
#define BRUME_APP_VOLUMES_DRAWN_VOLUME_H

#include "app/cli/messages.h"
#include "core/error.h"
#include "core/text.h"
#include "exchange/frame_grids.h"

/** How the files of a sequence are read. All zero: the density is found by names, and volumes stay at their place. */
typedef struct BrumeDrawnVolumes {
    char density[BRUME_MAX_GRID_NAME]; ///< grid that is drawn as the density; empty: BRUME_GRID_DENSITY
    double shift[3];                   ///< by which volumes are moved [m]
} BrumeDrawnVolumes;

/** The temperature above ambient of flames with the value 1 [K], as the presets of media expect it. */
#define BRUME_FLAME_KELVIN 75.0f

/**
 * Reads the grids of a file that pictures need, and its particles, as brume_volume_file_read_grids does. Where the file
 * has no density, it is 0 beside particles; otherwise one grid of numbers that may be it is taken, for the later files
 * too, or BRUME_BAD_INPUT lists the grids. In files without a scene, flames become smoke and temperature: the density
 * is at least the flame, and the temperature BRUME_FLAME_KELVIN times the flame.
 */
BrumeStatus brume_drawn_volume_read(BrumeFrameGrids *frame, const char *path, BrumeDrawnVolumes *volumes,
                                    BrumeError *error);

/** Whether a frame that was read has particles and no smoke. */
bool brume_drawn_volume_has_only_particles(const BrumeFrameGrids *frame);

/** Moves a volume and its particles [m]. */
void brume_drawn_volume_move(BrumeFrameGrids *frame, const double shift[3]);

/**
 * Completes the particles of a file for pictures: those of an unknown kind are dust, those without a diameter have that
 * of their kind, and those whose numbers are not finite are removed.
 */
void brume_drawn_volume_complete_particles(BrumeFrameGrids *frame, const BrumeSimDef *def);

/** Parses the value of --density-grid, a char[BRUME_MAX_GRID_NAME]. */
BrumeStatus brume_parse_density_grid(void *member, const char *option, const char *value, BrumeError *error);

/** The option --density-grid; `MEMBER_` gives the kind and the offset of its member. */
#define BRUME_DENSITY_GRID_OPTION(member_)                                                                             \
    {                                                                                                                  \
        .name = "density-grid", .value = "NAME", member_, .parse = brume_parse_density_grid,                           \
        .complete = {BRUME_COMPLETE_NOTHING, NULL},                                                                    \
        .help = "grid of volumes that is the density, as smoke, or density[1] of\ngrids of one name"                   \
    }

/** Appends a line, which ends with '\n', for each grid whose values differ from the file's: "PATH: the grid
 * 'density' is resampled ...". */
void brume_volume_list_notes(const BrumeFrameGrids *frame, const char *path, BrumeText *lines);

/** Prints the lines of a text as results. */
void brume_print_notes(const BrumeText *lines, BrumeMessages *messages);

#endif
