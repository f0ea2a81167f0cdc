#include "viewer/views/velocity_sampling.h"
#include "core/shape.h"
#include "core/vec3.h"

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
        const BrumeShape shape = brume_body_shape(def, n);
        if (brume_body_is_solid(&def->bodies[n]) && brume_shape_distance(&shape, point) < 0.0f) {
            return false;
        }
    }
    return true;
}

// returns the index below a position that is clamped to [1, last], and the position's fraction above it
static int index_below(float position, int last, float *fraction)
{
    const float clamped = position > 1.0f ? (position < (float)last ? position : (float)last) : 1.0f;
    const int index = (int)clamped < last ? (int)clamped : last - 1;
    *fraction = clamped - (float)index;
    return index;
}

// interpolates a component trilinearly at (x, y, z) in units of its indices, whose largest values are given
static float component_at(const BrumeField *field, float x, float y, float z, int last_x, int last_y, int last_z)
{
    float fx, fy, fz;
    const int i = index_below(x, last_x, &fx);
    const int j = index_below(y, last_y, &fy);
    const int k = index_below(z, last_z, &fz);
    const float *a = field->data + brume_field_index(field, i, j, k);
    const float *b = a + field->sz;
    const ptrdiff_t sy = field->sy;
    const float a0 = a[0] + fx * (a[1] - a[0]);
    const float a1 = a[sy] + fx * (a[sy + 1] - a[sy]);
    const float b0 = b[0] + fx * (b[1] - b[0]);
    const float b1 = b[sy] + fx * (b[sy + 1] - b[sy]);
    const float near = a0 + fy * (a1 - a0);
    const float far = b0 + fy * (b1 - b0);
    return near + fz * (far - near);
}

BrumeVec3 brume_velocity_at(const BrumeSnapshotVariant *variant, BrumeVec3 point)
{
    const BrumeSimDef *def = &variant->settings;
    const BrumeGrid grid = variant->fields[BRUME_FIELD_U].grid;
    // the point in units of face indices and of center indices: a center lies half a cell above its lower face
    const BrumeVec3 face = brume_add(brume_scale(brume_sub(point, def->origin), 1.0f / def->dx), brume_vec3(1, 1, 1));
    const BrumeVec3 center = brume_sub(face, brume_vec3(0.5f, 0.5f, 0.5f));
    return brume_vec3(
        component_at(&variant->fields[BRUME_FIELD_U], face.x, center.y, center.z, grid.nx + 1, grid.ny, grid.nz),
        component_at(&variant->fields[BRUME_FIELD_V], center.x, face.y, center.z, grid.nx, grid.ny + 1, grid.nz),
        component_at(&variant->fields[BRUME_FIELD_W], center.x, center.y, face.z, grid.nx, grid.ny, grid.nz + 1));
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
