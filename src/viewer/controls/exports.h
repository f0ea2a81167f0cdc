/**
 * @file exports.h
 * The settings, commands and readouts of the section Export of the panel. Plain data, used by the window thread alone.
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

/** The settings of the user. */
typedef struct BrumeExportControls {
    char folder[BRUME_EXPORT_FOLDER]; ///< folder of files that have no chosen name; "": the working folder
    BrumeFileKind frame;              ///< kind for the present frame: an image or a volume
    BrumeFileKind recording;          ///< an image or a video
    BrumeFileKind render, cache;      ///< kinds for jobs: an image or a video; a volume
    int first, last;                  ///< frames of a job; `last` 0: to the end of the scene
    int stride;                       ///< step between these frames, at least 1
    BrumeJobIntegrator integrator;
    int threads;       ///< threads of a job; 0: the program's default
    BrumeJobSize size; ///< size of the job's pictures
    int width, height; ///< size for BRUME_JOB_SIZE_OWN [pixels]
    int samples;       ///< rays per pixel, or light paths; 0: as in the section Pictures
    unsigned layers;   ///< layers of EXR images: bit n for brume_job_layer_name(n)
} BrumeExportControls;

/** The actions that the user requests once. */
typedef struct BrumeExportCommands {
    bool frame;                       ///< writes the present frame
    char frame_as[BRUME_EXPORT_PATH]; ///< file for the present frame; "" for the next numbered name
    bool render, simulate;            ///< adds a job that draws, or simulates, the scene from its start
    int cancel_job;                   ///< serial of a job to cancel or to remove; 0: none
    int resume_job;                   ///< serial of a job that was stopped or has failed, to run again; 0: none
    int open_folder;                  ///< serial of a job whose folder is to be shown; 0: none
} BrumeExportCommands;

/** The values that the section shows. */
typedef struct BrumeExportReadouts {
    bool available[BRUME_FILE_KINDS]; ///< this program writes such files
    const BrumeJobList *jobs;         ///< NULL: there are none
    double now;                       ///< present clock for the times of jobs [s]
} BrumeExportReadouts;

/** Returns the defaults: all frames of the scene by its integrator, as PNG in the size of pictures, and caches. */
BrumeExportControls brume_default_exports(void);

/** Returns the name of a size: "1080p" and so on. */
const char *brume_job_size_name(BrumeJobSize size);

/** Returns the chosen size [pixels]; false where it is the size of the section Pictures. */
bool brume_job_size(const BrumeExportControls *exports, int *width, int *height);

/** Returns the name of a layer for --layers: "all" is the first; `n` is below BRUME_JOB_LAYERS. */
const char *brume_job_layer_name(int n);

/** Writes the layers as an argument of --layers, "depth,sky"; "" for none. */
void brume_job_layers(unsigned layers, char *text, size_t size);

/** The opened files that the panel shows. */
typedef struct BrumeFileReadouts {
    const BrumeRecentFiles *recent; ///< NULL: there are none
    const BrumeKeptFiles *kept;     ///< scenes with unsaved edits; NULL: there are none
} BrumeFileReadouts;

#endif
