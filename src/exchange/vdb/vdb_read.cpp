// Reads OpenVDB files of any program into dense grids: the union of the active boxes of all grids, or the whole box of
// a file that Brume has written.
#include "exchange/vdb/vdb.h"

#include "core/memory.h"
#include "exchange/resample.h"
#include "exchange/vdb/vdb_box.h"
#include "exchange/vdb/vdb_file.h"
#include "exchange/vdb/vdb_points.h"
#include "io/resource_limits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <new>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <streambuf>
#include <string>
#include <tbb/global_control.h>
#include <vector>

namespace
{

// An input stream buffer over bytes in memory.
class MemoryBuffer : public std::streambuf
{
  public:
    MemoryBuffer(char *bytes, std::size_t size) { setg(bytes, bytes, bytes + size); }

  protected:
    pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode mode) override
    {
        const off_type base = from == std::ios_base::beg   ? 0
                              : from == std::ios_base::cur ? gptr() - eback()
                                                           : egptr() - eback();
        return seekpos(base + offset, mode);
    }

    pos_type seekpos(pos_type position, std::ios_base::openmode mode) override
    {
        const off_type target = position;
        if (!(mode & std::ios_base::in) || target < 0 || target > egptr() - eback()) {
            return pos_type(off_type(-1));
        }
        setg(eback(), eback() + target, egptr());
        return position;
    }
};

/*
 * Values.
 */

// Where one component of a grid is stored: the value of index (i, j, k) at values[start + i step[0] + ...].
struct Destination {
    float *values;
    std::ptrdiff_t start;
    std::ptrdiff_t step[3];
};

// where the values of voxels are stored: a start, and a step for each index axis of the file
Destination make_destination(const BrumeVdbFile &file, BrumeGrid cells, float *values, int stride,
                             BrumeGridLocation location)
{
    const BrumeVdbPlacement &placement = file.placement;
    Destination destination = {values, 0, {0, 0, 0}};
    std::ptrdiff_t strides[3];
    std::ptrdiff_t next = stride;
    for (int axis = 0; axis < 3; axis++) {
        strides[axis] = next;
        next *= brume_frame_grid_extent(cells, location, axis);
    }
    for (std::size_t a = 0; a < 3; a++) {
        const int b = placement.brume[a];
        // the lower face of a cell along a flipped axis is its upper face along Brume's
        const int faces = static_cast<int>(location) - static_cast<int>(BRUME_AT_X_FACES) == b ? 1 : 0;
        destination.step[a] = placement.flipped[a] ? -strides[b] : strides[b];
        const std::ptrdiff_t first =
            placement.flipped[a] ? file.box.max()[a] + faces : -std::ptrdiff_t(file.box.min()[a]);
        destination.start += first * strides[b];
    }
    return destination;
}

// Converts and stores the values of one grid.
struct Store {
    Destination destination[3];
    bool adds;             // to the values of another grid of the same name
    openvdb::Mat3d matrix; // from a vector of the file to a vector of Brume
    bool is_scaled;
    double scale, offset;
    openvdb::CoordBBox limits[3]; // of the indices that have a destination

    void put(const openvdb::Coord &at, int n, double value) const
    {
        const Destination &to = destination[n];
        if (to.values && limits[n].isInside(at)) {
            const std::ptrdiff_t index = to.start + at[0] * to.step[0] + at[1] * to.step[1] + at[2] * to.step[2];
            const double stored = is_scaled ? (value - offset) / scale : value;
            to.values[index] = static_cast<float>(adds ? static_cast<double>(to.values[index]) + stored : stored);
        }
    }

    void operator()(const openvdb::Coord &at, float value) const { put(at, 0, static_cast<double>(value)); }
    void operator()(const openvdb::Coord &at, double value) const { put(at, 0, value); }
    void operator()(const openvdb::Coord &at, const openvdb::Vec3s &value) const { (*this)(at, openvdb::Vec3d(value)); }

