// The settings of a lit medium: their check, and the memory of the light volumes that they need.
#include "core/elementary.h"
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "raymarch/curve.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground_image.h"
#include "raymarch/light/daylight.h"
#include "raymarch/light/disc_light.h"
#include "raymarch/light/lit_medium.h"
#include "raymarch/light/sky_image.h"
#include "raymarch/medium_motion.h"
#include "raymarch/particle_medium.h"

#include <math.h>
#include <string.h>

static const size_t daylight_entries = (size_t)3 * BRUME_DAYLIGHT_ROWS * BRUME_DAYLIGHT_COLUMNS;

static BrumeStatus check_settings(const BrumeRenderSettings *settings, BrumeError *error)
{
    if (!(settings->step > 0.0f && settings->step < INFINITY)) {
        return brume_fail(error, BRUME_BAD_INPUT, "the marching step is %g cells; it must be above 0",
                          (double)settings->step);
    }
    if (!(settings->edge_fade >= 0.0f && settings->edge_fade < INFINITY)) {
        return brume_fail(error, BRUME_BAD_INPUT, "the edge fade is %g m; it must be at least 0",
                          (double)settings->edge_fade);
    }
    if (!(settings->shutter >= 0.0f && settings->shutter < INFINITY)) {
        return brume_fail(error, BRUME_BAD_INPUT, "the shutter is open for %g s; it must be at least 0",
                          (double)settings->shutter);
    }
    if (settings->light_count < 0 || settings->light_count > BRUME_MAX_LIGHTS) {
        return brume_fail(error, BRUME_BAD_INPUT, "%d lights; there may be 0 to %d", settings->light_count,
                          BRUME_MAX_LIGHTS);
    }
    if (settings->surface_count < 0 || settings->surface_count > BRUME_MAX_SURFACES) {
        return brume_fail(error, BRUME_BAD_INPUT, "%d solids to draw; there may be 0 to %d", settings->surface_count,
                          BRUME_MAX_SURFACES);
    }
    if (!(settings->emission.intensity >= 0.0f && settings->emission.intensity < INFINITY)) {
        return brume_fail(error, BRUME_BAD_INPUT, "the intensity of the emission is %g; it must be 0 or more",
                          (double)settings->emission.intensity);
    }
    bool valid_curves = brume_curve_is_valid(&settings->emission.curve);
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        valid_curves = valid_curves && brume_curve_is_valid(&settings->density_curve[kind]);
    }
    if (!valid_curves) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a curve must have 2 to %d points with increasing positions and values of 0 or more",
                          BRUME_MAX_CURVE_POINTS);
    }
    for (int n = 0; n < settings->light_count; n++) {
        const BrumeLight *light = &settings->lights[n];
        const bool aimed = light->kind != BRUME_LIGHT_POINT;
        const bool placed = light->kind != BRUME_LIGHT_DIRECTIONAL;
        if (placed && !brume_is_finite(light->position)) {
            return brume_fail(error, BRUME_BAD_INPUT, "light %d has no finite position", n);
        }
        if (aimed && !(brume_is_finite(light->direction) && brume_length(light->direction) > 0.0f)) {
            return brume_fail(error, BRUME_BAD_INPUT, "light %d has no finite direction", n);
        }
        if (light->kind == BRUME_LIGHT_SPOT && !(light->angle > 0.0f && light->blend >= 0.0f && light->blend <= 1.0f)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "the angle of light %d is %g degrees and its blend %g; a spot has an angle above 0 and a "
                              "blend from 0 to 1",
                              n, (double)light->angle, (double)light->blend);
        }
        if (light->kind == BRUME_LIGHT_RECTANGLE &&
            !(light->width > 0.0f && light->width < INFINITY && light->height > 0.0f && light->height < INFINITY &&
              brume_is_finite(light->up))) {
            return brume_fail(error, BRUME_BAD_INPUT, "light %d is a rectangle of %g x %g m; its sides must be above 0",
                              n, (double)light->width, (double)light->height);
        }
        if (light->temperature != 0.0f && !(light->temperature >= 1000.0f && light->temperature <= 40000.0f)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "the temperature of light %d is %g K; it must be 0 for none, or from 1000 to 40000", n,
                              (double)light->temperature);
        }
        if (!(light->angle >= 0.0f && light->angle <= 180.0f)) {
            return brume_fail(error, BRUME_BAD_INPUT, "the angle of light %d is %g degrees; it must be from 0 to 180",
                              n, (double)light->angle);
        }
    }
    return BRUME_OK;
}

