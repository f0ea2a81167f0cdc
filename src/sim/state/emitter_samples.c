#include "sim/state/emitter_samples.h"

#include "core/samples.h"
#include "core/shape.h"
#include "core/vec3.h"

enum { PLACES = 4 }; // of samples in an emitter: its shape, and the components of the velocity of its force

static const BrumeSamples *samples_of(const BrumeEmitterDef *emitter, int place)
{
    return place == 0 ? emitter->shape.samples : emitter->force.samples[place - 1];
}

void brume_release_emitter_samples(BrumeSim *sim)
{
    for (int n = 0; n < 2 * BRUME_MAX_EMITTERS * PLACES; n++) {
        const BrumeSamples **held = &sim->emitter_samples[n % 2][n / 2 / PLACES][n / 2 % PLACES];
        brume_samples_release(*held);
        *held = NULL;
    }
}

BrumeStatus brume_read_emitter_samples(BrumeSim *sim, double dt, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    brume_release_emitter_samples(sim);
    for (int n = 0; n < sim->def.emitter_count * PLACES && status == BRUME_OK; n++) {
        const BrumeEmitterDef *emitter = &sim->def.emitters[n / PLACES];
        const BrumeSamples *samples = samples_of(emitter, n % PLACES);
        const bool is_active = sim->time + dt >= (double)emitter->start && sim->time <= (double)emitter->end;
        for (int end = 0; end < 2 && is_active && brume_samples_vary(samples) && status == BRUME_OK; end++) {
            const double frame = brume_frame_at(sim, sim->time + (end == 1 ? dt : 0.5 * dt));
            status = brume_samples_find_at(&sim->emitter_samples[end][n / PLACES][n % PLACES], samples, frame, error);
        }
    }
    return status;
}

static float *component_of(BrumeVec3 *vector, int axis)
{
    return axis == 0 ? &vector->x : axis == 1 ? &vector->y : &vector->z;
}

void brume_set_shape_samples(const BrumeSim *sim, int index, bool at_end, BrumeShape *shape)
{
    const BrumeSamples *present = sim->emitter_samples[at_end][index][0];
    if (!present) {
        return;
    }
    double first[2][3]; // the corners of the box of the first frame
    double now[2][3];
    brume_samples_bounds(&shape->samples, 1, first[0], first[1]);
    brume_samples_bounds(&present, 1, now[0], now[1]);
    const BrumeVec3 center = brume_shape_own_center(shape);
    for (int axis = 0; axis < 3; axis++) {
        float *a = component_of(&shape->a, axis);
        float *b = component_of(&shape->b, axis);
        const double scale = ((double)*b - (double)*a) / (first[1][axis] - first[0][axis]);
        *a = (float)((double)*a + scale * (now[0][axis] - first[0][axis]));
        *b = (float)((double)*b + scale * (now[1][axis] - first[1][axis]));
    }
    shape->pivot = brume_add(shape->pivot, brume_sub(center, brume_shape_own_center(shape))); // it stays where it is
    shape->samples = present;
}

void brume_set_emitter_samples(const BrumeSim *sim, int index, bool at_end, BrumeEmitterDef *emitter)
{
    brume_set_shape_samples(sim, index, at_end, &emitter->shape);
    for (int n = 0; n < 3; n++) {
        const BrumeSamples *present = sim->emitter_samples[at_end][index][n + 1];
        emitter->force.samples[n] = present ? present : emitter->force.samples[n];
    }
}
