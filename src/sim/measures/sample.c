/*
 * Values at positions, interpolated trilinearly from where each quantity is stored: centers, faces, or edges for the
 * vorticity. A coordinate that lies on such a place up to the rounding of a float has weight 1 there.
 */
#include "brume/probe.h"
#include "core/domain.h"
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/grid/cells.h"
#include "sim/measures/measures_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    FIRST_SCALAR_COLUMN = 3, // the pressure
    VORTICITY_COLUMN = FIRST_SCALAR_COLUMN + 1 + BRUME_SCALAR_COUNT,
};
_Static_assert(VORTICITY_COLUMN + 3 == BRUME_PROBE_COLUMNS, "the columns of all quantities");

static const char *name_of_scalar_column(int column)
{
    return column == FIRST_SCALAR_COLUMN ? "pressure" : brume_scalar_name(column - FIRST_SCALAR_COLUMN - 1);
}

const char *brume_probe_column_name(int column)
{
    static const char *const velocities[] = {"velocity_x", "velocity_y", "velocity_z"};
    static const char *const vorticities[] = {"vorticity_x", "vorticity_y", "vorticity_z"};
    return column < 0 || column >= BRUME_PROBE_COLUMNS ? NULL
           : column < FIRST_SCALAR_COLUMN              ? velocities[column]
           : column >= VORTICITY_COLUMN                ? vorticities[column - VORTICITY_COLUMN]
                                                       : name_of_scalar_column(column);
}

BrumeProbeQuantity brume_probe_column_quantity(int column)
{
    return column < FIRST_SCALAR_COLUMN ? BRUME_PROBE_VELOCITY
           : column >= VORTICITY_COLUMN ? BRUME_PROBE_VORTICITY
                                        : (BrumeProbeQuantity)(column - FIRST_SCALAR_COLUMN + 1);
}

const char *brume_probe_quantity_name(int quantity)
{
    switch (quantity) {
    case BRUME_PROBE_VELOCITY:
        return "velocity";
    case BRUME_PROBE_VORTICITY:
        return "vorticity";
    default:
        return quantity >= 0 && quantity < BRUME_PROBE_QUANTITY_COUNT
                   ? name_of_scalar_column(FIRST_SCALAR_COLUMN + quantity - BRUME_PROBE_PRESSURE)
                   : NULL;
    }
}

// the entries below and above a position on one axis, and the weight of the upper one
typedef struct Bracket {
    int lower;
    double weight;
} Bracket;

// the bracket of a coordinate [m] among the places `first` to `last`, of which place n is at (n - shift) dx
static Bracket find_bracket(const BrumeSimDef *def, int axis, double coordinate, double shift, int first, int last)
{
    const double dx = (double)def->dx;
    const double origin = (double)brume_component(def->origin, axis);
    const BrumeGrid grid = brume_settings_grid(def);
    const double side = dx * brume_cells_along(grid, axis);
    const double inside = brume_fmin(brume_fmax(coordinate - origin, 0.0), side);
    const double place = brume_fmin(brume_fmax(inside / dx + shift, first), last);
    const double nearest = floor(place + 0.5);
    const double rounding = 2.0 * (double)FLT_EPSILON * (fabs(origin) + side) / dx; // [cells]
    const double exact = fabs(place - nearest) <= rounding ? nearest : place;
    const double lower = brume_fmin(floor(exact), last - 1);
    return (Bracket){(int)lower, exact - lower};
}

// the places of a staggered quantity: faces or edges on the axes of `staggered`, centers and their ghosts on the others
static void find_places(const BrumeSim *sim, const double position[3], const bool staggered[3], Bracket at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(sim->fields[0].grid, axis);
        at[axis] = staggered[axis] ? find_bracket(&sim->def, axis, position[axis], 1.0, 1, n + 1)
                                   : find_bracket(&sim->def, axis, position[axis], 0.5, 0, n + 1);
    }
}

