/*
 * A state as bytes. One function for each part of the state passes its members through an archive, which counts, writes
 * or reads them, so that writing and reading cannot disagree. Fields are saved with their ghosts: nothing needs to be
 * computed again, and the pressure is the initial value of the next solve.
 */
#include "core/archive.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/mesh.h"
#include "core/samples.h"
#include "core/vec3.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/grid/cells.h"
#include "sim/lifecycle/far_field.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/lifecycle/saved_meshes.h"
#include "sim/particles/particles.h"
#include "sim/settings/references.h"
#include "sim/settings/settings.h"
#include "sim/state/half_scalars.h"
#include "sim/state/state.h"

#include <math.h>
#include <string.h>

static const uint64_t MAGIC = 0x54534d5f454d5242u; // "BRME_MST" on a little-endian machine
enum {
    FORMAT = 20,
    MAX_SAMPLES = 1 << 17, // along an axis; brume_samples_create has the same limit
    MAX_FRAMES = 1 << 30,  // the number of the next one can be computed
};

// before the content; all of it is covered by the checks or by the hash
typedef struct StateHeader {
    uint64_t magic;
    uint64_t format;
    uint64_t size; // of the content [bytes]
    uint64_t hash; // of the content
} StateHeader;

enum { MAX_VOLUMES = BRUME_MAX_BODIES + 4 * BRUME_MAX_EMITTERS };

// the samples of all shapes and forces, each once
typedef struct SampleList {
    int count;
    const BrumeSamples *samples[MAX_VOLUMES];
} SampleList;

// the index of the samples in the list, to which they are added; -1 for NULL
static int list_samples(SampleList *list, const BrumeSamples *samples)
{
    int n = 0;
    while (samples && n < list->count && list->samples[n] != samples) {
        n++;
    }
    if (samples && n == list->count) {
        list->samples[list->count++] = samples;
    }
    return samples ? n : -1;
}

// a grid of samples that are counted or written
static void write_samples(BrumeArchive *archive, const BrumeSamples *samples)
{
    BrumeSamples copy = *samples; // an archive that reads writes through its pointers, so none is const
    for (int axis = 0; axis < 3; axis++) {
        brume_archive_int(archive, &copy.n[axis]);
        brume_archive_double(archive, &copy.first[axis]);
    }
    brume_archive_double(archive, &copy.spacing);
    brume_archive_text(archive, &copy.file);
    brume_archive_text(archive, &copy.grid);
    brume_archive_bool(archive, &copy.vary);
    brume_archive_bytes(archive, copy.values, brume_samples_bytes(&copy));
}

// new samples from an archive; NULL, and `ok` cleared, where it does not have them. No more memory is used than the
// archive has bytes.
static BrumeSamples *read_samples(BrumeArchive *archive)
{
    BrumeSamplesDef def = {0};
    int n[3] = {0, 0, 0};
    bool vary = false;
    char *file = NULL;
    char *grid = NULL;
    BrumeSamples *created = NULL;
    for (int axis = 0; axis < 3; axis++) {
        brume_archive_int(archive, &n[axis]);
        brume_archive_double(archive, &def.first[axis]);
        archive->ok = archive->ok && n[axis] >= 1 && n[axis] <= MAX_SAMPLES;
    }
    brume_archive_double(archive, &def.spacing);
    brume_archive_text(archive, &file);
    brume_archive_text(archive, &grid);
    brume_archive_bool(archive, &vary);
    const size_t count = archive->ok ? (size_t)n[0] * (size_t)n[1] * (size_t)n[2] : 0;
    archive->ok = archive->ok && count <= (archive->size - archive->position) / sizeof(float);
    float *values = archive->ok ? brume_alloc_untouched(count, sizeof *values) : NULL;
    if (values) {
        brume_archive_bytes(archive, values, count * sizeof *values);
        def.nx = n[0];
        def.ny = n[1];
        def.nz = n[2];
        def.values = values;
        def.file = file && file[0] ? file : NULL;
        def.grid = grid && grid[0] ? grid : NULL;
    }
    archive->ok = archive->ok && values && brume_samples_create(&created, &def, NULL) == BRUME_OK;
    if (created) {
        created->vary = vary;
    }
    brume_free(values);
    brume_free(file);
    brume_free(grid);
    return created;
}

