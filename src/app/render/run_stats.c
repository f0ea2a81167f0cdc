#include "app/render/run_stats.h"

#include "app/cli/interrupt.h"
#include "app/cli/standard_streams.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/minmax.h"
#include "core/text.h"
#include "io/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

BrumeStatus brume_run_stats_create(BrumeRunStats *stats, int capacity, BrumeError *error)
{
    *stats = (BrumeRunStats){.capacity = capacity, .frame = calloc((size_t)capacity + 1, sizeof *stats->frame)};
    if (!stats->frame) {
        return brume_out_of_memory(error, "the statistics of %d frames", capacity);
    }
    (void)pthread_mutex_init(&stats->mutex, NULL);
    return BRUME_OK;
}

void brume_run_stats_destroy(BrumeRunStats *stats)
{
    if (stats->frame) {
        (void)pthread_mutex_destroy(&stats->mutex);
        free(stats->frame);
    }
    *stats = (BrumeRunStats){0};
}

void brume_run_stats_add(BrumeRunStats *stats, const BrumeFrameStats *sim, uint64_t hash)
{
    (void)pthread_mutex_lock(&stats->mutex);
    if (stats->frames < stats->capacity) {
        stats->frame[stats->frames++] = (BrumeRunFrame){.sim = *sim, .hash = hash};
    }
    (void)pthread_mutex_unlock(&stats->mutex);
}

static BrumeRunFrame *record_of(BrumeRunStats *stats, int frame)
{
    return frame > 0 ? &stats->frame[frame - 1] : &stats->initial;
}

void brume_run_stats_image(BrumeRunStats *stats, int frame, BrumeImageStage stage, double ms)
{
    (void)pthread_mutex_lock(&stats->mutex);
    BrumeRunFrame *record = record_of(stats, frame);
    record->ms[stage] = ms;
    record->written = stage == BRUME_IMAGE_WRITE;
    (void)pthread_mutex_unlock(&stats->mutex);
}

void brume_run_stats_traced(BrumeRunStats *stats, int frame, const BrumeTraceResult *result)
{
    (void)pthread_mutex_lock(&stats->mutex);
    record_of(stats, frame)->trace = *result;
    stats->traced = frame;
    (void)pthread_mutex_unlock(&stats->mutex);
}

static const char *plural(int paths) { return paths == 1 ? "path" : "paths"; }

BrumeTraceText brume_run_stats_last_traced(BrumeRunStats *stats)
{
    BrumeTraceText text = {""};
    (void)pthread_mutex_lock(&stats->mutex);
    if (stats->traced > 0) {
        const BrumeTraceResult *trace = &stats->frame[stats->traced - 1].trace;
        (void)snprintf(text.text, sizeof text.text, "%d %s, error %.2g", trace->samples, plural(trace->samples),
                       trace->error);
    }
    (void)pthread_mutex_unlock(&stats->mutex);
    return text;
}

BrumeTraceText brume_run_stats_all_traced(BrumeRunStats *stats, int first)
{
    BrumeTraceText text = {""};
    int least = 0;
    int most = 0;
    double error = 0.0;
    (void)pthread_mutex_lock(&stats->mutex);
    for (int n = first - 1; n < stats->frames; n++) {
        const BrumeTraceResult *trace = &stats->frame[n].trace;
        if (trace->samples > 0) {
            least = least == 0 || trace->samples < least ? trace->samples : least;
            most = trace->samples > most ? trace->samples : most;
            error = brume_fmax(error, trace->error);
        }
    }
    (void)pthread_mutex_unlock(&stats->mutex);
    if (least > 0 && least < most) {
        (void)snprintf(text.text, sizeof text.text, "%d to %d paths, error %.2g at most", least, most, error);
    } else if (least > 0) {
        (void)snprintf(text.text, sizeof text.text, "%d %s, error %.2g at most", least, plural(least), error);
    }
    return text;
}

bool brume_run_stats_has_image(BrumeRunStats *stats, int frame)
{
    (void)pthread_mutex_lock(&stats->mutex);
    const bool written = frame <= stats->frames && record_of(stats, frame)->written;
    (void)pthread_mutex_unlock(&stats->mutex);
    return written;
}

