// Refines a sequence by smoke that the velocity in the files and turbulence carry from frame to frame (src/refine).
#include "app/cli/interrupt.h"
#include "app/refine/refine_frames.h"
#include "core/texture_layers.h"
#include "exchange/volume_format.h"
#include "raymarch/wavelet_noise.h"
#include "refine/fine_frame.h"
#include "refine/texture_coordinates.h"
#include "refine/turbulence.h"

#include <math.h>
#include <string.h>

static const char needed_grids[] = BRUME_GRID_DENSITY "," BRUME_GRID_TEMPERATURE ",color,velocity,texture";

/** The state of the transport after a frame. */
typedef struct Transport {
    BrumeRefineFrames *frames;
    int first; // index of the first frame that is read
    BrumeWaveletNoise wavelets;
    BrumeFrameGrids coarse, fine; // of the present frame
    BrumeFineMemory memory;
    BrumeFrameGrids spare;     // a fine frame that is written, whose memory the next one has
    char path[BRUME_MAX_PATH]; // of `coarse`
    double time, interval;     // of the present frame, since the one before [s]
    BrumeVectorGrid velocity, previous_velocity, mean_velocity, displacement;
    BrumeTextureCoordinates texture;
} Transport;

static void destroy_transport(Transport *self)
{
    brume_wavelet_noise_destroy(&self->wavelets);
    brume_frame_grids_destroy(&self->coarse);
    brume_frame_grids_destroy(&self->fine);
    brume_frame_grids_destroy(&self->spare);
    brume_fine_memory_destroy(&self->memory);
    brume_vector_grid_destroy(&self->velocity);
    brume_vector_grid_destroy(&self->previous_velocity);
    brume_vector_grid_destroy(&self->mean_velocity);
    brume_vector_grid_destroy(&self->displacement);
    brume_texture_coordinates_destroy(&self->texture);
}

static BrumeStatus create_grids(Transport *self, BrumeError *error)
{
    const BrumeGrid grid = self->coarse.cells;
    if (brume_vector_grid_create(&self->velocity, grid, error) != BRUME_OK ||
        brume_vector_grid_create(&self->previous_velocity, grid, error) != BRUME_OK ||
        brume_vector_grid_create(&self->mean_velocity, grid, error) != BRUME_OK ||
        brume_vector_grid_create(&self->displacement, grid, error) != BRUME_OK) {
        return error->status;
    }
    return brume_texture_coordinates_create(&self->texture, grid, error);
}

static double time_of(const Transport *self, const BrumeFrameGrids *frame, int index)
{
    const double fps = self->frames->def->fps;
    return fps > 0.0 ? self->frames->files->found.frames[index] / fps : frame->time;
}

// reads the frame of an index and its velocity
static BrumeStatus read_frame(Transport *self, int index, BrumeError *error)
{
    const BrumeGrid before = self->coarse.cells;
    brume_frame_grids_destroy(&self->coarse);
    BrumeStatus status = brume_refine_read(&self->coarse, self->frames, index, needed_grids, self->path, error);
    if (status == BRUME_OK && index == self->first) {
        status = create_grids(self, error);
    } else if (status == BRUME_OK && !brume_same_grid(before, self->coarse.cells)) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%s: it has other cells than the frame before (refine each part of "
                            "the sequence with --frames and an --output of its own)",
                            self->path);
    }
    if (status != BRUME_OK) {
        return status;
    }
    const double time = time_of(self, &self->coarse, index);
    self->interval = time - self->time;
    if (index > self->first && !(self->interval > 0.0)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: its time is not after that of the frame before (give --fps N)",
                          self->path);
    }
    self->time = time;
    brume_vector_grid_swap(&self->velocity, &self->previous_velocity);
    return brume_load_velocity(&self->velocity, &self->coarse)
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT,
                            "%s: it has no grid '" BRUME_GRID_VELOCITY
                            "' (write it with --fields smoke,temperature,velocity)",
                            self->path);
}

// moves the texture coordinates to the present frame: those of the file, or advected ones
static BrumeStatus move_texture(Transport *self, double *period, BrumeError *error)
{
    const float per_meter = (float)(1.0 / self->coarse.dx);
    const BrumeStatus status = brume_scene_texture_period(period, &self->coarse, self->path, error);
    if (status == BRUME_OK &&
        (!(*period > 0.0) ||
         !brume_load_vectors(&self->texture.layers[0], &self->coarse, BRUME_GRID_TEXTURE "1", per_meter) ||
         !brume_load_vectors(&self->texture.layers[1], &self->coarse, BRUME_GRID_TEXTURE "2", per_meter))) {
        *period = self->frames->def->texture_period;
        brume_texture_coordinates_advect(&self->texture, &self->displacement, self->time - self->interval, self->time,
                                         *period);
    }
    return status;
}

