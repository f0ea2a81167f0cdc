/**
 * @file grid_medium.h
 * The participating medium that rays traverse: extinction on a grid, and the majorants that show where it is empty
 * (pbrt-v4, section 11.4.3, "Grid medium").
 *
 * Lengths are in cells and points in cells from the lower corner of the box, so that the cell (i, j, k) spans
 * [i, i + 1] x [j, j + 1] x [k, k + 1] and its value belongs to its center. Solids, ground and cameras are in meters.
 */
#ifndef BRUME_RAYMARCH_GRID_MEDIUM_H
#define BRUME_RAYMARCH_GRID_MEDIUM_H

#include "brume/error.h"
#include "brume/render_settings.h"
#include "brume/volume.h"
#include "core/field.h"
#include "core/vec3.h"
#include "raymarch/blackbody.h"
#include "raymarch/fast_math.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    BRUME_MACRO_CELL_SIDE = 8, ///< side of a macro-cell [cells]
};

/** The data that the renderer copies from a volume. */
typedef struct BrumeGridMedium {
    BrumeGrid grid;        ///< of the loaded volume; nx is 0 before the first load
    float dx;              ///< side of a cell [m]
    BrumeVec3 origin;      ///< lower corner of the box [m]
    BrumeField extinction; ///< of all kinds together [1/cell]; the ghosts repeat the outermost cells
    BrumeCellBox smoke;    ///< cells beyond it have no extinction, and `kinds` and `temperature` are not loaded there
    bool mixed;            ///< whether kinds of different albedo are present
    BrumeVec3 albedo;      ///< of all smoke, where it is not mixed
    float *kinds; ///< extinction of each kind (nz+2 x ny+2 x nx+2 x BRUME_VOLUME_KINDS), only where it is mixed
    BrumeGrid macro_cells;  ///< along each side; they are aligned to the lower corner of the padded field
    float *majorant;        ///< largest extinction of any trilinear sample in each macro-cell [1/cell], x fastest
    uint8_t *inside_solids; ///< scratch of a load (raymarch/medium_edges.h)
    BrumeVec3 occupied_lower, occupied_upper; ///< box around all macro-cells with smoke [cells of the padded field]
    bool skip_empty;                          ///< whether rays skip empty macro-cells; false only to test or measure it
    bool cubic;                               ///< whether the extinction is interpolated by monotone cubics
    bool glows;                               ///< whether the smoke emits light, by its settings and the volume
    BrumeField temperature; ///< absolute [K], of the shape of `extinction`; without memory where nothing may glow
    BrumeBlackbodyTable blackbody;
    /** Velocity [cells/s], the layout of `kinds`, with the fourth component 0. NULL where no settings needed it. */
    float *velocity;
    bool has_velocity; ///< `velocity` is the velocity of the loaded volume
    /** The extinction of the smoke alone, where `extinction` has that of particles too (particle_medium.h); else NULL.
     */
    const BrumeField *smoke_alone;
    BrumeVec3 particle_albedo;
    bool moving; ///< smoke moves with `velocity` while the shutter is open; macro-cells contain all that reaches them
} BrumeGridMedium;

/** Allocates for volumes of up to `capacity`, without `kinds`, `temperature` and `velocity`. BRUME_FAILED without
 * memory; to be destroyed in any case. */
BrumeStatus brume_grid_medium_create(BrumeGridMedium *medium, BrumeGrid capacity, BrumeError *error);

void brume_grid_medium_destroy(BrumeGridMedium *medium);

/** Allocates a field of zeros for volumes of up to `capacity`, of which only what is written takes memory. */
BrumeStatus brume_grid_medium_create_field(BrumeField *field, BrumeGrid capacity, BrumeError *error);

/** Entries of `kinds` for volumes of up to `capacity`. */
size_t brume_grid_medium_kind_entries(BrumeGrid capacity);

/**
 * Bytes in use for volumes of up to `capacity`; `kinds` counts where the volume is `mixed`, `temperature` where smoke
 * may glow (BrumeGridMedium).
 */