    void operator()(const openvdb::Coord &at, const openvdb::Vec3d &value) const
    {
        for (int n = 0; n < 3; n++) {
            // exact where the matrix is a rotation of the axes: the other terms are zeros
            put(at, n, matrix(n, 0) * value[0] + matrix(n, 1) * value[1] + matrix(n, 2) * value[2]);
        }
    }
};

// stores all active values: voxels of leaves one by one, tiles voxel by voxel within the box
template <typename Grid>
void store_values(const openvdb::GridBase &base, const openvdb::CoordBBox &box, const Store &store)
{
    const Grid &grid = static_cast<const Grid &>(base);
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        for (auto value = leaf->cbeginValueOn(); value; ++value) {
            store(value.getCoord(), *value);
        }
    }
    auto tile = grid.tree().cbeginValueOn();
    tile.setMaxDepth(decltype(tile)::LEAF_DEPTH - 1);
    for (; tile; ++tile) {
        openvdb::CoordBBox area;
        tile.getBoundingBox(area);
        area.intersect(box);
        for (auto at = area.begin(); at; ++at) {
            store(*at, *tile);
        }
    }
}

// The values of all voxels of a level set: voxels beyond its narrow band are inactive, and tell inside from outside.
template <typename Grid>
void store_all_values(const openvdb::GridBase &base, const openvdb::CoordBBox &box, const Store &store)
{
    const auto accessor = static_cast<const Grid &>(base).getConstAccessor();
    for (auto at = box.begin(); at; ++at) {
        store(*at, accessor.getValue(*at));
    }
}

void store_grid(const BrumeVdbInput &input, const openvdb::CoordBBox &box, const Store &store)
{
    openvdb::CoordBBox reach = box;
    reach.max().offset(1); // faces
    if (input.level_set && input.grid->isType<openvdb::FloatGrid>()) {
        store_all_values<openvdb::FloatGrid>(*input.grid, box, store);
    } else if (input.level_set) {
        store_all_values<openvdb::DoubleGrid>(*input.grid, box, store);
    } else if (input.grid->isType<openvdb::FloatGrid>()) {
        store_values<openvdb::FloatGrid>(*input.grid, reach, store);
    } else if (input.grid->isType<openvdb::DoubleGrid>()) {
        store_values<openvdb::DoubleGrid>(*input.grid, reach, store);
    } else if (input.grid->isType<openvdb::Vec3SGrid>()) {
        store_values<openvdb::Vec3SGrid>(*input.grid, reach, store);
    } else {
        store_values<openvdb::Vec3DGrid>(*input.grid, reach, store);
    }
}

// One component of an input in a grid of the frame.
struct InputTarget {
    float *values; // nullptr: this component is not stored
    int stride;
    BrumeGridLocation location;
};

void add_note(BrumeFrameGrid &grid, const BrumeVdbInput &input, bool adds, double side)
{
    const std::size_t used = std::strlen(grid.note);
    if (adds) {
        (void)std::snprintf(grid.note, sizeof grid.note, "is the sum of %d grids of this name", input.same);
    }
    if (input.resampled && !std::strstr(grid.note, "resampled")) {
        (void)std::snprintf(grid.note + std::strlen(grid.note), sizeof grid.note - std::strlen(grid.note),
                            "%sis resampled from %s to cubes of %g m", used > 0 || adds ? ", and " : "",
                            brume_vdb_describe(input.placement).c_str(), side);
    }
}

// Finds the grid of an input or of a component of it, which has values of another grid where `adds` is set, or adds it.
BrumeStatus find_target(BrumeFrameGrids *frame, const BrumeVdbInput &input, const char *name, int components,
                        BrumeGridLocation location, BrumeFrameGrid *&grid, bool &adds, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    const BrumeFrameGrid *found = brume_frame_grids_find(frame, name);
    adds = found != nullptr;
    if (found) {
        grid = &frame->grids[found - frame->grids];
        if (grid->components != components || grid->location != location) {
            return brume_fail(error, BRUME_BAD_INPUT, "two grids are named '%s', at centers and on faces", name);
        }
    } else {
        status = brume_frame_grids_add(frame, name, input.unit.c_str(), components, location, &grid, error);
    }
    if (status == BRUME_OK) {
        add_note(*grid, input, adds, frame->dx);
    }
    return status;
}

