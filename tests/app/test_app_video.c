// Videos of scenes, volumes and images: what the file says, its frames, the same bytes at any thread count, and runs
// that end early.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <libavutil/pixfmt.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/video/image_read.h"
#include "program.h"
#include "video_file.h"

static ProgramRun run;
static const char *const formats[] = {"mp4", "webm"};

static void run_refused(const char *arguments, int status, const char *text)
{
    run_program(&run, arguments);
    assert_string_equal(run.err, text);
    assert_int_equal(run.status, status);
}

static void assert_near(double value, double expected, double tolerance, const char *what)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s is %.9g, expected %.9g within %.2g", what, value, expected, tolerance);
    }
}

// peak signal-to-noise ratio of a frame and the image at `path` [dB]
static double psnr(const VideoFile *video, int frame, const char *path)
{
    BrumeImage image;
    BrumeError error;
    assert_int_equal(brume_image_read(&image, path, &error), BRUME_OK);
    assert_int_equal(image.width, video->width);
    assert_int_equal(image.height, video->height);
    const int values = 3 * image.width * image.height;
    double squares = 0.0;
    for (int n = 0; n < values; n++) {
        const double difference = (double)image.rgb[n] - (double)video->rgb[frame][n];
        squares += difference * difference;
    }
    brume_image_destroy(&image);
    return 10.0 * log10(255.0 * 255.0 * values / fmax(squares, 1e-9));
}

// mean of the red, green or blue values of a frame minus that of the image at `path`
static double mean_difference(const VideoFile *video, int frame, const char *path, int channel)
{
    BrumeImage image;
    BrumeError error;
    assert_int_equal(brume_image_read(&image, path, &error), BRUME_OK);
    const int pixels = image.width * image.height;
    double sum = 0.0;
    for (int n = 0; n < pixels; n++) {
        sum += (double)video->rgb[frame][3 * n + channel] - (double)image.rgb[3 * n + channel];
    }
    brume_image_destroy(&image);
    return sum / pixels;
}

// The change of red, green and blue by one level of the coded value that changes each most: Cr, Y and Cb of BT.709 in
// the limited range
static const double level_of[3] = {1.793, 1.164, 2.112};

// larger than the little scene's, so that compression matters
static const char size_option[] = "--size 192x108";

static void test_files(void **state)
{
    (void)state;
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "render little.yaml -q -o png/a.####.png %s", size_option);
    run_successfully(&run, arguments);
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        char path[64];
        (void)snprintf(path, sizeof path, "out/a.%s", formats[n]);
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -o %s %s", path, size_option);
        run_successfully(&run, arguments);
        assert_int_equal(count_entries("out"), n + 1);
        char line[128];
        (void)snprintf(line, sizeof line, ": %s\n", path);
        assert_non_null(strstr(run.out, "\n12 frames in "));
        assert_non_null(strstr(run.out, line));

        VideoFile video = read_video(path);
        assert_string_equal(video.codec, n == 0 ? "h264" : "vp9");
        assert_string_equal(video.pixels, "yuv420p");
        assert_int_equal(video.width, 192);
        assert_int_equal(video.height, 108);
        assert_near(video.fps, 24.0, 1e-9, "frames per second");
        assert_near(video.seconds, 0.5, 1e-3, "the duration");
        assert_int_equal(video.frames, 12);
        assert_int_equal(video.range, AVCOL_RANGE_MPEG);
        assert_int_equal(video.primaries, AVCOL_PRI_BT709);
        assert_int_equal(video.transfer, AVCOL_TRC_IEC61966_2_1);
        assert_int_equal(video.matrix, AVCOL_SPC_BT709);
        assert_int_equal(video.siting, AVCHROMA_LOC_LEFT);
        double least = 100.0;
        for (int frame = 0; frame < video.frames; frame++) {
            (void)snprintf(line, sizeof line, "png/a.%04d.png", frame + 1);
            least = fmin(least, psnr(&video, frame, line));
            for (int channel = 0; channel < 3; channel++) {
                assert_near(mean_difference(&video, frame, line, channel) / level_of[channel], 0.0, 0.14,
                            "the difference of the means");
            }
        }
        print_message("%s: at least %.1f dB\n", formats[n], least);
        assert_true(least > 40.0);
        // the frames are distinct and in order: each is nearest to its own image
        assert_true(psnr(&video, 11, "png/a.0012.png") > psnr(&video, 11, "png/a.0006.png") + 3.0);
        assert_true(psnr(&video, 0, "png/a.0001.png") > psnr(&video, 0, "png/a.0006.png") + 3.0);
        free_video(&video);
    }
}

