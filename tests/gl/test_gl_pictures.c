// Pictures of the OpenGL renderer against pictures of the CPU: the same scene, state and camera, 320 x 180 pixels of
// 8-bit sRGB. The CPU traces 16 rays per pixel, the OpenGL renderer one through the center of each pixel.
#include "brume/scene.h"
#include "brume/sim.h"
#include "core/vec3.h"
#include "gl_context.h"
#include "gl_picture.h"
#include "raymarch/gl/gl_renderer_internal.h"
#include "raymarch/picture_rays.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"
#include "test_mesh.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t cpu_rgb[GL_BYTES], gl_rgb[GL_BYTES], other_rgb[GL_BYTES];

static BrumeGlRenderer *make_renderer(const BrumeRenderer *lit)
{
    BrumeGlRenderer *renderer = NULL;
    BrumeError error = {0};
    int reduced = 0;
    if (brume_gl_renderer_create(&renderer, &error) != BRUME_OK ||
        brume_gl_renderer_load(renderer, lit, &reduced, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(reduced, 1);
    return renderer;
}

static BrumeRenderer *light(const BrumeVolume *volume, const BrumeRenderSettings *settings)
{
    BrumeRenderer *lit = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&lit, volume->nx, volume->ny, volume->nz, settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(lit, volume, &error), BRUME_OK);
    brume_renderer_light(lit, NULL);
    return lit;
}

// sanitizers slow the solver down by a factor of ten
#ifdef BRUME_SANITIZED
static const char *const coarse[] = {"solver.resolution=24"};
enum { CPU_SAMPLES = 4 };
#else
static const char *const coarse[] = {"solver.resolution=48"};
enum { CPU_SAMPLES = 16 };
#endif

// simulates a scene of scenes/ for `frames` frames and compares the pictures of both renderers
static void compare_changed_scene(const char *name, int frames, double least, const char *const *overrides, int count)
{
    char path[512];
    (void)snprintf(path, sizeof path, BRUME_SOURCE_DIR "/scenes/%s.yaml", name);
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    BrumeError error = {0};
    if (brume_scene_load(&scene, path, overrides, count, NULL, &error) != BRUME_OK ||
        brume_sim_create(&sim, &scene->sim, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    for (int frame = 0; frame < frames; frame++) {
        assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    }
    const BrumeVolume volume = brume_sim_volume(sim);
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, brume_sim_time(sim));
    BrumeRenderer *lit = light(&volume, &scene->render_settings);
    BrumeGlRenderer *renderer = make_renderer(lit);
    cpu_draw(lit, &scene->render_settings, &camera, CPU_SAMPLES, cpu_rgb);
    const BrumeGlDraw draw = gl_whole_picture();
    gl_draw(renderer, &camera, &draw, gl_rgb);
    const double apart = psnr(name, cpu_rgb, gl_rgb);
    assert_true(apart >= least);
    brume_gl_renderer_destroy(renderer);
    brume_renderer_destroy(lit);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

static void compare_scene(const char *name, int frames, double least)
{
    compare_changed_scene(name, frames, least, coarse, 1);
}

static void test_detail(void **state)
{
    (void)state;
    static const char *const detailed[] = {"solver.resolution=24", "solver.texture_period=0.5",
                                           "render.detail.factor=2", "render.detail.strength=4"};
    compare_changed_scene("plume", 40, 38.0, detailed, 4);
}

static void test_smoke(void **state)
{
    (void)state;
    compare_scene("plume", 40, 38.0);
}

static void test_colored_smoke(void **state)
{
    (void)state;
    compare_scene("colliding_jets", 45, 38.0);
}

static void test_body_and_shadow(void **state)
{
    (void)state;
    compare_scene("plume_sphere", 60, 38.0);
}

// leaves, as discs and points too, in smoke
static void test_particles(void **state)
{
    (void)state;
    compare_scene("leaves", 40, 38.0);
    static const char *const glowing[] = {
        "solver.resolution=24",
        "emitters.0={shape: sphere, center: [0, 0.6, 0], radius: 0.5, embers: 2000, dust: 3000, density: 0.1}",
        "particles.embers={diameter: 0.02}"};
    compare_changed_scene("leaves", 24, 37.0, glowing, 3); // blended as they are shown
    static const char *const dense[] = {
        "solver.resolution=24",
        "emitters.0={shape: sphere, center: [0, 1.2, 0], radius: 0.5, dust: 20000, density: 0.1, end: 0.3}",
        "particles.dust={diameter: 0.02, albedo: [0.7, 0.5, 0.3]}"};
    compare_changed_scene("leaves", 16, 37.0, dense, 3); // their shadow
}

typedef struct RenderedPlume {
    BrumeVolume volume;
    BrumeRenderSettings settings;
    BrumeRenderer *lit;
    BrumeGlRenderer *renderer;
} RenderedPlume;

static BrumeRenderSettings sources(void)
{
    BrumeRenderSettings settings = plume_settings();
    settings.lights[0].angle = 8.0f;
    settings.lights[1].kind = BRUME_LIGHT_SPOT;
    settings.lights[1].position = brume_vec3(-0.9f, 1.6f, 0.6f);
    settings.lights[1].direction = brume_vec3(0.75f, -0.7f, -0.5f);
    settings.lights[1].intensity = 12.0f;
    settings.lights[1].angle = 40.0f;
    settings.lights[1].blend = 0.5f;
    settings.lights[2].angle = 20.0f;
    settings.lights[settings.light_count++] = (BrumeLight){.kind = BRUME_LIGHT_RECTANGLE,
                                                           .position = {0.8f, 1.2f, 0.8f},
                                                           .direction = {-0.7f, -0.5f, -0.5f},
                                                           .up = {0.0f, 1.0f, 0.0f},
                                                           .width = 0.6f,
                                                           .height = 0.9f,
                                                           .color = {0.3f, 1.0f, 0.5f},
                                                           .intensity = 9.0f};
    return settings;
}

static RenderedPlume create_plume_under(BrumeRenderSettings settings)
{
    RenderedPlume plume = {.volume = plume_create(48, 1), .settings = settings};
    plume.lit = light(&plume.volume, &plume.settings);
    plume.renderer = make_renderer(plume.lit);
    return plume;
}

// in a room that stands on a patterned ground
static RenderedPlume create_plume(BrumeGroundPattern pattern)
{
    BrumeRenderSettings settings = plume_settings();
    settings.ground_pattern = pattern;
    settings.ground_scale = 0.2f;
    settings.walls = pattern == BRUME_GROUND_PLAIN ? BRUME_WALLS_HIDDEN : BRUME_WALLS_SHOWN;
    settings.wall_faces = 0x33;
    return create_plume_under(settings);
}

static void destroy_plume(RenderedPlume *plume)
{
    brume_gl_renderer_destroy(plume->renderer);
    brume_renderer_destroy(plume->lit);
    plume_destroy(&plume->volume);
}

// with the same rays and the same jitter, pictures differ by the precision of 16-bit floats only
static void test_every_light_and_shape_ray_for_ray(void **state)
{
    (void)state;
    static const char *const names[] = {"full_look", "room_and_checker", "room_and_noise"};
    for (int pattern = BRUME_GROUND_PLAIN; pattern <= BRUME_GROUND_NOISE; pattern++) {
        RenderedPlume plume = create_plume((BrumeGroundPattern)pattern);
        const BrumeGlDraw draw = gl_whole_picture();
        cpu_draw(plume.lit, &plume.settings, &plume_camera, 1, cpu_rgb);
        gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
        assert_true(psnr(names[pattern], cpu_rgb, gl_rgb) >= 40.0);
        destroy_plume(&plume);
    }
}

// solids that are moved, turned and scaled
static void test_placed_solids_ray_for_ray(void **state)
{
    (void)state;
    BrumeRenderSettings settings = plume_settings();
    for (int n = 0; n < settings.surface_count; n++) {
        settings.surfaces[n].shape.rotation = brume_vec3(40.0f * (float)n, 25.0f, -60.0f);
        settings.surfaces[n].shape.scale = brume_vec3(1.3f, 0.8f, 1.1f);
        settings.surfaces[n].shape.position = brume_vec3(0.05f, 0.08f, -0.1f);
    }
    RenderedPlume plume = create_plume_under(settings);
    const BrumeGlDraw draw = gl_whole_picture();
    cpu_draw(plume.lit, &plume.settings, &plume_camera, 1, cpu_rgb);
    gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
    assert_true(psnr("placed_solids", cpu_rgb, gl_rgb) >= 38.0);
    const BrumeRenderSettings unplaced = plume_settings();
    RenderedPlume other = create_plume_under(unplaced);
    cpu_draw(other.lit, &other.settings, &plume_camera, 1, other_rgb);
    assert_true(psnr("other solids", cpu_rgb, other_rgb) < 30.0);
    destroy_plume(&other);
    destroy_plume(&plume);
}

// a torus with a color that changes around it
static BrumeMesh *colored_torus(void)
{
    TestMesh triangles = {0};
    test_mesh_add_torus(&triangles, 40, 20, 0.16f, 0.07f);
    const int corners = 3 * triangles.count;
    int *indices = malloc((size_t)corners * sizeof *indices);
    BrumeVec3 *colors = malloc((size_t)corners * sizeof *colors);
    assert_true(indices && colors);
    for (int n = 0; n < corners; n++) {
        const BrumeVec3 p = triangles.triangles[n / 3][n % 3];
        indices[n] = n;
        colors[n] = brume_vec3(0.5f + 2.0f * p.x, 0.5f + 2.0f * p.z, 0.3f);
    }
    const BrumeMeshDef def = {.vertex_count = corners,
                              .positions = triangles.triangles[0],
                              .triangle_count = triangles.count,
                              .corners = indices,
                              .colors = colors};
    BrumeMesh *mesh = NULL;
    assert_int_equal(brume_mesh_create(&mesh, &def, NULL), BRUME_OK);
    free(indices);
    free(colors);
    free(triangles.triangles);
    return mesh;
}

// two balls that grow together
static BrumeSamples *blobs(void)
{
    enum { SIDE = 18 };
    float values[SIDE * SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        const float x = (float)(n % SIDE) - 8.5f;
        const float y = (float)(n / SIDE % SIDE) - 8.5f;
        const int layer = n / SIDE / SIDE;
        const float z = (float)layer - 8.5f;
        const float left = (x + 3.0f) * (x + 3.0f) + y * y + z * z;
        const float right = (x - 3.0f) * (x - 3.0f) + y * y + z * z;
        values[n] = 9.0f / (left + 1.0f) + 9.0f / (right + 1.0f);
    }
    const BrumeSamplesDef def = {.nx = SIDE, .ny = SIDE, .nz = SIDE, .spacing = 1.0, .values = values};
    BrumeSamples *samples = NULL;
    assert_int_equal(brume_samples_create(&samples, &def, NULL), BRUME_OK);
    return samples;
}

// tubes of streamlines, and the pressure on a sphere and a turned mesh as colors
static void test_flow(void **state)
{
    (void)state;
    BrumeMesh *mesh = colored_torus();
    BrumeRenderSettings settings = plume_settings();
    settings.surface_count = 2;
    settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.2f, 0.5f, 0.2f}, .radius = 0.2f}, {0.6f, 0.6f, 0.6f}};
    settings.surfaces[1] = (BrumeSurface){.shape = {.kind = BRUME_SHAPE_MESH,
                                                    .mesh = mesh,
                                                    .position = {-0.4f, 0.7f, 0.2f},
                                                    .rotation = {50.0f, 0.0f, 0.0f}},
                                          {0.6f, 0.6f, 0.6f}};
    RenderedPlume plume = create_plume_under(settings);
    BrumeVolume volume = plume.volume;
    const size_t cells = (size_t)volume.nx * (size_t)volume.ny * (size_t)volume.nz;
    float *velocity = malloc(3 * cells * sizeof *velocity);
    float *pressure = malloc((size_t)volume.sz * (size_t)volume.nz * sizeof *pressure);
    assert_non_null(velocity);
    assert_non_null(pressure);
    for (int k = 0; k < volume.nz; k++) {
        for (int j = 0; j < volume.ny; j++) {
            for (int i = 0; i < volume.nx; i++) {
                const size_t n = ((size_t)k * (size_t)volume.ny + (size_t)j) * (size_t)volume.nx + (size_t)i;
                const float x = 2.0f * (float)i / (float)volume.nx - 1.0f;
                const float y = 2.0f * (float)j / (float)volume.ny - 1.0f;
                velocity[3 * n] = 1.0f;
                velocity[3 * n + 1] = 0.6f * x;
                velocity[3 * n + 2] = 0.3f * y;
                pressure[k * volume.sz + j * volume.sy + i] = 0.5f * (x + 0.5f * y);
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        volume.velocity[axis] = velocity + axis;
    }
    volume.velocity_sx = 3;
    volume.velocity_sy = 3 * volume.nx;
    volume.velocity_sz = (ptrdiff_t)3 * volume.nx * volume.ny;
    volume.velocity_on_faces = false;
    volume.pressure = pressure;
    const BrumeGlDraw draw = gl_whole_picture();
    BrumeError error;
    gl_draw(plume.renderer, &plume_camera, &draw, other_rgb);
    for (int part = 0; part < 2; part++) { // each of both alone changes the picture
        BrumeRenderSettings shown = settings;
        shown.surface_colors.quantity = part == 0 ? BRUME_FLOW_PRESSURE : BRUME_FLOW_NONE;
        shown.rake_count = part;
        shown.rakes[0].from = brume_vec3(0.0f, 0.2f, 0.35f);
        shown.rakes[0].to = brume_vec3(0.0f, 1.2f, 0.35f);
        shown.rakes[0].radius = 0.02f;
        BrumeRenderer *lit = light(&volume, &shown);
        assert_int_equal(brume_gl_renderer_load(plume.renderer, lit, NULL, &error), BRUME_OK);
        cpu_draw(lit, &shown, &plume_camera, 1, cpu_rgb);
        gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
        assert_true(psnr(part == 0 ? "pressure" : "streamlines", cpu_rgb, gl_rgb) >= 43.0);
        assert_true(psnr("without", other_rgb, gl_rgb) < 34.0);
        brume_renderer_destroy(lit);
    }
    destroy_plume(&plume);
    free(velocity);
    free(pressure);
    brume_mesh_release(mesh);
}

// cones, tori, planes, volumes and meshes, placed and not; in the box and outside of it
static void test_traced_solids_ray_for_ray(void **state)
{
    (void)state;
    BrumeMesh *mesh = colored_torus();
    BrumeSamples *samples = blobs();
    TestMesh triangles = {0};
    test_mesh_add_disc(&triangles, 24, 0.2f);
    BrumeMesh *disc = test_mesh_create(&triangles);
    const BrumeShape shapes[] = {
        {.kind = BRUME_SHAPE_CONE, .a = {0.3f, 0.0f, 0.1f}, .b = {0.3f, 0.45f, 0.2f}, .radius = 0.14f},
        {.kind = BRUME_SHAPE_CONE,
         .a = {0.75f, 0.1f, 0.0f},
         .b = {0.75f, 0.3f, 0.0f},
         .radius = 0.05f,
         .second_radius = 0.15f,
         .rotation = {0.0f, 20.0f, 70.0f}},
        {.kind = BRUME_SHAPE_TORUS, .a = {-0.25f, 0.1f, 0.35f}, .radius = 0.15f, .second_radius = 0.05f},
        {.kind = BRUME_SHAPE_TORUS,
         .a = {-0.7f, 0.25f, 0.0f},
         .radius = 0.15f,
         .second_radius = 0.06f,
         .rotation = {60.0f, 0.0f, 20.0f},
         .scale = {1.0f, 1.5f, 0.8f}},
        {.kind = BRUME_SHAPE_VOLUME,
         .a = {-0.3f, 1.0f, 0.1f},
         .b = {0.1f, 1.3f, 0.4f},
         .samples = samples,
         .threshold = 1.0f,
         .rotation = {0.0f, 30.0f, 0.0f}},
        {.kind = BRUME_SHAPE_MESH, .mesh = mesh, .position = {0.15f, 0.65f, 0.4f}, .rotation = {50.0f, 0.0f, 0.0f}},
        {.kind = BRUME_SHAPE_MESH, .mesh = mesh, .a = {-0.5f, 0.9f, -0.2f}, .scale = {1.0f, 2.0f, 1.0f}},
        {.kind = BRUME_SHAPE_MESH, .mesh = disc, .position = {0.6f, 1.1f, 0.2f}, .rotation = {-70.0f, 20.0f, 0.0f}},
        {.kind = BRUME_SHAPE_PLANE, .a = {0.0f, 0.02f, 0.0f}, .rotation = {8.0f, 0.0f, 5.0f}},
    };
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    BrumeRenderSettings settings = plume_settings();
    settings.surface_count = SHAPES;
    for (int n = 0; n < SHAPES; n++) {
        settings.surfaces[n] = (BrumeSurface){
            .shape = shapes[n], {0.3f + 0.05f * (float)n, 0.6f - 0.04f * (float)n, 0.2f + 0.1f * (float)(n % 3)}};
    }
    RenderedPlume plume = create_plume_under(settings);
    const BrumeGlDraw draw = gl_whole_picture();
    cpu_draw(plume.lit, &plume.settings, &plume_camera, 1, cpu_rgb);
    gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
    assert_true(psnr("traced_solids", cpu_rgb, gl_rgb) >= 45.0);
    // each of them is seen: without it, the picture differs
    for (int n = 0; n < SHAPES; n++) {
        BrumeRenderSettings without = settings;
        without.surfaces[n] = settings.surfaces[settings.surface_count - 1];
        without.surface_count--;
        BrumeRenderer *lit = light(&plume.volume, &without);
        BrumeError error;
        assert_int_equal(brume_gl_renderer_load(plume.renderer, lit, NULL, &error), BRUME_OK);
        gl_draw(plume.renderer, &plume_camera, &draw, other_rgb);
        assert_true(psnr("without one", gl_rgb, other_rgb) < 34.0);
        brume_renderer_destroy(lit);
    }
    brume_mesh_release(mesh);
    brume_mesh_release(disc);
    brume_samples_release(samples);
    destroy_plume(&plume);
}

// a torus with texture coordinates, and a texture of its own or NULL
static BrumeMesh *unwrapped_torus(const BrumeTexture *texture)
{
    TestMesh triangles = {0};
    test_mesh_add_torus(&triangles, 48, 24, 0.16f, 0.07f);
    const int corners = 3 * triangles.count;
    int *indices = malloc((size_t)corners * sizeof *indices);
    float *uvs = malloc(2 * (size_t)corners * sizeof *uvs);
    int *texture_of = calloc((size_t)triangles.count, sizeof *texture_of);
    assert_true(indices && uvs && texture_of);
    for (int n = 0; n < triangles.count; n += 3) { // a third of the triangles has none
        texture_of[n] = -1;
    }
    for (int n = 0; n < corners; n++) {
        const BrumeVec3 p = triangles.triangles[n / 3][n % 3];
        indices[n] = n;
        uvs[2 * n] = 3.0f * p.x / 0.46f;
        uvs[2 * n + 1] = p.z / 0.46f;
    }
    const BrumeMeshDef def = {.vertex_count = corners,
                              .positions = triangles.triangles[0],
                              .triangle_count = triangles.count,
                              .corners = indices,
                              .uvs = uvs,
                              .texture_count = 1,
                              .textures = texture ? &texture : NULL,
                              .texture_of = texture ? texture_of : NULL};
    BrumeMesh *mesh = NULL;
    assert_int_equal(brume_mesh_create(&mesh, &def, NULL), BRUME_OK);
    free(indices);
    free(uvs);
    free(texture_of);
    free(triangles.triangles);
    return mesh;
}

// two pictures of colored squares without symmetry
static BrumeTexture *squares(void)
{
    enum { WIDTH = 24, HEIGHT = 16 };
    const BrumeTextureDef def = {.width = WIDTH, .height = HEIGHT, .frames = 2, .first = 1};
    BrumeTexture *texture = NULL;
    BrumeError error;
    assert_int_equal(brume_texture_create(&texture, &def, &error), BRUME_OK);
    for (int frame = 0; frame < 2; frame++) {
        float rgb[HEIGHT][WIDTH][3];
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                const float square = (x / 4 + y / 4 + frame) % 2 ? 0.9f : 0.2f;
                rgb[y][x][0] = square;
                rgb[y][x][1] = (float)(x + 1) / WIDTH;
                rgb[y][x][2] = square * (float)(y + 1) / HEIGHT;
            }
        }
        brume_texture_fill(texture, frame, rgb[0][0]);
    }
    return texture;
}

