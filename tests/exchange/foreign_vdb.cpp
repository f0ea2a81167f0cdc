#include "foreign_vdb.h"

#include <cmath>
#include <cstdio>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointConversion.h>
#include <string>

using openvdb::Coord;
using openvdb::math::Mat4d;
using openvdb::math::Transform;

// Makes a grid with the background 0 by the library's registry of types: Grid::create() would compile all virtual
// functions of the type here.
template <typename Grid>
static typename Grid::Ptr add(openvdb::GridPtrVec &grids, const char *name, const Transform::Ptr &transform)
{
    const auto grid = openvdb::gridPtrCast<Grid>(openvdb::GridBase::createGrid(Grid::gridType()));
    grid->setName(name);
    grid->setTransform(transform);
    grids.push_back(grid);
    return grid;
}

// A sphere of radius 2 m at the origin, as level sets have it: distances in a band of three voxels, and beyond it
// inactive values of the band's width, negative inside.
static void add_level_set(openvdb::GridPtrVec &grids, const char *name, const Transform::Ptr &transform)
{
    const auto surface = add<openvdb::FloatGrid>(grids, name, transform);
    const double radius = 2.0, side = transform->voxelSize()[0], band = 3.0 * side;
    const int reach = static_cast<int>(std::ceil((radius + band) / side));
    surface->setGridClass(openvdb::GRID_LEVEL_SET);
    surface->tree().root().setBackground(static_cast<float>(band), false);
    for (int k = -reach; k <= reach; k++) {
        for (int j = -reach; j <= reach; j++) {
            for (int i = -reach; i <= reach; i++) {
                const double distance = side * Coord(i, j, k).asVec3d().length() - radius;
                if (std::fabs(distance) < band) {
                    surface->tree().setValueOn(Coord(i, j, k), static_cast<float>(distance));
                } else if (distance < 0.0) {
                    surface->tree().setValueOff(Coord(i, j, k), static_cast<float>(-band));
                }
            }
        }
    }
}

static void add_houdini(openvdb::GridPtrVec &grids)
{
    const Transform::Ptr transform = Transform::createLinearTransform(0.5);
    transform->postTranslate(openvdb::Vec3d(1, 2, 3));
    const auto density = add<openvdb::DoubleGrid>(grids, "density", transform);
    density->tree().setValueOn(Coord(-3, 0, 5), 2.0);
    density->tree().setValueOn(Coord(1, 7, 6), 4.0);
    add<openvdb::Vec3SGrid>(grids, "Cd", transform)->tree().setValueOn(Coord(0, 0, 6), openvdb::Vec3s(.1f, .2f, .3f));
    add<openvdb::Vec3DGrid>(grids, "vel", transform)->tree().setValueOn(Coord(1, 1, 5), openvdb::Vec3d(1, 2, 3));
    const auto heat = add<openvdb::FloatGrid>(grids, "heat", transform);
    heat->tree().root().setBackground(7.0f, false);
    heat->setSaveFloatAsHalf(true);
    heat->tree().addTile(1, Coord(0, 0, 0), 0.25f, true);
}

static void add_blender(openvdb::GridPtrVec &grids)
{
    const Transform::Ptr transform = Transform::createLinearTransform(0.25);
    const auto density = add<openvdb::FloatGrid>(grids, "density", transform);
    density->setCreator("Blender/Mantaflow");
    density->tree().setValueOn(Coord(2, 3, 4), 1.0f);
    const auto velocity = add<openvdb::Vec3SGrid>(grids, "velocity", transform);
    velocity->setGridClass(openvdb::GRID_STAGGERED);
    velocity->tree().setValueOn(Coord(2, 3, 4), openvdb::Vec3s(5, 6, 7));
    add<openvdb::FloatGrid>(grids, "flame", transform);
    add_level_set(grids, "body", transform);
}

static openvdb::FloatGrid::Ptr add_density(openvdb::GridPtrVec &grids, const Transform::Ptr &transform)
{
    const auto density = add<openvdb::FloatGrid>(grids, "density", transform);
    density->tree().setValueOn(Coord(0, 0, 0), 1.0f);
    return density;
}

// sets the voxels from (0, 0, 0) to before `end` to a function of index and world position
template <typename Grid, typename Function> static void fill(Grid &grid, const Coord &end, const Function &function)
{
    for (int i = 0; i < end[0]; i++) {
        for (int j = 0; j < end[1]; j++) {
            for (int k = 0; k < end[2]; k++) {
                const Coord at(i, j, k);
                grid.tree().setValueOn(at, function(at, grid.transform().indexToWorld(at)));
            }
        }
    }
}

