/**
 * @file scene.h
 * A scene: all that one YAML file says, as plain checked settings for the solver, the renderer and the program.
 */
#ifndef BRUME_SCENE_H
#define BRUME_SCENE_H

#include "brume/camera.h"
#include "brume/error.h"
#include "brume/export.h"
#include "brume/render_settings.h"
#include "brume/timeline.h"

BRUME_BEGIN_DECLS

/** Everything a scene file can set. Format, units, defaults and ranges: docs/scene.md. */
typedef struct BrumeScene {
    char name[64];          ///< short title; the file's name without folder and extension where the scene gives none
    char description[256];  ///< one sentence
    BrumeSimDef sim;        ///< at the start
    BrumeTimeline timeline; ///< what is done to it later
    BrumeRenderSettings look;
    int surface_of[BRUME_MAX_OBSTACLES]; ///< which of the look's surfaces shows an obstacle; -1: it is not drawn
    int camera_key_count;                ///< at least 1
    BrumeCameraKey camera_keys[BRUME_MAX_CAMERA_KEYS];
    int frames;        ///< frames of the whole scene, from 1
    int width, height; ///< of the picture [pixels]
    int samples;       ///< rays a pixel
} BrumeScene;

/**
 * Reads and checks a scene file. `overrides` are `count` texts `dotted.path=value`, checked exactly like the file
 * (errors name them as `-D dotted.path=value`). Fails with BRUME_BAD_INPUT and one line `file:line:column: ...`, with
 * a suggestion where a name is close; BRUME_FAILED where the file cannot be read for a reason of the machine. The
 * caller frees `*scene` with brume_scene_destroy; it is NULL after a failure.
 */
BRUME_API BrumeStatus brume_scene_load(BrumeScene **scene, const char *path, const char *const *overrides, int count,
                                       BrumeError *error);

/**
 * Applies the change that the scene's timeline lists before the coming frame, if there is one, then advances the
 * simulation by that frame. `stats` may be NULL. Fails as brume_change_apply and brume_sim_frame do, with the state
 * that they leave.
 */
BRUME_API BrumeStatus brume_scene_frame(const BrumeScene *scene, BrumeSim *sim, BrumeFrameStats *stats,
                                        BrumeError *error);

/** The most cells along each axis that the simulation has at any time: at the start or after a change. */
BRUME_API BrumeGrid brume_scene_largest_grid(const BrumeScene *scene);

/** The most bytes that the simulation takes at any time, as brume_sim_bytes_needed. */
BRUME_API size_t brume_scene_bytes_needed(const BrumeScene *scene);

/** The scene's look with obstacles drawn where `settings`, those of a running simulation, have them. */
BRUME_API BrumeRenderSettings brume_scene_render_settings(const BrumeScene *scene, const BrumeSimDef *settings);

/** Frees a scene; NULL is fine. */
BRUME_API void brume_scene_destroy(BrumeScene *scene);

/**
 * Writes a scene as the text of a scene file, in the order of docs/scene.md and without what is as by default, from
 * which brume_scene_load makes the same scene, bit for bit. `comment` becomes comment lines at its top; NULL for none.
 * The caller frees `*text` with brume_free. BRUME_FAILED without memory; `*text` is NULL then.
 */
BRUME_API BrumeStatus brume_scene_write(const BrumeScene *scene, const char *comment, char **text, BrumeError *error);

BRUME_END_DECLS

#endif
