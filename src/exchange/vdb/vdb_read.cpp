// Reads OpenVDB files of any program into dense grids: the union of the active boxes of all grids, or the whole box of
// a file that Brume has written.
#include "exchange/vdb/vdb.h"

#include "core/memory.h"
#include "exchange/vdb/vdb_file.h"
#include "exchange/vdb/vdb_names.h"
#include "io/file.h"

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

constexpr std::uint64_t max_values = std::uint64_t(1) << 31; // of a grid
constexpr double tolerance = 1e-4;                           // of lengths and directions, relative to a voxel

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

struct FreeBytes {
    void operator()(std::uint8_t *bytes) const { brume_free(bytes); }
};

// How the index space of the file lies in Brume's box. Index axis a is Brume's axis `brume[a]`, backwards if
// `flipped[a]`.
struct IndexPlacement {
    int brume[3];
    bool flipped[3];
    openvdb::Mat3d to_brume; // vector of the index space to Brume's axes [m]
    openvdb::Vec3d zero;     // position of index (0, 0, 0) in Brume's axes [m]
    double dx;
};

// A grid that is read, and what it becomes.
struct Input {
    openvdb::GridBase::Ptr grid;
    int components;
    bool staggered;
    std::string name; // Brume's
    std::string unit;
    int colors;     // bit n: component n is color_(n+1)
    bool level_set; // becomes the distance to the surface, positive inside
    double scale, offset;
};

struct File {
    std::vector<Input> inputs;
    bool is_own = false; // written by Brume: the box stands in the metadata
    bool z_up = false;
    IndexPlacement placement = {};
    openvdb::CoordBBox box; // in the index space of the file
};

bool is_vector(const openvdb::GridBase &grid)
{
    return grid.isType<openvdb::Vec3SGrid>() || grid.isType<openvdb::Vec3DGrid>();
}

bool is_scalar(const openvdb::GridBase &grid)
{
    return grid.isType<openvdb::FloatGrid>() || grid.isType<openvdb::DoubleGrid>();
}

template <typename Value> bool get_meta(const openvdb::MetaMap &map, const char *name, Value &value)
{
    const auto found = map.getMetadata<openvdb::TypedMetadata<Value>>(name);
    if (found) {
        value = found->value();
    }
    return found != nullptr;
}

std::string text_meta(const openvdb::MetaMap &map, const char *name)
{
    std::string text;
    get_meta(map, name, text);
    return text;
}

bool starts_with(const std::string &text, const char *start) { return text.rfind(start, 0) == 0; }

/*
 * Choosing the grids.
 */

bool is_level_set(const openvdb::GridBase &grid)
{
    return grid.getGridClass() == openvdb::GRID_LEVEL_SET && is_scalar(grid);
}

// Why a grid is left out; empty: it is read. Level sets are read from files that have nothing else: their voxels are
// often others than those of smoke.
std::string reason_against(const openvdb::GridBase &grid, bool only_level_sets)
{
    if (grid.getGridClass() == openvdb::GRID_LEVEL_SET && !only_level_sets) {
        return "is a level set";
    }
    if (starts_with(grid.valueType(), "ptdataidx")) {
        return "holds points";
    }
    if (!is_scalar(grid) && !is_vector(grid)) {
        return "has values of type " + grid.valueType();
    }
    return "";
}

void describe_input(Input &input)
{
    const openvdb::GridBase &grid = *input.grid;
    input.components = is_vector(grid) ? 3 : 1;
    input.staggered = input.components == 3 && grid.getGridClass() == openvdb::GRID_STAGGERED;
    input.unit = text_meta(grid, brume_vdb_unit);
    input.scale = 1.0;
    input.offset = 0.0;
    input.colors = 0;
    double scale = 0.0;
    if (starts_with(grid.getCreator(), "Brume ") && get_meta(grid, brume_vdb_scale, scale) && scale != 0.0 &&
        std::isfinite(scale)) {
        input.scale = scale;
        get_meta(grid, brume_vdb_offset, input.offset);
        input.unit.clear();
    }
    input.level_set = is_level_set(grid);
    if (input.level_set) {
        input.scale = -1.0;
        input.unit = "m";
    }
    std::int32_t colors = 0;
    if (input.components == 3 && get_meta(grid, brume_vdb_colors, colors)) {
        input.colors = colors & 7;
    }
}

