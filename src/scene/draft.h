/**
 * @file draft.h
 * A scene as its file words it, before geometry, boxes and sources are worked out: what the tables of schema.c fill.
 * Members that the solver and the renderer take as they are stand in `scene` already.
 */
#ifndef BRUME_SCENE_DRAFT_H
#define BRUME_SCENE_DRAFT_H

#include "brume/scene.h"
#include "scene/keys.h"

/** A shape by the keys that make sense for its kind. */
typedef struct BrumeShapeDraft {
    int kind; ///< BrumeShapeKind
    BrumeVec3 center, size, from, to;
    float radius;
} BrumeShapeDraft;

/** A face of the box, or several by one of the shorthands. */
typedef struct BrumeFaceDraft {
    int kind; ///< BrumeFaceKind
    int slip; ///< 0 free, 1 no
    BrumeVec3 velocity;
    float temperature;
    float smoke[BRUME_SMOKE_KINDS];
} BrumeFaceDraft;

/** The keys of `boundaries`: from the widest shorthand to the single faces, so that later ones win. */
enum {
    BRUME_SIDE_ALL,
    BRUME_SIDE_AXES,
    BRUME_SIDE_FACES = BRUME_SIDE_AXES + 3,
    BRUME_SIDE_COUNT = BRUME_SIDE_FACES + 6
};

typedef struct BrumeSmokeDraft {
    BrumeSmokeDef flow;
    BrumeSmokeMedium look;
} BrumeSmokeDraft;

typedef struct BrumeEmitterDraft {
    BrumeShapeDraft shape;
    BrumeEmitterDef def; ///< times and noise
    float smoke[BRUME_SMOKE_KINDS], smoke_rate[BRUME_SMOKE_KINDS];
    float temperature, temperature_rate;
    BrumeVec3 velocity, acceleration;
} BrumeEmitterDraft;

typedef struct BrumeObstacleDraft {
    BrumeShapeDraft shape;
    BrumeVec3 albedo;
    bool visible;
} BrumeObstacleDraft;

typedef struct BrumeLightDraft {
    BrumeLight light; ///< without its kind
    int kind;         ///< BrumeLightKind
    float azimuth, elevation;
} BrumeLightDraft;

typedef struct BrumeCameraKeyDraft {
    double time;
    BrumeCamera camera;
} BrumeCameraKeyDraft;

/** Items of the timeline: many at most, so that one after the other is read into the same place. */
enum { BRUME_MOST_CHANGES = 200000, BRUME_MOST_SETTINGS = 10000 };

typedef struct BrumeChangeDraft {
    int frame;
    BrumeStroke stroke;
    BrumeMove move;
} BrumeChangeDraft;

typedef struct BrumeSceneDraft {
    BrumeScene scene;
    double size[3];
    int resolution[3];
    BrumeFaceDraft sides[BRUME_SIDE_COUNT];
    BrumeSmokeDraft smoke[BRUME_SMOKE_KINDS];
    int tone; ///< BrumeToneCurve
    int emitter_count;
    BrumeEmitterDraft emitters[BRUME_MAX_EMITTERS];
    int obstacle_count;
    BrumeObstacleDraft obstacles[BRUME_MAX_OBSTACLES];
    int light_count;
    BrumeLightDraft lights[BRUME_MAX_LIGHTS];
    BrumeCamera camera; ///< one at rest
    int camera_key_count;
    BrumeCameraKeyDraft camera_keys[BRUME_MAX_CAMERA_KEYS];
    BrumeChangeDraft change; ///< the defaults of each
    int least_colors;        ///< colors in use, whatever emitters and inflows bring
} BrumeSceneDraft;

/** Fills a draft with the defaults, every item of every list included. */
void brume_draft_defaults(BrumeSceneDraft *draft);

/**
 * The steps from a draft that the tables have filled to its finished scene. `root` is the tree that it was read from:
 * what a key means may depend on which others are there. BRUME_BAD_INPUT where keys contradict each other or the box.
 */
BrumeStatus brume_finish_box(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);
BrumeStatus brume_finish_boundaries(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);
BrumeStatus brume_finish_emitters(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);
BrumeStatus brume_finish_obstacles(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);
BrumeStatus brume_finish_smoke(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);
BrumeStatus brume_finish_lights(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);
BrumeStatus brume_finish_camera(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);

/** Whether the solver fits the box and its obstacles; BRUME_BAD_INPUT at the solver's name where not. */
BrumeStatus brume_check_solver(const BrumeSimDef *sim, const BrumeYamlNode *root, BrumeError *error);

/** The steps that make BrumeScene.sim, obstacles aside, in their order. */
BrumeStatus brume_finish_settings(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);

/** Colors that the strokes of the timeline bring: the number of the last. */
int brume_stroked_colors(const BrumeYamlNode *root);

/**
 * Reads the timeline into the finished scene: the settings of each change are those of the file with all that has been
 * `set` so far, which is put into the tree. Where it fails, the timeline is empty.
 */
BrumeStatus brume_finish_timeline(BrumeSceneDraft *draft, BrumeYamlNode *root, BrumeError *error);

/** Where the lower corner of a box lies that is centered in x and z and stands on y = 0 [m]. */
BrumeVec3 brume_usual_origin(const int cells[3], double dx);

/** A camera in front of the box, a little above its middle, that sees all of it with some air around. */
BrumeCamera brume_frame_box(const BrumeScene *scene, float field_of_view);

/** The way the light of a sun travels that stands at these angles [degrees]. */
BrumeVec3 brume_sun_direction(float azimuth, float elevation);

/** Whether an emitter or an inflow brings this kind of smoke. */
bool brume_is_brought(const BrumeSimDef *sim, int kind);

/**
 * The inverse of the finishing steps: fills a draft with what brume_section_write needs to write a finished scene.
 * Where `whole_box`, the place of the box is written even where it is the usual one. The draft borrows the timeline.
 */
void brume_redraft(BrumeSceneDraft *draft, const BrumeScene *scene, bool whole_box);

/** As brume_redraft, for settings: all of them are written, each face of the box by itself. */
void brume_redraft_settings(BrumeSceneDraft *draft, const BrumeSimDef *settings);

/** Marks as left out what a piece of a stroke has anyway: as the first of its frame, or as it follows `before`. */
BrumeStroke brume_redraft_stroke(const BrumeStroke *stroke, const BrumeStroke *before);

/**
 * Works out a shape from the keys that the map of its emitter or obstacle (`owner`, as errors name it) has, and sees
 * that it lies inside the box, if only in part.
 */
BrumeStatus brume_finish_shape(const BrumeShapeDraft *draft, const BrumeYamlNode *map, const char *owner,
                               const BrumeSimDef *box, BrumeShape *shape, BrumeError *error);

#endif
