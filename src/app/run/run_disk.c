#include "app/run/run_disk.h"

#include "app/cli/standard_streams.h"
#include "app/render/disk_space.h"
#include "app/render/run_memory.h"
#include "app/volumes/capture.h"
#include "core/minmax.h"
#include "exchange/volume_format.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum { FRAMES, MEASURES, STATS, CHECKPOINTS, NEED_COUNT };

enum { MOST_DESCRIPTION = 65536 };     // of the grids in a volume, and of all its data except values [bytes]
static const double most_growth = 1.1; // of a volume by its encoding: the nodes of a sparse one

// bytes of a number with its separator, and of a frame of the statistics without measures
enum { LEAST_NUMBER = 2, MOST_NUMBER = 26, LEAST_FRAME_STATS = 300, MOST_FRAME_STATS = 1500, MOST_NAMED_NUMBER = 90 };

static const double growth = 1.5; // by which the next file may exceed the largest one so far
enum { FRAMES_IN_ENCODER = 64 };  // frames of a video that its encoder may hold back: more than its lookahead
enum { BYTES_IN_BLOCK = 512 };    // of stat.st_blocks

// returns the largest number of checkpoints in the folder: a new one is written before an old one is removed
static double checkpoint_count(const BrumeSceneRun *run)
{
    const BrumeCheckpointOptions *options = &run->settings->checkpoints;
    const int interval = options->interval.frames;
    const double by_frames = interval > 0 ? (double)run->frames.last / interval + 1.0 : 3.0;
    const double kept = options->keep == INT_MAX ? by_frames : options->keep + 1.0;
    return options->keep > 0 ? brume_fmin(kept, brume_fmax(by_frames, 2.0)) : brume_fmin(3.0, by_frames);
}

// returns bounds of the size of a volume: its grids, the scene's text and their description
static BrumeFrameSpace volume_space(const BrumeSceneRun *run)
{
    BrumeFrameSpace space = {0};
    const BrumeVolumeFormat *format = brume_volume_format_of(run->settings->output);
    if (format->write_options & BRUME_WRITE_ISO) { // the size of a surface is not known
        return space;
    }
    const unsigned fields = brume_run_volume_fields(run);
    const BrumeGrid cells = brume_scene_largest_grid(run->scene);
    const int kinds = brume_run_smoke_kinds(run->scene);
    const double part = run->settings->half ? 0.5 : 1.0;
    if (fields & BRUME_VOLUME_PARTICLES) { // their number is not known
        return space;
    }
    space.most = most_growth * part * (double)brume_capture_bytes(cells, kinds, fields) +
                 2.0 * (double)strlen(run->scene_text) + MOST_DESCRIPTION;
    if (format->uncompressed && run->scene->timeline.count == 0) { // a timeline may change the box
        const double faces = fields & BRUME_VOLUME_FACES ? 3.0 * sizeof(float) * (double)brume_grid_cells(cells) : 0.0;
        const unsigned centered = fields & ~(unsigned)BRUME_VOLUME_FACES;
        space.least = part * ((double)brume_capture_bytes(cells, kinds, centered) + faces);
    }
    return space;
}

static double size_of_file(const char *path)
{
    struct stat about;
    return path && stat(path, &about) == 0 ? (double)about.st_size : 0.0;
}

// returns bounds of the size of an image or, as an estimate (brume_video_size), of a frame of a video
static BrumeFrameSpace picture_space(const BrumeSceneRun *run)
{
    const BrumeVideoFormat *video = run->pattern.video;
    const BrumePictureOutput *pictures = &run->pictures;
    return (BrumeFrameSpace){
        .least = video ? 0.0 : brume_least_image_bytes(pictures),
        .most =
            video ? brume_video_size(video, pictures->width, pictures->height, 1) : brume_most_image_bytes(pictures),
    };
}

// Adds the space for the file of a frame to the bounds of `need`. An image or volume that it replaces counts as free.
static void add_frame(const BrumeSceneRun *run, int frame, BrumeDiskNeed *need)
{
    char path[BRUME_MAX_PATH];
    struct stat replaced;
    brume_pattern_path(&run->pattern, frame, path);
    // a video is replaced when the new one is complete
    const bool replaces = !run->pattern.video && stat(path, &replaced) == 0;
    const double freed = replaces ? (double)BYTES_IN_BLOCK * (double)replaced.st_blocks : 0.0;
    need->least += brume_fmax(run->frame_space.least - freed, 0.0);
    need->most += brume_fmax(run->frame_space.most - freed, 0.0);
}

