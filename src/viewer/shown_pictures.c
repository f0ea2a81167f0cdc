// The files are written at the end, so that the log costs little time while pictures are shown.
#include "viewer/shown_pictures.h"

#include "core/memory.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

// writes the path of the table
static void table_path(const BrumeShownPictures *shown, char path[PATH_MAX])
{
    (void)snprintf(path, PATH_MAX, "%s/pictures.csv", shown->folder);
}

BrumeStatus brume_shown_pictures_start(BrumeShownPictures *shown, const char *folder, BrumeError *error)
{
    char path[PATH_MAX];
    shown->folder = folder;
    table_path(shown, path);
    brume_text_add(&shown->table, "shown_at,sample,frame,epoch,newer_states,shrink,samples,prepare_ms,draw_ms,x,y,z,"
                                  "target_x,target_y,target_z,field_of_view,width,height\n");
    return brume_file_check_writable(path, error);
}

uint8_t *brume_shown_pictures_pixels(BrumeShownPictures *shown, int width, int height)
{
    if (!shown->folder || shown->sample_count == BRUME_SHOWN_SAMPLES || shown->count % BRUME_SHOWN_INTERVAL != 0) {
        return NULL;
    }
    uint8_t *rgb = brume_alloc_untouched(3 * (size_t)width * (size_t)height, 1);
    if (rgb) {
        shown->samples[shown->sample_count++] = (BrumeShownPixels){width, height, rgb};
    }
    return rgb;
}

void brume_shown_pictures_add(BrumeShownPictures *shown, const BrumeShownPicture *picture)
{
    if (!shown->folder) {
        return;
    }
    const bool has_pixels =
        shown->count % BRUME_SHOWN_INTERVAL == 0 && shown->count / BRUME_SHOWN_INTERVAL < shown->sample_count;
    const BrumeCamera *camera = &picture->camera;
    brume_text_add(&shown->table, "%.6f,%d,%d,%d,%u,%d,%d,%.3f,%.3f,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%d\n",
                   picture->shown_at, has_pixels ? shown->sample_count - 1 : -1, picture->frame, picture->epoch,
                   picture->newer_states, picture->shrink, picture->samples, picture->prepare_ms, picture->draw_ms,
                   (double)camera->position.x, (double)camera->position.y, (double)camera->position.z,
                   (double)camera->target.x, (double)camera->target.y, (double)camera->target.z,
                   (double)camera->field_of_view, picture->width, picture->height);
    shown->count++;
}

// writes a picture as PPM; its rows are stored from the bottom up, as OpenGL reads them
static BrumeStatus write_pixels(const BrumeShownPixels *pixels, const char *path, BrumeError *error)
{
    char header[64];
    const size_t row = 3 * (size_t)pixels->width;
    const size_t size = (size_t)snprintf(header, sizeof header, "P6\n%d %d\n255\n", pixels->width, pixels->height);
    uint8_t *bytes = brume_alloc_untouched(size + row * (size_t)pixels->height, 1);
    if (!bytes) {
        return brume_out_of_memory(error, "a picture of %d x %d", pixels->width, pixels->height);
    }
    memcpy(bytes, header, size);
    for (int y = 0; y < pixels->height; y++) {
        memcpy(bytes + size + row * (size_t)y, pixels->rgb + row * (size_t)(pixels->height - 1 - y), row);
    }
    const BrumeStatus status = brume_file_write(path, bytes, size + row * (size_t)pixels->height, error);
    brume_free(bytes);
    return status;
}

BrumeStatus brume_shown_pictures_write(BrumeShownPictures *shown, BrumeError *error)
{
    char path[PATH_MAX];
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < shown->sample_count && status == BRUME_OK; n++) {
        (void)snprintf(path, sizeof path, "%s/picture_%04d.ppm", shown->folder, n);
        status = write_pixels(&shown->samples[n], path, error);
    }
    if (shown->folder && status == BRUME_OK) {
        table_path(shown, path);
        status = brume_file_write_text(path, &shown->table, error);
    }
    brume_shown_pictures_destroy(shown);
    return status;
}

void brume_shown_pictures_destroy(BrumeShownPictures *shown)
{
    for (int n = 0; n < shown->sample_count; n++) {
        brume_free(shown->samples[n].rgb);
    }
    brume_text_destroy(&shown->table);
    *shown = (BrumeShownPictures){0};
}
