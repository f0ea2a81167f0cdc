/**
 * @file vdb_names.h
 * Names and units of grids in OpenVDB files: the names that programs expect, and the names under which files are read.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_NAMES_H
#define BRUME_EXCHANGE_VDB_VDB_NAMES_H

#include "core/error.h"

#include <stdbool.h>

BRUME_BEGIN_DECLS

/** The names and units that a program expects. */
typedef struct BrumeVdbConvention {
    const char *name;             ///< value of BrumeVolumeWriteDef.vdb_names; NULL: Brume's own
    const char *velocity;         ///< name of the velocity
    const char *color;            ///< name of the color
    bool density_is_extinction;   ///< the density is the extinction [1/m], and the color is the albedo
    bool temperature_is_absolute; ///< otherwise above ambient
    double kelvin;                ///< the unit of the temperature [K]
    const char *temperature_unit; ///< its name
} BrumeVdbConvention;

/** The ambient temperature for files with absolute temperatures [K]: 20 degrees Celsius. Scenes do not define one. */
#define BRUME_VDB_AMBIENT_KELVIN 293.15

/** The convention of this name (NULL: Brume's own); BRUME_BAD_INPUT, with a list in the text, if there is none. */
BrumeStatus brume_vdb_convention(const char *name, const BrumeVdbConvention **convention, BrumeError *error);

/**
 * Brume's name of the quantity that other programs call `name` ("smoke" is "density", "vel" is "velocity"); case does
 * not matter. NULL for other names. The result is one of the constants of frame_grids.h, or "color" or "flame".
 */
const char *brume_vdb_known_name(const char *name, int components);

/** The unit of a grid of this name where the file does not state one; "" if it is not known. */
const char *brume_vdb_unit_of(const char *name);

BRUME_END_DECLS

#endif
