#include "exchange/child_reader.h"

#include "core/memory.h"
#include "exchange/child_process.h"

#include <string.h>
#include <unistd.h>

/** What the child reads. */
typedef struct ReadJob {
    BrumeReadFunction *read;
    const char *path;
    const BrumeVolumeReadDef *def;
} ReadJob;

/** What the child writes first; the text of the scene and the values of each grid follow. */
typedef struct FrameHeader {
    BrumeFrameGrids frame; // its pointers have no meaning in the parent
    size_t scene_size;     // with the final 0; 0 without a scene
} FrameHeader;

static bool write_frame(int file, BrumeFrameGrids *frame)
{
    FrameHeader header = {.scene_size = frame->scene_text ? strlen(frame->scene_text) + 1 : 0};
    header.frame = *frame;
    bool written = brume_child_write(file, &header, sizeof header) &&
                   brume_child_write(file, frame->scene_text, header.scene_size);
    for (int n = 0; written && n < frame->count; n++) {
        BrumeFrameGrid *grid = &frame->grids[n];
        written = brume_child_write(file, grid->values, brume_frame_grid_values(frame->cells, grid) * sizeof(float));
        brume_free(grid->values); // the result is memory too
        grid->values = NULL;
    }
    return written;
}

static BrumeStatus read_file(const void *context, int file, BrumeError *error)
{
    const ReadJob *job = context;
    static BrumeFrameGrids frame;
    const BrumeStatus status = job->read(&frame, job->path, job->def, error);
    if (status == BRUME_OK && !write_frame(file, &frame)) {
        return brume_out_of_memory(error, "the grids of %s", job->path);
    }
    return status;
}

static BrumeStatus fail_incomplete(const char *path, BrumeError *error)
{
    return brume_fail(error, BRUME_FAILED, "%s: the result of reading it is incomplete", path);
}

// copies what the child has written; `frame` has what was copied after a failure
static BrumeStatus copy_frame(BrumeFrameGrids *frame, const FrameHeader *header, int file, const char *path,
                              BrumeError *error)
{
    const BrumeFrameGrids *source = &header->frame;
    frame->cells = source->cells;
    frame->dx = source->dx;
    memcpy(frame->origin, source->origin, sizeof frame->origin);
    frame->has_frame = source->has_frame;
    frame->frame = source->frame;
    frame->time = source->time;
    if (header->scene_size > 0) {
        frame->scene_text = brume_alloc_untouched(header->scene_size, 1);
        if (!frame->scene_text) {
            return brume_out_of_memory(error, "the scene of %s", path);
        }
        if (!brume_child_read(file, frame->scene_text, header->scene_size)) {
            return fail_incomplete(path, error);
        }
    }
    for (int n = 0; n < source->count; n++) {
        const BrumeFrameGrid *grid = &source->grids[n];
        BrumeFrameGrid *copy = NULL;
        const BrumeStatus status =
            brume_frame_grids_add(frame, grid->name, grid->unit, grid->components, grid->location, &copy, error);
        if (status != BRUME_OK) {
            return status;
        }
        memcpy(copy->note, grid->note, sizeof copy->note);
        if (!brume_child_read(file, copy->values, brume_frame_grid_values(frame->cells, copy) * sizeof(float))) {
            return fail_incomplete(path, error);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_read_in_child_within(int seconds, BrumeFrameGrids *frame, const char *path,
                                       const BrumeVolumeReadDef *def, BrumeReadFunction *read, const char *library,
                                       BrumeError *error)
{
    const ReadJob job = {read, path, def};
    const BrumeChildDef child = {
        .function = read_file,
        .context = &job,
        .path = path,
        .action = "read",
        .library = library,
        .crash = BRUME_BAD_INPUT,
        .seconds = seconds,
    };
    FrameHeader *header = brume_alloc(1, sizeof *header);
    if (!header) {
        return brume_out_of_memory(error, "%s", path);
    }
    int file;
    BrumeStatus status = brume_child_run(&file, &child, error);
    if (status == BRUME_OK) {
        status = brume_child_read(file, header, sizeof *header) ? copy_frame(frame, header, file, path, error)
                                                                : fail_incomplete(path, error);
        (void)close(file);
    }
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    brume_free(header);
    return status;
}

BrumeStatus brume_read_in_child(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def,
                                BrumeReadFunction *read, const char *library, BrumeError *error)
{
    return brume_read_in_child_within(BRUME_READ_LIMIT_SECONDS, frame, path, def, read, library, error);
}
