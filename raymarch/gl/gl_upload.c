#include "raymarch/gl/gl_upload.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <assert.h>
#include <math.h>

static int divide_rounding_up(int a, int b) { return (a + b - 1) / b; }

// difference of the texture coordinates of successive entries
static float texture_step(int entries, int factor)
{
    return 1.0f / (float)(factor * divide_rounding_up(entries, factor));
}

// adds an upload; returns the texture coordinates from one entry to the next along each axis
static BrumeVec3 add_upload(BrumeGlUploadPlan *plan, int unit, BrumeGlArrayView entries, int largest)
{
    const int longer = entries.nx > entries.ny ? entries.nx : entries.ny;
    const int longest = longer > entries.nz ? longer : entries.nz;
    const int factor = divide_rounding_up(longest, largest);
    plan->uploads[unit].entries = entries;
    plan->uploads[unit].factor = factor;
    plan->reduced = factor > plan->reduced ? factor : plan->reduced;
    return brume_vec3(texture_step(entries.nx, factor), texture_step(entries.ny, factor),
                      texture_step(entries.nz, factor));
}

// allocates entries (nz x ny x nx x channels), which the plan owns
static float *allocate_entries(BrumeGlUploadPlan *plan, int unit, BrumeGlArrayView *entries, BrumeError *error)
{
    const size_t count = (size_t)entries->nx * (size_t)entries->ny * (size_t)entries->nz;
    float *data = brume_alloc_untouched(count, (size_t)entries->channels * sizeof(float));
    if (data == NULL) {
        (void)brume_out_of_memory(error, "the upload to the graphics device");
        return NULL;
    }
    plan->uploads[unit].owned = data;
    entries->data = data;
    entries->sy = (ptrdiff_t)entries->channels * entries->nx;
    entries->sz = entries->sy * entries->ny;
    entries->scale = 1.0f;
    return data;
}

static float largest_value(const float *values, size_t count)
{
    float largest = 0.0f;
    for (size_t n = 0; n < count; n++) {
        largest = values[n] > largest ? values[n] : largest;
    }
    return largest;
}

// 1 where one of the macro-cells within `spread` of this one contains smoke, else 0
static float occupied_near(const BrumeGridMedium *medium, int i, int j, int k, int spread)
{
    const BrumeGrid macro = medium->macro_cells;
    for (int mk = k - spread; mk <= k + spread; mk++) {
        for (int mj = j - spread; mj <= j + spread; mj++) {
            for (int mi = i - spread; mi <= i + spread; mi++) {
                const bool inside = mi >= 0 && mj >= 0 && mk >= 0 && mi < macro.nx && mj < macro.ny && mk < macro.nz;
                if (inside && medium->majorant[((ptrdiff_t)mk * macro.ny + mj) * macro.nx + mi] > 0.0f) {
                    return 1.0f;
                }
            }
        }
    }
    return 0.0f;
}

// Adds which macro-cells contain smoke. Downsampling spreads smoke into empty macro-cells, by the width of a coarse
// cell; they count as occupied too.
static BrumeStatus plan_macro_cells(BrumeGlUploadPlan *plan, const BrumeGridMedium *medium, int largest,
                                    BrumeError *error)
{
    const BrumeGrid macro = medium->macro_cells;
    const int factor = plan->uploads[BRUME_GL_EXTINCTION].factor;
    const int spread = factor > 1 ? divide_rounding_up(factor, BRUME_MACRO_CELL_SIDE) : 0;
    BrumeGlArrayView entries = {.nx = macro.nx, .ny = macro.ny, .nz = macro.nz, .channels = 1};
    float *occupied = allocate_entries(plan, BRUME_GL_MAJORANT, &entries, error);
    if (occupied == NULL) {
        return BRUME_FAILED;
    }
    for (int k = 0; k < macro.nz; k++) {
        for (int j = 0; j < macro.ny; j++) {
            for (int i = 0; i < macro.nx; i++) {
                *occupied++ = occupied_near(medium, i, j, k, spread);
            }
        }
    }
    plan->scales.spread = (float)(BRUME_MACRO_CELL_SIDE * spread);
    (void)add_upload(plan, BRUME_GL_MAJORANT, entries, largest);
    assert(plan->uploads[BRUME_GL_MAJORANT].factor == 1);
    return BRUME_OK;
}

