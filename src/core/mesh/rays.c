// Rays and segments through the tree. Triangles are tested in double precision. Boxes are only tested to leave out
// triangles, with intervals that are widened by more than the rounding errors of both tests, so that no box is left out
// whose triangle is hit: results do not depend on the tree.
#include "core/mesh/mesh_internal.h"
#include "core/mesh/normals.h"
#include "core/mesh/triangle.h"
#include "core/mesh/wide_nodes.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/vec3.h"

#include <math.h>
#include <stdint.h>

// what a ray is searched for
typedef struct MeshSearch {
    BrumeVec3 origin;
    double direction[3];
    double from, to; // lengths of the direction; farther boxes are left out, also where `found` reduces `to`
    bool in_order;   // near boxes first
    bool (*found)(struct MeshSearch *search, const BrumeBvhTriangle *triangle,
                  const BrumeMeshHit *hit); // whether to end
    void *context;                          // of `found`
    bool ended;                             // by a triangle
} MeshSearch;

static MeshSearch search_along(BrumeVec3 origin, const double direction[3], double from, double to)
{
    return (MeshSearch){
        .origin = origin, .direction = {direction[0], direction[1], direction[2]}, .from = from, .to = to};
}

/*
 * Boxes are tested in single precision, along a direction whose largest component is 1. Positions are floats, so that a
 * distance has six roundings at most, of 2^-24 each: intervals are widened by more.
 */
typedef struct WideRay {
    float origin[3];
    float per_direction[3];
    float from, to;
    double scale; // distances here over lengths of the direction
} WideRay;

static const float WIDENING = 0x1p-20f;

BRUME_INLINE float nearer(float distance) { return distance - WIDENING * fabsf(distance); }
BRUME_INLINE float farther(float distance) { return distance + WIDENING * fabsf(distance); }

BRUME_INLINE WideRay wide_ray(const MeshSearch *search)
{
    WideRay ray = {.scale = 0.0};
    for (int axis = 0; axis < 3; axis++) {
        const double size = fabs(search->direction[axis]);
        ray.scale = size > ray.scale ? size : ray.scale;
    }
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = brume_component(search->origin, axis);
        ray.per_direction[axis] = (float)ray.scale / (float)search->direction[axis];
    }
    ray.from = nearer((float)(search->from * ray.scale));
    ray.to = farther((float)(search->to * ray.scale));
    return ray;
}

// adds the children whose boxes the ray enters; `in_order`: the nearest one last
BRUME_INLINE int add_children(BrumeWideEntry *stack, int depth, const BrumeBvh *bvh, const BrumeBvhWideNode *node,
                              const WideRay *ray, bool in_order)
{
    BrumeFloat8 enter;
    BrumeFloat8 leave;
    brume_broadcast8(&enter, ray->from);
    brume_broadcast8(&leave, ray->to);
    for (int axis = 0; axis < 3; axis++) { // NaN, which is 0 times infinity, leaves the interval as it is
        const float per = ray->per_direction[axis];
        BrumeFloat8 origin;
        BrumeFloat8 to_near;
        BrumeFloat8 to_far;
        brume_broadcast8(&origin, ray->origin[axis]);
        brume_load8(&to_near, per < 0.0f ? node->upper[axis] : node->lower[axis]);
        brume_load8(&to_far, per < 0.0f ? node->lower[axis] : node->upper[axis]);
        to_near -= origin;
        to_far -= origin;
        brume_scale8(&to_near, per);
        brume_scale8(&to_far, per);
        brume_max8(&to_near, &enter);
        brume_min8(&to_far, &leave);
        enter = to_near;
        leave = to_far;
    }
    const BrumeInt8 no_sign = (BrumeInt8){0} + INT32_MAX;
    BrumeFloat8 slack_of_enter = (BrumeFloat8)((BrumeInt8)enter & no_sign);
    BrumeFloat8 slack_of_leave = (BrumeFloat8)((BrumeInt8)leave & no_sign);
    brume_scale8(&slack_of_enter, WIDENING);
    brume_scale8(&slack_of_leave, WIDENING);
    const BrumeInt8 entered = enter - slack_of_enter <= leave + slack_of_leave;
    return brume_add_wide_entries(stack, depth, bvh, node, &entered, &enter, in_order);
}

