// Fine frames and frames between others: the smoke that they keep, and that they follow the flow.
#include "brume/threads.h"
#include "raymarch_check.h"
#include "refine/fine_frame.h"
#include "refine/in_between.h"
#include "refine/turbulence.h"
#include "refine_support.h"

enum { SIDE = 24, FACTOR = 3, FINE = FACTOR * SIDE };

static BrumeError error;
static BrumeWaveletNoise wavelets;
static BrumeFineMemory memory; // of all fine frames
static const double still[3] = {0.0, 0.0, 0.0};
static const double wind[3] = {1.0, 0.0, 0.0}; // cells per frame

// refines a frame, the first one where `previous` is NULL, by the turbulence of its velocity an interval of 1 s after
// it
static void refine_into(BrumeFrameGrids *fine, const BrumeFrameGrids *frame, const BrumeFrameGrids *previous,
                        float strength)
{
    if (!previous) {
        assert_int_equal(brume_fine_frame(fine, frame, FACTOR, NULL, &error), BRUME_OK);
        return;
    }
    BrumeVectorGrid velocity;
    BrumeVectorGrid back;
    BrumeVectorGrid layers[BRUME_TEXTURE_LAYERS];
    BrumeTextureNoise noise;
    assert_int_equal(brume_vector_grid_create(&velocity, frame->cells, &error), BRUME_OK);
    assert_int_equal(brume_vector_grid_create(&back, frame->cells, &error), BRUME_OK);
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        assert_int_equal(brume_vector_grid_create(&layers[n], frame->cells, &error), BRUME_OK);
    }
    assert_true(brume_load_velocity(&velocity, frame));
    brume_trace_back(&back, &velocity, 1.0, 1.0);
    // coordinates that follow the wind
    for (size_t n = 0; n < brume_grid_entries(frame->cells); n++) {
        layers[0].values[4 * n] = (float)(-frame->time * wind[0]);
    }
    const BrumeTurbulenceDef def = {
        .factor = FACTOR, .strength = strength, .scale = 4.0f, .time = frame->time, .interval = 1.0};
    assert_int_equal(brume_turbulence(&noise, &wavelets, layers, &velocity, 1.0, &def, &error), BRUME_OK);
    const BrumeFineMotion motion = {previous, &back, &noise, &memory};
    assert_int_equal(brume_fine_frame(fine, frame, FACTOR, &motion, &error), BRUME_OK);
    brume_vector_grid_destroy(&velocity);
    brume_vector_grid_destroy(&back);
    for (int n = 0; n < BRUME_TEXTURE_LAYERS; n++) {
        brume_vector_grid_destroy(&layers[n]);
    }
}

static BrumeFrameGrids refined(const BrumeFrameGrids *frame, const BrumeFrameGrids *previous, float strength)
{
    BrumeFrameGrids fine = {0};
    refine_into(&fine, frame, previous, strength);
    return fine;
}

// the next fine frame in the place of `fine`
static void advance(BrumeFrameGrids *fine, const BrumeFrameGrids *frame, float strength)
{
    BrumeFrameGrids next = refined(frame, fine, strength);
    brume_frame_grids_destroy(fine);
    *fine = next;
}

static const float *density(const BrumeFrameGrids *frame)
{
    return brume_frame_grids_find(frame, BRUME_GRID_DENSITY)->values;
}

static double largest_density(const BrumeFrameGrids *frame)
{
    float largest = 0.0f;
    for (size_t n = 0; n < brume_grid_cells(frame->cells); n++) {
        largest = fmaxf(largest, density(frame)[n]);
    }
    return (double)largest;
}

// the root of the sum of squared differences of `a` and `b`, of which `b` lies `shift` cells further along x, over that
// of a
static double difference(const BrumeFrameGrids *a, const BrumeFrameGrids *b, int shift)
{
    double squares = 0.0;
    double total = 0.0;
    const BrumeGrid cells = a->cells;
    for (int n = 0; n < (int)brume_grid_cells(cells); n++) {
        if (n % cells.nx + shift < cells.nx) {
            const double value = (double)density(a)[n];
            squares += (value - (double)density(b)[n + shift]) * (value - (double)density(b)[n + shift]);
            total += value * value;
        }
    }
    return sqrt(squares / total);
}

