#include "viewer/threads/numbered_files.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// the number in the file name NAME-0001EXTENSION, 0 for other names
static int file_number(const char *file, const char *name, const char *extension)
{
    const size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '-' || !isdigit((unsigned char)file[length + 1])) {
        return 0;
    }
    char *end;
    const long number = strtol(file + length + 1, &end, 10);
    return strcmp(end, extension) == 0 && number > 0 && number < INT_MAX ? (int)number : 0;
}

int brume_next_file_number(const char *folder, const char *name, const char *extension)
{
    int highest = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        const int number = file_number(entry->d_name, name, extension);
        highest = number > highest ? number : highest;
    }
    if (entries) {
        (void)closedir(entries);
    }
    return highest + 1;
}