// The cells of the textures of the medium: those with smoke or a temperature that is read, up to multiples of 16 cells
// so that few frames change the size of the textures. The cells at their sides hold no smoke, or are at the side of the
// box.
static BrumeCellBox cells_of_textures(const BrumeGridMedium *medium)
{
    enum { ALIGNMENT = 2 * BRUME_MACRO_CELL_SIDE };
    BrumeCellBox box = brume_widened_box(medium->smoke, BRUME_MACRO_CELL_SIDE, medium->grid);
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] -= box.lower[axis] % ALIGNMENT;
        box.upper[axis] = brume_min_int(ALIGNMENT * divide_rounding_up(box.upper[axis], ALIGNMENT),
                                        brume_cells_along(medium->grid, axis));
    }
    return box;
}

// adds the part of the extinction that is of smoke, of the cells of a box; 1 where there is no extinction
static BrumeStatus plan_smoke_share(BrumeGlUploadPlan *plan, const BrumeGridMedium *medium, const BrumeCellBox *box,
                                    int largest, BrumeError *error)
{
    const BrumeField *all = &medium->extinction;
    BrumeGlArrayView entries = plan->uploads[BRUME_GL_EXTINCTION].entries;
    float *share = allocate_entries(plan, BRUME_GL_SMOKE_SHARE, &entries, error);
    if (share == NULL) {
        return BRUME_FAILED;
    }
    for (int k = box->lower[2]; k < box->upper[2]; k++) {
        for (int j = box->lower[1]; j < box->upper[1]; j++) {
            for (int i = box->lower[0]; i < box->upper[0]; i++) {
                const ptrdiff_t n = brume_field_index(all, i + 1, j + 1, k + 1);
                *share++ = all->data[n] > 0.0f ? medium->smoke_alone->data[n] / all->data[n] : 1.0f;
            }
        }
    }
    (void)add_upload(plan, BRUME_GL_SMOKE_SHARE, entries, largest);
    return BRUME_OK;
}

