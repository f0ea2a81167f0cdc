/**
 * @file vdb_file.h
 * Shared by the writer and the reader of OpenVDB files: metadata, the checksum and the axes. For C++.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_FILE_H
#define BRUME_EXCHANGE_VDB_VDB_FILE_H

#include "core/hash.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/*
 * Metadata of the file, with which Brume reads its own files exactly: the box of cells, which may be larger than the
 * active part of the grids, the scene, and whether the file ends with a checksum.
 */
constexpr const char *brume_vdb_cells = "brume_cells";       // nx, ny, nz
constexpr const char *brume_vdb_origin = "brume_origin";     // lower corner of the box, y up [m]
constexpr const char *brume_vdb_side = "brume_dx";           // of a cell [m]
constexpr const char *brume_vdb_up = "brume_up";             // "y" or "z"
constexpr const char *brume_vdb_scene = "brume_scene";       // YAML
constexpr const char *brume_vdb_checksum = "brume_checksum"; // "xxh3": brume_vdb_make_checksum

/* Metadata of the file and of each grid. */
constexpr const char *brume_vdb_frame = "frame";
constexpr const char *brume_vdb_time = "time"; // [s]
constexpr const char *brume_vdb_unit = "unit";

/* Metadata of a grid: value in the file = scale x value of Brume + offset; the color densities that a vector holds. */
constexpr const char *brume_vdb_scale = "brume_scale";
constexpr const char *brume_vdb_offset = "brume_offset";
constexpr const char *brume_vdb_colors = "brume_colors";

/*
 * Most bytes of an OpenVDB file have no checksum of their own, so that a changed byte is a changed value. Behind the
 * part that OpenVDB reads, Brume appends 8 bytes of text and the XXH3 hash of all bytes before them, lowest byte first.
 */
constexpr std::size_t brume_vdb_checksum_size = 16;
constexpr char brume_vdb_checksum_text[] = "BRUMExxh"; // 8 bytes without the 0

inline std::array<char, brume_vdb_checksum_size> brume_vdb_make_checksum(const void *bytes, std::size_t size)
{
    std::array<char, brume_vdb_checksum_size> checksum = {};
    std::memcpy(checksum.data(), brume_vdb_checksum_text, 8);
    const std::uint64_t hash = brume_hash_bytes(bytes, size, 0);
    for (std::size_t n = 0; n < 8; n++) {
        checksum[8 + n] = static_cast<char>(hash >> (8 * n) & 0xffu);
    }
    return checksum;
}

inline bool brume_vdb_has_checksum(const char *bytes, std::size_t size)
{
    return size >= brume_vdb_checksum_size &&
           std::memcmp(bytes + size - brume_vdb_checksum_size, brume_vdb_checksum_text, 8) == 0;
}

/*
 * The axes of a file with z up: x is Brume's x, y is Brume's -z and z is Brume's y, which is a rotation.
 */
struct BrumeVdbAxes {
    int of_file[3];  // the axis of Brume that each axis of the file is
    bool flipped[3]; // whether it points in the opposite direction
};

constexpr BrumeVdbAxes brume_vdb_axes(bool z_up)
{
    return z_up ? BrumeVdbAxes{{0, 2, 1}, {false, true, false}} : BrumeVdbAxes{{0, 1, 2}, {false, false, false}};
}

#endif
