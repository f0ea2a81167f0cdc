// A file is read in a child process: its frame arrives unchanged, and a reader that crashes, exits, hangs or needs too
// much memory becomes one line of text.
#include "core/memory.h"
#include "exchange/child_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char path[] = "cloud.vol"; // no test opens it
static const BrumeVolumeReadDef all;

static BrumeStatus read_frame(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                              BrumeError *error)
{
    (void)def;
    assert_string_equal(name, path);
    frame->cells = (BrumeGrid){5, 4, 3};
    frame->dx = 0.25;
    frame->origin[0] = -1.0;
    frame->origin[1] = 0.5;
    frame->origin[2] = 2.0;
    frame->has_frame = true;
    frame->frame = 7;
    frame->time = 0.125;
    frame->scene_text = brume_copy_text("name: Test\n");
    static const struct {
        const char *name;
        int components;
        BrumeGridLocation location;
    } grids[] = {
        {"density", 1, BRUME_AT_CENTERS}, {"velocity", 3, BRUME_AT_CENTERS}, {"velocity_y", 1, BRUME_AT_Y_FACES}};
    for (int n = 0; n < 3; n++) {
        BrumeFrameGrid *grid = NULL;
        const BrumeStatus status =
            brume_frame_grids_add(frame, grids[n].name, "u", grids[n].components, grids[n].location, &grid, error);
        if (status != BRUME_OK) {
            return status;
        }
        const size_t values = brume_frame_grid_values(frame->cells, grid);
        for (size_t at = 0; at < values; at++) {
            grid->values[at] = (float)(1000 * n) + (float)at;
        }
    }
    return BRUME_OK;
}

static void frame_arrives(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {0};
    BrumeError error = {0};
    assert_int_equal(brume_read_in_child(&frame, path, &all, read_frame, "the test", &error), BRUME_OK);
    assert_int_equal(frame.cells.nx, 5);
    assert_int_equal(frame.cells.ny, 4);
    assert_int_equal(frame.cells.nz, 3);
    assert_true(frame.dx == 0.25 && frame.origin[0] == -1.0 && frame.origin[1] == 0.5 && frame.origin[2] == 2.0);
    assert_true(frame.has_frame);
    assert_int_equal(frame.frame, 7);
    assert_true(frame.time == 0.125);
    assert_string_equal(frame.scene_text, "name: Test\n");
    assert_int_equal(frame.count, 3);
    static const size_t values[3] = {60, 180, 75};
    for (int n = 0; n < 3; n++) {
        assert_int_equal(brume_frame_grid_values(frame.cells, &frame.grids[n]), values[n]);
        assert_string_equal(frame.grids[n].unit, "u");
        for (size_t at = 0; at < values[n]; at++) {
            assert_true(frame.grids[n].values[at] == (float)(1000 * n) + (float)at);
        }
    }
    assert_string_equal(frame.grids[2].name, "velocity_y");
    assert_int_equal(frame.grids[2].location, BRUME_AT_Y_FACES);
    brume_frame_grids_destroy(&frame);
}

