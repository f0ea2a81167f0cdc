// The table is computed instead of listed. On each face of a cube, every run of consecutive inside corners is separated
// from the outside corners by a segment between the two edges where the run begins and ends. An ambiguous face (two
// inside corners that are diagonally opposite) gets two segments, one around each corner. The segments depend on the
// face's corners alone, so the two cubes that share the face agree, and the surface has no holes. Each crossed edge
// begins one segment and ends another, so the segments of a cube form loops (3 to 7 edges long), which are filled with
// triangle fans. An inner edge of a fan must not lie in a face: the neighboring cube might have the same edge, and
// four triangles would meet there. Every loop has a start edge for which no inner edge does.
#include "core/isosurface/marching_cubes_table.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { EDGES = 12, FACES = 6, NONE = -1 };

static BrumeCubeCase table[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

// the corners of face 2 a + upper, orthogonal to axis a, counterclockwise seen from outside of the cube
static void corners_of_face(int face, int corners[4])
{
    const int axis = face / 2;
    const int upper = face % 2;
    const int u = 1 << (axis + 1) % 3;
    const int v = 1 << (axis + 2) % 3;
    const int base = upper << axis;
    corners[0] = base;
    corners[1] = base | (upper ? u : v);
    corners[2] = base | u | v;
    corners[3] = base | (upper ? v : u);
}

static int edge_between(int a, int b)
{
    for (int edge = 0; edge < EDGES; edge++) {
        const int lower = brume_cube_edge_corner(edge);
        const int upper = lower | 1 << edge / 4;
        if ((lower == a && upper == b) || (lower == b && upper == a)) {
            return edge;
        }
    }
    assert(false);
    return NONE;
}

// whether two edges belong to one face
static bool share_a_face(int a, int b)
{
    for (int axis = 0; axis < 3; axis++) {
        // an edge that does not run along `axis` lies in the face orthogonal to `axis` that contains its corner
        const bool both_across = a / 4 != axis && b / 4 != axis;
        const int sides = brume_cube_edge_corner(a) ^ brume_cube_edge_corner(b);
        if (both_across && (sides >> axis & 1) == 0) {
            return true;
        }
    }
    return false;
}

// for each crossed edge, the edge at the other end of its segment; loops run counterclockwise seen from outside
static void link_segments(int inside, int next[EDGES])
{
    for (int edge = 0; edge < EDGES; edge++) {
        next[edge] = NONE;
    }
    for (int face = 0; face < FACES; face++) {
        int corners[4];
        corners_of_face(face, corners);
        for (int n = 0; n < 4; n++) {
            const int next_corner = corners[(n + 1) % 4];
            if (!(inside >> corners[n] & 1) || (inside >> next_corner & 1)) {
                continue;
            }
            int first = n; // corner of the run of inside corners that ends at n
            while (inside >> corners[(first + 3) % 4] & 1) {
                first = (first + 3) % 4;
            }
            next[edge_between(corners[(first + 3) % 4], corners[first])] = edge_between(corners[n], next_corner);
        }
    }
}

// fills a loop with a triangle fan whose inner edges lie in no face
static void add_fan(BrumeCubeCase *cube, const int *loop, int length)
{
    for (int start = 0; start < length; start++) {
        bool fits = true;
        for (int n = 2; n < length - 1; n++) {
            fits = fits && !share_a_face(loop[start], loop[(start + n) % length]);
        }
        if (!fits) {
            continue;
        }
        for (int n = 1; n < length - 1; n++) {
            assert(cube->triangle_count < BRUME_CUBE_MAX_TRIANGLES);
            uint8_t *edges = cube->edges + 3 * cube->triangle_count++;
            edges[0] = (uint8_t)loop[start];
            edges[1] = (uint8_t)loop[(start + n) % length];
            edges[2] = (uint8_t)loop[(start + n + 1) % length];
        }
        return;
    }
    assert(false);
}

static void build_table(void)
{
    for (int inside = 0; inside < 256; inside++) {
        int next[EDGES];
        link_segments(inside, next);
        for (int edge = 0; edge < EDGES; edge++) {
            int loop[EDGES];
            int length = 0;
            for (int at = edge; next[at] != NONE;) {
                loop[length++] = at;
                const int following = next[at];
                next[at] = NONE;
                at = following;
            }
            if (length > 0) {
                add_fan(&table[inside], loop, length);
            }
        }
    }
}

const BrumeCubeCase *brume_cube_cases(void)
{
    (void)pthread_once(&once, build_table);
    return table;
}