// the index precedes the frames, and the color is stated in the container too
static void test_boxes(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o a.mp4");
    const long index = find_box("a.mp4", "moov");
    const long frames = find_box("a.mp4", "mdat");
    assert_int_equal(find_box("a.mp4", "ftyp"), 0);
    assert_true(index > 0 && frames > index);
    size_t size;
    char *file = read_whole_file("a.mp4", &size);
    static const uint8_t color[] = {'c', 'o', 'l', 'r', 'n', 'c', 'l', 'x', 0, 1, 0, 13, 0, 1, 0}; // limited range
    int found = 0;
    for (size_t at = 0; at + sizeof color <= size; at++) {
        found += memcmp(file + at, color, sizeof color) == 0;
    }
    free(file);
    assert_int_equal(found, 1);
}

static void test_same_bytes_at_any_thread_count(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        char reference[64];
        (void)snprintf(reference, sizeof reference, "t1.%s", formats[n]);
        for (int threads = 1; threads <= 3; threads++) {
            char arguments[256];
            char path[64];
            (void)snprintf(path, sizeof path, "t%d.%s", threads, formats[n]);
            (void)snprintf(arguments, sizeof arguments, "render little.yaml -q -o %s -t %d %s", path, threads,
                           size_option);
            run_successfully(&run, arguments);
            assert_same_files(reference, path);
        }
    }
}

static void test_ranges_and_rates(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o steps.mp4 --frames 2:8:2");
    VideoFile video = read_video("steps.mp4");
    assert_int_equal(video.frames, 4);
    assert_near(video.fps, 24.0, 1e-9, "frames per second with a step");
    free_video(&video);

    run_successfully(&run, "render little.yaml -q -o one.webm --frame 3");
    video = read_video("one.webm");
    assert_int_equal(video.frames, 1);
    free_video(&video);

    run_successfully(&run, "render little.yaml -q -o ntsc.mp4 -D time.fps=29.97 --frames 1:3");
    video = read_video("ntsc.mp4");
    assert_near(video.fps, 30000.0 / 1001.0, 1e-9, "frames per second of NTSC");
    free_video(&video);

    run_successfully(&run, "render little.yaml -q -o slow.mp4 -D time.fps=12.5 --frames 1:3");
    video = read_video("slow.mp4");
    assert_near(video.fps, 12.5, 1e-9, "frames per second");
    assert_near(video.seconds, 3.0 / 12.5, 1e-3, "the duration");
    free_video(&video);

    // two seconds between keyframes: 8 frames here
    run_successfully(&run, "render little.yaml -q -o keys.mp4 -D time.fps=4 -D time.frames=20 -D solver.max_steps=1");
    video = read_video("keys.mp4");
    assert_int_equal(video.frames, 20);
    assert_int_equal(video.largest_gap, 8);
    free_video(&video);
}

