/*
 * One table of settings: the schema of scenes takes every number from it, defaults and sliders lie within its limits,
 * and brume_sim_create and the scene reader apply the same limits with the same words.
 */
#include "packed_sizes.h"
#include "scene/format/defaults.h"
#include "scene_support.h"

#include "brume/sim.h"
#include "raymarch/settings.h"
#include "scene/format/parsed_scene.h"
#include "scene/format/schema.h"
#include "scene/format/settings.h"
#include "sim/initial/initial_settings.h"
#include "sim/settings/settings.h"

enum { MAX_SECTIONS = 64 };

typedef struct Table {
    const char *name;
    const BrumeSetting *settings;
    int count;
} Table;

#define TABLE(settings, count)                                                                                         \
    {                                                                                                                  \
#settings, settings, count                                                                                     \
    }
static const Table tables[] = {
    TABLE(brume_sim_setting_table, BRUME_SIM_SETTING_COUNT),
    TABLE(brume_face_setting_table, BRUME_FACE_SETTING_COUNT),
    TABLE(brume_body_setting_table, BRUME_BODY_SETTING_COUNT),
    TABLE(brume_smoke_setting_table, BRUME_SMOKE_SETTING_COUNT),
    TABLE(brume_particle_setting_table, BRUME_PARTICLE_SETTING_COUNT),
    TABLE(brume_particle_look_setting_table, BRUME_PARTICLE_LOOK_SETTING_COUNT),
    TABLE(brume_shape_setting_table, BRUME_SHAPE_SETTING_COUNT),
    TABLE(brume_emitter_setting_table, BRUME_EMITTER_SETTING_COUNT),
    TABLE(brume_initial_setting_table, BRUME_INITIAL_SETTING_COUNT),
    TABLE(brume_stroke_setting_table, BRUME_STROKE_SETTING_COUNT),
    TABLE(brume_move_setting_table, BRUME_MOVE_SETTING_COUNT),
    TABLE(brume_render_setting_table, BRUME_RENDER_SETTING_COUNT),
    TABLE(brume_medium_setting_table, BRUME_MEDIUM_SETTING_COUNT),
    TABLE(brume_density_curve_setting_table, BRUME_CURVE_SETTING_COUNT),
    TABLE(brume_emission_curve_setting_table, BRUME_CURVE_SETTING_COUNT),
    TABLE(brume_light_setting_table, BRUME_LIGHT_SETTING_COUNT),
    TABLE(brume_surface_setting_table, BRUME_SURFACE_SETTING_COUNT),
    TABLE(brume_rake_setting_table, BRUME_RAKE_SETTING_COUNT),
    TABLE(brume_camera_setting_table, BRUME_CAMERA_SETTING_COUNT),
    TABLE(brume_scene_setting_table, BRUME_SCENE_SETTING_COUNT),
    TABLE(brume_scene_body_setting_table, BRUME_SCENE_BODY_SETTING_COUNT),
    TABLE(brume_scene_emitter_body_setting_table, 1),
    TABLE(brume_scene_shape_setting_table, BRUME_SCENE_SHAPE_SETTING_COUNT),
    TABLE(brume_scene_mesh_setting_table, BRUME_SCENE_MESH_SETTING_COUNT),
    TABLE(brume_scene_volume_setting_table, BRUME_SCENE_VOLUME_SETTING_COUNT),
    TABLE(brume_scene_light_setting_table, BRUME_SCENE_LIGHT_SETTING_COUNT),
    TABLE(brume_scene_sky_setting_table, BRUME_SCENE_SKY_SETTING_COUNT),
    TABLE(brume_scene_ground_setting_table, 1),
    TABLE(brume_scene_camera_key_setting_table, BRUME_SCENE_CAMERA_KEY_SETTING_COUNT),
    TABLE(brume_scene_probe_setting_table, BRUME_SCENE_PROBE_SETTING_COUNT),
    TABLE(brume_scene_probe_point_setting_table, 1),
    TABLE(brume_scene_probe_quantity_setting_table, 1),
    TABLE(brume_scene_animation_setting_table, BRUME_SCENE_ANIMATION_SETTING_COUNT),
    TABLE(brume_scene_value_key_setting_table, BRUME_SCENE_VALUE_KEY_SETTING_COUNT),
    TABLE(brume_scene_change_setting_table, BRUME_SCENE_CHANGE_SETTING_COUNT),
};
enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

