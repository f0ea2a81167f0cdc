// Particles in pictures: how much they cover, their light, and what hides them.
#include "core/memory.h"
#include "core/vec3.h"
#include "lit_renderer.h"
#include "raymarch/cpu/march.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch/cpu/sprites.h"
#include "raymarch/particle_look.h"
#include "raymarch/path/tracking.h"

#include <math.h>
#include <string.h>

enum { SIDE = 16, WIDTH = 120, HEIGHT = 80 };

static float density[SIDE * SIDE * SIDE];
static float radiance[WIDTH * HEIGHT * 3], without[WIDTH * HEIGHT * 3], alpha[WIDTH * HEIGHT];

static const BrumeCamera camera = {
    .position = {0.5f, 0.5f, 4.0f}, .target = {0.5f, 0.5f, 0.0f}, .field_of_view = 20.0f};

// pixels of a meter at a distance
static double scale_at(double distance) { return 0.5 * HEIGHT / tan(10.0 * 3.14159265358979 / 180.0) / distance; }

// a sun from behind the camera, no sky, no ground
static BrumeRenderSettings bare_settings(void)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false;
    settings.sky_zenith = settings.sky_horizon = brume_vec3(0.0f, 0.0f, 0.0f);
    settings.lights[0] = (BrumeLight){.kind = BRUME_LIGHT_DIRECTIONAL,
                                      .direction = {0.0f, 0.0f, -1.0f},
                                      .color = {1.0f, 1.0f, 1.0f},
                                      .intensity = 3.0f};
    settings.particles[BRUME_PARTICLE_DUST].albedo = brume_vec3(0.5f, 0.25f, 1.0f);
    settings.particles[BRUME_PARTICLE_LEAVES].albedo = brume_vec3(0.5f, 0.5f, 0.5f);
    settings.particles[BRUME_PARTICLE_LEAVES].variation = 0.0f;
    return settings;
}

static BrumeVolume volume_of(const BrumeParticle *particles, int count)
{
    BrumeVolume volume = brume_volume_from_array(density, SIDE, SIDE, SIDE, 1.0f / SIDE, brume_vec3(0.0f, 0.0f, 0.0f));
    volume.particles = particles;
    volume.particle_count = count;
    return volume;
}

static void draw(const BrumeParticle *particles, int count, const BrumeRenderSettings *settings,
                 const BrumePictureLayers *layers, float *picture)
{
    const BrumeVolume volume = volume_of(particles, count);
    BrumeRenderer *renderer = create_lit(&volume, settings);
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = 1, .layers = layers};
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, picture, NULL), BRUME_OK);
    brume_renderer_destroy(renderer);
}

static double sum_of(const float *picture, int color)
{
    double sum = 0.0;
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        sum += (double)picture[3 * n + color];
    }
    return sum;
}

// a sphere that faces its light has the mean radiance albedo E 2 / (3 pi), in large and in points
static void spheres_have_their_light(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = bare_settings();
    const double diameters[] = {0.4, 0.1, 0.01, 0.002};
    for (int n = 0; n < 4; n++) {
        const BrumeParticle particle = {.position = {0.52f, 0.47f, 0.5f}, .diameter = (float)diameters[n]};
        draw(&particle, 1, &settings, NULL, radiance);
        const double radius = 0.5 * diameters[n] * scale_at(3.5);
        const double expected = 3.14159265 * radius * radius * 3.0 * 2.0 / (3.0 * 3.14159265);
        for (int color = 0; color < 3; color++) {
            const double albedo[] = {0.5, 0.25, 1.0};
            const double sum = sum_of(radiance, color);
            assert_true(fabs(sum - albedo[color] * expected) <= (n < 2 ? 0.02 : 0.15) * albedo[color] * expected);
        }
    }
}

