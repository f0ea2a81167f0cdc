// Several workers that draw one sequence, of a scene or of volumes: parts of the frames, claimed frames, killed
// workers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/cli/values.h"
#include "app/render/frame_claim.h"
#include "program.h"

static ProgramRun run;

enum { FRAMES = 12 };

static const char slow_images[] = "--size 320x180 --samples 4 -t 1"; // drawing takes longer than simulating

// the number of files in a folder whose names contain a text
static int count_files(const char *folder, const char *text)
{
    int count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        count += strstr(entry->d_name, text) != NULL;
    }
    (void)closedir(entries);
    return count;
}

// the images of `folder` are those of the undisturbed run, and nothing else is there
static void assert_complete(const char *folder)
{
    for (int frame = 1; frame <= FRAMES; frame++) {
        char expected[64];
        char path[64];
        (void)snprintf(expected, sizeof expected, "reference/a.%04d.png", frame);
        (void)snprintf(path, sizeof path, "%s/a.%04d.png", folder, frame);
        assert_same_files(expected, path);
    }
    assert_int_equal(count_entries(folder), FRAMES);
}

// the number of images that a run says it has drawn
static int drawn_frames(const char *out)
{
    int count = 0;
    const char *line = strstr(out, " in 0:");
    if (strstr(out, "no frame is written") || strstr(out, "nothing to do")) {
        return 0;
    }
    assert_non_null(line);
    while (line > out && line[-1] != '\n') {
        line--;
    }
    assert_int_equal(sscanf(line, "%d frame", &count), 1);
    return count;
}

/* Parts of a range. */

static void test_chunks_cover_each_frame_once(void **state)
{
    (void)state;
    for (int stride = 1; stride <= 3; stride++) {
        for (int frames = 1; frames <= 40; frames++) {
            const BrumeFrameRange range = {.first = 5, .last = 5 + (frames - 1) * stride, .stride = stride};
            for (int count = 1; count <= frames + 5; count++) {
                int next = 0; // index of the first frame that no earlier chunk has
                int least = frames;
                int most = 0;
                for (int index = 1; index <= count; index++) {
                    BrumeFrameRange part;
                    const bool has_frames =
                        brume_frames_chunk(&range, &(BrumeChunk){.index = index, .count = count}, &part);
                    const int size = has_frames ? brume_frames_count(&part) : 0;
                    if (has_frames) {
                        assert_int_equal(part.first, brume_frames_at(&range, next));
                        assert_int_equal(part.stride, stride);
                        assert_int_equal(part.last, brume_frames_at(&range, next + size - 1));
                    }
                    next += size;
                    least = size < least ? size : least;
                    most = size > most ? size : most;
                }
                assert_int_equal(next, frames);
                assert_in_range(most - least, 0, 1);
            }
        }
    }
}

static void test_chunks_of_a_run(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o reference/a.####.png");
    run_successfully(&run, "render little.yaml -o out/a.####.png --chunk 2/5");
    assert_int_equal(count_entries("out"), 2); // frames 3 and 4
    assert_non_null(strstr(run.out, "frame 4/4  100%"));
    run_successfully(&run, "render little.yaml -q -o out/a.####.png --chunk 1/5");
    run_successfully(&run, "render little.yaml -q -o out/a.####.png --chunk 3/5");
    run_successfully(&run, "render little.yaml -q -o out/a.####.png --chunk 4/5");
    run_successfully(&run, "render little.yaml -q -o out/a.####.png --chunk 5/5");
    assert_complete("out");

    // of the range that --frames gives; a part without a frame does nothing
    run_successfully(&run, "render little.yaml -q -o part/a.####.png --frames 2:8:3 --chunk 2/3");
    assert_int_equal(count_entries("part"), 1);
    assert_same_files("reference/a.0005.png", "part/a.0005.png");
    run_successfully(&run, "render little.yaml -o none/a.####.png --frames 2:8:3 --chunk 1/4");
    assert_string_equal(run.out, "nothing to do: part 1 of 4 has none of 3 frames\n");
    assert_false(exists("none"));

    // the estimate is that of the part
    run_successfully(&run, "render little.yaml --dry-run --chunk 2/5");
    assert_non_null(strstr(run.out, "frames       simulates 1 to 4, draws 2 of them\n"));
}

/* Claims. */

