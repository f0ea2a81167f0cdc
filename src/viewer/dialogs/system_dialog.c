#include "viewer/dialogs/system_dialog.h"

#include "viewer/dialogs/portal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FILTER = 512 };

static bool is_installed(const char *program)
{
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        const size_t length = strcspn(folders, ":");
        char path[BRUME_CHOSEN_PATH];
        const int size = snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, program);
        if (size > 0 && (size_t)size < sizeof path && access(path, X_OK) == 0) {
            return true;
        }
        folders += length + (folders[length] == ':');
    }
    return false;
}

BrumeFileDialogKind brume_file_dialog_kind(void)
{
    static const char *const names[] = {"own", "zenity", "kdialog", "portal"};
    const char *chosen = getenv("BRUME_FILE_DIALOG");
    for (int kind = 0; kind < 4 && chosen; kind++) {
        if (strcmp(chosen, names[kind]) == 0) {
            return (BrumeFileDialogKind)kind;
        }
    }
    if (brume_portal_is_available()) {
        return BRUME_DIALOG_PORTAL;
    }
    const char *desktop = getenv("XDG_CURRENT_DESKTOP");
    const bool prefers_kdialog = desktop && strstr(desktop, "KDE");
    if (prefers_kdialog && is_installed("kdialog")) {
        return BRUME_DIALOG_KDIALOG;
    }
    return is_installed("zenity") ? BRUME_DIALOG_ZENITY : BRUME_DIALOG_OWN;
}

// writes the patterns "*.yaml *.yml" for the extensions "yaml yml"
static void list_patterns(const char *extensions, char patterns[MAX_FILTER])
{
    size_t used = 0;
    patterns[0] = '\0';
    for (const char *at = extensions; *at && used + 16 < MAX_FILTER; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        used += (size_t)snprintf(patterns + used, MAX_FILTER - used, "%s*.%.*s", used > 0 ? " " : "", (int)length, at);
        at += length;
    }
}

static BrumeStatus start_zenity(BrumeSystemDialog *dialog, const BrumeFilePurposeInfo *info, const char *folder,
                                BrumeError *error)
{
    char title[128];
    char start[BRUME_CHOSEN_PATH + 32];
    char patterns[MAX_FILTER];
    char filter[MAX_FILTER + 128];
    list_patterns(info->extensions, patterns);
    (void)snprintf(title, sizeof title, "--title=%s", info->title);
    (void)snprintf(start, sizeof start, "--filename=%s/", folder);
    (void)snprintf(filter, sizeof filter, "--file-filter=%s | %s", info->filter, patterns);
    const char *arguments[8] = {"zenity", "--file-selection", title, start};
    int count = 4;
    if (info->saves) {
        arguments[count++] = "--save";
    }
    arguments[count] = info->extensions[0] ? filter : "--directory";
    return brume_process_start(&dialog->process, arguments, "", 0, error);
}

static BrumeStatus start_kdialog(BrumeSystemDialog *dialog, const BrumeFilePurposeInfo *info, const char *folder,
                                 BrumeError *error)
{
    char patterns[MAX_FILTER];
    char filter[MAX_FILTER + 128];
    list_patterns(info->extensions, patterns);
    (void)snprintf(filter, sizeof filter, "%s (%s)", info->filter, patterns);
    const char *action = info->saves ? "--getsavefilename" : "--getopenfilename";
    const bool files = info->extensions[0] != '\0';
    const char *const arguments[] = {
        "kdialog", "--title", info->title, files ? action : "--getexistingdirectory", folder, files ? filter : NULL,
        NULL};
    return brume_process_start(&dialog->process, arguments, "", 0, error);
}

static BrumeStatus open_portal(BrumeSystemDialog *dialog, const BrumeFilePurposeInfo *info, const char *folder,
                               BrumeError *error)
{
    char patterns[MAX_FILTER];
    list_patterns(info->extensions, patterns);
    const BrumePortalDef def = {.title = info->title,
                                .action = info->action,
                                .filter = info->filter,
                                .patterns = patterns,
                                .folder = folder,
                                .saves = info->saves};
    return brume_portal_open(&dialog->portal, &def, error);
}

BrumeStatus brume_system_dialog_open(BrumeSystemDialog *dialog, BrumeFileDialogKind kind, BrumeFilePurpose purpose,
                                     const char *folder, BrumeError *error)
{
    if (dialog->purpose != BRUME_CHOOSE_NOTHING) {
        return brume_fail(error, BRUME_FAILED, "a dialog for files is open already");
    }
    const BrumeFilePurposeInfo *info = &brume_file_purposes[purpose];
    dialog->path[0] = '\0';
    const BrumeStatus status = kind == BRUME_DIALOG_PORTAL    ? open_portal(dialog, info, folder, error)
                               : kind == BRUME_DIALOG_KDIALOG ? start_kdialog(dialog, info, folder, error)
                                                              : start_zenity(dialog, info, folder, error);
    dialog->purpose = status == BRUME_OK ? purpose : BRUME_CHOOSE_NOTHING;
    return status;
}

// the dialog program prints the chosen path as a line
static void take_line(void *context, bool is_error, const char *line)
{
    BrumeSystemDialog *dialog = context;
    if (!is_error && line[0] == '/' && strlen(line) < sizeof dialog->path) {
        (void)snprintf(dialog->path, sizeof dialog->path, "%.*s", (int)sizeof dialog->path - 1, line);
    }
}

bool brume_system_dialog_poll(BrumeSystemDialog *dialog, BrumeFilePurpose *purpose)
{
    if (dialog->purpose == BRUME_CHOOSE_NOTHING ||
        (dialog->portal ? brume_portal_poll(dialog->portal, dialog->path, (int)sizeof dialog->path)
                        : brume_process_poll(&dialog->process, take_line, dialog))) {
        return false;
    }
    const bool failed = !dialog->portal && dialog->process.ending != 0;
    brume_portal_close(dialog->portal);
    dialog->portal = NULL;
    *purpose = dialog->purpose;
    dialog->purpose = BRUME_CHOOSE_NOTHING;
    return !failed && dialog->path[0] != '\0';
}

void brume_system_dialog_close(BrumeSystemDialog *dialog)
{
    if (dialog->portal) {
        brume_portal_close(dialog->portal);
    } else if (dialog->purpose != BRUME_CHOOSE_NOTHING) {
        brume_process_signal(&dialog->process, SIGTERM);
        brume_process_close(&dialog->process);
    }
    dialog->portal = NULL;
    dialog->purpose = BRUME_CHOOSE_NOTHING;
}
