/**
 * @file derived.h
 * Values of a scene that are computed from others where its file has no key for them. The resolve steps compute them,
 * and the writer of scenes omits values that equal them.
 */
#ifndef BRUME_SCENE_FORMAT_DERIVED_H
#define BRUME_SCENE_FORMAT_DERIVED_H

#include "brume/scene.h"

/** The quantities of a probe that lists none. */
enum {
    BRUME_DEFAULT_PROBE_QUANTITIES =
        1 << BRUME_PROBE_VELOCITY | 1 << BRUME_PROBE_PRESSURE | 1 << BRUME_PROBE_TEMPERATURE | 1 << BRUME_PROBE_DENSITY
};

/** The names of the kinds of smoke as keys: "density", "color_1", ... */
extern const char *const brume_smoke_key_names[BRUME_SMOKE_KINDS];

/** The index of the largest of three numbers, the first where several are equal. */
int brume_largest_of(const double numbers[3]);

/** The lower corner [m] of a box of these cells that is centered in x and z and whose floor is at y = 0. */
BrumeVec3 brume_default_origin(const int cells[3], double dx);

/** A camera in front of the box (+z), a little above its center, whose picture contains the whole box with a margin of
 * 15 %. */
BrumeCamera brume_default_camera(const BrumeScene *scene, BrumeProjection projection, float field_of_view);

/** The direction in which the light of a sun at these angles [degrees] travels, of unit length. */
BrumeVec3 brume_sun_direction(float azimuth, float elevation);

/** The angle [degrees] of a light of this kind without the key. */
float brume_default_light_angle(BrumeLightKind kind);

/** The rays or light paths through each pixel. */
int brume_default_samples(BrumeImageIntegrator integrator);

/** Sets the parameters of the phase functions of other kinds than the settings' kind to their defaults. */
void brume_reset_unused_phase(BrumeRenderSettings *settings);

/** The velocity of the air far away [m/s]: of the wind, else of the fastest inflow; 0 where there is neither. */
BrumeVec3 brume_velocity_far_away(const BrumeSimDef *sim);

#endif