BrumeFrameCount brume_run_stats_written(BrumeRunStats *stats, int first)
{
    BrumeFrameCount written = {0};
    (void)pthread_mutex_lock(&stats->mutex);
    for (int frame = first > 1 ? first : 0; frame <= stats->frames; frame++) {
        if (record_of(stats, frame)->written) {
            written.first = written.count++ > 0 ? written.first : frame;
            written.last = frame;
        }
    }
    (void)pthread_mutex_unlock(&stats->mutex);
    return written;
}

int brume_run_stats_unconverged(BrumeRunStats *stats, double *worst_residual)
{
    int count = 0;
    *worst_residual = 0.0;
    (void)pthread_mutex_lock(&stats->mutex);
    for (int n = 0; n < stats->frames; n++) {
        const BrumeFrameStats *sim = &stats->frame[n].sim;
        count += !sim->converged;
        *worst_residual = sim->residual > *worst_residual ? sim->residual : *worst_residual;
    }
    (void)pthread_mutex_unlock(&stats->mutex);
    return count;
}

double brume_run_stats_mean_ms(BrumeRunStats *stats, BrumeImageStage stage)
{
    double sum = 0.0;
    int count = 0;
    (void)pthread_mutex_lock(&stats->mutex);
    for (int frame = 0; frame <= stats->frames; frame++) {
        if (record_of(stats, frame)->written) {
            sum += record_of(stats, frame)->ms[stage];
            count++;
        }
    }
    (void)pthread_mutex_unlock(&stats->mutex);
    return count > 0 ? sum / count : 0.0;
}

static void add_run_info(BrumeText *text, const BrumeRunInfo *info)
{
    const BrumeSimDef *def = &info->scene->sim;
    brume_text_add(text, "  \"program\": \"brume\",\n  \"version\": \"%s\",\n  \"scene\": ", brume_version());
    brume_text_add_json_string(text, info->scene->name);
    brume_text_add(text, ",\n  \"file\": ");
    brume_text_add_json_string(text, info->scene_path);
    brume_text_add(text, ",\n  \"cells\": [%d, %d, %d],\n  \"dx\": ", def->nx, def->ny, def->nz);
    brume_text_add_json_number(text, (double)def->dx, 9);
    brume_text_add(text, ",\n  \"fps\": ");
    brume_text_add_json_number(text, (double)def->fps, 9);
    brume_text_add(text, ",\n  \"advection\": \"%s\",\n  \"pressure\": \"%s\",\n  \"tolerance\": ", def->advection,
                   brume_pressure_resolve(def->pressure, brume_has_bodies(def), brume_all_periodic(def)));
    brume_text_add_json_number(text, (double)def->tolerance, 9);
    brume_text_add(text, ",\n  \"ranks\": %d,\n  \"threads\": %d,\n  \"bytes\": %zu,\n", info->ranks, info->threads,
                   info->bytes);
}

// appends the times of an image, and the result of the path tracer
static void add_image(BrumeText *text, const BrumeRunFrame *frame)
{
    brume_text_add(text, "\"image_ms\": ");
    for (int stage = 0; frame->written && stage < BRUME_IMAGE_STAGE_COUNT; stage++) {
        brume_text_add(text, "%s\"%s\": ", stage == 0 ? "{" : ", ", brume_image_stage_name((BrumeImageStage)stage));
        brume_text_add_json_number(text, frame->ms[stage], 6);
    }
    brume_text_add(text, frame->written ? "}" : "null");
    if (frame->trace.samples > 0) {
        brume_text_add(text, ", \"trace\": {\"samples\": %d, \"error\": ", frame->trace.samples);
        brume_text_add_json_number(text, frame->trace.error, 6);
        brume_text_add(text, "}");
    }
}