static BrumeFrameGrids frame_at(double time, const double velocity[3], double turbulence)
{
    const double center[3] = {8.0 + time * velocity[0], 12.0, 12.0};
    BrumeFrameGrids frame = ball_frame(brume_grid(SIDE, SIDE, SIDE), center, 4.0, velocity);
    frame.time = time;
    if (turbulence > 0.0) {
        add_turbulence(&frame, 4.0, turbulence);
    }
    return frame;
}

// a fine frame in the memory of another one, with smoke elsewhere, has the same bits
static void test_memory_of_another_frame(void **state)
{
    (void)state;
    BrumeFrameGrids start = frame_at(0.0, wind, 0.0);
    BrumeFrameGrids frame = frame_at(1.0, wind, 0.5);
    BrumeFrameGrids other_frame = frame_at(6.0, wind, 0.0);
    BrumeFrameGrids first = refined(&start, NULL, 1.0f);
    BrumeFrameGrids expected = refined(&frame, &first, 1.0f);
    BrumeFrameGrids fine = refined(&other_frame, &first, 1.0f);
    const float *values = density(&fine);
    assert_true(memcmp(density(&fine), density(&expected), sizeof(float) * FINE * FINE * FINE) != 0);
    refine_into(&fine, &frame, &first, 1.0f);
    assert_ptr_equal(density(&fine), values);
    assert_memory_equal(density(&fine), density(&expected), sizeof(float) * FINE * FINE * FINE);
    brume_frame_grids_destroy(&start);
    brume_frame_grids_destroy(&frame);
    brume_frame_grids_destroy(&other_frame);
    brume_frame_grids_destroy(&first);
    brume_frame_grids_destroy(&expected);
    brume_frame_grids_destroy(&fine);
}

// smoke at rest does not change
static void test_rest(void **state)
{
    (void)state;
    BrumeFrameGrids frame = frame_at(0.0, still, 0.0);
    BrumeFrameGrids first = refined(&frame, NULL, 1.0f);
    BrumeFrameGrids fine = refined(&frame, &first, 1.0f);
    for (int n = 0; n < 4; n++) {
        advance(&fine, &frame, 1.0f);
    }
    assert_near("smoke", sum_of(&fine, "density") / sum_of(&frame, "density"), 1.0, 1e-5);
    print_message("change at rest %.5f\n", difference(&first, &fine, 0));
    assert_below("change of smoke at rest", difference(&first, &fine, 0), 0.005);
    brume_frame_grids_destroy(&frame);
    brume_frame_grids_destroy(&first);
    brume_frame_grids_destroy(&fine);
}

// a uniform wind moves the smoke as it is
static void test_wind(void **state)
{
    (void)state;
    BrumeFrameGrids frame = frame_at(0.0, wind, 0.0);
    BrumeFrameGrids first = refined(&frame, NULL, 1.0f);
    BrumeFrameGrids fine = refined(&frame, NULL, 1.0f);
    for (int n = 1; n <= 6; n++) {
        brume_frame_grids_destroy(&frame);
        frame = frame_at(n, wind, 0.0);
        advance(&fine, &frame, 1.0f);
        assert_near("smoke", sum_of(&fine, "density") / sum_of(&frame, "density"), 1.0, 1e-5);
    }
    assert_near("largest density", largest_density(&fine), largest_density(&first), 0.005);
    assert_below("change in the wind", difference(&first, &fine, 6 * FACTOR), 0.01);
    brume_frame_grids_destroy(&frame);
    brume_frame_grids_destroy(&first);
    brume_frame_grids_destroy(&fine);
}

