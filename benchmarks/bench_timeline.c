// Scrubbing the past of a simulation: frames of a plume are kept, then shown one after the other and in random order,
// from memory and from the temporary file, which the system does not have in its memory at first.
//
//     bench_timeline [FRAMES [CELLS]]
#define _GNU_SOURCE // posix_fadvise
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "viewer/history/frame_history.h"
#include "viewer/threads/playback_thread.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WARM_UP = 48, MAX_FRAMES = 5000 };

static double processor_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check(BrumeStatus status, const BrumeError *error)
{
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "bench_timeline: %s\n", error->text);
        exit(1);
    }
}

static void start_plume(BrumeSession *session, int cells)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = cells;
    def.dx = 1.0f / (float)cells;
    def.origin = brume_vec3(0.0f, 0.0f, 0.0f);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.15f, 0.5f}, .radius = 0.12f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 300.0f};
    BrumeError error = {0};
    check(brume_session_start(session, &def, 1, &error), &error);
    static const BrumeFrameEdits none;
    for (int n = 0; n < WARM_UP; n++) {
        BrumeError rejected = {0};
        check(brume_session_run_frame(session, &none, &rejected, &error), &error);
    }
}

// removes the temporary file from the memory of the system
static void forget_file(void)
{
    DIR *folder = opendir("/proc/self/fd");
    for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
        char path[64];
        char target[512] = "";
        (void)snprintf(path, sizeof path, "/proc/self/fd/%.16s", entry->d_name);
        const int descriptor = atoi(entry->d_name);
        if (readlink(path, target, sizeof target - 1) > 0 && strstr(target, "brume-frames-")) {
            (void)fsync(descriptor);
            (void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
}

static int compare(const void *a, const void *b) { return *(const double *)a < *(const double *)b ? -1 : 1; }

static int random_frame(uint32_t *state, int count)
{
    *state = *state * 1664525u + 1013904223u;
    return (int)((*state >> 8) % (uint32_t)count);
}

// shows `count` frames, each as soon as the previous frame is shown
static void scrub(BrumeFrameHistory *history, int count, const char *from, bool randomly)
{
    static double waits[MAX_FRAMES];
    const BrumePlaybackDef def = {.frames = brume_frame_history_frames(history, 24.0)};
    BrumePlaybackThread *player = NULL;
    BrumeError error = {0};
    check(brume_playback_thread_create(&player, &def, &error), &error);
    BrumeStateSource *const source = brume_playback_thread_source(player);
    forget_file();
    uint32_t state = 1;
    int shown = -1;
    const double start = brume_seconds();
    const double processor_start = processor_seconds();
    for (int n = 0; n < count; n++) {
        int frame = randomly ? random_frame(&state, count) : n;
        frame = frame == shown ? (frame + 1) % count : frame;
        const double begin = brume_seconds();
        brume_playback_thread_seek(player, frame);
        while (brume_state_source_latest(source)->frame != frame || brume_state_source_latest(source)->serial == 0) {
            (void)usleep(200);
        }
        waits[n] = brume_seconds() - begin;
        shown = frame;
    }
    const double seconds = brume_seconds() - start;
    const double processor = processor_seconds() - processor_start;
    qsort(waits, (size_t)count, sizeof waits[0], compare);
    printf("| %s, %s | %.0f | %.1f | %.1f | %.1f |\n", from, randomly ? "random order" : "one after the other",
           count / seconds, 1e3 * waits[count / 2], 1e3 * waits[count * 95 / 100], 1e3 * processor / count);
    brume_playback_thread_destroy(player);
}

static void measure(BrumeSession *session, int count, bool on_disk)
{
    const BrumeFrameHistoryDef def = {
        .memory = on_disk ? (size_t)1 << 26 : (size_t)1 << 40,
        .disk = on_disk ? (uint64_t)1 << 40 : 0,
        .playback = (size_t)1 << 29,
    };
    BrumeFrameHistory *history = NULL;
    BrumeError error = {0};
    check(brume_frame_history_create(&history, &def, &error), &error);
    const double start = processor_seconds();
    for (session->frame = 0; session->frame < count; session->frame++) {
        brume_frame_history_keep(history, session, 0);
    }
    const double processor = processor_seconds() - start;
    BrumeFrameHistoryStatus status;
    brume_frame_history_status(history, &status);
    const char *from = on_disk ? "file" : "memory";
    printf("| keeping in %s: %d frames, %.1f MB each | | | | %.1f |\n", from, status.count,
           1e-6 * ((double)status.bytes + (double)status.file_bytes) / status.count, 1e3 * processor / count);
    if (status.count < count) {
        (void)fprintf(stderr, "bench_timeline: only %d of %d frames are kept\n", status.count, count);
    }
    scrub(history, status.count, from, false);
    scrub(history, status.count, from, true);
    brume_frame_history_destroy(history);
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 500;
    const int cells = argc > 2 ? atoi(argv[2]) : 96;
    if (count < 2 || count > MAX_FRAMES || cells < 8 || cells > 512) {
        (void)fprintf(stderr, "bench_timeline: frames from 2 to %d, cells from 8 to 512\n", MAX_FRAMES);
        return 2;
    }
    static BrumeSession session;
    start_plume(&session, cells);
    printf("%d frames of %d x %d x %d cells\n\n", count, cells, cells, cells);
    printf("| what | frames/s | median [ms] | 95 %% [ms] | processor time per frame [ms] |\n");
    printf("| --- | --- | --- | --- | --- |\n");
    measure(&session, count, false);
    measure(&session, count, true);
    brume_session_destroy(&session);
    return 0;
}
