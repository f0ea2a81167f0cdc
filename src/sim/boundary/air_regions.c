#include "sim/boundary/air_regions.h"

#include "core/domain.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/surface_velocity.h"
#include "sim/pressure/poisson/components.h"

#include <math.h>
#include <string.h>

static const float REACH = 4.0f;       // of the first amounts that are returned, from a body [cells]
static const double MOST_FACTOR = 2.0; // of values that are returned to a region as a whole

enum { MOST = BRUME_MOST_REGIONS };

// whether the air is more than one region
static bool is_divided(const BrumeGeometry *geometry)
{
    const BrumeComponents *components = brume_pressure_components(geometry->pressure);
    if (components->count != 1) {
        return components->count > 1;
    }
    const BrumeCells *cells = &geometry->cells;
    ptrdiff_t air = 0;
    for (int k = 1; k <= cells->grid.nz; k++) {
        for (int j = 1; j <= cells->grid.ny; j++) {
            const uint8_t *row = cells->flags + cells->sy * j + cells->sz * k;
            int count = 0;
            for (int i = 1; i <= cells->grid.nx; i++) {
                count += (row[i] & BRUME_CELL_FLUID) != 0;
            }
            air += count;
        }
    }
    return (double)air > components->cells[0];
}

static int region_of(const BrumeRun *run) { return run->component + 1 < MOST ? run->component + 1 : 0; }

static void number_cells(const BrumeGeometry *geometry, uint8_t *numbers)
{
    const BrumeCells *cells = &geometry->cells;
    for (int k = 1; k <= cells->grid.nz; k++) {
        for (int j = 1; j <= cells->grid.ny; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            for (int i = 1; i <= cells->grid.nx; i++) {
                numbers[row + i] = cells->flags[row + i] & BRUME_CELL_FLUID ? 0 : BRUME_NO_REGION;
            }
        }
    }
    const BrumeComponents *components = brume_pressure_components(geometry->pressure);
    for (int n = 0; n < components->run_count; n++) {
        const BrumeRun *run = &components->runs[n];
        memset(numbers + cells->sy * run->j + cells->sz * run->k + run->first, region_of(run),
               (size_t)run->last - (size_t)run->first + 1);
    }
}

// Each rank computes the regions of the whole box, and all sums over them, where the air is divided while bodies move:
// the contents of all of their cells are needed, in one order.
static void gather_scalars(BrumeSim *sim)
{
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        brume_gather_field(&sim->fields[BRUME_FIELD_TEMPERATURE + scalar]);
    }
}

// adds `factor` times the contents of the enclosed regions
static void add_contents(BrumeSim *sim, double factor)
{
    const BrumeComponents *components = brume_pressure_components(sim->geometry->pressure);
    gather_scalars(sim);
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE + scalar];
        for (int n = 0; field->data && n < components->run_count; n++) {
            const BrumeRun *run = &components->runs[n];
            const float *row = field->data + brume_field_index(field, 0, run->j, run->k);
            double sum = 0.0;
            for (int i = run->first; i <= run->last; i++) {
                sum += (double)row[i];
            }
            sim->region_gains[scalar][region_of(run)] += factor * sum;
        }
    }
}

void brume_regions_before_transport(BrumeSim *sim)
{
    memset(sim->region_gains, 0, sizeof sim->region_gains);
    if (sim->bodies_move && is_divided(sim->geometry)) {
        add_contents(sim, -1.0);
    }
}

void brume_regions_after_transport(BrumeSim *sim, double dt)
{
    if (!sim->bodies_move || !is_divided(sim->geometry)) {
        return;
    }
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const float factor = brume_decay_factor(&sim->def, (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + scalar), dt);
        for (int region = 0; region < MOST; region++) {
            sim->region_gains[scalar][region] *= (double)factor;
        }
    }
    add_contents(sim, 1.0);
}

void brume_regions_begin(BrumeAirRegions *regions, BrumeSim *sim, const BrumeGeometry *next)
{
    regions->divided = is_divided(sim->geometry) || is_divided(next);
    if (!regions->divided) {
        return;
    }
    memset(regions->amounts, 0, sizeof regions->amounts);
    regions->before = (uint8_t *)sim->scratch[1].data;
    regions->after = (uint8_t *)sim->scratch[2].data;
    number_cells(sim->geometry, regions->before);
    number_cells(next, regions->after);
}

static int largest(const int *counts, int stride)
{
    int best = 0;
    for (int n = 1; n < MOST; n++) {
        best = counts[n * stride] > counts[best * stride] ? n : best;
    }
    return best;
}

// which region before the motion each one before and after it belongs to; BRUME_NO_REGION where all was solid before
typedef struct Kinship {
    uint8_t before[MOST], after[MOST];
} Kinship;

