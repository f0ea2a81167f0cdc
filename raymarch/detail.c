/*
 * Detail below the size of cells. The finer density is the density of the cells at a displaced point, x + a(x) D(x): D
 * is noise without divergence of wavelengths below the grid's, sampled at texture coordinates that the flow carries. As
 * small eddies would, the displacement folds the edges of the smoke and leaves its even parts alone.
 *
 * The amplitude a follows from the smoke itself. Its finest octave that the transport does not damp, the difference of
 * two Gaussian filters, has the local energy E; in an inertial range every octave below has 2^(-5/3) of the energy of
 * the one before (Kim, Thuerey, James, Gross 2008, "Wavelet turbulence"). A small displacement of rms length a changes
 * the density by a |grad rho| / sqrt(3), of which the energy follows:
 *
 *     a = strength (scale / 8)^(5/6) sqrt(3 E / |grad rho|^2)
 *
 * for an octave with waves of up to `scale` cells, of which the measured one has 8. Smooth smoke has none.
 *
 * Means: the density is multiplied by rho / mean, interpolated linearly between the coarse cells, twice, which brings
 * the means of the fine cells close to the density of their coarse cell without steps at its faces, and then by the
 * factor that is left in each cell. Factors keep the density positive, and empty cells empty.
 */
#include "raymarch/detail.h"

#include "core/error.h"
#include "core/memory.h"
#include "raymarch/fast_math.h"
#include "raymarch/grid_medium.h"
#include "raymarch/medium_motion.h"
#include "raymarch/smooth_field.h"
#include "raymarch/texture_noise.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    TOTAL = 0,    // of the coarse fields: extinction of all kinds, relative
    SMOOTH = 1,   // scratch; then the density of one kind
    ENERGY = 2,   // of the octave; then the amplitude [cells]
    GRADIENT = 3, // squared; then the factor that corrects the mean
    COARSE_FIELDS = 4,
    SMOOTH_CORRECTIONS = 2,
};
static const float MEASURED_WAVELENGTH = 8.0f;  // the longest of the octave of which the energy is measured [cells]
static const float LARGEST_DISPLACEMENT = 1.5f; // root mean square [cells]
static const float OCTAVE_RATIO = 0.561231f;    // 2^(-5/6), of amplitudes

void brume_detail_destroy(BrumeDetailMemory *memory)
{
    brume_wavelet_noise_destroy(&memory->noise);
    for (int n = 0; n < COARSE_FIELDS; n++) {
        brume_field_destroy(&memory->coarse[n]);
    }
    brume_free(memory->texture);
    brume_free(memory->fine);
    *memory = (BrumeDetailMemory){0};
}

// cells along an axis; numbers that no renderer accepts stay as they are instead of overflowing
static int fine_cells(int cells, int factor) { return cells < 1 << 24 ? factor * cells : cells; }

BrumeGrid brume_detail_grid(const BrumeDetail *detail, BrumeGrid coarse)
{
    const int factor = detail->factor > 1 && detail->factor <= BRUME_MAX_DETAIL_FACTOR ? detail->factor : 1;
    return brume_grid(fine_cells(coarse.nx, factor), fine_cells(coarse.ny, factor), fine_cells(coarse.nz, factor));
}

// floats of the texture coordinates of all layers: four channels at each entry of the padded grid
static size_t texture_entries(BrumeGrid coarse)
{
    return 4 * (size_t)BRUME_TEXTURE_LAYERS * brume_grid_entries(coarse);
}

// number of arrays of the finer volume
static size_t fine_arrays(const BrumeRenderSettings *settings, int kinds, bool has_temperature, bool has_velocity)
{
    return (size_t)kinds + (has_temperature && settings->emission.intensity > 0.0f ? 1 : 0) +
           (has_velocity && brume_needs_velocity(settings) ? 3 : 0);
}

size_t brume_detail_bytes_needed(const BrumeRenderSettings *settings, BrumeGrid coarse, int kinds)
{
    if (!brume_detail_is_on(&settings->detail)) {
        return 0;
    }
    const size_t cells = brume_grid_cells(brume_detail_grid(&settings->detail, coarse));
    return brume_wavelet_noise_bytes() + (COARSE_FIELDS * brume_grid_entries(coarse) + texture_entries(coarse) +
                                          fine_arrays(settings, kinds, true, true) * cells) *
                                             sizeof(float);
}

size_t brume_detail_bytes(const BrumeDetailMemory *memory)
{
    const size_t of_texture = (size_t)4 * BRUME_TEXTURE_LAYERS * memory->coarse_entries;
    return (memory->noise.potential != NULL ? brume_wavelet_noise_bytes() : 0) +
           (COARSE_FIELDS * memory->coarse_entries + of_texture + memory->fine_entries) * sizeof(float);
}

