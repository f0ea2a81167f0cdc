/**
 * @file portal.h
 * The dialog for files of the desktop by xdg-desktop-portal (org.freedesktop.portal.FileChooser, D-Bus), which also
 * works where neither zenity nor kdialog is installed. For one thread. Without D-Bus in this build there is none.
 */
#ifndef BRUME_VIEWER_DIALOGS_PORTAL_H
#define BRUME_VIEWER_DIALOGS_PORTAL_H

#include "core/error.h"

#include <stdbool.h>

/** An open dialog. */
typedef struct BrumePortal BrumePortal;

/** What is asked for. */
typedef struct BrumePortalDef {
    const char *title, *action; ///< "Open a scene", "Open"
    const char *filter;         ///< name of the kinds of files
    const char *patterns;       ///< of them, separated by blanks: "*.yaml *.yml"; "": a folder is chosen
    const char *folder;         ///< in which it starts, absolute
    bool saves;                 ///< a new name
} BrumePortalDef;

/** Whether the session has a portal with dialogs for files. Waits for its answer, a second at most. */
bool brume_portal_is_available(void);

/** Opens a dialog. BRUME_FAILED without a session bus, and without memory; `*portal` is NULL then. */
BrumeStatus brume_portal_open(BrumePortal **portal, const BrumePortalDef *def, BrumeError *error);

/**
 * Whether the dialog is still open. After its end `path` (`size` bytes) is what the user has chosen, "" for nothing.
 */
bool brume_portal_poll(BrumePortal *portal, char *path, int size);

/** Closes the dialog where it is open, and frees it; NULL is allowed. */
void brume_portal_close(BrumePortal *portal);

#endif
