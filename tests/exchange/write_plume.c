// Simulates a scene and writes each frame as an OpenVDB file with Blender's names and units and z up, for
// scripts/check-volumes:
//     write_plume SCENE CELLS FRAMES PREFIX     writes PREFIX_0001.vdb and so on
#include "brume/brume.h"
#include "core/memory.h"
#include "exchange/volume_format.h"

#include <stdio.h>
#include <stdlib.h>

static BrumeStatus add_field(BrumeFrameGrids *frame, const BrumeSim *sim, BrumeFieldId id, const char *name,
                             const char *unit, BrumeGridLocation location, BrumeError *error)
{
    BrumeFrameGrid *grid = NULL;
    const BrumeStatus status = brume_frame_grids_add(frame, name, unit, 1, location, &grid, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeField *field = brume_sim_field(sim, id);
    float *value = grid->values;
    for (int k = 1; k <= brume_frame_grid_extent(frame->cells, location, 2); k++) {
        for (int j = 1; j <= brume_frame_grid_extent(frame->cells, location, 1); j++) {
            for (int i = 1; i <= brume_frame_grid_extent(frame->cells, location, 0); i++) {
                *value++ = brume_field_at(field, i, j, k);
            }
        }
    }
    return BRUME_OK;
}

static BrumeStatus write_frame(const BrumeSim *sim, const char *scene_text, const char *prefix, BrumeError *error)
{
    static const struct {
        BrumeFieldId id;
        const char *name, *unit;
        BrumeGridLocation location;
    } fields[] = {
        {BRUME_FIELD_DENSITY, "density", "1", BRUME_AT_CENTERS},
        {BRUME_FIELD_TEMPERATURE, "temperature", "K", BRUME_AT_CENTERS},
        {BRUME_FIELD_U, "velocity_x", "m/s", BRUME_AT_X_FACES},
        {BRUME_FIELD_V, "velocity_y", "m/s", BRUME_AT_Y_FACES},
        {BRUME_FIELD_W, "velocity_z", "m/s", BRUME_AT_Z_FACES},
    };
    const BrumeVolume volume = brume_sim_volume(sim);
    BrumeFrameGrids frame = {
        .cells = {volume.nx, volume.ny, volume.nz, NULL},
        .dx = (double)volume.dx,
        .origin = {(double)volume.origin.x, (double)volume.origin.y, (double)volume.origin.z},
        .has_frame = true,
        .frame = brume_sim_frames(sim),
        .time = brume_sim_time(sim),
        .scene_text = brume_copy_text(scene_text),
    };
    BrumeStatus status = BRUME_OK;
    for (size_t n = 0; status == BRUME_OK && n < sizeof fields / sizeof fields[0]; n++) {
        status = add_field(&frame, sim, fields[n].id, fields[n].name, fields[n].unit, fields[n].location, error);
    }
    if (status == BRUME_OK) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s_%04d.vdb", prefix, frame.frame);
        status = brume_vdb_format.write(
            &frame, path, &(BrumeVolumeWriteDef){.overwrite = true, .vdb_names = "blender", .z_up = true}, error);
    }
    brume_frame_grids_destroy(&frame);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        (void)fprintf(stderr, "write_plume SCENE CELLS FRAMES PREFIX\n");
        return BRUME_BAD_INPUT;
    }
    char resolution[64];
    (void)snprintf(resolution, sizeof resolution, "solver.resolution=%s", argv[2]);
    const char *const overrides[] = {resolution};
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    char *text = NULL;
    BrumeError error = {0};
    BrumeStatus status = brume_scene_load(&scene, argv[1], overrides, 1, NULL, &error);
    if (status == BRUME_OK) {
        status = brume_scene_write(scene, NULL, &text, &error);
    }
    if (status == BRUME_OK) {
        status = brume_sim_create(&sim, &scene->sim, &error);
    }
    for (long n = strtol(argv[3], NULL, 10); status == BRUME_OK && n > 0; n--) {
        status = brume_scene_frame(scene, sim, NULL, &error);
        if (status == BRUME_OK) {
            status = write_frame(sim, text, argv[4], &error);
        }
    }
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "write_plume: %s\n", error.text);
    }
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
    brume_free(text);
    return (int)status;
}
