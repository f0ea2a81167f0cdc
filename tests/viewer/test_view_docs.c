/*
 * docs/viewer.md lists every key and every control of the panel, generated from the tables of the program. After a
 * change of these, run this test with BRUME_WRITE_DOCS=1 to update the page.
 */
#include "raymarch_check.h"
#include "viewer/panel/parameters.h"
#include "viewer/window/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_SIZE = 1 << 17 };

static const char *page_path = BRUME_SOURCE_DIR "/docs/viewer.md";
static char page[PAGE_SIZE];
static char wanted[PAGE_SIZE];

static void read_page(void)
{
    FILE *const file = fopen(page_path, "r");
    assert_non_null(file);
    const size_t size = fread(page, 1, sizeof page - 1, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size < sizeof page - 1);
    page[size] = '\0';
}

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    const size_t used = strlen(wanted);
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(wanted + used, sizeof wanted - used, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof wanted - used);
}

/** Compares `wanted` with the text between a mark and its end, or writes it there. */
static void check_part(const char *name)
{
    char mark[96];
    (void)snprintf(mark, sizeof mark, "<!-- %s -->\n", name);
    char *const start = strstr(page, mark);
    if (!start) {
        fail_msg("docs/viewer.md has no '%s'", mark);
        return;
    }
    char *const from = start + strlen(mark);
    char *const to = strstr(from, "<!-- end -->");
    assert_non_null(to);
    if (getenv("BRUME_WRITE_DOCS")) {
        char *const rest = strdup(to);
        assert_non_null(rest);
        const size_t room = sizeof page - (size_t)(from - page);
        assert_true((size_t)snprintf(from, room, "%s%s", wanted, rest) < room);
        free(rest);
    } else {
        *to = '\0';
        assert_string_equal(from, wanted);
        *to = '<';
    }
    wanted[0] = '\0';
}

