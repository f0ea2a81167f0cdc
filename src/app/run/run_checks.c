#include "app/run/run_checks.h"

#include "app/cli/output_files.h"
#include "app/cli/standard_streams.h"
#include "app/render/run_memory.h"
#include "app/volumes/capture.h"
#include "core/memory.h"

#include <string.h>
#include <strings.h>

BrumeStatus brume_run_load_scene(BrumeSceneRun *run, BrumeError *error)
{
    BrumeRunOverrides overrides;
    BrumeStatus status = brume_run_overrides(&overrides, run->settings, error);
    if (status == BRUME_OK) {
        status = brume_load_scene_argument(&run->scene, &run->info.scene_path, &overrides.list, &run->notes, error);
    }
    if (status == BRUME_OK) {
        status = brume_run_set_noise(run->settings, run->scene, error);
    }
    if (status == BRUME_OK) {
        run->offset = run->scene->first_frame - 1;
        run->whole_range = run->settings->frames;
        status = brume_frames_resolve(&run->whole_range, run->scene->frames, run->scene->first_frame, error);
    }
    run->info.scene = run->scene;
    return status;
}

// checks that no table, statistics or log replaces the scene, another output or a file of another kind
static BrumeStatus check_output_files(const BrumeSceneRun *run, const char *folder, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    enum { FIRST_PROBE = 4 };
    const bool measures_to_stream = brume_is_standard_stream(settings->measures);
    const bool stats_to_stream = brume_is_standard_stream(settings->stats);
    if (measures_to_stream && stats_to_stream) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--measures and --stats both write to standard output (give one of them a file)");
    }
    // the file to which a shell has redirected standard output is checked by this path
    static const char stream[] = "/dev/stdout";
    const bool any_stats = settings->overwrite || stats_to_stream;
    BrumeOutputFile outputs[FIRST_PROBE + BRUME_MAX_PROBES] = {
        {settings->output && brume_video_format_of(settings->output) ? settings->output : NULL, "--output",
         BRUME_OUTPUT_ANY},
        {measures_to_stream ? stream : settings->measures, "--measures", BRUME_OUTPUT_ANY},
        {stats_to_stream ? stream : settings->stats, "--stats", any_stats ? BRUME_OUTPUT_ANY : BRUME_OUTPUT_STATS},
        {settings->log, "--log", settings->overwrite ? BRUME_OUTPUT_ANY : BRUME_OUTPUT_LOG},
    };
    char(*paths)[BRUME_MAX_PATH] = brume_alloc(BRUME_MAX_PROBES, sizeof *paths);
    BrumeStatus status = paths ? BRUME_OK : brume_out_of_memory(error, "the paths of the probes");
    const int probes = run->scene ? run->scene->probe_count : 0;
    for (int n = 0; n < probes && status == BRUME_OK; n++) {
        status = brume_probe_file_path(&run->scene->probes[n], folder, paths[n], error);
        outputs[FIRST_PROBE + n] = (BrumeOutputFile){paths[n], "--probes-dir", BRUME_OUTPUT_ANY};
    }
    if (status == BRUME_OK) {
        status = brume_check_output_files(outputs, FIRST_PROBE + probes, run->info.scene_path, error);
    }
    brume_free(paths);
    return status;
}

BrumeStatus brume_run_check_tables(const BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    if (settings->dry_run) {
        return BRUME_OK;
    }
    char text[BRUME_MAX_PATH];
    const char *folder = brume_run_probes_folder(run, text);
    BrumeStatus status = check_output_files(run, folder, error);
    if (status != BRUME_OK || brume_run_accepts_files(run)) {
        return status;
    }
    if (settings->measures && !brume_is_standard_stream(settings->measures)) {
        status = brume_check_free_path(settings->measures, "--measures", error);
    }
    return status == BRUME_OK && run->scene ? brume_probe_files_check_free(run->scene, folder, error) : status;
}

