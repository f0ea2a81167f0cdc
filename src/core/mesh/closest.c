// Closest points: the nearer child first, and no box that is farther away than the closest point so far.
#include "core/mesh/mesh_internal.h"
#include "core/mesh/triangle.h"
#include "core/mesh/wide_nodes.h"
#include "core/vec3.h"

#include <float.h>
#include <math.h>

// adds the children whose boxes are at most `most` away, the square of a distance, the nearest one last
BRUME_INLINE int add_near_children(BrumeWideEntry *stack, int depth, const BrumeBvh *bvh, const BrumeBvhWideNode *node,
                                   const BrumeVec3 *point, float most)
{
    const float at[3] = {point->x, point->y, point->z};
    BrumeFloat8 squared = {0};
    for (int axis = 0; axis < 3; axis++) {
        BrumeFloat8 coordinate;
        BrumeFloat8 below;
        BrumeFloat8 above;
        BrumeFloat8 outside = {0};
        brume_broadcast8(&coordinate, at[axis]);
        brume_load8(&below, node->lower[axis]);
        brume_load8(&above, node->upper[axis]);
        below -= coordinate;
        above = coordinate - above;
        brume_max8(&outside, &below);
        brume_max8(&outside, &above);
        squared += outside * outside;
    }
    BrumeFloat8 limit;
    brume_broadcast8(&limit, most);
    const BrumeInt8 entered = squared <= limit;
    return brume_add_wide_entries(stack, depth, bvh, node, &entered, &squared, true);
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

// the largest square of a distance to boxes that may have a triangle as close as the best; it is below the infinite
// distance to a lane without a child
static float limit_of(const Closest *best, double slack)
{
    const double limit = best->squared * (1.0 + 0x1p-20) + slack;
    return limit < (double)FLT_MAX ? (float)limit + FLT_MIN : FLT_MAX;
}

// of the surface, or of the vertices alone; ends where the square of the distance is below `enough`
BRUME_KERNEL
static void search_closest(Closest *best, const BrumeBvh *bvh, const BrumeVec3 *point, double enough, bool vertices)
{
    const double slack = slack_of(bvh->nodes);
    float limit = limit_of(best, slack);
    BrumeWideEntry stack[BRUME_WIDE_STACK];
    int depth = add_near_children(stack, 0, bvh, &bvh->wide[0], point, limit);
    while (depth > 0) {
        const BrumeWideEntry next = stack[--depth];
        if (next.distance > limit) {
            continue;
        }
        if (next.count > 0) {
            compare_leaf(best, bvh->triangles + next.child, next.count, point, vertices);
            if (best->squared < enough) {
                return;
            }
            limit = limit_of(best, slack);
        } else {
            depth = add_near_children(stack, depth, bvh, &bvh->wide[next.child], point, limit);
        }
    }
}

static bool find_closest(const BrumeMesh *mesh, BrumeVec3 point, double most, bool vertices, BrumeMeshPoint *closest)
{
    Closest best = {.squared = most * most};
    search_closest(&best, &mesh->bvh, &point, 0.0, vertices);
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

double brume_mesh_distance(const BrumeMesh *mesh, BrumeVec3 point, double enough, double most)
{
    Closest best = {.squared = most * most};
    search_closest(&best, &mesh->bvh, &point, enough * enough, false);
    return best.triangle ? sqrt(best.squared) : most;
}

void brume_mesh_distances(const BrumeMesh *mesh, const BrumeVec3 *points, int count, double most, double *distances)
{
    const Closest none = {.squared = most * most};
    const BrumeBvhTriangle *triangle = NULL; // that of the point before, which is not far from the closest one
    for (int n = 0; n < count; n++) {
        Closest best = none;
        if (triangle) {
            compare_leaf(&best, triangle, 1, &points[n], false);
        }
        search_closest(&best, &mesh->bvh, &points[n], 0.0, false);
        triangle = best.triangle ? best.triangle : triangle;
        distances[n] = best.triangle ? sqrt(best.squared) : most;
    }
}
