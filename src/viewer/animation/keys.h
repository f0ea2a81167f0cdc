/**
 * @file keys.h
 * Edits of keyframes: of animated values and of the camera. Plain functions on plain data. Two times are the same where
 * they differ by less than BRUME_KEY_DISTANCE, which is far below the duration of a frame.
 */
#ifndef BRUME_VIEWER_ANIMATION_KEYS_H
#define BRUME_VIEWER_ANIMATION_KEYS_H

#include "brume/animation.h"
#include "brume/camera.h"

#include <stdbool.h>

#define BRUME_KEY_DISTANCE 1e-4 // least time between two keys [s]

/** The keyframes of the camera. Zeroed, there are none. */
typedef struct BrumeCameraPath {
    BrumeCameraKey keys[BRUME_MAX_CAMERA_KEYS]; ///< in strictly increasing order of time
    int count;
} BrumeCameraPath;

/** The animated value of a path; NULL where it has no keys. */
BrumeAnimatedValue *brume_keys_find(BrumeAnimation *animation, const char *path);

/** The index of the key at `time` [s]; -1 for none. */
int brume_keys_at(const BrumeAnimatedValue *value, double time);

/**
 * Sets a key: that at `time` [s], which is at least 0, or a new one. A first key makes the value an animated one, which
 * is smooth. False where there is no room, and nothing is changed.
 */
bool brume_keys_set(BrumeAnimation *animation, const char *path, double time, double number);

/** Removes the key with an index, and the animated value where it was the last. */
void brume_keys_remove(BrumeAnimation *animation, BrumeAnimatedValue *value, int index);

/** Removes an animated value with all its keys. */
void brume_keys_clear(BrumeAnimation *animation, BrumeAnimatedValue *value);

/**
 * Follows the removal of an item of a list, as "emitters" or "lights": its values lose their keys, and those of later
 * items get the index before.
 */
void brume_keys_remove_item(BrumeAnimation *animation, const char *list, int index);

/** Moves a key, which stays between its neighbors and at or after 0. */
void brume_keys_move(BrumeAnimatedValue *value, int index, double time, double number);

/** The same for the keys of the camera. */
int brume_camera_path_at(const BrumeCameraPath *path, double time);
bool brume_camera_path_set(BrumeCameraPath *path, double time, const BrumeCamera *camera);
void brume_camera_path_remove(BrumeCameraPath *path, int index);
void brume_camera_path_move(BrumeCameraPath *path, int index, double time);

#endif