// each shape with a texture, whose second picture differs from the first
static void test_textures(void **state)
{
    (void)state;
    BrumeTexture *texture = squares();
    BrumeMesh *mesh = unwrapped_torus(NULL);
    BrumeMesh *textured = unwrapped_torus(texture);
    const BrumeShape shapes[] = {
        {.kind = BRUME_SHAPE_SPHERE, .a = {-0.75f, 0.3f, 0.2f}, .radius = 0.2f, .rotation = {20.0f, 40.0f, 0.0f}},
        {.kind = BRUME_SHAPE_BOX,
         .a = {-0.5f, 0.05f, 0.3f},
         .b = {-0.2f, 0.35f, 0.6f},
         .rotation = {15.0f, 35.0f, 0.0f}},
        {.kind = BRUME_SHAPE_CYLINDER, .a = {0.0f, 0.1f, 0.3f}, .b = {0.2f, 0.5f, 0.5f}, .radius = 0.14f},
        {.kind = BRUME_SHAPE_CAPSULE, .a = {0.5f, 0.5f, 0.2f}, .b = {0.5f, 0.2f, 0.3f}, .radius = 0.12f},
        {.kind = BRUME_SHAPE_CONE,
         .a = {0.8f, 0.1f, 0.0f},
         .b = {0.8f, 0.5f, 0.1f},
         .radius = 0.2f,
         .second_radius = 0.1f,
         .scale = {1.0f, 1.2f, 0.7f}},
        {.kind = BRUME_SHAPE_TORUS,
         .a = {-0.6f, 0.8f, 0.2f},
         .radius = 0.2f,
         .second_radius = 0.08f,
         .rotation = {60.0f, 0.0f, 20.0f}},
        {.kind = BRUME_SHAPE_MESH, .mesh = mesh, .position = {0.15f, 0.8f, 0.4f}, .rotation = {50.0f, 0.0f, 0.0f}},
        {.kind = BRUME_SHAPE_PLANE, .a = {0.0f, 0.02f, 0.0f}, .rotation = {4.0f, 20.0f, 5.0f}},
    };
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    BrumeRenderSettings settings = plume_settings();
    settings.surface_count = SHAPES + 1;
    settings.surfaces[SHAPES] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_MESH, .mesh = textured, .position = {0.6f, 0.9f, 0.3f}},
                       .albedo = {0.9f, 0.7f, 0.8f}};
    for (int n = 0; n < SHAPES; n++) {
        settings.surfaces[n] = (BrumeSurface){
            .shape = shapes[n], .albedo = {0.8f, 0.8f, 0.8f}, .texture = texture, .texture_frame = n % 2};
    }
    RenderedPlume plume = create_plume_under(settings);
    const BrumeGlDraw draw = gl_whole_picture();
    cpu_draw(plume.lit, &plume.settings, &plume_camera, 1, cpu_rgb);
    gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
    assert_true(psnr("textures", cpu_rgb, gl_rgb) >= 40.0);
    // the picture of each of them is seen: with the other one, it differs
    for (int n = 0; n < SHAPES; n++) {
        BrumeRenderSettings other = settings;
        other.surfaces[n].texture_frame = 1 - other.surfaces[n].texture_frame;
        BrumeRenderer *lit = light(&plume.volume, &other);
        BrumeError error;
        assert_int_equal(brume_gl_renderer_load(plume.renderer, lit, NULL, &error), BRUME_OK);
        gl_draw(plume.renderer, &plume_camera, &draw, other_rgb);
        assert_true(psnr("another picture on one", gl_rgb, other_rgb) < 37.0);
        brume_renderer_destroy(lit);
    }
    BrumeRenderSettings other = settings;
    other.surfaces[SHAPES].shape.mesh = mesh; // without its own texture
    BrumeRenderer *lit = light(&plume.volume, &other);
    BrumeError error;
    assert_int_equal(brume_gl_renderer_load(plume.renderer, lit, NULL, &error), BRUME_OK);
    gl_draw(plume.renderer, &plume_camera, &draw, other_rgb);
    assert_true(psnr("no texture of its own", cpu_rgb, other_rgb) < 37.0);
    brume_renderer_destroy(lit);
    brume_mesh_release(mesh);
    brume_mesh_release(textured);
    brume_texture_release(texture);
    destroy_plume(&plume);
}