// the weight of corner 0 to 7 of a cell of places, and the offset of its entry
static double corner_weight(const BrumeField *field, const Bracket at[3], int corner, ptrdiff_t *entry)
{
    double weight = 1.0;
    int index[3];
    for (int axis = 0; axis < 3; axis++) {
        const int up = corner >> axis & 1;
        weight *= up ? at[axis].weight : 1.0 - at[axis].weight;
        index[axis] = at[axis].lower + up;
    }
    *entry = brume_field_index(field, index[0], index[1], index[2]);
    return weight;
}

static double sample_velocity(const BrumeSim *sim, int component, const double position[3])
{
    const BrumeField *field = &sim->fields[component];
    const bool staggered[3] = {component == 0, component == 1, component == 2};
    Bracket at[3];
    find_places(sim, position, staggered, at);
    double sum = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        ptrdiff_t entry;
        const double weight = corner_weight(field, at, corner, &entry);
        sum += weight > 0.0 ? weight * (double)field->data[entry] : 0.0;
    }
    return sum;
}

// the component of the vorticity along `axis`, on the edges at the lower corners of the cells
static double sample_vorticity(const BrumeSim *sim, int axis, const double position[3])
{
    const int next = (axis + 1) % 3;
    const int last = (axis + 2) % 3;
    const BrumeField *b = &sim->fields[next];
    const BrumeField *d = &sim->fields[last];
    const ptrdiff_t sb = brume_stride(b, next);
    const ptrdiff_t sd = brume_stride(d, last);
    const bool staggered[3] = {axis != 0, axis != 1, axis != 2};
    Bracket at[3];
    find_places(sim, position, staggered, at);
    double sum = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        ptrdiff_t c;
        const double weight = corner_weight(b, at, corner, &c);
        if (weight > 0.0) {
            sum += weight *
                   (((double)d->data[c] - (double)d->data[c - sb]) - ((double)b->data[c] - (double)b->data[c - sd]));
        }
    }
    return sum / (double)sim->def.dx;
}

// where sample_center reads a quantity: of temperature and smoke, a copy with the ghosts of diffusion
static const BrumeField *sampled_field(const BrumeSim *sim, BrumeFieldId id)
{
    return id == BRUME_FIELD_PRESSURE ? &sim->fields[id] : &sim->scratch[id - BRUME_FIELD_TEMPERATURE];
}

// a quantity at the cell centers; cells in bodies do not count
static double sample_center(const BrumeSim *sim, BrumeFieldId id, const double position[3])
{
    const BrumeField *field = sampled_field(sim, id);
    const uint8_t *flags = sim->geometry->cells.flags;
    Bracket at[3];
    for (int axis = 0; axis < 3; axis++) {
        const int n = brume_cells_along(field->grid, axis);
        const bool ghosts = id != BRUME_FIELD_PRESSURE; // the ghosts of the pressure are not set
        at[axis] = find_bracket(&sim->def, axis, position[axis], 0.5, ghosts ? 0 : 1, ghosts ? n + 1 : n);
        if (at[axis].lower < 1 && !ghosts) { // one cell along this axis
            at[axis] = (Bracket){1, 0.0};
        }
    }
    double sum = 0.0;
    double weights = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        ptrdiff_t entry;
        const double weight = corner_weight(field, at, corner, &entry);
        if (weight > 0.0 && !(flags[entry] & BRUME_CELL_SOLID)) {
            sum += weight * (double)field->data[entry];
            weights += weight;
        }
    }
    return weights == 1.0 || weights == 0.0 ? sum : sum / weights;
}

static void sample_one(const BrumeSim *sim, unsigned quantities, BrumeProbeSample *sample)
{
    for (int column = 0; column < BRUME_PROBE_COLUMNS; column++) {
        const BrumeProbeQuantity quantity = brume_probe_column_quantity(column);
        double value = 0.0;
        if (!(quantities >> quantity & 1U)) {
            value = 0.0;
        } else if (quantity == BRUME_PROBE_VELOCITY) {
            value = sample_velocity(sim, column, sample->position);
        } else if (quantity == BRUME_PROBE_VORTICITY) {
            value = sample_vorticity(sim, column - VORTICITY_COLUMN, sample->position);
        } else {
            const BrumeFieldId id = (BrumeFieldId)(BRUME_FIELD_PRESSURE + column - FIRST_SCALAR_COLUMN);
            value = sim->fields[id].data ? sample_center(sim, id, sample->position) : 0.0;
        }
        sample->values[column] = value;
    }
}

