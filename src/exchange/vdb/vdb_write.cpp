// Writes OpenVDB files: trees that are active where a value is not 0, with one transform for all grids.
#include "exchange/vdb/vdb.h"

#include "brume/base.h"
#include "core/field.h"
#include "core/memory.h"
#include "exchange/vdb/vdb_file.h"
#include "exchange/vdb/vdb_grids.h"
#include "exchange/vdb/vdb_points.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <sstream>
#include <string>
#include <tbb/global_control.h>

namespace
{

constexpr float largest_half = 65504.0f;

// A component of a vector along an axis of the file, or a scalar: the value of the cell (i, j, k) of the file is
// sign * values[start + i * step[0] + j * step[1] + k * step[2]], within `extent`.
struct Source {
    const float *values;
    std::ptrdiff_t start;
    std::ptrdiff_t step[3];
    int extent[3];
    float sign;
    BrumeCellBox filled; // beyond which all are 0

    float at(int i, int j, int k) const
    {
        if (!values || i >= extent[0] || j >= extent[1] || k >= extent[2]) {
            return 0.0f;
        }
        return sign * values[start + i * step[0] + j * step[1] + k * step[2]];
    }
};

// where the values of voxels are in a grid of the frame: a start, and a step for each index axis of the file
Source make_source(const BrumeVdbComponent &component, BrumeGrid cells, const BrumeVdbAxes &axes, bool negative)
{
    Source source = {component.values, 0, {0, 0, 0}, {0, 0, 0}, negative ? -1.0f : 1.0f, {}};
    std::ptrdiff_t strides[3]; // along Brume's axes
    std::ptrdiff_t stride = component.stride;
    for (int axis = 0; axis < 3; axis++) {
        strides[axis] = stride;
        stride *= brume_frame_grid_extent(cells, component.location, axis);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int of_brume = axes.of_file[axis];
        source.extent[axis] = brume_frame_grid_extent(cells, component.location, of_brume);
        source.step[axis] = axes.flipped[axis] ? -strides[of_brume] : strides[of_brume];
        source.start += axes.flipped[axis] ? (source.extent[axis] - 1) * strides[of_brume] : 0;
        const int lower = component.filled.lower[of_brume];
        const int upper = component.filled.upper[of_brume];
        source.filled.lower[axis] = axes.flipped[axis] ? source.extent[axis] - upper : lower;
        source.filled.upper[axis] = axes.flipped[axis] ? source.extent[axis] - lower : upper;
    }
    return source;
}

// The values of a grid of the file, in the file's axes and units.
class Values
{
  public:
    Values(const BrumeVdbGrid &grid, BrumeGrid cells, const BrumeVdbAxes &axes) : scale(grid.scale), offset(grid.offset)
    {
        for (int n = 0; n < grid.components; n++) {
            const bool turned = grid.is_direction;
            sources[n] =
                make_source(grid.component[turned ? axes.of_file[n] : n], cells, axes, turned && axes.flipped[n]);
            for (int axis = 0; axis < 3; axis++) {
                extent[axis] = std::max(extent[axis], sources[n].extent[axis]);
            }
            if (sources[n].values) {
                brume_box_add(&filled, &sources[n].filled);
            }
        }
    }

    void get(int i, int j, int k, float &value) const { value = convert(sources[0].at(i, j, k)); }

    void get(int i, int j, int k, openvdb::Vec3f &value) const
    {
        for (int n = 0; n < 3; n++) {
            value[n] = convert(sources[n].at(i, j, k));
        }
    }

    int extent[3] = {0, 0, 0};
    BrumeCellBox filled = brume_no_cells; // indices beyond which all values are 0

  private:
    float convert(float value) const
    {
        return value == 0.0f ? 0.0f : static_cast<float>(scale * static_cast<double>(value) + offset);
    }

