#include "core/mesh/patch.h"

#include "core/mesh/mesh_internal.h"
#include "core/mesh/triangle.h"
#include "core/mesh/wide_nodes.h"
#include "core/minmax.h"
#include "core/vec3.h"

#include <math.h>

// a box along each axis
typedef struct Extent {
    float lower[3], upper[3];
} Extent;

static Extent extent_of(BrumeVec3 lower, BrumeVec3 upper)
{
    return (Extent){{lower.x, lower.y, lower.z}, {upper.x, upper.y, upper.z}};
}

// the lanes of eight boxes, of which coordinates of the same axis are `step` entries apart, that touch a box
BRUME_INLINE unsigned touching(const float *lower, const float *upper, ptrdiff_t step, const Extent *box)
{
    BrumeInt8 touch = (BrumeInt8){0} - 1;
    for (int axis = 0; axis < 3; axis++) {
        BrumeFloat8 from;
        BrumeFloat8 to;
        BrumeFloat8 least;
        BrumeFloat8 most;
        brume_load8(&from, lower + step * axis);
        brume_load8(&to, upper + step * axis);
        brume_broadcast8(&least, box->lower[axis]);
        brume_broadcast8(&most, box->upper[axis]);
        touch &= (from <= most) & (to >= least);
    }
    return brume_lanes_of(&touch);
}

static void add_triangle(BrumeMeshPatch *patch, const BrumeBvhTriangle *triangle, float rounding)
{
    const int n = patch->count++;
    patch->triangles[n] = triangle;
    for (int axis = 0; axis < 3; axis++) {
        const float a = brume_component(triangle->corners[0], axis);
        const float b = brume_component(triangle->corners[1], axis);
        const float c = brume_component(triangle->corners[2], axis);
        patch->lower[axis][n] = brume_min_float(a, brume_min_float(b, c)) - rounding;
        patch->upper[axis][n] = brume_max_float(a, brume_max_float(b, c)) + rounding;
    }
}

// fills the lanes beyond the last triangle with boxes that nothing touches
static void close_patch(BrumeMeshPatch *patch)
{
    for (int n = patch->count; n % BRUME_LANES != 0; n++) {
        for (int axis = 0; axis < 3; axis++) {
            patch->lower[axis][n] = INFINITY;
            patch->upper[axis][n] = -INFINITY;
        }
    }
}

BRUME_KERNEL
static void find_patch(BrumeMeshPatch *patch, const BrumeBvh *bvh, const Extent *box, float rounding)
{
    int stack[BRUME_WIDE_STACK] = {0};
    for (int depth = 1; depth > 0;) {
        const BrumeBvhWideNode *node = &bvh->wide[stack[--depth]];
        for (unsigned bits = touching(node->lower[0], node->upper[0], BRUME_BVH_WIDTH, box); bits != 0;
             bits &= bits - 1) {
            const int n = __builtin_ctz(bits);
            if (node->count[n] == 0) {
                stack[depth++] = node->child[n];
                continue;
            }
            if (patch->count + node->count[n] > BRUME_PATCH_TRIANGLES) {
                patch->count = -1;
                return;
            }
            for (int t = 0; t < node->count[n]; t++) {
                add_triangle(patch, &bvh->triangles[node->child[n] + t], rounding);
            }
        }
    }
    close_patch(patch);
}

// more than the rounding of coordinates, boxes and tests
static float rounding_of(const BrumeMesh *mesh)
{
    const BrumeBvhNode *root = mesh->bvh.nodes;
    float largest = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        largest = brume_fmaxf(largest, brume_fmaxf(fabsf(root->lower[axis]), fabsf(root->upper[axis])));
    }
    return 2e-6f * largest;
}

void brume_mesh_patch(BrumeMeshPatch *patch, const BrumeMesh *mesh, BrumeVec3 lower, BrumeVec3 upper)
{
    patch->mesh = mesh;
    patch->count = 0;
    if (!brume_mesh_has_triangles(mesh)) {
        return;
    }
    const float rounding = rounding_of(mesh);
    const BrumeVec3 grown = brume_vec3(rounding, rounding, rounding);
    const Extent box = extent_of(brume_sub(lower, grown), brume_add(upper, grown));
    find_patch(patch, &mesh->bvh, &box, rounding);
}

BRUME_KERNEL
static bool touches_patch(const BrumeMeshPatch *patch, const Extent *box)
{
    unsigned any = 0;
    for (int first = 0; first < patch->count && any == 0; first += BRUME_LANES) {
        any = touching(patch->lower[0] + first, patch->upper[0] + first, BRUME_PATCH_TRIANGLES, box);
    }
    return any != 0;
}

bool brume_patch_is_near(const BrumeMeshPatch *patch, BrumeVec3 lower, BrumeVec3 upper)
{
    const Extent box = extent_of(lower, upper);
    return patch->count < 0 || touches_patch(patch, &box);
}

static Extent segment_extent(const BrumeVec3 *ends)
{
    return extent_of(brume_lower_corner(ends[0], ends[1]), brume_upper_corner(ends[0], ends[1]));
}

static bool touches_triangle(const BrumeMeshPatch *patch, int n, const Extent *box)
{
    bool touches = true;
    for (int axis = 0; axis < 3; axis++) {
        touches = touches && patch->lower[axis][n] <= box->upper[axis] && patch->upper[axis][n] >= box->lower[axis];
    }
    return touches;
}

static bool segment_crosses(const BrumeBvhTriangle *triangle, const BrumeVec3 *ends)
{
    double along[3];
    brume_between3(&ends[0], &ends[1], along);
    if ((along[0] == 0.0 && along[1] == 0.0 && along[2] == 0.0) || !brume_triangle_separates(triangle->corners, ends)) {
        return false;
    }
    const BrumeShearedRay ray = brume_shear_ray(ends[0], along);
    BrumeMeshHit hit;
    return brume_triangle_hit(&ray, triangle->corners, &hit);
}

static bool path_crosses(const BrumeMeshPatch *patch, int n, const BrumeVec3 *path, int count)
{
    bool crosses = false;
    for (int point = 0; point + 1 < count && !crosses; point++) {
        const Extent box = segment_extent(&path[point]);
        crosses = touches_triangle(patch, n, &box) && segment_crosses(patch->triangles[n], &path[point]);
    }
    return crosses;
}

BRUME_KERNEL
static bool crosses_patch(const BrumeMeshPatch *patch, const Extent *box, const BrumeVec3 *path, int count)
{
    bool crosses = false;
    for (int first = 0; first < patch->count && !crosses; first += BRUME_LANES) {
        for (unsigned bits = touching(patch->lower[0] + first, patch->upper[0] + first, BRUME_PATCH_TRIANGLES, box);
             bits != 0 && !crosses; bits &= bits - 1) {
            crosses = path_crosses(patch, first + __builtin_ctz(bits), path, count);
        }
    }
    return crosses;
}

bool brume_patch_crosses(const BrumeMeshPatch *patch, const BrumeVec3 *path, int count)
{
    bool crosses = false;
    for (int n = 0; patch->count < 0 && n + 1 < count && !crosses; n++) {
        crosses = brume_mesh_crosses(patch->mesh, path[n], path[n + 1]);
    }
    if (patch->count <= 0) {
        return crosses;
    }
    BrumeVec3 lower = path[0];
    BrumeVec3 upper = path[0];
    for (int n = 1; n < count; n++) {
        lower = brume_lower_corner(path[n], lower);
        upper = brume_upper_corner(path[n], upper);
    }
    const Extent box = extent_of(lower, upper);
    return crosses_patch(patch, &box, path, count);
}
