// Volume files: .vti and .raw are read back bit by bit, damage is detected, files of VTK are read, and .ply is a closed
// surface.
#include "frame_support.h"
#include "program.h"

#include "core/vec3.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static const BrumeGrid small = {.nx = 3, .ny = 2, .nz = 4};

static void write_frame(const BrumeFrameGrids *frame, const char *path)
{
    BrumeError error;
    const BrumeVolumeWriteDef def = {.overwrite = true};
    if (brume_volume_format_of(path)->write(frame, path, &def, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
}

static BrumeFrameGrids read_frame(const char *path)
{
    BrumeFrameGrids frame = {0};
    BrumeError error;
    if (brume_volume_file_read(&frame, path, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return frame;
}

static void assert_refused(const char *path, const char *text)
{
    static const BrumeFrameGrids empty;
    BrumeFrameGrids frame = {0};
    BrumeError error;
    assert_int_equal(brume_volume_file_read(&frame, path, &error), BRUME_BAD_INPUT);
    if (!strstr(error.text, text)) {
        fail_msg("'%s' does not contain '%s'", error.text, text);
    }
    assert_memory_equal(error.text, path, strlen(path));
    assert_memory_equal(&frame, &empty, sizeof frame);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.vti", "a.raw", "UPPER.VTI"};
    const BrumeGrid sizes[] = {{7, 5, 6, NULL}, {1, 4, 2, NULL}, {4, 1, 1, NULL}};
    for (size_t n = 0; n < 9; n++) {
        BrumeFrameGrids frame = frame_of_all_kinds(sizes[n / 3]);
        write_frame(&frame, paths[n % 3]);
        BrumeFrameGrids read = read_frame(paths[n % 3]);
        assert_true(frames_are_equal(&frame, &read));
        brume_frame_grids_destroy(&read);
        brume_frame_grids_destroy(&frame);
    }
}

static void test_not_finite_values(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.vti", "a.raw"};
    for (size_t n = 0; n < 2; n++) {
        BrumeFrameGrids frame = {.cells = small, .dx = 1.0};
        BrumeFrameGrid *grid = frame_add(&frame, "density", "1", 1, BRUME_AT_CENTERS);
        grid->values[3] = NAN;
        grid->values[4] = -INFINITY;
        write_frame(&frame, paths[n]);
        BrumeFrameGrids read = read_frame(paths[n]);
        assert_true(frames_are_equal(&frame, &read));
        brume_frame_grids_destroy(&read);
        brume_frame_grids_destroy(&frame);
    }
}

/** Scenes with every kind of end and indentation, and a frame without grids. */
static void test_scenes(void **state)
{
    (void)state;
    static const char *const scenes[] = {"a: 1",
                                         "a: 1\n",
                                         "a: 1\n\n\n",
                                         "\n\n  a: 1\n",
                                         "  - a\n  - b\n",
                                         "a: 'b\n\n  c'\n",
                                         "# only a comment",
                                         "a: \"\xc3\xbc \xe2\x80\xa6\"\n\t\n",
                                         "\n",
                                         ""};
    static const char *const paths[] = {"a.vti", "a.raw"};
    for (size_t n = 0; n < 2 * sizeof scenes / sizeof scenes[0]; n++) {
        BrumeFrameGrids frame = {.cells = small, .dx = 1.0, .scene_text = brume_copy_text(scenes[n / 2])};
        write_frame(&frame, paths[n % 2]);
        BrumeFrameGrids read = read_frame(paths[n % 2]);
        assert_non_null(read.scene_text);
        assert_string_equal(read.scene_text, scenes[n / 2]);
        assert_true(frames_are_equal(&frame, &read));
        brume_frame_grids_destroy(&read);
        brume_frame_grids_destroy(&frame);
    }
}

typedef struct Damage {
    int refused, unchanged;
} Damage;

// reads a file that has been damaged: it is refused, or gives the same frame
static void check_damaged(const char *read_path, const BrumeFrameGrids *frame, const char *what, size_t at,
                          Damage *damage)
{
    BrumeFrameGrids read = {0};
    BrumeError error = {.text = ""};
    const BrumeStatus status = brume_volume_file_read(&read, read_path, &error);
    if (status != BRUME_OK) {
        assert_int_equal(status, BRUME_BAD_INPUT);
        assert_int_equal(error.text[0], 'a'); // the name of the file
        assert_int_equal(read.count, 0);
        damage->refused++;
        return;
    }
    if (!frames_are_equal(frame, &read)) {
        fail_msg("%s at %zu: other values", what, at);
    }
    brume_frame_grids_destroy(&read);
    damage->unchanged++;
}

// Damages the file `path` at every byte, and reads `read_path`. The file is changed in place: a file that is truncated
// and written again may be flushed to the disk every time.
static Damage damage_everywhere(const char *path, const char *read_path, const BrumeFrameGrids *frame)
{
    Damage damage = {0, 0};
    size_t size;
    char *bytes = read_whole_file(path, &size);
    static const char flips[] = {1, 0x20, -128, -1};
    const int file = open(path, O_WRONLY);
    assert_true(file >= 0);
    for (size_t at = 0; at < size; at++) {
        for (size_t n = 0; n < sizeof flips; n++) {
            const char flipped = (char)(bytes[at] ^ flips[n]);
            assert_int_equal(pwrite(file, &flipped, 1, (off_t)at), 1);
            check_damaged(read_path, frame, "flipped", at, &damage);
        }
        assert_int_equal(pwrite(file, &bytes[at], 1, (off_t)at), 1);
    }
    for (size_t length = size; length-- > 0;) {
        assert_int_equal(ftruncate(file, (off_t)length), 0);
        check_damaged(read_path, frame, "cut", length, &damage);
    }
    assert_int_equal(pwrite(file, bytes, size, 0), (ssize_t)size);
    assert_int_equal(close(file), 0);
    free(bytes);
    return damage;
}

static void test_damage_is_detected(void **state)
{
    (void)state;
    BrumeFrameGrids frame = frame_of_all_kinds(brume_grid(2, 1, 2));
    BrumeFrameGrids read;
    write_frame(&frame, "a.vti");
    Damage damage = damage_everywhere("a.vti", "a.vti", &frame);
    // files of other programs: no or another last line
    assert_true(damage.refused > 5000 && damage.unchanged < 200);
    read = read_frame("a.vti");
    brume_frame_grids_destroy(&read);

    write_frame(&frame, "a.raw");
    damage = damage_everywhere("a.raw", "a.raw", &frame);
    assert_int_equal(damage.unchanged, 0);
    damage = damage_everywhere("a.raw.yaml", "a.raw", &frame);
    assert_true(damage.refused > 4000 && damage.unchanged < 50); // in the name of the hash itself
    read = read_frame("a.raw");
    brume_frame_grids_destroy(&read);
    brume_frame_grids_destroy(&frame);
}

#define VTI_HEAD(attributes, image)                                                                                    \
    "<?xml version=\"1.0\"?><VTKFile type=\"ImageData\" " attributes "><ImageData " image ">"
#define VTI_BOX "WholeExtent=\"2 4 0 2 -1 1\" Origin=\"1 2 3\" Spacing=\"0.5 0.5 0.5\""
#define VTI_PIECE "<Piece Extent=\"2 4 0 2 -1 1\">"
#define VTI_END "</Piece></ImageData></VTKFile>"

/** What VTK writes: every encoding of the same eight values at cells. */
static void test_files_of_vtk(void **state)
{
    (void)state;
    static const char ascii[] = VTI_HEAD("version=\"0.1\" byte_order=\"LittleEndian\"", VTI_BOX) VTI_PIECE
        "<PointData/><CellData Scalars=\"density\"><DataArray type=\"Float32\" Name=\"density\" "
        "format=\"ascii\" RangeMin=\"0\">\n 0 0.5 1 1.5\n 2 2.5 3 3.5\n</DataArray></CellData>" VTI_END;
    static const char codes[] = VTI_HEAD("version=\"1.0\"", VTI_BOX) VTI_PIECE
        "<CellData><DataArray type=\"Int16\" Name=\"density\" "
        "format=\"ascii\">0 1 -2 3 4 5 6 7</DataArray></CellData>" VTI_END;
    static const char inline_base64[] =
        VTI_HEAD("version=\"0.1\" byte_order=\"LittleEndian\" header_type=\"UInt32\"", VTI_BOX) VTI_PIECE
        "<CellData><DataArray type=\"Float32\" Name=\"density\" format=\"binary\">\n   "
        "IAAAAAAAAAAAAAA/AACAPwAAwD8AAABAAAAgQAAAQEAAAGBA\n </DataArray></CellData>" VTI_END;
    static const char appended_big_endian[] =
        VTI_HEAD("version=\"1.0\" byte_order=\"BigEndian\" header_type=\"UInt64\"", VTI_BOX) VTI_PIECE
        "<CellData><DataArray type=\"Float64\" Name=\"density\" format=\"appended\" offset=\"2\"/></CellData>"
        "</Piece></ImageData><AppendedData encoding=\"base64\">\n _xx"
        "AAAAAAAAAEAAAAAAAAAAAD/gAAAAAAAAP/AAAAAAAAA/+AAAAAAAAEAAAAAAAAAAQAQAAAAAAABACAAAAAAAAEAMAAAAAAAA"
        "</AppendedData></VTKFile>";
#ifdef BRUME_HAS_ZLIB
    static const char compressed[] =
        VTI_HEAD("version=\"0.1\" header_type=\"UInt32\" compressor=\"vtkZLibDataCompressor\"", VTI_BOX) VTI_PIECE
        "<CellData><DataArray type=\"Float32\" Name=\"density\" format=\"binary\">"
        "AgAAABAAAAAAAAAAEwAAABUAAAA=eJxjYAADewaGBiA+YA8ACEEB/nicY2BgcGBgUABiByBOcAAACpABwQ=="
        "</DataArray></CellData>" VTI_END;
    static const char *const files[] = {ascii, inline_base64, appended_big_endian, compressed};
#else
    static const char *const files[] = {ascii, inline_base64, appended_big_endian};
#endif
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        make_file("a.vti", files[n]);
        BrumeFrameGrids frame = read_frame("a.vti");
        assert_int_equal(frame.count, 1);
        assert_true(frame.cells.nx == 2 && frame.cells.ny == 2 && frame.cells.nz == 2);
        assert_true(frame.dx == 0.5 && frame.origin[0] == 2.0 && frame.origin[1] == 2.0 && frame.origin[2] == 2.5);
        assert_string_equal(frame.grids[0].name, "density");
        assert_string_equal(frame.grids[0].unit, "");
        for (int i = 0; i < 8; i++) {
            assert_true(frame.grids[0].values[i] == 0.5f * (float)i);
        }
        brume_frame_grids_destroy(&frame);
    }
    make_file("a.vti", codes);
    BrumeFrameGrids frame = read_frame("a.vti");
    assert_true(frame.grids[0].values[2] == -2.0f && frame.grids[0].values[7] == 7.0f);
    brume_frame_grids_destroy(&frame);
}

/** Values at points belong to cells around the points. */
static void test_values_at_points(void **state)
{
    (void)state;
    make_file("a.vti",
              VTI_HEAD("version=\"0.1\"", "WholeExtent=\"1 3 0 1 0 0\" Origin=\"1 2 3\" Spacing=\"0.5 0.5 "
                                          "0.5\"") "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
                                                   "NumberOfTuples=\"1\" format=\"ascii\">0.1"
                                                   "</DataArray><DataArray type=\"Int32\" Name=\"other\" "
                                                   "format=\"ascii\">7</DataArray></FieldData>"
                                                   "<Piece Extent=\"1 3 0 1 0 0\"><PointData>"
                                                   "<DataArray type=\"Float32\" Name=\"v\" "
                                                   "NumberOfComponents=\"3\" format=\"ascii\">"
                                                   "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 "
                                                   "18<InformationKey name=\"UNITS_LABEL\" "
                                                   "location=\"vtkDataArray\">m/s</InformationKey><InformationKey "
                                                   "name=\"L2_NORM_RANGE\" length=\"2\">"
                                                   "<Value index=\"0\">5</Value></InformationKey></DataArray>"
                                                   "<DataArray type=\"UInt8\" Name=\"vtkGhostType\" "
                                                   "format=\"ascii\">0 0 0 0 0 0</DataArray>"
                                                   "</PointData><CellData/>" VTI_END);
    BrumeFrameGrids frame = read_frame("a.vti");
    assert_int_equal(frame.count, 1);
    assert_true(frame.cells.nx == 3 && frame.cells.ny == 2 && frame.cells.nz == 1);
    assert_true(frame.dx == 0.5 && frame.origin[0] == 1.25 && frame.origin[1] == 1.75 && frame.origin[2] == 2.75);
    assert_true(frame.time == 0.1 && !frame.has_frame);
    assert_int_equal(frame.grids[0].components, 3);
    assert_string_equal(frame.grids[0].unit, "m/s");
    assert_true(frame.grids[0].values[0] == 1.0f && frame.grids[0].values[17] == 18.0f);
    brume_frame_grids_destroy(&frame);
}

static void test_refused_vti(void **state)
{
    (void)state;
#define ARRAY(attributes, values)                                                                                      \
    VTI_HEAD("version=\"0.1\"", VTI_BOX)                                                                               \
    VTI_PIECE "<CellData><DataArray " attributes ">" values "</DataArray></CellData>" VTI_END
#define EIGHT "0 1 2 3 4 5 6 7"
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "the file is empty"},
        {"<VTKFile type=\"ImageData\">", "not complete XML (line 1: no element found)"},
        {"<a/>", "not a VTK file"},
        {"<VTKFile type=\"PolyData\"/>", "a VTK file of type 'PolyData' (only ImageData can be read)"},
        {"<VTKFile type=\"ImageData\"/>", "it has no image"},
        {"<!DOCTYPE a [<!ENTITY b \"c\">]><VTKFile type=\"ImageData\"/>", "a document type is not allowed"},
        {"<VTKFile type=\"ImageData\" header_type=\"UInt16\"/>", "unknown header_type 'UInt16'"},
        {"<VTKFile type=\"ImageData\" compressor=\"vtkLZ4DataCompressor\"/>", "compressed by 'vtkLZ4DataCompressor'"},
        {VTI_HEAD("", "WholeExtent=\"0 2 0 2\"") "</ImageData></VTKFile>", "unknown WholeExtent '0 2 0 2'"},
        {VTI_HEAD("", VTI_BOX " Direction=\"0 1 0 1 0 0 0 0 1\"") "</ImageData></VTKFile>", "its grid is rotated"},
        {VTI_HEAD("", VTI_BOX) "<Piece Extent=\"2 3 0 2 -1 1\"/></ImageData></VTKFile>", "divided into pieces"},
        {VTI_HEAD("", "WholeExtent=\"0 1 0 1 0 1\" Spacing=\"1 1 2\"") "<Piece Extent=\"0 1 0 1 0 1\">" VTI_END,
         "its cells are 1 x 1 x 2 m, not cubes"},
        {VTI_HEAD("", "WholeExtent=\"0 1 0 0 0 1\"") "<Piece Extent=\"0 1 0 0 0 1\">" VTI_END,
         "0 cells along the y axis"},
        {ARRAY("Name=\"d\" type=\"Float32\" format=\"ascii\"", "0 1 2"), "the data of the array 'd' are incomplete"},
        {ARRAY("Name=\"d\" type=\"Float32\" format=\"ascii\"", EIGHT " 8"), "the data of the array 'd' are incomplete"},
        {ARRAY("Name=\"d\" type=\"Float32\" format=\"binary\"", "IAAA"), "the data of the array 'd' are incomplete"},
        {ARRAY("Name=\"d\" type=\"Float32\" format=\"binary\"", "BAAAAAAAAAA="),
         "4 bytes instead of 8 values of 4 bytes"},
        {ARRAY("Name=\"d\" type=\"Float32\" format=\"appended\"", ""), "the data of the array 'd' are incomplete"},
        {ARRAY("Name=\"d\" type=\"Float32\" format=\"odd\"", ""), "unknown format 'odd' of an array"},
        {ARRAY("Name=\"d\" type=\"Float16\" format=\"ascii\"", EIGHT), "the array 'd' has the unknown type 'Float16'"},
        {ARRAY("Name=\"d\" type=\"Float32\" NumberOfComponents=\"2\" format=\"ascii\"", EIGHT), "'d' has 2 components"},
        {ARRAY("Name=\"\" type=\"Float32\" format=\"ascii\"", EIGHT), "the name of a grid has 0 characters"},
        {VTI_HEAD(
             "", "WholeExtent=\"0 900000 0 900000 0 900000\"") "<Piece Extent=\"0 900000 0 900000 0 900000\"><CellData>"
                                                               "<DataArray Name=\"d\" type=\"Float32\" "
                                                               "format=\"ascii\">1</DataArray></CellData>" VTI_END,
         "are incomplete"},
        {VTI_HEAD("version=\"0.1\"", VTI_BOX) VTI_PIECE
         "<CellData><DataArray Name=\"a\" type=\"Float32\" format=\"ascii\">" EIGHT "</DataArray></CellData><PointData>"
         "<DataArray Name=\"b\" type=\"Float32\" format=\"ascii\">1</DataArray></PointData>" VTI_END,
         "it has values at cells and at points"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        make_file("a.vti", cases[n].text);
        assert_refused("a.vti", cases[n].error);
    }
    assert_refused("nowhere.vti", "cannot open");
    assert_refused("a.obj", "not a volume file that can be read");
    assert_refused("a.png", "not a volume file that can be read");
}

// replaces the first occurrence of a text in the header, without the line of its hash
static void change_header(const char *header, const char *from, const char *to)
{
    static char changed[8192];
    const char *at = strstr(header, from);
    assert_non_null(at);
    (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - header), header, to, at + strlen(from));
    *strstr(changed, "header_hash") = '\0';
    make_file("a.raw.yaml", changed);
}

static void test_raw_header(void **state)
{
    (void)state;
    BrumeFrameGrids frame = {
        .cells = small, .dx = 0.25, .origin = {1, 2, 3}, .has_frame = true, .frame = 7, .time = 0.5};
    (void)frame_add(&frame, "density", "1", 1, BRUME_AT_CENTERS);
    (void)frame_add(&frame, "velocity_y", "m/s", 1, BRUME_AT_Y_FACES);
    write_frame(&frame, "a.raw");
    size_t size;
    char *header = read_whole_file("a.raw.yaml", &size);
    assert_non_null(strstr(header, "\nbytes: 240\n")); // 3 x 2 x 4 and 3 x 3 x 4 values
    assert_non_null(strstr(header, "\ncells: [3, 2, 4]\nspacing: 0.25\norigin: [1, 2, 3]\ntime: 0.5\nframe: 7\n"));
    assert_non_null(strstr(header, "  - {name: \"velocity_y\", unit: \"m/s\", components: 1, location: y_faces, "
                                   "extents: [3, 3, 4], offset: 96}\n"));
    make_file("a.raw", "short");
    assert_refused("a.raw", "it has 5 bytes instead of the 240 of its header");
    write_frame(&frame, "a.raw");
    static const struct {
        const char *from, *to, *error;
    } cases[] = {
        {"up: y", "up: z", ":9:5: 'z' cannot be read (only 'y')"},
        {"little", "big", "'big' cannot be read (only 'little')"},
        {"float32", "float64", "'float64' cannot be read (only 'float32')"},
        {"format: brume raw volume", "format: other", "'other' cannot be read"},
        {"version: 1", "version: 2", "not a whole number from 1 to 1"},
        {"bytes: 240", "bytes: 244", "its grids have 240 bytes instead of 244"},
        {"bytes: 240", "bytes: 236", "its data end behind the file, which has 236 bytes"},
        {"spacing", "spacng", "unknown key 'spacng'"},
        {"time: 0.5\n", "time: soon\n", "not a number from"},
        {"cells: [3, 2, 4]", "cells: [3, 2]", "not a list of three numbers"},
        {"extents: [3, 2, 4]", "extents: [3, 2, 5]", "5 instead of 4 along the z axis"},
        {"location: centers", "location: corners", "unknown location 'corners'"},
        {"bytes: 240", "bytes: 12x", "not a whole number from 0"},
        {"offset: 0", "offset: 1000", "its data end behind the file"},
        {"components: 1", "components: 2", "two components"},
        {"\"velocity_y\"", "\"density\"", "two grids are named 'density'"},
        {"origin: [1, 2, 3]\n", "", "no 'origin'"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        change_header(header, cases[n].from, cases[n].to);
        assert_refused("a.raw", cases[n].error);
    }
    char *hash = strstr(header, "\nhash: ") + 7;
    hash[3] = hash[3] == '0' ? '1' : '0';
    make_file("a.raw.yaml", header);
    assert_refused("a.raw", "the header is damaged or was changed (remove this line to read it nevertheless)");
    change_header(header, "up: y", "up: y");
    assert_refused("a.raw", "damaged: its hash is not that of a.raw.yaml");
    // a header that was written by hand needs no hashes
    hash[-7] = '\0';
    char *rest = strchr(hash, '\n');
    static char by_hand[8192];
    (void)snprintf(by_hand, sizeof by_hand, "%s%s", header, rest);
    *strstr(by_hand, "header_hash") = '\0';
    make_file("a.raw.yaml", by_hand);
    BrumeFrameGrids read = read_frame("a.raw");
    assert_true(frames_are_equal(&frame, &read));
    brume_frame_grids_destroy(&read);
    assert_int_equal(unlink("a.raw.yaml"), 0);
    assert_refused("a.raw", "it has no header a.raw.yaml");
    free(header);
    brume_frame_grids_destroy(&frame);
}

/** Existing files stay unless they are to be replaced, and a failed write leaves no file. */
static void test_existing_files(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.vti", "a.raw", "a.ply"};
    BrumeFrameGrids frame = frame_of_all_kinds(small);
    BrumeError error;
    BrumeVolumeWriteDef def = {.overwrite = false};
    for (size_t n = 0; n < 3; n++) {
        const BrumeVolumeFormat *format = brume_volume_format_of(paths[n]);
        make_file(paths[n], "precious");
        assert_int_equal(format->write(&frame, paths[n], &def, &error), BRUME_FAILED);
        size_t size;
        char *text = read_whole_file(paths[n], &size);
        assert_string_equal(text, "precious");
        free(text);
        assert_int_equal(unlink(paths[n]), 0);
        assert_int_equal(format->write(&frame, "nowhere/a", &def, &error), BRUME_FAILED);
    }
    // values are not written if their header cannot be
    make_file("a.raw.yaml", "precious");
    assert_int_equal(brume_raw_format.write(&frame, "a.raw", &def, &error), BRUME_FAILED);
    assert_false(exists("a.raw"));
    assert_int_equal(unlink("a.raw.yaml"), 0);
    assert_int_equal(brume_raw_format.write(&frame, "a.raw", &def, &error), BRUME_OK);
    assert_int_equal(count_entries("."), 3);
    brume_frame_grids_destroy(&frame);
}

/** The header appears first, so that a program which waits for the file of values finds the whole volume. */
static void test_raw_values_appear_last(void **state)
{
    (void)state;
    BrumeFrameGrids frame = frame_of_all_kinds(small);
    BrumeError error;
    const BrumeVolumeWriteDef def = {.overwrite = false};
    const int changes = inotify_init1(IN_NONBLOCK);
    assert_true(inotify_add_watch(changes, ".", IN_MOVED_TO) >= 0);
    assert_int_equal(brume_raw_format.write(&frame, "a.raw", &def, &error), BRUME_OK);
    _Alignas(struct inotify_event) char events[4096];
    const ssize_t size = read(changes, events, sizeof events);
    const char *names[2] = {"", ""};
    int count = 0;
    for (ssize_t at = 0; at < size && count < 2; count++) {
        const struct inotify_event *event = (const void *)(events + at);
        names[count] = event->name;
        at += (ssize_t)sizeof *event + (ssize_t)event->len;
    }
    assert_string_equal(names[0], "a.raw.yaml");
    assert_string_equal(names[1], "a.raw");
    assert_int_equal(close(changes), 0);

    // a header without values, of a run that was killed, is replaced
    assert_int_equal(unlink("a.raw"), 0);
    frame.time = 0.25;
    assert_int_equal(brume_raw_format.write(&frame, "a.raw", &def, &error), BRUME_OK);
    BrumeFrameGrids read_back = read_frame("a.raw");
    assert_true(frames_are_equal(&read_back, &frame));
    brume_frame_grids_destroy(&read_back);

    // none is written where the values cannot be
    assert_int_equal(mkdir("folder.raw", 0777), 0);
    const BrumeVolumeWriteDef replacing = {.overwrite = true};
    assert_int_equal(brume_raw_format.write(&frame, "folder.raw", &replacing, &error), BRUME_FAILED);
    assert_false(exists("folder.raw.yaml"));
    brume_frame_grids_destroy(&frame);
}

typedef struct Mesh {
    int vertex_count, face_count;
    const float *vertices; // (vertex_count x 6)
    int32_t (*faces)[3];
    char *bytes;
} Mesh;

static Mesh read_mesh(const char *path)
{
    static const char properties[] = "property float x\nproperty float y\nproperty float z\n"
                                     "property float nx\nproperty float ny\nproperty float nz\n";
    Mesh mesh = {0};
    size_t size;
    mesh.bytes = read_whole_file(path, &size);
    static const char start[] = "ply\nformat binary_little_endian 1.0\ncomment ";
    assert_memory_equal(mesh.bytes, start, sizeof start - 1);
    char *at = strstr(mesh.bytes, "element vertex ");
    assert_non_null(at);
    mesh.vertex_count = (int)strtol(at + 15, &at, 10);
    assert_memory_equal(at + 1, properties, sizeof properties - 1);
    at = strstr(at, "element face ");
    assert_non_null(at);
    mesh.face_count = (int)strtol(at + 13, &at, 10);
    static const char end[] = "\nproperty list uchar int vertex_indices\nend_header\n";
    assert_memory_equal(at, end, sizeof end - 1);
    at += sizeof end - 1;
    assert_int_equal((size_t)(at - mesh.bytes) + 24 * (size_t)mesh.vertex_count + 13 * (size_t)mesh.face_count, size);
    float *vertices = malloc(24 * (size_t)mesh.vertex_count + 1);
    mesh.faces = malloc((size_t)mesh.face_count * sizeof *mesh.faces + 1);
    assert_true(vertices && mesh.faces);
    memcpy(vertices, at, 24 * (size_t)mesh.vertex_count);
    mesh.vertices = vertices;
    at += 24 * (size_t)mesh.vertex_count;
    for (int n = 0; n < mesh.face_count; n++, at += 13) {
        assert_int_equal(*at, 3);
        memcpy(mesh.faces[n], at + 1, 12);
    }
    return mesh;
}

static void free_mesh(Mesh *mesh)
{
    free((void *)mesh->vertices);
    free(mesh->faces);
    free(mesh->bytes);
}

static int compare_edges(const void *a, const void *b) { return memcmp(a, b, 2 * sizeof(int32_t)); }

// each edge belongs to two faces, which run along it in opposite directions, and each vertex to some face
static void assert_closed(const Mesh *mesh)
{
    const int count = 3 * mesh->face_count;
    int32_t(*edges)[3] = malloc((size_t)count * sizeof *edges + 1); // lower, upper, direction
    bool *used = calloc((size_t)mesh->vertex_count + 1, 1);
    assert_true(edges && used);
    for (int n = 0; n < count; n++) {
        const int32_t a = mesh->faces[n / 3][n % 3];
        const int32_t b = mesh->faces[n / 3][(n + 1) % 3];
        assert_true(a >= 0 && a < mesh->vertex_count && a != b);
        used[a] = true;
        edges[n][0] = a < b ? a : b;
        edges[n][1] = a < b ? b : a;
        edges[n][2] = a < b ? 1 : -1;
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int n = 0; n < count; n += 2) {
        assert_true(n + 1 < count && compare_edges(edges[n], edges[n + 1]) == 0);
        assert_int_equal(edges[n][2] + edges[n + 1][2], 0);
        assert_true(n + 2 >= count || compare_edges(edges[n], edges[n + 2]) != 0);
    }
    for (int n = 0; n < mesh->vertex_count; n++) {
        assert_true(used[n]);
    }
    free(used);
    free(edges);
}

static BrumeVec3 vertex_at(const Mesh *mesh, int index, int first)
{
    const float *v = mesh->vertices + 6 * (ptrdiff_t)index + first;
    return brume_vec3(v[0], v[1], v[2]);
}

static void assert_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g, expected %.9g to %.2g", value, expected, tolerance);
    }
}