size_t brume_grid_medium_bytes(BrumeGrid capacity, bool mixed, bool may_glow);

/**
 * Computes extinction, kinds, temperature and majorants of a volume no larger than the capacity. Densities that are
 * negative or NaN count as 0. With an emission above 0, `temperature` must have memory; NaN counts as ambient. Parallel
 * over z-planes.
 */
void brume_grid_medium_load(BrumeGridMedium *medium, const BrumeRenderSettings *settings, const BrumeVolume *volume);

/**
 * The box [cells] around the n-th of what may shadow light, widened by `reach` [cells]: the solids of `settings`, and
 * the smoke behind the last of them. False where there is no smoke.
 */
bool brume_grid_medium_occluder(const BrumeGridMedium *medium, const BrumeRenderSettings *settings, int n, float reach,
                                BrumeVec3 *lower, BrumeVec3 *upper);

/** Sets the majorants of the extinction, and the box of macro-cells that are not empty. */
void brume_grid_medium_find_majorants(BrumeGridMedium *medium);

/** Bytes of the majorants for volumes of up to `capacity`. */
size_t brume_grid_medium_majorant_bytes(BrumeGrid capacity);

/** Sets the smallest box of macro-cells whose majorant is not 0; without volume where all are empty. */
void brume_grid_medium_find_occupied(BrumeGridMedium *medium);

/** BRUME_BAD_INPUT where a volume is not one that brume_renderer_load accepts within the capacity. */
BrumeStatus brume_volume_check(const BrumeVolume *volume, BrumeGrid capacity, BrumeError *error);

/** Copies the outermost cells of an array (nz+2 x ny+2 x nx+2 x channels) into its ghosts. Parallel over z-planes. */
void brume_replicate_edges(float *data, BrumeGrid grid, int channels);

/** The same for the ghosts beside the cells of a box. */
void brume_replicate_edges_of_box(float *data, BrumeGrid grid, int channels, const BrumeCellBox *box);

/** Sets the shape of a field to the shape of `grid`; its memory must be large enough. */
static inline void brume_field_reshape(BrumeField *field, BrumeGrid grid)
{
    field->grid = grid;
    field->sy = grid.nx + 2;
    field->sz = field->sy * (grid.ny + 2);
}

