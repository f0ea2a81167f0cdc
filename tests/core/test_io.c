// Files are written atomically, and pictures are read back unchanged.
#include "brume/image.h"
#include "brume/threads.h"
#include "core/descriptor.h"
#include "core/hash.h"
#include "core/memory.h"
#include "io/file.h"
#include "io/image_internal.h"
#include "io/resource_limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

static char folder[64]; // created for every test

static const char *in_folder(const char *name)
{
    static char path[8][128];
    static int next;
    next = (next + 1) % 8;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static int entries_in(const char *path)
{
    DIR *directory = opendir(path);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += entry->d_name[0] != '.';
    }
    closedir(directory);
    return count;
}

static void assert_contents(const char *path, const char *text)
{
    char read[256] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(read, 1, sizeof read - 1, file);
    fclose(file);
    assert_int_equal(size, strlen(text));
    assert_string_equal(read, text);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/brume_io_XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void test_write_replaces_the_whole_file(void **state)
{
    (void)state;
    BrumeError error;
    const char *path = in_folder("a");
    assert_int_equal(brume_file_write(path, "a long first text", 17, &error), BRUME_OK);
    assert_int_equal(brume_file_write(path, "short", 5, &error), BRUME_OK);
    assert_contents(path, "short");
    assert_int_equal(brume_file_write(path, "", 0, &error), BRUME_OK);
    assert_contents(path, "");
    assert_int_equal(entries_in(folder), 1);

    struct stat made;
    const mode_t mask = umask(022);
    umask(mask);
    assert_int_equal(stat(path, &made), 0);
    assert_int_equal(made.st_mode & 0777, 0666 & ~mask);
}

static void test_write_preserves_a_link(void **state)
{
    (void)state;
    assert_int_equal(brume_file_write(in_folder("target"), "old", 3, NULL), BRUME_OK);
    assert_int_equal(symlink(in_folder("target"), in_folder("link")), 0);
    assert_int_equal(brume_file_write(in_folder("link"), "new", 3, NULL), BRUME_OK);
    struct stat link;
    assert_int_equal(lstat(in_folder("link"), &link), 0);
    assert_true(S_ISLNK(link.st_mode));
    assert_contents(in_folder("target"), "new");
}

static void assert_refused(const char *path, const char *reason)
{
    BrumeError error = {0};
    char expected[256];
    snprintf(expected, sizeof expected, "%s: cannot write: %s", path, reason);
    const int before = entries_in(folder);
    assert_int_equal(brume_file_write(path, "text", 4, &error), BRUME_FAILED);
    assert_int_equal(error.status, BRUME_FAILED);
    assert_string_equal(error.text, expected);
    assert_int_equal(entries_in(folder), before);
}

static void test_write_reports_the_reason_of_a_failure(void **state)
{
    (void)state;
    assert_refused(in_folder("missing/a.png"), "No such file or directory");
    assert_refused(folder, "not a regular file");
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_refused(in_folder("pipe"), "not a regular file");
    assert_int_equal(brume_file_write(in_folder("plain"), "x", 1, NULL), BRUME_OK);
    assert_refused(in_folder("plain/a.png"), "Not a directory");
    assert_refused("/proc/brume.png", "No such file or directory"); // a file system in which no files can be created
}

// a limit on the file size simulates a disk that becomes full during the write
static void test_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    static char large[1 << 20];
    const char *path = in_folder("old");
    assert_int_equal(brume_file_write(path, "old", 3, NULL), BRUME_OK);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit small = {.rlim_cur = 4096, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    BrumeError error = {0};
    const BrumeStatus status = brume_file_write(path, large, sizeof large, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(status, BRUME_FAILED);
    assert_non_null(strstr(error.text, "cannot write: File too large"));
    assert_contents(path, "old");
    assert_int_equal(entries_in(folder), 1);
}

static void test_create_replaces_nothing(void **state)
{
    (void)state;
    BrumeError error;
    char path[128];
    snprintf(path, sizeof path, "%s", in_folder("a"));
    assert_int_equal(brume_file_create(path, "first", 5, &error), BRUME_OK);
    assert_int_equal(brume_file_create(path, "second", 6, &error), BRUME_FAILED);
    char expected[256];
    snprintf(expected, sizeof expected,
             "%s: cannot write: another program has created it meanwhile (write to another folder)", path);
    assert_string_equal(error.text, expected);
    assert_contents(path, "first");
    assert_int_equal(symlink("nowhere", in_folder("link")), 0);
    assert_int_equal(brume_file_create(in_folder("link"), "third", 5, &error), BRUME_FAILED);
    assert_int_equal(entries_in(folder), 2);
}

static void *create_once(void *path) { return brume_file_create(path, "text", 4, NULL) == BRUME_OK ? path : NULL; }

static void test_parts_are_one_file(void **state)
{
    (void)state;
    BrumeError error;
    const char *path = in_folder("parts");
    const BrumeBytes parts[] = {{"one", 3}, {NULL, 0}, {", two", 5}, {" and three", 10}};
    assert_int_equal(brume_file_write_parts(path, parts, 4, false, &error), BRUME_OK);
    assert_contents(path, "one, two and three");
    assert_true(brume_hash_parts(parts, 4) == brume_hash_bytes("one, two and three", 18, 0));
    assert_int_equal(brume_file_write_parts(path, parts, 1, false, &error), BRUME_FAILED);
    assert_contents(path, "one, two and three");
    assert_int_equal(brume_file_write_parts(path, parts, 1, true, &error), BRUME_OK);
    assert_contents(path, "one");
    assert_int_equal(brume_file_write_parts(path, NULL, 0, true, &error), BRUME_OK);
    assert_contents(path, "");
    assert_true(brume_hash_parts(NULL, 0) == brume_hash_bytes("", 0, 0));
}

static void test_hash_of_blocks(void **state)
{
    (void)state;
    enum { BLOCK = 1 << 20, SIZE = 2 * BLOCK + 5, MANY = 257 };
    uint8_t *bytes = brume_alloc(MANY, BLOCK);
    assert_non_null(bytes);
    for (size_t n = 0; n < SIZE; n++) {
        bytes[n] = (uint8_t)(n * n >> 7);
    }
    const uint64_t three[] = {brume_hash_bytes(bytes, BLOCK, 0), brume_hash_bytes(bytes + BLOCK, BLOCK, 0),
                              brume_hash_bytes(bytes + (size_t)2 * BLOCK, 5, 0)};
    const uint64_t expected = brume_hash_bytes(three, sizeof three, 9);
    const int before = brume_get_threads();
    for (int threads = 1; threads <= 3; threads++) {
        brume_set_threads(threads);
        assert_true(brume_hash_blocks(bytes, SIZE, 9) == expected);
    }
    brume_set_threads(before);
    // 256 hashes at a time
    uint64_t all[MANY];
    for (size_t n = 0; n < MANY; n++) {
        all[n] = brume_hash_bytes(bytes + BLOCK * n, BLOCK, 0);
    }
    const uint64_t chained = brume_hash_bytes(&all[256], sizeof all[0], brume_hash_bytes(all, 256 * sizeof all[0], 9));
    assert_true(brume_hash_blocks(bytes, (size_t)MANY * BLOCK, 9) == chained);
    assert_true(brume_hash_blocks(bytes, 0, 9) == 9);
    brume_free(bytes);
}

static void test_one_of_several_threads_creates_a_file(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        char name[16];
        char path[128];
        snprintf(name, sizeof name, "%d", round);
        snprintf(path, sizeof path, "%s", in_folder(name));
        pthread_t threads[4];
        for (int n = 0; n < 4; n++) {
            assert_int_equal(pthread_create(&threads[n], NULL, create_once, path), 0);
        }
        int created = 0;
        for (int n = 0; n < 4; n++) {
            void *succeeded = NULL;
            pthread_join(threads[n], &succeeded);
            created += succeeded != NULL;
        }
        assert_int_equal(created, 1);
        assert_contents(path, "text");
    }
    assert_int_equal(entries_in(folder), 50);
}

// a file that the test holds open and locked, as a writer that is alive does
static int lock_file(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT, 0666);
    assert_true(file >= 0);
    assert_int_equal(flock(file, LOCK_EX | LOCK_NB), 0);
    return file;
}

