#include "core/program_path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void brume_program_path(char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
}

bool brume_find_beside_program(char path[PATH_MAX], const char *const *folders, const char *name)
{
    char program[PATH_MAX];
    brume_program_path(program);
    const char *const slash = strrchr(program, '/');
    const int folder_length = slash ? (int)(slash - program) + 1 : 0;
    for (; slash && *folders; folders++) {
        if (snprintf(path, PATH_MAX, "%.*s%s%s", folder_length, program, *folders, name) < PATH_MAX &&
            access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}