// Turbulent smoke in a wind: its sum is kept, there is detail, and from frame to frame the detail moves along.
static void test_turbulence(void **state)
{
    (void)state;
    BrumeFrameGrids frame = frame_at(0.0, wind, 0.4);
    BrumeFrameGrids smooth = refined(&frame, NULL, 0.0f);
    BrumeFrameGrids fine = refined(&frame, NULL, 1.0f);
    double change = 0.0;
    for (int n = 1; n <= 8; n++) {
        BrumeFrameGrids before = fine;
        brume_frame_grids_destroy(&frame);
        frame = frame_at(n, wind, 0.4); // its own turbulence does not move the cells' smoke: the correction holds it
        fine = refined(&frame, &before, 1.0f);
        assert_near("smoke", sum_of(&fine, "density") / sum_of(&frame, "density"), 1.0, 1e-5);
        change = difference(&before, &fine, FACTOR);
        brume_frame_grids_destroy(&before);
    }
    const double detail = difference(&smooth, &fine, 8 * FACTOR);
    print_message("detail %.3f, change between frames %.3f\n", detail, change);
    assert_below("smooth smoke without turbulence", difference(&smooth, &smooth, 0), 1e-9);
    assert_true(detail > 0.1);
    assert_below("change between two frames, moved back, over the detail", change / detail, 0.5);
    brume_frame_grids_destroy(&frame);
    brume_frame_grids_destroy(&smooth);
    brume_frame_grids_destroy(&fine);
}

// smoke that a source adds appears, and smoke that has left the cells disappears
static void test_sources(void **state)
{
    (void)state;
    static const double other[3] = {16.0, 12.0, 12.0};
    BrumeFrameGrids frame = frame_at(0.0, still, 0.0);
    BrumeFrameGrids later = ball_frame(brume_grid(SIDE, SIDE, SIDE), other, 2.5, still);
    BrumeFrameGrids expected = refined(&later, NULL, 1.0f);
    BrumeFrameGrids fine = refined(&frame, NULL, 1.0f);
    for (int n = 0; n < 3; n++) {
        advance(&fine, &later, 1.0f);
    }
    assert_near("smoke", sum_of(&fine, "density") / sum_of(&later, "density"), 1.0, 1e-5);
    assert_below("difference from the smoke of the source", difference(&expected, &fine, 0), 0.1);
    const size_t left = ((size_t)(12 * FACTOR) * FINE + (size_t)(12 * FACTOR)) * FINE + 7 * FACTOR;
    assert_near("density where smoke was", (double)density(&fine)[left], 0.0, 0.0);
    brume_frame_grids_destroy(&frame);
    brume_frame_grids_destroy(&later);
    brume_frame_grids_destroy(&expected);
    brume_frame_grids_destroy(&fine);
}

// temperatures stay within those of the cells, also where turbulence brings hot gas together
static void test_temperatures(void **state)
{
    (void)state;
    BrumeFrameGrids frame = frame_at(0.0, still, 0.4);
    static const double center[3] = {8.0, 12.0, 12.0};
    BrumeFrameGrid *temperature = frame_add(&frame, BRUME_GRID_TEMPERATURE, "K", 1, BRUME_AT_CENTERS);
    fill_ball(&frame, temperature, center, 2.0);
    float largest = 0.0f;
    for (size_t n = 0; n < brume_grid_cells(frame.cells); n++) {
        temperature->values[n] *= 1500.0f;
        largest = fmaxf(largest, temperature->values[n]);
    }
    BrumeFrameGrids fine = refined(&frame, NULL, 1.0f);
    for (int n = 0; n < 5; n++) {
        advance(&fine, &frame, 1.0f);
        float fine_largest = 0.0f;
        for (size_t cell = 0; cell < brume_grid_cells(fine.cells); cell++) {
            const float value = brume_frame_grids_find(&fine, BRUME_GRID_TEMPERATURE)->values[cell];
            assert_true(value >= 0.0f);
            fine_largest = fmaxf(fine_largest, value);
        }
        print_message("largest temperature %.0f K in the cells, %.0f K in the fine ones\n", (double)largest,
                      (double)fine_largest);
        assert_true(fine_largest <= largest);
        assert_true(fine_largest > 0.8f * largest);
    }
    brume_frame_grids_destroy(&frame);
    brume_frame_grids_destroy(&fine);
}