// a point of a cell that is in its air: the center, or where a body covers that, the corner farthest from the bodies
static BrumeVec3 point_in_air(const BrumeSim *sim, const int cell[3])
{
    const BrumeCells *cells = &sim->geometry->cells;
    const BrumeVec3 center = brume_cell_center(&sim->def, cell[0], cell[1], cell[2]);
    bool is_covered = false;
    for (int n = 0; n < sim->def.body_count && cells->fractions && !is_covered; n++) {
        const BrumeShape shape = brume_present_shape(sim, n);
        is_covered =
            brume_body_is_solid(&sim->def.bodies[n]) && brume_shape_distance_within(&shape, center, 0.0f) < 0.0f;
    }
    if (!is_covered) {
        return center;
    }
    const ptrdiff_t c = cell[0] + cells->sy * cell[1] + cells->sz * cell[2];
    int farthest = 0;
    float distance = -INFINITY;
    for (int n = 0; n < 8; n++) {
        const float d = cells->distance.data[brume_cell_corner(&cells->distance, c, n)];
        farthest = d > distance ? n : farthest;
        distance = brume_fmaxf(d, distance);
    }
    const float half = 0.5f * sim->def.dx;
    return brume_add(center, brume_vec3(farthest & 1 ? half : -half, farthest >> 1 & 1 ? half : -half,
                                        farthest >> 2 ? half : -half));
}

// whether no body lies on the way between two cells
static bool is_seen(const BrumeSim *sim, const int from[3], const int to[3])
{
    const BrumeVec3 a = point_in_air(sim, from);
    const BrumeVec3 b = point_in_air(sim, to);
    bool seen = true;
    for (int n = 0; n < sim->def.body_count && seen; n++) {
        const BrumeShape shape = brume_present_shape(sim, n);
        seen = !brume_body_is_solid(&sim->def.bodies[n]) || brume_shape_entry(&shape, a, b) > 1.0f;
    }
    return seen;
}

// the region that goes on and is seen from cell `at`, of those within `reach` cells; -1 if there is none
static int find_seen(const BrumeAirRegions *regions, const BrumeSim *sim, const bool goes_on[MOST], const int at[3],
                     int reach)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const int side = 2 * reach + 1;
    for (int n = 0; n < side * side * side; n++) {
        const int to[3] = {at[0] + n % side - reach, at[1] + n / side % side - reach, at[2] + n / side / side - reach};
        if (to[0] < 1 || to[1] < 1 || to[2] < 1 || to[0] > cells->grid.nx || to[1] > cells->grid.ny ||
            to[2] > cells->grid.nz) {
            continue;
        }
        const int region = regions->before[to[0] + cells->sy * to[1] + cells->sz * to[2]];
        if (region != BRUME_NO_REGION && goes_on[region] && is_seen(sim, at, to)) {
            return region;
        }
    }
    return -1;
}

// The region to which a pocket of a few cells belongs: one that goes on and is seen from it before the motion; -1 if
// there is none.
static int region_beside(const BrumeAirRegions *regions, const BrumeSim *sim, const bool goes_on[MOST], int pocket)
{
    enum { REACH_OF_POCKETS = 3 };
    const BrumeCells *cells = &sim->geometry->cells;
    for (int reach = 1; reach <= REACH_OF_POCKETS; reach++) {
        for (int k = 1; k <= cells->grid.nz; k++) {
            for (int j = 1; j <= cells->grid.ny; j++) {
                for (int i = 1; i <= cells->grid.nx; i++) {
                    const bool is_in = regions->before[i + cells->sy * j + cells->sz * k] == pocket;
                    const int seen = is_in ? find_seen(regions, sim, goes_on, (const int[]){i, j, k}, reach) : -1;
                    if (seen >= 0) {
                        return seen;
                    }
                }
            }
        }
    }
    return -1;
}

static void find_kinship(const BrumeAirRegions *regions, const BrumeSim *sim, Kinship *kinship)
{
    const BrumeCells *cells = &sim->geometry->cells;
    enum { POCKET = 8 }; // most cells of a pocket, whose cells may be air on the other side of a wall after the motion
    int common[MOST][MOST] = {{0}}; // cells of a region before and one after
    int before[MOST] = {0};         // cells of a region before
    const BrumeGrid grid = cells->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            for (ptrdiff_t c = row + 1; c <= row + grid.nx; c++) {
                if (regions->before[c] != BRUME_NO_REGION) {
                    before[regions->before[c]]++;
                }
                if (!(cells->flags[c] & BRUME_CELL_SOLID) && regions->after[c] != BRUME_NO_REGION) {
                    common[regions->before[c]][regions->after[c]]++;
                }
            }
        }
    }
    bool goes_on[MOST] = {false};
    for (int n = 0; n < MOST; n++) {
        const int kin = largest(&common[0][n], MOST);
        kinship->after[n] = (uint8_t)(common[kin][n] > 0 ? kin : BRUME_NO_REGION);
        goes_on[kin] = goes_on[kin] || common[kin][n] > 0;
    }
    for (int n = 0; n < MOST; n++) {
        const int next = largest(common[n], 1);
        const bool is_gone = common[n][next] == 0;
        const bool may_be_beside = !goes_on[n] && before[n] > 0 && (is_gone || before[n] <= POCKET);
        const int beside = may_be_beside ? region_beside(regions, sim, goes_on, n) : -1;
        kinship->before[n] = (uint8_t)(goes_on[n] ? n : beside >= 0 ? beside : is_gone ? 0 : kinship->after[next]);
    }
}

