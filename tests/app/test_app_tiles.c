// Tiles of pictures: what they are joined to has the bytes of the undivided pictures, and what does not fit is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "app/tiles/tile.h"
#include "program.h"

static ProgramRun run;

/* The division and the record. */

static void test_tiles_have_each_row_once(void **state)
{
    (void)state;
    for (int height = 1; height <= 400; height += 13) {
        assert_int_equal(brume_tile_limit(height), (height + 15) / 16);
        for (int count = 1; count <= brume_tile_limit(height); count++) {
            int next = 0;
            int least = height;
            int most = 0;
            for (int index = 1; index <= count; index++) {
                const BrumePictureCrop tile = brume_tile_pixels(&(BrumeChunk){index, count}, 31, height);
                const int blocks = (tile.bottom - tile.top + 15) / 16;
                assert_int_equal(tile.left, 0);
                assert_int_equal(tile.right, 31);
                assert_int_equal(tile.top, next);
                assert_true(tile.bottom % 16 == 0 || tile.bottom == height);
                least = blocks < least ? blocks : least;
                most = blocks > most ? blocks : most;
                next = tile.bottom;
            }
            assert_int_equal(next, height);
            assert_in_range(most - least, 0, 1);
            assert_true(least >= 1);
        }
    }
}

static void test_record(void **state)
{
    (void)state;
    const BrumeTileRecord record = {.tile = {2, 3},
                                    .width = 64,
                                    .height = 36,
                                    .picture = 5,
                                    .frame = 6,
                                    .time = 0.1,
                                    .samples = 4,
                                    .scene_hash = "0123456789abcdef",
                                    .version = "Brume 0.1.0"};
    char text[BRUME_TILE_TEXT];
    BrumeTileRecord read;
    brume_tile_record_write(&record, text);
    assert_string_equal(text, "tile 2 of 3; 64 x 36 pixels; picture 5; frame 6; time 0.10000000000000001; samples 4; "
                              "scene 0123456789abcdef; Brume 0.1.0");
    assert_true(brume_tile_record_read(&read, text));
    assert_null(brume_tile_record_difference(&record, &read));
    assert_int_equal(read.tile.index, 2);
    assert_int_equal(read.tile.count, 3);
    read.time = 0.1 + 1e-16;
    assert_string_equal(brume_tile_record_difference(&record, &read), "time");
    static const char *const wrong[] = {
        "",
        "tile 2 of 3",
        "tile 0 of 3; 64 x 36 pixels; picture 5; frame 6; time 0; samples 4; scene 01; Brume",
        "tile 4 of 3; 64 x 36 pixels; picture 5; frame 6; time 0; samples 4; scene 01; Brume",
        "tile 1 of 4; 64 x 36 pixels; picture 5; frame 6; time 0; samples 4; scene 01; Brume", // has 3 blocks of rows
        "tile 1 of 3; 64 x 0 pixels; picture 5; frame 6; time 0; samples 4; scene 01; Brume",
        "tile 1 of 3; 64 x 36 pixels; picture 5; frame 6; time 0; samples 4; scene 01; Brume; more",
    };
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        assert_false(brume_tile_record_read(&read, wrong[n]));
    }
    assert_true(brume_tile_record_read(
        &read, "tile 3 of 3; 64 x 36 pixels; picture 5; frame 6; time 0; samples 4; scene 01; Brume"));
}

/* Bytes. */

// draws frame 4 with these options whole and in `count` tiles, and compares the joined file with the whole one
static void assert_joined_is_whole(const char *extension, const char *options, int count)
{
    char arguments[512];
    char whole[32];
    char joined[32];
    (void)snprintf(whole, sizeof whole, "whole.%s", extension);
    (void)snprintf(joined, sizeof joined, "tiled.%s", extension);
    (void)snprintf(arguments, sizeof arguments, "render little.yaml -q --frame 4 -o %s --overwrite %s", whole, options);
    run_successfully(&run, arguments);
    for (int index = 1; index <= count; index++) {
        (void)snprintf(arguments, sizeof arguments,
                       "render little.yaml -q --frame 4 -o %s --overwrite --tile %d/%d -t %d %s", joined, index, count,
                       1 + index % 2, options);
        run_successfully(&run, arguments);
    }
    assert_false(exists(joined));
    (void)snprintf(arguments, sizeof arguments, "join %s", joined);
    run_successfully(&run, arguments);
    assert_same_files(joined, whole);
    for (int index = 1; index <= count; index++) {
        char tile[64];
        (void)snprintf(tile, sizeof tile, "tiled.tile-%d-of-%d.%s", index, count, extension);
        assert_int_equal(unlink(tile), 0);
    }
    assert_int_equal(unlink(joined), 0);
}

