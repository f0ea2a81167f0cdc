/**
 * @file look_catalog.h
 * The presets of media and lights in the panel: presets installed with the program, and the user's own, which the
 * program writes and deletes. Used by the window thread alone.
 */
#ifndef BRUME_VIEWER_LOOKS_LOOK_CATALOG_H
#define BRUME_VIEWER_LOOKS_LOOK_CATALOG_H

#include "core/error.h"
#include "scene/look_preset.h"

#include <stdbool.h>
#include <stdint.h>

enum { BRUME_LOOK_PATH = 1024, BRUME_MAX_LOOKS = 128 };

/** A preset in the list. */
typedef struct BrumeLookEntry {
    BrumeLookPart part;
    bool own; ///< in the user's folder, so that it can be deleted
    char path[BRUME_LOOK_PATH];
    char name[64];          ///< name of the preset, or of a file that is no preset
    char error[512];        ///< reason why it cannot be applied: one line with file and line; "": it can
    BrumeLookPreset preset; ///< without the image of its sky
    uint8_t swatch[3];      ///< sRGB: albedo of the medium, or color of the light, until there is a thumbnail
} BrumeLookEntry;

/** The list of presets. In each part the installed ones come first, sorted by name. */
typedef struct BrumeLookCatalog {
    char installed[BRUME_LOOK_PATH]; ///< folder with `media` and `lights`; "": there is none
    char own[BRUME_LOOK_PATH];       ///< the user's folder; "": there is none
    int count;
    BrumeLookEntry entries[BRUME_MAX_LOOKS];
    unsigned revision; ///< increases with every change of the list
} BrumeLookCatalog;

/** Writes the user's folder of presets, $XDG_DATA_HOME/brume/looks or ~/.local/share/brume/looks; false without one. */
bool brume_own_looks_folder(char *path, size_t size);

/** Reads the list of both folders anew. A folder that does not exist is empty. */
void brume_look_catalog_scan(BrumeLookCatalog *catalog);

/** Whether a look has the values of a preset, in a scene with this box; `sky_file` is the path of its sky's image or
 * NULL. */
bool brume_look_entry_is_present(const BrumeLookEntry *entry, const BrumeLookBox *box, const BrumeRenderSettings *look,
                                 const char *sky_file);

/** Reads the preset of a file. Fails as brume_file_read and brume_look_preset_parse do. */
BrumeStatus brume_look_read(BrumeLookPreset *preset, BrumeLookPart part, const char *path,
                            const BrumeSceneReaders *readers, BrumeError *error);

/**
 * Writes a part of a look as a preset of this name to the user's folder, and reads the list anew; `path` gets the
 * file's path. BRUME_BAD_INPUT without a name, and where there is a preset of this name or its file already;
 * BRUME_FAILED as brume_look_preset_write and brume_file_create do. Nothing is written then.
 */
BrumeStatus brume_look_catalog_save(BrumeLookCatalog *catalog, BrumeLookPart part, const BrumeRenderSettings *look,
                                    const BrumeLookBox *box, const char *name, const char *sky_file,
                                    char path[BRUME_LOOK_PATH], BrumeError *error);

/** Deletes the file of an own preset, and reads the list anew. BRUME_FAILED with the system's reason. */
BrumeStatus brume_look_catalog_remove(BrumeLookCatalog *catalog, int entry, BrumeError *error);

#endif
