#include "sim/lifecycle/far_field.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/far/nesting.h"
#include "sim/far/window.h"
#include "sim/grid/cells.h"
#include "sim/integrators/hooks.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/lifecycle/ranks.h"
#include "sim/measures/budget.h"
#include "sim/measures/monitor.h"
#include "sim/particles/particles.h"
#include "sim/settings/settings.h"
#include "sim/state/emitter_samples.h"

#include <math.h>
#include <string.h>

static int cells_of(const BrumeSimDef *def, int axis) { return brume_cells_along(brume_settings_grid(def), axis); }

static void set_grid(BrumeSimDef *def, const int n[3])
{
    def->nx = n[0];
    def->ny = n[1];
    def->nz = n[2];
}

// the settings of the coarse simulation of a box
static BrumeSimDef coarse_settings(const BrumeSimDef *box)
{
    const int factor = box->far_factor;
    BrumeSimDef def = *box;
    set_grid(&def, (const int[3]){box->nx / factor, box->ny / factor, box->nz / factor});
    def.dx = box->dx * (float)factor;
    def.far_factor = 1;
    def.texture_period = 0.0f; // it has no pictures
    def.team = NULL;           // each rank computes all of it
    def.most_particles = 0;    // the window has them
    return def;
}

// whether a side of a window is inside the box
static bool is_inside(const BrumeSimDef *box, const BrumeFarWindow *window, int side)
{
    const int axis = side / 2;
    return side % 2 == 0 ? window->from[axis] > 1 : window->to[axis] < cells_of(box, axis);
}

// the settings of a window of a box; the velocities on its sides are set by set_sides
static BrumeSimDef window_settings(const BrumeSimDef *box, const BrumeFarWindow *window)
{
    BrumeSimDef def = *box;
    int n[3];
    float shift[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = window->to[axis] - window->from[axis] + 1;
        shift[axis] = (float)(window->from[axis] - 1) * box->dx;
    }
    set_grid(&def, n);
    def.origin = brume_add(box->origin, brume_vec3(shift[0], shift[1], shift[2]));
    def.far_factor = 1;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        if (is_inside(box, window, side)) {
            def.faces[side] = (BrumeFaceDef){.kind = BRUME_INFLOW};
        }
    }
    return def;
}

static BrumeNesting nesting_of(const BrumeFar *far)
{
    const int factor = far->box.far_factor;
    return (BrumeNesting){.factor = factor,
                          .from = {(far->window.from[0] - 1) / factor, (far->window.from[1] - 1) / factor,
                                   (far->window.from[2] - 1) / factor}};
}

static void free_sides(BrumeFar *far)
{
    for (int n = 0; n < 3 * BRUME_FACE_COUNT; n++) {
        brume_free(far->sides[n / 3][n % 3]);
        far->sides[n / 3][n % 3] = NULL;
    }
}

// the entries of a side: (outer + 2) x (inner + 2)
static size_t side_entries(const BrumeSimDef *def, int side)
{
    int inner;
    int outer;
    brume_other_axes(side / 2, &inner, &outer);
    return (size_t)(cells_of(def, inner) + 2) * (size_t)(cells_of(def, outer) + 2);
}

// memory for the sides of a window that are inside the box, of which `def` are the settings
static BrumeStatus create_sides(BrumeFar *far, const BrumeSimDef *def, BrumeError *error)
{
    for (int n = 0; n < 3 * BRUME_FACE_COUNT; n++) {
        const int side = n / 3;
        if (is_inside(&far->box, &far->window, side)) {
            float *values = brume_alloc(side_entries(def, side), sizeof *values);
            if (!values) {
                free_sides(far);
                return brume_out_of_memory(error, "the sides of a window");
            }
            far->sides[side][n % 3] = values;
        }
    }
    return BRUME_OK;
}

// one component on a side, from the coarse velocity
static void set_side(const BrumeFar *far, const BrumeNesting *nesting, const BrumeSimDef *def, int side, int component)
{
    const BrumeField *coarse = &far->coarse->fields[component];
    const int axis = side / 2;
    const int n = cells_of(def, axis);
    int inner;
    int outer;
    brume_other_axes(axis, &inner, &outer);
    const int columns = cells_of(def, inner) + 2;
    const int rows = cells_of(def, outer) + 2;
    const bool normal = component == axis;
    for (int b = 0; b < rows; b++) {
        for (int a = 0; a < columns; a++) {
            int index[3];
            index[axis] = side % 2 == 0 ? (normal ? 1 : 0) : n + 1;
            index[inner] = a;
            index[outer] = b;
            const bool on_side = normal && a >= 1 && a <= columns - 2 && b >= 1 && b <= rows - 2;
            far->sides[side][component][(ptrdiff_t)columns * b + a] =
                on_side ? brume_prolonged_flux(nesting, coarse, axis, index[0], index[1], index[2])
                        : brume_prolonged(nesting, coarse, component, index[0], index[1], index[2]);
        }
    }
}

