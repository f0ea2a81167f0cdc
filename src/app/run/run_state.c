#include "app/run/run_state.h"

#include "app/cli/standard_streams.h"
#include "app/volumes/capture.h"
#include "core/parallel/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int brume_run_number(const BrumeSceneRun *run, int frame) { return frame + run->offset; }

bool brume_run_measures(const BrumeSceneRun *run) { return run->settings->measures || run->settings->stats; }

bool brume_run_has_tables(const BrumeSceneRun *run)
{
    return run->settings->measures || run->settings->stats || run->scene->probe_count > 0;
}

bool brume_run_resumes(const BrumeSceneRun *run) { return run->resume != BRUME_RESUME_OFF; }

bool brume_run_accepts_files(const BrumeSceneRun *run)
{
    return run->settings->overwrite || run->settings->dry_run || brume_run_resumes(run);
}

const BrumeFrameRange *brume_run_files(const BrumeSceneRun *run)
{
    return run->settings->turntable > 0 ? &run->turns : &run->frames;
}

BrumeRunStats *brume_run_file_stats(BrumeSceneRun *run)
{
    return run->settings->turntable > 0 ? &run->turn_stats : &run->stats;
}

int brume_run_first_file(const BrumeSceneRun *run) { return run->settings->turntable > 0 ? 1 : run->resumed + 1; }

bool brume_run_has_frame_file(const BrumeSceneRun *run, int frame)
{
    char path[BRUME_MAX_PATH];
    brume_pattern_path(&run->pattern, frame, path);
    return brume_run_resumes(run) && !run->settings->overwrite && !run->pattern.video && access(path, F_OK) == 0;
}

int brume_run_first_missing_file(const BrumeSceneRun *run)
{
    const BrumeFrameRange *files = brume_run_files(run);
    int index = 0;
    while (index < brume_frames_count(files) && brume_run_has_frame_file(run, brume_frames_at(files, index))) {
        index++;
    }
    return brume_frames_at(files, index);
}

const char *brume_run_probes_folder(const BrumeSceneRun *run, char folder[BRUME_MAX_PATH])
{
    const BrumeRunSettings *settings = run->settings;
    const char *slash = settings->output ? strrchr(settings->output, '/') : NULL;
    if (settings->probes_dir || !slash) {
        return settings->probes_dir ? settings->probes_dir : ".";
    }
    (void)snprintf(folder, BRUME_MAX_PATH, "%.*s", slash > settings->output ? (int)(slash - settings->output) : 1,
                   settings->output);
    return folder;
}

BrumeGrid brume_run_largest_grid(const BrumeSceneRun *run)
{
    return run->source ? run->source->present.cells : brume_scene_largest_grid(run->scene);
}

unsigned brume_run_volume_fields(const BrumeSceneRun *run)
{
    unsigned fields = run->settings->fields ? run->settings->fields : BRUME_DEFAULT_VOLUME_FIELDS;
    const BrumeVolumeFormat *format = run->settings->output ? brume_volume_format_of(run->settings->output) : NULL;
    if (!format || format->particles == BRUME_PARTICLES_NOWHERE || !brume_scene_has_particles(run->scene)) {
        fields &= ~(unsigned)BRUME_VOLUME_PARTICLES;
    }
    const bool has_texture = (fields & BRUME_VOLUME_SMOKE) && run->scene->sim.texture_period > 0.0f;
    return has_texture ? fields | BRUME_VOLUME_TEXTURE : fields; // required for drawing smoke with detail
}

BrumeRunRecord brume_run_record(BrumeSceneRun *run)
{
    return (BrumeRunRecord){
        .scene_text = run->scene_text,
        .stats = &run->stats,
        .measures = &run->measures,
        .probes = &run->probes,
    };
}

BrumeStatus brume_run_open_messages(BrumeSceneRun *run, BrumeError *error)
{
    const BrumeRunSettings *settings = run->settings;
    if (run->messages_open) {
        return BRUME_OK;
    }
    const BrumeStatus status = brume_messages_open(&run->messages, settings->quiet, settings->verbosity, settings->log,
                                                   brume_run_resumes(run), error);
    run->messages_open = status == BRUME_OK;
    if (brume_is_standard_stream(settings->measures) || brume_is_standard_stream(settings->stats)) {
        brume_messages_use_error_stream(&run->messages);
    }
    return status;
}

BrumeStatus brume_run_write_stats(BrumeSceneRun *run, bool last, BrumeError *error)
{
    if (brume_is_standard_stream(run->settings->stats) && !last) {
        return BRUME_OK;
    }
    run->stats_written = brume_seconds();
    return brume_run_stats_write(&run->stats, &run->info, run->settings->stats, error);
}