static bool comes_before(const BrumeMeshHit *a, const BrumeMeshHit *b)
{
    return a->distance < b->distance || (a->distance == b->distance && a->triangle < b->triangle);
}

// a search on its way through the tree
typedef struct TreeWalk {
    MeshSearch *search;
    BrumeShearedRay ray; // for triangles, where a box is entered
    WideRay wide;        // for boxes
    int depth;
    BrumeWideEntry stack[BRUME_WIDE_STACK];
} TreeWalk;

BRUME_INLINE void begin_walk(TreeWalk *walk, MeshSearch *search, const BrumeBvh *bvh)
{
    walk->search = search;
    walk->wide = wide_ray(search);
    walk->depth = add_children(walk->stack, 0, bvh, &bvh->wide[0], &walk->wide, search->in_order);
    if (walk->depth > 0) {
        walk->ray = brume_shear_ray(search->origin, search->direction);
    }
}

BRUME_INLINE void visit_leaf(TreeWalk *walk, const BrumeBvhTriangle *triangles, int count)
{
    MeshSearch *search = walk->search;
    for (int n = 0; n < count; n++) {
        BrumeMeshHit hit;
        if (brume_triangle_hit(&walk->ray, triangles[n].corners, &hit)) {
            hit.triangle = triangles[n].number;
            if (search->found(search, &triangles[n], &hit)) {
                search->ended = true;
                walk->depth = 0;
                return;
            }
        }
    }
    walk->wide.to = brume_min_float(walk->wide.to, farther((float)(search->to * walk->wide.scale)));
}

// visits the next node or leaf; whether there is one
BRUME_INLINE bool step_walk(TreeWalk *walk, const BrumeBvh *bvh)
{
    BrumeWideEntry next;
    do {
        if (walk->depth == 0) {
            return false;
        }
        next = walk->stack[--walk->depth];
    } while (nearer(next.distance) > walk->wide.to);
    if (next.count > 0) {
        visit_leaf(walk, &bvh->triangles[next.child], next.count);
    } else {
        walk->depth =
            add_children(walk->stack, walk->depth, bvh, &bvh->wide[next.child], &walk->wide, walk->search->in_order);
    }
    return true;
}

enum { WALKS = 8 }; // that go on in turns: while one waits for memory, the others do not

BRUME_KERNEL
static void search_mesh_tree(MeshSearch *searches, int count, const BrumeBvh *bvh)
{
    TreeWalk walks[WALKS];
    int begun = 0;
    int active = 0;
    for (; active < WALKS && begun < count; active++) {
        begin_walk(&walks[active], &searches[begun++], bvh);
    }
    TreeWalk *slots[WALKS];
    for (int n = 0; n < active; n++) {
        slots[n] = &walks[n];
    }
    while (active > 0) {
        for (int n = 0; n < active; n++) {
            if (step_walk(slots[n], bvh)) {
                continue;
            }
            if (begun < count) {
                begin_walk(slots[n], &searches[begun++], bvh);
            } else {
                slots[n--] = slots[--active];
            }
        }
    }
}

// whether a triangle ends a search
static bool is_ended_by_triangle(MeshSearch *search, const BrumeMesh *mesh)
{
    search_mesh_tree(search, 1, &mesh->bvh);
    return search->ended;
}

static bool is_direction(BrumeVec3 direction)
{
    return direction.x != 0.0f || direction.y != 0.0f || direction.z != 0.0f;
}