BrumeStatus brume_fail_no_images(BrumeError *error)
{
    return brume_fail(error, BRUME_BAD_INPUT, "no output (give -o PATTERN, for example -o out/plume.####.png)");
}

static BrumeStatus check_no_images(BrumeSceneRun *run, BrumeError *error)
{
    return run->settings->dry_run
               ? brume_picture_output_resolve(&run->pictures, run->scene, &(BrumeOutputPattern){.text = "a.png"},
                                              &run->settings->pictures, error)
               : brume_fail_no_images(error);
}

static BrumeStatus check_no_volumes(const BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    const bool has_tables =
        settings->measures || settings->stats || run->scene->probe_count > 0 || settings->until_steady > 0.0;
    if (settings->half || settings->fields) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s needs volumes (give -o PATTERN, as -o cache/plume.####.hdf)",
                          settings->half ? "--half" : "--fields");
    }
    return has_tables ? BRUME_OK
                      : brume_fail(error, BRUME_BAD_INPUT,
                                   "no output (give -o PATTERN, as -o cache/plume.####.hdf, --measures FILE or --stats "
                                   "FILE, or add probes to the scene)");
}

static bool has_extension(const char *path, const char *const *extensions)
{
    const char *dot = strrchr(path, '.');
    while (dot && *extensions && strcasecmp(dot + 1, *extensions) != 0) {
        extensions++;
    }
    return dot && *extensions;
}

static BrumeStatus check_no_pictures(const char *output, BrumeError *error)
{
    const bool video = brume_video_format_of(output) != NULL;
    if (!video && !has_extension(output, brume_image_extensions)) {
        return BRUME_OK;
    }
    return brume_fail(error, BRUME_BAD_INPUT,
                      "--output: '%s' is %s; brume sim writes volumes, as cache/plume.####.hdf (brume render draws %s)",
                      output, video ? "a video" : "an image", video ? "videos" : "images");
}

// checks that the particles alone can be written where nothing else is asked for
static BrumeStatus check_particles(const BrumeSceneRun *run, const BrumeVolumeFormat *format, BrumeError *error)
{
    if (run->settings->fields != BRUME_VOLUME_PARTICLES) {
        return BRUME_OK;
    }
    if (format->particles == BRUME_PARTICLES_NOWHERE) {
        return brume_fail(error, BRUME_BAD_INPUT, "--fields: files of %s have no particles", format->extension);
    }
    return brume_scene_has_particles(run->scene)
               ? BRUME_OK
               : brume_fail(error, BRUME_BAD_INPUT,
                            "--fields: the scene has no particles (give one of its emitters dust, embers, leaves or "
                            "flakes)");
}

// checks that the files of particles beside those of the frames are not there yet
static BrumeStatus check_free_particles(const BrumeSceneRun *run, const BrumePatternDef *def, BrumeError *error)
{
    char text[BRUME_MAX_PATH];
    BrumeOutputPattern pattern;
    brume_particles_path(run->settings->output, text, sizeof text);
    BrumeStatus status = brume_pattern_read(&pattern, text, def, brume_frames_count(&run->whole_range), error);
    pattern.offset = run->offset;
    return status == BRUME_OK ? brume_pattern_check_free(&pattern, brume_run_files(run), error) : status;
}

