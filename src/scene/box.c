/*
 * The box from its sides and its resolution: cells are cubes, so one of the two has to give way where they disagree.
 * A resolution of one number makes the longest side exact and rounds the others to whole cells.
 */
#include "core/vec3.h"
#include "scene/draft.h"

#include <math.h>

enum { FEWEST_CELLS = 8 };
static const double MOST_CELLS = 2e9; // ghosts on top of them still count in 32 bits

static int longest_axis(const double sides[3])
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++) {
        longest = sides[axis] > sides[longest] ? axis : longest;
    }
    return longest;
}

/** Cells along each axis, given as a list: checked against the sides where the file has those. */
static BrumeStatus check_counts(const int cells[3], const double sides[3], double dx, const BrumeYamlNode *node,
                                BrumeError *error)
{
    for (int axis = 0; axis < 3; axis++) {
        const double wanted = sides[axis] / dx;
        if (fabs(wanted - cells[axis]) > 0.5) {
            return brume_yaml_fail(node, error,
                                   "'resolution' in 'solver' has %d cells along %c, but cubic cells of %.4g m make "
                                   "%.4g of them in the %.4g m of the box; one number fits any box",
                                   cells[axis], "xyz"[axis], dx, wanted, sides[axis]);
        }
    }
    return BRUME_OK;
}

BrumeVec3 brume_usual_origin(const int cells[3], double dx)
{
    return brume_vec3((float)(-0.5 * dx * cells[0]), 0.0f, (float)(-0.5 * dx * cells[2]));
}

BrumeStatus brume_finish_box(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const domain = brume_yaml_get(root, "domain");
    const BrumeYamlNode *const resolution = brume_yaml_get(brume_yaml_get(root, "solver"), "resolution");
    const double *const sides = draft->size;
    const bool listed = resolution && resolution->kind == BRUME_YAML_LIST;
    int cells[3] = {draft->resolution[0], draft->resolution[1], draft->resolution[2]};
    double dx = 0.0;
    if (listed && brume_yaml_get(domain, "size")) {
        const int longest = longest_axis(sides);
        dx = sides[longest] / cells[longest];
        const BrumeStatus status = check_counts(cells, sides, dx, resolution, error);
        if (status != BRUME_OK) {
            return status;
        }
    } else if (listed) {
        // the default box is 1 m along its longest side
        const double lengths[3] = {cells[0], cells[1], cells[2]};
        dx = 1.0 / cells[longest_axis(lengths)];
    } else {
        dx = sides[longest_axis(sides)] / draft->resolution[0];
        for (int axis = 0; axis < 3; axis++) {
            cells[axis] = (int)lround(fmax(sides[axis] / dx, FEWEST_CELLS));
        }
    }
    if ((double)cells[0] * cells[1] * cells[2] > MOST_CELLS) {
        return brume_yaml_fail(resolution, error, "%d x %d x %d cells are too many (at most 2e9 in all)", cells[0],
                               cells[1], cells[2]);
    }
    BrumeSimDef *const sim = &draft->scene.sim;
    sim->nx = cells[0];
    sim->ny = cells[1];
    sim->nz = cells[2];
    sim->dx = (float)dx;
    if (!brume_yaml_get(domain, "origin")) {
        sim->origin = brume_usual_origin(cells, dx);
    }
    if (!brume_yaml_get(brume_yaml_get(brume_yaml_get(root, "look"), "ground"), "height")) {
        draft->scene.look.ground_height = sim->origin.y;
    }
    return BRUME_OK;
}