static MeshSearch search_on_ray(const BrumeMeshRay *ray)
{
    const double along[3] = {(double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z};
    return search_along(ray->origin, along, ray->from, ray->to);
}

enum { TOGETHER = 16 }; // rays of the functions for several

static bool is_between(const MeshSearch *search, const BrumeMeshHit *hit)
{
    return hit->distance >= search->from && hit->distance <= search->to;
}

static bool found_first(MeshSearch *search, const BrumeBvhTriangle *triangle, const BrumeMeshHit *hit)
{
    (void)triangle;
    BrumeMeshHit *first = search->context;
    if (is_between(search, hit) && comes_before(hit, first)) {
        *first = *hit;
        search->to = hit->distance;
    }
    return false;
}

void brume_mesh_first_hits(const BrumeMesh *mesh, const BrumeMeshRay *rays, int count, BrumeMeshHit *hits)
{
    MeshSearch searches[TOGETHER];
    for (int first = 0; first < count; first += TOGETHER) {
        int searched = 0;
        for (int n = first; n < count && n < first + TOGETHER; n++) {
            hits[n] = (BrumeMeshHit){.distance = (double)INFINITY, .triangle = -1};
            if (is_direction(rays[n].direction)) {
                MeshSearch *search = &searches[searched++];
                *search = search_on_ray(&rays[n]);
                search->in_order = true;
                search->found = found_first;
                search->context = &hits[n];
            }
        }
        search_mesh_tree(searches, searched, &mesh->bvh);
    }
    for (int n = 0; n < count && count > 1; n++) { // where a surface is drawn, its normal is asked for
        const BrumeVec3 *normals = &mesh->normals[3 * (size_t)(hits[n].triangle >= 0 ? hits[n].triangle : 0)];
        __builtin_prefetch(normals);
        __builtin_prefetch(normals + 2);
    }
}

bool brume_mesh_hit(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to,
                    BrumeMeshHit *hit)
{
    const BrumeMeshRay ray = {origin, direction, from, to};
    BrumeMeshHit first;
    brume_mesh_first_hits(mesh, &ray, 1, &first);
    if (first.triangle >= 0) {
        *hit = first;
    }
    return first.triangle >= 0;
}

typedef struct HitList {
    BrumeMeshHit *hits; // in their order
    int count, most;
    bool has_more;
} HitList;

static bool found_next(MeshSearch *search, const BrumeBvhTriangle *triangle, const BrumeMeshHit *hit)
{
    (void)triangle;
    HitList *list = search->context;
    if (!is_between(search, hit)) {
        return false;
    }
    if (list->count == list->most) {
        list->has_more = true;
        if (list->most == 0 || !comes_before(hit, &list->hits[list->most - 1])) {
            return false;
        }
        list->count--;
    }
    int at = list->count++;
    for (; at > 0 && comes_before(hit, &list->hits[at - 1]); at--) {
        list->hits[at] = list->hits[at - 1];
    }
    list->hits[at] = *hit;
    return false;
}

void brume_mesh_all_hits(const BrumeMesh *mesh, const BrumeMeshRay *rays, int count, BrumeMeshHit *hits, int most,
                         int *counts)
{
    MeshSearch searches[TOGETHER];
    HitList lists[TOGETHER];
    for (int first = 0; first < count; first += TOGETHER) {
        const int end = brume_min_int(first + TOGETHER, count);
        int searched = 0;
        for (int n = first; n < end; n++) {
            HitList *list = &lists[n - first];
            *list = (HitList){.hits = hits + (size_t)most * (size_t)n, .most = most};
            if (is_direction(rays[n].direction)) {
                MeshSearch *search = &searches[searched++];
                *search = search_on_ray(&rays[n]);
                search->found = found_next;
                search->context = list;
            }
        }
        search_mesh_tree(searches, searched, &mesh->bvh);
        for (int n = first; n < end; n++) {
            counts[n] = lists[n - first].has_more ? most + 1 : lists[n - first].count;
        }
    }
}

bool brume_mesh_hits(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to,
                     BrumeMeshHit *hits, int most, int *count)
{
    const BrumeMeshRay ray = {origin, direction, from, to};
    brume_mesh_all_hits(mesh, &ray, 1, hits, most, count);
    const bool has_more = *count > most;
    *count -= has_more ? 1 : 0;
    return !has_more;
}

static bool found_any(MeshSearch *search, const BrumeBvhTriangle *triangle, const BrumeMeshHit *hit)
{
    (void)triangle;
    return is_between(search, hit);
}

bool brume_mesh_occludes(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to)
{
    const BrumeMeshRay ray = {origin, direction, from, to};
    MeshSearch search = search_on_ray(&ray);
    search.in_order = true; // near triangles cover more
    search.found = found_any;
    return is_direction(direction) && is_ended_by_triangle(&search, mesh);
}

static bool is_on_both_sides(MeshSearch *search, const BrumeBvhTriangle *triangle, const BrumeMeshHit *hit)
{
    (void)hit;
    return brume_triangle_separates(triangle->corners, search->context);
}

static const double BEYOND = 1e-6; // of a segment: boxes that only the rounding of an end separates from it

bool brume_mesh_crosses(const BrumeMesh *mesh, BrumeVec3 a, BrumeVec3 b)
{
    double along[3];
    brume_between3(&a, &b, along);
    if (along[0] == 0.0 && along[1] == 0.0 && along[2] == 0.0) {
        return false;
    }
    BrumeVec3 ends[2] = {a, b};
    MeshSearch search = search_along(a, along, -BEYOND, 1.0 + BEYOND);
    search.found = is_on_both_sides;
    search.context = ends;
    return is_ended_by_triangle(&search, mesh);
}

static bool share_vertex(const int a[3], const int b[3])
{
    bool shared = false;
    for (int n = 0; n < 9; n++) {
        shared = shared || a[n / 3] == b[n % 3];
    }
    return shared;
}

// an edge of a triangle, that may cross others
typedef struct MeshEdge {
    const int *corners; // of the mesh (triangles x 3)
    int number;         // of the triangle
    BrumeVec3 ends[2];
} MeshEdge;

static bool crosses_other(MeshSearch *search, const BrumeBvhTriangle *other, const BrumeMeshHit *hit)
{
    (void)hit;
    const MeshEdge *edge = search->context;
    const double sides =
        brume_triangle_side(other->corners, &edge->ends[0]) * brume_triangle_side(other->corners, &edge->ends[1]);
    return sides < 0.0 &&
           !share_vertex(edge->corners + 3 * (size_t)edge->number, edge->corners + 3 * (size_t)other->number);
}

bool brume_mesh_intersects_itself(const BrumeMesh *mesh)
{
    bool found = false;
#pragma omp parallel for schedule(static) reduction(|| : found)
    for (int n = 0; n < mesh->bvh.triangle_count; n++) {
        const BrumeBvhTriangle *triangle = &mesh->bvh.triangles[n];
        for (int corner = 0; corner < 3 && !found; corner++) {
            MeshEdge edge = {mesh->welded.corners,
                             triangle->number,
                             {triangle->corners[corner], triangle->corners[(corner + 1) % 3]}};
            double along[3];
            brume_between3(&edge.ends[0], &edge.ends[1], along);
            MeshSearch search = search_along(edge.ends[0], along, -BEYOND, 1.0 + BEYOND);
            search.found = crosses_other;
            search.context = &edge;
            found = is_ended_by_triangle(&search, mesh);
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

typedef struct CrossingCount {
    BrumeVec3 from;
    int sum; // outwards less inwards
} CrossingCount;

// ends the search where a triangle does not count
static bool count_crossing(MeshSearch *search, const BrumeBvhTriangle *triangle, const BrumeMeshHit *hit)
{
    CrossingCount *count = search->context;
    if (hit->distance < 0.0) {
        return false;
    }
    const double side = brume_triangle_side(triangle->corners, &count->from);
    count->sum += side > 0.0 ? 1 : -1;
    return side == 0.0 || hit->share[0] == 0.0 || hit->share[1] == 0.0 || hit->share[2] == 0.0;
}

bool brume_mesh_count_crossings(const BrumeMesh *mesh, BrumeVec3 point, int *count)
{
    const double along[3] = {1.0, 0.61803398874989485, 0.41421356237309505}; // of no edges that meshes usually have
    CrossingCount crossings = {.from = point};
    MeshSearch search = search_along(point, along, 0.0, (double)INFINITY);
    search.found = count_crossing;
    search.context = &crossings;
    const bool counted = !is_ended_by_triangle(&search, mesh);
    *count = crossings.sum;
    return counted;
}
