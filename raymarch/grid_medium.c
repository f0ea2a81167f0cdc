#include "raymarch/grid_medium.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/curve.h"
#include "raymarch/medium_edges.h"

#include <assert.h>
#include <string.h>

enum { ROW_PART = 256 }; // cells of a row that are loaded at once

// the number of macro-cells that cover a grid and its upper ghosts
static BrumeGrid macro_grid(BrumeGrid grid)
{
    return brume_grid(grid.nx / BRUME_MACRO_CELL_SIDE + 1, grid.ny / BRUME_MACRO_CELL_SIDE + 1,
                      grid.nz / BRUME_MACRO_CELL_SIDE + 1);
}

BrumeStatus brume_grid_medium_create_field(BrumeField *field, BrumeGrid capacity, BrumeError *error)
{
    *field = (BrumeField){.data = brume_alloc(brume_grid_entries(capacity), sizeof(float))};
    brume_field_reshape(field, capacity);
    return field->data != NULL ? BRUME_OK : brume_out_of_memory(error, "the smoke to draw");
}

BrumeStatus brume_grid_medium_create(BrumeGridMedium *medium, BrumeGrid capacity, BrumeError *error)
{
    *medium = (BrumeGridMedium){.skip_empty = true};
    if (brume_grid_medium_create_field(&medium->extinction, capacity, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    medium->majorant = brume_alloc_untouched(1, brume_grid_medium_majorant_bytes(capacity));
    medium->inside_solids = brume_alloc_untouched(brume_inside_bytes(capacity), sizeof *medium->inside_solids);
    if (medium->majorant == NULL || medium->inside_solids == NULL) {
        return brume_out_of_memory(error, "the smoke to draw");
    }
    return BRUME_OK;
}

void brume_grid_medium_destroy(BrumeGridMedium *medium)
{
    brume_field_destroy(&medium->extinction);
    brume_field_destroy(&medium->temperature);
    brume_free(medium->kinds);
    brume_free(medium->velocity);
    brume_free(medium->majorant);
    brume_free(medium->inside_solids);
}

size_t brume_grid_medium_majorant_bytes(BrumeGrid capacity)
{
    return brume_grid_cells(macro_grid(capacity)) * sizeof(float);
}

size_t brume_grid_medium_kind_entries(BrumeGrid capacity) { return BRUME_VOLUME_KINDS * brume_grid_entries(capacity); }

size_t brume_grid_medium_bytes(BrumeGrid capacity, bool mixed, bool may_glow)
{
    // the pages of `kinds` are not resident before they are first written
    const size_t kinds = mixed ? brume_grid_medium_kind_entries(capacity) : 0;
    const size_t fields = may_glow ? 2 : 1;
    return (fields * brume_grid_entries(capacity) + kinds) * sizeof(float) +
           brume_grid_medium_majorant_bytes(capacity) + brume_inside_bytes(capacity);
}

// extinction += per_density * density where that is above 0; NaN counts as 0
BRUME_KERNEL static void add_extinction(float *restrict extinction, const float *restrict density, float per_density,
                                        int count)
{
    for (int i = 0; i < count; i++) {
        const float value = per_density * density[i];
        extinction[i] += value > 0.0f ? value : 0.0f;
    }
}

static int clamp_index(int index, int last) { return index < 0 ? 0 : index < last ? index : last; }

// the curve of one kind of smoke, or none, in which case the extinction is proportional to the density
typedef struct DensityCurve {
    bool present;
    BrumeCubics cubics;
} DensityCurve;

static DensityCurve density_curve(const BrumeCurve *curve)
{
    DensityCurve result = {.present = curve->count > 0};
    if (result.present) {
        result.cubics = brume_curve_cubics(curve);
    }
    return result;
}

// the density that has, without the curve, the extinction that the curve gives to `density`
static float curved(const DensityCurve *curve, float density)
{
    return brume_cubics_at(&curve->cubics, density > 0.0f ? density : 0.0f);
}

// add_extinction of densities to which the curve is applied; NaN counts as 0
static void add_curved_extinction(float *restrict extinction, const float *restrict density, const DensityCurve *curve,
                                  float per_density, int count)
{
    for (int i = 0; i < count; i++) {
        extinction[i] += per_density * curved(curve, density[i]);
    }
}

// extinction below `faint` becomes 0
BRUME_KERNEL static void remove_faint(float *extinction, float faint, int count)
{
    for (int i = 0; i < count; i++) {
        extinction[i] = extinction[i] < faint ? 0.0f : extinction[i];
    }
}

// stores one kind's part of the extinction, 0 where that is 0; the four kinds of a cell are interleaved
static void store_kind(float *restrict kinds, const float *restrict density, const float *restrict extinction,
                       const DensityCurve *curve, float per_density, int count)
{
    for (int i = 0; i < count; i++) {
        const float value = per_density * (curve->present ? curved(curve, density[i]) : density[i]);
        kinds[(ptrdiff_t)BRUME_VOLUME_KINDS * i] = value > 0.0f && extinction[i] > 0.0f ? value : 0.0f;
    }
}

// copies the first of `count` items (`size` floats each, `stride` floats apart) to the item before, the last to that
// after
static void replicate_ends(float *data, ptrdiff_t stride, int count, size_t size)
{
    float *lower_ghosts = data;
    float *upper_ghosts = data + stride * (count + 1);
    memcpy(lower_ghosts, data + stride, size * sizeof *data);
    memcpy(upper_ghosts, upper_ghosts - stride, size * sizeof *data);
}

// the ends of rows first, then whole rows of every plane, then whole planes
void brume_replicate_edges(float *data, BrumeGrid grid, int channels)
{
    const BrumeCellBox whole = brume_whole_box(grid);
    brume_replicate_edges_of_box(data, grid, channels, &whole);
}

void brume_replicate_edges_of_box(float *data, BrumeGrid grid, int channels, const BrumeCellBox *box)
{
    const ptrdiff_t sy = (ptrdiff_t)channels * (grid.nx + 2);
    const ptrdiff_t sz = sy * (grid.ny + 2);
    const ptrdiff_t first = (ptrdiff_t)channels * box->lower[0]; // the ghost before the box, or the cell
    const size_t row = (size_t)channels * (size_t)(box->upper[0] - box->lower[0] + 2);
    if (brume_box_is_empty(*box)) {
        return;
    }
#pragma omp parallel for schedule(static)
    for (int k = box->lower[2] + 1; k <= box->upper[2]; k++) {
        for (int j = box->lower[1] + 1; j <= box->upper[1]; j++) {
            replicate_ends(data + sz * k + sy * j, channels, grid.nx, (size_t)channels);
        }
        replicate_ends(data + sz * k + first, sy, grid.ny, row);
    }
    for (int j = box->lower[1]; j <= box->upper[1] + 1; j++) {
        replicate_ends(data + sy * j + first, sz, grid.nz, row);
    }
}

// A trilinear sample reads the entries i and i + 1 of the padded field, so the majorant of a macro-cell covers one
// entry more than its side.
void brume_grid_medium_find_majorants(BrumeGridMedium *medium)
{
    const BrumeField *field = &medium->extinction;
    const BrumeGrid macro = macro_grid(medium->grid);
    medium->macro_cells = macro;
    memset(medium->majorant, 0, brume_grid_cells(macro) * sizeof *medium->majorant);
    const BrumeCellBox *box = &medium->smoke;
    if (brume_box_is_empty(*box)) {
        brume_grid_medium_find_occupied(medium);
        return;
    }
    // of the padded field, the entries from box->lower to box->upper + 1 may not be 0
    const int first_macro = brume_max_int(box->lower[0] - 1, 0) / BRUME_MACRO_CELL_SIDE;
    const int last_macro = brume_min_int((box->upper[0] + 1) / BRUME_MACRO_CELL_SIDE, macro.nx - 1);
#pragma omp parallel for schedule(static)
    for (int mk = 0; mk < macro.nz; mk++) {
        float *plane = medium->majorant + (ptrdiff_t)mk * macro.ny * macro.nx;
        const int first = brume_max_int(mk * BRUME_MACRO_CELL_SIDE, box->lower[2]);
        const int last = brume_min_int((mk + 1) * BRUME_MACRO_CELL_SIDE, box->upper[2] + 1);
        for (int k = first; k <= last; k++) {
            for (int j = box->lower[1]; j <= box->upper[1] + 1; j++) {
                const float *row = field->data + brume_field_index(field, 0, j, k);
                // the entry between two macro-cells counts for both
                const int upper = j / BRUME_MACRO_CELL_SIDE < macro.ny ? j / BRUME_MACRO_CELL_SIDE : macro.ny - 1;
                const int lower = j > 0 ? (j - 1) / BRUME_MACRO_CELL_SIDE : 0;
                for (int mi = first_macro; mi <= last_macro; mi++) {
                    float largest = 0.0f;
                    for (int i = mi * BRUME_MACRO_CELL_SIDE;
                         i <= (mi + 1) * BRUME_MACRO_CELL_SIDE && i < medium->grid.nx + 2; i++) {
                        largest = row[i] > largest ? row[i] : largest;
                    }
                    float *at_lower = plane + (ptrdiff_t)lower * macro.nx + mi;
                    float *at_upper = plane + (ptrdiff_t)upper * macro.nx + mi;
                    *at_lower = largest > *at_lower ? largest : *at_lower;
                    *at_upper = largest > *at_upper ? largest : *at_upper;
                }
            }
        }
    }
    brume_grid_medium_find_occupied(medium);
}

bool brume_grid_medium_occluder(const BrumeGridMedium *medium, const BrumeRenderSettings *settings, int n, float reach,
                                BrumeVec3 *lower, BrumeVec3 *upper)
{
    const BrumeVec3 around = brume_vec3(reach, reach, reach);
    const int *first = medium->smoke.lower;
    const int *end = medium->smoke.upper;
    if (n < settings->surface_count) {
        brume_shape_bounds(&settings->surfaces[n].shape, lower, upper);
        *lower = brume_scale(brume_sub(*lower, medium->origin), 1.0f / medium->dx);
        *upper = brume_scale(brume_sub(*upper, medium->origin), 1.0f / medium->dx);
    } else {
        *lower = brume_vec3((float)first[0], (float)first[1], (float)first[2]);
        *upper = brume_vec3((float)end[0], (float)end[1], (float)end[2]);
    }
    *lower = brume_sub(*lower, around);
    *upper = brume_add(*upper, around);
    return n < settings->surface_count || !brume_box_is_empty(medium->smoke);
}

void brume_grid_medium_find_occupied(BrumeGridMedium *medium)
{
    BrumeVec3 lower = brume_vec3(INFINITY, INFINITY, INFINITY);
    BrumeVec3 upper = brume_scale(lower, -1.0f);
    const float *majorant = medium->majorant;
    for (int k = 0; k < medium->macro_cells.nz; k++) {
        for (int j = 0; j < medium->macro_cells.ny; j++) {
            for (int i = 0; i < medium->macro_cells.nx; i++, majorant++) {
                if (*majorant > 0.0f) {
                    lower = brume_vec3(brume_fminf(lower.x, (float)i), brume_fminf(lower.y, (float)j),
                                       brume_fminf(lower.z, (float)k));
                    upper = brume_vec3(brume_fmaxf(upper.x, (float)i), brume_fmaxf(upper.y, (float)j),
                                       brume_fmaxf(upper.z, (float)k));
                }
            }
        }
    }
    if (!(lower.x <= upper.x)) {
        lower = brume_vec3(0.0f, 0.0f, 0.0f);
        upper = brume_vec3(-1.0f, -1.0f, -1.0f);
    }
    medium->occupied_lower = brume_scale(lower, BRUME_MACRO_CELL_SIDE);
    medium->occupied_upper = brume_scale(brume_add(upper, brume_vec3(1.0f, 1.0f, 1.0f)), BRUME_MACRO_CELL_SIDE);
}

float brume_field_cubic(const BrumeField *field, int i, int j, int k, float fx, float fy, float fz)
{
    const BrumeGrid grid = field->grid;
    float planes[4];
    for (int dk = 0; dk < 4; dk++) {
        float rows[4];
        for (int dj = 0; dj < 4; dj++) {
            // the ghosts are the first and last entries
            const int row = clamp_index(j + dj - 1, grid.ny + 1);
            const int plane = clamp_index(k + dk - 1, grid.nz + 1);
            const float *a = field->data + brume_field_index(field, 0, row, plane);
            rows[dj] = brume_monotone_cubic(a[clamp_index(i - 1, grid.nx + 1)], a[i],
                                            a[clamp_index(i + 1, grid.nx + 1)], a[clamp_index(i + 2, grid.nx + 1)], fx);
        }
        planes[dk] = brume_monotone_cubic(rows[0], rows[1], rows[2], rows[3], fy);
    }
    return brume_monotone_cubic(planes[0], planes[1], planes[2], planes[3], fz);
}

// ambient + scale * (temperature above ambient), at least 0; NaN counts as ambient
BRUME_KERNEL static void store_temperature(float *restrict kelvin, const float *restrict above_ambient, float ambient,
                                           float scale, int count)
{
    for (int i = 0; i < count; i++) {
        const float absolute = ambient + scale * above_ambient[i];
        const float number = absolute == absolute ? absolute : ambient;
        const float positive = number > 0.0f ? number : 0.0f;
        kelvin[i] = positive < BRUME_BLACKBODY_HOTTEST ? positive : BRUME_BLACKBODY_HOTTEST;
    }
}

// cells around smoke whose temperature is loaded: samples near smoke, and texels of reduced textures, read them
enum { WARM_CELLS = BRUME_MACRO_CELL_SIDE };

static void load_temperature(BrumeGridMedium *medium, const BrumeEmission *emission, const BrumeVolume *volume)
{
    medium->glows = emission->intensity > 0.0f && volume->temperature != NULL;
    if (!medium->glows) {
        return;
    }
    BrumeField *field = &medium->temperature;
    assert(field->data != NULL);
    brume_field_reshape(field, medium->grid);
    brume_blackbody_table_fill(&medium->blackbody, emission);
    const BrumeCellBox box = brume_widened_box(medium->smoke, WARM_CELLS, medium->grid);
#pragma omp parallel for schedule(static)
    for (int k = box.lower[2]; k < box.upper[2]; k++) {
        for (int j = box.lower[1]; j < box.upper[1]; j++) {
            store_temperature(field->data + brume_field_index(field, box.lower[0] + 1, j + 1, k + 1),
                              volume->temperature + volume->sz * k + volume->sy * j + box.lower[0], emission->ambient,
                              emission->temperature_scale, box.upper[0] - box.lower[0]);
        }
    }
    brume_replicate_edges_of_box(field->data, medium->grid, 1, &box);
}

/** Some cells of a row. */
typedef struct RowPart {
    int i, j, k, count;
} RowPart;

// The densities of cells, filtered along each axis by the weights of the quadratic B-spline at its nodes; cells outside
// count as the nearest. Densities that are negative or NaN count as 0.
static void filter_densities(float *restrict filtered, const float *density, const BrumeVolume *volume,
                             const RowPart *part)
{
    static const float weights[] = {0.125f, 0.75f, 0.125f};
    memset(filtered, 0, (size_t)part->count * sizeof *filtered);
    for (int n = 0; n < 27; n++) {
        const int j = clamp_index(part->j + n / 3 % 3 - 1, volume->ny - 1);
        const int k = clamp_index(part->k + n / 9 - 1, volume->nz - 1);
        const float weight = weights[n % 3] * weights[n / 3 % 3] * weights[n / 9];
        const float *row = density + volume->sz * k + volume->sy * j;
        for (int i = 0; i < part->count; i++) {
            const float value = row[clamp_index(part->i + i + n % 3 - 1, volume->nx - 1)];
            filtered[i] += value > 0.0f ? weight * value : 0.0f;
        }
    }
}

// extinction that would absorb and scatter less than 1e-4 of the light across the whole box is set to 0 [1/cell]
static float faint_extinction(const BrumeVolume *volume)
{
    const float nx = (float)volume->nx;
    const float ny = (float)volume->ny;
    const float nz = (float)volume->nz;
    return 1e-4f / sqrtf(nx * nx + ny * ny + nz * nz);
}

// computes extinction and kinds of the cells of a part of a row
static void load_row_part(BrumeGridMedium *medium, const BrumeRenderSettings *settings, const DensityCurve *curves,
                          const BrumeVolume *volume, const RowPart *part)
{
    const ptrdiff_t from = volume->sz * part->k + volume->sy * part->j + part->i;
    const ptrdiff_t to = brume_field_index(&medium->extinction, part->i + 1, part->j + 1, part->k + 1);
    float *extinction = medium->extinction.data + to;
    float *kinds = medium->mixed ? medium->kinds + BRUME_VOLUME_KINDS * to : NULL;
    float filtered[BRUME_VOLUME_KINDS][ROW_PART];
    const float *density[BRUME_VOLUME_KINDS];
    memset(extinction, 0, (size_t)part->count * sizeof(float));
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        density[kind] = volume->density[kind] ? volume->density[kind] + from : NULL;
        if (density[kind] && settings->interpolation == BRUME_INTERPOLATION_SMOOTH) {
            filter_densities(filtered[kind], volume->density[kind], volume, part);
            density[kind] = filtered[kind];
        }
        const float per_density = settings->smoke[kind].extinction * volume->dx;
        if (density[kind] && curves[kind].present) {
            add_curved_extinction(extinction, density[kind], &curves[kind], per_density, part->count);
        } else if (density[kind]) {
            add_extinction(extinction, density[kind], per_density, part->count);
        }
    }
    remove_faint(extinction, faint_extinction(volume), part->count);
    if (!kinds) {
        return;
    }
    memset(kinds, 0, BRUME_VOLUME_KINDS * (size_t)part->count * sizeof(float));
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        if (density[kind]) {
            store_kind(kinds + kind, density[kind], extinction, &curves[kind],
                       settings->smoke[kind].extinction * volume->dx, part->count);
        }
    }
}

