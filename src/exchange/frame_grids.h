/**
 * @file frame_grids.h
 * The grids and the particles of one frame in memory, in the form that all readers and writers of volume files share.
 *
 * All grids of a frame have the same cells: nx x ny x nz cubes of side dx from the lower corner `origin` on, with y up.
 * Values are in SI units; temperature is in kelvin above the ambient temperature of the scene.
 */
#ifndef BRUME_EXCHANGE_FRAME_GRIDS_H
#define BRUME_EXCHANGE_FRAME_GRIDS_H

#include "brume/field.h"
#include "brume/particle.h"
#include "brume/shape.h"
#include "brume/sim_def.h"
#include "brume/vec3.h"
#include "brume/volume.h"
#include "core/error.h"
#include "io/shared_memory.h"

#include <stdbool.h>
#include <stddef.h>

BRUME_BEGIN_DECLS

enum { BRUME_MAX_FRAME_GRIDS = 16, BRUME_MAX_GRID_NAME = 64, BRUME_MAX_UNIT = 16, BRUME_MAX_GRID_NOTE = 160 };

/** Where the values of a grid are. */
typedef enum BrumeGridLocation {
    BRUME_AT_CENTERS, ///< (nz x ny x nx)
    BRUME_AT_X_FACES, ///< (nz x ny x nx+1): on the lower x faces of the cells and the upper ones of the last cells
    BRUME_AT_Y_FACES, ///< (nz x ny+1 x nx)
    BRUME_AT_Z_FACES, ///< (nz+1 x ny x nx)
} BrumeGridLocation;

/** One grid. Names that Brume gives: BRUME_GRID_DENSITY and the other constants below. */
typedef struct BrumeFrameGrid {
    char name[BRUME_MAX_GRID_NAME];
    char unit[BRUME_MAX_UNIT]; ///< "1", "K", "m/s"; empty: not known
    int components;            ///< 1, or 3 for a vector (x, y, z)
    BrumeGridLocation location;
    float *values;                  ///< x fastest; the components of a vector are interleaved
    BrumeSharedBlock block;         ///< of the values in the memory of the frame
    BrumeCellBox filled;            ///< entries, by their indices, beyond which all are 0; those take no memory
    char note[BRUME_MAX_GRID_NOTE]; ///< how the values differ from the file's, as "is resampled"; empty: not
} BrumeFrameGrid;

#define BRUME_GRID_DENSITY "density"         // plain smoke [1]
#define BRUME_GRID_COLOR "color_"            // followed by 1, 2 or 3: a color density [1]
#define BRUME_GRID_TEMPERATURE "temperature" // above ambient [K]
#define BRUME_GRID_PRESSURE "pressure"       // kinematic [m^2/s^2]
#define BRUME_GRID_FUEL "fuel"               // its mass over that of ambient air [1]
#define BRUME_GRID_MIXTURE "mixture"         // likewise of what was fuel [1]
#define BRUME_GRID_HEATING "heating"         // heat of the last step over that of ambient air from 0 K [1]
#define BRUME_GRID_VELOCITY "velocity"       // vector at the centers [m/s]
#define BRUME_GRID_FACES "velocity_"         // followed by x, y or z: a velocity component on its faces [m/s]

#define BRUME_GRID_TEXTURE "texture_" // followed by 1 or 2: texture coordinates of a layer, BrumeVolume [m]

/** The grids and the particles of one frame. All zero: none. */
typedef struct BrumeFrameGrids {
    BrumeGrid cells;
    double dx;        ///< side of a cell [m]
    double origin[3]; ///< lower corner of the box [m]
    bool has_frame;   ///< whether `frame` is known
    int frame;        ///< number of the frame, of either sign
    double time;      ///< simulated time [s]
    char *scene_text; ///< the scene as YAML, allocated by brume_alloc; NULL: not known
    int body_count;
    BrumeShape bodies[BRUME_MAX_BODIES]; ///< at their positions in this frame; samples of volumes are in the scene
    BrumeSharedMemory memory;            ///< of values and particles; not open: created with the first of them
    int count;
    BrumeFrameGrid grids[BRUME_MAX_FRAME_GRIDS];
    bool has_particles; ///< whether the particles are known, of which there may be none
    int particle_count;
    BrumeParticle *particles; ///< without an order; `spin` is 0 where they are from a file, as what this does not have
    BrumeSharedBlock particle_block; ///< of the particles in the memory of the frame, perhaps with room for more
} BrumeFrameGrids;

/** Of a file. */
typedef enum BrumeVolumeParts {
    BRUME_READ_GRIDS, ///< without particles
    BRUME_READ_ALL,
    BRUME_READ_PARTICLES, ///< grids may be left out
} BrumeVolumeParts;