void brume_regions_cover(BrumeAirRegions *regions, BrumeSim *sim, int body)
{
    if (!regions->divided) {
        return;
    }
    BrumeCells *cells = &sim->geometry->cells;
    gather_scalars(sim);
    Kinship kinship;
    find_kinship(regions, sim, &kinship);
    const BrumeGrid grid = cells->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            for (ptrdiff_t c = row + 1; c <= row + grid.nx; c++) {
                const bool is_air = regions->after[c] != BRUME_NO_REGION;
                regions->after[c] = is_air ? kinship.after[regions->after[c]] : BRUME_NO_REGION;
                if (regions->before[c] == BRUME_NO_REGION) {
                    continue;
                }
                const int region = kinship.before[regions->before[c]];
                if (is_air && region != regions->after[c]) {
                    brume_cells_set_solid(cells, c, body);
                    if (cells->fractions) {
                        brume_fractions_close_cell(cells->fractions, (int)(c - row), j, k);
                    }
                }
                for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
                    const BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE + scalar];
                    const bool is_covered = !is_air || (cells->flags[c] & BRUME_CELL_SOLID);
                    regions->amounts[scalar][region] += field->data && is_covered ? (double)field->data[c] : 0.0;
                }
            }
        }
    }
    regions->open = kinship.before[0];
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        for (int region = 1; region < MOST; region++) {
            regions->amounts[scalar][kinship.before[region]] -= sim->region_gains[scalar][region];
            regions->amounts[scalar][regions->open] += sim->region_gains[scalar][region];
        }
    }
}

void brume_regions_fill(BrumeAirRegions *regions, BrumeSim *sim, const BrumeCells *old_cells)
{
    if (!regions->divided) {
        return;
    }
    gather_scalars(sim);
    const BrumeGrid grid = old_cells->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = old_cells->sy * j + old_cells->sz * k;
            for (ptrdiff_t c = row + 1; c <= row + grid.nx; c++) {
                const int region = regions->after[c];
                for (int scalar = 0; old_cells->flags[c] & BRUME_CELL_SOLID && scalar < BRUME_SCALAR_COUNT; scalar++) {
                    const BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE + scalar];
                    if (field->data && region == BRUME_NO_REGION) {
                        field->data[c] = 0.0f;
                    } else if (field->data) {
                        regions->amounts[scalar][region] -= (double)field->data[c];
                    }
                }
            }
        }
    }
}

// weights of the cells of air, that decrease from the bodies that move to 0 at the distance `reach` [m]; 1 everywhere
// if that is infinite
static void find_weights(const BrumeSim *sim, float reach, BrumeField *weights)
{
    const BrumeCells *cells = &sim->geometry->cells;
    BrumeShape shapes[BRUME_MAX_BODIES];
    BrumePlacedShape bodies[BRUME_MAX_BODIES];
    int count = 0;
    for (int n = 0; n < sim->def.body_count && reach < INFINITY; n++) {
        if (brume_body_moves(sim, n) && brume_body_is_solid(&sim->def.bodies[n])) {
            shapes[count] = brume_present_shape(sim, n);
            bodies[count] = brume_shape_place(&shapes[count]);
            count++;
        }
    }
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= cells->grid.nz; k++) {
        for (int j = 1; j <= cells->grid.ny; j++) {
            for (int i = 1; i <= cells->grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(weights, i, j, k);
                float weight = reach < INFINITY ? 0.0f : 1.0f;
                for (int n = 0; n < count && weight < 1.0f && (cells->flags[c] & BRUME_CELL_FLUID); n++) {
                    const float distance =
                        brume_placed_distance_outside(&bodies[n], brume_cell_center(&sim->def, i, j, k), 0.0f, reach);
                    weight = brume_fmaxf(weight, 1.0f - distance / reach);
                }
                weights->data[c] = brume_fminf(weight, 1.0f);
            }
        }
    }
}

