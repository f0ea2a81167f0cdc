#include "viewer/controls/chosen_file.h"

#include <stdio.h>

void brume_use_chosen_file(BrumeControls *controls, BrumeCommands *commands, BrumeFilePurpose purpose, const char *path)
{
    switch (purpose) {
    case BRUME_CHOOSE_OPEN:
    case BRUME_CHOOSE_BODY: // a file of a mesh is one
        (void)snprintf(commands->open, sizeof commands->open, "%s", path);
        break;
    case BRUME_CHOOSE_SKY:
        (void)snprintf(commands->open_sky, sizeof commands->open_sky, "%s", path);
        break;
    case BRUME_CHOOSE_SAVE:
        commands->save = true;
        (void)snprintf(commands->save_as, sizeof commands->save_as, "%s", path);
        break;
    case BRUME_CHOOSE_FRAME:
        commands->exports.frame = true;
        (void)snprintf(commands->exports.frame_as, sizeof commands->exports.frame_as, "%s", path);
        break;
    case BRUME_CHOOSE_FOLDER:
        (void)snprintf(controls->exports.folder, sizeof controls->exports.folder, "%s", path);
        break;
    case BRUME_CHOOSE_NOTHING:
        break;
    }
}
