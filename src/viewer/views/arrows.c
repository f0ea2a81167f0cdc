// An arrow consists of a four-sided pyramid (head), a four-sided prism (shaft), and a line along the shaft, which stays
// visible where the prism is thinner than a pixel.
#include "core/error.h"
#include "core/vec3.h"
#include "viewer/views/overlay_geometry.h"
#include "viewer/views/velocity_sampling.h"

#include <assert.h>
#include <string.h>

enum { HEAD_VERTICES = 3 * (4 + 2), SHAFT_VERTICES = 3 * 2 * 4, ARROW_VERTICES = HEAD_VERTICES + SHAFT_VERTICES };

// fractions of the arrow's length
static const float HEAD_LENGTH = 0.4f;
static const float HEAD_RADIUS = 0.16f;
static const float SHAFT_RADIUS = 0.04f;

static const float MIN_SPEED = 0.08f; // as a fraction of the scale's end

static BrumeOverlayVertex vertex(BrumeVec3 position, BrumeVec3 normal, const uint8_t color[3])
{
    return (BrumeOverlayVertex){position, normal, {color[0], color[1], color[2], 255}};
}

// computes two unit vectors that form a right-handed orthonormal basis with `direction`
static void orthogonal_axes(BrumeVec3 direction, BrumeVec3 *a, BrumeVec3 *b)
{
    const bool is_steep = fabsf(direction.y) > 0.9f;
    *a =
        brume_normalize(brume_cross(is_steep ? brume_vec3(1.0f, 0.0f, 0.0f) : brume_vec3(0.0f, 1.0f, 0.0f), direction));
    *b = brume_cross(direction, *a);
}

static void write_triangle(BrumeOverlayVertex *out, BrumeVec3 p, BrumeVec3 q, BrumeVec3 r, const uint8_t color[3])
{
    const BrumeVec3 normal = brume_normalize(brume_cross(brume_sub(q, p), brume_sub(r, p)));
    out[0] = vertex(p, normal, color);
    out[1] = vertex(q, normal, color);
    out[2] = vertex(r, normal, color);
}

// computes the corners of a square orthogonal to `direction`, at `radius` from its center
static void square_corners(BrumeVec3 center, float radius, BrumeVec3 direction, BrumeVec3 corners[4])
{
    BrumeVec3 a;
    BrumeVec3 b;
    orthogonal_axes(direction, &a, &b);
    corners[0] = brume_add(center, brume_scale(a, radius));
    corners[1] = brume_add(center, brume_scale(b, radius));
    corners[2] = brume_sub(center, brume_scale(a, radius));
    corners[3] = brume_sub(center, brume_scale(b, radius));
}

static void write_shaft(BrumeOverlayVertex *out, BrumeVec3 tail, BrumeVec3 base, float radius, BrumeVec3 direction,
                        const uint8_t color[3])
{
    BrumeVec3 from[4];
    BrumeVec3 to[4];
    square_corners(tail, radius, direction, from);
    square_corners(base, radius, direction, to);
    for (int n = 0; n < 4; n++) {
        const int next = (n + 1) % 4;
        write_triangle(out + 6 * n, from[n], from[next], to[n], color);
        write_triangle(out + 6 * n + 3, from[next], to[next], to[n], color);
    }
}

static void write_head(BrumeOverlayVertex *out, BrumeVec3 base, BrumeVec3 tip, float radius, BrumeVec3 direction,
                       const uint8_t color[3])
{
    BrumeVec3 corners[4];
    square_corners(base, radius, direction, corners);
    for (int n = 0; n < 4; n++) {
        write_triangle(out + 3 * n, tip, corners[n], corners[(n + 1) % 4], color);
    }
    write_triangle(out + 12, corners[0], corners[3], corners[2], color);
    write_triangle(out + 15, corners[0], corners[2], corners[1], color);
}

// appends an arrow; false without memory
static bool add_arrow(BrumeOverlayGeometry *geometry, BrumeVec3 middle, BrumeVec3 direction, float length,
                      const uint8_t color[3])
{
    BrumeOverlayVertex *line = brume_overlay_geometry_add_lines(geometry, 2);
    BrumeOverlayVertex *head = brume_overlay_geometry_add_triangles(geometry, ARROW_VERTICES);
    if (line == NULL || head == NULL) {
        return false;
    }
    const BrumeVec3 half = brume_scale(direction, 0.5f * length);
    const BrumeVec3 tip = brume_add(middle, half);
    const BrumeVec3 base = brume_sub(tip, brume_scale(direction, HEAD_LENGTH * length));
    const BrumeVec3 tail = brume_sub(middle, half);
    line[0] = vertex(tail, direction, color);
    line[1] = vertex(base, direction, color);
    write_head(head, base, tip, HEAD_RADIUS * length, direction, color);
    write_shaft(head + HEAD_VERTICES, tail, base, SHAFT_RADIUS * length, direction, color);
    return true;
}

BrumeStatus brume_build_arrows(BrumeOverlayGeometry *geometry, const BrumeSnapshotVariant *variant,
                               const BrumeColorScale *speed, int count, BrumeError *error)
{
    assert(count >= 1);
    const BrumeSampleGrid grid = brume_sample_grid(variant, count);
    uint8_t colors[BRUME_COLOR_TABLE_SIZE][3];
    brume_color_scale_table(speed->is_signed, colors);
    const int lines_before = geometry->line_vertices;
    const int triangles_before = geometry->triangle_vertices;
    for (int k = 0; k < grid.nz; k++) {
        for (int j = 0; j < grid.ny; j++) {
            for (int i = 0; i < grid.nx; i++) {
                const BrumeVec3 point = brume_sample_grid_point(&grid, i, j, k);
                const BrumeVec3 velocity = brume_velocity_at(variant, point);
                const float magnitude = brume_length(velocity);
                if (!(magnitude >= MIN_SPEED * speed->upper && magnitude < INFINITY) ||
                    !brume_point_is_in_air(variant, point)) {
                    continue;
                }
                const float position = brume_color_scale_position(speed, magnitude);
                if (!add_arrow(geometry, point, brume_scale(velocity, 1.0f / magnitude), sqrtf(position) * grid.spacing,
                               colors[(int)(position * (BRUME_COLOR_TABLE_SIZE - 1) + 0.5f)])) {
                    geometry->line_vertices = lines_before;
                    geometry->triangle_vertices = triangles_before;
                    return brume_out_of_memory(error, "arrows");
                }
            }
        }
    }
    return BRUME_OK;
}