    Source sources[3] = {};
    double scale, offset;
};

float largest_magnitude(float value) { return std::fabs(value); }

float largest_magnitude(const openvdb::Vec3f &value)
{
    return std::max(std::fabs(value[0]), std::max(std::fabs(value[1]), std::fabs(value[2])));
}

// Fills the tree leaf by leaf (8 x 8 x 8 values). Leaves of one value do not become tiles, because Blender 3.4 does not
// render tiles. `greatest` is the largest absolute value of a component.
template <typename Tree> void fill_tree(Tree &tree, const Values &values, float &greatest)
{
    using Leaf = typename Tree::LeafNodeType;
    using Value = typename Tree::ValueType;
    const int side = static_cast<int>(Leaf::DIM);
    const Value zero = openvdb::zeroVal<Value>();
    std::unique_ptr<Leaf> leaf;
    const int *lower = values.filled.lower;
    const int *upper = values.filled.upper;
    for (int k0 = lower[2] / side * side; k0 < upper[2]; k0 += side) {
        for (int j0 = lower[1] / side * side; j0 < upper[1]; j0 += side) {
            for (int i0 = lower[0] / side * side; i0 < upper[0]; i0 += side) {
                const openvdb::Coord corner(i0, j0, k0);
                if (!leaf) {
                    leaf = std::make_unique<Leaf>(corner, zero, false);
                }
                leaf->setOrigin(corner);
                for (int k = k0; k < std::min(k0 + side, values.extent[2]); k++) {
                    for (int j = j0; j < std::min(j0 + side, values.extent[1]); j++) {
                        for (int i = i0; i < std::min(i0 + side, values.extent[0]); i++) {
                            Value value = zero;
                            values.get(i, j, k, value);
                            if (value != zero) {
                                leaf->setValueOn(Leaf::coordToOffset(openvdb::Coord(i, j, k)), value);
                                greatest = std::max(greatest, largest_magnitude(value));
                            }
                        }
                    }
                }
                if (!leaf->isEmpty()) {
                    tree.addLeaf(leaf.release());
                }
            }
        }
    }
}

template <typename Grid>
openvdb::GridBase::Ptr make_tree(const BrumeVdbGrid &grid, const Values &values, float &greatest)
{
    // by the library's registry of types, with the background 0: Grid::create() would compile every virtual function of
    // the grid and of its tree here, which takes minutes under sanitizers
    const openvdb::GridBase::Ptr created = openvdb::GridBase::createGrid(Grid::gridType());
    fill_tree(static_cast<Grid &>(*created).tree(), values, greatest);
    if (grid.components == 3) {
        created->setVectorType(grid.is_direction ? openvdb::VEC_CONTRAVARIANT_RELATIVE : openvdb::VEC_INVARIANT);
    }
    return created;
}

// Cell (i, j, k) of the file has its center at origin + (i + 1/2) dx, along the axes of the file.
openvdb::math::Transform::Ptr make_transform(const BrumeFrameGrids &frame, const BrumeVdbAxes &axes)
{
    openvdb::Vec3d center;
    for (int axis = 0; axis < 3; axis++) {
        const int of_brume = axes.of_file[axis];
        const double lower = frame.origin[of_brume];
        const double upper = lower + brume_cells_along(frame.cells, of_brume) * frame.dx;
        center[axis] = (axes.flipped[axis] ? -upper : lower) + 0.5 * frame.dx;
    }
    openvdb::math::Transform::Ptr transform = openvdb::math::Transform::createLinearTransform(frame.dx);
    transform->postTranslate(center);
    return transform;
}

void add_text(openvdb::MetaMap &metadata, const char *name, const char *text)
{
    metadata.insertMeta(name, openvdb::StringMetadata(text));
}

void add_time(openvdb::MetaMap &metadata, const BrumeFrameGrids &frame)
{
    if (frame.has_frame) {
        metadata.insertMeta(brume_vdb_frame, openvdb::Int32Metadata(frame.frame));
    }
    metadata.insertMeta(brume_vdb_time, openvdb::DoubleMetadata(frame.time));
}

std::string creator_text() { return std::string("Brume ") + brume_version(); }

void describe_grid(openvdb::GridBase &created, const BrumeVdbGrid &grid, const BrumeFrameGrids &frame, bool half)
{
    created.setName(grid.name);
    created.setCreator(creator_text());
    created.setGridClass(grid.staggered    ? openvdb::GRID_STAGGERED
                         : grid.fog_volume ? openvdb::GRID_FOG_VOLUME
                                           : openvdb::GRID_UNKNOWN);
    created.setSaveFloatAsHalf(half);
    add_time(created, frame);
    if (grid.unit[0] != '\0') {
        add_text(created, brume_vdb_unit, grid.unit);
    }
    if (grid.scale != 1.0 || grid.offset != 0.0) {
        created.insertMeta(brume_vdb_scale, openvdb::DoubleMetadata(grid.scale));
        created.insertMeta(brume_vdb_offset, openvdb::DoubleMetadata(grid.offset));
    }
    if (grid.colors != 0) {
        created.insertMeta(brume_vdb_colors, openvdb::Int32Metadata(grid.colors));
    }
}

openvdb::MetaMap describe_file(const BrumeFrameGrids &frame, const BrumeVolumeWriteDef &def)
{
    openvdb::MetaMap metadata;
    add_text(metadata, openvdb::GridBase::META_GRID_CREATOR, creator_text().c_str());
    add_time(metadata, frame);
    metadata.insertMeta(brume_vdb_cells,
                        openvdb::Vec3IMetadata(openvdb::Vec3i(frame.cells.nx, frame.cells.ny, frame.cells.nz)));
    metadata.insertMeta(brume_vdb_origin,
                        openvdb::Vec3DMetadata(openvdb::Vec3d(frame.origin[0], frame.origin[1], frame.origin[2])));
    metadata.insertMeta(brume_vdb_side, openvdb::DoubleMetadata(frame.dx));
    add_text(metadata, brume_vdb_up, def.z_up ? "z" : "y");
    add_text(metadata, brume_vdb_checksum, "xxh3");
    if (frame.scene_text) {
        add_text(metadata, brume_vdb_scene, frame.scene_text);
    }
    return metadata;
}

// An archive with the offsets of its grids, so that programs can load single grids; openvdb::io::Stream writes none,
// and openvdb::io::File writes to a path only.
class SeekableArchive : public openvdb::io::Archive
{
  public:
    SeekableArchive()
    {
        setCompression(openvdb::io::COMPRESS_ACTIVE_MASK | (hasBloscCompression()  ? openvdb::io::COMPRESS_BLOSC
                                                            : hasZLibCompression() ? openvdb::io::COMPRESS_ZIP
                                                                                   : openvdb::io::COMPRESS_NONE));
        setInstancingEnabled(false);
    }