// a plume that is hottest at its foot and glows in the dark
static void test_glowing_plume(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(48, 1);
    const int cells = volume.nx * volume.ny * volume.nz;
    float *temperature = malloc((size_t)cells * sizeof *temperature);
    assert_non_null(temperature);
    for (int n = 0; n < cells; n++) {
        const int i = n % volume.nx;
        const int j = n / volume.nx % volume.ny;
        temperature[n] = 1500.0f * expf(-0.03f * (float)j) + (float)(i % 7);
    }
    volume.temperature = temperature;
    BrumeParticle particles[24]; // plates and spheres around it, which it lights
    const BrumeVec3 half =
        brume_scale(brume_vec3((float)volume.nx, (float)volume.ny, (float)volume.nz), 0.5f * volume.dx);
    for (int n = 0; n < 24; n++) {
        const float angle = 0.7f * (float)n;
        const BrumeVec3 outwards = brume_vec3(cosf(angle), 0.0f, sinf(angle));
        particles[n] = (BrumeParticle){
            .position = {volume.origin.x + half.x * (1.0f + 0.8f * outwards.x),
                         volume.origin.y + half.y * (0.1f + 0.05f * (float)n),
                         volume.origin.z + half.z * (1.0f + 0.8f * outwards.z)},
            .normal = n % 3 > 0 ? brume_normalize(brume_vec3(outwards.x, (float)(n % 5) - 2.0f, outwards.z))
                                : brume_vec3(0.0f, 0.0f, 0.0f),
            .diameter = 0.12f,
            .kind = n % 3 > 0 ? BRUME_PARTICLE_LEAVES : BRUME_PARTICLE_DUST,
            .id = (uint32_t)n,
        };
    }
    volume.particles = particles;
    volume.particle_count = 24;
    BrumeRenderSettings settings = plume_settings();
    settings.light_count = 1;
    settings.lights[0].intensity = 0.3f;
    settings.sky_zenith = brume_vec3(0.02f, 0.03f, 0.05f);
    settings.sky_horizon = brume_vec3(0.05f, 0.05f, 0.06f);
    settings.emission.intensity = 0.04f;
    BrumeRenderer *lit = light(&volume, &settings);
    BrumeGlRenderer *renderer = make_renderer(lit);
    const BrumeGlDraw draw = gl_whole_picture();
    cpu_draw(lit, &settings, &plume_camera, 1, cpu_rgb);
    gl_draw(renderer, &plume_camera, &draw, gl_rgb);
    assert_true(psnr("glow", cpu_rgb, gl_rgb) >= 38.0);
    // the glow has an effect: without it, the picture differs
    settings.emission.intensity = 0.0f;
    BrumeRenderer *dark = light(&volume, &settings);
    cpu_draw(dark, &settings, &plume_camera, 1, other_rgb);
    assert_true(psnr("glow_and_none", cpu_rgb, other_rgb) < 30.0);
    int reduced = 0;
    BrumeError error;
    assert_int_equal(brume_gl_renderer_load(renderer, dark, &reduced, &error), BRUME_OK);
    gl_draw(renderer, &plume_camera, &draw, gl_rgb);
    assert_true(psnr("glow_off", other_rgb, gl_rgb) >= 38.0);
    brume_gl_renderer_destroy(renderer);
    brume_renderer_destroy(dark);
    brume_renderer_destroy(lit);
    free(temperature);
    plume_destroy(&volume);
}

