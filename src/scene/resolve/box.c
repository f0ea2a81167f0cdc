/*
 * The box from its sides and its resolution. Cells are cubes: a resolution of one number makes the longest side exact
 * and rounds the others to whole cells, and a list of three must agree with the sides to half a cell.
 */
#include "core/minmax.h"
#include "core/vec3.h"
#include "scene/format/derived.h"
#include "scene/resolve/resolve.h"
#include "sim/settings/settings.h"

#include <math.h>

static const double max_total_cells = 2e9; // with ghost cells, offsets still fit into 32 bits

/** Checks a list of cells along each axis against the sides of the box [m]. */
static BrumeStatus check_counts(const int cells[3], const double sides[3], double dx, const BrumeYamlNode *node,
                                BrumeError *error)
{
    for (int axis = 0; axis < 3; axis++) {
        const double expected = sides[axis] / dx;
        if (cells[axis] > 1 && fabs(expected - cells[axis]) > 0.5) {
            return brume_yaml_fail(node, error,
                                   "'resolution' in 'solver' has %d cells along %c, but the side of %.4g m has %.4g "
                                   "cubic cells of %.4g m; a resolution of one number fits any box",
                                   cells[axis], "xyz"[axis], sides[axis], expected, dx);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_resolve_box(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const domain = brume_yaml_get(root, "domain");
    const BrumeYamlNode *const resolution = brume_yaml_get(brume_yaml_get(root, "solver"), "resolution");
    const BrumeYamlNode *const size = brume_yaml_get(domain, "size");
    const double *const sides = parsed->size;
    const bool is_list = resolution && resolution->kind == BRUME_YAML_LIST;
    int cells[3] = {parsed->resolution[0], parsed->resolution[1], parsed->resolution[2]};
    const double min_cells = brume_sim_setting_table[BRUME_SIM_RESOLUTION].min;
    double dx = 0.0;
    if (!is_list && cells[0] == 1) {
        return brume_yaml_fail(resolution, error,
                               "'resolution' in 'solver' is 1, but must be from 8 to 4096 [cells]; a list of three may "
                               "have 1 along y or z");
    }
    if (is_list && size) {
        // an axis of one cell is as long as a cell
        const double lengths[3] = {cells[0] > 1 ? sides[0] : 0.0, cells[1] > 1 ? sides[1] : 0.0,
                                   cells[2] > 1 ? sides[2] : 0.0};
        const int longest = brume_largest_of(lengths);
        dx = sides[longest] / cells[longest];
        const BrumeStatus status = check_counts(cells, sides, dx, resolution, error);
        if (status != BRUME_OK) {
            return status;
        }
    } else if (is_list) {
        // without a size, the longest side is 1 m
        const double lengths[3] = {cells[0], cells[1], cells[2]};
        dx = 1.0 / cells[brume_largest_of(lengths)];
    } else {
        dx = sides[brume_largest_of(sides)] / parsed->resolution[0];
        for (int axis = 0; axis < 3; axis++) {
            const int factor = brume_max_int(parsed->scene.sim.far_factor, 1);
            cells[axis] = (int)lround(brume_fmax(sides[axis] / dx, min_cells));
            cells[axis] = (cells[axis] + factor - 1) / factor * factor; // whole cells of the far field
            if (factor > 1) {
                continue;
            }
            if (cells[axis] - sides[axis] / dx > 0.501) { // more than rounding
                brume_scene_warn(&parsed->scene, size ? size : root,
                                 "the side of %.4g m along %c becomes %.4g m, because it has at least %d cells of "
                                 "%.4g m; a higher 'resolution' makes the cells smaller",
                                 sides[axis], "xyz"[axis], cells[axis] * dx, cells[axis], dx);
            }
        }
    }
    if ((double)cells[0] * cells[1] * cells[2] > max_total_cells) {
        return brume_yaml_fail(resolution, error, "%d x %d x %d cells are too many (at most 2e9 in all)", cells[0],
                               cells[1], cells[2]);
    }
    BrumeSimDef *const sim = &parsed->scene.sim;
    sim->nx = cells[0];
    sim->ny = cells[1];
    sim->nz = cells[2];
    sim->dx = (float)dx;
    if (!brume_yaml_get(domain, "origin")) {
        sim->origin = brume_default_origin(cells, dx);
    }
    BrumeRenderSettings *const render = &parsed->scene.render_settings;
    if (!brume_yaml_get(brume_yaml_get(brume_yaml_get(root, "render"), "ground"), "height")) {
        render->ground_height = sim->origin.y;
    }
    render->box_lower = sim->origin;
    render->box_upper =
        brume_add(sim->origin, brume_scale(brume_vec3((float)cells[0], (float)cells[1], (float)cells[2]), sim->dx));
    return BRUME_OK;
}
