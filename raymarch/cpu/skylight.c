// Light from all around: sky above, ground below, dimmed by the smoke in between. A fixed set of directions is swept
// through a coarse copy of the smoke, and what arrives is averaged at its cells.
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/reductions.h"
#include "core/simd.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/cpu/trilinear.h"
#include "raymarch/scatter.h"
#include "raymarch/sky.h"

#include <string.h>

BrumeVec3 brume_sky_direction(int n)
{
    const double golden_angle = 2.39996322972865332;
    const double y = 1.0 - (2.0 * n + 1.0) / BRUME_SKY_DIRECTIONS;
    const double radius = sqrt(1.0 - y * y);
    return brume_vec3((float)(radius * cos(golden_angle * n)), (float)y, (float)(radius * sin(golden_angle * n)));
}

static int coarse_cells(int cells, int factor) { return (cells + factor - 1) / factor; }

static int factor_for(BrumeGrid grid)
{
    int factor = 1;
    while (coarse_cells(grid.nx, factor) > BRUME_SKY_CELLS || coarse_cells(grid.ny, factor) > BRUME_SKY_CELLS ||
           coarse_cells(grid.nz, factor) > BRUME_SKY_CELLS) {
        factor++;
    }
    return factor;
}

static BrumeGrid coarse_grid(BrumeGrid grid, int factor)
{
    return (BrumeGrid){coarse_cells(grid.nx, factor), coarse_cells(grid.ny, factor), coarse_cells(grid.nz, factor)};
}

// radiance of an unshadowed ground under the lights that shine on all of it, given the sky's irradiance over pi
static BrumeVec3 ground_radiance(const BrumeRenderSettings *look, BrumeVec3 from_sky)
{
    BrumeVec3 light = from_sky;
    for (int n = 0; n < look->light_count; n++) {
        const BrumeLight *lamp = &look->lights[n];
        if (lamp->kind == BRUME_LIGHT_DIRECTIONAL) {
            const float over_pi = lamp->intensity * brume_max(0.0f, -lamp->direction.y) / BRUME_PI;
            light = brume_add(light, brume_scale(lamp->color, over_pi));
        }
    }
    return brume_mul(look->ground_albedo, light);
}

// radiance that arrives from a direction, with the ground in the place of the sky below the horizon
static BrumeVec3 around(const BrumeRenderSettings *look, BrumeVec3 towards, BrumeVec3 ground)
{
    return look->ground && towards.y < 0.0f ? ground : brume_sky_radiance(look, towards);
}

// irradiance over pi on a surface whose normal has a height of `y`: the cosine-weighted mean over its half-space
static BrumeVec3 irradiance(const BrumeRenderSettings *look, float y, BrumeVec3 ground)
{
    enum { RINGS = 24, POINTS = 48 };
    const float x = sqrtf(brume_max(0.0f, 1.0f - y * y));
    float turn_cos[POINTS];
    float turn_sin[POINTS];
    for (int point = 0; point < POINTS; point++) {
        const float turn = 2.0f * BRUME_PI * ((float)point + 0.5f) / POINTS;
        turn_cos[point] = cosf(turn);
        turn_sin[point] = sinf(turn);
    }
    double sum[3] = {0.0};
    for (int ring = 0; ring < RINGS; ring++) {
        // rings of equal cosine-weighted area around the normal
        const float cosine = sqrtf(((float)ring + 0.5f) / RINGS);
        const float sine = sqrtf(1.0f - cosine * cosine);
        for (int point = 0; point < POINTS; point++) {
            const float c = turn_cos[point];
            const BrumeVec3 towards =
                brume_vec3(x * cosine - y * sine * c, y * cosine + x * sine * c, sine * turn_sin[point]);
            const BrumeVec3 light = around(look, towards, ground);
            sum[0] += light.x;
            sum[1] += light.y;
            sum[2] += light.z;
        }
    }
    const double count = RINGS * POINTS;
    return brume_vec3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
}

// the largest sweep of any direction
static size_t sweep_entries(BrumeGrid grid)
{
    size_t most = 0;
    for (int n = 0; n < BRUME_SKY_DIRECTIONS; n++) {
        const size_t entries = brume_sweep_entries(brume_sky_direction(n), grid);
        most = entries > most ? entries : most;
    }
    return most;
}