static bool has_limits(const BrumeSetting *setting)
{
    return !brume_setting_has_words(setting) && setting->type != BRUME_VALUE_BOOL;
}

static int component_count(const BrumeSetting *setting)
{
    return setting->type == BRUME_VALUE_VECTOR || setting->type == BRUME_VALUE_COLOR ||
                   setting->type == BRUME_VALUE_LENGTHS || setting->type == BRUME_VALUE_COUNTS
               ? 3
               : 1;
}

static void expect_complete(const BrumeSetting *setting)
{
    const size_t length = setting->doc ? strlen(setting->doc) : 0;
    if (!setting->path || length < 8 || setting->doc[length - 1] != '.') {
        fail_msg("%s has no path or no document text", setting->path ? setting->path : "a setting");
    }
    if (has_limits(setting) && !(setting->min < setting->max)) {
        fail_msg("%s has the limits %g to %g", setting->path, setting->min, setting->max);
    }
    if (has_limits(setting) && setting->type != BRUME_VALUE_TEXT && setting->type != BRUME_VALUE_TEXTS &&
        !setting->unit) {
        fail_msg("%s has no unit", setting->path);
    }
    const BrumeSliderRange slider = setting->slider;
    if (slider.min != 0.0 || slider.max != 0.0) {
        const bool inside = slider.min < slider.max && slider.min >= setting->min && slider.max <= setting->max;
        if (!inside || !setting->label || (slider.logarithmic && slider.min < 0.0)) {
            fail_msg("the slider of %s spans %g to %g, the limits %g to %g", setting->path, slider.min, slider.max,
                     setting->min, setting->max);
        }
    }
    for (int n = 0; n < component_count(setting) && has_limits(setting) && !setting->fallback; n++) {
        if (!brume_setting_allows(setting, setting->defaults[n])) {
            fail_msg("the default of %s is %g, outside its limits", setting->path, setting->defaults[n]);
        }
    }
}

static void test_tables_are_complete(void **state)
{
    (void)state;
    for (int t = 0; t < TABLE_COUNT; t++) {
        for (int n = 0; n < tables[t].count; n++) {
            if (!tables[t].settings[n].path) {
                fail_msg("%s has no entry %d", tables[t].name, n);
            }
            expect_complete(&tables[t].settings[n]);
        }
    }
}

static bool is_in_a_table(const BrumeSetting *setting)
{
    bool found = false;
    for (int t = 0; t < TABLE_COUNT; t++) {
        for (int n = 0; n < tables[t].count; n++) {
            found = found || setting == &tables[t].settings[n];
        }
    }
    return found;
}

/** Every value of the schema has a setting of a table; the path of the setting names its section and key. */
static void test_schema_uses_the_tables(void **state)
{
    (void)state;
    const BrumeSection *stack[MAX_SECTIONS] = {&brume_scene_section};
    int values = 0;
    for (int depth = 1; depth > 0;) {
        const BrumeSection *const section = stack[--depth];
        BrumeKey listed;
        for (int i = 0; brume_section_key(section, i, &listed); i++) {
            const BrumeKey *const key = &listed;
            assert_true(strlen(brume_key_name(key)) > 0);
            assert_true(strlen(brume_key_doc(key)) > 3);
            assert_true((key->kind == BRUME_KEY_VALUE) == (key->setting != NULL));
            if (key->setting && !is_in_a_table(key->setting)) {
                fail_msg("'%s' in '%s' has a setting of its own", brume_key_name(key), section->name);
            }
            values += key->setting != NULL;
            if (key->section) {
                assert_true(depth < MAX_SECTIONS);
                stack[depth++] = key->section;
            }
        }
    }
    assert_true(values > 100);
}