static void write_page(void)
{
    if (getenv("BRUME_WRITE_DOCS")) {
        FILE *const file = fopen(page_path, "w");
        assert_non_null(file);
        assert_true(fputs(page, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
}

static void test_keys(void **state)
{
    (void)state;
    read_page();
    const char *group = "";
    for (const BrumeBinding *binding = brume_bindings; binding->group; binding++) {
        if (strcmp(group, binding->group) != 0) {
            group = binding->group;
            add("| %s | |\n| --- | --- |\n", group);
        }
        add("| %s | %s |\n", binding->keys, binding->action);
        if (!binding[1].group || strcmp(group, binding[1].group) != 0) {
            add("\n");
        }
    }
    check_part("keys");
    write_page();
}

static void test_controls(void **state)
{
    (void)state;
    for (int group = 0; group < BRUME_PARAMETERS_COUNT; group++) {
        read_page();
        add("| control | unit | range | what it does |\n| --- | --- | --- | --- |\n");
        const BrumeParameterTable *const table = &brume_parameters[group];
        for (int n = 0; n < table->count; n++) {
            const BrumeParameter *const parameter = &table->parameters[n];
            const BrumeSliderRange slider = brume_parameter_range(parameter, parameter->setting);
            char range[64] = "–";
            char unit[BRUME_PARAMETER_TEXT];
            if (slider.max > slider.min) {
                (void)snprintf(range, sizeof range, "%g to %g", slider.min, slider.max);
            }
            brume_parameter_unit(parameter, parameter->setting, unit);
            add("| %s | %s | %s | %s |\n", parameter->setting->label, unit[0] ? unit : "–", range,
                parameter->setting->doc);
        }
        check_part(table->title);
        write_page();
    }
}

static bool has_slider(const BrumeParameter *parameter)
{
    return parameter->kind != BRUME_PARAMETER_SWITCH && parameter->kind != BRUME_PARAMETER_COLOR &&
           parameter->kind != BRUME_PARAMETER_CHOICE && parameter->kind != BRUME_PARAMETER_NAME;
}

/** A setting that the panel shows has a label, and a slider range within its limits where it has a slider. */
static void expect_setting(const BrumeParameter *parameter, const BrumeSetting *setting)
{
    if (!setting->label || strlen(setting->doc) < 8) {
        fail_msg("%s has no label or no document text", setting->path);
    }
    const BrumeSliderRange slider = setting->slider;
    const bool has_range = slider.max > slider.min;
    if (has_slider(parameter) != has_range || (has_range && (slider.min < setting->min || slider.max > setting->max))) {
        fail_msg("the slider of %s spans %g to %g, the limits %g to %g", setting->path, slider.min, slider.max,
                 setting->min, setting->max);
    }
}

static void test_parameters_follow_their_settings(void **state)
{
    (void)state;
    for (int group = 0; group < BRUME_PARAMETERS_COUNT; group++) {
        for (int n = 0; n < brume_parameters[group].count; n++) {
            const BrumeParameter *const parameter = &brume_parameters[group].parameters[n];
            const bool is_source =
                parameter->kind == BRUME_PARAMETER_SOURCE || parameter->kind == BRUME_PARAMETER_VECTOR_SOURCE;
            assert_true(is_source == (parameter->rate != NULL));
            expect_setting(parameter, parameter->setting);
            if (parameter->rate) {
                expect_setting(parameter, parameter->rate);
                assert_int_equal(parameter->rate->offset, parameter->setting->offset);
            }
        }
    }
    // copying a parameter makes it equal, and changes nothing else
    BrumeSimDef a = brume_default_sim_def();
    BrumeSimDef b = a;
    const BrumeParameterTable *const air = &brume_parameters[BRUME_PARAMETERS_AIR];
    for (int n = 0; n < air->count; n++) {
        const BrumeParameter *const parameter = &air->parameters[n];
        assert_true(brume_parameter_is_equal(parameter, &a, &b));
        float *const value = (float *)(void *)((char *)&a + brume_parameter_offset(parameter));
        value[parameter->kind == BRUME_PARAMETER_VECTOR ? 2 : 0] += 1.0f;
        assert_false(brume_parameter_is_equal(parameter, &a, &b));
        brume_parameter_copy(parameter, &a, &b);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void test_choices_and_sources(void **state)
{
    (void)state;
    BrumeSimDef def = brume_default_sim_def();
    const BrumeParameter *const order = &brume_parameters[BRUME_PARAMETERS_SOLVER_DETAILS].parameters[4];
    const BrumeParameter *const pressure = &brume_parameters[BRUME_PARAMETERS_SOLVER_DETAILS].parameters[5];
    char choice[BRUME_PARAMETER_TEXT];
    assert_int_equal(brume_parameter_chosen(order, &def), 0);
    assert_true(brume_parameter_choice(order, 1, choice));
    assert_string_equal(choice, "3");
    assert_false(brume_parameter_choice(order, 2, choice));
    brume_parameter_choose(order, &def, 1);
    assert_int_equal(def.trace_order, 3);
    brume_parameter_choose(pressure, &def, 2);
    assert_string_equal(def.pressure, brume_pressure_name(2));
    assert_int_equal(brume_parameter_chosen(pressure, &def), 2);

    // the period of 1/24 s, and the unit of a source that emits at a rate
    const BrumeParameter *const frame = &brume_parameters[BRUME_PARAMETERS_TIME].parameters[0];
    const BrumeSliderRange range = brume_parameter_range(frame, frame->setting);
    assert_near("shortest frame", range.min, 1.0, 0.0);
    assert_near("longest frame", range.max, 200.0, 0.0);
    BrumeEmitterDef emitter = brume_default_emitter_def();
    const BrumeParameter *const density = &brume_parameters[BRUME_PARAMETERS_EMITTER].parameters[0];
    assert_ptr_equal(brume_parameter_setting(density, &emitter), density->setting);
    emitter.smoke[0].mode = BRUME_SOURCE_RATE;
    assert_ptr_equal(brume_parameter_setting(density, &emitter), density->rate);
    brume_parameter_unit(density, density->rate, choice);
    assert_string_equal(choice, "1/s");
    const BrumeParameter *const gravity = &brume_parameters[BRUME_PARAMETERS_AIR].parameters[9];
    brume_parameter_unit(gravity, gravity->setting, choice);
    assert_string_equal(choice, "m/s²");
}

/** The row of a setting. */
static const BrumeParameter *find_row(const char *path)
{
    for (int group = 0; group < BRUME_PARAMETERS_COUNT; group++) {
        for (int n = 0; n < brume_parameters[group].count; n++) {
            if (strcmp(brume_parameters[group].parameters[n].setting->path, path) == 0) {
                return &brume_parameters[group].parameters[n];
            }
        }
    }
    fail_msg("no row of %s", path);
    return NULL;
}

/** A word loses its s behind 1, a symbol does not: of each unit that the panel has. */
static void test_units_of_one(void **state)
{
    (void)state;
    char text[BRUME_PARAMETER_TEXT];
    static const char *const words[][2] = {{"cells", "cell"}, {"stops", "stop"}, {"points", "point"}};
    for (int n = 0; n < 3; n++) {
        brume_unit_of_number(words[n][0], 1.0, text);
        assert_string_equal(text, words[n][1]);
        brume_unit_of_number(words[n][0], 1.5, text);
        assert_string_equal(text, words[n][0]);
    }
    for (int group = 0; group < BRUME_PARAMETERS_COUNT; group++) {
        for (int n = 0; n < brume_parameters[group].count; n++) {
            const BrumeParameter *const parameter = &brume_parameters[group].parameters[n];
            char unit[BRUME_PARAMETER_TEXT];
            brume_parameter_unit(parameter, parameter->rate ? parameter->rate : parameter->setting, unit);
            brume_unit_of_number(unit, 1.0, text);
            if (strcmp(unit, "cells") != 0 && strcmp(unit, "stops") != 0) {
                assert_string_equal(text, unit); // "1/s", "m/s", "rad/s", "ms"
            }
        }
    }
}

/** Which values of the sky have an effect with each of its kinds; and the other conditions. */
static void test_values_without_effect(void **state)
{
    (void)state;
    static const char *const paths[] = {"render.sky_zenith",    "render.sky_horizon",  "render.sky.radiance",
                                        "render.sky.turbidity", "render.sky.rotation", "render.sky.intensity"};
    static const char *const acts[] = {[BRUME_SKY_GRADIENT] = "110000",
                                       [BRUME_SKY_CONSTANT] = "001000",
                                       [BRUME_SKY_DAYLIGHT] = "000101",
                                       [BRUME_SKY_IMAGE] = "000011"};
    BrumeRenderSettings look = brume_default_render_settings();
    for (int kind = 0; kind < 4; kind++) {
        look.sky.kind = (BrumeSkyKind)kind;
        for (int n = 0; n < 6; n++) {
            const char *const why = brume_parameter_idle(find_row(paths[n]), &look);
            if ((why == NULL) != (acts[kind][n] == '1')) {
                fail_msg("%s with the kind %d: %s", paths[n], kind, why ? why : "it acts");
            }
        }
    }
    look.sky.kind = BRUME_SKY_GRADIENT;
    look.light_count = 1;
    look.lights[0].daylight = true; // its light has the turbidity and the intensity of the sky
    assert_null(brume_parameter_idle(find_row("render.sky.turbidity"), &look));
    look.ground = false;
    assert_non_null(brume_parameter_idle(find_row("render.ground.albedo"), &look));
    look.emission.intensity = 0.0f;
    assert_non_null(brume_parameter_idle(find_row("render.emission.ambient"), &look));
    BrumeSimDef sim = brume_default_sim_def();
    assert_non_null(brume_parameter_idle(find_row("solver.over_relaxation"), &sim));
    sim.pressure = "relaxation";
    assert_null(brume_parameter_idle(find_row("solver.over_relaxation"), &sim));
    sim.integrator = "prescribed";
    assert_non_null(brume_parameter_idle(find_row("air.thermal_expansion"), &sim));
    assert_non_null(brume_parameter_idle(find_row("solver.pressure"), &sim));
    BrumeEmitterDef emitter = brume_default_emitter_def();
    emitter.shape.kind = BRUME_SHAPE_VOLUME;
    assert_non_null(brume_parameter_idle(find_row("emitters[].softness"), &emitter));
}

/** The buoyancy is shown as a factor: that of real air is 1. */
static void test_factor(void **state)
{
    (void)state;
    const BrumeParameter *const buoyancy = find_row("air.thermal_expansion");
    assert_near("of air", brume_parameter_shown(buoyancy, buoyancy->setting, 1.0f / 300.0f), 1.0, 1e-6);
    assert_near("1/K", brume_parameter_stored(buoyancy, buoyancy->setting, 0.5f), 1.0 / 600.0, 1e-9);
    assert_near("largest", brume_parameter_range(buoyancy, buoyancy->setting).max, 6.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_choices_and_sources),
        cmocka_unit_test(test_units_of_one),
        cmocka_unit_test(test_values_without_effect),
        cmocka_unit_test(test_factor),
        cmocka_unit_test(test_parameters_follow_their_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
