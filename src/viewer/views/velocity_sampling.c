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
    if (!(is_between(point.x, def->origin.x, def->nx, def->dx) &&
          is_between(point.y, def->origin.y, def->ny, def->dx) &&
          is_between(point.z, def->origin.z, def->nz, def->dx))) {
        return false;
    }
    for (int n = 0; n < def->body_count; n++) {
        if (brume_shape_distance(&def->bodies[n].shape, point) < 0.0f) {
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

BrumeSampleGrid brume_sample_grid(const BrumeSimDef *settings, int count)
{
    const int larger = settings->nx > settings->ny ? settings->nx : settings->ny;
    const int longest = larger > settings->nz ? larger : settings->nz;
    BrumeSampleGrid grid = {
        .nx = points_along(settings->nx, longest, count),
        .ny = points_along(settings->ny, longest, count),
        .nz = points_along(settings->nz, longest, count),
        .spacing = settings->dx * (float)longest / (float)count,
    };
    const BrumeVec3 size =
        brume_scale(brume_vec3((float)settings->nx, (float)settings->ny, (float)settings->nz), settings->dx);
    const BrumeVec3 extent =
        brume_scale(brume_vec3((float)(grid.nx - 1), (float)(grid.ny - 1), (float)(grid.nz - 1)), grid.spacing);
    grid.corner = brume_add(settings->origin, brume_scale(brume_sub(size, extent), 0.5f));
    return grid;
}

BrumeVec3 brume_sample_grid_point(const BrumeSampleGrid *grid, int i, int j, int k)
{
    return brume_add(grid->corner, brume_scale(brume_vec3((float)i, (float)j, (float)k), grid->spacing));
}
