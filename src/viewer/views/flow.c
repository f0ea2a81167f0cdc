#include "viewer/views/flow.h"
#include "core/shape.h"
#include "core/vec3.h"

static bool between(float at, float lower, int cells, float dx)
{
    return at >= lower && at <= lower + (float)cells * dx;
}

bool brume_flow_is_air(const BrumeSnapshotSide *side, BrumeVec3 point)
{
    const BrumeSimDef *def = &side->settings;
    if (!(between(point.x, def->origin.x, def->nx, def->dx) && between(point.y, def->origin.y, def->ny, def->dx) &&
          between(point.z, def->origin.z, def->nz, def->dx))) {
        return false;
    }
    for (int n = 0; n < def->obstacle_count; n++) {
        if (brume_shape_distance(&def->obstacles[n].shape, point) < 0.0f) {
            return false;
        }
    }
    return true;
}

// entry below a place in [1, last], and how far it is beyond
static int entry_at(float place, int last, float *beyond)
{
    const float held = place > 1.0f ? (place < (float)last ? place : (float)last) : 1.0f;
    const int entry = (int)held < last ? (int)held : last - 1;
    *beyond = held - (float)entry;
    return entry;
}

// trilinear value at a place in entries of a component, whose last entries are given
static float component_at(const BrumeField *field, float x, float y, float z, int last_x, int last_y, int last_z)
{
    float fx, fy, fz;
    const int i = entry_at(x, last_x, &fx);
    const int j = entry_at(y, last_y, &fy);
    const int k = entry_at(z, last_z, &fz);
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

BrumeVec3 brume_flow_at(const BrumeSnapshotSide *side, BrumeVec3 point)
{
    const BrumeSimDef *def = &side->settings;
    const BrumeGrid grid = side->fields[BRUME_FIELD_U].grid;
    // places of entries: a center's is half a cell above that of its lower face
    const BrumeVec3 face = brume_add(brume_scale(brume_sub(point, def->origin), 1.0f / def->dx), brume_vec3(1, 1, 1));
    const BrumeVec3 center = brume_sub(face, brume_vec3(0.5f, 0.5f, 0.5f));
    return brume_vec3(
        component_at(&side->fields[BRUME_FIELD_U], face.x, center.y, center.z, grid.nx + 1, grid.ny, grid.nz),
        component_at(&side->fields[BRUME_FIELD_V], center.x, face.y, center.z, grid.nx, grid.ny + 1, grid.nz),
        component_at(&side->fields[BRUME_FIELD_W], center.x, center.y, face.z, grid.nx, grid.ny, grid.nz + 1));
}
