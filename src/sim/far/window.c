#include "sim/far/window.h"

#include "core/domain.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/grid/cells.h"
#include "sim/settings/settings.h"
#include "sim/state/emitter_samples.h"

#include <math.h>

enum {
    MARGIN = 12, // cells between what a new window contains and its sides
    LEAST = 9,   // cells that may be left of it before the window moves
    ALIGN = 8,   // the sides of windows are at multiples of this [cells]
};

static const double SMALL_VALUE = 1e-4;     // of smoke and heat that need no window [largest value]
static const double SMALL_VORTICITY = 2e-2; // of air that needs no window [largest speed / dx]

static const BrumeIndexBox no_cells = {{1 << 30, 1 << 30, 1 << 30}, {0, 0, 0}};

static bool is_empty(const BrumeIndexBox *box) { return box->to[0] < box->from[0]; }

static void add_box(BrumeIndexBox *to, const BrumeIndexBox *box)
{
    for (int axis = 0; axis < 3 && !is_empty(box); axis++) {
        to->from[axis] = brume_min_int(to->from[axis], box->from[axis]);
        to->to[axis] = brume_max_int(to->to[axis], box->to[axis]);
    }
}

// limits above which a cell is needed
typedef struct Limits {
    float scalar[BRUME_SCALAR_COUNT];
    float difference; // of the velocity, vorticity times dx [m/s]
} Limits;

// the largest magnitude of a scalar
static float largest_value(const BrumeField *field)
{
    const BrumeGrid grid = field->grid;
    int32_t largest = 0; // the bits of a float
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            largest = brume_largest_bits(field->data + brume_field_index(field, 1, j, k), grid.nx, largest);
        }
    }
    brume_largest_of_ranks(grid, &largest, 1);
    return brume_float_of_bits(largest);
}

// the first and the last cell of a row that is needed; from > to if none is
static void search_row(const BrumeSim *sim, const Limits *limits, int j, int k, int *from, int *to)
{
    const BrumeField *u = &sim->fields[0];
    const ptrdiff_t c = brume_field_index(u, 0, j, k);
    const float *x = sim->fields[BRUME_FIELD_U].data + c;
    const float *y = sim->fields[BRUME_FIELD_V].data + c;
    const float *z = sim->fields[BRUME_FIELD_W].data + c;
    for (int i = 1; i <= u->grid.nx; i++) {
        const float curl_x = fabsf((z[i] - z[i - u->sy]) - (y[i] - y[i - u->sz]));
        const float curl_y = fabsf((x[i] - x[i - u->sz]) - (z[i] - z[i - 1]));
        const float curl_z = fabsf((y[i] - y[i - 1]) - (x[i] - x[i - u->sy]));
        bool needed = brume_fmaxf(curl_x, brume_fmaxf(curl_y, curl_z)) > limits->difference;
        for (int n = 0; n < BRUME_SCALAR_COUNT; n++) {
            const float *scalar = sim->fields[BRUME_FIELD_TEMPERATURE + n].data;
            needed = needed || (scalar && fabsf(scalar[c + i]) > limits->scalar[n]);
        }
        if (needed) {
            *from = brume_min_int(*from, i);
            *to = i;
        }
    }
}

// the needed cells of the grid of `sim`
static BrumeIndexBox search_fields(const BrumeSim *sim)
{
    const BrumeGrid grid = sim->fields[0].grid;
    Limits limits = {.difference = (float)(SMALL_VORTICITY * sim->max_speed)};
    for (int n = 0; n < BRUME_SCALAR_COUNT; n++) {
        const BrumeField *scalar = &sim->fields[BRUME_FIELD_TEMPERATURE + n];
        limits.scalar[n] = scalar->data ? (float)SMALL_VALUE * largest_value(scalar) : 0.0f;
    }
    int from[3] = {no_cells.from[0], no_cells.from[1], no_cells.from[2]};
    int to[3] = {0, 0, 0};
#pragma omp parallel for schedule(static) reduction(min : from) reduction(max : to)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            int first = grid.nx + 1;
            int last = 0;
            search_row(sim, &limits, j, k, &first, &last);
            if (last > 0) {
                from[0] = brume_min_int(from[0], first);
                to[0] = brume_max_int(to[0], last);
                from[1] = brume_min_int(from[1], j);
                to[1] = brume_max_int(to[1], j);
                from[2] = brume_min_int(from[2], k);
                to[2] = brume_max_int(to[2], k);
            }
        }
    }
    int32_t ends[] = {-from[0], -from[1], -from[2], to[0], to[1], to[2]};
    brume_largest_of_ranks(grid, ends, 6);
    return (BrumeIndexBox){{-ends[0], -ends[1], -ends[2]}, {ends[3], ends[4], ends[5]}};
}

