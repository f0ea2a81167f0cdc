#include "exchange/vdb/vdb_placement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <openvdb/openvdb.h>

namespace
{

// sets the members of an aligned placement; false where index axes are not along different ones of Brume's axes
bool find_axes(BrumeVdbPlacement &placement)
{
    bool used[3] = {false, false, false};
    for (int a = 0; a < 3; a++) {
        int along = 0;
        for (int b = 0; b < 3; b++) {
            along = std::fabs(placement.to_brume(b, a)) > std::fabs(placement.to_brume(along, a)) ? b : along;
        }
        const double length = placement.to_brume(along, a);
        if (used[along] || std::fabs(length) < placement.sides[a] * (1.0 - brume_vdb_tolerance * brume_vdb_tolerance)) {
            return false;
        }
        used[along] = true;
        placement.brume[a] = along;
        placement.flipped[a] = length < 0.0;
    }
    return true;
}

} // namespace

openvdb::Vec3d brume_vdb_turn(const openvdb::Vec3d &vector, bool z_up)
{
    return z_up ? openvdb::Vec3d(vector[0], vector[2], -vector[1]) : vector;
}

bool brume_vdb_find_placement(BrumeVdbPlacement &placement, const openvdb::GridBase &grid, bool z_up)
{
    placement = BrumeVdbPlacement{};
    if (!grid.transform().isLinear()) {
        return false;
    }
    const openvdb::Mat4d matrix = grid.transform().baseMap()->getAffineMap()->getMat4();
    bool finite = true;
    for (int a = 0; a < 3; a++) {
        const openvdb::Vec3d axis = brume_vdb_turn(openvdb::Vec3d(matrix(a, 0), matrix(a, 1), matrix(a, 2)), z_up);
        for (int b = 0; b < 3; b++) {
            placement.to_brume(b, a) = axis[b];
            finite = finite && std::isfinite(axis[b]) && std::isfinite(matrix(3, b));
        }
        placement.sides[a] = axis.length();
    }
    placement.zero = brume_vdb_turn(openvdb::Vec3d(matrix(3, 0), matrix(3, 1), matrix(3, 2)), z_up);
    const auto [shortest, longest] = std::minmax_element(placement.sides, placement.sides + 3);
    placement.dx = *shortest;
    const double volume = placement.sides[0] * placement.sides[1] * placement.sides[2];
    if (!finite || !(std::fabs(placement.to_brume.det()) > 1e-6 * volume)) {
        return false;
    }
    placement.aligned = *longest - *shortest <= brume_vdb_tolerance * *shortest && find_axes(placement);
    if (placement.aligned) {
        placement.dx = placement.sides[0];
    }
    return true;
}

BrumeVdbPlacement brume_vdb_cubes(double side, const openvdb::Vec3d &zero)
{
    BrumeVdbPlacement placement = {};
    placement.to_brume = openvdb::Mat3d::identity() * side;
    placement.zero = zero;
    placement.dx = side;
    placement.aligned = true;
    for (int a = 0; a < 3; a++) {
        placement.sides[a] = side;
        placement.brume[a] = a;
    }
    return placement;
}

bool brume_vdb_same_placement(const BrumeVdbPlacement &one, const BrumeVdbPlacement &other)
{
    bool same = other.aligned && std::fabs(one.dx - other.dx) <= brume_vdb_tolerance * one.dx;
    for (int a = 0; a < 3; a++) {
        same = same && one.brume[a] == other.brume[a] && one.flipped[a] == other.flipped[a] &&
               std::fabs(one.zero[a] - other.zero[a]) <= 1e-2 * one.dx;
    }
    return same;
}

openvdb::Vec3d brume_vdb_index_of(const BrumeVdbPlacement &placement, const openvdb::Vec3d &position)
{
    openvdb::Vec3d index;
    for (int a = 0; a < 3; a++) {
        const int b = placement.brume[a];
        const double voxels = (position[b] - placement.zero[b]) / placement.dx;
        index[a] = placement.flipped[a] ? -voxels : voxels;
    }
    return index;
}

std::string brume_vdb_describe(const BrumeVdbPlacement &placement)
{
    BrumeVdbPlacement axes = placement;
    char text[96];
    (void)std::snprintf(text, sizeof text, "%svoxels of %g x %g x %g m", find_axes(axes) ? "" : "rotated ",
                        placement.sides[0], placement.sides[1], placement.sides[2]);
    return text;
}
