/*
 * Sources. Blender: the manual's pages on the Principled Volume shader and on the Volume Info node (temperatures of 0
 * to 1 mean 0 to 1000 K, which is the shader's default factor), and the properties of a volume object (`velocity`).
 * Houdini: the pages on the Pyro solver (`density`, `temperature`, `vel`) and on volumes in Maya (`Cd`).
 */
#include "exchange/vdb/vdb_names.h"

#include "exchange/frame_grids.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const BrumeVdbConvention conventions[] = {
    {.name = NULL, .velocity = BRUME_GRID_VELOCITY, .color = "color", .kelvin = 1.0, .temperature_unit = "K"},
    {.name = "blender",
     .velocity = BRUME_GRID_VELOCITY,
     .color = "color",
     .density_is_extinction = true,
     .temperature_is_absolute = true,
     .kelvin = 1000.0,
     .temperature_unit = "kK"},
    {.name = "houdini", .velocity = "vel", .color = "Cd", .kelvin = 1.0, .temperature_unit = "K"},
    {.name = "embergen",
     .velocity = BRUME_GRID_VELOCITY,
     .color = "color",
     .temperature_is_absolute = true,
     .kelvin = 1.0,
     .temperature_unit = "K"},
};

enum { CONVENTIONS = sizeof conventions / sizeof conventions[0] };

BrumeStatus brume_vdb_convention(const char *name, const BrumeVdbConvention **convention, BrumeError *error)
{
    for (int n = 0; n < CONVENTIONS; n++) {
        const char *known = conventions[n].name;
        if (name ? known && strcmp(known, name) == 0 : !known) {
            *convention = &conventions[n];
            return BRUME_OK;
        }
    }
    return brume_fail(error, BRUME_BAD_INPUT,
                      "unknown names of OpenVDB grids '%s' (known are blender, houdini, embergen)", name);
}

// Names of other programs. Blender's smoke solver writes `heat` for the temperature.
static const struct {
    const char *name;
    const char *brume;
    int components;
} aliases[] = {
    {BRUME_GRID_DENSITY, BRUME_GRID_DENSITY, 1},
    {"smoke", BRUME_GRID_DENSITY, 1},
    {"soot", BRUME_GRID_DENSITY, 1},
    {BRUME_GRID_TEMPERATURE, BRUME_GRID_TEMPERATURE, 1},
    {"temp", BRUME_GRID_TEMPERATURE, 1},
    {"heat", BRUME_GRID_TEMPERATURE, 1},
    {"flame", "flame", 1},
    {"flames", "flame", 1},
    {"fire", "flame", 1},
    {BRUME_GRID_VELOCITY, BRUME_GRID_VELOCITY, 3},
    {"vel", BRUME_GRID_VELOCITY, 3},
    {"v", BRUME_GRID_VELOCITY, 3},
    {"color", "color", 3},
    {"colour", "color", 3},
    {"Cd", "color", 3},
};

const char *brume_vdb_known_name(const char *name, int components)
{
    for (size_t n = 0; n < sizeof aliases / sizeof aliases[0]; n++) {
        if (aliases[n].components == components && strcasecmp(aliases[n].name, name) == 0) {
            return aliases[n].brume;
        }
    }
    return NULL;
}

const char *brume_vdb_unit_of(const char *name)
{
    if (strcmp(name, BRUME_GRID_TEMPERATURE) == 0) {
        return "K";
    }
    if (strcmp(name, BRUME_GRID_VELOCITY) == 0 || strncmp(name, BRUME_GRID_FACES, strlen(BRUME_GRID_FACES)) == 0) {
        return "m/s";
    }
    if (strcmp(name, BRUME_GRID_DENSITY) == 0 || strncmp(name, "color", strlen("color")) == 0) {
        return "1";
    }
    return "";
}