    std::string encode(const openvdb::GridCPtrVec &grids, const openvdb::MetaMap &metadata) const
    {
        std::ostringstream stream(std::ios_base::binary);
        stream.exceptions(std::ios_base::badbit | std::ios_base::failbit);
        openvdb::io::Archive::write(stream, grids, true, metadata);
        return stream.str();
    }
};

// The archive has a random identifier of 36 characters. It is replaced by one that depends on the contents, so that
// equal frames give equal files.
void replace_identifier(std::string &bytes, const std::string &identifier)
{
    const std::size_t at = bytes.find(identifier);
    if (identifier.size() != 36 || at == std::string::npos || at > 64) {
        return;
    }
    const std::string zeros = "00000000-0000-0000-0000-000000000000";
    bytes.replace(at, zeros.size(), zeros);
    const std::uint64_t hash[2] = {brume_hash_bytes(bytes.data(), bytes.size(), 1),
                                   brume_hash_bytes(bytes.data(), bytes.size(), 2)};
    unsigned digit = 0;
    for (std::size_t n = 0; n < zeros.size(); n++) {
        if (zeros[n] == '0') {
            bytes[at + n] = "0123456789abcdef"[hash[digit / 16] >> (4 * (digit % 16)) & 15u];
            digit++;
        }
    }
}

BrumeStatus encode(std::string &bytes, const BrumeFrameGrids &frame, const BrumeVdbGrids &grids, const char *path,
                   const BrumeVolumeWriteDef &def, BrumeError *error)
{
    const BrumeVdbAxes axes = brume_vdb_axes(def.z_up);
    const openvdb::math::Transform::Ptr transform = make_transform(frame, axes);
    openvdb::GridCPtrVec created;
    for (int n = 0; n < grids.count; n++) {
        const BrumeVdbGrid &grid = grids.grids[n];
        const Values values(grid, frame.cells, axes);
        float greatest = 0.0f;
        const openvdb::GridBase::Ptr tree = grid.components == 3
                                                ? make_tree<openvdb::Vec3SGrid>(grid, values, greatest)
                                                : make_tree<openvdb::FloatGrid>(grid, values, greatest);
        if (def.half && greatest > largest_half) {
            return brume_fail(error, BRUME_BAD_INPUT,
                              "%s: the grid '%s' has a value of %g, more than the %g of half precision (write floats)",
                              path, grid.name, static_cast<double>(greatest), static_cast<double>(largest_half));
        }
        describe_grid(*tree, grid, frame, def.half);
        tree->setTransform(transform->copy());
        created.push_back(tree);
    }
    if (frame.has_particles) {
        const openvdb::GridBase::Ptr points = brume_vdb_make_points(frame, *transform, def.z_up);
        points->setCreator(creator_text());
        add_time(*points, frame);
        created.push_back(points);
    }
    const SeekableArchive archive;
    bytes = archive.encode(created, describe_file(frame, def));
    replace_identifier(bytes, archive.getUniqueTag());
    const auto checksum = brume_vdb_make_checksum(bytes.data(), bytes.size());
    bytes.append(checksum.data(), checksum.size());
    return BRUME_OK;
}

} // namespace

BrumeStatus brume_vdb_compose(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                              BrumeSharedMemory *memory, BrumeSharedBlock *file, BrumeError *error)
{
    const BrumeVdbConvention *convention = nullptr;
    BrumeVdbGrids grids = {};
    BrumeError reason = {};
    BrumeStatus status = brume_vdb_convention(def->vdb_names, &convention, &reason);
    if (status == BRUME_OK) {
        status = brume_vdb_grids_create(&grids, frame, convention, def->vdb_staggered, &reason);
    }
    if (status != BRUME_OK) {
        return brume_fail(error, status, "%s: %s", path, reason.text);
    }
    try {
        // the simulation has the other processors meanwhile
        const tbb::global_control serial(tbb::global_control::max_allowed_parallelism, 1);
        openvdb::initialize();
        std::string content;
        status = encode(content, *frame, grids, path, *def, error);
        if (status == BRUME_OK) {
            void *bytes = brume_shared_memory_add(memory, content.size(), file);
            if (!bytes) {
                throw std::bad_alloc();
            }
            std::memcpy(bytes, content.data(), content.size());
            brume_shared_memory_unmap(bytes, content.size());
        }
    } catch (const std::bad_alloc &) {
        status = brume_out_of_memory(error, "%s", path);
    } catch (const std::exception &exception) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot write: OpenVDB reports: %s", path, exception.what());
    } catch (...) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot write: OpenVDB failed", path);
    }
    brume_vdb_grids_destroy(&grids);
    return status;
}
