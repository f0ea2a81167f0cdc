#include "sim/initial/noise.h"

#include "core/elementary.h"
#include "core/minmax.h"
#include "core/noise.h"

// the lattice of the first octave: its spacings along the box, and after how many of them it repeats, 0 for never
typedef struct Lattice {
    double spacings[3];
    int period[4];
} Lattice;

static Lattice first_octave(const BrumeInitialDef *def, const BrumeInitialBox *box)
{
    Lattice lattice = {{0.0}, {0}};
    for (int axis = 0; axis < 3; axis++) {
        const double scales = box->sides[axis] / (double)def->scale; // along the box
        if (box->cells[axis] > 1 && box->periodic[axis]) {
            lattice.period[axis] = scales < 1.5 ? 1 : (int)brume_fmin(floor(scales + 0.5), 1e6);
        }
        lattice.spacings[axis] = box->cells[axis] == 1 ? 0.0 : lattice.period[axis] > 0 ? lattice.period[axis] : scales;
    }
    return lattice;
}

void brume_initial_noise_row(const BrumeInitialDef *def, const BrumeInitialBox *box, const double *fractions, int count,
                             const double across[2], uint32_t seed, double *values)
{
    enum { CHUNK = 256 };
    Lattice lattice = first_octave(def, box);
    float rest[3] = {(float)(across[0] * lattice.spacings[1]), (float)(across[1] * lattice.spacings[2]), 0.0f};
    for (int octave = 0; octave < 2; octave++) { // the second one has half the wavelength and half the amplitude
        const double amplitude = octave == 0 ? 2.0 / 3.0 : 1.0 / 3.0;
        const float scale = octave == 0 ? 1.0f : 2.0f;
        for (int axis = 0; axis < 3; axis++) {
            rest[axis] *= scale;
            lattice.period[axis] *= octave == 0 ? 1 : 2;
        }
        for (int first = 0; first < count; first += CHUNK) {
            const int points = brume_min_int(count - first, CHUNK);
            float x[CHUNK];
            float noise[CHUNK];
            for (int n = 0; n < points; n++) {
                x[n] = (float)(fractions[first + n] * lattice.spacings[0]) * scale;
            }
            brume_lattice_noise_row(x, points, rest, lattice.period, seed + (uint32_t)octave, noise);
            for (int n = 0; n < points; n++) {
                const double value = (double)noise[n] * amplitude;
                values[first + n] = octave == 0 ? value : 2.0 * (values[first + n] + value) - 1.0;
            }
        }
    }
}

double brume_initial_noise(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point,
                           uint32_t seed)
{
    double value;
    brume_initial_noise_row(def, box, point->fraction, 1, point->fraction + 1, seed, &value);
    return value;
}

double brume_initial_decay(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point)
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double offset = brume_initial_offset(box, point, def->center, axis);
        square += offset * offset;
    }
    const double spread = (double)def->spread;
    return spread > 0.0 ? brume_exp(-square / (spread * spread)) : 1.0;
}
