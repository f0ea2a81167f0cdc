/*
 * Vorticity confinement (Steinhoff 1994; Fedkiw, Stam, Jensen 2001, eq. 9 to 11):
 *     f = epsilon dx (N x omega),  N = grad |omega| / |grad |omega||,
 * a force that strengthens small vortices and so counteracts the numerical dissipation of the advection. The factor dx
 * makes it vanish under refinement. Long steps smooth the velocity so much that there are no small vortices to
 * strengthen, and the force would then grow without bound; epsilon dt is therefore limited, and the limit falls with
 * the displacement of a step once that exceeds FULL_GAIN_DISPLACEMENT.
 *
 * The three stages run as a wavefront (wavefront.h), each one plane behind the previous one: the vorticity at the
 * centers, the velocity gained at the centers, and the velocity on the faces, which change only after the last curl
 * that reads them.
 */
#include "core/domain.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/grid/wavefront.h"
#include "sim/state/state.h"

#include <math.h>
#include <string.h>

static const float MAX_GAIN = 0.5f;               // largest epsilon dt
static const float FULL_GAIN_DISPLACEMENT = 8.0f; // largest displacement of a step with that limit [cells]

// omega and its length at the centers of a row, by central differences of the velocity at the centers [1/s]
BRUME_KERNEL static void curl_row(float *restrict x, float *restrict y, float *restrict z, float *restrict length,
                                  const float *u, const float *v, const float *w, ptrdiff_t sy, ptrdiff_t sz,
                                  float scale, int count)
{
    for (int i = 0; i < count; i++) {
        // the velocity at a center is the mean of two faces; the differences span two cells
        const float dw_dy = w[i + sy] + w[i + sy + sz] - w[i - sy] - w[i - sy + sz];
        const float dv_dz = v[i + sz] + v[i + sz + sy] - v[i - sz] - v[i - sz + sy];
        const float du_dz = u[i + sz] + u[i + sz + 1] - u[i - sz] - u[i - sz + 1];
        const float dw_dx = w[i + 1] + w[i + 1 + sz] - w[i - 1] - w[i - 1 + sz];
        const float dv_dx = v[i + 1] + v[i + 1 + sy] - v[i - 1] - v[i - 1 + sy];
        const float du_dy = u[i + sy] + u[i + sy + 1] - u[i - sy] - u[i - sy + 1];
        x[i] = scale * (dw_dy - dv_dz);
        y[i] = scale * (du_dz - dw_dx);
        z[i] = scale * (dv_dx - du_dy);
        length[i] = sqrtf(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
    }
}

// overwrites omega by the velocity gained at the centers [m/s]
BRUME_KERNEL static void confine_row(float *restrict x, float *restrict y, float *restrict z, const float *length,
                                     ptrdiff_t sy, ptrdiff_t sz, float gain, int count)
{
    for (int i = 0; i < count; i++) {
        const float gx = length[i + 1] - length[i - 1];
        const float gy = length[i + sy] - length[i - sy];
        const float gz = length[i + sz] - length[i - sz];
        const float norm = sqrtf(gx * gx + gy * gy + gz * gz);
        const float scale = norm > 0.0f ? gain / norm : 0.0f;
        const float ox = x[i];
        const float oy = y[i];
        const float oz = z[i];
        x[i] = scale * (gy * oz - gz * oy);
        y[i] = scale * (gz * ox - gx * oz);
        z[i] = scale * (gx * oy - gy * ox);
    }
}

BRUME_KERNEL static void add_to_faces_row(float *restrict velocity, const float *center, ptrdiff_t below, int count)
{
    for (int i = 0; i < count; i++) {
        velocity[i] += 0.5f * (center[i] + center[i - below]);
    }
}

typedef struct Confinement {
    const BrumeCells *cells;
    const BrumeField *velocity; // whose vorticity is confined
    BrumeField *onto;           // the velocity that is accelerated
    BrumeField *center;         // x, y, z of omega, then of the gained velocity
    BrumeField *length;         // of omega
    float per_four_cells;       // 1 / (4 dx) [1/m]
    float gain;                 // epsilon dt dx, limited [m]
    const BrumeBlockSet *blocks, *around;
} Confinement;

// finishes a row of cells: 0 inside bodies, and the two ghosts at its ends
static void finish_row(const BrumeCells *cells, BrumeField *field, int j, int k)
{
    const int nx = field->grid.nx;
    float *row = field->data + brume_field_index(field, 0, j, k);
    if (cells->bodies) {
        brume_clear_solids_row(cells, BRUME_AT_CENTER, field, j, k);
    }
    row[0] = row[cells->periodic[0] ? nx : 1];
    row[nx + 1] = row[cells->periodic[0] ? 1 : nx];
}

static void copy_row(BrumeField *field, int j, int k, int from_j, int from_k)
{
    memcpy(field->data + brume_field_index(field, 0, j, k), field->data + brume_field_index(field, 0, from_j, from_k),
           (size_t)field->sy * sizeof *field->data);
}

// sets the ghost rows and ghost planes that repeat rows from..to-1 of plane k
static void set_ghost_rows(const BrumeCells *cells, BrumeField *field, int k, int from, int to)
{
    const BrumeGrid grid = field->grid;
    if (from == 1 && !cells->periodic[1]) {
        copy_row(field, 0, k, 1, k);
    }
    if (to == grid.ny + 1) {
        copy_row(field, grid.ny + 1, k, cells->periodic[1] ? 1 : grid.ny, k);
        if (cells->periodic[1]) {
            copy_row(field, 0, k, grid.ny, k);
        }
    }
    for (int j = from; !cells->periodic[2] && j < to; j++) {
        if (k == 1) {
            copy_row(field, j, 0, j, 1);
        }
        if (k == grid.nz) {
            copy_row(field, j, grid.nz + 1, j, grid.nz);
        }
    }
}

static void wrap(BrumeField *field)
{
    const int nz = field->grid.nz;
    const size_t bytes = (size_t)field->sz * sizeof *field->data;
    if (brume_has_plane(field->grid, 0)) {
        memcpy(field->data, field->data + field->sz * nz, bytes);
    }
    if (brume_has_plane(field->grid, nz + 1)) {
        memcpy(field->data + field->sz * (nz + 1), field->data + field->sz, bytes);
    }
}

// the fields that are read in adjacent planes
static void wrap_planes(void *context)
{
    const Confinement *confinement = context;
    wrap(confinement->length);
    wrap(&confinement->center[2]);
}

static void find_curl(const Confinement *confinement, int k, int from, int to)
{
    const BrumeField *velocity = confinement->velocity;
    const BrumeField *omega = confinement->center;
    BrumeField *length = confinement->length;
    for (int j = from; j < to; j++) {
        if (!brume_row_has_blocks(confinement->around, length->grid, j, k)) {
            continue;
        }
        BrumeBlockRun run = {0};
        while (brume_next_block_run(confinement->around, length->grid, 1, length->grid.nx, j, k, &run)) {
            const ptrdiff_t c = brume_field_index(length, run.first, j, k);
            const int count = run.last - run.first + 1;
            for (int axis = 0; axis < 3; axis++) {
                brume_prefetch_row(velocity[axis].data + c + length->sz + 3 * length->sy, count);
                brume_prefetch_row(omega[axis].data + c + 2 * length->sy, count);
            }
            brume_prefetch_row(length->data + c + 2 * length->sy, count);
            curl_row(omega[0].data + c, omega[1].data + c, omega[2].data + c, length->data + c, velocity[0].data + c,
                     velocity[1].data + c, velocity[2].data + c, length->sy, length->sz, confinement->per_four_cells,
                     count);
        }
        finish_row(confinement->cells, length, j, k);
    }
    set_ghost_rows(confinement->cells, length, k, from, to);
}

static void confinement_rows(const Confinement *confinement, int k, int from, int to)
{
    BrumeField *center = confinement->center;
    const BrumeField *length = confinement->length;
    for (int j = from; j < to; j++) {
        if (!brume_row_has_blocks(confinement->around, length->grid, j, k)) {
            continue;
        }
        BrumeBlockRun run = {0};
        while (brume_next_block_run(confinement->around, length->grid, 1, length->grid.nx, j, k, &run)) {
            const ptrdiff_t c = brume_field_index(length, run.first, j, k);
            confine_row(center[0].data + c, center[1].data + c, center[2].data + c, length->data + c, length->sy,
                        length->sz, confinement->gain, run.last - run.first + 1);
        }
        for (int axis = 0; axis < 3; axis++) {
            finish_row(confinement->cells, &center[axis], j, k);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        set_ghost_rows(confinement->cells, &center[axis], k, from, to);
    }
}

static void add_to_faces(const Confinement *confinement, int k, int from, int to)
{
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *velocity = &confinement->onto[axis];
        for (int j = from; j < to; j++) {
            for (BrumeBlockRun run = {0};
                 brume_next_block_run(confinement->blocks, velocity->grid, 1, velocity->grid.nx, j, k, &run);) {
                const ptrdiff_t c = brume_field_index(velocity, run.first, j, k);
                const int count = run.last - run.first + 1;
                brume_prefetch_row(velocity->data + c + 2 * velocity->sy, count);
                add_to_faces_row(velocity->data + c, confinement->center[axis].data + c, brume_stride(velocity, axis),
                                 count);
            }
        }
    }
}

static void visit_confinement(void *context, int stage, int k, int from, int to)
{
    static void (*const stages[])(const Confinement *, int, int, int) = {find_curl, confinement_rows, add_to_faces};
    stages[stage](context, k, from, to);
}

// stage by stage in the planes of this rank: other ranks have planes that the next stage reads
static void run_with_exchanges(Confinement *confinement)
{
    const BrumeGrid grid = confinement->cells->grid;
    for (int stage = 0; stage < 3; stage++) {
        if (stage > 0) {
            brume_exchange_field(stage == 1 ? confinement->length : &confinement->center[2], 1);
        }
        if (stage > 0 && confinement->cells->periodic[2]) {
            wrap_planes(confinement);
        }
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
            visit_confinement(confinement, stage, k, 1, grid.ny + 1);
        }
    }
}

