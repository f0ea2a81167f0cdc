/*
 * The positions of a probe in a box. Planes and boxes of cells follow the grid of the present settings, so that a
 * change of the resolution changes their number.
 */
#include "brume/probe.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "sim/grid/cells.h"

#include <math.h>

// positions along one axis: `count` from `first`, `spacing` apart [m]
typedef struct Positions {
    int count;
    double first, spacing;
} Positions;

static Positions even_positions(float from, float to, int count)
{
    return (Positions){count, (double)from, count > 1 ? ((double)to - (double)from) / (count - 1) : 0.0};
}

// the centers of cells along an axis, those within `from` and `to` or all
static Positions centers(const BrumeSimDef *def, int axis, bool whole, float from, float to)
{
    const BrumeGrid grid = brume_settings_grid(def);
    const double dx = (double)def->dx;
    const double origin = (double)brume_component(def->origin, axis);
    int lower = 1;
    int upper = brume_cells_along(grid, axis);
    if (!whole) {
        // a center on the side of the box counts, also where the side is rounded
        lower = (int)brume_fmax(lower, ceil(((double)from - origin) / dx + 0.5 - 1e-3));
        upper = (int)brume_fmin(upper, floor(((double)to - origin) / dx + 0.5 + 1e-3));
    }
    return (Positions){upper < lower ? 0 : upper - lower + 1, origin + (lower - 0.5) * dx, dx};
}

static Positions positions_along(const BrumeProbe *probe, const BrumeSimDef *def, int axis)
{
    const float from = brume_component(probe->from, axis);
    const float to = brume_component(probe->to, axis);
    if (probe->kind == BRUME_PROBE_PLANE && axis == probe->axis) {
        return (Positions){1, (double)probe->position, 0.0};
    }
    if (probe->kind == BRUME_PROBE_PLANE && probe->counts[axis] > 0) {
        const BrumeGrid grid = brume_settings_grid(def);
        const float start = brume_component(def->origin, axis);
        const float end = (float)((double)start + (double)def->dx * brume_cells_along(grid, axis));
        return probe->whole ? even_positions(start, end, probe->counts[axis])
                            : even_positions(from, to, probe->counts[axis]);
    }
    return centers(def, axis, probe->whole, from, to);
}

size_t brume_probe_size(const BrumeProbe *probe, const BrumeSimDef *def)
{
    if (probe->kind == BRUME_PROBE_POINTS) {
        return (size_t)probe->point_count;
    }
    if (probe->kind == BRUME_PROBE_LINE) {
        return (size_t)probe->counts[0];
    }
    size_t size = 1;
    for (int axis = 0; axis < 3; axis++) {
        size *= (size_t)positions_along(probe, def, axis).count;
    }
    return size;
}

static BrumeProbeSample sample_at_position(double x, double y, double z)
{
    return (BrumeProbeSample){.position = {x, y, z}};
}

static void set_line(const BrumeProbe *probe, BrumeProbeSample *samples)
{
    const Positions x = even_positions(probe->from.x, probe->to.x, probe->counts[0]);
    const Positions y = even_positions(probe->from.y, probe->to.y, probe->counts[0]);
    const Positions z = even_positions(probe->from.z, probe->to.z, probe->counts[0]);
    for (int n = 0; n < probe->counts[0]; n++) {
        samples[n] = sample_at_position(x.first + n * x.spacing, y.first + n * y.spacing, z.first + n * z.spacing);
    }
}

void brume_probe_positions(const BrumeProbe *probe, const BrumeSimDef *def, BrumeProbeSample *samples)
{
    if (probe->kind == BRUME_PROBE_POINTS) {
        for (int n = 0; n < probe->point_count; n++) {
            const BrumeVec3 point = probe->points[n];
            samples[n] = sample_at_position((double)point.x, (double)point.y, (double)point.z);
        }
        return;
    }
    if (probe->kind == BRUME_PROBE_LINE) {
        set_line(probe, samples);
        return;
    }
    const Positions x = positions_along(probe, def, 0);
    const Positions y = positions_along(probe, def, 1);
    const Positions z = positions_along(probe, def, 2);
    size_t n = 0;
    for (int k = 0; k < z.count; k++) {
        for (int j = 0; j < y.count; j++) {
            for (int i = 0; i < x.count; i++) {
                samples[n++] =
                    sample_at_position(x.first + i * x.spacing, y.first + j * y.spacing, z.first + k * z.spacing);
            }
        }
    }
}
