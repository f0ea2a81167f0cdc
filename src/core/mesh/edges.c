// An edge of a triangle runs from a corner to the next one and has the index of its first corner. Those of all
// triangles are sorted by the two vertices, with two passes of counting.
#include "core/mesh/edges.h"

#include "core/memory.h"
#include "core/mesh/triangle.h"
#include "core/mesh/union_find.h"

static const double CREASE = 0.499; // cosine of the largest angle between smooth triangles, 60 degrees and rounding

static int next_corner(int corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

static int lower_vertex(const int *corners, int edge)
{
    const int a = corners[edge];
    const int b = corners[next_corner(edge)];
    return a < b ? a : b;
}

static int upper_vertex(const int *corners, int edge)
{
    const int a = corners[edge];
    const int b = corners[next_corner(edge)];
    return a > b ? a : b;
}

// sorts edges by one of their vertices, those of the same one in the order that they have; `ends` (vertex_count + 1) is
// scratch
static void sort_by(int (*vertex)(const int *corners, int edge), const BrumeMeshVertices *mesh, const int *from,
                    int *sorted, int *ends)
{
    const int edges = 3 * mesh->triangle_count;
    for (int n = 0; n <= mesh->vertex_count; n++) {
        ends[n] = 0;
    }
    for (int n = 0; n < edges; n++) {
        ends[vertex(mesh->corners, n) + 1]++;
    }
    for (int n = 0; n < mesh->vertex_count; n++) {
        ends[n + 1] += ends[n];
    }
    for (int n = 0; n < edges; n++) {
        const int edge = from ? from[n] : n;
        sorted[ends[vertex(mesh->corners, edge)]++] = edge;
    }
}

static void unit_normal(const BrumeMeshVertices *mesh, int triangle, double normal[3])
{
    const int *v = mesh->corners + 3 * (size_t)triangle;
    brume_triangle_area(&mesh->positions[v[0]], &mesh->positions[v[1]], &mesh->positions[v[2]], normal);
    const double length = sqrt(brume_dot3(normal, normal));
    for (int axis = 0; axis < 3; axis++) {
        normal[axis] /= length;
    }
}

// two edges of opposite directions between the same vertices
static void join_corners(int *smooth, const BrumeMeshVertices *mesh, int edge, int other)
{
    double a[3];
    double b[3];
    unit_normal(mesh, edge / 3, a);
    unit_normal(mesh, other / 3, b);
    if (brume_dot3(a, b) >= CREASE) {
        brume_unite_sets(smooth, edge, next_corner(other));
        brume_unite_sets(smooth, next_corner(edge), other);
    }
}

typedef struct OpenEdges {
    int *sets; // (vertex_count) vertices that open edges connect
    int *odd;  // (vertex_count) whether a vertex has an odd number of open edges
} OpenEdges;

// counts the edges; sorted edges between the same vertices are adjacent
static void count_edges(BrumeMeshInfo *info, const BrumeMeshVertices *mesh, const int *sorted, int *smooth,
                        OpenEdges *open)
{
    const int *corners = mesh->corners;
    const int edges = 3 * mesh->triangle_count;
    for (int n = 0, count; n < edges; n += count) {
        const int lower = lower_vertex(corners, sorted[n]);
        const int upper = upper_vertex(corners, sorted[n]);
        for (count = 1; n + count < edges && lower_vertex(corners, sorted[n + count]) == lower &&
                        upper_vertex(corners, sorted[n + count]) == upper;) {
            count++;
        }
        if (count == 1) {
            info->open_edges++;
            brume_unite_sets(open->sets, lower, upper);
            open->odd[lower] ^= 1;
            open->odd[upper] ^= 1;
        } else if (count > 2) {
            info->shared_edges++;
        } else if (corners[sorted[n]] == corners[sorted[n + 1]]) {
            info->turned_edges++;
        } else if (smooth) {
            join_corners(smooth, mesh, sorted[n], sorted[n + 1]);
        }
    }
}

// sets of more than one vertex, none of which has an odd number of open edges; `marks` (vertex_count) is scratch
static int count_holes(OpenEdges *open, int *marks, int vertex_count)
{
    enum { CHAIN = 1, ENDS = 2 };
    for (int n = 0; n < vertex_count; n++) {
        marks[n] = 0;
    }
    for (int n = 0; n < vertex_count; n++) {
        const int root = brume_find_set(open->sets, n);
        marks[root] |= (root != n ? CHAIN : 0) | (open->odd[n] ? ENDS : 0);
    }
    int holes = 0;
    for (int n = 0; n < vertex_count; n++) {
        holes += marks[n] == CHAIN;
    }
    return holes;
}

// `sets` (vertex_count) becomes the lowest vertex of each part
static int find_parts(const BrumeMeshVertices *mesh, int *sets)
{
    brume_make_sets(sets, mesh->vertex_count);
    for (int n = 0; n < mesh->triangle_count; n++) {
        const int *v = mesh->corners + 3 * (size_t)n;
        brume_unite_sets(sets, v[0], v[1]);
        brume_unite_sets(sets, v[0], v[2]);
    }
    int parts = 0;
    for (int n = 0; n < mesh->vertex_count; n++) {
        parts += sets[n] == n;
        sets[n] = brume_find_set(sets, n);
    }
    return parts;
}

bool brume_mesh_find_edges(BrumeMeshInfo *info, const BrumeMeshVertices *mesh, int *parts, int *smooth)
{
    const size_t edges = 3 * (size_t)mesh->triangle_count;
    const size_t vertices = (size_t)mesh->vertex_count;
    int *sorted = brume_alloc_untouched(edges, sizeof *sorted);
    int *by_upper = brume_alloc_untouched(edges, sizeof *by_upper);
    int *scratch = brume_alloc_untouched(vertices + 1, sizeof *scratch);
    OpenEdges open = {brume_alloc_untouched(vertices, sizeof *open.sets), brume_alloc(vertices, sizeof *open.odd)};
    const bool done = sorted && by_upper && scratch && open.sets && open.odd;
    if (done) {
        if (smooth) {
            brume_make_sets(smooth, (int)edges);
        }
        sort_by(upper_vertex, mesh, NULL, by_upper, scratch);
        sort_by(lower_vertex, mesh, by_upper, sorted, scratch);
        brume_make_sets(open.sets, mesh->vertex_count);
        count_edges(info, mesh, sorted, smooth, &open);
        info->holes = count_holes(&open, scratch, mesh->vertex_count);
        info->parts = find_parts(mesh, parts);
        info->closed = info->open_edges == 0 && info->shared_edges == 0 && info->turned_edges == 0;
    }
    brume_free(sorted);
    brume_free(by_upper);
    brume_free(scratch);
    brume_free(open.sets);
    brume_free(open.odd);
    return done;
}