// the samples of the settings, each once, and which shape or force has which; samples that are read have a reference
// for each of them
static void pass_samples(BrumeArchive *archive, BrumeSimDef *def)
{
    const bool reading = archive->mode == BRUME_ARCHIVE_READ;
    const BrumeSamples **places[BRUME_MAX_SETTINGS_SAMPLES];
    int indices[MAX_VOLUMES];
    SampleList list = {0};
    (void)brume_settings_samples(def, places);
    const int count = def->body_count + 4 * def->emitter_count; // volumes of initial fields are not saved
    for (int n = 0; n < count; n++) {
        int index = reading ? 0 : list_samples(&list, *places[n]) + 1;
        brume_archive_count(archive, &index, MAX_VOLUMES);
        indices[n] = index - 1;
        *places[n] = reading ? NULL : *places[n];
    }
    brume_archive_count(archive, &list.count, MAX_VOLUMES);
    for (int n = 0; n < list.count; n++) {
        if (!reading) {
            write_samples(archive, list.samples[n]);
        } else {
            list.samples[n] = archive->ok ? read_samples(archive) : NULL;
        }
    }
    for (int n = 0; n < count && reading; n++) {
        archive->ok = archive->ok && indices[n] < list.count;
        if (archive->ok && indices[n] >= 0) {
            *places[n] = list.samples[indices[n]];
            brume_samples_retain(*places[n]);
        }
    }
    for (int n = 0; n < list.count && reading; n++) {
        brume_samples_release(list.samples[n]);
    }
}

// in the order of BrumeSimDef
static void pass_settings(BrumeArchive *archive, BrumeSimDef *def)
{
    brume_members_archive(archive, &brume_sim_members, def);
    pass_samples(archive, def);
    brume_archive_meshes(archive, def);
}

static void pass_motion(BrumeArchive *archive, BrumeMotion *motion)
{
    brume_archive_vec3(archive, &motion->velocity);
    brume_archive_vec3(archive, &motion->rotation_rate);
    brume_members_archive(archive, &brume_shape_members, &motion->from);
    brume_archive_double(archive, &motion->start);
    brume_archive_double(archive, &motion->end);
}

static void pass_budget(BrumeArchive *archive, BrumeBudget *budget)
{
    brume_archive_double(archive, &budget->initial);
    brume_archive_double(archive, &budget->emitted);
    brume_archive_double(archive, &budget->dissipated);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        brume_archive_double(archive, &budget->left[face]);
        brume_archive_double(archive, &budget->diffused[face]);
    }
    brume_archive_double(archive, &budget->bodies);
    brume_archive_double(archive, &budget->changed);
}

// where bodies that deform are, and the hashes of their triangles there
static void pass_deformations(BrumeArchive *archive, BrumeSim *sim)
{
    BrumeDeformedTime *time = &sim->deformed_time;
    brume_archive_double(archive, &time->frames[0]);
    brume_archive_double(archive, &time->frames[1]);
    brume_archive_double(archive, &time->seconds);
    brume_archive_count(archive, &time->now, 1);
    for (int n = 0; n < sim->def.body_count; n++) {
        if (brume_mesh_deforms(sim->def.bodies[n].shape.mesh)) {
            uint64_t hash = sim->deformed && sim->deformed->bodies[n].first
                                ? brume_mesh_hash(sim->deformed->bodies[n].meshes[time->now])
                                : sim->deformed_hashes[n];
            brume_archive_uint64(archive, &hash);
            sim->deformed_hashes[n] = hash;
        }
    }
}

// the parts of a state other than settings and fields
static void pass_progress(BrumeArchive *archive, BrumeSim *sim)
{
    brume_archive_double(archive, &sim->time);
    brume_archive_count(archive, &sim->frames, MAX_FRAMES);
    brume_archive_count(archive, &sim->steps, MAX_FRAMES);
    brume_archive_uint(archive, &sim->valid);
    brume_archive_double(archive, &sim->max_speed);
    brume_archive_double(archive, &sim->previous_dt);
    brume_archive_double(archive, &sim->pressure_residual);
    brume_archive_double(archive, &sim->base_time);
    brume_archive_count(archive, &sim->base_frames, MAX_FRAMES);
    brume_archive_bool(archive, &sim->has_written_fields);
    brume_archive_count(archive, &sim->stroke_count, BRUME_MAX_STROKES);
    for (int n = 0; n < sim->stroke_count; n++) {
        brume_members_archive(archive, &brume_stroke_members, &sim->strokes[n]);
    }
    brume_archive_bool(archive, &sim->bodies_move);
    for (int n = 0; n < sim->def.body_count; n++) {
        pass_motion(archive, &sim->motions[n]);
        brume_archive_vec3(archive, &sim->surface_velocity[n].velocity);
        brume_archive_vec3(archive, &sim->surface_velocity[n].spin);
        brume_archive_vec3(archive, &sim->surface_velocity[n].pivot);
    }
    pass_deformations(archive, sim);
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        brume_archive_int(archive, &sim->texture_generation[n]);
    }
    brume_archive_bool(archive, &sim->budgets_on);
    for (int scalar = 0; sim->budgets_on && scalar < BRUME_SCALAR_COUNT; scalar++) {
        pass_budget(archive, &sim->budgets[scalar]);
    }
    brume_archive_double(archive, &sim->fire.released);
    brume_archive_double(archive, &sim->fire.radiated);
    brume_particles_archive(archive, &sim->particles);
}