// the direction in which the sunlight of a daylight sky travels, of unit length; zero where there is no sun
static BrumeVec3 sun_of_sky(const BrumeRenderSettings *settings)
{
    BrumeVec3 sun = settings->sky.sun;
    for (int n = 0; n < settings->light_count && brume_is_zero(sun); n++) {
        sun = settings->lights[n].kind == BRUME_LIGHT_DIRECTIONAL ? settings->lights[n].direction : sun;
    }
    return brume_normalize(sun);
}

static BrumeStatus check_sky(const BrumeLitMedium *lit, const BrumeRenderSettings *settings, BrumeError *error)
{
    const BrumeSky *sky = &settings->sky;
    bool has_daylight = sky->kind == BRUME_SKY_DAYLIGHT;
    for (int n = 0; n < settings->light_count; n++) {
        has_daylight = has_daylight || settings->lights[n].daylight;
    }
    if (has_daylight && !(sky->turbidity >= 1.0f && sky->turbidity <= 10.0f)) {
        return brume_fail(error, BRUME_BAD_INPUT, "the turbidity of daylight is %g; it has 1 to 10",
                          (double)sky->turbidity);
    }
    if (!(sky->intensity >= 0.0f && sky->intensity < INFINITY) || !isfinite(sky->rotation)) {
        return brume_fail(error, BRUME_BAD_INPUT, "the sky has an intensity of %g and a rotation of %g degrees",
                          (double)sky->intensity, (double)sky->rotation);
    }
    if (sky->kind == BRUME_SKY_DAYLIGHT && (!brume_is_finite(sky->sun) || brume_is_zero(sun_of_sky(settings)))) {
        return brume_fail(error, BRUME_BAD_INPUT, "a daylight sky has no sun: a directional light or a direction");
    }
    if (settings->ground && settings->ground_pattern == BRUME_GROUND_IMAGE &&
        brume_ground_image_check(&settings->ground_image, error) != BRUME_OK) {
        return BRUME_BAD_INPUT;
    }
    const BrumeSky *present = &lit->settings.sky;
    const bool is_checked =
        present->kind == BRUME_SKY_IMAGE && memcmp(&sky->image, &present->image, sizeof sky->image) == 0;
    return sky->kind == BRUME_SKY_IMAGE && !is_checked ? brume_sky_image_check(&sky->image, error) : BRUME_OK;
}

// whether the first `kinds` kinds of smoke have the same albedo
static bool one_albedo(const BrumeRenderSettings *settings, int kinds)
{
    for (int kind = 1; kind < kinds; kind++) {
        if (!brume_same_albedo(settings->smoke[kind].albedo, settings->smoke[0].albedo)) {
            return false;
        }
    }
    return true;
}

static bool may_glow(const BrumeRenderSettings *settings) { return settings->emission.intensity > 0.0f; }

static bool is_disc(const BrumeLight *light) { return light->kind == BRUME_LIGHT_DIRECTIONAL && light->angle > 0.0f; }

bool brume_is_swept_along_x(const BrumeLight *light)
{
    return light->kind == BRUME_LIGHT_DIRECTIONAL &&
           (brume_sweep_axis(light->direction) == 0 || (is_disc(light) && brume_disc_light_along_x(light)));
}

// the largest grid within the capacity for which light volumes have two entries per side of a cell
static BrumeGrid small_grid(BrumeGrid capacity)
{
    return brume_grid(brume_min_int(capacity.nx, BRUME_LONGEST_SMALL_SIDE),
                      brume_min_int(capacity.ny, BRUME_LONGEST_SMALL_SIDE),
                      brume_min_int(capacity.nz, BRUME_LONGEST_SMALL_SIDE));
}

static size_t larger_size(size_t a, size_t b) { return a > b ? a : b; }

// entries of the light volume of a directional light, for any volume within the capacity; small grids have two per cell
static size_t sweep_entries(BrumeVec3 direction, BrumeGrid capacity)
{
    return larger_size(brume_sweep_entries(direction, capacity, 1),
                       brume_sweep_entries(direction, small_grid(capacity), 2));
}

// entries of the light volume of a point light, for any volume within the capacity, as sweep_entries
static size_t point_entries(BrumeGrid capacity)
{
    return larger_size(brume_point_light_entries(capacity, 1), brume_point_light_entries(small_grid(capacity), 2));
}

// entries of the scratch sweep of a light, whose direction is of unit length; 0 without a disc
static size_t disc_entries_of(const BrumeLight *light, BrumeGrid capacity)
{
    return is_disc(light) ? larger_size(brume_disc_light_entries(light, capacity, 1),
                                        brume_disc_light_entries(light, small_grid(capacity), 2))
                          : 0;
}