static BrumeClaimResult take(BrumeFrameClaim *claim, double timeout)
{
    BrumeError error;
    BrumeClaimResult result;
    assert_int_equal(brume_frame_claim_take(claim, "a.png", timeout, &result, &error), BRUME_OK);
    assert_int_equal(claim->lock_path != NULL, result == BRUME_CLAIM_TAKEN);
    return result;
}

static void test_one_worker_claims_a_frame(void **state)
{
    (void)state;
    BrumeFrameClaim claim;
    BrumeFrameClaim other;
    assert_int_equal(take(&claim, 3600.0), BRUME_CLAIM_TAKEN);
    assert_true(exists("a.png.lock"));
    assert_int_equal(take(&other, 3600.0), BRUME_CLAIM_BUSY);
    assert_int_equal(take(&other, 1e-9), BRUME_CLAIM_BUSY); // a lock that is seen does not age
    brume_frame_claim_release(&claim);
    assert_false(exists("a.png.lock"));
    assert_int_equal(take(&other, 3600.0), BRUME_CLAIM_TAKEN);
    make_file("a.png", "image");
    assert_int_equal(take(&claim, 3600.0), BRUME_CLAIM_EXISTS);
    brume_frame_claim_remove_abandoned("a.png", 3600.0);
    assert_true(exists("a.png.lock")); // it is in use
    brume_frame_claim_release(&other);
    assert_int_equal(count_files(".", ".lock"), 0);

    BrumeError error;
    BrumeClaimResult result;
    assert_int_equal(brume_frame_claim_take(&claim, "nowhere/a.png", 1.0, &result, &error), BRUME_FAILED);
    assert_string_equal(error.text, "nowhere/a.png.lock: cannot make the lock file: No such file or directory");
}

static void set_age(const char *path, double seconds)
{
    const struct timespec time_then = {.tv_sec = time(NULL) - (time_t)seconds};
    const struct timespec times[2] = {time_then, time_then};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_abandoned_locks(void **state)
{
    (void)state;
    BrumeFrameClaim claim;
    // of a worker on this machine that has ended: the text is that of a claim
    assert_int_equal(take(&claim, 3600.0), BRUME_CLAIM_TAKEN);
    size_t size;
    char *own = read_whole_file("a.png.lock", &size);
    assert_non_null(strchr(own, '\n'));
    brume_frame_claim_release(&claim);
    make_file("a.png.lock", own);
    free(own);
    assert_int_equal(take(&claim, 3600.0), BRUME_CLAIM_TAKEN);
    brume_frame_claim_release(&claim);

    // one killed before it wrote its name
    make_file("a.png.lock", "");
    assert_int_equal(take(&claim, 3600.0), BRUME_CLAIM_TAKEN);
    brume_frame_claim_release(&claim);

    // of another machine, whose locks may not be seen here: by its age
    make_file("a.png.lock", "node7 4711 6c1b5a4e-0000-4000-8000-000000000000 1700000000\n");
    assert_int_equal(take(&claim, 100.0), BRUME_CLAIM_BUSY);
    set_age("a.png.lock", 99.0);
    assert_int_equal(take(&claim, 110.0), BRUME_CLAIM_BUSY);
    assert_int_equal(take(&claim, 90.0), BRUME_CLAIM_TAKEN);
    brume_frame_claim_release(&claim);
    assert_int_equal(count_files(".", ".lock"), 0);

    // beside an image, one is removed
    make_file("a.png", "image");
    make_file("a.png.lock", "");
    brume_frame_claim_remove_abandoned("a.png", 3600.0);
    assert_int_equal(count_files(".", ".lock"), 0);
}

/* Workers. */

static void start_of_worker(char *text, size_t size, const char *more)
{
    (void)snprintf(text, size, "render little.yaml -o out/a.####.png --skip-existing %s %s", slow_images, more);
}

static void make_reference(void)
{
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "render little.yaml -q -o reference/a.####.png %s", slow_images);
    run_successfully(&run, arguments);
}

static void test_existing_frames_are_skipped(void **state)
{
    (void)state;
    make_reference();
    char arguments[256];
    start_of_worker(arguments, sizeof arguments, "--frames 2:9");
    run_successfully(&run, arguments);
    assert_int_equal(drawn_frames(run.out), 8);
    assert_int_equal(unlink("out/a.0004.png"), 0);
    // the frames after the last one that is missing are not simulated
    run_successfully(&run, arguments);
    assert_int_equal(drawn_frames(run.out), 1);
    assert_non_null(strstr(run.out, "frame 4/4  100%"));
    run_successfully(&run, arguments);
    assert_string_equal(run.out, "nothing to do: all files exist (give --overwrite to make them again)\n");
    start_of_worker(arguments, sizeof arguments, "");
    run_successfully(&run, arguments);
    assert_int_equal(drawn_frames(run.out), 4);
    assert_complete("out");
    // a lock file that a worker left when it was killed after the image was written
    make_file("out/a.0005.png.lock", "");
    run_successfully(&run, arguments);
    assert_complete("out");
}