// replaces the fine frame by that of the present frame, the first one or not, and writes it
static BrumeStatus refine_frame(Transport *self, int index, double period, BrumeError *error)
{
    const BrumeRefineDef *def = self->frames->def;
    BrumeFrameGrids *fine = &self->spare;
    BrumeTextureNoise noise;
    BrumeStatus status = BRUME_OK;
    if (index == self->first) {
        status = brume_fine_frame(fine, &self->coarse, def->factor, NULL, error);
    } else {
        const BrumeTurbulenceDef turbulence_def = {
            .factor = def->factor,
            .strength = (float)def->strength,
            .scale = (float)def->scale,
            .time = self->time,
            .period = period,
            .interval = self->interval,
        };
        const BrumeFineMotion motion = {&self->fine, &self->displacement, &noise, &self->memory};
        status = brume_turbulence(&noise, &self->wavelets, self->texture.layers, &self->mean_velocity, self->coarse.dx,
                                  &turbulence_def, error);
        status = status == BRUME_OK ? brume_fine_frame(fine, &self->coarse, def->factor, &motion, error) : status;
    }
    if (status == BRUME_BAD_INPUT) {
        BrumeError cause = *error;
        (void)brume_fail(error, BRUME_BAD_INPUT, "%s: %s", self->path, cause.text);
    }
    status = status == BRUME_OK ? brume_refine_finish(self->frames, error) : status;
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeFrameGrids written = self->fine;
    self->fine = *fine;
    self->spare = written;
    return brume_refine_write(&self->fine, &self->coarse, self->frames, index, error);
}

// The index of the frame from which on velocities are needed, to have the texture coordinates of a frame: the one at or
// before the earlier of the last starts of the layers.
static BrumeStatus find_start_of_texture(const Transport *self, int index, int *start, BrumeError *error)
{
    const double period = self->frames->def->texture_period;
    double end_time = 0.0;
    bool started = false;
    for (*start = index; *start >= 0 && !started; --*start) {
        char path[BRUME_MAX_PATH];
        BrumeFrameGrids frame = {0};
        if (brume_refine_read(&frame, self->frames, *start, "none", path, error) != BRUME_OK) {
            return error->status;
        }
        const double time = time_of(self, &frame, *start);
        brume_frame_grids_destroy(&frame);
        end_time = *start == index ? time : end_time;
        started = true;
        for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
            started =
                started && brume_texture_generation(time, period, n) != brume_texture_generation(end_time, period, n);
        }
    }
    *start += 1;
    return BRUME_OK;
}

// reads the fine frame of an index, from which the transport goes on
static BrumeStatus read_fine_frame(Transport *self, int index, BrumeError *error)
{
    const BrumeGrid cells = self->coarse.cells;
    const int factor = self->frames->def->factor;
    char path[BRUME_MAX_PATH];
    brume_pattern_path(self->frames->outputs, self->frames->files->found.frames[index], path);
    const BrumeStatus status = brume_volume_file_read(&self->fine, path, error);
    const BrumeGrid expected = brume_grid(factor * cells.nx, factor * cells.ny, factor * cells.nz);
    if (status == BRUME_OK && !brume_same_grid(self->fine.cells, expected)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: it is not a frame of %s refined by %d (give another --output)",
                          path, self->path, factor);
    }
    return status;
}

static BrumeStatus refine(BrumeRefineFrames *frames, BrumeError *error)
{
    Transport self = {.frames = frames, .first = frames->next};
    const int next = frames->next;
    BrumeStatus status = brume_wavelet_noise_create(&self.wavelets, error);
    status = status == BRUME_OK ? brume_wavelet_noise_sample(&self.wavelets, error) : status;
    if (status == BRUME_OK && next > 0) {
        status = find_start_of_texture(&self, next - 1, &self.first, error);
    }
    for (int n = self.first; n < frames->end && status == BRUME_OK && !brume_interrupt_requested(); n++) {
        double period = 0.0;
        status = read_frame(&self, n, error);
        if (status == BRUME_OK && n > self.first) {
            brume_vector_grid_mean(&self.mean_velocity, &self.previous_velocity, &self.velocity);
            brume_trace_back(&self.displacement, &self.mean_velocity, self.interval, self.coarse.dx);
            status = move_texture(&self, &period, error);
        }
        if (status == BRUME_OK && n == next - 1) {
            status = read_fine_frame(&self, n, error);
        } else if (status == BRUME_OK && n >= next) {
            status = refine_frame(&self, n, period, error);
            frames->next = status == BRUME_OK ? n + 1 : n;
        }
    }
    BrumeError of_file;
    const BrumeStatus written = brume_refine_finish(frames, status == BRUME_OK ? error : &of_file);
    status = status == BRUME_OK ? written : status;
    destroy_transport(&self);
    return status;
}

const BrumeRefineMethod brume_refine_advect = {.name = "advect", .strength = 1.0, .in_order = true, .refine = refine};
