#include "viewer/edit/flow_coefficients.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/intersect.h"

enum { RAYS = 128 }; // along each side of the square around the projection

BrumeVec3 brume_free_stream(const BrumeSimDef *settings)
{
    BrumeVec3 stream = {0.0f, 0.0f, 0.0f};
    bool has_inflow = false;
    for (int n = 0; n < BRUME_FACE_COUNT; n++) {
        const BrumeFaceDef *face = &settings->faces[n];
        if (face->kind == BRUME_INFLOW && (!has_inflow || brume_length(face->velocity) > brume_length(stream))) {
            stream = face->velocity;
            has_inflow = true;
        }
    }
    return has_inflow ? stream : settings->wind;
}

// returns a direction of unit length across another one: the one that is closest to `to`, or otherwise to `else_to`
static BrumeVec3 across(BrumeVec3 direction, BrumeVec3 to, BrumeVec3 else_to)
{
    const BrumeVec3 aim = fabsf(brume_dot(direction, to)) < 0.999f ? to : else_to;
    return brume_normalize(brume_sub(aim, brume_scale(direction, brume_dot(direction, aim))));
}

static BrumeVec3 upwards(BrumeVec3 direction)
{
    return across(direction, brume_vec3(0.0f, 1.0f, 0.0f), brume_vec3(1.0f, 0.0f, 0.0f));
}

float brume_frontal_area(const BrumeShape *shape, BrumeVec3 direction)
{
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(shape, &center, &radius);
    if (!isfinite(radius)) {
        return 0.0f;
    }
    const BrumeVec3 v = upwards(direction);
    const BrumeVec3 u = brume_cross(direction, v);
    const float side = 2.0f * radius / RAYS; // of the part of the square that a ray stands for
    int hits = 0;
    for (int j = 0; j < RAYS; j++) {
        for (int i = 0; i < RAYS; i++) {
            const float x = ((float)i + 0.5f) * side - radius;
            const float y = ((float)j + 0.5f) * side - radius;
            if (x * x + y * y > radius * radius) {
                continue;
            }
            const BrumeVec3 offset = brume_add(brume_scale(u, x), brume_scale(v, y));
            const BrumeRay ray = {brume_add(center, brume_sub(offset, brume_scale(direction, 2.0f * radius))),
                                  direction};
            const BrumeRayInterval inside = brume_ray_shape(&ray, shape, 0.0f);
            hits += inside.enter < inside.leave && inside.leave > 0.0f;
        }
    }
    return (float)hits * side * side;
}

BrumeFlowCoefficients brume_flow_coefficients(BrumeVec3 force, BrumeVec3 stream, float area)
{
    const float pressure = 0.5f * brume_dot(stream, stream) * area;
    const BrumeVec3 direction = brume_normalize(stream);
    return (BrumeFlowCoefficients){.drag = brume_dot(force, direction) / pressure,
                                   .lift = brume_dot(force, upwards(direction)) / pressure};
}