// the velocities on the sides of a window with the settings `def`
static void set_sides(BrumeFar *far, const BrumeSimDef *def)
{
    const BrumeNesting nesting = nesting_of(far);
#pragma omp parallel for schedule(static)
    for (int n = 0; n < 3 * BRUME_FACE_COUNT; n++) {
        if (far->sides[n / 3][n % 3]) {
            set_side(far, &nesting, def, n / 3, n % 3);
        }
    }
}

// a window of the box, with the state at time 0 if `initial`
static BrumeStatus create_window(BrumeSim **sim, BrumeFar *far, bool initial, BrumeError *error)
{
    const BrumeSimDef def = window_settings(&far->box, &far->window);
    BrumeStatus status = create_sides(far, &def, error);
    if (status == BRUME_OK) {
        set_sides(far, &def);
        status = brume_sim_create_in(sim, &def, far, initial, error);
    }
    return status;
}

// a far field with the settings of its box alone; NULL without memory
static BrumeFar *allocate(const BrumeSimDef *box, BrumeError *error)
{
    BrumeFar *far = brume_alloc(1, sizeof *far);
    if (far) {
        far->box = *box;
    } else {
        (void)brume_out_of_memory(error, "a far field");
    }
    return far;
}

BrumeStatus brume_far_create(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error)
{
    *sim = NULL;
    BrumeFar *far = allocate(def, error);
    if (!far) {
        return BRUME_FAILED;
    }
    BrumeSimDef coarse = coarse_settings(def);
    coarse.most_particles = def->most_particles; // the first ones show where the window has to be
    BrumeStatus status = brume_sim_create(&far->coarse, &coarse, error);
    if (status == BRUME_OK) {
        const BrumeIndexBox needed = brume_needed_cells(far->coarse, &far->box, 1.0 / (double)def->fps);
        far->window = brume_window_around(&far->box, &needed);
        brume_particles_destroy(&far->coarse->particles);
        far->coarse->def.most_particles = 0;
        status = create_window(sim, far, true, error);
    }
    if (status != BRUME_OK) {
        brume_far_destroy(far);
        return status;
    }
    brume_far_after_step(*sim);
    return BRUME_OK;
}

BrumeStatus brume_far_restore(BrumeSim *sim, const BrumeSimDef *box, const BrumeFarWindow *window, BrumeError *error)
{
    BrumeFar *far = allocate(box, error);
    if (!far) {
        return BRUME_FAILED;
    }
    far->window = *window;
    const BrumeSimDef coarse = coarse_settings(box);
    BrumeStatus status = create_sides(far, &sim->def, error);
    if (status == BRUME_OK) {
        status = brume_sim_create_without_state(&far->coarse, &coarse, error);
    }
    if (status != BRUME_OK) {
        brume_far_destroy(far);
        return status;
    }
    sim->far = far;
    return BRUME_OK;
}

void brume_far_set_sides(BrumeSim *sim) { set_sides(sim->far, &sim->def); }

void brume_far_destroy(BrumeFar *far)
{
    if (far) {
        brume_sim_destroy(far->coarse);
        free_sides(far);
        brume_free(far);
    }
}

size_t brume_far_bytes(const BrumeFar *far)
{
    size_t bytes = sizeof *far + brume_sim_bytes(far->coarse);
    const BrumeSimDef def = window_settings(&far->box, &far->window);
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        bytes += far->sides[side][0] ? 3 * side_entries(&def, side) * sizeof(float) : 0;
    }
    return bytes;
}

size_t brume_far_bytes_needed(const BrumeSimDef *def)
{
    const BrumeFarWindow window = brume_first_window(def);
    const BrumeSimDef parts[2] = {coarse_settings(def), window_settings(def, &window)};
    return brume_settings_bytes(&parts[0]) + brume_settings_bytes(&parts[1]);
}

