/**
 * @file scene_readers.h
 * The readers of the files that scenes name, for all commands. Defined in app/volumes, which reads the formats.
 */
#ifndef BRUME_APP_CLI_SCENE_READERS_H
#define BRUME_APP_CLI_SCENE_READERS_H

#include "brume/scene.h"

/** The context is NULL, or a BrumeText to which lines with notes on the files are appended. */
extern const BrumeSceneReaders brume_scene_readers;

#endif