/** Whether two albedos are the same. */
static inline bool brume_same_albedo(BrumeVec3 a, BrumeVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/** Whether all three components are finite numbers. */
static inline bool brume_is_finite(BrumeVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/** The cells along the sides of a grid as a vector. */
static inline BrumeVec3 brume_grid_extent(BrumeGrid grid)
{
    return brume_vec3((float)grid.nx, (float)grid.ny, (float)grid.nz);
}

/** Cells along the longest side of a grid. */
static inline int brume_grid_longest_side(BrumeGrid grid)
{
    const int larger = grid.nx > grid.ny ? grid.nx : grid.ny;
    return larger > grid.nz ? larger : grid.nz;
}

/** The velocity [cells/s] at a `point` [cells] of the box; only where the medium has it (`has_velocity`). */
static inline BrumeVec3 brume_grid_medium_velocity(const BrumeGridMedium *medium, BrumeVec3 point)
{
    const BrumeField *field = &medium->extinction; // it has the shape of `velocity`
    const float x = brume_clamp(point.x, 0.0f, (float)medium->grid.nx) + 0.5f;
    const float y = brume_clamp(point.y, 0.0f, (float)medium->grid.ny) + 0.5f;
    const float z = brume_clamp(point.z, 0.0f, (float)medium->grid.nz) + 0.5f;
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    const float *a = medium->velocity + 4 * brume_field_index(field, i, j, k);
    const BrumeFloat4 velocity =
        brume_trilinear4(a, 4, 4 * field->sy, 4 * field->sz, x - (float)i, y - (float)j, z - (float)k);
    return brume_vec3(velocity[0], velocity[1], velocity[2]);
}

/**
 * The point [cells] of the loaded medium whose smoke is at `point` at a time after the middle of the shutter's opening
 * [s]. Smoke moves along a straight line with the velocity that the volume has at `point`, and is not found outside the
 * box: points beyond it have the values at its faces.
 */
static inline BrumeVec3 brume_grid_medium_origin(const BrumeGridMedium *medium, BrumeVec3 point, float time)
{
    if (!medium->moving || time == 0.0f) {
        return point;
    }
    const BrumeField *field = &medium->extinction; // it has the shape of `velocity`
    const BrumeVec3 padded = brume_add(point, brume_vec3(0.5f, 0.5f, 0.5f));
    const int i = (int)padded.x;
    const int j = (int)padded.y;
    const int k = (int)padded.z;
    const float *a = medium->velocity + 4 * brume_field_index(field, i, j, k);
    const BrumeFloat4 velocity = brume_trilinear4(a, 4, 4 * field->sy, 4 * field->sz, padded.x - (float)i,
                                                  padded.y - (float)j, padded.z - (float)k);
    return brume_vec3(brume_clamp(point.x - time * velocity[0], 0.0f, (float)medium->grid.nx),
                      brume_clamp(point.y - time * velocity[1], 0.0f, (float)medium->grid.ny),
                      brume_clamp(point.z - time * velocity[2], 0.0f, (float)medium->grid.nz));
}

/** Trilinear value of a padded field at a `point` [cells] of the box. */
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

/**
 * Value at `t` in [0, 1] between the second and third of four equally spaced values: the monotone cubic of Fritsch and
 * Butland (brume/curve.h). It lies between these two.
 */
static inline float brume_monotone_cubic(float a, float b, float c, float d, float t)
{
    const float rise = c - b;
    const float rise_before = b - a;
    const float rise_after = d - c;
    const float m1 = rise_before * rise > 0.0f ? 2.0f * rise_before * rise / (rise_before + rise) : 0.0f;
    const float m2 = rise * rise_after > 0.0f ? 2.0f * rise * rise_after / (rise + rise_after) : 0.0f;
    const float value = b + t * (m1 + t * (3.0f * rise - 2.0f * m1 - m2 + t * (m1 + m2 - 2.0f * rise)));
    return brume_clamp(value, brume_min(b, c), brume_max(b, c)); // rounding
}

/** Value by monotone cubics along each axis in the lattice cell (i, j, k) of a padded field: within the corners'. */
float brume_field_cubic(const BrumeField *field, int i, int j, int k, float fx, float fy, float fz);

/** The extinction in the lattice cell (i, j, k) of the padded field, at the offsets (fx, fy, fz) in [0, 1]. */
static inline float brume_grid_medium_extinction(const BrumeGridMedium *medium, int i, int j, int k, float fx, float fy,
                                                 float fz)
{
    const BrumeField *field = &medium->extinction;
    if (medium->cubic) {
        return brume_field_cubic(field, i, j, k, fx, fy, fz);
    }
    const float *a = field->data + brume_field_index(field, i, j, k);
    return brume_trilinear(a, 1, field->sy, field->sz, fx, fy, fz);
}

/** The extinction at a `point` [cells] of the box. */
static inline float brume_grid_medium_extinction_at(const BrumeGridMedium *medium, BrumeVec3 point)
{
    const float x = point.x + 0.5f;
    const float y = point.y + 0.5f;
    const float z = point.z + 0.5f;
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    return brume_grid_medium_extinction(medium, i, j, k, x - (float)i, y - (float)j, z - (float)k);
}

/** As brume_grid_medium_albedo, of the smoke alone. */
static inline BrumeVec3 brume_grid_medium_smoke_albedo(const BrumeGridMedium *medium,
                                                       const BrumeRenderSettings *settings, int i, int j, int k,
                                                       float fx, float fy, float fz)
{
    if (!medium->mixed) {
        return medium->albedo;
    }
    const BrumeField *field = &medium->extinction; // it has the shape of `kinds`
    const float *a = medium->kinds + BRUME_VOLUME_KINDS * brume_field_index(field, i, j, k);
    const ptrdiff_t sx = BRUME_VOLUME_KINDS;
    const ptrdiff_t sy = BRUME_VOLUME_KINDS * field->sy;
    const ptrdiff_t sz = BRUME_VOLUME_KINDS * field->sz;
    const BrumeFloat4 extinctions = brume_trilinear4(a, sx, sy, sz, fx, fy, fz);
    BrumeVec3 scattered = {0};
    float total = 0.0f;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        total += extinctions[kind];
        scattered = brume_add(scattered, brume_scale(settings->smoke[kind].albedo, extinctions[kind]));
    }
    return total > 0.0f ? brume_scale(scattered, 1.0f / total) : scattered;
}

/**
 * The albedo in the lattice cell (i, j, k) of the padded field at the offsets (fx, fy, fz) in [0, 1]: the mean of the
 * kinds of smoke and the particles, weighted by their extinction.
 */
static inline BrumeVec3 brume_grid_medium_albedo(const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                                                 int i, int j, int k, float fx, float fy, float fz)
{
    const BrumeVec3 smoke = brume_grid_medium_smoke_albedo(medium, settings, i, j, k, fx, fy, fz);
    if (medium->smoke_alone == NULL) {
        return smoke;
    }
    const BrumeField *field = &medium->extinction; // it has the shape of `smoke_alone`
    const ptrdiff_t n = brume_field_index(field, i, j, k);
    const float total = brume_trilinear(field->data + n, 1, field->sy, field->sz, fx, fy, fz);
    const float of_smoke = brume_trilinear(medium->smoke_alone->data + n, 1, field->sy, field->sz, fx, fy, fz);
    const float share = total > 0.0f ? brume_min(of_smoke / total, 1.0f) : 1.0f;
    return brume_add(brume_scale(smoke, share), brume_scale(medium->particle_albedo, 1.0f - share));
}

/** The albedo at a `point` [cells] of the box. */
static inline BrumeVec3 brume_grid_medium_albedo_at(const BrumeGridMedium *medium, const BrumeRenderSettings *settings,
                                                    BrumeVec3 point)
{
    const BrumeVec3 padded = brume_add(point, brume_vec3(0.5f, 0.5f, 0.5f));
    const int i = (int)padded.x;
    const int j = (int)padded.y;
    const int k = (int)padded.z;
    return brume_grid_medium_albedo(medium, settings, i, j, k, padded.x - (float)i, padded.y - (float)j,
                                    padded.z - (float)k);
}

/**
 * The radiance that the smoke emits, its emission coefficient over its extinction, in the lattice cell (i, j, k) of the
 * padded field at the offsets (fx, fy, fz) in [0, 1]: (1 - albedo) B(T), by Kirchhoff's law. 0 where it does not glow.
 */
static inline BrumeVec3 brume_grid_medium_emission(const BrumeGridMedium *medium, BrumeVec3 albedo, int i, int j, int k,
                                                   float fx, float fy, float fz)
{
    if (!medium->glows) {
        return brume_vec3(0.0f, 0.0f, 0.0f);
    }
    const BrumeField *field = &medium->temperature;
    const float *a = field->data + brume_field_index(field, i, j, k);
    const float temperature = brume_trilinear(a, 1, field->sy, field->sz, fx, fy, fz);
    const BrumeVec3 absorbed = brume_sub(brume_vec3(1.0f, 1.0f, 1.0f), albedo);
    return brume_mul(absorbed, brume_blackbody_at(&medium->blackbody, temperature));
}

/** The emitted radiance at a `point` [cells] of the box. */
static inline BrumeVec3 brume_grid_medium_emission_at(const BrumeGridMedium *medium, BrumeVec3 albedo, BrumeVec3 point)
{
    const BrumeVec3 padded = brume_add(point, brume_vec3(0.5f, 0.5f, 0.5f));
    const int i = (int)padded.x;
    const int j = (int)padded.y;
    const int k = (int)padded.z;
    return brume_grid_medium_emission(medium, albedo, i, j, k, padded.x - (float)i, padded.y - (float)j,
                                      padded.z - (float)k);
}

#endif
