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
#include "core/domain.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/boundary/surface_velocity.h"
#include "sim/transport/transport.h"

#include <math.h>
#include <string.h>

static const float REACH = 4.0f; // [cells]

// the air that a body displaces to; `direction` along its motion, 0 all around it
typedef struct Region {
    const BrumeSim *sim;
    int body;
    BrumePlacedShape placed;
    BrumeVec3 direction;
    float reach; // [m]
    BrumeIndexBox box;
    int first, last;                // planes of the box that this rank has
    BrumeField *weights, *spare;    // weights are 0 outside the region
    BrumeVec3 direction_of_weights; // for which they were found last, and the reach
    float reach_of_weights;
} Region;

static void find_weights_in_block(const Region *region, BrumeIndexBox block)
{
    const BrumeSim *sim = region->sim;
    const bool is_near = brume_block_is_near(&sim->def, &region->placed, &block, region->reach);
    const BrumeVec3 back = brume_scale(region->direction, -region->reach);
    for (int n = 0; n < BRUME_BLOCK_CELLS; n++) {
        int index[3];
        if (!brume_block_cell(&block, n, index) || !brume_has_plane(region->weights->grid, index[2])) {
            continue;
        }
        const ptrdiff_t c = brume_field_index(region->weights, index[0], index[1], index[2]);
        float weight = 0.0f;
        if (is_near && (sim->geometry->cells.flags[c] & BRUME_CELL_FLUID)) {
            const BrumeVec3 point = brume_cell_center(&sim->def, index[0], index[1], index[2]);
            weight = brume_fmaxf(1.0f - brume_placed_entry(&region->placed, point, brume_add(point, back)), 0.0f);
        }
        region->weights->data[c] = weight;
    }
}

static const float FAR = 1e9f; // the square of a distance [cells^2]

// marks the cells of the body by 0, all others by FAR
static bool mark_body(const Region *region, BrumeField *squared)
{
    const BrumeCells *cells = &region->sim->geometry->cells;
    const uint8_t *ids = cells->wall_ids ? cells->wall_ids : cells->body_ids;
    const BrumeIndexBox *box = &region->box;
    bool any = false;
#pragma omp parallel for schedule(static) reduction(|| : any)
    for (int k = region->first; k <= region->last; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                const ptrdiff_t c = brume_field_index(squared, i, j, k);
                const bool is_body = ids[c] == region->body + 1;
                squared->data[c] = is_body ? 0.0f : FAR;
                any = any || is_body;
            }
        }
    }
    int32_t found = any;
    brume_largest_of_ranks(squared->grid, &found, 1);
    return found > 0;
}

BRUME_KERNEL static void lower_row(float *restrict row, const float *from, float more, int count)
{
    for (int i = 0; i < count; i++) {
        row[i] = brume_min_float(row[i], from[i] + more);
    }
}

// the least sum of a value up to `reach` cells away along an axis and the square of the way there
static void spread_along(const Region *region, int axis, int reach, const BrumeField *from, BrumeField *to)
{
    const BrumeIndexBox *box = &region->box;
    const int length = box->to[0] - box->from[0] + 1;
#pragma omp parallel for schedule(static)
    for (int k = region->first; k <= region->last; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            const int at[3] = {0, j, k};
            const ptrdiff_t row = brume_field_index(to, box->from[0], j, k);
            memcpy(to->data + row, from->data + row, (size_t)length * sizeof *to->data);
            for (int way = -reach; way <= reach; way++) {
                const float more = (float)(way * way);
                const ptrdiff_t there = row + way * brume_stride(from, axis);
                if (axis == 0) {
                    const int skipped = way < 0 ? -way : 0;
                    const int count = length - (way < 0 ? -way : way);
                    lower_row(to->data + row + skipped, from->data + there + skipped, more, count);
                } else if (at[axis] + way >= box->from[axis] && at[axis] + way <= box->to[axis]) {
                    lower_row(to->data + row, from->data + there, more, length);
                }
            }
        }
    }
}

