// End-to-end tests of what leaves the viewer as files: volumes, linear pictures, videos and jobs have the values that
// `brume sim` and `brume render` write of the saved scene, and what cannot be written leaves nothing behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exchange/volume_format.h"
#include "exr_file.h"
#include "window.h"
#ifdef BRUME_HAS_X11
#include "drop.h"
#endif
#ifdef BRUME_HAS_VIDEO
#include "held_thread.h"
#include "video_file.h"
#endif

// a sphere and an emitter in a box
static const char ball_scene[] =
    "name: Ball\n"
    "domain: {size: [1.6, 0.9, 0.9], boundaries: {all: wall}}\n"
    "solver: {resolution: 16}\n"
    "bodies:\n"
    "  - {shape: sphere, center: [0, 0.45, 0], radius: 0.16}\n"
    "emitters:\n"
    "  - {shape: box, from: [0.25, 0.1, -0.3], to: [0.5, 0.8, 0.3], density: 1, velocity: [1, 0, 0]}\n"
    "time: {fps: 24, frames: 4}\n"
    "image: {width: 320, height: 240, samples: 1}\n"
    "camera: {position: [0, 0.45, 2.6], target: [0, 0.45, 0], field_of_view: 28}\n";

static Window window;
static ProgramRun run;

static int make_scenes(void **state)
{
    if (enter_window_folder(state) != 0) {
        return -1;
    }
    make_file("ball.yaml", ball_scene);
    return mkdir("brume", 0777);
}

// opens the scene with these choices of the section Export, paused
static void open_ball(const char *choices, const char *more, size_t largest_file)
{
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "ball.yaml --size 320x240 --paused --renderer cpu --plain %s", more);
    char state[1024];
    (void)snprintf(state, sizeof state, "picture_own_size: true\npicture_width: 96\npicture_height: 60\n%s", choices);
    make_file("brume/viewer.yaml", state);
    if (largest_file > 0) {
        open_limited_window(&window, "ball", arguments, largest_file);
    } else {
        open_window(&window, "ball", arguments);
    }
}

// computes the frames up to this one; their scene is ball-0001.yaml
static void go_to_frame(int frame)
{
    for (int n = 0; n < frame; n++) {
        send_events("key n");
    }
    save_shown_frame(&window, frame, "ball-0001.yaml");
}

static void assert_equal_pictures(const char *path, const char *expected)
{
    Picture a = read_picture(path);
    Picture b = read_picture(expected);
    assert_int_equal(a.width, b.width);
    assert_int_equal(a.height, b.height);
    if (memcmp(a.rgb, b.rgb, 3 * (size_t)a.width * (size_t)a.height) != 0) {
        fail_msg("%s is not %s", path, expected);
    }
    free_picture(&a);
    free_picture(&b);
}

static void assert_equal_volumes(const char *path, const char *expected)
{
    BrumeFrameGrids a = {0};
    BrumeFrameGrids b = {0};
    BrumeError error;
    assert_int_equal(brume_volume_file_read(&a, path, &error), BRUME_OK);
    assert_int_equal(brume_volume_file_read(&b, expected, &error), BRUME_OK);
    assert_int_equal(a.cells.nx, b.cells.nx);
    assert_int_equal(a.cells.ny, b.cells.ny);
    assert_int_equal(a.cells.nz, b.cells.nz);
    assert_int_equal(a.frame, b.frame);
    assert_true(a.time >= b.time && a.time <= b.time);
    assert_int_equal(a.count, 4); // with the pressure
    assert_int_equal(b.count, 3);
    for (int n = 0; n < b.count; n++) {
        const BrumeFrameGrid *grid = brume_frame_grids_find(&a, b.grids[n].name);
        assert_non_null(grid);
        assert_int_equal(grid->components, b.grids[n].components);
        assert_memory_equal(grid->values, b.grids[n].values,
                            sizeof(float) * brume_frame_grid_values(b.cells, &b.grids[n]));
        float largest = 0.0f;
        for (size_t m = 0; m < brume_frame_grid_values(b.cells, grid); m++) {
            largest = grid->values[m] > largest ? grid->values[m] : largest;
        }
        assert_true(largest > 0.0f || strcmp(grid->name, BRUME_GRID_TEMPERATURE) == 0);
    }
    assert_in_range(a.particle_count, 100, 3000);
    assert_int_equal(a.particle_count, b.particle_count);
    assert_memory_equal(a.particles, b.particles, (size_t)a.particle_count * sizeof *a.particles);
    brume_frame_grids_destroy(&a);
    brume_frame_grids_destroy(&b);
}

