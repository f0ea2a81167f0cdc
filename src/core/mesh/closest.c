// Closest points: the nearer child first, and no box that is farther away than the closest point so far.
#include "core/mesh/mesh_internal.h"
#include "core/mesh/triangle.h"
#include "core/mesh/wide_nodes.h"
#include "core/minmax.h"
#include "core/vec3.h"

#include <float.h>
#include <math.h>

// the squared distances from a box, lower to upper, to the boxes of the children
BRUME_INLINE void distances_to_children(const BrumeBvhWideNode *node, const float lower[3], const float upper[3],
                                        BrumeFloat8 *squared)
{
    BrumeFloat8 sum = {0};
    for (int axis = 0; axis < 3; axis++) {
        BrumeFloat8 from;
        BrumeFloat8 to;
        BrumeFloat8 below;
        BrumeFloat8 above;
        BrumeFloat8 outside = {0};
        brume_broadcast8(&from, lower[axis]);
        brume_broadcast8(&to, upper[axis]);
        brume_load8(&below, node->lower[axis]);
        brume_load8(&above, node->upper[axis]);
        below -= to;
        above = from - above;
        brume_max8(&outside, &below);
        brume_max8(&outside, &above);
        sum += outside * outside;
    }
    *squared = sum;
}

// adds the children whose boxes are at most `most` away, the square of a distance, the nearest one last
BRUME_INLINE int add_near_children(BrumeWideEntry *stack, int depth, const BrumeBvh *bvh, const BrumeBvhWideNode *node,
                                   const BrumeVec3 *point, float most)
{
    BrumeFloat8 squared;
    BrumeFloat8 limit;
    const float at[3] = {point->x, point->y, point->z};
    distances_to_children(node, at, at, &squared);
    brume_broadcast8(&limit, most);
    const BrumeInt8 entered = squared <= limit;
    return brume_add_wide_entries(stack, depth, bvh, node, &entered, &squared, true);
}

