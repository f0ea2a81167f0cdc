// Coordinates of textures on each shape, and the albedo that a texture gives.
#include "core/texture.h"
#include "core/vec3.h"
#include "raymarch/surface_albedo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static const double PI = 3.14159265358979323846;

static void expect_uv(const BrumeShape *shape, double x, double y, double z, double u, double v)
{
    float uv[2];
    const BrumeMeshPlace place = {0};
    brume_shape_uv(shape, brume_vec3((float)x, (float)y, (float)z), &place, uv);
    if (!(fabs((double)uv[0] - u) < 2e-6) || !(fabs((double)uv[1] - v) < 2e-6)) {
        fail_msg("shape %d at (%g, %g, %g): %.7g, %.7g instead of %.7g, %.7g", (int)shape->kind, x, y, z, (double)uv[0],
                 (double)uv[1], u, v);
    }
}

static void test_sphere(void **state)
{
    (void)state;
    BrumeShape sphere = {.kind = BRUME_SHAPE_SPHERE, .a = {1.0f, 2.0f, 3.0f}, .radius = 2.0f};
    expect_uv(&sphere, 1.0, 2.0, 5.0, 0.5, 0.5);   // in front: the middle
    expect_uv(&sphere, 3.0, 2.0, 3.0, 0.75, 0.5);  // on the right
    expect_uv(&sphere, -1.0, 2.0, 3.0, 0.25, 0.5); // on the left
    expect_uv(&sphere, 1.0 + 2.0 * cos(0.7) * sin(1.1), 2.0 + 2.0 * sin(0.7), 3.0 + 2.0 * cos(0.7) * cos(1.1),
              0.5 + 1.1 / (2.0 * PI), 0.5 + 0.7 / PI);
    float uv[2];
    brume_shape_uv(&sphere, brume_vec3(1.0f, 4.0f, 3.0f), NULL, uv);
    assert_true(fabsf(uv[1] - 1.0f) < 1e-6f);
    // it turns, and moves, with the shape: a quarter about y takes the front to the right
    sphere.rotation = brume_vec3(0.0f, 90.0f, 0.0f);
    sphere.position = brume_vec3(0.5f, 0.0f, 0.0f);
    expect_uv(&sphere, 3.5, 2.0, 3.0, 0.5, 0.5);
    expect_uv(&sphere, 1.5, 2.0, 1.0, 0.75, 0.5);
    sphere.scale = brume_vec3(1.0f, 3.0f, 1.0f);
    expect_uv(&sphere, 1.5 + 2.0 * cos(0.7), 2.0 + 6.0 * sin(0.7), 3.0, 0.5, 0.5 + 0.7 / PI);
}

static void test_axes(void **state)
{
    (void)state;
    const double angle = 0.8;
    BrumeShape shape = {.kind = BRUME_SHAPE_CYLINDER, .a = {1.0f, 0.0f, 0.0f}, .b = {1.0f, 4.0f, 0.0f}, .radius = 0.5f};
    expect_uv(&shape, 1.0 + 0.5 * sin(angle), 3.0, 0.5 * cos(angle), 0.5 + angle / (2.0 * PI), 0.75);
    expect_uv(&shape, 1.1, 4.0, 0.2, 0.5 + 0.1, 0.5 - 0.2); // the upper end, seen from above
    expect_uv(&shape, 1.1, 0.0, 0.2, 0.5 + 0.1, 0.5 + 0.2); // the lower end, seen from below
    shape.kind = BRUME_SHAPE_CAPSULE;
    expect_uv(&shape, 1.0 + 0.5 * sin(angle), 3.0, 0.5 * cos(angle), 0.5 + angle / (2.0 * PI), 3.5 / 5.0);
    expect_uv(&shape, 1.3, 4.4, 0.0, 0.75, 4.9 / 5.0);
    expect_uv(&shape, 1.3, -0.4, 0.0, 0.75, 0.1 / 5.0);
    shape.kind = BRUME_SHAPE_CONE;
    shape.second_radius = 0.1f;
    expect_uv(&shape, 1.0 + 0.2 * sin(angle), 3.0, 0.2 * cos(angle), 0.5 + angle / (2.0 * PI), 0.75);
    expect_uv(&shape, 1.05, 4.0, 0.02, 0.5 + 0.25, 0.5 - 0.1);
    // an axis along z: its x is the right, its -y the front; one along x: its front is z, its right -y
    BrumeShape other = {.kind = BRUME_SHAPE_CYLINDER, .b = {0.0f, 0.0f, 2.0f}, .radius = 1.0f};
    expect_uv(&other, sin(angle), -cos(angle), 0.5, 0.5 + angle / (2.0 * PI), 0.25);
    other.b = brume_vec3(2.0f, 0.0f, 0.0f);
    expect_uv(&other, 0.5, -sin(angle), cos(angle), 0.5 + angle / (2.0 * PI), 0.25);
    // downwards: the front stays
    other.b = brume_vec3(0.0f, -2.0f, 0.0f);
    expect_uv(&other, -sin(angle), -0.5, cos(angle), 0.5 + angle / (2.0 * PI), 0.25);
}