static void test_mesh_of_a_sphere(void **state)
{
    (void)state;
    enum { NX = 40, NY = 36, NZ = 44 };
    const double radius = 0.7;
    BrumeFrameGrids frame = {.cells = {NX, NY, NZ, NULL}, .dx = 0.05, .origin = {-0.7, 0.3, 1.1}};
    const BrumeVec3 middle = {0.313f, 1.187f, 2.204f};
    BrumeFrameGrid *grid = frame_add(&frame, "density", "1", 1, BRUME_AT_CENTERS);
    for (int n = 0; n < NX * NY * NZ; n++) {
        const int plane = n / (NX * NY);
        const BrumeVec3 cell = {(float)(n % NX) + 0.5f, (float)(n / NX % NY) + 0.5f, (float)plane + 0.5f};
        const BrumeVec3 position = brume_add(brume_vec3(-0.7f, 0.3f, 1.1f), brume_scale(cell, 0.05f));
        // BRUME_DEFAULT_ISO at the radius
        grid->values[n] = 0.1f + 0.2f * ((float)radius - brume_length(brume_sub(position, middle)));
        grid->values[n] = grid->values[n] > 0.0f ? grid->values[n] : 0.0f;
    }
    const BrumeVolumeWriteDef def = {.overwrite = false};
    BrumeError error;
    assert_int_equal(brume_ply_format.write(&frame, "a.ply", &def, &error), BRUME_OK);
    Mesh mesh = read_mesh("a.ply");
    assert_closed(&mesh);
    assert_int_equal(mesh.vertex_count - 3 * mesh.face_count / 2 + mesh.face_count, 2); // Euler
    double area = 0.0;
    double volume = 0.0;
    for (int n = 0; n < mesh.face_count; n++) {
        const int32_t *face = mesh.faces[n];
        const BrumeVec3 a = brume_sub(vertex_at(&mesh, face[0], 0), middle);
        const BrumeVec3 b = brume_sub(vertex_at(&mesh, face[1], 0), middle);
        const BrumeVec3 c = brume_sub(vertex_at(&mesh, face[2], 0), middle);
        const BrumeVec3 across = brume_cross(brume_sub(b, a), brume_sub(c, a));
        assert_true(brume_dot(across, a) > 0.0f); // counterclockwise seen from outside
        area += 0.5 * (double)brume_length(across);
        volume += (double)brume_dot(a, brume_cross(b, c)) / 6.0;
    }
    for (int n = 0; n < mesh.vertex_count; n++) {
        const BrumeVec3 out = brume_sub(vertex_at(&mesh, n, 0), middle);
        const BrumeVec3 normal = vertex_at(&mesh, n, 3);
        assert_close((double)brume_length(out), radius, 0.002);
        assert_close((double)brume_length(normal), 1.0, 1e-5);
        assert_true(brume_dot(normal, out) > 0.99f * (float)radius);
    }
    const double pi = acos(-1.0);
    assert_close(area, 4.0 * pi * radius * radius, 0.01 * area);
    assert_close(volume, 4.0 / 3.0 * pi * radius * radius * radius, 0.01 * volume);
    free_mesh(&mesh);
    brume_frame_grids_destroy(&frame);
}

