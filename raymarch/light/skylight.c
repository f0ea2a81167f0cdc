// A fixed set of directions is swept through a coarse copy of the medium, and the light that arrives from sky and
// ground is averaged at its cells.
#include "raymarch/light/skylight.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/ground.h"
#include "raymarch/light/phase.h"
#include "raymarch/light/scattering.h"

#include <string.h>

BrumeVec3 brume_sky_direction(int n)
{
    const double golden_angle = 2.39996322972865332;
    const double y = 1.0 - (2.0 * n + 1.0) / BRUME_SKY_DIRECTIONS;
    const double radius = sqrt(1.0 - y * y);
    return brume_vec3((float)(radius * brume_cos(golden_angle * n)), (float)y,
                      (float)(radius * brume_sin(golden_angle * n)));
}

static int coarse_side(int cells, int factor) { return (cells + factor - 1) / factor; }

static int coarsening_factor(BrumeGrid grid)
{
    int factor = 1;
    while (coarse_side(grid.nx, factor) > BRUME_SKY_CELLS || coarse_side(grid.ny, factor) > BRUME_SKY_CELLS ||
           coarse_side(grid.nz, factor) > BRUME_SKY_CELLS) {
        factor++;
    }
    return factor;
}

static BrumeGrid coarse_grid(BrumeGrid grid, int factor)
{
    return (BrumeGrid){coarse_side(grid.nx, factor), coarse_side(grid.ny, factor), coarse_side(grid.nz, factor)};
}

// radiance of an unshadowed ground under the directional lights, given the sky's irradiance / pi
static BrumeVec3 ground_radiance(const BrumeRenderSettings *settings, BrumeVec3 from_sky)
{
    BrumeVec3 irradiance = from_sky; // / pi
    for (int n = 0; n < settings->light_count; n++) {
        const BrumeLight *light = &settings->lights[n];
        if (light->kind == BRUME_LIGHT_DIRECTIONAL) {
            const float over_pi = light->intensity * brume_max(0.0f, -light->direction.y) / BRUME_PI;
            irradiance = brume_add(irradiance, brume_scale(light->color, over_pi));
        }
    }
    return brume_mul(brume_ground_mean_albedo(settings), irradiance);
}

// radiance that arrives from the direction `towards` points to; below the horizon that of the ground, where there is
// one
static BrumeVec3 incident_radiance(const BrumeRenderSettings *settings, BrumeVec3 towards, BrumeVec3 ground)
{
    return settings->ground && towards.y < 0.0f ? ground : brume_sky_radiance(settings, towards);
}

// radiance that arrives along the n-th direction
static BrumeVec3 direction_radiance(const BrumeSkylight *sky, const BrumeRenderSettings *settings, int n,
                                    BrumeVec3 ground)
{
    const BrumeVec3 towards = brume_scale(brume_sky_direction(n), -1.0f);
    if (sky->is_image) {
        return settings->ground && towards.y < 0.0f ? ground : sky->mean_radiance[n];
    }
    return incident_radiance(settings, towards, ground);
}

// irradiance / pi on a surface whose unit normal has the height `y`: the cosine-weighted mean over its hemisphere
static BrumeVec3 unoccluded_irradiance(const BrumeRenderSettings *settings, float y, BrumeVec3 ground)
{
    enum { RINGS = 24, POINTS = 48 };
    const float x = sqrtf(brume_max(0.0f, 1.0f - y * y));
    float azimuth_cos[POINTS];
    float azimuth_sin[POINTS];
    for (int point = 0; point < POINTS; point++) {
        const float azimuth = 2.0f * BRUME_PI * ((float)point + 0.5f) / POINTS;
        azimuth_cos[point] = brume_cosf(azimuth);
        azimuth_sin[point] = brume_sinf(azimuth);
    }
    double sum[3] = {0.0};
    for (int ring = 0; ring < RINGS; ring++) {
        // rings of equal cosine-weighted area around the normal
        const float cosine = sqrtf(((float)ring + 0.5f) / RINGS);
        const float sine = sqrtf(1.0f - cosine * cosine);
        for (int point = 0; point < POINTS; point++) {
            const float c = azimuth_cos[point];
            const BrumeVec3 towards =
                brume_vec3(x * cosine - y * sine * c, y * cosine + x * sine * c, sine * azimuth_sin[point]);
            const BrumeVec3 light = incident_radiance(settings, towards, ground);
            sum[0] += light.x;
            sum[1] += light.y;
            sum[2] += light.z;
        }
    }
    const double count = RINGS * POINTS;
    return brume_vec3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
}