// a coarse plume by monotone cubics, ray for ray
static void test_cubic_interpolation(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(16, 0);
    const BrumeGlDraw draw = gl_whole_picture();
    BrumeRenderSettings settings = plume_settings();
    settings.interpolation = BRUME_INTERPOLATION_CUBIC;
    BrumeRenderer *lit = light(&volume, &settings);
    BrumeGlRenderer *renderer = make_renderer(lit);
    cpu_draw(lit, &settings, &plume_camera, 1, cpu_rgb);
    gl_draw(renderer, &plume_camera, &draw, gl_rgb);
    assert_true(psnr("cubic", cpu_rgb, gl_rgb) >= 50.0);
    settings.interpolation = BRUME_INTERPOLATION_LINEAR;
    brume_renderer_destroy(lit);
    lit = light(&volume, &settings);
    cpu_draw(lit, &settings, &plume_camera, 1, other_rgb);
    assert_true(psnr("cubic_and_linear", cpu_rgb, other_rgb) < 50.0); // the limit of equal pictures
    brume_gl_renderer_destroy(renderer);
    brume_renderer_destroy(lit);
    plume_destroy(&volume);
}

// The smoke in a small part of the box: the textures have this part alone, and the pictures are those of the CPU, with
// linear and cubic interpolation, ray for ray.
static void test_smoke_in_a_part_of_the_box(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(64, 1);
    for (int kind = 1; kind < 3; kind++) {
        float *density = (float *)volume.density[kind];
        for (int n = 0; n < 64 * 96 * 64; n++) {
            const int i = n % 64;
            const int j = n / 64 % 96;
            const int k = n / (64 * 96);
            const bool inside = i >= 44 && i < 52 && j >= 44 && j < 52 && k >= 12 && k < 52;
            density[n] = inside ? (kind == 1 ? 0.02f * (float)k : 0.6f) : 0.0f;
        }
    }
    const BrumeGlDraw draw = gl_whole_picture();
    for (int cubic = 0; cubic < 2; cubic++) {
        BrumeRenderSettings settings = plume_settings();
        settings.interpolation = cubic ? BRUME_INTERPOLATION_CUBIC : BRUME_INTERPOLATION_LINEAR;
        BrumeRenderer *lit = light(&volume, &settings);
        BrumeGlRenderer *renderer = make_renderer(lit);
        const BrumeGlTexture *texture =
            &renderer->textures[BRUME_GL_KINDS]; // 9 cells around the smoke, to multiples of 16
        assert_int_equal(texture->nx, 32);
        assert_int_equal(texture->ny, 32);
        assert_int_equal(texture->nz, 64);
        cpu_draw(lit, &settings, &plume_camera, 1, cpu_rgb);
        gl_draw(renderer, &plume_camera, &draw, gl_rgb);
        assert_true(psnr(cubic ? "part_cubic" : "part", cpu_rgb, gl_rgb) >= 48.0);
        brume_gl_renderer_destroy(renderer);
        brume_renderer_destroy(lit);
    }
    plume_destroy(&volume);
}