// the best so far
typedef struct Closest {
    double squared; // distance [m^2]
    const BrumeBvhTriangle *triangle;
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

// four consecutive floats of the corners, from `first` on, each of four triangles
BRUME_INLINE void load_transposed(const BrumeBvhTriangle *const triangles[4], int first, BrumeDouble4 floats[4])
{
    BrumeFloat4 rows[4];
    for (int n = 0; n < 4; n++) {
        rows[n] = *(const BrumeUnalignedFloat4 *)(&triangles[n]->corners[0].x + first);
    }
    const BrumeFloat4 a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const BrumeFloat4 b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const BrumeFloat4 c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const BrumeFloat4 d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    floats[0] = __builtin_convertvector(__builtin_shufflevector(a, b, 0, 1, 4, 5), BrumeDouble4);
    floats[1] = __builtin_convertvector(__builtin_shufflevector(a, b, 2, 3, 6, 7), BrumeDouble4);
    floats[2] = __builtin_convertvector(__builtin_shufflevector(c, d, 0, 1, 4, 5), BrumeDouble4);
    floats[3] = __builtin_convertvector(__builtin_shufflevector(c, d, 2, 3, 6, 7), BrumeDouble4);
}

// adds `a` to a sum of zeros where a mask is set; the masks of a sum exclude each other
BRUME_INLINE void put_where(BrumeLong4 *result, const BrumeLong4 *mask, const BrumeDouble4 *a)
{
    *result |= *mask & (BrumeLong4)*a;
}

BRUME_INLINE void dot4(const BrumeDouble4 a[3], const BrumeDouble4 b[3], BrumeDouble4 *result)
{
    *result = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// the coordinates of the corners of the triangles of a leaf, the first one again in the lanes beyond `count`
BRUME_INLINE void load_leaf(const BrumeBvhTriangle *triangles, int count, BrumeDouble4 floats[9])
{
    const BrumeBvhTriangle *four[4];
    for (int n = 0; n < 4; n++) {
        four[n] = &triangles[n < count ? n : 0];
    }
    load_transposed(four, 0, floats);
    load_transposed(four, 4, floats + 4);
    for (int n = 0; n < 4; n++) {
        floats[8][n] = (double)four[n]->corners[2].z;
    }
}

// The squared distances of brume_triangle_closest to four triangles, by the same operations: each region of the plane
// has its own weights v and w of the second and the third corner, as quotients of the same denominator.
BRUME_INLINE void closest_of_four(const BrumeDouble4 floats[9], const BrumeVec3 *point, BrumeDouble4 *squared)
{
    const BrumeDouble4 one = {1.0, 1.0, 1.0, 1.0};
    const BrumeDouble4 zero = {0.0};
    const double at[3] = {(double)point->x, (double)point->y, (double)point->z};
    BrumeDouble4 to[3][3];
    BrumeDouble4 ab[3];
    BrumeDouble4 ac[3];
    for (int axis = 0; axis < 3; axis++) {
        ab[axis] = floats[3 + axis] - floats[axis];
        ac[axis] = floats[6 + axis] - floats[axis];
        for (int n = 0; n < 3; n++) {
            to[n][axis] = floats[3 * n + axis] - at[axis];
        }
    }
    BrumeDouble4 d[6];
    for (int n = 0; n < 3; n++) {
        dot4(ab, to[n], &d[2 * n]);
        dot4(ac, to[n], &d[2 * n + 1]);
        d[2 * n] = -d[2 * n];
        d[2 * n + 1] = -d[2 * n + 1];
    }
    const BrumeDouble4 vc = d[0] * d[3] - d[2] * d[1];
    const BrumeDouble4 vb = d[4] * d[1] - d[0] * d[5];
    const BrumeDouble4 va = d[2] * d[5] - d[4] * d[3];
    const BrumeDouble4 beyond_b = d[3] - d[2];
    const BrumeDouble4 beyond_c = d[4] - d[5];
    const BrumeLong4 at_a = (d[0] <= zero) & (d[1] <= zero);
    BrumeLong4 others = ~at_a;
    const BrumeLong4 at_b = (d[2] >= zero) & (d[3] <= d[2]) & others;
    others &= ~at_b;
    const BrumeLong4 on_ab = (vc <= zero) & (d[0] >= zero) & (d[2] <= zero) & others;
    others &= ~on_ab;
    const BrumeLong4 at_c = (d[5] >= zero) & (d[4] <= d[5]) & others;
    others &= ~at_c;
    const BrumeLong4 on_ac = (vb <= zero) & (d[1] >= zero) & (d[5] <= zero) & others;
    others &= ~on_ac;
    const BrumeLong4 on_bc = (va <= zero) & (beyond_b >= zero) & (beyond_c >= zero) & others;
    others &= ~on_bc;
    const BrumeLong4 corner = at_a | at_b | at_c;
    const BrumeDouble4 denominators[4] = {d[0] - d[2], d[1] - d[5], beyond_b + beyond_c, va + vb + vc};
    BrumeLong4 of_b = {0};
    BrumeLong4 of_c = {0};
    BrumeLong4 denominator = {0};
    put_where(&of_b, &at_b, &one);
    put_where(&of_b, &on_ab, &d[0]);
    put_where(&of_b, &others, &vb);
    put_where(&of_c, &at_c, &one);
    put_where(&of_c, &on_ac, &d[1]);
    put_where(&of_c, &on_bc, &beyond_b);
    put_where(&of_c, &others, &vc);
    put_where(&denominator, &corner, &one);
    put_where(&denominator, &on_ab, &denominators[0]);
    put_where(&denominator, &on_ac, &denominators[1]);
    put_where(&denominator, &on_bc, &denominators[2]);
    put_where(&denominator, &others, &denominators[3]);
    const BrumeDouble4 v = (BrumeDouble4)of_b / (BrumeDouble4)denominator;
    const BrumeDouble4 w = (BrumeDouble4)of_c / (BrumeDouble4)denominator;
    const BrumeLong4 rest = (BrumeLong4)(one - v - w); // of corner a, or of b between b and c
    const BrumeDouble4 a = (BrumeDouble4)(rest & ~on_bc);
    const BrumeDouble4 b = (BrumeDouble4)((rest & on_bc) | ((BrumeLong4)v & ~on_bc));
    BrumeDouble4 sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        const BrumeDouble4 offset = a * to[0][axis] + b * to[1][axis] + w * to[2][axis];
        sum += offset * offset;
    }
    *squared = sum;
}

_Static_assert((int)BRUME_BVH_LEAF == 4, "the triangles of a leaf are compared together");

BRUME_INLINE void compare_leaf(Closest *best, const BrumeBvhTriangle *triangles, int count, const BrumeVec3 *point,
                               bool vertices)
{
    BrumeDouble4 squared = {0.0};
    if (vertices) {
        for (int n = 0; n < count; n++) {
            double share[3];
            squared[n] = closest_corner(triangles[n].corners, point, share);
        }
    } else {
        BrumeDouble4 floats[9];
        load_leaf(triangles, count, floats);
        closest_of_four(floats, point, &squared);
    }
    for (int n = 0; n < count; n++) {
        if (squared[n] < best->squared ||
            (squared[n] == best->squared && (!best->triangle || triangles[n].number < best->triangle->number))) {
            *best = (Closest){squared[n], &triangles[n]};
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
static float limit_of(double squared, double slack)
{
    const double limit = squared * (1.0 + 0x1p-20) + slack;
    return limit < (double)FLT_MAX ? (float)limit + FLT_MIN : FLT_MAX;
}

// of the surface, or of the vertices alone; ends where the square of the distance is below `enough`
BRUME_KERNEL
static void search_closest(Closest *best, const BrumeBvh *bvh, const BrumeVec3 *point, double enough, bool vertices)
{
    const double slack = slack_of(bvh->nodes);
    float limit = limit_of(best->squared, slack);
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
            limit = limit_of(best->squared, slack);
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
    double share[3] = {0.0};
    (void)(vertices ? closest_corner(best.triangle->corners, &point, share)
                    : brume_triangle_closest(best.triangle->corners, &point, share));
    double position[3] = {0.0};
    for (int n = 0; n < 3; n++) {
        const BrumeVec3 corner = best.triangle->corners[n];
        position[0] += share[n] * (double)corner.x;
        position[1] += share[n] * (double)corner.y;
        position[2] += share[n] * (double)corner.z;
    }
    *closest = (BrumeMeshPoint){
        .distance = sqrt(best.squared),
        .triangle = best.triangle->number,
        .share = {share[0], share[1], share[2]},
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

// eight points that are searched together
typedef struct PointPacket {
    BrumeVec3 points[BRUME_LANES];
    _Alignas(32) float at[3][BRUME_LANES]; // their coordinates
    float lower[3], upper[3];              // the box around them
    _Alignas(32) float limit[BRUME_LANES]; // limit_of each
    double squared[BRUME_LANES];           // the least distances so far
} PointPacket;

// a child of a wide node that has to be visited
typedef struct PacketEntry {
    BrumeFloat8 squared; // from the points to its box
    int child, count;
    float nearest; // from the box around the points
} PacketEntry;

// the squared distances from the points to the box of a child
BRUME_INLINE void distances_to_child(const PointPacket *packet, const BrumeBvhWideNode *node, int child,
                                     BrumeFloat8 *squared)
{
    BrumeFloat8 sum = {0};
    for (int axis = 0; axis < 3; axis++) {
        BrumeFloat8 at;
        BrumeFloat8 below;
        BrumeFloat8 above;
        BrumeFloat8 outside = {0};
        brume_load8(&at, packet->at[axis]);
        brume_broadcast8(&below, node->lower[axis][child]);
        brume_broadcast8(&above, node->upper[axis][child]);
        below -= at;
        above = at - above;
        brume_max8(&outside, &below);
        brume_max8(&outside, &above);
        sum += outside * outside;
    }
    *squared = sum;
}

// the points that may be nearer to a box at these squared distances than to all triangles so far
BRUME_INLINE unsigned find_near_points(const PointPacket *packet, const BrumeFloat8 *squared)
{
    BrumeFloat8 limit;
    brume_load8(&limit, packet->limit);
    const BrumeInt8 near = *squared <= limit;
    return brume_lanes_of(&near);
}

// adds the children that a point may be near, the one nearest to the box around the points last
BRUME_INLINE int add_packet_children(PacketEntry *stack, int depth, const PointPacket *packet,
                                     const BrumeBvhWideNode *node)
{
    float most = packet->limit[0];
    for (int n = 1; n < BRUME_LANES; n++) {
        most = brume_max_float(most, packet->limit[n]);
    }
    BrumeFloat8 nearest;
    BrumeFloat8 limit;
    distances_to_children(node, packet->lower, packet->upper, &nearest);
    brume_broadcast8(&limit, most);
    const BrumeInt8 entered = nearest <= limit;
    const int first = depth;
    for (unsigned bits = brume_lanes_of(&entered); bits != 0; bits &= bits - 1) {
        const int n = __builtin_ctz(bits);
        PacketEntry entry = {.child = node->child[n], .count = node->count[n], .nearest = nearest[n]};
        distances_to_child(packet, node, n, &entry.squared);
        if (find_near_points(packet, &entry.squared) == 0) {
            continue;
        }
        int at = depth++;
        for (; at > first && stack[at - 1].nearest < entry.nearest; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = entry;
    }
    return depth;
}

BRUME_INLINE void compare_leaf_with(PointPacket *packet, unsigned points, const BrumeBvhTriangle *triangles, int count,
                                    double slack)
{
    BrumeDouble4 floats[9];
    load_leaf(triangles, count, floats);
    for (unsigned bits = points; bits != 0; bits &= bits - 1) {
        const int n = __builtin_ctz(bits);
        BrumeDouble4 squared;
        closest_of_four(floats, &packet->points[n], &squared);
        double least = packet->squared[n];
        for (int lane = 0; lane < 4; lane++) {
            least = squared[lane] < least ? squared[lane] : least;
        }
        if (least < packet->squared[n]) {
            packet->squared[n] = least;
            packet->limit[n] = limit_of(least, slack);
        }
    }
}

BRUME_KERNEL
static void search_packet(PointPacket *packet, const BrumeBvh *bvh)
{
    PacketEntry stack[BRUME_WIDE_STACK];
    const double slack = slack_of(bvh->nodes);
    int depth = add_packet_children(stack, 0, packet, &bvh->wide[0]);
    while (depth > 0) {
        const PacketEntry *next = &stack[--depth];
        const unsigned near = find_near_points(packet, &next->squared);
        if (near != 0 && next->count > 0) {
            compare_leaf_with(packet, near, bvh->triangles + next->child, next->count, slack);
        } else if (near != 0) {
            depth = add_packet_children(stack, depth, packet, &bvh->wide[next->child]);
        }
    }
}

// sets the points, the last one again in the lanes beyond `count`, which are not searched
static void set_packet(PointPacket *packet, const BrumeVec3 *points, int count, double squared, float limit)
{
    for (int n = 0; n < BRUME_LANES; n++) {
        packet->points[n] = points[n < count ? n : count - 1];
        packet->squared[n] = squared;
        packet->limit[n] = n < count ? limit : -1.0f;
    }
    for (int axis = 0; axis < 3; axis++) {
        packet->lower[axis] = packet->upper[axis] = brume_component(points[0], axis);
        for (int n = 0; n < BRUME_LANES; n++) {
            packet->at[axis][n] = brume_component(packet->points[n], axis);
            packet->lower[axis] = brume_min_float(packet->at[axis][n], packet->lower[axis]);
            packet->upper[axis] = brume_max_float(packet->at[axis][n], packet->upper[axis]);
        }
    }
}

void brume_mesh_distances(const BrumeMesh *mesh, const BrumeVec3 *points, int count, double most, double *distances)
{
    const double squared = most * most;
    const float limit = limit_of(squared, slack_of(mesh->bvh.nodes));
    for (int first = 0; first < count; first += BRUME_LANES) {
        const int part = brume_min_int(count - first, BRUME_LANES);
        PointPacket packet;
        set_packet(&packet, points + first, part, squared, limit);
        search_packet(&packet, &mesh->bvh);
        for (int n = 0; n < part; n++) {
            distances[first + n] = packet.squared[n] < squared ? sqrt(packet.squared[n]) : most;
        }
    }
}
