#include "exchange/mesh/polygon.h"

#include <math.h>

// twice the signed area of the triangle a, b, c: above 0 where it is counterclockwise
static double area(const BrumePolygonCorner *a, const BrumePolygonCorner *b, const BrumePolygonCorner *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static bool is_same_position(const BrumePolygonCorner *a, const BrumePolygonCorner *b)
{
    return a->x == b->x && a->y == b->y;
}

// twice the area of the polygon along each axis (Newell's method)
static void find_normal(const BrumeVec3 *positions, const unsigned *corners, int count, double normal[3])
{
    const BrumeVec3 o = positions[corners[0]];
    normal[0] = normal[1] = normal[2] = 0.0;
    for (int n = 1; n + 1 < count; n++) {
        const BrumeVec3 p = positions[corners[n]];
        const BrumeVec3 q = positions[corners[n + 1]];
        const double a[3] = {(double)p.x - (double)o.x, (double)p.y - (double)o.y, (double)p.z - (double)o.z};
        const double b[3] = {(double)q.x - (double)o.x, (double)q.y - (double)o.y, (double)q.z - (double)o.z};
        normal[0] += a[1] * b[2] - a[2] * b[1];
        normal[1] += a[2] * b[0] - a[0] * b[2];
        normal[2] += a[0] * b[1] - a[1] * b[0];
    }
}

// projects the polygon so that it is counterclockwise
static void project(const BrumeVec3 *positions, const unsigned *corners, int count, BrumePolygonCorner *polygon)
{
    double normal[3];
    find_normal(positions, corners, count, normal);
    int axis = 2;
    for (int n = 1; n >= 0; n--) {
        axis = fabs(normal[n]) > fabs(normal[axis]) ? n : axis;
    }
    const bool swapped = normal[axis] < 0.0;
    for (int n = 0; n < count; n++) {
        const BrumeVec3 p = positions[corners[n]];
        const double a = (double)(axis == 0 ? p.y : axis == 1 ? p.z : p.x);
        const double b = (double)(axis == 0 ? p.z : axis == 1 ? p.x : p.y);
        polygon[n].x = swapped ? b : a;
        polygon[n].y = swapped ? a : b;
        polygon[n].previous = n > 0 ? n - 1 : count - 1;
        polygon[n].next = n + 1 < count ? n + 1 : 0;
    }
}

static bool is_reflex(const BrumePolygonCorner *polygon, int n)
{
    const BrumePolygonCorner *corner = &polygon[n];
    return !(area(&polygon[corner->previous], corner, &polygon[corner->next]) > 0.0);
}

// Whether the corner p is in the way of cutting the triangle a, b, c at b: inside it or on its edges. A corner at the
// position of a or c is not. One at that of b is where one of its edges runs into the triangle.
static bool blocks(const BrumePolygonCorner *polygon, const BrumePolygonCorner *p, const BrumePolygonCorner *a,
                   const BrumePolygonCorner *b, const BrumePolygonCorner *c)
{
    if (is_same_position(p, a) || is_same_position(p, c)) {
        return false;
    }
    if (is_same_position(p, b)) {
        const BrumePolygonCorner *const beside[2] = {&polygon[p->previous], &polygon[p->next]};
        return (area(a, b, beside[0]) > 0.0 && area(b, c, beside[0]) > 0.0) ||
               (area(a, b, beside[1]) > 0.0 && area(b, c, beside[1]) > 0.0);
    }
    return area(a, b, p) >= 0.0 && area(b, c, p) >= 0.0 && area(c, a, p) >= 0.0;
}

static bool is_ear(const BrumePolygonCorner *polygon, int n, int reflex_count)
{
    const BrumePolygonCorner *b = &polygon[n];
    const BrumePolygonCorner *a = &polygon[b->previous];
    const BrumePolygonCorner *c = &polygon[b->next];
    if (b->reflex) {
        return false;
    }
    for (int other = c->next; other != b->previous && reflex_count > 0; other = polygon[other].next) {
        if (polygon[other].reflex && blocks(polygon, &polygon[other], a, b, c)) {
            return false;
        }
    }
    return true;
}

void brume_cut_polygon(const BrumeVec3 *positions, const unsigned *corners, int count, BrumePolygonCorner *scratch,
                       int *triangles)
{
    BrumePolygonCorner *const polygon = scratch;
    int reflex_count = 0;
    project(positions, corners, count, polygon);
    for (int n = 0; n < count; n++) {
        polygon[n].reflex = is_reflex(polygon, n);
        reflex_count += polygon[n].reflex;
    }
    int at = 1;
    int failures = 0; // corners that are no ears since the last one was cut
    for (int left = count; left >= 3;) {
        // one without ears intersects itself or has no area: the next corner is cut
        const bool forced = failures >= left;
        if (left > 3 && !forced && !is_ear(polygon, at, reflex_count)) {
            at = polygon[at].next;
            failures++;
            continue;
        }
        const int previous = polygon[at].previous;
        const int next = polygon[at].next;
        *triangles++ = (int)corners[previous];
        *triangles++ = (int)corners[at];
        *triangles++ = (int)corners[next];
        polygon[previous].next = next;
        polygon[next].previous = previous;
        reflex_count -= polygon[at].reflex + polygon[previous].reflex + polygon[next].reflex;
        polygon[previous].reflex = is_reflex(polygon, previous);
        polygon[next].reflex = is_reflex(polygon, next);
        reflex_count += polygon[previous].reflex + polygon[next].reflex;
        at = polygon[next].next; // not beside the last one, whose triangles become thin
        failures = 0;
        left--;
    }
}