// every phase function, ray for ray
static void test_phase_functions(void **state)
{
    (void)state;
    BrumeVolume volume = plume_create(32, 0);
    const BrumeGlDraw draw = gl_whole_picture();
    for (int kind = BRUME_PHASE_TWO_LOBES; kind <= BRUME_PHASE_DROPLETS; kind++) {
        BrumeRenderSettings settings = plume_settings();
        settings.phase.kind = (BrumePhaseKind)kind;
        settings.lights[0].direction = brume_vec3(0.2f, -0.3f, 1.0f); // towards the camera
        BrumeRenderer *lit = light(&volume, &settings);
        BrumeGlRenderer *renderer = make_renderer(lit);
        cpu_draw(lit, &settings, &plume_camera, 1, cpu_rgb);
        gl_draw(renderer, &plume_camera, &draw, gl_rgb);
        assert_true(psnr(kind == BRUME_PHASE_DROPLETS ? "droplets" : "two_lobes", cpu_rgb, gl_rgb) >= 50.0);
        settings.phase.kind = BRUME_PHASE_HENYEY_GREENSTEIN;
        brume_renderer_destroy(lit);
        lit = light(&volume, &settings);
        cpu_draw(lit, &settings, &plume_camera, 1, other_rgb);
        assert_true(psnr("another_phase", gl_rgb, other_rgb) < 45.0);
        brume_gl_renderer_destroy(renderer);
        brume_renderer_destroy(lit);
    }
    plume_destroy(&volume);
}

