// Winding numbers. The half solid angles of single triangles are the arguments of complex numbers. Their sum is the
// argument of the product, plus full turns, which are counted where the argument passes -pi and pi: one arc tangent
// serves all triangles.
#include "core/elementary.h"
#include "core/memory.h"
#include "core/mesh/mesh_internal.h"
#include "core/mesh/moments.h"
#include "core/mesh/triangle.h"
#include "core/vec3.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double ACCURACY = 2.0; // of brume_mesh_inside

// a sum of angles in (-pi, pi]: the argument of x + i y, which is in (-pi, pi] too, plus turns
typedef struct AngleSum {
    double x, y;
    int turns;
} AngleSum;

// Adds the argument of x + i y; of 0: nothing. Near a sum of pi and -pi, the signs that rounding gives y and the turns
// agree; near 2 pi and -2 pi, both arguments are beyond a right angle.
static void add_angle(AngleSum *sum, double x, double y)
{
    if (x == 0.0 && y == 0.0) { // the point is on an edge of the triangle
        return;
    }
    y += 0.0; // -0 is 0: the argument of a negative number is pi
    const double product_x = sum->x * x - sum->y * y;
    const double product_y = sum->x * y + sum->y * x + 0.0;
    const bool both_beyond = sum->x < 0.0 && x < 0.0;
    if (sum->y >= 0.0 && y >= 0.0 && (both_beyond || product_y < 0.0)) {
        sum->turns++;
    } else if (sum->y < 0.0 && y < 0.0 && (both_beyond || product_y > 0.0 || (product_y == 0.0 && product_x < 0.0))) {
        sum->turns--;
    }
    const double size = fabs(product_x) + fabs(product_y);
    const double factor = size > 1e100 || size < 1e-100 ? 1.0 / size : 1.0;
    sum->x = product_x * factor;
    sum->y = product_y * factor;
}

// [rad]
static double total_angle(const AngleSum *sum) { return brume_atan2(sum->y, sum->x) + 2.0 * PI * sum->turns; }

double brume_mesh_winding(const BrumeMesh *mesh, BrumeVec3 point, double accuracy)
{
    const BrumeBvh *bvh = &mesh->bvh;
    int stack[BRUME_BVH_STACK];
    int depth = 0;
    int next = 0;
    double far = 0.0; // solid angle of groups of triangles
    AngleSum halves = {1.0, 0.0, 0};
    for (;;) {
        const BrumeBvhNode *node = &bvh->nodes[next];
        const BrumeBvhMoments *moments = &bvh->moments[next];
        const double offset[3] = {(double)moments->center[0] - (double)point.x,
                                  (double)moments->center[1] - (double)point.y,
                                  (double)moments->center[2] - (double)point.z};
        const double reach = accuracy * (double)moments->radius;
        const bool is_far = brume_dot3(offset, offset) > reach * reach;
        if (!is_far && node->count == 0) {
            stack[depth++] = node->other;
            next++;
            continue;
        }
        if (is_far) {
            far += brume_moments_solid_angle(moments, offset);
        } else {
            for (int n = 0; n < node->count; n++) {
                double x;
                double y;
                brume_triangle_solid_angle(bvh->triangles[node->other + n].corners, &point, &x, &y);
                add_angle(&halves, x, y);
            }
        }
        if (depth == 0) {
            return (0.5 * far + total_angle(&halves)) / (2.0 * PI);
        }
        next = stack[--depth];
    }
}

// how many triangles of the tree are sampled
enum { SAMPLES = 1024 };

static int sample_step(const BrumeMesh *mesh) { return mesh->bvh.triangle_count / SAMPLES + 1; }

// the winding number just behind triangle n of the tree, and its area
static double winding_behind(const BrumeMesh *mesh, int n, double *area)
{
    const double depth = 1e-3; // over the square root of the area
    const BrumeVec3 *corners = mesh->bvh.triangles[n].corners;
    double normal[3];
    brume_triangle_area(&corners[0], &corners[1], &corners[2], normal);
    *area = sqrt(brume_dot3(normal, normal));
    const double by = depth / sqrt(*area);
    const BrumeVec3 center = brume_scale(brume_add(brume_add(corners[0], corners[1]), corners[2]), 1.0f / 3.0f);
    const BrumeVec3 behind = {(float)(-by * normal[0]), (float)(-by * normal[1]), (float)(-by * normal[2])};
    return brume_mesh_winding(mesh, brume_add(center, behind), ACCURACY);
}