// The grid of an input; grids of the three color densities of a vector that Brume has written, or of the components on
// the faces.
BrumeStatus find_targets(BrumeFrameGrids *frame, const BrumeVdbInput &input, InputTarget targets[3], bool &adds,
                         BrumeError *error)
{
    const bool on_faces = input.staggered && !input.resampled;
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < input.components && status == BRUME_OK; n++) {
        BrumeFrameGrid *grid = nullptr;
        targets[n] = {nullptr, 1, BRUME_AT_CENTERS};
        if (on_faces) {
            char name[BRUME_MAX_GRID_NAME];
            (void)std::snprintf(name, sizeof name, "%s%c", BRUME_GRID_FACES, 'x' + n);
            targets[n].location = static_cast<BrumeGridLocation>(static_cast<int>(BRUME_AT_X_FACES) + n);
            status = find_target(frame, input, name, 1, targets[n].location, grid, adds, error);
            targets[n].values = grid ? grid->values : nullptr;
        } else if (input.colors != 0) {
            char name[BRUME_MAX_GRID_NAME];
            (void)std::snprintf(name, sizeof name, "%s%d", BRUME_GRID_COLOR, n + 1);
            if ((input.colors >> n & 1) != 0) {
                status = find_target(frame, input, name, 1, BRUME_AT_CENTERS, grid, adds, error);
                targets[n].values = grid ? grid->values : nullptr;
            }
        } else if (n == 0) {
            status =
                find_target(frame, input, input.name.c_str(), input.components, BRUME_AT_CENTERS, grid, adds, error);
            targets[n] = {grid ? grid->values : nullptr, input.components, BRUME_AT_CENTERS};
        } else {
            targets[n] = {targets[0].values + n, input.components, BRUME_AT_CENTERS};
        }
    }
    return status;
}

// Sets the filled entries of the grids of an input: those of its active voxels, and one more on each side for values on
// faces. All entries of grids that are resampled or sums.
void set_filled(BrumeFrameGrids *frame, const BrumeVdbFile &file, const BrumeVdbInput &input,
                const InputTarget targets[3], bool adds)
{
    BrumeCellBox active = {};
    for (std::size_t a = 0; a < 3; a++) {
        const int b = file.placement.brume[a];
        const bool flipped = file.placement.flipped[a];
        const int lowest =
            flipped ? file.box.max()[a] - input.active.max()[a] : input.active.min()[a] - file.box.min()[a];
        active.lower[b] = lowest;
        active.upper[b] = lowest + input.active.max()[a] - input.active.min()[a] + 1;
    }
    const bool has_box = !adds && !input.resampled && !input.active.empty();
    for (int g = 0; g < frame->count; g++) {
        BrumeFrameGrid &grid = frame->grids[g];
        const bool is_target =
            grid.values == targets[0].values || grid.values == targets[1].values || grid.values == targets[2].values;
        for (int axis = 0; axis < 3 && is_target; axis++) {
            const int extent = brume_frame_grid_extent(frame->cells, grid.location, axis);
            grid.filled.lower[axis] = has_box ? std::clamp(active.lower[axis] - 1, 0, extent - 1) : 0;
            grid.filled.upper[axis] = has_box ? std::clamp(active.upper[axis] + 1, 1, extent) : extent;
        }
    }
}

// the matrix from a vector of the file to a vector of Brume
openvdb::Mat3d vector_matrix(const BrumeVdbFile &file, const BrumeVdbInput &input)
{
    openvdb::Mat3d matrix = openvdb::Mat3d::identity();
    if (input.components == 3 && input.name != "color" && input.colors == 0) {
        const bool in_world = input.grid->isInWorldSpace();
        for (int c = 0; c < 3; c++) {
            openvdb::Vec3d unit(0.0);
            unit[c] = 1.0;
            const openvdb::Vec3d column = brume_vdb_turn(unit, file.z_up);
            for (int b = 0; b < 3; b++) {
                matrix(b, c) = in_world ? column[b] : input.placement.to_brume(b, c);
            }
        }
    }
    return matrix;
}

