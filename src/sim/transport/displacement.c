/*
 * Smoke and heat that moving bodies displace. The flux form lets air with the value of the adjacent cell enter
 * through the faces in front of a body, and takes air through the faces behind it, so that a constant stays
 * constant; the cells that it covers lose their contents, and cells that it uncovers are filled from the cells around.
 * In air of constant density these amounts cancel. In general they do not: cells are covered as a whole, and at another
 * time than fluxes flow.
 *
 * The difference is added to the air in front of the body and behind it: first as far as REACH cells along its
 * motion, then twice as far, and so on, and last all around it. Each cell changes in proportion to its weight, which
 * decreases with the distance, and to the amount that it can take until its value is at the limit of the range of the
 * field. So no value leaves that range. Where smoke is missing, cells lose some of it, likewise. In air that has the
 * same density everywhere nothing can be added or taken: its total follows the number of solid cells, which varies
 * while a body moves.
 */
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/surface_velocity.h"
#include "sim/transport/transport.h"

#include <math.h>

static const float REACH = 4.0f; // [cells]

// the air that a body displaces to; `direction` along its motion, 0 all around it
typedef struct Region {
    const BrumeSim *sim;
    BrumePlacedShape placed;
    BrumeVec3 direction;
    float reach; // [m]
    BrumeIndexBox box;
    const BrumeField *weights;      // 0 outside the region
    BrumeVec3 direction_of_weights; // for which they were found last, and the reach
    float reach_of_weights;
} Region;

// the weights of points outside the body
static void weigh_points(const Region *region, const BrumeVec3 *points, int count, float *weights)
{
    const BrumePlacedShape *placed = &region->placed;
    const bool is_around = brume_length(region->direction) == 0.0f;
    const BrumeVec3 back = brume_scale(region->direction, -region->reach);
    if (is_around) {
        brume_placed_distances_outside(placed, points, count, 1.01f * region->reach, weights);
    }
    for (int n = 0; n < count; n++) {
        const float way =
            is_around ? weights[n] / region->reach : brume_placed_entry(placed, points[n], brume_add(points[n], back));
        weights[n] = brume_fmaxf(1.0f - way, 0.0f);
    }
}

static void find_weights_in_block(const Region *region, BrumeIndexBox block)
{
    const BrumeSim *sim = region->sim;
    const bool is_near = brume_block_is_near(&sim->def, &region->placed, &block, region->reach);
    BrumeVec3 points[BRUME_BLOCK_CELLS];
    ptrdiff_t cells[BRUME_BLOCK_CELLS];
    float weights[BRUME_BLOCK_CELLS];
    int count = 0;
    for (int n = 0; n < BRUME_BLOCK_CELLS; n++) {
        int index[3];
        if (brume_block_cell(&block, n, index)) {
            const ptrdiff_t c = brume_field_index(region->weights, index[0], index[1], index[2]);
            region->weights->data[c] = 0.0f;
            if (is_near && (sim->geometry->cells.flags[c] & BRUME_CELL_FLUID)) {
                points[count] = brume_cell_center(&sim->def, index[0], index[1], index[2]);
                cells[count++] = c;
            }
        }
    }
    weigh_points(region, points, count, weights);
    for (int n = 0; n < count; n++) {
        region->weights->data[cells[n]] = weights[n];
    }
}

static void find_weights(Region *region)
{
    BrumeShape shape = *region->placed.shape;
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(&shape, &lower, &upper);
    const BrumeVec3 grown = brume_vec3(region->reach, region->reach, region->reach);
    shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = brume_sub(lower, grown), .b = brume_add(upper, grown)};
    region->box = brume_cells_overlapping(&region->sim->def, &shape);
    const BrumeIndexBox *box = &region->box;
#pragma omp parallel for schedule(dynamic)
    for (int k = box->from[2]; k <= box->to[2]; k += BRUME_CELL_BLOCK) {
        for (int j = box->from[1]; j <= box->to[1]; j += BRUME_CELL_BLOCK) {
            for (int i = box->from[0]; i <= box->to[0]; i += BRUME_CELL_BLOCK) {
                find_weights_in_block(region, brume_cell_block(box, i, j, k));
            }
        }
    }
}

// the largest amount of this sign that a cell can take until its value is `limit`
static double cell_room(const Region *region, const BrumeField *field, ptrdiff_t c, float limit)
{
    return (double)region->weights->data[c] * ((double)limit - (double)field->data[c]);
}

static double sum_rooms(const Region *region, const BrumeField *field, float limit)
{
    const BrumeIndexBox *box = &region->box;
    double *sums = region->sim->planes;
#pragma omp parallel for schedule(static)
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        double sum = 0.0;
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                sum += cell_room(region, field, brume_field_index(field, i, j, k), limit);
            }
        }
        sums[k] = sum;
    }
    double sum = 0.0;
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        sum += sums[k];
    }
    return sum;
}

// adds as much of an amount as has room, and returns the rest
static double add_in_region(const Region *region, BrumeField *field, double amount, float limit)
{
    const double room = sum_rooms(region, field, limit);
    const double share = room * amount > 0.0 ? brume_fmin(amount / room, 1.0) : 0.0;
    const BrumeIndexBox *box = &region->box;
#pragma omp parallel for schedule(static)
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        for (int j = box->from[1]; share > 0.0 && j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                const ptrdiff_t c = brume_field_index(field, i, j, k);
                field->data[c] = (float)((double)field->data[c] + share * cell_room(region, field, c, limit));
            }
        }
    }
    return amount - share * room;
}