// the present frame as a volume: the values of `brume sim`, and with its scene the picture of the viewer
static void check_volume(const char *extension)
{
    char text[256];
    (void)snprintf(text, sizeof text, "export_frame: %s\n", extension);
    open_ball(text, "--controls controls.yaml -D emitters.0.dust=3000 -D emitters.0.leaves=3000", 0);
    go_to_frame(3);
    (void)snprintf(text, sizeof text, "ball-0001%s", extension);
    send_events("key ctrl+e");
    wait_for_file(&window.program, text);
    send_events("key ctrl+e");
    (void)snprintf(text, sizeof text, "ball-0002%s", extension);
    wait_for_file(&window.program, text); // the next number, and the file before is complete
    send_events("key F12");               // of which the kind is no picture
    wait_for_file(&window.program, "ball-0003.png");
    close_window(&window);
    (void)snprintf(text, sizeof text,
                   "sim ball-0001.yaml -q -o s/s.####%s --frames 3:3 --fields smoke,temperature,velocity,particles",
                   extension);
    run_successfully(&run, text);
    char expected[64];
    char path[64];
    (void)snprintf(expected, sizeof expected, "s/s.0003%s", extension);
    (void)snprintf(path, sizeof path, "ball-0001%s", extension);
    assert_equal_volumes(path, expected);
    (void)snprintf(text, sizeof text, "render %s -q -o v.png", path);
    run_successfully(&run, text);
    assert_equal_pictures("ball-0003.png", "v.png");
}

#ifdef BRUME_HAS_HDF5
static void test_cache(void **state)
{
    (void)state;
    check_volume(".hdf");
}
#endif

#ifdef BRUME_HAS_OPENVDB
static void test_vdb(void **state)
{
    (void)state;
    check_volume(".vdb");
}
#endif

#ifdef BRUME_HAS_OPENEXR
static void assert_equal_exr(const char *path, const char *expected)
{
    ExrFile *a = read_exr(path);
    ExrFile *b = read_exr(expected);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->channel_count, b->channel_count);
    assert_int_equal(a->frame, b->frame);
    for (int n = 0; n < b->channel_count; n++) {
        assert_int_equal(a->channels[n].single, b->channels[n].single);
        assert_memory_equal(exr_values(a, b->channels[n].name), b->channels[n].values,
                            sizeof(float) * (size_t)a->width * (size_t)a->height);
    }
    free_exr(a);
    free_exr(b);
}

// a linear picture, and a recording of them
static void test_linear_pictures(void **state)
{
    (void)state;
    open_ball("export_frame: .exr\nexport_recording: .exr\n", "--controls controls.yaml", 0);
    go_to_frame(2);
    send_events("key F12");
    wait_for_file(&window.program, "ball-0001.exr");
    send_events("key F11");
    wait_for_file(&window.program, "ball-0001/frame-0001.exr");
    send_events("key n");
    wait_for_file(&window.program, "ball-0001/frame-0002.exr");
    close_window(&window);
    run_successfully(&run, "render ball-0001.yaml -q -o r.####.exr --frames 2:3 -D time.frames=3");
    assert_equal_exr("ball-0001.exr", "r.0002.exr");
    assert_equal_exr("ball-0001/frame-0001.exr", "r.0002.exr");
    assert_equal_exr("ball-0001/frame-0002.exr", "r.0003.exr");
}
#endif

#ifdef BRUME_HAS_VIDEO
// A recording as a video is complete when the window has closed, with every frame: all of them are written, and the
// window is closed while the thread that writes cannot complete the video yet.
static void test_video(void **state)
{
    (void)state;
    open_ball("export_recording: .mp4\n", "--controls controls.yaml", 0);
    send_events("key F11 sleep 0.5 key n key n key n key n");
    wait_for_controls(&window, "recorded", "5"); // with that of the start
    assert_false(exists("ball-0001.mp4"));
    HeldThreads threads = hold_threads(window.program.pid, "brume-picture");
    if (threads.count > 0) {
        send_events("key ctrl+q");
        wait_for_controls(&window, "message",
                          "\"closing when ball-0001.mp4 is complete; once more closes without it\"");
        assert_false(exists("ball-0001.mp4"));
        release_threads(&threads);
        assert_true(ends_within(&window.program, 120.0));
        finish_program(&window.program, &run);
        assert_int_equal(run.status, 0);
        assert_string_equal(run.err, "");
    } else {
        close_window(&window);
    }
    VideoFile video = read_video("ball-0001.mp4");
    assert_int_equal(video.width, 96);
    assert_int_equal(video.height, 60);
    assert_true(video.fps > 23.9 && video.fps < 24.1);
    assert_int_equal(video.frames, 5);
    free_video(&video);
}
#endif

