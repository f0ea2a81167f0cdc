#include "app/volumes/drawn_volume.h"

#include "core/field.h"
#include "core/minmax.h"
#include "core/particle.h"
#include "core/vec3.h"
#include "exchange/volume_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char flame_name[] = "flame";

// the grids that pictures need; a name with _1, _x and so on counts as its first part
static const char drawn_grids[] = BRUME_GRID_DENSITY "," BRUME_GRID_TEMPERATURE "," BRUME_GRID_VELOCITY
                                                     "," BRUME_GRID_PRESSURE ",color,flame,texture";

static BrumeFrameGrid *find_scalar(BrumeFrameGrids *frame, const char *name)
{
    const BrumeFrameGrid *found = brume_frame_grids_find(frame, name);
    return found && found->components == 1 && found->location == BRUME_AT_CENTERS ? &frame->grids[found - frame->grids]
                                                                                  : NULL;
}

// the filled cells of the density that a frame of particles alone is given
static const BrumeCellBox no_smoke = {{0, 0, 0}, {1, 1, 1}};

static bool has_density(BrumeFrameGrids *frame) { return find_scalar(frame, BRUME_GRID_DENSITY) != NULL; }

static bool may_be_density(const BrumeFrameGrid *grid)
{
    return grid->components == 1 && grid->location == BRUME_AT_CENTERS &&
           strcmp(grid->name, BRUME_GRID_TEMPERATURE) != 0 && strcmp(grid->name, flame_name) != 0;
}

static bool may_have_density(const BrumeFrameGrids *frame)
{
    bool may = false;
    for (int n = 0; n < frame->count; n++) {
        may = may || may_be_density(&frame->grids[n]);
    }
    return may;
}

static bool contains(const char *text, const char *word)
{
    const size_t length = strlen(word);
    while (*text && strncasecmp(text, word, length) != 0) {
        text++;
    }
    return *text != '\0';
}

// The one grid that may be the density: the only one whose name has a word for it, or the only one; NULL: there is
// none, or there are several.
static const char *guess_density(const BrumeFrameGrids *frame)
{
    static const char *const words[] = {"density", "smoke", "fog", ""};
    for (size_t word = 0; word < sizeof words / sizeof words[0]; word++) {
        const char *name = NULL;
        int count = 0;
        for (int n = 0; n < frame->count; n++) {
            const BrumeFrameGrid *grid = &frame->grids[n];
            if (may_be_density(grid) && contains(grid->name, words[word])) {
                name = grid->name;
                count++;
            }
        }
        if (count == 1) {
            return name;
        }
    }
    return NULL;
}

static BrumeStatus add_flame_grid(BrumeFrameGrids *frame, const char *name, const char *unit, BrumeError *error)
{
    BrumeFrameGrid *grid = find_scalar(frame, name);
    BrumeStatus status = BRUME_OK;
    if (!grid) {
        status = brume_frame_grids_add(frame, name, unit, 1, BRUME_AT_CENTERS, &grid, error);
    }
    if (status == BRUME_OK) {
        (void)snprintf(grid->note, sizeof grid->note, "is made from the grid '%s'", flame_name);
    }
    return status;
}