// All around the body the weights depend on the distances to the centers of its cells, by a pass along each axis
// (Felzenszwalb, Huttenlocher 2012, "Distance Transforms of Sampled Functions").
static void find_weights_around(const Region *region)
{
    const BrumeSim *sim = region->sim;
    const float cells = region->reach / sim->def.dx;
    const int reach = (int)cells;
    BrumeField *squared = region->spare;
    BrumeField *weights = region->weights;
    if (!mark_body(region, squared)) { // nothing of it is in the box any more
        const BrumeIndexBox where = brume_cells_overlapping(&sim->def, region->placed.shape);
        if (brume_has_plane(squared->grid, where.from[2])) {
            squared->data[brume_field_index(squared, where.from[0], where.from[1], where.from[2])] = 0.0f;
        }
    }
    spread_along(region, 0, reach, squared, weights);
    spread_along(region, 1, reach, weights, squared);
    brume_exchange_field(squared, reach);
    spread_along(region, 2, reach, squared, weights);
    const BrumeIndexBox *box = &region->box;
#pragma omp parallel for schedule(static)
    for (int k = region->first; k <= region->last; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                const ptrdiff_t c = brume_field_index(weights, i, j, k);
                const bool air = (sim->geometry->cells.flags[c] & BRUME_CELL_FLUID) != 0;
                const float way = brume_fmaxf(sqrtf(weights->data[c]) - 0.5f, 0.0f) / cells; // from half of its cell on
                weights->data[c] = air ? brume_fmaxf(1.0f - way, 0.0f) : 0.0f;
            }
        }
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
    region->first = brume_planes_from(region->weights->grid, box->from[2]);
    region->last = brume_planes_to(region->weights->grid, box->to[2]);
    if (brume_length(region->direction) == 0.0f) {
        find_weights_around(region);
        return;
    }
    const int start = region->first - (region->first - box->from[2]) % BRUME_CELL_BLOCK; // of a block
#pragma omp parallel for schedule(dynamic)
    for (int k = start; k <= region->last; k += BRUME_CELL_BLOCK) {
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
    const BrumeGrid grid = field->grid;
    double *sums = region->sim->planes;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        const bool within = k >= region->first && k <= region->last;
        BrumePlaneSum sum = {0};
        for (int j = box->from[1]; within && j <= box->to[1]; j++) {
            double *block = brume_sum_of_block(&sum, j);
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                *block += cell_room(region, field, brume_field_index(field, i, j, k), limit);
            }
        }
        sums[k] = brume_sum_of_plane(sum);
    }
    return brume_sum_planes(grid, sums);
}

// adds as much of an amount as has room, and returns the rest
static double add_in_region(const Region *region, BrumeField *field, double amount, float limit)
{
    const double room = sum_rooms(region, field, limit);
    const double share = room * amount > 0.0 ? brume_fmin(amount / room, 1.0) : 0.0;
    const BrumeIndexBox *box = &region->box;
#pragma omp parallel for schedule(static)
    for (int k = region->first; k <= region->last; k++) {
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
    const BrumeGrid grid = field->grid;
    double *lows = sim->planes; // with their signs changed
    double *highs = sim->planes + grid.nz + 2;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        float low = *least;
        float high = *most;
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(field, 0, j, k);
            extend_range(field->data + row + 1, cells->flags + row + 1, grid.nx, &low, &high);
        }
        lows[k] = -(double)low;
        highs[k] = (double)high;
    }
    *least = (float)-brume_max_planes(grid, lows);
    *most = (float)brume_max_planes(grid, highs);
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
    Region region = {.sim = sim, .body = body, .weights = &sim->scratch[0], .spare = &sim->scratch[1]};
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

// whether a body has displaced any amount of a scalar
static bool is_any_displaced(const BrumeSim *sim, const BrumeDisplaced *displaced)
{
    bool any = false;
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const BrumeScalarExchange *exchange =
            brume_transport_exchange(sim, (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + scalar));
        for (int n = 0; n < sim->def.body_count; n++) {
            any = any || displaced->covered[scalar][n] != 0.0 || displaced->filled[scalar][n] != 0.0 ||
                  exchange->given[n] != 0.0 || exchange->taken[n] != 0.0;
        }
    }
    return any;
}

void brume_return_displaced(BrumeSim *sim, const BrumeDisplaced *displaced)
{
    if (!brume_transport_is_exact(sim) || !is_any_displaced(sim, displaced)) {
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