// a job has the pictures of `brume render` of the scene that is saved beside them; one that runs when the window closes
// completes its frame, and can be resumed
static void test_jobs(void **state)
{
    (void)state;
    char scene[64];
    open_ball("export_render: .png\nexport_folder: out\n", "", 0);
    send_events("key n key n key ctrl+F12");
    wait_for_file(&window.program, "out/ball-render-0001/frame.0004.png");
    send_events("key ctrl+F12");
    wait_for_file(&window.program, "out/ball-render-0002/frame.0004.png");
    close_window(&window);
    assert_int_equal(count_entries("out/ball-render-0001"), 4);
    run_successfully(&run, "render out/ball-render-0001.yaml -q -o r.####.png");
    for (int frame = 1; frame <= 4; frame++) {
        (void)snprintf(scene, sizeof scene, "out/ball-render-0001/frame.%04d.png", frame);
        char expected[64];
        (void)snprintf(expected, sizeof expected, "r.%04d.png", frame);
        assert_equal_pictures(scene, expected);
    }
}

static void test_closing_stops_a_job(void **state)
{
    (void)state;
    open_ball("export_render: .png\npicture_samples: 16\n", "-D time.frames=9999", 0);
    send_events("key ctrl+F12");
    wait_for_file(&window.program, "ball-render-0001/frame.0002.png");
    close_window(&window);
    assert_false(exists("ball-render-0001/frame.9999.png"));
    assert_int_equal(count_entries("ball-render-0001/frame.checkpoints"), 1);
    const int entries = count_entries("ball-render-0001");
    wait_seconds(0.5);
    assert_int_equal(count_entries("ball-render-0001"), entries); // no process goes on
}

#ifdef BRUME_HAS_OPENEXR
// the controls of a job: its own size, samples, layers and frames, kept for the next window; resetting one
static void test_job_options(void **state)
{
    (void)state;
    open_ball("export_folder: out\nexport_render: .exr\nexport_size: 4\nexport_width: 48\nexport_height: 30\n"
              "export_samples: 2\nexport_layers: 18\nexport_threads: 1\n",
              "", 0);
    send_events("key ctrl+F12");
    wait_for_file(&window.program, "out/ball-render-0001/frame.0004.exr");
    close_window(&window);
    run_successfully(&run,
                     "render out/ball-render-0001.yaml -q -o r.####.exr --size 48x30 --samples 2 --layers depth,sky");
    assert_same_files("out/ball-render-0001/frame.0004.exr", "r.0004.exr");
    ExrFile *picture = read_exr("r.0004.exr");
    assert_int_equal(picture->width, 48);
    assert_int_equal(picture->channel_count, 8); // RGBA, Z, and three of the sky
    free_exr(picture);
    open_window(&window, "ball", "ball.yaml --size 700x760 --paused --renderer cpu --controls controls.yaml");
    click_control(&window, "Export");
    click_control(&window, "Export.layers reset");
    click_control(&window, "Export.job size");
    float corners[4];
    wait_for_control(&window, "Export.job size 720p", corners);
    click_control(&window, "Export.job size 720p");
    close_window(&window);
    size_t size;
    char *text = read_whole_file("brume/viewer.yaml", &size);
    assert_non_null(strstr(text, "export_size: 1\nexport_width: 48\nexport_height: 30\nexport_samples: 2\n"
                                 "export_layers: 0\n"));
    free(text);
}
#endif

// presses `resume` and waits until the job has written frames that were not there
static void resume_job(void)
{
    char path[64];
    const int written = count_entries("ball-render-0001");
    click_control(&window, "Export.job 1 resume"); // which is there when the job has stopped
    (void)snprintf(path, sizeof path, "ball-render-0001/frame.%04d.png", written + 2);
    wait_for_file(&window.program, path);
}

