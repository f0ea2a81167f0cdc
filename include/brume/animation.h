/**
 * @file animation.h
 * Values of a scene that change with time by keyframes: settings of the simulation, and of the picture. The camera has
 * keys of its own (camera.h). All functions but brume_sim_animate are pure and may run in any thread.
 */
#ifndef BRUME_ANIMATION_H
#define BRUME_ANIMATION_H

#include "brume/export.h"
#include "brume/render_settings.h"
#include "brume/sim.h"

#include <stdbool.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

enum {
    BRUME_MAX_ANIMATED_VALUES = 64, ///< of a scene
    BRUME_MAX_VALUE_KEYS = 64,      ///< of each value
    BRUME_ANIMATION_PATH = 64,      ///< bytes of a path
};

/** How a value changes from key to key. Before the first and after the last key it is constant. */
typedef enum BrumeKeyInterpolation {
    BRUME_KEYS_SMOOTH, ///< by a non-uniform Catmull-Rom spline, as the camera
    BRUME_KEYS_LINEAR,
    BRUME_KEYS_HOLD, ///< constant up to the next key
} BrumeKeyInterpolation;

/** A keyframe of a number. */
typedef struct BrumeValueKey {
    double time;  ///< [s]
    double value; ///< in the unit of the setting
} BrumeValueKey;

/** One number that is animated: a setting, or a component of one. */
typedef struct BrumeAnimatedValue {
    char path[BRUME_ANIMATION_PATH]; ///< dotted path in a scene, as "emitters.0.density" or "air.wind.1"
    BrumeKeyInterpolation interpolation;
    int key_count;                            ///< 1 to BRUME_MAX_VALUE_KEYS
    BrumeValueKey keys[BRUME_MAX_VALUE_KEYS]; ///< in strictly increasing order of time
} BrumeAnimatedValue;

/** All animated values of a scene. Zeroed, there are none. */
typedef struct BrumeAnimation {
    BrumeAnimatedValue values[BRUME_MAX_ANIMATED_VALUES]; ///< of different paths
    int count;
} BrumeAnimation;

/** The value at `time` [s]. A smooth curve may exceed the values of its keys. `key_count` is at least 1. */
BRUME_API double brume_animated_value_at(const BrumeAnimatedValue *value, double time);

/**
 * Sets the animated members of the settings of a simulation to their values at `time` [s], within the limits of each
 * setting. Values that the settings do not have, such as the values of an emitter that was removed, are skipped, and so
 * are the shapes of bodies. Returns whether a member has changed.
 */
BRUME_API bool brume_animation_apply_sim(const BrumeAnimation *animation, double time, BrumeSimDef *settings);

/**
 * Gives the bodies of `settings` the animated numbers of their shapes at `time` [s]. Returns a bit for each body
 * that has such numbers, 1 << 0 for the first. A frame moves them there (brume_sim_move); brume_scene_frame does so.
 */
BRUME_API uint64_t brume_animation_apply_bodies(const BrumeAnimation *animation, double time, BrumeSimDef *settings);

/**
 * Lets the settings of a simulation follow the keys in later steps, of brume_sim_step and of brume_sim_frame. The
 * numbers of the air, the temperatures of bodies and the rates of emitters have their means over each step, and
 * emitters move from the start to the end of it; brume_sim_settings has the values at the present time. Values that the
 * settings do not have are skipped, and so are the shapes of bodies. The animation is not copied and must be valid
 * until it is replaced. NULL: no value is animated, and all keep their present values. It stays in effect after
 * brume_sim_change and brume_sim_load, and is not part of a saved state.
 */
BRUME_API void brume_sim_animate(BrumeSim *sim, const BrumeAnimation *animation);

/**
 * As brume_animation_apply_sim, for the settings of a picture at `time` [s]. `surface_of` has the index in
 * `look->surfaces` of each body, as in BrumeScene; NULL: no surface shows a body, and none is animated.
 */
BRUME_API bool brume_animation_apply_look(const BrumeAnimation *animation, double time,
                                          const int surface_of[BRUME_MAX_BODIES], BrumeRenderSettings *look);

BRUME_END_DECLS

#endif
