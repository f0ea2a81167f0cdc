/*
 * Settings that change while a simulation runs. Plain numbers are taken over as they are; what follows from others is
 * made anew, whole, before anything of the running simulation is touched.
 */
#include "core/field.h"
#include "core/vec3.h"
#include "sim/kernels.h"
#include "sim/sim_internal.h"

#include <string.h>

static bool same_grid(const BrumeSimDef *a, const BrumeSimDef *b)
{
    return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz && a->dx == b->dx && a->origin.x == b->origin.x &&
           a->origin.y == b->origin.y && a->origin.z == b->origin.z;
}

// whether both need the same fields
static bool same_fields(const BrumeSimDef *a, const BrumeSimDef *b)
{
    return same_grid(a, b) && a->color_count == b->color_count && strcmp(a->advection, b->advection) == 0;
}

// frames of another length count from the end of the newest
static void set_clock(BrumeSim *sim, const BrumeSim *before, float fps)
{
    const double base_time = fps == before->def.fps ? before->base_time : brume_frame_end(before, before->frames);
    const int base_frames = fps == before->def.fps ? before->base_frames : before->frames;
    sim->time = before->time;
    sim->frames = before->frames;
    sim->steps = before->steps;
    sim->base_time = base_time;
    sim->base_frames = base_frames;
}

// what was to stir and to travel goes on, as far as the obstacles are still there
static void set_wishes(BrumeSim *sim, const BrumeSim *before)
{
    sim->stroke_count = before->stroke_count;
    memmove(sim->strokes, before->strokes, sizeof sim->strokes);
    sim->moving = false;
    for (int n = 0; n < BRUME_MAX_OBSTACLES; n++) {
        sim->motions[n] = n < sim->def.obstacle_count
                              ? (BrumeMotion){before->motions[n].velocity, sim->def.obstacles[n].shape}
                              : (BrumeMotion){0};
        sim->moving = sim->moving || brume_length(sim->motions[n].velocity) > 0.0f;
    }
}

// the fields that both have, on the same grid
static void take_fields(BrumeSim *sim, BrumeSim *before)
{
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (sim->fields[id].data && before->fields[id].data) {
            brume_field_swap(&sim->fields[id], &before->fields[id]);
        }
    }
    sim->max_speed = before->max_speed;
    brume_fill_uncovered(sim, &before->geometry->cells);
    brume_clean_boundary(sim);
}

static BrumeStatus replace(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error)
{
    BrumeSim *before = *sim;
    BrumeSim *made;
    BrumeStatus status = brume_sim_create(&made, def, error);
    if (status == BRUME_OK && !same_grid(&before->def, def)) {
        status = brume_resample(made, before, error);
    } else if (status == BRUME_OK) {
        take_fields(made, before);
    }
    if (status != BRUME_OK) {
        brume_sim_destroy(made);
        return status;
    }
    set_clock(made, before, def->fps);
    set_wishes(made, before);
    brume_sim_destroy(before);
    *sim = made;
    return BRUME_OK;
}

BrumeStatus brume_sim_change(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus status = brume_sim_check(def, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (!same_fields(&(*sim)->def, def)) {
        return replace(sim, def, error);
    }
    BrumeGeometry *geometry = NULL;
    if (!brume_geometry_same(&(*sim)->def, def)) {
        status = brume_geometry_create(&geometry, def, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    set_clock(*sim, *sim, def->fps);
    (*sim)->def = *def;
    (*sim)->advection.kernels = brume_kernels_find(def->kernels)->advection;
    set_wishes(*sim, *sim);
    if (geometry) {
        brume_take_geometry(*sim, geometry);
    }
    return BRUME_OK;
}
