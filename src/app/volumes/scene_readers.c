#include "app/cli/scene_readers.h"

#include "app/volumes/ground_reader.h"
#include "app/volumes/samples_reader.h"
#include "app/volumes/sky_reader.h"

const BrumeSceneReaders brume_scene_readers = {
    .samples = brume_read_samples,
    .sky = brume_read_sky,
    .ground_image = brume_read_ground_image,
};