double brume_mesh_winding_behind(const BrumeMesh *mesh)
{
    double sum = 0.0;
    double areas = 0.0;
    for (int n = 0; n < mesh->bvh.triangle_count; n += sample_step(mesh)) {
        double area;
        const double winding = winding_behind(mesh, n, &area);
        sum += area * winding;
        areas += area;
    }
    return sum / areas;
}

bool brume_mesh_find_turned_parts(BrumeMesh *mesh)
{
    double *excess = brume_alloc((size_t)mesh->welded.vertex_count, sizeof *excess); // over 1/2, of each part
    mesh->info.turned_parts = 0;
    for (int n = 0; excess && n < mesh->bvh.triangle_count; n += sample_step(mesh)) {
        double area;
        const double winding = winding_behind(mesh, n, &area);
        excess[mesh->parts[mesh->welded.corners[3 * mesh->bvh.triangles[n].number]]] += area * (winding - 0.5);
    }
    for (int n = 0; excess && n < mesh->welded.vertex_count; n++) {
        mesh->info.turned_parts += excess[n] < 0.0;
    }
    brume_free(excess);
    return excess != NULL;
}

bool brume_mesh_inside(const BrumeMesh *mesh, BrumeVec3 point)
{
    const BrumeMeshInfo *info = &mesh->info;
    if (!info->solid) {
        return false;
    }
    const bool in_bounds = point.x >= info->lower.x && point.x <= info->upper.x && point.y >= info->lower.y &&
                           point.y <= info->upper.y && point.z >= info->lower.z && point.z <= info->upper.z;
    int count;
    if (info->closed && !in_bounds) {
        return false;
    }
    if (info->closed && brume_mesh_count_crossings(mesh, point, &count)) {
        return count > 0; // a ray takes less time
    }
    return brume_mesh_winding(mesh, point, ACCURACY) > 0.5;
}

enum { ROW_HITS = 64 }; // on the ray of brume_mesh_contains

// How often a ray from the first of the points to the last crosses a closed mesh outwards, less inwards, beyond each of
// them. False where it passes through an edge, or crosses the mesh too often.
static bool count_beyond(const BrumeMesh *mesh, const BrumeVec3 *points, int count, bool *inside)
{
    const BrumeVec3 along = brume_sub(points[count - 1], points[0]);
    const double direction[3] = {(double)along.x, (double)along.y, (double)along.z};
    const double squared = brume_dot3(direction, direction);
    BrumeMeshHit hits[ROW_HITS];
    int hit_count;
    if (!(squared > 0.0) ||
        !brume_mesh_hits(mesh, points[0], along, 0.0, (double)INFINITY, hits, ROW_HITS, &hit_count)) {
        return false;
    }
    for (int n = 0; n < hit_count; n++) {
        const double *share = hits[n].share;
        if (share[0] == 0.0 || share[1] == 0.0 || share[2] == 0.0) {
            return false;
        }
    }
    for (int n = 0; n < count; n++) {
        double offset[3];
        brume_between3(&points[0], &points[n], offset);
        const double at = brume_dot3(offset, direction) / squared;
        int sum = 0;
        for (int hit = hit_count - 1; hit >= 0 && hits[hit].distance > at; hit--) {
            sum += hits[hit].outward;
        }
        inside[n] = sum > 0;
    }
    return true;
}

void brume_mesh_contains(const BrumeMesh *mesh, const BrumeVec3 *points, int count, bool *inside)
{
    if (mesh->info.closed && count > 1 && count_beyond(mesh, points, count, inside)) {
        return;
    }
    for (int n = 0; n < count; n++) {
        inside[n] = brume_mesh_inside(mesh, points[n]);
    }
}