void brume_add_vorticity_confinement(BrumeSim *sim, const BrumeField velocity[3], BrumeField onto[3],
                                     BrumeField work[4], double dt, double max_speed, float share,
                                     const BrumeBlockSet *blocks, const BrumeBlockSet *around)
{
    if (sim->def.vorticity_confinement <= 0.0f) {
        return;
    }
    const BrumeCells *cells = &sim->geometry->cells;
    if (onto == sim->fields) {
        brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
    }
    const float displacement = brume_fmaxf((float)(max_speed * dt) / sim->def.dx, FULL_GAIN_DISPLACEMENT); // [cells]
    const float limit = MAX_GAIN * FULL_GAIN_DISPLACEMENT / displacement;
    Confinement confinement = {
        .cells = cells,
        .velocity = velocity,
        .onto = onto,
        .center = work,
        .length = &work[3],
        .per_four_cells = 0.25f / sim->def.dx,
        .gain = share * brume_fminf(sim->def.vorticity_confinement * (float)dt, limit) * sim->def.dx,
        .blocks = blocks,
        .around = around,
    };
    const BrumeWavefront wavefront = {
        .context = &confinement,
        .grid = cells->grid,
        .stages = 3,
        .parallel = true,
        .whole_planes = cells->periodic[1],
        .visit = visit_confinement,
        .wrap = cells->periodic[2] ? wrap_planes : NULL,
    };
    brume_exchange_fields(velocity, 3, 1);
    if (brume_is_shared(cells->grid)) {
        run_with_exchanges(&confinement);
    } else {
        brume_wavefront_run(&wavefront);
    }
}