// the cells of the box between two corners; none where they are outside the box
static BrumeIndexBox cells_between(const BrumeSimDef *box, BrumeVec3 lower, BrumeVec3 upper)
{
    const int n[3] = {box->nx, box->ny, box->nz};
    BrumeIndexBox cells;
    for (int axis = 0; axis < 3; axis++) {
        const float origin = brume_component(box->origin, axis);
        const float first = floorf((brume_component(lower, axis) - origin) / box->dx);
        const float last = floorf((brume_component(upper, axis) - origin) / box->dx);
        if (last < 0.0f || first > (float)(n[axis] - 1)) {
            return no_cells;
        }
        cells.from[axis] = 1 + (int)brume_fmaxf(first, 0.0f);
        cells.to[axis] = 1 + (int)brume_fminf(last, (float)(n[axis] - 1));
    }
    return cells;
}

// the cells of the box around a shape and `reach` [m]
static BrumeIndexBox cells_around(const BrumeSimDef *box, const BrumeShape *shape, float reach)
{
    const BrumeVec3 around = brume_vec3(reach, reach, reach);
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    return cells_between(box, brume_sub(lower, around), brume_add(upper, around));
}

// the cells of the box around all particles
static BrumeIndexBox cells_of_particles(const BrumeSimDef *box, const BrumeParticles *particles)
{
    BrumeVec3 lower = brume_vec3(INFINITY, INFINITY, INFINITY);
    BrumeVec3 upper = brume_scale(lower, -1.0f);
    for (int n = 0; n < particles->count; n++) {
        lower = brume_lower_corner(lower, particles->items[n].position);
        upper = brume_upper_corner(upper, particles->items[n].position);
    }
    return particles->count > 0 ? cells_between(box, lower, upper) : no_cells;
}

static BrumeShape stroke_ball(BrumeVec3 center, float radius)
{
    BrumeShape ball = brume_default_emitter_def().shape;
    ball.a = center;
    ball.radius = radius;
    return ball;
}