static BrumeStatus reserve_memory(BrumeDetailMemory *memory, BrumeGrid coarse, size_t fine_entries, BrumeError *error)
{
    if (memory->noise.potential == NULL && brume_wavelet_noise_create(&memory->noise, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    if (brume_grid_entries(coarse) > memory->coarse_entries) {
        brume_free(memory->texture);
        memory->texture = NULL;
        memory->coarse_entries = 0;
        for (int n = 0; n < COARSE_FIELDS; n++) {
            brume_field_destroy(&memory->coarse[n]);
        }
        for (int n = 0; n < COARSE_FIELDS; n++) {
            if (brume_field_create(&memory->coarse[n], coarse, error) != BRUME_OK) {
                return BRUME_FAILED;
            }
        }
        memory->texture = brume_alloc_untouched(texture_entries(coarse), sizeof(float));
        if (memory->texture == NULL) {
            return brume_out_of_memory(error, "the detail of smoke");
        }
        memory->coarse_entries = brume_grid_entries(coarse);
    }
    if (fine_entries > memory->fine_entries) {
        brume_free(memory->fine);
        memory->fine_entries = 0;
        memory->fine = brume_alloc_untouched(fine_entries, sizeof(float));
        if (memory->fine == NULL) {
            return brume_out_of_memory(error, "the detail of smoke");
        }
        memory->fine_entries = fine_entries;
    }
    for (int n = 0; n < COARSE_FIELDS; n++) {
        brume_field_reshape(&memory->coarse[n], coarse);
    }
    return BRUME_OK;
}

static float positive_or_zero(float density) { return density > 0.0f ? density : 0.0f; } // NaN becomes 0

// copies the densities of a kind into a padded field; negative values and NaN become 0
static void load_density(BrumeField *field, const BrumeVolume *volume, int kind)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < volume->nz; k++) {
        for (int j = 0; j < volume->ny; j++) {
            const float *from = volume->density[kind] + volume->sz * k + volume->sy * j;
            float *to = field->data + brume_field_index(field, 1, j + 1, k + 1);
            for (int i = 0; i < volume->nx; i++) {
                to[i] = positive_or_zero(from[i]);
            }
        }
    }
    brume_replicate_edges(field->data, field->grid, 1);
}

// the extinction of all kinds together, relative to the extinction of the first at a density of 1
static void load_total(BrumeField *total, BrumeField *scratch, const BrumeRenderSettings *settings,
                       const BrumeVolume *volume)
{
    brume_field_fill(total, 0.0f);
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        if (volume->density[kind] == NULL) {
            continue;
        }
        load_density(scratch, volume, kind);
        const float weight = settings->smoke[kind].extinction;
        const ptrdiff_t entries = (ptrdiff_t)brume_grid_entries(total->grid);
#pragma omp parallel for schedule(static)
        for (ptrdiff_t n = 0; n < entries; n++) {
            total->data[n] += weight * scratch->data[n];
        }
    }
}

// sets ENERGY to the square of the octave, the difference of two Gaussian filters, and GRADIENT to the squared gradient
static void measure_octave(BrumeDetailMemory *memory)
{
    const BrumeField *total = &memory->coarse[TOTAL];
    BrumeField *energy = &memory->coarse[ENERGY];
    BrumeField *gradient = &memory->coarse[GRADIENT];
    const BrumeGrid grid = total->grid;
    brume_field_copy(energy, total);
    brume_smooth_field(energy, &memory->coarse[SMOOTH], 1);
    brume_field_copy(gradient, energy);
    brume_smooth_field(gradient, &memory->coarse[SMOOTH], 2); // now twice
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(total, i, j, k);
                const float octave = energy->data[at] - gradient->data[at];
                const float *a = total->data + at; // the ghosts repeat the outermost cells
                const float x = 0.5f * (a[1] - a[-1]);
                const float y = 0.5f * (a[total->sy] - a[-total->sy]);
                const float z = 0.5f * (a[total->sz] - a[-total->sz]);
                energy->data[at] = octave * octave;
                gradient->data[at] = x * x + y * y + z * z;
            }
        }
    }
}

