#include "raymarch/surface_albedo.h"

#include "core/elementary.h"
#include "core/mesh.h"
#include "core/shape.h"
#include "core/texture.h"
#include "core/vec3.h"
#include "raymarch/color_map.h"
#include "raymarch/drawn_solids.h"
#include "raymarch/fast_math.h"
#include "raymarch/flow_view.h"

static float turns(float y, float x) { return 0.5f + brume_atan2f(y, x) / (2.0f * BRUME_PI); }

static void sphere_uv(BrumeVec3 p, float uv[2])
{
    uv[0] = turns(p.x, p.z);
    uv[1] = 0.5f + brume_asinf(brume_clamp(brume_normalize(p).y, -1.0f, 1.0f)) / BRUME_PI;
}

// along the axis of a cylinder, a cone or a capsule, and on its flat ends
static void axis_uv(const BrumeShape *shape, BrumeVec3 point, float uv[2])
{
    const bool is_round = shape->kind == BRUME_SHAPE_CAPSULE;
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const float length = brume_length(axis);
    const BrumeVec3 unit = length > 0.0f ? brume_scale(axis, 1.0f / length) : brume_vec3(0.0f, 1.0f, 0.0f);
    const BrumeVec3 from_a = brume_sub(point, shape->a);
    const float along = brume_dot(from_a, unit);
    // x and z, turned as y to the axis
    const float share = unit.y > -0.999999f ? 1.0f / (1.0f + unit.y) : 0.0f;
    const BrumeVec3 front = brume_vec3(-unit.x * unit.z * share, -unit.z, 1.0f - unit.z * unit.z * share);
    const BrumeVec3 right = brume_cross(unit, front);
    const float x = brume_dot(from_a, right);
    const float z = brume_dot(from_a, front);
    const bool at_b = along > 0.5f * length;
    const float widening = (shape->kind == BRUME_SHAPE_CONE ? shape->second_radius : shape->radius) - shape->radius;
    const float beyond_end = (at_b ? along : length - along) - length;
    const float beyond_side = ((sqrtf(x * x + z * z) - shape->radius) * length - widening * along) /
                              sqrtf(length * length + widening * widening);
    if (!is_round && beyond_end > beyond_side) {
        const float diameter = 2.0f * (at_b ? shape->radius + widening : shape->radius);
        uv[0] = 0.5f + x / diameter;
        uv[1] = at_b ? 0.5f - z / diameter : 0.5f + z / diameter;
        return;
    }
    const float round = is_round ? shape->radius : 0.0f;
    uv[0] = turns(x, z);
    uv[1] = (along + round) / (length + 2.0f * round);
}

static void box_uv(const BrumeShape *shape, BrumeVec3 point, float uv[2])
{
    const BrumeVec3 size = brume_sub(shape->b, shape->a);
    const BrumeVec3 from_a = brume_sub(point, shape->a);
    const BrumeVec3 at = brume_vec3(from_a.x / size.x, from_a.y / size.y, from_a.z / size.z); // 0 to 1
    const BrumeVec3 out = brume_vec3(fabsf(at.x - 0.5f), fabsf(at.y - 0.5f), fabsf(at.z - 0.5f));
    if (out.y > out.x && out.y > out.z) {
        uv[0] = at.x;
        uv[1] = at.y > 0.5f ? 1.0f - at.z : at.z;
    } else if (out.x > out.z) {
        uv[0] = at.x > 0.5f ? 1.0f - at.z : at.z;
        uv[1] = at.y;
    } else {
        uv[0] = at.z > 0.5f ? at.x : 1.0f - at.x;
        uv[1] = at.y;
    }
}

static void own_uv(const BrumeShape *shape, BrumeVec3 point, const BrumeMeshPlace *place, float uv[2])
{
    const BrumeVec3 p = brume_sub(point, shape->a);
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
        sphere_uv(p, uv);
        return;
    case BRUME_SHAPE_BOX:
        box_uv(shape, point, uv);
        return;
    case BRUME_SHAPE_CYLINDER:
    case BRUME_SHAPE_CAPSULE:
    case BRUME_SHAPE_CONE:
        axis_uv(shape, point, uv);
        return;
    case BRUME_SHAPE_TORUS:
        uv[0] = turns(p.x, p.z);
        uv[1] = turns(p.y, sqrtf(p.x * p.x + p.z * p.z) - shape->radius);
        return;
    case BRUME_SHAPE_PLANE:
        uv[0] = p.x;
        uv[1] = -p.z;
        return;
    case BRUME_SHAPE_MESH:
        brume_mesh_uv(shape->mesh, place->triangle, place->share, uv);
        return;
    case BRUME_SHAPE_VOLUME:
        break;
    }
    uv[0] = uv[1] = 0.0f;
}

void brume_shape_uv(const BrumeShape *shape, BrumeVec3 point, const BrumeMeshPlace *place, float uv[2])
{
    if (!brume_shape_is_placed(shape)) {
        own_uv(shape, point, place, uv);
        return;
    }
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const BrumeShape own = brume_shape_in_own_frame(shape);
    own_uv(&own, brume_frame_own_point(&frame, point), place, uv);
}

// the color by which the albedo of a surface is multiplied
static BrumeVec3 color_at(const BrumeRenderSettings *settings, int n, BrumeVec3 point, float time,
                          const BrumeMeshPlace *place)
{
    const BrumeSurface *surface = brume_drawn_solid(settings, n);
    const BrumeMesh *mesh = surface->shape.kind == BRUME_SHAPE_MESH ? surface->shape.mesh : NULL;
    if (surface->texture) {
        const BrumeShape shape = brume_surface_shape(settings, n, time);
        float uv[2];
        brume_shape_uv(&shape, point, place, uv);
        return brume_texture_color(surface->texture, surface->texture_frame, uv[0], uv[1]);
    }
    return mesh ? brume_mesh_color(mesh, place->triangle, place->share) : brume_vec3(1.0f, 1.0f, 1.0f);
}

BrumeVec3 brume_solid_albedo(const BrumeRenderSettings *settings, int n, BrumeVec3 point, BrumeVec3 normal, float time,
                             const BrumeMeshPlace *place)
{
    const BrumeFlowView *flow = settings->flow;
    if (n >= settings->surface_count || flow == NULL || flow->pressure == NULL) {
        return brume_mul(brume_drawn_solid(settings, n)->albedo, color_at(settings, n, point, time, place));
    }
    const BrumeFlowColors colors = brume_flow_colors_resolved(&settings->surface_colors, settings->reference_speed);
    return brume_flow_color(&colors, brume_pressure_at_surface(flow, point, normal));
}
