// Refines each frame alone, by the detail that `render.detail` adds to volumes (raymarch/detail.c).
#include "app/cli/interrupt.h"
#include "app/refine/refine_frames.h"
#include "raymarch/detail.h"
#include "raymarch/settings.h"
#include "refine/fine_frame.h"

#include <string.h>

// copies an array of the finer volume into a grid
static BrumeStatus add_grid(BrumeFrameGrids *fine, const BrumeFrameGrids *coarse, int factor, const char *name,
                            const float *values, BrumeError *error)
{
    const BrumeFrameGrid *grid = brume_frame_grids_find(coarse, name);
    BrumeFrameGrid *added;
    if (!values || brume_fine_frame_add(fine, coarse, factor, grid, &added, error) != BRUME_OK) {
        return values ? error->status : BRUME_OK;
    }
    BrumeCellBox *box = &added->filled;
    *box = grid->filled;
    for (int axis = 0; axis < 3; axis++) {
        box->lower[axis] *= factor;
        box->upper[axis] *= factor;
    }
    const BrumeGrid cells = fine->cells;
#pragma omp parallel for schedule(static)
    for (int k = box->lower[2]; k < box->upper[2]; k++) {
        for (int j = box->lower[1]; j < box->upper[1]; j++) {
            const size_t row = ((size_t)k * (size_t)cells.ny + (size_t)j) * (size_t)cells.nx + (size_t)box->lower[0];
            memcpy(added->values + row, values + row, (size_t)(box->upper[0] - box->lower[0]) * sizeof *values);
        }
    }
    return BRUME_OK;
}

static BrumeStatus refine_frame(BrumeRefineFrames *frames, BrumeDetailMemory *memory,
                                const BrumeRenderSettings *settings, int index, BrumeError *error)
{
    static const char *const names[BRUME_VOLUME_KINDS] = {BRUME_GRID_DENSITY, BRUME_GRID_COLOR "1",
                                                          BRUME_GRID_COLOR "2", BRUME_GRID_COLOR "3"};
    const int factor = settings->detail.factor;
    char path[BRUME_MAX_PATH];
    BrumeFrameGrids coarse = {0};
    BrumeFrameGrids fine = {0};
    BrumeVolume detailed = {0};
    BrumeStatus status = brume_refine_read(&coarse, frames, index,
                                           BRUME_GRID_DENSITY "," BRUME_GRID_TEMPERATURE ",color,texture", path, error);
    BrumeVolume volume = brume_frame_grids_volume(&coarse);
    if (status == BRUME_OK && !volume.density[0]) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: it has no grid '" BRUME_GRID_DENSITY "'", path);
    }
    if (status == BRUME_OK) {
        status = brume_scene_texture_period(&volume.texture_period, &coarse, path, error);
    }
    if (status == BRUME_OK && (!volume.texture[0][0] || !(volume.texture_period > 0.0))) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%s: it has no texture coordinates (simulate with solver.texture_period, or give --method "
                            "advect)",
                            path);
    }
    status = status == BRUME_OK ? brume_detail_refine(memory, settings, &volume, &detailed, error) : status;
    for (int kind = 0; kind < BRUME_VOLUME_KINDS && status == BRUME_OK; kind++) {
        status = add_grid(&fine, &coarse, factor, names[kind], detailed.density[kind], error);
    }
    if (status == BRUME_OK) {
        status = add_grid(&fine, &coarse, factor, BRUME_GRID_TEMPERATURE, detailed.temperature, error);
    }
    status = status == BRUME_OK ? brume_refine_write(&fine, &coarse, frames, index, error) : status;
    status = status == BRUME_OK ? brume_refine_finish(frames, error) : status;
    brume_frame_grids_destroy(&fine);
    brume_frame_grids_destroy(&coarse);
    return status;
}

static BrumeStatus refine(BrumeRefineFrames *frames, BrumeError *error)
{
    const BrumeRefineDef *def = frames->def;
    BrumeDetailMemory memory = {.fine = NULL};
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.detail =
        (BrumeDetail){.factor = def->factor, .strength = (float)def->strength, .scale = (float)def->scale};
    settings.emission.intensity = 1.0f; // the temperature becomes fine too
    BrumeStatus status = BRUME_OK;
    for (; frames->next < frames->end && status == BRUME_OK && !brume_interrupt_requested(); frames->next++) {
        const int number = frames->files->found.frames[frames->next];
        const bool selected = def->frames.stride == 0 || brume_frames_contain(&def->frames, number);
        if (selected && !(def->resume && brume_fine_file_exists(frames, frames->next))) {
            status = refine_frame(frames, &memory, &settings, frames->next, error);
        }
    }
    brume_detail_destroy(&memory);
    return status;
}

const BrumeRefineMethod brume_refine_texture = {.name = "texture", .strength = 2.0, .refine = refine};