static void test_torus_box_plane(void **state)
{
    (void)state;
    const BrumeShape torus = {
        .kind = BRUME_SHAPE_TORUS, .a = {0.0f, 1.0f, 0.0f}, .radius = 2.0f, .second_radius = 0.5f};
    const double level = 2.0 + 0.5 * cos(1.2);
    expect_uv(&torus, level * sin(0.4), 1.0 + 0.5 * sin(1.2), level * cos(0.4), 0.5 + 0.4 / (2.0 * PI),
              0.5 + 1.2 / (2.0 * PI));
    const BrumeShape box = {.kind = BRUME_SHAPE_BOX, .a = {0.0f, 0.0f, 0.0f}, .b = {1.0f, 2.0f, 4.0f}};
    expect_uv(&box, 0.25, 0.5, 4.0, 0.25, 0.25); // front
    expect_uv(&box, 0.25, 0.5, 0.0, 0.75, 0.25); // back
    expect_uv(&box, 1.0, 0.5, 1.0, 0.75, 0.25);  // right
    expect_uv(&box, 0.0, 0.5, 1.0, 0.25, 0.25);  // left
    expect_uv(&box, 0.25, 2.0, 1.0, 0.25, 0.75); // top
    expect_uv(&box, 0.25, 0.0, 1.0, 0.25, 0.25); // bottom
    const BrumeShape plane = {.kind = BRUME_SHAPE_PLANE, .a = {0.5f, 0.0f, 0.0f}};
    expect_uv(&plane, 2.75, 0.0, -1.5, 2.25, 1.5);
}

static BrumeMesh *triangle(const float *uvs)
{
    const BrumeVec3 positions[] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    const int corners[] = {0, 1, 2};
    const BrumeVec3 colors[] = {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}};
    const BrumeMeshDef def = {.vertex_count = 3,
                              .positions = positions,
                              .triangle_count = 1,
                              .corners = corners,
                              .uvs = uvs,
                              .colors = colors};
    BrumeMesh *mesh = NULL;
    assert_int_equal(brume_mesh_create(&mesh, &def, NULL), BRUME_OK);
    return mesh;
}

// a texture takes the place of the color of a mesh, and is seen where a moving shape is at a time
static void test_albedo(void **state)
{
    (void)state;
    const float uvs[] = {0.0f, 0.0f, 2.0f, 0.0f, 0.0f, 4.0f};
    BrumeMesh *mesh = triangle(uvs);
    const BrumeMeshPlace place = {.share = {0.25, 0.5, 0.25}};
    const BrumeShape shape = {.kind = BRUME_SHAPE_MESH, .mesh = mesh};
    float uv[2];
    brume_shape_uv(&shape, brume_vec3(0.5f, 0.25f, 0.0f), &place, uv);
    assert_true(uv[0] == 1.0f && uv[1] == 1.0f);

    const BrumeTextureDef def = {.width = 2, .height = 1, .frames = 1};
    BrumeTexture *texture = NULL;
    assert_int_equal(brume_texture_create(&texture, &def, NULL), BRUME_OK);
    const float rgb[] = {1.0f, 0.0f, 0.5f, 0.5f, 1.0f, 0.5f};
    brume_texture_fill(texture, 0, rgb);
    const BrumeVec3 up = {0.0f, 1.0f, 0.0f};
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.surface_count = 2;
    settings.surfaces[0] = (BrumeSurface){.shape = shape, .albedo = {0.5f, 1.0f, 0.5f}};
    settings.surfaces[1] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_PLANE}, .albedo = {1.0f, 0.5f, 1.0f}, .texture = texture};
    settings.surface_velocities[1] = brume_vec3(2.0f, 0.0f, 0.0f);
    BrumeVec3 albedo = brume_solid_albedo(&settings, 0, up, up, 0.0f, &place);
    assert_true(albedo.x == 0.25f && albedo.y == 0.5f && albedo.z == 0.25f); // the color of the mesh
    settings.surfaces[0].texture = texture;
    albedo = brume_solid_albedo(&settings, 0, up, up, 0.0f, &place);
    assert_true(albedo.x == 0.375f && albedo.y == 0.5f && albedo.z == 0.25f); // between both texels
    albedo = brume_solid_albedo(&settings, 1, brume_vec3(0.25f, 0.0f, 0.0f), up, 0.0f, &place);
    assert_true(albedo.x == 1.0f && albedo.y == 0.0f && albedo.z == 0.5f);
    albedo = brume_solid_albedo(&settings, 1, brume_vec3(0.25f, 0.0f, 0.0f), up, 0.25f, &place); // 0.5 m farther on
    assert_true(albedo.x == 0.5f && albedo.y == 0.5f && albedo.z == 0.5f);
    brume_texture_release(texture);
    brume_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_torus_box_plane),
        cmocka_unit_test(test_albedo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