// three workers with the same arguments draw all frames, each once
static void draw_side_by_side(const char *arguments)
{
    enum { WORKERS = 3 };
    Program workers[WORKERS];
    for (int n = 0; n < WORKERS; n++) {
        workers[n] = start_program(arguments, 0);
    }
    int drawn = 0;
    for (int n = 0; n < WORKERS; n++) {
        finish_program(&workers[n], &run);
        assert_string_equal(run.err, "");
        assert_int_equal(run.status, 0);
        drawn += drawn_frames(run.out);
    }
    assert_int_equal(drawn, FRAMES); // no frame is drawn twice
    assert_complete("out");
}

static void test_workers_side_by_side(void **state)
{
    (void)state;
    make_reference();
    char arguments[256];
    start_of_worker(arguments, sizeof arguments, "");
    draw_side_by_side(arguments);
}

/* Processes of one launcher share the frames, or are refused where each would write the same file. */
static void test_launched_processes(void **state)
{
    (void)state;
    static const struct {
        const char *variable, *launcher;
    } launchers[] = {{"OMPI_COMM_WORLD_SIZE", "mpirun"}, {"PMI_SIZE", "mpirun"}, {"SLURM_STEP_NUM_TASKS", "srun"}};
    make_reference();
    // a copy of the program, without the module for MPI beside it
    size_t size;
    char *program = read_whole_file(getenv("BRUME_PROGRAM"), &size);
    make_binary_file("brume", program, size);
    free(program);
    assert_int_equal(chmod("brume", 0755), 0);
    char built[1024];
    (void)snprintf(built, sizeof built, "%s", getenv("BRUME_PROGRAM"));
    for (int n = 0; n < 3; n++) {
        char expected[256];
        assert_int_equal(setenv("BRUME_PROGRAM", "./brume", 1), 0);
        assert_int_equal(setenv(launchers[n].variable, "3", 1), 0);
        (void)snprintf(
            expected, sizeof expected,
            "brume: %s has started 3 processes: brume-mpi.so is not installed, processes cannot share a simulation (it "
            "is built where libopenmpi-dev is; or start one process)\n",
            launchers[n].launcher);
        run_program(&run, "sim little.yaml -o out/a.####.vti");
        assert_int_equal(run.status, 2);
        assert_string_equal(run.err, expected);
        assert_int_equal(setenv("BRUME_PROGRAM", built, 1), 0);
        run_program(&run, "render little.yaml -o out/a.####.png --overwrite");
        assert_int_equal(run.status, 2);
        assert_non_null(strstr(run.err, "would write all images (start one, or leave out --overwrite)\n"));
        run_program(&run, "render little.yaml -o out/a.mp4");
        assert_int_equal(run.status, 2);
        assert_non_null(strstr(run.err, "would write the whole video (start one)\n"));
        assert_int_equal(count_files(".", "out"), 0);
        assert_int_equal(setenv(launchers[n].variable, "1", 1), 0);
        run_successfully(&run, "sim little.yaml -q --frames 1:1 --stats s.json --overwrite");
        assert_int_equal(unsetenv(launchers[n].variable), 0);
    }
    assert_int_equal(setenv("OMPI_COMM_WORLD_SIZE", "3", 1), 0);
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "render little.yaml -o out/a.####.png %s", slow_images);
    draw_side_by_side(arguments);
    assert_int_equal(unsetenv("OMPI_COMM_WORLD_SIZE"), 0);
}