// replaces the energy by the rms length of the displacement of the first octave [cells]
static void find_amplitude(BrumeDetailMemory *memory, const BrumeDetail *detail)
{
    BrumeField *energy = &memory->coarse[ENERGY];
    BrumeField *gradient = &memory->coarse[GRADIENT];
    measure_octave(memory);
    brume_smooth_field(energy, &memory->coarse[SMOOTH], 1);
    brume_smooth_field(energy, &memory->coarse[SMOOTH], 1);
    brume_smooth_field(gradient, &memory->coarse[SMOOTH], 1);
    brume_smooth_field(gradient, &memory->coarse[SMOOTH], 1);
    const float ratio = detail->strength * brume_powf(detail->scale / MEASURED_WAVELENGTH, 5.0f / 6.0f);
    const BrumeGrid grid = energy->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(energy, i, j, k);
                const float slope = gradient->data[at];
                const float length = slope > 0.0f ? ratio * sqrtf(3.0f * energy->data[at] / slope) : 0.0f;
                energy->data[at] = brume_clamp(length, 0.0f, LARGEST_DISPLACEMENT);
            }
        }
    }
    brume_replicate_edges(energy->data, grid, 1);
}

static float finite_or_zero(float value) { return isfinite(value) ? brume_clamp(value, -1e6f, 1e6f) : 0.0f; }

// copies the texture coordinates of one layer [cells]; the fourth channel is set by brume_store_texture_amplitude
static void load_layer(float *layer, const BrumeField *shape, const BrumeVolume *volume, int n)
{
    const float per_meter = 1.0f / volume->dx;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < volume->nz; k++) {
        for (int j = 0; j < volume->ny; j++) {
            float *to = layer + 4 * brume_field_index(shape, 1, j + 1, k + 1);
            for (int i = 0; i < volume->nx; i++, to += 4) {
                const ptrdiff_t at = i * volume->texture_sx + j * volume->texture_sy + k * volume->texture_sz;
                for (int axis = 0; axis < 3; axis++) {
                    const float *from = volume->texture[n][axis];
                    to[axis] = from != NULL ? finite_or_zero(per_meter * from[at]) : 0.0f;
                }
                to[3] = 0.0f;
            }
        }
    }
    brume_replicate_edges(layer, shape->grid, 4);
}

static float cubic_at(const BrumeField *field, BrumeVec3 point)
{
    BrumeVec3 f;
    const int i = brume_split_position(point.x, field->grid.nx, &f.x);
    const int j = brume_split_position(point.y, field->grid.ny, &f.y);
    const int k = brume_split_position(point.z, field->grid.nz, &f.z);
    return brume_field_cubic(field, i, j, k, f.x, f.y, f.z);
}

static float linear_at(const BrumeField *field, BrumeVec3 point)
{
    BrumeVec3 f;
    const int i = brume_split_position(point.x, field->grid.nx, &f.x);
    const int j = brume_split_position(point.y, field->grid.ny, &f.y);
    const int k = brume_split_position(point.z, field->grid.nz, &f.z);
    const float *a = field->data + brume_field_index(field, i, j, k);
    return brume_trilinear(a, 1, field->sy, field->sz, f.x, f.y, f.z);
}

// the arrays that are computed from the coarse volume
typedef struct Refinement {
    const BrumeDetailMemory *memory;
    BrumeTextureNoise noise;
    int factor;
    BrumeGrid coarse, fine;
} Refinement;

// the first fine cell of row (j, k) of coarse cell i
static ptrdiff_t fine_index(const Refinement *self, int i, int j, int k)
{
    return ((ptrdiff_t)k * self->fine.ny + j) * self->fine.nx + i;
}

static float fine_cell_center(const Refinement *self, int fine_cell)
{
    return ((float)fine_cell + 0.5f) / (float)self->factor;
}

// samples a field at the displaced centers of fine cells with smoke; others get `elsewhere` times the coarse value
static void displace(const Refinement *self, const BrumeField *field, float elsewhere, float *fine)
{
    const BrumeField *total = &self->memory->coarse[TOTAL];
    const int factor = self->factor;
#pragma omp parallel for schedule(dynamic)
    for (int kf = 0; kf < self->fine.nz; kf++) {
        for (int jf = 0; jf < self->fine.ny; jf++) {
            for (int i_f = 0; i_f < self->fine.nx; i_f++) {
                const ptrdiff_t at = brume_field_index(total, i_f / factor + 1, jf / factor + 1, kf / factor + 1);
                float *to = fine + fine_index(self, i_f, jf, kf);
                if (!(total->data[at] > 0.0f)) {
                    *to = elsewhere * field->data[at];
                    continue;
                }
                const BrumeVec3 point = {fine_cell_center(self, i_f), fine_cell_center(self, jf),
                                         fine_cell_center(self, kf)};
                const BrumeVec3 from = brume_texture_noise_at(&self->noise, total, point);
                *to = cubic_at(field, brume_add(point, from));
            }
        }
    }
}

