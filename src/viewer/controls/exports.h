/**
 * @file exports.h
 * What the section Export of the panel sets, requests and shows. Plain data, used by the window thread alone.
 */
#ifndef BRUME_VIEWER_CONTROLS_EXPORTS_H
#define BRUME_VIEWER_CONTROLS_EXPORTS_H

#include "viewer/files/file_choice.h"
#include "viewer/files/file_kind.h"
#include "viewer/files/kept_files.h"
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

/** The size of the pictures of a job. */
typedef enum BrumeJobSize {
    BRUME_JOB_SIZE_OF_PICTURES, ///< as in the section Pictures
    BRUME_JOB_SIZE_720P,
    BRUME_JOB_SIZE_1080P,
    BRUME_JOB_SIZE_4K,
    BRUME_JOB_SIZE_OWN,
} BrumeJobSize;
enum { BRUME_JOB_SIZES = 5, BRUME_JOB_LAYERS = 8, BRUME_MAX_JOB_STRIDE = 100 };

/** What the user has chosen. */
typedef struct BrumeExportControls {
    char folder[BRUME_EXPORT_FOLDER]; ///< of files without a name of their own; "": the working folder
    BrumeFileKind frame;              ///< of the present frame: an image or a volume
    BrumeFileKind recording;          ///< an image or a video
    BrumeFileKind render, cache;      ///< of jobs: an image or a video; a volume
    int first, last;                  ///< frames of a job; `last` 0: to the end of the scene
    int stride;                       ///< every how manyth frame of them, from 1 on
    BrumeJobIntegrator integrator;
    int threads;       ///< of a job; 0: as many as the program takes by itself
    BrumeJobSize size; ///< of its pictures
    int width, height; ///< of BRUME_JOB_SIZE_OWN [pixels]
    int samples;       ///< rays per pixel, or light paths; 0: as in the section Pictures
    unsigned layers;   ///< of EXR images: bit n for that of brume_job_layer_name(n)
} BrumeExportControls;

/** What the user requests once. */
typedef struct BrumeExportCommands {
    bool frame;                       ///< writes the present frame
    char frame_as[BRUME_EXPORT_PATH]; ///< to this file; "" for the next numbered name
    bool render, simulate;            ///< adds a job that draws, or simulates, the scene from its start
    int cancel_job;                   ///< serial of a job to cancel or to remove; 0: none
    int resume_job;                   ///< ... that was stopped or has failed, to run again
    int open_folder;                  ///< ... whose folder is to be shown
} BrumeExportCommands;

/** What is shown. */
typedef struct BrumeExportReadouts {
    bool available[BRUME_FILE_KINDS]; ///< this program writes such files
    const BrumeJobList *jobs;         ///< NULL: there are none
    double now;                       ///< clock of the times of jobs [s]
} BrumeExportReadouts;

/** All frames of the scene by its integrator, as PNG of the size of pictures, and caches. */
BrumeExportControls brume_default_exports(void);

/** "1080p" and so on. */
const char *brume_job_size_name(BrumeJobSize size);

/** The size that is chosen [pixels]; false where it is that of the section Pictures. */
bool brume_job_size(const BrumeExportControls *exports, int *width, int *height);

/** The name of a layer, as --layers has it: "all" is the first; `n` is below BRUME_JOB_LAYERS. */
const char *brume_job_layer_name(int n);

/** The layers as --layers takes them, "depth,sky"; "" for none. */
void brume_job_layers(unsigned layers, char *text, size_t size);

/** What is shown of files that were opened. */
typedef struct BrumeFileReadouts {
    const BrumeRecentFiles *recent; ///< NULL: there are none
    const BrumeKeptFiles *kept;     ///< scenes with edits that were not saved; NULL: there are none
} BrumeFileReadouts;

#endif