static void test_threads(void **state)
{
    (void)state;
    static float expected[FINE * FINE * FINE];
    for (int threads = 1; threads <= 5; threads += 2) {
        brume_set_threads(threads);
        BrumeFrameGrids frame = frame_at(0.0, wind, 0.4);
        BrumeFrameGrids fine = refined(&frame, NULL, 1.0f);
        advance(&fine, &frame, 1.0f);
        if (threads == 1) {
            memcpy(expected, density(&fine), sizeof expected);
        }
        assert_memory_equal(expected, density(&fine), sizeof expected);
        brume_frame_grids_destroy(&frame);
        brume_frame_grids_destroy(&fine);
    }
    brume_set_threads(2);
}

// a frame between two frames in a uniform wind, and those at the ends
static void test_in_between(void **state)
{
    (void)state;
    static const double fast[3] = {3.0, 0.0, 0.0};
    BrumeFrameGrids a = frame_at(0.0, fast, 0.0);
    BrumeFrameGrids b = frame_at(1.0, fast, 0.0);
    BrumeFrameGrid *of_b = &b.grids[0];
    for (size_t n = 0; n < brume_grid_cells(b.cells); n++) {
        of_b->values[n] *= 1.5f;
    }
    const double sums[2] = {sum_of(&a, "density"), sum_of(&b, "density")};
    for (int n = 0; n < 3; n++) {
        const double fraction = n / 3.0; // a cell each
        BrumeFrameGrids frame = {0};
        assert_int_equal(brume_in_between(&frame, &a, &b, fraction, 1.0, &error), BRUME_OK);
        assert_near("smoke", sum_of(&frame, "density"), (1.0 - fraction) * sums[0] + fraction * sums[1],
                    1e-5 * sums[1]);
        assert_near("velocity", (double)brume_frame_grids_find(&frame, "velocity")->values[3], 3.0, 1e-6);
        const double growth = 1.0 + 0.5 * fraction;
        const size_t center = ((size_t)12 * SIDE + 12) * SIDE + 8 + (size_t)n;
        assert_near("density at the center", (double)density(&frame)[center], growth, 0.01);
        for (int cell = 0; cell < SIDE * SIDE * SIDE && n == 0; cell++) {
            assert_true(density(&frame)[cell] == density(&a)[cell]);
        }
        BrumeFrameGrids moved = frame_at(n / 3.0, fast, 0.0);
        for (size_t cell = 0; cell < brume_grid_cells(moved.cells); cell++) {
            moved.grids[0].values[cell] *= (float)growth;
        }
        assert_below("difference from the moved ball", difference(&moved, &frame, 0), 0.01);
        brume_frame_grids_destroy(&moved);
        brume_frame_grids_destroy(&frame);
    }
    b.grids[1].name[0] = 'x'; // no velocity
    BrumeFrameGrids frame = {0};
    assert_int_equal(brume_in_between(&frame, &a, &b, 0.5, 1.0, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "it has no grid 'velocity'"));
    brume_frame_grids_destroy(&frame);
    brume_frame_grids_destroy(&a);
    brume_frame_grids_destroy(&b);
}

static void add_particle(BrumeFrameGrids *frame, BrumeParticle particle)
{
    frame->particles[frame->particle_count++] = particle;
}

