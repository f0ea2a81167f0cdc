/**
 * @file render_settings.h
 * How a picture is rendered: the optical properties of smoke, the lights, sky, ground and solids, the exposure and tone
 * curve. Both renderers follow these definitions.
 */
#ifndef BRUME_RENDER_SETTINGS_H
#define BRUME_RENDER_SETTINGS_H

#include "brume/curve.h"
#include "brume/export.h"
#include "brume/particle.h"
#include "brume/shape.h"
#include "brume/texture.h"
#include "brume/vec3.h"
#include "brume/volume.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

enum { BRUME_MAX_LIGHTS = 8, BRUME_MAX_SURFACES = 64, BRUME_MAX_RAKES = 8 };

typedef enum BrumeLightKind {
    BRUME_LIGHT_DIRECTIONAL, ///< light from infinity, as of the sun: parallel, or of a disc of directions
    BRUME_LIGHT_POINT,       ///< irradiance falls off with the square of the distance
    BRUME_LIGHT_SPOT,        ///< a point light whose light is within a cone
    BRUME_LIGHT_RECTANGLE,   ///< one side of a rectangle, with the same radiance everywhere and in all directions
} BrumeLightKind;

/** A light. No light is seen itself: neither the camera nor a reflection shows it, only what it illuminates. */
typedef struct BrumeLight {
    BrumeLightKind kind;
    /** Directional, spot: in which its light travels; rectangle: normal of the side that shines; of any length above 0.
     */
    BrumeVec3 direction;
    BrumeVec3 position; ///< point, spot; rectangle: its center [m]
    BrumeVec3 color;    ///< linear RGB, multiplied by `intensity`
    /**
     * Directional: irradiance [W/m^2]; point: radiant intensity [W/sr], spot: radiant intensity along its axis;
     * rectangle: radiant power [W], which is pi times its area times its radiance.
     */
    float intensity;
    /** [degrees], 0 to 180. Directional: diameter of its disc, 0 for parallel light. Spot: of its cone, above 0. */
    float angle;
    float blend;  ///< spot: part of the cone, from its edge inwards, over which its light fades, 0 to 1
    float width;  ///< rectangle: its side across `up` [m], above 0
    float height; ///< rectangle: its side along `up` [m], above 0
    /**
     * Rectangle: its height is along the part of this that is orthogonal to `direction`; where there is none, along z,
     * or along x for a normal along z.
     */
    BrumeVec3 up;
    /** 1000 to 40000: the color is a black body's at this temperature [K], with luminance 1. 0: it is `color`. */
    float temperature;
    /** Directional: the light is sunlight through the air of a daylight sky; `color` and `intensity` multiply it. */
    bool daylight;
} BrumeLight;

/** The source of the radiance of the sky. */
typedef enum BrumeSkyKind {
    BRUME_SKY_GRADIENT, ///< `sky_horizon` and `sky_zenith`
    BRUME_SKY_CONSTANT, ///< one radiance in all directions
    BRUME_SKY_DAYLIGHT, ///< the light that clear air scatters (docs/rendering.md)
    BRUME_SKY_IMAGE,    ///< an image of all directions
} BrumeSkyKind;

/**
 * Radiance in all directions, by longitude and latitude. The first row is at the zenith, the last at the nadir. Seen
 * from inside, columns run from left to right; the middle column lies in the direction of -z. The values are not
 * copied: they must exist, and must not change, as long as a renderer has settings with them.
 */
typedef struct BrumeSkyImage {
    int width, height;     ///< [texels]; 1 to 32768 each
    const float *radiance; ///< (height x width x 3) linear RGB [W/(m^2 sr)], finite and not negative
} BrumeSkyImage;

/** The sky. Which members are used depends on the kind. */
typedef struct BrumeSky {
    BrumeSkyKind kind;
    BrumeVec3 radiance; ///< constant: linear RGB [W/(m^2 sr)]
    float intensity;    ///< daylight, image: factor on the radiance, 0 or more; also of lights with `daylight`
    float turbidity;    ///< daylight: optical depth of the air in units of the depth of clean air, 1 to 10
    BrumeVec3 sun;      ///< daylight: direction in which sunlight travels; zero: as the first directional light
    float rotation;     ///< image: angle by which it is turned towards larger azimuths [degrees]
    BrumeSkyImage image;
} BrumeSky;

