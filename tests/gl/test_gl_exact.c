// Properties of the OpenGL renderer's pictures with exact answers, and unusual cameras, volumes and settings.
#include "core/memory.h"
#include "core/vec3.h"
#include "gl_context.h"
#include "gl_picture.h"
#include "raymarch/gl/gl_half.h"
#include "raymarch/gl/gl_renderer_internal.h"
#include "raymarch/intersect.h"
#include "raymarch/picture_rays.h"
#include "raymarch/tone.h"
#include "raymarch_check.h"
#include "raymarch_plume.h"
#include "test_mesh.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

static uint8_t rgb[GL_BYTES], other_rgb[GL_BYTES];
static float depth[GL_WIDTH * GL_HEIGHT], other_depth[GL_WIDTH * GL_HEIGHT];

static void test_halves_are_the_nearest(void **state)
{
    (void)state;
    assert_int_equal(brume_half(0.0f), 0x0000);
    assert_int_equal(brume_half(1.0f), 0x3c00);
    assert_int_equal(brume_half(0.5f), 0x3800);
    assert_int_equal(brume_half(1.0f / 3.0f), 0x3555);
    assert_int_equal(brume_half(65504.0f), 0x7bff);
    assert_int_equal(brume_half(65503.9f), 0x7bff);
    assert_int_equal(brume_half(1e30f), 0x7bff);
    assert_int_equal(brume_half(INFINITY), 0x7bff);
    assert_int_equal(brume_half(0x1p-14f), 0x0400);
    assert_int_equal(brume_half(0x1.fp-15f), 0x0000);
    assert_int_equal(brume_half(1.0f + 0x1p-11f), 0x3c00); // ties to even
    assert_int_equal(brume_half(1.0f + 0x1.8p-10f), 0x3c02);
    assert_int_equal(brume_half(0x1.ffep0f), 0x4000); // rounds up into the next exponent
    assert_int_equal(brume_half(-1.0f), 0xbc00);
    assert_int_equal(brume_half(NAN), 0x0000);
    for (int exponent = -30; exponent <= 30; exponent++) {
        const float largest = ldexpf(1.3f, exponent);
        const float scaled = largest * brume_half_scale(largest);
        assert_true(scaled >= 16384.0f && scaled < 32768.0f);
    }
    assert_true(brume_half_scale(0.0f) == 1.0f);
}

// 5 x 3 x 2 pairs, channel c of entry (i, j, k) being i + 10 j + 100 k + 1000 c, by a factor of 2
static void test_packing_takes_means_of_blocks(void **state)
{
    (void)state;
    float data[2 * 3 * 5 * 2];
    for (int n = 0; n < 60; n++) {
        const int value = n / 2 % 5 + 10 * (n / 10 % 3) + 100 * (n / 30) + 1000 * (n % 2);
        data[n] = (float)value;
    }
    const BrumeGlArrayView entries = {
        .data = data, .nx = 5, .ny = 3, .nz = 2, .channels = 2, .sy = 10, .sz = 30, .scale = 2.0f};
    uint16_t packed[60];
    brume_pack_halves(packed, &entries, 1);
    for (int n = 0; n < 60; n++) {
        assert_int_equal(packed[n], brume_half(2.0f * data[n]));
    }
    brume_pack_halves(packed, &entries, 2);
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 3; i++) {
            const float mean = (i < 2 ? 2.0f * (float)i + 0.5f : 4.0f) + (j < 1 ? 5.0f : 20.0f) + 50.0f;
            assert_int_equal(packed[2 * (3 * j + i)], brume_half(2.0f * mean));
            assert_int_equal(packed[2 * (3 * j + i) + 1], brume_half(2.0f * (mean + 1000.0f)));
        }
    }
}

// both renderers of one volume
typedef struct RendererPair {
    BrumeRenderSettings settings;
    BrumeRenderer *lit;
    BrumeGlRenderer *renderer;
} RendererPair;

