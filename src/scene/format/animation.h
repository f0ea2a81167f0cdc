/**
 * @file animation.h
 * Which numbers of a scene can be animated: the members of settings and their dotted paths.
 */
#ifndef BRUME_SCENE_FORMAT_ANIMATION_H
#define BRUME_SCENE_FORMAT_ANIMATION_H

#include "brume/animation.h"
#include "core/setting.h"

/** The structs whose members can be animated. */
typedef enum BrumeAnimatedOwner {
    BRUME_ANIMATED_SIM,     ///< BrumeSimDef
    BRUME_ANIMATED_SMOKE,   ///< BrumeSmokeDef
    BRUME_ANIMATED_EMITTER, ///< BrumeEmitterDef
    BRUME_ANIMATED_SHAPE,   ///< BrumeShape of an emitter
    BRUME_ANIMATED_SOLID,   ///< BrumeShape of a body
    BRUME_ANIMATED_BODY,    ///< BrumeBodyDef
    BRUME_ANIMATED_LOOK,    ///< BrumeRenderSettings
    BRUME_ANIMATED_MEDIUM,  ///< BrumeSmokeMedium
    BRUME_ANIMATED_LIGHT,   ///< BrumeLight
    BRUME_ANIMATED_SURFACE, ///< BrumeSurface of a body
} BrumeAnimatedOwner;

/** A number that can be animated. */
typedef struct BrumeAnimatedMember {
    BrumeAnimatedOwner owner;
    int index; ///< of the emitter, the body, the kind of smoke or the light
    const BrumeSetting *setting;
    int component; ///< 0 to 2 of a vector or a color, 0 of a number
    bool is_vector;
} BrumeAnimatedMember;

/** The mean of the value over `from` to `to` [s]; the value at `from` where both are equal. */
double brume_animated_mean(const BrumeAnimatedValue *value, double from, double to);

/** Whether a member belongs to the picture, otherwise to the simulation. */
bool brume_animated_is_look(const BrumeAnimatedMember *member);

/** Finds the member of a dotted path; false where no number of this path can be animated. */
bool brume_animated_find(const char *path, BrumeAnimatedMember *member);

/**
 * The number in the settings; NULL where these do not have it, as the density of an emitter that emits none. Only the
 * struct to which the member belongs is read. `surface_of` has the surfaces of bodies, as in BrumeScene; NULL: none.
 */
float *brume_animated_number(const BrumeAnimatedMember *member, BrumeSimDef *sim, BrumeRenderSettings *look,
                             const int *surface_of);

/** The number of BRUME_ANIMATED_SHAPE or _SOLID in a shape; NULL where a shape of its kind does not have it. */
float *brume_animated_shape_number(const BrumeAnimatedMember *member, BrumeShape *shape);

/** Finds the member of the shape of an emitter or body at an offset within BrumeShape [bytes]. */
bool brume_animated_find_in_shape(BrumeAnimatedOwner owner, int index, const BrumeShape *shape, size_t offset,
                                  BrumeAnimatedMember *member);

/**
 * Finds the member whose number, or whose first component, is at `address` within `sim` or `look`; `component` is 0.
 * False where it cannot be animated.
 */
bool brume_animated_find_address(const void *address, const BrumeSimDef *sim, const BrumeRenderSettings *look,
                                 const int *surface_of, BrumeAnimatedMember *member);

/** The path of a member that is closest to a mistyped one, with its number of an item and its component; "" for none.
 */
void brume_animated_suggest(const char *path, char closest[BRUME_ANIMATION_PATH]);

/** Writes the dotted path of a member. */
void brume_animated_path(const BrumeAnimatedMember *member, char path[BRUME_ANIMATION_PATH]);

#endif