// the last multiple of ALIGN up to n, and the first from n on
static int align_down(int n) { return n / ALIGN * ALIGN; }
static int align_up(int n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

BrumeFarWindow brume_window_around(const BrumeSimDef *box, const BrumeIndexBox *needed)
{
    const int n[3] = {box->nx, box->ny, box->nz};
    const BrumeIndexBox middle = {{n[0] / 2, n[1] / 2, n[2] / 2}, {n[0] / 2, n[1] / 2, n[2] / 2}};
    const BrumeIndexBox *within = is_empty(needed) ? &middle : needed;
    BrumeFarWindow window;
    for (int axis = 0; axis < 3; axis++) {
        const bool whole = box->faces[2 * axis].kind == BRUME_PERIODIC;
        const int from = align_down(brume_max_int(within->from[axis] - 1 - MARGIN, 0));
        const int to = align_up(within->to[axis] + MARGIN);
        // a window that ends just before the side of the box ends there
        window.from[axis] = whole || from < ALIGN ? 1 : from + 1;
        window.to[axis] = whole || to > n[axis] - ALIGN ? n[axis] : to;
    }
    return window;
}

// whether a body is in the window wherever it is, as it moves, which only `sim` knows, or heats air
static bool is_always_needed(const BrumeBodyDef *body, const BrumeSim *sim, int n)
{
    const bool deforms = sim && sim->deformed && sim->deformed->bodies[n].first;
    return body->fixed_temperature || body->heat_flux != 0.0f || deforms || (sim && brume_body_speed(sim, n) > 0.0);
}

static bool overlap(const BrumeIndexBox *cells, const BrumeFarWindow *window, int gap)
{
    bool both = !is_empty(cells);
    for (int axis = 0; axis < 3; axis++) {
        both = both && cells->from[axis] <= window->to[axis] + gap && cells->to[axis] >= window->from[axis] - gap;
    }
    return both;
}

// adds bodies whole that a window around `needed` would have a part of, or have close to its sides
static void add_near_bodies(BrumeIndexBox *needed, const BrumeSimDef *def, const BrumeSimDef *box)
{
    const int gap = 2 * box->far_factor;
    bool is_added[BRUME_MAX_BODIES] = {false};
    bool changed = true;
    while (changed) {
        changed = false;
        const BrumeFarWindow window = brume_window_around(box, needed);
        for (int n = 0; n < def->body_count; n++) {
            if (!is_added[n] && brume_body_is_solid(&def->bodies[n])) {
                const BrumeShape shape = brume_body_shape(def, n);
                const BrumeIndexBox cells = cells_around(box, &shape, 0.0f);
                is_added[n] = overlap(&cells, &window, gap);
                changed = changed || is_added[n];
                if (is_added[n]) {
                    add_box(needed, &cells);
                }
            }
        }
    }
}

bool brume_window_has_body(const BrumeSimDef *box, const BrumeFarWindow *window, int body)
{
    const BrumeShape shape = brume_body_shape(box, body);
    const BrumeIndexBox cells = cells_around(box, &shape, 0.0f);
    return brume_body_is_solid(&box->bodies[body]) && overlap(&cells, window, 0);
}

// emitters that are active in a time [s], and bodies that are needed then
static void add_objects(BrumeIndexBox *needed, const BrumeSimDef *def, const BrumeSimDef *box, double from, double to,
                        const BrumeSim *sim)
{
    for (int n = 0; n < def->emitter_count; n++) {
        const BrumeEmitterDef *emitter = &def->emitters[n];
        const bool is_active = to >= (double)emitter->start && from <= (double)emitter->end;
        for (int end = 0; end < 2 && is_active; end++) {
            BrumeShape shape = brume_emitter_shape(def, n);
            if (sim) {
                brume_set_shape_samples(sim, n, end == 1, &shape);
            }
            const BrumeIndexBox cells = cells_around(box, &shape, emitter->softness + brume_emitter_reach(emitter));
            add_box(needed, &cells);
        }
    }
    for (int n = 0; n < def->body_count; n++) {
        const BrumeBodyDef *body = &def->bodies[n];
        if (brume_body_is_solid(body) && is_always_needed(body, sim, n)) {
            const BrumeShape shape = brume_body_shape(def, n);
            const double way = sim ? brume_body_speed(sim, n) * (to - from) : 0.0;
            const BrumeIndexBox cells = cells_around(box, &shape, (float)way);
            add_box(needed, &cells);
        }
    }
}

BrumeIndexBox brume_needed_cells(const BrumeSim *sim, const BrumeSimDef *box, double seconds)
{
    // cells of the grid of `sim` as fine cells of the box
    const float dx = sim->def.dx;
    const int scale = (int)lroundf(dx / box->dx);
    BrumeIndexBox needed = search_fields(sim);
    for (int axis = 0; axis < 3 && !is_empty(&needed); axis++) {
        const float shift = brume_component(sim->def.origin, axis) - brume_component(box->origin, axis);
        const int first = (int)lroundf(shift / box->dx);
        needed.from[axis] = first + (needed.from[axis] - 1) * scale + 1;
        needed.to[axis] = first + needed.to[axis] * scale;
    }
    const BrumeIndexBox with_particles = cells_of_particles(box, &sim->particles);
    add_box(&needed, &with_particles);
    add_objects(&needed, &sim->def, box, sim->time, sim->time + seconds, sim);
    for (int n = 0; n < sim->stroke_count; n++) {
        const BrumeStroke *stroke = &sim->strokes[n];
        // the control points of the curve as one of Bezier, within whose bounds it stays
        const BrumeVec3 points[4] = {stroke->from,
                                     brume_add(stroke->from, brume_scale(stroke->from_slope, 1.0f / 3.0f)),
                                     brume_sub(stroke->to, brume_scale(stroke->to_slope, 1.0f / 3.0f)), stroke->to};
        for (int point = 0; point < 4; point++) {
            const BrumeShape ball = stroke_ball(points[point], brume_fmaxf(stroke->radius, 2.0f * box->dx));
            const BrumeIndexBox cells = cells_around(box, &ball, 0.0f);
            add_box(&needed, &cells);
        }
    }
    add_near_bodies(&needed, &sim->def, box);
    return needed;
}

BrumeFarWindow brume_first_window(const BrumeSimDef *box)
{
    BrumeIndexBox needed = no_cells;
    add_objects(&needed, box, box, 0.0, 0.0, NULL);
    add_near_bodies(&needed, box, box);
    return brume_window_around(box, &needed);
}

BrumeGrid brume_first_grid(const BrumeSimDef *def)
{
    if (def->far_factor <= 1) {
        return brume_settings_grid(def);
    }
    const BrumeFarWindow window = brume_first_window(def);
    return brume_grid(window.to[0] - window.from[0] + 1, window.to[1] - window.from[1] + 1,
                      window.to[2] - window.from[2] + 1);
}

bool brume_window_is_outdated(const BrumeSimDef *box, const BrumeFarWindow *window, const BrumeIndexBox *needed)
{
    const int n[3] = {box->nx, box->ny, box->nz};
    const BrumeFarWindow better = brume_window_around(box, needed);
    double present_cells = 1.0;
    double better_cells = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const bool near_lower = window->from[axis] > 1 && needed->from[axis] < window->from[axis] + LEAST;
        const bool near_upper = window->to[axis] < n[axis] && needed->to[axis] > window->to[axis] - LEAST;
        if (!is_empty(needed) && (near_lower || near_upper)) {
            return true;
        }
        present_cells *= window->to[axis] - window->from[axis] + 1;
        better_cells *= better.to[axis] - better.from[axis] + 1;
    }
    return better_cells < 0.6 * present_cells;
}