// lights that have a size or a cone: also the shadow rays of both renderers are the same
static void test_sources_ray_for_ray(void **state)
{
    (void)state;
    RenderedPlume plume = create_plume_under(sources());
    const BrumeGlDraw draw = gl_whole_picture();
    cpu_draw(plume.lit, &plume.settings, &plume_camera, 1, cpu_rgb);
    gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
    assert_true(psnr("sources", cpu_rgb, gl_rgb) >= 38.0);
    destroy_plume(&plume);
}

static void test_parallel_rays_ray_for_ray(void **state)
{
    (void)state;
    RenderedPlume plume = create_plume(BRUME_GROUND_PLAIN);
    const BrumeGlDraw draw = gl_whole_picture();
    BrumeCamera camera = plume_camera;
    camera.projection = BRUME_ORTHOGRAPHIC;
    camera.height = 1.7f;
    cpu_draw(plume.lit, &plume.settings, &camera, 1, cpu_rgb);
    gl_draw(plume.renderer, &camera, &draw, gl_rgb);
    assert_true(psnr("orthographic", cpu_rgb, gl_rgb) >= 40.0);
    BrumeGlDraw reduced = draw;
    reduced.shrink = 2;
    gl_draw(plume.renderer, &camera, &reduced, other_rgb);
    assert_true(psnr("orthographic_shrink_2", gl_rgb, other_rgb) >= 30.0);

    // the projection matrix maps the points of each ray to its pixel
    const BrumePictureRays rays = brume_picture_rays(&camera, GL_WIDTH, GL_HEIGHT);
    float matrix[16];
    brume_gl_projection(&camera, (float)GL_WIDTH / (float)GL_HEIGHT, matrix);
    const BrumeRay ray = brume_picture_ray(&rays, 40.0f, 150.0f);
    for (int n = 1; n <= 8; n *= 2) {
        const BrumeVec3 at = brume_ray_at(&ray, 0.5f * (float)n);
        const float point[4] = {at.x, at.y, at.z, 1.0f};
        double clip[4] = {0.0, 0.0, 0.0, 0.0};
        for (int m = 0; m < 16; m++) {
            clip[m % 4] += (double)matrix[m] * (double)point[m / 4];
        }
        assert_near("x", (0.5 + 0.5 * clip[0] / clip[3]) * GL_WIDTH, 40.0, 1e-3);
        assert_near("y", (0.5 - 0.5 * clip[1] / clip[3]) * GL_HEIGHT, 150.0, 1e-3);
    }
    destroy_plume(&plume);
}

