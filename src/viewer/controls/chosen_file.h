/**
 * @file chosen_file.h
 * The effect of choosing a file in a dialog.
 */
#ifndef BRUME_VIEWER_CONTROLS_CHOSEN_FILE_H
#define BRUME_VIEWER_CONTROLS_CHOSEN_FILE_H

#include "viewer/controls/controls.h"

/** Sets the control, or the command, that a file was chosen for. */
void brume_use_chosen_file(BrumeControls *controls, BrumeCommands *commands, BrumeFilePurpose purpose,
                           const char *path);

#endif
