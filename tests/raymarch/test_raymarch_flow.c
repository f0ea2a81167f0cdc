// Streamlines and pressure colors: exact flows, the tubes of lines, and pictures.
#include "brume/renderer.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/mesh.h"
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/color_map.h"
#include "raymarch/flow_view.h"
#include "raymarch/streamlines.h"
#include "raymarch/surface_albedo.h"
#include "raymarch/tubes.h"
#include "raymarch/volume_samples.h"

#include "brume/threads.h"

enum { N = 48 };

static const float DX = 1.0f / 16.0f; // [m]: the box is 3 m wide
static const BrumeVec3 CORNER = {-1.5f, -1.5f, -1.5f};

// velocities on faces and a pressure at the centers of a box of N^3 cells
typedef struct Flow {
    float velocity[3][N + 1][N + 1][N + 1]; // [component][k][j][i]
    float pressure[N][N][N];
    BrumeVolume volume;
} Flow;

typedef BrumeVec3 VelocityAt(double x, double y, double z);

static Flow *make_flow(VelocityAt *velocity_at)
{
    Flow *flow = brume_alloc(1, sizeof *flow);
    assert_non_null(flow);
    for (int component = 0; component < 3; component++) {
        for (int n = 0; n < (N + 1) * (N + 1) * (N + 1); n++) {
            const int i = n % (N + 1);
            const int j = n / (N + 1) % (N + 1);
            const int k = n / ((N + 1) * (N + 1));
            const double x = (double)CORNER.x + (double)DX * (i + (component == 0 ? 0.0 : 0.5));
            const double y = (double)CORNER.y + (double)DX * (j + (component == 1 ? 0.0 : 0.5));
            const double z = (double)CORNER.z + (double)DX * (k + (component == 2 ? 0.0 : 0.5));
            flow->velocity[component][k][j][i] = brume_component(velocity_at(x, y, z), component);
        }
    }
    flow->volume = brume_volume_from_array(&flow->pressure[0][0][0], N, N, N, DX, CORNER);
    flow->volume.density[0] = NULL;
    flow->volume.pressure = &flow->pressure[0][0][0];
    for (int component = 0; component < 3; component++) {
        flow->volume.velocity[component] = &flow->velocity[component][0][0][0];
    }
    flow->volume.velocity_sx = 1;
    flow->volume.velocity_sy = N + 1;
    flow->volume.velocity_sz = (N + 1) * (N + 1);
    flow->volume.velocity_on_faces = true;
    return flow;
}

static BrumeVec3 uniform(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return brume_vec3(3.0f, 0.0f, 0.0f);
}

static BrumeVec3 rotation(double x, double y, double z)
{
    (void)z;
    return brume_vec3((float)-y, (float)x, 0.0f);
}

static const double RADIUS = 0.5; // of the cylinder and the sphere [m]

// potential flow around a cylinder along z, with speed 1 far away
static BrumeVec3 around_cylinder(double x, double y, double z)
{
    (void)z;
    const double r2 = x * x + y * y;
    const double q = r2 > 0.25 * RADIUS * RADIUS ? RADIUS * RADIUS / r2 : 0.0;
    return brume_vec3((float)(1.0 - q * (x * x - y * y) / fmax(r2, 1e-9)), (float)(-2.0 * q * x * y / fmax(r2, 1e-9)),
                      0.0f);
}

static double stream_function(BrumeVec3 p)
{
    const double r2 = (double)p.x * (double)p.x + (double)p.y * (double)p.y;
    return (double)p.y * (1.0 - RADIUS * RADIUS / r2);
}

static BrumeRenderSettings settings_of(BrumeShapeKind kind)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.surface_count = 1;
    settings.surfaces[0] = (BrumeSurface){.shape = {.kind = kind,
                                                    .a = {0.0f, 0.0f, kind == BRUME_SHAPE_SPHERE ? 0.0f : -2.0f},
                                                    .b = {0.0f, 0.0f, 2.0f},
                                                    .radius = (float)RADIUS},
                                          .albedo = {0.6f, 0.6f, 0.6f}};
    return settings;
}