// extends a range by the values of the air in a row
BRUME_KERNEL static void extend_range(const float *restrict row, const uint8_t *restrict flags, int count, float *least,
                                      float *most)
{
    enum { LANES = 8 };
    float low[LANES];
    float high[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        low[lane] = *least;
        high[lane] = *most;
    }
    for (int i = 0; i < count; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            const int at = i + lane < count ? i + lane : count - 1;
            const bool air = (flags[at] & BRUME_CELL_FLUID) != 0;
            low[lane] = air && row[at] < low[lane] ? row[at] : low[lane];
            high[lane] = air && row[at] > high[lane] ? row[at] : high[lane];
        }
    }
    for (int lane = 0; lane < LANES; lane++) {
        *least = brume_fminf(low[lane], *least);
        *most = brume_fmaxf(high[lane], *most);
    }
}

// the range of the air and of the covered cells
static void find_range(const BrumeSim *sim, const BrumeField *field, float *least, float *most)
{
    const BrumeCells *cells = &sim->geometry->cells;
    float low = *least;
    float high = *most;
#pragma omp parallel for schedule(static) reduction(min : low) reduction(max : high)
    for (int k = 1; k <= field->grid.nz; k++) {
        for (int j = 1; j <= field->grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(field, 0, j, k);
            extend_range(field->data + row + 1, cells->flags + row + 1, field->grid.nx, &low, &high);
        }
    }
    *least = low;
    *most = high;
}

// amounts of a body, by scalar [unit cells]
typedef struct Amounts {
    double amount[BRUME_SCALAR_COUNT];
} Amounts;

static bool is_returned(const Amounts *amounts)
{
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        if (amounts->amount[scalar] != 0.0) {
            return false;
        }
    }
    return true;
}

// returns amounts to the air in regions of increasing reach; the remainder stays in `amounts`
static void return_amounts(BrumeSim *sim, Region *region, Amounts *amounts, const BrumeDisplaced *range)
{
    const BrumeGrid grid = sim->geometry->cells.grid;
    const int longest = brume_max_int(grid.nx, brume_max_int(grid.ny, grid.nz));
    for (float cells = REACH; cells < 2.0f * (float)longest && !is_returned(amounts); cells *= 2.0f) {
        region->reach = cells * sim->def.dx;
        if (region->reach != region->reach_of_weights ||
            brume_length(brume_sub(region->direction, region->direction_of_weights)) > 0.0f) {
            find_weights(region);
            region->reach_of_weights = region->reach;
            region->direction_of_weights = region->direction;
        }
        for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
            const double amount = amounts->amount[scalar];
            if (amount != 0.0) {
                const float limit = amount > 0.0 ? range->high[scalar] : range->low[scalar];
                amounts->amount[scalar] =
                    add_in_region(region, &sim->fields[BRUME_FIELD_TEMPERATURE + scalar], amount, limit);
            }
        }
    }
}

// amounts of opposite sign in front and behind cancel as far as they can
static void cancel_amounts(double *front, double *behind)
{
    if (*front * *behind < 0.0) {
        const double sum = *front + *behind;
        const bool front_is_larger = fabs(*front) > fabs(*behind);
        *front = front_is_larger ? sum : 0.0;
        *behind = front_is_larger ? 0.0 : sum;
    }
}

static void return_of_body(BrumeSim *sim, int body, const BrumeDisplaced *displaced, const BrumeDisplaced *range)
{
    const double dx = (double)sim->def.dx;
    const double cells_per_volume = 1.0 / (dx * dx * dx);
    Amounts front = {{0.0}};
    Amounts behind = {{0.0}};
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const BrumeScalarExchange *exchange =
            brume_transport_exchange(sim, (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + scalar));
        // single precision: the kernels add in different orders
        const double given = (double)(float)(exchange->given[body] * cells_per_volume);
        const double taken = (double)(float)(exchange->taken[body] * cells_per_volume);
        front.amount[scalar] = displaced->covered[scalar][body] - given;
        behind.amount[scalar] = taken - displaced->filled[scalar][body];
        cancel_amounts(&front.amount[scalar], &behind.amount[scalar]);
    }
    // a body that turns or deforms has air in front of it and behind it on all sides
    const BrumeRigidVelocity *rigid = &sim->surface_velocity[body];
    const BrumeVec3 direction = brume_length(rigid->spin) > 0.0f || brume_body_deforms(sim, body)
                                    ? brume_vec3(0.0f, 0.0f, 0.0f)
                                    : brume_normalize(rigid->velocity);
    const BrumeShape shape = brume_present_shape(sim, body);
    Region region = {.sim = sim, .weights = &sim->scratch[0]};
    region.placed = brume_shape_place(&shape);
    region.direction = direction;
    return_amounts(sim, &region, &front, range);
    region.direction = brume_scale(direction, -1.0f);
    return_amounts(sim, &region, &behind, range);
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        front.amount[scalar] += behind.amount[scalar];
    }
    region.direction = brume_vec3(0.0f, 0.0f, 0.0f);
    return_amounts(sim, &region, &front, range);
}

void brume_return_displaced(BrumeSim *sim, const BrumeDisplaced *displaced)
{
    if (!brume_transport_is_exact(sim)) {
        return;
    }
    BrumeDisplaced range = *displaced;
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const BrumeField *field = &sim->fields[BRUME_FIELD_TEMPERATURE + scalar];
        if (field->data) {
            find_range(sim, field, &range.low[scalar], &range.high[scalar]);
        }
    }
    for (int n = 0; n < sim->def.body_count; n++) {
        if (brume_body_moves(sim, n)) {
            return_of_body(sim, n, displaced, &range);
        }
    }
}
