#include "app/volumes/mesh_frames.h"

#include "app/cli/paths.h"
#include "app/cli/sequence.h"
#include "app/volumes/mesh_textures.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FRAMES = 1 << 20 }; // of an animation

/** The frames of a mesh that deforms. */
typedef struct Frames {
    char *path; ///< of all files, or of the one with the animation
    BrumeOutputPattern pattern;
    BrumeSequence sequence; ///< the numbers of the files, or the frames of the animation
    int *numbers;           ///< (sequence.count) of the frames, counted from time 0
    BrumeMeshFile first;
    BrumeMeshReadDef def;
} Frames;

static void destroy(void *context)
{
    Frames *frames = context;
    brume_mesh_file_destroy(&frames->first);
    brume_sequence_destroy(&frames->sequence);
    brume_free(frames->numbers);
    brume_free(frames->path);
    brume_free(frames);
}

// the path of a frame, and how it is read
static BrumeMeshReadDef find_file(const Frames *frames, int index, char path[BRUME_MAX_PATH])
{
    BrumeMeshReadDef def = frames->def;
    def.frame = frames->sequence.frames[index];
    def.fps = frames->pattern.width >= 0 ? 0.0f : def.fps;
    brume_pattern_path(&frames->pattern, def.frame, path);
    return def;
}

static BrumeStatus read_frame(void *context, int index, BrumeVec3 *positions, BrumeError *error)
{
    const Frames *frames = context;
    char path[BRUME_MAX_PATH];
    const BrumeMeshReadDef def = find_file(frames, index, path);
    return brume_mesh_file_read_positions(positions, &frames->first, path, &def, error);
}

// lists the frames of the animation in the file that was read, up to its end
static BrumeStatus list_animation(Frames *frames, BrumeError *error)
{
    const BrumeMeshFileInfo *info = &frames->first.info;
    const double length = ceil(info->duration * (double)frames->def.fps - 1e-6);
    const int count =
        frames->def.fps > 0.0f && info->animations > 0 && length > 0.0 && length < MOST_FRAMES ? (int)length + 1 : 1;
    frames->sequence.frames = brume_alloc_untouched((size_t)count, sizeof(int));
    if (!frames->sequence.frames) {
        return brume_out_of_memory(error, "%s", frames->path);
    }
    frames->sequence.count = count;
    for (int n = 0; n < count; n++) {
        frames->sequence.frames[n] = n;
    }
    return BRUME_OK;
}

static BrumeStatus read_first(Frames *frames, BrumeError *error)
{
    BrumeStatus status = brume_pattern_parse(&frames->pattern, frames->path, frames->path, error);
    const bool is_sequence = status == BRUME_OK && frames->pattern.width >= 0;
    if (is_sequence) {
        status = brume_sequence_find_some(&frames->sequence, &frames->pattern, error);
    }
    if (status == BRUME_OK) {
        char path[BRUME_MAX_PATH];
        BrumeMeshReadDef def = frames->def;
        (void)snprintf(path, sizeof path, "%s", frames->path);
        def.frame = 0;
        if (is_sequence) {
            def = find_file(frames, 0, path);
        }
        status = brume_mesh_file_read(&frames->first, path, &def, error);
    }
    return status == BRUME_OK && !is_sequence ? list_animation(frames, error) : status;
}

BrumeStatus brume_mesh_frames_load(BrumeMesh **mesh, BrumeMeshFileInfo *info, BrumeText *lines, const char *path,
                                   const BrumeMeshReadDef *def, BrumeError *error)
{
    *mesh = NULL;
    Frames *frames = brume_alloc(1, sizeof *frames);
    if (!frames) {
        return brume_out_of_memory(error, "%s", path);
    }
    frames->def = *def;
    frames->path = brume_copy_text(path);
    BrumeStatus status = frames->path ? read_first(frames, error) : brume_out_of_memory(error, "%s", path);
    const int count = frames->sequence.count;
    if (status == BRUME_OK) {
        frames->numbers = brume_alloc_untouched((size_t)count, sizeof *frames->numbers);
        status = frames->numbers ? status : brume_out_of_memory(error, "%s", path);
    }
    const BrumeTexture *textures[BRUME_MESH_TEXTURES] = {NULL};
    if (status == BRUME_OK) {
        status = brume_mesh_textures_read(lines, path, &frames->first, textures, error);
    }
    for (int n = 0; frames->numbers && n < count; n++) {
        frames->numbers[n] = frames->sequence.frames[n] - (frames->pattern.width >= 0 ? def->frame : 0);
    }
    if (status == BRUME_OK) {
        const BrumeMeshFramesDef motion = {
            .count = count, .frames = frames->numbers, .read = read_frame, .destroy = destroy, .context = frames};
        *info = frames->first.info;
        frames->first.def.read = *def;
        frames->first.def.textures = textures;
        frames->first.def.texture_count = frames->first.texture_count;
        frames->first.def.frames = count > 1 ? &motion : NULL;
        status = brume_mesh_file_create(mesh, &frames->first, path, error);
        frames->first.def.frames = NULL;
        frames->first.def.textures = NULL;
    }
    for (int n = 0; n < BRUME_MESH_TEXTURES; n++) {
        brume_texture_release(textures[n]);
    }
    if (status != BRUME_OK || count == 1) { // otherwise they belong to the mesh
        destroy(frames);
    }
    return status;
}
