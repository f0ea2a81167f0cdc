#include "app/volumes/capture.h"

#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/reductions.h"
#include "sim/lifecycle/ranks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MAX_SOURCES = 13 + BRUME_TEXTURE_LAYERS };

/** A grid to be made from fields of the state. */
typedef struct CaptureSource {
    const char *name, *unit;
    int components;
    BrumeGridLocation location;
    BrumeFieldId field; // for a vector: its first component; undefined for a layer of texture coordinates
    int texture;        // 1 or 2: texture coordinates of this layer; 0: `field`
} CaptureSource;

static const CaptureSource smoke_sources[] = {
    {BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS, BRUME_FIELD_DENSITY, 0},
    {BRUME_GRID_COLOR "1", "1", 1, BRUME_AT_CENTERS, BRUME_FIELD_COLOR_1, 0},
    {BRUME_GRID_COLOR "2", "1", 1, BRUME_AT_CENTERS, BRUME_FIELD_COLOR_2, 0},
    {BRUME_GRID_COLOR "3", "1", 1, BRUME_AT_CENTERS, BRUME_FIELD_COLOR_3, 0},
};
static const CaptureSource other_sources[] = {
    {BRUME_GRID_TEMPERATURE, "K", 1, BRUME_AT_CENTERS, BRUME_FIELD_TEMPERATURE, 0},
    {BRUME_GRID_VELOCITY, "m/s", 3, BRUME_AT_CENTERS, BRUME_FIELD_U, 0},
    {BRUME_GRID_FACES "x", "m/s", 1, BRUME_AT_X_FACES, BRUME_FIELD_U, 0},
    {BRUME_GRID_FACES "y", "m/s", 1, BRUME_AT_Y_FACES, BRUME_FIELD_V, 0},
    {BRUME_GRID_FACES "z", "m/s", 1, BRUME_AT_Z_FACES, BRUME_FIELD_W, 0},
    {BRUME_GRID_PRESSURE, "m^2/s^2", 1, BRUME_AT_CENTERS, BRUME_FIELD_PRESSURE, 0},
    {BRUME_GRID_FUEL, "1", 1, BRUME_AT_CENTERS, BRUME_FIELD_FUEL, 0},
    {BRUME_GRID_MIXTURE, "1", 1, BRUME_AT_CENTERS, BRUME_FIELD_MIXTURE, 0},
    {BRUME_GRID_HEATING, "1", 1, BRUME_AT_CENTERS, BRUME_FIELD_HEATING, 0},
};

static const CaptureSource texture_sources[BRUME_TEXTURE_LAYERS] = {
    {BRUME_GRID_TEXTURE "1", "m", 3, BRUME_AT_CENTERS, BRUME_FIELD_DENSITY, 1},
    {BRUME_GRID_TEXTURE "2", "m", 3, BRUME_AT_CENTERS, BRUME_FIELD_DENSITY, 2},
};

static bool has_velocity(const BrumeCaptureState *state)
{
    return state->fields[BRUME_FIELD_U] && state->fields[BRUME_FIELD_V] && state->fields[BRUME_FIELD_W];
}

// lists the grids of the wanted `fields` that the state has
static int list_sources(const BrumeCaptureState *state, unsigned fields, const CaptureSource *sources[MAX_SOURCES])
{
    const unsigned needed[] = {BRUME_VOLUME_TEMPERATURE, BRUME_VOLUME_VELOCITY, BRUME_VOLUME_FACES,
                               BRUME_VOLUME_FACES,       BRUME_VOLUME_FACES,    BRUME_VOLUME_PRESSURE,
                               BRUME_VOLUME_FUEL,        BRUME_VOLUME_FUEL,     BRUME_VOLUME_FUEL};
    int count = 0;
    for (int n = 0; n < BRUME_SMOKE_KINDS; n++) {
        if ((fields & BRUME_VOLUME_SMOKE) && state->fields[smoke_sources[n].field]) {
            sources[count++] = &smoke_sources[n];
        }
    }
    for (int n = 0; n < (int)(sizeof needed / sizeof needed[0]); n++) {
        const bool is_vector = needed[n] == BRUME_VOLUME_VELOCITY || needed[n] == BRUME_VOLUME_FACES;
        const bool exists = is_vector ? has_velocity(state) : state->fields[other_sources[n].field] != NULL;
        if ((fields & needed[n]) && exists) {
            sources[count++] = &other_sources[n];
        }
    }
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        if ((fields & BRUME_VOLUME_TEXTURE) && state->texture[n][0]) {
            sources[count++] = &texture_sources[n];
        }
    }
    return count;
}

