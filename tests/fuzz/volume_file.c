/*
 * The bytes of a volume file. --format=.EXTENSION selects one of brume_volume_formats; without it, all that this build
 * can read get the input. A frame that is accepted has grids of the sizes that its cells need.
 */
#include "fuzz_target.h"

#include "exchange/volume_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_PATH = 128 };

static char folder[MAX_PATH]; // of the links

static void remove_folder(void) { (void)rmdir(folder); }

/** Makes a folder for links once; it is removed at the end of the process. */
static void make_folder(void)
{
    if (folder[0] == '\0') {
        (void)snprintf(folder, sizeof folder, "/tmp/brume-fuzz-XXXXXX");
        FUZZ_REQUIRE(mkdtemp(folder), folder);
        (void)atexit(remove_folder);
    }
}

/** Requires that every value of a frame can be read, and that its members are in their ranges. */
static void require_valid(const BrumeFrameGrids *frame)
{
    const bool are_particles = frame->has_particles && frame->count == 0;
    const bool has_cells = frame->cells.nx > 0 && frame->cells.ny > 0 && frame->cells.nz > 0;
    FUZZ_REQUIRE(has_cells || (are_particles && frame->cells.nx == 0), "no cells");
    FUZZ_REQUIRE(!has_cells || frame->dx > 0.0, "cells without a size");
    FUZZ_REQUIRE(frame->particle_count >= 0 && frame->particle_count <= BRUME_MAX_PARTICLES, "too many particles");
    for (int n = 0; n < frame->particle_count; n++) {
        const volatile BrumeParticle particle = frame->particles[n];
        (void)particle;
    }
    FUZZ_REQUIRE(frame->count >= 0 && frame->count <= BRUME_MAX_FRAME_GRIDS, "too many grids");
    for (int n = 0; n < frame->count; n++) {
        const BrumeFrameGrid *const grid = &frame->grids[n];
        FUZZ_REQUIRE(memchr(grid->name, '\0', sizeof grid->name) && grid->name[0] != '\0', "a grid without a name");
        FUZZ_REQUIRE(memchr(grid->unit, '\0', sizeof grid->unit), grid->name);
        FUZZ_REQUIRE(grid->components == 1 || grid->components == 3, grid->name);
        FUZZ_REQUIRE(brume_frame_grids_find(frame, grid->name) == grid, grid->name);
        const size_t count = brume_frame_grid_values(frame->cells, grid);
        volatile float sum = 0.0f;
        for (size_t value = 0; value < count; value++) {
            sum = sum + grid->values[value];
        }
    }
}

static void read_as(const BrumeVolumeFormat *format, int file)
{
    char path[2 * MAX_PATH];
    char target[MAX_PATH];
    (void)snprintf(path, sizeof path, "%s/input%s", folder, format->extension);
    (void)snprintf(target, sizeof target, "/proc/self/fd/%d", file);
    FUZZ_REQUIRE(symlink(target, path) == 0, path);
    BrumeFrameGrids frame = {0};
    BrumeError error = {0};
    const BrumeVolumeReadDef all = {.parts = BRUME_READ_ALL};
    const BrumeStatus status = format->read(&frame, path, &all, &error);
    (void)unlink(path);
    fuzz_require_status(status, &error);
    if (status == BRUME_OK) {
        require_valid(&frame);
        brume_frame_grids_destroy(&frame);
    } else {
        FUZZ_REQUIRE(frame.count == 0 && frame.cells.nx == 0 && !frame.scene_text, "grids of a file that is refused");
        FUZZ_REQUIRE(strncmp(error.text, path, strlen(path)) == 0, error.text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const only = fuzz_argument("--format=");
    make_folder();
    const int file = memfd_create("input", MFD_CLOEXEC);
    FUZZ_REQUIRE(file >= 0, "no file in memory");
    FUZZ_REQUIRE(write(file, data, size) == (ssize_t)size, "the input cannot be written");
    for (const BrumeVolumeFormat *const *format = brume_volume_formats; *format; format++) {
        if ((*format)->read && (!only || strcmp(only, (*format)->extension) == 0)) {
            read_as(*format, file);
        }
    }
    (void)close(file);
    return 0;
}
