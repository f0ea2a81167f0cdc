#include "app/volumes/default_look.h"

#include "app/info/volume_statistics.h"
#include "core/text.h"

static const double tangent = 0.363970234266202; // of half the field of view, which is 40 degrees by default
static const double aspect = 16.0 / 9.0;         // of the picture
static const double margin = 1.15;               // of the box in the picture
static const double elevation = 0.1;             // of the camera above the centre, per distance
static const double max_extinction = 10000.0;    // that a scene may have [1/m]

static void add_point(BrumeText *text, const char *key, const double point[3])
{
    brume_text_add(text, "  %s: [", key);
    for (int axis = 0; axis < 3; axis++) {
        brume_text_add_exact_number(text, point[axis]);
        brume_text_add(text, axis < 2 ? ", " : "]\n");
    }
}

BrumeStatus brume_default_look(const BrumeFrameGrids *frame, const char *name, char **text, BrumeError *error)
{
    double size[3];
    double centre[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = frame->dx * brume_cells_along(frame->cells, axis);
        centre[axis] = frame->origin[axis] + 0.5 * size[axis];
    }
    const double height = margin * (size[1] > size[0] / aspect ? size[1] : size[0] / aspect);
    const double distance = 0.5 * height / tangent + 0.5 * size[2];
    const double position[3] = {centre[0], centre[1] + elevation * distance, centre[2] + distance};
    const double scale = brume_density_scale(frame);
    BrumeText scene = {0};
    brume_text_add(&scene, "name: ");
    brume_text_add_json_string(&scene, brume_quote(name).text);
    brume_text_add(&scene, "\nsmoke: {density: {extinction: ");
    brume_text_add_exact_number(&scene, scale > max_extinction ? max_extinction : scale > 0.0 ? scale : 1.0);
    brume_text_add(&scene, "}}\nrender: {ground: {height: ");
    brume_text_add_exact_number(&scene, frame->origin[1]);
    brume_text_add(&scene, "}}\ncamera:\n");
    add_point(&scene, "position", position);
    add_point(&scene, "target", centre);
    *text = scene.data;
    if (scene.failed) {
        brume_text_destroy(&scene);
        *text = NULL;
        return brume_out_of_memory(error, "the look of a volume");
    }
    return BRUME_OK;
}
