/**
 * @file scene_paths.h
 * The dotted paths of the values of a scene that -D can set, from the tables of the scene format. Items of lists, as
 * `emitters.0.radius`, are not among them.
 */
#ifndef BRUME_APP_GENERATE_SCENE_PATHS_H
#define BRUME_APP_GENERATE_SCENE_PATHS_H

#include "core/text.h"

/** Appends one line "PATH=" for each value: "solver.resolution=\n". */
void brume_scene_paths(BrumeText *lines);

/** Appends one line "PATH=WORD" for each word of each value that is one of several words: "solver.kernels=fast\n". */
void brume_scene_assignments(BrumeText *lines);

#endif
