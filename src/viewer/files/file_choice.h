/**
 * @file file_choice.h
 * What a file is chosen for, and the dialog of the system for it, which is a program of its own.
 */
#ifndef BRUME_VIEWER_FILES_FILE_CHOICE_H
#define BRUME_VIEWER_FILES_FILE_CHOICE_H

#include "core/error.h"
#include "viewer/files/portal.h"
#include "viewer/jobs/process.h"

#include <stdbool.h>

enum { BRUME_CHOSEN_PATH = 1024 };

/** What a file is chosen for. */
typedef enum BrumeFilePurpose {
    BRUME_CHOOSE_NOTHING,
    BRUME_CHOOSE_OPEN,   ///< a scene, or volumes
    BRUME_CHOOSE_SKY,    ///< an image of the sky
    BRUME_CHOOSE_SAVE,   ///< the name of a scene to save
    BRUME_CHOOSE_FRAME,  ///< the name of a file for the present frame
    BRUME_CHOOSE_FOLDER, ///< a folder for exports
} BrumeFilePurpose;
enum { BRUME_FILE_PURPOSES = 6 };

/** The properties of a purpose. */
typedef struct BrumeFilePurposeInfo {
    const char *title, *action; ///< "Open a scene or volumes", "Open"
    const char *filter;         ///< "Scenes and volumes"
    const char *extensions;     ///< of the files, without dots, separated by blanks; "" for folders
    bool saves;                 ///< a new name
} BrumeFilePurposeInfo;

extern const BrumeFilePurposeInfo brume_file_purposes[BRUME_FILE_PURPOSES];

/** Whether a file name has one of the extensions, in small or capital letters. */
bool brume_has_extension(const char *name, const char *extensions);

/** Appends `extension`, ".yaml", to a path that has none of `extensions`; false where it is too long. */
bool brume_add_extension(char *path, int size, const char *extensions, const char *extension);

/** The dialogs. */
typedef enum BrumeFileDialogKind {
    BRUME_DIALOG_OWN, ///< of the panel
    BRUME_DIALOG_ZENITY,
    BRUME_DIALOG_KDIALOG,
    BRUME_DIALOG_PORTAL, ///< of the desktop (portal.h)
} BrumeFileDialogKind;

/**
 * The dialog that BRUME_FILE_DIALOG names (own, zenity, kdialog, portal); without it, that of the desktop's portal, or
 * of a program that is installed, otherwise the own one.
 */
BrumeFileDialogKind brume_file_dialog_kind(void);

/** A dialog of the system. All zero: none is open. */
typedef struct BrumeSystemDialog {
    BrumeFilePurpose purpose; ///< of the open one
    BrumeProcess process;
    BrumePortal *portal; ///< of BRUME_DIALOG_PORTAL; NULL: it is a program
    char path[BRUME_CHOSEN_PATH];
} BrumeSystemDialog;

/** Opens a dialog that starts in `folder`. BRUME_FAILED where it cannot be started, or one is open. */
BrumeStatus brume_system_dialog_open(BrumeSystemDialog *dialog, BrumeFileDialogKind kind, BrumeFilePurpose purpose,
                                     const char *folder, BrumeError *error);

/** Whether the user has chosen `dialog->path` for `*purpose` since the last call. */
bool brume_system_dialog_poll(BrumeSystemDialog *dialog, BrumeFilePurpose *purpose);

/** Closes an open dialog. */
void brume_system_dialog_close(BrumeSystemDialog *dialog);

#endif
