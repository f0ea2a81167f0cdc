#include "viewer/controls/exports.h"

#include <stdio.h>

BrumeExportControls brume_default_exports(void)
{
    return (BrumeExportControls){
        .recording = BRUME_FILE_PNG, .cache = BRUME_FILE_HDF, .first = 1, .stride = 1, .width = 1920, .height = 1080};
}

static const struct {
    const char *name;
    int width, height; // 0: not a size of this table
} sizes[BRUME_JOB_SIZES] = {
    [BRUME_JOB_SIZE_OF_PICTURES] = {"as pictures", 0, 0},
    [BRUME_JOB_SIZE_720P] = {"720p", 1280, 720},
    [BRUME_JOB_SIZE_1080P] = {"1080p", 1920, 1080},
    [BRUME_JOB_SIZE_4K] = {"4K", 3840, 2160},
    [BRUME_JOB_SIZE_OWN] = {"own size", 0, 0},
};

const char *brume_job_size_name(BrumeJobSize size) { return sizes[size].name; }

bool brume_job_size(const BrumeExportControls *exports, int *width, int *height)
{
    const bool own = exports->size == BRUME_JOB_SIZE_OWN;
    *width = own ? exports->width : sizes[exports->size].width;
    *height = own ? exports->height : sizes[exports->size].height;
    return exports->size != BRUME_JOB_SIZE_OF_PICTURES;
}

const char *brume_job_layer_name(int n)
{
    static const char *const names[BRUME_JOB_LAYERS] = {"all", "depth",    "transmittance", "lights",
                                                        "sky", "emission", "motion",        "noisy"};
    return names[n];
}

void brume_job_layers(unsigned layers, char *text, size_t size)
{
    const bool all = layers & 1U; // this layer includes the others
    size_t used = 0;
    text[0] = '\0';
    for (int n = 0; n < BRUME_JOB_LAYERS && used < size; n++) {
        if (layers >> n & 1U && (n == 0 || !all)) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? "," : "", brume_job_layer_name(n));
        }
    }
}