static void leave_file(const char *path) { (void)close(lock_file(path)); }

static void test_temporary_files_of_dead_writers_are_removed(void **state)
{
    (void)state;
    BrumeError error;
    char path[128];
    snprintf(path, sizeof path, "%s", in_folder("a.png"));
    leave_file(in_folder("a.png.brume-0.part"));
    leave_file(in_folder("a.png.brume-1.part"));
    assert_int_equal(brume_file_write(path, "text", 4, &error), BRUME_OK);
    assert_contents(path, "text");
    assert_int_equal(entries_in(folder), 1);

    // a writer that is alive, and two that are dead
    const int file = lock_file(in_folder("a.png.brume-0.part"));
    leave_file(in_folder("a.png.brume-1.part"));
    leave_file(in_folder("a.png.brume-2.part"));
    assert_int_equal(brume_file_write(path, "new", 3, &error), BRUME_OK);
    assert_contents(path, "new");
    assert_int_equal(access(in_folder("a.png.brume-0.part"), F_OK), 0);
    assert_int_equal(entries_in(folder), 2);
    assert_int_equal(close(file), 0);

    // a path that is no regular file stays and does not block the write
    assert_int_equal(unlink(in_folder("a.png.brume-0.part")), 0);
    assert_int_equal(mkdir(in_folder("a.png.brume-0.part"), 0777), 0);
    assert_int_equal(mkfifo(in_folder("a.png.brume-1.part"), 0600), 0);
    assert_int_equal(symlink("a.png", in_folder("a.png.brume-2.part")), 0);
    assert_int_equal(brume_file_write(path, "text", 4, &error), BRUME_OK);
    assert_contents(path, "text");
    assert_int_equal(entries_in(folder), 4);
}

