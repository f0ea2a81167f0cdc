#include "app/render/frame_pipeline.h"

#include "app/cli/interrupt.h"
#include "app/cli/paths.h"
#include "brume/renderer.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/job_queue.h"
#include "core/parallel/threads.h"
#include "io/exr_write.h"
#include "io/image_internal.h"
#include "io/image_writer.h"
#include "video/video_format.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct BrumeFramePipeline {
    const BrumeScene *scene;
    const BrumePictureOutput *pictures;
    BrumeRunStats *stats;
    BrumeRenderer *renderer;
    BrumeGrid capacity; // largest volume that the renderer has memory for
    BrumeImageWriter *writer;
    BrumeDrawnPicture picture;
    int draw_threads;       // 0: the caller draws
    BrumeJobQueue drawings; // one at a time, with the renderer and the members below

    BrumeMessages *messages;       // NULL: no progress within pictures
    const BrumeProgress *progress; // as `messages`
    double told;                   // time at which the progress was last printed [s]
    double fraction;               // finished fraction of the picture in progress
    BrumeTraceResult traced;       // result of the path tracer so far
    BrumeCamera camera;

    int frame;
    uint32_t seed;
    int simulated_frame;
    double time; // [s]
    double turn; // angle of the camera [radians]
    double frame_seconds;
    bool lit; // the loaded volume has its light
    char path[BRUME_MAX_PATH];
};

static double ms_since(double start) { return 1e3 * (brume_seconds() - start); }

static void start_team(void *context)
{
    const BrumeFramePipeline *pipeline = context;
    brume_set_threads(pipeline->draw_threads);
}

// lights the volume for the ray marcher, which also draws the picture that guides the denoiser of the path tracer, and
// for particles
static void light(BrumeFramePipeline *pipeline)
{
    int particles;
    (void)brume_renderer_particles(pipeline->renderer, &particles);
    const bool marched =
        pipeline->scene->integrator == BRUME_INTEGRATOR_MARCH || pipeline->scene->denoise || particles > 0;
    if (marched && !pipeline->lit) {
        const double start = brume_seconds();
        (void)brume_renderer_light(pipeline->renderer, NULL);
        pipeline->lit = true;
        brume_run_stats_image(pipeline->stats, pipeline->frame, BRUME_IMAGE_LIGHT, ms_since(start));
    }
}

static BrumeCamera camera_at(const void *context, double time)
{
    const BrumeFramePipeline *pipeline = context;
    const BrumeCamera camera = brume_scene_camera(pipeline->scene, pipeline->time + time);
    return pipeline->turn != 0.0 ? brume_camera_turned(&camera, pipeline->turn) : camera;
}

static void describe_frame(const BrumeFramePipeline *pipeline, BrumeExrHeader *exr)
{
    *exr = pipeline->pictures->exr;
    exr->metadata.frame = pipeline->simulated_frame;
    exr->metadata.time = pipeline->time;
    exr->metadata.camera = pipeline->camera;
}

static void describe_tile(const BrumeFramePipeline *pipeline, BrumeExrMetadata *metadata)
{
    BrumeTileRecord record = pipeline->pictures->tile;
    record.picture = pipeline->frame;
    record.frame = pipeline->simulated_frame;
    record.time = pipeline->time;
    if (record.tile.count > 0) {
        brume_tile_record_write(&record, metadata->tile);
    }
}

// progress function, called by any thread of the team, one at a time, while the drawing thread does nothing else
static bool report_progress(void *context, double fraction)
{
    BrumeFramePipeline *pipeline = context;
    const double now = brume_seconds();
    pipeline->fraction = fraction;
    if (pipeline->messages && pipeline->draw_threads == 0 && now - pipeline->told >= 1.0) {
        pipeline->told = now;
        BrumeProgress progress = *pipeline->progress;
        progress.ends[progress.done % (BRUME_PROGRESS_WINDOW + 1)] = now; // for the elapsed time
        char paths[48] = "";
        if (pipeline->traced.samples > 0) {
            (void)snprintf(paths, sizeof paths, "%d paths, error %.2g, ", pipeline->traced.samples,
                           pipeline->traced.error);
        }
        (void)snprintf(progress.note, sizeof progress.note, "%s%d%% of a picture", paths, (int)(100.0 * fraction));
        brume_messages_progress_within(pipeline->messages, &progress);
    }
    return true;
}

