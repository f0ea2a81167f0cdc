#include "sim/state/half_scalars.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/half.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "core/random.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const float LEAST_NORMAL = 0x1p-14f; // of the halves; smaller ones are multiples of 2^-24
static const float LARGEST = 65504.0f;
enum { DROPPED_BITS = 13 }; // of the fraction of a float

// one of the two halves around a value, by the random bits
static float rounded_half(float value, uint32_t random)
{
    const float magnitude = fabsf(value) < LARGEST ? fabsf(value) : LARGEST;
    uint32_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    bits = (bits + (random >> (32 - DROPPED_BITS))) & ~((1u << DROPPED_BITS) - 1u);
    float normal;
    memcpy(&normal, &bits, sizeof normal);
    const bool is_small = magnitude < LEAST_NORMAL;
    const float multiple = (is_small ? magnitude : 0.0f) * 0x1p24f;
    const float small = (float)(int)(multiple + brume_unit_float(random)) * 0x1p-24f;
    return copysignf(is_small ? small : normal, value);
}

BRUME_KERNEL static void half_round_row(float *row, uint32_t row_key, int count)
{
    for (int i = 0; i < count; i++) {
        row[i] = rounded_half(row[i], brume_hash_u32(row_key ^ (uint32_t)i));
    }
}

void brume_round_scalars(BrumeSim *sim)
{
    assert(sim->def.storage == BRUME_STORAGE_HALF && !sim->holds_heat);
    const BrumeGrid grid = sim->fields[BRUME_FIELD_TEMPERATURE].grid;
    const uint32_t key = brume_hash3(sim->def.seed, (uint32_t)sim->frames, (uint32_t)sim->steps);
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_COUNT; id++) {
        float *data = sim->fields[id].data;
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
            for (int j = 1; data && j <= grid.ny; j++) {
                float *row = data + brume_field_index(&sim->fields[id], 1, j, k);
                if (brume_any_bits(row, grid.nx) != 0) {
                    half_round_row(row, brume_hash3(key, (uint32_t)j, (uint32_t)k), grid.nx);
                }
            }
        }
    }
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
}

BRUME_KERNEL static int half_count_others(const float *row, int count)
{
    int others = 0;
    for (int i = 0; i < count; i++) {
        const float magnitude = fabsf(row[i]);
        uint32_t bits;
        memcpy(&bits, &row[i], sizeof bits);
        const bool fits = magnitude <= LARGEST && (bits & ((1u << DROPPED_BITS) - 1u)) == 0;
        const bool is_small = magnitude < LEAST_NORMAL;
        const float multiple = (is_small ? magnitude : 0.0f) * 0x1p24f;
        others += !(is_small ? (float)(int)multiple == multiple : fits);
    }
    return others;
}

static void archive_row(BrumeArchive *archive, float *row, int count)
{
    bool as_floats = archive->mode != BRUME_ARCHIVE_READ && half_count_others(row + 1, count) > 0;
    brume_archive_bool(archive, &as_floats);
    brume_archive_float(archive, &row[0]);
    brume_archive_float(archive, &row[count + 1]);
    if (as_floats || archive->mode == BRUME_ARCHIVE_COUNT) {
        brume_archive_bytes(archive, row + 1, (size_t)count * (as_floats ? sizeof *row : sizeof(uint16_t)));
        return;
    }
    for (int i = 1; i <= count; i++) {
        uint16_t half = archive->mode == BRUME_ARCHIVE_WRITE ? brume_half_of_float(row[i]) : 0;
        brume_archive_bytes(archive, &half, sizeof half);
        row[i] = archive->mode == BRUME_ARCHIVE_READ ? brume_float_of_half(half) : row[i];
    }
}

void brume_archive_halves(BrumeArchive *archive, BrumeField *field)
{
    for (int k = 0; k <= field->grid.nz + 1; k++) {
        for (int j = 0; j <= field->grid.ny + 1; j++) {
            archive_row(archive, field->data + brume_field_index(field, 0, j, k), field->grid.nx);
        }
    }
}

size_t brume_least_bytes_of_halves(BrumeGrid grid)
{
    const size_t rows = (size_t)(grid.ny + 2) * (size_t)(grid.nz + 2);
    return rows * (sizeof(bool) + 2 * sizeof(float) + (size_t)grid.nx * sizeof(uint16_t));
}
