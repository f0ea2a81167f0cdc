/*
 * Hostile files: too large, too deeply nested, not text, not regular files. Each is refused quickly, with one line.
 */
#include "scene_support.h"

#include "core/parallel/clock.h"
#include "yaml/yaml.h"

#include <math.h>
#include <sys/stat.h>
#include <time.h>

/** Checks that a text of `count` repetitions between `head` and `tail` fails as expected, within 10 s. */
static void expect_repeated_failure(const char *head, const char *repeated, size_t count, const char *tail,
                                    const char *expected)
{
    const size_t repeated_size = strlen(repeated);
    const size_t size = strlen(head) + repeated_size * count + strlen(tail);
    char *const text = malloc(size + 1);
    assert_non_null(text);
    char *end = text + snprintf(text, size + 1, "%s", head);
    for (size_t i = 0; i < count; i++) {
        memcpy(end, repeated, repeated_size);
        end += repeated_size;
    }
    (void)snprintf(end, strlen(tail) + 1, "%s", tail);
    const clock_t start = clock(); // the time of the processor: other programs may take it
    expect_failure(text, size, NULL, 0, expected);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(text);
    if (seconds > 10.0) {
        fail_msg("refusing '%s...' took %.1f s, expected at most 10", head, seconds);
    }
}

static void expect_path_failure(const char *path, const char *expected)
{
    BrumeScene *scene = NULL;
    BrumeError error;
    assert_int_equal(brume_scene_load(&scene, path, NULL, 0, NULL, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, expected);
    assert_int_equal(error.status, BRUME_BAD_INPUT);
    assert_null(scene);
}

static void test_not_a_file(void **state)
{
    (void)state;
    expect_path_failure("/no/such/scene.yaml", "/no/such/scene.yaml: cannot open: No such file or directory");
    expect_path_failure("/tmp", "/tmp: a directory, not a regular file");
    expect_path_failure("/dev/zero", "/dev/zero: a device or pipe, not a regular file");
    expect_path_failure("", ": cannot open: No such file or directory");
    // opening a pipe without a writer must not block
    char path[64];
    char expected[128];
    make_temporary(path);
    (void)unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    (void)snprintf(expected, sizeof expected, "%s: a device or pipe, not a regular file", path);
    expect_path_failure(path, expected);
    (void)unlink(path);
}

static void test_gigabyte(void **state)
{
    (void)state;
    char path[64];
    char expected[128];
    make_temporary(path);
    assert_int_equal(truncate(path, 1000000000), 0); // a sparse file
    (void)snprintf(expected, sizeof expected, "%s:1:1: too large (at most 16777216 bytes)", path);
    const double start = brume_seconds();
    expect_path_failure(path, expected);
    const double seconds = brume_seconds() - start;
    (void)unlink(path);
    expect_near("seconds to refuse a gigabyte", seconds, 0.0, 0.5);
}

static void test_size_limit(void **state)
{
    (void)state;
    expect_repeated_failure("# ", "x", BRUME_YAML_MAX_BYTES - 1, "", "@:1:1: too large (at most 16777216 bytes)");
    expect_repeated_failure("# ", "x", BRUME_YAML_MAX_BYTES - 2, "", "@:1:1: the file is empty");
}

static void test_depth(void **state)
{
    (void)state;
    expect_repeated_failure("", "[", 100000, "", "@:1:17: nested too deeply; a file has at most 16 levels");
    expect_repeated_failure("a: ", "{a: ", 100000, "", "@:1:64: nested too deeply; a file has at most 16 levels");
    expect_repeated_failure("", "- ", 500000, "", "@:1:33: nested too deeply; a file has at most 16 levels");
    expect_repeated_failure("? ", "? ", 100000, "", "@:1:3: a key must be a single name");
}

static void test_number_of_values(void **state)
{
    (void)state;
    expect_repeated_failure("a: [", "1,", 1000001, "]", "@:1:2000001: too many values; a file has at most 1000000");
}

static void test_bombs(void **state)
{
    (void)state;
    expect_repeated_failure("a: &a [x, x]\n", "b: &b [*a, *a]\n", 20, "",
                            "@:1:4: anchors ('&name') are not supported; write the value out");
    expect_repeated_failure("a: *a\n", "", 0, "", "@:1:4: aliases ('*name') are not supported; write the value out");
    expect_repeated_failure(
        "<<: {fps: 3}\n", "", 0, "",
        "@:1:1: unknown key '<<' in the scene (its keys are name, description, domain, solver, time, "
        "air, fire, vapor, smoke, initial, particles, emitters, bodies, camera, lights, render, image, probes, "
        "animation, timeline)");
}

/** libyaml compares each tag directive with all before it: a file of 1 MB took a minute. */
static void test_directives(void **state)
{
    (void)state;
    static const char *const breaks[] = {"\n", "\r", "\r\n", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    for (size_t n = 0; n < sizeof breaks / sizeof breaks[0]; n++) {
        const bool counts_lines = strchr(breaks[n], '\n') != NULL;
        char directive[32];
        char expected[128];
        (void)snprintf(directive, sizeof directive, "%%TAG !a! x%s", breaks[n]);
        const int column = counts_lines ? 1 : 16 * 11 + 1; // only "\n" ends a line in errors
        (void)snprintf(expected, sizeof expected,
                       "@:%d:%d: too many directives; a file has at most 16 lines that start with '%%'",
                       counts_lines ? 17 : 1, column);
        expect_repeated_failure("", directive, 500000, "---\nname: x\n", expected);
    }
    BrumeScene *const scene = load_text("%YAML 1.1\n%TAG !a! x\n---\nname: \"100\n  % of it\"\n", NULL, 0);
    assert_string_equal(scene->name, "100 % of it");
    brume_scene_destroy(scene);
}

static void test_not_a_text(void **state)
{
    (void)state;
    const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    const char zero[] = "time: {fps: 2\0004}\n";
    const char escape[] = "time:\n  fps: \033[31m24\n";
    const char latin[] = "name: caf\xe9\n";
    const char overlong[] = "name: \xc0\xaf\n";
    const char surrogate[] = "name: \xed\xa0\x80\n";
    const char cut[] = "name: \xe2\x82";
    const char utf16[] = "\xff\xfet\0i\0m\0e\0";
    const char escaped_zero[] = "name: \"a\\0b\"\n";
    expect_failure("", 0, NULL, 0, "@:1:1: the file is empty");
    const char jpeg[] = "\xff\xd8\xff\xe0";
    const char other[] = "\x89PMG";
    expect_failure(png, sizeof png, NULL, 0, "@:1:1: this is a PNG image, and a text in YAML is expected");
    expect_failure(jpeg, sizeof jpeg - 1, NULL, 0, "@:1:1: this is a JPEG image, and a text in YAML is expected");
    expect_failure(other, sizeof other, NULL, 0, "@:1:1: not a text in UTF-8: byte 0x89 is not allowed here");
    expect_failure(zero, sizeof zero, NULL, 0, "@:1:14: not a text in UTF-8: byte 0x00 is not allowed here");
    expect_failure(escape, sizeof escape - 1, NULL, 0, "@:2:8: not a text in UTF-8: byte 0x1b is not allowed here");
    expect_failure(latin, sizeof latin - 1, NULL, 0, "@:1:10: not a text in UTF-8: byte 0xe9 is not allowed here");
    expect_failure(overlong, sizeof overlong - 1, NULL, 0, "@:1:7: not a text in UTF-8: byte 0xc0 is not allowed here");
    expect_failure(surrogate, sizeof surrogate - 1, NULL, 0,
                   "@:1:7: not a text in UTF-8: byte 0xed is not allowed here");
    expect_failure(cut, sizeof cut - 1, NULL, 0, "@:1:7: not a text in UTF-8: byte 0xe2 is not allowed here");
    expect_failure(utf16, sizeof utf16, NULL, 0, "@:1:1: not a text in UTF-8: byte 0xff is not allowed here");
    expect_failure(escaped_zero, sizeof escaped_zero - 1, NULL, 0, "@:1:7: a zero byte inside a text");
}

/** A byte order mark at the start of a file is skipped, and positions are those without it. */
static void test_byte_order_mark(void **state)
{
    (void)state;
    const char mark[] = "\xef\xbb\xbf";
    const char scene[] = "\xef\xbb\xbfname: with a mark\nsolver: {resolution: 24}\n";
    const char wrong[] = "\xef\xbb\xbftme: 1\n";
    const char wrong_later[] = "\xef\xbb\xbf# text\ntime:\n  fps: x\n";
    BrumeScene *const loaded = load_text(scene, NULL, 0);
    assert_string_equal(loaded->name, "with a mark");
    assert_int_equal(loaded->sim.nx, 24);
    brume_scene_destroy(loaded);
    expect_failure(mark, sizeof mark - 1, NULL, 0, "@:1:1: the file is empty");
    expect_failure(wrong, sizeof wrong - 1, NULL, 0, "@:1:1: unknown key 'tme' in the scene (did you mean 'time'?)");
    expect_failure(wrong_later, sizeof wrong_later - 1, NULL, 0,
                   "@:3:8: 'fps' in 'time' must be a number [1/s], not 'x'");
}

static void test_long_texts(void **state)
{
    (void)state;
    char cut[65] = "";
    char expected[256];
    memset(cut, 'x', 64);
    (void)snprintf(expected, sizeof expected, "@:1:13: 'fps' in 'time' must be a number [1/s], not '%s...'", cut);
    expect_repeated_failure("time: {fps: ", "x", 1000000, "}", expected);
    memset(cut, '9', 64);
    (void)snprintf(expected, sizeof expected,
                   "@:1:13: 'fps' in 'time' is %s..., but must be from 0.001 to 1000000 [1/s]", cut);
    expect_repeated_failure("time: {fps: ", "9", 1000000, "}", expected);
    expect_repeated_failure("", "\n", 1000000, "tme: 1\n",
                            "@:1000001:1: unknown key 'tme' in the scene (did you mean 'time'?)");
}

/** Each change of a timeline reads the settings again: a number of 4 MB and 1000 changes took 20 s. */
static void test_long_numbers(void **state)
{
    (void)state;
    enum { DIGITS = 1000 };
    char text[DIGITS + 64];
    (void)snprintf(text, sizeof text, "time: {fps: 24.%0*d}", DIGITS - 3, 0);
    BrumeScene *const scene = load_text(text, NULL, 0);
    assert_true(scene->sim.fps == 24.0f);
    brume_scene_destroy(scene);
    expect_repeated_failure("time: {fps: 24.", "0", 4000000, "}\ntimeline: [{frame: 1, set: {air.drag: 1}}]\n",
                            "@:1:13: 'fps' in 'time' has 4000003 characters, but a number must have at most 1000");
}

/** Many keys in one map: names are compared pairwise, so their number is limited. */
static void test_many_keys(void **state)
{
    (void)state;
    enum { KEYS = 60000 };
    char *const text = malloc(KEYS * 12);
    assert_non_null(text);
    char *end = text;
    for (int i = 0; i < KEYS; i++) {
        end += sprintf(end, "k%d: 1\n", i);
    }
    expect_failure(text, (size_t)(end - text), NULL, 0, "@:1001:1: too many keys; a map has at most 1000");
    free(text);
}

/** Every prefix of a scene either loads or fails with one line. */
static void test_prefixes(void **state)
{
    (void)state;
    const char *text = "name: \"x\\u00e9\"\ndomain: {size: [1, 2, 1], boundaries: {y_max: {kind: open}}}\n"
                       "emitters:\n  - shape: sphere\n    center: [0, 0.5, 0]\n    radius: .1\n    density: 1\n";
    char path[64];
    make_temporary(path);
    for (size_t size = 0; size <= strlen(text); size++) {
        write_bytes(path, text, size);
        BrumeScene *scene = NULL;
        BrumeError error = {.status = BRUME_OK};
        const BrumeStatus status = brume_scene_load(&scene, path, NULL, 0, NULL, &error);
        assert_true((status == BRUME_OK) == (scene != NULL));
        assert_true(status == BRUME_OK || (status == BRUME_BAD_INPUT && error.line >= 1 && error.column >= 1));
        assert_null(strchr(error.text, '\n'));
        brume_scene_destroy(scene);
    }
    (void)unlink(path);
}

/** A scene with random bytes replaced either loads or fails with one line. */
static void test_mutations(void **state)
{
    (void)state;
    FILE *file = fopen(BRUME_SOURCE_DIR "/scenes/plume.yaml", "rb");
    assert_non_null(file);
    char original[8192];
    const size_t size = fread(original, 1, sizeof original, file);
    (void)fclose(file);
    static const char letters[] = "{}[]:,-#'\"&*!|>%@ \n\t0159.eaxz~?\\";
    char path[64];
    make_temporary(path);
    uint32_t random = 1;
    for (int round = 0; round < 2000; round++) {
        char text[sizeof original];
        memcpy(text, original, size);
        for (int change = 0; change < 1 + round % 4; change++) {
            random = random * 1664525u + 1013904223u;
            text[(random >> 8) % size] = letters[(random >> 3) % (sizeof letters - 1)];
        }
        write_bytes(path, text, size);
        BrumeScene *scene = NULL;
        BrumeError error = {.status = BRUME_OK};
        const BrumeStatus status = brume_scene_load(&scene, path, NULL, 0, NULL, &error);
        assert_true(status == BRUME_OK || (status == BRUME_BAD_INPUT && error.line >= 1 && !scene));
        assert_null(strchr(error.text, '\n'));
        brume_scene_destroy(scene);
    }
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_file), cmocka_unit_test(test_gigabyte),
        cmocka_unit_test(test_size_limit), cmocka_unit_test(test_depth),
        cmocka_unit_test(test_bombs),      cmocka_unit_test(test_number_of_values),
        cmocka_unit_test(test_not_a_text), cmocka_unit_test(test_byte_order_mark),
        cmocka_unit_test(test_long_texts), cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_prefixes),   cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_directives), cmocka_unit_test(test_long_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