// The density that a cell of one kind must exceed to be drawn; all kinds together may have as much. Below 0: any may
// be.
static float least_density(const BrumeVolume *volume, const BrumeRenderSettings *settings, const DensityCurve *curve,
                           int kind)
{
    if (curve->present) {
        return curved(curve, 0.0f) > 0.0f ? -1.0f : 0.0f;
    }
    const float share = faint_extinction(volume) / (float)(BRUME_VOLUME_KINDS + 1); // the rest covers rounding
    return share / (settings->smoke[kind].extinction * volume->dx);
}

BRUME_KERNEL static bool any_above(const float *row, float least, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        found |= row[i] > least;
    }
    return found != 0;
}

// extends a box by the cells from `first` to before `end` of a row whose density is above `least`
static void add_row_to_box(BrumeCellBox *box, const float *row, float least, int first, int end, int j, int k)
{
    if (!any_above(row + first, least, end - first)) {
        return;
    }
    while (!(row[first] > least)) {
        first++;
    }
    while (!(row[end - 1] > least)) {
        end--;
    }
    const BrumeCellBox added = {{first, j, k}, {end, j + 1, k + 1}};
    brume_box_add(box, &added);
}

// The cells that may have extinction when a volume is loaded. Filters and solids take it from their neighbors.
static BrumeCellBox find_smoke(const BrumeVolume *volume, const BrumeRenderSettings *settings,
                               const DensityCurve *curves)
{
    const BrumeGrid grid = brume_grid(volume->nx, volume->ny, volume->nz);
    const BrumeCellBox all = brume_box_is_empty(volume->filled) ? brume_whole_box(grid) : volume->filled;
    BrumeCellBox smoke = brume_no_cells;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        const float least = least_density(volume, settings, &curves[kind], kind);
        if (volume->density[kind] == NULL) {
            continue;
        }
        if (least < 0.0f) {
            return brume_whole_box(grid);
        }
        int lower[3] = {smoke.lower[0], smoke.lower[1], smoke.lower[2]};
        int upper[3] = {smoke.upper[0], smoke.upper[1], smoke.upper[2]};
#pragma omp parallel for schedule(static) reduction(min : lower) reduction(max : upper)
        for (int k = all.lower[2]; k < all.upper[2]; k++) {
            BrumeCellBox own = brume_no_cells;
            for (int j = all.lower[1]; j < all.upper[1]; j++) {
                const float *densities = volume->density[kind] + volume->sz * k + volume->sy * j;
                add_row_to_box(&own, densities, least, all.lower[0], all.upper[0], j, k);
            }
            for (int axis = 0; axis < 3; axis++) {
                lower[axis] = brume_min_int(lower[axis], own.lower[axis]);
                upper[axis] = brume_max_int(upper[axis], own.upper[axis]);
            }
        }
        smoke = (BrumeCellBox){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
    }
    if (brume_box_is_empty(smoke)) {
        return (BrumeCellBox){0};
    }
    const int filtered = settings->interpolation == BRUME_INTERPOLATION_SMOOTH ? 1 : 0;
    return brume_widened_box(smoke, filtered + (settings->surface_count > 0 ? 1 : 0), grid);
}

