// An arrow is a head of four sides and a base, on a shaft of four sides, and a line where those are too thin to be
// seen.
#include "core/error.h"
#include "core/vec3.h"
#include "viewer/views/drawing.h"
#include "viewer/views/flow.h"
#include "viewer/views/lattice.h"

#include <assert.h>
#include <string.h>

enum { HEAD_VERTICES = 3 * (4 + 2), SHAFT_VERTICES = 3 * 2 * 4, ARROW_VERTICES = HEAD_VERTICES + SHAFT_VERTICES };

static const float HEAD_LENGTH = 0.4f;   // of the arrow's
static const float HEAD_RADIUS = 0.16f;  // of the arrow's length
static const float SHAFT_RADIUS = 0.04f; // of the arrow's length
static const float LEAST_SPEED = 0.02f;  // of the scale's end

static BrumeVertex vertex(BrumeVec3 position, BrumeVec3 normal, const uint8_t color[3])
{
    return (BrumeVertex){position, normal, {color[0], color[1], color[2], 255}};
}

// any two unit vectors that are square to a unit vector and to each other, right-handed with it
static void square_to(BrumeVec3 direction, BrumeVec3 *a, BrumeVec3 *b)
{
    const bool steep = fabsf(direction.y) > 0.9f;
    *a = brume_normalize(brume_cross(steep ? brume_vec3(1.0f, 0.0f, 0.0f) : brume_vec3(0.0f, 1.0f, 0.0f), direction));
    *b = brume_cross(direction, *a);
}

static void put_triangle(BrumeVertex *out, BrumeVec3 p, BrumeVec3 q, BrumeVec3 r, const uint8_t color[3])
{
    const BrumeVec3 normal = brume_normalize(brume_cross(brume_sub(q, p), brume_sub(r, p)));
    out[0] = vertex(p, normal, color);
    out[1] = vertex(q, normal, color);
    out[2] = vertex(r, normal, color);
}

// the corners of a square across `direction`
static void square_around(BrumeVec3 center, float radius, BrumeVec3 direction, BrumeVec3 corners[4])
{
    BrumeVec3 a;
    BrumeVec3 b;
    square_to(direction, &a, &b);
    corners[0] = brume_add(center, brume_scale(a, radius));
    corners[1] = brume_add(center, brume_scale(b, radius));
    corners[2] = brume_sub(center, brume_scale(a, radius));
    corners[3] = brume_sub(center, brume_scale(b, radius));
}

static void put_shaft(BrumeVertex *out, BrumeVec3 tail, BrumeVec3 base, float radius, BrumeVec3 direction,
                      const uint8_t color[3])
{
    BrumeVec3 from[4];
    BrumeVec3 to[4];
    square_around(tail, radius, direction, from);
    square_around(base, radius, direction, to);
    for (int n = 0; n < 4; n++) {
        const int next = (n + 1) % 4;
        put_triangle(out + 6 * n, from[n], from[next], to[n], color);
        put_triangle(out + 6 * n + 3, from[next], to[next], to[n], color);
    }
}

static void put_head(BrumeVertex *out, BrumeVec3 base, BrumeVec3 tip, float radius, BrumeVec3 direction,
                     const uint8_t color[3])
{
    BrumeVec3 around[4];
    square_around(base, radius, direction, around);
    for (int n = 0; n < 4; n++) {
        put_triangle(out + 3 * n, tip, around[n], around[(n + 1) % 4], color);
    }
    put_triangle(out + 12, around[0], around[3], around[2], color);
    put_triangle(out + 15, around[0], around[2], around[1], color);
}

// whether there was memory for it
static bool add_arrow(BrumeDrawing *drawing, BrumeVec3 middle, BrumeVec3 direction, float length,
                      const uint8_t color[3])
{
    BrumeVertex *line = brume_drawing_add_lines(drawing, 2);
    BrumeVertex *head = brume_drawing_add_triangles(drawing, ARROW_VERTICES);
    if (line == NULL || head == NULL) {
        return false;
    }
    const BrumeVec3 half = brume_scale(direction, 0.5f * length);
    const BrumeVec3 tip = brume_add(middle, half);
    const BrumeVec3 base = brume_sub(tip, brume_scale(direction, HEAD_LENGTH * length));
    const BrumeVec3 tail = brume_sub(middle, half);
    line[0] = vertex(tail, direction, color);
    line[1] = vertex(base, direction, color);
    put_head(head, base, tip, HEAD_RADIUS * length, direction, color);
    put_shaft(head + HEAD_VERTICES, tail, base, SHAFT_RADIUS * length, direction, color);
    return true;
}

BrumeStatus brume_arrows(BrumeDrawing *drawing, const BrumeSnapshotSide *side, const BrumeScale *speed, int across,
                         BrumeError *error)
{
    assert(across >= 1);
    const BrumeSimDef *def = &side->settings;
    const BrumeLattice lattice = brume_lattice((BrumeGrid){def->nx, def->ny, def->nz}, def->dx, def->origin, across);
    uint8_t colors[BRUME_SCALE_ENTRIES][3];
    brume_scale_table(speed->is_signed, colors);
    const int lines_before = drawing->line_vertices;
    const int triangles_before = drawing->triangle_vertices;
    for (int k = 0; k < lattice.nz; k++) {
        for (int j = 0; j < lattice.ny; j++) {
            for (int i = 0; i < lattice.nx; i++) {
                const BrumeVec3 point = brume_lattice_point(&lattice, i, j, k);
                const BrumeVec3 velocity = brume_flow_at(side, point);
                const float size = brume_length(velocity);
                if (!(size >= LEAST_SPEED * speed->upper && size < INFINITY) || !brume_flow_is_air(side, point)) {
                    continue;
                }
                const float share = brume_scale_share(speed, size);
                if (!add_arrow(drawing, point, brume_scale(velocity, 1.0f / size), share * lattice.spacing,
                               colors[(int)(share * (BRUME_SCALE_ENTRIES - 1) + 0.5f)])) {
                    drawing->line_vertices = lines_before;
                    drawing->triangle_vertices = triangles_before;
                    return brume_out_of_memory(error, "arrows");
                }
            }
        }
    }
    return BRUME_OK;
}
