/**
 * @file scene_edits.h
 * Adds, copies, deletes and switches emitters, bodies, lights and rakes of the controls. The window thread alone uses
 * these functions; each call is one edit.
 */
#ifndef BRUME_VIEWER_EDIT_SCENE_EDITS_H
#define BRUME_VIEWER_EDIT_SCENE_EDITS_H

#include "viewer/edit/objects.h"

/** Whether there is room for another object of a kind. */
bool brume_object_has_room(const BrumeControls *controls, BrumeObjectKind kind);

/**
 * Adds an emitter (of smoke and heat) or a body, in the middle of the box or below it, next to existing ones, and
 * selects it. Does nothing without room. A volume cannot be added: it needs a file.
 */
void brume_object_add_shape(BrumeControls *controls, BrumeObjectKind kind, BrumeShapeKind shape);

/**
 * Adds an emitter without effect, for which there must be room, and selects it. Its middle is at `place`, in fractions
 * of the sides of the box, or next to the emitter there.
 */
BrumeEmitterDef *brume_add_emitter_at(BrumeControls *controls, BrumeShapeKind shape, BrumeVec3 place, float radius);

/**
 * Adds a body with the triangles of a mesh, which are not changed while the controls exist, with its middle in the
 * middle of the box or next to the body there, and selects it; there must be room. Returns the factor by which it is
 * scaled: 1 unless the mesh is larger than the box, or tiny in it.
 */
float brume_object_add_mesh(BrumeControls *controls, const BrumeMesh *mesh);

/** The shape of a mesh whose middle is at a point [m] and is its pivot, scaled by a factor. */
BrumeShape brume_mesh_shape_at(const BrumeMesh *mesh, BrumeVec3 middle, float factor);

/** A factor above 0 rounded to two digits. */
float brume_round_factor(float factor);

/**
 * Adds a light in the upper part of the picture, which shines on the middle of the box, and selects it. Does nothing
 * without room.
 */
void brume_object_add_light(BrumeControls *controls, BrumeLightKind kind);

/**
 * Adds a rake of streamlines and selects it: upright at the side of the box where the wind or an inflow enters, or
 * across the middle where there is none. Does nothing without room.
 */
void brume_object_add_rake(BrumeControls *controls);

/** Whether an object can be copied. */
bool brume_object_can_duplicate(const BrumeControls *controls, BrumeObject object);

/** Adds a copy of the selected object next to it, and selects the copy. Does nothing where it cannot be copied. */
void brume_object_duplicate_selected(BrumeControls *controls);

/** Deletes the selected object, and clears the selection. */
void brume_object_delete_selected(BrumeControls *controls);

/**
 * Switches an object on or off. An emitter that is off starts at BRUME_NEVER_STARTS; switched on, it gets the times of
 * `scene`, or emits from now on if `scene` is NULL or off. A light that is off has the intensity 0, a rake no
 * streamlines.
 */
void brume_object_switch(BrumeControls *controls, BrumeObject object, bool on, const BrumeEmitterDef *scene);

/** Whether a body is drawn in pictures; shows it, or hides it, which the flow does not notice. */
bool brume_body_is_visible(const BrumeControls *controls, int n);
void brume_body_show(BrumeControls *controls, int n, bool visible);

/** Whether air flows around a body; makes it solid, or passable. */
bool brume_body_collides(const BrumeControls *controls, int n);
void brume_body_collide(BrumeControls *controls, int n, bool collides);

/** The parent of a body or an emitter: 1 + the index of a body; 0: none. */
int brume_object_parent(const BrumeControls *controls, BrumeObject object);

/** Whether a body or an emitter can have this parent, or none (0): the body exists, has equal factors of scale and does
 * not follow `object` itself. An emitter with the shape of a body has none. */
bool brume_object_can_follow(const BrumeControls *controls, BrumeObject object, int parent);

/** Gives a body or an emitter this parent, which it can follow. It keeps its place in the world: at the present time
 * and, where its place, rotation or scale has keys, at the times of these. */
void brume_object_follow(BrumeControls *controls, BrumeObject object, int parent);

/** Whether an emitter can emit from body 1 + index: it exists and has a surface; or, with 0, from a shape of its own.
 */
bool brume_object_can_emit_from(const BrumeControls *controls, int body);

/**
 * Gives an emitter the shape of a body, which it can emit from, or with 0 a sphere of its own around the body that it
 * had. It emits from the surface of a body, in a shell of two cells, because inside of it there is no air. Keys of its
 * former shape and its parent are removed.
 */
void brume_object_emit_from(BrumeControls *controls, int emitter, int body);

/**
 * Sets the shapes, temperatures and switches of the bodies to the ones of `scene`, and deletes other bodies.
 * Bodies that the scene's timeline moves or changes stay as they are: their positions depend on the time.
 */
void brume_bodies_reset(BrumeControls *controls, const BrumeScene *scene);

#endif
