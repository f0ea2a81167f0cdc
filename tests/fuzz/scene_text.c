/*
 * The text of a scene file: refused with one line, or a scene that the solver accepts and that can be written and read
 * again.
 */
#include "fuzz_target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = fuzz_text(data, size);
    BrumeScene *scene = NULL;
    BrumeError error = {0};
    const BrumeStatus status = brume_scene_parse(&scene, text, "scene.yaml", NULL, 0, NULL, &error);
    fuzz_require_status(status, &error);
    FUZZ_REQUIRE((status == BRUME_OK) == (scene != NULL), error.text);
    if (scene) {
        fuzz_require_valid_scene(scene);
    }
    brume_scene_destroy(scene);
    free(text);
    return 0;
}