// a job that was stopped goes on from the panel, also that of another window in another folder, with the bytes of
// `brume render`; its folder is opened by the program of the desktop
static void test_resumed_job(void **state)
{
    (void)state;
    char before[8192];
    char path[8192 + PATH_MAX];
    char here[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(before, sizeof before, "%s", getenv("PATH"));
    (void)snprintf(path, sizeof path, "%s:%s", here, before);
    assert_int_equal(setenv("PATH", path, 1), 0);
    make_file("xdg-open", "#!/bin/sh\nprintf %s \"$1\" > opened.part && mv opened.part opened\n");
    assert_int_equal(chmod("xdg-open", 0755), 0);
    make_file("brume/viewer.yaml", "picture_own_size: true\npicture_width: 32\npicture_height: 20\n"
                                   "export_threads: 1\nui_scale: 0.75\n");
    open_window(&window, "ball",
                "ball.yaml --size 700x760 --paused --renderer cpu --controls controls.yaml -D time.frames=9999");
    click_control(&window, "Export");
    click_control(&window, "Export.render");
    wait_for_file(&window.program, "ball-render-0001/frame.0002.png");
    click_control(&window, "Export.job 1 cancel");
    click_control(&window, "Export.job 1 folder");
    wait_for_text(&window.program, "opened", "ball-render-0001");
    resume_job();
    close_window(&window); // which stops it, too
    assert_int_equal(setenv("PATH", before, 1), 0);
    assert_int_equal(count_entries("brume/jobs"), 1);
    assert_int_equal(mkdir("elsewhere", 0777), 0);
    assert_int_equal(chdir("elsewhere"), 0);
    open_window(&window, "ball", "../ball.yaml --size 700x760 --paused --renderer cpu --controls ../controls.yaml");
    assert_int_equal(chdir(".."), 0);
    wait_for_controls(&window, "message", "\"render 1 to 9999 was not completed (section Export: resume)\"");
    resume_job(); // the section is open, as it was
    close_window(&window);
    assert_int_equal(count_entries("brume/jobs"), 1);
    const int frames = count_entries("ball-render-0001") - 1; // beside the folder of checkpoints
    char arguments[128];
    (void)snprintf(arguments, sizeof arguments, "render ball-render-0001.yaml -q -o r.####.png --frames 1:%d", frames);
    run_successfully(&run, arguments);
    for (int frame = 1; frame <= frames; frame++) {
        char expected[32];
        (void)snprintf(path, sizeof path, "ball-render-0001/frame.%04d.png", frame);
        (void)snprintf(expected, sizeof expected, "r.%04d.png", frame);
        assert_same_files(path, expected);
    }
}

// a folder that cannot be written, and a disk that is full: nothing is half-written, and the viewer goes on
static void test_what_cannot_be_written(void **state)
{
    (void)state;
    make_file("file", "no folder");
    open_ball("export_folder: file\nexport_frame: .vti\n", "", 0);
    send_events("key n key ctrl+e key F12 key F11 key g key ctrl+F12 sleep 1");
    close_window(&window);
    assert_int_equal(count_entries("."), 4); // ball.yaml, brume, file, little.yaml
    open_ball("export_frame: .vti\nexport_recording: .mp4\n", "", 4096);
    send_events("key n key ctrl+e sleep 1");
    close_window(&window);
    assert_int_equal(count_entries("."), 4);
}

// saves the scene, which shows which one is open
static void expect_scene(const char *saved)
{
    send_events("key g");
    wait_for_file(&window.program, saved);
}

// the dialog of the panel, by typed names and by arrow keys; the recent files are those that were opened
static void test_own_dialog(void **state)
{
    (void)state;
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "own", 1), 0);
    make_file("other.yaml", ball_scene);
    make_file("brume/inner.yaml", ball_scene);
    open_window(&window, "ball", "ball.yaml --size 640x480 --paused --renderer cpu --controls controls.yaml");
    send_events("key ctrl+o");
    wait_for_text(&window.program, "controls.yaml", "\"dialog.other.yaml\"");
    send_events("type missing.yaml");
    send_events("key Return sleep 0.5");
    float corners[4];
    assert_true(find_control("dialog.accept", corners)); // it is open: there is no such file
    send_events("key ctrl+a");
    send_events("type other.yaml");
    send_events("key Return");
    expect_scene("other-0001.yaml");
    send_events("key ctrl+o sleep 0.5 key Down key Return"); // into the folder brume/
    wait_for_text(&window.program, "controls.yaml", "\"dialog.inner.yaml\"");
    send_events("key Down key Return");
    expect_scene("inner-0001.yaml");
    send_events("key ctrl+o sleep 0.5 key Escape");
    expect_scene("inner-0002.yaml");
    close_window(&window);
    size_t size;
    char *text = read_whole_file("brume/viewer.yaml", &size);
    const char *recent = strstr(text, "recent:");
    assert_non_null(recent);
    const char *inner = strstr(recent, "/brume/inner.yaml\"\n");
    const char *other = strstr(recent, "/other.yaml\"\n");
    const char *ball = strstr(recent, "/ball.yaml\"\n");
    assert_true(inner && other && ball && inner < other && other < ball);
    free(text);
}