/** The optical properties of one kind of smoke. */
typedef struct BrumeSmokeMedium {
    float extinction; ///< of a density of 1 [1/m]
    BrumeVec3 albedo; ///< single-scattering albedo: scattering over extinction, linear RGB in [0, 1]
} BrumeSmokeMedium;

/** The outline of plates in pictures. */
typedef enum BrumeParticleOutline {
    BRUME_OUTLINE_DISC,
    BRUME_OUTLINE_LEAF, ///< twice as long as wide, with two points
} BrumeParticleOutline;

/** How a kind of particles looks. */
typedef struct BrumeParticleLook {
    BrumeVec3 albedo;             ///< linear RGB in [0, 1]
    float variation;              ///< the albedo of each is a power of it, from 1 - variation to 1 + variation, 0 to 1
    BrumeParticleOutline outline; ///< of plates
    float translucency;           ///< of plates: part of the light that they let through to their other side, 0 to 1
    float glow;                   ///< absolute temperature at their birth [K]; 0: they do not glow
    float cooling;        ///< time in which the difference to the ambient temperature falls to 37 % [s], above 0
    float glow_intensity; ///< factor of the radiance of a black body, 0 or more
} BrumeParticleLook;

/** How smoke scatters light by the angle. */
typedef enum BrumePhaseKind {
    BRUME_PHASE_HENYEY_GREENSTEIN, ///< one lobe, of `anisotropy`
    BRUME_PHASE_TWO_LOBES,         ///< a sum of two lobes of Henyey and Greenstein
    BRUME_PHASE_DROPLETS,          ///< water droplets of one size, as in fog and clouds
} BrumePhaseKind;

/** How the extinction is interpolated between the centers of cells. */
typedef enum BrumeInterpolation {
    BRUME_INTERPOLATION_LINEAR, ///< trilinear
    BRUME_INTERPOLATION_CUBIC,  ///< by monotone cubics along each axis: smoother, without values outside of the cells'
    BRUME_INTERPOLATION_SMOOTH, ///< trilinear, of densities that are filtered by a quadratic B-spline
} BrumeInterpolation;

/** The parameters of each kind; parameters of other kinds have no effect. */
typedef struct BrumePhaseFunction {
    BrumePhaseKind kind;
    float forward, backward; ///< two lobes: g of each, in (-1, 1)
    float forward_share;     ///< two lobes: share of the light in the first, in [0, 1]
    float droplet_diameter;  ///< droplets: 5 to 50 [um]; values outside count as the nearest
} BrumePhaseFunction;

/**
 * Thermal radiation of the smoke: a black body's, in proportion to the absorption (Kirchhoff's law). The absolute
 * temperature is `ambient` + `temperature_scale` x the volume's temperature above ambient.
 */
typedef struct BrumeEmission {
    float intensity;         ///< factor of the radiance of a black body; 0: the smoke does not glow
    float ambient;           ///< absolute temperature of the ambient air [K]
    float temperature_scale; ///< factor of the temperature above ambient
    BrumeCurve curve;        ///< another factor of the radiance by the absolute temperature [K]; none: 1
} BrumeEmission;

/** Detail below the size of cells, of the drawn smoke alone (docs/rendering.md). */
typedef struct BrumeDetail {
    int factor;     ///< cells of the volume are divided into factor^3: 1, without detail, to 4
    float strength; ///< factor of the displacements, 0 or more
    float scale;    ///< longest wavelength of the displacements [cells of the volume], above 0
} BrumeDetail;

/** A solid that is drawn, casts shadows and receives them. */
typedef struct BrumeSurface {
    BrumeShape shape;
    BrumeVec3 albedo;  ///< linear RGB, Lambertian
    int texture_frame; ///< of `texture`, counted from 0
    /** Of which the color at each point is multiplied by the albedo, instead of that of a mesh; NULL: none. */
    const BrumeTexture *texture;
} BrumeSurface;

/** A quantity of the flow that colors show. */
typedef enum BrumeFlowQuantity {
    BRUME_FLOW_NONE,
    BRUME_FLOW_PRESSURE,    ///< pressure coefficient: kinematic pressure over half of the reference speed squared [1]
    BRUME_FLOW_SPEED,       ///< [m/s]
    BRUME_FLOW_TEMPERATURE, ///< above ambient [K]
} BrumeFlowQuantity;

