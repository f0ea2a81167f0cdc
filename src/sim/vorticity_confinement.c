/*
 * Vorticity confinement (Steinhoff 1994; Fedkiw, Stam, Jensen 2001, eq. 9 to 11):
 *     f = epsilon dx (N x omega),  N = grad |omega| / |grad |omega||,
 * which gives small vortices back what the grid takes from them. The factor dx makes it vanish under refinement.
 * It replaces what a step's interpolation smears, so it fades where steps grow so long that nothing small is left to
 * keep: epsilon dt stays below a bound that falls with the travel. Without that, no dissipation would hold it at bay.
 */
#include "core/simd.h"
#include "sim/sim_internal.h"

static const float MAX_GAIN = 0.5f;    // of epsilon dt
static const float FULL_TRAVEL = 8.0f; // most cells of travel in a step at which that gain is given

// omega and its length at the centers of a row, from the velocity at the centers around [1/s]
BRUME_KERNEL static void curl_row(float *restrict x, float *restrict y, float *restrict z, float *restrict length,
                                  const float *u, const float *v, const float *w, ptrdiff_t sy, ptrdiff_t sz,
                                  float scale, int count)
{
    for (int i = 0; i < count; i++) {
        // centered velocity at c +- 1 along an axis is the mean of two faces; differences span two cells
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

// the velocity gained at the centers, in place of omega [m/s]
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

/** Confines vorticity over `dt` [s]. The velocity must be readable everywhere; its boundary is set afterwards. */
void brume_add_vorticity_confinement(BrumeSim *sim, float dt)
{
    if (sim->def.vorticity_confinement <= 0.0f) {
        return;
    }
    const BrumeField *u = &sim->fields[BRUME_FIELD_U];
    const BrumeField *v = &sim->fields[BRUME_FIELD_V];
    const BrumeField *w = &sim->fields[BRUME_FIELD_W];
    BrumeField *omega = sim->scratch; // x, y, z
    BrumeField *length = &sim->scratch[3];
    const BrumeGrid grid = u->grid;
    const float per_four_cells = 0.25f / sim->def.dx;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t c = brume_field_index(u, 1, j, k);
            curl_row(omega[0].data + c, omega[1].data + c, omega[2].data + c, length->data + c, u->data + c,
                     v->data + c, w->data + c, u->sy, u->sz, per_four_cells, grid.nx);
        }
    }
    brume_solids_clear(&sim->geometry->cells, BRUME_AT_CENTER, length);
    brume_continue_sides(sim, length);

    const float travel = fmaxf((float)sim->max_speed * dt / sim->def.dx, FULL_TRAVEL); // [cells]
    const float most = MAX_GAIN * FULL_TRAVEL / travel;
    const float gain = fminf(sim->def.vorticity_confinement * dt, most) * sim->def.dx;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t c = brume_field_index(u, 1, j, k);
            confine_row(omega[0].data + c, omega[1].data + c, omega[2].data + c, length->data + c, u->sy, u->sz, gain,
                        grid.nx);
        }
    }

    for (int axis = 0; axis < 3; axis++) {
        BrumeField *velocity = &sim->fields[axis];
        brume_solids_clear(&sim->geometry->cells, BRUME_AT_CENTER, &omega[axis]);
        brume_continue_sides(sim, &omega[axis]);
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                const ptrdiff_t c = brume_field_index(velocity, 1, j, k);
                add_to_faces_row(velocity->data + c, omega[axis].data + c, brume_stride(velocity, axis), grid.nx);
            }
        }
    }
}
