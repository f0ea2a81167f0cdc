#include "exchange/vdb/vdb_points.h"

#include <cstdint>
#include <openvdb/points/PointConversion.h>
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
    return z_up ? Vec3f(vector.x, -vector.z, vector.y) : Vec3f(vector.x, vector.y, vector.z);
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

} // namespace

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