/**
 * The parts of a file to read. All zero: all grids, without particles. It has no pointers, so that it can be passed to
 * another process as it is.
 */
typedef struct BrumeVolumeReadDef {
    char density[BRUME_MAX_GRID_NAME]; ///< name of the grid that is read as BRUME_GRID_DENSITY; empty: found by names
    char grids[BRUME_MAX_FRAME_GRIDS * BRUME_MAX_GRID_NAME]; ///< names of the grids that are needed, separated by
                                                             ///< commas; others may be left out; empty: all are needed
    BrumeVolumeParts parts;
} BrumeVolumeReadDef;

/** Entries along an axis (0 x, 1 y, 2 z) of a grid of these cells. */
int brume_frame_grid_extent(BrumeGrid cells, BrumeGridLocation location, int axis);

/** The number of values of a grid: entries times components. */
size_t brume_frame_grid_values(BrumeGrid cells, const BrumeFrameGrid *grid);

/**
 * Adds a grid of zeros with this name, unit, number of components (1 or 3) and location; `*grid` is valid until the
 * frame is freed. Its `filled` box is that of all entries: who fills less may make it smaller. BRUME_BAD_INPUT where
 * the frame has a grid of this name or too many grids, where the name is empty or too long, and where a side has less
 * than one or more than 2^17 cells; BRUME_FAILED without memory.
 */
BrumeStatus brume_frame_grids_add(BrumeFrameGrids *frame, const char *name, const char *unit, int components,
                                  BrumeGridLocation location, BrumeFrameGrid **grid, BrumeError *error);

/**
 * Checks before grids are added that `values` numbers, of all of them together, fit into the memory that is available:
 * a file can claim any size. BRUME_FAILED with one line that starts with the path where they do not.
 */
BrumeStatus brume_frame_grids_check_memory(const BrumeFrameGrids *frame, double values, const char *path,
                                           BrumeError *error);

/**
 * Makes room for `capacity` particles in a frame that has no room for them yet; their number stays 0. BRUME_FAILED
 * without memory.
 */
BrumeStatus brume_frame_grids_add_particles(BrumeFrameGrids *frame, int capacity, BrumeError *error);

/** Copies the particles of `from` to a frame that has none. BRUME_FAILED without memory. */
BrumeStatus brume_frame_grids_copy_particles(BrumeFrameGrids *frame, const BrumeFrameGrids *from, BrumeError *error);

/** Makes cells around the particles, about 60 of them along the longest side. */
void brume_frame_grids_fit_particles(BrumeFrameGrids *frame);

/** Maps the values of all grids and the particles, whose blocks are known. False where that fails; none is mapped then.
 */
bool brume_frame_grids_map(BrumeFrameGrids *frame);

/** Unmaps what brume_frame_grids_map has mapped; the memory stays open. */
void brume_frame_grids_unmap(BrumeFrameGrids *frame);

/** The grid of this name; NULL if there is none. */
const BrumeFrameGrid *brume_frame_grids_find(const BrumeFrameGrids *frame, const char *name);

/** The names of all grids, as "density, velocity"; "none" without grids. */
typedef struct BrumeGridNames {
    char text[512];
} BrumeGridNames;
BrumeGridNames brume_frame_grids_list(const BrumeFrameGrids *frame);

/**
 * Gives the scalar at the centers with this name the name BRUME_GRID_DENSITY, in place of a grid that has it. False,
 * with the frame unchanged, where there is none.
 */
bool brume_frame_grids_name_density(BrumeFrameGrids *frame, const char *name);

/** Frees the grid at an index and moves the grids behind it. */
void brume_frame_grids_remove(BrumeFrameGrids *frame, int index);

/**
 * The densities (BRUME_GRID_DENSITY and the colors), the temperature, the velocity at the centers, the texture
 * coordinates and the particles as a volume for the renderers, without copying; valid while the frame is. The period of
 * the texture coordinates is not known: 0.
 */
BrumeVolume brume_frame_grids_volume(const BrumeFrameGrids *frame);

/** Turns a vector from y up, as in memory, to the z axis up of some files, where these have it; and back. */
static inline BrumeVec3 brume_turn_up(BrumeVec3 vector, bool z_up)
{
    const BrumeVec3 turned = {vector.x, -vector.z, vector.y};
    return z_up ? turned : vector;
}
static inline BrumeVec3 brume_turn_back(BrumeVec3 vector, bool z_up)
{
    const BrumeVec3 turned = {vector.x, vector.z, -vector.y};
    return z_up ? turned : vector;
}

/** Frees all grids, the particles and the scene; all members are zero then. */
void brume_frame_grids_destroy(BrumeFrameGrids *frame);

BRUME_END_DECLS

#endif
