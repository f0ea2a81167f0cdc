// Motion blur: pictures with a shutter against the mean of pictures at times while it is open, and the blur of an edge
// against its exact formula.
#include "brume/renderer.h"
#include "core/parallel/threads.h"
#include "core/vec3.h"
#include "raymarch/cpu/renderer_internal.h"
#include "raymarch_check.h"
#include "sanitized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 32, HEIGHT = 32, PIXELS = WIDTH * HEIGHT, CELLS = 32, ENTRIES = CELLS * CELLS * CELLS };
static float radiance[3 * PIXELS], other[3 * PIXELS], mean[3 * PIXELS];
static float density[ENTRIES], velocity[3][ENTRIES];
static const float dx = 1.0f / CELLS;
static const float shutter = 0.25f; // [s]

static const BrumeCamera camera = {
    .position = {0.2f, 0.9f, 3.0f}, .target = {0.0f, 0.5f, 0.0f}, .field_of_view = 26.0f, .height = 1.0f};

static BrumeRenderSettings settings_of(float shutter_time)
{
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.ground = false; // the shadow on it does not move with the smoke
    settings.shutter = shutter_time;
    settings.light_count = 1;
    settings.lights[0].direction = brume_vec3(0.0f, -1.0f, 0.0f);
    return settings;
}

// the density of a few puffs at a point of the box [m] in the middle of the exposure
static double puffs(double x, double y, double z)
{
    static const double centers[4][4] = {
        {-0.22, 0.5, 0.05, 0.09}, {0.24, 0.44, -0.06, 0.07}, {0.02, 0.62, 0.2, 0.06}, {0.1, 0.58, -0.2, 0.05}};
    double sum = 0.0;
    for (int n = 0; n < 4; n++) {
        const double distance = sqrt(pow(x - centers[n][0], 2) + pow(y - centers[n][1], 2) + pow(z - centers[n][2], 2));
        const double t = fmax(1.0 - distance / centers[n][3], 0.0);
        sum += t * t * (3.0 - 2.0 * t);
    }
    return sum;
}

// fills the arrays with the puffs, rotated by `angle` about the y axis, and the velocity of a rotation and a
// translation
static BrumeVolume fill_volume(double angle, double angular_speed, BrumeVec3 speed)
{
    for (int n = 0; n < ENTRIES; n++) {
        const int i = n % CELLS;
        const int j = n / CELLS % CELLS;
        const int k = n / CELLS / CELLS;
        const double x = (i + 0.5) / CELLS - 0.5;
        const double y = (j + 0.5) / CELLS;
        const double z = (k + 0.5) / CELLS - 0.5;
        density[n] = (float)puffs(x * cos(angle) - z * sin(angle), y, x * sin(angle) + z * cos(angle));
        velocity[0][n] = (float)(angular_speed * z) + speed.x;
        velocity[1][n] = speed.y;
        velocity[2][n] = (float)(-angular_speed * x) + speed.z;
    }
    BrumeVolume volume = brume_volume_from_array(density, CELLS, CELLS, CELLS, dx, brume_vec3(-0.5f, 0.0f, -0.5f));
    for (int axis = 0; axis < 3; axis++) {
        volume.velocity[axis] = velocity[axis];
    }
    volume.velocity_sx = 1;
    volume.velocity_sy = CELLS;
    volume.velocity_sz = (ptrdiff_t)CELLS * CELLS;
    return volume;
}

