#include "exchange/vdb/vdb_points.h"

#include "io/resource_limits.h"

#include <algorithm>
#include <cstdint>
#include <openvdb/points/PointConversion.h>
#include <openvdb/points/PointCount.h>
#include <openvdb/points/PointDataGrid.h>
#include <openvdb/tools/PointIndexGrid.h>
#include <vector>

namespace
{

using openvdb::Vec3f;
using openvdb::points::PointDataGrid;
using openvdb::tools::PointIndexGrid;

Vec3f turn(BrumeVec3 vector, bool z_up)
{
    const BrumeVec3 turned = brume_turn_up(vector, z_up);
    return {turned.x, turned.y, turned.z};
}

// one number or vector of each particle
template <typename Value, typename Get> std::vector<Value> list(const BrumeFrameGrids &frame, Get get)
{
    std::vector<Value> values(static_cast<std::size_t>(frame.particle_count));
    for (std::size_t n = 0; n < values.size(); n++) {
        values[n] = get(frame.particles[n]);
    }
    return values;
}

template <typename Value>
void add_attribute(PointDataGrid &grid, const PointIndexGrid &order, const char *name, const std::vector<Value> &values)
{
    openvdb::points::appendAttribute<Value>(grid.tree(), name);
    openvdb::points::populateAttribute(grid.tree(), order.tree(), name,
                                       openvdb::points::PointAttributeVector<Value>(values));
}

BrumeVec3 turn_back(const Vec3f &vector, bool z_up) { return brume_turn_back({vector[0], vector[1], vector[2]}, z_up); }

// the values of an attribute in a leaf, 0 where there is none of this type
template <typename Value> class Attribute
{
  public:
    Attribute(const PointDataGrid::TreeType::LeafNodeType &leaf, const char *name)
    {
        const openvdb::points::AttributeArray *array = leaf.attributeSet().get(name);
        if (array && array->hasValueType<Value>() && array->stride() == 1) {
            handle = openvdb::points::AttributeHandle<Value>::create(*array);
        }
    }

    explicit operator bool() const { return handle != nullptr; }

    Value operator[](openvdb::Index index) const { return handle ? handle->get(index) : openvdb::zeroVal<Value>(); }

  private:
    typename openvdb::points::AttributeHandle<Value>::Ptr handle;
};

void read_leaf(BrumeFrameGrids &frame, const PointDataGrid &grid, const PointDataGrid::TreeType::LeafNodeType &leaf,
               bool z_up)
{
    const openvdb::points::AttributeHandle<Vec3f> positions(leaf.constAttributeArray("P"));
    const Attribute<Vec3f> velocities(leaf, "v");
    const Attribute<Vec3f> normals(leaf, "normal");
    const Attribute<Vec3f> other_normals(leaf, "N");
    const Attribute<float> ages(leaf, "age");
    const Attribute<float> radii(leaf, "pscale");
    const Attribute<std::int32_t> kinds(leaf, "kind");
    const Attribute<std::int32_t> numbers(leaf, "id");
    for (auto index = leaf.beginIndexOn(); index; ++index) {
        const openvdb::Vec3d in_voxel(positions.get(*index));
        BrumeParticle &particle = frame.particles[frame.particle_count++];
        particle.position = turn_back(Vec3f(grid.indexToWorld(index.getCoord().asVec3d() + in_voxel)), z_up);
        particle.velocity = turn_back(velocities[*index], z_up);
        particle.normal = turn_back(normals ? normals[*index] : other_normals[*index], z_up);
        particle.age = ages[*index];
        particle.diameter = 2.0f * radii[*index];
        particle.kind = static_cast<std::uint32_t>(kinds[*index]);
        particle.id = static_cast<std::uint32_t>(numbers[*index]);
    }
}

} // namespace

std::size_t brume_vdb_count_points(const openvdb::GridPtrVec &grids)
{
    return static_cast<std::size_t>(std::count_if(
        grids.begin(), grids.end(), [](const openvdb::GridBase::Ptr &grid) { return grid->isType<PointDataGrid>(); }));
}

BrumeStatus brume_vdb_read_points(BrumeFrameGrids &frame, const openvdb::GridPtrVec &grids, bool z_up, const char *path,
                                  BrumeError *error)
{
    std::vector<PointDataGrid::Ptr> found;
    openvdb::Index64 count = 0;
    for (const openvdb::GridBase::Ptr &grid : grids) {
        if (grid->isType<PointDataGrid>()) {
            found.push_back(openvdb::gridPtrCast<PointDataGrid>(grid));
            count += openvdb::points::pointCount(found.back()->tree());
        }
    }
    if (count > BRUME_MAX_PARTICLES) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: has more than %d points", path, int(BRUME_MAX_PARTICLES));
    }
    frame.has_particles = true;
    BrumeStatus status = brume_admit_values(double(count) * sizeof(BrumeParticle), path, "its points", error);
    if (status == BRUME_OK) {
        status = brume_frame_grids_add_particles(&frame, static_cast<int>(count), error);
    }
    for (std::size_t n = 0; n < found.size() && status == BRUME_OK; n++) {
        for (auto leaf = found[n]->tree().cbeginLeaf(); leaf; ++leaf) {
            read_leaf(frame, *found[n], *leaf, z_up);
        }
    }
    return status;
}

openvdb::GridBase::Ptr brume_vdb_make_points(const BrumeFrameGrids &frame, const openvdb::math::Transform &transform,
                                             bool z_up)
{
    const std::vector<Vec3f> positions =
        list<Vec3f>(frame, [z_up](const BrumeParticle &particle) { return turn(particle.position, z_up); });
    const openvdb::points::PointAttributeVector<Vec3f> wrapped(positions);
    const PointIndexGrid::Ptr order = openvdb::tools::createPointIndexGrid<PointIndexGrid>(wrapped, transform);
    const PointDataGrid::Ptr grid =
        openvdb::points::createPointDataGrid<openvdb::points::NullCodec, PointDataGrid>(*order, wrapped, transform);
    grid->setName(brume_vdb_particles);
    add_attribute(*grid, *order, "v",
                  list<Vec3f>(frame, [z_up](const BrumeParticle &particle) { return turn(particle.velocity, z_up); }));
    add_attribute(*grid, *order, "normal",
                  list<Vec3f>(frame, [z_up](const BrumeParticle &particle) { return turn(particle.normal, z_up); }));
    add_attribute(*grid, *order, "age", list<float>(frame, [](const BrumeParticle &particle) { return particle.age; }));
    add_attribute(*grid, *order, "pscale",
                  list<float>(frame, [](const BrumeParticle &particle) { return 0.5f * particle.diameter; }));
    add_attribute(*grid, *order, "kind", list<std::int32_t>(frame, [](const BrumeParticle &particle) {
        return static_cast<std::int32_t>(particle.kind);
    }));
    add_attribute(*grid, *order, "id", list<std::int32_t>(frame, [](const BrumeParticle &particle) {
        return static_cast<std::int32_t>(particle.id);
    }));
    return grid;
}
