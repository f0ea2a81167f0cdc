/* A step allocates nothing: the linker redirects every allocation of the library to the counters below. */
#include "sim_support.h"

#include <stdlib.h>

static int allocations;

// the names of the linker's --wrap option: calls of f go to __wrap_f, and __real_f is f
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __real_aligned_alloc(alignment, size);
}

static void test_no_allocation_inside_a_step(void **state)
{
    (void)state;
    for (int method = 0; brume_pressure_name(method); method++) {
        BrumeSimDef def = box_def(20, 24, 16, 0.05f, BRUME_WALL);
        def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
        def.pressure = brume_pressure_name(method);
        def.viscosity = 1e-3f;
        def.vorticity_confinement = 1.0f;
        def.color_count = 3;
        def.body_count = 1;
        def.bodies[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.7f, 0.4f}, .b = {0, 0, 0}, .radius = 0.15f};
        def.emitter_count = 1;
        def.emitters[0] = brume_default_emitter_def();
        def.emitters[0].shape =
            (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.2f, 0.4f}, .b = {0, 0, 0}, .radius = 0.15f};
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
        def.emitters[0].smoke[3] = (BrumeSource){BRUME_SOURCE_RATE, 1.0f};

        if (brume_pressure_unmet_need(def.pressure, def.body_count > 0,
                                      brume_all_periodic(&def))) { // then a box that the solver supports
            def.body_count = 0;
            for (int face = 0; strcmp(def.pressure, "fft") == 0 && face < BRUME_FACE_COUNT; face++) {
                def.faces[face] = (BrumeFaceDef){.kind = BRUME_PERIODIC};
            }
        }
        allocations = 0;
        BrumeSim *sim = create(&def);
        assert_true(allocations > 10); // the counters work
        allocations = 0;
        BrumeError error;
        const BrumeStroke stroke = {.end = 1.0,
                                    .from = {0.2f, 0.2f, 0.2f},
                                    .to = {0.8f, 0.9f, 0.6f},
                                    .radius = 0.1f,
                                    .smoke = {1.0f},
                                    .push = 10.0f};
        for (int frame = 0; frame < 3; frame++) {
            brume_sim_set_strokes(sim, &stroke, 1);
            assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
            (void)brume_sim_hash(sim);
        }
        assert_int_equal(allocations, 0);
        brume_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_allocation_inside_a_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