static void test_refusals(void **state)
{
    (void)state;
    run_refused("render little.yaml -o out/a.mp4 --size 65x36", 2,
                "brume: a video needs an even width and height, not 65 x 36 (give 66 x 36, or write images)\n");
    run_refused("render little.yaml -o out/a.webm --size 64x37 --dry-run", 2,
                "brume: a video needs an even width and height, not 64 x 37 (give 64 x 38, or write images)\n");
    run_refused("render little.yaml -o out/a.mp4 -D time.fps=2000", 2,
                "brume: a video of 2000 frames per second is not possible (give 0.1 to 240, or write images)\n");
    run_refused("render little.yaml -o out/a.avi", 2,
                "brume: --output: 'out/a.avi' has the unknown format 'avi' (known: png, exr, mp4, webm)\n");
    run_refused("render little.yaml -o out/a.%d.webm", 2,
                "brume: --output: 'out/a.%d.webm' has a frame number, but a video has all frames (give one such as "
                "out/plume.webm)\n");
    run_refused("render little.yaml -o /proc/a.mp4", 1,
                "brume: /proc/a.mp4: cannot write: No such file or directory\n");
    run_refused("render little.yaml -o out/a.mp4 --stats out/a.mp4", 2,
                "brume: --output and --stats both write out/a.mp4 (give two files)\n");
    assert_int_equal(symlink("little.yaml", "scene.mp4"), 0);
    run_refused("render little.yaml -o scene.mp4 --overwrite", 2,
                "brume: scene.mp4 is the scene (give another --output)\n");
    assert_int_equal(unlink("scene.mp4"), 0);
    assert_false(exists("out/a.mp4"));

    run_successfully(&run, "render little.yaml -q -o a.mp4 --frames 1:2");
    assert_int_equal(count_entries("."), 2 + exists("out"));
    const char *const refused = "brume: a.mp4 exists (give --overwrite to replace it, or another --output)\n";
    run_refused("render little.yaml -o a.mp4", 2, refused);
    run_refused("render little.yaml -o a.mp4 --resume", 2, refused);
    run_successfully(&run, "render little.yaml -q -o a.mp4 --overwrite");
    VideoFile video = read_video("a.mp4");
    assert_int_equal(video.frames, 12);
    free_video(&video);
}

// a program without the module beside it
static void test_program_without_the_module(void **state)
{
    (void)state;
    size_t size;
    char program[1024];
    (void)snprintf(program, sizeof program, "%s", getenv("BRUME_PROGRAM"));
    char *bytes = read_whole_file(program, &size);
    assert_int_equal(mkdir("bin", 0777), 0);
    FILE *copy = fopen("bin/brume", "wb");
    assert_non_null(copy);
    assert_int_equal(fwrite(bytes, 1, size, copy), size);
    assert_int_equal(fclose(copy), 0);
    free(bytes);
    assert_int_equal(chmod("bin/brume", 0755), 0);
    assert_int_equal(setenv("BRUME_PROGRAM", "bin/brume", 1), 0);
    run_program(&run, "render little.yaml -o out/a.mp4");
    assert_int_equal(setenv("BRUME_PROGRAM", program, 1), 0);
    assert_string_equal(run.err, "brume: brume-video.so is not installed, videos cannot be written (it is built where "
                                 "libavcodec-dev, libavformat-dev and libavutil-dev are; images need none of them)\n");
    assert_int_equal(run.status, 1);
    assert_false(exists("out"));
}

static void test_dry_run(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml --dry-run -o out/a.mp4 --size 960x540");
    assert_non_null(strstr(run.out, "\ndisk         about 77.8 kB for a video of 12 frames ("));
    assert_int_equal(count_entries("."), 1);
}

static const char long_run[] = "render little.yaml -o out/a.mp4 -D time.frames=5000";

static Program start_long_run(void)
{
    Program program = start_program(long_run, 0);
    wait_for_file(&program, "out/a.mp4.brume-0.part");
    const struct timespec pause = {.tv_nsec = 700000000};
    (void)nanosleep(&pause, NULL);
    return program;
}

