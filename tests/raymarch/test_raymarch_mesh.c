// Meshes as surfaces of the renderers: an icosphere against the sphere, its base color, and bits.
#include "brume/image.h"
#include "brume/threads.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/intersect.h"
#include "raymarch/surface_albedo.h"
#include "raymarch_ball.h"
#include "test_mesh.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 32, WIDTH = 128, HEIGHT = 96, BYTES = 3 * WIDTH * HEIGHT };

static float density[SIDE * SIDE * SIDE];
static float radiance[BYTES];

// a box of 1 m with a ball of smoke
static BrumeVolume cloud(void)
{
    set_ball(density, SIDE, 0.25f);
    return brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(-0.5f, -0.5f, -0.5f));
}

static const BrumeVec3 center = {0.1f, -0.2f, 0.3f};
static const float radius = 0.22f;

static BrumeMesh *sphere_mesh(int subdivisions)
{
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, subdivisions, brume_vec3(0.0f, 0.0f, 0.0f), radius);
    return test_mesh_create(&triangles);
}

static BrumeRenderSettings settings_with(BrumeShape shape)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.surface_count = 1;
    settings.ground_height = -0.5f;
    settings.surfaces[0] = (BrumeSurface){.shape = shape, {0.8f, 0.4f, 0.2f}};
    return settings;
}

static BrumeRenderSettings with_mesh(const BrumeMesh *mesh)
{
    return settings_with((BrumeShape){.kind = BRUME_SHAPE_MESH, .a = center, .mesh = mesh});
}

static BrumeRenderSettings with_sphere(void)
{
    return settings_with((BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = center, .radius = radius});
}

// the picture, by path tracing with `paths` above 0
static void draw(const BrumeRenderSettings *settings, int paths, uint8_t *rgb)
{
    const BrumeVolume volume = cloud();
    const BrumeCamera camera = {.position = {0.3f, 0.4f, 2.2f}, .target = {0.0f, -0.1f, 0.0f}, .field_of_view = 40.0f};
    BrumeRenderer *renderer = create_lit(&volume, settings);
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = paths > 0 ? paths : 4, .seed = 1};
    if (paths > 0) {
        BrumeTraceDef trace = brume_default_trace_def();
        trace.bounces = 3;
        BrumeTraceResult result;
        assert_int_equal(brume_renderer_trace(renderer, &camera, &def, &trace, radiance, &result, NULL), BRUME_OK);
    } else {
        assert_int_equal(brume_renderer_draw(renderer, &camera, &def, radiance, NULL), BRUME_OK);
    }
    brume_tone_map(settings, WIDTH, HEIGHT, radiance, rgb);
    brume_renderer_destroy(renderer);
    if (getenv("BRUME_MESH_PICTURES")) {
        static int number;
        char path[512];
        (void)snprintf(path, sizeof path, "%s/mesh-%d.png", getenv("BRUME_MESH_PICTURES"), number++);
        assert_int_equal(brume_image_write(path, WIDTH, HEIGHT, rgb, NULL), BRUME_OK);
    }
}

static double psnr(const uint8_t *a, const uint8_t *b)
{
    double sum = 1e-9;
    for (int n = 0; n < BYTES; n++) {
        const double difference = (double)a[n] - (double)b[n];
        sum += difference * difference;
    }
    return 10.0 * log10(255.0 * 255.0 * BYTES / sum);
}

static uint8_t of_sphere[BYTES];
static uint8_t of_mesh[BYTES];

static void test_pictures_of_a_sphere(void **state)
{
    (void)state;
    const BrumeRenderSettings sphere = with_sphere();
    BrumeMesh *mesh = sphere_mesh(5);
    const BrumeRenderSettings other = with_mesh(mesh);
    for (int paths = 0; paths <= 4; paths += 4) {
        draw(&sphere, paths, of_sphere);
        draw(&other, paths, of_mesh);
        const double apart = psnr(of_sphere, of_mesh);
        print_message("%s: %.1f dB\n", paths > 0 ? "path tracing" : "ray marching", apart);
        assert_true(apart > (paths > 0 ? 30.0 : 40.0));
    }
    // another number of threads draws the same pixels
    brume_set_threads(3);
    static uint8_t again[BYTES];
    draw(&other, 4, again);
    assert_memory_equal(again, of_mesh, sizeof again);
    draw(&other, 0, of_mesh);
    brume_set_threads(1);
    draw(&other, 0, again);
    assert_memory_equal(again, of_mesh, sizeof again);
    brume_mesh_release(mesh);
}

