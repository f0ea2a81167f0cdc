// Reads OpenVDB files of any program into dense grids: the union of the active boxes of all grids, or the whole box of
// a file that Brume has written.
#include "exchange/vdb/vdb.h"

#include "core/memory.h"
#include "exchange/resample.h"
#include "exchange/vdb/vdb_file.h"
#include "exchange/vdb/vdb_names.h"
#include "exchange/vdb/vdb_placement.h"
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
constexpr double max_index = 1 << 30;

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

// A grid that is read, and what it becomes.
struct Input {
    openvdb::GridBase::Ptr grid;
    int components;
    bool staggered;
    std::string name; // Brume's
    std::string unit;
    int number, same; // its number from 0 among the grids of its own name, and how many these are
    int colors;       // bit n: component n is color_(n+1)
    bool level_set;   // becomes the distance to the surface, positive inside
    double scale, offset;
    openvdb::CoordBBox active;
    BrumeVdbPlacement placement;
    bool resampled; // the voxels are not those of the file's placement
};

struct File {
    std::vector<Input> inputs;
    bool is_own = false; // written by Brume: the box stands in the metadata
    bool z_up = false;
    BrumeVdbPlacement placement = {}; // aligned
    openvdb::CoordBBox box;           // in the index space of the placement
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
    BrumeVdbPlacement placement;
    if (!brume_vdb_find_placement(placement, grid, false)) {
        return "has voxels that are no parallelepipeds, as those of a camera's frustum (resample it to cubes)";
    }
    return "";
}

void describe_input(Input &input, bool z_up)
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
    input.active = grid.evalActiveVoxelBoundingBox();
    (void)brume_vdb_find_placement(input.placement, grid, z_up);
}

// whether a list of names separated by commas has this name, or as a prefix of a name such as color_1
bool is_listed(const char *list, const std::string &name)
{
    const std::string names = "," + std::string(list) + ",";
    return names.find("," + name + ",") != std::string::npos || names.find("," + name + "_") != std::string::npos;
}

std::string numbered(const Input &input) { return input.grid->getName() + "[" + std::to_string(input.number) + "]"; }

void number_inputs(std::vector<Input> &inputs)
{
    for (Input &input : inputs) {
        input.number = input.same = 0;
        for (const Input &other : inputs) {
            const bool same = other.grid->getName() == input.grid->getName();
            input.number += same && &other < &input ? 1 : 0;
            input.same += same ? 1 : 0;
        }
    }
}

// whether the values of two inputs are added
bool are_added(const Input &one, const Input &other)
{
    return one.name == other.name && one.grid->getName() == other.grid->getName() &&
           one.components == other.components && one.staggered == other.staggered && !one.level_set &&
           !other.level_set && one.colors == other.colors;
}

// Gives the grids Brume's names. A grid that already has such a name comes before others with another name for the
// same. Those of one name keep it, and their values are added, unless one is asked for by its number.
void name_inputs(std::vector<Input> &inputs, const BrumeVolumeReadDef &def)
{
    const auto is_taken = [&inputs](const std::string &name, const std::string &own) {
        return std::any_of(inputs.begin(), inputs.end(),
                           [&](const Input &input) { return input.name == name && input.grid->getName() != own; });
    };
    number_inputs(inputs);
    for (Input &input : inputs) {
        const std::string name = numbered(input);
        const std::string own = input.grid->getName();
        const bool is_asked_for = name == def.density || is_listed(def.grids, name);
        input.name = input.same > 1 && is_asked_for ? name : own == def.density ? own : "";
    }
    for (const bool same : {true, false}) {
        for (Input &input : inputs) {
            const std::string own = input.grid->getName();
            const char *known = brume_vdb_known_name(own.c_str(), input.components);
            const bool is_other_density = known && def.density[0] != '\0' &&
                                          std::strcmp(known, BRUME_GRID_DENSITY) == 0 &&
                                          std::strcmp(known, def.density) != 0;
            if (input.name.empty() && known && !is_other_density && (own == known) == same && !is_taken(known, own)) {
                input.name = known;
            }
        }
    }
    for (std::size_t n = 0; n < inputs.size(); n++) {
        Input &input = inputs[n];
        if (input.name.empty()) {
            input.name = input.grid->getName().empty() ? "unnamed" : input.grid->getName();
        }
        for (std::size_t other = 0; other < n; other++) {
            if (inputs[other].name == input.name && !are_added(inputs[other], input)) {
                input.name = numbered(input);
            }
        }
        if (input.unit.empty() || input.unit.size() >= BRUME_MAX_UNIT) {
            input.unit = brume_vdb_unit_of(input.name.c_str());
        }
    }
}

