// Probes of a scene: their values, and that a written scene has the same ones.
#include "scene_support.h"

#include "core/memory.h"

static const char text[] =
    "domain: {size: [1, 2, 1]}\n"
    "solver: {resolution: 16}\n"
    "probes:\n"
    "  - {name: mast, kind: points, points: [[0, 0.5, 0], {at: [0.1, 1, -0.5]}], quantities: [vorticity, velocity]}\n"
    "  - {name: axis.1, kind: line, from: [0, 0, 0], to: [0, 2, 0], counts: 33, every: 5}\n"
    "  - {name: middle, kind: plane, axis: z, position: 0.25, frames: last}\n"
    "  - {name: coarse, kind: plane, axis: y, position: 2, counts: 3, quantities: [color_3]}\n"
    "  - {name: patch, kind: plane, axis: x, position: 0, from: [9, 0, 0], to: [9, 1, 0.5], counts: [1, 4, 5]}\n"
    "  - {name: all, kind: box}\n"
    "  - {name: part, kind: box, from: [-0.5, 0, -0.5], to: [0, 0.5, 0.5]}\n";

static BrumeScene *parse(const char *content)
{
    BrumeScene *scene = NULL;
    BrumeError error = {.status = BRUME_OK};
    if (brume_scene_parse(&scene, content, "test.yaml", NULL, 0, NULL, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

static void expect_probes(const BrumeScene *scene)
{
    assert_int_equal(scene->probe_count, 7);
    const BrumeProbe *probe = scene->probes;
    assert_string_equal(probe[0].name, "mast");
    assert_int_equal(probe[0].kind, BRUME_PROBE_POINTS);
    assert_int_equal(probe[0].quantities, 1U << BRUME_PROBE_VORTICITY | 1U << BRUME_PROBE_VELOCITY);
    assert_int_equal(probe[0].point_count, 2);
    assert_true(probe[0].points[0].y == 0.5f && probe[0].points[1].x == 0.1f && probe[0].points[1].z == -0.5f);
    assert_int_equal(probe[0].every, 1);
    assert_false(probe[0].last);

    assert_string_equal(probe[1].name, "axis.1");
    assert_int_equal(probe[1].kind, BRUME_PROBE_LINE);
    assert_int_equal(probe[1].every, 5);
    assert_true(probe[1].to.y == 2.0f);
    assert_int_equal(probe[1].quantities, 0xf); // velocity, pressure, temperature, density
    assert_int_equal(brume_probe_size(&probe[1], &scene->sim), 33);

    assert_true(probe[2].last && probe[2].whole);
    assert_int_equal(probe[2].axis, 2);
    assert_int_equal(brume_probe_size(&probe[2], &scene->sim), 8 * 16);
    assert_int_equal(brume_probe_size(&probe[3], &scene->sim), 9);
    assert_int_equal(brume_probe_size(&probe[4], &scene->sim), 20);
    assert_int_equal(brume_probe_size(&probe[5], &scene->sim), 8 * 16 * 8);
    assert_int_equal(brume_probe_size(&probe[6], &scene->sim), 4 * 4 * 8);
}

static void test_probes(void **state)
{
    (void)state;
    BrumeScene *scene = parse(text);
    expect_probes(scene);
    BrumeProbeSample samples[20];
    brume_probe_positions(&scene->probes[4], &scene->sim, samples);
    assert_true(samples[0].position[0] == 0.0 && samples[0].position[1] == 0.0 && samples[0].position[2] == 0.0);
    assert_true(samples[19].position[1] == 1.0 && samples[19].position[2] == 0.5);

    char *written = NULL;
    BrumeError error = {.status = BRUME_OK};
    assert_int_equal(brume_scene_write(scene, NULL, &written, &error), BRUME_OK);
    BrumeScene *again = parse(written);
    expect_probes(again);
    for (int n = 0; n < again->probe_count; n++) {
        const BrumeProbe *a = &scene->probes[n];
        const BrumeProbe *b = &again->probes[n];
        assert_string_equal(a->name, b->name);
        assert_true(a->kind == b->kind && a->quantities == b->quantities && a->whole == b->whole);
        assert_true(a->every == b->every && a->last == b->last);
        assert_memory_equal(a->counts, b->counts, sizeof a->counts);
        if (a->kind == BRUME_PROBE_LINE || (a->kind != BRUME_PROBE_POINTS && !a->whole)) {
            assert_memory_equal(&a->from, &b->from, sizeof a->from);
            assert_memory_equal(&a->to, &b->to, sizeof a->to);
        }
    }
    char *twice = NULL;
    assert_int_equal(brume_scene_write(again, NULL, &twice, &error), BRUME_OK);
    assert_string_equal(twice, written);
    brume_free(twice);
    brume_free(written);
    brume_scene_destroy(again);
    brume_scene_destroy(scene);
}

static void test_override(void **state)
{
    (void)state;
    static const char *const overrides[] = {"probes.0.points.1=[0, 0, 0]", "probes.1.counts=5",
                                            "probes.0.quantities=[density]"};
    BrumeScene *scene = NULL;
    BrumeError error = {.status = BRUME_OK};
    assert_int_equal(brume_scene_parse(&scene, text, "test.yaml", overrides, 3, NULL, &error), BRUME_OK);
    assert_true(scene->probes[0].points[1].x == 0.0f);
    assert_int_equal(scene->probes[1].counts[0], 5);
    assert_int_equal(scene->probes[0].quantities, 1U << BRUME_PROBE_DENSITY);
    brume_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probes),
        cmocka_unit_test(test_override),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
