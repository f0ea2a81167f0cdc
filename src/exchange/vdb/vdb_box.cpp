#include "exchange/vdb/vdb_box.h"

#include "exchange/vdb/vdb_file.h"

#include <algorithm>
#include <cmath>
#include <openvdb/openvdb.h>

namespace
{

constexpr std::uint64_t max_values = std::uint64_t(1) << 31; // of a grid
constexpr double max_index = 1 << 30;

// The input with whose voxels all grids are stored: the density, otherwise the first scalar, otherwise the first one.
const BrumeVdbInput &find_reference(const std::vector<BrumeVdbInput> &inputs, const BrumeVolumeReadDef &def)
{
    const std::string density = def.density[0] != '\0' ? def.density : BRUME_GRID_DENSITY;
    const BrumeVdbInput *scalar = nullptr;
    for (const BrumeVdbInput &input : inputs) {
        if (input.name == density) {
            return input;
        }
        scalar = !scalar && input.components == 1 ? &input : scalar;
    }
    return scalar ? *scalar : inputs[0];
}

// With staggered values, component a must be the component along index axis a, on the lower faces; otherwise they
// become vectors at the centers.
bool has_faces_of_brume(const BrumeVdbInput &input, bool z_up)
{
    const BrumeVdbAxes axes = brume_vdb_axes(z_up);
    bool same = true;
    for (int a = 0; a < 3; a++) {
        same = same && input.placement.brume[a] == axes.of_file[a] && input.placement.flipped[a] == axes.flipped[a];
    }
    return same;
}

// The part of the target's index space, in which voxel n is from n - 1/2 to n + 1/2, that the values of an input reach.
void find_reach(const BrumeVdbFile &file, const BrumeVdbInput &input, openvdb::Vec3d &low, openvdb::Vec3d &high)
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

// The box of all active voxels. Of cubes that are made for a grid, one has the center of its voxel (0, 0, 0), so that
// the cubes of all frames of a sequence are at the same places.
BrumeStatus find_active(BrumeVdbFile &file, openvdb::CoordBBox &active, const char *path, BrumeError *error)
{
    openvdb::Vec3d low(HUGE_VAL);
    openvdb::Vec3d high(-HUGE_VAL);
    bool is_made = true;
    for (const BrumeVdbInput &input : file.inputs) {
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

// Checks the sizes of the dense grids of the inputs that are resampled; `largest` is the largest number of values.
BrumeStatus check_dense(const BrumeVdbFile &file, double &largest, const char *path, BrumeError *error)
{
    largest = 0.0;
    for (const BrumeVdbInput &input : file.inputs) {
        const openvdb::CoordBBox box = brume_vdb_dense_box(input);
        double values = input.resampled ? input.components : 0;
        for (std::size_t a = 0; a < 3; a++) {
            values *= double(box.max()[a]) - double(box.min()[a]) + 1.0;
        }
        if (values > double(max_values)) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: the grid '%s' is resampled, and has %.3g values as a dense grid; at most %.3g are "
                              "allowed (crop or coarsen it)",
                              path, input.name.c_str(), values, double(max_values));
        }
        largest = std::max(largest, values);
    }
    return BRUME_OK;
}

} // namespace

void brume_vdb_find_placements(BrumeVdbFile &file, const BrumeVolumeReadDef &def)
{
    const BrumeVdbPlacement &reference = find_reference(file.inputs, def).placement;
    file.placement = reference.aligned ? reference : brume_vdb_cubes(reference.dx, reference.zero);
    for (BrumeVdbInput &input : file.inputs) {
        input.resampled = !reference.aligned || !brume_vdb_same_placement(file.placement, input.placement) ||
                          (input.staggered && !has_faces_of_brume(input, file.z_up));
    }
}

void brume_vdb_read_box(BrumeFrameGrids *frame, const openvdb::MetaMap &metadata)
{
    openvdb::Vec3i cells(0);
    openvdb::Vec3d origin(0.0);
    double side = 0.0;
    const bool found = brume_vdb_get_meta(metadata, brume_vdb_cells, cells) &&
                       brume_vdb_get_meta(metadata, brume_vdb_origin, origin) &&
                       brume_vdb_get_meta(metadata, brume_vdb_side, side);
    if (found && openvdb::math::Min(cells[0], cells[1], cells[2]) > 0 && side > 0.0) {
        frame->cells = brume_grid(cells[0], cells[1], cells[2]);
        frame->dx = side;
        for (int axis = 0; axis < 3; axis++) {
            frame->origin[axis] = origin[axis];
        }
    }
}

openvdb::CoordBBox brume_vdb_dense_box(const BrumeVdbInput &input)
{
    openvdb::CoordBBox box =
        input.active.empty() ? openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(0)) : input.active;
    if (input.staggered) {
        box.min().offset(-1);
    }
    return box;
}

BrumeStatus brume_vdb_find_box(BrumeVdbFile &file, BrumeFrameGrids *frame, const openvdb::MetaMap &metadata,
                               const char *path, BrumeError *error)
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
    if (file.is_own && brume_vdb_get_meta(metadata, brume_vdb_cells, cells) &&
        brume_vdb_get_meta(metadata, brume_vdb_origin, origin) && brume_vdb_get_meta(metadata, brume_vdb_side, side) &&
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
    for (const BrumeVdbInput &input : file.inputs) {
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
    double dense = 0.0; // one is made after the other
    if (check_dense(file, dense, path, error) != BRUME_OK) {
        return error->status;
    }
    frame->cells = brume_grid(static_cast<int>(extent[0]), static_cast<int>(extent[1]), static_cast<int>(extent[2]));
    return brume_frame_grids_check_memory(frame, values / 3.0 * double(components) + dense, path, error);
}