BrumeStatus brume_skylight_create(BrumeSkylight *sky, BrumeGrid capacity, size_t *bytes, BrumeError *error)
{
    // a smaller volume than the largest may have the largest coarse grid
    const int side = BRUME_SKY_CELLS;
    const BrumeGrid most = {capacity.nx < side ? capacity.nx : side, capacity.ny < side ? capacity.ny : side,
                            capacity.nz < side ? capacity.nz : side};
    for (int c = 0; c < 3; c++) {
        if (brume_field_create(&sky->depth[c], most, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    if (brume_field_create(&sky->turned, most, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    const size_t padded = brume_grid_entries(most);
    const size_t swept = sweep_entries(most);
    bool complete = true;
    for (int n = 0; n < BRUME_SKY_BATCH; n++) {
        sky->sweeps[n].entries = swept;
        sky->sweeps[n].left = brume_alloc(swept, sizeof(float));
        complete = complete && sky->sweeps[n].left != NULL;
    }
    sky->radiance = brume_alloc(padded, BRUME_SKY_CHANNELS * sizeof(float));
    sky->ground = brume_alloc((size_t)BRUME_GROUND_MAP * BRUME_GROUND_MAP, sizeof(float));
    if (!complete || sky->radiance == NULL || sky->ground == NULL) {
        return brume_fail(error, BRUME_FAILED, "out of memory for the light of the sky");
    }
    *bytes = (padded * (4 + BRUME_SKY_CHANNELS) + BRUME_SKY_BATCH * swept + BRUME_GROUND_MAP * BRUME_GROUND_MAP) *
             sizeof(float);
    return BRUME_OK;
}

void brume_skylight_set_look(BrumeSkylight *sky, const BrumeRenderSettings *look)
{
    const BrumeVec3 dark = {0};
    const BrumeVec3 ground = ground_radiance(look, irradiance(look, 1.0f, dark));
    for (int n = 0; n < BRUME_NORMALS; n++) {
        sky->by_normal[n] = irradiance(look, 2.0f * (float)n / (BRUME_NORMALS - 1) - 1.0f, ground);
    }
}

void brume_skylight_destroy(BrumeSkylight *sky)
{
    for (int c = 0; c < 3; c++) {
        brume_field_destroy(&sky->depth[c]);
    }
    brume_field_destroy(&sky->turned);
    for (int n = 0; n < BRUME_SKY_BATCH; n++) {
        brume_free(sky->sweeps[n].left);
    }
    brume_free(sky->radiance);
    brume_free(sky->ground);
}

static void shape_field(BrumeField *field, BrumeGrid grid)
{
    field->grid = grid;
    field->sy = grid.nx + 2;
    field->sz = field->sy * (grid.ny + 2);
}

static float channel(BrumeVec3 color, int c) { return c == 0 ? color.x : c == 1 ? color.y : color.z; }

// extinction of one fine row's stretch, each kind times its diffuse share of color c
static double row_sum(const BrumeSmoke *smoke, ptrdiff_t first, int count, const float share[BRUME_VOLUME_KINDS])
{
    double sum = 0.0;
    for (ptrdiff_t n = first; n < first + count; n++) {
        if (!smoke->mixed) {
            sum += share[0] * smoke->extinction.data[n];
            continue;
        }
        for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
            sum += share[kind] * smoke->kinds[BRUME_VOLUME_KINDS * n + kind];
        }
    }
    return sum;
}

// means over blocks of factor^3 cells; a block that sticks out of the box counts nothing there
static void coarsen(BrumeField *depth, const BrumeSmoke *smoke, int factor, const float share[BRUME_VOLUME_KINDS])
{
    const BrumeGrid fine = smoke->grid;
    shape_field(depth, coarse_grid(fine, factor));
    // a mean of factor^3 cells, times the factor cells that a coarse cell is long
    const float per_cell = 1.0f / (float)(factor * factor);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < depth->grid.nz; k++) {
        for (int j = 0; j < depth->grid.ny; j++) {
            for (int i = 0; i < depth->grid.nx; i++) {
                const int width = fine.nx - i * factor < factor ? fine.nx - i * factor : factor;
                double sum = 0.0;
                for (int fk = k * factor; fk < (k + 1) * factor && fk < fine.nz; fk++) {
                    for (int fj = j * factor; fj < (j + 1) * factor && fj < fine.ny; fj++) {
                        const ptrdiff_t first = brume_field_index(&smoke->extinction, i * factor + 1, fj + 1, fk + 1);
                        sum += row_sum(smoke, first, width, share);
                    }
                }
                depth->data[brume_field_index(depth, i + 1, j + 1, k + 1)] = per_cell * (float)sum;
            }
        }
    }
    brume_hold_edges(depth->data, depth->grid, 1);
}

// one direction of a batch
typedef struct Arriving {
    BrumeVec3 direction;             ///< in which its light travels
    float light[BRUME_SKY_CHANNELS]; ///< its part of the mean radiance
    float on_ground;                 ///< its part of the sky that the ground sees
} Arriving;

// where a row of cells lies on a sweep's lattice: the first one's coordinates, and how they grow from cell to cell
typedef struct SweptRow {
    float u, v, n, du, dv, dn;
    int last_u, last_v, last_n; ///< lower entries of the lattice's last intervals
    int32_t sn, sv;             ///< entries from plane to plane and from row to row of rays
} SweptRow;

// The sum over a row of cells of what is left of one direction's light, eight cells at a time: brume_sweep_at with the
// same operations in every lane. Lanes beyond the row's end repeat its last cell.
BRUME_KERNEL static void add_swept_row(float *restrict row, const float *restrict left, const SweptRow *swept,
                                       const float light[BRUME_SKY_CHANNELS], int count)
{
    const SweptRow s = *swept;
    const BrumeFloat4 part = brume_load4(light);
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
        brume_load_pairs(left, base, &lower, &upper);
        const BrumeFloat8 a0 = lower + f1 * (upper - lower);
        brume_load_pairs(left + s.sn, base, &lower, &upper);
        const BrumeFloat8 a1 = lower + f1 * (upper - lower);
        brume_load_pairs(left + s.sv, base, &lower, &upper);
        const BrumeFloat8 b0 = lower + f1 * (upper - lower);
        brume_load_pairs(left + s.sv + s.sn, base, &lower, &upper);
        const BrumeFloat8 b1 = lower + f1 * (upper - lower);
        const BrumeFloat8 near = a0 + f2 * (a1 - a0);
        const BrumeFloat8 far = b0 + f2 * (b1 - b0);
        const BrumeFloat8 blended = near + f3 * (far - near);
        const int lanes = count - first < BRUME_LANES ? count - first : BRUME_LANES;
        for (int lane = 0; lane < lanes; lane++) {
            float *cell = row + BRUME_SKY_CHANNELS * (first + lane);
            const BrumeFloat4 sum = brume_load4(cell) + part * blended[lane];
            memcpy(cell, &sum, sizeof sum);
        }
    }
}

// adds what is left of one direction's light along a row of coarse cells
static void add_to_row(float *row, const BrumeSweep *sweep, int j, int k, int count, const Arriving *arriving)
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
    add_swept_row(row, sweep->left, &swept, arriving->light, count);
}

static BrumeVec3 ground_point(const BrumeSkylight *sky, int ix, int iz)
{
    const BrumeVec3 size = brume_sub(sky->ground_upper, sky->ground_lower);
    const float x = (float)ix / (BRUME_GROUND_MAP - 1);
    const float z = (float)iz / (BRUME_GROUND_MAP - 1);
    return brume_add(sky->ground_lower, brume_vec3(x * size.x, 0.0f, z * size.z));
}

// sweeps a batch of directions through one color's depth, then adds them up cell by cell in their order
static void add_batch(BrumeSkylight *sky, const BrumeSmoke *smoke, const BrumeField *depth, bool ground,
                      const Arriving batch[BRUME_SKY_BATCH])
{
    const BrumeGrid grid = depth->grid;
    const float per_metre = 1.0f / (smoke->dx * (float)sky->factor);
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int n = 0; n < BRUME_SKY_BATCH; n++) {
            brume_sweep_fill(&sky->sweeps[n], batch[n].direction, depth, &sky->turned, 1.0f);
        }
#pragma omp for schedule(dynamic) nowait
        for (int k = 0; k < grid.nz; k++) {
            for (int j = 0; j < grid.ny; j++) {
                float *row = sky->radiance + BRUME_SKY_CHANNELS * brume_field_index(depth, 1, j + 1, k + 1);
                for (int n = 0; n < BRUME_SKY_BATCH; n++) {
                    add_to_row(row, &sky->sweeps[n], j, k, grid.nx, &batch[n]);
                }
            }
        }
#pragma omp for schedule(dynamic)
        for (int iz = 0; iz < (ground ? BRUME_GROUND_MAP : 0); iz++) {
            for (int ix = 0; ix < BRUME_GROUND_MAP; ix++) {
                const BrumeVec3 point = brume_scale(brume_sub(ground_point(sky, ix, iz), smoke->origin), per_metre);
                for (int n = 0; n < BRUME_SKY_BATCH; n++) {
                    sky->ground[iz * BRUME_GROUND_MAP + ix] +=
                        batch[n].on_ground * brume_sweep_anywhere(&sky->sweeps[n], point);
                }
            }
        }
    }
}

