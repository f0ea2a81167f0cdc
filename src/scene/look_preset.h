/**
 * @file look_preset.h
 * Presets of media and of lights: scene files with a part of the keys, which are applied to the render settings of
 * another scene. docs/scene.md describes them.
 *
 * A preset is made for the box of its `domain`. In a box with a longest side s times as long, extinctions are divided
 * by s, so that smoke of the same shape is as opaque; positions of lights keep their places relative to the middle of
 * the floor, and their intensities are multiplied by s^2, so that they illuminate the smoke as brightly.
 */
#ifndef BRUME_SCENE_LOOK_PRESET_H
#define BRUME_SCENE_LOOK_PRESET_H

#include "brume/scene.h"
#include "core/error.h"

/** The part of a look that a preset has. */
typedef enum BrumeLookPart {
    BRUME_LOOK_MEDIUM, ///< optical properties of the smoke, its phase function and its glow
    BRUME_LOOK_LIGHTS, ///< lights, sky, exposure and tone curve
    BRUME_LOOK_PARTS,
} BrumeLookPart;

/** The box that a preset is made for, or applied to. */
typedef struct BrumeLookBox {
    BrumeVec3 floor; ///< the middle of its floor [m]
    float side;      ///< its longest side [m]
} BrumeLookBox;

/** A preset in memory. All zero: none. */
typedef struct BrumeLookPreset {
    BrumeLookPart part;
    char name[64], description[256];
    BrumeLookBox box;
    BrumeRenderSettings look; ///< the settings of the other part are the defaults
    char sky_file[1024];      ///< path of the image of its sky; empty without one
    float *sky_radiance;      ///< values of the image, which belong to the preset; NULL where they were not read
} BrumeLookPreset;

/** "media" or "lights": the folder of the presets of a part. */
const char *brume_look_part_folder(BrumeLookPart part);

/** The box of a simulation. */
BrumeLookBox brume_look_box(const BrumeSimDef *sim);

/**
 * Reads a preset from the text of a file; `path` names it in errors, and paths in it are relative to its folder. The
 * image of its sky is read by `readers`; where this is NULL, it is only named. Fails with BRUME_BAD_INPUT as
 * brume_scene_load does, and at the first key that a preset of this part cannot have; `*preset` is all zero then.
 * Otherwise it is freed with brume_look_preset_destroy.
 */
BrumeStatus brume_look_preset_parse(BrumeLookPreset *preset, BrumeLookPart part, const char *text, const char *path,
                                    const BrumeSceneReaders *readers, BrumeError *error);

/** Frees the image of a preset; all zero is fine. */
void brume_look_preset_destroy(BrumeLookPreset *preset);

/**
 * Replaces the part of a look that the preset has, in a scene with this box. Of a medium, the colors whose media are
 * the defaults stay as they are in the look. The image of a sky is shared with the preset: its values are not copied.
 */
void brume_look_preset_apply(const BrumeLookPreset *preset, const BrumeLookBox *box, BrumeRenderSettings *look);

/**
 * Writes a part of a look as the text of a preset for this box, from which brume_look_preset_parse reads the same
 * settings. `sky_file` is the path of the image of its sky, or NULL. `*text` is freed with brume_free. BRUME_FAILED
 * without memory, BRUME_BAD_INPUT where a value is not one that a scene file can have; `*text` is NULL then.
 */
BrumeStatus brume_look_preset_write(BrumeLookPart part, const BrumeRenderSettings *look, const BrumeLookBox *box,
                                    const char *name, const char *sky_file, char **text, BrumeError *error);

#endif