// the sum of the fine cells in a coarse cell
static float sum_of_cell(const Refinement *self, const float *fine, int i, int j, int k)
{
    const int factor = self->factor;
    float sum = 0.0f;
    for (int c = 0; c < factor; c++) {
        for (int b = 0; b < factor; b++) {
            const float *row = fine + fine_index(self, i * factor, j * factor + b, k * factor + c);
            for (int a = 0; a < factor; a++) {
                sum += row[a];
            }
        }
    }
    return sum;
}

// replaces the values v of the fine cells in a coarse cell by factor_of_values * v + value
static void set_cell(const Refinement *self, float *fine, int i, int j, int k, float factor_of_values, float value)
{
    const int factor = self->factor;
    for (int c = 0; c < factor; c++) {
        for (int b = 0; b < factor; b++) {
            float *row = fine + fine_index(self, i * factor, j * factor + b, k * factor + c);
            for (int a = 0; a < factor; a++) {
                row[a] = factor_of_values * row[a] + value;
            }
        }
    }
}

// the factor of each coarse cell that makes its mean equal to the coarse density; 1 in empty cells
static void find_corrections(const Refinement *self, const BrumeField *density, const float *fine, BrumeField *factors)
{
    const float cells = (float)(self->factor * self->factor * self->factor);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < self->coarse.nz; k++) {
        for (int j = 0; j < self->coarse.ny; j++) {
            for (int i = 0; i < self->coarse.nx; i++) {
                const ptrdiff_t at = brume_field_index(density, i + 1, j + 1, k + 1);
                const float mean = sum_of_cell(self, fine, i, j, k) / cells;
                const float wanted = density->data[at];
                factors->data[at] = mean > 0.0f && wanted > 0.0f ? brume_clamp(wanted / mean, 0.25f, 4.0f) : 1.0f;
            }
        }
    }
    brume_replicate_edges(factors->data, factors->grid, 1);
}

// multiplies the fine densities by the factors of the coarse cells, interpolated linearly
static void correct_smoothly(const Refinement *self, const BrumeField *factors, float *fine)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < self->fine.nz; k++) {
        for (int j = 0; j < self->fine.ny; j++) {
            float *row = fine + fine_index(self, 0, j, k);
            for (int i = 0; i < self->fine.nx; i++) {
                if (row[i] > 0.0f) {
                    const BrumeVec3 point = {fine_cell_center(self, i), fine_cell_center(self, j),
                                             fine_cell_center(self, k)};
                    row[i] *= linear_at(factors, point);
                }
            }
        }
    }
}

// makes the mean of each coarse cell exact; one that has lost all its smoke gets it back evenly
static void correct_cells(const Refinement *self, const BrumeField *density, float *fine)
{
    const float cells = (float)(self->factor * self->factor * self->factor);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < self->coarse.nz; k++) {
        for (int j = 0; j < self->coarse.ny; j++) {
            for (int i = 0; i < self->coarse.nx; i++) {
                const float wanted = density->data[brume_field_index(density, i + 1, j + 1, k + 1)];
                const float mean = sum_of_cell(self, fine, i, j, k) / cells;
                const float ratio = mean > 0.0f ? wanted / mean : 0.0f;
                const bool is_usable = ratio > 0.0f && ratio < 1e6f;
                set_cell(self, fine, i, j, k, is_usable ? ratio : 0.0f, is_usable ? 0.0f : wanted);
            }
        }
    }
}

// the fine densities of one kind, displaced and then scaled so that each coarse cell keeps its mean
static void refine_density(const Refinement *self, BrumeDetailMemory *memory, const BrumeVolume *volume, int kind,
                           float *fine)
{
    BrumeField *density = &memory->coarse[SMOOTH];
    BrumeField *factors = &memory->coarse[GRADIENT];
    load_density(density, volume, kind);
    displace(self, density, 0.0f, fine);
    for (int n = 0; n < SMOOTH_CORRECTIONS; n++) {
        find_corrections(self, density, fine, factors);
        correct_smoothly(self, factors, fine);
    }
    correct_cells(self, density, fine);
}

static void refine_temperature(const Refinement *self, BrumeDetailMemory *memory, const BrumeVolume *volume,
                               float *fine)
{
    BrumeField *field = &memory->coarse[SMOOTH];
#pragma omp parallel for schedule(static)
    for (int k = 0; k < volume->nz; k++) {
        for (int j = 0; j < volume->ny; j++) {
            const float *from = volume->temperature + volume->sz * k + volume->sy * j;
            float *to = field->data + brume_field_index(field, 1, j + 1, k + 1);
            for (int i = 0; i < volume->nx; i++) {
                to[i] = isfinite(from[i]) ? from[i] : 0.0f;
            }
        }
    }
    brume_replicate_edges(field->data, field->grid, 1);
    displace(self, field, 1.0f, fine);
}