// sets the settings of the box from those of the window, which have changed
static void update_settings(BrumeSim *sim)
{
    BrumeSimDef *box = &sim->far->box;
    const BrumeSimDef before = *box;
    *box = sim->def;
    set_grid(box, (const int[3]){before.nx, before.ny, before.nz});
    box->origin = before.origin;
    box->far_factor = before.far_factor;
    memcpy(box->faces, before.faces, sizeof box->faces);
}

// the coarse simulation gets clock, settings and motions of the window
static void synchronize(BrumeSim *sim)
{
    BrumeSim *coarse = sim->far->coarse;
    update_settings(sim);
    coarse->def = coarse_settings(&sim->far->box);
    coarse->time = sim->time;
    coarse->frames = sim->frames;
    coarse->steps = sim->steps;
    coarse->base_time = sim->base_time;
    coarse->base_frames = sim->base_frames;
    coarse->stroke_count = sim->stroke_count;
    memcpy(coarse->strokes, sim->strokes, sizeof coarse->strokes);
    memcpy(coarse->motions, sim->motions, sizeof coarse->motions);
    coarse->animate = sim->animate;
    coarse->animation = sim->animation;
}

// the cells that two windows have in common, in cells of `window`; ends before its start where there are none
static BrumeIndexBox common_cells(const BrumeFarWindow *window, const BrumeFarWindow *other)
{
    BrumeIndexBox common = {{1, 1, 1}, {0, 0, 0}};
    bool any = true;
    for (int axis = 0; axis < 3; axis++) {
        const int from = brume_max_int(window->from[axis], other->from[axis]);
        const int to = brume_min_int(window->to[axis], other->to[axis]);
        common.from[axis] = from - window->from[axis] + 1;
        common.to[axis] = to - window->from[axis] + 1;
        any = any && to >= from;
    }
    return any ? common : (BrumeIndexBox){{1, 1, 1}, {0, 0, 0}};
}

// copies the entries of common cells; `shift` is from cells of `to` to those of `from`
static void copy_common(BrumeField *to, const BrumeField *from, const BrumeIndexBox *common, const int shift[3],
                        int location)
{
    const int count = common->to[0] - common->from[0] + 1 + (location == 0);
#pragma omp parallel for schedule(static)
    for (int k = common->from[2]; k <= common->to[2] + (location == 2); k++) {
        for (int j = common->from[1]; j <= common->to[1] + (location == 1); j++) {
            memcpy(to->data + brume_field_index(to, common->from[0], j, k),
                   from->data + brume_field_index(from, common->from[0] + shift[0], j + shift[1], k + shift[2]),
                   (size_t)count * sizeof(float));
        }
    }
}

static double mean_in(const BrumeField *field, const BrumeIndexBox *box, double *partials)
{
    double cells = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        cells *= box->to[axis] - box->from[axis] + 1;
    }
#pragma omp parallel for schedule(static)
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        partials[k] = 0.0;
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                partials[k] += (double)field->data[brume_field_index(field, i, j, k)];
            }
        }
    }
    double sum = 0.0;
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        sum += partials[k];
    }
    return sum / cells;
}

// the pressure in new cells is the coarse one, with the mean of the fine one where both are known
static void fill_pressure(BrumeSim *sim, const BrumeNesting *nesting, const BrumeIndexBox *common)
{
    BrumeField *pressure = &sim->fields[BRUME_FIELD_PRESSURE];
    const BrumeField *coarse = &sim->far->coarse->fields[BRUME_FIELD_PRESSURE];
    BrumeField *interpolated = &sim->scratch[0];
    const BrumeGrid grid = pressure->grid;
#pragma omp parallel for schedule(static)
    for (int k = 0; k <= grid.nz + 1; k++) {
        for (int j = 0; j <= grid.ny + 1; j++) {
            for (int i = 0; i <= grid.nx + 1; i++) {
                interpolated->data[brume_field_index(pressure, i, j, k)] =
                    brume_prolonged(nesting, coarse, BRUME_AT_CENTER, i, j, k);
            }
        }
    }
    const bool any = common->to[0] >= common->from[0];
    const float offset =
        any ? (float)(mean_in(pressure, common, sim->planes) - mean_in(interpolated, common, sim->planes)) : 0.0f;
#pragma omp parallel for schedule(static)
    for (int k = 0; k <= grid.nz + 1; k++) {
        for (int j = 0; j <= grid.ny + 1; j++) {
            for (int i = 0; i <= grid.nx + 1; i++) {
                const bool known = i >= common->from[0] && i <= common->to[0] && j >= common->from[1] &&
                                   j <= common->to[1] && k >= common->from[2] && k <= common->to[2];
                const ptrdiff_t c = brume_field_index(pressure, i, j, k);
                pressure->data[c] = known ? pressure->data[c] : interpolated->data[c] + offset;
            }
        }
    }
}

