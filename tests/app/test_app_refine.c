// `brume refine` and `brume convert --retime`, as processes.
#include "io/file.h"
#include "program.h"
#include "raymarch_check.h"
#include "refine_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CELLS = 16, FRAMES = 5 };

static BrumeError error;
static const double wind[3] = {12.0, 0.0, 0.0}; // m/s in cells of 1 m: half a cell in a frame

static void write_volume(const char *path, const BrumeFrameGrids *frame)
{
    const BrumeVolumeWriteDef def = {.overwrite = true};
    assert_int_equal(brume_volume_format_of(path)->write(frame, path, &def, &error), BRUME_OK);
}

// cache/a.0001.raw and so on: a ball in a turbulent wind, 24 frames per second
static void write_cache(bool has_velocity)
{
    for (int n = 1; n <= FRAMES; n++) {
        char path[64];
        const double center[3] = {5.0 + 0.5 * n, 8.0, 8.0};
        BrumeFrameGrids frame = ball_frame(brume_grid(CELLS, CELLS, CELLS), center, 3.0, wind);
        frame.has_frame = true;
        frame.frame = n;
        frame.time = n / 24.0;
        add_turbulence(&frame, 4.0, 6.0);
        if (!has_velocity) {
            brume_frame_grids_remove(&frame, 1);
        }
        (void)snprintf(path, sizeof path, "cache/a.%04d.raw", n);
        assert_int_equal(brume_file_make_folder(path, &error), BRUME_OK);
        write_volume(path, &frame);
        brume_frame_grids_destroy(&frame);
    }
}