// sets the loaded cells and their ghosts in an array of a number of channels to 0
static void clear_loaded(float *data, const BrumeGridMedium *medium, int channels)
{
    const BrumeCellBox box = brume_widened_box(medium->smoke, WARM_CELLS, medium->grid);
    const size_t row = (size_t)channels * (size_t)(box.upper[0] - box.lower[0] + 2);
#pragma omp parallel for schedule(static)
    for (int k = box.lower[2]; k <= box.upper[2] + 1; k++) {
        for (int j = box.lower[1]; j <= box.upper[1] + 1; j++) {
            float *from = data + channels * brume_field_index(&medium->extinction, box.lower[0], j, k);
            memset(from, 0, row * sizeof *data);
        }
    }
}

void brume_grid_medium_load(BrumeGridMedium *medium, const BrumeRenderSettings *settings, const BrumeVolume *volume)
{
    float *const fields[] = {medium->extinction.data, medium->temperature.data, medium->kinds};
    for (int n = 0; n < 3 && medium->grid.nx > 0; n++) {
        if (fields[n] != NULL && !brume_box_is_empty(medium->smoke)) {
            clear_loaded(fields[n], medium, n == 2 ? BRUME_VOLUME_KINDS : 1);
        }
    }
    medium->grid = brume_grid(volume->nx, volume->ny, volume->nz);
    medium->dx = volume->dx;
    medium->origin = volume->origin;
    BrumeField *field = &medium->extinction;
    brume_field_reshape(field, medium->grid);

    medium->mixed = false;
    int present = -1;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        if (volume->density[kind] == NULL) {
            continue;
        }
        medium->mixed |=
            present >= 0 && !brume_same_albedo(settings->smoke[present].albedo, settings->smoke[kind].albedo);
        present = present >= 0 ? present : kind;
    }
    medium->albedo = settings->smoke[present >= 0 ? present : 0].albedo;
    assert(!medium->mixed || medium->kinds != NULL);

    DensityCurve curves[BRUME_VOLUME_KINDS];
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        curves[kind] = density_curve(&settings->density_curve[kind]);
    }
    const BrumeCellBox box = find_smoke(volume, settings, curves);
    medium->smoke = box;