static BrumeRenderer *create(const BrumeVolume *volume, const BrumeRenderSettings *settings)
{
    BrumeRenderer *renderer = NULL;
    BrumeError error;
    assert_int_equal(brume_renderer_create(&renderer, volume->nx, volume->ny, volume->nz, settings, &error), BRUME_OK);
    assert_int_equal(brume_renderer_load(renderer, volume, &error), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    assert_int_equal(brume_renderer_bytes(renderer),
                     brume_renderer_bytes_needed(volume->nx, volume->ny, volume->nz, settings, 1));
    return renderer;
}

static void draw(const BrumeRenderer *renderer, const BrumeCamera *from, BrumeDrawDef def, bool traced, float *picture)
{
    def.width = WIDTH;
    def.height = HEIGHT;
    if (traced) {
        const BrumeTraceDef trace = {.bounces = 1};
        def.samples *= 2;
        BrumeTraceResult result;
        BrumeError error;
        assert_int_equal(brume_renderer_trace(renderer, from, &def, &trace, picture, &result, &error), BRUME_OK);
    } else {
        assert_int_equal(brume_renderer_draw(renderer, from, &def, picture, NULL), BRUME_OK);
    }
}

// root mean square difference over the mean of the pixels that differ from the sky in any of them
static double difference(const float *a, const float *b)
{
    double squares = 0.0;
    double sum = 0.0;
    for (int n = 0; n < 3 * PIXELS; n++) {
        squares += ((double)a[n] - (double)b[n]) * ((double)a[n] - (double)b[n]);
        sum += (double)b[n];
    }
    return sqrt(squares * 3.0 * PIXELS) / sum;
}

enum { TIMES = 12 };

// adds the picture of a time while the shutter is open to `mean`
static void add_picture(const BrumeRenderer *renderer, const BrumeCamera *from, int n, bool traced)
{
    draw(renderer, from, (BrumeDrawDef){.samples = 4, .seed = (uint32_t)n}, traced, other);
    for (int k = 0; k < 3 * PIXELS; k++) {
        mean[k] += other[k] / TIMES;
    }
}

static void add_time(const BrumeVolume *volume, const BrumeCamera *from, int n, bool traced)
{
    const BrumeRenderSettings settings = settings_of(0.0f);
    BrumeRenderer *renderer = create(volume, &settings);
    add_picture(renderer, from, n, traced);
    brume_renderer_destroy(renderer);
}

static double time_of(int n) { return ((n + 0.5) / TIMES - 0.5) * (double)shutter; }

// the blurred picture against the mean, and the picture without motion, which must differ far more
static void expect_mean(const char *name, const BrumeVolume *volume, bool traced, double most, double least)
{
    const BrumeRenderSettings settings = settings_of(shutter);
    BrumeRenderer *renderer = create(volume, &settings);
    draw(renderer, &camera, (BrumeDrawDef){.samples = 4 * TIMES, .seed = 99}, traced, radiance);
    brume_renderer_destroy(renderer);
    const double blurred = difference(radiance, mean);
    const BrumeRenderSettings still = settings_of(0.0f);
    renderer = create(volume, &still);
    draw(renderer, &camera, (BrumeDrawDef){.samples = 4 * TIMES, .seed = 99}, traced, radiance);
    brume_renderer_destroy(renderer);
    const double sharp = difference(radiance, mean);
    print_message("%s, %s: RMSE %.5f, without motion %.5f\n", name, traced ? "path" : "march", blurred, sharp);
    assert_below("the difference from the mean", blurred, most);
    assert_below("what motion must change", least, sharp);
}

// a translated volume is the same array at another place: there the approximation is exact
static void test_translation(void **state)
{
    (void)state;
    skip_under_sanitizers();                     // test_bits draws and traces moving smoke with fewer samples
    const BrumeVec3 speed = {0.7f, 0.5f, -0.3f}; // up to 2.8 cells to both sides
    const BrumeVolume volume = fill_volume(0.0, 0.0, speed);
    for (int traced = 0; traced < 2; traced++) {
        memset(mean, 0, sizeof mean);
        for (int n = 0; n < TIMES; n++) {
            BrumeVolume moved = volume;
            moved.origin = brume_add(volume.origin, brume_scale(speed, (float)time_of(n)));
            add_time(&moved, &camera, n, traced != 0);
        }
        expect_mean("translation", &volume, traced != 0, traced ? 0.012 : 0.004, traced ? 0.014 : 0.02);
    }
}

// straight paths instead of arcs: off by r angle^2 / 2, 0.45 cells at the outermost smoke
static void test_rotation(void **state)
{
    (void)state;
    skip_under_sanitizers();          // the same
    const double angular_speed = 2.4; // 0.3 rad to both sides
    memset(mean, 0, sizeof mean);
    for (int n = 0; n < TIMES; n++) {
        const BrumeVolume turned = fill_volume(angular_speed * time_of(n), 0.0, brume_vec3(0.0f, 0.0f, 0.0f));
        add_time(&turned, &camera, n, false);
    }
    const BrumeVolume volume = fill_volume(0.0, angular_speed, brume_vec3(0.0f, 0.0f, 0.0f));
    expect_mean("rotation", &volume, false, 0.004, 0.0055);
}

typedef struct Flight {
    BrumeCamera from;
    BrumeVec3 speed; // [m/s]
} Flight;

static BrumeCamera fly(const void *context, double time)
{
    const Flight *flight = context;
    BrumeCamera at = flight->from;
    at.position = brume_add(at.position, brume_scale(flight->speed, (float)time));
    at.target = brume_add(at.target, brume_scale(flight->speed, (float)time));
    return at;
}

static void test_flight(void **state)
{
    (void)state;
    const Flight flight = {camera, {0.5f, 0.2f, -0.4f}};
    const BrumeVolume volume = fill_volume(0.0, 0.0, brume_vec3(0.0f, 0.0f, 0.0f));
    memset(mean, 0, sizeof mean);
    const BrumeRenderSettings still = settings_of(0.0f);
    BrumeRenderer *renderer = create(&volume, &still);
    for (int n = 0; n < TIMES; n++) {
        const BrumeCamera at = fly(&flight, time_of(n));
        add_picture(renderer, &at, n, false);
    }
    brume_renderer_destroy(renderer);
    const BrumeRenderSettings settings = settings_of(shutter);
    renderer = create(&volume, &settings);
    draw(renderer, &camera, (BrumeDrawDef){.samples = 128, .camera_at = fly, .camera_context = &flight}, false,
         radiance);
    brume_renderer_destroy(renderer);
    print_message("flight: RMSE %.5f\n", difference(radiance, mean));
    assert_below("the difference from the mean", difference(radiance, mean), 0.005);
}

// a bar that turns about its end, and a ball that flies, with shadows on the ground
static BrumeRenderSettings moving_solids(float shutter_time)
{
    BrumeRenderSettings settings = settings_of(shutter_time);
    settings.ground = true;
    settings.surface_count = 2;
    settings.surfaces[0] = (BrumeSurface){.shape = {.kind = BRUME_SHAPE_BOX,
                                                    .a = {-0.05f, 0.45f, -0.1f},
                                                    .b = {0.45f, 0.55f, 0.1f},
                                                    .pivot = {-0.2f, 0.0f, 0.0f},
                                                    .rotation = {0.0f, 20.0f, 10.0f}},
                                          {0.7f, 0.3f, 0.1f}};
    settings.surfaces[1] = (BrumeSurface){
        .shape = {.kind = BRUME_SHAPE_SPHERE, .a = {-0.3f, 0.6f, 0.1f}, .radius = 0.15f}, {0.2f, 0.6f, 0.3f}};
    settings.surface_rotation_rates[0] = brume_vec3(0.0f, 0.0f, 240.0f);
    settings.surface_velocities[1] = brume_vec3(0.8f, -0.9f, 0.0f);
    return settings;
}

static void test_solids(void **state)
{
    (void)state;
    const BrumeVolume volume = fill_volume(0.0, 0.0, brume_vec3(0.0f, 0.0f, 0.0f));
    memset(density, 0, sizeof density);
    for (int traced = 0; traced < 2; traced++) {
        memset(mean, 0, sizeof mean);
        for (int n = 0; n < TIMES; n++) {
            BrumeRenderSettings settings = moving_solids(0.0f);
            settings.surfaces[0].shape.rotation.z += 240.0f * (float)time_of(n);
            settings.surfaces[1].shape.position = brume_scale(settings.surface_velocities[1], (float)time_of(n));
            BrumeRenderer *renderer = create(&volume, &settings);
            add_picture(renderer, &camera, n, traced != 0);
            brume_renderer_destroy(renderer);
        }
        double apart[2];
        for (int still = 0; still < 2; still++) {
            BrumeRenderSettings settings = moving_solids(shutter);
            if (still) {
                memset(settings.surface_velocities, 0, sizeof settings.surface_velocities);
                memset(settings.surface_rotation_rates, 0, sizeof settings.surface_rotation_rates);
            }
            BrumeRenderer *renderer = create(&volume, &settings);
            draw(renderer, &camera, (BrumeDrawDef){.samples = 8 * TIMES, .seed = 99}, traced != 0, radiance);
            apart[still] = difference(radiance, mean);
            brume_renderer_destroy(renderer);
        }
        print_message("solids, %s: RMSE %.5f, without motion %.5f\n", traced ? "path" : "march", apart[0], apart[1]);
        // the marcher takes the light from all directions from solids in the middle of the opening
        assert_below("the difference from the mean", apart[0], 0.025);
        assert_below("what motion must change", 0.08, apart[1]);
    }
}

// A black plate over the left half of a white sky, seen by parallel rays. The camera moves by 9 pixels, so that the
// edge is a ramp over 9 columns.
static void test_edge(void **state)
{
    (void)state;
    static const float nothing[8] = {0.0f};
    BrumeRenderSettings settings = settings_of(shutter);
    settings.light_count = 0;
    settings.sky_zenith = settings.sky_horizon = brume_vec3(1.0f, 1.0f, 1.0f);
    settings.surface_count = 1;
    settings.surfaces[0] =
        (BrumeSurface){.shape = {.kind = BRUME_SHAPE_BOX, .a = {-100.0f, -100.0f, -2.0f}, .b = {0.0f, 100.0f, -1.0f}}};
    const BrumeVolume volume = brume_volume_from_array(nothing, 2, 2, 2, 0.01f, brume_vec3(50.0f, 0.0f, 0.0f));
    BrumeRenderer *renderer = create(&volume, &settings);
    const double ramp = 9.0;
    const double pixel = 1.0 / HEIGHT;
    const Flight flight = {
        {.target = {0.0f, 0.0f, -1.0f}, .projection = BRUME_ORTHOGRAPHIC, .height = 1.0f},
        {(float)(ramp * pixel / (double)shutter), 0.0f, 0.0f},
    };
    for (int traced = 0; traced < 2; traced++) {
        draw(renderer, &flight.from,
             (BrumeDrawDef){.samples = 256, .seed = 3, .camera_at = fly, .camera_context = &flight}, traced != 0,
             radiance);
        double worst = 0.0;
        for (int x = 0; x < WIDTH; x++) {
            double column = 0.0;
            for (int y = 0; y < HEIGHT; y++) {
                column += (double)radiance[3 * (y * WIDTH + x)] / HEIGHT;
            }
            // the mean over the pixel of the fraction of the time in which the sky is visible
            const double middle = (x + 0.5 - 0.5 * WIDTH) / ramp + 0.5;
            const double expected = fmin(fmax(middle, 0.0), 1.0);
            const bool corner = fabs(middle) * ramp < 0.5 || fabs(middle - 1.0) * ramp < 0.5;
            worst = corner ? worst : fmax(worst, fabs(column - expected));
        }
        print_message("edge, %s: worst column %.1e\n", traced ? "path" : "march", worst);
        assert_below("the worst column", worst, 6e-3);
    }
    brume_renderer_destroy(renderer);
}

static void test_bits(void **state)
{
    (void)state;
    const BrumeVec3 speed = {0.7f, 0.5f, -0.3f};
    const Flight flight = {camera, {0.5f, 0.2f, -0.4f}};
    const BrumeDrawDef plain = {.samples = 2, .seed = 7};
    const BrumeDrawDef moving = {.samples = 2, .seed = 7, .camera_at = fly, .camera_context = &flight};
    BrumeVolume volume = fill_volume(0.0, 0.0, speed);
    const BrumeRenderSettings off = settings_of(0.0f);
    const BrumeRenderSettings on = settings_of(shutter);
    for (int traced = 0; traced < 2; traced++) {
        // without a shutter, neither velocities nor a moving camera change a bit
        BrumeRenderer *renderer = create(&volume, &off);
        draw(renderer, &camera, moving, traced != 0, radiance);
        brume_renderer_destroy(renderer);
        BrumeVolume still = volume;
        memset(still.velocity, 0, sizeof still.velocity);
        renderer = create(&still, &off);
        draw(renderer, &camera, plain, traced != 0, other);
        brume_renderer_destroy(renderer);
        assert_memory_equal(radiance, other, sizeof radiance);

        // with one, the picture depends neither on threads nor on the skipping of empty macro-cells
        renderer = create(&volume, &on);
        brume_set_threads(1);
        draw(renderer, &camera, moving, traced != 0, radiance);
        brume_set_threads(3);
        draw(renderer, &camera, moving, traced != 0, other);
        assert_memory_equal(radiance, other, sizeof radiance);
        if (!traced) {
            renderer->lit.medium.skip_empty = false;
            draw(renderer, &camera, moving, false, other);
            assert_memory_equal(radiance, other, sizeof radiance);
        }
        brume_renderer_destroy(renderer);
    }
    // equal velocities on the faces and at the centers; values that are not finite count as 0
    BrumeRenderer *renderer = create(&volume, &on);
    volume.nx = volume.ny = volume.nz = CELLS - 1;
    assert_int_equal(brume_renderer_load(renderer, &volume, NULL), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    draw(renderer, &camera, plain, false, radiance);
    volume.velocity_on_faces = true;
    assert_int_equal(brume_renderer_load(renderer, &volume, NULL), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    draw(renderer, &camera, plain, false, other);
    assert_memory_equal(radiance, other, sizeof radiance);
    for (int n = 0; n < ENTRIES; n++) {
        velocity[0][n] = NAN;
        velocity[1][n] = INFINITY;
        velocity[2][n] = 0.0f;
    }
    assert_int_equal(brume_renderer_load(renderer, &volume, NULL), BRUME_OK);
    brume_renderer_light(renderer, NULL);
    draw(renderer, &camera, plain, false, radiance);
    brume_renderer_destroy(renderer);
    renderer = create(&volume, &off);
    draw(renderer, &camera, plain, false, other);
    brume_renderer_destroy(renderer);
    assert_memory_equal(radiance, other, sizeof radiance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_translation), cmocka_unit_test(test_rotation), cmocka_unit_test(test_flight),
        cmocka_unit_test(test_edge),        cmocka_unit_test(test_solids),   cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