/** Intervals, normals and occlusion on rays are those of the sphere, from outside and from inside. */
static void test_rays_of_a_sphere(void **state)
{
    (void)state;
    BrumeMesh *mesh = sphere_mesh(5);
    const BrumeRenderSettings sphere = with_sphere();
    const BrumeRenderSettings other = with_mesh(mesh);
    int hits = 0;
    for (uint32_t n = 0; n < 4000; n++) {
        const BrumeVec3 lower = {-0.5f, -0.5f, -0.5f};
        const BrumeVec3 upper = {0.5f, 0.5f, 0.5f};
        const BrumeVec3 from = test_mesh_point(n, 1, lower, upper);
        const BrumeVec3 to = test_mesh_point(n, 2, lower, upper);
        const BrumeRay ray = {from, brume_normalize(brume_sub(to, from))};
        const float closest = brume_length(brume_cross(brume_sub(center, from), ray.direction));
        const float depth = brume_length(brume_sub(center, from)) - radius;
        if (fabsf(closest - radius) < 0.02f * radius || fabsf(depth) < 0.01f * radius) {
            continue; // near the silhouette, and near the surface
        }
        const float exact = brume_intersect_solids(&sphere, &ray, 0.0f).distance;
        const BrumeSurfaceHit hit = brume_intersect_solids(&other, &ray, 0.0f);
        const float distance = hit.distance;
        assert_true((exact < INFINITY) == (distance < INFINITY));
        const float limit = 0.2f;
        if (!(fabsf(exact - limit) < 0.01f)) {
            assert_true(brume_ray_occluded(&sphere, &ray, limit, 0.0f) ==
                        brume_ray_occluded(&other, &ray, limit, 0.0f));
        }
        if (exact < INFINITY) {
            assert_near("distance", (double)distance, (double)exact, 2e-3);
            const BrumeVec3 point = brume_ray_at(&ray, distance);
            const BrumeVec3 apart = brume_sub(brume_shape_normal(&other.surfaces[0].shape, point, &hit.place),
                                              brume_shape_normal(&sphere.surfaces[0].shape, point, NULL));
            assert_below("difference of normals", (double)brume_length(apart), 0.01);
            const BrumeRayInterval a = brume_ray_shape(&ray, &sphere.surfaces[0].shape, -INFINITY);
            const BrumeRayInterval b = brume_ray_shape(&ray, &other.surfaces[0].shape, -INFINITY);
            assert_near("entry", (double)b.enter, (double)a.enter, 2e-3);
            assert_near("exit", (double)b.leave, (double)a.leave, 2e-3);
            hits++;
        }
    }
    assert_in_range(hits, 500, 3500);
    brume_mesh_release(mesh);
}

