#include "sim/lifecycle/ranks.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/minmax.h"
#include "sim/advection/advection.h"
#include "sim/grid/cells.h"
#include "sim/lifecycle/lifecycle.h"

void brume_compute_own(const BrumeSim *sim)
{
    if (sim->def.team) {
        sim->def.team->replicated = false;
    }
}

void brume_compute_whole(const BrumeSim *sim)
{
    if (!sim->def.team) {
        return;
    }
    BrumeField *fields[BRUME_MAX_FIELDS];
    BrumeSim lister = *sim;
    const int count = brume_list_fields(&lister, fields);
    for (int n = 0; n < count; n++) {
        brume_gather_field(fields[n]);
    }
    sim->def.team->replicated = true;
}

void brume_collect_state(const BrumeSim *sim, unsigned fields)
{
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (fields & 1u << id && sim->fields[id].data) {
            brume_collect_field(&sim->fields[id]);
        }
    }
    for (int axis = 0; axis < 3 && fields & BRUME_COLLECT_PREVIOUS; axis++) {
        brume_collect_field(&sim->previous[axis]);
    }
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS && sim->texture[0][0].data && fields & BRUME_COLLECT_TEXTURE; n++) {
        brume_collect_field(&sim->texture[n / 3][n % 3]);
    }
}

void brume_sim_slabs(const BrumeSim *sim, int *least, int *most)
{
    const BrumeGrid grid = brume_settings_grid(&sim->def);
    *least = grid.nz;
    *most = 0;
    for (int r = 0; grid.domain && r < grid.domain->team->ranks; r++) {
        const int planes = grid.domain->starts[r + 1] - grid.domain->starts[r];
        *least = brume_min_int(*least, planes);
        *most = brume_max_int(*most, planes);
    }
}

size_t brume_sim_divided_bytes(const BrumeSim *sim)
{
    BrumeSim lister = {.def = sim->def};
    BrumeField *fields[BRUME_MAX_FIELDS];
    const size_t count = (size_t)brume_list_fields(&lister, fields);
    return count * brume_grid_entries(brume_settings_grid(&sim->def)) * sizeof(float) +
           brume_advection_bytes(&sim->def);
}
