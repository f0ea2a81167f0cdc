#include "app/render/run_memory.h"

#include "app/cli/format.h"
#include "app/render/measure_columns.h"
#include "app/render/run_stats.h"
#include "brume/renderer.h"
#include "core/memory.h"
#include "raymarch/path/sky_distribution.h"

#include <stdio.h>
#include <string.h>

int brume_run_smoke_kinds(const BrumeScene *scene) { return 1 + brume_measure_columns(scene).colors; }

size_t brume_run_sky_bytes(const BrumeScene *scene)
{
    const BrumeSky *sky = &scene->render_settings.sky;
    const size_t texels = sky->kind == BRUME_SKY_IMAGE ? (size_t)sky->image.width * (size_t)sky->image.height : 0;
    const BrumeGroundImage *ground = &scene->render_settings.ground_image;
    const size_t levels = scene->ground_image ? brume_ground_image_entries(ground->width, ground->height) : 0;
    size_t textures = 0;
    for (int n = 0; n < BRUME_MAX_SURFACES; n++) {
        bool is_first = scene->textures[n] != NULL;
        for (int earlier = 0; earlier < n && is_first; earlier++) {
            is_first = scene->textures[earlier] != scene->textures[n];
        }
        textures += is_first ? brume_texture_bytes(scene->textures[n]) : 0;
    }
    const bool traces = scene->integrator == BRUME_INTEGRATOR_PATH;
    return textures + (3 * texels + levels) * sizeof(float) +
           (traces ? brume_sky_distribution_bytes(&scene->render_settings) : 0);
}

BrumeRunMemory brume_run_memory(const BrumeScene *scene, const BrumePictureOutput *pictures, bool measures, int frames)
{
    BrumeRunMemory memory = {.simulation = brume_scene_bytes_needed(scene)};
    // velocity, pressure, temperature, smoke and the velocity before the last step, with ghosts
    const BrumeGrid grid = brume_scene_largest_grid(scene);
    const int texture = scene->sim.texture_period > 0.0f ? 3 * BRUME_TEXTURE_LAYERS : 0;
    memory.checkpoint = (size_t)(8 + brume_run_smoke_kinds(scene) + texture) * brume_grid_entries(grid) * sizeof(float);
    memory.tables = (size_t)frames * sizeof(BrumeRunFrame);
    if (measures) {
        const BrumeMeasureColumns columns = brume_measure_columns(scene);
        memory.tables += (size_t)(frames + 1) * (size_t)brume_measure_column_count(&columns) * sizeof(double);
    }
    if (pictures) {
        memory.renderer = brume_renderer_bytes_needed(grid.nx, grid.ny, grid.nz, &scene->render_settings,
                                                      brume_run_smoke_kinds(scene));
        memory.sky = brume_run_sky_bytes(scene);
        memory.images = brume_picture_buffer_bytes(pictures, scene);
    }
    return memory;
}

size_t brume_run_memory_total(const BrumeRunMemory *memory)
{
    return memory->simulation + memory->renderer + memory->sky + memory->images + memory->volumes + memory->checkpoint +
           memory->tables;
}

// the parts of a text such as "simulation 2.1 GB, renderer 0.3 GB, images 15.6 MB"
static void list_parts(const BrumeRunMemory *memory, char *text, size_t size)
{
    const struct {
        const char *name;
        size_t bytes;
    } parts[] = {{"simulation", memory->simulation}, {"renderer", memory->renderer}, {"sky and ground", memory->sky},
                 {"images", memory->images},         {"volumes", memory->volumes},   {"checkpoint", memory->checkpoint},
                 {"tables", memory->tables}};
    text[0] = '\0';
    for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++) {
        const size_t used = strlen(text);
        if (parts[n].bytes > 0) {
            (void)snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "", parts[n].name,
                           brume_format_bytes((double)parts[n].bytes).text);
        }
    }
}

BrumeStatus brume_run_memory_check(const BrumeRunMemory *memory, BrumeGrid cells, const BrumeScene *scene, size_t limit,
                                   BrumeError *error)
{
    const size_t needed = brume_run_memory_total(memory);
    const size_t machine = brume_physical_memory();
    const bool above_limit = limit > 0 && needed > limit;
    if (!above_limit && (machine == 0 || needed <= machine)) {
        return BRUME_OK;
    }
    char what[96];
    char parts[240];
    char allowed[64];
    if (memory->images > 0) {
        (void)snprintf(what, sizeof what, "%d x %d x %d cells and %d x %d pixels", cells.nx, cells.ny, cells.nz,
                       scene->width, scene->height);
    } else {
        (void)snprintf(what, sizeof what, "%d x %d x %d cells", cells.nx, cells.ny, cells.nz);
    }
    list_parts(memory, parts, sizeof parts);
    (void)snprintf(allowed, sizeof allowed, above_limit ? "--max-memory allows %s" : "the machine has %s",
                   brume_format_bytes((double)(above_limit ? limit : machine)).text);
    const size_t of_cells = memory->simulation + memory->renderer + memory->volumes + memory->checkpoint;
    const size_t largest = of_cells > memory->images ? of_cells : memory->images;
    const char *cure = memory->sky > largest && memory->sky > memory->tables ? "take smaller images of sky and ground"
                       : memory->tables > largest                            ? "lower time.frames"
                       : memory->images > of_cells                           ? "lower the size of the image"
                                                                             : "lower solver.resolution";
    return brume_fail(error, BRUME_FAILED, "%s need %s of memory (%s), %s (%s)", what,
                      brume_format_bytes((double)needed).text, parts, allowed, cure);
}