// sets the fine values of one component of the velocity, linear between the centers of the cells of the volume
static void refine_velocity(const Refinement *self, BrumeDetailMemory *memory, const BrumeVolume *volume, int axis,
                            float *fine)
{
    const ptrdiff_t to_next[3] = {volume->velocity_sx, volume->velocity_sy, volume->velocity_sz};
    BrumeField *field = &memory->coarse[SMOOTH];
#pragma omp parallel for schedule(static)
    for (int k = 0; k < volume->nz; k++) {
        for (int j = 0; j < volume->ny; j++) {
            float *to = field->data + brume_field_index(field, 1, j + 1, k + 1);
            for (int i = 0; i < volume->nx; i++) {
                const float *from = volume->velocity[axis] + i * to_next[0] + j * to_next[1] + k * to_next[2];
                const float value = volume->velocity_on_faces ? 0.5f * (from[0] + from[to_next[axis]]) : from[0];
                to[i] = isfinite(value) ? value : 0.0f;
            }
        }
    }
    brume_replicate_edges(field->data, field->grid, 1);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < self->fine.nz; k++) {
        for (int j = 0; j < self->fine.ny; j++) {
            for (int i = 0; i < self->fine.nx; i++) {
                const BrumeVec3 point = {fine_cell_center(self, i), fine_cell_center(self, j),
                                         fine_cell_center(self, k)};
                fine[fine_index(self, i, j, k)] = linear_at(field, point);
            }
        }
    }
}

BrumeStatus brume_detail_refine(BrumeDetailMemory *memory, const BrumeRenderSettings *settings,
                                const BrumeVolume *volume, BrumeVolume *fine, BrumeError *error)
{
    const BrumeDetail *detail = &settings->detail;
    const BrumeGrid coarse = brume_grid(volume->nx, volume->ny, volume->nz);
    const BrumeGrid grid = brume_detail_grid(detail, coarse);
    const size_t cells = brume_grid_cells(grid);
    const bool has_velocity = volume->velocity[0] != NULL && brume_needs_velocity(settings);
    const bool has_temperature = volume->temperature != NULL && settings->emission.intensity > 0.0f;
    int kinds = 0;
    assert(detail->factor > 1);
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        kinds += volume->density[kind] != NULL;
    }
    const size_t arrays = fine_arrays(settings, kinds, has_temperature, has_velocity);
    if (reserve_memory(memory, coarse, arrays * cells, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    load_total(&memory->coarse[TOTAL], &memory->coarse[SMOOTH], settings, volume);
    find_amplitude(memory, detail);
    const float *layers[BRUME_TEXTURE_LAYERS];
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        float *layer = memory->texture + (size_t)n * 4 * memory->coarse_entries;
        load_layer(layer, &memory->coarse[TOTAL], volume, n);
        brume_store_texture_amplitude(layer, &memory->coarse[ENERGY]);
        layers[n] = layer;
    }
    const BrumeTextureNoiseDef noise_def = {
        .factor = detail->factor,
        .scale = detail->scale,
        .octave_ratio = OCTAVE_RATIO,
        .time = volume->texture_time,
        .period = volume->texture[0][0] != NULL ? volume->texture_period : 0.0,
    };
    const Refinement self = {memory, brume_texture_noise(&memory->noise, layers, &noise_def), detail->factor, coarse,
                             grid};
    *fine = (BrumeVolume){
        .nx = grid.nx,
        .ny = grid.ny,
        .nz = grid.nz,
        .sy = grid.nx,
        .sz = (ptrdiff_t)grid.nx * grid.ny,
        .dx = volume->dx / (float)detail->factor,
        .origin = volume->origin,
    };
    float *next = memory->fine;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        if (volume->density[kind] != NULL) {
            refine_density(&self, memory, volume, kind, next);
            fine->density[kind] = next;
            next += cells;
        }
    }
    if (has_temperature) {
        refine_temperature(&self, memory, volume, next);
        fine->temperature = next;
        next += cells;
    }
    for (int axis = 0; axis < 3 && has_velocity; axis++, next += cells) {
        refine_velocity(&self, memory, volume, axis, next);
        fine->velocity[axis] = next;
        fine->velocity_sx = 1;
        fine->velocity_sy = fine->sy;
        fine->velocity_sz = fine->sz;
    }
    return BRUME_OK;
}