static void streamlines_of_a_uniform_flow_are_straight(void **state)
{
    (void)state;
    Flow *flow = make_flow(uniform);
    const BrumeRenderSettings settings = brume_default_render_settings();
    const BrumeRake rake = {.from = {0.3f, -1.0f, 0.2f}, .to = {0.3f, 1.0f, 0.2f}, .count = 5};
    BrumeStreamline lines[5];
    assert_int_equal(brume_trace_streamlines(lines, &rake, &settings, &flow->volume, true, NULL), BRUME_OK);
    for (int n = 0; n < 5; n++) {
        assert_int_equal(lines[n].count, 2 * N + 1 + 1); // 0.3 is not a multiple of the step from either side
        assert_near("lines[n].points[0].x", (double)(lines[n].points[0].x), (double)(-1.5f), (double)(1e-6f));
        assert_near("lines[n].points[lines[n].count - 1].x", (double)(lines[n].points[lines[n].count - 1].x),
                    (double)(1.5f), (double)(1e-6f));
        for (int p = 0; p < lines[n].count; p++) {
            assert_near("lines[n].points[p].y", (double)(lines[n].points[p].y), (double)(-1.0f + 0.5f * (float)n),
                        (double)(1e-6f));
            assert_near("lines[n].points[p].z", (double)(lines[n].points[p].z), (double)(0.2f), (double)(1e-6f));
        }
    }
    brume_streamlines_free(lines, 5);
    // points of a straight line: every fourth cell
    assert_int_equal(brume_trace_streamlines(lines, &rake, &settings, &flow->volume, false, NULL), BRUME_OK);
    assert_in_range(lines[2].count, N / 4, N / 4 + 2);
    brume_streamlines_free(lines, 5);
    brume_free(flow);
}

static void length_limits_both_directions(void **state)
{
    (void)state;
    Flow *flow = make_flow(uniform);
    const BrumeRenderSettings settings = brume_default_render_settings();
    const BrumeRake rake = {.from = {0.0f, 0.0f, 0.0f}, .to = {0.0f, 0.0f, 0.0f}, .count = 1, .length = 0.5f};
    BrumeStreamline line;
    assert_int_equal(brume_trace_streamlines(&line, &rake, &settings, &flow->volume, false, NULL), BRUME_OK);
    assert_near("line.points[0].x", (double)(line.points[0].x), (double)(-0.5f), (double)(1e-6f));
    assert_near("line.points[line.count - 1].x", (double)(line.points[line.count - 1].x), (double)(0.5f),
                (double)(1e-6f));
    brume_streamlines_free(&line, 1);
    brume_free(flow);
}

static void streamlines_of_a_rotation_are_circles(void **state)
{
    (void)state;
    Flow *flow = make_flow(rotation);
    const BrumeRenderSettings settings = brume_default_render_settings();
    const BrumeRake rake = {.from = {0.25f, 0.0f, 0.0f}, .to = {1.25f, 0.0f, 0.0f}, .count = 3, .length = 8.0f};
    BrumeStreamline lines[3];
    assert_int_equal(brume_trace_streamlines(lines, &rake, &settings, &flow->volume, true, NULL), BRUME_OK);
    for (int n = 0; n < 3; n++) {
        const double radius = 0.25 + 0.5 * n;
        assert_true(lines[n].count > 500); // 8 m in each direction
        double nearest = INFINITY;
        for (int p = 0; p < lines[n].count; p++) {
            const BrumeVec3 point = lines[n].points[p];
            const double r = sqrt((double)point.x * (double)point.x + (double)point.y * (double)point.y);
            assert_near("r", (double)(r), (double)(radius), (double)(1e-4 * radius));
            assert_near("point.z", (double)(point.z), (double)(0.0f), (double)(1e-6f));
        }
        // it returns to its start after a whole turn
        const int turn = (int)(2.0 * M_PI * radius / (0.5 * (double)DX));
        for (int p = turn - 2; p <= turn + 2; p++) {
            nearest = fmin(nearest, (double)brume_length(brume_sub(lines[n].points[p], lines[n].points[0])));
        }
        assert_true(nearest < 0.51 * 0.5 * (double)DX);
    }
    brume_streamlines_free(lines, 3);
    brume_free(flow);
}

static void streamlines_around_a_cylinder_keep_the_stream_function(void **state)
{
    (void)state;
    Flow *flow = make_flow(around_cylinder);
    const BrumeRenderSettings settings = settings_of(BRUME_SHAPE_CYLINDER);
    const BrumeRake rake = {.from = {-1.4f, -1.2f, 0.1f}, .to = {-1.4f, 1.2f, 0.1f}, .count = 8};
    BrumeStreamline lines[8];
    assert_int_equal(brume_trace_streamlines(lines, &rake, &settings, &flow->volume, true, NULL), BRUME_OK);
    double worst = 0.0;
    for (int n = 0; n < 8; n++) {
        const BrumeStreamline *line = &lines[n];
        assert_near("line->points[line->count - 1].x", (double)(line->points[line->count - 1].x), (double)(1.5f),
                    (double)(1e-5f));
        const double start = stream_function(brume_vec3(-1.4f, -1.2f + 2.4f / 7.0f * (float)n, 0.1f));
        for (int p = 0; p < line->count; p++) {
            worst = fmax(worst, fabs(stream_function(line->points[p]) - start));
        }
    }
    assert_true(worst < 0.01); // [m^2/s]: of 1.1 across the flow; interpolation with 8 cells in a radius
    brume_streamlines_free(lines, 8);
    brume_free(flow);
}

