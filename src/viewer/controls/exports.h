/**
 * @file exports.h
 * What the section Export of the panel sets, requests and shows. Plain data, used by the window thread alone.
 */
#ifndef BRUME_VIEWER_CONTROLS_EXPORTS_H
#define BRUME_VIEWER_CONTROLS_EXPORTS_H

#include "viewer/files/file_choice.h"
#include "viewer/files/file_kind.h"
#include "viewer/files/recent_files.h"
#include "viewer/jobs/job_list.h"

#include <stdbool.h>

enum { BRUME_EXPORT_PATH = 1024, BRUME_EXPORT_FOLDER = 768, BRUME_MOST_EXPORTED_FRAMES = 99999 };

/** How the pictures of a job are drawn. */
typedef enum BrumeJobIntegrator {
    BRUME_JOB_INTEGRATOR_OF_SCENE,
    BRUME_JOB_INTEGRATOR_MARCH,
    BRUME_JOB_INTEGRATOR_PATH,
} BrumeJobIntegrator;

/** What the user has chosen. */
typedef struct BrumeExportControls {
    char folder[BRUME_EXPORT_FOLDER]; ///< of files without a name of their own; "": the working folder
    BrumeFileKind frame;              ///< of the present frame: an image or a volume
    BrumeFileKind recording;          ///< an image or a video
    BrumeFileKind render, cache;      ///< of jobs: an image or a video; a volume
    int first, last;                  ///< frames of a job; `last` 0: to the end of the scene
    BrumeJobIntegrator integrator;
    int threads; ///< of a job; 0: as many as the program takes by itself
} BrumeExportControls;

/** What the user requests once. */
typedef struct BrumeExportCommands {
    bool frame;                       ///< writes the present frame
    char frame_as[BRUME_EXPORT_PATH]; ///< to this file; "" for the next numbered name
    bool render, simulate;            ///< adds a job that draws, or simulates, the scene from its start
    int cancel_job;                   ///< serial of a job to cancel or to remove; 0: none
} BrumeExportCommands;

/** What is shown. */
typedef struct BrumeExportReadouts {
    bool available[BRUME_FILE_KINDS]; ///< this program writes such files
    const BrumeJobList *jobs;         ///< NULL: there are none
    double now;                       ///< clock of the times of jobs [s]
} BrumeExportReadouts;

/** What is shown of files that were opened. */
typedef struct BrumeFileReadouts {
    const BrumeRecentFiles *recent; ///< NULL: there are none
} BrumeFileReadouts;

#endif