// the values of an input in its own voxels
struct Dense {
    std::vector<float> values; // the components interleaved, the first index fastest
    openvdb::CoordBBox box;
    float outside;
};

// replaces components on the lower faces of cells by their means at the centers
void average_faces(Dense &dense)
{
    const openvdb::Coord extents = dense.box.dim();
    const std::ptrdiff_t steps[3] = {3, 3 * std::ptrdiff_t(extents[0]),
                                     3 * std::ptrdiff_t(extents[0]) * std::ptrdiff_t(extents[1])};
    float *value = dense.values.data();
    for (int k = 0; k < extents[2]; k++) {
        for (int j = 0; j < extents[1]; j++) {
            for (int i = 0; i < extents[0]; i++, value += 3) {
                value[0] = 0.5f * (value[0] + (i + 1 < extents[0] ? value[steps[0]] : 0.0f));
                value[1] = 0.5f * (value[1] + (j + 1 < extents[1] ? value[1 + steps[1]] : 0.0f));
                value[2] = 0.5f * (value[2] + (k + 1 < extents[2] ? value[2 + steps[2]] : 0.0f));
            }
        }
    }
}

void turn_vectors(Dense &dense, const openvdb::Mat3d &matrix)
{
    for (std::size_t at = 0; at < dense.values.size(); at += 3) {
        const openvdb::Vec3d turned =
            matrix * openvdb::Vec3d(static_cast<double>(dense.values[at]), static_cast<double>(dense.values[at + 1]),
                                    static_cast<double>(dense.values[at + 2]));
        for (int n = 0; n < 3; n++) {
            dense.values[at + static_cast<std::size_t>(n)] = static_cast<float>(turned[n]);
        }
    }
}

// a dense array of an input's active box, from which it is resampled
void make_dense(Dense &dense, const BrumeVdbFile &file, const BrumeVdbInput &input, Store &store)
{
    dense.box = brume_vdb_dense_box(input);
    const openvdb::Coord extents = dense.box.dim();
    dense.outside = 0.0f;
    if (input.level_set) {
        const auto *single = dynamic_cast<const openvdb::FloatGrid *>(input.grid.get());
        const auto *twice = dynamic_cast<const openvdb::DoubleGrid *>(input.grid.get());
        const double background = single ? static_cast<double>(single->background()) : twice ? twice->background() : 0;
        dense.outside = static_cast<float>((background - input.offset) / input.scale);
    }
    dense.values.assign(static_cast<std::size_t>(input.components) * static_cast<std::size_t>(extents[0]) *
                            static_cast<std::size_t>(extents[1]) * static_cast<std::size_t>(extents[2]),
                        dense.outside);
    for (int n = 0; n < input.components; n++) {
        Destination &to = store.destination[n];
        to = {dense.values.data() + n, 0, {0, 0, 0}};
        std::ptrdiff_t step = input.components;
        for (std::size_t a = 0; a < 3; a++) {
            to.step[a] = step;
            to.start -= step * dense.box.min()[a];
            step *= extents[a];
        }
        store.limits[n] = dense.box;
    }
    store_grid(input, dense.box, store);
    if (input.staggered) {
        average_faces(dense);
    }
    if (input.components == 3) {
        turn_vectors(dense, vector_matrix(file, input));
    }
}