static void test_remove_abandoned(void **state)
{
    (void)state;
    static const char *const abandoned[] = {"a.0001.png.brume-0.part", "a.17.png.brume-12.part", "a..png.brume-0.part"};
    static const char *const others[] = {"a.0001.png",
                                         "a.0001.png.brume-0.part.png",
                                         "a.0001.png.brume-.part",
                                         "a.0001.png.part",
                                         "a.old.png.brume-0.part",
                                         "b.0001.png.brume-0.part",
                                         "a.0001.csv.brume-0.part",
                                         "a.png.brume-0.part"};
    enum { ABANDONED = sizeof abandoned / sizeof abandoned[0], OTHERS = sizeof others / sizeof others[0] };
    for (size_t n = 0; n < ABANDONED; n++) {
        leave_file(in_folder(abandoned[n]));
    }
    for (size_t n = 0; n < OTHERS; n++) {
        leave_file(in_folder(others[n]));
    }
    const int file = lock_file(in_folder("a.0002.png.brume-0.part"));
    brume_file_remove_abandoned(in_folder("a."), ".png");
    for (size_t n = 0; n < OTHERS; n++) {
        assert_int_equal(access(in_folder(others[n]), F_OK), 0);
    }
    assert_int_equal(access(in_folder("a.0002.png.brume-0.part"), F_OK), 0);
    assert_int_equal(entries_in(folder), OTHERS + 1);
    assert_int_equal(close(file), 0);
    brume_file_remove_abandoned(in_folder("missing/a."), ".png");
}

static void *write_repeatedly(void *name)
{
    for (int n = 0; n < 50; n++) {
        if (brume_file_write(name, n % 2 == 0 ? "even" : "odd!", 4, NULL) != BRUME_OK) {
            return name;
        }
    }
    return NULL;
}

static void test_threads_write_one_file(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s", in_folder("shared"));
    pthread_t threads[4];
    for (int n = 0; n < 4; n++) {
        assert_int_equal(pthread_create(&threads[n], NULL, write_repeatedly, path), 0);
    }
    for (int n = 0; n < 4; n++) {
        void *failed = NULL;
        pthread_join(threads[n], &failed);
        assert_null(failed);
    }
    assert_contents(path, "odd!");
    assert_int_equal(entries_in(folder), 1);
}

static void test_make_folder(void **state)
{
    (void)state;
    BrumeError error;
    assert_int_equal(brume_file_make_folder(in_folder("x/y//z/a.png"), &error), BRUME_OK);
    assert_int_equal(brume_file_make_folder(in_folder("x/y/z/b.png"), &error), BRUME_OK);
    assert_int_equal(brume_file_write(in_folder("x/y/z/a.png"), "x", 1, &error), BRUME_OK);
    assert_int_equal(brume_file_make_folder("in_this_folder.png", &error), BRUME_OK);
    assert_int_equal(brume_file_make_folder("/in_the_root.png", &error), BRUME_OK);
    assert_int_equal(brume_file_make_folder(in_folder("x/y/z/a.png/below/b.png"), &error), BRUME_FAILED);
    assert_non_null(strstr(error.text, "/x/y/z/a.png: cannot make the folder: File exists"));
}

