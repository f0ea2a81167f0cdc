// The turbulence below the size of cells: its spectrum and strength continue those of the cells, and texture
// coordinates follow the flow.
#include "raymarch_check.h"
#include "refine/texture_coordinates.h"
#include "refine/turbulence.h"
#include "refine_support.h"

enum { SIDE = 48, FACTOR = 4, FINE = FACTOR * SIDE };

static BrumeError error;
static const double still[3] = {0.0, 0.0, 0.0};
static const double middle[3] = {SIDE / 2.0, SIDE / 2.0, SIDE / 2.0};

/** A turbulent velocity of cells and its turbulence below them, of an interval of 1 s in cells of 1 m. */
typedef struct Flow {
    BrumeFrameGrids frame;
    BrumeWaveletNoise wavelets;
    BrumeVectorGrid velocity;
    BrumeTextureCoordinates texture;
    BrumeTextureNoise noise;
    BrumeField shape;
} Flow;

// `shortest` is the length of the shortest waves [cells]
static void create_flow(Flow *flow, double shortest, float strength)
{
    const BrumeGrid grid = brume_grid(SIDE, SIDE, SIDE);
    *flow = (Flow){.shape = {.grid = grid, .sy = SIDE + 2, .sz = (SIDE + 2) * (SIDE + 2)}};
    flow->frame = ball_frame(grid, middle, 8.0, still);
    add_turbulence(&flow->frame, shortest, 0.5);
    assert_int_equal(brume_wavelet_noise_create(&flow->wavelets, &error), BRUME_OK);
    assert_int_equal(brume_wavelet_noise_sample(&flow->wavelets, &error), BRUME_OK);
    assert_int_equal(brume_vector_grid_create(&flow->velocity, grid, &error), BRUME_OK);
    assert_int_equal(brume_texture_coordinates_create(&flow->texture, grid, &error), BRUME_OK);
    assert_true(brume_load_velocity(&flow->velocity, &flow->frame));
    const BrumeTurbulenceDef def = {
        .factor = FACTOR, .strength = strength, .scale = 4.0f, .time = 0.2, .period = 1.0, .interval = 1.0};
    assert_int_equal(
        brume_turbulence(&flow->noise, &flow->wavelets, flow->texture.layers, &flow->velocity, 1.0, &def, &error),
        BRUME_OK);
}

static void destroy_flow(Flow *flow)
{
    brume_frame_grids_destroy(&flow->frame);
    brume_wavelet_noise_destroy(&flow->wavelets);
    brume_vector_grid_destroy(&flow->velocity);
    brume_texture_coordinates_destroy(&flow->texture);
}

// adds the power spectrum of a line of the fine velocity, multiplied by a Hann window: waves of SIDE / n cells
static void add_spectrum(const Flow *flow, float y, float z, double spectrum[FINE / 2])
{
    static float line[3][FINE];
    for (int i = 0; i < FINE; i++) {
        const float x = ((float)i + 0.5f) / FACTOR;
        const BrumeFloat4 coarse = brume_vector_at(&flow->velocity, (BrumeFloat4){x, y, z, 0.0f});
        const BrumeVec3 fine = brume_texture_noise_at(&flow->noise, &flow->shape, brume_vec3(x, y, z));
        for (int axis = 0; axis < 3; axis++) {
            line[axis][i] = coarse[axis] + brume_component(fine, axis);
        }
    }
    for (int n = 1; n < FINE / 2; n++) {
        for (int axis = 0; axis < 3; axis++) {
            double real = 0.0;
            double imaginary = 0.0;
            for (int i = 0; i < FINE; i++) {
                const double window = 1.0 - cos(2.0 * M_PI * (i + 0.5) / FINE);
                real += window * (double)line[axis][i] * cos(2.0 * M_PI * n * i / FINE);
                imaginary += window * (double)line[axis][i] * sin(2.0 * M_PI * n * i / FINE);
            }
            spectrum[n] += real * real + imaginary * imaginary;
        }
    }
}

// the mean of the spectrum over an octave, as an exponent of 2
static double level(const double spectrum[FINE / 2], int first)
{
    double sum = 0.0;
    for (int n = first; n < 2 * first; n++) {
        sum += spectrum[n];
    }
    return log2(sum / first);
}