static void report_pass(void *context, const BrumeTraceResult *so_far)
{
    BrumeFramePipeline *pipeline = context;
    pipeline->traced = *so_far;
}

static bool partial_wanted(void *unused)
{
    (void)unused;
    return brume_partial_requested();
}

static BrumeStatus write_partial_file(const BrumeFramePipeline *pipeline, const char *path, const void *pixels,
                                      BrumeError *error)
{
    const BrumePictureOutput *pictures = pipeline->pictures;
#ifdef BRUME_HAS_OPENEXR
    if (pictures->format.planes > 0) {
        BrumeExrHeader exr;
        describe_frame(pipeline, &exr);
        return brume_exr_write(path, pictures->width, pictures->height, &exr, pixels, true, error);
    }
#endif
    return brume_image_write_pixels(path, pictures->width, pictures->height, pixels, pictures->format, true, error);
}

// writes the picture in progress to "out/plume.0010.partial.png" next to "out/plume.0010.png"; PNG also for a video
static void write_partial(void *context)
{
    const BrumeFramePipeline *pipeline = context;
    const BrumePictureOutput *pictures = pipeline->pictures;
    brume_partial_clear();
    const char *dot = strrchr(pipeline->path, '.'); // every path has an extension
    char path[BRUME_MAX_PATH + 16];
    (void)snprintf(path, sizeof path, "%.*s.partial%s", (int)(dot - pipeline->path), pipeline->path,
                   brume_video_format_of(pipeline->path) ? ".png" : dot);
    const size_t count = (size_t)pictures->width * (size_t)pictures->height;
    void *pixels = brume_alloc_untouched(count, brume_pixel_bytes(pictures->format));
    BrumeError error;
    BrumeStatus status = BRUME_OK;
    if (!pixels) {
        status = brume_out_of_memory(&error, "a partial picture");
    } else {
        brume_drawn_picture_convert(&pipeline->picture, pictures, &pipeline->scene->render_settings, pixels);
        brume_interrupt_block();
        status = write_partial_file(pipeline, path, pixels, &error);
        brume_interrupt_unblock();
    }
    brume_free(pixels);
    // any thread, like the message of a signal; ends the progress line on a terminal
    const char *end = isatty(STDERR_FILENO) ? "\n" : "";
    if (status == BRUME_OK) {
        (void)fprintf(stderr, "%sbrume: wrote %s, %d%% of its picture\n", end, path, (int)(100.0 * pipeline->fraction));
    } else {
        (void)fprintf(stderr, "%sbrume: warning: %s\n", end, error.text);
    }
}

// draws the picture; fails without memory; cannot be interrupted
static BrumeStatus draw(BrumeFramePipeline *pipeline, BrumeError *error)
{
    const BrumeScene *scene = pipeline->scene;
    float *radiance = pipeline->picture.radiance;
    const BrumeDrawDef def = {
        .width = scene->width,
        .height = scene->height,
        .samples = scene->samples,
        .seed = pipeline->seed,
        .progress = report_progress,
        .context = pipeline,
        .crop = pipeline->pictures->crop,
        .layers = pipeline->picture.has_layers ? &pipeline->picture.layers : NULL,
        .partial_wanted = partial_wanted,
        .partial = write_partial,
        .camera_at = camera_at,
        .camera_context = pipeline,
        .frame_seconds = pipeline->frame_seconds,
    };
    brume_partial_clear(); // a signal between two pictures has no effect
    pipeline->traced = (BrumeTraceResult){0};
    pipeline->told = brume_seconds();
    if (scene->integrator == BRUME_INTEGRATOR_MARCH) {
        return brume_renderer_draw(pipeline->renderer, &pipeline->camera, &def, radiance, error);
    }
    const BrumeTraceDef trace = {
        .bounces = scene->bounces, .noise = scene->noise, .pass = report_pass, .denoise = scene->denoise};
    BrumeTraceResult result;
    const BrumeStatus status =
        brume_renderer_trace(pipeline->renderer, &pipeline->camera, &def, &trace, radiance, &result, error);
    if (status == BRUME_OK) {
        brume_run_stats_traced(pipeline->stats, pipeline->frame, &result);
    }
    return status;
}