// whether the new cells of a window have bodies, which the coarse velocity there does not fit
static bool has_new_bodies(const BrumeFar *far, const BrumeFarWindow *former)
{
    bool any = false;
    for (int n = 0; n < far->box.body_count; n++) {
        any =
            any || (brume_window_has_body(&far->box, &far->window, n) && !brume_window_has_body(&far->box, former, n));
    }
    return any;
}

// fills a window from another one and, where that one was not, from the coarse simulation
static void fill_window(BrumeSim *to, const BrumeSim *from, const BrumeFarWindow *former)
{
    const BrumeFar *far = to->far;
    const BrumeNesting nesting = nesting_of(far);
    const BrumeIndexBox common = common_cells(&far->window, former);
    int shift[3];
    for (int axis = 0; axis < 3; axis++) {
        shift[axis] = far->window.from[axis] - former->from[axis];
    }
    const bool new_bodies = has_new_bodies(far, former);
    const bool has_previous =
        !new_bodies && brume_holds(from, BRUME_VALID_PREVIOUS) && brume_holds(far->coarse, BRUME_VALID_PREVIOUS);
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (to->fields[id].data) {
            copy_common(&to->fields[id], &from->fields[id], &common, shift, brume_location((BrumeFieldId)id));
        }
    }
    // new cells begin with the coordinates of their places, of a displacement of 0
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS && to->texture[0][0].data; n++) {
        copy_common(&to->texture[n / 3][n % 3], &from->texture[n / 3][n % 3], &common, shift, BRUME_AT_CENTER);
    }
    brume_prolong_velocity(&nesting, far->coarse->fields, &common, to->fields);
    if (has_previous) {
        for (int axis = 0; axis < 3; axis++) {
            copy_common(&to->previous[axis], &from->previous[axis], &common, shift, axis);
        }
        brume_prolong_velocity(&nesting, far->coarse->previous, &common, to->previous);
        brume_set_vector_boundary(to, to->previous);
    }
    fill_pressure(to, &nesting, &common);
    brume_set_velocity_boundary(to);
    brume_set_scalar_ghosts(to);
    (void)brume_measure_flow(to);
    const unsigned kept = BRUME_VALID_PRESSURE | (new_bodies ? 0u : BRUME_VALID_DIVERGENCE_FREE) |
                          (has_previous ? BRUME_VALID_PREVIOUS | BRUME_VALID_PREVIOUS_FLUXES : 0u);
    to->valid = (to->valid & ~kept) | (from->valid & kept);
    to->previous_dt = from->previous_dt;
    to->pressure_residual = from->pressure_residual;
}

// exchanges the window for one around `needed`
static BrumeStatus move_window(BrumeSim *sim, const BrumeIndexBox *needed, BrumeError *error)
{
    BrumeFar *far = sim->far;
    const BrumeTotals totals_before = brume_budget_totals(sim);
    BrumeFar moved = {.coarse = far->coarse, .box = far->box, .window = brume_window_around(&far->box, needed)};
    BrumeSim *created;
    const BrumeStatus status = create_window(&created, &moved, false, error);
    if (status != BRUME_OK) {
        return status;
    }
    fill_window(created, sim, &far->window);
    brume_take_progress(created, sim);
    brume_take_contents(sim, created);
    // the far field stays where it is, and takes the sides of the new window
    free_sides(far);
    far->window = moved.window;
    memcpy(far->sides, moved.sides, sizeof far->sides);
    sim->far = far;
    created->far = NULL;
    brume_sim_destroy(created);
    brume_budget_changed_since(sim, &totals_before);
    return BRUME_OK;
}

