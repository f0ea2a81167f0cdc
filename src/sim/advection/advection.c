/*
 * Advection: velocity and scalars move with the flow (Stam 2003, advect). The schemes differ in how they read what
 * arrives; this file says what is carried, together with what, and how much of it decay leaves.
 */
#include "sim/advection/advection.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ENTRY(scheme) &brume_advection_##scheme,
static const BrumeAdvection *const schemes[] = {BRUME_ADVECTION_SCHEMES(ENTRY)};

enum { SCHEME_COUNT = sizeof schemes / sizeof schemes[0] };

const char *brume_advection_name(int index) { return index >= 0 && index < SCHEME_COUNT ? schemes[index]->name : NULL; }

const BrumeAdvection *brume_advection_find(const char *name)
{
    for (int n = 0; n < SCHEME_COUNT; n++) {
        if (name && strcmp(name, schemes[n]->name) == 0) {
            return schemes[n];
        }
    }
    return NULL;
}

void brume_find_clean_all(BrumeSim *sim, const BrumeFieldId *ids, int count)
{
    for (int n = 0; n < count && brume_location(ids[n]) == BRUME_AT_CENTER; n++) {
        brume_find_clean(sim, &sim->fields[ids[n]], sim->clean[n]);
    }
}

/**
 * Carries the velocity along itself over `dt` [s], and finds on the way the travel that the scalars need. Its boundary
 * must be set, and its largest component known.
 */
void brume_advect_velocity(BrumeSim *sim, float dt)
{
    assert(brume_holds(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED));
    const float cells_per_mps = dt / sim->def.dx; // [m/s] -> [cells/step]
    sim->reach = brume_reach(sim->max_speed * (double)cells_per_mps);
    sim->advection->advect_velocity(sim, cells_per_mps);
    brume_invalidate(sim, BRUME_VALID_MAX_SPEED);
    brume_establish(sim, BRUME_VALID_DISPLACEMENT);
    brume_set_velocity_boundary(sim);
}

// the rate at which a scalar vanishes [1/s]
static float decay_rate(const BrumeSimDef *def, BrumeFieldId id)
{
    return id == BRUME_FIELD_TEMPERATURE ? def->cooling : def->smoke[id - BRUME_FIELD_DENSITY].dissipation;
}

/** Carries temperature and smoke along, in groups that share the weights of a trace; they decay over `dt` [s]. */
void brume_advect_scalars(BrumeSim *sim, double dt)
{
    assert(brume_holds(sim, BRUME_VALID_DISPLACEMENT));
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
    BrumeFieldId ids[BRUME_SCALARS_AT_ONCE];
    float keep[BRUME_SCALARS_AT_ONCE];
    const int end = BRUME_FIELD_DENSITY + 1 + sim->def.color_count;
    int count = 0;
    for (int id = BRUME_FIELD_TEMPERATURE; id < end; id++) {
        ids[count] = (BrumeFieldId)id;
        keep[count] = (float)exp(-(double)decay_rate(&sim->def, ids[count]) * dt);
        brume_set_boundary(sim, ids[count], &sim->fields[id]);
        count++;
        if (count == BRUME_SCALARS_AT_ONCE || id == end - 1) {
            sim->advection->advect(sim, ids, keep, count);
            for (int n = 0; n < count; n++) {
                brume_clear_solids(&sim->geometry->cells, BRUME_AT_CENTER, &sim->fields[ids[n]]);
            }
            count = 0;
        }
    }
}
