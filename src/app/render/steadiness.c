#include "app/render/steadiness.h"

#include "core/field.h"
#include "core/minmax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const BrumeFieldId compared[BRUME_STEADY_FIELDS] = {BRUME_FIELD_U, BRUME_FIELD_V, BRUME_FIELD_W,
                                                           BRUME_FIELD_TEMPERATURE};

// the number of the frame that contains a time [s], 0 for times that never come
static int frame_at(double time, const BrumeScene *scene)
{
    const double frame = ceil(time * (double)scene->sim.fps - 1e-6);
    return frame > 0.0 && frame <= scene->frames ? (int)frame : 0;
}

static int larger(int a, int b) { return a > b ? a : b; }

void brume_steadiness_start(BrumeSteadiness *steadiness, const BrumeScene *scene)
{
    *steadiness = (BrumeSteadiness){.first_frame = 1};
    for (int n = 0; n < scene->sim.emitter_count; n++) {
        const BrumeEmitterDef *emitter = &scene->sim.emitters[n];
        const int change = larger(frame_at((double)emitter->start, scene), frame_at((double)emitter->end, scene));
        steadiness->first_frame = larger(steadiness->first_frame, change > 0 ? change + 1 : 1);
    }
    for (int n = 0; n < scene->timeline.count; n++) {
        const int frame = scene->timeline.changes[n].frame; // its strokes and motions end with the next one
        steadiness->first_frame = larger(steadiness->first_frame, frame < scene->frames ? frame + 2 : 1);
    }
}

static BrumeStatus allocate(BrumeSteadiness *steadiness, BrumeGrid grid, BrumeError *error)
{
    for (int n = 0; n < BRUME_STEADY_FIELDS; n++) {
        free(steadiness->copies[n]);
        steadiness->copies[n] = calloc(brume_grid_entries(grid), sizeof(float));
        if (!steadiness->copies[n]) {
            return brume_out_of_memory(error, "a copy of the state for --until-steady");
        }
    }
    steadiness->grid = grid;
    return BRUME_OK;
}

// the largest |change| and the largest |value|, now or before, of a field and its copy
static void compare(const BrumeField *field, const float *copy, int location, double *change, double *magnitude)
{
    const BrumeGrid grid = field->grid;
    double most = 0.0;
    double size = 0.0;
#pragma omp parallel for schedule(static) reduction(max : most, size)
    for (int k = 1; k <= grid.nz + (location == 2); k++) {
        for (int j = 1; j <= grid.ny + (location == 1); j++) {
            for (int i = 1; i <= grid.nx + (location == 0); i++) {
                const ptrdiff_t c = brume_field_index(field, i, j, k);
                const double now = (double)field->data[c];
                const double before = (double)copy[c];
                most = brume_fmax(most, fabs(now - before));
                size = brume_fmax(size, brume_fmax(fabs(now), fabs(before)));
            }
        }
    }
    *change = brume_fmax(*change, most);
    *magnitude = brume_fmax(*magnitude, size);
}

static double relative_rate(double change, double magnitude, double seconds)
{
    return magnitude > 0.0 ? change / (magnitude * seconds) : 0.0;
}

BrumeStatus brume_steadiness_compare(BrumeSteadiness *steadiness, const BrumeSim *sim, double tolerance, bool *steady,
                                     BrumeError *error)
{
    const BrumeGrid grid = brume_sim_field(sim, BRUME_FIELD_U)->grid;
    *steady = false;
    if (!steadiness->has_state || !brume_same_grid(grid, steadiness->grid)) {
        const BrumeStatus status = allocate(steadiness, grid, error);
        if (status != BRUME_OK) {
            return status;
        }
        steadiness->has_state = true;
    } else {
        double velocity[2] = {0.0, 0.0};
        double temperature[2] = {0.0, 0.0};
        for (int n = 0; n < BRUME_STEADY_FIELDS; n++) {
            double *own = n < 3 ? velocity : temperature;
            compare(brume_sim_field(sim, compared[n]), steadiness->copies[n], n, &own[0], &own[1]);
        }
        const double seconds = brume_sim_time(sim) - steadiness->time;
        steadiness->velocity_change = relative_rate(velocity[0], velocity[1], seconds);
        steadiness->temperature_change = relative_rate(temperature[0], temperature[1], seconds);
        *steady = brume_sim_frames(sim) >= steadiness->first_frame && steadiness->velocity_change < tolerance &&
                  steadiness->temperature_change < tolerance;
    }
    for (int n = 0; n < BRUME_STEADY_FIELDS; n++) {
        memcpy(steadiness->copies[n], brume_sim_field(sim, compared[n])->data,
               brume_grid_entries(grid) * sizeof(float));
    }
    steadiness->time = brume_sim_time(sim);
    return BRUME_OK;
}

void brume_steadiness_destroy(BrumeSteadiness *steadiness)
{
    for (int n = 0; n < BRUME_STEADY_FIELDS; n++) {
        free(steadiness->copies[n]);
    }
    *steadiness = (BrumeSteadiness){0};
}