// Removes the grids that are not needed, or that are not the density although their name says so, unless none is left:
// the caller then says which there are.
void remove_others(std::vector<Input> &inputs, const BrumeVolumeReadDef &def)
{
    const auto is_needed = [&def](const Input &input) {
        if (def.density[0] != '\0' && input.name != def.density && input.name == BRUME_GRID_DENSITY) {
            return false; // another grid takes its place
        }
        return def.grids[0] == '\0' || input.name == def.density || is_listed(def.grids, input.name);
    };
    if (std::any_of(inputs.begin(), inputs.end(), is_needed)) {
        inputs.erase(std::stable_partition(inputs.begin(), inputs.end(), is_needed), inputs.end());
    }
}

BrumeStatus choose_grids(File &file, const openvdb::GridPtrVec &grids, const BrumeVolumeReadDef &def, const char *path,
                         BrumeError *error)
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
            describe_input(input, file.z_up);
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
    name_inputs(file.inputs, def);
    remove_others(file.inputs, def);
    return BRUME_OK;
}

/*
 * Transforms.
 */

// The input with whose voxels all grids are stored: the density, otherwise the first scalar, otherwise the first one.
const Input &find_reference(const std::vector<Input> &inputs, const BrumeVolumeReadDef &def)
{
    const std::string density = def.density[0] != '\0' ? def.density : BRUME_GRID_DENSITY;
    const Input *scalar = nullptr;
    for (const Input &input : inputs) {
        if (input.name == density) {
            return input;
        }
        scalar = !scalar && input.components == 1 ? &input : scalar;
    }
    return scalar ? *scalar : inputs[0];
}

// With staggered values, component a must be that along index axis a, on the lower faces; otherwise they become vectors
// at the centres.
bool has_faces_of_brume(const Input &input, bool z_up)
{
    const BrumeVdbAxes axes = brume_vdb_axes(z_up);
    bool same = true;
    for (int a = 0; a < 3; a++) {
        same = same && input.placement.brume[a] == axes.of_file[a] && input.placement.flipped[a] == axes.flipped[a];
    }
    return same;
}

void find_placements(File &file, const BrumeVolumeReadDef &def)
{
    const BrumeVdbPlacement &reference = find_reference(file.inputs, def).placement;
    file.placement = reference.aligned ? reference : brume_vdb_cubes(reference.dx, reference.zero);
    for (Input &input : file.inputs) {
        input.resampled = !reference.aligned || !brume_vdb_same_placement(file.placement, input.placement) ||
                          (input.staggered && !has_faces_of_brume(input, file.z_up));
    }
}

/*
 * The box.
 */

// The part of the target's index space, in which voxel n is from n - 1/2 to n + 1/2, that the values of an input reach.
void find_reach(const File &file, const Input &input, openvdb::Vec3d &low, openvdb::Vec3d &high)
{
    if (!input.resampled) {
        low = input.active.min().asVec3d();
        high = input.active.max().asVec3d();
        return;
    }
    const BrumeVdbPlacement &placement = input.placement;
    low = openvdb::Vec3d(HUGE_VAL);
    high = openvdb::Vec3d(-HUGE_VAL);
    for (int corner = 0; corner < 8; corner++) {
        openvdb::Vec3d index; // the values decrease to 0 on the distance of one voxel
        for (int a = 0; a < 3; a++) {
            const std::size_t axis = static_cast<std::size_t>(a);
            index[a] = (corner >> a & 1) != 0 ? input.active.max()[axis] + 1.0 : input.active.min()[axis] - 1.0;
        }
        const openvdb::Vec3d at = brume_vdb_index_of(file.placement, placement.to_brume * index + placement.zero);
        for (int a = 0; a < 3; a++) {
            low[a] = std::min(low[a], at[a]);
            high[a] = std::max(high[a], at[a]);
        }
    }
}

// The box of all active voxels. Of cubes that are made for a grid, one has the centre of its voxel (0, 0, 0), so that
// those of all frames of a sequence are at the same places.
BrumeStatus find_active(File &file, openvdb::CoordBBox &active, const char *path, BrumeError *error)
{
    openvdb::Vec3d low(HUGE_VAL);
    openvdb::Vec3d high(-HUGE_VAL);
    bool is_made = true;
    for (const Input &input : file.inputs) {
        openvdb::Vec3d input_low;
        openvdb::Vec3d input_high;
        is_made = is_made && input.resampled;
        if (input.active.empty() || (file.is_own && input.resampled)) {
            continue;
        }
        find_reach(file, input, input_low, input_high);
        for (int a = 0; a < 3; a++) {
            low[a] = std::min(low[a], std::floor(input_low[a] + 0.5));
            high[a] = std::max(high[a], std::ceil(input_high[a] - 0.5));
        }
    }
    active = openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(0)); // an empty file is one empty cell
    for (int a = 0; a < 3 && low[0] <= high[0]; a++) {
        if (is_made) {
            file.placement.zero[file.placement.brume[a]] +=
                (file.placement.flipped[a] ? -low[a] : low[a]) * file.placement.dx;
            high[a] -= low[a];
            low[a] = 0.0;
        }
        if (!(std::fabs(low[a]) < max_index && std::fabs(high[a]) < max_index)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: its active voxels span too many cells, or are too far from the origin of its "
                              "indices (crop or coarsen it)",
                              path);
        }
        active.min()[static_cast<std::size_t>(a)] = static_cast<int>(low[a]);
        active.max()[static_cast<std::size_t>(a)] = static_cast<int>(high[a]);
    }
    return BRUME_OK;
}