/** The defaults of the structs equal the defaults of the tables, to the bit, and the documented ones. */
static void test_defaults(void **state)
{
    (void)state;
    const BrumeSimDef sim = brume_default_sim_def();
    BrumeError error;
    for (int n = 0; n < BRUME_SIM_SETTING_COUNT; n++) {
        assert_int_equal(brume_setting_check(&brume_sim_setting_table[n], &sim, "default", &error), BRUME_OK);
    }
    assert_true(sim.dx == 1.0f / 64.0f && sim.thermal_expansion == 1.0f / 300.0f && sim.tolerance == 1e-4f);
    assert_true(sim.over_relaxation == 1.9f && sim.gravity.y == -9.81f && sim.fps == 24.0f && sim.cfl == 2.0f);
    const BrumeEmitterDef emitter = brume_default_emitter_def();
    assert_true(isinf(emitter.end) && emitter.noise_scale == 0.1f && emitter.noise == 0.0f);

    const BrumeRenderSettings render = brume_default_render_settings();
    for (int n = 0; n < BRUME_RENDER_SETTING_COUNT; n++) {
        assert_int_equal(brume_setting_check(&brume_render_setting_table[n], &render, "default", &error), BRUME_OK);
    }
    expect_vec3("sun", render.lights[0].direction, 0.7572657f, -0.6310547f, 0.1682813f);
    expect_vec3("sky", render.sky_horizon, 0.30f, 0.345f, 0.39f);
    expect_vec3("ground", render.ground_albedo, 0.165f, 0.163f, 0.16f);
    assert_true(render.anisotropy == 0.35f && render.smoke[0].albedo.x == 0.93f && render.lights[0].intensity == 5.2f);

    BrumeParsedScene *const parsed = malloc(sizeof *parsed);
    assert_non_null(parsed);
    brume_parsed_scene_defaults(parsed);
    assert_int_equal(parsed->resolution[0], sim.nx);
    // the angles of the default sun are its direction, to whole degrees
    expect_near(
        "azimuth", (double)parsed->lights[0].azimuth,
        round(atan2((double)-render.lights[0].direction.x, (double)-render.lights[0].direction.z) * 57.29577951), 0.0);
    expect_near("elevation", (double)parsed->lights[0].elevation,
                round(asin((double)-render.lights[0].direction.y) * 57.29577951), 0.0);
    free(parsed);
}

/** Checks that a value at a limit is accepted, and that one beyond it is refused by both, with the same text. */
static void expect_same_limit(const BrumeSetting *setting, double limit, double beyond)
{
    char override[128];
    char model[64];
    const char *const overrides[] = {override, model};
    const int count = setting->kinds != 0 ? 2 : 1; // one of a model of fire, or of vapor
    BrumeSimDef def = brume_default_sim_def();
    if (count == 2 && setting->kind_offset == offsetof(BrumeSimDef, vapor.kind)) {
        def.color_count = 1;
        def.vapor.kind = 2;
        (void)snprintf(model, sizeof model, "vapor.kind=color_1");
    } else if (count == 2) {
        const BrumeSetting *models = &brume_sim_setting_table[BRUME_SIM_FIRE_MODEL];
        def.fire.model = (BrumeFireModel)__builtin_ctz(setting->kinds);
        (void)snprintf(model, sizeof model, "%s=%s", models->path, brume_setting_word(models, (int)def.fire.model));
    }
    float *const member = (float *)(void *)((char *)&def + setting->offset);
    BrumeSim *sim = NULL;
    BrumeScene *scene = NULL;
    BrumeError by_sim;
    BrumeError by_scene;

    def.nx = def.ny = def.nz = 8;
    (void)snprintf(override, sizeof override, "%s=%.9g", setting->path, limit);
    *member = (float)limit;
    if (brume_scene_parse(&scene, "{solver: {resolution: 8}}", "limits", overrides, count, NULL, &by_scene) !=
        BRUME_OK) {
        fail_msg("%s", by_scene.text);
    }
    if (brume_sim_create(&sim, &def, &by_sim) != BRUME_OK) {
        fail_msg("%s", by_sim.text);
    }
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);

    (void)snprintf(override, sizeof override, "%s=%.7g", setting->path, beyond);
    *member = (float)beyond;
    assert_int_equal(brume_sim_create(&sim, &def, &by_sim), BRUME_BAD_INPUT);
    assert_null(sim);
    assert_int_equal(brume_scene_parse(&scene, "{}", "limits", overrides, count, NULL, &by_scene), BRUME_BAD_INPUT);
    assert_null(scene);
    const char *const text = strstr(by_scene.text, ": '");
    assert_non_null(text);
    assert_string_equal(text + 2, by_sim.text);
}

