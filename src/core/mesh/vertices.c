// Vertices are welded by a hash table with open addressing. The first of several vertices at one position represents
// them, so that the numbers do not depend on the hash.
#include "core/mesh/vertices.h"

#include "core/memory.h"
#include "core/mesh/triangle.h"
#include "core/random.h"
#include "core/vec3.h"

#include <string.h>

enum { EMPTY = -1 };

static BrumeVec3 without_negative_zeros(BrumeVec3 a) { return brume_vec3(a.x + 0.0f, a.y + 0.0f, a.z + 0.0f); }

static uint32_t hash_position(const BrumeVec3 *position)
{
    uint32_t bits[3];
    memcpy(bits, position, sizeof bits);
    return brume_hash3(bits[0], bits[1], bits[2]);
}

static void fill(int *array, size_t count, int value)
{
    for (size_t n = 0; n < count; n++) {
        array[n] = value;
    }
}

// sets the vertex that represents each vertex, the first at its position; false without memory
static bool find_representatives(int *representatives, const BrumeMeshDef *def)
{
    size_t size = 1; // of the table, at most half full
    while (size < 2 * (size_t)def->vertex_count) {
        size *= 2;
    }
    int *table = brume_alloc_untouched(size, sizeof *table);
    if (!table) {
        return false;
    }
    fill(table, size, EMPTY);
    for (int n = 0; n < def->vertex_count; n++) {
        const BrumeVec3 position = without_negative_zeros(def->positions[n]);
        size_t slot = hash_position(&position) & (size - 1);
        while (table[slot] != EMPTY) {
            const BrumeVec3 other = without_negative_zeros(def->positions[table[slot]]);
            if (memcmp(&position, &other, sizeof position) == 0) {
                break;
            }
            slot = (slot + 1) & (size - 1);
        }
        table[slot] = table[slot] == EMPTY ? n : table[slot];
        representatives[n] = table[slot];
    }
    brume_free(table);
    return true;
}

static bool is_degenerate(const int v[3], const BrumeVec3 *positions)
{
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
        return true;
    }
    double area[3];
    brume_triangle_area(&positions[v[0]], &positions[v[1]], &positions[v[2]], area);
    return area[0] == 0.0 && area[1] == 0.0 && area[2] == 0.0;
}

// `numbers` (vertex_count) is scratch
static void collect_triangles(BrumeMeshVertices *welded, const BrumeMeshDef *def, const int *representatives,
                              int *numbers)
{
    fill(numbers, (size_t)def->vertex_count, EMPTY);
    for (int n = 0; n < def->triangle_count; n++) {
        const int *of_def = def->corners + 3 * (size_t)n;
        const int v[3] = {representatives[of_def[0]], representatives[of_def[1]], representatives[of_def[2]]};
        if (is_degenerate(v, def->positions)) {
            continue;
        }
        for (int corner = 0; corner < 3; corner++) {
            int *number = &numbers[v[corner]];
            if (*number == EMPTY) {
                welded->positions[welded->vertex_count] = without_negative_zeros(def->positions[v[corner]]);
                welded->of_def[welded->vertex_count] = v[corner];
                *number = welded->vertex_count++;
            }
            welded->corners[3 * (size_t)welded->triangle_count + (size_t)corner] = *number;
        }
        welded->origins[welded->triangle_count++] = n;
    }
}

bool brume_mesh_weld(BrumeMeshVertices *welded, const BrumeMeshDef *def)
{
    const size_t vertices = (size_t)def->vertex_count;
    *welded = (BrumeMeshVertices){
        .positions = brume_alloc_untouched(vertices, sizeof *welded->positions),
        .corners = brume_alloc_untouched((size_t)def->triangle_count, 3 * sizeof *welded->corners),
        .origins = brume_alloc_untouched((size_t)def->triangle_count, sizeof *welded->origins),
        .of_def = brume_alloc_untouched(vertices, sizeof *welded->of_def),
    };
    int *representatives = brume_alloc_untouched(vertices, sizeof *representatives);
    int *numbers = brume_alloc_untouched(vertices, sizeof *numbers);
    bool done = welded->positions && welded->corners && welded->origins && welded->of_def && representatives &&
                numbers && find_representatives(representatives, def);
    if (done) {
        collect_triangles(welded, def, representatives, numbers);
        BrumeVec3 *used =
            brume_realloc(welded->positions, vertices * sizeof *used, (size_t)welded->vertex_count * sizeof *used);
        welded->positions = used ? used : welded->positions;
        done = used;
    }
    brume_free(representatives);
    brume_free(numbers);
    return done;
}

void brume_mesh_vertices_free(BrumeMeshVertices *welded)
{
    brume_free(welded->positions);
    brume_free(welded->corners);
    brume_free(welded->origins);
    brume_free(welded->of_def);
    *welded = (BrumeMeshVertices){0};
}

void *brume_mesh_copy_array(const void *array, size_t count, size_t size)
{
    void *copy = brume_alloc_untouched(count, size);
    if (copy) {
        memcpy(copy, array, count * size);
    }
    return copy;
}