// By the rules of diffusion a prescribed value holds on the side itself. Their ghosts are set in copies: the ghosts of
// the state at open sides depend on the velocity before the last projection, so that they could not be restored.
static void copy_scalars(BrumeSim *sim, unsigned quantities)
{
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_COUNT; id++) {
        const int column = FIRST_SCALAR_COLUMN + id - BRUME_FIELD_PRESSURE;
        if (sim->fields[id].data && (quantities >> brume_probe_column_quantity(column) & 1U)) {
            BrumeField *copy = &sim->scratch[id - BRUME_FIELD_TEMPERATURE];
            brume_field_copy(copy, &sim->fields[id]);
            brume_set_diffusion_sides(sim, (BrumeFieldId)id, copy);
        }
    }
}

static bool is_in_box(const BrumeSimDef *def, const double position[3])
{
    const BrumeGrid grid = brume_settings_grid(def);
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
        const double at = position[axis] - (double)brume_component(def->origin, axis);
        inside = inside && at >= 0.0 && at <= (double)def->dx * brume_cells_along(grid, axis);
    }
    return inside;
}

// whether this rank has the cell at a position; it has or knows all planes around it
static bool has_position(const BrumeSim *sim, const double position[3])
{
    const BrumeGrid grid = sim->fields[0].grid;
    const double cells = (position[2] - (double)sim->def.origin.z) / (double)sim->def.dx;
    const int k = 1 + (int)brume_fmin(brume_fmax(cells, 0.0), grid.nz - 1);
    return k >= brume_first_plane(grid) && k <= brume_last_plane(grid);
}

enum { SAMPLES_AT_ONCE = 256 };

// completes the values of samples, of which each rank has set those at its cells and the others to 0
static void merge_samples(BrumeGrid grid, BrumeProbeSample *samples, size_t count)
{
    int64_t bits[SAMPLES_AT_ONCE * BRUME_PROBE_COLUMNS];
    _Static_assert(sizeof samples->values == BRUME_PROBE_COLUMNS * sizeof bits[0], "the bits of doubles are added");
    for (size_t first = 0; brume_is_shared(grid) && first < count; first += SAMPLES_AT_ONCE) {
        const size_t merged = count - first < SAMPLES_AT_ONCE ? count - first : SAMPLES_AT_ONCE;
        for (size_t n = 0; n < merged; n++) {
            memcpy(&bits[n * BRUME_PROBE_COLUMNS], samples[first + n].values, sizeof samples->values);
        }
        brume_sum_values_of_ranks(grid, bits, merged * BRUME_PROBE_COLUMNS);
        for (size_t n = 0; n < merged; n++) {
            memcpy(samples[first + n].values, &bits[n * BRUME_PROBE_COLUMNS], sizeof samples->values);
        }
    }
}

// sets the fields that samples read, with the planes around those of this rank
static void prepare(BrumeSim *sim, unsigned quantities)
{
    brume_set_measured_ghosts(sim);
    copy_scalars(sim, quantities);
    brume_exchange_field(&sim->fields[BRUME_FIELD_PRESSURE], 1);
}

void brume_sim_sample(BrumeSim *sim, unsigned quantities, BrumeProbeSample *samples, size_t count)
{
    BrumeSim *around = sim->far ? sim->far->coarse : sim; // outside of a window
    prepare(sim, quantities);
    if (sim->far) {
        prepare(around, quantities);
    }
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < count; n++) {
        const BrumeSim *at = is_in_box(&sim->def, samples[n].position) ? sim : around;
        sample_one(at, has_position(at, samples[n].position) ? quantities : 0, &samples[n]);
    }
    merge_samples(sim->fields[0].grid, samples, count);
}
