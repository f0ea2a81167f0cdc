#include "brume/volume.h"

#include "core/error.h"
#include "core/field.h"
#include "raymarch/grid_medium.h"

BrumeVolume brume_volume_from_array(const float *density, int nx, int ny, int nz, float dx, BrumeVec3 origin)
{
    return (BrumeVolume){
        .nx = nx,
        .ny = ny,
        .nz = nz,
        .sy = nx,
        .sz = (ptrdiff_t)nx * ny,
        .dx = dx,
        .origin = origin,
        .density = {density},
    };
}

BrumeStatus brume_volume_check(const BrumeVolume *volume, BrumeGrid capacity, BrumeError *error)
{
    if (volume->nx < 1 || volume->ny < 1 || volume->nz < 1 || volume->nx > capacity.nx || volume->ny > capacity.ny ||
        volume->nz > capacity.nz) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a volume of %d x %d x %d cells; the renderer allows 1 to %d x %d x %d", volume->nx,
                          volume->ny, volume->nz, capacity.nx, capacity.ny, capacity.nz);
    }
    for (int axis = 0; axis < 3 && !brume_box_is_empty(volume->filled); axis++) {
        const int sides[3] = {volume->nx, volume->ny, volume->nz};
        if (volume->filled.lower[axis] < 0 || volume->filled.upper[axis] > sides[axis]) {
            return brume_fail(error, BRUME_BAD_INPUT, "the filled cells of a volume end at %d, of %d",
                              volume->filled.upper[axis], sides[axis]);
        }
    }
    // rows may be interleaved with planes, but may not overlap
    if ((volume->ny > 1 && volume->sy < volume->nx) || (volume->nz > 1 && volume->sz < volume->nx)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "a volume's rows of %d cells are %td and its planes %td entries apart", volume->nx,
                          volume->sy, volume->sz);
    }
    if (!(volume->dx > 0.0f && volume->dx < INFINITY) || !brume_is_finite(volume->origin)) {
        return brume_fail(error, BRUME_BAD_INPUT, "a volume's cells have sides of %g m, from (%g, %g, %g) on",
                          (double)volume->dx, (double)volume->origin.x, (double)volume->origin.y,
                          (double)volume->origin.z);
    }
    return BRUME_OK;
}