/** The colors from the lower to the upper end of a range. */
typedef enum BrumeColorMap {
    BRUME_MAP_AUTO,     ///< BRUME_MAP_BLUE_RED for the pressure, otherwise BRUME_MAP_HEAT
    BRUME_MAP_HEAT,     ///< dark blue over purple and orange to yellow: brighter from end to end
    BRUME_MAP_BLUE_RED, ///< blue over white to red
    BRUME_MAP_RAINBOW,  ///< blue over green and yellow to red
    BRUME_MAP_COUNT,
} BrumeColorMap;

/** Colors by a quantity of the flow. */
typedef struct BrumeFlowColors {
    BrumeFlowQuantity quantity;
    BrumeColorMap map;
    float lower, upper; ///< values at the ends of the map, in the unit of the quantity; equal: the usual range, which
                        ///< is -1 to 1 of the pressure, 0 to 1.5 reference speeds, and 0 to 100 K
} BrumeFlowColors;

/**
 * Points on a line from which streamlines start, along the velocity of the volume and against it. Each is drawn as a
 * tube, which light and smoke treat as a thin solid that casts shadows on surfaces but none in the smoke. It ends at
 * the sides of the box, at solids, and where the air is still.
 */
typedef struct BrumeRake {
    BrumeVec3 from, to;     ///< ends of the line [m]
    int count;              ///< of evenly spaced points, both ends included; 0 to 256
    float length;           ///< most length of a streamline in each direction [m]; 0: twice the longest side of the box
    float radius;           ///< of the tubes [m]; 0: a 600th of the longest side of the box
    BrumeVec3 color;        ///< albedo, linear RGB, where `colors` has no quantity
    BrumeFlowColors colors; ///< along the streamlines
} BrumeRake;

/** How the two albedos of the ground alternate. */
typedef enum BrumeGroundPattern {
    BRUME_GROUND_PLAIN,   ///< the first albedo everywhere
    BRUME_GROUND_CHECKER, ///< squares, of which one has its corner at x = z = 0
    BRUME_GROUND_NOISE,   ///< a random, smooth mixture
    BRUME_GROUND_IMAGE,   ///< a picture, `ground_image`
} BrumeGroundPattern;

/** A picture on the ground; its columns go along +x, its rows along +z. The values are not copied. */
typedef struct BrumeGroundImage {
    int width, height; ///< [texels]; 1 to 32768 each
    /** Linear RGB albedo in [0, 1]: height x width x 3, then the levels of brume_ground_image_fill_levels. */
    const float *albedo;
    float size;  ///< of the picture along x [m], above 0; texels are squares
    float x, z;  ///< of its center [m]
    bool repeat; ///< otherwise the ground outside has `ground_albedo`
} BrumeGroundImage;

/** The number of floats of all levels of a picture on the ground. */
BRUME_API size_t brume_ground_image_entries(int width, int height);

/** Fills the levels after the first one, of height x width x 3 floats: each has half the sides of the level before. */
BRUME_API void brume_ground_image_fill_levels(float *albedo, int width, int height);

/** Which walls of the box are drawn. */
typedef enum BrumeWallView {
    BRUME_WALLS_AUTO, ///< as BRUME_WALLS_SHOWN where all six faces are walls, otherwise as BRUME_WALLS_HIDDEN
    BRUME_WALLS_SHOWN,
    BRUME_WALLS_HIDDEN,
} BrumeWallView;

typedef enum BrumeToneCurve {
    BRUME_TONE_FILMIC, ///< compresses highlights and darkens shadows
    BRUME_TONE_LINEAR, ///< clips at 1
} BrumeToneCurve;