// the map reaches a side of the box beyond its footprint
static void place_ground_map(BrumeSkylight *sky, const BrumeSmoke *smoke, const BrumeRenderSettings *look)
{
    const BrumeVec3 size =
        brume_scale(brume_vec3((float)smoke->grid.nx, (float)smoke->grid.ny, (float)smoke->grid.nz), smoke->dx);
    const float margin = brume_max(size.x, brume_max(size.y, size.z));
    const BrumeVec3 lower = smoke->origin;
    sky->ground_lower = brume_vec3(lower.x - margin, look->ground_height, lower.z - margin);
    sky->ground_upper = brume_vec3(lower.x + size.x + margin, look->ground_height, lower.z + size.z + margin);
    memset(sky->ground, 0, (size_t)BRUME_GROUND_MAP * BRUME_GROUND_MAP * sizeof(float));
}

// what a direction brings to the color `c` of `colors`; one color stands for all three
static Arriving arriving_from(const BrumeSkylight *sky, const BrumeRenderSettings *look, int n, int c, int colors)
{
    double cosines = 0.0;
    for (int m = 0; m < BRUME_SKY_DIRECTIONS; m++) {
        cosines += fmax(0.0, -brume_sky_direction(m).y);
    }
    const BrumeVec3 direction = brume_sky_direction(n);
    const BrumeVec3 ground = ground_radiance(look, sky->by_normal[BRUME_NORMALS - 1]);
    const BrumeVec3 light = around(look, brume_scale(direction, -1.0f), ground);
    const float part = 1.0f / BRUME_SKY_DIRECTIONS;
    Arriving arriving = {.direction = direction, .on_ground = (float)(fmax(0.0, -direction.y) / (cosines * colors))};
    for (int other = 0; other < 3; other++) {
        arriving.light[other] = colors == 1 || other == c ? part * channel(light, other) : 0.0f;
    }
    arriving.light[3] = part / (float)colors;
    return arriving;
}