void resample_input(const BrumeFrameGrids *frame, const BrumeVdbFile &file, const BrumeVdbInput &input, Store &store,
                    const InputTarget targets[3])
{
    Dense dense;
    const bool adds = store.adds;
    store.adds = false;
    make_dense(dense, file, input, store);
    const openvdb::Mat3d to_index = input.placement.to_brume.inverse();
    const openvdb::Vec3d first = openvdb::Vec3d(frame->origin) + openvdb::Vec3d(0.5 * frame->dx);
    const openvdb::Vec3d offset = to_index * (first - input.placement.zero) - dense.box.min().asVec3d();
    BrumeResampleSource source = {};
    source.stride = input.components;
    source.outside = dense.outside;
    for (int a = 0; a < 3; a++) {
        source.extents[a] = dense.box.dim()[static_cast<std::size_t>(a)];
        source.offset[a] = offset[a];
        for (int b = 0; b < 3; b++) {
            source.matrix[a][b] = to_index(a, b) * frame->dx;
        }
    }
    for (int n = 0; n < input.components; n++) {
        source.values = dense.values.data() + n;
        if (targets[n].values) {
            brume_resample(targets[n].values, targets[n].stride, frame->cells, adds, &source);
        }
    }
}

BrumeStatus read_input(BrumeFrameGrids *frame, const BrumeVdbFile &file, const BrumeVdbInput &input, BrumeError *error)
{
    Store store = {};
    InputTarget targets[3] = {};
    store.is_scaled = input.scale != 1.0 || input.offset != 0.0;
    store.scale = input.scale;
    store.offset = input.offset;
    store.matrix = openvdb::Mat3d::identity();
    if (find_targets(frame, input, targets, store.adds, error) != BRUME_OK) {
        return error->status;
    }
    set_filled(frame, file, input, targets, store.adds);
    if (input.resampled) {
        resample_input(frame, file, input, store, targets);
        return BRUME_OK;
    }
    store.matrix = vector_matrix(file, input);
    for (int n = 0; n < input.components; n++) {
        if (targets[n].values) {
            store.destination[n] =
                make_destination(file, frame->cells, targets[n].values, targets[n].stride, targets[n].location);
        }
        store.limits[n] = file.box;
        for (std::size_t a = 0; a < 3; a++) {
            if (input.staggered && file.placement.brume[a] == n) {
                store.limits[n].max()[a]++;
            }
        }
    }
    store_grid(input, file.box, store);
    return BRUME_OK;
}

/*
 * The file.
 */

BrumeStatus check_bytes(const char *bytes, std::size_t size, const char *path, BrumeError *error)
{
    static const char magic[8] = {' ', 'B', 'D', 'V', 0, 0, 0, 0};
    if (size < sizeof magic || std::memcmp(bytes, magic, sizeof magic) != 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: is not an OpenVDB file", path);
    }
    if (brume_vdb_has_checksum(bytes, size)) {
        const std::size_t end = size - brume_vdb_checksum_size;
        const auto checksum = brume_vdb_make_checksum(bytes, end);
        if (std::memcmp(checksum.data(), bytes + end, checksum.size()) != 0) {
            return brume_fail(error, BRUME_BAD_INPUT, "%s: is damaged: its checksum is wrong (write it again)", path);
        }
    }
    return BRUME_OK;
}

// Whether y or z points up: Brume's files state it, in Blender it is z, and in Houdini and EmberGen y. The caches of
// Blender's smoke solver name no creator; they have metadata of its own.
bool has_z_up(const openvdb::MetaMap &metadata, const openvdb::GridPtrVec &grids)
{
    const std::string up = brume_vdb_text_meta(metadata, brume_vdb_up);
    if (!up.empty()) {
        return up == "z";
    }
    const auto is_of_blender = [](const openvdb::MetaMap &map) {
        const std::string creator = brume_vdb_text_meta(map, openvdb::GridBase::META_GRID_CREATOR);
        return creator.find("Blender") != std::string::npos || map["file_base_resolution"] != nullptr;
    };
    bool found = is_of_blender(metadata);
    for (const openvdb::GridBase::Ptr &grid : grids) {
        found = found || is_of_blender(*grid);
    }
    return found;
}