typedef struct BrumeRenderSettings {
    BrumeSmokeMedium smoke[BRUME_VOLUME_KINDS];
    BrumeParticleLook particles[BRUME_PARTICLE_KINDS];
    float anisotropy;      ///< g of Henyey-Greenstein in (-1, 1): 0 isotropic, above 0 forward scattering
    float edge_fade;       ///< width [m] over which smoke fades towards the faces of `fading_faces`; 0: it is cut there
    uint32_t fading_faces; ///< a bit for each face of the box: 1 << 0 for x_min, then x_max, y_min, y_max, z_min, z_max
    /** Corners of the box that has these faces [m]: a volume that ends before one does not fade towards it. Equal: the
     * volume is the box. */
    BrumeVec3 box_lower, box_upper;
    BrumeCurve density_curve[BRUME_VOLUME_KINDS]; ///< density to the multiple of `extinction`; none: the density itself
    BrumeInterpolation interpolation; ///< along camera and shadow rays and light paths; light volumes are trilinear
    BrumePhaseFunction phase;
    BrumeEmission emission;
    float shutter;   ///< time for which the shutter is open [s], in its middle at the volume's time; 0: no motion blur
    int light_count; ///< 0 to BRUME_MAX_LIGHTS
    BrumeLight lights[BRUME_MAX_LIGHTS];
    BrumeVec3 sky_zenith;    ///< of a gradient: radiance straight up, linear RGB [W/(m^2 sr)]
    BrumeVec3 sky_horizon;   ///< of a gradient: radiance at and below the horizon [W/(m^2 sr)]
    bool ground;             ///< whether there is an infinite ground plane, drawn and shadowed
    float ground_height;     ///< y of the plane [m]
    BrumeVec3 ground_albedo; ///< linear RGB, Lambertian
    BrumeGroundPattern ground_pattern;
    BrumeVec3 ground_albedo_2; ///< second albedo of the pattern
    float ground_scale;        ///< side of a square, wavelength of the noise [m], above 0
    BrumeWallView walls;       ///< walls are seen from inside only, and neither cast shadows nor reflect light
    uint32_t wall_faces;       ///< faces that are walls, a bit for each as in `fading_faces`
    BrumeVec3 wall_albedo;     ///< linear RGB, Lambertian
    float frame; ///< at which meshes that deform are drawn (mesh.h): frames since the initial state of the simulation
    int surface_count; ///< 0 to BRUME_MAX_SURFACES
    BrumeSurface surfaces[BRUME_MAX_SURFACES];
    uint64_t hidden_surfaces; ///< a bit for each surface that brume_place_surfaces makes a point: it is not drawn
    float exposure;           ///< [stops]: radiance is multiplied by 2^exposure before the tone curve
    BrumeToneCurve tone;
    float step; ///< length of a marching step [cells], above 0; the error falls with its square
    BrumeSky sky;
    bool ground_catcher; ///< of pictures with alpha the ground shows its shadow alone (BrumePictureLayers.alpha)
    BrumeGroundImage ground_image; ///< with BRUME_GROUND_IMAGE; the OpenGL renderer draws its mean
    bool motion_vectors; ///< the velocity of a volume is loaded for BrumePictureLayers.motion, also without a shutter
    /** Of each surface, with the shutter and for BrumePictureLayers.motion: at the volume's time, [m/s]. */
    BrumeVec3 surface_velocities[BRUME_MAX_SURFACES];
    /** Of the rotation of each surface's shape [degrees/s]. */
    BrumeVec3 surface_rotation_rates[BRUME_MAX_SURFACES];
    BrumeDetail detail;
    float reference_speed;          ///< of the pressure coefficient and of ranges of speeds [m/s]; 0 counts as 1
    BrumeFlowColors surface_colors; ///< of all solids, in place of their albedo: none, or the pressure at the surface
    int rake_count;                 ///< 0 to BRUME_MAX_RAKES
    BrumeRake rakes[BRUME_MAX_RAKES];
    const struct BrumeFlowView *flow; ///< of a renderer, in its own settings; NULL
} BrumeRenderSettings;

/** Whether a surface is hidden. */
static inline bool brume_surface_is_hidden(const BrumeRenderSettings *settings, int surface)
{
    return (settings->hidden_surfaces >> surface & 1) != 0;
}

/** Whether pictures have streamlines, for which a volume needs its velocity. */
BRUME_API bool brume_draws_streamlines(const BrumeRenderSettings *settings);

/** Whether colors of pictures show the pressure, which a volume needs for that. */
BRUME_API bool brume_draws_pressure(const BrumeRenderSettings *settings);

/** White smoke under a sun and a blue sky, on a gray ground at y = 0. */
BRUME_API BrumeRenderSettings brume_default_render_settings(void);

BRUME_END_DECLS

#endif