static bool is_finite_vec3(BrumeVec3 value) { return isfinite(value.x) && isfinite(value.y) && isfinite(value.z); }

static bool is_valid_stroke(const BrumeStroke *stroke)
{
    return brume_members_are_finite(&brume_stroke_members, stroke) && stroke->start < stroke->end &&
           stroke->radius > 0.0f;
}

static bool is_valid_velocity(const BrumeRigidVelocity *rigid)
{
    return is_finite_vec3(rigid->velocity) && is_finite_vec3(rigid->spin) && is_finite_vec3(rigid->pivot);
}

static bool is_valid_motion(const BrumeMotion *motion)
{
    return isfinite(brume_length(motion->velocity)) && isfinite(brume_length(motion->rotation_rate)) &&
           brume_members_are_finite(&brume_shape_members, &motion->from) && isfinite(motion->start) &&
           isfinite(motion->end);
}

// whether the values that pass_progress has read can be the progress of a simulation
static bool is_valid_progress(const BrumeSim *sim)
{
    bool valid = isfinite(sim->time) && isfinite(sim->base_time) && sim->base_frames <= sim->frames &&
                 isfinite(sim->previous_dt) && sim->previous_dt >= 0.0 && !(sim->max_speed < 0.0) &&
                 isfinite(sim->deformed_time.frames[0]) && isfinite(sim->deformed_time.frames[1]) &&
                 isfinite(sim->deformed_time.seconds) && sim->deformed_time.seconds >= 0.0;
    for (int n = 0; n < sim->stroke_count; n++) {
        valid = valid && is_valid_stroke(&sim->strokes[n]);
    }
    for (int n = 0; n < sim->def.body_count; n++) {
        valid = valid && is_valid_motion(&sim->motions[n]) && is_valid_velocity(&sim->surface_velocity[n]);
    }
    return valid;
}

static void pass_field(BrumeArchive *archive, BrumeField *field)
{
    brume_archive_bytes(archive, field->data, brume_grid_entries(field->grid) * sizeof(float));
}

static bool has_halves(const BrumeSimDef *def, int id)
{
    return def->storage == BRUME_STORAGE_HALF && id >= BRUME_FIELD_TEMPERATURE;
}

static void pass_fields(BrumeArchive *archive, BrumeSim *sim)
{
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (sim->fields[id].data) {
            (has_halves(&sim->def, id) ? brume_archive_halves : pass_field)(archive, &sim->fields[id]);
        }
    }
    for (int axis = 0; axis < 3 && brume_holds(sim, BRUME_VALID_PREVIOUS); axis++) {
        pass_field(archive, &sim->previous[axis]);
    }
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS && sim->texture[0][0].data; n++) {
        pass_field(archive, &sim->texture[n / 3][n % 3]);
    }
}

// bytes of the fields that every state with these settings has
static size_t least_size_of_fields(const BrumeSimDef *def)
{
    const BrumeGrid grid = brume_settings_grid(def);
    const size_t of_floats = brume_grid_entries(grid) * sizeof(float);
    size_t size = def->texture_period > 0.0f ? 3 * BRUME_TEXTURE_LAYERS * of_floats : 0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (brume_has_field(def, (BrumeFieldId)id)) {
            size += has_halves(def, id) ? brume_least_bytes_of_halves(grid) : of_floats;
        }
    }
    return size;
}

