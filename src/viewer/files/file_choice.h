/**
 * @file file_choice.h
 * The purposes for which a file is chosen.
 */
#ifndef BRUME_VIEWER_FILES_FILE_CHOICE_H
#define BRUME_VIEWER_FILES_FILE_CHOICE_H

#include <stdbool.h>

enum { BRUME_CHOSEN_PATH = 1024 };

/** The purpose for which a file is chosen. */
typedef enum BrumeFilePurpose {
    BRUME_CHOOSE_NOTHING,
    BRUME_CHOOSE_OPEN,   ///< a scene, volumes or a mesh
    BRUME_CHOOSE_BODY,   ///< a mesh, as a body
    BRUME_CHOOSE_SKY,    ///< an image of the sky
    BRUME_CHOOSE_SAVE,   ///< the name of a scene to save
    BRUME_CHOOSE_FRAME,  ///< the name of a file for the present frame
    BRUME_CHOOSE_FOLDER, ///< a folder for exports
} BrumeFilePurpose;
enum { BRUME_FILE_PURPOSES = 7 };

/** The properties of a purpose. */
typedef struct BrumeFilePurposeInfo {
    const char *title, *action; ///< "Save the scene", "Save"
    const char *filter;         ///< "Scenes"
    const char *extensions;     ///< extensions of the files, without dots, separated by blanks; "" for folders
    bool saves;                 ///< a new name
} BrumeFilePurposeInfo;

extern const BrumeFilePurposeInfo brume_file_purposes[BRUME_FILE_PURPOSES];

/** Whether a file name has one of the extensions, in small or capital letters. */
bool brume_has_extension(const char *name, const char *extensions);

/** Appends `extension`, ".yaml", to a path that has none of `extensions`; false where it is too long. */
bool brume_add_extension(char *path, int size, const char *extensions, const char *extension);

#endif
