/*
 * Overrides of the command line: they replace and add values, and their errors name them.
 */
#include "scene_support.h"

static const char *base_scene = "domain: {size: [1, 2, 1]}\n"
                                "time: {fps: 30}\n"
                                "emitters:\n"
                                "  - {shape: sphere, center: [0, 0.5, 0], radius: 0.1, density: 1, temperature: 50}\n"
                                "  - {shape: sphere, center: [0, 1.5, 0], radius: 0.1, density: 2}\n";

static BrumeScene *load_with(const char *override)
{
    const char *const overrides[] = {override};
    return load_text(base_scene, overrides, 1);
}

static void test_values_change(void **state)
{
    (void)state;
    const char *const overrides[] = {
        "solver.resolution=32",
        "emitters.0.temperature=300",
        "emitters.1.radius=.25",
        "camera.position=[0, 1, 4]",
        "domain.size.0=2",
        "time.fps=25",
        "emitters.0.noise={amount: 0.5, scale: 0.25}",
        "emitters.0.noise.speed=2",
        "name=a = b",
        "solver.resolution=16",
    };
    BrumeScene *const scene = load_text(base_scene, overrides, sizeof overrides / sizeof overrides[0]);
    assert_int_equal(scene->sim.nx, 16);
    assert_int_equal(scene->sim.ny, 16);
    assert_int_equal(scene->sim.nz, 8);
    expect_near("fps", (double)scene->sim.fps, 25.0, 0.0);
    expect_near("temperature", (double)scene->sim.emitters[0].temperature.value, 300.0, 0.0);
    expect_near("radius", (double)scene->sim.emitters[1].shape.radius, 0.25, 0.0);
    expect_near("density", (double)scene->sim.emitters[1].smoke[0].value, 2.0, 0.0);
    expect_near("noise", (double)scene->sim.emitters[0].noise, 0.5, 0.0);
    expect_near("noise scale", (double)scene->sim.emitters[0].noise_scale, 0.25, 0.0);
    expect_near("noise speed", (double)scene->sim.emitters[0].noise_speed, 2.0, 0.0);
    expect_vec3("camera", scene->camera_keys[0].camera.position, 0.0f, 1.0f, 4.0f);
    assert_string_equal(scene->name, "a = b");
    brume_scene_destroy(scene);
}

static void test_items_append(void **state)
{
    (void)state;
    const char *const overrides[] = {
        "emitters.2={shape: box, center: [0, 1, 0], size: 0.5, color_1: 1}",
        "bodies.0.shape=sphere",
        "bodies.0.center=[0, 1, 0]",
        "bodies.0.radius=.2",
        "lights.0.elevation=90",
    };
    BrumeScene *const scene = load_text(base_scene, overrides, sizeof overrides / sizeof overrides[0]);
    assert_int_equal(scene->sim.emitter_count, 3);
    assert_int_equal(scene->sim.emitters[2].shape.kind, BRUME_SHAPE_BOX);
    assert_int_equal(scene->sim.color_count, 1);
    assert_int_equal(scene->sim.body_count, 1);
    expect_near("radius", (double)scene->sim.bodies[0].shape.radius, (double)0.2f, 0.0);
    assert_int_equal(scene->render_settings.light_count, 1);
    expect_near("sun y", (double)scene->render_settings.lights[0].direction.y, -1.0, 1e-6);
    brume_scene_destroy(scene);
}

static void test_lists_are_replaced(void **state)
{
    (void)state;
    BrumeScene *scene = load_with("emitters=[]");
    assert_int_equal(scene->sim.emitter_count, 0);
    brume_scene_destroy(scene);
    scene = load_with("lights=[]");
    assert_int_equal(scene->render_settings.light_count, 0);
    brume_scene_destroy(scene);
    scene = load_with("domain.boundaries.all=open");
    assert_int_equal(scene->sim.faces[BRUME_FACE_X_MIN].kind, BRUME_OPEN);
    brume_scene_destroy(scene);
}

// null removes the value that the file or an earlier override gives, so that the default applies
static void test_null_removes(void **state)
{
    (void)state;
    const char *const overrides[] = {"time.fps=null", "emitters.0.temperature=~", "camera.position=[0, 1, 4]",
                                     "camera=null"};
    BrumeScene *const scene = load_text(base_scene, overrides, sizeof overrides / sizeof overrides[0]);
    BrumeScene *const whole = load_text(base_scene, NULL, 0);
    expect_near("fps", (double)whole->sim.fps, 30.0, 0.0);
    expect_near("default fps", (double)scene->sim.fps, 24.0, 0.0);
    assert_int_equal(scene->sim.emitters[0].temperature.mode, BRUME_SOURCE_NONE);
    const BrumeVec3 position = whole->camera_keys[0].camera.position;
    expect_vec3("camera", scene->camera_keys[0].camera.position, position.x, position.y, position.z);
    brume_scene_destroy(scene);
    brume_scene_destroy(whole);
}