static void add_two_sizes(openvdb::GridPtrVec &grids)
{
    const Transform::Ptr coarse = Transform::createLinearTransform(2.0);
    coarse->postTranslate(openvdb::Vec3d(0.5));
    const Transform::Ptr fine = Transform::createLinearTransform(0.5);
    fine->postTranslate(openvdb::Vec3d(-0.25));
    const auto density = add<openvdb::FloatGrid>(grids, "density", Transform::createLinearTransform(1.0));
    const auto velocity = add<openvdb::Vec3SGrid>(grids, "vel", coarse);
    const auto heat = add<openvdb::FloatGrid>(grids, "heat", fine);
    fill(*density, Coord(4), [](const Coord &, const openvdb::Vec3d &) { return 1.0f; });
    fill(*velocity, Coord(4),
         [](const Coord &, const openvdb::Vec3d &at) { return openvdb::Vec3s(at + openvdb::Vec3d(1, 2, 3)); });
    fill(*heat, Coord(8),
         [](const Coord &at, const openvdb::Vec3d &) { return static_cast<float>(64 * at[0] + 8 * at[1] + at[2]); });
}

static void add_points(openvdb::GridPtrVec &grids)
{
    const std::vector<openvdb::Vec3f> positions = {{0, 0, 0}, {1, 1, 1}};
    const auto points =
        openvdb::points::createPointDataGrid<openvdb::points::NullCodec, openvdb::points::PointDataGrid>(
            positions, *Transform::createLinearTransform(1.0));
    points->setName("points");
    grids.push_back(points);
}

static void make_grids(ForeignVdb kind, openvdb::GridPtrVec &grids)
{
    const Transform::Ptr unit = Transform::createLinearTransform(1.0);
    switch (kind) {
    case FOREIGN_HOUDINI:
        add_houdini(grids);
        break;
    case FOREIGN_BLENDER:
        add_blender(grids);
        break;
    case FOREIGN_MIRRORED: {
        // rows: the world directions of the index axes
        const auto smoke = add<openvdb::FloatGrid>(
            grids, "smoke", Transform::createLinearTransform(Mat4d(0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 1)));
        smoke->tree().setValueOn(Coord(1, 2, 3), 3.0f);
        smoke->tree().setValueOn(Coord(2, 2, 3), 4.0f);
        break;
    }
    case FOREIGN_LOCAL: {
        const auto velocity = add<openvdb::Vec3SGrid>(grids, "v", Transform::createLinearTransform(0.5));
        velocity->setIsInWorldSpace(false);
        velocity->tree().setValueOn(Coord(0, 0, 0), openvdb::Vec3s(2, 4, 6));
        break;
    }
    case FOREIGN_FLAT: {
        const Transform::Ptr flat = Transform::createLinearTransform(1.0);
        flat->preScale(openvdb::Vec3d(1, 1, 2));
        add_density(grids, flat);
        break;
    }
    case FOREIGN_ROTATED: {
        unit->postScale(openvdb::Vec3d(0.5, 1, 0.5));
        unit->postRotate(M_PI / 6, openvdb::math::Y_AXIS);
        const auto density = add<openvdb::FloatGrid>(grids, "density", unit);
        fill(*density, Coord(12), [](const Coord &, const openvdb::Vec3d &at) {
            return static_cast<float>(100 + at[0] + 2 * at[1] + 3 * at[2]);
        });
        break;
    }
    case FOREIGN_FRUSTUM:
        add_density(grids, Transform::createFrustumTransform(openvdb::BBoxd({0, 0, 0}, {10, 10, 10}), 0.5, 10.0));
        break;
    case FOREIGN_LEVEL_SET:
        add_level_set(grids, "surface", Transform::createLinearTransform(0.25));
        break;
    case FOREIGN_POINTS:
        add_points(grids);
        break;
    case FOREIGN_NUMBERS:
        add<openvdb::Int32Grid>(grids, "flags", unit)->tree().setValueOn(Coord(0, 0, 0), 1);
        break;
    case FOREIGN_TWO_SIZES:
        add_two_sizes(grids);
        break;
    case FOREIGN_SAME_NAMES: {
        add_density(grids, unit)->tree().setValueOn(Coord(1, 0, 0), 1.0f);
        const auto other = add<openvdb::FloatGrid>(grids, "density", unit);
        other->tree().setValueOn(Coord(1, 0, 0), 4.0f);
        other->tree().setValueOn(Coord(2, 0, 0), 4.0f);
        break;
    }
    case FOREIGN_FOG:
        add<openvdb::FloatGrid>(grids, "voxel_fog_density", unit)->tree().setValueOn(Coord(0), 3.0f);
        add<openvdb::FloatGrid>(grids, "flames", unit)->tree().setValueOn(Coord(0), 0.5f);
        break;
    case FOREIGN_HUGE:
        add_density(grids, unit)->tree().setValueOn(Coord(2999, 1999, 999), 1.0f);
        break;
    case FOREIGN_EMPTY:
        add<openvdb::FloatGrid>(grids, "density", unit);
        break;
    case FOREIGN_NO_GRID:
        break;
    }
}

