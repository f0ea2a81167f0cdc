/**
 * @file foreign_vdb.h
 * OpenVDB files as other programs write them, and the files of Brume as other programs read them. By OpenVDB's own
 * functions, without the functions of src/exchange.
 */
#ifndef BRUME_TESTS_EXCHANGE_FOREIGN_VDB_H
#define BRUME_TESTS_EXCHANGE_FOREIGN_VDB_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ForeignVdb {
    /**
     * y up, voxels of 0.5 m with index (0, 0, 0) at (1, 2, 3) m. `density` (double): 2 at (-3, 0, 5) and 4 at (1, 7,
     * 6); `Cd` (vec3s): (0.1, 0.2, 0.3) at (0, 0, 6); `vel` (vec3d): (1, 2, 3) at (1, 1, 5); `heat`, saved as halfs: an
     * active tile of 0.25 on the 8^3 voxels from (0, 0, 0) on, in a background of 7.
     */
    FOREIGN_HOUDINI,
    /**
     * z up (the creator is Blender), voxels of 0.25 m with index (0, 0, 0) at the origin. `density`: 1 at (2, 3, 4);
     * `velocity`, staggered: (5, 6, 7) at (2, 3, 4); `flame`: empty; `body`: a level set.
     */
    FOREIGN_BLENDER,
    FOREIGN_MIRRORED,  ///< voxels of 1 m; index axes are world y, z and -x; `smoke`: 3 at (1, 2, 3), 4 at (2, 2, 3)
    FOREIGN_LOCAL,     ///< voxels of 0.5 m; `v`: (2, 4, 6) at (0, 0, 0), in units of voxels
    FOREIGN_FLAT,      ///< voxels of 1 x 1 x 2 m; `density`: 1 at (0, 0, 0)
    FOREIGN_ROTATED,   ///< voxels of 0.5 x 1 x 0.5 m, by 30 degrees; `density`: 12^3 values 100 + x + 2 y + 3 z
    FOREIGN_FRUSTUM,   ///< voxels of a camera
    FOREIGN_LEVEL_SET, ///< nothing else
    FOREIGN_POINTS,    ///< nothing else
    FOREIGN_NUMBERS,   ///< a grid of int32 alone
    /**
     * `density`: 1 on 4^3 voxels of 1 m; `vel`: (1 + x, 2 + y, 3 + z) on 4^3 voxels of 2 m, whose lower corners are at
     * the same place; `heat`: 0, 1, ... 511 on 8^3 voxels of 0.5 m that cover the voxels of the density, z fastest.
     */
    FOREIGN_TWO_SIZES,
    FOREIGN_SAME_NAMES, ///< two grids `density`: 1 at (0, 0, 0) and (1, 0, 0); 4 at (1, 0, 0) and (2, 0, 0)
    FOREIGN_FOG,        ///< `voxel_fog_density`: 3, `flames`: 0.5 at (0, 0, 0)
    FOREIGN_HUGE,       ///< two active voxels 3000 x 2000 x 1000 apart
    FOREIGN_EMPTY,      ///< `density` without active voxels
    FOREIGN_NO_GRID,
} ForeignVdb;

/** A point of a grid `particles`: its position, and `v`, `normal`, `age`, `pscale`, `kind` and `id`. */
typedef struct ForeignPoint {
    double position[3], velocity[3], normal[3];
    double age, radius;
    int kind, id;
} ForeignPoint;

/** Reads up to `size` points of the grid `particles`, in any order; returns their number, -1 where OpenVDB fails. */
int foreign_vdb_points(const char *path, ForeignPoint *points, int size);

/** Writes a file; prints the reason and returns false where OpenVDB fails. */
bool foreign_vdb_write(ForeignVdb kind, const char *path);

/**
 * The value of a grid at a world position, of the voxel whose center is there within 1e-3 voxels; (0, 0, 0) for a
 * scalar beyond its first component. False where there is no such grid or no such voxel center.
 */
bool foreign_vdb_value(const char *path, const char *grid, const double position[3], double value[3]);

/**
 * The grids of a file in the order of their names, each as "NAME TYPE CLASS, VECTOR TYPE, UNIT, N active; ". `half`
 * stands before the type where values are saved as halfs, "with tiles" after the count where tiles are active.
 */
bool foreign_vdb_describe(const char *path, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