static void test_png_round_trip(void **state)
{
    (void)state;
    enum { WIDTH = 37, HEIGHT = 23 };
    uint8_t rgb[HEIGHT][WIDTH][3];
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            rgb[y][x][0] = (uint8_t)(x * 7);
            rgb[y][x][1] = (uint8_t)(y * 11);
            rgb[y][x][2] = (uint8_t)(x * y);
        }
    }
    BrumeError error = {0};
    const char *path = in_folder("picture.png");
    assert_int_equal(brume_image_write(path, WIDTH, HEIGHT, &rgb[0][0][0], &error), BRUME_OK);
    int width = 0;
    int height = 0;
    int channels = 0;
    unsigned char *read = stbi_load(path, &width, &height, &channels, 0);
    assert_non_null(read);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    assert_int_equal(channels, 3);
    assert_memory_equal(read, rgb, sizeof rgb);
    stbi_image_free(read);

    assert_int_equal(brume_image_write(in_folder("no/picture.png"), WIDTH, HEIGHT, &rgb[0][0][0], &error),
                     BRUME_FAILED);
    assert_non_null(strstr(error.text, "/no/picture.png: cannot write: No such file or directory"));
    assert_int_equal(brume_image_write(path, 60000, 60000, &rgb[0][0][0], &error), BRUME_BAD_INPUT);
    assert_int_equal(brume_image_write(path, 0, HEIGHT, &rgb[0][0][0], &error), BRUME_BAD_INPUT);
    assert_int_equal(entries_in(folder), 1);
}

// pixels of every format, in which no two bytes of a number are equal for long
static void test_png_formats(void **state)
{
    (void)state;
    enum { WIDTH = 29, HEIGHT = 17 };
    static const BrumePixelFormat formats[] = {{8, 3, 0}, {8, 4, 0}, {16, 3, 0}, {16, 4, 0}};
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        const BrumePixelFormat format = formats[n];
        const size_t numbers = (size_t)WIDTH * HEIGHT * (size_t)format.channels;
        uint16_t deep[WIDTH * HEIGHT * 4];
        uint8_t shallow[WIDTH * HEIGHT * 4];
        for (size_t k = 0; k < numbers; k++) {
            deep[k] = (uint16_t)(k * k * 37 + (k >> 3) * 4001);
            shallow[k] = (uint8_t)(deep[k] >> 5);
        }
        const void *pixels = format.bits == 16 ? (const void *)deep : shallow;
        BrumeError error = {0};
        const char *path = in_folder("formats.png");
        assert_int_equal(brume_image_write_pixels(path, WIDTH, HEIGHT, pixels, format, true, &error), BRUME_OK);
        assert_int_equal(stbi_is_16_bit(path), format.bits == 16);
        int width = 0;
        int height = 0;
        int channels = 0;
        void *read = format.bits == 16 ? (void *)stbi_load_16(path, &width, &height, &channels, 0)
                                       : stbi_load(path, &width, &height, &channels, 0);
        assert_non_null(read);
        assert_int_equal(width, WIDTH);
        assert_int_equal(height, HEIGHT);
        assert_int_equal(channels, format.channels);
        assert_memory_equal(read, pixels, numbers * (size_t)(format.bits / 8));
        stbi_image_free(read);
        assert_int_equal(brume_image_write_pixels(path, WIDTH, HEIGHT, pixels, format, false, &error), BRUME_FAILED);
        assert_int_equal(brume_image_write_pixels(path, 24000, 24000, pixels, format, true, &error), BRUME_BAD_INPUT);
    }
}

// a file that is written little by little, here also through a second descriptor as a library does
static void test_part_file(void **state)
{
    (void)state;
    BrumeError error = {0};
    BrumePartFile part = {0};
    const char *path = in_folder("video");
    assert_int_equal(brume_file_open_part(&part, path, false, &error), BRUME_OK);
    assert_true(part.open);
    char expected[128];
    snprintf(expected, sizeof expected, "%s.brume-0.part", path);
    assert_string_equal(part.temporary, expected);
    assert_int_equal(write(part.descriptor, "one, ", 5), 5);
    const int second = open(part.temporary, O_WRONLY | O_APPEND);
    assert_true(second >= 0);
    assert_int_equal(write(second, "two", 3), 3);
    close(second);
    assert_int_equal(access(path, F_OK), -1);

    // another writer of the same path does not disturb it
    BrumePartFile other = {0};
    assert_int_equal(brume_file_open_part(&other, path, true, &error), BRUME_OK);
    snprintf(expected, sizeof expected, "%s.brume-1.part", path);
    assert_string_equal(other.temporary, expected);
    brume_file_abandon_part(&other);
    assert_false(other.open);
    brume_file_abandon_part(&other); // of a closed one has no effect
    assert_int_equal(entries_in(folder), 1);

    assert_int_equal(brume_file_commit_part(&part, &error), BRUME_OK);
    assert_false(part.open);
    assert_contents(path, "one, two");
    assert_int_equal(entries_in(folder), 1);
}