// adds temperature and density to the flame grid of another program (a file of Brume has the scene's text)
static BrumeStatus draw_flames(BrumeFrameGrids *frame, BrumeError *error)
{
    if (frame->scene_text || !find_scalar(frame, flame_name)) {
        return BRUME_OK;
    }
    if (add_flame_grid(frame, BRUME_GRID_TEMPERATURE, "K", error) != BRUME_OK ||
        (!has_density(frame) && add_flame_grid(frame, BRUME_GRID_DENSITY, "1", error) != BRUME_OK)) {
        return error->status;
    }
    const BrumeFrameGrid *flame = find_scalar(frame, flame_name);
    BrumeFrameGrid *temperature = find_scalar(frame, BRUME_GRID_TEMPERATURE);
    BrumeFrameGrid *density = find_scalar(frame, BRUME_GRID_DENSITY);
    brume_box_add(&temperature->filled, &flame->filled);
    brume_box_add(&density->filled, &flame->filled);
    BrumeCellBox box = temperature->filled;
    brume_box_add(&box, &density->filled);
    for (int k = box.lower[2]; k < box.upper[2]; k++) {
        for (int j = box.lower[1]; j < box.upper[1]; j++) {
            const size_t row = ((size_t)k * (size_t)frame->cells.ny + (size_t)j) * (size_t)frame->cells.nx;
            for (size_t n = row + (size_t)box.lower[0]; n < row + (size_t)box.upper[0]; n++) {
                temperature->values[n] = BRUME_FLAME_KELVIN * flame->values[n];
                density->values[n] = brume_fmaxf(density->values[n], flame->values[n]);
            }
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_drawn_volume_read(BrumeFrameGrids *frame, const char *path, BrumeDrawnVolumes *volumes,
                                    BrumeError *error)
{
    BrumeVolumeReadDef def = {.parts = BRUME_READ_ALL};
    memcpy(def.density, volumes->density, sizeof def.density);
    (void)snprintf(def.grids, sizeof def.grids, "%s", drawn_grids);
    BrumeStatus status = brume_volume_file_read_grids(frame, path, &def, error);
    if (status == BRUME_OK && !has_density(frame) && !frame->scene_text) { // it has another name
        brume_frame_grids_destroy(frame);
        status = brume_volume_file_read(frame, path, error);
        const char *name = status == BRUME_OK ? guess_density(frame) : NULL;
        if (name) {
            char note[BRUME_MAX_GRID_NOTE];
            (void)snprintf(note, sizeof note, "is the grid '%.100s' (--density-grid NAME for another)", name);
            (void)snprintf(volumes->density, sizeof volumes->density, "%s", name);
            (void)brume_frame_grids_name_density(frame, volumes->density);
            BrumeFrameGrid *density = find_scalar(frame, BRUME_GRID_DENSITY);
            (void)snprintf(density->note, sizeof density->note, "%s", note);
        }
    }
    if (status == BRUME_OK) {
        status = draw_flames(frame, error);
    }
    if (status == BRUME_OK && frame->has_particles && !may_have_density(frame)) { // particles alone
        BrumeFrameGrid *density;
        status = brume_frame_grids_add(frame, BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS, &density, error);
        if (status == BRUME_OK) {
            density->filled = no_smoke;
        }
    }
    if (status == BRUME_OK && !has_density(frame)) {
        status = brume_fail(error, BRUME_BAD_INPUT,
                            "%s: it has no grid '" BRUME_GRID_DENSITY "' (its grids are %s; give --density-grid NAME)",
                            path, brume_frame_grids_list(frame).text);
    }
    brume_drawn_volume_move(frame, volumes->shift);
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    return status;
}

bool brume_drawn_volume_has_only_particles(const BrumeFrameGrids *frame)
{
    return frame->has_particles && frame->count == 1 &&
           memcmp(&frame->grids[0].filled, &no_smoke, sizeof no_smoke) == 0 && !(frame->grids[0].values[0] > 0.0f);
}

void brume_drawn_volume_move(BrumeFrameGrids *frame, const double shift[3])
{
    const BrumeVec3 way = brume_vec3((float)shift[0], (float)shift[1], (float)shift[2]);
    for (int axis = 0; axis < 3; axis++) {
        frame->origin[axis] += shift[axis];
    }
    for (int n = 0; n < frame->particle_count; n++) {
        frame->particles[n].position = brume_add(frame->particles[n].position, way);
    }
}

void brume_drawn_volume_complete_particles(BrumeFrameGrids *frame, const BrumeSimDef *def)
{
    int count = 0;
    for (int n = 0; n < frame->particle_count; n++) {
        BrumeParticle *particle = &frame->particles[count];
        *particle = frame->particles[n];
        particle->kind = particle->kind < BRUME_PARTICLE_KINDS ? particle->kind : BRUME_PARTICLE_DUST;
        if (!(particle->diameter > 0.0f)) {
            particle->diameter = def->particles[particle->kind].diameter;
        }
        const float length = brume_length(particle->normal);
        if (fabsf(length - 1.0f) > 1e-3f && length > 0.0f) {
            particle->normal = brume_scale(particle->normal, 1.0f / length);
        }
        count += brume_particle_is_valid(particle);
    }
    frame->particle_count = count;
}

BrumeStatus brume_parse_density_grid(void *member, const char *option, const char *value, BrumeError *error)
{
    if (value[0] == '\0' || strlen(value) >= BRUME_MAX_GRID_NAME) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: a name of 1 to %d characters is expected", option,
                          BRUME_MAX_GRID_NAME - 1);
    }
    (void)snprintf(member, BRUME_MAX_GRID_NAME, "%s", value);
    return BRUME_OK;
}

void brume_volume_list_notes(const BrumeFrameGrids *frame, const char *path, BrumeText *lines)
{
    for (int n = 0; n < frame->count; n++) {
        if (frame->grids[n].note[0]) {
            brume_text_add(lines, "%s: the grid '%s' %s\n", path, frame->grids[n].name, frame->grids[n].note);
        }
    }
}

void brume_print_notes(const BrumeText *lines, BrumeMessages *messages)
{
    const char *line = lines->size > 0 ? lines->data : "";
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        brume_messages_print(messages, BRUME_PRINT_RESULTS, "%.*s", (int)(end - line), line);
    }
}