bool foreign_vdb_write(ForeignVdb kind, const char *path)
{
    try {
        openvdb::initialize();
        openvdb::GridPtrVec grids;
        make_grids(kind, grids);
        openvdb::io::File(path).write(grids);
        return true;
    } catch (const std::exception &exception) {
        (void)std::fprintf(stderr, "%s: %s\n", path, exception.what());
        return false;
    }
}

bool foreign_vdb_value(const char *path, const char *grid, const double position[3], double value[3])
{
    try {
        openvdb::initialize();
        openvdb::io::File file(path);
        file.open();
        const openvdb::GridBase::Ptr found = file.readGrid(grid);
        const openvdb::Vec3d index = found->transform().worldToIndex(openvdb::Vec3d(position));
        const Coord nearest = Coord::round(index);
        if ((index - nearest.asVec3d()).length() > 1e-3) {
            return false;
        }
        openvdb::Vec3s vector(0.0f);
        if (found->isType<openvdb::Vec3SGrid>()) {
            vector = openvdb::gridPtrCast<openvdb::Vec3SGrid>(found)->tree().getValue(nearest);
        } else {
            vector[0] = openvdb::gridPtrCast<openvdb::FloatGrid>(found)->tree().getValue(nearest);
        }
        for (int n = 0; n < 3; n++) {
            value[n] = static_cast<double>(vector[n]);
        }
        return true;
    } catch (const std::exception &exception) {
        (void)std::fprintf(stderr, "%s: %s\n", path, exception.what());
        return false;
    }
}

bool foreign_vdb_describe(const char *path, char *text, size_t size)
{
    try {
        openvdb::initialize();
        openvdb::io::File file(path);
        file.open();
        std::string all;
        for (auto name = file.beginName(); name != file.endName(); ++name) {
            const openvdb::GridBase::Ptr grid = file.readGrid(*name);
            const auto unit = grid->getMetadata<openvdb::StringMetadata>("unit");
            all += *name + (grid->saveFloatAsHalf() ? " half " : " ") + grid->valueType() + " " +
                   openvdb::GridBase::gridClassToString(grid->getGridClass()) + ", " +
                   openvdb::GridBase::vecTypeToString(grid->getVectorType()) + ", " + (unit ? unit->value() : "-") +
                   ", " + std::to_string(grid->activeVoxelCount()) + " active" +
                   (grid->baseTree().activeTileCount() > 0 ? " with tiles; " : "; ");
        }
        return std::snprintf(text, size, "%s", all.c_str()) < static_cast<int>(size);
    } catch (const std::exception &exception) {
        (void)std::fprintf(stderr, "%s: %s\n", path, exception.what());
        return false;
    }
}

int foreign_vdb_points(const char *path, ForeignPoint *points, int size)
{
    using openvdb::points::AttributeHandle;
    const auto copy = [](double to[3], const openvdb::Vec3d &from) {
        for (int n = 0; n < 3; n++) {
            to[n] = from[n];
        }
    };
    try {
        openvdb::initialize();
        openvdb::io::File file(path);
        file.open();
        const auto grid = openvdb::gridPtrCast<openvdb::points::PointDataGrid>(file.readGrid("particles"));
        int count = 0;
        for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
            const AttributeHandle<openvdb::Vec3f> position(leaf->constAttributeArray("P"));
            const AttributeHandle<openvdb::Vec3f> velocity(leaf->constAttributeArray("v"));
            const AttributeHandle<openvdb::Vec3f> normal(leaf->constAttributeArray("normal"));
            const AttributeHandle<float> age(leaf->constAttributeArray("age"));
            const AttributeHandle<float> radius(leaf->constAttributeArray("pscale"));
            const AttributeHandle<std::int32_t> kind(leaf->constAttributeArray("kind"));
            const AttributeHandle<std::int32_t> id(leaf->constAttributeArray("id"));
            for (auto index = leaf->beginIndexOn(); index; ++index, count++) {
                if (count < size) {
                    ForeignPoint &point = points[count];
                    const openvdb::Vec3d in_voxel(position.get(*index));
                    copy(point.position, grid->transform().indexToWorld(index.getCoord().asVec3d() + in_voxel));
                    copy(point.velocity, openvdb::Vec3d(velocity.get(*index)));
                    copy(point.normal, openvdb::Vec3d(normal.get(*index)));
                    point.age = static_cast<double>(age.get(*index));
                    point.radius = static_cast<double>(radius.get(*index));
                    point.kind = kind.get(*index);
                    point.id = id.get(*index);
                }
            }
        }
        return count;
    } catch (const std::exception &exception) {
        (void)std::fprintf(stderr, "%s: %s\n", path, exception.what());
        return -1;
    }
}