void brume_skylight_fill(BrumeSkylight *sky, const BrumeSmoke *smoke, const BrumeRenderSettings *look)
{
    sky->factor = factor_for(smoke->grid);
    const bool grey = !smoke->mixed && smoke->albedo.x == smoke->albedo.y && smoke->albedo.x == smoke->albedo.z;
    const int colors = grey ? 1 : 3;
    place_ground_map(sky, smoke, look);
    memset(sky->radiance, 0,
           brume_grid_entries(coarse_grid(smoke->grid, sky->factor)) * BRUME_SKY_CHANNELS * sizeof(float));
    for (int c = 0; c < colors; c++) {
        float share[BRUME_VOLUME_KINDS];
        for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
            const BrumeVec3 albedo = smoke->mixed ? look->smoke[kind].albedo : smoke->albedo;
            share[kind] = brume_diffuse_share(channel(albedo, c), look->anisotropy);
        }
        coarsen(&sky->depth[c], smoke, sky->factor, share);
        brume_turn_field(&sky->turned, &sky->depth[c]);
        for (int first = 0; first < BRUME_SKY_DIRECTIONS; first += BRUME_SKY_BATCH) {
            Arriving batch[BRUME_SKY_BATCH];
            for (int n = 0; n < BRUME_SKY_BATCH; n++) {
                batch[n] = arriving_from(sky, look, first + n, c, colors);
            }
            add_batch(sky, smoke, &sky->depth[c], look->ground, batch);
        }
    }
    brume_hold_edges(sky->radiance, sky->depth[0].grid, BRUME_SKY_CHANNELS);
}

void brume_skylight_at(const BrumeSkylight *sky, BrumeVec3 point, float light[BRUME_SKY_CHANNELS])
{
    const float per_cell = 1.0f / (float)sky->factor;
    const BrumeField *grid = &sky->depth[0]; // for its shape
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

float brume_skylight_on_ground(const BrumeSkylight *sky, BrumeVec3 point)
{
    const BrumeVec3 size = brume_sub(sky->ground_upper, sky->ground_lower);
    const float u = (point.x - sky->ground_lower.x) / size.x;
    const float v = (point.z - sky->ground_lower.z) / size.z;
    // the map ends in full view of the sky
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
    const float *a = sky->ground + k * BRUME_GROUND_MAP + i;
    const float *b = a + BRUME_GROUND_MAP;
    const float a_share = a[0] + fx * (a[1] - a[0]);
    const float b_share = b[0] + fx * (b[1] - b[0]);
    const float held = brume_min(to_edge, 1.0f);
    return 1.0f + (a_share + fz * (b_share - a_share) - 1.0f) * held * held * (3.0f - 2.0f * held);
}

BrumeVec3 brume_skylight_on_normal(const BrumeSkylight *sky, BrumeVec3 normal)
{
    const float at = (brume_min(brume_max(normal.y, -1.0f), 1.0f) + 1.0f) * (0.5f * (BRUME_NORMALS - 1));
    const int n = (int)at < BRUME_NORMALS - 2 ? (int)at : BRUME_NORMALS - 2;
    const float f = at - (float)n;
    return brume_add(brume_scale(sky->by_normal[n], 1.0f - f), brume_scale(sky->by_normal[n + 1], f));
}
