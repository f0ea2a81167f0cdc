#include "app/render/probe_files.h"

#include "app/cli/interrupt.h"
#include "core/text.h"
#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>

BrumeStatus brume_probe_file_path(const BrumeProbe *probe, const char *folder, char path[BRUME_MAX_PATH],
                                  BrumeError *error)
{
    if (snprintf(path, BRUME_MAX_PATH, "%s/%s.csv", folder, probe->name) >= BRUME_MAX_PATH) {
        return brume_fail(error, BRUME_BAD_INPUT, "--probes-dir: the path is too long");
    }
    return BRUME_OK;
}

BrumeStatus brume_probe_files_check_free(const BrumeScene *scene, const char *folder, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < scene->probe_count && status == BRUME_OK; n++) {
        char path[BRUME_MAX_PATH];
        status = brume_probe_file_path(&scene->probes[n], folder, path, error);
        if (status == BRUME_OK) {
            status = brume_check_free_path(path, "--probes-dir", error);
        }
    }
    return status;
}

static bool has_column(const BrumeProbe *probe, int column)
{
    return (probe->quantities >> brume_probe_column_quantity(column) & 1U) != 0U;
}

// Adds the names of the columns. A file of points has one line for each frame, with the columns of each point in turn;
// other files have one line for each position.
static void add_header(const BrumeProbe *probe, BrumeText *text)
{
    const bool points = probe->kind == BRUME_PROBE_POINTS;
    brume_text_add(text, points ? "frame,time" : "frame,time,x,y,z");
    for (int point = 0; point < (points ? probe->point_count : 1); point++) {
        for (int column = 0; column < BRUME_PROBE_COLUMNS; column++) {
            if (has_column(probe, column)) {
                brume_text_add(text, ",%s", brume_probe_column_name(column));
                if (points) {
                    brume_text_add(text, "_%d", point);
                }
            }
        }
    }
    brume_text_add(text, "\n");
}

static void add_values(const BrumeProbe *probe, const BrumeProbeSample *sample, BrumeText *text)
{
    for (int column = 0; column < BRUME_PROBE_COLUMNS; column++) {
        if (has_column(probe, column)) {
            brume_text_add(text, ",%.9g", sample->values[column]);
        }
    }
}

static void add_start(const BrumeSim *sim, int first_frame, BrumeText *text)
{
    brume_text_add(text, "%d,", brume_sim_frames(sim) + first_frame - 1);
    brume_text_add_exact_number(text, brume_sim_time(sim));
}

static void add_lines(const BrumeProbe *probe, const BrumeSim *sim, const BrumeProbeSample *samples, size_t count,
                      int first_frame, BrumeText *text)
{
    if (probe->kind == BRUME_PROBE_POINTS) {
        add_start(sim, first_frame, text);
        for (size_t n = 0; n < count; n++) {
            add_values(probe, &samples[n], text);
        }
        brume_text_add(text, "\n");
        return;
    }
    for (size_t n = 0; n < count; n++) {
        const double *position = samples[n].position;
        add_start(sim, first_frame, text);
        brume_text_add(text, ",%.9g,%.9g,%.9g", position[0], position[1], position[2]);
        add_values(probe, &samples[n], text);
        brume_text_add(text, "\n");
    }
}

static BrumeStatus append(BrumeLineFile *file, BrumeText *text, BrumeError *error)
{
    brume_interrupt_block();
    // a process that shares a simulation, but not its output, has no file
    const BrumeStatus status = file->open ? brume_line_file_append(file, text, error) : BRUME_OK;
    brume_interrupt_unblock();
    brume_text_destroy(text);
    return status;
}

static BrumeStatus create_file(BrumeLineFile *file, const BrumeProbe *probe, const char *path, bool overwrite,
                               BrumeError *error)
{
    BrumeStatus status = brume_file_make_folder(path, error);
    if (status == BRUME_OK) {
        status = brume_line_file_open(file, path, overwrite, error);
    }
    if (status == BRUME_OK) {
        BrumeText header = {0};
        add_header(probe, &header);
        status = append(file, &header, error);
    }
    return status;
}

BrumeStatus brume_probe_files_create(BrumeProbeFiles *probes, const BrumeScene *scene, const char *folder,
                                     const long long *ends, bool overwrite, BrumeError *error)
{
    *probes = (BrumeProbeFiles){.scene = scene};
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < scene->probe_count && status == BRUME_OK; n++) {
        char path[BRUME_MAX_PATH];
        status = brume_probe_file_path(&scene->probes[n], folder, path, error);
        if (status == BRUME_OK) {
            status = ends ? brume_line_file_continue(&probes->files[n], path, ends[n], error)
                          : create_file(&probes->files[n], &scene->probes[n], path, overwrite, error);
            probes->count = n + 1; // a file that is not open is all zero
        }
    }
    return status;
}

// returns memory for so many positions of a probe; NULL where there is none
static BrumeProbeSample *reserve(BrumeProbeFiles *probes, size_t count)
{
    if (count > probes->capacity) {
        free(probes->samples);
        probes->samples = calloc(count, sizeof *probes->samples);
        probes->capacity = probes->samples ? count : 0;
    }
    return probes->samples;
}

static BrumeStatus add_probe(BrumeProbeFiles *probes, int n, BrumeSim *sim, BrumeError *error)
{
    const BrumeProbe *probe = &probes->scene->probes[n];
    const BrumeSimDef *def = brume_sim_settings(sim);
    const size_t count = brume_probe_size(probe, def);
    if (count == 0) {
        return BRUME_OK; // the timeline has moved the box away
    }
    BrumeProbeSample *samples = reserve(probes, count);
    if (!samples) {
        return brume_out_of_memory(error, "%zu positions of a probe", count);
    }
    brume_probe_positions(probe, def, samples);
    brume_sim_sample(sim, probe->quantities, samples, count);
    BrumeText text = {0};
    add_lines(probe, sim, samples, count, probes->scene->first_frame, &text);
    return append(&probes->files[n], &text, error);
}

BrumeStatus brume_probe_files_add(BrumeProbeFiles *probes, BrumeSim *sim, bool last, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < probes->count && status == BRUME_OK; n++) {
        const BrumeProbe *probe = &probes->scene->probes[n];
        const bool due = probe->last ? last : !last && brume_sim_frames(sim) % probe->every == 0;
        status = due ? add_probe(probes, n, sim, error) : BRUME_OK;
    }
    return status;
}

BrumeStatus brume_probe_files_flush(BrumeProbeFiles *probes, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < probes->count && status == BRUME_OK; n++) {
        status = brume_line_file_flush(&probes->files[n], error);
    }
    return status;
}

BrumeStatus brume_probe_files_close(BrumeProbeFiles *probes, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < probes->count; n++) {
        BrumeError own;
        const BrumeStatus closed = brume_line_file_close(&probes->files[n], &own);
        if (closed != BRUME_OK && status == BRUME_OK) {
            status = closed;
            *error = own;
        }
    }
    probes->count = 0;
    return status;
}

void brume_probe_files_destroy(BrumeProbeFiles *probes)
{
    BrumeError ignored;
    (void)brume_probe_files_close(probes, &ignored);
    free(probes->samples);
    *probes = (BrumeProbeFiles){0};
}