#pragma omp parallel for schedule(static)
    for (int k = box.lower[2]; k < box.upper[2]; k++) {
        for (int j = box.lower[1]; j < box.upper[1]; j++) {
            for (int i = box.lower[0]; i < box.upper[0]; i += ROW_PART) {
                const RowPart part = {i, j, k, brume_min_int(box.upper[0] - i, ROW_PART)};
                load_row_part(medium, settings, curves, volume, &part);
            }
        }
    }
    const BrumeMediumCells cells = {
        .extinction = field,
        .box = box,
        .kinds = medium->mixed ? medium->kinds : NULL,
        .dx = medium->dx,
        .origin = medium->origin,
        .inside = medium->inside_solids,
    };
    brume_extend_into_solids(&cells, settings);
    brume_fade_edges(&cells, settings);
    brume_replicate_edges_of_box(field->data, medium->grid, 1, &box);
    if (medium->mixed) {
        brume_replicate_edges_of_box(medium->kinds, medium->grid, BRUME_VOLUME_KINDS, &box);
    }
    medium->cubic = settings->interpolation == BRUME_INTERPOLATION_CUBIC;
    load_temperature(medium, &settings->emission, volume);
    brume_grid_medium_find_majorants(medium);
    medium->moving = false;
    medium->has_velocity = false;
}
