/**
 * @file resolve.h
 * The steps from a parsed scene to the scene: the box from its sides and resolution, faces from shorthands, shapes and
 * sources from the keys of their kind, the default camera. `root` is the tree that the parsed scene was read from: some
 * defaults depend on which keys are present. All steps fail with BRUME_BAD_INPUT at the position of a key that
 * contradicts another key or the box; members that were set before remain set.
 */
#ifndef BRUME_SCENE_RESOLVE_RESOLVE_H
#define BRUME_SCENE_RESOLVE_RESOLVE_H

#include "scene/format/parsed_scene.h"
#include "yaml/yaml.h"

// resolve.c: the steps in their order

/** Resolves `scene.sim` except the bodies: the settings that a change of the timeline may set. */
BrumeStatus brume_resolve_settings(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

/** Checks that the pressure solver supports the box and its bodies. */
BrumeStatus brume_check_pressure(const BrumeSimDef *sim, const BrumeYamlNode *root, BrumeError *error);

/** Resolves all of `scene` but the timeline. */
BrumeStatus brume_resolve_scene(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// warnings.c

/** Adds a warning at the position of a value; warnings beyond BRUME_MAX_SCENE_WARNINGS are dropped. */
void brume_scene_warn(BrumeScene *scene, const BrumeYamlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Warns of heat of bodies that air passes through, of emitters without a cell outside bodies, unless the timeline
 * moves bodies, and of shapes with a parent that are outside the box. */
void brume_warn_of_shapes(BrumeScene *scene, const BrumeYamlNode *root);

// box.c

/** Resolves cells, cell size, origin and the height of the ground. */
BrumeStatus brume_resolve_box(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// boundaries.c
BrumeStatus brume_resolve_boundaries(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// initial.c

/** Resolves the initial fields; the box must be resolved, and colors in use are resolved after them. */
BrumeStatus brume_resolve_initial(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// emitters.c
BrumeStatus brume_resolve_emitters(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);
BrumeStatus brume_resolve_bodies(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

/** Reads the textures of the bodies that are drawn, each file once; bodies must be resolved. */
BrumeStatus brume_resolve_textures(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

/** Checks that bodies have either a temperature or a heat flux, and that the air conducts heat of a temperature. */
BrumeStatus brume_check_bodies(const BrumeSimDef *sim, const BrumeYamlNode *root, BrumeError *error);

/** Resolves 'fire', after the emitters: a scene with this section, or with fuel, burns it as it mixes unless it says
 * otherwise. */
BrumeStatus brume_resolve_fire(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

/** Resolves 'particles'. */
BrumeStatus brume_resolve_particles(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

/** Resolves 'vapor': a scene with this section has vapor as `color_1` unless it says otherwise. */
BrumeStatus brume_resolve_vapor(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

/**
 * Checks that a section has the keys of its kind alone: of brume_sim_setting_table, those after the word `selector` up
 * to `last`.
 */
BrumeStatus brume_check_used_keys(const BrumeSimDef *sim, const BrumeYamlNode *map, int selector, int last,
                                  BrumeError *error);

/** Resolves the kinds of smoke and how many colors are in use; emitters and boundaries must be resolved. */
BrumeStatus brume_resolve_smoke(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

/** Checks the curves of the picture: two points or more, each with both keys, in increasing order. */
BrumeStatus brume_resolve_curves(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// parents.c

/** The number of the body whose `name` is the first `length` bytes of a text; -1 where there is none. */
int brume_find_named_body(const BrumeParsedScene *parsed, const char *name, size_t length);

/** The error of a `key` that names a body which the scene does not have. */
BrumeStatus brume_fail_body_name(const BrumeParsedScene *parsed, const char *name, const BrumeYamlNode *node,
                                 const char *key, BrumeError *error);

/** 1 + the number of the body that `text` names in `key`, `parent` or `body`, of `map`; 0 for none. */
BrumeStatus brume_resolve_body_reference(const BrumeParsedScene *parsed, const char *text, const BrumeYamlNode *map,
                                         const char *key, int *body, BrumeError *error);

/** Resolves the parents of bodies, and checks names, cycles and the scales of parents, also those of emitters. */
BrumeStatus brume_resolve_parents(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// lights_camera.c
BrumeStatus brume_resolve_lights(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// sky.c

/** Resolves the sky and reads its image; lights must be resolved. */
BrumeStatus brume_resolve_ground(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);
BrumeStatus brume_resolve_sky(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

/**
 * Replaces the negative numbers of a picture by 0: filters leave some, and colors that BT.709 does not contain have
 * some. Returns the least number; 0 where there was none.
 */
float brume_cut_negative_values(float *rgb, int width, int height);

// lights_camera.c

/** Resolves the keyframes of the camera; the box must be resolved. */
BrumeStatus brume_resolve_camera(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// animation.c

/** Checks the animated values, and gives the settings their values at time 0; everything else must be resolved. */
BrumeStatus brume_resolve_animation(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// probes.c

/** Resolves the probes; the box must be resolved. */
BrumeStatus brume_resolve_probes(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

// shapes.c

/**
 * Resolves a shape from the keys in the map of its emitter or body (`owner`, as errors name it), and checks that it
 * has a volume and, without a parent, overlaps the box; a volume is read through `files`. `is_surface`: it is a body
 * that is drawn.
 */
BrumeStatus brume_resolve_shape(const BrumeParsedShape *parsed, const BrumeYamlNode *map, const char *owner,
                                bool is_surface, const BrumeSimDef *box, struct BrumeVolumeFiles *files,
                                BrumeShape *shape, BrumeError *error);

/** Whether the bounds of a shape overlap the box. */
bool brume_shape_overlaps_box(const BrumeShape *shape, const BrumeSimDef *box);

#endif