// entries of the scratch sweep of all lights with discs
static size_t disc_entries(const BrumeRenderSettings *settings, BrumeGrid capacity)
{
    size_t largest = 0;
    for (int n = 0; n < settings->light_count; n++) {
        largest = larger_size(largest, disc_entries_of(&settings->lights[n], capacity));
    }
    return largest;
}

// The memory that new settings need in addition. Light volumes with memory replace the present ones.
typedef struct NewMemory {
    BrumeTransmittanceSweep directional[BRUME_MAX_LIGHTS];
    BrumeTransmittanceSweep disc;
    BrumePointLightVolume point[BRUME_MAX_LIGHTS];
    BrumeAreaLightVolume area[BRUME_MAX_LIGHTS];
    BrumeField transposed;
    float *kinds;
    BrumeField temperature;
    float *velocity;
    BrumeDaylight daylight;
    BrumeDeformedSurface deformed[BRUME_MAX_SURFACES];
} NewMemory;

// allocates for a light the volumes that the lit medium does not have yet
static BrumeStatus allocate_light(NewMemory *memory, const BrumeLitMedium *lit, const BrumeLight *light, int n,
                                  BrumeError *error)
{
    const BrumeGrid grid = lit->capacity;
    if (light->kind == BRUME_LIGHT_RECTANGLE && lit->area[n].transmittance == NULL &&
        brume_area_light_create(&memory->area[n], grid, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    if (light->kind != BRUME_LIGHT_DIRECTIONAL) {
        return lit->point[n].memory != NULL ? BRUME_OK
                                            : brume_point_light_create(&memory->point[n], point_entries(grid), error);
    }
    const size_t entries = sweep_entries(light->direction, grid);
    if (entries > lit->directional[n].entries) {
        memory->directional[n].entries = entries;
        memory->directional[n].transmittance = brume_alloc_untouched(entries, sizeof(float));
        if (memory->directional[n].transmittance == NULL) {
            return brume_out_of_memory(error, "a light");
        }
    }
    if (brume_is_swept_along_x(light) && lit->transposed.data == NULL && memory->transposed.data == NULL) {
        return brume_grid_medium_create_field(&memory->transposed, grid, error);
    }
    return BRUME_OK;
}

// moves new memory to the lit medium, and frees the memory of lights that were removed or have another kind
static void replace_memory(BrumeLitMedium *lit, NewMemory *memory, const BrumeRenderSettings *settings)
{
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        const bool present = n < settings->light_count;
        const bool is_point = present && settings->lights[n].kind != BRUME_LIGHT_DIRECTIONAL;
        const bool is_directional = present && settings->lights[n].kind == BRUME_LIGHT_DIRECTIONAL;
        if (!is_directional || memory->directional[n].transmittance != NULL) {
            brume_free(lit->directional[n].transmittance);
            lit->directional[n] = memory->directional[n];
        }
        if (!is_point || memory->point[n].memory != NULL) {
            brume_point_light_destroy(&lit->point[n]);
            lit->point[n] = memory->point[n];
        }
        const bool is_rectangle = present && settings->lights[n].kind == BRUME_LIGHT_RECTANGLE;
        if (!is_rectangle || memory->area[n].transmittance != NULL) {
            brume_area_light_destroy(&lit->area[n]);
            lit->area[n] = memory->area[n];
        }
    }
    const size_t in_use = disc_entries(settings, lit->capacity);
    if (in_use == 0 || memory->disc.transmittance != NULL) {
        brume_free(lit->disc.transmittance);
        lit->disc = memory->disc;
    }
    if (memory->transposed.data != NULL) {
        lit->transposed = memory->transposed;
    }
    if (memory->kinds != NULL) {
        lit->medium.kinds = memory->kinds;
    }
    if (memory->temperature.data != NULL) {
        lit->medium.temperature = memory->temperature;
    }
    if (memory->velocity != NULL) {
        lit->medium.velocity = memory->velocity;
    }
    if (settings->sky.image.radiance != lit->daylight.radiance || memory->daylight.radiance != NULL) {
        brume_free(lit->daylight.radiance);
        lit->daylight = memory->daylight;
    }
    for (int n = 0; n < BRUME_MAX_SURFACES; n++) {
        brume_deformed_surface_release(&lit->deformed[n]);
        lit->deformed[n] = memory->deformed[n];
    }
    *memory = (NewMemory){0};
}

// Replaces a daylight sky by its image, whose left edge is the direction of the sun, and gives lights with `daylight`
// the color of sunlight. The image is computed unless the present one is of the same sun and turbidity.
static BrumeStatus prepare_daylight(NewMemory *memory, const BrumeLitMedium *lit, BrumeRenderSettings *settings,
                                    BrumeError *error)
{
    BrumeSky *sky = &settings->sky;
    for (int n = 0; n < settings->light_count; n++) {
        BrumeLight *light = &settings->lights[n];
        if (light->kind == BRUME_LIGHT_DIRECTIONAL && light->daylight) {
            const BrumeVec3 sunlight = brume_sunlight(sky->turbidity, -light->direction.y);
            light->color = brume_mul(light->color, brume_scale(sunlight, sky->intensity));
        }
    }
    if (sky->kind != BRUME_SKY_DAYLIGHT) {
        return BRUME_OK;
    }
    const BrumeVec3 sun = sun_of_sky(settings);
    const BrumeDaylight *present = &lit->daylight;
    const float *image = present->radiance;
    if (image == NULL || present->turbidity != sky->turbidity || present->height != -sun.y) {
        memory->daylight = (BrumeDaylight){.turbidity = sky->turbidity, .height = -sun.y};
        memory->daylight.radiance = brume_alloc_untouched(daylight_entries, sizeof(float));
        if (memory->daylight.radiance == NULL) {
            return brume_out_of_memory(error, "a daylight sky");
        }
        if (brume_daylight_fill(memory->daylight.radiance, sky->turbidity, -sun.y, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
        image = memory->daylight.radiance;
    }
    sky->kind = BRUME_SKY_IMAGE;
    sky->image = (BrumeSkyImage){BRUME_DAYLIGHT_COLUMNS, BRUME_DAYLIGHT_ROWS, image};
    sky->rotation = 90.0f - brume_atan2f(-sun.z, -sun.x) * (180.0f / BRUME_PI);
    return BRUME_OK;
}

void brume_deformed_surface_release(BrumeDeformedSurface *surface)
{
    brume_mesh_release(surface->deforming);
    brume_mesh_release(surface->mesh);
    *surface = (BrumeDeformedSurface){0};
}

// gives the surfaces that deform their triangles at the frame of the settings
static BrumeStatus deform_surfaces(NewMemory *memory, const BrumeLitMedium *lit, BrumeRenderSettings *settings,
                                   BrumeError *error)
{
    for (int n = 0; n < settings->surface_count; n++) {
        const BrumeMesh *deforming = settings->surfaces[n].shape.mesh;
        if (!brume_mesh_has_frames(deforming)) {
            continue;
        }
        const double frame = brume_mesh_clamp_frame(deforming, (double)settings->frame);
        const BrumeDeformedSurface *former = &lit->deformed[n];
        const BrumeMesh *mesh = former->mesh;
        if (former->deforming == deforming && former->frame == frame) {
            brume_mesh_retain(mesh);
        } else {
            BrumeMesh *created;
            const BrumeStatus status = brume_mesh_create_at(&created, deforming, frame, error);
            if (status != BRUME_OK) {
                return status;
            }
            mesh = created;
        }
        brume_mesh_retain(deforming);
        memory->deformed[n] = (BrumeDeformedSurface){.deforming = deforming, .mesh = mesh, .frame = frame};
        settings->surfaces[n].shape.mesh = mesh;
    }
    return BRUME_OK;
}

BrumeStatus brume_lit_medium_set_settings(BrumeLitMedium *lit, const BrumeRenderSettings *settings, BrumeError *error)
{
    BrumeStatus status = check_settings(settings, error);
    if (status == BRUME_OK) {
        status = check_sky(lit, settings, error);
    }
    if (status != BRUME_OK) {
        return status;
    }
    BrumeRenderSettings normalized = *settings;
    for (int n = 0; n < settings->light_count; n++) {
        normalized.lights[n].direction = brume_normalize(settings->lights[n].direction);
        normalized.lights[n].color = brume_light_color(&settings->lights[n]);
    }

    NewMemory memory = {0};
    if (!one_albedo(&normalized, BRUME_VOLUME_KINDS) && lit->medium.kinds == NULL) {
        memory.kinds = brume_alloc(brume_grid_medium_kind_entries(lit->capacity), sizeof(float));
        if (memory.kinds == NULL) {
            status = brume_out_of_memory(error, "the smoke to draw");
            goto cleanup;
        }
    }
    if (may_glow(&normalized) && lit->medium.temperature.data == NULL) {
        status = brume_grid_medium_create_field(&memory.temperature, lit->capacity, error);
        if (status != BRUME_OK) {
            goto cleanup;
        }
    }
    if (brume_needs_velocity(&normalized) && lit->medium.velocity == NULL) {
        memory.velocity = brume_alloc_untouched(4 * brume_grid_entries(lit->capacity), sizeof(float));
        if (memory.velocity == NULL) {
            status = brume_out_of_memory(error, "the velocity of the smoke to draw");
            goto cleanup;
        }
    }
    for (int n = 0; n < normalized.light_count; n++) {
        status = allocate_light(&memory, lit, &normalized.lights[n], n, error);
        if (status != BRUME_OK) {
            goto cleanup;
        }
    }
    memory.disc.entries = disc_entries(&normalized, lit->capacity);
    if (memory.disc.entries > lit->disc.entries) {
        memory.disc.transmittance = brume_alloc_untouched(memory.disc.entries, sizeof(float));
        if (memory.disc.transmittance == NULL) {
            status = brume_out_of_memory(error, "a light");
            goto cleanup;
        }
    }
    status = prepare_daylight(&memory, lit, &normalized, error);
    if (status == BRUME_OK) {
        status = deform_surfaces(&memory, lit, &normalized, error);
    }
    if (status == BRUME_OK) {
        status = brume_skylight_set_settings(&lit->sky, &normalized, error); // the last that can fail
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    replace_memory(lit, &memory, &normalized);
    lit->settings = normalized;
    lit->phase = brume_phase_lobes(&normalized);
    for (int n = 0; n < normalized.light_count; n++) {
        lit->sources[n] = brume_light_source(&normalized.lights[n]);
    }
    lit->state = BRUME_LIT_EMPTY;
cleanup:
    for (int n = 0; n < BRUME_MAX_SURFACES; n++) {
        brume_deformed_surface_release(&memory.deformed[n]);
    }
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        brume_free(memory.directional[n].transmittance);
        brume_point_light_destroy(&memory.point[n]);
        brume_area_light_destroy(&memory.area[n]);
    }
    brume_free(memory.disc.transmittance);
    brume_field_destroy(&memory.transposed);
    brume_field_destroy(&memory.temperature);
    brume_free(memory.kinds);
    brume_free(memory.velocity);
    brume_free(memory.daylight.radiance);
    return status;
}

size_t brume_lit_medium_bytes_needed(BrumeGrid capacity, const BrumeRenderSettings *settings, int kinds)
{
    size_t floats = 0;
    bool along_x = false;
    size_t disc = 0;
    for (int n = 0; n < settings->light_count; n++) {
        BrumeLight light = settings->lights[n];
        light.direction = brume_normalize(light.direction);
        floats +=
            light.kind != BRUME_LIGHT_DIRECTIONAL ? point_entries(capacity) : sweep_entries(light.direction, capacity);
        floats += light.kind == BRUME_LIGHT_RECTANGLE ? brume_area_light_entries(capacity) : 0;
        disc = larger_size(disc, disc_entries_of(&light, capacity));
        along_x |= brume_is_swept_along_x(&light);
    }
    floats += disc;
    floats += along_x ? brume_grid_entries(capacity) : 0;
    floats += brume_needs_velocity(settings) ? 4 * brume_grid_entries(capacity) : 0;
    floats += settings->sky.kind == BRUME_SKY_DAYLIGHT ? daylight_entries : 0;
    return brume_grid_medium_bytes(capacity, !one_albedo(settings, kinds), may_glow(settings)) +
           brume_scattered_light_bytes(capacity) + floats * sizeof(float);
}

size_t brume_lit_medium_bytes(const BrumeLitMedium *lit)
{
    size_t floats = lit->transposed.data != NULL ? brume_grid_entries(lit->capacity) : 0;
    floats += lit->disc.entries;
    floats += lit->medium.velocity != NULL ? 4 * brume_grid_entries(lit->capacity) : 0;
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        floats += lit->directional[n].entries + lit->point[n].entries + lit->area[n].entries;
    }
    floats += lit->daylight.radiance != NULL ? daylight_entries : 0;
    const bool has_temperature = lit->medium.temperature.data != NULL;
    return brume_grid_medium_bytes(lit->capacity, lit->medium.mixed, has_temperature) +
           brume_particle_medium_bytes(&lit->shading, lit->capacity) + brume_scattered_light_bytes(lit->capacity) +
           floats * sizeof(float);
}
