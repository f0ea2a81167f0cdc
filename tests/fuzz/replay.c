/*
 * Runs a fuzz target on files, and on all files below folders, without libFuzzer. Arguments that start with "-" are for
 * the target.
 *
 *     fuzz_TARGET [FILE|FOLDER...]
 */
#include "fuzz_target.h"

#include "core/memory.h"
#include "core/parallel/clock.h"
#include "io/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 4096 };
static const double max_seconds = 20.0; // for one input, with sanitizers

/** Runs the target on a file; false where it cannot be read. */
static bool run_file(const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    BrumeError error = {0};
    if (brume_file_read(path, &bytes, &size, &error) != BRUME_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return false;
    }
    (void)fprintf(stderr, "%s\n", path); // the last one before a fault
    const double start = brume_seconds();
    (void)LLVMFuzzerTestOneInput(bytes, size);
    const double seconds = brume_seconds() - start;
    brume_free(bytes);
    FUZZ_REQUIRE(seconds < max_seconds, path);
    return true;
}

/** Runs the target on a file, or on all files of a folder and the folders in it; their number, -1 after a failure. */
static int run_path(const char *path)
{
    DIR *const entries = opendir(path);
    if (!entries) {
        return run_file(path) ? 1 : -1;
    }
    int total = 0;
    for (const struct dirent *entry; total >= 0 && (entry = readdir(entries)) != NULL;) {
        char below[MAX_PATH];
        const int length = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length < (int)sizeof below) {
            const int count = run_path(below);
            total = count < 0 ? -1 : total + count;
        }
    }
    (void)closedir(entries);
    return total;
}

int main(int argc, char **argv)
{
    int total = 0;
    (void)LLVMFuzzerInitialize(&argc, &argv);
    for (int n = 1; n < argc; n++) {
        const int count = argv[n][0] == '-' ? 0 : run_path(argv[n]);
        if (count < 0) {
            return EXIT_FAILURE;
        }
        total += count;
    }
    printf("%d inputs\n", total);
    return EXIT_SUCCESS;
}
