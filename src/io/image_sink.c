#include "io/image_sink.h"

#include "io/image_internal.h"

#include <stddef.h>

static BrumeStatus replace_file(void *unused, const BrumeSequencePicture *picture, BrumeError *error)
{
    (void)unused;
    return brume_image_write_tile(picture->path, picture->width, picture->height, picture->pixels, picture->format,
                                  picture->tile, true, error);
}

static BrumeStatus create_file(void *unused, const BrumeSequencePicture *picture, BrumeError *error)
{
    (void)unused;
    return brume_image_write_tile(picture->path, picture->width, picture->height, picture->pixels, picture->format,
                                  picture->tile, false, error);
}

BrumeImageSink brume_image_file_sink(bool overwrite)
{
    return (BrumeImageSink){.add = overwrite ? replace_file : create_file, .context = NULL};
}