// entries of the largest sweep of all directions
static size_t sweep_entries(BrumeGrid grid)
{
    size_t largest = 0;
    for (int n = 0; n < BRUME_SKY_DIRECTIONS; n++) {
        const size_t entries = brume_sweep_entries(brume_sky_direction(n), grid);
        largest = entries > largest ? entries : largest;
    }
    return largest;
}

// the largest coarse grid of any volume within the capacity
static BrumeGrid largest_coarse_grid(BrumeGrid capacity)
{
    const int side = BRUME_SKY_CELLS;
    return (BrumeGrid){capacity.nx < side ? capacity.nx : side, capacity.ny < side ? capacity.ny : side,
                       capacity.nz < side ? capacity.nz : side};
}

BrumeStatus brume_skylight_create(BrumeSkylight *sky, BrumeGrid capacity, BrumeError *error)
{
    const BrumeGrid largest = largest_coarse_grid(capacity);
    for (int c = 0; c < 3; c++) {
        if (brume_field_create(&sky->extinction[c], largest, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    if (brume_field_create(&sky->transposed, largest, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    const size_t entries = sweep_entries(largest);
    bool complete = true;
    for (int n = 0; n < BRUME_SKY_BATCH; n++) {
        sky->sweeps[n].entries = entries;
        sky->sweeps[n].transmittance = brume_alloc(entries, sizeof(float));
        complete = complete && sky->sweeps[n].transmittance != NULL;
    }
    sky->radiance = brume_alloc(brume_grid_entries(largest), BRUME_SKY_CHANNELS * sizeof(float));
    sky->ground_visibility = brume_alloc((size_t)BRUME_GROUND_MAP * BRUME_GROUND_MAP, sizeof(float));
    if (!complete || sky->radiance == NULL || sky->ground_visibility == NULL) {
        return brume_out_of_memory(error, "the light of the sky");
    }
    return BRUME_OK;
}

void brume_skylight_destroy(BrumeSkylight *sky)
{
    for (int c = 0; c < 3; c++) {
        brume_field_destroy(&sky->extinction[c]);
    }
    brume_field_destroy(&sky->transposed);
    for (int n = 0; n < BRUME_SKY_BATCH; n++) {
        brume_free(sky->sweeps[n].transmittance);
    }
    brume_free(sky->radiance);
    brume_free(sky->ground_visibility);
}

size_t brume_skylight_bytes(BrumeGrid capacity)
{
    const BrumeGrid largest = largest_coarse_grid(capacity);
    const size_t padded = brume_grid_entries(largest);
    return (padded * (4 + BRUME_SKY_CHANNELS) + BRUME_SKY_BATCH * sweep_entries(largest) +
            BRUME_GROUND_MAP * BRUME_GROUND_MAP) *
           sizeof(float);
}

// integrates an image, unless the present integrals are of the same
static BrumeStatus integrate_image(BrumeSkylight *sky, const BrumeRenderSettings *settings, BrumeError *error)
{
    if (sky->is_image && sky->above_ground == settings->ground &&
        memcmp(&sky->sky, &settings->sky, sizeof sky->sky) == 0) {
        return BRUME_OK;
    }
    BrumeVec3 towards[BRUME_SKY_DIRECTIONS];
    for (int n = 0; n < BRUME_SKY_DIRECTIONS; n++) {
        towards[n] = brume_scale(brume_sky_direction(n), -1.0f);
    }
    const BrumeStatus status =
        brume_sky_integrate(&sky->integrals, settings, towards, BRUME_SKY_DIRECTIONS, sky->mean_radiance, error);
    if (status == BRUME_OK) {
        static uint64_t images; // so far
        if (!sky->is_image || memcmp(&sky->sky.image, &settings->sky.image, sizeof sky->sky.image) != 0) {
            sky->serial = __atomic_add_fetch(&images, 1, __ATOMIC_RELAXED);
        }
        sky->sky = settings->sky;
        sky->above_ground = settings->ground;
        sky->is_image = true;
    }
    return status;
}

BrumeStatus brume_skylight_set_settings(BrumeSkylight *sky, const BrumeRenderSettings *settings, BrumeError *error)
{
    const BrumeVec3 dark = {0};
    if (settings->sky.kind == BRUME_SKY_IMAGE) {
        if (integrate_image(sky, settings, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
        const BrumeVec3 upwards = brume_sky_irradiance(&sky->integrals, brume_vec3(0.0f, 1.0f, 0.0f));
        sky->irradiance_by_height[BRUME_IRRADIANCE_ENTRIES - 1] = upwards;
        sky->ground = settings->ground ? ground_radiance(settings, upwards) : dark;
        return BRUME_OK;
    }
    sky->is_image = false;
    const BrumeVec3 ground = ground_radiance(settings, unoccluded_irradiance(settings, 1.0f, dark));
    for (int n = 0; n < BRUME_IRRADIANCE_ENTRIES; n++) {
        sky->irradiance_by_height[n] =
            unoccluded_irradiance(settings, 2.0f * (float)n / (BRUME_IRRADIANCE_ENTRIES - 1) - 1.0f, ground);
    }
    return BRUME_OK;
}

static float channel(BrumeVec3 color, int c) { return c == 0 ? color.x : c == 1 ? color.y : color.z; }

// sum of extinction over a segment of a fine row, each kind times its diffusion scale
static double row_sum(const BrumeGridMedium *medium, ptrdiff_t first, int count, const float scale[BRUME_VOLUME_KINDS])
{
    double sum = 0.0;
    for (ptrdiff_t n = first; n < first + count; n++) {
        if (!medium->mixed) {
            sum += scale[0] * medium->extinction.data[n];
            continue;
        }
        for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
            sum += scale[kind] * medium->kinds[BRUME_VOLUME_KINDS * n + kind];
        }
    }
    return sum;
}

// means over blocks of factor^3 cells; cells of a block beyond the box count as 0
static void coarsen(BrumeField *coarse, const BrumeGridMedium *medium, int factor,
                    const float scale[BRUME_VOLUME_KINDS])
{
    const BrumeGrid fine = medium->grid;
    brume_field_reshape(coarse, coarse_grid(fine, factor));
    // the mean of factor^3 cells, times the length of a coarse cell of `factor` cells
    const float per_cell = 1.0f / (float)(factor * factor);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < coarse->grid.nz; k++) {
        for (int j = 0; j < coarse->grid.ny; j++) {
            for (int i = 0; i < coarse->grid.nx; i++) {
                const int width = fine.nx - i * factor < factor ? fine.nx - i * factor : factor;
                double sum = 0.0;
                for (int fk = k * factor; fk < (k + 1) * factor && fk < fine.nz; fk++) {
                    for (int fj = j * factor; fj < (j + 1) * factor && fj < fine.ny; fj++) {
                        const ptrdiff_t first = brume_field_index(&medium->extinction, i * factor + 1, fj + 1, fk + 1);
                        sum += row_sum(medium, first, width, scale);
                    }
                }
                coarse->data[brume_field_index(coarse, i + 1, j + 1, k + 1)] = per_cell * (float)sum;
            }
        }
    }
    brume_replicate_edges(coarse->data, coarse->grid, 1);
}

// one direction of the sky and its weights in the means
typedef struct SkyDirection {
    BrumeVec3 direction;                ///< in which its light travels
    float radiance[BRUME_SKY_CHANNELS]; ///< its contribution to the mean radiance where it is unoccluded
    float ground_weight;                ///< its weight in the ground's visibility of the sky
} SkyDirection;

// a row of cells in the lattice coordinates of a sweep
typedef struct SweptRow {
    float u, v, n, du, dv, dn;  ///< coordinates of the first cell, and their increments from cell to cell
    int last_u, last_v, last_n; ///< lower entries of the lattice's last intervals
    int32_t sn, sv;             ///< strides from plane to plane and from row to row of rays [entries]
} SweptRow;

// Adds the transmitted light of one direction to a row of cells, eight cells at a time: brume_sweep_at with the same
// operations in every lane. Lanes beyond the end of the row repeat its last cell and are not stored.
BRUME_KERNEL static void add_swept_row(float *restrict row, const float *restrict transmittance, const SweptRow *swept,
                                       const float radiance[BRUME_SKY_CHANNELS], int count)
{
    const SweptRow s = *swept;
    const BrumeFloat4 unoccluded = brume_load4(radiance);
    for (int first = 0; first < count; first += BRUME_LANES) {
        float fu[BRUME_LANES], fv[BRUME_LANES], fn[BRUME_LANES];
        int32_t base[BRUME_LANES];
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            const int i = first + lane < count ? first + lane : count - 1;
            const float u = s.u + (float)i * s.du;
            const float v = s.v + (float)i * s.dv;
            const float n = s.n + (float)i * s.dn;
            int iu = (int)u;
            int iv = (int)v;
            int in = (int)n;
            iu = iu < s.last_u ? iu : s.last_u;
            iv = iv < s.last_v ? iv : s.last_v;
            in = in < s.last_n ? in : s.last_n;
            fu[lane] = u - (float)iu;
            fv[lane] = v - (float)iv;
            fn[lane] = n - (float)in;
            base[lane] = s.sv * iv + s.sn * in + iu;
        }
        BrumeFloat8 f1, f2, f3;
        memcpy(&f1, fu, sizeof f1);
        memcpy(&f2, fn, sizeof f2);
        memcpy(&f3, fv, sizeof f3);
        BrumeFloat8 lower, upper;
        brume_load_pairs(transmittance, base, &lower, &upper);
        const BrumeFloat8 a0 = lower + f1 * (upper - lower);
        brume_load_pairs(transmittance + s.sn, base, &lower, &upper);
        const BrumeFloat8 a1 = lower + f1 * (upper - lower);
        brume_load_pairs(transmittance + s.sv, base, &lower, &upper);
        const BrumeFloat8 b0 = lower + f1 * (upper - lower);
        brume_load_pairs(transmittance + s.sv + s.sn, base, &lower, &upper);
        const BrumeFloat8 b1 = lower + f1 * (upper - lower);
        const BrumeFloat8 near = a0 + f2 * (a1 - a0);
        const BrumeFloat8 far = b0 + f2 * (b1 - b0);
        const BrumeFloat8 blended = near + f3 * (far - near);
        const int lanes = count - first < BRUME_LANES ? count - first : BRUME_LANES;
        for (int lane = 0; lane < lanes; lane++) {
            float *cell = row + BRUME_SKY_CHANNELS * (first + lane);
            const BrumeFloat4 sum = brume_load4(cell) + unoccluded * blended[lane];
            memcpy(cell, &sum, sizeof sum);
        }
    }
}

// adds the transmitted light of one direction to the cells (0..count-1, j, k) of the coarse grid
static void add_to_row(float *row, const BrumeTransmittanceSweep *sweep, int j, int k, int count,
                       const SkyDirection *from)
{
    const BrumeVec3 start = brume_vec3(0.5f, (float)j + 0.5f, (float)k + 0.5f);
    const SweptRow swept = {
        .u = brume_affine_at(sweep->u, start),
        .v = brume_affine_at(sweep->v, start),
        .n = brume_affine_at(sweep->n, start),
        .du = sweep->u.slope.x,
        .dv = sweep->v.slope.x,
        .dn = sweep->n.slope.x,
        .last_u = sweep->nu - 2,
        .last_v = sweep->nv - 2,
        .last_n = sweep->planes - 2,
        .sn = sweep->nu,
        .sv = sweep->nu * sweep->planes,
    };
    add_swept_row(row, sweep->transmittance, &swept, from->radiance, count);
}

static BrumeVec3 ground_point(const BrumeSkylight *sky, int ix, int iz)
{
    const BrumeVec3 size = brume_sub(sky->ground_upper, sky->ground_lower);
    const float x = (float)ix / (BRUME_GROUND_MAP - 1);
    const float z = (float)iz / (BRUME_GROUND_MAP - 1);
    return brume_add(sky->ground_lower, brume_vec3(x * size.x, 0.0f, z * size.z));
}

// sweeps a batch of directions through the coarse extinction of one color, then sums them at each cell in their order
static void add_batch(BrumeSkylight *sky, const BrumeGridMedium *medium, const BrumeField *extinction, bool ground,
                      const SkyDirection batch[BRUME_SKY_BATCH])
{
    const BrumeGrid grid = extinction->grid;
    const float per_metre = 1.0f / (medium->dx * (float)sky->factor);
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int n = 0; n < BRUME_SKY_BATCH; n++) {
            brume_sweep_fill(&sky->sweeps[n], batch[n].direction, extinction, &sky->transposed, 1.0f);
        }
#pragma omp for schedule(dynamic) nowait
        for (int k = 0; k < grid.nz; k++) {
            for (int j = 0; j < grid.ny; j++) {
                float *row = sky->radiance + BRUME_SKY_CHANNELS * brume_field_index(extinction, 1, j + 1, k + 1);
                for (int n = 0; n < BRUME_SKY_BATCH; n++) {
                    add_to_row(row, &sky->sweeps[n], j, k, grid.nx, &batch[n]);
                }
            }
        }
#pragma omp for schedule(dynamic)
        for (int iz = 0; iz < (ground ? BRUME_GROUND_MAP : 0); iz++) {
            for (int ix = 0; ix < BRUME_GROUND_MAP; ix++) {
                const BrumeVec3 point = brume_scale(brume_sub(ground_point(sky, ix, iz), medium->origin), per_metre);
                for (int n = 0; n < BRUME_SKY_BATCH; n++) {
                    sky->ground_visibility[iz * BRUME_GROUND_MAP + ix] +=
                        batch[n].ground_weight * brume_sweep_at_any_point(&sky->sweeps[n], point);
                }
            }
        }
    }
}

// the map extends beyond the footprint of the box by the box's longest side
static void set_ground_map_corners(BrumeSkylight *sky, const BrumeGridMedium *medium,
                                   const BrumeRenderSettings *settings)
{
    const BrumeVec3 size = brume_scale(brume_grid_extent(medium->grid), medium->dx);
    const float margin = brume_max(size.x, brume_max(size.y, size.z));
    const BrumeVec3 lower = medium->origin;
    sky->ground_lower = brume_vec3(lower.x - margin, settings->ground_height, lower.z - margin);
    sky->ground_upper = brume_vec3(lower.x + size.x + margin, settings->ground_height, lower.z + size.z + margin);
    memset(sky->ground_visibility, 0, (size_t)BRUME_GROUND_MAP * BRUME_GROUND_MAP * sizeof(float));
}

// the n-th direction, for the color `c` of `colors`; where smoke is grey, one color stands for all three
static SkyDirection sky_direction(const BrumeSkylight *sky, const BrumeRenderSettings *settings, int n, int c,
                                  int colors)
{
    double cosines = 0.0;
    for (int m = 0; m < BRUME_SKY_DIRECTIONS; m++) {
        cosines += brume_fmax(0.0, -brume_sky_direction(m).y);
    }
    const BrumeVec3 direction = brume_sky_direction(n);
    const BrumeVec3 ground = ground_radiance(settings, sky->irradiance_by_height[BRUME_IRRADIANCE_ENTRIES - 1]);
    const BrumeVec3 radiance = direction_radiance(sky, settings, n, ground);
    const float weight = 1.0f / BRUME_SKY_DIRECTIONS;
    SkyDirection from = {.direction = direction,
                         .ground_weight = (float)(brume_fmax(0.0, -direction.y) / (cosines * colors))};
    for (int other = 0; other < 3; other++) {
        from.radiance[other] = colors == 1 || other == c ? weight * channel(radiance, other) : 0.0f;
    }
    from.radiance[3] = weight / (float)colors;
    return from;
}

void brume_skylight_fill(BrumeSkylight *sky, const BrumeGridMedium *medium, const BrumeRenderSettings *settings)
{
    sky->factor = coarsening_factor(medium->grid);
    const bool grey = !medium->mixed && medium->albedo.x == medium->albedo.y && medium->albedo.x == medium->albedo.z;
    const int colors = grey ? 1 : 3;
    set_ground_map_corners(sky, medium, settings);
    memset(sky->radiance, 0,
           brume_grid_entries(coarse_grid(medium->grid, sky->factor)) * BRUME_SKY_CHANNELS * sizeof(float));
    const float mean_cosine = brume_phase_lobes(settings).mean_cosine;
    for (int c = 0; c < colors; c++) {
        float scale[BRUME_VOLUME_KINDS];
        for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
            const BrumeVec3 albedo = medium->mixed ? settings->smoke[kind].albedo : medium->albedo;
            scale[kind] = brume_diffusion_scale(channel(albedo, c), mean_cosine);
        }
        coarsen(&sky->extinction[c], medium, sky->factor, scale);
        brume_transpose_field(&sky->transposed, &sky->extinction[c]);
        for (int first = 0; first < BRUME_SKY_DIRECTIONS; first += BRUME_SKY_BATCH) {
            SkyDirection batch[BRUME_SKY_BATCH];
            for (int n = 0; n < BRUME_SKY_BATCH; n++) {
                batch[n] = sky_direction(sky, settings, first + n, c, colors);
            }
            add_batch(sky, medium, &sky->extinction[c], settings->ground, batch);
        }
    }
    brume_replicate_edges(sky->radiance, sky->extinction[0].grid, BRUME_SKY_CHANNELS);
}

void brume_skylight_at(const BrumeSkylight *sky, BrumeVec3 point, float light[BRUME_SKY_CHANNELS])
{
    const float per_cell = 1.0f / (float)sky->factor;
    const BrumeField *grid = &sky->extinction[0]; // its shape is that of the radiance
    const float x = point.x * per_cell + 0.5f;
    const float y = point.y * per_cell + 0.5f;
    const float z = point.z * per_cell + 0.5f;
    const int i = (int)x;
    const int j = (int)y;
    const int k = (int)z;
    const float fx = x - (float)i;
    const float fy = y - (float)j;
    const float fz = z - (float)k;
    const float *a = sky->radiance + BRUME_SKY_CHANNELS * brume_field_index(grid, i, j, k);
    const ptrdiff_t sx = BRUME_SKY_CHANNELS;
    const ptrdiff_t sy = BRUME_SKY_CHANNELS * grid->sy;
    const ptrdiff_t sz = BRUME_SKY_CHANNELS * grid->sz;
    const BrumeFloat4 blended = brume_trilinear4(a, sx, sy, sz, fx, fy, fz);
    memcpy(light, &blended, sizeof blended);
}

float brume_skylight_ground_visibility(const BrumeSkylight *sky, BrumeVec3 point)
{
    const BrumeVec3 size = brume_sub(sky->ground_upper, sky->ground_lower);
    const float u = (point.x - sky->ground_lower.x) / size.x;
    const float v = (point.z - sky->ground_lower.z) / size.z;
    // visibility rises to 1 at the edges of the map
    const float to_edge = 10.0f * brume_min(brume_min(u, 1.0f - u), brume_min(v, 1.0f - v));
    if (!(to_edge > 0.0f)) {
        return 1.0f;
    }
    const float x = u * (BRUME_GROUND_MAP - 1);
    const float z = v * (BRUME_GROUND_MAP - 1);
    const int i = (int)x < BRUME_GROUND_MAP - 2 ? (int)x : BRUME_GROUND_MAP - 2;
    const int k = (int)z < BRUME_GROUND_MAP - 2 ? (int)z : BRUME_GROUND_MAP - 2;
    const float fx = x - (float)i;
    const float fz = z - (float)k;
    const float *a = sky->ground_visibility + k * BRUME_GROUND_MAP + i;
    const float *b = a + BRUME_GROUND_MAP;
    const float a_visible = a[0] + fx * (a[1] - a[0]);
    const float b_visible = b[0] + fx * (b[1] - b[0]);
    const float weight = brume_min(to_edge, 1.0f);
    return 1.0f + (a_visible + fz * (b_visible - a_visible) - 1.0f) * weight * weight * (3.0f - 2.0f * weight);
}

BrumeVec3 brume_skylight_irradiance(const BrumeSkylight *sky, BrumeVec3 normal)
{
    if (sky->is_image) {
        const BrumeVec3 from_ground = brume_scale(sky->ground, 0.5f * (1.0f - brume_clamp(normal.y, -1.0f, 1.0f)));
        return brume_add(brume_sky_irradiance(&sky->integrals, normal), from_ground);
    }
    const float at = (brume_min(brume_max(normal.y, -1.0f), 1.0f) + 1.0f) * (0.5f * (BRUME_IRRADIANCE_ENTRIES - 1));
    const int n = (int)at < BRUME_IRRADIANCE_ENTRIES - 2 ? (int)at : BRUME_IRRADIANCE_ENTRIES - 2;
    const float f = at - (float)n;
    return brume_add(brume_scale(sky->irradiance_by_height[n], 1.0f - f),
                     brume_scale(sky->irradiance_by_height[n + 1], f));
}
