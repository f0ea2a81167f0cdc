/**
 * @file view_files.h
 * The viewer's writers of volume files and videos.
 */
#ifndef BRUME_APP_VIEW_FILES_H
#define BRUME_APP_VIEW_FILES_H

#include "viewer/threads/file_writers.h"

/** The writers of this build. */
extern const BrumeFileWriters brume_view_writers;

#endif