static void lines_end_at_solids(void **state)
{
    (void)state;
    Flow *flow = make_flow(uniform);
    const BrumeRenderSettings settings = settings_of(BRUME_SHAPE_SPHERE);
    const BrumeRake rake = {.from = {-1.0f, 0.0f, 0.0f}, .to = {0.0f, 0.0f, 0.0f}, .count = 2};
    BrumeStreamline lines[2];
    assert_int_equal(brume_trace_streamlines(lines, &rake, &settings, &flow->volume, false, NULL), BRUME_OK);
    assert_near("lines[0].points[lines[0].count - 1].x", (double)(lines[0].points[lines[0].count - 1].x),
                (double)(-RADIUS), (double)(1e-5));
    assert_int_equal(lines[1].count, 0); // it would start inside
    brume_streamlines_free(lines, 2);
    brume_free(flow);
}

static void tubes_have_their_radius_and_colors(void **state)
{
    (void)state;
    const BrumeVec3 points[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {2.0f, 0.0f, 0.0f}};
    const BrumeVec3 colors[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    const BrumeTube tube = {3, points, colors, 0.1f};
    BrumeMesh *mesh;
    assert_int_equal(brume_create_tubes(&mesh, &tube, 1, NULL), BRUME_OK);
    assert_int_equal(brume_mesh_info(mesh)->triangles, 4 * 12);
    assert_false(brume_mesh_info(mesh)->closed);
    assert_int_equal(brume_mesh_info(mesh)->parts, 1);
    BrumeMeshHit hit;
    assert_true(brume_mesh_hit(mesh, brume_vec3(0.5f, 1.0f, 0.0f), brume_vec3(0.0f, -1.0f, 0.0f), 0.0, 10.0, &hit));
    assert_near("hit.distance", (double)(hit.distance), (double)(0.9), (double)(1e-6)); // a corner of the six sides
    const BrumeMeshAttributes at = brume_mesh_attributes(mesh, hit.triangle, hit.share);
    assert_near("at.normal.y", (double)(at.normal.y), (double)(1.0f), (double)(1e-6f));
    assert_near("at.face.y", (double)(at.face.y), cos(M_PI / 6.0), 1e-6); // to the outside
    assert_near("at.color.x", (double)(at.color.x), (double)(0.5f), (double)(1e-6f));
    assert_near("at.color.y", (double)(at.color.y), (double)(0.5f), (double)(1e-6f));
    assert_near("at.color.z", (double)(at.color.z), (double)(0.0f), (double)(1e-6f));
    assert_near("brume_mesh_info(mesh)->lower.x", (double)(brume_mesh_info(mesh)->lower.x), (double)(-0.08f),
                (double)(1e-6f));
    assert_near("brume_mesh_info(mesh)->upper.x", (double)(brume_mesh_info(mesh)->upper.x), (double)(2.08f),
                (double)(1e-6f));
    brume_mesh_release(mesh);
    assert_int_equal(brume_create_tubes(&mesh, NULL, 0, NULL), BRUME_OK);
    assert_null(mesh);
}

// streamlines are drawn behind the surfaces, and stay where they are while the shutter is open
static void tubes_are_at_rest_while_bodies_move(void **state)
{
    (void)state;
    const BrumeVec3 points[2] = {{-1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    const BrumeVec3 colors[2] = {{1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}};
    const BrumeTube tube = {2, points, colors, 0.1f};
    BrumeMesh *mesh;
    assert_int_equal(brume_create_tubes(&mesh, &tube, 1, NULL), BRUME_OK);
    const BrumeFlowView flow = {.lines = {.shape = {.kind = BRUME_SHAPE_MESH, .mesh = mesh}}};
    BrumeRenderSettings settings = settings_of(BRUME_SHAPE_SPHERE);
    settings.flow = &flow;
    settings.surface_velocities[0] = brume_vec3(0.0f, -4.0f, 0.0f);
    settings.surface_velocities[1] = brume_vec3(0.0f, 8.0f, 0.0f); // of no surface
    const BrumeRay ray = {{0.0f, 2.0f, 0.0f}, {0.0f, -1.0f, 0.0f}};
    const BrumeSurfaceHit sphere = brume_intersect_surfaces(&settings, &ray, 0.0f);
    assert_int_equal(sphere.surface, 0);
    assert_near("sphere.distance", (double)sphere.distance, 1.5, 1e-6);
    const BrumeSurfaceHit line = brume_intersect_surfaces(&settings, &ray, 0.25f); // the sphere is 1 m lower
    assert_int_equal(line.surface, 1);
    assert_near("line.distance", (double)line.distance, 1.9, 1e-6);
    assert_int_equal(brume_intersect_solids(&settings, &ray, 0.25f).surface, 0);
    assert_near("solid", (double)brume_intersect_solids(&settings, &ray, 0.25f).distance, 2.5, 1e-6);
    assert_true(brume_surface_before(&settings, &ray, 1.8f, 0.0f));
    assert_false(brume_surface_before(&settings, &ray, 1.8f, 0.25f));
    assert_true(brume_ray_occluded(&settings, &ray, 2.0f, 0.25f));
    assert_false(brume_ray_occluded(&settings, &ray, 1.8f, 0.25f));
    assert_true(brume_surface_shape(&settings, 1, 0.25f).mesh == mesh);
    assert_true(brume_surface_shape(&settings, 1, 0.25f).position.y == 0.0f);
    brume_mesh_release(mesh);
}

// the kinematic pressure of potential flow around a sphere with speed 2 along x far away, 0 there; NaN inside
static void set_sphere_pressure(Flow *flow, double radius)
{
    for (int n = 0; n < N * N * N; n++) {
        const int row = n / N;
        const int plane = row / N;
        const double x = (double)CORNER.x + (double)DX * (n % N + 0.5);
        const double y = (double)CORNER.y + (double)DX * (row % N + 0.5);
        const double z = (double)CORNER.z + (double)DX * (plane + 0.5);
        const double r = sqrt(x * x + y * y + z * z);
        const double cosine = x / r;
        const double q = radius * radius * radius / (2.0 * r * r * r);
        const double radial = 2.0 * (1.0 - 2.0 * q) * cosine;
        const double tangential2 = 4.0 * (1.0 + q) * (1.0 + q) * (1.0 - cosine * cosine);
        flow->pressure[n / (N * N)][n / N % N][n % N] =
            r < radius ? NAN : (float)(0.5 * (4.0 - radial * radial - tangential2));
    }
}

// the mean error of the pressure coefficient on a sphere
static double sphere_error(double radius, double *worst)
{
    enum { POINTS = 400 };
    Flow *flow = make_flow(uniform);
    set_sphere_pressure(flow, radius);
    BrumeRenderSettings settings = settings_of(BRUME_SHAPE_SPHERE);
    settings.surfaces[0].shape.radius = (float)radius;
    settings.reference_speed = 2.0f;
    settings.surface_colors.quantity = BRUME_FLOW_PRESSURE;
    BrumeFlowView view = {0};
    assert_int_equal(brume_flow_view_load(&view, &settings, &flow->volume, NULL), BRUME_OK);
    assert_null(view.lines.shape.mesh);
    settings.flow = &view;
    double sum = 0.0;
    *worst = 0.0;
    for (int n = 0; n < POINTS; n++) { // a spiral of evenly distributed points
        const double z = 1.0 - (2.0 * n + 1.0) / POINTS;
        const double angle = 2.39996 * n;
        const BrumeVec3 normal = {(float)(sqrt(1.0 - z * z) * cos(angle)), (float)(sqrt(1.0 - z * z) * sin(angle)),
                                  (float)z};
        const BrumeVec3 point = brume_scale(normal, (float)radius);
        const double exact = 1.0 - 2.25 * (1.0 - (double)normal.x * (double)normal.x);
        const double value = (double)brume_pressure_at_surface(&view, point, normal);
        sum += fabs(value - exact);
        *worst = fmax(*worst, fabs(value - exact));
        const BrumeFlowColors colors = {BRUME_FLOW_PRESSURE, BRUME_MAP_BLUE_RED, -1.0f, 1.0f};
        const BrumeVec3 shown = brume_solid_albedo(&settings, 0, point, normal, 0.0f, NULL);
        const BrumeVec3 expected = brume_flow_color(&colors, (float)value);
        assert_memory_equal(&shown, &expected, sizeof shown);
    }
    brume_flow_view_destroy(&view);
    brume_free(flow);
    return sum / POINTS;
}

static void pressure_of_a_sphere_is_that_of_potential_flow(void **state)
{
    (void)state;
    double worst;
    const double coarse = sphere_error(RADIUS, &worst); // 8 cells
    assert_below("the mean error", coarse, 0.11);       // of a range of 2.25
    const double fine = sphere_error(2.0 * RADIUS, &worst);
    assert_below("the mean error", fine, 0.042);
    assert_below("the largest error", worst, 0.1);
    assert_below("the mean error with cells half as large", fine, coarse / 2.5);
}

static uint64_t picture_hash(int threads, bool preview_colors)
{
    enum { WIDTH = 96, HEIGHT = 64 };
    static float radiance[3 * WIDTH * HEIGHT];
    Flow *flow = make_flow(around_cylinder);
    set_sphere_pressure(flow, RADIUS);
    BrumeRenderSettings settings = settings_of(BRUME_SHAPE_SPHERE);
    settings.surface_colors.quantity = preview_colors ? BRUME_FLOW_PRESSURE : BRUME_FLOW_NONE;
    settings.reference_speed = 2.0f;
    settings.rake_count = 1;
    settings.rakes[0].from = brume_vec3(-1.4f, -1.0f, 0.4f);
    settings.rakes[0].to = brume_vec3(-1.4f, 1.0f, 0.4f);
    settings.rakes[0].radius = 0.03f;
    brume_set_threads(threads);
    BrumeRenderer *renderer = create_lit(&flow->volume, &settings);
    const BrumeCamera camera = {.position = {0.0f, 0.5f, 5.0f}, .field_of_view = 40.0f};
    const BrumeDrawDef draw = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    assert_int_equal(brume_renderer_draw(renderer, &camera, &draw, radiance, NULL), BRUME_OK);
    const BrumePick line = brume_renderer_pick(renderer, &camera, WIDTH, HEIGHT, 0.5f * WIDTH, 0.5f * HEIGHT);
    assert_int_equal(line.kind, BRUME_PICK_SURFACE);
    brume_renderer_destroy(renderer);
    brume_free(flow);
    return brume_hash_bytes(radiance, sizeof radiance, 0);
}

static void pictures_are_the_same_with_any_number_of_threads(void **state)
{
    (void)state;
    const uint64_t one = picture_hash(1, true);
    assert_true(one == picture_hash(3, true));
    assert_true(one != picture_hash(3, false));
    brume_set_threads(1);
}

static void maps_and_ranges(void **state)
{
    (void)state;
    const BrumeFlowColors speed = {.quantity = BRUME_FLOW_SPEED};
    const BrumeFlowColors resolved = brume_flow_colors_resolved(&speed, 4.0f);
    assert_int_equal(resolved.map, BRUME_MAP_HEAT);
    assert_near("resolved.lower", (double)(resolved.lower), (double)(0.0f), (double)(0.0f));
    assert_near("resolved.upper", (double)(resolved.upper), (double)(6.0f), (double)(0.0f));
    const BrumeFlowColors given = {BRUME_FLOW_PRESSURE, BRUME_MAP_RAINBOW, -2.0f, 1.0f};
    const BrumeFlowColors kept = brume_flow_colors_resolved(&given, 4.0f);
    assert_memory_equal(&kept, &given, sizeof given);
    const BrumeVec3 middle = brume_color_map_at(BRUME_MAP_BLUE_RED, 0.5f);
    assert_near("middle.x", (double)(middle.x), (double)(0.78f), (double)(1e-6f));
    assert_near("middle.y", (double)(middle.y), (double)(0.74f), (double)(1e-6f));
    const BrumeVec3 beyond = brume_color_map_at(BRUME_MAP_HEAT, 7.0f);
    assert_near("beyond.y", (double)(beyond.y), (double)(0.89f), (double)(1e-6f));
    const BrumeVec3 below = brume_color_map_at(BRUME_MAP_HEAT, NAN);
    assert_near("below.z", (double)(below.z), (double)(0.33f), (double)(1e-6f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streamlines_of_a_uniform_flow_are_straight),
        cmocka_unit_test(length_limits_both_directions),
        cmocka_unit_test(streamlines_of_a_rotation_are_circles),
        cmocka_unit_test(streamlines_around_a_cylinder_keep_the_stream_function),
        cmocka_unit_test(lines_end_at_solids),
        cmocka_unit_test(tubes_have_their_radius_and_colors),
        cmocka_unit_test(tubes_are_at_rest_while_bodies_move),
        cmocka_unit_test(pressure_of_a_sphere_is_that_of_potential_flow),
        cmocka_unit_test(pictures_are_the_same_with_any_number_of_threads),
        cmocka_unit_test(maps_and_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