static void test_bad_overrides(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"solver.resolution", "-D solver.resolution: no value (give KEY=VALUE, for example section.key=128)"},
        {"solver.resolution=", "-D solver.resolution=: no value"},
        {"solver.resolution=null", "-D solver.resolution=null: there is no such value to remove"},
        {"time.fsp=null", "-D time.fsp=null: there is no such value to remove"},
        {"time.fps.x=null", "-D time.fps.x=null: there is no such value to remove"},
        {"emitters.2=null", "-D emitters.2=null: there is no such value to remove"},
        {"emitters.1=null", "-D emitters.1=null: an item of a list cannot be removed; give the list"},
        {"time..fps=null", "-D time..fps=null: not a dotted path; write it as in section.key=128"},
        {"=null", "-D =null: not a dotted path; write it as in section.key=128"},
        {"camera.position=0,1,4", "-D camera.position=0,1,4: 'position' in 'camera' must be a list of three numbers "
                                  "[m], not '0,1,4' (write it as [0,1,4])"},
        {"camera.turbidity=1", "-D camera.turbidity=1: unknown key 'turbidity' in 'camera' (it belongs in 'sky')"},
        {"air.viscosity=1,5e-5", "-D air.viscosity=1,5e-5: 'viscosity' in 'air' must be a number [m^2/s], not '1,5e-5' "
                                 "(the decimal separator is a point: 1.5e-5)"},
        {"time.radius=1", "-D time.radius=1: unknown key 'radius' in 'time' (its keys are fps, frames, first_frame)"},
        {"=3", "-D =3: not a dotted path; write it as in section.key=128"},
        {"solver..cfl=3", "-D solver..cfl=3: not a dotted path; write it as in section.key=128"},
        {"solver.=3", "-D solver.=3: not a dotted path; write it as in section.key=128"},
        {".cfl=3", "-D .cfl=3: not a dotted path; write it as in section.key=128"},
        {"solver.resolution=4",
         "-D solver.resolution=4: 'resolution' in 'solver' is 4, but must be from 8 to 4096 [cells]"},
        {"solver.resolution=fine",
         "-D solver.resolution=fine: 'resolution' in 'solver' must be a whole number or a list of three [cells], not "
         "'fine'"},
        {"solvr.resolution=64", "-D solvr.resolution=64: unknown key 'solvr' in the scene (did you mean 'solver'?)"},
        {"solver.resolutoin=64",
         "-D solver.resolutoin=64: unknown key 'resolutoin' in 'solver' (did you mean 'resolution'?)"},
        {"emitters.3.density=1", "-D emitters.3.density=1: 'emitters' has 2 items, counted from 0; there is no item 3"},
        {"emitters.first.density=1", "-D emitters.first.density=1: 'emitters' is a list; give the number of an item, "
                                     "or its 'name' where it has one, not 'first'"},
        {"emitters.0.radius.x=1", "-D emitters.0.radius.x=1: 'radius' is a single value, without keys or items"},
        {"emitters.0.center.1=up",
         "-D emitters.0.center.1=up: 'center' in 'emitter' must be a list of three numbers [m], not 'up'"},
        {"emitters.0.temperature_rate=1",
         "-D emitters.0.temperature_rate=1: 'temperature_rate' and 'temperature' exclude each other"},
        {"camera.position=[0, 1", "-D camera.position=[0, 1: not valid YAML: did not find expected ',' or ']'"},
        {"camera.position=*p", "-D camera.position=*p: aliases ('*name') are not supported; write the value out"},
        {"time.fps=\xff", "-D time.fps=\\xff: not a text in UTF-8: byte 0xff is not allowed here"},
        {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r=1",
         "-D a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r=1: nested too deeply; a file has at most 16 levels"},
        {"domain.boundaries.x=[open, wall]",
         "-D domain.boundaries.x=[open, wall]: 'x' in 'boundaries' must be a word or a map, not a list of 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_failure(base_scene, strlen(base_scene), cases[i], 1, cases[i][1]);
    }
}

static void test_file_is_checked_too(void **state)
{
    (void)state;
    // an override of another key does not hide an error in the file
    const char *const overrides[] = {"time.frames=10"};
    const char *text = "time: {fps: 0}\n";
    expect_failure(text, strlen(text), overrides, 1,
                   "@:1:13: 'fps' in 'time' is 0, but must be from 0.001 to 1000000 [1/s]");
    const char *const corrections[] = {"time.fps=24"};
    brume_scene_destroy(load_text(text, corrections, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_change),      cmocka_unit_test(test_items_append),
        cmocka_unit_test(test_lists_are_replaced), cmocka_unit_test(test_null_removes),
        cmocka_unit_test(test_bad_overrides),      cmocka_unit_test(test_file_is_checked_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