// a plate covers the area of its disc times the cosine; a leaf 4/3 of the square of its half length; motion keeps both
static void plates_cover_their_area(void **state)
{
    (void)state;
    BrumeRenderSettings settings = bare_settings();
    for (int variant = 0; variant < 6; variant++) {
        const bool leaf = variant % 2 == 1;
        const float cosine = variant < 2 ? 1.0f : 0.6f;
        settings.particles[BRUME_PARTICLE_LEAVES].outline = leaf ? BRUME_OUTLINE_LEAF : BRUME_OUTLINE_DISC;
        settings.shutter = variant < 4 ? 0.0f : 0.02f;
        const BrumeParticle particle = {.position = {0.5f, 0.5f, 0.5f},
                                        .velocity = {6.0f, 3.0f, 0.0f},
                                        .normal = {sqrtf(1.0f - cosine * cosine), 0.0f, cosine},
                                        .diameter = 0.3f,
                                        .kind = BRUME_PARTICLE_LEAVES,
                                        .id = 7};
        memset(alpha, 0, sizeof alpha);
        const BrumePictureLayers layers = {.alpha = alpha};
        draw(&particle, 1, &settings, &layers, radiance);
        double sum = 0.0;
        for (int n = 0; n < WIDTH * HEIGHT; n++) {
            sum += (double)alpha[n];
        }
        const double radius = 0.15 * scale_at(3.5);
        const double expected = (double)cosine * radius * radius * (leaf ? 4.0 / 3.0 : 3.14159265);
        assert_true(fabs(sum - expected) <= (variant < 4 ? 0.03 : 0.12) * expected);
    }
}

static double difference(const BrumeParticle *particle, const BrumeRenderSettings *settings)
{
    draw(particle, 1, settings, NULL, radiance);
    draw(NULL, 0, settings, NULL, without);
    double sum = 0.0;
    for (int n = 0; n < 3 * WIDTH * HEIGHT; n++) {
        sum += fabs((double)radiance[n] - (double)without[n]);
    }
    return sum;
}

// A leaf that lies on the ground beside a glowing ball of smoke is as bright as the ground would be there, with either
// side up.
static void fire_lights_them(void **state)
{
    (void)state;
    static float kelvin[SIDE * SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        const int cell[3] = {n % SIDE, n / SIDE % SIDE, n / (SIDE * SIDE)};
        const BrumeVec3 at = {((float)cell[0] + 0.5f) / SIDE - 0.5f, ((float)cell[1] + 0.5f) / SIDE - 0.4f,
                              ((float)cell[2] + 0.5f) / SIDE - 0.5f};
        density[n] = brume_clamp((0.25f - brume_length(at)) / 0.08f, 0.0f, 1.0f);
        kelvin[n] = density[n] > 0.0f ? 1400.0f : 0.0f;
    }
    BrumeRenderSettings settings = bare_settings();
    settings.light_count = 0;
    settings.ground = true;
    settings.ground_albedo = brume_vec3(0.5f, 0.5f, 0.5f);
    settings.smoke[0].extinction = 15.0f;
    settings.smoke[0].albedo = brume_vec3(0.2f, 0.2f, 0.2f);
    settings.emission.intensity = 1.0f;
    settings.particles[BRUME_PARTICLE_LEAVES].translucency = 0.0f;
    BrumeVolume volume = volume_of(NULL, 0);
    volume.temperature = kelvin;
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const BrumeLitMedium *lit = brume_renderer_lit_medium(renderer);
    const BrumeParticle particles[] = {
        {.position = {0.85f, 0.02f, 0.5f},
         .normal = {0.0f, 1.0f, 0.0f},
         .diameter = 0.01f,
         .kind = BRUME_PARTICLE_LEAVES},
        {.position = {0.5f, 0.02f, 0.1f},
         .normal = {0.0f, -1.0f, 0.0f},
         .diameter = 0.01f,
         .kind = BRUME_PARTICLE_LEAVES,
         .id = 1},
    };
    const BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    for (int n = 0; n < 2; n++) {
        BrumeCamera above = camera;
        above.target = particles[n].position;
        above.position = brume_add(particles[n].position, brume_vec3(0.0f, 3.0f, 0.01f));
        BrumeSprite *sprite;
        int count;
        assert_int_equal(brume_sprites_create(&sprite, &count, lit, &particles[n], 1, &above, &def, NULL), BRUME_OK);
        assert_int_equal(count, 1);
        const BrumeRay down = {{particles[n].position.x, 1e-4f, particles[n].position.z}, {0.0f, -1.0f, 0.0f}};
        const BrumeVec3 ground = brume_ray_radiance(lit, &down, (BrumeMarchSteps){1.0f, 0.5f, 0.0f});
        const double ratio = (double)(sprite->radiance.x / ground.x);
        print_message("leaf on the ground over the ground: %.3f\n", ratio);
        assert_true(fabs(ratio - 1.0) < 0.25); // the ground has the light of every cell, the leaf its moments
        brume_free(sprite);
    }
    brume_renderer_destroy(renderer);
    memset(density, 0, sizeof density);
}