static void test_png(void **state)
{
    (void)state;
    assert_joined_is_whole("png", "", 2);
    assert_joined_is_whole("png", "--transparent --bits 16 --size 40x70", 4);
    assert_joined_is_whole("png", "--integrator path --samples 2", 2);
    // beyond its border, the filter for noise does not see the picture
    assert_joined_is_whole("png", "--integrator path --samples 2 --denoise --bits 16 --size 24x100", 3);
}

#ifdef BRUME_HAS_OPENEXR
static void test_exr(void **state)
{
    (void)state;
    assert_joined_is_whole("exr", "--layers all --bits 32", 2);
    assert_joined_is_whole("exr", "--layers all --transparent -D camera.shutter=0.5", 2);
    assert_joined_is_whole("exr", "--layers all --integrator path --samples 2 --denoise --size 24x100", 3);
}
#endif

/* Sequences and runs. */

static void test_sequence(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q --frames 2:6:2 -o whole/p.###.png");
    run_successfully(&run, "render little.yaml --frames 2:6:2 -o out/p.###.png --tile 1/2");
    assert_non_null(strstr(run.out, ": out/p.002.tile-1-of-2.png to out/p.006.tile-1-of-2.png\n"));
    assert_int_equal(count_entries("out"), 3);
    run_with_error(&run, 2, "render little.yaml --frames 4:4 -o out/p.###.png --tile 1/2",
                   "out/p.004.tile-1-of-2.png exists (give --overwrite to replace it, or another --output)");
    run_with_error(&run, 2, "join out/p.###.png",
                   "out/p.002.tile-2-of-2.png and 2 more tiles are missing (draw them with brume render --tile I/2)");
    // the parts of a sequence and the tiles of its pictures
    run_successfully(&run, "render little.yaml -q --frames 2:6:2 -o out/p.###.png --tile 2/2 --chunk 1/3");
    run_with_error(&run, 2, "join out/p.###.png --frames 2:4:2",
                   "out/p.004.tile-2-of-2.png is missing (draw it with brume render --tile I/2)");
    run_successfully(&run, "join out/p.###.png --frames 2:2");
    assert_string_equal(run.out, "1 picture of tiles: out/p.002.png\n");
    assert_same_files("out/p.002.png", "whole/p.002.png");
    // what is there is not drawn again
    run_successfully(&run, "render little.yaml --frames 2:6:2 -o out/p.###.png --tile 2/2 --skip-existing");
    assert_non_null(strstr(run.out, "2 frames in 0:0"));
    run_successfully(&run, "render little.yaml --frames 2:6:2 -o out/p.###.png --tile 2/2 --skip-existing");
    assert_non_null(strstr(run.out, "nothing to do"));
    run_with_error(&run, 2, "join out/p.###.png", "out/p.002.png exists (give --overwrite to replace it)");
    run_successfully(&run, "join out/p.###.png --skip-existing");
    assert_non_null(strstr(run.out, "2 pictures of tiles: out/p.004.png to out/p.006.png\n"));
    assert_same_files("out/p.004.png", "whole/p.004.png");
    assert_same_files("out/p.006.png", "whole/p.006.png");
    run_successfully(&run, "join out/p.###.png --skip-existing");
    assert_string_equal(run.out, "nothing to do: all pictures exist\n");
    run_with_error(&run, 2, "join out/p.###.png",
                   "out/p.002.png and 2 more of the pictures exist (give --overwrite to replace them)");
    make_file("out/p.004.png", "no picture");
    run_successfully(&run, "join out/p.###.png --overwrite -q");
    assert_string_equal(run.out, "");
    assert_same_files("out/p.004.png", "whole/p.004.png");
    assert_int_equal(count_entries("out"), 9);
}

// each tile has its own checkpoints
static void test_stopped_run(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q --frames 11:12 -o out/p.##.png --tile 1/2 --keep-checkpoints 1");
    assert_true(exists("out/p.tile-1-of-2.checkpoints"));
    run_successfully(&run, "render little.yaml -q --frames 11:12 -o out/p.##.png --tile 2/2 --keep-checkpoints 1 "
                           "--chunk 1/2");
    assert_true(exists("out/p.chunk-1-of-2.tile-2-of-2.checkpoints"));
    assert_int_equal(unlink("out/p.12.tile-1-of-2.png"), 0);
    run_successfully(&run, "render little.yaml --frames 11:12 -o out/p.##.png --tile 1/2 --resume");
    assert_non_null(strstr(run.out, "1 frame in "));
    assert_true(exists("out/p.12.tile-1-of-2.png"));
}

