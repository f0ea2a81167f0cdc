/**
 * @file portal.h
 * The desktop's dialog for files by xdg-desktop-portal (org.freedesktop.portal.FileChooser, D-Bus), which needs neither
 * zenity nor kdialog. For one thread. Not available in a build without D-Bus.
 */
#ifndef BRUME_VIEWER_DIALOGS_PORTAL_H
#define BRUME_VIEWER_DIALOGS_PORTAL_H

#include "core/error.h"

#include <stdbool.h>

/** An open dialog. */
typedef struct BrumePortal BrumePortal;

/** The properties of a dialog. */
typedef struct BrumePortalDef {
    const char *title, *action; ///< "Open a scene", "Open"
    const char *filter;         ///< name of the kinds of files
    const char *patterns;       ///< their patterns, separated by blanks: "*.yaml *.yml"; "": a folder is chosen
    const char *folder;         ///< initial folder, absolute
    bool saves;                 ///< a new name
} BrumePortalDef;

/** Whether the session has a portal with dialogs for files. Waits for its answer, a second at most. */
bool brume_portal_is_available(void);

/** Opens a dialog. BRUME_FAILED without a session bus, and without memory; `*portal` is NULL then. */
BrumeStatus brume_portal_open(BrumePortal **portal, const BrumePortalDef *def, BrumeError *error);

/** Whether the dialog is still open. After its end `path` (`size` bytes) has the chosen file, "": none. */
bool brume_portal_poll(BrumePortal *portal, char *path, int size);

/** Closes the dialog where it is open, and frees it; NULL is allowed. */
void brume_portal_close(BrumePortal *portal);

#endif