// where a window is in its box
static void pass_window(BrumeArchive *archive, BrumeSimDef *box, BrumeFarWindow *window)
{
    brume_members_archive(archive, &brume_sim_members, box);
    for (int axis = 0; axis < 3; axis++) {
        brume_archive_int(archive, &window->from[axis]);
        brume_archive_int(archive, &window->to[axis]);
    }
}

// passes all parts of a state through an archive that counts or writes
static void pass_state(BrumeArchive *archive, const BrumeSim *sim)
{
    BrumeSim state = *sim; // an archive that reads writes through its pointers, so none is const
    pass_settings(archive, &state.def);
    pass_progress(archive, &state);
    pass_fields(archive, &state);
    const BrumeFar *far = sim->far;
    bool has_far_field = far != NULL;
    brume_archive_bool(archive, &has_far_field);
    if (far != NULL) {
        BrumeSim coarse = *far->coarse;
        BrumeSimDef box = far->box;
        BrumeFarWindow window = far->window;
        pass_window(archive, &box, &window);
        pass_progress(archive, &coarse);
        pass_fields(archive, &coarse);
    }
}

size_t brume_sim_saved_size(const BrumeSim *sim)
{
    BrumeArchive archive = {.mode = BRUME_ARCHIVE_COUNT};
    pass_state(&archive, sim);
    return sizeof(StateHeader) + archive.position;
}

BrumeStatus brume_sim_save(const BrumeSim *sim, void *bytes, size_t size, BrumeError *error)
{
    const size_t needed = brume_sim_saved_size(sim);
    if (size < needed) {
        return brume_fail(error, BRUME_BAD_INPUT, "the state takes %zu bytes, the buffer has %zu", needed, size);
    }
    BrumeArchive archive = {.mode = BRUME_ARCHIVE_WRITE, .output = (uint8_t *)bytes + sizeof(StateHeader)};
    pass_state(&archive, sim);
    const StateHeader header = {
        .magic = MAGIC,
        .format = FORMAT,
        .size = archive.position,
        .hash = brume_hash_blocks(archive.output, archive.position, FORMAT),
    };
    memcpy(bytes, &header, sizeof header);
    return BRUME_OK;
}

// an archive that reads the content; its header and hash are right
static BrumeStatus open_state(BrumeArchive *archive, const void *bytes, size_t size, BrumeError *error)
{
    StateHeader header = {0};
    if (bytes && size >= sizeof header) {
        memcpy(&header, bytes, sizeof header);
    }
    if (header.magic != MAGIC) {
        return brume_fail(error, BRUME_BAD_INPUT, "the bytes are not a saved state");
    }
    if (header.format != FORMAT) {
        return brume_fail(error, BRUME_BAD_INPUT, "the saved state has format %llu, this version reads %d",
                          (unsigned long long)header.format, FORMAT);
    }
    if (header.size > size - sizeof header) {
        return brume_fail(error, BRUME_BAD_INPUT, "the saved state is cut off: it has %zu of %llu bytes",
                          size - sizeof header, (unsigned long long)header.size);
    }
    *archive = (BrumeArchive){
        .mode = BRUME_ARCHIVE_READ,
        .input = (const uint8_t *)bytes + sizeof header,
        .size = (size_t)header.size,
        .ok = true,
    };
    if (brume_hash_blocks(archive->input, archive->size, FORMAT) != header.hash) {
        return brume_fail(error, BRUME_BAD_INPUT, "the saved state is damaged: its hash does not match");
    }
    return BRUME_OK;
}

static BrumeStatus fail_fields(BrumeError *error)
{
    return brume_fail(error, BRUME_BAD_INPUT, "the saved state does not have the fields that its settings need");
}

// whether a window has these cells of the box, whose settings are valid
static bool is_valid_window(const BrumeSimDef *box, const BrumeFarWindow *window, const BrumeSimDef *cells)
{
    const int n[3] = {box->nx, box->ny, box->nz};
    const int size[3] = {cells->nx, cells->ny, cells->nz};
    bool valid = box->far_factor > 1 && brume_sim_check(box, NULL) == BRUME_OK;
    for (int axis = 0; axis < 3 && valid; axis++) {
        valid = window->from[axis] >= 1 && window->to[axis] <= n[axis] &&
                window->to[axis] - window->from[axis] + 1 == size[axis] &&
                (window->from[axis] - 1) % box->far_factor == 0 && size[axis] % box->far_factor == 0;
    }
    return valid;
}