BrumeStatus brume_far_before_step(BrumeSim *sim, double dt, BrumeStepStats *stats, BrumeError *error)
{
    BrumeFar *far = sim->far;
    synchronize(sim);
    BrumeStatus status = brume_read_emitter_samples(sim, dt, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeIndexBox needed = brume_needed_cells(sim, &far->box, dt);
    if (brume_window_is_outdated(&far->box, &far->window, &needed)) {
        brume_compute_whole(sim);
        status = move_window(sim, &needed, error);
        brume_compute_own(sim);
    }
    BrumeStepStats coarse = {0};
    if (status == BRUME_OK) {
        status = brume_sim_step(far->coarse, dt, &coarse, error);
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        stats->ms[stage] += coarse.ms[stage];
    }
    if (status == BRUME_OK) {
        set_sides(far, &sim->def);
    }
    return status;
}

void brume_far_after_step(BrumeSim *sim)
{
    BrumeSim *coarse = sim->far->coarse;
    const BrumeNesting nesting = nesting_of(sim->far);
    for (int axis = 0; axis < 3; axis++) {
        brume_restrict_faces(&nesting, axis, &sim->fields[axis], &coarse->fields[axis]);
    }
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_COUNT; id++) {
        if (sim->fields[id].data) {
            brume_field_fill(&coarse->fields[id], 0.0f);
            brume_restrict_cells(&nesting, &sim->fields[id], &coarse->fields[id]);
        }
    }
    brume_set_velocity_boundary(coarse);
    brume_set_scalar_ghosts(coarse);
    (void)brume_measure_flow(coarse);
    brume_establish(coarse, BRUME_VALID_DIVERGENCE_FREE);
    update_settings(sim);
    brume_far_set_sides(sim); // a function of the state, as after it was loaded
}

// a far field without a window, with the state of the box of `from`
static BrumeStatus create_far_from(BrumeFar **created, const BrumeSimDef *def, BrumeSim *from, BrumeError *error)
{
    BrumeFar *far = allocate(def, error);
    *created = far;
    if (!far) {
        return BRUME_FAILED;
    }
    const BrumeSimDef coarse = coarse_settings(def);
    BrumeStatus status = brume_sim_create_without_state(&far->coarse, &coarse, error);
    if (status == BRUME_OK) {
        status = brume_resample(far->coarse, from->far ? from->far->coarse : from, false, error);
    }
    if (status == BRUME_OK) {
        status = brume_prepare_state(far->coarse, error);
    }
    return status;
}

// a simulation of other cells, with or without a far field, with the state of `from`
static BrumeStatus create_from(BrumeSim **created, const BrumeSimDef *def, BrumeSim *from, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    *created = NULL;
    if (def->far_factor > 1) {
        BrumeFar *far;
        status = create_far_from(&far, def, from, error);
        if (status == BRUME_OK) {
            const BrumeIndexBox needed = brume_needed_cells(from, &far->box, 1.0 / (double)def->fps);
            far->window = brume_window_around(&far->box, &needed);
            status = create_window(created, far, false, error);
        }
        if (status != BRUME_OK) {
            brume_far_destroy(far);
        }
    } else {
        status = brume_sim_create_without_state(created, def, error);
    }
    if (status == BRUME_OK && from->far) {
        status = brume_resample(*created, from->far->coarse, false, error);
    }
    if (status == BRUME_OK) {
        status = brume_resample(*created, from, from->far != NULL, error);
    }
    if (status == BRUME_OK) {
        brume_invalidate(*created, BRUME_VALID_PRESSURE); // of two grids
        brume_take_progress(*created, from);
        status = brume_prepare_state(*created, error);
    }
    if (status != BRUME_OK) {
        brume_sim_destroy(*created);
    }
    return status;
}

BrumeStatus brume_far_change(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus status = brume_sim_check(def, error);
    if (status != BRUME_OK) {
        return status;
    }
    const BrumeSimDef *present = brume_sim_settings(sim);
    if (!brume_same_cells(present, def) || present->far_factor != def->far_factor) {
        BrumeSim *created;
        status = create_from(&created, def, sim, error);
        if (status == BRUME_OK) {
            brume_take_contents(sim, created);
            brume_sim_destroy(created);
        }
        return status;
    }
    BrumeFar *far = sim->far;
    const BrumeSimDef coarse = coarse_settings(def);
    status = brume_sim_change(far->coarse, &coarse, error);
    if (status == BRUME_OK) {
        const BrumeSimDef window = window_settings(def, &far->window);
        status = brume_sim_change_window(sim, &window, error);
    }
    if (status == BRUME_OK) {
        far->box = *def;
        update_settings(sim);
    }
    return status;
}