static void test_a_killed_worker_loses_its_frame_alone(void **state)
{
    (void)state;
    make_reference();
    char arguments[256];
    start_of_worker(arguments, sizeof arguments, "");
    for (int frame = 2; frame <= 8; frame += 3) {
        char lock[64];
        (void)snprintf(lock, sizeof lock, "out/a.%04d.png.lock", frame);
        Program killed = start_program(arguments, 0);
        wait_for_file(&killed, lock);
        Program other = start_program(arguments, 0);
        assert_int_equal(kill(killed.pid, SIGKILL), 0);
        finish_program(&killed, &run);
        assert_int_equal(run.status, 128 + SIGKILL);
        assert_int_equal(kill(other.pid, SIGKILL), 0);
        finish_program(&other, &run);
        assert_true(count_files("out", ".lock") <= 5); // of frames that were drawn or written, of two workers
        for (int done = 1; done < frame - 3; done++) { // at most three are in flight
            char path[64];
            (void)snprintf(path, sizeof path, "out/a.%04d.png", done);
            assert_true(exists(path));
        }
    }
    run_successfully(&run, arguments);
    assert_complete("out");
}

// where a worker of another machine has drawn the same frame nevertheless, neither fails
static void test_a_frame_that_is_drawn_twice(void **state)
{
    (void)state;
    make_reference();
    char arguments[256];
    start_of_worker(arguments, sizeof arguments, "");
    Program program = start_program(arguments, 0);
    wait_for_file(&program, "out/a.0003.png.lock");
    assert_int_equal(link("reference/a.0003.png", "out/a.0003.png"), 0);
    finish_program(&program, &run);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_complete("out");
}

static void test_checkpoints_of_workers(void **state)
{
    (void)state;
    make_reference();
    // each part has its own folder, from which the same command goes on
    char arguments[256];
    start_of_worker(arguments, sizeof arguments, "--chunk 2/2 --checkpoint-every 3");
    Program program = start_program(arguments, 0);
    wait_for_file(&program, "out/a.0008.png");
    assert_int_equal(kill(program.pid, SIGKILL), 0);
    finish_program(&program, &run);
    assert_true(exists("out/a.chunk-2-of-2.checkpoints"));
    run_successfully(&run, arguments);
    assert_non_null(strstr(run.out, "going on after frame "));
    assert_false(exists("out/a.chunk-2-of-2.checkpoints"));

    // two workers with one folder: the first has it
    start_of_worker(arguments, sizeof arguments, "--checkpoint-every 1");
    Program first = start_program(arguments, 0);
    wait_for_file(&first, "out/a.checkpoints/0001.checkpoint");
    run_program(&run, arguments);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "no checkpoints: another worker uses out/a.checkpoints (give each worker a --chunk "
                                    "or its own --checkpoints)\n"));
    finish_program(&first, &run);
    assert_string_equal(run.err, "");
    assert_int_equal(run.status, 0);
    assert_complete("out");
}

// two runs never write one table
static void test_tables_of_workers(void **state)
{
    (void)state;
    Program program = start_program("sim little.yaml -q --measures m.csv -D time.frames=100000", 0);
    wait_for_file(&program, "m.csv");
    const struct timespec pause = {.tv_nsec = 100000000}; // until it has its lock
    (void)nanosleep(&pause, NULL);
    run_program(&run, "render little.yaml -q -o out/a.####.png --skip-existing --measures m.csv");
    assert_string_equal(run.err, "brume: m.csv: cannot write: another run writes it (give each run its own file)\n");
    assert_int_equal(run.status, 1);
    assert_int_equal(kill(program.pid, SIGKILL), 0);
    finish_program(&program, &run);
    size_t size;
    char *table = read_whole_file("m.csv", &size);
    assert_memory_equal(table, "frame,time,", 11);
    assert_true(size > 1000);
    free(table);
}

/* Workers that draw volumes. */

// the volumes of the scene, whose images are those of the scene
static void make_volumes(void)
{
    make_reference();
    run_successfully(&run, "sim little.yaml -q -o volumes/a.####.raw");
}

static void start_of_volume_worker(char *text, size_t size, const char *more)
{
    (void)snprintf(text, size, "render volumes/a.####.raw -o out/a.####.png --skip-existing %s %s", slow_images, more);
}