// reads the far field of a simulation that is complete otherwise
static BrumeStatus read_far_field(BrumeArchive *archive, BrumeSim *sim, BrumeError *error)
{
    bool has_far_field = false;
    brume_archive_bool(archive, &has_far_field);
    if (!archive->ok || !has_far_field) {
        return archive->ok ? BRUME_OK : fail_fields(error);
    }
    BrumeSimDef box = sim->def; // with its references to samples and meshes
    BrumeFarWindow window;
    pass_window(archive, &box, &window);
    if (!archive->ok || !is_valid_window(&box, &window, &sim->def)) {
        return fail_fields(error);
    }
    const BrumeStatus status = brume_far_restore(sim, &box, &window, error);
    if (status == BRUME_OK && sim->far) {
        BrumeSim *coarse = sim->far->coarse;
        pass_progress(archive, coarse);
        archive->ok = archive->ok && is_valid_progress(coarse);
        brume_invalidate(coarse, BRUME_VALID_DISPLACEMENT);
        pass_fields(archive, coarse);
        brume_far_set_sides(sim);
    }
    return status;
}

BrumeStatus brume_sim_create_saved(BrumeSim **sim, const void *bytes, size_t size, BrumeError *error)
{
    return brume_sim_create_saved_with(sim, NULL, bytes, size, error);
}

BrumeStatus brume_sim_create_saved_with(BrumeSim **sim, struct BrumeTeam *team, const void *bytes, size_t size,
                                        BrumeError *error)
{
    *sim = NULL;
    BrumeArchive archive = {.mode = BRUME_ARCHIVE_READ};
    BrumeStatus status = open_state(&archive, bytes, size, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeSimDef def = brume_default_sim_def();
    pass_settings(&archive, &def);
    if (!archive.ok) {
        brume_settings_release(&def);
        return brume_fail(error, BRUME_BAD_INPUT, "the saved state has settings outside their ranges");
    }
    // before memory for the fields is allocated
    if (archive.size - archive.position < least_size_of_fields(&def)) {
        brume_settings_release(&def);
        return fail_fields(error);
    }
    BrumeSim *created = NULL;
    def.team = team;
    status = brume_sim_create_without_state(&created, &def, error);
    brume_settings_release(&def);
    if (status != BRUME_OK) {
        return status;
    }
    pass_progress(&archive, created);
    for (int n = 0; n < created->def.body_count; n++) {
        created->motions[n].from.samples = created->def.bodies[n].shape.samples;
        created->motions[n].from.mesh = created->def.bodies[n].shape.mesh;
    }
    if (!archive.ok || !is_valid_progress(created)) {
        brume_sim_destroy(created);
        return brume_fail(error, BRUME_BAD_INPUT, "the saved state has times, strokes or motions that are not valid");
    }
    brume_invalidate(created, BRUME_VALID_DISPLACEMENT); // displacements are not saved
    pass_fields(&archive, created);
    status = archive.ok ? read_far_field(&archive, created, error) : fail_fields(error);
    if (status == BRUME_OK && (!archive.ok || archive.position != archive.size)) {
        status = fail_fields(error);
    }
    if (status != BRUME_OK) {
        brume_sim_destroy(created);
        return status;
    }
    *sim = created;
    return BRUME_OK;
}

// gives the objects of a loaded state ids that none of the former objects had
static void take_ids(BrumeObjectIds *loaded, const BrumeObjectIds *former)
{
    const int count = loaded->count;
    *loaded = *former;
    brume_object_ids_resize(loaded, 0);
    brume_object_ids_resize(loaded, count);
}

BrumeStatus brume_sim_load(BrumeSim *sim, const void *bytes, size_t size, BrumeError *error)
{
    BrumeSim *loaded = NULL;
    const BrumeStatus status = brume_sim_create_saved_with(&loaded, sim->def.team, bytes, size, error);
    if (!loaded) {
        return status;
    }
    const BrumeStatus shared = brume_sim_share_samples(loaded, &sim->def, error);
    if (shared != BRUME_OK) {
        brume_sim_destroy(loaded);
        return shared;
    }
    loaded->hooks = sim->hooks;
    loaded->user_data = sim->user_data;
    take_ids(&loaded->emitter_ids, &sim->emitter_ids);
    take_ids(&loaded->body_ids, &sim->body_ids);
    brume_sim_set_animation(loaded, sim->animate, sim->animation);
    const BrumeSim old_state = *sim;
    *sim = *loaded;
    *loaded = old_state;
    brume_sim_destroy(loaded);
    return BRUME_OK;
}