static void test_same_limits_everywhere(void **state)
{
    (void)state;
    int count = 0;
    for (int n = 0; n < BRUME_SIM_SETTING_COUNT; n++) {
        const BrumeSetting *const setting = &brume_sim_setting_table[n];
        if (setting->type == BRUME_VALUE_FLOAT && n != BRUME_SIM_CELL_SIZE) {
            expect_same_limit(setting, setting->min, setting->min - 1.0);
            expect_same_limit(setting, setting->max, 2.0 * setting->max);
            count++;
        }
    }
    assert_true(count >= 9);
}

static void expect_sim_failure(const BrumeSimDef *def, const char *expected)
{
    BrumeSim *sim = NULL;
    BrumeError error = {.status = BRUME_OK};
    assert_int_equal(brume_sim_create(&sim, def, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, expected);
    assert_null(sim);
}

/** Values of emitters, faces, shapes and smoke, of which brume_sim_create names the owner by its index. */
static void test_limits_of_parts(void **state)
{
    (void)state;
    const BrumeSimDef base = brume_default_sim_def();
    BrumeSimDef def = base;
    def.emitter_count = 2;
    def.emitters[0] = def.emitters[1] = brume_default_emitter_def();
    def.emitters[1].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1001.0f};
    expect_sim_failure(&def, "'density' in 'emitter' 1 is 1001, but must be from 0 to 1000");
    def.emitters[1].smoke[0] = (BrumeSource){BRUME_SOURCE_RATE, 1001.0f}; // the limit of a rate is another
    def.emitters[1].shape.radius = 0.0f;
    expect_sim_failure(&def, "'radius' in 'emitter' 1 is 0, but must be from 0.0001 to 10000 [m]");
    def.emitters[1].shape.radius = 0.1f;
    def.emitters[1].noise_scale = 0.0f;
    expect_sim_failure(&def, "'scale' in 'emitter' 1 is 0, but must be from 0.001 to 10000 [m]");
    def = base;
    def.faces[BRUME_FACE_X_MIN].velocity.y = NAN;
    expect_sim_failure(&def, "'velocity' in face 'x_min' is nan, but must be from -1000000 to 1000000 [m/s]");
    def = base;
    def.smoke[2].weight = 11.0f;
    expect_sim_failure(&def, "'weight' in 'smoke.color_2' is 11, but must be from -10 to 10");
    def = base;
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .b = {1e6f, 0.0f, 0.0f}};
    expect_sim_failure(&def, "'to' in 'body' 0 is 1000000, but must be from -100000 to 100000 [m]");
    def = base;
    def.min_steps = 17;
    expect_sim_failure(&def, "'min_steps' in 'solver' is 17, but must be at most 'max_steps', which is 16");
    def = base;
    def.kernels = NULL;
    expect_sim_failure(&def, "'kernels' in 'solver' is NULL, but must be one of fast, reference");
}