static BrumeStatus plan_medium(BrumeGlUploadPlan *plan, const BrumeGridMedium *medium, int largest, BrumeError *error)
{
    const BrumeField *field = &medium->extinction;
    const BrumeCellBox box = cells_of_textures(medium);
    const size_t macro_cells = brume_grid_cells(medium->macro_cells);
    const float scale = brume_half_scale(largest_value(medium->majorant, macro_cells));
    const ptrdiff_t first = brume_field_index(field, box.lower[0] + 1, box.lower[1] + 1, box.lower[2] + 1);
    plan->scales.medium_lower = brume_vec3((float)box.lower[0], (float)box.lower[1], (float)box.lower[2]);
    plan->scales.extinction = 1.0f / scale;
    BrumeGlArrayView entries = {.data = field->data + first,
                                .nx = box.upper[0] - box.lower[0],
                                .ny = box.upper[1] - box.lower[1],
                                .nz = box.upper[2] - box.lower[2],
                                .channels = 1,
                                .sy = field->sy,
                                .sz = field->sz,
                                .scale = scale};
    plan->scales.medium = add_upload(plan, BRUME_GL_EXTINCTION, entries, largest);
    if (medium->mixed) {
        entries.data = medium->kinds + BRUME_VOLUME_KINDS * first;
        entries.channels = BRUME_VOLUME_KINDS;
        entries.sy *= BRUME_VOLUME_KINDS;
        entries.sz *= BRUME_VOLUME_KINDS;
        (void)add_upload(plan, BRUME_GL_KINDS, entries, largest);
    }
    if (medium->glows) {
        const float of_temperature = brume_half_scale(BRUME_BLACKBODY_HOTTEST);
        plan->scales.temperature = 1.0f / of_temperature;
        BrumeGlArrayView temperature = plan->uploads[BRUME_GL_EXTINCTION].entries;
        temperature.data = medium->temperature.data + first;
        temperature.scale = of_temperature;
        (void)add_upload(plan, BRUME_GL_TEMPERATURE, temperature, largest);
    }
    if (medium->smoke_alone != NULL && plan_smoke_share(plan, medium, &box, largest, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    return plan_macro_cells(plan, medium, largest, error);
}

// The n-th entry of the table of irradiance: by height of the normal or, of an image, by its angle to the vertical,
// with a row for each azimuth.
static BrumeVec3 irradiance_entry(const BrumeSkylight *sky, int n)
{
    if (!sky->is_image) {
        return sky->irradiance_by_height[n];
    }
    const int angle = n % BRUME_SKY_POLAR_ANGLES;
    const double up = M_PI * angle / (BRUME_SKY_POLAR_ANGLES - 1); // from straight down
    const BrumeVec3 from_ground = brume_scale(sky->ground, 0.5f * (float)(1.0 + brume_cos(up)));
    return brume_add(sky->integrals.irradiance[n / BRUME_SKY_POLAR_ANGLES][angle], from_ground);
}

static int first_texel(int block, int blocks, int texels) { return (int)((long)block * texels / blocks); }

// the mean of the texels of a block
static BrumeVec3 block_radiance(const BrumeSkyImage *image, int columns, int rows, int column, int row)
{
    const int end_row = first_texel(row + 1, rows, image->height);
    const int end_column = first_texel(column + 1, columns, image->width);
    double sum[3] = {0.0};
    int count = 0;
    for (int j = first_texel(row, rows, image->height); j < end_row; j++) {
        for (int i = first_texel(column, columns, image->width); i < end_column; i++, count++) {
            const float *texel = image->radiance + 3 * ((size_t)j * (size_t)image->width + (size_t)i);
            for (int c = 0; c < 3; c++) {
                sum[c] += (double)texel[c];
            }
        }
    }
    return brume_vec3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
}

// The image of the sky, with a copy of the last column before the first and of the first after the last. One that is
// larger than textures may be, or than a picture needs, is reduced.
static BrumeStatus plan_sky_image(BrumeGlUploadPlan *plan, const BrumeSkylight *sky, int largest,
                                  const BrumeGlSkyImage *loaded, BrumeError *error)
{
    enum { MOST_COLUMNS = 4096 };
    if (!sky->is_image) {
        return BRUME_OK;
    }
    if (loaded->serial == sky->serial) {
        plan->sky_image = *loaded;
        plan->uploads[BRUME_GL_SKY_IMAGE].present = true;
        return BRUME_OK;
    }
    const BrumeSkyImage *image = &sky->sky.image;
    const int most = largest - 2 < MOST_COLUMNS ? largest - 2 : MOST_COLUMNS;
    const int columns = image->width < most ? image->width : most;
    const int rows = image->height < most ? image->height : most;
    BrumeGlArrayView entries = {.nx = columns + 2, .ny = rows, .nz = 1, .channels = 4};
    float *texels = allocate_entries(plan, BRUME_GL_SKY_IMAGE, &entries, error);
    if (texels == NULL) {
        return BRUME_FAILED;
    }
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++) {
        float *to = texels + (size_t)4 * (size_t)row * (size_t)(columns + 2);
        for (int column = 0; column < columns + 2; column++) {
            const BrumeVec3 radiance = block_radiance(image, columns, rows, (column + columns - 1) % columns, row);
            to[4 * column] = radiance.x;
            to[4 * column + 1] = radiance.y;
            to[4 * column + 2] = radiance.z;
            to[4 * column + 3] = 0.0f;
        }
    }
    entries.scale = brume_half_scale(largest_value(texels, (size_t)4 * (size_t)rows * (size_t)(columns + 2)));
    plan->sky_image = (BrumeGlSkyImage){sky->serial, 1.0f / entries.scale};
    (void)add_upload(plan, BRUME_GL_SKY_IMAGE, entries, largest);
    return BRUME_OK;
}

// the sets of moments of three colors: where smoke glows, the light from in and around the glow has its own
static int moment_sets(const BrumeScatteredLight *light) { return light->glows ? 2 : 1; }

// The moments of scattered light: the colors of each set one above the other, each with a plane of ghosts below and
// above, so that interpolation does not mix them.
static void plan_moments(BrumeGlUploadPlan *plan, const BrumeScatteredLight *light, float scale)
{
    const BrumeField *shape = &light->grids[0].albedo[0];
    const int colors = 3 * moment_sets(light);
    const int planes = colors * (shape->grid.nz + 2);
    const BrumeGlArrayView entries = {.data = light->moments + BRUME_LIGHT_MOMENTS * brume_field_index(shape, 1, 1, 0),
                                      .nx = shape->grid.nx,
                                      .ny = shape->grid.ny,
                                      .nz = planes,
                                      .channels = BRUME_LIGHT_MOMENTS,
                                      .sy = BRUME_LIGHT_MOMENTS * shape->sy,
                                      .sz = BRUME_LIGHT_MOMENTS * shape->sz,
                                      .scale = scale};
    const BrumeVec3 per_entry = add_upload(plan, BRUME_GL_MOMENTS, entries, colors * (BRUME_SCATTERED_CELLS + 2));
    const BrumeVec3 cell = light->grids[0].cell;
    plan->scales.moments = brume_vec3(per_entry.x / cell.x, per_entry.y / cell.y, per_entry.z / cell.z);
    plan->scales.moments_layer = per_entry.z;
    plan->scales.moments_color = 1.0f / (float)colors;
}

// adds the light from all directions: inside the box, on the ground, and on surfaces by the height of their normal
static BrumeStatus plan_all_directions(BrumeGlUploadPlan *plan, const BrumeLitMedium *lit, BrumeError *error)
{
    const BrumeScatteredLight *light = &lit->scattered;
    const int azimuths = lit->sky.is_image ? BRUME_SKY_AZIMUTHS + 1 : 1;
    BrumeGlArrayView table = {.nx = BRUME_IRRADIANCE_ENTRIES, .ny = azimuths, .nz = 1, .channels = 4};
    float *irradiance = allocate_entries(plan, BRUME_GL_IRRADIANCE, &table, error);
    if (irradiance == NULL) {
        return BRUME_FAILED;
    }
    const size_t entries = brume_grid_entries(light->grids[0].albedo[0].grid);
    float most = largest_value(light->moments, (size_t)(3 * moment_sets(light)) * BRUME_LIGHT_MOMENTS * entries);
    most = brume_max(most, largest_value(light->ground, (size_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP));
    for (int n = 0; n < azimuths * BRUME_IRRADIANCE_ENTRIES; n++) {
        const BrumeVec3 at_height = irradiance_entry(&lit->sky, n);
        most = brume_max(most, brume_max(at_height.x, brume_max(at_height.y, at_height.z)));
        irradiance[4 * n] = at_height.x;
        irradiance[4 * n + 1] = at_height.y;
        irradiance[4 * n + 2] = at_height.z;
        irradiance[4 * n + 3] = 0.0f;
    }
    const float scale = brume_half_scale(most);
    plan->scales.radiance = 1.0f / scale;
    table.scale = scale;
    (void)add_upload(plan, BRUME_GL_IRRADIANCE, table, BRUME_IRRADIANCE_ENTRIES);
    plan_moments(plan, light, scale);
    const BrumeGlArrayView ground = {.data = light->ground,
                                     .nx = BRUME_GROUND_MAP,
                                     .ny = BRUME_GROUND_MAP,
                                     .nz = 1,
                                     .channels = 4,
                                     .sy = (ptrdiff_t)4 * BRUME_GROUND_MAP,
                                     .sz = (ptrdiff_t)4 * BRUME_GROUND_MAP * BRUME_GROUND_MAP,
                                     .scale = scale};
    (void)add_upload(plan, BRUME_GL_GROUND_LIGHT, ground, BRUME_GROUND_MAP);
    return BRUME_OK;
}

// spacing [cells] of the entries of the light volume of a point light, a spot or a rectangle
static float placed_light_spacing(const BrumeLitMedium *lit, int light)
{
    if (brume_grid_longest_side(lit->medium.grid) > 64) {
        return 2.0f;
    }
    return lit->settings.lights[light].kind == BRUME_LIGHT_RECTANGLE ? 1.0f : 1.0f / (float)lit->light_per_cell;
}

static int entries_along(int cells, float spacing) { return (int)ceilf((float)cells / spacing); }

// resamples the six pyramids of a point light, or the entries of a rectangle, on one grid
static BrumeStatus plan_point_light(BrumeGlUploadPlan *plan, int n, const BrumeLitMedium *lit, int light, int largest,
                                    BrumeError *error)
{
    const BrumeGrid grid = lit->medium.grid;
    const float spacing = placed_light_spacing(lit, light);
    BrumeGlArrayView entries = {.nx = entries_along(grid.nx, spacing),
                                .ny = entries_along(grid.ny, spacing),
                                .nz = entries_along(grid.nz, spacing)};
    entries.channels = 1;
    float *transmittance = allocate_entries(plan, BRUME_GL_LIGHTS + n, &entries, error);
    if (transmittance == NULL) {
        return BRUME_FAILED;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < entries.nz; k++) {
        for (int j = 0; j < entries.ny; j++) {
            for (int i = 0; i < entries.nx; i++) {
                const BrumeVec3 center = brume_vec3((float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f);
                transmittance[entries.sz * k + entries.sy * j + i] =
                    brume_placed_light_at(lit, light, brume_scale(center, spacing));
            }
        }
    }
    const BrumeVec3 per_entry = add_upload(plan, BRUME_GL_LIGHTS + n, entries, largest);
    plan->scales.lights[n] = brume_scale(per_entry, 1.0f / spacing);
    return BRUME_OK;
}

static BrumeStatus plan_lights(BrumeGlUploadPlan *plan, const BrumeLitMedium *lit, int largest, BrumeError *error)
{
    int order[BRUME_MAX_LIGHTS];
    plan->variant = brume_gl_active_lights(lit, order);
    for (int n = 0; n < plan->variant.directional_lights; n++) {
        const BrumeTransmittanceSweep *sweep = &lit->directional[order[n]];
        const int *count = sweep->stored.count;
        const BrumeGlArrayView transmittance = {.data = sweep->transmittance,
                                                .nx = count[0],
                                                .ny = count[1],
                                                .nz = count[2],
                                                .channels = 1,
                                                .sy = count[0],
                                                .sz = (ptrdiff_t)count[0] * count[1],
                                                .scale = 1.0f};
        plan->scales.lights[n] = add_upload(plan, BRUME_GL_LIGHTS + n, transmittance, largest);
    }
    for (int n = plan->variant.directional_lights; n < plan->variant.directional_lights + plan->variant.point_lights;
         n++) {
        if (plan_point_light(plan, n, lit, order[n], largest, error) != BRUME_OK) {
            return BRUME_FAILED;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_gl_upload_plan_create(BrumeGlUploadPlan *plan, const BrumeLitMedium *lit, int largest,
                                        const BrumeGlSkyImage *loaded, BrumeError *error)
{
    *plan = (BrumeGlUploadPlan){.reduced = 1};
    if (plan_medium(plan, brume_lit_medium_shading(lit), largest, error) != BRUME_OK ||
        plan_all_directions(plan, lit, error) != BRUME_OK ||
        plan_sky_image(plan, &lit->sky, largest, loaded, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    plan->scales.sky_image = plan->sky_image.scale;
    return plan_lights(plan, lit, largest, error);
}

void brume_gl_upload_plan_destroy(BrumeGlUploadPlan *plan)
{
    for (int unit = 0; unit < BRUME_GL_TEXTURE_UNITS; unit++) {
        brume_free(plan->uploads[unit].owned);
    }
}