static BrumeStatus draw_frame(void *context, int slot, BrumeError *error)
{
    (void)slot;
    BrumeFramePipeline *pipeline = context;
    const BrumeScene *scene = pipeline->scene;
    const BrumePictureOutput *pictures = pipeline->pictures;
    pipeline->camera = camera_at(pipeline, 0.0);
    light(pipeline);
    double start = brume_seconds();
    const BrumeStatus status = draw(pipeline, error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_run_stats_image(pipeline->stats, pipeline->frame, BRUME_IMAGE_DRAW, ms_since(start));

    void *pixels = brume_image_writer_picture(pipeline->writer, pictures->width, pictures->height, pictures->format);
    if (pixels) {
        start = brume_seconds();
        brume_drawn_picture_convert(&pipeline->picture, pictures, &scene->render_settings, pixels);
        BrumeExrHeader *header = brume_image_writer_exr(pipeline->writer);
        describe_frame(pipeline, header);
        describe_tile(pipeline, &header->metadata);
        brume_image_writer_submit(pipeline->writer, pipeline->frame, pipeline->path, ms_since(start));
    }
    return BRUME_OK; // the writer has its own errors
}

static void report_written(void *stats, int frame, double ms)
{
    brume_run_stats_image(stats, frame, BRUME_IMAGE_WRITE, ms);
}

BrumeStatus brume_frame_pipeline_create(BrumeFramePipeline **pipeline, const BrumeScene *scene,
                                        const BrumePictureOutput *pictures, BrumeGrid grid, int draw_threads,
                                        const BrumeImageSink *sink, BrumeRunStats *stats, BrumeError *error)
{
    BrumeFramePipeline *self = brume_alloc(1, sizeof *self);
    *pipeline = self;
    if (!self) {
        return brume_out_of_memory(error, "the images of a run");
    }
    self->scene = scene;
    self->pictures = pictures;
    self->stats = stats;
    self->draw_threads = draw_threads;
    brume_job_queue_init(
        &self->drawings,
        &(BrumeJobQueueDef){
            .slots = 1, .in_caller = draw_threads == 0, .begin = start_team, .run = draw_frame, .context = self});
    self->capacity = grid;
    BrumeStatus status =
        brume_renderer_create(&self->renderer, grid.nx, grid.ny, grid.nz, &scene->render_settings, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    status = brume_drawn_picture_create(&self->picture, pictures, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    const BrumeImageWriterDef writer_def = {.sink = *sink,
                                            .before_write = brume_interrupt_block,
                                            .after_write = brume_interrupt_unblock,
                                            .written = report_written,
                                            .context = stats};
    status = brume_image_writer_create(&self->writer, &writer_def, error);
    if (status == BRUME_OK) {
        status = brume_image_writer_reserve(self->writer, pictures->width, pictures->height, pictures->format, error);
    }
cleanup:
    if (status != BRUME_OK) {
        brume_frame_pipeline_destroy(self);
        *pipeline = NULL;
    }
    return status;
}

BrumeDrawnState brume_drawn_state(const BrumeScene *scene, const BrumeSim *sim)
{
    const int frame = brume_sim_frames(sim);
    BrumeDrawnState state = {
        .volume = brume_sim_volume(sim),
        .look = brume_scene_render_settings_at(scene, brume_sim_settings(sim), brume_sim_time(sim)),
        .time = brume_sim_time(sim),
        .frame = frame,
        .seed = (uint32_t)frame,
        .simulated_frame = frame + scene->first_frame - 1,
        .frame_seconds = 1.0 / (double)brume_sim_settings(sim)->fps,
    };
    state.look.frame = (float)frame;
    brume_scene_move_surfaces(scene, brume_sim_settings(sim), frame, state.time, &state.look);
    return state;
}

void brume_frame_pipeline_report(BrumeFramePipeline *pipeline, BrumeMessages *messages, const BrumeProgress *progress)
{
    pipeline->messages = messages;
    pipeline->progress = progress;
}

// creates a renderer with memory for this volume, if the present one is too small
static BrumeStatus provide_renderer(BrumeFramePipeline *pipeline, const BrumeDrawnState *state, BrumeError *error)
{
    const BrumeVolume *volume = &state->volume;
    BrumeGrid *capacity = &pipeline->capacity;
    if (volume->nx <= capacity->nx && volume->ny <= capacity->ny && volume->nz <= capacity->nz) {
        return brume_renderer_set_settings(pipeline->renderer, &state->look, error);
    }
    capacity->nx = volume->nx > capacity->nx ? volume->nx : capacity->nx;
    capacity->ny = volume->ny > capacity->ny ? volume->ny : capacity->ny;
    capacity->nz = volume->nz > capacity->nz ? volume->nz : capacity->nz;
    brume_renderer_destroy(pipeline->renderer);
    return brume_renderer_create(&pipeline->renderer, capacity->nx, capacity->ny, capacity->nz, &state->look, error);
}

BrumeStatus brume_frame_pipeline_submit(BrumeFramePipeline *pipeline, const BrumeDrawnState *state, const char *path,
                                        BrumeError *error)
{
    if (brume_job_queue_finish(&pipeline->drawings, error) != BRUME_OK ||
        brume_image_writer_status(pipeline->writer, error) != BRUME_OK) {
        return error->status;
    }
    const double start = brume_seconds();
    if (!state->same) {
        if (provide_renderer(pipeline, state, error) != BRUME_OK ||
            brume_renderer_load(pipeline->renderer, &state->volume, error) != BRUME_OK) {
            return error->status;
        }
        pipeline->lit = false;
    }
    brume_run_stats_image(pipeline->stats, state->frame, BRUME_IMAGE_LOAD, ms_since(start));
    pipeline->frame = state->frame;
    pipeline->seed = state->seed;
    pipeline->simulated_frame = state->simulated_frame;
    pipeline->turn = state->turn;
    pipeline->frame_seconds = state->frame_seconds;
    pipeline->time = state->time;
    (void)snprintf(pipeline->path, sizeof pipeline->path, "%s", path);
    brume_job_queue_submit(&pipeline->drawings);
    return BRUME_OK;
}

BrumeStatus brume_frame_pipeline_finish(BrumeFramePipeline *pipeline, BrumeError *error)
{
    const BrumeStatus drawn = brume_job_queue_finish(&pipeline->drawings, error);
    BrumeError write_error;
    const BrumeStatus written = brume_image_writer_finish(pipeline->writer, &write_error);
    if (drawn == BRUME_OK && written != BRUME_OK) {
        *error = write_error;
    }
    return drawn == BRUME_OK ? written : drawn;
}

void brume_frame_pipeline_destroy(BrumeFramePipeline *pipeline)
{
    if (!pipeline) {
        return;
    }
    brume_job_queue_destroy(&pipeline->drawings);
    brume_image_writer_destroy(pipeline->writer);
    brume_renderer_destroy(pipeline->renderer);
    brume_drawn_picture_destroy(&pipeline->picture);
    brume_free(pipeline);
}
