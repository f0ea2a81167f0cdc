#include "app/volumes/points_reader.h"

#include "brume/initial.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "exchange/volume_format.h"

#include <string.h>

enum { MOST_ROWS = 1 << 17 }; // of samples along an axis

static void set_vector(float *numbers, BrumeVec3 vector)
{
    numbers[0] = vector.x;
    numbers[1] = vector.y;
    numbers[2] = vector.z;
}

static BrumeStatus make_samples(BrumeSamples **samples, const BrumeFrameGrids *frame, const char *path,
                                BrumeError *error)
{
    const int count = frame->particle_count;
    const int ny = brume_max_int(1, brume_min_int(count, MOST_ROWS));
    const int nz = (count + ny - 1) / ny;
    const size_t rows = (size_t)ny * (size_t)nz;
    float *values = brume_alloc(rows * BRUME_POINT_NUMBERS, sizeof *values);
    if (!values) {
        return brume_out_of_memory(error, "%s", path);
    }
    for (size_t n = 0; n < rows; n++) {
        float *point = values + n * BRUME_POINT_NUMBERS;
        if (n >= (size_t)count) { // the last plane is not full
            point[BRUME_POINT_DIAMETER] = -1.0f;
            continue;
        }
        const BrumeParticle *particle = &frame->particles[n];
        set_vector(point + BRUME_POINT_POSITION, particle->position);
        set_vector(point + BRUME_POINT_VELOCITY, particle->velocity);
        set_vector(point + BRUME_POINT_NORMAL, particle->normal);
        point[BRUME_POINT_DIAMETER] = particle->diameter > 0.0f ? particle->diameter : 0.0f;
    }
    const BrumeSamplesDef def = {
        .nx = BRUME_POINT_NUMBERS, .ny = ny, .nz = nz, .spacing = 1.0, .values = values, .file = path, .grid = ""};
    BrumeError found;
    const BrumeStatus status = brume_samples_create(samples, &def, &found);
    brume_free(values);
    return status == BRUME_OK ? status : brume_fail(error, status, "%s: its points: %s", path, found.text);
}

BrumeStatus brume_read_points(void *context, const char *path, const char *grid, int count, int frame,
                              BrumeSamples *samples[3], BrumeError *error)
{
    (void)context;
    (void)grid;
    (void)count;
    (void)frame;
    samples[0] = samples[1] = samples[2] = NULL;
    BrumeFrameGrids *read = brume_alloc(1, sizeof *read);
    if (!read) {
        return brume_out_of_memory(error, "%s", path);
    }
    BrumeStatus status = brume_volume_file_read_particles(read, path, error);
    if (status == BRUME_OK && read->particle_count == 0) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: has no points", path);
    }
    if (status == BRUME_OK) {
        status = make_samples(&samples[0], read, path, error);
    }
    brume_frame_grids_destroy(read);
    brume_free(read);
    return status;
}
