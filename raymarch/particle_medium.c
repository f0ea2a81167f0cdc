/*
 * The extinction coefficient of particles at random places is their cross section per volume (pbrt-v4, section 11.1).
 * A sphere has that of its disc. A plate, seen from a random direction, has half of its area, of which the part
 * `translucency` lets light through. The cross section of a particle is spread evenly over a cube of
 *
 *     side s = max(dx, sqrt(area / (2 depth)))
 *
 * so that the depth of its own extinction, from its middle to the face of the cube, is at most `OWN_DEPTH`.
 */
#include "raymarch/particle_medium.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "raymarch/particle_look.h"

#include <string.h>

static const float OWN_DEPTH = 0.02f;
enum { LONGEST_SIDE = 64 }; // of the cube [cells]

// mean over directions [m^2]
static float cross_section(const BrumeParticle *particle, const BrumeParticleLook *look)
{
    const float square = 0.25f * particle->diameter * particle->diameter;
    if (brume_is_zero(particle->normal)) {
        return BRUME_PI * square;
    }
    return 0.5f * (1.0f - look->translucency) * brume_plate_area(look->outline) * square;
}

// Adds an extinction whose sum over the cells is `sum` [1/cell], evenly within a cube that has its middle at `point`
// [cells]. Adds the cells to the box.
static void add_cube(BrumeField *extinction, BrumeCellBox *box, BrumeVec3 point, float side, float sum)
{
    const int count[3] = {extinction->grid.nx, extinction->grid.ny, extinction->grid.nz};
    float lower[3];
    BrumeCellBox cells;
    for (int axis = 0; axis < 3; axis++) {
        lower[axis] = brume_component(point, axis) - 0.5f * side;
        if (!(lower[axis] + side > 0.0f && lower[axis] < (float)count[axis])) {
            return;
        }
        cells.lower[axis] = brume_max_int((int)floorf(lower[axis]), 0);
        cells.upper[axis] = brume_min_int((int)ceilf(lower[axis] + side), count[axis]);
    }
    float share[3][LONGEST_SIDE + 2]; // of the side, in each cell
    for (int axis = 0; axis < 3; axis++) {
        for (int n = cells.lower[axis]; n < cells.upper[axis]; n++) {
            const float end = brume_fminf((float)(n + 1), lower[axis] + side);
            share[axis][n - cells.lower[axis]] = (end - brume_fmaxf((float)n, lower[axis])) / side;
        }
    }
    for (int k = cells.lower[2]; k < cells.upper[2]; k++) {
        for (int j = cells.lower[1]; j < cells.upper[1]; j++) {
            const float in_row = sum * share[2][k - cells.lower[2]] * share[1][j - cells.lower[1]];
            float *row = extinction->data + brume_field_index(extinction, cells.lower[0] + 1, j + 1, k + 1);
            for (int n = 0; n < cells.upper[0] - cells.lower[0]; n++) {
                row[n] += in_row * share[0][n];
            }
        }
    }
    brume_box_add(box, &cells);
}

static BrumeStatus allocate(BrumeGridMedium *shading, BrumeGrid capacity, BrumeError *error)
{
    if (shading->extinction.data == NULL &&
        brume_grid_medium_create_field(&shading->extinction, capacity, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    if (shading->majorant == NULL) {
        shading->majorant = brume_alloc_untouched(1, brume_grid_medium_majorant_bytes(capacity));
    }
    return shading->majorant != NULL ? BRUME_OK : brume_out_of_memory(error, "the shadows of particles");
}

BrumeStatus brume_particle_medium_load(BrumeGridMedium *shading, const BrumeGridMedium *medium, BrumeGrid capacity,
                                       const BrumeRenderSettings *settings, const BrumeVolume *volume,
                                       BrumeError *error)
{
    shading->grid = (BrumeGrid){0};
    if (volume->particle_count == 0) {
        return BRUME_OK;
    }
    if (allocate(shading, capacity, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    const BrumeGridMedium own = *shading;
    *shading = *medium;
    shading->extinction.data = own.extinction.data;
    shading->majorant = own.majorant;
    shading->smoke_alone = &medium->extinction;
    memcpy(own.extinction.data, medium->extinction.data, brume_grid_entries(medium->grid) * sizeof(float));

    const float per_area = 1.0f / (medium->dx * medium->dx);
    BrumeCellBox box = brume_box_is_empty(medium->smoke) ? brume_no_cells : medium->smoke;
    BrumeVec3 scattered = {0};
    float total = 0.0f;
    for (int n = 0; n < volume->particle_count; n++) { // in order, so that the sums do not depend on threads
        const BrumeParticle *particle = &volume->particles[n];
        const BrumeParticleLook *look = &settings->particles[particle->kind];
        const float sum = per_area * cross_section(particle, look);
        const float side = brume_clamp(sqrtf(0.5f * sum / OWN_DEPTH), 1.0f, (float)LONGEST_SIDE);
        const BrumeVec3 point = brume_scale(brume_sub(particle->position, medium->origin), 1.0f / medium->dx);
        add_cube(&shading->extinction, &box, point, side, sum);
        scattered = brume_add(scattered, brume_scale(look->albedo, sum));
        total += sum;
    }
    shading->particle_albedo = brume_scale(scattered, total > 0.0f ? 1.0f / total : 0.0f);
    shading->smoke = brume_box_is_empty(box) ? (BrumeCellBox){0} : box;
    brume_replicate_edges_of_box(shading->extinction.data, medium->grid, 1, &shading->smoke);
    brume_grid_medium_find_majorants(shading);
    return BRUME_OK;
}

void brume_particle_medium_destroy(BrumeGridMedium *shading)
{
    brume_field_destroy(&shading->extinction);
    brume_free(shading->majorant);
}

size_t brume_particle_medium_bytes(const BrumeGridMedium *shading, BrumeGrid capacity)
{
    return shading->extinction.data != NULL
               ? brume_grid_entries(capacity) * sizeof(float) + brume_grid_medium_majorant_bytes(capacity)
               : 0;
}