/*
 * Each member of a struct is an entry of its table, by which it is compared, saved and written.
 */

#define ENTRIES(table, first, last)                                                                                    \
    {                                                                                                                  \
        .setting_count = (last) - (first) + 1, .settings = &(table)[first]                                             \
    }
#define ALL(table)                                                                                                     \
    {                                                                                                                  \
        .setting_count = (int)(sizeof(table) / sizeof(table)[0]), .settings = (table)                                  \
    }
#define RENDER(member) offsetof(BrumeRenderSettings, member)

static const BrumeMembers medium_members = ALL(brume_medium_setting_table);
static const BrumeMembers particle_members = ALL(brume_particle_look_setting_table);
static const BrumeMembers light_members = ALL(brume_light_setting_table);
static const BrumeMembers camera_members = ALL(brume_camera_setting_table);
static const BrumeMembers move_members = ALL(brume_move_setting_table);
static const BrumeMembers point_members =
    ENTRIES(brume_density_curve_setting_table, BRUME_CURVE_POINT_AT, BRUME_CURVE_POINT_VALUE);
static const BrumeMemberArray curve_points = {
    &point_members, offsetof(BrumeCurve, points), sizeof(BrumeCurvePoint), BRUME_MAX_CURVE_POINTS,
    true,           offsetof(BrumeCurve, count)};
static const BrumeMembers curve_members = {1, 1, &brume_density_curve_setting_table[BRUME_CURVE_KIND], &curve_points};
static const BrumeSetting texture_table[] = {
    {.type = BRUME_VALUE_INT, .offset = offsetof(BrumeSurface, texture_frame)},
    {.type = BRUME_VALUE_POINTER, .offset = offsetof(BrumeSurface, texture)},
};
static const BrumeMembers texture_members = ALL(texture_table);
static const BrumeMemberArray surface_arrays[] = {
    {.items = &brume_shape_members, .offset = offsetof(BrumeSurface, shape), .length = 1},
    {.items = &texture_members, .length = 1},
};
static const BrumeMembers surface_members = {1, 2, brume_surface_setting_table, surface_arrays};
static const BrumeSetting velocity = {.type = BRUME_VALUE_VECTOR};
static const BrumeMembers velocity_members = {.setting_count = 1, .settings = &velocity};
static const BrumeMembers rake_members = ALL(brume_rake_setting_table);
static const BrumeMembers render_members = ALL(brume_render_setting_table);