static size_t particle_bytes(int count) { return (size_t)count * sizeof(BrumeParticle); }

static bool has_room_for(const BrumeFrameGrids *frame, BrumeGrid cells, const CaptureSource *const *sources, int count,
                         int particles)
{
    bool same = frame->cells.nx == cells.nx && frame->cells.ny == cells.ny && frame->cells.nz == cells.nz &&
                frame->count == count && frame->particle_block.size >= particle_bytes(particles);
    for (int n = 0; n < count && same; n++) {
        same = strcmp(frame->grids[n].name, sources[n]->name) == 0;
    }
    return same;
}

// the entry that counts as filled also where all are 0
static const BrumeCellBox first_entry = {{0, 0, 0}, {1, 1, 1}};

static BrumeStatus make_room(BrumeFrameGrids *frame, BrumeGrid cells, const CaptureSource *const *sources, int count,
                             int particles, BrumeError *error)
{
    brume_frame_grids_destroy(frame);
    frame->cells = cells;
    for (int n = 0; n < count; n++) {
        BrumeFrameGrid *grid;
        const CaptureSource *source = sources[n];
        if (brume_frame_grids_add(frame, source->name, source->unit, source->components, source->location, &grid,
                                  error) != BRUME_OK) {
            brume_frame_grids_destroy(frame);
            return error->status;
        }
        grid->filled = source->components == 1 ? first_entry : grid->filled; // by copy_scalar
    }
    // the next frames may have more particles
    const BrumeStatus status = brume_frame_grids_add_particles(frame, particles + particles / 2, error);
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    return status;
}

// Copies the rows that are not 0, or were not; memory of the others is not touched.
static void copy_scalar(BrumeFrameGrid *grid, const BrumeField *field)
{
    const int nx = brume_frame_grid_extent(field->grid, grid->location, 0);
    const int ny = brume_frame_grid_extent(field->grid, grid->location, 1);
    const int nz = brume_frame_grid_extent(field->grid, grid->location, 2);
    const BrumeCellBox former = grid->filled;
    BrumeCellBox filled = brume_no_cells;
#pragma omp parallel
    {
        BrumeCellBox own = brume_no_cells;
#pragma omp for schedule(static)
        for (int k = 0; k < nz; k++) {
            for (int j = 0; j < ny; j++) {
                float *to = grid->values + (size_t)nx * ((size_t)k * (size_t)ny + (size_t)j);
                const float *from = field->data + brume_field_index(field, 1, j + 1, k + 1);
                const BrumeCellBox row = {{0, j, k}, {nx, j + 1, k + 1}};
                const bool was_filled =
                    j >= former.lower[1] && j < former.upper[1] && k >= former.lower[2] && k < former.upper[2];
                const bool any = brume_any_bits_row(from, nx) != 0;
                if (any || was_filled) {
                    memcpy(to, from, (size_t)nx * sizeof *to);
                }
                if (any) {
                    brume_box_add(&own, &row);
                }
            }
        }
#pragma omp critical
        brume_box_add(&filled, &own);
    }
    grid->filled = brume_box_is_empty(filled) ? first_entry : filled;
}

static void average_faces(BrumeFrameGrid *grid, const BrumeField *u, const BrumeField *v, const BrumeField *w)
{
    const BrumeGrid cells = u->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= cells.nz; k++) {
        for (int j = 1; j <= cells.ny; j++) {
            float *to = grid->values + 3 * (size_t)cells.nx * ((size_t)(k - 1) * (size_t)cells.ny + (size_t)(j - 1));
            for (int i = 1; i <= cells.nx; i++, to += 3) {
                const ptrdiff_t at = brume_field_index(u, i, j, k);
                to[0] = 0.5f * (u->data[at] + u->data[at + 1]);
                to[1] = 0.5f * (v->data[at] + v->data[at + v->sy]);
                to[2] = 0.5f * (w->data[at] + w->data[at + w->sz]);
            }
        }
    }
}

static void copy_texture(BrumeFrameGrid *grid, const BrumeField *const layer[3])
{
    const BrumeField *shape = layer[0];
    const BrumeGrid cells = shape->grid;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < cells.nz; k++) {
        for (int j = 0; j < cells.ny; j++) {
            float *to = grid->values + 3 * (size_t)cells.nx * ((size_t)k * (size_t)cells.ny + (size_t)j);
            for (int axis = 0; axis < 3; axis++) {
                const float *from = layer[axis]->data + brume_field_index(shape, 1, j + 1, k + 1);
                for (int i = 0; i < cells.nx; i++) {
                    to[3 * i + axis] = from[i];
                }
            }
        }
    }
}

