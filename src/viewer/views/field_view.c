// Scalar quantities of a snapshot at the cell centers, and their color scales.
#include "viewer/views/field_view.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <assert.h>
#include <string.h>

static const BrumeColorScale quantities[BRUME_VIEW_COUNT] = {
    [BRUME_VIEW_SMOKE] = {.name = "density", .unit = ""},
    [BRUME_VIEW_TEMPERATURE] = {.name = "temperature", .unit = "K"},
    [BRUME_VIEW_VELOCITY] = {.name = "speed", .unit = "m/s"},
    [BRUME_VIEW_VORTICITY] = {.name = "vorticity", .unit = "1/s"},
    [BRUME_VIEW_PRESSURE] = {.name = "pressure", .unit = "m\u00b2/s\u00b2", .is_signed = true},
    [BRUME_VIEW_ISOSURFACE] = {.name = "density", .unit = ""},
};

// smallest upper end of a scale, so that rounding errors of air at rest are not amplified to full color
static const float min_end[BRUME_VIEW_COUNT] = {
    [BRUME_VIEW_SMOKE] = 0.01f,    [BRUME_VIEW_TEMPERATURE] = 0.1f, [BRUME_VIEW_VELOCITY] = 0.01f,
    [BRUME_VIEW_VORTICITY] = 0.1f, [BRUME_VIEW_PRESSURE] = 1e-4f,   [BRUME_VIEW_ISOSURFACE] = 0.01f,
};

const char *brume_view_name(BrumeViewKind view)
{
    static const char *const names[BRUME_VIEW_COUNT] = {"smoke",     "temperature", "velocity",
                                                        "vorticity", "pressure",    "isosurface"};
    assert(view >= 0 && view < BRUME_VIEW_COUNT);
    return names[view];
}

const char *brume_view_missing_quantity(BrumeViewKind view, const BrumeSnapshotVariant *variant)
{
    static const BrumeFieldId needed[BRUME_VIEW_COUNT] = {
        [BRUME_VIEW_SMOKE] = BRUME_FIELD_DENSITY,     [BRUME_VIEW_TEMPERATURE] = BRUME_FIELD_TEMPERATURE,
        [BRUME_VIEW_VELOCITY] = BRUME_FIELD_U,        [BRUME_VIEW_VORTICITY] = BRUME_FIELD_U,
        [BRUME_VIEW_PRESSURE] = BRUME_FIELD_PRESSURE, [BRUME_VIEW_ISOSURFACE] = BRUME_FIELD_DENSITY,
    };
    assert(view >= 0 && view < BRUME_VIEW_COUNT);
    if (variant->fields[needed[view]].data) {
        return NULL;
    }
    return needed[view] == BRUME_FIELD_U ? "velocity" : quantities[view].name;
}

// computes a row of |u|, averaged from the faces of each cell
static void speed_row(float *restrict out, const float *u, const float *v, const float *w, ptrdiff_t sy, ptrdiff_t sz,
                      int count)
{
    for (int i = 0; i < count; i++) {
        const float x = u[i] + u[i + 1];
        const float y = v[i] + v[i + sy];
        const float z = w[i] + w[i + sz];
        out[i] = 0.5f * sqrtf(x * x + y * y + z * z);
    }
}

static void add_row(float *restrict out, const float *restrict in, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] += in[i];
    }
}

// the two cells of a finite difference along one axis: the neighbors, or the cell itself where there is none
typedef struct Difference {
    ptrdiff_t lower, upper; ///< offsets in a field
    float factor;           ///< 1 / (2 * distance) [1/m]; 2 because the value at a center is the mean of two faces
} Difference;

// a difference between the existing neighbors of a cell along one axis: central, one-sided, or 0
static Difference difference(bool has_lower, bool has_upper, ptrdiff_t stride, float dx)
{
    const int cells = (int)has_lower + (int)has_upper;
    return (Difference){
        .lower = has_lower ? -stride : 0,
        .upper = has_upper ? stride : 0,
        .factor = cells > 0 ? 0.5f / ((float)cells * dx) : 0.0f,
    };
}