// the cells of air of a region in memory order: what is added to each of them, and sums over them
typedef struct RegionFields {
    const BrumeAirRegions *regions;
    BrumeField *field;
    const BrumeField *weights;
} RegionFields;

// sums and ranges of the regions
typedef struct RegionSums {
    double room[MOST]; // that the cells of a region have below its largest value or above its least one, by weight
    double total[MOST];
    float low[MOST], high[MOST];
} RegionSums;

static void sum_regions(const RegionFields *in, const double amounts[MOST], bool with_range, RegionSums *sums)
{
    const BrumeGrid grid = in->field->grid;
    for (int n = 0; n < MOST; n++) {
        sums->room[n] = sums->total[n] = 0.0;
        sums->low[n] = with_range ? INFINITY : sums->low[n];
        sums->high[n] = with_range ? -INFINITY : sums->high[n];
    }
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(in->field, 0, j, k);
            for (ptrdiff_t c = row + 1; c <= row + grid.nx; c++) {
                const int n = in->regions->after[c];
                if (n == BRUME_NO_REGION || amounts[n] == 0.0) {
                    continue;
                }
                const float value = in->field->data[c];
                if (with_range) {
                    sums->low[n] = brume_fminf(value, sums->low[n]);
                    sums->high[n] = brume_fmaxf(value, sums->high[n]);
                } else {
                    const double limit = (double)(amounts[n] > 0.0 ? sums->high[n] : sums->low[n]);
                    sums->room[n] += (double)in->weights->data[c] * (limit - (double)value);
                    sums->total[n] += (double)value;
                }
            }
        }
    }
}

// adds shares of the room, or multiplies by factors where there are any
static void change_regions(const RegionFields *in, const double amounts[MOST], const RegionSums *sums,
                           const double share[MOST], const double *factor)
{
    const BrumeGrid grid = in->field->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(in->field, 0, j, k);
            for (ptrdiff_t c = row + 1; c <= row + grid.nx; c++) {
                const int n = in->regions->after[c];
                if (n == BRUME_NO_REGION || amounts[n] == 0.0) {
                    continue;
                }
                const double value = (double)in->field->data[c];
                const double limit = (double)(amounts[n] > 0.0 ? sums->high[n] : sums->low[n]);
                const double more = share[n] * (double)in->weights->data[c] * (limit - value);
                in->field->data[c] = (float)(factor ? value * factor[n] : value + more);
            }
        }
    }
}

// returns amounts near the bodies, within the range of each region
static void return_in_range(const RegionFields *in, double amounts[MOST], RegionSums *sums)
{
    double share[MOST] = {0.0};
    sum_regions(in, amounts, false, sums);
    for (int n = 0; n < MOST; n++) {
        share[n] = sums->room[n] * amounts[n] > 0.0 ? brume_fmin(amounts[n] / sums->room[n], 1.0) : 0.0;
    }
    change_regions(in, amounts, sums, share, NULL);
    for (int n = 0; n < MOST; n++) {
        amounts[n] = share[n] < 1.0 && share[n] > 0.0 ? 0.0 : amounts[n] - share[n] * sums->room[n];
    }
}

// returns the remainders by a factor of all values of a region
static void return_by_factor(const RegionFields *in, double amounts[MOST], RegionSums *sums)
{
    double factor[MOST];
    sum_regions(in, amounts, false, sums);
    for (int n = 0; n < MOST; n++) {
        const double needed = 1.0 + amounts[n] / sums->total[n];
        factor[n] = n > 0 && needed > 1.0 / MOST_FACTOR && needed < MOST_FACTOR ? needed : 1.0;
    }
    change_regions(in, amounts, sums, factor, factor);
}

void brume_regions_return(BrumeAirRegions *regions, BrumeSim *sim, const double from_bodies[BRUME_SCALAR_COUNT])
{
    RegionSums sums[BRUME_SCALAR_COUNT];
    RegionFields in = {.regions = regions, .weights = &sim->scratch[0]};
    gather_scalars(sim);
    for (int pass = 0; pass < 2; pass++) { // near the bodies, then everywhere
        find_weights(sim, pass == 0 ? REACH * sim->def.dx : INFINITY, &sim->scratch[0]);
        for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
            double *amounts = regions->amounts[scalar];
            in.field = &sim->fields[BRUME_FIELD_TEMPERATURE + scalar];
            if (!in.field->data) {
                continue;
            }
            if (pass == 0) {
                amounts[regions->open] -= (double)(float)from_bodies[scalar]; // kernels add in different orders
                sum_regions(&in, amounts, true, &sums[scalar]);
            }
            return_in_range(&in, amounts, &sums[scalar]);
            if (pass == 1) {
                return_by_factor(&in, amounts, &sums[scalar]);
            }
        }
    }
}
