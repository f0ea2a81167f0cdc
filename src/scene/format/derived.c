#include "scene/format/derived.h"

#include "core/elementary.h"
#include "core/minmax.h"
#include "core/vec3.h"

#include <math.h>

static const float radians_per_degree = 0.01745329252f;

const char *const brume_smoke_key_names[BRUME_SMOKE_KINDS] = {"density", "color_1", "color_2", "color_3"};

int brume_largest_of(const double numbers[3])
{
    int largest = 0;
    for (int axis = 1; axis < 3; axis++) {
        largest = numbers[axis] > numbers[largest] ? axis : largest;
    }
    return largest;
}

BrumeVec3 brume_default_origin(const int cells[3], double dx)
{
    return brume_vec3((float)(-0.5 * dx * cells[0]), 0.0f, (float)(-0.5 * dx * cells[2]));
}

BrumeCamera brume_default_camera(const BrumeScene *scene, BrumeProjection projection, float field_of_view)
{
    const BrumeSimDef *const sim = &scene->sim;
    const BrumeVec3 sides = brume_scale(brume_vec3((float)sim->nx, (float)sim->ny, (float)sim->nz), sim->dx);
    const BrumeVec3 center = brume_add(sim->origin, brume_scale(sides, 0.5f));
    const float aspect = (float)scene->width / (float)scene->height;
    const float slope = brume_tanf(0.5f * field_of_view * radians_per_degree);
    const float margin = 1.15f;
    const float height = margin * brume_fmaxf(sides.y, sides.x / aspect);
    const float distance = 0.5f * sides.z + 0.5f * height / slope;
    return (BrumeCamera){
        .position = brume_add(center, brume_vec3(0.0f, 0.15f * sides.y, distance)),
        .target = center,
        .field_of_view = field_of_view,
        .projection = projection,
        .height = projection == BRUME_ORTHOGRAPHIC ? height : 0.0f,
    };
}

BrumeVec3 brume_sun_direction(float azimuth, float elevation)
{
    const float a = azimuth * radians_per_degree;
    const float e = elevation * radians_per_degree;
    return brume_vec3(-brume_cosf(e) * brume_sinf(a), -brume_sinf(e), -brume_cosf(e) * brume_cosf(a));
}

float brume_default_light_angle(BrumeLightKind kind) { return kind == BRUME_LIGHT_SPOT ? 45.0f : 0.0f; }

int brume_default_samples(BrumeImageIntegrator integrator) { return integrator == BRUME_INTEGRATOR_PATH ? 256 : 4; }

void brume_reset_unused_phase(BrumeRenderSettings *settings)
{
    const BrumeRenderSettings defaults = brume_default_render_settings();
    BrumePhaseFunction phase = defaults.phase;
    phase.kind = settings->phase.kind;
    if (phase.kind == BRUME_PHASE_TWO_LOBES) {
        phase.forward = settings->phase.forward;
        phase.backward = settings->phase.backward;
        phase.forward_share = settings->phase.forward_share;
    } else if (phase.kind == BRUME_PHASE_DROPLETS) {
        phase.droplet_diameter = settings->phase.droplet_diameter;
    }
    settings->phase = phase;
}

BrumeVec3 brume_velocity_far_away(const BrumeSimDef *sim)
{
    BrumeVec3 velocity = sim->wind;
    for (int face = 0; face < BRUME_FACE_COUNT && !(brume_length(sim->wind) > 0.0f); face++) {
        const BrumeFaceDef *def = &sim->faces[face];
        const bool is_faster = def->kind == BRUME_INFLOW && brume_length(def->velocity) > brume_length(velocity);
        velocity = is_faster ? def->velocity : velocity;
    }
    return velocity;
}