/** Surfaces that meet the sides of the box, and cells at exactly the level, are closed; an empty one is a file too. */
static void test_meshes_at_the_sides(void **state)
{
    (void)state;
    const BrumeGrid cells = brume_grid(9, 8, 7);
    BrumeFrameGrids frame = {.cells = cells, .dx = 0.5};
    BrumeFrameGrid *grid = frame_add(&frame, "heat", "K", 1, BRUME_AT_CENTERS);
    for (int n = 0; n < 9 * 8 * 7; n++) {
        grid->values[n] = (float)((unsigned)n * 2654435761u >> 29); // 0 to 7
    }
    BrumeVolumeWriteDef def = {.overwrite = true, .iso_grid = "heat"};
    BrumeError error;
    static const double levels[] = {0.5, 3.0, 6.5, 7.5};
    for (int n = 0; n < 4; n++) {
        def.iso = levels[n];
        assert_int_equal(brume_ply_format.write(&frame, "a.ply", &def, &error), BRUME_OK);
        Mesh mesh = read_mesh("a.ply");
        assert_closed(&mesh);
        assert_true(n == 3 ? mesh.vertex_count == 0 && mesh.face_count == 0 : mesh.face_count > 100);
        for (int v = 0; v < mesh.vertex_count; v++) {
            const BrumeVec3 p = vertex_at(&mesh, v, 0);
            assert_true(p.x >= 0.0f && p.x <= 4.5f && p.y >= 0.0f && p.y <= 4.0f && p.z >= 0.0f && p.z <= 3.5f);
        }
        free_mesh(&mesh);
    }
    (void)frame_add(&frame, "wind", "m/s", 3, BRUME_AT_CENTERS);
    def = (BrumeVolumeWriteDef){.overwrite = true};
    assert_int_equal(brume_ply_format.write(&frame, "b.ply", &def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "b.ply: the frame has no grid 'density' for a surface (its scalars: heat)");
    def.iso_grid = "heat";
    assert_int_equal(brume_ply_format.write(&frame, "b.ply", &def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "b.ply: no level for the surface of 'heat' (give --iso)");
    def = (BrumeVolumeWriteDef){.iso_grid = "wind", .iso = 1.0};
    assert_int_equal(brume_ply_format.write(&frame, "b.ply", &def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "b.ply: the grid 'wind' is not a scalar at the centers (those are: heat)");
    assert_false(exists("b.ply"));
    brume_frame_grids_destroy(&frame);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_round_trips),
        IN_FOLDER(test_not_finite_values),
        IN_FOLDER(test_scenes),
        IN_FOLDER(test_damage_is_detected),
        IN_FOLDER(test_raw_header),
        IN_FOLDER(test_existing_files),
        IN_FOLDER(test_raw_values_appear_last),
        IN_FOLDER(test_mesh_of_a_sphere),
        IN_FOLDER(test_meshes_at_the_sides),
        IN_FOLDER(test_files_of_vtk),
        IN_FOLDER(test_values_at_points),
        IN_FOLDER(test_refused_vti),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
