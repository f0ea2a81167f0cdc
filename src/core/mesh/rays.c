// Rays and segments through the tree. Boxes are tested in double precision, with intervals that are widened by more
// than the rounding errors of both tests, so that no box is left out whose triangle is hit.
#include "core/mesh/mesh_internal.h"
#include "core/mesh/normals.h"
#include "core/mesh/triangle.h"
#include "core/vec3.h"

#include <math.h>

// a larger distance
static double widened(double distance)
{
    const double factor = 1.0 + 0x1p-44;
    return distance > 0.0 ? distance * factor : distance / factor;
}

// what a ray is searched for
typedef struct MeshSearch {
    BrumeShearedRay ray;
    double origin[3];
    double per_direction[3]; // infinite along axes of a box that the ray does not cross
    double from, to;         // lengths of the direction
    const BrumeVec3 *ends;   // of a segment that is to cross triangles, NULL: a ray
    BrumeMeshHit *hit;       // the first point; NULL: any
    BrumeMeshHit *all;       // all points instead, NULL: not
    int count, most;         // of them
} MeshSearch;

static MeshSearch search_along(BrumeVec3 origin, const double direction[3], double from, double to)
{
    MeshSearch search = {.ray = brume_shear_ray(origin, direction), .from = from, .to = to};
    for (int axis = 0; axis < 3; axis++) {
        search.origin[axis] = (double)brume_component(origin, axis);
        search.per_direction[axis] = 1.0 / direction[axis];
    }
    return search;
}

// Whether the ray is in a box between `from` and `to`, and the distance at which it enters. Comparisons with NaN, which
// is 0 times infinity for a ray in a side of the box, leave the interval as it is.
static bool enters_box(const MeshSearch *search, const BrumeBvhNode *node, double *enter)
{
    double leave = search->to;
    *enter = search->from;
    for (int axis = 0; axis < 3; axis++) {
        const double per = search->per_direction[axis];
        const double lower = ((double)node->lower[axis] - search->origin[axis]) * per;
        const double upper = ((double)node->upper[axis] - search->origin[axis]) * per;
        const double near = per < 0.0 ? upper : lower;
        const double far = widened(per < 0.0 ? lower : upper);
        *enter = near > *enter ? near : *enter;
        leave = far < leave ? far : leave;
    }
    return *enter <= leave;
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
        double distance;
        double share[3];
        if (!brume_triangle_hit(&search->ray, triangle->corners, &distance, share)) {
            continue;
        }
        if (search->ends) {
            if (are_on_both_sides(triangle->corners, search->ends)) {
                return true;
            }
            continue;
        }
        if (!(distance >= search->from && distance <= search->to)) {
            continue;
        }
        const BrumeMeshHit found = {distance, triangle->number, {share[0], share[1], share[2]}};
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
    const double to = search->to;
    struct {
        int node;
        double enter;
    } stack[BRUME_BVH_STACK];
    int depth = enters_box(search, &bvh->nodes[0], &stack[0].enter) ? 1 : 0;
    stack[0].node = 0;
    while (depth > 0) {
        const int next = stack[--depth].node;
        const BrumeBvhNode *node = &bvh->nodes[next];
        if (stack[depth].enter > search->to) {
            continue;
        }
        if (node->count > 0) {
            search->to = to;
            if (search_leaf(search, bvh->triangles + node->other, node->count)) {
                return true;
            }
            search->to = search->hit && widened(search->hit->distance) < to ? widened(search->hit->distance) : to;
            continue;
        }
        const int children[2] = {next + 1, node->other};
        double enter[2];
        const bool entered[2] = {enters_box(search, &bvh->nodes[children[0]], &enter[0]),
                                 enters_box(search, &bvh->nodes[children[1]], &enter[1])};
        const int farther = enter[0] > enter[1] ? 0 : 1;
        for (int n = 0; n < 2; n++) {
            const int child = n == 0 ? farther : 1 - farther;
            if (entered[child]) {
                stack[depth].node = children[child];
                stack[depth++].enter = enter[child];
            }
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

static bool share_vertex(const int a[3], const int b[3])
{
    bool shared = false;
    for (int n = 0; n < 9; n++) {
        shared = shared || a[n / 3] == b[n % 3];
    }
    return shared;
}

// whether the segment of a search, an edge of triangle `number`, passes through another triangle
static bool crosses_other(const BrumeMesh *mesh, const MeshSearch *search, int number)
{
    const int *corners = mesh->welded.corners;
    const BrumeBvhNode *nodes = mesh->bvh.nodes;
    int stack[BRUME_BVH_STACK] = {0};
    int depth = 1;
    while (depth > 0) {
        const int next = stack[--depth];
        double enter;
        if (!enters_box(search, &nodes[next], &enter)) {
            continue;
        }
        if (nodes[next].count == 0) {
            stack[depth++] = nodes[next].other;
            stack[depth++] = next + 1;
        }
        for (int n = 0; n < nodes[next].count; n++) {
            const BrumeBvhTriangle *other = &mesh->bvh.triangles[nodes[next].other + n];
            const double sides = brume_triangle_side(other->corners, &search->ends[0]) *
                                 brume_triangle_side(other->corners, &search->ends[1]);
            double distance;
            double share[3];
            if (sides < 0.0 && brume_triangle_hit(&search->ray, other->corners, &distance, share) &&
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
            MeshSearch search = search_along(ends[0], along, 0.0, 1.0);
            search.ends = ends;
            found = crosses_other(mesh, &search, triangle->number);
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
    const MeshSearch search = search_along(point, along, 0.0, (double)INFINITY);
    const BrumeBvhNode *nodes = mesh->bvh.nodes;
    int stack[BRUME_BVH_STACK] = {0};
    int depth = 1;
    *count = 0;
    while (depth > 0) {
        const int next = stack[--depth];
        double enter;
        if (!enters_box(&search, &nodes[next], &enter)) {
            continue;
        }
        if (nodes[next].count == 0) {
            stack[depth++] = nodes[next].other;
            stack[depth++] = next + 1;
        }
        for (int n = 0; n < nodes[next].count; n++) {
            const BrumeVec3 *corners = mesh->bvh.triangles[nodes[next].other + n].corners;
            double distance;
            double share[3];
            if (!brume_triangle_hit(&search.ray, corners, &distance, share) || distance < 0.0) {
                continue;
            }
            const double side = brume_triangle_side(corners, &point);
            if (side == 0.0 || share[0] == 0.0 || share[1] == 0.0 || share[2] == 0.0) {
                return false;
            }
            *count += side > 0.0 ? 1 : -1;
        }
    }
    return true;
}
