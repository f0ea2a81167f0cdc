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

BrumeStatus brume_opened_skies_read(BrumeOpenedSkies *opened, const BrumeSceneReaders *readers, const char *path,
                                    BrumeSkyImage *image, BrumeError *error)
{
    if (!readers->sky) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: this program does not read images", path);
    }
    BrumeSkyImage read = {0};
    float *radiance = NULL;
    BrumeStatus status = readers->sky(readers->context, path, &read.width, &read.height, &radiance, error);
    if (status == BRUME_OK) {
        (void)brume_cut_negative_values(radiance, read.width, read.height);
        read.radiance = radiance;
        status = brume_opened_skies_add(opened, path, radiance, &read, error);
    }
    if (status == BRUME_OK) {
        *image = read;
    }
    return status;
}

static bool has_same_values(const BrumeSkyImage *a, const BrumeSkyImage *b)
{
    const size_t size = 3 * sizeof(float) * (size_t)a->width * (size_t)a->height;
    return a->width == b->width && a->height == b->height && memcmp(a->radiance, b->radiance, size) == 0;
}

BrumeStatus brume_opened_skies_add(BrumeOpenedSkies *opened, const char *path, float *radiance, BrumeSkyImage *image,
                                   BrumeError *error)
{
    char *const found = realpath(path, NULL); // a saved scene may be in another folder
    const char *const absolute = found ? found : path;
    const size_t count = (size_t)opened->count;
    BrumeOpenedSky *skies = NULL;
    for (size_t n = 0; n < count; n++) {
        const BrumeOpenedSky *former = &opened->skies[n];
        if (strcmp(former->path, absolute) == 0 && has_same_values(&former->image, image)) {
            free(radiance);
            free(found);
            *image = former->image;
            return BRUME_OK;
        }
    }
    skies = brume_realloc(opened->skies, count * sizeof *opened->skies, (count + 1) * sizeof *opened->skies);
    if (!skies) {
        free(radiance);
        free(found);
        return brume_out_of_memory(error, "an image of the sky");
    }
    opened->skies = skies;
    opened->count++;
    BrumeOpenedSky *const sky = &skies[count];
    *sky = (BrumeOpenedSky){.image = *image, .radiance = radiance};
    (void)snprintf(sky->path, sizeof sky->path, "%s", absolute);
    free(found);
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
