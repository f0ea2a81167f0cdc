/**
 * @file renderer_internal.h
 * The CPU raymarcher's parts. Inside, lengths are in cells and positions in cells from the lower corner of the box,
 * so that the cell (i, j, k) spans [i, i + 1] x [j, j + 1] x [k, k + 1] and its value stands at its middle. Solids,
 * ground and cameras stay in metres.
 */
#ifndef BRUME_RAYMARCH_CPU_RENDERER_INTERNAL_H
#define BRUME_RAYMARCH_CPU_RENDERER_INTERNAL_H

#include "brume/renderer.h"
#include "core/field.h"
#include "raymarch/cpu/ray.h"
#include "raymarch/cpu/sweep.h"
#include "raymarch/cpu/trilinear.h"

#include <math.h>
#include <stdbool.h>

enum {
    BRUME_MACRO = 8,           ///< side of a macro-cell [cells]
    BRUME_SKY_BATCH = 8,       ///< directions that are swept side by side
    BRUME_SKY_DIRECTIONS = 32, ///< in which the sky and the ground's light are asked for
    BRUME_SKY_CELLS = 48,      ///< most cells of the sky's grid along a side
    BRUME_SKY_CHANNELS = 4,    ///< red, green, blue, and the share of all directions that is seen
    BRUME_GROUND_MAP = 64,     ///< points along each side of the map of the ground's view of the sky
    BRUME_NORMALS = 33,        ///< entries of the table of light from sky and ground over the normal's slope
    BRUME_LAMP_SIDES = 6,      ///< pyramids of rays around a point light
};

/** The smoke's view of a point light: a pyramid of rays for each side of a cube around it, as far as the box goes. */
typedef struct BrumePointLight {
    BrumeVec3 position; ///< [cells]
    int rays;           ///< along each side of a pyramid's square
    struct {
        int planes;          ///< 0 where the pyramid misses the box
        float start, length; ///< first plane and distance between planes, along the axis [cells]
        float u_min, v_min;  ///< slopes of the first ray
        float u_step, v_step;
        float *seen; ///< exp(-tau / BRUME_DEEPEST) (rays x planes x rays)
    } sides[BRUME_LAMP_SIDES];
    float *memory;
    size_t entries;
} BrumePointLight;

/** What is taken of a volume: built by brume_load_smoke. */
typedef struct BrumeSmoke {
    BrumeGrid grid;
    float dx;              ///< [m]
    BrumeVec3 origin;      ///< [m]
    BrumeField extinction; ///< of all kinds [1/cell]; its ghosts repeat the outermost cells
    bool mixed;            ///< whether kinds of different albedo are present
    BrumeVec3 albedo;      ///< where they are not
    float *kinds;          ///< extinction of each kind, as `extinction`, the four of a cell side by side; if mixed
    int macro_x, macro_y, macro_z;        ///< macro-cells along each side
    float *macro_max;                     ///< largest extinction that a sample in a macro-cell can meet [1/cell]
    BrumeVec3 filled_lower, filled_upper; ///< around all macro-cells that are not empty [cells of the padded field]
} BrumeSmoke;

/** The light from all around. */
typedef struct BrumeSkylight {
    int factor;          ///< cells of the volume along a side of one of this grid
    BrumeField depth[3]; ///< extinction times diffuse share of a coarse cell [1/cell of the volume] by color
    BrumeField turned;   ///< scratch: a depth with x and z exchanged
    BrumeSweep sweeps[BRUME_SKY_BATCH]; ///< scratch
    float *radiance; ///< mean over directions at coarse cells, ghosts included (x BRUME_SKY_CHANNELS)
    float *ground;   ///< share of the sky that the ground sees (BRUME_GROUND_MAP squared)
    BrumeVec3 ground_lower, ground_upper; ///< corners of that map [m]
    BrumeVec3 by_normal[BRUME_NORMALS];   ///< irradiance over pi on a surface whose normal's y goes from -1 to 1
} BrumeSkylight;

struct BrumeRenderer {
    BrumeRenderSettings look;
    BrumeGrid capacity;
    size_t sky_bytes;
    BrumeSmoke smoke;
    BrumeField turned; ///< scratch: the extinction with x and z exchanged, for lights along x
    BrumeSweep suns[BRUME_MAX_LIGHTS];
    BrumePointLight lamps[BRUME_MAX_LIGHTS];
    BrumeSkylight sky;
    bool skip_empty; ///< off only in tests
};

/** The direction in which light of the `n`-th direction of the sky travels: points of a Fibonacci spiral. */
BrumeVec3 brume_sky_direction(int n);

/** Whether the ground keeps all of a light from what is above it. */
bool brume_light_hidden(const BrumeRenderSettings *look, const BrumeLight *light);