// smoke in front of a particle hides it by its transmittance, a solid wholly; behind the camera it is not drawn
static void what_is_in_front_hides_them(void **state)
{
    (void)state;
    BrumeRenderSettings settings = bare_settings();
    settings.particles[BRUME_PARTICLE_DUST].glow = 2000.0f; // its light does not depend on the smoke
    settings.particles[BRUME_PARTICLE_DUST].albedo = brume_vec3(0.0f, 0.0f, 0.0f);
    const BrumeParticle behind = {.position = {0.5f, 0.5f, -0.5f}, .diameter = 0.1f};
    const double bare = difference(&behind, &settings);
    assert_true(bare > 0.0);
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        density[n] = 1.0f;
    }
    settings.smoke[0].extinction = 1.0f;
    settings.smoke[0].albedo = brume_vec3(0.0f, 0.0f, 0.0f);
    const double dimmed = difference(&behind, &settings);
    memset(density, 0, sizeof density);
    assert_true(fabs(dimmed - exp(-1.0) * bare) <= 0.03 * bare);
    settings.surface_count = 1;
    settings.surfaces[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.5f, 0.5f}, .radius = 0.3f};
    assert_true(difference(&behind, &settings) == 0.0);
    settings.surface_count = 0;
    const BrumeParticle at_back = {.position = {0.5f, 0.5f, 4.5f}, .diameter = 0.1f};
    assert_true(difference(&at_back, &settings) == 0.0);
}

// embers cool: their light falls with their age; those that do not glow add nothing
static void embers_cool(void **state)
{
    (void)state;
    BrumeParticleLook look = bare_settings().particles[BRUME_PARTICLE_EMBERS];
    const BrumeVec3 young = brume_particle_glow(&look, 0.0f, 293.0f);
    const BrumeVec3 old = brume_particle_glow(&look, 3.0f, 293.0f);
    assert_true(young.x > 10.0f * old.x && old.x > 0.0f && young.x > young.y && young.y >= young.z);
    look.glow = 0.0f;
    assert_true(brume_is_zero(brume_particle_glow(&look, 0.0f, 293.0f)));
}

// the sprites of a crop are those of the whole picture, and the path tracer has them too
static void crops_and_paths_have_them(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = bare_settings();
    BrumeParticle particles[40];
    for (int n = 0; n < 40; n++) {
        particles[n] = (BrumeParticle){.position = {0.2f + 0.015f * (float)n, 0.5f + 0.2f * sinf((float)n), 0.5f},
                                       .diameter = 0.02f + 0.002f * (float)n,
                                       .id = (uint32_t)n};
    }
    const BrumeVolume volume = volume_of(particles, 40);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    BrumeDrawDef def = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, radiance, NULL), BRUME_OK);
    def.crop = (BrumePictureCrop){30, 20, 90, 61};
    assert_int_equal(brume_renderer_draw(renderer, &camera, &def, without, NULL), BRUME_OK);
    for (int y = 20; y < 61; y++) {
        assert_memory_equal(&without[3 * 60 * (y - 20)], &radiance[3 * (WIDTH * y + 30)], 3 * 60 * sizeof(float));
    }
    def.crop = (BrumePictureCrop){0};
    const BrumeTraceDef trace = {.bounces = 2};
    BrumeTraceResult result;
    assert_int_equal(brume_renderer_trace(renderer, &camera, &def, &trace, without, &result, NULL), BRUME_OK);
    assert_memory_equal(without, radiance, sizeof radiance); // there is nothing else in the picture
    brume_renderer_destroy(renderer);
}