BrumeStatus find_box(File &file, BrumeFrameGrids *frame, const openvdb::MetaMap &metadata, const char *path,
                     BrumeError *error)
{
    openvdb::CoordBBox active;
    if (find_active(file, active, path, error) != BRUME_OK) {
        return error->status;
    }
    openvdb::Vec3i cells(0);
    openvdb::Vec3d origin(0.0);
    const BrumeVdbPlacement &placement = file.placement;
    file.box = active;
    double side = 0.0;
    if (file.is_own && get_meta(metadata, brume_vdb_cells, cells) && get_meta(metadata, brume_vdb_origin, origin) &&
        get_meta(metadata, brume_vdb_side, side) &&
        std::fabs(side - placement.dx) <= brume_vdb_tolerance * placement.dx) {
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

void store_grid(const Input &input, const openvdb::CoordBBox &box, const Store &store)
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

void add_note(BrumeFrameGrid &grid, const Input &input, bool adds, double side)
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
BrumeStatus find_target(BrumeFrameGrids *frame, const Input &input, const char *name, int components,
                        BrumeGridLocation location, BrumeFrameGrid *&grid, bool &adds, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    const BrumeFrameGrid *found = brume_frame_grids_find(frame, name);
    adds = found != nullptr;
    if (found) {
        grid = &frame->grids[found - frame->grids];
        if (grid->components != components || grid->location != location) {
            return brume_fail(error, BRUME_BAD_INPUT, "two grids are named '%s', at centres and on faces", name);
        }
    } else {
        status = brume_frame_grids_add(frame, name, input.unit.c_str(), components, location, &grid, error);
    }
    if (status == BRUME_OK) {
        add_note(*grid, input, adds, frame->dx);
    }
    return status;
}

// The grid of an input; those of the three color densities of a vector that Brume has written, or of the components on
// the faces.
BrumeStatus find_targets(BrumeFrameGrids *frame, const Input &input, InputTarget targets[3], bool &adds,
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

// from a vector of the file to a vector of Brume
openvdb::Mat3d vector_matrix(const File &file, const Input &input)
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

// the values of components on the lower faces, at the centres
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

BrumeStatus make_dense(Dense &dense, const File &file, const Input &input, Store &store, BrumeError *error)
{
    dense.box = input.active.empty() ? openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(0)) : input.active;
    if (input.staggered) { // the upper face of a cell is the lower one of the next
        dense.box.min().offset(-1);
    }
    const openvdb::Coord extents = dense.box.dim();
    const double count = double(extents[0]) * extents[1] * extents[2] * input.components;
    if (!(count <= double(max_values))) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "the grid '%s' is resampled, and has %.3g values as a dense grid; at most %.3g are allowed "
                          "(crop or coarsen it)",
                          input.name.c_str(), count, double(max_values));
    }
    dense.outside = 0.0f;
    if (input.level_set) {
        const auto *single = dynamic_cast<const openvdb::FloatGrid *>(input.grid.get());
        const auto *twice = dynamic_cast<const openvdb::DoubleGrid *>(input.grid.get());
        const double background = single ? static_cast<double>(single->background()) : twice ? twice->background() : 0;
        dense.outside = static_cast<float>((background - input.offset) / input.scale);
    }
    dense.values.assign(static_cast<std::size_t>(count), dense.outside);
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
    return BRUME_OK;
}

BrumeStatus resample_input(const BrumeFrameGrids *frame, const File &file, const Input &input, Store &store,
                           const InputTarget targets[3], BrumeError *error)
{
    Dense dense;
    const bool adds = store.adds;
    store.adds = false;
    if (make_dense(dense, file, input, store, error) != BRUME_OK) {
        return error->status;
    }
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
    return BRUME_OK;
}

BrumeStatus read_input(BrumeFrameGrids *frame, const File &file, const Input &input, BrumeError *error)
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
    if (input.resampled) {
        return resample_input(frame, file, input, store, targets, error);
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
    if (!text_meta(*metadata, brume_vdb_checksum).empty() && !brume_vdb_has_checksum(bytes, size)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: its checksum is missing: it is incomplete, or another program has rewritten it (that "
                          "must remove the metadata '%s')",
                          path, brume_vdb_checksum);
    }
    File file;
    file.is_own = starts_with(text_meta(*metadata, openvdb::GridBase::META_GRID_CREATOR), "Brume ");
    file.z_up = has_z_up(*metadata, *grids);
    status = choose_grids(file, *grids, def, path, error);
    if (status == BRUME_OK) {
        find_placements(file, def);
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
        status = read_frame(frame, path, *def, reinterpret_cast<char *>(bytes.get()), size, error);
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