static void test_chunks_of_volumes(void **state)
{
    (void)state;
    make_volumes();
    static const int ends[] = {2, 4, 7, 9, 12}; // the last frames of the parts
    for (int part = 1; part <= 5; part++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments, "render volumes/a.####.raw -o out/a.####.png %s --chunk %d/5",
                       slow_images, part);
        run_successfully(&run, arguments);
        assert_int_equal(count_entries("out"), ends[part - 1]);
        assert_int_equal(drawn_frames(run.out), ends[part - 1] - (part > 1 ? ends[part - 2] : 0));
        assert_non_null(strstr(run.out, "  100%  "));
    }
    assert_complete("out");
    run_successfully(&run, "render volumes/a.####.raw -o none/a.####.png --frames 2:8:3 --chunk 1/4");
    assert_string_equal(run.out, "nothing to do: part 1 of 4 has none of 3 frames\n");
    assert_false(exists("none"));
    // a part of one frame is still one of several
    run_program(&run, "render volumes/a.####.raw -o a.png --chunk 1/12");
    assert_string_equal(run.err, "brume: --output: 'a.png' has no frame number for 12 frames (did you mean "
                                 "'a.####.png'?)\n");
    assert_int_equal(run.status, 2);
}

static void test_volume_workers_side_by_side(void **state)
{
    (void)state;
    make_volumes();
    char arguments[256];
    start_of_volume_worker(arguments, sizeof arguments, "");
    draw_side_by_side(arguments);
    run_successfully(&run, arguments);
    assert_string_equal(run.out, "nothing to do: all files exist (give --overwrite to make them again)\n");
    assert_int_equal(unlink("out/a.0004.png"), 0);
    make_file("out/a.0005.png.lock", ""); // that a killed worker has left
    run_successfully(&run, arguments);
    assert_int_equal(drawn_frames(run.out), 1);
    assert_complete("out");
}

static void test_a_killed_volume_worker(void **state)
{
    (void)state;
    make_volumes();
    char arguments[256];
    start_of_volume_worker(arguments, sizeof arguments, "");
    Program killed = start_program(arguments, 0);
    wait_for_file(&killed, "out/a.0005.png.lock");
    assert_int_equal(kill(killed.pid, SIGKILL), 0);
    finish_program(&killed, &run);
    assert_int_equal(run.status, 128 + SIGKILL);
    assert_true(exists("out/a.0005.png.lock"));
    assert_false(exists("out/a.0012.png"));
    run_successfully(&run, arguments);
    assert_complete("out");
}

// the frames that another worker has claimed are left to it
static void test_claimed_frames_of_volumes(void **state)
{
    (void)state;
    make_volumes();
    assert_int_equal(mkdir("out", 0777), 0);
    BrumeError error;
    BrumeFrameClaim claim;
    BrumeClaimResult result;
    assert_int_equal(brume_frame_claim_take(&claim, "out/a.0007.png", 3600.0, &result, &error), BRUME_OK);
    assert_int_equal(result, BRUME_CLAIM_TAKEN);
    char arguments[256];
    start_of_volume_worker(arguments, sizeof arguments, "");
    run_successfully(&run, arguments);
    assert_int_equal(drawn_frames(run.out), FRAMES - 1);
    assert_non_null(strstr(run.out, "\n1 frame is left to other workers; "
                                    "the same command again draws what a killed one leaves\n"));
    assert_non_null(strstr(run.out, "frame 12/12  100%"));
    run_successfully(&run, arguments);
    assert_memory_equal(run.out, "no frame is written, in 0:0", 27);
    assert_non_null(strstr(run.out, "\n1 frame is left to other workers; "
                                    "the same command again draws what a killed one leaves\n"));
    brume_frame_claim_release(&claim);

    // the lock file of another machine: by its age
    make_file("out/a.0007.png.lock", "node7 4711 6c1b5a4e-0000-4000-8000-000000000000 1700000000\n");
    set_age("out/a.0007.png.lock", 100.0);
    start_of_volume_worker(arguments, sizeof arguments, "--lock-timeout 1000s");
    run_successfully(&run, arguments);
    assert_int_equal(drawn_frames(run.out), 0);
    assert_int_equal(count_entries("out"), FRAMES); // eleven images and the lock file
    start_of_volume_worker(arguments, sizeof arguments, "--lock-timeout 90s");
    run_successfully(&run, arguments);
    assert_int_equal(drawn_frames(run.out), 1);
    assert_complete("out");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_cover_each_frame_once),
        cmocka_unit_test_setup_teardown(test_chunks_of_a_run, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_one_worker_claims_a_frame, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_abandoned_locks, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_existing_frames_are_skipped, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_workers_side_by_side, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_launched_processes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_a_killed_worker_loses_its_frame_alone, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_a_frame_that_is_drawn_twice, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_checkpoints_of_workers, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_tables_of_workers, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_chunks_of_volumes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_volume_workers_side_by_side, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_a_killed_volume_worker, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_claimed_frames_of_volumes, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