// returns the derivative along one axis of a velocity component at a cell center
static inline float slope(const float *faces, ptrdiff_t to_upper_face, Difference b)
{
    return b.factor *
           ((faces[b.upper] + faces[b.upper + to_upper_face]) - (faces[b.lower] + faces[b.lower + to_upper_face]));
}

// |curl u| at a cell center
static inline float curl(const float *u, const float *v, const float *w, ptrdiff_t sy, ptrdiff_t sz, Difference x,
                         Difference y, Difference z)
{
    const float about_x = slope(w, sz, y) - slope(v, sy, z);
    const float about_y = slope(u, 1, z) - slope(w, sz, x);
    const float about_z = slope(v, sy, x) - slope(u, 1, y);
    return sqrtf(about_x * about_x + about_y * about_y + about_z * about_z);
}

// computes a row of |curl u| by central differences, one-sided at the sides of the box
static void curl_row(const BrumeSnapshotVariant *variant, int j, int k, float *out)
{
    const BrumeField *shape = &variant->fields[BRUME_FIELD_U];
    const BrumeGrid grid = shape->grid;
    const ptrdiff_t sy = shape->sy;
    const ptrdiff_t sz = shape->sz;
    const ptrdiff_t first = brume_field_index(shape, 1, j, k);
    const float *u = variant->fields[BRUME_FIELD_U].data + first;
    const float *v = variant->fields[BRUME_FIELD_V].data + first;
    const float *w = variant->fields[BRUME_FIELD_W].data + first;
    const float dx = variant->settings.dx;
    const Difference y = difference(j > 1, j < grid.ny, sy, dx);
    const Difference z = difference(k > 1, k < grid.nz, sz, dx);
    const Difference middle = difference(true, true, 1, dx);
    for (int i = 1; i < grid.nx - 1; i++) {
        out[i] = curl(u + i, v + i, w + i, sy, sz, middle, y, z);
    }
    const int last = grid.nx - 1;
    out[0] = curl(u, v, w, sy, sz, difference(false, last > 0, 1, dx), y, z);
    out[last] = curl(u + last, v + last, w + last, sy, sz, difference(last > 0, false, 1, dx), y, z);
}

static bool is_solid(const BrumeSimDef *def, int i, int j, int k)
{
    const BrumeVec3 center =
        brume_add(def->origin, brume_scale(brume_vec3((float)i - 0.5f, (float)j - 0.5f, (float)k - 0.5f), def->dx));
    for (int n = 0; n < def->body_count; n++) {
        if (!def->bodies[n].disabled && brume_shape_distance(&def->bodies[n].shape, center) < 0.0f) {
            return true;
        }
    }
    return false;
}

// finds the cells along one axis whose centers, or whose neighbors' centers, may lie in a body
static void covered_cells(float lower, float upper, float origin, float dx, int cells, int *from, int *to)
{
    *from = (int)fminf(fmaxf(floorf((lower - origin) / dx), 1.0f), (float)cells);
    *to = (int)fminf(fmaxf(ceilf((upper - origin) / dx) + 1.0f, 1.0f), (float)cells);
}