/** An open mesh is seen from both sides and casts shadows; base colors are interpolated and multiply the albedo. */
static void test_open_mesh(void **state)
{
    (void)state;
    const BrumeVec3 positions[3] = {{-1.0f, 0.0f, -1.0f}, {-1.0f, 0.0f, 1.0f}, {1.0f, 0.0f, -1.0f}};
    const BrumeVec3 colors[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    const int corners[3] = {0, 1, 2};
    const BrumeMeshDef def = {
        .vertex_count = 3, .positions = positions, .triangle_count = 1, .corners = corners, .colors = colors};
    BrumeMesh *mesh;
    assert_int_equal(brume_mesh_create(&mesh, &def, NULL), BRUME_OK);
    const BrumeRenderSettings settings =
        settings_with((BrumeShape){.kind = BRUME_SHAPE_MESH, .a = {0.0f, 0.25f, 0.0f}, .mesh = mesh});
    BrumeSurfaceHit hit;
    for (int side = 0; side < 2; side++) {
        const float sign = side == 0 ? 1.0f : -1.0f;
        const BrumeRay ray = {{-0.5f, 0.25f + sign, -0.5f}, {0.0f, -sign, 0.0f}};
        hit = brume_intersect_solids(&settings, &ray, 0.0f);
        assert_true(hit.distance == 1.0f && hit.surface == 0);
        assert_true(brume_ray_occluded(&settings, &ray, 1.5f, 0.0f));
        assert_false(brume_ray_occluded(&settings, &ray, 0.5f, 0.0f));
    }
    const BrumeVec3 point = {-0.5f, 0.25f, -0.5f};
    assert_true(brume_shape_normal(&settings.surfaces[0].shape, point, &hit.place).y == 1.0f);
    const BrumeVec3 albedo = brume_solid_albedo(&settings, 0, point, point, 0.0f, &hit.place);
    assert_near("red", (double)albedo.x, 0.8 * 0.5, 1e-6);
    assert_near("green", (double)albedo.y, 0.4 * 0.25, 1e-6);
    assert_near("blue", (double)albedo.z, 0.2 * 0.25, 1e-6);
    brume_mesh_release(mesh);
}

// a placed mesh of a box is hit as the placed box, and a placed disc is a wall on every ray through it
static void test_placed(void **state)
{
    (void)state;
    enum { RAYS = 2000 };
    const BrumeVec3 half = {0.2f, 0.15f, 0.1f};
    TestMesh triangles = {0};
    test_mesh_add_box(&triangles, brume_scale(half, -1.0f), half);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    triangles = (TestMesh){0};
    test_mesh_add_disc(&triangles, 16, 0.3f);
    BrumeMesh *disc = test_mesh_create(&triangles);
    const BrumeShape frame = {
        .position = {0.1f, -0.2f, 0.3f}, .rotation = {20.0f, 35.0f, -10.0f}, .scale = {1.7f, 0.8f, 0.9f}};
    BrumeShape shapes[3] = {frame, frame, frame};
    shapes[0].kind = shapes[2].kind = BRUME_SHAPE_MESH;
    shapes[0].mesh = mesh;
    shapes[1].kind = BRUME_SHAPE_BOX;
    shapes[1].a = brume_scale(half, -1.0f);
    shapes[1].b = half;
    shapes[2].mesh = disc;
    const BrumeVec3 lower = {-1.0f, -1.0f, -1.0f};
    const BrumeVec3 upper = {1.0f, 1.0f, 1.0f};
    int hits = 0;
    for (uint32_t n = 0; n < (uint32_t)RAYS; n++) {
        const BrumeVec3 from = brume_scale(brume_normalize(test_mesh_point(n, 1, lower, upper)), 3.0f);
        const BrumeVec3 to = brume_add(frame.position, brume_scale(test_mesh_point(n, 2, lower, upper), 0.2f));
        const BrumeRay ray = {from, brume_normalize(brume_sub(to, from))};
        const BrumeRayInterval through_mesh = brume_ray_shape(&ray, &shapes[0], 0.0f);
        const BrumeRayInterval of_box = brume_ray_shape(&ray, &shapes[1], 0.0f);
        const float length = of_box.leave - of_box.enter;
        if (length > 1e-3f) {
            hits++;
            assert_true(fabsf(through_mesh.enter - of_box.enter) < 1e-5f &&
                        fabsf(through_mesh.leave - of_box.leave) < 1e-5f);
        } else if (length < -1e-3f) {
            assert_true(!(through_mesh.enter < through_mesh.leave));
        }
        const BrumeVec3 point = brume_ray_at(&ray, of_box.enter);
        const BrumeVec3 inside = brume_ray_at(&ray, of_box.enter + 1e-2f);
        if (length > 1e-3f && brume_shape_distance(&shapes[1], inside) < -2e-3f) { // not at an edge
            BrumeMeshCrossing crossings[BRUME_MESH_CROSSINGS];
            int count;
            brume_ray_mesh_crossings(&ray, 1, &shapes[0], 0.0f, INFINITY, &crossings, &count);
            assert_int_equal(count, 2);
            assert_true(crossings[0].distance == through_mesh.enter && !crossings[0].leaves && crossings[1].leaves);
            assert_true(crossings[1].distance == through_mesh.leave);
            assert_true(brume_ray_entry(&ray, &shapes[0]) == through_mesh.enter);
            const BrumeVec3 difference = brume_sub(brume_shape_normal(&shapes[0], point, &crossings[0].place),
                                                   brume_shape_normal(&shapes[1], point, NULL));
            assert_true(brume_length(difference) < 1e-5f);
        }
        const BrumeVec3 own = brume_scale(test_mesh_point(n, 3, lower, upper), 0.15f);
        const BrumeShapeFrame of_disc = brume_shape_frame(&shapes[2]);
        const BrumeVec3 on_disc = brume_frame_point(&of_disc, brume_vec3(own.x, 0.0f, own.z));
        const BrumeRay through = {from, brume_normalize(brume_sub(on_disc, from))};
        const BrumeRayInterval wall = brume_ray_shape(&through, &shapes[2], 0.0f);
        const BrumeVec3 hit = brume_frame_own_point(&of_disc, brume_ray_at(&through, wall.enter));
        assert_true(wall.enter < wall.leave && fabsf(hit.y) < 1e-5f);
    }
    assert_in_range(hits, RAYS / 2, RAYS);
    brume_mesh_release(mesh);
    brume_mesh_release(disc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placed),
        cmocka_unit_test(test_rays_of_a_sphere),
        cmocka_unit_test(test_open_mesh),
        cmocka_unit_test(test_pictures_of_a_sphere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