// saves in the window that has taken the place of another one
static void save_in_next_window(const char *saved)
{
    for (int n = 0; n < 60 && !exists(saved); n++) {
        wait_seconds(0.5);
        (void)!system("xdotool search --onlyvisible --name Ball windowfocus key g 2>/dev/null"); // it may be closed now
    }
    wait_for_file(&window.program, saved);
}

// one file of a sequence opens all of it in place of the simulation, and a scene comes back; what is neither stays
// closed
static void test_volumes_and_back(void **state)
{
    (void)state;
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "own", 1), 0);
    run_successfully(&run, "sim ball.yaml -q -o c/b.####.raw");
    make_file("c/notes.txt", "no scene");
    open_window(&window, "ball", "ball.yaml --size 320x240 --paused --renderer cpu --controls controls.yaml");
    send_events("key ctrl+o sleep 0.5");
    send_events("type c/notes.txt");
    send_events("key Return");
    char here[PATH_MAX];
    char message[PATH_MAX + 128];
    assert_non_null(realpath(".", here));
    (void)snprintf(message, sizeof message,
                   "\"%s/c/notes.txt: neither a scene (.yaml), nor volumes, nor a mesh (.obj, .glb, ...), nor an image "
                   "of the sky (.hdr, .exr)\"",
                   here);
    wait_for_controls(&window, "message", message);
    send_events("key ctrl+o sleep 0.5");
    send_events("type c/b.0002.raw");
    send_events("key Return");
    save_in_next_window("b-0001.yaml");
    size_t size;
    char *text = read_whole_file("b-0001.yaml", &size);
    assert_non_null(strstr(text, "c/b.####.raw"));
    assert_non_null(strstr(text, "brume render VOLUMES --look THIS_FILE"));
    free(text);
    send_events("key ctrl+o sleep 0.5");
    send_events("type ../ball.yaml");
    send_events("key Return");
    save_in_next_window("ball-0001.yaml");
    text = read_whole_file("ball-0001.yaml", &size);
    assert_non_null(strstr(text, "after frame 0"));
    free(text);
    close_window(&window);
}

#ifdef BRUME_HAS_X11
// drops a file of the working folder and waits for the line about it, FORMAT with the path in place of PATH
static void drop_for_message(const char *name, const char *format)
{
    char here[PATH_MAX];
    char path[PATH_MAX + 64];
    char text[PATH_MAX + 512];
    char message[PATH_MAX + 520];
    assert_non_null(realpath(".", here));
    (void)snprintf(path, sizeof path, "%s/%s", here, name);
    const char *at = strstr(format, "PATH");
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - format), format, path, at + 4);
    (void)snprintf(message, sizeof message, "\"%s\"", text);
    assert_true(drop_file(window.id, path, 200, 200, 60.0));
    wait_for_controls(&window, "message", message);
}