// Gives the grids Brume's names. A grid that already has such a name comes before others with another name for the
// same.
void name_inputs(std::vector<Input> &inputs)
{
    std::vector<std::string> taken;
    const auto is_taken = [&taken](const std::string &name) {
        return std::find(taken.begin(), taken.end(), name) != taken.end();
    };
    for (const bool same : {true, false}) {
        for (Input &input : inputs) {
            const std::string own = input.grid->getName();
            const char *known = brume_vdb_known_name(own.c_str(), input.components);
            if (input.name.empty() && known && (own == known) == same && !is_taken(known)) {
                input.name = known;
                taken.push_back(input.name);
            }
        }
    }
    for (Input &input : inputs) {
        if (input.name.empty()) {
            input.name = input.grid->getName().empty() ? "unnamed" : input.grid->getName();
        }
        if (input.unit.empty()) {
            input.unit = brume_vdb_unit_of(input.name.c_str());
        }
    }
}

BrumeStatus choose_grids(File &file, const openvdb::GridPtrVec &grids, const char *path, BrumeError *error)
{
    std::string reasons;
    bool only_level_sets = !grids.empty();
    for (const openvdb::GridBase::Ptr &grid : grids) {
        only_level_sets = only_level_sets && is_level_set(*grid);
    }
    for (const openvdb::GridBase::Ptr &grid : grids) {
        const std::string reason = reason_against(*grid, only_level_sets);
        if (reason.empty()) {
            Input input = {};
            input.grid = grid;
            describe_input(input);
            file.inputs.push_back(input);
        } else {
            reasons += (reasons.empty() ? "'" : ", '") + grid->getName() + "' " + reason;
        }
    }
    if (file.inputs.empty()) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: has no grid of smoke, heat or air: %s (convert it to a fog volume)", path,
                          reasons.empty() ? "it has no grids" : reasons.c_str());
    }
    name_inputs(file.inputs);
    return BRUME_OK;
}

/*
 * Transforms.
 */

// from the axes of the file's world, of which y or z points up, to Brume's
openvdb::Vec3d turn(const openvdb::Vec3d &vector, bool z_up)
{
    return z_up ? openvdb::Vec3d(vector[0], vector[2], -vector[1]) : vector;
}

BrumeStatus find_placement(IndexPlacement &placement, const openvdb::GridBase &grid, bool z_up, const char *path,
                           BrumeError *error)
{
    const std::string name = grid.getName();
    if (!grid.transform().isLinear()) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the voxels of the grid '%s' are not cubes (it is a frustum)",
                          path, name.c_str());
    }
    const openvdb::Mat4d matrix = grid.transform().baseMap()->getAffineMap()->getMat4();
    openvdb::Vec3d axes[3];
    double side[3];
    for (int a = 0; a < 3; a++) {
        axes[a] = turn(openvdb::Vec3d(matrix(a, 0), matrix(a, 1), matrix(a, 2)), z_up);
        side[a] = axes[a].length();
    }
    if (!(side[0] > 0.0) || !std::isfinite(side[0]) || !(std::fabs(side[1] - side[0]) <= tolerance * side[0]) ||
        !(std::fabs(side[2] - side[0]) <= tolerance * side[0])) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: the voxels of the grid '%s' are not cubes: %g x %g x %g (resample it to cubes)", path,
                          name.c_str(), side[0], side[1], side[2]);
    }
    bool used[3] = {false, false, false};
    for (int a = 0; a < 3; a++) {
        int along = 0;
        for (int b = 0; b < 3; b++) {
            along = std::fabs(axes[a][b]) > std::fabs(axes[a][along]) ? b : along;
            placement.to_brume(b, a) = axes[a][b];
        }
        if (used[along] || std::fabs(axes[a][along]) < side[0] * (1.0 - tolerance * tolerance)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: the grid '%s' is rotated or sheared (resample it along the axes)", path,
                              name.c_str());
        }
        used[along] = true;
        placement.brume[a] = along;
        placement.flipped[a] = axes[a][along] < 0.0;
    }
    placement.dx = side[0];
    placement.zero = turn(openvdb::Vec3d(matrix(3, 0), matrix(3, 1), matrix(3, 2)), z_up);
    return BRUME_OK;
}

BrumeStatus check_same_placement(const IndexPlacement &one, const IndexPlacement &other, const File &file,
                                 const Input &input, const char *path, BrumeError *error)
{
    bool same = std::fabs(one.dx - other.dx) <= tolerance * one.dx;
    for (int a = 0; a < 3; a++) {
        same = same && one.brume[a] == other.brume[a] && one.flipped[a] == other.flipped[a] &&
               std::fabs(one.zero[a] - other.zero[a]) <= 1e-2 * one.dx;
    }
    if (!same) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: the voxels of the grids '%s' and '%s' are not the same (resample one to the other)",
                          path, file.inputs[0].grid->getName().c_str(), input.grid->getName().c_str());
    }
    return BRUME_OK;
}