static BrumeFrameGrids read_volume(const char *path)
{
    BrumeFrameGrids frame = {0};
    if (brume_volume_file_read(&frame, path, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return frame;
}

// a run that is continued gives the bytes of an uninterrupted one, with another number of threads
static void test_resume(void **state)
{
    (void)state;
    static ProgramRun run;
    write_cache(true);
    run_successfully(&run, "refine cache/a.####.raw -o whole/a.####.raw --factor 2 -q --texture-period 0.1");
    assert_int_equal(setenv("OMP_NUM_THREADS", "1", 1), 0);
    run_successfully(&run,
                     "refine cache/a.####.raw -o parts/a.####.raw --factor 2 -q --texture-period 0.1 --frames 1:2");
    assert_int_equal(setenv("OMP_NUM_THREADS", "3", 1), 0);
    run_successfully(&run, "refine cache/a.####.raw -o parts/a.####.raw --factor 2 --texture-period 0.1 --resume");
    assert_non_null(strstr(run.out, "\n3 files are written\n"));
    run_successfully(&run, "refine cache/a.####.raw -o parts/a.####.raw --factor 2 --texture-period 0.1 --resume");
    assert_string_equal(run.out, "0 files are written\n");
    for (int n = 1; n <= FRAMES; n++) {
        char paths[3][64];
        (void)snprintf(paths[0], sizeof paths[0], "whole/a.%04d.raw", n);
        (void)snprintf(paths[1], sizeof paths[1], "parts/a.%04d.raw", n);
        (void)snprintf(paths[2], sizeof paths[2], "cache/a.%04d.raw", n);
        assert_same_files(paths[0], paths[1]);
        BrumeFrameGrids fine = read_volume(paths[0]);
        BrumeFrameGrids coarse = read_volume(paths[2]);
        assert_int_equal(fine.cells.nx, 2 * CELLS);
        assert_near("side of a cell", fine.dx, 0.5, 0.0);
        assert_int_equal(fine.frame, n);
        assert_near("time", fine.time, coarse.time, 0.0);
        assert_near("smoke", sum_of(&fine, "density") / sum_of(&coarse, "density"), 1.0, 1e-5);
        brume_frame_grids_destroy(&fine);
        brume_frame_grids_destroy(&coarse);
    }
}

// a run does not go on after the frame b/a.0001.raw with other options than those of that frame
static void check_other_settings(ProgramRun *run)
{
    static const char *const options[][2] = {{"--factor 3", "'--factor 2', not '--factor 3'"},
                                             {"--strength 2", "'--strength 1', not '--strength 2'"},
                                             {"--scale 6", "'--scale 4', not '--scale 6'"},
                                             {"--texture-period 2", "'--texture-period 1', not '--texture-period 2'"},
                                             {"--fps 30", "'--fps 0', not '--fps 30'"},
                                             {"--method texture", "'--method advect', not '--method texture'"}};
    for (size_t n = 0; n < sizeof options / sizeof options[0]; n++) {
        char command[128];
        char message[256];
        (void)snprintf(command, sizeof command, "refine cache/a.####.raw -o b/a.####.raw --resume %s", options[n][0]);
        (void)snprintf(message, sizeof message,
                       "b/a.####.raw.refine: the frames that exist were refined with %s (give the same options, or "
                       "another --output)",
                       options[n][1]);
        run_with_error(run, 2, command, message);
    }
    run_successfully(run, "refine cache/a.####.raw -o c/a.####.raw --frames 1:1 --strength 2");
    run_with_error(run, 2, "refine cache/a.####.raw -o c/a.####.raw --frames 2:2",
                   "c/a.####.raw.refine: the frames that exist were refined with '--strength 2', not '--strength 1' "
                   "(give the same options, or another --output)");
    assert_int_equal(remove("c/a.####.raw.refine"), 0); // frames of which the options are not known
    run_with_error(run, 2, "refine cache/a.####.raw -o c/a.####.raw --resume --factor 3",
                   "c/a.0001.raw: it is not a frame of cache/a.0001.raw refined by 3 (give another --output)");
    run_successfully(run, "refine cache/a.####.raw -o c/a.####.raw --frames 1:1 --overwrite");
    run_successfully(run, "refine cache/a.####.raw -o c/a.####.raw --resume");
}

static void test_refusals(void **state)
{
    (void)state;
    static ProgramRun run;
    write_cache(true);
    run_with_error(&run, 2, "refine cache/a.####.raw", "no --output PATTERN (as -o fine/plume.####.hdf)");
    run_with_error(&run, 2, "refine cache/a.####.raw -o b/a.####.ply",
                   "--output: 'b/a.####.ply' has no extension of volumes (known: .hdf, .vdb, .vti, .raw)");
    run_with_error(&run, 2, "refine cache/a.####.raw -o b/a.####.raw --method fast",
                   "--method: 'fast' is unknown (known: advect, texture)");
    run_with_error(
        &run, 2, "refine cache/a.####.raw -o b/a.####.raw --frames 3:5",
        "--frames: b/a.0002.raw does not exist, and the method advect starts at the first frame, 1, or after a "
        "fine frame (refine the frames before, or give --method texture)");
    run_with_error(
        &run, 2, "refine cache/a.####.raw -o b/a.####.raw --method texture",
        "cache/a.0001.raw: it has no texture coordinates (simulate with solver.texture_period, or give --method "
        "advect)");
    run_with_error(&run, 2, "refine cache/a.####.raw -o cache/a.####.raw --overwrite",
                   "cache/a.0001.raw is the input cache/a.0001.raw (give another OUTPUT)");
    assert_false(access("b/a.0001.raw", F_OK) == 0);
    run_successfully(&run, "refine cache/a.####.raw -o b/a.####.raw --frames 1:1");
    run_with_error(&run, 2, "refine cache/a.####.raw -o b/a.####.raw",
                   "b/a.0001.raw exists (give --overwrite to replace it, or another OUTPUT)");
    check_other_settings(&run);
    write_cache(false);
    run_with_error(&run, 2, "refine cache/a.####.raw -o d/a.####.raw",
                   "cache/a.0001.raw: it has no grid 'velocity' (write it with --fields smoke,temperature,velocity)");
    run_with_error(&run, 2, "convert cache/a.####.raw d/a.####.raw --retime 2",
                   "cache/a.0002.raw: it has no grid 'velocity' (write it with --fields smoke,temperature,velocity)");
    run_with_error(&run, 2, "convert cache/a.0001.raw d.raw --retime 2",
                   "--retime needs at least two frames, and cache/a.0001.raw has one (give a pattern of several, as "
                   "'cache/plume.####.hdf')");
    run_with_error(&run, 2, "convert cache/a.####.raw d.ply --retime 2 --bodies",
                   "--bodies and --retime exclude each other (remove one)");
}

// `count` frames from number 1 on, of which frame n is at the time `start` + n `step` of the cache
static void check_retimed(const char *pattern, int count, double factor)
{
    for (int n = 0; n < count; n++) {
        char path[64];
        (void)snprintf(path, sizeof path, pattern, n + 1);
        BrumeFrameGrids frame = read_volume(path);
        assert_int_equal(frame.frame, n + 1);
        assert_near("time", frame.time, (1.0 + n / factor) / 24.0, 1e-12);
        assert_near("smoke", sum_of(&frame, "density"), 121.0, 4.0);
        brume_frame_grids_destroy(&frame);
    }
    char path[64];
    (void)snprintf(path, sizeof path, pattern, count + 1);
    assert_false(access(path, F_OK) == 0);
}

static void test_retime(void **state)
{
    (void)state;
    static ProgramRun run;
    write_cache(true);
    run_successfully(&run, "convert cache/a.####.raw slow/a.####.raw --retime 2.5");
    assert_non_null(strstr(run.out, "\n11 files: slow/a.0001.raw to slow/a.0011.raw\n"));
    check_retimed("slow/a.%04d.raw", 11, 2.5);
    run_successfully(&run, "convert cache/a.####.raw fast/a.####.raw --retime 0.5 -q");
    check_retimed("fast/a.%04d.raw", 3, 0.5);
    BrumeFrameGrids last = read_volume("cache/a.0005.raw");
    BrumeFrameGrids retimed = read_volume("slow/a.0011.raw");
    for (int n = 0; n < 2; n++) {
        assert_memory_equal(last.grids[n].values, retimed.grids[n].values,
                            brume_frame_grid_values(last.cells, &last.grids[n]) * sizeof(float));
    }
    brume_frame_grids_destroy(&last);
    brume_frame_grids_destroy(&retimed);
    run_successfully(&run, "convert cache/a.####.raw grids/a.####.raw --retime 2 --grids density -q --frames 2:3");
    retimed = read_volume("grids/a.0003.raw");
    assert_int_equal(retimed.count, 1);
    brume_frame_grids_destroy(&retimed);
}

#ifdef BRUME_HAS_HDF5
// the particles of a frame are those of the refined one, and retimed frames have them
static void test_particles(void **state)
{
    (void)state;
    static ProgramRun run;
    make_file("dust.yaml", "domain: {size: [1, 1, 1]}\n"
                           "solver: {resolution: 16}\n"
                           "emitters: [{shape: sphere, center: [0, 0.3, 0], radius: 0.2, density: 1, temperature: 90, "
                           "dust: 3000}]\n");
    run_successfully(&run, "sim dust.yaml -q -o cache/a.####.hdf --frames 1:3 --fields smoke,velocity,particles");
    run_successfully(&run, "refine cache/a.####.hdf -o fine/a.####.hdf --factor 2 -q");
    run_successfully(&run, "convert cache/a.####.hdf slow/a.####.hdf --retime 2 -q");
    BrumeFrameGrids cache = {0};
    BrumeFrameGrids fine = {0};
    BrumeFrameGrids slow[2] = {{.count = 0}};
    const BrumeVolumeReadDef all = {.parts = BRUME_READ_ALL};
    assert_int_equal(brume_volume_file_read_grids(&cache, "cache/a.0003.hdf", &all, &error), BRUME_OK);
    assert_int_equal(brume_volume_file_read_grids(&fine, "fine/a.0003.hdf", &all, &error), BRUME_OK);
    assert_int_equal(brume_volume_file_read_grids(&slow[0], "slow/a.0004.hdf", &all, &error), BRUME_OK);
    assert_int_equal(brume_volume_file_read_grids(&slow[1], "slow/a.0005.hdf", &all, &error), BRUME_OK);
    assert_in_range(cache.particle_count, 300, 450); // 3000 per second for 1/8 s
    const size_t size = (size_t)cache.particle_count * sizeof *cache.particles;
    assert_int_equal(fine.particle_count, cache.particle_count);
    assert_memory_equal(fine.particles, cache.particles, size);
    assert_int_equal(slow[1].particle_count, cache.particle_count);
    assert_memory_equal(slow[1].particles, cache.particles, size);
    assert_in_range(slow[0].particle_count, cache.particle_count - 80, cache.particle_count - 45); // 1/48 s before
    brume_frame_grids_destroy(&cache);
    brume_frame_grids_destroy(&fine);
    brume_frame_grids_destroy(&slow[0]);
    brume_frame_grids_destroy(&slow[1]);
}
#endif

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_resume),
        IN_FOLDER(test_refusals),
        IN_FOLDER(test_retime),
#ifdef BRUME_HAS_HDF5
        IN_FOLDER(test_particles),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