// smoke.c
/** Repeats the outermost cells of a grid (nz+2 x ny+2 x nx+2 x size) into its ghosts. */
void brume_hold_edges(float *data, BrumeGrid grid, int size);
void brume_load_smoke(BrumeSmoke *smoke, const BrumeRenderSettings *look, const BrumeVolume *volume);

// lamp.c
BrumeStatus brume_lamp_create(BrumePointLight *lamp, BrumeGrid capacity, BrumeError *error);
void brume_lamp_destroy(BrumePointLight *lamp);
/** Fills the pyramids for a light at `position` [cells]; solids are in metres. */
void brume_lamp_fill(BrumePointLight *lamp, const BrumeSmoke *smoke, const BrumeRenderSettings *look,
                     BrumeVec3 position);
/** exp(-tau / BRUME_DEEPEST) between the light and a `point` [cells] of the box. */
float brume_lamp_seen(const BrumePointLight *lamp, BrumeVec3 point);

// skylight.c
/** Takes the memory for volumes of up to `capacity`, in `*bytes`. */
BrumeStatus brume_skylight_create(BrumeSkylight *sky, BrumeGrid capacity, size_t *bytes, BrumeError *error);
/** Makes the table of the light on every slope. */
void brume_skylight_set_look(BrumeSkylight *sky, const BrumeRenderSettings *look);
void brume_skylight_destroy(BrumeSkylight *sky);
void brume_skylight_fill(BrumeSkylight *sky, const BrumeSmoke *smoke, const BrumeRenderSettings *look);
/** Mean radiance from all around at a `point` [cells] of the box, and the share of it that is seen. */
void brume_skylight_at(const BrumeSkylight *sky, BrumeVec3 point, float light[BRUME_SKY_CHANNELS]);
/** Share of the sky that a point of the ground [m] sees. */
float brume_skylight_on_ground(const BrumeSkylight *sky, BrumeVec3 point);
/** Irradiance over pi from sky and ground on a surface with this normal, nothing in between. */
BrumeVec3 brume_skylight_on_normal(const BrumeSkylight *sky, BrumeVec3 normal);

// march.c
/** What smoke adds to a picture and leaves of what is behind it. */
typedef struct BrumeMarch {
    BrumeVec3 radiance;
    float transmittance;
} BrumeMarch;
/** The steps of a march. */
typedef struct BrumeSteps {
    float length; ///< [cells]
    float jitter; ///< how far they are moved, in [0, 1) of their length
} BrumeSteps;
/** Marches through the smoke along a ray [m] as far as `limit` [m]. */
BrumeMarch brume_march(const BrumeRenderer *renderer, const BrumeRay *ray, float limit, BrumeSteps steps);
/** Transmittance of the smoke along a ray [m] as far as `limit` [m]. */
float brume_march_transmittance(const BrumeRenderer *renderer, const BrumeRay *ray, float limit);
/** Distance [m] along a ray [m] at which the smoke's transmittance falls to `share`, INFINITY if not before `limit`. */
float brume_march_to_share(const BrumeRenderer *renderer, const BrumeRay *ray, float limit, float share);

// surfaces.c
/** What a ray meets behind the smoke, and where. */
typedef struct BrumeBackdrop {
    float distance; ///< [m], INFINITY for the sky
    int surface;    ///< index in the look, or one of the two below
} BrumeBackdrop;
enum { BRUME_GROUND = -1, BRUME_SKY = -2 };
BrumeBackdrop brume_backdrop(const BrumeRenderSettings *look, const BrumeRay *ray);
BrumeVec3 brume_backdrop_radiance(const BrumeRenderer *renderer, const BrumeRay *ray, BrumeBackdrop backdrop);
/** Whether a solid lies on a ray [m] closer than `limit` [m]. */
bool brume_solid_on_ray(const BrumeRenderSettings *look, const BrumeRay *ray, float limit);
/** Distance [m] at which a ray meets the first solid, INFINITY where it meets none. */
float brume_first_solid(const BrumeRenderSettings *look, const BrumeRay *ray, int *surface);

// draw.c
/** Radiance along one ray [m]. */
BrumeVec3 brume_see(const BrumeRenderer *renderer, const BrumeRay *ray, BrumeSteps steps);

/** Trilinear value of a padded field at a point [cells] of the box; edges are held. */
static inline float brume_field_sample(const BrumeField *field, BrumeVec3 point)
{
    const float x = point.x + 0.5f;
    const float y = point.y + 0.5f;
    const float z = point.z + 0.5f;
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    const float fx = x - (float)i;
    const float fy = y - (float)j;
    const float fz = z - (float)k;
    const float *a = field->data + brume_field_index(field, i, j, k);
    return brume_trilinear(a, 1, field->sy, field->sz, fx, fy, fz);
}

#endif