static void test_turntable_and_dry_run(void **state)
{
    (void)state;
    run_successfully(&run, "render little.yaml -q --frame 3 --turntable 2 -o whole.#.png");
    run_successfully(&run, "render little.yaml -q --frame 3 --turntable 2 -o p.#.png --tile 1/2");
    run_successfully(&run, "render little.yaml -q --frame 3 --turntable 2 -o p.#.png --tile 2/2");
    run_successfully(&run, "join p.#.png");
    assert_same_files("p.0.png", "whole.0.png");
    assert_same_files("p.1.png", "whole.1.png");
    run_successfully(&run, "render little.yaml --frame 6 --dry-run -o d.png --tile 2/3");
    assert_false(exists("d.tile-2-of-3.png"));
}

#ifdef BRUME_HAS_HDF5
static void test_volumes(void **state)
{
    (void)state;
    run_successfully(&run, "sim little.yaml -q --frames 5:6 -o v.##.hdf");
    run_successfully(&run, "render v.##.hdf -q -o whole.##.png");
    run_successfully(&run, "render v.##.hdf -q -o p.##.png --tile 1/2");
    run_successfully(&run, "render v.##.hdf -q -o p.##.png --tile 2/2 --skip-existing");
    run_successfully(&run, "join p.##.png");
    assert_same_files("p.05.png", "whole.05.png");
    assert_same_files("p.06.png", "whole.06.png");
}
#endif

/* Errors. */

static void test_refused_options(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0/2", "3/2", "1", "1/2x"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        char arguments[128];
        char line[256];
        (void)snprintf(arguments, sizeof arguments, "render little.yaml -o a.png --frame 6 --tile=%s", wrong[n]);
        (void)snprintf(line, sizeof line, "--tile: '%s' is not I/N (whole numbers, I from 1 to N, as 3/8)", wrong[n]);
        run_with_error(&run, 2, arguments, line);
    }
    run_with_error(&run, 2, "render little.yaml -o a.png --frame 6 --tile 1/4",
                   "--tile: a picture of 36 rows has 3 tiles of at least 16 rows at most, not 4");
    run_with_error(&run, 2, "render little.yaml -o a.mp4 --tile 1/2",
                   "--tile: a video has whole pictures (give images, join them, and make a video of them with brume "
                   "convert)");
    run_with_error(&run, 2, "render little.yaml -o a.png --frame 6 --tile 1/2 --crop 0,0,5,5",
                   "--tile and --crop exclude each other (give one)");
    run_with_error(&run, 2, "render little.yaml -o a.png --frame 6 --tile 1/2 --integrator path --noise 0.1",
                   "--tile: with image.noise above 0 the tiles of a picture would have different numbers of light "
                   "paths (give --noise 0, and --samples)");
    run_with_error(&run, 2, "join a.hdf", "PATTERN: 'a.hdf' has the unknown format 'hdf' (known: png, exr)");
    run_with_error(&run, 2, "join none/a.####.png",
                   "none/a.####.png: there are no tiles of this pattern, as none/a.0001.tile-1-of-4.png");
    run_with_error(&run, 2, "join a.png --frames 1:2", "--frames: 'a.png' has no frame number");
    run_with_error(&run, 2, "join a.png --skip-existing --overwrite",
                   "--skip-existing and --overwrite exclude each other (give one)");
    assert_int_equal(count_entries("."), 1); // the scene
}

static void draw_tile(const char *extension, const char *tile, const char *options)
{
    char arguments[256];
    (void)snprintf(arguments, sizeof arguments, "render little.yaml -q --frame 3 --overwrite -o a.%s --tile %s %s",
                   extension, tile, options);
    run_successfully(&run, arguments);
}

// fails to join, without a picture, with this line about the second tile
static void assert_not_joined(const char *extension, const char *text)
{
    char arguments[64];
    char line[512];
    (void)snprintf(arguments, sizeof arguments, "join a.%s", extension);
    (void)snprintf(line, sizeof line, "a.tile-2-of-2.%s: %s", extension, text);
    run_with_error(&run, 2, arguments, line);
    assert_int_equal(count_entries("."), 3); // the scene and two tiles
}

static void test_tiles_of_different_pictures(void **state)
{
    (void)state;
    static const struct {
        const char *options, *difference;
    } cases[] = {
        {"--size 64x40", "another size"},
        {"--samples 2", "another number of samples"},
        {"--frame 4", "another frame"},
        {"-D time.fps=25", "another time"},
        {"-D render.exposure=1", "another scene"},
        {"-D smoke.density.extinction=9", "another scene"},
        {"--transparent", "another scene"},
    };
    draw_tile("png", "1/2", "");
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char line[256];
        draw_tile("png", "2/2", cases[n].options);
        (void)snprintf(line, sizeof line,
                       "a tile of another picture than a.tile-1-of-2.png: %s (draw one of them again)",
                       cases[n].difference);
        assert_not_joined("png", line);
    }
    draw_tile("png", "2/2", "");
    run_successfully(&run, "join a.png");
}