static void test_spectrum(void **state)
{
    (void)state;
    Flow flow;
    double spectrum[FINE / 2] = {0.0};
    create_flow(&flow, 5.0, 1.0f);
    for (uint32_t n = 0; n < 64; n++) {
        add_spectrum(&flow, SIDE * brume_unit_float(brume_hash3(n, 0, 5)),
                     SIDE * brume_unit_float(brume_hash3(n, 1, 5)), spectrum);
    }
    // octaves of waves of SIDE / 3 cells and of SIDE / 24 = 2 cells and less, three octaves below it
    const double slope = (level(spectrum, 24) - level(spectrum, 3)) / 3.0;
    print_message("slope over three octaves: %.3f\n", slope);
    assert_near("slope of the spectrum from 16 cells to half the cells", slope, -5.0 / 3.0, 0.25);
    destroy_flow(&flow);
}

static void test_strength(void **state)
{
    (void)state;
    enum { POINTS = 2000 };
    double squares[2] = {0.0};
    for (int n = 0; n < 2; n++) {
        Flow flow;
        create_flow(&flow, 3.0, n == 0 ? 0.0f : 1.0f);
        for (uint32_t point = 0; point < POINTS; point++) {
            const BrumeVec3 at = {SIDE * brume_unit_float(brume_hash3(point, 0, 9)),
                                  SIDE * brume_unit_float(brume_hash3(point, 1, 9)),
                                  SIDE * brume_unit_float(brume_hash3(point, 2, 9))};
            const BrumeVec3 value = brume_texture_noise_at(&flow.noise, &flow.shape, at);
            squares[n] += (double)brume_dot(value, value) / POINTS;
        }
        destroy_flow(&flow);
    }
    assert_near("turbulence of strength 0", squares[0], 0.0, 0.0);
    // octaves of waves of up to 4 and 2 cells of a spectrum k^(-5/3) from 48 to 3 cells with a mean square of 0.25
    double total = 0.0;
    for (int n = 1; n <= SIDE / 3; n++) {
        total += pow(n, -5.0 / 3.0);
    }
    const double octaves = 1.5 * (pow(12.0, -2.0 / 3.0) - pow(48.0, -2.0 / 3.0)) * 0.25 / total;
    print_message("mean square %.4f, of the spectrum %.4f\n", squares[1], octaves);
    assert_near("mean square of the turbulence", squares[1] / octaves, 1.0, 0.2);
}

// coordinates in a uniform wind are -u t, and 0 after a start
static void test_coordinates(void **state)
{
    (void)state;
    static const double wind[3] = {0.7, -0.4, 1.3};
    BrumeTextureCoordinates texture = {.scratch.values = NULL};
    BrumeVectorGrid velocity;
    BrumeVectorGrid back;
    const BrumeGrid grid = brume_grid(8, 9, 10);
    BrumeFrameGrids frame = ball_frame(grid, middle, 2.0, wind);
    assert_int_equal(brume_vector_grid_create(&velocity, grid, &error), BRUME_OK);
    assert_int_equal(brume_vector_grid_create(&back, grid, &error), BRUME_OK);
    assert_int_equal(brume_texture_coordinates_create(&texture, grid, &error), BRUME_OK);
    assert_true(brume_load_velocity(&velocity, &frame));
    brume_trace_back(&back, &velocity, 0.5, 1.0);
    for (int n = 0; n < 3; n++) {
        brume_texture_coordinates_advect(&texture, &back, 0.5 * n, 0.5 * (n + 1), 2.2); // layer 1 starts at 1.1 s
    }
    for (int axis = 0; axis < 3; axis++) {
        assert_near("layer 0", (double)brume_vector_entry(&texture.layers[0], 3, 4, 5)[axis], -1.5 * wind[axis], 1e-5);
        assert_near("layer 1", (double)brume_vector_entry(&texture.layers[1], 3, 4, 5)[axis], 0.0, 0.0);
    }
    brume_texture_coordinates_destroy(&texture);
    brume_vector_grid_destroy(&velocity);
    brume_vector_grid_destroy(&back);
    brume_frame_grids_destroy(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spectrum),
        cmocka_unit_test(test_strength),
        cmocka_unit_test(test_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