// Returns a lower bound of the space for the frames in progress and the next one [bytes], from the largest file so far;
// for a video also for the frames that the encoder holds back.
static double next_frames(BrumeSceneRun *run)
{
    BrumeFrameSpace *space = &run->frame_space;
    const BrumeFrameCount written = brume_run_stats_written(brume_run_file_stats(run), brume_run_first_file(run));
    const int in_progress = space->submitted - written.count;
    if (run->pattern.video) {
        return (in_progress + 1 + FRAMES_IN_ENCODER) * space->most;
    }
    if (written.count > 0) {
        char path[BRUME_MAX_PATH];
        brume_pattern_path(&run->pattern, written.last, path);
        space->largest = brume_fmax(space->largest, size_of_file(path));
    }
    return (in_progress + 1) * growth * space->largest;
}

static const char *table_path(const char *path) { return brume_is_standard_stream(path) ? NULL : path; }

// estimates the space for the whole run; `file` has the path of a frame
static void estimate(const BrumeSceneRun *run, char file[BRUME_MAX_PATH], BrumeDiskNeed needs[NEED_COUNT])
{
    const BrumeRunSettings *settings = run->settings;
    const BrumeFrameRange *files = brume_run_files(run);
    const double rows = run->frames.last + 1.0;
    const BrumeMeasureColumns columns = brume_measure_columns(run->scene);
    const double numbers = rows * brume_measure_column_count(&columns);
    if (run->has_frame_files) {
        brume_pattern_path(&run->pattern, files->first, file);
        needs[FRAMES].path = file;
    }
    for (int n = 0; run->has_frame_files && n < brume_frames_count(files); n++) {
        const int frame = brume_frames_at(files, n);
        if (!brume_run_has_frame_file(run, frame)) {
            add_frame(run, frame, &needs[FRAMES]);
        }
    }
    needs[MEASURES] = (BrumeDiskNeed){table_path(settings->measures), LEAST_NUMBER * numbers, MOST_NUMBER * numbers};
    // a table of statistics is complete before the old one is removed
    needs[STATS] = (BrumeDiskNeed){table_path(settings->stats), LEAST_FRAME_STATS * rows,
                                   2.0 * (MOST_FRAME_STATS * rows + MOST_NAMED_NUMBER * numbers)};
    if (!run->source) {
        const BrumeRunMemory memory = brume_run_memory(run->scene, NULL, false, run->frames.last);
        needs[CHECKPOINTS] =
            (BrumeDiskNeed){run->checkpoints.path, 0.0, checkpoint_count(run) * (double)memory.checkpoint};
    }
    for (int n = 0; n < NEED_COUNT && settings->until_steady > 0.0; n++) { // the run may end at any frame
        needs[n].least = 0.0;
    }
}

BrumeStatus brume_run_check_disk(BrumeSceneRun *run, BrumeError *error)
{
    char file[BRUME_MAX_PATH];
    BrumeDiskNeed needs[NEED_COUNT] = {{0}};
    if (run->has_frame_files) {
        run->frame_space = run->draws ? picture_space(run) : volume_space(run);
    }
    estimate(run, file, needs);
    return brume_disk_check(needs, NEED_COUNT, &run->messages, error);
}

BrumeStatus brume_run_check_next_frames(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    char file[BRUME_MAX_PATH];
    BrumeDiskNeed needs[NEED_COUNT] = {{0}};
    if (run->has_frame_files) {
        brume_pattern_path(&run->pattern, brume_run_files(run)->first, file);
        needs[FRAMES] = (BrumeDiskNeed){file, next_frames(run) + BRUME_DISK_SLACK, 0.0};
    }
    needs[MEASURES] = (BrumeDiskNeed){table_path(settings->measures), BRUME_DISK_SLACK, 0.0};
    needs[STATS] = (BrumeDiskNeed){table_path(settings->stats), size_of_file(settings->stats) + BRUME_DISK_SLACK, 0.0};
    BrumeDiskShortage shortage;
    BrumeDiskShortage with_checkpoint;
    if (brume_disk_falls_short(needs, NEED_COUNT, false, &shortage)) {
        return brume_fail_disk_shortage(error, &shortage, "the next frames need");
    }
    if (run->source) {
        return BRUME_OK;
    }
    const double checkpoint = (double)brume_sim_saved_size(run->sim) + BRUME_DISK_SLACK;
    needs[CHECKPOINTS] = (BrumeDiskNeed){run->checkpoints.path, checkpoint, 0.0};
    const bool fitted = run->checkpoint_fits;
    run->checkpoint_fits = !brume_disk_falls_short(needs, NEED_COUNT, false, &with_checkpoint);
    return run->checkpoint_fits || !fitted
               ? BRUME_OK
               : brume_fail_disk_shortage(error, &with_checkpoint, "the next frames with a checkpoint need");
}