// an image of the sky with a bright sun, and daylight; an image that is unchanged is not uploaded again
static void test_skies(void **state)
{
    (void)state;
    enum { COLUMNS = 128, ROWS = 64 };
    static float radiance[3 * COLUMNS * ROWS];
    for (int n = 0; n < COLUMNS * ROWS; n++) {
        const int row = n / COLUMNS;
        const float up = 1.0f - (float)row / ROWS;
        const float stripes = 0.5f + 0.5f * sinf(0.4f * (float)(n % COLUMNS));
        radiance[3 * n] = 0.1f + 0.3f * stripes;
        radiance[3 * n + 1] = 0.15f + 0.2f * up;
        radiance[3 * n + 2] = 0.1f + 0.5f * up * up;
    }
    for (int c = 0; c < 3; c++) {
        radiance[3 * (16 * COLUMNS + 30) + c] = 2000.0f;
    }
    static const char *const names[] = {"sky_constant", "sky_daylight", "sky_image"};
    BrumeVolume volume = plume_create(48, 1);
    BrumeRenderSettings settings = plume_settings();
    settings.sky.image = (BrumeSkyImage){COLUMNS, ROWS, radiance};
    settings.sky.radiance = brume_vec3(0.2f, 0.3f, 0.6f);
    settings.sky.rotation = 40.0f;
    settings.sky.intensity = 1.5f;
    const BrumeGlDraw draw = gl_whole_picture();
    for (int kind = BRUME_SKY_CONSTANT; kind <= BRUME_SKY_IMAGE; kind++) {
        settings.sky.kind = (BrumeSkyKind)kind;
        BrumeRenderer *lit = light(&volume, &settings);
        BrumeGlRenderer *renderer = make_renderer(lit);
        cpu_draw(lit, &settings, &plume_camera, 1, cpu_rgb);
        gl_draw(renderer, &plume_camera, &draw, gl_rgb);
        assert_true(psnr(names[kind - 1], cpu_rgb, gl_rgb) >= 40.0);
        if (kind == BRUME_SKY_IMAGE) {
            BrumeError error;
            const GLuint texture = renderer->textures[BRUME_GL_SKY_IMAGE].name;
            settings.sky.rotation = -100.0f; // the same image
            assert_int_equal(brume_renderer_set_settings(lit, &settings, &error), BRUME_OK);
            assert_int_equal(brume_renderer_load(lit, &volume, &error), BRUME_OK);
            brume_renderer_light(lit, NULL);
            assert_int_equal(brume_gl_renderer_load(renderer, lit, NULL, &error), BRUME_OK);
            assert_int_equal(renderer->textures[BRUME_GL_SKY_IMAGE].name, texture);
            cpu_draw(lit, &settings, &plume_camera, 1, cpu_rgb);
            gl_draw(renderer, &plume_camera, &draw, gl_rgb);
            assert_true(psnr("sky_image_turned", cpu_rgb, gl_rgb) >= 40.0);
            settings.sky.kind = BRUME_SKY_GRADIENT;
            assert_int_equal(brume_renderer_set_settings(lit, &settings, &error), BRUME_OK);
            assert_int_equal(brume_renderer_load(lit, &volume, &error), BRUME_OK);
            brume_renderer_light(lit, NULL);
            assert_int_equal(brume_gl_renderer_load(renderer, lit, NULL, &error), BRUME_OK);
            assert_int_equal(renderer->textures[BRUME_GL_SKY_IMAGE].name, 0);
            settings.sky.kind = BRUME_SKY_IMAGE;
        }
        brume_gl_renderer_destroy(renderer);
        brume_renderer_destroy(lit);
    }
    plume_destroy(&volume);
}

