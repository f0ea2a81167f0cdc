#include "refine/texture_coordinates.h"

#include "core/texture_layers.h"

#include <string.h>

BrumeStatus brume_texture_coordinates_create(BrumeTextureCoordinates *texture, BrumeGrid grid, BrumeError *error)
{
    BrumeStatus status = brume_vector_grid_create(&texture->scratch, grid, error);
    for (int n = 0; n < BRUME_TEXTURE_LAYERS && status == BRUME_OK; n++) {
        status = brume_vector_grid_create(&texture->layers[n], grid, error);
    }
    return status;
}

void brume_texture_coordinates_destroy(BrumeTextureCoordinates *texture)
{
    brume_vector_grid_destroy(&texture->scratch);
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        brume_vector_grid_destroy(&texture->layers[n]);
    }
}

// d(x, end) = b(x) + d(x + b(x), start), ghosts included
static void advect_layer(BrumeVectorGrid *result, const BrumeVectorGrid *layer, const BrumeVectorGrid *displacements)
{
    const BrumeGrid grid = layer->grid;
#pragma omp parallel for schedule(static)
    for (int k = 0; k <= grid.nz + 1; k++) {
        for (int j = 0; j <= grid.ny + 1; j++) {
            for (int i = 0; i <= grid.nx + 1; i++) {
                const BrumeFloat4 center = {(float)i - 0.5f, (float)j - 0.5f, (float)k - 0.5f, 0.0f};
                const BrumeFloat4 back = brume_load4(brume_vector_entry(displacements, i, j, k));
                const BrumeFloat4 sum = back + brume_vector_at(layer, center + back);
                memcpy(brume_vector_entry(result, i, j, k), &sum, 4 * sizeof(float));
            }
        }
    }
}

void brume_texture_coordinates_advect(BrumeTextureCoordinates *texture, const BrumeVectorGrid *displacements,
                                      double start, double end, double period)
{
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        BrumeVectorGrid *layer = &texture->layers[n];
        if (brume_texture_generation(start, period, n) == brume_texture_generation(end, period, n)) {
            advect_layer(&texture->scratch, layer, displacements);
            brume_vector_grid_swap(layer, &texture->scratch);
        } else {
            memset(layer->values, 0, 4 * sizeof(float) * brume_grid_entries(layer->grid));
        }
    }
}