BrumeStatus brume_capture_state(BrumeFrameGrids *frame, const BrumeCaptureState *state, unsigned fields,
                                const char *scene_text, BrumeError *error)
{
    const BrumeSimDef *def = state->settings;
    const BrumeGrid cells = brume_grid(def->nx, def->ny, def->nz);
    const CaptureSource *sources[MAX_SOURCES];
    const int count = list_sources(state, fields, sources);
    const int particles = fields & BRUME_VOLUME_PARTICLES ? state->particle_count : 0;
    if (!has_room_for(frame, cells, sources, count, particles) &&
        make_room(frame, cells, sources, count, particles, error) != BRUME_OK) {
        return error->status;
    }
    for (int n = 0; n < count; n++) {
        const BrumeField *first = state->fields[sources[n]->field];
        if (sources[n]->texture > 0) {
            copy_texture(&frame->grids[n], state->texture[sources[n]->texture - 1]);
        } else if (sources[n]->components == 1) {
            copy_scalar(&frame->grids[n], first);
        } else {
            average_faces(&frame->grids[n], first, state->fields[BRUME_FIELD_V], state->fields[BRUME_FIELD_W]);
        }
    }
    frame->has_particles = fields & BRUME_VOLUME_PARTICLES;
    frame->particle_count = particles;
    for (int n = 0; n < particles; n++) {
        frame->particles[n] = state->particles[n];
        frame->particles[n].age = fabsf(state->particles[n].age);
    }
    frame->dx = (double)def->dx;
    frame->origin[0] = (double)def->origin.x;
    frame->origin[1] = (double)def->origin.y;
    frame->origin[2] = (double)def->origin.z;
    frame->has_frame = true;
    frame->frame = state->frame;
    frame->time = state->time;
    frame->body_count = def->body_count;
    for (int n = 0; n < def->body_count; n++) {
        const BrumeShape shape = brume_body_shape(def, n);
        // one that is disabled is stored as a point
        frame->bodies[n] =
            def->bodies[n].disabled ? (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = shape.a, .b = shape.a} : shape;
    }
    if (!frame->scene_text && scene_text) {
        frame->scene_text = brume_copy_text(scene_text);
        if (!frame->scene_text) {
            brume_frame_grids_destroy(frame);
            return brume_out_of_memory(error, "the scene of a volume file");
        }
    }
    return BRUME_OK;
}

unsigned brume_capture_reads(unsigned fields)
{
    static const BrumeField any;
    BrumeCaptureState state = {0};
    const CaptureSource *sources[MAX_SOURCES];
    unsigned read = 0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        state.fields[id] = &any;
    }
    const int count = list_sources(&state, fields, sources);
    for (int n = 0; n < count; n++) {
        read |= (sources[n]->components == 3 ? 7u : 1u) << sources[n]->field;
    }
    return read | (fields & BRUME_VOLUME_TEXTURE ? (unsigned)BRUME_COLLECT_TEXTURE : 0u);
}

BrumeStatus brume_capture(BrumeFrameGrids *frame, const BrumeSim *sim, unsigned fields, const char *scene_text,
                          BrumeError *error)
{
    BrumeCaptureState state = {
        .settings = brume_sim_window(sim), .frame = brume_sim_frames(sim), .time = brume_sim_time(sim)};
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        state.fields[id] = brume_sim_field(sim, (BrumeFieldId)id);
    }
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        state.texture[n / 3][n % 3] = brume_sim_texture(sim, n / 3, n % 3);
    }
    state.particles = brume_sim_particles(sim, &state.particle_count);
    return brume_capture_state(frame, &state, fields, scene_text, error);
}

size_t brume_capture_bytes(BrumeGrid cells, int smoke_kinds, unsigned fields)
{
    const size_t grids = ((fields & BRUME_VOLUME_SMOKE) ? (size_t)smoke_kinds : 0) +
                         ((fields & BRUME_VOLUME_TEMPERATURE) ? 1 : 0) + ((fields & BRUME_VOLUME_VELOCITY) ? 3 : 0) +
                         ((fields & BRUME_VOLUME_PRESSURE) ? 1 : 0) + ((fields & BRUME_VOLUME_FUEL) ? 3 : 0) +
                         ((fields & BRUME_VOLUME_TEXTURE) ? 3 * (size_t)BRUME_TEXTURE_LAYERS : 0);
    size_t entries = grids * brume_grid_cells(cells);
    entries += (fields & BRUME_VOLUME_FACES) ? 3 * brume_grid_entries(cells) : 0;
    return entries * sizeof(float);
}