static void test_reduced_pictures_are_close(void **state)
{
    (void)state;
    RenderedPlume plume = create_plume(BRUME_GROUND_PLAIN);
    BrumeGlDraw draw = gl_whole_picture();
    gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
    static const double least[] = {30.0, 27.0};
    for (int n = 0; n < 2; n++) {
        draw.shrink = 2 << n;
        gl_draw(plume.renderer, &plume_camera, &draw, other_rgb);
        assert_true(psnr(n == 0 ? "shrink_2" : "shrink_4", gl_rgb, other_rgb) >= least[n]);
    }
    destroy_plume(&plume);
}

// bytes of the moments of scattered light and of the ground's map, which are coarse and never downsampled
static size_t coarse_bytes(const BrumeLitMedium *lit)
{
    const BrumeGrid cells = lit->scattered.grids[0].albedo[0].grid;
    const size_t texels = 3 * (size_t)cells.nx * (size_t)cells.ny * (size_t)(cells.nz + 2);
    return BRUME_LIGHT_MOMENTS * sizeof(uint16_t) * (texels + (size_t)BRUME_GROUND_MAP * BRUME_GROUND_MAP);
}

static void test_large_textures_are_downsampled(void **state)
{
    (void)state;
    RenderedPlume plume = create_plume(BRUME_GROUND_PLAIN);
    const BrumeGlDraw draw = gl_whole_picture();
    gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
    const size_t bytes = brume_gl_renderer_bytes(plume.renderer) - coarse_bytes(brume_renderer_lit_medium(plume.lit));
    brume_gl_renderer_limit(plume.renderer,
                            100); // the volume is 48 x 72 x 48; the lattice of the second directional light is longer
    int reduced = 0;
    BrumeError error;
    assert_int_equal(brume_gl_renderer_load(plume.renderer, plume.lit, &reduced, &error), BRUME_OK);
    gl_draw(plume.renderer, &plume_camera, &draw, other_rgb);
    print_message("downsampled by %d\n", reduced);
    brume_gl_renderer_limit(plume.renderer, 36);
    assert_int_equal(brume_gl_renderer_load(plume.renderer, plume.lit, &reduced, &error), BRUME_OK);
    assert_true(reduced >= 2);
    assert_true(brume_gl_renderer_bytes(plume.renderer) - coarse_bytes(brume_renderer_lit_medium(plume.lit)) <
                bytes / 4);
    gl_draw(plume.renderer, &plume_camera, &draw, other_rgb);
    assert_true(psnr("downsampled", gl_rgb, other_rgb) >= 28.0);
    destroy_plume(&plume);
}

// clipped columns are unchanged, and two clipped pictures make the whole
static void test_clipped_pictures_leave_the_rest(void **state)
{
    (void)state;
    RenderedPlume plume = create_plume(BRUME_GROUND_PLAIN);
    BrumeGlDraw draw = gl_whole_picture();
    for (int shrink = 1; shrink <= 3; shrink += 2) {
        draw.shrink = shrink;
        draw.clip_right = GL_WIDTH / 2 + 1;
        gl_draw(plume.renderer, &plume_camera, &draw, gl_rgb);
        for (int y = 0; y < GL_HEIGHT; y++) {
            const uint8_t *pixel = gl_rgb + 3 * (y * GL_WIDTH + draw.clip_right);
            assert_true(pixel[0] == 255 && pixel[1] == 0 && pixel[2] == 255);
            assert_false(pixel[-3] == 255 && pixel[-2] == 0 && pixel[-1] == 255);
        }
    }
    draw.shrink = 1;
    brume_gl_renderer_draw(plume.renderer, &plume_camera, &draw);
    draw.clip_left = draw.clip_right;
    draw.clip_right = GL_WIDTH;
    brume_gl_renderer_draw(plume.renderer, &plume_camera, &draw);
    gl_read_rgb(GL_WIDTH, GL_HEIGHT, other_rgb);
    const BrumeGlDraw whole = gl_whole_picture();
    gl_draw(plume.renderer, &plume_camera, &whole, gl_rgb);
    assert_memory_equal(gl_rgb, other_rgb, GL_BYTES);
    destroy_plume(&plume);
}

int main(void)
{
    if (!gl_context_create()) {
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoke),
        cmocka_unit_test(test_particles),
        cmocka_unit_test(test_detail),
        cmocka_unit_test(test_colored_smoke),
        cmocka_unit_test(test_body_and_shadow),
        cmocka_unit_test(test_every_light_and_shape_ray_for_ray),
        cmocka_unit_test(test_placed_solids_ray_for_ray),
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_traced_solids_ray_for_ray),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_glowing_plume),
        cmocka_unit_test(test_cubic_interpolation),
        cmocka_unit_test(test_smoke_in_a_part_of_the_box),
        cmocka_unit_test(test_phase_functions),
        cmocka_unit_test(test_sources_ray_for_ray),
        cmocka_unit_test(test_parallel_rays_ray_for_ray),
        cmocka_unit_test(test_skies),
        cmocka_unit_test(test_reduced_pictures_are_close),
        cmocka_unit_test(test_large_textures_are_downsampled),
        cmocka_unit_test(test_clipped_pictures_leave_the_rest),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gl_context_destroy();
    return failed;
}
