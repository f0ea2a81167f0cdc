// Lines along the velocity, by the Runge-Kutta method of fourth order over arc length. One starts from each point of a
// lattice whose surroundings no line has come through yet, so that they spread evenly (in the spirit of Jobard and
// Lefer, "Creating Evenly-Spaced Streamlines of Arbitrary Density", 1997); points are taken in a scattered order.
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "viewer/views/drawing.h"
#include "viewer/views/flow.h"
#include "viewer/views/lattice.h"

#include <assert.h>

static const float STEP = 1.0f;         // [cells]
static const float LEAST_SPEED = 0.01f; // of the scale's end
static const float LEAST_SEED = 0.03f;  // of the scale's end
static const float LONGEST = 1.5f;      // of a line to either side, in longest sides of the box

typedef struct Trace {
    BrumeDrawing *drawing;
    const BrumeSnapshotSide *side;
    const BrumeScale *speed;
    BrumeLattice lattice;
    bool *visited; // surroundings of the lattice's points (nz x ny x nx)
    uint8_t colors[BRUME_SCALE_ENTRIES][3];
} Trace;

// the unit vector along the velocity; false where it is too slow to have one
static bool heading(const Trace *trace, BrumeVec3 point, BrumeVec3 *direction, float *speed)
{
    const BrumeVec3 velocity = brume_flow_at(trace->side, point);
    *speed = brume_length(velocity);
    if (!(*speed >= LEAST_SPEED * trace->speed->upper && *speed < INFINITY)) {
        return false;
    }
    *direction = brume_scale(velocity, 1.0f / *speed);
    return true;
}

// one step of arc length; false where the line ends
static bool advance(const Trace *trace, BrumeVec3 *point, float length, float *speed)
{
    BrumeVec3 a, b, c, d;
    const BrumeVec3 p = *point;
    if (!heading(trace, p, &a, speed) || !heading(trace, brume_add(p, brume_scale(a, 0.5f * length)), &b, speed) ||
        !heading(trace, brume_add(p, brume_scale(b, 0.5f * length)), &c, speed) ||
        !heading(trace, brume_add(p, brume_scale(c, length)), &d, speed)) {
        return false;
    }
    const BrumeVec3 sum = brume_add(brume_add(a, d), brume_scale(brume_add(b, c), 2.0f));
    const BrumeVec3 next = brume_add(p, brume_scale(sum, length / 6.0f));
    if (!brume_flow_is_air(trace->side, next)) {
        return false;
    }
    *point = next;
    return heading(trace, next, &a, speed);
}

static BrumeVertex vertex_at(const Trace *trace, BrumeVec3 point, BrumeVec3 direction, float speed)
{
    const float share = brume_scale_share(trace->speed, speed);
    const uint8_t *color = trace->colors[(int)(share * (BRUME_SCALE_ENTRIES - 1) + 0.5f)];
    return (BrumeVertex){point, direction, {color[0], color[1], color[2], 255}};
}

static int nearest(float at, int points)
{
    const float held = fminf(fmaxf(roundf(at), 0.0f), (float)(points - 1));
    return (int)held;
}

// the flag of the lattice's point that a point is nearest to
static bool *around(const Trace *trace, BrumeVec3 point)
{
    const BrumeLattice *lattice = &trace->lattice;
    const BrumeVec3 at = brume_scale(brume_sub(point, lattice->corner), 1.0f / lattice->spacing);
    const ptrdiff_t row = (ptrdiff_t)nearest(at.z, lattice->nz) * lattice->ny + nearest(at.y, lattice->ny);
    return trace->visited + row * lattice->nx + nearest(at.x, lattice->nx);
}

// follows the velocity one way (`length` > 0) or against it; false without memory
static bool follow(Trace *trace, BrumeVec3 point, float length)
{
    const BrumeSimDef *def = &trace->side->settings;
    const int larger = def->nx > def->ny ? def->nx : def->ny;
    const int most = (int)(LONGEST / STEP * (float)(larger > def->nz ? larger : def->nz));
    BrumeVec3 direction;
    float speed;
    if (!heading(trace, point, &direction, &speed)) {
        return true;
    }
    for (int n = 0; n < most; n++) {
        const BrumeVec3 from = point;
        const float speed_from = speed;
        if (!advance(trace, &point, length, &speed)) {
            return true;
        }
        *around(trace, point) = true;
        BrumeVertex *line = brume_drawing_add_lines(trace->drawing, 2);
        if (line == NULL) {
            return false;
        }
        const BrumeVec3 along = brume_normalize(brume_scale(brume_sub(point, from), length));
        line[0] = vertex_at(trace, from, along, speed_from);
        line[1] = vertex_at(trace, point, along, speed);
    }
    return true;
}

static bool add_line(Trace *trace, BrumeVec3 seed)
{
    if (*around(trace, seed) || !brume_flow_is_air(trace->side, seed)) {
        return true;
    }
    const float speed = brume_length(brume_flow_at(trace->side, seed));
    if (!(speed >= LEAST_SEED * trace->speed->upper)) {
        return true;
    }
    *around(trace, seed) = true;
    const float step = STEP * trace->side->settings.dx;
    return follow(trace, seed, step) && follow(trace, seed, -step);
}

// a stride near the golden ratio of `count` that meets every number below it
static int64_t scattered_stride(int64_t count)
{
    int64_t stride = (int64_t)(0.61803398874989485 * (double)count) | 1;
    for (;; stride += 2) {
        int64_t a = count;
        int64_t b = stride;
        while (b != 0) {
            const int64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) {
            return stride;
        }
    }
}

BrumeStatus brume_streamlines(BrumeDrawing *drawing, const BrumeSnapshotSide *side, const BrumeScale *speed, int across,
                              BrumeError *error)
{
    assert(across >= 1);
    const BrumeSimDef *def = &side->settings;
    Trace trace = {
        .drawing = drawing,
        .side = side,
        .speed = speed,
        .lattice = brume_lattice((BrumeGrid){def->nx, def->ny, def->nz}, def->dx, def->origin, across),
    };
    const BrumeLattice *lattice = &trace.lattice;
    brume_scale_table(speed->is_signed, trace.colors);
    const int before = drawing->line_vertices;
    const int64_t count = (int64_t)lattice->nx * lattice->ny * lattice->nz;
    bool complete = true;
    trace.visited = brume_alloc((size_t)count, sizeof *trace.visited);
    if (trace.visited == NULL) {
        complete = false;
        goto cleanup;
    }
    const int64_t stride = scattered_stride(count);
    for (int64_t n = 0, at = 0; n < count && complete; n++, at = (at + stride) % count) {
        const int i = (int)(at % lattice->nx);
        const int j = (int)(at / lattice->nx % lattice->ny);
        const int k = (int)(at / lattice->nx / lattice->ny);
        complete = add_line(&trace, brume_lattice_point(lattice, i, j, k));
    }
cleanup:
    brume_free(trace.visited);
    if (!complete) {
        drawing->line_vertices = before;
        return brume_out_of_memory(error, "streamlines");
    }
    return BRUME_OK;
}
