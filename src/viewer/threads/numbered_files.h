/**
 * @file numbered_files.h
 * Names of files with ascending numbers: NAME-0001.png, NAME-0002.png, ...
 */
#ifndef BRUME_VIEWER_THREADS_NUMBERED_FILES_H
#define BRUME_VIEWER_THREADS_NUMBERED_FILES_H

/**
 * Returns the highest number of the files `NAME-0001EXTENSION`, `NAME-0002EXTENSION`, ... in the folder plus one; 1 if
 * there are none. `extension` is ".png", ".yaml" or the like, "" for folders.
 */
int brume_next_file_number(const char *folder, const char *name, const char *extension);

#endif
