/*
 * The budgets of temperature and smoke. They are sums of double precision in the order of the steps; a saved state
 * contains them, so that a resumed run has the same digits.
 */
#include "sim/measures/budget.h"
#include "sim/boundary/boundary.h"
#include "sim/measures/sums.h"

#include <assert.h>

static BrumeBudget *budget_of(BrumeSim *sim, BrumeFieldId id)
{
    const int scalar = (int)id - BRUME_FIELD_TEMPERATURE;
    return sim->budgets_on && scalar >= 0 && brume_has_scalar(sim, scalar) ? &sim->budgets[scalar] : NULL;
}

void brume_sim_set_budgets(BrumeSim *sim, bool on)
{
    sim->budgets_on = on;
    sim->fire = (BrumeFireMeasures){0};
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        sim->budgets[scalar] = (BrumeBudget){0};
        if (on && brume_has_scalar(sim, scalar)) {
            sim->budgets[scalar].initial = brume_total(sim, brume_scalar_id(scalar));
        }
    }
}

BrumeTotals brume_budget_totals(const BrumeSim *sim)
{
    BrumeTotals totals = {{0.0}};
    for (int scalar = 0; sim->budgets_on && scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (!brume_has_scalar(sim, scalar)) {
            continue;
        }
        totals.total[scalar] = brume_total(sim, brume_scalar_id(scalar));
    }
    return totals;
}

void brume_budget_emitted_since(BrumeSim *sim, const BrumeTotals *totals_before)
{
    for (int scalar = 0; sim->budgets_on && scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (!brume_has_scalar(sim, scalar)) {
            continue;
        }
        sim->budgets[scalar].emitted += brume_total(sim, brume_scalar_id(scalar)) - totals_before->total[scalar];
    }
}

void brume_budget_bodies_since(BrumeSim *sim, const BrumeTotals *totals_before)
{
    for (int scalar = 0; sim->budgets_on && scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (!brume_has_scalar(sim, scalar)) {
            continue;
        }
        sim->budgets[scalar].bodies += totals_before->total[scalar] - brume_total(sim, brume_scalar_id(scalar));
    }
}

void brume_budget_changed_since(BrumeSim *sim, const BrumeTotals *totals_before)
{
    for (int scalar = 0; sim->budgets_on && scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (!brume_has_scalar(sim, scalar)) {
            continue;
        }
        sim->budgets[scalar].changed += brume_total(sim, brume_scalar_id(scalar)) - totals_before->total[scalar];
    }
}

void brume_budget_add_emitted(BrumeSim *sim, BrumeFieldId id, double amount)
{
    BrumeBudget *budget = budget_of(sim, id);
    if (budget) {
        budget->emitted += amount;
    }
}

void brume_budget_add_dissipated(BrumeSim *sim, BrumeFieldId id, double amount)
{
    BrumeBudget *budget = budget_of(sim, id);
    if (budget) {
        budget->dissipated += amount;
    }
}

void brume_budget_add_bodies(BrumeSim *sim, BrumeFieldId id, double amount)
{
    BrumeBudget *budget = budget_of(sim, id);
    if (budget) {
        budget->bodies += amount;
    }
}

void brume_budget_add_left(BrumeSim *sim, BrumeFieldId id, const double amounts[BRUME_FACE_COUNT])
{
    BrumeBudget *budget = budget_of(sim, id);
    for (int face = 0; budget && face < BRUME_FACE_COUNT; face++) {
        budget->left[face] += amounts[face];
    }
}

void brume_budget_add_diffused(BrumeSim *sim, BrumeFieldId id, const double amounts[BRUME_FACE_COUNT])
{
    BrumeBudget *budget = budget_of(sim, id);
    for (int face = 0; budget && face < BRUME_FACE_COUNT; face++) {
        budget->diffused[face] += amounts[face];
    }
}

void brume_budget_diffused_for(BrumeSim *sim, BrumeFieldId id, double diffusivity, double seconds)
{
    if (!budget_of(sim, id)) {
        return;
    }
    const double dx = (double)sim->def.dx;
    double amounts[BRUME_FACE_COUNT] = {0.0};
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        if (sim->def.faces[face].kind != BRUME_PERIODIC) {
            const BrumeSideSums sums =
                brume_sum_side(sim, (BrumeFace)face, &sim->fields[id], &sim->fields[(int)face / 2]);
            amounts[face] = diffusivity * seconds * dx * sums.difference;
        }
    }
    brume_budget_add_diffused(sim, id, amounts);
}

void brume_budget_decayed(BrumeSim *sim, double dt)
{
    for (int scalar = 0; sim->budgets_on && scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (!brume_has_scalar(sim, scalar)) {
            continue;
        }
        const float factor = brume_decay_factor(&sim->def, brume_scalar_id(scalar), dt);
        if (factor > 0.0f && factor < 1.0f) {
            const double total = brume_total(sim, brume_scalar_id(scalar));
            sim->budgets[scalar].dissipated += total * (1.0 / (double)factor - 1.0);
        }
    }
}

void brume_budget_estimate_left(BrumeSim *sim, const BrumeField velocity[3], double dt)
{
    const double dx = (double)sim->def.dx;
    if (sim->budgets_on && !brume_holds(sim, BRUME_VALID_SCALAR_GHOSTS)) {
        brume_set_scalar_ghosts(sim);
    }
    for (int scalar = 0; sim->budgets_on && scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (!brume_has_scalar(sim, scalar)) {
            continue;
        }
        const BrumeFieldId id = brume_scalar_id(scalar);
        double amounts[BRUME_FACE_COUNT] = {0.0};
        for (int face = 0; face < BRUME_FACE_COUNT; face++) {
            const BrumeFaceKind kind = sim->def.faces[face].kind;
            if (kind == BRUME_OPEN || kind == BRUME_INFLOW) {
                const BrumeSideSums sums =
                    brume_sum_side(sim, (BrumeFace)face, &sim->fields[id], &velocity[(int)face / 2]);
                amounts[face] = sums.advected * dx * dx * dt;
            }
        }
        brume_budget_add_left(sim, id, amounts);
    }
}

BrumeBudget brume_budget_of(const BrumeSim *sim, int scalar, double total)
{
    BrumeBudget budget = sim->budgets[scalar];
    if (!sim->budgets_on) {
        return (BrumeBudget){0};
    }
    double accounted = budget.initial + budget.emitted - budget.dissipated - budget.bodies + budget.changed;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        accounted -= budget.left[face] + budget.diffused[face];
    }
    budget.unaccounted = total - accounted;
    return budget;
}
