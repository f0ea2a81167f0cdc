#include "app/cli/output_files.h"

#include "core/descriptor.h"
#include "core/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** A kind of file, and how it is recognized. */
typedef struct KindOfFile {
    const char *name;  // for messages
    const char *start; // start of the file; NULL: starts like a line of a log
} KindOfFile;

static const KindOfFile kinds[] = {
    [BRUME_OUTPUT_STATS] = {"a statistics file of brume", "{\n  \"program\": \"brume\""},
    [BRUME_OUTPUT_CONTROLS] = {"a list of controls of brume", "running: "},
    [BRUME_OUTPUT_LOG] = {"a log file of brume", NULL},
    [BRUME_OUTPUT_BENCH_CSV] = {"a table of brume bench", "nx,ny,nz,threads,"},
};

enum { START_SIZE = 64 };

// "    0.020  text": seconds with three decimals and two blanks
static bool is_log_line(const char *text)
{
    text += strspn(text, " ");
    const size_t whole = strspn(text, "0123456789");
    const char *fraction = text + whole;
    return whole > 0 && *fraction == '.' && strspn(fraction + 1, "0123456789") == 3 &&
           strncmp(fraction + 4, "  ", 2) == 0;
}

// reads the start of a file, without memory; false, with errno, where that fails
static bool read_start(const char *path, char start[START_SIZE + 1])
{
    const int file = brume_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return false;
    }
    const ssize_t size = brume_read_up_to(file, start, START_SIZE);
    const int reason = errno;
    (void)close(file);
    errno = reason;
    start[size > 0 ? size : 0] = '\0';
    return size >= 0;
}

// whether a file that starts like this is empty or one of this kind
static bool is_of_kind(const char *start, const KindOfFile *kind)
{
    if (start[0] == '\0') {
        return true;
    }
    return kind->start ? strncmp(start, kind->start, strlen(kind->start)) == 0 : is_log_line(start);
}

static bool is_same_entry(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

BrumeStatus brume_check_output_file(const BrumeOutputFile *output, const char *scene_path, BrumeError *error)
{
    struct stat existing;
    struct stat scene;
    if (!output->path || stat(output->path, &existing) != 0) {
        return BRUME_OK;
    }
    if (stat(scene_path, &scene) == 0 && is_same_entry(&existing, &scene)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s is the scene (give another %s)", output->path, output->option);
    }
    if (output->kind == BRUME_OUTPUT_ANY || !S_ISREG(existing.st_mode)) {
        return BRUME_OK;
    }
    char start[START_SIZE + 1];
    if (!read_start(output->path, start)) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", output->path, strerror(errno));
    }
    if (!is_of_kind(start, &kinds[output->kind])) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s exists and is not %s (remove it, or give another %s)",
                          output->path, kinds[output->kind].name, output->option);
    }
    return BRUME_OK;
}

// finds the folder of a path, and the name in it
static bool split_path(const char *path, struct stat *folder, const char **name)
{
    char text[PATH_MAX];
    *name = brume_path_name(path);
    return brume_path_folder(path, text, sizeof text) < (int)sizeof text && stat(text, folder) == 0;
}

static bool are_same_file(const char *a, const char *b)
{
    struct stat file_a;
    struct stat file_b;
    const bool exists_a = stat(a, &file_a) == 0;
    const bool exists_b = stat(b, &file_b) == 0;
    if (exists_a || exists_b) {
        return exists_a && exists_b && S_ISREG(file_a.st_mode) && is_same_entry(&file_a, &file_b);
    }
    const char *name_a;
    const char *name_b;
    const bool has_folders = split_path(a, &file_a, &name_a) && split_path(b, &file_b, &name_b);
    return has_folders ? is_same_entry(&file_a, &file_b) && strcmp(name_a, name_b) == 0 : strcmp(a, b) == 0;
}

BrumeStatus brume_check_output_files(const BrumeOutputFile *outputs, int count, const char *scene_path,
                                     BrumeError *error)
{
    for (int n = 0; n < count; n++) {
        const BrumeStatus status = brume_check_output_file(&outputs[n], scene_path, error);
        if (status != BRUME_OK) {
            return status;
        }
        for (int other = 0; other < n; other++) {
            if (outputs[n].path && outputs[other].path && are_same_file(outputs[n].path, outputs[other].path)) {
                return brume_fail(error, BRUME_BAD_INPUT, "%s and %s both write %s (give two files)",
                                  outputs[other].option, outputs[n].option, outputs[n].path);
            }
        }
    }
    return BRUME_OK;
}
