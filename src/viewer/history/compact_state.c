// A state is a header, the length of every plane of every field, and the planes. A plane has, for every row along x,
// the first entry that is not zero (16 bits), the number of entries up to the last one that is not (16 bits), and these
// entries as halves. Texture coordinates and particles follow as they are. A velocity component has one more face along
// its axis than there are cells.
#include "viewer/history/compact_state.h"

#include "core/field.h"
#include "core/parallel/simd.h"

#include <string.h>

enum { ROW_HEADER = 2 };

typedef struct Header {
    int32_t nx, ny, nz;
    uint32_t fields; // bit n: field n is stored
    uint32_t has_texture;
    int32_t particle_count;
    BrumeVec3 origin; // of the fields [m]
    double texture_time;
} Header;

_Static_assert(sizeof(BrumeParticle) % 8 == 0, "the size of a state is a multiple of 8 bytes");

static size_t round_up(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

// returns the extent of the stored entries of a field, whose indices are 1 to the extent
static BrumeGrid extent_of(BrumeGrid grid, int id)
{
    return brume_grid(grid.nx + (id == BRUME_FIELD_U), grid.ny + (id == BRUME_FIELD_V),
                      grid.nz + (id == BRUME_FIELD_W));
}

// maximum number of halves of a plane
static size_t plane_bound(BrumeGrid extent) { return (size_t)extent.ny * (size_t)(extent.nx + ROW_HEADER); }

static Header header_of(const BrumeSim *sim)
{
    const BrumeSimDef *def = brume_sim_window(sim);
    Header header = {
        .nx = def->nx, .ny = def->ny, .nz = def->nz, .origin = def->origin, .texture_time = brume_sim_time(sim)};
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        header.fields |= brume_sim_field(sim, (BrumeFieldId)id) ? 1u << id : 0u;
    }
    header.has_texture = brume_sim_texture(sim, 0, 0) != NULL;
    int count;
    (void)brume_sim_particles(sim, &count);
    header.particle_count = count;
    return header;
}

static size_t texture_size(BrumeGrid grid)
{
    return (size_t)grid.nx * (size_t)grid.ny * (size_t)grid.nz * sizeof(float);
}

size_t brume_compact_state_bound(const BrumeSim *sim)
{
    const Header header = header_of(sim);
    const BrumeGrid grid = brume_grid(header.nx, header.ny, header.nz);
    size_t bytes = sizeof header;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        const BrumeGrid extent = extent_of(grid, id);
        if ((header.fields & 1u << id) != 0) {
            bytes += (size_t)extent.nz * (sizeof(uint64_t) + plane_bound(extent) * sizeof(uint16_t));
        }
    }
    bytes += header.has_texture ? BRUME_SNAPSHOT_TEXTURES * texture_size(grid) : 0;
    return round_up(bytes) + (size_t)header.particle_count * sizeof(BrumeParticle);
}

/*
 * The conversions of core/half.h for finite numbers, without branches, so that loops over a row are vectorized.
 */

static inline uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// clamps to the largest half
static inline uint16_t half_of(float value)
{
    const uint32_t bits = bits_of(value);
    const uint32_t given = bits & 0x7fffffffu;
    const uint32_t magnitude = given < 0x477fe000u ? given : 0x477fe000u; // 65504
    const uint32_t tiny = magnitude < 0x33000000u ? 0u : magnitude;       // values below 2^-25 are rounded to 0
    const uint32_t subnormal = bits_of(float_of(tiny) + 0.5f) - 0x3f000000u;
    const uint32_t normal = (magnitude - ((127u - 15u) << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    const uint32_t rounded = magnitude < 0x38800000u ? subnormal : normal; // 2^-14
    return (uint16_t)((bits >> 16 & 0x8000u) | rounded);
}

static inline float float_of_half(uint16_t half)
{
    const uint32_t magnitude = (uint32_t)(half & 0x7fffu) << 13;
    const float subnormal = float_of(magnitude + (113u << 23)) - 0x1p-14f;
    const uint32_t bits = magnitude < 1u << 23 ? bits_of(subnormal) : magnitude + (112u << 23);
    return float_of((uint32_t)(half & 0x8000u) << 16 | bits);
}

BRUME_STREAM_KERNEL static void row_to_halves(const float *restrict from, uint16_t *restrict to, int count)
{
#pragma omp simd
    for (int i = 0; i < count; i++) {
        to[i] = half_of(from[i]);
    }
}

BRUME_STREAM_KERNEL static void row_from_halves(const uint16_t *restrict from, float *restrict to, int count)
{
#pragma omp simd
    for (int i = 0; i < count; i++) {
        to[i] = float_of_half(from[i]);
    }
}

// writes a plane; returns the number of halves written
static size_t write_plane(const BrumeField *field, BrumeGrid extent, int k, uint16_t *to)
{
    size_t used = 0;
    for (int j = 0; j < extent.ny; j++) {
        const float *row = field->data + brume_field_index(field, 1, j + 1, k + 1);
        uint16_t *halves = to + used + ROW_HEADER;
        row_to_halves(row, halves, extent.nx);
        int first = 0;
        while (first < extent.nx && (halves[first] & 0x7fffu) == 0) {
            first++;
        }
        int count = extent.nx - first;
        while (count > 0 && (halves[first + count - 1] & 0x7fffu) == 0) {
            count--;
        }
        memmove(halves, halves + first, (size_t)count * sizeof *halves);
        to[used] = (uint16_t)first;
        to[used + 1] = (uint16_t)count;
        used += ROW_HEADER + (size_t)count;
    }
    return used;
}

// Writes the planes of a field at the distance of their maximum length, then moves them together. Returns the end.
static uint8_t *write_field(const BrumeField *field, BrumeGrid extent, uint64_t *lengths, uint8_t *to)
{
    const size_t bound = plane_bound(extent);
    uint16_t *halves = (uint16_t *)(void *)to;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < extent.nz; k++) {
        lengths[k] = write_plane(field, extent, k, halves + bound * (size_t)k);
    }
    size_t used = 0;
    for (int k = 0; k < extent.nz; k++) {
        memmove(halves + used, halves + bound * (size_t)k, (size_t)lengths[k] * sizeof *halves);
        used += (size_t)lengths[k];
    }
    return to + used * sizeof *halves;
}

// copies texture coordinates at full precision, without ghosts; returns the end
static uint8_t *write_texture(const BrumeField *field, BrumeGrid grid, uint8_t *to)
{
    const size_t row = (size_t)grid.nx * sizeof(float);
    for (int k = 0; k < grid.nz; k++) {
        for (int j = 0; j < grid.ny; j++) {
            memcpy(to, field->data + brume_field_index(field, 1, j + 1, k + 1), row);
            to += row;
        }
    }
    return to;
}

size_t brume_compact_state_write(const BrumeSim *sim, uint8_t *bytes)
{
    const Header header = header_of(sim);
    const BrumeGrid grid = brume_grid(header.nx, header.ny, header.nz);
    memcpy(bytes, &header, sizeof header);
    uint64_t *lengths = (uint64_t *)(void *)(bytes + sizeof header);
    size_t planes = 0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        planes += (header.fields & 1u << id) != 0 ? (size_t)extent_of(grid, id).nz : 0;
    }
    uint8_t *end = (uint8_t *)(lengths + planes);
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if ((header.fields & 1u << id) != 0) {
            const BrumeGrid extent = extent_of(grid, id);
            end = write_field(brume_sim_field(sim, (BrumeFieldId)id), extent, lengths, end);
            lengths += extent.nz;
        }
    }
    for (int n = 0; n < BRUME_SNAPSHOT_TEXTURES && header.has_texture; n++) {
        end = write_texture(brume_sim_texture(sim, n / 3, n % 3), grid, end);
    }
    const size_t used = (size_t)(end - bytes);
    memset(end, 0, round_up(used) - used);
    end = bytes + round_up(used);
    int count;
    const BrumeParticle *particles = brume_sim_particles(sim, &count);
    if (count > 0) {
        memcpy(end, particles, (size_t)count * sizeof *particles);
        end += (size_t)count * sizeof *particles;
    }
    return (size_t)(end - bytes);
}