BrumeStatus read_grids(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef &def,
                       const openvdb::GridPtrVec &grids, const openvdb::MetaMap &metadata, bool z_up, BrumeError *error)
{
    BrumeVdbFile file;
    file.is_own = brume_vdb_starts_with(brume_vdb_text_meta(metadata, openvdb::GridBase::META_GRID_CREATOR), "Brume ");
    file.z_up = z_up;
    BrumeStatus status = brume_vdb_choose_grids(file.inputs, grids, file.z_up, def, path, error);
    if (status == BRUME_OK) {
        brume_vdb_find_placements(file, def);
        status = brume_vdb_find_box(file, frame, metadata, path, error);
    }
    for (std::size_t n = 0; status == BRUME_OK && n < file.inputs.size(); n++) {
        BrumeError reason = {};
        status = read_input(frame, file, file.inputs[n], &reason);
        if (status != BRUME_OK) {
            return brume_fail(error, status, "%s: %s", path, reason.text);
        }
    }
    return status;
}

BrumeStatus read_frame(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef &def, char *bytes,
                       std::size_t size, BrumeError *error)
{
    BrumeStatus status = check_bytes(bytes, size, path, error);
    if (status != BRUME_OK) {
        return status;
    }
    MemoryBuffer buffer(bytes, size);
    std::istream input(&buffer);
    // OpenVDB does not check all of its reads: without exceptions it takes missing bytes for values
    input.exceptions(std::ios_base::eofbit | std::ios_base::failbit | std::ios_base::badbit);
    openvdb::io::Stream stream(input, false);
    const openvdb::MetaMap::Ptr metadata = stream.getMetadata();
    const openvdb::GridPtrVecPtr grids = stream.getGrids();
    if (!brume_vdb_text_meta(*metadata, brume_vdb_checksum).empty() && !brume_vdb_has_checksum(bytes, size)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: its checksum is missing: it is incomplete, or another program has rewritten it (that "
                          "must remove the metadata '%s')",
                          path, brume_vdb_checksum);
    }
    const bool z_up = has_z_up(*metadata, *grids);
    const std::size_t points = brume_vdb_count_points(*grids);
    if (def.parts != BRUME_READ_GRIDS && points > 0) {
        status = brume_vdb_read_points(*frame, *grids, z_up, path, error);
    }
    if (status == BRUME_OK && def.parts != BRUME_READ_PARTICLES && !(frame->has_particles && points == grids->size())) {
        status = read_grids(frame, path, def, *grids, *metadata, z_up, error);
    } else if (status == BRUME_OK) {
        brume_vdb_read_box(frame, *metadata);
    }
    if (status != BRUME_OK) {
        return status;
    }
    std::int32_t number = 0;
    frame->has_frame = brume_vdb_get_meta(*metadata, brume_vdb_frame, number);
    frame->frame = number;
    brume_vdb_get_meta(*metadata, brume_vdb_time, frame->time);
    const std::string scene = brume_vdb_text_meta(*metadata, brume_vdb_scene);
    if (!scene.empty()) {
        frame->scene_text = brume_copy_text(scene.c_str());
        if (!frame->scene_text) {
            return brume_out_of_memory(error, "the scene of %s", path);
        }
    }
    return BRUME_OK;
}

} // namespace

BrumeStatus brume_vdb_read(BrumeFrameGrids *frame, const char *path, std::uint8_t *bytes, std::size_t size,
                           const BrumeVolumeReadDef *def, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    try {
        // the simulation, or the picture before, has the other processors meanwhile
        const tbb::global_control serial(tbb::global_control::max_allowed_parallelism, 1);
        openvdb::initialize();
        status = read_frame(frame, path, *def, reinterpret_cast<char *>(bytes), size, error);
    } catch (const std::bad_alloc &) {
        status = brume_fail_reading_memory(path, error);
    } catch (const std::ios_base::failure &) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: is damaged or incomplete: it ends within a grid", path);
    } catch (const std::exception &exception) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: is damaged: OpenVDB reports: %s", path, exception.what());
    } catch (...) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: is damaged: OpenVDB failed", path);
    }
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    return status;
}
