/**
 * @file system_dialog.h
 * The dialog of the system for a file: the desktop's by its portal, or one of zenity or kdialog. SDL 3.2 opens the
 * first two itself (SDL_ShowOpenFileDialog, SDL_ShowSaveFileDialog, SDL_ShowOpenFolderDialog); Debian 12 has SDL 2.26.
 * This folder can be deleted when Debian 12 is not supported any more. The dialog of the panel (panel/file_dialog.cpp)
 * is then still needed where there is neither a portal nor zenity.
 */
#ifndef BRUME_VIEWER_DIALOGS_SYSTEM_DIALOG_H
#define BRUME_VIEWER_DIALOGS_SYSTEM_DIALOG_H

#include "core/error.h"
#include "viewer/files/file_choice.h"
#include "viewer/jobs/process.h"

#include <stdbool.h>

/** The kinds of dialogs. */
typedef enum BrumeFileDialogKind {
    BRUME_DIALOG_OWN, ///< dialog of the panel
    BRUME_DIALOG_ZENITY,
    BRUME_DIALOG_KDIALOG,
    BRUME_DIALOG_PORTAL, ///< dialog of the desktop (portal.h)
} BrumeFileDialogKind;

/**
 * Returns the dialog that BRUME_FILE_DIALOG names (own, zenity, kdialog, portal); without it, the dialog of the
 * desktop's portal, or of an installed program, otherwise the panel's own.
 */
BrumeFileDialogKind brume_file_dialog_kind(void);

/** A dialog of the system. Zeroed: none is open. */
typedef struct BrumeSystemDialog {
    BrumeFilePurpose purpose; ///< purpose of the open dialog
    BrumeProcess process;
    struct BrumePortal *portal; ///< for BRUME_DIALOG_PORTAL; NULL: the dialog is a program
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
