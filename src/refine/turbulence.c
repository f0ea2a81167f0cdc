/*
 * Wavelet turbulence. The fine velocity is the interpolated velocity of the cells and octaves of noise without
 * divergence (raymarch/wavelet_noise.h) at texture coordinates that follow the flow. The local amplitude of the first
 * octave follows from the velocity itself: the difference B of two Gaussian filters is its octave of waves of about 4
 * to 8 cells, the finest that transport does not damp. In an inertial range the energy spectrum is E(k) ~ k^(-5/3), so
 * that an octave has 2^(-2/3) of the energy of the one before, and its velocity 2^(-1/3) of it:
 *
 *     a = strength C (scale / 8)^(1/3) sqrt(|B|^2)
 *
 * with |B|^2 smoothed (twice 1/4, 1/2, 1/4 along each axis) and C^2 the energy of the octave of waves of 4 to 8 cells
 * over that of B, for k^(-5/3). (The paper multiplies velocities by 2^(-5/6), which is the root of the ratio of E(2k)
 * and E(k); an octave at 2k is twice as wide.)
 */
#include "refine/turbulence.h"

#include "core/error.h"
#include "raymarch/grid_medium.h"
#include "raymarch/smooth_field.h"

#include <math.h>

static const float OCTAVE_RATIO = 0.793701f;        // 2^(-1/3), of velocities
static const float MEASURED_WAVELENGTH = 8.0f;      // longest of the measured octave [cells]
static const float ENERGY_RATIO = 2.20f;            // C^2
static const float LARGEST_DISPLACEMENT = 2.0f;     // root mean square, of an interval [cells]
static const float NEGLIGIBLE_DISPLACEMENT = 0.01f; // of an interval [cells]

enum { ENERGY = 0, NARROW = 1, WIDE = 2, SCRATCH = 3, FIELDS = 4 };

// adds the square of the octave of one component to the energy
static void add_energy(BrumeField fields[FIELDS], const BrumeVectorGrid *velocity, int axis)
{
    const BrumeGrid grid = velocity->grid;
    BrumeField *narrow = &fields[NARROW];
    BrumeField *wide = &fields[WIDE];
    const ptrdiff_t entries = (ptrdiff_t)brume_grid_entries(grid);
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < entries; n++) {
        narrow->data[n] = velocity->values[4 * n + axis];
    }
    brume_smooth_field(narrow, &fields[SCRATCH], 1);
    brume_field_copy(wide, narrow);
    brume_smooth_field(wide, &fields[SCRATCH], 2);
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < entries; n++) {
        const float octave = narrow->data[n] - wide->data[n];
        fields[ENERGY].data[n] += octave * octave;
    }
}

// replaces the energy by the amplitude of the first octave [cells]
static void find_amplitude(BrumeField fields[FIELDS], double dx, const BrumeTurbulenceDef *def)
{
    BrumeField *energy = &fields[ENERGY];
    brume_smooth_field(energy, &fields[SCRATCH], 1);
    brume_smooth_field(energy, &fields[SCRATCH], 1);
    const float cells_per_mps = (float)(def->interval / dx);
    const float ratio = def->strength * cells_per_mps * brume_powf(def->scale / MEASURED_WAVELENGTH, 1.0f / 3.0f);
    const ptrdiff_t entries = (ptrdiff_t)brume_grid_entries(energy->grid);
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < entries; n++) {
        const float length = ratio * sqrtf(ENERGY_RATIO * energy->data[n]);
        energy->data[n] =
            length > NEGLIGIBLE_DISPLACEMENT ? brume_clamp(length, 0.0f, LARGEST_DISPLACEMENT) : 0.0f; // NaN: 0
    }
    brume_replicate_edges(energy->data, energy->grid, 1);
}

BrumeStatus brume_turbulence(BrumeTextureNoise *turbulence, const BrumeWaveletNoise *wavelets,
                             BrumeVectorGrid layers[BRUME_TEXTURE_LAYERS], const BrumeVectorGrid *velocity, double dx,
                             const BrumeTurbulenceDef *def, BrumeError *error)
{
    BrumeField fields[FIELDS] = {{.data = NULL}};
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < FIELDS && status == BRUME_OK; n++) {
        status = brume_field_create(&fields[n], velocity->grid, error);
    }
    if (status == BRUME_OK) {
        const float *values[BRUME_TEXTURE_LAYERS];
        for (int axis = 0; axis < 3; axis++) {
            add_energy(fields, velocity, axis);
        }
        find_amplitude(fields, dx, def);
        for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
            brume_store_texture_amplitude(layers[n].values, &fields[ENERGY]);
            values[n] = layers[n].values;
        }
        const BrumeTextureNoiseDef noise_def = {
            .factor = (def->factor + 1) / 2, // waves of two fine cells would not survive the transport
            .scale = def->scale,
            .octave_ratio = OCTAVE_RATIO,
            .time = def->time,
            .period = def->period,
        };
        *turbulence = brume_texture_noise(wavelets, values, &noise_def);
    }
    for (int n = 0; n < FIELDS; n++) {
        brume_field_destroy(&fields[n]);
    }
    return status;
}
