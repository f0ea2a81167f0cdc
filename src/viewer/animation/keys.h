/**
 * @file keys.h
 * Edits of keyframes of animated values and of the camera. Plain functions on plain data. Two times count as equal if
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

/** Returns the animated value of a path; NULL where it has no keys. */
BrumeAnimatedValue *brume_keys_find(BrumeAnimation *animation, const char *path);

/** Returns the index of the key at `time` [s]; -1: none. */
int brume_keys_at(const BrumeAnimatedValue *value, double time);

/**
 * Sets the key at `time` [s], at least 0, or adds one. The first key makes the value an animated one with smooth
 * interpolation. Returns false and changes nothing where there is no room.
 */
bool brume_keys_set(BrumeAnimation *animation, const char *path, double time, double number);

/** Removes the key `index`, and the animated value if it was its last key. */
void brume_keys_remove(BrumeAnimation *animation, BrumeAnimatedValue *value, int index);

/** Removes an animated value with all its keys. */
void brume_keys_clear(BrumeAnimation *animation, BrumeAnimatedValue *value);

/**
 * Adapts the animation to the removal of an item of a list such as "emitters" or "lights": removes the item's animated
 * values, and decrements the index in the paths of later items.
 */
void brume_keys_remove_item(BrumeAnimation *animation, const char *list, int index);

/** Moves a key, which stays between its neighbors and at or after 0. */
void brume_keys_move(BrumeAnimatedValue *value, int index, double time, double number);

/** The same functions for the keys of the camera. */
int brume_camera_path_at(const BrumeCameraPath *path, double time);
bool brume_camera_path_set(BrumeCameraPath *path, double time, const BrumeCamera *camera);
void brume_camera_path_remove(BrumeCameraPath *path, int index);
void brume_camera_path_move(BrumeCameraPath *path, int index, double time);

#endif