static void test_overlapping_tiles(void **state)
{
    (void)state;
    draw_tile("png", "1/2", "");
    draw_tile("png", "2/2", "");
    draw_tile("png", "2/3", "");
    run_with_error(&run, 2, "join a.png",
                   "a.tile-1-of-2.png and a.tile-2-of-3.png overlap (remove the tiles of one division)");
    assert_int_equal(rename("a.tile-2-of-3.png", "a.tile-2-of-2.png"), 0);
    assert_not_joined("png", "has tile 2 of 3, not 2 of 2 (draw it again)");
    run_successfully(&run, "render little.yaml -q --frame 3 --overwrite -o b.png --tile 1/2");
    assert_int_equal(rename("b.tile-1-of-2.png", "a.tile-2-of-2.png"), 0);
    assert_not_joined("png", "has tile 1 of 2, not 2 of 2 (draw it again)");
    run_successfully(&run, "render little.yaml -q --frame 3 --overwrite -o a.tile-2-of-2.png");
    assert_not_joined("png", "not a tile that brume render --tile has written, or damaged (draw it again)");
}

// writes the first `size` bytes of a file, with one changed, to the second tile
static void damage(const char *extension, const char *bytes, size_t size, size_t at)
{
    char path[64];
    (void)snprintf(path, sizeof path, "a.tile-2-of-2.%s", extension);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t n = 0; n < size; n++) {
        assert_int_equal(fputc((unsigned char)bytes[n] ^ (n == at), file), (unsigned char)bytes[n] ^ (n == at));
    }
    assert_int_equal(fclose(file), 0);
}

// changed bytes and lost ends are found
static void assert_damage_is_found(const char *extension)
{
    char path[64];
    size_t size;
    (void)snprintf(path, sizeof path, "a.tile-2-of-2.%s", extension);
    draw_tile(extension, "1/2", "");
    draw_tile(extension, "2/2", "");
    char *const bytes = read_whole_file(path, &size);
    char arguments[64];
    (void)snprintf(arguments, sizeof arguments, "join a.%s", extension);
    for (size_t n = 0; n < 9; n++) {
        const bool cut = n % 3 == 2;
        const size_t at = 1 + n * (size - 2) / 8; // from the second byte to the last one
        damage(extension, bytes, cut ? at : size, cut ? size : at);
        run_program(&run, arguments);
        if (run.status != 2 || strncmp(run.err, "brume: a.tile-", 14) != 0 ||
            strchr(run.err, '\n') != run.err + strlen(run.err) - 1) {
            fail_msg("byte %zu of %zu %s: exit status %d, printed %s", at, size, cut ? "is the end" : "is changed",
                     run.status, run.err);
        }
        assert_int_equal(count_entries("."), 3);
    }
    free(bytes);
}

static void test_damaged_png(void **state)
{
    (void)state;
    assert_damage_is_found("png");
}

#ifdef BRUME_HAS_OPENEXR
static void test_exr_errors(void **state)
{
    (void)state;
    draw_tile("exr", "1/2", "");
    draw_tile("exr", "2/2", "--layers depth");
    assert_not_joined("exr", "a tile of another picture than a.tile-1-of-2.exr: other layers, bits or camera (draw one "
                             "of them again)");
    run_successfully(&run, "render little.yaml -q --frame 3 --overwrite -o a.tile-2-of-2.exr");
    assert_not_joined("exr", "not a tile that brume render --tile has written, or damaged (draw it again)");
    make_file("a.tile-2-of-2.exr", "no picture");
    assert_not_joined("exr", "not a tile that brume render --tile has written, or damaged (draw it again)");
}

static void test_damaged_exr(void **state)
{
    (void)state;
    assert_damage_is_found("exr");
}
#endif

int main(void)
{
    if (setenv("OMP_NUM_THREADS", "1", 1) != 0) { // many short runs
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_have_each_row_once),
        cmocka_unit_test(test_record),
        cmocka_unit_test_setup_teardown(test_png, enter_folder, leave_folder),
#ifdef BRUME_HAS_OPENEXR
        cmocka_unit_test_setup_teardown(test_exr, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_exr_errors, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_damaged_exr, enter_folder, leave_folder),
#endif
        cmocka_unit_test_setup_teardown(test_sequence, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_stopped_run, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_turntable_and_dry_run, enter_folder, leave_folder),
#ifdef BRUME_HAS_HDF5
        cmocka_unit_test_setup_teardown(test_volumes, enter_folder, leave_folder),
#endif
        cmocka_unit_test_setup_teardown(test_refused_options, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_tiles_of_different_pictures, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_overlapping_tiles, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(test_damaged_png, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