// a slab of dust, in layers along z, of 4 x `per_cell`^2 particles in a cell, in the cells from 2 to before 14
static BrumeParticle *dust_slab(int per_cell, float diameter, int *count)
{
    const int side = 12 * per_cell;
    *count = side * side * 4;
    BrumeParticle *dust = brume_alloc((size_t)*count, sizeof *dust);
    assert_non_null(dust);
    for (int n = 0; n < *count; n++) {
        const int layer = n / (side * side);
        dust[n].position = brume_vec3((2.0f + ((float)(n % side) + 0.5f) / (float)per_cell) / SIDE,
                                      (2.0f + ((float)(n / side % side) + 0.5f) / (float)per_cell) / SIDE,
                                      (6.5f + (float)layer) / SIDE);
        dust[n].diameter = diameter;
        dust[n].id = (uint32_t)n;
    }
    return dust;
}

// Light behind a slab of dust is attenuated by exp(-cross section per area), in the light volumes and along paths; what
// the camera sees through is not.
static void dense_particles_cast_shadow(void **state)
{
    (void)state;
    BrumeRenderSettings settings = bare_settings();
    int count;
    BrumeParticle *dust = dust_slab(4, 0.01f, &count);
    const BrumeVolume volume = volume_of(dust, count);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const double area = 0.25 * 3.14159265 * 1e-4;
    const double per_area = 4.0 * 16.0 * SIDE * SIDE;
    const double expected = exp(-area * per_area);
    const float root = brume_sweep_at_any_point(&renderer->lit.directional[0], brume_vec3(8.0f, 8.0f, 2.0f));
    const double swept = pow((double)root, 8.0);
    assert_true(fabs(swept - expected) <= 1e-3 * expected);

    const BrumeRay ray = {.origin = {0.5f, 0.5f, 2.0f / SIDE}, .direction = {0.0f, 0.0f, 1.0f}};
    double traced = 0.0;
    for (int n = 0; n < 20000; n++) {
        BrumePathSampler sampler = brume_path_sampler(0, 0, 0, (uint32_t)n);
        traced += (double)brume_track_transmittance(brume_lit_medium_shading(&renderer->lit), &ray, 1.0f, &sampler);
    }
    assert_true(fabs(traced / 20000.0 - expected) <= 0.01);
    assert_true(brume_march_transmittance(&renderer->lit, &ray, 1.0f) == 1.0f);
    brume_renderer_destroy(renderer);
    brume_free(dust);
}

// a leaf of twice the side of a cell keeps the light that falls on it
static void one_particle_hardly_shades_itself(void **state)
{
    (void)state;
    const BrumeRenderSettings settings = bare_settings();
    const BrumeParticle leaf = {.position = {0.52f, 0.49f, 0.51f},
                                .normal = {0.0f, 0.0f, 1.0f},
                                .diameter = 2.0f / SIDE,
                                .kind = BRUME_PARTICLE_LEAVES};
    const BrumeVolume volume = volume_of(&leaf, 1);
    BrumeRenderer *renderer = create_lit(&volume, &settings);
    const BrumeVec3 cells = brume_scale(leaf.position, SIDE);
    const double root = (double)brume_sweep_at_any_point(&renderer->lit.directional[0], cells);
    const double transmittance = pow(root, 8.0);
    assert_true(transmittance < 1.0 && transmittance > 0.97);
    brume_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fire_lights_them),
        cmocka_unit_test(dense_particles_cast_shadow),
        cmocka_unit_test(one_particle_hardly_shades_itself),
        cmocka_unit_test(spheres_have_their_light),
        cmocka_unit_test(plates_cover_their_area),
        cmocka_unit_test(what_is_in_front_hides_them),
        cmocka_unit_test(embers_cool),
        cmocka_unit_test(crops_and_paths_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