// Computes the curl near bodies again, with differences between air cells only. A difference across the surface of
// a body would show air that slips along it as a vortex sheet.
static void curl_around_bodies(const BrumeSnapshotVariant *variant, BrumeField *values)
{
    BrumeSimDef placed = variant->settings;
    placed.origin = variant->origin;
    const BrumeSimDef *def = &placed;
    for (int n = 0; n < placed.body_count; n++) {
        placed.bodies[n].shape = brume_body_shape(&variant->settings, n);
        placed.bodies[n].disabled = !brume_body_is_solid(&placed.bodies[n]);
    }
    const BrumeField *shape = &variant->fields[BRUME_FIELD_U];
    const BrumeGrid grid = shape->grid;
    const float *u = variant->fields[BRUME_FIELD_U].data;
    const float *v = variant->fields[BRUME_FIELD_V].data;
    const float *w = variant->fields[BRUME_FIELD_W].data;
    for (int n = 0; n < def->body_count; n++) {
        BrumeVec3 lower;
        BrumeVec3 upper;
        brume_shape_bounds(&def->bodies[n].shape, &lower, &upper);
        int i0, i1, j0, j1, k0, k1;
        covered_cells(lower.x, upper.x, def->origin.x, def->dx, grid.nx, &i0, &i1);
        covered_cells(lower.y, upper.y, def->origin.y, def->dx, grid.ny, &j0, &j1);
        covered_cells(lower.z, upper.z, def->origin.z, def->dx, grid.nz, &k0, &k1);
#pragma omp parallel for schedule(static)
        for (int k = k0; k <= k1; k++) {
            for (int j = j0; j <= j1; j++) {
                for (int i = i0; i <= i1; i++) {
                    float *value = values->data + brume_field_index(values, i, j, k);
                    if (is_solid(def, i, j, k)) {
                        *value = 0.0f;
                        continue;
                    }
                    const ptrdiff_t c = brume_field_index(shape, i, j, k);
                    *value = curl(u + c, v + c, w + c, shape->sy, shape->sz,
                                  difference(i > 1 && !is_solid(def, i - 1, j, k),
                                             i < grid.nx && !is_solid(def, i + 1, j, k), 1, def->dx),
                                  difference(j > 1 && !is_solid(def, i, j - 1, k),
                                             j < grid.ny && !is_solid(def, i, j + 1, k), shape->sy, def->dx),
                                  difference(k > 1 && !is_solid(def, i, j, k - 1),
                                             k < grid.nz && !is_solid(def, i, j, k + 1), shape->sz, def->dx));
                }
            }
        }
    }
}

// computes the quantity of a view in a row of cells
static void fill_row(BrumeViewKind view, const BrumeSnapshotVariant *variant, int j, int k, float *out)
{
    const BrumeField *fields = variant->fields;
    const BrumeField *shape = &fields[BRUME_FIELD_DENSITY];
    const ptrdiff_t first = brume_field_index(shape, 1, j, k);
    const size_t bytes = (size_t)shape->grid.nx * sizeof *out;
    switch (view) {
    case BRUME_VIEW_TEMPERATURE:
        memcpy(out, fields[BRUME_FIELD_TEMPERATURE].data + first, bytes);
        break;
    case BRUME_VIEW_PRESSURE:
        memcpy(out, fields[BRUME_FIELD_PRESSURE].data + first, bytes);
        break;
    case BRUME_VIEW_VELOCITY:
        speed_row(out, fields[BRUME_FIELD_U].data + first, fields[BRUME_FIELD_V].data + first,
                  fields[BRUME_FIELD_W].data + first, shape->sy, shape->sz, shape->grid.nx);
        break;
    case BRUME_VIEW_VORTICITY:
        curl_row(variant, j, k, out);
        break;
    default: // smoke
        memset(out, 0, bytes);
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            const float *density = fields[BRUME_FIELD_DENSITY + kind].data;
            if (density != NULL) {
                add_row(out, density + first, shape->grid.nx);
            }
        }
        break;
    }
}

// returns |value|; with `below_zero` 0 for positive values
static inline float size_of(float value, bool below_zero) { return below_zero ? fmaxf(-value, 0.0f) : fabsf(value); }

// returns the largest |value| that is smaller than `limit`
static float largest_below(const BrumeField *values, bool below_zero, float limit)
{
    float largest = 0.0f;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (int k = 1; k <= values->grid.nz; k++) {
        for (int j = 1; j <= values->grid.ny; j++) {
            const float *row = values->data + brume_field_index(values, 1, j, k);
            for (int i = 0; i < values->grid.nx; i++) {
                const float size = size_of(row[i], below_zero);
                largest = size < limit && size > largest ? size : largest;
            }
        }
    }
    return largest;
}