// files that a file manager drops on the window: a scene, images, volumes, and those that are none of these
static void test_drops(void **state)
{
    (void)state;
    char path[PATH_MAX + 64];
    char here[PATH_MAX];
    assert_non_null(realpath(".", here));
    run_successfully(&run, "sim ball.yaml -q -o c/b.####.raw");
    make_file("my sky \xc3\xa4%.hdr",
              "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x10\x20\x40\x81\x10\x20\x40\x81");
    make_file("half.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n\x10\x20");
    make_file("a.png", "");
    make_file("bad.yaml", "name: Bad\ndomain: {size: [1, 1, 1]}\nsolver: {resolutoin: 16}\n");
    make_file("c/bad.vdb", "no volume");
    open_window(&window, "ball", "ball.yaml --size 320x240 --paused --renderer cpu --controls controls.yaml");
    drop_for_message("my sky \xc3\xa4%.hdr", "the sky is PATH");
    drop_for_message("a.png", "PATH: neither a scene (.yaml), nor volumes, nor a mesh (.obj, .glb, ...), nor an image "
                              "of the sky (.hdr, .exr)");
    drop_for_message("half.hdr", "PATH: the picture is incomplete or damaged (copy or download it again)");
    drop_for_message("bad.yaml", "PATH:3:10: unknown key 'resolutoin' in 'solver' (did you mean 'resolution'?)");
#ifdef BRUME_HAS_OPENVDB
    drop_for_message("c/bad.vdb", "PATH: is not an OpenVDB file");
#endif
    send_events("key g");
    wait_for_file(&window.program, "ball-0001.yaml");
    size_t size;
    char *text = read_whole_file("ball-0001.yaml", &size);
    assert_non_null(strstr(text, "my sky \xc3\xa4%.hdr"));
    free(text);
    make_file("little.yaml",
              "name: Little\ndescription: a small one\ndomain: {size: [1, 1, 1]}\nsolver: {resolution: 8}\n");
    (void)snprintf(path, sizeof path, "%s/little.yaml", here);
    assert_true(drop_file(window.id, path, 200, 200, 60.0));
    wait_for_controls(&window, "message", "\"a small one\"");
    (void)snprintf(path, sizeof path, "%s/c/b.0002.raw", here);
    assert_true(drop_file(window.id, path, 200, 200, 60.0));
    save_in_next_window("b-0001.yaml");
    text = read_whole_file("b-0001.yaml", &size);
    assert_non_null(strstr(text, "c/b.####.raw"));
    free(text);
    close_window(&window);
}
#endif

// a dialog of the system is a program that prints the path
static void test_system_dialog(void **state)
{
    (void)state;
    char path[PATH_MAX + 4096];
    char here[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    const char *programs = getenv("PATH");
    assert_non_null(programs);
    (void)snprintf(path, sizeof path, "%s:%.4000s", here, programs);
    char *before = strdup(programs ? programs : "");
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_int_equal(setenv("BRUME_FILE_DIALOG", "zenity", 1), 0);
    make_file("zenity", "#!/bin/sh\necho \"$@\" > arguments\n[ -e chosen ] && echo \"$PWD/little.yaml\"\n");
    assert_int_equal(chmod("zenity", 0755), 0);
    open_ball("", "", 0);
    send_events("key ctrl+o");
    wait_for_file(&window.program, "arguments");
    expect_scene("ball-0001.yaml"); // canceled
    make_file("chosen", "");
    send_events("key ctrl+o sleep 0.5");
    expect_scene("little-0001.yaml");
    close_window(&window);
    size_t size;
    char *arguments = read_whole_file("arguments", &size);
    assert_non_null(strstr(arguments, "--file-selection --title=Open a scene, volumes or a mesh --filename=/"));
    assert_non_null(strstr(arguments, "*.yaml *.yml *.hdf *.vtkhdf *.vdb *.vti *.raw"));
    free(arguments);
    assert_int_equal(setenv("PATH", before, 1), 0);
    free(before);
}

int main(int argc, char **argv)
{
    if (argc > 1) { // one of them alone
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
#ifdef BRUME_HAS_HDF5
        cmocka_unit_test_setup_teardown(test_cache, make_scenes, leave_folder),
#endif
#ifdef BRUME_HAS_OPENVDB
        cmocka_unit_test_setup_teardown(test_vdb, make_scenes, leave_folder),
#endif
#ifdef BRUME_HAS_OPENEXR
        cmocka_unit_test_setup_teardown(test_linear_pictures, make_scenes, leave_folder),
#endif
#ifdef BRUME_HAS_VIDEO
        cmocka_unit_test_setup_teardown(test_video, make_scenes, leave_folder),
#endif
        cmocka_unit_test_setup_teardown(test_own_dialog, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_volumes_and_back, make_scenes, leave_folder),
#ifdef BRUME_HAS_X11
        cmocka_unit_test_setup_teardown(test_drops, make_scenes, leave_folder),
#endif
        cmocka_unit_test_setup_teardown(test_system_dialog, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_jobs, make_scenes, leave_folder),
#ifdef BRUME_HAS_OPENEXR
        cmocka_unit_test_setup_teardown(test_job_options, make_scenes, leave_folder),
#endif
        cmocka_unit_test_setup_teardown(test_resumed_job, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_closing_stops_a_job, make_scenes, leave_folder),
        cmocka_unit_test_setup_teardown(test_what_cannot_be_written, make_scenes, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