static void read_plane(BrumeField *field, BrumeGrid extent, int k, const uint16_t *from)
{
    for (int j = 0; j < extent.ny; j++) {
        float *row = field->data + brume_field_index(field, 1 + from[0], j + 1, k + 1);
        const int count = from[1];
        from += ROW_HEADER;
        row_from_halves(from, row, count);
        from += count;
    }
}

static BrumeStatus create_fields(const Header *header, BrumeSnapshotVariant *variant, BrumeError *error)
{
    const BrumeGrid grid = brume_grid(header->nx, header->ny, header->nz);
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < BRUME_SNAPSHOT_FIELDS && status == BRUME_OK; n++) {
        if (n < BRUME_SNAPSHOT_TEXTURE ? (header->fields & 1u << n) != 0 : header->has_texture != 0) {
            status = brume_field_create(&variant->fields[n], grid, error);
        }
    }
    if (status != BRUME_OK) {
        brume_snapshot_free_fields(variant);
    }
    return status;
}

static const uint8_t *read_texture(BrumeField *field, const uint8_t *from)
{
    const size_t row = (size_t)field->grid.nx * sizeof(float);
    for (int k = 0; k < field->grid.nz; k++) {
        for (int j = 0; j < field->grid.ny; j++) {
            memcpy(field->data + brume_field_index(field, 1, j + 1, k + 1), from, row);
            from += row;
        }
    }
    return from;
}

BrumeStatus brume_compact_state_read(const uint8_t *bytes, BrumeSnapshotVariant *variant, BrumeError *error)
{
    Header header;
    memcpy(&header, bytes, sizeof header);
    variant->origin = header.origin;
    const BrumeStatus status = create_fields(&header, variant, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeGrid grid = brume_grid(header.nx, header.ny, header.nz);
    const uint64_t *lengths = (const uint64_t *)(const void *)(bytes + sizeof header);
    size_t planes = 0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        planes += (header.fields & 1u << id) != 0 ? (size_t)extent_of(grid, id).nz : 0;
    }
    const uint8_t *from = (const uint8_t *)(lengths + planes);
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        const BrumeGrid extent = extent_of(grid, id);
        for (int k = 0; k < extent.nz && (header.fields & 1u << id) != 0; k++) {
            read_plane(&variant->fields[id], extent, k, (const uint16_t *)(const void *)from);
            from += *lengths++ * sizeof(uint16_t);
        }
    }
    for (int n = 0; n < BRUME_SNAPSHOT_TEXTURES && header.has_texture; n++) {
        from = read_texture(&variant->fields[BRUME_SNAPSHOT_TEXTURE + n], from);
    }
    variant->texture_time = header.texture_time;
    const uint8_t *particles = bytes + round_up((size_t)(from - bytes));
    const BrumeStatus copied = brume_particle_copy_set(
        &variant->particles, (const BrumeParticle *)(const void *)particles, header.particle_count, error);
    if (copied != BRUME_OK) {
        brume_snapshot_free_fields(variant);
    }
    return copied;
}
