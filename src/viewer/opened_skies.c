#include "viewer/opened_skies.h"

#include "core/error.h"
#include "core/memory.h"
#include "scene/resolve/resolve.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool brume_is_sky_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".hdr") == 0 || strcasecmp(dot, ".exr") == 0);
}

BrumeStatus brume_opened_skies_read(BrumeOpenedSkies *opened, const char *path, BrumeSkyImage *image, BrumeError *error)
{
    void *context;
    BrumeSkyReader *const reader = brume_sky_reader(&context);
    if (!reader) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: this program does not read images", path);
    }
    const size_t count = (size_t)opened->count;
    BrumeOpenedSky *skies =
        brume_realloc(opened->skies, count * sizeof *opened->skies, (count + 1) * sizeof *opened->skies);
    if (!skies) {
        return brume_out_of_memory(error, "an image of the sky");
    }
    opened->skies = skies;
    BrumeOpenedSky *const sky = &skies[count];
    *sky = (BrumeOpenedSky){0};
    const BrumeStatus status = reader(context, path, &sky->image.width, &sky->image.height, &sky->radiance, error);
    if (status != BRUME_OK) {
        return status;
    }
    char *const absolute = realpath(path, NULL); // a saved scene may be in another folder
    (void)snprintf(sky->path, sizeof sky->path, "%s", absolute ? absolute : path);
    free(absolute);
    sky->image.radiance = sky->radiance;
    *image = sky->image;
    opened->count++;
    return BRUME_OK;
}

const char *brume_opened_skies_path(const BrumeOpenedSkies *opened, const BrumeSkyImage *image)
{
    for (int n = 0; n < opened->count; n++) {
        if (opened->skies[n].radiance == image->radiance) {
            return opened->skies[n].path;
        }
    }
    return NULL;
}

void brume_opened_skies_destroy(BrumeOpenedSkies *opened)
{
    for (int n = 0; n < opened->count; n++) {
        free(opened->skies[n].radiance);
    }
    brume_free(opened->skies);
    *opened = (BrumeOpenedSkies){0};
}