// With staggered values, component a must be that along index axis a, on the lower faces.
BrumeStatus check_staggered(const IndexPlacement &placement, const Input &input, bool z_up, const char *path,
                            BrumeError *error)
{
    const BrumeVdbAxes axes = brume_vdb_axes(z_up);
    for (int a = 0; a < 3; a++) {
        if (placement.brume[a] != axes.of_file[a] || placement.flipped[a] != axes.flipped[a]) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: the staggered grid '%s' has exchanged or mirrored axes (resample it to the centres)",
                              path, input.grid->getName().c_str());
        }
    }
    return BRUME_OK;
}

BrumeStatus find_placements(File &file, const char *path, BrumeError *error)
{
    for (std::size_t n = 0; n < file.inputs.size(); n++) {
        const Input &input = file.inputs[n];
        IndexPlacement placement = {};
        BrumeStatus status = find_placement(placement, *input.grid, file.z_up, path, error);
        if (status == BRUME_OK && n > 0) {
            status = check_same_placement(file.placement, placement, file, input, path, error);
        }
        if (status == BRUME_OK && input.staggered) {
            status = check_staggered(placement, input, file.z_up, path, error);
        }
        if (status != BRUME_OK) {
            return status;
        }
        if (n == 0) {
            file.placement = placement;
        }
    }
    return BRUME_OK;
}

/*
 * The box.
 */

BrumeStatus find_box(File &file, BrumeFrameGrids *frame, const openvdb::MetaMap &metadata, const char *path,
                     BrumeError *error)
{
    openvdb::CoordBBox active;
    for (const Input &input : file.inputs) {
        active.expand(input.grid->evalActiveVoxelBoundingBox());
    }
    if (active.empty()) {
        active = openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(0)); // an empty file is one empty cell
    }
    openvdb::Vec3i cells(0);
    openvdb::Vec3d origin(0.0);
    const IndexPlacement &placement = file.placement;
    file.box = active;
    double side = 0.0;
    if (file.is_own && get_meta(metadata, brume_vdb_cells, cells) && get_meta(metadata, brume_vdb_origin, origin) &&
        get_meta(metadata, brume_vdb_side, side) && std::fabs(side - placement.dx) <= tolerance * placement.dx) {
        frame->dx = side;
        for (std::size_t a = 0; a < 3; a++) {
            file.box.min()[a] = 0;
            file.box.max()[a] = cells[placement.brume[a]] - 1;
            frame->origin[a] = origin[static_cast<int>(a)];
            // staggered values may lie on the upper faces of the last cells
            if (file.box.max()[a] < 0 || active.min()[a] < 0 || active.max()[a] > file.box.max()[a] + 1) {
                return brume_fail(error, BRUME_BAD_INPUT, "%s: is damaged: its grids are larger than its box", path);
            }
        }
    } else {
        frame->dx = placement.dx;
        for (std::size_t a = 0; a < 3; a++) {
            const int b = placement.brume[a];
            const int lowest = placement.flipped[a] ? active.max()[a] : active.min()[a];
            frame->origin[b] = placement.zero[b] + ((placement.flipped[a] ? -1.0 : 1.0) * lowest - 0.5) * placement.dx;
        }
    }
    std::int64_t extent[3];
    for (std::size_t a = 0; a < 3; a++) {
        // an extent can be larger than an int
        extent[placement.brume[a]] = std::int64_t(file.box.max()[a]) - file.box.min()[a] + 1;
    }
    const double values = 3.0 * double(extent[0]) * double(extent[1]) * double(extent[2]); // of a vector
    std::uint64_t components = 0;
    bool has_vector = false;
    for (const Input &input : file.inputs) {
        components += static_cast<std::uint64_t>(input.components);
        has_vector = has_vector || input.components == 3;
    }
    const double largest = has_vector ? values : values / 3.0;
    if (largest > double(max_values)) {
        return brume_fail(
            error, BRUME_BAD_INPUT,
            "%s: its active voxels span %lld x %lld x %lld cells; a dense grid of %.1f GB would have %.3g "
            "values, at most %.3g are allowed (crop or coarsen it)",
            path, static_cast<long long>(extent[0]), static_cast<long long>(extent[1]),
            static_cast<long long>(extent[2]), largest * 4e-9, largest, double(max_values));
    }
    const double needed = values / 3.0 * double(components) * sizeof(float);
    const double memory = double(brume_physical_memory());
    if (memory > 0.0 && needed > memory) {
        return brume_fail(error, BRUME_FAILED,
                          "%s: its grids need %.1f GB of memory as %lld x %lld x %lld cells; this machine has %.1f GB",
                          path, needed * 1e-9, static_cast<long long>(extent[0]), static_cast<long long>(extent[1]),
                          static_cast<long long>(extent[2]), memory * 1e-9);
    }
    frame->cells = BrumeGrid{static_cast<int>(extent[0]), static_cast<int>(extent[1]), static_cast<int>(extent[2])};
    return BRUME_OK;
}