static void load(RendererPair *pair, const BrumeVolume *volume)
{
    BrumeError error = {0};
    brume_renderer_destroy(pair->lit);
    assert_int_equal(brume_renderer_create(&pair->lit, volume->nx, volume->ny, volume->nz, &pair->settings, &error),
                     BRUME_OK);
    assert_int_equal(brume_renderer_load(pair->lit, volume, &error), BRUME_OK);
    brume_renderer_light(pair->lit, NULL);
    if (pair->renderer == NULL && brume_gl_renderer_create(&pair->renderer, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    if (brume_gl_renderer_load(pair->renderer, pair->lit, NULL, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void destroy_pair(RendererPair *pair)
{
    brume_gl_renderer_destroy(pair->renderer);
    brume_renderer_destroy(pair->lit);
}

// n^3 cells of one density, 1 m wide, centered over the origin
static BrumeVolume uniform_volume(int n, float density)
{
    const size_t cells = (size_t)n * (size_t)n * (size_t)n;
    float *data = brume_alloc(cells, sizeof *data);
    assert_non_null(data);
    for (size_t cell = 0; cell < cells; cell++) {
        data[cell] = density;
    }
    BrumeVolume volume = {.nx = n, .ny = n, .nz = n, .sy = n, .sz = (ptrdiff_t)n * n, .dx = 1.0f / (float)n};
    volume.origin = brume_vec3(-0.5f, -0.5f, -0.5f);
    volume.density[0] = data;
    return volume;
}

// absorbing smoke in front of a white sky transmits exp(-extinction d), d being the length of the ray inside the box
static void test_uniform_slab(void **state)
{
    (void)state;
    RendererPair pair = {.settings = brume_default_render_settings()};
    pair.settings.light_count = 0;
    pair.settings.ground = false;
    pair.settings.sky_zenith = brume_vec3(1.0f, 1.0f, 1.0f);
    pair.settings.sky_horizon = pair.settings.sky_zenith;
    pair.settings.exposure = 0.0f;
    pair.settings.tone = BRUME_TONE_LINEAR;
    pair.settings.smoke[0] = (BrumeSmokeMedium){.extinction = 2.0f};
    BrumeVolume volume = uniform_volume(24, 0.7f);
    load(&pair, &volume);
    const BrumeCamera camera = {.position = {0.3f, 0.2f, 2.0f}, .target = {0.0f, 0.0f, 0.0f}, .field_of_view = 50.0f};
    const BrumePictureRays rays = brume_picture_rays(&camera, GL_WIDTH, GL_HEIGHT);
    const float steps[] = {0.3f, 1.0f, 2.7f};
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        BrumeGlDraw draw = gl_whole_picture();
        draw.step = steps[n];
        gl_draw(pair.renderer, &camera, &draw, rgb);
        for (int y = 0; y < GL_HEIGHT; y++) {
            for (int x = 0; x < GL_WIDTH; x++) {
                const BrumeRay ray = brume_picture_ray(&rays, (float)x + 0.5f, (float)y + 0.5f);
                const BrumeRayInterval inside =
                    brume_ray_box(&ray, brume_vec3(-0.5f, -0.5f, -0.5f), brume_vec3(0.5f, 0.5f, 0.5f));
                const float inside_length = fmaxf(0.0f, inside.leave - inside.enter);
                const float shown = 255.0f * brume_srgb_from_linear(expf(-1.4f * inside_length));
                const float dithered = floorf(shown + brume_dither(x, y));
                assert_near("a slab's pixel", rgb[3 * (y * GL_WIDTH + x)], dithered, 1.0);
            }
        }
    }
    plume_destroy(&volume);
    destroy_pair(&pair);
}

// OpenGL depth of a point at the distance `ahead` in front of the camera [m], with clip planes at 0.01 m and 1 km
static double depth_at(double ahead) { return 1e3 / (1e3 - 0.01) * (1.0 - 0.01 / ahead); }

// whether rounding may decide whether a ray hits: its way inside is short, or it misses a smaller or hits a larger
// shape
static bool grazes(const BrumeRay *ray, const BrumeShape *shape)
{
    const BrumeRayInterval inside = brume_ray_shape(ray, shape, 0.0f);
    bool hits[2];
    for (int n = 0; n < 2; n++) {
        const float factor = n == 0 ? 0.99f : 1.01f;
        BrumeShape other = *shape;
        other.scale = brume_vec3(factor, factor, factor);
        const BrumeRayInterval scaled = brume_ray_shape(ray, &other, 0.0f);
        hits[n] = scaled.enter < scaled.leave;
    }
    return hits[0] != hits[1] || fabsf(inside.leave - inside.enter) < 0.05f;
}

// the depth of a sphere, cone, torus and mesh, which draw_depth writes too, without color
static void check_depth(RendererPair *pair, const BrumeShape *shape)
{
    pair->settings.surfaces[0].shape = *shape;
    BrumeVolume volume = uniform_volume(8, 0.1f);
    load(pair, &volume);
    const BrumeCamera camera = {.position = {1.5f, 0.6f, 2.0f}, .target = {0.0f, 0.1f, 0.0f}, .field_of_view = 60.0f};
    const BrumePictureRays rays = brume_picture_rays(&camera, GL_WIDTH, GL_HEIGHT);
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(&camera, &right, &up, &forward);
    BrumeGlDraw draw = gl_whole_picture();
    for (draw.shrink = 1; draw.shrink <= 3; draw.shrink += 2) {
        gl_draw(pair->renderer, &camera, &draw, rgb);
        gl_read_depth(GL_WIDTH, GL_HEIGHT, depth);
        int seen[3] = {0};
        for (int y = 0; y < GL_HEIGHT; y++) {
            for (int x = 0; x < GL_WIDTH; x++) {
                const BrumeRay ray = brume_picture_ray(&rays, (float)x + 0.5f, (float)y + 0.5f);
                const BrumeSurfaceHit hit = brume_intersect_surfaces(&pair->settings, &ray, 0.0f);
                const float cosine = brume_dot(ray.direction, forward);
                const double expected = hit.surface == -2 ? 1.0 : depth_at((double)(hit.distance * cosine));
                if (!grazes(&ray, shape)) {
                    assert_near("depth", depth[y * GL_WIDTH + x], fmin(expected, 1.0), 1e-6);
                    seen[hit.surface + 2]++;
                }
            }
        }
        assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
    }
    gl_target(GL_WIDTH, GL_HEIGHT);
    brume_gl_renderer_draw_depth(pair->renderer, &pair->settings, &camera, &draw);
    gl_read_depth(GL_WIDTH, GL_HEIGHT, other_depth);
    gl_read_rgb(GL_WIDTH, GL_HEIGHT, other_rgb);
    assert_memory_equal(depth, other_depth, sizeof depth);
    for (int n = 0; n < GL_BYTES; n += 3) {
        assert_true(other_rgb[n] == 255 && other_rgb[n + 1] == 0 && other_rgb[n + 2] == 255);
    }
    // the depth of settings with other meshes leaves the loaded ones
    BrumeRenderSettings others = pair->settings;
    TestMesh triangles = {0};
    test_mesh_add_disc(&triangles, 5, 0.3f);
    BrumeMesh *disc = test_mesh_create(&triangles);
    others.surfaces[0].shape = (BrumeShape){.kind = BRUME_SHAPE_MESH, .mesh = disc};
    brume_gl_renderer_draw_depth(pair->renderer, &others, &camera, &draw);
    gl_read_depth(GL_WIDTH, GL_HEIGHT, other_depth);
    assert_memory_not_equal(depth, other_depth, sizeof depth);
    draw.shrink = 3;
    gl_draw(pair->renderer, &camera, &draw, other_rgb);
    assert_memory_equal(rgb, other_rgb, sizeof rgb);
    brume_mesh_release(disc);
    plume_destroy(&volume);
}

static void test_depth_of_solids_and_ground(void **state)
{
    (void)state;
    RendererPair pair = {.settings = brume_default_render_settings()};
    pair.settings.ground_height = -0.6f;
    pair.settings.surface_count = 1;
    const BrumeVec3 center = {0.1f, 0.0f, 0.2f};
    TestMesh triangles = {0};
    test_mesh_add_sphere(&triangles, 3, brume_vec3(0.0f, 0.0f, 0.0f), 0.4f);
    BrumeMesh *mesh = test_mesh_create(&triangles);
    const BrumeShape shapes[] = {
        {.kind = BRUME_SHAPE_SPHERE, .a = center, .radius = 0.4f},
        {.kind = BRUME_SHAPE_CONE, .a = {0.0f, -0.4f, 0.0f}, .b = center, .radius = 0.5f, .second_radius = 0.2f},
        {.kind = BRUME_SHAPE_TORUS,
         .a = center,
         .radius = 0.4f,
         .second_radius = 0.15f,
         .rotation = {60.0f, 0.0f, 0.0f}},
        {.kind = BRUME_SHAPE_MESH, .a = center, .mesh = mesh},
    };
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        check_depth(&pair, &shapes[n]);
    }
    brume_mesh_release(mesh);
    destroy_pair(&pair);
}

// the matrix projects every point onto the pixel whose ray passes through it
static void test_projection_agrees_with_rays(void **state)
{
    (void)state;
    const BrumeCamera camera = {.position = {1.5f, 0.6f, 2.0f}, .target = {0.0f, 0.1f, 0.0f}, .field_of_view = 60.0f};
    const BrumePictureRays rays = brume_picture_rays(&camera, GL_WIDTH, GL_HEIGHT);
    float m[16];
    brume_gl_projection(&camera, (float)GL_WIDTH / (float)GL_HEIGHT, m);
    for (int n = 0; n < 50; n++) {
        const int row = n / 10;
        const float x = 6.5f * (float)(n % 10) + 3.0f;
        const float y = 30.0f * (float)row + 11.0f;
        const BrumeRay ray = brume_picture_ray(&rays, x, y);
        const BrumeVec3 p = brume_ray_at(&ray, 0.5f + 0.3f * (float)n);
        const float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
        const float clip_x = (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w;
        const float clip_y = (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w;
        assert_near("column of a point", (double)(0.5f * (clip_x + 1.0f) * GL_WIDTH), (double)x, 2e-3);
        assert_near("row of a point", (double)(0.5f * (1.0f - clip_y) * GL_HEIGHT), (double)y, 2e-3);
    }
}

static void test_seed_changes_only_the_jitter(void **state)
{
    (void)state;
    RendererPair pair = {.settings = brume_default_render_settings()};
    BrumeVolume volume = plume_create(24, 0);
    load(&pair, &volume);
    const BrumeCamera camera = {.position = {0.3f, 0.8f, 3.2f}, .target = {0.0f, 0.65f, 0.0f}, .field_of_view = 34.0f};
    BrumeGlDraw draw = gl_whole_picture();
    gl_draw(pair.renderer, &camera, &draw, rgb);
    gl_draw(pair.renderer, &camera, &draw, other_rgb);
    assert_memory_equal(rgb, other_rgb, GL_BYTES);
    draw.seed = 2;
    gl_draw(pair.renderer, &camera, &draw, other_rgb);
    assert_true(memcmp(rgb, other_rgb, GL_BYTES) != 0);
    assert_true(psnr("seeds", rgb, other_rgb) >= 38.0);
    plume_destroy(&volume);
    destroy_pair(&pair);
}

// compares the pictures of both renderers, one ray per pixel
static void compare(RendererPair *pair, const char *name, BrumeCamera camera)
{
    const BrumeGlDraw draw = gl_whole_picture();
    gl_draw(pair->renderer, &camera, &draw, rgb);
    cpu_draw(pair->lit, &pair->settings, &camera, 1, other_rgb);
    assert_true(psnr(name, other_rgb, rgb) >= 38.0);
}

// one renderer with volumes of different sizes, kinds and lights in turn, empty ones, and cameras inside solids
static void test_volumes_and_settings_in_turn(void **state)
{
    (void)state;
    const BrumeCamera front = {.position = {0.3f, 0.8f, 3.2f}, .target = {0.0f, 0.65f, 0.0f}, .field_of_view = 34.0f};
    const BrumeCamera inside = {.position = {0.02f, 0.7f, 0.1f}, .target = {0.2f, 0.9f, 0.6f}, .field_of_view = 70.0f};
    const BrumeCamera in_solid = {.position = {0.3f, 0.2f, 0.2f}, .target = {0.0f, 0.3f, 0.0f}, .field_of_view = 60.0f};
    const BrumeCamera above = {.position = {0.0f, 4.0f, 0.0f}, .target = {0.0f, 0.0f, 0.0f}, .field_of_view = 40.0f};
    const BrumeCamera below = {.position = {0.0f, -1.0f, 2.0f}, .target = {0.0f, 0.5f, 0.0f}, .field_of_view = 40.0f};
    RendererPair pair = {.settings = brume_default_render_settings()};
    pair.settings.surface_count = 1;
    pair.settings.surfaces[0] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {0.3f, 0.2f, 0.2f}, .radius = 0.15f}, {0.6f, 0.3f, 0.2f}};
    BrumeVolume plume = plume_create(32, 0);
    BrumeVolume colored = plume_create(21, 1);
    BrumeVolume empty = uniform_volume(5, 0.0f);
    BrumeVolume nothing = empty;
    nothing.density[0] = NULL;

    load(&pair, &plume);
    compare(&pair, "front", front);
    compare(&pair, "inside", inside);
    compare(&pair, "in_solid", in_solid);
    compare(&pair, "above", above);
    compare(&pair, "below", below);
    // OpenGL draws the mean of a picture on the ground, here the mean of one color
    static const float one_texel[] = {0.5f, 0.1f, 0.05f};
    pair.settings.ground_pattern = BRUME_GROUND_IMAGE;
    pair.settings.ground_image = (BrumeGroundImage){.width = 1, .height = 1, .albedo = one_texel, .size = 1.0f};
    pair.settings.ground_image.repeat = true;
    load(&pair, &plume);
    compare(&pair, "ground_image", front);
    pair.settings.ground_pattern = BRUME_GROUND_PLAIN;
    load(&pair, &colored);
    compare(&pair, "colored", front);
    load(&pair, &empty);
    compare(&pair, "empty", front);
    load(&pair, &nothing);
    compare(&pair, "nothing", front);
    pair.settings.light_count = 0;
    load(&pair, &plume);
    compare(&pair, "no_light", front);
    const size_t bytes = brume_gl_renderer_bytes(pair.renderer);
    load(&pair, &plume);
    assert_int_equal(brume_gl_renderer_bytes(pair.renderer), bytes);
    // the maximum number of lights, one of them below the ground
    pair.settings.light_count = BRUME_MAX_LIGHTS;
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        const float angle = 0.8f * (float)n;
        pair.settings.lights[n] = (BrumeLight){.kind = n % 2 == 0 ? BRUME_LIGHT_DIRECTIONAL : BRUME_LIGHT_POINT,
                                               .direction = {cosf(angle), n == 4 ? 0.4f : -0.5f, sinf(angle)},
                                               .position = {0.8f * sinf(angle), 0.9f, 0.8f * cosf(angle)},
                                               .color = {0.4f + 0.07f * (float)n, 0.5f, 1.0f - 0.1f * (float)n},
                                               .intensity = 0.5f};
    }
    load(&pair, &colored);
    compare(&pair, "eight_lights", front);
    load(&pair, &plume);
    compare(&pair, "eight_lights_gray", inside);
    plume_destroy(&plume);
    plume_destroy(&colored);
    plume_destroy(&empty);
    destroy_pair(&pair);
}

// state of OpenGL after a picture: target, blending, depth test
static void test_opengl_state_after_a_picture(void **state)
{
    (void)state;
    RendererPair pair = {.settings = brume_default_render_settings()};
    BrumeVolume volume = plume_create(16, 0);
    load(&pair, &volume);
    const BrumeCamera camera = {.position = {0.3f, 0.8f, 3.2f}, .target = {0.0f, 0.65f, 0.0f}, .field_of_view = 34.0f};
    BrumeGlDraw draw = gl_whole_picture();
    draw.shrink = 2;
    gl_target(GL_WIDTH, GL_HEIGHT);
    GLint before = 0;
    GLint after = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    glEnable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    brume_gl_renderer_draw(pair.renderer, &camera, &draw);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &after);
    assert_int_equal(before, after);
    assert_false(glIsEnabled(GL_BLEND));
    assert_true(glIsEnabled(GL_DEPTH_TEST));
    assert_false(glIsEnabled(GL_SCISSOR_TEST));
    glGetIntegerv(GL_DEPTH_FUNC, &after);
    assert_int_equal(after, GL_LESS);
    plume_destroy(&volume);
    destroy_pair(&pair);
}

int main(void)
{
    if (!gl_context_create()) {
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves_are_the_nearest),
        cmocka_unit_test(test_packing_takes_means_of_blocks),
        cmocka_unit_test(test_uniform_slab),
        cmocka_unit_test(test_depth_of_solids_and_ground),
        cmocka_unit_test(test_projection_agrees_with_rays),
        cmocka_unit_test(test_seed_changes_only_the_jitter),
        cmocka_unit_test(test_volumes_and_settings_in_turn),
        cmocka_unit_test(test_opengl_state_after_a_picture),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gl_context_destroy();
    return failed;
}