// a particle that falls, a plate that turns, one that is born and one that ends between two frames
static void test_particles_in_between(void **state)
{
    (void)state;
    static const double interval = 0.5;
    static const BrumeVec3 up = {0.0f, 1.0f, 0.0f};
    static const BrumeVec3 along_x = {1.0f, 0.0f, 0.0f};
    BrumeFrameGrids a = {.cells = brume_grid(8, 8, 8), .dx = 1.0, .has_particles = true};
    BrumeFrameGrids b = {.cells = brume_grid(8, 8, 8), .dx = 1.0, .has_particles = true};
    assert_int_equal(brume_frame_grids_add_particles(&a, 3, &error), BRUME_OK);
    assert_int_equal(brume_frame_grids_add_particles(&b, 3, &error), BRUME_OK);
    add_particle(&a, (BrumeParticle){.position = {1.0f, 2.0f, 3.0f},
                                     .velocity = {2.0f, 0.0f, 0.0f},
                                     .normal = up,
                                     .age = 1.0f,
                                     .diameter = 0.25f,
                                     .kind = BRUME_PARTICLE_LEAVES,
                                     .id = 7});
    add_particle(&a, (BrumeParticle){.position = {5.0f, 5.0f, 5.0f}, .velocity = {0.0f, 2.0f, 0.0f}, .id = 3});
    add_particle(
        &b, (BrumeParticle){.position = {4.0f, 4.0f, 4.0f}, .velocity = {0.0f, 0.0f, 4.0f}, .age = 0.25f, .id = 9});
    add_particle(&b, (BrumeParticle){.position = {2.0f, 0.75f, 3.0f},
                                     .velocity = {2.0f, -5.0f, 0.0f},
                                     .normal = along_x,
                                     .age = 1.5f,
                                     .diameter = 0.25f,
                                     .kind = BRUME_PARTICLE_LEAVES,
                                     .id = 7});
    for (int quarter = 1; quarter < 4; quarter++) {
        const float time = (float)(0.25 * quarter * interval);
        BrumeFrameGrids frame = {0};
        assert_int_equal(brume_in_between(&frame, &a, &b, 0.25 * quarter, interval, &error), BRUME_OK);
        assert_true(frame.has_particles);
        assert_int_equal(frame.particle_count, 2); // number 3 ends where number 9 is born, in the middle
        const BrumeParticle *falling = &frame.particles[quarter == 1 ? 1 : 0];
        assert_int_equal(falling->id, 7);
        assert_near("x", (double)falling->position.x, 1.0 + 2.0 * (double)time, 1e-6);
        assert_near("y", (double)falling->position.y, 2.0 - 5.0 * (double)(time * time), 1e-6);
        assert_near("z", (double)falling->position.z, 3.0, 0.0);
        assert_near("velocity", (double)falling->velocity.y, -10.0 * (double)time, 1e-6);
        assert_near("age", (double)falling->age, 1.0 + (double)time, 1e-6);
        assert_near("length of the normal", (double)brume_length(falling->normal), 1.0, 1e-6);
        assert_near("normal", (double)(falling->normal.x / falling->normal.y), quarter / (4.0 - quarter), 1e-6);
        if (quarter == 1) {
            assert_int_equal(frame.particles[0].id, 3);
            assert_near("y", (double)frame.particles[0].position.y, 5.25, 1e-6);
        } else {
            assert_int_equal(frame.particles[1].id, 9);
            assert_near("z", (double)frame.particles[1].position.z, 4.0 - 4.0 * (interval - (double)time), 1e-6);
            assert_near("age", (double)frame.particles[1].age, 0.25 - (interval - (double)time), 1e-6);
        }
        brume_frame_grids_destroy(&frame);
    }
    brume_frame_grids_destroy(&a);
    brume_frame_grids_destroy(&b);
}

static int create_wavelets(void **state)
{
    (void)state;
    return brume_wavelet_noise_create(&wavelets, &error) == BRUME_OK ? 0 : 1;
}

static int destroy_shared(void **state)
{
    (void)state;
    brume_wavelet_noise_destroy(&wavelets);
    brume_fine_memory_destroy(&memory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_of_another_frame),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_wind),
        cmocka_unit_test(test_turbulence),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_temperatures),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_in_between),
        cmocka_unit_test(test_particles_in_between),
    };
    return cmocka_run_group_tests(tests, create_wavelets, destroy_shared);
}