/*
 * Values.
 */

// Where one component of a grid is stored: the value of index (i, j, k) at values[start + i step[0] + ...].
struct Destination {
    float *values;
    std::ptrdiff_t start;
    std::ptrdiff_t step[3];
};

Destination make_destination(const File &file, BrumeGrid cells, float *values, int stride, BrumeGridLocation location)
{
    const IndexPlacement &placement = file.placement;
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
    openvdb::Mat3d matrix; // from a vector of the file to a vector of Brume
    bool is_scaled;
    double scale, offset;
    openvdb::CoordBBox limits[3]; // of the indices that have a destination

    void put(const openvdb::Coord &at, int n, double value) const
    {
        const Destination &to = destination[n];
        if (to.values && limits[n].isInside(at)) {
            const std::ptrdiff_t index = to.start + at[0] * to.step[0] + at[1] * to.step[1] + at[2] * to.step[2];
            to.values[index] = static_cast<float>(is_scaled ? (value - offset) / scale : value);
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

// The values of all voxels of a level set: those beyond its narrow band are inactive, and tell inside from outside.
template <typename Grid>
void store_all_values(const openvdb::GridBase &base, const openvdb::CoordBBox &box, const Store &store)
{
    const auto accessor = static_cast<const Grid &>(base).getConstAccessor();
    for (auto at = box.begin(); at; ++at) {
        store(*at, accessor.getValue(*at));
    }
}

// The three color densities of a vector that Brume has written, or the three components on the faces.
BrumeStatus add_components(BrumeFrameGrids *frame, const File &file, const Input &input, Store &store,
                           BrumeError *error)
{
    for (int n = 0; n < 3; n++) {
        char name[BRUME_MAX_GRID_NAME];
        BrumeGridLocation location = BRUME_AT_CENTERS;
        if (input.staggered) {
            (void)std::snprintf(name, sizeof name, "%s%c", BRUME_GRID_FACES, 'x' + n);
            location = static_cast<BrumeGridLocation>(static_cast<int>(BRUME_AT_X_FACES) + n);
        } else {
            (void)std::snprintf(name, sizeof name, "%s%d", BRUME_GRID_COLOR, n + 1);
        }
        BrumeFrameGrid *grid = nullptr;
        if (!input.staggered && !(input.colors >> n & 1)) {
            continue;
        }
        const BrumeStatus status = brume_frame_grids_add(frame, name, input.unit.c_str(), 1, location, &grid, error);
        if (status != BRUME_OK) {
            return status;
        }
        store.destination[n] = make_destination(file, frame->cells, grid->values, 1, location);
        store.limits[n] = file.box;
        for (std::size_t a = 0; a < 3; a++) {
            if (input.staggered && file.placement.brume[a] == n) {
                store.limits[n].max()[a]++;
            }
        }
    }
    return BRUME_OK;
}

BrumeStatus read_input(BrumeFrameGrids *frame, const File &file, const Input &input, BrumeError *error)
{
    if (input.unit.size() >= BRUME_MAX_UNIT) {
        return brume_fail(error, BRUME_BAD_INPUT, "the unit of the grid '%s' is too long", input.name.c_str());
    }
    Store store = {};
    store.is_scaled = input.scale != 1.0 || input.offset != 0.0;
    store.scale = input.scale;
    store.offset = input.offset;
    store.matrix = openvdb::Mat3d::identity();
    BrumeStatus status = BRUME_OK;
    if (input.components == 3 && input.name != "color" && input.colors == 0) {
        const bool in_world = input.grid->isInWorldSpace();
        for (int c = 0; c < 3; c++) {
            openvdb::Vec3d unit(0.0);
            unit[c] = 1.0;
            const openvdb::Vec3d column = turn(unit, file.z_up);
            for (int b = 0; b < 3; b++) {
                store.matrix(b, c) = in_world ? column[b] : file.placement.to_brume(b, c);
            }
        }
    }
    if (input.staggered || input.colors != 0) {
        status = add_components(frame, file, input, store, error);
    } else {
        BrumeFrameGrid *grid = nullptr;
        status = brume_frame_grids_add(frame, input.name.c_str(), input.unit.c_str(), input.components,
                                       BRUME_AT_CENTERS, &grid, error);
        for (int n = 0; status == BRUME_OK && n < input.components; n++) {
            store.destination[n] =
                make_destination(file, frame->cells, grid->values + n, input.components, BRUME_AT_CENTERS);
            store.limits[n] = file.box;
        }
    }
    if (status != BRUME_OK) {
        return status;
    }
    openvdb::CoordBBox reach = file.box;
    reach.max().offset(1); // faces
    if (input.level_set && input.grid->isType<openvdb::FloatGrid>()) {
        store_all_values<openvdb::FloatGrid>(*input.grid, file.box, store);
    } else if (input.level_set) {
        store_all_values<openvdb::DoubleGrid>(*input.grid, file.box, store);
    } else if (input.grid->isType<openvdb::FloatGrid>()) {
        store_values<openvdb::FloatGrid>(*input.grid, reach, store);
    } else if (input.grid->isType<openvdb::DoubleGrid>()) {
        store_values<openvdb::DoubleGrid>(*input.grid, reach, store);
    } else if (input.grid->isType<openvdb::Vec3SGrid>()) {
        store_values<openvdb::Vec3SGrid>(*input.grid, reach, store);
    } else {
        store_values<openvdb::Vec3DGrid>(*input.grid, reach, store);
    }
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
    const std::string up = text_meta(metadata, brume_vdb_up);
    if (!up.empty()) {
        return up == "z";
    }
    const auto is_of_blender = [](const openvdb::MetaMap &map) {
        const std::string creator = text_meta(map, openvdb::GridBase::META_GRID_CREATOR);
        return creator.find("Blender") != std::string::npos || map["file_base_resolution"] != nullptr;
    };
    bool found = is_of_blender(metadata);
    for (const openvdb::GridBase::Ptr &grid : grids) {
        found = found || is_of_blender(*grid);
    }
    return found;
}

BrumeStatus read_frame(BrumeFrameGrids *frame, const char *path, char *bytes, std::size_t size, BrumeError *error)
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
    if (!text_meta(*metadata, brume_vdb_checksum).empty() && !brume_vdb_has_checksum(bytes, size)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: its checksum is missing: it is incomplete, or another program has rewritten it (that "
                          "must remove the metadata '%s')",
                          path, brume_vdb_checksum);
    }
    File file;
    file.is_own = starts_with(text_meta(*metadata, openvdb::GridBase::META_GRID_CREATOR), "Brume ");
    file.z_up = has_z_up(*metadata, *grids);
    status = choose_grids(file, *grids, path, error);
    if (status == BRUME_OK) {
        status = find_placements(file, path, error);
    }
    if (status == BRUME_OK) {
        status = find_box(file, frame, *metadata, path, error);
    }
    for (std::size_t n = 0; status == BRUME_OK && n < file.inputs.size(); n++) {
        BrumeError reason = {};
        status = read_input(frame, file, file.inputs[n], &reason);
        if (status != BRUME_OK) {
            return brume_fail(error, status, "%s: %s", path, reason.text);
        }
    }
    if (status != BRUME_OK) {
        return status;
    }
    std::int32_t number = 0;
    frame->has_frame = get_meta(*metadata, brume_vdb_frame, number);
    frame->frame = number;
    get_meta(*metadata, brume_vdb_time, frame->time);
    const std::string scene = text_meta(*metadata, brume_vdb_scene);
    if (!scene.empty()) {
        frame->scene_text = brume_copy_text(scene.c_str());
        if (!frame->scene_text) {
            return brume_out_of_memory(error, "the scene of %s", path);
        }
    }
    return BRUME_OK;
}

} // namespace

BrumeStatus brume_vdb_read(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error)
{
    (void)def;
    std::uint8_t *read = nullptr;
    std::size_t size = 0;
    BrumeStatus status = brume_file_read(path, &read, &size, error);
    if (status != BRUME_OK) {
        return status;
    }
    const std::unique_ptr<std::uint8_t, FreeBytes> bytes(read);
    try {
        const tbb::global_control serial(tbb::global_control::max_allowed_parallelism, 1); // see child_reader.h
        openvdb::initialize();
        status = read_frame(frame, path, reinterpret_cast<char *>(bytes.get()), size, error);
    } catch (const std::bad_alloc &) {
        status =
            brume_fail(error, BRUME_FAILED,
                       "%s: cannot be read: memory ran out (the file is damaged, or too large for this machine)", path);
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
