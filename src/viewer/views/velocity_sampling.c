#include "viewer/views/velocity_sampling.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/volume_samples.h"

static bool is_between(float position, float lower, int cells, float dx)
{
    return position >= lower && position <= lower + (float)cells * dx;
}

bool brume_point_is_in_air(const BrumeSnapshotVariant *variant, BrumeVec3 point)
{
    const BrumeSimDef *def = &variant->settings;
    const BrumeGrid grid = variant->fields[BRUME_FIELD_U].grid;
    if (!(is_between(point.x, variant->origin.x, grid.nx, def->dx) &&
          is_between(point.y, variant->origin.y, grid.ny, def->dx) &&
          is_between(point.z, variant->origin.z, grid.nz, def->dx))) {
        return false;
    }
    for (int n = 0; n < def->body_count; n++) {
        const BrumeShape shape = brume_body_shape(def, n);
        if (brume_body_is_solid(&def->bodies[n]) && brume_shape_distance(&shape, point) < 0.0f) {
            return false;
        }
    }
    return true;
}

BrumeVec3 brume_velocity_at(const BrumeSnapshotVariant *variant, BrumeVec3 point)
{
    const BrumeVolume volume = brume_snapshot_volume(variant);
    return brume_volume_velocity(&volume, point);
}

// returns cells * count / longest, rounded, at least 1
static int points_along(int cells, int longest, int count)
{
    const int points = (2 * cells * count + longest) / (2 * longest);
    return points > 1 ? points : 1;
}

BrumeSampleGrid brume_sample_grid(const BrumeSnapshotVariant *variant, int count)
{
    const BrumeGrid cells = variant->fields[BRUME_FIELD_U].grid;
    const float dx = variant->settings.dx;
    const int larger = cells.nx > cells.ny ? cells.nx : cells.ny;
    const int longest = larger > cells.nz ? larger : cells.nz;
    BrumeSampleGrid grid = {
        .nx = points_along(cells.nx, longest, count),
        .ny = points_along(cells.ny, longest, count),
        .nz = points_along(cells.nz, longest, count),
        .spacing = dx * (float)longest / (float)count,
    };
    const BrumeVec3 size = brume_scale(brume_vec3((float)cells.nx, (float)cells.ny, (float)cells.nz), dx);
    const BrumeVec3 extent =
        brume_scale(brume_vec3((float)(grid.nx - 1), (float)(grid.ny - 1), (float)(grid.nz - 1)), grid.spacing);
    grid.corner = brume_add(variant->origin, brume_scale(brume_sub(size, extent), 0.5f));
    return grid;
}

BrumeVec3 brume_sample_grid_point(const BrumeSampleGrid *grid, int i, int j, int k)
{
    return brume_add(grid->corner, brume_scale(brume_vec3((float)i, (float)j, (float)k), grid->spacing));
}
