#include "core/hash.h"

#include "core/domain.h"

#include <string.h>
#define XXH_STATIC_LINKING_ONLY // the definition of XXH3_state_t, which is stable since version 0.8.0
#include <xxhash.h>

enum {
    PLANES_AT_ONCE = 64,
    BLOCK = 1 << 20,      // [bytes]
    BLOCKS_AT_ONCE = 256, // whose hashes are combined at a time
};

// hashes one plane row by row, without its ghosts
static uint64_t hash_plane(const BrumeField *field, int nx, int ny, int k)
{
    uint64_t hash = 0;
    for (int j = 1; j <= ny; j++) {
        hash = XXH3_64bits_withSeed(field->data + brume_field_index(field, 1, j, k), (size_t)nx * sizeof(float), hash);
    }
    return hash;
}

uint64_t brume_hash_field(const BrumeField *field, int faces_axis, uint64_t seed, uint64_t *planes)
{
    const int nx = field->grid.nx + (faces_axis == 0);
    const int ny = field->grid.ny + (faces_axis == 1);
    const int nz = field->grid.nz + (faces_axis == 2);
#pragma omp parallel for schedule(static)
    for (int k = brume_planes_from(field->grid, 1); k <= brume_planes_to(field->grid, nz); k++) {
        planes[k] = hash_plane(field, nx, ny, k);
    }
    brume_gather_planes(field->grid, planes, sizeof *planes);
    uint64_t hash = seed;
    for (int first = 1; first <= nz; first += PLANES_AT_ONCE) {
        const int count = nz - first + 1 < PLANES_AT_ONCE ? nz - first + 1 : PLANES_AT_ONCE;
        hash = XXH3_64bits_withSeed(&planes[first], (size_t)count * sizeof planes[0], hash);
    }
    return hash;
}

uint64_t brume_hash_bytes(const void *bytes, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, size, seed);
}

uint64_t brume_hash_blocks(const void *bytes, size_t size, uint64_t seed)
{
    const uint8_t *data = bytes;
    uint64_t hash = seed;
    for (size_t first = 0; first < size; first += (size_t)BLOCK * BLOCKS_AT_ONCE) {
        uint64_t blocks[BLOCKS_AT_ONCE];
        const size_t rest = size - first;
        const int count = rest < (size_t)BLOCK * BLOCKS_AT_ONCE ? (int)((rest + BLOCK - 1) / BLOCK) : BLOCKS_AT_ONCE;
#pragma omp parallel for schedule(static)
        for (int n = 0; n < count; n++) {
            const size_t start = (size_t)BLOCK * (size_t)n;
            blocks[n] = XXH3_64bits(data + first + start, rest - start < BLOCK ? rest - start : BLOCK);
        }
        hash = XXH3_64bits_withSeed(blocks, (size_t)count * sizeof blocks[0], hash);
    }
    return hash;
}

uint64_t brume_hash_parts(const BrumeBytes *parts, int count)
{
    XXH3_state_t state;
    (void)XXH3_64bits_reset(&state);
    for (int n = 0; n < count; n++) {
        (void)XXH3_64bits_update(&state, parts[n].data, parts[n].size);
    }
    return XXH3_64bits_digest(&state);
}