static void test_part_file_replaces_only_on_request(void **state)
{
    (void)state;
    BrumeError error = {0};
    BrumePartFile part = {0};
    const char *path = in_folder("video");
    const char *const reason = "cannot write: another program has created it meanwhile";
    assert_int_equal(brume_file_write(path, "old", 3, NULL), BRUME_OK);
    assert_int_equal(brume_file_open_part(&part, path, false, &error), BRUME_FAILED);
    assert_non_null(strstr(error.text, reason));
    assert_int_equal(brume_file_open_part(&part, path, true, &error), BRUME_OK);
    assert_contents(path, "old");
    assert_int_equal(brume_file_commit_part(&part, &error), BRUME_OK);
    assert_contents(path, "");

    // created between the two calls
    path = in_folder("later");
    assert_int_equal(brume_file_open_part(&part, path, false, &error), BRUME_OK);
    assert_int_equal(brume_file_write(path, "first", 5, NULL), BRUME_OK);
    assert_int_equal(brume_file_commit_part(&part, &error), BRUME_FAILED);
    assert_non_null(strstr(error.text, reason));
    assert_false(part.open);
    assert_contents(path, "first");
    assert_int_equal(entries_in(folder), 2);
}

// the size that a file claims is compared with the memory that is available, and the file is not opened for it
static void test_claims_are_compared_with_the_memory(void **state)
{
    (void)state;
    BrumeError error;
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(brume_admit_values(1e6, "a.vdb", "grids of 10 x 10 x 10 cells", &error), BRUME_OK);
    assert_int_equal(brume_admit_values(1e18, "a.vdb", "grids of 10 x 10 x 10 cells", &error), BRUME_FAILED);
    assert_non_null(
        strstr(error.text, "a.vdb: its grids of 10 x 10 x 10 cells need 1000000000.0 GB of memory, but only "));
    const char *path = in_folder("sparse.raw");
    const int file = open(path, O_CREAT | O_RDWR, 0600);
    assert_true(file >= 0);
    if (ftruncate(file, (off_t)1 << 42) == 0) { // not every file system has such files
        assert_int_equal(brume_file_read(path, &bytes, &size, &error), BRUME_FAILED);
        assert_non_null(strstr(error.text, "sparse.raw: its contents need 4398.0 GB of memory, but only "));
        assert_null(bytes);
    }
    assert_int_equal(close(file), 0);
}

// a pipe hands out its bytes in parts, and a closed descriptor has a reason
static void test_transfers_are_complete(void **state)
{
    (void)state;
    int ends[2];
    char bytes[8] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        const struct timespec pause = {.tv_nsec = 20000000};
        bool written = brume_write_all(ends[1], "abc", 3);
        (void)nanosleep(&pause, NULL);
        written = written && brume_write_all(ends[1], "defg", 4);
        _exit(written ? 0 : 1);
    }
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(brume_read_up_to(ends[0], bytes, 5), 5);
    assert_string_equal(bytes, "abcde");
    assert_int_equal(brume_read_up_to(ends[0], bytes, 5), 2); // the end
    assert_memory_equal(bytes, "fg", 2);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    assert_int_equal(brume_close(ends[0]), 0);
    assert_int_equal(brume_close(ends[0]), -1);
    assert_int_equal(errno, EBADF);
    assert_false(brume_write_all(ends[1], "a", 1));
    assert_int_equal(brume_read_up_to(ends[0], bytes, 1), -1);
    assert_int_equal(errno, EBADF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_write_replaces_the_whole_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_write_preserves_a_link, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_write_reports_the_reason_of_a_failure, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_full_disk_leaves_the_old_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_temporary_files_of_dead_writers_are_removed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_remove_abandoned, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_create_replaces_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_parts_are_one_file, make_folder, remove_folder),
        cmocka_unit_test(test_hash_of_blocks),
        cmocka_unit_test_setup_teardown(test_one_of_several_threads_creates_a_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_threads_write_one_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_part_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_part_file_replaces_only_on_request, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_make_folder, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_claims_are_compared_with_the_memory, make_folder, remove_folder),
        cmocka_unit_test(test_transfers_are_complete),
        cmocka_unit_test_setup_teardown(test_png_formats, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_png_round_trip, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