// expects a failure that leaves the frame empty, the text, and no child process
static void expect_failure(int seconds, BrumeReadFunction *read, BrumeStatus expected, const char *text)
{
    BrumeFrameGrids frame = {0};
    BrumeError error = {0};
    assert_int_equal(brume_read_in_child_within(seconds, &frame, path, &all, read, "LibVol", &error), expected);
    assert_string_equal(error.text, text);
    assert_int_equal(error.status, expected);
    const BrumeFrameGrids empty = {0};
    assert_memory_equal(&frame, &empty, sizeof frame);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static BrumeStatus read_wrong(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                              BrumeError *error)
{
    const BrumeStatus status = read_frame(frame, name, def, error);
    brume_frame_grids_destroy(frame);
    return status != BRUME_OK ? status
                              : brume_fail(error, BRUME_BAD_INPUT, "%s: is damaged: no grid has a transform", name);
}

static void error_arrives(void **state)
{
    (void)state;
    expect_failure(60, read_wrong, BRUME_BAD_INPUT, "cloud.vol: is damaged: no grid has a transform");
}

static BrumeStatus read_with_signal(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                                    BrumeError *error)
{
    (void)def;
    (void)frame;
    (void)name;
    (void)error;
    (void)fputs("a line of the library that is discarded\n", stderr);
    (void)raise(SIGSEGV); // a wild pointer, of which sanitizers would report and exit
    return BRUME_OK;
}

static BrumeStatus read_with_abort(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                                   BrumeError *error)
{
    (void)def;
    (void)frame;
    (void)name;
    (void)error;
    abort();
}

static BrumeStatus read_with_exit(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                                  BrumeError *error)
{
    (void)def;
    (void)frame;
    (void)name;
    (void)error;
    _exit(3);
}

static BrumeStatus read_with_success(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                                     BrumeError *error)
{
    (void)def;
    (void)frame;
    (void)name;
    (void)error;
    _exit(0);
}

// a library ends the process while the exit handler of another one waits for a thread that the child does not have
static BrumeStatus read_with_exit_handlers(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                                           BrumeError *error)
{
    (void)def;
    (void)frame;
    (void)name;
    (void)error;
    exit(-1);
}

static bool handlers_wait;

static void wait_without_end(void)
{
    while (handlers_wait) {
        (void)pause();
    }
}

static BrumeStatus read_killed(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                               BrumeError *error)
{
    (void)def;
    (void)frame;
    (void)name;
    (void)error;
    (void)raise(SIGKILL);
    return BRUME_OK;
}

static void crashes_become_text(void **state)
{
    (void)state;
    expect_failure(60, read_with_signal, BRUME_BAD_INPUT,
                   "cloud.vol: cannot be read: LibVol ended with signal 11 (Segmentation fault)");
    expect_failure(60, read_with_abort, BRUME_BAD_INPUT,
                   "cloud.vol: cannot be read: LibVol ended with signal 6 (Aborted)");
    expect_failure(60, read_with_exit, BRUME_BAD_INPUT,
                   "cloud.vol: cannot be read: LibVol ended the process with status 3");
    handlers_wait = true;
    expect_failure(60, read_with_exit_handlers, BRUME_BAD_INPUT,
                   "cloud.vol: cannot be read: LibVol ended the process with status 1");
    handlers_wait = false;
    expect_failure(60, read_with_success, BRUME_BAD_INPUT,
                   "cloud.vol: cannot be read: LibVol ended the process with status 0");
    expect_failure(60, read_killed, BRUME_BAD_INPUT,
                   "cloud.vol: cannot be read: LibVol ended with signal 9 (Killed; memory may have run out)");
}

static BrumeStatus read_forever(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                                BrumeError *error)
{
    (void)def;
    (void)frame;
    (void)name;
    (void)error;
    volatile bool done = false;
    while (!done) {
    }
    return BRUME_OK;
}

static void endless_reading_is_limited(void **state)
{
    (void)state;
    expect_failure(1, read_forever, BRUME_BAD_INPUT,
                   "cloud.vol: cannot be read: LibVol took more than 1 s of processor time");
}

static BrumeStatus read_interrupted(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def,
                                    BrumeError *error)
{
    (void)def;
    (void)frame;
    (void)name;
    (void)error;
    (void)raise(SIGINT);
    return BRUME_OK;
}

// The program blocks signals in all its threads; a child must receive them nevertheless.
static void interrupt_ends_the_child(void **state)
{
    (void)state;
    sigset_t blocked;
    sigset_t before;
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, SIGINT);
    assert_int_equal(sigprocmask(SIG_BLOCK, &blocked, &before), 0);
    expect_failure(60, read_interrupted, BRUME_INTERRUPTED, "cloud.vol: interrupted before it was read");
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

#ifndef BRUME_SANITIZED // a sanitizer needs more address space than the limit
static BrumeStatus read_huge(BrumeFrameGrids *frame, const char *name, const BrumeVolumeReadDef *def, BrumeError *error)
{
    (void)def;
    const size_t memory = brume_physical_memory();
    char *bytes = brume_alloc_untouched(memory + memory / 4, 1); // succeeds elsewhere: pages are not written
    if (!bytes) {
        return brume_out_of_memory(error, "%s", name);
    }
    frame->cells.nx = (unsigned char)bytes[0];
    return BRUME_OK;
}

static void memory_is_limited(void **state)
{
    (void)state;
    expect_failure(60, read_huge, BRUME_FAILED, "out of memory for cloud.vol");
}
#endif

int main(void)
{
    (void)atexit(wait_without_end); // before the first child
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frame_arrives),
        cmocka_unit_test(error_arrives),
        cmocka_unit_test(crashes_become_text),
        cmocka_unit_test(endless_reading_is_limited),
        cmocka_unit_test(interrupt_ends_the_child),
#ifndef BRUME_SANITIZED
        cmocka_unit_test(memory_is_limited),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