// the pictures of a turntable that are drawn
static void add_turns(BrumeText *text, const BrumeRunInfo *info)
{
    BrumeRunStats *turns = info->turns;
    const char *separator = "";
    brume_text_add(text, "  \"pictures\": [");
    (void)pthread_mutex_lock(&turns->mutex);
    for (int n = 0; n < turns->frames; n++) {
        if (turns->frame[n].written) {
            brume_text_add(text, "%s\n    {\"picture\": %d, \"angle\": ", separator, n);
            brume_text_add_json_number(text, 360.0 * n / info->turn_count, 9);
            brume_text_add(text, ", ");
            add_image(text, &turns->frame[n]);
            brume_text_add(text, "}");
            separator = ",";
        }
    }
    (void)pthread_mutex_unlock(&turns->mutex);
    brume_text_add(text, "\n  ],\n");
}

static void add_frame(BrumeText *text, const BrumeRunFrame *frame, const BrumeRunInfo *info)
{
    const BrumeFrameStats *sim = &frame->sim;
    brume_text_add(text, "    {\"frame\": %d, \"time\": ", sim->frame + info->scene->first_frame - 1);
    brume_text_add_json_number(text, sim->time, 9);
    brume_text_add(text, ", \"steps\": %d, \"iterations\": %d, \"max_iterations\": %d, \"residual\": ", sim->steps,
                   sim->iterations, sim->max_iterations);
    brume_text_add_json_number(text, sim->residual, 6);
    brume_text_add(text, ", \"converged\": %s, \"divergence\": ", sim->converged ? "true" : "false");
    brume_text_add_json_number(text, sim->divergence, 6);
    brume_text_add(text, ",\n     \"ms\": {");
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(text, "\"%s\": ", brume_stage_name((BrumeStage)stage));
        brume_text_add_json_number(text, sim->ms[stage], 6);
        brume_text_add(text, ", ");
    }
    brume_text_add(text, "\"total\": ");
    brume_text_add_json_number(text, sim->total_ms, 6);
    brume_text_add(text, "},\n     ");
    add_image(text, frame);
    brume_text_add(text, ", \"hash\": ");
    if (frame->hash != 0) {
        brume_text_add(text, "\"%016" PRIx64 "\"", frame->hash);
    } else {
        brume_text_add(text, "null"); // the run that simulated this frame did not write statistics
    }
    if (info->measures) {
        brume_text_add(text, ",\n     \"measures\": ");
        brume_measure_log_json(info->measures, sim->frame, text);
    }
    brume_text_add(text, "}");
}

static BrumeStatus print_text(const BrumeText *text, BrumeError *error)
{
    if (text->failed) {
        return brume_out_of_memory(error, "the statistics");
    }
    if (fputs(text->data, stdout) < 0 || fflush(stdout) != 0) {
        return brume_fail(error, BRUME_FAILED, "cannot write to standard output: %s", strerror(errno));
    }
    return BRUME_OK;
}

BrumeStatus brume_run_stats_write(BrumeRunStats *stats, const BrumeRunInfo *info, const char *path, BrumeError *error)
{
    BrumeText text = {0};
    brume_text_add(&text, "{\n");
    add_run_info(&text, info);
    if (info->measures) {
        brume_text_add(&text, "  \"initial\": ");
        brume_measure_log_json(info->measures, 0, &text);
        brume_text_add(&text, ",\n");
    }
    if (info->turns) {
        add_turns(&text, info);
    }
    brume_text_add(&text, "  \"frames\": [\n");
    (void)pthread_mutex_lock(&stats->mutex);
    for (int n = 0; n < stats->frames; n++) {
        add_frame(&text, &stats->frame[n], info);
        brume_text_add(&text, n + 1 < stats->frames ? ",\n" : "\n");
    }
    (void)pthread_mutex_unlock(&stats->mutex);
    brume_text_add(&text, "  ]\n}\n");
    brume_interrupt_block();
    const BrumeStatus status =
        brume_is_standard_stream(path) ? print_text(&text, error) : brume_file_write_text(path, &text, error);
    brume_interrupt_unblock();
    brume_text_destroy(&text);
    return status;
}

const char *brume_image_stage_name(BrumeImageStage stage)
{
    static const char *const names[BRUME_IMAGE_STAGE_COUNT] = {"load", "light", "draw", "write"};
    return names[stage];
}
