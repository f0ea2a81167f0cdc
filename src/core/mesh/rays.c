// Rays and segments through the tree. Triangles are tested in double precision. Boxes are only tested to leave out
// triangles, with intervals that are widened by more than the rounding errors of both tests, so that no box is left out
// whose triangle is hit: results do not depend on the tree.
#include "core/mesh/mesh_internal.h"
#include "core/mesh/normals.h"
#include "core/mesh/triangle.h"
#include "core/vec3.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// a larger distance
static double widened(double distance)
{
    const double factor = 1.0 + 0x1p-44;
    return distance > 0.0 ? distance * factor : distance / factor;
}

// what a ray is searched for
typedef struct MeshSearch {
    BrumeShearedRay ray;
    double from, to;       // lengths of the direction
    const BrumeVec3 *ends; // of a segment that is to cross triangles, NULL: a ray
    BrumeMeshHit *hit;     // the first point; NULL: any
    BrumeMeshHit *all;     // all points instead, NULL: not
    int count, most;       // of them
} MeshSearch;

static MeshSearch search_along(BrumeVec3 origin, const double direction[3], double from, double to)
{
    return (MeshSearch){.ray = brume_shear_ray(origin, direction), .from = from, .to = to};
}

/*
 * The boxes of wide nodes are tested in single precision, along a direction whose largest component is 1. Positions are
 * floats, so that a distance has three roundings, of 2^-24 each: intervals are widened by more.
 */
enum { WIDE_STACK = (BRUME_BVH_WIDTH - 1) * BRUME_BVH_STACK + 1 };

typedef struct WideRay {
    float origin[3];
    float per_direction[3];
    float from, to;
    double scale; // distances here over lengths of the direction
} WideRay;

static const float WIDENING = 0x1p-20f;

static float nearer(float distance) { return distance - WIDENING * fabsf(distance); }
static float farther(float distance) { return distance + WIDENING * fabsf(distance); }

static WideRay wide_ray(const MeshSearch *search)
{
    const double *direction = search->ray.direction;
    WideRay ray = {.scale = fabs(direction[search->ray.z])};
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = brume_component(search->ray.origin, axis);
        ray.per_direction[axis] = (float)(ray.scale / direction[axis]);
    }
    ray.from = nearer((float)(search->from * ray.scale));
    ray.to = farther((float)(search->to * ray.scale));
    return ray;
}

// a box that a ray has to enter yet
typedef struct WideEntry {
    int child, count; // as in the wide node
    float enter;
} WideEntry;

typedef float Lanes __attribute__((vector_size(4 * BRUME_BVH_WIDTH)));
typedef int32_t LaneMask __attribute__((vector_size(4 * BRUME_BVH_WIDTH)));

static inline Lanes lanes_of(float value) { return value - (Lanes){0.0f}; }

