// Closest points: the nearer child first, and no box that is farther away than the closest point so far.
#include "core/mesh/mesh_internal.h"
#include "core/mesh/triangle.h"
#include "core/vec3.h"

#include <math.h>

// the square of the distance from a point to a box [m^2]
static double squared_distance(const BrumeBvhNode *node, const double point[3])
{
    double squared = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = (double)node->lower[axis] - point[axis];
        const double above = point[axis] - (double)node->upper[axis];
        const double outside = below > 0.0 ? below : above > 0.0 ? above : 0.0;
        squared += outside * outside;
    }
    return squared;
}

// the best so far
typedef struct Closest {
    double squared; // distance [m^2]
    const BrumeBvhTriangle *triangle;
    double share[3];
} Closest;

// the squared distance to the closest corner of a triangle, which has the whole share [m^2]
static double closest_corner(const BrumeVec3 corners[3], const BrumeVec3 *point, double share[3])
{
    double least = INFINITY;
    for (int n = 0; n < 3; n++) {
        const double x = (double)corners[n].x - (double)point->x;
        const double y = (double)corners[n].y - (double)point->y;
        const double z = (double)corners[n].z - (double)point->z;
        const double squared = x * x + y * y + z * z;
        if (squared < least) {
            least = squared;
            for (int other = 0; other < 3; other++) {
                share[other] = other == n ? 1.0 : 0.0;
            }
        }
    }
    return least;
}

static void compare_leaf(Closest *best, const BrumeBvhTriangle *triangles, int count, const BrumeVec3 *point,
                         bool vertices)
{
    for (int n = 0; n < count; n++) {
        double share[3];
        const double squared = vertices ? closest_corner(triangles[n].corners, point, share)
                                        : brume_triangle_closest(triangles[n].corners, point, share);
        if (squared < best->squared ||
            (squared == best->squared && (!best->triangle || triangles[n].number < best->triangle->number))) {
            *best = (Closest){squared, &triangles[n], {share[0], share[1], share[2]}};
        }
    }
}

// boxes are compared with more than the rounding errors of distances to triangles, which depend on their size
static double slack_of(const BrumeBvhNode *root)
{
    double squared = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double side = (double)root->upper[axis] - (double)root->lower[axis];
        squared += side * side;
    }
    return 1e-13 * squared;
}

// of the surface, or of the vertices alone
static bool find_closest(const BrumeMesh *mesh, BrumeVec3 point, double most, bool vertices, BrumeMeshPoint *closest)
{
    const BrumeBvhNode *nodes = mesh->bvh.nodes;
    const double at[3] = {(double)point.x, (double)point.y, (double)point.z};
    const double slack = slack_of(nodes);
    Closest best = {.squared = most * most};
    struct {
        int node;
        double squared;
    } stack[BRUME_BVH_STACK];
    stack[0].node = 0;
    stack[0].squared = squared_distance(nodes, at);
    int depth = 1;
    while (depth > 0) {
        const int next = stack[--depth].node;
        const BrumeBvhNode *node = &nodes[next];
        if (stack[depth].squared > best.squared * (1.0 + 1e-12) + slack) {
            continue;
        }
        if (node->count > 0) {
            compare_leaf(&best, mesh->bvh.triangles + node->other, node->count, &point, vertices);
            continue;
        }
        const int children[2] = {next + 1, node->other};
        const double squared[2] = {squared_distance(&nodes[children[0]], at),
                                   squared_distance(&nodes[children[1]], at)};
        const int farther = squared[0] > squared[1] ? 0 : 1;
        for (int n = 0; n < 2; n++) {
            const int child = n == 0 ? farther : 1 - farther;
            stack[depth].node = children[child];
            stack[depth++].squared = squared[child];
        }
    }
    if (!best.triangle) {
        return false;
    }
    double position[3] = {0.0};
    for (int n = 0; n < 3; n++) {
        const BrumeVec3 corner = best.triangle->corners[n];
        position[0] += best.share[n] * (double)corner.x;
        position[1] += best.share[n] * (double)corner.y;
        position[2] += best.share[n] * (double)corner.z;
    }
    *closest = (BrumeMeshPoint){
        .distance = sqrt(best.squared),
        .triangle = best.triangle->number,
        .share = {best.share[0], best.share[1], best.share[2]},
        .at = brume_vec3((float)position[0], (float)position[1], (float)position[2]),
    };
    return true;
}

bool brume_mesh_closest(const BrumeMesh *mesh, BrumeVec3 point, double most, BrumeMeshPoint *closest)
{
    return find_closest(mesh, point, most, false, closest);
}

bool brume_mesh_closest_vertex(const BrumeMesh *mesh, BrumeVec3 point, double most, BrumeMeshPoint *closest)
{
    return find_closest(mesh, point, most, true, closest);
}