// The settings of a picture, with those members that no key of a scene sets alone: they follow from others (faces,
// directions, positions of solids) or from files.
static const BrumeSetting other_render_members[] = {
    {.type = BRUME_VALUE_UINT32, .offset = RENDER(fading_faces)},
    {.type = BRUME_VALUE_UINT32, .offset = RENDER(wall_faces)},
    {.type = BRUME_VALUE_VECTOR, .offset = RENDER(box_lower)},
    {.type = BRUME_VALUE_VECTOR, .offset = RENDER(box_upper)},
    {.type = BRUME_VALUE_FLOAT, .offset = RENDER(shutter)},
    {.type = BRUME_VALUE_FLOAT, .offset = RENDER(frame)},
    {.type = BRUME_VALUE_INT, .offset = RENDER(hidden_surfaces)}, // a half of it, and the other one
    {.type = BRUME_VALUE_INT, .offset = RENDER(hidden_surfaces) + sizeof(int)},
    {.type = BRUME_VALUE_BOOL, .offset = RENDER(motion_vectors)},
    {.type = BRUME_VALUE_VECTOR, .offset = RENDER(sky.sun)},
    {.type = BRUME_VALUE_INT, .offset = RENDER(sky.image.width)},
    {.type = BRUME_VALUE_INT, .offset = RENDER(sky.image.height)},
    {.type = BRUME_VALUE_POINTER, .offset = RENDER(sky.image.radiance)},
    {.type = BRUME_VALUE_INT, .offset = RENDER(ground_image.width)},
    {.type = BRUME_VALUE_INT, .offset = RENDER(ground_image.height)},
    {.type = BRUME_VALUE_POINTER, .offset = RENDER(ground_image.albedo)},
    {.type = BRUME_VALUE_POINTER, .offset = RENDER(flow)},
};
static const BrumeMemberArray render_arrays[] = {
    {&render_members, 0, 0, 1, false, 0},
    {&medium_members, RENDER(smoke), sizeof(BrumeSmokeMedium), BRUME_VOLUME_KINDS, false, 0},
    {&particle_members, RENDER(particles), sizeof(BrumeParticleLook), BRUME_PARTICLE_KINDS, false, 0},
    {&curve_members, RENDER(density_curve), sizeof(BrumeCurve), BRUME_VOLUME_KINDS, false, 0},
    {&curve_members, RENDER(emission.curve), 0, 1, false, 0},
    {&light_members, RENDER(lights), sizeof(BrumeLight), BRUME_MAX_LIGHTS, true, RENDER(light_count)},
    {&surface_members, RENDER(surfaces), sizeof(BrumeSurface), BRUME_MAX_SURFACES, true, RENDER(surface_count)},
    {&velocity_members, RENDER(surface_velocities), sizeof(BrumeVec3), BRUME_MAX_SURFACES, false, 0},
    {&velocity_members, RENDER(surface_rotation_rates), sizeof(BrumeVec3), BRUME_MAX_SURFACES, false, 0},
    {&rake_members, RENDER(rakes), sizeof(BrumeRake), BRUME_MAX_RAKES, true, RENDER(rake_count)},
};
static const BrumeMembers all_render_members = {(int)(sizeof other_render_members / sizeof other_render_members[0]),
                                                (int)(sizeof render_arrays / sizeof render_arrays[0]),
                                                other_render_members, render_arrays};

// marks the bytes of the members
static void mark(unsigned char *bytes, const BrumeMembers *members)
{
    for (int n = 0; n < members->setting_count; n++) {
        memset(bytes + members->settings[n].offset, 1, brume_setting_size(&members->settings[n]));
    }
    for (int n = 0; n < members->array_count; n++) {
        const BrumeMemberArray *array = &members->arrays[n];
        if (array->counted) {
            memset(bytes + array->count_offset, 1, sizeof(int));
        }
        for (int i = 0; i < array->length; i++) {
            mark(bytes + array->offset + (size_t)i * array->stride, array->items);
        }
    }
}

// the entries describe all bytes of a struct but its padding
static void expect_all_members(const char *name, const BrumeMembers *members, size_t size, size_t packed_size)
{
    unsigned char *bytes = calloc(size, 1);
    assert_non_null(bytes);
    mark(bytes, members);
    size_t marked = 0;
    for (size_t n = 0; n < size; n++) {
        marked += bytes[n];
    }
    free(bytes);
    if (marked != packed_size) {
        fail_msg("the members of %s have %zu bytes, those in its table %zu", name, packed_size, marked);
    }
}

static void test_each_member_is_in_its_table(void **state)
{
    (void)state;
    expect_all_members("BrumeSimDef", &brume_sim_members, sizeof(BrumeSimDef), packed_sizes.sim_def);
    expect_all_members("BrumeStroke", &brume_stroke_members, sizeof(BrumeStroke), packed_sizes.stroke);
    expect_all_members("BrumeMove", &move_members, sizeof(BrumeMove), packed_sizes.move);
    expect_all_members("BrumeRenderSettings", &all_render_members, sizeof(BrumeRenderSettings),
                       packed_sizes.render_settings);
    expect_all_members("BrumeCamera", &camera_members, sizeof(BrumeCamera), packed_sizes.camera);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_are_complete),
        cmocka_unit_test(test_schema_uses_the_tables),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_same_limits_everywhere),
        cmocka_unit_test(test_limits_of_parts),
        cmocka_unit_test(test_each_member_is_in_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
