/*
 * generate MAN_FOLDER DATE: writes the manual pages of the program (brume.1, brume-render.1, ...) from the tables of
 * commands and options. The build runs it; it is not installed. DATE is that of the pages, YYYY-MM-DD.
 */
#include "app/commands.h"
#include "app/generate/man_page.h"
#include "core/error.h"
#include "io/file.h"

#include <stdio.h>

enum { MAX_PATH = 4096 };

// writes the text to FOLDER/NAME and frees it
static BrumeStatus write_text(BrumeText *text, const char *folder, const char *name, BrumeError *error)
{
    char path[MAX_PATH];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    BrumeStatus status = brume_file_make_folder(path, error);
    if (status == BRUME_OK) {
        status = brume_file_write_text(path, text, error);
    }
    brume_text_destroy(text);
    return status;
}

static BrumeStatus write_pages(const char *folder, const char *date, BrumeError *error)
{
    BrumeText page = {0};
    brume_man_program(&page, date);
    BrumeStatus status = write_text(&page, folder, "brume.1", error);
    for (const BrumeCommand *const *command = brume_commands; *command && status == BRUME_OK; command++) {
        char name[64];
        (void)snprintf(name, sizeof name, "brume-%s.1", (*command)->name);
        brume_man_command(&page, *command, date);
        status = write_text(&page, folder, name, error);
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fprintf(stderr, "usage: generate MAN_FOLDER DATE\n");
        return BRUME_BAD_INPUT;
    }
    BrumeError error;
    const BrumeStatus status = write_pages(argv[1], argv[2], &error);
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "generate: %s\n", error.text);
    }
    return (int)status;
}