// Returns the largest |value|, of all values or of negative ones, without the largest 1 in 2000, which would make all
// others dark. Values are counted in bins by exponent and leading bits of the mantissa, so that the range need not be
// known in advance. Values that are not finite are ignored.
static float robust_maximum(const BrumeField *values, bool below_zero)
{
    enum { EXCLUDE_ONE_IN = 2000, MANTISSA_BITS = 4, BINS = 255 << MANTISSA_BITS, SHIFT = 23 - MANTISSA_BITS };
    int bins[BINS] = {0};
#pragma omp parallel for schedule(static) reduction(+ : bins)
    for (int k = 1; k <= values->grid.nz; k++) {
        for (int j = 1; j <= values->grid.ny; j++) {
            const float *row = values->data + brume_field_index(values, 1, j, k);
            for (int i = 0; i < values->grid.nx; i++) {
                const float size = size_of(row[i], below_zero);
                uint32_t bits;
                memcpy(&bits, &size, sizeof bits);
                if (size < INFINITY) {
                    bins[bits >> SHIFT]++;
                }
            }
        }
    }
    const size_t excluded = brume_grid_cells(values->grid) / EXCLUDE_ONE_IN;
    size_t above = 0;
    int bin = BINS - 1;
    for (; bin > 0; bin--) {
        above += (size_t)bins[bin];
        if (above > excluded) {
            break;
        }
    }
    const uint32_t bits = (uint32_t)(bin + 1) << SHIFT; // the bin's upper end
    float end;
    memcpy(&end, &bits, sizeof end);
    return largest_below(values, below_zero, end);
}

// returns the smallest of 1, 2 or 5 times a power of ten that is not below `value`
static float round_up(float value)
{
    const double power = pow(10.0, floor(log10((double)value)));
    const double steps[] = {1.0, 2.0, 5.0};
    for (int n = 0; n < 3; n++) {
        const float end = (float)(steps[n] * power);
        if (value <= end) {
            return end;
        }
    }
    return (float)(10.0 * power);
}

// Whether a scale has 0 in its middle: for a signed quantity, and for temperatures where the ones below ambient are not
// small compared with the ones above. A signed scale stays signed until they are a few times smaller.
static bool is_signed_scale(BrumeViewKind view, const BrumeField *values, float largest,
                            const BrumeColorScale *previous)
{
    if (view != BRUME_VIEW_TEMPERATURE) {
        return quantities[view].is_signed;
    }
    const float share = previous != NULL && previous->is_signed ? 0.02f : 0.05f;
    return robust_maximum(values, true) >= share * largest;
}

BrumeColorScale brume_evaluate_view(BrumeViewKind view, const BrumeSnapshotVariant *variant,
                                    const BrumeColorScale *previous, BrumeField *values)
{
    const BrumeGrid grid = variant->fields[BRUME_FIELD_DENSITY].grid;
    assert(values->grid.nx == grid.nx && values->grid.ny == grid.ny && values->grid.nz == grid.nz);
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            fill_row(view, variant, j, k, values->data + brume_field_index(values, 1, j, k));
        }
    }
    if (view == BRUME_VIEW_VORTICITY) {
        curl_around_bodies(variant, values);
    }

    BrumeColorScale scale = quantities[view];
    const float largest = fmaxf(robust_maximum(values, false), min_end[view]);
    scale.upper = round_up(largest);
    previous = previous != NULL && previous->name == scale.name ? previous : NULL;
    scale.is_signed = is_signed_scale(view, values, largest, previous);
    if (previous != NULL) {
        // the end grows at once; it shrinks when the largest value is at least 20 % below the smaller end
        const float with_margin = round_up(1.25f * largest);
        const float shrunk = with_margin < previous->upper ? with_margin : previous->upper;
        scale.upper = largest > previous->upper ? scale.upper : shrunk;
    }
    scale.lower = scale.is_signed ? -scale.upper : 0.0f;
    return scale;
}