static BrumeStatus check_output(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    if (!settings->output) {
        return run->draws ? check_no_images(run, error) : check_no_volumes(run, error);
    }
    if (!run->draws && check_no_pictures(settings->output, error) != BRUME_OK) {
        return error->status;
    }
    const BrumePatternDef def = {.option = "--output",
                                 .extensions = run->draws ? brume_image_extensions : brume_volume_extensions(true),
                                 .videos = run->draws};
    run->has_frame_files = true;
    const BrumeVolumeFormat *format = run->draws ? NULL : brume_volume_format_of(settings->output);
    if (format && settings->half && !(format->write_options & BRUME_WRITE_HALF)) {
        return brume_fail(error, BRUME_BAD_INPUT, "--half: files of %s have no half precision", format->extension);
    }
    BrumeStatus status = format ? check_particles(run, format, error) : BRUME_OK;
    if (status == BRUME_OK) { // the workers of a sequence write different files, also where each has one frame
        status =
            brume_pattern_read(&run->pattern, settings->output, &def, brume_frames_count(&run->whole_range), error);
    }
    run->pattern.turns = settings->turntable > 0;
    run->pattern.offset = run->offset;
    run->pattern.tile = settings->pictures.tile;
    if (status == BRUME_OK && !settings->dry_run) {
        status = brume_pattern_check_scene(&run->pattern, brume_run_files(run), run->info.scene_path, error);
    }
    if (status == BRUME_OK && run->draws) {
        BrumePictureOptions options = settings->pictures;
        options.no_velocity = run->source && !brume_frame_grids_volume(&run->source->present).velocity[0];
        status = brume_picture_output_resolve(&run->pictures, run->scene, &run->pattern, &options, error);
        run->scene->render_settings.motion_vectors = run->pictures.layers & BRUME_LAYER_MOTION;
    }
    if (status == BRUME_OK) {
        const BrumeImageOutputDef images = brume_scene_images(run->scene, run->settings->overwrite);
        status = brume_image_output_check(&run->pattern, &images, error);
    }
    // --resume cannot continue a video
    const bool accepts =
        brume_run_accepts_files(run) && (!run->pattern.video || settings->overwrite || settings->dry_run);
    if (status != BRUME_OK || accepts) {
        return status;
    }
    status = brume_pattern_check_free(&run->pattern, brume_run_files(run), error);
    const bool beside =
        format && format->particles == BRUME_PARTICLES_ALONE && (brume_run_volume_fields(run) & BRUME_VOLUME_PARTICLES);
    return status == BRUME_OK && beside ? check_free_particles(run, &def, error) : status;
}

BrumeStatus brume_run_check_outputs(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeStatus status = check_output(run, error);
    return status == BRUME_OK ? brume_run_check_tables(run, error) : status;
}

// returns the memory of a run that draws volumes, which has the present one and the next
static BrumeRunMemory drawing_memory(const BrumeSceneRun *run)
{
    const BrumeFrameGrids *present = &run->source->present;
    const BrumeGrid cells = present->cells;
    size_t values = 0;
    for (int n = 0; n < present->count; n++) {
        values += brume_frame_grid_values(cells, &present->grids[n]);
    }
    return (BrumeRunMemory){
        .renderer =
            brume_renderer_bytes_needed(cells.nx, cells.ny, cells.nz, &run->scene->render_settings, BRUME_VOLUME_KINDS),
        .sky = brume_run_sky_bytes(run->scene),
        .images = brume_picture_buffer_bytes(&run->pictures, run->scene),
        .volumes = 2 * (values * sizeof(float) + present->particle_block.size),
    };
}

BrumeStatus brume_run_check_memory(const BrumeSceneRun *run, BrumeError *error)
{
    BrumeRunMemory memory = run->source ? drawing_memory(run)
                                        : brume_run_memory(run->scene, run->draws ? &run->pictures : NULL,
                                                           brume_run_measures(run), run->frames.last);
    if (run->has_frame_files && !run->draws) {
        // the grids, the file in the library's memory, and its copy
        memory.volumes = 3 * brume_capture_bytes(brume_scene_largest_grid(run->scene),
                                                 brume_run_smoke_kinds(run->scene), brume_run_volume_fields(run));
    }
    if (run->pattern.video) {
        memory.images += brume_video_memory(run->pattern.video, run->scene->width, run->scene->height);
    }
    return brume_run_memory_check(&memory, brume_run_largest_grid(run), run->scene, run->settings->max_memory, error);
}