// the frames so far become a video
static void test_interrupt(void **state)
{
    (void)state;
    Program program = start_long_run();
    assert_int_equal(kill(program.pid, SIGINT), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    const char *text = strstr(run.err, "brume: interrupted after frame ");
    assert_non_null(text);
    int done = 0;
    int count = 0;
    int first = 0;
    int last = 0;
    assert_int_equal(sscanf(text,
                            "brume: interrupted after frame %d of 5000 (--resume cannot continue a video: start again "
                            "with --overwrite); out/a.mp4 has %d frames, %d to %d\n",
                            &done, &count, &first, &last),
                     4);
    assert_in_range(count, 1, 4999);
    assert_int_equal(count, done);
    assert_int_equal(first, 1);
    assert_int_equal(last, done);
    VideoFile video = read_video("out/a.mp4");
    assert_int_equal(video.frames, count);
    free_video(&video);
    assert_int_equal(count_entries("out"), 2); // the checkpoints

    run_program(&run, long_run);
    assert_string_equal(run.err, "brume: out/a.mp4 exists (give --overwrite to replace it, or another --output)\n");
}

// before the first frame that is drawn there is nothing to lose, and --resume goes on
static void test_interrupt_before_the_first_frame(void **state)
{
    (void)state;
    Program program = start_program("render little.yaml -o out/a.mp4 -D time.frames=5000 --frames 4990:5000", 0);
    wait_for_file(&program, "out/a.mp4.brume-0.part");
    assert_int_equal(kill(program.pid, SIGINT), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    assert_non_null(strstr(run.err, " of 5000 (go on with --resume); no frame is written\n"));
    assert_int_equal(count_entries("out"), 1);
    run_successfully(&run, "render little.yaml -o out/a.mp4 -D time.frames=5000 --resume=force --frames 40:42");
    VideoFile video = read_video("out/a.mp4");
    assert_int_equal(video.frames, 3);
    free_video(&video);
}

// a second signal leaves no partial file; a process that is killed does, until the next run
static void test_immediate_end(void **state)
{
    (void)state;
    Program program = start_long_run();
    assert_int_equal(kill(program.pid, SIGINT), 0);
    assert_int_equal(kill(program.pid, SIGTERM), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    assert_false(exists("out/a.mp4.brume-0.part"));

    run_program(&run, "render little.yaml -q -o out/a.mp4 --overwrite --frames 1:2");
    assert_int_equal(run.status, 0);
    assert_int_equal(unlink("out/a.mp4"), 0);
    program = start_long_run();
    assert_int_equal(kill(program.pid, SIGKILL), 0);
    finish_program(&program, &run);
    assert_true(exists("out/a.mp4.brume-0.part"));
    assert_false(exists("out/a.mp4"));
    run_successfully(&run, "render little.yaml -q -o out/a.mp4 --overwrite --frames 1:2");
    assert_int_equal(count_entries("out"), 1);
}

static void test_file_that_does_not_fit(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        char arguments[256];
        char text[256];
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -q -o out/a.%s %s", formats[n], size_option);
        (void)snprintf(text, sizeof text, "brume: out/a.%s: cannot write: File too large; no video is written\n",
                       formats[n]);
        Program program = start_program(arguments, 1024);
        finish_program(&program, &run);
        assert_string_equal(run.err, text);
        assert_int_equal(run.status, 1);
        assert_int_equal(count_entries("out"), 0);
    }
}

// the same pictures give the same bytes as the video of the run
static void test_video_of_images(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o png/a.####.png");
    run_successfully(&run, "render little.yaml -q -o direct.mp4");
    run_successfully(&run, "render little.yaml -q -o direct.webm --frames 3:9:3");
    run_successfully(&run, "convert png/a.####.png new/a.mp4");
    assert_non_null(strstr(run.out, "12 frames, 24 per second: new/a.mp4\n"));
    assert_same_files("direct.mp4", "new/a.mp4");
    assert_int_equal(count_entries("new"), 1);
    run_refused("convert png/a.####.png new/a.mp4", 2,
                "brume: new/a.mp4 exists (give --overwrite to replace it, or another OUTPUT)\n");
    run_successfully(&run, "convert -q png/a.%04d.png new/a.mp4 --overwrite --fps 30");
    assert_string_equal(run.out, "");
    VideoFile video = read_video("new/a.mp4");
    assert_near(video.fps, 30.0, 1e-9, "frames per second");
    assert_int_equal(video.frames, 12);
    free_video(&video);
    run_successfully(&run, "convert -q png/a.####.png new/a.webm --frames 3:9:3");
    assert_same_files("direct.webm", "new/a.webm");
    // without --frames, images that have a step are complete
    assert_int_equal(system("mkdir steps && cp png/a.0003.png png/a.0006.png png/a.0009.png steps"), 0);
    run_successfully(&run, "convert -q steps/a.####.png new/steps.webm");
    assert_same_files("direct.webm", "new/steps.webm");
    run_successfully(&run, "convert -q png/a.0002.png new/one.mp4");
    video = read_video("new/one.mp4");
    assert_int_equal(video.frames, 1);
    free_video(&video);
}

static void test_images_that_make_no_video(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o png/a.####.png --frames 1:4");
    static const struct {
        const char *arguments, *error;
    } cases[] = {
        {"png/a.##.%d.png video/a.mp4", "INPUT: 'png/a.##.%d.png' has two frame numbers"},
        {"png/a.####.jpg video/a.mp4",
         "INPUT: 'png/a.####.jpg' is not the path of PNG images, of which a video is made (give images such as "
         "out/plume.####.png; brume render makes a video of a scene or of volumes)"},
        {"nowhere/a.####.png video/a.mp4", "nowhere/a.####.png: there is no file of this pattern"},
        {"png/a.png video/a.mp4", "png/a.png: cannot open: No such file or directory"},
        {"png/b.####.png video/a.mp4", "png/b.####.png: there is no file of this pattern"},
        {"png/a.####.png video/a.####.mp4",
         "OUTPUT: 'video/a.####.mp4' has a frame number, but a video has all frames (give one such as out/plume.mp4)"},
        {"png/a.####.png video/a.mp4 --fps 2000",
         "a video of 2000 frames per second is not possible (give 0.1 to 240, or write images)"},
        {"png/a.####.png video/a.mp4 --fps 0", "--fps: '0' is not a number above 0"},
        {"png/a.####.png video/a.mp4 --half", "--half does not apply to .mp4 files (remove it)"},
        {"png/a.####.png video/a.webm --grids density", "--grids does not apply to .webm files (remove it)"},
        {"png/a.####.png a.raw --fps 24", "--fps does not apply to .raw files (remove it)"},
        {"png/a.####.png video/a.mp4 --frames 2:6",
         "png/a.####.png: 2 images are missing, and a video has no gaps: 5-6 (draw them, or give another range by "
         "--frames)"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char arguments[256];
        char text[512];
        (void)snprintf(arguments, sizeof arguments, "convert %s", cases[n].arguments);
        (void)snprintf(text, sizeof text, "brume: %s\n", cases[n].error);
        run_refused(arguments, 2, text);
        assert_int_equal(count_entries("video"), -1);
    }
    assert_int_equal(rename("png/a.0003.png", "png/c.0003.png"), 0);
    run_refused("convert png/a.####.png video/a.mp4", 2,
                "brume: png/a.####.png: 1 image is missing, and a video has no gaps: 3 (draw them, or give another "
                "range by --frames)\n");
    assert_int_equal(count_entries("video"), -1);

    // after the video has been begun
    run_successfully(&run, "render little.yaml -q -o png/a.####.png --frame 3 --size 66x36");
    run_refused("convert -q png/a.####.png video/a.mp4", 2,
                "brume: png/a.0003.png has 66 x 36 pixels, the images before it have 64 x 36 (a video has one "
                "size)\n");
    assert_int_equal(count_entries("video"), 0);
    make_file("png/a.0003.png", "not an image");
    run_refused("convert -q png/a.####.png video/a.mp4", 2,
                "brume: png/a.0003.png: not a PNG image that can be read: unknown image type\n");
    assert_int_equal(count_entries("video"), 0);
}

// there are the images, so the video is not kept
static void test_interrupted_conversion(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q -o png/a.0001.png --frame 1 --size 640x360");
    for (int n = 2; n <= 600; n++) {
        char path[64];
        (void)snprintf(path, sizeof path, "png/a.%04d.png", n);
        assert_int_equal(symlink("a.0001.png", path), 0);
    }
    Program program = start_program("convert png/a.####.png video/a.mp4", 0);
    wait_for_file(&program, "video/a.mp4.brume-0.part");
    assert_int_equal(kill(program.pid, SIGINT), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    const char *text = strstr(run.err, "brume: interrupted after image ");
    assert_non_null(text);
    assert_non_null(strstr(text, " of 600; no video is written\n"));
    assert_int_equal(count_entries("video"), 0);
}

#ifdef BRUME_HAS_HDF5
// a video of volumes has the bytes of that of the scene, and the same rules
static void test_volumes(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        char arguments[256];
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -q -o direct.%s", formats[n]);
        run_successfully(&run, arguments);
    }
    run_successfully(&run, "sim little.yaml -q -o c/p.####.hdf");
    run_successfully(&run, "render c/p.####.hdf -o out/a.mp4");
    assert_non_null(strstr(run.out, "\n12 frames in "));
    assert_non_null(strstr(run.out, ": out/a.mp4; "));
    assert_same_files("direct.mp4", "out/a.mp4");
    run_successfully(&run, "render c/p.####.hdf -q -o out/a.webm");
    assert_same_files("direct.webm", "out/a.webm");
    run_successfully(&run, "render c/p.####.hdf -q -o out/a.webm --frames 2:8:3 --overwrite");
    VideoFile video = read_video("out/a.webm");
    assert_int_equal(video.frames, 3);
    free_video(&video);
    assert_int_equal(count_entries("out"), 2);

    const char *const refused = "brume: out/a.mp4 exists (give --overwrite to replace it, or another --output)\n";
    run_refused("render c/p.####.hdf -o out/a.mp4", 2, refused);
    run_refused("render c/p.####.hdf -o out/a.mp4 --resume", 2, refused);
    run_refused("render c/p.####.hdf -o b.mp4 --size 65x36", 2,
                "brume: a video needs an even width and height, not 65 x 36 (give 66 x 36, or write images)\n");
    run_refused("render c/p.####.hdf -o b.####.mp4", 2,
                "brume: --output: 'b.####.mp4' has a frame number, but a video has all frames (give one such as "
                "out/plume.mp4)\n");
    run_refused("render c/p.####.hdf -o b.mp4 --log b.mp4", 2,
                "brume: --output and --log both write b.mp4 (give two files)\n");
    run_refused("render c/p.####.hdf -o b.gif", 2,
                "brume: --output: 'b.gif' has the unknown format 'gif' (known: png, exr, mp4, webm)\n");
    assert_false(exists("b.mp4"));
}

static void test_volumes_that_end_early(void **state)
{
    (void)state;
    // after the progress of frame 4, while volume 5 does not exist
    run_successfully(&run, "sim little.yaml -q -o c/p.####.hdf --frames 1:4");
    Program program = start_program("render c/p.####.hdf -o out/a.mp4 --watch --frames 4:5", 0);
    wait_for_output(&program);
    assert_int_equal(kill(program.pid, SIGTERM), 0);
    finish_program(&program, &run);
    assert_int_equal(run.status, 130);
    assert_non_null(strstr(run.err, "; out/a.mp4 has 1 frame, 4 to 4\n"));
    VideoFile video = read_video("out/a.mp4");
    assert_int_equal(video.frames, 1);
    free_video(&video);

    // a partial file of a killed run is removed, and the frames before a damaged volume are kept
    make_file("out/b.mp4.brume-0.part", "");
    make_file("c/p.0003.hdf", "damaged");
    run_program(&run, "render c/p.####.hdf -q -o out/b.mp4");
    assert_int_equal(run.status, 2);
    assert_non_null(strstr(run.err, "; out/b.mp4 has 2 frames, 1 to 2\n"));
    video = read_video("out/b.mp4");
    assert_int_equal(video.frames, 2);
    free_video(&video);
    assert_int_equal(count_entries("out"), 2);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_boxes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_same_bytes_at_any_thread_count, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_ranges_and_rates, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_refusals, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_program_without_the_module, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_dry_run, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_interrupt, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_interrupt_before_the_first_frame, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_immediate_end, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_file_that_does_not_fit, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_video_of_images, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_images_that_make_no_video, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_interrupted_conversion, enter_folder, leave_folder),
#ifdef BRUME_HAS_HDF5
        cmocka_unit_test_setup_teardown(test_volumes, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_volumes_that_end_early, enter_folder, leave_folder),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
