/**
 * @file folder_list.h
 * The contents of a folder, for a dialog.
 */
#ifndef BRUME_VIEWER_FILES_FOLDER_LIST_H
#define BRUME_VIEWER_FILES_FOLDER_LIST_H

#include "core/error.h"

#include <stdbool.h>

/** An entry of a folder. */
typedef struct BrumeFolderEntry {
    char name[256];
    bool is_folder;
} BrumeFolderEntry;

/** The folders of a folder, and then its files, each in alphabetic order. Zeroed, it is empty. */
typedef struct BrumeFolderList {
    int count;
    BrumeFolderEntry *entries;
} BrumeFolderList;

/**
 * Reads a folder: its folders, and its files with one of these extensions (brume_has_extension; "": none). Names that
 * begin with a dot are omitted. BRUME_FAILED with the system's reason and without memory; the list is unchanged then.
 */
BrumeStatus brume_folder_list_read(BrumeFolderList *list, const char *folder, const char *extensions,
                                   BrumeError *error);

/** Frees the list. */
void brume_folder_list_destroy(BrumeFolderList *list);

/** Writes the path of `name` in `folder` to `path`; ".." is the parent folder; an absolute `name` is copied. False
 * where it is too long. */
bool brume_join_path(const char *folder, const char *name, char *path, int size);

#endif