static inline Lanes load_lanes(const float from[BRUME_BVH_WIDTH])
{
    Lanes lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline Lanes select_lanes(LaneMask mask, Lanes yes, Lanes no)
{
    return (Lanes)((mask & (LaneMask)yes) | (~mask & (LaneMask)no));
}

// adds the children whose boxes the ray enters, the nearest one last
static int add_children(WideEntry *stack, int depth, const BrumeBvhWideNode *node, const WideRay *ray)
{
    Lanes enter = lanes_of(ray->from);
    Lanes leave = lanes_of(ray->to);
    for (int axis = 0; axis < 3; axis++) { // NaN leaves the interval as it is, as in enters_box
        const float per = ray->per_direction[axis];
        const Lanes origin = lanes_of(ray->origin[axis]);
        const Lanes to_near = (load_lanes(per < 0.0f ? node->upper[axis] : node->lower[axis]) - origin) * per;
        const Lanes to_far = (load_lanes(per < 0.0f ? node->lower[axis] : node->upper[axis]) - origin) * per;
        enter = select_lanes(to_near > enter, to_near, enter);
        leave = select_lanes(to_far < leave, to_far, leave);
    }
    const LaneMask no_sign = (LaneMask){0} + INT32_MAX;
    const Lanes slack_of_enter = WIDENING * (Lanes)((LaneMask)enter & no_sign);
    const Lanes slack_of_leave = WIDENING * (Lanes)((LaneMask)leave & no_sign);
    const LaneMask entered = enter - slack_of_enter <= leave + slack_of_leave;
    const int first = depth;
    for (int n = 0; n < BRUME_BVH_WIDTH; n++) {
        if (!entered[n]) {
            continue;
        }
        int at = depth++;
        for (; at > first && stack[at - 1].enter < enter[n]; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (WideEntry){node->child[n], node->count[n], enter[n]};
    }
    return depth;
}

static bool are_on_both_sides(const BrumeVec3 corners[3], const BrumeVec3 ends[2])
{
    const double a = brume_triangle_side(corners, &ends[0]);
    const double b = brume_triangle_side(corners, &ends[1]);
    return !(a > 0.0 && b > 0.0) && !(a < 0.0 && b < 0.0);
}

static bool comes_before(const BrumeMeshHit *a, const BrumeMeshHit *b)
{
    return a->distance < b->distance || (a->distance == b->distance && a->triangle < b->triangle);
}

// adds a hit to `count` hits in their order
static void insert(BrumeMeshHit *hits, int count, BrumeMeshHit hit)
{
    for (; count > 0 && comes_before(&hit, &hits[count - 1]); count--) {
        hits[count] = hits[count - 1];
    }
    hits[count] = hit;
}

// whether the search ends with this leaf
static bool search_leaf(MeshSearch *search, const BrumeBvhTriangle *triangles, int count)
{
    for (int n = 0; n < count; n++) {
        const BrumeBvhTriangle *triangle = &triangles[n];
        BrumeMeshHit found = {.triangle = triangle->number};
        if (!brume_triangle_hit(&search->ray, triangle->corners, &found)) {
            continue;
        }
        if (search->ends) {
            if (are_on_both_sides(triangle->corners, search->ends)) {
                return true;
            }
            continue;
        }
        if (!(found.distance >= search->from && found.distance <= search->to)) {
            continue;
        }
        if (search->all) {
            if (search->count == search->most) {
                return true;
            }
            insert(search->all, search->count++, found);
        } else if (!search->hit) {
            return true;
        } else if (comes_before(&found, search->hit)) {
            *search->hit = found;
        }
    }
    return false;
}

// whether a triangle ends the search; nearer boxes come first
static bool search_tree(MeshSearch *search, const BrumeBvh *bvh)
{
    WideRay ray = wide_ray(search);
    WideEntry stack[WIDE_STACK];
    int depth = add_children(stack, 0, &bvh->wide[0], &ray);
    while (depth > 0) {
        const WideEntry next = stack[--depth];
        if (nearer(next.enter) > ray.to) {
            continue;
        }
        if (next.count == 0) {
            depth = add_children(stack, depth, &bvh->wide[next.child], &ray);
            continue;
        }
        if (search_leaf(search, bvh->triangles + next.child, next.count)) {
            return true;
        }
        if (search->hit && search->hit->distance < search->to) {
            ray.to = farther((float)(search->hit->distance * ray.scale));
        }
    }
    return false;
}

static bool is_direction(BrumeVec3 direction)
{
    return direction.x != 0.0f || direction.y != 0.0f || direction.z != 0.0f;
}

bool brume_mesh_hit(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to,
                    BrumeMeshHit *hit)
{
    if (!is_direction(direction)) {
        return false;
    }
    const double along[3] = {(double)direction.x, (double)direction.y, (double)direction.z};
    BrumeMeshHit first = {.distance = (double)INFINITY, .triangle = -1};
    MeshSearch search = search_along(origin, along, from, to);
    search.hit = &first;
    (void)search_tree(&search, &mesh->bvh);
    if (first.triangle >= 0) {
        *hit = first;
    }
    return first.triangle >= 0;
}

bool brume_mesh_hits(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to,
                     BrumeMeshHit *hits, int most, int *count)
{
    *count = 0;
    if (!is_direction(direction)) {
        return true;
    }
    const double along[3] = {(double)direction.x, (double)direction.y, (double)direction.z};
    MeshSearch search = search_along(origin, along, from, to);
    search.all = hits;
    search.most = most;
    const bool has_more = search_tree(&search, &mesh->bvh);
    *count = search.count;
    return !has_more;
}

bool brume_mesh_occludes(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to)
{
    const double along[3] = {(double)direction.x, (double)direction.y, (double)direction.z};
    MeshSearch search = search_along(origin, along, from, to);
    return is_direction(direction) && search_tree(&search, &mesh->bvh);
}

bool brume_mesh_crosses(const BrumeMesh *mesh, BrumeVec3 a, BrumeVec3 b)
{
    double along[3];
    brume_between3(&a, &b, along);
    if (along[0] == 0.0 && along[1] == 0.0 && along[2] == 0.0) {
        return false;
    }
    const double beyond = 1e-6; // boxes that only the rounding of an end separates from the segment
    const BrumeVec3 ends[2] = {a, b};
    MeshSearch search = search_along(a, along, -beyond, 1.0 + beyond);
    search.ends = ends;
    return search_tree(&search, &mesh->bvh);
}

// a ray for the boxes of single nodes, from its origin on
typedef struct BoxRay {
    double origin[3];
    double per_direction[3]; // infinite along axes of a box that the ray does not cross
    double to;               // lengths of the direction
} BoxRay;

static BoxRay box_ray(const BrumeShearedRay *along, double to)
{
    BoxRay ray = {.to = to};
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = (double)brume_component(along->origin, axis);
        ray.per_direction[axis] = 1.0 / along->direction[axis];
    }
    return ray;
}

// Whether a ray is in the box of a node. Comparisons with NaN, which is 0 times infinity for a ray in a side of the
// box, leave the interval as it is.
static bool enters_box(const BoxRay *ray, const BrumeBvhNode *node)
{
    double enter = 0.0;
    double leave = ray->to;
    for (int axis = 0; axis < 3; axis++) {
        const double per = ray->per_direction[axis];
        const double lower = ((double)node->lower[axis] - ray->origin[axis]) * per;
        const double upper = ((double)node->upper[axis] - ray->origin[axis]) * per;
        const double near = per < 0.0 ? upper : lower;
        const double far = widened(per < 0.0 ? lower : upper);
        enter = near > enter ? near : enter;
        leave = far < leave ? far : leave;
    }
    return enter <= leave;
}

// the leaves of the tree whose boxes a ray enters; at first the stack has the root
typedef struct LeafWalk {
    BoxRay ray;
    const BrumeBvhNode *nodes;
    int stack[BRUME_BVH_STACK];
    int depth;
} LeafWalk;

// the next leaf; NULL after the last
static const BrumeBvhNode *next_leaf(LeafWalk *walk)
{
    while (walk->depth > 0) {
        const int next = walk->stack[--walk->depth];
        const BrumeBvhNode *node = &walk->nodes[next];
        if (!enters_box(&walk->ray, node)) {
            continue;
        }
        if (node->count > 0) {
            return node;
        }
        walk->stack[walk->depth++] = node->other;
        walk->stack[walk->depth++] = next + 1;
    }
    return NULL;
}

static bool share_vertex(const int a[3], const int b[3])
{
    bool shared = false;
    for (int n = 0; n < 9; n++) {
        shared = shared || a[n / 3] == b[n % 3];
    }
    return shared;
}

// whether a segment along a ray, an edge of triangle `number`, passes through another triangle
static bool crosses_other(const BrumeMesh *mesh, const BrumeShearedRay *ray, const BrumeVec3 ends[2], int number)
{
    LeafWalk walk = {.ray = box_ray(ray, 1.0), .nodes = mesh->bvh.nodes, .depth = 1};
    const int *corners = mesh->welded.corners;
    for (const BrumeBvhNode *leaf = next_leaf(&walk); leaf; leaf = next_leaf(&walk)) {
        for (int n = 0; n < leaf->count; n++) {
            const BrumeBvhTriangle *other = &mesh->bvh.triangles[leaf->other + n];
            const double sides =
                brume_triangle_side(other->corners, &ends[0]) * brume_triangle_side(other->corners, &ends[1]);
            BrumeMeshHit hit;
            if (sides < 0.0 && brume_triangle_hit(ray, other->corners, &hit) &&
                !share_vertex(corners + 3 * (size_t)number, corners + 3 * (size_t)other->number)) {
                return true;
            }
        }
    }
    return false;
}

bool brume_mesh_intersects_itself(const BrumeMesh *mesh)
{
    bool found = false;
#pragma omp parallel for schedule(static) reduction(|| : found)
    for (int n = 0; n < mesh->bvh.triangle_count; n++) {
        const BrumeBvhTriangle *triangle = &mesh->bvh.triangles[n];
        for (int corner = 0; corner < 3 && !found; corner++) {
            const BrumeVec3 ends[2] = {triangle->corners[corner], triangle->corners[(corner + 1) % 3]};
            double along[3];
            brume_between3(&ends[0], &ends[1], along);
            const BrumeShearedRay ray = brume_shear_ray(ends[0], along);
            found = crosses_other(mesh, &ray, ends, triangle->number);
        }
    }
    return found;
}

static BrumeVec3 normal_of(const BrumeMesh *mesh, int triangle)
{
    return brume_mesh_face_normal(mesh->welded.positions, mesh->welded.corners + 3 * (size_t)triangle);
}

// whether the solid is `thickness` deep behind a point of a triangle: no triangle that faces away is nearer
static bool is_thick_at(const BrumeMesh *mesh, BrumeVec3 point, BrumeVec3 normal, double thickness)
{
    const BrumeVec3 inwards = brume_scale(normal, -1.0f);
    BrumeMeshHit hit;
    double from = -1e-3 * thickness; // a surface may be where the point is, up to rounding
    while (brume_mesh_hit(mesh, point, inwards, from, thickness, &hit)) {
        if (brume_dot(normal_of(mesh, hit.triangle), normal) < 0.0f) {
            return false;
        }
        from = hit.distance + 1e-7 * thickness;
    }
    // the point behind an edge may be in the other surface there
    const BrumeVec3 middle = brume_add(point, brume_scale(inwards, 0.5f * (float)thickness));
    BrumeMeshPoint closest;
    return brume_mesh_inside(mesh, middle) || brume_mesh_closest(mesh, middle, 1e-4 * thickness, &closest);
}

bool brume_mesh_passes_corners(const BrumeMesh *mesh, BrumeVec3 a, BrumeVec3 b, double thickness)
{
    const double rounding = 1e-5; // of positions, over the length
    const BrumeVec3 way = brume_sub(b, a);
    BrumeMeshHit hit;
    int part = -1;
    for (double from = -rounding; brume_mesh_hit(mesh, a, way, from, 1.0 + rounding, &hit);
         from = hit.distance + rounding) {
        const int part_here = mesh->parts[mesh->welded.corners[3 * (size_t)hit.triangle]];
        const BrumeVec3 at = brume_add(a, brume_scale(way, (float)hit.distance));
        part = part < 0 ? part_here : part;
        if (part_here != part || !is_thick_at(mesh, at, normal_of(mesh, hit.triangle), thickness)) {
            return false;
        }
    }
    return true;
}

bool brume_mesh_count_crossings(const BrumeMesh *mesh, BrumeVec3 point, int *count)
{
    const double along[3] = {1.0, 0.61803398874989485, 0.41421356237309505}; // of no edges that meshes usually have
    const BrumeShearedRay ray = brume_shear_ray(point, along);
    LeafWalk walk = {.ray = box_ray(&ray, (double)INFINITY), .nodes = mesh->bvh.nodes, .depth = 1};
    *count = 0;
    for (const BrumeBvhNode *leaf = next_leaf(&walk); leaf; leaf = next_leaf(&walk)) {
        for (int n = 0; n < leaf->count; n++) {
            const BrumeVec3 *corners = mesh->bvh.triangles[leaf->other + n].corners;
            BrumeMeshHit hit;
            if (!brume_triangle_hit(&ray, corners, &hit) || hit.distance < 0.0) {
                continue;
            }
            const double side = brume_triangle_side(corners, &point);
            if (side == 0.0 || hit.share[0] == 0.0 || hit.share[1] == 0.0 || hit.share[2] == 0.0) {
                return false;
            }
            *count += side > 0.0 ? 1 : -1;
        }
    }
    return true;
}
